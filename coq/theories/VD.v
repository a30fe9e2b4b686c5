From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From GrpoSymbolic Require Import Sums Policies Groups Calculus VojnovicYun.
Import ListNotations.
Open Scope R_scope.

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
  assert (E : expect 2 pi P = pi 0%nat * P 0%nat + (1 - pi 0%nat) * P 1%nat) by (unfold expect; simpl; rewrite E1; ring).
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

(** (17): stationarity of a policy that uses both answers. *)
Theorem vy_eq17 : forall beta ref pi, 0 < beta -> full_support 2 ref -> full_support 2 pi ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <->
   beta * ((pi 0%nat - ref 0%nat) / (pi 0%nat * (1 - pi 0%nat))) = gamma).
Proof.
  intros beta ref pi Hb Href Hpi. unfold on_policy_stationary, grpo.
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
  intros beta ref pi Hb Href Hpi Z. rewrite vy_eq17 by assumption. rewrite Z.
  assert (H0 : 0 < pi 0%nat) by (apply (proj1 Hpi); lia).
  assert (H1 : 0 < 1 - pi 0%nat) by (destruct Hpi as [P S]; pose proof (P 1%nat ltac:(lia)); simpl in S; lra).
  set (x := pi 0%nat) in *. set (p := ref 0%nat) in *. split; intros H.
  - assert (E : beta * (x - p) = beta * ((x - p) / (x * (1 - x))) * (x * (1 - x))) by (field; lra).
    rewrite H in E. nra.
  - rewrite H. unfold Rdiv. ring.
Qed.

(** (17) is a quadratic equation. *)
Theorem vy_B1_quadratic : forall beta p x, 0 < beta -> 0 < x < 1 -> gamma <> 0 ->
  (beta * ((x - p) / (x * (1 - x))) = gamma <-> x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p = 0).
Proof.
  intros beta p x Hb Hx Hg.
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
  assert (HD : 0 <= D) by (unfold D; nra).
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

(** (14): for any laws of rewards with margin gamma > 0 and any beta > 0 there is exactly one stationary policy that uses
    both answers, the one with pi(a) = (14). *)
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
  rewrite (vy_eq17 rw beta ref pi Hb Href Hpi), (vy_B1_quadratic rw beta _ _ Hb Hx) by (fold gamma; lra).
  fold gamma. rewrite <- vy_B1_unique_root by assumption. split; [intros; split; [lra|assumption]|intros []; assumption].
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
  rewrite (vy_eq11_boundary_form 2 (preference 2 rw 2 (binary 1)) beta (binary p) (binary 1)
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

(** b as a function of the policy decreases. *)
Lemma eq14_order b b' p p' : 0 < b -> 0 < b' -> 0 < p < 1 -> 0 < p' < 1 ->
  eq14 b p <= eq14 b' p' -> b' * (eq14 b p - p') <= b' * (eq14 b' p' - p').
Proof. intros. apply Rmult_le_compat_l; lra. Qed.

Lemma eq14_decreasing b b' p : 0 < b < b' -> 0 < p < 1 -> eq14 b' p < eq14 b p.
Proof.
  intros Hb Hp. destruct (eq14_root b p) as (H1 & H2 & H3); [lra|exact Hp|].
  destruct (eq14_root b' p) as (K1 & K2 & K3); [lra|exact Hp|].
  set (x := eq14 b p) in *. set (y := eq14 b' p) in *. apply Rnot_le_lt. intros L.
  assert (0 <= (y - x) * ((x - p) * (y - p) + p * (1 - p))).
  { apply Rmult_le_pos; [lra|]. assert (0 < (x - p) * (y - p)) by (apply Rmult_lt_0_compat; lra). nra. }
  assert (x * (1 - x) * (y - p) - y * (1 - y) * (x - p) = (y - x) * ((x - p) * (y - p) + p * (1 - p))) by ring.
  rewrite <- H3, <- K3 in H0. assert (0 < (x - p) * (y - p)) by (apply Rmult_lt_0_compat; lra). nra.
Qed.

Lemma eq14_increasing_ref b p p' : 0 < b -> 0 < p < p' -> p' < 1 -> eq14 b p < eq14 b p'.
Proof.
  intros Hb Hp Hp'. unfold eq14. apply Rmult_lt_compat_l; [lra|]. apply Rplus_lt_compat_l, sqrt_lt_1_alt. nra.
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

(** It depends on beta/gamma and the reference only. *)
Theorem vy_s231_effective_ratio : forall rw rw' beta beta' ref pi,
  are_laws 2 rw -> are_laws 2 rw' -> 0 < beta -> 0 < beta' -> full_support 2 ref -> full_support 2 pi ->
  0 < margin rw 0 1 -> 0 < margin rw' 0 1 -> beta / margin rw 0 1 = beta' / margin rw' 0 1 ->
  (on_policy_stationary 2 (grpo 2 rw 2 beta ref) pi <-> on_policy_stationary 2 (grpo 2 rw' 2 beta' ref) pi).
Proof. intros rw rw' beta beta' ref pi H1 H2 H3 H4 H5 H6 H7 H8 E. rewrite !vy_eq14, E by assumption. reflexivity. Qed.

(** Deterministic rewards with r(a) > r(b) have the margin 1; the magnitudes do not matter. *)
Theorem vy_s231_deterministic_gamma1 : forall r, r 1%nat < r 0%nat -> margin (sure r) 0 1 = 1.
Proof. intros r H. unfold margin. rewrite !vy_s21_P_deterministic. destruct Rlt_dec, Rlt_dec; lra. Qed.

Lemma continuity_eq14 p : continuity (fun b => eq14 b p) -> True.
Proof. trivial. Qed.

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
    apply (Rmult_lt_compat_r eps) in B'; [|exact He]. unfold Rdiv in B'. rewrite Rmult_assoc, Rinv_l in B' by lra. nra. }
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
    - apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I.
    - apply continuous_sqrt. }
  split; [intros q Hq; apply C; pose proof (pow2_ge_0 (1 - beta / gamma)); nra|]. split.
  - replace (Rmax (1 - beta / gamma) 0) with (eq14 (beta / gamma) 0).
    + assert (C0 : continuous (fun p => eq14 (beta / gamma) p) 0) by (apply C; pose proof (pow2_ge_0 (1 - beta / gamma)); nra).
      intros P HP. specialize (C0 P HP). unfold at_right, within, filtermap in *.
      eapply filter_imp; [|exact C0]. intros. assumption.
    + unfold eq14. rewrite Rmult_0_r, Rplus_0_r. rewrite <- (Rabs_pos_eq ((1 - beta / gamma) ^ 2)) by apply pow2_ge_0.
      rewrite <- RPow_abs, sqrt_pow2 by apply Rabs_pos. unfold Rmax, Rabs. destruct Rle_dec, Rcase_abs; lra.
  - assert (E : beta / gamma <= 1 -> beta <= gamma).
    { intros K. apply (Rmult_le_compat_r gamma) in K; [|lra]. unfold Rdiv in K. rewrite Rmult_assoc, Rinv_l in K by lra. lra. }
    assert (E' : beta / gamma < 1 <-> beta < gamma).
    { split; intros K.
      - apply (Rmult_lt_compat_r gamma) in K; [|lra]. unfold Rdiv in K. rewrite Rmult_assoc, Rinv_l in K by lra. lra.
      - apply Rmult_lt_reg_r with gamma; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    unfold Rmax. destruct Rle_dec; split; intros; try lra.
    apply Rnot_lt_le. intros K. apply E' in K. lra.
Qed.
