(** * Patel (2025): Reinforcement learning for language models

    Every theorem has the name of its claim. Vocabulary V, length T, number of answers n and of samples are arbitrary
    unless a theorem says otherwise; s is the prompt, and every state begins with it. *)

From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules Texts.
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
    + destruct x; [|discriminate]. cbn. unfold same_text. destruct (list_eq_dec Nat.eq_dec [] []); [reflexivity | contradiction].
    + destruct x as [|a x]; [discriminate|]. inversion Hf; subst. cbn [text_expect text_prob].
      rewrite (expect_ext V (M s) _ (fun b => text_prob M (s ++ [b]) x * at_index a 1 b)).
      * unfold expect. rewrite (Sum_ext V _ (fun b => (M s b * text_prob M (s ++ [b]) x) * at_index a 1 b)) by (intros; ring).
        rewrite Sum_mult_at_index by assumption. ring.
      * intros b Hb. rewrite <- (IH (s ++ [b]) x) by (split; [simpl in Hl; lia | assumption]).
        rewrite (text_expect_ext V M T (s ++ [b]) (fun z => same_text (b :: z) (a :: x)) (fun z => at_index a 1 b * same_text z x))
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
  intros V M s x HM Hx. unfold nll. revert s. induction Hx as [|a x Ha Hx IH]; intros s Hp; simpl in *; [rewrite ln_1; lra|].
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

Theorem pt_gibbs : forall n p q, policy n p -> policy n q -> absolutely_continuous n p q ->
  entropy n p <= cross_entropy n p q /\
  (cross_entropy n p q = entropy n p <-> forall o, (o < n)%nat -> p o = q o).
Proof.
  intros n p q Hp Hq Hac. pose proof (pt_kl_ce_minus_entropy n p q Hp Hq Hac).
  destruct (gibbs n p q Hp Hq Hac) as [H0 Heq]. split; [lra|]. rewrite <- Heq. split; intros; lra.
Qed.

(** ** Section 4.1: REINFORCE *)

