"""What the printers of text and of LaTeX share: the order of the terms of a sum, and the sign of a derivative."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp


@lru_cache(maxsize=1 << 15)  # a sum is printed as LaTeX and as text, in the claim and in the steps that lead to it
def ordered(total: sp.Expr) -> tuple[sp.Expr, ...]:
    """The terms as SymPy's printers order them, cached: to sort them is most of what printing costs.

    >>> from grpo_symbolic.notation import p, x
    >>> ordered(1 + x + x**2 * p)
    (p*x**2, x, 1)
    """
    return tuple(total.as_ordered_terms())


def is_partial(derivative: sp.Derivative) -> bool:
    """Whether a derivative is printed with ∂: all else is held fixed, where another letter stands in its body, a whole
    one too, or an entry of a family; d is that of a body in which what it is along stands alone.

    >>> from grpo_symbolic.notation import k, P, x
    >>> [is_partial(sp.Derivative(body, x)) for body in (x**2, k * x, P[1] * x, k)]
    [False, True, True, True]
    >>> [is_partial(sp.Derivative(body, P[1])) for body in (P[1] ** 2, P[1] * P[2])]
    [False, True]
    """
    along = {*derivative.variables}
    here = along.union(*(v.free_symbols for v in along))
    return len(along) > 1 or bool((derivative.expr.free_symbols | derivative.expr.atoms(sp.Indexed)) - here)
