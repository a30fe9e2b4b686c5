// Floating point for the curves that are drawn: zeros, a flow, and functions that Python has written.

/** A function [f, names of its arguments] at named values. */
export const evaluate = ([f, names], values) => f(...names.map((name) => values[name]));

/** A function that grpo_symbolic.book.live.drawing has written, and the names of its arguments. */
export const compiled = ({ source, arguments: names }) => [new Function(`return ${source}`)(), names];

const STEPS = 600, FAR = 14;
const success = (odds) => 1 / (1 + Math.exp(-odds));

/** The zeros of a drift in (0, 1), on a grid of log-odds and then by bisection; `stable` where it falls through 0. */
export function zeros(drift) {
  const found = [];
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
      found.push({ x: success((low + high) / 2), stable: before > 0 });
    }
    if (here !== 0) before = here;
  }
  return found;
}

/** x against the share of time, where the log-odds move with the drift: natural gradient flow, by Runge and Kutta. */
export function trajectory(drift, from, time = 12, steps = 240) {
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
