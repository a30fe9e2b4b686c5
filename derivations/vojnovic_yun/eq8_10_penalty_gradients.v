(* vy-s22-KL0-biased-off-policy: biased for these policies *)
intros x y p -> -> ->.
replace (1 / 4 * / (1 / 2)) with (/ 2) by field.
replace (/ (1 + - 1 * (1 / 2)) * (1 + - 1 * (1 / 4))) with (3 * / 2) by field.
replace (1 / 2 * / (1 / 4)) with 2 by field.
replace (/ (1 + - 1 * (1 / 4)) * (1 + - 1 * (1 / 2))) with (2 * / 3) by field.
rewrite !ln_mult by lra. rewrite !ln_Rinv by lra.
assert (E : exp 1 < 3).
{ pose proof (exp_ineq1 (- (1 / 6)) ltac:(lra)) as L. rewrite exp_Ropp in L. pose proof (exp_pos (1 / 6)) as P.
  replace 1 with (1 / 6 + 1 / 6 + 1 / 6 + (1 / 6 + 1 / 6 + 1 / 6)) by lra. rewrite !exp_plus.
  set (u := exp (1 / 6)) in *.
  assert (U : u < 6 / 5).
  { apply (Rmult_lt_compat_r u) in L; [|exact P]. rewrite Rinv_l in L; lra. }
  assert (V : 0 < u * u < 36 / 25) by nra. assert (W : 0 < u * u * u < 216 / 125) by nra. nra. }
assert (T : 1 < ln 3) by (rewrite <- (ln_exp 1); apply ln_increasing; [apply exp_pos | exact E]).
repeat (split; [lra|]). lra.
(* vy-s22-grads-differ: (10) against (9), any n *)
intros. assert (A : forall i, (1 <= i <= n')%nat -> 0 < / pi i * pi_ref i /\ 0 < / pi_ref i * pi i)
  by (intros; split; apply Rmult_lt_0_compat; try apply Rinv_0_lt_compat; auto).
assert (0 < pi o_') by auto. assert (0 < pi_ref o_') by auto. destruct (A o_' ltac:(assumption)).
repeat (split; [intros; try (apply Rgt_not_eq; unfold Rgt); first [apply A; assumption | auto]|]).
eexists. split; [apply (total_in_entry (fun j y => (- 1 + - 1 * ln (/ y * pi_ref j) + / y * pi_ref j) * pi_old j));
  [assumption | auto_derive; [repeat split; lra | reflexivity]]|].
eexists. split; [apply (total_in_entry (fun j y => y * ln (/ pi_ref j * y)));
  [assumption | auto_derive; [repeat split; lra | reflexivity]]|].
replace (/ pi_ref o_' * pi o_') with (/ (/ pi o_' * pi_ref o_')) by (field; lra). rewrite ln_Rinv by assumption.
replace (pi_old o_') with (pi o_'). field. lra.
