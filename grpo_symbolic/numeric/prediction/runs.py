"""Runs that were predicted before they were looked at: the prediction, what was seen, and how far off it was.

The numbers stand in ``runs.tsv``, written by ``oracles/predict_runs.py`` (``make runs``). Of every kind of run the
median and the largest distance are printed beside a new prediction of that kind.
"""

from __future__ import annotations

import csv
import statistics
from dataclasses import dataclass, fields
from enum import StrEnum
from functools import cache
from importlib.resources import files

from grpo_symbolic.numeric.prediction.training import Settings


class Kind(StrEnum):
    """What a run has that the plain softmax flow of one prompt has not, the rarest first."""

    TRAINER = "shared parameters, AdamW"
    """TRL's own ``GRPOTrainer`` on a small transformer."""
    SHARED = "shared parameters"
    """Prompts that share the parameters of an autoregressive network."""
    BATCH = "deviation of the batch"
    FILTERED = "dynamic sampling"
    UPDATES = "several updates"
    LENGTHS = "lengths apart"
    DECISIONS = "several decisions"
    PLAIN = "one decision"


@dataclass(frozen=True)
class Run:
    """One run: its ``kind`` and ``policy``, ``options`` (of TRL, ``NAME=VALUE`` each) and ``shape`` (what no option
    gives, the same way), the pass ``rates`` at its start, ``steps`` and ``learning_rate`` (of plain gradient ascent, or
    that of the clock fitted on the first ``fitted`` steps; 0: nothing was fitted). ``predicted`` and ``seen`` are the
    mean success of all prompts at the end, ``worst`` the largest distance of one prompt.
    """

    kind: Kind
    policy: str
    options: str
    shape: str
    rates: str
    steps: int
    learning_rate: float
    fitted: int
    predicted: float
    seen: float
    worst: float

    @property
    def off(self) -> float:
        """The distance of the mean successes."""
        return abs(self.predicted - self.seen)


@dataclass(frozen=True)
class Off:
    """How far ``runs`` of a ``kind`` were off in their mean success: in the ``median``, and in the ``worst`` case."""

    kind: Kind
    runs: int
    median: float
    worst: float

    def __str__(self) -> str:
        text = f"{self.runs} runs ({self.kind.value}) were off by {self.median:.3f} in the median"
        return f"{text} and {self.worst:.3f} at worst"


@cache
def runs() -> tuple[Run, ...]:
    """All runs, in the order of the table.

    >>> len(runs()) >= 40
    True
    """
    text = files(__package__).joinpath("runs.tsv").read_text(encoding="utf-8")
    kinds = {field.name: field.type for field in fields(Run)}
    read = {"Kind": Kind, "int": int, "float": float, "str": str}
    rows = csv.DictReader(text.splitlines(), delimiter="\t")
    return tuple(Run(**{name: read[str(kinds[name])](value) for name, value in row.items()}) for row in rows)


def off(kind: Kind) -> Off | None:
    """How far the runs of a kind were off; ``None`` where there are none."""
    distances = [run.off for run in runs() if run.kind is kind]
    if not distances:
        return None
    return Off(kind, len(distances), statistics.median(distances), max(distances))


def kind_of(training: Settings) -> Kind:
    """The kind of a training of independent prompts."""
    if training.batch is not None:
        return Kind.BATCH
    if training.dynamic_sampling:
        return Kind.FILTERED
    if training.updates > 1:
        return Kind.UPDATES
    if training.lengths[0] != training.lengths[1]:
        return Kind.LENGTHS
    return Kind.PLAIN if training.deciding == 1 else Kind.DECISIONS


__all__ = ["Kind", "Off", "Run", "kind_of", "off", "runs"]
