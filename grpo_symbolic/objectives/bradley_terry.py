"""Choices between two texts and the loss of a reward model that is fitted to them.

Bradley and Terry (1952): of two texts with rewards R_i, R_j a person chooses the first with the probability that a
softmax gives it. Source: Patel (2025), Section 4.4, equations (5), (6).
"""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.objectives.decoding import softmax
from grpo_symbolic.objectives.likelihood import binary_cross_entropy
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
