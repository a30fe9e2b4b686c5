"""Direct preference optimisation: the policy as its own reward model.

Sources: Rafailov et al. (2023); Patel (2025), Section 4.9. The largest ``E_π[R] − β KL(π‖π_0)`` is reached by π_0
tilted by e^{R/β}; read backwards, a policy has the reward ``β log(π/π_0)``, up to a constant for each prompt.
"""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.feedback import reward_loss
from grpo_symbolic.objectives.sequence import Path, SequencePolicy
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def partition(reference: Policy, rewards: Policy, beta: Scalar, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``Z = Σ_o π_0(o) e^{R(o)/β}``, one number for each prompt."""
    _checked(beta)
    return answers.total(lambda o: reference[o] * sp.exp(rewards[o] / beta), index)


def regularised_optimum(reference: Scalar, reward: Scalar, beta: Scalar, normaliser: Scalar) -> sp.Expr:
    """``π*(o) = π_0(o) e^{R(o)/β}/Z``, the maximiser of ``E_π[R] − β KL(π‖π_0)``, for one answer;
    ``normaliser`` is Z, from :func:`partition`. Raises :class:`BadInput` for β ≤ 0.
    """
    _checked(beta)
    return reference * sp.exp(reward / beta) / normaliser


def implicit_reward(probability: Scalar, reference: Scalar, beta: Scalar) -> sp.Expr:
    """``β log(π/π_0)``: the reward, up to a constant for the prompt, for which a policy is the regularised optimum."""
    _checked(beta)
    return beta * sp.log(probability / reference)


def text_log_ratio(policy: SequencePolicy, reference: SequencePolicy, text: Path) -> sp.Expr:
    """``log π(text) − log π_0(text)``, each as the sum over its tokens."""
    return policy.log_probability(text) - reference.log_probability(text)


def dpo_loss(chosen: Scalar, rejected: Scalar, beta: Scalar) -> sp.Expr:
    """``−log σ(β h_w − β h_l)`` for the log-ratios h = log(π/π_0) of the winning and of the losing text to one
    prompt.

    Raises :class:`BadInput` unless β may be positive.
    """
    _checked(beta)
    return reward_loss(beta * chosen, beta * rejected)


def sppo_loss(log_ratio: Scalar, win_rate: Scalar, step_size: Scalar) -> sp.Expr:
    """``(h − η(P − ½))²`` for one text: its log-ratio h = log(π/π_t) to the last policy is to be η times the excess of
    P, the probability that the text beats one drawn from π_t. Source: Wu et al. (2024), the loss of SPPO.
    """
    return (log_ratio - step_size * (win_rate - sp.Rational(1, 2))) ** 2


def _checked(beta: Scalar) -> None:
    if sp.sympify(beta).is_nonpositive:
        raise BadInput(f"the scale β of the log-ratios must be positive, got {beta}")
