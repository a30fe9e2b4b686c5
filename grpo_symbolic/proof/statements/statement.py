"""Kinds of statement, each compiled to primitive obligations.

A statement is what a claim says: an equation, a bound, a limit, a monotonicity, a count of roots, a maximum. Its
``claimed`` fields are those that a referee could get wrong, and the only ones that mutation controls change. A
statement does not know its domain; the claim gives it one.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, fields, is_dataclass, replace
from enum import Enum
from fractions import Fraction
from typing import TYPE_CHECKING, Any, ClassVar, NamedTuple

import sympy as sp
from sympy.core.relational import Relational
from sympy.logic.boolalg import BooleanAtom

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.statements.domain import Domain, Point, exact_point
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown

if TYPE_CHECKING:
    from grpo_symbolic.proof.rules.rule import Rule

UNSAID = ("label", "using", "hint")  # fields of a statement that say nothing
FAMILY = "the domain of a part that has families of its own"
COMPOUND = (sp.Or, sp.Implies, sp.Equivalent)  # what is in parentheses where words stand beside it
SAME = "both sides are"  # how the phrase of an equality begins that says nothing
Phrase = tuple[Any, ...]  # words, formulas in SymPy, and members of sequences


class Carried(Enum):
    """Why what a statement says on a domain also holds on every part of it: of what it speaks."""

    each_point = "each point of the domain by itself"
    each_other = "each value of the other letters by itself, whatever the domain says of its own"
    two_points = "any two or three points of the domain, and each of them is one of the larger domain"


EACH_POINT, EACH_OTHER, TWO_POINTS = Carried


class Nth(NamedTuple):
    """A member of the sequence whose members a letter stands for, in a phrase."""

    letter: sp.Symbol
    number: str


@dataclass(frozen=True)
class Statement(Shown):
    """Base of all kinds. ``label`` names the part of a conjunction that a statement is.

    ``carried`` is the reason why what holds on a domain also holds on every part of it; without one it need not.
    ``binds`` are the fields with letters that stand for no value of their own, and ``ranges`` is whether the statement
    says itself where these lie. ``compares``: it says which of the values of its variable is the best one.
    """

    claimed: ClassVar[tuple[str, ...]] = ()
    carried: ClassVar[Carried | None] = None
    binds: ClassVar[tuple[str, ...]] = ("variable",)
    ranges: ClassVar[bool] = False
    compares: ClassVar[bool] = False

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        raise NotImplementedError

    @property
    def expression(self) -> sp.Basic:
        """The statement as one SymPy object, for use in other tools; what it does not show is :attr:`unsaid`."""
        raise NotImplementedError

    def shown_by(self, rule: Rule) -> sp.Basic:
        """As :attr:`expression`, of a statement to which this rule leads."""
        return self.expression

    @property
    def unsaid(self) -> tuple[str, ...]:
        """What the sentence says and :attr:`expression` does not, a phrase each."""
        return ()

    def phrase(self) -> Phrase:
        """The statement as a reader says it: words and formulas, in order."""
        return (self.expression,)

    @property
    def conclusion(self) -> Statement:
        """The statement without the rule that leads to it."""
        return self

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        """The letters that stand for no value of their own: the variable of a function, a limit, an iteration."""
        return tuple(getattr(self, name) for name in self.binds if hasattr(self, name))

    @property
    def numbered(self) -> Mapping[sp.Symbol, tuple[Scalar, ...]]:
        """From where and up to where the whole letters run that it binds, where it says so, nothing where it says so of
        one letter twice; the others run from 1 on. An ``index`` runs from 1 to the ``size``.
        """
        index, size = getattr(self, "index", None), getattr(self, "size", None)
        return {index: (1, size)} if index in self.bound and size is not None else {}

    @property
    def own(self) -> tuple[sp.Symbol, ...]:
        """The bound letters whose range the statement says itself: what a domain says of them does not count."""
        return self.bound if self.ranges else ()

    @property
    def defined(self) -> frozenset[str]:
        """The names of the families that its words define: what a domain says of these need not be printed."""
        return frozenset()

    @property
    def carries_over(self) -> bool:
        """Whether it holds on every part of a domain on which it holds."""
        return self.carried is not None

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        """What the statement supposes beside its domain, of every index: where that fails it says nothing. ``None``
        where nobody said so, as of a kind that holds more than numbers and letters and has no word of its own on it.
        """
        said = (getattr(self, part.name) for part in fields(self) if part.name not in UNSAID)
        return () if all(map(_of_numbers, said)) else None

    def meant_on(self, domain: Domain) -> Domain:
        """What of a domain counts, for the sentence and for its proof: all but what it says of its own letters.

        Raises :class:`ClaimError` where a family of the domain varies with one of them.
        """
        for letter in self.own:
            for family in domain.families:
                if any(part.has(letter) for part in family.size_and_total):
                    raise ClaimError(f"the family {family.base} varies with {letter}, of which the sentence disposes")
            if letter in domain.symbols:
                domain = domain.without_symbol(letter)
        return domain

    @property
    def pointwise(self) -> sp.Basic | None:
        """An equation or inequality that holds at every point of the domain if the statement does, where there is one:
        what may be supposed where it is cited.
        """
        return None

    def implied(self, domain: Domain) -> Iterator[Obligation]:
        """What follows from the statement: refuted, it refutes the statement, where a rule's premise that fails does
        not.
        """
        if self.pointwise is not None:
            yield from Always(self.pointwise, label=getattr(self, "label", "")).obligations(domain)

    def rules_on(self, domain: Domain) -> tuple[str, ...]:
        """The rules that lead to it from what engines are asked: theorems of ``coq/theories``."""
        return ()

    def by(self, rule: Rule, hint: tuple[sp.Basic, ...] = ()) -> By:
        """The statement, concluded by a rule; ``hint`` is for the proofs of what the rule needs."""
        return By(self, rule, hint)

    def __and__(self, other: Statement) -> Every:
        return Every(self, other)


def _of_numbers(value: Any) -> bool:
    """Whether a part of a statement is made of numbers, letters and words alone: it holds no formula."""
    if is_dataclass(value):
        return all(_of_numbers(getattr(value, part.name)) for part in fields(value))
    if isinstance(value, tuple):
        return all(map(_of_numbers, value))
    return isinstance(value, sp.Expr | int | float | Fraction | str | None)


def supposed_in(formula: sp.Basic | bool) -> tuple[sp.Basic, ...] | None:
    """What a formula supposes, from which something follows; ``None`` where it is no implication, relation, or several
    of these, and may suppose it in another way.
    """
    found: list[sp.Basic] = []
    for part in sp.And.make_args(sp.sympify(formula)):
        given, then = part.args if isinstance(part, sp.Implies) else (sp.true, part)
        supposed = sp.And.make_args(given)
        if not all(isinstance(c, Relational | BooleanAtom) for c in (*supposed, *sp.And.make_args(then))):
            return None
        found += [c for c in supposed if c != sp.true]
    return tuple(found)


def listed(formulas: Sequence[sp.Basic]) -> Phrase:
    """Formulas with "and" between them, as the subject of a phrase: one that is made of several with another word is in
    parentheses, or the phrase would be about its last part only.

    >>> from grpo_symbolic.notation import x, y
    >>> listed((x > 0, sp.Or(x > 1, y > 0)))
    (x > 0, 'and', [(x > 1) | (y > 0)])
    """
    return tuple(part for f in formulas for part in ("and", [f] if isinstance(f, COMPOUND) else f))[1:]


def commas(parts: Iterable[Any]) -> Phrase:
    """Parts of a phrase with commas between them."""
    return tuple(part for each in parts for part in (",", each))[1:]


def real_symbol(variable: sp.Expr) -> None:
    """Refuse whole numbers and entries of families where a real variable is meant."""
    if not isinstance(variable, sp.Symbol) or variable.is_integer:
        raise ClaimError(f"{variable} must be a symbol for real numbers")


def _stated(part: object) -> None:
    """Refuse a bare relation as a part of a statement."""
    if not isinstance(part, Statement):
        raise ClaimError(f"a part of a statement is a statement too, such as Always(…) or Equal(…), and {part} is none")


def _hints(given: Sequence[sp.Basic]) -> tuple[sp.Basic, ...]:
    """What may help a search. Raises :class:`ClaimError` for what is no tuple of relations and expressions."""
    if not isinstance(given, tuple | list) or not all(isinstance(h, sp.Expr | sp.logic.boolalg.Boolean) for h in given):
        raise ClaimError(f"hint= takes relations and expressions in a tuple, (x < y, x - 2 * y), not {given}")
    return tuple(given)


@dataclass(frozen=True)
class Equal(Statement):
    """Two expressions, ``left`` and ``right``, agree on the domain. ``hint``: as that of :class:`Always`."""

    left: Scalar
    right: Scalar
    label: str = "identity"
    hint: tuple[sp.Basic, ...] = field(default=(), compare=False, repr=False)
    claimed = ("right",)
    carried = EACH_POINT

    def __post_init__(self) -> None:
        object.__setattr__(self, "hint", _hints(self.hint))

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield Identity(domain, sp.sympify(self.left), sp.sympify(self.right), label=self.label, hints=self.hint)

    @property
    def expression(self) -> sp.Basic:
        return sp.Eq(sp.sympify(self.left), sp.sympify(self.right), evaluate=False)

    @property
    def pointwise(self) -> sp.Basic | None:
        return self.expression

    def phrase(self) -> Phrase:
        left = sp.sympify(self.left)
        return (SAME, left) if left == sp.sympify(self.right) else (self.expression,)


@dataclass(frozen=True)
class Always(Statement):
    """A ``formula``, a relation or a Boolean combination of relations, that holds on the domain. ``using``: instances
    of stated lemmas.

    ``hint`` names what may help the search for a certificate: relations, each a lemma if it can be shown itself, and
    expressions, whose signs are looked at one by one. It says nothing, is never supposed, and the proof that was found
    with it stands without it.
    """

    formula: sp.logic.boolalg.Boolean | bool
    using: tuple[Instance, ...] = ()
    label: str = "for all"
    hint: tuple[sp.Basic, ...] = field(default=(), compare=False, repr=False)
    claimed = ("formula",)
    carried = EACH_POINT

    def __post_init__(self) -> None:
        if not isinstance(self.using, tuple | list) or not all(isinstance(u, Instance) for u in self.using):
            raise ClaimError(f"using= takes instances of lemmas in a tuple, (log_below_tangent(u),), not {self.using}")
        object.__setattr__(self, "hint", _hints(self.hint))

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield Holds(domain, self.formula, self.using, label=self.label, hints=self.hint)

    @property
    def expression(self) -> sp.Basic:
        return sp.sympify(self.formula)

    @property
    def pointwise(self) -> sp.Basic | None:
        return self.expression

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        return supposed_in(self.formula)

    def phrase(self) -> Phrase:
        return ("true as soon as it is written out",) if self.expression == sp.true else (self.expression,)


@dataclass(frozen=True)
class Tends(Statement):
    """``body`` tends to ``value`` as ``variable`` tends to ``point`` from one ``side`` ("+" or "-"). The domain
    constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    point: Scalar
    value: Scalar
    side: str = "+"
    label: str = "limit"
    claimed = ("value",)
    ranges = True
    carried = EACH_OTHER

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        point = sp.sympify(self.point)
        if self.variable.is_integer and point not in (sp.oo, -sp.oo):
            raise ClaimError(f"{self.variable} is a whole number and does not tend to {point}")
        yield LimitIs(
            domain.without_symbol(self.variable),
            sp.sympify(self.body),
            self.variable,
            point,
            self.side,
            sp.sympify(self.value),
            label=self.label,
        )

    @property
    def expression(self) -> sp.Basic:
        return sp.Eq(sp.Limit(self.body, self.variable, self.point, self.side), sp.sympify(self.value), evaluate=False)


