(** * Patel (2025): Reinforcement learning for language models

    Every theorem has the name of its claim. Vocabulary V, length T, number of answers n and of samples are arbitrary
    unless a theorem says otherwise; s is the prompt, and every state begins with it. *)

From Coq Require Import Reals Lra Lia Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Calculus Rules Clipping Texts.
Import ListNotations.

Open Scope R_scope.

(** ** Section 2: likelihoods *)

(** One if both texts are the same, zero if not. *)
Definition same_text (x y : list nat) : R := if list_eq_dec Nat.eq_dec x y then 1 else 0.

Lemma same_text_cons : forall a b x y, same_text (b :: y) (a :: x) = at_index a 1 b * same_text y x.
Proof.
  intros a b x y. unfold same_text, at_index. destruct (Nat.eqb_spec b a) as [-> | Hne].
  - destruct (list_eq_dec Nat.eq_dec y x) as [-> | E].
    + destruct (list_eq_dec Nat.eq_dec (a :: x) (a :: x)); [ring | contradiction].
    + destruct (list_eq_dec Nat.eq_dec (a :: y) (a :: x)) as [H | _]; [injection H; contradiction | ring].
  - destruct (list_eq_dec Nat.eq_dec (b :: y) (a :: x)) as [H | _]; [injection H; contradiction | ring].
Qed.

(** The probability of a sequence is the probability that generation begins with it, however much longer it goes on. *)
Theorem pt_chain_rule_sequence : forall V M T U s x, is_model V M -> text V T x ->
  text_expect V M (T + U) s (fun y => same_text (firstn T y) x) = text_prob M s x /\
  list_sum (map (text_prob M s) (texts V T)) = 1.
Proof.
  intros V M T U s x HM Hx. split; [|apply (texts_make_one_law V M T s HM)].
  rewrite expectation_over_prefixes.
  rewrite (text_expect_ext V M T s _ (fun z => same_text z x)).
  - clear U. revert s x Hx. induction T as [|T IH]; intros s x [Hl Hf].
    + destruct x; [|discriminate]. cbn. unfold same_text. destruct (list_eq_dec Nat.eq_dec [] []);
      [reflexivity | contradiction].
    + destruct x as [|a x]; [discriminate|]. inversion Hf; subst. cbn [text_expect text_prob].
      rewrite (expect_ext V (M s) _ (fun b => text_prob M (s ++ [b]) x * at_index a 1 b)).
      * unfold expect. rewrite (Sum_ext V _ (fun b => (M s b * text_prob M (s ++ [b]) x) * at_index a 1 b)) by (intros;
        ring).
        rewrite Sum_mult_at_index by assumption. ring.
      * intros b Hb. rewrite <- (IH (s ++ [b]) x) by (split; [simpl in Hl; lia | assumption]).
        rewrite (text_expect_ext V M T (s ++ [b]) (fun z => same_text (b :: z) (a :: x))
          (fun z => at_index a 1 b * same_text z x))
          by (intros; apply same_text_cons).
        rewrite text_expect_scal. ring.
  - intros z [Hz _]. rewrite (text_expect_ext V M U (s ++ z) _ (fun _ => same_text z x)).
    + apply text_expect_const, HM.
    + intros y _. rewrite firstn_app, Hz, Nat.sub_diag, <- Hz, firstn_all. simpl. rewrite app_nil_r. reflexivity.
Qed.

(** (1): minus the log-likelihood of a text, and that it is a sum over its tokens. *)
Definition nll (M : model) (s x : list nat) : R := along (fun s' a => - ln (M s' a)) s x.

Theorem pt_eq1_nll : forall V M s x, is_model V M -> List.Forall (fun a => (a < V)%nat) x -> 0 < text_prob M s x ->
  nll M s x = - ln (text_prob M s x) /\ 0 <= nll M s x.
