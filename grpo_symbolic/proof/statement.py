"""Kinds of statement, each compiled to primitive obligations.

A statement is what a claim says: an equation, a bound, a limit, a monotonicity, a count of roots, a maximum. Its
``claimed`` fields are those that a referee could get wrong, and the only ones that mutation controls change. A
statement does not know its domain; the claim gives it one.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import Any, ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain, Point
from grpo_symbolic.proof.obligation import Holds, Identity, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.proof.terms.linear import is_interval


@dataclass(frozen=True)
class Statement:
    """Base of all kinds. ``label`` names the part of a conjunction that a statement is."""

    claimed: ClassVar[tuple[str, ...]] = ()

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        raise NotImplementedError

    @property
    def expression(self) -> sp.Basic:
        """The statement as one SymPy object, for use in other tools."""
        raise NotImplementedError

    def symbols(self) -> set[Any]:
        """Free symbols and families of the statement (bound indices and limit variables excluded)."""
        return {s for s in self.expression.free_symbols if not isinstance(s, sp.Indexed)}

    def __and__(self, other: Statement) -> Every:
        return Every((self, other))


@dataclass(frozen=True)
class Equal(Statement):
    """Two expressions agree on the domain."""

    left: Any
    right: Any
    label: str = "identity"
    claimed = ("right",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield Identity(domain, sp.sympify(self.left), sp.sympify(self.right), label=self.label)

    @property
    def expression(self) -> sp.Basic:
        return sp.Eq(sp.sympify(self.left), sp.sympify(self.right), evaluate=False)


@dataclass(frozen=True)
class Always(Statement):
    """A relation, or a Boolean combination of relations, that holds on the domain. ``using``: instances of stated
    lemmas.
    """

    formula: Any
    using: tuple[Any, ...] = ()
    label: str = "for all"
    claimed = ("formula",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield Holds(domain, self.formula, self.using, label=self.label)

    @property
    def expression(self) -> sp.Basic:
        return sp.sympify(self.formula)


@dataclass(frozen=True)
class Tends(Statement):
    """A limit. The domain constrains the other symbols only."""

    body: Any
    variable: sp.Symbol
    point: Any
    value: Any
    side: str = "+"
    label: str = "limit"
    claimed = ("value",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        point = sp.sympify(self.point)
        if self.variable.is_integer and point not in (sp.oo, -sp.oo):
            raise ClaimError(f"{self.variable} is a whole number and does not tend to {point}")
        yield LimitIs(
            domain.apart_from(self.variable),
            self.body,
            self.variable,
            point,
            self.side,
            sp.sympify(self.value),
            label=self.label,
        )

    @property
    def expression(self) -> sp.Basic:
        return sp.Eq(sp.Limit(self.body, self.variable, self.point, self.side), sp.sympify(self.value), evaluate=False)


def _real_symbol(variable: Any) -> None:
    """Refuse whole numbers and entries of families where a real variable is meant."""
    if not isinstance(variable, sp.Symbol) or variable.is_integer:
        raise ClaimError(f"{variable} must be a symbol for real numbers")


_ROUGH = (sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Mod)


def _smooth(body: Any, variable: sp.Symbol) -> None:
    """Refuse what may jump or bend where SymPy's derivative does not show it."""
    rough = [e for e in sp.sympify(body).atoms(*_ROUGH) if e.has(variable)]
    if rough:
        raise ClaimError(
            f"the sign of a derivative says nothing of {rough[0]}, which is not smooth in {variable}: "
            "state the cases one by one"
        )


def _smooth_on_an_interval(body: Any, variable: sp.Symbol, domain: Domain) -> None:
    """The sign of a derivative carries over a whole interval only: each constraint on the variable must cut off one
    end.
    """
    _smooth(body, variable)
    along = domain.reading().variable(variable)
    for constraint, formula in zip(domain.constraints, domain.formulas, strict=True):
        if is_interval(formula, along) is not True:
            raise ClaimError(
                f"a domain with {constraint} is not known to be an interval in {variable}, "
                "as monotone and convex need: use bounds"
            )


