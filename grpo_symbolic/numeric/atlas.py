"""Limits of the success recursion for very many (p_ref, β): an atlas of cells in which all orbits have the same fate.

For one advantage gap W the limit, as a logit, is a function of ``L = logit p_ref`` and ``D = 1/β``. The plane is cut
into cells; a cell is used only where the theory settles every row in it at once. With ``g(t) = L + D·W(t) − t``, which
grows with L and with D at every t:

- the least and the greatest fixed point grow with L and D, so that the values at two opposite corners enclose those of
  the cell; if g falls on the whole enclosure, there is one zero there for every row, and no other is near;
- from L ≥ 0 the orbit increases to the least fixed point; from p_1 ≥ 1/2 it tends to the greatest one where p_1 lies
  beyond the repelling one at the cell's lower corner, and to the least one where h(1/2) ≥ 1/2 and p_1 lies before the
  repelling one at the upper corner;
- from p_ref < 1/2 all orbits of the cell stay in intervals that enclose one another, the images of the one before; once
  the map contracts on such an interval, the orbits converge, to the least fixed point; so they do where the shape of
  the map tells (:mod:`.unimodal`).

In each cell that is settled so, a polynomial (Adini's: the values and the two slopes at four corners) gives a starting
value inside the enclosure, one or two steps of Newton's method the limit, and one more evaluation of W its slope and
its residual; steps that are not short are not trusted. Rows in other cells, or
whose residual is not at rounding, are named and left to the solver by rows (:mod:`.reached`). Sources: Mroueh (2025),
equation (8), Theorem 4 (claims mr-dyn-monotone, mr-dyn-above-half, mr-dyn-two-limits of this package).
"""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np

from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.blocks import in_blocks
from grpo_symbolic.numeric.flow import Arrays, direct_roots
from grpo_symbolic.numeric.gap import Family, Floats, Gap, value_and_slope
from grpo_symbolic.numeric.orbit import bends_down
from grpo_symbolic.numeric.reached import NOISE, Found

_ENDS = 16  # logits of p_ref from −16 to 16
_ACROSS = 16  # cells for a logit, and for a doubling of D
_BINADES = (-8, 12)  # D from 2^−8 to 2^12
_SHIFT = 52 - 4  # of the bits of D: four of the mantissa are left, which number sixteen cells
_MARGIN = 1e-2  # by which a slope has to be below 1
_STEP = 2e-4  # the longest step, of two from a starting value
_SLACK = 1e-3  # by which enclosures are widened: more than two steps and the rounding of a starting value
_ROUNDS = 48  # images of intervals
_ENTRY = 4  # steps within which orbits have to come in where the shape of the map tells

LEFT, FINITE, CERTAIN = range(3)  # what a cell is: not settled, with a limit below p = 1, with the limit p = 1

# Powers of x and y in Adini's polynomial, on the unit square; and what its coefficients are of the corners' data:
# value, slope in x, slope in y at (0, 0), (1, 0), (0, 1), (1, 1).
_POWERS = ((0, 0), (1, 0), (0, 1), (2, 0), (1, 1), (0, 2), (3, 0), (2, 1), (1, 2), (0, 3), (3, 1), (1, 3))


def _conditions() -> Floats:
    rows = []
    for y, x in ((0, 0), (0, 1), (1, 0), (1, 1)):
        rows.append([x**i * y**j for i, j in _POWERS])
        rows.append([i * x ** max(i - 1, 0) * y**j for i, j in _POWERS])
        rows.append([j * x**i * y ** max(j - 1, 0) for i, j in _POWERS])
    return np.array(rows, dtype=np.float64)


_FROM_CORNERS = np.linalg.inv(_conditions())
# Coefficients in Bernstein's basis of degree 3 by 3, between whose extremes the polynomial stays on the square:
# x^i is the sum of C(k, i)/C(3, i) over the basis.
_LIFT = np.array([[1, 0, 0, 0], [1, 1 / 3, 0, 0], [1, 2 / 3, 1 / 3, 0], [1, 1, 1, 1]])
_BERNSTEIN = np.array([[_LIFT[k, i] * _LIFT[m, j] for i, j in _POWERS] for k in range(4) for m in range(4)])


