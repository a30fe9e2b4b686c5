"""The primitive forms of what must be shown. Every statement compiles to these, every checker discharges some of
them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from grpo_symbolic.proof.domain import Domain

_UNSET = sp.Symbol("x")


@dataclass(frozen=True)
class Obligation:
    """Something to be shown at every point of ``domain``; ``label`` says in words which part of its claim it is."""

    domain: Domain
    label: str = field(default="", kw_only=True, compare=False)

    def parts(self) -> tuple[Any, ...]:
        """The SymPy objects that make up the statement, in a fixed order."""
        raise NotImplementedError

    def key(self) -> str:
        """A digest of the statement and its domain, the same in every process."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        body = "|".join([type(self).__name__, *(sp.srepr(sp.sympify(p)) for p in self.parts()), self.domain.key()])
        return hashlib.sha256(body.encode()).hexdigest()

    def expressions(self) -> list[sp.Basic]:
        return [p for p in map(sp.sympify, self.parts()) if isinstance(p, sp.Basic)]

    def has_families(self) -> bool:
        return any(p.has(sp.Indexed, sp.Sum, sp.Product) for p in self.expressions())


@dataclass(frozen=True)
class Identity(Obligation):
    """``left == right`` on the domain."""

    left: sp.Expr = sp.S.Zero
    right: sp.Expr = sp.S.Zero

    def parts(self) -> tuple[Any, ...]:
        return (self.left, self.right)


@dataclass(frozen=True)
class Holds(Obligation):
    """A Boolean combination of equations and inequalities that holds on the domain.

    ``using`` are instances of the stated lemmas (:mod:`grpo_symbolic.proof.lemmas`), true formulas about
    transcendental terms that a decision procedure may assume; each is a Boolean over the same symbols.
    """

    formula: Any = sp.true
    using: tuple[Any, ...] = ()

    def parts(self) -> tuple[Any, ...]:
        return (self.formula, *self.using)


def formula_of(obligation: Obligation) -> Any:
    """The relation or Boolean combination that an identity or an inequality says."""
    if isinstance(obligation, Identity):
        return sp.Eq(obligation.left, obligation.right, evaluate=False)
    assert isinstance(obligation, Holds)
    return obligation.formula


@dataclass(frozen=True)
class LimitIs(Obligation):
    """``expression → value`` as ``variable → point`` from ``side`` ("+" or "-"), at every point of the domain of the
    other symbols.

    ``domain`` does not constrain ``variable``.
    """

    expression: sp.Expr = sp.S.Zero
    variable: sp.Symbol = _UNSET
    point: sp.Expr = sp.S.Zero
    side: str = "+"
    value: sp.Expr = sp.S.Zero

    def parts(self) -> tuple[Any, ...]:
        return (self.expression, self.variable, self.point, sp.Integer(1 if self.side == "+" else -1), self.value)


@dataclass(frozen=True)
class RootCount(Obligation):
    """``polynomial`` has exactly ``count`` distinct real roots in the open interval ``(lower, upper)``, whatever the
    parameters.
    """

    polynomial: sp.Expr = sp.S.Zero
    variable: sp.Symbol = _UNSET
    lower: sp.Expr = sp.S.Zero
    upper: sp.Expr = sp.S.One
    count: int = 1

    def parts(self) -> tuple[Any, ...]:
        return (self.polynomial, self.variable, self.lower, self.upper, self.count)


@dataclass(frozen=True)
class Witness(Obligation):
    """``formula`` holds at the exact ``point``, which lies in the domain: an existence statement with its example."""

    formula: Any = sp.true
    point: tuple[tuple[Any, Any], ...] = ()

    def parts(self) -> tuple[Any, ...]:
        flat = [sp.Tuple(sp.Symbol(str(k)), *(v if isinstance(v, list | tuple) else [v])) for k, v in self.point]
        return (self.formula, *flat)
