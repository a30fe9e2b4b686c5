(** * The recursion of the success probability

    Mroueh (2025): questions q < m of weight rho q, answers o < n q to each, a verifiable reward r q o (true or
    false), and the map whose iterates are the success probabilities of the optimal policies. *)

From Coq Require Import Reals Lra Lia Psatz.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Rules.

Open Scope R_scope.

(** ** Policies and rewards *)

Definition indicator (b : bool) : R := if b then 1 else 0.

(** (2), (7): the probability that an answer drawn from pi has reward one. *)
Definition success (n : nat) (r : nat -> bool) (pi : nat -> R) : R := expect n pi (fun o => indicator (r o)).

Definition failure (n : nat) (r : nat -> bool) (pi : nat -> R) : R := expect n pi (fun o => indicator (negb (r o))).

(** (4): the weights of right and of wrong answers. *)
Definition omega_plus (eps p : R) : R := (1 - p) / sqrt (p * (1 - p) + eps).

Definition omega_minus (eps p : R) : R := p / sqrt (p * (1 - p) + eps).

(** Policies that may be compared with the reference: their divergence from it is finite. *)
Definition admissible (m : nat) (n : nat -> nat) (ref pi : nat -> nat -> R) : Prop :=
  forall q, (q < m)%nat -> policy (n q) (pi q) /\ absolutely_continuous (n q) (pi q) (ref q).

(** What the iteration maximises over pi, with the weights frozen at the policy [old]. *)
Definition iteration_objective (m : nat) (rho : nat -> R) (n : nat -> nat) (r : nat -> nat -> bool) (beta eps : R)
    (ref old pi : nat -> nat -> R) : R :=
  expect m rho (fun q =>
    omega_plus eps (success (n q) (r q) (old q)) * success (n q) (r q) (pi q)
    - omega_minus eps (success (n q) (r q) (old q)) * failure (n q) (r q) (pi q))
  - beta * expect m rho (fun q => kl (n q) (pi q) (ref q)).

(** (GRPO Iterations): pi_0 is the reference, and each policy maximises the objective frozen at the one before. *)
Definition grpo_iterations (m : nat) (rho : nat -> R) (n : nat -> nat) (r : nat -> nat -> bool) (beta eps : R)
    (ref : nat -> nat -> R) (pis : nat -> nat -> nat -> R) : Prop :=
  (forall q o, (q < m)%nat -> (o < n q)%nat -> pis 0%nat q o = ref q o) /\
  forall k, admissible m n ref (pis (S k)) /\
    forall pi, admissible m n ref pi ->
      iteration_objective m rho n r beta eps ref (pis k) pi <=
      iteration_objective m rho n r beta eps ref (pis k) (pis (S k)).

(** Theorem 1's normaliser and policy, for the success probability p of the policy that sampled. *)
Definition normaliser (beta eps p_ref p : R) : R :=
  p_ref * exp (1 / beta * omega_plus eps p) + (1 - p_ref) * exp (- (1 / beta) * omega_minus eps p).

Definition next_policy (n : nat) (r : nat -> bool) (beta eps : R) (ref : nat -> R) (p : R) (o : nat) : R :=
  1 / normaliser beta eps (success n r ref) p * ref o *
  exp (1 / beta * (omega_plus eps p * indicator (r o) - omega_minus eps p * indicator (negb (r o)))).

(** ** The map h *)

Definition success_map (beta eps p_ref p : R) : R :=
  1 / (1 + (1 - p_ref) / p_ref * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps)))).

(** h'(p), as Proposition 1 prints it. *)
Definition success_slope (beta eps p_ref p : R) : R :=
  - success_map beta eps p_ref p * (1 - success_map beta eps p_ref p) *
  ((1 - 2 * p) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2))).

(** The bound B of Lemma 1. *)
Definition beta_bound (eps p : R) : R :=
  p * (1 - p) * (Rabs (2 * p - 1) / (2 * Rpower (p * (1 - p) + eps) (3 / 2))).

Definition logit (p : R) : R := ln (p / (1 - p)).

Definition unit_interval : R -> Prop := closed_interval 0 1.

Lemma unit_is_interval : interval unit_interval.
Proof. intros x y z Hx Hy Hz. unfold unit_interval, closed_interval in *. lra. Qed.

Lemma closed_is_interval : forall a b, interval (closed_interval a b).
Proof. intros a b x y z Hx Hy Hz. unfold closed_interval in *. lra. Qed.

Lemma success_plus_failure : forall n r pi, policy n pi -> success n r pi + failure n r pi = 1.
Proof.
  intros n r pi [_ H1]. unfold success, failure. rewrite <- expect_plus.
  rewrite (expect_ext n pi _ (fun _ => 1)).
  - unfold expect. rewrite Sum_scal_r, H1. ring.
  - intros o _. unfold indicator. destruct (r o); simpl; lra.
Qed.

Lemma indicator_between : forall b, 0 <= indicator b <= 1.
Proof. intros []; simpl; lra. Qed.

