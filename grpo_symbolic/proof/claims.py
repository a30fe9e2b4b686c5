"""Claims and their registration.

A claim is a statement with a domain, an id, its place in a paper, how the paper prints it, and how the print fares. A
result of one's own has a place too, that of what it is about, and no print.
Registration checks what can be checked without proving anything: the id is new, every symbol is in the notation, and
every free symbol has a domain (which has a point).
"""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from dataclasses import dataclass, field
from functools import cached_property, partial
from itertools import chain
from pathlib import Path
from types import ModuleType
from typing import Any, NamedTuple, TypeVar

import sympy as sp

from grpo_symbolic.errors import BadInput, ClaimError, DomainError, Slips, StepError
from grpo_symbolic.proof.derivation import Derivation
from grpo_symbolic.proof.rules.citing import cites, known_kinds
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.rules.walking import mentioned
from grpo_symbolic.proof.statements.arithmetic import Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, ExactPoint, Point, exact_point
from grpo_symbolic.proof.statements.evaluate import values_of
from grpo_symbolic.proof.statements.evidence import Grade, Kind, Origin, Outcome, PrintVerdict, Verdict, cap, verdict_of
from grpo_symbolic.proof.statements.obligation import Holds, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.proof.statements.points import satisfied
from grpo_symbolic.proof.statements.sentence import Letter, formulas, label_of, letters, members, plain, sentence_text
from grpo_symbolic.proof.statements.statement import Every, Exists, On, Statement, When, conclusions, flat
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.language import Entry, Formula, Node, Total, Variable
from grpo_symbolic.typeset.letters import Seen, seen
from grpo_symbolic.typeset.plain import plain as typeset


