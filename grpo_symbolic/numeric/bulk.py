"""The success recursion of many rows, in three passes: what needs no orbit, what a few steps tell, and the rest.

The first pass (direct KL only) reads very many rows of one gap off an :mod:`.atlas`, on every backend, and takes the
others one by one (:mod:`.reached`), compiled where the backend compiles; on NumPy, and on torch on a CPU, in blocks
that fit the cache, on as many threads as there are cores. For large groups the shape of the map settles most of what
it leaves (:mod:`.unimodal`). The rows that are left then are few, and are followed on the host (:mod:`.orbit`).
"""

from __future__ import annotations

import functools
import math
from collections.abc import Callable, Iterator
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.atlas import atlas_of, compiled, worth
from grpo_symbolic.numeric.blocks import BLOCK, in_blocks
from grpo_symbolic.numeric.flow import Arrays, direct_roots, reverse_root, step, stiffness
from grpo_symbolic.numeric.gap import Floats, Gap, of_group, of_population, take, value_and_slope
from grpo_symbolic.numeric.limits import CONVERGES, CYCLE, STATIONARY, UNDECIDED
from grpo_symbolic.numeric.orbit import Fates, bends_down, contracts, follow, glance
from grpo_symbolic.numeric.reached import FUSED_STEPS, Found, Turn, fused, reach, turn_of
from grpo_symbolic.numeric.unimodal import by_shape

Penalty = Literal["kl", "reverse_kl", "kl_0"]
MOST_FIXED_POINTS = 4

_WIDE = 1 << 14  # where rows are not taken out of a block one after the other
_CHUNK = 1 << 20  # rows that a compiled function is given at a time
_CACHED_CHUNK = 1 << 16  # of one whose intermediate results fit the caches of a CPU
_EAGER_CHUNK = 1 << 15  # of a library that is not compiled, on the CPU
_GLANCE = 64  # steps of the second pass
_FOLD = 1e-7  # nearer than this to slope 1, rounding decides whether the fixed point is there


@dataclass(frozen=True)
class Case:
    """What is the same for all rows."""

    group_size: float
    penalty: Penalty
    guard_inside: bool
    scaled: bool
    sample_deviation: bool
    steps: int


def solve(
    L: Floats, b: Floats, guards: Floats, shape: tuple[int, ...], case: Case, arrays: Arrays, listed: bool
) -> Any:
    """The columns of the result for flat arrays of logits of p_ref and of β, and guards that broadcast to ``shape``."""
    out = _empty(L, listed)
    for rows, gap in _gaps(case, guards, shape):
        if rows is ...:
            _fill(out, gap, L, b, case, arrays)
            continue
        part = _empty(L[rows], listed)
        _fill(part, gap, part["logit_ref"], b[rows], case, arrays)
        for name, value in part.items():
            if name == "cycles":
                out[name] += [(rows[index], low, high) for index, low, high in value]
            elif name != "logit_ref":
                out[name][rows] = value
    out["cycles"] = tuple(np.concatenate(column) for column in zip(*out["cycles"], strict=True)) or None
    return out


def _gaps(case: Case, guards: Floats, shape: tuple[int, ...]) -> Iterator[tuple[Any, Gap]]:
    """The advantage gaps, each with the rows (flat) that it is for; ``...`` for all of them."""
    if not case.scaled:
        one = 1.0 if math.isinf(case.group_size) else 1.0 - 1.0 / case.group_size
        yield ..., Gap("group", (np.float64(one),), np.inf, one, one, 0.0)
        return
    flat = np.broadcast_to(guards, shape).reshape(-1)
    if not guards.size:
        return
    first = guards.flat[0]
    distinct = np.array([first]) if (guards == first).all() else np.unique(guards)
    if not math.isinf(case.group_size):
        table = of_group(distinct, int(case.group_size), True, case.guard_inside, case.sample_deviation)
        yield ..., take(table, 0 if len(distinct) == 1 else np.searchsorted(distinct, flat))
    elif len(distinct) == 1:
        yield ..., of_population(distinct[0], case.guard_inside)
    else:
        for some in (np.flatnonzero(flat == 0), np.flatnonzero(flat > 0)):
            if len(some):
                yield some, of_population(flat[some], case.guard_inside)


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


