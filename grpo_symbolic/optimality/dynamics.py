"""Dynamics of the success probability under verifiable rewards: the map ``p ↦ h(p)``, its fixed points, folds and
limits.

A reward is 0 or 1, so a policy is known by its success probability. With the advantages ω⁺(y), −ω⁻(y) frozen at the
old policy y, the policy that maximises ``ω⁺ x − ω⁻ (1 − x) − β D(x ‖ p_ref)`` is the next one. For the direct KL that
gives ``logit h(y) = logit p_ref + (ω⁺ + ω⁻)/β``. Sources: Mroueh (2025), equations (3)–(9), Theorems 1–4; Vojnovic &
Yun (2025), equations (14), (15), (17), (19) and Appendix B.2.

>>> from grpo_symbolic.optimality.dynamics import SuccessRecursion
>>> run = SuccessRecursion(p_ref=0.2, beta=2, group_size=sp.oo, penalty="reverse-kl")
>>> [point.stability for point in run.fixed_points()]
['stable', 'unstable', 'stable']
>>> run.limit().kind
'converges'
"""

from __future__ import annotations

import math
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache, partial
from typing import Any, Literal

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.notation import guard as _guard
from grpo_symbolic.notation import success, success_ref
from grpo_symbolic.notation import x as _new
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.objectives.own import exact
from grpo_symbolic.optimality.enclosure import ONE, Enclosure, working_bits
from grpo_symbolic.optimality.iteration import FixedPoint, Fold, Limit, LogitFlow, P, S
from grpo_symbolic.optimality.response import (
    best_response,
    beta_curve,
    frozen_objective,
    frozen_slope,
    stationary_equation,
    weights,
)
from grpo_symbolic.optimality.symmetric import SymmetricBernstein, group_gap
from grpo_symbolic.scalars import Numeral, Scalar
from grpo_symbolic.setting import LARGEST_GROUP, PenaltyName, penalty_named, size_of_group
from grpo_symbolic.shown import Shown, differing

# p = 1 as a fixed point of the continuous extension for the direct KL: h nears 1 faster than any power.
_AT_ONE = FixedPoint(ONE, (sp.S.Zero, sp.S.Zero), "stable")


