"""An evaluator that shares nothing with the package's: rational numbers exactly, all others in balls of python-flint.

It walks SymPy's trees, trusts no assumption, and says of each value that it is known, that there is none, or that it
cannot tell.
"""

from __future__ import annotations

from collections.abc import Mapping
from fractions import Fraction
from math import isqrt
from typing import Any

import flint
import sympy as sp
from sympy.core.relational import Relational

BITS = 2000
Value = Fraction | flint.arb
Place = Mapping[Any, Any]  # symbols to fractions, labels of families to lists of them


class NoValue(ArithmeticError):
    """There is certainly no real value."""


class Unsure(ArithmeticError):
    """The balls are too wide to tell, or the expression holds what is not evaluated here."""


def value(e: sp.Basic, at: Place) -> Value:
    """The value of an expression; raises :class:`NoValue` or :class:`Unsure`."""
    flint.ctx.prec = BITS
    return _value(sp.sympify(e), at)


def _value(e: Any, at: Place) -> Value:
    if e.is_Rational:
        return Fraction(int(e.p), int(e.q))
    if e.is_Symbol:
        if e not in at:
            raise Unsure(f"nothing is said of {e}")
        return Fraction(at[e])
    if isinstance(e, sp.Indexed):
        return _entry(e, at)
    if isinstance(e, sp.Add | sp.Mul):
        values = [_value(a, at) for a in e.args]  # all of them: nought times nothing is nothing
        total = values[0]
        for v in values[1:]:
            total = (
                _both(total, v, lambda a, b: a + b) if isinstance(e, sp.Add) else _both(total, v, lambda a, b: a * b)
            )
        return total
    if isinstance(e, sp.Pow):
        return _power(_value(e.base, at), e.exp, at)
    if isinstance(e, sp.exp):
        argument = _value(e.args[0], at)
        return Fraction(1) if argument == 0 else _finite(_ball(argument).exp())
    if isinstance(e, sp.log):
        argument = _value(e.args[0], at)
        if sign(argument) <= 0:
            raise NoValue(f"{e}")
        return Fraction(0) if argument == 1 else _finite(_ball(argument).log())
    if isinstance(e, sp.Abs | sp.sign):
        argument = _value(e.args[0], at)
        of = sign(argument)
        return Fraction(of) if isinstance(e, sp.sign) else argument if of >= 0 else -argument
    if isinstance(e, sp.Max | sp.Min):
        values = [_value(a, at) for a in e.args]
        best = values[0]
        for v in values[1:]:
            above = compared(v, best) > 0
            best = v if above == isinstance(e, sp.Max) else best
        return best
    if isinstance(e, sp.Piecewise):
        for branch, condition in e.args:
            if truth(condition, at):
                return _value(branch, at)
        raise NoValue(f"no case of {e} applies")
    if isinstance(e, sp.Sum | sp.Product):
        return _sum(e, at)
    if isinstance(e, sp.KroneckerDelta):
        left, right = (_value(a, at) for a in e.args)
        return Fraction(int(left == right))
    raise Unsure(f"{type(e).__name__} is not evaluated")


def _entry(e: sp.Indexed, at: Place) -> Value:
    if len(e.indices) != 1:
        raise NoValue(f"{e} has {len(e.indices)} indices")
    index = _value(e.indices[0], at)
    if e.base.label not in at:
        raise Unsure(f"nothing is said of {e.base}")
    entries = at[e.base.label]
    if index not in range(1, len(entries) + 1):
        raise NoValue(f"{e} at {index}")
    return Fraction(entries[int(index) - 1])


def _sum(e: sp.Sum | sp.Product, at: Place) -> Value:
    *inner, (index, low, high) = e.limits  # the last limit is the outermost
    first, last = _value(low, at), _value(high, at)
    if Fraction(first).denominator != 1 or Fraction(last).denominator != 1 or last < first - 1:
        raise NoValue(f"the range of {e}")
    body, total = (e.func(e.function, *inner) if inner else e.function), Fraction(int(isinstance(e, sp.Product)))
    for k in range(int(first), int(last) + 1):
        new = _value(body, {**at, index: Fraction(k)})
        total = _both(total, new, (lambda a, b: a * b) if isinstance(e, sp.Product) else (lambda a, b: a + b))
    return total


