"""Losses of groups of texts: GRPO as published, Dr. GRPO, and anything between them, exact over all groups.

Sources: Shao et al. (2024) as in Vojnovic & Yun (2025), equation (1); Dr. GRPO as in Patel (2025), (13), (14).
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Sequence
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.advantage import SHIFT_AND_SCALE, SHIFT_ONLY, Advantage
from grpo_symbolic.objectives.divergence import k3
from grpo_symbolic.objectives.policy_gradient import RATIO_LOSS
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class GroupLoss:
    """The loss of a group of ``size`` texts to one prompt, every text weighed by its group-relative advantage.

    ``per_length`` divides a text's loss by the number of its tokens. With ``beta``, the estimator k3 of the divergence
    from the reference policy is added for every token, in the loss, on the texts of the sampler.

    Raises :class:`BadInput` for groups of fewer than two texts.
    """

    size: int
    advantage: Advantage = SHIFT_ONLY
    surrogate: Surrogate = RATIO_LOSS
    per_length: bool = False
    beta: Scalar = 0

    def __post_init__(self) -> None:
        if self.size < 2:
            raise BadInput(f"a group needs at least two texts, got {self.size}")

    def expected(
        self,
        policy: SequencePolicy,
        sampler: SequencePolicy,
        reward: Callable[[Path], Scalar],
        reference: SequencePolicy | None = None,
    ) -> sp.Expr:
        """The expectation of the loss over groups drawn from ``sampler``: every group is enumerated.

        Raises :class:`BadInput` where a divergence is asked for and no reference policy is given.
        """
        return self.over_groups(policy, sampler, lambda group: [reward(text) for text in group], reference)

    def over_groups(
        self,
        policy: SequencePolicy,
        sampler: SequencePolicy,
        rewards: Callable[[Sequence[Path]], Sequence[Scalar]],
        reference: SequencePolicy | None = None,
    ) -> sp.Expr:
        """The same where the rewards are those of a group: a text's reward may depend on the others."""
        if self.beta != 0 and reference is None:
            raise BadInput("a divergence in the loss needs a reference policy")
        total = sp.S.Zero
        for group in itertools.product(policy.tree.texts(), repeat=self.size):
            chance = sp.Mul(*(sampler.reaches(text) for text in group))
            losses = (
                self._of_text(text, weight, policy, sampler, reference)
                for text, weight in zip(group, self.advantage.of_group(list(rewards(group))), strict=True)
            )
            total += chance * sp.Add(*losses) / self.size
        return total

    def _of_text(
        self,
        text: Path,
        weight: Scalar,
        policy: SequencePolicy,
        sampler: SequencePolicy,
        reference: SequencePolicy | None,
    ) -> sp.Expr:
        loss = self.surrogate.loss(text, policy, sampler, lambda *_: weight)
        if reference is not None and self.beta != 0:
            loss += self.beta * sp.Add(
                *(k3(policy.probability(a, s), reference.probability(a, s)) for a, s in steps(text))
            )
        return loss / len(text) if self.per_length else loss


def published_grpo(size: int, epsilon: Scalar, beta: Scalar) -> GroupLoss:
    """GRPO as published: advantages divided by the deviation, losses by the length, clipped token ratios, k3 in the
    loss.
    """
    return GroupLoss(size, SHIFT_AND_SCALE, Surrogate(Ratio.TOKEN, epsilon), per_length=True, beta=beta)


def dr_grpo(size: int, epsilon: Scalar) -> GroupLoss:
    """Dr. GRPO (Patel, equations (13), (14)): neither division, no divergence."""
    return GroupLoss(size, SHIFT_ONLY, Surrogate(Ratio.TOKEN, epsilon))
