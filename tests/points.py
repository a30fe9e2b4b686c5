"""Points of the space of objectives for the tests, by short names, and comparison in ball arithmetic."""

from __future__ import annotations

import itertools
from collections.abc import Iterator
from typing import Any

import flint
import sympy as sp

import grpo_symbolic as gs
from grpo_symbolic.objectives import Answers
from grpo_symbolic.optimality.enclosure import compiled, working_bits
from grpo_symbolic.theory.interface import Theory
from grpo_symbolic.theory.point import GUARDED, NORMALISERS

TWO = Answers(2)
SIZES = (2, 3, 4, 5, 8, sp.oo)
PENALTIES: dict[str, dict[str, str]] = {
    "k3": {"divergence": "k3"},
    "reverse-kl": {"divergence": "reverse-kl"},
    "forward-kl": {"divergence": "forward-kl"},
    "none": {"divergence": "none"},
    "k1": {"divergence": "k1"},
    "k2": {"divergence": "k2"},
    **{f"{k}-detached": {"divergence": k, "weighted": "detached"} for k in ("k1", "k2", "k3")},
    **{f"{k}-score": {"divergence": k, "weighted": "score"} for k in ("k1", "k2", "k3")},
    "k2-ratio": {"divergence": "k2", "weighted": "ratio"},
    **{f"{k}-reward": {"divergence": k, "place": "reward"} for k in ("k1", "k2", "k3")},
    **{f"{k}-raw-reward": {"divergence": k, "place": "raw-reward"} for k in ("k1", "k2", "k3")},
}
THIRD, FIFTH = sp.Rational(1, 3), sp.Rational(1, 5)


def at(normaliser: str = "std", penalty: str = "k3", size: Any = sp.oo, **more: Any) -> Theory:
    """The theory of a point by its short names; guards and the batch's deviation get numbers."""
    if normaliser in GUARDED:
        more = {"guard": "1/1000", **more}
    if normaliser == "batch":
        more = {"deviation": "2/5", **more}
    if penalty == "none":  # nothing for β to multiply
        more.pop("beta", None)
    return gs.theory(normaliser=normaliser, group_size=size, **PENALTIES[penalty], **more)


def grid() -> Iterator[tuple[str, str, Any]]:
    """Points of the space: every normaliser with every penalty, and each of them with groups of every size."""
    sizes = (2, 3, 8, sp.oo)
    for (i, normaliser), (j, penalty) in itertools.product(enumerate(NORMALISERS), enumerate(PENALTIES)):
        yield normaliser, penalty, sizes[(i + j) % len(sizes)]


def ball(expression: sp.Expr, values: dict[sp.Symbol, sp.Rational]) -> Any:
    """The value in ball arithmetic at a rational point."""
    with working_bits(256):
        return compiled(expression.subs(values), ())()


def close(one: sp.Expr, other: sp.Expr, values: dict[sp.Symbol, sp.Rational]) -> bool:
    """Whether two expressions agree to 50 digits at a point."""
    with working_bits(256):
        gap = ball(one, values) - ball(other, values)
        return bool(gap.contains(0) and gap.rad() < flint.arb(10) ** -50)