Lemma success_between : forall n r pi, policy n pi -> 0 <= success n r pi <= 1.
Proof.
  intros n r pi Hp. split.
  - apply Sum_nonneg. intros o Ho. apply Rmult_le_pos; [apply (proj1 Hp o Ho) | apply indicator_between].
  - rewrite <- (expect_const n pi 1 Hp). apply expect_le; [exact Hp|]. intros. apply indicator_between.
Qed.

Lemma radicand_pos : forall eps p, 0 < eps -> 0 <= p <= 1 -> 0 < p * (1 - p) + eps.
Proof. intros eps p He Hp. nra. Qed.

Lemma Rpower_three_halves : forall x, 0 < x -> Rpower x (3 / 2) = x * sqrt x.
Proof.
  intros x Hx. replace (3 / 2) with (1 + / 2) by field. rewrite Rpower_plus, Rpower_1, Rpower_sqrt by exact Hx.
    reflexivity.
Qed.

(** The odds of h are those of the reference, multiplied by a number above one. *)
Lemma success_map_alt : forall beta eps p_ref p, 0 < p_ref <= 1 ->
  success_map beta eps p_ref p = p_ref / (p_ref + (1 - p_ref) * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps)))).
Proof.
  intros beta eps p_ref p H. unfold success_map. set (E := exp _).
  assert (0 < E) by apply exp_pos. assert (0 <= (1 - p_ref) * E) by (apply Rmult_le_pos; lra). field. lra.
Qed.

Lemma gain_negative : forall beta eps p, 0 < beta -> 0 < eps -> 0 <= p <= 1 ->
  - (1 / beta) * (1 / sqrt (p * (1 - p) + eps)) < 0.
Proof.
  intros beta eps p Hb He Hp. assert (0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; assumption).
  assert (0 < 1 / beta) by (apply Rdiv_lt_0_compat; lra).
  assert (0 < 1 / sqrt (p * (1 - p) + eps)) by (apply Rdiv_lt_0_compat; lra). nra.
Qed.

Lemma success_map_above : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  p_ref < success_map beta eps p_ref p < 1.
Proof.
  intros beta eps p_ref p Hb He Hr Hp. rewrite success_map_alt by lra.
  pose proof (gain_negative beta eps p Hb He Hp) as Hg. set (x := - (1 / beta) * _) in *.
  assert (H0 : 0 < exp x) by apply exp_pos. assert (H1 : exp x < 1) by (rewrite <- exp_0; apply exp_increasing;
    exact Hg).
  set (E := exp x) in *. assert (Hd : 0 < p_ref + (1 - p_ref) * E) by nra. split.
  - apply Rmult_lt_reg_r with (p_ref + (1 - p_ref) * E); [exact Hd|].
    replace (p_ref / (p_ref + (1 - p_ref) * E) * (p_ref + (1 - p_ref) * E)) with p_ref by (field; lra).
    assert (0 < p_ref * (1 - p_ref) * (1 - E)) by (repeat apply Rmult_lt_0_compat; lra). lra.
  - apply Rmult_lt_reg_r with (p_ref + (1 - p_ref) * E); [exact Hd|].
    replace (p_ref / (p_ref + (1 - p_ref) * E) * (p_ref + (1 - p_ref) * E)) with p_ref by (field; lra).
    assert (0 < (1 - p_ref) * E) by (apply Rmult_lt_0_compat; lra). lra.
Qed.

Lemma success_map_unit : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  0 <= success_map beta eps p_ref p <= 1.
Proof. intros. pose proof (success_map_above beta eps p_ref p). lra. Qed.

(** h is differentiable wherever the root is, which is a little more than the unit interval. *)
Lemma success_map_derive_wide : forall beta eps p_ref p, 0 < beta -> 0 < p_ref < 1 -> 0 < p * (1 - p) + eps ->
  is_derive (success_map beta eps p_ref) p (success_slope beta eps p_ref p).
