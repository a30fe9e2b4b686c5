"""SymPy's relations between numbers of which one is the larger, for ``isinstance``, and each as strict or not."""

from __future__ import annotations

import sympy as sp

STRICT = sp.Lt | sp.Gt
ORDER = STRICT | sp.Le | sp.Ge
WEAKLY = {sp.Lt: sp.Le, sp.Gt: sp.Ge}  # each strict one without its strictness
STRICTLY = {weak: strict for strict, weak in WEAKLY.items()}