@dataclass(frozen=True)
class Print:
    """How a paper's own sentence fares, when it does not simply hold.

    ``verdict`` is the referee's judgement; it is granted only when the evidence supports it (:func:`judge`): the
    printed ``statement`` on its ``domain`` must be refuted for ``wrong``, ``misprint``, ``needs-hypothesis`` and
    ``imprecise``. A ``redundant-hypothesis`` has the printed domain as ``domain``, which must be strictly smaller
    than the one on which the claim is proved; ``wider`` is a point of the difference. A misprint that no formula can
    express (a wrong letter, a missing parenthesis) has no statement, and ``remark`` says what it is.
    """

    verdict: PrintVerdict
    remark: str
    statement: Statement | None = None
    domain: Domain | None = None
    wider: ExactPoint = ()

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for a judgement without what it is judged by, or with more than that."""
        redundant = self.verdict is PrintVerdict.redundant_hypothesis
        needed = self.domain is not None if redundant else self.statement is not None
        unread = self.verdict is PrintVerdict.misprint and self.domain is None
        foreign = self.statement is not None if redundant else bool(self.wider)
        if self.verdict not in _JUDGED or foreign or not (needed or unread):
            raise ClaimError(f"a print is not judged to be {self.verdict} by what is given")


LONGEST_LOCATOR = 60  # characters: a place in a paper, one column of a table
# How a print may fare by what refutes a reading of it, or by where else the claim is proved
_JUDGED = (
    PrintVerdict.wrong,
    PrintVerdict.misprint,
    PrintVerdict.imprecise,
    PrintVerdict.needs_hypothesis,
    PrintVerdict.redundant_hypothesis,
)


def wrong(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """The printed sentence is false."""
    return Print(PrintVerdict.wrong, remark, statement, domain)


def imprecise(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """One precise reading of the sentence is true (the claim), another (``statement``) is not."""
    return Print(PrintVerdict.imprecise, remark, statement, domain)


def needs_hypothesis(remark: str, statement: Statement, domain: Domain | None = None) -> Print:
    """The sentence fails as printed, and is true once a tacit assumption is written down."""
    return Print(PrintVerdict.needs_hypothesis, remark, statement, domain)


def misprint(remark: str, statement: Statement | None = None, domain: Domain | None = None) -> Print:
    """A slip of notation; ``statement`` is what the characters say, where they say anything."""
    return Print(PrintVerdict.misprint, remark, statement, domain)


def redundant_hypothesis(remark: str, printed_domain: Domain, wider: Point) -> Print:
    """The claim holds on more than the paper asks; ``wider`` is a point of its domain outside the printed one."""
    return Print(PrintVerdict.redundant_hypothesis, remark, domain=printed_domain, wider=exact_point(wider))


@dataclass(frozen=True)
class Claim(Shown):
    """One checkable sentence, of a ``paper`` or one's own: ``statement`` on ``domain``, shown ``because`` of other
    statements there.

    ``id``: for good; ``locator``: its place; ``title``, ``kind``: what it is called and is; ``printed``: the print in
    LaTeX, ``None`` for an own result; ``judged``: how the print differs; ``by``: derivations; ``depends_on``: ids of
    the claims that it rests on; ``lemmas``: steps in words; ``expect``: the verdict that its file expects; ``remark``,
    ``short`` and ``says``: for readers; ``source``: its file. See :meth:`Result.claim`.
    """

    id: str
    paper: str
    locator: str
    title: str
    kind: Kind
    statement: Statement
    domain: Domain
    printed: str | None
    judged: Print | None = None
    by: tuple[Derivation, ...] = ()
    depends_on: tuple[str, ...] = ()
    lemmas: tuple[str, ...] = ()
    expect: Verdict | None = None
    remark: str = ""
    says: str = ""
    source: str = ""
    because: tuple[Statement, ...] = ()
    short: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Claim {self.id}: {self.title}>"

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for what no claim is: see :meth:`Result.claim`."""
        if not re.fullmatch(r"[A-Za-z0-9]+([-_][A-Za-z0-9]+)*", self.id):
            raise ClaimError(
                f"the id {self.id!r} is no word of letters, digits and hyphens, such as my-eq3: it is an address as "
                f"well ({self.source})"
            )
        words = (self.locator, self.title, self.printed or "", self.says, self.remark, *self.lemmas)
        if unseen := next((c for text in words for c in text if not c.isprintable()), ""):
            raise ClaimError(f"the words of the claim {self.id!r} have {unseen!r}, a sign nobody sees ({self.source})")
        if len(self.locator) > LONGEST_LOCATOR or "  " in self.locator + self.title:
            raise ClaimError(
                f"the locator of the claim {self.id!r} is a place in a paper, of at most {LONGEST_LOCATOR} characters, "
                f"and neither it nor the title has gaps, which look like the columns of a table ({self.source})"
            )
        for name, text in (("printed", self.printed), ("says", self.says)):
            if text is not None and not _braces_match(text):
                raise ClaimError(f"the braces of {name}=… of the claim {self.id!r} do not match ({self.source})")
        if self.printed is not None and not self.printed.strip():
            raise ClaimError(
                f"the print of the claim {self.id!r} is empty: a result of one's own leaves it out ({self.source})"
            )
        if self.printed is None and self.judged is not None:
            raise ClaimError(f"the claim {self.id!r} judges a print and has none: printed=… is missing ({self.source})")
        if self.judged is not None and not (
            isinstance(self.judged, Print)
            and isinstance(self.judged.statement, Statement | None)
            and isinstance(self.judged.domain, Domain | None)
        ):
            raise ClaimError(
                f"the print of the claim {self.id!r} is judged by judged=wrong(remark, statement), or another "
                f"judgement: what is printed as a statement such as Always(…) or Equal(…), then its Domain(…) if it "
                f"differs ({self.source})"
            )
        for cited in cites([self.whole, self.judged]):
            if cited.id not in self.depends_on:
                raise ClaimError(
                    f"the claim {self.id!r} cites {cited.id!r}, which depends_on does not name ({self.source})"
                )

    @property
    def origin(self) -> Origin:
        return Origin.own if self.printed is None else Origin.print

    @cached_property
    def whole(self) -> Statement:
        """What is checked: why, and then the sentence."""
        return Every(*self.because, self.statement) if self.because else self.statement

    @cached_property
    def leading(self) -> Statement:
        """What stands over it: the parts of its sentence that ``short`` names, or all of it."""
        if not self.short:
            return self.statement
        return Every(*(On(at, p) for p, at in flat(self.statement, self.domain) if label_of(p) in self.short))

    @property
    def beside(self) -> int:
        """How many parts the sentence has beside what stands over it."""
        return sum(label_of(p) not in self.short for p, _ in flat(self.statement, self.domain)) if self.short else 0

    @property
    def holds(self) -> sp.Basic:
        """The statement that holds at every point of the domain, as a SymPy object.

        Raises :class:`BadInput` where no such object says all that the sentence does.
        """
        if self.statement.unsaid:
            lacking = "; ".join(self.statement.unsaid)
            raise BadInput(f"SymPy has no object that says all of {self.id!r} (it lacks {lacking}): read its sentence")
        return self.statement.expression

    @property
    def sentence(self) -> str:
        """The sentence in plain text, with its quantifiers, printed from the statement."""
        return sentence_text(self.statement, self.domain)

    @property
    def rules(self) -> tuple[str, ...]:
        """The rules that lead from the obligations to the sentence: theorems of ``coq/theories``, file and name."""
        return self.whole.rules_on(self.domain)

    def says_as(self, other: Claim) -> bool:
        """Whether both say the same, all that leads there included: the file of one may have been read twice."""
        return self is other or (self._said, *self._obligation_keys) == (other._said, *other._obligation_keys)

    @property
    def _said(self) -> list[tuple[Statement, str]]:
        """What is cited of it: each conclusion, those of its steps too, and where it holds."""
        return [(part, where.key()) for part, where in conclusions(self.whole, self.domain)]

    @property
    def _obligation_keys(self) -> Iterator[str]:
        return (about + o.key() for about, o in self.obligations())

    @property
    def judgement(self) -> PrintVerdict | None:
        """How the print fares by the file that registers the claim: a judgement, which evidence must bear out."""
        if self.origin is Origin.own:
            return None
        return PrintVerdict.holds if self.judged is None else self.judged.verdict

    @property
    def is_definition(self) -> bool:
        return self.expect is Verdict.definition

    def obligations(self) -> list[tuple[str, Obligation]]:
        """What must be shown, each marked as about the statement that holds or about the print that differs."""
        return self._obligations

    @cached_property
    def _obligations(self) -> list[tuple[str, Obligation]]:
        steps = [("holds", o) for derivation in self.by for o in derivation.obligations]
        return [*steps, *((about, o) for about, s, domain in self.sentences for o in s.obligations(domain))]

    @property
    def sentences(self) -> list[tuple[str, Statement, Domain]]:
        """The whole statement with its domain, and how the print is read where it differs, each marked likewise."""
        sentences = [("holds", self.whole, self.domain)]
        if self.judged is not None and self.judged.statement is not None:
            sentences.append(("printed", self.judged.statement, self.judged.domain or self.domain))
        return sentences

    @property
    def place(self) -> str:
        """Its file, as ``paper/name.py``."""
        return f"{self.paper}/{self.source}"

    @cached_property
    def _ranges(self) -> tuple[Domain, ...]:
        """Where the parts of the sentence say something: the domain of each, with its case."""
        every = [self.domain, *(where for _, where in conclusions(self.statement, self.domain))]
        return tuple({where.key(): where for where in every}.values())

    def _supposes(self, printed: Domain, point: Point) -> bool:
        """Whether a part of the sentence supposes what fails at a point and holds in a domain, as far as its example
        tells: of the point it says nothing then. Of other cases than what is supposed of a whole nobody says.
        """
        for part, where in conclusions(self.statement, self.domain):
            reading = where.reading()
            for formula in sp.And.make_args(part.pointwise if part.pointwise is not None else sp.true):
                given, then = formula.args if isinstance(formula, sp.Implies) else (sp.true, formula)
                if any(c.has(sp.Or, sp.Not, sp.Implies, sp.Equivalent) for c in (given, then)):
                    return True
                for supposed in map(reading.formula, sp.And.make_args(given) if given != sp.true else ()):
                    if satisfied([supposed], printed.example) and not satisfied([supposed], values_of(point, reading)):
                        return True
        return False

    @cached_property
    def widening(self) -> tuple[Obligation, ...]:
        """What shows that the domain of a print with a redundant hypothesis lies in that of the claim, and of each part
        that has its own; a case of the sentence is one of the print.
        """
        if self.judged is None or self.judged.domain is None or not self.judged.wider:
            return ()
        printed = self.judged.domain
        new = {
            f: c
            for where in (self.domain, *_domains(self.statement))
            for c, f in zip(where.constraints, where.formulas, strict=True)
            if f not in printed.formulas
        }
        return tuple(Holds(printed, c, label="the print's domain lies in the claim's") for c in new.values())

    @cached_property
    def is_wider(self) -> bool:
        """Whether the given point of a print with a redundant hypothesis lies where each part of the claim says
        something, and not in the printed domain, which has no other families; and what holds for all values that the
        claim admits holds for those of the print.
        """
        if self.judged is None or self.judged.domain is None or not self.judged.wider:
            return False
        if not all(part.carries_over for part, _ in conclusions(self.statement, self.domain)):
            return False
        point, printed = dict(self.judged.wider), self.judged.domain
        families = [f for where in self._ranges for f in where.families]
        if not all(any(f.covers(g) for g in printed.families) for f in families):
            return False
        try:
            admitted = all(f.admits(point) for f in families)
            inside = admitted and all(where.contains(point) for where in self._ranges)
            return inside and printed.excludes(point) and not self._supposes(printed, point)
        except (Undefined, Unsupported):
            return False

    def implied(self) -> Iterator[tuple[str, Obligation]]:
        """What follows from the sentence and from the print that differs, marked alike: refuted, it refutes them."""
        for about, statement, domain in self.sentences:
            for conclusion, where in conclusions(statement, domain):
                yield from ((about, o) for o in conclusion.implied(where))


