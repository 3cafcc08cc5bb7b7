// What the address of the page holds: the document, its settings, and where one reads.

import { byId } from "./dom.js";

const FIELDS = { k: "", granularity: "medium" }; // and their usual values

export function readAddress() {
  const query = new URLSearchParams(location.search);
  for (const id of Object.keys(FIELDS)) {
    if (query.has(id)) byId(id).value = query.get(id);
  }
  if (query.get("preset") === "paper") byId("preset-paper").checked = true;
  const number = (name) => (query.has(name) ? Number(query.get(name)) : null);
  return { doc: query.get("doc"), shown: number("shown"), part: number("part") };
}

export function writeAddress({ doc, preset, shown, part }) {
  const query = new URLSearchParams();
  if (doc) query.set("doc", doc);
  for (const [id, usual] of Object.entries(FIELDS)) {
    if (byId(id).value !== usual) query.set(id, byId(id).value);
  }
  if (preset !== "sharp") query.set("preset", preset);
  if (shown) query.set("shown", shown);
  if (part) query.set("part", part);
  const text = query.toString();
  history.replaceState(null, "", text ? `?${text}` : location.pathname);
}