@dataclass(frozen=True)
class SuccessRecursion(Shown):
    """The recursion ``p_n = h(p_{n−1})`` of the success probability, from ``p_0 = p_ref``.

    ``p_ref`` in (0, 1), ``beta`` > 0 and ``guard`` ≥ 0 are exact: a float is read as the decimal it prints as,
    strings such as "1e-300" and fractions are taken as they are. ``guard`` is added to the variance
    (``guard_inside``) or to the deviation; ``scaled=False`` leaves out the division by the deviation;
    ``sample_deviation`` divides by G − 1 in it; ``group_size`` is ``oo`` or 2…64, ``penalty`` is 'reverse-kl'
    (KL(π‖π_ref)), 'forward-kl' (KL(π_ref‖π)) or 'k3' (GRPO's); of both nothing is assumed. ``at_certainty``:
    the value of h at p ∈ {0, 1} when the deviation vanishes there, 'limit' the continuous extension (h = 1), 'zero' the
    convention 0/0 ≡ 0 (no advantage, h = p_ref). All results are proved in ball arithmetic.

    Raises :class:`BadInput` for anything outside these ranges, NaN included.
    Sources: Mroueh (2025), equations (4), (8); Vojnovic & Yun (2025), equations (14), (15), Appendix B.2.

    >>> run = SuccessRecursion(p_ref="1/1000", beta=5, guard=1e-5, group_size=sp.oo, penalty="reverse-kl")
    >>> print(run.limit().kind)
    cycle
    """

    p_ref: Any
    beta: Any
    guard: Any = 0
    guard_inside: bool = True
    scaled: bool = True
    group_size: Any = field(kw_only=True)
    sample_deviation: bool = False
    penalty: str = field(kw_only=True)
    at_certainty: Literal["limit", "zero"] = "limit"

    __repr__ = differing

    def __post_init__(self) -> None:
        for name, symbol in (("p_ref", "p_ref"), ("beta", "β"), ("guard", "the guard ε")):
            object.__setattr__(self, name, _exact(getattr(self, name), symbol))
        if not 0 < self.p_ref < 1:
            raise BadInput(f"p_ref must lie in (0, 1), got {_short(self.p_ref)}")
        if not self.beta > 0:
            raise BadInput(f"β must be positive, got {_short(self.beta)}")
        if self.guard < 0:
            raise BadInput(f"the guard ε must not be negative, got {_short(self.guard)}")
        size = size_of_group(self.group_size, LARGEST_GROUP)
        object.__setattr__(self, "group_size", sp.oo if math.isinf(size) else size)
        object.__setattr__(self, "penalty", penalty_named(self.penalty))
        if self.at_certainty not in ("limit", "zero"):
            raise BadInput(f"at_certainty must be 'limit' or 'zero', got {self.at_certainty!r}")

    @cached_property
    def advantage(self) -> Advantage:
        """The advantage whose weights the recursion has."""
        return Advantage(
            scaled=self.scaled, guard=self.guard, guard_inside=self.guard_inside, sample_deviation=self.sample_deviation
        )

    @property
    def _numbers(self) -> dict[sp.Symbol, sp.Expr]:
        return {success_ref: self.p_ref, _beta: self.beta, _guard: self.guard}

    @cached_property
    def h(self) -> sp.Expr:
        """The map as a SymPy expression in ``notation.success``; raises :class:`BadInput` for the penalty 'k3'."""
        return best_response(self.advantage, self.group_size, self.penalty).subs(self._numbers)

    @cached_property
    def equation(self) -> sp.Expr:
        """The stationary equation: an expression in ``notation.success`` that vanishes at the fixed points in (0, 1)
        and nowhere else there.
        """
        return stationary_equation(self.advantage, self.group_size, self.penalty).subs(self._numbers)

    @cached_property
    def beta_curve(self) -> sp.Expr:
        """β as an expression in the fixed point ``notation.success`` > p_ref; the β of this recursion plays no part
        in it.
        """
        return beta_curve(self.advantage, self.group_size, self.penalty).subs(self._numbers)

    @property
    def _singular(self) -> bool:
        """Whether the deviation vanishes at p ∈ {0, 1}, so that the value of h there is a convention."""
        return bool(self.scaled and self.guard == 0 and self.group_size == sp.oo)

    def __call__(self, probability: Numeral) -> sp.Expr:
        """``h(p)`` for a number in [0, 1], exactly; raises :class:`BadInput` outside."""
        p = _exact(probability, "the success probability")
        if not 0 <= p <= 1:
            raise BadInput(f"the success probability must lie in [0, 1], got {_short(p)}")
        if self._singular and p in (0, 1) and self.penalty != PenaltyName.K3:
            return sp.S.One if self.at_certainty == "limit" else self.p_ref
        return self.h.subs(success, p)

    def fixed_points(self, digits: int = 30) -> tuple[FixedPoint, ...]:
        """Every fixed point in [0, 1] in increasing order, with a proof that there are no others.

        Each is enclosed to ``digits`` digits of its logit. Where the precision does not separate two (at a fold), they
        come as one point with ``separated`` false and stability 'neutral within precision'. For the penalty 'k3'
        these are the stationary policies of GRPO, the multiplier is that of the local best response and ``maximum``
        is whether the frozen objective has a maximum there; p = 1 is not examined.
        """
        flow, width, bits = self._prepared(digits)
        with working_bits(bits):
            roots, escapes = flow.roots(width)
            points = [flow.fixed_point(root) for root in roots]
        if (escapes or (self._singular and self.penalty == PenaltyName.FORWARD_KL)) and self.at_certainty == "limit":
            points.append(_AT_ONE if escapes else FixedPoint(ONE, (sp.oo, sp.oo), "unstable"))
        return tuple(points)

    def folds(self, digits: int = 30) -> tuple[Fold, ...]:
        """Every turning point of :attr:`beta_curve`, in order of p*: where the number of fixed points changes with β.

        None for ε so large that β decreases all along; the β of this recursion plays no part.
        """
        flow, width, bits = self._prepared(digits)
        with working_bits(bits):
            return tuple(flow.folds(width))

    def limit(self, steps: int = 4096, digits: int = 30) -> Limit:
        """What the iteration from ``p_0 = p_ref`` reaches: a fixed point, a cycle (period up to 32), or 'undecided'
        with the reason.

        For p_ref ≥ 1/2 the orbit increases to the least fixed point; below, it may cycle (Mroueh, 2025, Figure 5,
        calls that divergent).
        """
        if not isinstance(steps, int) or steps < 0:
            raise BadInput(f"the number of steps must be a whole number, got {steps}")
        if self.penalty == PenaltyName.K3:
            reason = "the best response to k3 has no closed form; fixed_points() gives its stationary policies"
            return Limit("undecided", (), None, 0, reason)
        from grpo_symbolic.optimality.orbit import limit

        flow, _, bits = self._prepared(digits)
        reached = limit(flow, digits, bits, steps)
        if reached.points == (ONE,) and self.at_certainty == "zero":
            why = f"{reached.reason}; it never is 1, where the convention 0/0 ≡ 0 sets h to p_ref"
            return replace(reached, reason=why)
        return reached

    @cached_property
    def _flow(self) -> LogitFlow:
        frozen = partial(_frozen_response, self.p_ref, self.beta) if self.penalty == PenaltyName.K3 else None
        reverse = self.penalty == PenaltyName.REVERSE_KL
        return LogitFlow(_gap(self.advantage, self.group_size), self.p_ref, self.beta, reverse, frozen)

    def _prepared(self, digits: int) -> tuple[LogitFlow, Any, int]:
        """The recursion in ball arithmetic, the width of an enclosure, and a precision that can tell zeros as near as
        that.
        """
        import flint

        if not isinstance(digits, int) or not 1 <= digits <= 1000:
            raise BadInput(f"the number of digits must be a whole number from 1 to 1000, got {digits}")
        with working_bits(128):
            high, _ = self._flow.end()
            mantissa, exponent = high.man_exp()
            size = max(int(mantissa).bit_length() + int(exponent), 0)
            width = (flint.arb(10) ** -digits).upper()
        return self._flow, width, 96 + 7 * digits + 2 * size


