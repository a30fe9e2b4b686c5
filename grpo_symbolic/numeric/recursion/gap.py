"""The gap between the advantages of a success and of a failure, in bulk: all that the success recursion sees of them.

With the logit t of the success probability, ``c = p(1−p)`` and ``s = √c``, the gap W depends on c only, so it is even
in t. It falls as c grows, and in t it is S-shaped on either side of 0: convex between two turning points ±t_i and
concave outside, which is what lets every root below be found by Newton's method from the proper side. For large groups
this is the claim ``mr-gap-turns`` (``inflection`` holds its closed form); for a finite group it is checked for the
group at hand. Sources: Mroueh (2025), equation (4); Vojnovic & Yun (2025), Section 2.1 and Appendix B.2; exact
form: :func:`grpo_symbolic.optimality.response.weight_gap`.
"""

from __future__ import annotations

import math
from dataclasses import dataclass
from typing import Any, Literal

import numpy as np
from numpy.polynomial import chebyshev

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.backends import Array, Namespace
from grpo_symbolic.setting import LARGEST_GROUP

Floats = np.ndarray[Any, np.dtype[np.float64]]
Places = np.ndarray[Any, np.dtype[np.signedinteger[Any]]]  # whole numbers: rows, periods, kinds
Family = Literal["inside", "outside", "group"]


@dataclass(frozen=True)
class Gap:
    """W for a block of rows.

    ``family`` is how ``parameters`` (each a number, or an array with one entry a row) are read: 'inside' (ε)
    ``1/√(c+ε)`` with ε > 0; 'outside' (ε) ``1/(s+ε)``; 'group' Chebyshev coefficients of a polynomial in ``8c − 1``.
    ``inflection`` is t_i (∞ where W is convex throughout), ``least`` W at p = 1/2, ``greatest`` W at p ∈ {0, 1} and
    ``steepest`` the greatest slope in t.
    """

    family: Family
    parameters: tuple[Any, ...]
    inflection: Any
    least: Any
    greatest: Any
    steepest: Any

    def at(self, t: Array) -> tuple[Any, Any]:
        """``W(t)`` and ``dW/dt`` on the host."""
        return value_and_slope(np, self.family, self.parameters, t)


def value_and_slope(xp: Namespace, family: Family, parameters: tuple[Array, ...], t: Array) -> tuple[Any, Any]:
    """``W(t)`` and ``dW/dt`` for arrays of one backend; accurate at any logit, p within 10⁻³⁰⁰ of 0 or 1 included."""
    if family == "inside":
        e = xp.exp(-xp.minimum(xp.abs(t), _far(xp, parameters[0])))
        over = 1.0 + e
        root = over * over
        root *= parameters[0]
        root += e
        root = 1.0 / xp.sqrt(root)  # 1/((1 + e)√(c + ε))
        over *= root
        slope = e * root
        slope *= root
        slope *= root
        e *= -0.5
        e += 0.5
        slope *= e
        return over, xp.copysign(slope, t)
    root = xp.exp(-0.5 * xp.abs(t))
    e = root * root
    r = 1.0 / (1.0 + e)
    m = xp.copysign((1.0 - e) * r, t)  # 2p − 1
    if family == "outside":
        s = root * r
        value = 1.0 / (s + parameters[0])
        return value, 0.5 * m * ((s * value) * value)
    c = e * r * r
    return _clenshaw(parameters, 8.0 * c - 1.0, -8.0 * c * m)


def _far(xp: Namespace, guard: Array) -> Any:
    """A logit beyond which the guard alone counts: exponentials that underflow take NumPy four times as long."""
    return xp.where(guard > 1e-290, 708.0, xp.inf)


def _clenshaw(coefficients: tuple[Array, ...], x: Array, inner: Array) -> tuple[Any, Any]:
    """A Chebyshev series and its derivative times ``inner``: Clenshaw's recurrence, differentiated along with it."""
    b1 = b2 = d1 = d2 = 0.0 * x
    twice = 2.0 * x
    for a in coefficients[:0:-1]:
        b1, b2, d1, d2 = a + twice * b1 - b2, b1, 2.0 * b1 + twice * d1 - d2, d1
    return coefficients[0] + x * b1 - b2, inner * (b1 + x * d1 - d2)


