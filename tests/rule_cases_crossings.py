"""Controls of the rules for values that a function crosses, for cases, for the rates of flows, and for sums of which
nothing is left.
"""

from __future__ import annotations

from rule_case import Case, False_
from sympy import Eq, IndexedBase, Max, Min, Ne, Rational, Sum, oo, sqrt, symbols

from grpo_symbolic.proof import (
    Always,
    AtSolutionTends,
    BesideARoot,
    BeyondEachRoot,
    ButForAPoint,
    ClearSides,
    DiesOut,
    Domain,
    FlowAtRate,
    InEachCase,
    InEveryEntry,
    Monotone,
    NothingLeft,
    OfTheSolution,
    OneRoot,
    PassesEveryLevel,
    SlopeAtRest,
    SolutionTends,
    SqueezedSolution,
    TakesValue,
    reals,
)

x, y, a, b, t = symbols("x y a b t", real=True)
half = Rational(1, 2)
n, o = symbols("n o", integer=True)
u, v = IndexedBase("u"), IndexedBase("v")
unit = Domain(0 < a, a < 1)
bent = sqrt(x**2 - 2 * a * x + a**2)  # the distance of x from a


def once(body, lower=0, upper=1, rising=True, later=y):
    """One root, by what holds beyond each."""
    return OneRoot(body, x, lower, upper).by(BeyondEachRoot(later, rising))


def again(body, limit, upper=oo, over=None, slope=None, rising=True, root="lower", lower=a):
    """Once more beside a root at a."""
    around = (a - 1, a + 1) if over is None else over
    return TakesValue(body, x, lower, upper).by(BesideARoot(root, rising, limit, around, slope))


def crossing(body, limit, value, other=y):
    """The solution near t = 0, by the sides of the functions and of their limit."""
    return SolutionTends(body, x, 0, 1, t, 0, value).by(ClearSides(other, limit, 1))


def of_solution(form, value=0, towards="lower", bounds=(t, t)):
    """x + t at the solution of x = t."""
    to_zero = SqueezedSolution(*bounds, 1)
    return AtSolutionTends(x - t, x, 0, 1, t, 0, value, quantity=x + t).by(OfTheSolution(form, towards, 1, to_zero))


def cases(*conditions):
    """x² is at least x, where each case is by itself."""
    return Always(x**2 >= x).by(InEachCase(tuple((condition, ()) for condition in conditions)))


