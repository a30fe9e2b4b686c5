"""Linear programs: which sum of columns is zero, or has no positive coefficient, and what is it over the rationals?"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from fractions import Fraction
from math import lcm

from flint import fmpq, fmpq_mat, fmpz_mpoly

from grpo_symbolic.errors import BadInput

MOST_ENTRIES = 300_000  # coefficients of all columns
LARGEST = 900  # bits of a coefficient, which becomes a float
MOST_SUPPORT = 150  # columns of a solution


class NoPrograms(BadInput):
    """Linear programs are needed, and SciPy, which solves them, is not installed."""


@dataclass(frozen=True)
class Column:
    """A polynomial that may be added: with a factor ≥ 0 (``free``: any factor), at a cost; ``strict``: it is > 0."""

    polynomial: fmpz_mpoly
    free: bool
    strict: bool
    cost: float


def available() -> None:
    """Raise :class:`NoPrograms` unless there is a solver."""
    try:
        import scipy.optimize  # noqa: F401
    except ImportError as error:
        raise NoPrograms(
            "the search for certificates needs SciPy for its linear programs: pip install scipy"
        ) from error


def combination(columns: Sequence[Column], signs: dict[int, bool], iterations: int) -> list[Fraction] | None:
    """Factors of the columns such that their sum has only coefficients ≤ 0, in monomials of the variables with
    ``signs`` (whether they are > 0), and is contradictory; ``None`` where none is found in so many iterations.
    """
    terms = [[(m, int(c)) for m, c in column.polynomial.terms()] for column in columns]
    if not terms or sum(map(len, terms)) > MOST_ENTRIES:
        return None
    scales = [max((abs(c) for _, c in column), default=1) for column in terms]
    if max(scales).bit_length() > LARGEST:
        return None
    rows: dict[tuple[int, ...], int] = {}
    entries: list[tuple[float, int, int]] = []  # of the matrix: value, row, column
    for k, column in enumerate(terms):
        for monomial, c in column:
            entries.append((float(Fraction(c, scales[k])), rows.setdefault(monomial, len(rows)), k))
    slack = [(row, m) for m, row in rows.items() if all(v in signs for v, e in enumerate(m) if e)] if signs else []
    count, one = len(columns), len(rows)
    for k, (row, monomial) in enumerate(slack):
        entries.append((1.0, row, count + k))
        if all(signs[v] for v, e in enumerate(monomial) if e):
            entries.append((1.0, one, count + k))
    entries += [(1.0, one, k) for k, column in enumerate(columns) if column.strict]
    near = _cheapest(columns, len(slack), entries, one + 1, iterations)
    if near is None:
        return None
    support = [k for k in range(count) if abs(near[k]) > 1e-9]
    loose = {slack[k][0] for k in range(len(slack)) if near[count + k] > 1e-9}
    if not support or len(support) > MOST_SUPPORT:
        return None
    tight = [row for row in range(one) if row not in loose]
    exact = _exact(
        [{rows[m]: c for m, c in terms[k]} for k in support],
        tight,
        [near[k] / scales[k] for k in support],
        [columns[k].free for k in support],
    )
    if exact is None:
        return None
    factors = [Fraction(0)] * count
    for k, factor in zip(support, exact, strict=True):
        factors[k] = factor
    return factors


def _cheapest(
    columns: Sequence[Column], slack: int, entries: Sequence[tuple[float, int, int]], rows: int, iterations: int
) -> Sequence[float] | None:
    """The factors of least cost, of the columns and of so many variables ≥ 0 behind them, with which the last row of
    the matrix is 1 and every other one 0; ``None`` where none are found in so many iterations.
    """
    import numpy as np
    from scipy.optimize import linprog
    from scipy.sparse import coo_matrix

    values, i, j = zip(*entries, strict=True)
    wanted = np.zeros(rows)
    wanted[-1] = 1
    solution = linprog(
        [c.cost for c in columns] + [0.01] * slack,
        A_eq=coo_matrix((values, (i, j)), shape=(rows, len(columns) + slack)).tocsc(),
        b_eq=wanted,
        bounds=[(None, None) if c.free else (0, None) for c in columns] + [(0, None)] * slack,
        method="highs",
        options={"maxiter": iterations},
    )
    return solution.x if solution.status == 0 else None


def whole(factors: Sequence[Fraction]) -> list[int]:
    """The factors times the least number that makes them whole."""
    common = lcm(*(f.denominator for f in factors))
    return [int(f * common) for f in factors]


def _exact(
    columns: list[dict[int, int]], tight: list[int], near: list[float], free: list[bool]
) -> list[Fraction] | None:
    """Rational factors near the given ones with which all ``tight`` rows vanish."""
    rows = [row for row in ([column.get(i, 0) for column in columns] for i in tight) if any(row)]
    if not rows:
        return [_rational(x) for x in near]
    echelon, rank = fmpq_mat(len(rows), len(columns), [c for row in rows for c in row]).rref()
    pivots = [next(k for k in range(len(columns)) if echelon[i, k] != 0) for i in range(rank)]
    others = [k for k in range(len(columns)) if k not in pivots]
    scale = max((abs(near[k]) for k in others), default=0)
    if not scale:
        return None
    for limit in (12, 100, 10**4, 10**7):
        values = {k: _rational(near[k] / scale, limit) for k in others}
        for i, pivot in enumerate(pivots):
            total = -sum((echelon[i, k] * fmpq(values[k].numerator, values[k].denominator) for k in others), fmpq(0))
            values[pivot] = Fraction(int(total.p), int(total.q))
        if all(free[k] or value >= 0 for k, value in values.items()):
            return [values[k] for k in range(len(columns))]
    return None


def _rational(value: float, limit: int = 10**6) -> Fraction:
    return Fraction(float(value)).limit_denominator(limit)
