"""The sign of an expression in probabilities and positive parameters, where it is one everywhere.

>>> from grpo_symbolic.notation import beta, p
>>> sign_of(p * (1 - p) / beta), sign_of(p - 1), sign_of(p - beta)
(1, -1, None)
"""

from __future__ import annotations

from functools import lru_cache

import sympy as sp

from grpo_symbolic.notation import beta, epsilon, guard, p, scale, success, success_ref, x, y

PROBABILITIES = (x, y, p, success, success_ref)
POSITIVE = (beta, guard, scale, epsilon)
_ODDS = {v: sp.Symbol(f"odds_{v}", positive=True) for v in PROBABILITIES}
_PLACE = {
    **{v: odds / (1 + odds) for v, odds in _ODDS.items()},
    **{v: sp.Symbol(f"positive_{v}", positive=True) for v in POSITIVE},
}


@lru_cache(maxsize=1024)
def sign_of(e: sp.Expr) -> int | None:
    """1, −1 or 0 where an expression has that sign for all probabilities in (0, 1) and positive parameters; ``None``
    where this is not seen: each polynomial in it must have coefficients of one sign once x is put as u/(1 + u).
    """
    e = sp.sympify(e)
    if e.is_number:
        value = sp.simplify(e)
        if value.is_zero:
            return 0
        if value.is_positive:
            return 1
        return -1 if value.is_negative else None
    if e.is_Mul:
        signs = [sign_of(part) for part in e.args]
        return None if None in signs else int(sp.Mul(*signs))
    if isinstance(e, sp.exp):
        return 1
    if e.is_Pow:
        inside = sign_of(e.base)
        if inside is None or not e.exp.is_Integer:
            return 1 if inside == 1 else None
        return int(inside ** abs(int(e.exp)))
    above, below = sp.fraction(sp.together(e.xreplace(_PLACE)))
    signs = [_of_polynomial(part) for part in (above, below)]
    return None if None in signs else int(sp.Mul(*signs))


def _of_polynomial(e: sp.Expr) -> int | None:
    """By the signs of the coefficients, in letters that are positive."""
    factored = sp.factor(e)
    total = 1
    for part in sp.Mul.make_args(factored):
        base, power = part.as_base_exp()
        if base is sp.E or base.is_positive:
            continue
        letters = sorted(base.free_symbols, key=str)
        if not power.is_Integer or not base.is_polynomial(*letters) or not all(v.is_positive for v in letters):
            return None
        signs = {sp.sign(c) for c in (sp.Poly(base, *letters).coeffs() if letters else [base])}
        if len(signs) != 1:
            return None
        total *= int(signs.pop()) ** int(power)
    return total


def upright(e: sp.Expr) -> sp.Expr:
    """A product with its negative factors turned: x(1 − x) in place of −x(x − 1)."""
    whole = sp.S.One
    for factor in sp.Mul.make_args(e):
        base, power = factor.as_base_exp()
        if power.is_Integer and base.is_Add and sign_of(base) == -1:
            factor = sp.S.NegativeOne**power * sp.expand(-base) ** power
        whole *= factor
    return whole
