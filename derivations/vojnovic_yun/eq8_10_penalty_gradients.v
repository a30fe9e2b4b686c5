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
