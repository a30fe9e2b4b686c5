"""Controls of the rules for values that a function crosses, for cases, for the rates of flows, and for sums of which
nothing is left.
"""

from __future__ import annotations

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

x, y, a, b, t = symbols("x y a b t", real=True)
half = Rational(1, 2)
n, o, j = symbols("n o j", integer=True)
u, v = IndexedBase("u"), IndexedBase("v")
unit = Domain(0 < a, a < 1)


def once(body, lower=0, upper=1, rising=True, later=y):
    """One root, by what holds beyond each."""
    return OneRoot(body, x, lower, upper).by(BeyondEachRoot(later, rising))


def cases(*conditions):
    """x² is at least x, where each case is by itself."""
    return Always(x**2 >= x).by(InEachCase(tuple((condition, ()) for condition in conditions)))


CROSSINGS = (
    Case("no second root", once(x - a), unit),
    Case("no second root, downwards", once(a - x, rising=False), unit),
    Case(
        "once more beyond a root",
        TakesValue((x - a) * (2 * a + b - 3 * x), x, a, b).by(
            BesideARoot("lower", True, -2 * (b - a) ** 2, (a - 1, b + 1), None)
        ),
        Domain(a < b),
    ),
    Case("a slope that vanishes at one point", Monotone(x**3, x).by(ButForAPoint(0)), Domain(x)),
    Case(
        "a solution goes where the limit crosses",
        SolutionTends(x - a - t, x, 0, 1, t, 0, a).by(ClearSides(y, x - a, 1)),
        unit,
    ),
    Case(
        "what a solution determines",
        AtSolutionTends(x - t, x, 0, 1, t, 0, 0, quantity=x + t).by(
            OfTheSolution(2 * x, "lower", 1, SqueezedSolution(t, t, 1))
        ),
        Domain(),
    ),
    Case(
        "an inequality in each case",
        cases(x <= 0, x >= 1),
        Domain(2 * x**2 >= 2 * x + 1),
        (False_("two cases are asked for", cases(x >= half), Domain(x)),),
    ),
)
RATES = (
    Case("a flow comes to rest at the rate of its slope", FlowAtRate(a - x, x, 0, 1, a, 1), unit),
    Case("what a flow drives dies out", DiesOut(a - x, x, x - 1, 0, 1, a, 1 - a), unit),
    Case("a positive velocity passes every level", PassesEveryLevel(1 + x, x, a, 1), unit),
)


ALL_ZERO = {n: 2, u: [0, 0], v: [0, 0]}


def nothing(given, total, term, none=v[o], last=n, example=ALL_ZERO):
    """What is zero in every entry by what is given there, from a sum and the form of its terms."""
    return InEveryEntry((given,), Eq(none, 0), o, n).by(NothingLeft(Sum(total, (o, 1, last)), term, example=example))


numbers = Domain(n >= 2, reals(u, n), reals(v, n))
off = u[o] - Sum(u[j], (j, 1, n)) / n  # what an entry is off the mean
EVERYWHERE = (
    Case(
        "a sum of which nothing is left",
        nothing(Eq(off, v[o] ** 2), off, v[o] ** 2),
        numbers,
        (
            False_(
                "what is supposed holds somewhere",
                nothing(Eq(off, v[o] ** 2 + 1), off, v[o] ** 2 + 1),
                numbers,
                ("when a term is zero",),
            ),
            False_("at no point", nothing(Eq(off, v[o] ** 2 + 1), off, v[o] ** 2 + 1, example={}), numbers),
            False_("the range of the total", nothing(Eq(off, v[o]), off, v[o] ** 2, last=n - 1), numbers),
        ),
    ),
)
