"""Iterations of a map that falls and then rises: from every start to a fixed point."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.iterations import OfIteration
from grpo_symbolic.proof.rules.rule import (
    Premise,
    Rule,
    Using,
    always,
    between,
    by_rule,
    continuous,
    unmoved,
    valued,
)
from grpo_symbolic.proof.statement import Always, Phrase, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class FallsThenRises(Rule["Converges"]):
    """A continuous map of an interval into itself that falls up to a point and rises after it: where its least value
    lies before that point, the next one does so too, and no two numbers between them are exchanged.

    ``turn`` is that point, and ``later`` a letter for the larger of two numbers that might be exchanged. ``falls`` and
    ``rises`` are why the map is monotone, ``back`` is for the step after the least value, ``apart`` for that no two
    numbers are exchanged.
    """

    turn: Scalar
    later: sp.Symbol
    falls: Rule | None = None
    rises: Rule | None = None
    back: Using = ()
    apart: Using = ()
    theorems = ("Turning.falling_then_rising_map_converges",)

    def premises(self, conclusion: Converges, domain: Domain) -> Iterator[Premise]:
        s, label = conclusion.sequence, conclusion.label
        along, turn, (low, high) = s.variable, sp.sympify(self.turn), (conclusion.lower, conclusion.upper)
        real_symbol(along)
        real_symbol(self.later)
        unmoved(along, label, turn=turn, lower=low, upper=high)
        spoken = domain.symbols.union(*(sp.sympify(e).free_symbols for e in (s.map, turn, low, high)))
        if self.later in {*spoken, along}:
            raise ClaimError(f"{label}: {self.later} stands for a later point, and the sentence speaks of it")
        parameters = domain.apart_from(along)
        inside = parameters.also(*between(low, along, high))
        yield from valued((turn,), parameters, label)
        for term, first, last, what in (
            (turn, low, high, "the turning point lies in the interval"),
            (s.start, low, high, "the start lies in the interval"),
        ):
            ends = (sp.Le(first, term, evaluate=False), sp.Le(term, last, evaluate=False))
            yield Premise(Always(sp.And(*ends, evaluate=False), label=f"{label}: {what}"), parameters)
        for relation, end, what in ((sp.Le, low, "from below"), (sp.Ge, high, "from above")):
            into = relation(end, s.map, evaluate=False)
            yield Premise(Always(into, label=f"{label}: the map stays in the interval, {what}"), inside)
        yield continuous(s.map, along, inside).labelled(label)
        for way, ends, rule, what in ((-1, (low, turn), self.falls, "falls"), (1, (turn, high), self.rises, "rises")):
            monotone = Monotone(s.map, along, way, False, label=f"{label}: {what}")
            yield Premise(by_rule(monotone, rule), parameters.also(*between(ends[0], along, ends[1])))
        least = substituted(s.map, {along: turn})
        after = substituted(s.map, {along: least})
        back = sp.Implies(sp.Lt(least, turn, evaluate=False), sp.Le(after, turn, evaluate=False), evaluate=False)
        yield Premise(always(back, self.back, f"{label}: the step after the least value"), parameters)
        order = (sp.Le(least, along, evaluate=False), sp.Lt(along, self.later), sp.Le(self.later, turn, evaluate=False))
        there = substituted(s.map, {along: self.later})
        exchanged = (sp.Eq(s.map, self.later, evaluate=False), sp.Eq(there, along, evaluate=False))
        apart = sp.Not(sp.And(*exchanged, evaluate=False), evaluate=False)
        yield Premise(always(apart, self.apart, f"{label}: no two are exchanged"), parameters.also(*order))


@dataclass(frozen=True)
class Converges(OfIteration):
    """The members converge, to a fixed point of the map in the interval."""

    def says(self) -> Phrase:
        return ("converges to a fixed point of this map between", self.lower, "and", self.upper)
