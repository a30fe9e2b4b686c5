"""Choices whose gradient is a number: a branch that is not taken is computed from harmless arguments.

Array libraries compute both branches of a choice and keep one. The gradient of the other is multiplied by zero, and
zero times the infinite derivative of a logarithm or a root at zero is not a number. So in a branch that is taken only
under a condition, every function that can be singular gets 1 for its argument where the condition fails.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from grpo_symbolic.numeric.compiler import functions as fn

_RISKY = (sp.log, sp.exp, sp.sinh, sp.cosh, sp.acosh, sp.atanh, fn.Log1p, fn.Expm1, fn.Log1pmx, fn.SquareRoot)


def guarded(expression: sp.Basic) -> Any:
    """The same values, with :class:`~grpo_symbolic.numeric.compiler.functions.Where` for every Piecewise."""
    if not expression.has(sp.Piecewise):
        return expression
    return expression.replace(lambda e: isinstance(e, sp.Piecewise), _guard)


def _guard(choice: sp.Piecewise) -> Any:
    branches = list(choice.args)
    everywhere = set.intersection(*(_risks(b.expr) for b in branches))  # computed anyway
    result: Any = sp.nan
    conditions, refused = [], sp.true
    for branch in branches:
        conditions.append(sp.And(refused, branch.cond))
        refused = sp.And(refused, sp.Not(branch.cond))
    for branch, condition in reversed(list(zip(branches, conditions, strict=True))):
        value = _shielded(branch.expr, condition, everywhere)
        result = value if branch.cond is sp.true else fn.Where(branch.cond, value, result)
    return result


def _risky(e: sp.Basic) -> bool:
    return isinstance(e, _RISKY) or (isinstance(e, sp.Pow) and not (e.exp.is_Integer and e.exp > 0))


def _risks(e: sp.Basic) -> set[Any]:
    return {a for a in sp.preorder_traversal(e) if _risky(a)}


def _shielded(e: sp.Basic, condition: sp.Basic, everywhere: set[sp.Basic]) -> Any:
    if condition is sp.true:
        return e

    def shield(a: sp.Basic) -> Any:
        if a in everywhere or not a.free_symbols:
            return a
        return a.func(*(fn.Where(condition, arg, sp.S.One) if arg.free_symbols else arg for arg in a.args))

    return e.replace(_risky, shield)
