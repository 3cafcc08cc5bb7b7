// The figures: topics along the document, topics by segments, distances between sentences.

const WIDTH = 1000; // units along the strip
const NUMBERS = 24; // segments up to which each has its number above the strip
const FARTHEST = 2; // distance between two unit vectors
const PAPER = 960; // pixels of a printed map of distances

class Figures {
  constructor(view) {
    this.view = view;
    this.canvas = view.find(".heat");
    this.readHeat();
  }

  show(hiddenSize = 0) {
    this.fillMap();
    this.fillStrip();
    this.drawHeat(hiddenSize);
  }

  fillMap() {
    const { cut, data } = this.view;
    const table = this.view.find(".map table");
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
    const strip = this.view.find(".strip");
    if (!strip) return;
    const { cut, data } = this.view;
    const height = Number(strip.getAttribute("height"));
    const rise = Number(strip.dataset.rise);
    const places = cut.pieces.slice(1).map((p) => WIDTH * data.pieces[p] / data.sentences);
    strip.querySelector(".cuts").replaceChildren(
      ...places.map((x) => draw("line", { x1: x, x2: x, y1: 0, y2: strip.dataset.lanes })));
    if (rise) {
      strip.querySelector(".strengths").replaceChildren(...places.flatMap((x, i) => {
        const strength = cut.strengths[i + 1];
        if (strength === null) return [];
        return [draw("line", { x1: x, x2: x, y1: height - rise * strength, y2: height })];
      }));
    }
    const step = Math.ceil(cut.pieces.length / NUMBERS);
    this.view.find(".axis").replaceChildren(...[0, ...places].flatMap((x, i) => (
      i % step ? [] : [draw("text", { x: `${100 * x / WIDTH}%`, y: 12 }, i + 1)])));
  }

  followStrip(sentence) {
    const mark = this.view.find(".strip .here");
    const x = sentence === null ? -10 : WIDTH * sentence / this.view.data.sentences;
    if (!mark) return;
    setAttribute(mark, "x1", x);
    setAttribute(mark, "x2", x);
  }

  jumpAlong(event) {
    const box = this.view.find(".strip").getBoundingClientRect();
    const share = (event.clientX - box.left) / box.width;
    this.view.readAt(Math.floor(this.view.data.sentences * share));
  }

  readHeat() {
    const { heat } = this.view.data;
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

  // As many pixels as the screen has, so that no line of a boundary falls between two of them.
  // While the figures are hidden it is drawn only for paper, at a given size.
  drawHeat(hiddenSize = 0) {
    const shown = (this.canvas?.clientWidth ?? 0) * (window.devicePixelRatio || 1);
    const size = Math.round(shown) || hiddenSize;
    if (!this.levels || !size) return;
    if (this.canvas.width !== size) Object.assign(this.canvas, { width: size, height: size });
    const n = this.view.data.heat.edges.length - 1;
    const style = getComputedStyle(this.view.article);
    const [near, middle, far, ink] = ["--near", "--middle", "--far", "--heat-line"].map(
      (name) => style.getPropertyValue(name).trim());
    const small = make("canvas", { width: n, height: n });
    small.getContext("2d").putImageData(this.picture(n, [near, middle, far].map(rgb)), 0, 0);
    const context = this.canvas.getContext("2d");
    context.imageSmoothingEnabled = false;
    context.drawImage(small, 0, 0, size, size);
    context.strokeStyle = ink;
    context.lineWidth = Math.max(1, Math.round(window.devicePixelRatio || 1));
    context.beginPath();
    const { cut, data } = this.view;
    for (const piece of cut.pieces.slice(1)) {
      const at = Math.round(size * data.pieces[piece] / data.sentences) + 0.5;
      context.moveTo(at, 0);
      context.lineTo(at, size);
      context.moveTo(0, at);
      context.lineTo(size, at);
    }
    context.stroke();
    this.tellDistances();
  }

  picture(n, stops) {
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
    return picture;
  }

  tellDistances() {
    if (!this.levels) return;
    const { cut, data } = this.view;
    const { edges } = data.heat;
    const n = edges.length - 1;
    const starts = cut.pieces.map((piece) => data.pieces[piece]);
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
    this.view.find(".told").textContent = text;
    this.canvas.setAttribute("aria-label", text);
  }

  heatPlace(event) {
    const box = this.canvas.getBoundingClientRect();
    const n = this.view.data.heat.edges.length - 1;
    const cell = (at, start, size) =>
      Math.max(0, Math.min(n - 1, Math.floor((n * (at - start)) / size)));
    const column = cell(event.clientX, box.left, box.width);
    const row = cell(event.clientY, box.top, box.height);
    return [this.levels[row * n + column], ...[row, column].map((i) => this.view.data.heat.edges[i])];
  }

  probe(event) {
    const [level, row, column] = this.heatPlace(event);
    const distance = ((FARTHEST * level) / 255).toFixed(2);
    this.view.find(".told").textContent =
      `Sentences ${row + 1} and ${column + 1}: ${distance} apart.`;
  }
}

function rgb(color) {
  return color.match(/\d+/g).slice(0, 3).map(Number); // "rgb(22, 50, 79)"
}
