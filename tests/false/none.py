"""Families that need not have a number: their sum may be 0, and no letter numbers one of theirs."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

ANY, SOME = Domain(reals(r, n), n >= 0), Domain(reals(r, n), n >= 1)
MEMBER = Ge(n + r[k], 1 + r[k], evaluate=False)  # of a number of r, of which there is none for n = 0
SQUARE = 1 + r[k] ** 2

false("a sum of positive numbers", "for n = 0 it is 0", lambda: (Domain(simplex(P, n, x), n >= 0, x), Always(x > 0)))
true("a sum of one or more positive numbers", lambda: (Domain(simplex(P, n, x), n >= 1, x), Always(x > 0)))
true("a sum of positive numbers, weakly", lambda: (Domain(simplex(P, n, x), n >= 0, x), Always(x >= 0)))


def cites(domain: Domain) -> list[Claim]:
    """That there is a number, by what a claim says of any of them."""
    member = claimed(domain, Always(MEMBER), id="member")
    return [claimed(domain, Always(n >= 1).by(Follows((at(member, {}),))), depends_on=["member"]), member]


false("a number that a cited claim has", "n = 0", lambda: cites(ANY))
true("a number that a cited claim has, where there is one", lambda: cites(SOME))
false("a number of which something is shown first", "n = 0", lambda: (ANY, Always(n >= 1).by(Then((Always(MEMBER),)))))
true(
    "a number of a policy, of which something is shown first",
    lambda: (Domain(simplex(pi, n), reals(r, n)), Always(n >= 1).by(Then((Always(MEMBER),)))),
)
false(
    "a number in the factors of another one",
    "n = 0",
    lambda: (ANY, Always(n > 0).by(PositiveFactors(n * SQUARE, 1 / SQUARE))),
)
true(
    "a number in the factors of another one, where there is one",
    lambda: (SOME, Always(n > 0).by(PositiveFactors(n * SQUARE, 1 / SQUARE))),
)


def member(least: int) -> Any:
    """That the centred reward of a member of a group has the expectation 0, where there are at least so many."""
    said = MemberMean(r[i] - Sum(r[j], (j, 1, G)) / G, r, i, G, 0)
    return Domain(reals(r, G), least <= G), said.by(Exchangeable())


false("what is expected of a member of a group without one", "for G = 0 there is no output i", lambda: member(0))
true("what is expected of a member of a group", lambda: member(1))
