"""What may be given where a number or a formula is meant, and what JSON holds."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from fractions import Fraction
from typing import TYPE_CHECKING, TypeAlias, Union

if TYPE_CHECKING:
    import sympy as sp

Scalar: TypeAlias = Union["sp.Expr", int, Fraction]  # SymPy computes with all of them, exactly
Numeral: TypeAlias = Union["sp.Expr", int, float, Fraction, str]  # as a person writes it: 0.1 and "0.1" are a tenth
Json: TypeAlias = "bool | int | float | str | Sequence[Json] | Mapping[str, Json] | None"
