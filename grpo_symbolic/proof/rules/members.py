"""Members of a list by their numbers: where these lie, what the domain says of them, and conditions on all of them."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import always
from grpo_symbolic.proof.rules.sides import Premise, constraining
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.relations import STRICT


def numbers_of(
    domain: Domain,
    base: sp.IndexedBase,
    size: Scalar | None,
    signs: tuple[bool, ...] = (True,),
    sums: tuple[Scalar | None, ...] | None = (None,),
    *,
    free: bool = False,
) -> Family:
    """The family of a domain that ``base`` is: of ``size`` numbers, or of some; its numbers are positive or not by one
    of the ``signs``, and have one of the ``sums``, where None is a sum of which the domain says nothing; or any, where
    no sums are named. ``free``: the domain says nothing else of any of its numbers.

    Raises :class:`ClaimError` where the domain does not say so, or says more.
    """
    families = (f for f in domain.families if f.base == base and size in (None, f.size) and f.positive in signs)
    family = next((f for f in families if sums is None or f.total in sums), None)
    if family is None:
        kind = "" if len(signs) > 1 else "positive " if signs[0] else "any real "
        of_sum = f" of sum {sums[0]}" if sums and sums[0] is not None else ""
        raise ClaimError(f"the domain does not say that {base} are {size or 'some'} {kind}numbers{of_sum}")
    for constraint in constraining(domain) if free else ():
        if base.label in constraint.free_symbols:
            raise ClaimError(f"{base} is to vary freely, and {constraint} speaks of it")
    return family


def numbered(index: sp.Symbol, low: sp.Expr, high: sp.Expr, domain: Domain) -> Domain:
    """The domain with a number of a term. Raises :class:`ClaimError` as :func:`any_number` does."""
    any_number(index, domain)
    return domain.also(sp.Le(low, index, evaluate=False), sp.Le(index, high, evaluate=False))


def any_number(index: sp.Symbol, domain: Domain) -> None:
    """Refuse a number of a term, or of an output, that need not be whole, or that the domain constrains already."""
    if not sp.sympify(index).is_integer:
        raise ClaimError(f"{index} numbers the terms, and need not be a whole number")
    if index in domain.symbols:
        raise ClaimError(f"the domain constrains {index}, which numbers the terms")


def tied(letters: set[sp.Basic], domain: Domain) -> set[sp.Basic]:
    """These letters, and what a domain determines by them: by whatever relations it has, but for those that hold
    around each point where they do; and the families whose sums have them.
    """
    relations = [c for c in domain.constraints if not _is_open(c)]
    determined, before = set(letters), -1
    while letters and len(determined) != before:
        before = len(determined)
        determined |= set().union(*(c.free_symbols for c in relations if c.free_symbols & determined))
        determined |= {
            f.base.label for f in domain.families if f.total is not None and f.total.free_symbols & determined
        }
    return determined


def _is_open(relation: sp.Basic) -> bool:
    """Whether a relation that holds at a point holds near it too, and so determines no letter: it is a strict bound on
    what is continuous, where it has a value and near there, in letters that are no whole numbers.
    """
    if not isinstance(relation, STRICT):
        return False
    return all(
        (e.is_Symbol and not e.is_integer)
        or isinstance(e, sp.Add | sp.Mul | sp.exp | sp.log | sp.Number)
        or (e.is_Pow and e.exp.is_Integer)
        for side in relation.args
        for e in sp.preorder_traversal(side)
    )


def of_all(condition: sp.Basic, index: sp.Symbol, ends: tuple[Scalar, Scalar], domain: Domain, label: str) -> None:
    """Refuse a condition on the entries of a family of which the sum has a part only: it is meant for all of them."""
    sizes = {f.base: f.size for f in domain.families}
    for entry in condition.atoms(sp.Indexed):
        if entry.has(index) and (entry.indices != (index,) or ends != (1, sizes.get(entry.base, ends[1]))):
            raise ClaimError(f"{label}: {condition} is said of all {entry.base}, and the sum is over a part of them")
    if index in condition.xreplace({e: sp.Dummy() for e in condition.atoms(sp.Indexed)}).free_symbols:
        raise ClaimError(f"{label}: {condition} speaks of {index}, of which nobody reads where it lies")


def some(condition: sp.Basic, limits: Iterable[Any], domain: Domain, label: str) -> Iterator[Premise]:
    """That a sum has a term, where the condition of equality is the same for all: without a term it need not hold."""
    for index, low, high in reversed(tuple(limits)):  # the last is the outermost
        if index not in condition.free_symbols:
            there = always(sp.Le(low, high, evaluate=False), (), f"{label}: there is a term")
            yield Premise(there, domain)
        domain = numbered(index, low, high, domain)
