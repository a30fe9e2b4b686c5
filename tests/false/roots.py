"""Counts of roots: ends that are not numbers, ends out of order, roots outside, whole-number and compound variables."""

from __future__ import annotations

from sympy import Float

from grpo_symbolic.paper import *

from . import false, true

NEAR_HALF = Domain(Rational(2, 5) < x, x < Rational(3, 5))
UNIT = Domain(0 < p, p < 1)

false(
    "a root below an end that is a quotient of a root",
    "√3/x is above 2, and the roots are 1 and 5",
    lambda: (NEAR_HALF, UniqueRoot((z - 1) * (z - 5), z, 1, sqrt(3) / x, 4)),
)
false(
    "a root counted from an end that is a logarithm",
    "log x > 2, and the roots are 1 and 9",
    lambda: (Domain(x > 9, x < 100), Roots((z - 1) * (z - 9), z, 1, log(x), 8)),
)
false(
    "a root counted from an exponential end",
    "eˣ > 1",
    lambda: (Domain(0 < x, x < 1), Roots((z - Rational(1, 2)) * (z - 9), z, 1, exp(x), 8)),
)
false("minus one roots", "no set has −1 elements", lambda: (Domain(1 < x, x < 2), Roots(z**2 - 4, z, -1, 0, 1 / x)))
false(
    "no root in a range that is reversed",
    "5 is above −5: that is no interval",
    lambda: (Domain(x), UniqueRoot(z**2 - 4, z, 2, 5, -5)),
)
false("an empty interval", "(p, p) holds nothing", lambda: (UNIT, UniqueRoot(z - p, z, p, p, p)))
false(
    "a root above an inverse end",
    "1/p > 1, and 2 is not below it where p > 1/2",
    lambda: (UNIT, UniqueRoot((z - 2) * (z + 7), z, 2, 0, 1 / p)),
)
false(
    "half a whole number",
    "no whole number k has 2k = 1",
    lambda: (Domain(p), UniqueRoot(2 * k - 1, k, Rational(1, 2), 0, 1)),
)
false("a whole number between nought and one", "there is none", lambda: (Domain(p), Roots(3 * k - 1, k, 1, 0, 1)))
false("two whole numbers with square two", "there are none", lambda: (Domain(p), Roots(n**2 - 2, n, 2, -5, 5)))
false("two values of a square", "z² = −2 has no real z", lambda: (Domain(p), Roots(z**4 - 4, z**2, 2, -9, 9)))
false("a double root counted twice", "distinct roots are counted", lambda: (Domain(x), Roots((z - 1) ** 2, z, 2, 0, 2)))
false("a root at an open end", "0 is not inside (0, 1)", lambda: (UNIT, Roots(z * (z - p), z, 2, 0, 1)))
false("a root that leaves the interval", "at p = 9/10", lambda: (UNIT, Roots(z - 2 * p, z, 1, 0, 1)))
false("complex roots counted", "z² + 1 has no real root", lambda: (Domain(x), Roots(z**2 + 1, z, 2, -oo, oo)))
false(
    "a parabola that may be a line",
    "at p = 0 there is one root only",
    lambda: (Domain(-1 < p, p < 1), Roots(p * z**2 + z, z, 2, -oo, oo)),
)
false(
    "a line that may be flat",
    "at p = 0 there is none",
    lambda: (Domain(-1 < p, p < 1), Roots(p * z - 1, z, 1, -oo, oo)),
)
false(
    "a discriminant that may vanish",
    "at b = 2 the roots coincide",
    lambda: (Domain(b >= 2), Roots(z**2 - b * z + 1, z, 2, -oo, oo)),
)
false("a polynomial that vanishes", "every z is a root", lambda: (Domain(x), Roots(0 * z, z, 0, 0, 1)))
false(
    "a double root moved by less than a double can say",
    "(z − 1)² + 10⁻²⁰ has no real root",
    lambda: (Domain(x), Roots((z - 1) ** 2 + Float("1e-20"), z, 1, 0, 2)),
)
false(
    "a leading coefficient that is nought in disguise",
    "√(5 + 2√6) = √2 + √3, so there is one root",
    lambda: (Domain(x), Roots((sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)) * z**2 + z - Rational(1, 2), z, 2, -oo, oo)),
)
false(
    "one root by a disguised nought",
    "the constant is 0, so both roots are 0",
    lambda: (Domain(x), Roots(z**2 - (sqrt(5 + 2 * sqrt(6)) - sqrt(2) - sqrt(3)), z, 2, -1, 1)),
)
false(
    "the other root of a quadratic",
    "the negative root is not in (0, 1)",
    lambda: (
        Domain(0 < p, p < 1, beta > 0),
        UniqueRoot(z**2 - (1 - beta) * z - beta * p, z, (1 - beta - sqrt((1 - beta) ** 2 + 4 * beta * p)) / 2),
    ),
)
false("a number that is no root", "p² − p is not 0", lambda: (UNIT, UniqueRoot(z**2 - z, z, p, -1, 2)))
false(
    "an end that contains the variable",
    "an interval of z that moves with z is none",
    lambda: (Domain(z > 1), Roots(z - 1, z, 1, 0, 2 * z)),
)
false("one of two roots", "both ±√p lie inside", lambda: (UNIT, UniqueRoot(z**2 - p, z, sqrt(p), -1, 1)))
false(
    "roots beside a tied parameter",
    "at p = x² the roots of z² − p are ±x, two of them",
    lambda: (Domain(Eq(p, x**2), 0 < x, x < 1), Roots(z**2 - p, z, 1, -2, 2)),
)

true("one root of a square in the unit interval", lambda: (UNIT, UniqueRoot(z**2 - p, z, sqrt(p))))
true("no real root", lambda: (Domain(x), Roots(z**2 + 1, z, 0, -oo, oo)))
true("a double root is one", lambda: (Domain(x), Roots((z - 1) ** 2, z, 1, 0, 2)))
true("two roots on the line", lambda: (Domain(b > 2), Roots(z**2 - b * z + 1, z, 2, -oo, oo)))
true(
    "a root above an end with a denominator that is no nought",
    lambda: (Domain(2 < x, x < 3), UniqueRoot((z - 1) * (z - 5), z, 1, 1 / x, 4)),
)
