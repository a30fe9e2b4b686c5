"""Values that are taken more often than is said, iterations that do not converge, solutions that stay, and groups of
what is no whole number.
"""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

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

LAW = Domain(simplex(pi, n), reals(P, n), n >= 2)
MEAN = Sum(pi[k] * P[k], (k, 1, n))


def mean_of(size: Any) -> Any:
    """That the mean reward of a group converges to the expected reward as the group grows."""
    return LAW, MeanOfLargeGroups(pi, P, None, o, n, size, MEAN, variance=Sum(pi[o] * (P[o] - MEAN) ** 2, (o, 1, n)))


false("groups that grow through all real numbers", "no group has 5/2 members", lambda: mean_of(x))
false("groups that grow to 3", "3 tends to nothing but 3", lambda: mean_of(Integer(3)))
false("groups that grow with two letters", "as G + n grows n may be all of it", lambda: mean_of(G + n))
true("groups that grow", lambda: mean_of(G))
false(
    "the advantage of an output with any real number",
    "there is no output 5/2",
    lambda: (LAW, MeanAdvantage(pi, x, n, G, Integer(0), expected=P)),
)
false(
    "policies numbered by real numbers",
    "from 1 to n there is no policy 3/2",
    lambda: (Domain(n >= 1), SolvedSeparately(x, x, n)),
)
true("policies numbered by whole ones", lambda: (Domain(n >= 1), SolvedSeparately(k, k, n)))
