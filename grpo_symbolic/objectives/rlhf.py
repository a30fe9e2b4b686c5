"""Reinforcement learning from human feedback for one question. Source: Vojnovic & Yun (2025), equation (3)."""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.notation import o as _answer
from grpo_symbolic.objectives.divergence import kl
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def rlhf(
    policy: Policy, reference: Policy, rewards: Policy, beta: Scalar, answers: Answers, index: sp.Symbol = _answer
) -> sp.Expr:
    """``E_π[r] − β KL(π‖π_ref)``: nothing is frozen here, the expectation is under the policy that is optimised."""
    return answers.total(lambda o: policy[o] * rewards[o], index) - beta * kl(policy, reference, answers, index)
