(** * Tangents and chords

    A convex function lies above its tangents; a concave one that is positive at two points is so between them. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules.
Open Scope R_scope.

Lemma above_tangent : forall (I : R -> Prop) (f : R -> R) (a q s : R),
  convex_on I f -> I a -> I q -> is_derive f a s -> f a + s * (q - a) <= f q.
Proof.
  intros I f a q s Hf Ha Hq Hs.
  assert (K : s * (q - a) + (f a - f q) <= 0); [|lra].
  apply (right_maximum (fun t => f (a + t * (q - a)) - ((1 - t) * f a + t * f q)) _ 1 Rlt_0_1).
  - evar_last.
    + apply derive_minus.
      * apply (derive_comp f (fun t => a + t * (q - a)) 0 s (q - a)).
        -- replace (a + 0 * (q - a)) with a by ring. exact Hs.
        -- auto_derive; [trivial | ring].
      * instantiate (1 := f q - f a). auto_derive; [trivial | ring].
    + ring.
  - intros t Ht. specialize (Hf q a t Hq Ha ltac:(lra)).
    replace (t * q + (1 - t) * a) with (a + t * (q - a)) in Hf by ring.
    replace (a + 0 * (q - a)) with a by ring. lra.
Qed.

Theorem convex_function_lies_above_its_tangent : forall (I : R -> Prop) (f : R -> R) (a q s left right : R),
  convex_on I f -> I a -> I q -> is_derive f a s -> left - right = f q - (f a + s * (q - a)) -> right <= left.
Proof. intros I f a q s left right Hf Ha Hq Hs E. pose proof (above_tangent I f a q s Hf Ha Hq Hs). lra. Qed.

Theorem concave_function_lies_below_its_tangent : forall (I : R -> Prop) (f : R -> R) (a q s left right : R),
  concave_on I f -> I a -> I q -> is_derive f a s -> left - right = f a + s * (q - a) - f q -> right <= left.
Proof.
  intros I f a q s left right Hf Ha Hq Hs E.
  assert (K : - f a + - s * (q - a) <= - f q); [|lra].
  apply (above_tangent I (fun x => - f x)); try assumption.
  - intros x y t Hx Hy Ht. specialize (Hf x y t Hx Hy Ht). lra.
  - apply (is_derive_opp f), Hs.
Qed.

Theorem concave_function_is_positive_between : forall (f : R -> R) (a b q left right : R),
  concave_on (closed_interval a b) f -> a <= q <= b -> 0 < f a -> 0 < f b -> left - right = f q -> right < left.
Proof.
  intros f a b q left right Hf Hq Ha Hb E. assert (K : 0 < f q); [|lra].
  destruct (Req_dec a b) as [Eab | N].
  - replace q with a by lra. exact Ha.
  - assert (L : 0 < b - a) by lra. set (t := (b - q) / (b - a)).
    assert (Ht : 0 <= t <= 1).
    { unfold t. split; [apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, L]|].
      apply Rmult_le_reg_r with (b - a); [exact L|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    specialize (Hf a b t ltac:(unfold closed_interval; lra) ltac:(unfold closed_interval; lra) Ht).
    replace (t * a + (1 - t) * b) with q in Hf by (unfold t; field; lra).
    destruct (Rle_lt_dec t (1 / 2)); nra.
Qed.
