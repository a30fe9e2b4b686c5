"""WHERE an objective is optimal: stationarity with π_old frozen, second order, closed forms, and the dynamics of
repeated best responses.

The dynamics (``SuccessRecursion`` and what belongs to it) need python-flint and are imported on first use.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
