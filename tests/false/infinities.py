"""Sums that may be empty, what SymPy takes through infinity, derivatives and cases around what is put in, examples
without a value.
"""

from __future__ import annotations

from sympy import tanh
from sympy.logic.boolalg import Boolean

from grpo_symbolic.paper import *

from . import Written, false, true

_HALF = Rational(1, 2)
_GAP = z - x + y


def _at_no_value(condition: Boolean) -> Written:
    """That y is not 1/3, from what holds where z is not x − y, at z = x − y."""
    lemma = Always(Or(Ne(z, x - y), Ne(y, Rational(1, 3))))
    rule = InLetters(lemma, Domain(condition, x, y), {z: x - y})
    return Domain(x, y), Always(Ne(y, Rational(1, 3))).by(rule)


def _off_zero(condition: Boolean, *more: object) -> Written:
    """That y is not 0, from a lemma about z where a condition excludes 0, which is lost at x = 0."""
    rule = InLetters(Always(Ne(z, 0)), Domain(condition, *more), {x: Integer(0), z: y})
    return Domain(y, *more), Always(Ne(y, 0)).by(rule)


def _below(condition: Boolean) -> Written:
    """That u < 0 for all u ≤ 0, from a lemma at values at which its condition has no value."""
    return Domain(u <= 0, x), Always(u < 0).by(InLetters(Always(u < 0), Domain(condition, v), {z: x, v: x}))


# -- sums that may be empty -------------------------------------------------------------------------------------------

_EMPTY = "at n = 0 the sum has no term, and is 0"
false("shares of an empty sum", _EMPTY, lambda: (Domain(n >= 0), Equal(Sum(1 / n, (j, 1, n)), 1)))
false("shares by another letter", _EMPTY, lambda: (Domain(n >= 0, Eq(x, n)), Equal(Sum(1 / x, (j, 1, n)), 1)))
false(
    "a geometric mean of no numbers",
    "at n = 0 it is 1",
    lambda: (Domain(n >= 0), Equal(exp(Sum(log(n) / n, (j, 1, n))), n)),
)
false("the sign of shares", _EMPTY, lambda: (Domain(n >= 0), Equal(sign(Sum(1 / n, (j, 1, n))), 1)))
false("positive shares", _EMPTY, lambda: (Domain(n >= 0), Always(Sum(1 / n, (j, 1, n)) > 0)))
false("shares by roots", _EMPTY, lambda: (Domain(n >= 0), Equal(Sum(sqrt(n) / sqrt(n**3), (j, 1, n)), 1)))
false(
    "shares of two numbers",
    "at n = k = 0 the sum is 0",
    lambda: (Domain(n >= 0, k >= 0), Equal(Sum(1 / (n + k), (j, 1, n + k)), 1)),
)
false(
    "shares of what may be 0",
    "at y = 0 and n = 1 it has no value",
    lambda: (Domain(n >= 0, y), Equal(y * Sum(1 / y, (j, 1, n)), n)),
)
false(
    "an example of shares that are not there",
    "at n = 37 the sum is 0",
    lambda: (Domain(n >= 0), Exists(Eq(Sum(1 / (n - 37) ** 2, (j, 1, (n - 37) ** 2)), 1), {n: 37})),
)

# -- what SymPy takes through infinity --------------------------------------------------------------------------------

