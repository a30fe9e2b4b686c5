(** * Groups of independent outputs: averages over a group, and the limit of large groups

    The theorems of VojnovicYun.v for laws of rewards of which the mean [r o] and the variance [v o] are known, and the
    expectation of an average over a group for any number of a member. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules VojnovicYun.
Import ListNotations.
Open Scope R_scope.

(** [adv] is any number of a member that does not depend on the order of its group; [P o] is its expectation for a
    member with the output [o], [w o] and [d o] depend on the output only. *)
Theorem average_over_a_group_by_its_members :
  forall (adv : list R -> R -> R) (n G : nat) (rw : rewards) (old w d P : nat -> R),
  (forall g g' x, Permutation g g' -> adv g x = adv g' x) -> (1 <= G)%nat -> policy n old -> are_laws n rw ->
  (forall o, (o < n)%nat -> P o = preference_of adv n rw G old o) ->
  draws (outcome_expect n old rw) G (fun s => mean (map (fun m => w (fst m) * adv (map snd s) (snd m) + d (fst m)) s))
    = Sum n (fun o => old o * (w o * P o + d o)).
Proof.
  intros adv n G rw old w d P Hadv HG Hold Hrw HP. destruct G as [|N]; [lia|].
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  unfold mean.
  rewrite (draws_ext _ HE _ _ (fun s => / INR (S N) *
    list_sum (map (fun m => w (fst m) * adv (map snd s) (snd m) + d (fst m)) s))).
  2:{ intros s Hs. rewrite map_length, Hs. unfold Rdiv at 1. ring. }
  rewrite (E_scal _ (draws_expectation _ HE _)).
  rewrite (draws_exchange _ HE N (fun m s => w (fst m) * adv (map snd s) (snd m) + d (fst m))).
  2:{ intros a s s' Ps. rewrite (Hadv (map snd s) (map snd s')) by (apply Permutation_map, Ps). reflexivity. }
  rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by (apply not_0_INR; discriminate).
  unfold outcome_expect at 1, expect. apply Sum_ext. intros o Ho. f_equal. rewrite (HP o Ho). unfold preference_of.
  simpl Nat.sub. rewrite Nat.sub_0_r.
  pose proof (law_expectation (rw o) (Hrw o Ho)) as HL.
  rewrite (E_ext _ HL _ (fun x => w o * draws (outcome_expect n old rw) N (fun s => adv (x :: map snd s) x) + d o)).
  - rewrite (E_plus _ HL), (E_scal _ HL), (E_const _ HL). reflexivity.
  - intros x. rewrite (E_plus _ (draws_expectation _ HE N)), (E_scal _ (draws_expectation _ HE N)),
      (E_const _ (draws_expectation _ HE N)). reflexivity.
Qed.

(** The rewards of the answer [o] have the mean [r o] and the variance [v o]. *)
Definition have_moments (n : nat) (rw : rewards) (r v : nat -> R) : Prop :=
  are_laws n rw /\ forall o, (o < n)%nat ->
    law_expect (rw o) (fun x => x) = r o /\ law_expect (rw o) (fun x => (x - r o) ^ 2) = v o.

Lemma mean_by_moments : forall n rw r v pi, have_moments n rw r v -> reward_mean n rw pi = Sum n (fun o => pi o * r o).
Proof.
  intros n rw r v pi [_ H]. unfold reward_mean, outcome_expect, expect. apply Sum_ext. intros o Ho.
  rewrite <- (proj1 (H o Ho)). reflexivity.
Qed.

(** Within and between the answers. *)
Lemma variance_by_moments : forall n rw r v pi, have_moments n rw r v -> reward_variance n rw pi
  = Sum n (fun o => pi o * (v o + (r o - Sum n (fun a => pi a * r a)) ^ 2)).
Proof.
  intros n rw r v pi H. unfold reward_variance. rewrite (mean_by_moments n rw r v pi H). destruct H as [Hl H].
  set (m := Sum n (fun a => pi a * r a)). unfold outcome_expect, expect. apply Sum_ext. intros o Ho. f_equal. cbn [snd].
  destruct (H o Ho) as [H1 H2]. pose proof (law_expectation (rw o) (Hl o Ho)) as HL.
  rewrite (E_ext _ HL _ (fun x => (x - r o) ^ 2 + (2 * (r o - m) * x + ((r o - m) ^ 2 - 2 * (r o - m) * r o))))
    by (intros; ring).
  rewrite !(E_plus _ HL), (E_scal _ HL), (E_const _ HL), H1, H2. ring.
Qed.

(** Chebyshev: how probable it is that a number is far from another. *)
Definition far {A : Type} (X : A -> R) (c eps : R) (a : A) : R := if Rle_dec eps (Rabs (X a - c)) then 1 else 0.

Theorem far_is_improbable : forall (A : Type) (E : (A -> R) -> R) (X : A -> R) (c eps : R), expectation E -> 0 < eps ->
  0 <= E (far X c eps) <= E (fun a => (X a - c) ^ 2) / eps ^ 2.
