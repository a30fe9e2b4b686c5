(** * How many points a set has at most: zeros of a function, by those of its derivative *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules Sentences.
Open Scope R_scope.

(** No [S k] points of the set stand one after the other. *)
Definition at_most (k : nat) (A : R -> Prop) : Prop :=
  forall x : nat -> R, (forall i, (i < k)%nat -> x i < x (S i)) -> (forall i, (i <= k)%nat -> A (x i)) -> False.

Lemma finite_choice : forall (k : nat) (P : nat -> R -> Prop), (forall i, (i <= k)%nat -> exists y, P i y) ->
  exists f : nat -> R, forall i, (i <= k)%nat -> P i (f i).
Proof.
  intros k P. induction k as [|k IH]; intro H.
  - destruct (H 0%nat (Nat.le_refl 0)) as [y Hy]. exists (fun _ => y). intros i Hi.
    replace i with 0%nat by lia. exact Hy.
  - destruct IH as [f Hf]; [intros i Hi; apply H; lia|]. destruct (H (S k) (Nat.le_refl _)) as [y Hy].
    exists (fun i => if Nat.leb i k then f i else y). intros i Hi. destruct (Nat.leb_spec i k) as [L | G].
    + apply Hf. exact L.
    + replace i with (S k) by lia. exact Hy.
Qed.

(** Between two points at which a differentiable function has one value its derivative vanishes. *)
Theorem a_value_is_taken_once_more_than_the_derivative_vanishes : forall (k : nat) (f f' : R -> R) (a b : Rbar) (v : R),
  (forall x, strictly_between a b x -> is_derive f x (f' x)) ->
  at_most k (fun x => strictly_between a b x /\ f' x = 0) -> at_most (S k) (fun x => strictly_between a b x /\ f x = v).
Proof.
  intros k f f' a b v Hd Hk x Hup Hin.
  assert (Between : forall i, (i <= k)%nat -> exists y, x i < y < x (S i) /\ strictly_between a b y /\ f' y = 0).
  { intros i Hi. assert (L : x i < x (S i)) by (apply Hup; lia).
    destruct (Hin i ltac:(lia)) as [I1 E1]. destruct (Hin (S i) ltac:(lia)) as [I2 E2].
    assert (Inside : forall z, x i <= z <= x (S i) -> strictly_between a b z).
    { intros z Hz. exact (strictly_between_interval a b (x i) (x (S i)) z I1 I2 Hz). }
    destruct (mean_value f f' (x i) (x (S i)) L) as [c [Hc Hfc]].
    - apply continuous_on_continuous. intros z Hz. apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)).
      exists (f' z). apply Hd, Inside. exact Hz.
    - intros z Hz. apply Hd, Inside. lra.
    - exists c. split; [exact Hc|]. split; [apply Inside; lra|].
      rewrite E1, E2, Rminus_eq_0 in Hfc. symmetry in Hfc. apply Rmult_integral in Hfc.
      destruct Hfc as [Z | Z]; [exact Z | lra]. }
  destruct (finite_choice k _ Between) as [y Hy]. apply (Hk y).
  - intros i Hi. pose proof (proj2 (proj1 (Hy i ltac:(lia)))). pose proof (proj1 (proj1 (Hy (S i) ltac:(lia)))). lra.
  - intros i Hi. exact (proj2 (Hy i Hi)).
Qed.

Theorem at_most_as_many_as_in_a_larger_set : forall (k : nat) (A B : R -> Prop),
  (forall x, A x -> B x) -> at_most k B -> at_most k A.
Proof. intros k A B H HB x Hup HA. apply (HB x Hup). intros i Hi. apply H, HA, Hi. Qed.

Theorem none_where_there_is_none : forall (A : R -> Prop), (forall x, ~ A x) -> at_most 0 A.
Proof. intros A H x _ HA. exact (H (x 0%nat) (HA 0%nat (Nat.le_refl 0))). Qed.
