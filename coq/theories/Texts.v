(** * Texts

    A text is a list of tokens, numbered 0, ..., V - 1. A model M gives in each state, the list of the tokens before
    (the prompt among them), a law of the next token. Texts of T tokens after the state s have the law that the chain
    rule gives. *)

From Coq Require Import Reals Lra Lia Psatz List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules.
Import ListNotations.

Open Scope R_scope.

(** ** Models and laws of texts *)

Definition model : Type := list nat -> nat -> R.

Definition is_model (V : nat) (M : model) : Prop := forall s, policy V (M s).

Definition text (V T : nat) (x : list nat) : Prop := length x = T /\ List.Forall (fun a => (a < V)%nat) x.

(** The probability that generation from s continues with x: the product of the next-token probabilities. *)
Fixpoint text_prob (M : model) (s x : list nat) : R :=
  match x with
  | [] => 1
  | a :: rest => M s a * text_prob M (s ++ [a]) rest
  end.

(** The expectation of F(text) over texts of T tokens generated from s. *)
Fixpoint text_expect (V : nat) (M : model) (T : nat) (s : list nat) (F : list nat -> R) : R :=
  match T with
  | O => F []
  | S k => expect V (M s) (fun a => text_expect V M k (s ++ [a]) (fun x => F (a :: x)))
  end.

(** All texts of T tokens. *)
Fixpoint texts (V T : nat) : list (list nat) :=
  match T with
  | O => [[]]
  | S k => flat_map (fun a => map (cons a) (texts V k)) (seq 0 V)
  end.

(** The sum over the tokens of a text of w(state, token). *)
Fixpoint along (w : list nat -> nat -> R) (s x : list nat) : R :=
  match x with
  | [] => 0
  | a :: rest => w s a + along w (s ++ [a]) rest
  end.

(** ** Induction over tokens *)

Theorem induction_over_tokens_from_the_front : forall P : list nat -> Prop,
  P [] -> (forall a x, P x -> P (a :: x)) -> forall x, P x.
Proof. intros P H0 HS x. induction x; auto. Qed.

Theorem induction_over_tokens_from_the_end : forall P : list nat -> Prop,
  P [] -> (forall x a, P x -> P (x ++ [a])) -> forall x, P x.
Proof. intros P H0 HS x. apply rev_ind; auto. Qed.

(** ** Expectations over texts *)

Theorem text_law_is_product : forall V M T s F,
  text_expect V M T s F = list_sum (map (fun x => text_prob M s x * F x) (texts V T)).
Proof.
  intros V M. induction T as [|T IH]; intros s F; simpl; [ring|].
  rewrite list_sum_flat_map. unfold expect. rewrite Sum_list. apply list_sum_ext. intros a _.
  rewrite IH, map_map, <- list_sum_scal. apply list_sum_ext. intros x _. simpl. ring.
Qed.

Lemma in_texts : forall V T x, In x (texts V T) <-> text V T x.
Proof.
  intros V. induction T as [|T IH]; intros x; simpl.
  - split; [intros [<- | []]; split; [reflexivity | constructor] | intros [H _]; left; destruct x;
    [reflexivity | discriminate]].
  - rewrite in_flat_map. split.
    + intros [a [Ha Hx]]. apply in_map_iff in Hx. destruct Hx as [y [<- Hy]]. apply IH in Hy. destruct Hy as [Hl Hf].
      apply in_seq in Ha. split; [simpl; rewrite Hl; reflexivity | constructor; [lia | exact Hf]].
    + intros [Hl Hf]. destruct x as [|a y]; [discriminate|]. inversion Hf; subst. exists a. split; [apply in_seq; lia|].
      apply in_map. apply IH. split; [simpl in Hl; lia | assumption].
Qed.

Lemma text_prob_nonneg : forall V M s x, is_model V M -> List.Forall (fun a => (a < V)%nat) x -> 0 <= text_prob M s x.
Proof.
  intros V M s x HM Hx. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl; [lra|].
  apply Rmult_le_pos; [apply (proj1 (HM s) a Ha) | apply IH].
Qed.

Lemma text_expect_ext : forall V M T s F G, (forall x, text V T x -> F x = G x) ->
  text_expect V M T s F = text_expect V M T s G.
Proof.
  intros V M T s F G H. rewrite !text_law_is_product. apply list_sum_ext. intros x Hx. rewrite H by (apply in_texts;
    exact Hx).
  reflexivity.
Qed.