Proof.
  intros A E X c eps HE Heps. split.
  - apply (E_nonneg E HE). intros a. unfold far. destruct Rle_dec; lra.
  - unfold Rdiv. rewrite Rmult_comm, <- (E_scal E HE). apply (E_le E HE). intros a. unfold far.
    assert (H : 0 < eps ^ 2) by (apply pow_lt, Heps).
    apply Rmult_le_reg_l with (eps ^ 2); [exact H|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
    destruct Rle_dec as [Hf | Hf].
    + rewrite Rmult_1_r, <- (pow2_abs (X a - c)). apply pow_incr. lra.
    + rewrite Rmult_0_r. apply pow2_ge_0.
Qed.

Lemma far_vanishes : forall (d P : nat -> R) (eps : R), 0 < eps -> is_lim_seq d 0 ->
  (forall G, 0 <= P G <= d G / eps ^ 2) -> is_lim_seq P 0.
Proof.
  intros d P eps Heps Hd HP.
  apply (is_lim_seq_le_le (fun _ => 0) P (fun G => d G / eps ^ 2)); [exact HP | apply is_lim_seq_const |].
  replace (Finite 0) with (Rbar_mult 0 (/ eps ^ 2)) by (simpl; f_equal; ring). apply is_lim_seq_scal_r, Hd.
Qed.

Theorem mean_of_a_large_group : forall (n : nat) (rw : rewards) (old r v : nat -> R), policy n old ->
  have_moments n rw r v ->
  let m := Sum n (fun o => old o * r o) in
  let distance := fun G => draws (outcome_expect n old rw) G (fun s => (mean (map snd s) - m) ^ 2) in
  (forall G, (1 <= G)%nat -> distance G = Sum n (fun o => old o * (v o + (r o - m) ^ 2)) / INR G) /\
  is_lim_seq distance 0 /\
  forall eps, 0 < eps ->
    is_lim_seq (fun G => draws (outcome_expect n old rw) G (far (fun s => mean (map snd s)) m eps)) 0.
Proof.
  intros n rw old r v Hold H m distance.
  destruct (vy_s21_lln_mean n rw old Hold (proj1 H)) as [K1 K2].
  rewrite (variance_by_moments n rw r v old H), (mean_by_moments n rw r v old H) in K1.
  rewrite (mean_by_moments n rw r v old H) in K2.
  split; [exact K1|]. split; [exact K2|]. intros eps Heps. apply (far_vanishes distance _ eps Heps K2). intros G.
  apply far_is_improbable; [|exact Heps]. apply draws_expectation, outcome_expectation; [exact Hold | apply H].
Qed.

Theorem deviation_of_a_large_group : forall (n : nat) (rw : rewards) (old r v : nat -> R), policy n old ->
  have_moments n rw r v ->
  let m := Sum n (fun o => old o * r o) in
  let sigma := sqrt (Sum n (fun o => old o * (v o + (r o - m) ^ 2))) in
  is_lim_seq (fun G => draws (outcome_expect n old rw) G (fun s => (deviation (map snd s) - sigma) ^ 2)) 0 /\
  forall eps, 0 < eps ->
    is_lim_seq (fun G => draws (outcome_expect n old rw) G (far (fun s => deviation (map snd s)) sigma eps)) 0.
Proof.
  intros n rw old r v Hold H m sigma. destruct (vy_s21_lln_std n rw old Hold (proj1 H)) as [_ K].
  unfold reward_deviation in K. rewrite (variance_by_moments n rw r v old H) in K.
  split; [exact K|]. intros eps Heps. refine (far_vanishes _ _ eps Heps K _). intros G.
  apply far_is_improbable; [|exact Heps]. apply draws_expectation, outcome_expectation; [exact Hold | apply H].
Qed.

(** The expectation over a group of the mean of ratio times advantage. *)
Theorem surrogate_of_large_groups : forall (n : nat) (rw : rewards) (pi old r v : nat -> R), policy n pi ->
  full_support n old -> have_moments n rw r v ->
  let m := Sum n (fun o => old o * r o) in
  0 < Sum n (fun o => old o * (v o + (r o - m) ^ 2)) ->
  is_lim_seq (fun G => surrogate n rw G pi old)
    ((Sum n (fun o => pi o * r o) - m) / sqrt (Sum n (fun o => old o * (v o + (r o - m) ^ 2)))).
Proof.
  intros n rw pi old r v Hpi Hold H m Hv.
  assert (K : 0 < reward_deviation n rw old).
  { unfold reward_deviation. rewrite (variance_by_moments n rw r v old H). apply sqrt_lt_R0, Hv. }
  pose proof (vy_s21_Rinf n rw pi old Hpi (full_support_policy n old Hold) (proj1 H)) as L.
  unfold reward_deviation in L, K. rewrite (variance_by_moments n rw r v old H), !(mean_by_moments n rw r v _ H) in L.
  rewrite (variance_by_moments n rw r v old H) in K. apply L; [|exact K].
  intros o Ho Hz. pose proof (proj1 Hold o Ho). lra.
Qed.

(** The expected advantage of the answer [o] in a group whose other members are drawn. *)
Theorem preference_in_large_groups : forall (n : nat) (rw : rewards) (old r v : nat -> R) (o : nat),
  full_support n old -> have_moments n rw r v -> (o < n)%nat ->
  let m := Sum n (fun a => old a * r a) in
  0 < Sum n (fun a => old a * (v a + (r a - m) ^ 2)) ->
  is_lim_seq (fun G => preference n rw G old o)
    ((r o - m) / sqrt (Sum n (fun a => old a * (v a + (r a - m) ^ 2)))).
Proof.
  intros n rw old r v o Hold H Ho m Hv.
  assert (K : 0 < reward_deviation n rw old).
  { unfold reward_deviation. rewrite (variance_by_moments n rw r v old H). apply sqrt_lt_R0, Hv. }
  pose proof (preference_limit n rw old o (full_support_policy n old Hold) (proj1 H) Ho (proj1 Hold o Ho) K) as L.
  unfold limit_preference, reward_deviation, expected_reward in L.
  rewrite (variance_by_moments n rw r v old H), (mean_by_moments n rw r v old H), (proj1 (proj2 H o Ho)) in L. exact L.
Qed.

(** ** Groups of any size *)

Theorem mean_advantage_vanishes : forall (n G : nat) (rw : rewards) (pi P : nat -> R), (2 <= G)%nat -> policy n pi ->
  are_laws n rw -> (forall o, (o < n)%nat -> P o = preference n rw G pi o) -> Sum n (fun o => pi o * P o) = 0.
Proof.
  intros n G rw pi P HG Hpi Hrw HP. rewrite <- (vy_s21_PG_centred n rw G pi HG Hpi Hrw). unfold expect.
  apply Sum_ext. intros o Ho. rewrite (HP o Ho). reflexivity.
Qed.

Theorem squared_advantage_is_bounded : forall (n G : nat) (rw : rewards) (old : nat -> R) (o : nat) (bound : R),
  (2 <= G)%nat -> full_support n old -> are_laws n rw -> (o < n)%nat -> / old o <= bound ->
  preference_of (fun g x => advantage g x ^ 2) n rw G old o <= bound.
Proof.
  intros n G rw old o bound HG Hold Hrw Ho Hb. eapply Rle_trans; [|exact Hb].
  apply vy_s21_PG_uniform_integrability; auto using full_support_policy. apply Hold, Ho.
Qed.

Theorem surrogate_of_centred_rewards : forall (n G : nat) (rw : rewards) (pi old r v : nat -> R), (2 <= G)%nat ->
  policy n pi -> full_support n old -> have_moments n rw r v ->
  surrogate_of shift_advantage n rw G pi old
    = (1 - / INR G) * (Sum n (fun o => pi o * r o) - Sum n (fun o => old o * r o)).
Proof.
  intros n G rw pi old r v HG Hpi Hold H.
  rewrite <- (mean_by_moments n rw r v pi H), <- (mean_by_moments n rw r v old H).
  apply vy_s3_shift_only; auto using full_support_policy.
  - apply H.
  - intros o Ho Hz. pose proof (proj1 Hold o Ho). lra.
Qed.

(** ** Groups of two *)

(** [w o] and [l o]: how probable it is that the reward of [o] exceeds that of the other member, or falls below it. *)
Definition wins_and_losses (n : nat) (rw : rewards) (old w l : nat -> R) : Prop := forall o, (o < n)%nat ->
  w o = expect n old (fun o' => wins rw o o') /\ l o = expect n old (fun o' => wins rw o' o).

Theorem advantage_in_pairs : forall (n : nat) (rw : rewards) (old w l : nat -> R) (o : nat),
  wins_and_losses n rw old w l -> (o < n)%nat -> preference n rw 2 old o = w o - l o.
Proof.
  intros n rw old w l o H Ho. rewrite preference_two. unfold margin. rewrite expect_minus.
  destruct (H o Ho) as [-> ->]. reflexivity.
Qed.

Theorem surrogate_in_pairs : forall (n : nat) (rw : rewards) (pi old w l : nat -> R), policy n pi ->
  full_support n old -> are_laws n rw -> wins_and_losses n rw old w l ->
  surrogate n rw 2 pi old = Sum n (fun o => pi o * (w o - l o)).
Proof.
  intros n rw pi old w l Hpi Hold Hrw H.
  rewrite vy_eq6_representation by (auto using full_support_policy; intros o Ho Hz; pose proof (proj1 Hold o Ho); lra).
  unfold expect. apply Sum_ext. intros o Ho. rewrite (advantage_in_pairs n rw old w l o H Ho). reflexivity.
Qed.