@dataclass(frozen=True)
class Roots(Statement):
    """``polynomial`` has exactly ``count`` distinct roots in the open interval."""

    polynomial: Scalar
    variable: sp.Symbol
    count: int
    lower: Scalar = 0
    upper: Scalar = 1
    label: str = "root count"
    claimed = ("count",)
    carried = EACH_OTHER
    ranges = True

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        real_symbol(self.variable)
        low, high = sp.sympify(self.lower), sp.sympify(self.upper)
        yield RootCount(domain, self.polynomial, self.variable, low, high, self.count, label=self.label)

    @property
    def expression(self) -> sp.Basic:
        inside = sp.ConditionSet(self.variable, sp.Eq(self.polynomial, 0), sp.Interval.open(self.lower, self.upper))
        return sp.Eq(sp.Function("card")(inside), self.count, evaluate=False)

    def phrase(self) -> Phrase:
        number = {0: "no", 1: "exactly one"}.get(self.count, f"exactly {self.count}")
        zero = sp.Eq(self.polynomial, 0, evaluate=False)
        return (zero, f"for {number}", self.variable, "strictly between", self.lower, "and", self.upper)


@dataclass(frozen=True)
class Exists(Statement):
    """There is a point of the domain at which ``formula`` holds, and here it is: numbers by symbol, lists by family."""

    formula: sp.logic.boolalg.Boolean | bool
    point: Point
    label: str = "witness"
    claimed = ("formula",)

    def __post_init__(self) -> None:
        object.__setattr__(self, "point", dict(exact_point(self.point)))  # what is changed later is another point

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield Witness(domain, self.formula, exact_point(self.point), label=self.label)

    @property
    def expression(self) -> sp.Basic:
        return sp.sympify(self.formula)

    @property
    def unsaid(self) -> tuple[str, ...]:
        return ("that there is such a point, and not that all points are such",)

    def phrase(self) -> Phrase:
        values = [part for k, v in self.point.items() for part in (",", k, "=", v)]
        return (self.expression, *((", as for", *values[1:]) if values else ()))

    def __hash__(self) -> int:
        return hash((self.formula, self.label))


