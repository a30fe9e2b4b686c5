"""The success to which training leads from each pass rate of an array: by the softmax flow, its steps, or best
responses.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.binomial import clopper_pearson
from grpo_symbolic.numeric.prediction.softmax import SURE
from grpo_symbolic.numeric.prediction.training import Settings
from grpo_symbolic.numeric.prediction.updates import Batch
from grpo_symbolic.numeric.recursion.gap import Floats, Places
from grpo_symbolic.numeric.recursion.limits import CYCLE, UNDECIDED, probability
from grpo_symbolic.shown import Shown

FLAGS = ("cycle", "stuck", "multiple", "undecided")
NO_CHANGE = 1e-6  # a predicted success nearer to the pass rate than this is no change
_GRID, _HALVINGS = 64, 50  # of the mean success of a batch: points to look at, and halvings, to rounding, between two


@dataclass(frozen=True)
class Predicted(Shown):
    """Predictions for an array of pass rates, one entry each.

    ``predicted`` is the success probability at the end (NaN for a cycle of best responses, which runs between ``low``
    and ``high``, and where undecided), ``amplification`` its ratio to the pass rate (NaN for the rate 0), ``flags`` a
    sum of 1 'cycle', 2 'stuck' (rate 0 or 1, or a change below 10⁻⁶), 4 'multiple' fixed points, 8 'undecided'. With
    ``Settings.attempts`` ``low`` and ``high`` are the predictions at the ends of the interval of the pass rate.
    ``after`` is the success after ``Settings.steps`` (NaN without them), ``time`` the learning rate times the number of
    steps until success is within 10⁻⁶ of 0 or 1 (NaN unless it ends there; 0 where it begins there).
    """

    predicted: Floats
    amplification: Floats
    low: Floats
    high: Floats
    flags: Any
    after: Floats
    time: Floats

    def __repr__(self) -> str:
        return f"<Predicted: {len(self.predicted)} pass rates>"

    def take(self, index: Places | slice) -> Predicted:
        """The predictions at some places."""
        return Predicted(*(getattr(self, name)[index] for name in self.__dataclass_fields__))

    @property
    def flag_names(self) -> Any:
        """The flags in words, joined by '|'."""
        return _WORDS[self.flags]


_WORDS = np.array(["|".join(name for k, name in enumerate(FLAGS) if code >> k & 1) for code in range(1 << len(FLAGS))])


def predict_rates(rates: Floats, settings: Settings, counts: Floats | None = None) -> Predicted:
    """Predictions for legal pass rates (a flat array), of which there are ``counts`` each (1, if not given): where the
    deviation of the batch divides, they are one batch.
    """
    if settings.best_responses:
        return _solved(rates, settings)
    return _flowing(rates, settings, np.ones(len(rates)) if counts is None else counts)


def moving(rates: Floats) -> Any:
    """Which rates training moves: 0 and 1 stay as they are."""
    return (rates > 0) & (rates < 1)


def _amplification(predicted: Floats, rates: Floats) -> Floats:
    with np.errstate(all="ignore"):
        return predicted / np.where(rates > 0, rates, np.nan)


def _solved(rates: Floats, settings: Settings) -> Predicted:
    inner = moving(rates)
    limits = settings.solve(rates[inner])
    predicted, low, high = rates.copy(), rates.copy(), rates.copy()
    flags = np.where(inner, 0, 2).astype(np.uint8)
    predicted[inner], low[inner], high[inner] = limits.limit, limits.low, limits.high
    stuck = abs(limits.gain) < NO_CHANGE
    flags[inner] = (
        (limits.kind == CYCLE) + 2 * stuck + 4 * limits.multiple + 8 * (limits.kind == UNDECIDED).astype(np.uint8)
    )
    return Predicted(predicted, _amplification(predicted, rates), low, high, flags, *_no_time(rates))


def _no_time(rates: Floats) -> tuple[Floats, Floats]:
    """Best responses take no time."""
    return np.full(len(rates), np.nan), np.full(len(rates), np.nan)


def _flowing(rates: Floats, settings: Settings, counts: Floats) -> Predicted:
    """The predictions of the softmax flow, or of its steps."""
    batch = batch_of(rates, counts)
    predicted, multiple = _rest(rates, settings, batch)
    inner = moving(rates)
    stuck = ~inner | (abs(predicted - rates) < NO_CHANGE)
    low, high = predicted, predicted
    if settings.attempts is not None:
        ends = np.array([clopper_pearson(k, settings.attempts) for k in _successes(rates, settings.attempts)])
        low, high = (_rest(np.ascontiguousarray(end), settings, batch)[0] for end in ends.reshape(-1, 2).T)
    after, time = _no_time(rates)
    if settings.steps is not None and settings.learning_rate is not None:
        after = rates.copy()
        over = settings.steps * settings.learning_rate
        after[inner] = settings.course(rates[inner], batch, [settings.steps], [over])[0]
    if not settings.stepwise:
        sure = inner & (1 - predicted < SURE)
        time[sure | (inner & (predicted < SURE))] = 0.0  # success never falls, so what ends at 0 is there
        way = sure & (1 - rates > SURE)
        time[way] = settings.flow.time_to_be_sure(rates[way]) / settings.pace
    flags = (2 * stuck + 4 * multiple).astype(np.uint8)
    return Predicted(predicted, _amplification(predicted, rates), low, high, flags, after, time)


def batch_of(rates: Floats, counts: Floats) -> Batch:
    """The prompts with these pass rates as one batch; those with the rates 0 and 1 stay as they are."""
    inner = moving(rates)
    rest = counts[~inner]
    return Batch(counts[inner], float(rates[~inner] @ rest), float(rest.sum()))


def _rest(rates: Floats, settings: Settings, batch: Batch) -> tuple[Floats, Any]:
    """Where the flow from each rate rests, and whether there are several rest points."""
    inner = moving(rates)
    rest, multiple = rates.copy(), np.zeros(len(rates), bool)
    if settings.batch is not None:
        rest[inner] = _rest_of_batch(rates[inner], settings, settings.batch, batch)
        return rest, multiple
    if not settings.in_closed_form:
        logits, multiple[inner] = settings.flow.rest(rates[inner])
    elif settings.direct:
        limits = settings.solve(rates[inner])
        logits, multiple[inner] = limits.fixed_logits[..., 0], limits.multiple
    else:
        logits = settings.solve(rates[inner]).logit
    rest[inner] = probability(logits)
    return rest, multiple


def _rest_of_batch(rates: Floats, settings: Settings, guard: float, batch: Batch) -> Floats:
    """Where all prompts of a batch rest together: the least mean success above that of the start which is its own
    consequence, by the deviation of the batch.
    """
    if not len(rates) or settings.beta == 0:
        return np.ones_like(rates)

    def end(mean: float) -> Floats:
        height = settings.undivided_gap / (math.sqrt(mean * (1 - mean)) + guard)
        return np.asarray(probability(settings.flow_of_gap(height).rest(rates)[0]))

    start = batch.mean(rates)
    grid = np.linspace(start, 1, _GRID + 1)[:-1]
    above = next((k for k, mean in enumerate(grid) if batch.mean(end(mean)) <= mean), _GRID)
    low, high = (float(grid[max(above - 1, 0)]), float(grid[above]) if above < _GRID else 1 - 1e-12)
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        low, high = (middle, high) if batch.mean(end(middle)) > middle else (low, middle)
    return end(high)


def _successes(rates: Floats, attempts: int) -> list[int]:
    """How many of the attempts succeeded, where the rates are shares of them."""
    counts = rates * attempts
    whole = np.rint(counts)
    odd = np.flatnonzero(abs(counts - whole) > 1e-3)
    if len(odd):
        raise BadInput(f"the pass rate {rates[odd[0]]} is not a whole number of {attempts} attempts")
    return [int(k) for k in whole]
