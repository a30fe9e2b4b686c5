"""Groups of independent outputs of one policy, of any size: averages over their members, and the limit of large groups.

The rewards of an answer have any law, with a mean and a variance where a sentence names them. The advantage of a member
is its reward less the mean of its group over the deviation of its group, 0 in a group of equal rewards.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import any_number, numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always
from grpo_symbolic.proof.rules.sides import Premise, unmoved
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar

_ADVANTAGE = sp.Symbol("A")


def full_law(policy: sp.IndexedBase, answers: Scalar, domain: Domain) -> None:
    """Refuse what is no policy of the domain with all answers possible."""
    numbers_of(domain, policy, answers, sums=(1,))


def whole_size(size: Scalar, domain: Domain) -> None:
    """Refuse a size of groups that need not be a whole number."""
    if not domain.reading().term(sp.sympify(size)).is_whole:
        raise ClaimError(f"{size} need not be a whole number, as the size of a group is")


def growing(size: Scalar) -> None:
    """Refuse a size of groups that is no letter for whole numbers, along which groups grow."""
    if not isinstance(size, sp.Symbol) or not size.is_integer:
        raise ClaimError(f"groups grow along a letter for whole numbers, and {size} is none")


@dataclass(frozen=True, eq=False)
class ByMembers(Rule["GroupAverage"]):
    """The members of a group are exchangeable, so the expectation of an average over them is the expectation for one,
    and that is the mean over its outputs of what is expected of a member with this output.

    That the advantage of a member does not depend on the order of its group is part of the theorem.
    """

    theorems = ("LargeGroups.average_over_a_group_by_its_members",)

    def premises(self, conclusion: GroupAverage, domain: Domain) -> Iterator[Premise]:
        index, label = conclusion.index, conclusion.label
        full_law(conclusion.policy, conclusion.answers, domain)
        whole_size(conclusion.size, domain)
        any_number(index, domain)
        if conclusion.expected is None and conclusion.weight != 0:
            raise ClaimError(f"{label}: the advantage counts, and its expectation has no name")
        if conclusion.expected is not None:
            numbers_of(domain, conclusion.expected, conclusion.answers, (False,), free=True)
            for part in (conclusion.weight, conclusion.beside):
                if any(e.base == conclusion.expected for e in sp.sympify(part).atoms(sp.Indexed)):
                    raise ClaimError(f"{part} depends on the output only, and {conclusion.expected} on the group")
        if index in sp.sympify(conclusion.value).free_symbols:
            raise ClaimError(f"the expectation {conclusion.value} speaks of one output {index}")
        yield Premise(Always(sp.Ge(conclusion.size, 1, evaluate=False), label=f"{label}: there is a member"), domain)
        advantage = sp.S.Zero if conclusion.expected is None else conclusion.expected[index]
        one = conclusion.weight * advantage + conclusion.beside
        whole = sp.Sum(conclusion.policy[index] * one, (index, 1, conclusion.answers))
        yield Premise(Equal(whole, conclusion.value, label=f"{label}: the mean over the outputs"), domain)


@dataclass(frozen=True)
class GroupAverage(Conclusion):
    """In groups of ``size`` outputs drawn independently from ``policy``, whatever laws the rewards of the answers have:
    the expectation of the average over the members of ``weight`` times the advantage plus ``beside``, numbers of the
    output ``index``, is ``value``. ``expected`` is the family of the expected advantages of a member by its output,
    ``None`` where the advantage does not count.
    """

    weight: Scalar
    beside: Scalar
    expected: sp.IndexedBase | None
    policy: sp.IndexedBase
    index: sp.Symbol
    answers: Scalar
    size: Scalar
    value: Scalar
    label: str = "average over a group"
    claimed = ("value",)
    rule = ByMembers()
    letters_of_words = (_ADVANTAGE.name,)

    def phrase(self) -> Phrase:
        o = self.index
        drawn = ("in groups of", self.size, "independent outputs of", self.policy.label)
        averaged = sp.sympify(self.weight) * _ADVANTAGE + self.beside
        average = ("the expected average of", averaged, "is", self.value)
        if self.expected is None:
            return (*drawn, ",", *average)
        meant = (self.expected[o], "the expected advantage", _ADVANTAGE, "of an output", o)
        return (*drawn, "with rewards of any laws,", *meant, ":", *average)


@dataclass(frozen=True, eq=False)
class OfGroups(Rule["MeanAdvantage | SquaredAdvantage | CentredSurrogate | AdvantageInPairs | SurrogateInPairs"]):
    """What is expected of the advantages of a group, whose rewards have any laws: their mean over the group vanishes,
    the square of one is bounded by how rare its output is; in pairs one is a win, a loss or a tie; and without division
    by the deviation they are linear in the rewards.
    """

    using: Using = ()
    by_kind: ClassVar[Mapping[str, str]] = {
        "MeanAdvantage": "LargeGroups.mean_advantage_vanishes",
        "SquaredAdvantage": "LargeGroups.squared_advantage_is_bounded",
        "CentredSurrogate": "LargeGroups.surrogate_of_centred_rewards",
        "AdvantageInPairs": "LargeGroups.advantage_in_pairs",
        "SurrogateInPairs": "LargeGroups.surrogate_in_pairs",
    }

    def premises(
        self,
        conclusion: MeanAdvantage | SquaredAdvantage | CentredSurrogate | AdvantageInPairs | SurrogateInPairs,
        domain: Domain,
    ) -> Iterator[Premise]:
        label, answers = conclusion.label, conclusion.answers
        for policy in conclusion.policies:
            full_law(getattr(conclusion, policy), answers, domain)
        any_number(conclusion.index, domain)
        whole_size(conclusion.size, domain)
        if isinstance(conclusion, AdvantageInPairs) and conclusion.size != 2:
            raise ClaimError(
                f"{label}: wins and losses decide the advantage in groups of two, not of {conclusion.size}"
            )
        for family in conclusion.measured:
            numbers_of(domain, getattr(conclusion, family), answers, (False,), free=True)
        for family in conclusion.listed:
            numbers_of(domain, getattr(conclusion, family), answers, (False, True), None)
        if conclusion.size != 2:
            yield Premise(Always(sp.Ge(conclusion.size, 2, evaluate=False), label=f"{label}: there are two"), domain)
        inside = domain
        if conclusion.index in sp.sympify(conclusion.value).free_symbols:
            inside = numbered(conclusion.index, 1, answers, domain)
        exact = conclusion.exact
        if isinstance(conclusion, SquaredAdvantage):
            bounded = sp.Le(exact, conclusion.value, evaluate=False)
            yield Premise(always(bounded, self.using, f"{label}: the bound"), inside)
        else:
            yield Premise(Equal(exact, conclusion.value, label=f"{label}: the value"), inside)


@dataclass(frozen=True)
class _OfGroups(Conclusion):
    """Groups of ``size`` outputs drawn independently from ``policy`` over ``answers`` answers, of which ``index`` is
    one; ``value`` is what is expected.
    """

    policy: sp.IndexedBase
    index: sp.Symbol
    answers: Scalar
    size: Scalar
    value: sp.Expr
    label: str = "groups"
    claimed: ClassVar[tuple[str, ...]] = ("value",)
    rule = OfGroups()
    binds = ("index",)
    ranges = True
    policies: ClassVar[tuple[str, ...]] = ("policy",)  # the fields of which each is a policy with all answers possible
    measured: ClassVar[tuple[str, ...]] = ()  # those for families that the domain does not constrain
    listed: ClassVar[tuple[str, ...]] = ()  # those for families with a number for each answer

    @property
    def exact(self) -> sp.Expr:
        """What the theorem has in the place of the value."""
        raise NotImplementedError

    def mean(self, policy: sp.IndexedBase, term: sp.Expr) -> sp.Expr:
        """The mean of a number of an output."""
        return sp.Sum(policy[self.index] * term, (self.index, 1, self.answers))

    def phrase(self) -> Phrase:
        drawn = ("in groups of", sp.sympify(self.size), "independent outputs of", self.policy.label)
        return (*drawn, "with rewards of any laws,", *self.predicate())

    def predicate(self) -> Phrase:
        """What is expected of them, as the predicate of the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class MeanAdvantage(_OfGroups):
    """The mean over the outputs of ``expected``, the expected advantages of a member by its output, is ``value``."""

    expected: sp.IndexedBase = None
    label: str = "mean advantage"
    measured = ("expected",)

    @property
    def exact(self) -> sp.Expr:
        return sp.S.Zero

    def predicate(self) -> Phrase:
        o = self.index
        average = sp.Eq(self.mean(self.policy, self.expected[o]), self.value, evaluate=False)
        return (self.expected[o], "the expected advantage of an output", o, ":", average)


