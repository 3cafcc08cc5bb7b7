// The script of the report, made of the files of this folder, which share one scope. It adds the
// controls to the articles of render_article; without it they are pages to read. Sizes go into
// attributes, never into style attributes.

const SVG = "http://www.w3.org/2000/svg";

function make(tag, attributes = {}, ...content) {
  return fill(document.createElement(tag), attributes, content);
}

function draw(tag, attributes, ...content) {
  return fill(document.createElementNS(SVG, tag), attributes, content);
}

function fill(node, attributes, content) {
  for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
  node.append(...content);
  return node;
}

// Put another element in the place of one, around the same content; without `tag` a plain one.
function become(node, tag, attributes = {}) {
  const made = make(tag ?? "span", { class: node.className, ...attributes }, ...node.childNodes);
  if (node.title) made.title = node.title;
  node.replaceWith(made);
  return made;
}

const bdi = (text) => make("bdi", {}, text);
const badge = (topic) => make("span", { class: `badge t${topic}` }, `T${topic + 1}`);
const counted = (number, noun) =>
  `${number.toLocaleString("en")} ${noun}${number === 1 ? "" : "s"}`;
const topicOf = (node) => Number(/(?:^| )t(\d+)/.exec(node.getAttribute("class"))[1]);
const oneLine = (text) => text.replace(/\s+/g, " ").trim();

// The nodes of an element's text that are shown; marks such as those of Markdown, and names that are
// beside the text as well, are in the page, but hidden.
function shownNodes(node) {
  const seen = NodeFilter.SHOW_TEXT | NodeFilter.SHOW_ELEMENT;
  const walker = document.createTreeWalker(node, seen, (inner) => (
    inner.nodeType === Node.ELEMENT_NODE
      ? isHidden(inner) ? NodeFilter.FILTER_REJECT : NodeFilter.FILTER_SKIP
      : NodeFilter.FILTER_ACCEPT));
  const nodes = [];
  while (walker.nextNode()) nodes.push(walker.currentNode);
  return nodes;
}

function isHidden({ classList }) {
  return classList.contains("m") || classList.contains("who");
}

function shownText(node) {
  if (!node.firstElementChild) return node.textContent;
  return shownNodes(node).map((text) => text.data).join("");
}

// Changes nothing where nothing changed, so that the page need not be laid out and painted.
function setText(node, text) {
  if (node.textContent !== text) node.textContent = text;
}

function setAttribute(node, name, value) {
  if (node.getAttribute(name) !== String(value)) node.setAttribute(name, value);
}

// The first place in a list, in which a test turns from false to true, where it is true.
function firstWhere(length, test) {
  let low = 0;
  let high = length;
  while (low < high) {
    const middle = (low + high) >> 1;
    if (test(middle)) high = middle;
    else low = middle + 1;
  }
  return low;
}

// Put elements around stretches of an element's shown text, [start, end, attributes], in order.
function wrap(node, tag, stretches) {
  if (!stretches.length) return;
  const pieces = [];
  let offset = 0;
  for (const text of shownNodes(node)) {
    pieces.push([text, offset]);
    offset += text.data.length;
  }
  for (const [start, end, attributes] of stretches.reverse()) {
    for (const [text, begin] of pieces) {
      const from = Math.max(0, start - begin);
      const to = Math.min(text.data.length, end - begin);
      if (from >= to) continue;
      const inside = from ? text.splitText(from) : text;
      if (to - from < inside.data.length) inside.splitText(to - from);
      const holder = make(tag, attributes);
      inside.replaceWith(holder);
      holder.append(inside);
    }
  }
}

function unwrap(node, tag) {
  for (const holder of node.querySelectorAll(tag)) holder.replaceWith(...holder.childNodes);
  node.normalize();
}
