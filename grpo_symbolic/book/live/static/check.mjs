// "Check it here" on a claim's own page: its kept proof replayed in this browser, and changed sentences tried.
import { ask, make, stop, watchLoading } from "./client.mjs";

const WAYS = {
  certificate: "certificate",
  quotients: "normal form of quotients",
  sturm: "Sturm chain",
  expansion: "expansion",
  witness: "exact witness",
  point: "a point, in ball arithmetic",
  sampling: "a counter-example, confirmed in ball arithmetic",
  boxes: "boxes of balls",
};

function step(check, own) {
  const printed = check.about === "printed";
  const good = check.outcome === (printed ? "refuted" : "holds");
  const words = { holds: "holds", refuted: "refuted", unknown: "not shown" }[check.outcome];
  const by = check.by === "kept" ? "" : `${WAYS[check.by] ?? check.by}, ${check.grade}, ${Math.round(check.seconds * 1000)} ms`;
  const believed = check.believes.length ? `; believed: ${check.believes.join(", ")}` : "";
  const what = (printed ? "the sentence as printed: " : "") + check.obligation;
  const of = check.claim && check.claim !== own ? make("code", {}, `${check.claim} `) : null;
  return make(
    "li",
    { className: good ? "live-good" : "live-bad" },
    of,
    `${what} `,
    make("strong", {}, words),
    make("span", { className: "live-by" }, ` ${by}${believed}`),
    check.reason ? make("span", { className: "live-reason" }, ` ${check.reason}`) : null,
  );
}

function believed(entry) {
  if (entry.words.length) return ` Beside the checks it rests on words: ${entry.words.join("; ")}.`;
  return entry.believes.length
    ? ` Besides python-flint and this checker, this is believed: ${entry.believes.join(", ")}.`
    : " Nothing is believed but python-flint, SymPy's reading of the sentence, and this checker.";
}

function start(place) {
  const id = place.dataset.claim;
  const status = make("p", { role: "status", className: "live-status" });
  const steps = make("ol", { className: "live-steps" });
  const replay = make("button", { type: "button" }, "Replay the proof");
  const halt = make("button", { type: "button", hidden: true }, "Stop");
  const changed = make("div", { hidden: true });
  place.append(
    make("h2", { id: "check-it-here" }, "Check it here"),
    make("p", {}, "The proof that is kept of this claim, and of all that it depends on, is replayed in this browser. " +
      "Python and the checker come from this book (34 MB); nothing is sent anywhere."),
    make("p", { className: "live-buttons" }, replay, halt),
    status,
    make("div", { className: "live-scroll", tabIndex: 0 }, steps),
    changed,
  );
  let loading = "";
  let working = "";
  const say = () => (status.textContent = loading ? `${loading} …` : working);
  watchLoading((stage) => { loading = stage; say(); });

  const run = async (work, below, show) => {
    for (const button of place.querySelectorAll("button")) button.disabled = button !== halt;
    halt.hidden = false;
    below.replaceChildren();
    try {
      await work();
    } catch (problem) {
      show(problem.message);
    }
    halt.hidden = true;
    for (const button of place.querySelectorAll("button")) button.disabled = false;
    say();
  };

  replay.addEventListener("click", () => run(async () => {
    working = "the proof is being replayed …";
    let sentence = "";
    const entry = await ask("check", { id }, (message) => {
      if ("text" in message) return (sentence = message.text);
      steps.append(step(message, id));
      working = `${message.done} of ${message.total} checked`;
      say();
    });
    working = `${id} is ${entry.verdict} (${entry.grade} at its weakest link): ${steps.children.length} checks, ` +
      `${entry.seconds} s.${believed(entry)}`;
    if (sentence) steps.before(make("p", { className: "live-sentence" }, sentence));
    if (changed.hidden) await offer();
  }, steps, (text) => (working = text)));
  halt.addEventListener("click", () => stop("Stopped."));

  async function offer() {
    const changes = await ask("changes", { id });
    if (!changes.length) return;
    const select = make("select", { id: "live-change" });
    for (const one of changes) select.append(make("option", { value: one.number }, one.change));
    const reads = make("p", { className: "live-sentence" });
    const read = () => (reads.textContent = changes[select.selectedIndex].text);
    const attempt = make("button", { type: "button" }, "Try the proof on it");
    const verdict = make("p", { role: "status", className: "live-status live-verdict" });
    const tries = make("ol", { className: "live-steps" });
    select.addEventListener("change", read);
    read();
    changed.append(
      make("h3", {}, "A changed sentence"),
      make("p", {}, make("label", { for: "live-change" }, "The sentence with "), select, " reads:"),
      reads,
      make("p", { className: "live-buttons" }, attempt),
      verdict,
      make("div", { className: "live-scroll", tabIndex: 0 }, tries),
    );
    changed.hidden = false;
    attempt.addEventListener("click", () => run(async () => {
      verdict.textContent = "the proofs are being tried …";
      const given = { id, number: changes[select.selectedIndex].number };
      const tried = await ask("check_changed", given, (message) => tries.append(step(message, id)));
      const proved = { refuted: "is refuted", proved: "is proved too: the change says the same, or less" }[tried.outcome];
      const open = "is not proved, and no counter-example was found here: it may be true";
      verdict.textContent = `The changed sentence ${proved ?? open} (${tried.seconds} s).`;
    }, tries, (text) => (verdict.textContent = text)));
  }
}

document.querySelectorAll(".live-check").forEach(start);
