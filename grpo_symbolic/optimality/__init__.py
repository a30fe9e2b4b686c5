"""WHERE an objective is optimal: stationarity with π_old frozen, second order, closed forms, and the dynamics of
repeated best responses.

The dynamics (``SuccessRecursion`` and what belongs to it) need python-flint and are imported on first use.
"""

from __future__ import annotations

from grpo_symbolic.lazy import attach

__getattr__, __dir__, __all__ = attach(__name__, __file__)
