// Short names for what every part of the page does with its elements.

export const byId = (id) => document.getElementById(id);

export function createElement(tag, properties) {
  return Object.assign(document.createElement(tag), properties);
}
