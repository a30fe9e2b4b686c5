(* mr-thm3-every-p: h(p) exceeds p_ref *)
intros. subst. assert (0 <= success * (1 + - 1 * success)) by nra. defined. rewrite <- success_map_is.
apply mr_thm3_every_p; bounds.
(* mr-lem2: h(p_ref) exceeds p_ref *)
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
(* mr-lem4: the squared hyperbolic cosine of their half *)
intros. defined. destruct (mr_lem4 success_ref ltac:(lra)) as [_ T].
replace (/ success_ref * (1 + - 1 * success_ref)) with ((1 - success_ref) / success_ref) by (field; lra).
replace (1 / 2 * ln ((1 - success_ref) / success_ref)) with (- (- ln ((1 - success_ref) / success_ref) / 2)) by field.
replace (cosh (- (- ln ((1 - success_ref) / success_ref) / 2)))
  with (cosh (- ln ((1 - success_ref) / success_ref) / 2)).
- rewrite T. field. lra.
- unfold cosh. rewrite Ropp_involutive. f_equal. ring.
(* mr-lem4: the log-odds, −log u *)
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
(* mr-thm3-logit-gap: of h(p), whatever p is *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success) by
  at_least.
repeat split; try lra.
- apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
- pose proof (mr_thm3_logit_gap beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as T.
  unfold logit in T. replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T
    by ring.
  replace (/ (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success)
    with (success_map beta guard success_ref success / (1 - success_map beta guard success_ref success))
      by (field; lra).
  rewrite T. replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
  assert (0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra). field. lra.
(* mr-thm3-logit-bounds: h at p = ½ attains the lower bound *)
intros. assert (S : 1 / 4 + guard = guard + 1 / 2 * (1 + - 1 * (1 / 2))) by field. rewrite S.
rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref (1 / 2) ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref (1 / 2)) * success_map beta guard success_ref (1 / 2))
  by at_least.
repeat split; try lra.
- apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
- destruct (mr_thm3_logit_bounds beta guard success_ref ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & T & _).
  unfold logit in T. replace (1 / 4 + guard) with (guard + 1 / 2 * (1 + - 1 * (1 / 2))) in T by field.
  replace (/ (1 + - 1 * success_map beta guard success_ref (1 / 2)) * success_map beta guard success_ref (1 / 2))
    with (success_map beta guard success_ref (1 / 2) / (1 - success_map beta guard success_ref (1 / 2)))
      by (field; lra).
  replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
  assert (0 < sqrt (guard + 1 / 2 * (1 + - 1 * (1 / 2)))) by (apply sqrt_lt_R0; lra).
  transitivity (1 / (beta * sqrt (guard + 1 / 2 * (1 + - 1 * (1 / 2))))); [lra | field; lra].
(* mr-thm3-logit-bounds: h at p = 0 attains the upper one *)
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
destruct (mr_bernoulli (N + M) (hits_first N) (joined N hit miss) (joined_policy N M hit miss K9 K11 ltac:(lra))) as
  [T _].
unfold success in T. rewrite (expect_joined N M hit miss indicator) in T. unfold indicator in T.
assert (E : total (fun i => hit i * 1) N = total hit N) by (apply total_ext; intros; ring).
assert (Z : total (fun i => miss i * 0) M = total (fun _ => 0) M) by (apply total_ext; intros; ring).
rewrite E, Z in T. change (total (fun j => hit j) N) with (total hit N). rewrite K10 in *.
assert (O : total (fun _ => 0) M = 0)
  by (rewrite <- (total_ext (fun _ => 0 * 1)), <- total_times by (intros; ring); ring).
lra.
(* mr-bernoulli: variance *)
intros n m p N M hit miss K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
destruct (mr_bernoulli (N + M) (hits_first N) (joined N hit miss) (joined_policy N M hit miss K9 K11 ltac:(lra))) as
  [_ T].
assert (O : total (fun _ => 0) M = 0).
{ rewrite <- (total_ext (fun _ => 0 * 1)), <- total_times by (intros; ring). ring. }
assert (S : success (N + M) (hits_first N) (joined N hit miss) = p).
{ unfold success. rewrite (expect_joined N M hit miss indicator). unfold indicator.
  rewrite (total_ext (fun i => hit i * 1) hit), (total_ext (fun i => miss i * 0) (fun _ => 0)) by (intros; ring). lra. }
