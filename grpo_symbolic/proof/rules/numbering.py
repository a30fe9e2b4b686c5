"""Sums over two indices: as sums over one list, and in the other order."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Premise, Rule, valued
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal
from grpo_symbolic.proof.statements.substitution import substituted


@dataclass(frozen=True, eq=False)
class OneList(Rule["Equal"]):
    """A sum over groups, and over the members of each, is the sum over all members in one list, in which member g of
    group q has the number (q − 1)G + g.

    Both sides of the equation are a sum with a factor: the left one over groups of one size, the right one over the
    list.
    """

    theorems = ("Steps.groups_in_one_list",)

    def premises(self, conclusion: Equal, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        (outer, nested), (beside, listed) = map(_with_factor, (conclusion.left, conclusion.right))
        if len(nested.limits) != 2 or len(listed.limits) != 1:
            raise ClaimError("the rule of lists needs a sum over groups and their members, and one over a list")
        ((member, first, size), (group, begin, groups)), ((place, start, whole),) = nested.limits, listed.limits
        if (first, begin, start) != (1, 1, 1) or size.has(group):
            raise ClaimError("groups, members and the list are numbered from 1, and all groups have one size")
        caught = {member, group} & (beside * listed.function).free_symbols - {place}
        if caught:
            raise ClaimError(f"the list speaks of {min(map(str, caught))}, which numbers members or groups on the left")
        counted = sp.And(sp.Ge(size, 1, evaluate=False), sp.Ge(groups, 1, evaluate=False), evaluate=False)
        yield Premise(Always(counted, label=f"{label}: there are members"), domain)
        yield Premise(Equal(whole, groups * size, label=f"{label}: how many there are"), domain)
        yield from valued((conclusion.left, conclusion.right), domain, label)
        inside = numbered(member, 1, size, numbered(group, 1, groups, domain))
        there = substituted(listed.function, {place: (group - 1) * size + member})
        yield Premise(Equal(outer * nested.function, beside * there, label=f"{label}: one member"), inside)


@dataclass(frozen=True, eq=False)
class Exchanged(Rule["Equal"]):
    """A sum of sums may be taken in the other order: the left side, with a factor, runs over two indices, neither of
    which bounds the other.
    """

    theorems = ("Steps.sums_may_be_exchanged",)

    def premises(self, conclusion: Equal, domain: Domain) -> Iterator[Premise]:
        factor, nested = _with_factor(conclusion.left)
        if len(nested.limits) != 2:
            raise ClaimError("the rule of exchanged sums needs a sum over two indices on the left")
        inner, outer = nested.limits
        if any(sp.sympify(end).has(outer[0]) for end in inner[1:]):
            raise ClaimError(f"the range of {inner[0]} changes with {outer[0]}")
        if any(sp.sympify(end).has(inner[0]) for end in outer[1:]):
            raise ClaimError(f"the range of {outer[0]} speaks of another {inner[0]}: give the sum another letter")
        swapped = factor * sp.Sum(sp.Sum(nested.function, outer), inner)
        yield Premise(Equal(swapped, conclusion.right, label=f"{conclusion.label}: in the other order"), domain)
        yield from valued((conclusion.left,), domain, conclusion.label)


def _with_factor(side: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """A sum and its factor. Raises :class:`ClaimError` for anything else."""
    parts = sp.Mul.make_args(sp.sympify(side))
    sums = [part for part in parts if isinstance(part, sp.Sum)]
    factor = sp.Mul(*(part for part in parts if part not in sums))
    if len(sums) != 1 or factor.free_symbols & {limit[0] for limit in sums[0].limits}:
        raise ClaimError(f"{side} is no sum with a factor")
    return factor, sums[0]
