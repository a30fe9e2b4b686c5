"""What a rule is: from a conclusion back to the premises from which a theorem, proved in Coq, concludes it.

A rule does not believe anything. It generates every premise from the conclusion, the domain and its own explicit
parameters; each is a sentence again, and goes to the checkers, or is what a cited claim says.
"""

from __future__ import annotations

import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence, Set
from contextlib import suppress
from dataclasses import dataclass, field, fields, is_dataclass, replace
from fractions import Fraction
from functools import cached_property
from typing import TYPE_CHECKING, Any, ClassVar, ForwardRef, Generic, NamedTuple, TypeVar, get_args, get_origin

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import BadInput, ClaimError, DomainError, ReadingError
from grpo_symbolic.proof.rules.schema import expressions
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Holds, Obligation
from grpo_symbolic.proof.statements.statement import UNSAID, Always, Equal, Statement, conclusions
from grpo_symbolic.proof.statements.substitution import is_whole_family, substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.slopes import derivative as slope
from grpo_symbolic.terms.definedness import Condition, conditions
from grpo_symbolic.terms.language import ONE, ZERO, Compare, Entry, Node, Term, Variable
from grpo_symbolic.terms.linear import is_interval, least, range_of
from grpo_symbolic.terms.reading import Reading

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import Claim

Concluded = TypeVar("Concluded", bound=Statement)  # what a rule concludes