_Word = TypeVar("_Word", Kind, Verdict)
_Made = TypeVar("_Made")
_Printed = Callable[[Any], Seen]  # of a letter, a family or a constant
_ALL_PROVED = [(Outcome.holds, Grade.certified)]


@dataclass
class Catalogue(Shown):
    """The claims of one or more papers, by id, in the order of registration. ``imported`` are the files that one's own
    files import, by digest; ``broken`` says why some of the files asked for are not among the claims.
    """

    claims: dict[str, Claim] = field(default_factory=dict)
    papers: dict[str, dict[str, Any]] = field(default_factory=dict)
    imported: dict[str, str] = field(default_factory=dict)  # the files that running one's own files imported: digests
    broken: list[str] = field(default_factory=list)  # why some of the files asked for are not among the claims

    def __repr__(self) -> str:
        return f"<Catalogue: {len(self.claims)} claims>"

    def add(
        self,
        new: Claim,
        known: Callable[[sp.Symbol | sp.IndexedBase], bool] = lambda symbol: True,
        printed: _Printed | None = None,
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
        _check_short(new)
        _check_domains(new)
        self.claims[new.id] = new

    def expected(self, id: str) -> Verdict:
        """The verdict that a claim's file expects: the one it states, else what follows if every obligation is proved,
        from the words of the claim and from what it depends on.
        """
        claim = self.claims[id]
        if claim.expect is not None:
            return claim.expect
        return cap(verdict_of(_ALL_PROVED, claim.lemmas), [self.expected(d) for d in claim.depends_on])

    def check_dependencies(self, known: Iterable[str] = ()) -> None:
        """Raise :class:`Slips` for every dependency on an unknown claim, and :class:`ClaimError` for a circle."""
        everything = {**dict.fromkeys(known), **self.claims}
        slips = []
        for c in self.claims.values():
            for needed in c.depends_on:
                if needed not in everything:
                    slips.append(f"the claim {c.id!r} depends on {needed!r}, which is not registered ({c.source})")
            for cited in cites(c.whole):
                if cited.id in self.claims and not self.claims[cited.id].says_as(cited):
                    slips.append(f"the claim {c.id!r} cites a {cited.id!r} that says something else ({c.source})")
        if slips:
            raise Slips(slips)
        visiting: list[str] = []
        done: set[str] = set()

        def visit(name: str) -> None:
            if name in visiting:
                raise ClaimError(
                    "these claims depend on one another in a circle: "
                    + " → ".join([*visiting[visiting.index(name) :], name])
                )
            if name in done or name not in self.claims:
                return
            visiting.append(name)
            for needed in self.claims[name].depends_on:
                visit(needed)
            visiting.pop()
            done.add(name)

        for name in self.claims:
            visit(name)


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
        steps = (because,) if isinstance(because, Statement) else tuple(because)
        for step in steps:
            if not isinstance(step, Statement):
                raise ClaimError(
                    f"the claim {id!r} holds because of a {type(step).__name__}: a step is a statement such as "
                    f"Always(…, label=…) ({self.file.name})"
                )
        named = (by,) if isinstance(by, Derivation | Rule) else tuple(by)
        derivations = tuple(d for d in named if isinstance(d, Derivation))
        rules = [r for r in named if isinstance(r, Rule)]
        if len(rules) > 1:
            raise ClaimError(
                f"the claim {id!r} has two rules for one statement: give each part its own ({self.file.name})"
            )
        if rules:
            statement = statement.by(rules[0])
        new = Claim(
            id,
            self.file.parent.name,
            locator,
            title,
            self._word(Kind, kind, f"the kind of the claim {id!r}"),
            statement,
            on,
            printed,
            judged,
            derivations,
            tuple(depends_on),
            tuple(lemmas),
            None if expect is None else self._word(Verdict, expect, f"what the claim {id!r} expects"),
            remark,
            says,
            self.file.name,
            steps,
            (short,) if isinstance(short, str) else tuple(short),
        )
        self.claims.append(new)
        return new

    def _word(self, words: type[_Word], given: str, what: str) -> _Word:
        try:
            return words(given)
        except ValueError:
            raise ClaimError(f"{what} is {given!r}, which is none of {', '.join(words)} ({self.file.name})") from None


def _braces_match(text: str) -> bool:
    """Whether every brace of a LaTeX text is closed, and none that was not opened."""
    depth = 0
    for brace in re.findall(r"\\.|([{}])", text, re.S):
        depth += {"{": 1, "}": -1}.get(brace, 0)
        if depth < 0:
            return False
    return depth == 0


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
    new: Claim,
    known: Callable[[sp.Symbol | sp.IndexedBase], bool],
    printed: _Printed | None,
) -> Iterator[str]:
    """Which letters of one sentence look alike, in plain text or as they are ``printed`` elsewhere, and which of a
    domain, which the sentence need not mention, are not in the notation.
    """
    for _, statement, domain in new.sentences:
        for where in {id(where): where for _, where in flat(statement, domain)}.values():
            for letter in where.letters:
                if not known(letter):
                    yield _strange(letter, new)
        problems, parts = [*_in_words(statement, domain, printed)], []
        for together in formulas(statement, domain):
            try:
                parts.append(_Part(together, letters(together).values()))
                if printed is not None:
                    letters(together, printed)
            except ClaimError as refusal:
                yield f"the claim {new.id!r}: {refusal} ({new.source})"
        if printed is not None:
            problems += _as_member(statement, domain, printed)
            problems += _in_another(parts, {s for _, where in flat(statement, domain) for s in where.symbols}, printed)
            problems += chain.from_iterable(slips(part, printed) for part in parts for slips in (_as_entry, _as_sign))
        yield from (f"the claim {new.id!r}: {slip} ({new.source})" for slip in problems)


