"""Stationary policies in closed form, by clearing denominators: of equations that become a polynomial of degree one or
two in x, in x and √(x(1 − x)), or that are linear in the log-odds of x.

What clearing adds is left out: common factors are cancelled, and a root at which a denominator vanishes is excluded by
the condition of its form. Of the two ways to write a root of a quadratic, a form whose denominator can vanish is not
taken.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp
from sympy.logic.boolalg import Boolean

from grpo_symbolic.notation import p, x
from grpo_symbolic.optimality.signs import sign_of
from grpo_symbolic.shown import Shown

_ROOT = sp.Dummy("r", positive=True)  # √(x(1 − x))


@dataclass(frozen=True)
class Closed(Shown):
    """A stationary ``policy``: the success x as an expression in p and the parameters, and the condition ``where`` it
    is one: true where it always is.
    """

    policy: sp.Expr
    where: Boolean = sp.true

    def __repr__(self) -> str:
        return f"<Closed {self}>"

    def beyond(self, border: sp.Expr, way: int) -> Closed:
        """The form where it lies above (``way`` 1) or below (−1) a border too."""
        return Closed(self.policy, both(self.where, _positive(way * (self.policy - border))))

    def __str__(self) -> str:
        return f"x = {self.policy}" + ("" if self.where == sp.true else f" where {self.where}")


def solved(equation: sp.Expr) -> tuple[Closed, ...] | None:
    """The zeros in (0, 1) of an expression in x; ``None`` where it is of no kind that is solved here.

    Not one is lost: every zero in (0, 1) is one of the forms, where the condition of that holds.
    """
    if equation.has(sp.Piecewise, sp.Abs, sp.sign):
        return None
    if equation.has(sp.log):
        return _of_logarithms(equation)
    radical = equation.replace(_is_radical, lambda e: _ROOT ** int(2 * e.exp))
    above, below = sp.fraction(sp.cancel(sp.together(radical)))
    if radical.has(_ROOT):
        return _of_radical(above, below) if above.is_polynomial(x, _ROOT) else None
    return _of_rational(above, below) if above.is_polynomial(x) else None


def _is_radical(e: sp.Expr) -> bool:
    return e.is_Pow and (2 * e.exp).is_Integer and not e.exp.is_Integer and sp.expand(e.base - x * (1 - x)) == 0


def _of_logarithms(equation: sp.Expr) -> tuple[Closed, ...] | None:
    """``a Σ k log f + c = 0`` with whole numbers k: the product of the powers of f is ``e^(−c/a)``."""
    logs = sorted((log for log in equation.atoms(sp.log) if log.has(x)), key=str)
    spread = sp.expand(equation)
    if not spread.is_polynomial(*logs) or sp.Poly(spread, *logs).total_degree() > 1:
        return None
    factors = [spread.coeff(log) for log in logs]
    rest = spread - sp.Add(*(k * log for k, log in zip(factors, logs, strict=True)))
    powers = [sp.simplify(k / factors[0]) for k in factors]
    if rest.has(x) or factors[0].has(x) or not all(k.is_Integer for k in powers):
        return None
    others = [log for log in rest.atoms(sp.log) if sp.simplify(sp.expand(rest).coeff(log) / factors[0]).is_Integer]
    for log in others:
        power = sp.simplify(sp.expand(rest).coeff(log) / factors[0])
        logs, powers, rest = [*logs, log], [*powers, power], sp.expand(rest - power * factors[0] * log)
    exponent = sp.simplify(-rest / factors[0])
    more = sp.Dummy("more", positive=True)  # by how much e^exponent, or its inverse, exceeds 1
    way = sign_of(exponent)
    if not way:
        return None
    product = sp.Mul(*(log.args[0] ** k for k, log in zip(powers, logs, strict=True)))
    above, below = sp.fraction(sp.cancel(sp.together(product - (1 + more) ** way)))
    forms = _of_rational(above, below) if above.is_polynomial(x) else None
    if forms is None:
        return None
    power = {more: sp.exp(way * exponent) - 1}
    return tuple(Closed(_tidy(f.policy.xreplace(power)), f.where.xreplace(power)) for f in forms)


def _of_rational(above: sp.Expr, below: sp.Expr) -> tuple[Closed, ...] | None:
    parts = (part.as_base_exp()[0] for part in sp.Mul.make_args(sp.factor(above)))
    factors = [f for f in dict.fromkeys(parts) if f.has(x) and sign_of(f) not in (1, -1)]
    if any(sp.degree(f, x) > 2 for f in factors):
        return None
    forms = []
    for form in (form for factor in factors for form in _of_polynomial(sp.Poly(factor, x))):
        defined = sp.true if sign_of(below) else _not_zero(below.subs(x, form.policy))
        forms.append(Closed(form.policy, both(form.where, defined)))
    return tuple(form for form in forms if form.where != sp.false)


def _of_radical(above: sp.Expr, below: sp.Expr) -> tuple[Closed, ...] | None:
    """``a + b√(x(1 − x)) = 0``: the squares agree, and the signs of a and b differ."""
    reduced = sp.rem(above, _ROOT**2 - x * (1 - x), _ROOT)
    a, b = (sp.factor(reduced.coeff(_ROOT, k)) for k in (0, 1))
    squares = sp.factor(sp.expand(a**2 - b**2 * x * (1 - x)))
    forms = _of_rational(sp.fraction(sp.together(squares))[0], sp.S.One)
    if forms is None:
        return None
    with_signs = []
    for form in forms:
        signs = sp.true if sign_of(a * b) == -1 else _positive(-(a * b).subs(x, form.policy))
        defined = sp.true if sign_of(below) else _not_zero(below.subs(_ROOT, sp.sqrt(x * (1 - x))).subs(x, form.policy))
        with_signs.append(Closed(form.policy, both(form.where, signs, defined)))
    return tuple(form for form in with_signs if form.where != sp.false)


def _of_polynomial(polynomial: sp.Poly) -> Iterator[Closed]:
    """The zeros in (0, 1) of a linear or quadratic polynomial, by its signs at 0 and at 1 where these are known."""
    at_0, at_1 = (sp.factor(polynomial.eval(end)) for end in (0, 1))
    first, last = sign_of(at_0), sign_of(at_1)
    if first == -1 or (first is None and last == 1):
        polynomial, at_0, at_1 = -polynomial, -at_0, -at_1
        first, last = (None if s is None else -s for s in (first, last))
    if polynomial.degree() == 1:
        slope, constant = polynomial.all_coeffs()
        if first == last and first is not None:
            return
        inside = both(_positive(at_0), _negative(at_1))
        if first is None and last is None:
            inside = sp.Or(inside, both(_negative(at_0), _positive(at_1)))
        yield Closed(_tidy(-constant / slope), inside)
        return
    a, b, c = polynomial.all_coeffs()
    discriminant = sp.factor(b**2 - 4 * a * c)
    root = sp.sqrt(discriminant)
    falls = both(_positive(at_0), _negative(at_1))
    if falls != sp.false:
        yield Closed(_tidy((-b - root) / (2 * a) if sign_of(a) else 2 * c / (root - b)), falls)
    rises = both(_negative(at_0), _positive(at_1))
    if rises != sp.false:
        yield Closed(_tidy((-b + root) / (2 * a) if sign_of(a) else 2 * c / (-root - b)), rises)
    if first is not None and sign_of(a) == -first:  # of one sign at both ends and bent away from 0: none inside
        return
    several = both(not_negative(at_0 * at_1), not_negative(discriminant))
    for way in (-1, 1) if several != sp.false else ():
        policy = _tidy((-b + way * root) / (2 * a))
        yield Closed(policy, both(several, policy > 0, policy < 1))


def _tidy(e: sp.Expr) -> sp.Expr:
    """The shorter of a form and what it adds to the reference, without bars around what has one sign."""
    bare = e.replace(sp.Abs, lambda a: sign_of(a) * a if sign_of(a) else sp.Abs(a))
    above, below = sp.fraction(sp.together(bare))
    flat = sp.gcd_terms(sp.expand(above)) / below
    beside = p + sp.factor(sp.simplify(flat - p)) if not flat.has(sp.Pow, sp.exp) else flat
    return min(flat, beside, key=sp.count_ops)


def _positive(e: sp.Expr) -> Boolean:
    """That an expression is positive, without the factors that are anyway."""
    rest, way = sp.S.One, 1
    for factor in sp.Mul.make_args(sp.factor(sp.together(e))):
        sign = sign_of(factor)
        if sign == 0:
            return sp.false
        if sign is None:
            rest *= factor
        else:
            way *= sign
    if rest == 1:
        return sp.true if way > 0 else sp.false
    return sp.StrictGreaterThan(sp.expand(way * rest), 0)


def _negative(e: sp.Expr) -> Boolean:
    return _positive(-e)


def _not_zero(e: sp.Expr) -> Boolean:
    return sp.true if sign_of(e) in (1, -1) else sp.Ne(sp.factor(sp.together(e)), 0)


def not_negative(e: sp.Expr) -> Boolean:
    """That an expression is not negative."""
    strict = _positive(e)
    return sp.GreaterThan(strict.lhs, 0) if isinstance(strict, sp.StrictGreaterThan) else strict


def both(*conditions: Boolean) -> Boolean:
    """That all conditions hold, each once, as they are written."""
    if sp.false in conditions:
        return sp.false
    open_ = [c for c in dict.fromkeys(conditions) if c != sp.true]
    return sp.And(*open_, evaluate=False) if open_ else sp.true
