"""Names in Coq: of real numbers, of families of any size, and of the indices that run over them."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.proof.domain import Domain

# Names that a variable must not shadow: the type of the reals, and what the statements and the tactics mention.
_MENTIONED = (
    "R Z N Q C S O PI IZR INR nat Nat total exp ln sqrt sgn cosh sinh tanh sin cos fun forall exists if then else let "
    "in at end as for match with return Prop Set Type is_derive pow Rabs Rmin Rmax Rpower fix cofix where using by mod "
    "Rlt_dec Rle_dec Rgt_dec Rge_dec Req_EM_T"
)
_RESERVED = frozenset(_MENTIONED.split())


class Unsupported(BadInput):
    """What has no exact translation to Coq."""


class Position(sp.Symbol):
    """An index of a family: a natural number in Coq. Its name there has a prime, as no real variable has."""

    @property
    def text(self) -> str:
        return primed(self)


def primed(symbol: Any) -> str:
    """The name of a natural number: of an index, or of the number of entries that a symbol stands for."""
    return re.sub(r"\W", "_", f"v{symbol}" if not str(symbol)[0].isalpha() else str(symbol), flags=re.ASCII) + "'"


def identifier(symbol: Any) -> str:
    """A name for Coq of a symbol or of one entry of a family."""
    name = str(symbol)
    if isinstance(symbol, sp.Indexed):
        name = "_".join([str(symbol.base.label), *map(str, symbol.indices)])
    name = re.sub(r"\W", "_", name, flags=re.ASCII)
    if not re.match(r"[A-Za-z]", name):
        name = f"v{name}"
    return f"{name}_" if name in _RESERVED or re.fullmatch(r"[HKDBXL]\w*", name) else name


def long_sum(e: sp.Sum) -> tuple[Any, Position, sp.Symbol] | None:
    """The terms, the index and the number of terms of a sum from 1 to a symbol; ``None`` for other ranges."""
    *inner, (index, low, high) = e.limits
    if low != 1 or not isinstance(high, sp.Symbol) or isinstance(high, Position):
        return None
    at = Position(index.name, integer=True)
    return (e.func(e.function, *inner) if inner else e.function).xreplace({index: at}), at, high


def within(index: Position, size: Any) -> str:
    return f"(1 <= {index.text} <= {primed(size)})%nat"


def with_positions(claimed: Any, domain: Domain) -> tuple[Any, tuple[tuple[str, str], ...], list[str]]:
    """A formula whose free indices are natural numbers; the variables of Coq that are no real numbers (sizes, indices,
    families) with their types; and that a size is the number of entries, and an index one of them.

    Raises :class:`Unsupported` for what is not one index that runs over the entries of a family.
    """
    families = {f.base.label: f for f in domain.families if not f.size.is_Integer}
    sizes = {f.size for f in families.values()} | {limit[2] for s in claimed.atoms(sp.Sum) for limit in s.limits}
    sizes = {size for size in sizes if not sp.sympify(size).is_Integer}
    if not sizes and not families:
        return claimed, (), []
    for size in sizes:
        if not isinstance(size, sp.Symbol) or not size.is_integer or not _counts(size, domain):
            raise Unsupported(f"{size} is not known to be a number of entries")
    if any(c.has(sp.Indexed) for c in domain.constraints):
        raise Unsupported("a condition on one entry of a family of any size")
    seen: dict[tuple[Position, Any], None] = {}
    for label, index in _free_entries(claimed):
        family = families.get(label)
        if family is None or not isinstance(index, sp.Symbol) or index in domain.symbols:
            raise Unsupported(f"the entry {label}[{index}] is not at an index that runs over all")
        seen[Position(index.name, integer=True), family.size] = None
    free = {index.name for index, _ in seen}
    claimed = claimed.xreplace({s: Position(s.name, integer=True) for s in _indices(claimed) if s.name in free})
    ordered = sorted(sizes, key=str)
    others = [(primed(size), "nat") for size in ordered]
    others += [(name, "nat") for name in sorted({index.text for index, _ in seen})]
    others += [(identifier(label), "nat -> R") for label in sorted(families, key=str)]
    if len({name for name, _ in others}) != len(others):
        raise Unsupported("two variables have the same name in Coq")
    ranges = [f"({identifier(size)} = INR {primed(size)})" for size in ordered]
    return claimed, tuple(others), [*ranges, *(within(index, size) for index, size in seen)]


def _counts(size: sp.Symbol, domain: Domain) -> bool:
    """Whether a bound of the domain says, literally, that a whole number is not negative."""
    bounds = (sp.Gt, sp.Ge)
    literal = (c for c in domain.constraints if isinstance(c, bounds) and c.lhs == size and c.rhs.is_Rational)
    turned = (c.reversed for c in domain.constraints if isinstance(c, sp.Lt | sp.Le) and c.rhs == size)
    return any(c.rhs >= 0 for c in (*literal, *(c for c in turned if c.rhs.is_Rational)))


def _indices(e: Any) -> set[sp.Symbol]:
    return {i for entry in e.atoms(sp.Indexed) for i in entry.indices if isinstance(i, sp.Symbol)}


def _free_entries(e: Any, bound: frozenset[Any] = frozenset()) -> Iterator[tuple[Any, Any]]:
    """The entries of families at indices that no sum binds: label and index."""
    if isinstance(e, sp.Indexed):
        for index in e.indices:
            if index not in bound:
                yield e.base.label, index
    elif isinstance(e, sp.Sum | sp.Product):
        yield from _free_entries(e.function, bound | {limit[0] for limit in e.limits})
    else:
        for a in e.args:
            yield from _free_entries(a, bound)
