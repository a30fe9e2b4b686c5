"""Values that are taken more often than is said, iterations that do not converge, and solutions that stay."""

from __future__ import annotations

from sympy import Integer, Rational

from grpo_symbolic.notation import x, y, z
from grpo_symbolic.proof import (
    AtMost,
    Converges,
    Domain,
    FallsThenRises,
    Iteration,
    LeavesAPositive,
    Nowhere,
    Rolle,
    SolutionTends,
)

from . import false, true

HALF = Rational(1, 2)
NEVER, EVERYWHERE, START = Nowhere(), Domain(), Domain(-1 <= z, z <= 1)

false(
    "two zeros of a cubic with three",
    "x³ − x is 0 at −1, 0 and 1",
    lambda: (EVERYWHERE, AtMost(x**3 - x, x, -2, 2, most=2).by(Rolle(Rolle(NEVER)))),
)
false(
    "one zero of a function that rises on both sides of a pole",
    "x − 1/x is 0 at −1 and at 1",
    lambda: (EVERYWHERE, AtMost(x - 1 / x, x, -2, 2, most=1).by(Rolle(NEVER))),
)
false(
    "a run that goes around",
    "from 0 the map x² − 1 goes to −1 and back",
    lambda: (START, Converges(Iteration(x**2 - 1, x, z), -1, 1).by(FallsThenRises(Integer(0), y))),
)
false(
    "a solution that stays where a function is zero",
    "(1 − x)(x − ½)² = y has solutions near ½",
    lambda: (
        EVERYWHERE,
        SolutionTends((1 - x) * (x - HALF) ** 2 - y, x, 0, 1, y, 0, 1).by(
            LeavesAPositive((1 - x) * (x - HALF) ** 2, 0, HALF**2, 1)
        ),
    ),
)
true(
    "three zeros of a cubic",
    lambda: (EVERYWHERE, AtMost(x**3 - x, x, -2, 2, most=3).by(Rolle(Rolle(Rolle(NEVER, Integer(6)), 6 * x)))),
)
true(
    "a run that falls and rises",
    lambda: (START, Converges(Iteration(x**2 - HALF, x, z), -1, 1).by(FallsThenRises(Integer(0), y))),
)
