"""Controls of the rules for how often a value is taken at most, for iterations of a map that falls and rises, and for
solutions that leave a place where a function is positive.
"""

from __future__ import annotations

from sympy import symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

x, y, a, b = symbols("x y a b", real=True)
half = Rational(1, 2)
small = Domain(0 < a, a < 1)
never = Nowhere()
once = Rolle(never)


def most(body, number, rule, value=a, ends=(-1, 1)):
    """That the value is taken at most so often."""
    return AtMost(body, x, *ends, value, most=number).by(rule)


def run(step, turn=0, ends=(-1, 1), start=a, later=y):
    """That the iteration converges in an interval."""
    return Converges(Iteration(step, x, start), *ends).by(FallsThenRises(turn, later))


inside = Domain(-1 <= a, a <= 1)
anywhere = Domain()
COUNTS = (
    Case(
        "Rolle, twice",
        most(x**2, 2, Rolle(once, 2 * x)),
        small,
        (False_("derivative", most(x**2, 1, Rolle(never, Integer(2))), small),),
    ),
    Case("among the zeros of another function", most(x * (x**2 + 1), 1, Among(x, -1, 1, once), value=0), small),
    Case("nowhere", most(x**2, 0, never, ends=(1, 2)), small),
    Case("an iteration that falls and rises", run(x**2 - half), inside),
    Case(
        "a solution that leaves towards the upper end",
        SolutionTends(1 - x - y, x, 0, 1, y, 0, 1).by(LeavesAPositive(1 - x, 0, 1, 1)),
        anywhere,
    ),
)
