"""The figures of the book: data from verified expressions, drawn as pictures, some of which move.

:mod:`.model` says what a figure is, :mod:`.certified` evaluates in ball arithmetic, the modules named after papers and
subjects make the panels, :mod:`.static` draws them with Matplotlib, and :mod:`.moving` puts what a control changes into
the axes that are drawn.
"""

from __future__ import annotations

from functools import lru_cache

from grpo_symbolic.book.figures.model import Figure
from grpo_symbolic.errors import check_name


@lru_cache(maxsize=1)
def figures() -> dict[str, Figure]:
    """All figures by name, in the order of the book."""
    from grpo_symbolic.book.figures import dynamics, mroueh, regions, vojnovic_yun

    every = (*vojnovic_yun.FIGURES, *mroueh.FIGURES, *dynamics.FIGURES, *regions.FIGURES)
    return {f.name: f for f in every}


def figure(name: str) -> Figure:
    """A figure by name; raises :class:`BadInput` for a name that is not there."""
    check_name(name, list(figures()), "figure")
    return figures()[name]
