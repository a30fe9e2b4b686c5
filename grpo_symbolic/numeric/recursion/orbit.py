"""Orbits that cannot be read off the fixed points: from a p_ref so small that the map stays below 1/2, where it falls.

There the orbit alternates around the one fixed point below 1/2, to which it may tend, or to a cycle, or it may leave
for p > 1/2 for good. It is followed (on the host, in float64) until it is inside an interval around the fixed point
on which the map contracts, or rises above 1/2, or repeats itself. Sources: Mroueh (2025), Theorem 4 and Figure 5; the
certified form is :mod:`grpo_symbolic.optimality.orbit`.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grpo_symbolic.numeric.recursion.gap import Floats, Places
from grpo_symbolic.numeric.recursion.roots import SuccessMap

LONGEST = 32  # longest period looked for
_FIRST = 16  # steps before an orbit is looked at; then as many as were made, so that looking costs a share of them
_NEWTON = 5  # rounds: from 1e-4 three are enough but near a bifurcation, where the orbit is looked at again later
_SAMPLES = np.linspace(-1.0, 1.0, 17)  # places of an interval at which a slope without a bound is looked at


class LimitSets:
    """What becomes of the rows of a block: the arrays have one entry a row; a row without a verdict has period 0.

    ``period`` is 1 for convergence to ``logit``, k for a cycle between ``low`` and ``high`` and with the slope of the
    k-th iterate, and −1 for an orbit that stays above 1/2 for good and tends to the next attracting fixed point above
    ``logit``.
    """

    def __init__(self, rows: int) -> None:
        self.period = np.zeros(rows, dtype=np.int16)
        self.logit, self.low, self.high, self.slope, self.residual = np.full((5, rows), np.nan)


def _greatest(of: SuccessMap, low: Floats, high: Floats, at_ends: Floats) -> Any:
    """The greatest size of the map's slope between two logits: at the ends, or at a turning point between them."""
    turn = of.gap.inflection
    turns = ((low <= turn) & (high >= turn)) | ((low <= -turn) & (high >= -turn))
    return np.where(turns, of.steepest, at_ends)


def contracts(of: SuccessMap, centre: Floats, radius: Floats) -> Any:
    """Whether the map's slope stays below 1 in size within ``radius`` of ``centre``.

    For KL(π‖π_ref) the slope grows towards the turning point of the gap and falls beyond it, so the ends and the
    turning point tell; for KL(π_ref‖π) the slope is sampled.
    """
    places = (-1.0, 1.0) if of.direct else _SAMPLES
    steepest = np.maximum.reduce([abs(of.step(centre + at * radius)[1]) for at in places])
    if of.direct:
        turn = of.gap.inflection
        over = (abs(abs(centre) - turn) <= radius) | (abs(centre) + turn <= radius)
        steepest = np.where(over, of.steepest, steepest)
    return steepest < 1.0


def follow(of: SuccessMap, fixed: Floats, top: Floats, steps: int) -> LimitSets:
    """Where orbits end from p_ref within ``steps`` iterations; ``fixed`` is the fixed point below 1/2, ``top`` the
    attracting one above it or NaN (logits).
    """
    sets = LimitSets(len(of.L))
    rows, t, made, rest = np.arange(len(of.L)), np.array(of.L), 0, _FIRST
    while len(rows) and made < steps:
        for _ in range(min(rest, steps - made)):
            t, _ = of.step(t)
        settled, t = _settle(sets, rows, of, fixed, top, t)
        made += rest + LONGEST
        rest = made
        if settled.any():
            left = np.flatnonzero(~settled)
            of, rows, fixed, top, t = of.take(left), rows[left], fixed[left], top[left], t[left]
    return sets


def _settle(sets: LimitSets, rows: Places, of: SuccessMap, fixed: Floats, top: Floats, t: Floats) -> tuple[Any, Any]:
    """Which rows are settled, and the orbits after some more steps, in which their cycles were looked for."""
    ahead, _ = of.step(t)
    rises = (t >= 0) & ((ahead > t) | np.isposinf(t) | (t >= top))
    sets.period[rows[rises]], sets.logit[rows[rises]] = -1, np.fmin(t, top)[rises]
    caught = ~rises & contracts(of, fixed, abs(t - fixed))
    sets.period[rows[caught]], sets.logit[rows[caught]] = 1, fixed[caught]
    open_ = np.flatnonzero(~rises & ~caught)
    settled = rises | caught
    if len(open_):
        settled[open_], t[open_] = _cycles(sets, rows[open_], of.take(open_), t[open_])
    return settled, t


