"""Rules whose theorem is about a range, a number of draws or a family that the sentence does not have."""

from __future__ import annotations

from sympy import Eq, Integer, Rational, Sum

from grpo_symbolic.notation import G, k, n, o, o_, pi, r, ref, x, z
from grpo_symbolic.proof import (
    AgainstPolynomial,
    Always,
    CentredSurrogate,
    Chord,
    Domain,
    Equal,
    ForRandom,
    OneMoreDraw,
    Random,
    TwoValues,
    VarianceOf,
    binomial_mean,
    reals,
    simplex,
)

from . import false

DRAWS = Domain(G >= 2, 0 < x, x < 1)
NUMBERS = Domain(reals(pi, n), n >= 2, x < z)
POLICIES = Domain(simplex(pi, n), simplex(ref, n), reals(r, n), n >= 2)
TOTAL = Sum(pi[o], (o, 1, n))
EXPECTED = Sum(pi[o] * r[o], (o, 1, n)) - Sum(ref[o] * r[o], (o, 1, n))

false(
    "the mean of a constant over fewer than no draws",
    "for G = 2 there are −1 draws, and the sum is empty: 0",
    lambda: (DRAWS, Equal(binomial_mean(5, k, G - 3, x), 5).by(AgainstPolynomial(Integer(5)))),
)
false(
    "one more draw than −1",
    "for G = 2 the left side is 0 and the right one −1",
    lambda: (DRAWS, Always(binomial_mean(-5, k, G - 3, x) <= binomial_mean(-1, k, G - 2, x)).by(OneMoreDraw())),
)
false(
    "two values of a function of a policy, for numbers that are no policy",
    "the numbers may have a negative sum",
    lambda: (
        NUMBERS,
        Always(x * TOTAL < z * TOTAL).by(TwoValues(x * TOTAL, x, Domain(simplex(pi, n), n >= 2, x), (x, z))),
    ),
)
false(
    "a chord of a function of a policy, for numbers that are no policy",
    "where the numbers have a negative sum the function is concave",
    lambda: (
        NUMBERS,
        Always((x / 2 + z / 2) ** 2 * TOTAL < x**2 * TOTAL / 2 + z**2 * TOTAL / 2).by(
            Chord(x**2 * TOTAL, x, Domain(simplex(pi, n), n >= 2, x), (x, z), Rational(1, 2))
        ),
    ),
)
false(
    "a negative variance",
    "no random number has the covariance −1 with itself",
    lambda: (
        Domain(n >= 2),
        ForRandom(
            Eq(VarianceOf(Sum(r[o], (o, 1, n))), -(n**2), evaluate=False),
            (Random(r, o, 1, n, covariance=Integer(-1), other=o_),),
        ),
    ),
)
false(
    "groups of two and a half",
    "no group has 5/2 members",
    lambda: (POLICIES, CentredSurrogate(ref, o, n, Rational(5, 2), Rational(3, 5) * EXPECTED, new=pi, rewards=r)),
)
