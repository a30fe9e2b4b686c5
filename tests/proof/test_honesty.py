"""The honesty invariants, attacked: lying, raising, hanging and dying checkers, edited evidence, and grades that
nobody may raise.
"""

from __future__ import annotations

import itertools
import threading
import time
from dataclasses import dataclass, replace
from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st
from quarter import TRUE, UNIT, n, pi, x, y

from grpo_symbolic.ledger import Entry, EvidenceRecord
from grpo_symbolic.proof import checkers
from grpo_symbolic.proof.checkers import STEADY, TIMED, TimeLimit, discharge, run_checker
from grpo_symbolic.proof.statements.domain import Domain, simplex
from grpo_symbolic.proof.statements.evidence import (
    UNDEFINED,
    Evidence,
    Finding,
    Grade,
    Origin,
    Outcome,
    Verdict,
    cap,
    combine_crosschecks,
    crosscheck,
    settle,
    verdict_of,
)
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, Obligation


@dataclass(frozen=True)
class Fake:
    """A checker that answers as it is told."""

    answer: Any
    name: str = "fake"
    engine: str = "SymPy"
    grade: Grade = Grade.sampled

    def applies(self, obligation: Obligation) -> bool:
        return True

    def check(self, obligation: Obligation) -> Any:
        return self.answer() if callable(self.answer) else self.answer


def raises(error: BaseException) -> Any:
    def call(*_: Any) -> Any:
        raise error

    return call


# -- a checker ----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("claimed", [Grade.kernel, Grade.decision, Grade.certified])
def test_no_checker_returns_a_grade_above_its_own(claimed: Grade) -> None:
    assert run_checker(Fake(Finding(Outcome.holds, grade=claimed)), TRUE).grade is Grade.sampled
    assert run_checker(Fake(Finding(Outcome.refuted, grade=claimed)), TRUE).grade is Grade.certified


def test_a_weaker_grade_is_kept() -> None:
    assert run_checker(Fake(Finding(Outcome.holds, grade=Grade.swept), grade=Grade.decision), TRUE).grade is Grade.swept


@pytest.mark.parametrize(
    "error",
    [
        ValueError("no"),
        ZeroDivisionError(),
        RecursionError(),
        MemoryError(),
        AssertionError(),
        NotImplementedError(),
        StopIteration(),
    ],
)
def test_a_raising_checker_has_said_nothing(error: BaseException) -> None:
    found = run_checker(Fake(raises(error)), TRUE)
    assert (found.outcome, found.grade, found.key) == (Outcome.unknown, Grade.none, "")


@pytest.mark.parametrize(
    "nonsense",
    [
        None,
        True,
        "holds",
        float("nan"),
        1,
        Outcome.holds,
        Finding(True),
        Finding("holds"),
        Finding(Outcome.holds, grade=5),
    ],
)  # type: ignore[arg-type]
def test_nonsense_is_unknown(nonsense: Any) -> None:
    found = run_checker(Fake(nonsense), TRUE)
    assert (found.outcome, found.grade) == (Outcome.unknown, Grade.none)


def test_unknown_has_no_grade() -> None:
    assert run_checker(Fake(Finding(Outcome.unknown, grade=Grade.kernel)), TRUE).grade is Grade.none


def _swallow() -> Finding:
    end = time.monotonic() + 600
    while time.monotonic() < end:
        try:
            while time.monotonic() < end:
                sum(range(100))
        except Exception:  # as code deep inside a computer algebra system does
            continue
    return Finding(Outcome.holds)


def test_a_time_limit_cannot_be_swallowed() -> None:
    assert not issubclass(TimeLimit, Exception)
    begun = time.monotonic()
    found = run_checker(Fake(_swallow), TRUE, limit=0.3)
    assert (found.outcome, found.grade, found.key) == (Outcome.unknown, Grade.none, "")
    assert time.monotonic() - begun < 5


class _Noisy:
    def __del__(self) -> None:
        end = time.process_time() + 0.4  # an exception raised here is printed and dropped by Python
        while time.process_time() < end:
            pass


def _drop() -> Finding:
    end = time.monotonic() + 600
    thing = _Noisy()
    del thing
    while time.monotonic() < end:
        pass
    return Finding(Outcome.holds)


