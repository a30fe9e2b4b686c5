"""Predictions for very many different pass rates: for one training the limit is a function of logit(p_ref) alone.

It is tabulated on a fine grid of logits, as cubic pieces through the limits and their exact slopes ``dt*/dL =
1/(1 − h′)`` at the ends. A piece is used only where the theory says that the orbit is monotone after one step (``L +
W(0)/β ≥ 0``; claim mr-dyn-above-half), where its ends and its midpoint, solved directly, have the same flags, and where
it gives the midpoint to 2·10⁻¹⁴ in probability; each value is polished by one Newton step. Every other rate, and any
that this step moves by more than 10⁻⁸, is solved directly.
"""

from __future__ import annotations

import math
from typing import Any

import numpy as np

from grpo_symbolic.numeric.blocks import in_blocks
from grpo_symbolic.numeric.gap import Floats, Gap, of_group, of_population, take, value_and_slope
from grpo_symbolic.numeric.limits import CONVERGES, probability

_ENDS = 16.0  # logits from −16 to 16
_PIECES = 1 << 14
_WITHIN = 2e-14
_MOVED = 1e-8


class Lookup:
    """The table for one training, direct KL and scaled advantages; ``settings`` is a ``predict.Settings``."""

    def __init__(self, settings: Any) -> None:
        self.gap, self.drive = _gap(settings), 1.0 / settings.beta
        grid = np.linspace(-_ENDS, _ENDS, 2 * _PIECES + 1)
        found = settings.solve(None, grid)
        self.width = grid[2] - grid[0]
        t, slope, multiple = found.logit, 1.0 / (1.0 - found.slope), found.multiple
        left, right, rise = t[:-1:2], t[2::2], self.width * slope
        a, b = rise[:-1:2], rise[2::2]
        with np.errstate(invalid="ignore"):  # infinite logits: p = 1
            self.pieces = np.stack([left, a, 3 * (right - left) - 2 * a - b, 2 * (left - right) + a + b], axis=-1)
        middle = t[1::2]
        guess = ((self.pieces[:, 3] / 2 + self.pieces[:, 2]) / 2 + self.pieces[:, 1]) / 2 + left
        good = (found.kind == CONVERGES) & np.isfinite(t)
        with np.errstate(all="ignore"):
            near = abs(probability(guess) - probability(middle)) <= _WITHIN
            near &= abs(guess - middle) <= _MOVED * np.maximum(1.0, abs(middle))
            monotone = grid[:-1:2] + self.gap.least * self.drive >= 0
        self.multiple = multiple[:-1:2]
        same = (self.multiple == multiple[1::2]) & (self.multiple == multiple[2::2])
        self.usable = good[:-1:2] & good[1::2] & good[2::2] & near & monotone & same
        certain = np.isposinf(t)
        self.certain = certain[:-1:2] & certain[1::2] & certain[2::2] & monotone & same

    def __call__(self, rates: Floats) -> tuple[Floats, Any, Any]:
        """The limits of rates, where there are several fixed points, and which of the rates were found so."""
        limit, multiple, known = np.empty(len(rates)), np.empty(len(rates), bool), np.empty(len(rates), bool)

        def some(part: slice) -> None:
            p = rates[part]
            with np.errstate(all="ignore"):
                L = np.log(p / (1.0 - p))
                place = (L + _ENDS) / self.width
                inside = (place >= 0) & (place < _PIECES)
                piece = np.where(inside, place, 0.0).astype(np.int64)
                x = place - piece
                c = self.pieces.take(piece, axis=0).T
                t = ((c[3] * x + c[2]) * x + c[1]) * x + c[0]
                value, slope = value_and_slope(np, self.gap.family, self.gap.parameters, t)
                move = (L + value * self.drive - t) / (1.0 - slope * self.drive)
                t += move
                certain = self.certain.take(piece)
                known[part] = self.usable.take(piece) & (abs(move) <= _MOVED * np.maximum(1.0, abs(t)))
                known[part] = inside & (known[part] | certain)
                limit[part], multiple[part] = np.where(certain, 1.0, probability(t)), self.multiple.take(piece)

        in_blocks(some, len(rates))
        return limit, multiple, known


def _gap(settings: Any) -> Gap:
    if math.isinf(float(settings.group_size)):
        return of_population(np.float64(settings.guard), settings.guard_inside)
    table = of_group(
        np.array([settings.guard]), int(settings.group_size), True, settings.guard_inside, settings.sample_deviation
    )
    return take(table, 0)
