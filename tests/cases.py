"""Random statements by their number, of all shapes."""

from __future__ import annotations

import random
from contextlib import suppress
from dataclasses import fields, replace

import sympy as sp
from shapes import PLAIN, Case
from shapes_in_scopes import IN_SCOPES

from grpo_symbolic.errors import BadInput

SHAPES = (*PLAIN, *IN_SCOPES)
ATTEMPTS = 200  # at a statement that SymPy can build


def _sound(made: Case) -> bool:
    """Whether SymPy has not already made something infinite or complex of a statement."""
    said = made.statement.conclusion
    parts = [getattr(said, f.name) for f in fields(said) if f.name in ("left", "right", "body", "formula")]
    return not any(sp.sympify(part).has(sp.zoo, sp.nan, sp.oo, -sp.oo, sp.I) for part in parts)


def case(seed: int) -> Case:
    """The statement with a number, always the same one."""
    shape = SHAPES[seed % len(SHAPES)]
    for attempt in range(ATTEMPTS):
        with suppress(TypeError, ValueError, AttributeError, BadInput):  # of SymPy, which cannot build everything
            made = shape(random.Random(f"{seed} {attempt}"))
            if _sound(made):
                return replace(made, shape=shape.__name__)
    raise AssertionError(f"no statement with the number {seed} can be built")
