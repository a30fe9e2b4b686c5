"""From terms back to SymPy: for SymPy's own algorithms and for display, never for judging.

SymPy's constructors may simplify what they are given; what they make is another way to write the same value wherever
the term has one, and nothing more is relied on.
"""

from __future__ import annotations

from collections.abc import Callable, Mapping
from typing import Any

import sympy as sp

from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.language import Node, Sort, Variable
from grpo_symbolic.terms.reading import FUNCTIONS

_FUNCTIONS = {name: kind for kind, name in FUNCTIONS.items()}
_RELATIONS = {"<": sp.Lt, "<=": sp.Le, "==": sp.Eq, "!=": sp.Ne}


def symbol_of(variable: Variable) -> sp.Symbol:
    """The SymPy symbol of a variable."""
    whole = variable.sort is Sort.whole
    return sp.Symbol(variable.name, integer=True) if whole else sp.Symbol(variable.name, real=True)


def written(node: Node, symbols: Mapping[Node, sp.Basic] | None = None) -> sp.Basic:
    """A node as SymPy; ``symbols`` says what stands for variables (or for any other part), where not the usual."""
    known: dict[Node, Any] = dict(symbols or {})

    def write(part: Node) -> sp.Basic:
        expression = known.get(part)
        if expression is None:
            expression = known[part] = _WRITERS[type(part)](part, write)
        return expression

    return write(node)


def _cases(node: la.Cases, write: Callable[[Node], sp.Basic]) -> sp.Piecewise:
    return sp.Piecewise(*((write(v), write(c)) for c, v in node.cases), (write(node.default), True))


def _total(node: la.Total, write: Callable[[Node], sp.Basic]) -> sp.Sum | sp.Product:
    kind = sp.Product if node.product else sp.Sum
    return kind(write(node.body), (write(node.index), write(node.low), write(node.high)))


_WRITERS: dict[type, Callable[[Any, Callable[[Any], Any]], Any]] = {
    la.Number: lambda n, w: sp.Rational(n.value.numerator, n.value.denominator),
    la.Constant: lambda n, w: sp.pi if n.name == "pi" else sp.E,
    Variable: lambda n, w: symbol_of(n),
    la.Bound: lambda n, w: sp.Symbol(f"index_{n.number}", integer=True),
    la.Entry: lambda n, w: sp.IndexedBase(n.family, real=True)[w(n.index)],
    la.Add: lambda n, w: sp.Add(*map(w, n.terms)),
    la.Multiply: lambda n, w: sp.Mul(*map(w, n.factors)),
    la.Power: lambda n, w: w(n.base) ** sp.Rational(n.exponent.numerator, n.exponent.denominator),
    la.GeneralPower: lambda n, w: w(n.base) ** w(n.exponent),
    la.Function: lambda n, w: _FUNCTIONS[n.name](w(n.argument)),
    la.Extremum: lambda n, w: (sp.Max if n.greatest else sp.Min)(*map(w, n.terms)),
    la.Cases: _cases,
    la.Delta: lambda n, w: sp.KroneckerDelta(w(n.left), w(n.right)),
    la.Total: _total,
    la.Derivative: lambda n, w: sp.Derivative(w(n.body), (w(n.along), n.order)),
    la.Truth: lambda n, w: sp.true if n.value else sp.false,
    la.Compare: lambda n, w: _RELATIONS[n.relation](w(n.left), w(n.right)),
    la.Not: lambda n, w: sp.Not(w(n.part)),
    la.And: lambda n, w: sp.And(*map(w, n.formulas)),
    la.Or: lambda n, w: sp.Or(*map(w, n.formulas)),
    la.Implies: lambda n, w: sp.Implies(w(n.given), w(n.then)),
    la.Iff: lambda n, w: sp.Equivalent(*map(w, n.formulas)),
}
