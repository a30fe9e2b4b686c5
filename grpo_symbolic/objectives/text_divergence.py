"""Estimators of the divergence from the reference policy for texts of several tokens: one for each token or one for the
whole text, with or without a ratio, in the loss or in the reward.

For one token all of these are the :class:`~grpo_symbolic.objectives.Divergence` of the same choices. Sources: the
estimators k1, k2 and k3 are Schulman's (2020); TRL, verl and OpenRLHF take one for each token.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from enum import Enum

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps


class Weighed(Enum):
    """The probability ratio that weighs an estimate in the loss."""

    NOT = "no ratio: an expectation on the sampler's texts"
    TOKEN = "the ratio of the token itself"
    PREFIX = "the ratio of the tokens up to and including this one"


@dataclass(frozen=True)
class TextDivergence:
    """An estimator of one token's log-ratio, added up over the tokens of a text, or with ``whole_text`` applied once to
    the text's probabilities.

    In the loss it is differentiated; ``weighed`` names the ratio in front of it. ``in_reward`` charges each token,
    before the update, for itself and for all later tokens, and the token's ratio weighs the charge.

    Raises :class:`BadInput` for choices that exclude one another.
    """

    estimator: Callable[[sp.Expr, sp.Expr], sp.Expr]
    whole_text: bool = False
    weighed: Weighed = Weighed.NOT
    in_reward: bool = False

    def __post_init__(self) -> None:
        if self.in_reward and self.weighed is not Weighed.NOT:
            raise BadInput("in the reward the surrogate weighs the estimator already; no second ratio belongs to it")
        if self.whole_text and self.weighed is Weighed.TOKEN:
            raise BadInput("an estimate of the whole text can be weighed by the ratio of the whole text only")

    def expected(self, policy: SequencePolicy, sampler: SequencePolicy, reference: SequencePolicy) -> sp.Expr:
        """The expectation over texts drawn from ``sampler``."""
        return sampler.expectation(lambda text: self._of_text(text, policy, sampler, reference))

    def _of_text(
        self, text: Path, policy: SequencePolicy, sampler: SequencePolicy, reference: SequencePolicy
    ) -> sp.Expr:
        if self.in_reward:
            return sp.Add(
                *(
                    self._token_ratio(a, s, policy, sampler) * self._charge(text, len(s), sampler, reference)
                    for a, s in steps(text)
                )
            )
        if self.whole_text:
            ratio = policy.reaches(text) / sampler.reaches(text) if self.weighed is Weighed.PREFIX else sp.S.One
            return ratio * self.estimator(policy.reaches(text), reference.reaches(text))
        return sp.Add(
            *(
                self._ratio(a, s, policy, sampler)
                * self.estimator(policy.probability(a, s), reference.probability(a, s))
                for a, s in steps(text)
            )
        )

    def _ratio(self, token: int, state: Path, policy: SequencePolicy, sampler: SequencePolicy) -> sp.Expr:
        if self.weighed is Weighed.NOT:
            return sp.S.One
        if self.weighed is Weighed.TOKEN:
            return self._token_ratio(token, state, policy, sampler)
        return policy.reaches((*state, token)) / sampler.reaches((*state, token))

    @staticmethod
    def _token_ratio(token: int, state: Path, policy: SequencePolicy, sampler: SequencePolicy) -> sp.Expr:
        return policy.probability(token, state) / sampler.probability(token, state)

    def _charge(self, text: Path, position: int, sampler: SequencePolicy, reference: SequencePolicy) -> sp.Expr:
        if self.whole_text:
            return self.estimator(sampler.reaches(text), reference.reaches(text))
        later = steps(text)[position:]
        return sp.Add(*(self.estimator(sampler.probability(a, s), reference.probability(a, s)) for a, s in later))
