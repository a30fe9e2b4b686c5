"""Policies that give up answers: when the conditions of Karush, Kuhn and Tucker hold at them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import numbered, numbers_of
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.rules.simplex import Summand, letters_of, names
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


class Place(NamedTuple):
    """Answers of one kind at a policy: what one of them adds to the objective, and the derivative of this in its
    probability (``slope``), both in the letter of the summand. ``at`` is its probability there, by its number, or None
    for any positive ones; zero for answers that are given up. ``old`` are their probabilities under the policy that
    sampled, which is this one.
    """

    summand: Summand
    slope: Scalar
    at: Scalar | None = sp.S.Zero
    old: sp.IndexedBase | None = None

    @property
    def used(self) -> bool:
        """Whether the policy keeps these answers."""
        return self.at != 0

    def there(self, value: Scalar) -> sp.Expr:
        """The slope of an answer where it has this probability, under the policy that sampled too."""
        own = {} if self.old is None else {self.old[self.summand.index]: value}
        return substituted(self.slope, {self.summand.letter: value, **own})

    @property
    def level(self) -> sp.Expr:
        """The slope at the policy, without the probabilities of the answer where they cancel."""
        slope = self.there(self.at)
        return sp.cancel(slope) if slope.atoms(sp.Indexed) else slope


def _slopes(objective: sp.Expr, kinds: tuple[Place, ...], domain: Domain, label: str) -> Iterator[Premise]:
    """That the objective is a sum over the answers, with these slopes.

    Raises :class:`ClaimError` for kinds that are not apart, and for a probability that does not vary freely.
    """
    moving = {kind.summand.family for kind in kinds}
    frozen = {kind.old for kind in kinds if kind.old is not None}
    sampled = sum(kind.old is not None for kind in kinds)
    if len(moving) < len(kinds) or len(frozen) < sampled or moving & frozen:
        raise ClaimError(f"{label}: each kind of answers has probabilities of its own")
    if not any(kind.used for kind in kinds):
        raise ClaimError(f"{label}: a policy uses some answer")
    for kind in kinds:
        if kind.old is not None and not kind.used:
            raise ClaimError(f"{label}: no answer of {kind.summand.family} is sampled, and {kind.old} are positive")
    yield Premise(
        Equal(objective, sp.Add(*(kind.summand.total for kind in kinds)), label=f"{label}: a sum over the answers"),
        domain,
    )
    for kind in kinds:
        of, parts = kind.summand, (sp.sympify(kind.summand.term), sp.sympify(kind.slope))
        of.own_letter(domain)
        numbers_of(domain, of.family, of.size, (kind.used,), free=True)
        if kind.old is not None:
            numbers_of(domain, kind.old, of.size, free=True)
        own = {of.index} if kind.old is not None else set()
        for entry in set().union(*(part.atoms(sp.Indexed) for part in parts)):
            if entry.base in moving or (
                entry.base in frozen and not (entry.base == kind.old and own == {*entry.indices})
            ):
                raise ClaimError(f"{label}: {entry} is no probability of the answer itself")
        inside = numbered(of.index, 1, of.size, domain).also(of.letter > 0 if kind.used else of.letter)
        exact = Equal(sp.Derivative(of.term, of.letter), kind.slope, label=f"{label}: the slope in {of.family}")
        yield Premise(exact, inside)


@dataclass(frozen=True, eq=False)
class EqualOnSupport(Rule["SatisfiesKKT"]):
    """A policy has multipliers exactly if the slopes of the answers that it uses are one number, and those of the
    others no larger: the constraints are linear.

    That the slope at the policy is the same for all answers of a kind is a premise; ``using`` is for what they say.
    """

    using: Using = ()
    theorems = ("Supports.multipliers_exactly_if_no_answer_is_steeper",)

    def premises(self, conclusion: SatisfiesKKT, domain: Domain) -> Iterator[Premise]:
        label, kinds = conclusion.label, conclusion.kinds
        if any(kind.at is None for kind in kinds):
            raise ClaimError(f"{label}: it is about one policy, with a probability of each answer")
        yield from _slopes(conclusion.objective, kinds, domain, label)
        for kind in kinds:
            of = kind.summand
            if kind.level.has(of.index) or kind.level.atoms(sp.Indexed):
                raise ClaimError(f"{label}: the slope {kind.level} is to be the same for all answers of a kind")
            inside = numbered(of.index, 1, of.size, domain)
            same = Equal(kind.there(kind.at), kind.level, label=f"{label}: the slope in {of.family} at the policy")
            yield Premise(same, inside)
            yield Premise(Always(of.size >= 1, label=f"{label}: there are answers of {of.family}"), domain)
            if kind.used:
                yield Premise(Always(sp.sympify(kind.at) > 0, label=f"{label}: {of.family} are used"), inside)
        whole = sp.Add(*(sp.Sum(kind.at, (kind.summand.index, 1, kind.summand.size)) for kind in kinds if kind.used))
        yield Premise(Equal(whole, 1, label=f"{label}: a policy"), domain)
        for difference, less in conclusion.differences:
            yield Premise(Equal(difference, less, label=f"{label}: by how much a slope is less"), domain)
        steepest = always(conclusion.exactly, self.using, f"{label}: no answer is steeper than a used one")
        yield Premise(steepest, conclusion.numbers(domain))


@dataclass(frozen=True)
class SatisfiesKKT(Conclusion):
    """The policy with the probabilities of ``kinds`` satisfies the conditions of Karush, Kuhn and Tucker for the
    maximum of ``objective`` over all policies, what sampled being held fixed at the policy itself, exactly if
    ``condition``.
    """

    objective: sp.Expr
    kinds: tuple[Place, ...]
    condition: sp.Basic
    label: str = "multipliers"
    claimed = ("condition",)
    rule = EqualOnSupport()

    @property
    def differences(self) -> tuple[tuple[sp.Expr, sp.Expr], ...]:
        """By how much a slope is less than that of a used answer, and this where it is put on one denominator."""
        steep = [kind for kind in self.kinds if kind.used]
        less = [kind.level - other.level for other in self.kinds for kind in steep if other is not kind]
        return tuple((difference, sp.cancel(difference)) for difference in less)

    @property
    def exactly(self) -> sp.Basic:
        """That the condition holds exactly if no slope is larger than that of a used answer."""
        none_steeper = [sp.Ge(less, 0, evaluate=False) for _, less in self.differences if less != 0]
        return sp.Equivalent(self.condition, sp.And(*none_steeper, evaluate=False), evaluate=False)

    def numbers(self, domain: Domain) -> Domain:
        """The domain of the condition and the slopes, which speak of no family and no number of answers."""
        sizes = {s for kind in self.kinds for s in sp.sympify(kind.summand.size).free_symbols}
        about = (c for c in domain.constraints if not (c.free_symbols & sizes or c.atoms(sp.Indexed)))
        return Domain(*domain.free, *about)

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """What it says of the slopes, at all values of the domain: more than on that of the numbers alone."""
        slopes = Always(self.exactly, label=f"{self.label}: the slopes, as it implies")
        yield from slopes.obligations(domain)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return letters_of(kind.summand for kind in self.kinds)

    def phrase(self) -> Phrase:
        at = []
        for kind in self.kinds:
            of = kind.summand
            at += [",", sp.Eq(of.family[of.index], kind.at, evaluate=False)]
        held = names(kind.old for kind in self.kinds if kind.old is not None)
        frozen = (", with", *held, "fixed at the same,") if held else ()
        point = ("the policy", *at[1:], "is a KKT point of", self.objective, *frozen)
        return (*point, "exactly if", self.condition)


@dataclass(frozen=True, eq=False)
class TooRare(Rule["ViolatesKKT"]):
    """If every used answer that is as steep as one that is given up had at most a probability, by its number, and these
    add up to less than one, no policy has multipliers.

    ``at_most`` are these probabilities, of the used kinds in their order, and ``together`` is their sum; ``better`` is
    the number of the kind that is given up; ``using`` is for the sum being less than one.
    """

    at_most: tuple[Scalar, ...]
    together: Scalar
    better: int
    using: Using = ()
    theorems = ("Supports.no_multipliers_if_the_used_answers_are_too_rare",)

    def premises(self, conclusion: ViolatesKKT, domain: Domain) -> Iterator[Premise]:
        label, kinds = conclusion.label, conclusion.kinds
        yield from _slopes(conclusion.objective, kinds, domain, label)
        left = kinds[self.better]
        if left.used or left.old is not None:
            raise ClaimError(f"{label}: {left.summand.family} are to be given up")
        steep = sp.sympify(left.there(sp.S.Zero))
        if steep.has(left.summand.index) or steep.atoms(sp.Indexed):
            raise ClaimError(f"{label}: the slope {steep} is to be the same for all answers of a kind")
        some = Always(left.summand.size >= 1, label=f"{label}: some answer of {left.summand.family}")
        yield Premise(some, domain)
        total = sp.S.Zero
        used = [kind for kind in kinds if kind.used]
        if len(self.at_most) != len(used):
            raise ClaimError(f"{label}: a probability is to be given for each kind of answers that is used")
        for kind, most in zip(used, self.at_most, strict=True):
            of = kind.summand
            inside = numbered(of.index, 1, of.size, domain)
            as_steep = sp.Le(steep, kind.there(of.letter), evaluate=False)
            rare = sp.Implies(as_steep, sp.Le(of.letter, most, evaluate=False), evaluate=False)
            yield Premise(Always(rare, label=f"{label}: {of.family} are rare"), inside.also(of.letter > 0))
            total += sp.Sum(most, (of.index, 1, of.size))
        yield Premise(Equal(total, self.together, label=f"{label}: their sum"), domain)
        yield Premise(always(sp.Lt(self.together, 1, evaluate=False), self.using, f"{label}: too rare"), domain)


@dataclass(frozen=True)
class ViolatesKKT(Conclusion):
    """No policy that uses the answers of the used ``kinds``, all of them and no others, satisfies the conditions of
    Karush, Kuhn and Tucker for the maximum of ``objective`` over all policies, what sampled being held fixed at the
    policy itself.
    """

    objective: sp.Expr
    kinds: tuple[Place, ...]
    label: str = "no multipliers"
    claimed = ("objective",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return letters_of(kind.summand for kind in self.kinds)

    def phrase(self) -> Phrase:
        used = names(kind.summand.family for kind in self.kinds if kind.used)
        rest = names(kind.summand.family for kind in self.kinds if not kind.used)
        held = names(kind.old for kind in self.kinds if kind.old is not None)
        own = "its own" if len(held) == 1 else "their own"
        frozen = (", with", *held, f"held fixed at {own} probabilities") if held else ()
        which = ("no policy that uses all answers of", *used, "and gives up those of", *rest)
        return (*which, "is a KKT point of", self.objective, *frozen)
