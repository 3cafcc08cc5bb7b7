// One article: the text under its segments' heads, and what moves through it.

class View {
  constructor(article) {
    this.article = article;
    this.data = JSON.parse(article.querySelector("script[type='application/json']").textContent);
    this.index = this.data.own;
    this.nameEntries();
    this.text = this.find(".text");
    this.pieces = [...this.text.querySelectorAll(".piece")];
    this.sentences = [...this.text.querySelectorAll(".s")];
    this.units = this.data.units ?? this.sentences.map((_, i) => i); // their first sentences
    this.heads = [...this.text.querySelectorAll(".head")];
    article.classList.add("live");
    for (const node of article.querySelectorAll("[hidden]:not([data-keep-hidden])")) {
      node.removeAttribute("hidden");
    }
    this.highlights = new Highlights(this);
    this.search = new Search(this);
    this.speakers = new Speakers(this);
    this.outline = new OutlineList(this);
    this.minimap = new Minimap(this);
    this.figures = new Figures(this);
    this.showTab("reading");
    const media = this.find(".player > :is(audio, video)");
    this.player = media && new Player(this, media);
    this.listen();
    this.minimap.draw();
    this.follow();
  }

  nameEntries() {
    const { cuts, titles, outline } = this.data;
    for (const cut of cuts) cut.titles = cut.titles.map((i) => titles[i]);
    const name = (entries) => entries.map(([first, i, below]) =>
      [first, titles[i], ...(below ? [name(below)] : [])]);
    this.data.outline = name(outline);
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
    on(".more-tools", "click", () => this.toggleTools());
    on(".tab-reading", "click", () => this.showTab("reading"));
    on(".tab-figures", "click", () => this.showTab("figures"));
    on(".columns", "click", (event) => this.followLink(event));
    on(".text", "click", (event) => this.player?.click(event));
    on(".search", "input", () => this.searchSoon());
    on(".search", "keydown", (event) => this.searchKey(event));
    on(".close", "click", () => this.search.close());
    on(".hits", "click", (event) => this.goToHit(event));
    on(".numbers", "change", (event) =>
      this.article.classList.toggle("numbered", event.target.checked));
    on(".strip", "click", (event) => this.figures.jumpAlong(event));
    on(".heat", "pointermove", (event) => this.figures.probe(event));
    on(".heat", "pointerleave", () => this.figures.tellDistances());
    on(".heat", "click", (event) => this.readAt(this.figures.heatPlace(event)[1]));
    on(".topics", "click", (event) => this.chooseTopic(event));
    for (const button of this.article.querySelectorAll(".mode")) {
      button.addEventListener("click", () => this.setMode(button.dataset.mode));
    }
    this.article.addEventListener("pointerover", (event) => this.pointAt(event.target));
    for (const event of ["pointerdown", "focusin"]) {
      this.article.addEventListener(event, () => { current = this; });
    }
  }

  // Tabs

  showTab(name) {
    this.tab = name;
    this.article.classList.toggle("figuring", name === "figures");
    for (const tab of ["reading", "figures"]) {
      this.find(`.tab-${tab}`).setAttribute("aria-pressed", String(tab === name));
    }
    if (name === "figures") this.figures.show();
    else this.follow();
  }

  // Leave the figures for a place in the text.
  readAt(sentence) {
    this.showTab("reading");
    this.jumpTo(sentence);
  }

  // Play a recording that is not in the page; none if it has no address.
  play(src, { isVideo = false, name = "" } = {}) {
    this.player?.close();
    this.player = null;
    if (!src) return;
    const media = make(isVideo ? "video" : "audio", { src, controls: "", preload: "metadata", "data-name": name });
    this.article.append(make("div", { class: "player", role: "group", "aria-label": "Recording" }, media));
    this.player = new Player(this, media);
  }

  // The number of segments

  show(index) {
    const place = this.readingPlace();
    const top = place?.getBoundingClientRect().top;
    this.index = index;
    this.fillText();
    this.speakers.markSilent();
    this.outline.show();
    if (this.tab === "figures") this.figures.show();
    const k = this.cut.pieces.length;
    const slider = this.find(".slider");
    slider.value = index;
    slider.setAttribute("aria-valuetext", counted(k, "segment"));
    this.find(".k").textContent = k;
    this.find(".count").textContent = counted(k, "segment");
    if (place) {
      window.scrollBy({ top: place.getBoundingClientRect().top - top, behavior: "instant" });
    }
    this.minimap.draw();
    this.follow();
    const here = this.currentSegment();
    this.say(here < 0
      ? `${counted(k, "segment")}.`
      : `${counted(k, "segment")}. You are in segment ${here + 1}, ${this.cut.titles[here]}.`);
    this.changed();
  }