def _fill(out: dict[str, Any], gap: Gap, L: Floats, b: Floats, case: Case, arrays: Arrays) -> None:
    """The passes over one gap; each hands the places of what it leaves to the next."""
    host, listed = Arrays(backends.get()), "fixed_logits" in out
    if case.penalty != "kl":
        _carefully(out, gap, L, b, case, arrays, np.arange(len(L)), listed)
        return
    rest = _quickly(out, gap, L, b, arrays)
    if case.steps and not bends_down(gap):
        rest = _settled(out, gap, L, b, rest, functools.partial(glance, steps=min(case.steps, _GLANCE)))
    _carefully(out, gap, L, b, case, host, rest, False)
    if listed:

        def fixed(part: slice) -> None:
            some, drive = take(gap, part), 1.0 / b[part]
            with np.errstate(all="ignore"):
                roots = _roots(arrays, some, L[part], drive, True, True)
                for name, value in _listed(case, some, L[part], drive, roots).items():
                    out[name][part] = value

        _chunked(fixed, len(L), arrays)


def _chunked(function: Callable[[slice], Any], rows: int, arrays: Arrays) -> list[Any]:
    if arrays.backend.name == "numpy":
        return in_blocks(function, rows)
    return [function(slice(begin, min(begin + _CHUNK, rows))) for begin in range(0, rows, _CHUNK)]


def _quickly(out: dict[str, Any], gap: Gap, L: Floats, b: Floats, arrays: Arrays) -> Any:
    """The first pass; the places of the rows that are not settled by it."""
    if arrays.backend.name != "numpy":
        with arrays.backend.precision():
            rest = _on_device(out, gap, L, b, arrays)
    elif worth(gap, len(L)):
        atlas = atlas_of(gap)
        rest = in_blocks(lambda part: _keep(out, part, _quiet(atlas.reach, L[part], 1.0 / b[part])), len(L), _WIDE)
    else:
        rest = _by_rows(out, gap, L, b)
        return _settled(out, gap, L, b, rest, by_shape) if bends_down(gap) else rest
    # what a compiled pass did not settle in its steps, and what lies in cells of the atlas that are not settled
    left = np.concatenate(rest) if rest else np.arange(0)
    if bends_down(gap):
        left = _settled(out, gap, L, b, left, by_shape)
    again = {name: value[left] for name, value in out.items() if name not in ("cycles", "logit_ref")}
    few = _by_rows(again, take(gap, left), L[left], b[left])
    for name, value in again.items():
        out[name][left] = value
    return left[few]


def _by_rows(out: dict[str, Any], gap: Gap, L: Floats, b: Floats) -> Any:
    """The first pass on the host, each row for itself."""

    def some(part: slice) -> Any:
        return _keep(out, part, _quiet(reach, take(gap, part), L[part], 1.0 / b[part]))

    rest = in_blocks(some, len(L))
    return np.concatenate(rest) if rest else np.arange(0)


def _quiet(function: Callable[..., Found], *arguments: Any) -> Found:
    with np.errstate(all="ignore"):
        return function(*arguments)


def _keep(out: dict[str, Any], part: slice, found: Found) -> Any:
    """Write the rows of a block into the result; the places of those that are not settled."""
    for name in ("logit", "slope", "residual"):
        out[name][part] = getattr(found, name)
    out["kind"][part] = found.sure  # CONVERGES is 1, and so is the period
    out["period"][part] = found.sure
    return np.flatnonzero(~found.sure) + part.start