def _is_whole(e: sp.Expr) -> bool:
    """Whether only whole numbers are added and multiplied."""
    if isinstance(e, sp.Add | sp.Mul):
        return all(map(_is_whole, e.args))
    return isinstance(e, sp.Integer) or (isinstance(e, sp.Symbol) and e.is_integer is True)


def _power(base: Value, exponent: sp.Expr, at: Place) -> Value:
    if not exponent.is_Rational:
        if _is_whole(exponent):  # what counts has powers of any base, and 0⁰ = 1
            return _power(base, sp.Rational(_value(exponent, at)), at)
        if sign(base) <= 0:
            raise NoValue("a power of what is not positive")
        power = _value(exponent, at)
        return _finite((_ball(base).log() * _ball(power)).exp())
    if exponent.is_Integer:
        if exponent < 0 and sign(base) == 0:
            raise NoValue("a division by nought")
        if isinstance(base, Fraction):
            return base ** int(exponent)
        whole = base ** abs(int(exponent))
        return _finite(whole if exponent > 0 else 1 / whole)
    of = sign(base)
    if of < 0 or (of == 0 and exponent < 0):
        raise NoValue("a root of what is negative, or a division by nought")
    if of == 0:
        return Fraction(0)
    if exponent.q == 2 and isinstance(base, Fraction):
        above, under = isqrt(base.numerator), isqrt(base.denominator)
        if (above**2, under**2) == (base.numerator, base.denominator):
            return Fraction(above, under) ** int(exponent.p)
    return _finite((_ball(base).log() * _ball(Fraction(int(exponent.p), int(exponent.q)))).exp())


def _both(a: Value, b: Value, operation: Any) -> Value:
    if isinstance(a, Fraction) and isinstance(b, Fraction):
        return operation(a, b)
    return _finite(operation(_ball(a), _ball(b)))


def _ball(v: Value) -> flint.arb:
    return flint.arb(flint.fmpq(v.numerator, v.denominator)) if isinstance(v, Fraction) else v


def _finite(ball: flint.arb) -> flint.arb:
    if not ball.is_finite():
        raise Unsure("a ball without bounds")
    return ball


def sign(v: Value) -> int:
    """−1, 0 or 1; raises :class:`Unsure` where a ball holds nought."""
    if isinstance(v, Fraction):
        return (v > 0) - (v < 0)
    if v.contains(0):
        raise Unsure("a ball around nought")
    return 1 if v > 0 else -1


def difference(a: Value, b: Value) -> Value:
    """The first value less the second."""
    return _both(a, b, lambda u, v: u - v)


def compared(a: Value, b: Value) -> int:
    """−1, 0 or 1 for less, equal and more; raises :class:`Unsure`."""
    return sign(difference(a, b))


def truth(formula: Any, at: Place) -> bool:
    """Whether a formula holds; raises :class:`NoValue` where a part of it has no value, and :class:`Unsure`."""
    if formula in (sp.true, sp.false):
        return bool(formula)
    if isinstance(formula, Relational):
        order = compared(value(formula.lhs, at), value(formula.rhs, at))
        return {"==": order == 0, "!=": order != 0, "<": order < 0, "<=": order <= 0, ">": order > 0, ">=": order >= 0}[
            formula.rel_op
        ]
    if isinstance(formula, sp.And | sp.Or):
        values = [truth(a, at) for a in formula.args]
        return all(values) if isinstance(formula, sp.And) else any(values)
    if isinstance(formula, sp.Not):
        return not truth(formula.args[0], at)
    if isinstance(formula, sp.Implies):
        return not truth(formula.args[0], at) or truth(formula.args[1], at)
    raise Unsure(f"{type(formula).__name__} is not evaluated")
