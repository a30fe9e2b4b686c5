"""Solutions that leave a place where a function is positive, while what it takes at them vanishes."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import TYPE_CHECKING

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.roots import inside_of, ordered
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always, by_rule, continuous, unmoved
from grpo_symbolic.proof.rules.squeeze import ranged
from grpo_symbolic.proof.statement import Tends
from grpo_symbolic.scalars import Scalar

if TYPE_CHECKING:
    from grpo_symbolic.proof.rules.convexity import SolutionTends


@dataclass(frozen=True, eq=False)
class LeavesAPositive(Rule["SolutionTends"]):
    """At the solution a continuous positive function is what the moving letter still lacks to its point: so the
    solution leaves every place but the upper end.

    ``form`` is that function, from ``start`` to the upper end, and ``limit`` its limit at ``start``, positive or
    infinite; ``until`` ends the range of what moves. ``beyond`` is for the solution being after ``start``, ``at_root``
    for what the function is there, ``positive`` for its sign, ``end`` the rule for its limit, ``apart`` for the sign of
    that, ``defined`` the rule for its having a value.
    """

    form: Scalar
    start: Scalar
    limit: Scalar
    until: Scalar
    beyond: Using = ()
    at_root: Using = ()
    positive: Using = ()
    apart: Using = ()
    end: Rule | None = None
    defined: Rule | None = None
    theorems = ("Leaving.root_leaves_where_a_function_is_positive",)

    def premises(self, conclusion: SolutionTends, domain: Domain) -> Iterator[Premise]:
        near, parameters, inside = conclusion.places(self.until, domain)
        label, along, variable, body = conclusion.label, conclusion.along, conclusion.variable, conclusion.body
        if conclusion.value != conclusion.upper:
            raise ClaimError(f"{label}: it leaves towards the upper end, {conclusion.upper}")
        if sp.sympify(conclusion.point).is_infinite:
            raise ClaimError(f"{label}: what moves tends to a number, from which it has a distance")
        unmoved(along, label, form=self.form, limit=self.limit, start=self.start)
        unmoved(variable, label, limit=self.limit, start=self.start)
        yield from ranged(conclusion.point, self.until, conclusion.side, parameters, label)
        yield from ordered(sp.sympify(self.start), sp.sympify(conclusion.upper), (), parameters, label)
        root = sp.Eq(body, 0, evaluate=False)
        after = inside_of(variable, (self.start, conclusion.upper), [True, True])
        if self.start != conclusion.lower:
            later = sp.Implies(root, sp.Lt(self.start, variable, evaluate=False), evaluate=False)
            yield Premise(always(later, self.beyond, f"{label}: the solution is after the start"), near.also(*inside))
        lacks = along - conclusion.point if conclusion.side == "+" else conclusion.point - along
        same = sp.Implies(root, sp.Eq(self.form, lacks, evaluate=False), evaluate=False)
        yield Premise(always(same, self.at_root, f"{label}: the function there"), near.also(*inside, *after))
        everywhere = parameters.also(*after)
        unbroken = continuous(self.form, variable, everywhere).labelled(label)
        yield Premise(by_rule(unbroken.statement, self.defined), everywhere)
        positive = sp.Gt(self.form, 0, evaluate=False)
        yield Premise(always(positive, self.positive, f"{label}: it is positive"), everywhere)
        limit = sp.sympify(self.limit)
        tends = Tends(self.form, variable, self.start, limit, "+", label=f"{label}: at {self.start}")
        yield Premise(by_rule(tends, self.end), parameters)
        if limit == -sp.oo:
            raise ClaimError(f"{label}: a positive function does not tend to {limit}")
        if limit != sp.oo:
            yield Premise(always(sp.Gt(limit, 0, evaluate=False), self.apart, f"{label}: the limit"), parameters)
