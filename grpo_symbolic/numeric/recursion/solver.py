"""The success recursion of many rows: what is read off the fixed points, and the few orbits that have to be followed.

All fixed points are found block by block on the chosen array library (:mod:`.roots`). The map falls below 1/2 and rises
above, so that most limits are the next attracting fixed point; the orbits of the rest, which may alternate below 1/2,
are followed on the host (:mod:`.orbit`).
"""

from __future__ import annotations

import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any

import numpy as np

from grpo_symbolic.numeric.backends import Backend, usable_cores
from grpo_symbolic.numeric.blocks import BLOCK, in_blocks
from grpo_symbolic.numeric.recursion.gap import (
    FACTS,
    Floats,
    Gap,
    Places,
    constant,
    of_group,
    of_population,
    take,
)
from grpo_symbolic.numeric.recursion.limits import CONVERGES, CYCLE, STATIONARY, UNDECIDED
from grpo_symbolic.numeric.recursion.orbit import contracts, follow
from grpo_symbolic.numeric.recursion.roots import Roots, SuccessMap, forward_root, reverse_roots, stiffness
from grpo_symbolic.numeric.update import Update
from grpo_symbolic.setting import PenaltyName

MOST_FIXED_POINTS = 4

_CHUNK = 1 << 20  # rows that a compiled function is given at a time
_FOLD = 1e-7  # nearer than this to slope 1, rounding decides whether the fixed point is there


@dataclass(frozen=True)
class Options(Update):
    """What is the same for all rows; the fields are arguments of :func:`.success.success_limit`."""

    sample_deviation: bool
    steps: int


def solve(
    L: Floats, b: Floats, guards: Floats, shape: tuple[int, ...], options: Options, backend: Backend, listed: bool
) -> dict[str, Any]:
    """The columns of the result for flat arrays of logits of p_ref and of β, and guards that broadcast to ``shape``.

    ``listed``: with all fixed points, the repelling ones too.
    """
    out = _empty(L, listed)
    for rows, gap in _gaps(options, guards, shape):
        _fill(out, gap, L, b, options, backend, rows)
    out["cycles"] = tuple(np.concatenate(column) for column in zip(*out["cycles"], strict=True)) or None
    return out


def _gaps(options: Options, guards: Floats, shape: tuple[int, ...]) -> Iterator[tuple[Any, Gap]]:
    """The advantage gaps, each with the rows (flat) that it is for, in their order."""
    flat = np.broadcast_to(guards, shape).reshape(-1)
    rows = np.arange(len(flat))
    if not len(rows):
        return
    if not options.scaled:
        height = 1.0 if math.isinf(options.group_size) else 1.0 - 1.0 / options.group_size
        yield rows, constant(height)
    elif not math.isinf(options.group_size):
        distinct, column = np.unique(guards, return_inverse=True)
        gap = of_group(distinct, int(options.group_size), options.guard_inside, options.sample_deviation)
        yield rows, take(gap, np.broadcast_to(column.reshape(guards.shape), shape).reshape(-1))
    else:
        for some in (rows[flat == 0], rows[flat > 0]):
            if len(some):
                one = (flat[some] == flat[some[0]]).all()
                yield some, of_population(flat[some[0]] if one else flat[some], options.guard_inside)


def _empty(L: Floats, listed: bool) -> dict[str, Any]:
    rows = len(L)
    out: dict[str, Any] = {"logit_ref": L, "cycles": []}
    for name in ("logit", "slope", "residual"):
        out[name] = np.empty(rows)
    out["kind"], out["period"] = np.zeros(rows, dtype=np.int8), np.zeros(rows, dtype=np.int16)
    if listed:
        for name in ("fixed_logits", "fixed_slopes"):
            out[name] = np.empty((rows, MOST_FIXED_POINTS))
    return out


