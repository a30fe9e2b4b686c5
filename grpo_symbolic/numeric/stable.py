"""Forms that stay accurate at the ends of a domain."""

from __future__ import annotations

from typing import Any


def stabilise(expression: Any) -> Any:
    """The same function in a form that floating point computes accurately."""
    return expression
