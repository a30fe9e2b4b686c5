"""Answers, groups, clipping and motion where a weight, a range or an end may be nothing."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false

policies = Domain(simplex(pi, n), simplex(old, n), n >= 2)
rewarded = policies.also(reals(r, n), reals(P, n))

# -- divergences -------------------------------------------------------------------------------------------------------
backwards = Divergence(pi[o], old[n + 1 - o], o, 1, n)
false(
    "an answer beside its mirror image",
    "of two answers (0.3, 0.7) beside (0.3, 0.7) the sum is positive",
    lambda: (
        policies,
        AtLeast(Sum(pi[o] * log(pi[o] / old[n + 1 - o]), (o, 1, n)), 0, (Eq(pi[o], old[o]),)).by(Gibbs((backwards,))),
    ),
)
false(
    "a penalty that may have no weight",
    "at β = 0 both sides are equal for all policies",
    lambda: (
        policies.also(beta >= 0),
        AtLeast(beta * Sum(pi[o] * log(pi[o] / old[o]), (o, 1, n)), 0, (Eq(pi[o], old[o]),)).by(
            Gibbs((Divergence(pi[o], old[o], o, 1, n),), beta)
        ),
    ),
)

# -- groups ------------------------------------------------------------------------------------------------------------
gain = Sum(pi[o] * r[o], (o, 1, n)) - Sum(old[o] * r[o], (o, 1, n))
for name, why, on, said in (
    (
        "rewards less the mean of their group",
        "a member's own reward is a part of that mean: it is (1 − 1/G) of this",
        rewarded.also(G >= 2),
        CentredSurrogate(old, o, n, G, gain, new=pi, rewards=r),
    ),
    (
        "half of wins less losses",
        "the advantage in a pair is 1 or −1",
        rewarded,
        AdvantageInPairs(pi, o, n, 2, (P[o] - r[o]) / 2, wins=P, losses=r),
    ),
    (
        "a mean that shrinks with the group",
        "z is one over the size of one group, and no limit",
        Domain(simplex(old, n), reals(r, n), n >= 1, z, k >= 1, Eq(Sum(old[o] * r[o], (o, 1, n)), 1 / k)),
        MeanOfLargeGroups(
            old, r, None, o, n, k, z, variance=Sum(old[o] * (r[o] - Sum(old[j] * r[j], (j, 1, n))) ** 2, (o, 1, n))
        ),
    ),
    (
        "a variance of numbers that are one",
        "with the covariance y of all pairs the mean varies by y",
        Domain(n >= 2, x, y >= 0),
        ForRandom(
            Eq(VarianceOf(Sum(r[j], (j, 1, n)) / n), y / n), (Random(r, j, 1, n, mean=x, covariance=y, other=k),)
        ),
    ),
):
    false(name, why, lambda on=on, said=said: (on, said))

# -- clipping ----------------------------------------------------------------------------------------------------------
clipped = Min(u * A, Max(1 - epsilon, Min(1 + epsilon, u)) * A)
false(
    "clipping with a range of none",
    "at ε = 0 nothing is left around the policy",
    lambda: (Domain(epsilon >= 0), ClippingKeepsMaxima(clipped, u, A, epsilon)),
)
false(
    "clipping with twice its range",
    "beyond ε it does something",
    lambda: (Domain(epsilon > 0), ClippingKeepsMaxima(clipped, u, A, 2 * epsilon)),
)

# -- maxima, flows and iterations at an end ----------------------------------------------------------------------------
near = Part(-beta * (x - old[o]) ** 2, x, -beta * old[o] ** 2)
false(
    "the only maximum of what may be flat",
    "at β = 0 every policy is one",
    lambda: (
        Domain(simplex(old, n), n >= 2, beta >= 0),
        OnlyBestPolicy((Answered(near, o, n),), (old[o],)).by(OneMultiplier(0, (Loss(beta * (x - old[o]) ** 2),))),
    ),
)
false(
    "a flow to a rest that may lie outside",
    "at y = 2 every start leads to 1",
    lambda: (Domain(y > 0), FlowTends(x * (1 - x) * (y - x), x, lower=0, upper=1, rest=y)),
)
false(
    "an orbit that may stand still",
    "at y = 0 it stays at 1/2",
    lambda: (Domain(0 <= y, y < 1), RisesToUpperEnd(Iteration(x + y * x * (1 - x), x, Rational(1, 2)), 0, 1)),
)

# -- derivatives and entries -------------------------------------------------------------------------------------------
false(
    "a slope along one of two equal entries",
    "it is P(2), which is P(1), and not twice that",
    lambda: (Domain(reals(P, n), n >= 2, Eq(P[1], P[2])), Equal(Derivative(P[1] * P[2], P[1]), 2 * P[1])),
)
false(
    "what follows in every entry of a sum that need not vanish",
    "r(o) = P(o)² = 1 for all of them",
    lambda: (
        Domain(reals(P, n), reals(r, n), n >= 2),
        InEveryEntry((Eq(r[o], P[o] ** 2),), Eq(P[o], 0), o, n).by(
            NothingLeft(Sum(r[o], (o, 1, n)), P[o] ** 2, example={n: 2, r: [0, 0], P: [0, 0]})
        ),
    ),
)