@lru_cache(maxsize=64)
def _gap(advantage: Advantage, group_size: Scalar) -> sp.Expr | SymmetricBernstein:
    """``ω⁺ + ω⁻`` in terms of ``s = √(p(1−p))``, or that of a finite group.

    It is even about p = 1/2, because swapping the rewards swaps the advantages.
    """
    if group_size != sp.oo:
        return group_gap(advantage, int(group_size))
    win, lose = (advantage.of_population(sp.Integer(r), P, S**2) for r in (1, 0))
    return sp.simplify(win - lose)


def _frozen_response(p_ref: sp.Rational, beta: sp.Rational, tilt: sp.Expr) -> tuple[sp.Expr, sp.Expr]:
    """For k3: the slope ``−J_xy/J_xx`` of the local best response at a stationary policy, and the curvature
    ``J_xx`` there, in terms of p; ``tilt`` is the derivative of the gap in p.
    """
    numbers = {success_ref: p_ref, _beta: beta}
    slope = frozen_slope(PenaltyName.K3).subs(numbers)
    curvature = sp.diff(slope, _new).subs(_new, success)
    mixed = sp.diff(slope, success).subs(_new, success) + tilt.subs(P, success)
    return (-mixed / curvature).subs(success, P), curvature.subs(success, P)


def _exact(value: Numeral, name: str) -> sp.Rational:
    """A number as an exact rational; raises :class:`BadInput` for NaN, infinities and what is not a number."""
    try:
        number = sp.nan if isinstance(value, bool) else exact(value)
    except (ValueError, TypeError, ZeroDivisionError, OverflowError, AttributeError):
        number = sp.nan
    if not number.is_Rational:
        raise BadInput(f"{name} must be a finite number, got {value}")
    return number


def _short(value: sp.Rational) -> str:
    return str(value) if len(str(value)) < 30 else str(sp.N(value, 10))


__all__ = [
    "Enclosure",
    "FixedPoint",
    "Fold",
    "Limit",
    "SuccessRecursion",
    "best_response",
    "beta_curve",
    "frozen_objective",
    "stationary_equation",
    "weights",
]