@dataclass(frozen=True, init=False)
class Every(Statement):
    """All of several statements."""

    statements: tuple[Statement, ...]
    claimed = ("statements",)

    def __init__(self, *statements: Statement) -> None:
        for part in statements:
            _stated(part)
        object.__setattr__(self, "statements", statements)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        if not self.statements:
            raise ClaimError("a conjunction of nothing says nothing: state something")
        for statement in self.statements:
            yield from statement.obligations(domain)

    @property
    def expression(self) -> sp.Basic:
        return sp.And(*(s.expression for s in self.statements), evaluate=False)

    @property
    def carries_over(self) -> bool:
        return all(s.carries_over for s in self.statements)

    @property
    def unsaid(self) -> tuple[str, ...]:
        return tuple(dict.fromkeys(gap for s in self.statements for gap in s.unsaid))

    def rules_on(self, domain: Domain) -> tuple[str, ...]:
        return tuple(dict.fromkeys(rule for s in self.statements for rule in s.rules_on(domain)))

    def __and__(self, other: Statement) -> Every:
        return Every(*self.statements, other)


class Narrowed(Statement):
    """Base of the kinds around another statement: on another domain, or concluded by a rule."""

    statement: Statement
    claimed = ("statement",)

    def __post_init__(self) -> None:
        _stated(self.statement)

    def within(self, domain: Domain) -> Domain:
        """The domain of what it is around."""
        return domain

    @property
    def carries_over(self) -> bool:
        return self.statement.carries_over

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        yield from self.statement.obligations(self.within(domain))

    def rules_on(self, domain: Domain) -> tuple[str, ...]:
        return self.statement.rules_on(self.within(domain))

    @property
    def expression(self) -> sp.Basic:
        return self.statement.expression

    def phrase(self) -> Phrase:
        return self.statement.phrase()

    @property
    def unsaid(self) -> tuple[str, ...]:
        return self.statement.unsaid


