"""Where this checkout is, for tests that compare with its pages and files."""

from __future__ import annotations

from pathlib import Path

ROOT = Path(__file__).parents[1]
