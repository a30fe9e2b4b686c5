(* vy-eq16: identity *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
transitivity (expect 2 (binary x) (preference 2 rw 2 (binary y))).
- rewrite expect_binary. unfold preference. fold preference. rewrite !preference_two, !expect_binary.
  rewrite !margin_self, (margin_antisym rw 0 1), M. ring.
- rewrite vy_eq16, M. ring.
(* vy-B1-inf-diff-a: identity *)
intros. defined. pose proof (vy_B1_inf_diff_a (two r_a r_b) y) as T. rewrite mean_pair in T. unfold two in T.
transitivity (r_a - (y * r_a + (1 - y) * r_b)); [ring | rewrite T; ring].
(* vy-B1-inf-diff-b: identity *)
intros. defined. pose proof (vy_B1_inf_diff_b (two r_a r_b) y) as T. rewrite mean_pair in T. unfold two in T.
transitivity (r_b - (y * r_a + (1 - y) * r_b)); [ring | rewrite T; ring].
(* vy-eq14-lower-bound: for all *)
intros. defined. pose proof (vy_eq14_lower_bound b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T. unfold eq14 in T.
replace (b / 1) with b in T by field. rewrite Rmax_comm.
replace (1 + - 1 * b) with (1 - b) by ring. lra.
(* vy-eq14-lower-bound-strict: strict *)
intros. defined. pose proof (vy_eq14_lower_bound_strict b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T.
cbv zeta in T. unfold eq14 in T. replace (b / 1) with b in T by field.
rewrite Rmax_comm. replace (1 + - 1 * b) with (1 - b) by ring. lra.
(* vy-eq14-lower-bound-strict: the gap to 1 − β/γ *)
intros. defined. pose proof (vy_eq14_lower_bound_strict b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T.
cbv zeta in T. unfold eq14 in T. replace (b / 1) with b in T by field. replace (1 + - 1 * b) with (1 - b) by ring. lra.
(* vy-eq14-lower-bound-strict: the gap to p *)
intros. defined. pose proof (vy_eq14_lower_bound_strict b 1 p ltac:(lra) ltac:(lra) ltac:(lra)) as T.
cbv zeta in T. unfold eq14 in T. replace (b / 1) with b in T by field. replace (1 + - 1 * b) with (1 - b) by ring. lra.
(* vy-s231-bounds-compare: for all *)
intros. defined. destruct (vy_s231_bounds_compare beta ltac:(lra)) as [T _]. lra.
(* vy-s231-bounds-compare: the full bounds: at least as large, for every margin *)
intros. defined. destruct (vy_s231_bounds_compare beta ltac:(lra)) as [_ T]. rewrite !(Rmax_comm p).
replace (1 + - 1 * beta * / gamma) with (1 - beta / gamma) by (unfold Rdiv; ring). apply T; bounds.
(* vy-eq15-lower-bound: so at least the larger of the two bounds *)
intros. defined. destruct (vy_eq15_lower_bound beta p ltac:(lra) ltac:(lra)) as [T _]. unfold eq15 in T.
rewrite Rmax_comm. replace (1 + 4 * p * beta ^ 2 * (1 + - 1 * p)) with (1 + 4 * beta ^ 2 * p * (1 - p)) by ring.
replace (2 + 2 * beta ^ 2) with (2 * (1 + beta ^ 2)) by ring. unfold Rdiv in T. lra.
(* vy-eq15-lower-bound: strict inside *)
intros. defined. destruct (vy_eq15_lower_bound beta p ltac:(lra) ltac:(lra)) as [T U]. unfold eq15 in T, U.
replace (1 + 4 * p * beta ^ 2 * (1 + - 1 * p)) with (1 + 4 * beta ^ 2 * p * (1 - p)) by ring.
replace (2 + 2 * beta ^ 2) with (2 * (1 + beta ^ 2)) by ring. unfold Rdiv in T, U.
apply Rmax_Rlt in T. repeat split; lra.
(* vy-s231-deterministic-gamma1: the better answer *)
intros. defined. pose proof (vy_s231_deterministic_gamma1 (two s t) ltac:(simpl; lra)) as T.
transitivity (margin (sure (two s t)) 0 1); [|exact T].
rewrite <- law_margin. unfold law_expect, sure, two. simpl. rewrite advantage_pair, Rabs_pos_eq by lra.
repeat (destruct Rlt_dec; try lra). field. lra.
(* vy-s231-deterministic-gamma1: the other *)
intros. defined. pose proof (vy_s231_deterministic_gamma1 (two s t) ltac:(simpl; lra)) as T.
transitivity (margin (sure (two s t)) 1 0); [|rewrite margin_antisym, T; ring].
rewrite <- law_margin. unfold law_expect, sure, two. simpl. rewrite advantage_pair, Rabs_pos_eq by lra.
repeat (destruct Rlt_dec; try lra). field. lra.
(* vy-s22-KL0-unbiased: full support: unbiased *)
intros. defined. destruct (vy_s22_KL0_unbiased n' (from_zero pi) (from_zero pi_ref)) as [_ T];
  [apply full_support_policy, family_full; assumption | apply family_full; assumption |].
specialize (T (family_full pi n' ltac:(assumption) ltac:(assumption))). unfold kl_0, kl, expect, k3 in T.
rewrite !total_Sum. etransitivity; [|etransitivity; [exact T|]]; apply Sum_ext; intros; unfold from_zero, Rdiv.
+ rewrite (Rmult_comm (/ pi (S i))). ring.
+ rewrite (Rmult_comm (/ pi_ref (S i))). ring.
(* vy-B1-sign-decomposition: identity *)
intros. defined. destruct (with_margin (w_win - w_lose)) as [rw [_ M]]; [lra | lra |].
transitivity (expect 2 (binary x) (preference 2 rw 2 (binary y))).
- rewrite expect_binary, !preference_two, !expect_binary.
  rewrite !margin_self, (margin_antisym rw 0 1), M. ring.
- rewrite vy_B1_sign_decomposition, vy_B1_Esign_gamma. change (wins rw 0 1 - wins rw 1 0) with (margin rw 0 1).
  rewrite M. ring.
(* vy-s21-G2-advantage: A_i is the sign of the difference *)
intros. defined. destruct (vy_s21_G2_advantage r_a r_b) as [T _].
replace (r_a + - 1 * r_b) with (r_a - r_b) by ring. rewrite sgn_sign, <- T, advantage_pair.
destruct Rlt_dec; [rewrite Rabs_pos_eq by lra; field; lra|]. destruct Rlt_dec; [|lra].
rewrite Rabs_left by lra. field. lra.
(* vy-B1-objective: identity *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
destruct (vy_B1_objective rw beta p y ltac:(lra)) as [c T].
pose proof (T x ltac:(lra)) as U. pose proof (T p ltac:(lra)) as V. rewrite objective_pair, M in U, V.
unfold k3 in U, V. replace (p / p) with 1 in V by (field; lra). replace ((1 - p) / (1 - p)) with 1 in V by (field; lra).
rewrite ln_1 in V. replace (1 + - 1 * x) with (1 - x) by ring. replace (1 + - 1 * p) with (1 - p) by ring.
replace (p * / x) with (p / x) by reflexivity. rewrite (Rmult_comm (/ (1 - x)) (1 - p)).
replace ((1 - p) * / (1 - x)) with ((1 - p) / (1 - x)) by reflexivity.
replace (p * y * / x) with (y * (p / x)) by (field; lra).
replace (/ (1 - x) * (1 - p) * (1 + - 1 * y)) with ((1 - y) * ((1 - p) / (1 - x))) by (field; lra). lra.
(* vy-B1-derivative: identity *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
pose proof (vy_B1_derivative rw beta p y x ltac:(lra) ltac:(lra) ltac:(lra)) as T. rewrite M in T.
match type of T with is_derive ?F _ ?d => match goal with |- is_derive _ _ ?e =>
  replace e with d; [apply (is_derive_ext F); [intros z | exact T] |] end end.
- rewrite objective_pair, M. unfold k3, Rdiv. replace (1 + - 1 * z) with (1 - z) by ring.
  rewrite (Rmult_comm (/ (1 - z))). replace (1 + - 1 * p) with (1 - p) by ring.
  match goal with |- ?a = ?b => change (@eq R a b) end. ring.
- field. lra.
(* vy-B1-derivative-on-policy: differentiated in x, then y = x *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
pose proof (vy_B1_derivative_on_policy rw beta p x ltac:(lra) ltac:(lra)) as T. rewrite M in T.
same_slope T (objective_pair rw beta p x).
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite M. field. lra.
- field. lra.
(* vy-B1-inf-above-reference: at and below p the two sides differ *)
intros. defined. assert (0 <= sqrt (x * (1 + - 1 * x))) by apply sqrt_pos.
destruct (Rlt_le_dec (beta * (x + - 1 * p)) (sqrt (x * (1 + - 1 * x)))) as [|N]; [assumption|].
assert (beta * (x + - 1 * p) <= 0) by nra.
assert (p < x); [|lra]. apply (vy_B1_inf_above_reference beta); try lra.
replace (x * (1 - x)) with (x * (1 + - 1 * x)) by ring. lra.
(* vy-B1-inf-sigma2: deterministic rewards *)
intros. defined. pose proof (proj2 vy_B1_inf_sigma2 (two r_a r_b) y) as T. rewrite variance_pair in T. unfold two in T.
transitivity ((r_a - r_b) ^ 2 * (y * (1 - y))); [rewrite <- T; ring | ring].
(* vy-B1-inf-equivalent-quadratic: x ≥ p: (19) is equivalent to the quadratic *)
intros. defined.
destruct (vy_B1_inf_equivalent_quadratic beta p x ltac:(lra) ltac:(lra) ltac:(lra)) as [T U].
replace (x * (1 + - 1 * x)) with (x * (1 - x)) by ring.
split; intros E; [destruct (T ltac:(lra)); lra | assert (beta * (x - p) = sqrt (x * (1 - x))) by (apply U; split; lra);
  lra].
(* vy-s231-sqrt: (14) at β = γ, and √π_ref(a) *)
intros. defined. rewrite <- (vy_s231_sqrt gamma p) at 1 by lra. apply (vy_s231_sqrt gamma p); lra.
(* vy-B2-h: differentiated in x, then y = x *)
intros. defined. pose proof (vy_B2_h (two 1 0) beta p x ltac:(simpl; lra) ltac:(lra) ltac:(lra) ltac:(lra)) as T.
assert (E : forall z, direct_objective 2 (limit_preference 2 (sure (two 1 0)) (binary x)) beta (binary p) (binary z)
  = z * (sqrt ((1 - x) / x)) - (1 - z) * sqrt (x / (1 - x)) - beta *
    (z * ln (z / p) + (1 - z) * ln ((1 - z) / (1 - p)))).
{ intros z. unfold direct_objective, kl. rewrite !expect_binary, vy_B1_inf_adv_a, vy_B1_inf_adv_b by lra.
  simpl two. rewrite sign_eq_1 by lra. simpl binary. ring. }
assert (W : sqrt (x * (1 - x)) * sqrt (x * (1 - x)) = x * (1 - x)) by (apply sqrt_sqrt; nra).
assert (P : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; nra).
assert (A : sqrt ((1 - x) / x) = (1 - x) / sqrt (x * (1 - x))).
{ apply sqrt_lem_1; [apply Rlt_le, Rdiv_lt_0_compat; lra | apply Rlt_le, Rdiv_lt_0_compat; lra |].
  replace ((1 - x) / sqrt (x * (1 - x)) * ((1 - x) / sqrt (x * (1 - x))))
    with ((1 - x) ^ 2 / (sqrt (x * (1 - x)) * sqrt (x * (1 - x)))) by (field; lra).
  rewrite W. field. lra. }
assert (B : sqrt (x / (1 - x)) = x / sqrt (x * (1 - x))).
{ apply sqrt_lem_1; [apply Rlt_le, Rdiv_lt_0_compat; lra | apply Rlt_le, Rdiv_lt_0_compat; lra |].
  replace (x / sqrt (x * (1 - x)) * (x / sqrt (x * (1 - x))))
    with (x ^ 2 / (sqrt (x * (1 - x)) * sqrt (x * (1 - x)))) by (field; lra).
  rewrite W. field. lra. }
replace (x * (1 + - 1 * x)) with (x * (1 - x)) by ring.
same_slope T E.
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite A, B. replace (/ (1 + - 1 * p) * (1 + - 1 * x)) with ((1 - x) / (1 - p)) by (field; lra).
  change (1 + - x) with (1 - x). unfold Rdiv. field. lra.
- unfold h. replace (1 + - 1 * x) with (1 - x) by ring. replace (1 + - 1 * p) with (1 - p) by ring. unfold Rdiv. ring.
(* vy-B1-inf-adv-a: identity *)
intros. pose proof (variance_positive r_a r_b y ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
pose proof (vy_B1_inf_adv_a (two r_a r_b) y ltac:(lra)) as T. rewrite preference_pair in T.
simpl two in T. rewrite sgn_sign. replace (r_a + - 1 * r_b) with (r_a - r_b) by ring.
replace (1 + - 1 * y) with (1 - y) by ring. transitivity (sqrt ((1 - y) / y) * sign (r_a - r_b)).
- rewrite <- T. unfold Rdiv. ring.
- unfold Rdiv. rewrite (Rmult_comm (/ y)). ring.
(* vy-B1-inf-adv-b: identity *)
intros. pose proof (variance_positive r_a r_b y ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
pose proof (vy_B1_inf_adv_b (two r_a r_b) y ltac:(lra)) as T. rewrite preference_pair in T.
simpl two in T. rewrite sgn_sign. replace (r_a + - 1 * r_b) with (r_a - r_b) by ring.
replace (1 + - 1 * y) with (1 - y) by ring. transitivity (- sqrt (y / (1 - y)) * sign (r_a - r_b)).
- rewrite <- T. unfold Rdiv. ring.
- unfold Rdiv. ring.
(* vy-B1-inf-derivative: identity *)
intros. pose proof (variance_positive r_a r_b x ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
pose proof (vy_B1_inf_derivative (two r_a r_b) beta p x ltac:(lra) ltac:(lra)) as T.
same_slope T (objective_limit (two r_a r_b) beta p x).
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite !preference_pair. simpl two. field. repeat split; try lra. apply Rgt_not_eq, sqrt_lt_R0. assumption.
- rewrite sgn_sign. simpl two. replace (x * (1 + - 1 * x)) with (x * (1 - x)) by ring.
  replace (r_a + - 1 * r_b) with (r_a - r_b) by ring. field.
  repeat split; try lra. apply Rgt_not_eq, sqrt_lt_R0. nra.
(* vy-s22-grads-differ: which is never zero *)
intros. defined. pose proof (vy_s22_grads_differ 1 (fun _ => 1) (fun _ => u) 0 _ _ (le_n 1) ltac:(lra) ltac:(lra)
  (vy_eq10_grad_on_policy 1 (fun _ => 1) (fun _ => u) 0 (le_n 1) ltac:(lra) ltac:(lra))
  (vy_eq9_grad_KL 1 (fun _ => 1) (fun _ => u) 0 (le_n 1) ltac:(lra) ltac:(lra))) as [T _].
cbv beta in T. replace (u / 1) with u in T by field. lra.
(* vy-s22-grads-differ: the difference is below −1 where π(o') is not π_ref(o') *)
intros. defined. pose proof (vy_s22_grads_differ 1 (fun _ => 1) (fun _ => u) 0 _ _ (le_n 1) ltac:(lra) ltac:(lra)
  (vy_eq10_grad_on_policy 1 (fun _ => 1) (fun _ => u) 0 (le_n 1) ltac:(lra) ltac:(lra))
  (vy_eq9_grad_KL 1 (fun _ => 1) (fun _ => u) 0 (le_n 1) ltac:(lra) ltac:(lra))) as [T [U _]].
cbv beta in T, U. replace (u / 1) with u in T, U by field.
destruct (Req_dec (- u + 1 - (- ln u + 1)) (-1)) as [E|]; [apply U in E; lra | lra].
(* vy-s21-P-deterministic: the higher reward wins surely *)
intros. defined. pose proof (vy_s21_P_deterministic (two r_a r_b) 0 1) as T.
transitivity (wins (sure (two r_a r_b)) 0 1).
- unfold wins, law_expect, sure. simpl. ring.
- simpl in T. rewrite T. clear T. destruct Rlt_dec; lra.
(* vy-s21-P-deterministic: otherwise it never wins *)
intros. defined. pose proof (vy_s21_P_deterministic (two r_a r_b) 0 1) as T.
transitivity (wins (sure (two r_a r_b)) 0 1).
- unfold wins, law_expect, sure. simpl. ring.
- simpl in T. rewrite T. clear T. destruct Rlt_dec; lra.
(* vy-s21-P-deterministic: the positive part of the advantage *)
intros. defined. pose proof (vy_s21_P_deterministic (two r_a r_b) 0 1) as T.
transitivity (wins (sure (two r_a r_b)) 0 1).
- unfold wins, law_expect, sure. simpl. ring.
- simpl in T. rewrite T. clear T. destruct Rlt_dec.
  + rewrite Rabs_pos_eq by lra. rewrite Rmax_right; [field; lra|].
    replace (/ (r_a + - 1 * r_b) * (r_a + - 1 * r_b)) with 1 by (field; lra). lra.
  + rewrite Rabs_left by lra. rewrite Rmax_left; [reflexivity|].
    replace (/ - (r_a + - 1 * r_b) * (r_a + - 1 * r_b)) with (-1) by (field; lra). lra.
(* vy-eq9-grad-KL: the gradient *)
intros. defined. assert (I : (pred o_' < n')%nat) by lia.
pose proof (vy_eq9_grad_KL n' _ _ _ I (family_positive pi n' ltac:(assumption) _ I)
  (family_positive pi_ref n' ltac:(assumption) _ I)) as T.
along_entry T.
- rewrite total_Sum. unfold kl, expect. updated.
- rewrite <- !entry_from_zero by lia. unfold Rdiv. rewrite (Rmult_comm (pi_ref _)). ring.
(* vy-eq14: the root that was found is the printed one *)
intros. assert (Sq : 0 <= ((1 + - 1 * beta * / gamma) ^ 2 + 4 * beta * p * / gamma)) by at_least.
assert (Sq2 : 0 <= (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma)) by at_least. defined.
destruct (with_margin gamma) as [rw [L M]]; [lra | lra |].
set (x := 1 / 2 * sqrt (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma)
  + - (1 / 2) * / gamma * (beta + - 1 * gamma)).
assert (G : 0 < beta * / gamma) by at_least.
assert (Q : x * x = (1 - beta * / gamma) * x + beta * / gamma * p).
{ pose proof (sqrt_sqrt _ Sq2) as W. unfold x.
  set (s := sqrt _) in *. replace (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2) with ((beta * / gamma - 1) ^ 2) in W
    by (field; lra).
  replace (- (1 / 2) * / gamma * (beta + - 1 * gamma)) with ((1 - beta * / gamma) / 2) by (field; lra). nra. }
assert (P0 : 0 < x).
{ unfold x. set (s := sqrt _). assert (W : s * s = / gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma)
    by (apply sqrt_sqrt; exact Sq2). assert (0 <= s) by apply sqrt_pos.
  replace (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2) with ((beta * / gamma - 1) ^ 2) in W by (field; lra).
  replace (- (1 / 2) * / gamma * (beta + - 1 * gamma)) with (- (beta * / gamma - 1) / 2) by (field; lra).
  assert (0 < 4 * beta * p * / gamma) by at_least.
  destruct (Rlt_le_dec (beta * / gamma - 1) s); [lra | nra]. }
assert (P1 : x < 1) by (destruct (Rlt_le_dec x 1); [assumption | assert (0 <= (x - 1) * x) by nra; nra]).
assert (St : on_policy_stationary 2 (grpo 2 rw 2 beta (binary p)) (binary x)).
{ apply vy_eq17; [lra | apply binary_full; lra | apply binary_full; lra |]. rewrite M. simpl.
  assert (E : beta * (x - p) = gamma * (x * (1 - x))).
  { apply (Rmult_eq_reg_r (/ gamma)); [|apply Rinv_neq_0_compat; lra].
    replace (gamma * (x * (1 - x)) * / gamma) with (x * (1 - x)) by (field; lra). lra. }
  replace (beta * ((x - p) / (x * (1 - x)))) with (beta * (x - p) / (x * (1 - x))) by (field; lra).
  rewrite E. field. lra. }
apply (vy_eq14 rw beta (binary p) (binary x)) in St;
  [|exact L | lra | apply binary_full; lra | apply binary_full; lra | lra].
rewrite M in St. simpl in St. rewrite St. unfold Rdiv.
replace (1 + - 1 * beta * / gamma) with (1 - beta * / gamma) by ring.
replace (4 * beta * p * / gamma) with (4 * (beta * / gamma) * p) by ring. simpl. lra.
(* vy-s1-adv-pairwise: their quotient *)
intros G G' i' r K1 K2 K3 K4 K5 K6. assert (V := K5).
split; [lra|]. split; [intros; lra|]. split; [exact K5|].
assert (P2 : 0 < / G ^ 2) by (apply Rinv_0_lt_compat, pow_lt; lra).
split; [apply Rmult_lt_0_compat; [exact P2 | exact K6]|].
assert (M : mean (group r G') = / G * total r G') by (rewrite K1; apply group_mean).
assert (D : deviation (group r G') = sqrt (/ G * total (fun j => (- 1 * / G * total r G' + r j) ^ 2) G'))
  by (rewrite K1; apply group_deviation).
change (total (fun j => r j) G') with (total r G') in *.
pose proof (vy_s1_adv_pairwise (group r G') (r i') (group_member r G' i' K2)) as T.
assert (S : 0 < deviation (group r G')) by (rewrite D; apply sqrt_lt_R0, K5).
specialize (T ltac:(lra)). unfold advantage in T. rewrite D, M, group_length, <- K1, !group_sum in T.
match type of T with context [sqrt (/ (2 * G ^ 2) * total ?f G')] =>
  rewrite (total_ext f (fun j'2 => total (fun j'1 => (- 1 * r j'1 + r j'2) ^ 2) G') G') in T
    by (intros; rewrite group_sum; apply total_ext; intros; ring) end.
assert (E : total (fun j => r i' - r j) G' = total (fun j => - 1 * r j + r i') G') by (apply total_ext; intros; ring).
rewrite E in T. clear E.
match goal with |- / ?s * (- 1 * / G * ?t + r i') = _ =>
  replace (/ s * (- 1 * / G * t + r i')) with ((r i' - / G * t) / s) by (unfold Rdiv; ring) end.
rewrite T. set (X := total (fun j'2 => total _ _) G') in *. set (Y := total (fun j => - 1 * r j + r i') G').
assert (Q : 0 < sqrt (/ G ^ 2 * X)) by (apply sqrt_lt_R0, Rmult_lt_0_compat; [exact P2 | exact K6]).
assert (W : 0 < sqrt 2) by (apply sqrt_lt_R0; lra).
replace (/ (2 * G ^ 2) * X) with (/ G ^ 2 * X / 2) by (field; lra). rewrite sqrt_div_alt by lra. field. lra.
(* vy-s231-limit-beta-0: limit *)
intros gamma p K1 K2 K3 K4. split.
- exists (mkposreal 1 Rlt_0_1). intros beta _ H0. assert (0 < / gamma) by at_least. split; [lra|].
  apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat, pow_lt; lra | apply pow2_ge_0]|].
  repeat apply Rmult_le_pos; lra.
- apply (filterlim_ext (fun beta => eq14 (beta / gamma) p)); [|apply vy_s231_limit_beta_0; lra].
  intros beta. rewrite eq14_over by lra. reflexivity.
(* vy-s231-limit-beta-inf: limit *)
intros gamma p K1 K2 K3 K4. split.
- exists 0. intros beta H0. assert (0 < / gamma) by at_least. split; [lra|].
  apply Rplus_le_le_0_compat; [apply Rmult_le_pos; [apply Rlt_le, Rinv_0_lt_compat, pow_lt; lra | apply pow2_ge_0]|].
  repeat apply Rmult_le_pos; lra.
- apply (filterlim_ext (fun beta => eq14 (beta / gamma) p)); [|apply vy_s231_limit_beta_inf; lra].
  intros beta. rewrite eq14_over by lra. reflexivity.
(* vy-s231-limit-beta-inf: a rate *)
intros b p K1 K2 K3. split.
- apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra].
- destruct (vy_s231_limit_beta_inf 1 p ltac:(lra) ltac:(lra)) as [T _]. destruct (T b K3) as [_ T']. clear T.
  rename T' into T. rewrite eq14_written in T.
  apply (Rmult_le_compat_l b) in T; [|lra]. replace (b * (1 / (4 * b))) with (1 / 4) in T by (field; lra). lra.
(* vy-s231-continuity: from above, at every q in (0, 1) *)
intros b q K1 K2 K3. split; [apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra]|]. split.
- exists (mkposreal q K1). intros p _ H0.
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra].
- destruct (vy_s231_continuity b 1 K3 ltac:(lra)) as [T _]. specialize (T q ltac:(lra)).
  rewrite <- eq14_written. intros P A. destruct (T P A) as [d B]. exists d. intros p N _.
  specialize (B p N). rewrite eq14_written in B. exact B.
(* vy-s231-continuity: from below, at every q in (0, 1] *)
intros b q K1 K2 K3. split; [apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra]|]. split.
- exists (mkposreal q K1). intros p N H0. change (Rabs (p - q) < q) in N. apply Rabs_def2 in N.
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra].
- destruct (vy_s231_continuity b 1 K3 ltac:(lra)) as [T _]. specialize (T q ltac:(lra)).
  rewrite <- eq14_written. intros P A. destruct (T P A) as [d B]. exists d. intros p N _.
  specialize (B p N). rewrite eq14_written in B. exact B.
(* vy-s231-continuity: at 0 for β < γ: the limit is 1 − β/γ, not 0 *)
intros b K1 K2. split.
- exists (mkposreal 1 Rlt_0_1). intros p _ H0.
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra].
- destruct (vy_s231_continuity b 1 K1 ltac:(lra)) as [_ [T _]]. rewrite Rmax_left in T by lra.
  replace (1 + - 1 * b) with (1 - b / 1) by field.
  apply (filterlim_ext (fun p => eq14 (b / 1) p)); [intros; apply eq14_written | exact T].
(* vy-s231-continuity: at 0 for β ≥ γ: continuous *)
intros b K1. split.
- exists (mkposreal 1 Rlt_0_1). intros p _ H0.
  apply Rplus_le_le_0_compat; [apply pow2_ge_0 | repeat apply Rmult_le_pos; lra].
- destruct (vy_s231_continuity b 1 ltac:(lra) ltac:(lra)) as [_ [T _]]. rewrite Rmax_right in T by lra.
  apply (filterlim_ext (fun p => eq14 (b / 1) p)); [intros; apply eq14_written | exact T].
(* vy-eq8-grad-KL0: the derivative of KL_0 in π(o), π_old fixed *)
intros. defined. assert (I : (pred o' < n')%nat) by lia.
pose proof (family_positive pi n' ltac:(assumption) _ I) as A.
pose proof (family_positive pi_ref n' ltac:(assumption) _ I) as B.
pose proof (vy_eq8_grad_KL0 n' _ _ (from_zero pi_old) _ I A B) as T.
rewrite (entry_from_zero pi o'), (entry_from_zero pi_ref o'), (entry_from_zero pi_old o') by lia.
transitivity (- from_zero pi_old (pred o') * (from_zero pi_ref (pred o') / from_zero pi (pred o') ^ 2)
  + from_zero pi_old (pred o') * / from_zero pi (pred o')); [field; lra|].
apply (is_partial_unique _ _ _ _ _ T).
apply (is_partial_Sum n' (fun i y => from_zero pi_old i * k3 y (from_zero pi_ref i))); [exact I|]. unfold k3.
auto_derive.
- repeat split; try lra. apply Rmult_lt_0_compat; [exact B | apply Rinv_0_lt_compat, A].
- unfold Rdiv. field. split; lra.
(* vy-eq10-grad-on-policy: the derivative of KL_0 in π(o), then π_old = π *)
intros. defined. assert (I : (pred o' < n')%nat) by lia.
pose proof (family_positive pi n' ltac:(assumption) _ I) as A.
pose proof (family_positive pi_ref n' ltac:(assumption) _ I) as B.
pose proof (vy_eq10_grad_on_policy n' _ _ _ I A B) as T.
rewrite (entry_from_zero pi o'), (entry_from_zero pi_ref o') by lia.
transitivity (- (from_zero pi_ref (pred o') / from_zero pi (pred o')) + 1); [unfold Rdiv; ring|].
apply (is_partial_unique _ _ _ _ _ T).
apply (is_partial_Sum n' (fun i y => from_zero pi i * k3 y (from_zero pi_ref i))); [exact I|]. unfold k3. auto_derive.
- repeat split; try lra. apply Rmult_lt_0_compat; [exact B | apply Rinv_0_lt_compat, A].
- unfold Rdiv. field. split; lra.
(* vy-s22-grad-revKL: the derivative of KL(π_ref‖π) in π(o) *)
intros. defined. assert (I : (pred o' < n')%nat) by lia.
pose proof (family_positive pi n' ltac:(assumption) _ I) as A.
pose proof (family_positive pi_ref n' ltac:(assumption) _ I) as B.
destruct (vy_s22_grad_revKL n' _ _ _ I A B) as [T _].
rewrite (entry_from_zero pi o'), (entry_from_zero pi_ref o') by lia.
transitivity (- (from_zero pi_ref (pred o') / from_zero pi (pred o'))); [unfold Rdiv; ring|].
apply (is_partial_unique _ _ _ _ _ T).
apply (is_partial_Sum n' (fun i y => from_zero pi_ref i * ln (from_zero pi_ref i / y))); [exact I|]. auto_derive.
- repeat split; try lra. apply Rmult_lt_0_compat; [exact B | apply Rinv_0_lt_compat, A].
- unfold Rdiv. field. split; lra.
(* vy-s22-KL0-biased-off-policy: the bias, any n *)
intros. defined. pose proof (proj1 vy_s22_KL0_biased_off_policy n' (from_zero pi) (from_zero pi_ref) (from_zero pi_old)
  (family_full pi n' ltac:(assumption) ltac:(assumption)) (family_full pi_ref n' ltac:(assumption) ltac:(assumption)))
    as T.
rewrite kl_written in T. unfold kl_0, expect, k3 in T. rewrite !total_Sum in *.
transitivity (Sum n' (fun o => (from_zero pi_old o - from_zero pi o)
  * (from_zero pi_ref o / from_zero pi o - ln (from_zero pi_ref o / from_zero pi o) - 1))).
- rewrite <- T. assert (O : Sum n' (from_zero pi_old) = 1) by assumption.
  match goal with |- - 1 + - 1 * ?k + - 1 * Sum _ ?l + Sum _ ?c = Sum _ ?s - _ =>
    assert (E : Sum n' s = Sum n' c - Sum n' l - Sum n' (from_zero pi_old)) end.
  { rewrite <- !Sum_minus. apply Sum_ext. intros i I. unfold from_zero, Rdiv.
    rewrite !(Rmult_comm (/ pi (S i)) (pi_ref (S i))). ring. }
  rewrite E, O. ring.
- apply Sum_ext. intros i I. unfold from_zero, Rdiv. rewrite !(Rmult_comm (/ pi (S i)) (pi_ref (S i))). ring.
(* vy-s13-curvature-large-groups: the second derivative where y = x *)
intros. subst y. pose proof (variance_positive r_a r_b x ltac:(lra) ltac:(lra)). rewrite !variance_written. defined.
pose proof (vy_s13_curvature_large_groups (sure (two r_a r_b)) beta p x ltac:(lra) ltac:(lra)) as T. split.
- inside. auto_derive. repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- replace (- 1 * beta * / x ^ 2 * / (1 + - 1 * x) ^ 2 * (2 * p + 3 * x ^ 2 + - 1 * x * (1 + 4 * p)))
    with (- beta * (3 * x ^ 2 - (4 * p + 1) * x + 2 * p) / (x ^ 2 * (1 - x) ^ 2)) by (field; lra).
  eapply is_derive_ext; [|exact T]. intros z. apply Derive_ext. intros t.
  rewrite objective_limit, !preference_pair, (complement t), (complement p). simpl two. unfold k3, Rdiv.
  rewrite !(Rmult_comm (/ (1 - t))).
  ring.
(* vy-s13-curvature: the second derivative where y = x *)
intros. subst y. defined. destruct (with_margin gamma) as [rw [R M]]; [lra | lra |].
pose proof (vy_s13_curvature rw beta p x R ltac:(lra) ltac:(lra)) as T. split.
- inside. auto_derive. repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- replace (- 1 * beta * / x ^ 2 * / (1 + - 1 * x) ^ 2 * (2 * p + 3 * x ^ 2 + - 1 * x * (1 + 4 * p)))
    with (- beta * (3 * x ^ 2 - (4 * p + 1) * x + 2 * p) / (x ^ 2 * (1 - x) ^ 2)) by (field; lra).
  eapply is_derive_ext; [|exact T]. intros z. apply Derive_ext. intros t. rewrite objective_pair, M.
  rewrite (complement t), (complement p). unfold k3, Rdiv. rewrite !(Rmult_comm (/ (1 - t))). ring.
(* vy-eq18: the mean advantage of the policy *)
intros. pose proof (variance_positive r_a r_b y ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
destruct (vy_eq18 (two r_a r_b) x y ltac:(lra) ltac:(lra) ltac:(simpl; lra)) as [_ T].
rewrite expect_binary, !preference_pair in T. simpl two in T. rewrite sgn_sign.
replace (r_a + - 1 * r_b) with (r_a - r_b) by ring. replace (1 + - 1 * y) with (1 - y) by ring.
replace (y * / (1 - y)) with (y / (1 - y)) by reflexivity.
etransitivity; [|etransitivity; [exact T|]]; unfold Rdiv; ring.
(* vy-eq18: centred expected reward over the deviation *)
intros. pose proof (variance_positive r_a r_b y ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
destruct (vy_eq18 (two r_a r_b) x y ltac:(lra) ltac:(lra) ltac:(simpl; lra)) as [T U].
rewrite expect_binary, !preference_pair in U. rewrite !mean_pair in T. unfold reward_deviation in T.
rewrite variance_pair in T.
simpl two in T, U. rewrite <- T in U. etransitivity; [|etransitivity; [exact U|]]; unfold Rdiv; ring.
(* vy-eq17: identity *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
destruct (vy_eq17 rw beta (binary p) (binary x) ltac:(lra) ltac:(apply binary_full; lra) ltac:(apply binary_full; lra))
  as [_ T]. rewrite M in T. change (binary p 0%nat) with p in T. change (binary x 0%nat) with x in T.
match goal with |- _ = ?b => enough (- b = gamma - beta * ((x - p) / (x * (1 - x)))) as U
  by (transitivity (- - b); [rewrite U; field; lra | ring]) end.
same_slope T (objective_pair rw beta p x).
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite M. field. lra.
- reflexivity.
(* vy-B1-quadratic: the derivative times −x(1 − x)/γ *)
intros. defined. destruct (with_margin gamma) as [rw [_ M]]; [lra | lra |].
destruct (vy_B1_quadratic rw beta p x ltac:(lra) ltac:(lra) ltac:(lra)) as [_ T]. specialize (T ltac:(lra)).
rewrite M in T.
match goal with |- x * / gamma * (1 + - 1 * x) * ?b = _ =>
  enough (- b = - (gamma / (x * (1 - x))) * (x ^ 2 - (1 - beta / gamma) * x - beta / gamma * p)) as U
  by (replace b with (- - b) by ring; rewrite U; field; lra) end.
same_slope T (objective_pair rw beta p x).
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite M. field. lra.
- reflexivity.
(* vy-appA-foc: the derivative of the Lagrangian *)
intros. assert (0 < pi o_') by auto. defined.
pose proof (family_full pi_old n' ltac:(assumption) ltac:(assumption)) as A.
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as B.
pose proof (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) as C.
destruct (vy_appA_foc n' (from_zero P) beta (from_zero pi_ref) (from_zero pi_old) (from_zero pi) (pred o_') C
  (proj1 (full_support_policy n' _ A)) (fun o Ho _ => proj1 B o Ho) ltac:(lia) (proj1 B (pred o_') ltac:(lia))) as [T _].
apply (less_multiplier n' _ _ _ lambda) in T; [|lia]. along_entry T.
- lagrangian.
- rewrite <- !entry_from_zero by lia. field. lra.
(* vy-B1-inf-objective: identity *)
intros. pose proof (variance_positive r_a r_b y ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
destruct (vy_B1_inf_objective (two r_a r_b) beta p y ltac:(lra) ltac:(lra)) as (c & C & T). specialize (T x ltac:(lra)).
rewrite objective_limit, !preference_pair in T. simpl two in *. unfold k3 in T. rewrite sgn_sign.
replace (r_a + - 1 * r_b) with (r_a - r_b) by ring. replace (1 + - 1 * y) with (1 - y) by ring.
replace (1 + - 1 * x) with (1 - x) by ring. replace (1 + - 1 * p) with (1 - p) by ring.
replace (y * / (1 - y)) with (y / (1 - y)) by reflexivity. replace (p * / x) with (p / x) by reflexivity.
replace (/ (1 - x) * (1 - p)) with ((1 - p) / (1 - x)) by (unfold Rdiv; ring).
match goal with |- ?a = _ => match type of T with ?b = _ => transitivity b end end; [unfold Rdiv; ring|].
rewrite T, C. unfold Rdiv. ring.
(* vy-B1-inf-signed-condition: identity *)
intros. pose proof (variance_positive r_a r_b x ltac:(lra) ltac:(lra)). rewrite variance_written. defined.
assert (0 < x * (1 - x)) by nra.
destruct (vy_B1_inf_signed_condition (two r_a r_b) beta (binary p) (binary x) ltac:(lra) ltac:(apply binary_full; lra)
  ltac:(apply binary_full; lra)) as [_ T]. change (binary p 0%nat) with p in T. change (binary x 0%nat) with x in T.
simpl two in T. rewrite sgn_sign. replace (r_a + - 1 * r_b) with (r_a - r_b) by ring.
replace (sqrt (x * (1 + - 1 * x))) with (sqrt (x * (1 - x))) by (f_equal; ring).
match type of T with is_derive _ _ ?d => match goal with |- x * (1 + - 1 * x) * ?b = _ => enough (b = d) as U
  by (rewrite U; field; lra) end end.
same_slope T (objective_limit (two r_a r_b) beta p x).
- repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- rewrite !preference_pair. simpl two. field. repeat split; try lra. apply Rgt_not_eq, sqrt_lt_R0. assumption.
- reflexivity.
(* vy-eq7: any G: the mean of G equal expectations *)
intros. assert (N : (1 <= G')%nat) by (apply INR_le; simpl; lra). subst G.
pose proof (family_full pi_old n' ltac:(assumption) ltac:(assumption)) as A. defined.
destruct (vy_eq7 n' (from_zero pi) (from_zero pi_ref) (from_zero pi_old) G' 1 N (le_n 1) (full_support_policy n' _ A))
  as (_ & T & U). rewrite T in U. unfold expect in U.
assert (E : total (fun j => (- 1 + - 1 * ln (/ pi j * pi_ref j) + / pi j * pi_ref j) * pi_old j) n'
  = Sum n' (fun o => from_zero pi_old o * k3 (from_zero pi o) (from_zero pi_ref o))).
{ rewrite total_Sum. apply Sum_ext. intros. unfold from_zero, k3, Rdiv. rewrite (Rmult_comm (/ _)). ring. }
rewrite total_Sum. unfold from_zero at 1. rewrite E. exact U.
(* vy-eq13: any n, times βv *)
intros. assert (A : 0 < Rabs v) by (apply Rabs_pos_lt; lra). split; [lra|]. split; [intros; lra|].
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
assert (S : Rabs v = v) by (apply Rabs_pos_eq; lra).
destruct (vy_eq13 n' (sure (fun _ => 0)) beta (from_zero pi) (from_zero pi)) as [_ T];
  [intros o Ho; split; [intros w [<- | []]; simpl; lra | simpl; ring] | exact F | lra | apply full_support_policy, F |].
destruct (T (from_zero r) v (pred o') ltac:(lra)) as [Z E]. rewrite Z in E. rewrite <- entry_from_zero in E by lia.
assert (M : expect n' (from_zero pi) (from_zero r) = total (fun j => pi j * r j) n').
{ unfold expect. rewrite total_Sum. reflexivity. }
rewrite M in *. set (m := total (fun j => pi j * r j) n') in *. rewrite S.
assert (N : total (fun j => / v * (- 1 * m + r j) * pi j) n' = 0).
{ transitivity (expect n' (from_zero pi) (fun o => (from_zero r o - m) / v)); [|exact Z].
  unfold expect. rewrite total_Sum. apply Sum_ext. intros. unfold from_zero, Rdiv. ring. }
rewrite N. rewrite <- !entry_from_zero in E by lia.
transitivity (beta * v * ((1 - ((r o' - m) / v - 0) / beta) * pi o')); [field; lra|]. rewrite E. field. lra.
(* vy-eq13: any n *)
intros. assert (A : 0 < Rabs v) by (apply Rabs_pos_lt; lra).
split; [lra|]. split; [intros; lra|]. split; [lra|]. split; [lra|].
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
assert (S : Rabs v = v) by (apply Rabs_pos_eq; lra).
destruct (vy_eq13 n' (sure (fun _ => 0)) beta (from_zero pi) (from_zero pi)) as [_ T];
  [intros o Ho; split; [intros w [<- | []]; simpl; lra | simpl; ring] | exact F | lra | apply full_support_policy, F |].
destruct (T (from_zero r) v (pred o') ltac:(lra)) as [Z E].
assert (M : expect n' (from_zero pi) (from_zero r) = total (fun j => pi j * r j) n').
{ unfold expect. rewrite total_Sum. reflexivity. }
assert (N : expect n' (from_zero pi) (fun o => (from_zero r o - expect n' (from_zero pi) (from_zero r)) / v)
  = total (fun j => / v * (- 1 * total (fun j => pi j * r j) n' + r j) * pi j) n').
{ unfold expect at 1. rewrite (total_Sum (fun j => / v * _ * _)), M. apply Sum_ext. intros. unfold from_zero, Rdiv.
ring. }
rewrite N, M in E. rewrite S. rewrite <- !entry_from_zero in E by lia.
set (m := total (fun j => pi j * r j) n') in *. set (z := total (fun j => / v * (- 1 * m + r j) * pi j) n') in *.
transitivity ((1 - ((r o' - m) / v - z) / beta) * pi o'); [field; lra|]. rewrite E. field. lra.
(* vy-appA-on-policy: the condition, times π(o)/β: the difference of the two sides *)
intros. assert (A : forall o, (o < n')%nat -> 0 < from_zero pi_ref o /\ 0 < from_zero pi o)
  by (intros; split; apply family_positive with n'; assumption).
assert (0 < pi o_') by auto. assert (0 < pi_ref o_') by auto. defined. destruct (A (pred o_') ltac:(lia)) as [U V].
destruct (vy_appA_on_policy n' (from_zero P) beta (from_zero pi_ref) (from_zero pi) (pred o_') ltac:(lra) ltac:(lia) V)
  as [_ T].
specialize (T U lambda _ (own_partial n' (from_zero P) beta (from_zero pi_ref) (from_zero pi) (pred o_') ltac:(lia) U
  V)).
rewrite <- !entry_from_zero in T by lia. set (d := P o_' - beta * (1 - pi_ref o_' / pi o_')) in *.
assert (S : is_partial (objective n' (from_zero P) beta (from_zero pi_ref) (from_zero pi_old)) (from_zero pi) (pred o_')
  d).
{ apply partial_written; [lia|]. rewrite <- !entry_from_zero by lia. replace (pi_old o_') with (pi o_'). unfold k3.
  auto_derive.
  - repeat split; try lra. apply Rmult_lt_0_compat; [assumption | apply Rinv_0_lt_compat; assumption].
  - unfold d. field. lra. }
apply (less_multiplier n' _ _ _ lambda) in S; [|lia]. exists (d - lambda). split.
- along_entry S; [lagrangian | reflexivity].
- transitivity ((d - lambda) * pi o_' / beta); [field; lra|]. rewrite T. field. lra.
(* vy-s23-g-form: the argument of g at a stationary policy, any n *)
intros. assert (A : forall o, (o < n')%nat -> 0 < from_zero pi_ref o /\ 0 < from_zero pi o)
  by (intros; split; apply family_positive with n'; assumption).
assert (S : Sum n' (from_zero pi) = 1) by (rewrite <- total_Sum; assumption).
assert (0 < pi o') by auto. assert (0 < pi_ref o') by auto. defined.
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
destruct (vy_s23_g_form n' beta (from_zero pi_ref) (from_zero pi) (family_full pi_ref n' ltac:(assumption)
  ltac:(assumption))
  ltac:(lra) F) as [_ T].
destruct (proj1 (T (solving beta lambda (from_zero pi_ref) (from_zero pi)))) with (o := pred o') as [L E];
  [exists lambda, (fun _ => 0); split; [apply full_support_policy, F | intros o Ho; rewrite Rminus_0_r;
     split; [apply solving_partial; [exact Ho | apply A, Ho | apply A, Ho] | split; [lra | ring]]] | lia |].
rewrite solving_mean in L, E. unfold solving in L, E. rewrite <- !entry_from_zero in L, E by lia.
set (z := total (fun j => (beta + lambda + - 1 * beta * / pi j * pi_ref j) * pi j) n') in *.
set (t := (beta + lambda + - 1 * beta * / pi o' * pi_ref o' - z) / beta) in *.
assert (G : (1 - t) * pi o' = pi_ref o') by (rewrite E; field; lra).
transitivity t; [unfold t; field; lra|]. rewrite <- G. field. lra.
(* vy-s23-g-form: and (11) there *)
intros. assert (A : forall o, (o < n')%nat -> 0 < from_zero pi_ref o /\ 0 < from_zero pi o)
  by (intros; split; apply family_positive with n'; assumption).
assert (S : Sum n' (from_zero pi) = 1) by (rewrite <- total_Sum; assumption).
assert (0 < pi o') by auto. assert (0 < pi_ref o') by auto. defined.
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
destruct (vy_s23_g_form n' beta (from_zero pi_ref) (from_zero pi) (family_full pi_ref n' ltac:(assumption)
  ltac:(assumption))
  ltac:(lra) F) as [_ T].
destruct (proj1 (T (solving beta lambda (from_zero pi_ref) (from_zero pi)))) with (o := pred o') as [L E];
  [exists lambda, (fun _ => 0); split; [apply full_support_policy, F | intros o Ho; rewrite Rminus_0_r;
     split; [apply solving_partial; [exact Ho | apply A, Ho | apply A, Ho] | split; [lra | ring]]] | lia |].
rewrite solving_mean in L, E. unfold solving in L, E. rewrite <- !entry_from_zero in L, E by lia.
set (z := total (fun j => (beta + lambda + - 1 * beta * / pi j * pi_ref j) * pi j) n') in *.
set (t := (beta + lambda + - 1 * beta * / pi o' * pi_ref o' - z) / beta) in *.
transitivity ((1 - t) * pi o'); [unfold t; field; lra|]. rewrite E. field. lra.
(* vy-s23-upper-bound-beta: the preference of an answer, relative to its mean *)
intros. assert (A : forall o, (o < n')%nat -> 0 < from_zero pi_ref o /\ 0 < from_zero pi o)
  by (intros; split; apply family_positive with n'; assumption).
assert (S : Sum n' (from_zero pi) = 1) by (rewrite <- total_Sum; assumption).
assert (0 < pi o') by auto. defined.
destruct (vy_s23_upper_bound_beta n' beta (from_zero pi_ref) (from_zero pi) (pred o') ltac:(lra) ltac:(lia)) as [_ T].
specialize (T (solving beta lambda (from_zero pi_ref) (from_zero pi)) lambda A S
  (fun o Ho => solving_partial n' beta lambda (from_zero pi_ref) (from_zero pi) o Ho (proj1 (A o Ho)) (proj2 (A o
    Ho)))).
rewrite solving_mean, <- (total_Sum pi_ref) in T. replace (total pi_ref n') with m in T by (symmetry; assumption).
unfold solving in T. rewrite <- !entry_from_zero in T by lia. unfold Rdiv in T. lra.
(* vy-s22-constant-nonessential: identity *)
intros. assert (A : forall o, (o < n')%nat -> 0 < from_zero pi_ref o /\ 0 < from_zero pi o)
  by (intros; split; apply family_positive with n'; assumption).
assert (S : Sum n' (from_zero pi) = 1) by (rewrite <- total_Sum; assumption).
assert (0 < pi o') by auto. assert (0 < pi_ref o') by auto. defined. destruct (A (pred o') ltac:(lia)) as [U V].
destruct (vy_s22_constant_nonessential n' (from_zero P) beta (from_zero pi_ref) (from_zero pi)
  (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) (family_full pi n' ltac:(assumption) ltac:(assumption)))
    as [_ T].
destruct (T (pred o') _ ltac:(lia) (own_partial n' (from_zero P) beta (from_zero pi_ref) (from_zero pi) (pred o')
  ltac:(lia) U V))
  as [_ E]. rewrite <- !entry_from_zero in E by lia.
transitivity (- 1 * lambda + (P o' - beta * (1 - pi_ref o' / pi o') + beta)); [field; lra|]. rewrite E. field. lra.
(* vy-s231-effective-ratio: identity *)
intros. assert (C : 0 < beta * c) by at_least. assert (D : 0 < c * gamma) by at_least.
assert (0 < beta * p) by at_least.
assert (0 < beta * p * / gamma) by at_least.
assert (A : / c ^ 2 * / gamma ^ 2 * (beta * c + - 1 * c * gamma) ^ 2 + 4 * beta * p * / gamma
  = (1 - beta * c / (c * gamma)) ^ 2 + 4 * (beta * c / (c * gamma)) * p) by (field; lra).
assert (B : / gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma = (1 - beta / gamma) ^ 2 + 4 * (beta /
  gamma) * p)
  by (field; lra).
assert (0 <= (1 - beta * c / (c * gamma)) ^ 2) by apply pow2_ge_0.
assert (0 <= (1 - beta / gamma) ^ 2) by apply pow2_ge_0.
assert (Q : beta * c / (c * gamma) = beta / gamma) by (field; lra).
assert (4 * (beta / gamma) * p = 4 * (beta * p * / gamma)) by (field; lra).
split; [lra|]. split; [lra|]. split; [rewrite A, Q; lra|]. split; [rewrite B; lra|]. rewrite A, B.
transitivity (eq14 (beta * c / (c * gamma)) p); [unfold eq14; field; lra|].
destruct (eq14_root (beta * c / (c * gamma)) p ltac:(apply Rdiv_lt_0_compat; lra) ltac:(lra)) as (L & U & _).
set (x := eq14 (beta * c / (c * gamma)) p) in *.
destruct (vy_s231_effective_ratio (beta * c) beta (binary p) (binary x) ltac:(lra) ltac:(lra) ltac:(apply binary_full;
  lra)
  ltac:(apply binary_full; lra)) as [_ T].
destruct (vy_s231_effective_ratio beta (beta * c) (binary p) (binary x) ltac:(lra) ltac:(lra) ltac:(apply binary_full;
  lra)
  ltac:(apply binary_full; lra)) as [_ V].
destruct (T (two (c * gamma) 0) (two gamma 0) (c * gamma) gamma ltac:(lra) ltac:(lra) ltac:(simpl; lra) ltac:(simpl;
  lra) Q) as [M N].
destruct (V (two gamma 0) (two (c * gamma) 0) gamma (c * gamma) ltac:(lra) ltac:(lra) ltac:(simpl; lra) ltac:(simpl;
  lra)
  ltac:(symmetry; exact Q)) as [_ W].
change (binary x 0%nat) with x in *. change (binary p 0%nat) with p in *.
rewrite (proj1 W (proj1 M (proj2 N eq_refl))). unfold eq14. field. lra.
(* vy-s13-square-root-minimum: the quadratic of the curvature at x = √p *)
intros. defined. destruct (with_margin 1) as [rw [R M]]; [lra | lra |].
destruct (vy_s13_square_root_minimum rw p R ltac:(lra) ltac:(lra)) as (_ & _ & _ & c & _ & _ & T). lra.
