"""Orbits that cannot be read off the fixed points: from a p_ref so small that the map stays below 1/2, where it falls.

There the orbit alternates around the one fixed point below 1/2, to which it may tend, or to a cycle, or it may leave
for p > 1/2 for good. It is followed (on the host, in float64) until it is inside an interval around the fixed point
on which the map contracts, or rises above 1/2, or repeats itself. Sources: Mroueh (2025), Theorem 4 and Figure 5; the
certified form is :mod:`grpo_symbolic.optimality.orbit`.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grpo_symbolic.numeric.flow import step
from grpo_symbolic.numeric.gap import Gap, take, value_and_slope, value_into
from grpo_symbolic.numeric.reached import newton_on

LONGEST = 32  # longest period looked for
_NEWTON = 5  # rounds: from 1e-4 three are enough but near a bifurcation, where the orbit is looked at again later
_GIVE_UP = 128  # steps after which rows without any sign of a cycle are given up
_NEAR = 2.5  # the sign, over the steps: the orbit of t = 0 comes so near to where it was within the longest period
_GROWS = 100.0  # and errors do not grow so much along it, in four longest periods
_SURE = 1024  # steps after which rows with such signs are followed on for good
_SAMPLES = np.linspace(-1.0, 1.0, 17)


@dataclass
class Fates:
    """What becomes of the rows of a block: the arrays have one entry a row; a row without a verdict has period 0.

    ``period`` is 1 for convergence to ``logit``, k for a cycle between ``low`` and ``high`` and with the slope of the
    k-th iterate, and −1 for an orbit that stays above 1/2 for good and tends to the next attracting fixed point above
    ``logit``.
    """

    rows: int
    period: Any = field(init=False)
    logit: Any = field(init=False)
    low: Any = field(init=False)
    high: Any = field(init=False)
    slope: Any = field(init=False)
    residual: Any = field(init=False)

    def __post_init__(self) -> None:
        self.period = np.zeros(self.rows, dtype=np.int16)
        for name in ("logit", "low", "high", "slope", "residual"):
            setattr(self, name, np.full(self.rows, np.nan))


def glance(gap: Gap, L: Any, drive: Any, steps: int) -> Fates:
    """For the direct KL, what the first ``steps`` steps tell, without fixed points at hand: a period of 1 (the orbit
    alternates around an attracting fixed point in an interval on which the map contracts), of 2, or none.
    """
    fates, ends = _first_steps(gap, L, drive, steps)
    near = np.flatnonzero(fates.period == 1)
    found = newton_on(take(gap, near), L[near], drive[near], L[near])
    slack = 1e-9 * np.maximum(1.0, abs(ends[near]))
    sure = found.sure & (found.logit >= ends[near, 0] - slack[:, 0]) & (found.logit <= ends[near, 1] + slack[:, 1])
    fates.period[near[~sure]] = 0
    for name in ("logit", "slope", "residual"):
        getattr(fates, name)[near[sure]] = getattr(found, name)[sure]
    return fates


def _first_steps(gap: Gap, L: Any, drive: Any, steps: int) -> tuple[Fates, Any]:
    """The periods, and for period 1 the ends (rows, 2) of an interval around the fixed point."""
    fates, rows, ends = Fates(len(L)), np.arange(len(L)), np.full((len(L), 2), np.nan)
    t = L
    value, slope = value_and_slope(np, gap.family, gap.parameters, t)
    ahead, slope = L + value * drive, slope * drive
    for made in range(1, steps + 1):
        value, further_slope = value_and_slope(np, gap.family, gap.parameters, ahead)
        further, further_slope = L + value * drive, further_slope * drive
        low, high = np.minimum(t, ahead), np.maximum(t, ahead)
        greatest = _greatest(gap, drive, low, high, np.maximum(abs(slope), abs(further_slope)))
        caught = ((ahead > t) != (further > ahead)) & (greatest < 1.0)
        fates.period[rows[caught]] = 1
        ends[rows[caught]] = np.stack([low[caught], high[caught]], axis=-1)
        settled = caught
        if made >= 8 and made & (made - 1) == 0:
            open_ = np.flatnonzero(~caught)
            part = take(gap, open_), L[open_], drive[open_]
            settled[open_] = _alternates(fates, rows[open_], *part, t[open_])
        keep = np.flatnonzero(~settled)
        if 8 * len(keep) < 7 * len(rows) or made == steps:
            rows, t, ahead, further, L, drive, slope, further_slope = (
                x[keep] for x in (rows, t, ahead, further, L, drive, slope, further_slope)
            )
            gap = take(gap, keep)
        if not len(rows):
            break
        t, ahead, slope = ahead, further, further_slope
    return fates, ends


def _greatest(gap: Gap, drive: Any, low: Any, high: Any, at_ends: Any) -> Any:
    """The greatest size of the map's slope between two logits: at the ends, or at a turning point between them."""
    turns = ((low <= gap.inflection) & (high >= gap.inflection)) | (
        (low <= -gap.inflection) & (high >= -gap.inflection)
    )
    return np.where(turns, gap.steepest * drive, at_ends)