@dataclass(frozen=True)
class Atlas:
    """The cells for one gap. ``kind`` (cells) is :data:`LEFT`, :data:`FINITE` or :data:`CERTAIN`; ``coefficients``
    (cells, 12) are those of the starting values. A ring of cells that are not settled lies around the others.
    """

    gap: Gap
    kind: Any
    coefficients: Any

    def reach(self, L: Floats, drive: Floats) -> Found:
        """NumPy: limit, slope and residual of the rows of a block; not ``sure`` where they are to be found otherwise.
        A starting value that was less good takes one more step.
        """
        cell, x, y = place(np, L, drive)
        kind, about = self.kind.take(cell), (self.gap.family, self.gap.parameters)
        start = _start(self.coefficients.take(cell, axis=0).T, x, y)
        t, short = _newton(np, *about, L, drive, start.astype(np.float64))
        short &= kind == FINITE
        slope, residual, near = _judged(np, *about, L, drive, t)
        found = Found(t, slope, residual, near & short)
        certain = np.flatnonzero(kind == CERTAIN)
        if len(certain):
            found.logit[certain], found.slope[certain] = np.inf, 0.0
            found.residual[certain], found.sure[certain] = 0.0, True
        short &= ~near
        more = np.flatnonzero(short)
        if len(more):
            L, drive = L[more], drive[more]
            t, short = _newton(np, *about, L, drive, t[more])
            found.logit[more] = t
            found.slope[more], found.residual[more], near = _judged(np, *about, L, drive, t)
            found.sure[more] = near & short
        return found

    def on(self, backend: Any) -> tuple[Any, tuple[Any, ...]]:
        """The kinds, and the columns of the coefficients, as arrays of a backend."""
        return backend.share(self.kind), tuple(map(backend.share, self.coefficients.T))


def compiled(
    xp: Any, family: Family, parameters: Any, kinds: Any, columns: Any, L: Any, drive: Any
) -> tuple[Any, Any, Any, Any]:
    """The same in one expression of an array library, which may be compiled; all rows take two steps. ``columns`` are
    those of the coefficients.
    """
    cell, x, y = place(xp, L, drive)
    kind = _picked(xp, kinds, cell)
    t = _cast(_start([_picked(xp, c, cell) for c in columns], x, y), xp.float64)
    t, first = _newton(xp, family, parameters, L, drive, t)
    t, second = _newton(xp, family, parameters, L, drive, t)
    slope, residual, near = _judged(xp, family, parameters, L, drive, t)
    certain = kind == CERTAIN
    t, slope, residual = (xp.where(certain, a, b) for a, b in ((xp.inf, t), (0.0, slope), (0.0, residual)))
    return t, slope, residual, certain | (near & first & second & (kind == FINITE))


def _newton(xp: Any, family: Family, parameters: Any, L: Any, drive: Any, t: Any) -> tuple[Any, Any]:
    """The end of one step of Newton's method from ``t``, and where the step is short."""
    move, slope = value_and_slope(xp, family, parameters, t)
    move *= drive
    move += L
    move -= t
    slope *= drive
    slope -= 1.0
    move /= slope
    return t - move, xp.abs(move) <= _STEP + 1e-2 * _STEP * xp.abs(t)


def _judged(xp: Any, family: Family, parameters: Any, L: Any, drive: Any, t: Any) -> tuple[Any, Any, Any]:
    """The slope of the map at ``t``, the residual, and where t is a fixed point within rounding."""
    pull, slope = value_and_slope(xp, family, parameters, t)
    pull *= drive
    slope *= drive
    gap, size = pull - t, xp.abs(t)
    gap += L
    gap = xp.abs(gap)
    pull += xp.abs(L)
    pull += size
    pull *= NOISE
    near = gap <= pull
    gap /= xp.where(size > 1.0, size, 1.0)
    return slope, gap, near


def _picked(xp: Any, values: Any, places: Any) -> Any:
    """Values at places that are known to exist."""
    return values.index_select(0, places) if hasattr(xp, "index_select") else xp.take(values, places, mode="clip")


