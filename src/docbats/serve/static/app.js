// The page: sends documents and settings to the service and shows the views that it renders.

import { readAddress, writeAddress } from "./address.js";
import { decode } from "./decode.js";
import { byId, createElement, newId } from "./dom.js";
import { Editing } from "./editing.js";
import {
  clearDocuments, loadDocuments, newDocument, removeDocument, saveDocument,
} from "./library.js";
import { showProgress } from "./progress.js";
import {
  addRecordings, isRecording, playRecording, recordingOf, removeRecording,
} from "./recordings.js";
import { onToken, request } from "./service.js";
import { presetChoice, settings } from "./settings.js";
import "./theme.js";

const TYPING_PAUSE = 250; // milliseconds without a key before a text is sent
const FORMATS = [
  ["json", "JSON"], ["md", "Markdown"], ["csv", "CSV"], ["html", "HTML"], ["docx", "Word"],
];
const CHAPTER_FORMATS = [
  ["vtt", "VTT", "WebVTT chapters, for a player"],
  ["youtube", "YouTube", "Lines for the description of a video"],
  ["podcast", "Podcast", "Chapters of Podcasting 2.0, as JSON"],
  ["ffmetadata", "ffmpeg", "Chapters that ffmpeg writes to MP3, MP4 and others"],
  ["srt", "SRT", "The captions, with the titles of the segments"],
];
const MINUTES_FORMAT = ["minutes", "Minutes", "The segments, who spoke in each, and a sentence, as Markdown"];
const CANCELLED = "cancelled";
const ENDINGS = {
  youtube: "txt", podcast: "chapters.json", ffmetadata: "ffmetadata.txt", minutes: "minutes.md",
};
const PLAIN_TEXT = /\.(txt|text|rst|tex|log|csv)$/i; // files that are put into the text field
const MAX_EDITED = 300_000; // bytes of a text in the field; browsers are slow to show more
const MAX_TITLES = 20_000; // characters of titles in an address, beyond which they are found anew

const text = byId("text");
const results = byId("results");
const emptyNote = byId("empty");
const placeholder = text.placeholder;
let documents = [];
let current = newDocument(); // what is shown, and typed into; listed once it has a result
let pinned = null; // a result that stays at the left, to compare others with
let limits = { max_bytes: Infinity, is_local: true };
let running = null; // the AbortController of the request that is running
let timer = 0;
let place = { shown: null, part: null };

// Requests

function analyze(doc, format, { signal, progress, shown, preset = presetChoice() } = {}) {
  const values = { name: doc.name.slice(-300), preset, ...settings(preset) };
  const segments = shown ?? doc.edit;
  if (segments) {
    for (const id of ["k", "min_size", "max_size"]) delete values[id];
    values.boundaries = segments.boundaries;
    if (segments.titles && segments.titles.join("").length < MAX_TITLES) values.titles = segments.titles;
  }
  const query = new URLSearchParams({ format });
  if (progress) query.set("progress", progress);
  if (doc.file) {
    for (const [name, value] of Object.entries(values)) {
      for (const one of [value].flat()) query.append(name, one);
    }
  }
  return request(`v1/analyze?${query}`, {
    method: "POST",
    headers: { "Content-Type": doc.file ? "application/octet-stream" : "application/json" },
    body: doc.file ?? JSON.stringify({ text: doc.text, ...values }),
    signal,
  });
}

// What a stored result depends on.
function settingsKey(doc) {
  const preset = presetChoice();
  return JSON.stringify([preset, settings(preset), doc.edit ?? null]);
}

async function fetchView(doc, controller) {
  const key = settingsKey(doc);
  if (doc.html && doc.key === key) return;
  const progress = newId();
  const hide = showProgress([progress], () => {
    doc.error = CANCELLED;
    controller.abort();
    showStatus("Cancelled.");
    showDocuments();
  });
  try {
    const { signal } = controller;
    const response = await analyze(doc, "fragment", { signal, progress });
    const html = await response.text();
    if (!signal.aborted) Object.assign(doc, { html, key, error: "" });
  } finally {
    hide();
  }
}

// Results

function scheduleUpdate(pause = TYPING_PAUSE) {
  clearTimeout(timer);
  timer = setTimeout(update, pause);
}

