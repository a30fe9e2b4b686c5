"""Elementary functions that floating point computes better than the formulas they abbreviate.

Each is a SymPy function that nothing simplifies away; :func:`plain` writes the formula back.
"""

from __future__ import annotations

from typing import Any

import sympy as sp


class _Real(sp.Function):
    """A function with real values that multiply in any order, which SymPy would not infer from conditions."""

    is_extended_real = True
    is_commutative = True


class AsIs(_Real):
    """Its argument, which is best left as it is."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return self.args[0]


class Group(_Real):
    """Its argument as one quantity: SymPy moves no part of it to the other side of a relation."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return self.args[0]


class Absolute(_Real):
    """``|x|``, where it may take SymPy long to look for the sign of x."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return sp.Abs(self.args[0])


class Log1p(_Real):
    """``log(1 + x)``."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return sp.log(1 + self.args[0])


class Expm1(_Real):
    """``exp(x) − 1``."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return sp.exp(self.args[0]) - 1


class Log1pmx(_Real):
    """``log(1 + x) − x``, which is about −x²/2 near zero; the second argument is ``1 + x``, computed without x."""

    nargs = 2

    def formula(self) -> sp.Expr:
        return sp.log(self.args[1]) - self.args[0]


class Share(_Real):
    """``t/(1 + t)`` for t ≥ 0, infinity included."""

    nargs = 1

    def formula(self) -> sp.Expr:
        return self.args[0] / (1 + self.args[0])


class SquareRoot(_Real):
    """``√(a² + c)``, without overflow of the square."""

    nargs = 2

    def formula(self) -> sp.Expr:
        return sp.sqrt(self.args[0] ** 2 + self.args[1])


class LogAddExp(_Real):
    """``log(exp(a) + exp(b))``, without overflow."""

    nargs = 2

    def formula(self) -> sp.Expr:
        return sp.log(sp.exp(self.args[0]) + sp.exp(self.args[1]))


class Where(_Real):
    """``a`` where the condition holds, else ``b``: a choice that SymPy does not simplify."""

    nargs = 3

    def formula(self) -> sp.Expr:
        condition, a, b = self.args
        return sp.Piecewise((a, condition), (b, True))


STABLE = (AsIs, Group, Absolute, Log1p, Expm1, Log1pmx, Share, SquareRoot, LogAddExp, Where)


def plain(expression: sp.Basic) -> Any:
    """The same expression with every function of this module written out.

    >>> x = sp.Symbol("x")
    >>> plain(Log1p(-x))
    log(1 - x)
    """
    return expression.replace(lambda e: isinstance(e, STABLE), lambda e: e.formula())
