(** Vojnovic and Yun, "What is the Alignment Objective of GRPO?" (2025).

    Every theorem has the name of a claim of the ledger, with underscores, and states its whole sentence for the
    definitions of Policies.v.  Where the print needs a hypothesis, the theorem has it, and the theorem of the same name
    with the ending [_needed] shows that it cannot be dropped. *)

From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups.
Import ListNotations.
Open Scope R_scope.

(** * Section 1: advantages *)

(** (2): advantages sum to zero, and their squares to G unless all rewards are equal. *)
Theorem vy_s1_eq2 : forall g : list R,
  list_sum (map (advantage g) g) = 0 /\
  (deviation g <> 0 -> list_sum (map (fun x => advantage g x ^ 2) g) = INR (length g)) /\
  (deviation g = 0 -> forall x, In x g -> advantage g x = 0).
Proof.
  intros g. split; [apply sum_advantages|]. split.
  - intros N. destruct g as [|y g].
    + exfalso. apply N. unfold deviation, mean. simpl. unfold Rdiv. rewrite Rmult_0_l. apply sqrt_0.
    + set (l := y :: g) in *. assert (L : 0 < INR (length l)) by (apply length_pos; discriminate).
      rewrite (list_sum_ext _ (fun x => / deviation l ^ 2 * (x - mean l) ^ 2)).
      2:{ intros. unfold advantage. field. exact N. }
      rewrite list_sum_scal.
      replace (list_sum (map (fun x => (x - mean l) ^ 2) l)) with (INR (length l) * deviation l ^ 2).
      * field. exact N.
      * rewrite deviation_square. unfold square_deviation, mean at 1. rewrite map_length. field. lra.
  - intros Z x Hx. apply advantage_of_equals; assumption.
Qed.

Lemma list_sum_affine c d g : list_sum (map (fun x => c * x + d) g) = c * list_sum g + INR (length g) * d.
Proof. rewrite list_sum_plus, list_sum_scal, list_sum_const, map_id. reflexivity. Qed.

Lemma mean_affine c d g : g <> [] -> mean (map (fun x => c * x + d) g) = c * mean g + d.
Proof.
  intros H. pose proof (length_pos g H). unfold mean. rewrite map_length, list_sum_affine. field. lra.
Qed.

Lemma deviation_affine c d g : deviation (map (fun x => c * x + d) g) = Rabs c * deviation g.
Proof.
  destruct g as [|y g].
  - unfold deviation, mean. simpl. unfold Rdiv. rewrite Rmult_0_l, sqrt_0. ring.
  - set (l := y :: g). assert (H : l <> []) by discriminate.
    unfold deviation. rewrite (mean_affine c d l H), map_map.
    replace (map (fun x => (c * x + d - (c * mean l + d)) ^ 2) l)
      with (map (fun x => c ^ 2 * x + 0) (map (fun x => (x - mean l) ^ 2) l)).
    2:{ rewrite map_map. apply map_ext. intros. ring. }
    rewrite mean_affine by discriminate.
    rewrite Rplus_0_r, sqrt_mult_alt by apply pow2_ge_0. f_equal.
    rewrite <- pow2_abs. apply sqrt_pow2, Rabs_pos.
Qed.

(** Shifts and positive scalings of the rewards leave the advantages as they are; a negative factor reverses them. *)
Theorem vy_s1_shift_scale_invariance : forall (g : list R) (x c d : R), In x g ->
  (0 < c -> advantage (map (fun y => c * y + d) g) (c * x + d) = advantage g x) /\
  (c < 0 -> advantage (map (fun y => c * y + d) g) (c * x + d) = - advantage g x).
Proof.
  intros g x c d Hx.
  assert (N : g <> []) by (intros ->; destruct Hx).
  assert (K : c <> 0 -> advantage (map (fun y => c * y + d) g) (c * x + d) = c / Rabs c * advantage g x).
  { intros Hc. pose proof (Rabs_pos_lt c Hc) as A. destruct (Req_dec (deviation g) 0) as [Z|D].
    - rewrite (advantage_of_equals g x Hx Z).
      rewrite advantage_of_equals; [ring | apply (in_map (fun y => c * y + d)); exact Hx |].
      rewrite deviation_affine, Z. ring.
    - unfold advantage. rewrite mean_affine, deviation_affine by exact N. field. split; [exact D|lra]. }
  split; intros H; rewrite K by lra.
  - rewrite Rabs_right by lra. field. lra.
  - rewrite Rabs_left by lra. field. lra.
