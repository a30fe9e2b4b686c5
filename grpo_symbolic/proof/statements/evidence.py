"""What a checker returns, and how evidence adds up to a verdict. Nothing here can raise a grade or a verdict."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import IntEnum, StrEnum
from typing import Any, Self

STORED = "kept"  # the checker of what a stored proof does not show
NOT_YET = "not verified yet"  # of a claim without a verdict
ON_RECORD = "on record"  # the checker of an engine's opinion from when a proof was found, which carries no weight
UNCERTIFIED = "no proof that the negation contradicts the domain"  # how that of a missing certificate begins
UNDEFINED = "undefined on a part of the domain"  # how the reason of an unknown begins where that is certain


class Grade(IntEnum):
    """How strong a piece of evidence is; only ``certified`` and above is proof."""

    none = 0
    swept = 1
    sampled = 2
    certified = 3
    symbolic = 4
    decision = 5
    exact = 6
    kernel = 7

    @property
    def is_proof(self) -> bool:
        return self >= Grade.certified


class Outcome(StrEnum):
    holds = "holds"
    refuted = "refuted"
    unknown = "unknown"


class Verdict(StrEnum):
    """What is known of a claim. ``argued``: every obligation has a proof, and something between them and the sentence,
    of the claim itself or of one that it depends on, is in words that no checker reads. That is not a proof.
    """

    proved = "proved"
    argued = "argued"
    refuted = "refuted"
    supported = "supported"
    unknown = "unknown"
    definition = "definition"


class Origin(StrEnum):
    """Whether a claim is a sentence of a paper, or a result of its own that no paper prints."""

    print = "print"
    own = "own"


class Kind(StrEnum):
    """What sort of sentence a claim is: a word for readers, from which no verdict follows."""

    identity = "identity"
    closed_form = "closed form"
    inequality = "inequality"
    limit = "limit"
    existence = "existence"
    uniqueness = "uniqueness"
    optimality = "optimality"
    monotonicity = "monotonicity"
    convexity = "convexity"
    stability = "stability"
    dynamics = "dynamics"
    equivalence = "equivalence"
    invariance = "invariance"
    unbiasedness = "unbiasedness"
    counter_example = "counter-example"
    numeric = "numeric"
    convention = "convention"
    modelling = "modelling"
    definition = "definition"


class PrintVerdict(StrEnum):
    """How the paper's own sentence fares. ``as_read``: the claim holds, and that it is the printed sentence, of which
    something is not in it, is a person's reading.
    """

    holds = "holds"
    as_read = "as-read"
    needs_hypothesis = "needs-hypothesis"
    redundant_hypothesis = "redundant-hypothesis"
    imprecise = "imprecise"
    misprint = "misprint"
    wrong = "wrong"
    unknown = "unknown"


@dataclass(frozen=True)
class Finding:
    """The answer of one checker to one obligation.

    ``artefact`` is what lets somebody else repeat the check (an SMT-LIB text, a witness, a normal form); ``domain``
    says what part of the obligation's domain the answer covers, where that is not all of it.
    """

    outcome: Outcome
    artefact: str = ""
    domain: str = ""
    seed: int | None = None
    digits: int | None = None
    grade: Grade | None = None  # only ever to state a weaker grade than the checker's own
    seconds: float = 0.0  # that it took, where several are found at once
    point: str = ""  # of a refutation the exact point, as plain data, where that is all it takes

    @classmethod
    def unknown(cls, reason: str) -> Finding:
        return cls(Outcome.unknown, artefact=reason)


@dataclass(frozen=True)
class Evidence:
    """A finding as the ledger keeps it."""

    about: str  # "holds" or "printed"
    obligation: str
    checker: str
    grade: Grade
    outcome: Outcome
    engine: str
    seconds: float
    seed: int | None = None
    digits: int | None = None
    domain: str = ""
    artefact: str = ""
    timed_out: bool = False  # it was stopped, or lacked an engine: it says nothing, and the next run tries again
    believes: tuple[str, ...] = ()  # the engines that have to be believed, with their versions; none for certificates
    size: int = 0  # of the certificates and recipes that it rests on, in characters
    point: str = field(default="", compare=False)
    key: str = field(default="", compare=False)

    @property
    def proves(self) -> bool:
        return self.grade.is_proof and self.outcome is Outcome.holds

    @property
    def settles(self) -> bool:
        """Whether it is a proof, or a certified counter-example."""
        return self.grade.is_proof and self.outcome is not Outcome.unknown

    @property
    def finds_undefined(self) -> bool:
        """Whether the statement certainly has no meaning somewhere on its domain, and so cannot be proved there."""
        return self.outcome is Outcome.unknown and self.artefact.startswith(UNDEFINED)

    def to_json(self) -> dict[str, Any]:
        return {**self.__dict__, "grade": self.grade.name, "outcome": self.outcome.value}

    @classmethod
    def from_json(cls, data: dict[str, Any]) -> Self:
        grade, outcome, believes = Grade[data["grade"]], Outcome(data["outcome"]), tuple(data.get("believes", ()))
        return cls(**{**data, "grade": grade, "outcome": outcome, "believes": believes})


def settle(evidence: Sequence[Evidence], sufficient: bool = False) -> tuple[Outcome, Grade]:
    """What the evidence on *one* obligation amounts to: its outcome and the strongest grade that supports it. Of one
    that is only ``sufficient`` for its sentence, a refutation refutes nothing.

    A refutation counts only when it is certified by a witness or a decision; it outweighs any agreement by samples,
    and a proof beside a refutation of the same obligation, or beside a point where it has no meaning, leaves it unknown
    (the cross-check reports the divergence).
    """
    proofs = [e for e in evidence if e.proves]
    refutations = [e for e in evidence if e.grade.is_proof and e.outcome is Outcome.refuted]
    if proofs and (refutations or any(e.finds_undefined for e in evidence)):
        return Outcome.unknown, Grade.none
    if refutations:
        return (Outcome.unknown, Grade.none) if sufficient else (Outcome.refuted, max(e.grade for e in refutations))
    if proofs:
        return Outcome.holds, max(e.grade for e in proofs)
    weak = [e.grade for e in evidence if e.outcome is Outcome.holds and e.grade > Grade.none]
    if any(e.outcome is Outcome.refuted for e in evidence) or not weak:
        return Outcome.unknown, Grade.none
    return Outcome.holds, max(weak)


def crosscheck(evidence: list[Evidence]) -> str:
    """Whether independent engines agree on *one* obligation: agree, diverge, incomparable or unavailable.

    A proof beside any refutation diverges, and beside a point where the statement has no meaning. Samples that hold
    beside a certified counter-example do not: they missed it, so they are no comparison.
    """
    if any(e.proves for e in evidence) and any(e.finds_undefined for e in evidence):
        return "diverge"
    definite = [e for e in evidence if e.outcome is not Outcome.unknown]
    refuting = [e for e in definite if e.outcome is Outcome.refuted]
    if refuting and any(
        e.outcome is Outcome.holds and (e.grade.is_proof or not any(r.grade.is_proof for r in refuting))
        for e in definite
    ):
        return "diverge"
    comparable = refuting or definite
    if len({e.engine.split()[0] for e in comparable}) >= 2:
        return "agree"
    return "incomparable" if definite and len(evidence) > len(comparable) else "unavailable"


def combine_crosschecks(results: list[str]) -> str:
    """The weakest of several cross-checks."""
    order = ["diverge", "unavailable", "incomparable", "agree"]
    return min(results, key=order.index, default="unavailable")


def verdict_of(settled: list[tuple[Outcome, Grade]], words: Sequence[str] = ()) -> Verdict:
    """The verdict on a conjunction of obligations; ``words`` stand between them and the sentence, and no checker reads
    them.
    """
    if not settled:
        return Verdict.unknown
    if any(outcome is Outcome.refuted for outcome, _ in settled):
        return Verdict.refuted
    if any(outcome is Outcome.unknown for outcome, _ in settled):
        return Verdict.unknown
    if all(grade.is_proof for _, grade in settled):
        return Verdict.argued if words else Verdict.proved
    return Verdict.supported


_STRENGTH = (Verdict.proved, Verdict.argued, Verdict.supported, Verdict.unknown)


def cap(verdict: Verdict, dependencies: list[Verdict]) -> Verdict:
    """A claim is no stronger than the weakest it depends on: proved, argued, supported, unknown, in this order."""
    if verdict not in _STRENGTH:
        return verdict
    if Verdict.refuted in dependencies:
        return Verdict.unknown
    return max([verdict, *(d for d in dependencies if d in _STRENGTH)], key=_STRENGTH.index)
