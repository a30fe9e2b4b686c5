(* pt-min-inside-negative: identity *)
intros. replace (- 1 * Rmin x y) with (- Rmin x y) by ring. rewrite pt_min_inside_negative. f_equal; ring.
(* pt-clip-no-gain: A > 0: no gain above 1 + ϵ *)
intros. destruct (pt_clip_no_gain epsilon rho_i A ltac:(lra) ltac:(lra)) as [T _]. specialize (T ltac:(lra) ltac:(lra)).
rewrite clipped_written in T by lra. lra.
(* pt-clip-no-gain: A < 0: no gain below 1 − ϵ *)
intros. destruct (pt_clip_no_gain epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [T _]].
specialize (T ltac:(lra) ltac:(lra)).
rewrite clipped_written in T by lra. lra.
(* pt-clip-no-gain: A < 0: no cap above 1 − ϵ *)
intros. destruct (pt_clip_no_gain epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [_ [T _]]].
specialize (T ltac:(lra) ltac:(lra)).
rewrite clipped_written in T by lra. lra.
(* pt-clip-no-gain: A > 0: no cap below 1 + ϵ *)
intros. destruct (pt_clip_no_gain epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [_ [_ [T _]]]].
specialize (T ltac:(lra) ltac:(lra)).
rewrite clipped_written in T by lra. lra.
(* pt-clip-no-gain: never more than the ratio loss would credit *)
intros. destruct (pt_clip_no_gain epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [_ [_ [_ T]]]].
rewrite clipped_written in T by lra. lra.
(* pt-eq11-ppo: A > 0 *)
intros. destruct (proj1 pt_eq11_ppo epsilon rho_i A ltac:(lra) ltac:(lra)) as [T _]. specialize (T ltac:(lra)).
rewrite clipped_written in T by lra. replace (1 + - 1 * epsilon) with (1 - epsilon) in * by ring. lra.
(* pt-eq11-ppo: A < 0 *)
intros. destruct (proj1 pt_eq11_ppo epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [T _]]. specialize (T ltac:(lra)).
rewrite clipped_written in T by lra. replace (1 + - 1 * epsilon) with (1 - epsilon) in * by ring. lra.
(* pt-eq11-ppo: inside the range: the ratio loss (7) *)
intros. destruct (proj1 pt_eq11_ppo epsilon rho_i A ltac:(lra) ltac:(lra)) as [_ [_ T]]. specialize (T ltac:(lra)).
rewrite clipped_written in T by lra. replace (1 + - 1 * epsilon) with (1 - epsilon) in * by ring. lra.
(* pt-eq8-kl: KL(π_0‖π_1), where M_0 draws and M_1 is the model *)
intros. defined. assert (A : full_support n' (from_zero pi_old)) by (apply family_full; assumption).
assert (B : full_support n' (from_zero pi)) by (apply family_full; assumption).
destruct (pt_eq8_kl n' _ _ A B) as [T _]. rewrite <- kl_written, T. entrywise. rewrite (Rmult_comm (/ _)).
reflexivity.
(* pt-eq8-kl: cross entropy of M_1 under M_0 minus the entropy of M_0 *)
intros. defined. assert (A : full_support n' (from_zero pi_old)) by (apply family_full; assumption).
assert (B : full_support n' (from_zero pi)) by (apply family_full; assumption).
destruct (pt_eq8_kl n' _ _ A B) as [_ [T _]].
rewrite <- kl_written, <- entropy_written, <- cross_entropy_written. lra.
(* pt-kl-ce-minus-entropy: cross entropy minus entropy *)
intros. defined. pose proof (pt_kl_ce_minus_entropy n' (from_zero p_world) (from_zero q_model)
  ltac:(apply full_support_policy, family_full; assumption) ltac:(apply full_support_policy, family_full; assumption)
  ltac:(apply family_continuous; assumption)) as T.
rewrite <- kl_written, <- entropy_written, <- cross_entropy_written. lra.
(* pt-kl-ce-minus-entropy: what q costs is what p costs and KL more *)
intros. defined. pose proof (pt_kl_ce_minus_entropy n' (from_zero p_world) (from_zero q_model)
  ltac:(apply full_support_policy, family_full; assumption) ltac:(apply full_support_policy, family_full; assumption)
  ltac:(apply family_continuous; assumption)) as T.
rewrite <- kl_written, <- entropy_written, <- cross_entropy_written. lra.
(* pt-eq15-weighted-average: (15) is F times an average *)
intros. subst n_items. assert (N : (0 < n_items')%nat) by (apply INR_lt; simpl; lra).
assert (0 < total phi_bar n_items') by (apply total_positive; assumption).
assert (0 < total (fun j => omega j * phi_bar j) n_items').
{ apply total_positive; [assumption|]. intros. apply Rmult_lt_0_compat; auto. }
defined. change (fun j => phi_bar j) with phi_bar.
pose proof (family_positive omega n_items' ltac:(assumption)) as W.
pose proof (family_positive phi_bar n_items' ltac:(assumption)) as P.
destruct (pt_eq15_weighted_average n_items' (from_zero omega) (from_zero phi_bar) (from_zero tau) N W P) as [T _].
rewrite grape_reward_written, grape_factor_written, grape_average_written in T. rewrite T. ring.
(* pt-clip-def: between the ends *)
intros. destruct (pt_clip_def v x y ltac:(lra)) as [T _]. rewrite Rmin_comm. exact T.
(* pt-clip-def: unchanged inside *)
intros. destruct (pt_clip_def v x y ltac:(lra)) as [_ [T _]]. rewrite Rmin_comm. apply T. lra.
(* pt-clip-def: for the ends 1 − ϵ and 1 + ϵ *)
intros. destruct (pt_clip_def rho_i (1 - epsilon) (1 + epsilon) ltac:(lra)) as [_ [_ [_ [_ T]]]].
rewrite <- clip_written, T, Rmin_comm by lra. do 2 f_equal. ring.
(* pt-clip-never-above: y ≥ 1/(1 + ϵ): never above the range *)
intros. destruct (pt_clip_never_above epsilon y ltac:(lra) ltac:(lra)) as [[T _] _].
intros E. assert (L : 1 / (1 + epsilon) <= y).
{ apply (Rmult_le_reg_r (1 + epsilon)); [lra|]. replace (1 / (1 + epsilon) * (1 + epsilon)) with 1 by (field; lra). lra.
  }
specialize (T L (rho_i * y) ltac:(split; [apply Rmult_le_pos; lra | lra])).
replace (rho_i * y / y) with rho_i in T by (field; lra). exact T.
(* pt-dpo-reparametrisation: R = β log(π*/π_ref) + β log Z *)
intros. assert (0 < total (fun j => pi_ref j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
defined. destruct (pt_dpo_reparametrisation n' beta (from_zero pi_ref) ltac:(assumption)
  ltac:(apply family_full; assumption)) as [T _].
specialize (T (from_zero r) (pred o_') ltac:(lia)).
rewrite implicit_written, partition_written, <- entry_from_zero in T by (assumption || lia). lra.
(* pt-dpo-reparametrisation: differences of rewards within a prompt are kept *)
intros. assert (0 < total (fun j => pi_ref j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
defined. destruct (pt_dpo_reparametrisation n' beta (from_zero pi_ref) ltac:(assumption)
  ltac:(apply family_full; assumption)) as [_ [T _]].
specialize (T (from_zero r) (pred o') (pred o_') ltac:(lia) ltac:(lia)).
rewrite !implicit_written, <- !entry_from_zero in T by (assumption || lia). lra.
(* pt-dpo-one-prompt: identity *)
intros. assert (0 < total (fun j => pi_ref j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
assert (0 < total (fun j => rho j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
defined. pose proof (pt_dpo_one_prompt n' (from_zero r) (from_zero r) beta (from_zero pi_ref) (from_zero rho)
  (pred o') (pred o_') ltac:(assumption) ltac:(apply family_full; assumption) ltac:(apply family_full; assumption)
  ltac:(lia) ltac:(lia)) as T.
rewrite !implicit_written, !partition_written, <- !entry_from_zero in T by (assumption || lia). lra.
(* pt-eq15-invariances: the scale of confidence *)
intros. subst n_items. assert (N : (0 < n_items')%nat) by (apply INR_lt; simpl; lra).
assert (0 < total phi_bar n_items') by (apply total_positive; assumption).
assert (0 < total (fun j => c * phi_bar j) n_items').
{ apply total_positive; [assumption|]. intros. apply Rmult_lt_0_compat; auto. }
defined. change (fun j => phi_bar j) with phi_bar.
pose proof (family_positive phi_bar n_items' ltac:(assumption)) as P.
destruct (pt_eq15_invariances n_items' (from_zero omega) (from_zero phi_bar) (from_zero tau) (from_zero tau) c 0
  N P ltac:(lra)) as [T _].
change (fun j => c * from_zero phi_bar j) with (from_zero (fun j => c * phi_bar j)) in T.
rewrite !grape_reward_written in T. rewrite <- T. f_equal. entrywise. ring.
(* pt-eq15-invariances: the scale of scores *)
intros. subst n_items. assert (N : (0 < n_items')%nat) by (apply INR_lt; simpl; lra).
assert (0 < total phi_bar n_items') by (apply total_positive; assumption).
defined. change (fun j => phi_bar j) with phi_bar.
pose proof (family_positive phi_bar n_items' ltac:(assumption)) as P.
destruct (pt_eq15_invariances n_items' (from_zero omega) (from_zero phi_bar) (from_zero tau) (from_zero tau) c 0
  N P ltac:(lra)) as [_ [T _]].
change (fun j => c * from_zero tau j) with (from_zero (fun j => c * tau j)) in T.
rewrite !grape_reward_written in T. etransitivity; [|etransitivity; [exact T|]]; [f_equal; entrywise; ring | ring].
(* pt-eq15-invariances: a shift d: adds d times F = Σ ρ ω φ̄/Σ φ̄ *)
intros. subst n_items. assert (N : (0 < n_items')%nat) by (apply INR_lt; simpl; lra).
assert (0 < total phi_bar n_items') by (apply total_positive; assumption).
defined. change (fun j => phi_bar j) with phi_bar.
pose proof (family_positive phi_bar n_items' ltac:(assumption)) as P.
destruct (pt_eq15_invariances n_items' (from_zero omega) (from_zero phi_bar) (from_zero tau) (from_zero tau) 1 d
  N P ltac:(lra)) as [_ [_ [T _]]].
change (fun j => from_zero tau j + d) with (from_zero (fun j => tau j + d)) in T.
rewrite !grape_reward_written, grape_factor_written in T.
etransitivity; [|etransitivity; [exact T|]]; [f_equal; entrywise; ring | ring].
(* pt-eq10-relaxation: every state within δ: so is the average *)
intros t u v K1 K2. destruct pt_eq10_relaxation as [T _].
specialize (T 2%nat (two u v) t ltac:(lia) ltac:(intros [|j] _; assumption)).
change (Sum 2 (two u v)) with (0 + u + v) in T. change (INR 2) with (1 + 1) in T. lra.
(* pt-lemma81-covers-eq15: equal weights: the aggregate of the lemma *)
intros n n' phi tau K1 K2 K3 K4. assert (N : (1 <= n')%nat) by (apply (some n); [exact K1 | lra]).
assert (P : 0 < total phi n') by (apply total_positive; assumption).
split. { change (total phi n' <> 0). lra. } split. { intros. lra. }
destruct (pt_lemma81_covers_eq15 n' (from_zero (fun _ => 1 / INR n')) (from_zero phi) N (family_positive phi n' K4)) as
  [_ T].
specialize (T (fun _ _ => eq_refl) (from_zero tau)). rewrite grape_reward_written in T.
assert (E : Sum n' (fun j => from_zero tau j * from_zero phi j) = total (fun j => phi j * tau j) n').
{ rewrite total_Sum. apply Sum_ext. intros. unfold from_zero. ring. }
rewrite E, <- (total_Sum phi), <- K1 in T. unfold Rdiv in T at 1. rewrite Rmult_1_l in T.
change (total (fun j => phi j) n') with (total phi n'). unfold Rdiv in T. rewrite T. ring.
(* pt-eq13-group-advantage: the advantages sum to zero *)
intros G c d i G' r K1 K2 K3 K4 K5 K6 K7. split; [intros; lra|].
assert (N : (2 <= G')%nat) by (apply (several G); [exact K1 | lra]).
destruct (pt_eq13_group_advantage (group r G') (r 1%nat) 1 0) as [T _];
  [rewrite group_length; exact N | apply group_member; lia |].
rewrite group_sum in T. rewrite <- T. apply total_ext. intros. unfold shift_advantage. rewrite group_mean, <- K1.
change (total (fun j => r j) G') with (total r G'). ring.
(* pt-eq13-group-advantage: a shift of the rewards goes, a scale stays *)
intros G c d G' i' r K1 K2 K3 K4 K5. split; [lra|].
assert (N : (2 <= G')%nat) by (apply (several G); [exact K1 | lra]).
destruct (pt_eq13_group_advantage (group r G') (r i') c d) as [_ [T _]];
  [rewrite group_length; exact N | apply group_member; exact K2 |].
unfold shift_advantage in T. rewrite group_image, !group_mean, <- K1 in T.
assert (E : total (fun j => d + c * r j) G' = total (fun j => c * r j + d) G') by (apply total_ext; intros; ring).
rewrite E. change (total (fun j => r j) G') with (total r G'). lra.
(* pt-eq13-group-advantage: 1 − 1/G times the advantage over the mean of the others *)
intros G c d G' i' r K1 K2 K3 K4 K5. split; [lra|]. split; [lra|].
assert (N : (2 <= G')%nat) by (apply (several G); [exact K1 | lra]).
destruct (pt_eq13_group_advantage (group r G') (r i') c d) as [_ [_ T]];
  [rewrite group_length; exact N | apply group_member; exact K2 |].
unfold shift_advantage in T. rewrite group_mean, group_total, group_length, <- K1 in T.
change (total (fun j => r j) G') with (total r G').
replace (- 1 * / G * total r G' + r i') with (r i' - / G * total r G') by ring. rewrite T. field. lra.
(* pt-dpo-bijection: and that constant changes no policy *)
intros. assert (0 < total (fun j => pi_ref j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
assert (0 < total (fun j => pi_ref j * exp (/ beta * (d + r j))) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
defined. destruct (pt_dpo_bijection n' beta (from_zero pi_ref) ltac:(lra)
  (family_full pi_ref n' ltac:(assumption) ltac:(assumption)))
  as (_ & _ & T).
pose proof (proj2 (T (from_zero (fun i => d + r i)) (from_zero r))
  (ex_intro _ d (fun o _ => Rplus_comm d (from_zero r o)))
  (pred o_') ltac:(lia)) as U. unfold Rules.tilted in U. rewrite !partition_written in U.
destruct o_' as [|o]; [lia|]. simpl pred in U. unfold from_zero, Rdiv in U. rewrite !(Rmult_comm _ (/ beta)) in U.
rewrite !Rmult_assoc, !(Rmult_comm (/ total _ _)). exact U.
(* pt-dpo-final: (6) of any reward, in terms of its best policy *)
intros. assert (0 < total (fun j => pi_ref j * exp (/ beta * r j)) n').
{ apply total_positive; [lia|]. intros. apply Rmult_lt_0_compat; [auto | apply exp_pos]. }
defined. destruct (pt_dpo_final n' beta (from_zero pi_ref) (pred o') (pred o_') ltac:(lra)
  (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) ltac:(lia) ltac:(lia)) as (T & _).
specialize (T (from_zero r)). unfold bradley_terry_loss, bradley_terry, sigmoid in T.
fold (implicit_reward beta (Rules.tilted n' (from_zero r) beta (from_zero pi_ref)) (from_zero pi_ref) (pred o')) in T.
fold (implicit_reward beta (Rules.tilted n' (from_zero r) beta (from_zero pi_ref)) (from_zero pi_ref) (pred o_')) in T.
rewrite !implicit_written in T by assumption. rewrite <- !entry_from_zero in T by lia.
match type of T with _ = - ln (/ (1 + exp (- (beta * ?a - ?b)))) =>
  replace (- (beta * a - b)) with (b + - 1 * beta * a) in T by ring end.
replace (- (r o' - r o_')) with (- 1 * r o' + r o_') in T by ring. lra.
(* pt-dpo-final: it is an NLL: of the two orders of a pair one is chosen *)
intros. defined. destruct (pt_dpo_final n' beta (from_zero pi_ref) (pred o') (pred o_') ltac:(lra)
  (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) ltac:(lia) ltac:(lia)) as (_ & _ & T).
match goal with |- / (1 + exp (beta * ?a + - 1 * beta * ?b)) + _ = 1 =>
  specialize (T (beta * b - beta * a)); unfold sigmoid in T;
  replace (- - (beta * b - beta * a)) with (beta * b + - 1 * beta * a) in T by ring;
  replace (- (beta * b - beta * a)) with (beta * a + - 1 * beta * b) in T by ring end. exact T.
(* pt-clip-keeps-ratio: beyond the range the objective is flat *)
intros. defined. destruct (proj1 pt_clip_keeps_ratio epsilon y u v ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as
  [_ T].
replace (1 + - 1 * y) with (1 - y) by ring. replace (1 + - 1 * x) with (1 - x) by ring.
rewrite (clipped_by_distance epsilon (x / y) u) by (try lra; unfold Rdiv; ring).
rewrite (clipped_by_distance epsilon ((1 - x) / (1 - y)) (- 1 * v)) by (try lra; unfold Rdiv; ring).
replace (- 1 * v) with (- v) by ring. rewrite (T x); [ring | |].
- apply (Rmult_le_reg_r y); [lra|]. replace (x / y * y) with x by (field; lra). lra.
- apply (Rmult_le_reg_r (1 - y)); [lra|]. replace ((1 - x) / (1 - y) * (1 - y)) with (1 - x) by (field; lra). lra.
(* pt-clip-keeps-ratio: nowhere is it higher *)
intros. defined. destruct (proj1 pt_clip_keeps_ratio epsilon y u v ltac:(lra) ltac:(lra) ltac:(lra) ltac:(lra)) as
  [T _].
replace (1 + - 1 * y) with (1 - y) by ring. replace (1 + - 1 * x) with (1 - x) by ring.
rewrite (clipped_by_distance epsilon (x / y) u) by (try lra; unfold Rdiv; ring).
rewrite (clipped_by_distance epsilon ((1 - x) / (1 - y)) (- 1 * v)) by (try lra; unfold Rdiv; ring).
replace (- 1 * v) with (- v) by ring. specialize (T x). lra.
(* pt-grape-differentiable: difference quotients at π_1 = π_0: differentiable there *)
intros. defined. destruct (pt_grape_differentiable epsilon A ltac:(lra) ltac:(lra)) as (T & U & _).
rewrite (clipped_by_distance epsilon (1 + q) A) by lra. rewrite T by lra. field. lra.
(* pt-grape-differentiable: at the end of the range, from below *)
intros. defined. destruct (pt_grape_differentiable epsilon A ltac:(lra) ltac:(lra)) as (T & U & _).
rewrite (clipped_by_distance epsilon (1 + epsilon + - 1 * q) A) by lra. rewrite T by lra. field. lra.
(* pt-grape-differentiable: from above *)
intros. defined. destruct (pt_grape_differentiable epsilon A ltac:(lra) ltac:(lra)) as (T & U & _).
rewrite (clipped_by_distance epsilon (1 + epsilon + q) A) by lra. rewrite U by lra. field. lra.
(* pt-grape-advantage: advantages of a group sum to zero *)
intros. set (w := two omega_1 omega_2). set (c := two phi_bar_1 phi_bar_2).
assert (W : all_positive 2 w) by (intros [|[|j]] Hj; simpl; lra || lia).
assert (C : all_positive 2 c) by (intros [|[|j]] Hj; simpl; lra || lia).
assert (N : (2 <= G')%nat) by (apply (several G); assumption). assert (0 < phi_bar_1 + phi_bar_2) by lra.
set (f := fun j => / (phi_bar_1 + phi_bar_2) * (2 * P j * omega_2 * phi_bar_2 + 2 * omega_1 * phi_bar_1 * r j)).
assert (M : List.map (grape_reward 2 w c) (List.map (fun j => two (r j) (P j)) (List.seq 1 G')) = group f G').
{ unfold group. rewrite List.map_map. apply List.map_ext. intros j. unfold grape_reward, f, w, c. simpl. field. lra. }
defined.
destruct (pt_grape_advantage 2 w c (List.map (fun j => two (r j) (P j)) (List.seq 1 G')) (two (r 1%nat) (P 1%nat))
  ltac:(lia) W C)
  as [T _]; [apply (List.in_map (fun j => two (r j) (P j))), List.in_seq; lia |].
rewrite M, group_sum in T. rewrite <- T. apply total_ext. intros. unfold shift_advantage. rewrite group_mean. subst G.
unfold f. ring.
(* pt-grape-advantage: rubrics of two items: F times the advantage by averages, any group *)
intros. set (w := two omega_1 omega_2). set (c := two phi_bar_1 phi_bar_2).
assert (W : all_positive 2 w) by (intros [|[|j]] Hj; simpl; lra || lia).
assert (C : all_positive 2 c) by (intros [|[|j]] Hj; simpl; lra || lia).
assert (N : (2 <= G')%nat) by (apply (several G); assumption). assert (0 < phi_bar_1 + phi_bar_2) by lra.
set (f := fun j => / (phi_bar_1 + phi_bar_2) * (2 * P j * omega_2 * phi_bar_2 + 2 * omega_1 * phi_bar_1 * r j)).
assert (M : List.map (grape_reward 2 w c) (List.map (fun j => two (r j) (P j)) (List.seq 1 G')) = group f G').
{ unfold group. rewrite List.map_map. apply List.map_ext. intros j. unfold grape_reward, f, w, c. simpl. field. lra. }
assert (0 < omega_1 * phi_bar_1) by at_least. assert (0 < omega_2 * phi_bar_2) by at_least. defined.
destruct (pt_grape_advantage 2 w c (List.map (fun j => two (r j) (P j)) (List.seq 1 G')) (two (r i') (P i'))
  ltac:(lia) W C)
  as [_ T]; [apply (List.in_map (fun j => two (r j) (P j))), List.in_seq; lia |].
set (g := fun j => / (omega_1 * phi_bar_1 + omega_2 * phi_bar_2) * (P j * omega_2 * phi_bar_2 + omega_1 * phi_bar_1 *
  r j)).
assert (L : List.map (grape_average 2 w c) (List.map (fun j => two (r j) (P j)) (List.seq 1 G')) = group g G').
{ unfold group. rewrite List.map_map. apply List.map_ext. intros j. unfold grape_average, g, w, c. simpl. field. lra. }
rewrite M, L in T. unfold shift_advantage in T. rewrite !group_mean in T. subst G.
assert (X : grape_reward 2 w c (two (r i') (P i')) = f i') by (unfold grape_reward, f, w, c; simpl; field; lra).
assert (Y : grape_average 2 w c (two (r i') (P i')) = g i') by (unfold grape_average, g, w, c; simpl; field; lra).
assert (Z : grape_factor 2 w c = 2 * / (phi_bar_1 + phi_bar_2) * omega_1 * phi_bar_1 + 2 * / (phi_bar_1 + phi_bar_2) *
  omega_2 * phi_bar_2)
  by (unfold grape_factor, w, c; simpl; field; lra).
rewrite X, Y, Z in T. unfold f, g in T. transitivity (f i' - / INR G' * total f G'); [unfold f; ring|].
unfold f at 1 2. rewrite T. unfold g. ring.
(* pt-grape-advantage: groups of two, any rubric *)
intros. subst n_items. assert (N : (0 < n_items')%nat) by (apply INR_lt; simpl; lra).
assert (0 < total phi_bar n_items') by (apply total_positive; assumption).
assert (0 < total (fun j => omega j * phi_bar j) n_items').
{ apply total_positive; [assumption|]. intros. apply Rmult_lt_0_compat; auto. }
defined. change (fun j => phi_bar j) with phi_bar.
destruct (pt_grape_advantage n_items' (from_zero omega) (from_zero phi_bar) (cons (from_zero tau) (cons (from_zero
  tau_) nil)) (from_zero tau) N
  (family_positive omega n_items' ltac:(assumption)) (family_positive phi_bar n_items' ltac:(assumption)) (or_introl
    eq_refl)) as [_ T].
simpl List.map in T. unfold shift_advantage, mean in T. simpl list_sum in T. simpl List.length in T. simpl INR in T.
rewrite !grape_reward_written, !grape_average_written, grape_factor_written in T. lra.