Qed.

(** The advantage in pairwise differences, the display after (2). *)
Theorem vy_s1_adv_pairwise : forall (g : list R) (x : R), In x g -> deviation g <> 0 ->
  advantage g x
  = (/ INR (length g) * list_sum (map (fun y => x - y) g))
    / sqrt (/ (2 * INR (length g) ^ 2) * list_sum (map (fun y => list_sum (map (fun z => (y - z) ^ 2) g)) g)).
Proof.
  intros g x Hx D.
  assert (N : g <> []) by (intros ->; destruct Hx). pose proof (length_pos g N) as L.
  unfold advantage. f_equal.
  - unfold Rminus at 2. rewrite list_sum_plus, list_sum_const.
    rewrite (list_sum_ext Ropp (fun y => (-1) * y)) by (intros; ring).
    rewrite list_sum_scal, map_id. unfold mean. field. lra.
  - unfold deviation. f_equal.
    unfold mean at 1. rewrite map_length.
    assert (M : list_sum g = INR (length g) * mean g) by (unfold mean; field; lra).
    set (m := mean g) in *. set (n := INR (length g)) in *.
    set (q := list_sum (map (fun y => y ^ 2) g)).
    rewrite (list_sum_ext (fun y => list_sum (map (fun z => (y - z) ^ 2) g)) (fun y => n * y ^ 2 + (q + - (2 * n * m) * y))).
    2:{ intros y _. rewrite (list_sum_ext _ (fun z => y ^ 2 + (z ^ 2 + - (2 * y) * z))) by (intros; ring).
        rewrite !list_sum_plus, list_sum_const, list_sum_scal, map_id, M. fold n q. ring. }
    rewrite !list_sum_plus, list_sum_scal, list_sum_const, list_sum_scal, map_id, M. fold n q.
    rewrite (list_sum_ext (fun y => (y - m) ^ 2) (fun y => y ^ 2 + (m ^ 2 + - (2 * m) * y))) by (intros; ring).
    rewrite !list_sum_plus, list_sum_const, list_sum_scal, map_id, M. fold n q. field. lra.
Qed.

(** No advantage exceeds the square root of G - 1. *)
Theorem vy_s1_advantage_bound : forall (g : list R) (x : R), In x g ->
  advantage g x ^ 2 <= INR (length g) - 1.
