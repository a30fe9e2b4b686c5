"""Numbers that a double rounds away, huge numbers, and differences below every tolerance."""

from __future__ import annotations

from sympy import Eq, Float, Integer, Ne, Rational, exp, log, oo, sin, sqrt

from grpo_symbolic.notation import beta, p, x, y, z
from grpo_symbolic.proof import Always, Domain, Equal, Exists, LocalMaximum, Monotone, Roots, Tends

from . import false, true, unrefuted

LINE, UNIT = Domain(x), Domain(0 < x, x < 1)
SPECK = Rational(1, 10**40)

false(
    "a hundredth of a rounding error",
    "the sides differ by 10⁻²⁰",
    lambda: (LINE, Equal((x + 1) ** 2 + Float("1e-20"), x**2 + 2 * x + 1)),
)
false(
    "a rounding error at a root",
    "√(1 + 10⁻²⁰) is not 1",
    lambda: (UNIT, Equal(sqrt((x + 1) ** 2 + Float("1e-20") * (x + 1) ** 2), x + 1)),
)
false(
    "a decimal fraction",
    "0.1 is a double here, and no tenth",
    lambda: (LINE, Equal((Float(0.1) * 3 + x) * (x - 1), (Float(0.3) + x) * (x - 1))),
)
false(
    "a bound below a double",
    "at x = 1/10 + 10⁻²⁰",
    lambda: (Domain(Rational(1, 10) < x, x < 1), Always(x - Float("1e-20") > Float("0.1"))),
)
false(
    "a limit moved by a rounding error",
    "it is 1 + 10⁻²⁰",
    lambda: (Domain(y), Tends((x + 1) ** 2 + Float("1e-20"), x, 0, 1)),
)
false(
    "a maximum moved by a rounding error",
    "the slope at 1 is 2·10⁻²⁰",
    lambda: (LINE, LocalMaximum(-((x - 1 - Float("1e-20")) ** 2), x, 1)),
)
false("a speck between two numbers", "10⁻⁴⁰ is not 0", lambda: (LINE, Equal((x + SPECK) ** 2, x**2 + 2 * SPECK * x)))
false("a speck below every tolerance", "10⁻²⁰⁰ is not 0", lambda: (LINE, Equal(x + Rational(1, 10**200), x)))
false("a bound missed by a speck", "at x = 1/2", lambda: (UNIT, Always(x * (1 - x) <= Rational(1, 4) - SPECK)))
false(
    "a bound missed by a speck, with a logarithm",
    "at x = 1 both sides agree",
    lambda: (Domain(Rational(1, 2) < x, x < 2), Always(log(x) <= x - 1 - SPECK)),
)
false("an exponential missed by a speck", "at x = 0", lambda: (Domain(-1 < x, x < 1), Always(exp(x) >= 1 + x + SPECK)))
false("a thin region of violation", "at x = 1/3", lambda: (UNIT, Always((3 * x - 1) ** 2 > Rational(1, 10**30))))
false(
    "a violation on a diagonal",
    "at x = y",
    lambda: (Domain(0 < x, x < 1, 0 < y, y < 1), Always(Ne(x * (1 - y), y * (1 - x)))),
)
false(
    "a violation on a curve",
    "at x² + y² = 1",
    lambda: (Domain(0 < x, x < 1, 0 < y, y < 1), Always((x**2 + y**2 - 1) ** 2 > 0)),
)
false("a violation at one algebraic number", "at x = √2/2", lambda: (UNIT, Always((2 * x**2 - 1) ** 2 > 0)))
false("a violation at one transcendental number", "at x = log 2", lambda: (UNIT, Always((exp(x) - 2) ** 2 > 0)))
false("a violation far away", "at x = 10⁹", lambda: (Domain(x > 0), Always(x < 10**8 + sin(x))))
false("a violation at a huge penalty", "at β = 10⁶", lambda: (Domain(beta > 0, 0 < p, p < 1), Always(beta * p < 10**5)))
false("a huge power", "at x = 2 it is above 10³⁰", lambda: (Domain(1 < x, x < 3), Always(x**100 < 10**31)))
false("an exponential tower", "at x = 5/2", lambda: (Domain(0 < x, x < 3), Always(exp(exp(x)) < 10**4)))
false(
    "two huge numbers", "they differ by one", lambda: (LINE, Equal(x + Integer(10) ** 300, x + Integer(10) ** 300 + 1))
)
false("roots a speck apart", "0 and 10⁻⁴⁰ are two", lambda: (LINE, Roots(z * (z - SPECK), z, 1, -1, 1)))
false(
    "a slope that dips by a speck",
    "at x = 0 it is −10⁻⁴⁰",
    lambda: (Domain(-1 < x, x < 1), Monotone(x**3 - SPECK * x, x)),
)
false(
    "nearly the golden section",
    "they differ in the twentieth digit",
    lambda: (LINE, Equal((1 + sqrt(5)) / 2 + x, Rational(16180339887498948482, 10**19) + x)),
)
false(
    "nearly a whole number",
    "e^(π√163) is no whole number",
    lambda: (LINE, Exists(Eq(exp(3 * x) - 640320**3 - 744, 0), {x: Rational(13369806, 10**6)})),
)

true("a bound met", lambda: (UNIT, Always(x * (1 - x) <= Rational(1, 4))))
true("a bound with a speck to spare", lambda: (UNIT, Always(x * (1 - x) < Rational(1, 4) + SPECK)))
true("roots a speck apart, counted", lambda: (LINE, Roots(z * (z - SPECK), z, 2, -1, 1)))
true("a gap that an exponential leaves", lambda: (Domain(0 < x, x < 1), Always(exp(x) < 3)))
unrefuted("a root just outside", "1 + 10⁻⁴⁰ is outside (0, 1)", lambda: (LINE, Roots(z - 1 - SPECK, z, 0, 0, 1)))
unrefuted("an infinite end", "z² − p has one positive root", lambda: (Domain(p > 0), Roots(z**2 - p, z, 1, 0, oo)))
unrefuted(
    "an end that is an inverse", "p < 1/p", lambda: (Domain(0 < p, p < 1), Roots((z - p) * (z + 1), z, 1, 0, 1 / p))
)
unrefuted(
    "an end that is a root over a symbol",
    "p < √2/p",
    lambda: (Domain(0 < p, p < 1), Roots((z - p) * (z + 2), z, 1, -1, sqrt(2) / p)),
)
unrefuted(
    "an end that is an exponential", "p < eᵖ", lambda: (Domain(0 < p, p < 1), Roots((z - p) * (z + 2), z, 1, 0, exp(p)))
)
unrefuted(
    "an equation in the domain",
    "x + y = 1 there",
    lambda: (Domain(Eq(x + y, 1), 0 < x, x < 1, 0 < y, y < 1), Equal(log(x + y), 0)),
)
unrefuted(
    "a hypothesis that ties two symbols", "y = x there", lambda: (Domain(Eq(y, x), x > 0), Equal(log(y) - log(x), 0))
)
unrefuted(
    "an inequality tight at one point",
    "equality at x = y",
    lambda: (Domain(x > 0, y > 0), Always((x + y) ** 2 >= 4 * x * y)),
)