async function update() {
  running?.abort();
  showSize();
  if (!current.file && !current.text.trim()) {
    showResult(null);
    return;
  }
  const controller = new AbortController();
  running = controller;
  const started = performance.now();
  const doc = current;
  const isNew = !doc.html;
  results.setAttribute("aria-busy", "true");
  try {
    await fetchView(doc, controller);
    if (controller.signal.aborted || doc !== current) return;
    keep(doc);
    showError("");
    if (isNew && doc.isOpened) byId("input").open = false; // to leave the room to the result
    showResult(doc);
    const seconds = (performance.now() - started) / 1000;
    showStatus(`${seconds < 1 ? "Analyzed in less than a second." : `Analyzed in ${
      seconds < 10 ? seconds.toFixed(1) : Math.round(seconds)} seconds.`} ${comparison()}`);
  } catch (error) {
    if (error.name === "AbortError") return; // cancelled, or a newer request has replaced this one
    if (isNew) showResult(null);
    const message = "The service does not respond: is it still running?";
    showError(error instanceof TypeError ? message : error.message);
  } finally {
    if (running === controller) {
      results.removeAttribute("aria-busy");
      running = null;
      analyzeOthers();
    }
  }
}

// Documents that were opened together and wait for their first result.
async function analyzeOthers() {
  const doc = documents.find((other) => !other.html && !other.error && other !== current);
  if (!doc || running) return;
  const controller = new AbortController();
  running = controller;
  try {
    await fetchView(doc, controller);
    saveDocument(doc);
  } catch (error) {
    if (error.name !== "AbortError") doc.error = error.message;
  }
  showDocuments();
  if (running !== controller) return;
  running = null;
  if (!controller.signal.aborted) analyzeOthers();
}

function showResult(doc) {
  const scroll = window.scrollY;
  const boxes = [];
  if (pinned) boxes.push(pinned.box);
  if (doc?.html) boxes.push(resultBox(doc));
  nameParts(boxes);
  results.classList.toggle("both", boxes.length > 1);
  results.replaceChildren(...(boxes.length ? boxes : [emptyNote]));
  if (!doc) {
    results.removeAttribute("aria-busy");
    showStatus("");
    showError("");
  }
  for (const article of results.querySelectorAll("article.docbats")) {
    globalThis.docbats?.activate(article);
  }
  if (doc?.html) playRecording(doc, viewOf(boxes.at(-1)));
  showDocuments();
  window.scrollTo({ top: scroll, behavior: "instant" });
  if (doc?.html) goToPlace(boxes.at(-1).querySelector("article"));
}

const viewOf = (box) => globalThis.docbats.activate(box.querySelector("article.docbats"));

// Beside each other, the parts of two results need names that differ.
function nameParts(boxes) {
  boxes.forEach((box, i) => {
    const side = boxes.length > 1 ? `, ${["first", "second"][i]} result` : "";
    for (const part of box.querySelectorAll("nav, section, [role=region]")) {
      const heading = box.querySelector(`[id="${part.getAttribute("aria-labelledby")}"]`);
      part.dataset.name ??= part.getAttribute("aria-label") ?? heading.textContent;
      part.removeAttribute("aria-labelledby");
      part.setAttribute("aria-label", `${part.dataset.name}${side}`);
    }
  });
}

// Where an address leads, or where one was before the document was analyzed again.
function goToPlace(article) {
  const view = globalThis.docbats?.activate(article);
  const index = view.data.cuts.findIndex((cut) => cut.pieces.length === place.shown);
  const { part } = place;
  if (place.shown && index >= 0) view.show(index);
  if (part) view.goToSegment(part - 1);
}

// Where two results of one document are shown, say how far they agree.
function comparison() {
  const data = [...results.querySelectorAll("article.docbats > script")].map((node) =>
    JSON.parse(node.textContent));
  if (data.length < 2 || pinned.doc.id !== current.id || data[0].sentences !== data[1].sentences) {
    return "";
  }
  const [left, right] = data.map(({ pieces, cuts, own }) =>
    cuts[own].pieces.slice(1).map((piece) => pieces[piece]));
  const shared = left.filter((start) => right.includes(start)).length;
  return `Boundaries: ${shared} in both, ${left.length - shared} only at the left, ${
    right.length - shared} only at the right.`;
}

