// Floating point for the curves that are drawn: zeros, a flow, and functions that Python has written.

/** A function [f, names of its arguments] at named values. */
export const evaluate = ([f, names], values) => f(...names.map((name) => values[name]));

/** A function that grpo_symbolic.book.live.drawing has written, and the names of its arguments. */
export const compiled = ({ source, arguments: names }) => [new Function(`return ${source}`)(), names];

const STEPS = 600, FINE = 2400, FAR = 14;
const success = (odds) => 1 / (1 + Math.exp(-odds));

let table = { of: null, at: "", values: null };

/** A function of x by its values on a grid of log-odds, reused while nothing else that it takes changes: a gap is a sum over
 * groups, and is wanted ten thousand times a frame. */
export function tabled(curve, values) {
  const at = JSON.stringify(curve[1].map((name) => name !== "x" && values[name]));
  if (table.of !== curve || table.at !== at) {
    const grid = Array.from({ length: FINE + 1 }, (_, k) => success(FAR * ((2 * k) / FINE - 1)));
    table = { of: curve, at, values: Float64Array.from(grid, (x) => evaluate(curve, { ...values, x })) };
  }
  return (x) => {
    const place = Math.max(0, Math.min(FINE, (Math.log(x / (1 - x)) / FAR + 1) * (FINE / 2)));
    const left = Math.min(FINE - 1, Math.floor(place));
    return table.values[left] + (place - left) * (table.values[left + 1] - table.values[left]);
  };
}

/** The zeros of a drift in (0, 1), on a grid of log-odds and then by bisection; `stable` where it falls through 0. */
export function zeros(drift) {
  const roots = [];
  let before = NaN;
  for (let k = 0; k <= STEPS; k++) {
    const odds = FAR * ((2 * k) / STEPS - 1);
    const here = drift(success(odds));
    if (before * here < 0) {
      let [low, high] = [odds - (2 * FAR) / STEPS, odds];
      for (let halving = 0; halving < 40; halving++) {
        const middle = (low + high) / 2;
        drift(success(middle)) * before > 0 ? (low = middle) : (high = middle);
      }
      roots.push({ x: success((low + high) / 2), stable: before > 0 });
    }
    if (here !== 0) before = here;
  }
  return roots;
}

/** x against the share of time, where the log-odds move with the drift: natural gradient flow, by Runge and Kutta. */
export function trajectory(drift, from, time = 12, steps = 160) {
  const path = [[0, from]];
  const velocity = (odds) => Math.max(-50, Math.min(50, drift(success(odds))));
  let odds = Math.log(from / (1 - from));
  for (let k = 1; k <= steps; k++) {
    const h = time / steps;
    const a = velocity(odds), b = velocity(odds + (h * a) / 2), c = velocity(odds + (h * b) / 2), d = velocity(odds + h * c);
    const move = (h * (a + 2 * b + 2 * c + d)) / 6;
    odds = Math.max(-FAR, Math.min(FAR, odds + (Number.isFinite(move) ? move : 0)));
    path.push([k / steps, success(odds)]);
  }
  return path;
}
