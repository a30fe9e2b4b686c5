"""Policy-gradient losses of one text: how the policy enters (log-probability or probability ratio, per token or for the
whole text), and whether the ratio is clipped.

REINFORCE, TRPO, PPO, GRPO and GRAPE are points of this space; they differ in the advantage that weighs the tokens and
in the divergence beside it. Source: Patel (2025), equations (3), (7), (11), (14), (17).
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum
from typing import Any, TypeAlias

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.clip import clipped_surrogate
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.scalars import Scalar

Weight: TypeAlias = Callable[[int, Path, Path], Any]  # (token, state, whole text) -> the token's weight


class Ratio(Enum):
    """What of the policy is weighed."""

    LOG = "log-probability of each token"
    TOKEN = "probability ratio of each token"
    SEQUENCE = "probability ratio of the whole text"


@dataclass(frozen=True)
class Surrogate:
    """``−Σ_t f(a_t, s_t) A(a_t, s_t)`` for one text, with f a log-probability or a ratio to the policy that sampled
    the text; for :attr:`Ratio.SEQUENCE` the text has one ratio and one advantage. ``epsilon`` clips the ratio.

    Raises :class:`BadInput` where a log-probability is to be clipped.
    """

    ratio: Ratio = Ratio.TOKEN
    epsilon: Scalar | None = None

    def __post_init__(self) -> None:
        if self.ratio is Ratio.LOG and self.epsilon is not None:
            raise BadInput("only a probability ratio can be clipped, and this loss weighs log-probabilities")

    def term(self, new: Scalar, old: Scalar, advantage: Scalar) -> sp.Expr:
        """What a token adds to minus the loss; ``new`` is its probability under the policy, ``old`` under the sampler.
        For :attr:`Ratio.SEQUENCE` these are the probabilities of the text.
        """
        if self.ratio is Ratio.LOG:
            return advantage * sp.log(new)
        ratio = new / old
        return ratio * advantage if self.epsilon is None else clipped_surrogate(ratio, advantage, self.epsilon)

    def loss(self, text: Path, policy: SequencePolicy, sampler: SequencePolicy | None, advantage: Weight) -> sp.Expr:
        """The loss of one text; ``sampler`` is the policy of the denominators (not needed for log-probabilities)."""
        if self.ratio is Ratio.LOG:
            return -sp.Add(*(self.term(policy.probability(a, s), None, advantage(a, s, text)) for a, s in steps(text)))
        if sampler is None:
            raise BadInput("a probability ratio needs the policy that sampled the texts")
        if self.ratio is Ratio.SEQUENCE:
            last, before = steps(text)[-1]
            return -self.term(policy.reaches(text), sampler.reaches(text), advantage(last, before, text))
        return -sp.Add(
            *(
                self.term(policy.probability(a, s), sampler.probability(a, s), advantage(a, s, text))
                for a, s in steps(text)
            )
        )

    def expected(self, policy: SequencePolicy, sampler: SequencePolicy, advantage: Weight) -> sp.Expr:
        """The expectation of the loss over texts drawn from ``sampler``."""
        return sampler.expectation(lambda text: self.loss(text, policy, sampler, advantage))


def text_advantage(reward: Callable[[Path], Scalar], baseline: Callable[[Path], Scalar] | None = None) -> Weight:
    """``A(a_t, s_t) = R(text) − b(s_t)``: the reward of the whole text for every token, minus a baseline of the state
    (Patel, equation (4)).
    """
    return lambda token, state, text: reward(text) - (baseline(state) if baseline else 0)


def state_kl(first: SequencePolicy, second: SequencePolicy, state: Path) -> sp.Expr:
    """``KL(π_first(·|s) ‖ π_second(·|s))`` in one state (Patel, equation (8))."""
    return sp.Add(
        *(
            first.probability(a, state) * sp.log(first.probability(a, state) / second.probability(a, state))
            for a in first.tree.tokens
        )
    )


def visited_kl(visits: SequencePolicy, first: SequencePolicy, second: SequencePolicy) -> sp.Expr:
    """``Σ_s P(s) KL(π_first(·|s) ‖ π_second(·|s))``: the divergence of the next token, summed over the states that
    texts drawn from ``visits`` pass through. With ``visits`` the first policy, it is the divergence of whole texts.
    """
    return sp.Add(*(visits.reaches(s) * state_kl(first, second, s) for s in first.tree.states()))


def text_kl(first: SequencePolicy, second: SequencePolicy) -> sp.Expr:
    """``KL(π_first(text) ‖ π_second(text))``, the logarithm of each text's ratio written as the sum over its tokens."""
    return first.expectation(lambda text: first.log_probability(text) - second.log_probability(text))