@dataclass(frozen=True)
class By(Narrowed):
    """A conclusion, and the rule that leads to it: of one statement, which brings no domain and no case of its own.
    ``hint``, as that of :class:`Always`, is for the proofs of what the rule needs.
    """

    statement: Statement
    rule: Rule
    hint: tuple[sp.Basic, ...] = field(default=(), compare=False, repr=False)

    def __post_init__(self) -> None:
        super().__post_init__()
        object.__setattr__(self, "hint", _hints(self.hint))
        if isinstance(self.statement, Every | On | When):
            kind = type(self.statement).__name__
            raise ClaimError(f"a rule leads to one plain statement: give each part of the {kind}(…) its own")

    @property
    def conclusion(self) -> Statement:
        return self.statement.conclusion

    @property
    def expression(self) -> sp.Basic:
        return self.statement.shown_by(self.rule)

    def obligations(self, domain: Domain) -> Iterator[Obligation]:
        needed = self.rule.obligations(self.statement, self.statement.meant_on(domain))
        return (replace(o, hints=(*o.hints, *self.hint)) for o in needed) if self.hint else needed

    @property
    def pointwise(self) -> sp.Basic | None:
        return self.statement.pointwise

    def rules_on(self, domain: Domain) -> tuple[str, ...]:
        return self.rule.used(self.statement, self.statement.meant_on(domain))


