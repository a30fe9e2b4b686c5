(** Numbers: what needs enclosures of logarithms.

    In a file of its own, since coqchk repeats the computation without the machine that makes it fast. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import VojnovicYun Enclosures.
Open Scope R_scope.

(** beta*(1/2) lies between 1.508879 and 1.508880. *)
Theorem vy_B2_threshold_half : forall b, 0 < b -> pstar b = 1 / 2 -> 1508879 / 1000000 < b < 1508880 / 1000000.
Proof.
  intros b Hb H. destruct vy_B2_threshold as (Inc & _).
  assert (Z : lowest b = 0).
  { pose proof (logit_pstar b Hb) as L. rewrite H in L. replace (1 / 2 / (1 - 1 / 2)) with 1 in L by field.
    rewrite ln_1 in L. lra. }
  assert (A : 0 < lowest (1508879 / 1000000)) by (unfold lowest, turn; interval with (i_prec 60)).
  assert (B : lowest (1508880 / 1000000) < 0) by (unfold lowest, turn; interval with (i_prec 60)).
  split; apply Rnot_le_lt; intros [K|K].
  - pose proof (lowest_decreasing b (1508879 / 1000000) ltac:(lra)). lra.
  - subst b. lra.
  - pose proof (lowest_decreasing (1508880 / 1000000) b ltac:(lra)). lra.
  - subst b. lra.
Qed.
