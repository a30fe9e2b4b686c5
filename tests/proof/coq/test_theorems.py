"""The theorems of ``coq/`` beside the claims of their names: what a theorem says implies what the claim says."""

from __future__ import annotations

import re
import shutil
from dataclasses import replace
from pathlib import Path

import pytest

import grpo_symbolic as gs
from grpo_symbolic.catalogue import find, ids
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import x
from grpo_symbolic.proof import Always, Domain
from grpo_symbolic.proof.checkers import recorded, run_checker
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.development import Development, FromTheorem, check_together
from grpo_symbolic.proof.search.sampling import Sampling
from grpo_symbolic.proof.statements.evidence import Evidence, Finding, Grade, Outcome
from grpo_symbolic.session import Session
from grpo_symbolic.verification import theorems
from grpo_symbolic.verification.mutation import mutants
from grpo_symbolic.verification.store import Store

PAPERS = ("VojnovicYun", "GroupSizes", "Mroueh", "Dynamics", "Patel", "TrustRegions", "GroupLosses", "Own", "Numbers")
ENDING = re.compile(r"_(needed|exists|stationary|limit)$")
HERE = Development()
SMALL = ("vy-s231-bounds-compare", "pt-clip-def", "mr-thm3-every-p")

built = pytest.mark.skipif(
    shutil.which("coqc") is None or not all(map(HERE.is_compiled, PAPERS)),
    reason="coq/ is not compiled: make -C coq, which needs Coq 8.16 (coq/README.md)",
)


def test_every_theorem_of_a_paper_has_the_name_of_a_claim() -> None:
    known = {id.replace("-", "_").lower() for id in ids()}
    found = [name for name, file in HERE.theorems.items() if file in PAPERS]
    assert [name for name in found if not {name.lower(), ENDING.sub("", name).lower()} & known] == []
    assert set(HERE.scripts) <= set(ids())


def test_the_count_of_a_run_ends_at_its_total(monkeypatch: pytest.MonkeyPatch) -> None:
    """Without Coq: every task is lost, and counted."""
    monkeypatch.setattr(theorems.kernel, "check_available", lambda: None)
    monkeypatch.setattr(theorems.session, "compiled", lambda: None)
    monkeypatch.setattr(Development, "library", None)
    for module in (theorems, theorems.kernel):
        monkeypatch.setattr(module, "run_tasks", lambda tasks, jobs: ((n, None) for n in range(len(tasks))))
    counted: list[tuple[int, int]] = []
    theorems.run([find(id) for id in SMALL], progress=lambda done, total, what: counted.append((done, total)))
    assert [done for done, _ in counted] == list(range(1, len(counted) + 1))
    assert {total for _, total in counted} == {len(counted)}


@pytest.mark.slow("the list of theorems that were only read is complete")
@pytest.mark.xdist_group("all claims")
def test_the_page_names_the_whole_claims_whose_theorem_was_only_read() -> None:
    page = (HERE.folder / "README.md").read_text(encoding="utf-8")
    section = page[page.index("## Beside the claims") : page.index("## Where a theorem differs")]
    read = re.findall(r"`((?:vy|mr|pt|by)-[\w-]+)`", section)
    named = [find(id) for id in ids() if HERE.theorem_of(id) and id not in HERE.scripts]
    assert sorted(read) == sorted(c.id for c in named if theorems.is_whole(c))
    assert [id for id in ("vy-eq7", "mr-lem1") if not theorems.is_whole(find(id))] == []


def test_the_page_leads_from_each_result_to_its_theorems() -> None:
    page = (HERE.folder / "README.md").read_text(encoding="utf-8")
    section = page[page.index("## Result by result") : page.index("## Beside the claims")]
    rows = [re.findall(r"`(\w+)`", row) for row in section.splitlines() if row.startswith("| ") and "| |" not in row]
    named = [name for row in rows[1:] for name in row]
    assert all(rows[1:])
    assert len(named) == len(set(named)) > 60
    assert [name for name in named if HERE.theorems.get(name) not in PAPERS] == []


@built
def test_these_claims_follow_from_their_theorems() -> None:
    asked = [pair for id in SMALL for pair in theorems.asked(find(id))]
    assert len(asked) == 6
    assert [f.artefact for f in check_together(asked, HERE) if f.outcome is not Outcome.holds] == []


