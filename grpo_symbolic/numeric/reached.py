"""The fixed point that the success recursion reaches for the direct KL, found without the others, for blocks of rows.

With the logit t, L that of p_ref and ``g(t) = L + W(t)/β − t`` (zero at fixed points, see :mod:`.flow`), most rows need
no orbit. The map falls for t < 0 and rises for t > 0, so that

- from L ≥ 0, and from p_1 ≥ 1/2 with p_2 > p_1, the orbit increases to the next fixed point: on the convex piece of g
  (up to the turning point t_i) Newton's method from the left finds it or, when the slope of g changes sign or the piece
  is left with g > 0, proves that there is none; then it is the one zero on the concave piece beyond, approached from
  the right, or p = 1;
- if h(1/2) ≥ 1/2 and p_2 ≤ p_1, the orbit decreases from p_1 to the next fixed point, which is not below 1/2;
- if p_1 < 1/2, it stays between p_0 and p_1, and converges to the one fixed point there if the map contracts on them.

What is left is named as such: rows near a fold, rows whose orbit has to be followed, and rows that did not settle
within the steps. Sources: Mroueh (2025), equation (8), Theorem 4 (claims mr-dyn-monotone, mr-dyn-above-half,
mr-dyn-two-limits of this package).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grpo_symbolic.numeric.gap import Family, Floats, Gap, value_and_slope

NOISE = 4 * float(np.finfo(np.float64).eps)  # what rounding may add to g, as a share of its terms
NEAR_FOLD = 1e-6  # a slope nearer to 1 is left to the careful solver
_EVALUATIONS = 30
FUSED_STEPS = 9  # of a compiled pass, where every row takes all of them


@dataclass(frozen=True)
class Turn:
    """W at the turning point of a gap, for g there; where there is none, nothing lies beyond it."""

    at: Any
    value: Any
    least: Any
    greatest: Any
    steepest: Any


def turn_of(gap: Gap) -> Turn:
    """The numbers of a gap that the classification needs, without infinities that would turn into NaN."""
    bounded = np.isfinite(gap.inflection)
    value = value_and_slope(np, gap.family, gap.parameters, np.where(bounded, gap.inflection, 0.0))[0]
    return Turn(
        gap.inflection + 0.0,
        np.where(bounded, value, 0.0),
        gap.least + 0.0,
        np.where(bounded, gap.greatest, 0.0),
        np.where(bounded, gap.steepest, np.inf),
    )


@dataclass
class Found:
    """``logit`` of the limit with the slope of the map and the residual there; rows not ``sure`` hold nothing."""

    logit: Any
    slope: Any
    residual: Any
    sure: Any


def reach(gap: Gap, L: Floats, drive: Floats) -> Found:
    """NumPy: rows are sorted by the piece on which their limit lies, and dropped as they settle."""
    rows = len(L)
    found = Found(np.full(rows, np.nan), np.full(rows, np.nan), np.full(rows, np.nan), np.zeros(rows, bool))
    turn = turn_of(gap)
    up = np.flatnonzero(L >= 0)
    start = L[up]
    down = np.flatnonzero(L < 0)
    lists = [(up, start, None)]
    lows: list[tuple[Any, Any]] = []
    if len(down):
        lists, lows = _from_below(gap, turn, L, drive, up, down)
    rights: list[tuple[Any, Any]] = []
    for index, begin, falls in lists:
        part, some = _some(turn, index), _Rows(gap, L, drive, index)
        over = some.L + part.value * some.drive - part.at  # g at the turning point
        right = (begin >= part.at) | ((part.steepest * some.drive <= 1.0) & (over > 0.0))
        far = some.L + part.greatest * some.drive
        if falls is not None:  # from p_1 down: it is the nearest point known to the right
            far = np.where(right, begin, far)
            right &= over > 0.0
            unclear = (begin >= part.at) & (over <= 0.0) & (part.steepest * some.drive > 1.0)
            begin = np.where(unclear, np.nan, 0.0)
        left = np.flatnonzero(~right & ~np.isnan(begin))
        away = _newton(found, gap, L, drive, index[left], begin[left], _at(part.at, left))
        rights.append((index[right], far[right]))
        bounded = np.isfinite(_at(part.at, left[away]) + np.zeros(len(away)))
        rights.append((index[left[away[bounded]]], far[left[away[bounded]]]))
        certain = index[left[away[~bounded]]]
        found.logit[certain], found.slope[certain], found.residual[certain] = np.inf, 0.0, 0.0
        found.sure[certain] = True
    for these in (rights, lows):
        if these:
            index, begin = (np.concatenate(column) for column in zip(*these, strict=True))
            _newton(found, gap, L, drive, index, begin, np.inf)
    return found


def newton_on(gap: Gap, L: Floats, drive: Floats, lower: Floats) -> Found:
    """The fixed points below 1/2 of rows that have p_ref and h(1/2) there; ``lower`` values are not above them."""
    rows = len(L)
    found = Found(np.full(rows, np.nan), np.full(rows, np.nan), np.full(rows, np.nan), np.zeros(rows, bool))
    _newton(found, gap, L, drive, np.arange(rows), np.maximum(lower, -gap.inflection), np.inf)
    return found


def _from_below(gap: Gap, turn: Turn, L: Floats, drive: Floats, up: Any, down: Any) -> tuple[list[Any], list[Any]]:
    """The rows with p_ref < 1/2, by what their first two steps tell."""
    some, part = _Rows(gap, L, drive, down), _some(turn, down)
    value, before = value_and_slope(np, gap.family, some.parameters, some.L)
    once = some.L + some.drive * value
    value, after = value_and_slope(np, gap.family, some.parameters, once)
    twice = some.L + some.drive * value
    above = once >= 0.0
    rising = above & ((twice > once) | np.isposinf(once))
    falling = above & ~rising & (some.L + part.least * some.drive >= 0.0)
    steepest = part.steepest * some.drive
    spans = (some.L <= -part.at) & (once >= -part.at)
    steep = np.where(spans, steepest, some.drive * np.maximum(-before, -after))
    low = (~above & (steep < 1.0)) | (above & ~rising & ~falling & (steepest < 1.0))
    index, begin = down[low], np.maximum(some.L, -part.at)[low]
    together = np.concatenate([up, down[rising]]), np.concatenate([L[up], once[rising]]), None
    return [together, (down[falling], once[falling], True)], [(index, begin)]


def fused(
    xp: Any, family: Family, steps: int, parameters: Any, turn: Any, L: Any, drive: Any
) -> tuple[Any, Any, Any, Any]:
    """The same in one expression of an array library, without any choice that depends on the data, to be compiled:
    logit, slope, residual, and where they are sure after ``steps`` steps; ``turn`` is the fields of :class:`Turn`.
    """
    at, at_value, least, greatest, steepest = turn
    value, before = value_and_slope(xp, family, parameters, L)
    once = L + drive * value
    value, after = value_and_slope(xp, family, parameters, once)
    twice = L + drive * value
    far, over = L + greatest * drive, L + at_value * drive - at
    steep, bounded = steepest * drive, at < xp.inf
    high = L >= 0.0
    above = ~high & (once >= 0.0)
    rising = high | (above & ((twice > once) | (once == xp.inf)))
    falling = above & ~rising & (L + least * drive >= 0.0)
    side = xp.where(before < after, -before, -after) * drive
    shrinks = xp.where((-at >= L) & (once >= -at), steep, side) < 1.0
    low = ~high & xp.where(above, ~rising & ~falling & (steep < 1.0), shrinks)
    begin = xp.where(high, L, once)
    right = (begin >= at) | ((steep <= 1.0) & (over > 0.0))
    clear = rising | low | (falling & ~((begin >= at) & (over <= 0.0) & (steep > 1.0)))
    right = right & (rising | (over > 0.0)) & ~low
    bottom = xp.where(-at > L, -at, L)
    t = xp.where(right, xp.where(falling, begin, far), xp.where(falling, 0.0 * L, begin))
    t = xp.where(low, bottom, t)
    piece, size, certain = ~(right | low), xp.abs(L), L != L
    for _ in range(steps):
        value, slope = value_and_slope(xp, family, parameters, t)
        pull, slope = value * drive, slope * drive
        g = pull - (t - L)
        error = NOISE * (xp.abs(t) + size + pull)
        done = (xp.abs(g) <= error) & (pull < xp.inf)
        new = t - g / (slope - 1.0)
        away = piece & ~done & ((slope >= 1.0) | (new > at)) & (g > 1e3 * error)
        piece, certain = piece & ~away, certain | (away & ~bounded)
        residual = xp.abs(g) / xp.where(xp.abs(t) > 1.0, xp.abs(t), 1.0)
        t = xp.where(done, t, xp.where(away, far, new))
    sure = clear & done & (slope < 1.0 - NEAR_FOLD)
    certain = certain & clear
    t = xp.where(certain, xp.inf, t)
    return t, xp.where(certain, 0.0, slope), xp.where(certain, 0.0, residual), sure | certain


class _Rows:
    """Some rows of a block."""

    def __init__(self, gap: Gap, L: Floats, drive: Floats, index: Any) -> None:
        self.L, self.drive = L[index], drive[index]
        self.parameters = tuple(_at(p, index) for p in gap.parameters)


def _at(value: Any, index: Any) -> Any:
    return value if np.ndim(value) == 0 else value[index]


def _some(turn: Turn, index: Any) -> Turn:
    return Turn(*(_at(getattr(turn, name), index) for name in Turn.__dataclass_fields__))


def _newton(found: Found, gap: Gap, L: Floats, drive: Floats, index: Any, t: Any, edge: Any) -> Any:
    """Newton's method for g from ``t`` on the rows ``index``; writes the zeros found, and returns the places (in
    ``index``) of the rows proved to have none on the piece that ends at ``edge``.
    """
    some = _Rows(gap, L, drive, index)
    L, drive, parameters, place = some.L, some.drive, some.parameters, np.arange(len(index))
    bounded, away = not (np.ndim(edge) == 0 and np.isposinf(edge)), []
    size = abs(L)
    for _ in range(_EVALUATIONS):
        if not len(t):
            break
        value, slope = value_and_slope(np, gap.family, parameters, t)
        pull = value * drive
        slope *= drive
        distance = t - L
        g = pull - distance
        error = NOISE * (np.abs(t) + size + pull)
        done = (np.abs(g) <= error) & (pull < np.inf)
        new = t - g / (slope - 1.0)
        leaves = slope >= 1.0
        if bounded:
            leaves |= new > edge
        leaves &= ~done
        settled = np.flatnonzero(done & (slope < 1.0 - NEAR_FOLD))
        at = index[place[settled]]
        found.logit[at], found.slope[at] = t[settled], slope[settled]
        found.residual[at] = np.abs(g[settled]) / np.maximum(1.0, np.abs(t[settled]))
        found.sure[at] = True
        gone = np.flatnonzero(leaves & (g > 1e3 * error))
        away.append(place[gone])
        keep = np.flatnonzero(~(done | leaves | np.isnan(new)))
        if len(keep) == len(t):
            t = new
            continue
        t, L, drive, size, place = new[keep], L[keep], drive[keep], size[keep], place[keep]
        parameters = tuple(_at(p, keep) for p in parameters)
        edge = _at(edge, keep)
    return np.concatenate(away) if away else np.arange(0)
