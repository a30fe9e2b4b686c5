"""WHETHER it is true: statements, claims, derivations, and the checkers that judge them.

This package knows nothing of GRPO. A result file needs the names below; they are imported on first use, so that
reading a ledger costs no engine.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
