"""Limits: from a side on which nothing is defined, through whole numbers, across seams, from both sides at once."""

from __future__ import annotations

from sympy import asin, sin

from grpo_symbolic.paper import *

from . import false, true

HERE = Domain(y)
UNIT = Domain(0 < p, p < 1)


def tends(body, point, value, side="+"):
    """A limit in x that no parameter changes."""
    return HERE, Tends(body, x, point, value, side)


# -- sides
false("both sides of a sign at once", "1 from the right", lambda: tends(sign(x), 0, -1, "+-"))
AT_THE_POINT = Piecewise((Rational(1, 4), x <= 0), (x + Rational(3, 5), True))
false(
    "the case at the point for the one beside it",
    "beside the point, from the right, it is the other case that counts",
    lambda: tends(AT_THE_POINT, 0, Rational(1, 4)),
)
true("the case beside the point", lambda: tends(AT_THE_POINT, 0, Rational(3, 5)))
false("an empty side", "there is no such side", lambda: tends(1 / x, 0, -oo, ""))
false("the inverse from the wrong side", "it is ∞ from the right", lambda: tends(1 / x, 0, -oo))

# -- nothing is defined there
false(
    "a cube root of the negative", "(−x)^(1/3) has no real value for x > 0", lambda: tends((-x) ** Rational(1, 3), 0, 0)
)
false("an irrational power of the negative", "(−x)^√2 has no value for x > 0", lambda: tends((-x) ** sqrt(2), 0, 0))
false("a root of the negative", "√(−x) has no value for x > 0", lambda: tends(sqrt(-x), 0, 0))
false("a logarithm of the negative", "log(−x) has no value for x > 0", lambda: tends(x * log(-x), 0, 0))
false("an inverse sine above one", "asin(1/x) has no value for x < 1", lambda: tends(x * asin(1 / x), 0, 0))
false("a power of minus one", "(−1)ˣ is not real", lambda: tends(x * (-1) ** x, 0, 0))
false("a power of minus two", "(−2)ˣ is not real", lambda: tends((-2) ** x / 3**x, oo, 0))
false("a fifth root at minus infinity", "x^(−1/5) has no value for x < 0", lambda: tends(x ** Rational(-1, 5), -oo, 0))
false(
    "a root of a parameter of any sign",
    "at p = −1 it has no value",
    lambda: (Domain(p), Tends(p ** Rational(1, 3) * x, x, 0, 0)),
)
false(
    "an inverse of a parameter that may vanish",
    "at p = 0 it has no value",
    lambda: (Domain(-1 < p, p < 1), Tends(x / p, x, 0, 0)),
)

# -- no point nearby
false("whole numbers that tend to nought", "no whole number lies in (0, 1)", lambda: (HERE, Tends(1 / n, n, 0, oo)))
false("a limit at its own variable", "x cannot tend to itself", lambda: tends(Max(x, 0) * y, x, Max(x, 0) * y))

# -- seams
false("cases at their seam from the left", "−1 left of 1", lambda: tends(Piecewise((1, x >= 1), (-1, True)), 1, 1, "-"))
false("cases that hold at one point", "0 beside it", lambda: tends(Piecewise((5, x >= 0), (0, True)), 0, 5, "-"))
false("a delta at its point", "0 beside it", lambda: tends(KroneckerDelta(x, 0), 0, 1))
false("a floor below one", "0 left of 1", lambda: tends(floor(x), 1, 1, "-"))
false("an absolute slope from the left", "−1 from the left", lambda: tends(Abs(x) / x, 0, 1, "-"))
false("a maximum's slope from the left", "0 from the left", lambda: tends(Max(x, 0) / x, 0, 1, "-"))
false("a minimum's slope from the right", "0 from the right: x² is below x", lambda: tends(Min(x, x**2) / x, 0, 1))

