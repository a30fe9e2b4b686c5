(** * Sums over pairs

    Matrices of which two entries that mirror each other add up to zero. *)

From Coq Require Import Reals Lra.
From GrpoSymbolic Require Import Sums.

Open Scope R_scope.

Theorem sum_over_pairs_of_an_antisymmetric_matrix : forall (n : nat) (w : nat -> nat -> R) (left right : R),
  left - right = Sum n (fun i => Sum n (fun j => w i j)) ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> w i j + w j i = 0) -> left = right.
Proof.
  intros n w left right Hgap Hw.
  assert (H : Sum n (fun i => Sum n (fun j => w i j)) = - Sum n (fun i => Sum n (fun j => w i j))).
  { rewrite Sum_swap at 1. rewrite <- Sum_opp. apply Sum_ext. intros i Hi. rewrite <- Sum_opp. apply Sum_ext.
    intros j Hj. specialize (Hw i j Hi Hj). lra. }
  lra.
Qed.
