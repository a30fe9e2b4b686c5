"""Write the table of errors into ``docs/how-to/numeric.md``: ``python benchmarks/numeric_page.py`` (a few minutes)."""

from __future__ import annotations

from pathlib import Path

from accuracy import table
from expressions import cases

PAGE = Path(__file__).parents[1] / "docs" / "how-to" / "numeric.md"
BEGIN, END = "<!-- accuracy: begin -->", "<!-- accuracy: end -->"


def write(page: Path, count: int = 20_000) -> None:
    """Replace the table between the two markers of a page."""
    before, _, rest = page.read_text(encoding="utf-8").partition(BEGIN)
    _, _, after = rest.partition(END)
    page.write_text(f"{before}{BEGIN}\n{table(cases(), count)}\n{END}{after}", encoding="utf-8")


if __name__ == "__main__":
    write(PAGE)