  // Heads move between the pieces of the text, which stay where they are.
  fillText() {
    const { cut } = this;
    while (this.heads.length < cut.pieces.length) {
      this.heads.push(this.heads[0].cloneNode(true));
    }
    for (const head of this.heads.slice(cut.pieces.length)) head.remove();
    for (const title of this.text.querySelectorAll(".above")) title.classList.remove("above");
    cut.pieces.forEach((piece, i) => {
      this.fillHead(this.heads[i], i);
      this.hideTitles(i);
      if (this.heads[i].nextElementSibling !== this.pieces[piece]) {
        this.pieces[piece].before(this.heads[i]);
      }
    });
  }

  // Headings that the head of their segment shows are not shown again below it.
  hideTitles(i) {
    const first = this.unitAt(this.data.pieces[this.cut.pieces[i]]);
    for (let j = 0; j < (this.cut.above?.[i] ?? 0); j += 1) {
      this.sentences[first + j].closest(".title")?.classList.add("above");
    }
  }

  fillHead(head, i) {
    const { cut, data } = this;
    const [first, end] = this.sentenceRange(i);
    head.id = `${data.key}-g${i + 1}`;
    head.querySelector(".no").textContent = i + 1;
    head.querySelector("bdi").textContent = cut.titles[i];
    head.querySelector(".minutes").textContent = `${minutes(this.wordsBetween(first, end))} min`;
    head.querySelector(".range").textContent = cut.places?.[i] ?? "";
    head.querySelector(".headings")?.replaceChildren(
      ...(cut.headings?.[i] ? [bdi(cut.headings[i])] : []));
    head.querySelector(".voices")?.replaceChildren(...this.speakers.named(first, end));
    const topic = cut.topics[i];
    head.querySelector(".strongest").replaceChildren(
      ...(topic === null ? [] : [badge(topic), " ", bdi(data.labels[topic])]));
    const gist = head.querySelector(".gist");
    const summary = cut.summaries[i];
    gist.hidden = summary === null || data.units !== null;
    if (!gist.hidden) {
      const text = typeof summary === "string" ? summary : shownText(this.sentences[summary]);
      gist.replaceChildren(bdi(oneLine(text)));
    }
  }

  sentenceRange(i) {
    const { cut, data } = this;
    const next = cut.pieces[i + 1];
    const end = next === undefined ? data.sentences : data.pieces[next];
    return [data.pieces[cut.pieces[i]], end];
  }

  pieceAt(sentence) {
    return firstWhere(this.data.pieces.length, (i) => this.data.pieces[i] > sentence) - 1;
  }

  segmentAt(sentence) {
    const piece = this.pieceAt(sentence);
    return firstWhere(this.cut.pieces.length, (i) => this.cut.pieces[i] > piece) - 1;
  }

  wordsBetween(first, end) {
    const last = end === this.data.sentences ? this.data.sizes.length : this.pieceAt(end);
    return this.data.sizes.slice(this.pieceAt(first), last).reduce((sum, size) => sum + size, 0);
  }

  // The characters where the segments begin, and their titles: what is shown, for a download.
  get shown() {
    const first = (i) => this.data.pieces[this.cut.pieces[i]];
    return {
      isOwn: this.index === this.data.own,
      boundaries: this.cut.pieces.map((_, i) => this.offsetOf(first(i))),
      titles: [...this.cut.titles],
    };
  }

  // The character where a sentence begins that has an element of its own.
  offsetOf(sentence) {
    if (!this.offsets) {
      let at = 0;
      this.offsets = this.data.lengths.map((length) => (at += length) - length);
    }
    return this.offsets[this.unitAt(sentence)];
  }

  // Where the reader is

  get topLine() {
    const height = (selector) => this.find(selector)?.getBoundingClientRect().height ?? 0;
    return height(".bar") + height(".only") + 16;
  }

