"""Tables and paragraphs for a terminal (colours, wrapped cells) or for a pipe (plain text, nothing cut off)."""

from __future__ import annotations

import os
from bisect import bisect_right
from collections.abc import Sequence
from functools import cache
from itertools import accumulate
from unicodedata import combining, east_asian_width

from rich.console import Console
from rich.table import Table
from rich.text import Text

_PIPE = 120  # columns of a pipe of which nothing is known
STYLES = {
    **dict.fromkeys(("proved", "holds", "as-read", "agree"), "green"),
    "argued": "magenta",
    **dict.fromkeys(("supported", "misprint", "imprecise", "needs-hypothesis", "redundant-hypothesis"), "yellow"),
    **dict.fromkeys(("refuted", "wrong"), "red"),
    **dict.fromkeys(("unknown", "diverge"), "bold red"),
    "definition": "cyan",
}


def width(text: str) -> int:
    """Columns that a text takes on a terminal."""
    return sum(map(_width, text))


@cache
def _width(sign: str) -> int:
    return 0 if combining(sign) else 2 if east_asian_width(sign) in "WF" else 1


def show_table(
    out: Console,
    headers: Sequence[str],
    rows: Sequence[Sequence[str]],
    right: Sequence[str] = (),
    fits: bool = False,
) -> None:
    """Print rows under headers; the columns named in ``right`` are aligned at their right end. In a pipe a table that
    ``fits`` ends each row at the variable COLUMNS, or at 120, with … for what is left out; others are as wide as they
    are.
    """
    if out.is_terminal:
        _rich(out, headers, rows, right)
        return
    widths = [max(width(r[i]) for r in [headers, *rows]) for i in range(len(headers))]
    for row in [list(headers), ["-" * w for w in widths], *rows]:
        cells = []
        for i, cell in enumerate(row):
            gap = " " * (widths[i] - width(cell))
            cells.append(gap + cell if headers[i] in right else cell + gap)
        text = "  ".join(cells).rstrip()
        line(out, _cut(text, _columns()) if fits else text)


def _columns() -> int:
    given = os.environ.get("COLUMNS", "")
    return int(given) if given.isdigit() and int(given) > 0 else _PIPE


def _cut(text: str, columns: int) -> str:
    ends = list(accumulate(map(_width, text)))
    return text if not ends or ends[-1] <= columns else f"{text[: bisect_right(ends, columns - 1)]}…"


def _rich(out: Console, headers: Sequence[str], rows: Sequence[Sequence[str]], right: Sequence[str]) -> None:
    table = Table(box=None, pad_edge=False, header_style="bold")
    for name in headers:
        table.add_column(name, justify="right" if name in right else "left", overflow="fold")
    for row in rows:
        table.add_row(*(Text(cell, style=STYLES.get(cell.split(" ")[0], "")) for cell in row))
    out.print(table)


def line(out: Console, text: str = "", style: str = "") -> None:
    """One line as it is: no markup is read from it, and nothing is cut or wrapped."""
    out.print(Text(text, style=style), soft_wrap=True)


def field(out: Console, name: str, text: str) -> None:
    """A name and what it stands for; further lines of the text are set below the first; nothing for an empty text."""
    if not text:
        return
    first, *rest = text.splitlines()
    label = Text(f"  {name:<12} ", style="dim")
    out.print(label + Text(first, style=STYLES.get(first.split(" ")[0], "")), soft_wrap=True)
    for more in rest:
        line(out, " " * 15 + more)
