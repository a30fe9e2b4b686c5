"""The proof of one obligation: a stored one that is replayed, or one that is searched.

A kept proof names the checker that settles the obligation and the proofs of the queries which that checker asks; of a
counter-example it has the point. Nothing of it is believed: the checker does its work again, on the obligation as it is
now, and every answer that it needs is replayed (:mod:`.answers`). So the outcome is the same on every machine, whatever
engines are installed, and a proof that was edited, or is another obligation's, settles nothing.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import partial

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.answers import Answers, using
from grpo_symbolic.proof.check.ball import BranchAndBound
from grpo_symbolic.proof.check.decision import Certified, is_algebraic
from grpo_symbolic.proof.check.forms import Expansion, Quotients
from grpo_symbolic.proof.check.roots import Sturm
from grpo_symbolic.proof.checkers import FEW_BOXES, STEADY, TIMED, Checker, applies, run_checker
from grpo_symbolic.proof.search.algebra import Algebra
from grpo_symbolic.proof.search.limits import Closing, Gruntz
from grpo_symbolic.proof.search.recipes import answers as answers_of
from grpo_symbolic.proof.search.recipes import by_certificate
from grpo_symbolic.proof.search.root_samples import RootSamples
from grpo_symbolic.proof.search.sampling import ExactWitness, Sampling, decided, lies_in, shown_values
from grpo_symbolic.proof.search.solvers import Decision
from grpo_symbolic.proof.statements.evidence import ON_RECORD, STORED, Evidence, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.proof.statements.pointtext import read_point

DEEP = 4  # times the effort of a search for certificates, where everything is looked for anew
POINT = "point"  # the method of a counter-example


@dataclass(frozen=True)
class Proof:
    """The stored proof of an obligation that is settled.

    Args:
        method: the name of the checker that settles it, or ``"point"`` for a counter-example.
        uses: the digests of the queries whose proofs it needs.
        point: the counter-example, as plain data.
        also: the engines, with their versions, that agreed when it was found; they carry no weight.
    """

    method: str
    uses: tuple[str, ...] = ()
    point: str = ""
    also: tuple[str, ...] = ()


@dataclass(frozen=True)
class CounterExample:
    """Refutes a statement at one exact point of its domain, in ball arithmetic."""

    point: str
    name: str = POINT
    engine: str = "Arb"
    grade: Grade = Grade.certified

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Identity | Holds)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Identity | Holds)
        try:
            values = read_point(self.point)
        except (ReadingError, ValueError):
            return Finding.unknown("the point cannot be read")
        statement = statement_of(obligation)
        if lies_in(values, obligation.domain, statement) is not True:
            return Finding.unknown("the point is not shown to lie in the domain")
        if decided(statement, values, of_roots=True) is not False:
            return Finding.unknown("the statement is not refuted at the point")
        return Finding(Outcome.refuted, artefact=f"witness {shown_values(values)} (confirmed in ball arithmetic)")


# In the order in which a proof is looked for: what leaves nothing to believe comes first, what rests on an engine last.
LOOKS: tuple[Checker, ...] = (Sampling(), Closing(), RootSamples())  # at samples, before anything else
PROVERS: tuple[Checker, ...] = (
    *LOOKS,
    Certified(),
    *(c for c in (*STEADY, *TIMED) if c not in LOOKS and c != BranchAndBound(boxes=FEW_BOXES)),
)
# Whose work can be done again; of an engine's counter-example the point is kept.
METHODS: dict[str, Checker] = {
    c.name: c
    for c in (
        Certified(),
        Quotients(),
        Sturm(),
        Expansion(),
        ExactWitness(),
        BranchAndBound(),
        Algebra(),
        Gruntz(),
        Decision("cvc5"),
    )
}
ASKED = frozenset(c.engine for c in (*PROVERS, *METHODS.values()))  # the engines that a search asks
# Whose engine has to be believed, whatever they are asked: they keep no proof of what they say.
BELIEVED = frozenset(c.name for c in PROVERS if isinstance(c, Algebra | Gruntz | Decision))


def replay(obligation: Obligation, proof: Proof, texts: Mapping[str, str]) -> Evidence:
    """What a kept proof shows of an obligation; ``texts`` are the proofs of queries, by digest."""
    checker = CounterExample(proof.point) if proof.method == POINT else METHODS.get(proof.method)
    if checker is None or not applies(checker, obligation):
        return unproved(obligation, f"its kept proof is by {proof.method!r}, which is no way to show this")
    answers = answers_of({name: texts[name] for name in proof.uses if name in texts})
    evidence = _by(checker, obligation, answers)
    if evidence.settles:
        return evidence
    if answers.lacking:
        reason = f"its kept proof is a recipe for {', '.join(answers.lacking)}, which is not installed"
        return replace(unproved(obligation, reason), timed_out=True)
    answer = evidence.artefact.partition("\n")[0]
    return unproved(obligation, f"its kept proof shows nothing, for it was changed or is of something else ({answer})")


def unproved(obligation: Obligation, reason: str) -> Evidence:
    """That no stored proof shows an obligation, and why."""
    return Evidence("holds", obligation.label, STORED, Grade.none, Outcome.unknown, "none", 0.0, artefact=reason)


@dataclass(frozen=True)
class Attempt:
    """An attempt to settle an obligation: evidence, its proof where there is one, and the proofs of queries that this
    uses, by digest.
    """

    evidence: list[Evidence]
    proof: Proof | None = None
    texts: Mapping[str, str] = field(default_factory=dict)

    @property
    def settles(self) -> bool:
        return any(e.settles for e in self.evidence)


def search(obligation: Obligation, everything: bool = False) -> Attempt:
    """Look for a proof, or for a counter-example.

    Samples are looked at first, since they find in no time what is wrong nearly everywhere; then every prover in turn,
    until one settles it. With ``everything`` all other engines are asked as well.
    """
    collected: list[Evidence] = []
    proof, texts = None, dict[str, str]()
    last = () if is_algebraic(obligation) else (Certified(),)
    for checker in sorted(PROVERS, key=lambda checker: checker in last):
        if (proof is not None and not everything) or not applies(checker, obligation):
            continue
        answers = answers_of(seek=partial(by_certificate, effort=DEEP if everything else 1))
        evidence = _by(checker, obligation, answers)
        if proof is not None and evidence.timed_out:
            continue  # a second opinion that did not come in time
        collected.append(evidence)
        if proof is None and evidence.settles:
            proof = _proof(evidence, answers, obligation)
            texts = answers.used
    if proof is not None:
        proof = replace(proof, also=_agreeing(proof, collected))
    return Attempt(collected, proof, texts)


def _agreeing(proof: Proof, collected: Sequence[Evidence]) -> tuple[str, ...]:
    """The engines beside that of the proof that agree."""
    settled = next(e for e in collected if e.settles)
    engines = (e.engine for e in collected if e.outcome is settled.outcome and e.engine != settled.engine)
    return tuple(sorted(set(engines)))


def looked_at(obligation: Obligation) -> list[Evidence]:
    """What samples say, which is no proof."""
    return [run_checker(checker, obligation) for checker in LOOKS if applies(checker, obligation)]


def opinions(obligation: Obligation, proof: Proof, outcome: Outcome) -> list[Evidence]:
    """The opinions of other engines when a proof was found: on record, without any weight."""
    return [Evidence("holds", obligation.label, ON_RECORD, Grade.none, outcome, engine, 0.0) for engine in proof.also]


def _proof(evidence: Evidence, answers: Answers, obligation: Obligation) -> Proof | None:
    """The proof that evidence is, if it can be replayed."""
    if evidence.point:
        proof = Proof(POINT, point=evidence.point)
    elif evidence.checker in METHODS:
        proof = Proof(evidence.checker, tuple(sorted(answers.used)))
    else:
        return None
    again = replay(obligation, proof, answers.used)
    return proof if again.settles and again.outcome is evidence.outcome else None


def _by(checker: Checker, obligation: Obligation, answers: Answers) -> Evidence:
    """The evidence of one checker, with what its answers rest on."""
    with using(answers):
        evidence = run_checker(checker, obligation)
    if evidence.outcome is Outcome.unknown:
        return evidence
    own = (evidence.engine,) if checker.name in BELIEVED else ()
    believes = tuple(dict.fromkeys((*own, *answers.believes)))
    size = sum(map(len, answers.used.values()))
    weaker = min(evidence.grade, Grade.decision) if answers.believes else evidence.grade
    return replace(evidence, grade=weaker, believes=believes, size=size)