@dataclass(frozen=True)
class SquaredAdvantage(_OfGroups):
    """The expected square of the advantage of a member with the output ``index`` is at most ``value``."""

    label: str = "squared advantage"

    @property
    def exact(self) -> sp.Expr:
        return 1 / self.policy[self.index]

    def predicate(self) -> Phrase:
        return (
            "the square of the advantage of a member with the output",
            self.index,
            "is at most",
            self.value,
            "in expectation",
        )


@dataclass(frozen=True)
class CentredSurrogate(_OfGroups):
    """The expectation of the average of ratio times centred reward, the ratio that of the policy ``new`` to ``policy``,
    is ``value``; ``rewards`` are the expected rewards of the answers.
    """

    new: sp.IndexedBase = None
    rewards: sp.IndexedBase = None
    label: str = "centred rewards"
    policies = ("policy", "new")
    listed = ("rewards",)

    @property
    def exact(self) -> sp.Expr:
        r = self.rewards[self.index]
        return (1 - 1 / sp.sympify(self.size)) * (self.mean(self.new, r) - self.mean(self.policy, r))

    def predicate(self) -> Phrase:
        o = self.index
        means = ("with means", self.rewards[o], ",")
        averaged = (
            self.new[o] / self.policy[o],
            "times the reward less the mean of the group, averaged over the group,",
        )
        return (*means, "the expectation of", *averaged, "is", self.value)