class _Part(NamedTuple):
    """What a part of a sentence prints beside words: its formulas, and their letters."""

    formulas: Sequence[Any]
    letters: Collection[Letter]


def _in_another(parts: Iterable[_Part], ranges: Set[sp.Symbol], printed: _Printed) -> Iterator[str]:
    """Which letters are printed as a quotient or a size of others of the same part: β/γ beside β and γ. A letter
    that numbers any answer, and is none of those with a range, is none of these where no sum gives it one.
    """
    for part in parts:
        expressions = [e for e in part.formulas if isinstance(e, sp.Basic)]
        answers = {s for e in expressions for entry in e.atoms(sp.Indexed) for s in entry.indices} - ranges
        sums = [total for e in expressions for total in e.atoms(sp.Sum, sp.Product)]
        shown = {s: printed(s).sign for s in part.letters}
        for letter, look in shown.items():
            if not re.search("[/|]", look):
                continue
            summed = {s for total in sums if total.function.has(letter) for s in total.variables}
            signs = {look for s, look in shown.items() if s not in answers or s in summed}
            if {*re.findall(r"[^\W\d_][\u0300-\u036f]*", look)} <= signs:
                yield f"{letter} is printed {look}, as if it were made of other letters of the sentence: rename it"


def _as_entry(part: _Part, printed: _Printed) -> Iterator[str]:
    """Which letters are printed as entries of families in the same part: π(1) beside π."""
    families = {printed(base): base for base in part.letters if isinstance(base, sp.IndexedBase)}
    for letter in part.letters:
        if printed(letter).of and (base := families.get(printed(letter).family)):
            yield f"{letter} is printed as an entry of the family {base}: rename one of them"


