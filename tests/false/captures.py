"""Letters along which a derivative is taken, or by which a sum numbers its terms, that what is put in speaks of too."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

SLOPE = Equal(Derivative(x**2 * y, x), 2 * x * y)
PLANE = Domain(x, y)


def cites(value: Any, statement: Any, on: Domain) -> list[Claim]:
    """A claim that follows from a slope with a value for y."""
    slope = claimed(PLANE, SLOPE, id="slope")
    return [claimed(on, statement.by(Follows((at(slope, {y: value}),))), depends_on=["slope"]), slope]


false(
    "a slope at a value that moves along",
    "the slope of x²y at y = x is 2x², and that of x³ is 3x²",
    lambda: cites(x, Equal(3 * x**2, 2 * x**2), Domain(x)),
)
true("a slope at a value that does not move", lambda: cites(z, Equal(Derivative(x**2 * z, x), 2 * x * z), Domain(x, z)))
false(
    "a slope at a value that moves along, in letters",
    "with y = x the slope of x³ would be 2x²",
    lambda: (Domain(x), Equal(3 * x**2, 2 * x**2).by(InLetters(SLOPE, PLANE, {y: x}))),
)

# -- sums of which a rule makes a letter ------------------------------------------------------------------------------

ONES, LINE = Derivative(Sum(x, (k, 1, n)), x), Sum(x, (k, 1, n))
false(
    "the slope of a sum is bounded, by induction",
    "it is n, and y may be 1",
    lambda: (Domain(x, y >= 1), ForEveryNumber(Le(ONES, y, evaluate=False), n, 1).by(Induction(ByDifference(y - 1)))),
)
true(
    "a sum that grows by one number, by induction",
    lambda: (Domain(x), ForEveryNumber(Eq(LINE, n * x, evaluate=False), n, 1).by(Induction())),
)
false(
    "the lim sup of the slope of a sum",
    "the slope is r₁ + … + rₖ, whatever these are",
    lambda: (
        Domain(y),
        LimSup(Derivative(Sum(r[i] * y, (i, 1, k)), y), k, 0, ((P[k], Integer(0)),)).by(
            Compared((), ByDifference(Abs(S1)))
        ),
    ),
)
true("the lim sup of what tends to nought", lambda: (Domain(y), LimSup(P[k], k, 0, ((P[k], Integer(0)),))))
false(
    "a series of slopes of sums",
    "1 − (r₁² + … + rₖ²) may be negative",
    lambda: (
        Domain(x, y),
        BelowSeries(1 - Derivative(Sum(y * r[i] ** 2, (i, 1, k)), y), k, x).by(
            NoNegativeTerms(ByDifference(Integer(1)))
        ),
    ),
)
MOVING = Texts(o, o_, n, rates=((r, Integer(1)),))
OVER = OverTokens((onward, onward_2), (onward_3, onward_4), rest=(u, z))
LAW = Domain(simplex(pi, n), reals(r, n), n >= 2, y)
false(
    "the gradient of a slope along another letter",
    "the slope is the sum of the rewards, each of which moves at the rate 1",
    lambda: (LAW, OnTexts(Gradient(Derivative(TextSum(y * r[o], o), y)), 0, MOVING).by(OVER)),
)
true(
    "the gradient of a sum times a letter",
    lambda: (LAW, OnTexts(Gradient(TextSum(y * r[o], o)), y * TextSum(1, o), MOVING).by(OVER)),
)

# -- numbers of successes ---------------------------------------------------------------------------------------------

false(
    "a number of draws that is the number of successes",
    "inside of the sum k is each number of successes: it is (1 − x)² times a number, and tends to 0",
    lambda: (Domain(k >= 0), Tends(binomial_mean(Integer(1), k, k + 2, x), x, 1, 1, "-").by(AtAnEnd())),
)
true(
    "a number of draws by another letter",
    lambda: (Domain(k >= 0), Tends(binomial_mean(Integer(1), j, k + 2, x), x, 1, 1, "-").by(AtAnEnd())),
)
for first, second in ((j, k), (k, j)):
    false(
        f"a number that another mean counts, as its coefficient: {first}",
        "the sum is 1 and the number, and does not tend to 1 + G",
        lambda first=first, second=second: (
            Domain(first >= 0, G >= 1),
            Tends(binomial_mean(Integer(1), first, G, x) + binomial_mean(first, second, G, x), x, 1, 1 + G, "-").by(
                AtAnEnd()
            ),
        ),
    )
true(
    "a number that no mean counts, as a coefficient",
    lambda: (
        Domain(k >= 0, G >= 1),
        Tends(binomial_mean(Integer(1), i, G, x) + binomial_mean(k, j, G, x), x, 1, 1 + k, "-").by(AtAnEnd()),
    ),
)
