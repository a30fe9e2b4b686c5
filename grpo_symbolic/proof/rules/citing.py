"""Citing claims: what one says at values of its letters, what that covers, and which premises it is."""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from grpo_symbolic.errors import ClaimError, ReadingError
from grpo_symbolic.proof.rules.sides import Premise, all_of, valued
from grpo_symbolic.proof.rules.walking import (
    as_read,
    bare,
    expressions,
    letters_of_fields,
    loose_entries,
    made_of,
    nodes_of,
)
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.obligation import Holds, Obligation
from grpo_symbolic.proof.statements.statement import Always, Statement, conclusions
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.language import Entry, Variable
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.relations import WEAKLY

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim


@dataclass(frozen=True, eq=False)
class Cited:
    """A claim at values of its letters: what it says there is what a rule may cite.

    ``sentences`` are the parts of the claim, each with its own domain; ``only`` names those that :class:`.Follows` is
    to suppose, where these are not the same of all claims.
    """

    claim: Claim
    values: Mapping[sp.Expr, sp.Expr]
    only: tuple[str, ...] = ()

    def __post_init__(self) -> None:
        fitting(self.values)

    @cached_property
    def sentences(self) -> tuple[Premise, ...]:
        parts = (self._at_values(s, d) for s, d in conclusions(self.claim.whole, self.claim.domain))
        return tuple(Premise(part, domain) for statement, domain in parts for part in _parts(statement))

    @cached_property
    def formulas(self) -> tuple[tuple[str, sp.Basic, Domain], ...]:
        """What holds at every point of a domain: the label of the part, an equation or inequality, and the domain."""
        return tuple(
            (str(getattr(s, "label", "")), at_values(s.pointwise, self.values), at_values(s.meant_on(d), self.values))
            for s, d in conclusions(self.claim.whole, self.claim.domain)
            if s.pointwise is not None and (not self.only or getattr(s, "label", "") in self.only)
        )

    @cached_property
    def entries(self) -> tuple[sp.Expr, ...]:
        """The entries of families, at the values, whose index the claim takes to lie in its family, as its domain says
        nothing of it.
        """
        entries: dict[sp.Expr, None] = {}
        for statement, domain in conclusions(self.claim.whole, self.claim.domain):
            for entry in loose_entries(statement, domain):
                entries[sp.IndexedBase(entry.family, real=True)[domain.write(entry.index)]] = None
        return tuple(at_values(entry, self.values) for entry in entries)

    def loose(self, domain: Domain) -> Iterator[Entry]:
        """Those of them whose index is a letter of which a domain says nothing."""
        reading = domain.reading()
        for entry in map(reading.term, self.entries):
            if isinstance(entry, Entry) and isinstance(entry.index, Variable) and entry.index not in domain.variables:
                yield entry

    def _at_values(self, statement: Statement, domain: Domain) -> Premise:
        put_in = set().union(*(sp.sympify(v).free_symbols for v in self.values.values()))
        bound = (*statement.bound, *_not_of_the_point(statement, domain))
        caught = [b for b in bound if b in put_in or b in self.values]
        if caught:
            raise ClaimError(
                f"{self.claim.id!r} binds {caught[0]}: it can be cited for no value of it, or with it in one"
            )
        return Premise(at_values(statement, self.values), at_values(statement.meant_on(domain), self.values))


def _not_of_the_point(statement: Statement, domain: Domain) -> Iterator[sp.Symbol]:
    """The letters in a statement that are no values of the point at which it holds, whatever it does with them: those
    of which the domain says nothing, those that it, or what it speaks of, has in a field for a letter or a family, and
    what it holds fixed.
    """
    terms = list(expressions(statement))
    every = set().union(*(e.atoms(sp.Symbol) for e in terms))
    yield from every - domain.symbols - {*domain.bases}
    yield from letters_of_fields(statement)
    at = getattr(statement, "at", ())
    for key, _ in (*getattr(statement, "frozen", ()), *(at if isinstance(at, tuple | list) else ())):
        yield from sp.sympify(key).free_symbols


