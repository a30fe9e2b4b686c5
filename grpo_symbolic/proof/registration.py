"""Registration of claims: by the file that states them, in a catalogue of one or more papers.

Registration checks what can be checked without proving anything: the id is new, every symbol is in the notation, and
every free symbol has a domain (which has a point).
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from dataclasses import dataclass, field
from functools import partial
from graphlib import CycleError, TopologicalSorter
from pathlib import Path
from types import ModuleType
from typing import Any, TypeVar

import sympy as sp

from grpo_symbolic.errors import BadInput, ClaimError, DomainError, Slips, StepError
from grpo_symbolic.proof.alike import Printed, looking_alike
from grpo_symbolic.proof.claims import Claim, Print, domains_of
from grpo_symbolic.proof.derivation import Derivation
from grpo_symbolic.proof.rules.citing import cites, known_kinds
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.rules.sides import moves_alone
from grpo_symbolic.proof.rules.walking import letters_of_fields
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Grade, Kind, Outcome, PrintVerdict, Verdict, cap, verdict_of
from grpo_symbolic.proof.statements.obligation import LimitIs, RootCount, Witness
from grpo_symbolic.proof.statements.sentence import label_of
from grpo_symbolic.proof.statements.statement import Exists, On, Statement, conclusions, flat
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.language import Entry, Formula, Node, Total, Variable

_Word = TypeVar("_Word", Kind, Verdict)
_Made = TypeVar("_Made")
_ALL_PROVED = [(Outcome.holds, Grade.certified)]


@dataclass
class Catalogue(Shown):
    """The claims of one or more papers, by id, in the order of registration. ``imported`` are the files that one's own
    files import, by digest; ``broken`` says why some of the files asked for are not among the claims.
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    papers: dict[str, dict[str, Any]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)
    broken: list[str] = field(default_factory=list)
    # each claim is asked once: by paths through its dependencies there would be exponentially many
    _expected: dict[str, Verdict] = field(default_factory=dict, init=False, repr=False, compare=False)

    def __repr__(self) -> str:
        return f"<Catalogue: {len(self.claims)} claims>"

    def add(
        self,
        new: Claim,
        known: Callable[[sp.Symbol | sp.IndexedBase], bool] = lambda symbol: True,
        printed: Printed | None = None,
    ) -> None:
        """Register a claim; ``known(symbol)`` says whether a symbol is in the notation, and ``printed(symbol)`` what is
        seen of it as it is printed there.

        Raises :class:`ClaimError` for a duplicate id, and :class:`Slips` for every symbol without notation or without a
        domain, and two letters of one sentence that are printed alike.
        """
        if new.id in self.claims:
            raise ClaimError(
                f"the claim id {new.id!r} is registered twice: in {self.claims[new.id].source} and in {new.source}"
            )
        try:
            known_kinds([new.whole, new.domain, new.judged, new.by])
        except ClaimError as refusal:
            raise ClaimError(f"the claim {new.id!r}: {refusal} ({new.source})") from refusal
        # a sentence is printed only where it can be read
        if slips := [*_symbol_slips(new, known)] or [*_print_slips(new, known, printed)]:
            raise Slips(slips)
        _check_steps(new)
        _check_varied(new)
        _check_short(new)
        _check_domains(new)
        self.claims[new.id] = new

    def expected(self, id: str) -> Verdict:
        """The verdict that a claim's file expects: the one it states, else what follows if every obligation is proved,
        from the words of the claim and from what it depends on.
        """
        if id not in self._expected:
            claim = self.claims[id]
            own = verdict_of(_ALL_PROVED, claim.lemmas)
            self._expected[id] = claim.expect or cap(own, [self.expected(d) for d in claim.depends_on])
        return self._expected[id]

    def check_dependencies(self) -> None:
        """Raise :class:`Slips` for every dependency on an unknown claim, and :class:`ClaimError` for a circle."""
        slips = []
        for c in self.claims.values():
            for needed in c.depends_on:
                if needed not in self.claims:
                    slips.append(f"the claim {c.id!r} depends on {needed!r}, which is not registered ({c.source})")
            for cited in cites(c.whole):
                if cited.id in self.claims and not self.claims[cited.id].says_as(cited):
                    slips.append(f"the claim {c.id!r} cites a {cited.id!r} that says something else ({c.source})")
        if slips:
            raise Slips(slips)
        try:
            TopologicalSorter({c.id: c.depends_on for c in self.claims.values()}).prepare()
        except CycleError as circle:
            _, each_before_what_needs_it = circle.args
            around = " → ".join(reversed(each_before_what_needs_it))
            raise ClaimError(f"these claims depend on one another in a circle: {around}") from None


