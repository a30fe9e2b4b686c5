"""Evaluating SymPy expressions at exact points: one traversal, in either arithmetic.

A point maps symbols to exact SymPy numbers, or to values of the arithmetic, and family labels to lists of them.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.proof.arithmetic import ARB, DIGITS, FINE, MPMATH, SERIES, Arithmetic, Undefined, Unsupported, flint

_NOWHERE = frozenset({sp.oo, -sp.oo, sp.zoo, sp.nan})  # numbers to SymPy, but no finite real ones


def evaluate(expression: Any, point: Any, field: Arithmetic) -> Any:
    """The value of ``expression`` at ``point``; raises :class:`Undefined` or :class:`Unsupported`."""
    field.begin()
    value = _evaluate(expression, point, field)
    if not field.finite(value):
        raise Undefined(f"{expression} has no finite real value there")
    return value


def _evaluate(e: Any, point: Any, field: Arithmetic) -> Any:
    if e.is_Number or e.is_NumberSymbol:
        if e in _NOWHERE:
            raise Undefined(f"{e} is not a finite number")
        return field.number(e)
    if e.is_Symbol:
        return _lookup(point, e, field)
    if isinstance(e, sp.Add):
        return sum((_evaluate(a, point, field) for a in e.args[1:]), _evaluate(e.args[0], point, field))
    if isinstance(e, sp.Mul):
        product = _evaluate(e.args[0], point, field)
        for factor in e.args[1:]:
            product = product * _evaluate(factor, point, field)
        return product
    if isinstance(e, sp.Pow):
        base = _evaluate(e.base, point, field)
        if e.exp.is_negative and field.may_vanish(base):
            raise Undefined(f"{e.base} vanishes in a denominator")
        exponent = e.exp if e.exp.is_Rational else evaluate(e.exp, point, field)
        return _finite(field.power(base, exponent), e, field)
    if isinstance(e, sp.Indexed):
        index = _whole(e.indices[0], point)
        if index < 1:
            raise Unsupported(f"{e} lies before the first entry of its family")
        return _lookup(_family(point, e.base.label), index - 1, field)
    if isinstance(e, sp.Sum | sp.Product):
        return _unrolled(e, point, field)
    if isinstance(e, sp.Max | sp.Min):
        return _extremum(e, point, field)
    if isinstance(e, sp.Piecewise):
        for value, condition in e.args:
            decided = truth(condition, point, field)
            if decided is None:
                raise Undefined(f"the arithmetic cannot tell whether {condition}")
            if decided:
                return _evaluate(value, point, field)
        raise Undefined(f"no branch of {e} applies")
    if isinstance(e, sp.KroneckerDelta):
        return field.number(sp.Integer(int(_whole(e.args[0], point) == _whole(e.args[1], point))))
    if isinstance(e, sp.Derivative) and field is not SERIES:
        return _derivative(e, point, field)
    if isinstance(e, sp.binomial):
        n, k = (_whole(a, point) for a in e.args)
        return field.number(sp.binomial(n, k))
    function = field.functions.get(e.func)
    if function is None:
        raise Unsupported(f"{e.func.__name__} cannot be evaluated in {field.name}")
    return _finite(function(_evaluate(e.args[0], point, field)), e, field)


def _finite(value: Any, e: Any, field: Arithmetic) -> Any:
    """``value``, unless it is infinite, not a number or not real: 1/log 0 and |√−1| are as undefined as log 0 and
    √−1.
    """
    if not field.finite(value):
        raise Undefined(f"{e} has no finite real value there")
    return value


def _whole(e: Any, point: Any) -> int:
    """The value of an index, a bound of a sum or an argument of a binomial, which must be a whole number."""
    if e.is_Integer:
        return int(e)
    value = point.get(e) if e.is_Symbol else None
    if not isinstance(value, sp.Basic):
        value = e.xreplace({k: v for k, v in point.items() if isinstance(v, sp.Basic)})
    if not value.is_Integer:
        raise Unsupported(f"{e} is {value} there, not a whole number")
    return int(value)


def _family(point: Any, label: Any) -> Any:
    if label not in point:
        raise Unsupported(f"the point gives no values to the family {label}")
    return point[label]


def _lookup(point: Any, key: Any, field: Arithmetic) -> Any:
    try:
        value = point[key]
    except (KeyError, IndexError):
        raise Unsupported(f"the point gives no value to {key}") from None
    if not isinstance(value, sp.Basic):
        return value  # already a ball or a float of the field
    return field.number(value) if value.is_Rational else _evaluate(value, {}, field)


def _unrolled(e: Any, point: Any, field: Arithmetic) -> Any:
    index, low, high = e.limits[0]
    body = e.func(e.function, *e.limits[1:]) if len(e.limits) > 1 else e.function
    first, last = _whole(low, point), _whole(high, point)
    if last < first - 1:
        raise Unsupported(f"the range of {e} is reversed")
    product = isinstance(e, sp.Product)
    total = field.number(sp.Integer(1 if product else 0))
    for value in range(first, last + 1):
        term = _evaluate(body, {**point, index: sp.Integer(value)}, field)
        total = total * term if product else total + term
    return total


def _extremum(e: Any, point: Any, field: Arithmetic) -> Any:
    if field is SERIES:
        raise Unsupported(f"{e} is not differentiated numerically")
    values = [_evaluate(a, point, field) for a in e.args]
    if field is ARB:
        result = values[0]
        for v in values[1:]:
            result = result.max(v) if isinstance(e, sp.Max) else result.min(v)
        return result
    return max(values) if isinstance(e, sp.Max) else min(values)


def _derivative(e: sp.Derivative, point: Any, field: Arithmetic) -> Any:
    """A derivative in one symbol at a point, of order 1 or 2, without SymPy's rules: from Taylor coefficients, or by
    differences.
    """
    variable, order = e.variables[0], len(e.variables)
    if not variable.is_Symbol or order > 2 or any(v != variable for v in e.variables):
        raise Unsupported(f"the derivative {e} is not evaluated numerically")
    if field is ARB:
        SERIES.order = order
        at = flint.arb_series([_lookup(point, variable, ARB), 1], prec=order + 1)
        return evaluate(e.expr, {**point, variable: at}, SERIES)[order] * order
    at, step = FINE.context.mpf(_lookup(point, variable, FINE)), FINE.context.mpf(10) ** (-DIGITS)

    def body(value: Any) -> Any:
        return evaluate(e.expr, {**point, variable: value}, FINE)

    return MPMATH.context.mpf(FINE.context.diff(body, at, order, h=step, relative=False))


def truth(formula: Any, point: Any, field: Arithmetic) -> bool | None:
    """Whether a Boolean combination of relations holds at a point; ``None`` when the arithmetic cannot tell."""
    if isinstance(formula, Relational):
        return _compared(formula, point, field)
    if formula in (sp.true, True):
        return True
    if formula in (sp.false, False):
        return False
    if isinstance(formula, sp.Not):
        inner = truth(formula.args[0], point, field)
        return None if inner is None else not inner
    if isinstance(formula, sp.And | sp.Or):
        values = [truth(a, point, field) for a in formula.args]
        decisive = isinstance(formula, sp.Or)
        return decisive if decisive in values else (None if None in values else not decisive)
    if isinstance(formula, sp.Implies):
        return truth(sp.Or(sp.Not(formula.args[0]), formula.args[1]), point, field)
    if isinstance(formula, sp.Equivalent):
        values = [truth(a, point, field) for a in formula.args]
        return None if None in values else len(set(values)) == 1
    raise Unsupported(f"{formula} is not a relation")


def _compared(formula: Relational, point: Any, field: Arithmetic) -> bool | None:
    left, right = evaluate(formula.lhs, point, field), evaluate(formula.rhs, point, field)
    match formula.rel_op:
        case "==":
            return field.equal(left, right)
        case "!=":
            same = field.equal(left, right)
            return None if same is None else not same
        case "<":
            return field.less(left, right, strict=True)
        case "<=":
            return field.less(left, right, strict=False)
        case ">":
            return field.less(right, left, strict=True)
        case _:
            return field.less(right, left, strict=False)