class Premise(NamedTuple):
    """A sentence that a rule needs: a statement on a domain."""

    statement: Statement
    domain: Domain

    def labelled(self, of: str) -> Premise:
        """The same, named as a part of the sentence that it serves."""
        label = f"{of}: {getattr(self.statement, 'label', '')}"
        return Premise(replace(self.statement, label=label), self.domain)  # type: ignore[call-arg]


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
    of which the domain says nothing, its variables and indices, the families that it speaks of as a whole, and what it
    holds fixed.
    """
    for name in (*statement.binds, "variable", "index"):
        if isinstance(letter := getattr(statement, name, None), sp.Symbol):
            yield letter
    terms = list(expressions(statement))
    every = set().union(*(e.atoms(sp.Symbol) for e in terms))
    yield from every - domain.symbols - {*domain.bases}
    yield from (e.label for e in terms if isinstance(e, sp.IndexedBase))
    at = getattr(statement, "at", ())
    for key, _ in (*getattr(statement, "frozen", ()), *(at if isinstance(at, tuple | list) else ())):
        yield from sp.sympify(key).free_symbols


def at(claim: Claim, values: Mapping[sp.Expr, Scalar], *only: str) -> Cited:
    """A claim with values for some of its letters, as a rule may cite it; ``only`` are labels of its parts.

    Raises :class:`ClaimError` where what is put in would be caught by a sum, for a whole letter at what need not be a
    whole number, and for a value of what is no letter.
    """
    return Cited(claim, {k: sp.sympify(v) for k, v in values.items()}, only)


def constraining(domain: Domain) -> Iterator[sp.Basic]:
    """All that a domain says something with: its constraints, and the sizes and the sums of its families."""
    yield from domain.constraints
    yield from (part for f in domain.families for part in f.size_and_total)


def fitting(values: Mapping[sp.Expr, Scalar]) -> None:
    """Refuse a value for what is no letter and no entry of a family, such as a square, which need not take it; and what
    need not be a whole number in the place of a whole letter.
    """
    for letter, value in values.items():
        if not isinstance(letter, sp.Symbol | sp.Indexed):
            raise ClaimError(f"{letter} is no letter, and has no values that could be put in")
        if sp.sympify(letter).is_integer and not Reading().term(value).is_whole:
            raise ClaimError(f"{letter} is a whole number, and {value} need not be one")


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


@dataclass(frozen=True, eq=False)
class Rule(Generic[Concluded]):
    """Base of all rules: ``Rule["Kind | OtherKind"]`` leads to conclusions of these kinds, ``Rule["Statement"]`` to
    any.

    ``given`` are the claims of which each must be cited by some premise.
    """

    given: tuple[Cited, ...] = field(default=(), kw_only=True)
    concludes: ClassVar[tuple[str, ...]] = ()  # the kinds of conclusion that the rule leads to; none: any kind
    theorems: ClassVar[tuple[str, ...]]  # of coq/theories: file and name
    asks_itself: ClassVar[bool] = False  # whether a premise is the conclusion, where what is shown may be supposed

    def __init_subclass__(cls) -> None:
        """The kinds of conclusion are those that the base is given."""
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            origin, (kinds, *_) = get_origin(base), (*get_args(base), None)
            if isinstance(origin, type) and issubclass(origin, Rule) and isinstance(kinds, ForwardRef):
                named = tuple(kinds.__forward_arg__.split(" | "))
                cls.concludes = () if named == (Statement.__name__,) else named

    def __post_init__(self) -> None:
        cited = (self.given,) if not isinstance(self.given, Iterable) else self.given
        for claim in cited:
            if not isinstance(claim, Cited) and not hasattr(claim, "domain"):
                raise ClaimError(f"given= takes claims, or what at(claim, values) makes of them, and not {claim!r}")
        object.__setattr__(self, "given", tuple(c if isinstance(c, Cited) else Cited(c, {}) for c in cited))

    def theorem(self, conclusion: Concluded) -> str:
        """The theorem of ``coq/theories`` that is this rule, for this conclusion: file and name."""
        return self.theorems[0]

    def premises(self, conclusion: Concluded, domain: Domain) -> Iterator[Premise]:
        """What must hold for the conclusion to hold on the domain.

        Raises :class:`ClaimError` where the rule does not fit.
        """
        raise NotImplementedError

    def obligations(self, conclusion: Concluded, domain: Domain) -> Iterator[Obligation]:
        """What the checkers are asked: of each premise that is not cited, its obligations; of a citation, that the
        premise speaks only of what the cited claim covers.

        Raises :class:`ClaimError` for a conclusion of another kind, and for a given claim that no premise matches.
        """
        kind = type(conclusion).__name__
        if self.concludes and kind not in self.concludes:
            raise ClaimError(f"the rule {type(self).__name__} concludes {' or '.join(self.concludes)}, not {kind}")
        twice = [b for b in conclusion.bound if conclusion.bound.count(b) > 1]
        if twice:
            raise ClaimError(f"{kind}: {twice[0]} stands for two things, which need a letter each")
        for premise, source in self._once_opened(conclusion, domain):
            entries = loose_entries(_bare(premise.statement.conclusion), premise.domain)
            same_places(conclusion, domain, premise.domain, entries)
            if source is not None:
                same_places(conclusion, domain, premise.domain, source[0].loose(premise.domain))
        for premise, source in self._once_opened(conclusion, domain):
            if source is None:
                asked = premise.statement.obligations(premise.domain)
            else:
                cited, sentence = source
                asked = covered(premise.domain, sentence.domain, cited)
            yield from (replace(o, sufficient=True) for o in asked)
        premises = [premise for premise, _ in self._once_opened(conclusion, domain)]
        if self.asks_itself:
            return
        for value in _undefined(conclusion, domain, premises, self.numbers(conclusion)):
            yield from value.statement.obligations(value.domain)
        for value in _within(conclusion, domain, premises, self):
            yield from value.statement.obligations(value.domain)

    def numbers(self, conclusion: Concluded) -> Sequence[sp.Expr]:
        """The numbers of which a conclusion and its proof speak, beside the sides of a relation."""
        return ()

    def opened(self, conclusion: Concluded, domain: Domain) -> list[tuple[Premise, tuple[Cited, Premise] | None]]:
        """The premises, each with the cited claim that says it and its sentence there, if there is one.

        Raises :class:`ClaimError` where there are none, which prove nothing, and for a given claim that says none.
        """
        opened = [(premise, self._source(premise)) for premise in self.premises(conclusion, domain)]
        if not opened:
            raise ClaimError(f"the rule {type(self).__name__} has no premise here, and nothing follows from nothing")
        used = [source[0] for _, source in opened if source is not None]
        for cited in self.given:
            if not any(cited is other for other in used):
                name = type(self).__name__
                raise ClaimError(f"the rule {name} is given {cited.claim.id!r}, which says none of its premises")
        return opened

    def _once_opened(self, conclusion: Concluded, domain: Domain) -> list[tuple[Premise, tuple[Cited, Premise] | None]]:
        """As :meth:`opened`; the conclusion keeps what is found, for its obligations and for the rules it uses."""
        known = vars(conclusion).setdefault("_opened", [])
        opened = next((premises for rule, where, premises in known if rule is self and where == domain.key()), None)
        if opened is None:
            if isinstance(conclusion, Conclusion):
                conclusion.comes_true(domain, self)
            opened = self.opened(conclusion, domain)
            known.append((self, domain.key(), opened))
        return opened

    def _source(self, premise: Premise) -> tuple[Cited, Premise] | None:
        """The cited sentence that says what a premise does: on its domain, or on one from which it is carried over."""
        wanted, here = Premise(premise.statement.conclusion, premise.domain), premise.domain.key()
        matching = ((c, s) for c in self.given for s in c.sentences if says(s.statement, wanted))
        return next((x for x in matching if x[1].statement.carries_over or x[1].domain.key() == here), None)

    def used(self, conclusion: Concluded, domain: Domain) -> tuple[str, ...]:
        """The theorem of this rule, and those of the rules that lead to its premises."""
        inner = (
            premise.statement.rules_on(premise.domain)
            for premise, source in self._once_opened(conclusion, domain)
            if source is None
        )
        return tuple(dict.fromkeys((self.theorem(conclusion), *(name for names in inner for name in names))))


def same_places(conclusion: Statement, domain: Domain, where: Domain, entries: Iterable[Entry]) -> None:
    """Refuse entries, in what is said on another domain, that take a letter of the conclusion to number a family, where
    the conclusion does not; and those of a family that need not have a number, of which the conclusion names none.
    """
    bare, known = _bare(conclusion), domain.family_terms
    in_use = frozenset[Variable]().union(*(node.variables for node in nodes_of(bare, domain.reading())))
    in_use -= {domain.reading().variable(s) for s in conclusion.bound if isinstance(s, sp.Symbol)}
    places = {(e.index, known[e.family].size) for e in loose_entries(bare, domain) if e.family in known}
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


def _bare(statement: Statement) -> Statement:
    """A statement without what its proof uses."""
    return replace(statement, **{name: () for name in ("using", "hint") if hasattr(statement, name)})


def _undefined(
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
            for node in nodes_of(_bare(premise.statement.conclusion), domain.reading()):  # not what its proof speaks of
                asked.update(conditions(node, sizes))
    for side in sides:
        try:
            needed = conditions(reading.term(side), sizes)
        except ReadingError as unread:
            raise ClaimError(f"{getattr(conclusion, 'label', '')}: not seen that it has a value: {unread}") from unread
        if not asked.issuperset(needed):
            yield Premise(Equal(side, side, label=f"{getattr(conclusion, 'label', '')}: {side} has a value"), domain)


def _within(conclusion: Statement, domain: Domain, premises: Sequence[Premise], rule: Rule) -> Iterator[Premise]:
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
        *_readable(_bare(conclusion), domain),
        *_about(domain, bound, (*sides_of(sp.Tuple(*supposed)), *_given(rule))),
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


def _given(rule: Rule) -> Iterator[sp.Basic]:
    """The terms and formulas that a rule is given as parameters, beside claims, statements, and other rules."""
    waiting = [getattr(rule, f.name) for f in fields(rule)]
    while waiting:
        match waiting.pop():
            case sp.Basic() as given:
                yield given
            case tuple() | list() as several:
                waiting.extend(several)
            case Mapping() as values:
                waiting.extend(values.values())
            case Rule() | Statement() | Cited() | Instance() | Domain():
                pass
            case part if is_dataclass(part):
                waiting.extend(getattr(part, f.name) for f in fields(part))


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
    if is_dataclass(value):
        for f in fields(value):
            yield from _readable(getattr(value, f.name), domain)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from _readable(part, domain)
    elif isinstance(value, sp.Expr) and not isinstance(value, sp.IndexedBase) and _is_read(value, domain):
        yield value
    elif isinstance(value, sp.Basic):
        inner = [term for part in value.args for term in _readable(part, domain)]
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


_PLAIN = (str, int, bool, type(None), tuple, list, dict)  # what kinds of statements and rules are given


def parts(value: Any) -> Iterator[Any]:
    """What a sentence is made of, and the rules that lead to it, however deep within; of a claim that is cited, only
    that it is.
    """
    inner: Iterable[Any] = ()
    if not isinstance(value, sp.Basic):
        yield value
        if isinstance(value, Mapping):
            inner = value.values()
        elif isinstance(value, tuple | list):
            inner = value
        elif isinstance(value, Cited):
            inner = value.values.values()
        elif isinstance(value, Domain):
            inner = value.families
        elif is_dataclass(value):
            inner = (getattr(value, f.name) for f in fields(value))
    for part in inner:
        yield from parts(part)


def mentioned(value: Any) -> set[sp.Basic]:
    """The letters and families of what a statement is made of."""
    inner = value.values() if isinstance(value, Mapping) else value if isinstance(value, tuple | list) else ()
    if is_dataclass(value):
        inner = [getattr(value, f.name) for f in fields(value) if f.name not in UNSAID]
    own = value.atoms(sp.Symbol, sp.IndexedBase) if isinstance(value, sp.Basic) else set()
    return own.union(*map(mentioned, inner))


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


def says(statement: Statement, premise: Premise) -> bool:
    """Whether a statement says what a premise does, up to the reading of terms."""
    if type(statement) is not type(premise.statement):
        return False
    reading = premise.domain.reading()
    try:
        return as_read(statement, reading) == as_read(premise.statement, reading)
    except ReadingError:  # it speaks of a letter that means something else here
        return False


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
    if is_dataclass(value):
        for f in fields(value):
            if f.name != "hint":
                yield from nodes_of(getattr(value, f.name), reading)
    elif isinstance(value, tuple | list):
        for part in value:
            yield from nodes_of(part, reading)
    elif isinstance(value, sp.Expr | sp.logic.boolalg.Boolean):
        with suppress(ReadingError):
            yield reading.read(value)


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


def known_families(on: Domain, domain: Domain) -> None:
    """Refuse a domain that speaks of families of which another one says less."""
    for family in on.families:
        if not any(family.covers(f) for f in domain.families):
            raise ClaimError(f"the family {family.base} is another one here")


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
    if isinstance(formula, sp.StrictLessThan | sp.StrictGreaterThan):
        weak = sp.Le if isinstance(formula, sp.StrictLessThan) else sp.Ge
        yield Always(weak(*formula.args, evaluate=False), label=statement.label)


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


@dataclass(frozen=True)
class Conclusion(Statement):
    """Base of the kinds that no engine understands; ``rule`` is the one that leads to them where none is named."""

    rule: ClassVar[Rule | None] = None
    letters_of_words: ClassVar[tuple[str, ...]] = ()  # where they are the same in every sentence of the kind

    @property
    def expression(self) -> sp.Basic:
        """Raises :class:`BadInput`: SymPy has no object that says it. Kinds for which it has one give it."""
        raise BadInput(f"SymPy has no object that says {type(self).__name__}: read the sentence")

    @property
    def printed_letters(self) -> tuple[str, ...]:
        """The LaTeX of the letters that its words use for something of their own: no letter of it is printed so."""
        return self.letters_of_words

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Raises :class:`ClaimError` where nothing is seen of what the sentence is about, where a rule speaks of it: it
        would say nothing.
        """

    @property
    def usual(self) -> Rule:
        """The rule of this kind. Raises :class:`ClaimError` where there is none to take without being named."""
        if self.rule is None:
            raise ClaimError(f"{type(self).__name__} is a conclusion that needs a rule: by=… is missing")
        return self.rule

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        return self.usual.obligations(self, self.meant_on(domain))

    def rules_on(self, domain: Domain) -> tuple[str, ...]:
        return self.usual.used(self, self.meant_on(domain))


