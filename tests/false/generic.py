"""What holds for nearly all parameters only: limits, roots and derivatives at the values where a coefficient vanishes,
two rates are equal, or an exponent passes another one.
"""

from __future__ import annotations

from typing import Any

from sympy import Pow, tanh

from grpo_symbolic.paper import *

from . import Written, false, true

BOTH = Domain(y > 0, z > 0)
WEAK = Domain(y >= 0, z >= 0)
REAL = Domain(y, z)


def tends(body: Any, point: Any, value: Any, on: Domain = BOTH, side: str = "+", along: Any = x) -> Written:
    """A limit in x, at all values of y and z."""
    return on, Tends(body, along, point, value, side)


# -- two rates, of which either may be the larger one ------------------------------------------------------------------
for name, why, write in (
    (
        "a mean of exponentials",
        "e^{zx} is the larger one for z > y",
        lambda: tends(exp(y * x) / (exp(y * x) + exp(z * x)), oo, 1),
    ),
    ("the rate of a sum of exponentials", "it is max(y, z)", lambda: tends(log(exp(y * x) + exp(z * x)) / x, oo, y)),
    ("a norm of two numbers", "it is max(y, z)", lambda: tends((y**x + z**x) ** (1 / x), oo, y)),
    ("a power over another", "for y < z it tends to 0", lambda: tends(x ** (y - z), oo, oo)),
    ("a power over another, at nought", "for y = z it is 1", lambda: tends(x ** (y - z), 0, 0)),
    ("two powers over one of them", "for y = z it is 2", lambda: tends((x**y + x**z) / x**y, oo, 1)),
    ("the sign of a difference", "for y = z it is 0", lambda: tends(tanh((y - z) * x), oo, 1)),
    ("the growth of a difference", "for y = z it is 1", lambda: tends(exp((y - z) * x), oo, oo)),
    ("a difference of powers", "for y = z it is 0", lambda: tends(x**y - x**z, oo, oo)),
    ("a power of a number", "for y > 1 it grows", lambda: tends(y**x, oo, 0)),
    (
        "hyperbolic functions at two rates",
        "for y = z it tends to 1",
        lambda: tends(cosh(y * x) / cosh(z * x), oo, 0, Domain(y > 0, z >= y)),
    ),
    ("a small part of two", "for y = z it is ½", lambda: tends(exp(-y / x) / (exp(-y / x) + exp(-z / x)), 0, 0)),
    (
        "a softmax that sharpens",
        "two largest rewards share it",
        lambda: tends(exp(r[1] * x) / Sum(exp(r[o] * x), (o, 1, n)), oo, 1, Domain(reals(r, n), n >= 1)),
    ),
    (
        "an exponential mean",
        "with rewards below 0 it tends to 0",
        lambda: tends(Sum(pi[o] * exp(r[o] * x), (o, 1, n)), oo, oo, Domain(simplex(pi, n), reals(r, n), n >= 1)),
    ),
):
    false(name, why, write)
true("a difference of rates that are apart", lambda: tends(exp((y - z) * x), oo, oo, Domain(y > z)))

# -- a coefficient that may vanish -------------------------------------------------------------------------------------
for name, why, write in (
    ("what may not fall", "for y = 0 it is 1", lambda: tends(exp(-y * x), oo, 0, WEAK)),
    (
        "a quotient of lines",
        "for z = 0 there is no quotient y/z",
        lambda: tends((y * x + 1) / (z * x + 1), oo, y / z, WEAK),
    ),
    (
        "a quotient of rates at nought",
        "for z = 0 nothing is divided",
        lambda: tends((exp(y * x) - 1) / (exp(z * x) - 1), 0, y / z, WEAK),
    ),
    ("a pole without a strength", "for y = 0 it is 0", lambda: tends(y / x, 0, oo, WEAK)),
    ("a pole that a zero takes away", "for y = z it is 1", lambda: tends((x - y) / (x - z), z, oo, Domain(y <= z))),
    (
        "a double pole that a zero takes away",
        "for y = z it is 1",
        lambda: tends((x - y) ** 2 / (x - z) ** 2, z, oo, Domain(y <= z)),
    ),
    ("a logarithm over a power", "for y = 0 it grows", lambda: tends(log(x) / x**y, oo, 0, WEAK)),
    (
        "a line with a logarithm",
        "for y > 0 it falls beyond all bounds",
        lambda: tends(x * log(x) + y * log(x), 0, 0, WEAK),
    ),
    (
        "the sign from the other side",
        "for y = z it is −1",
        lambda: tends(Abs(x - y) / (x - y), z, 1, Domain(y, z >= y), "-"),
    ),
    (
        "a case from below",
        "for y = z it is 1",
        lambda: tends(Piecewise((1, x < y), (2, True)), z, 2, Domain(y, z >= y), "-"),
    ),
    ("the sign of a rate of any sign", "for y < 0 it is −1", lambda: tends(tanh(y * x), oo, 1, REAL)),
    ("a root of a rate of any sign", "it is |y|", lambda: tends(sqrt(y**2 * x**2 + 1) / x, oo, y, REAL)),
    (
        "powers of what may be −1",
        "for y = −1 they have no limit",
        lambda: tends(y**k, oo, 0, Domain(-1 <= y, y < 1), along=k),
    ),
    ("powers of what may be 1", "for y = 1 they are 1", lambda: tends(y**k, oo, 0, Domain(-1 < y, y <= 1), along=k)),
    (
        "a geometric series up to −1",
        "for y = −1 it has no sum",
        lambda: tends(Sum(y**j, (j, 0, k)), oo, 1 / (1 - y), Domain(-1 <= y, y < 1), along=k),
    ),
    ("alternating signs", "they have no limit", lambda: tends((-1) ** k, oo, 1, Domain(x), along=k)),
    ("a power that may be the zeroth", "x⁰ is 1", lambda: tends(x**k, 0, 0, Domain(k >= 0))),
):
    false(name, why, write)
