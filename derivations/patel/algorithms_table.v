(* pt-table-ppo: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K1 K2 K3 K4. apply Rabs_def2 in K4. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-ppo-kl: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K1 K2 K3 K4. apply Rabs_def2 in K4. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-grpo: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K1 K2 K3 K4. apply Rabs_def2 in K4. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
(* pt-table-grape: within ϵ of π_old nothing is clipped, so the slope is that of the ratio *)
intros A epsilon rho_i K1 K2 K3 K4. apply Rabs_def2 in K4. destruct Rlt_dec; [lra|]. destruct Rlt_dec; [lra|].
apply Rmin_left. lra.
