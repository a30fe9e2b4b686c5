"""Orbits around 1/2 and below, settled without being followed: by the shape of the map alone.

For large groups the map ``f(t) = L + W(t)/β`` on the logit is even, falls up to t = 0 and rises from there (claim
``by-shape-unimodal``), and its Schwarzian derivative is negative for a guard inside (``by-shape-schwarzian``) and for
one outside (``by-shape-schwarzian-outside``), all of them derived in ``derivations/beyond/recursion_shape.py``. So |f'|
has no positive local minimum, nor has the slope of an iterate: an increasing iterate has at most three fixed points on
an interval, and the middle one of three repels. Let ``c_1 = f(0) < 0``, ``c_2 = f(c_1)``, and t* be the fixed point
below 0. After one step t ≥ c_1.

- If c_2 ≤ 0, f falls on [c_1, 0] and maps it into itself. On it every orbit tends to t* where |f'(t*)| ≤ 1; otherwise
  every orbit but that of t* tends to the one cycle of two: f∘f rises there and has no more fixed points.
- If 0 < c_2 ≤ −t* and f'(t*) < −1, f maps [c_1, c_2] into itself, and f∘f maps [t*, −t*] into itself, increasing up to
  0 and without a fixed point between. If also f∘f(c_2) ≥ 0, f∘f falls on [0, c_2] and maps it into itself, and has one
  fixed point there; where its slope is at most 1 in size, every orbit but that of t* tends to the cycle through it.

Sources: Singer (1978), Stable orbits and bifurcation of maps of the interval; Mroueh (2025), equation (8), Theorem 4.
"""

from __future__ import annotations

from typing import Any

import numpy as np

from grpo_symbolic.numeric.gap import Gap, take, value_and_slope
from grpo_symbolic.numeric.orbit import Fates, image
from grpo_symbolic.numeric.reached import newton_on

_MARGIN = 1e-9  # by which the conditions have to hold: more than their rounding
_FLIP = 1e-6  # a slope nearer to 1 in size is not decided here
_ENTRY = 6  # steps within which an orbit has to come in
_WARM = 4  # steps before Newton's method for a cycle, an even number
_ROUNDS = 16
_CLOSE = 1e-13  # a Newton step this small, as a share of the logit, is not made any more


def by_shape(gap: Gap, L: Any, drive: Any) -> Fates:
    """For the direct KL and large groups, the fates of orbits from p_ref: period 1 with ``logit``, 2 with ``low`` and
    ``high``, or 0 where the conditions above do not hold clearly. A row is an entry of ``L`` and ``drive`` = 1/β.
    """
    fates, first = Fates(len(L)), L + drive * gap.least
    rows = np.flatnonzero(first < -_MARGIN)
    gap, L, drive, first = take(gap, rows), L[rows], drive[rows], first[rows]
    second = image(gap, L, drive, first, True)
    t, within = image(gap, L, drive, L, True), np.maximum(second, 0.0)
    for _ in range(_ENTRY):
        out = np.flatnonzero(~(t <= within))
        if not len(out):
            break
        t[out] = image(take(gap, out), L[out], drive[out], t[out], True)
    keep = np.flatnonzero((t <= within) & (abs(second) > _MARGIN))
    gap = take(gap, keep)
    rows, L, drive, first, second, t = (x[keep] for x in (rows, L, drive, first, second, t))
    lower = np.minimum(t, image(gap, L, drive, t, True))  # at most t*
    found = newton_on(gap, L, drive, lower)
    one = found.sure & (second < 0.0) & (found.slope > -1.0 + _FLIP)
    at = rows[one]
    fates.period[at], fates.logit[at] = 1, found.logit[one]
    fates.slope[at], fates.residual[at] = found.slope[one], found.residual[one]
    two = found.sure & (found.slope < -1.0 - _FLIP) & (lower < found.logit - _MARGIN)
    third = image(gap, L, drive, second, True)
    two &= (second < 0.0) | ((second + found.logit < -_MARGIN) & (image(gap, L, drive, third, True) > _MARGIN))
    keep = np.flatnonzero(two)
    _cycles(fates, rows[keep], take(gap, keep), *(x[keep] for x in (L, drive, first, lower, found.logit)))
    return fates


def _cycles(fates: Fates, rows: Any, gap: Gap, L: Any, drive: Any, low: Any, t: Any, fixed: Any) -> None:
    """The cycles of two of rows that have just one: their lesser point lies from ``low`` = c_1 to ``fixed`` = t*, where
    ``f∘f(t) − t`` turns negative. Newton's method finds it, from the orbit of ``t`` < t*; halving keeps it between.
    """
    high = fixed
    for _ in range(_WARM):
        t = image(gap, L, drive, t, True)
    for _ in range(_ROUNDS):
        value, slope = value_and_slope(np, gap.family, gap.parameters, t)
        other = L + drive * value
        value, back = value_and_slope(np, gap.family, gap.parameters, other)
        slope = slope * back * (drive * drive)
        error = L + drive * value - t
        move, size = error / (slope - 1.0), np.maximum(1.0, abs(t))
        near = abs(move) <= _CLOSE * size
        sure = np.flatnonzero(near & (t < fixed - _MARGIN) & (other > fixed + _MARGIN) & (abs(slope) < 1.0 - _FLIP))
        at = rows[sure]
        fates.period[at], fates.slope[at] = 2, slope[sure]
        fates.residual[at] = (abs(error) / size)[sure]
        fates.low[at], fates.high[at] = t[sure], other[sure]
        low, high = np.where(error > 0.0, t, low), np.where(error > 0.0, high, t)
        t = t - move
        t = np.where((t > low) & (t < high), t, 0.5 * (low + high))
        keep = np.flatnonzero(~near)
        if not len(keep):
            return
        if 8 * len(keep) < 7 * len(rows):
            gap = take(gap, keep)
            rows, L, drive, low, high, t, fixed = (x[keep] for x in (rows, L, drive, low, high, t, fixed))


__all__ = ["by_shape"]
