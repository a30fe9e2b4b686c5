"""Rows of a log by their steps.

>>> by_step([{"step": 2, "reward": 0.5}, {"step": 1, "reward": "nan"}, {"step": 2, "kl": 0.01, "note": "none"}])
{1.0: {'reward': nan}, 2.0: {'reward': 0.5, 'kl': 0.01}}
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Mapping
from functools import cache
from typing import Any

from grpo_symbolic.errors import BadInput
from grpo_symbolic.logs.rows import Row

__all__ = ["STEP", "bare", "by_bare_name", "by_step", "is_step", "number"]

STEP = (
    "step",
    "global_step",
    "train/global_step",
    "training/global_step",
    "trainer/global_step",
    "rollout/step",
    "_step",
)
"""What the column of steps is called; ``_step`` of Weights & Biases, which counts what was logged, comes last."""


def bare(column: str) -> str:
    """The name of a column without the run before it (exports of Weights & Biases) and without ``train/``."""
    return column.rpartition(" - ")[2].strip().removeprefix("train/").removeprefix("train_metrics/")


def by_bare_name(columns: Iterable[str]) -> dict[str, str]:
    """The ``columns`` by their bare names.

    Raises :class:`BadInput` where Weights & Biases exported several runs in one table.
    """
    names = list(columns)
    runs = list(dict.fromkeys(name.rpartition(" - ")[0] for name in names if " - " in name))
    if len(runs) > 1:
        raise BadInput(f"the log has columns of several runs ({', '.join(runs[:3])}): give one of them")
    return {bare(name): name for name in names}


def number(value: Any) -> float | None:
    """A number that was logged, NaN and infinity included, or ``None`` for texts and blanks."""
    if isinstance(value, bool):
        return None
    try:
        return float(value)
    except (TypeError, ValueError, OverflowError):
        return None


def by_step(rows: Iterable[Row]) -> dict[float, dict[str, float]]:
    """The numbers of each step by their columns, in the order of steps. Rows of one step are put together, the last
    finite value of a column counting, as where a run was resumed. Rows without a step are left out; where none has one,
    its place, from 0, is its step.
    """
    numeric = [{name: finite for name, value in row.items() if (finite := number(value)) is not None} for row in rows]
    steps = [_step(values) for values in numeric]
    if all(step is None for step in steps):
        steps = [float(place) for place in range(len(numeric))]
    table: dict[float, dict[str, float]] = {step: {} for step in sorted(step for step in steps if step is not None)}
    for step, values in zip(steps, numeric, strict=True):
        if step is not None:
            into = table[step]
            into.update((n, v) for n, v in values.items() if not is_step(n) and (math.isfinite(v) or n not in into))
    return table


@cache
def _step_name(name: str) -> str | None:
    return next((own for own in (bare(name).lower(), name.lower()) if own in STEP), None)


def is_step(name: str) -> bool:
    """Whether a column has that ``name`` in which steps stand."""
    return _step_name(name) is not None


def _step(values: Mapping[str, float]) -> float | None:
    named = {own: v for name, v in values.items() if math.isfinite(v) and (own := _step_name(name)) is not None}
    return next((named[own] for own in STEP if own in named), None)