Proof.
  intros V M s x HM Hx. unfold nll. revert s. induction Hx as [|a x Ha Hx IH]; intros s Hp; simpl in *; [rewrite ln_1;
    lra|].
  destruct (proj1 (HM s) a Ha) as [Hm | Hm]; [|rewrite <- Hm in Hp; lra].
  assert (Hp' : 0 < text_prob M (s ++ [a]) x).
  { destruct (text_prob_nonneg V M (s ++ [a]) x HM Hx) as [H | H]; [exact H | rewrite <- H in Hp; lra]. }
  destruct (IH _ Hp') as [E H0]. rewrite E in *. rewrite ln_mult by assumption. split; [ring|].
  pose proof (policy_le_1 V (M s) a (HM s) Ha). assert (ln (M s a) <= 0); [|lra].
  rewrite <- ln_1. destruct H as [H | ->]; [apply Rlt_le, ln_increasing; assumption | apply Rle_refl].
Qed.

(** ** Section 8: entropy and divergence *)

Definition entropy (n : nat) (p : nat -> R) : R := expect n p (fun o => - ln (p o)).

Definition cross_entropy (n : nat) (p q : nat -> R) : R := expect n p (fun o => - ln (q o)).

Theorem pt_kl_ce_minus_entropy : forall n p q, policy n p -> policy n q -> absolutely_continuous n p q ->
  cross_entropy n p q - entropy n p = kl n p q.
Proof.
  intros n p q Hp Hq Hac. unfold cross_entropy, entropy, kl. rewrite <- expect_minus. apply Sum_ext. intros o Ho.
  destruct (proj1 Hp o Ho) as [Hpos | Hz]; [|rewrite <- Hz; ring].
  assert (Hqp : 0 < q o).
  { destruct (proj1 Hq o Ho) as [H | H]; [exact H | symmetry in H; specialize (Hac o Ho H); lra]. }
  unfold Rdiv. rewrite ln_mult, ln_Rinv; try assumption; [ring | apply Rinv_0_lt_compat; assumption].
Qed.

Theorem pt_gibbs :
  (forall n p q, policy n p -> policy n q -> absolutely_continuous n p q ->
     entropy n p <= cross_entropy n p q /\
     (cross_entropy n p q = entropy n p <-> forall o, (o < n)%nat -> p o = q o)) /\
  forall n p q, policy n p -> (forall o, (o < n)%nat -> 0 < q o) -> entropy n p + 1 - Sum n q <= cross_entropy n p q.
Proof.
  split.
  - intros n p q Hp Hq Hac. pose proof (pt_kl_ce_minus_entropy n p q Hp Hq Hac).
    destruct (gibbs n p q Hp Hq Hac) as [H0 Heq]. split; [lra|]. rewrite <- Heq. split; intros; lra.
  - intros n p q [Hp H1] Hq. rewrite <- H1. unfold Rminus. apply Rplus_le_reg_r with (Sum n q).
    replace (entropy n p + Sum n p + - Sum n q + Sum n q) with (entropy n p + Sum n p) by ring.
    unfold entropy, cross_entropy, expect. rewrite <- !Sum_plus. apply Sum_le. intros o Ho.
    specialize (Hp o Ho). specialize (Hq o Ho). destruct Hp as [Hp | <-]; [|lra].
    pose proof (ln_below_le (q o / p o) ltac:(apply Rdiv_lt_0_compat; lra)) as L. rewrite ln_div in L by lra.
    apply (Rmult_le_compat_l (p o)) in L; [|lra]. replace (p o * (q o / p o - 1)) with (q o - p o) in L by (field; lra).
    lra.
Qed.

(** ** Section 4.1: REINFORCE *)

Theorem pt_score_mean_zero : forall V M theta dM T s, differentiable_model V M theta dM ->
  (forall s', expect V (M theta s') (score (M theta) dM s') = 0) /\
  text_expect V (M theta) T s (along (score (M theta) dM) s) = 0.
Proof.
  intros V M theta dM T s HM.
  assert (H : forall s', expect V (M theta s') (score (M theta) dM s') = 0) by (intro; apply score_has_mean_zero;
    assumption).
  split; [exact H|]. apply weights_of_mean_zero_add_up_to_mean_zero; [apply (model_at V M theta dM HM) | exact H].
Qed.

(** One more token in front: if the estimates [dW] of the derivatives of the values [W] after each token are exact,
  so is
    the estimate before the token, for every baseline; hence, by induction,
      the policy gradient for texts of any length. *)
Theorem pt_policy_gradient_induction : forall V M theta dM, differentiable_model V M theta dM ->
  (forall s (W : R -> nat -> R) (dW : nat -> R) (b : R),
     (forall a, (a < V)%nat -> is_derive (fun u => W u a) theta (dW a)) ->
     is_derive (fun u => expect V (M u s) (W u)) theta
       (expect V (M theta s) (fun a => score (M theta) dM s a * (W theta a - b) + dW a))) /\
  (forall T s F b, is_derive (fun u => text_expect V (M u) T s F) theta
     (text_expect V (M theta) T s (fun x => along (fun s' a => (F x - b s') * score (M theta) dM s' a) s x))).
Proof.
  intros V M theta dM HM. split.
  - intros s W dW b HW.
    replace (expect V (M theta s) (fun a => score (M theta) dM s a * (W theta a - b) + dW a))
      with (Sum V (fun a => dM s a * W theta a + M theta s a * dW a)).
    + apply (is_derive_Sum V (fun u a => M u s a * W u a)). intros a Ha.
      apply (is_derive_ext (fun u => mult (M u s a) (W u a))); [reflexivity|].
      apply (@is_derive_mult R_AbsRing (fun u => M u s a) (fun u => W u a));
        [apply (proj2 HM), Ha | apply HW, Ha | intros; apply Rmult_comm].
    + rewrite <- (Rminus_0_r (Sum V _)). replace 0 with (b * expect V (M theta s) (score (M theta) dM s))
        by (rewrite (score_has_mean_zero V M theta dM s HM); ring).
      unfold expect. rewrite <- Sum_scal, <- Sum_minus. apply Sum_ext. intros a Ha.
      pose proof (token_gradient V M theta dM s a HM Ha) as E. set (g := score (M theta) dM s a) in *. rewrite <- E.
        ring.
  - intros T s F b. apply policy_gradient_with_baseline, HM.
Qed.

(** (3) for one text, reward and baseline held fixed. *)
Definition reinforce_loss (M : model) (reward : list nat -> R) (b : list nat -> R) (s x : list nat) : R :=
  - along (fun s' a => (reward x - b s') * ln (M s' a)) s x.

Definition reinforce_slope (M dM : model) (reward : list nat -> R) (b : list nat -> R) (s x : list nat) : R :=
  - along (fun s' a => (reward x - b s') * score M dM s' a) s x.

Lemma reinforce_loss_derive : forall V M theta dM reward b s x, differentiable_model V M theta dM ->
  List.Forall (fun a => (a < V)%nat) x -> 0 < text_prob (M theta) s x ->
  is_derive (fun u => reinforce_loss (M u) reward b s x) theta (reinforce_slope (M theta) dM reward b s x).
Proof.
  intros V M theta dM reward b s x HM Hx. unfold reinforce_loss, reinforce_slope. generalize (reward x). intro c.
    revert s.
  induction Hx as [|a x Ha Hx IH]; intros s Hp; simpl in *.
  - rewrite Ropp_0. apply (@is_derive_const R_AbsRing R_NormedModule).
  - pose proof (model_at V M theta dM HM) as Hmod.
    destruct (proj1 (Hmod s) a Ha) as [Hm | Hm]; [|rewrite <- Hm in Hp; lra].
    assert (Hp' : 0 < text_prob (M theta) (s ++ [a]) x).
    { destruct (text_prob_nonneg V (M theta) (s ++ [a]) x Hmod Hx) as [H | H]; [exact H | rewrite <- H in Hp; lra]. }
    specialize (IH _ Hp'). set (rest := along _ (s ++ [a]) x) in *.
    replace (- ((c - b s) * score (M theta) dM s a + rest)) with (- ((c - b s) * score (M theta) dM s a) + - rest)
      by ring.
    apply (is_derive_ext (fun u => - ((c - b s) * ln (M u s a)) + - along (fun s' a0 => (c - b s') * ln (M u s' a0))
      (s ++ [a]) x)).
    { intro u. simpl. ring. }
    apply (@is_derive_plus R_AbsRing R_NormedModule); [|exact IH]. apply is_derive_opp'.
    apply is_derive_scal. unfold score, Rdiv. rewrite Rmult_comm.
    apply (is_derive_ext (fun u => ln (M u s a))); [reflexivity|]. rewrite Rmult_comm.
    apply (is_derive_comp ln (fun u => M u s a) theta (/ M theta s a) (dM s a)); [apply is_derive_ln;
      exact Hm | apply (proj2 HM), Ha].
Qed.

Lemma text_expectation : forall V M T s, is_model V M -> expectation (text_expect V M T s).
Proof.
  intros V M T s HM. exists (map (fun x => (text_prob M s x, x)) (texts V T)). split; [|split].
  - intros w Hw. apply in_map_iff in Hw. destruct Hw as [x [<- Hx]]. apply in_texts in Hx. simpl.
    apply (text_prob_nonneg V); [exact HM | apply Hx].
  - rewrite map_map. simpl. apply (texts_make_one_law V M T s HM).
  - intro f. rewrite map_map. simpl. apply text_law_is_product.
Qed.

(** (3): for S texts of the model itself, with any baseline of the states, reward and baseline held fixed, the expected
    gradient of the loss is minus the gradient of the expected reward. *)
Theorem pt_eq3_reinforce : forall V M theta dM T s reward b S, differentiable_model V M theta dM -> (0 < S)%nat ->
  (forall x, text V T x -> 0 < text_prob (M theta) s x ->
     is_derive (fun u => reinforce_loss (M u) reward b s x) theta (reinforce_slope (M theta) dM reward b s x)) /\
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (- draws (text_expect V (M theta) T s) S (fun sample => mean (map (reinforce_slope (M theta) dM reward b s)
      sample))).
Proof.
  intros V M theta dM T s reward b S HM HS. split.
  - intros x [_ Hx] Hp. apply (reinforce_loss_derive V); assumption.
  - rewrite mean_over_a_group_has_the_expectation_of_one_member;
    [| apply text_expectation, (model_at V M theta dM HM) | exact HS].
    replace (- text_expect V (M theta) T s (reinforce_slope (M theta) dM reward b s))
      with (text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x)).
    + apply policy_gradient_with_baseline, HM.
    + unfold reinforce_slope.
      rewrite (text_expect_ext V (M theta) T s (fun x => - _ x) (fun x => (-1) * along (fun s' a => (reward x - b s')
        * score (M theta) dM s' a) s x)) by (intros; ring).
      rewrite text_expect_scal. ring.
Qed.

Theorem pt_reward_weighted_reinforce : forall V M theta dM T s reward S, differentiable_model V M theta dM ->
  (0 < S)%nat ->
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (- draws (text_expect V (M theta) T s) S (fun sample => mean (map (reinforce_slope (M theta) dM reward (fun _ => 0)
      s) sample))).
Proof. intros. apply pt_eq3_reinforce; assumption. Qed.

Theorem pt_baseline_unbiased : forall V M theta dM T s b, differentiable_model V M theta dM ->
  text_expect V (M theta) T s (along (fun s' a => b s' * score (M theta) dM s' a) s) = 0.
Proof. intros. apply baseline_adds_nothing. assumption. Qed.

(** Fine-tuning on the model's own unselected texts does nothing on average. *)
Theorem pt_sft_own_samples : forall V M theta dM T s, differentiable_model V M theta dM ->
  text_expect V (M theta) T s (reinforce_slope (M theta) dM (fun _ => 1) (fun _ => 0) s) = 0.
Proof.
  intros V M theta dM T s HM. unfold reinforce_slope.
  rewrite (text_expect_ext V (M theta) T s _ (fun x => (-1) * along (score (M theta) dM) s x)).
  - rewrite text_expect_scal, (proj2 (pt_score_mean_zero V M theta dM T s HM)). ring.
  - intros x _. rewrite (along_same (fun s' a => (1 - 0) * score (M theta) dM s' a) (score (M theta) dM)) by (intros;
    ring). ring.
Qed.

(** The coin: one parameter, the probability of the first of two tokens, in every state. *)
Definition coin (u : R) : model := fun _ => binary u.

Definition coin_slope : model := fun _ a => match a with O => 1 | S O => -1 | _ => 0 end.

Lemma coin_differentiable : forall u, 0 < u < 1 -> differentiable_model 2 coin u coin_slope.
Proof.
  intros u Hu. split.
  - assert (Hr : 0 < Rmin u (1 - u)) by (apply Rmin_pos; lra). exists (mkposreal _ Hr). intros y Hy s.
    change (Rabs (y - u) < Rmin u (1 - u)) in Hy. pose proof (Rmin_l u (1 - u)). pose proof (Rmin_r u (1 - u)).
    apply Rabs_def2 in Hy. apply binary_policy. lra.
  - intros s [|[|a]] Ha; [| |lia]; unfold coin, coin_slope, binary; auto_derive; auto; ring.
Qed.

(** A baseline that knows the token that was drawn is not harmless: with b = R nothing is left of the gradient. *)
Theorem pt_baseline_anything :
  (forall V M theta dM T s reward b, differentiable_model V M theta dM ->
     is_derive (fun u => text_expect V (M u) T s reward) theta
       (text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x))) /\
  exists (V T : nat) (M : R -> model) (theta : R) (dM : model) (s : list nat) (reward : list nat -> R)
    (b : list nat -> nat -> R), differentiable_model V M theta dM /\
  text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s' a) * score (M theta) dM s' a) s x) <>
  text_expect V (M theta) T s (fun x => along (fun s' a => reward x * score (M theta) dM s' a) s x).
Proof.
  split; [intros; apply policy_gradient_with_baseline; assumption|].
  exists 2%nat, 1%nat, coin, (1 / 2), coin_slope, [], (fun x => match x with [O] => 1 | _ => 0 end),
    (fun _ a => match a with O => 1 | _ => 0 end).
  split; [apply coin_differentiable; lra|]. simpl. unfold expect, coin, score, coin_slope. simpl. lra.
Qed.

(** ** Section 4.5: importance sampling *)

(** (18): the mean of N > 0 weighted draws from q is unbiased where q covers p. *)
Theorem pt_eq18_importance_sampling : forall n p q x N, policy n q -> absolutely_continuous n p q -> (0 < N)%nat ->
  draws (expect n q) N (fun sample => mean (map (fun o => p o / q o * x o) sample)) = expect n p x.
Proof.
  intros n p q x N Hq Hac HN. rewrite mean_over_a_group_has_the_expectation_of_one_member; [apply change_of_measure;
    exact Hac | | exact HN].
  exists (map (fun o => (q o, o)) (seq 0 n)). split; [|split].
  - intros w Hw. apply in_map_iff in Hw. destruct Hw as [o [<- Ho]]. apply in_seq in Ho. simpl. apply (proj1 Hq). lia.
  - rewrite map_map. simpl. rewrite <- Sum_list. apply (proj2 Hq).
  - intro f. rewrite map_map. simpl. unfold expect. apply Sum_list.
Qed.

Theorem pt_sampling_mismatch : forall V M N T s reward, covers V N M ->
  text_expect V N T s (fun x => ratio_product M N s x * reward x) = text_expect V M T s reward.
Proof.
  intros V M N T s reward Hc. rewrite <- (change_of_measure_for_texts V M N T s reward Hc).
  apply text_expect_ext. intros x _. rewrite weight_of_text_is_product_of_token_ratios. reflexivity.
Qed.

(** Minus the loss (7) for one text, with a weight A of token and state held fixed. *)
Definition ratio_gain (M N : model) (A : list nat -> nat -> R) (s x : list nat) : R :=
  along (fun s' a => M s' a / N s' a * A s' a) s x.

(** What the ratio of single tokens gives: every token's advantage under M, but in states that N visits. *)
Lemma ratio_gain_uses_states_of_the_old_policy : forall V M N T s A, is_model V N -> covers V N M ->
  text_expect V N T s (ratio_gain M N A s) = text_expect V N T s (along (fun s' _ => expect V (M s') (A s')) s).
Proof.
  intros V M N T s A HN Hc. unfold ratio_gain. rewrite expectation_along_text_uses_conditional_means by exact HN.
  apply text_expect_ext. intros x _. apply along_same. intros s' _. apply change_of_measure, Hc.
Qed.

Lemma ratio_loss_where_exact : forall V M theta dM N T s reward b, differentiable_model V M theta dM -> is_model V N ->
  covers V N (M theta) ->
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (text_expect V N T s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s')
      * score (M theta) dM s' a) s x)) /\
  is_derive (fun u => text_expect V (M u) 1 s reward) theta
    (text_expect V N 1 s (fun x => along (fun s' a => M theta s' a / N s' a * (reward x - b s') * score (M theta)
      dM s' a) s x)) /\
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (text_expect V (M theta) T s (fun x => along (fun s' a => M theta s' a / M theta s' a * (reward x - b s')
      * score (M theta) dM s' a) s x)).
Proof.
  intros V M theta dM N T s reward b HM HN Hc.
  assert (H1 : forall K, is_derive (fun u => text_expect V (M u) K s reward) theta
    (text_expect V N K s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s')
      * score (M theta) dM s' a) s x))).
  { intro K. rewrite (pt_sampling_mismatch V (M theta) N K s (fun x => along (fun s' a => (reward x - b s')
    * score (M theta) dM s' a) s x) Hc).
    apply policy_gradient_with_baseline, HM. }
  split; [apply H1|]. split.
  - specialize (H1 1%nat). replace (text_expect V N 1 s (fun x => along _ s x)) with
      (text_expect V N 1 s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s')
        * score (M theta) dM s' a) s x)); [exact H1|].
    apply text_expect_ext. intros x [Hx _]. destruct x as [|a [|c x]]; try discriminate. simpl. ring.
  - replace (text_expect V (M theta) T s (fun x => along _ s x)) with
      (text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x));
      [apply policy_gradient_with_baseline, HM|].
    apply text_expect_ext. intros x [_ Hx]. apply (along_ext V); [exact Hx|]. intros s' a Ha. unfold score.
    destruct (Req_dec (M theta s' a) 0) as [H0 | H0]; [|field; exact H0].
    rewrite (zero_probability_is_stationary V M theta dM s' a HM Ha H0). unfold Rdiv. ring.
Qed.

Lemma ratio_loss_where_biased : exists (V : nat) (M : R -> model) (theta : R) (dM N : model)
    (reward : list nat -> R) (d : R),
  differentiable_model V M theta dM /\ is_model V N /\ covers V N (M theta) /\
  is_derive (fun u => text_expect V (M u) 2 [] reward) theta d /\
  text_expect V N 2 [] (fun x => along (fun s' a => M theta s' a / N s' a * reward x * score (M theta) dM s' a) [] x)
    <> d.
Proof.
  exists 2%nat, coin, (1 / 2), coin_slope, (coin (1 / 4)), (fun x => match x with [O; O] => 1 | _ => 0 end).
  exists (text_expect 2 (coin (1 / 2)) 2 [] (fun x => (match x with [O;
    O] => 1 | _ => 0 end) * along (score (coin (1 / 2)) coin_slope) [] x)).
  assert (Hd : differentiable_model 2 coin (1 / 2) coin_slope) by (apply coin_differentiable; lra).
  split; [exact Hd|]. split; [intro s; apply binary_policy; lra|].
  split; [intros s [|[|o]] Ho; unfold coin, binary; intros; lra || lia|].
  split; [apply policy_gradient, Hd|]. simpl. unfold expect, coin, score, coin_slope. simpl. lra.
Qed.

(** When the ratio loss is importance sampling: with the product of the ratios of the whole text for every length,
  with the
    ratio of the token for texts of one token, and where both models agree. And why (7) is none: for texts of two tokens
    and another model than the one that sampled, its gradient is another. *)
Theorem pt_eq7_IS_unbiased :
  (forall V M theta dM N T s reward b, differentiable_model V M theta dM -> is_model V N -> covers V N (M theta) ->
    is_derive (fun u => text_expect V (M u) T s reward) theta
      (text_expect V N T s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s')
        * score (M theta) dM s' a) s x)) /\
    is_derive (fun u => text_expect V (M u) 1 s reward) theta
      (text_expect V N 1 s (fun x => along (fun s' a => M theta s' a / N s' a * (reward x - b s') * score (M theta)
        dM s' a) s x)) /\
    is_derive (fun u => text_expect V (M u) T s reward) theta
      (text_expect V (M theta) T s (fun x => along (fun s' a => M theta s' a / M theta s' a * (reward x - b s')
        * score (M theta) dM s' a) s x))) /\
  exists (V : nat) (M : R -> model) (theta : R) (dM N : model) (reward : list nat -> R) (d : R),
    differentiable_model V M theta dM /\ is_model V N /\ covers V N (M theta) /\
    is_derive (fun u => text_expect V (M u) 2 [] reward) theta d /\
    text_expect V N 2 [] (fun x => along (fun s' a => M theta s' a / N s' a * reward x * score (M theta) dM s' a) [] x)
      <> d.
Proof. split; [exact ratio_loss_where_exact | exact ratio_loss_where_biased]. Qed.

(** ** Sections 4.2 and 4.3: values and advantages *)

(** The value of a state, and the advantage, of the model N on texts of T tokens after s: the expected reward,
  and what a
    token adds to it. *)
Definition value (V : nat) (N : model) (K : nat) (reward : list nat -> R) (x : list nat) : R :=
  text_expect V N K x (fun y => reward (x ++ y)).

Fixpoint advantages (V : nat) (N : model) (K : nat) (reward : list nat -> R) (x y : list nat) : R :=
  match K, y with
  | S k, a :: rest => value V N k reward (x ++ [a]) - value V N (S k) reward x + advantages V N k reward (x ++ [a]) rest
  | _, _ => 0
  end.

(** The performance difference: what M earns more than N is the advantage of N, added up along the texts of M. *)
Theorem pt_performance_difference : forall V M N K reward x, is_model V M -> is_model V N ->
  value V M K reward x - value V N K reward x = text_expect V M K x (advantages V N K reward x).
Proof.
  intros V M N K. induction K as [|K IH]; intros reward x HM HN; unfold value at 1; [unfold value; simpl; ring|].
  cbn [text_expect]. set (v := value V N (S K) reward x).
  transitivity (expect V (M x) (fun a => (value V N K reward (x ++ [a]) - v) + (value V M K reward (x ++ [a]) -
    value V N K reward (x ++ [a])))).
  - rewrite (expect_ext V (M x) (fun a => value V N K reward (x ++ [a]) - v + _) (fun a => value V M K reward (x ++
    [a]) - v)) by (intros; ring).
    rewrite expect_minus, expect_const by apply HM. f_equal. apply expect_ext. intros a _.
    unfold value. apply text_expect_ext. intros y _. rewrite <- app_assoc. reflexivity.
  - apply expect_ext. intros a _. cbn [advantages]. fold v. rewrite text_expect_plus, text_expect_const by exact HM.
    rewrite (IH reward (x ++ [a]) HM HN). reflexivity.
Qed.

(** Bellman's equation, and the value at the end of a text. *)
Theorem pt_bellman : forall V N K reward x,
  value V N (S K) reward x = expect V (N x) (fun a => value V N K reward (x ++ [a])) /\ value V N 0 reward x = reward x.
Proof.
  intros V N K reward x. unfold value. simpl. split; [|rewrite app_nil_r; reflexivity].
  apply expect_ext. intros a _. apply text_expect_ext. intros y _. rewrite <- app_assoc. reflexivity.
Qed.

(** The value of a state is the expected reward of the texts that begin with it,
  however the expectation is taken apart. *)
Theorem pt_value_function : forall V N K L reward x, is_model V N ->
  value V N (K + L) reward x = text_expect V N (K + L) x (fun y => reward (x ++ y)) /\
  value V N (K + L) reward x = text_expect V N K x (fun y => value V N L reward (x ++ y)).
Proof.
  intros V N K L reward x HN. split; [reflexivity|]. unfold value. rewrite expectation_over_prefixes.
  apply text_expect_ext. intros y _. apply text_expect_ext. intros z _. rewrite app_assoc. reflexivity.
Qed.

(** The advantage Q - V of a token in a state, for texts of L tokens in all; zero once the text is complete. *)
Definition exact_advantage (V : nat) (N : model) (L : nat) (reward : list nat -> R) : list nat -> nat -> R := fun x a =>
  if le_lt_dec L (length x) then 0
  else value V N (L - S (length x)) reward (x ++ [a]) - value V N (L - length x) reward x.

Lemma exact_advantage_mean : forall V N L reward x, is_model V N -> expect V (N x) (exact_advantage V N L reward x) = 0.
Proof.
  intros V N L reward x HN. unfold exact_advantage. destruct (le_lt_dec L (length x)) as [H | H];
    [apply expect_const, HN|].
  replace (L - length x)%nat with (S (L - S (length x))) by lia. set (K := (L - S (length x))%nat).
  rewrite expect_minus, (proj1 (pt_bellman V N K reward x)), expect_const by apply HN. ring.
Qed.

(** (4): given the token, reward less value has the expectation Q - V, whose mean over the tokens is zero;
  at the last token
    both are equal. *)
Theorem pt_eq4_advantage : forall V N K reward x a, is_model V N ->
  text_expect V N K (x ++ [a]) (fun y => reward ((x ++ [a]) ++ y) - value V N (S K) reward x) =
    value V N K reward (x ++ [a]) - value V N (S K) reward x /\
  expect V (N x) (fun b => value V N K reward (x ++ [b]) - value V N (S K) reward x) = 0 /\
  reward (x ++ [a]) - value V N 1 reward x = value V N 0 reward (x ++ [a]) - value V N 1 reward x.
Proof.
  intros V N K reward x a HN. split; [|split].
  - rewrite text_expect_minus, text_expect_const by exact HN. reflexivity.
  - rewrite expect_minus, (proj1 (pt_bellman V N K reward x)), expect_const by apply HN. ring.
  - rewrite (proj2 (pt_bellman V N 0 reward (x ++ [a]))). reflexivity.
Qed.

(** The policy gradient with exact advantages in place of rewards. *)
Lemma policy_gradient_with_advantage : forall V M theta dM K reward s, differentiable_model V M theta dM ->
  is_derive (fun u => value V (M u) K reward s) theta
    (text_expect V (M theta) K s
       (along (fun x a => exact_advantage V (M theta) (length s + K) reward x a * score (M theta) dM x a) s)).
Proof.
  intros V M theta dM K reward s HM. pose proof (model_at V M theta dM HM) as Hmod. revert s.
  induction K as [|K IH]; intro s.
  - apply (is_derive_ext (fun _ => reward s)); [intro u; symmetry; apply (pt_bellman V (M u) 0)|].
    apply (@is_derive_const R_AbsRing R_NormedModule).
  - apply (is_derive_ext (fun u => expect V (M u s) (fun a => value V (M u) K reward (s ++ [a])))).
    { intro u. symmetry. apply pt_bellman. }
    set (w := fun x a => exact_advantage V (M theta) (length s + S K) reward x a * score (M theta) dM x a).
    set (dW := fun a => text_expect V (M theta) K (s ++ [a]) (along w (s ++ [a]))).
    replace (text_expect V (M theta) (S K) s (along w s))
      with (expect V (M theta s) (fun a => score (M theta) dM s a * (value V (M theta) K reward (s ++ [a]) -
        value V (M theta) (S K) reward s) + dW a)).
    + apply (pt_policy_gradient_induction V M theta dM HM). intros a Ha.
      specialize (IH (s ++ [a])). unfold dW, w.
      replace (length s + S K)%nat with (length (s ++ [a]) + K)%nat by (rewrite app_length; simpl; lia). exact IH.
    + simpl. apply expect_ext. intros a _. rewrite text_expect_plus, text_expect_const by exact Hmod. fold (dW a).
      f_equal.
      unfold w, exact_advantage. destruct (le_lt_dec (length s + S K) (length s)) as [H | H]; [lia|].
      replace (length s + S K - S (length s))%nat with K by lia.
        replace (length s + S K - length s)%nat with (S K) by lia. ring.
Qed.

Lemma is_derive_list_sum : forall {A : Type} (l : list A) (f : R -> A -> R) x df, (forall a, In a l ->
  is_derive (fun u => f u a) x (df a)) ->
  is_derive (fun u => list_sum (map (f u) l)) x (list_sum (map df l)).
Proof.
  intros A l f x df H. induction l as [|a l IH]; simpl; [apply (@is_derive_const R_AbsRing R_NormedModule)|].
  apply (@is_derive_plus R_AbsRing R_NormedModule); [apply H; left; reflexivity | apply IH; intros; apply H; right;
    assumption].
Qed.

Lemma is_derive_along : forall V (w : R -> list nat -> nat -> R) theta dw s x, List.Forall (fun a => (a < V)%nat) x ->
  (forall s' a, (a < V)%nat -> is_derive (fun u => w u s' a) theta (dw s' a)) ->
  is_derive (fun u => along (w u) s x) theta (along dw s x).
Proof.
  intros V w theta dw s x Hx H. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl;
  [apply (@is_derive_const R_AbsRing R_NormedModule)|].
  apply (@is_derive_plus R_AbsRing R_NormedModule); [apply H; exact Ha | apply IH].
Qed.

(** The advantage in the ratio losses is that of the sampling policy: with it the gradient of (7),
  where both models agree, is
    that of the expected reward; with the exact advantage of the model that is updated (7) vanishes identically. *)
Theorem pt_eq7_A1_index :
  (forall V M theta dM T s reward, differentiable_model V M theta dM -> exists d,
     is_derive (fun u => value V (M u) T reward s) theta d /\
     is_derive (fun u => text_expect V (M theta) T s
       (ratio_gain (M u) (M theta) (exact_advantage V (M theta) (length s + T) reward) s)) theta d) /\
  (forall V M N T s reward, is_model V M -> is_model V N -> covers V N M ->
     text_expect V N T s (ratio_gain M N (exact_advantage V M (length s + T) reward) s) = 0).
Proof.
  split.
  - intros V M theta dM T s reward HM. pose proof (model_at V M theta dM HM) as Hmod.
    eexists. split; [apply policy_gradient_with_advantage, HM|].
    set (A := exact_advantage V (M theta) (length s + T) reward).
    set (dw := fun x a => A x a * score (M theta) dM x a).
    apply (is_derive_ext (fun u => list_sum (map (fun x => text_prob (M theta) s x * ratio_gain (M u) (M theta) A s x)
      (texts V T)))).
    { intro u. symmetry. apply text_law_is_product. }
    rewrite text_law_is_product.
    apply (is_derive_list_sum (texts V T) (fun u x => text_prob (M theta) s x * ratio_gain (M u) (M theta) A s x) theta
             (fun x => text_prob (M theta) s x * along dw s x)).
    intros x Hx. apply in_texts in Hx. apply is_derive_scal. unfold ratio_gain.
    apply (is_derive_along V (fun u s' a => M u s' a / M theta s' a * A s' a) theta dw s x (proj2 Hx)).
    intros s' a Ha. unfold dw, score.
    replace (A s' a * (dM s' a / M theta s' a)) with ((A s' a / M theta s' a) * dM s' a) by (unfold Rdiv; ring).
    assert (Hext : forall u : R, A s' a / M theta s' a * M u s' a = M u s' a / M theta s' a * A s' a) by (intro;
      unfold Rdiv; ring).
    apply (is_derive_ext _ _ _ _ Hext).
    apply is_derive_scal. apply (proj2 HM), Ha.
  - intros V M N T s reward HM HN Hc. rewrite ratio_gain_uses_states_of_the_old_policy by assumption.
    rewrite (text_expect_ext V N T s _ (fun _ => 0)); [apply text_expect_const; exact HN|].
    intros x _. rewrite (along_same _ (fun _ _ => 0)); [apply along_zero | intros s' _; apply exact_advantage_mean, HM].
Qed.

(** ** Section 4.8: the advantage within a group *)

Lemma draws_of_sum : forall {A : Type} (E : (A -> R) -> R) (N : nat) (g : A -> R), expectation E ->
  draws E N (fun l => list_sum (map g l)) = INR N * E g.
Proof.
  intros A E N g HE. induction N as [|N IH]; [simpl; ring|].
  cbn [draws map list_sum]. rewrite (E_ext E HE _ (fun a => g a + INR N * E g)).
  - rewrite (E_plus E HE), (E_const E HE), S_INR. ring.
  - intro a. rewrite (E_plus (draws E N) (draws_E E N HE)), (E_const (draws E N) (draws_E E N HE)). rewrite IH.
    reflexivity.
Qed.

(** The group's mean contains the text's own reward, and shortens the expected step by 1 - 1/G. *)
Theorem pt_eq13_own_reward : forall V M theta dM T s reward G d, differentiable_model V M theta dM -> (0 < G)%nat ->
  is_derive (fun u => text_expect V (M u) T s reward) theta d ->
  draws (text_expect V (M theta) T s) G (fun group => mean (map (fun x =>
    (reward x - mean (map reward group)) * along (score (M theta) dM) s x) group)) = (1 - 1 / INR G) * d.
Proof.
  intros V M theta dM T s reward G d HM HG Hd. pose proof (model_at V M theta dM HM) as Hmod.
  set (E := text_expect V (M theta) T s). assert (HE : expectation E) by (apply text_expectation; exact Hmod).
  set (g := along (score (M theta) dM) s). destruct G as [|N]; [lia|].
  assert (HN : INR (S N) <> 0) by (apply not_0_INR; lia).
  rewrite (mean_over_positions_of_a_group_is_that_of_one_position (list nat) E N (fun x l => (reward x -
    mean (map reward l)) * g x) HE).
  2: { intros a l l' Hl. rewrite (mean_perm _ _ (Permutation_map reward Hl)). reflexivity. }
  rewrite (E_ext E HE _ (fun x => (1 - 1 / INR (S N)) * (reward x * g x) + (- (INR N / INR (S N) * E reward)) * g x)).
  - rewrite (E_plus E HE), !(E_scal E HE).
    assert (Hg : E g = 0) by apply (pt_score_mean_zero V M theta dM T s HM).
    assert (Hgrad : E (fun x => reward x * g x) = d).
    { pose proof (policy_gradient V M theta dM T s reward HM) as H. apply is_derive_unique in H.
      apply is_derive_unique in Hd.
      rewrite <- Hd, H. reflexivity. }
    rewrite Hg, Hgrad. ring.
  - intro a. rewrite (draws_ext E HE N _ (fun l => ((1 - 1 / INR (S N)) * (reward a * g a)) + (- (1 / INR (S N)) * g a)
    * list_sum (map reward l))).
    + rewrite (E_plus (draws E N) (draws_E E N HE)), (E_const (draws E N) (draws_E E N HE)), (E_scal (draws E N)
      (draws_E E N HE)).
      rewrite draws_of_sum by exact HE. field. exact HN.
    + intros l Hl. unfold mean. rewrite map_length. cbn [map list_sum length]. rewrite Hl. field. exact HN.
Qed.

(** ** Section 4.7: the divergence in the reward *)

(** The charges of a text, (12) without beta. *)
Definition charges (M N : model) (s x : list nat) : R := along (fun s' a => ln (M s' a / N s' a)) s x.

(** The sum of the charges estimates the divergence of whole texts, which is the sum of those of the states on the way.
  *)
Theorem pt_kl_aggregates_value : forall V M N T s, is_model V M -> is_model V N -> covers V N M ->
  text_expect V M T s (charges M N s) = text_kl V M N T s /\
  text_kl V M N T s = text_expect V M T s (along (fun s' _ => kl V (M s') (N s')) s).
Proof.
  intros V M N T s HM HN Hc. split; [|apply kl_chain_rule_for_texts; assumption].
  rewrite kl_chain_rule_for_texts by assumption. unfold charges.
  rewrite expectation_along_text_uses_conditional_means by exact HM. reflexivity.
Qed.

Lemma along_nonneg : forall V w s x, List.Forall (fun a => (a < V)%nat) x -> (forall s' a, (a < V)%nat ->
  0 <= w s' a) ->
  0 <= along w s x.
Proof.
  intros V w s x Hx H. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl; [lra|]. specialize (H s a Ha).
    specialize (IH (s ++ [a])). lra.
Qed.

(** (12) as a value: the charge takes beta times a divergence off the expected return, and every other model pays. *)
Theorem pt_eq12_sign : forall V M N T s beta reward, is_model V M -> is_model V N -> covers V N M -> 0 < beta ->
  text_expect V M T s (fun x => reward x - beta * charges M N s x) =
    text_expect V M T s reward - beta * text_kl V M N T s /\
  0 <= text_kl V M N T s /\
  (text_kl V M N T s = 0 <-> forall x, text V T x -> text_prob M s x = text_prob N s x).
Proof.
  intros V M N T s beta reward HM HN Hc Hb.
  rewrite text_expect_minus, text_expect_scal. rewrite (proj1 (pt_kl_aggregates_value V M N T s HM HN Hc)).
  split; [reflexivity|].
  set (g := fun x => text_prob M s x * ln (text_prob M s x / text_prob N s x) - (text_prob M s x - text_prob N s x)).
  assert (Hg : forall x, In x (texts V T) -> 0 <= g x).
  { intros x Hx. apply in_texts in Hx. unfold g.
    destruct (gibbs_term (text_prob M s x) (text_prob N s x)) as [H _]; [apply (text_prob_nonneg V);
      [exact HM | apply Hx]
      | apply (text_prob_nonneg V); [exact HN | apply Hx] | apply (text_prob_covered V); [exact Hc | apply Hx] | lra]. }
  assert (E : text_kl V M N T s = list_sum (map g (texts V T))).
  { unfold text_kl. rewrite text_law_is_product. unfold g.
    rewrite (list_sum_ext (fun x => text_prob M s x * ln (text_prob M s x / text_prob N s x) - (text_prob M s x -
      text_prob N s x))
      (fun x => (text_prob M s x * ln (text_prob M s x / text_prob N s x) + (-1) * text_prob M s x) + text_prob N s x))
        by (intros; ring).
    rewrite !list_sum_plus, list_sum_scal, (proj2 (texts_make_one_law V M T s HM)),
      (proj2 (texts_make_one_law V N T s HN)). ring. }
  rewrite E. split; [apply list_sum_nonneg; exact Hg|]. split.
  - intros H0 x Hx. pose proof (list_sum_eq_0 g (texts V T) Hg H0 x (proj2 (in_texts V T x) Hx)) as Hz. unfold g in Hz.
    destruct (gibbs_term (text_prob M s x) (text_prob N s x)) as [_ H]; [apply (text_prob_nonneg V);
      [exact HM | apply Hx]
      | apply (text_prob_nonneg V); [exact HN | apply Hx] | apply (text_prob_covered V);
        [exact Hc | apply Hx] | apply H; lra].
  - intros Heq. rewrite (list_sum_ext g (fun _ => 0 * 0)); [rewrite list_sum_const; ring|].
    intros x Hx. unfold g. rewrite (Heq x (proj1 (in_texts V T x) Hx)).
    destruct (Req_dec (text_prob N s x) 0) as [H0 | H0]; [rewrite H0; ring|].
    replace (text_prob N s x / text_prob N s x) with 1 by (field; exact H0). rewrite ln_1. ring.
Qed.

(** For texts of the model before the update the same sum is minus the other divergence. *)
Theorem pt_kl_aggregates_sampler : forall V M N T s, is_model V M -> is_model V N -> covers V N M -> covers V M N ->
  text_expect V N T s (charges M N s) = - text_kl V N M T s /\ text_expect V N T s (charges M N s) <= 0.
Proof.
  intros V M N T s HM HN Hc Hc'.
  assert (E : text_expect V N T s (charges M N s) = - text_kl V N M T s).
  { rewrite <- (proj1 (pt_kl_aggregates_value V N M T s HN HM Hc')).
    rewrite (text_expect_ext_positive V N T s (charges M N s) (fun x => (-1) * charges N M s x) HN).
    - rewrite text_expect_scal. ring.
    - intros x [_ Hx] Hp. destruct (log_ratio_along V N M s x HN HM Hc' Hx Hp) as [HpM En].
      destruct (log_ratio_along V M N s x HM HN Hc Hx HpM) as [_ Em]. unfold charges. rewrite <- En, <- Em.
      replace (text_prob M s x / text_prob N s x) with (/ (text_prob N s x / text_prob M s x)) by (field; lra).
      rewrite ln_Rinv by (apply Rdiv_lt_0_compat; lra). ring. }
  split; [exact E|]. rewrite E. destruct (pt_eq12_sign V N M T s 1 (fun _ => 0) HN HM Hc') as [_ [H _]]; [lra|]. lra.
Qed.

(** ** Section 4.9: direct preference optimisation *)

(** The policy that is best for a reward with the penalty: the reference tilted by exp(R/beta), and no other. *)
Theorem pt_rlhf_optimum : forall n r beta ref, 0 < beta -> policy n ref ->
  policy n (tilted n r beta ref) /\ absolutely_continuous n (tilted n r beta ref) ref /\
  rlhf n r beta ref (tilted n r beta ref) = beta * ln (partition n r beta ref) /\
  forall pi, policy n pi -> absolutely_continuous n pi ref ->
    rlhf n r beta ref pi = beta * ln (partition n r beta ref) - beta * kl n pi (tilted n r beta ref) /\
    rlhf n r beta ref pi <= rlhf n r beta ref (tilted n r beta ref) /\
    (rlhf n r beta ref pi = rlhf n r beta ref (tilted n r beta ref) <-> forall o, (o < n)%nat ->
      pi o = tilted n r beta ref o).
Proof.
  intros n r beta ref Hb Href. destruct (tilted_policy n r beta ref Href) as [Ht [Htr Hrt]].
  split; [exact Ht|]. split; [exact Htr|]. split.
  - rewrite regularised_reward_is_minus_a_divergence by assumption.
    destruct (gibbs n (tilted n r beta ref) (tilted n r beta ref) Ht Ht) as [_ [_ Hself]]; [intros o _ H; exact H|].
    rewrite Hself by reflexivity. ring.
  - intros pi Hp Hac. split; [apply regularised_reward_is_minus_a_divergence; assumption|].
    apply regularised_reward_has_one_maximum; assumption.
Qed.

Lemma tilted_full : forall n r beta ref, full_support n ref -> full_support n (tilted n r beta ref).
Proof.
  intros n r beta ref Href. pose proof (partition_positive n r beta ref (full_support_policy n ref Href)) as HZ.
  destruct (tilted_policy n r beta ref (full_support_policy n ref Href)) as [[_ H1] _]. split; [|exact H1].
  intros o Ho. unfold tilted. apply Rdiv_lt_0_compat; [|exact HZ]. apply Rmult_lt_0_compat;
    [apply (proj1 Href o Ho) | apply exp_pos].
Qed.

(** The reward that a policy is best for, up to a constant. *)
Theorem pt_dpo_reparametrisation : forall n beta ref, 0 < beta -> full_support n ref ->
  (forall r o, (o < n)%nat ->
     r o = implicit_reward beta (tilted n r beta ref) ref o + beta * ln (partition n r beta ref)) /\
  (forall r o o', (o < n)%nat -> (o' < n)%nat ->
     implicit_reward beta (tilted n r beta ref) ref o - implicit_reward beta (tilted n r beta ref) ref o' = r o - r o')
       /\
  (forall pi, full_support n pi -> partition n (implicit_reward beta pi ref) beta ref = 1).
Proof.
  intros n beta ref Hb Href.
  assert (H1 : forall r o, (o < n)%nat -> r o = implicit_reward beta (tilted n r beta ref) ref o +
    beta * ln (partition n r beta ref)).
  { intros r o Ho. pose proof (partition_positive n r beta ref (full_support_policy n ref Href)) as HZ.
    pose proof (proj1 Href o Ho) as Hr. unfold implicit_reward, tilted.
    replace (ref o * exp (r o / beta) / partition n r beta ref / ref o) with (exp (r o / beta)
      * / partition n r beta ref) by (field; lra).
    rewrite ln_mult, ln_exp, ln_Rinv; try apply exp_pos; try assumption; [field; lra | apply Rinv_0_lt_compat;
      exact HZ]. }
  split; [exact H1|]. split.
  - intros r o o' Ho Ho'. pose proof (H1 r o Ho). pose proof (H1 r o' Ho'). lra.
  - intros pi [Hp Hp1]. unfold partition, expect. rewrite <- Hp1. apply Sum_ext. intros o Ho. unfold implicit_reward.
    specialize (Hp o Ho). pose proof (proj1 Href o Ho) as Hr.
    replace (beta * ln (pi o / ref o) / beta) with (ln (pi o / ref o)) by (field; lra).
    rewrite exp_ln by (apply Rdiv_lt_0_compat; assumption). field. lra.
Qed.

(** Rewards up to a constant correspond one to one to policies with full support. *)
Theorem pt_dpo_bijection : forall n beta ref, 0 < beta -> full_support n ref ->
  (forall pi, full_support n pi -> forall o, (o < n)%nat -> tilted n (implicit_reward beta pi ref) beta ref o = pi o) /\
  (forall r, exists c, forall o, (o < n)%nat -> implicit_reward beta (tilted n r beta ref) ref o = r o + c) /\
  (forall r r', (forall o, (o < n)%nat -> tilted n r beta ref o = tilted n r' beta ref o) <->
     exists c, forall o, (o < n)%nat -> r o = r' o + c).
Proof.
  intros n beta ref Hb Href. destruct (pt_dpo_reparametrisation n beta ref Hb Href) as [H1 [H2 H3]]. split; [|split].
  - intros pi Hpi o Ho. unfold tilted. rewrite (H3 pi Hpi). unfold implicit_reward.
    pose proof (proj1 Hpi o Ho). pose proof (proj1 Href o Ho).
    replace (beta * ln (pi o / ref o) / beta) with (ln (pi o / ref o)) by (field; lra).
    rewrite exp_ln by (apply Rdiv_lt_0_compat; assumption). field. lra.
  - intro r. exists (- (beta * ln (partition n r beta ref))). intros o Ho. pose proof (H1 r o Ho). lra.
  - intros r r'. split.
    + intro H. exists (beta * ln (partition n r beta ref) - beta * ln (partition n r' beta ref)). intros o Ho.
      rewrite (H1 r o Ho), (H1 r' o Ho). unfold implicit_reward. rewrite (H o Ho). ring.
    + intros [c Hc] o Ho.
      assert (E : forall i, (i < n)%nat -> ref i * exp (r i / beta) = exp (c / beta) * (ref i * exp (r' i / beta))).
      { intros i Hi. rewrite (Hc i Hi). replace ((r' i + c) / beta) with (c / beta + r' i / beta) by (field; lra).
        rewrite exp_plus. ring. }
      assert (EZ : partition n r beta ref = exp (c / beta) * partition n r' beta ref).
      { unfold partition, expect. rewrite <- Sum_scal. apply Sum_ext. exact E. }
      unfold tilted. rewrite (E o Ho), EZ.
      pose proof (partition_positive n r' beta ref (full_support_policy n ref Href)). pose proof (exp_pos (c / beta)).
        field. lra.
Qed.

(** The loss (6) of a reward is the DPO loss of its best policy, and the DPO loss of a policy is the loss (6)
  of its reward. *)
Theorem pt_dpo_final : forall n beta ref w l, 0 < beta -> full_support n ref -> (w < n)%nat -> (l < n)%nat ->
  (forall r, bradley_terry_loss r w l =
     - ln (sigmoid (beta * ln (tilted n r beta ref w / ref w) - beta * ln (tilted n r beta ref l / ref l)))) /\
  (forall pi, dpo_loss beta pi ref w l = - ln (sigmoid (beta * ln (pi w / ref w) - beta * ln (pi l / ref l))) /\
     dpo_loss beta pi ref w l = bradley_terry_loss (implicit_reward beta pi ref) w l) /\
  (forall z, sigmoid z + sigmoid (- z) = 1).
Proof.
  intros n beta ref w l Hb Href Hw Hl. split; [|split].
  - intro r. unfold bradley_terry_loss, bradley_terry. destruct (pt_dpo_reparametrisation n beta ref Hb Href)
    as [_ [H2 _]].
    rewrite <- (H2 r w l Hw Hl). reflexivity.
  - intro pi. split; reflexivity.
  - intros z. unfold sigmoid. rewrite Ropp_involutive, exp_Ropp. pose proof (exp_pos z). field. lra.
Qed.

(** Data: pairs (w, l) of answers to one prompt, w preferred, each with its weight. *)
Definition reward_risk (data : list (R * (nat * nat))) (r : nat -> R) : R :=
  list_sum (map (fun d => fst d * bradley_terry_loss r (fst (snd d)) (snd (snd d))) data).

Definition dpo_risk (data : list (R * (nat * nat))) (beta : R) (ref pi : nat -> R) : R :=
  list_sum (map (fun d => fst d * dpo_loss beta pi ref (fst (snd d)) (snd (snd d))) data).

(** Fitting the reward and optimising it with the penalty is fitting DPO: equal values, hence the same minimisers. *)
Theorem pt_dpo_equivalence : forall n beta ref data, 0 < beta -> full_support n ref ->
  (forall d, In d data -> (fst (snd d) < n)%nat /\ (snd (snd d) < n)%nat) ->
  (forall r, reward_risk data r = dpo_risk data beta ref (tilted n r beta ref)) /\
  (forall pi, dpo_risk data beta ref pi = reward_risk data (implicit_reward beta pi ref)) /\
  (forall r, (forall r', reward_risk data r <= reward_risk data r') <->
     (forall pi, full_support n pi -> dpo_risk data beta ref (tilted n r beta ref) <= dpo_risk data beta ref pi)) /\
  (forall pi, full_support n pi ->
     ((forall pi', full_support n pi' -> dpo_risk data beta ref pi <= dpo_risk data beta ref pi') <->
      exists r, (forall r', reward_risk data r <= reward_risk data r') /\
        forall o, (o < n)%nat -> pi o = tilted n r beta ref o)).
Proof.
  intros n beta ref data Hb Href Hdata.
  assert (H1 : forall r, reward_risk data r = dpo_risk data beta ref (tilted n r beta ref)).
  { intro r. apply list_sum_ext. intros d Hd. destruct (Hdata d Hd) as [Hw Hl]. f_equal.
    apply (pt_dpo_final n beta ref (fst (snd d)) (snd (snd d)) Hb Href Hw Hl). }
  assert (H2 : forall pi, dpo_risk data beta ref pi = reward_risk data (implicit_reward beta pi ref)) by reflexivity.
  assert (H3 : forall r, (forall r', reward_risk data r <= reward_risk data r') <->
     (forall pi, full_support n pi -> dpo_risk data beta ref (tilted n r beta ref) <= dpo_risk data beta ref pi)).
  { intro r. rewrite <- H1. split.
    - intros H pi _. rewrite H2. apply H.
    - intros H r'. rewrite (H1 r'). apply H. apply tilted_full. exact Href. }
  split; [exact H1|]. split; [exact H2|]. split; [exact H3|]. intros pi Hpi.
  assert (Hsame : forall r, (forall o, (o < n)%nat -> pi o = tilted n r beta ref o) ->
            dpo_risk data beta ref pi = dpo_risk data beta ref (tilted n r beta ref)).
  { intros r Hr. apply list_sum_ext. intros d Hd. destruct (Hdata d Hd) as [Hw Hl].
    unfold dpo_loss, bradley_terry_loss, bradley_terry, implicit_reward. rewrite (Hr _ Hw), (Hr _ Hl). reflexivity. }
  split.
  - intros H. exists (implicit_reward beta pi ref). split.
    + intro r'. rewrite <- H2, (H1 r'). apply H, tilted_full, Href.
    + intros o Ho. symmetry. apply (proj1 (pt_dpo_bijection n beta ref Hb Href)); assumption.
  - intros [r [Hmin Hr]] pi' Hpi'. rewrite (Hsame r Hr). exact (proj1 (H3 r) Hmin pi' Hpi').
Qed.

(** Answers to two prompts: the normalisers do not cancel. *)
Theorem pt_dpo_one_prompt : forall n r r' beta ref ref' o o', 0 < beta -> full_support n ref -> full_support n ref' ->
  (o < n)%nat -> (o' < n)%nat ->
  r o - r' o' = implicit_reward beta (tilted n r beta ref) ref o - implicit_reward beta (tilted n r' beta ref') ref' o'
    + beta * ln (partition n r beta ref) - beta * ln (partition n r' beta ref').
Proof.
  intros n r r' beta ref ref' o o' Hb Href Href' Ho Ho'.
  destruct (pt_dpo_reparametrisation n beta ref Hb Href) as [H1 _].
    destruct (pt_dpo_reparametrisation n beta ref' Hb Href') as [H1' _].
  pose proof (H1 r o Ho). pose proof (H1' r' o' Ho'). lra.
Qed.

(** The log-ratio of a text is the sum of those of its tokens,
  and the divergence of texts that of the states on the way. *)
Theorem pt_dpo_tokens : forall V M N T s, is_model V M -> is_model V N -> covers V N M ->
  (forall x, text V T x -> 0 < text_prob M s x ->
     ln (text_prob M s x / text_prob N s x) = along (fun s' a => ln (M s' a / N s' a)) s x) /\
  text_kl V M N T s = text_expect V M T s (along (fun s' _ => kl V (M s') (N s')) s).
Proof.
  intros V M N T s HM HN Hc. split.
  - intros x [_ Hx] Hp. apply (log_ratio_along V); assumption.
  - apply kl_chain_rule_for_texts; assumption.
Qed.

(** The worth of a prefix x of K more tokens, and the model of tokens that makes the tilted law of texts. *)
Definition worth (V : nat) (N : model) (beta : R) (reward : list nat -> R) (K : nat) (x : list nat) : R :=
  text_expect V N K x (fun y => exp (reward (x ++ y) / beta)).

Definition best_token (V : nat) (N : model) (beta : R) (reward : list nat -> R) (L : nat) : model := fun x a =>
  if le_lt_dec L (length x) then N x a
  else N x a * worth V N beta reward (L - S (length x)) (x ++ [a]) / worth V N beta reward (L - length x) x.

Lemma worth_positive : forall V N beta reward K x, is_model V N -> 0 < worth V N beta reward K x.
Proof.
  intros V N beta reward K. unfold worth. induction K as [|K IH]; intros x HN; simpl; [apply exp_pos|].
  set (f := fun a => text_expect V N K (x ++ [a]) (fun y => exp (reward (x ++ a :: y) / beta))).
  assert (Hf : forall a, 0 < f a).
  { intro a. specialize (IH (x ++ [a]) HN). unfold f.
    rewrite (text_expect_ext V N K (x ++ [a]) _ (fun y => exp (reward ((x ++ [a]) ++ y) / beta))); [exact IH|].
    intros y _. rewrite <- app_assoc. reflexivity. }
  destruct (Rle_lt_or_eq_dec 0 (expect V (N x) f)) as [H | H]; [| exact H | exfalso].
  - apply Sum_nonneg. intros a Ha. apply Rmult_le_pos; [apply (proj1 (HN x) a Ha) | apply Rlt_le, Hf].
  - symmetry in H. assert (Hz : forall a, (a < V)%nat -> N x a * f a = 0).
    { apply Sum_eq_0; [|exact H]. intros a Ha. apply Rmult_le_pos; [apply (proj1 (HN x) a Ha) | apply Rlt_le, Hf]. }
    assert (Sum V (N x) = 0); [|destruct (HN x); lra]. apply Sum_zero. intros a Ha.
    specialize (Hz a Ha). apply Rmult_integral in Hz. specialize (Hf a). destruct Hz; lra.
Qed.

Lemma worth_step : forall V N beta reward K x,
  worth V N beta reward (S K) x = expect V (N x) (fun a => worth V N beta reward K (x ++ [a])).
Proof.
  intros. unfold worth. simpl. apply expect_ext. intros a _. apply text_expect_ext. intros y _. rewrite <- app_assoc.
    reflexivity.
Qed.

(** The best law of texts is a policy of tokens: nothing is lost by treating whole texts as answers. *)
Theorem pt_dpo_token_optimum : forall V N beta reward T s, is_model V N ->
  is_model V (best_token V N beta reward (length s + T)) /\
  forall x, text V T x ->
    text_prob (best_token V N beta reward (length s + T)) s x =
    text_prob N s x * exp (reward (s ++ x) / beta) / text_expect V N T s (fun y => exp (reward (s ++ y) / beta)).
Proof.
  intros V N beta reward T s HN. split.
  - intro x. unfold best_token. set (L := (length s + T)%nat). destruct (le_lt_dec L (length x)) as [H | H].
    + split; [apply (proj1 (HN x)) | apply (proj2 (HN x))].
    + replace (L - length x)%nat with (S (L - S (length x))) by lia. set (K := (L - S (length x))%nat).
      pose proof (worth_positive V N beta reward (S K) x HN) as Hw. split.
      * intros a Ha. apply Rdiv_le_0_compat; [|exact Hw].
        apply Rmult_le_pos; [apply (proj1 (HN x) a Ha) | apply Rlt_le, worth_positive, HN].
      * rewrite Sum_div. fold (expect V (N x) (fun a => worth V N beta reward K (x ++ [a]))).
        rewrite <- worth_step. field. lra.
  - intros x [Hl Hx]. fold (worth V N beta reward T s).
    assert (G : forall x s' K L, length x = K -> L = (length s' + K)%nat ->
              text_prob (best_token V N beta reward L) s' x =
              text_prob N s' x * exp (reward (s' ++ x) / beta) / worth V N beta reward K s').
    { clear - HN. induction x as [|a x IH]; intros s' K L HK HL; simpl in HK; subst K.
      - simpl. unfold worth. simpl. rewrite app_nil_r. pose proof (exp_pos (reward s' / beta)). field. lra.
      - simpl text_prob. rewrite (IH (s' ++ [a]) (length x) L eq_refl) by (rewrite app_length; simpl; lia).
        unfold best_token. destruct (le_lt_dec L (length s')) as [H | H]; [lia|].
        replace (L - S (length s'))%nat with (length x) by lia. replace (L - length s')%nat with (S (length x)) by lia.
        rewrite <- app_assoc. simpl app.
        pose proof (worth_positive V N beta reward (length x) (s' ++ [a]) HN).
        pose proof (worth_positive V N beta reward (S (length x)) s' HN). field. lra. }
    apply G; [exact Hl | reflexivity].
Qed.

(** ** Section 8.7: weights by inverse variance *)

Definition variance (n : nat) (pi X : nat -> R) : R := expect n pi (fun o => (X o - expect n pi X) ^ 2).

Definition covariance (n : nat) (pi X Y : nat -> R) : R := expect n pi (fun o => (X o - expect n pi X) * (Y o -
  expect n pi Y)).

Definition uncorrelated (n : nat) (pi : nat -> R) (rho : nat) (tau : nat -> nat -> R) : Prop :=
  forall i j, (i < rho)%nat -> (j < rho)%nat -> i <> j -> covariance n pi (tau i) (tau j) = 0.

Definition plain_average (rho : nat) (tau : nat -> nat -> R) (o : nat) : R := Sum rho (fun i => tau i o) / INR rho.

Definition weighted_average (rho : nat) (tau : nat -> nat -> R) (phi : nat -> R) (o : nat) : R :=
  Sum rho (fun i => tau i o * phi i) / Sum rho phi.

Lemma variance_ext : forall n pi X Y, (forall o, X o = Y o) -> variance n pi X = variance n pi Y.
Proof.
  intros n pi X Y H. unfold variance. rewrite (expect_ext n pi X Y) by (intros; apply H). apply expect_ext. intros o _.
  rewrite H. reflexivity.
Qed.

Lemma variance_of_uncorrelated : forall n pi rho c tau, policy n pi -> uncorrelated n pi rho tau ->
  variance n pi (fun o => Sum rho (fun i => c i * tau i o)) = Sum rho (fun i => c i ^ 2 * variance n pi (tau i)).
Proof.
  intros n pi rho c tau Hp Hu. unfold variance at 1. rewrite (variance_of_linear_combination n pi rho c tau Hp).
  apply Sum_ext. intros i Hi.
  rewrite (Sum_ext rho _ (fun j => (c i * c j * covariance n pi (tau i) (tau i)) * at_index i 1 j)).
  - rewrite Sum_mult_at_index by exact Hi. unfold covariance, variance.
    rewrite (expect_ext n pi (fun o => (tau i o - expect n pi (tau i)) * (tau i o - expect n pi (tau i)))
      (fun o => (tau i o - expect n pi (tau i)) ^ 2)) by (intros; ring). ring.
  - intros j Hj. unfold at_index. destruct (Nat.eqb_spec j i) as [-> | Hne]; [unfold covariance; ring|].
    pose proof (Hu i j Hi Hj ltac:(congruence)) as H0. unfold covariance in H0. rewrite H0. ring.
Qed.

(** The inequality of Cauchy and Schwarz, with the case of equality. *)
Theorem pt_cauchy_schwarz_statement : forall n u v,
  (Sum n (fun i => u i * v i)) ^ 2 <= Sum n (fun i => u i ^ 2) * Sum n (fun i => v i ^ 2) /\
  (0 < Sum n (fun i => v i ^ 2) ->
   ((Sum n (fun i => u i * v i)) ^ 2 = Sum n (fun i => u i ^ 2) * Sum n (fun i => v i ^ 2) <->
    exists c, forall i, (i < n)%nat -> u i = c * v i)).
Proof.
  intros n u v. set (A := Sum n (fun i => u i ^ 2)). set (B := Sum n (fun i => v i ^ 2)).
    set (C := Sum n (fun i => u i * v i)).
  assert (Hgap : forall t, Sum n (fun i => (u i - t * v i) ^ 2) = A - 2 * t * C + t ^ 2 * B).
  { intro t. unfold A, B, C. rewrite <- !Sum_scal, <- Sum_minus, <- Sum_plus. apply Sum_ext. intros; ring. }
  assert (Hnn : forall t, 0 <= Sum n (fun i => (u i - t * v i) ^ 2)) by (intro; apply Sum_nonneg; intros;
    apply pow2_ge_0).
  assert (HB : 0 <= B) by (apply Sum_nonneg; intros; apply pow2_ge_0).
  assert (Hmain : 0 < B -> B * Sum n (fun i => (u i - C / B * v i) ^ 2) = A * B - C ^ 2).
  { intro HB'. rewrite Hgap. field. lra. }
  split.
  - destruct HB as [HB | HB].
    + specialize (Hmain HB). assert (0 <= B * Sum n (fun i => (u i - C / B * v i) ^ 2)) by (apply Rmult_le_pos;
      [lra | apply Hnn]). lra.
    + assert (Hz : forall i, (i < n)%nat -> v i ^ 2 = 0) by (apply Sum_eq_0; [intros; apply pow2_ge_0 | symmetry;
      exact HB]).
      assert (HC : C = 0).
      { apply Sum_zero. intros i Hi. specialize (Hz i Hi). simpl in Hz. rewrite Rmult_1_r in Hz.
        apply Rmult_integral in Hz.
        destruct Hz as [-> | ->]; ring. }
      rewrite HC, <- HB. lra.
  - intros HB'. specialize (Hmain HB'). split.
    + intro E. exists (C / B). intros i Hi.
      assert (Hz : Sum n (fun i => (u i - C / B * v i) ^ 2) = 0).
      { apply Rmult_eq_reg_l with B; lra. }
      pose proof (Sum_eq_0 n _ (fun j _ => pow2_ge_0 (u j - C / B * v j)) Hz i Hi) as H. simpl in H.
      rewrite Rmult_1_r in H. apply Rmult_integral in H. destruct H; lra.
    + intros [c Hc]. assert (HCc : C = c * B).
      { unfold C, B. rewrite <- Sum_scal. apply Sum_ext. intros i Hi. rewrite (Hc i Hi). ring. }
      assert (HAc : A = c ^ 2 * B).
      { unfold A, B. rewrite <- Sum_scal. apply Sum_ext. intros i Hi. rewrite (Hc i Hi). ring. }
      rewrite HCc, HAc. ring.
Qed.

Lemma precision_positive : forall rho (v : nat -> R), (0 < rho)%nat -> (forall i, (i < rho)%nat -> 0 < v i) ->
  0 < Sum rho (fun i => 1 / v i).
Proof.
  intros rho v Hr Hv. apply Sum_pos with 0%nat; [intros i Hi; apply Rlt_le | exact Hr |]; apply Rdiv_lt_0_compat;
    try lra; auto.
Qed.

(** Any weights that sum to one, against those by inverse variance. *)
Lemma weights_gap : forall rho (v c : nat -> R), (forall i, (i < rho)%nat -> 0 < v i) -> (0 < rho)%nat ->
  Sum rho c = 1 ->
  Sum rho (fun i => c i ^ 2 * v i) =
  1 / Sum rho (fun i => 1 / v i) + Sum rho (fun i => v i * (c i - 1 / v i / Sum rho (fun j => 1 / v j)) ^ 2).
Proof.
  intros rho v c Hv Hr Hc. pose proof (precision_positive rho v Hr Hv) as HP.
    set (P := Sum rho (fun i => 1 / v i)) in *.
  rewrite (Sum_ext rho (fun i => v i * (c i - 1 / v i / P) ^ 2) (fun i => c i ^ 2 * v i - (2 / P * c i -
    1 / P ^ 2 * (1 / v i)))).
  - rewrite !Sum_minus, !Sum_scal, Hc. fold P. field. lra.
  - intros i Hi. specialize (Hv i Hi). field. lra.
Qed.

Lemma variance_of_plain : forall n pi rho tau, policy n pi -> uncorrelated n pi rho tau -> (0 < rho)%nat ->
  variance n pi (plain_average rho tau) = Sum rho (fun i => (1 / INR rho) ^ 2 * variance n pi (tau i)).
Proof.
  intros n pi rho tau Hp Hu Hr. rewrite <- (variance_of_uncorrelated n pi rho (fun _ => 1 / INR rho) tau Hp Hu).
  apply variance_ext. intro o. unfold plain_average. rewrite Sum_scal. unfold Rdiv. ring.
Qed.

Lemma variance_of_weighted : forall n pi rho tau k, policy n pi -> uncorrelated n pi rho tau -> (0 < rho)%nat ->
  k <> 0 ->
  (forall i, (i < rho)%nat -> 0 < variance n pi (tau i)) ->
  variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) =
    1 / Sum rho (fun i => 1 / variance n pi (tau i)).
Proof.
  intros n pi rho tau k Hp Hu Hr Hk Hv. set (v := fun i => variance n pi (tau i)) in *.
  pose proof (precision_positive rho v Hr Hv) as HP. set (P := Sum rho (fun i => 1 / v i)) in *.
  assert (HkP : Sum rho (fun i => k / v i) = k * P).
  { unfold P. rewrite <- Sum_scal. apply Sum_ext. intros i Hi. specialize (Hv i Hi). unfold v in *. field. lra. }
  rewrite (variance_ext n pi _ (fun o => Sum rho (fun i => (1 / v i / P) * tau i o))).
  - rewrite variance_of_uncorrelated by assumption. fold v.
    rewrite (Sum_ext rho _ (fun i => / P ^ 2 * (1 / v i))).
    + rewrite Sum_scal. fold P. change (Sum rho (fun i => 1 / variance n pi (tau i))) with P. field. lra.
    + intros i Hi. specialize (Hv i Hi). cbv beta in Hv. change (variance n pi (tau i)) with (v i) in *. field. lra.
  - intro o. unfold weighted_average. change (Sum rho (fun i => k / variance n pi (tau i)))
    with (Sum rho (fun i => k / v i)).
    rewrite HkP, <- Sum_div. apply Sum_ext. intros i Hi. specialize (Hv i Hi). cbv beta in Hv.
    change (variance n pi (tau i)) with (v i) in *. field. repeat split; lra.
Qed.

Theorem pt_lemma81_weighted_variance : forall n pi rho tau k, policy n pi -> uncorrelated n pi rho tau ->
  (0 < rho)%nat -> k <> 0 ->
  (forall i, (i < rho)%nat -> 0 < variance n pi (tau i)) ->
  variance n pi (plain_average rho tau) = 1 / INR rho ^ 2 * Sum rho (fun i => variance n pi (tau i)) /\
  variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) =
    1 / Sum rho (fun i => 1 / variance n pi (tau i)).
Proof.
  intros n pi rho tau k Hp Hu Hr Hk Hv. split; [|apply variance_of_weighted; assumption].
  rewrite variance_of_plain by assumption. rewrite Sum_scal. assert (INR rho <> 0) by (apply not_0_INR; lia). f_equal.
    field. assumption.
Qed.

(** No average of uncorrelated scores varies less. *)
Theorem pt_lemma81_optimal : forall n pi rho tau k c, policy n pi -> uncorrelated n pi rho tau -> (0 < rho)%nat ->
  k <> 0 ->
  (forall i, (i < rho)%nat -> 0 < variance n pi (tau i)) -> Sum rho c = 1 ->
  variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) <=
    variance n pi (fun o => Sum rho (fun i => c i * tau i o)) /\
  (variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) =
     variance n pi (fun o => Sum rho (fun i => c i * tau i o)) <->
   forall i, (i < rho)%nat -> c i = 1 / variance n pi (tau i) / Sum rho (fun j => 1 / variance n pi (tau j))).
Proof.
  intros n pi rho tau k c Hp Hu Hr Hk Hv Hc. rewrite variance_of_weighted by assumption.
  rewrite variance_of_uncorrelated by assumption. set (v := fun i => variance n pi (tau i)) in *.
  change (Sum rho (fun i => c i ^ 2 * variance n pi (tau i))) with (Sum rho (fun i => c i ^ 2 * v i)).
  rewrite (weights_gap rho v c Hv Hr Hc). set (P := Sum rho (fun i => 1 / v i)).
  change (Sum rho (fun i => 1 / variance n pi (tau i))) with P.
  assert (Hnn : forall i, (i < rho)%nat -> 0 <= v i * (c i - 1 / v i / P) ^ 2).
  { intros i Hi. apply Rmult_le_pos; [apply Rlt_le, Hv, Hi | apply pow2_ge_0]. }
  pose proof (Sum_nonneg rho _ Hnn) as H0. split; [lra|]. split.
  - intros E i Hi. assert (Hz : Sum rho (fun i => v i * (c i - 1 / v i / P) ^ 2) = 0) by lra.
    pose proof (Sum_eq_0 rho _ Hnn Hz i Hi) as H. cbv beta in H. apply Rmult_integral in H. specialize (Hv i Hi).
    change (0 < v i) in Hv.
    destruct H as [H | H]; [lra|]. simpl in H. rewrite Rmult_1_r in H. apply Rmult_integral in H.
    change (variance n pi (tau i)) with (v i). destruct H; lra.
  - intros E. rewrite (Sum_zero rho (fun i => v i * (c i - 1 / v i / P) ^ 2)); [ring|].
    intros i Hi. rewrite (E i Hi). change (variance n pi (tau i)) with (v i). ring.
Qed.

(** Lemma 8.1, for uncorrelated scores, with the case of equality. *)
Theorem pt_lemma81 : forall n pi rho tau k, policy n pi -> uncorrelated n pi rho tau -> (0 < rho)%nat -> k <> 0 ->
  (forall i, (i < rho)%nat -> 0 < variance n pi (tau i)) ->
  variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) <=
    variance n pi (plain_average rho tau).
Proof.
  intros n pi rho tau k Hp Hu Hr Hk Hv. assert (Hn : INR rho <> 0) by (apply not_0_INR; lia).
  rewrite (variance_ext n pi (plain_average rho tau) (fun o => Sum rho (fun i => 1 / INR rho * tau i o))).
  - apply pt_lemma81_optimal; auto. rewrite Sum_const. field. exact Hn.
  - intro o. unfold plain_average. rewrite Sum_scal. unfold Rdiv. ring.
Qed.

Theorem pt_lemma81_equality : forall n pi rho tau k, policy n pi -> uncorrelated n pi rho tau -> (0 < rho)%nat ->
  k <> 0 ->
  (forall i, (i < rho)%nat -> 0 < variance n pi (tau i)) ->
  (variance n pi (weighted_average rho tau (fun i => k / variance n pi (tau i))) =
    variance n pi (plain_average rho tau) <->
   forall i j, (i < rho)%nat -> (j < rho)%nat -> variance n pi (tau i) = variance n pi (tau j)).
Proof.
  intros n pi rho tau k Hp Hu Hr Hk Hv. assert (Hn : INR rho <> 0) by (apply not_0_INR; lia).
  rewrite (variance_ext n pi (plain_average rho tau) (fun o => Sum rho (fun i => 1 / INR rho * tau i o))).
  2: { intro o. unfold plain_average. rewrite Sum_scal. unfold Rdiv. ring. }
  destruct (pt_lemma81_optimal n pi rho tau k (fun _ => 1 / INR rho) Hp Hu Hr Hk Hv) as [_ H].
  { rewrite Sum_const. field. exact Hn. }
  rewrite H. set (v := fun i => variance n pi (tau i)) in *.
  change (Sum rho (fun j => 1 / variance n pi (tau j))) with (Sum rho (fun j => 1 / v j)).
  pose proof (precision_positive rho v Hr Hv) as HP. split.
  - intros E i j Hi Hj. pose proof (E i Hi) as Ei. pose proof (E j Hj) as Ej.
    pose proof (Hv i Hi) as Hvi. pose proof (Hv j Hj) as Hvj. change (0 < v i) in Hvi. change (0 < v j) in Hvj.
    change (variance n pi (tau i)) with (v i) in *. change (variance n pi (tau j)) with (v j) in *.
    set (P := Sum rho (fun j0 => 1 / v j0)) in *. rewrite Ei in Ej.
    assert (E1 : 1 / v i / P * (P * v i * v j) = v j) by (field; lra).
    assert (E2 : 1 / v j / P * (P * v i * v j) = v i) by (field; lra). rewrite Ej in E1. lra.
  - intros E i Hi. pose proof (Hv i Hi) as Hvi. change (0 < v i) in Hvi. change (variance n pi (tau i)) with (v i).
    rewrite (Sum_ext rho (fun j => 1 / v j) (fun _ => 1 / v i)).
    + rewrite Sum_const. field. split; lra.
    + intros j Hj. unfold v. rewrite (E j i Hj Hi). reflexivity.
Qed.

(** Two scores: true whatever their correlation. *)
Theorem pt_lemma81_two_scores : forall n pi tau k, policy n pi -> k <> 0 ->
  0 < variance n pi (tau 0%nat) -> 0 < variance n pi (tau 1%nat) ->
  variance n pi (weighted_average 2 tau (fun i => k / variance n pi (tau i))) <= variance n pi (plain_average 2 tau).
Proof.
  intros n pi tau k Hp Hk H0 H1.
  assert (Hvar : forall c, variance n pi (fun o => Sum 2 (fun i => c i * tau i o)) =
            c 0%nat ^ 2 * variance n pi (tau 0%nat) + c 1%nat ^ 2 * variance n pi (tau 1%nat)
            + 2 * (c 0%nat * c 1%nat) * covariance n pi (tau 0%nat) (tau 1%nat)).
  { intro c. unfold variance at 1. rewrite (variance_of_linear_combination n pi 2 c tau Hp). simpl.
    unfold variance, covariance.
    rewrite (expect_ext n pi (fun o => (tau 0%nat o - expect n pi (tau 0%nat)) * (tau 0%nat o -
      expect n pi (tau 0%nat)))
      (fun o => (tau 0%nat o - expect n pi (tau 0%nat)) ^ 2)) by (intros; ring).
    rewrite (expect_ext n pi (fun o => (tau 1%nat o - expect n pi (tau 1%nat)) * (tau 1%nat o -
      expect n pi (tau 1%nat)))
      (fun o => (tau 1%nat o - expect n pi (tau 1%nat)) ^ 2)) by (intros; ring).
    rewrite (expect_ext n pi (fun o => (tau 1%nat o - expect n pi (tau 1%nat)) * (tau 0%nat o -
      expect n pi (tau 0%nat)))
      (fun o => (tau 0%nat o - expect n pi (tau 0%nat)) * (tau 1%nat o - expect n pi (tau 1%nat)))) by (intros; ring).
        ring. }
  set (v := fun i => variance n pi (tau i)) in *. set (g := covariance n pi (tau 0%nat) (tau 1%nat)) in *.
  fold (v 0%nat) in *. fold (v 1%nat) in *. set (a := v 0%nat) in *. set (b := v 1%nat) in *.
  assert (E1 : variance n pi (plain_average 2 tau) = (a + b + 2 * g) / 4).
  { rewrite (variance_ext n pi _ (fun o => Sum 2 (fun i => (fun _ => 1 / 2) i * tau i o))).
    - rewrite Hvar. field.
    - intro o. unfold plain_average. simpl. field. }
  assert (E2 : variance n pi (weighted_average 2 tau (fun i => k / v i)) = (b ^ 2 * a + a ^ 2 * b + 2 * (a * b) * g)
    / (a + b) ^ 2).
  { rewrite (variance_ext n pi _ (fun o => Sum 2 (fun i => (fun i => match i with O => b / (a + b) | _ => a / (a + b)
    end) i * tau i o))).
    - rewrite Hvar. field. lra.
    - intro o. unfold weighted_average. cbn [Sum]. change (v 0%nat) with a. change (v 1%nat) with b.
      assert (Hden : k * b + k * a <> 0).
      { intro Hs. assert (Hs' : k * (a + b) = 0) by lra. apply Rmult_integral in Hs'. destruct Hs'; lra. }
      field. repeat split; lra. }
  change (fun i => k / variance n pi (tau i)) with (fun i => k / v i).
  rewrite E1, E2. assert (Hnn : 0 <= (a + b + 2 * g) / 4).
  { rewrite <- E1. apply Sum_nonneg. intros o Ho. apply Rmult_le_pos; [apply (proj1 Hp o Ho) | apply pow2_ge_0]. }
  replace ((b ^ 2 * a + a ^ 2 * b + 2 * (a * b) * g) / (a + b) ^ 2) with ((a + b + 2 * g) / 4 * (4 * a * b / (a + b)
    ^ 2)) by (field; lra).
  set (q := (a + b + 2 * g) / 4) in *.
  assert (Hr : 4 * a * b / (a + b) ^ 2 <= 1).
  { apply Rmult_le_reg_r with ((a + b) ^ 2); [apply pow_lt; lra|].
    replace (4 * a * b / (a + b) ^ 2 * (a + b) ^ 2) with (4 * a * b) by (field; lra). pose proof (pow2_ge_0 (a - b)).
      lra. }
  rewrite <- (Rmult_1_r q) at 2. apply Rmult_le_compat_l; assumption.
Qed.

(** Three correlated scores: with tau_0 = -(tau_1 + tau_2) the plain average is constant and the weighted one is not,
    whatever the deviations s and t of tau_1 and tau_2. *)
Theorem pt_lemma81_three_correlated : forall s t, 0 < s -> 0 < t ->
  exists (n : nat) (pi : nat -> R) (tau : nat -> nat -> R), policy n pi /\
    (forall o, tau 0%nat o = - (tau 1%nat o + tau 2%nat o)) /\
    variance n pi (tau 1%nat) = s ^ 2 /\ variance n pi (tau 2%nat) = t ^ 2 /\ 0 < variance n pi (tau 0%nat) /\
    variance n pi (plain_average 3 tau) = 0 /\
    forall k, k <> 0 -> 0 < variance n pi (weighted_average 3 tau (fun i => k / variance n pi (tau i))).
Proof.
  intros s t Hs Ht.
  set (z1 := fun o : nat => match o with 0%nat | 1%nat => 1 | _ => -1 end).
  set (z2 := fun o : nat => match o with 0%nat | 2%nat => 1 | _ => -1 end).
  set (tau := fun i o : nat => match i with 0%nat => - (s * z1 o + t * z2 o) | 1%nat => s * z1 o | _ => t * z2 o end).
  set (pi := fun _ : nat => 1 / 4).
  assert (Hvar : forall A B, variance 4 pi (fun o => A * z1 o + B * z2 o) = A ^ 2 + B ^ 2).
  { intros A B. unfold variance, expect, pi. simpl. field. }
  assert (V0 : variance 4 pi (tau 0%nat) = s ^ 2 + t ^ 2).
  { rewrite (variance_ext 4 pi _ (fun o => - s * z1 o + - t * z2 o)) by (intro; unfold tau; ring). rewrite Hvar. ring. }
  assert (V1 : variance 4 pi (tau 1%nat) = s ^ 2).
  { rewrite (variance_ext 4 pi _ (fun o => s * z1 o + 0 * z2 o)) by (intro; unfold tau; ring). rewrite Hvar. ring. }
  assert (V2 : variance 4 pi (tau 2%nat) = t ^ 2).
  { rewrite (variance_ext 4 pi _ (fun o => 0 * z1 o + t * z2 o)) by (intro; unfold tau; ring). rewrite Hvar. ring. }
  exists 4%nat, pi, tau.
  split; [split; [intros; unfold pi; lra | unfold pi; simpl; lra]|]. split; [intro o; unfold tau; ring|].
  split; [exact V1|]. split; [exact V2|]. split; [rewrite V0; simpl; nra|]. split.
  - rewrite (variance_ext 4 pi _ (fun o => 0 * z1 o + 0 * z2 o)); [rewrite Hvar; ring|].
    intro o. unfold plain_average. cbn [Sum]. unfold tau. simpl INR. field.
  - intros k Hk. set (D := k / (s ^ 2 + t ^ 2) + k / s ^ 2 + k / t ^ 2).
    set (A := s * (k / s ^ 2 - k / (s ^ 2 + t ^ 2)) / D). set (B := t * (k / t ^ 2 - k / (s ^ 2 + t ^ 2)) / D).
    assert (Hs2 : 0 < s ^ 2) by (apply pow_lt; exact Hs). assert (Ht2 : 0 < t ^ 2) by (apply pow_lt; exact Ht).
    assert (HD : D <> 0).
    { unfold D. replace (k / (s ^ 2 + t ^ 2) + k / s ^ 2 + k / t ^ 2) with (k * (1 / (s ^ 2 + t ^ 2) + 1 / s ^ 2 +
      1 / t ^ 2)) by (field; lra).
      apply Rmult_integral_contrapositive_currified; [exact Hk|].
      assert (0 < 1 / (s ^ 2 + t ^ 2)) by (apply Rdiv_lt_0_compat; lra).
      assert (0 < 1 / s ^ 2) by (apply Rdiv_lt_0_compat; lra). assert (0 < 1 / t ^ 2) by (apply Rdiv_lt_0_compat; lra).
        lra. }
    rewrite (variance_ext 4 pi _ (fun o => A * z1 o + B * z2 o)).
    + rewrite Hvar. assert (HA : A <> 0).
      { unfold A. unfold Rdiv at 1. apply Rmult_integral_contrapositive_currified; [|apply Rinv_neq_0_compat; exact HD].
        apply Rmult_integral_contrapositive_currified; [lra|].
        replace (k / s ^ 2 - k / (s ^ 2 + t ^ 2)) with (k * (t ^ 2 / (s ^ 2 * (s ^ 2 + t ^ 2)))) by (field; lra).
        apply Rmult_integral_contrapositive_currified; [exact Hk|].
        assert (0 < t ^ 2 / (s ^ 2 * (s ^ 2 + t ^ 2))); [|lra]. apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat;
          lra]. }
      pose proof (pow2_ge_0 B). assert (0 < A ^ 2) by (simpl; rewrite Rmult_1_r; apply Rsqr_pos_lt; exact HA). lra.
    + intro o. unfold weighted_average. cbn [Sum]. rewrite V0, V1, V2.
      replace (0 + k / (s ^ 2 + t ^ 2) + k / s ^ 2 + k / t ^ 2) with D by (unfold D; ring).
      unfold A, B, tau. field. repeat split; lra.
Qed.

(** ** More of Sections 2, 4.7 and 8 *)

(** A softmax of finite logits over at least two tokens gives probabilities strictly between zero and one. *)
Definition softmax (n : nat) (z : nat -> R) (o : nat) : R := exp (z o) / Sum n (fun i => exp (z i)).

Theorem pt_softmax_law : forall n z, (2 <= n)%nat -> full_support n (softmax n z) /\ forall o, (o < n)%nat ->
  0 < softmax n z o < 1.
Proof.
  intros n z Hn. assert (HS : 0 < Sum n (fun i => exp (z i))).
  { apply Sum_pos with 0%nat; [intros; apply Rlt_le, exp_pos | lia | apply exp_pos]. }
  assert (Hfull : full_support n (softmax n z)).
  { split; [intros o _; apply Rdiv_lt_0_compat; [apply exp_pos | exact HS]|]. unfold softmax. rewrite Sum_div. field.
    lra. }
  split; [exact Hfull|]. intros o Ho. split; [apply Hfull; exact Ho|].
  set (k := if Nat.eq_dec o 0 then 1%nat else 0%nat).
  assert (Hk : (k < n)%nat /\ k <> o) by (unfold k; destruct (Nat.eq_dec o 0); lia).
  assert (Hlt : Sum n (fun i => softmax n z o * at_index o 1 i) < Sum n (softmax n z)).
  { apply Sum_lt with k.
    - intros i Hi. unfold at_index. destruct (Nat.eqb_spec i o) as [->
      | _]; [lra|]. rewrite Rmult_0_r. apply Rlt_le, Hfull, Hi.
    - apply Hk.
    - unfold at_index. destruct (Nat.eqb_spec k o) as [E | _]; [destruct Hk; contradiction|]. rewrite Rmult_0_r.
      apply Hfull, Hk. }
  rewrite (Sum_mult_at_index n (fun _ => softmax n z o) o 1 Ho), (proj2 Hfull) in Hlt. lra.
Qed.

(** Minimising the cross entropy over any class of models is minimising the divergence. *)
Theorem pt_min_ce_min_kl : forall n p (class : (nat -> R) -> Prop) q, policy n p ->
  (forall m, class m -> policy n m /\ absolutely_continuous n p m) -> class q ->
  ((forall m, class m -> cross_entropy n p q <= cross_entropy n p m) <-> (forall m, class m -> kl n p q <= kl n p m)).
Proof.
  intros n p class q Hp Hclass Hq.
  assert (E : forall m, class m -> cross_entropy n p m = kl n p m + entropy n p).
  { intros m Hm. destruct (Hclass m Hm) as [H1 H2]. pose proof (pt_kl_ce_minus_entropy n p m Hp H1 H2). lra. }
  split; intros H m Hm; specialize (H m Hm); rewrite ?(E q Hq), ?(E m Hm) in *; lra.
Qed.

(** The charges of a token and of those that follow it, each times the score of the token. *)
Fixpoint charges_to_go (M dM N : model) (s x : list nat) : R :=
  match x with
  | [] => 0
  | a :: rest => score M dM s a * charges M N s (a :: rest) + charges_to_go M dM N (s ++ [a]) rest
  end.

Lemma text_kl_step : forall V M N T s, is_model V M -> is_model V N -> covers V N M ->
  text_kl V M N (S T) s = expect V (M s) (fun a => ln (M s a / N s a) + text_kl V M N T (s ++ [a])).
Proof.
  intros V M N T s HM HN Hc. rewrite kl_chain_rule_for_texts by assumption. simpl.
  rewrite (expect_ext V (M s) _ (fun a => kl V (M s) (N s) + text_kl V M N T (s ++ [a]))).
  - rewrite !expect_plus, expect_const by apply HM. reflexivity.
  - intros a _. rewrite text_expect_plus, text_expect_const by exact HM.
    rewrite <- kl_chain_rule_for_texts by assumption. reflexivity.
Qed.

(** A token must be charged for the later tokens as well: then the expected step is the gradient of the divergence of
  texts.
    Charged for itself alone it is so for texts of one token, and in general the later charges are what is left out. *)
Theorem pt_kl_to_go : forall V M theta dM N T s, differentiable_model V M theta dM -> is_model V N ->
  (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> (forall s' a, (a < V)%nat -> 0 < N s' a) ->
  is_derive (fun u => text_kl V (M u) N T s) theta (text_expect V (M theta) T s (charges_to_go (M theta) dM N s)) /\
  is_derive (fun u => text_kl V (M u) N 1 s) theta
    (text_expect V (M theta) 1 s (along (fun s' a => score (M theta) dM s' a * ln (M theta s' a / N s' a)) s)).
Proof.
  intros V M theta dM N T s HM HN HMpos HNpos. pose proof (model_at V M theta dM HM) as Hmod.
  assert (Hcov : forall u, covers V N (M u)).
  { intros u s' a Ha H. specialize (HNpos s' a Ha). lra. }
  assert (Hmain : forall K s', is_derive (fun u => text_kl V (M u) N K s') theta (text_expect V (M theta)
    K s' (charges_to_go (M theta) dM N s'))).
  { induction K as [|K IH]; intro s'.
    - apply (is_derive_ext (fun _ => 0)); [intro u; unfold text_kl; simpl; replace (1 / 1) with 1 by field; symmetry;
      apply ln_1|].
      simpl. apply (@is_derive_const R_AbsRing R_NormedModule).
    - apply (is_derive_ext_loc (fun u => expect V (M u s') (fun a => ln (M u s' a / N s' a) + text_kl V (M u)
      N K (s' ++ [a])))).
      { destruct (proj1 HM) as [r Hr]. exists r. intros u Hu. symmetry. apply text_kl_step;
        [apply Hr, Hu | exact HN | apply Hcov]. }
      set (W := fun u a => ln (M u s' a / N s' a) + text_kl V (M u) N K (s' ++ [a])).
      set (dW := fun a => score (M theta) dM s' a + text_expect V (M theta) K (s' ++ [a]) (charges_to_go (M theta)
        dM N (s' ++ [a]))).
      replace (text_expect V (M theta) (S K) s' (charges_to_go (M theta) dM N s'))
        with (expect V (M theta s') (fun a => score (M theta) dM s' a * (W theta a - 0) + dW a)).
      + apply (pt_policy_gradient_induction V M theta dM HM). intros a Ha. unfold W, dW.
        apply (@is_derive_plus R_AbsRing R_NormedModule); [|apply IH].
        pose proof (HMpos s' a Ha) as Hm. pose proof (HNpos s' a Ha) as Hn.
        replace (score (M theta) dM s' a) with ((dM s' a / N s' a) * / (M theta s' a / N s' a)) by (unfold score;
          field; lra).
        apply (is_derive_comp ln (fun u => M u s' a / N s' a) theta (/ (M theta s' a / N s' a)) (dM s' a / N s' a)).
        * apply is_derive_ln. apply Rdiv_lt_0_compat; assumption.
        * assert (Hext : forall u : R, / N s' a * M u s' a = M u s' a / N s' a) by (intro; unfold Rdiv; ring).
          apply (is_derive_ext _ _ _ _ Hext). replace (dM s' a / N s' a) with (/ N s' a * dM s' a) by (unfold Rdiv;
            ring).
          apply is_derive_scal. apply (proj2 HM), Ha.
      + transitivity (expect V (M theta s') (fun a => score (M theta) dM s' a * W theta a
              + text_expect V (M theta) K (s' ++ [a]) (charges_to_go (M theta) dM N (s' ++ [a])))).
        * rewrite (expect_ext V (M theta s') _ (fun a => (score (M theta) dM s' a * W theta a
              + text_expect V (M theta) K (s' ++ [a]) (charges_to_go (M theta) dM N (s' ++ [a]))) + score (M theta)
                dM s' a))
            by (intros; unfold dW; ring).
          rewrite expect_plus, (score_has_mean_zero V M theta dM s' HM). ring.
        * simpl. apply expect_ext. intros a _. rewrite text_expect_plus. f_equal.
          rewrite (text_expect_ext V (M theta) K (s' ++ [a]) (fun x => score (M theta) dM s' a * charges (M theta)
            N s' (a :: x))
            (fun x => score (M theta) dM s' a * ln (M theta s' a / N s' a) + score (M theta)
              dM s' a * charges (M theta) N (s' ++ [a]) x))
            by (intros; unfold charges; cbn [along]; apply Rmult_plus_distr_l).
          rewrite text_expect_plus, text_expect_const, text_expect_scal by exact Hmod.
          rewrite (proj1 (pt_kl_aggregates_value V (M theta) N K (s' ++ [a]) Hmod HN (Hcov theta))). unfold W. ring. }
  split; [apply Hmain|]. specialize (Hmain 1%nat s).
  replace (text_expect V (M theta) 1 s (along _ s)) with (text_expect V (M theta) 1 s (charges_to_go (M theta)
    dM N s)); [exact Hmain|].
  apply text_expect_ext. intros x [Hx _]. destruct x as [|a [|b x]]; try discriminate. unfold charges_to_go, charges.
    simpl. ring.
Qed.

(** On texts of the model itself, differentiating the charge as well adds nothing. *)
Theorem pt_reward_depends_on_model : forall V M theta dM N T s, differentiable_model V M theta dM ->
  (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> (forall s' a, (a < V)%nat -> 0 < N s' a) ->
  exists g, (forall x, text V T x -> is_derive (fun u => charges (M u) N s x) theta (g x)) /\
    text_expect V (M theta) T s g = 0.
Proof.
  intros V M theta dM N T s HM HMpos HNpos. exists (along (score (M theta) dM) s). split.
  - intros x [_ Hx]. unfold charges. apply (is_derive_along V (fun u s' a => ln (M u s' a / N s' a))
    theta (score (M theta) dM) s x Hx).
    intros s' a Ha. pose proof (HMpos s' a Ha) as Hm. pose proof (HNpos s' a Ha) as Hn.
    replace (score (M theta) dM s' a) with ((dM s' a / N s' a) * / (M theta s' a / N s' a)) by (unfold score; field;
      lra).
    apply (is_derive_comp ln (fun u => M u s' a / N s' a) theta (/ (M theta s' a / N s' a)) (dM s' a / N s' a)).
    + apply is_derive_ln. apply Rdiv_lt_0_compat; assumption.
    + assert (Hext : forall u : R, / N s' a * M u s' a = M u s' a / N s' a) by (intro; unfold Rdiv; ring).
      apply (is_derive_ext _ _ _ _ Hext). replace (dM s' a / N s' a) with (/ N s' a * dM s' a) by (unfold Rdiv; ring).
      apply is_derive_scal. apply (proj2 HM), Ha.
  - apply (pt_score_mean_zero V M theta dM T s HM).
Qed.

(** The variance of one draw of (18), least where q is in proportion to p |x|. *)
Theorem pt_is_variance_reduction : forall n p q x, policy n p -> full_support n q ->
  expect n q (fun o => (p o / q o * x o - expect n p x) ^ 2) = Sum n (fun o => p o ^ 2 * x o ^ 2 / q o) -
    expect n p x ^ 2 /\
  expect n p (fun o => Rabs (x o)) ^ 2 - expect n p x ^ 2 <= expect n q (fun o => (p o / q o * x o - expect n p x) ^ 2)
    /\
  (expect n q (fun o => (p o / q o * x o - expect n p x) ^ 2) = expect n p (fun o => Rabs (x o)) ^ 2 -
    expect n p x ^ 2 <->
   forall o, (o < n)%nat -> p o * Rabs (x o) = q o * expect n p (fun i => Rabs (x i))).
Proof.
  intros n p q x Hp Hq. set (mu := expect n p x). set (m := expect n p (fun o => Rabs (x o))).
  assert (Hqs : Sum n q = 1) by apply Hq.
  assert (E1 : expect n q (fun o => (p o / q o * x o - mu) ^ 2) = Sum n (fun o => p o ^ 2 * x o ^ 2 / q o) - mu ^ 2).
  { transitivity (Sum n (fun o => p o ^ 2 * x o ^ 2 / q o) - 2 * mu * Sum n (fun o => p o * x o) + mu ^ 2 * Sum n q).
    - unfold expect. rewrite <- !Sum_scal, <- Sum_minus, <- Sum_plus. apply Sum_ext. intros o Ho.
      pose proof (proj1 Hq o Ho). field. lra.
    - change (Sum n (fun o => p o * x o)) with mu. rewrite Hqs. ring. }
  assert (E2 : Sum n (fun o => q o * (p o * Rabs (x o) / q o - m) ^ 2) = Sum n (fun o => p o ^ 2 * x o ^ 2 / q o) -
    m ^ 2).
  { transitivity (Sum n (fun o => p o ^ 2 * x o ^ 2 / q o) - 2 * m * Sum n (fun o => p o * Rabs (x o)) +
    m ^ 2 * Sum n q).
    - rewrite <- !Sum_scal, <- Sum_minus, <- Sum_plus. apply Sum_ext. intros o Ho.
      pose proof (proj1 Hq o Ho). rewrite <- (pow2_abs (x o)). field. lra.
    - change (Sum n (fun o => p o * Rabs (x o))) with m. rewrite Hqs. ring. }
  assert (Hnn : forall o, (o < n)%nat -> 0 <= q o * (p o * Rabs (x o) / q o - m) ^ 2).
  { intros o Ho. apply Rmult_le_pos; [apply Rlt_le, (proj1 Hq o Ho) | apply pow2_ge_0]. }
  pose proof (Sum_nonneg n _ Hnn) as H0. split; [exact E1|]. split; [lra|]. split.
  - intros E o Ho. assert (Hz : Sum n (fun i => q i * (p i * Rabs (x i) / q i - m) ^ 2) = 0) by lra.
    pose proof (Sum_eq_0 n _ Hnn Hz o Ho) as H. cbv beta in H. pose proof (proj1 Hq o Ho) as Hqo.
    apply Rmult_integral in H. destruct H as [H | H]; [lra|]. simpl in H. rewrite Rmult_1_r in H.
    assert (Hd : p o * Rabs (x o) / q o - m = 0) by (apply Rmult_integral in H; destruct H; assumption).
    replace (p o * Rabs (x o)) with (q o * (p o * Rabs (x o) / q o)) by (field; lra).
      rewrite (Rminus_diag_uniq _ _ Hd). reflexivity.
  - intros H. assert (Hz : Sum n (fun i => q i * (p i * Rabs (x i) / q i - m) ^ 2) = 0); [|lra].
    apply Sum_zero. intros o Ho. rewrite (H o Ho). fold m. pose proof (proj1 Hq o Ho). field. lra.
Qed.

(** ** Section 4.6: clipping *)

(** CLIP clips at both ends, if they are in order. *)
Theorem pt_clip_def : forall v x y, x <= y ->
  x <= Rmin (Rmax v x) y <= y /\ (x <= v <= y -> Rmin (Rmax v x) y = v) /\
  (v <= x -> Rmin (Rmax v x) y = x) /\ (y <= v -> Rmin (Rmax v x) y = y) /\ clamp x y v = Rmin (Rmax v x) y.
Proof.
  intros v x y H. unfold clamp, Rmin, Rmax.
  repeat split; intros; repeat (destruct (Rle_dec _ _)); lra.
Qed.

(** What is capped, and on which side. *)
Theorem pt_clip_no_gain : forall epsilon rho A, 0 < epsilon < 1 -> 0 < rho ->
  (0 < A -> 1 + epsilon <= rho -> clipped epsilon rho A = (1 + epsilon) * A) /\
  (A < 0 -> rho <= 1 - epsilon -> clipped epsilon rho A = (1 - epsilon) * A) /\
  (A < 0 -> 1 - epsilon <= rho -> clipped epsilon rho A = rho * A) /\
  (0 < A -> rho <= 1 + epsilon -> clipped epsilon rho A = rho * A) /\
  clipped epsilon rho A <= rho * A.
Proof.
  intros epsilon rho A He Hr.
  assert (neg : A < 0 -> clipped epsilon rho A = A * Rmax rho (1 - epsilon)).
  { intros H. replace A with (- - A) by ring. rewrite clipped_negative by lra. ring. }
  repeat split; intros.
  - rewrite clipped_positive, Rmin_right by lra. ring.
  - rewrite neg, Rmax_right by lra. ring.
  - rewrite neg, Rmax_left by lra. ring.
  - rewrite clipped_positive, Rmin_left by lra. ring.
  - apply Rmin_l.
Qed.

(** The clipped gain of a text, token by token, (11) without its sign. *)
Definition clipped_gain (epsilon : R) (M N : model) (A : list nat -> nat -> R) (s x : list nat) : R :=
  along (fun s' a => clipped epsilon (M s' a / N s' a) (A s' a)) s x.

Lemma clipped_near_one_derive : forall epsilon f df theta A, 0 < epsilon -> f theta = 1 -> is_derive f theta df ->
  is_derive (fun u => clipped epsilon (f u) A) theta (df * A).
Proof.
  intros epsilon f df theta A He H1 Hd. apply (is_derive_ext_loc (fun u => f u * A)).
  - assert (C : continuous f theta) by (apply (ex_derive_continuous (V := R_NormedModule)); exists df; exact Hd).
    destruct (C (fun y => Rabs (y - 1) < epsilon)) as [d K].
    + exists (mkposreal _ He). intros y Hy. unfold ball in Hy. simpl in Hy.
      unfold AbsRing_ball, abs, minus, plus, opp in Hy. simpl in Hy. rewrite H1 in Hy. exact Hy.
    + exists d. intros u Hu. specialize (K u Hu). apply Rabs_lt_between in K. symmetry. apply clipped_inside; lra.
  - rewrite Rmult_comm. apply (is_derive_ext (fun u => A * f u)); [intro; apply Rmult_comm|]. apply is_derive_scal, Hd.
Qed.

(** The clipped loss by the sign of the advantage.  Where both models agree it is the ratio loss, with its gradient. *)
Theorem pt_eq11_ppo :
  (forall epsilon rho A, 0 < epsilon < 1 -> 0 < rho ->
     (0 < A -> clipped epsilon rho A = A * Rmin rho (1 + epsilon)) /\
     (A < 0 -> clipped epsilon rho A = A * Rmax rho (1 - epsilon)) /\
     (1 - epsilon <= rho <= 1 + epsilon -> clipped epsilon rho A = rho * A)) /\
  (forall V M theta dM T s A epsilon x, differentiable_model V M theta dM -> 0 < epsilon < 1 ->
     (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> text V T x ->
     clipped_gain epsilon (M theta) (M theta) A s x = ratio_gain (M theta) (M theta) A s x /\
     is_derive (fun u => clipped_gain epsilon (M u) (M theta) A s x) theta
       (along (fun s' a => score (M theta) dM s' a * A s' a) s x) /\
     is_derive (fun u => ratio_gain (M u) (M theta) A s x) theta
       (along (fun s' a => score (M theta) dM s' a * A s' a) s x)).
Proof.
  split.
  - intros epsilon rho A He Hr. split; [|split].
    + intros HA. apply clipped_positive; lra.
    + intros HA. replace A with (- - A) by ring. rewrite clipped_negative by lra. ring.
    + intros H. apply clipped_inside; lra.
  - intros V M theta dM T s A epsilon x HM He Hpos [_ Hx].
    assert (one : forall s' a, (a < V)%nat -> M theta s' a / M theta s' a = 1).
    { intros s' a Ha. specialize (Hpos s' a Ha); field; lra. }
    assert (slope : forall s' a, (a < V)%nat ->
      is_derive (fun u => M u s' a / M theta s' a) theta (score (M theta) dM s' a)).
    { intros s' a Ha. unfold score, Rdiv. rewrite Rmult_comm.
      apply (is_derive_ext (fun u => / M theta s' a * M u s' a)); [intro; apply Rmult_comm|].
      apply is_derive_scal. apply (proj2 HM), Ha. }
    split; [|split].
    + apply (along_ext V); [exact Hx|]. intros s' a Ha. apply clipped_inside; rewrite ?one by exact Ha; lra.
    + apply (is_derive_along V (fun u s' a => clipped epsilon (M u s' a / M theta s' a) (A s' a))); [exact Hx|].
      intros s' a Ha. apply clipped_near_one_derive; [lra | apply one, Ha | apply slope, Ha].
    + apply (is_derive_along V (fun u s' a => M u s' a / M theta s' a * A s' a)); [exact Hx|].
      intros s' a Ha. rewrite Rmult_comm.
      apply (is_derive_ext (fun u => A s' a * (M u s' a / M theta s' a))); [intro; apply Rmult_comm|].
      apply is_derive_scal, slope, Ha.
Qed.

(** A token with pi_0 >= 1 / (1 + eps) is never clipped from above, every rarer one can be; every token can be from
    below. *)
Theorem pt_clip_never_above : forall epsilon y, 0 < epsilon < 1 -> 0 < y <= 1 ->
  (1 / (1 + epsilon) <= y <-> forall x, 0 <= x <= 1 -> x / y <= 1 + epsilon) /\
  (exists x, 0 <= x <= 1 /\ x / y < 1 - epsilon).
Proof.
  intros epsilon y He Hy. split; [split|].
  - intros H x Hx. apply Rmult_le_reg_r with y; [lra|]. replace (x / y * y) with x by (field; lra).
    assert (1 <= (1 + epsilon) * y); [|lra].
    apply (Rmult_le_compat_l (1 + epsilon)) in H; [|lra].
    replace ((1 + epsilon) * (1 / (1 + epsilon))) with 1 in H by (field; lra). exact H.
  - intros H. specialize (H 1 ltac:(lra)). apply (Rmult_le_compat_r y) in H; [|lra].
    replace (1 / y * y) with 1 in H by (field; lra). apply Rmult_le_reg_l with (1 + epsilon); [lra|].
    replace ((1 + epsilon) * (1 / (1 + epsilon))) with 1 by (field; lra). exact H.
  - exists 0. split; [lra|]. replace (0 / y) with 0 by (field; lra). lra.
Qed.

(** Minimum inside the negative sign, maximum outside. *)
Theorem pt_min_inside_negative : forall x y, - Rmin x y = Rmax (- x) (- y).
Proof. intros x y. unfold Rmin, Rmax. destruct (Rle_dec x y), (Rle_dec (- x) (- y)); lra. Qed.

Lemma ln_is_above_its_chord : forall a b x, 0 < a < b -> a <= x <= b ->
  (b - x) / (b - a) * ln a + (x - a) / (b - a) * ln b <= ln x.
Proof.
  intros a b x Hab Hx.
  set (t := (b - x) / (b - a)).
  assert (Ht : (x - a) / (b - a) = 1 - t) by (unfold t; field; lra).
  assert (Hxt : x = t * a + (1 - t) * b) by (unfold t; field; lra).
  assert (Ht0 : 0 <= t <= 1).
  { unfold t. split; [apply Rdiv_le_0_compat; lra|]. apply Rmult_le_reg_r with (b - a); [lra|].
    replace ((b - x) / (b - a) * (b - a)) with (b - x) by (field; lra). lra. }
  rewrite Ht. assert (Hx0 : 0 < x) by lra.
  assert (tangent : forall y, 0 < y -> ln y <= ln x + (y - x) / x).
  { intros y Hy. replace (ln y) with (ln x + ln (y / x)) by (rewrite <- ln_mult; [f_equal; field; lra | lra |
      apply Rdiv_lt_0_compat; lra]).
    apply Rplus_le_compat_l. replace ((y - x) / x) with (y / x - 1) by (field; lra).
    destruct (Req_dec (y / x) 1) as [-> | N]; [rewrite ln_1; lra|]. left.
    assert (0 < y / x) by (apply Rdiv_lt_0_compat; lra).
    assert (Z : ln (y / x) <> 0) by (intros Z; apply N; apply ln_inv; rewrite ?ln_1; lra).
    pose proof (exp_ineq1 (ln (y / x)) Z) as K. rewrite exp_ln in K by assumption. lra. }
  pose proof (tangent a ltac:(lra)) as Ta. pose proof (tangent b ltac:(lra)) as Tb.
  apply (Rmult_le_compat_l t) in Ta; [|lra]. apply (Rmult_le_compat_l (1 - t)) in Tb; [|lra].
  assert (E : t * ((a - x) / x) + (1 - t) * ((b - x) / x) = 0).
  { replace (t * ((a - x) / x) + (1 - t) * ((b - x) / x)) with ((t * a + (1 - t) * b - x) / x) by (field; lra).
    rewrite <- Hxt. unfold Rdiv. ring. }
  lra.
Qed.

(** Where all ratios of a state are inside the range, the divergence is at most -1/2 log(1 - eps^2), which two tokens
    reach. *)
Theorem pt_clip_bounds_kl : forall epsilon, 0 < epsilon < 1 ->
  (forall n old pi, full_support n old -> policy n pi ->
     (forall o, (o < n)%nat -> 1 - epsilon <= pi o / old o <= 1 + epsilon) ->
     kl n old pi <= - / 2 * ln (1 - epsilon ^ 2)) /\
  kl 2 (binary (1 / 2)) (binary ((1 + epsilon) / 2)) = - / 2 * ln (1 - epsilon ^ 2) /\
  - / 2 * ln (1 - epsilon ^ 2) < / 2 * (epsilon ^ 2 / (1 - epsilon ^ 2)).
Proof.
  intros epsilon He.
  assert (P : 0 < 1 - epsilon ^ 2) by nra.
  assert (L : ln (1 - epsilon) + ln (1 + epsilon) = ln (1 - epsilon ^ 2)) by (rewrite <- ln_mult by lra; f_equal; ring).
  split; [|split].
  - intros n old pi [Hold Hold1] [Hpi Hpi1] Hin. unfold kl, expect.
    assert (B : forall o, (o < n)%nat -> old o * ln (old o / pi o) <=
      - ((old o * (1 + epsilon) - pi o) / (2 * epsilon) * ln (1 - epsilon)
         + (pi o - old o * (1 - epsilon)) / (2 * epsilon) * ln (1 + epsilon))).
    { intros o Ho. specialize (Hin o Ho). specialize (Hold o Ho).
      assert (R0 : 0 < pi o / old o) by lra.
      assert (Hp : 0 < pi o).
      { apply (Rmult_lt_compat_r (old o)) in R0; [|exact Hold].
        replace (pi o / old o * old o) with (pi o) in R0 by (field; lra). lra. }
      pose proof (ln_is_above_its_chord (1 - epsilon) (1 + epsilon) (pi o / old o) ltac:(lra) Hin) as C.
      replace (ln (old o / pi o)) with (- ln (pi o / old o)) by (rewrite <- ln_Rinv by exact R0; f_equal; field; lra).
      apply (Rmult_le_compat_l (old o)) in C; [|lra].
      replace ((old o * (1 + epsilon) - pi o) / (2 * epsilon) * ln (1 - epsilon)
         + (pi o - old o * (1 - epsilon)) / (2 * epsilon) * ln (1 + epsilon))
        with (old o * ((1 + epsilon - pi o / old o) / (1 + epsilon - (1 - epsilon)) * ln (1 - epsilon) +
          (pi o / old o - (1 - epsilon)) / (1 + epsilon - (1 - epsilon)) * ln (1 + epsilon))) by (field; lra).
      lra. }
    eapply Rle_trans; [apply (Sum_le n _ _ B)|]. rewrite Sum_opp, Sum_plus, !Sum_scal_r.
    replace (Sum n (fun o => (old o * (1 + epsilon) - pi o) / (2 * epsilon))) with (/ 2).
    + replace (Sum n (fun o => (pi o - old o * (1 - epsilon)) / (2 * epsilon))) with (/ 2); [lra|].
      rewrite Sum_div, Sum_minus, Sum_scal_r, Hpi1, Hold1. field. lra.
    + rewrite Sum_div, Sum_minus, Sum_scal_r, Hpi1, Hold1. field. lra.
  - unfold kl. rewrite expect_binary. simpl.
    replace (1 / 2 / ((1 + epsilon) / 2)) with (/ (1 + epsilon)) by (field; lra).
    replace ((1 - 1 / 2) / (1 - (1 + epsilon) / 2)) with (/ (1 - epsilon)) by (field; lra).
    rewrite !ln_Rinv by lra. replace (epsilon * (epsilon * 1)) with (epsilon ^ 2) by ring. lra.
  - assert (0 < epsilon ^ 2) by (apply pow_lt; lra).
    assert (I : 0 < / (1 - epsilon ^ 2)) by (apply Rinv_0_lt_compat; exact P).
    assert (N : / (1 - epsilon ^ 2) <> 1).
    { intros N. assert (1 - epsilon ^ 2 = 1) by (rewrite <- (Rinv_inv (1 - epsilon ^ 2)), N; apply Rinv_1). lra. }
    assert (Z : ln (/ (1 - epsilon ^ 2)) <> 0) by (intros Z; apply N; apply ln_inv; rewrite ?ln_1; lra).
    pose proof (exp_ineq1 _ Z) as K. rewrite exp_ln in K by exact I. rewrite ln_Rinv in K by exact P.
    replace (epsilon ^ 2 / (1 - epsilon ^ 2)) with (/ (1 - epsilon ^ 2) - 1) by (field; lra). lra.
Qed.

(** Clipping takes the gain away, it does not hold the ratio: the best policies of the clipped loss on two tokens, with
    advantages u > 0 > - v, are all those beyond the range, and their ratios have no bound. *)
Theorem pt_clip_keeps_ratio :
  (forall epsilon y u v, 0 < epsilon < 1 -> 0 < y < 1 -> 0 < u -> 0 < v ->
     let J := fun z => y * clipped epsilon (z / y) u + (1 - y) * clipped epsilon ((1 - z) / (1 - y)) (- v) in
     let best := y * ((1 + epsilon) * u) - (1 - y) * ((1 - epsilon) * v) in
     (forall z, J z <= best) /\
     forall x, 1 + epsilon <= x / y -> (1 - x) / (1 - y) <= 1 - epsilon -> J x = best) /\
  forall bound epsilon, 0 < epsilon < 1 -> exists y x, 0 < y < 1 /\ 0 < x < 1 /\ 1 + epsilon <= x / y /\
    (1 - x) / (1 - y) <= 1 - epsilon /\ bound < x / y.
Proof.
  split.
  - intros epsilon y u v He Hy Hu Hv J best.
    assert (up : forall z, clipped epsilon z u <= (1 + epsilon) * u).
    { intros z. rewrite clipped_positive by lra. pose proof (Rmin_r z (1 + epsilon)). nra. }
    assert (down : forall z, clipped epsilon z (- v) <= - ((1 - epsilon) * v)).
    { intros z. rewrite clipped_negative by lra. pose proof (Rmax_r z (1 - epsilon)). nra. }
    split.
    + intros z. unfold J, best. pose proof (Rmult_le_compat_l y _ _ ltac:(lra) (up (z / y))).
      pose proof (Rmult_le_compat_l (1 - y) _ _ ltac:(lra) (down ((1 - z) / (1 - y)))). lra.
    + intros x H1 H2. unfold J, best. rewrite clipped_positive, clipped_negative by lra.
      rewrite Rmin_right, Rmax_right by lra. ring.
  - intros bound epsilon He. set (k := Rmax bound 2 + 1).
    assert (Hk : 3 <= k) by (unfold k; pose proof (Rmax_r bound 2); lra).
    assert (Hb : bound < k) by (unfold k; pose proof (Rmax_l bound 2); lra).
    assert (I : 0 < / k) by (apply Rinv_0_lt_compat; lra).
    set (x := 1 - (1 - epsilon) / 2). assert (Hx : 1 / 2 < x < 1) by (unfold x; lra).
    assert (Hy : 0 < x / k) by (apply Rdiv_lt_0_compat; lra).
    assert (Hy1 : x / k <= 1 / 3).
    { apply Rmult_le_reg_r with k; [lra|]. replace (x / k * k) with x by (field; lra). lra. }
    exists (x / k), x. replace (x / (x / k)) with k by (field; lra).
    repeat split; try lra. apply Rmult_le_reg_r with (1 - x / k); [lra|].
    replace ((1 - x) / (1 - x / k) * (1 - x / k)) with (1 - x) by (field; split; lra).
    replace (1 - x) with ((1 - epsilon) / 2) by (unfold x; ring). nra.
Qed.

(** ** Section 4.5: the trust region *)

(** (8): the divergence of the updated model from the one that drew, its two parts, and its gradient. *)
Theorem pt_eq8_kl : forall n old pi, full_support n old -> full_support n pi ->
  kl n old pi = Sum n (fun o => old o * ln (old o / pi o)) /\
  kl n old pi = cross_entropy n old pi - entropy n old /\
  forall o, (o < n)%nat -> is_partial (fun q => kl n old q) pi o (- (old o / pi o)).
Proof.
  intros n old pi Hold Hpi. split; [reflexivity|]. split.
  - symmetry. apply pt_kl_ce_minus_entropy; [apply full_support_policy, Hold | apply full_support_policy, Hpi |].
    intros o Ho Hz. pose proof (proj1 Hpi o Ho). lra.
  - intros o Ho. pose proof (proj1 Hold o Ho). pose proof (proj1 Hpi o Ho). unfold is_partial, kl, expect.
    apply (is_derive_ext (fun x => Sum n (fun i => old i * ln (old i / pi i)) - old o * ln (old o / pi o)
      + old o * ln (old o / x))).
    + intros x. symmetry. apply (Sum_update n (fun i y => old i * ln (old i / y))), Ho.
    + auto_derive.
      * repeat split; try lra. apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
      * field. lra.
Qed.

(** KL is positive and tells laws apart, but is no distance: it is not symmetric. *)
Theorem pt_kl_distance :
  (forall n p q, policy n p -> policy n q -> absolutely_continuous n p q ->
     0 <= kl n p q /\ (kl n p q = 0 <-> forall o, (o < n)%nat -> p o = q o)) /\
  exists n p q, full_support n p /\ full_support n q /\ kl n p q <> kl n q p.
Proof.
  split; [intros; apply gibbs; assumption|].
  exists 2%nat, (binary (1 / 2)), (binary (1 / 4)). split; [apply binary_full; lra|]. split; [apply binary_full; lra|].
  unfold kl. rewrite !expect_binary. simpl.
  replace (1 / 2 / (1 / 4)) with 2 by field. replace ((1 - 1 / 2) / (1 - 1 / 4)) with (2 / 3) by field.
  replace (1 / 4 / (1 / 2)) with (/ 2) by field. replace ((1 - 1 / 4) / (1 - 1 / 2)) with (3 / 2) by field.
  replace (ln (2 / 3)) with (ln 2 - ln 3) by (unfold Rdiv; rewrite ln_mult, ln_Rinv by lra; ring).
  replace (ln (3 / 2)) with (ln 3 - ln 2) by (unfold Rdiv; rewrite ln_mult, ln_Rinv by lra; ring).
  rewrite ln_Rinv by lra. intros E.
  assert (A : ln (2 * 2 * (2 * 2) * (2 * 2 * (2 * 2))) = 8 * ln 2) by (rewrite !ln_mult by lra; ring).
  assert (B : ln (3 * 3 * (3 * 3) * 3) = 5 * ln 3) by (rewrite !ln_mult by lra; ring).
  assert (F : 2 * 2 * (2 * 2) * (2 * 2 * (2 * 2)) = 3 * 3 * (3 * 3) * 3) by (apply ln_inv; lra). lra.
Qed.

Lemma divergence_has_no_slope_at_itself : forall V M theta dM s, differentiable_model V M theta dM ->
  (forall a, (a < V)%nat -> 0 < M theta s a) -> is_derive (fun u => kl V (M theta s) (M u s)) theta 0.
Proof.
  intros V M theta dM s HM Hpos. unfold kl, expect.
  assert (Z : Sum V (fun a => - dM s a) = 0).
  { rewrite Sum_opp. pose proof (score_has_mean_zero V M theta dM s HM) as E. unfold expect in E.
    rewrite (Sum_ext V _ (dM s)) in E; [lra|]. intros a Ha. unfold score. specialize (Hpos a Ha). field. lra. }
  rewrite <- Z. apply (is_derive_Sum V (fun u a => M theta s a * ln (M theta s a / M u s a))). intros a Ha.
  specialize (Hpos a Ha). pose proof (proj2 HM s a Ha) as D.
  replace (- dM s a) with (M theta s a * (dM s a * (- / M theta s a))) by (field; lra).
  apply (is_derive_scal (fun u => ln (M theta s a / M u s a))).
  apply (is_derive_comp (fun x => ln (M theta s a / x)) (fun u => M u s a)); [|exact D].
  auto_derive; [|field; lra]. repeat split; try lra. apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
Qed.

(** At the sampling policy the slope of (9) is minus that of the expected reward, whatever beta: any vocabulary, any
    length, the divergences of all states on the way. *)
Theorem pt_eq9_trpo_slope : forall V M theta dM T s reward beta, differentiable_model V M theta dM ->
  (forall s' a, (a < V)%nat -> 0 < M theta s' a) ->
  exists d, is_derive (fun u => text_expect V (M u) T s (fun x => reward (s ++ x))) theta d /\
    is_derive (fun u =>
      - text_expect V (M theta) T s (ratio_gain (M u) (M theta) (exact_advantage V (M theta) (length s + T) reward) s)
      + beta * text_expect V (M theta) T s (along (fun s' _ => kl V (M theta s') (M u s')) s)) theta (- d).
Proof.
  intros V M theta dM T s reward beta HM Hpos.
  destruct (proj1 pt_eq7_A1_index V M theta dM T s reward HM) as [d [H1 H2]]. exists d. split; [exact H1|].
  assert (HK : is_derive (fun u =>
    text_expect V (M theta) T s (along (fun s' _ => kl V (M theta s') (M u s')) s)) theta 0).
  { apply (is_derive_ext (fun u => list_sum (map (fun x => text_prob (M theta) s x *
      along (fun s' _ => kl V (M theta s') (M u s')) s x) (texts V T)))).
    - intros u. symmetry. apply text_law_is_product.
    - replace 0 with (list_sum (map (fun x : list nat => text_prob (M theta) s x * along (fun _ _ => 0) s x)
        (texts V T))).
      + apply (is_derive_list_sum (texts V T) (fun u x => text_prob (M theta) s x *
          along (fun s' _ => kl V (M theta s') (M u s')) s x)).
        intros x Hx. apply in_texts in Hx. apply is_derive_scal.
        apply (is_derive_along V (fun u s' _ => kl V (M theta s') (M u s'))); [apply (proj2 Hx)|].
        intros s' a _. apply (divergence_has_no_slope_at_itself V M theta dM s' HM), Hpos.
      + rewrite (list_sum_ext _ (fun _ => 0)) by (intros; rewrite along_zero; ring). rewrite list_sum_const. ring. }
  replace (- d) with (- d + beta * 0) by ring.
  apply (is_derive_plus (K := R_AbsRing) (V := R_NormedModule)).
  - apply (is_derive_opp (K := R_AbsRing) (V := R_NormedModule)), H2.
  - apply is_derive_scal, HK.
Qed.

(** ** Section 6.1: GRAPE *)

(** (15), with the mean confidences in the denominator: the reward of a text with the scores tau, weights omega and mean
    confidences phi of the rho items of its rubric. *)
Definition grape_reward (rho : nat) (omega phi tau : nat -> R) : R :=
  INR rho * Sum rho (fun j => omega j * tau j * phi j) / Sum rho phi.

(** The factor F of a category, and the average that it multiplies. *)
Definition grape_factor (rho : nat) (omega phi : nat -> R) : R :=
  INR rho * Sum rho (fun j => omega j * phi j) / Sum rho phi.

Definition grape_average (rho : nat) (omega phi tau : nat -> R) : R :=
  Sum rho (fun j => omega j * phi j * tau j) / Sum rho (fun j => omega j * phi j).

Definition all_positive (rho : nat) (f : nat -> R) : Prop := forall j, (j < rho)%nat -> 0 < f j.

Lemma sum_positive : forall rho f, (0 < rho)%nat -> all_positive rho f -> 0 < Sum rho f.
Proof. intros rho f H Hf. apply Sum_pos with 0%nat; [intros; apply Rlt_le, Hf; assumption | exact H | apply Hf, H]. Qed.

(** The reward is a weighted average of the scores, times a factor that is the same for all texts of the category. *)
Theorem pt_eq15_weighted_average : forall rho omega phi tau, (0 < rho)%nat -> all_positive rho omega ->
  all_positive rho phi ->
  grape_reward rho omega phi tau = grape_factor rho omega phi * grape_average rho omega phi tau /\
  (forall low high, (forall j, (j < rho)%nat -> low <= tau j <= high) ->
     low <= grape_average rho omega phi tau <= high) /\
  (forall c, grape_reward rho omega phi (fun _ => c) = grape_factor rho omega phi * c) /\
  (grape_factor rho omega phi = 1 <-> Sum rho (fun j => (omega j - 1 / INR rho) * phi j) = 0).
Proof.
  intros rho omega phi tau Hr Ho Hp. pose proof (sum_positive rho phi Hr Hp) as Sp.
  assert (Sop : 0 < Sum rho (fun j => omega j * phi j)).
  { apply sum_positive; [exact Hr|]. intros j Hj. apply Rmult_lt_0_compat; [apply Ho | apply Hp]; exact Hj. }
  assert (Hn : 0 < INR rho) by (apply lt_0_INR, Hr).
  assert (swap : forall t, Sum rho (fun j => omega j * t j * phi j) = Sum rho (fun j => omega j * phi j * t j))
    by (intros t; apply Sum_ext; intros; ring).
  unfold grape_reward, grape_factor, grape_average. repeat split.
  - rewrite swap. field. lra.
  - apply Rmult_le_reg_r with (Sum rho (fun j => omega j * phi j)); [exact Sop|].
    replace (Sum rho (fun j => omega j * phi j * tau j) / Sum rho (fun j => omega j * phi j)
      * Sum rho (fun j => omega j * phi j)) with (Sum rho (fun j => omega j * phi j * tau j)) by (field; lra).
    rewrite <- Sum_scal. apply Sum_le. intros j Hj. rewrite Rmult_comm. apply Rmult_le_compat_l; [|apply H, Hj].
    apply Rmult_le_pos; apply Rlt_le; [apply Ho | apply Hp]; exact Hj.
  - apply Rmult_le_reg_r with (Sum rho (fun j => omega j * phi j)); [exact Sop|].
    replace (Sum rho (fun j => omega j * phi j * tau j) / Sum rho (fun j => omega j * phi j)
      * Sum rho (fun j => omega j * phi j)) with (Sum rho (fun j => omega j * phi j * tau j)) by (field; lra).
    rewrite <- Sum_scal. apply Sum_le. intros j Hj. rewrite (Rmult_comm high). apply Rmult_le_compat_l; [|apply H, Hj].
    apply Rmult_le_pos; apply Rlt_le; [apply Ho | apply Hp]; exact Hj.
  - intros c. rewrite swap, Sum_scal_r. field. lra.
  - intros E. rewrite (Sum_ext rho _ (fun j => omega j * phi j - 1 / INR rho * phi j)) by (intros; ring).
    rewrite Sum_minus, Sum_scal. apply (Rmult_eq_compat_r (Sum rho phi / INR rho)) in E.
    replace (INR rho * Sum rho (fun j => omega j * phi j) / Sum rho phi * (Sum rho phi / INR rho))
      with (Sum rho (fun j => omega j * phi j)) in E by (field; lra). rewrite E. field. lra.
  - rewrite (Sum_ext rho _ (fun j => omega j * phi j - 1 / INR rho * phi j)) by (intros; ring).
    rewrite Sum_minus, Sum_scal. intros E.
    replace (Sum rho (fun j => omega j * phi j)) with (1 / INR rho * Sum rho phi) by lra. field. lra.
Qed.

(** What the reward does not see: the scale of confidence; a shift of all scores, in differences. *)
Theorem pt_eq15_invariances : forall rho omega phi tau tau' c d, (0 < rho)%nat -> all_positive rho phi -> 0 < c ->
  grape_reward rho omega (fun j => c * phi j) tau = grape_reward rho omega phi tau /\
  grape_reward rho omega phi (fun j => c * tau j) = c * grape_reward rho omega phi tau /\
  grape_reward rho omega phi (fun j => tau j + d) = grape_reward rho omega phi tau + d * grape_factor rho omega phi /\
  grape_reward rho omega phi (fun j => tau j + d) - grape_reward rho omega phi (fun j => tau' j + d) =
    grape_reward rho omega phi tau - grape_reward rho omega phi tau' /\
  grape_reward rho omega (fun _ => c) tau = Sum rho (fun j => omega j * tau j).
Proof.
  intros rho omega phi tau tau' c d Hr Hp Hc. pose proof (sum_positive rho phi Hr Hp) as Sp.
  assert (Hn : 0 < INR rho) by (apply lt_0_INR, Hr).
  assert (shift : forall t, grape_reward rho omega phi (fun j => t j + d) =
    grape_reward rho omega phi t + d * grape_factor rho omega phi).
  { intros t. unfold grape_reward, grape_factor.
    rewrite (Sum_ext rho _ (fun j => omega j * t j * phi j + d * (omega j * phi j))) by (intros; ring).
    rewrite Sum_plus, Sum_scal. field. lra. }
  split; [|split; [|split; [apply shift | split]]].
  - unfold grape_reward. rewrite (Sum_ext rho _ (fun j => c * (omega j * tau j * phi j))) by (intros; ring).
    rewrite !Sum_scal. field. lra.
  - unfold grape_reward. rewrite (Sum_ext rho _ (fun j => c * (omega j * tau j * phi j))) by (intros; ring).
    rewrite Sum_scal. field. lra.
  - rewrite !shift. ring.
  - unfold grape_reward. rewrite Sum_scal_r, Sum_const. field. lra.
Qed.

(** The range of the reward for given weights: from 0 to rho times the largest weight, to which it comes as near as one
    likes. *)
Theorem pt_eq15_range_given_weights : forall rho omega, (0 < rho)%nat -> all_positive rho omega ->
  (forall phi tau m, all_positive rho phi -> (forall j, (j < rho)%nat -> 0 <= tau j <= 1) ->
     (forall j, (j < rho)%nat -> omega j <= m) -> 0 <= grape_reward rho omega phi tau <= INR rho * m) /\
  forall k, (k < rho)%nat -> filterlim (fun t => grape_reward rho omega (update (fun _ => t) k 1) (fun _ => 1))
    (at_right 0) (locally (INR rho * omega k)).
Proof.
  intros rho omega Hr Ho. assert (Hn : 0 < INR rho) by (apply lt_0_INR, Hr). split.
  - intros phi tau m Hp Ht Hm. pose proof (sum_positive rho phi Hr Hp) as Sp. unfold grape_reward. split.
    + apply Rdiv_le_0_compat; [|exact Sp]. apply Rmult_le_pos; [lra|]. apply Sum_nonneg. intros j Hj.
      specialize (Ht j Hj). specialize (Ho j Hj). specialize (Hp j Hj). repeat apply Rmult_le_pos; lra.
    + apply Rmult_le_reg_r with (Sum rho phi); [exact Sp|].
      replace (INR rho * Sum rho (fun j => omega j * tau j * phi j) / Sum rho phi * Sum rho phi)
        with (INR rho * Sum rho (fun j => omega j * tau j * phi j)) by (field; lra).
      rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. rewrite <- Sum_scal. apply Sum_le. intros j Hj.
      specialize (Ht j Hj). specialize (Ho j Hj). specialize (Hp j Hj). specialize (Hm j Hj).
      apply Rmult_le_compat_r; [lra|]. nra.
  - intros k Hk.
    assert (E : forall t, grape_reward rho omega (update (fun _ => t) k 1) (fun _ => 1) =
      INR rho * (t * Sum rho omega - omega k * t + omega k) / (INR rho * t - t + 1)).
    { intros t. unfold grape_reward.
      rewrite (Sum_ext rho _ (fun j => omega j * update (fun _ => t) k 1 j)) by (intros; ring).
      rewrite (Sum_update rho (fun j y => omega j * y)) by exact Hk.
      rewrite (Sum_update rho (fun j y => y)) by exact Hk. rewrite Sum_scal_r, Sum_const. f_equal; ring. }
    apply (filterlim_ext (fun t => INR rho * (t * Sum rho omega - omega k * t + omega k) / (INR rho * t - t + 1)));
      [intros t; symmetry; apply E|].
    set (g := fun t : R => INR rho * (t * Sum rho omega - omega k * t + omega k) / (INR rho * t - t + 1)).
    replace (INR rho * omega k) with (g 0) by (unfold g; field; lra).
    assert (C : continuous g 0).
    { apply (ex_derive_continuous (V := R_NormedModule)). unfold g. auto_derive. lra. }
    intros P HP. specialize (C P HP). apply filter_le_within. exact C.
Qed.

(** The advantage within a group, (13): the advantages sum to zero, a shift of the rewards goes, a scale stays, and it
    is 1 - 1/G times the distance from the mean of the others. *)
Theorem pt_eq13_group_advantage : forall (g : list R) (x c d : R), (2 <= length g)%nat -> In x g ->
  list_sum (map (shift_advantage g) g) = 0 /\
  shift_advantage (map (fun y => c * y + d) g) (c * x + d) = c * shift_advantage g x /\
  shift_advantage g x = (1 - 1 / INR (length g)) * (x - (list_sum g - x) / (INR (length g) - 1)).
Proof.
  intros g x c d Hl Hx. assert (Hn : 1 < INR (length g)) by (apply lt_1_INR; lia).
  split; [apply sum_centred|]. split.
  - unfold shift_advantage, mean. rewrite map_length, list_sum_plus, list_sum_const, list_sum_scal, map_id. field. lra.
  - unfold shift_advantage, mean. field. lra.
Qed.

(** One item: GRPO without the division by the deviation, whatever the confidence; a reward that is brought into [0, 1]
    by an affine map scales the advantage. *)
Theorem pt_eq15_reduces_to_grpo : forall (g : list R) (x c d : R) (phi : nat -> R), In x g -> phi 0%nat <> 0 -> 0 < c ->
  (forall y, grape_reward 1 (fun _ => 1) phi (fun _ => y) = y) /\
  shift_advantage (map (fun y => grape_reward 1 (fun _ => 1) phi (fun _ => y)) g)
    (grape_reward 1 (fun _ => 1) phi (fun _ => x)) = shift_advantage g x /\
  shift_advantage (map (fun y => (y - d) / c) g) ((x - d) / c) = shift_advantage g x / c.
Proof.
  intros g x c d phi Hx Hp Hc. assert (one : forall y, grape_reward 1 (fun _ => 1) phi (fun _ => y) = y).
  { intros y. unfold grape_reward. simpl. field. lra. }
  split; [exact one|]. split.
  - rewrite one. unfold shift_advantage. rewrite (map_ext _ (fun y => y)) by apply one. rewrite map_id. reflexivity.
  - destruct g as [|y g]; [destruct Hx|].
    assert (Hn : 0 < INR (length (y :: g))) by (apply lt_0_INR; simpl; lia). set (l := y :: g) in *.
    unfold shift_advantage, mean. rewrite map_length.
    rewrite (list_sum_ext _ (fun z => / c * z + - (d / c))) by (intros; field; lra).
    rewrite list_sum_plus, list_sum_const, list_sum_scal, map_id. field. lra.
Qed.

(** The advantage of GRAPE: those of a group sum to zero, and each is F times the advantage by weighted averages. *)
Theorem pt_grape_advantage : forall rho omega phi (group : list (nat -> R)) tau, (0 < rho)%nat ->
  all_positive rho omega -> all_positive rho phi -> In tau group ->
  let R := map (grape_reward rho omega phi) group in
  list_sum (map (shift_advantage R) R) = 0 /\
  shift_advantage R (grape_reward rho omega phi tau) = grape_factor rho omega phi *
    shift_advantage (map (grape_average rho omega phi) group) (grape_average rho omega phi tau).
Proof.
  intros rho omega phi group tau Hr Ho Hp Hin R. split; [apply sum_centred|].
  assert (E : forall t, grape_reward rho omega phi t = grape_factor rho omega phi * grape_average rho omega phi t)
    by (intros t; apply pt_eq15_weighted_average; assumption).
  unfold shift_advantage, R. rewrite E. rewrite (map_ext _ _ E).
  rewrite <- (map_map (grape_average rho omega phi) (fun a => grape_factor rho omega phi * a)). rewrite mean_scal. ring.
Qed.

(** Lemma 8.1 is about (15) with equal weights, and with no others. *)
Theorem pt_lemma81_covers_eq15 : forall rho omega phi, (0 < rho)%nat -> all_positive rho phi ->
  ((forall tau, grape_reward rho omega phi tau = Sum rho (fun j => tau j * phi j) / Sum rho phi) <->
   forall j, (j < rho)%nat -> omega j = 1 / INR rho).
Proof.
  intros rho omega phi Hr Hp. pose proof (sum_positive rho phi Hr Hp) as Sp.
  assert (Hn : 0 < INR rho) by (apply lt_0_INR, Hr). unfold grape_reward. split.
  - intros H j Hj. specialize (H (at_index j 1)). specialize (Hp j Hj).
    rewrite (Sum_ext rho (fun i => omega i * at_index j 1 i * phi i) (at_index j (omega j * phi j))) in H.
    2:{ intros i _. unfold at_index. destruct (Nat.eqb_spec i j) as [->|]; ring. }
    rewrite (Sum_ext rho (fun i => at_index j 1 i * phi i) (at_index j (phi j))) in H.
    2:{ intros i _. unfold at_index. destruct (Nat.eqb_spec i j) as [->|]; ring. }
    rewrite !Sum_at_index in H by exact Hj.
    apply (Rmult_eq_compat_r (Sum rho phi / (INR rho * phi j))) in H.
    replace (INR rho * (omega j * phi j) / Sum rho phi * (Sum rho phi / (INR rho * phi j))) with (omega j) in H
      by (field; repeat split; lra).
    rewrite H. field. repeat split; lra.
  - intros H tau. rewrite (Sum_ext rho (fun j => omega j * tau j * phi j) (fun j => 1 / INR rho * (tau j * phi j))).
    + rewrite Sum_scal. field. lra.
    + intros j Hj. rewrite (H j Hj). ring.
Qed.

(** One advantage for all tokens of a text: its log-probability is weighed, whatever the vocabulary and the length. *)
Theorem pt_grape_sample_level : forall V M s x A, is_model V M -> List.Forall (fun a => (a < V)%nat) x ->
  0 < text_prob M s x -> along (fun s' a => - (A * ln (M s' a))) s x = - (A * ln (text_prob M s x)).
Proof.
  intros V M s x A HM Hx Hp. destruct (pt_eq1_nll V M s x HM Hx Hp) as [E _]. unfold nll in E.
  rewrite (along_same _ (fun s' a => A * - ln (M s' a))) by (intros; ring). rewrite along_scal, E. ring.
Qed.

Lemma ratio_product_derive : forall V M theta dM s x, differentiable_model V M theta dM ->
  (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> List.Forall (fun a => (a < V)%nat) x ->
  ratio_product (M theta) (M theta) s x = 1 /\
  is_derive (fun u => ratio_product (M u) (M theta) s x) theta (along (score (M theta) dM) s x).
Proof.
  intros V M theta dM s x HM Hpos Hx. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl.
  - split; [reflexivity|]. apply (@is_derive_const R_AbsRing R_NormedModule).
  - destruct (IH (s ++ [a])) as [E D]. pose proof (Hpos s a Ha) as P0.
    assert (one : M theta s a / M theta s a = 1) by (field; lra). rewrite E, one. split; [ring|].
    replace (score (M theta) dM s a + along (score (M theta) dM) (s ++ [a]) x)
      with (score (M theta) dM s a * ratio_product (M theta) (M theta) (s ++ [a]) x
        + M theta s a / M theta s a * along (score (M theta) dM) (s ++ [a]) x) by (rewrite E, one; ring).
    apply (is_derive_mult (fun u => M u s a / M theta s a) (fun u => ratio_product (M u) (M theta) (s ++ [a]) x));
      [| exact D | intros; apply Rmult_comm].
    unfold score, Rdiv. rewrite Rmult_comm.
    apply (is_derive_ext (fun u => / M theta s a * M u s a)); [intro; apply Rmult_comm|].
    apply is_derive_scal. apply (proj2 HM), Ha.
Qed.

(** The first step of (17), which clips the ratio of the whole text, is that of (14), which clips token by token. *)
Theorem pt_eq17_same_gradient : forall V M theta dM T s A epsilon x, differentiable_model V M theta dM ->
  0 < epsilon < 1 -> (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> text V T x ->
  is_derive (fun u => clipped epsilon (ratio_product (M u) (M theta) s x) A) theta (along (score (M theta) dM) s x * A)
    /\
  is_derive (fun u => clipped_gain epsilon (M u) (M theta) (fun _ _ => A) s x) theta
    (along (score (M theta) dM) s x * A).
Proof.
  intros V M theta dM T s A epsilon x HM He Hpos Hx. split.
  - destruct (ratio_product_derive V M theta dM s x HM Hpos (proj2 Hx)) as [E D].
    apply clipped_near_one_derive; [lra | exact E | exact D].
  - destruct (proj2 pt_eq11_ppo V M theta dM T s (fun _ _ => A) epsilon x HM He Hpos Hx) as [_ [D _]].
    replace (along (score (M theta) dM) s x * A) with (along (fun s' a => score (M theta) dM s' a * A) s x); [exact D|].
    rewrite (along_same _ (fun s' a => A * score (M theta) dM s' a)) by (intros; ring). rewrite along_scal. ring.
Qed.
