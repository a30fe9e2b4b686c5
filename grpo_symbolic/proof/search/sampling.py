"""Sampling in multi-precision arithmetic, and exact witnesses.

Sampling never proves. It is the independent second look at what another engine proved, and the quickest way to a
counter-example: a violation found by mpmath is evaluated again in ball arithmetic at the same exact point, and
refutes only if the balls confirm it.
"""

from __future__ import annotations

import itertools
from collections.abc import Callable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import lru_cache
from typing import Any

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.forms import DomainKey
from grpo_symbolic.proof.search.algebra import NormalForm
from grpo_symbolic.proof.statements.arithmetic import ARB, DIGITS, MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import Values, holds_at, rational, value_at, values_of
from grpo_symbolic.proof.statements.evidence import UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, Witness, statement_of
from grpo_symbolic.proof.statements.pointtext import point_text
from grpo_symbolic.terms.definedness import Condition, conditions
from grpo_symbolic.terms.kleene import Ternary, conjunction, joined
from grpo_symbolic.terms.language import (
    ZERO,
    And,
    Compare,
    Derivative,
    Entry,
    Formula,
    Function,
    GeneralPower,
    Iff,
    Implies,
    Node,
    Not,
    Number,
    Or,
    Term,
    Total,
    Variable,
    add,
    mapped,
    multiply,
    number,
    opened,
    substitute,
)
from grpo_symbolic.terms.writing import written

_LONG = 40  # numbers of an index: longer sums are not written out
_EXACTLY = 4  # points close to equality at which balls, and then a normal form, are asked


def listed(point: Point) -> str:
    """The values of a point, in its own order."""
    return ", ".join(f"{k} = {v}" for k, v in point.items())


def shown(point: Point) -> str:
    """The values of a point, by the names of its letters."""
    return listed(dict(sorted(point.items(), key=lambda item: str(item[0]))))


def shown_values(values: Values) -> str:
    """The numbers of a point by the names of variables and families."""

    def one(value: Any) -> str:
        if isinstance(value, list):
            return f"[{', '.join(map(one, value))}]"
        return str(written(value)) if isinstance(value, Term) else str(value)

    named = sorted((k.name if isinstance(k, Variable) else k, one(v)) for k, v in values.items())
    return ", ".join(f"{k} = {v}" for k, v in named)


def _points(domain: Domain, count: int, seed: int) -> tuple[tuple[Values, Values], ...]:
    """The points of a domain, which many obligations share: exact, and in the arithmetic's own numbers."""
    return _drawn(DomainKey.of(domain), count, seed)


@lru_cache(maxsize=64)
def _drawn(of: DomainKey, count: int, seed: int) -> tuple[tuple[Values, Values], ...]:
    return tuple((point, _rounded(point)) for point in of.domain.drawing.points(count, seed))


def _premise_fails(formula: Formula, point: Values) -> bool:
    """Whether an implication, or one within it, holds at a point only as it supposes what is not so there."""
    if not isinstance(formula, Implies):
        return False
    return holds_at(formula.given, point, MPMATH) is False or _premise_fails(formula.then, point)


