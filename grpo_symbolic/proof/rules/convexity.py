"""Roots of convex functions: there is one, and which side of it a point is on."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.roots import OneRoot, inside_of, ordered, taken
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    all_of,
    always,
    by_rule,
    continuous,
    hold,
    interval_in,
    known_families,
    unmoved,
)
from grpo_symbolic.proof.rules.squeeze import approaching, ranged
from grpo_symbolic.proof.statement import EACH_OTHER, Always, Equal, Phrase, Tends, real_symbol
from grpo_symbolic.proof.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class ConvexBetweenLimits(Rule["OneRoot"]):
    """A continuous convex function whose limits at the ends of an open interval lie on different sides of a value takes
    it exactly once between them.

    ``shape`` and ``ends`` are rules for the curvature and the limits; without them these are asked of the engines.
    """

    limits: tuple[Scalar, Scalar]
    shape: Rule | None = None
    ends: Rule | None = None
    using: Using = ()
    theorems = ("Convexity.exactly_one_root_if_convex_between_limits",)

    def premises(self, conclusion: OneRoot, domain: Domain) -> Iterator[Premise]:
        real_symbol(conclusion.variable)
        along, label, body = conclusion.variable, conclusion.label, conclusion.body
        parameters = domain.apart_from(along)
        low, high = map(sp.sympify, (conclusion.lower, conclusion.upper))
        inside = parameters.also(*inside_of(along, (low, high), [True, True]))
        yield from taken(conclusion, parameters)
        yield from ordered(low, high, self.using, parameters, label)
        yield continuous(body, along, inside).labelled(label)
        yield Premise(by_rule(Curved(body, along, 1, strict=False, label=label), self.shape), inside)
        for end, limit, side in zip((low, high), self.limits, "+-", strict=True):
            yield Premise(
                by_rule(Tends(body, along, end, limit, side, label=f"{label}: at {end}"), self.ends), parameters
            )
        yield Premise(always(_apart(self.limits, conclusion.value), self.using, f"{label}: the limits"), parameters)


def _apart(limits: tuple[sp.Expr, sp.Expr], value: sp.Expr) -> sp.logic.boolalg.Boolean:
    """That limits, of which some may be infinite, lie on different sides of a value."""
    either = []
    for less, more in (limits, limits[::-1]):
        if less != sp.oo and more != -sp.oo:
            finite = [] if less == -sp.oo else [sp.Lt(less, value, evaluate=False)]
            finite += [] if more == sp.oo else [sp.Lt(value, more, evaluate=False)]
            either.append(sp.And(*finite, evaluate=False))
    return sp.Or(*either, evaluate=False) if len(either) > 1 else either[0]


@dataclass(frozen=True, eq=False)
class SideOfRoot(Rule["Always"]):
    """A convex function that comes from below a value at the lower end is below it before the point at which it takes
    it, and above it after: where it stands at another point says on which side that point lies.

    ``body`` is the function of ``variable`` between ``lower`` and ``upper``, ``limit`` its limit at the lower end. The
    conclusion compares a point with the root, which stands on the right; it may suppose something (``Implies``), such
    as that the root is one. ``shape`` and ``end`` are rules for curvature and limit, ``at_root`` is for the value at
    the root, ``using`` for the one at the point.
    """

    body: Scalar
    variable: sp.Symbol
    limit: Scalar
    value: Scalar = sp.S.Zero
    lower: Scalar = sp.S.Zero
    upper: Scalar = sp.S.One
    shape: Rule | None = None
    end: Rule | None = None
    using: Using = ()
    at_root: Using = ()
    theorems = ("Convexity.side_of_the_root_of_a_convex_function",)

    def premises(self, conclusion: Always, domain: Domain) -> Iterator[Premise]:
        along, label = self.variable, conclusion.label
        given, formula = _supposed(conclusion.formula)
        real_symbol(along)
        if along in domain.symbols or not isinstance(formula, _COMPARED):
            raise ClaimError(f"{label}: a relation between a point and the root, in letters other than {along}")
        unmoved(along, label, value=self.value)
        point, root = formula.args
        inside = domain.also(*inside_of(along, (self.lower, self.upper), [True, True]))
        yield from ordered(sp.sympify(self.lower), sp.sympify(self.upper), (), domain, label)
        yield Premise(by_rule(Curved(self.body, along, 1, strict=False, label=label), self.shape), inside)
        at_end = Tends(self.body, along, self.lower, self.limit, "+", label=f"{label}: at {self.lower}")
        yield Premise(by_rule(at_end, self.end), domain)
        below = sp.Lt(self.limit, self.value, evaluate=False)
        yield Premise(Always(below, label=f"{label}: it comes from below"), domain)
        for what, place in (("point", point), ("root", root)):
            lies = inside_of(place, (self.lower, self.upper), [True, True])
            yield Premise(Always(given(all_of(lies)), label=f"{label}: the {what} lies in the interval"), domain)
        there = given(sp.Eq(substituted(self.body, {along: root}), self.value, evaluate=False))
        yield Premise(always(there, self.at_root, f"{label}: the root"), domain)
        here = given(formula.func(substituted(self.body, {along: point}), self.value, evaluate=False))
        yield Premise(always(here, self.using, f"{label}: at the point"), domain)


def _supposed(formula: sp.Basic) -> tuple[Callable[[sp.Basic], sp.Basic], sp.Basic]:
    """What puts the hypothesis of an implication before a formula, and the implication's conclusion."""
    if not isinstance(formula, sp.Implies):
        return (lambda part: part), formula
    hypothesis, then = formula.args
    return (lambda part: sp.Implies(hypothesis, part, evaluate=False)), then


