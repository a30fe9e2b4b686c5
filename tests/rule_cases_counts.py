"""Controls of the rules for how often a value is taken at most, for iterations of a map that falls and rises, and for
solutions that leave a place where a function is positive.
"""

from __future__ import annotations

from rule_case import Case, False_
from sympy import Abs, Integer, Piecewise, Rational, exp, oo, symbols

from grpo_symbolic.proof import (
    Among,
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


def leaves(form, limit, body=None, start=0, value=1, point=0):
    """That what solves ``form`` = y tends to 1 with y → 0."""
    solved = form - y if body is None else body
    return SolutionTends(solved, x, 0, 1, y, point, value).by(LeavesAPositive(form, start, limit, 1))


inside = Domain(-1 <= a, a <= 1)
anywhere = Domain()
COUNTS = (
    Case(
        "Rolle, twice",
        most(x**2, 2, Rolle(once, 2 * x)),
        small,
        (
            False_("derivative", most(x**2, 1, Rolle(never, Integer(2))), small),
            False_("nowhere", most(x**2, 1, once), small),
            False_("less than never", most(x**2, 0, Rolle(never, Integer(2))), small),
            False_("fewer solutions than none", most(x, -1, once), small),
            False_("not smooth", most(Abs(x), 1, Rolle(never, Integer(1))), small),
            False_("moves with x", most(x**2, 1, once, ends=(x - 1, 1)), small),
            False_("moves with x", most(x**2, 1, once, value=x), small),
        ),
    ),
    Case(
        "among the zeros of another function",
        most(x * (x**2 + 1), 1, Among(x, -1, 1, once), value=0),
        small,
        (
            False_("among these", most(x * (x - half), 1, Among(x, -1, 1, once), value=0), small),
            False_("among these", most(x * (x - half), 1, Among(x - half, 0, 1, once), value=0), small),
            False_("nowhere", most(x**2, 1, Among(x**2 - a, -1, 1, once)), small),
            False_("moves with x", most(x**2, 1, Among(x, x - 1, 1, once)), small),
        ),
    ),
    Case(
        "nowhere",
        most(x**2, 0, never, ends=(1, 2)),
        small,
        (
            False_("nowhere", most(x**2, 0, never), small),
            False_("at most 0 times", most(x**2, 1, never), small),
        ),
    ),
    Case(
        "an iteration that falls and rises",
        run(x**2 - half),
        inside,
        (
            False_(
                "the turning point lies",
                run((x - b) ** 2 + b - half, b),
                inside.also(-2 <= b, b <= 0),
                ("the map stays",),
            ),
            False_("the start lies", run(x**2 - half, start=Integer(2)), inside),
            False_("from below", run(x**2 - half, ends=(-Rational(1, 4), 1)), Domain(0 <= a, a <= 1)),
            False_("from above", run(2 * x**2 - Rational(1, 4)), inside),
            False_("falls", run(4 * x * (1 - x), Rational(7, 8), (0, 1)), Domain(0 <= a, a <= 1), ("rises", "after")),
            False_("rises", run(1 - x, Rational(3, 4), (0, 1)), Domain(0 <= a, a <= 1), ("exchanged",)),
            False_("the step after", run(x**2 - Rational(3, 2), ends=(-2, 2)), Domain(-2 <= a, a <= 2), ("above",)),
            False_("exchanged", run(x**2 - 1), inside),
            False_("continuous", run(Piecewise((half, x <= 0), (x - half, True))), inside),
            False_("the sentence speaks of it", run(x**2 - 1, later=x), inside),
            False_("moves with x", run(x**2 - 1, turn=x), inside),
        ),
    ),
    Case(
        "a solution that leaves towards the upper end",
        leaves(1 - x, 1),
        anywhere,
        (
            False_("after the start", leaves(x * (1 - x), half**2, start=half), anywhere),
            False_("the function there", leaves(1 - x, 1, body=x - half), anywhere),
            False_("it is positive", leaves((1 - x) * (x - half) ** 2, half**2), anywhere),
            False_(
                "it has a value", leaves(exp(-1 / (x - half) ** 2) * (1 - x), exp(-4)), anywhere, ("there", "positive")
            ),
            False_("continuous", leaves(Piecewise((half - x, x < half), (1 - x, True)), half), anywhere),
            False_("at 0", leaves(x * (1 - x), 1), anywhere),
            False_(": the limit", leaves(x * (1 - x), 0), anywhere),
            False_("is false", leaves(x * (1 - x), -oo), anywhere),
            False_("the upper is 1", leaves(1 - x, 1, value=0), anywhere),
            False_("is to be a number", leaves(1 - x, 1, point=oo), anywhere),
            False_("moves with y", leaves(1 - x - y, 1), anywhere),
        ),
    ),
)
