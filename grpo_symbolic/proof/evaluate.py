"""Evaluating SymPy expressions at exact points: one traversal, in two arithmetics (and Taylor series of balls for
derivatives).

``ARB`` evaluates in ball arithmetic (python-flint): every result encloses the true value, and a relation is reported
true or false only when the balls prove it. ``MPMATH`` evaluates in ordinary multi-precision arithmetic: independent
code, no enclosure, used for sampling. A point maps symbols to exact SymPy numbers and family labels to lists of them.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any

import mpmath
import sympy as sp
from sympy.core.relational import Relational

try:
    import flint
except ModuleNotFoundError:  # sweeps and solvers run on a machine with nothing but SymPy and array libraries
    flint = None

DIGITS = 60  # working precision of both arithmetics, in decimal digits
BITS = 220
_bits = BITS


class Unsupported(TypeError):
    """The expression holds something that the arithmetic cannot evaluate."""


class Undefined(ArithmeticError):
    """The expression has no (finite) value at the point."""


class Arithmetic:
    """What a traversal needs: numbers, elementary functions and three-valued comparisons."""

    functions: dict[type, Callable[[Any], Any]]
    name: str

    def number(self, value: sp.Expr) -> Any:
        raise NotImplementedError

    def power(self, base: Any, exponent: sp.Expr, point: Any) -> Any:
        raise NotImplementedError

    def less(self, a: Any, b: Any, strict: bool) -> bool | None:
        raise NotImplementedError

    def equal(self, a: Any, b: Any) -> bool | None:
        raise NotImplementedError

    def finite(self, value: Any) -> bool:
        raise NotImplementedError


class _Arb(Arithmetic):
    name = "Arb"

    def __init__(self) -> None:
        self.functions = {
            sp.exp: lambda a: a.exp(),
            sp.log: lambda a: a.log(),
            sp.sinh: lambda a: a.sinh(),
            sp.cosh: lambda a: a.cosh(),
            sp.tanh: lambda a: a.tanh(),
            sp.asinh: lambda a: a.asinh(),
            sp.acosh: lambda a: a.acosh(),
            sp.atanh: lambda a: a.atanh(),
            sp.Abs: abs,
            sp.sin: lambda a: a.sin(),
            sp.cos: lambda a: a.cos(),
            sp.sign: self._sign,
        }

    def _sign(self, a: Any) -> Any:
        if a > 0 or a < 0:
            return flint.arb(1 if a > 0 else -1)
        return flint.arb(0) if a.is_zero() else flint.arb(0, 1)

    def number(self, value: sp.Expr) -> Any:
        if flint is None:
            raise Unsupported("ball arithmetic needs python-flint, which is not installed")
        flint.ctx.prec = _bits
        if value.is_Rational:
            return flint.arb(flint.fmpq(int(value.p), int(value.q)))
        constants = {sp.E: flint.arb(1).exp, sp.pi: flint.arb.pi, sp.EulerGamma: flint.arb.const_euler}
        if value in constants:
            return constants[value]()
        raise Unsupported(f"{value} is not a number that Arb can enclose exactly")

    def power(self, base: Any, exponent: sp.Expr, point: Any) -> Any:
        if exponent.is_Integer:
            return _whole_power(base, int(exponent))
        if exponent.is_Rational and exponent.q == 2:
            root = base.sqrt()
            return _whole_power(root, int(exponent.p))
        return base ** evaluate(exponent, point, self)

    def less(self, a: Any, b: Any, strict: bool) -> bool | None:
        if (a < b) if strict else (a <= b):
            return True
        return False if ((b <= a) if strict else (b < a)) else None

    def equal(self, a: Any, b: Any) -> bool | None:
        if not a.overlaps(b):
            return False
        return True if a.is_exact() and b.is_exact() and a == b else None

    def finite(self, value: Any) -> bool:
        return value.is_finite()


def _whole_power(base: Any, exponent: int) -> Any:
    """By products: python-flint's own power of a ball around zero is no number."""
    if exponent < 0:
        return 1 / _whole_power(base, -exponent)
    result, factor = flint.arb(1), abs(base) if exponent % 2 == 0 else base
    while exponent:
        if exponent % 2:
            result = result * factor
        exponent //= 2
        factor = factor * factor if exponent else factor
    return result


