// Adds the controls to the articles of render_article: slider, outline, highlights, heatmap.
// Without it they are pages to read. Sizes go into attributes, never into style attributes.
"use strict";

(() => {
  const SVG = "http://www.w3.org/2000/svg";
  const WIDTH = 1000; // units along the strip
  const NUMBERS = 24; // segments up to which each has its number above the strip
  const OPEN_ENTRIES = 40; // of an outline that is shown with all of them open
  const FARTHEST = 2; // distance between two unit vectors

  const live = new Map(); // article -> its view
  let current = null; // the view that keys act on

  function make(tag, attributes = {}, ...content) {
    const node = document.createElement(tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...content);
    return node;
  }

  function draw(tag, attributes, ...content) {
    const node = document.createElementNS(SVG, tag);
    for (const [name, value] of Object.entries(attributes)) node.setAttribute(name, value);
    node.append(...content);
    return node;
  }

  const bdi = (text) => make("bdi", {}, text);
  const badge = (topic) => make("span", { class: `badge t${topic}` }, `T${topic + 1}`);
  const counted = (number, noun) => `${number} ${noun}${number === 1 ? "" : "s"}`;
  const topicOf = (node) => Number(/(?:^| )t(\d+)/.exec(node.getAttribute("class"))[1]);

  class View {
    constructor(article) {
      this.article = article;
      this.data = JSON.parse(article.querySelector("script[type='application/json']").textContent);
      this.index = this.data.own;
      const { cuts, titles, outline } = this.data;
      for (const cut of cuts) cut.titles = cut.titles.map((i) => titles[i]);
      const name = (entries) => entries.map(([first, i, below]) =>
        [first, titles[i], ...(below ? [name(below)] : [])]);
      this.data.outline = name(outline);
      this.text = this.find(".text");
      this.pieces = [...this.text.querySelectorAll(".piece")];
      this.sentences = [...this.text.querySelectorAll(".s")];
      this.units = this.data.units ?? this.sentences.map((_, i) => i); // their first sentences
      this.ownOutline = this.find(".outline > ol");
      this.pinned = null;
      article.classList.add("live");
      for (const node of article.querySelectorAll("[hidden]")) node.removeAttribute("hidden");
      this.listen();
      this.readHeat();
      this.drawHeat();
      this.follow();
    }

    find(selector) {
      return this.article.querySelector(selector);
    }

    get cut() {
      return this.data.cuts[this.index];
    }

    listen() {
      const on = (selector, event, action) =>
        this.find(selector)?.addEventListener(event, action);
      on(".slider", "input", (event) => this.show(Number(event.target.value)));
      on(".previous", "click", () => this.step(-1));
      on(".next", "click", () => this.step(1));
      on(".theme", "click", toggleTheme);
      on(".menu", "click", () => this.toggleOutline());
      on(".outline", "click", (event) => {
        if (event.target.closest("a")) this.toggleOutline(false);
      });
      on(".numbers", "change", (event) =>
        this.article.classList.toggle("numbered", event.target.checked));
      on(".strip", "click", (event) => this.jumpAlong(event));
      on(".heat", "pointermove", (event) => this.probe(event));
      on(".heat", "pointerleave", () => this.tellDistances());
      on(".heat", "click", (event) => this.jumpTo(this.heatPlace(event)[1]));
      const { article } = this;
      article.addEventListener("pointerover", (event) => this.pointAt(event.target));
      article.addEventListener("pointerleave", () => this.pick(this.pinned));
      article.addEventListener("focusin", (event) => this.pointAt(event.target));
      article.addEventListener("focusout", () => this.pick(this.pinned));
      article.addEventListener("click", (event) => {
        const button = event.target.closest(".pick");
        if (button) this.pin(topicOf(button.closest(".topic")));
      });
      for (const event of ["pointerdown", "focusin"]) {
        article.addEventListener(event, () => { current = this; });
      }
    }

    // The number of segments

    show(index) {
      const place = this.readingPlace();
      const top = place?.getBoundingClientRect().top;
      this.index = index;
      this.fillText();
      this.fillOutline();
      this.fillMap();
      this.fillStrip();
      this.drawHeat();
      const k = this.cut.pieces.length;
      const slider = this.find(".slider");
      slider.value = index;
      slider.setAttribute("aria-valuetext", counted(k, "segment"));
      this.find(".k").textContent = k;
      this.find(".count").textContent = counted(k, "segment");
      if (place) window.scrollBy({ top: place.getBoundingClientRect().top - top, behavior: "instant" });
      this.follow();
      const here = this.currentSegment();
      this.say(here < 0
        ? `${counted(k, "segment")}.`
        : `${counted(k, "segment")}. You are in segment ${here + 1}, ${this.cut.titles[here]}.`);
    }

    fillText() {
      const { cut, data } = this;
      const old = [...this.text.querySelectorAll(":scope > .segment")];
      const sections = cut.pieces.map((first, i) => {
        const section = old[i] ?? old[0].cloneNode(true);
        const next = cut.pieces[i + 1] ?? this.pieces.length;
        const heading = section.firstElementChild;
        section.id = `${data.key}-g${i + 1}`;
        heading.querySelector(".no").textContent = i + 1;
        heading.querySelector("bdi").textContent = cut.titles[i];
        section.querySelector(".range").textContent = this.range(i);
        section.querySelector(".headings")?.replaceChildren(
          ...(cut.headings[i] ? [bdi(cut.headings[i])] : []));
        const topic = cut.topics[i];
        section.querySelector(".strongest").replaceChildren(
          ...(topic === null ? [] : [badge(topic), " ", bdi(data.labels[topic])]));
        section.querySelector(".strength").textContent = strengthText(cut.strengths[i]);
        return [section, this.pieces.slice(first, next)];
      });
      for (const [section, pieces] of sections) {
        section.querySelector(".body").replaceChildren(...pieces);
      }
      for (const section of old.slice(sections.length)) section.remove();
      this.text.append(...sections.slice(old.length).map(([section]) => section));
    }

    range(i) {
      const [first, end] = this.sentenceRange(i);
      const where = end - first === 1 ? `sentence ${end}` : `sentences ${first + 1}-${end}`;
      const place = this.cut.places?.[i];
      return place ? `${where}, ${place}` : where;
    }

    sentenceRange(i) {
      const { cut, data } = this;
      const next = cut.pieces[i + 1];
      const end = next === undefined ? data.sentences : data.pieces[next];
      return [data.pieces[cut.pieces[i]], end];
    }

    fillOutline() {
      const { data } = this;
      const isOwn = this.index === data.own;
      this.find(".outline > ol").replaceWith(isOwn ? this.ownOutline : this.makeOutline());
    }

    // An entry of the outline is [its first sentence, its title, the entries below it if any].

    makeOutline() {
      const { cut, data } = this;
      const count = (entries) => entries.reduce((n, [, , below]) => n + 1 + count(below ?? []), 0);
      this.allOpen = count(data.outline) <= OPEN_ENTRIES;
      const ranges = cut.pieces.map((_, i) => this.sentenceRange(i));
      const items = data.nested
        ? this.itemsAround(ranges, data.outline, data.sentences)
        : ranges.map((range, i) => {
          const inside = this.entriesWithin(range, data.outline, data.sentences);
          return this.segmentItem(i, inside.length > 1 ? inside : []);
        });
      return make("ol", {}, ...items);
    }

    // Entries of which each is a segment, or has several, or is gathered with others into one.
    itemsAround(ranges, entries, end) {
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
            ? this.itemsAround(ranges, below, stop)
            : ranges.flatMap((range, j) => (
              range[0] >= first && range[1] <= stop ? [this.segmentItem(j, [])] : []));
          items.push(this.item(`g${segment + 1}`, [bdi(title)], title, inside, true));
        } else {
          while (next < entries.length && entries[next][0] < last) next += 1;
          items.push(this.segmentItem(segment, last === stop ? below ?? [] : entries.slice(i, next)));
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

    segmentItem(i, entries) {
      const title = this.cut.titles[i];
      const number = make("span", { class: "no" }, i + 1);
      const item = this.item(`g${i + 1}`, [number, bdi(title)], title, this.plainItems(entries));
      item.firstElementChild.dataset.segment = i + 1;
      return item;
    }

    plainItems(entries) {
      return entries.map(([first, title, below]) =>
        this.item(`s${first}`, [bdi(title)], title, this.plainItems(below ?? [])));
    }

    item(target, content, title, inside, open = this.allOpen) {
      const link = make("a", { href: `#${this.data.key}-${target}` }, ...content);
      if (!inside.length) return make("li", {}, link);
      const summary = make("summary", {}, make("span", {}, "Entries below ", bdi(title)));
      const list = make("ol", {}, ...inside);
      return make("li", {}, link, make("details", open ? { open: "" } : {}, summary, list));
    }

    fillMap() {
      const { cut, data } = this;
      const table = this.find(".map table");
      if (!table || !data.masses) return;
      const shares = cut.pieces.map((first, i) => {
        const rows = data.masses.slice(first, cut.pieces[i + 1] ?? data.masses.length);
        const sums = data.labels.map((_, topic) => rows.reduce((sum, row) => sum + row[topic], 0));
        const total = sums.reduce((sum, value) => sum + value, 0);
        return sums.map((value) => (total ? value / total : 0));
      });
      const head = table.tHead.rows[0];
      head.replaceChildren(head.cells[0], ...cut.titles.map((title, i) =>
        make("th", { scope: "col", title }, i + 1)));
      [...table.tBodies[0].rows].forEach((row, topic) => {
        row.replaceChildren(row.cells[0], ...shares.map((share) => make(
          "td", share[topic] < 0.05 ? {} : { class: `q${Math.round(10 * share[topic])}` },
          Math.round(100 * share[topic]) || "")));
      });
    }

    fillStrip() {
      const strip = this.find(".strip");
      if (!strip) return;
      const { cut, data } = this;
      const height = Number(strip.getAttribute("height"));
      const rise = Number(strip.dataset.rise);
      const places = cut.pieces.slice(1).map((p) => WIDTH * data.pieces[p] / data.sentences);
      strip.querySelector(".cuts").replaceChildren(
        ...places.map((x) => draw("line", { x1: x, x2: x, y1: 0, y2: strip.dataset.lanes })));
      if (rise) {
        strip.querySelector(".strengths").replaceChildren(...places.map((x, i) =>
          draw("line", { x1: x, x2: x, y1: height - rise * cut.strengths[i + 1], y2: height })));
      }
      const step = Math.ceil(cut.pieces.length / NUMBERS);
      this.find(".axis").replaceChildren(...[0, ...places].flatMap((x, i) => (
        i % step ? [] : [draw("text", { x: `${100 * x / WIDTH}%`, y: 12 }, i + 1)])));
    }

    // Where the reader is

    get topLine() {
      return (this.find(".bar")?.getBoundingClientRect().height ?? 0) + 16;
    }

    readingPlace() {
      // The first sentence that ends below the bar; sentences lie in order, so halve the search.
      const limit = this.topLine;
      let low = 0;
      let high = this.sentences.length;
      while (low < high) {
        const middle = (low + high) >> 1;
        if (this.sentences[middle].getBoundingClientRect().bottom > limit) high = middle;
        else low = middle + 1;
      }
      const place = this.sentences[low];
      // Above the text, stay where the page is.
      return low === 0 && place.getBoundingClientRect().top > limit ? null : place;
    }

    currentSegment() {
      const sections = this.text.querySelectorAll(":scope > .segment");
      const limit = this.topLine + 24;
      let found = -1;
      for (const [i, section] of sections.entries()) {
        if (section.getBoundingClientRect().top > limit) break;
        found = i;
      }
      return found;
    }

    follow() {
      const here = this.currentSegment();
      const k = this.cut.pieces.length;
      const place = this.find(".place");
      place.textContent = `${here < 0 ? "–" : here + 1} / ${k}`;
      this.find(".previous").disabled = here < 0;
      this.find(".next").disabled = here + 1 >= k;
      const link = here < 0 ? null : this.find(`.outline a[data-segment="${here + 1}"]`);
      const before = this.find(".outline a[aria-current]");
      if (link !== before) {
        before?.removeAttribute("aria-current");
        link?.setAttribute("aria-current", "true");
        if (link) keepInView(link, this.find(".outline"));
      }
      const sentence = here < 0 ? -1 : this.sentences.indexOf(this.readingPlace());
      const mark = this.find(".strip .here");
      if (mark) {
        const x = sentence < 0 ? -10 : WIDTH * this.units[sentence] / this.data.sentences;
        mark.setAttribute("x1", x);
        mark.setAttribute("x2", x);
      }
    }

    step(by) {
      const sections = this.text.querySelectorAll(":scope > .segment");
      const here = this.currentSegment();
      // Going back from inside a segment leads to its beginning first.
      const inside = here >= 0 && sections[here].getBoundingClientRect().top < -40;
      const target = by < 0 && inside ? here : here + by;
      if (target < 0) {
        this.article.scrollIntoView({ behavior: "instant" });
      } else if (target < sections.length) {
        sections[target].scrollIntoView({ behavior: "instant" });
        const heading = sections[target].firstElementChild;
        heading.tabIndex = -1;
        heading.focus({ preventScroll: true });
      }
      this.follow();
    }

    jumpTo(sentence) {
      const target = this.sentences[this.units.findLastIndex((first) => first <= sentence)];
      target?.scrollIntoView({ behavior: "instant", block: "center" });
      target?.classList.add("found");
      setTimeout(() => target?.classList.remove("found"), 1600);
      this.follow();
    }

    jumpAlong(event) {
      const box = this.find(".strip").getBoundingClientRect();
      this.jumpTo(Math.floor(this.data.sentences * (event.clientX - box.left) / box.width));
    }

    toggleOutline(open) {
      const button = this.find(".menu");
      const opened = open ?? button.getAttribute("aria-expanded") === "false";
      button.setAttribute("aria-expanded", String(opened));
      this.find(".outline").classList.toggle("open", opened);
      if (opened) this.find(".outline").scrollIntoView({ behavior: "instant", block: "nearest" });
    }

    // Topics

    pointAt(node) {
      const word = node.closest(".s > i");
      const holder = node.closest("[data-topic]");
      this.mark(word ? topicOf(word) : null);
      if (holder) this.pick(Number(holder.dataset.topic));
      else this.pick(this.pinned);
    }

    mark(topic) {
      // Say in the list which topic the word under the pointer belongs to.
      this.find(".topic.pointed")?.classList.remove("pointed");
      if (topic !== null) this.find(`.topic.t${topic}`)?.classList.add("pointed");
    }

    pick(topic) {
      if (topic === (this.picked ?? null)) return;
      this.picked = topic;
      for (const node of this.article.querySelectorAll(".on, .hit")) {
        node.classList.remove("on", "hit");
      }
      this.article.classList.toggle("picking", topic !== null);
      if (topic === null) return;
      for (const word of this.text.querySelectorAll(`.s > .t${topic}`)) {
        word.classList.add("on");
        word.closest(".s")?.classList.add("hit");
      }
      for (const node of this.article.querySelectorAll(`[data-topic="${topic}"]`)) {
        node.classList.add("on");
      }
    }

    pin(topic) {
      this.pinned = this.pinned === topic ? null : topic;
      for (const button of this.article.querySelectorAll(".pick")) {
        const own = topicOf(button.closest(".topic"));
        button.setAttribute("aria-pressed", String(own === this.pinned));
      }
      this.pick(this.pinned ?? topic);
      const marked = this.text.querySelectorAll(`.s > .t${topic}`).length;
      this.say(this.pinned === null
        ? "No topic is highlighted."
        : `Topic ${topic + 1}, ${this.data.labels[topic]}: ${counted(marked, "word")} highlighted.`);
    }

    // Distances

    readHeat() {
      const { heat } = this.data;
      this.canvas = this.find(".heat");
      if (!heat || !this.canvas) return;
      const bytes = Uint8Array.from(atob(heat.values), (c) => c.charCodeAt(0));
      const n = heat.edges.length - 1;
      this.levels = new Uint8Array(n * n);
      let at = 0;
      for (let row = 0; row < n; row += 1) {
        for (let column = 0; column <= row; column += 1) {
          this.levels[row * n + column] = bytes[at];
          this.levels[column * n + row] = bytes[at];
          at += 1;
        }
      }
    }

    drawHeat() {
      if (!this.levels) return;
      const n = this.data.heat.edges.length - 1;
      const style = getComputedStyle(this.article);
      const [near, middle, far, ink] = ["--near", "--middle", "--far", "--heat-line"].map(
        (name) => style.getPropertyValue(name).trim());
      const stops = [near, middle, far].map(rgb);
      const picture = new ImageData(n, n);
      this.levels.forEach((level, i) => {
        const along = (2 * level) / 255;
        const low = Math.min(1, Math.floor(along));
        stops[low].forEach((value, channel) => {
          const other = stops[low + 1][channel];
          picture.data[4 * i + channel] = value + (other - value) * (along - low);
        });
        picture.data[4 * i + 3] = 255;
      });
      const small = make("canvas", { width: n, height: n });
      small.getContext("2d").putImageData(picture, 0, 0);
      const { width, height } = this.canvas;
      const context = this.canvas.getContext("2d");
      context.imageSmoothingEnabled = false;
      context.drawImage(small, 0, 0, width, height);
      context.strokeStyle = ink;
      context.lineWidth = 1;
      context.beginPath();
      for (const piece of this.cut.pieces.slice(1)) {
        const at = Math.round(width * this.data.pieces[piece] / this.data.sentences) + 0.5;
        context.moveTo(at, 0);
        context.lineTo(at, height);
        context.moveTo(0, at);
        context.lineTo(width, at);
      }
      context.stroke();
      this.tellDistances();
    }

    tellDistances() {
      if (!this.levels) return;
      const { edges } = this.data.heat;
      const n = edges.length - 1;
      const starts = this.cut.pieces.map((piece) => this.data.pieces[piece]);
      const segment = edges.slice(0, n).map((edge) => starts.findLastIndex((s) => s <= edge));
      const sums = [0, 0];
      const counts = [0, 0];
      this.levels.forEach((level, i) => {
        const across = segment[Math.floor(i / n)] === segment[i % n] ? 0 : 1;
        sums[across] += (FARTHEST * level) / 255;
        counts[across] += 1;
      });
      const [inside, across] = sums.map((sum, i) => (sum / counts[i]).toFixed(2));
      const text = `Mean distance between sentences: ${inside} within segments${
        counts[1] ? `, ${across} across segments; the maximum is 2.` : "."}`;
      this.find(".told").textContent = text;
      this.canvas.setAttribute("aria-label", text);
    }

    heatPlace(event) {
      const box = this.canvas.getBoundingClientRect();
      const n = this.data.heat.edges.length - 1;
      const cell = (at, start, size) =>
        Math.max(0, Math.min(n - 1, Math.floor((n * (at - start)) / size)));
      const column = cell(event.clientX, box.left, box.width);
      const row = cell(event.clientY, box.top, box.height);
      return [this.levels[row * n + column], ...[row, column].map((i) => this.data.heat.edges[i])];
    }

    probe(event) {
      const [level, row, column] = this.heatPlace(event);
      const distance = ((FARTHEST * level) / 255).toFixed(2);
      this.find(".told").textContent =
        `Sentences ${row + 1} and ${column + 1}: ${distance} apart.`;
    }

    say(text) {
      this.find(".said").textContent = text;
    }
  }

  function strengthText(strength) {
    if (strength === null) return "";
    return `boundary ${strength.toFixed(2)}, ${strength >= 0.5 ? "clear" : "faint"}`;
  }

  function keepInView(link, list) {
    const inner = link.getBoundingClientRect();
    const outer = list.getBoundingClientRect();
    if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 24;
    else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 24;
  }

  function rgb(color) {
    return color.match(/\d+/g).slice(0, 3).map(Number); // "rgb(22, 50, 79)"
  }

  // The page

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
      view.drawHeat();
      view.find(".theme")?.setAttribute("aria-pressed", String(isDark()));
    });
  }

  function each(action) {
    for (const [article, view] of live) {
      if (article.isConnected) action(view);
      else live.delete(article);
    }
  }

  function onKey(event) {
    const by = { n: 1, p: -1 }[event.key];
    const typing = event.target.closest?.("input:not([type=range], [type=checkbox]), textarea, select, [contenteditable]");
    if (!by || typing || event.ctrlKey || event.metaKey || event.altKey) return;
    const view = current?.article.isConnected ? current : [...live.values()].find(
      (other) => other.article.isConnected);
    if (view?.find(".keys").checked) view.step(by);
  }

  let waiting = false;

  function onScroll() {
    if (waiting) return;
    waiting = true;
    requestAnimationFrame(() => {
      waiting = false;
      each((view) => view.follow());
    });
  }

  function activate(article) {
    if (!live.has(article)) live.set(article, new View(article));
    themeChanged();
  }

  document.addEventListener("keydown", onKey);
  document.addEventListener("scroll", onScroll, { passive: true });
  window.addEventListener("resize", onScroll);
  dark.addEventListener("change", themeChanged);
  new MutationObserver(themeChanged).observe(document.documentElement, {
    attributeFilter: ["data-theme"],
  });
  globalThis.docbats = { ...globalThis.docbats, activate };
  const start = () => document.querySelectorAll("article.docbats").forEach(activate);
  if (document.readyState === "loading") document.addEventListener("DOMContentLoaded", start);
  else start();
})();
