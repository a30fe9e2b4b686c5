"""No page of the book asks another host for anything: what would is left out. MathJax alone is had from the web where
it could not be put among the book's files, as the build then says: formulas are what the book is for.
"""

from __future__ import annotations

from typing import Any

OUTSIDE = ("http://", "https://", "//")


def keep_inside(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Drop scripts and styles of other hosts."""
    context["script_files"] = [s for s in context["script_files"] if not _outside(s, app.config.mathjax_path)]
    context["css_files"] = [s for s in context["css_files"] if not _outside(s, app.config.mathjax_path)]


def _outside(file: Any, allowed: str) -> bool:
    name = str(getattr(file, "filename", file) or "")
    return name.startswith(OUTSIDE) and name != allowed


def setup(app: Any) -> dict[str, Any]:
    app.connect("html-page-context", keep_inside, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
