"""What has no value, where a lemma or a cited claim by which a premise is shown speaks of the same term elsewhere."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

BELOW = Always(log(beta) <= beta - 1, (log_below_tangent(beta),))


def lemma() -> InLetters:
    """log β ≤ β − 1 for a letter β > 0, at x: of no use, and it speaks of log β."""
    return InLetters(BELOW, Domain(beta > 0), {beta: x})


def factors(*where: Any) -> Any:
    return Domain(x > 0, y > 0, *where), Always(x * y + log(beta) > log(beta)).by(PositiveFactors(x, y, of_one=lemma()))


false("positive factors beside log β", "log β has no value where β ≤ 0", lambda: factors(beta))
true("positive factors beside log β, where it is one", lambda: factors(beta > 0))
false(
    "positive factors beside 1/β",
    "1/β has no value at 0",
    lambda: (
        Domain(x > 0, y > 0, beta),
        Always(x * y + 1 / beta > 1 / beta).by(
            PositiveFactors(x, y, of_one=InLetters(Always((1 / beta) ** 2 > 0), Domain(beta > 0), {beta: x}))
        ),
    ),
)


def cited(*where: Any) -> Any:
    base = claimed(Domain(beta > 0), BELOW, id="base")
    bad = Always(x * y + log(beta) > log(beta)).by(PositiveFactors(x, y, of_one=Follows((at(base, {beta: x}),))))
    return [claimed(Domain(x > 0, y > 0, *where), bad, depends_on=["base"]), base]


false("positive factors beside log β, by a claim", "log β has no value where β ≤ 0", lambda: cited(beta))
true("positive factors beside log β, by a claim, where it is one", lambda: cited(beta > 0))
KL = Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n))


def divergence(*where: Any) -> Any:
    return Domain(simplex(pi, n), simplex(ref, n), n >= 2, x > 0, *where), AtLeast(x * KL + log(beta), log(beta)).by(
        Gibbs((Divergence(pi[o], ref[o], o, 1, n),), x, using=lemma())
    )


false("a divergence beside log β, with a lemma", "log β has no value where β ≤ 0", lambda: divergence(beta))
true("a divergence beside log β, with a lemma, where it is one", lambda: divergence(beta > 0))
TOTAL = Sum(x * i, (i, 1, n))
false(
    "positive terms beside log β",
    "log β has no value where β ≤ 0",
    lambda: (
        Domain(n >= 2, x > 0, beta),
        Always(TOTAL + log(beta) > log(beta)).by(PositiveTerms(TOTAL, 1, using=lemma())),
    ),
)
MEAN = binomial_mean(x * k, k, G, y)
false(
    "an expectation beside log β",
    "log β has no value where β ≤ 0",
    lambda: (
        Domain(G >= 2, 0 < y, y < 1, x > 0, beta),
        Always(MEAN + x + log(beta) >= log(beta)).by(AgainstPolynomial(Integer(0), ends=lemma())),
    ),
)
