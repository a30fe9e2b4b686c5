"""Rules, statements and lemmas that the package does not have, letters that stand for two things, citations deep
within.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

from sympy import IndexedBase, Symbol
from sympy.printing.printer import Printer

from false import claimed, false, true
from grpo_symbolic.paper import *
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation

UNIT = Domain(0 < x, x < 1)


@dataclass(frozen=True, eq=False)
class Nothing(Rule["Always"]):
    """A rule that asks for nothing."""

    theorems = ("Sentences.follows_from_instances",)

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        return iter(())


@dataclass(frozen=True, eq=False)
class Trifle(Rule["Always"]):
    """A rule that asks for something else."""

    theorems = ("Sentences.follows_from_instances",)

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        yield Premise(Equal(x, x), domain)


@dataclass(frozen=True)
class Another(Always):
    """A statement that owes less than it says."""

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        return Always(x > 0).obligations(domain)


@dataclass(frozen=True)
class Wished(Instance):
    """A lemma that there is not."""

    def formula(self, reading: Any) -> Any:
        return reading.formula(x > 2)


def above_five(x_above: Any) -> list[Claim]:
    """A claim that cites, without depending on it, that every positive x is above 5."""
    base = claimed(Domain(x > 0), Always(x > 5), id="above-five")
    return [claimed(Domain(x > 0), x_above(base)), base]


false("a rule of one's own", "x is below 2", lambda: (UNIT, Always(x > 2).by(Trifle())))
false(
    "a premise by a rule without premises",
    "x need not be above 1/2",
    lambda: (UNIT, Always(x > Rational(1, 2)).by(Then((Always(x > Rational(1, 2)).by(Nothing()),)))),
)
false("a statement of one's own", "x is below 2, and only its sign is shown", lambda: (UNIT, Another(x > 2)))
false("a lemma of one's own", "x is below 2", lambda: (UNIT, Always(x > 2, using=(Wished("exp_sign", (x,)),))))
false(
    "a refuted claim that is cited for a factor",
    "x is 1, and the claim on which it does not say that it depends is false",
    lambda: above_five(
        lambda base: Always(Gt(x, 5, evaluate=False)).by(PositiveFactors(x - 5, 1, of_one=Follows((at(base, {}),))))
    ),
)
false(
    "clipping, with one letter for ratio and advantage",
    "the square of the ratio is not ratio times advantage",
    lambda: (Domain(0 < epsilon, epsilon < 1), ClippingKeepsMaxima(x**2, x, x, epsilon)),
)
false(
    "solutions that are what moves",
    "x does not tend to 7 where it tends to 0",
    lambda: (UNIT, SolutionTends(x - 3, x, 0, 9, x, 0, 7).by(SqueezedSolution(7, 7, 1))),
)
true(
    "solutions between two bounds",
    lambda: (UNIT, SolutionTends(y - 2 * x, y, 0, 2, x, 0, 0).by(SqueezedSolution(0, 2 * x, 1))),
)
true(
    "a factor by a rule",
    lambda: (Domain(x > 6), Always(x > 5).by(PositiveFactors(x - 5, 1, of_one=Then((Always(x > 6),))))),
)
false("a direction that is none", "x does not decrease", lambda: (UNIT, Monotone(x, x, 0, strict=False)))


class Renamed(Symbol):
    """A letter that is written as another one."""

    def _sympystr(self, printer: Printer) -> str:
        return "y"


class RenamedFamily(IndexedBase):
    """A family that is written as another one."""

    def _sympystr(self, printer: Printer) -> str:
        return "r"


class RenamedEntry(Indexed):
    """An entry that is written as one of another family."""

    def _sympystr(self, printer: Printer) -> str:
        return "r[1]"


hidden, policy = Renamed("x", real=True), RenamedFamily("pi", real=True)
for what, on, formula in (
    ("a letter", Domain(x > 1, y), hidden > 0),
    ("a family", Domain(simplex(pi, n), reals(r, n), n >= 2), policy[1] > 0),
    ("an entry", Domain(simplex(pi, n), reals(r, n), n >= 2), RenamedEntry(pi, 1) > 0),
):
    false(
        f"{what} that is written as another one",
        "what is read is that one number is positive, what is said is that another one is, which may be −1",
        lambda on=on, formula=formula: (on, Always(formula)),
    )