@dataclass(frozen=True)
class _SignOfDerivative(Statement):
    """A derivative in ``variable``, of the ``order`` of its kind, has the sign of ``direction`` (weakly if not
    ``strict``) on a domain that is convex in it.
    """

    body: Any
    variable: sp.Symbol
    direction: int = 1
    strict: bool = True
    using: tuple[Any, ...] = ()
    label: str = ""
    claimed = ("direction", "body")
    order: ClassVar[int]
    called: ClassVar[str]

    @property
    def _unevaluated(self) -> sp.Basic:
        return sp.Derivative(self.body, (self.variable, self.order))

    def _relation(self, derivative: Any) -> Any:
        upward, downward = (sp.Gt, sp.Lt) if self.strict else (sp.Ge, sp.Le)
        return (upward if self.direction > 0 else downward)(derivative, 0, evaluate=False)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        _smooth_on_an_interval(self.body, self.variable, domain)
        found = sp.diff(self.body, self.variable, self.order)
        yield Identity(domain, self._unevaluated, found, label=f"{self.label}: {self.called} in {self.variable}")
        signed = found if self.order == 1 else sp.together(found)
        yield Holds(domain, self._relation(signed), self.using, label=f"{self.label}: its sign")

    @property
    def expression(self) -> sp.Basic:
        return self._relation(self._unevaluated)


@dataclass(frozen=True)
class Monotone(_SignOfDerivative):
    """Increasing (+1) or decreasing (−1) in a variable, by the sign of the derivative on a domain that is convex in
    it.
    """

    label: str = "monotone"
    order = 1
    called = "derivative"


@dataclass(frozen=True)
class Curved(_SignOfDerivative):
    """Convex (+1) or concave (−1) in a variable, by the sign of the second derivative."""

    label: str = "curvature"
    order = 2
    called = "second derivative"


