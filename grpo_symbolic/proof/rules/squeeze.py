"""Limits that follow from limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always, unmoved
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Tends
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class Squeezed(Rule["Tends"]):
    """What lies between two functions, or sequences, that tend to one number tends to it too.

    ``low`` and ``high`` are these two; ``until`` is the other end of the range on which they enclose: for a limit at
    infinity its beginning, otherwise the end away from the point. ``above`` and ``below`` are for the two inequalities.
    """

    low: Scalar
    high: Scalar
    until: Scalar
    above: Using = ()  # that the function is at least ``low``
    below: Using = ()  # that it is at most ``high``
    theorems = ("Squeeze.limit_between_limits",)

    def premises(self, conclusion: Tends, domain: Domain) -> Iterator[Premise]:
        along, label, until = conclusion.variable, conclusion.label, sp.sympify(self.until)
        parameters = domain.apart_from(along)
        unmoved(along, label, range=until)
        if sp.sympify(conclusion.value).is_infinite or conclusion.side not in ("+", "-"):
            raise ClaimError(f"{label}: a limit between limits is finite, and from one side")
        point = sp.sympify(conclusion.point)
        yield from ranged(point, until, conclusion.side, parameters, label)
        near = parameters.also(*approaching(along, point, until, conclusion.side))
        at_least, at_most = (
            sp.Le(self.low, conclusion.body, evaluate=False),
            sp.Le(conclusion.body, self.high, evaluate=False),
        )
        yield Premise(always(at_least, self.above, f"{label}: from below"), near)
        yield Premise(always(at_most, self.below, f"{label}: from above"), near)
        for bound, where in ((self.low, "lower"), (self.high, "upper")):
            limit = Tends(bound, along, point, conclusion.value, conclusion.side, label=f"{label}: the {where} one")
            yield Premise(limit, parameters)


def approaching(along: sp.Symbol, point: sp.Expr, until: sp.Expr, side: str) -> tuple[sp.Rel, ...]:
    """The constraints under which a variable approaches a point, or infinity, from one side; ``until`` ends the range
    away from it.
    """
    if point == -sp.oo:
        return (sp.Le(along, until, evaluate=False),)
    if point == sp.oo:
        return (sp.Ge(along, until, evaluate=False),)
    inner, outer = (sp.Lt, sp.Gt) if side == "+" else (sp.Gt, sp.Lt)
    end = () if sp.sympify(until).is_infinite else (outer(until, along, evaluate=False),)
    return (inner(point, along, evaluate=False), *end)


def ranged(point: sp.Expr, until: sp.Expr, side: str, parameters: Domain, label: str) -> Iterator[Premise]:
    """That ``until`` lies on the side from which the point is approached."""
    ends = (sp.sympify(point), sp.sympify(until))
    if any(e.is_infinite for e in ends):
        if ends[0] == ends[1] or (ends[1].is_infinite and (ends[1] == sp.oo) is not (side == "+")):
            raise ClaimError(f"{label}: nothing lies between {point} and {until}")
        return
    order = sp.Lt(*(ends if side == "+" else ends[::-1]), evaluate=False)
    if not all(e.is_Rational for e in ends) or not order.doit():
        yield Premise(Always(order, label=f"{label}: a range"), parameters)
