"""What the terms of a right and of a wrong text weigh in a batch: lengths, the aggregation, and dynamic sampling.

A text of L tokens has the weight ``1/L`` under the mean over texts of token means, 1 under a sum over tokens, ``1/C``
under a constant length C, and 1 over the mean length of the batch under the token mean. In a group the advantages of
right and wrong texts are ``(1 − x)Δ(x)`` and ``−xΔ(x)`` in expectation, since they add up to 0: with the weights u and
v the gap that is felt is ``(1 − x)u + xv`` times Δ. Dynamic sampling divides it by the share of mixed groups (claim
tr-kept-drive), and of the texts that stay ``(x − x^G)/s`` are right (tr-kept-penalty).
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grpo_symbolic.numeric.recursion.gap import Floats
from grpo_symbolic.setting import Over


@dataclass(frozen=True)
class Weights:
    """For each success: what a right and a wrong text weigh where their advantages count (``gain_right``,
    ``gain_wrong``) and where the penalty is charged (``right``, ``wrong``).
    """

    gain_right: Floats
    gain_wrong: Floats
    right: Floats
    wrong: Floats


@dataclass(frozen=True)
class Weighing:
    """The lengths of a ``right`` and of a ``wrong`` text in tokens, ``over`` what is summed (``constant``: its length),
    and ``mixed``: the size of the groups of which those that are not mixed are dropped and replaced (0: none are).
    """

    right: float = 1.0
    wrong: float = 1.0
    over: Over = Over.TEXT_MEAN
    constant: float = 1.0
    mixed: float = 0

    @property
    def even(self) -> bool:
        """Whether right and wrong texts weigh the same, so that all of this is one factor of the time."""
        return self.right == self.wrong and not self.mixed

    def of(self, log_success: Floats) -> Weights:
        """The weights where texts are right with these chances, given by their logarithms."""
        success, failure = np.exp(log_success), -np.expm1(log_success)
        share, right_mixed, wrong_mixed = self._mixed(success, failure)
        if self.over is Over.TEXT_MEAN:
            right, wrong = np.full_like(success, 1 / self.right), np.full_like(success, 1 / self.wrong)
        elif self.over in (Over.BATCH_TOKENS, Over.PROMPT_TOKENS):
            length = success * right_mixed * self.right + failure * wrong_mixed * self.wrong
            right = wrong = 1 / length
        else:
            right = wrong = np.full_like(success, 1 / (self.constant if self.over is Over.CONSTANT else 1.0))
        return Weights(right / share, wrong / share, right_mixed * right, wrong_mixed * wrong)

    def _mixed(self, success: Floats, failure: Floats) -> tuple[Floats, Floats, Floats]:
        """The share of groups that stay, and by what the chances of right and of wrong texts are multiplied there."""
        if not self.mixed or math.isinf(self.mixed):
            one = np.ones_like(success)
            return one, one, one
        with np.errstate(divide="ignore"):
            alike = (self.mixed - 1) * np.log(success), (self.mixed - 1) * np.log(failure)  # of the other members
        right, wrong = -np.expm1(alike[0]), -np.expm1(alike[1])
        share = success * right + failure * wrong
        share = np.where(share > 0, share, 1.0)
        return share, right / share, wrong / share


__all__ = ["Weighing", "Weights"]
