"""What may be given where a number or a formula is meant."""

from __future__ import annotations

from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    import sympy as sp

Scalar: TypeAlias = Union["sp.Expr", int, Fraction]  # SymPy computes with all of them, exactly