@dataclass(frozen=True, eq=False)
class FallsToTheMiddle(Rule["Monotone"]):
    """A strictly convex function that is symmetric about a point decreases strictly up to it.

    ``middle`` is that point and ``on`` the interval of convexity, in the same letters; ``shape`` is a rule for the
    curvature and ``mirrored`` for the symmetry.
    """

    middle: Scalar
    on: Domain
    shape: Rule | None = None
    mirrored: Rule | None = None
    theorems = ("Convexity.symmetric_convex_function_decreases_up_to_the_middle",)

    def premises(self, conclusion: Monotone, domain: Domain) -> Iterator[Premise]:
        along, label, body, on = conclusion.variable, conclusion.label, conclusion.body, self.on
        real_symbol(along)
        interval_in(along, domain)
        interval_in(along, on)
        unmoved(along, label, middle=self.middle)
        known_families(on, domain)
        if conclusion.direction > 0 or not conclusion.strict:
            raise ClaimError(f"{label}: up to its middle a convex function is strictly decreasing")
        mirror = 2 * self.middle - along
        within = sp.And(*on.constraints, sp.Le(along, self.middle, evaluate=False), evaluate=False)
        yield Premise(Always(within, label=f"{label}: a part of the interval, before its middle"), domain)
        yield Premise(by_rule(Curved(body, along, 1, label=label), self.shape), on)
        inside = sp.And(*(substituted(c, {along: mirror}) for c in on.constraints if c.has(along)), evaluate=False)
        yield Premise(Always(inside, label=f"{label}: an interval about the middle"), on)
        same = Equal(body, substituted(body, {along: mirror}), label=f"{label}: symmetric")
        yield Premise(by_rule(same, self.mirrored), on)


_COMPARED = (sp.StrictLessThan, sp.StrictGreaterThan, sp.LessThan, sp.GreaterThan, sp.Equality)


@dataclass(frozen=True, eq=False)
class SqueezedSolution(Rule["SolutionTends"]):
    """Every solution lies between two functions of what moves that tend to one number: so it tends to it.

    ``low`` and ``high`` are these, ``until`` the other end of the range of what moves on which they enclose; ``using``
    is for that they do.
    """

    low: Scalar
    high: Scalar
    until: Scalar
    using: Using = ()
    theorems = ("Convexity.solution_between_limits",)

    def premises(self, conclusion: SolutionTends, domain: Domain) -> Iterator[Premise]:
        near, parameters, inside = conclusion.places(self.until, domain)
        label, along, variable = conclusion.label, conclusion.along, conclusion.variable
        unmoved(variable, label, low=self.low, high=self.high)
        yield from ranged(conclusion.point, self.until, conclusion.side, parameters, label)
        root = sp.Eq(conclusion.body, 0, evaluate=False)
        for bound, where in (
            (sp.Le(self.low, variable, evaluate=False), "below"),
            (sp.Le(variable, self.high, evaluate=False), "above"),
        ):
            enclosed = sp.Implies(root, bound, evaluate=False)
            yield Premise(always(enclosed, self.using, f"{label}: where it lies, from {where}"), near.also(*inside))
        for bound, where in ((self.low, "lower"), (self.high, "upper")):
            limit = f"{label}: the {where} bound"
            tends = Tends(bound, along, conclusion.point, conclusion.value, conclusion.side, label=limit)
            yield Premise(tends, parameters)