function resultBox(doc) {
  const box = createElement("div", { className: "result" });
  box.dataset.preset = presetChoice();
  const bar = createElement("div", { className: "result-bar" });
  const view = document.createElement("template");
  view.innerHTML = doc.html; // rendered by the service, which escapes everything of the document
  box.append(bar, view.content);
  const article = box.querySelector("article.docbats");
  bar.append(editButtons(doc, box, article), downloadButtons(doc, article));
  return box;
}

function button(label, action, values = {}) {
  const made = createElement("button", { type: "button", textContent: label, ...values });
  made.addEventListener("click", action);
  return made;
}

function editButtons(doc, box, article) {
  const group = createElement("span", { className: "edit-buttons" });
  const edit = button("Edit segments", () => toggleEditing(doc, article, edit));
  edit.className = "edit";
  edit.setAttribute("aria-pressed", "false");
  const undo = button("Undo", () => undoEdit(doc), { className: "undo" });
  undo.hidden = !doc.undo?.length;
  const pin = button("Compare", () => togglePin(doc, box, pin), {
    className: "pin", title: "Keep this result at the left, to compare another with it",
  });
  pin.setAttribute("aria-pressed", "false");
  group.append(edit, undo, pin);
  if (doc.editing) queueMicrotask(() => toggleEditing(doc, article, edit));
  return group;
}

function togglePin(doc, box, pin) {
  const isPinned = pinned?.box === box;
  pinned = isPinned ? null : { doc: { ...doc }, box };
  pin.setAttribute("aria-pressed", String(!isPinned));
  pin.textContent = isPinned ? "Compare" : "End comparison";
  if (!isPinned) {
    byId("input").open = true;
    showStatus("This result stays at the left: now change the settings, or open another document.");
    return;
  }
  showResult(current);
}

function downloadButtons(doc, article) {
  const group = createElement("span", { className: "downloads" });
  group.setAttribute("role", "group");
  group.setAttribute("aria-label", "Download what is shown");
  group.append(createElement("span", { textContent: "Download" }));
  const data = JSON.parse(article.querySelector(":scope > script").textContent);
  const formats = [...FORMATS];
  if (/\d:\d\d/.test(data.begins?.[0] ?? "")) formats.push(...CHAPTER_FORMATS);
  if (data.talk) formats.push(MINUTES_FORMAT);
  if (/^p\. /.test(data.begins?.[0] ?? "") && doc.file) formats.push(["pdf", "PDF"]);
  const { edit } = doc;
  const preset = presetChoice();
  for (const [format, label, title = ""] of formats) {
    const save = () => download({ ...doc, edit }, article, format, preset);
    group.append(button(label, save, { title }));
  }
  return group;
}

// Download the segments that are shown, whether by the settings, the slider or by hand.
async function download(doc, article, format, preset) {
  try {
    const { shown } = globalThis.docbats.activate(article);
    const cut = shown.isOwn ? null : shown;
    const response = await analyze(doc, format, { shown: cut, preset });
    const link = createElement("a", { href: URL.createObjectURL(await response.blob()) });
    const stem = doc.name.replace(/\.[^.]*$/, "") || "document";
    link.download = `${stem}-${preset}.${ENDINGS[format] ?? format}`;
    link.click();
    setTimeout(() => URL.revokeObjectURL(link.href), 10_000);
    showError("");
  } catch (error) {
    showError(error.message);
  }
}

// Editing

function toggleEditing(doc, article, edit) {
  const view = globalThis.docbats.activate(article);
  const isOn = edit.getAttribute("aria-pressed") === "true";
  edit.setAttribute("aria-pressed", String(!isOn));
  doc.editing = !isOn;
  if (isOn) {
    article.editing.stop();
    return;
  }
  if (view.index !== view.data.own) keepShown(doc, view);
  view.own = new Set(doc.given ?? []);
  article.editing = new Editing(article, view, (segments, said) => changeSegments(doc, segments, said));
}