Using = tuple[Instance, ...] | Rule  # instances of stated lemmas, or a rule, for an inequality that is a premise


def always(formula: sp.Basic, using: Using, label: str) -> Statement:
    """A premise that is an inequality, with what its proof may use."""
    if isinstance(using, Rule):
        return Always(formula, label=label).by(using)
    return Always(formula, using, label=label)


def all_of(formulas: Sequence[sp.Basic]) -> sp.Basic:
    """All of several formulas, as they are written."""
    return sp.And(*formulas, evaluate=False) if len(formulas) > 1 else formulas[0]


def hold(formulas: Iterable[sp.Basic], domain: Domain, label: str, using: Using = ()) -> Iterator[Premise]:
    """That formulas hold, but for those that are true as they are written."""
    unsettled = [f for f in formulas if f != sp.true]
    if unsettled:
        yield Premise(always(all_of(unsettled), using, label), domain)


def by_rule(statement: Statement, rule: Rule | None) -> Statement:
    """A premise by a rule, or, where none is named, as its kind is usually proved."""
    return statement if rule is None else statement.by(rule)


# -- side conditions, generated from terms ----------------------------------------------------------------------------

ROUGH = (sp.Piecewise, sp.Max, sp.Min, sp.Abs, sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Mod)
JUMPS = (sp.Piecewise, sp.sign, sp.floor, sp.ceiling, sp.Heaviside, sp.Mod, sp.KroneckerDelta)


