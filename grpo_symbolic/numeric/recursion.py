"""Fixed points and reached limits of the success recursion ``p_n = h(p_{n−1})``, for arrays of (p_ref, β, ε).

Floating point in bulk: evidence of grade ``swept``, never proof. The certified form, one recursion at a time, is
:class:`grpo_symbolic.optimality.SuccessRecursion`; results agree with it (the tests enclose a random subset in balls).
Everything is computed in the logit, where a p* within 10⁻³⁰⁰ of 1 is an ordinary point. Sources: Mroueh (2025),
equations (4), (8), Theorems 2–4; Vojnovic & Yun (2025), equations (14), (15), (19) and Appendix B.2.

>>> from grpo_symbolic.numeric import success_limit
>>> found = success_limit([0.2, 0.001], [2.0, 5.0], [0.0, 1e-5])
>>> found.verdict.tolist(), found.period.tolist()
(['converges', 'cycle'], [1, 2])
>>> found.count.tolist()
[3, 3]
"""

from __future__ import annotations

import math
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.flow import Arrays, direct_roots, reverse_root, step, stiffness
from grpo_symbolic.numeric.gap import Floats, Gap, of_group, of_population, take, value_and_slope
from grpo_symbolic.numeric.limits import CONVERGES, CYCLE, STATIONARY, UNDECIDED, VERDICTS, SuccessLimits
from grpo_symbolic.numeric.orbit import contracts, follow

Penalty = Literal["kl", "reverse_kl", "kl_0"]
MOST_FIXED_POINTS = 4

_ALIASES = {"direct": "kl", "reverse": "reverse_kl", "grpo": "kl_0"}
_CHUNK = {"numpy": 1 << 14}
_LARGEST_GROUP = 64
_FOLD = 1e-7  # nearer than this to slope 1, rounding decides whether the fixed point is there


@dataclass(frozen=True)
class _Case:
    """What is the same for all rows."""

    group_size: float
    penalty: Penalty
    guard_inside: bool
    scaled: bool
    sample_deviation: bool
    steps: int


def success_limit(
    p_ref: Any,
    beta: Any,
    guard: Any = 0.0,
    group_size: Any = math.inf,
    penalty: str = "kl",
    *,
    logit_ref: Any = None,
    guard_inside: bool = True,
    scaled: bool = True,
    sample_deviation: bool = False,
    fixed_points: bool = True,
    steps: int = 4096,
    backend: str = "numpy",
    device: str | None = None,
) -> SuccessLimits:
    """All fixed points of the success recursion and what it reaches from p_0 = p_ref, for arrays that broadcast.

    ``p_ref`` in (0, 1), or ``None`` with its logits in ``logit_ref`` (for p_ref nearer to 1 than a float can be);
    ``beta`` > 0 and ``guard`` ≥ 0 finite. ``group_size`` is ∞ or 2…64, exact in both cases; ``penalty`` 'kl' (direct),
    'reverse_kl' or 'kl_0'; ``guard_inside``, ``scaled`` and ``sample_deviation`` as in ``SuccessRecursion``. At most
    ``steps`` iterations are made in rows that have to be followed; the rest is read off the fixed points, the map
    falling below 1/2 and rising above. Every row gets a verdict, 'undecided' being one. Without ``fixed_points`` the
    repelling ones are not computed, and the result lists none.

    Raises :class:`BadInput` for values outside these ranges, NaN included, and an unknown penalty or backend.
    Sources: Mroueh (2025), equation (8), Theorems 3 and 4; Vojnovic & Yun (2025), equations (14), (15).

    >>> found = success_limit(0.01, beta=[0.1, 1.0], group_size=8)
    >>> found.limit.round(6).tolist()
    [1.0, 0.095002]
    """
    case = _Case(
        _group(group_size), _penalty(penalty), bool(guard_inside), bool(scaled), bool(sample_deviation), _steps(steps)
    )
    arrays = Arrays(backends.get(backend, device))
    given = logit_ref if p_ref is None else p_ref
    if given is None or (p_ref is not None and logit_ref is not None):
        raise BadInput("give either p_ref or logit_ref")
    start = _numbers(given, "p_ref" if p_ref is not None else "logit_ref")
    if p_ref is not None:
        _within(start, (start > 0) & (start < 1), "p_ref must lie in (0, 1)")
        start = _logit(start)
    else:
        _within(start, np.isfinite(start), "logit_ref must be finite")
    betas, guards = _numbers(beta, "β"), _numbers(guard, "the guard ε")
    _within(betas, (betas > 0) & np.isfinite(betas), "β must be positive and finite")
    _within(guards, (guards >= 0) & np.isfinite(guards), "the guard ε must be finite and not negative")
    try:
        shape = np.broadcast_shapes(start.shape, betas.shape, guards.shape)
    except ValueError:
        raise BadInput(
            f"the shapes {start.shape} of p_ref, {betas.shape} of β and {guards.shape} of ε do not broadcast"
        ) from None
    L, b = (np.broadcast_to(x, shape).reshape(-1) for x in (start, betas))
    out = _empty(L, fixed_points)
    for rows, gap in _gaps(case, guards, shape):
        _fill(out, rows, gap, L, b, case, arrays)
    fields = {name: value.reshape(shape + value.shape[1:]) for name, value in out.items()}
    return SuccessLimits(**fields)


