"""The table of runs as a Markdown page, from the numbers of ``grpo_symbolic/numeric/prediction/runs.tsv``.

``make runs`` makes the runs anew and writes both; ``python tests/runs_page.py`` writes the page; a test compares.
"""

from __future__ import annotations

from checkout import ROOT

from grpo_symbolic.numeric.prediction.runs import Kind, Run, off, runs

PAGE = ROOT / "docs" / "reference" / "runs.md"

_INTRODUCTION = """# Runs that were predicted

This page is generated from `grpo_symbolic/numeric/prediction/runs.tsv`; do not edit it. `make runs` makes all {count}
runs anew (`oracles/predict_runs.py`) and writes the numbers and this page; each prediction is made before its run is
looked at. [From pass rates to prediction](../how-to/predict.md) says how to make one.

Every run has its loss and its advantages from TRL 1.16's own code. *Predicted* and *run* are the mean success of all
prompts after the steps; *off* is their distance, also as a share of what was seen, and *worst* the largest distance of
one prompt. One run each, with sampled groups: the noise of a run is in the distances. The options were not chosen by
what came out, but how many steps and texts a run has was set after first runs of the script had been seen: with as few
texts a batch for several updates as for one, two of those runs were 0.05 and 0.07 off.

## How far off

| kind of run | runs | median off | worst off |
| --- | --- | --- | --- |
{summary}

"""

_KINDS = {
    Kind.PLAIN: """## One decision

Tabular softmax policies with logits of their own for each prompt, whose pass rates are 1/32, 1/8, 1/4 and 1/2; 128
texts of each prompt for each optimiser step, which is plain gradient ascent on the logits. Assumed: exact expectations,
short steps. G is 8 where `num_generations` does not say otherwise.""",
    Kind.DECISIONS: """## Several decisions

The same, with a right and a wrong choice at each deciding token; the other tokens of a text have no choice.""",
    Kind.LENGTHS: """## Right and wrong lengths apart

Assumed: all right texts have one length, all wrong ones another; under the token mean of the batch (`dapo`) also that
the prompts of the batch are alike, which these are not.""",
    Kind.UPDATES: """## Several updates on a batch

`num_iterations` updates on each batch of samples, under the clip of the options; followed step by step, with exact
expectations.""",
    Kind.FILTERED: """## Dynamic sampling

TRL has no option for it: here groups of equal rewards are drawn again, from the same prompt, until a step has as many
groups as without. Loss and advantages are TRL's.""",
    Kind.BATCH: """## The deviation of the batch

`scale_rewards=batch`: prompts move one another. Assumed: a batch without noise.""",
    Kind.SHARED: """## Shared parameters

An autoregressive network with one hidden layer (8, 32 or 128 units, random weights) writes two letters of four; eight
prompts, one right text each. The clock is fitted on the rewards of the first steps (*fitted on*), with the pass rates
that the network has at its start; the rest is predicted. There is no theorem that the prediction holds: prompts move
one another, and without a penalty one may die while others rise, which the prediction of independent prompts
cannot know.""",
    Kind.TRAINER: """## Shared parameters and AdamW

TRL's own `GRPOTrainer`, with its AdamW and its linear schedule, on a GPT-2 of one layer with random weights, which
answers eight prompts with one letter of 16, two of them right. The clock is fitted on the rewards of the first steps,
with the learning rates of the log.""",
}


def page() -> str:
    """The whole page."""
    known = [told for told in map(off, _KINDS) if told is not None]
    summary = "\n".join(f"| {each.kind.value} | {each.runs} | {each.median:.4f} | {each.worst:.4f} |" for each in known)
    parts = [_INTRODUCTION.format(count=len(runs()), summary=summary).rstrip()]
    parts += [f"{text}\n\n{_table([run for run in runs() if run.kind is kind])}" for kind, text in _KINDS.items()]
    return "\n\n".join(parts) + "\n"


def _table(rows: list[Run]) -> str:
    fitted = any(run.fitted for run in rows)
    head = ["policy"] * fitted + ["options of TRL", "texts", "steps × rate"] + ["fitted on"] * fitted
    head += ["predicted", "run", "off", "off, %", "worst"]
    lines = ["| " + " | ".join(head) + " |", "|" + " --- |" * len(head)]
    for run in rows:
        cells = [run.policy] * fitted + [run.options, run.shape or "1 token", f"{run.steps} × {run.learning_rate:g}"]
        cells += [f"{run.fitted} steps"] * fitted
        cells += [f"{run.predicted:.4f}", f"{run.seen:.4f}", f"{run.off:.4f}", f"{100 * run.off / run.seen:.1f}"]
        lines.append("| " + " | ".join([*cells, f"{run.worst:.4f}"]) + " |")
    return "\n".join(lines)


if __name__ == "__main__":
    PAGE.write_text(page(), encoding="utf-8")
