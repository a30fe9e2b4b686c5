"""Conditions that speak of what varies: SymPy's derivative shows nothing of the jumps that they make."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false, true

SOME = Domain(n >= 1, y)
POSITIVE = Piecewise((1, r[i] > 0), (0, True))
CENTRED, SPREAD = Random(r, i, 1, n, mean=0), Random(r, i, 1, n, variance=1)
false(
    "the number of random numbers above nought has the mean nought",
    "of numbers that are 1 or −1 with the same probability half are above nought",
    lambda: (SOME, ForRandom(Eq(MeanOf(Sum(POSITIVE, (i, 1, n))), 0, evaluate=False), (CENTRED,))),
)
false(
    "the number of random numbers above nought does not vary",
    "of numbers that are 1 or −1 with the same probability its variance is n/4",
    lambda: (SOME, ForRandom(Eq(VarianceOf(Sum(POSITIVE, (i, 1, n))), 0, evaluate=False), (SPREAD,))),
)
true(
    "the mean of random numbers with factors by cases",
    lambda: (
        SOME,
        ForRandom(Eq(MeanOf(Sum(Piecewise((2, i > 1), (1, True)) * r[i], (i, 1, n))), 0, evaluate=False), (CENTRED,)),
    ),
)
ITSELF = KroneckerDelta(i, j)
false(
    "a negative variance by cases of the numbers that are one",
    "there are no such random numbers",
    lambda: (
        Domain(y),
        ForRandom(
            Eq(MeanOf(Sum(r[i], (i, 1, 3))), 0, evaluate=False),
            (Random(r, i, 1, 3, mean=0, covariance=Piecewise((-1, ITSELF > Rational(1, 2)), (0, True)), other=j),),
        ),
    ),
)
true(
    "variances of uncorrelated numbers as covariances",
    lambda: (
        Domain(y),
        ForRandom(
            Eq(MeanOf(Sum(r[i], (i, 1, 3))), 0, evaluate=False),
            (Random(r, i, 1, 3, mean=0, covariance=ITSELF, other=j),),
        ),
    ),
)
LAW = Domain(simplex(pi, n), reals(r, n), n >= 2)
MOVING = Texts(o, o_, n, rates=((r, Integer(1)),))
ALONG = TextSum(r[o], o)
OVER = OverTokens((onward, onward_2), (onward_3, onward_4), rest=(u, z))
false(
    "the gradient of whether a sum is positive",
    "where the sum is 0 it jumps",
    lambda: (LAW, OnTexts(Gradient(Piecewise((1, ALONG > 0), (0, True))), 0, MOVING).by(OVER)),
)
true("the gradient of a sum", lambda: (LAW, OnTexts(Gradient(ALONG), TextSum(1, o), MOVING).by(OVER)))
