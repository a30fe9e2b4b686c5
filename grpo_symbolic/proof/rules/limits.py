"""Limits that follow from limits."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.rules.rule import Premise, Rule, Using, always, unmoved
from grpo_symbolic.proof.statement import Always, Tends


@dataclass(frozen=True, eq=False)
class Squeezed(Rule):
    """What lies between two functions, or sequences, that tend to one number tends to it too.

    ``low`` and ``high`` are these two; ``until`` is the other end of the range on which they enclose: for a limit at
    infinity its beginning, otherwise the end away from the point. ``above`` and ``below`` are for the two inequalities.
    """

    low: Any
    high: Any
    until: Any
    above: Using = ()  # that the function is at least ``low``
    below: Using = ()  # that it is at most ``high``
    concludes = ("Tends",)
    theorems = ("Limits.limit_between_limits",)

    def premises(self, conclusion: Any, domain: Domain) -> Iterator[Premise]:
        along, label, until = conclusion.variable, conclusion.label, sp.sympify(self.until)
        point, parameters = sp.sympify(conclusion.point), domain.apart_from(conclusion.variable)
        unmoved(along, label, range=until)
        if not sp.sympify(conclusion.value).is_finite is not False or conclusion.side not in "+-":
            raise ClaimError(f"{label}: a limit between limits is finite, and from one side")
        near = self._near(along, point, until, conclusion.side, parameters)
        if point.is_finite is not False and until.is_finite is not False:
            order = sp.Lt(*((point, until) if conclusion.side == "+" else (until, point)), evaluate=False)
            if order != sp.true:
                yield Premise(Always(order, label=f"{label}: a range"), parameters)
        at_least, at_most = (
            sp.Le(self.low, conclusion.body, evaluate=False),
            sp.Le(conclusion.body, self.high, evaluate=False),
        )
        yield Premise(always(at_least, self.above, f"{label}: from below"), near)
        yield Premise(always(at_most, self.below, f"{label}: from above"), near)
        for bound, where in ((self.low, "lower"), (self.high, "upper")):
            limit = Tends(bound, along, point, conclusion.value, conclusion.side, label=f"{label}: the {where} one")
            yield Premise(limit, parameters)

    @staticmethod
    def _near(along: sp.Symbol, point: Any, until: Any, side: str, parameters: Domain) -> Domain:
        """The domain on which the variable approaches the point."""
        if point == -sp.oo:
            return parameters.also(sp.Le(along, until, evaluate=False))
        if point == sp.oo:
            return parameters.also(sp.Ge(along, until, evaluate=False))
        inner, outer = (sp.Lt, sp.Gt) if side == "+" else (sp.Gt, sp.Lt)
        end = [] if until.is_infinite else [outer(until, along, evaluate=False)]
        return parameters.also(inner(point, along, evaluate=False), *end)
