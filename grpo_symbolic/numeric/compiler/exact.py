"""Compiled functions in ball arithmetic (python-flint) and in multi-precision arithmetic (mpmath), at a chosen number
of digits.

Balls enclose the true value at the point that was given; a float is taken as the number it is. A truth value is None
where the arithmetic does not decide it, and a choice that it cannot make is the hull of both values.
"""

from __future__ import annotations

from collections.abc import Callable
from fractions import Fraction
from typing import Any, TypeAlias

import numpy as np
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.compiler.printers import FLINT, MPMATH, build, source
from grpo_symbolic.numeric.compiler.program import Operand, Program
from grpo_symbolic.terms.kleene import conjunction, disjunction, negation

Ball: TypeAlias = Any  # a flint.arb, or an mpmath.mpf
Number: TypeAlias = Any  # what becomes one: a number of Python, SymPy, NumPy or of the arithmetic itself
Relation: TypeAlias = Callable[[Ball, Ball], bool | None]


def exact_function(program: Program, backend: str, digits: int) -> tuple[Callable[..., Any], str]:
    """A function of numbers (or object arrays of them, which broadcast), and its source."""
    flint = backend == "flint"
    namespace, number, working = _flint(digits) if flint else _mpmath(digits)
    constants: dict[str, Any] = {}

    def write(operand: Operand) -> str:
        if isinstance(operand, str):
            return operand
        if operand in (sp.true, sp.false):
            return str(bool(operand))
        name = next((k for k, v in constants.items() if v == operand), f"k{len(constants)}")
        constants[name] = operand
        return name

    text = source(program, FLINT if flint else MPMATH, write)
    with working():
        namespace |= {name: number(operand) for name, operand in constants.items()}
    inner = build(text, namespace)
    kind = type(number(0))

    many = np.frompyfunc(inner, len(program.arguments), 1) if program.arguments else inner

    def call(*values: Number) -> Any:
        with working():
            if set(map(type, values)) <= {kind}:
                return inner(*values)
            columns = [_column(v, kind, number) for v in values]
            return (many if any(isinstance(c, np.ndarray) for c in columns) else inner)(*columns)

    return call, text


def _column(value: Number, kind: type, number: Callable[[Number], Ball]) -> Any:
    """A number of the arithmetic, or an object array of them."""
    if not isinstance(value, np.ndarray | list | tuple):
        return value if type(value) is kind else number(value)
    kinds = set() if isinstance(value, np.ndarray) else set(map(type, value))
    if kinds == {kind}:
        return np.fromiter(value, object, len(value))
    given = np.asarray(value, dtype=object)
    return np.fromiter(map(number, given.ravel().tolist()), object, given.size).reshape(given.shape)


def _flint(digits: int) -> tuple[dict[str, Any], Callable[[Any], Any], Any]:
    try:
        import flint
    except ImportError:
        raise BadInput("the backend 'flint' is not installed; pip install python-flint") from None
    arb = flint.arb
    constants = {sp.pi: arb.pi, sp.E: lambda: arb(1).exp(), sp.EulerGamma: arb.const_euler}

    def number(value: Number) -> Any:
        if type(value) is arb:
            return value
        if isinstance(value, sp.Basic) and value in constants:
            return constants[value]()
        exact = _fraction(value)
        return arb(exact.numerator) if exact.denominator == 1 else arb(flint.fmpq(exact.numerator, exact.denominator))

    def choose(condition: bool | None, a: Ball, b: Ball) -> Any:
        if condition is None:
            return a.union(b)
        return a if condition else b

    def sign(a: Ball) -> Any:
        if a > 0 or a < 0:
            return arb(1 if a > 0 else -1)
        return arb(0) if a.is_zero() else arb(0, 1)

    def lt(a: Ball, b: Ball) -> bool | None:
        return True if a < b else (False if a >= b else None)

    def le(a: Ball, b: Ball) -> bool | None:
        return True if a <= b else (False if a > b else None)

    def eq(a: Ball, b: Ball) -> bool | None:
        if not a.overlaps(b):
            return False
        return True if a.is_exact() and b.is_exact() else None

    relations = _relations(lt, le, eq)
    bits = int(digits * 3.3219281) + 21
    return {**relations, "where": choose, "sign": sign}, number, lambda: flint.ctx.workprec(bits)


def _mpmath(digits: int) -> tuple[dict[str, Any], Callable[[Any], Any], Any]:
    import mpmath

    mp = mpmath.mp
    nan, inf = mp.nan, mp.inf

    def number(value: Number) -> Any:
        if isinstance(value, mpmath.mpf):
            return value
        if isinstance(value, sp.NumberSymbol):
            return mp.mpmathify(sp.N(value, digits + 5))
        exact = _fraction(value)
        return mp.mpf(exact.numerator) / exact.denominator

    def on(function: Callable[[Ball], Ball], lowest: int, at_lowest: Ball) -> Callable[[Any], Any]:
        """A function that is real from ``lowest`` on: not a number below, and at the end what its limit is."""
        return lambda a: function(a) if a > lowest else (at_lowest if a == lowest else nan)

    def quotient(a: Ball, b: Ball) -> Any:
        if b == 0:
            return nan if a == 0 or a != a else mp.sign(a) * inf
        return a / b

    def power(a: Ball, b: Ball) -> Any:
        if a < 0 and not mp.isint(b):
            return nan
        return quotient(mp.mpf(1), mp.mpf(0)) if a == 0 and b < 0 else a**b

    def atanh(a: Ball) -> Any:
        return mp.atanh(a) if abs(a) < 1 else nan

    helpers = {
        "mp": mp,
        "log_": on(mp.log, 0, -inf),
        "log1p_": on(mp.log1p, -1, -inf),
        "sqrt_": on(mp.sqrt, 0, mp.zero),
        "acosh_": on(mp.acosh, 1, mp.zero),
        "atanh_": atanh,
        "div_": quotient,
        "pow_": power,
        "where": lambda condition, a, b: a if condition else b,
    }
    relations = _relations(lambda a, b: a < b, lambda a, b: a <= b, lambda a, b: a == b)
    return {**relations, **helpers}, number, lambda: mp.workdps(digits)


def _relations(lt: Relation, le: Relation, eq: Relation) -> dict[str, Any]:
    """The six relations and the connectives, with None where it is undecided."""
    return {
        "lt_": lt,
        "le_": le,
        "gt_": lambda a, b: lt(b, a),
        "ge_": lambda a, b: le(b, a),
        "eq_": eq,
        "ne_": lambda a, b: negation(eq(a, b)),
        "and_": lambda a, b: conjunction((a, b)),
        "or_": lambda a, b: disjunction((a, b)),
        "not_": negation,
    }


def _fraction(value: Number) -> Fraction:
    """Exactly the number that was given; a string is a decimal or a quotient."""
    try:
        if isinstance(value, sp.Basic):
            if not value.is_Rational and not value.is_Float:
                raise ValueError
            value = sp.Rational(value)
            return Fraction(int(value.p), int(value.q))
        if isinstance(value, np.generic):
            value = value.item()
        return Fraction(value)
    except (TypeError, ValueError, OverflowError):
        raise BadInput(f"an argument of an exact function must be a finite number, got {value!r}") from None
