"""What a density says of the probability of small sets."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, real_symbol
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class ContinuousDensity(Rule["MassNear"]):
    """An interval, or a rectangle of pairs of numbers, that shrinks to a point has a probability of its size times the
    density, up to a factor that tends to 1, where the density is continuous at the point and positive.
    """

    theorems = ("Densities.mass_of_a_short_interval", "Densities.mass_of_a_small_rectangle")

    def theorem(self, conclusion: MassNear) -> str:
        return self.theorems[len(conclusion.sides) - 1]

    def premises(self, conclusion: MassNear, domain: Domain) -> Iterator[Premise]:
        label, length = conclusion.label, conclusion.length
        real_symbol(length)
        if len(conclusion.sides) not in (1, 2):
            raise ClaimError(f"{label}: the rule knows densities of numbers and of pairs of numbers")
        parts = sp.Tuple(conclusion.density, *(sp.Tuple(*side) for side in conclusion.sides))
        if length in domain.symbols or parts.has(length):
            raise ClaimError(f"{label}: {length} tends to 0, and nothing but the size moves with it")
        positive = sp.Gt(conclusion.density, 0, evaluate=False)
        yield Premise(Always(positive, label=f"{label}: the density is positive"), domain)
        for low, high in conclusion.sides:
            yield Premise(Always(sp.Lt(low, high, evaluate=False), label=f"{label}: two ends"), domain)
        whole = sp.Mul(*((high - low) * length for low, high in conclusion.sides))
        yield Premise(Equal(conclusion.size, whole, label=f"{label}: the size"), domain.also(length > 0))


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
    rule = ContinuousDensity()
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