_WITHOUT_SIGN = (sp.Atom, sp.Add, sp.Mul, sp.Pow, sp.Indexed, sp.IndexedBase)  # what begins with a letter, or a number


def _as_sign(part: _Part, printed: _Printed) -> Iterator[str]:
    """Which letters are printed as what another formula of the same part begins with: E beside E[…], δ beside
    Kronecker's δ with its indices, e beside a power of Euler's e.
    """
    within = chain.from_iterable(sp.preorder_traversal(e) for e in part.formulas if isinstance(e, sp.Basic))
    heads = {type(e): e for e in within if isinstance(e, sp.Expr) and not isinstance(e, _WITHOUT_SIGN)}
    signs = {_sign(head): head for head in heads.values()}
    for letter in part.letters:
        if (head := signs.get(printed(letter).sign)) is not None:
            yield f"{letter} is printed as the sign of {plain(head)}: rename it"


_SIGNS: dict[type, str] = {}  # formulas of one kind begin with one sign


def _sign(head: sp.Expr) -> str:
    """The sign with which a formula begins, without the range of a sum or a product; ∏ is seen as the letter Π."""
    if type(head) not in _SIGNS:
        begun = re.split(r"_|\\left", sp.latex(head), maxsplit=1)[0]
        _SIGNS[type(head)] = seen(begun).sign.replace("∏", "Π")
    return _SIGNS[type(head)]


