"""Iterations that end in a cycle: intervals that the map sends each into the next, and the last back into one."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from itertools import combinations, pairwise
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Lipschitz
from grpo_symbolic.proof.rules.iterations import Iteration
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, always, between, unmoved
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Nth, Phrase, real_symbol
from grpo_symbolic.scalars import Scalar

Ends = tuple[Scalar, Scalar]  # the lower and the upper end of a closed interval


@dataclass(frozen=True, eq=False)
class SentAround(Rule["EndsInCycle"]):
    """The map sends each interval into the next, and the last into the first of the cycle. It is Lipschitz on those of
    the cycle, with ``constants`` whose product is below one. No two of these meet, so that the cycle is no shorter one.
    """

    constants: tuple[Scalar, ...]
    theorems = ("Cycles.intervals_sent_around_hold_a_cycle",)

    def premises(self, conclusion: EndsInCycle, domain: Domain) -> Iterator[Premise]:
        s, label, cycle = conclusion.sequence, conclusion.label, conclusion.cycle
        if not cycle or len(self.constants) != len(cycle):
            raise ClaimError(f"{label}: a constant for each of the {len(cycle)} intervals of the cycle is asked for")
        real_symbol(s.variable)
        boxes = [*conclusion.entering, *cycle]
        for ends in boxes:
            if any(sp.sympify(end).is_finite is False for end in ends):
                raise ClaimError(f"{label}: the intervals have finite ends")
            unmoved(s.variable, label, lower=ends[0], upper=ends[1])
        parameters = domain.apart_from(s.variable)
        insides = [parameters.also(*between(low, s.variable, high)) for low, high in boxes]
        yield Premise(Always(_in(s.start, boxes[0]), label=f"{label}: the start lies in the first"), parameters)
        for (low, high), (bottom, top) in combinations(cycle, 2):
            apart = sp.Or(sp.Lt(high, bottom, evaluate=False), sp.Lt(top, low, evaluate=False), evaluate=False)
            yield Premise(Always(apart, label=f"{label}: no two of the intervals of the cycle meet"), parameters)
        for number, (inside, (_, then)) in enumerate(zip(insides, pairwise([*boxes, cycle[0]]), strict=True), 1):
            yield Premise(Always(_in(s.map, then), label=f"{label}: from interval {number} into the next"), inside)
        around = zip(insides[len(conclusion.entering) :], self.constants, strict=True)
        for number, (inside, constant) in enumerate(around, 1):
            steady = Lipschitz(s.map, s.variable, constant, f"{label}: on interval {number} of the cycle")
            yield Premise(steady, inside)
        sizes = [sp.Ge(constant, 0, evaluate=False) for constant in self.constants]
        small = sp.Lt(sp.Mul(*self.constants, evaluate=False), 1, evaluate=False)
        yield Premise(always(sp.And(*sizes, small, evaluate=False), (), f"{label}: the constants"), parameters)


def _in(term: Scalar, ends: Ends) -> sp.logic.boolalg.Boolean:
    return sp.And(*(relation(term, end, evaluate=False) for relation, end in zip((sp.Ge, sp.Le), ends, strict=True)))


@dataclass(frozen=True)
class EndsInCycle(Conclusion):
    """The members converge to a cycle of the map with a point in each interval of ``cycle``, the only one that goes
    through these intervals: those with the number m + nk + i, where m is the number of intervals in ``entering`` and k
    that of those in ``cycle``, to the point in interval i. The domain constrains the other symbols only.
    """

    sequence: Iteration
    cycle: tuple[Ends, ...]
    entering: tuple[Ends, ...] = ()
    label: str = "cycle"
    ranges = True
    letters_of_words = ("n",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.sequence.variable,)

    def phrase(self) -> Phrase:
        before, period = len(self.entering), len(self.cycle)
        said: list[Any] = []
        for number, (low, high) in enumerate(self.cycle, before):
            turn = "n" if period == 1 else f"{period}n"
            member = Nth(self.sequence.variable, f"{turn}+{number}" if number else turn)
            said += [",", member, "to a point between", low, "and", high]
        if period == 1:
            ((low, high),) = self.cycle
            return (*self.sequence.phrase(), "converges to the only fixed point between", low, "and", high)
        members = (", with members", Nth(self.sequence.variable, "n"), ",")
        through = (*self.sequence.phrase(), *members, "converges to a cycle of", sp.Integer(period))
        return (*through, "steps, the only one through these intervals:", *said[1:])
