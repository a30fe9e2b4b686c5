"""The numbers of the figures: expressions of the package evaluated in ball arithmetic, so that each point is certified.

A ball encloses the true value; its middle is what is drawn, and it is drawn only if the ball is too small to be seen.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from fractions import Fraction
from typing import TypeAlias

import numpy as np
import sympy as sp
from numpy.typing import NDArray

from grpo_symbolic.book.figures.model import Floats
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import x as _position
from grpo_symbolic.numeric.compiler.compiled import compile

Balls: TypeAlias = NDArray[np.object_]  # of flint.arb
Numbers: TypeAlias = Floats | Balls | Sequence[float] | Fraction | float
_DIGITS = 60  # enough for 1 − p of a success probability of 1 − 10⁻⁴⁰
_WIDEST = 1e-9  # of a ball, relative to its middle or absolute


def balls(expression: sp.Expr, arguments: Sequence[sp.Symbol], *values: Numbers) -> Balls:
    """The expression at numbers, or arrays of them that broadcast, as an object array of balls that enclose it."""
    columns = np.broadcast_arrays(*(np.asarray(v, dtype=object) for v in values))
    return compile(sp.sympify(expression), arguments, backend="flint", stable=False, digits=_DIGITS)(*columns)


def values(expression: sp.Expr, arguments: Sequence[sp.Symbol], *at: Numbers) -> Floats:
    """The expression at arrays of numbers, as floats that are right to nine digits at least.

    Raises :class:`BadInput` where the ball that encloses the value is wider than that, or infinite.
    """
    return middles(balls(expression, arguments, *at), expression)


def middles(enclosures: Balls, what: sp.Expr | str = "a value") -> Floats:
    """The middles of balls, as floats; raises :class:`BadInput` for one that is too wide to be drawn as a point."""
    flat = np.atleast_1d(np.asarray(enclosures, dtype=object))
    centres = np.empty(flat.shape)
    for place, ball in np.ndenumerate(flat):
        middle = float(ball.mid())
        centres[place] = middle
        if not (ball.is_finite() and float(ball.rad()) <= _WIDEST * max(abs(middle), _WIDEST)):
            raise BadInput(f"{what} cannot be enclosed narrowly enough to be drawn: {ball}")
    return centres


def iterates(start: Balls, step: Callable[[Balls], Balls], steps: int) -> Floats:
    """A number and what it becomes step by step, as floats, from balls that enclose them."""
    reached = [np.atleast_1d(start)]
    for _ in range(steps):
        reached.append(np.atleast_1d(step(reached[-1])))
    return middles(np.concatenate(reached), "an iterate")


def in_log_odds(expression: sp.Expr, probability: sp.Symbol) -> sp.Expr:
    """The expression with ``1/(1 + e^(−x))`` in place of a probability: x, its log-odds, is the new variable."""
    return sp.sympify(expression).subs(probability, 1 / (1 + sp.exp(-_position)))


def middle_of(bounds: tuple[sp.Expr, sp.Expr] | None) -> float:
    """The middle of two exact bounds, as a float; raises :class:`BadInput` for none, or two that are not one point."""
    if bounds is None:
        raise BadInput("a point at infinity cannot be drawn")
    low, high = bounds
    middle = float((low + high) / 2)
    if float(high - low) > _WIDEST * max(abs(middle), 1.0):
        raise BadInput(f"the bounds {sp.N(low, 6)} and {sp.N(high, 6)} are not one point of a figure")
    return middle
