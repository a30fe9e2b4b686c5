"""A diagnosis as one page of HTML that needs nothing else: light or dark as the machine is, a picture a series.

Pictures are SVG: the series as a line, the band in which the options say it lies, and rings where it does not.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from html import escape

import numpy as np

from grpo_symbolic.diagnose.diagnosis import ASSUMED, Diagnosis
from grpo_symbolic.diagnose.findings import Band, Finding, Kind
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Array

__all__ = ["page", "picture"]

_WIDTH, _HEIGHT, _LEFT, _BELOW, _TOP = 640.0, 170.0, 64.0, 22.0, 8.0
_POINTS = 800  # of a line: more are not seen
_RINGS = 200  # around odd values: more hide the line
_TITLES = {
    Kind.ODD: "Not what your options imply",
    Kind.EXPLAINED: "Explained by your options",
    Kind.OPEN: "Not known",
}
_STYLE = """
:root { color-scheme: light dark; --ink: #1c2024; --soft: #60646c; --paper: #fff; --line: #3358d4; --band: #3358d422;
  --edge: #3358d466; --odd: #ce2c31; --rule: #d9d9e0; }
@media (prefers-color-scheme: dark) { :root { --ink: #edeef0; --soft: #b0b4ba; --paper: #111113; --line: #9eb1ff;
  --band: #9eb1ff26; --edge: #9eb1ff66; --odd: #ff9592; --rule: #43484e; } }
body { font: 16px/1.5 system-ui, sans-serif; color: var(--ink); background: var(--paper); max-width: 46rem;
  margin: 2rem auto; padding: 0 1rem; }
h1 { font-size: 1.5rem; } h2 { font-size: 1.2rem; margin-top: 2.5rem; } h3 { font-size: 1rem; margin: 1.5rem 0 .25rem; }
code { font-size: .9em; } p, ul { margin: .25rem 0; } .soft { color: var(--soft); } .odd { color: var(--odd); }
svg { width: 100%; height: auto; } svg text { font: 11px system-ui, sans-serif; fill: var(--soft); }
svg .line { fill: none; stroke: var(--line); stroke-width: 1.5; } svg .band { fill: var(--band); stroke: var(--edge); }
svg .ring { fill: none; stroke: var(--odd); stroke-width: 1.5; } svg .axis { stroke: var(--rule); }
"""


def page(diagnosis: Diagnosis) -> str:
    """The page of a ``diagnosis``: what is odd first, then a picture of each series, then what was not asked."""
    of = diagnosis.run.reading
    title = f"{of.trainer} {of.version}: {len(diagnosis.odd)} of {len(diagnosis.findings)} findings are not implied"
    assumed = [f"<p>{escape(ASSUMED)}</p>"] if diagnosis.assumed else []
    body = "\n".join(
        [f"<h1>{escape(title)}</h1>", *assumed, *_lists(diagnosis), *_pictures(diagnosis), *_rest(diagnosis)]
    )
    head = f'<meta charset="utf-8"><meta name="viewport" content="width=device-width"><title>{escape(title)}</title>'
    return (
        f'<!doctype html>\n<html lang="en"><head>{head}<style>{_STYLE}</style></head>\n<body>\n{body}\n</body></html>\n'
    )


def _lists(diagnosis: Diagnosis) -> Iterator[str]:
    for kind, title in _TITLES.items():
        findings = diagnosis.of(kind)
        if findings:
            yield f"<h2>{title}</h2>"
            yield from (_finding(finding) for finding in findings)


def _finding(finding: Finding) -> str:
    mark = ' class="odd"' if finding.kind is Kind.ODD else ""
    cited = ", ".join(f"<code>{escape(claim)}</code>" for claim in finding.claims)
    items = "".join(f"<li>{escape(tell)}</li>" for tell in finding.tells)
    basis = escape(finding.surety) + (f"; {cited}" if cited else "")
    return (
        f"<h3{mark}>{escape(finding.quantity)}</h3><p>{escape(finding.text)}</p>"
        + (f"<p>What it may be:</p><ul>{items}</ul>" if items else "")
        + f'<p class="soft">{basis}</p>'
    )


def _pictures(diagnosis: Diagnosis) -> Iterator[str]:
    log = diagnosis.run.log
    yield "<h2>Each series</h2>"
    yield '<p class="soft">Shaded: where the options say that it lies. Rings: where it does not.</p>'
    for quantity in Quantity:
        if quantity in log.series:
            about = [finding for finding in diagnosis.findings if finding.quantity is quantity]
            bands = [finding.band for finding in about if finding.band is not None]
            rings = [step for finding in about for step in finding.steps]
            name = f"{escape(quantity)} <code>{escape(log.columns[quantity])}</code>"
            yield f"<h3>{name}</h3>{picture(quantity, log.steps, log.of(quantity), bands, rings)}"


def _rest(diagnosis: Diagnosis) -> Iterator[str]:
    log, of = diagnosis.run.log, diagnosis.run.reading
    needs = (f"{u.name.replace('_', ' ')}: needs {', '.join(u.missing)}" for u in diagnosis.unasked)
    for title, entries in (
        ("Not asked, since it was not logged", list(needs)),
        ("Columns that were not understood", list(log.unknown)),
        ("Columns that are held against nothing", list(log.beside)),
        ("Options that are not modelled", [str(use) for use in of.left_out()]),
        ("What was assumed of the options", [note.text for note in of.notes]),
    ):
        if entries:
            items = "".join(f"<li>{escape(entry)}</li>" for entry in entries)
            yield f"<h2>{title}</h2><ul>{items}</ul>"


def picture(
    quantity: Quantity, steps: Array, values: Array, bands: Sequence[Band] = (), rings: Sequence[float] = ()
) -> str:
    """The SVG of a series of ``values`` at ``steps``, each of shape (n,), with its ``bands``, and ``rings`` at steps
    where it leaves them; ``quantity`` names it for those who do not see it.
    """
    known = np.isfinite(values)
    if not known.any():
        return ""
    low, high = _range(values[known], bands)
    first, last = float(steps[known][0]), float(steps[known][-1])

    def x(step: Array | float) -> Array:
        along = (np.asarray(step, dtype=float) - first) / max(last - first, 1e-12)
        return _LEFT + along * (_WIDTH - _LEFT - 8)

    def y(value: Array | float) -> Array:
        up = (np.clip(np.asarray(value, dtype=float), low, high) - low) / (high - low)
        return _HEIGHT - _BELOW - up * (_HEIGHT - _BELOW - _TOP)

    parts = [f"<title>{escape(quantity)}</title>", *_axes(low, high, first, last, y)]
    for band in bands:
        at = _thin(len(band.steps))
        edge = np.concatenate([x(band.steps[at]), x(band.steps[at][::-1])])
        ends = np.concatenate([y(band.low[at]), y(band.high[at][::-1])])
        parts.append(f'<polygon class="band" points="{_points(edge, ends)}"/>')
    at = np.flatnonzero(known)[_thin(int(known.sum()))]
    parts.append(f'<polyline class="line" points="{_points(x(steps[at]), y(values[at]))}"/>')
    odd = np.flatnonzero(known & np.isin(steps, rings))
    for k in odd[_thin(len(odd), _RINGS)]:
        parts.append(f'<circle class="ring" cx="{float(x(steps[k])):.1f}" cy="{float(y(values[k])):.1f}" r="3"/>')
    return f'<svg role="img" viewBox="0 0 {_WIDTH:g} {_HEIGHT:g}">{"".join(parts)}</svg>'


def _range(values: Array, bands: Sequence[Band]) -> tuple[float, float]:
    """What the picture shows: all values, and of a band what is not much further out than they are."""
    low, high = float(values.min()), float(values.max())
    room = max(high - low, 0.1 * max(abs(low), abs(high)), 1e-9)
    for band in bands:
        for end in (band.low, band.high):
            near = end[np.isfinite(end)]
            if len(near):
                low, high = min(low, max(float(near.min()), low - room)), max(high, min(float(near.max()), high + room))
    return low - 0.05 * room, high + 0.05 * room


def _axes(low: float, high: float, first: float, last: float, y: Callable[[float], Array]) -> Iterator[str]:
    bottom = _HEIGHT - _BELOW
    yield f'<line class="axis" x1="{_LEFT:g}" x2="{_WIDTH - 8:g}" y1="{bottom:g}" y2="{bottom:g}"/>'
    for value in np.linspace(low, high, 3):
        place = float(y(float(value)))
        yield f'<text x="{_LEFT - 6:g}" y="{place + 4:.1f}" text-anchor="end">{value:.3g}</text>'
    yield f'<text x="{_LEFT:g}" y="{_HEIGHT - 6:g}">step {first:g}</text>'
    yield f'<text x="{_WIDTH - 8:g}" y="{_HEIGHT - 6:g}" text-anchor="end">{last:g}</text>'


def _thin(count: int, most: int = _POINTS) -> np.ndarray:
    """At most so many of ``count`` places, the ends among them."""
    return np.unique(np.linspace(0, count - 1, min(count, most)).round().astype(int)) if count else np.arange(0)


def _points(x: Array, y: Array) -> str:
    return " ".join(f"{a:.1f},{b:.1f}" for a, b in zip(x, y, strict=True))