@pytest.mark.filterwarnings("ignore::pytest.PytestUnraisableExceptionWarning")
def test_an_alarm_that_python_drops_rings_again() -> None:
    assert run_checker(Fake(_drop), TRUE, limit=0.2).outcome is Outcome.unknown


def test_no_alarm_rings_after_the_checker_is_done() -> None:
    run_checker(Fake(Finding(Outcome.holds)), TRUE, limit=0.2)
    time.sleep(0.4)


def test_a_hung_sympy_call_costs_its_limit() -> None:
    hard = sp.expand((x + y + 1) ** 6)

    def hang() -> Finding:
        while True:
            sp.factor(hard + sp.Rational(1, 7) * x)

    assert run_checker(Fake(hang), TRUE, limit=0.5).outcome is Outcome.unknown


def test_outside_the_main_thread_a_checker_still_answers() -> None:
    found: list[Evidence] = []
    thread = threading.Thread(target=lambda: found.append(run_checker(Fake(Finding(Outcome.holds)), TRUE)))
    thread.start()
    thread.join()
    assert found[0].outcome is Outcome.holds


def test_applies_that_raises_leaves_the_others_their_say(monkeypatch: pytest.MonkeyPatch) -> None:
    @dataclass(frozen=True)
    class Broken(Fake):
        def applies(self, obligation: Obligation) -> bool:
            raise RuntimeError("broken")

        def check(self, obligation: Obligation) -> Any:
            raise RuntimeError("broken")

    monkeypatch.setattr(checkers, "STEADY", (Broken(None), *checkers.STEADY))
    found = discharge(TRUE)
    assert found[0].outcome is Outcome.unknown
    assert settle(found)[0] is Outcome.holds


@pytest.mark.parametrize("checker", [*STEADY, *TIMED], ids=lambda c: c.name)
@pytest.mark.parametrize(
    "obligation",
    [
        Holds(UNIT, x < sp.Rational(1, 2)),
        Identity(UNIT, sp.sqrt(x), x),
        Identity(Domain(simplex(pi, n), n >= 2), pi[1], pi[2]),
        LimitIs(Domain(), 1 / x, x, sp.S.Zero, "+", sp.S.One),
    ],
    ids=lambda o: type(o).__name__,
)
def test_no_checker_says_holds_of_what_is_false(checker: Any, obligation: Obligation) -> None:
    if checker.applies(obligation):
        assert run_checker(checker, obligation).outcome is not Outcome.holds


# -- evidence -----------------------------------------------------------------------------------------------------


def piece(outcome: Outcome, grade: Grade, engine: str = "Z3 1") -> Evidence:
    return Evidence("holds", "o", "c", grade, outcome, engine, 0.0)


pieces = st.builds(
    piece,
    st.sampled_from(list(Outcome)),
    st.sampled_from([g for g in Grade if g]),
    st.sampled_from(["Z3 1", "SymPy 1", "Arb 1"]),
).map(lambda e: e if e.outcome is not Outcome.unknown else replace(e, grade=Grade.none))


@given(st.lists(pieces, max_size=6))
@settings(max_examples=300, deadline=None)
def test_settling_never_raises_a_grade(evidence: list[Evidence]) -> None:
    outcome, grade = settle(evidence)
    assert grade <= max((e.grade for e in evidence if e.outcome is outcome), default=Grade.none)
    if outcome is not Outcome.unknown:
        assert any(e.outcome is outcome and e.grade == grade for e in evidence)
    if outcome is Outcome.refuted:
        assert grade.is_proof
        assert not any(e.outcome is Outcome.holds and e.grade.is_proof for e in evidence)


@given(st.lists(pieces, max_size=5), pieces)
@settings(max_examples=200, deadline=None)
def test_more_doubt_never_makes_a_verdict_stronger(evidence: list[Evidence], more: Evidence) -> None:
    order = {Verdict.unknown: 0, Verdict.refuted: 0, Verdict.supported: 1, Verdict.proved: 2}
    if more.outcome is not Outcome.holds:
        assert order[verdict_of([settle([*evidence, more])])] <= order[verdict_of([settle(evidence)])]