@dataclass(frozen=True)
class UniqueRoot(Statement):
    """``polynomial`` has exactly one root in the open interval ``(lower, upper)``, and ``root`` is it."""

    polynomial: Any
    variable: sp.Symbol
    root: Any
    lower: Any = 0
    upper: Any = 1
    label: str = "unique root"
    claimed = ("root",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        low, high, root = map(sp.sympify, (self.lower, self.upper, self.root))
        _real_symbol(self.variable)
        at_root = substituted(self.polynomial, {self.variable: root})
        above = [sp.Gt(root, low, evaluate=False)] if low != -sp.oo else []
        inside = [*above, sp.Lt(root, high, evaluate=False)] if high != sp.oo else above
        yield Identity(domain, at_root, sp.S.Zero, label=f"{self.label}: it is a root")
        if inside:
            yield Holds(domain, sp.And(*inside, evaluate=False), label=f"{self.label}: it lies inside")
        yield RootCount(domain, self.polynomial, self.variable, low, high, 1, label=f"{self.label}: there is one only")

    @property
    def expression(self) -> sp.Basic:
        return sp.Eq(self.variable, self.root, evaluate=False)


@dataclass(frozen=True)
class Roots(Statement):
    """``polynomial`` has exactly ``count`` distinct roots in the open interval."""

    polynomial: Any
    variable: sp.Symbol
    count: int
    lower: Any = 0
    upper: Any = 1
    label: str = "root count"
    claimed = ("count",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        _real_symbol(self.variable)
        low, high = sp.sympify(self.lower), sp.sympify(self.upper)
        yield RootCount(domain, self.polynomial, self.variable, low, high, self.count, label=self.label)

    @property
    def expression(self) -> sp.Basic:
        inside = sp.ConditionSet(self.variable, sp.Eq(self.polynomial, 0), sp.Interval.open(self.lower, self.upper))
        return sp.Eq(sp.Function("card")(inside), self.count, evaluate=False)


@dataclass(frozen=True)
class LocalMaximum(Statement):
    """``objective`` has a strict local maximum in ``variable`` at ``at``: first derivative zero, second negative.

    Everything else, an old policy in particular, is held fixed while differentiating; ``frozen`` is substituted
    afterwards. With ``sense=-1`` the statement is a strict local minimum.
    """

    objective: Any
    variable: sp.Symbol
    at: Any
    frozen: tuple[tuple[Any, Any], ...] = ()
    sense: int = 1
    label: str = "local maximum"
    claimed = ("sense", "at")

    def _at(self, order: int) -> Any:
        return substituted(sp.diff(self.objective, self.variable, order), self._place)

    @property
    def _place(self) -> dict[Any, Any]:
        """The point, and what is held fixed while differentiating at its value there."""
        return {**{k: substituted(v, {self.variable: self.at}) for k, v in self.frozen}, self.variable: self.at}

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        _real_symbol(self.variable)
        _smooth(self.objective, self.variable)
        if any(k == self.variable for k, _ in self.frozen):
            raise ClaimError(f"{self.variable} varies: it cannot be held fixed as well")
        place = self._place.items()
        placed = domain.also(*(sp.Eq(k, v, evaluate=False) for k, v in place if not sp.sympify(v).has(k)))
        for order, called in ((1, "first"), (2, "second")):
            yield Identity(
                placed,
                sp.Derivative(self.objective, (self.variable, order)),
                sp.diff(self.objective, self.variable, order),
                label=f"{self.label}: {called} derivative at the point",
            )
        here = [substituted(c, {self.variable: self.at}) for c in domain.constraints if self.variable in c.free_symbols]
        unsettled = [c for c in here if c != sp.true]
        if unsettled:
            yield Holds(domain, sp.And(*unsettled, evaluate=False), label=f"{self.label}: the point lies in the domain")
        second = sp.together(self._at(2))
        yield Identity(domain, self._at(1), sp.S.Zero, label=f"{self.label}: stationary")
        relation = sp.Lt if self.sense > 0 else sp.Gt
        yield Holds(domain, relation(second, 0, evaluate=False), label=f"{self.label}: second order")

    @property
    def expression(self) -> sp.Basic:
        at = {**dict(self.frozen), self.variable: self.at}

        def derivative(order: int) -> Any:
            return sp.Subs(sp.Derivative(self.objective, (self.variable, order)), tuple(at), tuple(at.values()))

        second = (sp.Lt if self.sense > 0 else sp.Gt)(derivative(2), 0, evaluate=False)
        return sp.And(sp.Eq(derivative(1), 0, evaluate=False), second, evaluate=False)


@dataclass(frozen=True)
class Exists(Statement):
    """There is a point of the domain at which ``formula`` holds, and here it is."""

    formula: Any
    point: Point
    label: str = "witness"
    claimed = ("formula",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        exact = tuple((k, tuple(v) if isinstance(v, list | tuple) else sp.sympify(v)) for k, v in self.point.items())
        yield Witness(domain, self.formula, exact, label=self.label)

    @property
    def expression(self) -> sp.Basic:
        return sp.sympify(self.formula)

    def __hash__(self) -> int:
        return hash((self.formula, self.label))


@dataclass(frozen=True)
class Every(Statement):
    """All of several statements."""

    statements: tuple[Statement, ...]
    claimed = ("statements",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        if not self.statements:
            raise ClaimError("a conjunction of nothing says nothing: state something")
        for statement in self.statements:
            yield from statement.obligations(domain)

    @property
    def expression(self) -> sp.Basic:
        return sp.And(*(s.expression for s in self.statements), evaluate=False)

    def __and__(self, other: Statement) -> Every:
        return Every((*self.statements, other))


@dataclass(frozen=True)
class When(Statement):
    """A statement on the part of the domain where ``condition`` holds too, such as one case of a distinction."""

    condition: Any
    statement: Statement
    claimed = ("statement",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield from self.statement.obligations(domain.also(*_parts(self.condition)))

    @property
    def expression(self) -> sp.Basic:
        return sp.Implies(sp.sympify(self.condition), self.statement.expression, evaluate=False)


def _parts(condition: Any) -> tuple[Any, ...]:
    return tuple(condition.args) if isinstance(condition, sp.And) else (condition,)


@dataclass(frozen=True)
class On(Statement):
    """A statement with a domain of its own, for conjunctions whose parts speak of different variables."""

    domain: Domain
    statement: Statement
    claimed = ("statement",)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield from self.statement.obligations(self.domain)

    @property
    def expression(self) -> sp.Basic:
        return self.statement.expression

    def __hash__(self) -> int:
        return hash((self.domain.key(), self.statement))


def with_field(statement: Statement, name: str, value: Any) -> Statement:
    """A copy of a statement with one field changed."""
    return replace(statement, **{name: value})
