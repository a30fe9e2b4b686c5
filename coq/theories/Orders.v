(** * Comparisons *)

From Coq Require Import Reals Lra Lia.
From GrpoSymbolic Require Import Sums.

Open Scope R_scope.

Theorem same_order_if_differences_are_in_proportion : forall a b c d k : R, 0 < k -> a - b = k * (c - d) ->
  (a <= b <-> c <= d) /\ (a < b <-> c < d) /\ (a = b <-> c = d).
Proof. intros a b c d k Hk H. repeat split; intro; nra. Qed.

(** One of the terms, that at [at_], is positive, and none is negative. *)
Theorem more_by_positive_terms : forall (n at_ : nat) (f : nat -> R) (left right : R), left - right = Sum n f ->
  (forall i, (i < n)%nat -> 0 <= f i) -> (at_ < n)%nat -> 0 < f at_ -> right < left.
Proof.
  intros n at_ f left right Hgap H Hat Hpos. pose proof (Sum_pos n f at_ H Hat Hpos). lra.
Qed.

(** [f] and [g] keep the values of two functions: so they send minimisers to minimisers. *)
Theorem values_that_are_kept_keep_minimisers : forall (X Y : Type) (D : X -> Prop) (E : Y -> Prop) (F : X -> R)
    (H : Y -> R) (f : X -> Y) (g : Y -> X),
  (forall x, D x -> E (f x)) -> (forall y, E y -> D (g y)) ->
  (forall x, D x -> H (f x) = F x) -> (forall y, E y -> F (g y) = H y) ->
  (forall x, D x -> ((forall x', D x' -> F x <= F x') <-> (forall y, E y -> H (f x) <= H y))) /\
  (forall y, E y -> ((forall y', E y' -> H y <= H y') <-> (forall x, D x -> F (g y) <= F x))).
Proof.
  intros X Y D E F H f g Hf Hg HF HH. split; [intros x Hx | intros y Hy]; split; intros Hmin z Hz.
  - rewrite (HF x Hx), <- (HH z Hz). auto.
  - rewrite <- (HF x Hx), <- (HF z Hz). auto.
  - rewrite (HH y Hy), <- (HF z Hz). auto.
  - rewrite <- (HH y Hy), <- (HH z Hz). auto.
Qed.

Theorem falls_then_rises_is_least : forall (I : R -> Prop) (f : R -> R) (x : R), I x ->
  (forall y z, I y -> I z -> y <= x -> z <= x -> y <= z -> f z <= f y) ->
  (forall y z, I y -> I z -> x <= y -> x <= z -> y <= z -> f y <= f z) -> f x = 0 -> forall y, I y -> 0 <= f y.
Proof.
  intros I f x Hx Hfall Hrise H0 y Hy. rewrite <- H0. destruct (Rle_or_lt y x) as [Hyx | Hxy].
  - apply Hfall; auto; lra.
  - apply Hrise; auto; lra.
Qed.

Theorem more_by_positive_factors : forall (factors : list R) (left right : R),
  left - right = List.fold_right Rmult 1 factors -> List.Forall (fun x => 0 < x) factors -> right < left.
Proof.
  intros l left right E H. assert (P : 0 < List.fold_right Rmult 1 l); [|lra].
  clear E. induction H as [|x l Hx H IH]; simpl; [lra | apply Rmult_lt_0_compat; assumption].
Qed.
