"""The theory of the space of objectives: for any point the objective, its stationary policies, and the claims that
settle what is known of them.

>>> import grpo_symbolic as gs
>>> str(gs.theory(group_size=8, divergence="k3", normaliser="std+eps", beta=0.04).point)
'groups of 8, normaliser std+eps, divergence k3, ε = guard, β = 1/25'

A point is advantage × divergence × group size × ratio (:mod:`.point`). What belongs to it is derived
(:mod:`.derive`, :mod:`.numbers`); which claim answers which question where is declared in one table
(:mod:`.coverage`); verdicts come from a ledger (:mod:`.cards`).
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grpo_symbolic.theory.coverage import COVERAGE, QUESTIONS, Row
    from grpo_symbolic.theory.interface import Answer, Settled, Theory
    from grpo_symbolic.theory.point import DIVERGENCES, NORMALISERS, PLACES, RATIOS, WEIGHTS, Point
    from grpo_symbolic.theory.points import POINTS, Line, Named, table

_HOME = {
    **dict.fromkeys(("COVERAGE", "QUESTIONS", "Row"), "coverage"),
    **dict.fromkeys(("DIVERGENCES", "NORMALISERS", "PLACES", "RATIOS", "WEIGHTS", "Point"), "point"),
    **dict.fromkeys(("POINTS", "Line", "Named", "table"), "points"),
    **dict.fromkeys(("Answer", "Settled", "Theory"), "interface"),
}

__all__ = [
    "COVERAGE",
    "DIVERGENCES",
    "NORMALISERS",
    "PLACES",
    "POINTS",
    "QUESTIONS",
    "RATIOS",
    "WEIGHTS",
    "Answer",
    "Line",
    "Named",
    "Point",
    "Row",
    "Settled",
    "Theory",
    "table",
]


class _Package(ModuleType):
    """``grpo_symbolic.theory`` is the package and, called, the function :func:`.interface.theory`."""

    def __call__(self, *args: Any, **options: Any) -> Any:
        return import_module(f"{__name__}.interface").theory(*args, **options)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")
