// The page "Explore": a point of the space of objectives. Curves are drawn from compiled trees at every move; what is
// certified, and which claims cover the point, Python says when it is asked.
import { compiled, evaluate, tabled, trajectory, zeros } from "./numbers.mjs";
import { CHOICES } from "./choices.mjs";
import { gaps, maps, slopes } from "./curves.mjs";
import { ask, formula, make, started, stop, watchLoading } from "./client.mjs";
import { Plot, rounded, short } from "./plot.mjs";
import { START, chosen, idle } from "./state.mjs";

const FIELDS = { group_size: "Group size G", normaliser: "Divided by", divergence: "Divergence", place: "Its place",
  weighted: "Its weight" };
const WORDS = { oo: "∞ (large groups)", "reverse-kl": "KL(π‖π_ref)", "forward-kl": "KL(π_ref‖π)" };

const place = document.querySelector(".live-explore");
const state = { ...START, ...Object.fromEntries(new URLSearchParams(location.hash.slice(1))) };
for (const name of Object.keys(state)) if (!(name in START)) delete state[name];
const inputs = {};

/** A decimal or a fraction as a number, NaN for what is neither. */
const value = (text) => {
  const [, above, below] = text.trim().match(/^([\d.]+(?:e-?\d+)?)(?:\/([\d.]+))?$/i) ?? [];
  return above === undefined ? NaN : Number(above) / Number(below ?? 1);
};
const logit = (p) => Math.log(p / (1 - p));

// -- the form --------------------------------------------------------------------------------------------------------

function field(name, words, element, ...more) {
  inputs[name] = Object.assign(element, { id: `live-${name}` });
  return make("div", { className: "live-field" }, make("label", { for: element.id }, words), element, ...more);
}

function choice(name) {
  const values = CHOICES[name];
  const known = values.includes(state[name]) ? values : [...values, state[name]];
  const select = make("select", {}, ...known.map((v) => make("option", { value: v }, WORDS[v] ?? v)));
  select.value = state[name];
  select.addEventListener("change", () => change({ [name]: select.value }));
  return field(name, FIELDS[name], select);
}

/** A number with a slider beside it; `to` and `from` take it to the slider's scale and back. */
function number(name, words, low, high, to, from) {
  const text = make("input", { type: "text", value: state[name], inputMode: "decimal", size: 9 });
  const slider = make("input", { type: "range", min: low, max: high, step: (high - low) / 600, "aria-label": `${words}, slider` });
  const follow = () => { if (to(value(text.value)) >= low) slider.value = to(value(text.value)); };
  text.addEventListener("input", () => { follow(); change({ [name]: text.value.trim() }); });
  slider.addEventListener("input", () => {
    text.value = from(Number(slider.value)).toPrecision(3).replace(/\.?0+$/, (zeros) => zeros.includes(".") ? "" : zeros);
    change({ [name]: text.value });
  });
  follow();
  inputs[`${name}-slider`] = slider;
  return field(name, words, text, slider);
}

function written(name, words, about) {
  const text = make("input", { type: "text", value: state[name], spellcheck: false, ...about });
  text.addEventListener("input", () => change({ [name]: text.value.trim() }));
  return field(name, words, text);
}

const trainers = ["", ...CHOICES.trainer];
const trainer = make("select", {}, ...trainers.map((name) => make("option", { value: name }, name || "none")));
trainer.value = state.trainer;
trainer.addEventListener("change", () => change({ trainer: trainer.value }));
const options = make("textarea", { rows: 4, spellcheck: false, value: state.options, placeholder: "beta: 0.04\n--num_generations 8" });
options.addEventListener("input", () => change({ options: options.value }));

const status = make("p", { role: "status", className: "live-status" });
const drawn = make("p", { className: "live-drawn", "aria-live": "polite" });
const certify = make("button", { type: "button" }, "Certify, and find the claims");
const halt = make("button", { type: "button", hidden: true }, "Stop");
const share = make("button", { type: "button" }, "Copy the link");
const copy = make("button", { type: "button" }, "Copy as Python");
const plots = make("div", { className: "live-plots" });
const results = make("div", { className: "live-results" });

