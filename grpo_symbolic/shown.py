"""What an object of the package looks like where it is printed, and in a notebook.

A class says in one line what it is (``__repr__``), and as a :class:`Shown` it has a card: what is on it is written on
the floor of reports (:mod:`grpo_symbolic.report.cards`), which knows LaTeX and verdicts.
"""

from __future__ import annotations

from dataclasses import MISSING, Field, fields
from enum import Enum
from importlib import import_module
from typing import Any


class Shown:
    """A class whose objects a notebook shows as a card."""

    __slots__ = ()

    def _repr_html_(self) -> str:
        # reports lie above all that they show, and are asked for only when something is shown
        return str(import_module("grpo_symbolic.report.cards").html(self))


def differing(of: Any) -> str:
    """A dataclass as the call that makes it: only the fields that differ from their defaults.

    >>> from grpo_symbolic.setting import Guard, Scale
    >>> differing(Scale(eps=1, guard=Guard.FLOOR))
    'Scale(eps=1, guard=Guard.FLOOR)'
    """
    named = ((f, getattr(of, f.name)) for f in fields(of) if f.repr)
    changed = [f"{f.name}={_word(value)}" for f, value in named if not _is_default(f, value)]
    return f"{type(of).__name__}({', '.join(changed)})"


def _is_default(field: Field[Any], value: Any) -> bool:
    if field.default_factory is not MISSING:
        return bool(field.default_factory() == value)
    return field.default is not MISSING and bool(field.default == value)


def _word(value: Any) -> str:
    if isinstance(value, Enum):
        return f"{type(value).__name__}.{value.name}"
    return value.__name__ if callable(value) and hasattr(value, "__name__") else repr(value)
