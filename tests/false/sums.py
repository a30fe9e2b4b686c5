"""Sums over an index: ends that are no whole numbers, deltas of a real, ranges that are reversed or beyond a family."""

from __future__ import annotations

from sympy import Function
from sympy import beta as euler_beta

from grpo_symbolic.paper import *

from . import false, true

POLICY = Domain(simplex(pi, n), n >= 2)

false(
    "a delta of a real summed over whole numbers",
    "0 at x = 5/2",
    lambda: (Domain(1 <= x, x <= 4), Equal(Sum(KroneckerDelta(k, x), (k, 1, 4)), 1)),
)
false(
    "a delta of a quotient",
    "at k = 1, n = 2 no j is 1/2",
    lambda: (Domain(n >= 1, k >= 1, k <= n), Equal(Sum(KroneckerDelta(j, (k + n) / 2), (j, 1, n)), 1)),
)
false("as many ones as a real number", "two at x = 5/2", lambda: (Domain(x >= 1), Equal(Sum(1, (k, 1, x)), x)))
false(
    "a sum from a real to a real",
    "the whole numbers from 1/2 to 3/2 are one, not two",
    lambda: (Domain(0 < x, x < 1), Equal(Sum(1, (k, x, x + 1)), 2)),
)
false(
    "a sum to half a whole number",
    "at n = 3 it has one term",
    lambda: (Domain(n >= 2), Equal(Sum(1, (k, 1, n / 2)), n / 2)),
)
false(
    "positive terms that are not there",
    "from 6/5 to 7/5 there is no whole number, and an empty sum is 0",
    lambda: (Domain(1 < x, x < y, y < 2), Always(Sum(k**2 + 1, (k, x, y)) > 0)),
)
false("a reversed sum", "from n to 1 there are no terms", lambda: (Domain(n >= 4), Equal(Sum(1, (k, n, 1)), 2 - n)))
false("a sum that may be reversed", "at n = −3 there are no −3 terms", lambda: (Domain(n), Equal(Sum(1, (k, 1, n)), n)))
false("a total one entry early", "π(0) is no probability", lambda: (POLICY, Equal(Sum(pi[o], (o, 0, n)) - pi[0], 1)))
false(
    "a total beyond the last entry",
    "there is no entry n + 1",
    lambda: (POLICY, Equal(Sum(pi[o], (o, 1, n + 1)) - pi[n + 1], 1)),
)
false("a total without its last entry", "it is 1 − π(n)", lambda: (POLICY, Equal(Sum(pi[o], (o, 1, n - 1)), 1)))
false("twice the entries", "2k runs beyond n", lambda: (POLICY, Always(Sum(pi[2 * k], (k, 1, n)) > 0)))
false(
    "a square of a sum is a sum of squares",
    "at π = (1/2, 1/2) it is 1/2",
    lambda: (POLICY, Equal(Sum(pi[o] ** 2, (o, 1, n)), 1)),
)
false(
    "an inner sum with its outer letter",
    "Σₖ Σⱼ π(k)π(j) is 1, not Σ π(k)²",
    lambda: (POLICY, Equal(Sum(pi[k] * Sum(pi[k], (k, 1, n)), (k, 1, n)), Sum(pi[k] ** 2, (k, 1, n)))),
)
false(
    "a triangle counted as a square",
    "Σₖ k = n(n + 1)/2",
    lambda: (Domain(n >= 2), Equal(Sum(Sum(1, (j, 1, k)), (k, 1, n)), n**2)),
)
false(
    "a triangle of deltas",
    "at k = 1 the inner sum over j ≤ 0 is empty",
    lambda: (Domain(n >= 2), Equal(Sum(Sum(KroneckerDelta(j, k), (j, 1, k - 1)), (k, 2, n)), n - 1)),
)
false(
    "a delta of another family's position",
    "for n > G an index o of π may lie beyond G",
    lambda: (
        Domain(simplex(pi, n), reals(r, G), n >= 2, G >= 2),
        Equal(Sum(KroneckerDelta(i, o), (i, 1, G)) * pi[o], pi[o]),
    ),
)
false("two answers are one", "at o = 1, o' = 2", lambda: (POLICY, Equal(KroneckerDelta(o, o_) * pi[o], pi[o])))
false(
    "the relative entropy is nought",
    "π ≠ ρ",
    lambda: (Domain(simplex(pi, n), simplex(ref, n), n >= 2), Equal(Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n)), 0)),
)
false(
    "the entropy has the wrong sign",
    "−Σ π log π > 0",
    lambda: (POLICY, Always(Sum(pi[o] * log(pi[o]), (o, 1, n)) >= 0)),
)
false(
    "a k₃ term in its wrong direction",
    "u − 1 − log u, not its negative",
    lambda: (
        Domain(simplex(pi, n), simplex(ref, n), n >= 2),
        Always(Sum(ref[o] - pi[o] - pi[o] * log(ref[o] / pi[o]), (o, 1, n)) < 0),
    ),
)
false(
    "the mean of a group with G − 1",
    "Σ rᵢ/(G − 1) is not the mean",
    lambda: (Domain(reals(r, G), G >= 2), Equal(Sum(r[i] - Sum(r[j], (j, 1, G)) / (G - 1), (i, 1, G)), 0)),
)
false(
    "the variance without the square of the mean",
    "at r = (1, 1) it is 0, not 1",
    lambda: (
        Domain(reals(r, G), G >= 2),
        Equal(Sum((r[i] - Sum(r[j], (j, 1, G)) / G) ** 2, (i, 1, G)), Sum(r[i] ** 2, (i, 1, G))),
    ),
)
false(
    "a quotient with a pole among its terms",
    "at k = 3 the term has no value",
    lambda: (Domain(n >= 5), Equal(Sum((k**2 - 9) / (k - 3), (k, 1, n)), Sum(k + 3, (k, 1, n)))),
)
false(
    "a logarithm of the first whole number below one",
    "log 0 has no value",
    lambda: (Domain(n >= 2), Equal(Sum(2 * log(k), (k, 0, n)), 2 * Sum(log(k), (k, 0, n)))),
)
false(
    "a difference of rewards in a logarithm",
    "at r(1) = r(2)",
    lambda: (Domain(reals(r, 2)), Equal(log((r[1] - r[2]) ** 2), 2 * log(r[1] - r[2]))),
)
false(
    "a factorisation of a product",
    "Π (π + ρ) is not Π π + Π ρ",
    lambda: (
        Domain(simplex(pi, n), simplex(ref, n), n >= 2),
        Equal(Product(pi[o] + ref[o], (o, 1, n)), Product(pi[o], (o, 1, n)) + Product(ref[o], (o, 1, n))),
    ),
)
false("a product to a real number", "at x = 5/2 it is 4", lambda: (Domain(x >= 1), Equal(Product(2, (k, 1, x)), 2**x)))
false(
    "a reversed product", "an empty product is 1, not 1/6", lambda: (Domain(x), Equal(Product(k, (k, 4, 1)) * x, x / 6))
)
false("an infinite sum of ones", "it has no value", lambda: (Domain(x), Always(Sum(1 + x**2, (k, 1, oo)) > 0)))
false(
    "a binomial coefficient of a real number",
    "at x = 3/2 it counts nothing",
    lambda: (Domain(x >= 2), Equal(binomial(x, 2), x * (x - 1) / 2)),
)
false(
    "an Euler integral at its pole",
    "B(−1, −1) has no value",
    lambda: (Domain(x), Equal((euler_beta(x, x) + 1) * (euler_beta(x, x) - 1), euler_beta(x, x) ** 2 - 1)),
)
false(
    "a function that nobody defined",
    "what f is was never said",
    lambda: (
        Domain(x),
        Equal(
            (Function("f", real=True)(x) + 1) ** 2, Function("f", real=True)(x) * (Function("f", real=True)(x) + 2) + 1
        ),
    ),
)
false(
    "an example with a sum to a real number",
    "1 + 2 is not 35/8",
    lambda: (Domain(x), Exists(Eq(Sum(k, (k, 1, x)), Rational(35, 8)), {x: Rational(5, 2)})),
)

