"""Figures to play with: Plotly's traces and layout once, and for every setting of the controls only what changes.

The page holds everything; nothing is computed in the browser. Arrays travel as little-endian float32 in base64, which
is half as long as decimal digits and finer than a screen.
"""

from __future__ import annotations

import base64
import json
from typing import Any

import numpy as np

from grpo_symbolic.book.figures.model import COLOURS, Area, Axis, Figure, Floats, Line, Panel, indexed
from grpo_symbolic.book.figures.static import TICKS_APART, area_alpha, area_colour
from grpo_symbolic.errors import BadInput

_LEGEND_LINE = 19  # pixels


def plotly_script() -> str:
    """The path of plotly.js in the installed package; raises :class:`BadInput` without it."""
    return str(_plotly()[1])


def _plotly() -> tuple[Any, Any]:
    try:
        from importlib.resources import files

        from plotly import graph_objects
    except ImportError:
        raise BadInput("interactive figures need Plotly: pip install plotly") from None
    return graph_objects, files("plotly") / "package_data" / "plotly.min.js"


def document(figure: Figure) -> str:
    """A figure with controls as JSON, for ``figures.js``.

    ``controls``: name, values and start of each. ``panels``: title, traces without coordinates, layout.
    ``arrays``: every array once, as base64. ``frames``, the last control varying fastest: for each panel its title, its
    note and for each trace the indices of its x and y in ``arrays``.
    """
    arrays: dict[str, int] = {}
    frames = [
        [
            {
                "title": _html(panel.title),
                "note": panel.note,
                "at": [[_place(arrays, item.x), _place(arrays, item.y)] for item in panel.items],
            }
            for panel in panels
        ]
        for panels in figure.frames()
    ]
    assert figure.live is not None
    first = figure.live(*(c.start for c in figure.controls))
    described = {
        "controls": [{"words": _html(c.words), "values": c.values, "start": c.start} for c in figure.controls],
        "panels": [_panel(panel) for panel in first],
        "arrays": list(arrays),
        "frames": frames,
    }
    return json.dumps(described, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _place(arrays: dict[str, int], values: Floats) -> int:
    """Where an array is in the list of arrays; it is added at first sight."""
    text = base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")
    return arrays.setdefault(text, len(arrays))


def _panel(panel: Panel) -> dict[str, Any]:
    """Traces and layout of one panel, checked by Plotly's own classes."""
    graph, _ = _plotly()
    drawn = graph.Figure(
        [_area(area) for area in panel.areas] + [_line(line) for line in panel.lines], _layout(panel)
    ).to_plotly_json()
    drawn["layout"].pop("template", None)
    return {"data": drawn["data"], "layout": drawn["layout"]}


def _area(area: Area) -> dict[str, Any]:
    colour = area_colour(area)
    channels = ",".join(str(int(colour[k : k + 2], 16)) for k in (1, 3, 5))
    return {
        "type": "scatter",
        "mode": "lines",
        "line": {"width": 0},
        "fill": "toself",
        "fillcolor": f"rgba({channels},{area_alpha(area)})",
        "name": _html(area.name),
        "showlegend": bool(area.name),
        "hoverinfo": "skip",
    }


def _line(line: Line) -> dict[str, Any]:
    colour = COLOURS[line.colour]
    mode = "+".join([*(["lines"] if line.joined else []), *(["markers"] if line.marker else [])])
    return {
        "type": "scatter",
        "mode": mode,
        "line": {"color": colour, "width": line.width, "dash": line.dash},
        "marker": {
            "color": "#ffffff" if line.marker == "ring" else colour,
            "size": 5 if line.joined else 8,
            "line": {"color": colour, "width": 2 if line.marker == "ring" else 0},
        },
        "name": _html(line.name),
        "showlegend": bool(line.name),
        "connectgaps": False,
        "cliponaxis": line.joined,
    }


def _layout(panel: Panel) -> dict[str, Any]:
    named = sum(bool(item.name) for item in panel.items)
    named = named if named > 1 else 0  # a single name says no more than the title
    bottom = 70 + _LEGEND_LINE * named
    return {
        "title": {"text": _html(panel.title), "font": {"size": 16}, "x": 0.01, "xanchor": "left", "y": 0.98},
        "height": 330 + bottom,
        "margin": {"l": 64, "r": 26, "t": 38, "b": bottom},
        "xaxis": _axis(panel.x, "x"),
        "yaxis": _axis(panel.y, "y"),
        "legend": {"orientation": "v", "x": 0, "y": 0, "yref": "container", "yanchor": "bottom", "itemclick": False},
        "font": {"family": "system-ui, sans-serif", "size": 13, "color": "#222222"},
        "paper_bgcolor": "#ffffff",
        "plot_bgcolor": "#ffffff",
        "hovermode": "closest",
        "showlegend": named > 0,
    }


def _axis(axis: Axis, side: str) -> dict[str, Any]:
    logarithmic = axis.scale == "log"
    drawn: dict[str, Any] = {
        "title": {"text": _html(axis.title), "standoff": 8, "font": {"size": 13}},
        "type": "log" if logarithmic else "linear",
        "range": [float(np.log10(v)) if logarithmic else float(v) for v in (axis.low, axis.high)],
        "gridcolor": "#e5e5e5",
        "linecolor": "#555555",
        "showline": True,
        "zeroline": False,
        "ticks": "outside",
        "automargin": True,
        "tickangle": 0,
    }
    ticks = axis.ticks(TICKS_APART[side])
    if ticks:
        drawn |= {"tickmode": "array", "tickvals": [t for t, _ in ticks], "ticktext": [label for _, label in ticks]}
    if axis.scale == "odds":
        drawn["hoverformat"] = ".2f"
    return drawn


def _html(text: str) -> str:
    return "".join(part if kind == "plain" else f"<sub>{part}</sub>" for kind, part in indexed(text))
