"""What holds in every entry of a family, because a sum vanishes."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import E, G, Needs, Schema, Somewhere, f, g, i, n
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, listed
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class InEveryEntry(Conclusion):
    """If what is ``given`` holds for every ``index`` from 1 to ``size``, then so does ``then``."""

    given: tuple[sp.Basic, ...]
    then: sp.Basic
    index: sp.Symbol
    size: Scalar
    label: str = "in every entry"
    claimed = ("then",)
    binds = ("index",)

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse a formula without the index: where there are no entries it would be claimed all the same."""
        if self.index not in sp.sympify(self.then).free_symbols:
            raise ClaimError(f"{self.label}: {self.then} is to be said of the entry {self.index}")

    def phrase(self) -> Phrase:
        o, n = self.index, sp.sympify(self.size)
        every = sp.And(sp.Le(1, o, evaluate=False), sp.Le(o, n, evaluate=False), evaluate=False)
        return ("if", *listed(self.given), "for", every, ", then", self.then)


_TOTAL = sp.Sum(f(i), (i, 1, n))


@dataclass(frozen=True, eq=False)
class NothingLeft(Schematic["InEveryEntry"]):
    """A sum vanishes, and by what is supposed of every entry its terms are numbers that are not negative: so all are
    zero, and what follows from that holds in every entry.

    ``term`` is the form that the terms of the sum ``total`` have under the supposition, an expression in the index of
    the conclusion; ``vanishes`` is the rule for the sum, ``using`` for the sign of the form and for its zeros. Where
    equations are supposed, ``example`` is a point at which they hold in every entry, as :class:`Exists` takes it.
    """

    total: sp.Expr
    term: Scalar
    vanishes: Rule | None = None
    using: Using = ()
    example: Point = field(default_factory=dict)
    schemas = (
        Schema(
            "Everywhere.nothing_is_left_in_any_entry",
            InEveryEntry((G(i),), E(i), i, n),
            (
                Needs(Somewhere(G(i)), by="example", label="what is supposed holds somewhere"),
                Needs(Equal(_TOTAL, 0), by="vanishes", label="the sum vanishes"),
                Needs(Always(G(i) >> sp.Eq(f(i), g(i), evaluate=False)), label="what a term is"),
                Needs(Always(g(i) >= 0), by="using", label="no term is negative"),
                Needs(Always(sp.Eq(g(i), 0, evaluate=False) >> E(i)), by="using", label="when a term is zero"),
            ),
            given={"total": _TOTAL, "term": g(i)},
            proof="intros E G f g n H1 H2 H3 H4 H5 H; apply every_number; apply (@{theorem} n (fun i => f (S i)) "
            "(fun i => g (S i)) (fun i => G (S i)) (fun i => E (S i))); numbered",
        ),
    )
