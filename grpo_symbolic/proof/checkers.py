"""The checkers in the order in which an obligation meets them, and the discharge of one obligation under time
limits.
"""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from dataclasses import replace
from typing import Protocol

from grpo_symbolic.proof.algebra import Algebra
from grpo_symbolic.proof.ball import BranchAndBound
from grpo_symbolic.proof.decision import Decision
from grpo_symbolic.proof.digest import deciding_code, engine_version
from grpo_symbolic.proof.evidence import Evidence, Finding, Grade, Outcome
from grpo_symbolic.proof.forms import Expansion, Quotients
from grpo_symbolic.proof.isolation import TimeLimit, time_limit
from grpo_symbolic.proof.limits import Closing, Gruntz
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.proof.roots import RootSamples, Sturm
from grpo_symbolic.proof.sampling import ExactWitness, Sampling

LIMIT = 60  # seconds of computing for one checker on one obligation
# And for a second proof of what is proved. Nearly every engine that finds one has found it by a tenth of that; one that
# has not is looking for what the first engine alone can do, which is then counted.
SECOND_LOOK = 1
# Beside balls that prove a statement on a few boxes an engine that decides has done so by half of this, or not at all.
BESIDE_BALLS = 0.3
FEW_BOXES = 400  # on which nearly all is proved that balls prove, in a fiftieth of a second
# And beside a certified counter-example: an engine that would prove what is false has most often done so by then, and
# one that looks for a proof of it has none to find.
DISSENT = 1


class Checker(Protocol):
    """One engine with one method of proof (or of sampling)."""

    def __hash__(self) -> int: ...
    @property
    def name(self) -> str: ...
    @property
    def engine(self) -> str: ...
    @property
    def grade(self) -> Grade: ...
    def applies(self, obligation: Obligation) -> bool: ...
    def check(self, obligation: Obligation) -> Finding: ...


class BatchChecker(Checker, Protocol):
    """A checker that is asked about many obligations at once, and keeps to limits of time by itself."""

    def check_all(self, obligations: Sequence[Obligation]) -> list[Finding]: ...


# A last resort runs only when none before it has settled the obligation.
CHECKERS: tuple[Checker, ...] = (
    Quotients(),
    Algebra(),
    Sturm(),
    Expansion(),
    Gruntz(),
    ExactWitness(),
    BranchAndBound(boxes=FEW_BOXES),
    Decision("Z3"),
    Decision("cvc5"),
    RootSamples(),
    Closing(),
    Sampling(),
    BranchAndBound(),
)
LAST_RESORT = frozenset({"ball"})
IDENTITIES = frozenset({"quotients", "algebra"})  # with a proof by one of them no decision engine is asked
REFUTERS = frozenset({"witness", "sampling"})  # find in no time what is wrong nearly everywhere


def engine_of(checker: Checker) -> str:
    """Engine and version, as the ledger prints it."""
    return f"{checker.engine} {engine_version(checker.engine)}"


def evidence_key(obligation: Obligation, checker: Checker, within: float | None = None) -> str:
    """The identity of a piece of evidence: statement, domain, checker with its settings, and the code that decides;
    ``within``: so many seconds, which did not suffice.
    """
    limit = [] if within is None else [f"within {within} s"]
    body = "|".join([obligation.key(), checker.name, repr(checker), engine_of(checker), deciding_code(), *limit])
    return hashlib.sha256(body.encode()).hexdigest()


def run_checker(checker: Checker, obligation: Obligation, limit: float = LIMIT, second: bool = False) -> Evidence:
    """One checker on one obligation: an exception, a NaN, nonsense or a timeout is ``unknown``, and the grade never
    exceeds the checker's. Where it is the ``second`` to look for a proof, nothing is open when its time is up: that it
    has found none by then is kept.
    """
    begun = time.perf_counter()
    key, timed_out = evidence_key(obligation, checker), False
    try:
        with time_limit(limit):
            finding = checker.check(obligation)
            if not (
                isinstance(finding, Finding)
                and isinstance(finding.outcome, Outcome)
                and isinstance(finding.grade, Grade | None)
            ):
                finding, key = Finding.unknown(f"no finding but {finding!r}"), ""
    except TimeLimit:
        finding = Finding.unknown(f"time limit of {limit} s{' of a second proof' if second else ''}")
        key, timed_out = evidence_key(obligation, checker, limit) if second else "", True
    except RecursionError:
        finding, key = Finding.unknown("recursion limit"), ""
    except Exception as error:  # an engine that fails has said nothing
        finding, key = Finding.unknown(f"{type(error).__name__}: {error}"), ""
    seconds = round(time.perf_counter() - begun, 4)
    return _evidence(checker, obligation, replace(finding, seconds=seconds), key, timed_out)


