"""HOW it evaluates: SymPy expressions in bulk, on NumPy, PyTorch or JAX, and in ball or multi-precision arithmetic.

Arguments mean the same everywhere. ``backend``: 'numpy', 'torch' or 'jax'; ``device``: 'cpu', 'cuda', 'cuda:1' …;
``dtype``: 'float64' or 'float32'; ``tolerance``: the largest residual that counts as solved.

Nothing here is proof: floating-point evidence has the grade ``swept``, never a higher one. Names are imported on first
use, so that a machine with only SymPy, mpmath, NumPy and one backend can use what needs no more than these.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