@dataclass(frozen=True)
class AdvantageInPairs(_OfGroups):
    """The expected advantage of a member with the output ``index`` in a group of two is ``value``; ``wins`` and
    ``losses`` are the probabilities that its reward exceeds that of the other member, or falls below it.
    """

    wins: sp.IndexedBase = None
    losses: sp.IndexedBase = None
    label: str = "advantage in pairs"
    measured = ("wins", "losses")

    @property
    def exact(self) -> sp.Expr:
        return self.wins[self.index] - self.losses[self.index]

    def phrase(self) -> Phrase:
        o = self.index
        drawn = ("in pairs of independent outputs of", self.policy.label, "with any reward laws, by which", o)
        return (*drawn, "wins with chance", self.wins[o], ", loses with", self.losses[o], ":", *self.predicate())

    def predicate(self) -> Phrase:
        return ("the expected advantage of", self.index, "is", self.value)


@dataclass(frozen=True)
class SurrogateInPairs(AdvantageInPairs):
    """The expectation of the average of ratio times advantage in a group of two, the ratio that of the policy ``new``
    to ``policy``, is ``value``.
    """

    new: sp.IndexedBase = None
    label: str = "surrogate in pairs"
    policies = ("policy", "new")

    @property
    def exact(self) -> sp.Expr:
        return self.mean(self.new, self.wins[self.index] - self.losses[self.index])

    def predicate(self) -> Phrase:
        o = self.index
        averaged = (self.new[o] / self.policy[o], "times the advantage")
        return ("the expected average of", *averaged, "is", self.value)


@dataclass(frozen=True, eq=False)
class LargeGroups(Rule["MeanOfLargeGroups | DeviationOfLargeGroups | SurrogateOfLargeGroups | AdvantageInLargeGroups"]):
    """The law of large numbers for groups of independent outputs, in mean square; by Chebyshev's inequality in
    probability; and for the expected advantage, whose second moment is bounded.

    ``using`` is for the fact that the rewards have a deviation, and for the signs of the variances.
    """

    using: Using = ()
    by_kind: ClassVar[Mapping[str, str]] = {
        "MeanOfLargeGroups": "LargeGroups.mean_of_a_large_group",
        "DeviationOfLargeGroups": "LargeGroups.deviation_of_a_large_group",
        "SurrogateOfLargeGroups": "LargeGroups.surrogate_of_large_groups",
        "AdvantageInLargeGroups": "LargeGroups.preference_in_large_groups",
    }

    def premises(
        self,
        conclusion: MeanOfLargeGroups | DeviationOfLargeGroups | SurrogateOfLargeGroups | AdvantageInLargeGroups,
        domain: Domain,
    ) -> Iterator[Premise]:
        label, index, answers = conclusion.label, conclusion.index, conclusion.answers
        for policy in conclusion.policies:
            full_law(getattr(conclusion, policy), answers, domain)
        growing(conclusion.size)
        any_number(index, domain)
        numbers_of(domain, conclusion.rewards, answers, (False, True))
        other = sp.Symbol(f"{index}_", integer=True)
        if other in domain.symbols | sp.sympify(conclusion.value).free_symbols:
            raise ClaimError(f"{other} stands for another answer here")
        mean = sp.Sum(conclusion.policy[other] * conclusion.rewards[other], (other, 1, answers))
        inner = 0 if conclusion.within is None else sp.sympify(conclusion.within)
        if inner != 0:
            unmoved(conclusion.size, label, **{"variance of an answer's reward": inner})
            is_one = always(sp.Ge(inner, 0, evaluate=False), self.using, f"{label}: the variance of an answer's reward")
            yield Premise(is_one, numbered(index, 1, answers, domain))
        spread = inner + (conclusion.rewards[index] - mean) ** 2
        variance = sp.Sum(conclusion.policy[index] * spread, (index, 1, answers))
        if conclusion.varied:
            yield Premise(always(sp.Gt(variance, 0, evaluate=False), self.using, f"{label}: the deviation"), domain)
        inside = numbered(index, 1, answers, domain) if conclusion.of_one else domain
        for what, exact, stated in conclusion.values(mean, variance):
            unmoved(conclusion.size, label, **{what: stated})
            yield Premise(Equal(exact, stated, label=f"{label}: the {what}"), inside)


