"""The curves of a point as JavaScript, from the trees that the theory derives: they move with a slider, and prove
nothing.
"""

from __future__ import annotations

import json
from collections.abc import Iterable, Iterator
from contextlib import suppress
from dataclasses import dataclass
from itertools import product

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.item import item
from grpo_symbolic.export.languages import LANGUAGES
from grpo_symbolic.export.straightline import functions
from grpo_symbolic.notation import p
from grpo_symbolic.optimality.stationary import pairs
from grpo_symbolic.setting import PenaltyName
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.point import (
    DIVERGENCES,
    NORMALISERS,
    PLACES,
    WEIGHTS,
    Penalised,
    Point,
    advantage_of,
    divergence_of,
)

_JAVASCRIPT = LANGUAGES["javascript"]
SIZES = (2, 4, 8, 16, 64, sp.oo)  # whose curves travel with the page; others are asked of Python
HEIGHT = sp.Symbol("height", positive=True)  # of the gap, divided by β
MAPS = {  # the best responses in closed form, by the gap divided by β
    PenaltyName.FORWARD_KL: pairs(1 / HEIGHT, p),
    PenaltyName.REVERSE_KL: p * sp.exp(HEIGHT) / (1 - p + p * sp.exp(HEIGHT)),
}


@dataclass(frozen=True)
class Curve:
    """One function: its JavaScript without a name, and the names of its arguments."""

    source: str
    arguments: tuple[str, ...]


def curve(expression: sp.Expr) -> Curve:
    """The function of an expression. Raises :class:`BadInput` for what no program can hold."""
    (made,), _ = functions(item(expression, None, "curve"), _JAVASCRIPT.reserved)
    head = f"export function {made.name}"
    return Curve("function" + _JAVASCRIPT.source(made).partition(head)[2], made.names)


def gap(point: Point) -> Curve:
    """Δ_G at a point, in x and whatever its parameters are."""
    return curve(derive.gap(point))


def slope(point: Point) -> Curve:
    """The gradient of the penalty along x at π_old = π, without β."""
    return curve(derive.penalty_gradient(point))


def module(sizes: Iterable[int | sp.Expr] = SIZES) -> str:
    """An ECMAScript module with the gaps of all normalisers at these sizes, the slopes of all divergences, and the
    maps: objects of pairs, a function and the names of its arguments.
    """
    gaps = {f"{name}|{size}": gap(Point(advantage_of(name), group_size=size)) for name in NORMALISERS for size in sizes}
    slopes = {name: slope(Point(divergence=penalty)) for name, penalty in _penalties()}
    maps = {str(name): curve(expression) for name, expression in MAPS.items()}
    named = {"gaps": gaps, "slopes": slopes, "maps": maps}
    tables = (f"export const {name} = {{\n{_table(curves)}\n}};" for name, curves in named.items())
    return "// Written by grpo_symbolic.book.live.drawing when the book was built.\n" + "\n".join(tables) + "\n"


def _table(curves: dict[str, Curve]) -> str:
    return ",\n".join(f"{json.dumps(k)}: [{c.source}, {json.dumps(c.arguments)}]" for k, c in curves.items())


def _penalties() -> Iterator[tuple[str, Penalised]]:
    """Every choice of a divergence, its place and its weight that the theory takes, but those charged to the raw
    rewards, which are part of the gap.
    """
    for choice in product(DIVERGENCES, PLACES, WEIGHTS):
        with suppress(BadInput):  # choices that exclude one another
            divergence, raw = divergence_of(*choice)
            if not raw:
                yield "|".join(choice), divergence
