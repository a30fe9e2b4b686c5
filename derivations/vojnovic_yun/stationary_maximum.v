(* vy-s13-safe-regularisation: no reference above (2 − √3)/4 is affected *)
intros b K. split; [lra|]. assert (S : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
assert (Q : 0 <= (2 - sqrt 3 * b) ^ 2) by apply pow2_ge_0.
replace ((2 - sqrt 3 * b) ^ 2) with (4 - 4 * (sqrt 3 * b) + sqrt 3 * sqrt 3 * b ^ 2) in Q by ring. rewrite S in Q.
apply (Rmult_le_reg_r (16 * b)); [lra|].
replace (1 / 16 * / b * (- 2 + 3 * b) * (2 + - 1 * b) * (16 * b)) with ((- 2 + 3 * b) * (2 + - 1 * b)) by (field; lra).
replace ((1 / 2 + - (1 / 4) * sqrt 3) * (16 * b)) with (8 * b - 4 * (sqrt 3 * b)) by field. lra.
