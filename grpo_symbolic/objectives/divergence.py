"""Divergences from the reference policy: their estimators, and the expectations these have on somebody's samples.

Sources: Vojnovic & Yun (2025), equation (1) (the estimator D_i, known as k3), equation (7), KL_0 and KL_rev of
Section 2.2, and the importance-weighted estimator of Section 3.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Protocol

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.setting import PenaltyName
from grpo_symbolic.shown import Shown, differing


def k1(pi: Scalar, ref: Scalar) -> sp.Expr:
    """The plain estimator ``log(π/π_ref)``."""
    return sp.log(pi / ref)


def k2(pi: Scalar, ref: Scalar) -> sp.Expr:
    """The squared estimator ``log(π/π_ref)²/2``."""
    return sp.log(pi / ref) ** 2 / 2


def k3(pi: Scalar, ref: Scalar) -> sp.Expr:
    """GRPO's estimator ``D_i = π_ref/π − log(π_ref/π) − 1`` for one sampled output."""
    return ref / pi - sp.log(ref / pi) - 1


ESTIMATORS = {PenaltyName.K1: k1, PenaltyName.K2: k2, PenaltyName.K3: k3}
"""The estimators by name."""


class Penalised(Protocol):
    """A penalty: its ``name``, and its expectation over outputs of the old policy, or over the policy itself."""

    @property
    def name(self) -> str:
        """What it is called."""

    def expected(
        self,
        policy: Policy,
        reference: Policy,
        old: Policy,
        answers: Answers,
        index: sp.Symbol,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """The penalty; ``detached`` stands for the policy where no gradient goes through it."""


@dataclass(frozen=True)
class Divergence(Shown):
    """An ``estimator`` of the probabilities π(o), π_ref(o), by its ``name``, and how it enters the objective.

    In the loss it is differentiated; ``importance_weighted`` multiplies it by the ratio ``π_θ/π_old`` (an expectation
    on the samples of π_θ, else on those of π_old), and ``ratio_detached`` keeps that ratio out of the gradient.
    ``in_reward`` charges each output, before the update, with the estimator of the policy that sampled it: a constant
    that the ratio of the surrogate weighs. ``clamp`` cuts the estimator off at that value.

    Raises :class:`BadInput` for choices that exclude one another.
    """

    name: str
    estimator: Callable[[sp.Expr, sp.Expr], sp.Expr]
    importance_weighted: bool = False
    ratio_detached: bool = False
    in_reward: bool = False
    clamp: Scalar | None = None

    __repr__ = differing

    def __post_init__(self) -> None:
        if self.ratio_detached and not self.importance_weighted:
            raise BadInput("a ratio can be held fixed only where the estimator is weighted by one")
        if self.in_reward and self.importance_weighted:
            raise BadInput("in the reward the surrogate weighs the estimator already; no second ratio belongs to it")

    def expected(
        self,
        policy: Policy,
        reference: Policy,
        old: Policy,
        answers: Answers,
        index: sp.Symbol,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """The expectation over one output drawn from ``old``. ``detached`` is the policy in a ratio that is not
        differentiated: give it a name of its own and set it equal to ``policy`` after differentiating.

        Raises :class:`BadInput` where such a policy is needed and not given.
        """
        if self.ratio_detached and detached is None:
            raise BadInput("a ratio that is held fixed needs a name for the policy in it")
        moving = detached if self.ratio_detached else policy

        def term(o: Scalar) -> sp.Expr:
            if self.in_reward:
                return old[o] * (policy[o] / old[o]) * self._cut(old[o], reference[o])
            ratio = moving[o] / old[o] if self.importance_weighted and moving is not None else sp.S.One
            return old[o] * ratio * self._cut(policy[o], reference[o])

        return answers.total(term, index)

    def _cut(self, pi: Scalar, ref: Scalar) -> sp.Expr:
        value = self.estimator(pi, ref)
        return value if self.clamp is None else sp.Piecewise((value, value < self.clamp), (self.clamp, True))


GRPO_PENALTY = Divergence(PenaltyName.K3, k3)
REVERSE_KL = Divergence(PenaltyName.REVERSE_KL, k3, importance_weighted=True)


def kl(policy: Policy, reference: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL(π‖π_ref) = Σ π log(π/π_ref)``, which is called the reverse KL."""
    return answers.total(lambda o: policy[o] * sp.log(policy[o] / reference[o]), index)


def forward_kl(policy: Policy, reference: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL(π_ref‖π)``, the forward KL: ``KL_rev(π‖π_ref)`` of Vojnovic & Yun (2025), Section 2.2."""
    return answers.total(lambda o: reference[o] * sp.log(reference[o] / policy[o]), index)


def kl_0(policy: Policy, reference: Policy, sampler: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``KL_0(π‖π*; π') = E_{π'}[π*/π] − E_{π'}[log(π*/π)] − 1``, as Section 2.2 writes it."""
    ratios = answers.total(lambda o: sampler[o] * reference[o] / policy[o], index)
    logarithms = answers.total(lambda o: sampler[o] * sp.log(reference[o] / policy[o]), index)
    return ratios - logarithms - 1
