"""Iterations of a map that falls and then rises: from every start to a fixed point."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.iterations import INTERVAL, START, STAYS, Iteration, OfIteration
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import Continuous, Needs, Schema, Valued, a, b, f, q, s, x, y
from grpo_symbolic.proof.statements.statement import Always, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class Converges(OfIteration):
    """The members converge, to a fixed point of the map in the interval."""

    def predicate(self) -> Phrase:
        return ("converges to a fixed point of this map between", self.lower, "and", self.upper)


@dataclass(frozen=True, eq=False)
class FallsThenRises(Schematic["Converges"]):
    """A continuous map of an interval into itself that falls up to a point and rises after it: where its least value
    lies before that point, the next one does so too, and no two numbers between them are exchanged.

    ``turn`` is that point, and ``later`` a letter for the larger of two numbers that might be exchanged. ``falls`` and
    ``rises`` are why the map is monotone, ``back`` is for the step after the least value, ``no_exchange`` for that
    no two numbers are exchanged.
    """

    turn: Scalar
    later: sp.Symbol
    falls: Rule | None = None
    rises: Rule | None = None
    back: Using = ()
    no_exchange: Using = ()
    schemas = (
        Schema(
            "Turning.falling_then_rising_map_converges",
            Converges(Iteration(f(x), x, s), a, b),
            (
                Needs(Valued(q)),
                Needs(Always((a <= q) & (q <= b)), label="the turning point lies in the interval"),
                START,
                *STAYS,
                Needs(Continuous(f(x)), INTERVAL),
                Needs(Monotone(f(x), x, -1, strict=False), (a <= x, x <= q), by="falls", label="falls"),
                Needs(Monotone(f(x), x, 1, strict=False), (q <= x, x <= b), by="rises", label="rises"),
                Needs(Always((f(q) < q) >> (f(f(q)) <= q)), by="back", label="the step after the least value"),
                Needs(
                    Always(sp.Not(sp.Eq(f(x), y) & sp.Eq(f(y), x), evaluate=False)),
                    (f(q) <= x, x < y, y <= q),
                    by="no_exchange",
                    label="no two are exchanged",
                ),
            ),
            given={"turn": q, "later": y},
            proof="intros; by_theorem (@{theorem} f a q b)",
        ),
    )
