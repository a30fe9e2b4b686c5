"""Sampling in multi-precision arithmetic, and exact witnesses.

Sampling never proves. It is the independent second look at what another engine proved, and the quickest way to a
counter-example: a violation found by mpmath is evaluated again in ball arithmetic at the same exact point, and
refutes only if the balls confirm it.
"""

from __future__ import annotations

import itertools
from dataclasses import dataclass
from functools import lru_cache
from typing import Any

import sympy as sp

from grpo_symbolic.proof.arithmetic import ARB, DIGITS, MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.domain import Domain, Point
from grpo_symbolic.proof.evaluate import truth
from grpo_symbolic.proof.evidence import UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, Witness, formula_of


def shown(point: Point) -> str:
    return ", ".join(f"{k} = {v}" for k, v in sorted(point.items(), key=lambda item: str(item[0])))


@lru_cache(maxsize=64)
def _points(domain: Domain, count: int, seed: int) -> tuple[Point, ...]:
    """The points of a domain, which several obligations share."""
    return tuple(domain.points(count, seed=seed))


@dataclass(frozen=True)
class Sampling:
    """Multi-precision points, a third of them hugging an end of the domain."""

    name: str = "sampling"
    engine: str = "mpmath"
    grade: Grade = Grade.sampled
    points: int = 60
    seed: int = 20250221

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Identity | Holds | Witness)

    def check(self, obligation: Obligation) -> Finding:
        if isinstance(obligation, Witness):
            return self._second_look(obligation)
        formula, domain = formula_of(obligation), obligation.domain
        bound = domain.symbols | set(domain.bases)
        indices = sorted((s for s in formula.free_symbols if s.is_Symbol and s not in bound), key=str)
        if not all(s.is_integer for s in indices):
            return Finding.unknown(f"no domain for {[s for s in indices if not s.is_integer]}")
        prepared = _exact if formula.has(sp.Derivative) else _rounded  # differences need more digits than a formula
        held = undecided = undefined = 0
        for point in _points(domain, self._count(formula, domain), self.seed):
            for full in _with_indices(point, indices, domain):
                try:
                    value = truth(formula, prepared(full), MPMATH)
                except Undefined:
                    if meaningless(formula, full):
                        return Finding.unknown(f"{UNDEFINED}, such as {shown(full)}")
                    undefined += 1  # beyond the range of the arithmetic
                    continue
                except Unsupported as reason:
                    return Finding.unknown(str(reason))
                if value is False:
                    violation = self._violation(formula, full)
                    if violation is not None:
                        return violation
                    value = None  # rounding: balls of twice the precision cannot tell either
                if value is None and meaningless(formula, full):
                    return Finding.unknown(f"{UNDEFINED}, such as {shown(full)}")
                held, undecided = held + (value is True), undecided + (value is None)
        if undefined > held or not held + undecided:
            return Finding.unknown(f"no value at {undefined} of {undefined + held + undecided} points")
        if not held and undecided:
            return Finding.unknown("every sampled point is too close to equality to tell")
        remark = f", {undecided} too close to equality to tell" if undecided else ""
        remark += f", {undefined} beyond the range of the arithmetic" if undefined else ""
        return Finding(
            Outcome.holds, artefact=f"{held} points{remark}", seed=self.seed, digits=DIGITS, domain="sampled points"
        )

    def _count(self, formula: Any, domain: Domain) -> int:
        """Fewer points where each costs more."""
        return 12 if formula.has(sp.Derivative) else 24 if domain.families else self.points

    def _second_look(self, obligation: Witness) -> Finding:
        """The example of an existence statement in the other arithmetic."""
        point = {k: (list(v) if isinstance(v, tuple) else v) for k, v in obligation.point}
        try:
            value = truth(obligation.formula, point, MPMATH)
        except (Undefined, Unsupported) as reason:
            return Finding.unknown(str(reason))
        if value is None:
            return Finding.unknown("too close to equality to tell")
        return Finding(
            Outcome.holds if value else Outcome.refuted,
            artefact=f"at {shown(point)}",
            digits=DIGITS,
            domain="the example",
        )

    def _violation(self, formula: Any, point: Point) -> Finding | None:
        """The violation with its grade: certified if balls confirm it, ``None`` if they leave it open, sampled where
        they cannot be used.
        """
        try:
            confirmed = truth(formula, point, ARB)
        except Unsupported:
            confirmed, grade = False, Grade.sampled
        except Undefined:
            return None
        else:
            grade = Grade.certified
        if confirmed is not False:
            return None
        remark = "confirmed in ball arithmetic" if grade is Grade.certified else "ball arithmetic does not apply"
        return Finding(
            Outcome.refuted, artefact=f"witness {shown(point)} ({remark})", seed=self.seed, digits=DIGITS, grade=grade
        )


