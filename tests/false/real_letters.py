"""A letter that stands for any real number in a rule, and is a whole one: of whole numbers more is true."""

from __future__ import annotations

from grpo_symbolic.notation import members
from grpo_symbolic.paper import *

from . import false, true

half = Rational(1, 2)
texts = Texts(o, o_, n)


def products(*rest):
    """That a product of factors of at least one half is never below one half, beside sums."""
    left = Max(half, TextProduct(x, o)) + TextSum(x + x**2, o)
    right = TextProduct(x, o) + TextSum(x, o) + TextSum(x**2, o)
    return Domain(x >= half), OnTexts(left, right, texts).by(OverTokens(rest=rest))


false(
    "a product along a text that is a whole letter", "x = 1/2, T = 2: 1/4 is not 1/2", lambda: products(k, S0, S1, S2)
)
false("the same with a real letter", "x = 1/2, T = 2", lambda: products(S0, S1, S2, members[3]))
true(
    "sums and products along a text",
    lambda: (
        Domain(x >= half),
        OnTexts(
            TextProduct(x, o) + TextSum(x + x**2, o), TextProduct(x, o) + TextSum(x, o) + TextSum(x**2, o), texts
        ).by(OverTokens(rest=(S0, S1, S2, members[3]))),
    ),
)
false(
    "clipping with a whole ratio",
    "at the ratio 1 + 1/100 five is added: nothing is idle around the old policy",
    lambda: (Domain(x > 0), ClippingIsIdle(k * A + 5 * Piecewise((0, Eq(k, 1)), (1, True)), k, A, half)),
)
false(
    "clipping with a whole advantage",
    "at the advantage 1/2 five is added",
    lambda: (
        Domain(x > 0),
        ClippingIsIdle(ratio * k + 5 * Piecewise((0, Or(k <= 0, k >= 1)), (1, True)), ratio, k, half),
    ),
)
true(
    "clipping with real letters",
    lambda: (
        Domain(0 < epsilon, epsilon < 1),
        ClippingIsIdle(ratio * A + Piecewise((0, ratio <= 1 + epsilon), (-1, True)), ratio, A, epsilon),
    ),
)


def maxima(multiplier, condition):
    """What every maximum of the expected reward satisfies."""
    said = MaximaSatisfy(Sum(r[o] * pi[o], (o, 1, n)), pi, o, condition)
    rule = EqualSlopes(Summand(r[o] * t, t, pi, o, n), r[o], multiplier, r, multiplier)
    return Domain(simplex(pi, n), reals(r, n), n >= 1, multiplier), said.by(rule)


odd = Eq(Max(1, Abs(2 * r[o] - 1)), Abs(2 * r[o] - 1))
false(
    "a whole multiplier", "all rewards 1/2: every policy is a maximum, and max(1, 0) is not 0", lambda: maxima(k, odd)
)
false("a real multiplier", "all rewards 1/2", lambda: maxima(lam, odd))


reward = Sum(r[o] * pi[o] - pi[o] ** 2 / 2, (o, 1, n))


def multipliers(letter, slope):
    """The multipliers at the maxima of the expected reward less half the sum of squares."""
    said = MaximaHaveMultipliers(reward, (Kind(Summand(r[o] * letter - letter**2 / 2, letter, pi, o, n), slope),))
    return Domain(positives(pi, n), reals(r, n), n >= 1), said


false(
    "multipliers, the probability a whole letter",
    "n = 3, r = π = (0.2, 0.3, 0.5) has a maximum at π, where r − max(½, π) differ",
    lambda: multipliers(k, r[o] - Max(half, k)),
)
false("multipliers, the probability a real letter", "the same", lambda: multipliers(t, r[o] - Max(half, t)))
true("multipliers at the maxima", lambda: multipliers(t, r[o] - t))


def slopes(letter, slope, condition):
    """What equal slopes say at the maxima of the same."""
    rule = EqualSlopes(Summand(r[o] * letter - letter**2 / 2, letter, pi, o, n), slope, lam, r, lam + Max(half, pi[o]))
    return Domain(simplex(pi, n), reals(r, n), n >= 1, lam), MaximaSatisfy(reward, pi, o, condition).by(rule)


said = Eq(r[o] - Max(half, pi[o]), r[1] - Max(half, pi[1]))
false("equal slopes, the probability a whole letter", "the same point", lambda: slopes(k, r[o] - Max(half, k), said))


def rare(letter, slope, most, *domain):
    """That no policy on the n better answers has multipliers."""
    used = Place(Summand(letter - letter**2 / 2, letter, pi, o, n), slope, at=None)
    left = Place(Summand(t * 3 / 4, t, P, o, n), Rational(3, 4))
    total = Sum(pi[o] - pi[o] ** 2 / 2, (o, 1, n)) + Sum(P[o] * 3 / 4, (o, 1, n))
    where = Domain(positives(pi, n), reals(P, n), n >= 1, *domain)
    return where, ViolatesKKT(total, (used, left)).by(TooRare((most,), n * most, 1))


false(
    "used answers that are rare, the probability a whole letter",
    "n = 4: at π = (¼, ¼, ¼, ¼) all slopes are ¾, and the multipliers are 0",
    lambda: rare(k, 1 - Max(half, k), Integer(0)),
)
true("used answers that are rare", lambda: rare(x, 1 - x, Rational(1, 4), n <= 3))
