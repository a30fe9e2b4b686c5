"""Examples at which the formula has no real value, and SymPy finds a complex or an infinite one."""

from __future__ import annotations

from sympy import acos, cos, tan
from sympy import pi as circle

from grpo_symbolic.paper import *

from . import claimed, false, misjudged, true

LINE = Domain(x)


def example(place, formula):
    """An example by one value of x."""
    return LINE, Exists(formula, {x: place})


for name, formula in (
    ("a number or a logarithm", Or(x < 1, log(x) > 0)),
    ("no number and a logarithm", Not(And(x > 1, log(x) > 0))),
    ("a conclusion without a value", Implies(x < 1, Or(x < 0, log(x) > 0))),
    ("a premise without a value", Implies(log(x) > 0, x < 1)),
    ("a number exactly if a logarithm", Or(x < 0, Equivalent(x < 1, log(x) > 0))),
):
    false(
        f"an example of {name}",
        "log(−1) has no real value, and what is said of it is neither true nor false",
        lambda formula=formula: example(-1, formula),
    )
true("an example where a logarithm is not spoken of", lambda: example(-1, Implies(x > 0, log(x) > 0, evaluate=False)))
false(
    "a logarithm with a negative square",
    "log(−1) has no real value",
    lambda: example(-1, Eq(log(x) ** 2, -(circle**2))),
)
false(
    "two roots with a negative product",
    "√(−1) has no real value",
    lambda: example(-1, Eq(sqrt(x) * sqrt(x - 1), -sqrt(2))),
)
false("a cosine of an imaginary number", "√(−1) has no real value", lambda: example(-1, Eq(cos(sqrt(x)), cosh(1))))
false("an inverse logarithm that vanishes", "log 0 has no value", lambda: example(0, Eq(1 / log(x), 0, evaluate=False)))
false(
    "an inverse beside an inverse that vanishes",
    "1/0 has no value",
    lambda: example(0, Eq(1 / (1 + 1 / x), 0, evaluate=False)),
)
false(
    "the size of a cube root of minus one",
    "(−1)^(1/3) has no real value",
    lambda: example(-1, Eq(Abs(x ** Rational(1, 3)), 1)),
)
false(
    "an inverse cosine beyond one",
    "acos 2 has no real value",
    lambda: example(2, Eq(cos(acos(x) * 2), 7, evaluate=False)),
)
false(
    "a domain that a complex number satisfies",
    "log(−1) has no real value, so −1 is not in the domain",
    lambda: (Domain(Ge(log(x) ** 2 + 10, 0)), Exists(x < 0, {x: -1})),
)
false("an example at infinity", "∞ is no number", lambda: example(oo, exp(-x) < 1))
false("an example that is no number", "it depends on y", lambda: (Domain(x, y), Exists(Eq(x - y, 0), {x: y, y: 1})))
false("an example with a number missing", "y has no value", lambda: (Domain(x, y), Exists(x + y > 0, {x: 1})))
false("an example that fails", "4 > 1", lambda: example(2, x**2 < 1))
false("an example that nearly holds", "10⁻⁵⁰ is not 0", lambda: example(sqrt(2), Eq(x**2 - 2, Rational(1, 10**50))))
false(
    "an example that nearly differs",
    "they are equal: √(5 + 2√6) = √2 + √3",
    lambda: example(1, Ne(sqrt(5 + 2 * sqrt(6)) * x, (sqrt(2) + sqrt(3)) * x)),
)
false("a tangent at its pole", "tan(π/2) has no value", lambda: example(circle / 2, Eq(1 / tan(x), 0, evaluate=False)))
false(
    "a case that no condition admits",
    "at x = −1 no case applies",
    lambda: example(-1, Or(Piecewise((1, x > 0)) > 0, x < -5)),
)
false("one example of two", "the second fails", lambda: (LINE, Every(Exists(x > 1, {x: 2}), Exists(x > 1, {x: 0}))))
false("a quotient that is large where it is nothing", "1/0 has no value", lambda: example(0, Abs(1 / x) > 10**9))
false(
    "every answer, shown by one",
    "the first of three is not the only one",
    lambda: (Domain(simplex(pi, 3)), Always(pi[o] > Rational(1, 4))),
)

true("a logarithm with a square", lambda: (Domain(x > 0), Exists(Eq(log(x) ** 2, 1), {x: exp(1)})))
true("roots with a product", lambda: (Domain(x >= 3), Exists(Eq(sqrt(x) * sqrt(x - 3), 2), {x: 4})))
true(
    "a policy with a likelier answer",
    lambda: (Domain(simplex(pi, 2)), Exists(pi[1] > pi[2], {pi.label: [Rational(2, 3), Rational(1, 3)]})),
)


# -- derivatives and powers without a value, though what they are written out as has one ------------------------------

for name, formula, at in (
    ("a third derivative of a root at zero", Eq(Derivative(x ** Rational(7, 2), (x, 3)), 0), 0),
    ("a power of any exponent at a number below zero", Eq(x**y, 1), -1),
    ("a power of any exponent at zero", Eq(x**y, 1), 0),
):
    false(
        name,
        "below zero there is no root, and no power of any real exponent",
        lambda formula=formula, at=at: (Domain(x, y), Exists(formula, {x: at, y: 2 * at * at})),
    )
false(
    "a derivative of a root along an entry at zero",
    "below zero there is no root",
    lambda: (Domain(reals(r, n), n >= 1), Exists(Eq(Derivative(r[1] ** Rational(3, 2), r[1]), 0), {n: 1, r: [0]})),
)
false(
    "a derivative of a derivative of a root at zero",
    "below zero there is no root",
    lambda: (Domain(x >= 0, y > 0), Exists(Eq(Derivative(Derivative(x ** Rational(3, 2) * y, y), x), 0), {x: 0, y: 1})),
)
true(
    "a third derivative of a root",
    lambda: (Domain(x), Exists(Eq(Derivative(x ** Rational(7, 2), (x, 3)), Rational(105, 8)), {x: 1})),
)
true("a power of any exponent", lambda: (Domain(x, y), Exists(Eq(x**y, 1), {x: 1, y: 2})))
true(
    "powers of entries with any exponent",
    lambda: (Domain(reals(r, n), n >= 1, y), Exists(Sum(r[o] ** y, (o, 1, n)) > 2, {n: 3, y: 1, r: [1, 1, 1]})),
)
false(
    "an example where what the domain says has no value",
    "(−1)^y has no value for a real y",
    lambda: (Domain(Eq(x**y, 1)), Exists(x < 0, {x: -1, y: 2})),
)
misjudged(
    "wrong, of a power at zero",
    "where x^y has a value it is positive",
    lambda: claimed(Domain(x >= 0, y >= 0), Always(x + y >= 0), printed="-", judged=wrong("-", Always(x**y > 0))),
)