class _Mpmath(Arithmetic):
    name = "mpmath"
    tolerance = mpmath.mpf(10) ** -40  # far above rounding at 60 digits, far below any real violation

    def __init__(self) -> None:
        self.functions = {
            sp.exp: mpmath.exp,
            sp.log: mpmath.log,
            sp.sinh: mpmath.sinh,
            sp.cosh: mpmath.cosh,
            sp.tanh: mpmath.tanh,
            sp.asinh: mpmath.asinh,
            sp.acosh: mpmath.acosh,
            sp.atanh: mpmath.atanh,
            sp.Abs: abs,
            sp.sign: mpmath.sign,
            sp.sin: mpmath.sin,
            sp.cos: mpmath.cos,
        }

    def number(self, value: sp.Expr) -> Any:
        mpmath.mp.dps = DIGITS
        if value.is_Rational:
            return mpmath.mpf(int(value.p)) / int(value.q)
        return mpmath.mpmathify(sp.N(value, DIGITS + 5))

    def power(self, base: Any, exponent: sp.Expr, point: Any) -> Any:
        if exponent.is_Integer:
            return base ** int(exponent)
        return mpmath.power(base, evaluate(exponent, point, self))

    def less(self, a: Any, b: Any, strict: bool) -> bool | None:
        gap = (b - a) / (1 + abs(a) + abs(b))
        if abs(gap) <= self.tolerance:
            return None
        return gap > 0

    def equal(self, a: Any, b: Any) -> bool | None:
        return abs(a - b) <= self.tolerance * (1 + abs(a) + abs(b))

    def finite(self, value: Any) -> bool:
        return bool(mpmath.isfinite(value)) and not isinstance(value, mpmath.mpc)


class _Series(Arithmetic):
    """Taylor polynomials with balls for coefficients: derivatives at a point by rules that are not SymPy's."""

    name = "Arb series"

    def __init__(self) -> None:
        self.order = 1
        self.functions = {
            sp.exp: lambda a: a.exp(),
            sp.log: lambda a: a.log(),
            sp.sinh: lambda a: (a.exp() - (-a).exp()) / 2,
            sp.cosh: lambda a: (a.exp() + (-a).exp()) / 2,
            sp.sin: lambda a: a.sin(),
            sp.cos: lambda a: a.cos(),
        }

    def number(self, value: sp.Expr) -> Any:
        return flint.arb_series([ARB.number(value)], prec=self.order + 1)

    def power(self, base: Any, exponent: sp.Expr, point: Any) -> Any:
        if exponent.is_Integer:
            return base ** int(exponent) if exponent >= 0 else self.number(sp.S.One) / base ** int(-exponent)
        if not base[0] > 0:
            raise Undefined("a root or a power has no derivative there")
        return (evaluate(exponent, point, self) * base.log()).exp()

    def less(self, a: Any, b: Any, strict: bool) -> bool | None:
        return (
            None if a[0].overlaps(b[0]) else bool(a[0] < b[0])
        )  # where they are equal one side of a case distinction is not enough

    def equal(self, a: Any, b: Any) -> bool | None:
        return None if a[0].overlaps(b[0]) else False

    def finite(self, value: Any) -> bool:
        return all(value[k].is_finite() for k in range(self.order + 1))


@contextmanager
def precision(bits: int) -> Iterator[None]:
    """Ball arithmetic with so many bits; values made before keep what they have."""
    global _bits
    before, _bits = _bits, bits
    try:
        yield
    finally:
        _bits = before


ARB: Arithmetic = _Arb()
MPMATH: Arithmetic = _Mpmath()
SERIES = _Series()


def evaluate(expression: Any, point: Any, field: Arithmetic) -> Any:
    """The value of ``expression`` at ``point``; raises :class:`Undefined` or :class:`Unsupported`."""
    value = _evaluate(expression, point, field)
    if not field.finite(value):
        raise Undefined(f"{expression} has no finite real value there")
    return value


def _evaluate(e: Any, point: Any, field: Arithmetic) -> Any:
    if e.is_Number or e.is_NumberSymbol:
        if e in (sp.oo, -sp.oo, sp.zoo, sp.nan):
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
        if e.exp.is_negative and field.equal(base, field.number(sp.Integer(0))) is not False:
            raise Undefined(f"{e.base} vanishes in a denominator")
        return _finite(field.power(base, e.exp, point), e, field)
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
    value = sp.sympify(e).xreplace({k: v for k, v in point.items() if isinstance(v, sp.Basic)})
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
    at = _lookup(point, variable, MPMATH)
    with mpmath.workdps(3 * DIGITS):
        fixed = {k: v for k, v in point.items() if k != variable and isinstance(v, sp.Basic)}
        body = sp.lambdify(variable, e.expr.xreplace(fixed), "mpmath")
        return +mpmath.diff(body, at, order, h=mpmath.mpf(10) ** (-DIGITS), relative=False)


def truth(formula: Any, point: Any, field: Arithmetic) -> bool | None:
    """Whether a Boolean combination of relations holds at a point; ``None`` when the arithmetic cannot tell."""
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
    if not isinstance(formula, Relational):
        raise Unsupported(f"{formula} is not a relation")
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
