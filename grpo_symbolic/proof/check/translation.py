"""From a universal statement about reals to a query of real arithmetic: radicals and quotients eliminated, the domain
emitted in full.

A query is itself made of terms, of those that every engine and the checker of certificates understand: polynomials,
cases, comparisons and what joins them. A term becomes a polynomial over the variables and over auxiliary ones:
``s ≥ 0, s² = q`` for ``√q`` and ``d·q = 1`` for ``1/q``. That ``q`` is non-negative, or non-zero, on the domain is
asked before anything else (:mod:`grpo_symbolic.terms.definedness`), and again of the auxiliary forms made here. Max,
Min, abs and sign become cases. Entries of families, sums over an index and transcendental terms become free variables
(an abstraction: sound for a proof, and a counter-example in it is not one of the statement).

The names of variables come from what they stand for, not from the order in which they are met, so that a query is the
same whatever is translated before and after it.
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from grpo_symbolic.proof.statements.arithmetic import Unsupported
from grpo_symbolic.terms.fractions import odd_part, quotient, signed
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    TRUE,
    ZERO,
    Add,
    And,
    Bound,
    Cases,
    Compare,
    Extremum,
    Formula,
    Function,
    GeneralPower,
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
    add,
    conjunction,
    multiply,
    negative,
    subtract,
)

Query = tuple[Formula, ...]  # assertions that are to be shown contradictory

MOST_FACTORS = 24  # of one exponential in a power of it
_DIGITS = 8  # of a digest in a name; more where two names would be one


def query_of(assertions: Iterable[Formula]) -> Query:
    """The assertions once each; engines look at them in this order, and nothing else depends on it."""
    return tuple(dict.fromkeys(a for a in assertions if a is not TRUE))


@dataclass
class Translation:
    """The pieces of a query: names, definitions of auxiliaries, and the conditions under which those are meaningful."""

    positive: frozenset[Term] = frozenset()
    names: dict[tuple[Node, Formula], Variable] = field(default_factory=dict)  # of a term, in a case
    definitions: list[Formula] = field(default_factory=list)
    conditions: list[tuple[Formula, int]] = field(default_factory=list)  # and how many definitions precede each
    abstracted: list[Term] = field(default_factory=list)
    scales: dict[Term, int] = field(default_factory=dict)  # of t in exp(t), the least common denominator of its factors
    # conditions of values by cases, with what they stand for, and whether that was brought over one denominator
    tests: dict[tuple[Formula, Formula], bool] = field(default_factory=dict)
    guard: Formula = TRUE  # the case under which the part in hand is read: what it needs and defines holds there only
    _taken: set[str] = field(default_factory=set)

    # -- terms ----------------------------------------------------------------------------------------------------

    def term(self, e: Term) -> Term:
        """A term as a polynomial, with cases.

        Raises :class:`Unsupported` for a root other than a square root, and for an index outside its sum.
        """
        match e:
            case Number():
                return e
            case Variable(name):
                return self._name(e, f"v_{name}")
            case Add(terms):
                return add(*map(self.term, terms))
            case Multiply(factors):
                return multiply(*map(self.term, factors))
            case Power(base, exponent):
                return self._power(e, base, exponent)
            case Extremum():
                return self._extremum(e)
            case Cases():
                return self._cases(e)
            case Function("abs", argument):
                inner = self.term(argument)
                nonnegative = self._test(Compare("<=", ZERO, inner), Compare("<=", ZERO, argument))
                return Cases(((nonnegative, inner),), negative(inner))
            case Function("sign", argument):
                inner = self.term(argument)
                above = self._test(Compare("<", ZERO, inner), Compare("<", ZERO, argument))
                below = self._test(Compare("<", inner, ZERO), Compare("<", argument, ZERO))
                return Cases(((above, ONE), (below, MINUS_ONE)), ZERO)
            case Function("exp", Function("log", inside)):
                return self.term(inside)  # whose logarithm is asked to be defined where the statement is read
            case Function("exp", argument):
                return self._exponential(e, argument)
            case Bound():
                raise Unsupported("a bound index outside its sum")
        return self._abstract(e)

    def _name(self, key: Node, proposal: str, guard: Formula = TRUE) -> Variable:
        if (key, guard) not in self.names:
            clean = "".join(c if c.isascii() and c.isalnum() else "_" for c in proposal)
            if clean in self._taken or clean != proposal:
                clean = f"{clean}_{key.digest[:_DIGITS]}"
            while clean in self._taken:  # two terms have one name only if it is the digest of both
                clean += "_"
            self._taken.add(clean)
            self.names[key, guard] = Variable(clean, Sort.real)
        return self.names[key, guard]

    def _auxiliary(self, kind: str, key: Node, guard: Formula = TRUE) -> Variable:
        case = "" if guard is TRUE else f"_{guard.digest[:_DIGITS]}"
        return self._name(key, f"{kind}_{key.digest[:_DIGITS]}{case}", guard)

    def _condition(self, needed: Formula) -> None:
        needed = self._guarded(needed)
        if all(needed is not known for known, _ in self.conditions):
            self.conditions.append((needed, len(self.definitions)))

    def _guarded(self, formula: Formula) -> Formula:
        return formula if self.guard is TRUE else Implies(self.guard, formula)

    @contextmanager
    def case(self, *conditions: Formula) -> Iterator[None]:
        """Read what follows in the case that all conditions hold."""
        outer = self.guard
        self.guard = conjunction(outer, *conditions)
        try:
            yield
        finally:
            self.guard = outer

    def _power(self, e: Power, base: Term, exponent: Fraction) -> Term:
        if exponent.denominator > 2:
            raise Unsupported(f"the exponent {exponent} is neither whole nor half")
        inner = self._root(base) if exponent.denominator == 2 else self.term(base)
        power = abs(exponent.numerator)
        product = inner if power == 1 else Power(inner, Fraction(power))
        if exponent == 0:
            return ONE
        return product if exponent > 0 else self._reciprocal(e, product)

    def _root(self, base: Term) -> Variable:
        """``s ≥ 0`` with ``s²·D = N`` for ``√(N/D)``."""
        key = Power(base, Fraction(1, 2))
        if (key, self.guard) not in self.names:
            above, bases = quotient(base)
            odd = odd_part(bases, self.positive)
            top = self.term(above)
            bottom = self.term(multiply(*(base for base, power in bases for _ in range(power))))
            for under, _ in bases:
                self._condition(Compare("!=", self.term(under), ZERO))
            self._condition(Compare("<=", ZERO, top if odd is ONE else multiply(top, self.term(odd))))
            name = self._auxiliary("root", key, self.guard)
            square = Power(name, Fraction(2))
            product = square if bottom is ONE else multiply(square, bottom)
            self.definitions.append(self._guarded(conjunction(Compare("<=", ZERO, name), Compare("==", product, top))))
        return self.names[key, self.guard]

    def _reciprocal(self, e: Term, inner: Term) -> Variable:
        if (e, self.guard) not in self.names:
            self._condition(Compare("!=", inner, ZERO))
            name = self._auxiliary("quotient", e, self.guard)
            self.definitions.append(self._guarded(Compare("==", multiply(name, inner), ONE)))
        return self.names[e, self.guard]

    def _exponential(self, e: Term, argument: Term) -> Term:
        """One variable for exp(t), exp(−t) and every exp(k t)."""
        sign, unit = signed(argument)
        if sign < 0:
            return self._reciprocal(e, self.term(Function("exp", unit)))
        factor, rest = split(unit)
        scale = self.scales.get(rest, factor.denominator)
        power = factor * scale
        if power.denominator != 1 or not 1 <= power <= MOST_FACTORS:
            return self._abstract(e)
        base = self._abstract(Function("exp", rest if scale == 1 else multiply(Number(Fraction(1, scale)), rest)))
        return base if power == 1 else Power(base, power)

    def _extremum(self, e: Extremum) -> Term:
        result, *rest = map(self.term, e.terms)
        for k, t in enumerate(rest, start=1):
            before = e.terms[0] if k == 1 else Extremum(e.greatest, e.terms[:k])
            turn = 1 if e.greatest else -1
            first = self._test(Compare("<=", *(t, result)[::turn]), Compare("<=", *(e.terms[k], before)[::turn]))
            result = Cases(((first, result),), t)
        return result

    def _test(self, condition: Formula, meaning: Formula, over: bool = False) -> Formula:
        """A condition of a value by cases; what it stands for is remembered beside it, and is no part of a query."""
        self.tests[condition, meaning] = over
        return condition

    def _cases(self, e: Cases) -> Term:
        branches: list[tuple[Formula, Term]] = []
        before: list[Formula] = []
        for condition, value in e.cases:
            with self.case(*before):
                chosen = self._test(self.formula(condition), condition, over=True)
            with self.case(*before, chosen):
                branches.append((chosen, self.term(value)))
            before.append(Not(chosen))
        with self.case(*before):
            return Cases(tuple(branches), self.term(e.default))

    def _abstract(self, e: Term) -> Variable:
        if isinstance(e, GeneralPower | Function) and e.loose:
            raise Unsupported("a bound index outside its sum")
        if (e, TRUE) not in self.names:
            self.abstracted.append(e)
        return self._auxiliary("abstract", e)

    # -- formulas -------------------------------------------------------------------------------------------------

    def formula(self, f: Formula) -> Formula:
        """A formula over polynomials."""
        match f:
            case Truth():
                return f
            case Not(part):
                return Not(self.formula(part))
            case And(formulas):
                return And(tuple(map(self.formula, formulas)))
            case Or(formulas):
                return Or(tuple(map(self.formula, formulas)))
            case Implies(premise, then):
                condition = self.formula(premise)
                with self.case(condition):
                    return Implies(condition, self.formula(then))
            case Iff(formulas):
                return Iff(tuple(map(self.formula, formulas)))
            case Compare():
                return self._relation(f)
        raise Unsupported(f"{type(f).__name__} is not a formula")

    def _relation(self, f: Compare) -> Compare:
        """Compare with zero on one denominator, whose sign goes to the other side; of an equation, or its negation, the
        numerator is enough.
        """
        left, right = without_common_terms(f.left, f.right)
        if not left.has(Power) and not right.has(Power):
            return Compare(f.relation, self.term(left), self.term(right))
        above, bases = quotient(subtract(left, right))
        for under, _ in bases:
            self._condition(Compare("!=", self.term(under), ZERO))
        odd = odd_part(bases, self.positive)
        if f.relation in ("==", "!=") or odd is ONE:
            return Compare(f.relation, self.term(above), ZERO)
        return Compare(f.relation, multiply(self.term(above), self.term(odd)), ZERO)


def split(term: Term) -> tuple[Fraction, Term]:
    """A rational factor in front, and the rest."""
    if isinstance(term, Multiply) and isinstance(term.factors[0], Number):
        return term.factors[0].value, multiply(*term.factors[1:])
    return Fraction(1), term


def scales_of(nodes: Iterable[Node]) -> dict[Term, int]:
    """For each t with exp(c t) somewhere, c rational: the least common denominator of the factors c."""
    scales: dict[Term, int] = {}
    for part in (p for node in nodes for p in node.parts):
        if isinstance(part, Function) and part.name == "exp":
            factor, rest = split(signed(part.argument)[1])
            scales[rest] = math.lcm(scales.get(rest, 1), factor.denominator)
    return scales


def without_common_terms(left: Term, right: Term) -> tuple[Term, Term]:
    """Both sides of a comparison without the terms that stand on both."""
    mine, theirs = ([*side.terms] if isinstance(side, Add) else [side] for side in (left, right))
    for term in list(mine):
        if term in theirs:
            mine.remove(term)
            theirs.remove(term)
    return add(*mine), add(*theirs)
