"""Assertions as sets of signs of polynomials, and what is assumed in one case of a proof.

A comparison says which signs a polynomial may have, and its negation the others. A branch keeps, for each polynomial up
to a factor, the signs that are left; where none is, it is closed.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property
from math import gcd
from re import fullmatch
from typing import TypeAlias

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.certificate import VARIABLE
from grpo_symbolic.proof.check.polynomials import CALL, Refused, Ring, Work, is_constant, named, sign
from grpo_symbolic.terms.language import (
    Add,
    And,
    Cases,
    Compare,
    Formula,
    Iff,
    Implies,
    Multiply,
    Node,
    Not,
    Number,
    Or,
    Power,
    Sort,
    Term,
    Truth,
    Variable,
)

# sets of signs: a bit for each of −, 0 and +
NEGATIVE, ZERO, POSITIVE = 1, 2, 4
ANY = NEGATIVE | ZERO | POSITIVE
OF_NUMBER = {-1: NEGATIVE, 0: ZERO, 1: POSITIVE}
_SIGNS = {"<": NEGATIVE, "<=": NEGATIVE | ZERO, "==": ZERO, "!=": NEGATIVE | POSITIVE}


def turned(signs: int) -> int:
    """The signs of −p, of the signs of p."""
    return (signs & ZERO) | (signs & NEGATIVE) << 2 | (signs & POSITIVE) >> 2


@dataclass(frozen=True)
class Literal:
    """A polynomial with the signs that it may have."""

    polynomial: fmpz_mpoly
    signs: int

    @cached_property
    def content(self) -> str:
        unit, way = unit_of(self.polynomial)
        return f"{unit} {self.signs if way > 0 else turned(self.signs)}"


@dataclass(frozen=True)
class Junction:
    """All of some parts, or ``any`` of them."""

    any: bool
    parts: tuple[Assertion, ...]

    @cached_property
    def content(self) -> str:
        """The same for the same parts in another order."""
        return f"{'|' if self.any else '&'}({','.join(part.content for part in self.sorted)})"

    @cached_property
    def sorted(self) -> tuple[Assertion, ...]:
        """The parts by their content, which is the order in which a certificate has them."""
        return tuple(sorted(self.parts, key=lambda part: part.content))

    @cached_property
    def name(self) -> str:
        return named(self.content)


Assertion: TypeAlias = Literal | Junction
Transform: TypeAlias = Callable[[fmpz_mpoly], fmpz_mpoly]  # keeps the sign wherever the branch holds


def unit_of(polynomial: fmpz_mpoly) -> tuple[fmpz_mpoly, int]:
    """A polynomial without common factor of its coefficients, the leading one positive, and the sign taken out."""
    content = polynomial.content()
    unit = polynomial if content in (0, 1) else polynomial / content
    way = sign(unit)
    return (unit if way >= 0 else -unit), way


# -- from formulas --------------------------------------------------------------------------------------------------


class Open(Refused):
    """A value by cases cannot be read, since its ``condition`` is not decided."""

    def __init__(self, condition: Formula) -> None:
        super().__init__("a condition of a value by cases is left open")
        self.condition = condition


class Reading:
    """Reads formulas over the variables of a query, the conditions of its values by cases decided."""

    def __init__(self, query: tuple[Formula, ...], decided: Mapping[Formula, bool], work: Work) -> None:
        variables = frozenset[Variable]().union(*(f.variables for f in query))
        for variable in variables:
            if variable.sort is not Sort.real:
                raise Refused(f"the variable {variable.name!r} is of the sort {variable.sort}; a query has reals only")
            if not fullmatch(VARIABLE, variable.name):
                raise Refused(f"the variable {variable.name!r} has a name that no certificate can write")
        self.ring = Ring((v.name for v in variables), work)
        self.decided = decided
        self.known: dict[Node, tuple[fmpz_mpoly, int]] = {}

    def assertion(self, formula: Formula, holds: bool = True) -> Assertion:
        """A formula, or its negation, without negations: those are in the signs."""
        match formula:
            case Truth(value):
                return Junction(value is not holds, ())
            case Not(part):
                return self.assertion(part, not holds)
            case And(parts):
                return Junction(not holds, tuple(self.assertion(p, holds) for p in parts))
            case Or(parts):
                return Junction(holds, tuple(self.assertion(p, holds) for p in parts))
            case Implies(given, then):
                return Junction(holds, (self.assertion(given, not holds), self.assertion(then, holds)))
            case Iff(parts):  # all or none; else some hold and some do not
                sides = [Junction(not holds, tuple(self.assertion(p, way) for p in parts)) for way in (True, False)]
                return Junction(holds, tuple(sides))
            case Compare(relation, left, right):
                difference, _ = self.sum((self.term(left), self.term(right)), (1, -1))
                signs = _SIGNS.get(relation)
                if signs is None:
                    raise Refused(f"a query has no comparison {relation!r}")
                return Literal(difference, signs if holds else ANY - signs)
        raise Refused(f"a query has no {type(formula).__name__}")

    def term(self, term: Term) -> tuple[fmpz_mpoly, int]:
        """A polynomial and a denominator, a positive whole number."""
        read = self.known.get(term)
        if read is None:
            read = self.known[term] = self._term(term)
        return read

    def _term(self, term: Term) -> tuple[fmpz_mpoly, int]:
        ring, common = self.ring, 1
        match term:
            case Number(value):
                return ring.context.constant(value.numerator), value.denominator
            case Variable(name):
                return ring.variables[ring.place[name]], 1
            case Add(terms):
                parts = [self.term(t) for t in terms]
                return self.sum(parts, (1,) * len(parts))
            case Multiply(factors):
                result = None
                for p, d in map(self.term, factors):
                    result = p if result is None else ring.times(result, p)
                    common = common if d == 1 else self.scaled(common, d)
                return ring.one if result is None else result, common
            case Power(base, exponent) if exponent.denominator == 1 and exponent >= 0:
                p, d = self.term(base)
                result = ring.power(p, exponent.numerator)
                for _ in range(exponent.numerator if d > 1 else 0):
                    common = self.scaled(common, d)
                return result, common
            case Cases(cases, default):
                for condition, chosen in cases:
                    if condition not in self.decided:
                        raise Open(condition)
                    if self.decided[condition]:
                        return self.term(chosen)
                return self.term(default)
        raise Refused(f"a query has no {type(term).__name__}" + (" with such an exponent" * isinstance(term, Power)))

    def sum(self, parts: Sequence[tuple[fmpz_mpoly, int]], factors: Sequence[int]) -> tuple[fmpz_mpoly, int]:
        """The sum of some quotients, each times a number."""
        common, result = 1, self.ring.zero
        for _, d in parts:
            common = common if d == 1 else self.scaled(common, d // gcd(common, d))
        for (p, d), factor in zip(parts, factors, strict=True):
            self.ring.spend(CALL + len(p) + len(result))
            scale = common // d * factor
            if scale == 1:
                result = result + p
            elif scale == -1:
                result = result - p
            else:
                result = result + self.ring.times(self.ring.context.constant(scale), p)
        return result, common

    def scaled(self, left: int, right: int) -> int:
        """A product of numbers."""
        self.ring.spend((1 + left.bit_length() // 64) * (1 + right.bit_length() // 64))
        return left * right


# -- what is assumed --------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Fact:
    """A polynomial without common factor, its leading coefficient positive, and the signs that it may have."""

    unit: fmpz_mpoly
    signs: int
    content: str

    @cached_property
    def name(self) -> str:
        return named(self.content)


class Branch:
    """What is assumed in one case: facts, disjunctions, and how polynomials of the query are rewritten by now."""

    def __init__(self, ring: Ring) -> None:
        self.ring = ring
        self.closed = False
        self.facts: dict[str, Fact] = {}  # by the text of the polynomial
        self.disjunctions: tuple[Junction, ...] = ()
        self.squares: dict[int, fmpz_mpoly] = {}  # of a variable, the relation a v² − N = 0 by which all is reduced
        self.transforms: tuple[Transform, ...] = ()  # since the query, which is how disjunctions are kept

    def copy(self) -> Branch:
        """A branch that goes its own way from here."""
        self.ring.spend(CALL + len(self.facts))
        other = Branch(self.ring)
        other.__dict__.update(self.__dict__)
        other.facts = dict(self.facts)
        return other

    def signs(self, polynomial: fmpz_mpoly) -> int:
        """The signs that a polynomial may have, by the facts as they stand."""
        if is_constant(polynomial):
            return OF_NUMBER[sign(polynomial)]
        unit, way = unit_of(polynomial)
        known = self.facts.get(str(unit))
        return ANY if known is None else known.signs if way > 0 else turned(known.signs)

    def variable_signs(self) -> list[int]:
        """The same of each variable, whose name is the text of its polynomial."""
        return [known.signs if (known := self.facts.get(name)) else ANY for name in self.ring.names]

    def remainder(self, polynomial: fmpz_mpoly) -> tuple[fmpz_mpoly, int]:
        """A polynomial with the squares replaced, and the positive number times which the given one is equal to it."""
        scale = 1
        for variable, relation in self.squares.items():
            polynomial, factor = self.ring.remainder(polynomial, variable, relation)
            scale *= factor
        return polynomial, scale

    def add(self, assertion: Assertion) -> None:
        """Assume an assertion of the query."""
        match assertion:
            case Literal(polynomial, signs):
                for transform in self.transforms:
                    polynomial = transform(polynomial)
                self.assume(polynomial, signs)
            case Junction(True, parts) if len(parts) > 1:
                self.disjunctions = (*self.disjunctions, assertion)
            case Junction(True, ()):
                self.closed = True
            case Junction(_, parts):
                for part in parts:
                    self.add(part)

    def assume(self, polynomial: fmpz_mpoly, signs: int) -> None:
        """Assume that a polynomial, in the present variables, has one of these signs."""
        polynomial, _ = self.remainder(polynomial)
        if is_constant(polynomial):
            self.closed |= not signs & OF_NUMBER[sign(polynomial)]
            return
        self.ring.spend(2 * CALL + 4 * len(polynomial))
        unit, way = unit_of(polynomial)
        self._keep(Fact(unit, signs if way > 0 else turned(signs), str(unit)))

    def _keep(self, fact: Fact) -> None:
        known = self.facts.get(fact.content)
        if known is not None:
            left = known.signs & fact.signs
            fact = known if left == known.signs else Fact(fact.unit, left, fact.content)
        self.facts[fact.content] = fact
        self.closed |= not fact.signs

    def change(self, variable: int, transform: Transform) -> None:
        """Rewrite everything that holds a variable; a relation that gives no square any more is a fact again."""
        self.ring.spend(CALL + len(self.facts))
        facts, self.facts = self.facts, {}
        squares, self.squares = self.squares, {}
        self.transforms = (*self.transforms, transform)
        for root, relation in squares.items():
            relation = transform(relation)
            if not self.takes(root, relation):
                self.assume(relation, ZERO)
        for fact in facts.values():
            if fact.unit.degrees()[variable] <= 0 and not self.squares:
                self._keep(fact)
            else:
                self.assume(transform(fact.unit), fact.signs)

    def takes(self, root: int, relation: fmpz_mpoly) -> bool:
        """Whether an equation has the form a v² − N = 0 with a number a; if so, v² is replaced from now on."""
        coefficients = self.ring.coefficients(relation, root)
        if len(coefficients) != 3 or coefficients[1] != 0 or not is_constant(coefficients[2]):
            return False
        self.squares[root] = relation if sign(coefficients[2]) > 0 else -relation
        return True
