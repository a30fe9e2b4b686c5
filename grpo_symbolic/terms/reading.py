"""From SymPy to terms: the one place at which a SymPy expression enters the core.

A table names the nodes that are allowed and what they become; anything else is refused in one sentence. Nothing is
simplified on the way. Letters are identified by declaration: what is printed as one name stands for one symbol or
family, real or integer or without assumptions, and one that assumes more, of which a domain would show nothing, is
refused.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import cache, lru_cache
from typing import Any

import sympy as sp
from sympy.core.relational import Relational
from sympy.printing.pretty.pretty_symbology import pretty_symbol

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.language import Formula, Node, Sort, Term, Variable

_SORTS: dict[tuple[tuple[str, bool], ...], Sort] = {
    (): Sort.real,
    (("real", True),): Sort.real,
    (("integer", True),): Sort.whole,
    (("finite", True), ("real", True)): Sort.real,
}
FUNCTIONS = {
    sp.exp: "exp",
    sp.log: "log",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.Abs: "abs",
    sp.sign: "sign",
}
_RELATIONS = {
    sp.StrictLessThan: ("<", False),
    sp.LessThan: ("<=", False),
    sp.StrictGreaterThan: ("<", True),
    sp.GreaterThan: ("<=", True),
    sp.Equality: ("==", False),
    sp.Unequality: ("!=", False),
}


Symbols = dict[str, sp.Symbol | sp.IndexedBase]  # what each name was first read as


@cache
def printed_name(name: str) -> str:
    """A name as it is printed: k_1 and k1 are one, alpha and α, and o_, another answer than o, is o'."""
    stem = name.rstrip("_")
    return str(pretty_symbol(stem)) + "'" * (len(name) - len(stem))


def _declared(symbols: Symbols, name: str, symbol: sp.Symbol | sp.IndexedBase) -> None:
    """Note what a name stands for, which is one thing, and the only one that is printed so."""
    if symbols.get(name) == symbol:
        return
    if name in symbols:
        raise ReadingError(
            f"two different things are called {name}: they differ in their assumptions or their kind, "
            "which no reader sees"
        )
    alike = printed_name(name)
    for other in symbols:
        if printed_name(other) == alike:
            raise ReadingError(f"{other} and {name} are two letters that are printed alike: {alike}")
    symbols[name] = symbol


class _Reads:
    """Reads numbers and what is true or false, each where it is expected."""

    def read(self, e: Any) -> Node:
        raise NotImplementedError

    def term(self, expression: Scalar) -> Term:
        """The term of a SymPy expression (or of a Python integer or fraction)."""
        read = self.read(expression)
        if not isinstance(read, Term):
            raise ReadingError(f"{expression} is true or false, where a number was expected")
        return read

    def formula(self, formula: sp.logic.boolalg.Boolean) -> Formula:
        """The formula of a Boolean combination of relations."""
        read = self.read(formula)
        if not isinstance(read, Formula):
            raise ReadingError(f"{formula} is a number, where something true or false was expected")
        return read


@dataclass
class Reading(_Reads):
    """Reads expressions that share their symbols: one name, one meaning.

    Raises :class:`ReadingError` for anything that has no term.
    """

    symbols: Symbols = field(default_factory=dict)

    def read(self, e: Scalar | sp.Basic) -> Node:
        read, symbols = _read(_as_sympy(e))
        for name, symbol in symbols:
            _declared(self.symbols, name, symbol)
        return read

    def variable(self, symbol: sp.Symbol) -> Variable:
        """The variable of a symbol."""
        read = self.read(symbol)
        if not isinstance(read, Variable):
            raise ReadingError(f"{symbol} is no symbol")
        return read


@lru_cache(maxsize=1 << 16)
def _read(expression: sp.Basic) -> tuple[Node, tuple[tuple[str, sp.Symbol | sp.IndexedBase], ...]]:
    """A node, and what each free name in it stands for."""
    reader = _Reader()
    read = reader.read(expression)
    return read, tuple(reader.symbols.items())


