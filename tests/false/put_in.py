"""Values that a derivation puts in, for which its earlier steps say nothing."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

LAW = Domain(simplex(pi, n), reals(r, n), positives(P, n), n >= 1)
TOTAL = Sum(pi[o], (o, 1, n))


def derived(domain: Domain, steps: Callable[[Derivation], Any], value: Any) -> Claim:
    """That steps lead to a value."""
    d = Derivation("steps", domain)
    return claimed(domain, Equal(steps(d), value), by=d)


def size(d: Derivation) -> Any:
    """√(x²) is x for a positive x."""
    return d.rewrite(d.start(sqrt(x**2)), x)


false(
    "a negative number in the place of a positive one",
    "√(x²) is not −1 at x = −1",
    lambda: derived(Domain(x > 0), lambda d: d.restrict(size(d), {x: -1}), -1),
)
false(
    "any number in the place of a positive one",
    "√(x²) is not y where x is a negative y",
    lambda: derived(Domain(x > 0, y), lambda d: d.restrict(size(d), {x: y}), y),
)
false(
    "half a number",
    "of whole numbers only is it said",
    lambda: derived(Domain(k >= 1), lambda d: d.restrict(d.start(k**2), {k: Rational(1, 2)}), Rational(1, 4)),
)
false(
    "rewards in the place of a policy",
    "they have any sum",
    lambda: derived(LAW, lambda d: d.restrict(d.rewrite(d.start(TOTAL), 1), {pi[o]: r[o]}), 1),
)
false(
    "positive numbers in the place of a policy",
    "they have any sum",
    lambda: derived(LAW, lambda d: d.restrict(d.rewrite(d.start(TOTAL), 1), {pi[o]: P[o]}), 1),
)
false(
    "twice a policy in its place",
    "its sum is 2",
    lambda: derived(LAW, lambda d: d.restrict(d.start(TOTAL), {pi[o]: 2 * pi[o]}), 2),
)
false(
    "one probability by itself",
    "the other one moves with it",
    lambda: derived(Domain(simplex(pi, 2)), lambda d: d.restrict(d.rewrite(d.start(pi[2]), 1 - pi[1]), {pi[1]: 2}), -1),
)
false(
    "a number of answers, with a policy on as many",
    "of one policy on n answers the first has not all of the probability",
    lambda: derived(LAW, lambda d: d.restrict(d.rewrite(d.start(TOTAL), 1), {n: 1}), 1),
)
true("a positive number", lambda: derived(Domain(x > 0, y > 1), lambda d: d.restrict(size(d), {x: y - 1}), y - 1))
true(
    "a policy in the place of positive numbers",
    lambda: derived(LAW, lambda d: d.restrict(d.start(Sum(P[o], (o, 1, n))), {P[o]: pi[o]}), 1),
)
true(
    "a mixture of policies in the place of one",
    lambda: derived(
        Domain(simplex(pi, n), simplex(P, n), n >= 1),
        lambda d: d.restrict(d.start(TOTAL), {pi[o]: (pi[o] + P[o]) / 2}),
        1,
    ),
)
