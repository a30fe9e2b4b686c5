"""Controls of the rule for answers that an equation determines."""

from __future__ import annotations

from sympy import symbols

from grpo_symbolic.paper import *
from rule_cases.case import Case, False_

x, y, u, z, s, t, a = symbols("x y u z s t a", real=True)
unit = ImplicitFunction((0 < x, x < 1, 0 < y, y < 1))
inside = Domain(0 < z, z < 1, t)
half = Rational(1, 2)


def near(body, rate, region=unit):
    """How an answer moves near z."""
    return AnswerMoves(Answer(body, x, y, (u, z, t)), z, rate, z).by(region)


def settled(kind, body, rate):
    """Answers to answers near ½."""
    return kind(Answer(body, x, y), half, rate).by(unit)


pole = near(u - z + (x - z) / (x - a), t * (a - z))  # nothing is said of it where a is z
EVERYWHERE = ("derivative", "it has a value", "equation holds there", "it has a slope in x", "the rate")
IMPLICIT = (
    Case(
        "an answer moves",
        near(u * (1 + y) - x * (1 + x), (t * (1 + z) + z) / (1 + 2 * z)),
        inside,
        (
            False_("the rate", near(u - x, 2 * t), inside),
            False_("equation holds there", near(u - 2 * x, t / 2), inside),
            False_("it has a slope in x", near(u - z + (x - z) * (x - a), t / (a - z)), inside.also(a), ("the rate",)),
            False_("the point lies in the region", near(u - x, t), Domain(0 < z, z < 2, t)),
            False_("derivative in x", pole, inside.also(a), EVERYWHERE),
            False_("it has a value", pole, inside.also(a), EVERYWHERE),
            False_("derivative in y", near(u - x + (y - z) / (y - a), t + 1 / (z - a)), inside.also(a), EVERYWHERE),
            False_("is no strict polynomial bound", near(u - x, t, ImplicitFunction((0 <= x,))), inside),
            False_("as a factor", near(u**2 - x**2, t), inside),
            False_("not smooth in x", near(u - z + Abs(x - z), t), inside),
        ),
    ),
    Case(
        "answers attract",
        settled(AnswersAttract, a * y - x + half - a / 2, a),
        Domain(-1 < a, a < 1),
        (False_("the size of the rate", settled(AnswersAttract, a * y - x + half - a / 2, a), Domain(-1 <= a, a < 1)),),
    ),
    Case(
        "answers repel",
        settled(AnswersRepel, a * y - x + half - a / 2, a),
        Domain(a < -1),
        (False_("the size of the rate", settled(AnswersRepel, a * y - x + half - a / 2, a), Domain(a <= -1)),),
    ),
)