def of_population(guard: Array, guard_inside: bool) -> Gap:
    """The gap for large groups; ``guard`` ≥ 0 a number or one a row, all positive or all 0 where it is inside."""
    guard = np.asarray(guard, dtype=np.float64)
    if guard_inside and np.all(guard > 0):
        turn = 2 * guard / (1 + 12 * guard)  # the c at which d²W/dt² = 0: c(6ε + 1/2) = ε
        family: Family = "inside"
        least, greatest = 1 / np.sqrt(0.25 + guard), 1 / np.sqrt(guard)
    else:
        s = 2 * guard / (1 + np.sqrt(1 + 32 * guard * guard))  # 8εs² + s = ε
        turn, family = s * s, "outside"
        with np.errstate(divide="ignore"):
            least, greatest = 1 / (0.5 + guard), 1 / guard
    with np.errstate(divide="ignore"):
        inflection = np.where(turn > 0, _logit_of(turn), np.inf)
    steepest = np.where(
        np.isfinite(inflection),
        value_and_slope(np, family, (guard,), np.where(np.isfinite(inflection), inflection, 0.0))[1],
        np.inf,
    )
    return Gap(family, (guard,), inflection, least, greatest, steepest)


def constant(height: float) -> Gap:
    """The gap that is the same at every success probability."""
    return Gap("group", (np.float64(height),), np.inf, height, height, 0.0)


def of_group(guards: Floats, group_size: int, guard_inside: bool, sample_deviation: bool) -> Gap:
    """The gap for groups of G: the exact expectation over the rest of the group, one column for each guard."""
    columns = [_column(g, group_size, guard_inside, sample_deviation) for g in guards]
    length = max(len(column.parameters) for column in columns)
    table = np.array([[*column.parameters, *([0.0] * (length - len(column.parameters)))] for column in columns]).T
    facts = (np.array([getattr(column, name) for column in columns]) for name in FACTS)
    return Gap("group", tuple(table), *facts)


def of_many(guard: float, group_size: int, guard_inside: bool, sample_deviation: bool) -> Gap:
    """The gap for groups of any finite size, by the same sums; whether it is S-shaped is not looked at, so it is good
    for flows, and its facts (``inflection`` …) are NaN.
    """
    return _for_flows(_series(guard, group_size, guard_inside, sample_deviation))


def of_others(guard: float, group_size: int, sample_deviation: bool) -> Gap:
    """The gap for groups of G whose members are divided by the deviation of the others plus ``guard``, and by nothing
    where these are all alike. It is not S-shaped: good for flows, whose facts (``inflection`` …) are NaN.
    """
    k = np.arange(group_size)
    variance = k * (group_size - 1 - k) / (group_size - 1) ** 2
    variance = variance * ((group_size - 1) / (group_size - 2) if sample_deviation and group_size > 2 else 1.0)
    gains = np.where(variance > 0, 1 / (np.sqrt(variance) + np.where(variance > 0, guard, 1.0)), 1.0)
    return _for_flows(_even(gains, group_size))


def _for_flows(series: Floats) -> Gap:
    return Gap("group", tuple(map(float, series)), np.nan, np.nan, np.nan, np.nan)


FACTS = ("inflection", "least", "greatest", "steepest")


def take(gap: Gap, rows: Array | slice) -> Gap:
    """The same gap for some of its rows (anything NumPy indexes with)."""

    def some(value: Array) -> Any:
        return value if np.ndim(value) == 0 else value[rows]

    return Gap(gap.family, tuple(some(p) for p in gap.parameters), *(some(getattr(gap, name)) for name in FACTS))


