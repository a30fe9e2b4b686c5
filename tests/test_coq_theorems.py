"""The theorems of ``coq/`` beside the claims of their names: what a theorem says implies what the claim says."""

from __future__ import annotations

import re
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

import pytest

from grpo_symbolic.catalogue import find, ids
from grpo_symbolic.proof.checkers import run_checker
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.evidence import Outcome
from grpo_symbolic.proof.obligation import Obligation
from grpo_symbolic.proof.sampling import Sampling
from grpo_symbolic.verification.mutation import mutants

THEORIES = Path(__file__).parents[1] / "coq" / "theories"
PAPERS = ("VojnovicYun", "Mroueh", "Patel", "Own", "Numbers")
ENDING = re.compile(r"_(needed|exists|stationary|limit)$")

HEADER = f"""
From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions {" ".join(PAPERS)}.
Open Scope R_scope.

Lemma as_printed beta guard p_ref p : success_map beta guard p_ref p
  = / (1 + / p_ref * (1 + - 1 * p_ref) * exp (- 1 * (/ beta * / sqrt (guard + p * (1 + - 1 * p))))).
Proof.
  unfold success_map, Rdiv. rewrite !Rmult_1_l. replace (p * (1 - p) + guard) with (guard + p * (1 + - 1 * p)) by ring.
  do 2 f_equal. rewrite (Rmult_comm (/ p_ref)). f_equal; [ring | f_equal; ring].
Qed.

Ltac premises := repeat split; lra.
Ltac eq14_as_printed b T := cbv zeta in T; unfold eq14 in T; replace (b / 1) with b in T by field.
"""

# A theorem at these arguments, and arithmetic: the proof of each obligation of the claim, in their order.
_FIXED = (
    "apply mr_abs_amplify with beta guard; [lra | lra | lra | lra | rewrite as_printed, <- Rmult_assoc; assumption]"
)
_STRICT = "pose proof (vy_eq14_lower_bound_strict b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T; eq14_as_printed b T"
_EVERY = "rewrite <- as_printed; apply mr_thm3_every_p; premises"
SCRIPTS: dict[str, tuple[str, ...]] = {
    "vy-eq14-lower-bound": (
        "pose proof (vy_eq14_lower_bound b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T; eq14_as_printed b T; "
        "rewrite Rmax_comm; replace (1 + - 1 * b) with (1 - b) by ring; lra",
    ),
    "vy-eq14-lower-bound-strict": (
        f"{_STRICT}; rewrite Rmax_comm; replace (1 + - 1 * b) with (1 - b) by ring; lra",
        f"{_STRICT}; replace (1 + - 1 * b) with (1 - b) by ring; lra",
        f"{_STRICT}; replace (1 + - 1 * b) with (1 - b) by ring; lra",
    ),
    "vy-s231-bounds-compare": (
        "destruct (vy_s231_bounds_compare beta ltac:(lra)) as [T _]; lra",
        "destruct (vy_s231_bounds_compare beta ltac:(lra)) as [_ T]; rewrite !(Rmax_comm p); "
        "replace (1 + - 1 * beta * / gamma) with (1 - beta / gamma) by (unfold Rdiv; ring); apply T; premises",
    ),
    "mr-thm3-every-p": (f"subst; {_EVERY}",),
    "mr-abs-amplify": (f"subst; {_EVERY}", _FIXED),
    "mr-thm3-case1": (_FIXED.replace("mr_abs_amplify", "mr_thm3_case1"),),
}

built = pytest.mark.skipif(
    shutil.which("coqc") is None or not all((THEORIES / f"{name}.vo").is_file() for name in PAPERS),
    reason="coq/ is not compiled: make -C coq, which needs Coq 8.16 (coq/README.md)",
)


def names(paper: str) -> list[str]:
    return re.findall(r"^Theorem (\w+)", (THEORIES / f"{paper}.v").read_text(encoding="utf-8"), re.MULTILINE)


def stated(obligation: Obligation) -> str:
    """The obligation as a proposition of Coq; that it is defined is shown by its checkers, and supposed here."""
    found = theorem(obligation)
    assert not found.others
    supposed = "".join(f"{part} -> " for part in (*found.hypotheses, *found.defined))
    return f"forall ({' '.join(found.variables)} : R), {supposed}{found.goal}"


def obligations(claim: Claim) -> list[Obligation]:
    return list(claim.statement.obligations(claim.domain))


def compiles(folder: Path, lines: Iterable[str]) -> str:
    """What Coq has against a file, or nothing."""
    (folder / "compared.v").write_text("\n".join([HEADER, *lines, ""]), encoding="utf-8")
    command = ["coqc", "-w", "none", "-Q", str(THEORIES), "GrpoSymbolic", "compared.v"]
    done = subprocess.run(command, cwd=folder, capture_output=True, text=True, timeout=120, check=False)
    return done.stderr if done.returncode else ""


def test_every_theorem_of_a_paper_has_the_name_of_a_claim() -> None:
    known = {id.replace("-", "_").lower() for id in ids()}
    found = [name for paper in PAPERS for name in names(paper)]
    assert len(found) == len(set(found))
    assert [name for name in found if not {name.lower(), ENDING.sub("", name).lower()} & known] == []
    assert {id.replace("-", "_") for id in SCRIPTS} <= set(found)


@built
def test_these_theorems_imply_their_claims(tmp_path: Path) -> None:
    lines = []
    for id, scripts in SCRIPTS.items():
        for obligation, script in zip(obligations(find(id)), scripts, strict=True):
            lines.append(f"Goal {stated(obligation)}. Proof. intros. {script}. Qed.")
    assert compiles(tmp_path, lines) == ""


@built
def test_no_theorem_implies_a_changed_claim(tmp_path: Path) -> None:
    claim = find("vy-s231-bounds-compare")
    script = SCRIPTS[claim.id][0]
    changed = [o for m in mutants(claim, 5) for o in m.obligations]
    false = [o for o in changed if run_checker(Sampling(), o, 20).outcome is Outcome.refuted]
    assert false
    lines = [f"Goal {stated(o)}. Proof. intros. Fail solve [{script}]. Abort." for o in false]
    assert compiles(tmp_path, lines) == ""
