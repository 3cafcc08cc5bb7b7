// The outline under any cut. An entry is [its first sentence, its title, the entries below if any].

const OPEN_ENTRIES = 40; // of an outline that is shown with all of them open
const WORDS_PER_MINUTE = 230;

const minutes = (words) => Math.max(1, Math.round(words / WORDS_PER_MINUTE));

class OutlineList {
  constructor(view) {
    this.view = view;
    this.own = view.find(".outline > ol");
  }

  show() {
    const { view } = this;
    const isOwn = view.index === view.data.own;
    view.find(".outline > ol").replaceWith(isOwn ? this.own : this.make());
  }

  make() {
    const { cut, data } = this.view;
    const count = (entries) => entries.reduce((n, [, , below]) => n + 1 + count(below ?? []), 0);
    this.allOpen = count(data.outline) <= OPEN_ENTRIES;
    const ranges = cut.pieces.map((_, i) => this.view.sentenceRange(i));
    const items = data.nested
      ? this.itemsAround(ranges, data.outline, data.sentences)
      : ranges.map((range, i) => {
        const inside = this.entriesWithin(range, data.outline, data.sentences);
        return this.segmentItem(i, inside.length > 1 ? inside : [], range[1], 1);
      });
    return make("ol", this.own.lang ? { lang: this.own.lang } : {}, ...items);
  }

  // Entries of which each is a segment, or has several, or is gathered with others into one.
  itemsAround(ranges, entries, end, level = 1) {
    const items = [];
    let i = 0;
    while (i < entries.length) {
      const [first, title, below] = entries[i];
      const stop = entries[i + 1]?.[0] ?? end;
      const segment = ranges.findLastIndex((range) => range[0] <= first);
      const last = ranges[segment][1];
      let next = i + 1;
      if (last < stop) {
        const inside = below
          ? this.itemsAround(ranges, below, stop, level + 1)
          : ranges.flatMap((range, j) => (
            range[0] >= first && range[1] <= stop ? [this.segmentItem(j, [], range[1], level + 1)] : []));
        const content = [bdi(title), this.size(first, stop), ...this.view.speakers.inOutline(first, stop)];
        items.push(this.item(`g${segment + 1}`, content, title, inside, true));
      } else {
        while (next < entries.length && entries[next][0] < last) next += 1;
        const inside = last === stop ? below ?? [] : entries.slice(i, next);
        items.push(this.segmentItem(segment, inside, last, level));
      }
      i = next;
    }
    return items;
  }

  // The highest entries that lie within a segment, where entries and segments may cross.
  entriesWithin([first, end], entries, last) {
    return entries.flatMap((entry, i) => {
      const stop = entries[i + 1]?.[0] ?? last;
      if (stop <= first || entry[0] >= end) return [];
      const isInside = entry[0] >= first && stop <= end;
      if (isInside && (entry[0] > first || stop < end)) return [entry];
      return this.entriesWithin([first, end], entry[2] ?? [], stop);
    });
  }

  segmentItem(i, entries, end, level) {
    const title = this.view.cut.titles[i];
    const [first, last] = this.view.sentenceRange(i);
    const content = [make("span", { class: "no" }, i + 1), bdi(title), this.size(first, last), ...this.view.speakers.inOutline(first, last)];
    const open = this.allOpen || level < this.view.data.levels;
    const item = this.item(`g${i + 1}`, content, title, this.plainItems(entries, end), open);
    item.firstElementChild.dataset.segment = i + 1;
    return item;
  }

  plainItems(entries, end) {
    return entries.map(([first, title, below], i) => {
      const stop = entries[i + 1]?.[0] ?? end;
      const content = [bdi(title), this.size(first, stop)];
      return this.item(`s${first}`, content, title, this.plainItems(below ?? [], stop));
    });
  }

  item(target, content, title, inside, open = this.allOpen) {
    const link = make("a", { href: `#${this.view.data.key}-${target}` }, ...content);
    if (!inside.length) return make("li", {}, link);
    const summary = make("summary", {}, make("span", {}, "Entries below ", bdi(title)));
    const list = make("ol", {}, ...inside);
    return make("li", {}, link, make("details", open ? { open: "" } : {}, summary, list));
  }

  // The page or time at which sentences begin, or how long they take to read.
  size(first, end) {
    const { begins } = this.view.data;
    const piece = this.view.pieceAt(first);
    const text = begins?.[piece] || `${minutes(this.view.wordsBetween(first, end))} min`;
    return make("span", { class: "size" }, text);
  }
}