def _alternates(fates: Fates, rows: Any, gap: Gap, L: Any, drive: Any, t: Any) -> Any:
    """Rows near an attracting cycle of two: Newton's method finds it, and the map taken twice contracts on the interval
    around its nearer point that reaches to the orbit.
    """
    point, twice = t, [len(t)] * 2
    for _ in range(4):
        end, slope = _along(gap, L, drive, point, twice, True)
        point = point - (end - point) / (slope - 1.0)
    end, slope, low, high, apart = _around(gap, L, drive, point, twice, True)
    radius = abs(t - point) * (1 + 1e-9) + 1e-12
    steepest = _steepest_along(gap, L, drive, point - radius, point + radius, twice, True)
    residual = abs(end - point) / np.maximum(1.0, abs(point))
    sure = (steepest < 1.0) & apart & (residual <= 1e-12)
    at = rows[sure]
    fates.period[at], fates.slope[at], fates.residual[at] = 2, slope[sure], residual[sure]
    fates.low[at], fates.high[at] = low[sure], high[sure]
    return sure


def contracts(gap: Gap, L: Any, drive: Any, centre: Any, radius: Any, direct: bool) -> Any:
    """Whether the map's slope stays below 1 in size within ``radius`` of ``centre``.

    For the direct KL the slope grows towards the turning point of the gap and falls beyond it, so the ends and the
    turning point tell; for the reverse KL the slope is sampled.
    """
    if direct:
        ends = [abs(step(np, gap, L, drive, centre + sign * radius, True)[1]) for sign in (-1.0, 1.0)]
        over = (abs(abs(centre) - gap.inflection) <= radius) | (abs(centre) + gap.inflection <= radius)
        return np.where(over, gap.steepest * drive, np.maximum(*ends)) < 1.0
    slopes = [abs(step(np, gap, L, drive, centre + at * radius, False)[1]) for at in _SAMPLES]
    return np.maximum.reduce(slopes) < 1.0


def follow(gap: Gap, L: Any, drive: Any, fixed: Any, top: Any, direct: bool, steps: int) -> Fates:
    """The fates of orbits from p_ref within ``steps`` iterations; ``fixed`` is the fixed point below 1/2, ``top`` the
    attracting one above it or NaN (logits).
    """
    fates = Fates(len(L))
    rows, t, made, rest = np.arange(len(L)), np.array(L), 0, 16
    while len(rows) and made < steps:
        t = _run(gap, L, drive, t, direct, min(rest, steps - made))
        settled, t = _settle(fates, rows, gap, L, drive, fixed, top, t, direct)
        made += rest + LONGEST
        rest = made
        if _GIVE_UP <= made <= _SURE and direct and bends_down(gap):
            open_ = np.flatnonzero(~settled)
            settled[open_] = _wanders(take(gap, open_), L[open_], drive[open_], made)
        if settled.any():
            keep = np.flatnonzero(~settled)
            rows, t, L, drive, fixed, top = (x[keep] for x in (rows, t, L, drive, fixed, top))
            gap = take(gap, keep)
    return fates


