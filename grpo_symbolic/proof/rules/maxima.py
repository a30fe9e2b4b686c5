"""Maxima of a function of one variable: local ones by derivatives, the only one by concavity or by rise and fall."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.matching import Instantiated, Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import Admitted, Continuous, Interval, Needs, Schema, Slope, d, f, h, k, p, x
from grpo_symbolic.proof.rules.sides import Premise, derivative
from grpo_symbolic.proof.rules.values import admitted, held_fixed
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, real_symbol
from grpo_symbolic.proof.statements.substitution import equations, substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.relations import STRICT, STRICTLY


@dataclass(frozen=True)
class LocalMaximum(Conclusion):
    """``objective`` has a strict local maximum in ``variable`` at ``at``.

    Everything else, an old policy in particular, is held fixed while differentiating; ``frozen`` is substituted
    afterwards. With ``sense=-1`` the statement is a strict local minimum.
    """

    objective: sp.Expr
    variable: sp.Symbol
    at: Scalar
    frozen: tuple[tuple[sp.Symbol, Scalar], ...] = ()
    sense: int = 1
    label: str = "local maximum"
    claimed = ("sense", "at")
    compares = True

    @property
    def defined(self) -> frozenset[str]:
        """The names of what is held fixed at values that the words give; of one that a value speaks of they do not."""
        mentioned = set().union(*(sp.sympify(v).free_symbols for _, v in self.frozen))
        return frozenset(str(k) for k, _ in self.frozen if k not in mentioned)

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """No slope at the point, and a second derivative of that sign or none, if the domain is open there."""
        for c in (c for c in domain.constraints if c.free_symbols & set(self.place)):
            ends = [substituted(side, self.place) for side in c.args] if type(c) in STRICTLY else []
            if not isinstance(c, STRICT) and (not ends or STRICTLY[type(c)](*ends) != sp.true):
                return
        given = (sp.Eq(k, v, evaluate=False) for k, v in self.place.items() if not sp.sympify(v).has(k))
        inside = domain.also(*given)
        first, second = (sp.Derivative(self.objective, (self.variable, order)) for order in (1, 2))
        yield from Equal(first, 0, label=f"{self.label}: stationary, as it implies").obligations(inside)
        relation = sp.Le if self.sense > 0 else sp.Ge
        weakly = Always(relation(second, 0, evaluate=False), label=f"{self.label}: second order, as it implies")
        yield from weakly.obligations(inside)

    @property
    def held(self) -> dict[sp.Expr, sp.Expr]:
        """What is held fixed while differentiating, at its value at the point."""
        return {k: substituted(v, {self.variable: self.at}) for k, v in self.frozen}

    @property
    def plain(self) -> LocalMaximum:
        """The same of the function in which what is held fixed has its value.

        Raises :class:`ClaimError` for what moves.
        """
        if any(k == self.variable for k, _ in self.frozen):
            raise ClaimError(f"{self.variable} varies: it cannot be held fixed as well")
        return replace(self, objective=substituted(self.objective, self.held), frozen=())

    def among(self, domain: Domain) -> Domain:
        """The domain, with the values of the variable that it admits where what is held fixed has its value."""
        if not self.frozen:
            return domain
        moving = (substituted(c, self.held) for c in domain.constraints if self.variable in c.free_symbols)
        return domain.without_symbol(self.variable).also(self.variable, *(c for c in moving if c != sp.true))

    @property
    def place(self) -> dict[sp.Expr, sp.Expr]:
        """The point, and what is held fixed while differentiating at its value there."""
        return {**self.held, self.variable: self.at}

    @property
    def expression(self) -> sp.Basic:
        at = self.place

        def derivative_at(order: int) -> sp.Expr:
            return sp.Subs(sp.Derivative(self.objective, (self.variable, order)), tuple(at), tuple(at.values()))

        second = (sp.Lt if self.sense > 0 else sp.Gt)(derivative_at(2), 0, evaluate=False)
        return sp.And(sp.Eq(derivative_at(1), 0, evaluate=False), second, evaluate=False)

    def phrase(self) -> Phrase:
        kind = "maximum" if self.sense > 0 else "minimum"
        frozen = (", while", *equations(self.frozen), "is held fixed") if self.frozen else ()
        return (self.objective, f"has a strict local {kind} at", self.variable, "=", self.at, *frozen)


def _peak(sense: int) -> Schema:
    """A maximum, or a minimum."""
    kind, sign = ("maximum", k < 0) if sense > 0 else ("minimum", k > 0)
    there = (sp.Eq(x, p, evaluate=False),)
    return Schema(
        f"Peaks.second_derivative_at_a_point_gives_strict_local_{kind}",
        LocalMaximum(f(x), x, p, (), sense),
        (
            Needs(Slope(f(x), d(x)), there, inside=True),
            Needs(Slope(f(x), h(x), order=2), there, inside=True),
            Needs(Admitted(p)),
            Needs(Equal(d(p), 0), inside=True, label="stationary"),
            Needs(Equal(h(p), k), inside=True, label="second derivative at the point"),
            Needs(Always(sign), inside=True, by="using", label="second order"),
        ),
        given={"second": h(x), "curvature": k},
        proof="intros; at_a_peak (@{theorem} I f p k) p",
    )


@dataclass(frozen=True, eq=False)
class SecondOrder(Schematic["LocalMaximum"]):
    """Stationary, with a second derivative of one sign: a strict local maximum or minimum.

    ``using`` is for that sign. It is shown of the function in which what is held fixed has its value, which is to be
    one that the domain admits.
    """

    using: Using = ()
    schemas = (_peak(1), _peak(-1))

    def proposed(self, conclusion: LocalMaximum) -> Mapping[str, Any]:
        """The second derivative, and its value at the point on one denominator."""
        along = conclusion.variable
        real_symbol(along)
        second = derivative(conclusion.objective, along, Domain(along), 2)[0]
        return {"second": second, "curvature": sp.together(substituted(second, {along: conclusion.at}))}

    def instance(self, conclusion: LocalMaximum) -> Instantiated:
        return super().instance(conclusion.plain)

    def premises(self, conclusion: LocalMaximum, domain: Domain) -> Iterator[Premise]:
        held_fixed(conclusion.frozen, domain.also(conclusion.variable), conclusion.label)
        yield from admitted(conclusion.held, domain.without_symbol(conclusion.variable), conclusion.label)
        yield from super().premises(conclusion, conclusion.among(domain))


LocalMaximum.rule = SecondOrder()


@dataclass(frozen=True)
class OnlyMaximum(Conclusion):
    """``objective`` is largest at ``variable`` = ``at``, and smaller at every other value that the domain admits for
    the variable, all else fixed. With ``sense=-1`` it is smallest there, and larger elsewhere.
    """

    objective: sp.Expr
    variable: sp.Symbol
    at: Scalar
    sense: int = 1
    label: str = "only maximum"
    claimed = ("sense", "at")
    compares = True

    @property
    def _top(self) -> sp.Expr:
        return substituted(self.objective, {self.variable: self.at})

    @property
    def expression(self) -> sp.Basic:
        elsewhere = sp.Ne(self.variable, self.at, evaluate=False)
        less = (sp.Lt if self.sense > 0 else sp.Gt)(self.objective, self._top, evaluate=False)
        return sp.Implies(elsewhere, less, evaluate=False)

    @property
    def pointwise(self) -> sp.Basic | None:
        return (sp.Le if self.sense > 0 else sp.Ge)(self.objective, self._top, evaluate=False)

    def phrase(self) -> Phrase:
        most = "largest" if self.sense > 0 else "smallest"
        return (self.objective, f"is {most} at", self.variable, "=", self.at, "and nowhere else")


# A sense, and the proof that the theorem on maxima gives it: of a minimum by the negative of the function.
_MAXIMUM_AND_MINIMUM = ((1, "by_theorem @{theorem}"), (-1, "intros; mirrored (@{theorem} I (fun x => - f x) p)"))


@dataclass(frozen=True, eq=False)
class ConcaveAndStationary(Schematic["OnlyMaximum"]):
    """A strictly concave function is largest at its stationary point, and there only; a convex one is smallest.

    ``using`` are lemmas for the sign of the second derivative.
    """

    using: tuple[Instance, ...] = ()
    schemas = tuple(
        Schema(
            "Rules.strictly_concave_stationary_is_strict_maximum",
            OnlyMaximum(f(x), x, p, sense),
            (
                Needs(Interval()),
                Needs(Slope(f(x), d(x)), inside=True),
                Needs(Curved(f(x), x, -sense), inside=True, by="using"),
                Needs(Admitted(p)),
                Needs(Equal(d(p), 0), label="stationary"),
            ),
            proof=proof,
        )
        for sense, proof in _MAXIMUM_AND_MINIMUM
    )


@dataclass(frozen=True, eq=False)
class RiseAndFall(Schematic["OnlyMaximum"]):
    """A continuous function that increases before a point and decreases after it is largest there, and there only; one
    that falls and rises is smallest.

    ``using`` are lemmas for the signs of the derivative; ``before`` and ``after`` are why it is monotone there, where
    that is not the usual rule.
    """

    using: tuple[Instance, ...] = ()
    before: Rule | None = None
    after: Rule | None = None
    schemas = tuple(
        Schema(
            "Sentences.rise_and_fall_has_strict_maximum",
            OnlyMaximum(f(x), x, p, sense),
            (
                Needs(Interval()),
                Needs(Admitted(p)),
                Needs(Continuous(f(x)), inside=True),
                Needs(Monotone(f(x), x, sense), (x < p,), inside=True, by="using before"),
                Needs(Monotone(f(x), x, -sense), (x > p,), inside=True, by="using after"),
            ),
            proof=proof,
        )
        for sense, proof in _MAXIMUM_AND_MINIMUM
    )


OnlyMaximum.rule = ConcaveAndStationary()