@dataclass
class _Tally:
    """How many points a formula holds at, ``idle`` ones of them since it supposes what is not so there; how many are
    too close to equality to tell, and how many are beyond the range of the arithmetic.
    """

    true: int = 0
    idle: int = 0
    undecided: int = 0
    undefined: int = 0


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
        assert isinstance(obligation, Identity | Holds)
        formula, domain = statement_of(obligation), obligation.domain
        indices = sorted(formula.variables - domain.variables, key=lambda v: v.name)
        if not all(v.is_whole for v in indices):
            return Finding.unknown(f"no domain for {', '.join(v.name for v in indices if not v.is_whole)}")
        differences = formula.has(Derivative)  # which need more digits than a formula
        tally = _Tally()
        for point, rounded in _points(domain, self._count(formula, domain), self.seed):
            for chosen in _indices(point, indices, domain):
                full = {**point, **chosen}
                settled = self._look_at(formula, domain, full, full if differences else {**rounded, **chosen}, tally)
                if settled is not None:
                    return settled
        true, undecided, undefined = tally.true, tally.undecided, tally.undefined
        if true and tally.idle == true:
            return Finding.unknown(f"the premise holds at none of {true} sampled points, which say nothing")
        if undefined > true or not true + undecided:
            return Finding.unknown(f"no value at {undefined} of {undefined + true + undecided} points")
        if not true:
            return self._at_equality(formula, indices, domain)
        remark = f", {undecided} too close to equality to tell" if undecided else ""
        remark += f", {undefined} beyond the range of the arithmetic" if undefined else ""
        return Finding(
            Outcome.holds, artefact=f"{true} points{remark}", seed=self.seed, digits=DIGITS, domain="sampled points"
        )

    def _look_at(
        self, formula: Formula, domain: Domain, point: Values, rounded: Values, tally: _Tally
    ) -> Finding | None:
        """What one point shows, also in the arithmetic's own numbers, if that ends the search; else it is counted."""
        try:
            value = holds_at(formula, rounded, MPMATH)
        except Undefined:
            if meaningless(formula, point, domain):
                return Finding.unknown(f"{UNDEFINED}, such as {shown_values(point)}")
            tally.undefined += 1
            return None
        except Unsupported as reason:
            return Finding.unknown(str(reason))
        if value:
            tally.true += 1
            tally.idle += _premise_fails(formula, rounded)
            return None
        if value is False or tally.undecided < _EXACTLY:
            violation = self._violation(formula, point)
            if violation is not None and (value is False or violation.grade is Grade.certified):
                return violation
        # open, or false by rounding only: balls of twice the precision cannot tell either
        if meaningless(formula, point, domain):
            return Finding.unknown(f"{UNDEFINED}, such as {shown_values(point)}")
        tally.undecided += 1
        return None

    def _at_equality(self, formula: Formula, indices: list[Variable], domain: Domain) -> Finding:
        """Both sides may be equal everywhere, which balls cannot tell: a strict relation then fails at any point."""
        for point, _ in itertools.islice(_points(domain, self._count(formula, domain), self.seed), _EXACTLY):
            for chosen in _indices(point, indices, domain)[:1]:
                full = {**point, **chosen}
                if decided(formula, full) is False:
                    return Finding(
                        Outcome.refuted,
                        f"witness {shown_values(full)} (both sides have one normal form there)",
                        seed=self.seed,
                        grade=Grade.certified,
                        point=point_text(full),
                    )
        return Finding.unknown("every sampled point is too close to equality to tell")

    def _count(self, formula: Formula, domain: Domain) -> int:
        """Fewer points where each costs more."""
        if formula.has(Derivative):
            return self.points // 5
        return 2 * self.points // 5 if domain.families else self.points

    def _second_look(self, obligation: Witness) -> Finding:
        """The example of an existence statement in the other arithmetic."""
        point, formula = _example(obligation)
        try:
            values = values_of(point, obligation.domain.reading())
            if _inside(obligation.domain, point, values, lambda c: holds_at(c, values, MPMATH)) is False:
                return Finding(Outcome.refuted, artefact=f"outside of the domain: {shown(point)}", digits=DIGITS)
            value = holds_at(formula, values, MPMATH)
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

    def _violation(self, formula: Formula, point: Values) -> Finding | None:
        """The violation with its grade: certified if balls confirm it, ``None`` if they leave it open, sampled where
        they cannot be used.
        """
        grade, remark = Grade.certified, "confirmed in ball arithmetic"
        try:
            confirmed = holds_at(formula, point, ARB)
        except Unsupported:
            confirmed, grade, remark = False, Grade.sampled, "ball arithmetic does not apply"
        except Undefined:
            return None
        if confirmed is None:  # an equation between roots that is supposed may hold there, which balls cannot tell
            confirmed = decided(formula, point, of_roots=True)
            remark = "confirmed in ball arithmetic and by a normal form"
        if confirmed is not False:
            return None
        artefact = f"witness {shown_values(point)} ({remark})"
        return Finding(Outcome.refuted, artefact, seed=self.seed, digits=DIGITS, grade=grade, point=point_text(point))


def meaningless(node: Node, point: Values, domain: Domain) -> bool:
    """Whether some part of a statement certainly has no real value at a point: 1/0, or the root or logarithm of what
    is negative.
    """
    try:
        needed = conditions(node, domain.sizes)
    except ReadingError:
        return False
    return any(_fails(case, point) for condition in needed for case in _instances(condition, point))


