(* pt-grape-fixed-proportion: by chance: the expected mean: a variance is not negative *)
intros. match goal with |- 0 <= ?v => replace v with (x * v_a + (1 - x) * v_b + x * (1 - x) * (r_a - r_b) ^ 2)
  by ring end.
apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat|apply Rmult_le_pos; [|apply pow2_ge_0]]; apply Rmult_le_pos;
  lra.
(* pt-grape-fixed-proportion: by chance: its variance: a variance is not negative *)
intros. match goal with |- 0 <= ?v => replace v with (x * v_a + (1 - x) * v_b + x * (1 - x) * (r_a - r_b) ^ 2)
  by ring end.
apply Rplus_le_le_0_compat; [apply Rplus_le_le_0_compat|apply Rmult_le_pos; [|apply pow2_ge_0]]; apply Rmult_le_pos;
  lra.
(* pt-grape-fixed-proportion: by chance: the expected mean *)
intros G k r_a r_b v_a v_b x G' K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c m. induction m as [|m IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. rewrite T, <- K1. field. lra.
(* pt-grape-fixed-proportion: by chance: its variance *)
intros G k r_a r_b v_a v_b x G' K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c m. induction m as [|m IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. split; [lra|]. rewrite T, <- K1. field. lra.
(* pt-grape-fixed-proportion: k of G: the same *)
intros G k r_a r_b v_a v_b x G' m K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c i. induction i as [|i IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. split; [lra|]. split; [intros; lra|]. rewrite !T, <- K1, <- K2, K12. field. lra.
(* pt-grape-fixed-proportion: k of G: lower by what chance adds *)
intros G k r_a r_b v_a v_b x G' m K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c i. induction i as [|i IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. split; [lra|]. split; [intros; lra|]. split; [lra|]. rewrite !T, <- K1, <- K2, K12. field. lra.
