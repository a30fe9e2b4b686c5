(** * What clipping changes

    Nothing near the old policy; and, where the penalty is convex, nothing of which policy is the maximum of its own
    objective. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Spaces LargeGroups Programs.
Import ListNotations.

Open Scope R_scope.

Definition mix (t : R) (pi old : nat -> R) : nat -> R := fun o => t * pi o + (1 - t) * old o.

Lemma mean_of_mixture : forall (A : Type) (t : R) (f g h : A -> R) (s : list A),
  (forall a, h a = t * f a + (1 - t) * g a) ->
  mean (map h s) = t * mean (map f s) + (1 - t) * mean (map g s).
Proof.
  intros A t f g h s H. unfold mean. rewrite !map_length.
  assert (E : list_sum (map h s) = t * list_sum (map f s) + (1 - t) * list_sum (map g s)).
  { induction s as [| a s IH]; simpl; [ring|]. rewrite IH, H. ring. }
  rewrite E. unfold Rdiv. ring.
Qed.

Lemma average_of_mixture : forall adv t pi old s, unclipped_average adv (mix t pi old) old s =
  t * unclipped_average adv pi old s + (1 - t) * unclipped_average adv old old s.
Proof. intros adv t pi old s. apply mean_of_mixture. intros m. unfold mix, Rdiv. ring. Qed.

Lemma mixture_has_full_support : forall n t pi old, 0 <= t <= 1 -> full_support n pi -> full_support n old ->
  full_support n (mix t pi old).
Proof.
  intros n t pi old Ht [Hp Sp] [Ho So]. split.
  - intros o Hn. specialize (Hp o Hn). specialize (Ho o Hn). unfold mix.
    destruct (Rle_lt_dec t (1 / 2)); nra.
  - unfold mix. rewrite Sum_plus, !Sum_scal, Sp, So. ring.
Qed.

(** The clipped and the unclipped average are one function around the old policy, so they have the same derivatives
    there. *)
Theorem clipping_is_idle_around_the_old_policy : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R)
    (n : nat) (old : nat -> R) (S : list member -> Prop) (M L : (list member -> R) -> Prop)
    (E : (list member -> R) -> R), probability S M L E -> groups_of_outputs n S -> 0 < epsilon ->
  full_support n old -> (forall pi, L (unclipped_average adv pi old)) ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  exists r, 0 < r /\ forall pi, (forall o, (o < n)%nat -> Rabs (pi o - old o) < r) ->
    has L E (clipped_average c adv pi old) (E (unclipped_average adv pi old)).
Proof. exact clipping_is_idle. Qed.

(** Of the policies with full support. [D] is minus the penalty, a sum of concave functions of one probability each. *)
Theorem clipping_keeps_maxima_under_a_convex_penalty : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R)
    (n : nat) (old : nat -> R) (d : nat -> R -> R) (S : list member -> Prop) (M L : (list member -> R) -> Prop)
    (E : (list member -> R) -> R), probability S M L E -> groups_of_outputs n S -> 0 < epsilon ->
  full_support n old -> (forall pi, L (unclipped_average adv pi old)) ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  (forall pi, L (clipped_average c adv pi old)) -> (forall x y, c x y <= x * y) ->
  (forall o x y t, (o < n)%nat -> 0 < x -> 0 < y -> 0 <= t <= 1 ->
    t * d o x + (1 - t) * d o y <= d o (t * x + (1 - t) * y)) ->
  let D pi := Sum n (fun o => d o (pi o)) in
  let J pi := E (unclipped_average adv pi old) + D pi in
  let clipped_J pi := E (clipped_average c adv pi old) + D pi in
  (forall pi, full_support n pi -> J pi <= J old) <-> (forall pi, full_support n pi -> clipped_J pi <= clipped_J old).
Proof.
  intros c adv epsilon n old d S M L E P HS He Hold Hadv Hc Hl Hle Hd D J clipped_J.
  destruct (clipped_as_unclipped c adv epsilon n old D S M L E P HS He Hold Hadv Hc) as [r [Hr Hnear]].
  fold clipped_J J in Hnear.
  assert (Hat : clipped_J old = J old) by exact (clipped_at_old c adv epsilon n old D S M L E P HS He Hold Hadv Hc).
  pose proof (full_support_policy _ _ Hold) as Hp.
  split; intros H pi Hpi.
  - rewrite Hat. eapply Rle_trans; [|apply H, Hpi].
    exact (clipping_never_adds c adv n old D S M L E P HS Hadv pi (Hl pi) Hle).
  - set (t := Rmin 1 (r / 2)).
    assert (Ht : 0 < t <= 1) by (unfold t; split; [apply Rmin_pos; lra | apply Rmin_l]).
    assert (Htr : t <= r / 2) by apply Rmin_r.
    assert (Hmix : full_support n (mix t pi old)) by (apply mixture_has_full_support; [lra | assumption | assumption]).
    assert (Hsame : clipped_J (mix t pi old) = J (mix t pi old)).
    { apply Hnear. intros o Ho. unfold mix.
      replace (t * pi o + (1 - t) * old o - old o) with (t * (pi o - old o)) by ring.
      rewrite Rabs_mult, (Rabs_right t) by lra.
      assert (Rabs (pi o - old o) <= 1).
      { pose proof (policy_le_1 _ _ o (full_support_policy _ _ Hpi) Ho). pose proof (policy_le_1 _ _ o Hp Ho).
        pose proof (proj1 Hpi o Ho). pose proof (proj1 Hold o Ho). apply Rabs_le. lra. }
      pose proof (Rabs_pos (pi o - old o)). nra. }
    assert (Hconcave : t * D pi + (1 - t) * D old <= D (mix t pi old)).
    { unfold D. rewrite <- !Sum_scal, <- Sum_plus. apply Sum_le. intros o Ho.
      apply Hd; [exact Ho | apply Hpi, Ho | apply Hold, Ho | lra]. }
    assert (Hlinear : E (unclipped_average adv (mix t pi old) old)
      = t * E (unclipped_average adv pi old) + (1 - t) * E (unclipped_average adv old old)).
    { refine (proj2 (has_ext P _ _ _ _ (has_plus P _ _ _ _ (has_scal P t _ _ (conj (Hadv pi) eq_refl))
        (has_scal P (1 - t) _ _ (conj (Hadv old) eq_refl))))).
      intros s _. symmetry. apply average_of_mixture. }
    specialize (H _ Hmix). rewrite Hsame, Hat in H. unfold J in H |- *. rewrite Hlinear in H. nra.
Qed.
