"""SymPy's relations between numbers of which one is the larger, for ``isinstance``."""

from __future__ import annotations

import sympy as sp

STRICT = sp.Lt | sp.Gt
ORDER = STRICT | sp.Le | sp.Ge
