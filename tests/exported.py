"""Points of domains and values in ball arithmetic, to compare exported functions with."""

from functools import cache
from math import isfinite

import sympy as sp

from grpo_symbolic import catalogue
from grpo_symbolic.export.item import item
from grpo_symbolic.export.straightline import functions, lowered
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined
from grpo_symbolic.proof.statements.evaluate import evaluate, truth
from grpo_symbolic.session import Session
from grpo_symbolic.verification.store import Store


@cache
def session():
    """All built-in claims, loaded once, with an empty store."""
    from pathlib import Path
    from tempfile import mkdtemp

    return Session(store=Store(Path(mkdtemp()) / "store"))


def exportable(name, **values):
    """The item of a claim or of a named thing."""
    return item(session().claim(name) if name in catalogue.ids() else name).at(values)


def rounded(point):
    """The point whose numbers are floats."""

    def near(value):
        return sp.Rational(*float(sp.N(value, 30)).as_integer_ratio())

    return {
        k: [near(v) for v in value] if isinstance(value, list | tuple) else near(value) for k, value in point.items()
    }


def values_of(function, point):
    """The numbers at a point for the arguments of a function."""
    return [
        float(point[a.base.label][int(a.indices[0]) - 1]) if isinstance(a, sp.Indexed) else float(point[a])
        for a in function.arguments
    ]


def value(expression, point, truth_value=False):
    """The value in ball arithmetic, or ``None`` where there is none or it is beyond floats."""
    try:
        if truth_value:
            return truth(expression, point, ARB)
        ball = evaluate(expression, point, ARB)
    except Undefined:
        return None
    return float(ball) if isfinite(float(ball)) and 1e-290 < abs(float(ball)) + (float(ball) == 0) else None


def cases(of, count=6, reserved=frozenset()):
    """``(function, point, numbers, value)`` for every part of an item, at floats of its domain, some near its ends."""
    made, _ = functions(of, reserved)
    found = []
    for function in made:
        exact = lowered(function.part.expression)
        for point in map(rounded, function.part.domain.points(count, 3, special=False)):
            known = value(exact, point, function.program.boolean)
            if known is not None:
                found.append((function, point, values_of(function, point), known))
    return found


def agree(found, known, tolerance=1e-9):
    """Whether a computed number is a value, but for rounding."""
    if isinstance(known, bool):
        return bool(found) == known
    return abs(found - known) <= tolerance * abs(known) + 1e-14
