"""A package that is called like one of its functions, ``gs.theory(…)`` beside ``gs.theory.Point``."""

from __future__ import annotations

import inspect
import sys
from collections.abc import Callable
from importlib import import_module
from types import ModuleType
from typing import Any, ClassVar

__all__ = ["call_like"]


class _Called(ModuleType):
    """A module with the signature and the words of the function that a call of it is."""

    _function: ClassVar[Callable[[], Callable[..., Any]]]

    def __call__(self, *args: Any, **options: Any) -> Any:
        return type(self)._function()(*args, **options)

    @property
    def __signature__(self) -> inspect.Signature:
        return inspect.signature(type(self)._function())


def call_like(package: str, module: str, name: str) -> None:
    """Make a ``package`` callable like the function ``name`` of its ``module``, which is imported when it is called, or
    asked for its signature.

    >>> import grpo_symbolic as gs
    >>> list(inspect.signature(gs.theory).parameters)[:2], callable(gs.export)
    (['setting', 'anyway'], True)
    """

    def function() -> Callable[..., Any]:
        target: Callable[..., Any] = getattr(import_module(module), name)
        return target

    here = sys.modules[package]
    here.__class__ = type("Called", (_Called,), {"_function": staticmethod(function)})
