"""The declarations that may travel, by name, and whether what their fields hold is of the declared type."""

from __future__ import annotations

from collections.abc import Hashable, Mapping
from dataclasses import fields, is_dataclass
from enum import Enum
from fractions import Fraction
from functools import cache
from importlib import import_module
from pkgutil import iter_modules
from types import ModuleType, UnionType
from typing import Any, Union, get_args, get_origin, get_type_hints

import sympy as sp

from grpo_symbolic import notation
from grpo_symbolic.proof import claims, derivation, rules
from grpo_symbolic.proof.rules import rule
from grpo_symbolic.proof.statements import domain, evidence, lemmas, obligation, statement

WORDS: dict[str, type[Enum]] = {"kind": evidence.Kind, "verdict": evidence.Verdict, "print": evidence.PrintVerdict}
_BASES = (
    "Statement",
    "Narrowed",
    "Conclusion",
    "Rule",
    "OfClipping",
    "OfFlow",
    "OfIteration",
    "Obligation",
    "Solutions",
)  # of kinds, and none
_OF_SCHEMAS = (
    "schema",
    "matching",
    "patterns",
)  # files of the rules in which there are no kinds, but what the rules are made of


def _kinds_of(module: ModuleType) -> dict[str, type[Any]]:
    """The records that a module defines for others."""
    classes = {name: kind for name, kind in vars(module).items() if isinstance(kind, type) and not name.startswith("_")}
    return {
        name: kind
        for name, kind in classes.items()
        if kind.__module__ == module.__name__ and name not in _BASES and (is_dataclass(kind) or issubclass(kind, tuple))
    }


def _all() -> dict[str, type[Any]]:
    modules = [
        statement,
        obligation,
        *(
            import_module(f"{rules.__name__}.{m.name}")
            for m in iter_modules(rules.__path__)
            if m.name not in _OF_SCHEMAS
        ),
    ]
    kinds: dict[str, type[Any]] = {}
    for module in modules:
        kinds |= _kinds_of(module)
    single = (lemmas.Instance, domain.Family, derivation.Step, derivation.Derivation, claims.Claim, claims.Print)
    return kinds | {kind.__name__: kind for kind in (*single, notation.Entry)}


KINDS = _all()


def values(record: Any) -> tuple[Any, ...]:
    """What the fields of a record hold, in order."""
    return tuple(record) if isinstance(record, tuple) else tuple(getattr(record, f.name) for f in fields(record))


def made(kind: type[Any], held: tuple[Any, ...]) -> Any:
    """A record whose fields hold these.

    Raises :class:`TypeError` where they are too many or too few, or of another type than the field's.
    """
    types = types_of(kind)  # type: ignore[arg-type]  # of a class, which is hashable
    if len(held) != len(types):
        raise TypeError(f"{kind.__name__} has {len(types)} fields, not {len(held)}")
    for (name, hint), value in zip(types.items(), held, strict=True):
        if not fits(value, hint):
            raise TypeError(f"the field {name} of {kind.__name__} holds a {type(value).__name__}")
    if kind is statement.Every:
        return kind(*held[0])
    return kind(**dict(zip(types, held, strict=True)))


@cache
def types_of(kind: Hashable) -> dict[str, Any]:
    """The declared types of a kind's fields, by name."""
    assert isinstance(kind, type)
    unknown = {
        "sp": sp,
        "Rule": rule.Rule,
        "Claim": claims.Claim,
        "Entry": notation.Entry,
    }  # where a module imports them for its types only
    hints = get_type_hints(kind, localns=unknown)
    names = getattr(kind, "_fields", None) or [f.name for f in fields(kind)]
    return {name: hints[name] for name in names}


def fits(value: Any, hint: Any) -> bool:
    """Whether a value is of a declared type: a number is one of Python's or of SymPy's, a tuple may be a list."""
    origin, inner = get_origin(hint), get_args(hint)
    if hint is Any:
        return _plain(value)
    if origin in (Union, UnionType):
        return any(fits(value, h) for h in inner)
    if origin in (tuple, list):
        every = origin is list or inner[-1:] == (...,)
        if type(value) not in (tuple, list) or (not every and len(value) != len(inner)):
            return False
        return all(fits(v, inner[0] if every else h) for v, h in zip(value, value if every else inner, strict=True))
    if isinstance(origin, type) and issubclass(origin, Mapping):
        return type(value) is dict and all(fits(k, inner[0]) and fits(v, inner[1]) for k, v in value.items())
    if hint is int:
        return type(value) is int or isinstance(value, sp.Integer)
    if hint is sp.Expr:
        return isinstance(value, sp.Expr) or type(value) in (int, Fraction)
    return type(value) is hint if hint in (str, bool) else isinstance(value, origin or hint)


def _plain(value: Any) -> bool:
    """Whether a value is made of formulas and whole numbers, which SymPy takes as they are: a text it would evaluate,
    also one in a table or a record.
    """
    if type(value) in (tuple, list):
        return all(map(_plain, value))
    return value is None or type(value) in (bool, int, Fraction) or isinstance(value, sp.Basic)
