"""Engines alone, domains that shut nothing out, and what is made by hand."""

from __future__ import annotations

from sympy import tanh

from grpo_symbolic.paper import *

from . import false, true, unrefuted

# -- rules -------------------------------------------------------------------------------------------------------------
for name, why, write in (
    (
        "two values of what rises for some parameters",
        "y = 0: 0 < 0",
        lambda: (Domain(y), Always(y < 2 * y).by(TwoValues(x * y, x, Domain(x, y > 0), (1, 2)))),
    ),
    ("rising but for a point, or flat", "y = 0", lambda: (Domain(x, y), Monotone(x**3 * y, x).by(ButForAPoint(0)))),
    (
        "one root of three",
        "x³ − 3x is 0 at 0 and ±√3",
        lambda: (Domain(y), OneRoot(x**3 - 3 * x, x, -3, 3, 0).by(BeyondEachRoot(u, True))),
    ),
    (
        "a root that lies outside for some parameters",
        "y = 2",
        lambda: (Domain(y > 0), OneRoot(x - y, x, 0, 1, 0).by(BeyondEachRoot(u, True))),
    ),
    (
        "positive between, and beyond",
        "x = −1",
        lambda: (Domain(x), Always(x > -1).by(PositiveBetween(u + 1, u, x, 0, 1))),
    ),
    (
        "squeezed to a limit that the bounds have not",
        "it lies between 0 and 1/x",
        lambda: (Domain(x), Tends(x * exp(-x), x, oo, 1).by(Squeezed(0, 1 / x, 1))),
    ),
):
    false(name, why, write)

# -- limits ------------------------------------------------------------------------------------------------------------
for name, why, write in (
    (
        "the root of a square is the number",
        "y = −1: ∞",
        lambda: (Domain(x, y), Tends(sqrt((x * y) ** 2 + 1) - x * y, x, oo, 0)),
    ),
    ("what may not die out", "y = 0: 1", lambda: (Domain(x, y), Tends(1 / (1 + x * Max(y, 0)), x, oo, 0))),
    ("what may not grow", "y = 0: 0", lambda: (Domain(x, y >= 0), Tends(tanh(x * y), x, oo, 1))),
    (
        "a power of a law that may be one answer's",
        "n = 1: 1",
        lambda: (Domain(simplex(pi, n), n >= 1, x), Tends(Sum(pi[o] ** x, (o, 1, n)), x, oo, 0)),
    ),
    (
        "a case that ends at the point",
        "y = 0: 1",
        lambda: (Domain(x, y), Tends(Piecewise((1, x > y**2), (5, True)), x, 0, 5)),
    ),
    ("a power of what may be 1", "y = 1: 1", lambda: (Domain(n, y >= 0, y <= 1), Tends(y**n, n, oo, 0))),
):
    false(name, why, write)
true("a power of −1 that is even", lambda: (Domain(n), Tends((-1) ** (2 * n), n, oo, 1)))

# -- texts -------------------------------------------------------------------------------------------------------------
length, texts = TextSum(Integer(1), o), Texts(o, o_, n, ends=(y,))
mean, lengths = TextMean(y, pi), TextMean(length, pi)
law = Domain(simplex(pi, n), simplex(old, n), reals(r, n), n >= 2, y)
over = OverTokens((onward, onward_2, onward_3, onward_4))
token = OneMoreToken((onward, onward_2))
for name, why, write in (
    (
        "the maximum of a mean",
        "E max(y, 0) ≥ max(E y, 0)",
        lambda: (law, AtStates(Here(TextMean(Max(y, 0), pi)), Max(Here(mean), 0), texts).by(token)),
    ),
    (
        "after one token, whichever it is",
        "that is known of the token that is there, and π(a') weighs others",
        lambda: (law, AtStates(Sum(pi[o_] * Ahead(lengths), (o_, 1, n)), Here(lengths), Texts(o, o_, n)).by(token)),
    ),
    (
        "a product over all tokens of what follows each",
        "lengths after tokens differ",
        lambda: (law, AtStates(Product(Ahead(lengths), (o, 1, n)), Here(lengths) ** n, Texts(o, o_, n)).by(token)),
    ),
    (
        "ratios the wrong way round",
        "the weights are inverse",
        lambda: (law, OnTexts(TextMean(y * TextProduct(old[o] / pi[o], o), old), mean, texts).by(over)),
    ),
    (
        "the mean of a sum of ratios under the other law",
        "it is the mean length under the old one",
        lambda: (law, OnTexts(TextMean(TextSum(pi[o] / old[o], o), old), lengths, texts).by(over)),
    ),
    (
        "a reward known before its token",
        "r(a) is correlated with what follows it",
        lambda: (
            law,
            OnTexts(TextMean(y * TextSum(r[o], o), pi), TextMean(TextSum(r[o] * Here(mean), o), pi), texts).by(over),
        ),
    ),
):
    false(name, why, write)
true(
    "a reward known after its token",
    lambda: (
        law,
        OnTexts(TextMean(y * TextSum(r[o], o), pi), TextMean(TextSum(r[o] * Ahead(mean), o), pi), texts).by(over),
    ),
)

# -- what is true and has an edge --------------------------------------------------------------------------------------
for name, why, write in (
    (
        "a case of a domain that has no value",
        "at x = 0 the domain says nothing",
        lambda: (Domain(Or(x > 0, 1 / x < 0)), Always(Ne(x, 0))),
    ),
    (
        "a slope at a kink that is none",
        "x |x| has the slope 0 at 0",
        lambda: (Domain(x), Equal(Derivative(x * Abs(x), x), 2 * Abs(x))),
    ),
    (
        "a law of one answer",
        "π(1) = 1 leaves nothing to others",
        lambda: (Domain(simplex(pi, n), n >= 1, Eq(pi[1], 1)), Always(Eq(n, 1))),
    ),
    ("a number that no whole number is", "2 n is even", lambda: (Domain(n, x), Always(Or(Ne(2 * n, 1), x > 0)))),
):
    unrefuted(name, why, write)
