"""What derivatives say of a function: increasing, convex, Lipschitz."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.lemmas import Instance
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.proof.rules import schema
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    at_point,
    by_rule,
    derivative,
    inside,
    interval_in,
    two_sides,
)
from grpo_symbolic.proof.rules.schema import Needs, Schema, d, f, k, x
from grpo_symbolic.proof.rules.sums import AtLeast
from grpo_symbolic.proof.statement import TWO_POINTS, Always, Equal, Phrase
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class SignOfDerivative(Rule["Monotone | Curved"]):
    """Monotone by the first derivative, curved by the second, where it has one sign on an interval.

    The derivative is an identity to be shown on the whole domain, which makes the function differentiable, and so
    continuous, there. ``form`` is a form of it whose sign is easier to see, ``sign`` a rule for that sign.
    """

    form: Scalar | None = None
    sign: Rule | None = None
    theorems = (
        "Rules.increasing_if_derivative_nonnegative",
        "Rules.strictly_increasing_if_derivative_positive",
        "Rules.decreasing_if_derivative_nonpositive",
        "Rules.strictly_decreasing_if_derivative_negative",
        "Rules.convex_if_second_derivative_nonnegative",
        "Rules.strictly_convex_if_second_derivative_positive",
        "Rules.concave_if_second_derivative_nonpositive",
        "Rules.strictly_concave_if_second_derivative_negative",
    )

    def theorem(self, conclusion: Monotone | Curved) -> str:
        sign = {(True, 1): "positive", (True, -1): "negative", (False, 1): "nonnegative", (False, -1): "nonpositive"}
        strictly = "strictly_" if conclusion.strict else ""
        called = {1: "derivative", 2: "second_derivative"}[conclusion.order]
        return f"Rules.{strictly}{conclusion.word}_if_{called}_{sign[conclusion.strict, conclusion.direction]}"

    def premises(self, conclusion: Monotone | Curved, domain: Domain) -> Iterator[Premise]:
        interval_in(conclusion.variable, domain)
        found, exact = derivative(conclusion.body, conclusion.variable, domain, conclusion.order, self.form)
        yield exact.labelled(conclusion.label)
        shown = found if conclusion.order == 1 or self.form is not None else sp.together(found)
        formula = conclusion.relation(shown)
        signed = Always(formula, conclusion.using, label=f"{conclusion.label}: its sign")
        yield Premise(by_rule(signed, self.sign), domain)


@dataclass(frozen=True)
class _Shape(Conclusion):
    """The shape of a function of ``variable`` on the values that the domain admits for it, an interval.

    ``direction`` is +1 or −1, ``strict`` leaves out equality; ``using`` are lemmas for the sign of the derivative.

    Raises :class:`ClaimError` for another direction.
    """

    body: Scalar
    variable: sp.Symbol
    direction: int = 1
    strict: bool = True
    using: tuple[Instance, ...] = ()
    label: str = ""
    claimed = ("direction", "body")
    carried = TWO_POINTS
    order: ClassVar[int]
    words: ClassVar[tuple[str, str]]
    rule = SignOfDerivative()

    def __post_init__(self) -> None:
        if self.direction not in (1, -1):
            raise ClaimError(f"{self.label}: the direction is 1 or -1, and not {self.direction}")

    @property
    def word(self) -> str:
        return self.words[0 if self.direction > 0 else 1]

    def relation(self, found: sp.Expr) -> sp.Rel:
        """What the sign of the derivative is to be."""
        upward, downward = (sp.Gt, sp.Lt) if self.strict else (sp.Ge, sp.Le)
        return (upward if self.direction > 0 else downward)(found, 0, evaluate=False)

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """The sign of the derivative, equality allowed, between the ends of the interval."""
        within = inside(self.variable, domain)
        if within is not None:
            weakly = replace(self, strict=False).relation(sp.Derivative(self.body, (self.variable, self.order)))
            yield from Always(weakly, label=f"{self.label}: the sign that it implies").obligations(within)

    @property
    def expression(self) -> sp.Basic:
        return self.relation(sp.Derivative(self.body, (self.variable, self.order)))

    def phrase(self) -> Phrase:
        return (self.body, f"is {'strictly' if self.strict else 'weakly'} {self.word} in", self.variable)


@dataclass(frozen=True)
class Monotone(_Shape):
    """Increasing (+1) or decreasing (−1) in a variable."""

    label: str = "monotone"
    order = 1
    words = ("increasing", "decreasing")


@dataclass(frozen=True)
class Curved(_Shape):
    """Convex (+1) or concave (−1) in a variable."""

    label: str = "curvature"
    order = 2
    words = ("convex", "concave")


def _other(variable: sp.Symbol) -> sp.Symbol:
    """A letter for another value of the variable, always the same one: what is said twice is equal."""
    return sp.Symbol(f"{variable.name}_other", real=True)


@dataclass(frozen=True)
class Lipschitz(Conclusion):
    """Two values of a function of ``variable`` differ by at most ``constant`` times the distance of the arguments, on
    the values that the domain admits for it, an interval.
    """

    body: Scalar
    variable: sp.Symbol
    constant: Scalar
    label: str = "Lipschitz"
    claimed = ("constant",)
    carried = TWO_POINTS

    @property
    def expression(self) -> sp.Basic:
        other = _other(self.variable)
        apart = sp.Abs(sp.sympify(self.body).xreplace({self.variable: other}) - self.body)
        return sp.Le(apart, self.constant * sp.Abs(other - self.variable), evaluate=False)

    def phrase(self) -> Phrase:
        return (self.body, "is Lipschitz in", self.variable, "with constant", self.constant)


@dataclass(frozen=True, eq=False)
class BoundedDerivative(Schematic["Lipschitz"]):
    """Lipschitz by the mean value theorem: the derivative is at most the constant in size, on an interval.

    ``slope`` is a form of the derivative that is easier to bound than SymPy's; ``using`` is for its size.
    """

    slope: Scalar | None = None
    using: Using = ()
    schemas = (
        Schema(
            "Rules.lipschitz_if_derivative_bounded",
            Lipschitz(f(x), x, k),
            (
                Needs(schema.Interval()),
                Needs(schema.Slope(f(x), d(x)), inside=True),
                Needs(Always((d(x) >= -k) & (d(x) <= k)), inside=True, by="using", label="its size"),
            ),
            given={"slope": d(x)},
            proof="intros; eapply (@{theorem} I f d k); [assumption | apply (continuous_on_derive I f d); assumption "
            "| intros; apply H2; apply inside_in; assumption "
            "| intros; apply Rabs_le; apply H3; apply inside_in; assumption]",
        ),
    )


Lipschitz.rule = BoundedDerivative()


@dataclass(frozen=True, eq=False)
class AboveTangent(Rule["AtLeast"]):
    """A convex function lies above its tangents: one side exceeds the other by a function of ``variable`` that is
    convex on an interval, and vanishes with its slope ``at`` a point of it.

    ``curvature`` is a form of the second derivative whose sign is easier to see; ``using`` is for that sign.
    """

    variable: sp.Symbol
    at: Scalar
    curvature: Scalar | None = None
    using: Using = ()
    theorems = ("Sentences.convex_is_at_least_zero_above_a_flat_tangent",)

    def premises(self, conclusion: AtLeast, domain: Domain) -> Iterator[Premise]:
        if conclusion.equality or conclusion.given:
            raise ClaimError("a tangent says nothing of equality, and supposes nothing of an index")
        interval_in(self.variable, domain)
        label = conclusion.label
        gap = sp.sympify(conclusion.left) - conclusion.right
        yield from two_sides(conclusion, domain)
        yield from at_point(self.variable, self.at, domain, label)
        _, exact = derivative(gap, self.variable, domain)
        yield exact.labelled(label)
        found, exact = derivative(gap, self.variable, domain, 2, self.curvature)
        yield exact.labelled(label)
        yield Premise(always(sp.Ge(found, 0, evaluate=False), self.using, f"{label}: its sign"), domain)
        here = {self.variable: self.at}
        parameters = domain.apart_from(self.variable)
        for order, called in ((0, "value"), (1, "slope")):
            flat = substituted(sp.diff(gap, self.variable, order), here)
            yield Premise(Equal(flat, 0, label=f"{label}: no {called} there"), parameters)


@dataclass(frozen=True, eq=False)
class Differentiable(Rule["Continuous"]):
    """Continuous because differentiable, on an interval."""

    theorems = ("Sentences.continuous_if_differentiable",)

    def premises(self, conclusion: Continuous, domain: Domain) -> Iterator[Premise]:
        interval_in(conclusion.variable, domain)
        _, exact = derivative(conclusion.body, conclusion.variable, domain)
        yield exact.labelled(conclusion.label)


@dataclass(frozen=True)
class Continuous(Conclusion):
    """A function of ``variable`` is continuous on the values that the domain admits for it, an interval."""

    body: Scalar
    variable: sp.Symbol
    label: str = "continuous"
    claimed = ("body",)
    carried = TWO_POINTS
    rule = Differentiable()

    @property
    def expression(self) -> sp.Basic:
        nearby = _other(self.variable)
        limit = sp.Limit(sp.sympify(self.body).xreplace({self.variable: nearby}), nearby, self.variable, "+-")
        return sp.Eq(limit, self.body, evaluate=False)

    def phrase(self) -> Phrase:
        return (self.body, "is continuous in", self.variable)
