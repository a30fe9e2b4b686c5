"""Variances that are none, families and letters that a record varies, and ties that pass through others."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import false

SAMPLED = Domain(n >= 2, G >= 2, simplex(ref, n), reals(P, n), y)
MEAN = Sum(P[o] * ref[o], (o, 1, n))
SPREAD = Sum((P[j] - MEAN) ** 2 * ref[j], (j, 1, n))
KEPT = (positives(pi, n), positives(old, n), simplex(ref, n), reals(P, k), n >= 1, k >= 1, y > 0, u)


# -- the variance of what an answer is paid ---------------------------------------------------------------------------
def of_mean(within: Any) -> Any:
    """The variance of the mean of a group whose answers are paid with this variance."""
    variance = SPREAD + Sum(ref[o] * within, (o, 1, n))
    return MeanOfLargeGroups(ref, P, within, o, n, G, MEAN, variance=variance)


for name, why, on, within in (
    ("a variance that falls with the group", "it is another one for each size", SAMPLED, 1 / (1 + G**2)),
    ("a variance that is called as the group", "with y = G it grows along", SAMPLED.also(y >= 0, Eq(y, G)), y),
    ("a variance below zero by next to nothing", "at P(o) = 0 it is −10⁻⁹", SAMPLED, P[o] ** 2 - Rational(1, 10**9)),
    ("a variance of the next answer", "the last one has none", SAMPLED, P[o + 1] ** 2),
    ("a variance of another list", "r has k numbers, maybe fewer than n", SAMPLED.also(reals(r, k), k >= 1), r[o] ** 2),
    ("a variance below zero of the last answer", "it is −1 at o = n", SAMPLED, Piecewise((1, o < n), (-1, True))),
    ("a variance below zero of the first answer", "it is −1 at o = 1", SAMPLED, o - 2),
):
    false(name, why, lambda on=on, within=within: (on, of_mean(within)))

false(
    "a deviation without that of the rewards",
    "the variance of an answer's reward is added to that between them",
    lambda: (SAMPLED, DeviationOfLargeGroups(ref, P, ref[o], o, n, G, sqrt(SPREAD))),
)


# -- what a record varies ---------------------------------------------------------------------------------------------
def kkt(cost: Any) -> Any:
    """That the reference is a KKT point where an answer that is given up costs as much as this."""
    whole = Sum(-cost * old[o] * pi[o] / ref[o], (o, 1, n)) + Sum(u * P[o], (o, 1, k))
    used = Place(Summand(-cost * old[o] * x / ref[o], x, pi, o, n), -cost * old[o] / ref[o], ref[o], old)
    return SatisfiesKKT(whole, (used, Place(Summand(u * x, x, P, o, k), u)), u <= -cost)


false(
    "a cost that is a number of the policy",
    "its own slope is left out: no KKT point at n = 2, u = −2",
    lambda: (Domain(*KEPT), kkt(pi[1])),
)
false(
    "a cost that is called a number of the policy",
    "with y = π(1) its own slope is left out",
    lambda: (Domain(*KEPT, Eq(y, pi[1])), kkt(y)),
)
false(
    "a gain that is called a number of the policy",
    "the slope in π(1) lacks Σ P(o) π(o)",
    lambda: (
        Domain(positives(pi, n), reals(P, n), n >= 1, y, Eq(y, pi[1])),
        MaximaHaveMultipliers(
            Sum(y * P[o] * pi[o] - 1 / pi[o], (o, 1, n)),
            (Kind(Summand(y * x * P[o] - 1 / x, x, pi, o, n), y * P[o] + 1 / x**2, True),),
        ),
    ),
)

# -- ties through others ----------------------------------------------------------------------------------------------
for name, why, on in (
    ("a jump by way of another letter", "z = y and y = sign x", Domain(x, y, z, Eq(z, y), Eq(y, sign(x)))),
    (
        "a jump between two that meet at a third",
        "y ≤ x ≤ y, z = sign y",
        Domain(x, y, z, Eq(z, sign(y)), y <= x, y >= x),
    ),
    ("a jump by the larger of two bounds", "z = sign x", Domain(x, z, Max(z - sign(x), sign(x) - z) <= 0)),
):
    false(name, why, lambda on=on: (on, Continuous(x + z, x)))
false(
    "a member of another group that jumps",
    "the sum of two numbers is sign x",
    lambda: (Domain(x, reals(P, 2), Eq(Sum(P[o], (o, 1, 2)), sign(x))), Continuous(x + P[1] + P[2], x)),
)
