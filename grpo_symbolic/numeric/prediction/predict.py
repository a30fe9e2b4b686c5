"""From measured pass rates to the success that training leads to, prompt by prompt.

A prompt's pass rate under the reference policy is its p_ref; β, the group size and the guard are the training's. The
prediction is that of the softmax flow under the exact gradient (:mod:`.softmax`): where it rests,
after a number of steps where it is, and, if that is nearly 0 or 1, how long it takes. The default penalty is GRPO's:
k3 in the loss. ``best_responses`` asks for the recursion of exact best responses instead (Mroueh, 2025, equation (8)
and Theorems 3, 4), which may cycle. All is floating point, hence of grade ``swept``.

>>> from grpo_symbolic.numeric import predict
>>> predict([0.25, 0.5, 1.0], beta=0.5, group_size=8).predicted.round(4).tolist()
[0.8392, 0.9044, 1.0]
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager, nullcontext
from dataclasses import dataclass, field, replace
from os import PathLike
from pathlib import Path
from typing import IO, Any, Literal

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.calibration import Calibration, Series, calibrate, read_log
from grpo_symbolic.numeric.prediction.rates import FLAGS, Predicted, batch_of, moving, predict_rates
from grpo_symbolic.numeric.prediction.tables import BadRow, Block, Writer, format_of, read
from grpo_symbolic.numeric.prediction.training import Settings, settings_of
from grpo_symbolic.numeric.recursion.gap import Floats, Places
from grpo_symbolic.reading import Part, Reading, setting_of
from grpo_symbolic.setting import Setting
from grpo_symbolic.shown import Shown

OnBad = Literal["skip", "refuse"]
BINS = 10  # of a histogram: tenths of pass rates, as many as a page of text shows
# What no setting has.
_BESIDE = ("tokens", "decisions", "right_length", "wrong_length", "steps", "learning_rate", "attempts")
_NAMED = 1000  # bad rows that are listed; all are counted
_MOST_CACHED = 1 << 20  # distinct pass rates whose predictions are cached: some 50 megabytes


@dataclass
class Prediction(Shown):
    """The predictions of a file, counted: ``rows`` read, ``predicted`` of them, the bad ones (``bad`` names the first
    1000), rows per flag, mean rates before and after (over rows that have one limit), and histograms over ten equal
    bins of the measured and of the predicted success. ``sure`` rows end within 10⁻⁶ of 0 or 1, the last of them at the
    time ``slowest``; successes after ``Settings.steps`` add up to ``total_reached``. ``settled`` rows have one limit;
    their rates add up to ``total_before`` and ``total_after``. ``settings``: what was assumed of the training;
    ``flags``: rows by flag; ``bad_rows``: how many are bad; ``calibration``: the clock, where it is that of a log.
    """

    settings: Settings
    rows: int = 0
    predicted: int = 0
    bad_rows: int = 0
    bad: list[BadRow] = field(default_factory=list)
    flags: dict[str, int] = field(default_factory=lambda: dict.fromkeys(FLAGS, 0))
    settled: int = 0
    total_before: float = 0.0
    total_after: float = 0.0
    total_reached: float = 0.0
    sure: int = 0
    slowest: float = 0.0
    calibration: Calibration | None = None
    before: Any = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))
    after: Any = field(default_factory=lambda: np.zeros(BINS, dtype=np.int64))

    def __repr__(self) -> str:
        mean = f"mean {self.mean_before:.4g} before, {self.mean_after:.4g} after"
        return f"<Prediction: {self.predicted} of {self.rows} rows, {mean}>"

    @property
    def mean_before(self) -> float:
        """The mean pass rate of the rows that have one limit."""
        return self.total_before / self.settled if self.settled else math.nan

    @property
    def mean_after(self) -> float:
        """Their mean predicted success."""
        return self.total_after / self.settled if self.settled else math.nan

    @property
    def mean_reached(self) -> float:
        """Their mean success after the given number of steps."""
        return self.total_reached / self.settled if self.settled else math.nan


class _Cache:
    """Predictions per distinct pass rate: measured rates are k/N, so there are few of them. Rates that are ``known``
    before (with ``counts``) are predicted together.
    """

    def __init__(self, settings: Settings, known: Floats, counts: Floats) -> None:
        self.settings = settings
        self.known = known
        self.predictions = predict_rates(known, settings, counts)

    def __call__(self, rates: Floats) -> tuple[Predicted, Any, Any]:
        """Predictions for distinct rates, which of them each row has, and how many rows have each."""
        distinct, code, counts = np.unique(rates, return_inverse=True, return_counts=True)
        if self.settings.batch is None and len(distinct) > len(rates) // 2 + 1024:
            return predict_rates(distinct, self.settings), code, counts
        new = distinct[~np.isin(distinct, self.known)]
        if len(new):
            if len(self.known) + len(new) > _MOST_CACHED:
                self.known = np.empty(0)
                new = distinct
            self.known = np.union1d(self.known, new)
            self.predictions = predict_rates(self.known, self.settings)
        return self.predictions.take(np.searchsorted(self.known, distinct)), code, counts


def predict(
    source: str | PathLike[str] | Iterable[float],
    beta: float | None = None,
    group_size: Any = None,
    guard: float | None = None,
    penalty: str | None = None,
    *,
    setting: Setting | Reading | None = None,
    anyway: bool = False,
    column: str | None = None,
    form: str | None = None,
    out: str | PathLike[str] | None = None,
    out_form: str | None = None,
    on_bad: OnBad = "skip",
    bad_to: str | PathLike[str] | None = None,
    log: str | PathLike[str] | None = None,
    calibrate_on: int | None = None,
    log_column: str | None = None,
    tokens: int | None = None,
    decisions: int | None = None,
    right_length: float | None = None,
    wrong_length: float | None = None,
    steps: int | None = None,
    learning_rate: float | None = None,
    attempts: int | None = None,
    guard_inside: bool | None = None,
    scaled: bool | None = None,
    sample_deviation: bool | None = None,
    leave_one_out: bool | None = None,
    others_deviation: bool | None = None,
    best_responses: bool | None = None,
    dynamic_sampling: bool | None = None,
    updates: int | None = None,
    backend: str | None = None,
    device: str | None = None,
) -> Any:
    """Predictions for pass rates (``source``): :class:`Predicted` for an array of them, :class:`Prediction` for a file.

    A file (CSV, Parquet, JSON lines, by its ending or ``form``) is read in blocks; ``column`` holds the rates
    ('pass_rate' if not given). With ``out`` its rows are written there with the columns ``predicted``,
    ``amplification``, ``predicted_low``, ``predicted_high`` (of cycles, or at the ends of the interval), ``after``,
    ``time`` and ``flags``, in the format ``out_form`` where the ending does not give it. A row whose rate is missing,
    not a number or outside [0, 1] is bad: named by its line and left out (``on_bad='skip'``), or the reason
    to stop with nothing written ('refuse'); ``bad_to`` is a file for the names of all bad rows. The training is a
    ``setting`` (of a trainer: ``gs.trainers.read("trl==1.16.0", options)``, whose options that are not modelled and may
    change where the run goes, or updates that cannot be followed, are refused unless ``anyway``) with ``tokens``,
    ``decisions``, ``right_length``, ``wrong_length``, ``steps``, ``learning_rate`` and ``attempts``, or ``beta``,
    ``group_size`` (64 when left out, GRPO's as published), ``guard`` (0), ``penalty`` (k3 in the loss) and what else
    :class:`.training.Settings` has, with its defaults when left out: ``guard_inside``, ``scaled``,
    ``sample_deviation``, ``leave_one_out``, ``others_deviation``, ``best_responses``, ``dynamic_sampling``,
    ``updates``, ``backend``, ``device``. A ``log`` of the run takes the place of the learning rate: the clock is fitted
    on its first ``calibrate_on`` rows (:func:`.calibration.calibrate`), whose success is in ``log_column``; ``steps``
    is then its last step if not given.

    Raises :class:`BadInput` for a missing file or column, an unknown format, settings out of range, bad rates in
    an array, and a log that has no clock.
    """
    given = {
        "tokens": tokens,
        "decisions": decisions,
        "right_length": right_length,
        "wrong_length": wrong_length,
        "steps": steps,
        "learning_rate": learning_rate,
        "attempts": attempts,
        "guard_inside": guard_inside,
        "scaled": scaled,
        "sample_deviation": sample_deviation,
        "leave_one_out": leave_one_out,
        "others_deviation": others_deviation,
        "best_responses": best_responses,
        "dynamic_sampling": dynamic_sampling,
        "updates": updates,
        "backend": backend,
        "device": device,
    }
    training = {name: value for name, value in given.items() if value is not None}
    clock = _clock(log, calibrate_on, log_column, training)
    chosen = None if setting is None else setting_of(setting, anyway, Part.END)
    parts = {"beta": beta, "group_size": group_size, "guard": guard, "penalty": penalty}
    settings = _training(chosen, parts, training)
    if anyway and settings.unfollowed:
        settings = replace(settings, updates=1)
    if not isinstance(source, str | PathLike):
        return _of_array(source, clock, settings)
    if on_bad not in ("skip", "refuse"):
        raise BadInput(f"bad rows are dealt with by 'skip' or 'refuse', got {on_bad!r}")
    path = Path(source)
    target = None if out is None else Path(out)
    if target is not None and path.exists() and target.exists() and target.samefile(path):
        raise BadInput(f"{target} is the file that is read; give another name for the output")
    known, counts = np.empty(0), np.empty(0)
    calibration = None
    if clock is not None or settings.batch is not None:  # what needs all prompts at once
        all_rates = [block.rates for block in read(path, format_of(path, form), column, whole=False)]
        known, times = np.unique(np.concatenate([np.empty(0), *all_rates]), return_counts=True)
        counts = times.astype(np.float64)
        settings, calibration = _calibrated(clock, known, counts, settings)
    blocks = read(path, format_of(path, form), column, whole=target is not None)
    with (
        _output(target, out_form) as writer,
        nullcontext() if bad_to is None else Path(bad_to).open("w", encoding="utf-8") as names,
    ):
        summary = Prediction(settings, calibration=calibration)
        _stream(summary, blocks, _Cache(settings, known, counts), writer, on_bad, names, path)
    return summary


@contextmanager
def _output(target: Path | None, form: str | None) -> Iterator[Writer | None]:
    """A writer to the file, which is there once all is written; ``None`` without a file."""
    if target is None:
        yield None
        return
    writer = Writer(target, format_of(target, form))
    try:
        yield writer
        writer.close()
    except BaseException:
        writer.abandon()
        raise


def _of_array(source: Iterable[float], clock: _Clock | None, settings: Settings) -> Predicted:
    try:
        rates = np.ravel(np.asarray(source, dtype=np.float64))
    except (TypeError, ValueError):
        raise BadInput(f"pass rates must be numbers from 0 to 1 in a list or an array, got {source!r}") from None
    bad = np.flatnonzero(~((rates >= 0) & (rates <= 1)))
    if len(bad):
        raise BadInput(f"pass rates must be numbers from 0 to 1, got {rates[bad[0]]} at place {bad[0]}")
    distinct, code, times = np.unique(rates, return_inverse=True, return_counts=True)
    counts = times.astype(np.float64)
    settings, _ = _calibrated(clock, distinct, counts, settings)
    return predict_rates(distinct, settings, counts).take(code)


def _training(setting: Setting | None, parts: dict[str, Any], more: dict[str, Any]) -> Settings:
    given = {name: value for name, value in parts.items() if value is not None}
    if setting is not None:
        extra = [*given, *(name for name in more if name not in _BESIDE)]
        if extra:
            raise BadInput(f"a setting has all its parts: {', '.join(extra)} cannot be given beside it")
        return settings_of(setting, **{name: value for name, value in more.items() if name in _BESIDE})
    if "beta" not in given:
        raise BadInput("a prediction needs β (--beta), or a trainer whose options say it (--trainer)")
    return Settings(**given, **more)


@dataclass(frozen=True)
class _Clock:
    """A log, how many rows of it are fitted (the ``first``), and the ``steps`` to predict for."""

    series: Series
    first: int
    steps: int


def _clock(
    log: str | PathLike[str] | None, first: int | None, column: str | None, training: dict[str, Any]
) -> _Clock | None:
    """The log that is given instead of a learning rate."""
    if log is None:
        if first is not None or column is not None:
            raise BadInput("rows to fit the clock on, and their column, belong to a log: give it too")
        return None
    if "learning_rate" in training:
        raise BadInput("a log tells the clock: no learning rate is given beside it")
    if first is None:
        raise BadInput("say on how many rows of the log the clock is fitted; the others are predicted")
    series = read_log(Path(log), column)
    return _Clock(series, first, training.pop("steps", series.last))


def _calibrated(
    clock: _Clock | None, rates: Floats, counts: Floats, settings: Settings
) -> tuple[Settings, Calibration | None]:
    """The settings with steps and a learning rate from the log, and how it was fitted."""
    if clock is None:
        return settings, None
    if settings.best_responses:
        raise BadInput("best responses take no time, so no log tells their clock")
    calibration = calibrate(clock.series, clock.first, rates[moving(rates)], batch_of(rates, counts), settings)
    rate = calibration.rate * clock.series.until(clock.steps) / max(clock.steps, 1)
    return replace(settings, steps=clock.steps, learning_rate=rate), calibration


def _stream(
    summary: Prediction,
    blocks: Iterable[Block],
    solve: _Cache,
    writer: Writer | None,
    on_bad: OnBad,
    names: IO[str] | None,
    path: Path,
) -> None:
    for block in _ahead(blocks):
        if block.bad and on_bad == "refuse":
            line, reason = block.bad[0]
            raise BadInput(f"{path}, line {line}: {reason}; nothing was written (--on-bad skip leaves such rows out)")
        if names is not None:
            names.writelines(f"{line}\t{reason}\n" for line, reason in block.bad)
        summary.rows += len(block.rates) + len(block.bad)
        summary.bad_rows += len(block.bad)
        summary.bad += block.bad[: _NAMED - len(summary.bad)]
        summary.predicted += len(block.rates)
        if not len(block.rates):
            continue
        solved, code, counts = solve(block.rates)
        _count(summary, solved, code, counts, block.rates)
        if writer is not None:
            writer.write(block.table, _columns(solved), code)


def _ahead(blocks: Iterable[Block]) -> Iterator[Block]:
    """The same blocks, the next one being read while the last one is worked on."""
    source = iter(blocks)
    with ThreadPoolExecutor(1) as reader:
        waiting = reader.submit(next, source, None)
        while (block := waiting.result()) is not None:
            waiting = reader.submit(next, source, None)
            yield block


def _count(summary: Prediction, of: Predicted, code: Places, counts: Places, rates: Floats) -> None:
    for k, name in enumerate(FLAGS):
        summary.flags[name] += int(counts[(of.flags >> k & 1).astype(bool)].sum())
    settled = ~np.isnan(of.predicted)
    measured = np.empty(len(counts))
    measured[code] = rates
    many = counts[settled]
    summary.settled += int(many.sum())
    summary.total_before += float(measured[settled] @ many)
    summary.total_after += float(of.predicted[settled] @ many)
    _time(summary, of, counts)
    summary.before += np.bincount(_bin(measured), counts, BINS).astype(np.int64)
    summary.after += np.bincount(_bin(of.predicted[settled]), many, BINS).astype(np.int64)


def _time(summary: Prediction, of: Predicted, counts: Places) -> None:
    """Add up what takes time; ``counts``: how many rows each prediction is for."""
    reached = ~np.isnan(of.after)
    summary.total_reached += float(of.after[reached] @ counts[reached])
    timed = ~np.isnan(of.time)
    summary.sure += int(counts[timed].sum())
    summary.slowest = max([summary.slowest, *of.time[timed]])


def _bin(values: Floats) -> Any:
    return np.minimum((values * BINS).astype(np.int64), BINS - 1)


def _columns(of: Predicted) -> dict[str, Any]:
    ranged = of.low != of.high
    return {
        "predicted": of.predicted,
        "amplification": of.amplification,
        "predicted_low": np.where(ranged, of.low, np.nan),
        "predicted_high": np.where(ranged, of.high, np.nan),
        "after": of.after,
        "time": of.time,
        "flags": of.flag_names,
    }


__all__ = ["Predicted", "Prediction", "Settings", "predict", "predict_rates"]
