(* pt-lemma81: three scores *)
intros s t u S T U. assert (0 < s ^ 2) by (apply pow_lt; exact S). assert (0 < t ^ 2) by (apply pow_lt; exact T).
assert (0 < u ^ 2) by (apply pow_lt; exact U).
set (a := s ^ 2) in *. set (b := t ^ 2) in *. set (c := u ^ 2) in *.
assert (0 < / a) by (apply Rinv_0_lt_compat; assumption). assert (0 < / b) by (apply Rinv_0_lt_compat; assumption).
assert (0 < / c) by (apply Rinv_0_lt_compat; assumption).
split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|].
assert (Q : 0 < a * b + b * c + c * a) by (repeat apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; assumption).
match goal with |- ?l <= ?r =>
  assert (E : r - l = (a * (b - c) ^ 2 + b * (a - c) ^ 2 + c * (a - b) ^ 2) / (9 * (a * b + b * c + c * a)))
    by (field; repeat split; lra) end.
match type of E with ?d = _ => assert (0 <= d) end; [|lra].
rewrite E. apply Rle_mult_inv_pos; [|lra].
repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; try lra; apply pow2_ge_0.
(* pt-lemma81: the division by ρ² Σ 1/σ² *)
intros s t v S V T K. split; [lra|]. split; [lra|]. assert (0 < t ^ 2) by (apply pow_lt; exact T).
match goal with |- ?l <= ?r => assert (E : r - l = (s * v - t ^ 2) / (v * t ^ 2)) by (field; split; lra) end.
assert (0 <= (s * v - t ^ 2) / (v * t ^ 2)) by (apply Rle_mult_inv_pos; [lra | apply Rmult_lt_0_compat; assumption]).
lra.