def run_batch(checker: BatchChecker, obligations: Sequence[Obligation]) -> list[Evidence]:
    """One checker on many obligations at once, in their order, with the same care as :func:`run_checker`."""
    try:
        findings = checker.check_all(obligations)
        assert len(findings) == len(obligations)
    except Exception as error:  # an engine that fails has said nothing
        return unanswered(checker, obligations, f"{type(error).__name__}: {error}")
    return [recorded(checker, o, f) for o, f in zip(obligations, findings, strict=True)]


def recorded(checker: Checker, obligation: Obligation, finding: Finding) -> Evidence:
    """What a checker has found, as it is kept: of no grade above the checker's."""
    return _evidence(checker, obligation, finding, evidence_key(obligation, checker))


def unanswered(checker: Checker, obligations: Sequence[Obligation], reason: str) -> list[Evidence]:
    """What is known where a checker has given no answer: nothing, and nothing keeps it."""
    return [_evidence(checker, o, Finding.unknown(reason), "") for o in obligations]


def _evidence(
    checker: Checker, obligation: Obligation, finding: Finding, key: str, timed_out: bool = False
) -> Evidence:
    """A finding as the ledger keeps it, of no grade above the checker's."""
    evidence = Evidence(
        "holds",
        obligation.label,
        checker.name,
        checker.grade if finding.grade is None else finding.grade,
        finding.outcome,
        engine_of(checker),
        finding.seconds,
        finding.seed,
        finding.digits,
        finding.domain,
        finding.artefact,
        timed_out,
        point=finding.point,
        key=key,
    )
    return _capped(evidence, checker)


def _capped(evidence: Evidence, checker: Checker) -> Evidence:
    """No grade above the checker's own (a sampler may certify a counter-example, never more), and none for an
    unknown.
    """
    most = {
        Outcome.holds: checker.grade,
        Outcome.refuted: max(checker.grade, Grade.certified),
        Outcome.unknown: Grade.none,
    }[evidence.outcome]
    return evidence if evidence.grade <= most else replace(evidence, grade=most)


def known_evidence(
    cached: Callable[[str], Evidence | None], obligation: Obligation, checker: Checker, within: float | None = None
) -> Evidence | None:
    """Stored evidence, if it is by this checker and about this obligation (and that so many seconds do not suffice)."""
    key = evidence_key(obligation, checker, within)
    found = cached(key)
    if found is None or (found.key, found.checker, found.engine) != (key, checker.name, engine_of(checker)):
        return None
    return _capped(found, checker)


def applies(checker: Checker, obligation: Obligation) -> bool:
    """Whether a checker has something to say of an obligation."""
    try:
        return bool(checker.applies(obligation))
    except Exception:  # then let it try, and fail on the record
        return True


def discharge(
    obligation: Obligation,
    cached: Callable[[str], Evidence | None] = lambda key: None,
    limit: float = LIMIT,
    doubtful: bool = False,
) -> list[Evidence]:
    """Evidence from every applicable checker: proofs, and an independent look. A proof by algebra makes the decision
    engines unnecessary; beside one by balls they have :data:`BESIDE_BALLS` seconds.

    Of what is ``doubtful``, as a changed claim is, a counter-example is looked for first. Beside one that is certified
    every other engine still has :data:`DISSENT` second to prove the contrary.
    """
    collected: list[Evidence] = []
    for checker in sorted(CHECKERS, key=lambda c: c.name not in REFUTERS) if doubtful else CHECKERS:
        if not applies(checker, obligation):
            continue
        settled = any(e.grade.is_proof for e in collected)
        proved_by = {e.checker for e in collected if e.proves}
        second = checker.grade.is_proof and bool(proved_by)
        decides = checker.name.startswith("decision")
        if settled and (checker.name in LAST_RESORT or (decides and proved_by & IDENTITIES)):
            continue
        look = BESIDE_BALLS if decides and "ball" in proved_by else SECOND_LOOK
        known = known_evidence(cached, obligation, checker)
        if known is None and second:
            known = known_evidence(cached, obligation, checker, look)
        refuted = doubtful and any(e.grade.is_proof and e.outcome is Outcome.refuted for e in collected)
        time = min(limit, DISSENT if refuted else look if second else limit)
        collected.append(known if known is not None else run_checker(checker, obligation, time, second))
    return collected
