// The page: sends the document and the settings to the service and shows the view that it renders.

import { decode } from "./decode.js";
import { byId, createElement } from "./dom.js";
import { onToken, request } from "./service.js";
import "./theme.js";

const TYPING_PAUSE = 250; // milliseconds without a key before a text is sent
const SLOW = 400; // milliseconds after which the status says that the analysis is running
const FORMATS = [["json", "JSON"], ["md", "Markdown"], ["csv", "CSV"], ["html", "HTML"]];
const NUMBERS = ["k", "min_size", "max_size", "overlap"];
const PLAIN_TEXT = /\.(txt|text|rst|tex|log|csv)$/i; // files that are put into the text field

const text = byId("text");
const results = byId("results");
const emptyNote = byId("empty");
const placeholder = text.placeholder;
let name = "";
let file = null; // analyzed instead of the text, if there is one
let isNew = false; // whether no result of this document was shown yet
let limits = { max_bytes: Infinity };
let running = null; // the AbortController of the requests that are running
let timer = 0;

// Requests

function analyze(preset, format, signal) {
  const values = { name: name.slice(-300), preset, ...settings(preset) };
  const query = new URLSearchParams(file ? { format, ...values } : { format });
  return request(`/v1/analyze?${query}`, {
    method: "POST",
    headers: { "Content-Type": file ? "application/octet-stream" : "application/json" },
    body: file ?? JSON.stringify({ text: text.value, ...values }),
    signal,
  });
}

function settings(preset) {
  const values = Object.fromEntries(
    ["granularity", "size_unit", "sentences", "language"].map((id) => [id, byId(id).value]),
  );
  if (values.language === "auto") delete values.language;
  for (const id of NUMBERS) {
    const field = byId(id);
    if (field.value !== "" && field.validity.valid) values[id] = Number(field.value);
  }
  if (preset === "paper") {
    delete values.min_size;
    delete values.max_size;
  }
  return values;
}

// Results

const presetChoice = () => document.querySelector("input[name=preset]:checked").value;
const presets = () => (presetChoice() === "both" ? ["sharp", "paper"] : [presetChoice()]);

function scheduleUpdate(pause = TYPING_PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(update, pause);
}

async function update() {
  running?.abort();
  showSize();
  if (!file && !text.value.trim()) {
    showResults([]);
    return;
  }
  const controller = new AbortController();
  running = controller;
  const started = performance.now();
  results.setAttribute("aria-busy", "true");
  const slowTimer = setTimeout(() => showStatus("Analyzing…"), SLOW);
  try {
    const views = await Promise.all(presets().map(async (preset) => {
      const response = await analyze(preset, "fragment", controller.signal);
      return { preset, html: await response.text() };
    }));
    if (controller.signal.aborted) return;
    isNew = false;
    showResults(views);
    const milliseconds = Math.round(performance.now() - started).toLocaleString("en");
    showStatus(`Analyzed in ${milliseconds} ms. ${comparison()}`);
    showError("");
  } catch (error) {
    if (error.name === "AbortError") return; // a newer request has replaced this one
    if (isNew) showResults([]);
    const message = "The service does not respond: is it still running?";
    showError(error instanceof TypeError ? message : error.message);
  } finally {
    clearTimeout(slowTimer);
  }
  results.removeAttribute("aria-busy");
  running = null;
}

function showResults(views) {
  const scroll = window.scrollY;
  results.classList.toggle("both", views.length > 1);
  if (!views.length) {
    results.removeAttribute("aria-busy");
    results.replaceChildren(emptyNote);
    showStatus("");
    showError("");
    return;
  }
  results.replaceChildren(...views.map(({ preset, html }) => resultBox(preset, html)));
  for (const article of results.querySelectorAll("article.docbats")) {
    globalThis.docbats?.activate(article);
  }
  window.scrollTo({ top: scroll, behavior: "instant" });
}

// Where both presets are shown, say how far they agree. If size limits split sentences, their numbers
// differ and cannot be compared.
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

function resultBox(preset, html) {
  const box = createElement("div", { className: "result" });
  box.dataset.preset = preset;
  const bar = createElement("div", { className: "result-bar" });
  const title = presetChoice() === "both" ? `Preset ${preset}` : "Result";
  bar.append(createElement("span", { textContent: title }), downloadButtons(preset));
  const view = document.createElement("template");
  view.innerHTML = html; // rendered by the service, which escapes everything of the document
  box.append(bar, view.content);
  return box;
}

function downloadButtons(preset) {
  const group = createElement("span", { className: "downloads" });
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", `Download the result of ${preset}`);
  group.append(createElement("span", { textContent: "Download" }));
  for (const [format, label] of FORMATS) {
    const button = createElement("button", { type: "button", textContent: label });
    button.addEventListener("click", () => download(preset, format));
    group.append(button);
  }
  return group;
}

