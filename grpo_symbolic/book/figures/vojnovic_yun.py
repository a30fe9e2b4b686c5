"""Vojnovic & Yun (2025), Figures 1 to 3: the stationary policy against the reference; and the same for every β and G.

Curves of Figures 1 to 3: ``optimality.pairs``, ``optimality.large_groups`` and the best response to the direct KL. For
groups of other sizes the policy x is the parameter, and the reference follows from the stationary equation
(by-stationary-equation), which is linear in it.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from typing import Any

import numpy as np
import sympy as sp

from grpo_symbolic.book.figures.certified import values
from grpo_symbolic.book.figures.model import Axis, Control, Figure, Floats, Line, Panel, part
from grpo_symbolic.notation import b, beta, p, success_ref, x
from grpo_symbolic.objectives.advantage import SHIFT_AND_SCALE
from grpo_symbolic.optimality import best_response, large_groups, pairs
from grpo_symbolic.optimality.verifiable import critical_beta, success_equation, turning_beta
from grpo_symbolic.setting import PenaltyName

STRENGTHS = (0.25, 0.5, 1.0, 2.0, 4.0)  # of the regularisation, in each of the three figures
_REFERENCE = (np.arange(1, 161) / 160) ** 2  # denser near 0, where the curves are steep
_AXES = (
    Axis("reference policy, π_ref(a | q)", 0, 1),
    Axis("stationary policy, π_θ(a | q)", 0, 1),
)
_DIAGONAL = Line("no change", np.array([0.0, 1.0]), np.array([0.0, 1.0]), colour=0, dash="dot", width=1.2)


def _panel(title: str, name: str, curve: sp.Expr, strength: sp.Symbol, reference: sp.Symbol) -> Panel:
    lines = [_DIAGONAL]
    for k, value in enumerate(STRENGTHS, start=1):
        drawn = values(curve, [reference, strength], _REFERENCE, value)
        start = values(curve, [reference, strength], [0], value)
        lines.append(Line(f"{name} = {value:g}", np.r_[0.0, _REFERENCE], np.r_[start, drawn], colour=k))
        if start[0] > 0:
            lines.append(Line("", np.zeros(1), start, colour=k, marker="ring", joined=False))
    lines.append(Line("", np.zeros(1), np.zeros(1), colour=7, marker="dot", joined=False))
    return Panel(title, *_AXES, lines)


def _figure_1() -> Sequence[Panel]:
    return [_panel("Groups of two", "β/γ", pairs(), b, p)]


def _figure_2() -> Sequence[Panel]:
    return [_panel("Large groups", "β", large_groups(), beta, p)]


def _figure_3() -> Sequence[Panel]:
    response = sp.cancel(
        best_response(SHIFT_AND_SCALE, 2, PenaltyName.REVERSE_KL)
    )  # without a division by the reference, which may be 0
    return [_panel("Groups of two, direct KL", "β/γ", response, beta, success_ref)]


# -- every β and G ----------------------------------------------------------------------------------------------------

SIZES: tuple[Any, ...] = (2, 3, 4, 8, 16, sp.oo)
BETAS = tuple(float(f"{v:.2g}") for v in np.geomspace(0.1, 10, 25))
_POLICY = 1 / (1 + np.exp(-np.linspace(-9, 9, 241)))


def size_words(size: int | sp.Expr) -> str:
    """A group size as a label."""
    return "∞" if size == sp.oo else str(size)


@lru_cache(maxsize=16)
def _rise_and_turn(size: int | sp.Expr) -> tuple[Floats, Floats]:
    """On the grid of policies: ``m_G(x)`` and ``2(1 − 2x)Δ_G(x)``."""
    rise = -success_equation(size, x, x, beta)  # with p = x the gradient of success alone is left
    return values(rise, [x], _POLICY), values(turning_beta(size, x), [x], _POLICY)


def _least(size: int | sp.Expr, strength: float, first: int) -> float:
    """The policy for a reference that goes to 0, by bisection between the last policy of the grid that would need a
    negative reference and the first that does not.
    """
    low, high = (_POLICY[first - 1] if first else 0.0), _POLICY[first]
    rise = -success_equation(size, x, x, beta)
    for _ in range(40 if first else 0):
        middle = (low + high) / 2
        needed = middle - values(rise, [x], [middle])[0] / strength
        low, high = (middle, high) if needed < 0 else (low, middle)
    return high if first else 0.0


def _policy(beta_index: int, size_index: int) -> Sequence[Panel]:
    size, strength = SIZES[size_index], BETAS[beta_index]
    rise, turn = _rise_and_turn(size)
    reference = _POLICY - rise / strength  # the stationary equation, solved for the reference
    inside = reference >= 0
    least = _least(size, strength, int(inside.argmax()))
    policy, reference = np.r_[least, _POLICY[inside]], np.r_[0.0, reference[inside]]
    maximum = strength > np.r_[turn[inside][0], turn[inside]]
    branches = [part(policy, maximum), part(policy, ~maximum)]
    lifted = bool(sp.Rational(str(strength)) < critical_beta(size))
    if not lifted:
        note = "A reference that hardly ever succeeds stays so: as π_ref goes to 0, the policy does too."
    elif least > 0.0005:
        note = f"However rarely the reference succeeds, the policy succeeds with probability {least:.3f} at least."
    else:
        note = "A rare success is lifted, but to less than one in a thousand."
    lines = [
        _DIAGONAL,
        Line("a local maximum of its own objective", reference, branches[0], colour=1),
        Line("a local minimum of it", reference, branches[1], colour=2, dash="dash", width=3),
    ]
    title = f"β = {strength:g}, groups of {size_words(size)}"
    axes = (Axis("reference policy, correct answer", 0, 1), Axis("stationary policy, correct answer", 0, 1))
    return [Panel(title, *axes, lines, note=note)]


_POLICY_CONTROLS = (
    Control("penalty β", tuple(f"{v:g}" for v in BETAS), 11),
    Control("group size G", tuple(map(size_words, SIZES)), 0),
)

FIGURES = (
    Figure(
        "vy-figure-1",
        "The stationary policy for groups of two",
        ("vy-fig1", "vy-eq14", "vy-s231-continuity", "vy-s231-decreasing-beta", "vy-eq14-lower-bound"),
        "Five curves above the diagonal, rising and concave, higher for a smaller β/γ. For β/γ below 1 a curve starts "
        "at a positive height, while the policy of a reference of 0 is 0.",
        _figure_1,
    ),
    Figure(
        "vy-figure-2",
        "The stationary policy for large groups",
        ("vy-fig2", "vy-eq15", "vy-s231-inf-discontinuity", "vy-eq15-lower-bound"),
        "Five curves above the diagonal, rising and concave, higher for a smaller β. Every curve starts at a positive "
        "height, while the policy of a reference of 0 is 0.",
        _figure_2,
    ),
    Figure(
        "vy-figure-3",
        "The policy for groups of two with the direct KL penalty",
        ("vy-fig3", "vy-s3-dkl-binary"),
        "Five curves from the origin to the point (1, 1), above the diagonal, rising and concave, higher and steeper "
        "at the origin for a smaller β/γ.",
        _figure_3,
    ),
    Figure(
        "stationary-policy",
        "The stationary policy for every β and G",
        ("by-stationary-equation", "by-stationary-unique", "by-max-region", "by-rare-jump"),
        "One curve above the diagonal: the policy against the reference. Where the policy is a local minimum of its "
        "own objective the curve is dashed.",
        None,
        _POLICY_CONTROLS,
        _policy,
    ),
)
