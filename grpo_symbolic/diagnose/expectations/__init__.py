"""What settings imply of logs, an expectation a function."""

from __future__ import annotations

from grpo_symbolic.diagnose.expectations import divergence, groups, loss, steps
from grpo_symbolic.diagnose.expectations.base import Expectation

__all__ = ["EXPECTATIONS", "Expectation"]

EXPECTATIONS: tuple[Expectation, ...] = (
    *loss.EXPECTATIONS,
    *groups.EXPECTATIONS,
    *divergence.EXPECTATIONS,
    *steps.EXPECTATIONS,
)
"""All of them, in the order of a page."""
