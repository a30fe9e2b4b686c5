(* vy-s13-safe-regularisation: no reference above (2 − √3)/4 is affected *)
intros b K. split; [lra|]. assert (S : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
assert (Q : 0 <= (2 - sqrt 3 * b) ^ 2) by apply pow2_ge_0.
replace ((2 - sqrt 3 * b) ^ 2) with (4 - 4 * (sqrt 3 * b) + sqrt 3 * sqrt 3 * b ^ 2) in Q by ring. rewrite S in Q.
apply (Rmult_le_reg_r (16 * b)); [lra|].
replace (1 / 16 * / b * (- 2 + 3 * b) * (2 + - 1 * b) * (16 * b)) with ((- 2 + 3 * b) * (2 + - 1 * b)) by (field; lra).
replace ((1 / 2 + - (1 / 4) * sqrt 3) * (16 * b)) with (8 * b - 4 * (sqrt 3 * b)) by field. lra.
(* vy-s13-square-root-minimum: the second derivative at x = √p, where y = x *)
intros. subst y beta. assert (Q : x * x = p) by (subst x; apply sqrt_sqrt; lra).
assert (0 < p * / x) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
assert (0 < / (1 + - 1 * x) * (1 + - 1 * p))
  by (apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat|]; lra).
repeat (split; [lra|]). split.
- apply (locally_interval _ x 0 1); simpl; [lra | lra |]. intros z Z0 Z1. simpl in Z0, Z1. auto_derive.
  repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
- apply (is_derive_ext_loc (fun z => - gamma * (x * (/ z - p / z ^ 2)
    + (1 - x) * (- / (1 - z) + (1 - p) / (1 - z) ^ 2)) + gamma)).
  + apply (locally_interval _ x 0 1); simpl; [lra | lra |]. intros z Z0 Z1. simpl in Z0, Z1. symmetry.
    apply is_derive_unique. auto_derive.
    * repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
    * field. lra.
  + auto_derive; [repeat split; try lra; nra|]. rewrite <- Q. field. lra.
