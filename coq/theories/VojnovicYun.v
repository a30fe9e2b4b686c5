(** Vojnovic and Yun, "What is the Alignment Objective of GRPO?" (2025).

    Every theorem has the name of a claim of the ledger, with underscores, and states its whole sentence for the
    definitions of Policies.v.  Where the print needs a hypothesis, the theorem has it, and the theorem of the same name
    with the ending [_needed] shows that it cannot be dropped. *)

From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Calculus.
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

(** Shifts and positive scalings of the rewards leave the advantages as they are; a negative factor reverses them. The
    numerator is multiplied by the factor, the deviation by its absolute value. *)
Theorem vy_s1_shift_scale_invariance : forall (g : list R) (x c d : R), In x g ->
  (0 < c -> advantage (map (fun y => c * y + d) g) (c * x + d) = advantage g x) /\
  (c < 0 -> advantage (map (fun y => c * y + d) g) (c * x + d) = - advantage g x) /\
  c * x + d - mean (map (fun y => c * y + d) g) = c * (x - mean g) /\
  deviation (map (fun y => c * y + d) g) = Rabs c * deviation g.
Proof.
  intros g x c d Hx.
  assert (N : g <> []) by (intros ->; destruct Hx).
  assert (K : c <> 0 -> advantage (map (fun y => c * y + d) g) (c * x + d) = c / Rabs c * advantage g x).
  { intros Hc. pose proof (Rabs_pos_lt c Hc) as A. destruct (Req_dec (deviation g) 0) as [Z|D].
    - rewrite (advantage_of_equals g x Hx Z).
      rewrite advantage_of_equals; [ring | apply (in_map (fun y => c * y + d)); exact Hx |].
      rewrite deviation_affine, Z. ring.
    - unfold advantage. rewrite mean_affine, deviation_affine by exact N. field. split; [exact D|lra]. }
  split; [|split; [|split; [rewrite mean_affine by exact N; ring | apply deviation_affine]]]; intros H;
    rewrite K by lra.
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
    rewrite (list_sum_ext (fun y => list_sum (map (fun z => (y - z) ^ 2) g))
      (fun y => n * y ^ 2 + (q + - (2 * n * m) * y))).
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
  = outcome_expect n pi rw (fun m =>
    draws (outcome_expect n old rw) (G - 1) (fun s => adv (snd m :: map snd s) (snd m))).
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
  - apply (draws_ext _ HE). intros s _. rewrite <- (map_map snd (advantage (map snd s))). symmetry.
    apply sum_advantages.
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
  unfold law_expect. rewrite (list_sum_ext _ (fun w => fst w * f (snd w) + (-1) * (fst w * g (snd w))))
    by (intros; ring).
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

(** Without ties it is affine in the probability of winning. *)
Theorem vy_s21_R2_asymmetric :
  (forall n (prefers : nat -> nat -> R) pi old, policy n pi -> policy n old ->
     (forall o o', (o < n)%nat -> (o' < n)%nat -> prefers o o' + prefers o' o = 1) ->
     expect n pi (fun o => expect n old (fun o' => prefers o o' - prefers o' o))
     = 2 * expect n pi (fun o => expect n old (prefers o)) - 1) /\
  (forall n rw pi old,
     policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
     (forall o o', (o < n)%nat -> (o' < n)%nat -> o <> o' -> wins rw o o' + wins rw o' o = 1) ->
     surrogate n rw 2 pi old
     = 2 * expect n pi (fun o => expect n old (fun o' => wins rw o o')) - 1
       + Sum n (fun o => pi o * (old o * (1 - 2 * wins rw o o)))).
Proof.
  split.
  - intros n W pi old Hpi Hold T. unfold Rminus at 2. rewrite <- (expect_affine n pi) by exact Hpi.
    apply expect_ext. intros o Ho. rewrite <- (expect_affine n old) by exact Hold.
    apply expect_ext. intros o' Ho'. pose proof (T o o' Ho Ho'). lra.
  - intros n rw pi old Hpi Hold Hrw S T. rewrite vy_s21_R2_with_ties by assumption. f_equal. unfold expect at 1.
    apply Sum_ext. intros o Ho. f_equal. unfold expect.
    rewrite <- (Sum_at_index n o (old o * (1 - 2 * wins rw o o))) by exact Ho. apply Sum_ext. intros o' Ho'.
    unfold at_index. destruct (Nat.eqb_spec o' o) as [->|N]; [ring|].
    pose proof (T o o' Ho Ho' (fun E => N (eq_sym E))). replace (1 - wins rw o o' - wins rw o' o) with 0 by lra. ring.
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

(** ** The limit of large groups *)

Lemma draws_head {A} (E : (A -> R) -> R) N (f : A -> R) :
  expectation E -> draws E (S N) (fun s => match s with [] => 0 | a :: _ => f a end) = E f.
Proof. intros HE. simpl. apply (E_ext _ HE). intros a. apply (E_const _ (draws_expectation _ HE N)). Qed.

(** The mean of a sample of a centred quantity: its square has the expectation Var/G. *)
Lemma draws_sum {A} (E : (A -> R) -> R) (HE : expectation E) (f : A -> R) G :
  draws E G (fun s => list_sum (map f s)) = INR G * E f.
Proof.
  induction G as [|G IH]; [simpl; ring|].
  simpl draws. rewrite (E_ext _ HE _ (fun a => f a + INR G * E f)).
  - rewrite E_plus, E_const, S_INR by exact HE. ring.
  - intros a. rewrite (E_plus _ (draws_expectation _ HE G)), IH, (E_const _ (draws_expectation _ HE G)). ring.
Qed.

Lemma draws_sum_square {A} (E : (A -> R) -> R) (HE : expectation E) (f : A -> R) G :
  E f = 0 -> draws E G (fun s => list_sum (map f s) ^ 2) = INR G * E (fun a => f a ^ 2).
Proof.
  intros Z. induction G as [|G IH]; [simpl; ring|].
  simpl draws. pose proof (draws_expectation _ HE G) as HD.
  rewrite (E_ext _ HE _ (fun a => f a ^ 2 + INR G * E (fun a => f a ^ 2))).
  - rewrite E_plus, E_const, S_INR by exact HE. ring.
  - intros a. rewrite (E_ext _ HD _ (fun s => f a ^ 2 + ((2 * f a) * list_sum (map f s) + list_sum (map f s) ^ 2)))
      by (intros; ring).
    rewrite !(E_plus _ HD), (E_const _ HD), (E_scal _ HD), (draws_sum _ HE), IH, Z. ring.
Qed.

(** Given the first output, expectations are at most those of all groups over its probability. *)
Lemma conditional_le n rw old N (F : list (nat * R) -> R) o :
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> (forall s, 0 <= F s) ->
  law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => F ((o, x) :: s)))
  <= draws (outcome_expect n old rw) (S N) F / old o.
Proof.
  intros Hold Hrw Ho Hp HF. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  apply Rmult_le_reg_r with (old o); [exact Hp|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_comm by lra.
  simpl draws. unfold outcome_expect at 2, expect.
  apply (Sum_term_le n (fun o =>
    old o * law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => F ((o, x) :: s))))).
  - intros a Ha. apply Rmult_le_pos; [apply (proj1 Hold); exact Ha|].
    apply (E_nonneg _ (law_expectation _ (Hrw a Ha))). intros x.
    apply (E_nonneg _ (draws_expectation _ HE N)). intros s. apply HF.
  - exact Ho.
Qed.

(** Advantages of a sampled answer have bounded second moments: E[A_1^2 | o_1 = o] <= 1/old(o), for every G. *)
Theorem vy_s21_PG_uniform_integrability : forall n rw G old o,
  (2 <= G)%nat -> policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o ->
  preference_of (fun g x => advantage g x ^ 2) n rw G old o <= / old o.
Proof.
  intros n rw G old o HG Hold Hrw Ho Hp. destruct G as [|N]; [lia|].
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  set (A2 := fun (m : nat * R) (s : list (nat * R)) => advantage (map snd s) (snd m) ^ 2).
  unfold preference_of. simpl Nat.sub. rewrite Nat.sub_0_r.
  eapply Rle_trans.
  - apply (conditional_le n rw old N (fun s => match s with [] => 0 | m :: _ => A2 m s end) o Hold Hrw Ho Hp).
    intros [|m s]; [lra | apply pow2_ge_0].
  - unfold Rdiv. rewrite <- (Rmult_1_l (/ old o)) at 2. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hp|].
    apply Rmult_le_reg_l with (INR (S N)); [apply lt_0_INR; lia|].
    simpl draws. rewrite <- (draws_exchange _ HE N A2).
    2:{ intros a s s' P. unfold A2. rewrite (advantage_perm _ _ _ (Permutation_map snd P)). reflexivity. }
    rewrite Rmult_1_r, <- (E_const _ (draws_expectation _ HE (S N)) (INR (S N))).
    rewrite (draws_ext _ HE (S N) (fun _ => INR (S N)) (fun s => INR (length (map snd s)))).
    2:{ intros s Hs. rewrite map_length, Hs. reflexivity. }
    apply (E_le _ (draws_expectation _ HE (S N))). intros s. unfold A2.
    rewrite <- (map_map snd (fun x => advantage (map snd s) x ^ 2)). apply mean_square_advantage.
Qed.

Lemma mean_within_variance_over_size n rw old G :
  (1 <= G)%nat -> policy n old -> are_laws n rw ->
  draws (outcome_expect n old rw) G (fun s => (mean (map snd s) - reward_mean n rw old) ^ 2)
  = reward_variance n rw old / INR G.
Proof.
  intros HG Hold Hrw. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  set (mu := reward_mean n rw old).
  rewrite (draws_ext _ HE _ _ (fun s => / INR G ^ 2 * list_sum (map (fun m => snd m - mu) s) ^ 2)).
  - rewrite (E_scal _ (draws_expectation _ HE G)), (draws_sum_square _ HE).
    + unfold reward_variance. fold mu. field. lra.
    + rewrite (E_minus _ HE), (E_const _ HE). unfold mu, reward_mean. apply Rminus_diag_eq, (E_ext _ HE). reflexivity.
  - intros s Hs. unfold mean. rewrite map_length, Hs.
    unfold Rminus at 2. rewrite list_sum_plus, list_sum_const, Hs. field. lra.
Qed.

Lemma over_size_vanishes C : is_lim_seq (fun G => C / INR G) 0.
Proof.
  replace (Finite 0) with (Rbar_mult C 0) by (simpl; f_equal; ring).
  apply is_lim_seq_scal_l. apply (is_lim_seq_inv INR p_infty); [apply is_lim_seq_INR|discriminate].
Qed.

(** The law of large numbers, in mean square: the mean of a group of size G is expected within Var/G of E r. *)
Theorem vy_s21_lln_mean : forall n rw old, policy n old -> are_laws n rw ->
  let distance := fun G => draws (outcome_expect n old rw) G (fun s => (mean (map snd s) - reward_mean n rw old) ^ 2) in
  (forall G, (1 <= G)%nat -> distance G = reward_variance n rw old / INR G) /\ is_lim_seq distance 0.
Proof.
  intros n rw old Hold Hrw distance.
  assert (E : forall G, (1 <= G)%nat -> distance G = reward_variance n rw old / INR G).
  { intros G HG. apply mean_within_variance_over_size; assumption. }
  split; [exact E|]. apply (is_lim_seq_ext_loc (fun G => reward_variance n rw old / INR G));
    [|apply over_size_vanishes].
  exists 1%nat. intros G HG. symmetry. apply E, HG.
Qed.

(** A bound on all rewards of the answers 0, ..., n - 1. *)
Lemma rewards_bounded n (rw : rewards) : exists B, 0 <= B /\
  forall o w, (o < n)%nat -> In w (rw o) -> Rabs (snd w) <= B.
Proof.
  assert (L : forall l : law, exists B, 0 <= B /\ forall w, In w l -> Rabs (snd w) <= B).
  { induction l as [|w l (B & H0 & HB)].
    - exists 0. split; [lra|]. intros w [].
    - exists (Rmax (Rabs (snd w)) B). split.
      + eapply Rle_trans; [apply H0|apply Rmax_r].
      + intros v [<-|Hv]; [apply Rmax_l|]. eapply Rle_trans; [apply HB, Hv|apply Rmax_r]. }
  induction n as [|n (B & H0 & HB)].
  - exists 0. split; [lra|]. intros. lia.
  - destruct (L (rw n)) as (B' & H0' & HB'). exists (Rmax B B'). split.
    + eapply Rle_trans; [apply H0|apply Rmax_l].
    + intros o w Ho Hw. destruct (Nat.eq_dec o n) as [->|].
      * eapply Rle_trans; [apply HB', Hw|apply Rmax_r].
      * eapply Rle_trans; [apply HB with o; [lia|exact Hw]|apply Rmax_l].
Qed.

(** An expectation only sees the outcomes that occur. *)
Lemma outcome_expect_le_in n pi rw f g : policy n pi -> are_laws n rw ->
  (forall o w, (o < n)%nat -> In w (rw o) -> f (o, snd w) <= g (o, snd w)) ->
  outcome_expect n pi rw f <= outcome_expect n pi rw g.
Proof.
  intros Hp Hr H. apply expect_le; [exact Hp|]. intros o Ho. unfold law_expect. apply list_sum_le.
  intros w Hw. apply Rmult_le_compat_l; [apply (proj1 (Hr o Ho)), Hw | apply H; assumption].
Qed.

Definition occurs n (rw : rewards) (m : nat * R) : Prop := (fst m < n)%nat /\ exists w, In w (rw (fst m))
  /\ snd m = snd w.

Lemma draws_le_in n pi rw G F F' : policy n pi -> are_laws n rw ->
  (forall s, length s = G -> (forall m, In m s -> occurs n rw m) -> F s <= F' s) ->
  draws (outcome_expect n pi rw) G F <= draws (outcome_expect n pi rw) G F'.
Proof.
  intros Hp Hr. revert F F'. induction G as [|G IH]; intros F F' H.
  - apply H; [reflexivity|]. intros m [].
  - simpl. apply outcome_expect_le_in; [exact Hp|exact Hr|]. intros o w Ho Hw. apply IH.
    intros s Hs Hm. apply H; [simpl; lia|]. intros m [<-|Hin]; [|apply Hm, Hin].
    split; [exact Ho|]. exists w. split; [exact Hw|reflexivity].
Qed.

(** The square of the deviation of a group is expected within C/G of sigma^2, in mean square. *)
Lemma lln_deviation n rw old : policy n old -> are_laws n rw ->
  exists C, 0 <= C /\ forall G, (1 <= G)%nat ->
  draws (outcome_expect n old rw) G (fun s => (square_deviation (map snd s) - reward_variance n rw old) ^ 2) <= C / INR
    G.
Proof.
  intros Hold Hrw. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  destruct (rewards_bounded n rw) as (B & HB0 & HB).
  set (mu := reward_mean n rw old). set (v := reward_variance n rw old).
  set (E := outcome_expect n old rw) in *.
  set (f := fun m : nat * R => (snd m - mu) ^ 2 - v).
  assert (Ef : E f = 0).
  { unfold f. rewrite (E_minus _ HE), (E_const _ HE). apply Rminus_diag_eq. reflexivity. }
  assert (Hmu : Rabs mu <= B).
  { apply Rabs_le. split; [rewrite <- (E_const _ HE (- B)) | rewrite <- (E_const _ HE B)];
      (apply outcome_expect_le_in; [exact Hold|exact Hrw|]); intros o w Ho Hw; simpl;
      pose proof (HB o w Ho Hw) as K; apply Rabs_le_between in K; lra. }
  assert (Hv : 0 <= v) by (apply (E_nonneg _ HE); intros; apply pow2_ge_0).
  exists (2 * E (fun m => f m ^ 2) + 8 * B ^ 2 * v). split.
  { assert (0 <= E (fun m => f m ^ 2)) by (apply (E_nonneg _ HE); intros; apply pow2_ge_0).
    assert (0 <= B ^ 2) by apply pow2_ge_0. nra. }
  intros G HG. assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  pose proof (draws_expectation _ HE G) as HD.
  apply Rle_trans with (draws E G (fun s => 2 * (/ INR G ^ 2 * list_sum (map f s) ^ 2)
    + 8 * B ^ 2 * (mean (map snd s) - mu) ^ 2)).
  - apply draws_le_in; [exact Hold|exact Hrw|]. intros s Hs Hm.
    assert (N : map snd s <> []) by (destruct s; [simpl in Hs; lia|discriminate]).
    rewrite (square_deviation_shift _ mu N).
    assert (E1 : mean (map (fun x => (x - mu) ^ 2) (map snd s)) - v = / INR G * list_sum (map f s)).
    { unfold mean. rewrite !map_length, Hs, map_map. unfold f, Rminus at 3. rewrite list_sum_plus, list_sum_const, Hs.
      field. lra. }
    set (a := mean (map (fun x => (x - mu) ^ 2) (map snd s))) in *. set (d := mean (map snd s) - mu).
    assert (Hd : d ^ 2 <= 4 * B ^ 2).
    { assert (Rabs (mean (map snd s)) <= B) as K.
      { assert (forall g, g <> [] -> (forall x, In x g -> Rabs x <= B) -> Rabs (mean g) <= B) as K.
        { intros g Ng Hg. pose proof (length_pos g Ng) as Lg. unfold mean, Rdiv.
          rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat, Lg).
          apply Rmult_le_reg_r with (INR (length g)); [exact Lg|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
          clear - Hg. induction g as [|x g IH]; [simpl; rewrite Rabs_R0; lra|].
          cbn [list_sum length]. rewrite S_INR. eapply Rle_trans; [apply Rabs_triang|].
          assert (Rabs x <= B) by (apply Hg; left; reflexivity).
          assert (Rabs (list_sum g) <= B * INR (length g)) by (apply IH; intros; apply Hg; right; assumption). nra. }
        apply K; [exact N|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (m & <- & Hin).
        destruct (Hm m Hin) as (Ho & w & Hw & ->). apply HB with (fst m); assumption. }
      unfold d. apply Rabs_le_between in K. apply Rabs_le_between in Hmu.
      replace (4 * B ^ 2) with ((2 * B) ^ 2) by ring. apply pow_maj_Rabs. apply Rabs_le. lra. }
    replace (a - d ^ 2 - v) with ((a - v) - d ^ 2) by ring. rewrite E1.
    set (b := / INR G * list_sum (map f s)) in *.
    replace (/ INR G ^ 2 * list_sum (map f s) ^ 2) with (b ^ 2) by (unfold b; field; lra).
    assert (d ^ 2 * d ^ 2 <= 4 * B ^ 2 * d ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|exact Hd]).
    pose proof (pow2_ge_0 (b + d ^ 2)). nra.
  - rewrite (E_plus _ HD), !(E_scal _ HD), (draws_sum_square _ HE _ _ Ef).
    pose proof (mean_within_variance_over_size n rw old G HG Hold Hrw) as K. fold mu v E in K. rewrite K.
    apply Req_le. field. lra.
Qed.

(** sigma^2 of the group tends to that of the reward, in mean square. *)
Theorem vy_s21_lln_std : forall n rw old, policy n old -> are_laws n rw ->
  is_lim_seq (fun G => draws (outcome_expect n old rw) G
    (fun s => (deviation (map snd s) ^ 2 - reward_variance n rw old) ^ 2)) 0 /\
  is_lim_seq (fun G => draws (outcome_expect n old rw) G
    (fun s => (deviation (map snd s) - reward_deviation n rw old) ^ 2)) 0.
Proof.
  intros n rw old Hold Hrw. destruct (lln_deviation n rw old Hold Hrw) as (C & HC & H).
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  set (v := reward_variance n rw old) in *.
  assert (Hv : 0 <= v) by (apply (E_nonneg _ HE); intros; apply pow2_ge_0).
  assert (Hs : 0 <= reward_deviation n rw old) by apply sqrt_pos.
  assert (Hss : reward_deviation n rw old ^ 2 = v) by (apply pow2_sqrt; exact Hv).
  assert (HQ : forall G, (1 <= G)%nat ->
    draws (outcome_expect n old rw) G (fun s => (deviation (map snd s) ^ 2 - v) ^ 2) <= C / INR G).
  { intros G HG. eapply Rle_trans; [|apply H, HG]. apply Req_le, (draws_ext _ HE). intros s _. rewrite deviation_square.
    reflexivity. }
  split.
  - apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun G => C / INR G));
      [|apply is_lim_seq_const|apply over_size_vanishes].
    exists 1%nat. intros G HG. split; [|apply HQ, HG].
    apply (E_nonneg _ (draws_expectation _ HE G)). intros. apply pow2_ge_0.
  - (* (d - t)^2 <= |d^2 - t^2|, and an expectation is at most the root of that of the square. *)
    apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun G => sqrt (C / INR G))); [|apply is_lim_seq_const|].
    + exists 1%nat. intros G HG. pose proof (draws_expectation _ HE G) as HD. split.
      * apply (E_nonneg _ HD). intros. apply pow2_ge_0.
      * set (X := fun s : list (nat * R) => Rabs (deviation (map snd s) ^ 2 - v)).
        eapply Rle_trans; [apply (E_le _ HD _ X)|].
        -- intros g. pose proof (deviation_nonneg (map snd g)) as Hd. unfold X. rewrite <- Hss.
           set (d := deviation (map snd g)) in *. set (t := reward_deviation n rw old) in *.
           replace ((d - t) ^ 2) with (Rabs (d - t) * Rabs (d - t))
             by (rewrite <- Rabs_mult, Rabs_pos_eq; [ring | replace ((d - t) * (d - t)) with ((d - t) ^ 2) by ring;
                 apply pow2_ge_0]).
           replace (d ^ 2 - t ^ 2) with ((d - t) * (d + t)) by ring. rewrite Rabs_mult.
           apply Rmult_le_compat_l; [apply Rabs_pos|]. rewrite (Rabs_pos_eq (d + t)) by lra. apply Rabs_le. lra.
        -- rewrite <- (sqrt_pow2 (draws (outcome_expect n old rw) G X))
             by (apply (E_nonneg _ HD); intros; apply Rabs_pos).
           apply sqrt_le_1_alt. eapply Rle_trans; [apply (E_square _ HD)|]. eapply Rle_trans; [|apply HQ, HG].
           apply Req_le, (draws_ext _ HE). intros s _. unfold X. apply pow2_abs.
    + rewrite <- sqrt_0. apply (is_lim_seq_continuous sqrt); [|apply over_size_vanishes].
      apply continuity_pt_sqrt. lra.
Qed.

(** The preference of a sampled answer is within C/sqrt(G) of its limit. *)
Lemma preference_rate n rw old o :
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> 0 < reward_variance n rw old ->
  exists C, forall G, (2 <= G)%nat ->
    (preference n rw G old o - limit_preference n rw old o) ^ 2 <= C / INR G.