# -- parameters
false("a generic coefficient", "at p = 1/2 it is 0", lambda: (UNIT, Tends((p - Rational(1, 2)) * x, x, oo, oo)))
false(
    "equal leading terms",
    "at p = y it is 0",
    lambda: (Domain(p > 0, y > 0), Tends((p * x**2 - y * x**2) / x, x, oo, oo)),
)
false(
    "a cancelled pole for one parameter",
    "at p = 1 the limit is 2",
    lambda: (Domain(p > 0), Tends((x**2 - p) / (x - 1), x, 1, oo)),
)
false(
    "a root of a vanishing penalty",
    "at p = 1 the root is 1",
    lambda: (
        Domain(0 < p, p <= 1),
        Tends((1 - beta + sqrt((1 - beta) ** 2 + 4 * beta * p)) / 2, beta, oo, Rational(1, 2)),
    ),
)
false("an indicator by its limit", "at p = 0 it is 1/2", lambda: (Domain(p), Tends(1 / (1 + exp(-p * x)), x, oo, 1)))
false("a sharp inverse tangent", "at p = 0 it is 0", lambda: (Domain(p >= 0), Tends(2 * atan(p * x), x, oo, 3)))

# -- at a parameter, where SymPy does not see that what it subtracts is equal
BESIDE = Domain(0 < y, y < 1)
false("a sign beside a parameter", "above y it is 1", lambda: (BESIDE, Tends(sign(x - y), x, y, 0)))
false("a sign below a parameter", "below y it is −1", lambda: (BESIDE, Tends(sign(x - y) * x, x, y, 0, side="-")))
false("a slope of an absolute value", "above y it is 1", lambda: (BESIDE, Tends(Abs(x - y) / (x - y), x, y, 0)))
false(
    "a slope of a root beside a parameter",
    "it is 1/5",
    lambda: (BESIDE, Tends((sqrt(1 + Rational(2, 5) * (x - y)) - 1) / (x - y), x, y, 0)),
)
false(
    "a case beside a parameter", "above y it is 1", lambda: (BESIDE, Tends(Piecewise((0, x <= y), (1, True)), x, y, 0))
)
true("a sign above a parameter", lambda: (BESIDE, Tends(sign(x - y), x, y, 1)))
true("a sign below it", lambda: (BESIDE, Tends(sign(x - y), x, y, -1, side="-")))
true("the slope of an absolute value", lambda: (BESIDE, Tends(Abs(x - y) / (x - y), x, y, -1, side="-")))
true("the greater of two", lambda: (BESIDE, Tends((Max(x, y) - y) / (x - y), x, y, 1)))

# -- plainly wrong
false("an oscillation", "sin(1/x) has no limit", lambda: tends(sin(1 / x), 0, 0))
false("Euler's number by half", "it is e", lambda: tends((1 + 1 / x) ** x, oo, exp(Rational(1, 2))))
false("a logarithm beats a power", "x log x → 0", lambda: tends(x * log(x), 0, -oo))
false("the limit of a tiny slope", "10⁻⁴⁰ is not 0", lambda: tends(x + Rational(1, 10**40), 0, 0))
false("the wrong infinity", "it is −∞", lambda: tends(log(x), 0, oo))
false(
    "a limit with a slope beside it",
    "the limit is 0",
    lambda: (HERE, Every(Monotone(y**3 + y, y), Tends(x * y, x, 0, y))),
)

true("the inverse from the left", lambda: tends(1 / x, 0, -oo, "-"))
true("a root from its own side", lambda: tends(sqrt(-x), 0, 0, "-"))
true("x log x vanishes", lambda: tends(x * log(x), 0, 0))
true("whole numbers grow", lambda: (HERE, Tends(1 / n, n, oo, 0)))
true("a race that is decided", lambda: (Domain(0 < p, p < y), Tends(exp(-p * x) * y, x, oo, 0)))
true(
    "the root without a penalty",
    lambda: (UNIT, Tends((1 - beta + sqrt((1 - beta) ** 2 + 4 * beta * p)) / 2, beta, 0, 1)),
)
