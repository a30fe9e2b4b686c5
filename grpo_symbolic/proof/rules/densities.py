"""The probability of small sets, by a density."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion
from grpo_symbolic.proof.rules.schema import Needs, Schema, a, b, c, f, k, p, t
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class MassNear(Conclusion):
    """For every law with a density that is integrable near a point and continuous there, with the value ``density``:
    the probability of the numbers whose differences from it lie between two multiples of ``length`` (``sides``: such a
    pair for each number that is drawn), over ``size`` times the density, tends to 1 as ``length`` falls to 0.
    """

    density: Scalar
    length: sp.Symbol
    sides: tuple[tuple[Scalar, Scalar], ...]
    size: Scalar
    label: str = "probability near a point"
    claimed = ("size",)
    binds = ("length",)
    ranges = True

    def phrase(self) -> Phrase:
        drawn = "numbers" if len(self.sides) == 1 else "pairs of numbers"
        law = (f"for every law of {drawn} with a density integrable near a point and continuous there, of the value",)
        ends = (
            part
            for low, high in self.sides
            for part in ("and", sp.sympify(low) * self.length, "to", sp.sympify(high) * self.length)
        )
        _, *between = ends
        mass = (self.density, ": the probability of a draw whose differences from the point lie from", *between)
        expected = sp.sympify(self.size) * self.density
        tends = (", divided by", expected, ", tends to 1 as", self.length, "falls to 0")
        return (*law, *mass, *tends)


def _shrinking(theorem: str, point: str, *sides: tuple[sp.Symbol, sp.Symbol]) -> Schema:
    """An interval, or a rectangle, with these ends in units of a length."""
    ends = " ".join(str(end) for side in sides for end in side)
    return Schema(
        f"Densities.{theorem}",
        MassNear(k, t, sides, f(t)),
        (
            Needs(Always(k > 0), label="the density is positive"),
            *(Needs(Always(low < high), label="two ends") for low, high in sides),
            Needs(Equal(f(t), sp.Mul(*((high - low) * t for low, high in sides))), (t > 0,), label="the size"),
        ),
        proof=f"intros; subst k; sized f (@{{theorem}} f' {point} {ends} r')",
    )


@dataclass(frozen=True, eq=False)
class ContinuousDensity(Schematic["MassNear"]):
    """An interval, or a rectangle of pairs of numbers, that shrinks to a point has a probability of its size times the
    density, up to a factor that tends to 1, where the density is continuous at the point and positive.
    """

    schemas = (
        _shrinking("mass_of_a_short_interval", "z'", (a, b)),
        _shrinking("mass_of_a_small_rectangle", "z' y'", (a, b), (c, p)),
    )


MassNear.rule = ContinuousDensity()
