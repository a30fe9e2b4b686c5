"""Controls of the rule for iterations that end in a cycle."""

from __future__ import annotations

from sympy import symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

x, a = symbols("x a", real=True)
half = Rational(1, 2)
BEFORE, THERE, BACK = (
    (Rational(1, 5), Rational(21, 100)),
    (half, Rational(54, 100)),
    (Rational(79, 100), Rational(4, 5)),
)
near, far, wide = Domain(half <= a, a <= THERE[1]), Domain(2 <= a, a <= 3), Domain(0 <= a, a <= 1)


def cycle(step, around, constants=(half, half), start=a, entering=()):
    """That the members tend to the one cycle through these intervals."""
    return EndsInCycle(Iteration(step, x, start), around, entering).by(SentAround(constants))


def logistic(start=a, entering=()):
    """The cycle of period two of the logistic map for 16/5."""
    return cycle(Rational(16, 5) * x * (1 - x), (THERE, BACK), (Rational(3, 10), 2), start, entering)


SWAPPED = ((2, 3), (0, 1))  # which 3 − x exchanges, with a cycle of period two through every point
LEFT = ((0, 1), (Rational(6, 5), Rational(17, 10)))  # x/2 + 6/5 sends the first into the second, and that beyond
CYCLES = (
    Case(
        "intervals sent around",
        logistic(),
        near,
        (
            False_("the start lies", logistic(Integer(0)), near),
            False_("from interval 1", cycle(x / 2, ((1, 2), (3, 4))), Domain(1 <= a, a <= 2)),
            False_("no two of the intervals", cycle(x / 2, ((0, 1), (0, 1))), wide),
            False_("from interval 2", cycle(x / 2 + Rational(6, 5), LEFT), wide),
            False_("on interval 1", cycle(3 - x, SWAPPED, (half, 1)), far),
            False_("on interval 2", cycle(3 - x, SWAPPED, (1, half)), far),
            False_("number of the constants", cycle(3 - x, SWAPPED, (half,)), far),
            False_("to be a number", cycle(3 - x, ((2, oo), (-oo, 1)), (1, half)), far),
            False_("moves with x", cycle(3 - x, ((2, x), (0, 1)), (1, half)), far),
        ),
    ),
    Case(
        "intervals that lead to those sent around",
        logistic(entering=(BEFORE,)),
        Domain(BEFORE[0] <= a, a <= BEFORE[1]),
        (
            False_("the start lies", logistic(Integer(1), (BEFORE,)), near),
            False_("from interval 1 before it", logistic(entering=((0, 1),)), wide),
            False_(
                "from interval 2", cycle(x / 2 + Rational(6, 5), LEFT, entering=((-2, -1),)), Domain(-2 <= a, a <= -1)
            ),
        ),
    ),
)
