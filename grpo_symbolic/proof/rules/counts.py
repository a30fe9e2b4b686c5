"""How often a function takes a value at most, by how often its derivative vanishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.roots import Solutions, inside_of, taken
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always, derivative, unmoved
from grpo_symbolic.proof.statement import Phrase, real_symbol
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class Rolle(Rule["AtMost"]):
    """A differentiable function takes a value at most once more than its derivative vanishes.

    ``slope`` is a form of the derivative; ``zeros`` is the rule for how often it vanishes.
    """

    zeros: Rule
    slope: Scalar | None = None
    theorems = ("Rolle.a_value_is_taken_once_more_than_the_derivative_vanishes",)

    def premises(self, conclusion: AtMost, domain: Domain) -> Iterator[Premise]:
        label, along = conclusion.label, conclusion.variable
        parameters, inside = conclusion.places(domain)
        if conclusion.most < 1:
            raise ClaimError(f"{label}: a derivative that vanishes less than never says nothing")
        yield from taken(conclusion, parameters)
        found, exact = derivative(conclusion.body, along, inside, form=self.slope)
        yield exact.labelled(label)
        ends = (conclusion.lower, conclusion.upper)
        vanishes = AtMost(found, along, *ends, label=f"{label}: where the slope vanishes", most=conclusion.most - 1)
        yield Premise(vanishes.by(self.zeros), parameters)


@dataclass(frozen=True, eq=False)
class Among(Rule["AtMost"]):
    """Wherever a function takes a value another one vanishes, in an interval that may be smaller: so it does not take
    the value more often.

    ``other`` vanishes between ``lower`` and ``upper``; ``zeros`` is the rule for how often; ``using`` is for the fact
    that the values are among the zeros.
    """

    other: Scalar
    lower: Scalar
    upper: Scalar
    zeros: Rule
    using: Using = ()
    theorems = ("Rolle.at_most_as_many_as_in_a_larger_set",)

    def premises(self, conclusion: AtMost, domain: Domain) -> Iterator[Premise]:
        label, along = conclusion.label, conclusion.variable
        parameters, inside = conclusion.places(domain)
        yield from taken(conclusion, parameters)
        within = [c for c in inside_of(along, (self.lower, self.upper), [True, True]) if c not in inside.constraints]
        there = sp.And(*within, sp.Eq(self.other, 0, evaluate=False), evaluate=False)
        among = sp.Implies(conclusion.equation, there, evaluate=False)
        yield Premise(always(among, self.using, f"{label}: among these"), inside)
        ends = (self.lower, self.upper)
        zeros = AtMost(self.other, along, *ends, label=f"{label}: these", most=conclusion.most)
        yield Premise(zeros.by(self.zeros), parameters)


@dataclass(frozen=True, eq=False)
class Nowhere(Rule["AtMost"]):
    """A value that a function takes nowhere. ``using`` is for that."""

    using: Using = ()
    theorems = ("Rolle.none_where_there_is_none",)

    def premises(self, conclusion: AtMost, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        parameters, inside = conclusion.places(domain)
        if conclusion.most != 0:
            raise ClaimError(f"{label}: what is taken nowhere is taken at most 0 times")
        yield from taken(conclusion, parameters)
        apart = sp.Ne(conclusion.body, conclusion.value, evaluate=False)
        yield Premise(always(apart, self.using, f"{label}: nowhere"), inside)


@dataclass(frozen=True)
class AtMost(Solutions):
    """``body`` takes ``value`` for at most ``most`` values of ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "at most so often"
    most: int = 1

    def places(self, domain: Domain) -> tuple[Domain, Domain]:
        """The domain of the parameters, and that on which the function is looked at.

        Raises :class:`ClaimError` for a number of solutions that is none.
        """
        real_symbol(self.variable)
        if self.most < 0:
            raise ClaimError(f"{self.label}: there are not fewer solutions than none")
        unmoved(self.variable, self.label, lower=self.lower, upper=self.upper)
        parameters = domain.apart_from(self.variable)
        return parameters, parameters.also(*inside_of(self.variable, (self.lower, self.upper), [True, True]))

    @property
    def expression(self) -> sp.Basic:
        solutions = sp.ConditionSet(self.variable, self.equation, sp.Interval.open(self.lower, self.upper))
        return sp.Le(sp.Function("card")(solutions), self.most, evaluate=False)

    def phrase(self) -> Phrase:
        inside = ("strictly between", self.lower, "and", self.upper)
        return (self.equation, "for at most", sp.Integer(self.most), "values of", self.variable, *inside)