def smooth(body: sp.Expr, variable: sp.Symbol) -> None:
    """Refuse what may jump or bend where SymPy's derivative does not show it."""
    rough = [e for e in sp.sympify(body).atoms(*ROUGH) if e.has(variable)]
    if rough:
        raise ClaimError(
            f"the sign of a derivative says nothing of {rough[0]}, which is not smooth in {variable}: "
            "state the cases one by one"
        )


def interval_in(variable: sp.Symbol, domain: Domain) -> None:
    """Refuse a domain whose values of ``variable``, all else fixed, are not seen to be an interval."""
    along = domain.reading().variable(variable)
    for constraint, formula in zip(domain.constraints, domain.formulas, strict=True):
        if not is_interval(formula, along):
            raise ClaimError(
                f"a domain with {constraint} is not known to be an interval in {variable}, "
                "as monotone and convex need: use bounds"
            )
    try:
        inside(variable, domain)
    except DomainError:  # two bounds meet, as y ≤ x and x ≤ y do: of one value everything is monotone
        raise ClaimError(f"the domain is not seen to have two values of {variable}, all else fixed") from None
    alone(variable, domain)


def alone(variable: sp.Symbol, domain: Domain) -> None:
    """Refuse a domain on which a family varies with ``variable``, all else being fixed."""
    for family in domain.families:
        if any(part.has(variable) for part in family.size_and_total):
            raise ClaimError(f"the family {family.base} varies with {variable}, which is to vary alone")