// The slider shows other segments than the settings give: those are what is edited.
function keepShown(doc, view) {
  const { boundaries } = view.shown;
  changeSegments(doc, { boundaries, titles: boundaries.map(() => null) }, "");
}

async function changeSegments(doc, { boundaries, titles }, said) {
  doc.undo = [...(doc.undo ?? []), { edit: doc.edit ?? null, given: doc.given ?? [] }];
  doc.given = [...new Set([...(doc.given ?? []), ...titles.filter((title) => title !== null)])];
  doc.edit = { boundaries };
  place = { shown: null, part: null };
  if (titles.some((title) => title !== null)) {
    // The other titles are those that the service finds for the new segments.
    const found = await (await analyze(doc, "json", { shown: doc.edit })).json();
    doc.edit.titles = titles.map((title, i) => title ?? found.segments[i].title);
  }
  await update();
  if (said) showStatus(said);
}

async function undoEdit(doc) {
  const last = doc.undo.pop();
  Object.assign(doc, last);
  await update();
  showStatus("Undone.");
}

// Messages

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

const kept = () => (limits.is_local
  ? "Nothing leaves this machine; the list is kept in this browser until you clear it."
  : "The service keeps nothing; the list is kept in this browser until you clear it.");

function showSize() {
  const count = current.file ? current.file.size : current.text.length;
  const unit = `${current.file ? "byte" : "character"}${count === 1 ? "" : "s"}`;
  byId("clear").disabled = !count;
  byId("text-facts").textContent = count
    ? `${current.name ? `${current.name} · ` : ""}${count.toLocaleString("en")} ${unit} · ${kept()}`
    : kept();
}

// Documents

function keep(doc) {
  if (!documents.includes(doc)) documents.push(doc);
  const { editing, error, ...stored } = doc;
  saveDocument(stored);
}

function setCurrent(doc) {
  current = doc;
  text.value = doc.file ? "" : doc.text;
  text.placeholder = doc.file
    ? `${doc.name} is open. Type here to analyze a text instead.` : placeholder;
  showAddress();
  showDocuments();
}

function showAddress() {
  const listed = documents.includes(current) ? current.id : null;
  writeAddress({ doc: listed, preset: presetChoice(), ...place });
}

function showDocuments() {
  byId("documents").hidden = !documents.length;
  byId("document-list").replaceChildren(...documents.map((doc) => {
    const item = createElement("li", {});
    const name = doc.name || `${doc.text.trim().slice(0, 30)}…`;
    const open = button(name, () => openDocument(doc), { className: "open-document" });
    if (doc === current) open.setAttribute("aria-current", "true");
    const failed = doc.error === CANCELLED ? CANCELLED : "cannot be analyzed";
    const note = doc.error ? failed : doc.html ? "" : "waiting";
    if (note) open.append(createElement("span", { className: "note", textContent: ` (${note})` }));
    const remove = button("×", () => forget(doc), { className: "remove-document" });
    remove.setAttribute("aria-label", `Remove ${name}`);
    item.append(open, remove);
    return item;
  }));
}

async function openDocument(doc) {
  place = { shown: null, part: null };
  setCurrent(doc);
  await update();
}

function forget(doc) {
  removeRecording(doc);
  documents = documents.filter((other) => other !== doc);
  removeDocument(doc.id);
  if (doc === current) startAnew(documents.at(-1));
  else showDocuments();
}

function startAnew(doc = newDocument()) {
  place = { shown: null, part: null };
  setCurrent(doc);
  update();
}

// Plain text is put where it can be edited; all other files are sent to the service as they are.
async function openFiles(files) {
  const problems = [];
  const opened = [];
  const played = files.filter(isRecording);
  for (const file of files.filter((other) => !isRecording(other))) {
    if (file.size > limits.max_bytes) problems.push(tooLarge(file));
    else opened.push(await readFile(file));
  }
  if (opened.length) {
    documents.push(...opened.map(({ doc }) => doc));
    for (const { doc } of opened) saveDocument(doc);
    place = { shown: null, part: null };
    addRecordings(played, opened.map(({ doc }) => doc), opened[0].doc);
    setCurrent(opened[0].doc);
    await update();
    scrollToResult();
    if (opened[0].note) showStatus(opened[0].note);
  }
  if (played.length) problems.push(...showRecordings(played, opened.length > 0));
  if (problems.length) showError(problems.join(" "));
}