  // The elements of sentences in the window and so many pixels around it, as a half-open range.
  seen(around) {
    const { shown } = this.speakers;
    const n = shown?.length ?? this.sentences.length;
    const box = (i) => this.sentences[shown?.[i] ?? i].getBoundingClientRect();
    const top = this.topLine - around;
    const first = firstWhere(n, (i) => box(i).bottom > top);
    const end = Math.max(first, firstWhere(n, (i) => box(i).top > window.innerHeight + around));
    if (!shown) return [first, end];
    const from = shown[first] ?? this.sentences.length;
    return [from, end > first ? shown[end - 1] + 1 : from];
  }

  readingPlace() {
    // The first sentence that ends below the bar.
    const [first] = this.seen(0);
    const place = this.sentences[first];
    // Above the text, stay where the page is.
    if (!place || (first === 0 && place.getBoundingClientRect().top > this.topLine)) return null;
    return place;
  }

  currentSegment() {
    const limit = this.topLine + 24;
    const top = (i) => this.heads[i].getBoundingClientRect().top;
    return firstWhere(this.cut.pieces.length, (i) => top(i) > limit) - 1;
  }

  follow() {
    if (this.tab === "figures") return;
    // Look at places first and change the page afterwards: in turns it would be laid out each time.
    const here = this.currentSegment();
    const seen = this.seen(0);
    const near = this.seen(AHEAD);
    const k = this.cut.pieces.length;
    setText(this.find(".place"), `${here < 0 ? "–" : here + 1} / ${k}`);
    this.find(".previous").disabled = here < 0;
    this.find(".next").disabled = here + 1 >= k;
    const link = here < 0 ? null : this.find(`.outline a[data-segment="${here + 1}"]`);
    const before = this.find(".outline a[aria-current]");
    if (link !== before) {
      before?.removeAttribute("aria-current");
      link?.setAttribute("aria-current", "true");
      if (link) keepInView(link, this.find(".outline"));
      this.here = here;
      this.changed();
    }
    this.figures.followStrip(here < 0 ? null : this.units[seen[0]] ?? null);
    this.minimap.follow(seen);
    this.highlights.follow(near);
    this.search.refresh(near);
  }

  // Tell the page around which cut and which segment is shown.
  changed() {
    const { data, index, here = -1 } = this;
    const k = this.cut.pieces.length;
    const part = here < 0 ? "" : `-g${here + 1}`;
    const detail = { k, isOwn: index === data.own, segment: here };
    this.article.dispatchEvent(new CustomEvent("docbats-place", { bubbles: true, detail }));
    if (!this.article.closest(".docbats-page")) return;
    setAddress(index === data.own ? part && `#${data.key}${part}` : `#${data.key}-k${k}${part}`);
  }

  // Go where an address leads that may name a number of segments.
  goTo(address) {
    const found = /-k(\d+)(?:-g(\d+))?$/.exec(address);
    if (!found || !address.startsWith(`#${this.data.key}-`)) return;
    const index = this.data.cuts.findIndex((cut) => cut.pieces.length === Number(found[1]));
    if (index < 0) return;
    this.show(index);
    if (found[2]) this.goToSegment(Number(found[2]) - 1);
  }

  goToSegment(i) {
    if (!this.heads[i]?.isConnected) return;
    this.heads[i].scrollIntoView({ behavior: "instant" });
    const heading = this.heads[i].firstElementChild;
    heading.tabIndex = -1;
    heading.focus({ preventScroll: true });
    this.follow();
  }

  step(by) {
    if (this.tab === "figures") this.showTab("reading");
    const here = this.currentSegment();
    // Going back from inside a segment leads to its beginning first.
    const inside = here >= 0 && this.heads[here].getBoundingClientRect().top < -40;
    const target = by < 0 && inside ? here : here + by;
    if (target < 0) this.article.scrollIntoView({ behavior: "instant" });
    else if (target < this.cut.pieces.length) this.goToSegment(target);
    this.follow();
  }

  unitAt(sentence) {
    return firstWhere(this.units.length, (i) => this.units[i] > sentence) - 1;
  }

  jumpTo(sentence) {
    const target = this.sentences[this.unitAt(sentence)];
    this.speakers.reveal(target);
    target?.scrollIntoView({ behavior: "instant", block: "center" });
    target?.classList.add("at");
    setTimeout(() => target?.classList.remove("at"), 1600);
    this.follow();
  }

