// The button that switches between light and dark; without it the system decides.

import { byId } from "./dom.js";

const prefersDark = matchMedia("(prefers-color-scheme: dark)");

function setTheme(theme) {
  if (theme) document.documentElement.dataset.theme = theme;
  const dark = (theme || (prefersDark.matches ? "dark" : "light")) === "dark";
  byId("theme").setAttribute("aria-pressed", String(dark));
}

byId("theme").addEventListener("click", () => {
  const dark = byId("theme").getAttribute("aria-pressed") === "true";
  setTheme(dark ? "light" : "dark");
});
prefersDark.addEventListener("change", () => setTheme(document.documentElement.dataset.theme));
setTheme("");
