// Small plots in SVG, redrawn at every frame: lines, points and a frame with ticks. Colours are those of the style sheet.
const SPACE = "http://www.w3.org/2000/svg";
const WIDTH = 320, HEIGHT = 260, LEFT = 44, RIGHT = 10, TOP = 10, BOTTOM = 40;

function svg(name, about, parent) {
  const element = document.createElementNS(SPACE, name);
  for (const [key, value] of Object.entries(about)) element.setAttribute(key, value);
  parent?.append(element);
  return element;
}

/** A plot with fixed axes {low, high, title} and named lines; `draw` takes {name: [[x, y], …]} and {name: points}. */
export class Plot {
  constructor(place, title, x, y, lines, points) {
    this.root = svg("svg", { viewBox: `0 0 ${WIDTH} ${HEIGHT}`, role: "img", class: "live-plot" }, place);
    this.label = svg("title", {}, this.root);
    this.title = title;
    this.axes = { x, y };
    this.ticks = svg("g", { class: "live-ticks" }, this.root);
    svg("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM, class: "live-frame" }, this.root);
    const bottom = { x: (LEFT + WIDTH - RIGHT) / 2, y: HEIGHT - 6, "text-anchor": "middle" };
    svg("text", bottom, this.root).textContent = x.title;
    const side = { x: 0, y: 0, "text-anchor": "middle", transform: `translate(11 ${(TOP + HEIGHT - BOTTOM) / 2}) rotate(-90)` };
    svg("text", side, this.root).textContent = y.title;
    const id = `live-clip-${document.querySelectorAll(".live-plot").length}`;
    const clip = svg("clipPath", { id }, this.root);
    svg("rect", { x: LEFT, y: TOP, width: WIDTH - LEFT - RIGHT, height: HEIGHT - TOP - BOTTOM }, clip);
    const curves = svg("g", { "clip-path": `url(#${id})` }, this.root);
    this.paths = Object.fromEntries(lines.map((name) => [name, svg("path", { class: `live-line live-${name}` }, curves)]));
    this.groups = Object.fromEntries(points.map((name) => [name, svg("g", { class: `live-point live-${name}` }, this.root)]));
  }

  draw(lines, points, alt) {
    this.label.textContent = `${this.title}. ${alt}`;
    const { x, y } = this.axes;
    const across = (v) => LEFT + ((v - x.low) / (x.high - x.low)) * (WIDTH - LEFT - RIGHT);
    const up = (v) => HEIGHT - BOTTOM - ((v - y.low) / (y.high - y.low)) * (HEIGHT - TOP - BOTTOM);
    const inside = (v) => Math.min(Math.max(v, y.low - (y.high - y.low)), y.high + (y.high - y.low));
    for (const [name, path] of Object.entries(this.paths)) {
      let pen = "M";
      path.setAttribute("d", (lines[name] ?? []).map(([a, b]) => {
        if (!Number.isFinite(b)) return (pen = "M"), "";
        const at = `${pen}${across(a).toFixed(1)} ${up(inside(b)).toFixed(1)}`;
        pen = "L";
        return at;
      }).join(""));
    }
    for (const [name, group] of Object.entries(this.groups)) {
      group.replaceChildren(...(points[name] ?? []).map(([a, b]) => svg("circle", { cx: across(a), cy: up(b), r: 4.5 })));
    }
    this.mark(across, up);
  }

  mark(across, up) {
    const wanted = JSON.stringify([this.axes.x.low, this.axes.x.high, this.axes.y.low, this.axes.y.high]);
    if (wanted === this.marked) return;
    this.marked = wanted;
    this.ticks.replaceChildren();
    for (const share of [0, 0.25, 0.5, 0.75, 1]) {
      const { x, y } = this.axes;
      const [a, b] = [x.low + share * (x.high - x.low), y.low + share * (y.high - y.low)];
      const below = { x: across(a), y: HEIGHT - BOTTOM + 14, "text-anchor": "middle" };
      svg("text", below, this.ticks).textContent = short(a);
      svg("text", { x: LEFT - 5, y: up(b) + 4, "text-anchor": "end" }, this.ticks).textContent = short(b);
      svg("path", { d: `M${LEFT} ${up(b)}H${WIDTH - RIGHT}` }, this.ticks);
    }
  }
}

export const short = (v) => Number(v.toPrecision(3)).toString();

/** The next number above whose quarters are short. */
export function rounded(v) {
  const unit = 0.4 * 10 ** Math.floor(Math.log10(v));
  return unit * Math.ceil(v / unit);
}
