"""What statements, rules and domains are made of: walking through it, and reading it as terms."""

from __future__ import annotations

import re
from collections.abc import Container, Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import fields, is_dataclass, replace
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import UNSAID, Statement
from grpo_symbolic.terms.language import Entry, Node, Variable
from grpo_symbolic.terms.reading import Reading

# of SymPy: what a field of one of these types is, no value stands for
_LETTERS = {"Symbol", "Indexed", "IndexedBase"}


def made_of(value: Any, but: Container[str] = ()) -> Iterable[Any] | None:
    """What a mapping, a list or a record is made of, fields ``but`` some; None for what is none of these."""
    if isinstance(value, Mapping):
        return value.values()
    if isinstance(value, tuple | list):
        return value
    if is_dataclass(value):
        return [getattr(value, f.name) for f in fields(value) if f.name not in but]
    return None


def leaves(value: Any, but: Container[str] = (), whole: tuple[type, ...] = ()) -> Iterator[Any]:
    """What a value is made of, however deep within, fields ``but`` some; a value of the kinds ``whole`` is one leaf."""
    parts = None if isinstance(value, whole) else made_of(value, but)
    if parts is None:
        yield value
    else:
        for part in parts:
            yield from leaves(part, but, whole)


def expressions(value: Any) -> Iterator[sp.Basic]:
    """The terms and formulas of which a statement is made, or several are."""
    for leaf in leaves(value, ("hint",), (Mapping,)):
        if not isinstance(leaf, str) and leaf is not None:
            yield sp.sympify(leaf)


def letters_in(value: Any) -> set[sp.Basic]:
    """The letters of these terms and formulas that they do not bind."""
    return set().union(*(e.free_symbols for e in expressions(value)))


def letters_of_fields(value: Any) -> Iterator[sp.Symbol]:
    """The letters, and the labels of families, in fields of a statement that are for nothing else, and in those of what
    it speaks of: its variables and indices; and of every family that it has as a whole. Of pairs of a letter and its
    value, the letters.
    """
    if isinstance(value, sp.IndexedBase):
        yield value.label
    for part in made_of(value) or ():
        yield from letters_of_fields(part)
    for name, kind in _typed(value):
        types = set(re.findall(r"[A-Za-z]+", kind)) - {"sp", "tuple", "None"}
        if types & _LETTERS:
            own = getattr(value, name)
            for letter in leaves(own) if types <= _LETTERS else _firsts(own):
                if isinstance(letter, sp.Symbol | sp.Indexed | sp.IndexedBase):
                    yield from letter.atoms(sp.Symbol)


def _typed(value: Any) -> Iterator[tuple[str, str]]:
    """The fields of a record, named tuples included, and what they are for."""
    if is_dataclass(value):
        yield from ((f.name, str(f.type)) for f in fields(value))
    elif isinstance(value, tuple) and hasattr(value, "_fields"):
        kinds = ((name, type(value).__annotations__[name]) for name in value._fields)
        yield from ((name, str(getattr(kind, "__forward_arg__", kind))) for name, kind in kinds)


def _firsts(value: Any) -> Iterator[Any]:
    """What stands first in a list, or in each of the lists that it is made of."""
    parts = list(made_of(value) or ())
    if parts and all(made_of(part) is not None for part in parts):
        for part in parts:
            yield from _firsts(part)
    else:
        yield from parts[:1]


def mentioned(value: Any) -> set[sp.Basic]:
    """The letters and families of what a statement is made of."""
    terms = (leaf for leaf in leaves(value, UNSAID) if isinstance(leaf, sp.Basic))
    return set().union(*(term.atoms(sp.Symbol, sp.IndexedBase) for term in terms))


def as_read(value: Any, reading: Reading) -> Any:
    """What a statement says, as terms, without its labels and what its proof uses."""
    if is_dataclass(value):
        named = (f.name for f in fields(value) if f.name not in UNSAID)
        return (type(value).__name__, *(as_read(getattr(value, name), reading) for name in named))
    if isinstance(value, Domain):
        return value.key()
    if isinstance(value, Mapping):
        return tuple((as_read(k, reading), as_read(v, reading)) for k, v in value.items())
    if isinstance(value, tuple | list):
        return tuple(as_read(v, reading) for v in value)
    if value is None or isinstance(value, bool | str):
        return value
    written = sp.sympify(value)
    if isinstance(written, sp.logic.boolalg.Boolean) and not written.is_Symbol:
        return reading.formula(written).digest
    if written in (sp.oo, -sp.oo) or isinstance(written, sp.IndexedBase):
        return str(written)
    return reading.term(written).digest


def nodes_of(value: Any, reading: Reading) -> Iterator[Node]:
    """The terms and formulas that a statement is made of; what has none, such as ∞, is left out."""
    for leaf in leaves(value, ("hint",), (Mapping,)):
        if isinstance(leaf, sp.Expr | sp.logic.boolalg.Boolean):
            with suppress(ReadingError):
                yield reading.read(leaf)


def loose_entries(statement: Statement, domain: Domain) -> Iterator[Entry]:
    """The entries in a statement whose index is a letter of which the domain says nothing: it is taken to lie in the
    family.
    """
    reading = domain.reading()
    own = {reading.variable(s) for s in statement.bound if isinstance(s, sp.Symbol)}
    known = domain.variables | own
    for node in (*domain.formulas, *nodes_of(statement, reading)):
        for entry in node.parts:
            if isinstance(entry, Entry) and isinstance(entry.index, Variable) and entry.index not in known:
                yield entry


def bare(statement: Statement) -> Statement:
    """A statement without what its proof uses."""
    return replace(statement, **{name: () for name in ("using", "hint") if hasattr(statement, name)})
