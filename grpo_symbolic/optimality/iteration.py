"""The success recursion in ball arithmetic: its fixed points, its folds and what an orbit reaches, each with a proof.

Everything happens in the logit ``t`` of the success probability, where a policy with 1 − p = e^−300 is an ordinary
point. With ``s = √(p(1−p))`` the coordinates move as ``ṗ = s²``, ``ṡ = s(1−2p)/2`` in t, so slopes are polynomial in
them and nothing blows up at p = 1. Used through :class:`grpo_symbolic.optimality.dynamics.SuccessRecursion`. Sources:
Mroueh (2025), Sections 3 and 4; Vojnovic & Yun (2025), Appendix B.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Literal

import flint
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.optimality.enclosure import Ball, Enclosure, Root, bounds, compiled, coordinates, isolate, sign
from grpo_symbolic.optimality.symmetric import ORDERS, SymmetricBernstein
from grpo_symbolic.shown import Shown

Bounds = tuple[sp.Rational, sp.Rational]
Stability = Literal["stable", "unstable", "neutral within precision"]
Turns = Literal["up", "down", "undecided"]
_TURNS: dict[int, Turns] = {1: "up", -1: "down", 0: "undecided"}  # by the sign of the second derivative

T, P, S, L = (sp.Dummy(name, positive=name in "ps", real=True) for name in "tpsl")  # logit p, p, √(p(1−p)), logit p_ref
GAP = tuple(sp.Dummy(f"gap{k}", real=True) for k in range(ORDERS))  # of a finite group, and its derivatives in s²


@dataclass(frozen=True, repr=False)
class FixedPoint(Shown):
    """A fixed point of the recursion.

    ``enclosure`` bounds p*; ``multiplier`` bounds the slope of the map there, by which ``stability`` is judged;
    ``separated``: the enclosure holds exactly one fixed point (otherwise: two that the precision does not separate, a
    double one, or none); ``maximum``: whether p* locally maximises the objective with π_old frozen at p* (``None``
    where the precision does not decide).
    """

    enclosure: Enclosure
    multiplier: Bounds
    stability: Stability
    separated: bool = True
    maximum: bool | None = True

    def __str__(self) -> str:
        low, high = (sp.N(m, 6) for m in self.multiplier)
        slope = str(low) if low == high else f"in [{low}, {high}]"
        return f"p* = {self.enclosure} ({self.stability}, slope {slope}{'' if self.separated else ', not separated'})"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


@dataclass(frozen=True, repr=False)
class Fold(Shown):
    """A turning point of the curve β(p*): ``turns`` 'up' where β is least (two fixed points appear above it), 'down'
    where it is greatest. ``enclosure`` bounds p*, ``beta`` the β there; ``separated`` as in :class:`FixedPoint`.
    """

    enclosure: Enclosure
    beta: Bounds
    turns: Turns
    separated: bool = True

    def __str__(self) -> str:
        doubt = "" if self.separated else ", not separated"
        return f"β = {sp.N(self.beta[0], 12)} at p* = {self.enclosure} (turns {self.turns}{doubt})"

    def __repr__(self) -> str:
        return f"<{type(self).__name__} {self}>"


@dataclass(frozen=True, repr=False)
class Limit(Shown):
    """What the iteration from p_ref reaches: ``kind`` and ``points``, one enclosure (``converges``), one for each
    point of the period (``cycle``), or none.

    ``steps`` counts the iterations made, ``multiplier`` bounds the slope of the map (of its k-th iterate for a
    cycle), ``reason`` is a sentence on what the verdict rests on.
    """

    kind: Literal["converges", "cycle", "undecided"]
    points: tuple[Enclosure, ...]
    multiplier: Bounds | None
    steps: int
    reason: str

    @property
    def period(self) -> int:
        """1 for a fixed point, k for a cycle of k points, 0 when undecided."""
        return len(self.points)

    def __str__(self) -> str:
        return f"{self.kind} {' -> '.join(str(p) for p in self.points)}".rstrip() + f" ({self.reason})"

    def __repr__(self) -> str:
        return f"<Limit {self}>"


def stability(multiplier: Ball) -> Stability:
    """Attracting, repelling, or too near to slope ±1 to tell."""
    if abs(multiplier) < 1:
        return "stable"
    return "unstable" if abs(multiplier) > 1 else "neutral within precision"


def flow(e: sp.Expr) -> sp.Expr:
    """The derivative in the logit of an expression in the coordinates and the gap of a finite group."""
    along_gap = sp.Add(*(sp.diff(e, now) * after for now, after in pairwise(GAP)))
    return sp.diff(e, T) + S**2 * sp.diff(e, P) + S * (1 - 2 * P) / 2 * sp.diff(e, S) + S**2 * (1 - 2 * P) * along_gap


class LogitFlow:
    """One recursion, ready for balls: ``weight`` is W, the gap ω⁺ + ω⁻ between the advantages of a success and of a
    failure: an expression in s for large groups, the polynomial of a finite group.

    A fixed point solves ``β·d(t) = W(t)``, with ``d`` the slope of the divergence: ``t − logit p_ref`` for the direct
    KL, ``(p − p_ref)/s²`` for the reverse KL (and on-policy for KL_0). ``frozen`` holds, for KL_0, the slope of the
    best response and the curvature of the frozen objective in terms of p, given dW/dp.
    """

    def __init__(
        self,
        weight: sp.Expr | SymmetricBernstein,
        p_ref: sp.Rational,
        beta: sp.Rational,
        direct: bool,
        frozen: Callable[[sp.Expr], tuple[sp.Expr, sp.Expr]] | None = None,
    ) -> None:
        self.direct = direct
        self.polynomial = weight if isinstance(weight, SymmetricBernstein) else None
        self.odds = flint.fmpq(int(p_ref.p), int(p_ref.q - p_ref.p))
        self.p_ref, self.beta = p_ref, beta
        gap: sp.Expr = GAP[0] if isinstance(weight, SymmetricBernstein) else weight
        self.bend = 2 * GAP[1] if self.polynomial else sp.diff(gap, S) / S
        tilt = S**2 * (1 - 2 * P) / 2 * self.bend
        self.frozen = frozen(tilt / S**2) if frozen is not None else None
        ratio = tilt / gap
        distance = T - L if direct else (P - p_ref) / S**2
        cleared = sp.S.One if direct else S**2  # the factor that keeps the equations finite at p = 1
        equation = distance * cleared - gap * cleared / beta
        fold = cleared * distance * ratio - sp.Add(*(cleared * term for term in sp.Add.make_args(flow(distance))))
        self.W, self.dW, self.ratio = self._ball(gap), self._ball(tilt), self._ball(ratio)
        self.equation, self.equation_slope = self._ball(equation), self._ball(flow(equation))
        self.fold, self.fold_slope = self._ball(fold), self._ball(flow(fold))
        self.distance, self.stiffness = self._ball(distance), self._ball(flow(distance))
        scaled = {
            "gap": gap,
            "gap·s": gap * S,
            "tilt·s": tilt * S,
            "ratio": ratio,
            "ratio/s": ratio / S,
            "equation": equation,
            "fold": fold,
        }
        self._scaled = {name: compiled(e, (T, P, S, L, *self._gap_symbols)) for name, e in scaled.items()}

    @property
    def _gap_symbols(self) -> tuple[sp.Symbol, ...]:
        return GAP if self.polynomial else ()

    def _gap(self, low: Ball, high: Ball) -> tuple[Ball, ...]:
        """The gap of a finite group and its derivatives between two logits; nothing for large groups."""
        return self.polynomial.over(low, high) if self.polynomial else ()

    def _ball(self, expression: sp.Expr) -> Callable[[Ball, Ball], Ball]:
        function = compiled(expression, (T, P, S, L, *self._gap_symbols))

        def over(low: Ball, high: Ball) -> Ball:
            p, _, s = coordinates(low, high)
            return function(low.union(high), p, s, self.logit_ref, *self._gap(low, high))

        return over

    @property
    def logit_ref(self) -> Ball:
        """logit p_ref at the working precision."""
        return flint.arb(self.odds).log()

    @property
    def beta_ball(self) -> Ball:
        """β at the working precision."""
        return flint.arb(flint.fmpq(int(self.beta.p), int(self.beta.q)))

    @cached_property
    def grows(self) -> bool:
        """Whether W decreases in s, so that the map falls for p < 1/2 and rises for p > 1/2."""
        if self.polynomial:
            return self.polynomial.falls
        if self.bend == 0 or self.bend.is_nonpositive:
            return True
        value, slope = (compiled(e, (S,)) for e in (self.bend, sp.diff(self.bend, S)))
        ends = flint.arb(0), flint.arb(1) / 2
        changes = isolate(
            lambda a, b: value(a.union(b)), lambda a, b: slope(a.union(b)), *ends, flint.arb(2) ** -20, boxes=4000
        )
        return not changes and bool(value(ends[1]) < 0)

    # Where the search ends.

    def _beyond(self, name: str, start: Ball) -> Ball:
        """One of the scaled expressions over every t ≥ start, p = 1 included."""
        p, _, s = coordinates(start, start)
        gap = self._gap(start, flint.arb("inf"))
        return self._scaled[name](start, p.union(flint.arb(1)), s.union(flint.arb(0)), self.logit_ref, *gap)

    def end(self) -> tuple[Ball, bool]:
        """A logit above every fixed point with p < 1, and whether the map lies above the diagonal from there on (so
        that p = 1 attracts).
        """
        start = flint.arb(8).max(self.logit_ref + 8).upper()
        for _ in range(200):
            if not self.direct:
                if self._beyond("equation", start) > 0:
                    return start, False
            elif (most := self._beyond("gap", start)).is_finite():
                return start.max((self.logit_ref + most / self.beta_ball + 1).upper()).upper(), False
            elif self._beyond("gap·s", start) > 0 and self.equation(start, start) < 0:
                _, _, s = coordinates(start, start)
                if self._beyond("tilt·s", start).lower() > s * self.beta_ball:  # dW/dt > β on the whole tail
                    return start, True
            start = 2 * start
        raise BadInput("the guard is too near 0 for the fixed points to be bounded; give a larger one, or 0")

    def fold_end(self) -> Ball:
        """A logit above every fold."""
        start = flint.arb(8).max(self.logit_ref + 8).upper()
        for _ in range(200):
            gap = start - self.logit_ref
            p, _, s = coordinates(start, start)
            falling = gap * (2 * p - 1) > 2  # from here on (t − L)·s decreases
            if not self.direct:
                if self._beyond("fold", start) < 0:
                    return start
            elif self._beyond("ratio", start) * gap > 1 or (falling and gap * s * self._beyond("ratio/s", start) < 1):
                return start
            start = 2 * start
        raise BadInput("the guard is too near 0 for the folds to be bounded; give a larger one, or 0")

    # Fixed points and folds.

    def roots(self, width: Ball) -> tuple[list[Root], bool]:
        """All fixed points with p < 1 as intervals of the logit, and whether the map lies above the diagonal beyond
        them.
        """
        high, escapes = self.end()
        return isolate(self.equation, self.equation_slope, self.logit_ref.lower(), high, width), escapes

    def fixed_point(self, root: Root) -> FixedPoint:
        """The fixed point in an interval, with its multiplier."""
        enclosure = Enclosure.between(root.low, root.high)
        if self.frozen is None:
            slope = self.multiplier(root.low, root.high)
            return FixedPoint(enclosure, bounds(slope), stability(slope), root.separated)
        p, _, s = coordinates(root.low, root.high)
        gap = self._gap(root.low, root.high)
        slope, curvature = (compiled(e, (P, S, *self._gap_symbols))(p, s, *gap) for e in self.frozen)
        maximum = {-1: True, 0: None, 1: False}[sign(curvature)]
        return FixedPoint(enclosure, bounds(slope), stability(slope), root.separated, maximum)

    def multiplier(self, low: Ball, high: Ball) -> Ball:
        """The slope of the map at a fixed point in an interval; the same in p and in its logit."""
        return self.dW(low, high) / (self.beta_ball * self.stiffness(low, high))

    def folds(self, width: Ball) -> list[Fold]:
        """All turning points of β along the curve of fixed points."""
        folds = []
        for root in isolate(self.fold, self.fold_slope, self.logit_ref.lower(), self.fold_end(), width):
            beta = self.W(root.low, root.high) / self.distance(root.low, root.high)
            turns = _TURNS[sign(self.fold_slope(root.low, root.high))]
            folds.append(Fold(Enclosure.between(root.low, root.high), bounds(beta), turns, root.separated))
        return folds

    # The map itself, and its slope, in the logit.

    def step(self, low: Ball, high: Ball) -> Ball:
        """The logits that those between ``low`` and ``high`` go to."""
        shift = self.W(low, high) / self.beta_ball
        if self.direct:
            return self.logit_ref + shift
        ends = [self._reverse(end) for end in (shift.lower(), shift.upper())]
        return ends[0].union(ends[1])

    def _reverse(self, shift: Ball) -> Ball:
        """The logit of the x in (0, 1) with ``x(1−x)·shift = x − p_ref``; each of x, 1 − x from the formula that does
        not cancel.
        """
        p, b = flint.arb(flint.fmpq(int(self.p_ref.p), int(self.p_ref.q))), 1 / shift
        root = ((1 - b) ** 2 + 4 * p * b).sqrt()
        x = 2 * p * b / (b - 1 + root) if b > 1 else (1 - b + root) / 2
        return (x * (1 + b + root) / (2 * b * (1 - p))).log()

    def step_slope(self, low: Ball, high: Ball) -> Ball:
        """The slopes of the map between two logits."""
        image = self.step(low, high)
        if not image.is_finite():
            return image
        return self.dW(low, high) / (self.beta_ball * self.stiffness(image.lower(), image.upper()))
