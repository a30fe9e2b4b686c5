"""The ledger: what a run found, claim by claim, typed; read from JSON and written as JSON.

Schema 3: docs/reference/ledger.md.

Whoever wants a verdict asks here. Nothing in this file imports an engine: reading a ledger is cheap.
"""

from __future__ import annotations

import json
import platform
import re
from collections import Counter
from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import dataclass, field, fields, replace
from enum import StrEnum
from functools import cached_property
from importlib.metadata import PackageNotFoundError, version
from pathlib import Path
from typing import Any, Self

from grpo_symbolic._version import __version__
from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.numerals import missing
from grpo_symbolic.proof.statements.evidence import (
    Evidence,
    Grade,
    Kind,
    Origin,
    Outcome,
    PrintVerdict,
    Verdict,
    settle,
    verdict_of,
)

SCHEMA = 3
_PACKAGES = ("sympy", "mpmath", "gmpy2", "z3-solver", "cvc5", "python-flint")
ENGINES = ("z3", "cvc5", "sympy")  # that may have to be believed
UPHELD = (PrintVerdict.holds, PrintVerdict.as_read, None)  # of prints to which nothing is held against
_SETTLED = (Verdict.proved, Verdict.argued, Verdict.definition)
# What evidence has to amount to for a verdict
_BORNE_OUT_BY = {Verdict.proved: (Verdict.proved,)} | dict.fromkeys(
    (Verdict.argued, Verdict.definition), (Verdict.proved, Verdict.argued)
)
_NUMBERS = (Kind.identity, Kind.closed_form, Kind.convention, Kind.definition, Kind.numeric, Kind.unbiasedness)


class Consequence(StrEnum):
    """Who is misled by a print that does not simply hold, and into what; the gravest first.

    It follows from the judgement and from the kind of claim (:meth:`of`): what gives a number misleads those who
    compute, all else those who rely on it.
    """

    false_conclusion = "who relies on it concludes what is false"
    other_number = "who computes by it gets another number"
    conclusion_beyond = "who relies on it without the hypothesis concludes what is false"
    number_beyond = "who computes by it without the hypothesis gets another number"
    conclusion_misread = "who reads it the other way concludes what is false"
    number_misread = "who reads it the other way gets another number"
    letters = "who takes it by its letters gets something else"
    narrow = "nobody is misled: it holds for more than it says"

    @classmethod
    def of(cls, judged: PrintVerdict | None, kind: str) -> Consequence | None:
        """That of a judgement on the print of a claim of this ``kind``; none where the print holds, is not judged, or
        is not there.
        """
        number = kind in _NUMBERS
        match judged:
            case PrintVerdict.wrong:
                return cls.other_number if number else cls.false_conclusion
            case PrintVerdict.needs_hypothesis:
                return cls.number_beyond if number else cls.conclusion_beyond
            case PrintVerdict.imprecise:
                return cls.number_misread if number else cls.conclusion_misread
            case PrintVerdict.misprint:
                return cls.letters
            case PrintVerdict.redundant_hypothesis:
                return cls.narrow
        return None


def gravity(consequence: Consequence | None) -> int:
    """What a list of errata is sorted by; what is not judged comes last."""
    return len(Consequence) if consequence is None else list(Consequence).index(consequence)


@dataclass(frozen=True)
class Environment:
    """Versions of everything that a verdict depends on, by the name of the package."""

    versions: Mapping[str, str]

    @classmethod
    def here(cls) -> Environment:
        """That of this process."""
        system = f"{platform.system()} {platform.machine()}"
        versions = {"grpo-symbolic": __version__, "python": platform.python_version(), "system": system}
        for package in _PACKAGES:
            try:
                versions[package] = version(package)
            except PackageNotFoundError:
                versions[package] = "absent"
        return cls(versions)


