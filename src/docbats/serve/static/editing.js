// Segments changed by hand: moved, joined, split and renamed, with undo.

import { createElement } from "./dom.js";

// Puts tools beside the heads of an article; `change` is called with new boundaries and titles.
export class Editing {
  constructor(article, view, change) {
    Object.assign(this, { article, view, change });
    article.classList.add("editing");
    this.listener = (event) => this.splitAt(event);
    view.text.addEventListener("click", this.listener);
    this.addTools();
  }

  stop() {
    this.article.classList.remove("editing");
    this.view.text.removeEventListener("click", this.listener);
    for (const tools of this.article.querySelectorAll(".edit-tools")) tools.remove();
  }

  get firsts() {
    const { cut, data } = this.view;
    return cut.pieces.map((piece) => data.pieces[piece]);
  }

  addTools() {
    const { heads, cut } = this.view;
    cut.pieces.forEach((_, i) => {
      const tools = createElement("span", { className: "edit-tools" });
      tools.setAttribute("role", "group");
      tools.setAttribute("aria-label", `Edit segment ${i + 1}`);
      const add = (label, title, action) => {
        const button = createElement("button", { type: "button", textContent: label, title });
        button.setAttribute("aria-label", `${title}, segment ${i + 1}`);
        button.addEventListener("click", action);
        tools.append(button);
        return button;
      };
      if (i > 0) {
        const handle = add("⠿", "Drag to move the beginning, or use the arrow keys", () => {});
        handle.className = "edit-handle";
        handle.addEventListener("pointerdown", (event) => this.drag(event, i));
        handle.addEventListener("keydown", (event) => {
          const by = { ArrowUp: -1, ArrowDown: 1 }[event.key];
          if (!by) return;
          event.preventDefault();
          this.move(i, this.firsts[i] + by);
        });
        add("Join", "Join with the segment above", () => this.join(i));
      }
      add("Split", "Split in the middle; or press a sentence of the text", () => this.split(i));
      add("Rename", "Rename", () => this.rename(i));
      heads[i].append(tools);
    });
  }

  // Each change takes the first sentences and the titles; a null is a title to be found.
  apply(firsts, titles, said) {
    const boundaries = firsts.map((first) => this.view.offsetOf(first));
    this.change({ boundaries, titles }, said);
  }

  move(i, first) {
    const { firsts } = this;
    const [low, high] = [firsts[i - 1], firsts[i + 1] ?? this.view.data.sentences];
    if (first <= low || first >= high || first === firsts[i]) return;
    const titles = this.titles();
    firsts[i] = first;
    this.apply(firsts, titles, `Segment ${i + 1} begins at sentence ${first + 1}.`);
  }

  join(i) {
    const titles = this.titles();
    titles.splice(i, 1);
    titles[i - 1] = this.given(i - 1);
    this.apply(this.firsts.filter((_, j) => j !== i), titles, "Two segments were joined.");
  }

  split(i) {
    const [first, end] = this.view.sentenceRange(i);
    if (end - first > 1) this.begin(first + Math.floor((end - first) / 2));
  }

  begin(sentence) {
    const { firsts } = this;
    const i = firsts.findLastIndex((first) => first <= sentence);
    if (firsts[i] === sentence) return;
    const titles = this.titles();
    titles[i] = this.given(i);
    titles.splice(i + 1, 0, null);
    firsts.splice(i + 1, 0, sentence);
    this.apply(firsts, titles, `A segment begins at sentence ${sentence + 1}.`);
  }

  rename(i) {
    const heading = this.view.heads[i].querySelector("bdi");
    const field = createElement("input", { type: "text", value: heading.textContent, maxLength: 200 });
    field.setAttribute("aria-label", `Title of segment ${i + 1}`);
    field.className = "edit-title";
    const done = (keep) => {
      const title = field.value.trim();
      field.replaceWith(heading);
      if (!keep || !title || title === heading.textContent) return;
      const titles = this.titles();
      titles[i] = title;
      this.apply(this.firsts, titles, `Segment ${i + 1} is now called ${title}.`);
    };
    field.addEventListener("keydown", (event) => {
      if (event.key === "Enter" || event.key === "Escape") {
        field.onblur = null;
        done(event.key === "Enter");
      }
    });
    field.onblur = () => done(true);
    heading.replaceWith(field);
    field.focus();
    field.select();
  }

  // Titles that a person wrote stay; others are found anew where their segments change.
  given(i) {
    return this.view.own?.has(this.view.cut.titles[i]) ? this.view.cut.titles[i] : null;
  }

  titles() {
    return this.view.cut.titles.map((_, i) => this.given(i));
  }

  splitAt(event) {
    if (event.target.closest(".head") || getSelection().toString()) return;
    const sentence = event.target.closest(".s");
    if (sentence) this.begin(this.view.units[this.view.sentences.indexOf(sentence)]);
  }

  drag(event, i) {
    event.preventDefault();
    const handle = event.currentTarget;
    handle.focus();
    handle.setPointerCapture(event.pointerId);
    let target = null;
    const over = ({ clientX, clientY }) => {
      const found = document.elementsFromPoint(clientX, clientY).map((node) => node.closest(".s"))
        .find((node) => node && this.view.text.contains(node));
      if (!found || found === target) return;
      target?.classList.remove("edit-target");
      target = found;
      target.classList.add("edit-target");
    };
    const drop = () => {
      handle.removeEventListener("pointermove", over);
      target?.classList.remove("edit-target");
      if (target) this.move(i, this.view.units[this.view.sentences.indexOf(target)]);
    };
    handle.addEventListener("pointermove", over);
    handle.addEventListener("pointerup", drop, { once: true });
  }
}
