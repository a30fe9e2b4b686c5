"""Eight claims of the papers as one would look at them without this project: SymPy's own solvers, limits and
simplifications, and inequalities at random points in mpmath. Nothing here is a proof.
"""

from __future__ import annotations

import random
import time
from collections.abc import Callable, Mapping

import mpmath
import sympy as sp

x, y, p, beta, gamma, guard = sp.symbols("x y p beta gamma epsilon", positive=True)
POINTS, DIGITS = 20_000, 50
Ranges = Mapping[sp.Symbol, tuple[float, float]]

share = beta / gamma
PAIRS = (1 - share + sp.sqrt((1 - share) ** 2 + 4 * share * p)) / 2  # Vojnovic & Yun (2025), (14)
LARGE = (2 * beta**2 * p + 1 + sp.sqrt(1 + 4 * beta**2 * p * (1 - p))) / (2 * (1 + beta**2))  # (15)
SPREAD = x * (1 - x) + guard
MAP = 1 / (1 + (1 - p) / p * sp.exp(-1 / (beta * sp.sqrt(SPREAD))))  # Mroueh (2025), (8)
WIDE = {p: (0.001, 0.999), beta: (0.01, 9.0)}


def pairs_from_objective() -> bool:
    """(14) is a zero of the slope of the objective for pairs, the old policy held fixed."""
    penalty = y * p / x + (1 - y) * (1 - p) / (1 - x) + y * sp.log(x) + (1 - y) * sp.log(1 - x)
    slope = sp.together(sp.diff(gamma * x - beta * penalty, x).subs(y, x))
    return any(sp.simplify(root - PAIRS) == 0 for root in sp.solve(sp.numer(slope), x))


def large_from_quadratic() -> bool:
    """(15) is a root of its quadratic."""
    quadratic = (1 + beta**2) * x**2 - (1 + 2 * beta**2 * p) * x + beta**2 * p**2
    return any(sp.simplify(root - LARGE) == 0 for root in sp.solve(quadratic, x))


def never_negative(gap: sp.Expr, ranges: Ranges) -> bool:
    """Whether a gap is nowhere negative at random points."""
    drawn, value = random.Random(1), sp.lambdify(list(ranges), gap, "mpmath")
    with mpmath.workdps(DIGITS):
        return all(value(*(mpmath.mpf(drawn.uniform(*r)) for r in ranges.values())) >= 0 for _ in range(POINTS))


def slope_of_map() -> bool:
    """Proposition 1: the slope of the map."""
    printed = -MAP * (1 - MAP) * (1 - 2 * x) / (2 * beta * SPREAD ** sp.Rational(3, 2))
    return sp.simplify(sp.diff(MAP, x) - printed) == 0


def turning_points() -> bool:
    """Where the gradients of the reward and of the penalty turn."""
    return len(sp.solve(sp.diff(1 / (beta * sp.sqrt(x * (1 - x))) - sp.log(x / (1 - x)), x), x)) == 2


CLAIMS: tuple[Callable[[], bool], ...] = (
    pairs_from_objective,
    large_from_quadratic,
    lambda: never_negative(PAIRS - sp.Max(1 - share, p), WIDE | {gamma: (0.01, 1.0)}),
    lambda: never_negative(LARGE - sp.Max(1 / (1 + beta**2), p), WIDE),
    lambda: sp.limit(PAIRS, beta, sp.oo) == p,
    slope_of_map,
    lambda: never_negative(MAP - p, WIDE | {beta: (0.05, 9.0), x: (0.001, 0.999), guard: (1e-6, 0.9)}),
    turning_points,
)


def seconds() -> float:
    """How long all of them take; raises :class:`ValueError` where one of them does not come out."""
    begun = time.perf_counter()
    for number, claim in enumerate(CLAIMS):
        if not claim():
            raise ValueError(f"the claim number {number} did not come out by hand")
    return time.perf_counter() - begun


if __name__ == "__main__":
    print(seconds())