@dataclass(frozen=True)
class EvidenceRecord(Evidence):
    """The answer of one checker to one obligation, and what lets somebody else repeat the check.

    ``about`` is "holds" or "printed"; ``obligation`` its number in the claim and its label; ``domain`` the part of the
    obligation's domain that the answer covers, where that is not all; ``artefact`` a normal form, a witness, a query.
    What it is keyed by stays in the store.
    """

    @classmethod
    def of(cls, evidence: Evidence) -> EvidenceRecord:
        """The record of a piece of evidence."""
        return cls(**{**evidence.__dict__, "key": ""})

    @property
    def proof(self) -> str:
        """What the proof is: "kernel", "certificate" (no engine has to be believed), "recipe", or "" for none."""
        if not self.settles:
            return ""
        if self.grade is Grade.kernel:
            return "kernel"
        return "recipe" if self.believes else "certificate"

    def to_json(self) -> dict[str, Any]:
        shown = {name: value for name, value in super().to_json().items() if name not in ("key", "point")}
        return {**shown, "believes": list(self.believes), "proof": self.proof}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        return super().from_json({name: value for name, value in data.items() if name != "proof"})


@dataclass(frozen=True)
class Mutants:
    """How the claim's mutants fared; all zero where none were made."""

    made: int = 0
    refuted: int = 0
    equivalent: int = 0
    survived: int = 0
    unknown: int = 0

    @classmethod
    def of(cls, statuses: Iterable[str]) -> Mutants:
        """The counts of "refuted", "equivalent", "survived" and "unknown" among the statuses."""
        counts = Counter(statuses)
        return cls(counts.total(), *(counts[name] for name in ("refuted", "equivalent", "survived", "unknown")))

    def __add__(self, other: Mutants) -> Mutants:
        return Mutants(*(a + b for a, b in zip(self.__dict__.values(), other.__dict__.values(), strict=True)))


@dataclass(frozen=True)
class Step:
    """A step of a derivation: the move, why it is allowed, and the formula (LaTeX) it arrives at."""

    derivation: str
    name: str
    note: str
    result: str


@dataclass(frozen=True)
class Part:
    """One statement of a claim as LaTeX, its label, its own domain where it has one, and whether it is a step that
    leads to the sentence.
    """

    label: str
    latex: str
    where: str = ""
    because: bool = False


OF_MUTANTS = ("mutants", "mutants_survived", "mutants_unknown", "mutated")  # what an entry says of its mutants
DERIVED = ("counterexample", "would_help")  # what a page puts before an entry, and nobody reads back


class Told:
    """What the ledger tells of a claim and its file's text does too, and what follows from that."""

    paper: str
    file: str
    printed: str | None
    print_expected: PrintVerdict | None
    says: str
    headline: str

    @property
    def place(self) -> str:
        """Its file, as ``paper/name.py``."""
        return f"{self.paper}/{self.file}"

    @property
    def differs(self) -> bool:
        """Whether the print, as its file judges it, is another sentence than the one that is claimed."""
        return self.print_expected not in (None, PrintVerdict.holds)

    @property
    def line(self) -> str:
        """What holds in one line of LaTeX: what the file says, else the sentence if it is short, else the print that
        it holds to be true, if any.
        """
        return self.says or self.headline or ("" if self.differs else self.printed or "")

    @property
    def says_itself(self) -> bool:
        """Whether its one line is the sentence, or parts of it, with their domain, and not what somebody wrote."""
        return bool(self.headline and not self.says)


