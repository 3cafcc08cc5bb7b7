// The words of topics are marked only in the part of the text that is seen, and unmarked when it is
// left far behind, so that a book is as light as a page.

const RUN = /[\p{L}\p{M}\p{N}_\u00ad\u200c\u200d]+(?:['’][\p{L}\p{M}\p{N}_]+)*/gu;
const UNSPACED = /[\u3005\u3040-\u30ff\u3400-\u4dbf\u4e00-\u9fff\uf900-\ufaff]/; // Han and kana
const AHEAD = 500; // pixels above and below the window that are marked as well
const SETTLED = 60; // milliseconds without a new place

class Highlights {
  constructor(view) {
    this.view = view;
    this.mode = "off"; // or "topic" or "all"
    this.topic = null;
    this.marked = new Set(); // numbers of sentences
  }

  // From the written form of a word to its topic and whether it is among the best of it.
  get table() {
    if (!this.forms) {
      this.forms = new Map();
      this.longest = 1;
      this.view.data.words.forEach(([words, top], topic) => {
        words.split(",").forEach((forms, rank) => {
          for (const form of forms.split(" ")) {
            this.forms.set(form, { topic, top: rank < top, rank });
            this.longest = Math.max(this.longest, form.length);
          }
        });
      });
    }
    return this.forms;
  }

  formsOf(topic, rank) {
    return this.view.data.words[topic][0].split(",")[rank].split(" ");
  }

  set(mode, topic = this.topic) {
    this.mode = mode;
    this.topic = topic;
    for (const i of this.marked) unwrap(this.view.sentences[i], "i");
    this.marked.clear();
    this.refresh();
  }

  // What flies past is not marked before the reader stops.
  follow(near) {
    if (this.mode === "off") return;
    const { scrollY } = window;
    const isFlying = Math.abs(scrollY - this.lastTop) > window.innerHeight / 4;
    this.lastTop = scrollY;
    clearTimeout(this.timer);
    if (isFlying) this.timer = setTimeout(() => this.refresh(), SETTLED);
    else this.refresh(near);
  }

  refresh([first, end] = this.view.seen(AHEAD)) {
    if (this.mode === "off") return;
    const far = 8 * (end - first) + 50;
    for (const i of this.marked) {
      if (i >= first - far && i < end + far) continue;
      unwrap(this.view.sentences[i], "i");
      this.marked.delete(i);
    }
    this.mark(first, end);
  }

  markAll() {
    if (this.mode !== "off") this.mark(0, this.view.sentences.length);
  }

  mark(first, end) {
    for (let i = first; i < end; i += 1) {
      if (this.marked.has(i)) continue;
      this.marked.add(i);
      const sentence = this.view.sentences[i];
      wrap(sentence, "i", this.find(shownText(sentence)));
    }
  }

  // The stretches of a text that are words of topics.
  find(text) {
    const found = [];
    const add = (start, form) => {
      const known = this.table.get(form.toLowerCase().replaceAll("’", "'"));
      if (!known) return false;
      const { topic, top } = known;
      if (this.mode === "all" || topic === this.topic) {
        found.push([start, start + form.length, { class: `t${topic}${top ? "" : " low"}` }]);
      }
      return true;
    };
    for (const { 0: run, index } of text.matchAll(RUN)) {
      if (add(index, run)) continue;
      if (UNSPACED.test(run)) this.findUnspaced(index, run, add);
      else if (/['’]/.test(run)) {
        let at = index;
        for (const part of run.split(/(['’])/)) {
          add(at, part);
          at += part.length;
        }
      }
    }
    return found;
  }

  // Without spaces between words, take the longest word that the table has at each place.
  findUnspaced(index, run, add) {
    let at = 0;
    while (at < run.length) {
      let size = Math.min(this.longest, run.length - at);
      while (size > 0 && !add(index + at, run.slice(at, at + size))) size -= 1;
      at += size || 1;
    }
  }
}
