"""Where the stationary policy maximises its own objective, and by how much success is amplified, over (π_ref, β).

All edges are explicit for every group size: ``optimality.verifiable`` has them, and derivations/beyond proves what they
separate.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import numpy as np
import sympy as sp

from grpo_symbolic.book.figures.certified import values
from grpo_symbolic.book.figures.model import Area, Axis, Control, Figure, Line, Panel, between
from grpo_symbolic.book.figures.vojnovic_yun import size_words
from grpo_symbolic.notation import p, x
from grpo_symbolic.optimality.verifiable import minimum_between, saddle_beta, safe_beta, stationary_beta

SIZES: tuple[Any, ...] = (2, 3, 4, 6, 8, 16, 32, sp.oo)
_SHOWN = (2, 8, sp.oo)
_TIP = float((2 - sp.sqrt(3)) / 4)  # above it the policy is a maximum for every β and G (by-max-plane)
_LEAST = 1e-3
_BETA = Axis("penalty β", 0.1, 20, "log")


def _maximum(size_index: int) -> Sequence[Panel]:
    size = SIZES[size_index]
    at = np.r_[np.geomspace(_LEAST, 0.9 * _TIP, 120), _TIP * (1 - np.geomspace(0.1, 1e-8, 40))]
    low, high = (values(edge, [p], at) for edge in minimum_between(size, p))
    doubled = np.geomspace(_LEAST, 0.499, 160)
    saddle = values(saddle_beta(size, p), [p], doubled)
    areas = [Area("one correct answer: local minimum", *between(at, low, high), colour=2)]
    lines = [Line("several correct: maximum above, else saddle", doubled, saddle, colour=1)]
    safe = safe_beta(size)
    for name, edge, dash in (
        ("one correct answer: maximum for every reference below", safe[0], "dash"),
        ("one correct answer: maximum for every reference above", safe[1], "dot"),
    ):
        ends = np.array([_LEAST, 0.5] if edge != sp.oo else [])
        height = np.full(ends.size, float(edge))
        lines.append(Line(name, ends, height, colour=7, dash=dash, width=1))  # type: ignore[arg-type]
    axes = (Axis("correct answers of the reference, p_ref", _LEAST, 0.5, "log"), _BETA)
    return [Panel(f"Groups of {size_words(size)}", *axes, lines, areas)]


FACTORS = (1.1, 1.5, 2.0, 3.0, 5.0, 10.0, 30.0, 100.0, 300.0)


def _amplification(size_index: int) -> Sequence[Panel]:
    size = SIZES[size_index]
    axes = (Axis("success of the reference, p_ref", _LEAST, 1, "log"), _BETA)
    edge_at = stationary_beta(size, x, p)  # for lower β the factor is larger: by-stationary-unique
    areas, lines = [], []
    for k, factor in enumerate(FACTORS):
        at = np.r_[np.geomspace(_LEAST, 0.9 / factor, 70), (1 - np.geomspace(0.095, 1e-3, 30)) / factor]
        edge = values(edge_at, [x, p], factor * at, at)
        floor = np.full(at.shape, _BETA.low)
        shade = k / (len(FACTORS) - 1)
        areas.append(Area(f"× {factor:g} or more", *between(at, floor, np.maximum(edge, floor)), shade=shade))
        lines.append(Line("", at, edge, colour=7, width=0.8))
    return [Panel(f"Groups of {size_words(size)}", *axes, lines, areas)]


def _control(shown: int) -> tuple[Control]:
    return (Control("group size G", tuple(map(size_words, SIZES)), SIZES.index(shown)),)


FIGURES = (
    Figure(
        "maximum-regions",
        "Where the stationary policy is a maximum of its own objective",
        (
            "by-max-plane",
            "by-max-safe-beta",
            "by-saddle-beta",
            "by-saddle-classification",
            "vy-s13-stationary-definition",
        ),
        "A wedge in the plane of reference and β in which the policy is a local minimum; it ends at one reference and "
        "widens as the reference becomes smaller. A falling curve separates maximum from saddle.",
        lambda: [panel for size in _SHOWN for panel in _maximum(SIZES.index(size))],
        _control(8),
        _maximum,
    ),
    Figure(
        "amplification-map",
        "By how much success is amplified",
        ("by-stationary-equation", "by-stationary-unique", "by-rare-factor", "by-rare-jump"),
        "Nested regions in the plane of p_ref and β, darker where the success of the policy is a larger multiple of "
        "that of the reference: for small β and small p_ref.",
        lambda: [panel for size in _SHOWN for panel in _amplification(SIZES.index(size))],
        _control(8),
        _amplification,
    ),
)
