(* mr-dyn-fold: β falls along the curve exactly where t = h'(p*) < 1, and rises exactly where t > 1 *)
intros t v x y K1 K2 K3. assert (P : 0 < v * / x) by (apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]).
split; [lra|]. split; split; intros; nra.
(* mr-dyn-fold: h' > 1, y the gain in log-odds, without the quotient *)
intros guard success y K1 K2 K3 K4. assert (0 < success * (1 + - 1 * success)) by (apply Rmult_lt_0_compat; lra).
assert (D : 0 < 2 * guard + 2 * success * (1 + - 1 * success)) by lra. split; [lra|].
set (d := 2 * guard + 2 * success * (1 + - 1 * success)) in *.
set (e := success * y * (1 + - 1 * success) * (- 1 + 2 * success)).
replace (success * y * / d * (1 + - 1 * success) * (- 1 + 2 * success)) with (e * / d) by (unfold e; ring).
split; intros L.
- apply (Rmult_lt_reg_r d); [exact D|]. rewrite Rmult_assoc, Rinv_l; lra.
- apply (Rmult_lt_compat_r d) in L; [|exact D]. rewrite Rmult_assoc, Rinv_l in L; lra.
