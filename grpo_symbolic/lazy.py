"""Names that a package hands on from its files, imported on first use.

Each package lists them once, in the stub ``__init__.pyi`` beside its ``__init__.py``, which is what type checkers read:
``from .derivation import Derivation as Derivation``.
"""

from __future__ import annotations

import ast
import sys
from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any


def attach(package: str, file: str) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """``__getattr__``, ``__dir__`` and ``__all__`` of a package, from the stub beside its file.

    The arguments are the package's ``__name__`` and ``__file__``. Raises :class:`OSError` where there is no stub.
    """
    stub = ast.parse(Path(file).with_suffix(".pyi").read_text(encoding="utf-8"))
    homes = {a.name: node.module for node in stub.body if isinstance(node, ast.ImportFrom) for a in node.names}

    def __getattr__(name: str) -> Any:
        if name not in homes:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f"{package}.{homes[name]}"), name)
        setattr(sys.modules[package], name, value)
        return value

    return __getattr__, lambda: sorted({*vars(sys.modules[package]), *homes}), sorted(homes)
