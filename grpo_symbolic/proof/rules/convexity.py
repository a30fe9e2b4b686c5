"""Roots of convex functions: there is one, and which side of it a point is on."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Curved
from grpo_symbolic.proof.rules.roots import inside_of, ordered, taken
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always, continuous, unmoved
from grpo_symbolic.proof.statement import Always, Statement, Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted


def _by(statement: Statement, rule: Rule | None) -> Statement:
    return statement if rule is None else statement.by(rule)


@dataclass(frozen=True, eq=False)
class ConvexBetweenLimits(Rule):
    """A continuous convex function whose limits at the ends of an open interval lie on different sides of a value takes
    it exactly once between them.

    ``shape`` and ``ends`` are rules for the curvature and the limits; without them these are asked of the engines.
    """

    limits: tuple[Any, Any]
    shape: Rule | None = None
    ends: Rule | None = None
    using: Using = ()
    concludes = ("OneRoot",)
    theorems = ("Convexity.exactly_one_root_if_convex_between_limits",)

    def premises(self, conclusion: Any, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        parameters = domain.apart_from(along)
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield from taken(conclusion, parameters)
        yield from ordered(low, high, self.using, parameters, label)
        yield continuous(body, along, inside).labelled(label)
        yield Premise(_by(Curved(body, along, 1, strict=False, label=label), self.shape), inside)
        for end, limit, side in zip((low, high), self.limits, "+-", strict=True):
            yield Premise(_by(Tends(body, along, end, limit, side, label=f"{label}: at {end}"), self.ends), parameters)
        yield Premise(always(_apart(self.limits, conclusion.value), self.using, f"{label}: the limits"), parameters)


def _apart(limits: tuple[Any, Any], value: Any) -> Any:
    """That limits, of which some may be infinite, lie on different sides of a value."""
    either = []
    for less, more in (limits, limits[::-1]):
        if less != sp.oo and more != -sp.oo:
            finite = [] if less == -sp.oo else [sp.Lt(less, value, evaluate=False)]
            finite += [] if more == sp.oo else [sp.Lt(value, more, evaluate=False)]
            either.append(sp.And(*finite, evaluate=False))
    return sp.Or(*either, evaluate=False) if len(either) > 1 else either[0]


@dataclass(frozen=True, eq=False)
class SideOfRoot(Rule):
    """A convex function that comes from below a value at the lower end is below it before the point at which it takes
    it, and above it after: where it stands at another point says on which side that point lies.

    ``body`` is the function of ``variable`` between ``lower`` and ``upper``, ``limit`` its limit at the lower end. The
    conclusion compares a point with the root: ``formula`` is a relation with the root on its right side. ``shape`` and
    ``end`` are rules for curvature and limit, ``at_root`` is for the value at the root, ``using`` for the one at the
    point.
    """

    body: Any
    variable: sp.Symbol
    limit: Any
    value: Any = sp.S.Zero
    lower: Any = sp.S.Zero
    upper: Any = sp.S.One
    shape: Rule | None = None
    end: Rule | None = None
    using: Using = ()
    at_root: Using = ()
    concludes = ("Always",)
    theorems = ("Convexity.side_of_the_root_of_a_convex_function",)

    def premises(self, conclusion: Any, domain: Domain) -> Iterator[Premise]:
        formula, along, label = conclusion.formula, self.variable, conclusion.label
        real_symbol(along)
        if along in domain.symbols or not isinstance(formula, _COMPARED):
            raise ClaimError(f"{label}: a relation between a point and the root, in letters other than {along}")
        unmoved(along, label, value=self.value)
        point, root = formula.args
        # what is known of the point and the root is not needed for the shape
        plain = [c for c in domain.constraints if not c.has(sp.Sum)]
        parameters = Domain(*domain.free, *domain.families, *plain)
        inside = parameters.also(*inside_of(along, (self.lower, self.upper), [True, True]))
        yield from ordered(sp.sympify(self.lower), sp.sympify(self.upper), (), parameters, label)
        yield Premise(_by(Curved(self.body, along, 1, strict=False, label=label), self.shape), inside)
        at_end = Tends(self.body, along, self.lower, self.limit, "+", label=f"{label}: at {self.lower}")
        yield Premise(_by(at_end, self.end), parameters)
        below = sp.Lt(self.limit, self.value, evaluate=False)
        yield Premise(Always(below, label=f"{label}: it comes from below"), parameters)
        for what, place in (("point", point), ("root", root)):
            lies = inside_of(place, (self.lower, self.upper), [True, True])
            here = sp.And(*lies, evaluate=False) if len(lies) > 1 else lies[0]
            yield Premise(Always(here, label=f"{label}: the {what} lies in the interval"), domain)
        there = sp.Eq(substituted(self.body, {along: root}), self.value, evaluate=False)
        yield Premise(always(there, self.at_root, f"{label}: the root"), domain)
        here = formula.func(substituted(self.body, {along: point}), self.value, evaluate=False)
        yield Premise(always(here, self.using, f"{label}: at the point"), domain)


_COMPARED = (sp.StrictLessThan, sp.StrictGreaterThan, sp.LessThan, sp.GreaterThan, sp.Equality)