def _gaps(case: _Case, guards: Floats, shape: tuple[int, ...]) -> Iterator[tuple[Any, Gap]]:
    """The advantage gaps, each with the rows (flat) that it is for; ``...`` for all of them."""
    distinct = np.unique(guards)
    if not case.scaled:
        one = 1.0 if math.isinf(case.group_size) else 1.0 - 1.0 / case.group_size
        yield ..., Gap("group", (np.float64(one),), np.inf, one, one, 0.0)
        return
    flat = np.broadcast_to(guards, shape).reshape(-1)
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
    out: dict[str, Any] = {"logit_ref": L}
    for name in ("logit", "low_logit", "high_logit", "slope", "residual"):
        out[name] = np.empty(len(L))
    out["kind"], out["period"] = np.zeros(len(L), dtype=np.int8), np.zeros(len(L), dtype=np.int16)
    if listed:
        for name in ("fixed_logits", "fixed_slopes"):
            out[name] = np.empty((len(L), MOST_FIXED_POINTS))
    return out


def _fill(out: dict[str, Any], rows: Any, gap: Gap, L: Floats, b: Floats, case: _Case, arrays: Arrays) -> None:
    """Solve the rows in chunks that fit the cache (or the device), on as many threads as there are cores."""
    total = len(L) if rows is ... else len(rows)
    size = _CHUNK.get(arrays.backend.name, 1 << 20)

    def one(begin: int) -> tuple[Any, Floats]:
        part = slice(begin, min(begin + size, total))
        where = part if rows is ... else rows[part]
        found, follows, roots = _solve(arrays, case, take(gap, part), L[where], b[where], listed="fixed_logits" in out)
        for name, value in found.items():
            out[name][where] = value
        return follows + begin, roots

    begins = range(0, total, size)
    if arrays.backend.name == "numpy" and len(begins) > 1:
        with ThreadPoolExecutor(backends.usable_cores()) as pool:
            rest = list(pool.map(one, begins))
    else:
        rest = [one(begin) for begin in begins]
    follows = np.concatenate([index for index, _ in rest] or [np.arange(0)])
    if len(follows):
        at = follows if rows is ... else rows[follows]
        _followed(out, case, at, take(gap, follows), L[at], b[at], np.concatenate([roots for _, roots in rest]))


def _solve(
    arrays: Arrays, case: _Case, gap: Gap, L: Floats, b: Floats, listed: bool
) -> tuple[dict[str, Any], Any, Floats]:
    """One chunk: all fixed points, and which of them the orbit of p_ref reaches; then the rows that have to be
    followed, with their attracting fixed points.
    """
    drive = 1.0 / b
    direct = case.penalty == "kl"
    with np.errstate(all="ignore"):
        roots = _roots(arrays, gap, L, drive, direct, listed)
        found, follows = _reached(case, gap, L, drive, roots)
        if listed:
            found |= _listed(case, gap, L, drive, roots)
    return found, follows, np.stack([roots[k][follows] for k in (0, 1, 4)], axis=-1)


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


