"""Mroueh (2025), Figures 1 to 5: weights, the map h and its fixed points, condition (2), the bound B, the recursion.

The smoothing is the paper's, ε = 10⁻⁵. Its text names β = 5 with p_ref = 0.001 and no other value of a curve; the
other values are ours.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Sequence
from fractions import Fraction
from functools import lru_cache, partial
from typing import Any, TypeAlias

import numpy as np
import sympy as sp

from grpo_symbolic import catalogue
from grpo_symbolic.book.figures.certified import (
    Balls,
    Numbers,
    balls,
    in_log_odds,
    iterates,
    middle_of,
    middles,
    values,
)
from grpo_symbolic.book.figures.model import Area, Axis, Figure, Floats, Line, Marker, Panel, between
from grpo_symbolic.notation import beta, guard, success, success_ref, x
from grpo_symbolic.objectives.advantage import SHIFT_AND_SCALE, Advantage
from grpo_symbolic.optimality import SuccessRecursion, best_response
from grpo_symbolic.optimality.enclosure import Enclosure
from grpo_symbolic.optimality.iteration import FixedPoint
from grpo_symbolic.optimality.response import weight_gap, weights
from grpo_symbolic.setting import PenaltyName

Exact: TypeAlias = Fraction | float | str  # what a fraction is made of
GUARD = Fraction(1, 10**5)
SMOOTHED = Advantage(guard=guard, guard_inside=True)
REFERENCES = ("0.001", "0.1", "0.5", "0.9")
BETAS = ("0.5", "1", "2", "5")
_INSIDE = np.arange(1, 200) / 200
STEPS = 30  # of the recursion that are drawn

recursion = partial(SuccessRecursion, group_size=sp.oo, penalty=PenaltyName.REVERSE_KL)  # that of the paper


@lru_cache(maxsize=1)
def success_map() -> sp.Expr:
    """``h`` in ``success``, ``success_ref``, ``beta`` and ``guard``: Mroueh (2025), equation (8)."""
    return best_response(SMOOTHED, sp.oo, PenaltyName.REVERSE_KL)


def mapped(points: Numbers, reference: Exact, strength: Exact) -> Balls:
    """Balls that enclose ``h`` at numbers or balls."""
    names = [success, success_ref, beta, guard]
    return balls(success_map(), names, points, Fraction(reference), Fraction(strength), Fraction(GUARD))


def orbit(reference: Exact, strength: Exact) -> Floats:
    """``p_0 = p_ref, p_1, …`` as floats, from balls that enclose them."""
    start = balls(success, [success], Fraction(reference))
    return iterates(start, lambda p: mapped(p, reference, strength), STEPS)


def _figure_1() -> Sequence[Panel]:
    win, lose = weights(SHIFT_AND_SCALE, sp.oo)
    lines = [
        Line("weight of a correct answer, ω⁺", _INSIDE, values(win, [success], _INSIDE), colour=1),
        Line("weight of a wrong answer, ω⁻", _INSIDE, values(-lose, [success], _INSIDE), colour=2, dash="dash"),
    ]
    axes = (Axis("success probability p of the old policy", 0, 1), Axis("weight in the loss", 0, 5))
    return [Panel("The two weights", *axes, lines)]


def fixed_point_lines(points: Iterable[FixedPoint], place: Callable[[Enclosure], tuple[float, float]]) -> list[Line]:
    """Attracting fixed points as dots and repelling ones as rings; ``place`` takes an enclosure to (x, y)."""
    lines = []
    kinds: tuple[tuple[str, str, Marker], ...] = (
        ("fixed point that attracts", "stable", "dot"),
        ("fixed point that repels", "unstable", "ring"),
    )
    for name, stability, marker in kinds:
        chosen = [place(f.enclosure) for f in points if f.stability == stability and f.enclosure.logit is not None]
        across, up = np.array(chosen, dtype=float).reshape(-1, 2).T
        lines.append(Line(name, across, up, colour=7, marker=marker, joined=False))
    return lines


def on_diagonal(enclosure: Enclosure) -> tuple[float, float]:
    """Where a fixed point stands in the plot of h."""
    middle = middle_of((enclosure.low, enclosure.high))
    return middle, middle


def _figure_2() -> Sequence[Panel]:
    panels = []
    for reference in REFERENCES:
        lines = [Line("h(p) = p", np.array([0.0, 1.0]), np.array([0.0, 1.0]), colour=0, dash="dot", width=1.2)]
        grid = np.r_[0.0, _INSIDE, 1.0]
        marks: list[Any] = []
        for k, strength in enumerate(BETAS, start=1):
            curve = middles(mapped(grid, reference, strength), "h")
            lines.append(Line(f"β = {strength}", grid, curve, colour=k))
            marks += recursion(reference, strength, str(GUARD)).fixed_points(digits=15)
        lines += fixed_point_lines(marks, on_diagonal)
        axes = (Axis("success probability p of the old policy", 0, 1), Axis("of the next policy, h(p)", 0, 1))
        panels.append(Panel(f"p_ref = {reference}", *axes, lines))
    return panels


def condition_2() -> tuple[sp.Expr, sp.Expr]:
    """Both sides of Theorem 3's condition (2), from the hypothesis that the claim mr-thm3-case2 shows redundant."""
    printed = catalogue.find("mr-thm3-case2").judged
    assert printed is not None
    assert printed.domain is not None
    (relation,) = (c for c in printed.domain.constraints if c.has(sp.cosh))
    return relation.gts, relation.lts