@dataclass(frozen=True, eq=False)
class SolutionOfLimit(Rule["SolutionTends"]):
    """A function that is convex in its variable, and comes from below 0 at the lower end, tends to another one at each
    of its values; where that is negative before a point and positive after it, the solution tends to this point.

    ``limit`` is that function; ``at_end`` is the limit of the body at the lower end, where ``until`` ends the range of
    what moves on which this holds. ``shape`` and ``end`` are rules for curvature and limit at the end, ``before`` and
    ``after`` for the signs of the limit.
    """

    limit: Scalar
    at_end: Scalar
    until: Scalar
    shape: Rule | None = None
    end: Rule | None = None
    before: Using = ()
    after: Using = ()
    theorems = ("Convexity.solution_tends_to_that_of_the_limit",)

    def premises(self, conclusion: SolutionTends, domain: Domain) -> Iterator[Premise]:
        near, parameters, inside = conclusion.places(self.until, domain)
        label, along, variable = conclusion.label, conclusion.along, conclusion.variable
        lower, upper, value = conclusion.lower, conclusion.upper, conclusion.value
        unmoved(along, label, limit=self.limit)
        yield from ranged(conclusion.point, self.until, conclusion.side, parameters, label)
        lies = (sp.Le(lower, value), sp.Le(value, upper))
        yield from hold(lies, parameters, f"{label}: it lies in the interval")
        yield from ordered(sp.sympify(lower), sp.sympify(upper), (), parameters, label)
        body = conclusion.body
        yield Premise(by_rule(Curved(body, variable, 1, strict=False, label=label), self.shape), near.also(*inside))
        at_end = Tends(body, variable, lower, self.at_end, "+", label=f"{label}: at {lower}")
        yield Premise(by_rule(at_end, self.end), near)
        below = sp.Lt(self.at_end, 0, evaluate=False)
        yield Premise(Always(below, label=f"{label}: it comes from below"), near)
        everywhere = parameters.also(*inside)
        tends = Tends(body, along, conclusion.point, self.limit, conclusion.side, label=f"{label}: at each {variable}")
        yield Premise(tends, everywhere)
        yield from conclusion.crossed_by(self.limit, everywhere, self.before, self.after)


@dataclass(frozen=True)
class SolutionTends(Conclusion):
    """Every ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` is 0 tends to ``value`` as
    ``along`` tends to ``point`` from the ``side``, however it is chosen. The domain constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    along: sp.Symbol
    point: Scalar
    value: Scalar
    side: str = "+"
    label: str = "limit of the solution"
    claimed = ("value",)
    binds = ("variable", "along")
    ranges = True
    carried = EACH_OTHER

    @property
    def subject(self) -> Phrase:
        """What tends to the value, in words."""
        zero = sp.Eq(self.body, 0, evaluate=False)
        return ("every", self.variable, "strictly between", self.lower, "and", self.upper, "with", zero)

    def phrase(self) -> Phrase:
        side = {"+": "from above", "-": "from below"}[self.side] if sp.sympify(self.point).is_finite else ""
        tends = ("tends to", self.value, "as", self.along, "tends to", self.point)
        return (*self.subject, *tends, *([side] if side else ()))

    def places(self, until: sp.Expr, domain: Domain) -> tuple[Domain, Domain, tuple[sp.Basic, ...]]:
        """The domain as the moving letter approaches its point, that of the other letters, and the interval.

        Raises :class:`ClaimError` for a value or an end that moves.
        """
        real_symbol(self.variable)
        unmoved(self.along, self.label, value=self.value, lower=self.lower, upper=self.upper, range=until)
        unmoved(self.variable, self.label, value=self.value, range=until)
        if self.side not in ("+", "-"):
            raise ClaimError(f"{self.label}: from above or from below")
        if any(sp.sympify(e).is_infinite for e in (self.lower, self.upper, self.value)):
            raise ClaimError(f"{self.label}: the solution lies between two numbers, and tends to one")
        parameters = domain.apart_from(self.variable).apart_from(self.along)
        near = parameters.also(*approaching(self.along, sp.sympify(self.point), until, self.side))
        return near, parameters, inside_of(self.variable, (self.lower, self.upper), [True, True])

    def crossed_by(self, limit: sp.Expr, everywhere: Domain, before: Using, after: Using) -> Iterator[Premise]:
        """That a limiting function is negative before the value and positive after it, inside the interval."""
        value, variable = self.value, self.variable
        if value != self.lower:
            left = everywhere.also(sp.Lt(variable, value, evaluate=False))
            yield Premise(always(sp.Lt(limit, 0, evaluate=False), before, f"{self.label}: the limit before it"), left)
        if value != self.upper:
            right = everywhere.also(sp.Lt(value, variable, evaluate=False))
            yield Premise(always(sp.Gt(limit, 0, evaluate=False), after, f"{self.label}: the limit after it"), right)
