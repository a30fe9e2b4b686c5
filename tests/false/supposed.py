"""What is supposed, or spoken of, and there is nowhere: entries, advantages, probabilities and series."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false, true

two = Domain(simplex(pi, n), Eq(n, 2), G >= 2)


def deviation(reward, expected):
    """What the deviation of the rewards of a group is expected to be, of which "is not negative" is printed."""
    found = Sum(pi[o] * expected * reward, (o, 1, n))
    return two, MeanDeviation(pi, o, n, G, expected, reward, found)


false(
    "a deviation of falling advantages",
    "the reward 2 has no smaller advantage than 1; at π = (½, ½) the deviation would be −½, which is not negative",
    lambda: deviation(o * 1, 3 - 2 * o),
)
false(
    "a deviation of equal rewards",
    "where all rewards are 1 no advantage is ±1",
    lambda: deviation(Integer(1), 3 - 2 * o),
)
true("a deviation of rising advantages", lambda: deviation(o * 1, 2 * o - 3))


def entries(*given):
    """That all probabilities exceed 5, where something is supposed of all of them."""
    said = InEveryEntry(given, pi[o] > 5, o, n)
    return Domain(simplex(pi, n), simplex(ref, n), n >= 1, x), said.by(
        NothingLeft(Sum(pi[o] - ref[o], (o, 1, n)), Integer(1))
    )


false("in every entry, of negative probabilities", "no probability is negative", lambda: entries(pi[o] < 0))
false("in every entry, of a number that is positive and negative", "no x is", lambda: entries(x > 0, x < 0))


def series(value, *domain):
    """That no sum of a series of numbers that are not negative exceeds its value."""
    return Domain(*domain), BelowSeries(error[k], k, value, (error[k] >= 0,))


false("a series of value 1/x", "at x = 0 there is none", lambda: series(1 / x, x))
false(
    "a series with a negative value",
    "the sums of what is not negative do not converge to x < 0",
    lambda: series(x, x < 0),
)


# -- an equation that is looked for as two inequalities, at two points -------------------------------------------------


def shares(where):
    """That n probabilities x are the only best ones where they add up to 1."""
    said = OnlyBestPolicy((Answered(Part(-((z - x) ** 2), z, -(x**2)), o, Integer(1)),), (x,), supposed=True)
    return Domain(x > 0, where), said.by(OneMultiplier(0, (Loss((z - x) ** 2),)))


false("one best probability that is 1 nowhere", "x is not 1", lambda: shares(Ne(x, 1)))
true("one best probability that is 1 somewhere", lambda: shares(x < 2))