def _settle(
    fates: Fates, rows: Any, gap: Gap, L: Any, drive: Any, fixed: Any, top: Any, t: Any, direct: bool
) -> tuple[Any, Any]:
    """Which rows are settled, and the orbits after some more steps, in which their cycles were looked for."""
    ahead, _ = step(np, gap, L, drive, t, direct)
    rises = (t >= 0) & ((ahead > t) | np.isposinf(t) | (t >= top))
    fates.period[rows[rises]], fates.logit[rows[rises]] = -1, np.fmin(t, top)[rises]
    caught = ~rises & contracts(gap, L, drive, fixed, abs(t - fixed), direct)
    fates.period[rows[caught]], fates.logit[rows[caught]] = 1, fixed[caught]
    open_ = np.flatnonzero(~rises & ~caught)
    settled = rises | caught
    if len(open_):
        here = take(gap, open_), L[open_], drive[open_], t[open_]
        settled[open_], t[open_] = _cycles(fates, rows[open_], *here, direct)
    return settled, t


def bends_down(gap: Gap) -> bool:
    """Whether the map is known to have a negative Schwarzian derivative for the direct KL (see :mod:`.unimodal`)."""
    return gap.family != "group"


def _wanders(gap: Gap, L: Any, drive: Any, steps: int) -> Any:
    """Rows that are not worth following on. An attracting cycle also attracts the orbit of t = 0 (Singer's theorem),
    and that without detours: where this orbit stays bounded and does not come near itself, or errors grow along it, no
    cycle will be found.
    """
    t = L + drive * gap.least
    highest = image(gap, L, drive, t, True)
    stays = (t < 0.0) & (highest > 0.0) & (image(gap, L, drive, highest, True) <= highest)
    t = _run(gap, L, drive, t, True, steps)
    now, nearest = t, np.full_like(t, np.inf)
    for _ in range(LONGEST):
        now = image(gap, L, drive, now, True)
        nearest = np.minimum(nearest, abs(now - t))
    far = nearest > _NEAR / steps
    near = np.flatnonzero(stays & ~far)
    gap, L, drive, t = take(gap, near), L[near], drive[near], t[near]
    growth = np.ones_like(t)
    for _ in range(4 * LONGEST):
        t, slope = step(np, gap, L, drive, t, True)
        growth *= slope
    far[near] = abs(growth) > _GROWS
    return stays & far


def _cycles(fates: Fates, rows: Any, gap: Gap, L: Any, drive: Any, t: Any, direct: bool) -> tuple[Any, Any]:
    """Rows whose orbit nearly repeats itself, near an attracting cycle that Newton's method finds; and the orbits after
    the longest period.
    """
    period, now = np.zeros(len(t), dtype=np.int16), t
    for k in range(1, LONGEST + 1):
        now = image(gap, L, drive, now, direct)
        period[(period == 0) & (abs(now - t) < 1e-4)] = k
    settled = np.zeros(len(t), dtype=bool)
    some = np.flatnonzero(period > 1)
    if len(some):
        some = some[np.argsort(-period[some], kind="stable")]
        part, heads = (take(gap, some), L[some], drive[some]), _heads(period[some])
        point = _newton(*part, t[some], heads, direct)
        radius = 2 * abs(point - t[some]) + 1e-9
        steepest = _steepest_along(*part, point - radius, point + radius, heads, direct)
        end, slope, low, high, apart = _around(*part, point, heads, direct)
        residual = abs(end - point) / np.maximum(1.0, abs(point))
        sure = (steepest < 1.0) & apart & (residual <= 1e-9)
        settled[some[sure]] = True
        at = rows[some[sure]]
        fates.period[at], fates.slope[at], fates.residual[at] = period[some[sure]], slope[sure], residual[sure]
        fates.low[at], fates.high[at] = low[sure], high[sure]
    return settled, now


