"""Values put in for letters, or held fixed: that they are numbers which the domain admits."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import replace

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.citing import fitting
from grpo_symbolic.proof.rules.rule import Using, always, hold
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.statement import Equal
from grpo_symbolic.proof.statements.substitution import is_whole_family, substituted
from grpo_symbolic.scalars import Scalar


def held_fixed(
    frozen: Sequence[tuple[sp.Expr, Scalar]], domain: Domain, label: str, size: Scalar | None = None
) -> None:
    """Refuse what is held fixed at two values, or at none that it can take: each key has a value of its own, in letters
    of the domain. A key with a free index is a whole family, of any ``size`` or of this one, and its index numbers the
    entries: the domain says nothing of it, and the value may speak of it.
    """
    fitting(dict(frozen))
    if len(dict(frozen)) < len(frozen):
        raise ClaimError(f"{label}: what is held fixed has one value")
    bases = [key.base for key, _ in frozen if isinstance(key, sp.Indexed)]
    known = domain.symbols.union(domain.bases)
    for key, value in frozen:
        own: set[sp.Basic] = set()
        if is_whole_family(key):
            own = {key.indices[0]}
            if bases.count(key.base) > 1:
                raise ClaimError(f"{label}: all of {key.base} are held fixed, and some of them once more")
            if own & domain.symbols:
                raise ClaimError(f"{label}: the domain constrains {key.indices[0]}, which numbers all of {key.base}")
            if size is not None and any(f.base == key.base and f.size != size for f in domain.families):
                raise ClaimError(f"{label}: {key.base} are not {size} numbers, and all of them are held fixed")
        if loose := sp.sympify(value).atoms(sp.Symbol) & sp.sympify(value).free_symbols - known - own:
            raise ClaimError(f"{label}: {key} is held at {value}, and nothing says what {min(map(str, loose))} is")


def admitted(frozen: Mapping[sp.Expr, Scalar], domain: Domain, label: str) -> Iterator[Premise]:
    """That what is held fixed, or put in, has values that the domain admits: elsewhere nothing was shown."""
    changed = [there for c in domain.constraints if (there := substituted(c, frozen)) not in domain.constraints]
    yield from hold(changed, domain, f"{label}: the values lie in the domain")
    yield from numbers_admitted(frozen, domain, label)


def numbers_admitted(
    frozen: Mapping[sp.Expr, Scalar], domain: Domain, label: str, using: Using = ()
) -> Iterator[Premise]:
    """That entries of families stand for numbers of their sign and their sum; ``using`` is for the sign.

    Raises :class:`ClaimError` for one number of a family whose numbers have a sum, and for what sizes a family.
    """
    sized = {part for f in domain.families for part in f.size_and_total}
    if any(part.has(*frozen) for part in sized if frozen):
        raise ClaimError(f"{label}: a family varies with {' and '.join(map(str, frozen))}")
    for entry, value in frozen.items():
        family = next((f for f in domain.families if isinstance(entry, sp.Indexed) and f.base == entry.base), None)
        if family is None or _is_like(family, entry, value, domain):
            continue
        index, inside, called = entry.indices[0], domain, f"{label}: {entry} stands for"
        if index.is_Symbol:  # every entry, whichever the domain speaks of
            others = domain.without_symbol(index) if index in domain.symbols else domain
            inside = others.also(sp.Le(1, index, evaluate=False), sp.Le(index, family.size, evaluate=False))
        elif family.total is not None:
            raise ClaimError(f"{label}: {entry} is one of numbers with a sum, and does not move alone")
        if family.positive:
            yield Premise(always(sp.Gt(value, 0, evaluate=False), using, f"{called} what is positive"), inside)
        if family.total is not None:
            total = sp.Sum(value, (index, 1, family.size))
            yield Premise(Equal(total, family.total, label=f"{called} numbers of one sum"), domain)


def _is_like(family: Family, entry: sp.Indexed, value: Scalar, domain: Domain) -> bool:
    """Whether what stands for an entry is the entry of a family of which the domain says as much."""
    if not isinstance(value, sp.Indexed) or value.indices != entry.indices:
        return False
    return any(f.base == value.base and family.covers(replace(f, base=family.base)) for f in domain.families)


def at_point(variable: sp.Symbol, point: sp.Expr, domain: Domain, label: str) -> Iterator[Premise]:
    """That a point is one of the values that the domain admits for a variable."""
    parameters = domain.without_symbol(variable)
    here = (substituted(c, {variable: point}) for c in domain.constraints if variable in c.free_symbols)
    yield from hold(here, parameters, f"{label}: the point lies in the domain")