  // Links lead to the text, whichever tab is shown and however many segments there are.
  followLink(event) {
    const link = event.target.closest("a[href^='#']");
    if (!link || event.ctrlKey || event.metaKey || event.shiftKey) return;
    const target = document.getElementById(link.hash.slice(1));
    if (!target || !this.text.contains(target)) return;
    event.preventDefault();
    this.showTab("reading");
    this.toggleOutline(false);
    if (target.matches(".head")) this.goToSegment(this.heads.indexOf(target));
    else this.jumpTo(this.units[this.sentences.indexOf(target)]);
  }

  toggleOutline(open) {
    const button = this.find(".menu");
    const opened = open ?? button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(opened));
    this.find(".side").classList.toggle("open", opened);
    if (opened) this.find(".side").scrollIntoView({ behavior: "instant", block: "nearest" });
  }

  toggleTools(open) {
    const button = this.find(".more-tools");
    const opened = open ?? button.getAttribute("aria-expanded") === "false";
    button.setAttribute("aria-expanded", String(opened));
    this.find(".bar").classList.toggle("open", opened);
  }

  // Topics

  chooseTopic(event) {
    const item = event.target.closest(".topic");
    if (!item) return;
    const topic = topicOf(item);
    if (event.target.closest(".pick")) {
      const isOff = this.highlights.mode === "topic" && this.highlights.topic === topic;
      this.setMode(isOff ? "off" : "topic", topic);
    }
    const word = event.target.closest(".word");
    if (word) {
      const rank = [...item.querySelectorAll(".word")].indexOf(word);
      this.find(".search").value = "";
      this.search.forForms(this.highlights.formsOf(topic, rank), word.textContent);
      this.find(".found").scrollIntoView({ behavior: "instant", block: "nearest" });
    }
  }

  setMode(mode, topic = this.highlights.topic ?? this.topicHere()) {
    this.highlights.set(mode, topic);
    for (const button of this.article.querySelectorAll(".mode")) {
      button.setAttribute("aria-pressed", String(button.dataset.mode === mode));
    }
    const chosen = mode === "topic" ? topic : null;
    for (const button of this.article.querySelectorAll(".pick")) {
      const own = topicOf(button.closest(".topic"));
      button.setAttribute("aria-pressed", String(own === chosen));
    }
    for (const node of this.article.querySelectorAll("[data-topic]")) {
      node.classList.toggle("on", Number(node.dataset.topic) === chosen);
    }
    this.minimap.draw();
    if (mode === "off") this.say("No words are highlighted.");
    else if (mode === "all") this.say("The words of all topics are highlighted.");
    else {
      const uses = this.data.words[topic][2];
      this.say(`Topic ${topic + 1}, ${this.data.labels[topic]}: ${counted(uses, "word")} highlighted.`);
    }
  }

  // The strongest topic of the segment that is read, or of the document.
  topicHere() {
    return this.cut.topics[Math.max(0, this.currentSegment())] ?? 0;
  }

  nextMode() {
    const modes = ["off", "topic", "all"];
    this.setMode(modes[(modes.indexOf(this.highlights.mode) + 1) % modes.length]);
  }

  pointAt(node) {
    // Say in the list which topic the word under the pointer belongs to.
    const word = node.closest?.(".s i");
    this.find(".topic.pointed")?.classList.remove("pointed");
    if (word) this.find(`.topic.t${topicOf(word)}`)?.classList.add("pointed");
  }

  // Search

  searchSoon() {
    clearTimeout(this.timer);
    this.timer = setTimeout(() => this.search.forText(this.find(".search").value), 120);
  }

  searchKey(event) {
    if (event.key === "Escape") this.search.close();
    if (event.key !== "Enter") return;
    clearTimeout(this.timer);
    this.search.forText(event.target.value);
    this.find(".hits button")?.focus();
  }

  goToHit(event) {
    const button = event.target.closest("[data-unit]");
    if (button) this.readAt(this.units[Number(button.dataset.unit)]);
  }

  say(text) {
    this.find(".said").textContent = text;
  }
}

function keepInView(link, list) {
  const inner = link.getBoundingClientRect();
  const outer = list.getBoundingClientRect();
  if (inner.top < outer.top) list.scrollTop -= outer.top - inner.top + 24;
  else if (inner.bottom > outer.bottom) list.scrollTop += inner.bottom - outer.bottom + 24;
}
