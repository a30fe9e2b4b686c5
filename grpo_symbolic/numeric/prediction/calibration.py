"""The clock of a run from its own first logged steps, where the optimiser is not plain gradient ascent.

One number is fitted, the learning rate of plain gradient ascent at which the mean success of all prompts would have
risen as in the first rows of the log (least squares). The rows after them are predicted with it, and compared. Where
the log has a learning rate of each row, the number multiplies it, so a schedule is followed.
"""

from __future__ import annotations

import math
from collections.abc import Callable
from dataclasses import dataclass
from pathlib import Path

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.logs import STEP, bare, by_bare_name, by_step, is_step, number, rows_of
from grpo_symbolic.numeric.prediction.training import Settings
from grpo_symbolic.numeric.prediction.updates import Batch
from grpo_symbolic.numeric.recursion.gap import Floats

SAMPLED = (
    "reward",
    "critic/score/mean",
    "critic/rewards/mean",
    "rewards/mean",
    "rollout/reward_mean",
    "rollout/raw_reward",
)
EVALUATED = ("success", "accuracy", "pass_rate", "eval/accuracy")
RATE = ("learning_rate", "actor/lr", "actor_lr", "lr-pg_0", "lr")
_CLOCKS = np.geomspace(1e-6, 1e6, 37)  # where the search for the clock begins, times 1/(all that has passed)
_GOLDEN, _ROUNDS = (math.sqrt(5) - 1) / 2, 26  # sections: they leave a clock within 1e-5 of itself, far below its error
_VAGUE = 1.0  # a standard error of the logarithm of the clock above this is no clock


@dataclass(frozen=True)
class Series:
    """The logged success of a run: ``steps``, ``success`` (the mean reward of 0 and 1), and what had ``passed`` by
    then: optimiser steps, or the sum of their learning rates where the log has them. ``last``: the last step of the
    log, ``total`` what had passed by it, ``pace`` what that step added, and ``fall``, from step to step, how much less
    the next ones add.
    """

    steps: tuple[int, ...]
    success: tuple[float, ...]
    passed: tuple[float, ...]
    last: int
    total: float
    pace: float
    fall: float = 0.0

    def until(self, step: int) -> float:
        """What will have passed by this step; beyond the log a learning rate that falls goes on in a straight line, to
        0, and any other stays.
        """
        if step >= self.last:
            ahead = step - self.last
            if self.fall > 0:
                ahead = min(ahead, int(self.pace / self.fall))
            return self.total + ahead * self.pace - self.fall * ahead * (ahead + 1) / 2
        return float(np.interp(step, (0, *self.steps, self.last), (0.0, *self.passed, self.total)))


@dataclass(frozen=True)
class Calibration:
    """The clock of a log: ``rate``, the learning rate of plain gradient ascent for one unit of what passed,
    fitted on the ``first`` rows, with the standard error of its logarithm (``error``) and the root of the mean square
    that is left (``residual``). ``steps``, ``seen`` and ``predicted``: the rows after them.
    """

    rate: float
    first: int
    error: float
    residual: float
    steps: tuple[int, ...]
    seen: tuple[float, ...]
    predicted: tuple[float, ...]

    @property
    def off(self) -> float:
        """The mean distance of prediction and log over the rows that were not fitted; NaN without such rows."""
        if not self.seen:
            return math.nan
        return float(np.mean(np.abs(np.subtract(self.seen, self.predicted))))