async function download(preset, format) {
  try {
    const response = await analyze(preset, format);
    const link = createElement("a", { href: URL.createObjectURL(await response.blob()) });
    const stem = name.replace(/\.[^.]*$/, "") || "document";
    link.download = `${stem}-${preset}.${format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
  } catch (error) {
    showError(error.message);
  }
}

// On a small screen the result of a file may be below the visible part of the page.
function scrollToResult() {
  if (results.getBoundingClientRect().top > window.innerHeight - 100) {
    byId("status").scrollIntoView({ block: "start" });
  }
}

function showStatus(message) {
  byId("status").textContent = message;
}

function showError(message) {
  byId("alert").textContent = message;
  byId("alert").hidden = !message;
  if (message) showStatus("");
}

function showSize() {
  const count = file ? file.size : text.value.length;
  const unit = `${file ? "byte" : "character"}${count === 1 ? "" : "s"}`;
  byId("clear").disabled = !count;
  byId("text-facts").textContent = count
    ? `${name ? `${name} · ` : ""}${count.toLocaleString("en")} ${unit} · Nothing is stored.`
    : "Nothing is stored.";
}

// Files

function setDocument(newName, newText, newFile = null) {
  name = newName;
  text.value = newText;
  file = newFile;
  isNew = true;
  text.placeholder = file ? `${name} is open. Type here to analyze a text instead.` : placeholder;
}

// Plain text is put where it can be edited; all other files are sent to the service as they are.
async function openFile(opened) {
  if (opened.size > limits.max_bytes) {
    const [size, most] = [opened.size, limits.max_bytes].map((n) => n.toLocaleString("en"));
    showError(`${opened.name} has ${size} bytes, but at most ${most} are allowed.`);
    return;
  }
  const bytes = new Uint8Array(await opened.arrayBuffer());
  const isPlain = PLAIN_TEXT.test(opened.name);
  const { content, note } = isPlain ? decode(bytes) : { content: null, note: "" };
  if (content === null) setDocument(opened.name, "", new Blob([bytes]));
  else setDocument(opened.name, content);
  await update();
  scrollToResult();
  if (note) showStatus(note);
}

byId("file").addEventListener("change", () => {
  const [picked] = byId("file").files;
  if (picked) openFile(picked);
  byId("file").value = ""; // so that the same file can be opened again
});

const hasFile = (event) => event.dataTransfer?.types.includes("Files");

document.addEventListener("dragover", (event) => {
  if (!hasFile(event)) return;
  event.preventDefault();
  byId("drop").hidden = false;
});
document.addEventListener("dragleave", (event) => {
  if (!event.relatedTarget) byId("drop").hidden = true;
});
document.addEventListener("drop", (event) => {
  byId("drop").hidden = true;
  if (!hasFile(event)) return;
  event.preventDefault();
  const [dropped] = event.dataTransfer.files;
  if (dropped) openFile(dropped);
});

// The form

text.addEventListener("input", () => {
  if (file) setDocument("", text.value);
  scheduleUpdate();
});
text.addEventListener("keydown", (event) => {
  if (event.key === "Enter" && (event.ctrlKey || event.metaKey)) scheduleUpdate(0);
});
byId("document-form").addEventListener("submit", (event) => {
  event.preventDefault();
  scheduleUpdate(0);
});
byId("document-form").addEventListener("change", (event) => {
  if (event.target !== text && event.target !== byId("file")) scheduleUpdate(0);
});
for (const id of NUMBERS) byId(id).addEventListener("input", () => scheduleUpdate());
byId("k").addEventListener("input", () => {
  byId("granularity").disabled = byId("k").value !== "";
});
for (const radio of document.querySelectorAll("input[name=preset]")) {
  radio.addEventListener("change", () => {
    for (const id of ["min_size", "max_size"]) byId(id).disabled = presetChoice() === "paper";
    byId("limits-hint").hidden = presetChoice() === "sharp";
  });
}
byId("example").addEventListener("click", async () => {
  const response = await fetch("/static/example.txt");
  setDocument("Gull Skerry", await response.text());
  await update();
  scrollToResult();
});
byId("clear").addEventListener("click", () => {
  setDocument("", "");
  update();
  text.focus();
});

// Start

async function start() {
  try {
    const { version } = await (await request("/v1/health")).json();
    byId("version").textContent = version;
    ({ limits } = await (await request("/v1/presets")).json());
    showError("");
    if (file || text.value) await update();
  } catch (error) {
    showError(error.message);
  }
}

onToken(start);
showSize();
start();