@given(st.lists(pieces, max_size=5))
@settings(max_examples=200, deadline=None)
def test_a_proof_against_a_refutation_diverges(evidence: list[Evidence]) -> None:
    proof, refutation = piece(Outcome.holds, Grade.symbolic), piece(Outcome.refuted, Grade.certified, "Arb 1")
    together = [*evidence, proof, refutation]
    assert settle(together) == (Outcome.unknown, Grade.none)
    assert crosscheck(together) == "diverge"


def test_crosschecks_need_two_engines() -> None:
    one = [piece(Outcome.holds, Grade.decision), piece(Outcome.holds, Grade.symbolic)]
    assert crosscheck(one) == "unavailable"
    assert crosscheck([*one, piece(Outcome.unknown, Grade.none, "Arb 1")]) == "incomparable"
    assert crosscheck([*one, piece(Outcome.holds, Grade.sampled, "mpmath 1")]) == "agree"
    assert crosscheck([*one, piece(Outcome.refuted, Grade.sampled, "mpmath 1")]) == "diverge"
    assert crosscheck([]) == "unavailable"


def test_nothing_is_proved_that_has_no_meaning_somewhere() -> None:
    undefined = replace(piece(Outcome.unknown, Grade.none, "mpmath 1"), artefact=f"{UNDEFINED}, such as x = 0")
    for proof in (piece(Outcome.holds, Grade.symbolic), piece(Outcome.holds, Grade.decision)):
        assert settle([proof, undefined]) == (Outcome.unknown, Grade.none)
        assert crosscheck([proof, undefined]) == "diverge"
    assert crosscheck([piece(Outcome.holds, Grade.sampled), undefined]) != "diverge"


def test_the_weakest_crosscheck_counts() -> None:
    for results in itertools.permutations(["agree", "incomparable", "unavailable", "diverge"]):
        assert combine_crosschecks(list(results)) == "diverge"
    assert combine_crosschecks(["agree", "incomparable"]) == "incomparable"
    assert combine_crosschecks(["agree", "unavailable"]) == "unavailable"
    assert combine_crosschecks([]) == "unavailable"


verdicts = st.sampled_from(list(Verdict))
STRENGTH = {v: n for n, v in enumerate((Verdict.unknown, Verdict.supported, Verdict.argued, Verdict.proved))}
STRENGTH |= {Verdict.refuted: 0, Verdict.definition: STRENGTH[Verdict.proved]}


@given(verdicts, st.lists(verdicts, max_size=4))
def test_a_claim_is_no_stronger_than_what_it_rests_on(own: Verdict, others: list[Verdict]) -> None:
    result = cap(own, others)
    if own in (Verdict.refuted, Verdict.definition):
        assert result is own
    else:
        assert STRENGTH[result] == min([STRENGTH[own], *(STRENGTH[o] for o in others)])
        assert result not in (Verdict.refuted, Verdict.definition)


@given(st.lists(pieces, max_size=5), st.lists(st.text(min_size=1), min_size=1, max_size=2))
def test_words_never_prove(evidence: list[Evidence], words: list[str]) -> None:
    plain, argued = verdict_of([settle(evidence)]), verdict_of([settle(evidence)], words)
    assert argued is (Verdict.argued if plain is Verdict.proved else plain)


def test_nothing_shown_is_nothing_proved() -> None:
    assert verdict_of([]) is Verdict.unknown
    assert settle([]) == (Outcome.unknown, Grade.none)
    assert settle([piece(Outcome.holds, Grade.none)]) == (Outcome.unknown, Grade.none)


def test_the_grade_shown_is_the_weakest_link() -> None:
    def entry(*links: tuple[str, Grade]) -> Entry:
        records = [EvidenceRecord("holds", o, "c", grade, Outcome.holds, "e", 0.0) for o, grade in links]
        made = Entry("i", "p", Origin.own, "Sec 1", "t", None, "", "", "identity", Verdict.unknown, None)
        return replace(made, evidence=tuple(records))

    assert entry(("a", Grade.decision), ("a", Grade.sampled), ("b", Grade.sampled)).weakest is Grade.sampled
    assert entry().weakest is Grade.none