def condition_fails_between(reference: Floats) -> tuple[Floats, Floats, Floats]:
    """Success probabilities above ½, given by log-odds, for which (2) fails at some β, and the least and the greatest
    such β.

    The left side is convex in β and tends to ∞ at both ends (mr-thm3-condition-shape), so it fails between two roots,
    which are found by bisection on certified values of that side.
    """
    left, right = condition_2()
    level = values(in_log_odds(right, success_ref), [x, guard], reference, GUARD)
    lowest, highest = 1e-2, 1e3
    grid = np.geomspace(lowest, highest, 2001)
    height = values(left, [beta, guard], grid, GUARD)
    bottom, least = float(grid[height.argmin()]), float(height.min())
    above = level > least * (1 + 1e-6)
    first, last = (_crossing(left, level[above], outer, bottom) for outer in (lowest, highest))
    return reference[above], first, last


def _crossing(left: sp.Expr, level: Floats, above: float, below: float) -> Floats:
    """Where the left side of (2) falls from above a level to below it."""
    high, low = np.full(level.shape, above), np.full(level.shape, below)
    for _ in range(36):
        middle = np.sqrt(high * low)
        over = values(left, [beta, guard], middle, GUARD) > level
        high, low = np.where(over, middle, high), np.where(over, low, middle)
    return high


def _figure_3() -> Sequence[Panel]:
    coarse = np.linspace(0.0, np.log(1e7), 60)
    inside, _, _ = condition_fails_between(coarse)
    step = float(coarse[1])  # the region ends within a step beyond these: there the grid is finer
    fine = [np.linspace(inside[0] - step, inside[0] + step, 60), np.linspace(inside[-1] - step, inside[-1] + step, 60)]
    at, lower, upper = condition_fails_between(np.unique(np.r_[coarse, *fine]))
    panels = []
    words, height = "success of the reference, p_ref", "penalty β"
    for title, place, axes in (
        ("On the scale of a probability", 1 / (1 + np.exp(-at)), (Axis(words, 0.5, 1), Axis(height, 0, 20))),
        ("The same in log-odds", at, (Axis(words, 0, np.log(1e7), "odds"), Axis(height, 0.1, 100, "log"))),
    ):
        outline = between(place, lower, upper)
        edge = Line("", np.r_[outline[0], place[0]], np.r_[outline[1], lower[0]], colour=7, width=1)
        areas = [Area("condition (2) fails", *outline, colour=5)]
        panels.append(Panel(title, *axes, [edge], areas))
    return panels