place.append(
  make("form", { className: "live-form", onsubmit: () => false },
    ...Object.keys(FIELDS).map(choice),
    written("guard", "Guard ε", { size: 9 }),
    written("deviation", "Deviation of the batch", { size: 9 }),
    number("beta", "β", -3, 1.5, (b) => Math.log10(b), (v) => 10 ** v),
    number("p_ref", "Pass rate of the reference", -7, 7, logit, (v) => 1 / (1 + Math.exp(-v))),
    written("advantage", "An advantage of your own", { placeholder: "clip((r - mean)/std, -1, 1)" }),
    written("penalty", "A penalty of your own", { placeholder: "sum((pi - ref)^2/ref)" }),
    make("details", { className: "live-field", open: state.trainer !== "" },
      make("summary", {}, "From a trainer's options"),
      field("trainer", "Trainer", trainer),
      field("options", "Options, one a line", options))),
  make("p", { className: "live-buttons" }, certify, halt, share, copy),
  status, drawn, plots, results,
);

// -- the curves ------------------------------------------------------------------------------------------------------

const balance = new Plot(plots, "What pulls up and what holds back, against the success x of the policy",
  { low: 0, high: 1, title: "x" }, { low: 0, high: 4, title: "Δ(x), β × slope" }, ["gap", "slope"], ["stable", "unstable"]);
const cobweb = new Plot(plots, "Best responses, one after the other",
  { low: 0, high: 1, title: "x" }, { low: 0, high: 1, title: "best response" }, ["diagonal", "map", "web"], ["stable", "start"]);
const flow = new Plot(plots, "The flow from several starts",
  { low: 0, high: 1, title: "time, of the longest shown" }, { low: 0, high: 1, title: "x" }, ["others", "own"], ["start"]);
const GRID = Array.from({ length: 241 }, (_, k) => 0.5 / 241 + k / 241.0001);

let own = null; // the curves that Python wrote for the point of which it was asked

/** What the curves of a point depend on: β and the pass rate are arguments, unless β is part of the gap. */
const key = (point) => JSON.stringify({ ...point, p_ref: "", beta: point.place === "raw-reward" ? point.beta : "" });

/** The curves of the point, from Python or from the page's tables; `null` where Python has not been asked. */
function curves() {
  if (own?.key === key(chosen(state))) return own;
  if (state.trainer || state.advantage || state.penalty || state.place === "raw-reward") return null;
  const { divergence, place: where = "loss", weighted = "none" } = chosen(state);
  const slope = slopes[`${divergence}|${where}|${weighted}`];
  const gap = gaps[`${state.normaliser}|${state.group_size}`];
  return gap && slope ? { gap, slope } : null;
}

