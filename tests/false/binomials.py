"""Expectations over a number of successes, and roots of convex functions, where a letter is not what it seems."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true

GROUP = Domain(G >= 2, 0 < x, x < 1)
RISE = binomial_mean(sqrt(k * (G - k)) / G, k, G, x)

false(
    "a mean whose coefficient moves with the chance",
    "(k − Gx)² is no fixed coefficient, and its mean Gx(1 − x) is concave",
    lambda: (GROUP, Curved(binomial_mean((k - G * x) ** 2, k, G, x), x, 1).by(ByDifferences())),
)
false(
    "a sum that leaves out the first number",
    "the chances of 1, …, G successes add up to 1 − (1 − x)^G",
    lambda: (
        GROUP,
        Equal(Sum(binomial(G, k) * x**k * (1 - x) ** (G - k), (k, 1, G)), 1).by(AgainstPolynomial(Integer(1))),
    ),
)
false(
    "a binomial coefficient below zero",
    "C(G, −1) has no value here",
    lambda: (Domain(G >= 2, k <= -1), Always(binomial(G, k) >= 0)),
)
false(
    "Jensen the wrong way",
    "√(t(1 − t)) is concave: its mean is below it",
    lambda: (GROUP, Always(RISE > sqrt(x * (1 - x))).by(AgainstPolynomial(sqrt(x * (1 - x)), 1))),
)
false(
    "the last coefficient at the first end",
    "at 0 no draw succeeds",
    lambda: (Domain(G >= 2), Tends(binomial_mean(k / G, k, G, x), x, 0, 1).by(AtAnEnd())),
)
false(
    "more draws for the same coefficients in k",
    "the mean of k grows with the draws",
    lambda: (GROUP, Equal(binomial_mean(k, k, G, x), binomial_mean(k, k, G + 1, x)).by(OneMoreDraw())),
)
false(
    "a count that the value speaks of",
    "the expectation does not depend on the number of successes that is drawn",
    lambda: (GROUP, CountMean(k, k, G, x, k).by(IndependentSuccesses())),
)
false(
    "two means that share the name of their number, one of it free",
    "the free k is one number",
    lambda: (GROUP.also(k >= 0, k <= G), Monotone(k * x**2 - binomial_mean(k, k, G, x), x).by(ByDifferences())),
)
false(
    "one root of a convex function that starts above",
    "x² − x + 1/8 has two roots in (0, 1)",
    lambda: (Domain(), OneRoot(x**2 - x, x, 0, 1, -Integer(1) / 8).by(ConvexBetweenLimits((0, 0)))),
)
false(
    "the side of a root that another letter moves",
    "what is compared with the root solves another equation",
    lambda: (
        Domain(0 < y, y < 1, 0 < z, z < 1, beta > 0),
        Always(Implies(Eq(z, beta), y < z)).by(SideOfRoot(t - beta, t, -beta)),
    ),
)
false(
    "a solution that tends to where its limit function vanishes twice",
    "the limit x² − x is not positive after 0",
    lambda: (Domain(), SolutionTends(x**2 - x - p, x, 0, 2, p, 0, 0).by(SolutionOfLimit(x**2 - x, -p, 1))),
)
false(
    "a limit between limits that enclose elsewhere",
    "for G ≥ 9 the bound fails",
    lambda: (Domain(), Tends(1 / (10 - G) ** 2 + 1, G, oo, 0, "-").by(Squeezed(Integer(0), 2 / G, 2))),
)


def cites_a_mean_elsewhere() -> list:
    """An equation between expectations, cited where the chance is none."""
    mean = claimed(GROUP, Equal(binomial_mean(k, k, G, x), G * x).by(AgainstPolynomial(k)), id="mean")
    bad = Always(binomial_mean(k, k, G, y) <= G).by(Follows((at(mean, {x: y}),)))
    return [claimed(Domain(G >= 2, y > 0), bad, depends_on=["mean"]), mean]


false("a mean at a chance above one", "E K = G y exceeds G for y > 1", cites_a_mean_elsewhere)
true(
    "one root of a line less a mean",
    lambda: (
        Domain(G >= 2, 0 < p, p < 1, beta > 0),
        OneRoot(beta * (x - p) - RISE, x, 0, 1).by(
            ConvexBetweenLimits((-beta * p, beta * (1 - p)), ByDifferences(), AtAnEnd())
        ),
    ),
)
true(
    "the variance of a number of successes",
    lambda: (
        GROUP,
        CountMean((k - G * x) ** 2, k, G, x, G * x * (1 - x)).by(
            IndependentSuccesses(AgainstPolynomial((k - G * x) ** 2))
        ),
    ),
)
