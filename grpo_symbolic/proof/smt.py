"""From a universal statement about reals to SMT-LIB 2: radicals and quotients eliminated, the domain emitted in full.

Both decision engines read the same text, so the text is the artefact. A term is translated to a polynomial over the
variables and over auxiliary ones: ``s ≥ 0, s² = q`` for ``√q`` and ``d·q = 1`` for ``1/q``. That ``q`` is non-negative,
or non-zero, on the domain is asked before anything else (:mod:`grpo_symbolic.terms.definedness`), and again of
the auxiliary forms made here. Max, Min, abs, sign and cases become ``ite``. Entries of families, sums over an index and
transcendental terms become free variables (an abstraction: sound for a proof, and a counter-example in it is not one of
the statement).
"""

from __future__ import annotations

import math
from collections.abc import Iterable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from fractions import Fraction

from grpo_symbolic.proof.arithmetic import Unsupported
from grpo_symbolic.terms.fractions import odd_part, quotient, signed
from grpo_symbolic.terms.language import (
    ONE,
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
    Term,
    Truth,
    Variable,
    add,
    multiply,
    subtract,
)

MOST_FACTORS = 24  # of one exponential in a power of it
_RELATIONS = {"==": "=", "!=": "distinct", "<": "<", "<=": "<="}


@dataclass
class Translation:
    """SMT-LIB pieces of a statement: declarations, definitions of auxiliaries, and the conditions under which those
    are meaningful.
    """

    positive: frozenset[Term] = frozenset()
    names: dict[tuple[Node, str], str] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)
    conditions: list[tuple[str, int]] = field(default_factory=list)  # (condition, how many definitions precede it)
    abstracted: list[Term] = field(default_factory=list)
    scales: dict[Term, int] = field(default_factory=dict)  # of t in exp(t), the least common denominator of its factors
    guard: str = ""  # the case under which the part in hand is read: its conditions and definitions hold there only

    # -- terms ----------------------------------------------------------------------------------------------------

    def term(self, e: Term) -> str:
        match e:
            case Number(value):
                return number(value)
            case Variable():
                return self._name(e, f"v_{e.name}")
            case Add(terms):
                return f"(+ {' '.join(map(self.term, terms))})"
            case Multiply(factors):
                return f"(* {' '.join(map(self.term, factors))})"
            case Power(base, exponent):
                return self._power(e, base, exponent)
            case Extremum():
                return self._extremum(e)
            case Cases():
                return self._cases(e)
            case Function("abs", argument):
                inner = self.term(argument)
                return f"(ite (>= {inner} 0) {inner} (- {inner}))"
            case Function("sign", argument):
                inner = self.term(argument)
                return f"(ite (> {inner} 0) 1 (ite (< {inner} 0) (- 1) 0))"
            case Function("exp", Function("log", inside)):
                return self.term(inside)  # whose logarithm is asked to be defined where the statement is read
            case Function("exp", argument):
                return self._exponential(e, argument)
            case Bound():
                raise Unsupported("a bound index outside its sum")
        return self._abstract(e)

    def _name(self, key: Node, proposal: str, guard: str = "") -> str:
        if (key, guard) not in self.names:
            clean = "".join(c if c.isascii() and c.isalnum() else "_" for c in proposal)
            self.names[key, guard] = f"{clean}_{len(self.names)}"
        return self.names[key, guard]

    def _condition(self, text: str) -> None:
        text = self._guarded(text)
        if all(text != known for known, _ in self.conditions):
            self.conditions.append((text, len(self.definitions)))

    def _guarded(self, text: str) -> str:
        return f"(=> {self.guard} {text})" if self.guard else text

    @contextmanager
    def case(self, *conditions: str) -> Iterator[None]:
        """Read what follows in the case that all conditions hold."""
        outer = self.guard
        parts = [c for c in (outer, *conditions) if c]
        self.guard = f"(and {' '.join(parts)})" if len(parts) > 1 else "".join(parts)
        try:
            yield
        finally:
            self.guard = outer

    def _power(self, e: Power, base: Term, exponent: Fraction) -> str:
        if exponent.denominator > 2:
            raise Unsupported(f"the exponent {exponent} is neither whole nor half")
        inner = self._root(base) if exponent.denominator == 2 else self.term(base)
        power = abs(exponent.numerator)
        product = inner if power == 1 else f"(* {' '.join([inner] * power)})"
        return product if exponent > 0 else "1.0" if exponent == 0 else self._reciprocal(e, product)

    def _root(self, base: Term) -> str:
        """``s ≥ 0`` with ``s²·D = N`` for ``√(N/D)``."""
        key = Power(base, Fraction(1, 2))
        if (key, self.guard) not in self.names:
            above, bases = quotient(base)
            odd = odd_part(bases, self.positive)
            top, bottom = self.term(above), self.term(_product(bases))
            for under, _ in bases:
                self._condition(f"(distinct {self.term(under)} 0)")
            self._condition(f"(>= {top} 0)" if odd is ONE else f"(>= (* {top} {self.term(odd)}) 0)")
            name = self._name(key, "root", self.guard)
            square = f"(* {name} {name})" if bottom == "1.0" else f"(* {name} {name} {bottom})"
            self.definitions.append(self._guarded(f"(and (>= {name} 0) (= {square} {top}))"))
        return self.names[key, self.guard]

    def _reciprocal(self, e: Term, inner: str) -> str:
        if (e, self.guard) not in self.names:
            self._condition(f"(distinct {inner} 0)")
            name = self._name(e, "quotient", self.guard)
            self.definitions.append(self._guarded(f"(= (* {name} {inner}) 1)"))
        return self.names[e, self.guard]

    def _exponential(self, e: Term, argument: Term) -> str:
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
        return base if power == 1 else f"(* {' '.join([base] * power.numerator)})"

    def _extremum(self, e: Extremum) -> str:
        result, *rest = map(self.term, e.terms)
        relation = ">=" if e.greatest else "<="
        for t in rest:
            result = f"(ite ({relation} {result} {t}) {result} {t})"
        return result

    def _cases(self, e: Cases) -> str:
        branches: list[tuple[str, str]] = []
        before: list[str] = []
        for condition, value in e.cases:
            with self.case(*before):
                chosen = self.formula(condition)
            with self.case(*before, chosen):
                branches.append((chosen, self.term(value)))
            before.append(f"(not {chosen})")
        with self.case(*before):
            result = self.term(e.default)
        for chosen, branch in reversed(branches):
            result = f"(ite {chosen} {branch} {result})"
        return result

    def _abstract(self, e: Term) -> str:
        if isinstance(e, GeneralPower | Function) and e.loose:
            raise Unsupported("a bound index outside its sum")
        if (e, "") not in self.names:
            self.abstracted.append(e)
        return self._name(e, "abstract")

    # -- formulas -------------------------------------------------------------------------------------------------

    def formula(self, f: Formula) -> str:
        match f:
            case Truth(value):
                return "true" if value else "false"
            case Not(part):
                return f"(not {self.formula(part)})"
            case And(formulas):
                return f"(and {' '.join(map(self.formula, formulas))})"
            case Or(formulas):
                return f"(or {' '.join(map(self.formula, formulas))})"
            case Implies(premise, then):
                condition = self.formula(premise)
                with self.case(condition):
                    return f"(=> {condition} {self.formula(then)})"
            case Iff(formulas):
                return f"(= {' '.join(map(self.formula, formulas))})"
            case Compare():
                return self._relation(f)
        raise Unsupported(f"{type(f).__name__} is not a formula")

    def _relation(self, f: Compare) -> str:
        """Compare with zero on one denominator, whose sign goes to the other side; ``distinct`` and ``=`` need the
        numerator only.
        """
        relation = _RELATIONS[f.relation]
        left, right = _without_common_terms(f.left, f.right)
        if not left.has(Power) and not right.has(Power):
            return f"({relation} {self.term(left)} {self.term(right)})"
        above, bases = quotient(subtract(left, right))
        for under, _ in bases:
            self._condition(f"(distinct {self.term(under)} 0)")
        odd = odd_part(bases, self.positive)
        if f.relation in ("==", "!=") or odd is ONE:
            return f"({relation} {self.term(above)} 0)"
        return f"({relation} (* {self.term(above)} {self.term(odd)}) 0)"

    def script(self, assertions: list[str]) -> str:
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-fun {name} () Real)" for name in self.names.values()]
        lines += [f"(assert {a})" for a in assertions if a != "true"]
        return "\n".join([*lines, "(check-sat)", ""])


