"""From a universal statement about reals to SMT-LIB 2: radicals and quotients eliminated, the domain emitted in full.

Both decision engines read the same text, so the text is the artefact. An expression is translated to a polynomial
over the symbols and over auxiliary variables: ``s ≥ 0, s² = q`` for ``√q`` and ``d·q = 1`` for ``1/q``. That ``q`` is
non-negative, or non-zero, on the domain is an obligation of its own (:attr:`Translation.conditions`), discharged
before anything else is asked; so is every other condition under which a part of the statement has a value, in the
terms of a sum too, found before any simplification could cancel it. ``Max``, ``Min``, ``Abs``, ``sign`` and
``Piecewise`` become ``ite``. Entries of families, sums over an index and transcendental terms become free variables (an
abstraction: sound for a proof, and a counter-example in it is not one of the statement).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass, field
from typing import Any

import sympy as sp
from sympy.core.function import Application
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanFunction

from grpo_symbolic.proof.arithmetic import Unsupported

_SMOOTH = (sp.exp, sp.sinh, sp.cosh, sp.tanh, sp.asinh, sp.atan, sp.sin, sp.cos, sp.KroneckerDelta)
_TOTAL = (*_SMOOTH, sp.Abs, sp.sign, sp.Max, sp.Min, sp.Piecewise)
_RELATIONS = {"==": "=", "!=": "distinct", "<": "<", "<=": "<=", ">": ">", ">=": ">="}


@dataclass
class Translation:
    """SMT-LIB pieces of a statement: declarations, definitions of auxiliaries, and the conditions under which they
    are meaningful.
    """

    names: dict[Any, str] = field(default_factory=dict)
    definitions: list[str] = field(default_factory=list)
    conditions: list[tuple[str, int]] = field(default_factory=list)  # (condition, how many definitions precede it)
    abstracted: list[Any] = field(default_factory=list)
    positive: frozenset[sp.Symbol] = frozenset()
    sizes: dict[sp.Symbol, Any] = field(default_factory=dict)  # of the families
    known: set[sp.Symbol] = field(default_factory=set)  # symbols with a range of their own; others index families
    normal: Callable[[Any], Any] = lambda e: e  # another way to write a term, which may be easier to compare with 0
    bound: dict[Any, sp.Dummy] = field(default_factory=dict)  # indices of the sums around the part in hand, renamed
    guard: str = ""  # the case under which the part in hand is read: its conditions and definitions hold there only

    # -- terms ----------------------------------------------------------------------------------------------------

    def term(self, e: Any) -> str:
        if e.is_Rational:
            return number(e)
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
        if isinstance(e, sp.exp) and e.args[0].could_extract_minus_sign():
            return self._reciprocal(e, self.term(sp.exp(-e.args[0])))  # one variable for exp(a) and exp(−a)
        return self._abstract(e)

    def _name(self, key: Any, proposal: str) -> str:
        if key not in self.names:
            self.names[key] = "".join(c if c.isalnum() else "_" for c in proposal) + f"_{len(self.names)}"
        return self.names[key]

    def _fraction(self, e: Any) -> tuple[Any, Any]:
        """``(N, D)`` with ``e`` of the sign of ``N·D`` and ``e = N/D``, where ``D ≠ 0`` becomes a condition; factors
        of ``D`` known positive are kept.
        """
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
            if not (
                even
                or base in self.positive
                or isinstance(factor, sp.exp)
                or (isinstance(factor, sp.Pow) and factor.exp == sp.S.Half)
            ):
                result *= factor if exponent == 1 else base
        return result

    def _condition(self, text: str) -> None:
        text = self._guarded(text)
        if all(text != known for known, _ in self.conditions):
            self.conditions.append((text, len(self.definitions)))

    def _guarded(self, text: str) -> str:
        return f"(=> {self.guard} {text})" if self.guard else text

    @contextmanager
    def _case(self, *conditions: str) -> Iterator[None]:
        """Read what follows in the case that all conditions hold."""
        outer = self.guard
        parts = [c for c in (outer, *conditions) if c]
        self.guard = f"(and {' '.join(parts)})" if len(parts) > 1 else "".join(parts)
        try:
            yield
        finally:
            self.guard = outer

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
        key = (sp.sqrt(base), self.guard)
        if key not in self.names:
            above, under = self._fraction(base)
            top, sign, bottom = self.term(above), self.term(self._odd_part(under)), self.term(under)
            self._condition(f"(>= {top} 0)" if sign == "1.0" else f"(>= (* {top} {sign}) 0)")
            name = self._name(key, "root")
            square = f"(* {name} {name})" if bottom == "1.0" else f"(* {name} {name} {bottom})"
            self.definitions.append(self._guarded(f"(and (>= {name} 0) (= {square} {top}))"))
        return self.names[key]

    def _reciprocal(self, power: Any, inner: str) -> str:
        key = (power, self.guard)
        if key not in self.names:
            self._condition(f"(distinct {inner} 0)")
            name = self._name(key, "quotient")
            self.definitions.append(self._guarded(f"(= (* {name} {inner}) 1)"))
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
        branches: list[Any] = []
        before: list[Any] = []
        for value, condition in e.args:
            with self._case(*before):
                chosen = self.formula(condition)
            with self._case(*before, *([] if chosen == "true" else [chosen])):
                branches.append((chosen, self.term(value)))
            before.append(f"(not {chosen})")
        result = branches[-1][1]
        for chosen, value in reversed(branches[:-1]):
            result = f"(ite {chosen} {value} {result})"
        return result

    def _abstract(self, e: Any) -> str:
        if not (e.is_Function or isinstance(e, sp.Indexed | sp.Sum | sp.Product | sp.Pow) or e.is_NumberSymbol):
            raise Unsupported(f"{e} has no translation to real arithmetic")
        if e not in self.names:
            self.abstracted.append(e)
        return self._name(e, "abstract")

    def require(self, e: Any) -> None:
        """Make conditions of what gives every part of a term or a formula a real value, innermost first."""
        if isinstance(e, sp.Indexed):
            self._require_entry(e)
            return
        if e.is_Atom:
            if e.is_number and not e.is_finite:
                raise Unsupported(f"{e} is no real number")
            return
        if isinstance(e, sp.Sum | sp.Product):
            self._require_terms(e)
            return
        if isinstance(e, sp.Implies):
            self.require(e.args[0])
            with self._case(self.formula(e.args[0].xreplace(self.bound))):
                self.require(e.args[1])
            return
        if isinstance(e, sp.Piecewise):
            before: list[str] = []
            for value, condition in e.args:
                with self._case(*before):
                    self.require(condition)
                    chosen = self.formula(condition.xreplace(self.bound))
                with self._case(*before, chosen):
                    self.require(value)
                before.append(f"(not {chosen})")
            return
        if isinstance(e, sp.Derivative):
            self._require_derivative(e)
            return
        for a in e.args:
            self.require(a)
        if isinstance(e, sp.Pow):
            if not e.exp.is_Rational:
                self._need(sp.Gt, e.base.xreplace(self.bound))
            elif not e.exp.is_Integer:
                self._need(sp.Gt if e.exp < 0 else sp.Ge, e.base.xreplace(self.bound))
            elif e.exp < 0:
                self._need(sp.Ne, e.base.xreplace(self.bound))
        elif isinstance(e, sp.log):
            self._need(sp.Gt, e.args[0].xreplace(self.bound))
        elif not isinstance(e, (sp.Add, sp.Mul, Relational, BooleanFunction, *_TOTAL)) and not (
            e.is_Function and e.is_real
        ):
            raise Unsupported(f"{e} is not known to be defined")

    def _require_entry(self, e: Any) -> None:
        """That an index lies between 1 and the size of its family; a free index of families is understood to."""
        index, size = e.indices[0].xreplace(self.bound), self.sizes.get(e.base.label)
        if size is not None and (index in self.known or not index.is_Symbol):
            self._need(sp.Ge, index - 1)
            self._need(sp.Ge, size - index)

    def _require_terms(self, e: Any) -> None:
        """The outermost index first: its range is not reversed, and whatever number of the range it is, the term has
        a value.
        """
        *inner, (index, low, high) = e.limits
        self.require(low)
        self.require(high)
        here, outside = sp.Dummy(index.name, integer=True), self.bound
        low, high = (limit.xreplace(outside) for limit in (low, high))
        self._need(sp.Ge, high - low + 1)
        self.known.add(here)
        with self._case(self.formula(sp.Ge(here, low)), self.formula(sp.Le(here, high))):
            self.bound = {**outside, index: here}
            self.require(e.func(e.function, *inner) if inner else e.function)
        self.bound = outside

    def _require_derivative(self, e: Any) -> None:
        """The expression and its derivative, of functions that have one wherever SymPy's formula for it has a value."""
        self.require(e.expr)
        derivative = e.doit(sums=False)
        if derivative.has(sp.Derivative) or not all(
            isinstance(f, (sp.log, *_SMOOTH)) for f in e.expr.atoms(Application)
        ):
            raise Unsupported(f"{e} may not exist")
        self.require(derivative)

    def _need(self, relation: Any, e: Any) -> None:
        readings = []
        for written in dict.fromkeys((e, self.normal(e))):
            needed = relation(written, 0)
            if needed is sp.true:
                return
            readings.append("false" if needed is sp.false else self._relation(relation(written, 0, evaluate=False)))
        self._condition(readings[0] if len(readings) == 1 else f"(or {' '.join(readings)})")

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
            given = self.formula(f.args[0])
            with self._case(given):
                return f"(=> {given} {self.formula(f.args[1])})"
        if isinstance(f, sp.Equivalent):
            return f"(= {' '.join(self.formula(a) for a in f.args)})"
        if isinstance(f, Relational):
            return self._relation(f)
        raise Unsupported(f"{f} is not a formula")

    def _relation(self, f: Relational) -> str:
        """Compare with zero on one denominator, whose sign goes to the other side; ``distinct`` and ``=`` need the
        numerator only.
        """
        operator = _RELATIONS[f.rel_op]
        if f.lhs.is_Symbol or f.rhs.is_number:
            simple = not f.lhs.has(sp.Pow) and not f.rhs.has(sp.Pow)
            if simple:
                return f"({operator} {self.term(f.lhs)} {self.term(f.rhs)})"
        above, under = self._fraction(f.lhs - f.rhs)
        if f.rel_op in ("==", "!="):
            return f"({operator} {self.term(above)} 0)"
        odd = self._odd_part(under)
        return (
            f"({operator} {self.term(above)} 0)"
            if odd == 1
            else f"({operator} (* {self.term(above)} {self.term(odd)}) 0)"
        )

    def script(self, assertions: list[str]) -> str:
        lines = ["(set-logic QF_NRA)"]
        lines += [f"(declare-fun {name} () Real)" for name in self.names.values()]
        lines += [f"(assert {a})" for a in assertions if a != "true"]
        return "\n".join([*lines, "(check-sat)", ""])


def number(value: sp.Rational) -> str:
    magnitude = f"{abs(value.p)}.0" if value.q == 1 else f"(/ {abs(value.p)}.0 {value.q}.0)"
    return magnitude if value >= 0 else f"(- {magnitude})"
