"""Figures to play with: the empty axes, drawn by Matplotlib, and what lies in them for each setting of the controls.

The page holds everything; nothing is computed in the browser but where a point of the axes lies. Arrays travel as
little-endian float32 in base64, which is half as long as decimal digits and finer than a screen.
"""

from __future__ import annotations

import base64
import json
from dataclasses import asdict
from typing import Any

import numpy as np

from grpo_symbolic.book.figures import static
from grpo_symbolic.book.figures.model import Area, Figure, Floats, Line, Panel, indexed


def document(figure: Figure) -> str:
    """A figure with controls as JSON, for ``figures.js``.

    ``controls``: name, values and start of each. ``panels``: the axes as a picture, where in it they lie, and how each
    area and line looks. ``arrays``: every array once, as base64. ``frames``, the last control varying fastest: for each
    panel its title, its note and for each area and line the indices of its x and y in ``arrays``.
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
    described = {
        "controls": [{"words": _html(c.words), "values": c.values, "start": c.start} for c in figure.controls],
        "panels": [_panel(panel) for panel in figure.at_start()],
        "arrays": list(arrays),
        "frames": frames,
    }
    return json.dumps(described, ensure_ascii=False, separators=(",", ":")).replace("</", "<\\/")


def _place(arrays: dict[str, int], values: Floats) -> int:
    """Where an array is in the list of arrays; it is added at first sight."""
    text = base64.b64encode(np.asarray(values, dtype="<f4").tobytes()).decode("ascii")
    return arrays.setdefault(text, len(arrays))


def _panel(panel: Panel) -> dict[str, Any]:
    axes = static.empty(panel)
    return {
        "picture": base64.b64encode(axes.picture.encode()).decode("ascii"),
        "size": axes.size,
        "box": axes.box,
        "x": asdict(panel.x),
        "y": asdict(panel.y),
        "items": [_area(i) if isinstance(i, Area) else _line(i) for i in panel.items],
    }


def _area(area: Area) -> dict[str, Any]:
    return {"name": "", "area": True, "colour": static.area_colour(area), "opacity": static.area_alpha(area)}


def _line(line: Line) -> dict[str, Any]:
    return {
        "name": line.name,
        "area": False,
        "joined": line.joined,
        "colour": static.COLOURS[line.colour],
        "width": line.width,
        "dash": [line.width * d for d in static.dashes(line)],
        "radius": static.marker_size(line) / 2 if line.marker else 0,
        "ring": line.marker == "ring",
    }


def _html(text: str) -> str:
    return "".join(part if kind == "plain" else f"<sub>{part}</sub>" for kind, part in indexed(text))