def split(term: Term) -> tuple[Fraction, Term]:
    """A rational factor in front, and the rest."""
    if isinstance(term, Multiply) and isinstance(term.factors[0], Number):
        return term.factors[0].value, multiply(*term.factors[1:])
    return Fraction(1), term


def scales_of(nodes: Iterable[Node]) -> dict[Term, int]:
    """For each t with exp(c t) somewhere, c rational: the least common denominator of the factors c."""
    found: dict[Term, int] = {}
    for part in (p for node in nodes for p in node.parts):
        if isinstance(part, Function) and part.name == "exp":
            factor, rest = split(signed(part.argument)[1])
            found[rest] = math.lcm(found.get(rest, 1), factor.denominator)
    return found


def _without_common_terms(left: Term, right: Term) -> tuple[Term, Term]:
    """Both sides of a comparison without the terms that stand on both."""
    mine, theirs = ([*side.terms] if isinstance(side, Add) else [side] for side in (left, right))
    for term in list(mine):
        if term in theirs:
            mine.remove(term)
            theirs.remove(term)
    return add(*mine), add(*theirs)


def _product(bases: tuple[tuple[Term, int], ...]) -> Term:
    return multiply(*(base for base, power in bases for _ in range(power)))


def number(value: Fraction) -> str:
    """A rational number as SMT-LIB writes it."""
    magnitude = f"{abs(value.numerator)}.0"
    if value.denominator != 1:
        magnitude = f"(/ {magnitude} {value.denominator}.0)"
    return magnitude if value >= 0 else f"(- {magnitude})"
