// Short names for what every part of the page does with its elements, and names of its own.

export const byId = (id) => document.getElementById(id);

export function createElement(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}

// A random name. crypto.randomUUID is missing from pages that come over plain HTTP from another
// machine.
export function newId() {
  const bytes = crypto.getRandomValues(new Uint8Array(16));
  return Array.from(bytes, (byte) => byte.toString(16).padStart(2, "0")).join("");
}