def inside(variable: sp.Symbol, domain: Domain) -> Domain | None:
    """The domain without the ends of the values that it admits for ``variable``; None where an equation fixes them."""
    strictly = {sp.LessThan: sp.Lt, sp.GreaterThan: sp.Gt}
    inner = []
    for constraint in domain.constraints:
        if variable in constraint.free_symbols:
            if not isinstance(constraint, sp.LessThan | sp.GreaterThan | sp.StrictLessThan | sp.StrictGreaterThan):
                return None
            if type(constraint) in strictly:
                constraint = strictly[type(constraint)](*constraint.args, evaluate=False)
        inner.append(constraint)
    return Domain(*domain.free, *domain.families, *inner)


def between(lower: sp.Expr, variable: sp.Symbol, upper: sp.Expr, closed: bool = True) -> tuple[sp.Basic, ...]:
    """The constraints that ``variable`` lies between two ends; an infinite end says nothing."""
    low, high = sp.sympify(lower), sp.sympify(upper)
    below = (sp.Le if closed else sp.Lt)(low, variable, evaluate=False)
    above = (sp.Le if closed else sp.Lt)(variable, high, evaluate=False)
    return tuple(c for c, end in ((below, low), (above, high)) if end not in (sp.oo, -sp.oo)) or (variable,)


def at_point(variable: sp.Symbol, point: sp.Expr, domain: Domain, label: str) -> Iterator[Premise]:
    """That a point is one of the values that the domain admits for a variable."""
    parameters = domain.without_symbol(variable)
    here = (substituted(c, {variable: point}) for c in domain.constraints if variable in c.free_symbols)
    yield from hold(here, parameters, f"{label}: the point lies in the domain")


def sides_of(formula: sp.Basic) -> tuple[sp.Expr, ...]:
    """The sides of all equations and inequalities of a formula."""
    return tuple(sorted({side for relation in formula.atoms(Relational) for side in relation.args}, key=str))


