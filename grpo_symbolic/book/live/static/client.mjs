// What the live pages share: the worker with Python in it, started when it is first asked, and a few helpers.
const waiting = new Map();
const watching = new Set();
let worker = null;
let last = 0;

/** `heard` is called with what is being loaded, and with "" when everything is there. */
export function watchLoading(heard) {
  watching.add(heard);
}

export const started = () => worker !== null;

function start() {
  worker = new Worker(new URL("worker.mjs", import.meta.url), { type: "module" });
  worker.onmessage = ({ data }) => {
    if ("stage" in data) return watching.forEach((heard) => heard(data.stage));
    const asked = waiting.get(data.number);
    if (!asked) return;
    if ("told" in data) return asked.progress(data.told);
    waiting.delete(data.number);
    "found" in data ? asked.resolve(data.found) : asked.reject(new Error(data.refused ?? data.failed));
  };
  worker.onerror = (event) => stop(`Python could not be started: ${event.message ?? "a file of it is missing"}`);
}

/** End the worker; whoever waits for it is told why. The next question starts another. */
export function stop(reason) {
  worker?.terminate();
  worker = null;
  watching.forEach((heard) => heard(""));
  for (const asked of waiting.values()) asked.reject(new Error(reason));
  waiting.clear();
}

/** A function of the desk with plain data; `progress` is called with its messages while it works. Rejects with one sentence. */
export function ask(call, given, progress = () => {}) {
  if (!worker) start();
  return new Promise((resolve, reject) => {
    waiting.set(++last, { resolve, reject, progress });
    worker.postMessage({ number: last, call, given });
  });
}

/** An element with properties, attributes (with a dash, or `for` and `role`) and children. */
export function make(name, about = {}, ...children) {
  const element = document.createElement(name);
  for (const [key, value] of Object.entries(about)) {
    key.includes("-") || key === "for" || key === "role" ? element.setAttribute(key, value) : (element[key] = value);
  }
  element.append(...children.filter((child) => child !== null));
  return element;
}

/** A displayed formula: typeset where MathJax is there, its LaTeX where it is not. */
export function formula(tex) {
  const element = make("div", { className: "live-formula tex2jax_process", tabIndex: 0 }, `\\[${tex}\\]`);
  queueMicrotask(() => window.MathJax?.startup?.promise?.then(() => MathJax.typesetPromise([element])).catch(() => {}));
  return element;
}

document.head.append(make("link", { rel: "stylesheet", href: new URL("live.css", import.meta.url).href }));
