(* vy-s23-g-form: (11) and this form have the same solutions *)
intros p t x K1 K2 K3. split; [lra|]. split; intros E; [rewrite <- E; field; lra | rewrite E; field; lra].