Proof.
  intros g x Hx.
  assert (N : g <> []) by (intros ->; destruct Hx). pose proof (length_pos g N) as L.
  assert (L1 : 1 <= INR (length g)).
  { change 1 with (INR 1). apply le_INR. destruct g; [contradiction|simpl; lia]. }
  destruct (Req_dec (deviation g) 0) as [Z|D].
  { rewrite (advantage_of_equals g x Hx Z). lra. }
  pose proof (sum_advantages g) as S0. destruct (vy_s1_eq2 g) as (_ & S2 & _). specialize (S2 D).
  set (a := advantage g x) in *. set (n := INR (length g)) in *.
  (* Cauchy and Schwarz for the other members: a^2 = (sum of the others)^2 <= (n - 1)(n - a^2) *)
  apply in_split in Hx. destruct Hx as (l1 & l2 & E).
  assert (P : Permutation g (x :: l1 ++ l2)) by (rewrite E; apply Permutation_sym, Permutation_middle).
  set (o := l1 ++ l2) in *.
  assert (O1 : list_sum (map (advantage g) o) = - a).
  { rewrite (list_sum_perm _ _ (Permutation_map (advantage g) P)) in S0. simpl in S0. fold a in S0. lra. }
  assert (O2 : list_sum (map (fun y => advantage g y ^ 2) o) = n - a ^ 2).
  { rewrite (list_sum_perm _ _ (Permutation_map (fun y => advantage g y ^ 2) P)) in S2. simpl in S2. fold a in S2.
    simpl. lra. }
  assert (O3 : n = INR (length o) + 1).
  { unfold n. rewrite (Permutation_length P). simpl length. rewrite S_INR. reflexivity. }
  assert (Q : forall t, 0 <= INR (length o) * t ^ 2 + 2 * a * t + (n - a ^ 2)).
  { intros t. replace (_ + _) with (list_sum (map (fun y => (t - advantage g y) ^ 2) o)).
    - apply list_sum_nonneg. intros. apply pow2_ge_0.
    - rewrite (list_sum_ext _ (fun y => t ^ 2 + ((- (2 * t)) * advantage g y + advantage g y ^ 2))) by (intros; ring).
      rewrite !list_sum_plus, list_sum_const, list_sum_scal, O1, O2. ring. }
  pose proof (pos_INR (length o)) as K.
  destruct (Req_dec (INR (length o)) 0) as [E0|E0].
  - assert (Z : o = []) by (destruct o; [reflexivity|]; cbn [length] in E0; rewrite S_INR in E0;
      pose proof (pos_INR (length o)); lra).
    rewrite Z in O1, O3. simpl in O1, O3. replace a with 0 by lra. lra.
  - specialize (Q (- a / INR (length o))).
    replace (_ + _) with (n - a ^ 2 - a ^ 2 / INR (length o)) in Q by (field; exact E0).
    assert (0 <= INR (length o) * (n - a ^ 2 - a ^ 2 / INR (length o))) as Q' by (apply Rmult_le_pos; lra).
    replace (INR (length o) * (n - a ^ 2 - a ^ 2 / INR (length o)))
      with (INR (length o) * (n - a ^ 2) - a ^ 2) in Q' by (field; exact E0).
    rewrite O3 in Q' |- *. nra.
Qed.

(** * Section 2.1: the reward preference *)

