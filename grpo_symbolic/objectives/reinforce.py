"""REINFORCE. Source: Williams (1992), as in Patel (2025), Section 4.1, equation (3)."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from grpo_symbolic.objectives.sequence import Path, SequencePolicy
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, text_advantage
from grpo_symbolic.scalars import Scalar

REINFORCE = Surrogate(Ratio.LOG)


def reinforce(
    policy: SequencePolicy,
    sampler: SequencePolicy,
    reward: Callable[[Path], Scalar],
    baseline: Callable[[Path], Scalar] | None = None,
) -> sp.Expr:
    """``E[−Σ_t (R(text) − b(s_t)) log π(a_t|s_t)]`` over texts drawn from ``sampler``; the baseline is a function of
    the tokens so far and is held fixed, so give it as symbols.
    """
    return REINFORCE.expected(policy, sampler, text_advantage(reward, baseline))
