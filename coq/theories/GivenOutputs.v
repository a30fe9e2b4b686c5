(** * Given the outputs of a group

    Rewards are drawn independently, each from the law of its output. *)

From Coq Require Import Reals Lra Lia List.
From GrpoSymbolic Require Import Sums Policies Groups.
Import ListNotations.

Open Scope R_scope.

(** The expectation of a function of the rewards of a group, given its outputs. *)
Fixpoint given_outputs (rw : rewards) (outputs : list nat) (F : list R -> R) : R :=
  match outputs with
  | [] => F []
  | o :: others => law_expect (rw o) (fun x => given_outputs rw others (fun g => F (x :: g)))
  end.

(** The reward of an output is certain: one number, whatever its law looks like. *)
Definition certain (rw : rewards) (o : nat) (x : R) : Prop := forall f, law_expect (rw o) f = f x.

Lemma given_certain_outputs : forall (rw : rewards) (o : nat -> nat) (r : nat -> R) (members : list nat)
    (F : list R -> R), (forall i, In i members -> certain rw (o i) (r i)) ->
  given_outputs rw (map o members) F = F (map r members).
Proof.
  intros rw o r. induction members as [|i members IH]; intros F H; simpl; [reflexivity|].
  rewrite (H i (or_introl eq_refl)). apply IH. intros j Hj. apply H. right. exact Hj.
Qed.

Theorem advantage_of_certain_rewards : forall (rw : rewards) (o : nat -> nat) (r : nat -> R) (G i : nat),
  (i < G)%nat -> (forall j, (j < G)%nat -> certain rw (o j) (r j)) ->
  let average := Sum G r / INR G in
  given_outputs rw (map o (seq 0 G)) (fun g => advantage g (nth i g 0)) =
    (r i - average) / sqrt (Sum G (fun j => (r j - average) ^ 2) / INR G).
Proof.
  intros rw o r G i Hi Hr average.
  rewrite (given_certain_outputs rw o r) by (intros j Hj; apply in_seq in Hj; apply Hr; lia).
  assert (Hmean : mean (map r (seq 0 G)) = average).
  { unfold mean, average. rewrite map_length, seq_length, <- Sum_list. reflexivity. }
  assert (Hi' : nth i (map r (seq 0 G)) 0 = r i).
  { rewrite (nth_indep _ 0 (r 0%nat)) by (rewrite map_length, seq_length; exact Hi).
    rewrite map_nth, seq_nth by exact Hi. reflexivity. }
  unfold advantage, deviation. rewrite Hi', Hmean. f_equal. f_equal. unfold mean.
  rewrite map_map, map_length, seq_length, <- Sum_list. reflexivity.
Qed.
