"""Controls of the rules for how often a value is taken at most, and for iterations of a map that falls and rises."""

from __future__ import annotations

from rule_case import Case, False_
from sympy import Abs, Integer, Piecewise, Rational, symbols

from grpo_symbolic.proof import Among, AtMost, Converges, Domain, FallsThenRises, Iteration, Nowhere, Rolle

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
            False_("stands for a later point", run(x**2 - 1, later=x), inside),
            False_("moves with x", run(x**2 - 1, turn=x), inside),
        ),
    ),
)
