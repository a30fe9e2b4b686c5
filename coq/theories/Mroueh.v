(** * Mroueh (2025): Reinforcement learning with verifiable rewards

    Every theorem has the name of its claim. Where a printed sentence needs a correction, the corrected sentence is the
    theorem, and the comment says what was changed. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Enclosures Sums Policies Rules Clipping Recursion Calculus.

Open Scope R_scope.

(** ** Theorem 1: the policy *)

Definition signed_weight (r : nat -> bool) (eps p : R) (o : nat) : R :=
  omega_plus eps p * indicator (r o) - omega_minus eps p * indicator (negb (r o)).

Lemma partition_is_normaliser : forall n r beta eps ref p, policy n ref -> 0 < beta ->
  partition n (signed_weight r eps p) beta ref = normaliser beta eps (success n r ref) p.
Proof.
  intros n r beta eps ref p Href Hb. unfold partition, normaliser.
  replace (1 - success n r ref) with (failure n r ref) by (pose proof (success_plus_failure n r ref Href); lra).
  unfold success, failure, expect. rewrite <- !Sum_scal_r, <- Sum_plus. apply Sum_ext. intros o _.
  unfold signed_weight, indicator. destruct (r o); simpl.
  - replace ((omega_plus eps p * 1 - omega_minus eps p * 0) / beta) with (1 / beta * omega_plus eps p) by (field; lra).
    ring.
  - replace ((omega_plus eps p * 0 - omega_minus eps p * 1) / beta) with (- (1 / beta) * omega_minus eps p) by (field;
    lra). ring.
Qed.

Lemma next_policy_is_tilted : forall n r beta eps ref p o, policy n ref -> 0 < beta ->
  next_policy n r beta eps ref p o = tilted n (signed_weight r eps p) beta ref o.
Proof.
  intros n r beta eps ref p o Href Hb. unfold next_policy, tilted. rewrite partition_is_normaliser by assumption.
  fold (signed_weight r eps p o).
  replace (1 / beta * signed_weight r eps p o) with (signed_weight r eps p o / beta) by (field; lra).
  unfold Rdiv. ring.
Qed.

Lemma iteration_objective_by_question : forall m rho n r beta eps ref old pi,
  iteration_objective m rho n r beta eps ref old pi =
  expect m rho (fun q => rlhf (n q) (signed_weight (r q) eps (success (n q) (r q) (old q))) beta (ref q) (pi q)).
Proof.
  intros. unfold iteration_objective. rewrite <- expect_scal, <- expect_minus. apply expect_ext. intros q _.
  unfold rlhf, success, failure, signed_weight. rewrite <- !expect_scal, <- expect_minus. reflexivity.
Qed.

Theorem mr_thm1_policy : forall (m : nat) (rho : nat -> R) (n : nat -> nat) (r : nat -> nat -> bool) (beta eps : R)
    (ref old pi : nat -> nat -> R),
  policy m rho -> (forall q, (q < m)%nat -> policy (n q) (ref q)) -> 0 < beta -> admissible m n ref pi ->
  ((forall pi', admissible m n ref pi' ->
      iteration_objective m rho n r beta eps ref old pi' <= iteration_objective m rho n r beta eps ref old pi) <->
   (forall q o, (q < m)%nat -> 0 < rho q -> (o < n q)%nat ->
      pi q o = next_policy (n q) (r q) beta eps (ref q) (success (n q) (r q) (old q)) o)).
Proof.
  intros m rho n r beta eps ref old pi Hrho Href Hb Hpi.
  set (A := fun q => signed_weight (r q) eps (success (n q) (r q) (old q))).
  set (best := fun q => tilted (n q) (A q) beta (ref q)).
  assert (Hbest : admissible m n ref best).
  { intros q Hq. destruct (tilted_policy (n q) (A q) beta (ref q) (Href q Hq)) as [H1 [H2 _]]. split; assumption. }
  assert (Hle : forall pi', admissible m n ref pi' -> forall q, (q < m)%nat ->
            rlhf (n q) (A q) beta (ref q) (pi' q) <= rlhf (n q) (A q) beta (ref q) (best q) /\
            (rlhf (n q) (A q) beta (ref q) (pi' q) = rlhf (n q) (A q) beta (ref q) (best q) <->
             forall o, (o < n q)%nat -> pi' q o = best q o)).
  { intros pi' Hpi' q Hq. destruct (Hpi' q Hq) as [Hp Hac]. apply regularised_reward_has_one_maximum; auto. }
  split.
  - intros Hmax q o Hq Hrq Ho. specialize (Hmax best Hbest).
    rewrite !iteration_objective_by_question in Hmax.
    set (V := fun (f : nat -> nat -> R) i => rlhf (n i) (A i) beta (ref i) (f i)).
    change (expect m rho (V best) <= expect m rho (V pi)) in Hmax.
    assert (Hnn : forall i, (i < m)%nat -> 0 <= rho i * (V best i - V pi i)).
    { intros i Hi. apply Rmult_le_pos; [apply (proj1 Hrho i Hi)|].
      destruct (Hle pi Hpi i Hi) as [H _]. unfold V. lra. }
    assert (Hz : Sum m (fun i => rho i * (V best i - V pi i)) = 0).
    { apply Rle_antisym; [|apply Sum_nonneg; exact Hnn].
      rewrite (Sum_ext m _ (fun i => rho i * V best i - rho i * V pi i)) by (intros; ring).
      rewrite Sum_minus. unfold expect in Hmax. lra. }
    assert (Hq0 := Sum_eq_0 m _ Hnn Hz q Hq). unfold V in Hq0.
    destruct (Hle pi Hpi q Hq) as [_ Heq]. rewrite next_policy_is_tilted by auto. apply Heq; [|exact Ho].
    apply Rmult_integral in Hq0. destruct Hq0; lra.
  - intros Heq pi' Hpi'. rewrite !iteration_objective_by_question. apply Sum_le. intros q Hq.
    destruct (proj1 Hrho q Hq) as [Hpos | Hz]; [|rewrite <- Hz; lra]. apply Rmult_le_compat_l; [lra|].
    destruct (Hle pi' Hpi' q Hq) as [H1 _]. destruct (Hle pi Hpi q Hq) as [_ H2].
    assert (rlhf (n q) (A q) beta (ref q) (pi q) = rlhf (n q) (A q) beta (ref q) (best q)); [|fold (A q); lra].
    apply H2. intros o Ho. rewrite (Heq q o Hq Hpos Ho). apply next_policy_is_tilted; auto.
Qed.

Theorem mr_thm1_Z : forall (n : nat) (r : nat -> bool) (beta eps : R) (ref : nat -> R) (p : R), policy n ref ->
  0 < beta ->
  0 < normaliser beta eps (success n r ref) p /\
  normaliser beta eps (success n r ref) p =
    expect n ref (fun o => exp (1 / beta * (omega_plus eps p * indicator (r o) -
      omega_minus eps p * indicator (negb (r o))))) /\
  policy n (next_policy n r beta eps ref p) /\ absolutely_continuous n (next_policy n r beta eps ref p) ref.
Proof.
  intros n r beta eps ref p Href Hb. rewrite <- partition_is_normaliser by assumption.
  destruct (tilted_policy n (signed_weight r eps p) beta ref Href) as [[H0 H1] [H2 _]].
  split; [apply partition_positive; exact Href|]. split; [|split; [split|]].
  - apply expect_ext. intros o _. f_equal. unfold signed_weight. field. lra.
  - intros o Ho. rewrite next_policy_is_tilted by assumption. auto.
  - rewrite <- H1. apply Sum_ext. intros o _. apply next_policy_is_tilted; assumption.
  - intros o Ho Hz. rewrite next_policy_is_tilted by assumption. auto.
Qed.

Lemma iterates_follow_next_policy : forall (m : nat) (rho : nat -> R) (n : nat -> nat)
    (r : nat -> nat -> bool) (beta eps : R)
    (ref : nat -> nat -> R) (pis : nat -> nat -> nat -> R),
  policy m rho -> (forall q, (q < m)%nat -> policy (n q) (ref q)) -> 0 < beta ->
  grpo_iterations m rho n r beta eps ref pis ->
  forall k q o, (q < m)%nat -> 0 < rho q -> (o < n q)%nat ->
    pis (S k) q o = next_policy (n q) (r q) beta eps (ref q) (success (n q) (r q) (pis k q)) o.
Proof.
  intros m rho n r beta eps ref pis Hrho Href Hb [_ Hit] k. destruct (Hit k) as [Hadm Hmax].
  apply (mr_thm1_policy m rho n r beta eps ref (pis k) (pis (S k))); assumption.
Qed.

(** If all answers, or none, are right, the policy is the reference. *)
Theorem mr_thm1_edges : forall (n : nat) (r : nat -> bool) (beta eps : R) (ref : nat -> R) (p : R), policy n ref ->
  0 < beta ->
  success n r ref = 1 \/ success n r ref = 0 ->
  forall o, (o < n)%nat -> next_policy n r beta eps ref p o = ref o.
Proof.
  intros n r beta eps ref p Href Hb Hs o Ho. unfold next_policy, normaliser.
  pose proof (success_plus_failure n r ref Href) as Hsum. destruct Href as [H0 H1].
  destruct Hs as [Hs | Hs]; rewrite Hs in *.
  - assert (Hf : failure n r ref = 0) by lra.
    pose proof (Sum_eq_0 n _ (fun i Hi => Rmult_le_pos _ _ (H0 i Hi) (proj1 (indicator_between (negb (r i))))) Hf o Ho)
      as Hz.
    simpl in Hz. unfold indicator in *. destruct (r o); simpl in *.
    + replace (1 / beta * (omega_plus eps p * 1 - omega_minus eps p * 0)) with (1 / beta * omega_plus eps p) by ring.
      pose proof (exp_pos (1 / beta * omega_plus eps p)). field. lra.
    + assert (Hz' : ref o = 0) by lra. rewrite Hz'. ring.
  - pose proof (Sum_eq_0 n _ (fun i Hi => Rmult_le_pos _ _ (H0 i Hi) (proj1 (indicator_between (r i)))) Hs o Ho) as Hz.
    simpl in Hz. unfold indicator in *. destruct (r o); simpl in *.
    + assert (Hz' : ref o = 0) by lra. rewrite Hz'. ring.
    + replace (1 / beta * (omega_plus eps p * 0 - omega_minus eps p * 1)) with (- (1 / beta) * omega_minus eps p)
      by ring.
      pose proof (exp_pos (- (1 / beta) * omega_minus eps p)). field. lra.
Qed.

(** ** Theorem 2: the recursion *)

(** (9), with the slip in its denominator corrected. *)
Theorem mr_eq9 : forall (n : nat) (r : nat -> bool) (beta eps : R) (ref : nat -> R) (p : R), policy n ref -> 0 < beta ->
  success n r (next_policy n r beta eps ref p) =
    success n r ref * exp (1 / beta * ((1 - p) / sqrt (p * (1 - p) + eps))) /
    (success n r ref * exp (1 / beta * ((1 - p) / sqrt (p * (1 - p) + eps))) +
     (1 - success n r ref) * exp (1 / beta * (- p / sqrt (p * (1 - p) + eps)))) /\
  (0 < success n r ref < 1 -> 0 < success n r (next_policy n r beta eps ref p) < 1).
Proof.
  intros n r beta eps ref p Href Hb. destruct (mr_thm1_Z n r beta eps ref p Href Hb) as [HZ _].
  match goal with |- ?E /\ _ => assert (H : E); [|split; [exact H|]] end.
  2:{ intros Hr. rewrite H. set (u := exp (1 / beta * ((1 - p) / sqrt (p * (1 - p) + eps)))).
    set (v := exp (1 / beta * (- p / sqrt (p * (1 - p) + eps)))). assert (0 < u) by apply exp_pos.
    assert (0 < v) by apply exp_pos. assert (A : 0 < success n r ref * u) by (apply Rmult_lt_0_compat; lra).
    assert (B : 0 < (1 - success n r ref) * v) by (apply Rmult_lt_0_compat; lra).
    split; [apply Rdiv_lt_0_compat; lra|].
    apply (Rmult_lt_reg_r (success n r ref * u + (1 - success n r ref) * v)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  assert (Hn : success n r ref * exp (1 / beta * ((1 - p) / sqrt (p * (1 - p) + eps))) +
               (1 - success n r ref) * exp (1 / beta * (- p / sqrt (p * (1 - p) + eps))) =
               normaliser beta eps (success n r ref) p).
  { unfold normaliser, omega_plus, omega_minus. do 2 f_equal. f_equal. unfold Rdiv. ring. }
  rewrite Hn. set (Z := normaliser beta eps (success n r ref) p) in *. fold (omega_plus eps p).
  transitivity (Sum n (fun o => ref o * indicator (r o) * (exp (1 / beta * omega_plus eps p) / Z))).
  - unfold success at 1. apply Sum_ext. intros o _. unfold next_policy. fold Z. unfold indicator. destruct (r o); simpl.
    + replace (1 / beta * (omega_plus eps p * 1 - omega_minus eps p * 0)) with (1 / beta * omega_plus eps p) by ring.
      field. lra.
    + unfold Rdiv. ring.
  - rewrite Sum_scal_r. fold (expect n ref (fun o => indicator (r o))). fold (success n r ref). unfold Rdiv. ring.
Qed.

(** Theorem 2: the success probability follows the recursion of h, of iterates and of one step from any p; in log-odds a
    step adds the reward to the reference. *)
Theorem mr_thm2_h : forall (m : nat) (rho : nat -> R) (n : nat -> nat) (r : nat -> nat -> bool) (beta eps : R)
    (ref : nat -> nat -> R) (q : nat),
  policy m rho -> (forall q, (q < m)%nat -> policy (n q) (ref q)) -> 0 < beta ->
  (q < m)%nat -> 0 < success (n q) (r q) (ref q) ->
  (forall pis, grpo_iterations m rho n r beta eps ref pis -> 0 < rho q ->
    success (n q) (r q) (pis 0%nat q) = success (n q) (r q) (ref q) /\
    forall k, success (n q) (r q) (pis (S k) q) =
      success_map beta eps (success (n q) (r q) (ref q)) (success (n q) (r q) (pis k q))) /\
  (forall p, success (n q) (r q) (next_policy (n q) (r q) beta eps (ref q) p) =
    success_map beta eps (success (n q) (r q) (ref q)) p) /\
  (0 < eps -> success (n q) (r q) (ref q) < 1 -> forall p, 0 <= p <= 1 ->
    logit (success_map beta eps (success (n q) (r q) (ref q)) p) =
      logit (success (n q) (r q) (ref q)) + 1 / (beta * sqrt (p * (1 - p) + eps))).
Proof.
  intros m rho n r beta eps ref q Hrho Href Hb Hq Hpos.
  assert (step : forall p, success (n q) (r q) (next_policy (n q) (r q) beta eps (ref q) p) =
    success_map beta eps (success (n q) (r q) (ref q)) p).
  { intros p.
    match goal with |- success ?n ?r (next_policy _ _ ?b ?e ?f ?p) = _ =>
      rewrite (proj1 (mr_eq9 n r b e f p (Href q Hq) Hb)) end.
    set (P := success (n q) (r q) (ref q)) in *.
    assert (HP : P <= 1) by (apply success_between; auto).
    rewrite success_map_alt by lra. set (w := sqrt (p * (1 - p) + eps)).
    replace (1 / beta * (- p / w)) with (1 / beta * ((1 - p) / w) + - (1 / beta) * (1 / w)) by (unfold Rdiv; ring).
    rewrite exp_plus. pose proof (exp_pos (1 / beta * ((1 - p) / w))). pose proof (exp_pos (- (1 / beta) * (1 / w))).
    set (E := exp (1 / beta * ((1 - p) / w))) in *. set (F := exp (- (1 / beta) * (1 / w))) in *.
    assert (0 <= (1 - P) * F) by (apply Rmult_le_pos; lra).
    assert (0 < P + (1 - P) * F) by lra.
    assert (0 < P * E + (1 - P) * (E * F)) by (replace (P * E + (1 - P) * (E * F)) with (E * (P + (1 - P) * F)) by ring;
      apply Rmult_lt_0_compat; assumption).
    field. lra. }
  split; [|split; [exact step | intros; apply success_map_logit; lra]].
  intros pis Hit Hrq. split.
  - apply Sum_ext. intros o Ho. rewrite (proj1 Hit q o Hq Ho). reflexivity.
  - intro k. rewrite <- step. apply Sum_ext. intros o Ho.
    rewrite (iterates_follow_next_policy m rho n r beta eps ref pis Hrho Href Hb Hit k q o Hq Hrq Ho). reflexivity.
Qed.

(** ** Remark 1 and Proposition 1 *)

Theorem mr_prop1_derivative : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  is_derive (success_map beta eps p_ref) p
    (- success_map beta eps p_ref p * (1 - success_map beta eps p_ref p) *
     ((1 - 2 * p) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2)))).
Proof. intros. apply success_map_derive; assumption. Qed.

Theorem mr_prop1_decreasing : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  strictly_decreasing_on (closed_interval 0 (1 / 2)) (success_map beta eps p_ref) /\
  forall p, 0 <= p < 1 / 2 -> success_slope beta eps p_ref p < 0.
Proof.
  intros beta eps p_ref Hb He Hr. split; [apply success_map_decreasing; assumption|].
  intros p Hp. destruct (success_slope_sign beta eps p_ref p) as [c [Hc ->]]; auto; [lra|]. nra.
Qed.

Theorem mr_prop1_increasing : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  strictly_increasing_on (closed_interval (1 / 2) 1) (success_map beta eps p_ref) /\
  forall p, 1 / 2 < p <= 1 -> 0 < success_slope beta eps p_ref p.
Proof.
  intros beta eps p_ref Hb He Hr. split; [apply success_map_increasing; assumption|].
  intros p Hp. destruct (success_slope_sign beta eps p_ref p) as [c [Hc ->]]; auto; [lra|]. nra.
Qed.

Theorem mr_prop1_minimum : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  success_slope beta eps p_ref (1 / 2) = 0 /\
  forall p, 0 <= p <= 1 -> p <> 1 / 2 -> success_map beta eps p_ref (1 / 2) < success_map beta eps p_ref p.
Proof.
  intros beta eps p_ref Hb He Hr. split.
  - unfold success_slope. replace (1 - 2 * (1 / 2)) with 0 by field. unfold Rdiv. ring.
  - intros. apply success_map_least_at_half; assumption.
Qed.

Theorem mr_prop1_existence : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  continuous_on unit_interval (success_map beta eps p_ref) /\
  (forall p, 0 <= p <= 1 -> p_ref < success_map beta eps p_ref p < 1) /\
  exists p, p_ref < p < 1 /\ success_map beta eps p_ref p = p.
Proof.
  intros beta eps p_ref Hb He Hr. split; [apply success_map_continuous; assumption|].
  assert (Hin : forall p, 0 <= p <= 1 -> p_ref < success_map beta eps p_ref p < 1).
  { intros. apply success_map_above; assumption. }
  split; [exact Hin|].
  destruct (fixed_point_exists (success_map beta eps p_ref) 0 1) as [p [Hp Hfix]]; [lra | | |].
  - apply success_map_continuous; assumption.
  - intros p Hp. specialize (Hin p Hp). lra.
  - exists p. specialize (Hin p Hp). rewrite Hfix in Hin. split; [exact Hin | exact Hfix].
Qed.

Lemma slope_bound : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  Rabs (success_slope beta eps p_ref p) <= 1 / (8 * beta * (eps * sqrt eps)).
Proof.
  intros beta eps p_ref p Hb He Hr Hp. pose proof (success_map_above beta eps p_ref p Hb He Hr Hp) as Hh.
  unfold success_slope. set (h := success_map beta eps p_ref p) in *.
  assert (Hs : 0 < p * (1 - p) + eps) by (apply radicand_pos; assumption).
  rewrite Rpower_three_halves by exact Hs. set (S := p * (1 - p) + eps) in *.
  assert (Hse : eps <= S) by (unfold S; nra).
  assert (H1 : 0 < sqrt eps) by (apply sqrt_lt_R0; exact He).
  assert (H2 : sqrt eps <= sqrt S) by (apply sqrt_le_1; lra).
  assert (H3 : eps * sqrt eps <= S * sqrt S) by (apply Rmult_le_compat; lra).
  assert (H4 : 0 < eps * sqrt eps) by (apply Rmult_lt_0_compat; assumption).
  set (D := S * sqrt S) in *. set (d := eps * sqrt eps) in *.
  replace (- h * (1 - h) * ((1 - 2 * p) / (2 * beta * D))) with (h * (1 - h) * (2 * p - 1) / (2 * beta * D)) by (field;
    lra).
  unfold Rdiv at 1. rewrite Rabs_mult.
  assert (0 < 2 * beta * d) by (repeat apply Rmult_lt_0_compat; lra).
  assert (2 * beta * d <= 2 * beta * D) by (apply Rmult_le_compat_l; lra).
  assert (Ha : Rabs (h * (1 - h) * (2 * p - 1)) <= 1 / 4).
  { assert (0 <= h * (1 - h)) by (apply Rmult_le_pos; lra).
    assert (h * (1 - h) <= 1 / 4) by (pose proof (pow2_ge_0 (h - 1 / 2)); lra).
    set (a := h * (1 - h)) in *. apply Rabs_le. split; nra. }
  rewrite (Rabs_pos_eq (/ (2 * beta * D))) by (apply Rlt_le, Rinv_0_lt_compat; lra).
  apply Rle_trans with (1 / 4 * / (2 * beta * d)).
  - apply Rmult_le_compat; [apply Rabs_pos | apply Rlt_le, Rinv_0_lt_compat; lra | exact Ha | apply Rinv_le_contravar;
    assumption].
  - apply Req_le. field. lra.
Qed.

(** A condition for uniqueness: the map contracts for beta > 1/(8 eps sqrt eps). *)
Theorem mr_prop1_lipschitz : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  lipschitz_on unit_interval (1 / (8 * beta * (eps * sqrt eps))) (success_map beta eps p_ref) /\
  (1 / (8 * (eps * sqrt eps)) < beta ->
   exists p, (0 <= p <= 1 /\ success_map beta eps p_ref p = p) /\
     (forall q, 0 <= q <= 1 -> success_map beta eps p_ref q = q -> q = p) /\
     forall x, 0 <= x 0%nat <= 1 -> iteration (success_map beta eps p_ref) x -> converges_to x p).
Proof.
  intros beta eps p_ref Hb He Hr.
  assert (Hlip : lipschitz_on unit_interval (1 / (8 * beta * (eps * sqrt eps))) (success_map beta eps p_ref)).
  { apply lipschitz_if_derivative_bounded with (success_slope beta eps p_ref).
    - apply unit_is_interval.
    - apply success_map_continuous; assumption.
    - intros x Hx. apply inside_in in Hx; [|apply unit_is_interval]. apply success_map_derive; auto.
    - intros x Hx. apply inside_in in Hx; [|apply unit_is_interval]. apply slope_bound; auto. }
  split; [exact Hlip|]. intros Hbig.
  assert (Hd : 0 < eps * sqrt eps) by (apply Rmult_lt_0_compat; [exact He | apply sqrt_lt_R0; exact He]).
  set (d := eps * sqrt eps) in *.
  destruct (contraction_converges (success_map beta eps p_ref) 0 1 (1 / (8 * beta * d))) as [p [Hp [Hu Hc]]]; auto;
    try lra.
  - assert (0 < 8 * beta * d) by (apply Rmult_lt_0_compat; lra). split; [apply Rdiv_le_0_compat; lra|].
    apply Rmult_lt_reg_r with (8 * beta * d); [assumption|].
    apply (Rmult_lt_compat_r (8 * d)) in Hbig; [|lra].
    replace (1 / (8 * d) * (8 * d)) with 1 in Hbig by (field; lra).
    replace (1 / (8 * beta * d) * (8 * beta * d)) with 1 by (field; lra). lra.
  - intros y Hy. apply success_map_unit; assumption.
  - exists p. split; [exact Hp|]. split; [exact Hu|]. intros x H0 Hit. apply Hc; assumption.
Qed.

Theorem mr_limit_is_fixed : forall beta eps p_ref x p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  0 <= x 0%nat <= 1 -> iteration (success_map beta eps p_ref) x -> converges_to x p ->
  0 <= p <= 1 /\ success_map beta eps p_ref p = p.
Proof.
  intros beta eps p_ref x p Hb He Hr H0 Hit Hlim.
  assert (Hx : forall n, unit_interval (x n)).
  { apply invariant_set_of_iteration with (success_map beta eps p_ref); [|exact H0|exact Hit].
    intros y Hy. apply success_map_unit; assumption. }
  assert (Hp : unit_interval p).
  { split; [apply (limits_keep_weak_inequalities (fun _ => 0) x) |
    apply (limits_keep_weak_inequalities x (fun _ => 1))];
    auto using converges_to_const; intro n; apply Hx. }
  split; [exact Hp|].
  apply limit_of_iteration_is_fixed_point with unit_interval x; auto. apply success_map_continuous; assumption.
Qed.

(** ** Theorem 3: amplification *)

Theorem mr_thm3_every_p : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  p_ref < success_map beta eps p_ref p.
Proof. intros. apply success_map_above; assumption. Qed.

(** Amplification for every fixed point and every beta. *)
Theorem mr_abs_amplify : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p -> p_ref < p.
Proof. intros beta eps p_ref p Hb He Hr Hp Hfix. rewrite <- Hfix. apply mr_thm3_every_p; assumption. Qed.

Theorem mr_thm3_case1 : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref <= 1 / 2 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p -> p_ref < p.
Proof. intros. apply (mr_abs_amplify beta eps); auto. lra. Qed.

(** The paper's condition (2) on beta, which the conclusion does not need. *)
Definition condition_2 (beta eps p_ref : R) : Prop :=
  p_ref * (1 - p_ref) * (2 * p_ref - 1) / (2 * Rpower (p_ref * (1 - p_ref) + eps) (3 / 2)) <=
  beta * cosh (1 / (2 * beta) * (1 / sqrt (1 / 4 + eps))) ^ 2.

Lemma condition_2_can_fail : exists beta eps p_ref,
  0 < beta /\ 0 < eps /\ 1 / 2 < p_ref < 1 /\ ~ condition_2 beta eps p_ref.
Proof.
  exists 1, (1 / 100000), (992 / 1000). repeat split; try lra. unfold condition_2. apply Rlt_not_le.
  rewrite Rpower_three_halves by lra. unfold cosh. interval with (i_prec 60).
Qed.

(** Case (2) without its condition, which is redundant, and which does fail for some parameters. *)
Theorem mr_thm3_case2 :
  (forall beta eps p_ref p, 0 < beta -> 0 < eps -> 1 / 2 < p_ref < 1 -> 0 <= p <= 1 ->
    success_map beta eps p_ref p = p -> p_ref < p) /\
  exists beta eps p_ref, 0 < beta /\ 0 < eps /\ 1 / 2 < p_ref < 1 /\ ~ condition_2 beta eps p_ref.
Proof.
  split; [|exact condition_2_can_fail]. intros. apply (mr_abs_amplify beta eps); auto; lra.
Qed.

Theorem mr_thm3_logit_gap : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  logit (success_map beta eps p_ref p) = logit p_ref + 1 / (beta * sqrt (p * (1 - p) + eps)).
Proof. exact success_map_logit. Qed.

Theorem mr_thm3_logit_bounds : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  (forall p, 0 <= p <= 1 -> success_map beta eps p_ref p = p ->
    1 / (beta * sqrt (1 / 4 + eps)) <= logit p - logit p_ref <= 1 / (beta * sqrt eps)) /\
  logit (success_map beta eps p_ref (1 / 2)) - logit p_ref = 1 / (beta * sqrt (1 / 4 + eps)) /\
  logit (success_map beta eps p_ref 0) - logit p_ref = 1 / (beta * sqrt eps) /\
  success_map beta eps p_ref 1 = success_map beta eps p_ref 0.
Proof.
  intros beta eps p_ref Hb He Hr. repeat split.
  - rewrite <- H0, success_map_logit by assumption.
    assert (0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; assumption).
    assert (sqrt (p * (1 - p) + eps) <= sqrt (1 / 4 + eps)) by (apply sqrt_le_1_alt;
      pose proof (pow2_ge_0 (p - 1 / 2)); lra).
    assert (1 / (beta * sqrt (1 / 4 + eps)) <= 1 / (beta * sqrt (p * (1 - p) + eps))); [|lra].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; assumption|].
    apply Rmult_le_compat_l; lra.
  - rewrite <- H0, success_map_logit by assumption.
    assert (0 < sqrt eps) by (apply sqrt_lt_R0; assumption).
    assert (sqrt eps <= sqrt (p * (1 - p) + eps)) by (apply sqrt_le_1_alt; nra).
    assert (1 / (beta * sqrt (p * (1 - p) + eps)) <= 1 / (beta * sqrt eps)); [|lra].
    apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; assumption|].
    apply Rmult_le_compat_l; lra.
  - rewrite success_map_logit by lra. replace (1 / 2 * (1 - 1 / 2) + eps) with (1 / 4 + eps) by field. ring.
  - rewrite success_map_logit by lra. replace (0 * (1 - 0) + eps) with eps by ring. ring.
  - replace 1 with (1 - 0) at 1 by ring. apply success_map_symmetric.
Qed.

Theorem mr_thm3_amount : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p ->
  success_map beta eps p_ref (1 / 2) <= p /\
  p_ref * (1 - p_ref) * (1 - exp (- (1 / (beta * sqrt (1 / 4 + eps))))) < p - p_ref.
Proof.
  intros beta eps p_ref p Hb He Hr Hp Hfix. split.
  { apply Rle_trans with (success_map beta eps p_ref p); [|lra]. destruct (Req_dec p (1 / 2)) as [->|N]; [lra|].
    apply Rlt_le, (proj2 (mr_prop1_minimum beta eps p_ref Hb He Hr)); assumption. }
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; assumption).
  assert (Hle : exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps))) <= exp (- (1 / (beta * sqrt (1 / 4 + eps))))).
  { assert (sqrt (p * (1 - p) + eps) <= sqrt (1 / 4 + eps)) by (apply sqrt_le_1_alt;
    pose proof (pow2_ge_0 (p - 1 / 2)); lra).
    set (w := sqrt (p * (1 - p) + eps)) in *. set (v := sqrt (1 / 4 + eps)) in *.
    assert (1 / (beta * v) <= 1 / (beta * w)).
    { apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; assumption|].
      apply Rmult_le_compat_l; lra. }
    assert (E : - (1 / beta) * (1 / w) = - (1 / (beta * w))) by (field; lra). rewrite E.
    assert (Hc : - (1 / (beta * w)) <= - (1 / (beta * v))) by lra.
    destruct Hc as [Hc | Hc]; [left; apply exp_increasing; exact Hc | right; rewrite Hc; reflexivity]. }
  rewrite <- Hfix at 1. rewrite success_map_alt by lra.
  pose proof (gain_negative beta eps p Hb He Hp) as Hg.
  set (x := - (1 / beta) * (1 / sqrt (p * (1 - p) + eps))) in *.
    set (F := exp (- (1 / (beta * sqrt (1 / 4 + eps))))) in *.
  assert (HE0 : 0 < exp x) by apply exp_pos. assert (HE1 : exp x < 1) by (rewrite <- exp_0; apply exp_increasing;
    exact Hg).
  set (E := exp x) in *. assert (0 < (1 - p_ref) * E) by (apply Rmult_lt_0_compat; lra).
  set (D := p_ref + (1 - p_ref) * E) in *. assert (HD : 0 < D < 1) by (unfold D; nra).
  replace (p_ref / D - p_ref) with (p_ref * (1 - p_ref) * (1 - E) / D) by (unfold D; field; unfold D in HD; lra).
  assert (Hm : 0 < p_ref * (1 - p_ref)) by (apply Rmult_lt_0_compat; lra).
  apply Rle_lt_trans with (p_ref * (1 - p_ref) * (1 - E)); [apply Rmult_le_compat_l; lra|].
  set (N := p_ref * (1 - p_ref) * (1 - E)). assert (0 < N) by (unfold N; apply Rmult_lt_0_compat; lra).
  apply Rmult_lt_reg_r with D; [lra|]. replace (N / D * D) with N by (field; lra). nra.
Qed.

(** Lemma 2. *)
Theorem mr_lem2 : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  0 < success_map beta eps p_ref p_ref - p_ref.
Proof. intros beta eps p_ref Hb He Hr. pose proof (mr_thm3_every_p beta eps p_ref p_ref Hb He Hr). lra. Qed.

(** ** Lemmas 3 and 4 *)

Theorem mr_lem3_1 : forall z, sigmoid z * (1 - sigmoid z) = 1 / (4 * cosh (z / 2) ^ 2) /\
  is_derive sigmoid z (sigmoid z * (1 - sigmoid z)).
Proof.
  intro z. split.
  - unfold sigmoid, cosh. pose proof (exp_pos (z / 2)) as Hz. pose proof (exp_pos (- (z / 2))) as Hm.
    assert (E : exp (- z) = exp (- (z / 2)) * exp (- (z / 2))) by (rewrite <- exp_plus; f_equal; field).
    assert (I : exp (z / 2) * exp (- (z / 2)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
    rewrite E. set (a := exp (z / 2)) in *. set (b := exp (- (z / 2))) in *.
    assert (Ha : a = / b) by (apply Rmult_eq_reg_r with b; [rewrite I; field; lra | lra]).
    rewrite Ha. field. repeat split; nra.
  - unfold sigmoid. pose proof (exp_pos (- z)). auto_derive; [lra|]. field. lra.
Qed.

Theorem mr_lem3_2 : forall z a, 0 < z -> 0 < a ->
  sigmoid (z + a) * (1 - sigmoid (z + a)) < 1 / (4 * (cosh (z / 2) ^ 2 * cosh (a / 2) ^ 2)).
Proof.
  intros z a Hz Ha. rewrite (proj1 (mr_lem3_1 (z + a))).
  assert (Hadd : cosh ((z + a) / 2) = cosh (z / 2) * cosh (a / 2) + sinh (z / 2) * sinh (a / 2)).
  { unfold cosh, sinh. replace ((z + a) / 2) with (z / 2 + a / 2) by field.
    replace (- (z / 2 + a / 2)) with (- (z / 2) + - (a / 2)) by ring. rewrite !exp_plus. field. }
  assert (Hs : forall t, 0 < t -> 0 < sinh t).
  { intros t Ht. unfold sinh. assert (exp (- t) < exp t) by (apply exp_increasing; lra). lra. }
  assert (Hc : forall t, 0 < cosh t).
  { intros t. unfold cosh. pose proof (exp_pos t). pose proof (exp_pos (- t)). lra. }
  assert (H1 : 0 < sinh (z / 2) * sinh (a / 2)) by (apply Rmult_lt_0_compat; apply Hs; lra).
  assert (H2 : 0 < cosh (z / 2) * cosh (a / 2)) by (apply Rmult_lt_0_compat; apply Hc).
  rewrite Hadd. replace (cosh (z / 2) ^ 2 * cosh (a / 2) ^ 2) with ((cosh (z / 2) * cosh (a / 2)) ^ 2) by ring.
  set (C := cosh (z / 2) * cosh (a / 2)) in *. set (D := sinh (z / 2) * sinh (a / 2)) in *.
  apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; [|simpl; nra].
  apply Rmult_lt_0_compat; (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]).
Qed.

Theorem mr_lem4 : forall p, 1 / 2 < p < 1 ->
  0 < - ln ((1 - p) / p) /\ cosh (- ln ((1 - p) / p) / 2) ^ 2 = 1 / (4 * p * (1 - p)).
Proof.
  intros p Hp. assert (Hr : 0 < (1 - p) / p) by (apply Rdiv_lt_0_compat; lra). split.
  - assert ((1 - p) / p < 1).
    { apply Rmult_lt_reg_r with p; [lra|]. replace ((1 - p) / p * p) with (1 - p) by (field; lra). lra. }
    assert (ln ((1 - p) / p) < ln 1) by (apply ln_increasing; assumption). rewrite ln_1 in *. lra.
  - set (x := - ln ((1 - p) / p)).
    assert (Hx : exp x = p / (1 - p)).
    { unfold x. rewrite exp_Ropp, exp_ln by exact Hr. field. lra. }
    assert (Hx' : exp (- x) = (1 - p) / p) by (unfold x; rewrite Ropp_involutive; apply exp_ln; exact Hr).
    replace (cosh (x / 2) ^ 2) with ((exp x + exp (- x) + 2) / 4).
    + rewrite Hx, Hx'. field. lra.
    + unfold cosh. replace (exp x) with (exp (x / 2) * exp (x / 2)) by (rewrite <- exp_plus; f_equal; field).
      replace (exp (- x)) with (exp (- (x / 2)) * exp (- (x / 2))) by (rewrite <- exp_plus; f_equal; field).
      assert (I : exp (x / 2) * exp (- (x / 2)) = 1) by (rewrite <- exp_plus, Rplus_opp_r; apply exp_0).
      simpl. field_simplify. nra.
Qed.

(** ** Lemma 1 and Theorem 4: local convergence *)

(** Lemma 1: the slope of h, first anywhere and then at a fixed point; each p inside is fixed for exactly one p_ref. *)
Theorem mr_lem1 : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  let h := success_map beta eps p_ref in
  let u := exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps))) in
  is_derive h p (- h p * (1 - h p) * ((1 - 2 * p) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2)))) /\
  (h p = p -> is_derive h p (p * (1 - p) * ((2 * p - 1) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2))))) /\
  (0 < p < 1 -> 0 < p * u / (1 - p + p * u) < 1) /\
  h p - p = (p_ref - p * u / (1 - p + p * u)) * (1 - p + p * u) / (p_ref + (1 - p_ref) * u).