def read_log(path: Path, column: str | None = None) -> Series:
    """The rows of a log (every format of :mod:`grpo_symbolic.logs`) that have a step and a success.

    The column of success is ``column``, or the first of the names that trainers give it. A mean reward of samples,
    which are drawn before the update of their step, is that of the policy half a logging interval before; 'success',
    'accuracy' and a ``column`` with another name are those of the policy at their step.

    Raises :class:`BadInput` for a file that cannot be read, has no such column, or whose success is not within [0, 1].
    """
    rows = rows_of(path, (*SAMPLED, *EVALUATED, *RATE))
    if not any(is_step(name) and number(value) is not None for row in rows for name, value in row.items()):
        raise BadInput(f"the log {path} has no steps: expected a column {' or '.join(map(repr, STEP))}")
    table = by_step(rows)
    named = by_bare_name(dict.fromkeys(name for row in table.values() for name in row))
    wanted = (*SAMPLED, *EVALUATED) if column is None else (bare(column),)
    name = next((each for each in wanted if each in named), None)
    if name is None:
        raise BadInput(f"the log {path} has no number in a column {' or '.join(map(repr, wanted))}")
    rate_name = named.get(next((each for each in RATE if each in named), ""), "")
    steps: list[int] = []
    success: list[float] = []
    passed: list[float] = []
    before, total, pace, fall = 0.0, 0.0, 1.0, 0.0
    for step, row in table.items():
        value = row.get(named[name], math.nan)
        if not math.isfinite(value):
            continue
        if not 0 <= value <= 1:
            raise BadInput(
                f"{path}, step {step:g}: {name} is {value:g}, and a success lies from 0 to 1; a sum of several rewards "
                "is none"
            )
        logged, width = row.get(rate_name, math.nan), step - before
        if math.isfinite(logged):
            fall = max((pace - logged) / width, 0.0) if steps and width else 0.0
            pace = logged
        back = (width + 1) / 2 if name in SAMPLED and width else 0.0
        steps.append(int(step - back))
        passed.append(total + (width - back) * pace)
        success.append(value)
        before, total = step, total + width * pace
    return Series(tuple(steps), tuple(success), tuple(max(p, 0.0) for p in passed), int(before), total, pace, fall)


def calibrate(series: Series, first: int, rates: Floats, batch: Batch, settings: Settings) -> Calibration:
    """The clock from the ``first`` rows, and the rest predicted; ``rates`` lie strictly between 0 and 1.

    Raises :class:`BadInput` where there are fewer than ``first`` ≥ 2 rows, and where they do not tell a clock.
    """
    if isinstance(first, bool) or not 2 <= first <= len(series.steps):
        raise BadInput(f"the clock is fitted on 2 to {len(series.steps)} rows of the log, got {first}")
    if not len(rates):
        raise BadInput("a clock needs a prompt that is neither always nor never solved")

    def course(rate: float, rows: slice) -> Floats:
        times = [rate * each for each in series.passed[rows]]
        return np.array([batch.mean(each) for each in settings.course(rates, batch, series.steps[rows], times)])

    fitted, seen = slice(first), np.array(series.success[:first])
    if series.passed[first - 1] <= 0:
        raise BadInput(f"nothing has passed in the first {first} rows of the log: its learning rate is 0 there")
    scale = 1 / series.passed[first - 1]

    def loss(clock: float) -> tuple[float, bool]:
        predicted = course(scale * clock, fitted)
        return float(np.square(predicted - seen).sum()), bool((predicted >= seen).all())

    rate = scale * _least(loss)
    residual = course(rate, fitted) - seen
    slope = (course(rate * 1.01, fitted) - course(rate / 1.01, fitted)) / (2 * math.log(1.01))
    spread, turn = float(np.square(residual).sum()), float(np.square(slope).sum())
    error = math.sqrt(spread / (first - 1) / turn) if turn > 0 else math.inf
    if not error <= _VAGUE:
        raise BadInput(
            f"the first {first} rows of the log do not tell a clock: the success in them does not move as predicted, "
            "beyond its noise"
        )
    rest = slice(first, None)
    ahead = course(rate, rest).tolist() if len(series.steps) > first else []
    left = math.sqrt(spread / first)
    return Calibration(rate, first, error, left, series.steps[rest], series.success[rest], tuple(ahead))


def _least(loss: Callable[[float], tuple[float, bool]]) -> float:
    """Where the loss is least: on a grid, up to where all is overshot, and by golden sections around its best point."""
    values: list[float] = []
    for clock in _CLOCKS:
        value, over = loss(float(clock))
        values.append(value)
        if over and value > min(values):
            break
    best = int(np.argmin(values))
    low, high = (math.log(_CLOCKS[k]) for k in (max(best - 1, 0), min(best + 1, len(_CLOCKS) - 1)))
    left, right = high - _GOLDEN * (high - low), low + _GOLDEN * (high - low)
    at_left, at_right = loss(math.exp(left))[0], loss(math.exp(right))[0]
    for _ in range(_ROUNDS):
        if at_left < at_right:
            high, right, at_right = right, left, at_left
            left = high - _GOLDEN * (high - low)
            at_left = loss(math.exp(left))[0]
        else:
            low, left, at_left = left, right, at_right
            right = low + _GOLDEN * (high - low)
            at_right = loss(math.exp(right))[0]
    return math.exp((low + high) / 2)


__all__ = ["Calibration", "Series", "calibrate", "read_log"]
