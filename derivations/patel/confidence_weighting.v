(* pt-lemma81-covers-eq15: and no other weights *)
intros t u v V U. split; [lra|]. split; intro E.
- rewrite E. field. lra.
- apply (Rmult_eq_reg_r (u * v)); [|apply Rgt_not_eq, Rmult_lt_0_compat; assumption].
  transitivity (t * u * v); [ring|]. rewrite E. field. lra.