class Result:
    """A result file, to which claims belong: ``claim = Result(__file__).claim`` stands at its head."""

    def __init__(self, file: str) -> None:
        self.file = Path(file)
        self.claims: list[Claim] = []

    def claim(
        self,
        id: str,
        statement: Statement,
        on: Domain,
        *,
        locator: str,
        title: str,
        printed: str | None = None,
        says: str = "",
        short: str | Iterable[str] = (),
        kind: str = "identity",
        because: Statement | Iterable[Statement] = (),
        judged: Print | None = None,
        by: Derivation | Rule | Iterable[Derivation | Rule] = (),
        depends_on: Iterable[str] = (),
        lemmas: Iterable[str] = (),
        expect: str | None = None,
        remark: str = "",
    ) -> Claim:
        """Register a claim and return it.

        - ``id``: a new id, of words of letters and digits with hyphens.
        - ``statement``, ``on``: what holds, and the domain on which it does.
        - ``locator``: the place in the paper; of a result of one's own the place that it is about.
        - ``title``: a name of what it is about, a noun phrase.
        - ``printed``: the paper's sentence as LaTeX, in the paper's own characters; none for a result of one's own.
        - ``short``: of a sentence that takes more than six lines, the labels of those of its parts that stand over it.
        - ``says``: of a claim that is argued, what holds in one line of LaTeX, for readers.
        - ``kind``: what sort of sentence it is, a word of :class:`Kind`: for readers.
        - ``because``: the steps that lead to the statement, on the same domain where they bring none of their own:
          checked as it is, and shown under it.
        - ``judged``: how the print fares, where it does not simply hold.
        - ``by``: the derivations whose steps are part of the proof, and the rule that leads to the statement as a
          whole, where that is not the usual one of its kind.
        - ``depends_on``: the claims it rests on, with those that its rules are given.
        - ``lemmas``: the textbook facts, in words, that connect the obligations with the sentence: with them a claim is
          argued, not proved.
        - ``expect``: the verdict that the file expects, as a test does, where it is another than follows from these; it
          never becomes the verdict.
        - ``remark``: what else a reader should know.

        Raises :class:`ClaimError` for what is no statement or no domain, for a step that is no statement, for an id
        that cannot be an address, for a kind or an expected verdict that there is not, for a print that is empty or has
        odd braces, for a judgement that has no form or no print, for two rules, and for a rule that is given a claim of
        which ``depends_on`` does not know.
        Loading the file into a :class:`Catalogue` checks its id, symbols and dependencies.
        """
        if not isinstance(statement, Statement) or not isinstance(on, Domain):
            raise ClaimError(
                f"the claim {id!r} needs a statement such as Always(…) and a Domain(…), which takes conditions and "
                f"families; it was given a {type(statement).__name__} and a {type(on).__name__} ({self.file.name})"
            )
        steps = self._steps(id, because)
        derivations, rule = self._proof(id, by)
        new = Claim(
            id=id,
            paper=self.file.parent.name,
            locator=locator,
            title=title,
            kind=self._word(Kind, kind, f"the kind of the claim {id!r}"),
            statement=statement if rule is None else statement.by(rule),
            domain=on,
            printed=printed,
            judged=judged,
            by=derivations,
            depends_on=tuple(depends_on),
            lemmas=tuple(lemmas),
            expect=None if expect is None else self._word(Verdict, expect, f"what the claim {id!r} expects"),
            remark=remark,
            says=says,
            source=self.file.name,
            because=steps,
            short=(short,) if isinstance(short, str) else tuple(short),
        )
        self.claims.append(new)
        return new

    def _steps(self, id: str, because: Statement | Iterable[Statement]) -> tuple[Statement, ...]:
        """The steps that lead to a claim."""
        steps = (because,) if isinstance(because, Statement) else tuple(because)
        for step in steps:
            if not isinstance(step, Statement):
                raise ClaimError(
                    f"the claim {id!r} holds because of a {type(step).__name__}: a step is a statement such as "
                    f"Always(…, label=…) ({self.file.name})"
                )
        return steps

    def _proof(
        self, id: str, by: Derivation | Rule | Iterable[Derivation | Rule]
    ) -> tuple[tuple[Derivation, ...], Rule | None]:
        """The derivations that are part of a claim's proof, and the rule that leads to its statement, if any."""
        named = (by,) if isinstance(by, Derivation | Rule) else tuple(by)
        derivations = tuple(d for d in named if isinstance(d, Derivation))
        rules = [r for r in named if isinstance(r, Rule)]
        if len(rules) > 1:
            raise ClaimError(
                f"the claim {id!r} has two rules for one statement: give each part its own ({self.file.name})"
            )
        return derivations, rules[0] if rules else None

    def _word(self, words: type[_Word], given: str, what: str) -> _Word:
        try:
            return words(given)
        except ValueError:
            raise ClaimError(f"{what} is {given!r}, which is none of {', '.join(words)} ({self.file.name})") from None


