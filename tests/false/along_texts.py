"""Texts whose numbers stand in one another, gradients of what is no sum, and sums within sums that may be empty."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import false, true
from .texts import BY_REWARDS, NUMBERED, TOKENS, WHOLE

# -- texts ------------------------------------------------------------------------------------------------------------

GROWING = Texts(o, o_, n, ends=(y,), rates=((r, Integer(1)),))
REWARDS = TextSum(r[o], o)
OVER = OverTokens((onward, onward_2, onward_3), (onward_4,), rest=(u, x, z))


def texts(name: str, why: str, left: Any, right: Any, of: Texts = WHOLE, domain: Domain = NUMBERED) -> None:
    false(name, why, lambda: (domain, OnTexts(left(), right(), of).by(OVER)))


texts(
    "the rate of a sum of sums along a text",
    "each of T terms moves by T, and not the earlier ones by less",
    lambda: Gradient(TextSum(REWARDS, o)),
    lambda: TOKENS * (TOKENS - 1) / 2,
    GROWING,
)
texts(
    "the gradient of a mean times a sum",
    "the mean moves too",
    lambda: Gradient(REWARDS * TextMean(REWARDS, pi)),
    lambda: TOKENS * TextMean(REWARDS, pi),
    GROWING,
)
texts(
    "the gradient of a number of the state times a sum",
    "the number moves too",
    lambda: Gradient(r[1] * REWARDS),
    lambda: r[1] * TOKENS,
    GROWING,
)
texts("the gradient of a gradient", "it is 2T", lambda: Gradient(Gradient(TextSum(r[o] ** 2, o))), lambda: 0, GROWING)
texts(
    "the slope of a slope",
    "nothing says that the mean is linear in the parameter",
    lambda: TextRate(TextRate(TextMean(y, pi))),
    lambda: 0,
    BY_REWARDS,
)
texts(
    "the square of a mean for the mean of the square, without the products of two tokens",
    "with r = 1 and T = 2 it says 4 = 2",
    lambda: TextMean(REWARDS**2, pi),
    lambda: TextMean(TextSum(r[o] ** 2, o), pi),
)
texts(
    "the logarithm of a product of squares",
    "r may be 0",
    lambda: log(TextProduct(r[o] ** 2, o)),
    lambda: TextSum(log(r[o] ** 2), o),
)
texts(
    "the root of a product of squares",
    "with r = −1 and T = 1 it says 1 = −1",
    lambda: sqrt(TextProduct(r[o] ** 2, o)),
    lambda: TextProduct(r[o], o),
)
texts(
    "the root of a power of −1",
    "it has no value for T = 1",
    lambda: sqrt(TextProduct(Integer(-1), o)),
    lambda: TextProduct(Integer(1), o),
)
texts("a sum of absolute values", "r = 1 and −1", lambda: Abs(REWARDS), lambda: TextSum(Abs(r[o]), o))
texts("a product of zeros as it is for two lengths", "T = 2: 0 = −1", lambda: TextProduct(0, o), lambda: 1 - TOKENS)
texts(
    "the next token's number at a token",
    "there is none after the last one",
    lambda: TextMean(TextSum(2 * r[o + 1], o), pi),
    lambda: 2 * TextMean(TextSum(r[o + 1], o), pi),
)
texts("a quotient of products", "r = 0", lambda: TextProduct(2 * r[o], o) / TextProduct(r[o], o), lambda: 2**TOKENS)
texts(
    "a mean by twice the same, of the number of tokens",
    "0/0 for a text without tokens",
    lambda: TextMean(TOKENS, pi) / TextMean(2 * TOKENS, pi),
    lambda: Rational(1, 2),
)
texts(
    "totals over texts of −1 words",
    "there are no such texts",
    lambda: TextTotal(2 * y),
    lambda: 2 * TextTotal(y),
    Texts(o, o_, Integer(-1), ends=(y,)),
)
false(
    "an average over texts that may be none",
    "there is no average for k = 0",
    lambda: (
        Domain(simplex(pi, n), n >= 2, y, k >= 0),
        OnTexts(TextMean(Average(y, k), pi), TextMean(y, pi), WHOLE).by(OVER),
    ),
)
false(
    "the value after a token as that before it",
    "the token matters",
    lambda: (
        NUMBERED,
        AtStates(Ahead(TextMean(y, pi)), Here(TextMean(y, pi)), WHOLE).by(OneMoreToken((onward, onward_2))),
    ),
)
true(
    "the mean of the values after each token is that of the values before it",
    lambda: (
        NUMBERED,
        OnTexts(
            TextMean(TextSum(Ahead(TextMean(y, pi)), o), pi), TextMean(TextSum(Here(TextMean(y, pi)), o), pi), WHOLE
        ).by(OVER),
    ),
)

# -- sums that may be empty -------------------------------------------------------------------------------------------

Q = Rational(123457, 1000003)
N = (n - 37) ** 2
NUMBERS = Domain(n >= 0, k >= 1, v)


def hidden(name: str, why: str, gap: Any, domain: Domain = NUMBERS) -> None:
    """A number that is said to be 0 where v has one value, at which nobody looks."""
    false(name, why, lambda: (domain, Equal(Piecewise((gap(), Eq(v, Q)), (0, True)), 0)))


hidden(
    "a power that is no number where the sum is empty",
    "n = 37: 0 = 1",
    lambda: Sum(N ** (-k), (j, 1, N)) * N ** (k - 1) - 1,
)
hidden(
    "sums of which the first inner one is empty",
    "i = 1: there is no term",
    lambda: Sum(Sum(1 / (i - 1), (j, 1, i - 1)), (i, 1, n)) - n,
    Domain(n >= 1, v),
)
hidden(
    "a root of a power under a sum that is empty",
    "n = 37: 0 = 1",
    lambda: Sum(N ** Rational(-3, 2), (j, 1, N)) ** 2 * N - 1,
)
hidden("a delta at the first term of no terms", "n = 37", lambda: Sum(KroneckerDelta(j, 1), (j, 1, N)) - 1)
hidden("a greatest number that divides", "n = 37: 0 = 1", lambda: Sum(1 / Max(n - 37, 0), (j, 1, Max(n - 37, 0))) - 1)
hidden(
    "a number of terms that is a sum", "n = 0: 0 = 1", lambda: Sum(1 / Sum(1, (j, 1, n)), (i, 1, Sum(1, (j, 1, n)))) - 1
)
hidden(
    "an exponential of a logarithm",
    "n = 37: the sum is 0",
    lambda: Sum(exp(-k * log(N)), (j, 1, N)) * exp((k - 1) * log(N + 1)) - 1,
)
hidden("a product without the factor that is 0", "n = 0: the product is 1", lambda: Product(j - 1, (j, 1, n)))
hidden("a product of one factor that may be none", "n = 0", lambda: Product(1 + KroneckerDelta(j, 1), (j, 1, n)) - 2)
