(* pt-lemma81: the division by ρ² Σ 1/σ² *)
intros s t v S V T K. split; [lra|]. split; [lra|]. assert (0 < t ^ 2) by (apply pow_lt; exact T).
match goal with |- ?l <= ?r => assert (E : r - l = (s * v - t ^ 2) / (v * t ^ 2)) by (field; split; lra) end.
assert (0 <= (s * v - t ^ 2) / (v * t ^ 2)) by (apply Rle_mult_inv_pos; [lra | apply Rmult_lt_0_compat; assumption]).
lra.