function draw() {
  const current = curves();
  const beta = state.trainer ? (own?.beta ?? NaN) : value(state.beta);
  const p = value(state.p_ref);
  const known = { p, beta, guard: value(state.guard), c: value(state.deviation) };
  plots.hidden = !current || !(beta >= 0 || state.divergence === "none") || !(p > 0 && p < 1);
  if (plots.hidden) {
    drawn.textContent = current ? "β is above 0, and the pass rate lies between 0 and 1." : "Python draws this point: press “Certify”.";
    return;
  }
  const strength = state.divergence === "none" && !state.penalty && !state.trainer ? 0 : beta;
  const gap = tabled(current.gap, known);
  const pull = (x) => {
    known.x = x;
    return strength ? strength * evaluate(current.slope, known) : 0;
  };
  const drift = (x) => gap(x) - pull(x);
  const fixed = zeros(drift);
  const [rise, hold] = [GRID.map((x) => [x, gap(x)]), GRID.map((x) => [x, pull(x)])];
  balance.axes.y.high = rounded(1.15 * Math.max(...rise.slice(12, -12).map(([, y]) => y).filter(Number.isFinite), 1e-9));
  balance.axes.y.low = hold.some(([, y]) => y < 0) ? -balance.axes.y.high : 0;
  const at = (stable) => fixed.filter((q) => q.stable === stable).map((q) => [q.x, gap(q.x)]);
  const words = fixed.length ? fixed.map((q) => `${short(q.x)}${q.stable ? "" : " (repels)"}`).join(", ") : "none inside";
  balance.draw({ gap: rise, slope: hold }, { stable: at(true), unstable: at(false) }, `Stationary at ${words}.`);

  const map = !state.penalty && !state.trainer && maps[state.divergence];
  cobweb.root.parentNode.toggleAttribute("data-without-map", !map);
  if (map) {
    const response = (x) => evaluate(map, { p, height: gap(x) / beta });
    const web = [[p, 0]];
    for (let x = p, k = 0; k < 60; k++) {
      const next = response(x);
      web.push([x, next], [next, next]);
      x = next;
    }
    cobweb.draw({ diagonal: [[0, 0], [1, 1]], map: GRID.map((x) => [x, response(x)]), web },
      { stable: fixed.map((q) => [q.x, q.x]), start: [[p, p]] }, `From ${short(p)}; fixed points ${words}.`);
  }
  const time = 12 / (1 + strength); // a strong divergence is quick
  const paths = [0.02, 0.1, 0.3, 0.5, 0.7, 0.9, 0.98].map((from) => trajectory(drift, from, time));
  const mine = trajectory(drift, p, time);
  flow.draw({ others: paths.flatMap((path) => [[0, NaN], ...path]), own: mine }, { start: [[0, p]] },
    `From ${short(p)} to ${short(mine.at(-1)[1])}.`);
  drawn.textContent = `Drawn, not certified: stationary policies ${words}; the flow from ${short(p)} ends at ${short(mine.at(-1)[1])}.`;
}

// -- changes ---------------------------------------------------------------------------------------------------------

let frame = 0;
let pause = 0;
let asking = false;

function change(over) {
  Object.assign(state, over);
  frame ||= requestAnimationFrame(timed);
  results.classList.add("live-stale");
  clearTimeout(pause);
  pause = setTimeout(() => {
    show();
    history.replaceState(null, "", `#${new URLSearchParams(chosen(state))}`);
    if (started()) answer();
  }, 300);
}

/** Draw, and leave the time that it took where the browser's own tools show it. */
function timed() {
  const start = performance.now();
  frame = 0;
  draw();
  performance.clearMeasures("live-draw");
  performance.measure("live-draw", { start });
}

/** Only what plays a part can be chosen. */
function show() {
  const hidden = idle(state);
  for (const [name, input] of Object.entries(inputs)) {
    const off = hidden.includes(name.replace("-slider", ""));
    [input.disabled, input.closest(".live-field").hidden] = [off, off];
  }
}

async function answer() {
  if (asking) return (asking = "again");
  asking = true;
  [certify.disabled, halt.hidden] = [true, false];
  const point = chosen(state);
  if (!loading) status.textContent = "Python is working …";
  try {
    const begun = performance.now();
    const theory = await ask("explore", { state: point });
    present(theory);
    const { gap, slope, beta } = theory.curves;
    own = { key: key(point), gap: compiled(gap), slope: compiled(slope), beta };
    draw();
    status.textContent = `${theory.point}: answered in ${((performance.now() - begun) / 1000).toFixed(1)} s.`;
    results.classList.remove("live-stale");
  } catch (problem) {
    results.replaceChildren();
    status.textContent = problem.message;
  }
  [certify.disabled, halt.hidden] = [false, true];
  const again = asking === "again" && started();
  asking = false;
  if (again) answer();
}

// -- what Python says ------------------------------------------------------------------------------------------------

const titled = (words, ...content) => make("section", {}, make("h3", {}, words), ...content);
const line = (...content) => make("p", {}, ...content);
const digits = (text) => make("code", {}, text);

const EXTREMA = {
  maximum: "a maximum of", minimum: "a minimum of", flat: "a flat point of", kink: "a kink of", undecided: "undecided what it is of",
};