def _on_device(out: dict[str, Any], gap: Gap, L: Floats, b: Floats, arrays: Arrays) -> list[Any]:
    """The first pass on a backend, chunk by chunk: the places of the rows that are not settled by it."""
    backend, on_cpu = arrays.backend, arrays.backend.device == "cpu"
    by_row: list[Any] = []
    facts: tuple[Any, ...] = ()
    fixed: tuple[Any, ...] = backend.xp, gap.family
    if worth(gap, len(L)):
        work, facts = arrays.compile(compiled, 2), atlas_of(gap).on(backend)
        size = _CACHED_CHUNK if on_cpu else _CHUNK
    else:
        work, fixed = arrays.compile(fused, 3), (*fixed, FUSED_STEPS)
        turn = turn_of(gap)
        by_row = [getattr(turn, name) for name in Turn.__dataclass_fields__]
        size = _CHUNK
    if on_cpu and not arrays.compiled:
        size = _EAGER_CHUNK

    def begun(part: slice) -> Any:
        rows = part.stop - part.start
        wide = max(1 << (rows - 1).bit_length(), 1024) if arrays.compiled else rows  # few shapes to compile for
        wide = size if facts and arrays.compiled and on_cpu else wide  # one, where a chunk is small next to all rows

        def there(value: Any) -> Any:
            if np.ndim(value):
                value = value[part]
                value = value if len(value) == wide else np.pad(value, (0, wide - len(value)), mode="edge")
            return backend.asarray(value)

        about = facts or (tuple(map(there, by_row)),)
        return work(*fixed, tuple(map(there, gap.parameters)), *about, there(L), 1.0 / there(b))

    def kept(part: slice, found: Any) -> Any:
        return _keep(out, part, Found(*(backend.to_numpy(value)[: part.stop - part.start] for value in found)))

    if on_cpu and not arrays.compiled:
        return in_blocks(lambda part: kept(part, begun(part)), len(L), size)
    rest, waiting = [], None
    for begin in range(0, len(L), size):
        part = slice(begin, min(begin + size, len(L)))
        found = begun(part)  # before the last one is waited for
        if waiting is not None:
            rest.append(kept(*waiting))
        waiting = part, found
    if waiting is not None:
        rest.append(kept(*waiting))
    return rest


def _settled(
    out: dict[str, Any], gap: Gap, L: Floats, b: Floats, rest: Any, fates_of: Callable[[Gap, Floats, Floats], Fates]
) -> Any:
    """The second pass; the places of the rows that it leaves."""

    def some(part: slice) -> tuple[Any, Any]:
        rows = rest[part]
        with np.errstate(all="ignore"):
            fates = fates_of(take(gap, rows), L[rows], 1.0 / b[rows])
        at, done = rows[fates.period > 0], fates.period > 0
        for name in ("logit", "slope", "residual", "period"):
            out[name][at] = getattr(fates, name)[done]
        pairs = fates.period == 2
        out["kind"][at] = np.where(pairs[done], CYCLE, CONVERGES)
        return np.flatnonzero(~done) + part.start, (rows[pairs], fates.low[pairs], fates.high[pairs])

    if not len(rest):
        return rest
    left, cycles = zip(*in_blocks(some, len(rest)), strict=True)
    out["cycles"] += [cycle for cycle in cycles if len(cycle[0])]
    return rest[np.concatenate(left)]