@dataclass(frozen=True)
class Entry(Told):
    """A claim as a run left it. LaTeX: ``printed``, ``reading`` with its names, ``says``, ``headline``, ``names``,
    ``sentence``, ``domain``, ``parts``, results of steps.
    """

    id: str
    paper: str
    origin: Origin
    locator: str
    title: str
    printed: str | None
    sentence: str
    domain: str
    kind: str
    verdict: Verdict
    print_verdict: PrintVerdict | None
    depends_on: tuple[str, ...] = ()
    rules: tuple[str, ...] = ()
    words: tuple[str, ...] = ()
    evidence: tuple[EvidenceRecord, ...] = ()
    crosscheck: str = "unavailable"
    mutants: Mutants = Mutants()
    # for readers, beyond the contract
    expected: Verdict = Verdict.proved
    print_expected: PrintVerdict | None = None
    reading: str = ""  # what the print is read as, where that is another sentence than the claim
    reading_names: tuple[str, ...] = ()  # what the names in it stand for
    print_unread: tuple[str, ...] = ()  # what the print speaks of, and what was checked does not
    letters: tuple[tuple[str, str], ...] = ()  # of a claim or print that is refuted: names in its points, and LaTeX
    print_remark: str = ""
    remark: str = ""
    says: str = ""
    short: tuple[str, ...] = ()  # what the parts of the sentence are called that stand over it; all of it without
    headline: str = ""  # these with their domain, where that is short
    names: tuple[str, ...] = ()  # what the names in it stand for
    text: str = ""
    parts: tuple[Part, ...] = ()
    steps: tuple[Step, ...] = ()
    mutants_survived: tuple[str, ...] = ()
    mutants_unknown: tuple[str, ...] = ()
    mutated: bool = False  # whether mutants were asked for
    trivial: bool = False  # whether nothing is left to show once it is read: every identity has two equal sides
    file: str = ""
    theorem: str = ""  # of coq/theories, by its file and name, where the sentence follows from it by Coq's kernel

    @property
    def is_printed(self) -> bool:
        """Whether the claim is a sentence of a paper, and not a result of one's own."""
        return self.origin is Origin.print

    @property
    def consequence(self) -> Consequence | None:
        """Who is misled by the print, and into what; nobody where it simply holds or there is none."""
        return Consequence.of(self.print_verdict, self.kind)

    @property
    def says_all(self) -> bool:
        """Whether its one line is the whole sentence."""
        return self.says_itself and not self.short

    @property
    def line_with(self) -> tuple[str, ...]:
        """What the names in its one line stand for."""
        return self.names if self.says_itself else ()

    @property
    def print_beside(self) -> str:
        """The print, where its one line is not the print."""
        return self.printed if self.printed and self.printed != self.line else ""

    @property
    def reading_with(self) -> tuple[str, ...]:
        """What the names in the reading of its print stand for, without those that stand beside its one line."""
        return tuple(name for name in self.reading_names if name not in self.line_with)

    @property
    def is_undecided(self) -> bool:
        """Whether no checker decides it."""
        return self.verdict in (Verdict.supported, Verdict.unknown)

    @property
    def stated(self) -> tuple[Part, ...]:
        """The parts of the sentence."""
        return tuple(part for part in self.parts if not part.because)

    @property
    def because(self) -> tuple[Part, ...]:
        """The steps that lead to it, which were checked too."""
        return tuple(part for part in self.parts if part.because)

    @property
    def seconds(self) -> float:
        return sum(e.seconds for e in self.evidence)

    @property
    def weakest(self) -> Grade:
        """The weakest link of the claim's proof: for each obligation its strongest grade, and the least of those."""
        strongest = (
            max(e.grade if e.outcome is Outcome.holds else Grade.none for e in evidence)
            for evidence in self._by_obligation.values()
        )
        return min(strongest, default=Grade.none)

    @property
    def _by_obligation(self) -> dict[str, list[EvidenceRecord]]:
        """The evidence on the claim itself, by the obligation."""
        by_obligation: dict[str, list[EvidenceRecord]] = {}
        for e in self.evidence:
            if e.about == "holds":
                by_obligation.setdefault(e.obligation, []).append(e)
        return by_obligation

    @property
    def in_coq(self) -> str:
        """What Coq's kernel has accepted of the claim, in words: the sentence, which its obligations are where no rule
        and no words lead from them to it; its obligations only; or nothing.
        """
        if self.theorem:
            return f"the sentence follows from {self.theorem} of coq/theories"
        if self.weakest is not Grade.kernel:
            return ""
        return "obligations only" if self.rules or self.words else "the sentence"

    @property
    def believes(self) -> Mapping[str, tuple[str, ...]]:
        """The engines that have to be believed for an obligation, where there are such, by the obligation."""
        least = {
            name: min((e.believes for e in evidence if e.settles), key=len, default=())
            for name, evidence in self._by_obligation.items()
        }
        return {name: engines for name, engines in least.items() if engines}

    def believes_in(self, engine: str) -> bool:
        """Whether an engine, by its name in lower case, has to be believed for one of its obligations."""
        return any(name.split()[0].lower() == engine for engines in self.believes.values() for name in engines)

    @property
    def most(self) -> Verdict:
        """The strongest verdict that its evidence allows."""
        return verdict_of([settle(evidence) for evidence in self._by_obligation.values()], self.words)

    @property
    def is_borne_out(self) -> bool:
        """Whether its evidence allows its verdict, and no evidence refutes a reading of a print that is to hold."""
        upheld = self.print_verdict in (PrintVerdict.holds, PrintVerdict.as_read)
        refuted = any(e.outcome is Outcome.refuted for e in self.evidence if e.about == "printed")
        if self.verdict is Verdict.definition and not any(e.about == "holds" for e in self.evidence):
            return not (upheld and refuted)
        allowed = _BORNE_OUT_BY.get(self.verdict)
        return not (upheld and refuted) and (allowed is None or self.most in allowed)

    @property
    def settled(self) -> int:
        """How many of its obligations have a proof, or a certified counter-example."""
        return len(self._decided)

    @property
    def _decided(self) -> set[str]:
        """The obligations of the claim that have a proof, or a certified counter-example."""
        return {name for name, evidence in self._by_obligation.items() if any(e.settles for e in evidence)}

    @property
    def unfinished(self) -> bool:
        """Whether time ran out on an obligation that nothing else has decided, and the verdict is not the expected one:
        the next run tries again. Of what its file says is open, engines that are limited in time may well say nothing.
        """
        decided = {(e.about, e.obligation) for e in self.evidence if e.settles}
        late = any(e.timed_out and (e.about, e.obligation) not in decided for e in self.evidence)
        return late and self.verdict is not self.expected

    @property
    def is_open(self) -> bool:
        """Whether an obligation is open, against what its file expects: the next run tries again."""
        return bool(self.undecided) and self.verdict is not self.expected

    @property
    def witness(self) -> str:
        """The first line of what refutes the print, in words; nothing where the print is not refuted."""
        return self._refuting("printed")

    @property
    def witness_letters(self) -> tuple[tuple[str, str], ...]:
        """The letters of its witness: those that what the print is read as has, where that is another sentence."""
        seen = "".join((self.reading, *self.reading_names))
        return tuple((name, latex) for name, latex in self.letters if latex in seen or not seen)

    @property
    def counterexample(self) -> str:
        """The first line of what refutes the claim itself, in words; nothing where it is not refuted."""
        return self._refuting("holds") if self.verdict is Verdict.refuted else ""

    @property
    def failing_premises(self) -> tuple[EvidenceRecord, ...]:
        """What refutes premises of rules, of a claim that is not refuted: it may be true all the same."""
        refutations = (e for e in self.evidence if e.about == "holds" and e.outcome is Outcome.refuted)
        return () if self.verdict is Verdict.refuted else tuple(refutations)

    def _refuting(self, about: str) -> str:
        refutations = [e for e in self.evidence if e.about == about and e.outcome is Outcome.refuted and e.artefact]
        plain = [e for e in refutations if not e.artefact.lstrip().startswith(("(", ";", "satisfiable"))] or refutations
        return self.point_of(plain[0]) if plain else ""

    @staticmethod
    def point_of(evidence: Evidence) -> str:
        """The first line of what refutes something, in words."""
        words = evidence.artefact.strip().partition("\n")[0].removeprefix("witness ")
        return re.sub(r"\boo\b", "∞", re.sub("^limit computed as (.+), claimed ", r"the limit is \1, not ", words))

    @property
    def undecided(self) -> tuple[EvidenceRecord, ...]:
        """The evidence on the obligations of the claim that no checker has decided."""
        decided = self._decided
        return tuple(e for e in self.evidence if e.about == "holds" and e.obligation not in decided)

    def failures(self) -> list[str]:
        """Every reason for which this claim fails a run, one sentence each."""
        reasons = []
        if self.verdict != self.expected:
            reasons.append(f"{self.id} is {self.verdict}, its file expects {self.expected}")
        elif self.print_verdict is PrintVerdict.unknown and self.verdict in _SETTLED:
            reasons.append(f"{self.id}: the evidence does not bear out what its file says about the print")
        if self.crosscheck == "diverge":
            reasons.append(f"{self.id}: two engines contradict each other")
        if self.text and (loose := missing(self.says, self.text)):
            reasons.append(f"{self.id}: says=… names {', '.join(loose)}, which the sentence that was checked does not")
        if self.mutants.survived:
            reasons.append(f"{self.id}: a mutant survived ({'; '.join(self.mutants_survived)})")
        if self.mutated and self.verdict in (Verdict.proved, Verdict.argued) and not self.mutants.refuted:
            made = f"none of its {self.mutants.made} mutants is refuted" if self.mutants.made else "it has no mutants"
            reasons.append(f"{self.id}: {made}, so nothing shows that its check can fail")
        return reasons

    def without_mutants(self) -> Entry:
        return replace(self, mutants=Mutants(), mutants_survived=(), mutants_unknown=(), mutated=False)

    def with_mutants_of(self, other: Entry) -> Entry:
        """This entry, with what another one says of mutants."""
        return replace(self, **{name: getattr(other, name) for name in OF_MUTANTS})

    def to_json(self) -> dict[str, Any]:
        shown = {f.name: getattr(self, f.name) for f in fields(self)}
        return {
            **shown,
            "evidence": [e.to_json() for e in self.evidence],
            "mutants": dict(self.mutants.__dict__),
            "parts": [dict(p.__dict__) for p in self.parts],
            "steps": [dict(s.__dict__) for s in self.steps],
        }

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Entry:
        """An entry, also one that leads with what follows from it, as ``show --json`` prints it.

        Raises :class:`KeyError`, :class:`TypeError` or :class:`ValueError` for anything but an entry.
        """
        read: dict[str, Callable[[Any], Any]] = {
            "origin": Origin,
            "verdict": Verdict,
            "expected": Verdict,
            "print_verdict": _print_verdict,
            "print_expected": _print_verdict,
            "evidence": lambda items: tuple(map(EvidenceRecord.from_json, items)),
            "mutants": lambda items: Mutants(**items),
            "parts": lambda items: tuple(Part(**p) for p in items),
            "steps": lambda items: tuple(Step(**s) for s in items),
            "letters": lambda items: tuple((str(name), str(latex)) for name, latex in items),
            **dict.fromkeys(("depends_on", "rules", "words", "short", "names", "reading_names", "print_unread"), tuple),
            **dict.fromkeys(("mutants_survived", "mutants_unknown"), tuple),
        }
        return cls(**{key: read.get(key, _same)(value) for key, value in data.items() if key not in DERIVED})


