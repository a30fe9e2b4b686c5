"""The checkers: those whose limits are of work, and those that can only be limited in time."""

from __future__ import annotations

import hashlib
import time
from collections.abc import Callable, Sequence
from contextlib import nullcontext
from dataclasses import replace
from typing import Protocol

from grpo_symbolic.isolation import TimeLimit, time_limit
from grpo_symbolic.proof.check.ball import BranchAndBound
from grpo_symbolic.proof.check.forms import Expansion, Quotients
from grpo_symbolic.proof.check.roots import Sturm
from grpo_symbolic.proof.digest import deciding_code, engine_version
from grpo_symbolic.proof.search.algebra import Algebra
from grpo_symbolic.proof.search.engines import briefly
from grpo_symbolic.proof.search.limits import Closing, Gruntz
from grpo_symbolic.proof.search.recipes import with_z3
from grpo_symbolic.proof.search.root_samples import RootSamples
from grpo_symbolic.proof.search.sampling import ExactWitness, Sampling
from grpo_symbolic.proof.search.solvers import Decision
from grpo_symbolic.proof.statements.evidence import Evidence, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation

LIMIT = 60  # seconds of computing for an engine that counts no work
FEW_BOXES = 400  # on which nearly all is proved that balls prove, in a fiftieth of a second


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


# Whose limits are of work: they say the same on every machine, however busy it is.
STEADY: tuple[Checker, ...] = (
    Quotients(),
    Sturm(),
    Expansion(),
    ExactWitness(),
    BranchAndBound(boxes=FEW_BOXES),
    Decision("Z3"),
    Closing(),
    Sampling(),
    BranchAndBound(),
)
# Who can only be limited in time: asked where the others leave something open, and for a second opinion.
TIMED: tuple[Checker, ...] = (Algebra(), Gruntz(), Decision("cvc5"), RootSamples())
REFUTERS = frozenset({"witness", "sampling"})  # find in no time what is wrong nearly everywhere


def engine_of(checker: Checker) -> str:
    """Engine and version, as the ledger prints it."""
    return f"{checker.engine} {engine_version(checker.engine)}"


def evidence_key(obligation: Obligation, checker: Checker) -> str:
    """The identity of a piece of evidence: statement, domain, checker with its settings, and the code that decides."""
    body = "|".join([obligation.key(), checker.name, repr(checker), engine_of(checker), deciding_code()])
    return hashlib.sha256(body.encode()).hexdigest()


def run_checker(checker: Checker, obligation: Obligation, limit: float = LIMIT) -> Evidence:
    """One checker on one obligation: an exception, a NaN, nonsense or a timeout is ``unknown``, and the grade never
    exceeds the checker's. ``limit``: seconds of computing, for a checker whose own limits are not of work.
    """
    begun = time.perf_counter()
    key, timed_out = evidence_key(obligation, checker), False
    limited = nullcontext() if checker in STEADY else time_limit(limit)
    try:
        with limited, with_z3():
            finding = checker.check(obligation)
            if not (
                isinstance(finding, Finding)
                and isinstance(finding.outcome, Outcome)
                and isinstance(finding.grade, Grade | None)
            ):
                finding, key = Finding.unknown(f"no finding but {finding!r}"), ""
    except TimeLimit:
        finding, key, timed_out = Finding.unknown(f"time limit of {limit} s"), "", True
    except RecursionError:
        finding, key = Finding.unknown("recursion limit"), ""
    except Exception as error:  # an engine that fails gives no answer
        finding, key = Finding.unknown(f"{type(error).__name__}: {error}"), ""
    seconds = round(time.perf_counter() - begun, 4)
    return _evidence(checker, obligation, replace(finding, seconds=seconds), key, timed_out)


def run_batch(checker: BatchChecker, obligations: Sequence[Obligation]) -> list[Evidence]:
    """One checker on many obligations at once, in their order, with the same care as :func:`run_checker`."""
    try:
        findings = checker.check_all(obligations)
        assert len(findings) == len(obligations)
    except Exception as error:  # an engine that fails gives no answer
        return unanswered(checker, obligations, f"{type(error).__name__}: {error}")
    return [recorded(checker, o, f) for o, f in zip(obligations, findings, strict=True)]


def recorded(checker: Checker, obligation: Obligation, finding: Finding) -> Evidence:
    """The evidence that a finding is: of no grade above the checker's."""
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
    cached: Callable[[str], Evidence | None], obligation: Obligation, checker: Checker
) -> Evidence | None:
    """Stored evidence, if it is by this checker and about this obligation."""
    key = evidence_key(obligation, checker)
    stored = cached(key)
    if stored is None or (stored.key, stored.checker, stored.engine) != (key, checker.name, engine_of(checker)):
        return None
    return _capped(stored, checker)


def applies(checker: Checker, obligation: Obligation) -> bool:
    """Whether a checker has something to say of an obligation."""
    try:
        return bool(checker.applies(obligation))
    except Exception:  # then let it try, and fail on the record
        return True


def discharge(obligation: Obligation, limit: float = LIMIT, doubtful: bool = False) -> list[Evidence]:
    """Evidence from every checker whose limits are of work, those by another kind of proof included; where they leave
    the obligation open, from the others too, each in ``limit`` seconds of computing.

    Of what is ``doubtful``, as a changed claim is, a counter-example is looked for first; beside one that is certified
    the engines still may prove the contrary, in less work.
    """
    collected: list[Evidence] = []
    steady = sorted(STEADY, key=lambda c: c.name not in REFUTERS) if doubtful else STEADY
    for checker in (*steady, *TIMED):
        settled = any(e.settles for e in collected)
        if (settled and (checker in TIMED or checker is STEADY[-1])) or not applies(checker, obligation):
            continue
        with briefly() if doubtful else nullcontext():
            collected.append(run_checker(checker, obligation, limit))
    return collected