def _cast(values: Any, dtype: Any) -> Any:
    return values.to(dtype) if hasattr(values, "to") else values.astype(dtype)


def _start(c: Any, x: Any, y: Any) -> Any:
    """Adini's polynomial; the order of its coefficients is that of :data:`_POWERS`."""
    with_x = ((c[10] * y + c[6]) * x + (c[7] * y + c[3])) * x + ((c[11] * y + c[8]) * y + c[4]) * y + c[1]
    return with_x * x + ((c[9] * y + c[5]) * y + c[2]) * y + c[0]


_COLUMNS = 2 * _ENDS * _ACROSS + 2
_ROWS = (_BINADES[1] - _BINADES[0]) * _ACROSS + 2
_FIRST = ((_BINADES[0] + 1023) << 4) - 1  # the top bits of D in the row below the first
_LEAST, _MOST = 2.0 ** _BINADES[0] * (1.0 - 2.0**-53), 2.0 ** _BINADES[1]  # D in the rows of the ring


def place(xp: Any, L: Any, drive: Any) -> tuple[Any, Any, Any]:
    """The cell of each row, and where in it the row lies, as two numbers from 0 to 1 (float32)."""
    x = xp.clip(L * _ACROSS + (_ENDS * _ACROSS + 1), 0.0, _COLUMNS - 0.5)
    column = _cast(x, xp.int64)
    bits = xp.clip(drive, _LEAST, _MOST).view(xp.int64)
    row = (bits >> _SHIFT) - _FIRST
    y = _cast(bits & ((1 << _SHIFT) - 1), xp.float32) * 2.0**-_SHIFT
    return row * _COLUMNS + column, _cast(x - column, xp.float32), y


def worth(gap: Gap, rows: int) -> bool:
    """Whether an atlas of this gap pays for so many rows: it takes as long as some hundred thousand of them."""
    alone = all(np.ndim(p) == 0 for p in gap.parameters)
    return alone and (rows >= 1 << 20 or (rows >= 1 << 17 and _key(gap) in _made))


def _key(gap: Gap) -> Any:
    numbers = (float(getattr(gap, name)) for name in ("inflection", "least", "greatest", "steepest"))
    return gap.family, tuple(float(p) for p in gap.parameters), tuple(numbers)


_made: dict[Any, Atlas] = {}
_KEPT = 4


def atlas_of(gap: Gap) -> Atlas:
    """The atlas of a gap that is the same for all rows; the last few are kept."""
    key = _key(gap)
    if key not in _made:
        made = _make(*key)
        while len(_made) >= _KEPT:
            del _made[next(iter(_made))]
        _made[key] = made
    return _made[key]


