"""Controls of the rules for flows of one number."""

from __future__ import annotations

from rule_case import Case, False_
from sympy import Max, Min, Piecewise, Rational, oo, sqrt, symbols

from grpo_symbolic.proof import (
    ConcaveVelocity,
    Domain,
    FlowRises,
    FlowRisesToRest,
    FlowsOrdered,
    FlowTends,
)

x, a, b = symbols("x a b", real=True)
half, quarter = Rational(1, 2), Rational(1, 4)
unit = Domain(0 < a, a < 1)
stops = Piecewise((quarter - x, x < quarter), (half - x, True))  # positive below ½, but nothing passes ¼
valley = 8 * (x - quarter) * (half - x)  # concave, −1 at 0
ends = 1 - 2 * x + sqrt(b - x) - sqrt(b - half)  # concave as far as it goes


def rests(velocity, at=half, limit=1):
    """From every start in (0, 1) to one point, by the shape of the velocity."""
    return FlowTends(velocity, x, 0, 1, at).by(ConcaveVelocity(limit))


FLOWS = (
    Case(
        "a flow tends to its rest point",
        FlowTends(a - x, x, 0, 1, a),
        unit,
        (
            False_(
                "above the lower end", FlowTends(Max(a, 0) - x, x, 0, 1, a), Domain(-1 < a, a < 1), ("down above it",)
            ),
            False_(
                "below the upper one",
                FlowTends(Min(a, 1) - x, x, 0, 1, a),
                Domain(0 < a, a < 2),
                ("up below the point",),
            ),
            False_(
                "it has a value", FlowTends((a - x) / (x - b) ** 2, x, 0, 1, a), unit.also(b < a, 0 < b), ("up below",)
            ),
            False_("up below the point", FlowTends(b - x, x, 0, 1, a), unit.also(0 < b, b < a)),
            False_("down above it", FlowTends(b - x, x, 0, 1, a), unit.also(a < b, b < 1)),
            False_("not known to be continuous", FlowTends(stops, x, 0, 1, half), Domain()),
            False_("moves with x", FlowTends(a - x, x, 0, 1, x), unit),
        ),
    ),
    Case(
        "a concave velocity leads to its rest point",
        rests(1 - x - 2 * x**2),
        Domain(),
        (
            False_("its sign", rests((1 - 2 * x) * (1 - 3 * x) * (1 - 4 * x)), Domain()),
            False_("at 0", rests(valley), Domain()),
            False_("up at 0", rests(valley, limit=-1), Domain()),
            False_("it rests there", rests(1 - x), Domain()),
            False_("below the upper one", rests(1 - x, at=2), Domain(), ("it rests there",)),
            False_("above the lower end", rests(1 - x, at=a), Domain(a < 0), ("it rests there",)),
            False_(
                "it has a value",
                rests(ends, limit=1 + sqrt(b) - sqrt(b - half)),
                Domain(half < b, b < 1),
                ("second derivative", "its sign"),
            ),
        ),
    ),
    Case(
        "a flow rises to the end",
        FlowRises(x * (1 - x), x, 0, 1),
        Domain(),
        (
            False_("up", FlowRises(x * (a - x), x, 0, 1), unit),
            False_("it has a value", FlowRises(1 / (x - a) ** 2, x, 0, 1), unit, ("up",)),
            False_("not known to be continuous", FlowRises(stops, x, 0, half), Domain()),
            False_("is to be a number", FlowRises(1 / x**2, x, 1, oo), Domain()),
        ),
    ),
    Case(
        "a flow rises to the first rest point",
        FlowRisesToRest((a - x) * (b - x), x, 0, 1),
        Domain(0 < a, a < 1, 1 < b),
        (
            False_(
                "the interval", FlowRisesToRest(a - x, x, 1, b), Domain(1 < a, 0 < b, b < 2), ("not so at the end",)
            ),
            False_("up at the start", FlowRisesToRest((x - a) * (1 - x), x, 0, 1), unit),
            False_("not so at the end", FlowRisesToRest(2 - x, x, 0, 1), Domain()),
            False_("derivative in x", FlowRisesToRest(sqrt(a - x), x, 0, a), unit, ("the slope",)),
            False_("the slope", FlowRisesToRest(sqrt(a - x), x, 0, a), unit, ("derivative in x",)),
            False_("is to be a number", FlowRisesToRest(1 + x**2, x, 0, oo), Domain()),
        ),
    ),
    Case(
        "the faster flow stays ahead",
        FlowsOrdered(a - x, x, b - x, 0, 1),
        Domain(a < b),
        (
            False_("faster", FlowsOrdered(a - x, x, b - x, 0, 1), Domain(b < a)),
            False_("moves with x", FlowsOrdered(a - x, x, b - x, 0, 1 + x), Domain(a < b)),
        ),
    ),
)