def _cycles(sets: LimitSets, rows: Places, of: SuccessMap, t: Floats) -> tuple[Any, Any]:
    """Rows whose orbit nearly repeats itself, near an attracting cycle that Newton's method finds; and the orbits after
    the longest period.
    """
    period, now = np.zeros(len(t), dtype=np.int16), t
    for k in range(1, LONGEST + 1):
        now, _ = of.step(now)
        period[(period == 0) & (abs(now - t) < 1e-4)] = k
    settled = np.zeros(len(t), dtype=bool)
    some = np.flatnonzero(period > 1)
    if len(some):
        some = some[np.argsort(-period[some], kind="stable")]
        part, heads = of.take(some), _heads(period[some])
        point = _newton(part, t[some], heads)
        radius = 2 * abs(point - t[some]) + 1e-9
        steepest = _steepest_along(part, point - radius, point + radius, heads)
        end, slope, low, high, distinct = _around(part, point, heads)
        residual = abs(end - point) / np.maximum(1.0, abs(point))
        sure = (steepest < 1.0) & distinct & (residual <= 1e-9)
        settled[some[sure]] = True
        at = rows[some[sure]]
        sets.period[at], sets.slope[at], sets.residual[at] = period[some[sure]], slope[sure], residual[sure]
        sets.low[at], sets.high[at] = low[sure], high[sure]
    return settled, now


def _heads(period: Places) -> list[int]:
    """How many rows take the first, the second … step of a period, when the longest periods come first."""
    return [int(np.count_nonzero(period > k)) for k in range(int(period[0]))]


def _steepest_along(of: SuccessMap, low: Floats, high: Floats, heads: list[int]) -> Any:
    """How steep the k-th iterate is at most between two logits: for KL(π‖π_ref) the product of the greatest slopes on
    the images of the interval, one after the other; for KL(π_ref‖π) the slope is sampled.
    """
    if not of.direct:
        middle, radius = 0.5 * (low + high), 0.5 * (high - low)
        return np.maximum.reduce([abs(_along(of, middle + at * radius, heads)[1]) for at in _SAMPLES])
    product, low, high = np.ones_like(of.L), np.array(low), np.array(high)
    least = of.L + of.gap.least * of.inverse_beta
    for n in heads:
        some, left, right = of.take(slice(n)), low[:n], high[:n]
        (image_left, slope_left), (image_right, slope_right) = some.step(left), some.step(right)
        product[:n] *= _greatest(some, left, right, np.maximum(abs(slope_left), abs(slope_right)))
        crosses = (left <= 0.0) & (right >= 0.0)
        low[:n] = np.where(crosses, least[:n], np.minimum(image_left, image_right))
        high[:n] = np.maximum(image_left, image_right)
    return product


def _along(of: SuccessMap, t: Floats, heads: list[int]) -> tuple[Any, Any]:
    """The iterate after each row's period, and its slope."""
    product, t = np.ones_like(t), np.array(t)
    for n in heads:
        t[:n], slope = of.take(slice(n)).step(t[:n])
        product[:n] *= slope
    return t, product


def _around(of: SuccessMap, t: Floats, heads: list[int]) -> tuple[Any, ...]:
    """The iterate after each row's period, its slope, the least and the greatest point on the way, and whether the
    orbit comes back to its start only then.
    """
    now, product, low, high = np.array(t), np.ones_like(t), np.array(t), np.array(t)
    distinct = np.ones(len(t), dtype=bool)
    for k, n in enumerate(heads):
        if k:
            distinct[:n] &= abs(now[:n] - t[:n]) > 1e-7
            low[:n], high[:n] = np.minimum(low[:n], now[:n]), np.maximum(high[:n], now[:n])
        now[:n], slope = of.take(slice(n)).step(now[:n])
        product[:n] *= slope
    return now, product, low, high, distinct


def _newton(of: SuccessMap, t: Floats, heads: list[int]) -> Any:
    for _ in range(_NEWTON):
        end, slope = _along(of, t, heads)
        move = (end - t) / (slope - 1.0)
        t = t - move
        if not (abs(move) > 1e-12 * np.maximum(1.0, abs(t))).any():
            break
    return t