Theorem pt_score_mean_zero : forall V M theta dM T s, differentiable_model V M theta dM ->
  (forall s', expect V (M theta s') (score (M theta) dM s') = 0) /\
  text_expect V (M theta) T s (along (score (M theta) dM) s) = 0.
Proof.
  intros V M theta dM T s HM.
  assert (H : forall s', expect V (M theta s') (score (M theta) dM s') = 0) by (intro; apply score_has_mean_zero; assumption).
  split; [exact H|]. apply weights_of_mean_zero_add_up_to_mean_zero; [apply (model_at V M theta dM HM) | exact H].
Qed.

(** One more token in front: if the estimates [dW] of the derivatives of the values [W] after each token are exact, so is
    the estimate before the token, for every baseline; hence, by induction, the policy gradient for texts of any length. *)
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
      pose proof (token_gradient V M theta dM s a HM Ha) as E. set (g := score (M theta) dM s a) in *. rewrite <- E. ring.
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
  intros V M theta dM reward b s x HM Hx. unfold reinforce_loss, reinforce_slope. generalize (reward x). intro c. revert s.
  induction Hx as [|a x Ha Hx IH]; intros s Hp; simpl in *.
  - rewrite Ropp_0. apply (@is_derive_const R_AbsRing R_NormedModule).
  - pose proof (model_at V M theta dM HM) as Hmod.
    destruct (proj1 (Hmod s) a Ha) as [Hm | Hm]; [|rewrite <- Hm in Hp; lra].
    assert (Hp' : 0 < text_prob (M theta) (s ++ [a]) x).
    { destruct (text_prob_nonneg V (M theta) (s ++ [a]) x Hmod Hx) as [H | H]; [exact H | rewrite <- H in Hp; lra]. }
    specialize (IH _ Hp'). set (rest := along _ (s ++ [a]) x) in *.
    replace (- ((c - b s) * score (M theta) dM s a + rest)) with (- ((c - b s) * score (M theta) dM s a) + - rest) by ring.
    apply (is_derive_ext (fun u => - ((c - b s) * ln (M u s a)) + - along (fun s' a0 => (c - b s') * ln (M u s' a0)) (s ++ [a]) x)).
    { intro u. simpl. ring. }
    apply (@is_derive_plus R_AbsRing R_NormedModule); [|exact IH]. apply is_derive_opp'.
    apply is_derive_scal. unfold score, Rdiv. rewrite Rmult_comm.
    apply (is_derive_ext (fun u => ln (M u s a))); [reflexivity|]. rewrite Rmult_comm.
    apply (is_derive_comp ln (fun u => M u s a) theta (/ M theta s a) (dM s a)); [apply is_derive_ln; exact Hm | apply (proj2 HM), Ha].
Qed.

Lemma text_expectation : forall V M T s, is_model V M -> expectation (text_expect V M T s).
Proof.
  intros V M T s HM. exists (map (fun x => (text_prob M s x, x)) (texts V T)). split; [|split].
  - intros w Hw. apply in_map_iff in Hw. destruct Hw as [x [<- Hx]]. apply in_texts in Hx. simpl.
    apply (text_prob_nonneg V); [exact HM | apply Hx].
  - rewrite map_map. simpl. apply (texts_make_one_law V M T s HM).
  - intro f. rewrite map_map. simpl. apply text_law_is_product.
Qed.

(** The mean over S > 0 samples has the expectation of one of them. *)
Lemma mean_of_samples : forall {A : Type} (E : (A -> R) -> R) (S : nat) (g : A -> R), expectation E -> (0 < S)%nat ->
  draws E S (fun l => mean (map g l)) = E g.
Proof.
  intros A E S g HE HS. destruct S as [|N]; [lia|].
  rewrite (draws_ext E HE (S N) _ (fun s => / INR (S N) * list_sum (map (fun a => (fun a (_ : list A) => g a) a s) s))).
  - rewrite (E_scal (draws E (S N)) (draws_expectation E HE (S N))).
    rewrite (draws_exchange E HE N (fun a _ => g a)) by reflexivity.
    rewrite (E_ext E HE _ g).
    + rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l; [reflexivity|]. apply not_0_INR. lia.
    + intro a. apply (E_const (draws E N) (draws_expectation E HE N)).
  - intros s Hs. unfold mean. rewrite map_length, Hs. apply Rmult_comm.
Qed.

(** (3): for S texts of the model itself, with any baseline of the states, reward and baseline held fixed, the expected
    gradient of the loss is minus the gradient of the expected reward. *)
Theorem pt_eq3_reinforce : forall V M theta dM T s reward b S, differentiable_model V M theta dM -> (0 < S)%nat ->
  (forall x, text V T x -> 0 < text_prob (M theta) s x ->
     is_derive (fun u => reinforce_loss (M u) reward b s x) theta (reinforce_slope (M theta) dM reward b s x)) /\
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (- draws (text_expect V (M theta) T s) S (fun sample => mean (map (reinforce_slope (M theta) dM reward b s) sample))).
Proof.
  intros V M theta dM T s reward b S HM HS. split.
  - intros x [_ Hx] Hp. apply (reinforce_loss_derive V); assumption.
  - rewrite mean_of_samples; [| apply text_expectation, (model_at V M theta dM HM) | exact HS].
    replace (- text_expect V (M theta) T s (reinforce_slope (M theta) dM reward b s))
      with (text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x)).
    + apply policy_gradient_with_baseline, HM.
    + unfold reinforce_slope.
      rewrite (text_expect_ext V (M theta) T s (fun x => - _ x) (fun x => (-1) * along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x)) by (intros; ring).
      rewrite text_expect_scal. ring.
Qed.

Theorem pt_reward_weighted_reinforce : forall V M theta dM T s reward S, differentiable_model V M theta dM -> (0 < S)%nat ->
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (- draws (text_expect V (M theta) T s) S (fun sample => mean (map (reinforce_slope (M theta) dM reward (fun _ => 0) s) sample))).
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
  - intros x _. rewrite (along_same (fun s' a => (1 - 0) * score (M theta) dM s' a) (score (M theta) dM)) by (intros; ring). ring.
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
Theorem pt_baseline_anything : exists (V T : nat) (M : R -> model) (theta : R) (dM : model) (s : list nat) (reward : list nat -> R)
    (b : list nat -> nat -> R), differentiable_model V M theta dM /\
  text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s' a) * score (M theta) dM s' a) s x) <>
  text_expect V (M theta) T s (fun x => along (fun s' a => reward x * score (M theta) dM s' a) s x).
Proof.
  exists 2%nat, 1%nat, coin, (1 / 2), coin_slope, [], (fun x => match x with [O] => 1 | _ => 0 end),
    (fun _ a => match a with O => 1 | _ => 0 end).
  split; [apply coin_differentiable; lra|]. simpl. unfold expect, coin, score, coin_slope. simpl. lra.
Qed.

(** ** Section 4.5: importance sampling *)

(** (18): the mean of N > 0 weighted draws from q is unbiased where q covers p. *)
Theorem pt_eq18_importance_sampling : forall n p q x N, policy n q -> absolutely_continuous n p q -> (0 < N)%nat ->
  draws (expect n q) N (fun sample => mean (map (fun o => p o / q o * x o) sample)) = expect n p x.
Proof.
  intros n p q x N Hq Hac HN. rewrite mean_of_samples; [apply change_of_measure; exact Hac | | exact HN].
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
Theorem pt_eq7_states_of_the_old_policy : forall V M N T s A, is_model V N -> covers V N M ->
  text_expect V N T s (ratio_gain M N A s) = text_expect V N T s (along (fun s' _ => expect V (M s') (A s')) s).
Proof.
  intros V M N T s A HN Hc. unfold ratio_gain. rewrite expectation_along_text_uses_conditional_means by exact HN.
  apply text_expect_ext. intros x _. apply along_same. intros s' _. apply change_of_measure, Hc.
Qed.

(** When the ratio loss is importance sampling: with the product of the ratios of the whole text for every length, with the
    ratio of the token for texts of one token, and where both models agree. *)
Theorem pt_eq7_IS_unbiased : forall V M theta dM N T s reward b, differentiable_model V M theta dM -> is_model V N ->
  covers V N (M theta) ->
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (text_expect V N T s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x)) /\
  is_derive (fun u => text_expect V (M u) 1 s reward) theta
    (text_expect V N 1 s (fun x => along (fun s' a => M theta s' a / N s' a * (reward x - b s') * score (M theta) dM s' a) s x)) /\
  is_derive (fun u => text_expect V (M u) T s reward) theta
    (text_expect V (M theta) T s (fun x => along (fun s' a => M theta s' a / M theta s' a * (reward x - b s') * score (M theta) dM s' a) s x)).
Proof.
  intros V M theta dM N T s reward b HM HN Hc.
  assert (H1 : forall K, is_derive (fun u => text_expect V (M u) K s reward) theta
    (text_expect V N K s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x))).
  { intro K. rewrite (pt_sampling_mismatch V (M theta) N K s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x) Hc).
    apply policy_gradient_with_baseline, HM. }
  split; [apply H1|]. split.
  - specialize (H1 1%nat). replace (text_expect V N 1 s (fun x => along _ s x)) with
      (text_expect V N 1 s (fun x => ratio_product (M theta) N s x * along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x)); [exact H1|].
    apply text_expect_ext. intros x [Hx _]. destruct x as [|a [|c x]]; try discriminate. simpl. ring.
  - replace (text_expect V (M theta) T s (fun x => along _ s x)) with
      (text_expect V (M theta) T s (fun x => along (fun s' a => (reward x - b s') * score (M theta) dM s' a) s x));
      [apply policy_gradient_with_baseline, HM|].
    apply text_expect_ext. intros x [_ Hx]. apply (along_ext V); [exact Hx|]. intros s' a Ha. unfold score.
    destruct (Req_dec (M theta s' a) 0) as [H0 | H0]; [|field; exact H0].
    rewrite (zero_probability_is_stationary V M theta dM s' a HM Ha H0). unfold Rdiv. ring.
Qed.

(** And why (7) is none: for texts of two tokens and another model than the one that sampled, its gradient is another. *)
Theorem pt_eq7_is_no_importance_sampling : exists (V : nat) (M : R -> model) (theta : R) (dM N : model) (reward : list nat -> R) (d : R),
  differentiable_model V M theta dM /\ is_model V N /\ covers V N (M theta) /\
  is_derive (fun u => text_expect V (M u) 2 [] reward) theta d /\
  text_expect V N 2 [] (fun x => along (fun s' a => M theta s' a / N s' a * reward x * score (M theta) dM s' a) [] x) <> d.
Proof.
  exists 2%nat, coin, (1 / 2), coin_slope, (coin (1 / 4)), (fun x => match x with [O; O] => 1 | _ => 0 end).
  exists (text_expect 2 (coin (1 / 2)) 2 [] (fun x => (match x with [O; O] => 1 | _ => 0 end) * along (score (coin (1 / 2)) coin_slope) [] x)).
  assert (Hd : differentiable_model 2 coin (1 / 2) coin_slope) by (apply coin_differentiable; lra).
  split; [exact Hd|]. split; [intro s; apply binary_policy; lra|].
  split; [intros s [|[|o]] Ho; unfold coin, binary; intros; lra || lia|].
  split; [apply policy_gradient, Hd|]. simpl. unfold expect, coin, score, coin_slope. simpl. lra.
Qed.

(** The value of a state, and the advantage, of the model N on texts of T tokens after s: the expected reward, and what a
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
  transitivity (expect V (M x) (fun a => (value V N K reward (x ++ [a]) - v) + (value V M K reward (x ++ [a]) - value V N K reward (x ++ [a])))).
  - rewrite (expect_ext V (M x) (fun a => value V N K reward (x ++ [a]) - v + _) (fun a => value V M K reward (x ++ [a]) - v)) by (intros; ring).
    rewrite expect_minus, expect_const by apply HM. f_equal. apply expect_ext. intros a _.
    unfold value. apply text_expect_ext. intros y _. rewrite <- app_assoc. reflexivity.
  - apply expect_ext. intros a _. cbn [advantages]. fold v. rewrite text_expect_plus, text_expect_const by exact HM.
    rewrite (IH reward (x ++ [a]) HM HN). reflexivity.
Qed.
