"""The GRPO objective and its relatives for one question: a reward preference minus β times a divergence, with π_old
held fixed.

Sources: Vojnovic & Yun (2025), equation (1) without clipping, Section 2.3, Appendix B; Section 3 for the variants.
As it was published, of tokens and with its clip: :func:`grpo_symbolic.objectives.group.published_grpo` as an objective,
:data:`grpo_symbolic.setting.PAPER_GRPO` as a record.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from numbers import Number

import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.notation import o as _answer
from grpo_symbolic.objectives.advantage import SHIFT_AND_SCALE, Advantage, pairwise_sign
from grpo_symbolic.objectives.divergence import GRPO_PENALTY, Penalised
from grpo_symbolic.objectives.own import as_advantage, as_penalty
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown, differing


@dataclass(frozen=True)
class Objective(Shown):
    """A point in the space of objectives: advantage × divergence × group size, and the strength β of the divergence.

    ``value`` is the objective as a function of the new policy with ``old`` free; identifying the two is a separate,
    later step. Advantage and divergence may be of one's own: see :mod:`grpo_symbolic.objectives.own`. ``group_size``, a
    whole number from 2 on or ``oo`` for the limit, is asked for where preferences are computed from rewards; where they
    are given, nothing depends on it. Raises :class:`BadInput` for a β that is not positive and for a smaller group.
    """

    beta: Scalar
    group_size: Scalar | None = None
    advantage: Advantage = SHIFT_AND_SCALE
    divergence: Penalised = GRPO_PENALTY

    __repr__ = differing

    def __post_init__(self) -> None:
        object.__setattr__(self, "advantage", as_advantage(self.advantage))
        object.__setattr__(self, "divergence", as_penalty(self.divergence))
        for name, given in (("β", self.beta), ("the group size", self.group_size)):
            check_kind(given, (Number, sp.Expr, type(None)), name, "a number or a SymPy expression")
        if sp.sympify(self.beta).is_nonpositive:
            raise BadInput(f"β must be positive, got {self.beta}")
        if self.group_size is not None and (size := sp.sympify(self.group_size)).is_number and size < 2:
            raise BadInput(f"the group size must be at least 2, got {self.group_size}")

    def value(
        self,
        policy: Policy,
        old: Policy,
        reference: Policy,
        preference: Callable[[Scalar], sp.Expr],
        answers: Answers,
        index: sp.Symbol = _answer,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """``Σ_o π(o)·P(o) − β·D(π‖π_ref; π_old)``; ``preference(o)`` is the expected group-relative preference under
        π_old, ``detached`` the policy in a ratio of the divergence that is not differentiated.
        """
        for name, given in (("the policy", policy), ("the old policy", old), ("the reference policy", reference)):
            answers.check_policy(given, name)
        reward = answers.total(lambda o: policy[o] * preference(o), index)
        return reward - self.beta * self.divergence.expected(policy, reference, old, answers, index, detached)

    def with_rewards(
        self,
        policy: Policy,
        old: Policy,
        reference: Policy,
        rewards: Policy,
        answers: Answers,
        index: sp.Symbol = _answer,
    ) -> sp.Expr:
        """The objective for deterministic rewards of the answers, the preferences computed from groups drawn from
        ``old``. Raises :class:`BadInput` where the objective has no group size.
        """
        if (size := self.group_size) is None:
            raise BadInput(
                "preferences from rewards need the group size: grpo(beta, group_size=…), oo for large groups"
            )

        def preference(o: Scalar) -> sp.Expr:
            return self.advantage.preference(o, old, rewards, answers, size, index)

        return self.value(policy, old, reference, preference, answers, index)

    def with_margin(self, policy: Policy, old: Policy, reference: Policy, margin: Scalar) -> sp.Expr:
        """Two answers, groups of two, any rewards: the margin ``γ = P(a≻b) − P(b≻a)`` is all that the objective sees
        of them.
        """
        if self.group_size != 2:
            given = "none was given" if self.group_size is None else f"not of {self.group_size}"
            raise BadInput(f"the margin determines the objective for groups of two (group_size=2), {given}")
        return self.value(policy, old, reference, lambda o: pair_preference(o, old, margin), Answers(2))


def pair_preference(answer: Scalar, sampler: Policy, margin: Scalar) -> sp.Expr:
    """``P_2(o | π_old)`` for two answers: the expected sign of the reward difference with an output drawn from
    ``sampler``.

    Against itself an answer wins as often as it loses; against the other one its expected sign is the margin, or
    minus it.
    """
    against_other = pairwise_sign((1 + margin) / 2, (1 - margin) / 2)
    return sampler[1] * against_other if answer == 0 else -sampler[0] * against_other


def grpo(
    beta: Scalar,
    group_size: Scalar | None = None,
    advantage: Advantage = SHIFT_AND_SCALE,
    divergence: Penalised = GRPO_PENALTY,
) -> Objective:
    """GRPO without clipping, with its shift-and-scale advantage and its penalty KL_0 unless others are given."""
    return Objective(beta, group_size, advantage, divergence)
