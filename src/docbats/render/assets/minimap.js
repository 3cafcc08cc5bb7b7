// The document as a narrow column beside the outline, and on a narrow page as a line under the bar:
// its segments in the colours of their topics, what was found, and the part that is seen.

const LENGTH = 1000; // units along the document
const ACROSS = 10;
const MIN_WINDOW = 8;

class Minimap {
  constructor(view) {
    this.view = view;
    this.maps = [[view.find(".minimap"), true], [view.find(".progress"), false]];
    for (const [svg, upright] of this.maps) {
      if (!svg) continue;
      svg.setAttribute("viewBox", `0 0 ${upright ? ACROSS : LENGTH} ${upright ? LENGTH : ACROSS}`);
      svg.addEventListener("click", (event) => this.jump(event, svg, upright));
    }
  }

  bar(upright, attributes, from, to, low = 0, high = ACROSS) {
    const along = { at: from.toFixed(1), size: Math.max(0, to - from).toFixed(1) };
    const place = upright
      ? { x: low, width: high - low, y: along.at, height: along.size }
      : { y: low, height: high - low, x: along.at, width: along.size };
    return draw("rect", { ...attributes, ...place });
  }

  at(sentence) {
    return (LENGTH * sentence) / this.view.data.sentences;
  }

  draw() {
    const { view } = this;
    const gap = view.cut.pieces.length > 100 ? 0 : 2;
    for (const [svg, upright] of this.maps) {
      if (!svg) continue;
      const segments = view.cut.pieces.map((_, i) => {
        const [first, end] = view.sentenceRange(i);
        const topic = view.cut.topics[i];
        const name = topic === null ? "block" : `block t${topic}`;
        return this.bar(upright, { class: name }, this.at(first), this.at(end) - gap);
      });
      const hits = view.search.hits.map((i) => {
        const at = this.at(view.units[i]);
        return this.bar(upright, { class: "hit" }, at, at + 3);
      });
      const strong = this.strongPlaces().map(([from, to, share]) =>
        this.bar(upright, { class: `strong t${view.highlights.topic}` }, from, to, 0, Math.max(1, ACROSS * share)));
      const seen = this.bar(upright, { class: "seen" }, 0, 0);
      svg.classList.toggle("picking", strong.length > 0);
      svg.replaceChildren(...segments, ...strong, ...hits, seen);
    }
    this.follow();
  }

  // Where the chosen topic is strong, piece by piece.
  strongPlaces() {
    const { data, highlights } = this.view;
    if (highlights.mode !== "topic" || highlights.topic === null || !data.masses) return [];
    return data.masses.flatMap((row, i) => {
      const total = row.reduce((sum, value) => sum + value, 0);
      const share = total ? row[highlights.topic] / total : 0;
      if (share < 0.05) return [];
      return [[this.at(data.pieces[i]), this.at(data.pieces[i + 1] ?? data.sentences), share]];
    });
  }

  follow([first, end] = this.view.seen(0)) {
    const { view } = this;
    const from = this.at(view.units[first] ?? view.data.sentences);
    const to = this.at(view.units[end] ?? view.data.sentences);
    for (const [svg, upright] of this.maps) {
      const seen = svg?.querySelector(".seen");
      if (!seen) continue;
      const [at, size] = upright ? ["y", "height"] : ["x", "width"];
      setAttribute(seen, at, Math.round(Math.min(from, LENGTH - MIN_WINDOW)));
      setAttribute(seen, size, Math.round(Math.max(MIN_WINDOW, to - from)));
    }
  }

  jump(event, svg, upright) {
    const box = svg.getBoundingClientRect();
    const share = upright
      ? (event.clientY - box.top) / box.height
      : (event.clientX - box.left) / box.width;
    this.view.jumpTo(Math.min(Math.floor(this.view.data.sentences * share),
      this.view.data.sentences - 1));
  }
}