Proof.
  intros beta eps p_ref p Hb He Hr Hp h u. unfold h.
  pose proof (success_map_derive beta eps p_ref p Hb He Hr Hp) as D. split; [exact D|].
  assert (U : 0 < u) by apply exp_pos. split; [|split].
  - intros Hfix. replace (p * (1 - p) * ((2 * p - 1) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2))))
      with (success_slope beta eps p_ref p); [exact D|]. unfold success_slope. rewrite Hfix. unfold Rdiv. ring.
  - intros Hq. assert (0 < p * u) by (apply Rmult_lt_0_compat; lra).
    split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_lt_reg_r (1 - p + p * u)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra.
  - rewrite success_map_alt by lra. fold u. assert (0 <= p * u) by (apply Rmult_le_pos; lra).
    assert (0 < (1 - p_ref) * u) by (apply Rmult_lt_0_compat; lra).
    assert (0 < 1 - p + p * u) by (destruct (Req_dec p 1) as [->|]; lra). field. lra.
Qed.

Lemma slope_at_fixed_point : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p -> Rabs (success_slope beta eps p_ref p) = beta_bound eps p / beta.
Proof.
  intros beta eps p_ref p Hb He Hr Hp Hfix. unfold success_slope, beta_bound. rewrite Hfix.
  assert (HR : 0 < Rpower (p * (1 - p) + eps) (3 / 2)) by apply exp_pos. set (D := Rpower _ _) in *.
  replace (- p * (1 - p) * ((1 - 2 * p) / (2 * beta * D))) with (p * (1 - p) / (2 * beta * D) * (2 * p - 1)) by (field;
    lra).
  rewrite Rabs_mult, Rabs_pos_eq; [field; lra|].
  apply Rdiv_le_0_compat; [apply Rmult_le_pos; lra | apply Rmult_lt_0_compat; lra].
