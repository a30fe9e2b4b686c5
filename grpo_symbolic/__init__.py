"""Machine-checked theory of the reinforcement learning that post-trains language models.

>>> import grpo_symbolic as gs
>>> gs.claim("vy-eq14-lower-bound").holds
-b/2 + sqrt(4*b*p + (1 - b)**2)/2 + 1/2 >= Max(p, 1 - b)

``gs.objectives`` says what is optimised, ``gs.optimality`` where it is optimal, ``gs.proof`` whether a statement is
true. Submodules are imported on first use, so importing the package is cheap.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

from grpo_symbolic._version import __version__

if TYPE_CHECKING:
    from grpo_symbolic import (
        catalogue,
        diagnose,
        notation,
        numeric,
        objectives,
        optimality,
        proof,
        report,
        setting,
        trainers,
    )
    from grpo_symbolic.export import export
    from grpo_symbolic.proof.claims import Claim
    from grpo_symbolic.proof.registration import Catalogue
    from grpo_symbolic.report.proving import prove
    from grpo_symbolic.setting import Setting
    from grpo_symbolic.theory.interface import theory  # the package is called like it

__all__ = [
    "Setting",
    "__version__",
    "catalogue",
    "claim",
    "claims",
    "diagnose",
    "export",
    "notation",
    "numeric",
    "objectives",
    "optimality",
    "proof",
    "prove",
    "report",
    "setting",
    "theory",
    "trainers",
]


def __getattr__(name: str) -> Any:
    if name == "Setting":
        return import_module(f"{__name__}.setting").Setting
    if name == "prove":
        return import_module(f"{__name__}.report.proving").prove
    if name in __all__:
        return import_module(f"{__name__}.{name}")
    raise AttributeError(f"module {__name__!r} has no attribute {name!r}")


def __dir__() -> list[str]:
    return list(__all__)


def claims() -> Catalogue:
    """All claims of the built-in papers."""
    from grpo_symbolic.catalogue import load

    return load()


def claim(id: str) -> Claim:
    """One claim of the built-in papers; ``.holds`` is its statement as a SymPy object. Raises :class:`BadInput` for
    an unknown id.
    """
    from grpo_symbolic.catalogue import find

    return find(id)
