"""The shape of a function by its derivatives: increasing, convex, Lipschitz."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, replace
from typing import ClassVar

import sympy as sp

from grpo_symbolic.errors import BadInput, ClaimError, DomainError
from grpo_symbolic.proof.rules import schema
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import Needs, Schema, d, f, g, h, k, p, x
from grpo_symbolic.proof.rules.sides import inside
from grpo_symbolic.proof.rules.sums import AtLeast
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import TWO_POINTS, Always, Equal, Phrase
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


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

    def __post_init__(self) -> None:
        if self.direction not in (1, -1):
            raise ClaimError(f"{self.label}: the direction is 1 or -1, and not {self.direction}")

    @property
    def word(self) -> str:
        return self.words[0 if self.direction > 0 else 1]

    def relation(self, rate: sp.Expr) -> sp.Rel:
        """What the sign of the derivative is to be."""
        upward, downward = (sp.Gt, sp.Lt) if self.strict else (sp.Ge, sp.Le)
        return (upward if self.direction > 0 else downward)(rate, 0, evaluate=False)

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """The sign of the derivative, equality allowed, between the ends of the interval; of a difference of whole
        numbers, where all of them are admitted.
        """
        within = self._following(domain) if self.variable.is_integer else inside(self.variable, domain)
        if within is not None:
            weakly = replace(self, strict=False).relation(self._rate)
            yield from Always(weakly, label=f"{self.label}: the sign that it implies").obligations(within)

    @property
    def _rate(self) -> sp.Expr:
        """The derivative; in a whole number, the difference to the next one, or that of two such differences."""
        if not self.variable.is_integer:
            return sp.Derivative(self.body, (self.variable, self.order))
        signs = {1: (-1, 1), 2: (1, -2, 1)}[self.order]
        values = (substituted(self.body, {self.variable: self.variable + step}) for step in range(self.order + 1))
        return sp.Add(*(sign * value for sign, value in zip(signs, values, strict=True)))

    def _following(self, domain: Domain) -> Domain | None:
        """The numbers after which there are as many more as a difference takes; none where no two were found."""
        shifts = ({self.variable: self.variable + step} for step in range(1, self.order + 1))
        try:
            return domain.also(*(c.xreplace(shift) for shift in shifts for c in domain.constraints))
        except DomainError:
            return None

    @property
    def expression(self) -> sp.Basic:
        return self.relation(self._rate)

    def shown_by(self, rule: Rule) -> sp.Basic:
        """The sign of the derivative; raises :class:`BadInput` where the rule shows less, or another thing."""
        if isinstance(rule, SignOfDerivative):
            return self.expression
        raise BadInput(f"SymPy has no object that says {type(self).__name__}: read the sentence")

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


_SIGNS = {(1, True): "positive", (-1, True): "negative", (1, False): "nonnegative", (-1, False): "nonpositive"}


def _signed(shape: Monotone | Curved) -> Schema:
    """A shape from the sign of a derivative."""
    strictly, called = "strictly_" if shape.strict else "", "derivative" if shape.order == 1 else "second_derivative"
    once = "[assumption | apply (continuous_on_derive I f d); assumption | intros; apply H2"
    twice = (
        "[assumption | apply (twice_continuous I f d); assumption "
        "| intros; apply (twice_once I f d H2), inside_in; assumption | intros; apply H2"
    )
    return Schema(
        f"Rules.{strictly}{shape.word}_if_{called}_{_SIGNS[shape.direction, shape.strict]}",
        shape,
        (
            Needs(schema.Interval()),
            Needs(schema.Slope(f(x), d(x), order=shape.order), inside=True),
            Needs(Always(shape.relation(d(x))), inside=True, by="using sign", label="its sign"),
        ),
        given={"form": d(x)},
        proof=f"intros; apply (@{{theorem}} I f {'d' if shape.order == 1 else '(Derive f) d'}); "
        f"{once if shape.order == 1 else twice}, inside_in; assumption | intros; apply H3, inside_in; assumption]",
    )


@dataclass(frozen=True, eq=False)
class SignOfDerivative(Schematic["Monotone | Curved"]):
    """Monotone by the first derivative, curved by the second, where it has one sign on an interval.

    The derivative is an identity to be shown on the whole domain, which makes the function differentiable, and so
    continuous, there. ``form`` is a form of it whose sign is easier to see, ``sign`` a rule for that sign.
    """

    form: Scalar | None = None
    sign: Rule | None = None
    schemas = tuple(
        _signed(kind(f(x), x, direction, strict))
        for kind in (Monotone, Curved)
        for direction in (1, -1)
        for strict in (True, False)
    )


_Shape.rule = SignOfDerivative()


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
class AboveTangent(Schematic["AtLeast"]):
    """A convex function lies above its tangents: one side exceeds the other by a function of ``variable`` that is
    convex on an interval, and vanishes with its slope ``at`` a point of it.

    ``curvature`` is a form of the second derivative whose sign is easier to see; ``using`` is for that sign.
    """

    variable: sp.Symbol
    at: Scalar
    curvature: Scalar | None = None
    using: Using = ()
    schemas = (
        Schema(
            "Sentences.convex_is_at_least_zero_above_a_flat_tangent",
            AtLeast(f(x), g(x)),
            (
                Needs(schema.Interval()),
                Needs(schema.Valued(f(x)), inside=True),
                Needs(schema.Valued(g(x)), inside=True),
                Needs(schema.Admitted(p)),
                Needs(schema.Slope(f(x) - g(x), d(x)), inside=True),
                Needs(schema.Slope(f(x) - g(x), h(x), order=2), inside=True),
                Needs(Always(h(x) >= 0), inside=True, by="using", label="its sign"),
                Needs(Equal(f(p) - g(p), 0), label="no value there"),
                Needs(Equal(d(p), 0), label="no slope there"),
            ),
            given={"variable": x, "at": p, "curvature": h(x)},
            proof="intros; set (e := fun z => f z + (- 1) * g z); cut (0 <= e x); [unfold e; lra |]; "
            "apply (@{theorem} I e (Derive e) h p); [assumption | assumption | apply (twice_once I e h H6) "
            "| apply H6 | assumption | exact H8 "
            "| transitivity (d p); [apply is_derive_unique, H5; assumption | assumption] | assumption]",
        ),
    )


@dataclass(frozen=True)
class Continuous(Conclusion):
    """A function of ``variable`` is continuous on the values that the domain admits for it, an interval."""

    body: Scalar
    variable: sp.Symbol
    label: str = "continuous"
    claimed = ("body",)
    carried = TWO_POINTS

    def phrase(self) -> Phrase:
        return (self.body, "is continuous in", self.variable)


@dataclass(frozen=True, eq=False)
class Differentiable(Schematic["Continuous"]):
    """Continuous because differentiable, on an interval."""

    schemas = (
        Schema(
            "Sentences.continuous_if_differentiable",
            Continuous(f(x), x),
            (Needs(schema.Slope(f(x), d(x)), inside=True),),
            proof="intros; apply (@{theorem} I f d); assumption",
        ),
    )


Continuous.rule = Differentiable()
