// All articles of a page: keys, the theme, scrolling, the address.

const live = new Map(); // article -> its view
let current = null; // the view that keys act on
const dark = matchMedia("(prefers-color-scheme: dark)");

function isDark() {
  const { theme } = document.documentElement.dataset;
  return theme ? theme === "dark" : dark.matches;
}

function toggleTheme() {
  document.documentElement.dataset.theme = isDark() ? "light" : "dark";
}

function themeChanged() {
  each((view) => {
    view.figures.drawHeat();
    view.find(".theme")?.setAttribute("aria-pressed", String(isDark()));
  });
}

function each(action) {
  for (const [article, view] of live) {
    if (article.isConnected) action(view);
    else live.delete(article);
  }
}

// In the frame of a notebook the address belongs to somebody else.
function setAddress(hash) {
  if (hash === location.hash) return;
  try {
    history.replaceState(null, "", hash || location.pathname + location.search);
  } catch {
    // there is no address to set
  }
}

const KEYS = {
  n: (view) => view.step(1),
  p: (view) => view.step(-1),
  h: (view) => view.find(".mode") && view.nextMode(),
  f: (view) => view.showTab(view.tab === "figures" ? "reading" : "figures"),
  "/": (view) => {
    view.toggleTools(true);
    view.find(".search").focus();
  },
};

function onKey(event) {
  const action = KEYS[event.key];
  const typing = event.target.closest?.(
    "input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]");
  if (!action || typing || event.ctrlKey || event.metaKey || event.altKey) return;
  const view = current?.article.isConnected ? current : [...live.values()].find(
    (other) => other.article.isConnected);
  if (!view?.find(".keys").checked) return;
  event.preventDefault();
  action(view);
}

let waiting = false;

function onScroll() {
  if (waiting) return;
  waiting = true;
  requestAnimationFrame(() => {
    waiting = false;
    each((view) => view.follow());
    each((view) => view.player?.scrolled());
  });
}

function onResize() {
  onScroll();
  each((view) => view.figures.drawHeat());
}

function activate(article) {
  if (!live.has(article)) live.set(article, new View(article));
  themeChanged();
  return live.get(article);
}

document.addEventListener("keydown", onKey);
document.addEventListener("scroll", onScroll, { passive: true });
window.addEventListener("resize", onResize);
window.addEventListener("hashchange", () => each((view) => view.goTo(location.hash)));
window.addEventListener("beforeprint", () => each((view) => {
  view.figures.show(PAPER);
  view.highlights.markAll();
}));
dark.addEventListener("change", themeChanged);
new MutationObserver(themeChanged).observe(document.documentElement, {
  attributeFilter: ["data-theme"],
});
globalThis.docbats = { ...globalThis.docbats, activate };

function start() {
  const { hash } = location;
  document.querySelectorAll("article.docbats").forEach((article) => activate(article).goTo(hash));
}

if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
else start();
