"""The checkers in the order in which an obligation meets them, and the discharge of one obligation under time limits."""

from __future__ import annotations

import hashlib
import signal
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from functools import lru_cache
from importlib.metadata import version
from pathlib import Path
from typing import Any, Protocol

from grpo_symbolic.proof.algebra import Algebra
from grpo_symbolic.proof.ball import BranchAndBound
from grpo_symbolic.proof.decision import Decision
from grpo_symbolic.proof.evidence import Evidence, Finding, Grade, Outcome
from grpo_symbolic.proof.limits import Closing, Gruntz
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.proof.roots import RootSamples, Sturm
from grpo_symbolic.proof.sampling import ExactWitness, Sampling

LIMIT = 60  # seconds for one checker on one obligation
_PACKAGES = {"SymPy": "sympy", "Z3": "z3-solver", "cvc5": "cvc5", "Arb": "python-flint", "mpmath": "mpmath"}


class Checker(Protocol):
    """One engine with one method of proof (or of sampling)."""

    @property
    def name(self) -> str: ...
    @property
    def engine(self) -> str: ...
    @property
    def grade(self) -> Grade: ...
    @property
    def sources(self) -> tuple[str, ...]: ...
    def applies(self, obligation: Obligation) -> bool: ...
    def check(self, obligation: Obligation) -> Finding: ...


# A last resort runs only when none before it has settled the obligation.
CHECKERS: tuple[Checker, ...] = (
    Algebra(), Sturm(), Gruntz(), ExactWitness(), Decision("Z3"), Decision("cvc5"), RootSamples(), Closing(), Sampling(), BranchAndBound(),
)  # fmt: skip
LAST_RESORT = frozenset({"ball"})


class TimeLimit(Exception):
    """Raised inside a checker when its time is up."""


@contextmanager
def time_limit(seconds: float) -> Iterator[None]:
    """Interrupt Python code after ``seconds`` (main thread of a process on a system with SIGALRM; elsewhere no limit but the pool's)."""

    def interrupt(signum: int, frame: Any) -> None:
        raise TimeLimit

    try:
        previous = signal.signal(signal.SIGALRM, interrupt)
    except (AttributeError, ValueError):
        yield
        return
    signal.setitimer(signal.ITIMER_REAL, seconds)
    try:
        yield
    finally:
        signal.setitimer(signal.ITIMER_REAL, 0)
        signal.signal(signal.SIGALRM, previous)


@lru_cache(maxsize=None)
def engine_of(checker: Checker) -> str:
    """Engine and version, as the ledger prints it."""
    return f"{checker.engine} {version(_PACKAGES[checker.engine])}"


@lru_cache(maxsize=None)
def checker_version(checker: Checker) -> str:
    """A digest of the checker's own source, so that changed code never reuses old evidence."""
    here = Path(__file__).parent
    body = b"".join((here / f"{module}.py").read_bytes() for module in checker.sources)
    return hashlib.sha256(body + repr(checker).encode()).hexdigest()[:16]


def evidence_key(obligation: Obligation, checker: Checker) -> str:
    """The identity of a piece of evidence: statement, domain, checker and engine, with their versions."""
    body = "|".join([obligation.key(), checker.name, checker_version(checker), engine_of(checker)])
    return hashlib.sha256(body.encode()).hexdigest()


def run_checker(checker: Checker, obligation: Obligation, limit: float = LIMIT) -> Evidence:
    """One checker on one obligation: an exception, a NaN or a timeout is ``unknown``, and the grade never exceeds the checker's."""
    begun = time.perf_counter()
    key = evidence_key(obligation, checker)
    try:
        with time_limit(limit):
            finding = checker.check(obligation)
    except TimeLimit:
        finding, key = Finding.unknown(f"time limit of {limit} s"), ""
    except RecursionError:
        finding = Finding.unknown("recursion limit")
    except Exception as error:  # an engine that fails has said nothing
        finding = Finding.unknown(f"{type(error).__name__}: {error}")
    seconds = round(time.perf_counter() - begun, 4)
    grade = checker.grade if finding.grade is None else finding.grade
    if finding.outcome is Outcome.holds:
        grade = min(grade, checker.grade)
    if finding.outcome is Outcome.unknown:
        grade = Grade.none
    return Evidence(
        "holds", obligation.label, checker.name, grade, finding.outcome, engine_of(checker), seconds, finding.seed, finding.digits, finding.domain,
        finding.artefact, key,
    )  # fmt: skip


def discharge(obligation: Obligation, cached: Callable[[str], Evidence | None] = lambda key: None, limit: float = LIMIT) -> list[Evidence]:
    """Evidence from every applicable checker: proofs, and an independent look. A proof by algebra makes the decision engines unnecessary."""
    collected: list[Evidence] = []
    for checker in CHECKERS:
        if not checker.applies(obligation):
            continue
        settled = any(e.grade.is_proof for e in collected)
        if settled and (checker.name in LAST_RESORT or (checker.name.startswith("decision") and collected[0].checker == "algebra")):
            continue
        known = cached(evidence_key(obligation, checker))
        collected.append(known if known is not None else run_checker(checker, obligation, limit))
    return collected