def _carefully(
    out: dict[str, Any], gap: Gap, L: Floats, b: Floats, case: Case, arrays: Arrays, rest: Any, listed: bool
) -> None:
    """The last pass, for any penalty: from the fixed points, and by following orbits."""

    def some(part: slice) -> tuple[Any, Any]:
        rows = rest[part]
        here, logit, drive = take(gap, rows), L[rows], 1.0 / b[rows]
        direct = case.penalty == "kl"
        with np.errstate(all="ignore"):
            roots = _roots(arrays, here, logit, drive, direct, listed)
            found, follows = _reached(case, here, logit, drive, roots)
            if listed:
                found |= _listed(case, here, logit, drive, roots)
        for name, value in found.items():
            out[name][rows] = value
        return follows + part.start, np.stack([roots[k][follows] for k in (0, 1, 4)], axis=-1)

    if not len(rest):
        return
    follows, roots = (np.concatenate(x) for x in zip(*_chunked(some, len(rest), arrays), strict=True))

    def one(part: slice) -> Any:
        at = rest[follows[part]]
        found, cycle = _followed(case, take(gap, at), L[at], b[at], roots[part])
        for name, value in found.items():
            out[name][at] = value
        return at[cycle[0]], *cycle[1:]

    size = max(BLOCK, -(-len(follows) // backends.usable_cores()))  # chaotic rows are few and their steps many
    out["cycles"] += [cycle for cycle in in_blocks(one, len(follows), size) if len(cycle[0])]


def _roots(arrays: Arrays, gap: Gap, L: Floats, drive: Floats, direct: bool, listed: bool) -> tuple[Floats, ...]:
    """The five possible fixed points of :func:`direct_roots` (the reverse KL has one, in the second place)."""
    backend = arrays.backend
    with backend.precision():
        facts = (backend.asarray(getattr(gap, n)) for n in ("inflection", "least", "greatest", "steepest"))
        there = Gap(gap.family, tuple(backend.asarray(p) for p in gap.parameters), *facts)
        at = backend.asarray(L), backend.asarray(drive)
        if direct:
            return tuple(backend.to_numpy(t) for t in direct_roots(arrays, there, *at, repelling=listed))
        none = np.full(len(L), np.nan)
        return none, backend.to_numpy(reverse_root(arrays, there, *at)), none, none, none


def _reached(case: Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...]) -> tuple[dict[str, Any], Any]:
    """The verdicts that can be read off the fixed points, and the rows that have to be followed."""
    _, second, _, _, fifth = roots
    direct = case.penalty == "kl"
    if case.penalty == "kl_0":
        kind = np.where(np.isnan(second), UNDECIDED, STATIONARY).astype(np.int8)
        return _verdict(case, gap, L, drive, second, kind, np.full(len(L), np.nan)), np.arange(0)
    once, _ = step(np, gap, L, drive, L, direct)
    twice, _ = step(np, gap, L, drive, once, direct)
    starts_high = L >= 0
    rising = starts_high | ((once >= 0) & ((twice > once) | np.isposinf(once)))
    start = np.where(starts_high, L, once)
    limit = np.where(rising, _next_above(start, second, fifth, direct), np.nan)
    slack = once + 1e-12 * (1 + abs(once))
    under = np.where(fifth <= slack, fifth, np.where((second >= 0) & (second <= slack), second, np.nan))
    falling = ~rising & (once >= 0) & ~np.isnan(under)  # from p_1 on the orbit decreases, and stays above 1/2
    limit = np.where(falling, under, limit)
    below = np.flatnonzero(~rising & ~falling)
    settled = _settled_below(case, gap, L, drive, roots, once, below)
    contracted, follows = below[settled], below[~settled]
    limit[contracted] = _fixed_below(roots[0][contracted], roots[1][contracted])
    kind = np.where(np.isnan(limit), UNDECIDED, CONVERGES).astype(np.int8)
    return _verdict(case, gap, L, drive, limit, kind, None), follows


def _next_above(start: Floats, second: Floats, fifth: Floats, direct: bool) -> Floats:
    """The limit of an orbit that increases: the next attracting fixed point; p = 1 where there is none."""
    slack = 1e-12 * (1 + abs(start))
    limit = np.where(second >= start - slack, second, np.where(fifth >= start - slack, fifth, np.nan))
    return np.where(np.isnan(limit), np.inf, limit) if direct else np.where(np.isnan(limit), second, limit)


def _settled_below(
    case: Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...], once: Floats, rows: Any
) -> Any:
    """Of the rows whose orbit may stay below 1/2, where the map falls: those on whose orbit it contracts."""
    gap, L, drive, once = take(gap, rows), L[rows], drive[rows], once[rows]
    fixed = _fixed_below(roots[0][rows], roots[1][rows])
    return contracts(gap, L, drive, fixed, np.maximum(fixed - L, once - fixed), case.penalty == "kl")


