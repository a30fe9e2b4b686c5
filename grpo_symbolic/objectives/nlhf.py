"""Nash learning from human feedback for one question. Source: Vojnovic & Yun (2025), equation (5)."""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from grpo_symbolic.notation import o as _answer
from grpo_symbolic.notation import o_ as _other
from grpo_symbolic.objectives.divergence import kl
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def nlhf_payoff(
    policy: Policy,
    opponent: Policy,
    reference: Policy,
    preference: Callable[[Scalar, Scalar], sp.Expr],
    beta: Scalar,
    answers: Answers,
    index: sp.Symbol = _answer,
    other: sp.Symbol = _other,
) -> sp.Expr:
    """``J(π, π') = E[P(o≻o') − β log π(o)/π_ref(o) + β log π'(o')/π_ref(o')]`` for o ~ π and o' ~ π'."""
    wins = answers.total(lambda o: policy[o] * answers.total(lambda o2: opponent[o2] * preference(o, o2), other), index)
    return wins - beta * kl(policy, reference, answers, index) + beta * kl(opponent, reference, answers, index)
