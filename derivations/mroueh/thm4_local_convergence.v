(* mr-lem1-bound: |h'(p*)| = B(p*)/β *)
intros. assert (W : 0 < guard + success * (1 + - 1 * success)).
{ assert (0 <= success * (1 + - 1 * success)) by (apply Rmult_le_pos; lra). lra. }
replace (guard + - 1 * success * (- 1 + success)) with (guard + success * (1 + - 1 * success)) by ring.
assert (S : 0 < sqrt (guard + success * (1 + - 1 * success))) by (apply sqrt_lt_R0; exact W).
assert (C : 0 < sqrt (guard + success * (1 + - 1 * success)) ^ 3) by (apply pow_lt; exact S).
rewrite (Rabs_pos_eq (sqrt _ ^ 3)) by lra. set (w := sqrt _ ^ 3) in *. split; [lra|]. split; [lra|]. split; [lra|].
split; [lra|]. replace (success * / beta * (- 1 + success) * (- 1 + 2 * success))
  with (- (success * / beta * (1 + - 1 * success)) * (- 1 + 2 * success)) by ring.
assert (0 < / beta) by (apply Rinv_0_lt_compat; lra).
assert (0 <= success * / beta * (1 + - 1 * success)) by (repeat apply Rmult_le_pos; lra).
rewrite Rabs_mult, Rabs_Ropp, (Rabs_pos_eq (success * / beta * (1 + - 1 * success))) by assumption. ring.