@built
def test_no_theorem_implies_a_changed_claim() -> None:
    claim = find(SMALL[0])
    checker, _ = theorems.asked(claim)[0]
    changed = [o for m in mutants(claim, 5) for o in m.obligations]
    false = [o for o in changed if run_checker(Sampling(), o, 20).outcome is Outcome.refuted]
    assert false
    found = check_together([(checker, o) for o in false], HERE)
    assert {f.artefact for f in found} == {"no proof was found"}


@built
def test_a_proof_that_does_without_the_theorem_is_none_from_it() -> None:
    checker, obligation = theorems.asked(find(SMALL[0]))[-1]  # the sentence
    by_itself = (
        "intros. assert (H0 : 0 < 1 + beta ^ 2) by nra. split; [lra|].\n"
        "apply (Rmult_lt_reg_r (1 + beta ^ 2)); [lra|]. rewrite Rinv_l by lra. nra."
    )
    alone, command = replace(checker, script=by_itself), replace(checker, script="Admitted.")
    found = check_together([(alone, obligation), (command, obligation)], HERE)
    assert [f.outcome for f in found] == [Outcome.unknown] * 2
    assert found[0].artefact == "the proof does without VojnovicYun.vy_s231_bounds_compare"
    assert found[1].artefact.startswith("refused")


@built
@pytest.mark.parametrize(
    "script",
    [
        "intros. pose proof vy_s231_bounds_compare as H0. clear H0. nra.",
        "intros. assert True as _ by (pose proof vy_s231_bounds_compare; exact I). nra.",
        "refine ((fun _ => _) vy_s231_bounds_compare). intros. nra.",
    ],
)
def test_a_theorem_that_is_taken_up_and_thrown_away_is_not_used(script: str) -> None:
    checker, _ = theorems.asked(find(SMALL[0]))[0]
    (obligation,) = Always(x**2 + 1 > x).obligations(Domain(x))
    (found,) = check_together([(replace(checker, script=script), obligation)], HERE)
    assert found.artefact == "the proof does without VojnovicYun.vy_s231_bounds_compare"


def proved(checker: FromTheorem, obligation: object) -> Evidence:
    return recorded(checker, obligation, Finding(Outcome.holds, artefact="as Coq would say"))  # type: ignore[arg-type]


def test_the_grade_is_of_this_theorem_as_it_stands(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "coq_version", lambda: "8.16.1")
    claim = find(SMALL[0])
    store = Store(tmp_path)
    asked = theorems.asked(claim)
    for checker, obligation in asked[:1]:
        store.put(proved(replace(checker, sources="of an earlier day"), obligation))
    assert theorems.stored_proofs(store, claim) == {}
    for checker, obligation in asked:
        assert theorems.theorem_for(claim, lambda o: list(theorems.stored_proofs(store, claim).values())[:0]) == ""
        store.put(proved(checker, obligation))
    known = theorems.stored_proofs(store, claim)
    assert {e.grade for e in known.values()} == {Grade.kernel}
    assert theorems.theorem_for(claim, lambda o: [known[o.key()]]) == "VojnovicYun.vy_s231_bounds_compare"
    assert theorems.theorem_for(claim, lambda o: [replace(known[o.key()], checker="coq")]) == ""
    words = replace(claim, lemmas=("so it follows",))
    assert theorems.theorem_for(words, lambda o: [known[o.key()]]) == ""
    with pytest.raises(BadInput, match="rule or words"):
        theorems.asked(words)


def test_a_claim_that_follows_is_exported_as_its_theorem(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "coq_version", lambda: "8.16.1")
    there = Session(store=Store(tmp_path))
    plain = gs.export(SMALL[0], to="coq", session=there)
    assert "Definition vy_s231_bounds_compare_1 : Prop" in plain
    for checker, obligation in theorems.asked(find(SMALL[0])):
        there.store.put(proved(checker, obligation))
    entry = there.verify([SMALL[0]], jobs=1).ledger.entry(SMALL[0])
    assert entry.in_coq == "the sentence follows from VojnovicYun.vy_s231_bounds_compare of coq/theories"
    assert gs.export(SMALL[0], to="coq", session=there).splitlines()[-3:] == [
        "From GrpoSymbolic Require Import Definitions VojnovicYun.",
        "Check vy_s231_bounds_compare.",
        "Print Assumptions vy_s231_bounds_compare.",
    ]
