"""Fields of another kind than the rule asks for: each is refused in a sentence."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import false, true

TWO = Domain(reals(r, 2), r[1] > r[2])
for name, rewards in (("an entry", r[i]), ("the first entry", r[1])):
    false(
        f"rewards that are {name}",
        "AttributeError or StopIteration",
        lambda rewards=rewards: (TWO, AdvantageGiven(rewards, 2, i, 2, -1)),
    )
true("rewards that are a family", lambda: (TWO, AdvantageGiven(r, 2, i, 2, -1)))
for name, other in (("a logarithm", log(k + 1)), ("a modulus", Abs(k)), ("true", True), ("a family", r)):
    false(
        f"a polynomial that is {name}",
        "PolynomialError, or no end",
        lambda other=other: (
            Domain(G >= 2, 0 < x, x < 1),
            Always(binomial_mean(k, k, G, x) <= G * x).by(AgainstPolynomial(other)),
        ),
    )
true(
    "a polynomial",
    lambda: (Domain(G >= 2, 0 < x, x < 1), Always(binomial_mean(k, k, G, x) <= G * x).by(AgainstPolynomial(-k))),
)
