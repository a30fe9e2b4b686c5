"""Panels as SVG pictures, by Matplotlib; the same panel gives the same bytes."""

from __future__ import annotations

import io
from dataclasses import dataclass, replace
from typing import TYPE_CHECKING

import numpy as np

from grpo_symbolic.book.figures.model import COLOURS, Area, Axis, Line, Panel, indexed
from grpo_symbolic.errors import BadInput

if TYPE_CHECKING:
    from matplotlib.axes import Axes
    from matplotlib.axis import XAxis, YAxis

_WIDTH, _HEIGHT = 5.0, 3.7  # inches; on a phone a picture is as wide as the page, and its letters must still be read
_LEGEND_LINE = 0.21
TICK_SPACING = {"x": 0.16, "y": 0.09}  # labels are wider than high
_DASHES = {"solid": (), "dash": (5, 2), "dot": (1, 2)}  # in widths of the line
_STYLE = {
    "font.family": "DejaVu Sans",
    "font.size": 11,
    "mathtext.fontset": "dejavusans",
    "axes.spines.top": False,
    "axes.spines.right": False,
    "axes.edgecolor": "#555555",
    "axes.grid": True,
    "axes.axisbelow": False,
    "grid.color": "#999999",
    "grid.alpha": 0.25,
    "grid.linewidth": 0.6,
    "legend.frameon": False,
    "legend.fontsize": 9.5,
    "svg.fonttype": "path",
    "svg.hashsalt": "grpo-symbolic",
}


@dataclass(frozen=True)
class Drawn:
    """A panel as a picture, its width and height, and left, top, right and bottom of the axes in it, in points."""

    picture: str
    size: tuple[float, float]
    box: tuple[float, float, float, float]


def svg(panel: Panel) -> str:
    """One panel as an SVG picture; raises :class:`BadInput` without Matplotlib."""
    return _drawn(panel).picture


def empty(panel: Panel) -> Drawn:
    """The axes and the legend of a panel, with no title and nothing in the axes."""
    nothing = np.array([np.nan])
    areas = [replace(area, x=nothing, y=nothing) for area in panel.areas]
    lines = [replace(line, x=nothing, y=nothing) for line in panel.lines]
    return _drawn(replace(panel, title="", areas=areas, lines=lines))


def _drawn(panel: Panel) -> Drawn:
    try:
        import matplotlib as mpl
        from matplotlib.figure import Figure
    except ImportError:
        raise BadInput("the figures need Matplotlib: pip install matplotlib") from None
    with mpl.rc_context(_STYLE):
        named = [item.name for item in panel.items if item.name]
        longest = max(map(len, named), default=0)
        columns = 3 if longest < 16 else 2 if longest < 26 else 1
        rows = -(-len(named) // columns) if len(named) > 1 else 0
        canvas = Figure(figsize=(_WIDTH, _HEIGHT + _LEGEND_LINE * rows), layout="constrained")
        axes = canvas.add_subplot()
        for area in panel.areas:
            axes.fill(
                area.x, area.y, color=area_colour(area), alpha=area_alpha(area), lw=0, label=_math(area.name) or "_"
            )
        for line in panel.lines:
            _draw(axes, line, panel)
        axes.set_title(_math(panel.title), fontsize=12, loc="left")
        _frame(axes.xaxis, panel.x)
        _frame(axes.yaxis, panel.y)
        axes.set_xlim(panel.x.low, panel.x.high)
        axes.set_ylim(panel.y.low, panel.y.high)
        if rows:  # a single name says no more than the title
            canvas.legend(loc="outside lower center", ncols=columns)
        out = io.StringIO()
        canvas.savefig(out, format="svg", metadata={"Date": None})
        place, (width, height) = axes.get_position(), 72 * canvas.get_size_inches()
        box = (place.x0 * width, (1 - place.y1) * height, place.x1 * width, (1 - place.y0) * height)
        return Drawn(out.getvalue(), (width, height), box)


def dashes(line: Line) -> tuple[int, ...]:
    """Lengths of dashes and gaps, in widths of the line; none for a whole line."""
    return _DASHES[line.dash]


def marker_size(line: Line) -> float:
    """Across, in points."""
    return 4 if line.joined else 7


def area_colour(area: Area) -> str:
    """The colour of an area: its own, or a shade from light to dark that keeps its order in grey."""
    if area.shade is None:
        return COLOURS[area.colour]
    light, dark = (0xE8, 0xF1, 0xFA), (0x08, 0x30, 0x6B)
    mixed = (round(a + (b - a) * area.shade) for a, b in zip(light, dark, strict=True))
    return "#" + "".join(f"{channel:02x}" for channel in mixed)


def area_alpha(area: Area) -> float:
    """How much of what is behind an area it hides."""
    return 1.0 if area.shade is not None else 0.35


def _draw(axes: Axes, line: Line, panel: Panel) -> None:
    colour = COLOURS[line.colour]
    x, y = np.asarray(line.x), np.asarray(line.y)
    if not line.joined:  # points at an edge are drawn whole, points beyond it not at all
        inside = (panel.x.low <= x) & (x <= panel.x.high) & (panel.y.low <= y) & (y <= panel.y.high)
        x, y = x[inside], y[inside]
    style = (0, dashes(line)) if dashes(line) else "-"
    (drawn,) = axes.plot(
        x,
        y,
        color=colour,
        linestyle=style if line.joined else "none",
        linewidth=line.width,
        marker="o" if line.marker else None,
        markersize=marker_size(line),
        markerfacecolor="white" if line.marker == "ring" else colour,
        markeredgecolor=colour,
        label=_math(line.name) or "_",
        clip_on=line.joined,
        zorder=2 if line.joined else 3,
    )
    drawn.set_in_layout(False)  # a point on the edge of the axes must not move them


def _frame(axis: XAxis | YAxis, about: Axis) -> None:
    axis.axes.set(**{f"{axis.axis_name}label": _math(about.title)})
    if about.scale == "log":
        axis.axes.set(**{f"{axis.axis_name}scale": "log"})
    ticks = about.ticks(TICK_SPACING[axis.axis_name])
    if ticks:
        axis.set_ticks([t for t, _ in ticks], [label for _, label in ticks])
        axis.set_ticks([], minor=True)


def _math(text: str) -> str:
    return "".join(part if kind == "plain" else rf"$_{{\mathrm{{{part}}}}}$" for kind, part in indexed(text))
