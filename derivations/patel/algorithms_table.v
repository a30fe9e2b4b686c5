(* pt-table-ppo: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K. apply Rabs_def2 in K. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-ppo-kl: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K. apply Rabs_def2 in K. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-grpo: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K. apply Rabs_def2 in K. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-grape: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K. apply Rabs_def2 in K. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-ppo-kl: the step, texts of one token *)
intros. assert (0 < pi1_1 * / piref_1) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
assert (0 < / (1 + - 1 * piref_1) * (1 + - 1 * pi1_1)) by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; lra |
  lra]).
destruct (Rlt_dec epsilon 0); [lra|]. repeat (split; [intros; lra|]).
set (u := ln (pi1_1 * / piref_1)). set (v := ln (/ (1 + - 1 * piref_1) * (1 + - 1 * pi1_1))). field. lra.
(* pt-table-ppo-kl: the step, texts of one or two tokens *)
intros. assert (0 < pi1_1 * / piref_1) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
assert (0 < / (1 + - 1 * piref_1) * (1 + - 1 * pi1_1)) by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; lra |
  lra]).
assert (0 < pi1_1_1 * / piref_1_1) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
assert (0 < / (1 + - 1 * piref_1_1) * (1 + - 1 * pi1_1_1))
  by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat; lra | lra]).
destruct (Rlt_dec epsilon 0); [lra|]. repeat (split; [intros; lra|]).
set (u := ln (pi1_1 * / piref_1)). set (v := ln (/ (1 + - 1 * piref_1) * (1 + - 1 * pi1_1))).
set (w := ln (pi1_1_1 * / piref_1_1)). set (z := ln (/ (1 + - 1 * piref_1_1) * (1 + - 1 * pi1_1_1))).
field. lra.
(* pt-table-grape: at π = π_old: one more token in front *)
intros. assert (0 < phi_bar_1 + phi_bar_2) by lra. assert (0 < G * phi_bar_1) by (apply Rmult_lt_0_compat; lra).
assert (0 < G * phi_bar_2) by (apply Rmult_lt_0_compat; lra).
assert (K : - 2 * / (phi_bar_1 + phi_bar_2) * omega_2 * phi_bar_2 + 2 * / (G * phi_bar_1 + G * phi_bar_2) * omega_2 *
  phi_bar_2
  = - (2 * omega_2 * phi_bar_2 * (G - 1) * / (G * (phi_bar_1 + phi_bar_2)))) by (field; repeat split; lra).
assert (0 < omega_2 * phi_bar_2) by (apply Rmult_lt_0_compat; assumption).
assert (0 < G * (phi_bar_1 + phi_bar_2)) by (apply Rmult_lt_0_compat; lra).
assert (0 < 2 * omega_2 * phi_bar_2 * (G - 1) * / (G * (phi_bar_1 + phi_bar_2))).
{ apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | apply Rinv_0_lt_compat; assumption]. }
rewrite K. split; [lra|]. split; [lra|]. split; [intros; lra|]. split; [intros; lra|]. split; [intros; lra|].
set (s := total (fun j => pi j * zdot j) n').
assert (Z : total (fun j => (- 1 * s + zdot j) * pi j) n' = 0).
{ transitivity (- 1 * s * total pi n' + total (fun j => pi j * zdot j) n').
  - rewrite total_times, total_plus. apply total_ext. intros. ring.
  - fold s. replace (total pi n') with 1 by (symmetry; assumption). ring. }
rewrite Z. f_equal. rewrite Rmult_0_r, Rplus_0_l, !total_times, !total_plus. apply total_ext. intros. field.
repeat split; nra.