// Play recordings that were dropped with or after their transcripts; return what is wrong.
function showRecordings(files, isAdded) {
  const [{ name }] = files;
  const box = results.querySelector(".result:last-child");
  if (!current.html || !box) {
    return isAdded ? [] : [`${name} was not opened: open its transcript first.`];
  }
  const view = viewOf(box);
  if (!view.data.talk?.times.some((time) => time !== null)) {
    removeRecording(current);
    view.play(null);
    return [`${name} is not played: the text has no times to follow it by.`];
  }
  if (!isAdded) {
    addRecordings(files, documents, current);
    view.play(null);
  }
  if (playRecording(current, view)) {
    showStatus(`${recordingOf(current)} plays beside the text; the file stays in this browser.`);
  }
  return [];
}

async function readFile(file) {
  const bytes = new Uint8Array(await file.arrayBuffer());
  const isPlain = PLAIN_TEXT.test(file.name) && file.size <= MAX_EDITED;
  const { content, note } = isPlain ? decode(bytes) : { content: null, note: "" };
  const values = content === null ? { file: new Blob([bytes]) } : { text: content };
  return { doc: newDocument({ name: file.name, isOpened: true, ...values }), note };
}

function tooLarge({ name, size }) {
  const [bytes, most] = [size, limits.max_bytes].map((n) => n.toLocaleString("en"));
  const option = `--max-bytes ${Math.ceil(size / 1e6) * 1_000_000}`;
  return `${name} was not opened: it has ${bytes} bytes, and at most ${most} are allowed. Start the ${
    ""}service with docbats serve ${option}, or split the file.`;
}

byId("file").addEventListener("change", () => {
  openFiles([...byId("file").files]);
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
  openFiles([...event.dataTransfer.files]);
});

// The form

text.addEventListener("input", () => {
  // What is typed over a file, or over a text under a name, is another document.
  if (current.file) setCurrent(newDocument({ text: text.value }));
  Object.assign(current, { text: text.value, edit: null, undo: [], given: [] });
  text.placeholder = placeholder;
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
  if (event.target === text || event.target === byId("file")) return;
  place = { shown: null, part: null };
  showAddress();
  scheduleUpdate(0);
});
for (const id of ["k", "min_size", "max_size", "overlap"]) {
  byId(id).addEventListener("input", () => {
    place = { shown: null, part: null };
    scheduleUpdate();
  });
}
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
  const response = await fetch("static/example.txt");
  place = { shown: null, part: null };
  setCurrent(newDocument({ name: "Gull Skerry", text: await response.text() }));
  await update();
  scrollToResult();
});
byId("clear").addEventListener("click", () => {
  startAnew();
  byId("input").open = true;
  text.focus();
});
byId("forget").addEventListener("click", () => {
  documents.forEach(removeRecording);
  documents = [];
  pinned = null;
  clearDocuments();
  startAnew();
});
results.addEventListener("docbats-place", (event) => {
  if (pinned?.box.contains(event.target)) return;
  const { k, isOwn, segment } = event.detail;
  place = { shown: isOwn ? null : k, part: segment < 0 ? null : segment + 1 };
  showAddress();
});

// Start

async function start() {
  const { doc, ...where } = readAddress(); // before a file that is dropped changes the address
  try {
    const { version } = await (await request("v1/health")).json();
    byId("version").textContent = version;
    ({ limits } = await (await request("v1/presets")).json());
    showError("");
    const stored = await loadDocuments();
    // Files may have been dropped in the meantime.
    const isKnown = ({ id }) => documents.some((other) => other.id === id);
    documents = [...stored.filter((other) => !isKnown(other)), ...documents];
    const found = documents.find(({ id }) => id === doc);
    if (!current.isOpened) {
      place = where;
      if (found && !text.value) {
        setCurrent(found);
        byId("input").open = false;
      }
    }
    current.text ||= text.value;
    showSize();
    showDocuments();
    if (current.file || current.text) await update();
  } catch (error) {
    showError(error.message);
  }
}

onToken(start);
start();
