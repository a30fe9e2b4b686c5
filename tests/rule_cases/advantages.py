"""Controls of the rules for the expected advantages of groups."""

from __future__ import annotations

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

n, o, size = symbols("n o k", integer=True)
pi, P, Q = IndexedBase("pi"), IndexedBase("P"), IndexedBase("Q")
half = Rational(1, 2)
groups = Domain(simplex(pi, n), reals(P, n), reals(Q, n), n >= 2, size >= 2)
squares, products = Sum(pi[o] * P[o] ** 2, (o, 1, n)), Sum(pi[o] * P[o] * Q[o], (o, 1, n))


inverse = Sum(pi[o] / P[o] ** 2, (o, 1, n))


def bounded(left, right, scale=half, expected=P[o]):
    """What expected advantages bound."""
    return BoundByAdvantages(pi, o, n, size, expected, left, right).by(MeanSquare(scale))


ADVANTAGES = (
    Case(
        "the mean square of expected advantages",
        bounded(2 * squares, 2),
        groups,
        (
            False_("the factor", bounded(-2 * squares, -2, -half), groups),
            False_("the bound", bounded(2 * squares, 1), groups),
            False_("has a value", bounded(2 * inverse, 2, expected=1 / P[o]), groups, ("the mean square",)),
        ),
    ),
    Case(
        "the mean deviation of groups",
        MeanDeviation(pi, o, n, size, P[o], Q[o], products),
        groups,
        (False_("has a value", MeanDeviation(pi, o, n, size, 1 / P[o], 1 / P[o], inverse), groups, ("the value",)),),
    ),
)
