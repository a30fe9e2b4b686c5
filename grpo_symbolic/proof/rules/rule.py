"""What a rule is: from a conclusion back to the premises from which a theorem, proved in Coq, concludes it.

A rule does not believe anything. It generates every premise from the conclusion, the domain and its own explicit
parameters; each is a sentence again, and goes to the checkers, or is what a cited claim says.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field, replace
from itertools import chain
from typing import ClassVar, ForwardRef, Generic, TypeVar, get_args, get_origin

import sympy as sp

from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.proof.rules.citing import Cited, covered, same_places, says
from grpo_symbolic.proof.rules.defined import undefined, within
from grpo_symbolic.proof.rules.sides import Premise, all_of
from grpo_symbolic.proof.rules.walking import bare, leaves, loose_entries, made_of
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.statement import Always, Statement

Concluded = TypeVar("Concluded", bound=Statement)  # what a rule concludes


@dataclass(frozen=True, eq=False)
class Rule(Generic[Concluded]):
    """Base of all rules: ``Rule["Kind | OtherKind"]`` leads to conclusions of these kinds, ``Rule["Statement"]`` to
    any.

    ``given`` are the claims of which each must be cited by some premise.
    """

    given: tuple[Cited, ...] = field(default=(), kw_only=True)
    concludes: ClassVar[tuple[str, ...]] = ()  # the kinds of conclusion that the rule leads to; none: any kind
    theorems: ClassVar[tuple[str, ...]]  # of coq/theories: file and name
    by_kind: ClassVar[Mapping[str, str]] = {}  # the theorem for each kind of conclusion, where each has its own
    asks_itself: ClassVar[bool] = False  # whether a premise is the conclusion, where what is shown may be supposed

    def __init_subclass__(cls) -> None:
        """The kinds of conclusion are those that the base is given, and the theorems are those of the kinds."""
        super().__init_subclass__()
        for base in vars(cls).get("__orig_bases__", ()):
            origin, (kinds, *_) = get_origin(base), (*get_args(base), None)
            if isinstance(origin, type) and issubclass(origin, Rule) and isinstance(kinds, ForwardRef):
                named = tuple(kinds.__forward_arg__.split(" | "))
                cls.concludes = () if named == (Statement.__name__,) else named
        if cls.by_kind:
            cls.theorems = tuple(cls.by_kind.values())

    def __post_init__(self) -> None:
        cited = (self.given,) if not isinstance(self.given, Iterable) else self.given
        for claim in cited:
            if not isinstance(claim, Cited) and not hasattr(claim, "domain"):
                raise ClaimError(f"given= takes claims, or what at(claim, values) makes of them, and not {claim!r}")
        object.__setattr__(self, "given", tuple(c if isinstance(c, Cited) else Cited(c, {}) for c in cited))

    def theorem(self, conclusion: Concluded) -> str:
        """The theorem of ``coq/theories`` that is this rule, for this conclusion: file and name."""
        return self.by_kind[type(conclusion).__name__] if self.by_kind else self.theorems[0]

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
        opened = self._once_opened(conclusion, domain)
        for premise, source in opened:
            entries = loose_entries(bare(premise.statement.conclusion), premise.domain)
            same_places(conclusion, domain, premise.domain, entries)
            if source is not None:
                same_places(conclusion, domain, premise.domain, source[0].loose(premise.domain))
        for premise, source in opened:
            if source is None:
                asked = premise.statement.obligations(premise.domain)
            else:
                cited, sentence = source
                asked = covered(premise.domain, sentence.domain, cited)
            yield from (replace(o, sufficient=True) for o in asked)
        if self.asks_itself:
            return
        premises = [premise for premise, _ in opened]
        missing = undefined(conclusion, domain, premises, self.numbers(conclusion))
        for value in chain(missing, within(conclusion, domain, premises, self._terms())):
            yield from value.statement.obligations(value.domain)

    def _terms(self) -> list[sp.Basic]:
        """The terms and formulas that the rule is given as parameters, beside claims, statements, and other rules: the
        last first, the order of the obligations that are kept.
        """
        given = leaves(made_of(self), (), (Rule, Statement, Cited, Instance))
        return [term for term in given if isinstance(term, sp.Basic)][::-1]

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


def hold(formulas: Iterable[sp.Basic], domain: Domain, label: str, using: Using = ()) -> Iterator[Premise]:
    """That formulas hold, but for those that are true as they are written."""
    unsettled = [f for f in formulas if f != sp.true]
    if unsettled:
        yield Premise(always(all_of(unsettled), using, label), domain)


def by_rule(statement: Statement, rule: Rule | None) -> Statement:
    """A premise by a rule, or, where none is named, as its kind is usually proved."""
    return statement if rule is None else statement.by(rule)
