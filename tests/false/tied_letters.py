"""Letters that a domain ties to what a sentence varies or binds, and what is put into claims that bind it."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false

TIED, HALVES = Domain(x, y > 0, Eq(y, 2 - x)), Rational(1, 2)

# -- a letter that moves with the variable ----------------------------------------------------------------------------
for name, why, on, said in (
    ("a product that falls after one", "it is x (2 − x)", TIED, Monotone(x * y, x)),
    ("a slope that is tied", "it is x² (2 − x), which bends at 2/3", TIED, Curved(x**2 * y, x)),
    (
        "a constant that moves",
        "the Lipschitz constant is y = 2 − x, which is another at each x",
        TIED,
        Lipschitz(x * y, x, y),
    ),
    ("a maximum of what is constant", "it is 0 everywhere", Domain(x, y, Eq(y, x)), OnlyMaximum(-((x - y) ** 2), x, y)),
    (
        "a maximum at which the parabola is left",
        "on y = x² it is 2 x² + 2 x − 1, smallest at −1/2",
        Domain(x, y, Eq(y, x**2)),
        LocalMaximum(-((x - 1) ** 2) + 3 * y, x, 1),
    ),
    (
        "a distance between two that meet",
        "of one value nothing increases",
        Domain(x, y, y >= -x, y <= -x),
        Monotone(x / 2 + y, x),
    ),
    (
        "distances of a sequence that drags its centre",
        "with y = x the map is 3x/2, and leaves",
        Domain(x >= 0, x <= 1, y, Eq(y, x)),
        StaysNear(x / 2 + y, x, 0, 1, 2).by(ContractionWithErrors(HALVES)),
    ),
    (
        "a number of the policy that is called another letter",
        "it is 9 Σ π(o)² − Σ π(o)², which is convex",
        Domain(simplex(pi, n), n >= 2, y, Eq(y, Sum(pi[o] ** 2, (o, 1, n)))),
        ConcaveInPolicy(9 * y - Sum(pi[o] ** 2, (o, 1, n)), (pi,)).by(
            Separable((Summand(-(u**2) + 9 * y / n, u, pi, o, n),))
        ),
    ),
    (
        "a reward that is called another letter",
        "the expectation of P(i) times its distance from the mean is a variance",
        Domain(reals(P, n), n >= 2, y, Eq(y, P[1])),
        MemberMean(y * (P[i] - Sum(P[o], (o, 1, n)) / n), P, i, n, 0).by(Exchangeable()),
    ),
    (
        "an index that the domain gives a value",
        "with y = k the expectation of k is not k",
        Domain(k >= 0, k <= n, n >= 1, x > 0, x < 1, y, Eq(y, k)),
        Equal(Sum(binomial(n, k) * x**k * (1 - x) ** (n - k) * y, (k, 0, n)), y).by(AgainstPolynomial(y)),
    ),
):
    false(name, why, lambda on=on, said=said: (on, said))


# -- what is put into a claim that binds it ---------------------------------------------------------------------------
def put(on: Domain, lemma: Any, said: Any, value: Any) -> Any:
    """What a claim about any number z says where z is this value."""
    trivial = p**2 - p + 1 > 0
    base = claimed(on.also(trivial, z), lemma, id="lemma")
    step = Then((Always(trivial),), given=(at(base, {z: value}),))
    return [claimed(on, said.by(step), depends_on=("lemma",)), base]


MEANS = Domain(reals(P, n), n >= 1, p)


def mean_of(mean: Any, value: Any) -> Any:
    """That n random numbers of one mean have n times this mean."""
    return ForRandom(Eq(MeanOf(Sum(spread[i], (i, 1, n))), value), (Random(spread, i, 1, n, mean=mean),))


def constant(least: Any) -> Any:
    """That numbers that stay what they are stay above what the first one is above."""
    start, stays = (P[1] >= least,), (Eq(P[k + 1], P[k]),)
    return ForEveryNumber(P[k] >= least, k, 1, (reals(P, k),), stays, start)


false(
    "a mean by the number of the member",
    "the sum of the means is Σ P(i)",
    lambda: put(MEANS, mean_of(z, n * z).by(Linearity()), mean_of(P[i], n * P[i]), P[i]),
)
false(
    "a member of the sequence that is any sequence",
    "P(2) is no number of the domain's there",
    lambda: put(Domain(p), constant(z).by(Induction(such={P: z})), constant(P[2]), P[2]),
)

# -- numbers ----------------------------------------------------------------------------------------------------------
false(
    "a root of the wrong sign",
    "√(5 − 2√6) is √3 − √2",
    lambda: (Domain(x), Equal(sqrt(5 - 2 * sqrt(6)) * x, (sqrt(2) - sqrt(3)) * x)),
)
false(
    "an even power of minus two", "at n = 1 it is 4", lambda: (Domain(n >= 0), Equal((-2) ** (2 * n), -(2 ** (2 * n))))
)
false(
    "a power of one and a little more",
    "the second term is 10⁻⁷⁹⁹",
    lambda: (Domain(x), Always((1 + Rational(1, 10**400)) ** 5 * x**2 <= (1 + 5 * Rational(1, 10**400)) * x**2)),
)