(** Only texts that can be generated matter. *)
Lemma text_expect_ext_positive : forall V M T s F G, is_model V M ->
  (forall x, text V T x -> 0 < text_prob M s x -> F x = G x) -> text_expect V M T s F = text_expect V M T s G.
Proof.
  intros V M T s F G HM H. rewrite !text_law_is_product. apply list_sum_ext. intros x Hx. apply in_texts in Hx.
  destruct (text_prob_nonneg V M s x HM (proj2 Hx)) as [Hp | Hp]; [rewrite (H x Hx Hp); reflexivity | rewrite <- Hp;
    ring].
Qed.

Lemma text_expect_plus : forall V M T s F G,
  text_expect V M T s (fun x => F x + G x) = text_expect V M T s F + text_expect V M T s G.
Proof.
  intros. rewrite !text_law_is_product, <- list_sum_plus. apply list_sum_ext. intros. ring.
Qed.

Lemma text_expect_scal : forall V M T s c F, text_expect V M T s (fun x => c * F x) = c * text_expect V M T s F.
Proof.
  intros. rewrite !text_law_is_product, <- list_sum_scal. apply list_sum_ext. intros. ring.
Qed.

Lemma text_expect_minus : forall V M T s F G,
  text_expect V M T s (fun x => F x - G x) = text_expect V M T s F - text_expect V M T s G.
Proof.
  intros. rewrite (text_expect_ext V M T s (fun x => F x - G x) (fun x => F x + (-1) * G x)) by (intros; ring).
  rewrite text_expect_plus, text_expect_scal. ring.
Qed.

Lemma text_expect_const : forall V M T s c, is_model V M -> text_expect V M T s (fun _ => c) = c.
Proof.
  intros V M T. induction T as [|T IH]; intros s c HM; simpl; [reflexivity|].
  rewrite (expect_ext V (M s) _ (fun _ => c)) by (intros; apply IH; exact HM). apply expect_const, HM.
Qed.

Theorem texts_make_one_law : forall V M T s, is_model V M ->
  (forall x, text V T x -> 0 <= text_prob M s x) /\ list_sum (map (text_prob M s) (texts V T)) = 1.
Proof.
  intros V M T s HM. split.
  - intros x [_ Hx]. apply (text_prob_nonneg V); assumption.
  - rewrite <- (text_expect_const V M T s 1 HM), text_law_is_product. apply list_sum_ext. intros. ring.
Qed.

Theorem text_probability_of_appended : forall M s x y, text_prob M s (x ++ y) = text_prob M s x * text_prob M (s ++ x)
  y.
Proof.
  intros M s x. revert s. induction x as [|a x IH]; intros s y; simpl; [rewrite app_nil_r; ring|].
  rewrite IH, <- app_assoc. simpl. ring.
Qed.

Theorem expectation_over_prefixes : forall V M T U s F,
  text_expect V M (T + U) s F = text_expect V M T s (fun x => text_expect V M U (s ++ x) (fun y => F (x ++ y))).
Proof.
  intros V M T. induction T as [|T IH]; intros U s F; simpl; [rewrite app_nil_r; reflexivity|].
  apply expect_ext. intros a _. rewrite IH. apply text_expect_ext. intros x _. rewrite <- app_assoc. reflexivity.
Qed.