@dataclass
class _Reader(_Reads):
    """Reads one expression."""

    symbols: Symbols = field(default_factory=dict)
    bound: dict[sp.Symbol, Variable] = field(default_factory=dict)  # the indices of the sums around what is read
    depth: int = 0  # how many sums are around it, those too of which an index is hidden by another one of its name
    _known: dict[sp.Basic, Node] = field(default_factory=dict)

    def read(self, e: sp.Basic) -> Node:
        node = self._known.get(e)
        if node is None:
            node = self._known[e] = self._node(e)
        return node

    def _node(self, e: sp.Basic) -> Node:
        _of_sympy(e)
        if isinstance(e, sp.Rational):
            return la.Number(Fraction(int(e.p), int(e.q)))
        if isinstance(e, sp.Symbol):
            return self.bound.get(e) or self._symbol(e)
        if isinstance(e, sp.Indexed):
            return self._entry(e)
        reader = _READERS.get(type(e))
        if reader is not None:
            return reader(self, e)
        if type(e) in FUNCTIONS:
            (argument,) = e.args
            return la.Function(FUNCTIONS[type(e)], self.term(argument))
        if type(e) in _RELATIONS:
            relation, swapped = _RELATIONS[type(e)]
            left, right = self.term(e.lhs), self.term(e.rhs)
            return la.Compare(relation, right, left) if swapped else la.Compare(relation, left, right)
        raise ReadingError(_refusal(e))

    def _symbol(self, symbol: sp.Symbol) -> Variable:
        if type(symbol) is not sp.Symbol:
            raise ReadingError(
                f"{symbol} is a {type(symbol).__name__}, of which two may bear one name: take a symbol of the notation"
            )
        if symbol.name.startswith("#"):
            raise ReadingError(f"the name {symbol.name} is kept for bound indices: choose another")
        _declared(self.symbols, symbol.name, symbol)
        declared = tuple(sorted((k, v) for k, v in symbol._assumptions_orig.items() if k != "commutative"))
        if declared not in _SORTS:
            assumptions = ", ".join(k if v else f"not {k}" for k, v in declared)
            raise ReadingError(
                f"the symbol {symbol.name} carries an assumption ({assumptions}): say it in the domain, with a symbol "
                "that is real or integer and no more"
            )
        return Variable(symbol.name, _SORTS[declared])

    def _whole(self, e: sp.Basic, what: str) -> Term:
        read = self.term(e)
        if not read.is_whole:
            raise ReadingError(f"{what} must be a whole number, and {e} need not be one")
        return read

    def _entry(self, e: sp.Indexed) -> Term:
        base = e.base
        if type(base) is not sp.IndexedBase or len(e.indices) != 1 or base.args[1:]:
            raise ReadingError(f"{e} is no entry of a family with one index")
        _declared(self.symbols, base.name, base)
        if base not in (sp.IndexedBase(base.name), sp.IndexedBase(base.name, real=True)):
            raise ReadingError(
                f"the family {base.name} carries an assumption: say it in the domain, with a family of real numbers "
                "and no more"
            )
        return la.Entry(base.name, self._whole(e.indices[0], f"the index of {e}"))

    def _power(self, e: sp.Pow) -> Term:
        base, exponent = e.args
        if isinstance(exponent, sp.Rational):
            return la.Power(self.term(base), Fraction(int(exponent.p), int(exponent.q)))
        return la.GeneralPower(self.term(base), self.term(exponent))

    def _cases(self, e: sp.Piecewise) -> Term:
        *cases, (default, otherwise) = e.args
        if otherwise != sp.true:
            raise ReadingError(f"{e} has no branch for every case: add a default")
        return la.Cases(tuple((self.formula(c), self.term(v)) for v, c in cases), self.term(default))

    def _delta(self, e: sp.KroneckerDelta) -> Term:
        left, right, *span = e.args
        if span:
            raise ReadingError(f"{e} has a range of its own: bound its sum instead")
        return la.Delta(self._whole(left, f"an argument of {e}"), self._whole(right, f"an argument of {e}"))

    def _total(self, product: bool, body: sp.Expr, limits: Sequence[sp.Tuple]) -> Term:
        if not limits:
            return self.term(body)
        *inner, limit = limits  # the last is the outermost
        if len(limit) != 3:
            raise ReadingError(f"a sum over {limit[0]} has no ends")
        index, low, high = limit
        if (
            type(index) is not sp.Symbol
            or not index.name.isidentifier()
            or index != sp.Symbol(index.name, integer=True)
        ):
            raise ReadingError(f"the index {index} of a sum must be an integer symbol, which assumes no more")
        low, high = (self._whole(end, f"an end of the sum over {index}") for end in (low, high))
        # the index is bound: inside, what is printed as it means nothing that it means outside
        hidden, fresh = printed_name(index.name), self._fresh()
        symbols = {name: symbol for name, symbol in self.symbols.items() if printed_name(name) != hidden}
        around = {symbol: variable for symbol, variable in self.bound.items() if printed_name(symbol.name) != hidden}
        inside = _Reader({**symbols, index.name: index}, {**around, index: fresh}, self.depth + 1)
        read = inside._total(product, body, inner)
        for name, symbol in inside.symbols.items():
            if name != index.name:
                _declared(self.symbols, name, symbol)
        return la.total(product, low, high, fresh, read)

    def _fresh(self) -> Variable:
        """A letter for the index of a sum, which none of the sums around it has."""
        return Variable(f"#{self.depth + 1}", Sort.whole)

    def _binomial(self, e: sp.binomial) -> Term:
        """The product of (n − k + i)/i over i = 1, …, k: it has a value for k ≥ 0 only."""
        above, below = (self._whole(argument, f"an argument of {e}") for argument in e.args)
        factor = self._fresh()
        ratio = la.multiply(la.add(above, la.negative(below), factor), la.Power(factor, Fraction(-1)))
        return la.total(True, la.ONE, below, factor, ratio)

    def _equivalence(self, e: sp.Equivalent) -> Formula:
        if len(e.args) != 2:
            raise ReadingError(f"{e} is an equivalence, which is said of two at a time")
        return la.Iff(tuple(map(self.formula, e.args)))

    def _derivative(self, e: sp.Derivative) -> Term:
        read = self.term(e.expr)
        for variable, order in e.variable_count:
            if not isinstance(order, sp.Integer) or order < 1:
                raise ReadingError(f"{e} has no whole order")
            along = self.read(variable)
            if not isinstance(along, Variable | la.Entry):
                raise ReadingError(f"{e} is no derivative along a symbol or an entry of a family")
            if isinstance(along, Variable) and along.is_whole:
                raise ReadingError(f"{e} is no derivative: {variable} is a whole number, and has none beside it")
            read = la.Derivative(read, along, int(order))
        return read


