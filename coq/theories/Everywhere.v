(** * What holds in every entry because a sum vanishes *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Policies Sums Rules Limits Sentences.
Open Scope R_scope.

Theorem nothing_is_left_in_any_entry : forall (n : nat) (T f : nat -> R) (G E : nat -> Prop), Sum n T = 0 ->
  (forall i, (i < n)%nat -> G i -> T i = f i) -> (forall i, (i < n)%nat -> 0 <= f i) ->
  (forall i, (i < n)%nat -> f i = 0 -> E i) -> (forall i, (i < n)%nat -> G i) -> forall i, (i < n)%nat -> E i.
Proof.
  intros n T f G E HT Hf Hpos Hzero HG i Hi. apply Hzero; [exact Hi|].
  apply (proj1 (sum_of_nonnegative_terms_vanishes_only_if_all_do n f Hpos)); [|exact Hi].
  rewrite <- HT. apply Sum_ext. intros j Hj. symmetry. apply Hf; [exact Hj | apply HG, Hj].
Qed.