Proof.
  intros Hold Hrw Ho Hp Hv. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  destruct (lln_deviation n rw old Hold Hrw) as (C & HC & HD).
  set (mu := reward_mean n rw old) in *. set (v := reward_variance n rw old) in *.
  set (sg := reward_deviation n rw old).
  assert (Hsg : 0 < sg) by (apply sqrt_lt_R0, Hv). assert (Hsg2 : sg ^ 2 = v) by (apply pow2_sqrt; lra).
  exists ((2 * / old o * (C / v * / old o) + 2 * (v / old o)) / v).
  intros G HG. assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  destruct G as [|N]; [lia|]. set (G := S N) in *.
  set (F := fun (h : R -> list R -> R) =>
    law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => h x (x :: map snd s)))).
  (* F is an expectation *)
  assert (HF : forall h h', (forall x g, h x g = h' x g) -> F h = F h').
  { intros h h' H. apply law_expect_ext. intros x. apply (draws_ext _ HE). intros s _. apply H. }
  pose proof (law_expectation _ (Hrw o Ho)) as HL. pose proof (draws_expectation _ HE N) as HN.
  assert (Fp : forall h h', F (fun x g => h x g + h' x g) = F h + F h').
  { intros h h'. unfold F. rewrite <- (E_plus _ HL). apply (E_ext _ HL). intros x. apply (E_plus _ HN). }
  assert (Fs : forall c h, F (fun x g => c * h x g) = c * F h).
  { intros c h. unfold F. rewrite <- (E_scal _ HL). apply (E_ext _ HL). intros x. apply (E_scal _ HN). }
  assert (Fn : forall h, (forall x g, 0 <= h x g) -> 0 <= F h).
  { intros h H. apply (E_nonneg _ HL). intros x. apply (E_nonneg _ HN). intros s. apply H. }
  assert (CS : forall h h',
    (F (fun x g => h x g * h' x g)) ^ 2 <= F (fun x g => h x g ^ 2) * F (fun x g => h' x g ^ 2)).
  { intros h h'. set (u := F (fun x g => h x g ^ 2)). set (w := F (fun x g => h' x g ^ 2)).
    set (c := F (fun x g => h x g * h' x g)).
    assert (Q : forall s t, 0 <= s ^ 2 * u + 2 * s * t * c + t ^ 2 * w).
    { intros s t. unfold u, w, c. rewrite <- !Fs, <- !Fp. apply Fn. intros x g.
      replace (_ + _) with ((s * h x g + t * h' x g) ^ 2) by ring. apply pow2_ge_0. }
    assert (0 <= w) by (apply Fn; intros; apply pow2_ge_0).
    assert (0 <= u) by (apply Fn; intros; apply pow2_ge_0).
    destruct (Req_dec w 0) as [Z|NZ].
    - pose proof (Q c (- (u + 1))) as H1. rewrite Z in *.
      assert (c ^ 2 * (u + 2) <= 0) by nra. assert (c ^ 2 = 0) by nra. lra.
    - pose proof (Q w (- c)) as H1. assert (0 <= w * (u * w - c ^ 2)) by nra. nra. }
  (* conditional second moments *)
  assert (B1 : F (fun x g => advantage g x ^ 2) <= / old o).
  { pose proof (vy_s21_PG_uniform_integrability n rw G old o HG Hold Hrw Ho Hp) as K.
    unfold preference_of in K. simpl Nat.sub in K. rewrite Nat.sub_0_r in K. exact K. }
  assert (B2 : F (fun x g => (mean g - mu) ^ 2) <= v / INR G / old o).
  { unfold v. rewrite <- (mean_within_variance_over_size n rw old G) by (assumption || lia).
    apply (conditional_le n rw old N (fun s => (mean (map snd s) - mu) ^ 2) o Hold Hrw Ho Hp).
    intros; apply pow2_ge_0. }
  assert (B3 : F (fun x g => (sg - deviation g) ^ 2) <= C / v / INR G / old o).
  { apply Rle_trans with (F (fun x g => / v * (square_deviation g - v) ^ 2)).
    - apply (E_le _ HL). intros x. apply (E_le _ HN). intros s. set (g := x :: map snd s).
      rewrite <- deviation_square, <- Hsg2. pose proof (deviation_nonneg g).
      apply Rmult_le_reg_l with (sg ^ 2); [nra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by nra.
      replace ((deviation g ^ 2 - sg ^ 2) ^ 2) with ((sg - deviation g) ^ 2 * (sg + deviation g) ^ 2) by ring.
      rewrite Rmult_comm. apply Rmult_le_compat_l; [apply pow2_ge_0|]. nra.
    - rewrite Fs. replace (C / v / INR G / old o) with (/ v * (C / INR G / old o)) by (field; lra).
      apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat, Hv|].
      eapply Rle_trans.
      + apply (conditional_le n rw old N (fun s => (square_deviation (map snd s) - v) ^ 2) o Hold Hrw Ho Hp).
        intros; apply pow2_ge_0.
      + apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hp|]. apply HD. lia. }
  (* A sg - (x - mu) = A (sg - s) + (mu - m) *)
  assert (D : sg * (preference n rw G old o - limit_preference n rw old o)
    = F (fun x g => advantage g x * (sg - deviation g)) + F (fun x g => mu - mean g)).
  { rewrite <- Fp.
    transitivity (F (fun x g => sg * advantage g x + - (x - mu))).
    - rewrite Fp, Fs. unfold limit_preference. fold mu sg.
      replace (F (fun x _ => - (x - mu))) with (mu - expected_reward rw o).
      + unfold preference, preference_of, F. simpl Nat.sub. rewrite Nat.sub_0_r. field. lra.
      + transitivity (law_expect (rw o) (fun x => mu - x)).
        * rewrite (E_minus _ HL), (E_const _ HL). reflexivity.
        * apply (E_ext _ HL). intros x. rewrite (E_const _ HN). ring.
    - apply law_expect_ext. intros x. apply (draws_ext _ HE). intros s _.
      set (g := x :: map snd s). pose proof (advantage_deviation g x (or_introl eq_refl)). lra. }
  assert (S1 : (F (fun x g => advantage g x * (sg - deviation g))) ^ 2 <= / old o * (C / v / INR G / old o)).
  { eapply Rle_trans; [apply CS|]. apply Rmult_le_compat; [| |exact B1|exact B3]; apply Fn; intros; apply pow2_ge_0. }
  assert (S2 : (F (fun x g => mu - mean g)) ^ 2 <= v / INR G / old o).
  { rewrite (HF _ (fun x g => 1 * (mu - mean g))) by (intros; ring).
    eapply Rle_trans; [apply (CS (fun _ _ => 1))|].
    replace (F (fun _ _ => 1 ^ 2)) with 1.
    2:{ unfold F. rewrite (E_ext _ HL _ (fun _ => 1)); [symmetry; apply (E_const _ HL)|].
        intros. rewrite (E_const _ HN). ring. }
    rewrite Rmult_1_l. erewrite HF; [exact B2|]. intros. simpl. ring. }
  set (P := preference n rw G old o - limit_preference n rw old o) in *.
  set (a := F (fun x g => advantage g x * (sg - deviation g))) in *. set (b := F (fun x g => mu - mean g)) in *.
  apply Rmult_le_reg_l with v; [exact Hv|].
  replace (v * ((2 * / old o * (C / v * / old o) + 2 * (v / old o)) / v / INR G))
    with (2 * (/ old o * (C / v / INR G / old o)) + 2 * (v / INR G / old o)) by (field; lra).
  replace (v * P ^ 2) with ((sg * P) ^ 2) by (rewrite <- Hsg2; ring). rewrite D.
  pose proof (pow2_ge_0 (a - b)). apply Rle_trans with (2 * a ^ 2 + 2 * b ^ 2); [nra|]. lra.
Qed.

(** The preference of a sampled answer tends to (r(o) - E r)/sigma, for any finite laws of rewards. *)
Lemma preference_limit : forall n rw old o,
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> 0 < reward_deviation n rw old ->
  is_lim_seq (fun G => preference n rw G old o) (limit_preference n rw old o).
Proof.
  intros n rw old o Hold Hrw Ho Hp Hs.
  assert (Hv : 0 < reward_variance n rw old).
  { destruct (Rlt_dec 0 (reward_variance n rw old)) as [H|H]; [exact H|].
    unfold reward_deviation in Hs. rewrite sqrt_neg_0 in Hs by lra. lra. }
  destruct (preference_rate n rw old o Hold Hrw Ho Hp Hv) as (C & H).
  apply is_lim_seq_spec. intros eps.
  destruct (nfloor_ex (Rabs C / eps ^ 2)) as (m & Hm).
  { apply Rmult_le_pos; [apply Rabs_pos|]. apply Rlt_le, Rinv_0_lt_compat. pose proof (cond_pos eps). nra. }
  exists (m + 2)%nat. intros G HG.
  assert (HG2 : (2 <= G)%nat) by lia. specialize (H G HG2).
  assert (L : 0 < INR G) by (apply lt_0_INR; lia). pose proof (cond_pos eps) as He.
  set (d := preference n rw G old o - limit_preference n rw old o) in *.
  assert (d ^ 2 < eps ^ 2).
  { eapply Rle_lt_trans; [exact H|].
    apply Rmult_lt_reg_r with (INR G); [exact L|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (INR m + 1 <= INR G) by (rewrite <- S_INR; apply le_INR; lia).
    assert (Rabs C < INR G * eps ^ 2).
    { apply Rmult_lt_reg_r with (/ eps ^ 2); [apply Rinv_0_lt_compat; nra|].
      rewrite Rmult_assoc, Rinv_r, Rmult_1_r by nra. unfold Rdiv in Hm. lra. }
    pose proof (Rle_abs C). lra. }
  apply Rabs_lt_between'. fold d. 
  destruct (Rle_or_lt (Rabs d) 0) as [Z|Z].
  - assert (d = 0) by (destruct (Req_dec d 0); [assumption|pose proof (Rabs_pos_lt d); lra]). unfold d in *. split; lra.
  - assert (Rabs d < eps).
    { apply Rnot_le_lt. intros K. assert (eps ^ 2 <= Rabs d ^ 2) by (apply pow_incr; lra). rewrite pow2_abs in H1. lra.
      }
    apply Rabs_lt_between in H1. unfold d in *. lra.
Qed.

(** The limit of large groups, R_infinity: for sigma(old) > 0 and under the support condition of (6). *)
Theorem vy_s21_Rinf : forall n rw pi old,
  policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  0 < reward_deviation n rw old ->
  is_lim_seq (fun G => surrogate n rw G pi old)
    ((reward_mean n rw pi - reward_mean n rw old) / reward_deviation n rw old).
Proof.
  intros n rw pi old Hpi Hold Hrw S Hs.
  apply (is_lim_seq_ext_loc (fun G => expect n pi (preference n rw G old))).
  { exists 2%nat. intros G HG. symmetry. apply vy_eq6_representation; assumption. }
  replace ((reward_mean n rw pi - reward_mean n rw old) / reward_deviation n rw old)
    with (expect n pi (limit_preference n rw old)).
  - unfold expect.
    assert (K : forall k, (k <= n)%nat -> is_lim_seq (fun G => Sum k (fun o => pi o * preference n rw G old o))
      (Sum k (fun o => pi o * limit_preference n rw old o))).
    { induction k as [|k IH]; intros Hk; simpl; [apply is_lim_seq_const|].
      apply is_lim_seq_plus'; [apply IH; lia|].
      destruct (Req_dec (old k) 0) as [Z|NZ].
      - rewrite (S k Hk Z). apply (is_lim_seq_ext (fun _ => 0)); [intros; ring|].
        replace (0 * limit_preference n rw old k) with 0 by ring. apply is_lim_seq_const.
      - replace (Finite (pi k * limit_preference n rw old k)) with (Rbar_mult (pi k) (limit_preference n rw old k))
          by reflexivity.
        apply is_lim_seq_scal_l. apply preference_limit; auto.
        pose proof (proj1 Hold k Hk). lra. }
    apply K. lia.
  - unfold limit_preference, Rdiv.
    rewrite (expect_ext n pi _ (fun o => / reward_deviation n rw old * expected_reward rw o
      + - (reward_mean n rw old * / reward_deviation n rw old))) by (intros; cbn beta; ring).
    rewrite expect_affine by exact Hpi. change (expect n pi (expected_reward rw)) with (reward_mean n rw pi). ring.
Qed.

(** * Section 2.2: the penalty *)

Lemma is_partial_Sum n (h : nat -> R -> R) (pi : nat -> R) o (d : R) : (o < n)%nat ->
  is_derive (h o) (pi o) d -> is_partial (fun q => Sum n (fun i => h i (q i))) pi o d.
Proof.
  intros Ho H. unfold is_partial.
  apply (derive_ext (fun x => (Sum n (fun i => h i (pi i)) - h o (pi o)) + h o x)).
  { intros x. symmetry. apply (Sum_update n h pi o x Ho). }
  replace d with (0 + d) by ring. apply derive_plus; [apply derive_const|exact H].
Qed.

Lemma is_partial_ext J J' pi o d : (forall q, J q = J' q) -> is_partial J pi o d -> is_partial J' pi o d.
Proof. intros H. apply is_derive_ext. intros. apply H. Qed.

Lemma is_partial_unique J pi o d d' : is_partial J pi o d -> is_partial J pi o d' -> d = d'.
Proof. intros H H'. exact (derive_unique _ _ _ _ H H'). Qed.

Lemma is_derive_k3 x y : 0 < x -> 0 < y -> is_derive (fun x => k3 x y) x (/ x - y / x ^ 2).
Proof.
  intros Hx Hy. unfold k3. auto_derive.
  - repeat split; try lra. apply Rmult_lt_0_compat; [exact Hy|apply Rinv_0_lt_compat, Hx].
  - field. lra.
Qed.

(** (7), and D = KL_0: the expected penalty does not depend on the group size. *)
Theorem vy_s22_D_is_KL0 : forall n pi ref old G, (1 <= G)%nat -> policy n old ->
  draws (expect n old) G (fun s => mean (map (fun o => k3 (pi o) (ref o)) s)) = kl_0 n pi ref old.
Proof.
  intros n pi ref old G HG Hold.
  assert (HE : expectation (expect n old)).
  { exists (map (fun o => (old o, o)) (seq 0 n)). repeat split.
    - intros w Hw. apply in_map_iff in Hw. destruct Hw as (o & <- & Ho). apply in_seq in Ho. apply (proj1 Hold). lia.
    - rewrite map_map. simpl. rewrite <- Sum_list. apply (proj2 Hold).
    - intros f. unfold expect. rewrite Sum_list, map_map. reflexivity. }
  assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  rewrite (draws_ext _ HE _ _ (fun s => / INR G * list_sum (map (fun o => k3 (pi o) (ref o)) s))).
  - rewrite (E_scal _ (draws_expectation _ HE G)), (draws_sum _ HE). unfold kl_0. field. lra.
  - intros s Hs. unfold mean. rewrite map_length, Hs. unfold Rdiv. ring.
Qed.

(** (7) depends on no group size: it is the mean of G equal expectations. *)
Theorem vy_eq7 : forall n pi ref old G G', (1 <= G)%nat -> (1 <= G')%nat -> policy n old ->
  draws (expect n old) G (fun s => mean (map (fun o => k3 (pi o) (ref o)) s))
  = draws (expect n old) G' (fun s => mean (map (fun o => k3 (pi o) (ref o)) s)) /\
  draws (expect n old) G (fun s => mean (map (fun o => k3 (pi o) (ref o)) s))
  = / INR G * Sum G (fun _ => expect n old (fun o => k3 (pi o) (ref o))) /\
  draws (expect n old) G (fun s => mean (map (fun o => k3 (pi o) (ref o)) s))
  = expect n old (fun o => k3 (pi o) (ref o)).
Proof.
  intros n pi ref old G G' HG HG' Hold. rewrite !vy_s22_D_is_KL0 by assumption.
  split; [reflexivity|]. split; [|reflexivity]. assert (0 < INR G) by (apply lt_0_INR; lia).
  rewrite (Sum_ext G _ (fun _ => 1 * expect n old (fun o => k3 (pi o) (ref o)))) by (intros; ring).
  rewrite Sum_scal_r, Sum_const. unfold kl_0. field. lra.
Qed.

(** On-policy KL_0 is KL(pi || ref) less 1 - ref(S): unbiased exactly where the supports agree. *)
Theorem vy_s22_KL0_unbiased : forall n pi ref, policy n pi -> full_support n ref ->
  kl_0 n pi ref pi = kl n pi ref - (1 - support_mass n ref pi) /\
  (full_support n pi -> kl_0 n pi ref pi = kl n pi ref).
Proof.
  intros n pi ref Hpi Href.
  assert (K : kl_0 n pi ref pi = kl n pi ref - (1 - support_mass n ref pi)).
  { rewrite <- (proj2 Hpi). unfold kl_0, kl, support_mass, expect. rewrite <- !Sum_minus. apply Sum_ext. intros o Ho.
    pose proof (proj1 Hpi o Ho) as Hp. pose proof (proj1 Href o Ho) as Hr. unfold k3.
    destruct (Rlt_dec 0 (pi o)) as [P|P].
    - replace (pi o / ref o) with (/ (ref o / pi o)) by (field; lra).
      rewrite ln_Rinv by (apply Rdiv_lt_0_compat; lra). field. lra.
    - replace (pi o) with 0 by lra. ring. }
  split; [exact K|]. intros [Hfull _]. rewrite K. replace (support_mass n ref pi) with 1; [ring|].
  rewrite <- (proj2 Href). apply Sum_ext. intros o Ho. destruct (Rlt_dec 0 (pi o)) as [_|N]; [reflexivity|].
  exfalso. apply N, Hfull, Ho.
Qed.

Lemma ln_2_below : 634 / 1000 < ln 2.
Proof.
  (* 2 = 8/7 7/6 6/5 5/4, and ln u >= 1 - 1/u *)
  assert (T : forall u, 1 < u -> 1 - / u < ln u).
  { intros u Hu. pose proof (ln_below (/ u) (Rinv_0_lt_compat u ltac:(lra))) as K. rewrite ln_Rinv in K by lra.
    assert (/ u <> 1) by (intros E; apply (f_equal Rinv) in E; rewrite Rinv_inv, Rinv_1 in E; lra). specialize (K H).
    lra. }
  replace 2 with (8 / 7 * (7 / 6) * (6 / 5 * (5 / 4))) by field. rewrite !ln_mult by lra.
  pose proof (T (8 / 7) ltac:(lra)). pose proof (T (7 / 6) ltac:(lra)). pose proof (T (6 / 5) ltac:(lra)).
  pose proof (T (5 / 4) ltac:(lra)). lra.
Qed.

(** Off-policy it is biased, in general: there are policies where the two differ. *)
Theorem vy_s22_KL0_biased_off_policy :
  (forall n pi ref old, full_support n pi -> full_support n ref ->
     kl_0 n pi ref old - kl n pi ref = Sum n (fun o => (old o - pi o) * k3 (pi o) (ref o))) /\
  (exists n pi ref old,
     full_support n pi /\ full_support n ref /\ full_support n old /\ kl_0 n pi ref old <> kl n pi ref) /\
  exists n pi ref old, full_support n pi /\ full_support n ref /\ full_support n old /\ differs n pi old /\
    kl_0 n pi ref old = kl n pi ref.
Proof.
  split; [|split].
  - intros n pi ref old Hpi Href.
    rewrite <- (proj2 (vy_s22_KL0_unbiased n pi ref (full_support_policy _ _ Hpi) Href) Hpi).
    unfold kl_0, expect. rewrite <- Sum_minus. apply Sum_ext. intros. ring.
  - exists 2%nat, (binary (1 / 2)), (binary (1 / 17)), (binary (1 / 17)).
    split; [apply binary_full; lra|]. split; [apply binary_full; lra|]. split; [apply binary_full; lra|].
    unfold kl_0, kl. rewrite !expect_binary. unfold k3. simpl.
    replace (1 / 17 / (1 / 2)) with (2 / 17) by field. replace ((1 - 1 / 17) / (1 - 1 / 2)) with (2 / 17 * 16) by field.
    replace (1 / 2 / (1 / 17)) with (/ (2 / 17)) by field.
    replace ((1 - 1 / 2) / (1 - 1 / 17)) with (/ (2 / 17 * 16)) by field.
    rewrite !ln_Rinv, ln_mult by lra. replace 16 with (2 * 2 * (2 * 2)) by ring. rewrite !ln_mult by lra.
    pose proof ln_2_below as L. intros H. lra.
  - exists 2%nat, (binary (1 / 2)), (binary (1 / 2)), (binary (1 / 4)).
    split; [apply binary_full; lra|]. split; [apply binary_full; lra|]. split; [apply binary_full; lra|].
    split; [exists 0%nat; split; [lia | simpl; lra]|].
    unfold kl_0, kl. rewrite !expect_binary. unfold k3. simpl.
    replace (1 / 2 / (1 / 2)) with 1 by field. replace ((1 - 1 / 2) / (1 - 1 / 2)) with 1 by field. rewrite ln_1. ring.
Qed.

(** (8): the gradient of KL_0. *)
Theorem vy_eq8_grad_KL0 : forall n pi ref old o, (o < n)%nat -> 0 < pi o -> 0 < ref o ->
  is_partial (fun q => kl_0 n q ref old) pi o (- old o * (ref o / pi o ^ 2) + old o * / pi o).
Proof.
  intros n pi ref old o Ho Hp Hr. unfold kl_0, expect.
  apply (is_partial_Sum n (fun i x => old i * k3 x (ref i))); [exact Ho|].
  replace (- old o * (ref o / pi o ^ 2) + old o * / pi o) with (old o * (/ pi o - ref o / pi o ^ 2)) by ring.
  apply derive_scal, is_derive_k3; assumption.
Qed.

(** (9): the gradient of KL(pi || ref). *)
Theorem vy_eq9_grad_KL : forall n pi ref o, (o < n)%nat -> 0 < pi o -> 0 < ref o ->
  is_partial (fun q => kl n q ref) pi o (- ln (ref o / pi o) + 1).
Proof.
  intros n pi ref o Ho Hp Hr. unfold kl, expect.
  apply (is_partial_Sum n (fun i x => x * ln (x / ref i))); [exact Ho|].
  auto_derive.
  - apply Rdiv_lt_0_compat; assumption.
  - replace (ref o / pi o) with (/ (pi o / ref o)) by (field; lra).
    rewrite ln_Rinv by (apply Rdiv_lt_0_compat; assumption). unfold Rdiv. field. lra.
Qed.

(** (10): the gradient of KL_0 where the old policy is the policy, which is held fixed while differentiating. *)
Theorem vy_eq10_grad_on_policy : forall n pi ref o, (o < n)%nat -> 0 < pi o -> 0 < ref o ->
  is_partial (fun q => kl_0 n q ref pi) pi o (- (ref o / pi o) + 1).
Proof.
  intros n pi ref o Ho Hp Hr.
  replace (- (ref o / pi o) + 1) with (- pi o * (ref o / pi o ^ 2) + pi o * / pi o) by (field; lra).
  apply vy_eq8_grad_KL0; assumption.
Qed.

(** The two gradients differ even on-policy: in every component, by at least 1, with equality where pi(o) = ref(o). *)
Theorem vy_s22_grads_differ : forall n pi ref o d0 d, (o < n)%nat -> 0 < pi o -> 0 < ref o ->
  is_partial (fun q => kl_0 n q ref pi) pi o d0 -> is_partial (fun q => kl n q ref) pi o d ->
  d0 - d <= -1 /\ (d0 - d = -1 <-> pi o = ref o).
Proof.
  intros n pi ref o d0 d Ho Hp Hr H0 H.
  rewrite (is_partial_unique _ _ _ _ _ H0 (vy_eq10_grad_on_policy n pi ref o Ho Hp Hr)).
  rewrite (is_partial_unique _ _ _ _ _ H (vy_eq9_grad_KL n pi ref o Ho Hp Hr)).
  assert (U : 0 < ref o / pi o) by (apply Rdiv_lt_0_compat; assumption).
  split; [pose proof (ln_below_le _ U); lra|]. split.
  - intros E. destruct (Req_dec (ref o / pi o) 1) as [E1|N]; [|pose proof (ln_below _ U N); lra].
    apply (f_equal (fun z => z * pi o)) in E1. unfold Rdiv in E1. rewrite Rmult_assoc, Rinv_l in E1 by lra. lra.
  - intros <-. replace (pi o / pi o) with 1 by (field; lra). rewrite ln_1. ring.
Qed.

(** The gradient of KL(ref || pi): that of (10) less the constant 1. *)
Theorem vy_s22_grad_revKL : forall n pi ref o, (o < n)%nat -> 0 < pi o -> 0 < ref o ->
  is_partial (fun q => reverse_kl n q ref) pi o (- (ref o / pi o)) /\
  is_partial (fun q => kl_0 n q ref pi) pi o (- (ref o / pi o) + 1).
Proof.
  intros n pi ref o Ho Hp Hr. split; [|apply vy_eq10_grad_on_policy; assumption]. unfold reverse_kl, kl, expect.
  apply (is_partial_Sum n (fun i x => ref i * ln (ref i / x))); [exact Ho|].
  auto_derive.
  - repeat split; try lra. apply Rmult_lt_0_compat; [exact Hr|apply Rinv_0_lt_compat, Hp].
  - field. lra.
Qed.

(** * Section 2.3: the objective, and Appendix A: the KKT conditions *)

(** The objective of one context: equation (1) without clipping is E_pi[P_G] - beta KL_0, for any n and G. *)
Theorem vy_s23_decomposition : forall n rw G beta ref old pi,
  (2 <= G)%nat -> policy n pi -> policy n old -> are_laws n rw ->
  (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  grpo_by_groups n rw G beta ref old pi = grpo n rw G beta ref old pi.
Proof.
  intros n rw G beta ref old pi HG Hpi Hold Hrw S.
  pose proof (outcome_expectation n old rw Hold Hrw) as HE. pose proof (draws_expectation _ HE G) as HD.
  assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  unfold grpo, objective. rewrite <- (vy_eq6_representation n rw G pi old HG Hpi Hold Hrw S).
  unfold grpo_by_groups, surrogate, surrogate_of.
  assert (K : kl_0 n pi ref old
    = draws (outcome_expect n old rw) G (fun s => mean (map (fun m => k3 (pi (fst m)) (ref (fst m))) s))).
  { rewrite (draws_ext _ HE _ _ (fun s => / INR G * list_sum (map (fun m => k3 (pi (fst m)) (ref (fst m))) s))).
    - rewrite (E_scal _ HD), (draws_sum _ HE). unfold kl_0, outcome_expect.
      rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l by lra. unfold expect. apply Sum_ext. intros o Ho. f_equal.
      simpl. symmetry. apply (E_const _ (law_expectation _ (Hrw o Ho))).
    - intros s Hs. unfold mean. rewrite map_length, Hs. unfold Rdiv. ring. }
  rewrite K, <- (E_scal _ HD), <- (E_minus _ HD). apply (draws_ext _ HE). intros s Hs.
  unfold mean. rewrite !map_length, Hs.
  rewrite (list_sum_ext _ (fun m => pi (fst m) / old (fst m) * advantage (map snd s) (snd m)
    + - beta * k3 (pi (fst m)) (ref (fst m)))) by (intros; ring).
  rewrite list_sum_plus, list_sum_scal.
  generalize (list_sum (map (fun m => pi (fst m) / old (fst m) * advantage (map snd s) (snd m)) s)) as a.
  generalize (list_sum (map (fun m => k3 (pi (fst m)) (ref (fst m))) s)) as b. intros b a. field. lra.
Qed.

(** The terms of the objective: one for each answer. *)
Definition term (P : R) (beta old ref x : R) : R := x * P - beta * (old * k3 x ref).

Lemma objective_terms n P beta ref old q :
  objective n P beta ref old q = Sum n (fun i => term (P i) beta (old i) (ref i) (q i)).
Proof. unfold objective, kl_0, expect, term. rewrite <- Sum_scal, <- Sum_minus. reflexivity. Qed.

Definition slope (P beta old ref x : R) : R := P - beta * (- old * (ref / x ^ 2) + old * / x).

Lemma is_derive_term P beta old ref x : 0 < ref -> (0 < x \/ old = 0) ->
  is_derive (term P beta old ref) x (slope P beta old ref x).
Proof.
  intros Hr [Hx| ->]; unfold term, slope.
  - replace (P - beta * (- old * (ref / x ^ 2) + old * / x)) with (P - beta * (old * (/ x - ref / x ^ 2))) by ring.
    apply derive_minus.
    + auto_derive; [exact I|ring].
    + apply derive_scal, derive_scal, is_derive_k3; assumption.
  - apply (derive_ext (fun x => x * P)); [intros; ring|]. auto_derive; [exact I|ring].
Qed.

Lemma is_partial_objective n P beta ref old pi o : (o < n)%nat -> 0 < ref o -> (0 < pi o \/ old o = 0) ->
  is_partial (objective n P beta ref old) pi o (slope (P o) beta (old o) (ref o) (pi o)).
Proof.
  intros Ho Hr H. apply (is_partial_ext (fun q => Sum n (fun i => term (P i) beta (old i) (ref i) (q i)))).
  - intros q. symmetry. apply objective_terms.
  - apply (is_partial_Sum n (fun i => term (P i) beta (old i) (ref i))); [exact Ho|]. apply is_derive_term; assumption.
Qed.

(** What the KKT conditions of the objective are, where every answer that is sampled is kept: the slopes of the used
    answers are equal, and none is larger. *)
Theorem vy_appA_kkt_system : forall n P beta ref old pi lam gam,
  full_support n ref -> (forall o, (o < n)%nat -> 0 <= old o) -> keeps n old pi ->
  (kkt_with n (objective n P beta ref old) pi lam gam <->
   policy n pi /\ forall o, (o < n)%nat ->
     P o - beta * (- old o * (ref o / pi o ^ 2) + old o * / pi o) - lam + gam o = 0 /\
     0 <= gam o /\ gam o * pi o = 0).
Proof.
  intros n P beta ref old pi lam gam Href Hold Hk.
  assert (D : forall o, (o < n)%nat ->
    is_partial (objective n P beta ref old) pi o (slope (P o) beta (old o) (ref o) (pi o))).
  { intros o Ho. apply is_partial_objective; [exact Ho|apply Href, Ho|].
    destruct (Rlt_dec 0 (old o)) as [L|L]; [left; apply Hk; assumption|right; pose proof (Hold o Ho); lra]. }
  unfold kkt_with. split; intros [Hpi H]; (split; [exact Hpi|]); intros o Ho; destruct (H o Ho) as (H1 & H2 & H3);
    (split; [|split; assumption]).
  - pose proof (is_partial_unique _ _ _ _ _ H1 (D o Ho)) as E. unfold slope in E. lra.
  - replace (lam - gam o) with (slope (P o) beta (old o) (ref o) (pi o)); [apply D, Ho|]. unfold slope. lra.
Qed.

(** The KKT conditions are necessary at every local maximum at which every sampled answer is kept. *)
Theorem vy_s23_kkt_necessary : forall n P beta ref old pi,
  full_support n ref -> (forall o, (o < n)%nat -> 0 <= old o) -> keeps n old pi ->
  local_maximum n (objective n P beta ref old) pi ->
  stationary n (objective n P beta ref old) pi.
Proof.
  intros n P beta ref old pi Href Hold Hk (Hpi & eps & He & M).
  set (d := fun o => slope (P o) beta (old o) (ref o) (pi o)).
  assert (Hs : forall o, (o < n)%nat -> 0 < pi o \/ old o = 0).
  { intros o Ho. destruct (Rlt_dec 0 (old o)) as [L|L]; [left; apply Hk; assumption|right; pose proof (Hold o Ho); lra].
    }
  assert (Hstar : exists k, (k < n)%nat /\ 0 < pi k).
  { clear - Hpi. destruct Hpi as [H0 H1].
    assert (forall m, (m <= n)%nat -> 0 < Sum m pi -> exists k, (k < n)%nat /\ 0 < pi k) as K.
    { induction m as [|m IH]; simpl; intros Hm L; [lra|].
      destruct (Rlt_dec 0 (pi m)) as [P|P]; [exists m; split; [lia|exact P]|].
      apply IH; [lia|]. pose proof (H0 m ltac:(lia)). lra. }
    apply (K n); [lia|lra]. }
  assert (Le : forall o k, (o < n)%nat -> (k < n)%nat -> 0 < pi k -> d o <= d k).
  { intros o k Ho Hkn Hpk. destruct (Nat.eq_dec o k) as [->|Ne]; [lra|].
    set (f := fun t => term (P o) beta (old o) (ref o) (pi o + t) + term (P k) beta (old k) (ref k) (pi k - t)).
    assert (Df : is_derive f 0 (d o - d k)).
    { unfold f. replace (d o - d k) with (1 * d o + (-1) * d k) by ring.
      apply derive_plus.
      - apply (derive_comp (term (P o) beta (old o) (ref o)) (fun t => pi o + t)).
        + rewrite Rplus_0_r. apply is_derive_term; [apply Href, Ho|apply Hs, Ho].
        + auto_derive; [exact I|ring].
      - apply (derive_comp (term (P k) beta (old k) (ref k)) (fun t => pi k - t)).
        + rewrite Rminus_0_r. apply is_derive_term; [apply Href, Hkn|left; exact Hpk].
        + auto_derive; [exact I|ring]. }
    assert (d o - d k <= 0); [|lra].
    apply (right_maximum f _ (Rmin eps (pi k))); [apply Rmin_pos; assumption|exact Df|].
    intros t [Ht0 Ht1].
    assert (t < eps) by (eapply Rlt_le_trans; [exact Ht1|apply Rmin_l]).
    assert (t < pi k) by (eapply Rlt_le_trans; [exact Ht1|apply Rmin_r]).
    set (q := update (update pi o (pi o + t)) k (pi k - t)).
    assert (T : forall h : nat -> R -> R, Sum n (fun i => h i (q i))
      = Sum n (fun i => h i (pi i)) - h o (pi o) - h k (pi k) + h o (pi o + t) + h k (pi k - t)).
    { intros h. unfold q. rewrite (Sum_update n h _ k _ Hkn).
      rewrite (update_other pi o (pi o + t) k) by (intros E; apply Ne; symmetry; exact E).
      rewrite (Sum_update n h pi o _ Ho). ring. }
    assert (Hq : policy n q).
    { split.
      - intros i Hi. unfold q. destruct (Nat.eq_dec i k) as [->|]; [rewrite update_same; lra|].
        rewrite update_other by assumption.
        destruct (Nat.eq_dec i o) as [->|]; [rewrite update_same|rewrite update_other by assumption].
        + pose proof (proj1 Hpi o Ho). lra.
        + apply (proj1 Hpi), Hi.
      - pose proof (T (fun _ x => x)) as E. cbn beta in E. change (Sum n (fun i => q i) = 1). rewrite E.
        change (Sum n (fun i => pi i)) with (Sum n pi). rewrite (proj2 Hpi). ring. }
    specialize (M q Hq). rewrite !objective_terms in M.
    rewrite (T (fun i => term (P i) beta (old i) (ref i))) in M.
    unfold f. rewrite Rplus_0_r, Rminus_0_r.
    enough (forall i, (i < n)%nat -> Rabs (q i - pi i) < eps) as K by (specialize (M K); lra).
    intros i Hi. unfold q. destruct (Nat.eq_dec i k) as [->|]; [rewrite update_same; rewrite Rabs_left1; lra|].
    rewrite update_other by assumption. destruct (Nat.eq_dec i o) as [->|].
    - rewrite update_same. rewrite Rabs_right; lra.
    - rewrite update_other by assumption. rewrite Rminus_eq_0, Rabs_R0. exact He. }
  destruct Hstar as (k & Hkn & Hpk).
  exists (d k), (fun o => d k - d o). split; [exact Hpi|]. intros o Ho. split; [|split].
  - replace (d k - (d k - d o)) with (d o) by ring. apply is_partial_objective; [exact Ho|apply Href, Ho|apply Hs, Ho].
  - pose proof (Le o k Ho Hkn Hpk). lra.
  - destruct (Req_dec (pi o) 0) as [Z|N]; [rewrite Z; ring|].
    assert (0 < pi o) by (pose proof (proj1 Hpi o Ho); lra).
    pose proof (Le o k Ho Hkn Hpk). pose proof (Le k o Hkn Ho H). replace (d k - d o) with 0 by lra. ring.
Qed.

(** First-order condition of an answer that is used: the partial derivative of the objective less the multiplier. *)
Theorem vy_appA_foc : forall n P beta ref old pi o,
  full_support n ref -> (forall o, (o < n)%nat -> 0 <= old o) -> keeps n old pi -> (o < n)%nat -> 0 < pi o ->
  is_partial (objective n P beta ref old) pi o (P o - beta * (- old o * (ref o / pi o ^ 2) + old o * / pi o)) /\
  forall lam gam, kkt_with n (objective n P beta ref old) pi lam gam ->
    P o - beta * (- old o * (ref o / pi o ^ 2) + old o * / pi o) - lam = 0.
Proof.
  intros n P beta ref old pi o Href Hold Hk Ho Hp.
  split; [apply (is_partial_objective n P beta ref old pi o Ho (proj1 Href o Ho) (or_introl Hp))|]. intros lam gam H.
  apply vy_appA_kkt_system in H; try assumption. destruct H as [_ H]. destruct (H o Ho) as (H1 & _ & H3).
  assert (gam o = 0) by (apply (Rmult_eq_reg_r (pi o)); lra). lra.
Qed.

Lemma keeps_self n pi : keeps n pi pi.
Proof. intros o _ H. exact H. Qed.

Lemma on_policy_condition : forall n P beta ref pi lam gam o,
  full_support n ref -> 0 < beta ->
  kkt_with n (objective n P beta ref pi) pi lam gam -> (o < n)%nat -> 0 < pi o ->
  ref o = (1 - (P o - lam) / beta) * pi o.
Proof.
  intros n P beta ref pi lam gam o Href Hb H Ho Hp.
  assert (Hpi : policy n pi) by apply H.
  pose proof (proj2 (vy_appA_foc n P beta ref pi pi o Href (proj1 Hpi) (keeps_self n pi) Ho Hp) lam gam H) as E.
  assert (E' : (P o - lam) * pi o = beta * (pi o - ref o)).
  { replace (P o - lam) with (beta * (- pi o * (ref o / pi o ^ 2) + pi o * / pi o)) by lra. field. lra. }
  replace ((1 - (P o - lam) / beta) * pi o) with (pi o - (P o - lam) * pi o / beta) by (field; lra).
  rewrite E'. field. lra.
Qed.

(** The condition on-policy: the slope less the multiplier, times pi(o)/beta, is the difference of its two sides, for a
    reference of any mass. *)
Theorem vy_appA_on_policy : forall n P beta ref pi o, 0 < beta -> (o < n)%nat -> 0 < pi o ->
  (forall lam gam, full_support n ref -> kkt_with n (objective n P beta ref pi) pi lam gam ->
     ref o = (1 - (P o - lam) / beta) * pi o) /\
  (0 < ref o -> forall lam d, is_partial (objective n P beta ref pi) pi o d ->
     (d - lam) * pi o / beta = ref o - (1 - (P o - lam) / beta) * pi o).
Proof.
  intros n P beta ref pi o Hb Ho Hp. split.
  - intros lam gam Href H. apply (on_policy_condition n P beta ref pi lam gam o Href Hb H Ho Hp).
  - intros Hr lam d H. rewrite (is_partial_unique _ _ _ _ _ H (is_partial_objective n P beta ref pi pi o Ho Hr
    (or_introl Hp))).
    unfold slope. field. lra.
Qed.

(** Slopes where every answer is used and the reference has any mass, for groups that the policy samples. *)
Lemma own_slope n P beta ref pi o d : (o < n)%nat -> 0 < ref o -> 0 < pi o ->
  is_partial (objective n P beta ref pi) pi o d -> d = P o - beta * (1 - ref o / pi o).
Proof.
  intros Ho Hr Hp H. rewrite (is_partial_unique _ _ _ _ _ H (is_partial_objective n P beta ref pi pi o Ho Hr
    (or_introl Hp))).
  unfold slope. field. lra.
Qed.

Lemma own_slopes_mean n P beta ref pi lam (d : nat -> R) : (forall o,
  (o < n)%nat -> 0 < ref o /\ 0 < pi o) -> Sum n pi = 1 ->
  (forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o (d o)) ->
  Sum n (fun o => (d o - lam) * pi o) = expect n pi P - lam - beta * (1 - Sum n ref).
Proof.
  intros Hp H1 H. rewrite (Sum_ext n _ (fun o => pi o * P o - (beta + lam) * pi o + beta * ref o)).
  - rewrite Sum_plus, Sum_minus, !Sum_scal, H1. unfold expect. ring.
  - intros o Ho. destruct (Hp o Ho) as [A B]. rewrite (own_slope n P beta ref pi o (d o) Ho A B (H o Ho)). field. lra.
Qed.

Lemma equal_own_slopes n P beta ref pi : 0 < beta -> (forall o, (o < n)%nat -> 0 < ref o /\ 0 < pi o) -> Sum n pi = 1 ->
  ((exists lam, forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o lam) <->
   forall o, (o < n)%nat -> P o - expect n pi P = beta * (Sum n ref - ref o / pi o)).
Proof.
  intros Hb Hp H1. split.
  - intros [lam H] o Ho. pose proof (own_slopes_mean n P beta ref pi lam (fun _ => lam) Hp H1 H) as M.
    rewrite (Sum_ext n _ (fun _ => 0 * 0)) in M by (intros; ring). rewrite Sum_scal in M. destruct (Hp o Ho) as [A B].
    pose proof (own_slope n P beta ref pi o lam Ho A B (H o Ho)). lra.
  - intros H. exists (expect n pi P - beta * (1 - Sum n ref)). intros o Ho. destruct (Hp o Ho) as [A B].
    replace (expect n pi P - beta * (1 - Sum n ref)) with (slope (P o) beta (pi o) (ref o) (pi o)).
    + apply is_partial_objective; [exact Ho | exact A | left; exact B].
    + specialize (H o Ho). unfold slope. replace (- pi o * (ref o / pi o ^ 2) + pi o * / pi o) with (1 - ref o / pi o)
      by (field; lra).
      lra.
Qed.

Lemma Sum_support n (f pi : nat -> R) : (forall o, (o < n)%nat -> 0 <= pi o) ->
  Sum n (fun o => pi o * f o) = Sum n (fun o => if Rlt_dec 0 (pi o) then pi o * f o else 0).
Proof.
  intros H. apply Sum_ext. intros o Ho. destruct (Rlt_dec 0 (pi o)) as [_|N]; [reflexivity|].
  replace (pi o) with 0 by (pose proof (H o Ho); lra). ring.
Qed.

Lemma multiplier_value : forall n P beta ref pi lam gam,
  full_support n ref -> 0 < beta -> kkt_with n (objective n P beta ref pi) pi lam gam ->
  lam = expect n pi P - beta * (1 - support_mass n ref pi) /\
  (full_support n pi -> lam = expect n pi P).
Proof.
  intros n P beta ref pi lam gam Href Hb H. assert (Hpi : policy n pi) by apply H.
  assert (E : lam = expect n pi P - beta * (1 - support_mass n ref pi)).
  { assert (K : support_mass n ref pi = Sum n (fun o => pi o * (1 - (P o - lam) / beta))).
    { rewrite Sum_support by apply Hpi. unfold support_mass. apply Sum_ext. intros o Ho.
      destruct (Rlt_dec 0 (pi o)) as [L|_]; [|reflexivity].
      rewrite (on_policy_condition n P beta ref pi lam gam o Href Hb H Ho L). ring. }
    rewrite K.
    rewrite (Sum_ext n _ (fun o => (1 + lam / beta) * pi o + - / beta * (pi o * P o))) by (intros; field; lra).
    rewrite Sum_plus, !Sum_scal, (proj2 Hpi). unfold expect. field. lra. }
  split; [exact E|]. intros [F _]. rewrite E at 1.
  replace (support_mass n ref pi) with 1; [ring|]. rewrite <- (proj2 Href). apply Sum_ext. intros o Ho.
  destruct (Rlt_dec 0 (pi o)) as [_|N]; [reflexivity|]. exfalso. apply N, F, Ho.
Qed.

(** The multiplier: lambda = E_pi P - beta (1 - ref(S)), which is E_pi P where every answer is used. It comes from the
    sum of the slopes less the multiplier, weighed by the policy. *)
Theorem vy_appA_lambda : forall n P beta ref pi lam,
  (forall gam, full_support n ref -> 0 < beta -> kkt_with n (objective n P beta ref pi) pi lam gam ->
     lam = expect n pi P - beta * (1 - support_mass n ref pi) /\
     (full_support n pi -> lam = expect n pi P)) /\
  ((forall o, (o < n)%nat -> 0 < ref o /\ 0 < pi o) -> Sum n pi = 1 ->
   forall d, (forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o (d o)) ->
     Sum n (fun o => (d o - lam) * pi o) = expect n pi P - lam - beta * (1 - Sum n ref)).
Proof.
  intros n P beta ref pi lam. split.
  - intros gam Href Hb H. apply (multiplier_value n P beta ref pi lam gam Href Hb H).
  - intros Hp H1 d H. apply own_slopes_mean; assumption.
Qed.

Lemma eq11_on_support : forall n (P : nat -> R) beta ref pi,
  full_support n ref -> 0 < beta -> policy n pi ->
  (stationary n (objective n P beta ref pi) pi <->
   (forall o, (o < n)%nat -> 0 < pi o ->
      (support_mass n ref pi - (P o - expect n pi P) / beta) * pi o = ref o) /\
   (forall o, (o < n)%nat -> pi o = 0 -> P o <= expect n pi P - beta * (1 - support_mass n ref pi))).
Proof.
  intros n P beta ref pi Href Hb Hpi. set (m := support_mass n ref pi). set (e := expect n pi P).
  split.
  - intros (lam & gam & H). destruct (multiplier_value n P beta ref pi lam gam Href Hb H) as [El _]. fold m e in El.
    split.
    + intros o Ho Hp. rewrite (on_policy_condition n P beta ref pi lam gam o Href Hb H Ho Hp), El. field. lra.
    + intros o Ho Hp. apply vy_appA_kkt_system in H; [|assumption|apply Hpi|apply keeps_self].
      destruct H as [_ H]. destruct (H o Ho) as (H1 & H2 & _). rewrite Hp in H1. lra.
  - intros [H1 H2]. set (lam := e - beta * (1 - m)).
    exists lam, (fun o => lam - slope (P o) beta (pi o) (ref o) (pi o)).
    apply vy_appA_kkt_system; [assumption|apply Hpi|apply keeps_self|]. split; [exact Hpi|].
    intros o Ho. split; [unfold slope; ring|].
    destruct (Rlt_dec 0 (pi o)) as [L|N].
    + assert (Z : lam - slope (P o) beta (pi o) (ref o) (pi o) = 0).
      { pose proof (H1 o Ho L) as E. unfold slope, lam. rewrite <- E. field. lra. }
      rewrite Z. split; [lra|ring].
    + assert (Z : pi o = 0) by (pose proof (proj1 Hpi o Ho); lra). rewrite Z. unfold slope. pose proof (H2 o Ho Z).
      fold m e in H. unfold lam. split; [lra|ring].
Qed.

(** (11) on any support: a policy is stationary for the objective whose groups it samples exactly when its used answers
    satisfy the equation with ref(S) for 1, and no unused one is preferred by more than the multiplier.
    Of the used answers
    alone, the slopes are equal exactly where they satisfy it. *)
Theorem vy_eq11_boundary_form : forall n (P : nat -> R) beta ref pi, 0 < beta ->
  (full_support n ref -> policy n pi ->
   (stationary n (objective n P beta ref pi) pi <->
    (forall o, (o < n)%nat -> 0 < pi o ->
       (support_mass n ref pi - (P o - expect n pi P) / beta) * pi o = ref o) /\
    (forall o, (o < n)%nat -> pi o = 0 -> P o <= expect n pi P - beta * (1 - support_mass n ref pi)))) /\
  ((forall o, (o < n)%nat -> 0 < ref o /\ 0 < pi o) -> Sum n pi = 1 ->
   ((exists lam, forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o lam) <->
    forall o, (o < n)%nat -> (Sum n ref - (P o - expect n pi P) / beta) * pi o = ref o)).
Proof.
  intros n P beta ref pi Hb. split.
  - intros Href Hpi. apply eq11_on_support; assumption.
  - intros Hp H1. rewrite (equal_own_slopes n P beta ref pi Hb Hp H1).
    split; intros H o Ho; specialize (H o Ho); destruct (Hp o Ho) as [A B].
    + rewrite H. field. lra.
    + rewrite <- H. field. lra.
Qed.

Lemma support_mass_full n ref pi : full_support n pi -> policy n ref -> support_mass n ref pi = 1.
Proof.
  intros [F _] Hr. rewrite <- (proj2 Hr). apply Sum_ext. intros o Ho.
  destruct (Rlt_dec 0 (pi o)) as [_|N]; [reflexivity|]. exfalso. apply N, F, Ho.
Qed.

(** (11) for any preferences and full support. *)
Lemma eq11_full n (P : nat -> R) beta ref pi :
  full_support n ref -> 0 < beta -> full_support n pi ->
  (stationary n (objective n P beta ref pi) pi <->
   forall o, (o < n)%nat -> (1 - (P o - expect n pi P) / beta) * pi o = ref o).
Proof.
  intros Href Hb Hpi. rewrite (eq11_on_support n P beta ref pi Href Hb (full_support_policy n pi Hpi)).
  rewrite (support_mass_full n ref pi Hpi (full_support_policy n ref Href)). split.
  - intros [H _] o Ho. apply H; [exact Ho|apply Hpi, Ho].
  - intros H. split; [intros; apply H; assumption|]. intros o Ho Z. pose proof (proj1 Hpi o Ho). lra.
Qed.

(** (11): a policy that uses every answer is stationary for GRPO, with groups of any size, exactly when it satisfies
    it. *)
Theorem vy_eq11_kkt_dichotomy : forall n rw G beta ref pi,
  full_support n ref -> 0 < beta -> full_support n pi ->
  (on_policy_stationary n (grpo n rw G beta ref) pi <->
   forall o, (o < n)%nat ->
     (1 - (preference n rw G pi o - expect n pi (preference n rw G pi)) / beta) * pi o = ref o).
Proof. intros n rw G beta ref pi Href Hb Hpi. apply (eq11_full n (preference n rw G pi) beta ref pi Href Hb Hpi). Qed.

(** On-policy the multiplier on full support is zero, and (11) reads (1 - P(o)/beta) pi(o) = ref(o). *)
Theorem vy_appA_lambda_zero : forall n rw G beta ref pi,
  (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
  (on_policy_stationary n (grpo n rw G beta ref) pi <->
   forall o, (o < n)%nat -> (1 - preference n rw G pi o / beta) * pi o = ref o) /\
  (forall lam gam, kkt_with n (grpo n rw G beta ref pi) pi lam gam -> lam = 0).
Proof.
  intros n rw G beta ref pi HG Hrw Href Hb Hpi.
  pose proof (vy_s21_PG_centred n rw G pi HG (full_support_policy n pi Hpi) Hrw) as Z. split.
  - rewrite (vy_eq11_kkt_dichotomy n rw G beta ref pi Href Hb Hpi), Z.
    split; intros H o Ho; specialize (H o Ho); rewrite Rminus_0_r in *; exact H.
  - intros lam gam H. rewrite (proj2 (multiplier_value n _ beta ref pi lam gam Href Hb H) Hpi). exact Z.
Qed.

(** An answer that is used is preferred by less than beta, on any support: where the slopes of the used answers are
    equal, by beta times the mass of the reference less the quotient. *)
Theorem vy_s23_upper_bound_beta : forall n beta ref pi o, 0 < beta -> (o < n)%nat ->
  (forall rw G, full_support n ref -> policy n pi -> on_policy_stationary n (grpo n rw G beta ref) pi -> 0 < pi o ->
     preference n rw G pi o < expect n pi (preference n rw G pi) + beta) /\
  (forall P lam, (forall o, (o < n)%nat -> 0 < ref o /\ 0 < pi o) -> Sum n pi = 1 ->
     (forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o lam) ->
     P o - expect n pi P = beta * (Sum n ref - ref o / pi o)).
Proof.
  intros n beta ref pi o Hb Ho. split.
  2:{ intros P lam Hp H1 H. apply (equal_own_slopes n P beta ref pi Hb Hp H1); [exists lam; exact H | exact Ho]. }
  intros rw G Href Hpi H Hp.
  apply eq11_on_support in H; try assumption. destruct H as [H _]. specialize (H o Ho Hp).
  assert (M : support_mass n ref pi <= 1).
  { rewrite <- (proj2 Href). apply Sum_le. intros i Hi. pose proof (proj1 Href i Hi). destruct (Rlt_dec 0 (pi i)); lra.
    }
  pose proof (proj1 Href o Ho) as Hr. set (P := preference n rw G pi) in *. set (d := P o - expect n pi P) in *.
  assert (0 < support_mass n ref pi - d / beta) by (apply (Rmult_lt_reg_r (pi o)); lra).
  assert (d / beta < 1) by lra.
  assert (d < beta); [|unfold d in *; lra].
  apply (Rmult_lt_compat_r beta) in H1; [|exact Hb]. unfold Rdiv in H1. rewrite Rmult_assoc, Rinv_l in H1 by lra. lra.
Qed.

(** (11) as a scaling of the reference by g(t) = 1/(1 - t), for any preferences. *)
Theorem vy_s23_g_form : forall n beta ref pi,
  full_support n ref -> 0 < beta -> full_support n pi ->
  let solves := fun P : nat -> R => forall o, (o < n)%nat ->
    let t := (P o - expect n pi P) / beta in t < 1 /\ pi o = / (1 - t) * ref o in
  (forall rw G, on_policy_stationary n (grpo n rw G beta ref) pi <-> solves (preference n rw G pi)) /\
  (forall P, stationary n (objective n P beta ref pi) pi <-> solves P).
Proof.
  intros n beta ref pi Href Hb Hpi solves.
  assert (K : forall P, stationary n (objective n P beta ref pi) pi <-> solves P).
  { intros P. rewrite (eq11_full n P beta ref pi Href Hb Hpi). unfold solves.
    split; intros H o Ho; specialize (H o Ho); cbn zeta in *;
      set (t := (P o - expect n pi P) / beta) in *; pose proof (proj1 Href o Ho); pose proof (proj1 Hpi o Ho).
    - assert (t < 1) by (apply Rnot_le_lt; intros L; nra). split; [assumption|]. rewrite <- H. field. lra.
    - destruct H as [L ->]. field. lra. }
  split; [intros rw G; apply K | exact K].
Qed.

(** (12): groups of two, any laws of rewards. On a smaller support S the used answers satisfy it with ref(S) for 1, and
    an unused one loses more often than it wins, by beta (1 - ref(S)) at least: one answer alone is stationary exactly
      where
    it beats every other by beta times the reference mass of the others. *)
Theorem vy_eq12 : forall n rw beta ref pi,
  are_laws n rw -> full_support n ref -> 0 < beta -> policy n pi ->
  let lead := fun o => expect n pi (fun o' => wins rw o o') - expect n pi (fun o' => wins rw o' o) in
  (full_support n pi ->
   (on_policy_stationary n (grpo n rw 2 beta ref) pi <->
    forall o, (o < n)%nat -> (1 - lead o / beta) * pi o = ref o)) /\
  (on_policy_stationary n (grpo n rw 2 beta ref) pi <->
   (forall o, (o < n)%nat -> 0 < pi o -> (support_mass n ref pi - lead o / beta) * pi o = ref o) /\
   (forall o, (o < n)%nat -> pi o = 0 -> lead o <= - (beta * (1 - support_mass n ref pi)))) /\
  (forall a, (a < n)%nat -> (forall o, (o < n)%nat -> pi o = if Nat.eqb o a then 1 else 0) ->
   (on_policy_stationary n (grpo n rw 2 beta ref) pi <->
    forall o, (o < n)%nat -> o <> a -> beta * (1 - ref a) <= margin rw a o)).
Proof.
  intros n rw beta ref pi Hrw Href Hb Hpi lead.
  assert (E : forall o, preference n rw 2 pi o = lead o).
  { intros o. unfold lead. rewrite preference_two, <- expect_minus. reflexivity. }
  assert (Z : expect n pi (preference n rw 2 pi) = 0) by (apply vy_s21_PG_centred; try assumption; lia).
  assert (B : on_policy_stationary n (grpo n rw 2 beta ref) pi <->
    (forall o, (o < n)%nat -> 0 < pi o -> (support_mass n ref pi - lead o / beta) * pi o = ref o) /\
    (forall o, (o < n)%nat -> pi o = 0 -> lead o <= - (beta * (1 - support_mass n ref pi)))).
  { unfold on_policy_stationary, grpo. rewrite (eq11_on_support n _ beta ref pi Href Hb Hpi), Z.
    split; intros [H1 H2]; split; intros o Ho Hp; specialize (H1 o Ho); specialize (H2 o Ho); rewrite E in *;
      rewrite ?Rminus_0_r in *; auto; specialize (H2 Hp); lra. }
  split; [|split; [exact B|]].
  - intros F. destruct (vy_appA_lambda_zero n rw 2 beta ref pi) as [K _]; try assumption; [lia|]. rewrite K.
    split; intros H o Ho; specialize (H o Ho); rewrite E in *; exact H.
  - intros a Ha Hone. rewrite B.
    assert (X : forall f, expect n pi f = f a).
    { intros f. unfold expect. rewrite <- (Sum_at_index n a (f a) Ha). apply Sum_ext. intros o Ho. unfold at_index.
      rewrite (Hone o Ho). destruct (Nat.eqb_spec o a) as [->|]; ring. }
    assert (M : support_mass n ref pi = ref a).
    { unfold support_mass. rewrite <- (Sum_at_index n a (ref a) Ha). apply Sum_ext. intros o Ho. unfold at_index.
      rewrite (Hone o Ho). destruct (Nat.eqb_spec o a) as [->|]; destruct Rlt_dec; lra. }
    assert (L : forall o, lead o = - margin rw a o) by (intros o; unfold lead; rewrite !X; unfold margin; ring).
    rewrite M. split.
    + intros [_ H] o Ho N. specialize (H o Ho). rewrite L in H.
      rewrite (Hone o Ho), (proj2 (Nat.eqb_neq o a) N) in H. specialize (H eq_refl). lra.
    + intros H. split; intros o Ho Hp; rewrite L, (Hone o Ho) in *; destruct (Nat.eqb_spec o a) as [->|N]; try lra.
      * rewrite margin_self. field. lra.
      * specialize (H o Ho N). lra.
Qed.

(** The limit preference is centred. *)
Lemma limit_preference_centred n rw pi : policy n pi -> expect n pi (limit_preference n rw pi) = 0.
Proof.
  intros Hpi. unfold limit_preference, Rdiv.
  rewrite (expect_ext n pi _ (fun o => / reward_deviation n rw pi * expected_reward rw o
      + - (reward_mean n rw pi * / reward_deviation n rw pi))) by (intros; cbn beta; ring).
  rewrite expect_affine by exact Hpi. change (expect n pi (expected_reward rw)) with (reward_mean n rw pi). ring.
Qed.

(** (13): the limit of large groups, where sigma(pi) > 0. On a smaller support S the used answers satisfy it with ref(S)
    for 1, and the reward of an unused one is below the mean, by beta (1 - ref(S)) sigma at least.
    Whatever centred scores
    are divided by, their mean is zero and (11) is (13) with that number for sigma. *)
Theorem vy_eq13 : forall n rw beta ref pi,
  are_laws n rw -> full_support n ref -> 0 < beta -> policy n pi ->
  (0 < reward_deviation n rw pi ->
   (full_support n pi ->
    (on_policy_stationary n (grpo_limit n rw beta ref) pi <->
     forall o, (o < n)%nat ->
       (1 - (expected_reward rw o - reward_mean n rw pi) / (beta * reward_deviation n rw pi)) * pi o = ref o)) /\
   (on_policy_stationary n (grpo_limit n rw beta ref) pi <->
    (forall o, (o < n)%nat -> 0 < pi o ->
       (support_mass n ref pi - (expected_reward rw o - reward_mean n rw pi) / (beta * reward_deviation n rw pi)) * pi o
       = ref o) /\
    (forall o, (o < n)%nat -> pi o = 0 ->
       expected_reward rw o <= reward_mean n rw pi - beta * (1 - support_mass n ref pi) * reward_deviation n rw pi))) /\
  (forall (r : nat -> R) v o, 0 < v ->
   let P := fun o => (r o - expect n pi r) / v in
   expect n pi P = 0 /\
   (1 - (P o - expect n pi P) / beta) * pi o = (1 - (r o - expect n pi r) / (beta * v)) * pi o).
Proof.
  intros n rw beta ref pi Hrw Href Hb Hpi. split.
  - intros Hs.
    assert (E : forall o, (limit_preference n rw pi o - 0) / beta
      = (expected_reward rw o - reward_mean n rw pi) / (beta * reward_deviation n rw pi)).
    { intros o. unfold limit_preference. field. lra. }
    unfold on_policy_stationary, grpo_limit. split.
    + intros F. rewrite (eq11_full n (limit_preference n rw pi) beta ref pi Href Hb F).
      rewrite (limit_preference_centred n rw pi Hpi).
      split; intros H o Ho; specialize (H o Ho); rewrite E in *; exact H.
    + rewrite (eq11_on_support n _ beta ref pi Href Hb Hpi), (limit_preference_centred n rw pi Hpi).
      assert (U : forall o, limit_preference n rw pi o <= 0 - beta * (1 - support_mass n ref pi) <->
        expected_reward rw o <= reward_mean n rw pi - beta * (1 - support_mass n ref pi) * reward_deviation n rw pi).
      { intros o. unfold limit_preference. set (c := beta * (1 - support_mass n ref pi)).
        set (w := reward_deviation n rw pi) in *. set (z := (expected_reward rw o - reward_mean n rw pi) / w).
        assert (X : z * w = expected_reward rw o - reward_mean n rw pi) by (unfold z; field; lra).
        split; intros H; [assert (z * w <= (0 - c) * w) by (apply Rmult_le_compat_r; lra); lra |].
        apply (Rmult_le_reg_r w); lra. }
      split; intros [H1 H2]; (split; intros o Ho Hp; [specialize (H1 o Ho Hp); rewrite E in *; exact H1 |]);
        apply U, H2; assumption.
  - intros r v o Hv P.
    assert (Z : expect n pi P = 0).
    { unfold P, Rdiv. rewrite (expect_ext n pi _ (fun o => / v * r o + - (expect n pi r * / v))) by (intros; cbn beta;
      ring).
      rewrite expect_affine by exact Hpi. ring. }
    split; [exact Z|]. rewrite Z. unfold P. field. lra.
Qed.

(** (13) is the limit of (11): where sigma(pi) > 0, the preference of each answer that is sampled tends to its limit,
    and so does the left side of (11). *)
Theorem vy_eq13_limit : forall n rw beta pi o,
  are_laws n rw -> 0 < beta -> policy n pi -> 0 < reward_deviation n rw pi -> (o < n)%nat -> 0 < pi o ->
  is_lim_seq (fun G => preference n rw G pi o) (limit_preference n rw pi o) /\
  is_lim_seq (fun G => (1 - (preference n rw G pi o - expect n pi (preference n rw G pi)) / beta) * pi o)
    ((1 - (expected_reward rw o - reward_mean n rw pi) / (beta * reward_deviation n rw pi)) * pi o).
Proof.
  intros n rw beta pi o Hrw Hb Hpi Hs Ho Hp.
  pose proof (preference_limit n rw pi o Hpi Hrw Ho Hp Hs) as L. split; [exact L|].
  apply (is_lim_seq_ext_loc (fun G => pi o + - (pi o / beta) * preference n rw G pi o)).
  - exists 2%nat. intros G HG. rewrite vy_s21_PG_centred by assumption. field. lra.
  - replace ((1 - (expected_reward rw o - reward_mean n rw pi) / (beta * reward_deviation n rw pi)) * pi o)
      with (pi o + - (pi o / beta) * limit_preference n rw pi o) by (unfold limit_preference; field; lra).
    apply is_lim_seq_plus'; [apply is_lim_seq_const|].
    apply (is_lim_seq_scal_l _ (- (pi o / beta)) (limit_preference n rw pi o)), L.
Qed.

(** The constant of (10) does not matter: KL_0 and KL(ref || pi) have the same stationary policies of full support, as
    their slopes differ by beta in each answer. *)
Theorem vy_s22_constant_nonessential : forall n (P : nat -> R) beta ref pi,
  full_support n ref -> full_support n pi ->
  (stationary n (objective n P beta ref pi) pi <->
   stationary n (fun q => expect n q P - beta * reverse_kl n q ref) pi) /\
  forall o d, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o d ->
    is_partial (fun q => expect n q P - beta * reverse_kl n q ref) pi o (d + beta) /\
    d + beta = P o + beta * (ref o / pi o).
Proof.
  intros n P beta ref pi Href Hpi.
  assert (D : forall o, (o < n)%nat -> is_partial (fun q => expect n q P - beta * reverse_kl n q ref) pi o
    (slope (P o) beta (pi o) (ref o) (pi o) + beta)).
  { intros o Ho. pose proof (proj1 Hpi o Ho) as Hp. pose proof (proj1 Href o Ho) as Hr.
    apply (is_partial_ext (fun q => Sum n (fun i => q i * P i - beta * (ref i * ln (ref i / q i))))).
    { intros q. rewrite Sum_minus, Sum_scal. reflexivity. }
    apply (is_partial_Sum n (fun i x => x * P i - beta * (ref i * ln (ref i / x)))); [exact Ho|].
    unfold slope. auto_derive.
    - repeat split; try lra. apply Rmult_lt_0_compat; [exact Hr|apply Rinv_0_lt_compat, Hp].
    - field. lra. }
  assert (D0 : forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o
    (slope (P o) beta (pi o) (ref o) (pi o))).
  { intros o Ho. apply is_partial_objective; [exact Ho|apply Href, Ho|left; apply Hpi, Ho]. }
  split.
  2:{ intros o d Ho H. rewrite (is_partial_unique _ _ _ _ _ H (D0 o Ho)). split; [apply D, Ho|].
    pose proof (proj1 Hpi o Ho). unfold slope. field. lra. }
  split; intros (lam & gam & Hp & H).
  - exists (lam + beta), gam. split; [exact Hp|]. intros o Ho. destruct (H o Ho) as (H1 & H2). split; [|exact H2].
    replace (lam + beta - gam o) with (slope (P o) beta (pi o) (ref o) (pi o) + beta); [apply D, Ho|].
    rewrite (is_partial_unique _ _ _ _ _ (D0 o Ho) H1). ring.
  - exists (lam - beta), gam. split; [exact Hp|]. intros o Ho. destruct (H o Ho) as (H1 & H2). split; [|exact H2].
    replace (lam - beta - gam o) with (slope (P o) beta (pi o) (ref o) (pi o)); [apply D0, Ho|].
    pose proof (is_partial_unique _ _ _ _ _ (D o Ho) H1). lra.
Qed.

(** * Section 2.3.1 and Appendix B.1: two answers *)

(** For two answers (11) is one equation: only the gap of the preferences matters. *)
Lemma eq11_two (P : nat -> R) beta ref pi :
  full_support 2 ref -> 0 < beta -> full_support 2 pi ->
  (stationary 2 (objective 2 P beta ref pi) pi <->
   beta * (pi 0%nat - ref 0%nat) = pi 0%nat * (1 - pi 0%nat) * (P 0%nat - P 1%nat)).
Proof.
  intros Href Hb Hpi. rewrite (eq11_full 2 P beta ref pi Href Hb Hpi).
  assert (E1 : pi 1%nat = 1 - pi 0%nat) by (destruct Hpi as [_ H]; simpl in H; lra).
  assert (E2 : ref 1%nat = 1 - ref 0%nat) by (destruct Href as [_ H]; simpl in H; lra).
  assert (E : expect 2 pi P = pi 0%nat * P 0%nat + (1 - pi 0%nat) * P 1%nat)
    by (unfold expect; simpl; rewrite E1; ring).
  rewrite E. set (x := pi 0%nat) in *. set (p := ref 0%nat) in *. split.
  - intros H. pose proof (H 0%nat ltac:(lia)) as K. fold x p in K. rewrite <- K. field. lra.
  - intros H [|[|o]] Ho; [| |lia].
    + fold x p. apply (Rmult_eq_reg_l beta); [|lra].
      replace (beta * ((1 - (P 0%nat - (x * P 0%nat + (1 - x) * P 1%nat)) / beta) * x))
        with (beta * x - x * (1 - x) * (P 0%nat - P 1%nat)) by (field; lra). lra.
    + rewrite E1, E2. apply (Rmult_eq_reg_l beta); [|lra].
      replace (beta * ((1 - (P 1%nat - (x * P 0%nat + (1 - x) * P 1%nat)) / beta) * (1 - x)))
        with (beta * (1 - x) + x * (1 - x) * (P 0%nat - P 1%nat)) by (field; lra). lra.
Qed.

(** The objective of two answers, as a function of x = pi(a). *)
Lemma objective_two P beta p y x :
  objective 2 P beta (binary p) (binary y) (binary x)
  = x * P 0%nat + (1 - x) * P 1%nat - beta * (y * k3 x p + (1 - y) * k3 (1 - x) (1 - p)).
Proof. unfold objective, kl_0. rewrite !expect_binary. reflexivity. Qed.

Lemma is_derive_objective_two P beta p y x : 0 < x < 1 -> 0 < p < 1 ->
  is_derive (fun z => objective 2 P beta (binary p) (binary y) (binary z)) x
    (P 0%nat - P 1%nat
     - beta * (- (y * p / x ^ 2) + (1 - y) * (1 - p) / (1 - x) ^ 2 + y / x - (1 - y) / (1 - x))).
Proof.
  intros Hx Hp.
  apply (derive_ext (fun z => (z * P 0%nat + (1 - z) * P 1%nat) - beta * (y * k3 z p + (1 - y) * k3 (1 - z) (1 - p)))).
  { intros t. symmetry. apply objective_two. }
  replace (P 0%nat - P 1%nat
     - beta * (- (y * p / x ^ 2) + (1 - y) * (1 - p) / (1 - x) ^ 2 + y / x - (1 - y) / (1 - x)))
    with ((P 0%nat - P 1%nat)
     - beta * (y * (/ x - p / x ^ 2) + (1 - y) * ((-1) * (/ (1 - x) - (1 - p) / (1 - x) ^ 2)))) by (field; lra).
  apply derive_minus; [auto_derive; [exact I|ring]|].
  apply derive_scal, derive_plus; apply derive_scal; [apply is_derive_k3; lra|].
  apply (derive_comp (fun z => k3 z (1 - p)) (fun z => 1 - z)); [apply is_derive_k3; lra|].
  auto_derive; [exact I|ring].
Qed.

Lemma full_support_2 pi : full_support 2 pi -> 0 < pi 0%nat < 1.
Proof. intros [P S]. pose proof (P 0%nat ltac:(lia)). pose proof (P 1%nat ltac:(lia)). simpl in S. lra. Qed.

(** The slope of the objective of two answers whose groups the policy samples itself. *)
Lemma is_derive_objective_on_policy P beta ref pi : full_support 2 ref -> full_support 2 pi ->
  is_derive (fun z => objective 2 P beta ref pi (binary z)) (pi 0%nat)
    (P 0%nat - P 1%nat - beta * ((pi 0%nat - ref 0%nat) / (pi 0%nat * (1 - pi 0%nat)))).
Proof.
  intros Href Hpi. assert (R1 : ref 1%nat = 1 - ref 0%nat) by (destruct Href as [_ S]; simpl in S; lra).
  assert (X1 : pi 1%nat = 1 - pi 0%nat) by (destruct Hpi as [_ S]; simpl in S; lra).
  assert (Hp : 0 < ref 0%nat < 1) by (pose proof (proj1 Href 0%nat ltac:(lia));
    pose proof (proj1 Href 1%nat ltac:(lia)); lra).
  assert (Hx : 0 < pi 0%nat < 1) by (pose proof (proj1 Hpi 0%nat ltac:(lia)); pose proof (proj1 Hpi 1%nat ltac:(lia));
    lra).
  apply (derive_ext (fun z => objective 2 P beta (binary (ref 0%nat)) (binary (pi 0%nat)) (binary z))).
  { intros z. unfold objective, kl_0, expect. simpl. rewrite R1, X1. reflexivity. }
  pose proof (is_derive_objective_two P beta (ref 0%nat) (pi 0%nat) (pi 0%nat) Hx Hp) as H.
  match type of H with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d; [exact H|] end end.
  field. lra.
Qed.

Section TwoAnswers.

Variable rw : rewards.
Hypothesis Hrw : are_laws 2 rw.
Let gamma := margin rw 0 1.

Lemma preference_gap_two old : policy 2 old -> preference 2 rw 2 old 0 - preference 2 rw 2 old 1 = gamma.
Proof.
  intros [_ H]. rewrite !preference_two. unfold expect. simpl in *.
  rewrite !margin_self, (margin_antisym rw 0 1). fold gamma. nra.
Qed.

(** ** Groups of two *)

(** The expected preference of a pair is a difference of products times the expected sign, the first display. *)
Theorem vy_B1_sign_decomposition : forall x y,
  expect 2 (binary x) (preference 2 rw 2 (binary y))
  = (x * (1 - y) - (1 - x) * y) * law_expect (rw 0%nat) (fun r1 => law_expect (rw 1%nat) (fun r2 => sign (r1 - r2))).
Proof.
  intros x y.
  replace (law_expect (rw 0%nat) (fun r1 => law_expect (rw 1%nat) (fun r2 => sign (r1 - r2)))) with gamma.
  - rewrite expect_binary, !preference_two, !expect_binary, !margin_self, (margin_antisym rw 0 1). fold gamma. ring.
  - unfold gamma. rewrite <- law_margin. apply law_expect_ext. intros r1. apply law_expect_ext. intros r2.
    apply vy_s21_G2_advantage.
Qed.

(** The expected sign of the difference of the rewards is the margin. *)
Theorem vy_B1_Esign_gamma :
  law_expect (rw 0%nat) (fun r1 => law_expect (rw 1%nat) (fun r2 => sign (r1 - r2))) = wins rw 0 1 - wins rw 1 0.
Proof.
  fold (margin rw 0 1). rewrite <- law_margin. apply law_expect_ext. intros r1. apply law_expect_ext. intros r2.
  symmetry. apply vy_s21_G2_advantage.
Qed.

(** (16). *)
Theorem vy_eq16 : forall x y,
  expect 2 (binary x) (preference 2 rw 2 (binary y)) = gamma * (x - y).
Proof. intros x y. rewrite vy_B1_sign_decomposition, vy_B1_Esign_gamma. fold (margin rw 0 1). fold gamma. ring. Qed.

(** The objective of a pair, up to a constant: the display after (16). *)
Theorem vy_B1_objective : forall beta p y, 0 < p < 1 -> exists const, forall x, 0 < x < 1 ->
  grpo 2 rw 2 beta (binary p) (binary y) (binary x)
  = gamma * x - beta * (y * (p / x) + (1 - y) * ((1 - p) / (1 - x)) + y * ln x + (1 - y) * ln (1 - x)) + const.
Proof.
  intros beta p y Hp. exists (- gamma * y + beta * (y * ln p + (1 - y) * ln (1 - p) + 1)). intros x Hx.
  unfold grpo, objective, kl_0. rewrite vy_eq16, expect_binary. unfold k3. simpl.
  rewrite !ln_div by lra. ring.
Qed.

(** Its derivative, the old policy y held fixed... *)
Theorem vy_B1_derivative : forall beta p y x, 0 < x < 1 -> 0 < y < 1 -> 0 < p < 1 ->
  is_derive (fun z => grpo 2 rw 2 beta (binary p) (binary y) (binary z)) x
    (gamma - beta * (- (y * p / x ^ 2) + (1 - y) * (1 - p) / (1 - x) ^ 2 + y / x - (1 - y) / (1 - x))).
Proof.
  intros beta p y x Hx Hy Hp.
  rewrite <- (preference_gap_two (binary y)) by (apply binary_policy; lra).
  apply is_derive_objective_two; assumption.
Qed.

(** ... and where the old policy is the policy. *)
Theorem vy_B1_derivative_on_policy : forall beta p x, 0 < x < 1 -> 0 < p < 1 ->
  is_derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x (gamma - beta * ((x - p) / (x * (1 - x)))).
Proof.
  intros beta p x Hx Hp. pose proof (vy_B1_derivative beta p x x Hx Hx Hp) as H.
  replace (gamma - beta * ((x - p) / (x * (1 - x)))) with
    (gamma - beta * (- (x * p / x ^ 2) + (1 - x) * (1 - p) / (1 - x) ^ 2 + x / x - (1 - x) / (1 - x))) by (field; lra).
  exact H.
Qed.

(** (17): stationarity of a policy that uses both answers. Its two sides differ by the slope of the objective. *)
Theorem vy_eq17 : forall beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <->
   beta * ((pi 0%nat - ref 0%nat) / (pi 0%nat * (1 - pi 0%nat))) = gamma) /\
  is_derive (fun z => grpo 2 rw 2 beta ref pi (binary z)) (pi 0%nat)
    (gamma - beta * ((pi 0%nat - ref 0%nat) / (pi 0%nat * (1 - pi 0%nat)))).
Proof.
  intros beta ref pi Hb Href Hpi.
  split; [|rewrite <- (preference_gap_two pi (full_support_policy 2 pi Hpi));
    apply is_derive_objective_on_policy; assumption].
  unfold on_policy_stationary, grpo.
  rewrite (eq11_two (preference 2 rw 2 pi) beta ref pi Href Hb Hpi).
  rewrite (preference_gap_two pi (full_support_policy 2 pi Hpi)).
  assert (H0 : 0 < pi 0%nat) by (apply (proj1 Hpi); lia).
  assert (H1 : 0 < 1 - pi 0%nat) by (destruct Hpi as [P S]; pose proof (P 1%nat ltac:(lia)); simpl in S; lra).
  set (x := pi 0%nat) in *. set (p := ref 0%nat) in *. split; intros H.
  - replace (beta * ((x - p) / (x * (1 - x)))) with (beta * (x - p) / (x * (1 - x))) by (field; lra).
    rewrite H. field. lra.
  - rewrite <- H. field. lra.
Qed.

(** A tie leaves the reference policy. *)
Theorem vy_B1_gamma0 : forall beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi -> gamma = 0 ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <-> pi 0%nat = ref 0%nat).
Proof.
  intros beta ref pi Hb Href Hpi Z. rewrite (proj1 (vy_eq17 beta ref pi Hb Href Hpi)), Z.
  assert (H0 : 0 < pi 0%nat) by (apply (proj1 Hpi); lia).
  assert (H1 : 0 < 1 - pi 0%nat) by (destruct Hpi as [P S]; pose proof (P 1%nat ltac:(lia)); simpl in S; lra).
  set (x := pi 0%nat) in *. set (p := ref 0%nat) in *. split; intros H.
  - assert (E : beta * (x - p) = beta * ((x - p) / (x * (1 - x))) * (x * (1 - x))) by (field; lra).
    rewrite H, Rmult_0_l in E. apply Rmult_integral in E. destruct E; lra.
  - rewrite H. unfold Rminus, Rdiv. rewrite Rplus_opp_r. ring.
Qed.

(** (17) is a quadratic equation: the quadratic is the slope of the objective times -x(1 - x)/gamma. *)
Theorem vy_B1_quadratic : forall beta p x, 0 < beta -> 0 < x < 1 -> gamma <> 0 ->
  (beta * ((x - p) / (x * (1 - x))) = gamma <-> x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p = 0) /\
  (0 < p < 1 -> is_derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x
    (- (gamma / (x * (1 - x))) * (x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p))).
Proof.
  intros beta p x Hb Hx Hg. split.
  2:{ intros Hp. pose proof (vy_B1_derivative_on_policy beta p x Hx Hp) as D.
    match type of D with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d;
      [exact D|] end end.
    field. lra. }
  assert (E : (beta * ((x - p) / (x * (1 - x))) - gamma) * (x * (1 - x))
    = gamma * (x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p)) by (field; lra).
  assert (0 < x * (1 - x)) by nra.
  split; intros H'.
  - rewrite H', Rminus_eq_0, Rmult_0_l in E. apply (Rmult_eq_reg_l gamma); lra.
  - rewrite H', Rmult_0_r in E. apply Rmult_integral in E. destruct E; lra.
Qed.

End TwoAnswers.

(** The closed form (14), b = beta/gamma. *)
Definition eq14 (b p : R) : R := / 2 * (1 - b + sqrt ((1 - b) ^ 2 + 4 * b * p)).

(** What it is: the root above p of b (x - p) = x (1 - x). *)
Lemma eq14_root b p : 0 < b -> 0 < p < 1 ->
  0 < eq14 b p < 1 /\ p < eq14 b p /\ b * (eq14 b p - p) = eq14 b p * (1 - eq14 b p).
Proof.
  intros Hb Hp. unfold eq14. set (D := (1 - b) ^ 2 + 4 * b * p).
  assert (HD : 0 <= D).
  { unfold D. pose proof (pow2_ge_0 (1 - b)). assert (0 < b * p) by (apply Rmult_lt_0_compat; lra). lra. }
  pose proof (sqrt_pos D) as Hs. pose proof (sqrt_sqrt D HD) as Hss. set (s := sqrt D) in *.
  assert (E : s * s = (1 - b) ^ 2 + 4 * b * p) by (rewrite Hss; reflexivity).
  assert (L : s < 1 + b).
  { apply Rnot_le_lt. intros K. assert ((1 + b) * (1 + b) <= s * s) by (apply Rmult_le_compat; lra). nra. }
  assert (L' : b - 1 < s).
  { apply Rnot_le_lt. intros K. assert (s * s <= (b - 1) * (b - 1)) by (apply Rmult_le_compat; lra). nra. }
  assert (Q : b * (/ 2 * (1 - b + s) - p) = / 2 * (1 - b + s) * (1 - / 2 * (1 - b + s))) by nra.
  split; [lra|]. split; [|exact Q].
  assert (0 < / 2 * (1 - b + s) * (1 - / 2 * (1 - b + s))) by (apply Rmult_lt_0_compat; lra). nra.
Qed.

(** Any root in (0, 1) of that equation is (14). *)
Lemma eq14_unique b p x : 0 < b -> 0 < p < 1 -> 0 < x -> b * (x - p) = x * (1 - x) -> x = eq14 b p.
Proof.
  intros Hb Hp Hx H. destruct (eq14_root b p Hb Hp) as (H1 & H2 & H3). set (X := eq14 b p) in *.
  assert (E : (x - X) * (x + X - (1 - b)) = 0) by nra.
  apply Rmult_integral in E. destruct E as [E|E]; [lra|].
  (* the product of the roots is - b p < 0 *)
  assert (x = 1 - b - X) by lra. assert (x * X = - (b * p)) by nra. nra.
Qed.

(** Where gamma > 0 the quadratic has one solution that is not negative, namely (14). *)
Theorem vy_B1_unique_root : forall beta gamma p x, 0 < beta -> 0 < gamma -> 0 < p < 1 ->
  (0 <= x /\ x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p = 0 <-> x = eq14 (beta / gamma) p).
Proof.
  intros beta gamma p x Hb Hg Hp. assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
  set (b := beta / gamma) in *. split.
  - intros [H0 E]. apply eq14_unique; try assumption; [|nra]. destruct H0 as [|<-]; [assumption|]. nra.
  - intros ->. destruct (eq14_root b p H Hp) as (H1 & H2 & H3). split; [lra|nra].
Qed.

(** (14): for any laws of rewards with margin gamma > 0 and any beta > 0 there is exactly one stationary policy that
    uses both answers, the one with pi(a) = (14). *)
Theorem vy_eq14 : forall rw beta ref pi,
  are_laws 2 rw -> 0 < beta -> full_support 2 ref -> full_support 2 pi -> 0 < margin rw 0 1 ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <->
   pi 0%nat = / 2 * (1 - beta / margin rw 0 1
     + sqrt ((1 - beta / margin rw 0 1) ^ 2 + 4 * (beta / margin rw 0 1) * ref 0%nat))).
Proof.
  intros rw beta ref pi Hrw Hb Href Hpi Hg. fold (eq14 (beta / margin rw 0 1) (ref 0%nat)).
  set (gamma := margin rw 0 1) in *.
  assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
  assert (Hp : 0 < ref 0%nat < 1).
  { destruct Href as [P S]. pose proof (P 0%nat ltac:(lia)). pose proof (P 1%nat ltac:(lia)). simpl in S. lra. }
  assert (Hx : 0 < pi 0%nat < 1).
  { destruct Hpi as [P S]. pose proof (P 0%nat ltac:(lia)). pose proof (P 1%nat ltac:(lia)). simpl in S. lra. }
  rewrite (proj1 (vy_eq17 rw beta ref pi Hb Href Hpi)), (proj1 (vy_B1_quadratic rw beta _ _ Hb Hx ltac:(fold gamma;
    lra))).
  fold gamma. rewrite <- vy_B1_unique_root by assumption.
  split; [intros; split; [lra|assumption]|intros []; assumption].
Qed.

(** It exists: (14) is a probability, above the reference. *)
Theorem vy_eq14_exists : forall rw beta p, are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
  p < eq14 (beta / margin rw 0 1) p < 1 /\
  on_policy_stationary 2 (grpo 2 rw 2 beta (binary p)) (binary (eq14 (beta / margin rw 0 1) p)).
Proof.
  intros rw beta p Hrw Hb Hp Hg. assert (H : 0 < beta / margin rw 0 1) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root _ p H Hp) as (H1 & H2 & H3). split; [lra|].
  apply vy_eq14; try assumption; [apply binary_full; lra|apply binary_full; lra|reflexivity].
Qed.

(** The policy that gives up the answer b satisfies the KKT conditions exactly when beta (1 - ref(a)) <= gamma: (11) is
    not the only case. *)
Theorem vy_s23_boundary_policy : forall rw beta p,
  are_laws 2 rw -> 0 < beta -> 0 < p < 1 ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta (binary p)) (binary 1) <-> beta * (1 - p) <= margin rw 0 1).
Proof.
  intros rw beta p Hrw Hb Hp. unfold on_policy_stationary, grpo.
  rewrite (eq11_on_support 2 (preference 2 rw 2 (binary 1)) beta (binary p) (binary 1)
    (binary_full p Hp) Hb (binary_policy 1 ltac:(lra))).
  assert (M : support_mass 2 (binary p) (binary 1) = p).
  { unfold support_mass. simpl. replace (1 - 1) with 0 by ring.
    destruct (Rlt_dec 0 1), (Rlt_dec 0 0); lra. }
  rewrite M, expect_binary, !preference_two, !expect_binary, !margin_self, (margin_antisym rw 0 1).
  set (g := margin rw 0 1). split.
  - intros [_ H]. specialize (H 1%nat ltac:(lia)). simpl in H. rewrite preference_two, expect_binary, margin_self in H.
    rewrite (margin_antisym rw 0 1) in H. fold g in H. specialize (H ltac:(ring)). lra.
  - intros H. split.
    + intros [|[|o]] Ho Hpos; simpl in *; [| lra | lia].
      rewrite preference_two, expect_binary, margin_self. field. lra.
    + intros [|[|o]] Ho Z; simpl in *; [lra | | lia].
      rewrite preference_two, expect_binary, margin_self, (margin_antisym rw 0 1). fold g. lra.
Qed.

(** The bounds after (14): at least max{1 - beta/gamma, ref(a)}. *)
Theorem vy_eq14_lower_bound : forall beta gamma p, 0 < beta -> 0 < gamma -> 0 < p <= 1 ->
  Rmax (1 - beta / gamma) p <= eq14 (beta / gamma) p.
Proof.
  intros beta gamma p Hb Hg Hp. assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
  set (b := beta / gamma) in *. destruct (Req_dec p 1) as [->|N].
  - unfold eq14. replace ((1 - b) ^ 2 + 4 * b * 1) with ((1 + b) ^ 2) by ring. rewrite sqrt_pow2 by lra.
    apply Rmax_lub; lra.
  - destruct (eq14_root b p H) as (H1 & H2 & H3); [lra|]. apply Rmax_lub; [|lra].
    set (X := eq14 b p) in *. assert (X * (X - (1 - b)) = b * p) by nra. nra.
Qed.

(** Both bounds are strict inside, with their exact gaps. *)
Theorem vy_eq14_lower_bound_strict : forall beta gamma p, 0 < beta -> 0 < gamma -> 0 < p < 1 ->
  let b := beta / gamma in let x := eq14 b p in
  Rmax (1 - b) p < x /\ x * (x - (1 - b)) = b * p /\ b * (x - p) = x * (1 - x).
Proof.
  intros beta gamma p Hb Hg Hp b x. assert (H : 0 < b) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root b p H Hp) as (H1 & H2 & H3). fold x in H1, H2, H3.
  assert (E : x * (x - (1 - b)) = b * p) by nra.
  split; [|split; assumption]. apply Rmax_lub_lt; [|lra].
  assert (0 < x * (x - (1 - b))) by nra. nra.
