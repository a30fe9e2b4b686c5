"""Coq's kernel as a checker: what is true passes, and nothing else does."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from grpo_symbolic.catalogue import builtin_folders, find
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, k, n, o, o_, old, p, pi, t, x, y
from grpo_symbolic.proof.checkers import evidence_key, run_batch, run_checker
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.coq.script_files import parts, required, scripts_beside
from grpo_symbolic.proof.coq.scripts import scripts
from grpo_symbolic.proof.coq.session import Attempt, judged
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.coq.tokens import only_tactics
from grpo_symbolic.proof.registration import registered
from grpo_symbolic.proof.search.sampling import Sampling
from grpo_symbolic.proof.statements.domain import Domain, simplex
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, LimitIs, Obligation, RootCount, Witness
from grpo_symbolic.verification import kernel
from grpo_symbolic.verification.kernel_controls import controls
from grpo_symbolic.verification.mutation import mutants
from grpo_symbolic.verification.store import Store

with_coq = pytest.mark.skipif(session.coq_version() is None, reason="coqtop is not installed")
UNIT = Domain(0 < p, p < 1)
ROOT = sp.sqrt((1 - beta) ** 2 + 4 * beta * p)
TRUE: list[Obligation] = [
    Holds(UNIT, p * (1 - p) <= sp.Rational(1, 4)),
    Holds(Domain(0 < p, p < 1, beta > 0), (1 - beta + ROOT) / 2 > p),
    Holds(Domain(0 < p, p < 1, beta > 0), (1 - beta + ROOT) / 2 >= sp.Max(1 - beta, p)),
    Identity(Domain(t), sp.cosh(t) ** 2 - sp.sinh(t) ** 2, sp.S.One),
    Identity(Domain(x > 0), sp.Derivative(x * sp.log(x), x), 1 + sp.log(x)),
    Witness(Domain(x > 0), sp.Lt(sp.log(x), x, evaluate=False), ((x, sp.S.One),)),
]
FALSE: list[Obligation] = [
    Holds(UNIT, p * (1 - p) < sp.Rational(1, 4)),
    Holds(Domain(0 < p, p < 1, beta > 0), (1 - beta + ROOT) / 2 < p),
    Identity(Domain(t), sp.cosh(t) ** 2 - sp.sinh(t) ** 2, sp.Integer(2)),
    Identity(Domain(x > 0), sp.Derivative(x * sp.log(x), x), sp.log(x)),
    Witness(Domain(x > 0), sp.Gt(sp.log(x), x, evaluate=False), ((x, sp.S.One),)),
    Identity(Domain(t), sp.log(t), sp.log(t)),  # the same number in Coq, and no logarithm where t ≤ 0
]


def ask(
    *obligations: Obligation, stored: dict[str, tuple[str, ...]] | None = None, seconds: float = 60
) -> list[Evidence]:
    return run_batch(Coq(stored or {}, seconds), obligations)


@with_coq
def test_what_is_true_is_accepted_with_its_axioms() -> None:
    for evidence in ask(*TRUE):
        assert (evidence.outcome, evidence.grade) == (Outcome.holds, Grade.kernel), evidence.artefact
        assert "sha256" in evidence.artefact
        assert "ClassicalDedekindReals" in evidence.artefact.splitlines()[1]
        assert evidence.engine.startswith("Coq 8.")


@with_coq
def test_what_is_false_is_unknown_and_hides_nothing_beside_it() -> None:
    *wrong, right = ask(*FALSE, TRUE[0], seconds=10)
    assert [(e.outcome, e.grade) for e in wrong] == [(Outcome.unknown, Grade.none)] * len(FALSE)
    assert right.proves


@with_coq
def test_no_mutant_that_samples_refute_is_accepted() -> None:
    from grpo_symbolic.derivations.vojnovic_yun import eq14_binary_pairs

    claims = {c.id: c for c in registered(eq14_binary_pairs)}
    changed = [m for i in ("vy-eq17", "vy-eq14-lower-bound-strict") for m in mutants(claims[i], 5)]
    obligations = {o.key(): o for m in changed for o in m.obligations}
    refuted = [o for o in obligations.values() if run_checker(Sampling(), o, 20).outcome is Outcome.refuted]
    assert len(refuted) >= 4
    assert not any(e.proves for e in ask(*refuted, seconds=5))


@with_coq
@pytest.mark.parametrize("body", ["Admitted.", "Admitted. Axiom cheat : False."])
def test_admitted_and_other_axioms_are_refused_by_what_coq_prints(body: str) -> None:
    (answer,) = judged([Attempt(theorem(FALSE[0]).text, (body,))], 60)
    assert answer.script is None
    assert "which is no axiom of ℝ" in answer.reason


@with_coq
def test_time_is_limited() -> None:
    endless = "repeat (assert (0 = 0) by reflexivity)."
    (evidence,) = ask(FALSE[0], stored={FALSE[0].key(): (endless,)}, seconds=2)
    assert evidence.outcome is Outcome.unknown
    (answer,) = judged([Attempt(theorem(TRUE[0]).text, (endless,))], 8)
    assert answer.reason == "time limit of the batch"


def test_without_coq_the_grade_is_unavailable(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    monkeypatch.setattr(session, "coq_version", lambda: None)
    (evidence,) = ask(TRUE[0])
    assert evidence.artefact.startswith("unavailable")
    assert not evidence.proves
    assert kernel.stored_proofs(Store(tmp_path), TRUE[0]) == []
    with pytest.raises(BadInput, match="unavailable"):
        kernel.run([])


def test_the_store_gives_back_what_it_was_given_and_nothing_of_another_version(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Path
) -> None:
    store = Store(tmp_path)
    monkeypatch.setattr(session, "coq_version", lambda: "8.16.1")
    proof = Evidence(
        "holds", "", "coq", Grade.kernel, Outcome.holds, "Coq 8.16.1", 1.0, key=evidence_key(TRUE[0], Coq())
    )
    store.put(proof)
    assert kernel.stored_proofs(store, TRUE[0]) == [proof]
    assert kernel.stored_proofs(store, FALSE[0]) == []
    monkeypatch.setattr(session, "coq_version", lambda: "8.17.0")
    assert kernel.stored_proofs(store, TRUE[0]) == []


@pytest.mark.parametrize(
    "obligation",
    [
        Identity(Domain(simplex(pi, n), n >= 2, k >= 1, k < n), pi[n - k], pi[n - k]),
        LimitIs(UNIT, 1 / n, n, sp.oo, "-", sp.S.Zero),
        Holds(Domain(x > 0), sp.cbrt(x) > 0),  # Rpower 0 (1 / 3) is 1
        Holds(Domain(x < 0, k > 0), x**k < 1),  # Rpower needs a positive base
        Identity(Domain(simplex(pi, n), n >= 1), sp.Sum(sp.Derivative(pi[o] ** 2, pi[o]), (o, 1, n)), sp.Integer(2)),
        Identity(
            Domain(simplex(pi, n), n >= 1), sp.Derivative(sp.Sum(pi[o] ** 2, (o, 1, n)), (pi[o], 2)), sp.Integer(2)
        ),
        Identity(Domain(x > 0, y > 0), sp.Derivative(x**2 * y, x, y), 2 * x),
    ],
    ids=str,
)
def test_what_has_no_exact_translation_is_refused(obligation: Obligation) -> None:
    with pytest.raises(Unsupported):
        theorem(obligation)
    if session.coq_version() is not None:
        assert ask(obligation)[0].artefact.startswith("not translated")


def test_definedness_is_part_of_the_theorem() -> None:
    cases = sp.Piecewise((sp.log(x - 1), x > 0), (sp.log(x), x > -1), (sp.S.Zero, True))
    text = theorem(Holds(Domain(x), cases <= 1 / x)).text
    assert "((0 < x) -> (0 < ((- 1) + x)))" in text
    assert "((~ (0 < x)) -> ((- 1) < x) -> (0 < x))" in text
    assert "(x <> 0)" in text


SLOPES: list[tuple[Obligation, Obligation, str]] = [  # what is right, what is wrong, and a script for both
    (
        Holds(Domain(x > 1), sp.Derivative(x**2, x) > 2),
        Holds(Domain(x > 0), sp.Derivative(x**2, x) > 2),
        "intros. exists (2 * x). split; [auto_derive; [exact I | ring] | lra].",
    ),
    (
        Identity(Domain(x > 0), sp.Derivative(x**3, (x, 2)), 6 * x),
        Identity(Domain(x > 0), sp.Derivative(x**3, (x, 2)), 5 * x),
        "intros. split; [apply filter_forall; intros; auto_derive; exact I|]. "
        "apply (is_derive_ext (fun z => 3 * z ^ 2)); [intros z; symmetry; apply is_derive_unique |]; "
        "auto_derive; try exact I; ring.",
    ),
    (
        Identity(Domain(simplex(pi, n), n >= 1), sp.Derivative(sp.Sum(pi[o] ** 2, (o, 1, n)), pi[o_]), 2 * pi[o_]),
        Identity(Domain(simplex(pi, n), n >= 1), sp.Derivative(sp.Sum(pi[o] ** 2, (o, 1, n)), pi[o_]), 3 * pi[o_]),
        "intros. apply (total_in_entry (fun _ y => y ^ 2)); [assumption | auto_derive; [exact I | ring]].",
    ),
]


def test_a_derivative_in_a_formula_is_a_number_that_there_is() -> None:
    text = theorem(Holds(Domain(x > 0), sp.Derivative(x**2, x) + 1 > 0)).text
    assert text.endswith("(exists slope'1 : R, (is_derive (fun x : R => (x ^ 2)) x slope'1) /\\ (0 < (1 + slope'1)))")


def test_a_second_derivative_is_one_of_what_is_a_derivative_nearby() -> None:
    text = theorem(SLOPES[1][0]).text
    assert "(locally x (fun x : R => ex_derive (fun x : R => (x ^ 3)) x)) /\\" in text
    assert "(is_derive (fun x : R => (Derive (fun x : R => (x ^ 3)) x)) x (6 * x))" in text


def test_a_derivative_along_an_entry_moves_it_alone() -> None:
    text = theorem(SLOPES[2][0]).text
    assert "(is_derive_in_entry (fun pi : nat -> R => (total (fun j'1 : nat => ((pi j'1) ^ 2)) n')) pi o_' " in text


@with_coq
@pytest.mark.parametrize(("right", "wrong", "script"), SLOPES)
def test_derivatives_are_accepted_where_they_are_right_and_only_there(
    right: Obligation, wrong: Obligation, script: str
) -> None:
    assert ask(right, stored={right.key(): (script,)})[0].proves
    assert not ask(wrong, stored={wrong.key(): (script,)}, seconds=10)[0].proves


def test_the_expected_claims_are_listed_once() -> None:
    listed = kernel.expected()
    assert len(listed) == len(set(listed))


# -- families of any size, counts of roots

SIMPLEX = Domain(simplex(pi, n), simplex(old, n), n >= 2)
SUMS: list[Obligation] = [
    Identity(SIMPLEX, sp.Sum(3 * pi[o] - old[o], (o, 1, n)), sp.Integer(2)),
    Holds(SIMPLEX, pi[o] < 1),
    RootCount(Domain(0 < p, p < 1), x**2 - p, x, sp.S.Zero, sp.S.One, 1),
]
WRONG_SUMS: list[Obligation] = [
    Identity(SIMPLEX, sp.Sum(3 * pi[o] - old[o], (o, 1, n)), sp.Integer(3)),
    Identity(SIMPLEX, sp.Sum(pi[o] * old[o], (o, 1, n)), sp.S.One),
    Holds(Domain(simplex(pi, n), n >= 1), pi[o] < 1),
    RootCount(Domain(0 < p, p < 1), x**2 - p, x, -sp.S.One, sp.S.One, 1),
]


def test_a_family_of_any_size_is_a_function_and_an_index_runs_over_it() -> None:
    text = theorem(SUMS[1]).text
    assert "forall (n : R) (n' : nat) (o' : nat) (pi : nat -> R) (pi_old : nat -> R)," in text
    assert "(n = INR n')" in text
    assert "(1 <= o' <= n')%nat" in text
    assert "(forall i'0 : nat, (1 <= i'0 <= n')%nat -> 0 < pi i'0)" in text
    assert "((total pi n') = 1)" in text


def test_what_is_summed_must_be_defined_for_every_index() -> None:
    text = theorem(Identity(SIMPLEX, sp.Sum(sp.log(pi[o]), (o, 1, n)), sp.S.Zero)).text
    assert "(forall i'1 : nat, (1 <= i'1 <= n')%nat -> (0 < (pi i'1)))" in text


def test_an_index_that_may_leave_its_family_is_asked_to_lie_in_it() -> None:
    longer = Domain(simplex(pi, n), n >= 2, k >= 2)
    text = theorem(Identity(longer, sp.Sum(pi[o], (o, 1, k)), sp.S.One)).text
    assert "(forall i'1 : nat, (1 <= i'1 <= k')%nat -> (i'1 <= n')%nat) /\\" in text


def test_an_index_that_the_domain_lets_run_over_all_is_one_of_the_entries() -> None:
    text = theorem(Holds(SIMPLEX.also(1 <= o, o <= n, pi[o] < old[o]), pi[o] < 1)).text
    assert "forall (n : R) (n' : nat) (o' : nat) (pi : nat -> R) (pi_old : nat -> R)," in text
    assert "(1 <= o' <= n')%nat ->" in text
    assert "((pi o') < (pi_old o')) ->" in text
    assert text.endswith("((pi o') < 1)")
    shorter = theorem(Holds(SIMPLEX.also(1 <= o, o <= n, k >= 1), sp.Sum(pi[o], (o, 1, k)) + pi[o] > 0)).text
    assert "(1 <= o' <= n')%nat ->" in shorter


def test_an_index_of_a_shorter_family_is_asked_to_lie_in_the_longer() -> None:
    both = Domain(simplex(pi, n), simplex(old, k), n >= 2, k >= 2, 1 <= o, o <= n)
    text = theorem(Holds(both, pi[o] + old[o] > 0)).text
    assert "(o' <= k')%nat /\\" in text
    assert "(o' <= n')%nat /\\" not in text


def test_places_and_ends_of_sums_are_whole_numbers_made_of_others() -> None:
    later = SIMPLEX.also(k >= 1, k < n)
    text = theorem(Holds(later, sp.Sum(pi[o], (o, k + 1, n)) + pi[k + 1] > 0)).text
    rest = "(total (fun j'1 : nat => (pi j'1))"
    assert f"({rest} n') - {rest} k'))" in text
    assert "(pi (1%nat + k')%nat)" in text
    assert "((1 + k) <= n) /\\" in text
    assert "(pi (k' - 1)%nat)" in theorem(Holds(later.also(k >= 2), pi[k - 1] > 0)).text
    with pytest.raises(Unsupported, match="not known to be a number of entries"):
        theorem(Holds(SIMPLEX.also(k >= 0, k < n), pi[k - 1] > 0))


def test_a_limit_is_one_of_a_function_that_is_defined_near_the_point() -> None:
    below = theorem(LimitIs(UNIT, sp.log(x), x, sp.S.Zero, "+", -sp.oo)).text
    assert "((at_right 0) (fun x : R => (0 < x))) /\\" in below
    assert below.endswith("(filterlim (fun x : R => (ln x)) (at_right 0) (Rbar_locally m_infty))")
    far = theorem(LimitIs(UNIT, p - 1 / x, x, sp.oo, "-", p)).text
    assert "((Rbar_locally p_infty) (fun x : R => (x <> 0))) /\\" in far
    assert far.endswith("(Rbar_locally p_infty) (locally p))")
    assert "(at_left p) (locally p))" in theorem(LimitIs(UNIT, x, x, p, "-", p)).text


def test_sums_inside_sums_bind_names_of_their_own() -> None:
    inner = sp.Sum(old[k], (k, 1, n))
    text = theorem(Identity(SIMPLEX, sp.Sum(pi[o] / (pi[o] + inner), (o, 1, n)), sp.S.Zero)).text
    assert "(total (fun j'2 : nat => " in text
    assert "((pi j'2) + (total (fun j'1 : nat => (pi_old j'1)) n'))" in text
    assert "((pi i'1) + (total (fun j'1 : nat => (pi_old j'1)) n')) <> 0" in text


def test_a_batch_that_fails_has_said_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> list[session.Answer]:
        raise OSError("no space left")

    monkeypatch.setattr(session, "coq_version", lambda: "8.16.1")
    monkeypatch.setattr(session, "judged", broken)
    (evidence,) = ask(TRUE[0])
    assert (evidence.outcome, evidence.grade, evidence.key) == (Outcome.unknown, Grade.none, "")


def test_what_holds_whatever_its_cases_are_is_shown_without_them() -> None:
    clipped = sp.Min(x * p, beta)
    (script, _) = scripts(Identity(Domain(x, p, beta), 2 * clipped + x - clipped, x + clipped))
    assert "destruct" not in script
    assert "generalize" in script


def test_a_count_of_roots_says_which_numbers_are_roots_and_that_no_others_are() -> None:
    text = theorem(RootCount(Domain(p > 0), x**2 - p, x, sp.S.NegativeInfinity, sp.oo, 2)).text
    assert "exists x'1 x'2 : R, (x'1 < x'2) /\\ forall x : R" in text
    assert "<-> (x = x'1 \\/ x = x'2)" in text
    assert theorem(RootCount(Domain(p > 0), x**2 + p, x, sp.S.Zero, sp.S.One, 0)).text.endswith("<-> (False)")


@with_coq
def test_sums_and_roots_are_accepted_where_they_are_right_and_only_there() -> None:
    found = ask(*SUMS, *WRONG_SUMS, seconds=10)
    assert [e.proves for e in found] == [True] * len(SUMS) + [False] * len(WRONG_SUMS), [e.artefact for e in found]


ROOTS = sp.sqrt(p / (1 - p)) * sp.sqrt(p) * sp.sqrt(1 - p)
HALF = sp.exp(1 / (2 * x * sp.sqrt(p * (1 - p))))
TILTED = p * sp.exp(1 / x) / (p * sp.exp(1 / x) - p + 1)
LIMITS: list[Obligation] = [
    LimitIs(UNIT, TILTED, x, sp.S.Zero, "+", sp.S.One),  # ∞/∞, by exp(−1/x)
    LimitIs(UNIT, sp.log(x) + p, x, sp.S.Zero, "+", -sp.oo),
    LimitIs(UNIT, (p * x**2 + 1) / (x**2 + x), x, sp.oo, "-", p),  # by 1/x
]
WRONG_LIMITS: list[Obligation] = [
    LimitIs(UNIT, TILTED, x, sp.S.Zero, "+", p),
    LimitIs(UNIT, sp.log(x) + p, x, sp.S.Zero, "+", sp.oo),
    LimitIs(UNIT, (p * x**2 + 1) / (x**2 + x), x, sp.oo, "-", p + 1),
]


@with_coq
def test_limits_are_accepted_where_they_are_right_and_only_there() -> None:
    found = ask(*LIMITS, *WRONG_LIMITS, seconds=10)
    assert [e.proves for e in found] == [True] * len(LIMITS) + [False] * len(WRONG_LIMITS), [e.artefact for e in found]


@with_coq
def test_exponentials_of_one_quotient_and_roots_of_products_are_compared() -> None:
    wide = UNIT.also(x > 0)
    found = ask(
        Identity(wide, sp.exp(1 / (x * sp.sqrt(p * (1 - p)))), HALF**2),
        Identity(UNIT, ROOTS, p),
        Identity(wide, sp.exp(1 / (x * sp.sqrt(p * (1 - p)))), HALF),
        Identity(UNIT, ROOTS, 1 - p),
        seconds=10,
    )
    assert [e.proves for e in found] == [True, True, False, False], [e.artefact for e in found]


# -- scripts beside result files


def result_file(folder: Path, script: str) -> Claim:
    """A claim as from a result file in ``folder``, with a file of scripts beside it."""
    from grpo_symbolic.derivations.vojnovic_yun import eq18_19_derivation

    claims = {c.id: c for c in registered(eq18_19_derivation)}
    place = folder / "vojnovic_yun"
    place.mkdir()
    (place / "eq18_19_derivation.py").write_text('claim("vy-eq19", ...)', encoding="utf-8")
    (place / "eq18_19_derivation.v").write_text(script, encoding="utf-8")
    return claims["vy-eq19"]


LABEL = "it vanishes exactly on (19)"


def beside(tmp_path: Path, script: str) -> dict[str, tuple[str, ...]]:
    return scripts_beside([result_file(tmp_path, script)], [tmp_path / "vojnovic_yun"])


@pytest.mark.parametrize("script", ["Admitted.", "Axiom cheat : False.", "intros. admit."])
def test_a_script_beside_a_result_file_holds_tactics_only(script: str, tmp_path: Path) -> None:
    claim = result_file(tmp_path, f"(* vy-eq19: {LABEL} *)\n{script}\n")
    obligation = next(o for o in required(claim) if o.label == LABEL)
    (evidence,) = ask(obligation, stored=scripts_beside([claim], [tmp_path / "vojnovic_yun"]))
    assert not evidence.proves
    assert evidence.artefact.startswith("refused" if session.coq_version() else "unavailable")


@pytest.mark.parametrize(
    ("script", "says"),
    [
        (f"(* vy-eq20: {LABEL} *)\nlra.", "has a script for vy-eq20, which is no claim"),
        ("(* vy-eq19: somewhere else *)\nlra.", "but the claim has"),
        (f"(* vy-eq19: {LABEL} *)\n", "has no tactics"),
        ("lra.", "begins with 'lra.'"),
    ],
)
def test_a_script_that_belongs_to_nothing_is_bad_input(script: str, says: str, tmp_path: Path) -> None:
    with pytest.raises(BadInput, match=says):
        beside(tmp_path, script)


def test_every_script_that_is_kept_holds_tactics_only() -> None:
    files = [f for folder in builtin_folders() for f in folder.glob("*.v")]
    assert files
    for file in files:
        for _, _, tactics in parts(file):
            assert only_tactics(tactics) is None, file


@with_coq
def test_a_right_script_passes_a_wrong_one_does_not_and_neither_saves_a_changed_claim(tmp_path: Path) -> None:
    claim = result_file(tmp_path, f"(* vy-eq19: {LABEL} *)\nintros. repeat split. lra.\n")
    right = scripts_beside([claim], [f for f in builtin_folders() if f.name == "vojnovic_yun"])
    (obligation,) = [o for o in required(claim) if o.key() in right]
    wrong = scripts_beside([claim], [tmp_path / "vojnovic_yun"])
    assert not ask(obligation, stored=wrong, seconds=10)[0].proves
    assert ask(obligation, stored=right, seconds=10)[0].proves
    (script,) = right[obligation.key()]
    left, right_side = obligation.formula.args  # type: ignore[attr-defined]
    changed = replace(obligation, formula=sp.Equivalent(left, sp.Ne(*right_side.args), evaluate=False))
    assert not ask(changed, stored={changed.key(): (script,)}, seconds=10)[0].proves


@with_coq
def test_no_changed_claim_that_another_checker_refutes_is_accepted() -> None:
    found = controls([find(i) for i in ("vy-B1-gamma0", "pt-dpo-reparametrisation", "mr-lem4")], most=3)
    assert len(found.asked) >= 3
    assert found.accepted == ()
