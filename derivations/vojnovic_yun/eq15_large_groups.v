(* vy-eq15: on (19) *)
intros beta p x K1 K2 K3 K4 K5.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra).
split. { lra. } split. { exact P. } split. { lra. } split. { lra. }
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (G : / s = s * / (x * (1 + - 1 * x))) by (rewrite <- E; field; lra).
assert (F : / s + - 1 * beta * / x * / (1 + - 1 * x) * (x + - 1 * p) = (s - beta * (x + - 1 * p)) * /
  (x * (1 + - 1 * x))).
{ rewrite G. field. split; lra. }
rewrite F. split; intro H.
- rewrite H. ring.
- apply Rmult_integral in H. destruct H as [H|H]; [lra |].
  exfalso. apply (Rinv_neq_0_compat (x * (1 + - 1 * x))); [lra | exact H].

(* vy-eq15: squared *)
intros beta p x K1 K2 K3 K4 K5.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra).
split. { lra. }
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (F : beta ^ 2 * (x + - 1 * p) ^ 2 + - 1 * x * (1 + - 1 * x) = (beta * (x + - 1 * p) - s) *
  (beta * (x + - 1 * p) + s)).
{ transitivity (beta ^ 2 * (x + - 1 * p) ^ 2 - s * s); [rewrite E |]; ring. }
rewrite F. split.
- intro H. rewrite H in *. split; [| ring].
  apply Rnot_lt_le. intro N. assert (0 < beta * (p - x)) by (apply Rmult_lt_0_compat; lra). lra.
- intros [A B]. assert (0 <= beta * (x + - 1 * p)) by (apply Rmult_le_pos; lra).
  apply Rmult_integral in B. destruct B as [B|B]; lra.

(* vy-eq15: step 4 of vy-eq15: equivalent *)
intros beta p r_a r_b x y K1 K2 K3 K4 K5 K6 K7 K8.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra).
split. { lra. } split. { exact P. } split. { lra. } split. { lra. }
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (G : / s = s * / (x * (1 + - 1 * x))) by (rewrite <- E; field; lra).
assert (F : / s + - 1 * beta * / x * / (1 + - 1 * x) * (x + - 1 * p) = (s - beta * (x + - 1 * p)) * /
  (x * (1 + - 1 * x))).
{ rewrite G. field. split; lra. }
rewrite F. split; intro H.
- rewrite H. ring.
- apply Rmult_integral in H. destruct H as [H|H]; [lra |].
  exfalso. apply (Rinv_neq_0_compat (x * (1 + - 1 * x))); [lra | exact H].

(* vy-eq15: step 5 of vy-eq15: equivalent *)
intros beta p r_a r_b x y K1 K2 K3 K4 K5 K6 K7 K8.
assert (P : 0 < x * (1 + - 1 * x)) by (apply Rmult_lt_0_compat; lra).
split. { lra. }
assert (S : 0 < sqrt (x * (1 + - 1 * x))) by (apply sqrt_lt_R0; exact P).
assert (E : sqrt (x * (1 + - 1 * x)) * sqrt (x * (1 + - 1 * x)) = x * (1 + - 1 * x)) by (apply sqrt_sqrt; lra).
set (s := sqrt (x * (1 + - 1 * x))) in *.
assert (F : beta ^ 2 * (x + - 1 * p) ^ 2 + - 1 * x * (1 + - 1 * x) = (beta * (x + - 1 * p) - s) *
  (beta * (x + - 1 * p) + s)).
{ transitivity (beta ^ 2 * (x + - 1 * p) ^ 2 - s * s); [rewrite E |]; ring. }
rewrite F. split.
- intro H. rewrite H in *. split; [| ring].
  apply Rnot_lt_le. intro N. assert (0 < beta * (p - x)) by (apply Rmult_lt_0_compat; lra). lra.
- intros [A B]. assert (0 <= beta * (x + - 1 * p)) by (apply Rmult_le_pos; lra).
  apply Rmult_integral in B. destruct B as [B|B]; lra.
