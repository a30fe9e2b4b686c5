"""What decides and is said of nothing: parameters of which of two growths is the faster, and letters that a rule brings
into the sentence that is to follow from it.
"""

from __future__ import annotations

from typing import Any

from sympy import Abs, Eq, Integer, Rational, Sum, Symbol, cosh, exp, log, oo, sqrt, tanh

from grpo_symbolic.notation import P, beta, k, lam, n, o, o_, onward, onward_2, onward_3, pi, r, x, y, z
from grpo_symbolic.proof import (
    Ahead,
    Domain,
    EqualSlopes,
    EveryDirection,
    Form,
    Here,
    MaximaSatisfy,
    OverTokens,
    Summand,
    Tends,
    TextMean,
    TextRate,
    Texts,
    VanishesInEveryDirection,
    reals,
    simplex,
)
from grpo_symbolic.scalars import Scalar

from . import Written, false, true

# -- limits at infinity of functions with two growths ------------------------------------------------------------------


def far(body: Any, value: Any, *where: Any, along: Any = x) -> Written:
    """That a function tends to a value at infinity for all positive parameters."""
    return Domain(*(where or (y > 0, z > 0))), Tends(body, along, oo, value, "-")


SQUARE = "at y = 2 the power outgrows the variable"
for name, body, value in (
    ("a variable beside a power of it", x / (x + x**y), 1),
    ("a root of a square and a power", sqrt(x**2 + x**y) - x, 0),
    ("a power of what is near one", (1 + 1 / x) ** (x**y), 1),
    ("an exponential of a power less the variable", exp(x**y - x), 0),
    ("a logistic function of a power less the variable", 1 / (1 + exp(x**y - x)), 1),
    ("a hyperbolic tangent of the variable less a power", tanh(x - x**y), 1),
    ("a power in two letters", x / (x + x ** (y * z)), 1),
    ("a power whose exponent is one letter less one", x / (x + x ** (3 * y - 1)), 1),
):
    false(name, SQUARE, lambda body=body, value=value: far(body, value))
false(
    "a whole number beside a power of it",
    "at y = 3 the power outgrows the square",
    lambda: far(k**2 / (k**2 + k**y), 1, y > 0, along=k),
)
false(
    "a square beside a power with an exponent of at most two",
    "at y = 2 the limit is one half",
    lambda: far(x**2 / (x**2 + x**y), 1, y > 0, y <= 2),
)
false("two exponentials", "for z > y the other one wins", lambda: far((exp(y * x) - exp(z * x)) / exp(y * x), 1))
false(
    "exponentials of two powers",
    "for y < z the other one wins",
    lambda: far(exp(x**y) / exp(x**z), oo, y > 0, z > 0, z < Rational(1, 1000)),
)
false("two hyperbolic cosines", "for y > z the first one wins", lambda: far(cosh(y * x) / cosh(z * x), 0))
true("one exponential in a parameter", lambda: far(log(exp(y * x) + 1) / x, y, y > 0))
true("a power with a number for its exponent", lambda: far(y * x / (x + sqrt(x)), y, y > 0))

# -- a multiplier is a number that there is ----------------------------------------------------------------------------


def at_maxima(term: Scalar, slope: Scalar, frozen: Any = (), where: Any = ()) -> Written:
    """That at every local maximum of a sum over the answers the rewards vanish, by the multiplier λ."""
    objective = Sum(term.xreplace({z: pi[o]}), (o, 1, n))
    said = MaximaSatisfy(objective, pi, o, Eq(r[o], 0), frozen)
    rule = EqualSlopes(Summand(term, z, pi, o, n), slope, lam, r, Integer(0))
    return Domain(simplex(pi, n), reals(r, n), n >= 1, lam, *where), said.by(rule)


OTHER = "the slopes are equal with another multiplier too, and no reward need vanish"
false("an objective with its multiplier", OTHER, lambda: at_maxima((lam + r[o]) * z, lam + r[o]))
false(
    "a number that is held fixed at the multiplier",
    OTHER,
    lambda: at_maxima((beta + r[o]) * z, beta + r[o], ((beta, lam),), (beta,)),
)
false(
    "numbers that are held fixed at the multiplier",
    OTHER,
    lambda: at_maxima((P[o] + r[o]) * z, P[o] + r[o], ((P[o], lam),), (reals(P, n),)),
)

# -- a probability that stands for a mean ------------------------------------------------------------------------------

NUMBERED = Domain(simplex(pi, n), reals(r, n), n >= 2, y)
WORTH = TextMean(y, pi)
MOVING = ((pi, pi[o] * (r[o] - Sum(pi[o_] * r[o_], (o_, 1, n)))),)


def reached(letter: Symbol, condition: Any) -> Written:
    """Where the gradient of the expected reward vanishes in every direction, each state reached by a letter."""
    forms = (Form(Ahead(WORTH) - Here(WORTH), pi, letter),)
    said = VanishesInEveryDirection(TextRate(WORTH), r, forms, Texts(o, o_, n, ends=(y,), rates=MOVING), condition)
    return NUMBERED, said.by(EveryDirection(OverTokens((onward, onward_2), (onward_3,))))


for number in (0, 1):
    for sides in ((Ahead(WORTH), Abs(Here(WORTH))), (Abs(Ahead(WORTH)), Here(WORTH))):
        false(
            f"a state that is reached with the probability S{number}, and the size of a mean, {sides[0]}",
            "the rule would take the mean for the probability, and so for positive",
            lambda number=number, sides=sides: reached(Symbol(f"S{number}", real=True), Eq(*sides, evaluate=False)),
        )
true(
    "a state that is reached with a probability of its own",
    lambda: reached(Symbol("u", real=True), Eq(Ahead(WORTH), Here(WORTH), evaluate=False)),
)
