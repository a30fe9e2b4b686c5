(** * Programs over policies

    What is necessary at their maxima, what several of them are together, and what clipping leaves of them. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules VojnovicYun.
Import ListNotations.

Open Scope R_scope.

(** ** The conditions of Karush, Kuhn and Tucker *)

(** Policies may give up answers: the multipliers of those that they keep vanish. *)
Theorem multipliers_at_a_local_maximum : forall (n : nat) (phi : nat -> R -> R) (x d : nat -> R),
  (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) ->
  local_maximum n (fun y => Sum n (fun o => phi o (y o))) x ->
  exists lam gam, forall o, (o < n)%nat -> d o = lam - gam o /\ 0 <= gam o /\ gam o * x o = 0.
Proof.
  intros n phi x d Hd Hmax.
  exact (kkt_is_necessary n _ x d (gradient_of_sum_of_functions n phi x d Hd) Hmax).
Qed.

(** ** Separate programs *)

Theorem separate_programs : forall (X : Type) (n : nat) (w : nat -> R) (J : nat -> X -> R) (D : nat -> X -> Prop)
    (x : nat -> X), (forall q, (q < n)%nat -> 0 < w q) -> (forall q, (q < n)%nat -> D q (x q)) ->
  ((forall y, (forall q, (q < n)%nat -> D q (y q)) ->
      Sum n (fun q => w q * J q (y q)) <= Sum n (fun q => w q * J q (x q))) <->
   (forall q, (q < n)%nat -> forall y, D q y -> J q y <= J q (x q))).
Proof.
  intros X n w J D x Hw Hx. split.
  - intros H k Hk y Hy.
    set (z := fun q => if Nat.eqb q k then y else x q).
    assert (Hz : forall q, (q < n)%nat -> D q (z q)).
    { intros q Hq. unfold z. destruct (Nat.eqb_spec q k) as [-> | _]; auto. }
    specialize (H z Hz).
    destruct (Rle_or_lt (J k y) (J k (x k))) as [L | L]; [exact L | exfalso].
    apply (Rlt_not_le _ _) in H; [exact H|]. apply Sum_lt with k; [| exact Hk |].
    + intros q Hq. unfold z. destruct (Nat.eqb_spec q k) as [-> | _]; [|lra].
      apply Rmult_le_compat_l; [apply Rlt_le, Hw, Hk | lra].
    + unfold z. rewrite Nat.eqb_refl. apply Rmult_lt_compat_l; auto.
  - intros H y Hy. apply Sum_le. intros q Hq. apply Rmult_le_compat_l; [apply Rlt_le, Hw, Hq|]. apply H; auto.
Qed.

(** ** Clipping *)

Lemma draws_agree : forall (A : Type) (E : (A -> R) -> R) (P : A -> Prop) (G : nat) (F F' : list A -> R),
  (forall f g, (forall a, P a -> f a = g a) -> E f = E g) ->
  (forall s, (forall a, In a s -> P a) -> F s = F' s) -> draws E G F = draws E G F'.
Proof.
  intros A E P G. induction G as [| G IH]; intros F F' HE H; simpl.
  - apply H. intros a [].
  - apply HE. intros a Ha. apply IH; [exact HE|]. intros s Hs. apply H. intros b [<- | Hb]; auto.
Qed.

Lemma mean_le : forall (A : Type) (f g : A -> R) (s : list A), (forall a, f a <= g a) ->
  mean (map f s) <= mean (map g s).
Proof.
  intros A f g s H. unfold mean. rewrite !map_length. apply Rmult_le_compat_r.
  - destruct s as [| a s]; [simpl; unfold Rdiv; rewrite ?Rinv_0; lra|].
    apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. simpl. lia.
  - induction s as [| a s IH]; simpl; [lra|]. specialize (H a). lra.
Qed.

(** Groups of the policy [old], the rewards with any laws: the average over the group of [c], which clips ratio times
    advantage. *)
Definition clipped_surrogate (c : R -> R -> R) (adv : list R -> R -> R) (n : nat) (rw : rewards) (G : nat)
    (pi old : nat -> R) : R :=
  draws (outcome_expect n old rw) G (fun s =>
    mean (map (fun m => c (pi (fst m) / old (fst m)) (adv (map snd s) (snd m))) s)).

Lemma clipping_never_adds : forall c adv n rw G pi old, policy n old -> are_laws n rw ->
  (forall x y, c x y <= x * y) -> clipped_surrogate c adv n rw G pi old <= surrogate_of adv n rw G pi old.
Proof.
  intros c adv n rw G pi old Hold Hrw Hc.
  apply (E_le _ (draws_expectation _ (outcome_expectation n old rw Hold Hrw) G)).
  intros s. apply mean_le. intros m. apply Hc.
Qed.

(** Near the old policy, closer than [epsilon] times its least probability, nothing is clipped. *)
Lemma clipping_is_idle_nearby : forall c adv epsilon n rw G pi old, full_support n old ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  (forall o, (o < n)%nat -> Rabs (pi o - old o) <= epsilon * old o) ->
  clipped_surrogate c adv n rw G pi old = surrogate_of adv n rw G pi old.
Proof.
  intros c adv epsilon n rw G pi old Hold Hc Hnear.
  apply (draws_agree _ _ (fun m => (fst m < n)%nat)).
  - intros f g H. unfold outcome_expect, expect. apply Sum_ext. intros o Ho. f_equal. apply law_expect_ext.
    intros x. apply H. exact Ho.
  - intros s Hs. f_equal. apply map_ext_in. intros m Hm. specialize (Hs m Hm). apply Hc.
    pose proof (proj1 Hold _ Hs) as Hpos. specialize (Hnear _ Hs). apply Rabs_le_between in Hnear.
    split; (apply Rmult_le_reg_r with (old (fst m)); [exact Hpos|]);
      unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.

Lemma least_probability : forall n (old : nat -> R), (forall o, (o < n)%nat -> 0 < old o) ->
  exists least, 0 < least /\ forall o, (o < n)%nat -> least <= old o.
Proof.
  induction n as [| n IH]; intros old H; [exists 1; split; [lra | intros; lia]|].
  destruct (IH old) as [m [Hm Hl]]; [intros; apply H; lia|].
  exists (Rmin m (old n)). split; [apply Rmin_pos; [exact Hm | apply H; lia]|].
  intros o Ho. destruct (Nat.eq_dec o n) as [-> | Hne]; [apply Rmin_r|].
  eapply Rle_trans; [apply Rmin_l | apply Hl; lia].
Qed.

Section Clipping.

Variables (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n G : nat) (rw : rewards) (old : nat -> R)
  (D : (nat -> R) -> R).

Let J (pi : nat -> R) : R := surrogate_of adv n rw G pi old + D pi.
Let clipped_J (pi : nat -> R) : R := clipped_surrogate c adv n rw G pi old + D pi.

Hypotheses (He : 0 < epsilon) (Hold : full_support n old)
  (Hc : forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y).

Lemma clipped_as_unclipped : exists r, 0 < r /\
  forall pi, (forall o, (o < n)%nat -> Rabs (pi o - old o) < r) -> clipped_J pi = J pi.
Proof.
  destruct (least_probability n old (proj1 Hold)) as [least [Hleast Hl]].
  exists (epsilon * least). split; [apply Rmult_lt_0_compat; assumption|]. intros pi Hn. unfold clipped_J, J. f_equal.
  apply clipping_is_idle_nearby with epsilon; [exact Hold | exact Hc |].
  intros o Ho. specialize (Hn o Ho). specialize (Hl o Ho). nra.
Qed.

Lemma clipped_at_old : clipped_J old = J old.
Proof.
  destruct clipped_as_unclipped as [r [Hr H]]. apply H. intros o _. rewrite Rminus_eq_0, Rabs_R0. exact Hr.
Qed.

Lemma clipped_locally : local_maximum n J old <-> local_maximum n clipped_J old.
Proof.
  destruct clipped_as_unclipped as [r [Hr H]].
  split; intros [Hp [e [Hpos Hm]]]; (split; [exact Hp|]); exists (Rmin e r);
    (split; [apply Rmin_pos; assumption|]); intros pi Hpi Hn.
  - rewrite clipped_at_old, (H pi).
    + apply Hm; [exact Hpi|]. intros o Ho. eapply Rlt_le_trans; [apply Hn, Ho | apply Rmin_l].
    + intros o Ho. eapply Rlt_le_trans; [apply Hn, Ho | apply Rmin_r].
  - rewrite <- clipped_at_old, <- (H pi).
    + apply Hm; [exact Hpi|]. intros o Ho. eapply Rlt_le_trans; [apply Hn, Ho | apply Rmin_l].
    + intros o Ho. eapply Rlt_le_trans; [apply Hn, Ho | apply Rmin_r].
Qed.

End Clipping.

(** A policy is a local maximum of its own objective with clipping exactly if it is one without. [D] is the rest of the
    objective, a penalty. *)
Theorem clipping_keeps_local_maxima : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n G : nat)
    (rw : rewards) (old : nat -> R) (D : (nat -> R) -> R), 0 < epsilon -> full_support n old ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  (local_maximum n (fun pi => surrogate_of adv n rw G pi old + D pi) old <->
   local_maximum n (fun pi => clipped_surrogate c adv n rw G pi old + D pi) old).
Proof. exact clipped_locally. Qed.

(** Where clipping never adds, a global maximum remains one. *)
Theorem clipping_keeps_global_maxima : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n G : nat)
    (rw : rewards) (old : nat -> R) (D : (nat -> R) -> R), 0 < epsilon -> full_support n old -> are_laws n rw ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) -> (forall x y, c x y <= x * y) ->
  let J pi := surrogate_of adv n rw G pi old + D pi in
  let clipped_J pi := clipped_surrogate c adv n rw G pi old + D pi in
  (local_maximum n J old <-> local_maximum n clipped_J old) /\ (maximum n J old -> maximum n clipped_J old).
Proof.
  intros c adv epsilon n G rw old D He Hold Hrw Hc Hle J clipped_J.
  split; [exact (clipped_locally c adv epsilon n G rw old D He Hold Hc)|].
  intros [Hp Hm]. split; [exact Hp|]. intros pi Hpi.
  rewrite (clipped_at_old c adv epsilon n G rw old D He Hold Hc : clipped_J old = J old).
  eapply Rle_trans; [|apply Hm, Hpi]. apply Rplus_le_compat_r, clipping_never_adds; [|exact Hrw | exact Hle].
  apply full_support_policy, Hold.
Qed.