function numbers(certified) {
  if (certified === null) return line("Give β and a pass rate for numbers.");
  if (typeof certified === "string") return line(certified);
  const list = make("ul", {}, ...certified.policies.map((q) => make("li", {}, "x = ", digits(q.digits), `, ${EXTREMA[q.extremum]} its ` +
    `own frozen objective${q.responses ? `; best responses: ${q.responses}` : ""}${q.separated ? "" : "; not separated from its neighbour"}`)));
  const none = certified.policies.length ? null : line("No stationary policy inside (0, 1)" + (certified.within ? `, for log-odds from ${certified.within.join(" to ")}.` : "."));
  const limit = certified.limit && line(`Exact best responses from the reference: ${certified.limit.kind} `,
    ...certified.limit.points.flatMap((q, k) => [k ? " → " : "", digits(q.digits)]), `. ${certified.limit.reason}`);
  return make("div", {}, list, none, line("The flow from the reference ends at ", digits(certified.flow.digits), "."), limit ?? null);
}

function claims(row) {
  const root = place.dataset.root;
  const items = row.claims.map((c) => make("li", {},
    make("span", { className: `claim-badge claim-${c.verdict}` }, c.verdict), " ",
    make("a", { href: `${root}c/${c.id}.html` }, c.title), c.grade && ` · ${c.grade}`, c.where && `, where ${c.where}`, c.note && `: ${c.note}`));
  return make("li", { className: row.open ? "live-open" : "" }, row.question + (row.open ? " — settled by no claim" : ""), make("ul", {}, ...items));
}

function present(theory) {
  const short = theory.preferences.every((e) => e !== null);
  const covered = theory.answers.filter((row) => row.claims.length);
  const named = { A: theory.advantage, "\\Delta(x)": theory.gap, x: theory.closed_form };
  const latex = [theory.equation, ...Object.entries(named).filter(([, e]) => e).map(([name, e]) => `${name} = ${e}`)];
  results.replaceChildren(
    titled("Stationary policy, certified", numbers(theory.numbers)),
    titled("Equation", formula(theory.equation), theory.closed_form ? line("In closed form:") : line("No closed form is known here."),
      theory.closed_form ? formula(`x = ${theory.closed_form}`) : null),
    titled("Objective of the policy x, frozen at the old policy y", formula(`J(x) = ${theory.objective}`),
      short ? formula(`P_G(\\mathrm{right}) = ${theory.preferences[0]}`) : line("The preferences P_G are sums over all groups of this size.")),
    ...(theory.advantage ? [titled("Advantage of a text with reward r", formula(`A = ${theory.advantage}`))] : []),
    titled("Gap between a right and a wrong answer", theory.gap ? formula(`\\Delta(x) = ${theory.gap}`) : line("A sum with a term for every mixed group.")),
    titled("Claims that cover this point", covered.length ? make("ul", { className: "live-claims" }, ...covered.map(claims)) : line("None.")),
    titled("What no claim of this book settles here", make("ul", {}, ...theory.answers.filter((row) => row.open).map((row) => make("li", {}, row.question)))),
    make("details", {}, make("summary", {}, "LaTeX and Python"),
      make("pre", { tabIndex: 0 }, latex.join("\n")),
      make("pre", { tabIndex: 0, className: "live-python" }, theory.python)),
  );
}

function python() {
  const known = chosen(state);
  if (known.trainer || known.advantage || known.penalty) return results.querySelector(".live-python")?.textContent;
  const parts = Object.entries(known).map(([name, text]) => `${name}=${name === "group_size" && /^\d+$/.test(text) ? text : `"${text}"`}`);
  return `import grpo_symbolic as gs\n\ntheory = gs.theory(${parts.join(", ")})`;
}

async function put(text, what) {
  try {
    await navigator.clipboard.writeText(text);
    status.textContent = `${what} is on the clipboard.`;
  } catch {
    status.textContent = text;
  }
}

let loading = "";
watchLoading((stage) => {
  loading = stage;
  if (stage) status.textContent = `${stage} …`;
});
certify.addEventListener("click", answer);
halt.addEventListener("click", () => stop("Stopped."));
share.addEventListener("click", () => put(location.href, "The link"));
copy.addEventListener("click", () => (python() ? put(python(), "Python") : (status.textContent = "Press “Certify” first: Python writes this one.")));
show();
draw();
