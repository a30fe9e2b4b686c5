"""Stationary policies of two-answer problems in closed form: the equation, the polynomial it becomes, and the root
inside (0, 1).
"""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.notation import b, beta, p
from grpo_symbolic.scalars import Scalar


def pairs(regularisation: Scalar = b, reference: Scalar = p) -> sp.Expr:
    """Groups of two: the root of ``x² − (1 − b)x − bp`` in (0, 1), with b = β/γ. Vojnovic & Yun (2025), equation
    (14).
    """
    return _positive_root(1, -(1 - regularisation), -regularisation * reference)


def large_groups(regularisation: Scalar = beta, reference: Scalar = p) -> sp.Expr:
    """Large groups: the root above p of ``(1+β²)x² − (2β²p+1)x + β²p²``. Vojnovic & Yun (2025), equation (15)."""
    square = regularisation**2
    return _positive_root(1 + square, -(2 * square * reference + 1), square * reference**2)


def _positive_root(a: Scalar, middle: Scalar, c: Scalar) -> sp.Expr:
    """The larger root of ``a x² + middle x + c`` for ``a > 0``."""
    discriminant = sp.factor(sp.expand(middle**2 - 4 * a * c))
    return (-middle + sp.sqrt(sp.expand(discriminant))) / (2 * a)