@dataclass(frozen=True)
class When(Narrowed):
    """A statement on the part of the domain where ``condition`` holds too, such as one case of a distinction."""

    condition: sp.logic.boolalg.Boolean
    statement: Statement

    def within(self, domain: Domain) -> Domain:
        """The part of a domain on which the condition holds."""
        return domain.also(*(self.condition.args if isinstance(self.condition, sp.And) else (self.condition,)))

    @property
    def expression(self) -> sp.Basic:
        return sp.Implies(sp.sympify(self.condition), self.statement.expression, evaluate=False)

    def phrase(self) -> Phrase:
        if isinstance(self.statement.conclusion, Exists):
            formula, *point = self.statement.phrase()
            return (*listed((self.condition, formula)), *point)
        given = [self.condition] if isinstance(self.condition, sp.Implies) else self.condition
        return ("if", given, "then", *self.statement.phrase())


@dataclass(frozen=True)
class On(Narrowed):
    """A statement with a domain of its own, for conjunctions whose parts have different variables."""

    domain: Domain
    statement: Statement

    def __post_init__(self) -> None:
        super().__post_init__()
        if not isinstance(self.domain, Domain):
            raise ClaimError(f"On(…) takes a Domain(…) and a statement, and {self.domain} is no domain")

    def within(self, domain: Domain) -> Domain:
        """Its own domain, whatever that of the claim."""
        return self.domain

    @property
    def expression(self) -> sp.Basic:
        inside = self.domain.constraints
        if not inside:
            return self.statement.expression
        return sp.Implies(sp.And(*inside, evaluate=False), self.statement.expression, evaluate=False)

    @property
    def unsaid(self) -> tuple[str, ...]:
        loose = any(f.positive or f.total is not None for f in self.domain.families)
        own = (FAMILY,) if loose else ()
        return tuple(dict.fromkeys((*own, *self.statement.unsaid)))

    def __hash__(self) -> int:
        return hash((self.domain.key(), self.statement))


def flat(statement: Statement, domain: Domain) -> Iterator[tuple[Statement, Domain]]:
    """The statements of a conjunction, each with the domain on which it is meant; a case of one stays with it."""
    match statement:
        case Every(statements):
            for part in statements:
                yield from flat(part, domain)
        case On():
            yield from flat(statement.statement, statement.domain)
        case When() if not _is_case(statement):
            yield from flat(statement.statement, statement.within(domain))
        case _:
            yield statement, domain


def _is_case(statement: Statement) -> bool:
    """Whether a statement is one, of any number of cases."""
    return _is_case(statement.statement) if isinstance(statement, When) else not isinstance(statement, Every | On)


def conclusions(statement: Statement, domain: Domain) -> Iterator[tuple[Statement, Domain]]:
    """What a sentence says, part by part, without how it is concluded, each part on its domain, cases included."""
    for part, where in flat(statement, domain):
        yield from (
            conclusions(part.statement, part.within(where)) if isinstance(part, When) else [(part.conclusion, where)]
        )
