(** * What the expected advantages of a group amount to

    [P o] is the expected advantage of a member with the output [o], in groups of independent outputs of a policy. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules VojnovicYun LargeGroups.
Import ListNotations.
Open Scope R_scope.

(** The members of a group are exchangeable, and the square of an expectation is at most that of the square. *)
Lemma mean_square_at_most_one : forall (n G : nat) (rw : rewards) (pi P : nat -> R), (2 <= G)%nat ->
  policy n pi -> are_laws n rw -> (forall o, (o < n)%nat -> P o = preference n rw G pi o) ->
  Sum n (fun o => pi o * P o ^ 2) <= 1.
Proof.
  intros n G rw pi P HG Hpi Hrw HP. pose proof (outcome_expectation n pi rw Hpi Hrw) as HE.
  set (Q := preference_of (fun g x => advantage g x ^ 2) n rw G pi).
  apply Rle_trans with (Sum n (fun o => pi o * Q o)).
  - apply Sum_le. intros o Ho. apply Rmult_le_compat_l; [apply Hpi, Ho|]. rewrite (HP o Ho).
    unfold Q, preference, preference_of. pose proof (law_expectation (rw o) (Hrw o Ho)) as HL.
    pose proof (draws_expectation _ HE (G - 1)) as HD. eapply Rle_trans; [apply (E_square _ HL)|].
    apply (E_le _ HL). intros x. apply (E_square _ HD).
  - rewrite (Sum_ext n (fun o => pi o * Q o) (fun o => pi o * (1 * Q o + 0))) by (intros; ring).
    rewrite <- (average_over_a_group_by_its_members (fun g x => advantage g x ^ 2) n G rw pi (fun _ => 1) (fun _ => 0)
      Q).
    2:{ intros g g' x Hg. rewrite (advantage_perm g g' x Hg). reflexivity. }
    2: lia. 2: exact Hpi. 2: exact Hrw. 2: reflexivity.
    eapply Rle_trans; [|right; apply (E_const _ (draws_expectation _ HE G) 1)].
    rewrite (draws_ext _ HE G (fun _ => 1) (fun s => INR (length s) / INR G)).
    2:{ intros s Hs. rewrite Hs. field. apply not_0_INR. lia. }
    rewrite (draws_ext _ HE G _ (fun s => list_sum (map (fun x => advantage (map snd s) x ^ 2) (map snd s)) / INR G)).
    2:{ intros s Hs. unfold mean. rewrite map_length, Hs, map_map. f_equal. apply list_sum_ext. intros; ring. }
    apply (E_le _ (draws_expectation _ HE G)). intros s. apply Rmult_le_compat_r.
    + apply Rlt_le, Rinv_0_lt_compat, lt_0_INR. lia.
    + rewrite <- (map_length snd s). apply mean_square_advantage.
Qed.

Theorem bound_by_the_mean_square_of_expected_advantages : forall (n G : nat) (rw : rewards) (pi P : nat -> R)
  (c left right : R), (2 <= G)%nat -> policy n pi -> are_laws n rw ->
  (forall o, (o < n)%nat -> P o = preference n rw G pi o) ->
  Sum n (fun o => pi o * P o ^ 2) = c * left -> 0 < c -> 1 <= c * right -> left <= right.
Proof.
  intros n G rw pi P c left right HG Hpi Hrw HP E Hc H.
  pose proof (mean_square_at_most_one n G rw pi P HG Hpi Hrw HP). apply Rmult_le_reg_l with c; lra.
Qed.

Lemma mean_advantage_times_reward : forall g, g <> [] -> mean (map (fun x => advantage g x * x) g) = deviation g.
Proof.
  intros g Hg. pose proof (length_pos g Hg) as L. destruct (Req_dec (deviation g) 0) as [H0 | Hn].
  - rewrite H0. unfold mean. rewrite map_length. rewrite (list_sum_ext _ (fun _ => 0)).
    + rewrite list_sum_const. unfold Rdiv. ring.
    + intros x Hx. rewrite (advantage_of_equals g x Hx H0). ring.
  - apply Rmult_eq_reg_r with (deviation g); [|exact Hn].
    replace (deviation g * deviation g) with (deviation g ^ 2) by ring. rewrite deviation_square.
    unfold square_deviation, mean at 1 2. rewrite !map_length. unfold Rdiv.
    replace (list_sum (map (fun x => advantage g x * x) g) * / INR (length g) * deviation g)
      with (deviation g * list_sum (map (fun x => advantage g x * x) g) * / INR (length g)) by ring.
    f_equal. rewrite <- list_sum_scal.
    rewrite (list_sum_ext _ (fun x => (x - mean g) ^ 2 + mean g * (x - mean g))).
    + rewrite list_sum_plus, list_sum_scal, sum_centred. ring.
    + intros x Hx. replace (deviation g * (advantage g x * x)) with (advantage g x * deviation g * x) by ring.
      rewrite (advantage_deviation g x Hx). ring.
Qed.

(** What is drawn, and then mapped. *)
Lemma draws_mapped : forall (A : Type) (E : (A -> R) -> R) (k : A -> A) G F, expectation E ->
  draws (fun f => E (fun a => f (k a))) G F = draws E G (fun s => F (map k s)).
Proof.
  intros A E k G F HE. revert F. induction G as [|G IH]; intros F; [reflexivity|]. simpl. apply (E_ext _ HE). intros a.
  apply IH.
Qed.

(** Rewards that are certain: advantages times rewards average to the deviation of the group. *)
Theorem expected_advantages_by_deviation : forall (n G : nat) (pi r P : nat -> R) (value : R), (1 <= G)%nat ->
  policy n pi -> (forall o, (o < n)%nat -> P o = preference n (sure r) G pi o) ->
  Sum n (fun o => pi o * (P o * r o)) = value ->
  draws (outcome_expect n pi (sure r)) G (fun s => deviation (map snd s)) = value /\ 0 <= value.
Proof.
  intros n G pi r P value HG Hpi HP Hv.
  assert (Hrw : are_laws n (sure r)) by apply sure_law.
  pose proof (outcome_expectation n pi (sure r) Hpi Hrw) as HE.
  assert (K : draws (outcome_expect n pi (sure r)) G (fun s => deviation (map snd s)) = value).
  2:{ split; [exact K|]. rewrite <- K. apply (E_nonneg _ (draws_expectation _ HE G)). intros s. apply deviation_nonneg.
    }
  rewrite <- Hv, (Sum_ext n (fun o => pi o * (P o * r o)) (fun o => pi o * (r o * P o + 0))) by (intros; ring).
  rewrite <- (average_over_a_group_by_its_members advantage n G (sure r) pi r (fun _ => 0) P advantage_perm HG Hpi Hrw
    HP).
  assert (Same : forall F, draws (outcome_expect n pi (sure r)) G F
    = draws (outcome_expect n pi (sure r)) G (fun s => F (map (fun m => (fst m, r (fst m))) s))).
  { intros F. rewrite <- (draws_mapped _ _ (fun m => (fst m, r (fst m))) G F HE). apply (draws_same _ HE). intros f.
    rewrite !outcome_expect_sure. reflexivity. }
  rewrite Same. symmetry. rewrite Same. symmetry. apply (draws_ext _ HE). intros s Hs.
  rewrite <- mean_advantage_times_reward by (intros E; destruct s; [simpl in Hs; lia | discriminate E]).
  rewrite !map_map. cbn [fst snd]. f_equal. apply map_ext. intros m. ring.
Qed.
