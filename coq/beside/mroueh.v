(* mr-thm3-every-p: h(p) exceeds p_ref *)
intros. subst. assert (0 <= success * (1 + - 1 * success)) by nra. defined. rewrite <- success_map_is.
apply mr_thm3_every_p; bounds.
(* mr-lem2: h(p) exceeds p_ref *)
intros. subst. assert (0 <= success_ref * (1 + - 1 * success_ref)) by nra. defined. rewrite <- success_map_is.
pose proof (mr_lem2 beta guard success_ref ltac:(lra) ltac:(lra) ltac:(lra)). lra.
(* mr-abs-amplify: every fixed point p exceeds p_ref *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. defined. rewrite <- success_map_written.
apply mr_abs_amplify; bounds.
(* mr-thm3-case1: every fixed point p exceeds p_ref *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. defined. rewrite <- success_map_written.
apply mr_thm3_case1; bounds.
(* mr-thm3-case2: every fixed point p exceeds p_ref *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. defined. rewrite <- success_map_written.
apply mr_thm3_case2; bounds.
(* mr-lem4: cosine *)
intros. defined. destruct (mr_lem4 success_ref ltac:(lra)) as [_ T].
replace (/ success_ref * (1 + - 1 * success_ref)) with ((1 - success_ref) / success_ref) by (field; lra).
replace (1 / 2 * ln ((1 - success_ref) / success_ref)) with (- (- ln ((1 - success_ref) / success_ref) / 2)) by field.
replace (cosh (- (- ln ((1 - success_ref) / success_ref) / 2))) with (cosh (- ln ((1 - success_ref) / success_ref) / 2)).
- rewrite T. field. lra.
- unfold cosh. rewrite Ropp_involutive. f_equal. ring.
(* mr-lem4: sign *)
intros. subst. split; [at_least|]. destruct (mr_lem4 success_ref ltac:(lra)) as [T _].
replace (/ success_ref * (1 + - 1 * success_ref)) with ((1 - success_ref) / success_ref) by (field; lra). lra.
(* mr-lem3-1: identity *)
intros. assert (0 < exp (- 1 * t)) by apply exp_pos. repeat split; [lra|].
destruct (mr_lem3_1 t) as [_ T].
assert (E : forall z, sigmoid z = / (1 + exp (- z))) by reflexivity.
same_slope T (fun z => E z).
- replace (- t) with (- 1 * t) by ring. lra.
- replace (- t) with (- 1 * t) by ring. field. lra.
- unfold sigmoid. replace (- t) with (- 1 * t) by ring. ring.
(* mr-lem3-1: identity *)
intros. assert (0 < exp (- 1 * t)) by apply exp_pos. assert (0 < cosh (1 / 2 * t)).
{ unfold cosh. pose proof (exp_pos (1 / 2 * t)). pose proof (exp_pos (- (1 / 2 * t))). lra. }
repeat split; [lra | lra |]. destruct (mr_lem3_1 t) as [T _]. unfold sigmoid in T.
replace (- t) with (- 1 * t) in T by ring. replace (t / 2) with (1 / 2 * t) in T by field. 
replace (1 + - 1 * / (1 + exp (- 1 * t))) with (1 - / (1 + exp (- 1 * t))) by ring. rewrite T. field. lra.
(* mr-prop1-derivative: directly *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. defined.
pose proof (mr_prop1_derivative beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as T.
apply (is_derive_ext (success_map beta guard success_ref)); [intros; apply success_map_written|].
rewrite success_map_written in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
assert (P : Rpower (guard + success * (1 + - 1 * success)) (3 / 2) = sqrt (guard + success * (1 + - 1 * success)) ^ 3).
{ rewrite <- Rpower_pow by (apply sqrt_lt_R0; lra). rewrite <- Rpower_sqrt by lra. rewrite Rpower_mult. f_equal.
  simpl. field. }
rewrite P in T.
match type of T with is_derive _ _ ?d => match goal with |- is_derive _ _ ?e => replace e with d; [exact T|] end end.
assert (0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
set (h := / (1 + _)). field. lra.
(* mr-thm3-logit-gap: one iteration *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success) by at_least.
repeat split; try lra.
- apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
- pose proof (mr_thm3_logit_gap beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as T.
  unfold logit in T. replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
  replace (/ (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success)
    with (success_map beta guard success_ref success / (1 - success_map beta guard success_ref success)) by (field; lra).
  rewrite T. replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
  assert (0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra). field. lra.
(* mr-thm3-logit-bounds: the lower bound is attained at p = ½ *)
intros. assert (S : 1 / 4 + guard = guard + 1 / 2 * (1 + - 1 * (1 / 2))) by field. rewrite S.
rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref (1 / 2) ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref (1 / 2)) * success_map beta guard success_ref (1 / 2)) by at_least.
repeat split; try lra.
- apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
- destruct (mr_thm3_logit_bounds beta guard success_ref ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & T & _).
  unfold logit in T. replace (1 / 4 + guard) with (guard + 1 / 2 * (1 + - 1 * (1 / 2))) in T by field.
  replace (/ (1 + - 1 * success_map beta guard success_ref (1 / 2)) * success_map beta guard success_ref (1 / 2))
    with (success_map beta guard success_ref (1 / 2) / (1 - success_map beta guard success_ref (1 / 2))) by (field; lra).
  replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
  assert (0 < sqrt (guard + 1 / 2 * (1 + - 1 * (1 / 2)))) by (apply sqrt_lt_R0; lra).
  transitivity (1 / (beta * sqrt (guard + 1 / 2 * (1 + - 1 * (1 / 2))))); [lra | field; lra].
(* mr-thm3-logit-bounds: the upper one at p = 0 *)
intros. assert (S : sqrt guard = sqrt (guard + 0 * (1 + - 1 * 0))) by (f_equal; ring). rewrite S.
rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref 0 ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref 0) * success_map beta guard success_ref 0) by at_least.
repeat split; try lra.
- apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
- destruct (mr_thm3_logit_bounds beta guard success_ref ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & T & _).
  unfold logit in T. rewrite S in T.
  replace (/ (1 + - 1 * success_map beta guard success_ref 0) * success_map beta guard success_ref 0)
    with (success_map beta guard success_ref 0 / (1 - success_map beta guard success_ref 0)) by (field; lra).
  replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
  assert (0 < sqrt (guard + 0 * (1 + - 1 * 0))) by (apply sqrt_lt_R0; lra).
  transitivity (1 / (beta * sqrt (guard + 0 * (1 + - 1 * 0)))); [lra | field; lra].
(* mr-rem1-discontinuity: limit at 0 *)
intros beta p K1 K2 K3. split.
- exists (mkposreal 1 Rlt_0_1). intros x N H0. change (Rabs (x - 0) < 1) in N. apply Rabs_def2 in N.
  assert (0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra). split; [lra|]. split; [lra|]. split; [assumption|].
  apply Rgt_not_eq, Rplus_lt_0_compat; [lra|]. apply Rmult_lt_0_compat; [at_least | apply exp_pos].
- destruct (mr_rem1_discontinuity beta p K3 ltac:(lra)) as [T _]. apply filterlim_locally. intros e.
  destruct (T e (cond_pos e)) as (d & Hd & B). exists (mkposreal _ (Rmin_pos d 1 Hd Rlt_0_1)). intros x N H0.
  change (Rabs (x - 0) < Rmin d 1) in N. apply Rabs_def2 in N. pose proof (Rmin_l d 1). pose proof (Rmin_r d 1).
  specialize (B x ltac:(lra) ltac:(lra)). rewrite success_map_written in B.
  replace (0 + x * (1 + - 1 * x)) with (x * (1 + - 1 * x)) in B by ring. exact B.
(* mr-bernoulli: mean *)
intros n m p N M hit miss K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
destruct (mr_bernoulli (N + M) (hits_first N) (joined N hit miss) (joined_policy N M hit miss K9 K11 ltac:(lra))) as [T _].
unfold success in T. rewrite (expect_joined N M hit miss indicator) in T. unfold indicator in T.
assert (E : total (fun i => hit i * 1) N = total hit N) by (apply total_ext; intros; ring).
assert (Z : total (fun i => miss i * 0) M = total (fun _ => 0) M) by (apply total_ext; intros; ring).
rewrite E, Z in T. change (total (fun j => hit j) N) with (total hit N). rewrite K10 in *.
assert (O : total (fun _ => 0) M = 0) by (rewrite <- (total_ext (fun _ => 0 * 1)), <- total_times by (intros; ring); ring).
lra.
(* mr-bernoulli: variance *)
intros n m p N M hit miss K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
destruct (mr_bernoulli (N + M) (hits_first N) (joined N hit miss) (joined_policy N M hit miss K9 K11 ltac:(lra))) as [_ T].
assert (O : total (fun _ => 0) M = 0).
{ rewrite <- (total_ext (fun _ => 0 * 1)), <- total_times by (intros; ring). ring. }
assert (S : success (N + M) (hits_first N) (joined N hit miss) = p).
{ unfold success. rewrite (expect_joined N M hit miss indicator). unfold indicator.
  rewrite (total_ext (fun i => hit i * 1) hit), (total_ext (fun i => miss i * 0) (fun _ => 0)) by (intros; ring). lra. }
rewrite S, (expect_joined N M hit miss (fun b => (indicator b - p) ^ 2)) in T. unfold indicator in T.
change (total (fun j => hit j) N) with (total hit N). rewrite O, K10.
replace (p * (1 + - 1 * p)) with (p * (1 - p)) by ring. rewrite <- T, Rplus_comm.
f_equal; apply total_ext; intros; ring.
(* mr-eq9: inside (0, 1) *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (mr_eq9 2 (fun o => Nat.eqb o 0) beta guard (binary success_ref) success
  (binary_policy success_ref ltac:(lra)) ltac:(lra)) as [T U].
match type of U with 0 < ?s < 1 -> _ => assert (E : s = success_ref) end.
{ unfold Recursion.success, expect, indicator. simpl. ring. }
rewrite E in T, U. specialize (U ltac:(lra)). rewrite T in U. clear T E.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in U by ring.
unfold Rdiv in U. set (w := / sqrt (guard + success * (1 + - 1 * success))) in *.
replace (1 * / beta * ((1 - success) * w)) with (/ beta * w * (1 + - 1 * success)) in U by ring.
replace (1 * / beta * (- success * w)) with (- 1 * success * / beta * w) in U by ring.
replace (1 - success_ref) with (1 + - 1 * success_ref) in U by ring.
rewrite Rmult_assoc, (Rmult_comm (/ _)), <- Rmult_assoc. exact (proj2 U).
(* mr-pf5-tvdef: two answers *)
intros. destruct (mr_pf5_tvdef 2 (binary y) (binary x) (binary_policy y ltac:(lra)) (binary_policy x ltac:(lra))) as [T _].
apply Rle_trans with (tv 2 (binary y) (binary x)).
- apply T. exists (two z t). split; [intros [|[|o]] Ho; simpl; lra || lia|]. rewrite !expect_binary. simpl two. field.
- unfold tv. rewrite Sum_2. simpl binary. replace (1 - y - (1 - x)) with (x - y) by ring.
  rewrite (Rabs_minus_sym y x). replace (x + - 1 * y) with (x - y) by ring. lra.
(* mr-lem1-bound: below 1 exactly when β > B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k) with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-lem1-bound: above 1 exactly when β < B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k) with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-lem1-bound: equal to 1 exactly when β = B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k) with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-rem2-uniform: β above an upper bound of B *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
rewrite <- bound_written in * by lra. assert (P : 0 <= beta_bound guard success).
{ rewrite bound_written by lra. repeat apply Rmult_le_pos; try lra; [|apply Rabs_pos].
  apply Rlt_le, Rinv_0_lt_compat, pow_lt, sqrt_lt_R0. assumption. }
assert (B : 0 < beta) by lra. defined.
destruct (proj1 (mr_fp_depends_q beta guard B ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
destruct (mr_rem2_uniform unit beta guard (fun _ => r) (fun _ => success) (beta_bound guard success) B ltac:(lra)) as (T & _).
{ intros _. split; [exact R|]. split; [lra | exact F]. }
{ split; [intros y [_ ->]; lra | intros y Hy; apply Hy; exists tt; reflexivity]. }
specialize (T ltac:(lra) tt). rewrite (slope_at_fixed_point beta guard r success B ltac:(lra) R ltac:(lra) F) in T.
assert (I : 0 < / beta) by (apply Rinv_0_lt_compat; lra).
assert (L : beta_1 * / beta < 1).
{ apply (Rmult_lt_reg_r beta); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
split; [exact L|]. split; [lra|].
replace (1 / 2 * success * / beta * / sqrt (guard + success * (1 + - 1 * success)) ^ 3 * (1 + - 1 * success) * Rabs (- 1 + 2 * success))
  with (beta_bound guard success / beta) by (rewrite bound_written by lra; unfold Rdiv; ring).
apply Rle_trans with (beta_bound guard success / beta); [apply T|]. apply Rmult_le_compat_r; lra.
(* mr-rem2-uniform: the supremum is finite *)
intros. assert (0 < guard + success * (1 + - 1 * success)) by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q 1 guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
destruct (mr_rem2_uniform unit 1 guard (fun _ => r) (fun _ => success) (beta_bound guard success) ltac:(lra) ltac:(lra)) as (_ & T & _).
{ intros _. split; [exact R|]. split; [lra | exact F]. }
{ split; [intros y [_ ->]; lra | intros y Hy; apply Hy; exists tt; reflexivity]. }
rewrite bound_written in T by lra. eapply Rle_trans; [exact T|]. apply Req_le.
replace (27 * guard) with (3 ^ 2 * 3 * guard) by ring.
rewrite !sqrt_mult_alt by lra. rewrite sqrt_pow2 by lra.
assert (0 < sqrt guard) by (apply sqrt_lt_R0; lra). assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra).
pose proof (sqrt_sqrt 3 ltac:(lra)) as Q. apply (Rmult_eq_reg_r (sqrt 3)); [|lra].
replace (1 / 9 * sqrt 3 * / sqrt guard * / (1 + 4 * guard) * sqrt 3)
  with (1 / 9 * (sqrt 3 * sqrt 3) * / sqrt guard * / (1 + 4 * guard)) by ring.
rewrite Q. field. repeat split; lra.
(* mr-thm1-Z: Z *)
intros. defined. pose proof (joined_policy n_hit' n_miss' hit_ref miss_ref ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
destruct (mr_thm1_Z (n_hit' + n_miss') (hits_first n_hit') beta guard (joined n_hit' hit_ref miss_ref) success P ltac:(lra))
  as (_ & T & _). unfold Recursion.success in T.
rewrite (expect_joined n_hit' n_miss' hit_ref miss_ref indicator) in T.
rewrite (expect_joined n_hit' n_miss' hit_ref miss_ref (fun c => exp (1 / beta * (omega_plus guard success * indicator c
  - omega_minus guard success * indicator (negb c))))) in T.
unfold normaliser, omega_plus, omega_minus, indicator in T. simpl negb in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
set (w := sqrt (guard + success * (1 + - 1 * success))) in *.
rewrite (total_ext (fun i => hit_ref i * 1) hit_ref), (total_ext (fun i => miss_ref i * 0) (fun _ => 0)) in T by (intros; ring).
replace (total (fun _ => 0) n_miss') with 0 in T by (rewrite total_Sum; symmetry; apply Sum_zero; reflexivity).
assert (E : total hit_ref n_hit' = success_ref) by assumption. rewrite E, Rplus_0_r in T.
match type of T with ?z = ?s => transitivity s end.
- f_equal; apply total_ext; intros; do 2 f_equal; unfold Rdiv; ring.
- rewrite <- T. f_equal; [f_equal | f_equal; [ring|]]; f_equal; unfold Rdiv; ring.
