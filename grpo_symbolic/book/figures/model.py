"""What a figure is, before anything draws it: panels of lines and areas, the claims they come from, the controls.

Static and interactive drawing read the same panels, so they cannot show different numbers.
"""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass, field
from itertools import product
from typing import Literal, TypeAlias

import numpy as np
from numpy.typing import NDArray

from grpo_symbolic.errors import BadInput

Floats: TypeAlias = NDArray[np.float64]
Scale = Literal["linear", "log", "odds"]
Dash = Literal["solid", "dash", "dot"]
Marker = Literal["", "dot", "ring"]

# Okabe & Ito's colours, which colour-blind readers can distinguish; the first is for reference lines.
COLOURS = ("#6b6b6b", "#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000")
# Ticks of a scale 'odds': the first that fit without touching; that of these lists which gives most of them.
_PROBABILITIES = ((0.5, 0.1, 0.01, 1e-3, 1e-4, 1e-6, 1e-8), (0.5, 0.01, 1e-4, 1e-6, 1e-8), (0.5, 1e-3, 1e-6))


@dataclass(frozen=True)
class Axis:
    """An axis: what it measures in words, its range, its scale.

    On a scale 'odds' the positions are log-odds, so that what happens near 0 and near 1 is seen; the ticks name the
    probabilities. Then ``low`` and ``high`` are log-odds too.
    """

    title: str
    low: float
    high: float
    scale: Scale = "linear"

    def ticks(self, spacing: float) -> list[tuple[float, str]]:
        """Position and label of each tick of a scale 'odds' or 'log'; none for a linear one, which finds its own.

        They are at least ``spacing`` lengths of the axis from one another, so that labels do not touch.
        """
        if self.scale == "linear":
            return []
        if self.scale == "log":
            powers = range(math.floor(math.log10(self.low)), math.ceil(math.log10(self.high)) + 1)
            marks = [round(m * 10.0**k, 12) for m in (1, 5, 2) for k in powers]
            return self._fitting([(m, f"{m:g}") for m in marks], spacing, math.log10)
        choices = [
            self._fitting([m for p in chosen for m in _two_ends(p)], spacing, float) for chosen in _PROBABILITIES
        ]
        return max(choices, key=len)

    def _fitting(
        self, marks: list[tuple[float, str]], spacing: float, place: Callable[[float], float]
    ) -> list[tuple[float, str]]:
        """The marks inside the axis that are not too near to an earlier one."""
        labels: list[tuple[float, str]] = []
        nearest = spacing * (place(self.high) - place(self.low))
        for mark, label in marks:
            if self.low <= mark <= self.high and all(abs(place(mark) - place(m)) >= nearest for m, _ in labels):
                labels.append((mark, label))
        return sorted(labels)


def _two_ends(p: float) -> list[tuple[float, str]]:
    """The log-odds of p and of 1 − p, with their labels."""
    return [
        (log_odds(p), f"{p:g}" if p > 1e-5 else power(p)),
        (-log_odds(p), f"{1 - p:g}" if p > 2e-4 else f"1−{power(p)}"),
    ]


def log_odds(p: float) -> float:
    """``log(p/(1 − p))`` of a probability in (0, 1).

    >>> log_odds(0.5)
    0.0
    """
    return math.log(p) - math.log1p(-p)


def power(value: float) -> str:
    """A power of ten as a label.

    >>> power(1e-5)
    '10⁻⁵'
    """
    return "10" + str(round(math.log10(value))).translate(str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹"))


@dataclass(frozen=True)
class Line:
    """A line, or points, by their coordinates; where a coordinate is NaN the line has a gap.

    ``name`` is its entry in the legend, none if empty; ``colour`` indexes :data:`COLOURS`.
    """

    name: str
    x: Floats
    y: Floats
    colour: int = 1
    dash: Dash = "solid"
    marker: Marker = ""
    joined: bool = True
    width: float = 2.0


@dataclass(frozen=True)
class Area:
    """A filled region inside a closed polygon. ``shade`` in [0, 1], where given, replaces the colour: light to dark."""

    name: str
    x: Floats
    y: Floats
    colour: int = 1
    shade: float | None = None


@dataclass(frozen=True)
class Panel:
    """One pair of axes with what is drawn in it; ``note`` says in a sentence what the reader sees at these values."""

    title: str
    x: Axis
    y: Axis
    lines: Sequence[Line] = ()
    areas: Sequence[Area] = ()
    note: str = ""

    @property
    def items(self) -> list[Area | Line]:
        """Everything drawn, from the back to the front."""
        return [*self.areas, *self.lines]


@dataclass(frozen=True)
class Control:
    """Something under the reader's hand: its name in words, the values it takes (as labels), the first one shown."""

    words: str
    values: tuple[str, ...]
    start: int


@dataclass(frozen=True)
class Figure:
    """A figure of the book.

    ``claims`` are the ids of what it draws; ``alt`` says in words what is to be seen. ``still`` makes the
    static figure; with ``controls``, ``live`` makes the panels for one index of each control, of which a figure without
    ``still`` shows those at the start.
    """

    name: str
    title: str
    claims: tuple[str, ...]
    alt: str
    still: Callable[[], Sequence[Panel]] | None
    controls: tuple[Control, ...] = ()
    live: Callable[..., Sequence[Panel]] | None = field(default=None)

    def panels(self) -> Sequence[Panel]:
        """The static figure."""
        return self.at_start() if self.still is None else self.still()

    def at_start(self) -> Sequence[Panel]:
        """The panels for the settings of the controls that are shown first."""
        assert self.live is not None
        return self.live(*(c.start for c in self.controls))

    def frames(self) -> Iterator[Sequence[Panel]]:
        """The panels for every setting of the controls, the last control varying fastest."""
        if self.live is None:
            raise BadInput(f"the figure {self.name} has no controls")
        for indices in product(*(range(len(c.values)) for c in self.controls)):
            yield self.live(*indices)


def between(x: Floats, low: Floats, high: Floats) -> tuple[Floats, Floats]:
    """The closed polygon between two curves over the same ``x``."""
    return np.concatenate([x, x[::-1]]), np.concatenate([low, high[::-1]])


def part(curve: Floats, where: NDArray[np.bool_]) -> Floats:
    """A curve with gaps but ``where`` it is wanted, and one point beyond, so that the parts of a curve meet."""
    return np.where(where | np.r_[False, where[:-1]], curve, np.nan)


def indexed(text: str) -> list[tuple[str, str]]:
    """A label cut into ('plain', text) and ('sub', index): ``p_ref`` has an index, words have none.

    >>> indexed("success p_ref of it")
    [('plain', 'success p'), ('sub', 'ref'), ('plain', ' of it')]
    """
    result = []
    for k, part in enumerate(re.split(r"(?<=[A-Za-zα-ωΑ-Ω])_(\w+)", text)):
        if part:
            result.append(("sub" if k % 2 else "plain", part))
    return result