Qed.

Lemma eq14_decreasing b b' p : 0 < b < b' -> 0 < p < 1 -> eq14 b' p < eq14 b p.
Proof.
  intros Hb Hp. destruct (eq14_root b p) as (H1 & H2 & H3); [lra|exact Hp|].
  destruct (eq14_root b' p) as (K1 & K2 & K3); [lra|exact Hp|].
  set (x := eq14 b p) in *. set (y := eq14 b' p) in *. apply Rnot_le_lt. intros L.
  assert (0 <= (y - x) * ((x - p) * (y - p) + p * (1 - p))).
  { apply Rmult_le_pos; [lra|]. assert (0 < (x - p) * (y - p)) by (apply Rmult_lt_0_compat; lra). nra. }
  assert (x * (1 - x) * (y - p) - y * (1 - y) * (x - p) = (y - x) * ((x - p) * (y - p) + p * (1 - p))) by ring.
  rewrite <- H3, <- K3 in H0. assert (M : 0 < (x - p) * (y - p)) by (apply Rmult_lt_0_compat; lra).
  assert ((b - b') * ((x - p) * (y - p)) < 0) by nra.
  assert (b * (x - p) * (y - p) - b' * (y - p) * (x - p) = (b - b') * ((x - p) * (y - p))) by ring. lra.
Qed.

Lemma eq14_increasing_ref b p p' : 0 < b -> 0 < p < p' -> p' < 1 -> eq14 b p < eq14 b p'.
Proof.
  intros Hb Hp Hp'. unfold eq14. apply Rmult_lt_compat_l; [lra|]. apply Rplus_lt_compat_l, sqrt_lt_1_alt.
  pose proof (pow2_ge_0 (1 - b)). assert (0 < b * p < b * p') by (split; nra). lra.
Qed.

(** (14) decreases in beta... *)
Theorem vy_s231_decreasing_beta : forall gamma p beta beta', 0 < gamma -> 0 < p < 1 -> 0 < beta < beta' ->
  eq14 (beta' / gamma) p < eq14 (beta / gamma) p.
Proof.
  intros gamma p beta beta' Hg Hp Hb. apply eq14_decreasing; [|exact Hp]. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat, Hg|lra].
Qed.

(** ... increases in the margin... *)
Theorem vy_s231_increasing_gamma : forall beta p gamma gamma', 0 < beta -> 0 < p < 1 -> 0 < gamma < gamma' ->
  eq14 (beta / gamma) p < eq14 (beta / gamma') p.
Proof.
  intros beta p gamma gamma' Hb Hp Hg. apply eq14_decreasing; [|exact Hp]. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; nra.
Qed.

(** ... and in the reference. *)
Theorem vy_s231_increasing_ref : forall beta gamma p p', 0 < beta -> 0 < gamma -> 0 < p < p' -> p' < 1 ->
  eq14 (beta / gamma) p < eq14 (beta / gamma) p'.
Proof. intros. apply eq14_increasing_ref; try assumption. apply Rdiv_lt_0_compat; assumption. Qed.

(** At beta = gamma it is the square root of the reference. *)
Theorem vy_s231_sqrt : forall gamma p, 0 < gamma -> 0 <= p -> eq14 (gamma / gamma) p = sqrt p.
Proof.
  intros gamma p Hg Hp. unfold eq14. replace (gamma / gamma) with 1 by (field; lra).
  replace ((1 - 1) ^ 2 + 4 * 1 * p) with (2 ^ 2 * p) by ring.
  rewrite sqrt_mult, sqrt_pow2 by lra. field.
Qed.

(** It depends on beta/gamma and the reference only, also where gamma is the gap of any two preferences. *)
Theorem vy_s231_effective_ratio : forall beta beta' ref pi,
  0 < beta -> 0 < beta' -> full_support 2 ref -> full_support 2 pi ->
  (forall rw rw', are_laws 2 rw -> are_laws 2 rw' -> 0 < margin rw 0 1 -> 0 < margin rw' 0 1 ->
     beta / margin rw 0 1 = beta' / margin rw' 0 1 ->
     (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <-> on_policy_stationary 2 (grpo 2 rw' 2 beta' ref) pi)) /\
  (forall (P P' : nat -> R) gamma gamma', 0 < gamma -> 0 < gamma' ->
     P 0%nat - P 1%nat = gamma -> P' 0%nat - P' 1%nat = gamma' -> beta / gamma = beta' / gamma' ->
     (stationary 2 (objective 2 P beta ref pi) pi <-> stationary 2 (objective 2 P' beta' ref pi) pi) /\
     (stationary 2 (objective 2 P beta ref pi) pi <-> pi 0%nat = eq14 (beta / gamma) (ref 0%nat))).
Proof.
  intros beta beta' ref pi Hb Hb' Href Hpi. split.
  - intros rw rw' H1 H2 H7 H8 E. rewrite !vy_eq14, E by assumption. reflexivity.
  - assert (K : forall (P : nat -> R) beta gamma, 0 < beta -> 0 < gamma -> P 0%nat - P 1%nat = gamma ->
      (stationary 2 (objective 2 P beta ref pi) pi <-> pi 0%nat = eq14 (beta / gamma) (ref 0%nat))).
    { intros P b g H0 Hg Q. rewrite (eq11_two P b ref pi Href H0 Hpi), Q.
      pose proof (full_support_2 ref Href) as Hp. pose proof (full_support_2 pi Hpi) as Hx.
      rewrite <- (vy_B1_unique_root b g (ref 0%nat) (pi 0%nat)) by assumption.
      set (x := pi 0%nat) in *. set (p := ref 0%nat) in *.
      assert (E : b * (x - p) - x * (1 - x) * g = g * (x ^ 2 - (1 - b / g) * x - b / g * p)) by (field; lra).
      split.
      - intros H. split; [lra|]. apply (Rmult_eq_reg_l g); lra.
      - intros [_ H]. rewrite H in E. lra. }
    intros P P' g g' Hg Hg' Q Q' E. split; [|apply K; assumption].
    rewrite (K P beta g), (K P' beta' g'), E by assumption. reflexivity.
Qed.

(** Deterministic rewards with r(a) > r(b) have the margin 1; the magnitudes do not matter. *)
Theorem vy_s231_deterministic_gamma1 : forall r, r 1%nat < r 0%nat -> margin (sure r) 0 1 = 1.
Proof. intros r H. unfold margin. rewrite !vy_s21_P_deterministic. destruct Rlt_dec, Rlt_dec; lra. Qed.

(** Without regularisation the better answer takes all. *)
Theorem vy_s231_limit_beta_0 : forall gamma p, 0 < gamma -> 0 < p < 1 ->
  filterlim (fun beta => eq14 (beta / gamma) p) (at_right 0) (locally 1).
Proof.
  intros gamma p Hg Hp. apply filterlim_locally. intros eps.
  exists (mkposreal _ (Rmult_lt_0_compat _ _ Hg (cond_pos eps))). intros beta Hb Hpos.
  apply Rabs_lt_between in Hb. unfold minus, plus, opp in Hb. simpl in Hb.
  pose proof (vy_eq14_lower_bound beta gamma p Hpos Hg ltac:(lra)) as L.
  pose proof (Rmax_l (1 - beta / gamma) p) as M.
  assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root (beta / gamma) p H Hp) as (H1 & _).
  assert (beta / gamma < eps).
  { apply Rmult_lt_reg_r with gamma; [exact Hg|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  apply Rabs_lt_between. unfold minus, plus, opp. simpl. lra.
Qed.

(** Under strong regularisation the reference remains: x - p <= gamma/(4 beta). *)
Theorem vy_s231_limit_beta_inf : forall gamma p, 0 < gamma -> 0 < p < 1 ->
  (forall beta, 0 < beta -> 0 < eq14 (beta / gamma) p - p <= gamma / (4 * beta)) /\
  filterlim (fun beta => eq14 (beta / gamma) p) (Rbar_locally p_infty) (locally p).
Proof.
  intros gamma p Hg Hp.
  assert (K : forall beta, 0 < beta -> 0 < eq14 (beta / gamma) p - p <= gamma / (4 * beta)).
  { intros beta Hb. assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
    destruct (eq14_root (beta / gamma) p H Hp) as (H1 & H2 & H3). set (x := eq14 (beta / gamma) p) in *. split; [lra|].
    assert (E : beta * (x - p) = gamma * (x * (1 - x))) by (rewrite <- H3; field; lra).
    apply Rmult_le_reg_l with (4 * beta); [lra|].
    replace (4 * beta * (gamma / (4 * beta))) with gamma by (field; lra).
    replace (4 * beta * (x - p)) with (4 * (gamma * (x * (1 - x)))) by lra.
    pose proof (pow2_ge_0 (2 * x - 1)). nra. }
  split; [exact K|]. apply filterlim_locally. intros eps. exists (Rmax 1 (gamma / eps)). intros beta Hbeta.
  assert (B : 1 < beta) by (eapply Rle_lt_trans; [apply Rmax_l|exact Hbeta]).
  assert (B' : gamma / eps < beta) by (eapply Rle_lt_trans; [apply Rmax_r|exact Hbeta]).
  pose proof (cond_pos eps) as He. destruct (K beta ltac:(lra)) as [K1 K2].
  assert (gamma / (4 * beta) < eps).
  { apply Rmult_lt_reg_r with (4 * beta); [lra|]. replace (gamma / (4 * beta) * (4 * beta)) with gamma by (field; lra).
    apply (Rmult_lt_compat_r eps) in B'; [|exact He]. unfold Rdiv in B'. rewrite Rmult_assoc, Rinv_l in B' by lra. nra.
    }
  apply Rabs_lt_between. unfold minus, plus, opp. simpl. lra.
Qed.

(** Continuous in the reference on (0, 1], and at 0, where the support forces the policy to be 0, exactly when
    beta >= gamma: the limit from the right is max{1 - beta/gamma, 0}. *)
Theorem vy_s231_continuity : forall beta gamma, 0 < beta -> 0 < gamma ->
  (forall q, 0 < q <= 1 -> continuous (fun p => eq14 (beta / gamma) p) q) /\
  filterlim (fun p => eq14 (beta / gamma) p) (at_right 0) (locally (Rmax (1 - beta / gamma) 0)) /\
  (Rmax (1 - beta / gamma) 0 = 0 <-> gamma <= beta).
Proof.
  intros beta gamma Hb Hg. assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; assumption).
  assert (C : forall q, 0 <= (1 - beta / gamma) ^ 2 + 4 * (beta / gamma) * q ->
    continuous (fun p => eq14 (beta / gamma) p) q).
  { intros q Hq. unfold eq14. set (b := beta / gamma) in *.
    apply (continuous_mult (K := R_AbsRing) (fun _ => / 2)); [apply continuous_const|].
    apply (continuous_plus (V := R_NormedModule) (fun _ => 1 - b)); [apply continuous_const|].
    apply (continuous_comp (fun p => (1 - b) ^ 2 + 4 * b * p) sqrt).
    - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive; exact I.
    - apply continuous_sqrt. }
  split; [intros q Hq; apply C; pose proof (pow2_ge_0 (1 - beta / gamma)); nra|]. split.
  - replace (Rmax (1 - beta / gamma) 0) with (eq14 (beta / gamma) 0).
    + assert (C0 : continuous (fun p => eq14 (beta / gamma) p) 0)
        by (apply C; pose proof (pow2_ge_0 (1 - beta / gamma)); nra).
      intros P HP. specialize (C0 P HP). unfold at_right, within, filtermap in *.
      eapply filter_imp; [|exact C0]. intros. assumption.
    + unfold eq14. rewrite Rmult_0_r, Rplus_0_r. rewrite <- (Rabs_pos_eq ((1 - beta / gamma) ^ 2)) by apply pow2_ge_0.
      rewrite <- RPow_abs, sqrt_pow2 by apply Rabs_pos. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
  - assert (E : beta / gamma <= 1 -> beta <= gamma).
    { intros K. apply (Rmult_le_compat_r gamma) in K; [|lra]. unfold Rdiv in K. rewrite Rmult_assoc, Rinv_l in K by lra.
      lra. }
    assert (E' : beta / gamma < 1 <-> beta < gamma).
    { split; intros K.
      - apply (Rmult_lt_compat_r gamma) in K; [|lra]. unfold Rdiv in K. rewrite Rmult_assoc, Rinv_l in K by lra. lra.
      - apply Rmult_lt_reg_r with gamma; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    unfold Rmax. destruct Rle_dec; split; intros; try lra.
Qed.

(** ** The limit of large groups *)

Lemma reward_mean_sure n r pi : reward_mean n (sure r) pi = expect n pi r.
Proof. unfold reward_mean. rewrite outcome_expect_sure. reflexivity. Qed.

Lemma reward_variance_sure n r pi :
  reward_variance n (sure r) pi = expect n pi (fun o => (r o - expect n pi r) ^ 2).
Proof. unfold reward_variance. rewrite outcome_expect_sure, reward_mean_sure. reflexivity. Qed.

Lemma expected_reward_sure r o : expected_reward (sure r) o = r o.
Proof. apply law_expect_sure. Qed.

(** The reward of a against the mean of the old policy, and that of b. *)
Theorem vy_B1_inf_diff_a : forall r y,
  r 0%nat - reward_mean 2 (sure r) (binary y) = (1 - y) * (r 0%nat - r 1%nat).
Proof. intros. rewrite reward_mean_sure, expect_binary. ring. Qed.

Theorem vy_B1_inf_diff_b : forall r y,
  r 1%nat - reward_mean 2 (sure r) (binary y) = y * (r 1%nat - r 0%nat).
Proof. intros. rewrite reward_mean_sure, expect_binary. ring. Qed.

(** The variance given the answer, about the mean of all answers. *)
Lemma law_expect_around l m : is_law l -> let e := law_expect l (fun x => x) in
  law_expect l (fun x => (x - m) ^ 2) = law_expect l (fun x => (x - e) ^ 2) + (e - m) ^ 2.
Proof.
  intros H e. pose proof (law_expectation l H) as HE.
  rewrite (E_ext _ HE _ (fun x => (x - e) ^ 2 + (2 * (e - m) * (x - e) + (e - m) ^ 2))) by (intros; ring).
  rewrite !(E_plus _ HE), (E_scal _ HE), (E_minus _ HE), !(E_const _ HE). fold e. ring.
Qed.

(** The variance of the reward, that of a deterministic one in particular. *)
Theorem vy_B1_inf_sigma2 :
  (forall rw y, are_laws 2 rw ->
     let spread := fun o => law_expect (rw o) (fun x => (x - expected_reward rw o) ^ 2) in
     reward_variance 2 rw (binary y) = (expected_reward rw 0 - expected_reward rw 1) ^ 2 * (y * (1 - y))
       + y * spread 0%nat + (1 - y) * spread 1%nat) /\
  forall r y, reward_variance 2 (sure r) (binary y) = (r 0%nat - r 1%nat) ^ 2 * (y * (1 - y)).
Proof.
  split; [|intros; rewrite reward_variance_sure, !expect_binary; ring]. intros rw y Hrw spread.
  unfold reward_variance. set (m := reward_mean 2 rw (binary y)). unfold outcome_expect. rewrite expect_binary.
  cbn [snd].
  rewrite (law_expect_around (rw 0%nat) m), (law_expect_around (rw 1%nat) m) by (apply Hrw; lia).
  fold (expected_reward rw 0) (expected_reward rw 1).
  fold (spread 0%nat) (spread 1%nat).
  assert (M : m = y * expected_reward rw 0 + (1 - y) * expected_reward rw 1).
  { unfold m, reward_mean, outcome_expect. rewrite expect_binary. reflexivity. }
  rewrite M. ring.
Qed.

Lemma reward_deviation_binary r y : 0 <= y <= 1 ->
  reward_deviation 2 (sure r) (binary y) = Rabs (r 0%nat - r 1%nat) * sqrt (y * (1 - y)).
Proof.
  intros H. unfold reward_deviation. rewrite (proj2 vy_B1_inf_sigma2), sqrt_mult_alt by apply pow2_ge_0. f_equal.
  rewrite <- pow2_abs. apply sqrt_pow2, Rabs_pos.
Qed.

Lemma sign_div d : d <> 0 -> d / Rabs d = sign d.
Proof.
  intros H. destruct (Rlt_dec 0 d).
  - rewrite Rabs_right, sign_eq_1 by lra. field. exact H.
  - rewrite Rabs_left, sign_eq_m1 by lra. field. exact H.
Qed.

Lemma sqrt_odds y : 0 < y < 1 -> (1 - y) / sqrt (y * (1 - y)) = sqrt ((1 - y) / y).
Proof.
  intros H. rewrite sqrt_div_alt, sqrt_mult by lra.
  pose proof (sqrt_lt_R0 y ltac:(lra)). pose proof (sqrt_lt_R0 (1 - y) ltac:(lra)).
  rewrite <- (sqrt_sqrt (1 - y)) at 1 by lra. field. lra.
Qed.

(** The normalised rewards of a and of b. *)
Theorem vy_B1_inf_adv_a : forall r y, 0 < y < 1 ->
  limit_preference 2 (sure r) (binary y) 0 = sqrt ((1 - y) / y) * sign (r 0%nat - r 1%nat).
Proof.
  intros r y Hy. unfold limit_preference.
  rewrite expected_reward_sure, vy_B1_inf_diff_a, reward_deviation_binary by lra.
  set (d := r 0%nat - r 1%nat). destruct (Req_dec d 0) as [Z|N].
  - rewrite Z, sign_0. unfold Rdiv. ring.
  - rewrite <- (sign_div d N), <- sqrt_odds by exact Hy.
    assert (0 < sqrt (y * (1 - y))) by (apply sqrt_lt_R0; nra). pose proof (Rabs_pos_lt d N). field. lra.
Qed.

Theorem vy_B1_inf_adv_b : forall r y, 0 < y < 1 ->
  limit_preference 2 (sure r) (binary y) 1 = - sqrt (y / (1 - y)) * sign (r 0%nat - r 1%nat).
Proof.
  intros r y Hy. unfold limit_preference.
  rewrite expected_reward_sure, vy_B1_inf_diff_b, reward_deviation_binary by lra.
  set (d := r 0%nat - r 1%nat). replace (r 1%nat - r 0%nat) with (- d) by (unfold d; ring).
  destruct (Req_dec d 0) as [Z|N].
  - rewrite Z, sign_0. unfold Rdiv. ring.
  - rewrite <- (sign_div d N).
    pose proof (sqrt_odds (1 - y) ltac:(lra)) as K. replace (1 - (1 - y)) with y in K by ring.
    replace ((1 - y) * y) with (y * (1 - y)) in K by ring. rewrite <- K.
    assert (0 < sqrt (y * (1 - y))) by (apply sqrt_lt_R0; nra). pose proof (Rabs_pos_lt d N). field. lra.
Qed.

(** The limit of the preference of the better answer, for groups of two answers. *)
Theorem vy_s21_PG_limit :
  (forall n rw old o,
     policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> 0 < reward_deviation n rw old ->
     is_lim_seq (fun G => preference n rw G old o)
       ((expected_reward rw o - reward_mean n rw old) / reward_deviation n rw old)) /\
  forall r y, 0 < y < 1 -> r 1%nat < r 0%nat ->
    is_lim_seq (fun G => preference 2 (sure r) G (binary y) 0) (sqrt ((1 - y) / y)) /\
    is_lim_seq (fun G => preference 2 (sure r) G (binary y) 1) (- sqrt (y / (1 - y))).
Proof.
  split; [exact preference_limit|]. intros r y Hy Hr.
  assert (Hs : 0 < reward_deviation 2 (sure r) (binary y)).
  { rewrite reward_deviation_binary by lra. apply Rmult_lt_0_compat; [apply Rabs_pos_lt; lra|apply sqrt_lt_R0; nra]. }
  assert (S1 : sign (r 0%nat - r 1%nat) = 1) by (apply sign_eq_1; lra).
  split.
  - replace (sqrt ((1 - y) / y)) with (limit_preference 2 (sure r) (binary y) 0)
      by (rewrite vy_B1_inf_adv_a, S1 by exact Hy; ring).
    apply preference_limit; [apply binary_policy; lra|apply sure_law|lia|simpl; lra|exact Hs].
  - replace (- sqrt (y / (1 - y))) with (limit_preference 2 (sure r) (binary y) 1)
      by (rewrite vy_B1_inf_adv_b, S1 by exact Hy; ring).
    apply preference_limit; [apply binary_policy; lra|apply sure_law|lia|simpl; lra|exact Hs].
Qed.

Lemma limit_gap r y : 0 < y < 1 ->
  limit_preference 2 (sure r) (binary y) 0 - limit_preference 2 (sure r) (binary y) 1
  = / sqrt (y * (1 - y)) * sign (r 0%nat - r 1%nat).
Proof.
  intros Hy. rewrite vy_B1_inf_adv_a, vy_B1_inf_adv_b by exact Hy. rewrite <- sqrt_odds by exact Hy.
  pose proof (sqrt_odds (1 - y) ltac:(lra)) as K. replace (1 - (1 - y)) with y in K by ring.
  replace ((1 - y) * y) with (y * (1 - y)) in K by ring. rewrite <- K.
  assert (0 < sqrt (y * (1 - y))) by (apply sqrt_lt_R0; nra). field. lra.
Qed.

(** (18). *)
Theorem vy_eq18 : forall r x y, 0 <= x <= 1 -> 0 < y < 1 -> r 0%nat <> r 1%nat ->
  let rhs := (/ sqrt (y * (1 - y)) * x - sqrt (y / (1 - y))) * sign (r 0%nat - r 1%nat) in
  (reward_mean 2 (sure r) (binary x) - reward_mean 2 (sure r) (binary y)) / reward_deviation 2 (sure r) (binary y) = rhs
    /\
  expect 2 (binary x) (limit_preference 2 (sure r) (binary y)) = rhs.
Proof.
  intros r x y Hx Hy Hr rhs.
  assert (A : expect 2 (binary x) (limit_preference 2 (sure r) (binary y)) = rhs).
  { rewrite expect_binary. pose proof (limit_gap r y Hy) as G.
    replace (x * limit_preference 2 (sure r) (binary y) 0 + (1 - x) * limit_preference 2 (sure r) (binary y) 1)
      with (limit_preference 2 (sure r) (binary y) 1 + x * (limit_preference 2 (sure r) (binary y) 0
        - limit_preference 2 (sure r) (binary y) 1)) by ring.
    rewrite G, vy_B1_inf_adv_b by exact Hy. unfold rhs. ring. }
  split; [|exact A]. rewrite <- A, expect_binary. unfold limit_preference.
  rewrite !expected_reward_sure, !reward_mean_sure, !expect_binary.
  assert (0 < reward_deviation 2 (sure r) (binary y)).
  { rewrite reward_deviation_binary by lra. apply Rmult_lt_0_compat; [apply Rabs_pos_lt; lra|apply sqrt_lt_R0; nra]. }
  field. lra.
Qed.

(** The objective for large groups, up to a constant: beta (1 + y ln p + (1 - y) ln (1 - p)) less the preference that b
    loses. *)
Theorem vy_B1_inf_objective : forall r beta p y, 0 < p < 1 -> 0 < y < 1 -> exists const,
  const = beta * (1 + y * ln p + (1 - y) * ln (1 - p)) - sqrt (y / (1 - y)) * sign (r 0%nat - r 1%nat) /\
  forall x, 0 < x < 1 ->
  grpo_limit 2 (sure r) beta (binary p) (binary y) (binary x)
  = / sqrt (y * (1 - y)) * sign (r 0%nat - r 1%nat) * x
    - beta * (y * (p / x) + (1 - y) * ((1 - p) / (1 - x)) + y * ln x + (1 - y) * ln (1 - x)) + const.
Proof.
  intros r beta p y Hp Hy. eexists. split; [reflexivity|]. intros x Hx.
  assert (B : limit_preference 2 (sure r) (binary y) 1 = - sqrt (y / (1 - y)) * sign (r 0%nat - r 1%nat))
    by (apply vy_B1_inf_adv_b; exact Hy).
  replace (beta * (1 + y * ln p + (1 - y) * ln (1 - p)) - sqrt (y / (1 - y)) * sign (r 0%nat - r 1%nat))
    with (limit_preference 2 (sure r) (binary y) 1 + beta * (y * ln p + (1 - y) * ln (1 - p) + 1)) by (rewrite B; ring).
  unfold grpo_limit, objective, kl_0. rewrite !expect_binary. unfold k3. simpl.
  rewrite !ln_div by lra. rewrite <- (limit_gap r y Hy). ring.
Qed.

(** Its derivative where the old policy, held fixed, is the policy. *)
Theorem vy_B1_inf_derivative : forall r beta p x, 0 < p < 1 -> 0 < x < 1 ->
  is_derive (fun z => grpo_limit 2 (sure r) beta (binary p) (binary x) (binary z)) x
    (/ sqrt (x * (1 - x)) * sign (r 0%nat - r 1%nat) - beta * ((x - p) / (x * (1 - x)))).
Proof.
  intros r beta p x Hp Hx. rewrite <- (limit_gap r x Hx).
  pose proof (is_derive_objective_two (limit_preference 2 (sure r) (binary x)) beta p x x Hx Hp) as H.
  replace (beta * ((x - p) / (x * (1 - x)))) with
    (beta * (- (x * p / x ^ 2) + (1 - x) * (1 - p) / (1 - x) ^ 2 + x / x - (1 - x) / (1 - x))) by (field; lra).
  exact H.
Qed.

Lemma limit_preference_ext n rw pi pi' o : (forall a, (a < n)%nat -> pi a = pi' a) ->
  limit_preference n rw pi o = limit_preference n rw pi' o.
Proof.
  intros H. assert (E : forall f, outcome_expect n pi rw f = outcome_expect n pi' rw f).
  { intros f. apply Sum_ext. intros a Ha. rewrite H by exact Ha. reflexivity. }
  unfold limit_preference, reward_deviation, reward_variance, reward_mean. rewrite !E. reflexivity.
Qed.

Lemma limit_gap_policy r pi : full_support 2 pi ->
  limit_preference 2 (sure r) pi 0 - limit_preference 2 (sure r) pi 1
  = / sqrt (pi 0%nat * (1 - pi 0%nat)) * sign (r 0%nat - r 1%nat).
Proof.
  intros H. rewrite <- limit_gap by (apply full_support_2, H).
  assert (E : forall o, limit_preference 2 (sure r) pi o = limit_preference 2 (sure r) (binary (pi 0%nat)) o).
  { intros o. apply limit_preference_ext. intros a Ha. apply policy_2_binary; [apply full_support_policy, H|exact Ha]. }
  rewrite !E. reflexivity.
Qed.

Lemma sqrt_square x : 0 < x < 1 -> sqrt (x * (1 - x)) * sqrt (x * (1 - x)) = x * (1 - x).
Proof. intros H. apply sqrt_sqrt. nra. Qed.

(** Stationarity for either comparison of the rewards: the two sides differ by the slope of the objective, over
    x(1 - x). *)
Theorem vy_B1_inf_signed_condition : forall r beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi ->
  (on_policy_stationary 2 (grpo_limit 2 (sure r) beta ref) pi <->
   beta * (pi 0%nat - ref 0%nat) = sqrt (pi 0%nat * (1 - pi 0%nat)) * sign (r 0%nat - r 1%nat)) /\
  is_derive (fun z => grpo_limit 2 (sure r) beta ref pi (binary z)) (pi 0%nat)
    ((sqrt (pi 0%nat * (1 - pi 0%nat)) * sign (r 0%nat - r 1%nat) - beta * (pi 0%nat - ref 0%nat))
     / (pi 0%nat * (1 - pi 0%nat))).
Proof.
  intros r beta ref pi Hb Href Hpi. split.
  2:{ pose proof (is_derive_objective_on_policy (limit_preference 2 (sure r) pi) beta ref pi Href Hpi) as D.
    rewrite (limit_gap_policy r pi Hpi) in D. pose proof (full_support_2 pi Hpi) as Hx.
    match type of D with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d;
      [exact D|] end end.
    pose proof (sqrt_square _ Hx) as Q. assert (S : 0 < sqrt (pi 0%nat * (1 - pi 0%nat))) by (apply sqrt_lt_R0; nra).
    set (s := sqrt (pi 0%nat * (1 - pi 0%nat))) in *. rewrite <- Q.
    replace ((pi 0%nat - ref 0%nat) / (pi 0%nat * (1 - pi 0%nat))) with ((pi 0%nat - ref 0%nat) / (s * s))
      by (rewrite Q; reflexivity). field. lra. }
  unfold on_policy_stationary, grpo_limit.
  rewrite (eq11_two (limit_preference 2 (sure r) pi) beta ref pi Href Hb Hpi), (limit_gap_policy r pi Hpi).
  pose proof (full_support_2 pi Hpi) as Hx. set (x := pi 0%nat) in *.
  assert (S : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; nra). pose proof (sqrt_square x Hx) as Q.
  set (s := sqrt (x * (1 - x))) in *. rewrite <- Q.
  replace (s * s * (/ s * sign (r 0%nat - r 1%nat))) with (s * sign (r 0%nat - r 1%nat)) by (field; lra). reflexivity.
Qed.

(** Equal rewards leave the reference policy. *)
Theorem vy_s231_inf_tie : forall r beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi -> r 0%nat = r 1%nat
  ->
  (on_policy_stationary 2 (grpo_limit 2 (sure r) beta ref) pi <-> pi 0%nat = ref 0%nat).
Proof.
  intros r beta ref pi Hb Href Hpi E. rewrite (proj1 (vy_B1_inf_signed_condition r beta ref pi Hb Href Hpi)).
  rewrite E, Rminus_eq_0, sign_0, Rmult_0_r. split; intros H; [nra|rewrite H; ring].
Qed.

(** (19): stationarity where a is the more rewarding answer. *)
Theorem vy_eq19 : forall r beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi -> r 1%nat < r 0%nat ->
  (on_policy_stationary 2 (grpo_limit 2 (sure r) beta ref) pi <->
   beta * (pi 0%nat - ref 0%nat) = sqrt (pi 0%nat * (1 - pi 0%nat))).
Proof.
  intros r beta ref pi Hb Href Hpi Hr. rewrite (proj1 (vy_B1_inf_signed_condition r beta ref pi Hb Href Hpi)).
  rewrite sign_eq_1, Rmult_1_r by lra. reflexivity.
Qed.

(** The quadratic: equivalent to (19) together with pi(a) >= ref(a), and not without. *)
Theorem vy_B1_inf_equivalent_quadratic : forall beta p x, 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  (beta * (x - p) = sqrt (x * (1 - x)) <->
   p <= x /\ (1 + beta ^ 2) * x ^ 2 - (2 * beta ^ 2 * p + 1) * x + beta ^ 2 * p ^ 2 = 0).
Proof.
  intros beta p x Hb Hp Hx. pose proof (sqrt_square x Hx) as Q.
  assert (S : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; nra). set (s := sqrt (x * (1 - x))) in *.
  assert (F : (beta * (x - p) - s) * (beta * (x - p) + s)
    = (1 + beta ^ 2) * x ^ 2 - (2 * beta ^ 2 * p + 1) * x + beta ^ 2 * p ^ 2) by (ring_simplify; nra).
  split.
  - intros H. split; [nra|]. rewrite <- F, H. ring.
  - intros [H E]. rewrite E in F. apply Rmult_integral in F. destruct F as [F|F]; [lra|].
    assert (0 <= beta * (x - p)) by (apply Rmult_le_pos; lra). lra.
Qed.

Theorem vy_B1_inf_equivalent_quadratic_needed : exists beta p x, 0 < beta /\ 0 < p < 1 /\ 0 < x < 1 /\
  (1 + beta ^ 2) * x ^ 2 - (2 * beta ^ 2 * p + 1) * x + beta ^ 2 * p ^ 2 = 0 /\ beta * (x - p) <> sqrt (x * (1 - x)).
Proof.
  exists (3 / 4), (1 / 2), (1 / 10). repeat split; try lra. pose proof (sqrt_pos (1 / 10 * (1 - 1 / 10))). lra.
Qed.

(** A solution of (19) gives the better answer more than its reference probability. *)
Theorem vy_B1_inf_above_reference : forall beta p x, 0 < beta -> 0 < x < 1 ->
  beta * (x - p) = sqrt (x * (1 - x)) -> p < x.
Proof.
  intros beta p x Hb Hx H. assert (0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; nra). nra.
Qed.

(** The closed form (15). *)
Definition eq15 (beta p : R) : R :=
  (2 * beta ^ 2 * p + 1 + sqrt (1 + 4 * beta ^ 2 * p * (1 - p))) / (2 * (1 + beta ^ 2)).

Lemma eq15_root beta p : 0 < beta -> 0 < p < 1 ->
  p < eq15 beta p < 1 /\ beta ^ 2 * (eq15 beta p - p) ^ 2 = eq15 beta p * (1 - eq15 beta p).
Proof.
  intros Hb Hp. unfold eq15.
  assert (B : 0 < beta ^ 2) by nra. set (B2 := beta ^ 2) in *.
  assert (HD : 0 < 1 + 4 * B2 * p * (1 - p)).
  { assert (0 < B2 * p * (1 - p)) by (repeat apply Rmult_lt_0_compat; lra). lra. }
  pose proof (sqrt_lt_R0 _ HD) as Hs. pose proof (sqrt_sqrt _ (Rlt_le _ _ HD)) as Q.
  set (s := sqrt (1 + 4 * B2 * p * (1 - p))) in *.
  assert (L : s < 1 + 2 * B2 * (1 - p)).
  { apply Rnot_le_lt. intros K.
    assert ((1 + 2 * B2 * (1 - p)) * (1 + 2 * B2 * (1 - p)) <= s * s) by (apply Rmult_le_compat; nra).
    assert (0 < B2 * (1 - p) * (1 - p)) by (repeat apply Rmult_lt_0_compat; lra).
    assert (0 < B2 * B2 * (1 - p) * (1 - p)) by (repeat apply Rmult_lt_0_compat; lra). nra. }
  assert (L' : 2 * p - 1 < s).
  { apply Rnot_le_lt. intros K. assert (s * s <= (2 * p - 1) * (2 * p - 1)) by (apply Rmult_le_compat; lra).
    assert (0 < B2 * p * (1 - p)) by (repeat apply Rmult_lt_0_compat; lra). nra. }
  set (x := (2 * B2 * p + 1 + s) / (2 * (1 + B2))).
  assert (X : 2 * (1 + B2) * x = 2 * B2 * p + 1 + s) by (unfold x; field; lra).
  assert (E : s = 2 * (1 + B2) * x - 2 * B2 * p - 1) by lra. rewrite E in Q.
  split; [split; nra|].
  assert (Z : 4 * (1 + B2) * (B2 * (x - p) ^ 2 - x * (1 - x)) = 0).
  { replace (4 * (1 + B2) * (B2 * (x - p) ^ 2 - x * (1 - x)))
      with ((2 * (1 + B2) * x - 2 * B2 * p - 1) * (2 * (1 + B2) * x - 2 * B2 * p - 1) - (1 + 4 * B2 * p * (1 - p)))
        by ring.
    lra. }
  apply Rmult_integral in Z. destruct Z; lra.
Qed.

(** pi(a) >= ref(a) selects one root of the quadratic, namely (15). *)
Theorem vy_B1_inf_root_selection : forall beta p x, 0 < beta -> 0 < p < 1 ->
  (p <= x /\ (1 + beta ^ 2) * x ^ 2 - (2 * beta ^ 2 * p + 1) * x + beta ^ 2 * p ^ 2 = 0 <-> x = eq15 beta p).
Proof.
  intros beta p x Hb Hp. destruct (eq15_root beta p Hb Hp) as [H1 H2]. set (X := eq15 beta p) in *.
  assert (B : 0 < beta ^ 2) by nra. set (B2 := beta ^ 2) in *. split.
  - intros [H E].
    assert (F : (x - X) * ((1 + B2) * (x + X) - (2 * B2 * p + 1)) = 0) by nra.
    apply Rmult_integral in F. destruct F as [F|F]; [lra|]. exfalso.
    (* the two roots have the values -p(1-p) at p between them: (x - p)(X - p)(1 + B2) = p^2 - p *)
    assert (G : (1 + B2) * ((x - p) * (X - p)) = p ^ 2 - p) by nra.
    assert (0 <= (x - p) * (X - p)) by (apply Rmult_le_pos; lra). nra.
  - intros ->. split; [lra|]. nra.
Qed.

(** (15): for deterministic rewards r(a) > r(b) and large groups there is exactly one stationary policy that uses both
    answers, the one with pi(a) = (15), which is the root above the reference of the quadratic of Appendix B. *)
Theorem vy_eq15 : forall r beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi -> r 1%nat < r 0%nat ->
  (on_policy_stationary 2 (grpo_limit 2 (sure r) beta ref) pi <->
   pi 0%nat = (2 * beta ^ 2 * ref 0%nat + 1 + sqrt (1 + 4 * beta ^ 2 * ref 0%nat * (1 - ref 0%nat)))
              / (2 * (1 + beta ^ 2))) /\
  (on_policy_stationary 2 (grpo_limit 2 (sure r) beta ref) pi <->
   ref 0%nat <= pi 0%nat /\
   (1 + beta ^ 2) * pi 0%nat ^ 2 - (2 * beta ^ 2 * ref 0%nat + 1) * pi 0%nat + beta ^ 2 * ref 0%nat ^ 2 = 0).
Proof.
  intros r beta ref pi Hb Href Hpi Hr. fold (eq15 beta (ref 0%nat)).
  pose proof (full_support_2 ref Href) as Hp. pose proof (full_support_2 pi Hpi) as Hx.
  rewrite (vy_eq19 r beta ref pi Hb Href Hpi Hr), vy_B1_inf_equivalent_quadratic by assumption.
  split; [apply vy_B1_inf_root_selection; assumption | reflexivity].
Qed.

(** It exists: (15) is a probability, above the reference. *)
Theorem vy_eq15_exists : forall r beta p, 0 < beta -> 0 < p < 1 -> r 1%nat < r 0%nat ->
  p < eq15 beta p < 1 /\ on_policy_stationary 2 (grpo_limit 2 (sure r) beta (binary p)) (binary (eq15 beta p)).
Proof.
  intros r beta p Hb Hp Hr. destruct (eq15_root beta p Hb Hp) as [H1 _]. split; [exact H1|].
  apply (proj1 (vy_eq15 r beta (binary p) (binary (eq15 beta p)) Hb (binary_full p Hp) (binary_full (eq15 beta p)
    ltac:(lra)) Hr)).
  reflexivity.
Qed.

(** The bounds after (15), strict inside. *)
Theorem vy_eq15_lower_bound : forall beta p, 0 < beta -> 0 < p < 1 ->
  Rmax (/ (1 + beta ^ 2)) p < eq15 beta p /\ eq15 beta p < 1.
Proof.
  intros beta p Hb Hp. destruct (eq15_root beta p Hb Hp) as [H1 H2]. split; [|lra].
  apply Rmax_lub_lt; [|lra]. set (x := eq15 beta p) in *.
  assert (B : 0 < beta ^ 2) by nra. set (B2 := beta ^ 2) in *.
  apply Rmult_lt_reg_l with (1 + B2); [lra|]. rewrite Rinv_r by lra.
  (* B2 (x - p)^2 = x (1 - x) < B2 x^2 *)
  assert (B2 * (x - p) ^ 2 < B2 * x ^ 2) by (apply Rmult_lt_compat_l; nra). nra.
Qed.

(** Large groups favour the better answer more than groups of two, for every margin up to 1. *)
Theorem vy_s231_more_biased : forall beta gamma p, 0 < beta -> 0 < gamma <= 1 -> 0 < p < 1 ->
  eq14 (beta / gamma) p < eq15 beta p.
Proof.
  intros beta gamma p Hb Hg Hp. assert (H : 0 < beta / gamma) by (apply Rdiv_lt_0_compat; lra).
  destruct (eq14_root (beta / gamma) p H Hp) as (H1 & H2 & H3).
  destruct (eq15_root beta p Hb Hp) as [K1 K2].
  set (z := eq14 (beta / gamma) p) in *. set (x := eq15 beta p) in *.
  assert (E : beta * (z - p) = gamma * (z * (1 - z))).
  { rewrite <- H3. field. lra. }
  apply Rnot_le_lt. intros L.
  (* beta^2 (z - p)^2 = gamma^2 z^2 (1 - z)^2 < z (1 - z), while from x on beta^2 (z - p)^2 >= z (1 - z) *)
  assert (V : 0 < z * (1 - z)) by (apply Rmult_lt_0_compat; lra).
  assert (V4 : z * (1 - z) <= 1 / 4) by (pose proof (pow2_ge_0 (2 * z - 1)); nra).
  assert (A : beta ^ 2 * (z - p) ^ 2 < z * (1 - z)).
  { replace (beta ^ 2 * (z - p) ^ 2) with ((beta * (z - p)) ^ 2) by ring. rewrite E.
    assert (0 < gamma * (z * (1 - z)) <= z * (1 - z)) by (split; [apply Rmult_lt_0_compat; lra|nra]). nra. }
  (* (z - p)^2 x (1 - x) - (x - p)^2 z (1 - z) has the sign of z - x *)
  assert (B : 0 < beta ^ 2) by nra.
  assert (C : (x - p) ^ 2 * (z * (1 - z)) <= (z - p) ^ 2 * (x * (1 - x))).
  { assert (D1 : (x - p) * (1 - z) <= (z - p) * (1 - x)).
    { assert (0 <= (1 - p) * (z - x)) by (apply Rmult_le_pos; lra). lra. }
    assert (D2 : (x - p) * z <= (z - p) * x).
    { assert (0 <= p * (z - x)) by (apply Rmult_le_pos; lra). lra. }
    replace ((x - p) ^ 2 * (z * (1 - z))) with (((x - p) * z) * ((x - p) * (1 - z))) by ring.
    replace ((z - p) ^ 2 * (x * (1 - x))) with (((z - p) * x) * ((z - p) * (1 - x))) by ring.
    apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra. }
  assert (W : (x - p) ^ 2 * (beta ^ 2 * (z - p) ^ 2) < (x - p) ^ 2 * (z * (1 - z))).
  { apply Rmult_lt_compat_l; [|exact A]. assert (0 < x - p) by lra. nra. }
  replace ((x - p) ^ 2 * (beta ^ 2 * (z - p) ^ 2)) with ((z - p) ^ 2 * (beta ^ 2 * (x - p) ^ 2)) in W by ring.
  rewrite K2 in W. lra.
Qed.

(** The bound for large groups exceeds that for groups of two. *)
Lemma limit_bound_exceeds beta : 0 < beta -> 1 - beta < / (1 + beta ^ 2).
Proof.
  intros Hb. assert (0 < 1 + beta ^ 2) by nra.
  apply Rmult_lt_reg_l with (1 + beta ^ 2); [assumption|]. rewrite Rinv_r by lra. nra.
Qed.

Theorem vy_s231_bounds_compare : forall beta, 0 < beta ->
  1 - beta < / (1 + beta ^ 2) /\
  forall gamma p, 0 < gamma <= 1 -> 0 < p < 1 -> Rmax (1 - beta / gamma) p <= Rmax (/ (1 + beta ^ 2)) p.
Proof.
  intros beta Hb. pose proof (limit_bound_exceeds beta Hb) as L. split; [exact L|]. intros gamma p Hg Hp.
  apply Rle_max_compat_r. assert (beta <= beta / gamma); [|lra].
  apply Rmult_le_reg_r with gamma; [lra|]. replace (beta / gamma * gamma) with beta by (field; lra).
  rewrite <- (Rmult_1_r beta) at 2. apply Rmult_le_compat_l; lra.
Qed.

Lemma eq15_continuous beta q : 0 < beta -> continuous (eq15 beta) q.
Proof.
  intros Hb. unfold eq15, Rdiv. apply (continuous_mult (K := R_AbsRing)); [|apply continuous_const].
  apply (continuous_plus (V := R_NormedModule) (fun p => 2 * beta ^ 2 * p + 1)).
  - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive; exact I.
  - apply (continuous_comp (fun p => 1 + 4 * beta ^ 2 * p * (1 - p)) sqrt).
    + apply (ex_derive_continuous (V := R_NormedModule)). auto_derive; exact I.
    + apply continuous_sqrt.
Qed.

(** (15) jumps at ref(a) = 0 for every beta: the limit from the right is 1/(1 + beta^2), and the support forces 0; it is
    continuous elsewhere on (0, 1]. *)
Theorem vy_s231_inf_discontinuity : forall beta, 0 < beta ->
  filterlim (eq15 beta) (at_right 0) (locally (/ (1 + beta ^ 2))) /\ / (1 + beta ^ 2) <> 0 /\
  (forall q, 0 < q <= 1 -> continuous (eq15 beta) q).
Proof.
  intros beta Hb. assert (B : 0 < 1 + beta ^ 2) by nra.
  pose proof (fun q => eq15_continuous beta q Hb) as C.
  split; [|split].
  - replace (/ (1 + beta ^ 2)) with (eq15 beta 0).
    + intros P HP. specialize (C 0 P HP). unfold at_right, within, filtermap in *.
      eapply filter_imp; [|exact C]. intros. assumption.
    + unfold eq15. replace (1 + 4 * beta ^ 2 * 0 * (1 - 0)) with 1 by ring. rewrite sqrt_1. field. lra.
  - apply Rinv_neq_0_compat. lra.
  - intros q _. apply C.
Qed.

(** (15) decreases in beta and increases in the reference. *)
Lemma eq15_order beta beta' p p' : 0 < beta -> 0 < beta' -> 0 < p < 1 -> 0 < p' < 1 ->
  beta' * (eq15 beta p - p') < beta * (eq15 beta p - p) -> eq15 beta p < eq15 beta' p'.
Proof.
  intros Hb Hb' Hp Hp' H. destruct (eq15_root beta p Hb Hp) as [H1 H2].
  destruct (eq15_root beta' p' Hb' Hp') as [K1 K2].
  set (x := eq15 beta p) in *. set (y := eq15 beta' p') in *. apply Rnot_le_lt. intros L.
  assert (X : beta * (x - p) = sqrt (x * (1 - x))).
  { symmetry. rewrite <- H2. replace (beta ^ 2 * (x - p) ^ 2) with ((beta * (x - p)) ^ 2) by ring. apply sqrt_pow2.
    apply Rmult_le_pos; lra. }
  assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  (* beta'^2 (x - p')^2 < x (1 - x) although x >= y *)
  assert (A : beta' ^ 2 * (x - p') ^ 2 < x * (1 - x)).
  { rewrite <- H2. replace (beta' ^ 2 * (x - p') ^ 2) with ((beta' * (x - p')) ^ 2) by ring.
    replace (beta ^ 2 * (x - p) ^ 2) with ((beta * (x - p)) ^ 2) by ring.
    assert (0 < beta' * (x - p')) by (apply Rmult_lt_0_compat; lra). nra. }
  assert (D1 : (y - p') * (1 - x) <= (x - p') * (1 - y)).
  { assert (0 <= (1 - p') * (x - y)) by (apply Rmult_le_pos; lra). lra. }
  assert (D2 : (y - p') * x <= (x - p') * y).
  { assert (0 <= p' * (x - y)) by (apply Rmult_le_pos; lra). lra. }
  assert (C : (y - p') ^ 2 * (x * (1 - x)) <= (x - p') ^ 2 * (y * (1 - y))).
  { replace ((y - p') ^ 2 * (x * (1 - x))) with (((y - p') * x) * ((y - p') * (1 - x))) by ring.
    replace ((x - p') ^ 2 * (y * (1 - y))) with (((x - p') * y) * ((x - p') * (1 - y))) by ring.
    apply Rmult_le_compat; try assumption; apply Rmult_le_pos; lra. }
  assert (W : (y - p') ^ 2 * (beta' ^ 2 * (x - p') ^ 2) < (y - p') ^ 2 * (x * (1 - x))).
  { apply Rmult_lt_compat_l; [|exact A]. assert (0 < y - p') by lra. nra. }
  replace ((y - p') ^ 2 * (beta' ^ 2 * (x - p') ^ 2)) with ((x - p') ^ 2 * (beta' ^ 2 * (y - p') ^ 2)) in W by ring.
  rewrite K2 in W. lra.
Qed.

(** The curves of Figure 2: above the diagonal, increasing and concave in the reference, decreasing in beta, from
    1/(1 + beta^2) to 1. *)
Theorem vy_fig2 : forall beta p, 0 < beta -> 0 < p < 1 ->
  p < eq15 beta p /\
  (forall p', p < p' < 1 -> eq15 beta p < eq15 beta p') /\
  (forall beta', 0 < beta' < beta -> eq15 beta p < eq15 beta' p) /\
  (forall q t, 0 <= q <= 1 -> q <> p -> 0 < t < 1 ->
     t * eq15 beta p + (1 - t) * eq15 beta q < eq15 beta (t * p + (1 - t) * q)) /\
  eq15 beta 0 = / (1 + beta ^ 2) /\ eq15 beta 1 = 1.
Proof.
  intros beta p Hb Hp. destruct (eq15_root beta p Hb Hp) as [H1 _]. assert (B : 0 < 1 + beta ^ 2) by nra.
  split; [lra|]. split; [|split; [|split; [|split]]].
  - intros p' Hp'. apply eq15_order; try lra. apply Rmult_lt_compat_l; lra.
  - intros beta' Hb'. apply eq15_order; try lra. apply Rmult_lt_compat_r; lra.
  - intros q t Hq Hne Ht. unfold eq15.
    set (D := fun z => 1 + 4 * beta ^ 2 * z * (1 - z)).
    change (t * ((2 * beta ^ 2 * p + 1 + sqrt (D p)) / (2 * (1 + beta ^ 2)))
      + (1 - t) * ((2 * beta ^ 2 * q + 1 + sqrt (D q)) / (2 * (1 + beta ^ 2)))
      < (2 * beta ^ 2 * (t * p + (1 - t) * q) + 1 + sqrt (D (t * p + (1 - t) * q))) / (2 * (1 + beta ^ 2))).
    assert (B2 : 0 <= beta ^ 2) by nra.
    assert (D0 : forall z, 0 <= z <= 1 -> 0 <= D z).
    { intros z Hz. unfold D. assert (0 <= beta ^ 2 * z * (1 - z)) by (repeat apply Rmult_le_pos; lra). lra. }
    pose proof (sqrt_pos (D p)) as P0. pose proof (sqrt_pos (D q)) as Q0.
    pose proof (sqrt_sqrt _ (D0 p ltac:(lra))) as P2. pose proof (sqrt_sqrt _ (D0 q Hq)) as Q2.
    set (u := sqrt (D p)) in *. set (v := sqrt (D q)) in *.
    assert (K : t * u + (1 - t) * v < sqrt (D (t * p + (1 - t) * q))).
    { rewrite <- (sqrt_pow2 (t * u + (1 - t) * v)).
      2:{ apply Rplus_le_le_0_compat; apply Rmult_le_pos; lra. }
      apply sqrt_lt_1_alt. split; [apply pow2_ge_0|]. apply Rle_lt_trans with (t * D p + (1 - t) * D q).
      - rewrite <- P2, <- Q2. assert (0 <= t * (1 - t) * (u - v) ^ 2).
        { apply Rmult_le_pos; [apply Rmult_le_pos; lra|apply pow2_ge_0]. }
        nra.
      - assert (0 < t * (1 - t) * (4 * beta ^ 2 * (p - q) ^ 2)).
        { assert (0 < (p - q) ^ 2) by (apply pow2_gt_0; lra). assert (0 < beta ^ 2) by nra.
          apply Rmult_lt_0_compat; apply Rmult_lt_0_compat; lra. }
        unfold D. nra. }
    apply Rmult_lt_reg_r with (2 * (1 + beta ^ 2)); [lra|]. field_simplify; [|lra|lra].
    replace (beta * (beta * 1)) with (beta ^ 2) by ring. nra.
  - unfold eq15. replace (1 + 4 * beta ^ 2 * 0 * (1 - 0)) with 1 by ring. rewrite sqrt_1. field. lra.
  - unfold eq15. replace (1 + 4 * beta ^ 2 * 1 * (1 - 1)) with 1 by ring. rewrite sqrt_1. field. nra.
Qed.

(** * Section 3: extensions *)

(** ** Shift-only normalisation *)

Lemma preference_shift n rw G old o : (1 <= G)%nat -> policy n old -> are_laws n rw -> (o < n)%nat ->
  preference_of shift_advantage n rw G old o
  = (1 - / INR G) * (expected_reward rw o - reward_mean n rw old).
Proof.
  intros HG Hold Hrw Ho. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  pose proof (draws_expectation _ HE (G - 1)) as HN. pose proof (law_expectation _ (Hrw o Ho)) as HL.
  unfold preference_of.
  rewrite (E_ext _ HL _ (fun x => (1 - / INR G) * x + - ((1 - / INR G) * reward_mean n rw old))).
  - rewrite (E_plus _ HL), (E_scal _ HL), (E_const _ HL). unfold expected_reward. ring.
  - intros x. rewrite (draws_ext _ HE _ _ (fun s => (1 - / INR G) * x + - / INR G * list_sum (map snd s))).
    + rewrite (E_plus _ HN), (E_const _ HN), (E_scal _ HN), (draws_sum _ HE).
      rewrite minus_INR by lia. change (INR 1) with 1.
      change (outcome_expect n old rw snd) with (reward_mean n rw old). field. lra.
    + intros s Hs. unfold shift_advantage, mean. cbn [list_sum length]. rewrite map_length, Hs.
      replace (S (G - 1)) with G by lia. field. lra.
Qed.

(** The reward preference with shift-only normalisation, for any rewards, n and G, from its definition. *)
Theorem vy_s3_shift_only : forall n rw G pi old,
  (2 <= G)%nat -> policy n pi -> policy n old -> are_laws n rw ->
  expect n pi (preference_of shift_advantage n rw G old)
    = (1 - / INR G) * (reward_mean n rw pi - reward_mean n rw old) /\
  ((forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
   surrogate_of shift_advantage n rw G pi old
    = (1 - / INR G) * (reward_mean n rw pi - reward_mean n rw old)).
Proof.
  intros n rw G pi old HG Hpi Hold Hrw.
  assert (K : expect n pi (preference_of shift_advantage n rw G old)
    = (1 - / INR G) * (reward_mean n rw pi - reward_mean n rw old)).
  { rewrite (expect_ext n pi _
      (fun o => (1 - / INR G) * expected_reward rw o + - ((1 - / INR G) * reward_mean n rw old))).
    - rewrite expect_affine by exact Hpi. change (expect n pi (expected_reward rw)) with (reward_mean n rw pi). ring.
    - intros o Ho. rewrite preference_shift by (assumption || lia). ring. }
  split; [exact K|]. intros S. rewrite (eq6_general _ n rw G pi old shift_advantage_perm) by (assumption || lia).
  exact K.
Qed.

(** ** Gibbs' inequality and the pool ref e^(P/beta)/Z *)

Lemma gibbs n p q : policy n p -> full_support n q ->
  0 <= kl n p q /\ (kl n p q = 0 -> forall o, (o < n)%nat -> p o = q o).
Proof.
  intros Hp Hq.
  set (t := fun o => p o * ln (p o / q o) - (p o - q o)).
  assert (T : forall o, (o < n)%nat -> 0 <= t o /\ (t o = 0 -> p o = q o)).
  { intros o Ho. unfold t. pose proof (proj1 Hp o Ho) as P. pose proof (proj1 Hq o Ho) as Q.
    destruct (Req_dec (p o) 0) as [Z|N].
    - rewrite Z. split; [lra|intros; lra].
    - assert (P' : 0 < p o) by lra. assert (U : 0 < q o / p o) by (apply Rdiv_lt_0_compat; lra).
      replace (p o / q o) with (/ (q o / p o)) by (field; lra). rewrite ln_Rinv by exact U.
      assert (E : p o - q o = p o * (1 - q o / p o)) by (field; lra). rewrite E.
      replace (p o * - ln (q o / p o) - p o * (1 - q o / p o)) with (p o * (q o / p o - 1 - ln (q o / p o))) by ring.
      split.
      + apply Rmult_le_pos; [lra|]. pose proof (ln_below_le _ U). lra.
      + intros Z. apply Rmult_integral in Z. destruct Z as [Z|Z]; [lra|].
        destruct (Req_dec (q o / p o) 1) as [E1|N1]; [|pose proof (ln_below _ U N1); lra].
        apply (f_equal (fun z => z * p o)) in E1. unfold Rdiv in E1. rewrite Rmult_assoc, Rinv_l in E1 by lra. lra. }
  assert (K : kl n p q = Sum n t).
  { unfold t. rewrite Sum_minus, Sum_minus, (proj2 Hp), (proj2 Hq). unfold kl, expect. ring. }
  rewrite K. split; [apply Sum_nonneg; intros; apply T; assumption|].
  intros Z o Ho. apply (T o Ho). apply (Sum_eq_0 n t); [intros; apply T; assumption|exact Z|exact Ho].
Qed.

(** The pool of the reference and of preferences P. *)
Definition pool_mass (n : nat) (P : nat -> R) (beta : R) (ref : nat -> R) : R :=
  Sum n (fun o => ref o * exp (P o / beta)).
Definition pool (n : nat) (P : nat -> R) (beta : R) (ref : nat -> R) (o : nat) : R :=
  / pool_mass n P beta ref * exp (P o / beta) * ref o.

Lemma full_support_nonempty n pi : full_support n pi -> (0 < n)%nat.
Proof. intros [_ H]. destruct n; [simpl in H; lra|lia]. Qed.

Lemma pool_mass_pos n P beta ref : full_support n ref -> 0 < pool_mass n P beta ref.
Proof.
  intros H. apply (Sum_pos n _ 0).
  - intros o Ho. apply Rlt_le, Rmult_lt_0_compat; [apply H, Ho|apply exp_pos].
  - apply full_support_nonempty with ref, H.
  - apply Rmult_lt_0_compat; [apply H, (full_support_nonempty n ref H)|apply exp_pos].
Qed.

Lemma pool_full n P beta ref : full_support n ref -> full_support n (pool n P beta ref).
Proof.
  intros H. pose proof (pool_mass_pos n P beta ref H) as Z. split.
  - intros o Ho. unfold pool. repeat apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat, Z|apply exp_pos|apply H, Ho].
  - unfold pool. rewrite (Sum_ext n _ (fun o => / pool_mass n P beta ref * (ref o * exp (P o / beta))))
      by (intros; ring).
    rewrite Sum_scal. apply Rinv_l. unfold pool_mass in *. lra.
Qed.

Lemma direct_objective_pool n P beta ref pi : full_support n ref -> beta <> 0 -> policy n pi ->
  direct_objective n P beta ref pi = beta * ln (pool_mass n P beta ref) - beta * kl n pi (pool n P beta ref).
Proof.
  intros Href Hb Hpi. pose proof (pool_mass_pos n P beta ref Href) as Z.
  unfold direct_objective. set (c := ln (pool_mass n P beta ref)).
  assert (K : kl n pi (pool n P beta ref) = kl n pi ref - / beta * expect n pi P + c).
  { replace c with (c * Sum n pi) by (rewrite (proj2 Hpi); ring).
    unfold kl, expect. rewrite <- !Sum_scal, <- Sum_minus, <- Sum_plus. apply Sum_ext. intros o Ho.
    pose proof (proj1 Href o Ho) as R. destruct (Req_dec (pi o) 0) as [E|N]; [rewrite E; ring|].
    assert (0 < pi o) by (pose proof (proj1 Hpi o Ho); lra).
    assert (E : pi o / pool n P beta ref o = (pi o / ref o) * (pool_mass n P beta ref * / exp (P o / beta))).
    { unfold pool. field. pose proof (exp_pos (P o / beta)). lra. }
    rewrite E, ln_mult, ln_mult, ln_Rinv, ln_exp; [unfold c; field; exact Hb|apply exp_pos|exact Z
      |apply Rinv_0_lt_compat, exp_pos|apply Rdiv_lt_0_compat; assumption
      |apply Rmult_lt_0_compat; [exact Z|apply Rinv_0_lt_compat, exp_pos]]. }
  rewrite K. field. exact Hb.
Qed.

(** With the direct KL the pool is the one maximum of the objective, for preferences frozen with the old policy... *)
Theorem vy_s3_dkl_aggregation : forall n P beta ref pi, full_support n ref -> 0 < beta -> policy n pi ->
  (maximum n (direct_objective n P beta ref) pi <-> forall o, (o < n)%nat -> pi o = pool n P beta ref o).
Proof.
  intros n P beta ref pi Href Hb Hpi.
  pose proof (pool_full n P beta ref Href) as HF. pose proof (full_support_policy _ _ HF) as HP.
  assert (Self : kl n (pool n P beta ref) (pool n P beta ref) = 0).
  { unfold kl. rewrite <- (Sum_zero n (fun _ => 0)) by reflexivity. apply Sum_ext. intros o Ho.
    replace (pool n P beta ref o / pool n P beta ref o) with 1; [rewrite ln_1; ring|].
    field. pose proof (proj1 HF o Ho). lra. }
  split.
  - intros [_ M]. specialize (M _ HP). rewrite !direct_objective_pool, Self in M by (assumption || lra).
    destruct (gibbs n pi (pool n P beta ref) Hpi HF) as [G0 G1]. apply G1. nra.
  - intros E. split; [exact Hpi|]. intros pi' Hpi'. rewrite !direct_objective_pool by (assumption || lra).
    replace (kl n pi (pool n P beta ref)) with 0.
    + destruct (gibbs n pi' (pool n P beta ref) Hpi' HF) as [G0 _]. nra.
    + rewrite <- Self. unfold kl, expect. apply Sum_ext. intros o Ho. rewrite (E o Ho). reflexivity.
Qed.

(** (4): the optimum of RLHF. *)
Theorem vy_s11_rlhf_optimum : forall n r beta ref pi, full_support n ref -> 0 < beta -> policy n pi ->
  (maximum n (rlhf n r beta ref) pi <->
   forall o, (o < n)%nat -> pi o = / Sum n (fun a => ref a * exp (r a / beta)) * exp (r o / beta) * ref o).
Proof. intros n r beta ref pi Href Hb Hpi. apply (vy_s3_dkl_aggregation n r beta ref pi Href Hb Hpi). Qed.

(** The importance-weighted estimator has the expectation KL(pi || ref). *)
Theorem vy_s3_dkl_estimator : forall n pi ref old, full_support n pi -> full_support n ref -> full_support n old ->
  expect n old (fun o => pi o / old o * k3 (pi o) (ref o)) = kl n pi ref.
Proof.
  intros n pi ref old Hpi Href Hold.
  destruct (vy_s22_KL0_unbiased n pi ref (full_support_policy _ _ Hpi) Href) as [_ K]. rewrite <- (K Hpi).
  unfold kl_0, expect. apply Sum_ext. intros o Ho. field. pose proof (proj1 Hold o Ho). lra.
Qed.

(** Both extensions together: RLHF with beta G/(G - 1) in the place of beta, up to the factor 1 - 1/G and a constant of
    the old policy; the one maximum is ref e^(r/beta')/Z with beta' = beta G/(G - 1) > beta, whatever the old policy. *)
Theorem vy_s3_combined_rlhf :
  (forall beta, beta * INR 2 / (INR 2 - 1) = 2 * beta /\ is_lim_seq (fun G => beta * INR G / (INR G - 1)) beta) /\
  forall n rw G beta ref old,
  (2 <= G)%nat -> are_laws n rw -> 0 < beta -> full_support n ref -> policy n old ->
  let beta' := beta * INR G / (INR G - 1) in
  beta < beta' /\
  (forall pi, policy n pi ->
    direct_objective n (preference_of shift_advantage n rw G old) beta ref pi
    = (1 - / INR G) * rlhf n (expected_reward rw) beta' ref pi - (1 - / INR G) * reward_mean n rw old) /\
  (forall pi, policy n pi ->
    (maximum n (direct_objective n (preference_of shift_advantage n rw G old) beta ref) pi <->
     forall o, (o < n)%nat -> pi o
       = / Sum n (fun a => ref a * exp (expected_reward rw a / beta')) * exp (expected_reward rw o / beta') * ref o)).
Proof.
  split.
  { intros beta. split; [simpl; field|]. apply is_lim_seq_incr_1.
    apply (is_lim_seq_ext_loc (fun m => beta + beta / INR m)).
    - exists 1%nat. intros m Hm. rewrite S_INR. assert (1 <= INR m) by (change 1 with (INR 1); apply le_INR, Hm). field.
      lra.
    - replace (Finite beta) with (Finite (beta + 0)) by (f_equal; ring).
      apply is_lim_seq_plus'; [apply is_lim_seq_const | apply over_size_vanishes]. }
  intros n rw G beta ref old HG Hrw Hb Href Hold beta'.
  assert (L : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (B : beta < beta').
  { unfold beta'. apply Rmult_lt_reg_r with (INR G - 1); [lra|].
    replace (beta * INR G / (INR G - 1) * (INR G - 1)) with (beta * INR G) by (field; lra). nra. }
  assert (K : forall pi, policy n pi ->
    direct_objective n (preference_of shift_advantage n rw G old) beta ref pi
    = (1 - / INR G) * rlhf n (expected_reward rw) beta' ref pi - (1 - / INR G) * reward_mean n rw old).
  { intros pi Hpi. unfold direct_objective, rlhf.
    rewrite (proj1 (vy_s3_shift_only n rw G pi old HG Hpi Hold Hrw)).
    change (expect n pi (expected_reward rw)) with (reward_mean n rw pi). unfold beta'. field. lra. }
  split; [exact B|]. split; [exact K|]. intros pi Hpi.
  rewrite <- (vy_s11_rlhf_optimum n (expected_reward rw) beta' ref pi Href ltac:(lra) Hpi).
  assert (F : 0 < 1 - / INR G).
  { assert (/ INR G < 1); [|lra]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
  split; intros [_ M]; (split; [exact Hpi|]); intros pi' Hpi'; specialize (M pi' Hpi').
  - rewrite !K in M by assumption. apply (Rmult_le_reg_l (1 - / INR G)); lra.
  - rewrite !K by assumption. apply Rplus_le_compat_r, Rmult_le_compat_l; lra.
Qed.

(** ** Direct KL, two answers, groups of two *)

(** e^(gamma/(2 beta)) ref(a)/Z. *)
Theorem vy_s3_dkl_binary : forall rw beta p old, are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> policy 2 old ->
  let gamma := margin rw 0 1 in
  let Z := exp (gamma / (2 * beta)) * p + exp (- gamma / (2 * beta)) * (1 - p) in
  (0 < gamma -> p < / Z * exp (gamma / (2 * beta)) * p < 1) /\
  forall pi, policy 2 pi ->
    (maximum 2 (direct_objective 2 (preference 2 rw 2 old) beta (binary p)) pi <->
     pi 0%nat = / Z * exp (gamma / (2 * beta)) * p).
Proof.
  intros rw beta p old Hrw Hb Hp Hold gamma Z. split.
  { intros Hg. unfold Z. replace (- gamma / (2 * beta)) with (- (gamma / (2 * beta))) by (unfold Rdiv; ring).
    rewrite exp_Ropp. assert (U : 1 < exp (gamma / (2 * beta))).
    { rewrite <- exp_0. apply exp_increasing, Rdiv_lt_0_compat; lra. }
    set (u := exp (gamma / (2 * beta))) in *.
    assert (V : 0 < / u < 1) by
      (split; [apply Rinv_0_lt_compat; lra | rewrite <- Rinv_1; apply Rinv_lt_contravar; lra]).
    set (v := / u) in *. assert (A : 0 < v * (1 - p)) by (apply Rmult_lt_0_compat; lra).
    assert (B : 0 < u * p) by (apply Rmult_lt_0_compat; lra).
    assert (C : v * (1 - p) < u * (1 - p)) by (apply Rmult_lt_compat_r; lra).
    set (D := u * p + v * (1 - p)) in *. assert (0 < D < u) by (unfold D; lra).
    replace (/ D * u * p) with (u * p / D) by (unfold Rdiv; ring).
    split; apply (Rmult_lt_reg_r D); try lra; unfold Rdiv; rewrite Rmult_assoc, Rinv_l by lra; [nra | unfold D; lra]. }
  intros pi Hpi.
  rewrite (vy_s3_dkl_aggregation 2 (preference 2 rw 2 old) beta (binary p) pi (binary_full p Hp) Hb Hpi).
  pose proof (preference_gap_two rw old Hold) as G. fold gamma in G.
  set (P := preference 2 rw 2 old) in *.
  set (u := exp (gamma / (2 * beta))). set (m := exp ((P 0%nat + P 1%nat) / (2 * beta))).
  assert (U : 0 < u) by apply exp_pos. assert (M : 0 < m) by apply exp_pos.
  assert (E0 : exp (P 0%nat / beta) = m * u).
  { unfold m, u. rewrite <- exp_plus, <- G. f_equal. field. lra. }
  assert (E1 : exp (P 1%nat / beta) = m * / u).
  { unfold m, u. rewrite <- exp_Ropp, <- exp_plus, <- G. f_equal. field. lra. }
  assert (EZ : Z = u * p + / u * (1 - p)).
  { unfold Z, u. replace (- gamma / (2 * beta)) with (- (gamma / (2 * beta))) by (unfold Rdiv; ring).
    rewrite exp_Ropp. reflexivity. }
  assert (EM : pool_mass 2 P beta (binary p) = m * Z).
  { unfold pool_mass. rewrite Sum_2. simpl. rewrite E0, E1, EZ. ring. }
  assert (ZP : 0 < Z).
  { rewrite EZ. pose proof (Rinv_0_lt_compat u U). assert (0 < u * p) by nra. assert (0 < / u * (1 - p)) by nra. lra. }
  assert (Q0 : pool 2 P beta (binary p) 0 = / Z * u * p).
  { unfold pool. rewrite EM, E0. simpl. field. lra. }
  assert (Q1 : pool 2 P beta (binary p) 1 = 1 - / Z * u * p).
  { unfold pool. rewrite EM, E1. simpl. apply (Rmult_eq_reg_l Z); [|lra].
    replace (Z * (1 - / Z * u * p)) with (Z - u * p) by (field; lra).
    transitivity (/ u * (1 - p)); [field; lra|rewrite EZ; ring]. }
  split; intros H.
  - rewrite <- Q0. apply H. lia.
  - intros [|[|o]] Ho; [rewrite Q0; exact H| |lia].
    rewrite Q1, <- H. destruct Hpi as [_ S]. simpl in S. lra.
Qed.

(** ** Direct KL, two answers, large groups: how many policies are stationary *)

Definition h (beta p x : R) : R := / beta * / sqrt (x * (1 - x)) - ln (x / (1 - x)) + ln (p / (1 - p)).

Lemma is_derive_kl_term x y : 0 < x -> 0 < y -> is_derive (fun z => z * ln (z / y)) x (ln (x / y) + 1).
Proof.
  intros Hx Hy. auto_derive; [apply Rdiv_lt_0_compat; assumption|]. unfold Rdiv. field. lra.
Qed.

(** On-policy, the derivative is beta h. *)
Theorem vy_B2_h : forall r beta p x, r 1%nat < r 0%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  is_derive (fun z => direct_objective 2 (limit_preference 2 (sure r) (binary x)) beta (binary p) (binary z)) x
    (beta * h beta p x).
Proof.
  intros r beta p x Hr Hb Hp Hx.
  pose proof (limit_gap r x Hx) as G. rewrite sign_eq_1, Rmult_1_r in G by lra.
  set (P := limit_preference 2 (sure r) (binary x)) in *.
  apply (derive_ext (fun z => (z * P 0%nat + (1 - z) * P 1%nat)
    - beta * (z * ln (z / p) + (1 - z) * ln ((1 - z) / (1 - p))))).
  { intros z. unfold direct_objective, kl. rewrite !expect_binary. reflexivity. }
  assert (S : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; nra).
  replace (beta * h beta p x) with ((P 0%nat - P 1%nat) - beta * (ln (x / p) - ln ((1 - x) / (1 - p)))).
  - replace (ln (x / p) - ln ((1 - x) / (1 - p))) with ((ln (x / p) + 1) + (-1) * (ln ((1 - x) / (1 - p)) + 1)) by ring.
    apply derive_minus; [auto_derive; [exact I|ring]|]. apply derive_scal, derive_plus; [apply is_derive_kl_term; lra|].
    apply (derive_comp (fun z => z * ln (z / (1 - p))) (fun z => 1 - z)); [apply is_derive_kl_term; lra|].
    auto_derive; [exact I|ring].
  - rewrite G. unfold h. rewrite !ln_div by lra. field. lra.
Qed.

Lemma kl_terms n pi ref : kl n pi ref = Sum n (fun i => pi i * ln (pi i / ref i)).
Proof. reflexivity. Qed.

(** A policy that uses both answers is stationary exactly where h vanishes. *)
Lemma direct_stationary r beta ref pi : r 1%nat < r 0%nat -> 0 < beta -> full_support 2 ref -> full_support 2 pi ->
  (on_policy_stationary 2 (fun old => direct_objective 2 (limit_preference 2 (sure r) old) beta ref) pi <->
   h beta (ref 0%nat) (pi 0%nat) = 0).
Proof.
  intros Hr Hb Href Hpi. unfold on_policy_stationary.
  pose proof (limit_gap_policy r pi Hpi) as G. rewrite sign_eq_1, Rmult_1_r in G by lra.
  set (P := limit_preference 2 (sure r) pi) in *.
  pose proof (full_support_2 pi Hpi) as Hx. pose proof (full_support_2 ref Href) as Hp.
  assert (E1 : pi 1%nat = 1 - pi 0%nat) by (destruct Hpi as [_ S]; simpl in S; lra).
  assert (E2 : ref 1%nat = 1 - ref 0%nat) by (destruct Href as [_ S]; simpl in S; lra).
  set (d := fun o => P o - beta * (ln (pi o / ref o) + 1)).
  assert (D : forall o, (o < 2)%nat -> is_partial (direct_objective 2 P beta ref) pi o (d o)).
  { intros o Ho. pose proof (proj1 Hpi o Ho) as A. pose proof (proj1 Href o Ho) as B.
    apply (is_partial_ext (fun q => Sum 2 (fun i => q i * P i - beta * (q i * ln (q i / ref i))))).
    { intros q. rewrite Sum_minus, Sum_scal. reflexivity. }
    apply (is_partial_Sum 2 (fun i x => x * P i - beta * (x * ln (x / ref i)))); [exact Ho|].
    unfold d. apply derive_minus; [auto_derive; [exact I|ring]|]. apply derive_scal, is_derive_kl_term; assumption. }
  assert (Hh : d 0%nat - d 1%nat = beta * h beta (ref 0%nat) (pi 0%nat)).
  { unfold d, h. rewrite E1, E2, !ln_div by lra.
    transitivity ((P 0%nat - P 1%nat) - beta *
      (ln (pi 0%nat) - ln (ref 0%nat) - (ln (1 - pi 0%nat) - ln (1 - ref 0%nat)))).
    - ring.
    - rewrite G. assert (S : 0 < sqrt (pi 0%nat * (1 - pi 0%nat))) by (apply sqrt_lt_R0; nra). field. lra. }
  split.
  - intros (lam & gam & _ & H).
    assert (Z : forall o, (o < 2)%nat -> d o = lam).
    { intros o Ho. destruct (H o Ho) as (H1 & _ & H3). rewrite (is_partial_unique _ _ _ _ _ (D o Ho) H1).
      assert (gam o = 0); [|lra]. apply (Rmult_eq_reg_r (pi o)); [lra|]. pose proof (proj1 Hpi o Ho). lra. }
    rewrite (Z 0%nat), (Z 1%nat) in Hh by lia. apply (Rmult_eq_reg_l beta); lra.
  - intros Z. rewrite Z, Rmult_0_r in Hh. exists (d 0%nat), (fun _ => 0). split; [apply full_support_policy, Hpi|].
    intros [|[|o]] Ho; [| |lia]; rewrite Rminus_0_r; (split; [|lra]); [apply D; lia|].
    replace (d 0%nat) with (d 1%nat) by lra. apply D. lia.
Qed.

(** In terms of the root w of the odds x/(1 - x). *)
Definition root_odds (x : R) : R := sqrt (x / (1 - x)).
Definition k (beta p w : R) : R := (w + / w) / beta - 2 * ln w + ln (p / (1 - p)).

Lemma root_odds_pos x : 0 < x < 1 -> 0 < root_odds x.
Proof. intros H. apply sqrt_lt_R0, Rdiv_lt_0_compat; lra. Qed.

Lemma root_odds_square x : 0 < x < 1 -> root_odds x ^ 2 = x / (1 - x).
Proof. intros H. apply pow2_sqrt. apply Rlt_le, Rdiv_lt_0_compat; lra. Qed.

Lemma root_odds_increasing x y : 0 < x < y -> y < 1 -> root_odds x < root_odds y.
Proof.
  intros H H'. apply sqrt_lt_1_alt. split; [apply Rlt_le, Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with ((1 - x) * (1 - y)); [nra|].
  replace (x / (1 - x) * ((1 - x) * (1 - y))) with (x * (1 - y)) by (field; lra).
  replace (y / (1 - y) * ((1 - x) * (1 - y))) with (y * (1 - x)) by (field; lra). nra.
Qed.

Definition of_root_odds (w : R) : R := w ^ 2 / (1 + w ^ 2).

Lemma of_root_odds_range w : 0 < w -> 0 < of_root_odds w < 1.
Proof.
  intros H. assert (0 < w ^ 2) by nra. unfold of_root_odds. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (1 + w ^ 2); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma root_of_root_odds w : 0 < w -> root_odds (of_root_odds w) = w.
Proof.
  intros H. unfold root_odds, of_root_odds. assert (0 < w ^ 2) by nra.
  replace (w ^ 2 / (1 + w ^ 2) / (1 - w ^ 2 / (1 + w ^ 2))) with (w ^ 2) by (field; lra). apply sqrt_pow2. lra.
Qed.

Lemma of_root_root_odds x : 0 < x < 1 -> of_root_odds (root_odds x) = x.
Proof. intros H. unfold of_root_odds. rewrite root_odds_square by exact H. field. lra. Qed.

Lemma h_k beta p x : 0 < beta -> 0 < x < 1 -> h beta p x = k beta p (root_odds x).
Proof.
  intros Hb Hx. pose proof (root_odds_pos x Hx) as W. pose proof (root_odds_square x Hx) as Q.
  unfold h, k. rewrite <- Q. replace (ln (root_odds x ^ 2)) with (2 * ln (root_odds x)).
  2:{ simpl. rewrite Rmult_1_r, ln_mult by exact W. ring. }
  f_equal. f_equal. set (w := root_odds x) in *.
  assert (E : x = w ^ 2 / (1 + w ^ 2)) by (rewrite <- (of_root_root_odds x Hx) at 1; reflexivity).
  assert (S : sqrt (x * (1 - x)) = w / (1 + w ^ 2)).
  { replace (x * (1 - x)) with ((w / (1 + w ^ 2)) ^ 2) by (rewrite E; field; nra).
    apply sqrt_pow2. apply Rlt_le, Rdiv_lt_0_compat; nra. }
  rewrite S. field. repeat split; nra.
Qed.

Definition turn (beta : R) : R := beta + sqrt (1 + beta ^ 2).

Lemma turn_facts beta : 0 < beta ->
  1 < turn beta /\ turn beta ^ 2 = 1 + 2 * beta * turn beta /\ / turn beta = sqrt (1 + beta ^ 2) - beta.
Proof.
  intros Hb. unfold turn. assert (H : 0 <= 1 + beta ^ 2) by nra. pose proof (sqrt_sqrt _ H) as Q.
  assert (S : 1 < sqrt (1 + beta ^ 2)) by (rewrite <- sqrt_1 at 1; apply sqrt_lt_1_alt; nra).
  set (s := sqrt (1 + beta ^ 2)) in *. split; [lra|]. split; [nra|].
  apply (Rmult_eq_reg_l (beta + s)); [|lra]. rewrite Rinv_r by lra. nra.
Qed.

Lemma is_derive_k beta p w : 0 < beta -> 0 < w ->
  is_derive (k beta p) w ((w ^ 2 - 2 * beta * w - 1) / (beta * w ^ 2)).
Proof.
  intros Hb Hw. unfold k. auto_derive; [repeat split; lra|]. field. lra.
Qed.

Lemma k_falls beta p v w : 0 < beta -> 0 < v < w -> w <= turn beta -> k beta p w < k beta p v.
Proof.
  intros Hb H Hw. destruct (turn_facts beta Hb) as (T1 & T2 & _).
  apply (falls (k beta p) (fun w => (w ^ 2 - 2 * beta * w - 1) / (beta * w ^ 2))); [lra| |].
  - intros x Hx. apply is_derive_k; lra.
  - intros x Hx. set (s := turn beta) in *.
    assert (N : x ^ 2 - 2 * beta * x - 1 < 0).
    { assert (E : x ^ 2 - 2 * beta * x - 1 = (x - s) * (x + / s)).
      { replace (2 * beta) with (s - / s) by (apply (Rmult_eq_reg_r s); [|lra]; field_simplify; nra). field. lra. }
      rewrite E. pose proof (Rinv_0_lt_compat s ltac:(lra)). nra. }
    assert (0 < beta * x ^ 2) by (apply Rmult_lt_0_compat; nra).
    apply Ropp_lt_cancel. rewrite Ropp_0. replace (- ((x ^ 2 - 2 * beta * x - 1) / (beta * x ^ 2)))
      with ((- (x ^ 2 - 2 * beta * x - 1)) / (beta * x ^ 2)) by (field; split; lra || nra).
    apply Rdiv_lt_0_compat; lra.
Qed.

Lemma k_rises beta p v w : 0 < beta -> turn beta <= v < w -> k beta p v < k beta p w.
Proof.
  intros Hb H. destruct (turn_facts beta Hb) as (T1 & T2 & _).
  apply (rises (k beta p) (fun w => (w ^ 2 - 2 * beta * w - 1) / (beta * w ^ 2))); [lra| |].
  - intros x Hx. apply is_derive_k; lra.
  - intros x Hx. set (s := turn beta) in *.
    assert (E : x ^ 2 - 2 * beta * x - 1 = (x - s) * (x + / s)).
    { replace (2 * beta) with (s - / s) by (apply (Rmult_eq_reg_r s); [|lra]; field_simplify; nra). field. lra. }
    rewrite E. pose proof (Rinv_0_lt_compat s ltac:(lra)). apply Rdiv_lt_0_compat; [nra|].
    apply Rmult_lt_0_compat; nra.
Qed.

(** The minimum of h is where x = x*. *)
Definition xstar (beta : R) : R := (1 + sqrt (1 - / (1 + beta ^ 2))) / 2.

Lemma xstar_turn beta : 0 < beta -> xstar beta = of_root_odds (turn beta).
Proof.
  intros Hb. destruct (turn_facts beta Hb) as (T1 & T2 & T3). set (w := turn beta) in *.
  unfold xstar, of_root_odds. assert (H : 0 < 1 + beta ^ 2) by nra.
  pose proof (sqrt_sqrt _ (Rlt_le _ _ H)) as Q. pose proof (sqrt_lt_R0 _ H) as S.
  assert (R : sqrt (1 - / (1 + beta ^ 2)) = beta / sqrt (1 + beta ^ 2)).
  { replace (1 - / (1 + beta ^ 2)) with (beta ^ 2 / (1 + beta ^ 2)) by (field; lra).
    rewrite sqrt_div_alt, sqrt_pow2 by lra. reflexivity. }
  rewrite R. unfold w, turn. set (s := sqrt (1 + beta ^ 2)) in *.
  assert (E : 1 + (beta + s) ^ 2 = 2 * s * (beta + s)) by nra. rewrite E. field. lra.
Qed.

(** h decreases strictly up to x* and increases strictly after it. *)
Theorem vy_B2_h_monotone : forall beta p, 0 < beta -> 0 < p < 1 ->
  1 / 2 < xstar beta < 1 /\
  (forall x y, 0 < x < y -> y <= xstar beta -> h beta p y < h beta p x) /\
  (forall x y, xstar beta <= x < y -> y < 1 -> h beta p x < h beta p y).
Proof.
  intros beta p Hb Hp. destruct (turn_facts beta Hb) as (T1 & T2 & T3).
  pose proof (of_root_odds_range (turn beta) ltac:(lra)) as X. rewrite <- xstar_turn in X by exact Hb.
  assert (H : 1 / 2 < xstar beta).
  { rewrite xstar_turn by exact Hb. unfold of_root_odds. assert (1 < turn beta ^ 2) by nra.
    apply Rmult_lt_reg_r with (1 + turn beta ^ 2); [lra|].
    replace (turn beta ^ 2 / (1 + turn beta ^ 2) * (1 + turn beta ^ 2)) with (turn beta ^ 2) by (field; lra). lra. }
  assert (W : root_odds (xstar beta) = turn beta) by (rewrite xstar_turn by exact Hb; apply root_of_root_odds; lra).
  split; [lra|]. split.
  - intros x y Hx Hy. rewrite !h_k by lra. apply k_falls; [exact Hb| |].
    + split; [apply root_odds_pos; lra|apply root_odds_increasing; lra].
    + destruct Hy as [Hy|Hy]; [|rewrite Hy, W; lra]. rewrite <- W. apply Rlt_le, root_odds_increasing; lra.
  - intros x y Hx Hy. rewrite !h_k by lra. apply k_rises; [exact Hb|]. split; [|apply root_odds_increasing; lra].
    destruct Hx as [[Hx|Hx] Hxy]; [|rewrite <- Hx, W; lra]. rewrite <- W. apply Rlt_le, root_odds_increasing; lra.
Qed.

(** The lowest value of h at p = 1/2. *)
Definition lowest (beta : R) : R := 2 * sqrt (1 + beta ^ 2) / beta - 2 * ln (turn beta).

(** The minimum of h, in closed form. *)
Theorem vy_B2_h_minimum : forall beta p, 0 < beta -> 0 < p < 1 ->
  h beta p (xstar beta)
  = 2 * sqrt (1 + beta ^ 2) / beta - 2 * ln (beta + sqrt (1 + beta ^ 2)) + ln (p / (1 - p)).
Proof.
  intros beta p Hb Hp. destruct (turn_facts beta Hb) as (T1 & T2 & T3).
  rewrite h_k, xstar_turn, root_of_root_odds by
    (lra || (rewrite xstar_turn by exact Hb; apply of_root_odds_range; lra)).
  unfold k. rewrite T3. unfold turn. field. lra.
Qed.

(** The threshold p*(beta): the reference at which the minimum of h is 0. *)
Definition pstar (beta : R) : R :=
  (beta + sqrt (1 + beta ^ 2)) ^ 2 / ((beta + sqrt (1 + beta ^ 2)) ^ 2 + exp (2 * sqrt (1 + beta ^ 2) / beta)).

Lemma pstar_range beta : 0 < beta -> 0 < pstar beta < 1.
Proof.
  intros Hb. unfold pstar. fold (turn beta). destruct (turn_facts beta Hb) as (T1 & _).
  pose proof (exp_pos (2 * sqrt (1 + beta ^ 2) / beta)) as E. assert (0 < turn beta ^ 2) by nra.
  split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with (turn beta ^ 2 + exp (2 * sqrt (1 + beta ^ 2) / beta)); [lra|].
  unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Lemma logit_pstar beta : 0 < beta -> ln (pstar beta / (1 - pstar beta)) = - lowest beta.
Proof.
  intros Hb. destruct (turn_facts beta Hb) as (T1 & _). unfold lowest, pstar. fold (turn beta).
  set (e := 2 * sqrt (1 + beta ^ 2) / beta). pose proof (exp_pos e) as E. assert (0 < turn beta ^ 2) by nra.
  replace (turn beta ^ 2 / (turn beta ^ 2 + exp e) / (1 - turn beta ^ 2 / (turn beta ^ 2 + exp e)))
    with (turn beta ^ 2 * / exp e) by (field; lra).
  rewrite ln_mult, ln_Rinv, ln_exp by (apply exp_pos || assumption || (apply Rinv_0_lt_compat, exp_pos)).
  replace (turn beta ^ 2) with (turn beta * turn beta) by ring. rewrite ln_mult by lra. ring.
Qed.

Lemma logit_increasing p q : 0 < p < q -> q < 1 -> ln (p / (1 - p)) < ln (q / (1 - q)).
Proof.
  intros H H'. apply ln_increasing; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with ((1 - p) * (1 - q)); [nra|].
  replace (p / (1 - p) * ((1 - p) * (1 - q))) with (p * (1 - q)) by (field; lra).
  replace (q / (1 - q) * ((1 - p) * (1 - q))) with (q * (1 - p)) by (field; lra). nra.
Qed.

Lemma h_minimum_sign beta p : 0 < beta -> 0 < p < 1 ->
  (pstar beta < p -> 0 < h beta p (xstar beta)) /\
  (p = pstar beta -> h beta p (xstar beta) = 0) /\
  (p < pstar beta -> h beta p (xstar beta) < 0).
Proof.
  intros Hb Hp. pose proof (pstar_range beta Hb) as R. pose proof (logit_pstar beta Hb) as L.
  pose proof (vy_B2_h_minimum beta p Hb Hp) as M. fold (turn beta) in M. unfold lowest in L.
  repeat split; intros H.
  - pose proof (logit_increasing (pstar beta) p ltac:(lra) ltac:(lra)). lra.
  - subst p. lra.
  - pose proof (logit_increasing p (pstar beta) ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma h_least beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 -> x <> xstar beta -> h beta p (xstar beta) < h beta p x.
Proof.
  intros Hb Hp Hx N. destruct (vy_B2_h_monotone beta p Hb Hp) as (X & D & I).
  destruct (Rtotal_order x (xstar beta)) as [H|[H|H]]; [|contradiction|]; [apply D; lra|apply I; lra].
Qed.

(** h grows beyond all bounds at both ends. *)
Lemma k_large beta p : 0 < beta -> exists v w, 0 < v < 1 /\ turn beta < w /\ 0 < k beta p v /\ 0 < k beta p w.
Proof.
  intros Hb. set (L := ln (p / (1 - p))).
  set (B := 1 + Rabs L). assert (1 <= B) by (unfold B; pose proof (Rabs_pos L); lra).
  assert (HL : - B < L) by (unfold B; pose proof (Rabs_maj2 L); lra).
  exists (/ (1 + beta * B)).
  set (t := 4 * beta + beta * B + turn beta + 1).
  destruct (turn_facts beta Hb) as (T1 & _).
  assert (0 < beta * B) by (apply Rmult_lt_0_compat; lra).
  assert (Ht : 1 < t) by (unfold t; lra).
  exists (t ^ 2). split; [|split; [|split]].
  - split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1 at 2. apply Rinv_lt_contravar; lra.
  - assert (turn beta < t) by (unfold t; lra). nra.
  - unfold k. fold L. set (v := / (1 + beta * B)). assert (V : 0 < v < 1).
    { unfold v. split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1 at 2. apply Rinv_lt_contravar; lra. }
    assert (ln v < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (E : / v = 1 + beta * B) by (unfold v; apply Rinv_inv).
    assert (B < (v + / v) / beta).
    { rewrite E. apply Rmult_lt_reg_r with beta; [exact Hb|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    lra.
  - unfold k. fold L. replace (t ^ 2) with (t * t) by ring. rewrite ln_mult by lra.
    assert (ln t <= t - 1) by (apply ln_below_le; lra).
    assert (0 < / (t * t)) by (apply Rinv_0_lt_compat; nra).
    assert (4 * t + B < (t * t + / (t * t)) / beta).
    { apply Rmult_lt_reg_r with beta; [exact Hb|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
      assert (t * (4 * beta + beta * B) < t * t) by (apply Rmult_lt_compat_l; unfold t; lra).
      assert (beta * B <= t * (beta * B)) by nra. lra. }
    lra.
Qed.

Lemma k_continuous beta p w : 0 < beta -> 0 < w -> continuous (k beta p) w.
Proof. intros Hb Hw. apply (derive_continuous _ _ _ (is_derive_k beta p w Hb Hw)). Qed.

(** How many zeros h has: none, one or two, as the reference is above, at or below p*(beta). *)
Theorem vy_B2_two_roots : forall beta p, 0 < beta -> 0 < p < 1 ->
  (pstar beta < p -> forall x, 0 < x < 1 -> 0 < h beta p x) /\
  (p = pstar beta -> forall x, 0 < x < 1 -> (h beta p x = 0 <-> x = xstar beta)) /\
  (p < pstar beta -> exists x1 x2, 0 < x1 < xstar beta /\ xstar beta < x2 < 1 /\
     forall x, 0 < x < 1 -> (h beta p x = 0 <-> x = x1 \/ x = x2)).
Proof.
  intros beta p Hb Hp. destruct (h_minimum_sign beta p Hb Hp) as (S1 & S2 & S3).
  destruct (vy_B2_h_monotone beta p Hb Hp) as (X & D & I).
  split; [|split].
  - intros H x Hx. destruct (Req_dec x (xstar beta)) as [->|N]; [apply S1, H|].
    pose proof (h_least beta p x Hb Hp Hx N). pose proof (S1 H). lra.
  - intros H x Hx. split; [|intros ->; apply S2, H]. intros Z.
    destruct (Req_dec x (xstar beta)) as [E|N]; [exact E|]. pose proof (h_least beta p x Hb Hp Hx N). pose proof (S2 H).
    lra.
  - intros H. specialize (S3 H).
    destruct (k_large beta p Hb) as (v & w & Hv & Hw & Kv & Kw). destruct (turn_facts beta Hb) as (T1 & _).
    assert (W : root_odds (xstar beta) = turn beta) by (rewrite xstar_turn by exact Hb; apply root_of_root_odds; lra).
    assert (KT : k beta p (turn beta) < 0) by (rewrite <- W, <- h_k by lra; exact S3).
    destruct (zero_falling (k beta p) v (turn beta)) as (w1 & H1 & Z1); try assumption; [lra| |].
    { intros z Hz. apply k_continuous; lra. }
    destruct (zero_rising (k beta p) (turn beta) w) as (w2 & H2 & Z2); try assumption.
    { intros z Hz. apply k_continuous; lra. }
    exists (of_root_odds w1), (of_root_odds w2).
    pose proof (of_root_odds_range w1 ltac:(lra)) as R1. pose proof (of_root_odds_range w2 ltac:(lra)) as R2.
    assert (E1 : h beta p (of_root_odds w1) = 0) by (rewrite h_k, root_of_root_odds by lra; exact Z1).
    assert (E2 : h beta p (of_root_odds w2) = 0) by (rewrite h_k, root_of_root_odds by lra; exact Z2).
    assert (M : forall a b, 0 < a < b -> of_root_odds a < of_root_odds b).
    { intros a b Hab. unfold of_root_odds. assert (0 < a ^ 2 < b ^ 2) by (split; nra).
      apply Rmult_lt_reg_r with ((1 + a ^ 2) * (1 + b ^ 2)); [nra|].
      replace (a ^ 2 / (1 + a ^ 2) * ((1 + a ^ 2) * (1 + b ^ 2))) with (a ^ 2 * (1 + b ^ 2)) by (field; lra).
      replace (b ^ 2 / (1 + b ^ 2) * ((1 + a ^ 2) * (1 + b ^ 2))) with (b ^ 2 * (1 + a ^ 2)) by (field; lra). nra. }
    assert (L1 : of_root_odds w1 < xstar beta) by (rewrite xstar_turn by exact Hb; apply M; lra).
    assert (L2 : xstar beta < of_root_odds w2) by (rewrite xstar_turn by exact Hb; apply M; lra).
    split; [lra|]. split; [lra|]. intros x Hx. split; [|intros [->| ->]; assumption]. intros Z.
    destruct (Rle_lt_dec x (xstar beta)) as [C|C].
    + left. destruct (Rtotal_order x (of_root_odds w1)) as [K|[K|K]]; [|exact K|].
      * pose proof (D x (of_root_odds w1) ltac:(lra) ltac:(lra)). lra.
      * pose proof (D (of_root_odds w1) x ltac:(lra) ltac:(lra)). lra.
    + right. destruct (Rtotal_order x (of_root_odds w2)) as [K|[K|K]]; [|exact K|].
      * pose proof (I x (of_root_odds w2) ltac:(lra) ltac:(lra)). lra.
      * pose proof (I (of_root_odds w2) x ltac:(lra) ltac:(lra)). lra.
Qed.

Lemma lowest_decreasing beta beta' : 0 < beta < beta' -> lowest beta' < lowest beta.
Proof.
  intros H. unfold lowest, turn.
  assert (S : sqrt (1 + beta ^ 2) < sqrt (1 + beta' ^ 2)) by (apply sqrt_lt_1_alt; nra).
  assert (S0 : 0 < sqrt (1 + beta ^ 2)) by (apply sqrt_lt_R0; nra).
  assert (L : ln (beta + sqrt (1 + beta ^ 2)) < ln (beta' + sqrt (1 + beta' ^ 2))) by (apply ln_increasing; lra).
  assert (Q : sqrt (1 + beta' ^ 2) / beta' < sqrt (1 + beta ^ 2) / beta).
  { assert (F : forall b, 0 < b -> sqrt (1 + b ^ 2) / b = sqrt (1 + / b ^ 2)).
    { intros b Hb. replace (1 + / b ^ 2) with ((1 + b ^ 2) / b ^ 2) by (field; lra).
      rewrite sqrt_div_alt, sqrt_pow2 by nra. reflexivity. }
    rewrite !F by lra. assert (0 < / beta' ^ 2) by (apply Rinv_0_lt_compat; nra).
    apply sqrt_lt_1_alt. split; [lra|].
    apply Rplus_lt_compat_l, Rinv_lt_contravar; [apply Rmult_lt_0_compat; nra|nra]. }
  unfold Rdiv in *. lra.
Qed.

Lemma lowest_continuous beta : 0 < beta -> continuous lowest beta.
Proof.
  intros Hb. apply (ex_derive_continuous (V := R_NormedModule)). unfold lowest, turn.
  assert (0 < sqrt (1 + beta * (beta * 1))) by (apply sqrt_lt_R0; nra).
  auto_derive. repeat split; try lra; nra.
Qed.

(** The threshold p*(beta) increases from 0 to 1: every reference has exactly one beta*. *)
Theorem vy_B2_threshold :
  (forall beta beta', 0 < beta < beta' -> pstar beta < pstar beta') /\
  (forall p, 0 < p < 1 -> exists b, 0 < b /\ pstar b = p /\
     (forall beta, 0 < beta -> (beta < b <-> pstar beta < p) /\ (b < beta <-> p < pstar beta))) /\
  filterlim pstar (at_right 0) (locally 0) /\ filterlim pstar (Rbar_locally p_infty) (locally 1).
Proof.
  match goal with |- ?I /\ ?T /\ _ => assert (H : I /\ T);
    [|destruct H as [Inc T0]; split; [exact Inc|]; split; [exact T0|]] end.
  2:{ assert (Small : forall e : posreal, 0 < Rmin e (1 / 2) < 1 /\ Rmin e (1 / 2) <= e).
    { intros e. pose proof (cond_pos e). unfold Rmin. destruct Rle_dec; lra. }
    split; apply filterlim_locally; intros e; destruct (Small e) as [Hp He]; set (p := Rmin e (1 / 2)) in *.
    - destruct (T0 p Hp) as (b & Hb & _ & K). exists (mkposreal b Hb). intros beta Hball Hbeta.
      apply Rabs_def2 in Hball. change (minus beta 0) with (beta - 0) in Hball. simpl in Hball.
      pose proof (pstar_range beta Hbeta). pose proof (proj1 (proj1 (K beta Hbeta)) ltac:(lra)).
      apply Rabs_def1; change (minus (pstar beta) 0) with (pstar beta - 0); lra.
    - destruct (T0 (1 - p) ltac:(lra)) as (b & Hb & _ & K). exists b. intros beta Hbeta.
      pose proof (pstar_range beta ltac:(lra)). pose proof (proj1 (proj2 (K beta ltac:(lra))) Hbeta).
      apply Rabs_def1; change (minus (pstar beta) 1) with (pstar beta - 1); lra. }
  assert (Inc : forall beta beta', 0 < beta < beta' -> pstar beta < pstar beta').
  { intros beta beta' H. pose proof (lowest_decreasing beta beta' H) as L.
    pose proof (pstar_range beta ltac:(lra)). pose proof (pstar_range beta' ltac:(lra)).
    apply Rnot_le_lt. intros [K|K].
    - pose proof (logit_increasing (pstar beta') (pstar beta) ltac:(lra) ltac:(lra)) as M.
      rewrite !logit_pstar in M by lra. lra.
    - pose proof (logit_pstar beta ltac:(lra)) as M. pose proof (logit_pstar beta' ltac:(lra)) as M'.
      rewrite K in M'. lra. }
  split; [exact Inc|]. intros p Hp. set (L := ln (p / (1 - p))).
  set (B := 1 + Rabs L). assert (HB : 1 <= B) by (unfold B; pose proof (Rabs_pos L); lra).
  assert (HL : - B < L < B) by (unfold B; pose proof (Rabs_maj2 L); pose proof (Rle_abs L); lra).
  (* near 0 the lowest value is large, far out it is small *)
  assert (A : exists a, 0 < a < 1 /\ B < lowest a).
  { exists (/ (B + 4)). assert (R : 0 < / (B + 4) < 1).
    { split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
    split; [exact R|]. set (a := / (B + 4)) in *. unfold lowest, turn.
    assert (S : 1 < sqrt (1 + a ^ 2)) by (rewrite <- sqrt_1 at 1; apply sqrt_lt_1_alt; nra).
    assert (S2 : sqrt (1 + a ^ 2) < 2).
    { rewrite <- (sqrt_pow2 2) by lra. apply sqrt_lt_1_alt. nra. }
    assert (ln (a + sqrt (1 + a ^ 2)) <= a + sqrt (1 + a ^ 2) - 1) by (apply ln_below_le; lra).
    assert (2 * (B + 4) < 2 * sqrt (1 + a ^ 2) / a).
    { unfold Rdiv. replace (/ a) with (B + 4) by (unfold a; rewrite Rinv_inv; reflexivity). nra. }
    lra. }
  assert (C : exists c, 1 < c /\ lowest c < - B).
  { exists (exp (B + 2)). assert (E : 1 < exp (B + 2)) by (pose proof (exp_ineq1 (B + 2) ltac:(lra)); lra).
    split; [exact E|]. set (c := exp (B + 2)) in *. unfold lowest, turn.
    assert (S : sqrt (1 + c ^ 2) <= 2 * c).
    { rewrite <- (sqrt_pow2 (2 * c)) by lra. apply sqrt_le_1_alt. nra. }
    assert (S0 : 0 < sqrt (1 + c ^ 2)) by (apply sqrt_lt_R0; nra).
    assert (G : B + 2 < ln (c + sqrt (1 + c ^ 2))).
    { unfold c at 1. rewrite <- (ln_exp (B + 2)) at 1. fold c. apply ln_increasing; lra. }
    assert (2 * sqrt (1 + c ^ 2) / c <= 4).
    { apply Rmult_le_reg_r with c; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    lra. }
  destruct A as (a & Ha & Fa). destruct C as (c & Hc & Fc).
  destruct (zero_falling (fun b => lowest b + L) a c) as (b & Hb & Z); [lra| |lra|lra|].
  { intros b Hb. apply (continuous_plus (V := R_NormedModule)); [apply lowest_continuous; lra|apply continuous_const]. }
  exists b. assert (E : pstar b = p).
  { pose proof (logit_pstar b ltac:(lra)) as M. pose proof (pstar_range b ltac:(lra)).
    destruct (Rtotal_order (pstar b) p) as [K|[K|K]]; [|exact K|].
    - pose proof (logit_increasing (pstar b) p ltac:(lra) ltac:(lra)). unfold L in *. lra.
    - pose proof (logit_increasing p (pstar b) ltac:(lra) ltac:(lra)). unfold L in *. lra. }
  split; [lra|]. split; [exact E|]. intros beta Hbeta. rewrite <- E.
  destruct (Rtotal_order beta b) as [K|[->|K]];
    [pose proof (Inc beta b ltac:(lra))| |pose proof (Inc b beta ltac:(lra))]; lra.
Qed.

(** h is positive on (0, 1) exactly when the reference is above p*(beta): then no policy inside is stationary. *)
Theorem vy_B2_h_positive_small_beta : forall p, 0 < p < 1 ->
  (forall beta, 0 < beta -> ((forall x, 0 < x < 1 -> 0 < h beta p x) <-> pstar beta < p)) /\
  exists b, 0 < b /\ pstar b = p /\
    forall beta, 0 < beta -> ((forall x, 0 < x < 1 -> 0 < h beta p x) <-> beta < b).
Proof.
  intros p Hp.
  assert (E : forall beta, 0 < beta -> ((forall x, 0 < x < 1 -> 0 < h beta p x) <-> pstar beta < p)).
  { intros beta Hb. destruct (vy_B2_two_roots beta p Hb Hp) as (R1 & R2 & R3).
    destruct (vy_B2_h_monotone beta p Hb Hp) as (X & _). split; [|exact R1]. intros H.
    destruct (Rtotal_order (pstar beta) p) as [K|[K|K]]; [exact K| |].
    - pose proof (proj2 (R2 (eq_sym K) (xstar beta) ltac:(lra)) eq_refl). pose proof (H (xstar beta) ltac:(lra)). lra.
    - destruct (R3 K) as (x1 & x2 & H1 & H2 & Z). pose proof (proj2 (Z x1 ltac:(lra)) (or_introl eq_refl)).
      pose proof (H x1 ltac:(lra)). lra. }
  split; [exact E|]. destruct (proj1 (proj2 vy_B2_threshold) p Hp) as (b & Hb & Ep & K).
  exists b. split; [exact Hb|]. split; [exact Ep|]. intros beta Hbeta. rewrite E by exact Hbeta. symmetry.
  apply K, Hbeta.
Qed.

(** The same of policies: below beta*(p) no policy that uses both answers is stationary, at it one is, above it two
    are. *)
Theorem vy_B2_two_roots_stationary : forall r p, r 1%nat < r 0%nat -> 0 < p < 1 -> exists b, 0 < b /\ pstar b = p /\
  forall beta, 0 < beta ->
    let S := fun x => 0 < x < 1 /\
      on_policy_stationary 2 (fun old => direct_objective 2 (limit_preference 2 (sure r) old) beta (binary p))
        (binary x) in
    (beta < b -> forall x, ~ S x) /\
    (beta = b -> forall x, S x <-> x = xstar beta) /\
    (b < beta -> exists x1 x2, x1 < x2 /\ forall x, S x <-> x = x1 \/ x = x2).
Proof.
  intros r p Hr Hp. destruct vy_B2_threshold as (_ & T & _). destruct (T p Hp) as (b & Hb & E & K).
  exists b. split; [exact Hb|]. split; [exact E|]. intros beta Hbeta S.
  assert (HS : forall x, 0 < x < 1 -> (S x <-> h beta p x = 0)).
  { intros x Hx. unfold S.
    pose proof (direct_stationary r beta (binary p) (binary x) Hr Hbeta (binary_full p Hp) (binary_full x Hx)) as D.
    simpl in D. rewrite D. tauto. }
  destruct (K beta Hbeta) as [K1 K2]. destruct (vy_B2_two_roots beta p Hbeta Hp) as (R1 & R2 & R3).
  destruct (vy_B2_h_monotone beta p Hbeta Hp) as (X & _).
  split; [|split].
  - intros L x HSx. assert (Hx : 0 < x < 1) by apply HSx. apply (HS x Hx) in HSx.
    pose proof (R1 (proj1 K1 L) x Hx). lra.
  - intros L x. assert (Ep : p = pstar beta) by (rewrite L; symmetry; exact E). split.
    + intros HSx. assert (Hx : 0 < x < 1) by apply HSx. apply (R2 Ep x Hx), (HS x Hx), HSx.
    + intros ->. apply HS; [lra|]. apply (R2 Ep); [lra|reflexivity].
  - intros L. destruct (R3 (proj1 K2 L)) as (x1 & x2 & H1 & H2 & Z). exists x1, x2. split; [lra|]. intros x. split.
    + intros HSx. assert (Hx : 0 < x < 1) by apply HSx. apply (Z x Hx), (HS x Hx), HSx.
    + intros Hx. assert (0 < x < 1) by (destruct Hx; subst; lra). apply HS; [assumption|]. apply Z; assumption.
Qed.

(** * Section 1.3: stationary is not maximal *)

(** ** The objective that a stationary policy of two answers freezes *)

Lemma objective_ext n P beta ref old q q' : (forall o, (o < n)%nat -> q o = q' o) ->
  objective n P beta ref old q = objective n P beta ref old q'.
Proof.
  intros H. unfold objective, kl_0, expect.
  f_equal; [|f_equal]; apply Sum_ext; intros o Ho; rewrite (H o Ho); reflexivity.
Qed.

Lemma objective_ref_ext n P beta ref ref' old old' q :
  (forall o, (o < n)%nat -> ref o = ref' o) -> (forall o, (o < n)%nat -> old o = old' o) ->
  objective n P beta ref old q = objective n P beta ref' old' q.
Proof.
  intros H H'. unfold objective, kl_0, expect. f_equal. f_equal. apply Sum_ext. intros o Ho. rewrite H, H' by exact Ho.
  reflexivity.
Qed.

(** Maxima over two answers are those of a function of x = pi(a). *)
Lemma strict_local_maximum_two J x : 0 < x < 1 ->
  (forall q, policy 2 q -> J q = J (binary (q 0%nat))) ->
  (exists e, 0 < e /\ forall z, Rabs (z - x) < e -> z <> x -> J (binary z) < J (binary x)) ->
  strict_local_maximum 2 J (binary x).
Proof.
  intros Hx E (e & He & M). split; [apply binary_policy; lra|]. exists e. split; [exact He|].
  intros q Hq (o & Ho & D) C. rewrite (E q Hq). apply M; [apply (C 0%nat); lia|].
  intros Z. apply D. rewrite (policy_2_binary q Hq o Ho), Z. reflexivity.
Qed.

Lemma not_local_maximum_two J x : 0 < x < 1 ->
  (forall e, 0 < e -> exists z, 0 < z < 1 /\ Rabs (z - x) < e /\ J (binary x) < J (binary z)) ->
  ~ local_maximum 2 J (binary x).
Proof.
  intros Hx M (_ & e & He & K). destruct (M e He) as (z & Hz & Cz & L).
  specialize (K (binary z) (binary_policy z ltac:(lra))).
  assert (J (binary z) <= J (binary x)); [|lra]. apply K.
  intros [|[|o]] Ho; simpl; [exact Cz| |lia]. replace (1 - z - (1 - x)) with (- (z - x)) by ring. rewrite Rabs_Ropp.
  exact Cz.
Qed.

(** The sign that decides: of the second derivative, reversed. *)
Definition bend (x p : R) : R := 3 * x ^ 2 - (1 + 4 * p) * x + 2 * p.

(** The slope of the frozen objective of a stationary policy x is (z - x) C(z), over a positive factor. *)
Definition frozen_cubic (x p z : R) : R :=
  (x - p) * z ^ 3 + (2 * x ^ 2 - p * x - 3 * x + 2 * p) * z ^ 2 + (1 - x) * (x + 2 * p * x - p) * z - p * x * (1 - x).

Lemma frozen_slope P beta p x z : 0 < p < 1 -> 0 < x < 1 -> 0 < z < 1 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) ->
  is_derive (fun z => objective 2 P beta (binary p) (binary x) (binary z)) z
    (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))).
Proof.
  intros Hp Hx Hz E. pose proof (is_derive_objective_two P beta p x z Hz Hp) as D.
  replace (P 0%nat - P 1%nat) with (beta * (x - p) / (x * (1 - x))) in D by (rewrite E; field; lra).
  replace (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2)))
    with (beta * (x - p) / (x * (1 - x)) - beta *
      (- (x * p / z ^ 2) + (1 - x) * (1 - p) / (1 - z) ^ 2 + x / z - (1 - x) / (1 - z))).
  - exact D.
  - unfold frozen_cubic. field. lra.
Qed.

Lemma polynomial_continuous (f : R -> R) x : ex_derive f x -> continuous f x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). Qed.

(** What the stationary policy is for the objective that it freezes: every case. *)
Lemma frozen_classification P beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) ->
  let J := objective 2 P beta (binary p) (binary x) in
  (0 < bend x p -> strict_local_maximum 2 J (binary x)) /\
  (bend x p < 0 -> strict_local_minimum 2 J (binary x)) /\
  (bend x p = 0 -> 7 * x ^ 2 - 7 * x + 1 = 0 -> strict_local_maximum 2 J (binary x)) /\
  (bend x p = 0 -> x <> p -> 7 * x ^ 2 - 7 * x + 1 <> 0 ->
     ~ local_maximum 2 J (binary x) /\ ~ local_minimum 2 J (binary x)).
Proof.
  intros Hb Hp Hx E J.
  set (f := fun z => J (binary z)).
  set (w := fun z => beta / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))).
  set (df := fun z => w z * ((z - x) * frozen_cubic x p z)).
  set (r := Rmin x (1 - x)). assert (Hr : 0 < r) by (apply Rmin_pos; lra).
  assert (Rng : forall z, Rabs (z - x) < r -> 0 < z < 1).
  { intros z Hz. apply Rabs_lt_between in Hz. assert (r <= x) by apply Rmin_l. assert (r <= 1 - x) by apply Rmin_r. lra.
    }
  assert (W : forall z, 0 < z < 1 -> 0 < w z).
  { intros z Hz. apply Rdiv_lt_0_compat; [exact Hb|]. repeat apply Rmult_lt_0_compat; nra. }
  assert (D : forall z, Rabs (z - x) < r -> is_derive f z (df z)).
  { intros z Hz. unfold df, w. replace (beta / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2)) * ((z - x) * frozen_cubic x p z))
      with (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))) by (unfold Rdiv; ring).
    apply frozen_slope; try assumption. apply Rng, Hz. }
  assert (Ext : forall q, policy 2 q -> J q = J (binary (q 0%nat))).
  { intros q Hq. apply objective_ext. intros o Ho. apply policy_2_binary; assumption. }
  assert (C0 : frozen_cubic x p x = - (x * (1 - x)) * bend x p) by (unfold frozen_cubic, bend; ring).
  (* C(z) = C(x) + (z - x) Q(z), and Q(z) = Q(x) + (z - x) L(z) *)
  set (Q := fun z => (x - p) * (z ^ 2 + z * x + x ^ 2) + (2 * x ^ 2 - p * x - 3 * x + 2 * p) * (z + x)
    + (1 - x) * (x + 2 * p * x - p)).
  set (L := fun z => (x - p) * (z + 2 * x) + (2 * x ^ 2 - p * x - 3 * x + 2 * p)).
  assert (CQ : forall z, frozen_cubic x p z = frozen_cubic x p x + (z - x) * Q z)
    by (intros; unfold frozen_cubic, Q; ring).
  assert (QL : forall z, Q z = Q x + (z - x) * L z) by (intros; unfold Q, L; ring).
  assert (Qx : Q x = (x - p) * (7 * x ^ 2 - 7 * x + 1)) by (unfold Q; ring).
  assert (Lx : L x = 2 * x * (x - 1) + bend x p) by (unfold L, bend; ring).
  assert (V : 0 < x * (1 - x)) by nra.
  assert (CC : continuous (frozen_cubic x p) x)
    by (apply polynomial_continuous; unfold frozen_cubic; auto_derive; exact I).
  assert (CQc : continuous Q x) by (apply polynomial_continuous; unfold Q; auto_derive; exact I).
  assert (CL : continuous L x) by (apply polynomial_continuous; unfold L; auto_derive; exact I).
  assert (Half : forall e z, Rabs (z - x) < Rmin e r -> Rabs (z - x) < e /\ Rabs (z - x) < r).
  { intros e z Hz. split; eapply Rlt_le_trans; try exact Hz; [apply Rmin_l|apply Rmin_r]. }
  split; [|split; [|split]].
  - intros S. apply strict_local_maximum_two; [exact Hx|exact Ext|].
    destruct (negative_near (frozen_cubic x p) x CC) as (e & He & K); [rewrite C0; nra|].
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak f df); [apply Rmin_pos; assumption|intros z Hz; apply D; apply (Half e z Hz)| |];
      intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
    + apply Rmult_lt_0_compat; [assumption|nra].
    + assert (0 < (z - x) * - frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra). nra.
  - intros S. apply (strict_local_maximum_two (fun q => - J q));
      [exact Hx|intros q Hq; rewrite (Ext q Hq); reflexivity|].
    destruct (positive_near (frozen_cubic x p) x CC) as (e & He & K); [rewrite C0; nra|].
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak (fun z => - f z) (fun z => - df z)); [apply Rmin_pos; assumption| | |].
    + intros z Hz. apply (is_derive_opp (V := R_NormedModule) f). apply D. apply (Half e z Hz).
    + intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
      assert (0 < (x - z) * frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((x - z) * frozen_cubic x p z)) by (apply Rmult_lt_0_compat; assumption). lra.
    + intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
      assert (0 < (z - x) * frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((z - x) * frozen_cubic x p z)) by (apply Rmult_lt_0_compat; assumption). lra.
  - intros S T. apply strict_local_maximum_two; [exact Hx|exact Ext|].
    assert (Z : Q x = 0) by (rewrite Qx, T; ring).
    destruct (negative_near L x CL) as (e & He & K); [rewrite Lx, S; nra|].
    assert (F : forall z, df z = w z * ((z - x) ^ 3 * L z)).
    { intros z. unfold df. rewrite CQ, C0, S, QL, Z. ring. }
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak f df); [apply Rmin_pos; assumption|intros z Hz; apply D; apply (Half e z Hz)| |];
      intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); rewrite F.
    + apply Rmult_lt_0_compat; [assumption|].
      assert (0 < (x - z) ^ 3) by (apply pow_lt; lra). replace ((z - x) ^ 3 * L z) with ((x - z) ^ 3 * - L z) by ring.
      apply Rmult_lt_0_compat; lra.
    + assert (0 < (z - x) ^ 3) by (apply pow_lt; lra).
      assert (0 < (z - x) ^ 3 * - L z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((z - x) ^ 3 * - L z)) by (apply Rmult_lt_0_compat; assumption). lra.
  - intros S N T.
    assert (F : forall z, df z = w z * ((z - x) ^ 2 * Q z)).
    { intros z. unfold df. rewrite CQ, C0, S. ring. }
    assert (NZ : Q x <> 0) by (rewrite Qx; intros Z; apply Rmult_integral in Z; destruct Z; lra).
    (* near x the slope has one sign on either side: the function passes through *)
    assert (P1 : forall e, 0 < e -> e <= r -> (forall z, Rabs (z - x) < e -> z <> x -> 0 < df z) ->
      forall u v, Rabs (u - x) < e -> Rabs (v - x) < e -> u < x < v -> f u < f x < f v).
    { intros e He Hle K u v Hu Hv Huv. apply Rabs_lt_between in Hu. apply Rabs_lt_between in Hv.
      assert (A : forall y, u <= y <= v -> Rabs (y - x) < e) by (intros; apply Rabs_lt_between; lra).
      split; apply (rises f df); try lra;
        try (intros y Hy; apply D; apply Rlt_le_trans with e; [apply A; lra|exact Hle]);
        intros y Hy; apply K; (apply A; lra) || lra. }
    assert (P2 : forall e, 0 < e -> e <= r -> (forall z, Rabs (z - x) < e -> z <> x -> df z < 0) ->
      forall u v, Rabs (u - x) < e -> Rabs (v - x) < e -> u < x < v -> f v < f x < f u).
    { intros e He Hle K u v Hu Hv Huv. apply Rabs_lt_between in Hu. apply Rabs_lt_between in Hv.
      assert (A : forall y, u <= y <= v -> Rabs (y - x) < e) by (intros; apply Rabs_lt_between; lra).
      split; apply (falls f df); try lra;
        try (intros y Hy; apply D; apply Rlt_le_trans with e; [apply A; lra|exact Hle]);
        intros y Hy; apply K; (apply A; lra) || lra. }
    assert (Pts : forall e e', 0 < e -> 0 < e' -> exists d, 0 < d /\ Rabs (x - d - x) < e /\ Rabs (x + d - x) < e
      /\ Rabs (x - d - x) < e' /\ Rabs (x + d - x) < e').
    { intros e e' He He'. exists (Rmin e e' / 2). assert (0 < Rmin e e') by (apply Rmin_pos; assumption).
      assert (Rmin e e' <= e) by apply Rmin_l. assert (Rmin e e' <= e') by apply Rmin_r.
      split; [lra|]. repeat split; apply Rabs_lt_between; lra. }
    assert (Sq : forall z, z <> x -> 0 < (z - x) ^ 2) by (intros; apply pow2_gt_0; lra).
    destruct (Rlt_dec 0 (Q x)) as [G|G].
    + destruct (positive_near Q x CQc G) as (e & He & K).
      assert (KK : forall z, Rabs (z - x) < Rmin e r -> z <> x -> 0 < df z).
      { intros z Hz Hzx. destruct (Half e z Hz) as [H1 H2]. rewrite F.
        apply Rmult_lt_0_compat; [apply W, Rng, H2|]. apply Rmult_lt_0_compat; [apply Sq, Hzx|apply K, H1]. }
      assert (Hm : 0 < Rmin e r) by (apply Rmin_pos; assumption).
      pose proof (P1 (Rmin e r) Hm (Rmin_r e r) KK) as M.
      split; apply not_local_maximum_two; try exact Hx; intros e' He';
        destruct (Pts (Rmin e r) e' Hm He') as (d & Hd & A1 & A2 & B1 & B2);
        destruct (M (x - d) (x + d) A1 A2 ltac:(lra)) as [M1 M2];
        pose proof (Rng (x - d) (proj2 (Half e _ A1))); pose proof (Rng (x + d) (proj2 (Half e _ A2))).
      * exists (x + d). split; [assumption|]. split; [exact B2|exact M2].
      * exists (x - d). split; [assumption|]. split; [exact B1|]. unfold f in *. lra.
    + destruct (negative_near Q x CQc ltac:(lra)) as (e & He & K).
      assert (KK : forall z, Rabs (z - x) < Rmin e r -> z <> x -> df z < 0).
      { intros z Hz Hzx. destruct (Half e z Hz) as [H1 H2]. rewrite F.
        pose proof (W z (Rng z H2)). pose proof (Sq z Hzx). pose proof (K z H1).
        assert (0 < w z * ((z - x) ^ 2 * - Q z))
          by (apply Rmult_lt_0_compat; [assumption|apply Rmult_lt_0_compat; lra]).
        replace (w z * ((z - x) ^ 2 * Q z)) with (- (w z * ((z - x) ^ 2 * - Q z))) by ring. lra. }
      assert (Hm : 0 < Rmin e r) by (apply Rmin_pos; assumption).
      pose proof (P2 (Rmin e r) Hm (Rmin_r e r) KK) as M.
      split; apply not_local_maximum_two; try exact Hx; intros e' He';
        destruct (Pts (Rmin e r) e' Hm He') as (d & Hd & A1 & A2 & B1 & B2);
        destruct (M (x - d) (x + d) A1 A2 ltac:(lra)) as [M1 M2];
        pose proof (Rng (x - d) (proj2 (Half e _ A1))); pose proof (Rng (x + d) (proj2 (Half e _ A2))).
      * exists (x - d). split; [assumption|]. split; [exact B1|exact M2].
      * exists (x + d). split; [assumption|]. split; [exact B2|]. unfold f in *. lra.
Qed.

(** ** Groups of two: where (14) is a maximum, a minimum, neither *)

(** The second derivative of the frozen objective where the old policy is the policy. *)
Theorem vy_s13_curvature : forall rw beta p x, are_laws 2 rw -> 0 < p < 1 -> 0 < x < 1 ->
  is_derive (fun z => Derive (fun t => grpo 2 rw 2 beta (binary p) (binary x) (binary t)) z) x
    (- beta * (3 * x ^ 2 - (4 * p + 1) * x + 2 * p) / (x ^ 2 * (1 - x) ^ 2)).
Proof.
  intros rw beta p x Hrw Hp Hx. set (P := preference 2 rw 2 (binary x)).
  apply (is_derive_ext_loc (fun z => P 0%nat - P 1%nat
     - beta * (- (x * p / z ^ 2) + (1 - x) * (1 - p) / (1 - z) ^ 2 + x / z - (1 - x) / (1 - z)))).
  - assert (Hr : 0 < Rmin x (1 - x)) by (apply Rmin_pos; lra). exists (mkposreal _ Hr). intros z Hz.
    apply Rabs_lt_between in Hz. unfold minus, plus, opp in Hz. simpl in Hz.
    assert (Rmin x (1 - x) <= x) by apply Rmin_l. assert (Rmin x (1 - x) <= 1 - x) by apply Rmin_r.
    symmetry. apply is_derive_unique. apply is_derive_objective_two; lra.
  - auto_derive.
    + repeat split; try lra; nra.
    + field. lra.
Qed.

Lemma bend_on_curve b p x : 0 < b -> b * (x - p) = x * (1 - x) -> b * bend x p = x * (1 - x) * (b - 2 + 4 * x).
Proof.
  intros Hb H. unfold bend. replace (b * (3 * x ^ 2 - (1 + 4 * p) * x + 2 * p))
    with ((4 * x - 2) * (b * (x - p)) + b * (x * (1 - x))) by ring. rewrite H. ring.
Qed.

Lemma eq14_bend b p : 0 < b -> 0 < p < 1 ->
  let t := (3 * b - 2) * (2 - b) in
  (0 < bend (eq14 b p) p <-> t < 16 * b * p) /\
  (bend (eq14 b p) p < 0 <-> 16 * b * p < t) /\
  (bend (eq14 b p) p = 0 <-> 16 * b * p = t).
Proof.
  intros Hb Hp t. destruct (eq14_root b p Hb Hp) as (H1 & H2 & H3).
  pose proof (bend_on_curve b p (eq14 b p) Hb H3) as B.
  (* b - 2 + 4 x = 2 s - b with s the square root *)
  set (x := eq14 b p) in *. set (s := 2 * x - (1 - b)).
  assert (Hs : 0 < s).
  { unfold s, x, eq14. set (D := (1 - b) ^ 2 + 4 * b * p).
    assert (0 < D) by (unfold D; pose proof (pow2_ge_0 (1 - b)); assert (0 < b * p) by nra; lra).
    pose proof (sqrt_lt_R0 D H). lra. }
  assert (S2 : s * s = (1 - b) ^ 2 + 4 * b * p) by (unfold s; nra).
  assert (T : 16 * b * p - t = (2 * s - b) * (2 * s + b)) by (unfold t; nra).
  assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  replace (b - 2 + 4 * x) with (2 * s - b) in B by (unfold s; ring).
  set (y := bend x p) in *. set (d := 2 * s - b) in *.
  assert (Pos : 0 < 2 * s + b) by lra.
  repeat split; intros K.
  - assert (0 < b * y) by (apply Rmult_lt_0_compat; lra). assert (0 < d) by nra. nra.
  - assert (0 < d) by nra. assert (0 < x * (1 - x) * d) by (apply Rmult_lt_0_compat; lra). nra.
  - assert (b * y < 0) by nra. assert (d < 0) by nra. nra.
  - assert (d < 0) by nra. assert (0 < x * (1 - x) * - d) by (apply Rmult_lt_0_compat; lra). nra.
  - rewrite K, Rmult_0_r in B. symmetry in B. apply Rmult_integral in B. destruct B as [B|B]; [lra|]. rewrite B in T.
    lra.
  - assert (Z : d * (2 * s + b) = 0) by lra. apply Rmult_integral in Z. destruct Z as [Z|Z]; [|lra].
    rewrite Z, Rmult_0_r in B. apply Rmult_integral in B. destruct B; lra.
Qed.

(** The second derivative of the objective that the policy freezes: a positive multiple of -bend. *)
Lemma frozen_second P beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) ->
  is_derive (Derive (fun z => objective 2 P beta (binary p) (binary x) (binary z))) x (- (beta / (x ^ 2 * (1 - x) ^
    2)) * bend x p).
Proof.
  intros Hb Hp Hx E.
  apply (is_derive_ext_loc (fun z => beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2)))).
  - assert (H : 0 < Rmin x (1 - x)) by (apply Rmin_pos; lra). exists (mkposreal _ H). intros z Hz.
    change (Rabs (z - x) < Rmin x (1 - x)) in Hz. apply Rabs_def2 in Hz. pose proof (Rmin_l x (1 - x)).
    pose proof (Rmin_r x (1 - x)). symmetry. apply is_derive_unique, frozen_slope; lra || assumption.
  - assert (K : 0 < x * (1 - x)) by nra. unfold frozen_cubic. auto_derive.
    + apply Rgt_not_eq. apply Rmult_lt_0_compat; [exact K|]. change (0 < x ^ 2 * (1 - x) ^ 2).
      apply Rmult_lt_0_compat; apply pow_lt; lra.
    + unfold bend. field. lra.
Qed.

(** Where slope, bend and third derivative vanish, the policy is the only maximum of the objective that it freezes. *)
Lemma frozen_peak P beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 -> p < x -> x < 1 / 3 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) -> bend x p = 0 -> 7 * x ^ 2 - 7 * x + 1 = 0 ->
  forall z, 0 < z < 1 -> z <> x ->
    objective 2 P beta (binary p) (binary x) (binary z) < objective 2 P beta (binary p) (binary x) (binary x).
Proof.
  intros Hb Hp Hx Hpx H3 E S T z Hz Hzx.
  set (L := fun y => (x - p) * (y + 2 * x) + (2 * x ^ 2 - p * x - 3 * x + 2 * p)).
  assert (C : forall y, frozen_cubic x p y = (y - x) ^ 2 * L y).
  { intros y. transitivity ((y - x) ^ 2 * L y - x * (1 - x) * bend x p + (y - x) * ((x - p) * (7 * x ^ 2 - 7 * x + 1))).
    - unfold frozen_cubic, bend, L. ring.
    - rewrite S, T. ring. }
  assert (N : forall y, 0 < y < 1 -> L y < 0).
  { intros y Hy. assert ((x - p) * y < x - p) by nra. unfold L. unfold bend in S. nra. }
  set (D := fun y => x * (1 - x) * (y ^ 2 * (1 - y) ^ 2)).
  assert (HD : forall y, 0 < y < 1 -> 0 < D y).
  { intros y Hy. unfold D. repeat apply Rmult_lt_0_compat; try lra; apply pow_lt; lra. }
  assert (F : forall y, beta * ((y - x) * frozen_cubic x p y) / (x * (1 - x) * (y ^ 2 * (1 - y) ^ 2))
    = (beta * - L y / D y) * (x - y) ^ 3).
  { intros y. rewrite C. unfold D, Rdiv. ring. }
  assert (W : forall y, 0 < y < 1 -> 0 < beta * - L y / D y).
  { intros y Hy. pose proof (N y Hy). apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | apply HD, Hy]. }
  assert (Dv : forall y, 0 < y < 1 -> is_derive (fun s => objective 2 P beta (binary p) (binary x) (binary s)) y
    ((beta * - L y / D y) * (x - y) ^ 3)).
  { intros y Hy. rewrite <- F. apply frozen_slope; assumption. }
  destruct (Rlt_or_le z x) as [K|K].
  - apply (rises (fun s => objective 2 P beta (binary p) (binary x) (binary s))
      (fun y => (beta * - L y / D y) * (x - y) ^ 3)); [exact K | intros y Hy; apply Dv; lra|].
    intros y Hy. apply Rmult_lt_0_compat; [apply W; lra | apply pow_lt; lra].
  - apply (falls (fun s => objective 2 P beta (binary p) (binary x) (binary s))
      (fun y => (beta * - L y / D y) * (x - y) ^ 3)); [lra | intros y Hy; apply Dv; lra|].
    intros y Hy. pose proof (W y ltac:(lra)). assert (0 < (y - x) ^ 3) by (apply pow_lt; lra).
    replace ((x - y) ^ 3) with (- (y - x) ^ 3) by ring. nra.
Qed.

(** Section 1.3 for (14), b = beta/gamma: a strict local maximum of its own frozen objective where
    16 b p > (3 b - 2)(2 - b), a strict local minimum where it is less; where they are equal, neither, but for
    7 b^2 = 12, where it is a strict local maximum still. *)
Theorem vy_s13_stationary_definition : forall rw beta p,
  are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
  let b := beta / margin rw 0 1 in
  let pi := binary (eq14 b p) in
  let J := grpo 2 rw 2 beta (binary p) pi in
  let t := (3 * b - 2) * (2 - b) in
  stationary 2 J pi /\
  (t < 16 * b * p -> strict_local_maximum 2 J pi) /\
  (16 * b * p < t -> strict_local_minimum 2 J pi) /\
  (16 * b * p = t -> 7 * b ^ 2 = 12 -> strict_local_maximum 2 J pi) /\
  (16 * b * p = t -> 7 * b ^ 2 <> 12 -> ~ local_maximum 2 J pi /\ ~ local_minimum 2 J pi).
Proof.
  intros rw beta p Hrw Hb Hp Hg b pi J t. set (gamma := margin rw 0 1) in *.
  assert (B : 0 < b) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root b p B Hp) as (H1 & H2 & H3). destruct (eq14_bend b p B Hp) as (S1 & S2 & S3).
  fold t in S1, S2, S3.
  split; [apply (vy_eq14_exists rw beta p Hrw Hb Hp Hg)|].
  assert (E : beta * (eq14 b p - p) = eq14 b p * (1 - eq14 b p)
    * (preference 2 rw 2 pi 0 - preference 2 rw 2 pi 1)).
  { rewrite (preference_gap_two rw pi) by (apply binary_policy; lra). fold gamma. rewrite <- H3. unfold b. field. lra. }
  destruct (frozen_classification (preference 2 rw 2 pi) beta p (eq14 b p) Hb Hp H1 E) as (C1 & C2 & C3 & C4).
  assert (Deg : 16 * b * p = t -> (7 * eq14 b p ^ 2 - 7 * eq14 b p + 1 = 0 <-> 7 * b ^ 2 = 12)).
  { intros K. apply S3 in K. pose proof (bend_on_curve b p (eq14 b p) B H3) as M. rewrite K, Rmult_0_r in M.
    symmetry in M. apply Rmult_integral in M. destruct M as [M|M].
    - assert (0 < eq14 b p * (1 - eq14 b p)) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (X : eq14 b p = (2 - b) / 4) by lra. rewrite X. split; intros; nra. }
  split; [intros K; apply C1, S1, K|]. split; [intros K; apply C2, S2, K|]. split.
  - intros K K7. apply C3; [apply S3, K|apply Deg; assumption].
  - intros K K7. apply C4; [apply S3, K|lra|]. intros Z. apply K7, Deg; assumption.
Qed.

(** On the border between maximum and minimum: neither, but for one policy, x = 1/2 - sqrt 21 / 14, b = 2 sqrt 21 / 7,
    p = 1/2 - 2 / sqrt 21. *)
Theorem vy_s13_border : forall rw beta p,
  are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
  let b := beta / margin rw 0 1 in
  let x := eq14 b p in
  let J := grpo 2 rw 2 beta (binary p) (binary x) in
  16 * b * p = (3 * b - 2) * (2 - b) ->
  b = 2 * (1 - 2 * x) /\ p = x * (1 - 3 * x) / (2 * (1 - 2 * x)) /\ x < 1 / 3 /\
  (b = 2 * sqrt 21 / 7 -> x = 1 / 2 - sqrt 21 / 14 /\ p = 1 / 2 - 2 / sqrt 21 /\ strict_local_maximum 2 J (binary x) /\
    forall z, 0 < z < 1 -> z <> x -> J (binary z) < J (binary x)) /\
  (b <> 2 * sqrt 21 / 7 -> ~ local_maximum 2 J (binary x) /\ ~ local_minimum 2 J (binary x)).
Proof.
  intros rw beta p Hrw Hb Hp Hg b x J K. set (gamma := margin rw 0 1) in *.
  assert (B : 0 < b) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root b p B Hp) as (H1 & H2 & H3). fold x in H1, H2, H3.
  destruct (eq14_bend b p B Hp) as (_ & _ & S3). pose proof (proj2 S3 K) as Z. fold x in Z.
  pose proof (bend_on_curve b p x B H3) as M. rewrite Z, Rmult_0_r in M. symmetry in M.
  assert (Q : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  assert (X : b = 2 * (1 - 2 * x)) by (apply Rmult_integral in M; destruct M; lra).
  assert (E : p * (2 * (1 - 2 * x)) = x * (1 - 3 * x)) by (pose proof H3 as H4; rewrite X in H4; lra).
  assert (x < 1 / 3).
  { apply Rnot_le_lt. intros N. assert (0 <= x * (3 * x - 1)) by (apply Rmult_le_pos; lra).
    assert (0 < p * (2 * (1 - 2 * x))) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (R0 : 0 < sqrt 21) by (apply sqrt_lt_R0; lra). assert (RR : sqrt 21 * sqrt 21 = 21) by (apply sqrt_sqrt; lra).
  destruct (vy_s13_stationary_definition rw beta p Hrw Hb Hp Hg) as (_ & _ & _ & C3 & C4).
  fold gamma b x J in C3, C4.
  split; [exact X|]. split; [rewrite <- E; field; lra|]. split; [assumption|]. split; intros Hbb.
  - assert (Hx : x = 1 / 2 - sqrt 21 / 14) by lra. split; [exact Hx|]. split.
    + assert (I21 : 2 / sqrt 21 = 2 * sqrt 21 / 21).
      { apply Rmult_eq_reg_r with (sqrt 21); [|lra]. replace (2 / sqrt 21 * sqrt 21) with 2 by (field; lra). lra. }
      apply Rmult_eq_reg_r with (2 * (1 - 2 * x)); [|lra]. rewrite E, I21, Hx. lra.
    + split.
      { apply C3; [exact K|]. rewrite Hbb.
        replace (7 * (2 * sqrt 21 / 7) ^ 2) with (4 / 7 * (sqrt 21 * sqrt 21)) by field.
        lra. }
      apply (frozen_peak (preference 2 rw 2 (binary x)) beta p x); try lra; [|rewrite Hx; nra].
      rewrite (preference_gap_two rw (binary x)) by (apply binary_policy; lra). fold gamma. rewrite <- H3. unfold b.
      field. lra.
  - apply C4; [exact K|]. intros C. apply Hbb.
    assert (F : (b - 2 * sqrt 21 / 7) * (b + 2 * sqrt 21 / 7) = 0) by nra.
    apply Rmult_integral in F. destruct F; lra.
Qed.

Lemma safe_regularisation :
  (forall b p, 0 < b -> 0 < p < 1 -> 3 * b <= 2 \/ 2 <= b \/ (2 - sqrt 3) / 4 < p -> (3 * b - 2) * (2 - b) < 16 * b * p)
    /\
  (forall b, 2 / 3 < b < 2 -> exists p, 0 < p < 1 /\ 16 * b * p < (3 * b - 2) * (2 - b)) /\
  (forall p, 0 < p < (2 - sqrt 3) / 4 -> exists b, 0 < b /\ 16 * b * p < (3 * b - 2) * (2 - b)).
Proof.
  assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra). assert (Q3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  split; [|split].
  - intros b p Hb Hp H. assert (0 < b * p) by (apply Rmult_lt_0_compat; lra). destruct H as [H|[H|H]]; [nra|nra|].
    assert (b * ((2 - sqrt 3) / 4) < b * p) by (apply Rmult_lt_compat_l; lra).
    (* 4 b (2 - sqrt 3) - (3 b - 2)(2 - b) = (sqrt 3 b - 2)^2 *)
    pose proof (pow2_ge_0 (sqrt 3 * b - 2)). nra.
  - intros b Hb. exists ((3 * b - 2) * (2 - b) / (32 * b)). assert (0 < (3 * b - 2) * (2 - b)) by nra.
    split; [split|].
    + apply Rdiv_lt_0_compat; lra.
    + apply Rmult_lt_reg_r with (32 * b); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
    + replace (16 * b * ((3 * b - 2) * (2 - b) / (32 * b))) with ((3 * b - 2) * (2 - b) / 2) by (field; lra). lra.
  - intros p Hp. exists (2 / sqrt 3). assert (0 < 2 / sqrt 3) by (apply Rdiv_lt_0_compat; lra). split; [assumption|].
    assert (E : 2 / sqrt 3 * sqrt 3 = 2) by (field; lra). set (b := 2 / sqrt 3) in *.
    assert (b * p < b * ((2 - sqrt 3) / 4)) by (apply Rmult_lt_compat_l; lra). nra.
Qed.

(** Regularisation that is safe for every reference, references that are safe for every regularisation, and all the
    constants are the best ones. The second derivative is a negative multiple of a number whose sign is that of
    16 b p - (3b - 2)(2 - b). *)
Theorem vy_s13_safe_regularisation :
  (forall rw beta p, are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
     let b := beta / margin rw 0 1 in
     b <= 2 / 3 \/ 2 <= b \/ (2 - sqrt 3) / 4 < p ->
     strict_local_maximum 2 (grpo 2 rw 2 beta (binary p) (binary (eq14 b p))) (binary (eq14 b p))) /\
  (forall b, 2 / 3 < b < 2 -> exists p, 0 < p < 1 /\ forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
     strict_local_minimum 2 (grpo 2 rw 2 (b * margin rw 0 1) (binary p) (binary (eq14 b p))) (binary (eq14 b p))) /\
  (forall p, 0 < p < (2 - sqrt 3) / 4 -> exists b, 0 < b /\ forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
     strict_local_minimum 2 (grpo 2 rw 2 (b * margin rw 0 1) (binary p) (binary (eq14 b p))) (binary (eq14 b p))) /\
  (forall rw b p, 0 < b -> 0 < p < 1 -> 0 < margin rw 0 1 ->
     let x := eq14 b p in
     let e := 3 * x ^ 2 - (1 + 4 * p) * x + 2 * p in
     (exists c, 0 < c /\
        is_derive (Derive (fun z => grpo 2 rw 2 (b * margin rw 0 1) (binary p) (binary x) (binary z))) x (- c * e)) /\
     (0 < e <-> (3 * b - 2) * (2 - b) < 16 * b * p) /\ (e < 0 <-> 16 * b * p < (3 * b - 2) * (2 - b))).
Proof.
  destruct safe_regularisation as (S1 & S2 & S3).
  assert (M : forall rw b p, are_laws 2 rw -> 0 < margin rw 0 1 -> 0 < b -> 0 < p < 1 ->
    16 * b * p < (3 * b - 2) * (2 - b) ->
    strict_local_minimum 2 (grpo 2 rw 2 (b * margin rw 0 1) (binary p) (binary (eq14 b p))) (binary (eq14 b p))).
  { intros rw b p Hrw Hg Hb Hp K.
    destruct (vy_s13_stationary_definition rw (b * margin rw 0 1) p Hrw ltac:(nra) Hp Hg) as (_ & _ & C & _).
    replace (b * margin rw 0 1 / margin rw 0 1) with b in C by (field; lra). apply C, K. }
  split; [|split; [|split]].
  4:{ intros rw b p Hb Hp Hg x e. destruct (eq14_root b p Hb Hp) as (X1 & X2 & X3). fold x in X1, X2, X3.
    destruct (eq14_bend b p Hb Hp) as (E1 & E2 & _). fold x in E1, E2. split; [|split; [exact E1 | exact E2]].
    exists (b * margin rw 0 1 / (x ^ 2 * (1 - x) ^ 2)). split.
    - apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption|]. apply Rmult_lt_0_compat; apply pow_lt; lra.
    - apply (frozen_second (preference 2 rw 2 (binary x)) (b * margin rw 0 1) p x); try assumption;
        [apply Rmult_lt_0_compat; assumption|].
      rewrite (preference_gap_two rw (binary x) (binary_policy x ltac:(lra))), <- X3. ring. }
  - intros rw beta p Hrw Hb Hp Hg b K. assert (B : 0 < b) by (apply Rdiv_lt_0_compat; assumption).
    destruct (vy_s13_stationary_definition rw beta p Hrw Hb Hp Hg) as (_ & C & _). fold b in C.
    apply C, S1; [exact B|exact Hp|].
    destruct K as [K|[K|K]]; [left; lra|right; left; exact K|right; right; exact K].
  - intros b Hb. destruct (S2 b Hb) as (p & Hp & K). exists p. split; [exact Hp|]. intros rw Hrw Hg. apply M; auto. lra.
  - intros p Hp. destruct (S3 p Hp) as (b & Hb & K). exists b. split; [exact Hb|]. intros rw Hrw Hg. apply M; auto.
    assert (0 < sqrt 3) by (apply sqrt_lt_R0; lra). lra.
Qed.

(** beta = gamma and ref(a) = 1/100: (14) gives 1/10, a strict local minimum of its own objective. *)
Theorem vy_s13_local_minimum_witness : forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
  strict_local_minimum 2 (grpo 2 rw 2 (margin rw 0 1) (binary (1 / 100)) (binary (1 / 10))) (binary (1 / 10)).
Proof.
  intros rw Hrw Hg. destruct (vy_s13_stationary_definition rw (margin rw 0 1) (1 / 100) Hrw Hg ltac:(lra) Hg) as
    (_ & _ & M & _).
  assert (E : eq14 (margin rw 0 1 / margin rw 0 1) (1 / 100) = 1 / 10).
  { rewrite vy_s231_sqrt by lra. replace (1 / 100) with ((1 / 10) ^ 2) by field. apply sqrt_pow2. lra. }
  rewrite E in M. apply M. replace (margin rw 0 1 / margin rw 0 1) with 1 by (field; lra). lra.
Qed.

(** At beta = gamma the square root of the reference is a strict local minimum for references below 1/16, where the
    second derivative is positive, a strict local maximum above, and neither at 1/16. *)
Theorem vy_s13_square_root_minimum : forall rw p, are_laws 2 rw -> 0 < margin rw 0 1 -> 0 < p < 1 ->
  let J := grpo 2 rw 2 (margin rw 0 1) (binary p) (binary (sqrt p)) in
  (p < 1 / 16 -> strict_local_minimum 2 J (binary (sqrt p))) /\
  (1 / 16 < p -> strict_local_maximum 2 J (binary (sqrt p))) /\
  (p = 1 / 16 -> ~ local_maximum 2 J (binary (sqrt p)) /\ ~ local_minimum 2 J (binary (sqrt p))) /\
  exists c, 0 < c /\
    is_derive (Derive (fun z => J (binary z))) (sqrt p) (- c * (5 * p - sqrt p * (1 + 4 * p))) /\
    (5 * p - sqrt p * (1 + 4 * p) < 0 <-> p < 1 / 16).
Proof.
  intros rw p Hrw Hg Hp J. destruct (vy_s13_stationary_definition rw (margin rw 0 1) p Hrw Hg Hp Hg) as
    (_ & M1 & M2 & _ & M4).
  rewrite vy_s231_sqrt in M1, M2, M4 by lra. replace (margin rw 0 1 / margin rw 0 1) with 1 in * by (field; lra).
  split; [intros; apply M2; lra|]. split; [intros; apply M1; lra|]. split; [intros; apply M4; lra|].
  pose proof (sqrt_sqrt p ltac:(lra)) as Q. assert (S : 0 < sqrt p) by (apply sqrt_lt_R0; lra).
  assert (L : sqrt p < 1) by nra.
  assert (B : bend (sqrt p) p = 5 * p - sqrt p * (1 + 4 * p)).
  { unfold bend. replace (sqrt p ^ 2) with p by (simpl; rewrite Rmult_1_r, Q; reflexivity). ring. }
  exists (margin rw 0 1 / (sqrt p ^ 2 * (1 - sqrt p) ^ 2)). split; [|split].
  - apply Rdiv_lt_0_compat; [exact Hg|]. apply Rmult_lt_0_compat; apply pow_lt; lra.
  - rewrite <- B. apply frozen_second; try assumption; [lra|].
    rewrite (preference_gap_two rw (binary (sqrt p)) (binary_policy (sqrt p) ltac:(lra))).
    set (s := sqrt p) in *. rewrite <- Q at 1. ring.
  - destruct (eq14_bend 1 p ltac:(lra) Hp) as (_ & N & _). rewrite <- B.
    rewrite <- (vy_s231_sqrt (margin rw 0 1) p) by lra.
    replace (margin rw 0 1 / margin rw 0 1) with 1 by (field; lra). rewrite N. split; lra.
Qed.

(** Local is not global: with b = 1/2 and ref(a) = 1/100 the policy (14) is a strict local maximum of its own objective,
    and the reference policy does better in it. *)
Theorem vy_s13_local_not_global : forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
  let beta := margin rw 0 1 / 2 in
  let p := 1 / 100 in
  let pi := binary (eq14 (1 / 2) p) in
  let J := grpo 2 rw 2 beta (binary p) pi in
  strict_local_maximum 2 J pi /\ J pi < J (binary p).
Proof.
  intros rw Hrw Hg beta p pi J. set (gamma := margin rw 0 1) in *.
  destruct (vy_s13_stationary_definition rw beta p Hrw ltac:(unfold beta; lra) ltac:(unfold p; lra) Hg) as (_ & M & _).
  fold gamma in M. replace (beta / gamma) with (1 / 2) in M by (unfold beta; field; lra).
  split; [apply M; unfold p; lra|].
  unfold J, grpo, objective, kl_0. unfold pi. rewrite !vy_eq16, !expect_binary. fold gamma. unfold beta, p, k3. simpl.
  set (x := eq14 (1 / 2) (1 / 100)).
  assert (X : 509 / 1000 <= x <= 510 / 1000).
  { unfold x, eq14. replace ((1 - 1 / 2) ^ 2 + 4 * (1 / 2) * (1 / 100)) with (27 / 100) by field.
    assert (518 / 1000 <= sqrt (27 / 100)) by (rewrite <- (sqrt_pow2 (518 / 1000)) by lra; apply sqrt_le_1_alt; lra).
    assert (sqrt (27 / 100) <= 52 / 100) by (rewrite <- (sqrt_pow2 (52 / 100)) by lra; apply sqrt_le_1_alt; lra). lra. }
  clearbody x.
  replace (1 / 100 / (1 / 100)) with 1 by field. replace ((1 - 1 / 100) / (1 - 1 / 100)) with 1 by field. rewrite ln_1.
  assert (K : x - 1 / 100 < / 2 * (x * (1 / 100 / x - ln (1 / 100 / x) - 1)
    + (1 - x) * ((1 - 1 / 100) / (1 - x) - ln ((1 - 1 / 100) / (1 - x)) - 1))).
  { (* ln(100 x) > ln 48 > 7/2, and ln((1 - p)/(1 - x)) <= (1 - p)/(1 - x) - 1 *)
    pose proof ln_2_below as L2. assert (L3 : 1 / 3 <= ln (3 / 2)).
    { pose proof (ln_below_le (/ (3 / 2)) ltac:(lra)) as K. rewrite ln_Rinv in K by lra. lra. }
    assert (L48 : ln 48 = 5 * ln 2 + ln (3 / 2)).
    { replace 48 with (2 * 2 * (2 * 2) * 2 * (3 / 2)) by field. rewrite !ln_mult by lra. ring. }
    assert (LX : ln 48 < ln (x / (1 / 100))) by (apply ln_increasing; lra).
    assert (E1 : ln (1 / 100 / x) = - ln (x / (1 / 100))).
    { rewrite <- ln_Rinv by lra. f_equal. field. lra. }
    assert (L1 : ln ((1 - 1 / 100) / (1 - x)) <= (1 - 1 / 100) / (1 - x) - 1).
    { apply ln_below_le, Rdiv_lt_0_compat; lra. }
    rewrite E1. set (a := ln (x / (1 / 100))) in *. set (c := ln ((1 - 1 / 100) / (1 - x))) in *.
    assert (C : (1 - x) * ((1 - 1 / 100) / (1 - x) - c - 1) >= 0) by (apply Rle_ge, Rmult_le_pos; lra).
    replace (x * (1 / 100 / x - - a - 1)) with (1 / 100 + x * a - x) by (field; lra).
    assert (A : 35 / 10 < a) by lra. assert (509 / 1000 * (35 / 10) < x * a) by nra. 
    assert (D : 1 / 100 + x * a - x + (1 - x) * ((1 - 1 / 100) / (1 - x) - c - 1) > 2 * (x - 1 / 100)) by lra. lra. }
  assert (Hm : 0 < gamma) by exact Hg. nra.
Qed.

(** ** Large groups: the same for (15) *)

Lemma large_groups_classification : forall r beta p, r 1%nat < r 0%nat -> 0 < beta -> 0 < p < 1 ->
  let x := eq15 beta p in
  let J := grpo_limit 2 (sure r) beta (binary p) (binary x) in
  stationary 2 J (binary x) /\
  (1 / 2 <= x \/ 4 < (beta ^ 2 + 16) * (x * (1 - x)) -> strict_local_maximum 2 J (binary x)) /\
  (x < 1 / 2 -> (beta ^ 2 + 16) * (x * (1 - x)) < 4 -> strict_local_minimum 2 J (binary x)) /\
  (beta ^ 2 <= 2 -> strict_local_maximum 2 J (binary x)).
Proof.
  intros r beta p Hr Hb Hp x J. destruct (eq15_root beta p Hb Hp) as [H1 H2]. fold x in H1, H2.
  destruct (vy_eq15_exists r beta p Hb Hp Hr) as [_ St]. fold x in St.
  assert (Hx : 0 < x < 1) by lra. assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  pose proof (sqrt_square x Hx) as Q. assert (S : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; exact V).
  set (s := sqrt (x * (1 - x))) in *.
  assert (Es : beta * (x - p) = s).
  { unfold s. symmetry. rewrite <- H2. replace (beta ^ 2 * (x - p) ^ 2) with ((beta * (x - p)) ^ 2) by ring.
    apply sqrt_pow2, Rmult_le_pos; lra. }
  assert (E : beta * (x - p) = x * (1 - x)
    * (limit_preference 2 (sure r) (binary x) 0 - limit_preference 2 (sure r) (binary x) 1)).
  { rewrite limit_gap, sign_eq_1 by lra. fold s. rewrite <- Q, Es. field. lra. }
  destruct (frozen_classification (limit_preference 2 (sure r) (binary x)) beta p x Hb Hp Hx E) as (C1 & C2 & _ & _).
  (* beta bend = s (beta s - 2 (1 - 2 x)) *)
  assert (B : beta * bend x p = s * (beta * s - 2 * (1 - 2 * x))).
  { unfold bend. replace (beta * (3 * x ^ 2 - (1 + 4 * p) * x + 2 * p))
      with ((4 * x - 2) * (beta * (x - p)) + beta * (x * (1 - x))) by ring. rewrite Es, <- Q. ring. }
  assert (F : (beta * s - 2 * (1 - 2 * x)) * (beta * s + 2 * (1 - 2 * x)) = (beta ^ 2 + 16) * (x * (1 - x)) - 4).
  { replace ((beta ^ 2 + 16) * (x * (1 - x))) with (beta ^ 2 * (s * s) + 16 * (x * (1 - x))) by (rewrite Q; ring). ring.
    }
  assert (Bs : 0 < beta * s) by (apply Rmult_lt_0_compat; lra).
  assert (Pos : 0 < beta * s - 2 * (1 - 2 * x) -> strict_local_maximum 2 J (binary x)).
  { intros K. apply C1. assert (0 < beta * bend x p) by (rewrite B; apply Rmult_lt_0_compat; lra). nra. }
  split; [exact St|]. split; [|split].
  - intros [K|K]; apply Pos; [lra|]. destruct (Rle_dec (1 / 2) x); [lra|]. nra.
  - intros K1 K2. apply C2. assert (beta * s - 2 * (1 - 2 * x) < 0) by nra.
    assert (0 < s * - (beta * s - 2 * (1 - 2 * x))) by (apply Rmult_lt_0_compat; lra). nra.
  - intros K. apply Pos. destruct (Rle_dec (1 / 2) x) as [|N]; [lra|].
    (* x > 1/(1 + beta^2) >= 1/3 *)
    destruct (vy_eq15_lower_bound beta p Hb Hp) as [L _]. fold x in L.
    pose proof (Rle_lt_trans _ _ _ (Rmax_l _ _) L) as L1.
    assert (L2 : 1 < (1 + beta ^ 2) * x).
    { apply (Rmult_lt_compat_l (1 + beta ^ 2)) in L1; [|nra]. rewrite Rinv_r in L1 by nra. lra. }
    (* beta^2 x > 1 - x, so (beta^2 + 16) x (1 - x) > (1 - x)^2 + 16 x (1 - x) = 4 + (3 x - 1)(5 - 5 x) + ... *)
    assert (G : 4 < (beta ^ 2 + 16) * (x * (1 - x))).
    { assert ((1 - x) * (1 - x) < beta ^ 2 * x * (1 - x)) by (apply Rmult_lt_compat_r; lra).
      assert (1 < 3 * x) by nra. nra. }
    nra.
Qed.

(** (15): a strict local maximum of its own objective where x >= 1/2 or (beta^2 + 16) x (1 - x) > 4, a strict local
    minimum where it is less; so for every reference where beta <= sqrt 2, and for no larger beta. *)
Theorem vy_s13_large_groups : forall r beta, r 1%nat < r 0%nat -> 0 < beta ->
  let J := fun p => grpo_limit 2 (sure r) beta (binary p) (binary (eq15 beta p)) in
  (forall p, 0 < p < 1 -> let x := eq15 beta p in
     stationary 2 (J p) (binary x) /\
     (1 / 2 <= x \/ 4 < (beta ^ 2 + 16) * (x * (1 - x)) -> strict_local_maximum 2 (J p) (binary x)) /\
     (x < 1 / 2 -> (beta ^ 2 + 16) * (x * (1 - x)) < 4 -> strict_local_minimum 2 (J p) (binary x))) /\
  (beta <= sqrt 2 -> forall p, 0 < p < 1 -> strict_local_maximum 2 (J p) (binary (eq15 beta p))) /\
  (sqrt 2 < beta -> exists p, 0 < p < 1 /\ strict_local_minimum 2 (J p) (binary (eq15 beta p))).
Proof.
  intros r beta Hr Hb J. assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
  assert (Q2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra). split; [|split].
  - intros p Hp x. destruct (large_groups_classification r beta p Hr Hb Hp) as (C1 & C2 & C3 & _).
    split; [exact C1|]. split; assumption.
  - intros K p Hp. apply (large_groups_classification r beta p Hr Hb Hp). nra.
  - intros K. assert (K2 : 2 < beta ^ 2) by nra.
    (* a little above 1/(1 + beta^2), the limit as the reference vanishes *)
    set (B := beta ^ 2) in *. set (x0 := / (1 + B)).
    assert (X0 : 0 < x0 < 1 / 3).
    { unfold x0. split; [apply Rinv_0_lt_compat; lra|]. replace (1 / 3) with (/ 3) by field.
      apply Rinv_lt_contravar; nra. }
    assert (E0 : (1 + B) * x0 = 1) by (unfold x0; field; lra).
    assert (N0 : (B + 16) * (x0 * (1 - x0)) - 4 < 0).
    { assert (0 < (1 + B) ^ 2) by nra. apply Rmult_lt_reg_l with ((1 + B) ^ 2); [assumption|].
      replace ((1 + B) ^ 2 * ((B + 16) * (x0 * (1 - x0)) - 4))
        with ((B + 16) * (((1 + B) * x0) * ((1 + B) - (1 + B) * x0)) - 4 * (1 + B) ^ 2) by ring.
      rewrite E0. nra. }
    destruct (negative_near (fun x => (B + 16) * (x * (1 - x)) - 4) x0) as (e & He & Near).
    { apply (ex_derive_continuous (V := R_NormedModule)). auto_derive; exact I. }
    { exact N0. }
    set (x := x0 + Rmin (e / 2) (1 / 6)).
    assert (R0 : 0 < Rmin (e / 2) (1 / 6)) by (apply Rmin_pos; lra).
    assert (R1 : Rmin (e / 2) (1 / 6) <= e / 2) by apply Rmin_l.
    assert (R2 : Rmin (e / 2) (1 / 6) <= 1 / 6) by apply Rmin_r.
    assert (Hx : x0 < x < 1 / 2) by (unfold x; lra).
    assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
    assert (S0 : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; exact V). pose proof (sqrt_square x ltac:(lra)) as SQ.
    set (p := x - sqrt (x * (1 - x)) / beta).
    assert (Ep : beta * (x - p) = sqrt (x * (1 - x))) by (unfold p; field; lra).
    assert (Hp : 0 < p < 1).
    { split; [|assert (0 < sqrt (x * (1 - x)) / beta) by (apply Rdiv_lt_0_compat; lra); unfold p; lra].
      (* beta^2 x > 1 - x *)
      assert (L : sqrt (x * (1 - x)) < beta * x).
      { rewrite <- (sqrt_pow2 (beta * x)) by nra. apply sqrt_lt_1_alt. split; [lra|].
        replace ((beta * x) ^ 2) with (x * (B * x)) by (unfold B; ring). apply Rmult_lt_compat_l; [lra|]. nra. }
      unfold p. apply Rmult_lt_reg_l with beta; [exact Hb|].
      replace (beta * (x - sqrt (x * (1 - x)) / beta)) with (beta * x - sqrt (x * (1 - x))) by (field; lra). lra. }
    assert (Ex : x = eq15 beta p).
    { apply vy_B1_inf_root_selection; [exact Hb|exact Hp|].
      apply vy_B1_inf_equivalent_quadratic; [exact Hb|exact Hp|lra|exact Ep]. }
    exists p. split; [exact Hp|]. destruct (large_groups_classification r beta p Hr Hb Hp) as (_ & _ & C3 & _).
    rewrite <- Ex in C3. unfold J. rewrite <- Ex. apply C3; [lra|].
    assert (Rabs (x - x0) < e) by (apply Rabs_lt_between; unfold x; lra). specialize (Near x H). cbn beta in Near.
    fold B. lra.
Qed.

Lemma is_partial_reverse_objective n P beta ref x o : (o < n)%nat -> 0 < x o -> 0 < ref o ->
  is_partial (fun z => expect n z P - beta * reverse_kl n z ref) x o (P o + beta * (ref o / x o)).
Proof.
  intros Ho Hx Hr.
  apply (is_partial_ext (fun z => Sum n (fun i => z i * P i - beta * (ref i * ln (ref i / z i))))).
  { intros z. unfold reverse_kl, kl, expect. rewrite Sum_minus, Sum_scal. reflexivity. }
  apply (is_partial_Sum n (fun i t => t * P i - beta * (ref i * ln (ref i / t)))); [exact Ho|].
  auto_derive; [|field; lra].
  repeat split; try lra. apply Rmult_lt_0_compat; [exact Hr|apply Rinv_0_lt_compat, Hx].
Qed.

(** Any number of answers and size of the groups: a policy with full support is stationary for GRPO exactly when it is
    with the reverse KL for the penalty and its own preferences held fixed, and is then the maximum there. *)
Lemma reverse_kl_penalty n rw G beta ref x : 0 < beta -> full_support n ref -> full_support n x ->
  let R := fun z => expect n z (preference n rw G x) - beta * reverse_kl n z ref in
  (on_policy_stationary n (grpo n rw G beta ref) x <-> stationary n R x) /\
  (stationary n R x -> forall z, full_support n z -> R z <= R x).
Proof.
  intros Hb [Fr _] [Fx Sx] R. set (P := preference n rw G x) in *.
  assert (D0 : forall o, (o < n)%nat -> is_partial (objective n P beta ref x) x o (P o - beta * (1 - ref o / x o))).
  { intros o Ho. replace (P o - beta * (1 - ref o / x o)) with (slope (P o) beta (x o) (ref o) (x o))
      by (unfold slope; field; specialize (Fx o Ho); lra).
    apply is_partial_objective; auto. }
  assert (D : forall o, (o < n)%nat -> is_partial R x o (P o + beta * (ref o / x o))).
  { intros o Ho. apply is_partial_reverse_objective; auto. }
  split; [split|].
  - intros (lam & gam & K & H). exists (lam + beta), gam. split; [exact K|]. intros o Ho. destruct (H o Ho) as (A & B).
    split; [|exact B]. pose proof (is_partial_unique _ _ _ _ _ A (D0 o Ho)) as E.
    replace (lam + beta - gam o) with (P o + beta * (ref o / x o)) by lra. apply D, Ho.
  - intros (lam & gam & K & H). exists (lam - beta), gam. split; [exact K|]. intros o Ho. destruct (H o Ho) as (A & B).
    split; [|exact B]. pose proof (is_partial_unique _ _ _ _ _ A (D o Ho)) as E.
    replace (lam - beta - gam o) with (P o - beta * (1 - ref o / x o)) by lra. apply D0, Ho.
  - intros (lam & gam & _ & H) z [Fz Sz].
    assert (L : forall o, (o < n)%nat -> P o + beta * (ref o / x o) = lam).
    { intros o Ho. destruct (H o Ho) as (A & _ & B). rewrite (is_partial_unique _ _ _ _ _ (D o Ho) A).
      apply Rmult_integral in B. specialize (Fx o Ho). lra. }
    assert (T : R z - R x <= Sum n (fun o => lam * z o - lam * x o)).
    { unfold R, reverse_kl, kl, expect. rewrite <- !Sum_scal, <- !Sum_minus. apply Sum_le. intros o Ho.
      specialize (Fx o Ho). specialize (Fz o Ho). specialize (Fr o Ho). rewrite <- (L o Ho), !ln_div by assumption.
      pose proof (ln_below_le (z o / x o) ltac:(apply Rdiv_lt_0_compat; assumption)) as N.
      rewrite ln_div in N by assumption.
      apply (Rmult_le_compat_l (beta * ref o)) in N; [|nra].
      replace (beta * ref o * (z o / x o - 1)) with (beta * (ref o / x o) * z o - beta * (ref o / x o) * x o) in N
        by (field; lra).
      lra. }
    rewrite Sum_minus, !Sum_scal, Sx, Sz in T. lra.
Qed.

(** "Essentially the reverse KL": of two answers and groups of two the slopes are those of the objective with that
    penalty, which is strictly concave; and for any sizes the stationary policies with full support are the same. *)
Theorem vy_s12_penalty_reverse_KL : forall beta, 0 < beta ->
  (forall gamma p, 0 < p < 1 ->
     let F := fun z => gamma * z - beta * reverse_kl 2 (binary z) (binary p) in
     (forall rw x, are_laws 2 rw -> margin rw 0 1 = gamma -> 0 < x < 1 ->
        Derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x = Derive F x) /\
     (forall x, 0 < x < 1 -> exists c, is_derive (fun z => Derive F z) x c /\ c < 0)) /\
  (forall n rw G ref x, full_support n ref -> full_support n x ->
     let R := fun z => expect n z (preference n rw G x) - beta * reverse_kl n z ref in
     (on_policy_stationary n (grpo n rw G beta ref) x <-> stationary n R x) /\
     (stationary n R x -> forall z, full_support n z -> R z <= R x)).
Proof.
  intros beta Hb. split; [intros gamma p Hp F|intros n rw G ref x Hr Hx; apply reverse_kl_penalty; assumption].
  assert (D : forall x, 0 < x < 1 -> is_derive F x (gamma - beta * (- (p / x) + (1 - p) / (1 - x)))).
  { intros x Hx. apply (derive_ext (fun z => gamma * z - beta * (p * ln (p / z) + (1 - p) * ln ((1 - p) / (1 - z))))).
    { intros t. unfold F, reverse_kl, kl. rewrite expect_binary. reflexivity. }
    auto_derive.
    - repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
    - field. lra. }
  split.
  - intros rw x Hrw Hg Hx. transitivity (gamma - beta * (- (p / x) + (1 - p) / (1 - x))).
    + replace (gamma - beta * (- (p / x) + (1 - p) / (1 - x)))
        with (margin rw 0 1 - beta * ((x - p) / (x * (1 - x)))) by (rewrite Hg; field; lra).
      apply is_derive_unique, vy_B1_derivative_on_policy; assumption.
    + symmetry. apply is_derive_unique, D, Hx.
  - intros x Hx. exists (- beta * (p / x ^ 2 + (1 - p) / (1 - x) ^ 2)). split.
    + apply (is_derive_ext_loc (fun z => gamma - beta * (- (p / z) + (1 - p) / (1 - z)))).
      * assert (Hr : 0 < Rmin x (1 - x)) by (apply Rmin_pos; lra). exists (mkposreal _ Hr). intros z Hz.
        apply Rabs_lt_between in Hz. unfold minus, plus, opp in Hz. simpl in Hz.
        assert (Rmin x (1 - x) <= x) by apply Rmin_l. assert (Rmin x (1 - x) <= 1 - x) by apply Rmin_r.
        symmetry. apply is_derive_unique, D. lra.
      * auto_derive; [repeat split; lra|]. field. lra.
    + assert (0 < p / x ^ 2) by (apply Rdiv_lt_0_compat; nra).
      assert (0 < (1 - p) / (1 - x) ^ 2) by (apply Rdiv_lt_0_compat; nra). nra.
Qed.