def valued(terms: Iterable[Scalar], domain: Domain, label: str) -> Iterator[Premise]:
    """That terms have a value everywhere, where that is not plain and premises show only a part or a difference."""
    for term in map(sp.sympify, terms):
        if conditions(domain.reading().term(term), domain.sizes):
            yield Premise(Equal(term, term, label=f"{label}: {term} has a value"), domain)


def is_whole(value: Scalar) -> bool:
    """Whether the language of terms shows that a value is a whole number."""
    return Reading().term(sp.sympify(value)).is_whole


def one_range(total: sp.Expr) -> tuple[sp.Symbol, sp.Expr, sp.Expr]:
    """The letter of a sum or a product, and its ends. Raises :class:`ClaimError` for one over several letters."""
    if len(total.limits) != 1:
        raise ClaimError(f"{total} runs over several letters, where a sum or a product over one is expected")
    index, low, high = total.limits[0]
    return index, low, high


def lettered(parts: Iterable[sp.Expr], expressions: Iterable[sp.Basic], domain: Domain) -> dict[sp.Expr, sp.Symbol]:
    """A letter for each of these parts of ``expressions``: S0, S1, ….

    Raises :class:`ClaimError` where the sentence or its domain speaks of such a letter: it would be taken for the part;
    and for a part of a derivative, along which no letter moves.
    """
    for e in expressions:
        for moved in e.atoms(sp.Derivative):
            if any(moved.has(part) for part in parts):
                raise ClaimError(f"{moved} is the derivative of what stands as a letter in the step to the next number")
        for total in e.atoms(sp.Sum, sp.Product):
            if caught := next((p for p in parts if total.has(p) and p.free_symbols & {*total.variables}), None):
                raise ClaimError(f"{caught} differs with what {total} runs along, and stands as one letter")
    letters = {part: sp.Symbol(f"S{number}", real=True) for number, part in enumerate(parts)}
    in_use = set(map(str, domain.symbols.union(*(e.free_symbols for e in expressions))))
    for part, letter in letters.items():
        if letter.name in in_use:
            raise ClaimError(f"{letter} is the letter for {part} in the step to the next number: take another one")
    return letters


def line(e: sp.Expr, letter: sp.Symbol) -> tuple[sp.Expr, sp.Expr] | None:
    """The slope of what is linear in a letter, and what it is at 0; None for anything else. A condition that speaks of
    the letter leaves no trace in SymPy's derivative.
    """
    conditions = (Boolean, sp.Derivative)
    if any(
        part.has(letter) for part in sp.preorder_traversal(e) if isinstance(part, conditions) and not part.is_Symbol
    ):
        return None
    rate = sp.diff(e, letter)
    return None if rate.has(letter) else (rate, e.xreplace({letter: sp.S.Zero}))


def unmoved(variable: sp.Symbol, label: str, **parts: Scalar) -> None:
    """Refuse parts of a conclusion that move with its variable, where they are one number."""
    for what, part in parts.items():
        if sp.sympify(part).has(variable):
            raise ClaimError(f"{label}: the {what} {part} moves with {variable}")


def continuous(body: sp.Expr, variable: sp.Symbol, domain: Domain) -> Premise:
    """That a function is continuous in a variable on a domain: it is built from continuous operations, and has a value
    everywhere there. Of these, the first is read off; the second is the premise.

    Raises :class:`ClaimError` for a function that may jump.
    """
    jumps = [e for e in sp.sympify(body).atoms(*JUMPS) if e.has(variable)]
    if jumps:
        raise ClaimError(f"{jumps[0]} is not known to be continuous in {variable}")
    return Premise(Equal(body, body, label=f"continuous in {variable}: it has a value"), domain)


def derivative(
    body: sp.Expr, variable: sp.Symbol, domain: Domain, order: int = 1, form: sp.Expr = None
) -> tuple[sp.Expr, Premise]:
    """A derivative, in the given form if there is one, and the premise that it is the one: the function is
    differentiable on the whole domain.

    Raises :class:`ClaimError` for a function that is not smooth as it is built.
    """
    smooth(body, variable)
    computed = slope(body, variable, order) if form is None else sp.sympify(form)
    called = {1: "derivative", 2: "second derivative"}[order]
    exact = Equal(sp.Derivative(body, (variable, order)), computed, label=f"{called} in {variable}")
    return computed, Premise(exact, domain)
