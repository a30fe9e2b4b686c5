"""Hostile scripts and statements before Coq's kernel: nothing but the theorem that was asked for is ever believed."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import k, n, o, p, pi, r, x, y, z
from grpo_symbolic.proof.checkers import run_batch
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.coq.script_files import parts
from grpo_symbolic.proof.coq.session import Answer, Attempt, as_coq_reads, judged
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.coq.tokens import Unreadable, only_tactics, sentences
from grpo_symbolic.proof.statements.domain import Domain, reals, simplex
from grpo_symbolic.proof.statements.evidence import Evidence, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, RootCount, Witness

with_coq = pytest.mark.skipif(session.coq_version() is None, reason="coqtop is not installed")
TRUE = Holds(Domain(x > 0), x + 1 > 0)
FALSE = Holds(Domain(x), x > 0)

HIDDEN = [
    'idtac "(*". Axiom cheat : False. idtac "*)". elim cheat.',
    'idtac "(*". Abort. Axiom cheat : forall A : Prop, A. Theorem T0 : True. Proof. (* " *) apply cheat.',
    '(* a (* b *) " *) " *) Admitted.',
    'idtac "a""(*". Admitted. (* " *) lra.',
    "lra. (* not closed",
    'idtac "not closed. Admitted.',
    "lra. *) Admitted.",
    "exact I.(* x *) Admitted.",
    "{ exact I.} Admitted.",
    "lra... Admitted.",
    "lra...",
    "lra.\x0bAdmitted.",
    "lra.\u00a0Admitted.",
    "lra.\x00",
    'fail ". Admitted. ".',
]
COMMANDS = [
    "Admitted.",
    "intros. admit. lra.",
    "lra. Qed. Axiom cheat : False. Theorem T : True.",
    "#[local] Axiom a : False.",
    "Admit Obligations.",
    "Reset Initial.",
    "Abort All. Reset T0. Axiom T0 : 1 = 2.",
    "Restart. lra.",
    "Undo 3.",
    "Back 2.",
    "Set Nested Proofs Allowed.",
    "Unset Guard Checking. lra.",
    "Unset Universe Checking.",
    "Set Default Timeout 100000.",
    "Unset Printing All.",
    "#[bypass_check(guard)] Fixpoint f (n : nat) : False := f n.",
    "Local Axiom a : False.",
    "Polymorphic Axiom a : False.",
    'Tactic Notation "cheat" := admit.',
    "Ltac lra := admit.",
    'Notation "x > y" := True.',
    "Declare Scope s. Delimit Scope s with s.",
    "Open Scope nat_scope.",
    "Definition Rgt := fun _ _ : R => True.",
    "Parameter cheat : False.",
    "Hypothesis cheat : False.",
    "Variable cheat : False.",
    "Context (cheat : False).",
    "Conjecture cheat : False.",
    "Section S. Let a : False. Proof. Admitted.",
    "Module M. Axiom a : False. End M.",
    "Require Import Coq.Logic.Classical.",
    'Load "cheat".',
    'Redirect "T0_0" Check I.',
    'Cd "/tmp".',
    'Add LoadPath "." as X.',
    "Extraction Language Haskell.",
    "Drop.",
    "Quit.",
    "Opaque Rgt.",
    "Time lra.",
    "Fail lra.",
    "Check I.",
    "1: Check I.",
    "all: Check I.",
    "[g]: Check I.",
    "- Axiom a : False.",
    "{ Axiom a : False. }",
    "} Axiom a : False.",
    "+ * - { Admitted.",
    "Qed.",
    "lra. Qed. Theorem U : True. Proof. exact I.",
    "Proof. lra.",
    "admit.",
    "give_up.",
    "all: admit.",
    "intros; try lra; admit.",
    "exact (ltac:(give_up)).",
]


def ask(*obligations: Obligation, stored: dict[str, tuple[str, ...]] | None = None) -> list[Evidence]:
    return run_batch(Coq(stored or {}), obligations)


def judge(*attempts: tuple[Obligation, str]) -> list[Answer]:
    return judged([Attempt(theorem(obligation).text, (script,)) for obligation, script in attempts], 60)


@pytest.mark.parametrize("script", [*HIDDEN, *COMMANDS])
def test_what_is_no_tactic_is_refused(script: str) -> None:
    assert only_tactics(script) is not None
    assert only_tactics(f"intros.\n{script}\nlra.") is not None


@pytest.mark.parametrize(
    "script",
    [
        "intros x K1 K2. lra.",
        'intros. (* Axiom a : False. (* nested *) "*)" *) lra.',
        "assert (0.5 < 1) by lra. exact (Rmult_lt_0_compat _ _ H K).",
        "all: try lra.\n1: nra.\n2-3: lra.\n!: field.\n[goal]: lra.",
        "intros p K1 K2. (* Axiom *)\nassert (H : 0 < p) by lra.\n- { nra. }\n+ lra.",
        "split.\n- lra.\n- { nra. }\n+ lra.\n** lra.\n{ lra. }",
        'idtac "a word, and another". first [ lra | fail 1 "no" ].',
        "(lra || nra); [ lra | .. ].",
        "let H := fresh in pose proof Coq.Reals.Rtrigo_def.exp_pos as H. lra",
        "",
        "(* nothing *)",
    ],
)
def test_tactics_are_let_through(script: str) -> None:
    assert only_tactics(script) is None


def test_sentences_are_those_that_coq_reads() -> None:
    assert list(sentences('intros. idtac "a". (* x. *) exact Coq.Init.Logic.I.\nlra')) == [
        "intros",
        'idtac "a"',
        "exact Coq.Init.Logic.I",
        "lra",
    ]
    assert list(sentences('(* " *) Axiom cheat : False. (* " *) elim cheat.')) == ["elim cheat"]
    with pytest.raises(Unreadable, match="comment that is not closed"):
        list(sentences('lra. (* "*)"'))


@with_coq
@pytest.mark.parametrize("script", [*HIDDEN, *COMMANDS[:11]])
def test_no_hostile_script_proves_what_is_false(script: str) -> None:
    (evidence,) = ask(FALSE, stored={FALSE.key(): (script,)})
    assert not evidence.proves
    assert evidence.outcome is Outcome.unknown
    assert evidence.artefact.startswith("refused")


@with_coq
def test_a_lemma_inside_a_proof_takes_no_name_away(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session.secrets, "token_hex", lambda _: "known")
    other = "assert (True) by (abstract (exact I) using Tknown_1). intros. lra."
    first, second = judge((TRUE, other), (FALSE, "exact I."))
    assert first.script == other
    assert second.reason == "no proof was found"


@with_coq
@pytest.mark.parametrize(
    "body",
    [
        "Abort. Axiom cheat : forall P : Prop, P. Theorem Tknown_0 : 1 = 2. Proof. apply cheat.",
        "Abort. Theorem Tknown_0 : forall x : nat, (x > 0)%nat -> (x > 0)%nat. Proof. auto.",
        'Abort. Notation "x > y" := (x = x). Theorem Tknown_0 : forall x : R, x > 0. Proof. reflexivity.',
        "Abort. Module M. Definition Rgt (a b : R) := True. End M. Import M. "
        "Theorem Tknown_0 : forall x : R, Rgt x 0. Proof. exact (fun _ => I).",
    ],
)
def test_commands_that_slipped_through_would_still_prove_nothing(body: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(session.secrets, "token_hex", lambda _: "known")
    (answer,) = judge((FALSE, body))
    assert answer.reason.startswith("Coq accepted another theorem")


@with_coq
def test_names_of_theorems_cannot_be_foreseen() -> None:
    body = "Abort. Theorem T1_0 : True. Proof. exact I. Qed. Theorem T0 : True. Proof. exact I."
    (answer,) = judge((FALSE, body))
    assert answer.reason == "no proof was found"


@with_coq
def test_what_coq_does_not_understand_is_not_asked(tmp_path: Path) -> None:
    texts = ["forall x : R, x > 0", "forall x : R, x >", "forall x : R, x > y"]
    assert [bool(answer) for answer in as_coq_reads(texts, "T_", tmp_path)] == [True, False, False]
    (answer,) = judged([Attempt("forall x : R, x >", ("intros. lra.",))], 60)
    assert answer.reason == "Coq does not understand the statement"


@with_coq
def test_notations_do_not_hide_a_difference(tmp_path: Path) -> None:
    texts = ["forall x : R, x >= 0", "forall x : R, 0 <= x", "forall x : nat, (x >= 0)%nat", "forall y : R, y >= 0"]
    assert len(set(as_coq_reads(texts, "T_", tmp_path))) == len(texts)


# -- the theorem says all that the sentence says

POSITIVE = sp.Symbol("x", positive=True)


def test_an_end_that_may_be_infinite_is_kept() -> None:
    near = Domain(sp.Rational(2, 5) < x, x < sp.Rational(3, 5))
    text = theorem(RootCount(near, (z - 1) * (z - 5), z, sp.sqrt(2) / x, sp.Integer(4), 1)).text
    assert "((((sqrt 2) * (/ x)) < z) /\\ (z < 4) /\\" in text
    assert "\n  (((sqrt 2) * (/ x)) < 4) /\\" in text


def test_ends_that_are_infinite_are_no_bounds() -> None:
    text = theorem(RootCount(Domain(p > 0), z**2 - p, z, sp.S.NegativeInfinity, sp.oo, 2)).text
    assert "z <" not in text
    assert "< z)" not in text


@pytest.mark.parametrize(
    "obligation",
    [
        RootCount(Domain(p), z**2 - 1, z, sp.oo, sp.S.NegativeInfinity, 0),
        RootCount(Domain(p), z**2 - 1, z, sp.S.Zero, sp.Integer(2), -1),
        RootCount(Domain(p), z**2 - 1, z, sp.S.Zero, 2 * z, 1),
        RootCount(Domain(p), 2 * k - 1, k, sp.S.Zero, sp.S.One, 1),
        RootCount(Domain(p), POSITIVE**2 - 1, POSITIVE, sp.Integer(-2), sp.Integer(2), 1),
        Holds(Domain(x), x + y > 0),
        Holds(Domain(reals(r, 2)), r[3] > 0),
        Holds(Domain(simplex(pi, n), n > -5), pi[o] > 0),
        Witness(Domain(x, y), sp.Gt(x, 0, evaluate=False), ((x, sp.S.One),)),
        Witness(Domain(x), sp.Gt(x + y, 0, evaluate=False), ((x, sp.S.One),)),
    ],
    ids=str,
)
def test_what_would_lose_something_is_not_translated(obligation: Obligation) -> None:
    with pytest.raises(BadInput):
        theorem(obligation)


def test_an_example_satisfies_what_is_assumed_of_its_symbols() -> None:
    whole = theorem(Witness(Domain(k > 0), sp.Eq(2 * k, 1, evaluate=False), ((k, sp.Rational(1, 2)),))).text
    assert "(exists k' : Z, k = IZR k') /\\" in whole


@with_coq
def test_a_whole_number_may_have_any_name() -> None:
    wholes = Holds(Domain(k > 2, o > 2), k * o > 1)
    assert ask(wholes, stored={wholes.key(): ("intros. nra.",)})[0].proves


@with_coq
def test_ends_out_of_order_are_not_proved() -> None:
    reversed_ends = RootCount(Domain(0 < p, p < 1), z - p, z, p + 1, p, 0)
    assert not ask(reversed_ends, stored={reversed_ends.key(): ("intros. split; [lra|]. intro z. split; lra.",)})[
        0
    ].proves
    ordered = replace(reversed_ends, lower=p, upper=p + 1)
    assert ask(ordered, stored={ordered.key(): ("intros. split; [lra|]. intro z. split; lra.",)})[0].proves


@with_coq
def test_a_script_for_one_theorem_proves_no_other() -> None:
    script = "intros. lra."
    near = Identity(Domain(x), x + 1, x + 2)
    assert not ask(near, stored={near.key(): (script,)})[0].proves


def test_kept_scripts_are_read_sentence_by_sentence() -> None:
    from grpo_symbolic.catalogue import builtin_folders

    for file in (f for folder in builtin_folders() for f in folder.glob("*.v")):
        for _, _, tactics in parts(file):
            assert list(sentences(tactics)), file
