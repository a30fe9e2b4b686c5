(* vy-B2-h-minimum: the reward part at x* *)
intros beta p K1 K2 K3. assert (B : 0 < beta ^ 2) by (apply pow_lt; exact K3).
assert (I : 0 < / (1 + beta ^ 2) < 1).
{ split; [apply Rinv_0_lt_compat; lra|]. rewrite <- Rinv_1. apply Rinv_lt_contravar; lra. }
set (w := sqrt (1 + - 1 * / (1 + beta ^ 2))).
assert (WW : w * w = 1 + - 1 * / (1 + beta ^ 2)) by (apply sqrt_sqrt; lra).
assert (W : 0 < w) by (apply sqrt_lt_R0; lra). assert (W1 : w < 1) by nra.
assert (S : 0 < sqrt (1 + beta ^ 2)) by (apply sqrt_lt_R0; lra).
assert (SS : sqrt (1 + beta ^ 2) * sqrt (1 + beta ^ 2) = 1 + beta ^ 2) by (apply sqrt_sqrt; lra).
split; [lra|]. split; [lra|]. split; [lra|]. split; [apply Rmult_lt_0_compat; lra|]. split; [lra|].
assert (E : sqrt ((1 / 2 + 1 / 2 * w) * (1 / 2 + - (1 / 2) * w)) = / (2 * sqrt (1 + beta ^ 2))).
{ apply sqrt_lem_1; [apply Rmult_le_pos; lra | apply Rlt_le, Rinv_0_lt_compat; lra |].
  transitivity (/ (4 * (sqrt (1 + beta ^ 2) * sqrt (1 + beta ^ 2)))); [field; lra|]. rewrite SS.
  transitivity (1 / 4 * (1 - w * w)); [rewrite WW; field; lra | field]. }
rewrite E. field. lra.
