"""How often a function takes a value at most, by how often its derivative vanishes."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.roots import Solutions
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import A, B, N, Needs, P, Schema, Slope, U, Valued, c, d, f, g, x
from grpo_symbolic.proof.statements.statement import Always, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class AtMost(Solutions):
    """``body`` takes ``value`` for at most ``most`` values of ``variable`` strictly between ``lower`` and ``upper``."""

    label: str = "at most so often"
    most: int = 1

    @property
    def expression(self) -> sp.Basic:
        solutions = sp.ConditionSet(self.variable, self.equation, sp.Interval.open(self.lower, self.upper))
        return sp.Le(sp.Function("card")(solutions), self.most, evaluate=False)

    def phrase(self) -> Phrase:
        inside = ("strictly between", self.lower, "and", self.upper)
        how_many = ("one value of",) if self.most == 1 else (sp.Integer(self.most), "values of")
        return (self.equation, "for at most", *how_many, self.variable, *inside)


_INSIDE = (A < x, x < B)


@dataclass(frozen=True, eq=False)
class Rolle(Schematic["AtMost"]):
    """A differentiable function takes a value at most once more than its derivative vanishes.

    ``slope`` is a form of the derivative; ``zeros`` is the rule for how often it vanishes.
    """

    zeros: Rule
    slope: Scalar | None = None
    schemas = (
        Schema(
            "Rolle.a_value_is_taken_once_more_than_the_derivative_vanishes",
            AtMost(f(x), x, A, B, c, most=N + 1),
            (
                Needs(Valued(c)),
                Needs(Slope(f(x), d(x)), _INSIDE),
                Needs(AtMost(d(x), x, A, B, 0, most=N), by="zeros", label="where the slope vanishes"),
            ),
            given={"slope": d(x)},
            proof="intros; apply (@{theorem} N f d A B c); [intros z' [? ?]; apply H2; assumption | assumption]",
        ),
    )


@dataclass(frozen=True, eq=False)
class Among(Schematic["AtMost"]):
    """Wherever a function takes a value another one vanishes, in an interval that may be smaller: so it does not take
    the value more often.

    ``other`` vanishes between ``lower`` and ``upper``; ``zeros`` is the rule for how often; ``using`` is for the fact
    that the values are among the zeros.
    """

    other: Scalar
    lower: Scalar
    upper: Scalar
    zeros: Rule
    using: Using = ()
    schemas = (
        Schema(
            "Rolle.at_most_as_many_as_in_a_larger_set",
            AtMost(f(x), x, A, B, c, most=N),
            (
                Needs(Valued(c)),
                Needs(
                    Always(sp.Eq(f(x), c) >> ((P < x) & (x < U) & sp.Eq(g(x), 0))),
                    _INSIDE,
                    by="using",
                    label="among these",
                ),
                Needs(AtMost(g(x), x, P, U, 0, most=N), by="zeros", label="these"),
                Needs(Always(A < B), sense=True, label="the interval"),
            ),
            given={"other": g(x), "lower": P, "upper": U},
            proof="intros; refine (@{theorem} N _ _ _ H3); intros z' [[Hl Hu] E']; cbv beta in *; "
            "destruct (H2 z' Hl Hu E') as [? [? ?]]; repeat split; assumption",
        ),
    )


@dataclass(frozen=True, eq=False)
class Nowhere(Schematic["AtMost"]):
    """A value that a function takes nowhere. ``using`` is for that."""

    using: Using = ()
    schemas = (
        Schema(
            "Rolle.none_where_there_is_none",
            AtMost(f(x), x, A, B, c, most=0),
            (
                Needs(Valued(c)),
                Needs(Always(sp.Ne(f(x), c)), _INSIDE, by="using", label="nowhere"),
                Needs(Always(A < B), sense=True, label="the interval"),
            ),
            proof="intros; apply @{theorem}; intros z' [[Hl Hu] E']; exact (H2 z' Hl Hu E')",
        ),
    )