def _column(guard: float, size: int, guard_inside: bool, sample_deviation: bool) -> Gap:
    series = _series(guard, size, guard_inside, sample_deviation)
    first, second = chebyshev.chebder(series), chebyshev.chebder(series, 2)
    x = np.linspace(-1.0, 1.0, 4097)
    c, noise = (x + 1) / 8, 1e-9 * abs(series[0])
    slope, bend = 8 * chebyshev.chebval(x, first), 64 * chebyshev.chebval(x, second)
    if len(series) == 1:
        return constant(series[0])

    def curvature(at: Floats | float) -> Any:
        """The sign of d²W/dt², as a function of c."""
        w1, w2 = (8 * chebyshev.chebval(8 * at - 1, first), 64 * chebyshev.chebval(8 * at - 1, second))
        return (1 - 6 * at) * w1 + at * (1 - 4 * at) * w2

    signs = np.sign(np.where(abs(curvature(c)) > noise, curvature(c), 0.0))
    signs = signs[signs != 0]
    turns = np.count_nonzero(np.diff(signs))
    falls, lifts = np.all(slope < noise), np.all(chebyshev.chebval(x, series) + c * slope > -noise)
    if not falls or not lifts or turns != 1 or not np.all(np.isfinite(bend)):
        raise BadInput(
            f"the advantage gap for groups of {size} with the guard {guard:g} is not S-shaped, so its fixed points "
            "cannot be found in bulk; use grpo_symbolic.optimality.SuccessRecursion"
        )
    low, high = 0.0, 0.25  # concave at c = 0, convex at c = 1/4
    for _ in range(80):
        middle = 0.5 * (low + high)
        low, high = (middle, high) if curvature(middle) < 0 else (low, middle)
    inflection = float(_logit_of(np.float64(0.5 * (low + high))))
    parameters = tuple(float(a) for a in series)
    least, greatest = (float(chebyshev.chebval(end, series)) for end in (1.0, -1.0))
    steepest = float(value_and_slope(np, "group", parameters, np.float64(inflection))[1])
    return Gap("group", parameters, inflection, least, greatest, steepest)


def _series(guard: float, size: int, guard_inside: bool, sample_deviation: bool) -> Floats:
    """Chebyshev coefficients in ``8c − 1`` of ``Σ_k C(G−1,k) p^k (1−p)^(G−1−k)·gap_k``, k successes among the others.

    It is even about p = 1/2, hence a polynomial in c of degree ⌊(G−1)/2⌋, interpolated where every term is positive.
    """
    counts = np.arange(size + 1.0)
    variance = counts * (size - counts) / size**2 * (size / (size - 1) if sample_deviation else 1.0)
    deviation = np.sqrt(variance + guard) if guard_inside else np.sqrt(variance) + guard
    k = np.arange(size)
    with np.errstate(divide="ignore", invalid="ignore"):  # 0/0 ≡ 0 where all rewards are equal
        win = np.where(k + 1 < size, (1 - (k + 1) / size) / deviation[1:], 0.0)
        lose = np.where(k > 0, (k / size) / deviation[:-1], 0.0)
    return _even(win + lose, size)


def _even(gains: Floats, size: int) -> Floats:
    """The series of ``Σ_k C(G−1,k) p^k (1−p)^(G−1−k)·gains_k`` for gains that are alike from both ends."""
    k, degree = np.arange(size), (size - 1) // 2
    x = np.cos(np.pi * (np.arange(degree + 1) + 0.5) / (degree + 1))
    p = 0.25 * (x + 1) / (1 + np.sqrt(np.maximum(0.5 * (1 - x), 0.0)))
    if size <= LARGEST_GROUP:
        binomials = np.array([float(math.comb(size - 1, int(j))) for j in k])
        values = (binomials * p[:, None] ** k * (1 - p[:, None]) ** (size - 1 - k)) @ gains
    else:  # by logarithms: the powers of a large group underflow
        logs = np.array([math.lgamma(size) - math.lgamma(j + 1) - math.lgamma(size - j) for j in k])
        odds = np.log(p)[:, None] * k + np.log1p(-p)[:, None] * (size - 1 - k)
        values = np.exp(logs + odds) @ gains
    if degree == 0 or np.ptp(values) <= 1e-14 * values[0]:
        return values[:1]
    series = 2 / (degree + 1) * np.cos(np.outer(np.arange(degree + 1), np.arccos(x))) @ values
    series[0] /= 2
    length = np.flatnonzero(abs(series) > 1e-17 * abs(series[0]))[-1] + 1
    return np.asarray(series[:length])


def _logit_of(c: Array) -> Any:
    """The logit t ≥ 0 at which p(1−p) = c."""
    root = np.sqrt(1 - 4 * c)
    return np.log((1 + root) ** 2 / (4 * c))