def _heads(period: Any) -> list[int]:
    """How many rows take the first, the second … step of a period, when the longest periods come first."""
    return [int(np.count_nonzero(period > k)) for k in range(int(period[0]))]


def image(gap: Gap, L: Any, drive: Any, t: Any, direct: bool) -> Any:
    """The map without its slope."""
    return _run(gap, L, drive, t, direct, 1)


def _run(gap: Gap, L: Any, drive: Any, t: Any, direct: bool, steps: int) -> Any:
    """An iterate of the map."""
    if not direct:
        for _ in range(steps):
            t = step(np, gap, L, drive, t, False)[0]
        return t
    t, work = np.array(t), (np.empty_like(t), np.empty_like(t))
    for _ in range(steps):
        value_into(gap.family, gap.parameters, t, work)
        t *= drive
        t += L
    return t


def _steepest_along(gap: Gap, L: Any, drive: Any, low: Any, high: Any, heads: list[int], direct: bool) -> Any:
    """How steep the k-th iterate is at most between two logits: for the direct KL the product of the greatest slopes on
    the images of the interval, one after the other; for the reverse KL the slope is sampled.
    """
    if not direct:
        middle, radius = 0.5 * (low + high), 0.5 * (high - low)
        slopes = [abs(_along(gap, L, drive, middle + at * radius, heads, False)[1]) for at in _SAMPLES]
        return np.maximum.reduce(slopes)
    product, least, low, high = np.ones_like(L), L + gap.least * drive, np.array(low), np.array(high)
    for n in heads:
        some, left, right, D = take(gap, slice(n)), low[:n], high[:n], drive[:n]
        ends = [step(np, some, L[:n], D, at, True) for at in (left, right)]
        product[:n] *= _greatest(some, D, left, right, np.maximum(abs(ends[0][1]), abs(ends[1][1])))
        crosses = (left <= 0.0) & (right >= 0.0)
        low[:n] = np.where(crosses, least[:n], np.minimum(ends[0][0], ends[1][0]))
        high[:n] = np.maximum(ends[0][0], ends[1][0])
    return product


def _along(gap: Gap, L: Any, drive: Any, t: Any, heads: list[int], direct: bool) -> tuple[Any, Any]:
    """The iterate after each row's period, and its slope."""
    product, t = np.ones_like(t), np.array(t)
    for n in heads:
        t[:n], slope = step(np, take(gap, slice(n)), L[:n], drive[:n], t[:n], direct)
        product[:n] *= slope
    return t, product


def _around(gap: Gap, L: Any, drive: Any, t: Any, heads: list[int], direct: bool) -> tuple[Any, ...]:
    """The iterate after each row's period, its slope, the least and the greatest point on the way, and whether the
    orbit comes back to its start only then.
    """
    now, product, low, high = np.array(t), np.ones_like(t), np.array(t), np.array(t)
    apart = np.ones(len(t), dtype=bool)
    for k, n in enumerate(heads):
        if k:
            apart[:n] &= abs(now[:n] - t[:n]) > 1e-7
            low[:n], high[:n] = np.minimum(low[:n], now[:n]), np.maximum(high[:n], now[:n])
        now[:n], slope = step(np, take(gap, slice(n)), L[:n], drive[:n], now[:n], direct)
        product[:n] *= slope
    return now, product, low, high, apart


def _newton(gap: Gap, L: Any, drive: Any, t: Any, heads: list[int], direct: bool) -> Any:
    for _ in range(_NEWTON):
        end, slope = _along(gap, L, drive, t, heads, direct)
        move = (end - t) / (slope - 1.0)
        t = t - move
        if not (abs(move) > 1e-12 * np.maximum(1.0, abs(t))).any():
            break
    return t