def _same(value: Any) -> Any:
    return value


def _print_verdict(word: str | None) -> PrintVerdict | None:
    return None if word is None else PrintVerdict(word)


@dataclass(frozen=True)
class Totals:
    """Counts over the claims of a ledger.

    ``decided`` is the share of the claims that are no definitions which checkers alone have proved or refuted;
    ``print_verdicts_argued`` counts those prints whose claim is argued; ``words`` the claims with words of their own;
    ``obligations`` those that are settled, and ``recipes`` those of them for which the engines ``believes`` have to be
    believed; ``trivial`` names the claims of which nothing is left
    to show once they are read, and ``unexpected`` those with another verdict than their files expect.
    """

    claims: int
    printed: int
    verdicts: Mapping[str, int]
    print_verdicts: Mapping[str, int]
    print_verdicts_argued: Mapping[str, int]
    rules: Mapping[str, int]
    words: int
    crosschecks: Mapping[str, int]
    obligations: int
    recipes: int
    believes: Mapping[str, int]
    trivial: tuple[str, ...]
    decided: float
    mutants: Mutants
    unexpected: tuple[str, ...]
    seconds: float

    @classmethod
    def of(cls, claims: Sequence[Entry]) -> Totals:
        prints = [c for c in claims if c.is_printed]
        judged = [c for c in claims if c.verdict is not Verdict.definition]
        decided = [c for c in judged if c.verdict in (Verdict.proved, Verdict.refuted)]
        return cls(
            claims=len(claims),
            printed=len(prints),
            verdicts=_counts(c.verdict for c in claims),
            print_verdicts=_counts(str(c.print_verdict) for c in prints),
            print_verdicts_argued=_counts(str(c.print_verdict) for c in prints if c.verdict is Verdict.argued),
            rules=_counts(rule for c in claims for rule in c.rules),
            words=sum(bool(c.words) for c in claims),
            crosschecks=_counts(c.crosscheck for c in claims),
            obligations=sum(c.settled for c in claims),
            recipes=sum(len(c.believes) for c in claims),
            believes=_counts(engine for c in claims for engines in c.believes.values() for engine in engines),
            trivial=tuple(c.id for c in claims if c.trivial),
            decided=round(len(decided) / len(judged), 4) if judged else 1.0,
            mutants=sum((c.mutants for c in claims), Mutants()),
            unexpected=tuple(c.id for c in claims if c.verdict != c.expected),
            seconds=round(sum(c.seconds for c in claims), 2),
        )

    def to_json(self) -> dict[str, Any]:
        return {**self.__dict__, "mutants": dict(self.mutants.__dict__)}