def _fixed_below(first: Floats, second: Floats) -> Floats:
    return np.where(np.isnan(first), second, first)


def _followed(case: Case, gap: Gap, L: Floats, b: Floats, roots: Floats) -> tuple[dict[str, Any], tuple[Any, ...]]:
    """The rows that have to be followed: their columns, and the places and ends of cycles."""
    direct, drive = case.penalty == "kl", 1.0 / b
    with np.errstate(all="ignore"):
        fixed = _fixed_below(roots[:, 0], roots[:, 1])
        fates = follow(gap, L, drive, fixed, roots[:, 2], direct, case.steps)
        limit = np.where(fates.period == 1, fates.logit, np.nan)
        up = fates.period == -1
        limit[up] = _next_above(fates.logit[up], roots[up, 1], roots[up, 2], direct)
        kind = np.where(abs(fates.period) == 1, CONVERGES, UNDECIDED).astype(np.int8)
        found = _verdict(case, gap, L, drive, limit, kind, None)
    cyclic = np.flatnonzero(fates.period > 1)
    found["kind"][cyclic], found["period"][cyclic] = CYCLE, fates.period[cyclic]
    found["slope"][cyclic], found["residual"][cyclic] = fates.slope[cyclic], fates.residual[cyclic]
    return found, (cyclic, fates.low[cyclic], fates.high[cyclic])


def _verdict(
    case: Case, gap: Gap, L: Floats, drive: Floats, limit: Floats, kind: Any, slope: Floats | None
) -> dict[str, Any]:
    """The columns for rows with one limit (NaN: none); a limit at a fold is not decided."""
    image, tilt = step(np, gap, L, drive, limit, case.penalty == "kl")
    residual = np.where(np.isposinf(limit), 0.0, abs(image - limit) / np.maximum(1.0, abs(limit)))
    tilt = np.where(np.isposinf(limit), 0.0, tilt)
    at_fold = (abs(tilt - 1.0) < _FOLD) & (case.penalty == "kl")
    kind = np.where(at_fold, UNDECIDED, kind).astype(np.int8)
    limit = np.where(at_fold, np.nan, limit)
    return {
        "logit": limit,
        "kind": kind,
        "period": np.where(kind == UNDECIDED, 0, 1).astype(np.int16),
        "slope": tilt if slope is None else slope,
        "residual": residual,
    }


def _listed(case: Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...]) -> dict[str, Any]:
    """All fixed points in increasing order, with slopes, p = 1 among them where it is one."""
    table = np.full((len(L), MOST_FIXED_POINTS), np.nan)
    table[:, :3] = np.sort(np.stack(roots, axis=-1), axis=-1)[:, :3]  # at most three; NaN is sorted to the end
    slopes = np.full_like(table, np.nan)
    if case.penalty != "kl_0":
        for k in range(3):
            t = table[:, k]
            if np.isnan(t).all():
                break
            tilt = value_and_slope(np, gap.family, gap.parameters, t)[1] * drive
            slopes[:, k] = tilt / stiffness(np, L, t, case.penalty == "kl")
    if case.scaled and math.isinf(case.group_size) and case.penalty != "kl_0":
        singular = np.isinf(gap.greatest) & np.ones(len(L), dtype=bool)
        last = np.count_nonzero(~np.isnan(table), axis=1)[singular]
        table[singular, last] = np.inf
        slopes[singular, last] = 0.0 if case.penalty == "kl" else np.inf
    return {"fixed_logits": table, "fixed_slopes": slopes}