def registered(module: ModuleType) -> list[Claim]:
    """The claims of a result file, from its module."""
    results = {id(r): r for v in vars(module).values() if isinstance(r := getattr(v, "__self__", v), Result)}
    return [c for r in results.values() if str(r.file) == module.__file__ for c in r.claims]


def _refusal(new: Claim, made: Callable[[], _Made]) -> tuple[_Made | None, tuple[str, ...]]:
    """What is made of a claim, or why it cannot be."""
    try:
        return made(), ()
    except BadInput as refusal:
        return None, (f"the claim {new.id!r}: {refusal} ({new.source})",)
    except (TypeError, AttributeError, ValueError, LookupError) as odd:  # a file may put anything anywhere
        reason = f"{type(odd).__name__}: {odd}"
        return None, (f"the claim {new.id!r} is put together wrongly: {reason} ({new.source})",)


def _symbol_slips(new: Claim, known: Callable[[sp.Symbol | sp.IndexedBase], bool]) -> Iterator[str]:
    """Why the claim cannot be read, or which of its symbols nobody declared or constrained."""
    noted: set[sp.Symbol] = set()
    obligations, refused = _refusal(new, new.obligations)
    yield from refused
    for _, obligation in obligations or ():
        _, refused = _refusal(new, partial(getattr, obligation, "read"))
        if refused:
            yield from refused
            continue
        symbols = obligation.symbols
        strange = {s for s in symbols - noted if not known(s)}
        for s in sorted(strange, key=str):
            yield _strange(s, new)
        noted |= symbols
        loose = symbols - strange - obligation.domain.symbols - set(obligation.domain.bases)
        if loose and not isinstance(obligation, Witness):
            entries = (e for node in obligation.nodes for e in node.parts if isinstance(e, Entry))
            indices = {e.index.name for e in entries if isinstance(e.index, Variable)}
            loose -= {getattr(obligation, "variable", None)}
            for s in sorted((s for s in loose if s.name not in indices), key=str):
                yield f"the symbol {s} of the claim {new.id!r} has no domain: constrain it, or drop it ({new.source})"


def _strange(letter: sp.Symbol | sp.IndexedBase, new: Claim) -> str:
    declared = "family" if isinstance(letter, sp.IndexedBase) else "scalar"
    return (
        f"the symbol {letter} of the claim {new.id!r} is not in the notation: import it from grpo_symbolic.notation, "
        f"or declare it with {declared}(name, latex, domain, meaning) of that module ({new.source})"
    )


def _print_slips(
    new: Claim, known: Callable[[sp.Symbol | sp.IndexedBase], bool], printed: Printed | None
) -> Iterator[str]:
    """Which letters of a domain, of which the sentence need not speak, are not in the notation, and which letters of
    one sentence look alike.
    """
    for _, statement, domain in new.sentences:
        for where in {id(where): where for _, where in flat(statement, domain)}.values():
            yield from (_strange(letter, new) for letter in where.letters if not known(letter))
        yield from (
            f"the claim {new.id!r}: {slip} ({new.source})" for slip in looking_alike(statement, domain, printed)
        )