Theorem expectation_along_text_uses_conditional_means : forall V M T s w, is_model V M ->
  text_expect V M T s (along w s) = text_expect V M T s (along (fun s' _ => expect V (M s') (w s')) s).
Proof.
  intros V M T. induction T as [|T IH]; intros s w HM; simpl; [reflexivity|].
  set (m := fun s' (_ : nat) => expect V (M s') (w s')).
  transitivity (expect V (M s) (fun a => w s a + text_expect V M T (s ++ [a]) (along m (s ++ [a])))).
  - apply expect_ext. intros a _. rewrite text_expect_plus, text_expect_const by exact HM. rewrite IH by exact HM.
    reflexivity.
  - rewrite expect_plus.
    transitivity (expect V (M s) (fun a => m s a + text_expect V M T (s ++ [a]) (along m (s ++ [a])))).
    + rewrite expect_plus. f_equal. unfold m. symmetry. apply expect_const, HM.
    + apply expect_ext. intros a _. rewrite text_expect_plus, text_expect_const by exact HM. reflexivity.
Qed.

Lemma along_plus : forall w v s x, along (fun s a => w s a + v s a) s x = along w s x + along v s x.
Proof. intros w v s x. revert s. induction x as [|a x IH]; intro s; simpl; [ring | rewrite IH; ring]. Qed.

Lemma along_scal : forall c w s x, along (fun s a => c * w s a) s x = c * along w s x.
Proof. intros c w s x. revert s. induction x as [|a x IH]; intro s; simpl; [ring | rewrite IH; ring]. Qed.

Lemma along_ext : forall V w v s x, List.Forall (fun a => (a < V)%nat) x -> (forall s a, (a < V)%nat ->
  w s a = v s a) ->
  along w s x = along v s x.
Proof. intros V w v s x Hx H. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl;
  [reflexivity | rewrite H, IH by exact Ha; reflexivity]. Qed.

Lemma along_same : forall w v s x, (forall s a, w s a = v s a) -> along w s x = along v s x.
Proof. intros w v s x H. revert s. induction x as [|a x IH]; intro s; simpl; [reflexivity | rewrite H, IH;
  reflexivity]. Qed.

Lemma along_minus : forall w v s x, along (fun s a => w s a - v s a) s x = along w s x - along v s x.
Proof. intros w v s x. revert s. induction x as [|a x IH]; intro s; simpl; [ring | rewrite IH; ring]. Qed.

Lemma along_zero : forall s x, along (fun _ _ => 0) s x = 0.
Proof. intros s x. revert s. induction x as [|a x IH]; intro s; simpl; [reflexivity | rewrite IH; ring]. Qed.

Theorem weights_of_mean_zero_add_up_to_mean_zero : forall V M T s w, is_model V M ->
  (forall s', expect V (M s') (w s') = 0) -> text_expect V M T s (along w s) = 0.
Proof.
  intros V M T s w HM H. rewrite expectation_along_text_uses_conditional_means by exact HM.
  rewrite (text_expect_ext V M T s _ (fun _ => 0)); [apply text_expect_const; exact HM|].
  intros x [_ Hx]. rewrite (along_ext V _ (fun _ _ => 0) s x Hx); [apply along_zero | intros s' a _; apply H].
Qed.

(** ** Importance weights *)

Definition covers (V : nat) (N M : model) : Prop := forall s, absolutely_continuous V (M s) (N s).

Lemma text_prob_covered : forall V M N s x, covers V N M -> List.Forall (fun a => (a < V)%nat) x ->
  text_prob N s x = 0 -> text_prob M s x = 0.
Proof.
  intros V M N s x Hc Hx. revert s. induction Hx as [|a x Ha Hx IH]; intro s; simpl; intro H0; [exact H0|].
  apply Rmult_integral in H0. destruct H0 as [H0 | H0]; [rewrite (Hc s a Ha H0); ring | rewrite (IH _ H0); ring].
Qed.

Theorem change_of_measure_for_texts : forall V M N T s F, covers V N M ->
  text_expect V N T s (fun x => text_prob M s x / text_prob N s x * F x) = text_expect V M T s F.
Proof.
  intros V M N T s F Hc. rewrite !text_law_is_product. apply list_sum_ext. intros x Hx. apply in_texts in Hx.
  destruct (Req_dec (text_prob N s x) 0) as [H0 | H0]; [|field; exact H0].
  rewrite H0, (text_prob_covered V M N s x Hc (proj2 Hx) H0). ring.
Qed.

(** The weight of a text is the product of the ratios of its tokens. *)
Fixpoint ratio_product (M N : model) (s x : list nat) : R :=
  match x with
  | [] => 1
  | a :: rest => M s a / N s a * ratio_product M N (s ++ [a]) rest
  end.

Theorem weight_of_text_is_product_of_token_ratios : forall M N s x,
  text_prob M s x / text_prob N s x = ratio_product M N s x.
Proof.
  intros M N s x. revert s. induction x as [|a x IH]; intro s; simpl; [field|].
  rewrite <- IH. unfold Rdiv. rewrite Rinv_mult. ring.
Qed.

(** ** Divergences of laws of texts *)

Definition text_kl (V : nat) (M N : model) (T : nat) (s : list nat) : R :=
  text_expect V M T s (fun x => ln (text_prob M s x / text_prob N s x)).

Lemma log_ratio_along : forall V M N s x, is_model V M -> is_model V N -> covers V N M ->
  List.Forall (fun a => (a < V)%nat) x -> 0 < text_prob M s x ->
  0 < text_prob N s x /\ ln (text_prob M s x / text_prob N s x) = along (fun s a => ln (M s a / N s a)) s x.
Proof.
  intros V M N s x HM HN Hc Hx. revert s. induction Hx as [|a x Ha Hx IH]; intros s Hp; simpl in *.
  - split; [lra|]. replace (1 / 1) with 1 by field. apply ln_1.
  - destruct (proj1 (HM s) a Ha) as [Hm | Hm]; [|rewrite <- Hm in Hp; lra].
    assert (Hp' : 0 < text_prob M (s ++ [a]) x).
    { destruct (text_prob_nonneg V M (s ++ [a]) x HM Hx) as [H | H]; [exact H | rewrite <- H in Hp; lra]. }
    destruct (IH _ Hp') as [Hn' Heq].
    assert (Hn : 0 < N s a).
    { destruct (proj1 (HN s) a Ha) as [H | H]; [exact H | symmetry in H; pose proof (Hc s a Ha H); lra]. }
    split; [apply Rmult_lt_0_compat; assumption|]. rewrite ln_ratio_product by assumption. rewrite Heq. reflexivity.
Qed.

Theorem kl_chain_rule_for_texts : forall V M N T s, is_model V M -> is_model V N -> covers V N M ->
  text_kl V M N T s = text_expect V M T s (along (fun s' _ => kl V (M s') (N s')) s).
Proof.
  intros V M N T s HM HN Hc. unfold text_kl.
  rewrite (text_expect_ext_positive V M T s _ (along (fun s a => ln (M s a / N s a)) s) HM).
  - rewrite expectation_along_text_uses_conditional_means by exact HM. reflexivity.
  - intros x [_ Hx] Hp. apply (log_ratio_along V); assumption.
Qed.

(** ** Gradients *)

(** A model that depends on a parameter u, with the derivative dM at theta. *)
Definition differentiable_model (V : nat) (M : R -> model) (theta : R) (dM : model) : Prop :=
  locally theta (fun u => is_model V (M u)) /\
  forall s a, (a < V)%nat -> is_derive (fun u => M u s a) theta (dM s a).

Definition score (M dM : model) (s : list nat) (a : nat) : R := dM s a / M s a.

Lemma model_at : forall V M theta dM, differentiable_model V M theta dM -> is_model V (M theta).
Proof. intros V M theta dM [H _]. apply locally_singleton in H. exact H. Qed.

Lemma is_derive_Sum : forall n (f : R -> nat -> R) x df, (forall i, (i < n)%nat ->
  is_derive (fun u => f u i) x (df i)) ->
  is_derive (fun u => Sum n (f u)) x (Sum n df).
Proof.
  induction n as [|n IH]; intros f x df H; simpl.
  - apply (@is_derive_const R_AbsRing R_NormedModule).
  - apply (@is_derive_plus R_AbsRing R_NormedModule); [apply IH; intros; apply H; lia | apply H; lia].
Qed.

(** A probability that is zero cannot move, so the score may divide by it. *)
Lemma zero_probability_is_stationary : forall V M theta dM s a, differentiable_model V M theta dM -> (a < V)%nat ->
  M theta s a = 0 -> dM s a = 0.
Proof.
  intros V M theta dM s a [[r Hr] Hd] Ha H0.
  assert (Hi : interval (fun u => theta - r < u < theta + r)) by (intros x y z Hx Hy Hz; lra).
  assert (Hmax : local_maximum_on (fun u => theta - r < u < theta + r) (fun u => - M u s a) theta).
  { split; [destruct r; simpl; lra|]. exists r. split; [apply cond_pos|]. intros y _ Hy. rewrite H0.
    specialize (Hr y Hy). pose proof (proj1 (Hr s) a Ha). lra. }
  assert (E : - dM s a = 0); [|lra].
  apply (derivative_vanishes_at_inner_local_maximum _ (fun u => - M u s a) theta (- dM s a) Hi);
    [| exact Hmax | apply is_derive_opp', Hd, Ha].
  exists (theta - r / 2), (theta + r / 2). destruct r as [r Hrp]; simpl. lra.
Qed.

Theorem score_has_mean_zero : forall V M theta dM s, differentiable_model V M theta dM ->
  expect V (M theta s) (score (M theta) dM s) = 0.
Proof.
  intros V M theta dM s HM. pose proof HM as [[r Hr] Hd].
  assert (H1 : is_derive (fun u => Sum V (M u s)) theta (Sum V (dM s))).
  { apply (is_derive_Sum V (fun u a => M u s a)). intros a Ha. apply Hd, Ha. }
  assert (H2 : is_derive (fun u => Sum V (M u s)) theta 0).
  { apply (is_derive_ext_loc (fun _ => 1)); [|apply (@is_derive_const R_AbsRing R_NormedModule)].
    exists r. intros u Hu. symmetry. apply (proj2 (Hr u Hu s)). }
  assert (Hz : Sum V (dM s) = 0).
  { apply is_derive_unique in H1. apply is_derive_unique in H2. congruence. }
  rewrite <- Hz. apply Sum_ext. intros a Ha. unfold score.
  destruct (Req_dec (M theta s a) 0) as [H0 | H0]; [|field; exact H0].
  rewrite (zero_probability_is_stationary V M theta dM s a HM Ha H0). unfold Rdiv. ring.
Qed.

Lemma token_gradient : forall V M theta dM s a, differentiable_model V M theta dM -> (a < V)%nat ->
  M theta s a * score (M theta) dM s a = dM s a.
Proof.
  intros V M theta dM s a HM Ha. unfold score.
  destruct (Req_dec (M theta s a) 0) as [H0 | H0]; [|field; exact H0].
  rewrite (zero_probability_is_stationary V M theta dM s a HM Ha H0). unfold Rdiv. ring.
Qed.

(** REINFORCE: the gradient of an expected reward is the expectation of the reward times the scores of all tokens. *)
Theorem policy_gradient : forall V M theta dM T s F, differentiable_model V M theta dM ->
  is_derive (fun u => text_expect V (M u) T s F) theta
    (text_expect V (M theta) T s (fun x => F x * along (score (M theta) dM) s x)).
Proof.
  intros V M theta dM T. induction T as [|T IH]; intros s F HM; simpl.
  - rewrite Rmult_0_r. apply (@is_derive_const R_AbsRing R_NormedModule).
  - pose proof (model_at V M theta dM HM) as Hmod.
    set (E := fun u a => text_expect V (M u) T (s ++ [a]) (fun x => F (a :: x))).
    set (D := fun a => text_expect V (M theta) T (s ++ [a]) (fun x => F (a :: x) * along (score (M theta) dM) (s ++
      [a]) x)).
    replace (expect V (M theta s) _) with (Sum V (fun a => dM s a * E theta a + M theta s a * D a)).
    + apply (is_derive_Sum V (fun u a => M u s a * E u a)). intros a Ha.
      apply (is_derive_ext (fun u => mult (M u s a) (E u a))); [reflexivity|].
      apply (@is_derive_mult R_AbsRing (fun u => M u s a) (fun u => E u a)).
      * apply (proj2 HM), Ha.
      * apply IH, HM.
      * intros; apply Rmult_comm.
    + apply Sum_ext. intros a Ha. rewrite <- (token_gradient V M theta dM s a HM Ha).
      unfold D, E. rewrite (text_expect_ext V (M theta) T (s ++ [a])
        (fun x => F (a :: x) * (score (M theta) dM s a + along (score (M theta) dM) (s ++ [a]) x))
        (fun x => score (M theta) dM s a * F (a :: x) + F (a :: x) * along (score (M theta) dM) (s ++ [a]) x))
          by (intros; ring).
      rewrite text_expect_plus, text_expect_scal. ring.
Qed.

(** A baseline of the state, a function of the tokens before, adds nothing. *)
Theorem baseline_adds_nothing : forall V M theta dM T s b, differentiable_model V M theta dM ->
  text_expect V (M theta) T s (along (fun s' a => b s' * score (M theta) dM s' a) s) = 0.
Proof.
  intros V M theta dM T s b HM. apply weights_of_mean_zero_add_up_to_mean_zero; [apply (model_at V M theta dM HM)|].
  intro s'. rewrite expect_scal, (score_has_mean_zero V M theta dM s' HM). ring.
Qed.

Theorem policy_gradient_with_baseline : forall V M theta dM T s F b, differentiable_model V M theta dM ->
  is_derive (fun u => text_expect V (M u) T s F) theta
    (text_expect V (M theta) T s (fun x => along (fun s' a => (F x - b s') * score (M theta) dM s' a) s x)).
Proof.
  intros V M theta dM T s F b HM.
  replace (text_expect V (M theta) T s (fun x => along (fun s' a => (F x - b s') * score (M theta) dM s' a) s x))
    with (text_expect V (M theta) T s (fun x => F x * along (score (M theta) dM) s x)).
  - apply policy_gradient, HM.
  - rewrite <- (Rminus_0_r (text_expect V (M theta) T s (fun x => F x * _))).
    rewrite <- (baseline_adds_nothing V M theta dM T s b HM), <- text_expect_minus. apply text_expect_ext. intros x _.
    rewrite <- along_scal, <- along_minus. apply along_same. intros s' a. ring.
Qed.
