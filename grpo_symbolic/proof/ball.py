"""Certifying inequalities over whole boxes: ball arithmetic with branch and bound.

The box is the closure of the ranges that the domain gives to its symbols, so a proof covers the open box as well. A
sub-box on which some constraint of the domain is certainly false is discarded; one on which the formula is certainly
true is done; one at whose centre (a point of the domain) the formula is certainly false refutes it; any other is cut
in two along its widest side. Boxes must be bounded: an unbounded or singular end is for the author to close, by a
substitution or a stated lemma.
"""

from __future__ import annotations

import heapq
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from grpo_symbolic.proof.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.evaluate import Values, holds_at, values_of
from grpo_symbolic.proof.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.obligation import Holds, Obligation, statement_of
from grpo_symbolic.proof.terms.language import Derivative, Formula, Variable

Box = tuple[tuple[sp.Rational, sp.Rational], ...]
MAXIMUM_BOXES = 20_000


def ball(low: sp.Rational, high: sp.Rational) -> Any:
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
        symbols = sorted(domain.symbols, key=lambda s: s.name)
        variables = [domain.reading().variable(s) for s in symbols]
        start: Box = tuple((domain.intervals[s].lower, domain.intervals[s].upper) for s in symbols)
        queue: list[tuple[Any, int, Box]] = [(0, 0, start)]
        examined = 0
        try:
            while queue:
                _, _, box = heapq.heappop(queue)
                examined += 1
                if examined > self.boxes:
                    return Finding.unknown(f"undecided after {self.boxes} boxes")
                if self._settled(formula, domain, variables, box):
                    continue
                middle = {s: (low + high) / 2 for s, (low, high) in zip(symbols, box, strict=True)}
                if domain.contains(middle) and _contains(formula, values_of(middle, domain.reading())) is False:
                    shown = ", ".join(f"{k} = {v}" for k, v in middle.items())
                    return Finding(Outcome.refuted, artefact=f"witness {shown} (ball arithmetic)", digits=60)
                for half in _halves(box):
                    heapq.heappush(queue, (-max(h - low for low, h in half), examined * 2 + len(queue), half))
        except Unsupported as reason:
            return Finding.unknown(str(reason))
        shown = " × ".join(f"{s} ∈ [{low}, {high}]" for s, (low, high) in zip(symbols, start, strict=True))
        return Finding(Outcome.holds, artefact=f"{examined} boxes cover {shown}", domain=shown, digits=60)

    def _settled(self, formula: Formula, domain: Domain, variables: list[Variable], box: Box) -> bool:
        flint.ctx.prec = 220
        point = {v: ball(low, high) for v, (low, high) in zip(variables, box, strict=True)}
        if _contains(formula, point) is True:
            return True
        return any(_contains(c, point) is False for c in domain.formulas)


def _halves(box: Box) -> list[Box]:
    widest = max(range(len(box)), key=lambda index: box[index][1] - box[index][0])
    low, high = box[widest]
    middle = (low + high) / 2
    return [(*box[:widest], side, *box[widest + 1 :]) for side in ((low, middle), (middle, high))]
