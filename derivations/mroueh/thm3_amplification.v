(* mr-thm3-logit-bounds: which lies between these, whatever p is *)
intros. assert (0 <= success * (1 + - 1 * success)) by (apply Rmult_le_pos; lra).
assert (B : 0 < / beta) by (apply Rinv_0_lt_compat; assumption).
split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|].
assert (Q : 0 <= (success - 1 / 2) ^ 2) by apply pow2_ge_0.
assert (S : 0 < sqrt guard) by (apply sqrt_lt_R0; assumption).
assert (V : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; lra).
split; apply Rmult_le_compat_l; try lra; apply Rinv_le_contravar; try assumption; apply sqrt_le_1_alt; lra.
