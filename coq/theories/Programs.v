(** * Programs over policies

    What is necessary at their maxima, what several of them are together, and what clipping leaves of them. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules VojnovicYun Spaces LargeGroups.
Import ListNotations.

Open Scope R_scope.

(** ** The conditions of Karush, Kuhn and Tucker *)

(** Policies may give up answers: the multipliers of those that they keep vanish. *)
Lemma least_positive : forall (n : nat) (x : nat -> R),
  exists e, 0 < e /\ forall o, (o < n)%nat -> 0 < x o -> e <= x o.
Proof.
  intros n x. induction n as [| n [e [He IH]]]; [exists 1; split; [lra | intros; lia] |].
  exists (if Rlt_dec 0 (x n) then Rmin e (x n) else e). destruct (Rlt_dec 0 (x n)) as [Hn | Hn].
  - split; [apply Rmin_pos; assumption |]. intros o Ho Hx. destruct (Nat.eq_dec o n) as [-> | Hne]; [apply Rmin_r |].
    apply Rle_trans with e; [apply Rmin_l | apply IH; [lia | exact Hx]].
  - split; [exact He |]. intros o Ho Hx. destruct (Nat.eq_dec o n) as [-> | Hne]; [lra | apply IH; [lia | exact Hx]].
Qed.

(** The objective need be that sum only where the answers that the policy has are kept. *)
Theorem multipliers_at_a_local_maximum : forall (n : nat) (phi : nat -> R -> R) (J : (nat -> R) -> R) (x d : nat -> R),
  (forall y, (forall o, (o < n)%nat -> 0 < x o -> 0 < y o) -> J y = Sum n (fun o => phi o (y o))) ->
  (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) -> local_maximum n J x ->
  exists lam gam, forall o, (o < n)%nat -> d o = lam - gam o /\ 0 <= gam o /\ gam o * x o = 0.
Proof.
  intros n phi J x d HJ Hd [Hx [eps [Heps Hmax]]].
  refine (kkt_is_necessary n _ x d (gradient_of_sum_of_functions n phi x d Hd) _). split; [exact Hx |].
  destruct (least_positive n x) as [e [He Hle]]. exists (Rmin eps e). split; [apply Rmin_pos; assumption |].
  intros y Hy Hnear. rewrite <- !HJ; auto.
  - apply Hmax; [exact Hy |]. intros o Ho. apply Rlt_le_trans with (1 := Hnear o Ho), Rmin_l.
  - intros o Ho Hpos. pose proof (Hnear o Ho) as H. pose proof (Hle o Ho Hpos). pose proof (Rmin_r eps e).
    apply Rabs_def2 in H. lra.
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

(** The average over a group of [c], which clips ratio times advantage, and of this product itself. *)
Definition clipped_average (c : R -> R -> R) (adv : list R -> R -> R) (pi old : nat -> R) (s : list member) : R :=
  mean (map (fun m => c (pi (fst m) / old (fst m)) (adv (map snd s) (snd m))) s).

Definition unclipped_average (adv : list R -> R -> R) (pi old : nat -> R) (s : list member) : R :=
  mean (map (fun m => pi (fst m) / old (fst m) * adv (map snd s) (snd m)) s).

(** Groups of outputs of [n] answers, whatever their law: [S] are the groups. *)
Definition groups_of_outputs (n : nat) (S : list member -> Prop) : Prop :=
  forall s, S s -> s <> [] /\ forall m, In m s -> (fst m < n)%nat.

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

(** The averages have expectations for every policy that is spoken of, those with [D]. *)
Variables (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n : nat) (old : nat -> R) (D : (nat -> R) -> R)
  (S : list member -> Prop) (M L : (list member -> R) -> Prop) (E : (list member -> R) -> R).

Let J (pi : nat -> R) : R := E (unclipped_average adv pi old) + D pi.
Let clipped_J (pi : nat -> R) : R := E (clipped_average c adv pi old) + D pi.

Hypotheses (P : probability S M L E) (HS : groups_of_outputs n S) (He : 0 < epsilon) (Hold : full_support n old)
  (Hadv : forall pi, L (unclipped_average adv pi old))
  (Hc : forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y).

(** Near the old policy, closer than [epsilon] times its least probability, nothing is clipped. *)
Lemma clipping_is_idle : exists r, 0 < r /\
  forall pi, (forall o, (o < n)%nat -> Rabs (pi o - old o) < r) ->
    has L E (clipped_average c adv pi old) (E (unclipped_average adv pi old)).
Proof.
  destruct (least_probability n old (proj1 Hold)) as [least [Hleast Hl]].
  exists (epsilon * least). split; [apply Rmult_lt_0_compat; assumption|]. intros pi Hn.
  apply (has_ext P (unclipped_average adv pi old)); [|split; [apply Hadv | reflexivity]].
  intros s Hs. unfold unclipped_average, clipped_average. f_equal. apply map_ext_in. intros m Hm. symmetry.
  pose proof (proj2 (HS s Hs) m Hm) as Ho. pose proof (proj1 Hold _ Ho) as Hpos. apply Hc.
  assert (Hnear : Rabs (pi (fst m) - old (fst m)) <= epsilon * old (fst m)).
  { specialize (Hn _ Ho). specialize (Hl _ Ho). nra. }
  apply Rabs_le_between in Hnear.
  split; (apply Rmult_le_reg_r with (old (fst m)); [exact Hpos|]);
    unfold Rdiv; rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra; lra.
Qed.

Lemma clipped_as_unclipped : exists r, 0 < r /\
  forall pi, (forall o, (o < n)%nat -> Rabs (pi o - old o) < r) -> clipped_J pi = J pi.
Proof.
  destruct clipping_is_idle as [r [Hr H]]. exists r. split; [exact Hr|]. intros pi Hpi. unfold clipped_J, J. f_equal.
  apply H, Hpi.
Qed.

Lemma clipped_at_old : clipped_J old = J old.
Proof.
  destruct clipped_as_unclipped as [r [Hr H]]. apply H. intros o _. rewrite Rminus_eq_0, Rabs_R0. exact Hr.
Qed.

Lemma clipping_never_adds : forall pi, L (clipped_average c adv pi old) -> (forall x y, c x y <= x * y) ->
  clipped_J pi <= J pi.
Proof.
  intros pi Hl Hle. apply Rplus_le_compat_r.
  apply (has_le P (clipped_average c adv pi old) (unclipped_average adv pi old)); [|split; [exact Hl | reflexivity] |
    split; [apply Hadv | reflexivity]].
  intros s Hs. apply mean_at_most; [apply HS, Hs|]. intros m _. apply Hle.
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
Theorem clipping_keeps_local_maxima : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n : nat)
    (old : nat -> R) (D : (nat -> R) -> R) (S : list member -> Prop) (M L : (list member -> R) -> Prop)
    (E : (list member -> R) -> R), probability S M L E -> groups_of_outputs n S -> 0 < epsilon ->
  full_support n old -> (forall pi, L (unclipped_average adv pi old)) ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  (local_maximum n (fun pi => E (unclipped_average adv pi old) + D pi) old <->
   local_maximum n (fun pi => E (clipped_average c adv pi old) + D pi) old).