def _fill(
    out: dict[str, Any], gap: Gap, L: Floats, b: Floats, options: Options, backend: Backend, rows: Places
) -> None:
    """The columns of some rows; ``gap`` has one entry for each of them, or one for all."""
    listed = "fixed_logits" in out

    def from_fixed_points(part: slice) -> tuple[Any, ...]:
        at = rows[part]
        of = SuccessMap(take(gap, part), L[at], 1.0 / b[at], options.direct)
        with np.errstate(all="ignore"):
            roots = _roots(backend, of, listed)
            columns, open_ = _reached(options, of, roots)
            if listed:
                columns |= _listed(options, of, roots)
        for name, value in columns.items():
            out[name][at] = value
        return open_ + part.start, *(root[open_] for root in (roots.lower, roots.left, roots.upper))

    places, *ends = (np.concatenate(x) for x in zip(*_chunked(from_fixed_points, len(rows), backend), strict=True))

    def by_orbit(part: slice) -> Any:
        at = rows[places[part]]
        of = SuccessMap(take(gap, places[part]), L[at], 1.0 / b[at], options.direct)
        columns, cycle = _followed(of, options.steps, *(end[part] for end in ends))
        for name, value in columns.items():
            out[name][at] = value
        return at[cycle[0]], *cycle[1:]

    size = max(BLOCK, -(-len(places) // usable_cores()))  # chaotic rows are few and their steps many
    out["cycles"] += [cycle for cycle in in_blocks(by_orbit, len(places), size) if len(cycle[0])]


def _chunked(function: Callable[[slice], Any], rows: int, backend: Backend) -> list[Any]:
    if backend.on_threads:
        return in_blocks(function, rows)
    return [function(slice(begin, min(begin + _CHUNK, rows))) for begin in range(0, rows, _CHUNK)]


def _roots(backend: Backend, of: SuccessMap, listed: bool) -> Roots:
    """The possible fixed points of :func:`reverse_roots` (of KL(π_ref‖π) there is one, in the place ``left``)."""
    with backend.precision():
        facts = (backend.asarray(getattr(of.gap, name)) for name in FACTS)
        there = Gap(of.gap.family, tuple(backend.asarray(p) for p in of.gap.parameters), *facts)
        at = backend.asarray(of.L), backend.asarray(of.inverse_beta)
        if of.direct:
            return Roots(*map(backend.to_numpy, reverse_roots(backend, there, *at, repelling=listed)))
        none = np.full(len(of.L), np.nan)
        return Roots(none, backend.to_numpy(forward_root(backend, there, *at)), none, none, none)


def _reached(options: Options, of: SuccessMap, roots: Roots) -> tuple[dict[str, Any], Any]:
    """The verdicts that can be read off the fixed points, and the rows that have to be followed."""
    left, upper, L = roots.left, roots.upper, of.L
    if options.penalty is PenaltyName.K3:
        kind = np.where(np.isnan(left), UNDECIDED, STATIONARY).astype(np.int8)
        return _verdict(of, left, kind) | {"slope": np.full(len(L), np.nan)}, np.arange(0)
    once, _ = of.step(L)
    twice, _ = of.step(once)
    starts_high = L >= 0
    rising = starts_high | ((once >= 0) & ((twice > once) | np.isposinf(once)))
    start = np.where(starts_high, L, once)
    limit = np.where(rising, _next_above(start, left, upper, of.direct), np.nan)
    slack = once + 1e-12 * (1 + abs(once))
    under = np.where(upper <= slack, upper, np.where((left >= 0) & (left <= slack), left, np.nan))
    falling = ~rising & (once >= 0) & ~np.isnan(under)  # from p_1 on the orbit decreases, and stays above 1/2
    limit = np.where(falling, under, limit)
    below = np.flatnonzero(~rising & ~falling)  # the orbit may stay below 1/2, where the map falls
    fixed = _least(roots.lower[below], left[below])
    radius = np.maximum(fixed - L[below], once[below] - fixed)
    settled = contracts(of.take(below), fixed, radius)
    limit[below[settled]] = fixed[settled]
    kind = np.where(np.isnan(limit), UNDECIDED, CONVERGES).astype(np.int8)
    return _verdict(of, limit, kind), below[~settled]


def _next_above(start: Floats, left: Floats, upper: Floats, direct: bool) -> Floats:
    """The limit of an orbit that increases: the next attracting fixed point; p = 1 where there is none."""
    slack = 1e-12 * (1 + abs(start))
    limit = np.where(left >= start - slack, left, np.where(upper >= start - slack, upper, np.nan))
    return np.where(np.isnan(limit), np.inf, limit) if direct else np.where(np.isnan(limit), left, limit)


def _least(lower: Floats, left: Floats) -> Floats:
    """The attracting fixed point that an orbit which stays below 1/2 goes around."""
    return np.where(np.isnan(lower), left, lower)


def _followed(
    of: SuccessMap, steps: int, lower: Floats, left: Floats, upper: Floats
) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """The rows that have to be followed: their columns, and the places and ends of cycles."""
    with np.errstate(all="ignore"):
        sets = follow(of, _least(lower, left), upper, steps)
        limit = np.where(sets.period == 1, sets.logit, np.nan)
        up = sets.period == -1
        limit[up] = _next_above(sets.logit[up], left[up], upper[up], of.direct)
        kind = np.where(abs(sets.period) == 1, CONVERGES, UNDECIDED).astype(np.int8)
        columns = _verdict(of, limit, kind)
    cyclic = np.flatnonzero(sets.period > 1)
    columns["kind"][cyclic], columns["period"][cyclic] = CYCLE, sets.period[cyclic]
    columns["slope"][cyclic], columns["residual"][cyclic] = sets.slope[cyclic], sets.residual[cyclic]
    return columns, (cyclic, sets.low[cyclic], sets.high[cyclic])


def _verdict(of: SuccessMap, limit: Floats, kind: Places) -> dict[str, Any]:
    """The columns for rows with one limit (NaN: none); a limit at a fold is not decided."""
    image, derivative = of.step(limit)
    residual = np.where(np.isposinf(limit), 0.0, abs(image - limit) / np.maximum(1.0, abs(limit)))
    derivative = np.where(np.isposinf(limit), 0.0, derivative)
    at_fold = (abs(derivative - 1.0) < _FOLD) & of.direct
    kind = np.where(at_fold, UNDECIDED, kind).astype(np.int8)
    limit = np.where(at_fold, np.nan, limit)
    return {
        "logit": limit,
        "kind": kind,
        "period": np.where(kind == UNDECIDED, 0, 1).astype(np.int16),
        "slope": derivative,
        "residual": residual,
    }


def _listed(options: Options, of: SuccessMap, roots: Roots) -> dict[str, Any]:
    """All fixed points in increasing order, with slopes, p = 1 among them where it is one."""
    gap = of.gap
    table = np.full((len(of.L), MOST_FIXED_POINTS), np.nan)
    table[:, :3] = np.sort(np.stack(roots, axis=-1), axis=-1)[:, :3]  # at most three; NaN is sorted to the end
    slopes = np.full_like(table, np.nan)
    if options.penalty is not PenaltyName.K3:
        for k in range(3):
            t = table[:, k]
            if np.isnan(t).all():
                break
            derivative = gap.at(t)[1] * of.inverse_beta
            slopes[:, k] = derivative / stiffness(np, of.L, t, of.direct)
    if options.scaled and math.isinf(options.group_size) and options.penalty is not PenaltyName.K3:
        singular = np.isinf(gap.greatest) & np.ones(len(of.L), dtype=bool)
        last = np.count_nonzero(~np.isnan(table), axis=1)[singular]
        table[singular, last] = np.inf
        slopes[singular, last] = 0.0 if of.direct else np.inf
    return {"fixed_logits": table, "fixed_slopes": slopes}
