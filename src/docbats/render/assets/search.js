// Search: sentences with what was asked for, by segment, and where they are along the document.

const MAX_HITS = 300; // sentences in the list
const AROUND = 60; // characters before and after what was found

class Search {
  constructor(view) {
    this.view = view;
    this.pattern = null;
    this.hits = []; // numbers of the elements that hold sentences
  }

  // The text of all sentences, on one line each.
  get lines() {
    this.texts ??= this.view.sentences.map((sentence) => oneLine(shownText(sentence)));
    return this.texts;
  }

  forText(query) {
    const words = query.trim().split(/\s+/).map(escaped).join("\\s+");
    this.run(words ? new RegExp(words, "giu") : null, `“${oneLine(query)}”`);
  }

  forForms(forms, word) {
    const either = forms.map((form) => escaped(form).replaceAll("'", "['’]")).join("|");
    const unspaced = UNSPACED.test(word);
    const pattern = unspaced ? either : `(?<![\\p{L}\\p{N}_])(?:${either})(?![\\p{L}\\p{N}_])`;
    this.run(new RegExp(pattern, "giu"), `“${word}”`);
  }

  run(pattern, name) {
    this.unmark();
    this.pattern = pattern;
    this.hits = [];
    if (pattern) {
      this.lines.forEach((line, i) => {
        pattern.lastIndex = 0;
        if (pattern.test(line)) this.hits.push(i);
      });
    }
    this.show(name);
  }

  show(name) {
    const { view } = this;
    const panel = view.find(".found");
    panel.hidden = !this.pattern;
    if (this.pattern) {
      const segments = new Map(); // number -> its hits
      for (const i of this.hits) {
        const segment = view.segmentAt(view.units[i]);
        segments.set(segment, [...(segments.get(segment) ?? []), i]);
      }
      const where = segments.size ? ` in ${counted(segments.size, "segment")}` : "";
      const rest = this.hits.length > MAX_HITS ? `; the first ${MAX_HITS} are listed` : "";
      panel.querySelector(".hint").textContent = this.hits.length
        ? `${name}: ${counted(this.hits.length, "sentence")}${where}${rest}.`
        : `${name} is not in the text.`;
      let left = MAX_HITS;
      const groups = [];
      for (const [segment, hits] of segments) {
        const listed = hits.slice(0, left);
        left -= listed.length;
        if (listed.length) groups.push(this.group(segment, hits.length, listed));
      }
      panel.querySelector(".hits").replaceChildren(...groups);
    }
    view.minimap.draw();
    this.refresh();
  }

  group(segment, total, hits) {
    const title = this.view.cut.titles[segment];
    const head = make("p", { class: "hit-segment" }, `${segment + 1} `, bdi(title), ` (${total})`);
    return make("div", {}, head, make("ul", {}, ...hits.map((i) => this.item(i))));
  }

  item(i) {
    const line = this.lines[i];
    this.pattern.lastIndex = 0;
    const { 0: match, index } = this.pattern.exec(line);
    const start = Math.max(0, index - AROUND);
    const end = index + match.length;
    const stop = Math.min(line.length, end + AROUND);
    const text = bdi("");
    text.append(start ? "…" : "", line.slice(start, index), make("mark", {}, match),
      line.slice(end, stop), stop < line.length ? "…" : "");
    return make("li", {}, make("button", { type: "button", "data-unit": i }, text));
  }

  // Marks what was found where it is seen.
  refresh([first, end] = this.view.seen(AHEAD)) {
    if (!this.hits.length) return;
    const from = firstWhere(this.hits.length, (j) => this.hits[j] >= first);
    for (let j = from; j < this.hits.length && this.hits[j] < end; j += 1) {
      const sentence = this.view.sentences[this.hits[j]];
      if (sentence.querySelector("mark")) continue;
      const text = shownText(sentence);
      this.pattern.lastIndex = 0;
      const found = [...text.matchAll(this.pattern)].map(({ 0: match, index }) =>
        [index, index + match.length, {}]);
      wrap(sentence, "mark", found);
    }
  }

  unmark() {
    for (const node of this.view.text.querySelectorAll("mark")) {
      node.replaceWith(...node.childNodes);
    }
    for (const i of this.hits) this.view.sentences[i].normalize();
  }

  close() {
    this.view.find(".search").value = "";
    this.run(null, "");
  }
}

function escaped(text) {
  return text.replace(/[.*+?^${}()|[\]\\/]/g, "\\$&");
}
