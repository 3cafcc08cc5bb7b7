// Filters and sorts the lists of the page; without it they are as they were written.
"use strict";

(() => {
  const field = document.querySelector(".filter");
  const rows = [...document.querySelectorAll("[data-filter] > *")];
  const texts = rows.map((row) => row.textContent.toLowerCase());
  const count = document.querySelector(".filtered");

  function filter() {
    const words = field.value.toLowerCase().split(/\s+/).filter(Boolean);
    let shown = 0;
    rows.forEach((row, i) => {
      row.hidden = !words.every((word) => texts[i].includes(word));
      shown += !row.hidden && row.matches("tr");
    });
    count.textContent = words.length ? `${shown} documents listed.` : "";
  }

  function sort(button) {
    const head = button.closest("th");
    const body = head.closest("table").tBodies[0];
    const down = head.getAttribute("aria-sort") === "ascending";
    const isNumber = head.classList.contains("number");
    const value = (row) => {
      const text = row.cells[head.cellIndex].textContent.trim();
      return isNumber ? Number(text.replaceAll(",", "")) : text;
    };
    const compare = (a, b) => (isNumber ? value(a) - value(b) : value(a).localeCompare(value(b)));
    const sorted = [...body.rows].sort((a, b) => (down ? compare(b, a) : compare(a, b)));
    for (const other of head.parentNode.cells) other.removeAttribute("aria-sort");
    head.setAttribute("aria-sort", down ? "descending" : "ascending");
    body.append(...sorted);
  }

  if (field) {
    field.closest("[hidden]").hidden = false;
    field.addEventListener("input", filter);
  }
  for (const button of document.querySelectorAll("th button")) {
    button.addEventListener("click", () => sort(button));
  }
})();
