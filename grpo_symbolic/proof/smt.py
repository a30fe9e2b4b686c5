"""From a universal statement about reals to SMT-LIB 2: radicals and quotients eliminated, the domain emitted in full.

Both decision engines read the same text, so the text is the artefact. An expression is translated to a polynomial over the symbols and
over auxiliary variables: ``s ≥ 0, s² = q`` for ``√q`` and ``d·q = 1`` for ``1/q``. That ``q`` is non-negative, or non-zero, on the domain is
an obligation of its own (:attr:`Translation.conditions`), discharged before anything else is asked. ``Max``, ``Min``, ``Abs``, ``sign`` and
``Piecewise`` become ``ite``. Entries of families, sums over an index and transcendental terms become free variables (an abstraction: sound
for a proof, and a counter-example in it is not one of the statement).
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.evaluate import Unsupported

_RELATIONS = {"==": "=", "!=": "distinct", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass
class Translation:
    """SMT-LIB pieces of a statement: declarations, definitions of auxiliaries, and the conditions under which they are meaningful."""

    names: dict[Any, str] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)
    conditions: list[tuple[str, int]] = field(default_factory=list)  # (condition, how many definitions precede it)
    abstracted: list[Any] = field(default_factory=list)
    positive: frozenset[sp.Symbol] = frozenset()

    # -- terms ----------------------------------------------------------------------------------------------------

    def term(self, e: Any) -> str:
        if e.is_Rational:
            return _number(e)
        if e.is_Symbol:
            return self._name(e, f"v_{e.name}")
        if isinstance(e, sp.Add):
            return f"(+ {' '.join(self.term(a) for a in e.args)})"
        if isinstance(e, sp.Mul):
            return f"(* {' '.join(self.term(a) for a in e.args)})"
        if isinstance(e, sp.Pow) and e.exp.is_Rational:
            return self._power(e.base, e.exp)
        if isinstance(e, sp.Max | sp.Min):
            return self._extremum(e)
        if isinstance(e, sp.Abs):
            inner = self.term(e.args[0])
            return f"(ite (>= {inner} 0) {inner} (- {inner}))"
        if isinstance(e, sp.sign):
            inner = self.term(e.args[0])
            return f"(ite (> {inner} 0) 1 (ite (< {inner} 0) (- 1) 0))"
        if isinstance(e, sp.Piecewise):
            return self._piecewise(e)
        return self._abstract(e)

    def _name(self, key: Any, proposal: str) -> str:
        if key not in self.names:
            self.names[key] = "".join(c if c.isalnum() else "_" for c in proposal) + f"_{len(self.names)}"
        return self.names[key]

    def _fraction(self, e: Any) -> tuple[Any, Any]:
        """``(N, D)`` with ``e`` of the sign of ``N·D`` and ``e = N/D``, where ``D ≠ 0`` becomes a condition; factors of ``D`` known positive are kept."""
        above, under = sp.fraction(sp.together(e))
        if not under.is_number:
            self._condition(f"(distinct {self.term(under)} 0)")
        return above, under

    def _odd_part(self, under: Any) -> Any:
        """A factor with the sign of ``under``: even powers and symbols that are positive on the domain left out."""
        result = sp.S.One
        for factor in sp.Mul.make_args(under):
            base, exponent = factor.as_base_exp()
            even = exponent.is_Integer and exponent % 2 == 0
            if not (even or base in self.positive or (isinstance(factor, sp.Pow) and factor.exp == sp.S.Half)):
                result *= factor if exponent == 1 else base
        return result

    def _condition(self, text: str) -> None:
        if all(text != known for known, _ in self.conditions):
            self.conditions.append((text, len(self.definitions)))

    def _power(self, base: Any, exponent: sp.Rational) -> str:
        if exponent.q == 2:
            inner = self._root(base)
        elif exponent.q == 1:
            inner = self.term(base)
        else:
            raise Unsupported(f"the exponent {exponent} is neither whole nor half")
        power = abs(int(exponent.p))
        product = inner if power == 1 else f"(* {' '.join([inner] * power)})"
        return product if exponent > 0 else self._reciprocal(base**exponent, product)

    def _root(self, base: Any) -> str:
        """``s ≥ 0`` with ``s²·D = N`` for ``√(N/D)``."""
        if sp.sqrt(base) not in self.names:
            above, under = self._fraction(base)
            top, sign, bottom = self.term(above), self.term(self._odd_part(under)), self.term(under)
            self._condition(f"(>= {top} 0)" if sign == "1.0" else f"(>= (* {top} {sign}) 0)")
            name = self._name(sp.sqrt(base), "root")
            square = f"(* {name} {name})" if bottom == "1.0" else f"(* {name} {name} {bottom})"
            self.definitions.append(f"(and (>= {name} 0) (= {square} {top}))")
        return self.names[sp.sqrt(base)]

    def _reciprocal(self, key: Any, inner: str) -> str:
        if key not in self.names:
            self._condition(f"(distinct {inner} 0)")
            name = self._name(key, "quotient")
            self.definitions.append(f"(= (* {name} {inner}) 1)")
        return self.names[key]

    def _extremum(self, e: Any) -> str:
        terms = [self.term(a) for a in e.args]
        relation = ">=" if isinstance(e, sp.Max) else "<="
        result = terms[0]
        for t in terms[1:]:
            result = f"(ite ({relation} {result} {t}) {result} {t})"
        return result

    def _piecewise(self, e: sp.Piecewise) -> str:
        if e.args[-1][1] != sp.true:
            raise Unsupported(f"{e} has no branch for every case")
        result = self.term(e.args[-1][0])
        for value, condition in reversed(e.args[:-1]):
            result = f"(ite {self.formula(condition)} {self.term(value)} {result})"
        return result

    def _abstract(self, e: Any) -> str:
        if not (e.is_Function or isinstance(e, sp.Indexed | sp.Sum | sp.Product | sp.Pow) or e.is_NumberSymbol):
            raise Unsupported(f"{e} has no translation to real arithmetic")
        if e not in self.names:
            self.abstracted.append(e)
        return self._name(e, "abstract")

    # -- formulas -------------------------------------------------------------------------------------------------

    def formula(self, f: Any) -> str:
        if f in (sp.true, True):
            return "true"
        if f in (sp.false, False):
            return "false"
        if isinstance(f, sp.Not):
            return f"(not {self.formula(f.args[0])})"
        if isinstance(f, sp.And | sp.Or):
            return f"({'and' if isinstance(f, sp.And) else 'or'} {' '.join(self.formula(a) for a in f.args)})"
        if isinstance(f, sp.Implies):
            return f"(=> {self.formula(f.args[0])} {self.formula(f.args[1])})"
        if isinstance(f, sp.Equivalent):
            return f"(= {' '.join(self.formula(a) for a in f.args)})"
        if isinstance(f, Relational):
            return self._relation(f)
        raise Unsupported(f"{f} is not a formula")

    def _relation(self, f: Relational) -> str:
        """Compare with zero on one denominator, whose sign goes to the other side; ``distinct`` and ``=`` need the numerator only."""
        operator = _RELATIONS[f.rel_op]
        if f.lhs.is_Symbol or f.rhs.is_number:
            simple = not f.lhs.has(sp.Pow) and not f.rhs.has(sp.Pow)
            if simple:
                return f"({operator} {self.term(f.lhs)} {self.term(f.rhs)})"
        above, under = self._fraction(f.lhs - f.rhs)
        if f.rel_op in ("==", "!="):
            return f"({operator} {self.term(above)} 0)"
        odd = self._odd_part(under)
        return f"({operator} {self.term(above)} 0)" if odd == 1 else f"({operator} (* {self.term(above)} {self.term(odd)}) 0)"

    def script(self, assertions: list[str]) -> str:
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-fun {name} () Real)" for name in self.names.values()]
        lines += [f"(assert {a})" for a in assertions if a != "true"]
        return "\n".join([*lines, "(check-sat)", ""])


def _number(value: sp.Rational) -> str:
    magnitude = f"{abs(value.p)}.0" if value.q == 1 else f"(/ {abs(value.p)}.0 {value.q}.0)"
    return magnitude if value >= 0 else f"(- {magnitude})"


@dataclass(frozen=True)
class Queries:
    """What to ask an engine: every definedness query and the main query must be unsatisfiable."""

    definedness: list[str]
    main: str
    exact: bool  # whether a model of the main query is a counter-example of the statement
    variables: dict[str, sp.Symbol]


def queries(formula: Any, domain: Domain, using: tuple[Any, ...] = ()) -> Queries:
    """The queries whose unsatisfiability proves ``formula`` on ``domain``, given the lemma instances ``using``."""
    t = Translation(positive=frozenset(s for s, box in domain.intervals.items() if box.lower > 0 or (box.lower == 0 and box.lower_open)))
    premises = [t.formula(c) for c in domain.constraints]
    lemmas = [t.formula(c) for c in using]
    goal = t.formula(formula)
    premises += _facts(t, domain)
    hypotheses = [*premises, *lemmas]
    asked = []
    for condition, preceding in t.conditions:
        if condition not in premises:
            asked.append(t.script([*hypotheses, *t.definitions[:preceding], f"(not {condition})"]))
    main = t.script([*hypotheses, *t.definitions, f"(not {goal})"])
    variables = {name: key for key, name in t.names.items() if isinstance(key, sp.Symbol)}
    exact = not t.abstracted and not any(s.is_integer for s in variables.values())
    return Queries(list(dict.fromkeys(asked)), main, exact, variables)


def _facts(t: Translation, domain: Domain) -> list[str]:
    """What is known of abstracted terms: exp is positive; entries of a family are positive, and below the total of a simplex."""
    facts = []
    for e in list(t.abstracted):
        family = domain.bases.get(e.base.label) if isinstance(e, sp.Indexed) else None
        if isinstance(e, sp.exp) or (family is not None and family.positive):
            facts.append(f"(> {t.names[e]} 0)")
        if family is not None and family.total is not None and family.total.is_Rational:
            facts.append(f"(< {t.names[e]} {_number(family.total)})")
    return facts
