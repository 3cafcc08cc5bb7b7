// The settings of the form, as the service takes them.

import { byId } from "./dom.js";

const NUMBERS = ["k", "min_size", "max_size", "overlap"];

export const presetChoice = () => document.querySelector("input[name=preset]:checked").value;

export function settings(preset) {
  const values = Object.fromEntries(
    ["granularity", "size_unit", "sentences", "language"].map((id) => [id, byId(id).value]),
  );
  if (values.language === "auto") delete values.language;
  for (const id of NUMBERS) {
    const field = byId(id);
    if (field.value !== "" && field.validity.valid) values[id] = Number(field.value);
  }
  const boundaries = byId("boundaries");
  if (boundaries.value.trim() !== "" && boundaries.validity.valid) {
    values.boundaries = boundaries.value.split(",").map(Number);
    for (const id of ["k", "min_size", "max_size"]) delete values[id];
  }
  if (preset === "paper") {
    delete values.min_size;
    delete values.max_size;
  }
  return values;
}
