// The recording: a click on a time plays it from there, and the text follows what is played.

const still = matchMedia("(prefers-reduced-motion: reduce)");

class Player {
  constructor(view, media) {
    this.view = view;
    this.media = media;
    this.playing = -1; // the number of the turn that is heard
    const { turns } = view.speakers;
    this.starts = (view.data.talk?.times ?? []).flatMap((at, i) => (at === null ? [] : [[at, i]]));
    this.starts.sort((a, b) => a[0] - b[0] || a[1] - b[1]);
    for (const [, i] of this.starts) this.press(turns[i].querySelector(".time"));
    for (const head of view.heads) this.press(head.querySelector(".range"));
    this.button = make("button", { type: "button", class: "following" }, "Follow");
    this.hint = make("p", { class: "hint", role: "alert", hidden: "" });
    media.after(this.button, this.hint);
    this.follow(!still.matches);
    this.button.addEventListener("click", () => this.follow(!this.isFollowing));
    for (const event of ["timeupdate", "seeking"]) {
      media.addEventListener(event, () => this.mark());
    }
    media.addEventListener("loadedmetadata", () =>
      media.classList.toggle("sound", !media.videoWidth));
    media.addEventListener("error", () => this.fail());
    if (media.error) this.fail();
  }

  press(node) {
    if (node && !node.matches("button")) become(node, "button", { type: "button", title: "Play from here" });
  }

  // A time beside a turn, or the times of a segment.
  click(event) {
    const button = event.target.closest("button.time, button.range");
    if (!button || this.hint.textContent) return;
    const turn = button.closest(".spoken");
    const at = turn ? this.view.data.talk.times[this.view.speakers.turns.indexOf(turn)]
      : secondsOf(button.textContent);
    this.media.currentTime = at;
    this.media.play().catch(() => {}); // the error event says what is wrong
    this.follow(this.isFollowing || !still.matches);
  }

  follow(isOn) {
    this.isFollowing = isOn;
    this.button.setAttribute("aria-pressed", String(isOn));
    if (isOn) this.show();
  }

  mark() {
    const { currentTime } = this.media;
    const next = firstWhere(this.starts.length, (i) => this.starts[i][0] > currentTime);
    const playing = this.starts[next - 1]?.[1] ?? -1;
    if (playing === this.playing) return;
    const { turns } = this.view.speakers;
    turns[this.playing]?.removeAttribute("aria-current");
    this.playing = playing;
    turns[playing]?.setAttribute("aria-current", "true");
    if (this.isFollowing) this.show();
  }

  // The turn that is heard, unless the filter hides it.
  get box() {
    const turn = this.view.speakers.turns?.[this.playing];
    return turn?.getClientRects().length ? turn.getBoundingClientRect() : null;
  }

  show() {
    const { box } = this;
    if (!box || this.view.tab === "figures") return;
    const bottom = this.media.parentElement.getBoundingClientRect().top;
    const { topLine } = this.view;
    if (box.top >= topLine && box.bottom <= bottom) return;
    const room = Math.max(0, bottom - topLine - box.height);
    window.scrollBy({ top: box.top - topLine - Math.min(room, (bottom - topLine) / 3), behavior: "instant" });
  }

  // Whoever scrolls away wants to read there.
  scrolled() {
    const { box } = this;
    if (!this.isFollowing || !box || this.view.tab === "figures") return;
    if (box.bottom < this.view.topLine - 16 || box.top > window.innerHeight) this.follow(false);
  }

  fail() {
    const name = this.media.dataset.name ?? decodeURIComponent(this.media.getAttribute("src"));
    this.hint.hidden = false;
    this.hint.replaceChildren("The recording ", bdi(name), " is not there, or the browser cannot play it. The text has all that is said.");
    this.media.hidden = true;
    this.button.hidden = true;
    for (const button of this.view.text.querySelectorAll("button.time")) become(button).removeAttribute("title");
    for (const head of this.view.heads) {
      const range = head.querySelector("button.range");
      if (range) become(range).removeAttribute("title");
    }
    this.view.speakers.turns?.[this.playing]?.removeAttribute("aria-current");
  }

  close() {
    if (!this.hint.textContent) this.fail();
    this.media.removeAttribute("src");
    this.media.load();
    this.media.parentElement.remove();
  }
}

// The seconds of the first time in a text such as 1:02:03-1:05:00.
function secondsOf(text) {
  const parts = /[\d:]+/.exec(text)[0].split(":");
  return parts.reduce((sum, part) => 60 * sum + Number(part), 0);
}