def _as_member(statement: Statement, domain: Domain, printed: _Printed) -> Iterator[str]:
    """Which letters are printed as members of sequences in the same sentence."""
    for member in sorted(members(statement, domain), key=str):
        shown = printed(member.letter).member(member.number)
        for letter in domain.letters:
            if printed(letter) == shown:
                yield f"{letter} is printed as a member of the sequence {member.letter}: rename one of them"


def _in_words(statement: Statement, domain: Domain, printed: _Printed | None) -> Iterator[str]:
    """Which letters of a sentence are printed as those that its words use for something of their own: the number n of
    a member, the time t, the parameter θ.
    """
    for part, where in conclusions(statement, domain):
        for taken in getattr(part, "printed_letters", ()):
            for letter in sorted({*where.letters, *mentioned(part)}, key=str):
                name = plain(getattr(letter, "label", letter))
                if name == typeset(taken) or (printed is not None and printed(letter) == seen(taken)):
                    yield (
                        f"{type(part).__name__}: its words speak of {typeset(taken)}, and {letter} is printed so: take "
                        "another letter"
                    )


def _check_steps(new: Claim) -> None:
    """Each step of a derivation has the obligations that a step of its name has."""
    for derivation in new.by:
        try:
            derivation.check()
        except StepError as gap:
            raise ClaimError(f"{gap} ({new.source})") from gap


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
    for domain in [new.judged.domain or new.domain, *_domains(new.judged.statement)]:
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


def _domains(statement: Statement) -> list[Domain]:
    """The domains that the parts of a statement bring."""
    match statement:
        case On(domain, inner):
            return [domain, *_domains(inner)]
        case When(_, inner):
            return _domains(inner)
        case Every(statements):
            return [d for s in statements for d in _domains(s)]
    return []


def judge(
    judgement: PrintVerdict | None,
    holds: Verdict,
    *,
    has_reading: bool,
    printed_refuted: bool,
    wider_confirmed: bool,
    accounted: bool,
) -> PrintVerdict | None:
    """How the print fares, as far as the evidence goes: a ``judgement`` of a file that the evidence does not support is
    ``unknown``, and there is none where nothing is printed. ``has_reading`` is whether the print is read as a statement
    of its own; ``accounted`` whether the claim has all that the print has; else that the one is the other
    is a person's reading.
    """
    if judgement is None:
        return None
    if holds not in (Verdict.proved, Verdict.argued, Verdict.definition):
        return PrintVerdict.unknown
    match judgement:
        case PrintVerdict.holds if not has_reading:
            return PrintVerdict.holds if accounted else PrintVerdict.as_read
        case PrintVerdict.redundant_hypothesis:
            borne_out = wider_confirmed
        case PrintVerdict.misprint if not has_reading:
            borne_out = True
        case _:
            borne_out = has_reading and printed_refuted
    return judgement if borne_out else PrintVerdict.unknown
