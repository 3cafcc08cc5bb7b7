// Who speaks: shares under any cut, and a filter that leaves only the turns of some speakers.

const COLOURS = 16; // of speakers, as in the style sheet
const NAMED = 3; // speakers of a segment
const NAMED_IN_OUTLINE = 2;

class Speakers {
  constructor(view) {
    this.view = view;
    this.talk = view.data.talk;
    this.chosen = new Set(); // numbers of speakers; none if all are shown
    this.shown = null; // numbers of the sentences that are shown; null if all are
    if (!this.talk) return;
    this.turns = [...view.text.querySelectorAll(".spoken")];
    if (!this.talk.filter) return;
    this.buttons = [...view.article.querySelectorAll(".speakers .voice")].map((node) =>
      become(node, "button", { type: "button", "aria-pressed": "false" }));
    this.buttons.forEach((button, speaker) =>
      button.addEventListener("click", () => this.toggle(speaker)));
    view.find(".show-all").addEventListener("click", () => {
      this.choose([]);
      view.find(".speakers .voice").focus({ preventScroll: true });
    });
  }

  toggle(speaker) {
    const chosen = new Set(this.chosen);
    if (!chosen.delete(speaker)) chosen.add(speaker);
    this.choose(chosen);
  }

  // Show what some speakers say, or everything.
  choose(speakers) {
    const { view } = this;
    const place = view.readingPlace();
    const top = place?.getBoundingClientRect().top;
    const at = place ? view.sentences.indexOf(place) : -1;
    this.chosen = new Set(speakers);
    this.buttons.forEach((button, speaker) =>
      button.setAttribute("aria-pressed", String(this.chosen.has(speaker))));
    this.hideOthers();
    const near = this.shown === null ? at : this.shown.find((i) => i >= at) ?? this.shown.at(-1);
    if (place && near >= 0) {
      const moved = view.sentences[near].getBoundingClientRect().top - top;
      window.scrollBy({ top: moved, behavior: "instant" });
    }
    const text = this.described();
    view.find(".only > span").replaceChildren(...text);
    view.find(".only").hidden = this.chosen.size === 0;
    view.say(this.chosen.size ? view.find(".only > span").textContent : "Everything is shown.");
    view.follow();
  }

  hideOthers() {
    const { view, chosen, talk, turns } = this;
    const isOn = chosen.size > 0;
    view.text.classList.toggle("filtered", isOn);
    turns.forEach((turn, i) => turn.classList.toggle("out", isOn && !chosen.has(talk.turns[i])));
    for (const piece of view.pieces) {
      piece.classList.toggle("out", isOn && !piece.querySelector(".spoken:not(.out), .title"));
    }
    this.shown = isOn
      ? view.sentences.flatMap((node, i) => (node.getClientRects().length ? [i] : []))
      : null;
    for (const head of view.heads) head.classList.remove("silent");
    if (isOn) this.markSilent();
  }

  // The segments in which none of the chosen speaks.
  markSilent() {
    if (!this.chosen.size) return;
    this.view.cut.pieces.forEach((_, i) => {
      const speaks = this.words(...this.view.sentenceRange(i)).some(([who]) => this.chosen.has(who));
      this.view.heads[i].classList.toggle("silent", !speaks);
    });
  }

  described() {
    const { chosen, talk } = this;
    const turns = talk.turns.filter((_, i) => this.turns[i].querySelector(".by:not(.again)"));
    const shown = turns.filter((who) => chosen.has(who)).length;
    const names = [...chosen].sort((a, b) => a - b).flatMap((who) => [", ", bdi(talk.names[who])]);
    return ["Only ", ...names.slice(1), `: ${shown.toLocaleString("en")} of ${
      counted(turns.length, "turn")}.`];
  }

  // What is hidden is shown when somebody wants to go there.
  reveal(node) {
    if (this.shown !== null && !node?.getClientRects().length) this.choose([]);
  }

  // [speaker, words], those who say most first.
  words(first, end) {
    const { view, talk } = this;
    const last = end === view.data.sentences ? talk.words.length : view.pieceAt(end);
    const sums = new Map();
    for (const row of talk.words.slice(view.pieceAt(first), last)) {
      for (let i = 0; i < row.length; i += 2) {
        sums.set(row[i], (sums.get(row[i]) ?? 0) + row[i + 1]);
      }
    }
    return [...sums].sort((a, b) => b[1] - a[1] || a[0] - b[0]);
  }

  // The same as `voices` of render/html/talk.py.
  named(first, end, most = NAMED) {
    if (!this.talk?.names.length) return [];
    const words = this.words(first, end);
    if (words.length === most + 1) most += 1; // a name takes no more room than "and 1 more"
    const shares = percents(words.map(([, number]) => number));
    const parts = words.slice(0, most).flatMap(([who], i) => [", ", make("span",
      { class: `voice v${who % COLOURS}` }, bdi(this.talk.names[who]), shares[i])]);
    const more = words.length > most ? [` and\u00a0${words.length - most}\u00a0more`] : [];
    return [...parts.slice(1), ...more];
  }

  inOutline(first, end) {
    const named = this.named(first, end, NAMED_IN_OUTLINE);
    return named.length ? [make("span", { class: "voices" }, ...named)] : [];
  }
}

// Shares in percent, rounded so that they add up to 100.
function percents(amounts) {
  const total = amounts.reduce((sum, amount) => sum + amount, 0);
  if (!total) return amounts.map(() => "");
  const whole = amounts.map((amount) => Math.floor((100 * amount) / total));
  const rest = amounts.map((amount) => (100 * amount) % total);
  const ranked = [...amounts.keys()].sort((a, b) => rest[b] - rest[a] || a - b);
  const missing = 100 - whole.reduce((sum, amount) => sum + amount, 0);
  for (const i of ranked.slice(0, missing)) whole[i] += 1;
  return whole.map((share) => (share ? ` ${share}%` : " <1%"));
}
