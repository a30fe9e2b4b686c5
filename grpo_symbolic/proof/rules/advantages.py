"""What the expected advantages of a policy's own groups amount to: their mean square, and their product with rewards.

The advantage of a member is its reward less the mean of its group over the deviation of its group, 0 in a group of
equal rewards.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.groups import any_output, full_law, whole_size
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, always, somewhere, valued
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class _OfAdvantages(Conclusion):
    """In groups of ``size`` outputs drawn independently from ``policy`` over ``answers`` answers, ``expected`` is the
    expected advantage of a member with the output ``index``, for each of them.
    """

    policy: sp.IndexedBase
    index: sp.Symbol
    answers: Scalar
    size: Scalar
    expected: Scalar
    binds = ("index",)
    ranges = True

    def mean(self, term: sp.Expr) -> sp.Sum:
        """The mean over the outputs of the policy."""
        return sp.Sum(self.policy[self.index] * term, (self.index, 1, self.answers))

    def comes_true(self, domain: Domain) -> None:
        """Refuse expected advantages that no rewards give: their mean is 0, that of their squares is at most 1."""
        expected = sp.sympify(self.expected)
        mean, square = self.mean(expected), self.mean(expected**2)
        for told in (sp.Ge(mean, 0), sp.Le(mean, 0), sp.Le(square, 1)):
            somewhere((told,), domain, f"{getattr(self, 'label', '')}: what expected advantages have, {told}")

    def drawn(self) -> Phrase:
        """How the groups come about."""
        return ("in groups of", sp.sympify(self.size), "independent outputs of", self.policy.label)

    def meant(self) -> Phrase:
        """What the expected advantages are."""
        return ("the advantage of a member with any output", self.index, "is", self.expected, "in expectation, then")


def _grouped(conclusion: BoundByAdvantages | MeanDeviation, domain: Domain) -> Iterator[Premise]:
    """That the policy is one, the size that of a group, and that the expected advantages are numbers."""
    full_law(conclusion.policy, conclusion.answers, domain)
    any_output(conclusion.index, domain)
    whole_size(conclusion.size, domain)
    two = sp.Ge(conclusion.size, 2, evaluate=False)
    if two != sp.true:
        yield Premise(Always(two, label=f"{conclusion.label}: there are two"), domain)
    one = numbered(conclusion.index, 1, conclusion.answers, domain)
    yield from valued((conclusion.expected,), one, conclusion.label)


@dataclass(frozen=True, eq=False)
class MeanSquare(Rule["BoundByAdvantages"]):
    """The mean square of the expected advantages of the outputs is at most 1, by Jensen's inequality and since the
    members of a group are exchangeable; so what is in proportion to it is bounded.

    ``scale`` is the mean square over the left side; ``using`` is for its sign and for the bound.
    """

    scale: Scalar = sp.S.One
    using: Using = ()
    theorems = ("Advantages.bound_by_the_mean_square_of_expected_advantages",)

    def premises(self, conclusion: BoundByAdvantages, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        yield from _grouped(conclusion, domain)
        square = conclusion.mean(sp.sympify(conclusion.expected) ** 2)
        yield from valued((conclusion.left, conclusion.right), domain, label)
        yield Premise(Equal(square, self.scale * conclusion.left, label=f"{label}: the mean square"), domain)
        yield Premise(always(sp.Gt(self.scale, 0, evaluate=False), self.using, f"{label}: the factor"), domain)
        one = sp.Ge(self.scale * conclusion.right, 1, evaluate=False)
        yield Premise(always(one, self.using, f"{label}: the bound"), domain)


@dataclass(frozen=True)
class BoundByAdvantages(_OfAdvantages):
    """Whatever laws the rewards have, ``left`` is at most ``right``, if ``expected`` are the expected advantages."""

    left: Scalar
    right: Scalar
    label: str = "mean square of the advantages"
    claimed = ("right",)
    rule = MeanSquare()

    def phrase(self) -> Phrase:
        bound = sp.Le(self.left, self.right, evaluate=False)
        return (*self.drawn(), ", whatever laws their rewards have: if", *self.meant(), bound)


@dataclass(frozen=True, eq=False)
class ByDeviation(Rule["MeanDeviation"]):
    """Where rewards are certain, advantages times rewards average to the deviation of the group, in every group: so the
    mean of the product is the expected deviation.
    """

    theorems = ("Advantages.expected_advantages_by_deviation",)

    def premises(self, conclusion: MeanDeviation, domain: Domain) -> Iterator[Premise]:
        yield from _grouped(conclusion, domain)
        one = numbered(conclusion.index, 1, conclusion.answers, domain)
        yield from valued((conclusion.reward,), one, conclusion.label)
        whole = conclusion.mean(conclusion.expected * conclusion.reward)
        yield Premise(Equal(whole, conclusion.value, label=f"{conclusion.label}: the value"), domain)


@dataclass(frozen=True)
class MeanDeviation(_OfAdvantages):
    """Where the output ``index`` has the certain reward ``reward``, the deviation of the rewards in a group has the
    expectation ``value``, which is not negative, if ``expected`` are the expected advantages.
    """

    reward: Scalar
    value: Scalar
    label: str = "mean deviation of a group"
    claimed = ("value",)
    rule = ByDeviation()

    def phrase(self) -> Phrase:
        certain = (", of which any", self.index, "has the reward", self.reward, ", for certain: if")
        said = ("the deviation of the rewards in a group has the expectation", self.value, ", which is not negative")
        return (*self.drawn(), *certain, *self.meant(), *said)