Qed.

Theorem mr_lem1_bound : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p ->
  (Rabs (success_slope beta eps p_ref p) < 1 <-> beta_bound eps p < beta) /\
  (1 < Rabs (success_slope beta eps p_ref p) <-> beta < beta_bound eps p) /\
  (Rabs (success_slope beta eps p_ref p) = 1 <-> beta = beta_bound eps p).
Proof.
  intros beta eps p_ref p Hb He Hr Hp Hfix. rewrite slope_at_fixed_point by assumption.
  set (B := beta_bound eps p). assert (E : B / beta * beta = B) by (field; lra). repeat split; intro H.
  - apply (Rmult_lt_compat_r beta) in H; lra.
  - apply Rmult_lt_reg_r with beta; lra.
  - apply (Rmult_lt_compat_r beta) in H; lra.
  - apply Rmult_lt_reg_r with beta; lra.
  - rewrite H in E. lra.
  - apply Rmult_eq_reg_r with beta; lra.
Qed.

(** Theorem 6, the local contraction mapping theorem, on a neighbourhood of the fixed point. *)
Theorem mr_thm6 : forall (f f' : R -> R) (p : R), locally p (fun y => is_derive f y (f' y)) -> continuous f' p ->
  f p = p -> Rabs (f' p) < 1 ->
  exists r k, 0 < r /\ 0 <= k < 1 /\
    (forall y, p - r <= y <= p + r -> Rabs (f' y) <= k /\ p - r <= f y <= p + r) /\
    lipschitz_on (closed_interval (p - r) (p + r)) k f /\
    (forall q, p - r <= q <= p + r -> f q = q -> q = p) /\
    forall x, p - r <= x 0%nat <= p + r -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f f' p Hd Hc Hp Hlt. destruct (local_contraction f f' p Hp Hd Hc Hlt) as (r & k & Hr & Hk & Hb & Hrest).
  exists r, k. split; [exact Hr|]. split; [exact Hk|]. split; [intros y Hy; apply Hb; exact Hy | exact Hrest].
Qed.

(** Theorem 4, with the rate; the start may be any point of the neighbourhood, p_ref in particular. *)
Theorem mr_thm4 : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p -> Rabs (success_slope beta eps p_ref p) < 1 ->
  exists delta k, 0 < delta /\ 0 <= k < 1 /\ forall x, p - delta <= x 0%nat <= p + delta ->
    iteration (success_map beta eps p_ref) x ->
    (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros beta eps p_ref p Hb He Hr Hp Hfix Hlt.
  set (k := (1 + Rabs (success_slope beta eps p_ref p)) / 2).
  pose proof (Rabs_pos (success_slope beta eps p_ref p)).
  destruct (attraction_if_multiplier_below_one (success_map beta eps p_ref) p (success_slope beta eps p_ref p) k)
    as [r [Hrp [_ [_ Hc]]]]; auto; try (unfold k; lra).
  - apply success_map_derive; assumption.
  - exists r, k. split; [exact Hrp|]. split; [unfold k; lra|]. intros x Hx Hit. apply Hc; [|exact Hit].
    apply Rabs_le. lra.
Qed.

(** A bound of |h''| on the unit interval, for every p_ref. *)
Definition curvature_bound (beta eps : R) : R :=
  1 / (40 * beta ^ 2 * eps ^ 3) + (3 / (4 * (eps ^ 2 * sqrt eps)) + 1 / (eps * sqrt eps)) / (4 * beta).

Lemma success_slope_derive : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  let h := success_map beta eps p_ref p in let S := p * (1 - p) + eps in let w := sqrt S in
  is_derive (success_slope beta eps p_ref) p
    (h * (1 - h) * (1 - 2 * h) * ((2 * p - 1) / (2 * beta * (S * w))) ^ 2
     + h * (1 - h) * (1 / (beta * (S * w)) + 3 * (2 * p - 1) ^ 2 / (4 * beta * (S ^ 2 * w)))).
Proof.
  intros beta eps p_ref p Hb He Hr Hp h S w.
  assert (HS : 0 < S) by (apply radicand_pos; assumption).
  assert (Hw : 0 < w) by (apply sqrt_lt_R0; exact HS).
  assert (Hww : w * w = S) by (apply sqrt_sqrt; lra).
  pose proof (success_map_derive beta eps p_ref p Hb He Hr Hp) as Hd.
  unfold success_slope in Hd. rewrite Rpower_three_halves in Hd by exact HS. fold h in Hd. fold S in Hd. fold w in Hd.
  apply (is_derive_ext_loc (fun y => success_map beta eps p_ref y * (1 - success_map beta eps p_ref y) *
    ((2 * y - 1) / (2 * beta * ((y * (1 - y) + eps) * sqrt (y * (1 - y) + eps)))))).
  - assert (C : continuous (fun y => y * (1 - y) + eps) p).
    { apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. exact I. }
    destruct (C (fun y => 0 < y)) as [d K].
    + exists (mkposreal _ HS). intros y Hy. unfold ball in Hy. simpl in Hy.
      unfold AbsRing_ball, abs, minus, plus, opp in Hy. simpl in Hy. apply Rabs_lt_between in Hy. unfold S in *. lra.
    + exists d. intros y Hy. specialize (K y Hy). unfold success_slope. rewrite Rpower_three_halves by exact K.
      match goal with |- ?a = ?b => change (@eq R a b) end. unfold Rdiv. ring.
  - set (f := success_map beta eps p_ref) in *. set (zp := (2 * p - 1) / (2 * beta * (S * w))).
    assert (Hz : is_derive (fun y => (2 * y - 1) / (2 * beta * ((y * (1 - y) + eps) * sqrt (y * (1 - y) + eps)))) p
      (1 / (beta * (S * w)) + 3 * (2 * p - 1) ^ 2 / (4 * beta * (S ^ 2 * w)))).
    { auto_derive.
      - replace (p * (1 + - p) + eps) with S by (unfold S; ring). split; [exact HS|]. split; [|exact I].
        fold w. apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; lra.
      - replace (p * (1 + - p) + eps) with S by (unfold S; ring). fold w.
        replace S with (w * w). field. split; lra. }
    assert (Hd' : is_derive f p (h * (1 - h) * zp)).
    { replace (h * (1 - h) * zp) with (- h * (1 - h) * ((1 - 2 * p) / (2 * beta * (S * w)))) by (unfold zp, Rdiv; ring).
      exact Hd. }
    set (g := fun y : R => (2 * y - 1) / (2 * beta * ((y * (1 - y) + eps) * sqrt (y * (1 - y) + eps)))) in *.
    assert (HP : is_derive (fun y => f y * (1 - f y) * g y) p
      ((h * (1 - h) * zp * (1 - h) + h * (- (h * (1 - h) * zp))) * zp
       + h * (1 - h) * (1 / (beta * (S * w)) + 3 * (2 * p - 1) ^ 2 / (4 * beta * (S ^ 2 * w))))).
    { apply (is_derive_mult (fun y => f y * (1 - f y)) g); [| exact Hz | intros; apply Rmult_comm].
      apply (is_derive_mult f (fun y => 1 - f y)); [exact Hd' | | intros; apply Rmult_comm].
      replace (- (h * (1 - h) * zp)) with (0 - h * (1 - h) * zp) by ring.
      apply (is_derive_minus (V := R_NormedModule)); [apply (is_derive_const (V := R_NormedModule)) | exact Hd']. }
    replace (h * (1 - h) * (1 - 2 * h) * zp ^ 2) with ((h * (1 - h) * zp * (1 - h) + h * (- (h * (1 - h) * zp))) * zp)
      by ring.
    exact HP.
Qed.

Lemma cubic_of_probability : forall h, 0 <= h <= 1 -> Rabs (h * (1 - h) * (1 - 2 * h)) <= 1 / 10.
Proof. intros h Hh. apply Rabs_le.
  assert (0 <= (h - 11 / 52) ^ 2 * (1 - h)) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]).
  assert (0 <= (h - 41 / 52) ^ 2 * h) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). split; nra. Qed.

Lemma success_curvature_bounded : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  exists d, is_derive (success_slope beta eps p_ref) p d /\ Rabs d <= curvature_bound beta eps.
Proof.
  intros beta eps p_ref p Hb He Hr Hp. eexists. split; [apply success_slope_derive; assumption|].
  pose proof (success_map_unit beta eps p_ref p Hb He Hr Hp) as Hh. set (h := success_map beta eps p_ref p) in *.
  assert (Q : 0 <= h * (1 - h) <= 1 / 4) by (pose proof (pow2_ge_0 (h - 1 / 2)); split; nra).
  set (S := p * (1 - p) + eps). assert (HS : eps <= S) by (unfold S; nra). assert (HS0 : 0 < S) by lra.
  set (w := sqrt S). set (v := sqrt eps).
  assert (Hv : 0 < v) by (apply sqrt_lt_R0; exact He).
  assert (Hvw : v <= w) by (apply sqrt_le_1_alt; exact HS).
  assert (Hvv : v * v = eps) by (apply sqrt_sqrt; lra). assert (Hww : w * w = S) by (apply sqrt_sqrt; lra).
  assert (Hq : (2 * p - 1) ^ 2 <= 1) by nra. assert (Hq0 : 0 <= (2 * p - 1) ^ 2) by apply pow2_ge_0.
  assert (D1 : 0 < eps * v) by (apply Rmult_lt_0_compat; assumption).
  assert (D2 : eps * v <= S * w) by (apply Rmult_le_compat; lra).
  assert (D3 : 0 < eps ^ 2 * v) by (apply Rmult_lt_0_compat; [apply pow_lt; exact He | exact Hv]).
  assert (D4 : eps ^ 2 * v <= S ^ 2 * w).
  { apply Rmult_le_compat; [apply pow2_ge_0 | lra | apply pow_incr; lra | exact Hvw]. }
  unfold curvature_bound. fold v.
  eapply Rle_trans; [apply Rabs_triang|]. apply Rplus_le_compat.
  - rewrite Rabs_mult. rewrite (Rabs_pos_eq (((2 * p - 1) / (2 * beta * (S * w))) ^ 2)) by apply pow2_ge_0.
    replace (1 / (40 * beta ^ 2 * eps ^ 3)) with (1 / 10 * (1 / (4 * beta ^ 2 * (eps * v) ^ 2)))
      by (replace eps with (v * v); field; lra).
    apply Rmult_le_compat; [apply Rabs_pos | apply pow2_ge_0 | apply cubic_of_probability; exact Hh|].
    replace (((2 * p - 1) / (2 * beta * (S * w))) ^ 2) with ((2 * p - 1) ^ 2 * (1 / (4 * beta ^ 2 * (S * w) ^ 2)))
      by (field; lra).
    assert (B : 0 < 4 * beta ^ 2) by nra. assert (0 < (eps * v) ^ 2) by (apply pow_lt; exact D1).
    assert ((eps * v) ^ 2 <= (S * w) ^ 2) by (apply pow_incr; lra).
    assert (1 / (4 * beta ^ 2 * (S * w) ^ 2) <= 1 / (4 * beta ^ 2 * (eps * v) ^ 2)).
    { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|].
      apply Rmult_le_compat_l; lra. }
    assert (0 < 1 / (4 * beta ^ 2 * (S * w) ^ 2)) by (apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]).
    nra.
  - assert (T1 : 0 < 1 / (beta * (S * w)) <= 1 / (beta * (eps * v))).
    { split; [apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]|].
      unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|].
      apply Rmult_le_compat_l; lra. }
    assert (T2 : 0 < 1 / (4 * beta * (S ^ 2 * w)) <= 1 / (4 * beta * (eps ^ 2 * v))).
    { split; [apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]|].
      unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; [apply Rmult_lt_0_compat; lra|].
      apply Rmult_le_compat_l; lra. }
    replace (3 * (2 * p - 1) ^ 2 / (4 * beta * (S ^ 2 * w)))
      with ((3 * (2 * p - 1) ^ 2) * (1 / (4 * beta * (S ^ 2 * w))))
      by (unfold Rdiv; ring).
    replace ((3 / (4 * (eps ^ 2 * v)) + 1 / (eps * v)) / (4 * beta))
      with (1 / 4 * (1 / (beta * (eps * v)) + 3 * (1 / (4 * beta * (eps ^ 2 * v))))) by (field; lra).
    set (t1 := 1 / (beta * (S * w))) in *. set (t2 := 1 / (4 * beta * (S ^ 2 * w))) in *.
    assert (0 <= 3 * (2 * p - 1) ^ 2 * t2 <= 3 * (1 / (4 * beta * (eps ^ 2 * v)))) by (split; nra).
    rewrite Rabs_pos_eq by (apply Rmult_le_pos; lra). apply Rmult_le_compat; lra.
Qed.

(** A neighbourhood for Theorem 4 in closed form: the half-width is (1 - |h'(p)|) / (2 L), L a bound of |h''|. *)
Theorem mr_thm4_radius : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  (forall p, 0 <= p <= 1 ->
     exists d, is_derive (success_slope beta eps p_ref) p d /\ Rabs d <= curvature_bound beta eps) /\
  forall p, 0 <= p <= 1 -> success_map beta eps p_ref p = p -> Rabs (success_slope beta eps p_ref p) < 1 ->
    let delta := (1 - Rabs (success_slope beta eps p_ref p)) / (2 * curvature_bound beta eps) in
    let k := (1 + Rabs (success_slope beta eps p_ref p)) / 2 in
    0 < delta /\ k < 1 /\
    forall x, 0 <= x 0%nat <= 1 -> Rabs (x 0%nat - p) <= delta -> iteration (success_map beta eps p_ref) x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros beta eps p_ref Hb He Hr. split; [intros p Hp; apply success_curvature_bounded; assumption|].
  intros p Hp Hfix Hlt. set (f := success_map beta eps p_ref) in *. set (s := success_slope beta eps p_ref) in *.
  set (L := curvature_bound beta eps).
  assert (HL : 0 < L).
  { unfold L, curvature_bound. assert (0 < sqrt eps) by (apply sqrt_lt_R0; exact He).
    assert (0 < eps * sqrt eps) by nra. assert (0 < eps ^ 2 * sqrt eps) by (apply Rmult_lt_0_compat; nra).
    assert (0 < beta ^ 2 * eps ^ 3) by (apply Rmult_lt_0_compat; apply pow_lt; assumption).
    apply Rplus_lt_0_compat; apply Rdiv_lt_0_compat; try lra. apply Rplus_lt_0_compat; apply Rdiv_lt_0_compat; lra. }
  pose proof (Rabs_pos (s p)) as Hs0. intros delta k.
  assert (Hdelta : 0 < delta) by (unfold delta; apply Rdiv_lt_0_compat; lra).
  assert (HLd : L * delta = (1 - Rabs (s p)) / 2) by (unfold delta; fold L; field; lra).
  split; [exact Hdelta|]. split; [unfold k; lra|]. intros x Hx0 Hxd Hit.
  assert (Hlip : lipschitz_on unit_interval L s).
  { apply (lipschitz_if_derivative_bounded unit_interval s (Derive s) L unit_is_interval).
    - apply continuous_on_derive with (Derive s). intros y Hy.
      destruct (success_curvature_bounded beta eps p_ref y Hb He Hr Hy) as [d [Hd _]].
      apply Derive_correct. exists d. exact Hd.
    - intros y [a [b [Ha [Hbb Hy]]]]. unfold unit_interval, closed_interval in *.
      destruct (success_curvature_bounded beta eps p_ref y) as [d [Hd _]]; auto; [lra|].
      apply Derive_correct. exists d. exact Hd.
    - intros y [a [b [Ha [Hbb Hy]]]]. unfold unit_interval, closed_interval in *.
      destruct (success_curvature_bounded beta eps p_ref y) as [d [Hd Hle]]; auto; [lra|].
      apply is_derive_unique in Hd. fold s in Hd. rewrite Hd. exact Hle. }
  set (I := fun y => 0 <= y <= 1 /\ p - delta <= y <= p + delta).
  assert (HI : interval I) by (intros a b c Ha Hbb Hc; unfold I in *; lra).
  assert (Hk : lipschitz_on I k f).
  { apply (lipschitz_if_derivative_bounded I f s k HI).
    - apply continuous_on_derive with s. intros y [Hy _]. apply success_map_derive; assumption.
    - intros y [a [b [[Ha _] [[Hbb _] Hy]]]]. apply success_map_derive; auto; lra.
    - intros y [a [b [[Ha Ha'] [[Hbb Hbb'] Hy]]]].
      specialize (Hlip p y ltac:(unfold unit_interval, closed_interval; lra)
        ltac:(unfold unit_interval, closed_interval; lra)).
      assert (Rabs (y - p) <= delta) by (apply Rabs_le; lra).
      assert (Rabs (s y) <= Rabs (s p) + L * Rabs (y - p)).
      { replace (s y) with (s p + (s y - s p)) by ring. eapply Rle_trans; [apply Rabs_triang|]. lra. }
      assert (L * Rabs (y - p) <= L * delta) by (apply Rmult_le_compat_l; lra). unfold k. lra. }
  assert (Hpin : I p) by (unfold I; lra).
  assert (Hind : forall n, I (x n) /\ Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)).
  { induction n as [|n [HIn IH]].
    - split; [|simpl; lra]. unfold I. split; [exact Hx0|]. apply Rabs_le_between in Hxd. lra.
    - assert (Rabs (x (S n) - p) <= k * Rabs (x n - p)).
      { rewrite Hit. rewrite <- Hfix at 1. apply (Hk p (x n)); assumption. }
      assert (Rabs (x n - p) <= delta) by (apply Rabs_le; unfold I in HIn; lra).
      assert (0 <= k < 1) by (unfold k; lra). pose proof (Rabs_pos (x n - p)). split.
      + unfold I. split; [rewrite Hit; apply success_map_unit; auto; apply HIn|].
        assert (Rabs (x (S n) - p) <= delta) by nra. apply Rabs_le_between in H3. lra.
      + simpl. nra. }
  split; [intro n; apply Hind|]. apply converges_to_eps. intros e Hee.
  assert (Hk1 : 0 <= k < 1) by (unfold k; lra).
  destruct (pow_lt_1_zero k ltac:(rewrite Rabs_pos_eq; lra) (e / (1 + Rabs (x 0%nat - p)))) as [N HN].
  { apply Rdiv_lt_0_compat; [exact Hee|]. pose proof (Rabs_pos (x 0%nat - p)). lra. }
  exists N. intros n Hn. specialize (HN n ltac:(lia)). rewrite Rabs_pos_eq in HN by (apply pow_le; lra).
  destruct (Hind n) as [_ Hb']. pose proof (Rabs_pos (x 0%nat - p)). pose proof (pow_le k n ltac:(lra)).
  apply (Rmult_lt_compat_r (1 + Rabs (x 0%nat - p))) in HN; [|lra].
  replace (e / (1 + Rabs (x 0%nat - p)) * (1 + Rabs (x 0%nat - p))) with e in HN by (field; lra). nra.
Qed.

(** The bound of a fixed point is symmetric about 1/2, and 0 at 0, 1/2 and 1; without smoothing it grows beyond all
    numbers. Below it the fixed point repels: no orbit converges to it but one that arrives there. *)
Theorem mr_fig4 :
  (forall eps p, beta_bound eps p = beta_bound eps (1 - p)) /\
  (forall eps, beta_bound eps 0 = 0 /\ beta_bound eps (1 / 2) = 0 /\ beta_bound eps 1 = 0) /\
  (forall p, 0 < p < 1 -> beta_bound 0 p = Rabs (2 * p - 1) / (2 * sqrt (p * (1 - p)))) /\
  (forall M, exists d, 0 < d /\ forall p, 1 - d < p < 1 -> M < beta_bound 0 p) /\
  forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  success_map beta eps p_ref p = p -> beta < beta_bound eps p ->
  (exists r, 0 < r /\ forall x, iteration (success_map beta eps p_ref) x -> x 0%nat <> p ->
    exists n, r < Rabs (x n - p)) /\
  forall x, iteration (success_map beta eps p_ref) x -> converges_to x p -> exists N, forall n, (N <= n)%nat -> x n = p.
Proof.
  assert (Plain : forall p, 0 < p < 1 -> beta_bound 0 p = Rabs (2 * p - 1) / (2 * sqrt (p * (1 - p)))).
  { intros p Hp. assert (V : 0 < p * (1 - p)) by nra. pose proof (sqrt_lt_R0 _ V) as R0.
    unfold beta_bound. rewrite Rplus_0_r, Rpower_three_halves by exact V. field. split; lra. }
  split; [|split; [|split; [exact Plain|split]]].
  - intros eps p. unfold beta_bound. replace (2 * (1 - p) - 1) with (- (2 * p - 1)) by ring. rewrite Rabs_Ropp.
    replace ((1 - p) * (1 - (1 - p))) with (p * (1 - p)) by ring. reflexivity.
  - intros eps. unfold beta_bound. replace (2 * (1 / 2) - 1) with 0 by field. rewrite Rabs_R0. unfold Rdiv.
    repeat split; ring.
  - intros M. assert (D : 0 < 16 * (M * M + 1)) by nra.
    exists (Rmin (1 / 4) (/ (16 * (M * M + 1)))). split; [apply Rmin_glb_lt; [lra | apply Rinv_0_lt_compat, D]|].
    intros p Hp. pose proof (Rmin_l (1 / 4) (/ (16 * (M * M + 1)))) as L1.
    pose proof (Rmin_r (1 / 4) (/ (16 * (M * M + 1)))) as L2.
    assert (Hp' : 3 / 4 < p < 1) by lra. rewrite Plain by lra. rewrite Rabs_pos_eq by lra.
    assert (V : 0 < p * (1 - p)) by nra. pose proof (sqrt_lt_R0 _ V) as R0.
    pose proof (sqrt_sqrt _ (Rlt_le _ _ V)) as R2.
    set (r := sqrt (p * (1 - p))) in *.
    assert (Small : r * r * (16 * (M * M + 1)) < 1).
    { apply Rlt_le_trans with (/ (16 * (M * M + 1)) * (16 * (M * M + 1))); [|rewrite Rinv_l; lra].
      apply Rmult_lt_compat_r; [exact D|]. rewrite R2. nra. }
    apply (Rmult_lt_reg_r (2 * r)); [lra|]. replace ((2 * p - 1) / (2 * r) * (2 * r)) with (2 * p - 1) by (field; lra).
    destruct (Rle_lt_dec M 0) as [N|N]; nra.
  - intros beta eps p_ref p Hb He Hr Hp Hfix Hlt.
    assert (Hm : 1 < Rabs (success_slope beta eps p_ref p)) by (apply mr_lem1_bound; assumption).
    set (d := Rabs (success_slope beta eps p_ref p)) in *.
    destruct (repulsion_if_multiplier_above_one (success_map beta eps p_ref) p (success_slope beta eps p_ref p)
      ((1 + d) / 2)) as [r [Hrp [_ [_ [H1 H2]]]]]; auto; try (unfold d in *; lra).
    + apply success_map_derive; assumption.
    + split; [exists r; split; [exact Hrp | exact H1] | exact H2].
Qed.

(** ** The iteration from p_0 = p_ref *)

(** For p_ref >= 1/2 the iterates increase to the least fixed point. *)
Theorem mr_dyn_monotone : forall beta eps p_ref x, 0 < beta -> 0 < eps -> 1 / 2 <= p_ref < 1 ->
  x 0%nat = p_ref -> iteration (success_map beta eps p_ref) x ->
  exists p, p_ref < p < 1 /\ success_map beta eps p_ref p = p /\
    (forall q, 0 <= q <= 1 -> success_map beta eps p_ref q = q -> p <= q) /\
    (forall n, x n < x (S n)) /\ (forall n, x n < p) /\ converges_to x p.
Proof.
  intros beta eps p_ref x Hb He Hr H0 Hit. set (f := success_map beta eps p_ref) in *.
  assert (Hf : forall y, 0 <= y <= 1 -> p_ref < f y < 1) by (intros; apply success_map_above; auto; lra).
  assert (Hinc : strictly_increasing_on (closed_interval (1 / 2) 1) f) by (apply success_map_increasing; auto; lra).
  assert (Hcont : continuous_on (closed_interval (1 / 2) 1) f).
  { apply continuous_on_incl with unit_interval; [|apply success_map_continuous; auto; lra].
    intros y Hy. unfold unit_interval, closed_interval in *. lra. }
  assert (Hmap : forall y, 1 / 2 <= y <= 1 -> 1 / 2 <= f y <= 1) by (intros y Hy; specialize (Hf y ltac:(lra)); lra).
  assert (Hx : forall n, closed_interval (1 / 2) 1 (x n)).
  { apply invariant_set_of_iteration with f; [exact Hmap | unfold closed_interval; lra | exact Hit]. }
  assert (Hstrict : forall n, x n < x (S n)).
  { induction n as [|n IH].
    - rewrite Hit, H0. apply Hf. lra.
    - rewrite (Hit n), (Hit (S n)). apply Hinc; auto. }
  destruct (increasing_map_iterates_upwards_to_least_fixed_point f (1 / 2) 1 x)
    as [p [Hp [Hfix [Hlim [_ [Hbelow Hleast]]]]]]; auto.
  - intros u v Hu Hv [Huv | ->]; [apply Rlt_le, Hinc; assumption | lra].
  - lra.
  - apply Rlt_le, Hstrict.
  - exists p. assert (Hpp : p_ref < p < 1) by (rewrite <- Hfix; apply Hf; lra).
    split; [exact Hpp|]. split; [exact Hfix|]. split; [|split; [exact Hstrict|split; [|exact Hlim]]].
    + intros q Hq Hfq. assert (p_ref < q) by (rewrite <- Hfq; apply Hf; exact Hq). apply Hleast; lra.
    + intro n. apply Rlt_le_trans with (x (S n)); [apply Hstrict | apply Hbelow].
Qed.

(** If h(1/2) >= 1/2, the iterates from any start are monotone from n = 1 on and converge. *)
Theorem mr_dyn_above_half : forall beta eps p_ref x, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  1 / 2 <= success_map beta eps p_ref (1 / 2) ->
  0 <= x 0%nat <= 1 -> iteration (success_map beta eps p_ref) x ->
  ((forall n, (1 <= n)%nat -> x n <= x (S n)) \/ (forall n, (1 <= n)%nat -> x (S n) <= x n)) /\
  exists p, 1 / 2 <= p <= 1 /\ success_map beta eps p_ref p = p /\ converges_to x p.
Proof.
  intros beta eps p_ref x Hb He Hr Hhalf H0 Hit. set (f := success_map beta eps p_ref) in *.
  assert (Hf : forall y, 0 <= y <= 1 -> 1 / 2 <= f y <= 1).
  { intros y Hy. assert (p_ref < f y < 1) by (apply success_map_above; auto).
    destruct (Req_dec y (1 / 2)) as [-> | Hne]; [lra|].
    assert (f (1 / 2) < f y) by (apply success_map_least_at_half; auto). lra. }
  assert (Hinc : strictly_increasing_on (closed_interval (1 / 2) 1) f) by (apply success_map_increasing; auto).
  destruct (increasing_map_iteration_converges f (1 / 2) 1 (fun n => x (S n))) as [Hmono [p [Hp [Hfix Hlim]]]].
  - apply continuous_on_incl with unit_interval; [|apply success_map_continuous; auto].
    intros y Hy. unfold unit_interval, closed_interval in *. lra.
  - intros u v Hu Hv [Huv | ->]; [apply Rlt_le, Hinc; assumption | lra].
  - intros y Hy. apply Hf. lra.
  - rewrite Hit. apply Hf. exact H0.
  - intro n. apply Hit.
  - split.
    + destruct Hmono as [Hm | Hm]; [left | right]; intros [|n] Hn; try lia; apply Hm.
    + exists p. split; [exact Hp|]. split; [exact Hfix|]. apply converges_to_shift. exact Hlim.
Qed.

Lemma half_is_lifted_iff : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  (1 / 2 <= success_map beta eps p_ref (1 / 2) <-> 0 <= logit p_ref + 1 / (beta * sqrt (1 / 4 + eps))) /\
  (1 / 2 <= p_ref -> 1 / 2 <= success_map beta eps p_ref (1 / 2)).
Proof.
  intros beta eps p_ref Hb He Hr. set (h := success_map beta eps p_ref (1 / 2)).
  assert (Hh : p_ref < h < 1) by (apply success_map_above; auto; lra).
  assert (E : logit h = logit p_ref + 1 / (beta * sqrt (1 / 4 + eps))).
  { unfold h. rewrite success_map_logit by lra. replace (1 / 2 * (1 - 1 / 2) + eps) with (1 / 4 + eps) by field.
    reflexivity. }
  split; [|lra]. rewrite <- E. unfold logit.
  assert (Hpos : 0 < h / (1 - h)) by (apply Rdiv_lt_0_compat; lra).
  assert (Hm : h / (1 - h) * (1 - h) = h) by (field; lra).
  split; intro H.
  - rewrite <- ln_1. assert (H1 : 1 <= h / (1 - h)) by (apply Rmult_le_reg_r with (1 - h); lra).
    destruct H1 as [H1 | H1]; [apply Rlt_le, ln_increasing; lra | rewrite <- H1; lra].
  - destruct (Rle_or_lt (1 / 2) h) as [Hle | Hlt]; [exact Hle | exfalso].
    assert (H1 : h / (1 - h) < 1) by (apply Rmult_lt_reg_r with (1 - h); lra).
    assert (ln (h / (1 - h)) < ln 1) by (apply ln_increasing; assumption). rewrite ln_1 in *. lra.
Qed.

(** If h(p_ref) <= 1/2, even iterates increase and odd ones decrease, to a fixed point or a cycle of period two. *)
Theorem mr_dyn_two_limits : forall beta eps p_ref x, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  success_map beta eps p_ref p_ref <= 1 / 2 ->
  x 0%nat = p_ref -> iteration (success_map beta eps p_ref) x ->
  (forall n, x (2 * n)%nat <= x (2 * S n)%nat) /\ (forall n, x (S (2 * S n)) <= x (S (2 * n))) /\
  exists low high, p_ref < low /\ low <= high <= 1 / 2 /\
    converges_to (fun n => x (2 * n)%nat) low /\ converges_to (fun n => x (S (2 * n))) high /\
    success_map beta eps p_ref low = high /\ success_map beta eps p_ref high = low /\
    (low = high -> converges_to x low) /\ (low <> high -> forall l, ~ converges_to x l).
Proof.
  intros beta eps p_ref x Hb He Hr Hhalf H0 Hit. set (f := success_map beta eps p_ref) in *.
  assert (Hf : forall y, 0 <= y <= 1 -> p_ref < f y < 1) by (intros; apply success_map_above; auto).
  assert (Hdec : strictly_decreasing_on (closed_interval 0 (1 / 2)) f) by (apply success_map_decreasing; auto).
  set (b := f p_ref) in *. assert (Hb1 : p_ref < b) by (apply Hf; lra).
  assert (Hdec' : decreasing_on (closed_interval p_ref b) f).
  { intros u v Hu Hv [Huv | ->]; [|lra]. unfold closed_interval in *. apply Rlt_le, Hdec; unfold closed_interval; lra. }
  assert (Hmap : forall y, p_ref <= y <= b -> p_ref <= f y <= b).
  { intros y Hy. split; [apply Rlt_le, Hf; lra|]. apply (Hdec' p_ref y); unfold closed_interval; lra. }
  assert (Hcont : continuous_on (closed_interval p_ref b) f).
  { apply continuous_on_incl with unit_interval; [|apply success_map_continuous; auto].
    intros y Hy. unfold unit_interval, closed_interval in *. lra. }
  assert (Hx : forall n, closed_interval p_ref b (x n)).
  { apply invariant_set_of_iteration with f; [exact Hmap | unfold closed_interval; lra | exact Hit]. }
  assert (H02 : x 0%nat <= x 2%nat) by (rewrite H0; apply Hx).
  destruct (decreasing_map_iterates_to_two_limits f p_ref b x)
    as [Heven [Hodd [e [o [He' [Ho [Hle [Hlo [Hfe [Hfo [Hsame Hall]]]]]]]]]]]; auto; [lra|].
  split; [exact Heven|]. split; [exact Hodd|]. exists e, o.
  assert (He0 : p_ref < e) by (rewrite <- Hfo; apply Hf; lra).
  assert (Heo : e <= o).
  { assert (Hn : forall n, x (2 * n)%nat <= x (S (2 * n))).
    { induction n as [|n IH]; [change (x 0%nat <= x 1%nat); rewrite H0; apply Hx|].
      replace (2 * S n)%nat with (S (S (2 * n))) by lia. set (m := (2 * n)%nat) in *.
      assert (Hback : x (S (S m)) <= x (S m)) by (rewrite (Hit (S m)), (Hit m); apply Hdec'; try rewrite <- Hit; auto).
      rewrite (Hit (S (S m))), (Hit (S m)). apply Hdec'; try rewrite <- Hit; auto. }
    apply (limits_keep_weak_inequalities _ _ e o Hn Hle Hlo). }
  split; [exact He0|]. split; [lra|]. split; [exact Hle|]. split; [exact Hlo|]. split; [exact Hfe|]. split;
    [exact Hfo|].
  split; [exact Hsame|]. intros Hne l Hl. apply Hne. destruct (Hall l Hl). congruence.
Qed.

(** The abstract's sentence under the hypothesis that it needs. *)
Theorem mr_abs_converges : forall beta eps p_ref x, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  1 / 2 <= p_ref \/ 1 / 2 <= success_map beta eps p_ref (1 / 2) ->
  x 0%nat = p_ref -> iteration (success_map beta eps p_ref) x ->
  exists p, p_ref < p < 1 /\ success_map beta eps p_ref p = p /\ converges_to x p.
Proof.
  intros beta eps p_ref x Hb He Hr H H0 Hit.
  assert (Hh : 1 / 2 <= success_map beta eps p_ref (1 / 2)).
  { destruct H as [H | H]; [|exact H]. apply (half_is_lifted_iff beta eps p_ref); assumption. }
  destruct (mr_dyn_above_half beta eps p_ref x) as [_ [p [Hp [Hfix Hlim]]]]; auto; [lra|].
  exists p. split; [|split; assumption]. rewrite <- Hfix. apply success_map_above; auto; lra.
Qed.

(** ** Figure 5: p_ref = 0.001, beta = 5, eps = 1e-5 *)

Lemma success_map_crosses : forall beta eps p_ref a b, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= a < b -> b <= 1 ->
  a < success_map beta eps p_ref a /\ success_map beta eps p_ref b < b \/
  success_map beta eps p_ref a < a /\ b < success_map beta eps p_ref b ->
  exists p, a < p < b /\ success_map beta eps p_ref p = p.
Proof.
  intros beta eps p_ref a b Hb He Hr Hab Hb1 H.
  destruct (root_exists_strictly_between (fun p => success_map beta eps p_ref p - p) a b) as [p [Hp Hz]];
    [lra | | lra |].
  - apply continuous_on_derive with (fun p => success_slope beta eps p_ref p - 1). intros p Hp.
    unfold closed_interval in Hp.
    apply (@is_derive_minus R_AbsRing R_NormedModule); [apply success_map_derive; auto;
      lra | apply (@is_derive_id R_AbsRing)].
  - exists p. split; [exact Hp | lra].
Qed.

Definition figure_5 : R -> R := success_map 5 (1 / 100000) (1 / 1000).

Ltac enclose := unfold figure_5, success_map; interval with (i_prec 60).

Lemma figure_5_lifts : forall p, 1 / 1000 <= p <= 2338 / 1000000 -> p < figure_5 (figure_5 p).
Proof.
  intros p Hp. apply Rminus_gt_0_lt. unfold figure_5, success_map.
  interval with (i_bisect p, i_autodiff p, i_prec 60, i_depth 20).
Qed.

Theorem mr_fig5_divergent : forall x : nat -> R,
  x 0%nat = 1 / 1000 -> iteration (success_map 5 (1 / 100000) (1 / 1000)) x ->
  (forall l, ~ converges_to x l) /\
  exists low high, 2338 / 1000000 < low < 2339 / 1000000 /\ 586 / 10000 < high < 588 / 10000 /\
    success_map 5 (1 / 100000) (1 / 1000) low = high /\ success_map 5 (1 / 100000) (1 / 1000) high = low /\
    converges_to (fun n => x (2 * n)%nat) low /\ converges_to (fun n => x (S (2 * n))) high.
Proof.
  intros x H0 Hit. set (c := 2339 / 1000000).
  assert (F1 : figure_5 (1 / 1000) < 1 / 2) by enclose.
  assert (F2 : 586 / 10000 < figure_5 c) by (unfold c; enclose).
  assert (F3 : figure_5 (2338 / 1000000) < 588 / 10000) by enclose.
  assert (F4 : figure_5 (figure_5 c) < c) by (unfold c; enclose).
  unfold figure_5 in *. set (f := success_map 5 (1 / 100000) (1 / 1000)) in *.
  destruct (mr_dyn_two_limits 5 (1 / 100000) (1 / 1000) x)
    as [_ [_ [low [high [Hl [Hlh [Hel [Hoh [Hfl [Hfh [_ Hdiv]]]]]]]]]]];
    auto; try lra; [fold f; lra|].
  fold f in Hfl, Hfh.
  assert (Hdec : strictly_decreasing_on (closed_interval 0 (1 / 2)) f) by (apply success_map_decreasing; lra).
  assert (Hdec' : forall u v, 0 <= u -> u <= v -> v <= 1 / 2 -> f v <= f u).
  { intros u v Hu [Huv | ->] Hv; [apply Rlt_le, Hdec; unfold closed_interval; lra | lra]. }
  assert (Habove : forall y, 0 <= y <= 1 -> 1 / 1000 < f y < 1) by (intros; apply success_map_above; lra).
  assert (Hx : forall n, 1 / 1000 <= x n <= 1 / 2).
  { induction n as [|n IH]; [rewrite H0; lra|]. rewrite Hit. split; [apply Rlt_le, Habove; lra|].
    apply Rle_trans with (f (1 / 1000)); [apply Hdec'; lra | lra]. }
  assert (Hc : 0 < c < 1 / 2) by (unfold c; lra).
  assert (Hc1 : f c <= 1 / 2) by (apply Rle_trans with (f (1 / 1000)); [apply Hdec'; unfold c; lra | lra]).
  assert (Heven : forall n, x (2 * n)%nat <= c).
  { induction n as [|n IH]; [change (x 0%nat <= c); unfold c; lra|].
    replace (2 * S n)%nat with (S (S (2 * n))) by lia. set (m := (2 * n)%nat) in *. rewrite Hit.
    assert (f c <= x (S m)) by (rewrite Hit; pose proof (Hx m); apply Hdec'; lra).
    apply Rle_trans with (f (f c)); [pose proof (Hx (S m)); apply Hdec'; lra | lra]. }
  assert (Hlow : low <= c).
  { apply (limits_keep_weak_inequalities (fun n => x (2 * n)%nat) (fun _ => c)); auto using converges_to_const. }
  assert (Hlow' : low < c).
  { destruct Hlow as [H | H]; [exact H|]. rewrite <- H in F4. rewrite Hfl, Hfh in F4. lra. }
  assert (Hlift : 2338 / 1000000 < low).
  { destruct (Rlt_or_le (2338 / 1000000) low) as [H | H]; [exact H | exfalso].
    pose proof (figure_5_lifts low ltac:(lra)) as HL. change (low < f (f low)) in HL. rewrite Hfl, Hfh in HL. lra. }
  assert (Hhigh : 586 / 10000 < high).
  { rewrite <- Hfl. apply Rlt_le_trans with (f c); [exact F2 | apply Hdec'; lra]. }
  assert (Hhigh' : high < 588 / 10000).
  { rewrite <- Hfl. apply Rle_lt_trans with (f (2338 / 1000000)); [apply Hdec'; lra | exact F3]. }
  unfold c in *. split; [apply Hdiv; lra|]. exists low, high. repeat split; auto.
Qed.

(** The cycle attracts, p_0 = p_ref reaches it, and the fixed point between its points repels. *)
Theorem mr_dyn_cycle_attracts : exists low high p delta,
  2338 / 1000000 < low < 2339 / 1000000 /\ 586 / 10000 < high < 588 / 10000 /\ 8622 / 1000000 < p < 8623 / 1000000 /\
    0 < delta /\
  figure_5 low = high /\ figure_5 high = low /\ figure_5 p = p /\
  (forall x, Rabs (x 0%nat - low) <= delta -> iteration figure_5 x ->
     converges_to (fun n => x (2 * n)%nat) low /\ converges_to (fun n => x (S (2 * n))) high) /\
  (forall x, x 0%nat = 1 / 1000 -> iteration figure_5 x ->
     converges_to (fun n => x (2 * n)%nat) low /\ converges_to (fun n => x (S (2 * n))) high) /\
  success_slope 5 (1 / 100000) (1 / 1000) p < -1 /\
  (forall x, iteration figure_5 x -> converges_to x p -> exists N, forall n, (N <= n)%nat -> x n = p).
Proof.
  set (x0 := fix orbit (n : nat) : R := match n with O => 1 / 1000 | S k => figure_5 (orbit k) end).
  destruct (mr_fig5_divergent x0 eq_refl (fun n => eq_refl)) as [_ [low [high [Hlow [Hhigh [Hfl [Hfh [Hev Hod]]]]]]]].
  fold figure_5 in Hfl, Hfh.
  assert (Hd : forall y, 0 <= y <= 1 -> is_derive figure_5 y (success_slope 5 (1 / 100000) (1 / 1000) y)).
  { intros y Hy. apply success_map_derive; lra. }
  set (s := success_slope 5 (1 / 100000) (1 / 1000)) in *.
  assert (Hslope : forall y, 0 <= y <= 1 -> s y = - figure_5 y * (1 - figure_5 y) *
            ((1 - 2 * y) / (2 * 5 * ((y * (1 - y) + 1 / 100000) * sqrt (y * (1 - y) + 1 / 100000))))).
  { intros y Hy. unfold s, success_slope, figure_5. rewrite Rpower_three_halves; [reflexivity | apply radicand_pos;
    lra]. }
  assert (Hcomp : is_derive (fun y => figure_5 (figure_5 y)) low (s low * s high)).
  { apply (is_derive_comp figure_5 figure_5 low (s high) (s low)); [rewrite Hfl|]; apply Hd; lra. }
  assert (Hm : Rabs (s low * s high) < 9 / 10).
  { rewrite !Hslope, Hfl, Hfh by lra. interval with (i_prec 60). }
  destruct (attraction_if_multiplier_below_one (fun y => figure_5 (figure_5 y)) low (s low * s high) (9 / 10))
    as [delta [Hdelta [_ [_ Hconv]]]]; [rewrite Hfl; exact Hfh | exact Hcomp | exact Hm | lra |].
  destruct (success_map_crosses 5 (1 / 100000) (1 / 1000) (8622 / 1000000) (8623 / 1000000)) as [p [Hp Hfix]]; try lra.
  { left. split; [enclose|]. enclose. }
  assert (Hrep : s p < -1).
  { rewrite Hslope by lra. unfold figure_5. rewrite Hfix. interval with (i_prec 60). }
  exists low, high, p, delta. repeat (split; [assumption || exact Hfix|]). split; [|split; [|split; [exact Hrep|]]].
  - intros x Hx Hit. assert (Heven : converges_to (fun n => x (2 * n)%nat) low).
    { apply (Hconv (fun n => x (2 * n)%nat)); [exact Hx|]. intro n.
      replace (2 * S n)%nat with (S (S (2 * n))) by lia. rewrite !Hit. reflexivity. }
    split; [exact Heven|]. rewrite <- Hfl. apply (is_lim_seq_ext (fun n => figure_5 (x (2 * n)%nat))); [intro n;
      symmetry; apply Hit|].
    apply is_lim_seq_continuous; [|exact Heven]. apply continuity_pt_filterlim.
    apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (s low). apply Hd. lra.
  - intros x Hx Hit. assert (same : forall n, x0 n = x n).
    { induction n as [|n IH]; [symmetry; exact Hx|]. rewrite Hit, <- IH. reflexivity. }
    split; [apply is_lim_seq_ext with (2 := Hev) | apply is_lim_seq_ext with (2 := Hod)]; intro n; apply same.
  - intros x Hit Hlim.
    destruct (repulsion_if_multiplier_above_one figure_5 p (s p) ((1 - s p) / 2)) as [r [_ [_ [_ [_ H]]]]];
      [exact Hfix | apply Hd; lra | lra | rewrite Rabs_left by lra; lra |]. apply H; assumption.
Qed.

(** ** Fixed points are not unique *)

(** Three fixed points for p_ref = 1/10, beta = 1, eps = 1/100. *)
Theorem mr_prop1_nonunique : exists a b c, 2 / 5 <= a < 9 / 10 /\ 9 / 10 <= b < 99 / 100 /\ 99 / 100 <= c < 1
  /\ a < b < c /\
  let h := success_map 1 (1 / 100) (1 / 10) in h a = a /\ h b = b /\ h c = c.
Proof.
  set (f := success_map 1 (1 / 100) (1 / 10)).
  assert (H1 : 2 / 5 < f (2 / 5)) by (unfold f; enclose).
  assert (H2 : f (9 / 10) < 9 / 10) by (unfold f; enclose).
  assert (H3 : 99 / 100 < f (99 / 100)) by (unfold f; enclose).
  assert (H4 : f 1 < 1) by (apply success_map_above; lra).
  destruct (success_map_crosses 1 (1 / 100) (1 / 10) (2 / 5) (9 / 10)) as [a [Ha Hfa]]; try lra; [fold f; lra|].
  destruct (success_map_crosses 1 (1 / 100) (1 / 10) (9 / 10) (99 / 100)) as [b [Hb Hfb]]; try lra; [fold f; lra|].
  destruct (success_map_crosses 1 (1 / 100) (1 / 10) (99 / 100) 1) as [c [Hc Hfc]]; try lra; [fold f; lra|].
  exists a, b, c. repeat split; auto; lra.
Qed.

(** ** Section 5: approximate policies *)

(** The total variation distance. *)
Definition tv (n : nat) (p q : nat -> R) : R := Sum n (fun o => Rabs (p o - q o)) / 2.

(** As a supremum over test functions bounded by one, which the paper prints without the bound. *)
Theorem mr_pf5_tvdef : forall n p q, policy n p -> policy n q ->
  is_lub (fun y => exists f, (forall o, (o < n)%nat -> -1 <= f o <= 1) /\
    y = / 2 * (expect n p f - expect n q f)) (tv n p q).
Proof.
  intros n p q Hp Hq. split.
  - intros y [f [Hf ->]]. unfold tv, expect. rewrite <- Sum_minus.
    assert (Sum n (fun o => p o * f o - q o * f o) <= Sum n (fun o => Rabs (p o - q o))); [|lra].
    apply Sum_le. intros o Ho. specialize (Hf o Ho).
    replace (p o * f o - q o * f o) with ((p o - q o) * f o) by ring.
    unfold Rabs. destruct (Rcase_abs (p o - q o)); nra.
  - intros b Hb. apply Hb. exists (fun o => if Rle_dec 0 (p o - q o) then 1 else -1). split.
    + intros o _. destruct (Rle_dec 0 (p o - q o)); lra.
    + unfold tv, expect. rewrite <- Sum_minus.
      rewrite (Sum_ext n (fun o => Rabs (p o - q o)) (fun o => p o * (if Rle_dec 0 (p o - q o) then 1 else -1) -
                 q o * (if Rle_dec 0 (p o - q o) then 1 else -1))); [field|].
      intros o _. destruct (Rle_dec 0 (p o - q o)) as [H | H];
        [rewrite Rabs_pos_eq by exact H | rewrite Rabs_left by lra]; ring.
Qed.

(** Half of the printed bound, and attained for two answers. *)
Theorem mr_pf5_bound : forall n r p q, policy n p -> policy n q ->
  Rabs (success n r p - success n r q) <= tv n p q.
Proof.
  intros n r p q [Hp Hp1] [Hq Hq1].
  assert (H : forall s, s = 1 \/ s = -1 -> s * (success n r p - success n r q) <= tv n p q).
  { intros s Hs. unfold tv, success, expect. rewrite <- Sum_minus, <- Sum_scal.
    assert (E : Sum n (fun o => s * (p o * indicator (r o) - q o * indicator (r o))) =
                Sum n (fun o => (s * (2 * indicator (r o) - 1) * (p o - q o)) / 2)).
    { rewrite (Sum_ext n (fun o => (s * (2 * indicator (r o) - 1) * (p o - q o)) / 2)
        (fun o => s * (p o * indicator (r o) - q o * indicator (r o)) + (- (s / 2)) * (p o - q o))) by (intros; field).
      rewrite Sum_plus, (Sum_scal n (- (s / 2)) (fun o => p o - q o)), (Sum_minus n p q), Hp1, Hq1. ring. }
    rewrite E, Sum_div. assert (Sum n (fun o => s * (2 * indicator (r o) - 1) * (p o - q o)) <=
      Sum n (fun o => Rabs (p o - q o))); [|lra].
    apply Sum_le. intros o _. unfold indicator, Rabs. destruct Hs as [->
      | ->]; destruct (r o); destruct (Rcase_abs (p o - q o)); lra. }
  pose proof (H 1 (or_introl eq_refl)). pose proof (H (-1) (or_intror eq_refl)). apply Rabs_le. lra.
Qed.

(** Assumption 1 for the distances of approximate policies [app] from the exact ones [exact]. *)
Definition assumption_1 (n : nat) (app exact : nat -> nat -> R) (delta : nat -> R) (total : R) : Prop :=
  (forall o, (o < n)%nat -> app 0%nat o = exact 0%nat o) /\
  (forall k, 0 <= delta (S k)) /\
  (forall k, tv n (app (S k)) (exact (S k)) <= tv n (app k) (exact k) + delta (S k)) /\
  converges_to (fun k => Sum k (fun i => delta (S i))) total.

Theorem mr_assump1_telescopes : forall n app exact delta total, assumption_1 n app exact delta total ->
  forall k, tv n (app k) (exact k) <= Sum k (fun i => delta (S i)) /\ Sum k (fun i => delta (S i)) <= total.
Proof.
  intros n app exact delta total [H0 [Hpos [Hstep Hlim]]] k. split.
  - induction k as [|k IH]; simpl.
    + unfold tv. rewrite Sum_zero; [lra|]. intros o Ho. rewrite (H0 o Ho), Rminus_eq_0. apply Rabs_R0.
    + eapply Rle_trans; [apply Hstep|]. lra.
  - apply (is_lim_seq_incr_compare _ total Hlim). intro j. simpl. specialize (Hpos j). lra.
Qed.

(** Theorem 5 with the constant 1 in place of the printed 2, and lim sup in place of a limit that need not exist. *)
Theorem mr_thm5 : forall n r app exact delta total p, (forall k, policy n (app k)) -> (forall k, policy n (exact k)) ->
  assumption_1 n app exact delta total -> converges_to (fun k => success n r (exact k)) p ->
  limsup_at_most (fun k => Rabs (success n r (app k) - p)) total.
Proof.
  intros n r app exact delta total p Happ Hex Hass Hlim eps Heps.
  destruct (proj1 (converges_to_eps _ _) Hlim eps Heps) as [N HN]. exists N. intros k Hk. specialize (HN k Hk).
  destruct (mr_assump1_telescopes n app exact delta total Hass k) as [H1 H2].
  pose proof (mr_pf5_bound n r (app k) (exact k) (Happ k) (Hex k)).
  replace (success n r (app k) - p) with ((success n r (app k) - success n r (exact k)) + (success n r (exact k) - p))
    by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Theorem mr_thm5_delta0 : forall n r app exact delta p, (forall k, policy n (app k)) -> (forall k, policy n (exact k)) ->
  assumption_1 n app exact delta 0 -> converges_to (fun k => success n r (exact k)) p ->
  (forall k o, (o < n)%nat -> app k o = exact k o) /\ converges_to (fun k => success n r (app k)) p.
Proof.
  intros n r app exact delta p Happ Hex Hass Hlim.
  assert (Heq : forall k o, (o < n)%nat -> app k o = exact k o).
  { intros k o Ho. destruct (mr_assump1_telescopes n app exact delta 0 Hass k) as [H1 H2].
    assert (Hnn : forall i, (i < n)%nat -> 0 <= Rabs (app k i - exact k i)) by (intros; apply Rabs_pos).
    pose proof (Sum_nonneg n _ Hnn). unfold tv in H1.
    assert (Hz : Sum n (fun i => Rabs (app k i - exact k i)) = 0) by lra.
    pose proof (Sum_eq_0 n _ Hnn Hz o Ho) as Ha. cbv beta in Ha.
    destruct (Req_dec (app k o - exact k o) 0) as [E | E]; [lra|]. apply Rabs_no_R0 in E. contradiction. }
  split; [exact Heq|]. apply (is_lim_seq_ext (fun k => success n r (exact k))); [|exact Hlim].
  intro k. apply Sum_ext. intros o Ho. rewrite (Heq k o Ho). reflexivity.
Qed.

(** The constant is attained: two answers, one error u, and then none. *)
Theorem mr_thm5_best_constant : forall p u, 0 <= p -> 0 < u -> p + u <= 1 ->
  exists (r : nat -> bool) (app exact : nat -> nat -> R) (delta : nat -> R),
    (forall k, policy 2 (app k)) /\ (forall k, policy 2 (exact k)) /\ assumption_1 2 app exact delta u /\
    converges_to (fun k => success 2 r (exact k)) p /\ forall k, Rabs (success 2 r (app (S k)) - p) = u.
Proof.
  intros p u Hp Hu Hpu.
  exists (fun o => Nat.eqb o 0), (fun k => match k with 0%nat => binary p | _ => binary (p + u) end),
    (fun _ => binary p),
    (fun k => if Nat.eqb k 1 then u else 0).
  assert (Htv : tv 2 (binary (p + u)) (binary p) = u).
  { unfold tv. simpl. replace (p + u - p) with u by ring. replace (1 - (p + u) - (1 - p)) with (- u) by ring.
    rewrite Rabs_Ropp, Rabs_pos_eq by lra. field. }
  assert (Htv0 : tv 2 (binary p) (binary p) = 0) by (unfold tv; simpl; rewrite !Rminus_eq_0, Rabs_R0; field).
  assert (Hsum : forall k, Sum (S k) (fun i => if Nat.eqb (S i) 1 then u else 0) = u).
  { induction k as [|k IH]; [simpl; ring|]. change (Sum (S k) (fun i => if Nat.eqb (S i) 1 then u else 0) + 0 = u).
    rewrite IH. ring. }
  split; [|split; [|split; [|split]]].
  - intros [|k]; apply binary_policy; lra.
  - intros k. apply binary_policy; lra.
  - split; [|split; [|split]].
    + reflexivity.
    + intros [|k]; simpl; lra.
    + intros [|k]; rewrite Htv, ?Htv0; simpl; lra.
    + apply converges_to_shift. apply (is_lim_seq_ext (fun _ => u)); [intro k; rewrite Hsum;
      reflexivity | apply converges_to_const].
  - apply (is_lim_seq_ext (fun _ => p)); [|apply converges_to_const]. intro k. unfold success. rewrite expect_binary.
    simpl. ring.
  - intro k. unfold success. rewrite expect_binary. simpl. replace ((p + u) * 1 + (1 - (p + u)) * 0 - p) with u by ring.
    apply Rabs_pos_eq. lra.
Qed.

(** ** Section 2: the contrastive loss *)

(** Mean and variance of the reward, (2) and what follows it. *)
Theorem mr_bernoulli : forall n r pi, policy n pi ->
  expect n pi (fun o => indicator (r o)) = success n r pi /\
  expect n pi (fun o => (indicator (r o) - success n r pi) ^ 2) = success n r pi * (1 - success n r pi).
Proof.
  intros n r pi Hp. split; [reflexivity|]. set (p := success n r pi).
  rewrite (expect_ext n pi _ (fun o => (1 - 2 * p) * indicator (r o) + p ^ 2)).
  - rewrite expect_plus, expect_scal, expect_const by exact Hp. fold (success n r pi). fold p. ring.
  - intros o _. unfold indicator. destruct (r o); ring.
Qed.

Lemma clipped_zero : forall epsilon x, clipped epsilon x 0 = 0.
Proof. intros epsilon x. unfold clipped. rewrite !Rmult_0_r. apply Rmin_left. lra. Qed.

(** Sections 2.1 and 2.2: the clipped loss as a contrast of right and wrong answers. *)
Theorem mr_stab_clipped_loss : forall n (r : nat -> bool) epsilon eps p pi old, 0 <= epsilon -> 0 < eps -> 0 <= p <= 1
  ->
  expect n old (fun o => clipped epsilon (pi o / old o) (if r o then omega_plus eps p else - omega_minus eps p)) =
  omega_plus eps p * expect n old (fun o => Rmin (pi o / old o) (1 + epsilon) * indicator (r o)) -
  omega_minus eps p * expect n old (fun o => Rmax (pi o / old o) (1 - epsilon) * indicator (negb (r o))).
Proof.
  intros n r epsilon eps p pi old Hc He Hp.
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; lra).
  assert (H1 : 0 <= omega_plus eps p) by (apply Rdiv_le_0_compat; lra).
  assert (H2 : 0 <= omega_minus eps p) by (apply Rdiv_le_0_compat; lra).
  rewrite <- !expect_scal, <- expect_minus. apply expect_ext. intros o _. unfold indicator. destruct (r o); simpl.
  - destruct H1 as [H1 | <-]; [rewrite clipped_positive by assumption; ring | rewrite clipped_zero; ring].
  - destruct H2 as [H2 | <-]; [rewrite clipped_negative by assumption; ring | rewrite Ropp_0, clipped_zero; ring].
Qed.

(** (5): without clipping only the success probability of the policy is left. *)
Theorem mr_eq5 : forall n (r : nat -> bool) beta eps p ref pi old, policy n pi -> absolutely_continuous n pi old ->
  expect n old (fun o => pi o / old o * (if r o then omega_plus eps p else - omega_minus eps p)) - beta * kl n pi ref =
    omega_plus eps p * success n r pi - omega_minus eps p * failure n r pi - beta * kl n pi ref /\
  omega_plus eps p * success n r pi - omega_minus eps p * failure n r pi = (success n r pi - p) / sqrt (p * (1 - p) +
    eps).
Proof.
  intros n r beta eps p ref pi old Hp Hac. split.
  - f_equal. rewrite change_of_measure by exact Hac. unfold success, failure.
    rewrite <- !expect_scal, <- expect_minus. apply expect_ext. intros o _. unfold indicator.
    destruct (r o); simpl; ring.
  - replace (failure n r pi) with (1 - success n r pi) by (pose proof (success_plus_failure n r pi Hp); lra).
    unfold omega_plus, omega_minus, Rdiv. ring.
Qed.

(** ** Remark 1: no smoothing *)

Lemma distance_from_one : forall beta eps p_ref p, 0 < beta -> 0 < p_ref < 1 -> 0 < p * (1 - p) + eps ->
  0 < 1 - success_map beta eps p_ref p <= (1 - p_ref) / p_ref * beta * sqrt (p * (1 - p) + eps).
Proof.
  intros beta eps p_ref p Hb Hr Hs. assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact Hs).
  unfold success_map. set (w := sqrt _) in *. set (A := (1 - p_ref) / p_ref).
    assert (HA : 0 < A) by (apply Rdiv_lt_0_compat; lra).
  set (y := 1 / beta * (1 / w)). assert (Hy : 0 < y) by (apply Rmult_lt_0_compat; apply Rdiv_lt_0_compat; lra).
  replace (- (1 / beta) * (1 / w)) with (- y) by (unfold y; ring).
  assert (HE : 0 < exp (- y)) by apply exp_pos.
  assert (HEy : exp (- y) <= beta * w).
  { rewrite exp_Ropp. replace (beta * w) with (/ y) by (unfold y; field; lra). apply Rinv_le_contravar; [exact Hy|].
    pose proof (exp_ineq1_le y). lra. }
  set (E := exp (- y)) in *. assert (HAE : 0 < A * E) by (apply Rmult_lt_0_compat; assumption).
  replace (1 - 1 / (1 + A * E)) with (A * E / (1 + A * E)) by (field; lra). split; [apply Rdiv_lt_0_compat; lra|].
  apply Rle_trans with (A * E).
  - apply Rmult_le_reg_r with (1 + A * E); [lra|]. replace (A * E / (1 + A * E) * (1 + A * E)) with (A * E) by (field;
    lra). nra.
  - rewrite Rmult_assoc. apply Rmult_le_compat_l; lra.
Qed.

(** Without smoothing h tends to one at both ends: with the value p_ref there, as 0/0 = 0 gives, it jumps;
  with the value
    one it is continuous, and one is a fixed point. *)
Theorem mr_rem1_discontinuity : forall beta p_ref, 0 < beta -> 0 < p_ref < 1 ->
  (forall e, 0 < e -> exists d, 0 < d /\ forall p, 0 < p < 1 -> p < d \/ 1 - d < p ->
    Rabs (success_map beta 0 p_ref p - 1) < e) /\
  (forall g, (forall p, 0 < p < 1 -> g p = success_map beta 0 p_ref p) -> g 0 = p_ref -> g 1 = p_ref ->
    ~ continuous_on unit_interval g) /\
  (forall g, (forall p, 0 < p < 1 -> g p = success_map beta 0 p_ref p) -> g 0 = 1 -> g 1 = 1 ->
    continuous_on unit_interval g).
Proof.
  intros beta p_ref Hb Hr. set (A := (1 - p_ref) / p_ref). assert (HA : 0 < A) by (apply Rdiv_lt_0_compat; lra).
  assert (HAb : 0 < A * beta) by (apply Rmult_lt_0_compat; assumption).
  assert (Hlim : forall e, 0 < e -> exists d, 0 < d /\ forall p, 0 < p < 1 -> p < d \/ 1 - d < p ->
    Rabs (success_map beta 0 p_ref p - 1) < e).
  { intros e He. set (c := e / (A * beta)). assert (Hc : 0 < c) by (apply Rdiv_lt_0_compat; assumption).
    exists (c * c). split; [apply Rmult_lt_0_compat; assumption|]. intros p Hp Hd.
    assert (Hs : 0 < p * (1 - p) + 0) by nra.
    destruct (distance_from_one beta 0 p_ref p Hb Hr Hs) as [H1 H2]. fold A in H2.
    assert (Hw : sqrt (p * (1 - p) + 0) < c).
    { rewrite <- (sqrt_square c) by lra. apply sqrt_lt_1_alt. split; [lra|]. destruct Hd; nra. }
    rewrite Rabs_minus_sym, Rabs_pos_eq by lra. apply Rle_lt_trans with (1 := H2).
    replace e with (A * beta * c) by (unfold c; field; lra). apply Rmult_lt_compat_l; assumption. }
  split; [exact Hlim|]. split.
  - intros g Hg H0 _ Hcont. destruct (Hlim ((1 - p_ref) / 2)) as [d [Hd Hnear]]; [lra|].
    destruct (continuous_on_eps unit_interval g Hcont 0 ltac:(unfold unit_interval, closed_interval;
      lra) ((1 - p_ref) / 2)) as [d' [Hd' Hc]]; [lra|].
    set (p := Rmin (1 / 2) (Rmin (d / 2) (d' / 2))).
    assert (Hp0 : 0 < p) by (unfold p; repeat apply Rmin_pos; lra).
    assert (p <= 1 / 2) by apply Rmin_l.
    assert (p <= d / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
    assert (p <= d' / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_r]).
    specialize (Hc p ltac:(unfold unit_interval, closed_interval; lra) ltac:(rewrite Rminus_0_r, Rabs_pos_eq; lra)).
    specialize (Hnear p ltac:(lra) ltac:(left; lra)). rewrite H0, (Hg p) in Hc by lra.
    apply Rabs_def2 in Hc. apply Rabs_def2 in Hnear. lra.
  - intros g Hg H0 H1. apply continuous_on_of_eps. intros p Hp e He. unfold unit_interval, closed_interval in Hp.
    assert (Hends : p = 0 \/ p = 1 \/ 0 < p < 1) by lra. destruct Hends as [-> | [-> | Hin]].
    + destruct (Hlim e He) as [d [Hd Hnear]]. exists (Rmin d 1). split; [apply Rmin_pos; lra|]. intros y Hy Hyd.
      unfold unit_interval, closed_interval in Hy. pose proof (Rmin_l d 1). pose proof (Rmin_r d 1).
        apply Rabs_def2 in Hyd.
      rewrite H0. destruct (Req_dec y 0) as [-> | Hne]; [rewrite H0, Rminus_eq_0, Rabs_R0; exact He|].
      rewrite Hg by lra. apply Hnear; lra.
    + destruct (Hlim e He) as [d [Hd Hnear]]. exists (Rmin d 1). split; [apply Rmin_pos; lra|]. intros y Hy Hyd.
      unfold unit_interval, closed_interval in Hy. pose proof (Rmin_l d 1). pose proof (Rmin_r d 1).
        apply Rabs_def2 in Hyd.
      rewrite H1. destruct (Req_dec y 1) as [-> | Hne]; [rewrite H1, Rminus_eq_0, Rabs_R0; exact He|].
      rewrite Hg by lra. apply Hnear; lra.
    + assert (Hcont : continuous_on (fun y => 0 < y < 1) (success_map beta 0 p_ref)).
      { apply continuous_on_derive with (success_slope beta 0 p_ref). intros y Hy. apply success_map_derive_wide; auto.
        nra. }
      destruct (continuous_on_eps _ _ Hcont p Hin e He) as [d [Hd Hc]].
      exists (Rmin d (Rmin p (1 - p))). split; [repeat apply Rmin_pos; lra|]. intros y Hy Hyd.
      pose proof (Rmin_l d (Rmin p (1 - p))). pose proof (Rmin_r d (Rmin p (1 - p))).
      pose proof (Rmin_l p (1 - p)). pose proof (Rmin_r p (1 - p)).
      assert (Hyin : 0 < y < 1) by (apply Rabs_def2 in Hyd; lra). rewrite !Hg by lra. apply Hc; [exact Hyin | lra].
Qed.

(** ** How the fixed points depend on the parameters *)

Lemma logit_increasing : forall x y, 0 < x < 1 -> 0 < y < 1 -> x < y -> logit x < logit y.
Proof.
  intros x y Hx Hy Hxy. apply ln_increasing; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_reg_r with ((1 - x) * (1 - y)); [apply Rmult_lt_0_compat; lra|].
  replace (x / (1 - x) * ((1 - x) * (1 - y))) with (x * (1 - y)) by (field; lra).
  replace (y / (1 - y) * ((1 - x) * (1 - y))) with (y * (1 - x)) by (field; lra). lra.
Qed.

Lemma logit_injective : forall x y, 0 < x < 1 -> 0 < y < 1 -> logit x = logit y -> x = y.
Proof.
  intros x y Hx Hy H. destruct (Rtotal_order x y) as [Hxy | [Hxy | Hxy]]; [|exact Hxy|];
  [pose proof (logit_increasing x y Hx Hy Hxy) | pose proof (logit_increasing y x Hy Hx Hxy)]; lra.
Qed.

(** A fixed point is where the log-odds gained are 1/(beta sqrt(p(1-p)+eps)). *)
Theorem mr_dyn_beta_curve : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  forall beta, 0 < beta ->
    (success_map beta eps p_ref p = p <-> beta = 1 / ((logit p - logit p_ref) * sqrt (p * (1 - p) + eps))) /\
    0 < 1 / ((logit p - logit p_ref) * sqrt (p * (1 - p) + eps)).
Proof.
  intros eps p_ref p He Hr Hp beta Hb.
  assert (Hl : 0 < logit p - logit p_ref) by (pose proof (logit_increasing p_ref p ltac:(lra) ltac:(lra) ltac:(lra));
    lra).
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; lra).
  assert (E : logit (success_map beta eps p_ref p) = logit p_ref + 1 / (beta * sqrt (p * (1 - p) + eps)))
    by (apply success_map_logit; lra).
  split; [|apply Rdiv_lt_0_compat; [lra | apply Rmult_lt_0_compat; assumption]].
  set (w := sqrt _) in *. set (L := logit p - logit p_ref) in *. split.
  - intros H. rewrite H in E. assert (HL : L = 1 / (beta * w)) by (unfold L; lra). rewrite HL. field. lra.
  - intros H. apply logit_injective; [pose proof (success_map_above beta eps p_ref p Hb He ltac:(lra) ltac:(lra));
    lra | lra |].
    rewrite E, H. replace (1 / (1 / (L * w) * w)) with L by (field; lra). unfold L. ring.
Qed.

(** beta as a function of the fixed point (mr_dyn_beta_curve). *)
Definition fixing_beta (eps p_ref p : R) : R := 1 / ((logit p - logit p_ref) * sqrt (p * (1 - p) + eps)).

Lemma logit_gain_pos : forall p_ref p, 0 < p_ref -> p_ref < p < 1 -> 0 < logit p - logit p_ref.
Proof. intros p_ref p Hr Hp. pose proof (logit_increasing p_ref p ltac:(lra) ltac:(lra) ltac:(lra)). lra. Qed.

Lemma fixing_beta_fixes : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  0 < fixing_beta eps p_ref p /\ success_map (fixing_beta eps p_ref p) eps p_ref p = p.
Proof.
  intros eps p_ref p He Hr Hp. destruct (mr_dyn_beta_curve eps p_ref p He Hr Hp 1 ltac:(lra)) as [_ H0].
  split; [exact H0|]. apply (mr_dyn_beta_curve eps p_ref p He Hr Hp); [exact H0 | reflexivity].
Qed.

(** h' along the curve, without beta. *)
Lemma slope_along_curve : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  success_slope (fixing_beta eps p_ref p) eps p_ref p
  = p * (1 - p) * (2 * p - 1) * (logit p - logit p_ref) / (2 * (p * (1 - p) + eps)).
Proof.
  intros eps p_ref p He Hr Hp. destruct (fixing_beta_fixes eps p_ref p He Hr Hp) as [Hb Hfix].
  assert (HS : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact HS).
  assert (Hww : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  pose proof (logit_gain_pos p_ref p Hr Hp) as HL.
  unfold success_slope. rewrite Hfix, Rpower_three_halves by exact HS. unfold fixing_beta.
  set (w := sqrt _) in *. set (L := logit p - logit p_ref) in *. rewrite <- Hww. field. lra.
Qed.

Lemma logit_derive : forall p, 0 < p < 1 -> is_derive logit p (/ (p * (1 - p))).
Proof.
  intros p Hp. unfold logit. auto_derive.
  - split; [lra|]. split; [|exact I]. apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
  - field. lra.
Qed.

Lemma fixing_beta_derive : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  is_derive (fixing_beta eps p_ref) p
    (- ((1 - success_slope (fixing_beta eps p_ref p) eps p_ref p) *
        (sqrt (p * (1 - p) + eps) / (p * (1 - p)) * fixing_beta eps p_ref p ^ 2))).
Proof.
  intros eps p_ref p He Hr Hp. rewrite slope_along_curve by assumption.
  assert (HS : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact HS).
  assert (Hww : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  pose proof (logit_gain_pos p_ref p Hr Hp) as HL.
  assert (Hm : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra).
  pose proof (logit_derive p ltac:(lra)) as HD. unfold fixing_beta.
  auto_derive.
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring.
    split; [exists (/ (p * (1 - p))); exact HD|]. split; [exact HS|]. split; [|exact I].
    apply Rgt_not_eq, Rmult_lt_0_compat; [unfold Rminus in HL; exact HL | exact Hw].
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring.
    replace (Derive (fun x => logit x) p) with (/ (p * (1 - p))) by (symmetry; apply is_derive_unique; exact HD).
    replace (logit p + - logit p_ref) with (logit p - logit p_ref) by ring.
    set (w := sqrt _) in *. set (L := logit p - logit p_ref) in *. rewrite <- Hww. field. lra.
Qed.

(** Along the curve of fixed points beta falls exactly where h' < 1 and rises exactly where h' > 1, which is above
    1/2. The slope of 1/beta along it is positive times 1 - h', and h' is a number of p and the references alone. *)
Theorem mr_dyn_fold : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  let slope := success_slope (fixing_beta eps p_ref p) eps p_ref p in
  exists d, is_derive (fixing_beta eps p_ref) p d /\
    (d < 0 <-> slope < 1) /\ (0 < d <-> 1 < slope) /\
    (d = 0 <-> p * (1 - p) * (2 * p - 1) * (logit p - logit p_ref) = 2 * (p * (1 - p) + eps)) /\
    (1 <= slope -> 1 / 2 < p) /\
    is_derive (fun x => (logit x - logit p_ref) * sqrt (x * (1 - x) + eps)) p
      (sqrt (p * (1 - p) + eps) / (p * (1 - p)) * (1 - slope)) /\
    slope = p * (1 - p) * (2 * p - 1) * (logit p - logit p_ref) / (2 * (p * (1 - p) + eps)) /\
    forall v, 0 < v -> (v * (1 - slope) < 0 <-> 1 < slope) /\ (0 < v * (1 - slope) <-> slope < 1).
Proof.
  intros eps p_ref p He Hr Hp slope.
  assert (Slope : slope = p * (1 - p) * (2 * p - 1) * (logit p - logit p_ref) / (2 * (p * (1 - p) + eps)))
    by (apply slope_along_curve; assumption).
  eexists. split; [apply fixing_beta_derive; assumption|]. fold slope.
  destruct (fixing_beta_fixes eps p_ref p He Hr Hp) as [Hb _].
  assert (HS : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (Hc : 0 < sqrt (p * (1 - p) + eps) / (p * (1 - p)) * fixing_beta eps p_ref p ^ 2).
  { apply Rmult_lt_0_compat; [|apply pow_lt; exact Hb].
    apply Rdiv_lt_0_compat; [apply sqrt_lt_R0; exact HS | apply Rmult_lt_0_compat; lra]. }
  set (c := _ * _ ^ 2) in *.
  assert (E : slope * (2 * (p * (1 - p) + eps)) = p * (1 - p) * (2 * p - 1) * (logit p - logit p_ref)).
  { unfold slope. rewrite slope_along_curve by assumption. field. lra. }
  pose proof (logit_gain_pos p_ref p Hr Hp) as HL.
  assert (Hm : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra).
  split; [split; intro; nra|]. split; [split; intro; nra|]. split; [split; intro; nra|]. split.
  2:{ split; [|split; [exact Slope | intros v Hv; split; split; intro; nra]]. rewrite Slope.
    apply (is_derive_ext_loc (fun x => (ln (x / (1 - x)) - logit p_ref) * sqrt (x * (1 - x) + eps))).
    { exists (mkposreal 1 Rlt_0_1). intros. reflexivity. }
    assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact HS).
    pose proof (sqrt_sqrt (p * (1 - p) + eps) ltac:(lra)) as Q. auto_derive.
    - repeat split; try lra. apply Rdiv_lt_0_compat; lra.
    - change (1 + - p) with (1 - p). change (ln (p * / (1 - p))) with (logit p).
      set (w := sqrt (p * (1 - p) + eps)) in *. rewrite <- Q. field. repeat split; lra. }
  intro H1.
  apply Rnot_le_lt. intro H2.
  assert (0 <= p * (1 - p) * (logit p - logit p_ref) * (1 - 2 * p)) by (apply Rmult_le_pos; [apply Rmult_le_pos|]; lra).
  nra.
Qed.

(** Below 1/2, beta falls along the curve. *)
Lemma fixing_beta_falls : forall eps p_ref p q, 0 < eps -> 0 < p_ref -> p_ref < p -> p < q <= 1 / 2 ->
  fixing_beta eps p_ref q < fixing_beta eps p_ref p.
Proof.
  intros eps p_ref p q He Hr Hp Hq. apply (Calculus.falls _ (Derive (fixing_beta eps p_ref)) p q ltac:(lra)).
  - intros x Hx. apply Derive_correct. eexists. apply fixing_beta_derive; lra.
  - intros x Hx. destruct (mr_dyn_fold eps p_ref x He Hr ltac:(lra)) as [d [Hd [H1 [_ [_ [H4 _]]]]]].
    rewrite (is_derive_unique _ _ _ Hd). apply H1. apply Rnot_le_lt. intro H. apply H4 in H. lra.
Qed.

Definition flip (eps p_ref p : R) : R :=
  p * (1 - p) * (1 - 2 * p) * (logit p - logit p_ref) - 2 * (p * (1 - p) + eps).

Lemma slope_against_flip : forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  (success_slope (fixing_beta eps p_ref p) eps p_ref p + 1) * (2 * (p * (1 - p) + eps)) = - flip eps p_ref p.
Proof.
  intros eps p_ref p He Hr Hp. rewrite slope_along_curve by assumption. unfold flip.
  assert (0 < p * (1 - p) + eps) by (apply radicand_pos; lra). field. lra.
Qed.

Ltac between := unfold flip, fixing_beta, logit; interval with (i_prec 60).

Lemma flip_positive : forall p, 7591 / 1000000 <= p <= 339802 / 1000000 -> 0 < flip (1 / 100000) (1 / 1000) p.
Proof.
  intros p Hp. unfold flip, logit. interval with (i_bisect p, i_autodiff p, i_prec 60, i_depth 30).
Qed.

Lemma flip_negative_low : forall p, 1 / 1000 < p <= 7590 / 1000000 -> flip (1 / 100000) (1 / 1000) p < 0.
Proof.
  intros p Hp. unfold flip, logit. interval with (i_bisect p, i_autodiff p, i_prec 60, i_depth 30).
Qed.

Lemma flip_negative_high : forall p, 339803 / 1000000 <= p <= 1 / 2 -> flip (1 / 100000) (1 / 1000) p < 0.
Proof.
  intros p Hp. unfold flip, logit. interval with (i_bisect p, i_autodiff p, i_prec 60, i_depth 30).
Qed.

(** Fixed points below 1/2 stop attracting where h' passes -1.  For p_ref = 1/1000 and eps = 1/100000 that is between
    two values of beta, 0.338 and 5.662 to three digits; at each of them h' = -1 for some beta. *)
Theorem mr_dyn_flip :
  (forall eps p_ref p, 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
     let slope := success_slope (fixing_beta eps p_ref p) eps p_ref p in
     (slope < -1 <-> 2 * (p * (1 - p) + eps) < p * (1 - p) * (1 - 2 * p) * (logit p - logit p_ref)) /\
     (1 / 2 <= p -> 0 <= slope)) /\
  (forall beta p, 0 < beta -> 0 <= p <= 1 / 2 -> success_map beta (1 / 100000) (1 / 1000) p = p ->
     let slope := success_slope beta (1 / 100000) (1 / 1000) p in
     (339 / 1000 <= beta <= 5661 / 1000 -> slope < -1) /\
     (beta <= 337 / 1000 \/ 5663 / 1000 <= beta -> -1 < slope <= 0)) /\
  forall near, near = 338 / 1000 \/ near = 5662 / 1000 -> exists beta p,
    Rabs (beta - near) < 1 / 1000 /\ 0 < p < 1 / 2 /\ success_map beta (1 / 100000) (1 / 1000) p = p /\
    success_slope beta (1 / 100000) (1 / 1000) p = -1.
Proof.
  split; [|split].
  - intros eps p_ref p He Hr Hp slope. pose proof (slope_against_flip eps p_ref p He Hr Hp) as E. fold slope in E.
    assert (HS : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra). unfold flip in E.
    split; [split; intro; nra|]. intro Hh. unfold slope. rewrite slope_along_curve by assumption.
    pose proof (logit_gain_pos p_ref p Hr Hp) as HL.
    apply Rdiv_le_0_compat; [|lra]. repeat apply Rmult_le_pos; lra.
  - intros beta p Hb Hp Hfix slope. set (eps := 1 / 100000) in *. set (r := 1 / 1000) in *.
    assert (Hr : r < p).
    { pose proof (success_map_above beta eps r p Hb ltac:(unfold eps; lra) ltac:(unfold r; lra) ltac:(lra)). lra. }
    assert (He : 0 < eps) by (unfold eps; lra). assert (Hr0 : 0 < r) by (unfold r; lra).
    assert (Hbp : beta = fixing_beta eps r p).
    { apply (mr_dyn_beta_curve eps r p He Hr0 ltac:(lra) beta Hb); exact Hfix. }
    pose proof (slope_against_flip eps r p He Hr0 ltac:(lra)) as E. rewrite <- Hbp in E. fold slope in E.
    assert (HS : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
    assert (order : forall q, r < q <= 1 / 2 -> p <= q -> fixing_beta eps r q <= beta).
    { intros q Hq [Hpq | ->]; rewrite Hbp; [left; apply fixing_beta_falls; lra | lra]. }
    assert (order' : forall q, r < q <= 1 / 2 -> q <= p -> beta <= fixing_beta eps r q).
    { intros q Hq [Hpq | <-]; rewrite Hbp; [left; apply fixing_beta_falls; lra | lra]. }
    split.
    + intros [H1 H2].
      assert (A : 7591 / 1000000 < p).
      { apply Rnot_le_lt. intro H. specialize (order (7591 / 1000000) ltac:(unfold r; lra) H).
        assert (5661 / 1000 < fixing_beta eps r (7591 / 1000000)) by (unfold eps, r; between). lra. }
      assert (B : p < 339802 / 1000000).
      { apply Rnot_le_lt. intro H. specialize (order' (339802 / 1000000) ltac:(unfold r; lra) H).
        assert (fixing_beta eps r (339802 / 1000000) < 339 / 1000) by (unfold eps, r; between). lra. }
      pose proof (flip_positive p ltac:(lra)) as F. fold eps r in F.
      apply (Rmult_lt_reg_r (2 * (p * (1 - p) + eps))); lra.
    + intro H. split.
      * assert (F : flip eps r p < 0); [|apply (Rmult_lt_reg_r (2 * (p * (1 - p) + eps))); lra]. destruct H as [H | H].
        -- apply flip_negative_high. split; [|lra]. apply Rnot_lt_le. intro Hlt.
           specialize (order (339803 / 1000000) ltac:(unfold r; lra) ltac:(lra)).
           assert (337 / 1000 < fixing_beta eps r (339803 / 1000000)) by (unfold eps, r; between). lra.
        -- apply flip_negative_low. split; [exact Hr|]. apply Rnot_lt_le. intro Hlt.
           specialize (order' (7590 / 1000000) ltac:(unfold r; lra) ltac:(lra)).
           assert (fixing_beta eps r (7590 / 1000000) < 5663 / 1000) by (unfold eps, r; between). lra.
      * destruct (success_slope_sign beta eps r p Hb He ltac:(unfold r; lra) ltac:(lra)) as [c [Hc Hs]].
        fold slope in Hs. nra.
  - assert (Hroot : forall a b, 1 / 1000 < a -> a < b -> b < 1 / 2 ->
      flip (1 / 100000) (1 / 1000) a <= 0 <= flip (1 / 100000) (1 / 1000) b \/
      flip (1 / 100000) (1 / 1000) b <= 0 <= flip (1 / 100000) (1 / 1000) a ->
      exists p, a <= p <= b /\
        success_map (fixing_beta (1 / 100000) (1 / 1000) p) (1 / 100000) (1 / 1000) p = p /\
        success_slope (fixing_beta (1 / 100000) (1 / 1000) p) (1 / 100000) (1 / 1000) p = -1 /\
        fixing_beta (1 / 100000) (1 / 1000) b <= fixing_beta (1 / 100000) (1 / 1000) p
          <= fixing_beta (1 / 100000) (1 / 1000) a).
    { intros a b Ha Hab Hb Hsign.
      destruct (intermediate_value (flip (1 / 100000) (1 / 1000)) a b 0) as [p [Hp H0]]; [lra | | exact Hsign |].
      - apply continuous_on_derive with (Derive (flip (1 / 100000) (1 / 1000))). intros x Hx. apply Derive_correct.
        unfold flip, logit, closed_interval in *. auto_derive.
        split; [lra|]. split; [|exact I]. apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra].
      - exists p. split; [exact Hp|]. split; [apply fixing_beta_fixes; lra|]. split.
        + pose proof (slope_against_flip (1 / 100000) (1 / 1000) p ltac:(lra) ltac:(lra) ltac:(lra)) as E.
          rewrite H0 in E. assert (0 < p * (1 - p) + 1 / 100000) by (apply radicand_pos; lra). nra.
        + split.
          * destruct (proj2 Hp) as [H | ->]; [left; apply fixing_beta_falls; lra | lra].
          * destruct (proj1 Hp) as [H | ->]; [left; apply fixing_beta_falls; lra | lra]. }
    intros near [-> | ->].
    + destruct (Hroot (339802 / 1000000) (339803 / 1000000)) as [p [Hp [Hfix [Hs Hb]]]]; try lra.
      { right. split; left; between. }
      exists (fixing_beta (1 / 100000) (1 / 1000) p), p. split; [|repeat split; try assumption; lra].
      assert (fixing_beta (1 / 100000) (1 / 1000) (339802 / 1000000) < 339 / 1000) by between.
      assert (337 / 1000 < fixing_beta (1 / 100000) (1 / 1000) (339803 / 1000000)) by between.
      apply Rabs_lt_between. lra.
    + destruct (Hroot (7590 / 1000000) (7591 / 1000000)) as [p [Hp [Hfix [Hs Hb]]]]; try lra.
      { left. split; left; between. }
      exists (fixing_beta (1 / 100000) (1 / 1000) p), p. split; [|repeat split; try assumption; lra].
      assert (fixing_beta (1 / 100000) (1 / 1000) (7590 / 1000000) < 5663 / 1000) by between.
      assert (5661 / 1000 < fixing_beta (1 / 100000) (1 / 1000) (7591 / 1000000)) by between.
      apply Rabs_lt_between. lra.
Qed.

(** A fixed point depends on the question through p_ref only, and does: each p in (0, 1)
  is a fixed point for exactly one
    p_ref, and every value of h increases with p_ref. *)
Theorem mr_fp_depends_q : forall beta eps, 0 < beta -> 0 < eps ->
  (forall p, 0 < p < 1 -> exists! p_ref, 0 < p_ref < 1 /\ success_map beta eps p_ref p = p) /\
  (forall p p_ref p_ref', 0 <= p <= 1 -> 0 < p_ref < p_ref' -> p_ref' < 1 ->
     success_map beta eps p_ref p < success_map beta eps p_ref' p).
Proof.
  intros beta eps Hb He.
  assert
    (Hinc : forall p p_ref p_ref', 0 <= p <= 1 -> 0 < p_ref < p_ref' -> p_ref' < 1 ->
      success_map beta eps p_ref p < success_map beta eps p_ref' p).
  { intros p p_ref p_ref' Hp Hr Hr'.
    assert (H1 : 0 < success_map beta eps p_ref p < 1)
      by (pose proof (success_map_above beta eps p_ref p Hb He ltac:(lra) Hp); lra).
    assert (H2 : 0 < success_map beta eps p_ref' p < 1)
      by (pose proof (success_map_above beta eps p_ref' p Hb He ltac:(lra) Hp); lra).
    destruct (Rlt_or_le (success_map beta eps p_ref p) (success_map beta eps p_ref' p)) as [H | H]; [exact H | exfalso].
    assert (Hl : logit p_ref < logit p_ref') by (apply logit_increasing; lra).
    pose proof (success_map_logit beta eps p_ref p Hb He ltac:(lra) Hp).
      pose proof (success_map_logit beta eps p_ref' p Hb He ltac:(lra) Hp).
    destruct H as [H | H]; [pose proof (logit_increasing _ _ H2 H1 H); lra | rewrite H in *; lra]. }
  split; [|exact Hinc]. intros p Hp.
  set (E := exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps)))). assert (HE : 0 < E) by apply exp_pos.
  assert (HpE : 0 < p * E) by (apply Rmult_lt_0_compat; lra).
  exists (p * E / (1 - p + p * E)). split.
  - assert (Hr : 0 < p * E / (1 - p + p * E) < 1).
    { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (1 - p + p * E); [lra|].
      replace (p * E / (1 - p + p * E) * (1 - p + p * E)) with (p * E) by (field; lra). lra. }
    split; [exact Hr|]. rewrite success_map_alt by lra. fold E. field. split; [lra|].
    replace (p * E + (1 - p + p * E - p * E) * E) with E by ring. lra.
  - intros q [Hq Hfix]. set (c := p * E / (1 - p + p * E)) in *.
    assert (Hc : 0 < c < 1 /\ success_map beta eps c p = p).
    { assert (Hr : 0 < c < 1).
      { unfold c. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (1 - p + p * E); [lra|].
        replace (p * E / (1 - p + p * E) * (1 - p + p * E)) with (p * E) by (field; lra). lra. }
      split; [exact Hr|]. rewrite success_map_alt by lra. fold E. unfold c. field. split; [lra|].
      replace (p * E + (1 - p + p * E - p * E) * E) with E by ring. lra. }
    destruct (Rtotal_order c q) as [H | [H | H]]; [|exact H|].
    + pose proof (Hinc p c q ltac:(lra) ltac:(lra) ltac:(lra)). lra.
    + pose proof (Hinc p q c ltac:(lra) ltac:(lra) ltac:(lra)). lra.
Qed.

(** As beta tends to 0 all fixed points tend to one, as it grows they tend to the reference. *)
Theorem mr_thm3_beta_limits : forall eps p_ref, 0 < eps -> 0 < p_ref < 1 ->
  (forall beta beta' p, 0 < beta < beta' -> 0 <= p <= 1 ->
    success_map beta' eps p_ref p < success_map beta eps p_ref p) /\
  forall e, 0 < e ->
  (exists b, 0 < b /\ forall beta p, 0 < beta < b -> 0 <= p <= 1 -> success_map beta eps p_ref p = p ->
    1 - e < p < 1) /\
  (exists b, 0 < b /\ forall beta p, b < beta -> 0 <= p <= 1 -> success_map beta eps p_ref p = p ->
    p_ref < p < p_ref + e).
Proof.
  intros eps p_ref He Hr. set (A := (1 - p_ref) / p_ref). assert (HA : 0 < A) by (apply Rdiv_lt_0_compat; lra).
  split.
  { intros beta beta' p Hb Hp. unfold success_map. fold A. set (w := sqrt (p * (1 - p) + eps)).
    assert (Hw : 0 < w) by (apply sqrt_lt_R0, radicand_pos; assumption).
    assert (exp (- (1 / beta) * (1 / w)) < exp (- (1 / beta') * (1 / w))).
    { apply exp_increasing, Rmult_lt_compat_r; [apply Rdiv_lt_0_compat; lra|]. apply Ropp_lt_contravar.
      unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra]. }
    assert (0 < A * exp (- (1 / beta) * (1 / w))) by (apply Rmult_lt_0_compat; [lra | apply exp_pos]).
    assert (A * exp (- (1 / beta) * (1 / w)) < A * exp (- (1 / beta') * (1 / w))) by (apply Rmult_lt_compat_l; lra).
    apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; [apply Rmult_lt_0_compat; lra | lra]. }
  intros e Hpos. split.
  - set (c := sqrt (1 / 4 + eps)). assert (Hc : 0 < c) by (apply sqrt_lt_R0; lra).
    exists (e / (A * c)). assert (HAc : 0 < A * c) by (apply Rmult_lt_0_compat; assumption).
    split; [apply Rdiv_lt_0_compat; assumption|]. intros beta p Hb Hp Hfix.
    destruct (distance_from_one beta eps p_ref p) as [H1 H2]; [lra | exact Hr | apply radicand_pos; assumption |].
    fold A in H2. rewrite Hfix in H1, H2. split; [|lra].
    assert (Hw : sqrt (p * (1 - p) + eps) <= c) by (apply sqrt_le_1_alt; pose proof (pow2_ge_0 (p - 1 / 2)); lra).
    assert (A * beta * sqrt (p * (1 - p) + eps) <= A * beta * c).
    { apply Rmult_le_compat_l; [apply Rmult_le_pos; lra | exact Hw]. }
    assert (beta * (A * c) < e).
    { apply Rlt_le_trans with (e / (A * c) * (A * c)); [apply Rmult_lt_compat_r; lra | apply Req_le; field; lra]. }
    lra.
  - set (s := sqrt eps). assert (Hs : 0 < s) by (apply sqrt_lt_R0; exact He).
    exists (1 / (e * s)). assert (Hes : 0 < e * s) by (apply Rmult_lt_0_compat; assumption).
    split; [apply Rdiv_lt_0_compat; lra|]. intros beta p Hb Hp Hfix.
    assert (Hb0 : 0 < beta) by (assert (0 < 1 / (e * s)) by (apply Rdiv_lt_0_compat; lra); lra).
    split; [apply (mr_abs_amplify beta eps); auto|].
    assert (Hw : s <= sqrt (p * (1 - p) + eps)) by (apply sqrt_le_1_alt; nra).
    rewrite <- Hfix. rewrite success_map_alt by lra. set (w := sqrt (p * (1 - p) + eps)) in *.
    set (y := 1 / beta * (1 / w)). replace (- (1 / beta) * (1 / w)) with (- y) by (unfold y; ring).
    assert (Hy : 0 < y) by (apply Rmult_lt_0_compat; apply Rdiv_lt_0_compat; lra).
    assert (Hye : y < e).
    { unfold y. apply Rmult_lt_reg_r with (beta * w); [apply Rmult_lt_0_compat; lra|].
      replace (1 / beta * (1 / w) * (beta * w)) with 1 by (field; lra).
      apply Rlt_le_trans with (e * (beta * s)).
      - apply (Rmult_lt_compat_r (e * s)) in Hb; [|exact Hes]. replace (1 / (e * s) * (e * s)) with 1 in Hb by (field;
        lra). lra.
      - apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_l; lra. }
    pose proof (exp_ineq1_le (- y)) as HE. pose proof (exp_pos (- y)) as HE0.
    assert (HE1 : exp (- y) < 1) by (rewrite <- exp_0; apply exp_increasing; lra). set (E := exp (- y)) in *.
    assert (HD : 0 < p_ref + (1 - p_ref) * E) by (assert (0 < (1 - p_ref) * E) by (apply Rmult_lt_0_compat; lra); lra).
    apply Rmult_lt_reg_r with (p_ref + (1 - p_ref) * E); [exact HD|].
    replace (p_ref / (p_ref + (1 - p_ref) * E) * (p_ref + (1 - p_ref) * E)) with p_ref by (field; lra).
    assert (H1 : p_ref * (1 - p_ref) * (1 - E) <= p_ref * (1 - p_ref) * y) by (apply Rmult_le_compat_l;
      [apply Rmult_le_pos; lra | lra]).
    assert (H2 : p_ref * (1 - p_ref) * y <= p_ref * y).
    { rewrite Rmult_assoc. apply Rmult_le_compat_l; [lra|]. assert (0 <= p_ref * y) by (apply Rmult_le_pos; lra). lra. }
    assert (H3 : p_ref * y < p_ref * e) by (apply Rmult_lt_compat_l; lra).
    assert (H4 : 0 <= e * ((1 - p_ref) * E)) by (apply Rmult_le_pos; [lra | apply Rmult_le_pos; lra]). lra.
Qed.

(** An attracting fixed point that the run from p_ref does not reach: p_ref = 1/2, beta = 5, eps = 1e-5. *)
Theorem mr_thm4_otherwords : exists p, 1 - 1 / 10000000000 < p < 1 /\
  success_map 5 (1 / 100000) (1 / 2) p = p /\ Rabs (success_slope 5 (1 / 100000) (1 / 2) p) < 1 /\
  forall x, x 0%nat = 1 / 2 -> iteration (success_map 5 (1 / 100000) (1 / 2)) x ->
    exists l, 1 / 2 < l < 61 / 100 /\ converges_to x l.
Proof.
  set (f := success_map 5 (1 / 100000) (1 / 2)).
  assert (H1 : f (61 / 100) < 61 / 100) by (unfold f; enclose).
  set (q := 1 - 1 / 10000000000).
  assert (H2 : q < f q) by (unfold q, f; enclose).
  assert (H3 : f 1 < 1) by (apply success_map_above; lra).
  destruct (success_map_crosses 5 (1 / 100000) (1 / 2) q 1) as [p [Hp Hfix]]; try (unfold q; lra); [fold f; lra|].
  exists p. assert (Hpu : 0 < p < 1) by (unfold q in Hp; lra).
  split; [exact Hp|]. split; [exact Hfix|]. split.
  - apply mr_lem1_bound; try lra. unfold beta_bound.
    rewrite Rpower_three_halves by (apply radicand_pos; lra).
    assert (Hpq : 1 - 1 / 10000000000 <= p <= 1) by (unfold q in Hp; lra). interval with (i_prec 60).
  - intros x H0 Hit. fold f in Hit.
    destruct (mr_dyn_monotone 5 (1 / 100000) (1 / 2) x) as [l [Hl [Hfl [Hleast [_ [_ Hlim]]]]]]; try lra; [exact Hit |].
    exists l. split; [|exact Hlim].
    destruct (success_map_crosses 5 (1 / 100000) (1 / 2) (1 / 2) (61 / 100)) as [c [Hc Hfc]]; try lra.
    + left. split; [apply mr_thm3_every_p; lra | exact H1].
    + assert (l <= c) by (apply Hleast; [lra | exact Hfc]). lra.
Qed.

(** Figure 5 for p_ref = 1/2, eps =
  1e-5: as beta falls from 8/5 to 7/5 the limit jumps from below 0.9 to within 1e-30 of one;
    one itself is never reached. *)
Theorem mr_fig5_transition : forall x y : nat -> R, x 0%nat = 1 / 2 ->
  iteration (success_map (8 / 5) (1 / 100000) (1 / 2)) x ->
  y 0%nat = 1 / 2 -> iteration (success_map (7 / 5) (1 / 100000) (1 / 2)) y ->
  (exists l, 1 / 2 < l < 9 / 10 /\ converges_to x l) /\ exists l, 1 - 1 / 10 ^ 30 < l < 1 /\ converges_to y l.
Proof.
  intros x y Hx0 Hx Hy0 Hy. split.
  - destruct (mr_dyn_monotone (8 / 5) (1 / 100000) (1 / 2) x) as [l [Hl [Hfl [Hleast [_ [_ Hlim]]]]]]; try lra;
    [exact Hx|].
    assert (H9 : success_map (8 / 5) (1 / 100000) (1 / 2) (9 / 10) < 9 / 10) by enclose.
    destruct (success_map_crosses (8 / 5) (1 / 100000) (1 / 2) (1 / 2) (9 / 10)) as [c [Hc Hfc]]; try lra.
    + left. split; [apply mr_thm3_every_p; lra | exact H9].
    + exists l. assert (l <= c) by (apply Hleast; [lra | exact Hfc]). split; [lra | exact Hlim].
  - destruct (mr_dyn_monotone (7 / 5) (1 / 100000) (1 / 2) y) as [l [Hl [Hfl [_ [_ [_ Hlim]]]]]]; try lra; [exact Hy|].
    exists l. split; [|exact Hlim]. split; [|lra].
    destruct (Rlt_or_le (1 - 1 / 10 ^ 30) l) as [H | H]; [exact H | exfalso].
    set (q := 1 - l). assert (Hq : 1 / 10 ^ 30 <= q <= 1 / 2) by (unfold q; lra).
    set (E := exp (- (1 / (7 / 5)) * (1 / sqrt (q * (1 - q) + 1 / 100000)))).
    assert (Hlift : 0 < q * (1 + E) - E).
    { destruct (Rle_or_lt q (1 / 100000)) as [Hsmall | Hlarge].
      - assert (HE : E < 1 / 10 ^ 31) by (unfold E; interval with (i_prec 80)).
        assert (0 < E) by apply exp_pos. assert (0 <= q * E) by (apply Rmult_le_pos; [|lra];
          apply Rle_trans with (2 := proj1 Hq); lra). lra.
      - unfold E. interval with (i_bisect q, i_prec 60, i_depth 30). }
    assert (HEq : l * (1 + E) = 1).
    { rewrite <- Hfl at 1. unfold success_map.
      replace (l * (1 - l)) with (q * (1 - q)) by (unfold q; ring). fold E.
      assert (0 < E) by apply exp_pos. field. lra. }
    unfold q in Hlift. lra.
Qed.

(** The paper says that one is almost always a fixed point; it never is, but one can be too near to it to be told
    apart in a plot. *)
Theorem mr_fig2_p1 :
  (forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> success_map beta eps p_ref 1 < 1) /\
  (forall beta p_ref, 0 < beta -> 0 < p_ref < 1 ->
     filterlim (fun eps => success_map beta eps p_ref 1) (at_right 0) (locally 1)) /\
  exists p, 1 - 1 / 10 ^ 30 < p < 1 /\ success_map 1 (1 / 100000) (1 / 2) p = p.
Proof.
  split; [|split].
  - intros beta eps p_ref Hb He Hr. apply success_map_above; auto; lra.
  - intros beta p_ref Hb Hr. set (A := (1 - p_ref) / p_ref * beta).
    assert (HA : 0 < A) by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat|]; lra).
    apply filterlim_locally. intros e. pose proof (cond_pos e) as Hpos.
    assert (Hd : 0 < (e / A) ^ 2) by (apply pow_lt, Rdiv_lt_0_compat; lra).
    assert (Near : forall eps : R, 0 < eps < (e / A) ^ 2 -> Rabs (success_map beta eps p_ref 1 - 1) < e).
    { intros eps He. destruct (distance_from_one beta eps p_ref 1 Hb Hr ltac:(lra)) as [D0 D1]. fold A in D1.
      replace (1 * (1 - 1) + eps) with eps in D1 by ring.
      assert (S : sqrt eps < e / A).
      { rewrite <- (sqrt_pow2 (e / A)) by (apply Rlt_le, Rdiv_lt_0_compat; lra). apply sqrt_lt_1_alt. lra. }
      rewrite Rabs_left by lra. apply (Rmult_lt_compat_l A) in S; [|exact HA].
      replace (A * (e / A)) with (pos e) in S by (field; lra). lra. }
    exists (mkposreal _ Hd). intros eps Hball He. apply Near. split; [exact He|].
    apply Rabs_def2 in Hball. change (minus eps 0) with (eps - 0) in Hball. simpl in Hball. lra.
  - destruct (success_map_crosses 1 (1 / 100000) (1 / 2) (1 - 1 / 10 ^ 30) 1) as [p [Hp Hfix]]; try lra.
    + left. split; [|apply success_map_above; lra]. unfold success_map.
      set (E := exp (- (1 / 1) * (1 / sqrt ((1 - 1 / 10 ^ 30) * (1 - (1 - 1 / 10 ^ 30)) + 1 / 100000)))).
      assert (HE : E < 1 / 10 ^ 31) by (unfold E; interval with (i_prec 120)). assert (0 < E) by apply exp_pos.
      replace ((1 - 1 / 2) / (1 / 2) * E) with E by field.
      apply (Rmult_lt_reg_r (1 + E)); [lra|]. replace (1 / (1 + E) * (1 + E)) with 1 by (field; lra). lra.
    + exists p. split; [exact Hp | exact Hfix].
Qed.

(** ** Remaining sentences of Sections 2, 5 and 6 *)

(** The objective of one question is strictly concave, so first-order conditions suffice. *)
Theorem mr_pf1_concave : forall n r beta eps p ref, 0 < beta -> full_support n ref ->
  concave_on_simplex n (rlhf n (signed_weight r eps p) beta ref) /\
  forall x y t, policy n x -> policy n y -> 0 < t < 1 -> (exists o, (o < n)%nat /\ x o <> y o) ->
    (1 - t) * rlhf n (signed_weight r eps p) beta ref x + t * rlhf n (signed_weight r eps p) beta ref y <
    rlhf n (signed_weight r eps p) beta ref (fun o => x o + t * (y o - x o)).
Proof. intros. apply regularised_reward_is_strictly_concave; assumption. Qed.

(** The next policy depends on the one that sampled through its success probabilities only: mean and variance of the
    rewards are p and p(1 - p). *)
Theorem mr_dependence_pn : forall m rho n r beta eps ref old old' pi,
  ((forall q, (q < m)%nat -> success (n q) (r q) (old q) = success (n q) (r q) (old' q)) ->
   iteration_objective m rho n r beta eps ref old pi = iteration_objective m rho n r beta eps ref old' pi) /\
  ((forall q, (q < m)%nat -> policy (n q) (old q)) ->
   expect m rho (fun q => expect (n q) (pi q) (fun o =>
     (indicator (r q o) - expect (n q) (old q) (fun i => indicator (r q i))) /
     sqrt (expect (n q) (old q) (fun i =>
       (indicator (r q i) - expect (n q) (old q) (fun j => indicator (r q j))) ^ 2) + eps))) -
   beta * expect m rho (fun q => kl (n q) (pi q) (ref q)) =
   iteration_objective m rho n r beta eps ref old pi).
Proof.
  intros m rho n r beta eps ref old old' pi. split; intros H; unfold iteration_objective; f_equal; apply expect_ext;
    intros q Hq; [rewrite (H q Hq); reflexivity|].
  change (expect (n q) (old q) (fun i => indicator (r q i))) with (success (n q) (r q) (old q)).
  rewrite (proj2 (mr_bernoulli (n q) (r q) (old q) (H q Hq))). fold (success (n q) (r q) (old q)).
  set (p := success (n q) (r q) (old q)). unfold success, failure. rewrite <- !expect_scal, <- expect_minus.
  apply expect_ext. intros o _.
  unfold omega_plus, omega_minus, indicator, Rdiv. destruct (r q o); simpl; ring.
Qed.

(** The policy from the reward, its mean and variance under the old policy, and the reference. *)
Theorem mr_abs_explicit_policy : forall n r beta eps ref old o, policy n ref -> policy n old -> 0 < beta -> 0 < eps ->
  next_policy n r beta eps ref (success n r old) o =
  ref o * exp ((indicator (r o) - expect n old (fun i => indicator (r i))) /
    (beta * sqrt (expect n old (fun i => (indicator (r i) - success n r old) ^ 2) + eps))) /
  normaliser beta eps (success n r ref) (success n r old).
Proof.
  intros n r beta eps ref old o Href Hold Hb He. rewrite (proj2 (mr_bernoulli n r old Hold)). fold (success n r old).
  pose proof (success_between n r old Hold) as Hp. set (p := success n r old) in *.
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; assumption).
  unfold next_policy, omega_plus, omega_minus. set (w := sqrt (p * (1 - p) + eps)) in *.
  replace (1 / beta * ((1 - p) / w * indicator (r o) - p / w * indicator (negb (r o)))) with ((indicator (r o) - p)
    / (beta * w)).
  - unfold Rdiv. ring.
  - unfold indicator. destruct (r o); simpl; field; lra.
Qed.

(** From p_n to p*: the bound on lim sup, and that the limit need not exist: three answers, two of them right. *)
Theorem mr_pf5_lim :
  (forall n r app exact delta total, (forall k, policy n (app k)) -> (forall k, policy n (exact k)) ->
     assumption_1 n app exact delta total ->
     limsup_at_most (fun k => Rabs (success n r (app k) - success n r (exact k))) total) /\
  forall u, 0 < u < 1 / 3 -> exists (r : nat -> bool) (app exact : nat -> nat -> R) (delta : nat -> R),
    (forall k, policy 3 (app k)) /\ (forall k, policy 3 (exact k)) /\ assumption_1 3 app exact delta u /\
    converges_to (fun k => success 3 r (exact k)) (2 / 3) /\
    forall l, ~ converges_to (fun k => Rabs (success 3 r (app k) - 2 / 3)) l.
Proof.
  split.
  - intros n r app exact delta total Happ Hex Hass eps Heps. exists 0%nat. intros k _.
    destruct (mr_assump1_telescopes n app exact delta total Hass k) as [H1 H2].
    pose proof (mr_pf5_bound n r (app k) (exact k) (Happ k) (Hex k)). lra.
  - intros u Hu.
    set (even := fun _ : nat => 1 / 3).
    set (between := fun o : nat => match o with 0%nat => 1 / 3 + u | 1%nat => 1 / 3 - u | _ => 1 / 3 end).
    set (across := fun o : nat => match o with 0%nat => 1 / 3 + u | 1%nat => 1 / 3 | _ => 1 / 3 - u end).
    set (app := fun k : nat => match k with O => even | S j => if Nat.even j then across else between end).
    exists (fun o => Nat.ltb o 2), app, (fun _ => even), (fun k => if Nat.eqb k 1 then u else 0).
    assert (Hpe : policy 3 even) by (split; [intros; unfold even; lra | unfold even; simpl; lra]).
    assert (Hpb : policy 3 between) by (split; [intros [|[|o]] Ho; unfold between; lra | unfold between; simpl; lra]).
    assert (Hpa : policy 3 across) by (split; [intros [|[|o]] Ho; unfold across; lra | unfold across; simpl; lra]).
    assert (Tb : tv 3 between even = u).
    { unfold tv, between, even. simpl. replace (1 / 3 + u - 1 / 3) with u by ring.
      replace (1 / 3 - u - 1 / 3) with (- u) by ring.
      rewrite Rminus_eq_0, Rabs_R0, Rabs_Ropp, Rabs_pos_eq by lra. field. }
    assert (Ta : tv 3 across even = u).
    { unfold tv, across, even. simpl. replace (1 / 3 + u - 1 / 3) with u by ring.
      replace (1 / 3 - u - 1 / 3) with (- u) by ring.
      rewrite Rminus_eq_0, Rabs_R0, Rabs_Ropp, Rabs_pos_eq by lra. field. }
    assert (Te : tv 3 even even = 0) by (unfold tv; simpl; rewrite !Rminus_eq_0, Rabs_R0; field).
    assert (Htv : forall k, tv 3 (app (S k)) even = u) by (intro k; unfold app; destruct (Nat.even k); assumption).
    assert (Hsum : forall k, Sum (S k) (fun i => if Nat.eqb (S i) 1 then u else 0) = u).
    { induction k as [|k IH]; [simpl; ring|]. change (Sum (S k) (fun i => if Nat.eqb (S i) 1 then u else 0) + 0 = u).
      rewrite IH. ring. }
    split; [intros [|k]; [exact Hpe | unfold app; destruct (Nat.even k); assumption]|]. split; [intros _; exact Hpe|].
    split; [|split].
    + split; [reflexivity|]. split; [intros [|k]; simpl; lra|]. split.
      * intros [|k]; rewrite Htv; [change (app 0%nat) with even; rewrite Te | rewrite Htv]; simpl; lra.
      * apply converges_to_shift. apply (is_lim_seq_ext (fun _ => u)); [intro k; rewrite Hsum;
        reflexivity | apply converges_to_const].
    + apply (is_lim_seq_ext (fun _ => 2 / 3)); [|apply converges_to_const]. intro k. unfold success, expect, even.
      simpl. field.
    + intros l Hl. apply converges_to_shift in Hl.
      assert (Hodd : l = u).
      { apply (converges_to_unique (fun n => Rabs (success 3 (fun o => Nat.ltb o 2) (app (S (2 * n))) - 2 / 3))).
        - apply (converges_to_even (fun k => Rabs (success 3 (fun o => Nat.ltb o 2) (app (S k)) - 2 / 3))). exact Hl.
        - apply (is_lim_seq_ext (fun _ => u)); [|apply converges_to_const]. intro n. unfold app. rewrite Nat.even_mul.
          simpl.
          unfold success, expect, across. simpl.
          replace (0 + (1 / 3 + u) * 1 + 1 / 3 * 1 + (1 / 3 - u) * 0 - 2 / 3) with u by field.
            rewrite Rabs_pos_eq by lra. reflexivity. }
      assert (Heven : l = 0).
      { apply (converges_to_unique (fun n => Rabs (success 3 (fun o => Nat.ltb o 2) (app (S (S (2 * n)))) - 2 / 3))).
        - apply (converges_to_odd (fun k => Rabs (success 3 (fun o => Nat.ltb o 2) (app (S k)) - 2 / 3))). exact Hl.
        - apply (is_lim_seq_ext (fun _ => 0)); [|apply converges_to_const]. intro n. unfold app.
          rewrite Nat.even_succ, <- Nat.negb_even, Nat.even_mul. simpl.
          unfold success, expect, between. simpl.
          replace (0 + (1 / 3 + u) * 1 + (1 / 3 - u) * 1 + 1 / 3 * 0 - 2 / 3) with 0 by field. rewrite Rabs_R0.
            reflexivity. }
      lra.
Qed.

(** Approximate policies converge if their distance tends to zero. *)
Theorem mr_s5_still_converges : forall n r app exact p, (forall k, policy n (app k)) ->
  (forall k, policy n (exact k)) ->
  converges_to (fun k => tv n (app k) (exact k)) 0 -> converges_to (fun k => success n r (exact k)) p ->
  converges_to (fun k => success n r (app k)) p.
Proof.
  intros n r app exact p Happ Hex Htv Hlim. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps _ _) Htv (eps / 2)) as [N HN]; [lra|].
  destruct (proj1 (converges_to_eps _ _) Hlim (eps / 2)) as [K HK]; [lra|].
  exists (max N K). intros k Hk. specialize (HN k ltac:(lia)). specialize (HK k ltac:(lia)).
  pose proof (mr_pf5_bound n r (app k) (exact k) (Happ k) (Hex k)). apply Rabs_def2 in HN.
  replace (success n r (app k) - p) with ((success n r (app k) - success n r (exact k)) + (success n r (exact k) - p))
    by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. lra.
Qed.

(** Mild assumptions: p_ref >= 1/2 is one and is enough; an attracting fixed point is none, as Figure 5 shows. *)
Theorem mr_concl_mild :
  (forall beta eps p_ref x, 0 < beta -> 0 < eps -> 1 / 2 <= p_ref < 1 -> x 0%nat = p_ref ->
     iteration (success_map beta eps p_ref) x ->
     exists p, p_ref < p < 1 /\ success_map beta eps p_ref p = p /\ converges_to x p) /\
  exists p, 1 - 1 / 10000000000 < p < 1 /\
    success_map 5 (1 / 100000) (1 / 1000) p = p /\ Rabs (success_slope 5 (1 / 100000) (1 / 1000) p) < 1 /\
    forall x, x 0%nat = 1 / 1000 -> iteration (success_map 5 (1 / 100000) (1 / 1000)) x -> forall l, ~ converges_to x l.
Proof.
  split.
  - intros beta eps p_ref x Hb He Hr H0 Hit. apply mr_abs_converges; auto; lra.
  - set (f := success_map 5 (1 / 100000) (1 / 1000)). set (q := 1 - 1 / 10000000000).
    assert (H2 : q < f q) by (unfold q, f; enclose).
    assert (H3 : f 1 < 1) by (apply success_map_above; lra).
    destruct (success_map_crosses 5 (1 / 100000) (1 / 1000) q 1) as [p [Hp Hfix]]; try (unfold q; lra); [fold f; lra|].
    exists p. assert (Hpu : 0 < p < 1) by (unfold q in Hp; lra).
    split; [exact Hp|]. split; [exact Hfix|]. split.
    + apply mr_lem1_bound; try lra. unfold beta_bound. rewrite Rpower_three_halves by (apply radicand_pos; lra).
      assert (Hpq : 1 - 1 / 10000000000 <= p <= 1) by (unfold q in Hp; lra). interval with (i_prec 60).
    + intros x H0 Hit. apply (mr_fig5_divergent x H0 Hit).
Qed.