def _make(family: Any, parameters: Any, numbers: Any) -> Atlas:
    gap = Gap(family, tuple(map(np.float64, parameters)), *map(np.float64, numbers))
    L = np.arange(-_ENDS * _ACROSS, _ENDS * _ACROSS + 1) / _ACROSS
    steps = np.arange((_BINADES[1] - _BINADES[0]) * _ACROSS + 1)
    drive = np.ldexp(1.0 + steps % _ACROSS / _ACROSS, steps // _ACROSS + _BINADES[0])
    kind = np.full((_ROWS, _COLUMNS), LEFT, dtype=np.int8)
    coefficients = np.zeros((_ROWS, _COLUMNS, 12), dtype=np.float32)
    wide = 16  # rows of cells made at a time

    def some(part: slice) -> None:
        corners = slice(part.start, part.stop + 1)
        inner = slice(part.start + 1, part.stop + 1), slice(1, _COLUMNS - 1)
        kind[inner], coefficients[inner] = _cells(gap, L, drive[corners])

    in_blocks(some, len(drive) - 1, wide)
    return Atlas(gap, kind.reshape(-1), coefficients.reshape(-1, 12))


def _cells(gap: Gap, lines: Floats, drives: Floats) -> tuple[Any, Any]:
    """The kinds and the coefficients of the cells between these values of L and D."""
    D, L = (a.reshape(-1) for a in np.meshgrid(drives, lines, indexing="ij"))
    shape = len(drives), len(lines)
    with np.errstate(all="ignore"):
        roots = direct_roots(Arrays(backends.get()), gap, L, D)
        least, repelling, greatest = _in_order(roots)
        smallest = np.where(np.isnan(least), greatest, least)
        odd = np.isnan(repelling) != (np.isnan(least) | (np.isnan(greatest) & np.isfinite(gap.greatest)))
        cells = _Cells(gap, lines, drives)
        smallest, greatest, repelling, least, odd = (
            a.reshape(shape) for a in (smallest, greatest, repelling, least, odd)
        )
        sound = ~(odd[:-1, :-1] | odd[1:, 1:])
        to_smallest = cells.above | cells.to_smallest(repelling[1:, 1:]) | cells.contract() | cells.by_shape(smallest)
        to_smallest &= sound
        to_greatest = sound & ~cells.above & cells.to_greatest(least[:-1, :-1], repelling[:-1, :-1])
        kind, coefficients = np.full(cells.shape, LEFT, np.int8), np.zeros((*cells.shape, 12), np.float32)
        for mask, values in ((to_greatest, greatest), (to_smallest, smallest)):
            use, guess = cells.polynomial(values, mask)
            kind[use], coefficients[use] = FINITE, guess
        if not np.isfinite(gap.greatest):  # p = 1 is a fixed point, and attracts
            none = cells.above & np.isnan(smallest[:-1, :-1])
            kind[none | (to_greatest & np.isnan(greatest[:-1, :-1]))] = CERTAIN
    return kind, coefficients


def _in_order(roots: tuple[Any, ...]) -> tuple[Any, Any, Any]:
    """The least fixed point, the repelling and the greatest one of the five of :func:`direct_roots`."""
    first, second, third, fourth, fifth = roots
    return np.where(np.isnan(first), second, first), np.where(np.isnan(third), fourth, third), fifth


class _Cells:
    """Cells between lines of L and of D: arrays of shape (cells in D, cells in L)."""

    def __init__(self, gap: Gap, lines: Floats, drives: Floats) -> None:
        self.gap, self.lines, self.drives = gap, lines, drives
        self.shape = len(drives) - 1, len(lines) - 1
        self.low_L, self.high_L = (np.broadcast_to(a, self.shape) for a in (lines[:-1], lines[1:]))
        self.low_D, self.high_D = (np.broadcast_to(a[:, None], self.shape) for a in (drives[:-1], drives[1:]))
        self.above = self.low_L >= 0.0
        # W falls up to t = 0
        self.low_once = self.low_L + self.low_D * self._value(self.high_L)
        self.high_once = self.high_L + self.high_D * self._value(self.low_L)

    def _value(self, t: Any) -> Any:
        return value_and_slope(np, self.gap.family, self.gap.parameters, t)[0]

    def _slope(self, t: Any) -> Any:
        return value_and_slope(np, self.gap.family, self.gap.parameters, t)[1]

    def to_smallest(self, repelling: Any) -> Any:
        """p_1 ≥ 1/2 and h(1/2) ≥ 1/2 for all rows, and p_1 before the ``repelling`` fixed point of the upper corner."""
        stays = (self.low_once >= 0.0) & (self.low_L + self.low_D * self.gap.least >= 0.0)
        return stays & (np.isnan(repelling) | (self.high_once < repelling))

    def to_greatest(self, least: Any, repelling: Any) -> Any:
        """p_1 ≥ 1/2 for all rows, beyond the ``repelling`` fixed point of the lower corner if there are such."""
        return (self.low_once >= 0.0) & (np.isnan(least) | (self.low_once > repelling))

    def contract(self) -> Any:
        """Whether the map contracts, for all rows, on an interval that all orbits come into."""
        found = np.zeros(self.shape, bool)
        rows = np.flatnonzero(~self.above)
        corners = [a.reshape(-1)[rows] for a in (self.low_L, self.high_L, self.low_D, self.high_D)]
        low, high = corners[0], self.high_once.reshape(-1)[rows]
        for _ in range(_ROUNDS):
            values, slopes = zip(
                *(value_and_slope(np, self.gap.family, self.gap.parameters, t) for t in (low, high)), strict=True
            )
            turns = (low <= -self.gap.inflection) | (high >= self.gap.inflection)
            turns &= (high >= -self.gap.inflection) | (low > -self.gap.inflection)
            steep = np.where(turns, self.gap.steepest, np.maximum(*map(np.abs, slopes))) * corners[3]
            done = steep < 1.0 - _MARGIN
            found.reshape(-1)[rows[done]] = True
            over = (low <= 0.0) & (high >= 0.0)
            bottom = corners[0] + corners[2] * np.where(over, self.gap.least, np.minimum(*values))
            top = corners[1] + corners[3] * np.maximum(*values)
            shrinks = (bottom > low + 1e-9) | (top < high - 1e-9)
            keep = np.flatnonzero(~done & shrinks)
            if not len(keep):
                break
            low, high = np.maximum(low, bottom)[keep], np.minimum(high, top)[keep]
            rows, corners = rows[keep], [c[keep] for c in corners]
        return found

    def by_shape(self, fixed: Any) -> Any:
        """Whether the shape of the map makes all orbits tend to the ``fixed`` point given at all corners (the first
        case of :mod:`.unimodal`).
        """
        first = self.low_L + self.low_D * self.gap.least, self.high_L + self.high_D * self.gap.least
        stays = (first[1] < 0.0) & (self.high_L + self.high_D * self._value(first[0]) < 0.0) & bends_down(self.gap)
        low, high = self.low_once, self.high_once
        enters = high < 0.0
        for _ in range(_ENTRY - 1):
            ends = self._value(low), self._value(high)
            over = (low <= 0.0) & (high >= 0.0)
            low = self.low_L + self.low_D * np.where(over, self.gap.least, np.minimum(*ends))
            high = self.high_L + self.high_D * np.maximum(*ends)
            enters |= high < 0.0
        low, high = fixed[:-1, :-1], fixed[1:, 1:]
        turns = (low <= -self.gap.inflection) & (high >= -self.gap.inflection)
        steep = np.where(turns, self.gap.steepest, np.maximum(-self._slope(low), -self._slope(high))) * self.high_D
        return stays & enters & (steep < 1.0 - _MARGIN)

    def polynomial(self, values: Any, mask: Any) -> tuple[Any, Any]:
        """For a fixed point given at all corners: those cells of a mask on whose enclosure of it g falls and which
        holds the starting values, and their coefficients.
        """
        slope = self._slope(values)
        low, high = values[:-1, :-1], values[1:, 1:]
        slack = _SLACK + 0.1 * (high - low) + 4e-6 * abs(high)
        low, high = low - slack, high + slack
        turns = (low <= self.gap.inflection) & (high >= self.gap.inflection)
        steep = np.where(turns, self.gap.steepest, np.maximum(self._slope(low), self._slope(high))) * self.high_D
        use = mask & (steep < 1.0 - _MARGIN)
        rate = 1.0 / (1.0 - slope * self.drives[:, None])
        data = values, rate / _ACROSS, (values - self.lines) / self.drives[:, None] * rate
        widths = np.broadcast_to((self.drives[1:] - self.drives[:-1])[:, None], self.shape)[use]
        corners = []
        for row, column in ((0, 0), (0, 1), (1, 0), (1, 1)):
            part = slice(row, row + self.shape[0]), slice(column, column + self.shape[1])
            corners += [data[0][part][use], data[1][part][use], data[2][part][use] * widths]
        coefficients = np.einsum("ij,jk->ik", _FROM_CORNERS, np.stack(corners))
        hull = np.einsum("ij,jk->ik", _BERNSTEIN, coefficients)
        inside = (hull.min(axis=0) > low[use] + _SLACK / 2) & (hull.max(axis=0) < high[use] - _SLACK / 2)
        use[use] = inside
        return use, coefficients[:, inside].T.astype(np.float32)


__all__ = ["Atlas", "atlas_of", "worth"]
