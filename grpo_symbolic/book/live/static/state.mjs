// What the page "Explore" has of a point: names with texts, and which of them play a part.
import { COMPLETE, GUARDED } from "./choices.mjs";

export const START = { group_size: "8", normaliser: "std", guard: "1/10000", deviation: "1/2", divergence: "reverse-kl",
  place: "loss", weighted: "none", beta: "1", p_ref: "0.2", advantage: "", penalty: "", trainer: "", options: "" };
const OF_TRAINER = ["trainer", "options", "p_ref"];

/** What other choices make idle: it is neither shown nor sent. */
export function idle(state) {
  if (state.trainer) return Object.keys(START).filter((name) => !OF_TRAINER.includes(name));
  const own = { advantage: state.advantage !== "", penalty: state.penalty !== "" };
  const whole = own.penalty || COMPLETE.includes(state.divergence);
  const off = {
    normaliser: own.advantage,
    guard: own.advantage || !GUARDED.includes(state.normaliser),
    deviation: own.advantage || state.normaliser !== "batch",
    divergence: own.penalty,
    beta: !own.penalty && state.divergence === "none",
    place: whole,
    weighted: whole || state.place !== "loss",
    options: true,
  };
  return Object.keys(off).filter((name) => off[name]);
}

/** What belongs to the point. */
export function chosen(state) {
  const off = idle(state);
  return Object.fromEntries(Object.entries(state).filter(([name, text]) => text !== "" && !off.includes(name)));
}