true("the sign from above", lambda: tends(Abs(x - y) / (x - y), z, 1, Domain(y, z >= y)))
true("a root of a sum of squares", lambda: tends(sqrt(x**2 + y * x) - x, oo, y / 2, Domain(y)))

# -- roots -------------------------------------------------------------------------------------------------------------
for name, why, write in (
    (
        "two roots that may be one",
        "for y = z there is one",
        lambda: (Domain(0 < y, y <= z, z < 1), Roots((x - y) * (x - z), x, 2, 0, 1)),
    ),
    (
        "two roots, one at the end",
        "for z = 1 there is one",
        lambda: (Domain(0 < y, y < z, z <= 1), Roots((x - y) * (x - z), x, 2, 0, 1)),
    ),
    (
        "a square that may vanish",
        "for y = 1 there are two in (0, 1), for y = 0 one",
        lambda: (Domain(y >= 0, y <= 1), Roots(y * x**2 - x + Rational(1, 8), x, 1, 0, 1)),
    ),
    ("a line that may be level", "for y = 0 there is none", lambda: (Domain(y >= 0), Roots(y * x - 1, x, 1, 0, oo))),
    (
        "a polynomial that may be nought",
        "for y = 0 every number is one",
        lambda: (Domain(y >= 0), Roots(y * x, x, 0, 0, 1)),
    ),
    (
        "a cubic with a double root",
        "for y = 2 there are two",
        lambda: (Domain(y >= -2, y <= 2), Roots(x**3 - 3 * x + y, x, 3, -oo, oo)),
    ),
    ("a root at an end", "y = 0 lies not inside", lambda: (Domain(0 <= y, y < 1), UniqueRoot(x - y, x, y, 0, 1))),
    (
        "a root beside another one",
        "z may lie inside as well",
        lambda: (Domain(0 < y, y < 1, z >= 1 - y), UniqueRoot((x - y) * (x - z), x, y, 0, 1)),
    ),
    ("a range that may be none", "for z > y there is no x in it", lambda: (Domain(y, z), Roots(x - y, x, 1, z, y + 1))),
):
    false(name, why, write)

# -- identities at a single value --------------------------------------------------------------------------------------
for name, why, write in (
    (
        "a delta that counts from one",
        "for k = n + 1 it is 0",
        lambda: (Domain(k >= 1, n >= k - 1, x), Equal(Sum(KroneckerDelta(j, k) * x**j, (j, 1, n)), x**k)),
    ),
    (
        "a product through nought",
        "for k > n no factor is 0",
        lambda: (Domain(k >= 1, n >= 1), Equal(Product(k - j, (j, 1, n)), 0)),
    ),
    (
        "a geometric sum at one",
        "for x = 1 nothing is divided",
        lambda: (Domain(n >= 0, x > 0), Equal(Sum(x**j, (j, 0, n)), (x ** (n + 1) - 1) / (x - 1))),
    ),
    (
        "one more factor",
        "for n = −1 there is no product",
        lambda: (Domain(n >= -1), Equal(Product(j, (j, 1, n + 1)), (n + 1) * Product(j, (j, 1, n)))),
    ),
    (
        "a law of no draws less one",
        "for n = −1 the sum is 0",
        lambda: (Domain(n >= -1, 0 < x, x < 1), Equal(Sum(binomial(n, j) * x**j * (1 - x) ** (n - j), (j, 0, n)), 1)),
    ),
    (
        "a maximum times a number",
        "for x < 0 it is the minimum",
        lambda: (Domain(x, y, z), Equal(Max(x * y, x * z), x * Max(y, z))),
    ),
    ("the square of a sign", "for x = 0 it is 0", lambda: (Domain(x, y), Equal(sign(x) * sign(x), 1))),
    (
        "the slope of a maximum",
        "at 0 there is none",
        lambda: (Domain(x, y), Equal(Derivative(Max(x, 0), x), (1 + sign(x)) / 2)),
    ),
    (
        "a power with a whole exponent from nought",
        "for k = 0 and x = 0 the right side has no value",
        lambda: (Domain(x, k >= 0), Equal(Derivative(x**k, x), k * x ** (k - 1))),
    ),
    (
        "the slope of a product of entries",
        "for j = k it is 2P(j)",
        lambda: (Domain(reals(P, n), k >= 1, k <= n, j >= 1, j <= n), Equal(Derivative(P[k] * P[j], P[k]), P[j])),
    ),
    (
        "a power and its inverse at nought",
        "0⁰·0⁰ is 1, and for y = 0 alone",
        lambda: (Domain(x >= 0, y), Equal(Mul(x**y, x ** (-y), evaluate=False), 1)),
    ),
    (
        "the least and the largest",
        "one of them is not their sum less x",
        lambda: (Domain(x, y), Equal(Add(Max(x, y), Min(x, y), evaluate=False), Max(x, x + y, evaluate=False))),
    ),
    ("nought to any power", "0⁰ is 1", lambda: (Domain(k >= 0), Equal(Pow(0, k, evaluate=False), 0))),
):
    false(name, why, write)
