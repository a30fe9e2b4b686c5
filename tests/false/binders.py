"""Letters that are bound twice, bound beside and free, or printed alike; families and indices that assume something."""

from __future__ import annotations

from sympy import IndexedBase, Symbol

from grpo_symbolic.paper import *

from . import false, true

some, several = Domain(x), Domain(simplex(pi, n), reals(r, n), n >= 2)
twice = Sum(k * j, (j, 1, 2), (k, 1, 2), (k, 1, 2))

false("a letter bound twice around a product", "it is 2 · 9", lambda: (some, Equal(twice, 20)))
false(
    "an example of a letter bound twice",
    "at n = 2 it is 18",
    lambda: (Domain(n >= 1), Exists(Eq(Sum(k * j, (j, 1, n), (k, 1, n), (k, 1, n)), 20), {n: 2})),
)
false(
    "an expectation in an expectation, the outer letter used again",
    "it is twice the variance",
    lambda: (
        several,
        Equal(Sum(pi[o] * Sum(pi[o] * Sum(pi[j] * (r[j] - r[o]) ** 2, (j, 1, n)), (o, 1, n)), (o, 1, n)), 0),
    ),
)
false(
    "a product whose letter is bound again",
    "ΠₖΠₖΣⱼ jk over 1, 2 is (3 · 6)² = 324",
    lambda: (some, Equal(Product(Product(Sum(j * k, (j, 1, 2)), (k, 1, 2)), (k, 1, 2)), 100)),
)
false(
    "three letters of which the outermost is bound again",
    "ΣₖΣⱼΣₖ(Σᵢ i)k is 3 · 3 · 2 · 2 over 1, 2",
    lambda: (some, Equal(Sum(Sum(o * k, (o, 1, 2)), (k, 1, 2), (j, 1, 2), (k, 1, 2)), 40)),
)
false(
    "a bound above a bound letter in the end of a sum",
    "Σₖ₌₁²Σₖ₌₁²Σⱼ₌₁ᵏ j is 2 · (1 + 3)",
    lambda: (some, Equal(Sum(j, (j, 1, k), (k, 1, 2), (k, 1, 2)), 10)),
)
false(
    "a letter free beside a sum and bound in it, as one",
    "at n = 1 it is 1 + 3",
    lambda: (Domain(n >= 1), Equal(n + Sum(Sum(n, (n, 1, 2)), (k, 1, n)), n + n**2)),
)
false("an index that is positive by assumption", "k ≥ 0 is not all that is used", lambda: _stepped("k", positive=True))
false(
    "an index that is called a sentence", "its name says what no sum says", lambda: _stepped("k, a prime", integer=True)
)

# -- families

false(
    "a policy of whole numbers",
    "probabilities of 1/2 are no whole numbers",
    lambda: (Domain(simplex(family("pi", integer=True), n), n >= 1), Always(family("pi", integer=True)[1] >= 1)),
)

true("a letter bound twice around a product, counted right", lambda: (some, Equal(twice, 18)))
true(
    "an expectation in an expectation with letters of their own",
    lambda: (several, Equal(Sum(pi[o] * Sum(pi[o_] * (r[o_] - r[o]), (o_, 1, n)), (o, 1, n)), 0)),
)
true(
    "an expectation that hides the letter around it",
    lambda: (several, Equal(Sum(pi[o] * Sum(pi[o], (o, 1, n)), (o, 1, n)), 1)),
)


def _stepped(name, **assumed):
    index = Symbol(name, **assumed)
    return some, Equal(Sum(index + x, (index, 2, 5)), 14 + 4 * x)


def family(name, **assumed):
    """A family that is called as one of the notation, and is another."""
    return IndexedBase(name, **assumed)


false(
    "a sum that binds the number of the sentence",
    "the sum of 1, …, k is k only for k = 1",
    lambda: (Domain(x), ForEveryNumber(Eq(Sum(k, (k, 1, k)), k), k, 1).by(Induction())),
)
for name, statement, why in (
    ("an end that is bound again", Equal(Sum(Sum(k, (k, 1, k)), (k, 1, n)), n * (n + 1) / 2), "at n = 2 it is 1 + 3"),
    ("a beginning that is bound again", Equal(Sum(Sum(1, (k, k, n)), (k, 1, n)), n**2), "at n = 2 it is 3"),
    (
        "three sums over one letter",
        Equal(Sum(k * Sum(k * Sum(k, (k, 1, n)), (k, 1, n)), (k, 1, n)), Sum(k, (k, 1, n)) ** 2 * n),
        "at n = 2 it is 27",
    ),
    (
        "the terms of one sum, the index of the other",
        Equal(Sum(Sum(r[j], (j, 1, k)), (k, 1, n)), Sum(k * r[k], (k, 1, n))),
        "r(1) counts n times",
    ),
):
    false(name, why, lambda statement=statement: (Domain(reals(r, n), n >= 2), statement))