def _reached(case: _Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...]) -> tuple[dict[str, Any], Any]:
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
    case: _Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...], once: Floats, rows: Any
) -> Any:
    """Of the rows whose orbit may stay below 1/2, where the map falls: those on whose orbit it contracts."""
    gap, L, drive, once = take(gap, rows), L[rows], drive[rows], once[rows]
    fixed = _fixed_below(roots[0][rows], roots[1][rows])
    return contracts(gap, L, drive, fixed, np.maximum(fixed - L, once - fixed), case.penalty == "kl")


def _fixed_below(first: Floats, second: Floats) -> Floats:
    return np.where(np.isnan(first), second, first)


def _followed(out: dict[str, Any], case: _Case, rows: Any, gap: Gap, L: Floats, b: Floats, roots: Floats) -> None:
    """The rows that have to be followed, all together: the steps are many and the rows few."""
    direct, drive = case.penalty == "kl", 1.0 / b
    with np.errstate(all="ignore"):
        fixed = _fixed_below(roots[:, 0], roots[:, 1])
        fates = follow(gap, L, drive, fixed, roots[:, 2], direct, case.steps)
        limit = np.where(fates.period == 1, fates.logit, np.nan)
        up = fates.period == -1
        limit[up] = _next_above(fates.logit[up], roots[up, 1], roots[up, 2], direct)
        kind = np.where(abs(fates.period) == 1, CONVERGES, UNDECIDED).astype(np.int8)
        found = _verdict(case, gap, L, drive, limit, kind, None)
    cyclic = fates.period > 1
    found["kind"][cyclic], found["period"][cyclic] = CYCLE, fates.period[cyclic]
    for name, value in (
        ("low_logit", fates.low),
        ("high_logit", fates.high),
        ("slope", fates.slope),
        ("residual", fates.residual),
    ):
        found[name][cyclic] = value[cyclic]
    for name, value in found.items():
        out[name][rows] = value


def _verdict(
    case: _Case, gap: Gap, L: Floats, drive: Floats, limit: Floats, kind: Any, slope: Floats | None
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
        "low_logit": limit.copy(),
        "high_logit": limit.copy(),
        "slope": tilt if slope is None else slope,
        "residual": residual,
    }


def _listed(case: _Case, gap: Gap, L: Floats, drive: Floats, roots: tuple[Floats, ...]) -> dict[str, Any]:
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


def _logit(p: Floats) -> Floats:
    return np.log(p) - np.log1p(-p)


def _numbers(values: Any, name: str) -> Floats:
    try:
        return np.asarray(values, dtype=np.float64)
    except (TypeError, ValueError):
        raise BadInput(f"{name} must be a number or an array of numbers, got {str(values)[:60]}") from None


def _within(values: Floats, good: Any, demand: str) -> None:
    if not np.all(good):
        place = int(np.flatnonzero(~np.ravel(good))[0])
        where = f" at place {place}" if values.ndim else ""
        raise BadInput(f"{demand}, got {np.ravel(values)[place]}{where}")


def _group(size: Any) -> float:
    try:
        number = math.inf if size == "oo" else float(size)
    except (TypeError, ValueError):
        number = math.nan
    if not (math.isinf(number) and number > 0) and not (number.is_integer() and 2 <= number <= _LARGEST_GROUP):
        raise BadInput(f"the group size must be oo or a whole number from 2 to {_LARGEST_GROUP}, got {size}")
    return number


def _penalty(name: str) -> Penalty:
    found: Any = _ALIASES.get(name, name)
    if found not in ("kl", "reverse_kl", "kl_0"):
        raise BadInput(f"the penalty must be 'kl', 'reverse_kl' or 'kl_0', got {name!r}")
    return found


def _steps(steps: int) -> int:
    if isinstance(steps, bool) or not isinstance(steps, int) or steps < 0:
        raise BadInput(f"the number of steps must be a whole number, got {steps}")
    return steps


__all__ = ["VERDICTS", "Penalty", "SuccessLimits", "success_limit"]