def bound() -> sp.Expr:
    """``B(p*)``, β times the absolute slope of h at a fixed point: Mroueh (2025), Lemma 1."""
    gap = weight_gap(SMOOTHED, sp.oo)
    return sp.Abs(success * (1 - success) * sp.diff(gap, success))


def _figure_4() -> Sequence[Panel]:
    linear = np.r_[0.0, _INSIDE, 1.0]
    odds = np.linspace(-np.log(1e8), np.log(1e8), 321)
    name = "B(p*)"
    return [
        Panel(
            "On the scale of a probability",
            Axis("fixed point p*", 0, 1),
            Axis("bound B(p*) on β", 0, 7),
            [Line(name, linear, values(bound(), [success, guard], linear, GUARD))],
        ),
        Panel(
            "The same in log-odds",
            Axis("fixed point p*", float(odds[0]), float(odds[-1]), "odds"),
            Axis("bound B(p*) on β", 0, 70),
            [Line(name, odds, values(in_log_odds(bound(), success), [x, guard], odds, GUARD))],
        ),
    ]


def _figure_5() -> Sequence[Panel]:
    panels = []
    steps = np.arange(STEPS + 1, dtype=float)
    for reference in REFERENCES:
        lines = []
        for k, strength in enumerate(BETAS, start=1):
            limit = recursion(reference, strength, str(GUARD)).limit(digits=15)
            ends = {1: "converges", 2: "cycle of two"}.get(limit.period, limit.kind)
            lines.append(
                Line(f"β = {strength}: {ends}", steps, orbit(reference, strength), colour=k, marker="dot", width=1.4)
            )
            if limit.period == 2:
                lines += [_level(point, k) for point in limit.points]
        axes = (Axis("iteration n", 0, STEPS), Axis("success probability p_n", 0, 1.02))
        panels.append(Panel(f"p_ref = {reference}", *axes, lines))
    return panels


def _level(point: Enclosure, colour: int) -> Line:
    height = middle_of((point.low, point.high))
    return Line("", np.array([0.0, STEPS]), np.array([height, height]), colour=colour, dash="dash", width=1)


FIGURES = (
    Figure(
        "mr-figure-1",
        "What a correct and a wrong answer weigh",
        ("mr-fig1-weights", "mr-weights-high", "mr-weights-low"),
        "Two curves that cross at p = ½: the weight of a correct answer falls from infinity to 0, that of a wrong one "
        "rises from 0 to infinity.",
        _figure_1,
    ),
    Figure(
        "mr-figure-2",
        "The map h and its fixed points",
        ("mr-thm2-h", "mr-prop1-minimum", "mr-fig2-nonunique", "mr-fig2-p1", "mr-thm3-every-p"),
        "Curves shaped like a valley, least at p = ½, that rise to nearly 1 at both ends; fixed points are marked "
        "where they cross the diagonal.",
        _figure_2,
    ),
    Figure(
        "mr-figure-3",
        "Where condition (2) of Theorem 3 fails",
        ("mr-fig3-caption", "mr-thm3-condition-shape", "mr-thm3-condition-mild", "mr-fig3-mild", "mr-thm3-case2"),
        "A region near p_ref = 1 with a lower and an upper edge in β, in which the condition fails.",
        _figure_3,
    ),
    Figure(
        "mr-figure-4",
        "The bound B(p*) for local convergence",
        ("mr-fig4", "mr-lem1-bound", "mr-lem1-all-beta"),
        "A curve symmetric about p* = ½, zero there and at both ends, with a high and narrow peak near 0 and near 1.",
        _figure_4,
    ),
    Figure(
        "mr-figure-5",
        "Runs of the recursion",
        ("mr-fig5-divergent", "mr-dyn-cycle-attracts", "mr-dyn-monotone", "mr-fig5-transition", "mr-abs-converges"),
        "Success probability against the iteration: most runs settle within a few iterations; some from a small p_ref "
        "alternate between two values, which dashed lines mark.",
        _figure_5,
    ),
)
