(* mr-assump1-telescopes: at most the sum: one term more *)
intros c i i' distance error K1 K2 K3.
repeat split; try lra; [intros j [A B]; apply le_INR in B; lra | change (1 + i')%nat with (S i'); simpl; ring].
(* mr-assump1-below-one: at most the sum: one term more *)
intros c i i' distance error K1 K2 K3 K4.
repeat split; try lra; [intros j [A B]; apply le_INR in B; lra | change (1 + i')%nat with (S i'); simpl; ring].
