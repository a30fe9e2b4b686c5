"""Certifying inequalities over whole boxes: ball arithmetic with branch and bound.

The box is the closure of the ranges that the domain gives to its symbols, so a proof covers the open box as well. A
sub-box on which some constraint of the domain is certainly false is discarded; one on which the formula is certainly
true is done; one at whose centre (a point of the domain) the formula is certainly false refutes it; any other is cut
in two along its widest side, among those of the symbols on which anything but the ends of the box depends. Boxes must
be bounded: an unbounded or singular end is for the author to close, by a substitution or a stated lemma.
"""

from __future__ import annotations

import heapq
from collections.abc import Iterable
from dataclasses import dataclass
from fractions import Fraction
from typing import Any

import sympy as sp

from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.evaluate import Values, holds_at, satisfies
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Obligation, statement_of
from grpo_symbolic.proof.statements.pointtext import point_text
from grpo_symbolic.terms.language import Derivative, Formula

Box = tuple[tuple[Fraction, Fraction], ...]
MAXIMUM_BOXES = 20_000


def ball(low: Fraction | sp.Rational, high: Fraction | sp.Rational) -> Any:
    """The smallest ball that covers a rational interval."""
    a, b = ARB.number(low), ARB.number(high)
    return a.union(b)


def _contains(formula: Formula, point: Values) -> bool | None:
    try:
        return holds_at(formula, point, ARB)
    except (Undefined, ZeroDivisionError):
        return None


@dataclass(frozen=True)
class BranchAndBound:
    """Proves a formula on a bounded box, or refutes it at a point."""

    name: str = "ball"
    engine: str = "Arb"
    grade: Grade = Grade.certified
    boxes: int = MAXIMUM_BOXES

    def applies(self, obligation: Obligation) -> bool:
        if not isinstance(obligation, Holds) or obligation.has_families() or obligation.domain.definitions:
            return False
        formula, domain = statement_of(obligation), obligation.domain
        if formula.has(Derivative) or not formula.variables <= domain.variables:
            return False
        if not formula.variables:
            return True  # one point says all
        table = domain.intervals
        return all(
            table[s].lower.is_Rational and table[s].upper.is_Rational and not s.is_integer for s in domain.symbols
        )

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Holds)
        domain, formula = obligation.domain, statement_of(obligation)
        if not formula.variables:
            value = _contains(formula, {})
            outcome = {True: Outcome.holds, False: Outcome.refuted, None: Outcome.unknown}[value]
            return Finding(outcome, artefact="one number on each side, compared in ball arithmetic", digits=60)
        reading = domain.reading()
        ranges = {reading.variable(s): domain.intervals[s] for s in sorted(domain.symbols, key=lambda s: s.name)}
        start: Box = tuple((_fraction(r.lower), _fraction(r.upper)) for r in ranges.values())
        inside = domain.drawing.unsettled  # what the ends of the box do not say
        mentioned = formula.variables.union(*(c.variables for c in inside))
        sides = [index for index, variable in enumerate(ranges) if variable in mentioned]
        queue: list[tuple[Any, int, Box]] = [(0, 0, start)]
        examined = 0
        try:
            while queue:
                _, _, box = heapq.heappop(queue)
                examined += 1
                if examined > self.boxes:
                    return Finding.unknown(f"undecided after {self.boxes} boxes")
                if _settled(formula, inside, dict(zip(ranges, (ball(*side) for side in box), strict=True))):
                    continue
                middle = {v: (low + high) / 2 for v, (low, high) in zip(ranges, box, strict=True)}
                if satisfies(middle, inside, ARB) and _contains(formula, middle) is False:
                    shown = ", ".join(f"{v.name} = {value}" for v, value in middle.items())
                    artefact = f"witness {shown} (ball arithmetic)"
                    return Finding(Outcome.refuted, artefact, digits=60, point=point_text(middle))
                for half in _halves(box, sides):
                    widest = max(half[index][1] - half[index][0] for index in sides)
                    heapq.heappush(queue, (-widest, examined * 2 + len(queue), half))
        except Unsupported as reason:
            return Finding.unknown(str(reason))
        shown = " × ".join(f"{v.name} ∈ [{low}, {high}]" for v, (low, high) in zip(ranges, start, strict=True))
        return Finding(Outcome.holds, artefact=f"{examined} boxes cover {shown}", domain=shown, digits=60)


def _settled(formula: Formula, inside: Iterable[Formula], box: Values) -> bool:
    """Whether the formula certainly holds all over a box, or some constraint certainly fails there."""
    return _contains(formula, box) is True or any(_contains(c, box) is False for c in inside)


def _fraction(number: sp.Rational) -> Fraction:
    return Fraction(int(number.p), int(number.q))


def _halves(box: Box, sides: list[int]) -> list[Box]:
    """A box cut in two along the widest of these sides."""
    widest = max(sides, key=lambda index: box[index][1] - box[index][0])
    low, high = box[widest]
    middle = (low + high) / 2
    return [(*box[:widest], side, *box[widest + 1 :]) for side in ((low, middle), (middle, high))]
