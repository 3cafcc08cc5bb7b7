// The application: sends what is on the desk to the service and shows the view that it renders.
"use strict";

(() => {
  const PAUSE = 250; // milliseconds without a key before a text is sent
  const SLOW = 400; // milliseconds after which we say that we are at work
  const FORMATS = [["json", "JSON"], ["md", "Markdown"], ["csv", "CSV"], ["html", "HTML"]];
  const NUMBERS = ["k", "min_size", "max_size", "overlap"];
  const PLAIN = /\.(txt|text|rst|tex|log|csv)$/i; // names of files that go into the text
  const FEW = 8; // bytes beyond ASCII that are too few for the service to tell an encoding by

  const at = (id) => document.getElementById(id);
  const text = at("text");
  const results = at("results");
  const invitation = text.placeholder;
  let name = "";
  let file = null; // what is analysed instead of the text
  let isNew = false; // whether nothing of this document was shown yet
  let limits = { max_bytes: Infinity };
  let running = null; // the controller of the requests under way
  let timer = 0;

  // Asking the service

  async function ask(path, options = {}) {
    const token = sessionStorage.getItem("docbats-token");
    const headers = { ...options.headers };
    if (token) headers.Authorization = `Bearer ${token}`;
    const response = await fetch(path, { ...options, headers, cache: "no-store" });
    if (response.ok) return response;
    const problem = await response.json().catch(() => ({}));
    if (response.status === 401) askForToken();
    throw new Error(problem.detail || `The service answered ${response.status}.`);
  }

  function analyse(preset, format, signal) {
    const asked = { name: name.slice(-300), preset, ...settings(preset) };
    const query = new URLSearchParams(file ? { format, ...asked } : { format });
    return ask(`/v1/analyze?${query}`, {
      method: "POST",
      headers: { "Content-Type": file ? "application/octet-stream" : "application/json" },
      body: file ?? JSON.stringify({ text: text.value, ...asked }),
      signal,
    });
  }

  function settings(preset) {
    const values = Object.fromEntries(
      ["size_unit", "sentences", "language"].map((id) => [id, at(id).value]),
    );
    if (values.language === "auto") delete values.language;
    for (const id of NUMBERS) {
      const field = at(id);
      if (field.value !== "" && field.validity.valid) values[id] = Number(field.value);
    }
    if (preset === "paper") {
      delete values.min_size;
      delete values.max_size;
    }
    return values;
  }

  // Showing what it says

  const chosen = () => document.querySelector("input[name=preset]:checked").value;
  const presets = () => (chosen() === "both" ? ["sharp", "paper"] : [chosen()]);

  function soon(pause = PAUSE) {
    clearTimeout(timer);
    timer = setTimeout(update, pause);
  }

  async function update() {
    running?.abort();
    tellSize();
    if (!file && !text.value.trim()) {
      show([]);
      return;
    }
    const controller = new AbortController();
    running = controller;
    const began = performance.now();
    results.setAttribute("aria-busy", "true");
    const patience = setTimeout(() => say("Analysing…"), SLOW);
    try {
      const wanted = presets();
      const found = await Promise.all(
        wanted.map(async (preset) => (await analyse(preset, "fragment", controller.signal)).text()),
      );
      if (controller.signal.aborted) return;
      isNew = false;
      show(wanted.map((preset, place) => [preset, found[place]]));
      const took = Math.round(performance.now() - began).toLocaleString("en");
      say(`Analysed in ${took} ms. ${comparison()}`);
      complain("");
    } catch (error) {
      if (error.name === "AbortError") return; // overtaken by a newer one
      if (isNew) show([]);
      complain(error instanceof TypeError ? "The service does not answer: is it still running?"
        : error.message);
    } finally {
      clearTimeout(patience);
    }
    results.removeAttribute("aria-busy");
    running = null;
  }

  function show(views) {
    const place = window.scrollY;
    results.classList.toggle("both", views.length > 1);
    if (!views.length) {
      results.removeAttribute("aria-busy");
      results.replaceChildren(emptyNote);
      say("");
      complain("");
      return;
    }
    results.replaceChildren(...views.map(([preset, html]) => frame(preset, html)));
    for (const article of results.querySelectorAll("article.docbats")) {
      globalThis.docbats?.activate(article);
    }
    window.scrollTo({ top: place, behavior: "instant" });
  }

  const emptyNote = at("empty");

  // Where both presets are shown, tell how far they agree; sentences that were split for the sake of
  // sizes have other numbers, and cannot be compared.
  function comparison() {
    const data = [...results.querySelectorAll("article.docbats > script")].map((node) =>
      JSON.parse(node.textContent));
    if (data.length < 2 || data[0].sentences !== data[1].sentences) return "";
    const [sharp, paper] = data.map(({ pieces, cuts, own }) =>
      cuts[own].pieces.slice(1).map((piece) => pieces[piece]));
    const shared = sharp.filter((start) => paper.includes(start)).length;
    return `Boundaries: ${shared} in both, ${sharp.length - shared} only in sharp, ${
      paper.length - shared} only in paper.`;
  }

  function frame(preset, html) {
    const box = make("div", { className: "result" });
    box.dataset.preset = preset;
    const bar = make("div", { className: "result-bar" });
    const title = chosen() === "both" ? `Preset ${preset}` : "Result";
    bar.append(make("span", { textContent: title }), downloads(preset));
    const view = document.createElement("template");
    view.innerHTML = html; // rendered by the service, with everything of the document escaped
    box.append(bar, view.content);
    return box;
  }

  function downloads(preset) {
    const group = make("span", { className: "downloads" });
    group.setAttribute("role", "group");
    group.setAttribute("aria-label", `Download the result of ${preset}`);
    group.append(make("span", { textContent: "Download" }));
    for (const [format, label] of FORMATS) {
      const button = make("button", { type: "button", textContent: label });
      button.addEventListener("click", () => download(preset, format));
      group.append(button);
    }
    return group;
  }

  async function download(preset, format) {
    try {
      const response = await analyse(preset, format);
      const link = make("a", { href: URL.createObjectURL(await response.blob()) });
      const stem = name.replace(/\.[^.]*$/, "") || "document";
      link.download = `${stem}-${preset}.${format}`;
      link.click();
      setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    } catch (error) {
      complain(error.message);
    }
  }

  function make(tag, properties) {
    return Object.assign(document.createElement(tag), properties);
  }

  // On a small screen the result of a file is below what can be seen.
  function bringIntoView() {
    if (results.getBoundingClientRect().top > window.innerHeight - 100) {
      at("status").scrollIntoView({ block: "start" });
    }
  }

  function say(message) {
    at("status").textContent = message;
  }

  function complain(message) {
    at("alert").textContent = message;
    at("alert").hidden = !message;
    if (message) say("");
  }

  function tellSize() {
    const count = file ? file.size : text.value.length;
    const unit = `${file ? "byte" : "character"}${count === 1 ? "" : "s"}`;
    at("clear").disabled = !count;
    at("text-facts").textContent = count
      ? `${name ? `${name} · ` : ""}${count.toLocaleString("en")} ${unit} · Nothing of it is kept.`
      : "Nothing of it is kept.";
  }

  function put(newName, newText, newFile = null) {
    name = newName;
    text.value = newText;
    file = newFile;
    isNew = true;
    text.placeholder = file ? `${name} is open. Type here to analyse a text instead.` : invitation;
  }

  // Files

  // Plain text goes where it can be changed; all else is for the service to read.
  async function open(opened) {
    if (opened.size > limits.max_bytes) {
      const [size, most] = [opened.size, limits.max_bytes].map((n) => n.toLocaleString("en"));
      complain(`${opened.name} has ${size} bytes, and ${most} are allowed.`);
      return;
    }
    const bytes = new Uint8Array(await opened.arrayBuffer());
    const [content, note] = PLAIN.test(opened.name) ? decode(bytes) : [null, ""];
    if (content === null) put(opened.name, "", new Blob([bytes]));
    else put(opened.name, content);
    await update();
    bringIntoView();
    if (note) say(note);
  }

  // Give the text, if it is one that we can tell, and what there is to say about it.
  function decode(bytes) {
    if (bytes.includes(0)) return [null, ""];
    try {
      return [read("utf-8", bytes), ""];
    } catch {
      const strange = bytes.reduce((count, byte) => count + (byte > 127), 0);
      if (strange >= FEW) return [null, ""];
      return [read("windows-1252", bytes), "Read as Windows-1252, since it is no UTF-8."];
    }
  }

  const read = (encoding, bytes) => new TextDecoder(encoding, { fatal: true }).decode(bytes);

  at("file").addEventListener("change", () => {
    const [picked] = at("file").files;
    if (picked) open(picked);
    at("file").value = ""; // so that the same file can be opened again
  });

  const hasFile = (event) => event.dataTransfer?.types.includes("Files");

  document.addEventListener("dragover", (event) => {
    if (!hasFile(event)) return;
    event.preventDefault();
    at("drop").hidden = false;
  });
  document.addEventListener("dragleave", (event) => {
    if (!event.relatedTarget) at("drop").hidden = true;
  });
  document.addEventListener("drop", (event) => {
    at("drop").hidden = true;
    if (!hasFile(event)) return;
    event.preventDefault();
    const [dropped] = event.dataTransfer.files;
    if (dropped) open(dropped);
  });

  // The desk

  text.addEventListener("input", () => {
    if (file) put("", text.value);
    soon();
  });
  text.addEventListener("keydown", (event) => {
    if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) soon(0);
  });
  at("desk").addEventListener("submit", (event) => {
    event.preventDefault();
    soon(0);
  });
  at("desk").addEventListener("change", (event) => {
    if (event.target !== text && event.target !== at("file")) soon(0);
  });
  for (const id of NUMBERS) at(id).addEventListener("input", () => soon());
  for (const radio of document.querySelectorAll("input[name=preset]")) {
    radio.addEventListener("change", () => {
      for (const id of ["min_size", "max_size"]) at(id).disabled = chosen() === "paper";
      at("limits-hint").hidden = chosen() === "sharp";
    });
  }
  at("example").addEventListener("click", async () => {
    const response = await fetch("/static/example.txt");
    put("Gull Skerry", await response.text());
    await update();
    bringIntoView();
  });
  at("clear").addEventListener("click", () => {
    put("", "");
    update();
    text.focus();
  });

  // The token

  function askForToken() {
    const dialog = at("ask");
    at("ask-error").hidden = !sessionStorage.getItem("docbats-token");
    if (!dialog.open) dialog.showModal();
  }

  at("ask-form").addEventListener("submit", (event) => {
    event.preventDefault();
    sessionStorage.setItem("docbats-token", at("token").value);
    at("ask").close();
    begin();
  });

  // Light and dark

  const prefersDark = matchMedia("(prefers-color-scheme: dark)");

  function setTheme(theme) {
    if (theme) document.documentElement.dataset.theme = theme;
    const dark = (theme || (prefersDark.matches ? "dark" : "light")) === "dark";
    at("theme").setAttribute("aria-pressed", String(dark));
  }

  at("theme").addEventListener("click", () => {
    const dark = at("theme").getAttribute("aria-pressed") === "true";
    setTheme(dark ? "light" : "dark");
  });
  prefersDark.addEventListener("change", () => setTheme(document.documentElement.dataset.theme));

  // The beginning

  async function begin() {
    try {
      const { version } = await (await ask("/v1/health")).json();
      at("version").textContent = version;
      ({ limits } = await (await ask("/v1/presets")).json());
      complain("");
      if (file || text.value) await update();
    } catch (error) {
      complain(error.message);
    }
  }

  setTheme("");
  tellSize();
  begin();
})();
