"""Logs of runs in files, whatever wrote them: rows with named columns (:mod:`.rows`), put together by step
(:mod:`.table`).
"""

from __future__ import annotations

from grpo_symbolic.logs.rows import Row, rows_of
from grpo_symbolic.logs.table import STEP, bare, by_bare_name, by_step, is_step, number

__all__ = ["STEP", "Row", "bare", "by_bare_name", "by_step", "is_step", "number", "rows_of"]