_READERS: dict[type, Callable[[_Reader, Any], Any]] = {
    sp.Add: lambda r, e: la.Add(tuple(map(r.term, e.args))),
    sp.Mul: lambda r, e: la.Multiply(tuple(map(r.term, e.args))),
    sp.Pow: _Reader._power,
    type(sp.pi): lambda r, e: la.Constant("pi"),
    type(sp.E): lambda r, e: la.Constant("e"),
    sp.Max: lambda r, e: la.Extremum(True, tuple(map(r.term, e.args))),
    sp.Min: lambda r, e: la.Extremum(False, tuple(map(r.term, e.args))),
    sp.Piecewise: _Reader._cases,
    sp.KroneckerDelta: _Reader._delta,
    sp.Sum: lambda r, e: r._total(False, e.function, e.limits),
    sp.Product: lambda r, e: r._total(True, e.function, e.limits),
    sp.binomial: _Reader._binomial,
    sp.Derivative: _Reader._derivative,
    sp.And: lambda r, e: la.And(tuple(map(r.formula, e.args))),
    sp.Or: lambda r, e: la.Or(tuple(map(r.formula, e.args))),
    sp.Not: lambda r, e: la.Not(r.formula(e.args[0])),
    sp.Implies: lambda r, e: la.Implies(*map(r.formula, e.args)),
    sp.Equivalent: _Reader._equivalence,
    type(sp.true): lambda r, e: la.TRUE,
    type(sp.false): lambda r, e: la.FALSE,
}


def _as_sympy(value: Scalar | sp.Basic) -> sp.Basic:
    """A SymPy object as it is; whole numbers and fractions of Python exactly; nothing else."""
    if isinstance(value, sp.Basic):
        return value
    if isinstance(value, bool) or value is None:
        raise ReadingError(f"{value} is Python's, and no statement: a comparison was decided before it was read")
    if isinstance(value, int | Fraction):
        return sp.Rational(value.numerator, value.denominator)
    raise ReadingError(f"{value!r} is a {type(value).__name__}: only SymPy expressions and exact numbers are read")


def _of_sympy(e: sp.Basic) -> None:
    """Refuse a kind that SymPy does not define: it might print something else than is read."""
    if not (type(e).__module__ or "").startswith("sympy."):  # of a function without definition there is none
        raise ReadingError(unknown(e))


def unknown(e: sp.Basic) -> str:
    """Why an expression that no term stands for is refused."""
    reason = f"{e} has no meaning here: {type(e).__name__} is not in the language of terms"
    if not isinstance(e, sp.Float) or not e.is_finite:
        return reason
    exact = sp.Rational(str(e))
    return f"{reason}; numbers are exact, Rational({exact.p}, {exact.q}) or what this was rounded from"


def _refusal(e: sp.Basic) -> str:
    if isinstance(e, sp.Float):
        return f"{e} is a rounded number: write it as an exact fraction"
    if e in (sp.oo, -sp.oo, sp.zoo, sp.nan):
        return f"{e} is no real number"
    if isinstance(e, Relational):
        return f"{e} is a relation of an unknown kind"
    if isinstance(e, sp.core.function.AppliedUndef):
        return f"{e} is a function of which nothing is known"
    return unknown(e)