def _counts(words: Iterable[str]) -> dict[str, int]:
    return {str(word): number for word, number in sorted(Counter(words).items())}


@dataclass(frozen=True)
class Ledger:
    """The claims of a run in reading order; ``papers`` gives each folder its title."""

    claims: tuple[Entry, ...]
    environment: Environment = field(default_factory=Environment.here)
    papers: Mapping[str, str] = field(default_factory=dict)

    @cached_property
    def totals(self) -> Totals:
        return Totals.of(self.claims)

    @cached_property
    def entries(self) -> Mapping[str, Entry]:
        """The claims by id."""
        return {c.id: c for c in self.claims}

    def entry(self, id: str) -> Entry:
        """A claim by id; raises :class:`BadInput` for one that is not there."""
        check_name(id, list(self.entries), "claim")
        return self.entries[id]

    def where(self, chosen: Callable[[Entry], bool]) -> Ledger:
        """The part of the ledger that holds these claims."""
        return replace(self, claims=tuple(c for c in self.claims if chosen(c)))

    def errata(self) -> tuple[Entry, ...]:
        """The claims whose print does not simply hold, by consequence, and then in reading order."""
        deviating = (c for c in self.claims if c.print_verdict not in UPHELD)
        return tuple(sorted(deviating, key=lambda c: gravity(c.consequence)))

    def failures(self) -> list[str]:
        """Every reason for which the run fails; empty for a run that succeeds."""
        return [reason for c in self.claims for reason in c.failures()]

    def resting_on(self, ids: Iterable[str]) -> set[str]:
        """The claims that depend on one of these, over however many others; without these themselves."""
        reached = set(ids)
        given, before = set(reached), -1
        while len(reached) != before:
            before = len(reached)
            reached |= {c.id for c in self.claims if reached & set(c.depends_on)}
        return reached - given

    def to_json(self) -> dict[str, Any]:
        """The document that ``--json`` writes."""
        return {
            "schema": SCHEMA,
            "environment": dict(self.environment.versions),
            "claims": [c.to_json() for c in self.claims],
            "totals": self.totals.to_json(),
            "papers": dict(self.papers),
        }

    @classmethod
    def from_json(cls, document: Any) -> Ledger:
        """A ledger from its document; its totals are counted again, and verdicts compared with the evidence.

        Raises :class:`BadInput` for anything else.
        """
        schema = document.get("schema") if isinstance(document, dict) else None
        if schema == SCHEMA - 1:
            raise BadInput(
                f"a ledger of schema {schema}, and this version reads schema {SCHEMA}: write it again by verify"
            )
        if schema != SCHEMA:
            raise BadInput(f"not a ledger of schema {SCHEMA}")
        try:
            claims = tuple(map(Entry.from_json, document["claims"]))
            ledger = cls(claims, Environment(document["environment"]), document.get("papers", {}))
            beyond = [c for c in claims if not c.is_borne_out]
        except (KeyError, TypeError, ValueError, AttributeError) as error:
            raise BadInput(f"not a ledger of schema {SCHEMA}: {type(error).__name__}: {error}") from None
        if beyond:
            verdicts = f"{beyond[0].verdict} and its print {beyond[0].print_verdict}"
            raise BadInput(
                f"{beyond[0].id} is {verdicts}, which its evidence does not bear out: write the ledger again"
            )
        return ledger

    @classmethod
    def read(cls, path: Path) -> Ledger:
        """A ledger from a file; raises :class:`BadInput` for anything else."""
        try:
            return cls.from_json(json.loads(path.read_text(encoding="utf-8")))
        except (OSError, ValueError) as error:
            raise BadInput(f"{path} is not a ledger: {error}") from None


def check_print_verdict(verdict: str | None) -> None:
    """Raise :class:`BadInput` for a word that is no verdict on a print."""
    if verdict is not None:
        check_name(verdict, list(PrintVerdict), "verdict on a print")


def check_verdict(verdict: str | None) -> None:
    """Raise :class:`BadInput` for a word that is neither a verdict nor a verdict on the print."""
    if verdict is not None:
        check_name(verdict, list(dict.fromkeys([*Verdict, *PrintVerdict])), "verdict")