(** The expectation over the old policy of ratio times f is the expectation of f over the policy. *)
Lemma ratio_outcome n rw pi old f :
  (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  outcome_expect n old rw (fun m => pi (fst m) / old (fst m) * f m) = outcome_expect n pi rw f.
Proof.
  intros S. unfold outcome_expect, expect. apply Sum_ext. intros o Ho. simpl.
  unfold law_expect at 1.
  rewrite (list_sum_ext _ (fun w => pi o / old o * (fst w * f (o, snd w)))) by (intros; ring).
  rewrite list_sum_scal. fold (law_expect (rw o) (fun x => f (o, x))).
  destruct (Req_dec (old o) 0) as [Z|N].
  - rewrite (S o Ho Z), Z. ring.
  - field. exact N.
Qed.

Lemma preference_outcome adv n rw G pi old :
  expect n pi (preference_of adv n rw G old)
  = outcome_expect n pi rw (fun m => draws (outcome_expect n old rw) (G - 1) (fun s => adv (snd m :: map snd s) (snd m))).
Proof. reflexivity. Qed.

(** (6) for any advantage that does not depend on the order of the group. *)
Lemma eq6_general adv n rw G pi old :
  (forall g g' x, Permutation g g' -> adv g x = adv g' x) ->
  (1 <= G)%nat -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  surrogate_of adv n rw G pi old = expect n pi (preference_of adv n rw G old).
Proof.
  intros Hadv HG Hold Hrw S. destruct G as [|N]; [lia|].
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  unfold surrogate_of, mean.
  rewrite (draws_ext _ HE _ _ (fun s => / INR (Datatypes.S N) *
    list_sum (map (fun m => pi (fst m) / old (fst m) * adv (map snd s) (snd m)) s))).
  2:{ intros s Hs. rewrite map_length, Hs. unfold Rdiv at 1. ring. }
  rewrite (E_scal _ (draws_expectation _ HE _)).
  rewrite (draws_exchange _ HE N (fun m s => pi (fst m) / old (fst m) * adv (map snd s) (snd m))).
  2:{ intros a s s' P. f_equal. apply Hadv, Permutation_map, P. }
  rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by (apply not_0_INR; discriminate).
  rewrite preference_outcome. simpl. rewrite Nat.sub_0_r.
  rewrite <- (ratio_outcome n rw pi old _ S). apply (E_ext _ HE). intros a.
  rewrite (E_scal _ (draws_expectation _ HE _)). reflexivity.
Qed.

(** (6): the reward preference is the expected group-relative preference, for any number of answers, any group size and
    any finite laws of rewards, where no answer of the policy is one that the old policy never samples. *)
Theorem vy_eq6_representation : forall n rw G pi old,
  (2 <= G)%nat -> policy n pi -> policy n old -> are_laws n rw ->
  (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  surrogate n rw G pi old = expect n pi (preference n rw G old).
Proof. intros. apply eq6_general; auto; [intros; apply advantage_perm; assumption | lia]. Qed.

(** Without the condition on the supports (6) fails. *)
Theorem vy_eq6_representation_needed : exists n rw G pi old,
  (2 <= G)%nat /\ policy n pi /\ policy n old /\ are_laws n rw /\
  surrogate n rw G pi old <> expect n pi (preference n rw G old).
Proof.
  exists 2%nat, (sure (binary 1)), 2%nat, (binary (1 / 2)), (binary 0).
  split; [lia|]. split; [apply binary_policy; lra|]. split; [apply binary_policy; lra|]. split; [apply sure_law|].
  assert (A00 : advantage [0; 0] 0 = 0) by (rewrite advantage_pair; repeat destruct Rlt_dec; lra).
  assert (A10 : advantage [1; 0] 1 = 1) by (rewrite advantage_pair; repeat destruct Rlt_dec; lra).
  unfold surrogate, surrogate_of, preference, preference_of. simpl draws.
  rewrite outcome_expect_sure, !expect_binary. simpl. rewrite !law_expect_sure, !outcome_expect_sure, !expect_binary.
  unfold mean. simpl. replace (1 - 1) with 0 by ring. replace (1 - 0) with 1 by ring. rewrite A00, A10. lra.
Qed.

(** On-policy the expected preference vanishes. *)
Theorem vy_s21_PG_centred : forall n rw G pi,
  (2 <= G)%nat -> policy n pi -> are_laws n rw -> expect n pi (preference n rw G pi) = 0.
Proof.
  intros n rw G pi HG Hpi Hrw. destruct G as [|N]; [lia|].
  pose proof (outcome_expectation n pi rw Hpi Hrw) as HE.
  unfold preference. rewrite preference_outcome. simpl. rewrite Nat.sub_0_r.
  apply (Rmult_eq_reg_l (INR (S N))); [|apply not_0_INR; discriminate].
  rewrite Rmult_0_r, <- (E_const _ (draws_expectation _ HE (S N)) 0).
  symmetry.
  etransitivity; [|apply (draws_exchange _ HE N (fun m s => advantage (map snd s) (snd m)))].
  - apply (draws_ext _ HE). intros s _. rewrite <- (map_map snd (advantage (map snd s))). symmetry. apply sum_advantages.
  - intros a s s' P. apply advantage_perm, Permutation_map, P.
Qed.

Lemma draws_sure n r old N (F : list R -> R) :
  draws (outcome_expect n old (sure r)) N (fun s => F (map snd s)) = draws (expect n old) N (fun s => F (map r s)).
Proof.
  revert F. induction N as [|N IH]; intros F; [reflexivity|].
  simpl. rewrite outcome_expect_sure. apply expect_ext. intros a _. apply (IH (fun g => F (r a :: g))).
Qed.

(** Deterministic rewards: the expectation is over the outputs of the others only. *)
Theorem vy_s21_PG_deterministic : forall n r G old o,
  preference n (sure r) G old o
  = draws (expect n old) (G - 1) (fun s => advantage (r o :: map r s) (r o)).
Proof.
  intros n r G old o. unfold preference, preference_of. rewrite law_expect_sure.
  apply (draws_sure n r old (G - 1) (fun g => advantage (r o :: g) (r o))).
Qed.

(** A lottery over equal rewards is a deterministic reward. *)
Theorem vy_s21_deterministic_special_case : forall n rw r G old o,
  policy n old -> are_laws n rw -> (o < n)%nat ->
  (forall a w, (a < n)%nat -> In w (rw a) -> snd w = r a) ->
  preference n rw G old o = preference n (sure r) G old o.
Proof.
  intros n rw r G old o Hold Hrw Ho Hr.
  assert (L : forall a f, (a < n)%nat -> law_expect (rw a) f = f (r a)).
  { intros a f Ha. unfold law_expect.
    rewrite (list_sum_ext _ (fun w => f (r a) * fst w)).
    - apply law_expect_fst, Hrw, Ha.
    - intros w Hw. rewrite (Hr a w Ha Hw). ring. }
  unfold preference, preference_of. rewrite L, law_expect_sure by exact Ho.
  apply draws_same; [apply outcome_expectation; assumption|].
  intros f. rewrite outcome_expect_sure. unfold outcome_expect, expect. apply Sum_ext. intros a Ha.
  rewrite L by exact Ha. reflexivity.
Qed.

(** ** Groups of two *)

(** A_i = sign(r_i - r_j), and A_j = - A_i. *)
Theorem vy_s21_G2_advantage : forall x y,
  advantage [x; y] x = sign (x - y) /\ advantage [x; y] y = - advantage [x; y] x.
Proof.
  intros x y. rewrite (advantage_perm [x; y] [y; x] y) by constructor. rewrite !advantage_pair.
  destruct (Rlt_dec y x), (Rlt_dec x y); try lra.
  - rewrite sign_eq_1 by lra. lra.
  - rewrite sign_eq_m1 by lra. lra.
  - replace (x - y) with 0 by lra. rewrite sign_0. lra.
Qed.

Lemma law_expect_ext l f g : (forall x, f x = g x) -> law_expect l f = law_expect l g.
Proof. intros H. apply list_sum_ext. intros w _. rewrite H. reflexivity. Qed.

Lemma law_expect_minus l f g : law_expect l (fun x => f x - g x) = law_expect l f - law_expect l g.
Proof.
  unfold law_expect. rewrite (list_sum_ext _ (fun w => fst w * f (snd w) + (-1) * (fst w * g (snd w)))) by (intros; ring).
  rewrite list_sum_plus, list_sum_scal. ring.
Qed.

Lemma law_expect_swap l l' (h : R -> R -> R) :
  law_expect l (fun x => law_expect l' (fun y => h x y)) = law_expect l' (fun y => law_expect l (fun x => h x y)).
Proof.
  unfold law_expect.
  rewrite (list_sum_ext _ (fun w => list_sum (map (fun v => fst w * (fst v * h (snd w) (snd v))) l'))).
  2:{ intros. rewrite list_sum_scal. reflexivity. }
  rewrite list_sum_swap. apply list_sum_ext. intros v _. rewrite <- list_sum_scal. apply list_sum_ext. intros. ring.
Qed.

Lemma law_expect_Sum l n (h : nat -> R -> R) :
  law_expect l (fun x => Sum n (fun o => h o x)) = Sum n (fun o => law_expect l (h o)).
Proof.
  induction n as [|n IH]; simpl.
  - unfold law_expect. rewrite (list_sum_ext _ (fun _ => 0)) by (intros; ring). rewrite list_sum_const. ring.
  - rewrite <- IH. unfold law_expect. rewrite <- list_sum_plus. apply list_sum_ext. intros. ring.
Qed.

Lemma law_expect_scal l c f : law_expect l (fun x => c * f x) = c * law_expect l f.
Proof. unfold law_expect. rewrite <- list_sum_scal. apply list_sum_ext. intros. ring. Qed.

(** P_2(o | o') is the margin of o against o'. *)
Lemma law_margin rw o o' :
  law_expect (rw o) (fun x => law_expect (rw o') (fun y => advantage [x; y] x)) = margin rw o o'.
Proof.
  unfold margin, wins. rewrite (law_expect_swap (rw o') (rw o)), <- law_expect_minus.
  apply law_expect_ext. intros x. rewrite <- law_expect_minus. apply law_expect_ext. intros y.
  rewrite advantage_pair. destruct (Rlt_dec y x), (Rlt_dec x y); lra.
Qed.

Lemma preference_two n rw old o : preference n rw 2 old o = expect n old (fun o' => margin rw o o').
Proof.
  unfold preference, preference_of. simpl draws. unfold outcome_expect, expect. rewrite law_expect_Sum.
  apply Sum_ext. intros o' _. rewrite law_expect_scal. f_equal. apply law_margin.
Qed.

Lemma margin_antisym rw o o' : margin rw o' o = - margin rw o o'.
Proof. unfold margin. ring. Qed.

Lemma margin_self rw o : margin rw o o = 0.
Proof. unfold margin. ring. Qed.

(** P_2(o | {o'}) = P(o > o') - P(o' > o). *)
Theorem vy_s21_P2_corresponds : forall rw o o',
  law_expect (rw o) (fun x => law_expect (rw o') (fun y => advantage [x; y] x)) = wins rw o o' - wins rw o' o.
Proof. intros. apply law_margin. Qed.

(** R_2 as an expected difference of pairwise preferences. *)
Theorem vy_s21_R2_general : forall n rw pi old,
  policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  surrogate n rw 2 pi old = expect n pi (fun o => expect n old (fun o' => wins rw o o' - wins rw o' o)).
Proof.
  intros. rewrite vy_eq6_representation by (assumption || lia). apply expect_ext. intros. apply preference_two.
Qed.

(** Without ties it is affine in the probability of winning. *)
Theorem vy_s21_R2_asymmetric : forall n rw pi old,
  policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  (forall o o', (o < n)%nat -> (o' < n)%nat -> wins rw o o' + wins rw o' o = 1) ->
  surrogate n rw 2 pi old = 2 * expect n pi (fun o => expect n old (fun o' => wins rw o o')) - 1.
Proof.
  intros n rw pi old Hpi Hold Hrw S T. rewrite vy_s21_R2_general by assumption.
  unfold Rminus at 2. rewrite <- (expect_affine n pi) by exact Hpi. apply expect_ext. intros o Ho.
  rewrite <- (expect_affine n old) by exact Hold. apply expect_ext. intros o' Ho'. pose proof (T o o' Ho Ho'). lra.
Qed.

(** With ties, the probability of a tie is added: it depends on the policy. *)
Theorem vy_s21_R2_with_ties : forall n rw pi old,
  policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  surrogate n rw 2 pi old
  = 2 * expect n pi (fun o => expect n old (fun o' => wins rw o o')) - 1
    + expect n pi (fun o => expect n old (fun o' => 1 - wins rw o o' - wins rw o' o)).
Proof.
  intros n rw pi old Hpi Hold Hrw S. rewrite vy_s21_R2_general by assumption.
  unfold Rminus at 2. rewrite <- (expect_affine n pi), <- expect_plus by exact Hpi. apply expect_ext. intros o Ho.
  rewrite <- (expect_affine n old), <- expect_plus by exact Hold. apply expect_ext. intros o' Ho'. lra.
Qed.

(** P(o > o') for deterministic rewards. *)
Theorem vy_s21_P_deterministic : forall r o o',
  wins (sure r) o o' = if Rlt_dec (r o') (r o) then 1 else 0.
Proof. intros. unfold wins. rewrite !law_expect_sure. reflexivity. Qed.

(** Only the order of the rewards matters to groups of two. *)
Theorem vy_s21_G2_ordinal : forall n r r' pi old,
  policy n pi -> policy n old -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  (forall o o', (o < n)%nat -> (o' < n)%nat -> (r o < r o' <-> r' o < r' o')) ->
  surrogate n (sure r) 2 pi old = surrogate n (sure r') 2 pi old.
Proof.
  intros n r r' pi old Hpi Hold S T.
  rewrite !vy_s21_R2_general by (assumption || apply sure_law).
  apply expect_ext. intros o Ho. apply expect_ext. intros o' Ho'.
  rewrite !vy_s21_P_deterministic.
  pose proof (T o o' Ho Ho'). pose proof (T o' o Ho' Ho).
  repeat destruct Rlt_dec; tauto || lra.
Qed.
