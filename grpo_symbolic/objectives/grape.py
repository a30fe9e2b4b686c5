"""GRAPE: rewards made of rubric scores, and the loss that clips the ratio of a whole text.

A rubric has items with weights ω; a scorer gives each text a score τ and a confidence φ for each item, and φ̄ is the
mean confidence over the texts of a category. Source: Patel (2025), Section 6.1, equations (15) and (17).
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import j as _item
from grpo_symbolic.objectives.advantage import SHIFT_ONLY, group_mean
from grpo_symbolic.objectives.sequence import Path, SequencePolicy
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate
from grpo_symbolic.scalars import Scalar

PerItem: TypeAlias = Sequence[Any] | sp.IndexedBase | Callable[[Any], Any]  # one number for each rubric item


@dataclass(frozen=True)
class Rubric:
    """The rubric of one category: ``size`` items, a whole number or a symbol, counted from 1 by ``index``.

    Numbers per item are a sequence, a family, or a function of the item.

    >>> from sympy import symbols
    >>> w, t, u = symbols("w t u")
    >>> Rubric(2).weighted((w, 1 - w), (t, u))
    t*w + u*(1 - w)

    Raises :class:`BadInput` for a rubric without items.
    """

    size: Scalar
    index: sp.Symbol = _item

    def __post_init__(self) -> None:
        if isinstance(self.size, int | sp.Integer) and self.size < 1:
            raise BadInput(f"a rubric needs at least one item, got {self.size}")

    def total(self, term: Callable[[Scalar], sp.Expr]) -> sp.Expr:
        """``Σ_j term(j)`` over the items."""
        if isinstance(self.size, int | sp.Integer):
            return sp.Add(*(term(item) for item in range(1, int(self.size) + 1)))
        return sp.Sum(term(self.index), (self.index, 1, self.size))

    def weighted(self, weights: PerItem, scores: PerItem) -> sp.Expr:
        """``Σ_j ω_j τ_j``: the weighted sum of the scores, no confidence involved."""
        return self.total(lambda item: self.of(weights, item) * self.of(scores, item))

    def share(self, confidence: PerItem, item: Scalar) -> sp.Expr:
        """``φ̄_j / Σ_i φ̄_i``: the part that one item has in the confidence."""
        return self.of(confidence, item) / self.total(lambda each: self.of(confidence, each))

    def factor(self, weights: PerItem, confidence: PerItem, item: Scalar) -> sp.Expr:
        """``ρ ω_j φ̄_j / Σ_i φ̄_i``: what (15) multiplies the score of one item with."""
        return self.size * self.of(weights, item) * self.share(confidence, item)

    def reward(
        self, weights: PerItem, scores: PerItem, confidence: PerItem, denominator: PerItem | None = None
    ) -> sp.Expr:
        """Equation (15): ``ρ Σ_j ω_j τ_j φ̄_j / Σ_j φ̄_j``. The paper prints other confidences in the denominator,
        those of the text itself; give them as ``denominator`` to have the equation as printed.
        """
        below = confidence if denominator is None else denominator
        above = self.total(lambda item: self.of(weights, item) * self.of(scores, item) * self.of(confidence, item))
        return self.size * above / self.total(lambda item: self.of(below, item))

    def average(self, weights: PerItem, scores: PerItem, confidence: PerItem) -> sp.Expr:
        """``Σ_j ω_j φ̄_j τ_j / Σ_j ω_j φ̄_j``: the average with weights in proportion to ω φ̄, which sum to one."""

        def both(item: Scalar) -> sp.Expr:
            return self.of(weights, item) * self.of(confidence, item)

        return self.weighted(both, scores) / self.total(both)

    def of(self, numbers: PerItem, item: Scalar) -> sp.Expr:
        """The number of one item. Raises :class:`BadInput` for a sequence that is not one number for each item."""
        if isinstance(numbers, sp.IndexedBase):
            return numbers[item]
        if callable(numbers):
            return numbers(item)
        if len(numbers) != self.size:
            raise BadInput(f"{len(numbers)} numbers were given for the {self.size} items of a rubric")
        return sp.sympify(numbers[int(item) - 1])


def mean_confidence(confidences: sp.IndexedBase, texts: Scalar, index: sp.Symbol) -> sp.Expr:
    """``φ̄ = (1/|ξ|) Σ_{k∈ξ} φ_k`` of one rubric item, over the ``texts`` sampled texts of a category, each with a
    number in ``confidences``.
    """
    return group_mean(confidences, texts, index)


@dataclass(frozen=True)
class Graded:
    """Texts graded by a rubric: its ``weights`` ω, and for each text its ``scores`` τ and ``confidences`` φ, one for
    each item.
    """

    rubric: Rubric
    weights: PerItem
    scores: Callable[[Path], PerItem]
    confidences: Callable[[Path], PerItem]

    def reward(self, text: Path, mean: PerItem) -> sp.Expr:
        """Equation (15) for one text, ``mean`` being the mean confidences φ̄."""
        return self.rubric.reward(self.weights, self.scores(text), mean)

    def of_group(self, group: Sequence[Path]) -> list[sp.Expr]:
        """Equation (15) for the texts of a group that is all of its category: φ̄ is the mean over the group."""

        def mean(item: Scalar) -> sp.Expr:
            return sp.Add(*(self.rubric.of(self.confidences(text), item) for text in group)) / len(group)

        return [self.reward(text, mean) for text in group]


def grape_advantages(rewards: Sequence[Scalar]) -> list[sp.Expr]:
    """``A_g = R_g − (1/G) Σ_i R_i`` for the texts of one question: equation (13) with the reward (15)."""
    return SHIFT_ONLY.of_group(rewards)


def clipped_loss(
    texts: Sequence[Path],
    advantages: Sequence[Scalar],
    policy: SequencePolicy,
    sampler: SequencePolicy,
    epsilon: Scalar = None,
    ratio: Ratio = Ratio.SEQUENCE,
) -> sp.Expr:
    """Equation (17): ``−(1/S) Σ_i min{ρ_i A_i, clip_ε(ρ_i) A_i}`` with the ratio ρ_i of the whole text; with
    ``Ratio.TOKEN`` equation (14), which clips each token's. No ``epsilon``: no clipping.

    Raises :class:`BadInput` unless every text has an advantage.
    """
    if not texts or len(texts) != len(advantages):
        raise BadInput(f"every text needs an advantage, got {len(texts)} texts and {len(advantages)} advantages")
    one = Surrogate(ratio, epsilon)

    def loss(text: Path, advantage: Scalar) -> sp.Expr:
        return one.loss(text, policy, sampler, lambda token, state, whole: advantage)

    return sp.Add(*(loss(text, A) for text, A in zip(texts, advantages, strict=True))) / len(texts)
