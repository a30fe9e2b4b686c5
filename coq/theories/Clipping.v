(** The clipped objective of PPO and GRPO. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules.
Open Scope R_scope.

(** The clipped objective of one answer, for ratio x and advantage y. *)
Definition clipped (epsilon x y : R) : R := Rmin (x * y) (clamp (1 - epsilon) (1 + epsilon) x * y).

Lemma clipped_positive : forall epsilon x y, 0 <= epsilon -> 0 < y -> clipped epsilon x y = y * Rmin x (1 + epsilon).
Proof.
  intros epsilon x y He Hy. unfold clipped. set (c := clamp (1 - epsilon) (1 + epsilon) x).
  assert (E : Rmin (x * y) (c * y) = y * Rmin x c).
  { unfold Rmin. destruct (Rle_dec x c) as [H | H], (Rle_dec (x * y) (c * y)) as [H' | H']; try ring.
    - exfalso. apply H'. apply Rmult_le_compat_r; lra.
    - exfalso. apply H. apply Rmult_le_reg_r with y; lra. }
  rewrite E. f_equal. unfold c, clamp. destruct (Rle_or_lt x (1 + epsilon)) as [H | H].
  - rewrite (Rmin_right (1 + epsilon) x), (Rmin_left x (1 + epsilon)) by lra. apply Rmin_left, Rmax_r.
  - rewrite (Rmin_left (1 + epsilon) x), (Rmin_right x (1 + epsilon)), Rmax_right by lra. apply Rmin_right. lra.
Qed.

Lemma clipped_negative : forall epsilon x y, 0 <= epsilon -> 0 < y ->
  clipped epsilon x (- y) = - (y * Rmax x (1 - epsilon)).
Proof.
  intros epsilon x y He Hy. unfold clipped. set (c := clamp (1 - epsilon) (1 + epsilon) x).
  assert (E : Rmin (x * - y) (c * - y) = - (y * Rmax x c)).
  { unfold Rmin, Rmax. destruct (Rle_dec x c) as [H | H], (Rle_dec (x * - y) (c * - y)) as [H' | H']; try ring.
    - assert (c <= x) by (apply Rmult_le_reg_r with y; lra). replace c with x by lra. ring.
    - exfalso. apply H'. assert (c * y <= x * y) by (apply Rmult_le_compat_r; lra). lra. }
  rewrite E. do 2 f_equal. unfold c, clamp. destruct (Rle_or_lt x (1 - epsilon)) as [H | H].
  - rewrite (Rmin_right (1 + epsilon) x), (Rmax_left (1 - epsilon) x) by lra. reflexivity.
  - rewrite (Rmax_left x (1 - epsilon)) by lra. apply Rmax_left. apply Rmax_lub; [lra | apply Rmin_r].
Qed.

Lemma clipped_zero : forall epsilon x, clipped epsilon x 0 = 0.
Proof. intros epsilon x. unfold clipped. rewrite !Rmult_0_r. apply Rmin_left. lra. Qed.

(** Inside the range nothing is clipped. *)
Lemma clipped_inside : forall epsilon x y, 0 <= epsilon -> 1 - epsilon <= x <= 1 + epsilon ->
  clipped epsilon x y = x * y.
Proof.
  intros epsilon x y He Hx. unfold clipped, clamp.
  rewrite (Rmin_right (1 + epsilon) x), (Rmax_right (1 - epsilon) x) by lra. apply Rmin_left. lra.
Qed.
