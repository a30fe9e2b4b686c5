"""What holds in every entry of a family, because a sum vanishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import numbered
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, all_of, always, by_rule
from grpo_symbolic.proof.rules.supposed import together
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.statement import Equal, Exists, Phrase, listed
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class NothingLeft(Rule["InEveryEntry"]):
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
    theorems = ("Everywhere.nothing_is_left_in_any_entry",)

    def premises(self, conclusion: InEveryEntry, domain: Domain) -> Iterator[Premise]:
        label, index, size = conclusion.label, conclusion.index, sp.sympify(conclusion.size)
        if not conclusion.given:
            raise ClaimError(f"{label}: nothing is supposed from which anything could follow")
        if not isinstance(self.total, sp.Sum) or self.total.limits != (sp.Tuple(index, 1, size),):
            raise ClaimError(f"{label}: the sum is to run over {index} from 1 to {size}")
        if self.example:
            entries = conclusion.at(self.example)
            yield Premise(Exists(entries, self.example, label=f"{label}: what is supposed holds somewhere"), domain)
        elif any(isinstance(formula, sp.Equality) for formula in conclusion.given):
            raise ClaimError(f"{label}: equations are supposed, and no example= says where they hold in every entry")
        nothing = Equal(self.total, 0, label=f"{label}: the sum vanishes")
        yield Premise(by_rule(nothing, self.vanishes), domain)
        inside = numbered(index, sp.S.One, size, domain)
        form = sp.Eq(self.total.function, self.term, evaluate=False)
        yield Premise(always(conclusion.supposing(form), (), f"{label}: what a term is"), inside)
        least = sp.Ge(self.term, 0, evaluate=False)
        yield Premise(always(least, self.using, f"{label}: no term is negative"), inside)
        then = sp.Implies(sp.Eq(self.term, 0, evaluate=False), conclusion.then, evaluate=False)
        yield Premise(always(then, self.using, f"{label}: when a term is zero"), inside)


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
        """Refuse inequalities that are seen to hold for all numbers nowhere. Equations, which nobody finds by trying,
        need an example.
        """
        supposed = [formula for formula in self.given if not isinstance(formula, sp.Equality)]
        together(supposed, ((self.index, sp.S.One, sp.sympify(self.size)),), domain, self.label)

    def at(self, example: Point) -> sp.Basic:
        """What is given, of all entries that there are at a point."""
        size = sp.sympify(self.size).xreplace({k: sp.sympify(v) for k, v in example.items() if k.is_Symbol})
        if not size.is_Integer or size < 1:
            raise ClaimError(f"{self.label}: the example does not say how many entries there are")
        return all_of(
            [substituted(c, {self.index: k}) for c in self.given for k in map(sp.Integer, range(1, size + 1))]
        )

    def supposing(self, formula: sp.Basic) -> sp.Basic:
        """A formula for one entry, where what is given holds."""
        return sp.Implies(all_of(self.given), formula, evaluate=False)

    def phrase(self) -> Phrase:
        o, n, then = self.index, sp.sympify(self.size), self.then
        every = sp.And(sp.Le(1, o, evaluate=False), sp.Le(o, n, evaluate=False), evaluate=False)
        if isinstance(then, sp.Equality) and all(isinstance(e, sp.Indexed) and e.indices == (o,) for e in then.args):
            then = sp.Eq(*(e.base.label for e in then.args), evaluate=False)  # one and the same family
        return ("if", *listed(self.given), "for", every, ", then", then)
