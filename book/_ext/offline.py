"""No page of the book asks another host for anything: scripts that would are left out."""

from __future__ import annotations

from typing import Any

OUTSIDE = ("http://", "https://", "//")


def keep_inside(app: Any, page: str, template: str, context: dict[str, Any], doctree: Any) -> None:
    """Drop scripts of other hosts, and Thebe, which names one (its buttons would start a server elsewhere)."""
    context["script_files"] = [s for s in context["script_files"] if not _outside(s)]
    context["css_files"] = [s for s in context["css_files"] if not _outside(s)]


def _outside(script: Any) -> bool:
    body = (getattr(script, "attributes", None) or {}).get("body") or ""
    name = str(getattr(script, "filename", script) or "")
    return name.startswith(OUTSIDE) or "thebe" in name or "THEBE" in body


def setup(app: Any) -> dict[str, Any]:
    app.connect("html-page-context", keep_inside, priority=900)
    return {"parallel_read_safe": True, "parallel_write_safe": True}
