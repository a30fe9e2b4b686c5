(* mr-thm2-countable: p_ref times the success rate of the tilted policy: the comparison *)
intros S0 beta guard success success_ref K1 K2 K3 K4 K5 K6 K7.
assert (W : 0 < guard + success * (1 + - 1 * success))
  by (assert (0 <= success * (1 + - 1 * success)) by (apply Rmult_le_pos; lra); lra).
assert (P : forall u, 0 < / success_ref * (1 + - 1 * success_ref) * exp u)
  by (intros u; apply Rmult_lt_0_compat; [|apply exp_pos]; apply Rmult_lt_0_compat; [apply Rinv_0_lt_compat|]; lra).
assert (Q : forall u v, 0 < success_ref * exp u + (1 + - 1 * success_ref) * exp v)
  by (intros u v; apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; try apply exp_pos; lra).
assert (D : forall u, 1 + / success_ref * (1 + - 1 * success_ref) * exp u <> 0) by (intros u; specialize (P u); lra).
assert (Z : forall u v, success_ref * exp u + (1 + - 1 * success_ref) * exp v <> 0)
  by (intros u v; specialize (Q u v); lra).
repeat (split; [solve [lra | apply D | apply Z | intros _; first [lra | apply D | apply Z]] |]).
intros E. match type of E with _ = ?h => assert (H : 0 < h) by (apply Rinv_0_lt_compat, Rplus_lt_0_compat; [lra|apply P]);
  match goal with |- Rabs ?a <= _ => replace a with (h * (S0 + - 1 * success_ref)) by (rewrite <- E; ring) end;
  rewrite Rabs_mult, (Rabs_right h) by lra end.
rewrite <- (Rmult_1_l (Rabs (S0 + - 1 * success_ref))) at 2.
apply Rmult_le_compat_r; [apply Rabs_pos | lra].