rewrite S, (expect_joined N M hit miss (fun b => (indicator b - p) ^ 2)) in T. unfold indicator in T.
change (total (fun j => hit j) N) with (total hit N). rewrite K10.
replace (p * (1 + - 1 * p)) with (p * (1 - p)) by ring. rewrite <- T.
(f_equal; apply total_ext; intros; ring) || (rewrite Rplus_comm; f_equal; apply total_ext; intros; ring).
(* mr-eq9: inside (0, 1) *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
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
intros. destruct (mr_pf5_tvdef 2 (binary y) (binary x) (binary_policy y ltac:(lra)) (binary_policy x ltac:(lra))) as
  [T _].
apply Rle_trans with (tv 2 (binary y) (binary x)).
- apply T. exists (two z t). split; [intros [|[|o]] Ho; simpl; lra || lia|]. rewrite !expect_binary. simpl two. field.
- unfold tv. rewrite Sum_2. simpl binary. replace (1 - y - (1 - x)) with (x - y) by ring.
  rewrite (Rabs_minus_sym y x). replace (x + - 1 * y) with (x - y) by ring. lra.
(* mr-lem1-bound: below 1 exactly when β > B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k)
  with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-lem1-bound: above 1 exactly when β < B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k)
  with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-lem1-bound: equal to 1 exactly when β = B(p*) *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q beta guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
