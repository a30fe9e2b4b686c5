"""Statements about GRPO that are almost so, velocities that reach their end, letters that move with the variable."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false

unit = Domain(0 < x, x < 1)
groups = Domain(G >= 2, 0 < x, x < 1)
two = Domain(simplex(pi, n), simplex(ref, n), n >= 2)
divergence = Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n))
reverse = Sum(ref[o] * log(ref[o] / pi[o]), (o, 1, n))

# -- almost so ---------------------------------------------------------------------------------------------------------
for name, why, domain, statement in (
    (
        "the deviation of a group is that of large groups or more",
        "by Jensen it is less",
        groups,
        Always(binomial_mean(sqrt(k * (G - k)), k, G, x) >= G * sqrt(x * (1 - x))),
    ),
    (
        "the share of mixed groups rises with success",
        "it falls beyond a half",
        groups,
        Monotone(1 - x**G - (1 - x) ** G, x),
    ),
    (
        "a divergence is at least its reverse",
        "at π = (1/2, 1/2), π_ref = (9/10, 1/10) it is more, and less the other way round",
        two,
        AtLeast(divergence, reverse, (Eq(pi[o], ref[o]),)).by(Gibbs((Divergence(pi[o], ref[o], o, 1, n),))),
    ),
    (
        "a divergence vanishes where the policy is uniform",
        "at π = (1/2, 1/2), π_ref = (9/10, 1/10) it does not",
        two,
        AtLeast(divergence, 0, (Eq(pi[o], 1 / n),)).by(Gibbs((Divergence(pi[o], ref[o], o, 1, n),))),
    ),
    (
        "Pinsker with a constant too large",
        "near x = y = 1/2 it is 2 (x − y)²",
        unit.also(0 < y, y < 1),
        Always(x * log(x / y) + (1 - x) * log((1 - x) / (1 - y)) >= 3 * (x - y) ** 2),
    ),
    (
        "clipping bounds what counts for losses too",
        "at u = −1 a ratio above 1 + ε counts in full",
        Domain(x > 0, u <= 0, 0 < epsilon, epsilon < 1),
        Equal(Min(x * u, (1 + epsilon) * u), (1 + epsilon) * u),
    ),
    (
        "the answer to a reward is convex in the reference",
        "it is concave",
        Domain(0 < p, p < 1, beta > 0),
        Curved(p * exp(1 / beta) / (p * exp(1 / beta) + 1 - p), p, 1),
    ),
    (
        "two answers are less than all",
        "at n = 2 they are all",
        Domain(simplex(pi, n), n >= 2, 1 <= i, i < j, j <= n),
        Always(pi[i] + pi[j] < 1),
    ),
    (
        "a mean with the variance of a single number",
        "it is y/n",
        Domain(y > 0, n >= 2),
        ForRandom(Eq(VarianceOf(Sum(P[o], (o, 1, n)) / n), y), (Random(P, i, 1, n, variance=y),)),
    ),
    (
        "the sum of the first numbers from before there are any",
        "at k = −3 an empty sum is 0, and not 3",
        Domain(n >= 1),
        ForEveryNumber(Eq(Sum(j, (j, 1, k)), k * (k + 1) / 2), k, -3).by(Induction()),
    ),
    (
        "the only rest point of two",
        "from between 0 and y it falls to 0",
        Domain(0 < y, y < 1),
        FlowTends(x * (1 - x) * (x - y), x, 0, 1, y),
    ),
):
    false(name, why, lambda domain=domain, statement=statement: (domain, statement))

# -- a velocity that reaches the end, and more than the way that is left -----------------------------------------------
false(
    "what reaches the end stays below it",
    "from 1/2 it is at 1 after half a second",
    lambda: (Domain(y), FlowRises(Integer(1), x, 0, 1).by(PositiveVelocity())),
)
false(
    "a root of the way that is left",
    "it takes 2 √(1 − x) seconds, and the rate moves with x",
    lambda: (Domain(y), FlowRises(sqrt(1 - x), x, 0, 1).by(PositiveVelocity(rate=1 / sqrt(1 - x)))),
)

# -- a letter that moves with the variable -----------------------------------------------------------------------------
false(
    "the largest value beside an entry that is the variable",
    "it is 0 everywhere",
    lambda: (
        Domain(0 < x, x < 1, reals(P, n), n >= 1, Eq(P[1], x)),
        OnlyMaximum(-((x - P[1]) ** 2), x, P[1]),
    ),
)
false(
    "a maximum beside a square of the variable",
    "with y = x² it is 2 x − 1",
    lambda: (Domain(x, Eq(y, x**2)), LocalMaximum(y - (x - 1) ** 2, x, 1)),
)