def _check_steps(new: Claim) -> None:
    """Each step of a derivation has the obligations that a step of its name has."""
    for derivation in new.by:
        try:
            derivation.check()
        except StepError as gap:
            raise ClaimError(f"{gap} ({new.source})") from gap


def _check_varied(new: Claim) -> None:
    """What a sentence varies is tied to no other letter by the domain that is printed behind it."""
    for statement, domain in conclusions(new.whole, new.domain):
        for letter in domain.symbols & {*letters_of_fields(statement)}:
            try:
                moves_alone(letter, domain)
            except ClaimError as tied:
                raise ClaimError(f"the claim {new.id!r}: {tied} ({new.source})") from tied


def _check_short(new: Claim) -> None:
    """What stands over a claim is its sentence, or parts of it, or words where words are part of its proof."""
    if new.says and not new.lemmas:
        raise ClaimError(
            f"the claim {new.id!r} has says=…, and no lemmas=… in words: its line is printed from its sentence, of "
            f"which short=… may name parts ({new.source})"
        )
    if not new.short:
        return
    if new.says:
        raise ClaimError(f"the claim {new.id!r} has short=… and says=…, and one line stands over it ({new.source})")
    called = {label_of(part) for part, _ in flat(new.statement, new.domain)}
    if strange := [label for label in new.short if label not in called]:
        raise ClaimError(f"no part of the claim {new.id!r} is called {strange[0]!r}, as short=… says ({new.source})")
    if not new.beside:
        raise ClaimError(f"all parts of the claim {new.id!r} are named by short=…: leave it out ({new.source})")


def _check_domains(new: Claim) -> None:
    """A statement that brings a domain of its own does not narrow the claim's; a print is not judged where the claim
    says nothing.
    """
    if isinstance(new.whole, On):
        # these need python-flint, and to evaluate a claim does not
        from grpo_symbolic.proof.check.decision import proves
        from grpo_symbolic.proof.search.recipes import with_z3

        with with_z3():
            narrowing = [c for c in _shared(new.whole.domain, new.domain) if not proves(c, new.domain)]
        if narrowing:
            given = new.domain.write(narrowing[0])
            raise ClaimError(
                f"the claim {new.id!r} is stated where {given} only: put that in its domain ({new.source})"
            )
    if new.judged is None or new.judged.statement is None:
        return
    read = conclusions(new.judged.statement, new.judged.domain or new.domain)
    if any(isinstance(conclusion, Exists) for conclusion, _ in read):
        raise ClaimError(
            f"the print of the claim {new.id!r} is read as an example: one that fails says nothing of others, so give "
            f"Always(…) of what is to fail everywhere ({new.source})"
        )
    obligations = [o for about, o in new.obligations() if about == "printed"]
    # What tends to a point, or of which there are roots (the second part), is a letter only where a formula has it.
    parts = [(o.read[:1] + o.read[2:]) if isinstance(o, LimitIs | RootCount) else o.read for o in obligations]
    printed = [node for read in parts for node in read if isinstance(node, Node)]
    if not any(node.variables or node.families or node.has(Total) for node in printed):
        raise ClaimError(
            f"the print of the claim {new.id!r} is judged by a comparison of numbers, and none of its letters "
            f"({new.source})"
        )
    if new.judged.verdict is PrintVerdict.needs_hypothesis:
        return
    for domain in [new.judged.domain or new.domain, *domains_of(new.judged.statement)]:
        shared = [new.domain.write(f) for f in _shared(domain, new.domain)]
        try:
            _ = shared and new.domain.also(*shared)
        except DomainError as nowhere:
            raise ClaimError(
                f"the print of the claim {new.id!r} is judged where the claim says nothing: {nowhere} ({new.source})"
            ) from nowhere


def _shared(domain: Domain, other: Domain) -> list[Formula]:
    """The constraints of a domain whose letters the other one has too, without those that it has itself."""
    return [
        f
        for f in domain.formulas
        if f.variables <= other.variables and f.families <= set(other.family_terms) and f not in other.formulas
    ]