def at(claim: Claim, values: Mapping[sp.Expr, Scalar], *only: str) -> Cited:
    """A claim with values for some of its letters, as a rule may cite it; ``only`` are labels of its parts.

    Raises :class:`ClaimError` where what is put in would be caught by a sum, for a whole letter at what need not be a
    whole number, and for a value of what is no letter.
    """
    return Cited(claim, {k: sp.sympify(v) for k, v in values.items()}, only)


def fitting(values: Mapping[sp.Expr, Scalar]) -> None:
    """Refuse a value for what is no letter and no entry of a family, such as a square, which need not take it; and what
    need not be a whole number in the place of a whole letter.
    """
    for letter, value in values.items():
        if not isinstance(letter, sp.Symbol | sp.Indexed):
            raise ClaimError(f"{letter} is no letter, and has no values that could be put in")
        if sp.sympify(letter).is_integer and not Reading().term(value).is_whole:
            raise ClaimError(f"{letter} is a whole number, and {value} need not be one")


def at_values(value: Any, values: Mapping[sp.Expr, sp.Expr]) -> Any:
    """A statement, a rule or a domain at values of its letters.

    Raises :class:`ClaimError` for what it is made of and nobody knows how to put them into.
    """
    if not values or value is None or isinstance(value, Cited | str | int | Fraction | type):
        return value
    if isinstance(value, Family):
        return _family_at(value, values)
    if is_dataclass(value) and not isinstance(value, type):
        return replace(
            value, **{f.name: at_values(getattr(value, f.name), values) for f in fields(value) if f.name != "label"}
        )
    if isinstance(value, sp.IndexedBase):
        return _unmoved(value, values)
    if isinstance(value, Domain):
        free = [s for s in value.free if s not in values]
        families = (_family_at(f, values) for f in value.families)
        return Domain(*free, *families, *(_satisfiable(substituted(c, values)) for c in value.constraints))
    if isinstance(value, tuple | list):
        made = [at_values(v, values) for v in value]
        return type(value)(*made) if hasattr(value, "_fields") else tuple(made)
    if isinstance(value, Mapping) and values.keys().isdisjoint(value):
        return {k: at_values(v, values) for k, v in value.items()}
    if isinstance(value, sp.Basic):
        return substituted(value, values)
    raise ClaimError(f"{', '.join(map(str, values))}: nothing is put into {value}, a {type(value).__name__}")


def _unmoved(base: sp.IndexedBase, values: Mapping[sp.Expr, sp.Expr]) -> sp.IndexedBase:
    if any(getattr(key, "base", key) == base for key in values):
        raise ClaimError(f"a claim is cited with other numbers for {base}, which need not be such a family")
    return base


def _family_at(family: Family, values: Mapping[sp.Expr, sp.Expr]) -> Family:
    _unmoved(family.base, values)
    total = None if family.total is None else substituted(family.total, values)
    return replace(family, size=substituted(family.size, values), total=total)


def _satisfiable(constraint: sp.Basic) -> sp.Basic:
    if constraint == sp.false:
        raise ClaimError("a claim is cited at values outside its domain")
    return constraint


def _parts(statement: Statement) -> Iterator[Statement]:
    """A statement, the parts of a conjunction of formulas, and what is strict also without being so."""
    yield statement
    if getattr(statement, "strict", False):
        yield replace(statement, strict=False)  # type: ignore[call-arg]
    if not isinstance(statement, Always):
        return
    formula = sp.sympify(statement.formula)
    if isinstance(formula, sp.And):
        for part in formula.args:
            yield from _parts(Always(part, label=statement.label))
    if type(formula) in WEAKLY:
        yield Always(WEAKLY[type(formula)](*formula.args, evaluate=False), label=statement.label)


def says(statement: Statement, premise: Premise) -> bool:
    """Whether a statement says what a premise does, up to the reading of terms."""
    if type(statement) is not type(premise.statement):
        return False
    reading = premise.domain.reading()
    try:
        return as_read(statement, reading) == as_read(premise.statement, reading)
    except ReadingError:  # it speaks of a letter that means something else here
        return False


