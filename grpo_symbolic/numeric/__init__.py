"""HOW it evaluates: SymPy expressions in bulk, on NumPy, PyTorch or JAX, and in ball or multi-precision arithmetic.

Nothing here is proof: floating-point evidence has the grade ``swept``, never a higher one. Names are imported on first
use, so that a machine with only SymPy, mpmath, NumPy and one backend can use what needs no more than these.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grpo_symbolic.numeric.backends import Backend, available
    from grpo_symbolic.numeric.compiler.compiled import Compiled, compile
    from grpo_symbolic.numeric.compiler.stable import stabilise
    from grpo_symbolic.numeric.policies.stationary import Solution, stationary_policy
    from grpo_symbolic.numeric.prediction.predict import Prediction, Settings, predict
    from grpo_symbolic.numeric.recursion.limits import SuccessLimits
    from grpo_symbolic.numeric.recursion.success import success_limit
    from grpo_symbolic.numeric.sweeps.sweep import Sweep, sweep

_HOME = {  # public name: the module that defines it
    "Backend": "backends",
    "Compiled": "compiler.compiled",
    "Prediction": "prediction.predict",
    "Settings": "prediction.predict",
    "Solution": "policies.stationary",
    "SuccessLimits": "recursion.limits",
    "Sweep": "sweeps.outcome",
    "available": "backends",
    "compile": "compiler.compiled",
    "predict": "prediction.predict",
    "stabilise": "compiler.stable",
    "stationary_policy": "policies.stationary",
    "success_limit": "recursion.success",
    "sweep": "sweeps.sweep",
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


def __getattr__(name: str) -> Any:
    if name in _HOME:
        return getattr(import_module(f"{__name__}.{_HOME[name]}"), name)
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return sorted({*globals(), *_HOME})
