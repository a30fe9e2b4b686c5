"""Controls of the rules for flows of one number."""

from __future__ import annotations

from sympy import symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

x, a, b = symbols("x a b", real=True)
half = Rational(1, 2)
unit = Domain(0 < a, a < 1)


def rests(velocity):
    """From every start in (0, 1) to 1/2, by the shape of the velocity."""
    return FlowTends(velocity, x, 0, 1, half).by(ConcaveVelocity(1))


FLOWS = (
    Case("a flow tends to its rest point", FlowTends(a - x, x, 0, 1, a), unit),
    Case(
        "a concave velocity leads to its rest point",
        rests(1 - x - 2 * x**2),
        Domain(),
        (False_("its sign", rests((1 - 2 * x) * (1 - 3 * x) * (1 - 4 * x)), Domain()),),
    ),
    Case("a flow rises to the end", FlowRises(x * (1 - x), x, 0, 1), Domain()),
    Case(
        "a flow rises to the first rest point", FlowRisesToRest((a - x) * (b - x), x, 0, 1), Domain(0 < a, a < 1, 1 < b)
    ),
    Case("the faster flow stays ahead", FlowsOrdered(a - x, x, b - x, 0, 1), Domain(a < b)),
)