def covered(part: Domain, whole: Domain, cited: Cited) -> Iterator[Obligation]:
    """What shows that every point of one domain is a point of another, that of a cited claim, that what is put into
    the claim has a value there, and that its indices lie in the families that they index: all of it premises, without
    which what is concluded may still be true.

    Raises :class:`ClaimError` for a family that differs.
    """
    of = cited.claim.id
    for family in whole.families:
        if not any(family.covers(f) for f in part.families):
            raise ClaimError(f"{of!r} is cited for a family {family.base} that is another one here")
    known = set(part.formulas)
    wanted = [c for c, f in zip(whole.constraints, whole.formulas, strict=True) if f not in known]
    if wanted:
        yield Holds(part, all_of(wanted), label=f"what {of} supposes", sufficient=True)
    for value in valued((*cited.values.values(), *cited.entries), part, f"what {of} is cited at"):
        yield from (replace(o, sufficient=True) for o in value.statement.obligations(value.domain))


def same_places(conclusion: Statement, domain: Domain, where: Domain, entries: Iterable[Entry]) -> None:
    """Refuse entries, in what is said on another domain, that take a letter of the conclusion to number a family, where
    the conclusion does not; and those of a family that need not have a number, of which the conclusion names none.
    """
    said, known = bare(conclusion), domain.family_terms
    in_use = frozenset[Variable]().union(*(node.variables for node in nodes_of(said, domain.reading())))
    in_use -= {domain.reading().variable(s) for s in conclusion.bound if isinstance(s, sp.Symbol)}
    places = {(e.index, known[e.family].size) for e in loose_entries(said, domain) if e.family in known}
    for entry in entries:
        index, family = entry.index, where.family_terms.get(entry.family)
        if not isinstance(index, Variable) or family is None or (index, family.size) in places:
            continue
        if not where.has_one(entry.family) and family.size not in {size for _, size in places}:
            raise ClaimError(
                f"{getattr(conclusion, 'label', '')}: the rule speaks of a number {index.name} of {entry.family}, "
                "which need not have one: let the domain say that it has"
            )
        if index in in_use:
            raise ClaimError(
                f"{getattr(conclusion, 'label', '')}: the rule takes {index.name} to number {entry.family}, and the "
                "conclusion does not: let the domain say where it lies"
            )


def known_families(on: Domain, domain: Domain) -> None:
    """Refuse a domain that speaks of families of which another one says less."""
    for family in on.families:
        if not any(family.covers(f) for f in domain.families):
            raise ClaimError(f"the family {family.base} is another one here")


_PLAIN = (str, int, bool, type(None), tuple, list, dict)  # what kinds of statements and rules are given


def parts(value: Any) -> Iterator[Any]:
    """What a sentence is made of, and the rules that lead to it, however deep within; of a claim that is cited, only
    that it is.
    """
    if isinstance(value, sp.Basic):
        return
    yield value
    if isinstance(value, Cited):
        inner: Iterable[Any] = value.values.values()
    else:
        inner = value.families if isinstance(value, Domain) else made_of(value) or ()
    for part in inner:
        yield from parts(part)


def cites(value: Any) -> tuple[Claim, ...]:
    """The claims that a sentence and the rules that lead to it cite."""
    return tuple(part.claim for part in parts(value) if isinstance(part, Cited))


def known_kinds(value: Any) -> None:
    """Refuse what a sentence is made of and this package does not define: only its own rules have theorems."""
    proof = __package__.rpartition(".")[0]
    for kind in {type(part): None for part in parts(value)}:
        ours = kind.__module__.startswith(f"{proof}.")
        if kind not in _PLAIN and not (ours and getattr(sys.modules[kind.__module__], kind.__name__, None) is kind):
            raise ClaimError(f"{kind.__qualname__} is no kind of statement or rule that there is")