Proof. exact clipped_locally. Qed.

(** Where clipping never adds, a global maximum remains one. *)
Theorem clipping_keeps_global_maxima : forall (c : R -> R -> R) (adv : list R -> R -> R) (epsilon : R) (n : nat)
    (old : nat -> R) (D : (nat -> R) -> R) (S : list member -> Prop) (M L : (list member -> R) -> Prop)
    (E : (list member -> R) -> R), probability S M L E -> groups_of_outputs n S -> 0 < epsilon ->
  full_support n old -> (forall pi, L (unclipped_average adv pi old)) ->
  (forall x y, 1 - epsilon <= x <= 1 + epsilon -> c x y = x * y) ->
  (forall pi, L (clipped_average c adv pi old)) -> (forall x y, c x y <= x * y) ->
  let J pi := E (unclipped_average adv pi old) + D pi in
  let clipped_J pi := E (clipped_average c adv pi old) + D pi in
  (local_maximum n J old <-> local_maximum n clipped_J old) /\ (maximum n J old -> maximum n clipped_J old).
Proof.
  intros c adv epsilon n old D S M L E P HS He Hold Hadv Hc Hl Hle J clipped_J.
  split; [exact (clipped_locally c adv epsilon n old D S M L E P HS He Hold Hadv Hc)|].
  intros [Hp Hm]. split; [exact Hp|]. intros pi Hpi.
  assert (Eq : clipped_J old = J old) by exact (clipped_at_old c adv epsilon n old D S M L E P HS He Hold Hadv Hc).
  rewrite Eq. eapply Rle_trans; [|apply Hm, Hpi].
  exact (clipping_never_adds c adv n old D S M L E P HS Hadv pi (Hl pi) Hle).
Qed.
