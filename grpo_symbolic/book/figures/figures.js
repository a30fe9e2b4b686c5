/* Figures with controls: each stands in the page as static pictures and as JSON. Axes with their curves take the place of
   the pictures, and the controls choose which of the precomputed settings is shown. Nothing is requested. */
"use strict";

(function () {
  function array(base64) {
    const bytes = Uint8Array.from(atob(base64), (c) => c.charCodeAt(0));
    return new Float32Array(bytes.buffer);
  }

  function make(name, classes, parent) {
    const element = document.createElement(name);
    element.className = classes;
    parent.append(element);
    return element;
  }

  function control(about, parent, changed) {
    const row = make("label", "figure-control", parent);
    const words = make("span", "figure-control-words", row);
    words.innerHTML = about.words;
    const input = make("input", "", row);
    const shown = make("output", "", row);
    Object.assign(input, { type: "range", min: 0, max: about.values.length - 1, step: 1, value: about.start });
    function say() {
      shown.textContent = about.values[input.value];
      input.setAttribute("aria-valuetext", about.values[input.value]);
    }
    input.addEventListener("input", () => { say(); changed(); });
    say();
    return input;
  }

  const SPACE = "http://www.w3.org/2000/svg";

  function svg(name, about, parent) {
    const element = document.createElementNS(SPACE, name);
    for (const [key, value] of Object.entries(about)) element.setAttribute(key, value);
    parent.append(element);
    return element;
  }

  /** Where a value of an axis lies between two ends of the picture. */
  function scale({ low, high, scale }, begin, end) {
    const place = scale === "log" ? Math.log10 : (v) => v;
    const [from, to] = [place(low), place(high)];
    return (v) => begin + ((place(v) - from) / (to - from)) * (end - begin);
  }

  /** A value as a reader reads it: log-odds as the probability. */
  function written(v, { scale }) {
    return Number((scale === "odds" ? 1 / (1 + Math.exp(-v)) : v).toPrecision(3)).toString();
  }

  function curve(xs, ys) {
    let pen = "M", path = "";
    xs.forEach((x, k) => {
      if (!Number.isFinite(x) || !Number.isFinite(ys[k])) { pen = "M"; return; }
      path += `${pen}${x.toFixed(2)} ${ys[k].toFixed(2)}`;
      pen = "L";
    });
    return path;
  }

  function discs(xs, ys, r, [left, top, right, bottom]) {
    const whole = (x, y) => x >= left - 0.01 && x <= right + 0.01 && y >= top - 0.01 && y <= bottom + 0.01;
    const disc = (x, y) => (whole(x, y) ? `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0` : "");
    return Array.from(xs, (x, k) => disc(x, ys[k])).join("");
  }

  /** The axes as a picture, and over it what moves. */
  class Plot {
    constructor(box, about, alt) {
      Object.assign(this, about);
      this.title = make("p", "figure-panel-title", box);
      const [width, height] = about.size, [left, top, right, bottom] = about.box;
      const plot = make("div", "figure-plot", box);
      const frame = make("img", "", plot);
      Object.assign(frame, { src: `data:image/svg+xml;base64,${about.picture}`, alt });
      this.root = svg("svg", { viewBox: `0 0 ${width} ${height}`, "aria-hidden": "true" }, plot);
      const id = `figure-clip-${document.querySelectorAll(".figure-plot").length}`;
      svg("rect", { x: left, y: top, width: right - left, height: bottom - top }, svg("clipPath", { id }, this.root));
      this.paths = about.items.map((item) => this.pair(item, `url(#${id})`));
      this.across = scale(about.x, left, right);
      this.up = scale(about.y, bottom, top);
      this.near = svg("g", { class: "figure-near" }, this.root);
      this.root.addEventListener("pointermove", (event) => this.read(event));
      this.root.addEventListener("pointerleave", () => this.near.replaceChildren());
    }

    /** The line or area, and its points. */
    pair(item, clip) {
      if (item.area) return [svg("path", { fill: item.colour, "fill-opacity": item.opacity, "clip-path": clip }, this.root)];
      const line = { fill: "none", stroke: item.colour, "stroke-width": item.width, "stroke-dasharray": item.dash.join(" ") };
      const points = { fill: item.ring ? "#fff" : item.colour, stroke: item.colour };
      return [svg("path", { ...line, "clip-path": clip }, this.root), svg("path", points, this.root)];
    }

    draw(frame, values) {
      this.title.innerHTML = frame.title;
      this.near.replaceChildren();
      this.at = frame.at.map(([x, y]) => [values(x).map(this.across), values(y).map(this.up), values(x), values(y)]);
      this.items.forEach((item, k) => {
        const [xs, ys] = this.at[k], [line, points] = this.paths[k];
        line.setAttribute("d", item.area ? `${curve(xs, ys)}Z` : item.joined ? curve(xs, ys) : "");
        points?.setAttribute("d", item.radius ? discs(xs, ys, item.radius, this.box) : "");
      });
    }

    /** Names the point of a line that is nearest to the pointer. */
    read(event) {
      const { left, top, width } = this.root.getBoundingClientRect(), unit = this.size[0] / width;
      const [px, py] = [(event.clientX - left) * unit, (event.clientY - top) * unit];
      let best = { far: 20 };
      this.items.forEach((item, k) => {
        if (item.area) return;
        const [xs, ys] = this.at[k];
        xs.forEach((x, j) => {
          const far = Math.hypot(x - px, ys[j] - py);
          if (far < best.far) best = { far, item, k, j };
        });
      });
      this.near.replaceChildren();
      if (!best.item) return;
      const [xs, ys, x, y] = this.at[best.k], j = best.j, right = xs[j] > this.size[0] / 2;
      svg("circle", { cx: xs[j], cy: ys[j], r: 3.5, fill: best.item.colour }, this.near);
      const place = { x: xs[j] + (right ? -7 : 7), y: Math.max(ys[j] - 7, this.box[1] + 9), "text-anchor": right ? "end" : "start" };
      const words = `${written(x[j], this.x)}, ${written(y[j], this.y)}`;
      svg("text", place, this.near).textContent = best.item.name ? `${best.item.name}: ${words}` : words;
    }
  }

  function start(figure) {
    const about = JSON.parse(figure.querySelector("script.figure-data").textContent);
    const pictures = figure.querySelector(".figure-pictures");
    const live = document.createElement("div");
    live.className = "figure-live";
    pictures.before(live);
    const controls = make("div", "figure-controls", live);
    const plots = make("div", "figure-panels", live);
    const panels = about.panels.map((panel) => {
      const box = make("div", "figure-panel", plots);
      const plot = new Plot(box, panel, figure.dataset.alt);
      const note = make("p", "figure-note", box);
      note.setAttribute("aria-live", "polite");
      return { plot, note };
    });
    const decoded = new Map();
    const values = (at) => {
      if (!decoded.has(at)) decoded.set(at, array(about.arrays[at]));
      return decoded.get(at);
    };

    function show() {
      const frame = about.frames[inputs.reduce((sum, input, k) => sum * about.controls[k].values.length + Number(input.value), 0)];
      panels.forEach(({ plot, note }, k) => {
        plot.draw(frame[k], values);
        note.textContent = frame[k].note;
        note.hidden = !frame[k].note;
      });
    }

    const inputs = about.controls.map((c) => control(c, controls, show));
    show();
    pictures.hidden = true;
  }

  document.addEventListener("DOMContentLoaded", () => document.querySelectorAll(".figure-of[data-alt]").forEach(start));
})();
