"""What clipping leaves alone: a neighbourhood of the old policy, and maxima under a convex penalty."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.programs import AVERAGED, never_adds, unclipped_nearby
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, by_rule
from grpo_symbolic.proof.rules.simplex import Summand
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class IdleRatios(Rule["ClippingIsIdle"]):
    """What does nothing to ratios near 1 does nothing to the average over a group while the policy is near the old one.

    ``using`` is for the range.
    """

    using: Using = ()
    theorems = ("ClippedMaxima.clipping_is_idle_around_the_old_policy",)

    def premises(self, conclusion: ClippingIsIdle, domain: Domain) -> Iterator[Premise]:
        yield from unclipped_nearby(conclusion, domain, self.using)


@dataclass(frozen=True)
class _Clipping(Conclusion):
    """Base: ``clipped`` stands for ``ratio`` times ``advantage``; ``width`` is how far from 1 the ratio may be where
    nothing is clipped.
    """

    clipped: sp.Expr
    ratio: sp.Symbol
    advantage: sp.Symbol
    width: Scalar
    claimed = ("clipped",)
    binds = ("ratio", "advantage")
    ranges = True


@dataclass(frozen=True)
class ClippingIsIdle(_Clipping):
    """In groups of any size drawn from a policy with full support, whatever the laws of the rewards and the advantage
    of a member by its group, where the averages have expectations: for all policies in a neighbourhood of it the
    expected average of ``clipped`` is that of ``ratio`` times ``advantage``, as it is itself for a ratio within
    ``width`` of 1. So the two have the same derivatives there.
    """

    label: str = "clipping nearby"
    rule = IdleRatios()

    def phrase(self) -> Phrase:
        drawn = f"in groups of any size, with {AVERAGED}, for all policies in a neighbourhood"
        average = (
            "of an old policy with full support the expected average over its groups of",
            self.clipped,
            "is that of",
        )
        return (drawn, *average, self.ratio * self.advantage, ", where", self.ratio, "is the ratio to the old policy")


@dataclass(frozen=True, eq=False)
class ConvexPenalty(Rule["ClippingMovesNoMaximum"]):
    """Under a convex penalty the objective is concave, as ratios are linear in the policy: so a maximum with clipping,
    which is a local one without, is a global one; and where clipping never adds, a global maximum stays.

    ``using`` is for what is clipped; ``shape`` a rule for the curvature of the penalty.
    """

    using: Using = ()
    shape: Rule | None = None
    theorems = ("ClippedMaxima.clipping_keeps_maxima_under_a_convex_penalty",)

    def premises(self, conclusion: ClippingMovesNoMaximum, domain: Domain) -> Iterator[Premise]:
        label, penalty = conclusion.label, conclusion.penalty
        penalty.alone(domain, {penalty.family})
        term = sp.sympify(penalty.term)
        if any(e.base == penalty.family for e in term.atoms(sp.Indexed)) or term.has(
            conclusion.ratio, conclusion.advantage
        ):
            raise ClaimError(f"{label}: {term} speaks of more than one probability")
        yield from unclipped_nearby(conclusion, domain, self.using)
        yield never_adds(conclusion, domain, self.using)
        inside = numbered(penalty.index, 1, penalty.size, domain).also(penalty.letter > 0)
        convex = Curved(term, penalty.letter, 1, strict=False, label=f"{label}: the penalty of an answer")
        yield Premise(by_rule(convex, self.shape), inside)


@dataclass(frozen=True)
class ClippingMovesNoMaximum(_Clipping):
    """In groups of any size drawn from a policy with full support, whatever the laws of the rewards and the
    advantage of a member by its group, where the averages have expectations: of the policies with full support it
    maximises its own objective, the expected average of ``ratio`` times ``advantage`` less the sum ``penalty``, exactly
    if it does so with ``clipped`` for this product. Within ``width`` of 1 nothing is clipped.
    """

    penalty: Summand
    label: str = "maxima with clipping"
    rule = ConvexPenalty()

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (*super().bound, self.penalty.index, self.penalty.letter)

    def phrase(self) -> Phrase:
        drawn = (
            f"in groups of any size, with {AVERAGED}, of the policies",
            self.penalty.family.label,
        )
        own = ("with full support one maximises its own objective, the expected average over its groups of",)
        less = (self.ratio * self.advantage, ", where", self.ratio, "is the ratio to it, less", self.penalty.total)
        return (*drawn, *own, *less, ", exactly if it does so with", self.clipped, "instead")