pose proof (slope_at_fixed_point beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as S.
destruct (mr_lem1_bound beta guard r success ltac:(lra) ltac:(lra) R ltac:(lra) F) as (T & U & V). rewrite S in T, U, V.
clear S F.
rewrite bound_written in T, U, V by lra. set (d := / sqrt _ ^ 3) in *. set (k := Rabs _) in *.
replace (1 / 2 * success * / beta * d * (1 + - 1 * success) * k)
  with (1 / 2 * success * d * (1 + - 1 * success) * k / beta)
  by (unfold Rdiv; ring). tauto.
(* mr-rem2-uniform: β above an upper bound of B *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
rewrite <- bound_written in * by lra. assert (P : 0 <= beta_bound guard success).
{ rewrite bound_written by lra. repeat apply Rmult_le_pos; try lra; [|apply Rabs_pos].
  apply Rlt_le, Rinv_0_lt_compat, pow_lt, sqrt_lt_R0. assumption. }
assert (B : 0 < beta) by lra. defined.
destruct (proj1 (mr_fp_depends_q beta guard B ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
destruct (mr_rem2_uniform unit beta guard (fun _ => r) (fun _ => success) (beta_bound guard success) B ltac:(lra)) as
  (T & _).
{ intros _. split; [exact R|]. split; [lra | exact F]. }
{ split; [intros y [_ ->]; lra | intros y Hy; apply Hy; exists tt; reflexivity]. }
specialize (T ltac:(lra) tt). rewrite (slope_at_fixed_point beta guard r success B ltac:(lra) R ltac:(lra) F) in T.
assert (I : 0 < / beta) by (apply Rinv_0_lt_compat; lra).
assert (L : beta_1 * / beta < 1).
{ apply (Rmult_lt_reg_r beta); [lra|]. rewrite Rmult_assoc, Rinv_l; lra. }
split; [exact L|]. split; [lra|].
replace (1 / 2 * success * / beta * / sqrt (guard + success * (1 + - 1 * success)) ^ 3 * (1 + - 1 * success) * Rabs
  (- 1 + 2 * success))
  with (beta_bound guard success / beta) by (rewrite bound_written by lra; unfold Rdiv; ring).
apply Rle_trans with (beta_bound guard success / beta); [apply T|]. apply Rmult_le_compat_r; lra.
(* mr-rem2-uniform: the supremum is finite *)
intros. assert (0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by at_least; lra).
defined. destruct (proj1 (mr_fp_depends_q 1 guard ltac:(lra) ltac:(lra)) success ltac:(lra)) as (r & [R F] & _).
destruct (mr_rem2_uniform unit 1 guard (fun _ => r) (fun _ => success) (beta_bound guard success) ltac:(lra) ltac:(lra))
  as (_ & T & _).
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
intros. defined. pose proof
  (joined_policy n_hit' n_miss' hit_ref miss_ref ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
destruct (mr_thm1_Z (n_hit' + n_miss') (hits_first n_hit') beta guard (joined n_hit' hit_ref miss_ref) success P
  ltac:(lra))
  as (_ & T & _). unfold Recursion.success in T.
rewrite (expect_joined n_hit' n_miss' hit_ref miss_ref indicator) in T.
rewrite (expect_joined n_hit' n_miss' hit_ref miss_ref (fun c => exp (1 / beta * (omega_plus guard success * indicator c
  - omega_minus guard success * indicator (negb c))))) in T.
unfold normaliser, omega_plus, omega_minus, indicator in T. simpl negb in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
set (w := sqrt (guard + success * (1 + - 1 * success))) in *.
rewrite (total_ext (fun i => hit_ref i * 1) hit_ref), (total_ext (fun i => miss_ref i * 0) (fun _ => 0)) in T
  by (intros; ring).
replace (total (fun _ => 0) n_miss') with 0 in T by (rewrite total_Sum; symmetry; apply Sum_zero; reflexivity).
assert (E : total hit_ref n_hit' = success_ref) by assumption. rewrite E, Rplus_0_r in T.
match type of T with ?z = ?s => transitivity s end.
- f_equal; apply total_ext; intros; do 2 f_equal; unfold Rdiv; ring.
- rewrite <- T. f_equal; [f_equal | f_equal; [ring|]]; f_equal; unfold Rdiv; ring.
(* mr-eq5: expectations under π_θ *)
intros. assert (0 <= success * (1 + - 1 * success)) by at_least. defined.
pose proof (joined_policy n_hit' n_miss' hit miss ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
assert (O : forall o, (o < n_hit' + n_miss')%nat -> 0 < joined n_hit' hit_old miss_old o).
{ intros o Ho. unfold joined, hits_first. destruct (Nat.ltb_spec o n_hit'); auto with zarith. }
destruct (mr_eq5 (n_hit' + n_miss') (hits_first n_hit') 0 guard success (joined n_hit' hit miss) (joined n_hit' hit
  miss)
  (joined n_hit' hit_old miss_old) P ltac:(intros o Ho E; specialize (O o Ho); lra)) as [T _].
pose proof (success_plus_failure _ (hits_first n_hit') _ P) as F. rewrite joined_success in T, F.
assert (E : expect (n_hit' + n_miss') (joined n_hit' hit_old miss_old) (fun o => joined n_hit' hit miss o / joined
  n_hit' hit_old miss_old o *
    (if hits_first n_hit' o then omega_plus guard success else - omega_minus guard success))
  = expect (n_hit' + n_miss') (joined n_hit' hit miss) (fun o => (fun c : bool => if c then omega_plus guard success
    else - omega_minus guard success) (hits_first n_hit' o))).
{ apply Sum_ext. intros o Ho. specialize (O o Ho). field. lra. }
rewrite E, (expect_joined n_hit' n_miss' hit miss (fun c : bool => if c then omega_plus guard success else -
  omega_minus guard success)) in T.
unfold omega_plus, omega_minus in T. replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 *
  success)) in T by ring.
change (fun j : nat => hit j) with hit. change (fun j : nat => miss j) with miss.
match goal with |- ?a = _ => match type of T with ?b - _ = _ => transitivity b end end.
- f_equal; apply total_ext; intros; unfold Rdiv; ring.
- replace (failure (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit miss)) with (total miss n_miss') in T by
  lra.
  unfold Rdiv in T. lra.
(* mr-eq5: of the policy only its success t counts *)
intros. assert (0 <= success * (1 + - 1 * success)) by at_least. defined.
pose proof (joined_policy n_hit' n_miss' hit miss ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
assert (O : forall o, (o < n_hit' + n_miss')%nat -> 0 < joined n_hit' hit_old miss_old o).
{ intros o Ho. unfold joined, hits_first. destruct (Nat.ltb_spec o n_hit'); auto with zarith. }
destruct (mr_eq5 (n_hit' + n_miss') (hits_first n_hit') 0 guard success (joined n_hit' hit miss) (joined n_hit' hit
  miss)
  (joined n_hit' hit_old miss_old) P ltac:(intros o Ho E; specialize (O o Ho); lra)) as [T U].
rewrite U in T. rewrite joined_success in T.
assert (E : expect (n_hit' + n_miss') (joined n_hit' hit_old miss_old) (fun o => joined n_hit' hit miss o / joined
  n_hit' hit_old miss_old o *
    (if hits_first n_hit' o then omega_plus guard success else - omega_minus guard success))
  = expect (n_hit' + n_miss') (joined n_hit' hit miss) (fun o => (fun c : bool => if c then omega_plus guard success
    else - omega_minus guard success) (hits_first n_hit' o))).
{ apply Sum_ext. intros o Ho. specialize (O o Ho). field. lra. }
rewrite E, (expect_joined n_hit' n_miss' hit miss (fun c : bool => if c then omega_plus guard success else -
  omega_minus guard success)) in T.
unfold omega_plus, omega_minus in T. replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 *
  success)) in T by ring.
match goal with |- ?a = _ => match type of T with ?b - _ = _ => transitivity b end end.
- f_equal; apply total_ext; intros; unfold Rdiv; ring.
- assert (N : total hit n_hit' = t) by assumption. rewrite N in T. unfold Rdiv in T. lra.
(* mr-thm2-h: the success of the policy of Theorem 1 *)
intros. assert (0 <= success * (1 + - 1 * success)) by at_least. rewrite <- success_map_written.
pose proof (joined_policy n_hit' n_miss' hit_ref miss_ref ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
assert (0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (S : Recursion.success (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit_ref miss_ref) = success_ref)
  by (rewrite joined_success; assumption).
assert (Z : 0 < success_ref * exp (/ beta * / sqrt (guard + success * (1 + - 1 * success)) * (1 + - 1 * success))
  + (1 + - 1 * success_ref) * exp (- 1 * success * / beta * / sqrt (guard + success * (1 + - 1 * success)))).
{ apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; try apply exp_pos; lra. }
repeat split; intros; try lra.
1: apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [assumption | apply exp_pos]].
destruct (mr_thm2_h 1 (fun _ => 1) (fun _ => (n_hit' + n_miss')%nat) (fun _ => hits_first n_hit') beta guard
  (fun _ => joined n_hit' hit_ref miss_ref) 0%nat) as (_ & T & _);
  [split; [intros; lra | simpl; ring] | intros; exact P | lra | lia | rewrite S; lra |].
specialize (T success). rewrite S in T. rewrite <- T.
transitivity (expect (n_hit' + n_miss') (joined n_hit' hit_ref miss_ref) (fun o => (fun c => / normaliser beta guard
  success_ref success *
  exp (1 / beta * (omega_plus guard success * indicator c - omega_minus guard success * indicator (negb c))) *
    indicator c)
    (hits_first n_hit' o))).
- rewrite (expect_joined n_hit' n_miss' hit_ref miss_ref (fun c => / normaliser beta guard success_ref success *
    exp (1 / beta * (omega_plus guard success * indicator c - omega_minus guard success * indicator (negb c))) *
      indicator c)).
  rewrite (total_ext (fun i => miss_ref i * _) (fun _ => 0)) by (intros; unfold indicator; ring).
  rewrite (total_Sum (fun _ => 0)), Sum_zero, Rplus_0_r by reflexivity. apply total_ext. intros.
  unfold normaliser, omega_plus, omega_minus, indicator. simpl negb.
  replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) by ring.
  set (w := sqrt (guard + success * (1 + - 1 * success))).
  replace (1 / beta * ((1 - success) / w * 1 - success / w * 0)) with (/ beta * / w * (1 + - 1 * success)) by (unfold
    Rdiv; ring).
  replace (1 / beta * ((1 - success) / w)) with (/ beta * / w * (1 + - 1 * success)) by (unfold Rdiv; ring).
  replace (- (1 / beta) * (success / w)) with (- 1 * success * / beta * / w) by (unfold Rdiv; ring). 
  replace (1 - success_ref) with (1 + - 1 * success_ref) by ring. ring.
- unfold Recursion.success, expect, next_policy.
  fold (Recursion.success (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit_ref miss_ref)).
  rewrite S. apply Sum_ext. intros. unfold Rdiv. ring.
(* mr-thm2-h: in log-odds: those of p_ref plus (ω⁺ + ω⁻)/β *)
intros. assert (0 <= success * (1 + - 1 * success)) by nra. rewrite <- success_map_written.
destruct (success_map_inside beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra)) as [A B].
assert (U : 0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < / (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success) by
  at_least.
repeat split; try lra.
1: apply Rgt_not_eq, Rplus_lt_0_compat; [lra | apply Rmult_lt_0_compat; [exact U | apply exp_pos]].
assert (S : Recursion.success 2 (fun o => Nat.eqb o 0) (binary success_ref) = success_ref).
{ unfold Recursion.success, expect, indicator. simpl. ring. }
destruct (mr_thm2_h 1 (fun _ => 1) (fun _ => 2%nat) (fun _ o => Nat.eqb o 0) beta guard (fun _ => binary success_ref)
  0%nat)
  as (_ & _ & T); [split; [intros; lra | simpl; ring] | intros; apply binary_policy; lra | lra | lia | rewrite S;
    lra |].
rewrite S in T. specialize (T ltac:(lra) ltac:(lra) success ltac:(lra)). unfold logit in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
replace (/ (1 + - 1 * success_map beta guard success_ref success) * success_map beta guard success_ref success)
  with (success_map beta guard success_ref success / (1 - success_map beta guard success_ref success)) by (field; lra).
rewrite T. replace (success_ref * / (1 + - 1 * success_ref)) with (success_ref / (1 - success_ref)) by (field; lra).
assert (0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra). field. lra.
(* mr-dependence-pn: the objective contains π_{n−1} in p only *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (V : guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 *
  hit_old j) n_hit'
  = guard + success * (1 + - 1 * success)).
{ rewrite <- !total_times. change (fun j => miss_old j) with miss_old. change (fun j => hit_old j) with hit_old.
  replace (total miss_old n_miss') with (1 + - 1 * success) by (symmetry; assumption).
  replace (total hit_old n_hit') with success by (symmetry; assumption). ring. }
pose proof (joined_policy n_hit' n_miss' hit_old miss_old ltac:(assumption) ltac:(assumption) ltac:(lra)) as O.
pose proof (joined_policy n_hit' n_miss' hit miss ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
destruct (mr_dependence_pn 1 (fun _ => 1) (fun _ => (n_hit' + n_miss')%nat) (fun _ => hits_first n_hit') beta guard
  (fun _ => joined n_hit' hit_ref miss_ref) (fun _ => joined n_hit' hit_old miss_old) (fun _ => joined n_hit' hit_old
    miss_old)
  (fun _ => joined n_hit' hit miss)) as [_ T]. specialize (T (fun _ _ => O)).
rewrite (joined_scores n_hit' n_miss' hit miss hit_old miss_old guard success) in T by assumption.
pose proof (success_plus_failure _ (hits_first n_hit') _ P) as F. rewrite joined_success in F.
unfold iteration_objective in T. rewrite !expect_once in T. rewrite !joined_success in T.
replace (failure (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit miss)) with (total miss n_miss') in T by lra.
replace (total hit_old n_hit') with success in T by (symmetry; assumption). rewrite V in *.
unfold omega_plus, omega_minus in T. replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 *
  success)) in T by ring.
defined. set (w := sqrt (guard + success * (1 + - 1 * success))) in *.
assert (A : total (fun j => success * / w * miss j) n_miss' = success * / w * total miss n_miss') by (rewrite
  total_times; reflexivity).
assert (B : total (fun j => / w * (1 + - 1 * success) * hit j) n_hit' = / w * (1 + - 1 * success) * total hit n_hit')
  by (rewrite total_times; reflexivity).
rewrite A, B. unfold Rdiv in T. lra.
(* mr-dependence-pn: two old policies with one success probability: one objective *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (V : guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 *
  hit_old j) n_hit'
  = guard + success * (1 + - 1 * success)).
{ rewrite <- !total_times. change (fun j => miss_old j) with miss_old. change (fun j => hit_old j) with hit_old.
  replace (total miss_old n_miss') with (1 + - 1 * success) by (symmetry; assumption).
  replace (total hit_old n_hit') with success by (symmetry; assumption). ring. }
assert (W : guard + total (fun j => success ^ 2 * pi_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 * rho j)
  n_hit'
  = guard + success * (1 + - 1 * success)).
{ rewrite <- !total_times. change (fun j => pi_old j) with pi_old. change (fun j => rho j) with rho.
  replace (total pi_old n_miss') with (1 + - 1 * success) by (symmetry; assumption).
  replace (total rho n_hit') with success by (symmetry; assumption). ring. }
pose proof (joined_policy n_hit' n_miss' hit_old miss_old ltac:(assumption) ltac:(assumption) ltac:(lra)) as O.
pose proof (joined_policy n_hit' n_miss' rho pi_old ltac:(assumption) ltac:(assumption) ltac:(lra)) as O'.
destruct (mr_dependence_pn 1 (fun _ => 1) (fun _ => (n_hit' + n_miss')%nat) (fun _ => hits_first n_hit') beta guard
  (fun _ => joined n_hit' hit_ref miss_ref) (fun _ => joined n_hit' hit_old miss_old) (fun _ => joined n_hit' rho
    pi_old)
  (fun _ => joined n_hit' hit miss)) as [S T]. specialize (T (fun _ _ => O)).
destruct (mr_dependence_pn 1 (fun _ => 1) (fun _ => (n_hit' + n_miss')%nat) (fun _ => hits_first n_hit') beta guard
  (fun _ => joined n_hit' hit_ref miss_ref) (fun _ => joined n_hit' rho pi_old) (fun _ => joined n_hit' rho pi_old)
  (fun _ => joined n_hit' hit miss)) as [_ U]. specialize (U (fun _ _ => O')).
rewrite (joined_scores n_hit' n_miss' hit miss hit_old miss_old guard success) in T by assumption.
rewrite (joined_scores n_hit' n_miss' hit miss rho pi_old guard success) in U by assumption.
rewrite S in T by (intros; rewrite !joined_success; congruence). rewrite <- U in T.
rewrite V, W in *. defined. lra.
(* mr-abs-explicit-policy: reward 1 *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (V : guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 *
  hit_old j) n_hit'
  = guard + success * (1 + - 1 * success)).
{ rewrite <- !total_times. change (fun j => miss_old j) with miss_old. change (fun j => hit_old j) with hit_old.
  replace (total miss_old n_miss') with (1 + - 1 * success) by (symmetry; assumption).
  replace (total hit_old n_hit') with success by (symmetry; assumption). ring. }
pose proof (joined_policy n_hit' n_miss' hit_old miss_old ltac:(assumption) ltac:(assumption) ltac:(lra)) as O.
pose proof (joined_policy n_hit' n_miss' hit_ref miss_ref ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
assert (N : (1 <= n_hit')%nat) by (apply (some n_hit); [assumption | lra]).
assert (C : hits_first n_hit' 0 = true) by (apply Nat.ltb_lt; lia).
assert (R : 0 < joined n_hit' hit_ref miss_ref 0) by (unfold joined; rewrite C; auto).
pose proof (mr_abs_explicit_policy _ (hits_first n_hit') beta guard _ _ 0%nat P O ltac:(lra) ltac:(lra)) as T.
change (expect (n_hit' + n_miss') (joined n_hit' hit_old miss_old) (fun i => indicator (hits_first n_hit' i)))
  with (Recursion.success (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit_old miss_old)) in T.
rewrite !joined_success in T. replace (total hit_old n_hit') with success in T by (symmetry; assumption).
rewrite (expect_joined n_hit' n_miss' hit_old miss_old (fun c => (indicator c - success) ^ 2)) in T.
assert (E : total (fun i => hit_old i * (indicator true - success) ^ 2) n_hit'
  + total (fun i => miss_old i * (indicator false - success) ^ 2) n_miss' + guard
  = guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 * hit_old j)
    n_hit').
{ rewrite (total_ext (fun i => hit_old i * _) (fun j => (1 + - 1 * success) ^ 2 * hit_old j)) by (intros; simpl; ring).
  rewrite (total_ext (fun i => miss_old i * _) (fun j => success ^ 2 * miss_old j)) by (intros; simpl; ring). ring. }
rewrite E in T. unfold next_policy in T. rewrite C, !joined_success in T. clear E.
replace (total hit_ref n_hit') with success_ref in T by (symmetry; assumption).
change (fun j => hit_old j) with hit_old. replace (total hit_old n_hit') with success by (symmetry; assumption).
replace (total (fun _ => 0) n_miss') with 0 by (rewrite total_Sum; symmetry; apply Sum_zero; reflexivity).
assert (Z : 0 < normaliser beta guard success_ref success).
{ unfold normaliser. apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; try apply exp_pos; lra. }
rewrite V in *. defined. unfold omega_plus, omega_minus in T. simpl in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
assert (W : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
set (w := sqrt (guard + success * (1 + - 1 * success))) in *.
match type of T with 1 / ?z * ?r * exp ?a = ?r * exp ?b / ?z => assert (A : a = b);
  [apply exp_inv, (Rmult_eq_reg_l (/ z * r)); [unfold Rdiv in T; lra | apply Rgt_not_eq, Rmult_lt_0_compat;
    [apply Rinv_0_lt_compat; exact Z | exact R]] |] end.
rewrite ln_mult, ln_Rinv, ln_exp by first [assumption | apply exp_pos | apply Rinv_0_lt_compat; assumption].
replace (- 1 * ln v) with (- ln v) by ring. f_equal.
transitivity (1 / beta * ((1 - success) / w * 1 - success / w * 0)); [field; lra|]. rewrite A. field. lra.
(* mr-abs-explicit-policy: reward 0 *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (V : guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 *
  hit_old j) n_hit'
  = guard + success * (1 + - 1 * success)).
{ rewrite <- !total_times. change (fun j => miss_old j) with miss_old. change (fun j => hit_old j) with hit_old.
  replace (total miss_old n_miss') with (1 + - 1 * success) by (symmetry; assumption).
  replace (total hit_old n_hit') with success by (symmetry; assumption). ring. }
pose proof (joined_policy n_hit' n_miss' hit_old miss_old ltac:(assumption) ltac:(assumption) ltac:(lra)) as O.
pose proof (joined_policy n_hit' n_miss' hit_ref miss_ref ltac:(assumption) ltac:(assumption) ltac:(lra)) as P.
assert (N : (1 <= n_miss')%nat) by (apply (some n_miss); [assumption | lra]).
assert (C : hits_first n_hit' n_hit' = false) by (apply Nat.ltb_ge; lia).
assert (R : 0 < joined n_hit' hit_ref miss_ref n_hit') by (unfold joined; rewrite C; auto with zarith).
pose proof (mr_abs_explicit_policy _ (hits_first n_hit') beta guard _ _ n_hit' P O ltac:(lra) ltac:(lra)) as T.
change (expect (n_hit' + n_miss') (joined n_hit' hit_old miss_old) (fun i => indicator (hits_first n_hit' i)))
  with (Recursion.success (n_hit' + n_miss') (hits_first n_hit') (joined n_hit' hit_old miss_old)) in T.
rewrite !joined_success in T. replace (total hit_old n_hit') with success in T by (symmetry; assumption).
rewrite (expect_joined n_hit' n_miss' hit_old miss_old (fun c => (indicator c - success) ^ 2)) in T.
assert (E : total (fun i => hit_old i * (indicator true - success) ^ 2) n_hit'
  + total (fun i => miss_old i * (indicator false - success) ^ 2) n_miss' + guard
  = guard + total (fun j => success ^ 2 * miss_old j) n_miss' + total (fun j => (1 + - 1 * success) ^ 2 * hit_old j)
    n_hit').
{ rewrite (total_ext (fun i => hit_old i * _) (fun j => (1 + - 1 * success) ^ 2 * hit_old j)) by (intros; simpl; ring).
  rewrite (total_ext (fun i => miss_old i * _) (fun j => success ^ 2 * miss_old j)) by (intros; simpl; ring). ring. }
rewrite E in T. unfold next_policy in T. rewrite C, !joined_success in T. clear E.
replace (total hit_ref n_hit') with success_ref in T by (symmetry; assumption).
change (fun j => hit_old j) with hit_old. replace (total hit_old n_hit') with success by (symmetry; assumption).
replace (total (fun _ => 0) n_miss') with 0 by (rewrite total_Sum; symmetry; apply Sum_zero; reflexivity).
assert (Z : 0 < normaliser beta guard success_ref success).
{ unfold normaliser. apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; try apply exp_pos; lra. }
rewrite V in *. defined. unfold omega_plus, omega_minus in T. simpl in T.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
assert (W : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
set (w := sqrt (guard + success * (1 + - 1 * success))) in *.
match type of T with 1 / ?z * ?r * exp ?a = ?r * exp ?b / ?z => assert (A : a = b);
  [apply exp_inv, (Rmult_eq_reg_l (/ z * r)); [unfold Rdiv in T; lra | apply Rgt_not_eq, Rmult_lt_0_compat;
    [apply Rinv_0_lt_compat; exact Z | exact R]] |] end.
rewrite ln_mult, ln_Rinv, ln_exp by first [assumption | apply exp_pos | apply Rinv_0_lt_compat; assumption].
replace (- 1 * ln v) with (- ln v) by ring. f_equal.
transitivity (1 / beta * ((1 - success) / w * 0 - success / w * 1)); [field; lra|]. rewrite A. field. lra.
(* mr-lem1: p is a fixed point for this p_ref *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (E : exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))
  = exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))).
{ replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) by ring. f_equal.
unfold Rdiv. ring. }
rewrite E. clear E.
destruct (mr_lem1 beta guard (1 / 2) success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & R & _).
specialize (R ltac:(lra)).
destruct (mr_lem1 beta guard _ success ltac:(lra) ltac:(lra) R ltac:(lra)) as (_ & _ & _ & T).
assert (U := exp_pos (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))). unfold success_map in T.
set (u := exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))) in *.
assert (0 < success * u) by at_least. assert (D : 0 < 1 - success + success * u) by lra.
set (r := success * u / (1 - success + success * u)) in *.
assert (Q : / success * (1 + - 1 * success * / (1 + - 1 * success + success * u) * u) * (1 + - 1 * success + success *
  u)
  = (1 - r) / r * u) by (unfold r; field; lra).
assert (0 < (1 - r) / r * u) by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | exact U]).
rewrite Q. assert (0 < guard + success * (1 + - 1 * success)) by lra. repeat split; lra.
(* mr-lem1: which is a probability *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (E : exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))
  = exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))).
{ replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) by ring. f_equal.
unfold Rdiv. ring. }
rewrite E. clear E.
destruct (mr_lem1 beta guard (1 / 2) success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & R & _).
specialize (R ltac:(lra)).
assert (U := exp_pos (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))).
set (u := exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))) in *.
assert (0 < success * u) by at_least. assert (0 < 1 + - 1 * success + success * u) by lra.
replace (success * / (1 + - 1 * success + success * u) * u) with (success * u / (1 - success + success * u)) by
  (field; lra).
repeat split; lra.
(* mr-lem1: and for no other *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (E : exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))
  = exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))).
{ replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) by ring. f_equal.
unfold Rdiv. ring. }
rewrite E. clear E.
destruct (mr_lem1 beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & _ & T).
assert (U := exp_pos (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))). unfold success_map in T.
set (u := exp (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))) in *.
assert (0 < success * u) by at_least. assert (0 < / success_ref * (1 + - 1 * success_ref) * u) by at_least.
assert (0 < (1 + - 1 * success_ref) * u) by at_least. assert (0 < 1 + - 1 * success + success * u) by lra.
repeat split; try lra.
transitivity (1 / (1 + (1 - success_ref) / success_ref * u) - success); [|rewrite T; field; lra].
replace ((1 - success_ref) / success_ref * u) with (/ success_ref * (1 + - 1 * success_ref) * u) by (field; lra).
unfold Rdiv. ring.
(* mr-lem1: the slope h'(p) *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
assert (X := exp_pos (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))).
assert (0 < / success_ref * (1 + - 1 * success_ref) * exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 *
  success))))
  by at_least.
assert (W : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
repeat split; try lra.
destruct (mr_lem1 beta guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (T & _).
rewrite Rpower_three_halves in T by lra.
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
rewrite success_map_written in T.
pose proof (sqrt_sqrt (guard + success * (1 + - 1 * success)) ltac:(lra)) as Q.
assert (C : (guard + success * (1 + - 1 * success)) * sqrt (guard + success * (1 + - 1 * success))
  = sqrt (guard + success * (1 + - 1 * success)) ^ 3).
{ transitivity (sqrt (guard + success * (1 + - 1 * success)) * sqrt (guard + success * (1 + - 1 * success))
    * sqrt (guard + success * (1 + - 1 * success))); [rewrite Q; reflexivity | ring]. }
rewrite C in T. clear C.
same_slope T (success_map_written beta guard success_ref).
- repeat split; lra.
- set (v := exp _) in *. set (w := sqrt _) in *. assert (0 < (1 + - 1 * success_ref) * v) by at_least. field.
  repeat split; lra.
- set (v := exp _) in *. set (w := sqrt _) in *. assert (0 < (1 + - 1 * success_ref) * v) by at_least. field.
  repeat split; lra.
(* mr-lem1: the slope at a fixed point p, its p_ref put in *)
intros. assert (0 < success * (1 + - 1 * success)) by at_least.
destruct (mr_lem1 beta guard (1 / 2) success ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as (_ & _ & R & _).
specialize (R ltac:(lra)).
destruct (mr_lem1 beta guard _ success ltac:(lra) ltac:(lra) R ltac:(lra)) as (_ & T & _ & F).
rewrite Rminus_eq_0 in F. unfold Rdiv at 4 in F. 
match type of F with ?a - ?b = _ => assert (A : a = b) by (unfold Rdiv in F; rewrite !Rmult_0_l in F; lra) end.
specialize (T A). clear F. rewrite Rpower_three_halves in T by lra.
replace (- (1 / beta) * (1 / sqrt (success * (1 - success) + guard)))
  with (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success))) in *
  by (replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) by ring; unfold Rdiv;
    ring).
replace (success * (1 - success) + guard) with (guard + success * (1 + - 1 * success)) in T by ring.
assert (X := exp_pos (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))).
assert (W : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
pose proof (sqrt_sqrt (guard + success * (1 + - 1 * success)) ltac:(lra)) as S.
assert (C : (guard + success * (1 + - 1 * success)) * sqrt (guard + success * (1 + - 1 * success))
  = sqrt (guard + success * (1 + - 1 * success)) ^ 3).
{ transitivity (sqrt (guard + success * (1 + - 1 * success)) * sqrt (guard + success * (1 + - 1 * success))
    * sqrt (guard + success * (1 + - 1 * success))); [rewrite S; reflexivity | ring]. }
rewrite C in T. clear C.
set (r := success * exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))
  / (1 - success + success * exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success))))) in *.
set (u := exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))) in *.
assert (0 < success * u) by at_least. assert (0 < 1 + - 1 * success + success * u) by lra.
assert (Q : / success * (1 + - 1 * success * / (1 + - 1 * success + success * u) * u) * (1 + - 1 * success + success *
  u)
  = / r * (1 + - 1 * r) * u) by (unfold r; field; lra).
assert (0 < / r * (1 + - 1 * r) * u) by at_least.
repeat match goal with |- _ /\ _ => split; [try (rewrite Q); first [lra | at_least | apply Rgt_not_eq; unfold Rgt;
  at_least] |] end.
rewrite Q.
match goal with |- ?a = ?b => enough (a = success * (1 - success) * ((2 * success - 1) / (2 * beta *
  sqrt (guard + success * (1 + - 1 * success)) ^ 3))) as G end.
{ rewrite G. set (w := sqrt _) in *. field. repeat split; lra. }
same_slope T (success_map_written beta guard r).
- fold u. repeat split; lra.
- fold u. assert (0 < (1 + - 1 * r) * u) by at_least. set (w := sqrt _) in *.
  transitivity (/ beta * / (1 + / r * (1 + - 1 * r) * u) ^ 2 * / w ^ 3 * (- (1 / 2) + success)
    * (/ r * (1 + - 1 * r) * u)); [field; repeat split; lra|].
  set (k := / (1 + / r * (1 + - 1 * r) * u) ^ 2). rewrite <- Q. ring.
- reflexivity.
(* mr-dyn-fold: the slope of 1/β along the curve of fixed points, by h' *)
intros beta guard success success_ref Hr Hp L1 Hg B'.
assert (0 < success * (1 + - 1 * success)) by at_least.
assert (0 < success_ref * / (1 + - 1 * success_ref)) by at_least.
assert (0 < success * / (1 + - 1 * success)) by at_least.
destruct (mr_dyn_fold guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra)) as (d & _ & _ & _ & _ & _ & T & _).
destruct (fixing_beta_fixes guard success_ref success ltac:(lra) ltac:(lra) ltac:(lra)) as [B _].
assert (W : 0 < sqrt (success * (1 - success) + guard)) by (apply sqrt_lt_R0; lra).
assert (Q : forall t, guard + t * (1 + - 1 * t) = t * (1 - t) + guard) by (intros; ring).
assert (G : forall t, - 1 * ln (success_ref * / (1 + - 1 * success_ref)) + ln (t * / (1 + - 1 * t))
  = logit t - logit success_ref) by (intros; unfold logit, Rdiv; rewrite !complement; ring).
pose proof (logit_gain_pos success_ref success ltac:(lra) ltac:(lra)).
assert (E : beta = fixing_beta guard success_ref success).
{ rewrite B', Q, G. unfold fixing_beta. field. lra. }
clear B'. rewrite <- E in *. clear E. pose proof (exp_pos (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success)))).
assert (0 < / success_ref * (1 + - 1 * success_ref)) by at_least.
assert (0 < / success_ref * (1 + - 1 * success_ref) * exp (- 1 * / beta * / sqrt (guard + success * (1 + - 1 * success))))
  by (apply Rmult_lt_0_compat; assumption).
repeat (split; [lra|]). eexists. split.
- eapply is_derive_ext; [|exact T]. intros t. cbv beta. rewrite Q, G. apply Rmult_comm.
- eexists. split.
  + eapply is_derive_ext; [intros t; apply success_map_written | apply success_map_derive; lra].
  + rewrite Q. field. lra.