Proof.
  intros beta eps p_ref p Hb Hr Hs. unfold success_slope. rewrite Rpower_three_halves by exact Hs.
  assert (Hq : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact Hs).
  assert (Hqq : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  assert (Hk : 0 < (1 - p_ref) / p_ref) by (apply Rdiv_lt_0_compat; lra).
  unfold success_map. auto_derive.
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring. repeat split; try assumption; try lra.
    set (E := exp _). assert (0 < E) by apply exp_pos.
    assert (0 < (1 - p_ref) / p_ref * E) by (apply Rmult_lt_0_compat; assumption).
    replace ((1 + - p_ref) * / p_ref) with ((1 - p_ref) / p_ref) by (unfold Rdiv; ring). lra.
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring.
    set (S := p * (1 - p) + eps) in *. set (w := sqrt S) in *.
    change (1 / w) with (1 * / w). set (E := exp (- (1 / beta) * (1 * / w))). assert (0 < E) by apply exp_pos.
    assert (Hd : 0 < p_ref + (1 - p_ref) * E) by nra.
    replace S with (w * w) by exact Hqq. field. repeat split; try lra.
Qed.

Lemma success_map_derive : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  is_derive (success_map beta eps p_ref) p (success_slope beta eps p_ref p).
Proof. intros. apply success_map_derive_wide; auto. apply radicand_pos; assumption. Qed.

Lemma success_map_continuous : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  continuous_on unit_interval (success_map beta eps p_ref).
Proof.
  intros beta eps p_ref Hb He Hr. apply continuous_on_derive with (success_slope beta eps p_ref).
  intros p Hp. apply success_map_derive; auto.
Qed.

(** The slope is a positive number times 2p - 1. *)
Lemma success_slope_sign : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  exists c, 0 < c /\ success_slope beta eps p_ref p = c * (2 * p - 1).
Proof.
  intros beta eps p_ref p Hb He Hr Hp. pose proof (success_map_above beta eps p_ref p Hb He Hr Hp).
  set (h := success_map beta eps p_ref p) in *.
  assert (HR : 0 < Rpower (p * (1 - p) + eps) (3 / 2)) by apply exp_pos.
  exists (h * (1 - h) / (2 * beta * Rpower (p * (1 - p) + eps) (3 / 2))). split.
  - apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|].
    apply Rmult_lt_0_compat; [lra | exact HR].
  - unfold success_slope. fold h. field. lra.
Qed.

Lemma success_map_decreasing : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  strictly_decreasing_on (closed_interval 0 (1 / 2)) (success_map beta eps p_ref).
Proof.
  intros beta eps p_ref Hb He Hr.
  apply strictly_decreasing_if_derivative_negative with (success_slope beta eps p_ref);
    [apply closed_is_interval | | |].
  - apply continuous_on_incl with unit_interval; [|apply success_map_continuous; assumption].
    intros x Hx. unfold unit_interval, closed_interval in *. lra.
  - intros x [a [b [Ha [Hb' Hx]]]]. unfold closed_interval in *. apply success_map_derive; auto; lra.
  - intros x [a [b [Ha [Hb' Hx]]]]. unfold closed_interval in *.
    destruct (success_slope_sign beta eps p_ref x) as [c [Hc ->]]; auto; [lra|]. nra.
Qed.

Lemma success_map_increasing : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  strictly_increasing_on (closed_interval (1 / 2) 1) (success_map beta eps p_ref).
Proof.
  intros beta eps p_ref Hb He Hr.
  apply strictly_increasing_if_derivative_positive with (success_slope beta eps p_ref);
    [apply closed_is_interval | | |].
  - apply continuous_on_incl with unit_interval; [|apply success_map_continuous; assumption].
    intros x Hx. unfold unit_interval, closed_interval in *. lra.
  - intros x [a [b [Ha [Hb' Hx]]]]. unfold closed_interval in *. apply success_map_derive; auto; lra.
  - intros x [a [b [Ha [Hb' Hx]]]]. unfold closed_interval in *.
    destruct (success_slope_sign beta eps p_ref x) as [c [Hc ->]]; auto; [lra|]. nra.
Qed.

Lemma success_map_symmetric : forall beta eps p_ref p,
  success_map beta eps p_ref (1 - p) = success_map beta eps p_ref p.
Proof. intros. unfold success_map. replace ((1 - p) * (1 - (1 - p))) with (p * (1 - p)) by ring. reflexivity. Qed.

Lemma success_map_least_at_half : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  p <> 1 / 2 -> success_map beta eps p_ref (1 / 2) < success_map beta eps p_ref p.
Proof.
  intros beta eps p_ref p Hb He Hr Hp Hne. destruct (Rtotal_order p (1 / 2)) as [H | [H | H]]; [| contradiction |].
  - apply success_map_decreasing; auto; unfold closed_interval; lra.
  - apply success_map_increasing; auto; unfold closed_interval; lra.
Qed.

(** The odds gained. *)
Lemma success_map_logit : forall beta eps p_ref p, 0 < beta -> 0 < eps -> 0 < p_ref < 1 -> 0 <= p <= 1 ->
  logit (success_map beta eps p_ref p) = logit p_ref + 1 / (beta * sqrt (p * (1 - p) + eps)).
Proof.
  intros beta eps p_ref p Hb He Hr Hp. unfold logit.
  assert (Hw : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, radicand_pos; assumption).
  rewrite success_map_alt by lra. set (w := sqrt _) in *.
  assert (HE : 0 < exp (- (1 / beta) * (1 / w))) by apply exp_pos.
  assert (Hx : 1 / (beta * w) = - (- (1 / beta) * (1 / w))) by (field; lra).
  rewrite Hx. rewrite <- (ln_exp (- (- (1 / beta) * (1 / w)))), exp_Ropp. set (E := exp _) in *.
  rewrite <- ln_mult; [f_equal; assert (0 < p_ref + (1 - p_ref) * E) by nra; field; repeat split; try lra; nra
    | apply Rdiv_lt_0_compat; lra | apply Rinv_0_lt_compat; exact HE].
Qed.