ends = Domain(-1 < a, a < 1)
bump = (x - half) ** 2 + t**2
CROSSINGS = (
    Case(
        "no second root",
        once(x - a),
        unit,
        (
            False_("the interval", once(x - a, lower=b), unit.also(0 < b, b < 2), ("at the lower end",)),
            False_("it has a value", once(1 / (x - a)), unit, ("beyond it",)),
            False_("at the lower end", once(x + a), unit),
            False_("at the upper end", once(x - a - 1), unit),
            False_("beyond it", once((2 * x - 1) * (4 * x - 1) * (4 * x - 3)), Domain()),
            False_("the sentence speaks of it", once((2 * x - 1) * (4 * x - 1) * (4 * x - 3)), Domain(y > 2)),
            False_("is to be a number", once(x + 1, upper=oo), Domain()),
        ),
    ),
    Case(
        "no second root, downwards",
        once(a - x, rising=False),
        unit,
        (
            False_("beyond it", once((1 - 2 * x) * (4 * x - 1) * (4 * x - 3), rising=False), Domain()),
            False_("at the lower end", once(-x - a, rising=False), unit),
            False_("at the upper end", once(a + 1 - x, rising=False), unit),
        ),
    ),
    Case(
        "once more beyond a root",
        again((x - a) * (2 * a + b - 3 * x), -2 * (b - a) ** 2, b, (a - 1, b + 1)),
        Domain(a < b),
        (
            False_(
                "taken: the interval",
                again((x - a) * (1 + a - x), (b - a) * (1 + a - b), b, (a - 3, a + 3)),
                Domain(a - 1 < b, b < a + 2),
                ("the interval", "the other side"),
            ),
            False_("below the upper one", again(-bent, -oo, over=(a - 1, a), slope=1), Domain(a), ("limit",)),
            False_(
                "surroundings",
                again(bent, oo, lower=-oo, upper=a, root="upper", over=(a, a + 1), slope=1),
                Domain(a),
            ),
            False_("it has a value", again((x - a) / (b - x), -1, over=(a - 1, b)), Domain(a < b)),
            False_("derivative in x", again(a - x, -oo, slope=1), Domain(a)),
            False_("the root", again(-1 - 1 / (x + 1 - a), -1, over=(a - half, oo)), Domain(a)),
            False_("the slope there", again(a - x, -oo), Domain(a)),
            False_("at oo", again(x - a, -oo), Domain(a)),
            False_("at b", again(x - a, -1, b), Domain(a < b)),
            False_("the other side", again(x - a, b - a, b), Domain(a < b)),
            False_("is to be a number", again(1 + x**2, -oo, lower=-oo, upper=a), Domain(a)),
            False_("is false", again(x - a, oo), Domain(a)),
            False_("the root is left", again(x - a, oo, root="left"), Domain(a)),
        ),
    ),
    Case(
        "a slope that vanishes at one point",
        Monotone(x**3, x).by(ButForAPoint(0)),
        Domain(x),
        (
            False_("before the point", Monotone(x**2, x).by(ButForAPoint(0)), Domain(x)),
            False_("after the point", Monotone(-(x**2), x).by(ButForAPoint(0)), Domain(x)),
            False_("derivative in x", Monotone(-x, x).by(ButForAPoint(0, slope=1)), Domain(x)),
            False_("moves with x", Monotone(-x, x).by(ButForAPoint(x)), Domain(x)),
            False_("is not known to be an interval", Monotone(-1 / x, x).by(ButForAPoint(0)), Domain(Ne(x, 0))),
        ),
    ),
    Case(
        "a solution goes where the limit crosses",
        crossing(x - a - t, x - a, a),
        unit,
        (
            False_("it lies in the interval", crossing(x - Max(a, 0) - t, x - Max(a, 0), a), ends),
            False_("before the root", crossing((x - half - t) ** 2 / bump, 1, 0), Domain(), ("at each x",)),
            False_("after the root", crossing(-((x - half + t) ** 2) / bump, -1, 1), Domain(), ("at each x",)),
            False_("at each x", crossing(x - half - t, x, 0), Domain()),
            False_("the limit before it", crossing(x - b - t, x - b, a), unit.also(0 < b, b < a)),
            False_("the limit after it", crossing(x - b - t, x - b, a), unit.also(a < b, b < 1)),
            False_("the sentence speaks of it", crossing(x - b - t, x - b, a), unit.also(y > 1)),
        ),
    ),
    Case(
        "what a solution determines",
        of_solution(2 * x),
        Domain(),
        (
            False_("a function of the solution", of_solution(x + 1, 1), Domain()),
            False_("its limit", of_solution(2 * x, 1), Domain()),
            False_("moves with t", of_solution(x + t + 1, 1), Domain()),
            False_("the towards is above", of_solution(2 * x, 2, "above"), Domain()),
            False_("where it lies", of_solution(2 * x, 2, "upper", (1, 1)), Domain()),
        ),
    ),
    Case(
        "an inequality in each case",
        cases(x <= 0, x >= 1),
        Domain(2 * x**2 >= 2 * x + 1),
        (
            False_("there is always a case", cases(x <= 0, x >= 1), Domain(x)),
            False_("case 1", cases(x <= half, x >= 1), Domain(x), ("there is always a case",)),
            False_("case 2", cases(x <= 0, x >= half), Domain(x), ("there is always a case",)),
            False_("one case is no case", cases(x >= half), Domain(x)),
        ),
    ),
)
RATES = (
    Case(
        "a flow comes to rest at the rate of its slope",
        FlowAtRate(a - x, x, 0, 1, a, 1),
        unit,
        (
            False_(
                "above the lower end",
                FlowAtRate(Max(a, 0) - x, x, 0, 1, a, 1),
                ends,
                ("down above it", "it rests there"),
            ),
            False_(
                "below the upper one",
                FlowAtRate(Min(a, 1) - x, x, 0, 1, a, 1),
                Domain(0 < a, a < 2),
                ("up below the point", "it rests there"),
            ),
            False_("derivative in x", FlowAtRate(a - x, x, 0, 1, a, 2).by(SlopeAtRest(slope=-2)), unit),
            False_(
                "it rests there", FlowAtRate(b - x, x, 0, 1, a, 1), unit.also(0 < b, b < a), ("up below the point",)
            ),
            False_("the rate", FlowAtRate(a - x, x, 0, 1, a, 2), unit),
            False_("moves with x", FlowAtRate(a - x, x, 0, 1, a, 1 + x), unit),
        ),
    ),
    Case(
        "what a flow drives dies out",
        DiesOut(a - x, x, x - 1, 0, 1, a, 1 - a),
        unit,
        (
            False_(
                "above the lower end",
                DiesOut(Max(a, 0) - x, x, Max(a, 0) - 1, 0, 1, a, 1 - a),
                ends,
                ("down above it", "the rate of growth at rest"),
            ),
            False_(
                "below the upper one",
                DiesOut(Min(a, 1) - x, x, Min(a, 1) - 2, 0, 1, a, 2 - a),
                Domain(0 < a, a < 2),
                ("up below the point", "the rate of growth at rest"),
            ),
            False_(
                "it has a value",
                DiesOut(a - x, x, 1 / (b - x), 0, 1, a, 1),
                unit.also(Eq(b, a)),
                ("the rate of growth at rest",),
            ),
            False_("the rate of growth at rest", DiesOut(a - x, x, x + 1, 0, 1, a, 1), unit),
            False_("it dies out", DiesOut(a - x, x, x + 1, 0, 1, a, -1 - a), unit),
        ),
    ),
    Case(
        "a positive velocity passes every level",
        PassesEveryLevel(1 + x, x, a, 1),
        unit,
        (
            False_("the interval", PassesEveryLevel(1 - 2 * x, x, a, 1), Domain(0 < 4 * a, a < 2), ("up",)),
            False_("it has a value", PassesEveryLevel(1 / (x - b) ** 2, x, a, 1), unit.also(a < b, b < 1), ("up",)),
            False_("up", PassesEveryLevel(b - x, x, a, 1), unit.also(a < b, b < 1)),
            False_("is to be a number", PassesEveryLevel(1 + x**2, x, -oo, 1), Domain()),
        ),
    ),
)


def nothing(given, total, term, none=v[o], last=n):
    """What is zero in every entry by what is given there, from a sum and the form of its terms."""
    return InEveryEntry((given,), Eq(none, 0), o, n).by(NothingLeft(Sum(total, (o, 1, last)), term))


numbers = Domain(n >= 2, reals(u, n), reals(v, n))
off = u[o] - Sum(u[o], (o, 1, n)) / n  # what an entry is off the mean
EVERYWHERE = (
    Case(
        "a sum of which nothing is left",
        nothing(Eq(off, v[o] ** 2), off, v[o] ** 2),
        numbers,
        (
            False_("the sum vanishes", nothing(Eq(u[o], v[o] ** 2), u[o], v[o] ** 2), numbers),
            False_("what a term is", nothing(Eq(u[o], v[o]), off, v[o] ** 2), numbers),
            False_("no term is negative", nothing(Eq(off, v[o]), off, v[o]), numbers),
            False_("when a term is zero", nothing(Eq(off, v[o] ** 2), off, v[o] ** 2, u[o]), numbers),
            False_("the sum is to run over", nothing(Eq(off, v[o]), off, v[o] ** 2, last=n - 1), numbers),
        ),
    ),
)
