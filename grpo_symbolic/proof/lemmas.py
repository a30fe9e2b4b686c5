"""The stated lemmas: true formulas about exp and log that a decision procedure may assume, as instances.

They are the only transcendental facts taken for granted. Each is a textbook inequality; the tests sample every one of
them, hugging the ends of its range. An instance is a Boolean over its arguments, guarded by the hypothesis it needs,
so that assuming it is always sound.
"""

from __future__ import annotations

from typing import Any

import sympy as sp
from sympy.core.relational import Relational


def log_below_tangent(u: Any) -> Any:
    """``log u ≤ u − 1`` for ``u > 0``, with equality only at ``u = 1``."""
    return sp.Implies(sp.Gt(u, 0), sp.And(sp.Le(sp.log(u), u - 1), sp.Or(sp.Eq(u, 1), sp.Lt(sp.log(u), u - 1))))


def log_increasing(u: Any, v: Any) -> Any:
    """``u < v`` exactly when ``log u < log v``, for positive ``u`` and ``v``."""
    return sp.Implies(sp.And(sp.Gt(u, 0), sp.Gt(v, 0)), sp.Equivalent(sp.Lt(u, v), sp.Lt(sp.log(u), sp.log(v))))


def log_sign(u: Any) -> Any:
    """``log u`` has the sign of ``u − 1``, for ``u > 0``."""
    return sp.Implies(
        sp.Gt(u, 0),
        sp.And(sp.Equivalent(sp.Gt(sp.log(u), 0), sp.Gt(u, 1)), sp.Equivalent(sp.Lt(sp.log(u), 0), sp.Lt(u, 1))),
    )


def exp_positive(u: Any) -> Any:
    """``exp u > 0``."""
    return sp.Gt(sp.exp(u), 0)


def exp_sign(u: Any) -> Any:
    """``exp u − 1`` has the sign of ``u``, and ``exp u > 0``."""
    e = sp.exp(u)
    return sp.And(sp.Gt(e, 0), sp.Equivalent(sp.Gt(e, 1), sp.Gt(u, 0)), sp.Equivalent(sp.Lt(e, 1), sp.Lt(u, 0)))


def exp_above_tangent(u: Any) -> Any:
    """``exp u ≥ 1 + u``, with equality only at ``u = 0``."""
    return sp.And(sp.Ge(sp.exp(u), 1 + u), sp.Or(sp.Eq(u, 0), sp.Gt(sp.exp(u), 1 + u)))


def exp_increasing(u: Any, v: Any) -> Any:
    """``u < v`` exactly when ``exp u < exp v``."""
    return sp.Equivalent(sp.Lt(u, v), sp.Lt(sp.exp(u), sp.exp(v)))


_OF_ONE = (log_below_tangent, log_sign, exp_positive, exp_sign, exp_above_tangent)
_OF_TWO = (log_increasing, exp_increasing)


def is_instance(formula: Any) -> bool:
    """Whether a formula is an instance of a stated lemma: nothing else may be assumed, whoever says so."""
    parts = {e.args[0] for e in formula.atoms(sp.log, sp.exp)} | {
        side for r in formula.atoms(Relational) for side in r.args
    }
    candidates = sorted((e for e in parts if isinstance(e, sp.Expr)), key=str)
    arguments = [
        *((lemma, (u,)) for lemma in _OF_ONE for u in candidates),
        *((lemma, (u, v)) for lemma in _OF_TWO for u in candidates for v in candidates),
    ]
    return any(_is(lemma, given, formula) for lemma, given in arguments)


def _is(lemma: Any, arguments: tuple[Any, ...], formula: Any) -> bool:
    try:
        return bool(lemma(*arguments) == formula)
    except TypeError:  # a comparison of what is not real, such as log 0
        return False