true(
    "a delta of a whole number in its range",
    lambda: (Domain(k >= 1, k <= 4), Equal(Sum(KroneckerDelta(j, k), (j, 1, 4)), 1)),
)
true("as many ones as a whole number", lambda: (Domain(n >= 1), Equal(Sum(1, (k, 1, n)), n)))
true("the total of a policy", lambda: (POLICY, Equal(Sum(3 * pi[o], (o, 1, n)), 3)))
true(
    "deviations from the mean have mean nought",
    lambda: (Domain(reals(r, G), G >= 2), Equal(Sum(r[i] - Sum(r[j], (j, 1, G)) / G, (i, 1, G)), 0)),
)
true(
    "two sums of a product of policies",
    lambda: (Domain(simplex(pi, n), simplex(old, n), n >= 2), Equal(Sum(Sum(pi[k] * old[j], (j, 1, n)), (k, 1, n)), 1)),
)
true("a sum of positive terms", lambda: (Domain(positives(P, n), n >= 1), Always(Sum(P[o], (o, 1, n)) > 0)))
true(
    "an inner sum with its outer letter, read rightly",
    lambda: (POLICY, Equal(Sum(pi[k] * Sum(pi[k], (k, 1, n)), (k, 1, n)), 1)),
)
true("an empty sum", lambda: (Domain(z), Equal(Sum(z, (k, 1, 0)), 0)))

SQUARES = Sum(r[j] ** 2, (j, 1, 2), (o, 1, 2))
for name, domain, statement in (
    ("by induction", (y,), ForEveryNumber(Eq(Sum(1, (i, 1, j), (j, 1, k)), k**2), k, 1).by(Induction())),
    ("less one of its terms", (reals(r, 2),), AtLeast(SQUARES, r[1] ** 3).by(OneTermLess(SQUARES, 1))),
    ("in a lim sup", (u,), LimSup(Sum(P[j] ** 2, (j, 1, i), (o, 1, i)), i, u, ((r[i], u),))),
):
    false(
        f"a sum over two letters, {name}",
        "it is another sum than one over one letter",
        lambda domain=domain, statement=statement: (Domain(*domain), statement),
    )
