"""Learning from human feedback for one question: choices between two texts, the loss of a reward model that is fitted
to them, and what is then maximised.

Bradley and Terry (1952): of two texts with rewards R_i, R_j a person chooses the first with the probability that a
softmax gives it. Sources: Patel (2025), Section 4.4, equations (5), (6); Vojnovic & Yun (2025), equations (3), (5).
"""

from __future__ import annotations

from collections.abc import Callable

import sympy as sp

from grpo_symbolic.notation import o as _answer
from grpo_symbolic.notation import o_ as _other
from grpo_symbolic.objectives.decoding import softmax
from grpo_symbolic.objectives.divergence import kl
from grpo_symbolic.objectives.likelihood import binary_cross_entropy
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def sigmoid(margin: Scalar) -> sp.Expr:
    """``σ(z) = 1/(1 + e^{−z})``."""
    return 1 / (1 + sp.exp(-margin))


def choice_probability(reward: Scalar, rival: Scalar) -> sp.Expr:
    """``P(text_i) = e^{R_i}/(e^{R_i} + e^{R_j})``: that the text with ``reward`` is chosen over that with ``rival``."""
    return softmax((reward, rival))[0]


def preference_loss(preferred: Scalar, reward: Scalar, rival: Scalar) -> sp.Expr:
    """Equation (5): the binary cross entropy of a recorded preference (1 for the first text, 0 for the second, or the
    share of ones) and the probability of that choice.
    """
    return binary_cross_entropy(preferred, choice_probability(reward, rival))


def reward_loss(chosen: Scalar, rejected: Scalar) -> sp.Expr:
    """Equation (6): ``−log σ(R_w − R_l)`` for the rewards of the winning and of the losing text."""
    return -sp.log(sigmoid(chosen - rejected))


def rlhf(
    policy: Policy, reference: Policy, rewards: Policy, beta: Scalar, answers: Answers, index: sp.Symbol = _answer
) -> sp.Expr:
    """``E_π[r] − β KL(π‖π_ref)``: nothing is frozen here, the expectation is under the policy that is optimised."""
    return answers.total(lambda o: policy[o] * rewards[o], index) - beta * kl(policy, reference, answers, index)


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
