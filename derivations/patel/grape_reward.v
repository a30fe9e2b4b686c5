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
(* pt-grape-fixed-proportion: k of G: the same expected mean *)
intros G k r_a r_b v_a v_b x G' m K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c i. induction i as [|i IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. split; [lra|]. split; [intros; lra|]. rewrite !T, <- K1, <- K2, K12. field. lra.
(* pt-grape-fixed-proportion: k of G: lower by what chance adds *)
intros G k r_a r_b v_a v_b x G' m K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12.
assert (T : forall c m, total (fun _ => c) m = c * INR m).
{ intros c i. induction i as [|i IH]; [simpl; ring | rewrite S_INR; simpl total; rewrite IH; ring]. }
split; [intros; lra|]. split; [lra|]. split; [intros; lra|]. split; [lra|]. rewrite !T, <- K1, <- K2, K12. field. lra.
(* pt-grape-advantage: R − mean R: F times that of the averages, any rubric and group *)
intros. subst G i n_items.
assert (N : (1 <= n_items')%nat) by (apply INR_le; simpl; lra).
assert (I : (1 <= i' <= G')%nat) by (split; apply INR_le; simpl; lra).
assert (P : 0 < total (fun j => phi_bar j) n_items') by (apply total_positive; assumption).
assert (Q : 0 < total (fun j => omega j * phi_bar j) n_items').
{ apply total_positive; [assumption|]. intros. apply Rmult_lt_0_compat; auto. }
assert (E : forall k j, (1 <= k <= G')%nat -> (1 <= j <= n_items')%nat ->
  1 <= INR j + INR n_items' * (-1 + INR k) <= INR G' * INR n_items').
{ intros k j [Hk HK] [Hj HJ]. apply le_INR in Hk, HK, Hj, HJ. simpl in Hk, Hj. split; nra. }
assert (A : forall c f n, total (fun k => c * f k) n = c * total f n) by (intros; symmetry; apply total_times).
assert (F : total (fun j => INR n_items' * / total (fun k => phi_bar k) n_items' * omega j * phi_bar j) n_items' =
  INR n_items' * / total (fun k => phi_bar k) n_items' * total (fun j => omega j * phi_bar j) n_items')
  by (rewrite <- A; apply total_ext; intros; ring).
split; [lra|]. split; [intros; lra|]. split; [intros; apply E; assumption|]. split; [intros; apply E; assumption|].
split; [lra|]. split; [intros; apply E; assumption|]. split; [intros; apply E; assumption|]. split; [lra|].
split; [intros; lra|]. split; [intros; lra|].
rewrite F, !A. field. repeat split; lra.
