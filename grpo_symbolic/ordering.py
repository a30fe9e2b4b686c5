"""The order in which the terms of a sum are written, cached: to sort them is most of what printing costs."""

from __future__ import annotations

from functools import lru_cache

import sympy as sp


@lru_cache(maxsize=1 << 15)  # a sum is printed as LaTeX and as text, in the claim and in the steps that lead to it
def ordered(total: sp.Expr) -> tuple[sp.Expr, ...]:
    """The terms as SymPy's printers order them.

    >>> from grpo_symbolic.notation import p, x
    >>> ordered(1 + x + x**2 * p)
    (p*x**2, x, 1)
    """
    return tuple(total.as_ordered_terms())