_LOST = "at y = 1/3 it is false: at z = x − y the condition has no value"
false("a quotient of a quotient", _LOST, lambda: _at_no_value(1 / (1 + 1 / _GAP) < 1))
false("a quotient of a logarithm", _LOST, lambda: _at_no_value(1 / log(_GAP) < 1))
false("a quotient of the logarithm of a distance", _LOST, lambda: _at_no_value(1 / log(Abs(_GAP)) < 1))
false("a quotient of an absolute quotient", _LOST, lambda: _at_no_value(1 / (1 + Abs(1 / _GAP)) < 2))
false("a quotient beside a square", _LOST, lambda: _at_no_value(1 / (1 + y**2 + 1 / _GAP**2) < 2))
false("a quotient of a root of a quotient", _LOST, lambda: _at_no_value(1 / sqrt(1 + 1 / _GAP**2) < 2))
false("a logarithm of a quotient, below a line", _LOST, lambda: _at_no_value(1 / log(2 + 1 / _GAP**2) < 2))
false("the lesser of one and infinity", _LOST, lambda: _at_no_value(Min(1, 1 / _GAP**2) < 2))
false("an exponential of minus infinity", _LOST, lambda: _at_no_value(exp(-1 / _GAP**2) < 2))
false("tanh of infinity", _LOST, lambda: _at_no_value(tanh(1 / _GAP) < 2))
false("a case of infinity", _LOST, lambda: _at_no_value(Piecewise((1 / _GAP, Ne(y, 5)), (0, True)) < 2))
false("the sign of infinity", _LOST, lambda: _at_no_value(sign(1 / _GAP) < 2))
false("infinity above a number", _LOST, lambda: _at_no_value(Abs(1 + 1 / _GAP) > 1))
false("infinity above a letter", _LOST, lambda: _at_no_value(Abs(1 + 1 / _GAP) > x))
false("infinity, or else", _LOST, lambda: _at_no_value(Or(Abs(1 + 1 / _GAP) > 2, x > 5)))
false("infinity is no letter", _LOST, lambda: _at_no_value(Ne(Abs(2 + 1 / _GAP), y)))
false("a quotient is no letter", _LOST, lambda: _at_no_value(Ne(2 + 1 / _GAP, y)))
false("below what is 0 at infinity", "at u = 0 it is false", lambda: _below(u <= -1 / (1 + Abs(1 + 1 / (z - v)))))
false("below the quotient of a maximum", "at u = 0 it is false", lambda: _below(u <= -1 / Max(1, Abs(1 + 1 / (z - v)))))
false("below the quotient of a root", "at u = 0 it is false", lambda: _below(u <= -1 / (1 + sqrt(1 / (z - v) ** 2))))
false(
    "an answer near infinity",
    "the equation has no value at z = 0",
    lambda: (
        Domain(y),
        AnswerMoves(Answer(x - z + 1 / log(z), x, z), Integer(0), Integer(1), Integer(0)).by(ImplicitFunction(())),
    ),
)
false(
    "largest where a logarithm has no value",
    "1/log x has no value at x = 0",
    lambda: (Domain(x >= 0, x < _HALF), OnlyMaximum(1 / log(x), x, 0)),
)
false(
    "a value between, from no value",
    "x + 1/log x has no value at x = 0",
    lambda: (Domain(y), TakesValue(x + 1 / log(x), x, 0, _HALF, Rational(1, 10))),
)
false(
    "monotone from no value on",
    "1/log x has no value at x = 0",
    lambda: (Domain(x >= 0, x < 1), Monotone(x + 1 / log(x), x, 1)),
)
false(
    "an example outside of its domain",
    "the domain has no value at x = 0",
    lambda: (Domain(x, 1 / (1 + 1 / x) < 1), Exists(Eq(x, 0), {x: 0})),
)
false(
    "an example where the domain takes the logarithm of 0",
    "the domain has no value at x = 0",
    lambda: (Domain(x, 1 / log(x) < 1), Exists(Eq(x, 0), {x: 0})),
)

# -- derivatives, cases and factors around what is put in -------------------------------------------------------------

_AT_ZERO = "at y = 0 it is false"
false("a slope that vanishes", _AT_ZERO, lambda: _off_zero(Derivative(x * u / z, u) < 1, u))
false("a slope beside one that stays", _AT_ZERO, lambda: _off_zero(Derivative(x * u / z + u, u) < 2, u))
false("a slope of a square", _AT_ZERO, lambda: _off_zero(Derivative(x * u**2 / z, u) < 1, u))
false("a multiple of a slope", _AT_ZERO, lambda: _off_zero(x * Derivative(u / z, u) < 1, u))
false("half of a quotient", _AT_ZERO, lambda: _off_zero(x / (2 * z) - u**2 / z < 1, u, v > 0))
false("a quotient by the opposite", _AT_ZERO, lambda: _off_zero(x / (-z) + 1 / z - 1 / z < 1, u, v > 0))
false("a quotient by a root of a square", _AT_ZERO, lambda: _off_zero(x / sqrt(z**2) + u**2 < 1, u, v > 0))
false("a quotient times an exponential", _AT_ZERO, lambda: _off_zero(x / z * exp(u) < 1, u, v > 0))
false("a quotient by a product", _AT_ZERO, lambda: _off_zero(x / (z * v) + 1 / v < 1, u, v > 0))
false(
    "one quotient in both cases",
    _AT_ZERO,
    lambda: _off_zero(x / z - Piecewise((1 / z, u < 0), (1 / z, True)) ** 2 < 1, u),
)
false("a quotient in each case", _AT_ZERO, lambda: _off_zero(Piecewise((x / z, u < 5), (x / z, True)) < 1, u))
false(
    "a slope along what is held fixed",
    "nothing says what the derivative along z is where z = 0 is put in",
    lambda: (Domain(x, y, z), LocalMaximum(-(x**2) + x * Derivative(y * z**2, z), x, 0, ((z, 0),))),
)
false(
    "a power as what it is for positive numbers",
    "at x = −1 it is false",
    lambda: (
        Domain(x, Eq(u, x)),
        Always(u > 0).by(InLetters(Always(u > 0), Domain(x, v, Eq(u, x**v)), {v: Integer(1)})),
    ),
)

true("shares of a sum", lambda: (Domain(n >= 1), Equal(Sum(1 / n, (j, 1, n)), 1)))
true(
    "a sum without a term as an example",
    lambda: (Domain(n >= 0), Exists(Eq(Sum(1 / (n - 37) ** 2, (j, 1, (n - 37) ** 2)), 0), {n: 37})),
)
