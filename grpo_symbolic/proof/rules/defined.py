"""That what a rule concludes has a value as it is written: what a rule computes from it may have lost what has none."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError, ReadingError
from grpo_symbolic.proof.rules.sides import Premise, lettered, sides_of
from grpo_symbolic.proof.rules.walking import bare, leaves, nodes_of
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.statement import Always, Equal, Statement
from grpo_symbolic.terms.definedness import Condition, conditions
from grpo_symbolic.terms.language import ONE, ZERO, Compare, Entry, Node, Term, Variable
from grpo_symbolic.terms.linear import least, range_of


def undefined(
    conclusion: Statement, domain: Domain, premises: Sequence[Premise], numbers: Sequence[sp.Expr] = ()
) -> Iterator[Premise]:
    """That a conclusion has a value at every point of the domain, where no premise on this domain asks for it: what a
    rule computes from it may have lost what has none. So have the ``numbers`` that its proof speaks of, such as the
    ends of an interval: where they had none a premise would ask nothing.
    """
    sides = (*numbers, *(() if conclusion.pointwise is None else sides_of(conclusion.pointwise)))
    if not sides:
        return
    reading, sizes = domain.reading(), domain.sizes
    asked: set[Condition] = set()
    for premise in premises:
        if premise.domain.key() == domain.key():
            for node in nodes_of(bare(premise.statement.conclusion), domain.reading()):  # not what its proof speaks of
                asked.update(conditions(node, sizes))
    for side in sides:
        try:
            needed = conditions(reading.term(side), sizes)
        except ReadingError as unread:
            raise ClaimError(f"{getattr(conclusion, 'label', '')}: not seen that it has a value: {unread}") from unread
        if not asked.issuperset(needed):
            yield Premise(Equal(side, side, label=f"{getattr(conclusion, 'label', '')}: {side} has a value"), domain)


def within(
    conclusion: Statement, domain: Domain, premises: Sequence[Premise], given: Iterable[sp.Basic]
) -> Iterator[Premise]:
    """That what a conclusion is made of has a value as it is written, for whatever the letters that it binds number: a
    rule may multiply, expand or substitute it, and what has no value is lost by that. So has what the rule is given,
    and what the domains of its premises suppose beside its own: at a point where that has no value nothing would be
    asked. Of functions of a real number the premises say where they are defined.
    """
    label, asked = getattr(conclusion, "label", ""), set(_asked(premises, domain))
    bound = {s for s in conclusion.bound if isinstance(s, sp.Symbol)}
    if conclusion.pointwise is not None:
        asked.update(sides_of(conclusion.pointwise))
    supposed = dict.fromkeys(c for p in premises for c in p.domain.constraints if c not in domain.constraints)
    terms = (
        *_readable(bare(conclusion), domain),
        *_about(domain, bound, (*sides_of(sp.Tuple(*supposed)), *given)),
    )
    for term in dict.fromkeys(terms):
        if term in asked or any(not letter.is_integer for letter in bound & term.free_symbols):
            continue
        shown, where = _numbering(term, conclusion, domain)
        sizes = where.sizes
        read = where.reading().term(shown)
        needed = [c for c in conditions(read, sizes) if not _seen(c, where)]
        counted = {sizes[name] for name in sizes.keys() - domain.family_terms.keys()}
        known = where.variables | {where.reading().variable(letter) for letter in bound}
        loose = {(e.index, sizes[e.family]) for e in read.parts if isinstance(e, Entry) and e.index not in known}
        if not all(_is_plain(c.needed, counted, loose, where) for c in needed):
            yield Premise(Equal(shown, shown, label=f"{label}: {term} has a value"), where)


def _asked(premises: Sequence[Premise], domain: Domain) -> Iterator[sp.Expr]:
    """The sides of relations that premises say of all points of a domain: what more they suppose are premises too."""
    holds = {*domain.constraints}
    statements = [p.statement.conclusion for p in premises if holds.issuperset(p.domain.constraints)]
    known = holds | {statement.formula for statement in statements if isinstance(statement, Always)}
    for statement, where in premises:
        if statement.pointwise is not None and known.issuperset(where.constraints):
            yield from sides_of(statement.pointwise)


def _seen(condition: Condition, domain: Domain) -> bool:
    """Whether bounds with numbers show an order that is needed."""
    needed, known = condition.needed, (*condition.given, *domain.formulas)
    if not isinstance(needed, Compare) or needed.relation != "<=":
        return False
    (_, above), (below, _) = range_of(needed.left, known), range_of(needed.right, known)
    return above is not None and below is not None and above <= below


def _is_plain(needed: Node, counted: Set[Term], loose: Set[tuple[Term, Term]], domain: Domain) -> bool:
    """Whether it is asked only what the domain says, that a letter is off zero above all; or that a family has a member
    with a number of which nothing is said, a ``loose`` one, or one of as many members as are ``counted``.
    """
    if not isinstance(needed, Compare):
        return False
    left, right = needed.left, needed.right
    if (needed.relation, right) == ("!=", ZERO) and isinstance(left, Variable):
        return Compare("<", ZERO, left) in domain.formulas or (least(left, domain.formulas) or 0) > 0
    if needed.relation != "<=":
        return needed in domain.formulas
    if isinstance(right, Variable) and left is ONE and any(index == right for index, _ in loose):
        return True
    return right in counted or (isinstance(left, Variable) and (left, right) in loose) or needed in domain.formulas


def _readable(value: Any, domain: Domain) -> Iterator[sp.Expr]:
    """The largest terms that are read in a statement: sides of relations, and parts of what only a rule reads.

    Raises :class:`ClaimError` for what nobody reads: an imaginary number, a floor, an entry without a whole index.
    """
    for leaf in leaves(value, (), (Mapping,)):
        if isinstance(leaf, sp.Basic):
            yield from _read_in(leaf, domain)


def _read_in(value: sp.Basic, domain: Domain) -> Iterator[sp.Expr]:
    """The largest terms that are read in a formula."""
    if isinstance(value, sp.Expr) and not isinstance(value, sp.IndexedBase) and _is_read(value, domain):
        yield value
        return
    inner = [term for part in value.args for term in _read_in(part, domain)]
    parts = [p for part in value.args for p in (part.args if isinstance(part, sp.Tuple) else (part,))]
    unread = isinstance(value, sp.Function | sp.Sum | sp.Product) and inner == parts
    number = isinstance(value, sp.Expr) and not value.args and value.is_number and value.is_finite
    if unread or number or isinstance(value, sp.Indexed):
        raise ClaimError(f"{value} is none of the numbers that are read")
    yield from inner


def _about(domain: Domain, but: Set[sp.Basic], terms: Iterable[sp.Basic]) -> Iterator[sp.Expr]:
    """The largest parts of terms that speak of letters and families of a domain, ``but`` some letters, and of nothing
    else; an entry may have a number of which nothing is said.
    """
    known = domain.symbols.union(domain.bases) - but
    for term in terms:
        entries = term.atoms(sp.Indexed)
        numbers = {i for e in entries for i in e.indices if i.is_Symbol} - but
        if isinstance(term, sp.IndexedBase):
            continue
        speaks = isinstance(term, sp.Expr) and term.free_symbols and term.free_symbols - entries - numbers <= known
        if speaks and _is_read(term, domain):
            yield term
        elif not isinstance(term, sp.Indexed):
            yield from _about(domain, but, term.args)


def _is_read(value: sp.Expr, domain: Domain) -> bool:
    try:
        domain.reading().term(value)
    except ReadingError:
        return False
    return True


def _numbering(term: sp.Expr, conclusion: Statement, domain: Domain) -> tuple[sp.Expr, Domain]:
    """A term, and a domain with what it speaks of beside it: whole letters that number members, and families without an
    end. A member of these is any number; within a sum there are as many as it takes, numbered from one on.
    """
    entries = [e for e in term.atoms(sp.Indexed) if len(e.indices) == 1]
    bases = {e.base for e in entries} - {family.base for family in domain.families}
    for letter in sorted(term.free_symbols & {*conclusion.bound} - domain.symbols, key=str):
        sized = [f.size for f in domain.families for e in entries if e.base == f.base and e.indices == (letter,)]
        range_ = conclusion.numbered.get(letter, (getattr(conclusion, "first", 1),))
        begins = [sp.Le(first, letter, evaluate=False) for first in range_[:1]]
        ends = [sp.Le(letter, end, evaluate=False) for end in dict.fromkeys((*sized, *range_[1:]))]
        domain = domain.also(letter, *begins, *ends)
    if not bases:
        return term, domain
    single = [e for e in entries if e.base in bases and e.free_symbols <= term.free_symbols]
    alone = lettered(sorted(single, key=str), (term,), domain)
    reached: set[sp.Expr] = set()
    for total in term.atoms(sp.Sum, sp.Product):
        reached.update(end for _, *ends in total.limits for end in ends)
    known = [index for index in sorted(reached, key=str) if index.free_symbols <= term.free_symbols]
    inside = [sp.Le(0, index, evaluate=False) for index in known if index.free_symbols]
    enough = sp.Add(1, *(sp.Abs(index) + 1 if index.is_number else index + 1 for index in known))
    families = (Family(base, enough) for base in sorted(bases, key=str))
    moved = {e: alone.get(e, e.base[e.indices[0] + 1]) for e in entries if e.base in bases}
    with sp.evaluate(False):  # SymPy would cancel what has no value
        shown = term.xreplace(moved)
    return shown, domain.also(*families, *inside, *(moved[e] for e in moved if e in alone))
