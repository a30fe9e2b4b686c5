"""What follows from the shape of a function for two of its values, or three."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import J, Needs, Schema, Slope, Valued, a, b, c, d, f, p, q, r, s, x
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal
from grpo_symbolic.scalars import Scalar

IN_RANGE = tuple(Needs(Always(J(e)), by="using", label=f"{{{e}}} lies in the range") for e in (p, q))


def _two_values(compared: type[sp.Rel], direction: int) -> Schema:
    less, more = (p, q) if direction > 0 else (q, p)
    left, right = (less, more) if compared is sp.Lt else (more, less)
    return Schema(
        f"Convexity.two_values_of_a_strictly_{'increasing' if direction > 0 else 'decreasing'}_function",
        Always(compared(f(left), f(right))),
        (
            Needs(Monotone(f(x), x, direction), on=True, by="shape"),
            Needs(Always(p < q), by="using", label="the order of the points"),
            *IN_RANGE,
        ),
        given={"body": f(x), "variable": x, "on": J(x), "points": (p, q), "direction": direction},
        proof="intros; apply (@{theorem} J f p q); assumption",
    )


@dataclass(frozen=True, eq=False)
class TwoValues(Schematic["Always"]):
    """A strictly monotone function has the larger value at the larger of two points (at the smaller, if it decreases).

    ``body`` is the function of ``variable`` on the domain ``on``, ``points`` the smaller and the larger point;
    ``shape`` is a rule for that it is monotone. The conclusion compares the values.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    points: tuple[Scalar, Scalar]
    direction: int = 1
    shape: Rule | None = None
    using: Using = ()
    schemas = tuple(_two_values(compared, direction) for compared in (sp.Lt, sp.Gt) for direction in (1, -1))


def _chord(compared: type[sp.Rel], direction: int) -> Schema:
    between, chord = f(c * p + (1 - c) * q), c * f(p) + (1 - c) * f(q)
    below = (compared is sp.Lt) is (direction > 0)
    return Schema(
        f"Convexity.value_between_two_of_a_strictly_{'convex' if direction > 0 else 'concave'}_function",
        Always(compared(*((between, chord) if below else (chord, between)))),
        (
            Needs(Curved(f(x), x, direction), on=True, by="shape"),
            Needs(Always(sp.Ne(p, q) & (0 < c) & (c < 1)), by="using", label="strictly between"),
            *IN_RANGE,
        ),
        given={"body": f(x), "variable": x, "on": J(x), "points": (p, q), "weight": c, "direction": direction},
        proof="intros; replace (q * (1 + -1 * c)) with ((1 - c) * q) by ring; "
        "replace (f q * (1 + -1 * c)) with ((1 - c) * f q) by ring; apply (@{theorem} J f p q c); tauto",
    )


@dataclass(frozen=True, eq=False)
class Chord(Schematic["Always"]):
    """Between two different points a strictly convex function is below its chord, a strictly concave one above it.

    ``body`` is the function of ``variable`` on the domain ``on``, ``points`` the two points and ``weight`` that of the
    first; ``shape`` is a rule for the curvature. The conclusion compares the value between with the mean of the values.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    points: tuple[Scalar, Scalar]
    weight: Scalar
    direction: int = 1
    shape: Rule | None = None
    using: Using = ()
    schemas = tuple(_chord(compared, direction) for compared in (sp.Lt, sp.Gt) for direction in (1, -1))


def _tangent(compared: type[sp.Rel], direction: int) -> Schema:
    above = f(p) - f(q) - d(q) * (p - q)
    return Schema(
        f"Tangents.{'convex' if direction > 0 else 'concave'}_function_lies_{'above' if direction > 0 else 'below'}"
        "_its_tangent",
        Always(compared(r, s) if compared is sp.Ge else compared(s, r)),
        (
            Needs(Valued(r)),
            Needs(Valued(s)),
            Needs(Curved(f(x), x, direction, strict=False), on=True, by="shape"),
            Needs(Slope(f(x), d(x)), on=True),
            *IN_RANGE,
            Needs(Equal(r - s, direction * above), label="the distance from the tangent"),
        ),
        given={
            "body": f(x),
            "variable": x,
            "on": J(x),
            "point": p,
            "at": q,
            "direction": direction,
            "slope": d(x),
        },
        proof="intros; apply (@{theorem} J f q p (d q)); [assumption | assumption | assumption | auto | lra]",
    )


@dataclass(frozen=True, eq=False)
class Tangent(Schematic["Always"]):
    """A convex function lies above its tangents, a concave one below: one side exceeds the other by the distance
    between the value at a point and the tangent at another one.

    ``body`` is the function of ``variable`` on the domain ``on``, ``point`` the point and ``at`` where the tangent
    touches; ``shape`` is a rule for the curvature, ``slope`` a form of the derivative, ``using`` for where the points
    lie.
    """

    body: Scalar
    variable: sp.Symbol
    on: Domain
    point: Scalar
    at: Scalar
    direction: int = 1
    shape: Rule | None = None
    slope: Scalar | None = None
    using: Using = ()
    schemas = tuple(_tangent(compared, direction) for compared in (sp.Le, sp.Ge) for direction in (1, -1))


@dataclass(frozen=True, eq=False)
class PositiveBetween(Schematic["Always"]):
    """A concave function, such as a linear one, that is positive at both ends of an interval is positive on it: so one
    side exceeds the other by its value at a point between.

    ``body`` is the function of ``variable``, ``lower`` and ``upper`` the ends and ``point`` that between them;
    ``at_lower`` and ``at_upper`` are for the signs at the ends.
    """

    body: Scalar
    variable: sp.Symbol
    point: Scalar
    lower: Scalar
    upper: Scalar
    at_lower: Using = ()
    at_upper: Using = ()
    schemas = tuple(
        Schema(
            "Tangents.concave_function_is_positive_between",
            Always(more),
            (
                Needs(Valued(r)),
                Needs(Valued(s)),
                Needs(Curved(f(x), x, -1, strict=False), (a <= x, x <= b)),
                Needs(Always((a <= q) & (q <= b)), label="the point lies between the ends"),
                Needs(Always(f(a) > 0), by="at_lower", label="at the lower end"),
                Needs(Always(f(b) > 0), by="at_upper", label="at the upper end"),
                Needs(Equal(r - s, f(q)), label="by how much"),
            ),
            given={"body": f(x), "variable": x, "point": q, "lower": a, "upper": b},
            proof="intros; apply (@{theorem} f a b q r s); first [assumption | lra]",
        )
        for more in (r > s, s < r)
    )
