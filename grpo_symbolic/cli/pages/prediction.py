"""The page of ``grpo-symbolic predict``: counts, bad rows by line, a histogram; and the plot."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import TYPE_CHECKING

from rich.console import Console

from grpo_symbolic.cli.pages.layout import line, show_table
from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.runs import Kind, kind_of, off
from grpo_symbolic.numeric.prediction.words import (
    BOUND,
    NO_BOUND,
    NO_TIME,
    after_assumes,
    assumes,
    bounded,
    end_assumes,
)
from grpo_symbolic.report import count
from grpo_symbolic.setting import PenaltyName

if TYPE_CHECKING:
    from grpo_symbolic.numeric.prediction.calibration import Calibration
    from grpo_symbolic.numeric.prediction.predict import Prediction
    from grpo_symbolic.numeric.prediction.training import Settings

_SHOWN = 20  # bad rows named on the page
_BAR = 30  # the longest bar of the histogram
_PENALTIES = {
    PenaltyName.K3: "k3 in the loss",
    PenaltyName.REVERSE_KL: "reverse-kl, KL(π‖π_ref)",
    PenaltyName.FORWARD_KL: "forward-kl, KL(π_ref‖π)",
}
_MEANING = {
    "cycle": "the success oscillates for ever; no single prediction",
    "stuck": "the pass rate is 0 or 1, or does not change",
    "multiple": "there are several fixed points; another start could end elsewhere",
    "undecided": "no verdict within the steps allowed, or at a fold",
}


def show_prediction(out: Console, result: Prediction, wrote: Path | None, assumed: Sequence[str] = ()) -> None:
    """Every row of the file is accounted for: rows = predicted + bad. ``assumed``: what else, a phrase each."""
    training = result.settings
    group = "large groups" if training.group_size in (float("inf"), "oo") else f"groups of {training.group_size}"
    penalty = "no penalty" if training.beta == 0 else f"penalty {_PENALTIES[PenaltyName(str(training.penalty))]}"
    line(out, f"β = {training.beta:g}, {group}, {training.deviation}, {penalty}{_texts(training)}")
    line(out, f"assumed: {'; '.join([', '.join([*assumes(training), *end_assumes(training)]), *assumed])}")
    line(out, f"{count(result.rows, 'row')} = {result.predicted} predicted + {result.bad_rows} bad")
    for number, reason in result.bad[:_SHOWN]:
        line(out, f"  line {number}: {reason}; left out", style="yellow")
    if result.bad_rows > _SHOWN:
        line(
            out, f"  and {result.bad_rows - _SHOWN} more bad rows, left out (--bad FILE names them all)", style="yellow"
        )
    for name, number in result.flags.items():
        if number:
            line(out, f"  {number} {name}: {_MEANING[name]}")
    if result.settled:
        before, after = result.mean_before, result.mean_after
        line(out, f"mean success {before:.4f} -> {after:.4f} over the {count(result.settled, 'row')} with one limit")
        if training.steps is not None:
            line(
                out,
                f"after {training.steps} steps at learning rate {training.learning_rate:.6g}: "
                f"{result.mean_reached:.4f}; assumed: {', '.join(after_assumes(training, result.calibration))}",
            )
        if result.sure:
            line(
                out,
                f"{count(result.sure, 'row')} within 10⁻⁶ of 0 or 1 at the end: the last at learning rate × steps = "
                f"{result.slowest:.3g}",
            )
        if result.calibration is not None:
            _clock(out, result.calibration)
        if not training.best_responses:
            _evidence(out, result)
        line(out)
        _histogram(out, result)
    if wrote is not None:
        line(out, f"wrote {count(result.predicted, 'row')} to {wrote}")


def _texts(training: Settings) -> str:
    """How long texts are, how many of their tokens decide, and how a batch is used, where it is not the plainest."""
    right, wrong = training.lengths
    text = "" if right == wrong == 1 else f", texts of {right:g} tokens"
    if right != wrong:
        text = f", right texts of {right:g} and wrong ones of {wrong:g} tokens"
    if training.decisions is not None:
        text += f", {training.decisions} of which decide{'s' if training.decisions == 1 else ''}"
    if training.updates > 1:
        text += f", {training.updates} updates a batch"
    return text + (", dynamic sampling" if training.dynamic_sampling else "")


def _clock(out: Console, clock: Calibration) -> None:
    """How the clock was fitted, and how the rest of the log compares."""
    line(
        out,
        f"the clock: {clock.rate:.4g} of plain gradient ascent, fitted on the first {clock.first} rows of the log, "
        f"which it leaves {clock.residual:.3f} off; its standard error is {100 * clock.error:.0f} %",
    )
    if clock.steps:
        line(
            out,
            f"the other {len(clock.steps)} rows of the log are {clock.off:.3f} off on average; the last, at step "
            f"{clock.steps[-1]}: {clock.predicted[-1]:.4f} predicted, {clock.seen[-1]:.4f} logged",
        )


def _evidence(out: Console, result: Prediction) -> None:
    """How far runs were off, and what shared parameters make of the numbers."""
    known = off(kind_of(result.settings))
    if known is not None:
        line(out, f"seen before: {known}")
    line(out, BOUND if bounded(result.settings, result.flags["multiple"]) else NO_BOUND)
    phrases = [str(known) for known in map(off, (Kind.SHARED, Kind.TRAINER)) if known is not None]
    line(out, "; ".join([NO_TIME, *phrases]))


def _histogram(out: Console, result: Prediction) -> None:
    most = max(int(result.before.max()), int(result.after.max()), 1)
    bins = len(result.before)

    def bar(prompts: int) -> str:
        return ("█" * max(round(_BAR * prompts / most), 1) if prompts else "") + f" {prompts}"

    rows = [
        [f"{k / bins:.1f}–{(k + 1) / bins:.1f}", bar(int(result.before[k])), bar(int(result.after[k]))]
        for k in range(bins)
    ]
    show_table(out, ["success", "measured", "predicted"], rows)


def check_plot(path: Path, option: str = "--plot") -> None:
    """Raise :class:`BadInput` before the work if no plot could be written there, or matplotlib is not installed."""
    try:
        from matplotlib.backend_bases import FigureCanvasBase
    except ImportError:
        raise BadInput(f"{option} needs matplotlib, which is not installed; pip install matplotlib") from None
    endings = sorted(FigureCanvasBase.get_supported_filetypes())
    if path.suffix.removeprefix(".").lower() not in endings:
        raise BadInput(f"the plot cannot be written to {path}: expected one of the endings {', '.join(endings)}")
    if path.is_dir() or not path.resolve().parent.is_dir():
        raise BadInput(f"{path} cannot be written: expected the name of a file in a folder that exists")


def plot_prediction(result: Prediction, path: Path) -> None:
    """The two histograms, and the predicted success as a function of the pass rate; :func:`check_plot` comes first."""
    import numpy as np
    from matplotlib.backends.backend_agg import FigureCanvasAgg
    from matplotlib.figure import Figure

    from grpo_symbolic.numeric.prediction.rates import predict_rates

    figure = Figure(figsize=(10, 4), layout="constrained")
    FigureCanvasAgg(figure)
    left, right = figure.subplots(1, 2)
    bins = len(result.before)
    edges = np.arange(bins) / bins
    left.bar(edges + 0.25 / bins, result.before, 0.45 / bins, label="measured")
    left.bar(edges + 0.75 / bins, result.after, 0.45 / bins, label="predicted")
    left.set(xlabel="success probability", ylabel="prompts")
    left.legend()
    if result.settings.batch is not None:
        raise BadInput("where the deviation of the batch divides, the end is no function of one prompt's pass rate")
    rates = np.linspace(0, 1, 1001)
    predicted = predict_rates(rates, result.settings)
    right.plot(rates, predicted.predicted, label="limit")
    cycle = (predicted.flags & 1).astype(bool)
    if cycle.any():
        right.fill_between(rates, predicted.low, predicted.high, where=cycle, alpha=0.3, label="cycle")
    right.plot([0, 1], [0, 1], linestyle=":", color="grey", label="no change")
    right.set(xlabel="pass rate", ylabel="predicted success")
    right.legend()
    try:
        figure.savefig(path)
    except OSError as problem:
        raise BadInput(f"the plot cannot be written to {path}: {problem.strerror}") from None
