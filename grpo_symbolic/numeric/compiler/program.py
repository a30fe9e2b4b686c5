"""From a SymPy expression to a straight-line program: every distinct subexpression is one step, computed once.

The steps come from a small vocabulary (:data:`UNARY`, :data:`BINARY`, ``pow``, ``where``) that each backend knows to
write; nothing but these names, argument names and numbers can get into generated code. What the vocabulary lacks in
floating point (``log(1 + x) − x``, a scaled ``√(a² + c)``) is composed here of what it has.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.compiler import functions as fn

Operand: TypeAlias = Any  # the name of an argument or of a step, or a SymPy number

_FUNCTIONS: dict[Any, str] = {
    sp.exp: "exp",
    sp.log: "log",
    fn.Log1p: "log1p",
    fn.Expm1: "expm1",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.asinh: "asinh",
    sp.acosh: "acosh",
    sp.atanh: "atanh",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.Abs: "abs",
    fn.Absolute: "abs",
    sp.sign: "sign",
    sp.floor: "floor",
    sp.ceiling: "ceil",
}
_RELATIONS = {"<": "lt", "<=": "le", ">": "gt", ">=": "ge", "==": "eq", "!=": "ne"}
UNARY = frozenset({*_FUNCTIONS.values(), "neg", "sqrt", "not"})
BOOLEAN = frozenset({*_RELATIONS.values(), "and", "or", "not"})
BINARY = BOOLEAN - {"not"} | {"add", "sub", "mul", "div", "minimum", "maximum", "logaddexp"}
_HUGE = sp.Integer(2) ** 100  # odds: the share is 1 from here on, in every precision
# log(1+x) − x with s = x/(2+x): s·(2s²(1/3 + s²/5 + s⁴/7 + …) − x); for |s| ≤ 1/4 these terms leave less than 2⁻⁵⁶.
_SERIES_TERMS, _SERIES_REACH = 13, sp.Rational(1, 4)


@dataclass(frozen=True)
class Step:
    """``name = op(*operands)``."""

    name: str
    op: str
    operands: tuple[Operand, ...]


@dataclass(frozen=True)
class Program:
    """Steps in order, the operand that holds the result, and whether it is a truth value."""

    arguments: tuple[str, ...]
    steps: tuple[Step, ...]
    result: Operand
    boolean: bool


def linearise(
    expression: sp.Basic,
    arguments: Sequence[sp.Basic],
    exact: bool = False,
    logaddexp: bool = True,
    regroup: bool = False,
) -> Program:
    """The program of an expression in the arguments, for exact (ball, multi-precision) or floating-point arithmetic,
    with ``logaddexp`` as a function of the backend or composed. Equal subexpressions are shared; ``regroup`` lets
    SymPy's ``cse`` share parts of sums and products as well, which changes the order of a sum and so its rounding.

    Raises :class:`BadInput` for a symbol that is no argument, or what cannot be evaluated on arrays.
    """
    names = sp.numbered_symbols("_shared")
    shared, (final,) = sp.cse([expression], symbols=names, order="none") if regroup else ([], (expression,))
    writer = _Writer(arguments, exact, logaddexp)
    for symbol, value in shared:
        writer.known[symbol] = writer.visit(value)
    result = writer.visit(final)
    return Program(tuple(writer.names), tuple(writer.steps), result, writer.is_boolean(result))


class _Writer:
    def __init__(self, arguments: Sequence[sp.Basic], exact: bool, logaddexp: bool) -> None:
        self.names = [f"a{k}" for k in range(len(arguments))]
        self.known: dict[Any, Operand] = dict(zip(arguments, self.names, strict=True))
        self.exact, self.has_logaddexp = exact, logaddexp
        self.steps: list[Step] = []
        self._step_of: dict[tuple[Any, ...], str] = {}
        self._ops: dict[str, str] = {}

    def emit(self, op: str, *operands: Operand) -> Operand:
        """The name of a step, which is new only if there is none like it."""
        key = (op, *operands)
        if key not in self._step_of:
            name = f"t{len(self.steps)}"
            self._step_of[key] = name
            self._ops[name] = op
            self.steps.append(Step(name, op, operands))
        return self._step_of[key]

    def is_boolean(self, operand: Operand) -> bool:
        return self._ops.get(operand) in BOOLEAN if isinstance(operand, str) else operand in (sp.true, sp.false)

    def visit(self, e: sp.Basic) -> Operand:
        if e not in self.known:
            self.known[e] = self._visit(e)
        return self.known[e]

    def _visit(self, e: sp.Basic) -> Operand:
        if e in (sp.true, sp.false):
            return e
        if e.is_Number or e.is_NumberSymbol or (not self.exact and isinstance(e, sp.Expr) and e.is_number):
            return _real(fn.plain(e))
        if isinstance(e, sp.Symbol | sp.Indexed):
            raise BadInput(f"the expression holds {e}, which is not among the arguments")
        handler = _HANDLERS.get(e.func)
        if handler is not None:
            return handler(self, e)
        if isinstance(e, Relational):
            return self.emit(_RELATIONS[e.rel_op], self.visit(e.lhs), self.visit(e.rhs))
        name = _FUNCTIONS.get(e.func)
        if name is None or len(e.args) != 1:
            raise BadInput(f"{e.func.__name__} cannot be evaluated in bulk: {e}")
        return self.emit(name, self.visit(e.args[0]))

    def fold(self, op: str, operands: Sequence[Operand]) -> Operand:
        total = operands[0]
        for operand in operands[1:]:
            total = self.emit(op, total, operand)
        return total

    def add(self, e: sp.Add) -> Operand:
        plus = [a for a in e.args if not a.could_extract_minus_sign()]
        minus = [-a for a in e.args if a.could_extract_minus_sign()]
        # a − b rather than (−b) + a; terms of one coefficient meet first: in 1/2 − p − b/2 they may cancel exactly.
        parts: list[Operand] = []
        for a in sorted(plus, key=sp.count_ops):
            partner = next((m for m in minus if _coefficient(m) == _coefficient(a)), None)
            value = self.visit(a)
            if partner is not None:
                minus.remove(partner)
                value = self.emit("sub", value, self.visit(partner))
            parts.append(value)
        if not parts:
            return self.emit("neg", self.fold("add", [self.visit(a) for a in minus]))
        total = self.fold("add", parts)
        for a in minus:
            total = self.emit("sub", total, self.visit(a))
        return total

    def mul(self, e: sp.Mul) -> Operand:
        coefficient, factors = e.as_coeff_mul()
        above = [f for f in factors if not _is_divisor(f)]
        below = [sp.Pow(f.base, -f.exp) for f in factors if _is_divisor(f)]
        if coefficient.is_Rational:
            negative, coefficient = coefficient < 0, abs(coefficient)
            exact = coefficient.q & (coefficient.q - 1) == 0  # a division by a power of two is an exact product
            number, divisor = (coefficient, 1) if exact else (sp.Integer(coefficient.p), sp.Integer(coefficient.q))
        else:
            negative, number, divisor = False, coefficient, 1
        top = self.fold("mul", [self.visit(f) for f in above]) if above else None
        if below:
            bottom = self.fold("mul", [self.visit(f) for f in below])
            if divisor != 1:
                bottom = self.emit("mul", bottom, divisor)
            if top is None:
                top = self.emit("div", -number if negative else number, bottom)
                return top
            top = self.emit("div", top if number == 1 else self.emit("mul", top, number), bottom)
        else:
            top = top if number == 1 else self.emit("mul", top, number)
            top = top if divisor == 1 else self.emit("div", top, divisor)
        return self.emit("neg", top) if negative else top

    def power(self, e: sp.Pow) -> Operand:
        base, exponent = e.args
        if exponent.is_Rational and exponent < 0:
            return self.emit("div", sp.S.One, self.visit(sp.Pow(base, -exponent, evaluate=False)))
        if exponent.is_Integer and (exponent <= 16 or self.exact):
            return self._whole_power(self.visit(base), int(exponent))
        if exponent.is_Rational and exponent.q == 2 and (exponent <= 16 or self.exact):
            root = self.emit("sqrt", self.visit(base))
            whole = int(exponent.p // 2)
            # x^(3/2) = x·√x: one rounding less than (√x)³
            return self.emit("mul", self._whole_power(self.visit(base), whole), root) if whole else root
        if base is sp.S.Exp1:
            return self.emit("exp", self.visit(exponent))
        return self.emit("pow", self.visit(base), self.visit(exponent))

    def _whole_power(self, operand: Operand, exponent: int) -> Operand:
        if exponent == 0:
            return sp.S.One
        if exponent == 1:
            return operand
        half = self._whole_power(operand, exponent // 2)
        square = self.emit("mul", half, half)
        return self.emit("mul", square, operand) if exponent % 2 else square

    def piecewise(self, e: sp.Piecewise) -> Operand:
        *branches, last = e.args
        total: Operand = self.visit(last.expr)
        if last.cond is not sp.true:
            total = self.emit("where", self.visit(last.cond), total, sp.nan)
        for branch in reversed(branches):
            total = self.emit("where", self.visit(branch.cond), self.visit(branch.expr), total)
        return total

    def log1pmx(self, e: sp.Basic) -> Operand:
        x, ratio = (self.visit(v) for v in e.args)
        direct = self.emit("sub", self.emit("log", ratio), x)
        if self.exact:
            return direct
        s = self.emit("div", x, self.emit("add", x, sp.Integer(2)))
        square = self.emit("mul", s, s)
        series: Operand = sp.Rational(2, 2 * _SERIES_TERMS + 1)
        for k in range(_SERIES_TERMS - 1, 0, -1):
            series = self.emit("add", self.emit("mul", series, square), sp.Rational(2, 2 * k + 1))
        near = self.emit("mul", s, self.emit("sub", self.emit("mul", series, square), x))
        return self.emit("where", self.emit("lt", self.emit("abs", s), _SERIES_REACH), near, direct)

    def share(self, e: sp.Basic) -> Operand:
        odds = self.visit(e.args[0]) if self.exact else self.emit("minimum", self.odds(e.args[0]), _HUGE)
        return self.emit("div", odds, self.emit("add", sp.S.One, odds))

    def odds(self, e: sp.Basic) -> Operand:
        """``w·exp(s) = (w·exp(s/2))·exp(s/2)``, which has lost no digits while it is a normal float itself: exp(s) may
        be subnormal, or overflow, where w makes up for it.
        """
        powers = [f for f in sp.Mul.make_args(e) if isinstance(f, sp.exp)]
        if len(powers) != 1 or e == powers[0]:
            return self.visit(e)
        half = sp.exp(powers[0].args[0] / 2)
        return self.emit("mul", self.visit(e / powers[0] * half), self.visit(half))

    def square_root(self, e: sp.Basic) -> Operand:
        a, c = (self.visit(v) for v in e.args)
        if self.exact:
            return self.emit("sqrt", self.emit("add", self.emit("mul", a, a), c))
        size = self.emit("maximum", self.emit("abs", a), sp.S.One)
        scaled, rest = self.emit("div", a, size), self.emit("div", self.emit("div", c, size), size)
        return self.emit("mul", size, self.emit("sqrt", self.emit("add", self.emit("mul", scaled, scaled), rest)))

    def logaddexp(self, e: sp.Basic) -> Operand:
        a, b = (self.visit(v) for v in e.args)
        if self.has_logaddexp:
            return self.emit("logaddexp", a, b)
        gap = self.emit("neg", self.emit("abs", self.emit("sub", a, b)))
        return self.emit("add", self.emit("maximum", a, b), self.emit("log1p", self.emit("exp", gap)))


_HANDLERS: dict[Any, Callable[[_Writer, Any], Operand]] = {
    sp.Add: _Writer.add,
    sp.Mul: _Writer.mul,
    sp.Pow: _Writer.power,
    sp.Piecewise: _Writer.piecewise,
    sp.Max: lambda w, e: w.fold("maximum", [w.visit(a) for a in e.args]),
    sp.Min: lambda w, e: w.fold("minimum", [w.visit(a) for a in e.args]),
    sp.And: lambda w, e: w.fold("and", [w.visit(a) for a in e.args]),
    sp.Or: lambda w, e: w.fold("or", [w.visit(a) for a in e.args]),
    sp.Not: lambda w, e: w.emit("not", w.visit(e.args[0])),
    sp.ITE: lambda w, e: w.visit(sp.Or(sp.And(e.args[0], e.args[1]), sp.And(sp.Not(e.args[0]), e.args[2]))),
    fn.AsIs: lambda w, e: w.visit(e.args[0]),
    fn.Group: lambda w, e: w.visit(e.args[0]),
    fn.Log1pmx: _Writer.log1pmx,
    fn.Share: _Writer.share,
    fn.SquareRoot: _Writer.square_root,
    fn.LogAddExp: _Writer.logaddexp,
    fn.Where: lambda w, e: w.emit("where", *(w.visit(a) for a in e.args)),
}


def _coefficient(term: sp.Basic) -> Any:
    return term if term.is_Number else term.as_coeff_Mul()[0]


def _is_divisor(factor: sp.Basic) -> bool:
    return isinstance(factor, sp.Pow) and factor.exp.is_Rational and factor.exp < 0


def _real(number: sp.Basic) -> Any:
    if number.is_extended_real is False:
        raise BadInput(f"the expression holds {number}, which is not a real number")
    return number