def meaningless(formula: Any, point: Point) -> bool:
    """Whether some part of a formula certainly has no real value at a point: 1/0, or the root or logarithm of what is
    negative.
    """
    for node in sp.preorder_traversal(formula):
        if isinstance(node, sp.Pow):
            partial = not node.exp.is_nonnegative or (node.exp.is_Rational and node.exp.q == 2)
        else:
            partial = isinstance(node, sp.log)
        if not partial:
            continue
        inner = node.args[0]
        try:
            exact = _substituted(inner, point)
            if exact.is_zero and not (isinstance(node, sp.Pow) and node.exp.is_positive):
                return True
            fractional = isinstance(node, sp.log) or not node.exp.is_Integer
            if fractional and truth(sp.Lt(inner, 0, evaluate=False), point, ARB) is True:
                return True
        except (Undefined, Unsupported, KeyError, TypeError, ValueError):
            continue  # a bound index, or a value that is undefined further inside: that node is looked at too
    return False


def _exact(point: Point) -> Point:
    return point


def _rounded(point: Point) -> Point:
    """The point in the arithmetic's own numbers, made once for all the places of a formula; what counts stays whole."""

    def number(key: Any, value: Any) -> Any:
        return MPMATH.number(value) if value.is_Rational and not key.is_integer else value

    return {
        key: [number(key, v) for v in value] if isinstance(value, list) else number(key, value)
        for key, value in point.items()
    }


def _with_indices(point: Point, indices: list[sp.Symbol], domain: Domain) -> list[Point]:
    """Free indices of families run over distinct and equal positions of the sampled family."""
    if not indices:
        return [point]
    sizes = [len(point[f.base.label]) for f in domain.families]
    length = min(sizes) if sizes else 0
    choices = itertools.product(range(1, length + 1), repeat=len(indices))
    return [{**point, **dict(zip(indices, map(sp.Integer, c), strict=True))} for c in itertools.islice(choices, 6)]


@dataclass(frozen=True)
class ExactWitness:
    """Evaluates an existence statement at its example: exactly where the numbers are rational, else in ball
    arithmetic.
    """

    name: str = "witness"
    engine: str = "Arb"
    grade: Grade = Grade.certified

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Witness)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Witness)
        point = {k: (list(v) if isinstance(v, tuple) else v) for k, v in obligation.point}
        missing = {s for s in obligation.domain.symbols if s not in point}
        if missing:
            return Finding.unknown(f"the example gives no value to {missing}")
        if not self._inside(obligation, point):
            return Finding.unknown(f"the example {shown(point)} is not shown to lie in the domain")
        value = self._decide(obligation.formula, point)
        if value is None:
            return Finding.unknown(f"not decided at {shown(point)}")
        outcome = Outcome.holds if value else Outcome.refuted
        return Finding(outcome, artefact=f"at {shown(point)}", digits=DIGITS)

    def _inside(self, obligation: Witness, point: Point) -> bool:
        domain = obligation.domain
        assumed = all(
            v.is_real is True and not (k.is_integer and not v.is_Integer) and not (k.is_positive and not v.is_positive)
            for k, v in point.items()
            if isinstance(v, sp.Basic) and isinstance(k, sp.Symbol)
        )
        return (
            assumed
            and all(f.admits(point) for f in domain.families)
            and all(self._decide(c, point) is True for c in domain.constraints)
        )

    def _decide(self, formula: Any, point: Point) -> bool | None:
        """Balls first; equations between algebraic numbers, which balls cannot decide, by exact algebra."""
        if isinstance(formula, sp.And | sp.Or | sp.Not):
            values = [self._decide(a, point) for a in formula.args]
            if isinstance(formula, sp.Not):
                return None if values[0] is None else not values[0]
            decisive = isinstance(formula, sp.Or)
            return decisive if decisive in values else (None if None in values else not decisive)
        try:
            value = truth(formula, point, ARB)
        except (Undefined, Unsupported):
            value = None
        if value is None and isinstance(formula, sp.Eq | sp.Ne | sp.Ge | sp.Le):
            left, right = (_substituted(side, point) for side in (formula.lhs, formula.rhs))
            # only numbers that are exact and real on both sides; never nsimplify, which guesses
            exact = not any(e.free_symbols or e.has(sp.Float) or e.is_real is not True for e in (left, right))
            if exact and sp.simplify(sp.radsimp(sp.expand(left - right))) == 0:
                return not isinstance(formula, sp.Ne)
        return value


def _substituted(e: sp.Expr, point: Point) -> sp.Expr:
    scalars = {k: v for k, v in point.items() if isinstance(v, sp.Basic)}
    families = {k: v for k, v in point.items() if not isinstance(v, sp.Basic)}
    return (
        e.xreplace(scalars)
        .doit()
        .replace(
            lambda node: isinstance(node, sp.Indexed) and node.base.label in families and node.indices[0].is_Integer,
            lambda node: families[node.base.label][int(node.indices[0]) - 1],
        )
    )