def unclear(domain: Domain) -> bool:
    """Whether some constraint of a domain certainly has no value at a point that the others, which always have one,
    admit: then the domain says nothing there.
    """
    sizes, read = domain.sizes, list(zip(domain.constraints, domain.formulas, strict=True))
    clear = [constraint for constraint, formula in read if not conditions(formula, sizes)]
    others = [formula for _, formula in read if conditions(formula, sizes)]
    if not others:
        return False
    wider = Domain(*domain.symbols, *domain.families, *clear)
    points = wider.drawing.points(Sampling.points, Sampling.seed)
    return any(meaningless(f, point, wider) for point in points for f in others)


def _instances(condition: Condition, point: Values) -> Iterator[Condition]:
    """A condition at each value of its bound indices; as it stands where their ends have no value there, or
    are far from each other.
    """
    if not condition.bound:
        yield condition
        return
    index, *rest = condition.bound
    ranged = [g for g in condition.given if isinstance(g, Compare)]
    low = rational(next(g.left for g in ranged if g.right == index), point)
    high = rational(next(g.right for g in ranged if g.left == index), point)
    if low is None or high is None or high - low > _LONG:
        yield condition
        return
    for value in range(int(low), int(high) + 1):
        at = {index: Number(Fraction(value))}
        given = tuple(substitute(g, at) for g in condition.given)
        yield from _instances(Condition(given, substitute(condition.needed, at), tuple(rest)), point)


def _fails(condition: Condition, point: Values) -> bool:
    try:
        return all(holds_at(g, point, ARB) is True for g in condition.given) and (
            holds_at(condition.needed, point, ARB) is False
        )
    except (Undefined, Unsupported):
        return False  # undefined further inside: that has a condition of its own


def _rounded(point: Values) -> Values:
    """The point in the arithmetic's own numbers, made once for all the formulas; what counts stays whole, and what has
    no value stays a term.
    """

    def rounded(value: Any) -> Any:
        if isinstance(value, list):
            return [rounded(v) for v in value]
        if isinstance(value, Term) and not isinstance(value, Number):
            with suppress(Undefined, Unsupported):
                return value_at(value, {}, MPMATH)
        return MPMATH.number(value) if isinstance(value, Fraction) else value

    return {
        key: value if isinstance(key, Variable) and key.is_whole else rounded(value) for key, value in point.items()
    }


def _indices(point: Values, indices: list[Variable], domain: Domain) -> list[Values]:
    """Free indices of families run over distinct and equal positions of the sampled family."""
    if not indices:
        return [{}]
    sizes = [len(point[name]) for name in domain.family_terms]
    length = min(sizes) if sizes else 0
    choices = itertools.product(range(1, length + 1), repeat=len(indices))
    return [dict(zip(indices, map(Fraction, c), strict=True)) for c in itertools.islice(choices, 6)]


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
        point, formula = _example(obligation)
        values = values_of(point, obligation.domain.reading())
        missing = {v.name for v in (obligation.domain.variables | formula.variables) - set(values)}
        missing |= obligation.domain.family_terms.keys() - values.keys()
        if missing:
            return Finding.unknown(f"the example gives no value to {', '.join(sorted(missing))}")
        inside = _inside(obligation.domain, point, values, lambda c: _settled(c, values))
        if inside is None:
            return Finding.unknown(f"the example {shown(point)} is not shown to lie in the domain")
        if not inside:
            return Finding(Outcome.refuted, artefact=f"outside of the domain: {shown(point)}", digits=DIGITS)
        value = _settled(formula, values)
        if value is None:
            return Finding.unknown(f"not decided at {shown(point)}")
        outcome = Outcome.holds if value else Outcome.refuted
        return Finding(outcome, artefact=f"at {shown(point)}", digits=DIGITS)


def _example(obligation: Witness) -> tuple[Point, Formula]:
    """The point of an existence statement, and what is to hold there."""
    formula = obligation.read[0]
    assert isinstance(formula, Formula)
    return {k: (list(v) if isinstance(v, tuple) else v) for k, v in obligation.point}, formula


