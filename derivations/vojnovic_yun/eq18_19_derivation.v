(* vy-eq19: it vanishes exactly on (19) *)
intros beta p r_a r_b t x K1 K2 K3 K4 K5 K6 K7.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra).
split. { lra. } split. { exact P. } split. { lra. } split. { lra. }
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (F : / s + - 1 * beta * / x * / (1 + - 1 * x) * (x + - 1 * p) = (s - beta * (x + - 1 * p)) * /
  (x * (1 + - 1 * x))).
{ assert (G : / s = s * / (x * (1 + - 1 * x))) by (rewrite <- E; field; lra). rewrite G. field. split; lra. }
rewrite F. split; intro H.
- rewrite H. ring.
- apply Rmult_integral in H. destruct H as [H|H]; [lra |].
  exfalso. apply (Rinv_neq_0_compat (x * (1 + - 1 * x))); [lra | exact H].

(* vy-B1-inf-equivalent-quadratic: x ≥ p: (19) is equivalent to the quadratic *)
intros beta p x K1 K2 K3 K4 K5 K6.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra). split; [lra|].
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (F : beta ^ 2 * p ^ 2 + x ^ 2 * (1 + beta ^ 2) + - 1 * x * (1 + 2 * p * beta ^ 2)
  = (- 1 * s + beta * (x + - 1 * p)) * (beta * (x + - 1 * p) + s)).
{ transitivity (beta ^ 2 * (x + - 1 * p) ^ 2 - s * s); [rewrite E |]; ring. }
assert (0 <= beta * (x + - 1 * p)) by (apply Rmult_le_pos; lra).
rewrite F. split; intro H0.
- rewrite H0. ring.
- apply Rmult_integral in H0. lra.
