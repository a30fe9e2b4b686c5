(* pt-gibbs: q has 1 − m of its mass where p has none: higher by at least that much: no term is negative *)
intros. assert (P : 0 < p_world o') by auto. assert (Q : 0 < q_model o') by auto.
assert (Z : 0 < / p_world o' * q_model o') by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; exact P | exact Q]).
split. { lra. } split. { exact Z. }
pose proof (exp_ineq1_le (ln (/ p_world o' * q_model o'))) as E. rewrite exp_ln in E by exact Z.
set (L := ln (/ p_world o' * q_model o')) in *.
replace (- 1 * p_world o' + - 1 * p_world o' * L + q_model o') with (p_world o' * (/ p_world o' * q_model o' - 1 - L))
  by (field; lra).
apply Rmult_le_pos; lra.
