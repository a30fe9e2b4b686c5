"""A domain that is read as another one: cases taken for something linear, contradictions, ranges that are not there."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

from sympy import tan

from grpo_symbolic.paper import *

from . import false, true, unrefuted


def jump(symbol):
    """Positive on (−4, −2) and above 3, and of slope one on both pieces."""
    return Piecewise((symbol + 4, symbol < -2), (symbol - 3, True)) > 0


false("positive across a jump", "at x = −3, which the first case admits", lambda: (Domain(jump(x)), Always(1 / x > 0)))
false("above three across a jump", "at x = −3", lambda: (Domain(jump(x), x < 9), Always(x > 3)))
false(
    "an enclosure over the wrong box",
    "at x = −3, where exp(x) < 1",
    lambda: (Domain(jump(x), x < 9), Always(exp(x) > 1)),
)
false("a sign by cases of a condition", "at x = −3", lambda: (Domain(x), When(jump(x), Always(1 / x > 0))))
false(
    "a logarithm split over negative numbers",
    "at x = y = −3 neither logarithm on the right has a value",
    lambda: (Domain(jump(x), jump(y)), Equal(log(x * y), log(x) + log(y))),
)
false("an absolute value dropped across a jump", "at x = −3", lambda: (Domain(jump(x)), Equal(Abs(1 / x), 1 / x)))
false(
    "the sign of a parameter at infinity",
    "at p = −3 the limit is −∞",
    lambda: (Domain(jump(p)), Tends(p * x, x, oo, oo)),
)
false(
    "roots counted for half of the parameters",
    "at p = −3 there is none",
    lambda: (Domain(jump(p)), Roots(p * z**2 - 1, z, 1, 0, oo)),
)
false(
    "at least three members by a jump in the size",
    "at n = 1 the one probability is 1",
    lambda: (Domain(simplex(pi, n), Piecewise((n - 2, n < 1), (n + 5, True)) > 0), Always(pi[o] < 1)),
)
false(
    "the inverse tangent of a tangent is not the identity",
    "at x = −3: tan(−3) > 0",
    lambda: (Domain(atan(tan(x)) > 0), Always(1 / x > 0)),
)
false("a domain in two pieces, one of them forgotten", "at x = −2", lambda: (Domain(Or(x < -1, x > 1)), Always(x > 1)))
false("an absolute value read as its argument", "at x = −2", lambda: (Domain(Abs(x) > 1), Always(x > 1)))
false("a maximum read as its first argument", "at x = −1/2, y = 1", lambda: (Domain(Max(x, y) > 0), Always(x > 0)))
false("a minimum read as a maximum", "at x = 1, y = 2", lambda: (Domain(Min(x, y) < 2), Always(y < 2)))
false("a square read as its root", "at x = −2", lambda: (Domain(x**2 > 1), Always(x > 1)))
false("a product read as one factor", "at x = y = −1", lambda: (Domain(x * y > 0), Always(x > 0)))
false("the end of a closed range forgotten", "at x = 1", lambda: (Domain(0 <= x, x <= 1), Always(x * (1 - x) + x < 1)))
false(
    "a gap of a billionth of a billionth",
    "at x = 10⁻⁴⁰",
    lambda: (Domain(Rational(1, 10**41) < x, x < 1), Always(x > Rational(1, 10**40))),
)
false(
    "a hypothesis dropped by a statement with a domain of its own",
    "at x = 1: the claim speaks of every real x",
    lambda: (Domain(x), On(Domain(x > 100), Always(x > 50))),
)
false(
    "an inverse on a range with a hole that is no hole",
    "at x = 0",
    lambda: (Domain(-1 < x, x < 1), Equal(x / x**2, 1 / x)),
)

# -- contradictory: a sentence about nothing is refused

false(
    "one policy with two totals",
    "no numbers have the sum 1 and the sum 2",
    lambda: (Domain(simplex(pi, 2), simplex(pi, 2, 2)), Equal(pi[1] + pi[2], 2)),
)
false(
    "one policy of two sizes",
    "a family has one size; of three positive numbers with sum 1 the first two have less",
    lambda: (Domain(simplex(pi, 2), simplex(pi, 3)), Equal(pi[1] + pi[2] + pi[3], 1)),
)
false("positive numbers with sum nought", "there are none", lambda: (Domain(simplex(pi, 3, 0)), Always(pi[1] > 7)))
false("a whole number between nought and one", "there is none", lambda: (Domain(Eq(n, x), 0 < x, x < 1), Always(n < 1)))
false(
    "a whole number that is a half of an odd one",
    "there is none",
    lambda: (Domain(Eq(n, x), Eq(x, k + Rational(1, 2)), k >= 1, k <= 3), Always(n > k)),
)
false("a whole number between two neighbours", "there is none", lambda: (Domain(n > 3, n < 4), Always(n > 100)))
false("a range that is reversed", "no x is above 2 and below 1", lambda: (Domain(x > 2, x < 1), Always(x > 100)))
false("two constants for one symbol", "x is not both", lambda: (Domain(Eq(x, 1), Eq(x, 2)), Always(x > 100)))
false(
    "a real root of a negative number",
    "the square root has no value for any y",
    lambda: (Domain(Eq(x, sqrt(-1 - y**2)), y), Always(x**2 - 2 * x + 2 > 0)),
)
false(
    "a family with as many members as a real number says",
    "at x = 5/2 there is no such family",
    lambda: (Domain(reals(r, x), x > 2), Always(r[1] ** 2 + x > 2)),
)
false("a family with no member has a first", "at n = 0", lambda: (Domain(positives(r, n), n >= 0), Always(r[1] > 0)))
false(
    "a family before its first member",
    "r has no entry 0",
    lambda: (Domain(reals(r, 3)), Equal((r[0] + 1) * (r[0] - 1), r[0] ** 2 - 1)),
)
false(
    "an entry at one and a half",
    "there is none between the first and the second",
    lambda: (
        Domain(simplex(pi, n), n >= 2),
        Equal((pi[Rational(3, 2)] + 1) * (pi[Rational(3, 2)] - 1), pi[Rational(3, 2)] ** 2 - 1),
    ),
)
false(
    "an entry at a real position",
    "at x = 3/2 there is none",
    lambda: (Domain(simplex(pi, n), n >= 2, 1 <= x, x <= 2), Always(pi[x] > 0)),
)
false(
    "an entry with two positions",
    "the family has one index",
    lambda: (Domain(simplex(pi, n), n >= 2), Always(pi[1, 7] > 0)),
)
false("an example outside its domain", "2 is not below 1", lambda: (Domain(0 < x, x < 1), Exists(x**2 > 3, {x: 2})))
false(
    "increasing in a symbol that an equation ties",
    "along y = 1/x the product is 1",
    lambda: (Domain(Eq(y, 1 / x), x > 0), Monotone(x * y, x)),
)
false(
    "a root that the domain does not hold",
    "at p = 2 the root 2 lies outside (0, 1)",
    lambda: (Domain(p > 0), UniqueRoot(z - p, z, p, 0, 1)),
)

true("positive on one piece", lambda: (Domain(x - 3 > 0), Always(1 / x > 0)))
true("cases whose pieces agree with a bound", lambda: (Domain(Piecewise((x, x > 0), (2 * x, True)) > 0), Always(x > 0)))
true("both pieces of a domain", lambda: (Domain(Or(x < -1, x > 1)), Always(x**2 > 1)))
true("an absolute value above one", lambda: (Domain(Abs(x) > 1), Always(x**2 > 1)))
true("members of a policy of two or more", lambda: (Domain(simplex(pi, n), n >= 2), Always(pi[o] < 1)))
true("a symbol that an equation ties", lambda: (Domain(Eq(y, 2 * x), x > 0), Always(y > x)))
true("whole numbers with a gap between them", lambda: (Domain(n >= 3, G >= 2), Always(n * G >= Integer(6))))
unrefuted(
    "whole numbers have no half",
    "between two neighbours there is nothing, but the decision engines speak of reals",
    lambda: (Domain(n >= 1), Always(Ne(n, Rational(3, 2), evaluate=False))),
)

for name, domain in (
    ("a logarithm of what is negative, which a letter is", lambda: Domain(x < 0, Eq(y, log(x)))),
    ("a letter that is one over nought", lambda: Domain(Eq(x, z), Eq(y, 1 / (x - z)))),
    ("a letter that is a root of √2 − 2", lambda: Domain(Eq(x, sqrt(2)), Eq(y, sqrt(x - 2)))),
    ("a policy with a total that has no value", lambda: Domain(x < 0, simplex(pi, n, log(x)))),
    ("a policy of which one entry is all", lambda: Domain(simplex(pi, n), n >= 2, Eq(Sum(pi[o] ** 2, (o, 1, n)), 1))),
    ("an answer with more than all of the probability", lambda: Domain(simplex(pi, n), pi[o] > 1)),
    ("a family of fewer numbers than none", lambda: Domain(reals(r, n), n >= 1, n <= 5, reals(P, n - 5))),
):
    false(f"five from {name}", "there is no such point", lambda domain=domain: (domain(), Always(x > 5)))


def near_by(value: int, *said: Any) -> tuple[Domain, Always]:
    """That a positive number is below 5, on a domain of which a point is said to be one of another domain too."""
    positive = Domain(x > 0)
    point = dict.fromkeys(positive.variables, Fraction(value))
    return Domain(x > 0, *said, near=(positive, point)), Always(x < 5)


false("a point near by that is none", "no number is positive and negative", lambda: near_by(-1, x < 0))
true("a point near by", lambda: near_by(1, x < 4))


def beside(point: Any) -> tuple[Domain, Always]:
    """That a positive number beside two rewards is above −1, of which a point is said to be near."""
    return Domain(reals(r, 2), x > 0, near=(Domain(reals(r, 2), x > 0), point)), Always(x > -1)


NUMBER = Domain(x > 0).reading().variable(x)
for name, point in (
    ("with rewards that are no list", {NUMBER: Fraction(1), "r": (Fraction(1), Fraction(2))}),
    ("of one letter only", {NUMBER: Fraction(1)}),
    ("of letters of SymPy's", {x: 1, r.label: [1, 2]}),
    ("that is rounded", {NUMBER: 1.5, "r": [Fraction(1), Fraction(2)]}),
    ("that is not there", None),
):
    false(f"a point near by {name}", "it is no point of a domain", lambda point=point: beside(point))
true("a point near by with rewards", lambda: beside({NUMBER: Fraction(1), "r": [Fraction(1), Fraction(2)]}))