@dataclass(frozen=True)
class _OfLargeGroups(Conclusion):
    """Groups of ``size`` outputs drawn independently from ``policy``, of which the rewards of the answer ``index`` have
    the mean ``rewards`` and the variance ``within``, a term in ``index`` (``None``: they are certain), as ``size``
    grows.
    """

    policy: sp.IndexedBase
    rewards: sp.IndexedBase
    within: Scalar | None
    index: sp.Symbol
    answers: Scalar
    size: sp.Symbol
    value: Scalar
    label: str = "large groups"
    claimed: ClassVar[tuple[str, ...]] = ("value",)
    rule = LargeGroups()
    policies: ClassVar[tuple[str, ...]] = ("policy",)  # the fields of which each is a policy with all answers possible
    varied: ClassVar[bool] = False
    of_one: ClassVar[bool] = False  # whether the value is that of one output
    binds = ("index", "size")
    ranges = True

    def values(self, mean: sp.Expr, variance: sp.Expr) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
        """What is to agree: a name, what the theorem has, and what is stated."""
        raise NotImplementedError

    def phrase(self) -> Phrase:
        o = self.index
        drawn = ("in groups of", self.size, "independent outputs of", self.policy.label)
        certain = ("whose output", o, "has the reward", self.rewards[o], ",")
        if self.within is None:
            return (*drawn, *certain, *self.predicate())
        laws = ("whose output", o, "has a reward of any law with the mean", self.rewards[o])
        return (*drawn, *laws, "and the variance", self.within, ",", *self.predicate())

    def predicate(self) -> Phrase:
        """What happens as the groups grow, as the predicate of the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class MeanOfLargeGroups(_OfLargeGroups):
    """The mean of the rewards of a group converges to ``value``, in mean square and in probability; its mean square
    distance is ``variance`` over the size.
    """

    variance: Scalar | None = None
    label: str = "mean of a group"
    claimed = ("value", "variance")

    def __post_init__(self) -> None:
        if self.variance is None:
            raise ClaimError(f"{self.label}: what the variance of a reward is has to be said")

    def values(self, mean: sp.Expr, variance: sp.Expr) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
        yield "limit", mean, self.value
        yield "variance", variance, self.variance

    def predicate(self) -> Phrase:
        rate = ("at a mean square distance of", sp.sympify(self.variance) / self.size)
        return (
            "the mean of their rewards converges to",
            self.value,
            "as",
            self.size,
            "→ ∞, in probability and in mean square,",
            *rate,
        )


@dataclass(frozen=True)
class DeviationOfLargeGroups(_OfLargeGroups):
    """The deviation of the rewards of a group converges to ``value``, in mean square and in probability."""

    label: str = "deviation of a group"

    def values(self, mean: sp.Expr, variance: sp.Expr) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
        yield "limit", sp.sqrt(variance), self.value

    def predicate(self) -> Phrase:
        return (
            "the deviation of their rewards converges to",
            self.value,
            "as",
            self.size,
            "→ ∞, in probability and in mean square",
        )


@dataclass(frozen=True)
class SurrogateOfLargeGroups(_OfLargeGroups):
    """The expectation of the average over a group of ratio times advantage, the ratio that of the policy ``new`` to
    ``policy``, converges to ``value``.
    """

    new: sp.IndexedBase = None
    label: str = "surrogate of large groups"
    policies = ("policy", "new")
    varied = True

    def values(self, mean: sp.Expr, variance: sp.Expr) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
        o = self.index
        new = sp.Sum(self.new[o] * self.rewards[o], (o, 1, self.answers))
        yield "limit", (new - mean) / sp.sqrt(variance), self.value

    def predicate(self) -> Phrase:
        o = self.index
        averaged = (self.new[o] / self.policy[o], "times the advantage, averaged over the group,")
        return ("the expectation of", *averaged, "converges to", self.value, "as", self.size, "→ ∞")


@dataclass(frozen=True)
class AdvantageInLargeGroups(_OfLargeGroups):
    """The expected advantage of a member with the output ``index`` converges to ``value``."""

    label: str = "advantage in large groups"
    varied = True
    of_one = True

    def values(self, mean: sp.Expr, variance: sp.Expr) -> Iterator[tuple[str, sp.Expr, sp.Expr]]:
        yield "limit", (self.rewards[self.index] - mean) / sp.sqrt(variance), self.value

    def predicate(self) -> Phrase:
        converges = ("the expected advantage of a member with the output", self.index, "converges to", self.value)
        return (*converges, "as", self.size, "→ ∞")