def _settled(formula: Formula, point: Values) -> Ternary:
    """Whether a formula holds at an exact point and has a value there; ``None`` where that is not decided."""
    value = decided(formula, point)
    return None if value and not _every_part_decided(formula, point) else value


def _every_part_decided(formula: Formula, point: Values) -> bool:
    """Whether each comparison of a formula is decided at a point, and so has a value there: *x < 1 or log x > 0* says
    nothing at −1. What an implication concludes counts where its premise holds.
    """
    match formula:
        case Implies(given, then):
            premise = decided(given, point)
            return _every_part_decided(given, point) and (not premise or _every_part_decided(then, point))
        case And() | Or() | Not() | Iff():
            return all(_every_part_decided(part, point) for part in formula.children if isinstance(part, Formula))
        case _:
            return decided(formula, point) is not None


def _inside(domain: Domain, point: Point, values: Values, decide: Callable[[Formula], Ternary]) -> Ternary:
    """Whether an example lies in the domain, as far as the numbers of families and ``decide`` tell."""
    settled: list[Ternary] = [decide(c) for c in domain.formulas]
    for key, value in values.items():
        if isinstance(key, Variable) and key.is_whole:
            settled.append(isinstance(value, Fraction) and value.denominator == 1)
    if not all(f.admits(point) for f in domain.families):
        if not domain.family_terms.keys() <= values.keys():
            return None
        numbers = (v for value in values.values() for v in (value if isinstance(value, list) else [value]))
        settled.append(False if all(isinstance(v, Fraction) for v in numbers) else None)
    return conjunction(settled)


def lies_in(values: Values, domain: Domain, *about: Node) -> Ternary:
    """Whether an exact point lies in a domain, with the indices of the formulas ``about`` it in their ranges; ``None``
    where that is not decided.
    """
    settled = [_settled(f, values) for f in domain.hypotheses(*about).formulas]
    for variable in domain.variables.union(*(node.variables for node in about)):
        value = values.get(variable)
        settled.append(None if value is None else not variable.is_whole or getattr(value, "denominator", 0) == 1)
    for name, family in domain.family_terms.items():
        numbers = [v if isinstance(v, Term) else Number(v) for v in values.get(name, ())]
        settled.append(rational(family.size, values) == len(numbers) > 0)
        if family.positive:
            settled += [decided(Compare("<", ZERO, v), values) for v in numbers]
        if family.total is not None:
            settled.append(decided(Compare("==", add(*numbers), family.total), values))
    return conjunction(settled)


def decided(formula: Formula, point: Values, of_roots: bool = False) -> Ternary:
    """Whether a formula holds at an exact point: balls first; equality of algebraic numbers, which balls cannot decide,
    by a normal form. With ``of_roots`` exponentials and logarithms are left to balls: a normal form may factor for
    ever.
    """
    if isinstance(formula, And | Or | Not | Implies):
        return joined(formula, lambda part: decided(part, point, of_roots))
    try:
        value = holds_at(formula, point, ARB)
    except (Undefined, Unsupported):
        return None
    if value is None and isinstance(formula, Compare):
        left, right = _spelt_out(formula.left, point), _spelt_out(formula.right, point)
        if of_roots and (left.has(Function, GeneralPower) or right.has(Function, GeneralPower)):
            return None
        # both sides have a value, as the balls say
        if left.is_closed and right.is_closed and NormalForm(Domain()).vanishes(written(left) - written(right)):
            return formula.relation in ("==", "<=")
    return value


def _spelt_out(node: Any, point: Values) -> Any:
    """A term at a point, sums and products written out."""
    if isinstance(node, Variable):
        value = point.get(node, node)
    elif isinstance(node, Entry):
        index, numbers = rational(node.index, point), point.get(node.family, ())
        value = numbers[int(index) - 1] if index is not None and 1 <= index <= len(numbers) else node
    elif isinstance(node, Total):
        first, last = rational(node.low, point), rational(node.high, point)
        if first is None or last is None or last - first > _LONG:
            return node
        parts = [_spelt_out(opened(node, number(k)), point) for k in range(int(first), int(last) + 1)]
        return (multiply if node.product else add)(*parts) if parts else number(int(node.product))
    else:
        return mapped(node, lambda inner: _spelt_out(inner, point))
    return value if isinstance(value, Term) else Number(value)
