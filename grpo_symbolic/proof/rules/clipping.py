"""What clipping leaves alone: a neighbourhood of the old policy, and maxima under a convex penalty."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.programs import AVERAGED, NEVER_ADDS, UNCLIPPED, OfClipping
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import Family, Needs, Schema, f, g, h, i, n, s, t, x, y
from grpo_symbolic.proof.rules.simplex import Summand
from grpo_symbolic.proof.statements.statement import Phrase


@dataclass(frozen=True)
class ClippingIsIdle(OfClipping):
    """In groups of any size drawn from a policy with full support, whatever the laws of the rewards and the advantage
    of a member by its group, where the averages have expectations: for all policies in a neighbourhood of it the
    expected average of ``clipped`` is that of ``ratio`` times ``advantage``, as it is itself for a ratio within
    ``width`` of 1. So the two have the same derivatives there.
    """

    label: str = "clipping nearby"

    def phrase(self) -> Phrase:
        drawn = f"in groups of any size, with {AVERAGED}, for all policies in a neighbourhood"
        average = (
            "of an old policy with full support on finitely many outputs the expected average over its groups of",
            self.clipped,
            "is that of",
        )
        return (drawn, *average, self.ratio * self.advantage, ", where", self.ratio, "is the ratio to the old policy")


@dataclass(frozen=True, eq=False)
class IdleRatios(Schematic["ClippingIsIdle"]):
    """What does nothing to ratios near 1 does nothing to the average over a group while the policy is near the old one.

    ``using`` is for the range.
    """

    using: Using = ()
    schemas = (
        Schema(
            "ClippedMaxima.clipping_is_idle_around_the_old_policy",
            ClippingIsIdle(f(x, y), x, y, s),
            UNCLIPPED,
            proof="intros; by_theorem (@{theorem} f adv' s)",
        ),
    )


ClippingIsIdle.rule = IdleRatios()


@dataclass(frozen=True)
class ClippingMovesNoMaximum(OfClipping):
    """In groups of any size drawn from a policy with full support, whatever the laws of the rewards and the
    advantage of a member by its group, where the averages have expectations: of the policies with full support it
    maximises its own objective, the expected average of ``ratio`` times ``advantage`` less the sum ``penalty``, exactly
    if it does so with ``clipped`` for this product. Within ``width`` of 1 nothing is clipped.
    """

    penalty: Summand
    label: str = "maxima with clipping"

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (*super().bound, self.penalty.index, self.penalty.letter)

    def phrase(self) -> Phrase:
        drawn = (
            f"in groups of any size, with {AVERAGED}, a policy",
            self.penalty.family.label,
        )
        full = "with full support on finitely many outputs"
        own = (f"{full} maximises, among those, its own objective, the expected average over its groups of",)
        less = (self.ratio * self.advantage, ", where", self.ratio, "is the ratio to it, less", self.penalty.total)
        return (*drawn, *own, *less, ", exactly if it does so with", self.clipped, "instead")


@dataclass(frozen=True, eq=False)
class ConvexPenalty(Schematic["ClippingMovesNoMaximum"]):
    """Under a convex penalty the objective is concave, as ratios are linear in the policy: so a maximum with clipping,
    which is a local one without, is a global one; and where clipping never adds, a global maximum stays.

    ``using`` is for what is clipped; ``shape`` a rule for the curvature of the penalty.
    """

    using: Using = ()
    shape: Rule | None = None
    schemas = (
        Schema(
            "ClippedMaxima.clipping_keeps_maxima_under_a_convex_penalty",
            ClippingMovesNoMaximum(f(x, y), x, y, s, Summand(g(i, t), t, h(i), i, n)),
            (
                Needs(Family(h(i), positive=True, free=True)),
                *UNCLIPPED,
                NEVER_ADDS,
                Needs(Curved(g(i, t), t, 1, strict=False), (t > 0,), by="shape", label="the penalty of an answer"),
            ),
            proof="intros; with_penalty (@{theorem} f adv' s n old' (fun o p => - g (S o) p) S' M' L' E')",
        ),
    )


ClippingMovesNoMaximum.rule = ConvexPenalty()
