"""HOW it evaluates: SymPy expressions in bulk, on NumPy, PyTorch or JAX, and in ball or multi-precision arithmetic.

Nothing here is proof: floating-point evidence has the grade ``swept``, never a higher one. Names are imported on first
use, so that a machine with only SymPy, mpmath, NumPy and one backend can use what needs no more than these.
"""

from __future__ import annotations

import sys
from importlib import import_module
from types import ModuleType
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grpo_symbolic.numeric.backends import Backend, available
    from grpo_symbolic.numeric.compile import Compiled, compile
    from grpo_symbolic.numeric.limits import SuccessLimits
    from grpo_symbolic.numeric.policies import Solution, stationary_policy
    from grpo_symbolic.numeric.predict import Prediction, Settings, predict
    from grpo_symbolic.numeric.recursion import success_limit
    from grpo_symbolic.numeric.stable import stabilise
    from grpo_symbolic.numeric.sweep import Sweep, sweep

_HOME = {  # public name: the module that defines it
    "Backend": "backends",
    "Compiled": "compile",
    "available": "backends",
    "compile": "compile",
    "Solution": "policies",
    "stabilise": "stable",
    "stationary_policy": "policies",
    "Prediction": "predict",
    "Settings": "predict",
    "Sweep": "sweep",
    "SuccessLimits": "limits",
    "predict": "predict",
    "success_limit": "recursion",
    "sweep": "sweep",
}

__all__ = [
    "Backend",
    "Compiled",
    "Prediction",
    "Settings",
    "Solution",
    "SuccessLimits",
    "Sweep",
    "available",
    "compile",
    "predict",
    "stabilise",
    "stationary_policy",
    "success_limit",
    "sweep",
]


class _Package(ModuleType):
    """A module named like its public function does not hide it: ``numeric.compile`` is the function, always."""

    def __setattr__(self, name: str, value: Any) -> None:
        if not (isinstance(value, ModuleType) and _HOME.get(name) == name):
            super().__setattr__(name, value)


sys.modules[__name__].__class__ = _Package


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
