(** Mroueh (2025): the recursion of the success probability, for every reference. It has at most three fixed points; and
    on the log-odds it contracts, for a beta above the largest lower bound of Lemma 1, which is sharp. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Rules Calculus Mroueh.
Open Scope R_scope.

Lemma rolle (f df : R -> R) (a b : R) : a < b -> (forall x, a <= x <= b -> is_derive f x (df x)) -> f a = f b ->
  exists c, a < c < b /\ df c = 0.
Proof.
  intros H D E. destruct (MVT_cor2 f df a b H) as (c & E' & Hc).
  - intros x Hx. apply is_derive_Reals, D, Hx.
  - exists c. split; [exact Hc|]. rewrite E in E'. apply (Rmult_eq_reg_r (b - a)); lra.
Qed.

(** ** At most three fixed points *)

(** 1/beta along the curve of fixed points; its slope; and where it turns above 1/2, that is where [turns] vanishes. *)
Definition inverse_beta (eps p_ref p : R) : R := (logit p - logit p_ref) * sqrt (p * (1 - p) + eps).

Definition turns (eps p_ref p : R) : R :=
  logit p - logit p_ref - 2 * (p * (1 - p) + eps) / (p * (1 - p) * (2 * p - 1)).

Lemma inverse_beta_derive eps p_ref p : 0 < eps -> 0 < p < 1 -> is_derive (inverse_beta eps p_ref) p
  ((2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p))
   / (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p)))).
Proof.
  intros He Hp. assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (WW : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  pose proof (logit_derive p Hp) as D. unfold inverse_beta. auto_derive.
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring. split; [exists (/ (p * (1 - p))); exact D | lra].
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring.
    replace (Derive (fun x => logit x) p) with (/ (p * (1 - p))) by (symmetry; apply is_derive_unique, D).
    set (w := sqrt _) in *. rewrite <- WW. field. repeat split; nra.
Qed.

Lemma turns_derive eps p_ref p : 1 / 2 < p < 1 -> is_derive (turns eps p_ref) p
  ((1 + 4 * eps - (1 + 12 * eps) * (2 * p - 1) ^ 2) / (4 * (p * (1 - p) * (2 * p - 1)) ^ 2)).
Proof.
  intros Hp. pose proof (logit_derive p ltac:(lra)) as D. unfold turns.
  assert (P : 0 < p * (1 - p) * (2 * p - 1)) by (repeat apply Rmult_lt_0_compat; lra).
  auto_derive.
  - split; [exists (/ (p * (1 - p))); exact D|]. split; [lra | trivial].
  - replace (Derive (fun x => logit x) p) with (/ (p * (1 - p))) by (symmetry; apply is_derive_unique, D).
    field. repeat split; lra.
Qed.

(** Where 1/beta has slope zero, p is above 1/2 and [turns] vanishes. *)
Lemma turning eps p_ref p : 0 < eps -> 0 < p_ref -> p_ref < p < 1 ->
  (2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p))
   / (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p))) = 0 -> 1 / 2 < p /\ turns eps p_ref p = 0.
Proof.
  intros He Hr Hp E. assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (M : 0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra).
  pose proof (logit_increasing p_ref p ltac:(lra) ltac:(lra) ltac:(lra)) as L.
  assert (Z : 2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p) = 0).
  { apply (Rmult_eq_reg_r (/ (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p))))).
    - rewrite Rmult_0_l. exact E.
    - apply Rinv_neq_0_compat. apply Rgt_not_eq. repeat apply Rmult_lt_0_compat; lra. }
  assert (LM : 0 < (logit p - logit p_ref) * (p * (1 - p))) by (apply Rmult_lt_0_compat; lra).
  assert (H : 1 / 2 < p).
  { destruct (Rlt_le_dec (1 / 2) p) as [|N]; [assumption|]. exfalso.
    assert (0 <= (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p)) by (apply Rmult_le_pos; lra). lra. }
  split; [exact H|]. unfold turns.
  apply (Rmult_eq_reg_r (p * (1 - p) * (2 * p - 1))); [|apply Rgt_not_eq, Rmult_lt_0_compat; lra].
  rewrite Rmult_0_l. field_simplify; [|repeat split; lra]. lra.
Qed.

Lemma two_turns eps p_ref a b c : 0 < eps -> 1 / 2 < a -> a < b -> b < c -> c < 1 ->
  turns eps p_ref a = 0 -> turns eps p_ref b = 0 -> turns eps p_ref c = 0 -> False.
Proof.
  intros He Ha Hab Hbc Hc Za Zb Zc.
  set (d := fun p => (1 + 4 * eps - (1 + 12 * eps) * (2 * p - 1) ^ 2) / (4 * (p * (1 - p) * (2 * p - 1)) ^ 2)).
  destruct (rolle (turns eps p_ref) d a b Hab) as (x & Hx & Zx); [intros; apply turns_derive; lra | lra |].
  destruct (rolle (turns eps p_ref) d b c Hbc) as (y & Hy & Zy); [intros; apply turns_derive; lra | lra |].
  assert (N : forall z, 1 / 2 < z < 1 -> d z = 0 -> (1 + 12 * eps) * (2 * z - 1) ^ 2 = 1 + 4 * eps).
  { intros z Hz E. unfold d in E.
    assert (P : 0 < z * (1 - z) * (2 * z - 1)) by (repeat apply Rmult_lt_0_compat; lra).
    assert (Q : 0 < 4 * (z * (1 - z) * (2 * z - 1)) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt, P]).
    apply (f_equal (fun v => v * (4 * (z * (1 - z) * (2 * z - 1)) ^ 2))) in E.
    unfold Rdiv in E. rewrite Rmult_assoc, Rinv_l, Rmult_0_l in E by lra. lra. }
  pose proof (N x ltac:(lra) Zx) as Ex. pose proof (N y ltac:(lra) Zy) as Ey.
  assert ((2 * x - 1) ^ 2 < (2 * y - 1) ^ 2) by nra. nra.
Qed.

(** Whatever p_ref, beta and eps are: no four numbers are fixed. *)
Theorem mr_dyn_at_most_three : forall beta eps p_ref, 0 < beta -> 0 < eps -> 0 < p_ref < 1 ->
  forall a b c d, 0 <= a -> a < b -> b < c -> c < d -> d <= 1 ->
  ~ (success_map beta eps p_ref a = a /\ success_map beta eps p_ref b = b /\
     success_map beta eps p_ref c = c /\ success_map beta eps p_ref d = d).
Proof.
  intros beta eps p_ref Hb He Hr a b c d Ha Hab Hbc Hcd Hd (Fa & Fb & Fc & Fd).
  assert (In : forall p, 0 <= p <= 1 -> success_map beta eps p_ref p = p -> p_ref < p < 1).
  { intros p Hp F. split; [apply (mr_abs_amplify beta eps p_ref p); assumption|].
    rewrite <- F. unfold success_map.
    assert (Q : 0 < (1 - p_ref) / p_ref * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps))))
      by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply exp_pos]).
    apply (Rmult_lt_reg_r (1 + (1 - p_ref) / p_ref * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps))))); [lra|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (V : forall p, 0 <= p <= 1 -> success_map beta eps p_ref p = p -> inverse_beta eps p_ref p = / beta).
  { intros p Hp F. destruct (In p Hp F) as [H1 H2].
    apply (proj1 (mr_dyn_beta_curve eps p_ref p He ltac:(lra) ltac:(lra) beta Hb)) in F.
    unfold inverse_beta. rewrite F. unfold Rdiv. rewrite Rmult_1_l, Rinv_inv. reflexivity. }
  destruct (In a ltac:(lra) Fa), (In d ltac:(lra) Fd).
  pose proof (V a ltac:(lra) Fa). pose proof (V b ltac:(lra) Fb). pose proof (V c ltac:(lra) Fc).
  pose proof (V d ltac:(lra) Fd).
  set (s := fun p => (2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p))
   / (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p)))).
  destruct (rolle (inverse_beta eps p_ref) s a b Hab) as (x & Hx & Zx);
    [intros; apply inverse_beta_derive; lra | lra |].
  destruct (rolle (inverse_beta eps p_ref) s b c Hbc) as (y & Hy & Zy);
    [intros; apply inverse_beta_derive; lra | lra |].
  destruct (rolle (inverse_beta eps p_ref) s c d Hcd) as (z & Hz & Zz);
    [intros; apply inverse_beta_derive; lra | lra |].
  destruct (turning eps p_ref x He ltac:(lra) ltac:(lra) Zx) as [Ux Tx].
  destruct (turning eps p_ref y He ltac:(lra) ltac:(lra) Zy) as [Uy Ty].
  destruct (turning eps p_ref z He ltac:(lra) ltac:(lra) Zz) as [Uz Tz].
  apply (two_turns eps p_ref x y z); try assumption; lra.
Qed.

(** ** On the log-odds the recursion contracts *)

(** The largest lower bound of Lemma 1, over all success probabilities, and where it is attained. *)
Definition largest_bound (eps : R) : R := 1 / ((1 + 4 * eps) * sqrt (27 * eps)).
Definition steepest (eps : R) : R := (1 + sqrt ((1 + 4 * eps) / (1 + 12 * eps))) / 2.

(** The slope of the map of log-odds at the success probability p. *)
Definition logit_slope (beta eps p : R) : R :=
  p * (1 - p) * (2 * p - 1) / (2 * beta * ((p * (1 - p) + eps) * sqrt (p * (1 - p) + eps))).

Lemma largest_square eps : 0 < eps -> 0 < largest_bound eps /\ largest_bound eps ^ 2 = / (27 * eps * (1 + 4 * eps) ^ 2).
Proof.
  intros He. assert (W : 0 < sqrt (27 * eps)) by (apply sqrt_lt_R0; lra).
  assert (WW : sqrt (27 * eps) * sqrt (27 * eps) = 27 * eps) by (apply sqrt_sqrt; lra).
  unfold largest_bound. split; [apply Rdiv_lt_0_compat; nra|].
  replace (27 * eps * (1 + 4 * eps) ^ 2) with ((1 + 4 * eps) ^ 2 * (sqrt (27 * eps) * sqrt (27 * eps)))
    by (rewrite WW; ring).
  field. split; lra.
Qed.

Lemma slope_square beta eps p : 0 < beta -> 0 < eps -> 0 <= p <= 1 ->
  (beta * logit_slope beta eps p) ^ 2
  = (p * (1 - p)) ^ 2 * (1 - 4 * (p * (1 - p))) / (4 * (p * (1 - p) + eps) ^ 3).
Proof.
  intros Hb He Hp. assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (WW : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  unfold logit_slope. set (w := sqrt _) in *. set (T := p * (1 - p) + eps) in *.
  replace (4 * T ^ 3) with (4 * T ^ 2 * (w * w)) by (rewrite WW; ring). field. repeat split; lra.
Qed.

(** 27 eps (1 + 4 eps)^2 m^2 (1 - 4 m) is at most 4 (m + eps)^3, m = p (1 - p): the difference is a square times a
    positive factor, and vanishes at [steepest]. *)
Lemma slope_gap m eps : 4 * (m + eps) ^ 3 - 27 * eps * (1 + 4 * eps) ^ 2 * (m ^ 2 * (1 - 4 * m))
  = ((m + eps) * (1 + 12 * eps) - 3 * eps * (1 + 4 * eps)) ^ 2
    * (4 * (1 + 3 * eps) * (m + eps) - 3 * eps * (1 + 4 * eps)).
Proof. ring. Qed.

Lemma slope_bounded beta eps p : 0 < beta -> 0 < eps -> 0 <= p <= 1 ->
  Rabs (logit_slope beta eps p) <= largest_bound eps / beta.
Proof.
  intros Hb He Hp. destruct (largest_square eps He) as [K K2].
  assert (M : 0 <= p * (1 - p)) by (apply Rmult_le_pos; lra).
  assert (S : 0 < (p * (1 - p) + eps) ^ 3) by (apply pow_lt; lra).
  assert (C : 0 < 27 * eps * (1 + 4 * eps) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]).
  assert (B : (beta * logit_slope beta eps p) ^ 2 <= largest_bound eps ^ 2).
  { rewrite slope_square, K2 by lra. pose proof (slope_gap (p * (1 - p)) eps) as G.
    set (m := p * (1 - p)) in *.
    assert (0 <= ((m + eps) * (1 + 12 * eps) - 3 * eps * (1 + 4 * eps)) ^ 2
      * (4 * (1 + 3 * eps) * (m + eps) - 3 * eps * (1 + 4 * eps))) by (apply Rmult_le_pos; [apply pow2_ge_0 | nra]).
    apply (Rmult_le_reg_r (4 * (m + eps) ^ 3 * (27 * eps * (1 + 4 * eps) ^ 2)));
      [apply Rmult_lt_0_compat; lra|].
    replace (m ^ 2 * (1 - 4 * m) / (4 * (m + eps) ^ 3) * (4 * (m + eps) ^ 3 * (27 * eps * (1 + 4 * eps) ^ 2)))
      with (27 * eps * (1 + 4 * eps) ^ 2 * (m ^ 2 * (1 - 4 * m))) by (field; lra).
    replace (/ (27 * eps * (1 + 4 * eps) ^ 2) * (4 * (m + eps) ^ 3 * (27 * eps * (1 + 4 * eps) ^ 2)))
      with (4 * (m + eps) ^ 3) by (field; lra). lra. }
  apply (Rmult_le_reg_l beta); [exact Hb|].
  replace (beta * (largest_bound eps / beta)) with (largest_bound eps) by (field; lra).
  rewrite <- (Rabs_pos_eq beta) at 1 by lra. rewrite <- Rabs_mult, <- (Rabs_pos_eq (largest_bound eps)) by lra.
  apply Rsqr_le_abs_0. unfold Rsqr. nra.
Qed.

Lemma steepest_slope eps : 0 < eps -> 1 / 2 < steepest eps < 1 /\
  forall beta, 0 < beta -> logit_slope beta eps (steepest eps) = largest_bound eps / beta /\
    logit_slope beta eps (1 - steepest eps) = - (largest_bound eps / beta).
Proof.
  intros He. set (q := (1 + 4 * eps) / (1 + 12 * eps)). assert (Hq : 0 < q < 1).
  { unfold q. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_lt_reg_r (1 + 12 * eps)); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (U : 0 < sqrt q < 1).
  { split; [apply sqrt_lt_R0; lra|]. rewrite <- sqrt_1. apply sqrt_lt_1_alt. lra. }
  assert (UU : sqrt q * sqrt q = q) by (apply sqrt_sqrt; lra).
  assert (H : 1 / 2 < steepest eps < 1) by (unfold steepest; fold q; lra). split; [exact H|]. intros beta Hb.
  destruct (largest_square eps He) as [K K2].
  assert (C : 0 < 27 * eps * (1 + 4 * eps) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]).
  set (p := steepest eps) in *.
  assert (M : p * (1 - p) = 2 * eps / (1 + 12 * eps)).
  { unfold p, steepest. fold q.
    replace ((1 + sqrt q) / 2 * (1 - (1 + sqrt q) / 2)) with ((1 - sqrt q * sqrt q) / 4) by field.
    rewrite UU. unfold q. field. lra. }
  assert (E : logit_slope beta eps p = largest_bound eps / beta).
  { assert (P : 0 < logit_slope beta eps p).
    { unfold logit_slope. assert (0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra).
      assert (0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; lra).
      apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra|].
      apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; lra]. }
    assert (Sq : (beta * logit_slope beta eps p) ^ 2 = largest_bound eps ^ 2).
    { rewrite slope_square, K2, M by lra. field. repeat split; try lra; nra. }
    assert (R : beta * logit_slope beta eps p = largest_bound eps).
    { apply Rsqr_inj; [apply Rlt_le, Rmult_lt_0_compat; lra | lra | unfold Rsqr; lra]. }
    rewrite <- R. field. lra. }
  split; [exact E|]. rewrite <- E. unfold logit_slope.
  replace ((1 - p) * (1 - (1 - p))) with (p * (1 - p)) by ring.
  assert (0 < p * (1 - p)) by (apply Rmult_lt_0_compat; lra).
  assert (0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; lra). field. repeat split; lra.
Qed.

Lemma sigmoid_range t : 0 < sigmoid t < 1.
Proof.
  unfold sigmoid. pose proof (exp_pos (- t)). split; [apply Rinv_0_lt_compat; lra|].
  apply (Rmult_lt_reg_r (1 + exp (- t))); [lra|]. rewrite Rinv_l by lra. lra.
Qed.

Lemma sigmoid_logit p : 0 < p < 1 -> sigmoid (logit p) = p.
Proof.
  intros Hp. unfold sigmoid, logit. assert (O : 0 < p / (1 - p)) by (apply Rdiv_lt_0_compat; lra).
  rewrite exp_Ropp, exp_ln by exact O. field. repeat split; lra.
Qed.

(** The map of log-odds. *)
Definition logit_map (beta eps p_ref t : R) : R :=
  logit p_ref + 1 / (beta * sqrt (sigmoid t * (1 - sigmoid t) + eps)).

Lemma logit_map_derive beta eps p_ref t : 0 < beta -> 0 < eps ->
  is_derive (logit_map beta eps p_ref) t (logit_slope beta eps (sigmoid t)).
Proof.
  intros Hb He. pose proof (sigmoid_range t) as Hs. destruct (mr_lem3_1 t) as [_ D].
  assert (S : 0 < sigmoid t * (1 - sigmoid t) + eps) by (apply radicand_pos; lra).
  apply (is_derive_ext (fun t => (fun p => logit p_ref + 1 / (beta * sqrt (p * (1 - p) + eps))) (sigmoid t)));
    [reflexivity|].
  set (p := sigmoid t) in *. assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (WW : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  replace (logit_slope beta eps p)
    with (p * (1 - p) * ((2 * p - 1) / (2 * beta * ((p * (1 - p) + eps) * sqrt (p * (1 - p) + eps)))))
    by (unfold logit_slope; field; repeat split; lra).
  apply (derive_comp (fun p => logit p_ref + 1 / (beta * sqrt (p * (1 - p) + eps))) sigmoid t); [|exact D].
  fold p. auto_derive.
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring. repeat split; [exact S | nra].
  - replace (p * (1 + - p) + eps) with (p * (1 - p) + eps) by ring. set (w := sqrt _) in *. rewrite <- WW.
    field. repeat split; lra.
Qed.

Lemma logit_map_lipschitz beta eps p_ref s t : 0 < beta -> 0 < eps ->
  Rabs (logit_map beta eps p_ref t - logit_map beta eps p_ref s) <= largest_bound eps / beta * Rabs (t - s).
Proof.
  intros Hb He.
  apply (lipschitz_if_derivative_bounded (fun _ => True) (logit_map beta eps p_ref)
    (fun t => logit_slope beta eps (sigmoid t))); trivial.
  - intros x y z _ _ _. exact I.
  - apply (continuous_on_derive _ _ (fun t => logit_slope beta eps (sigmoid t))). intros x _.
    apply logit_map_derive; assumption.
  - intros x _. apply logit_map_derive; assumption.
  - intros x _. apply slope_bounded; [exact Hb | exact He | pose proof (sigmoid_range x); lra].
Qed.

(** For a beta above the largest bound: distances of log-odds shrink by a factor below one in every step, and the
    recursion converges to the only fixed point, from every start and for every reference.  For a beta below it some
    reference has a fixed point from which the recursion is driven away, with a slope above 1, and another one with a
    slope below -1. *)
Theorem mr_logit_contraction :
  (forall beta eps p_ref, 0 < eps -> largest_bound eps < beta -> 0 < p_ref < 1 ->
     (forall p q, 0 < p < 1 -> 0 < q < 1 ->
        Rabs (logit (success_map beta eps p_ref p) - logit (success_map beta eps p_ref q))
        <= largest_bound eps / beta * Rabs (logit p - logit q)) /\ largest_bound eps / beta < 1 /\
     exists p, 0 < p < 1 /\ success_map beta eps p_ref p = p /\
       (forall q, 0 <= q <= 1 -> success_map beta eps p_ref q = q -> q = p) /\
       forall x, 0 <= x 0%nat <= 1 -> iteration (success_map beta eps p_ref) x -> converges_to x p) /\
  (forall beta eps, 0 < eps -> 0 < beta < largest_bound eps ->
     (exists p_ref p d, 0 < p_ref < 1 /\ 0 < p < 1 /\ success_map beta eps p_ref p = p /\
        is_derive (success_map beta eps p_ref) p d /\ 1 < d) /\
     exists p_ref p d, 0 < p_ref < 1 /\ 0 < p < 1 /\ success_map beta eps p_ref p = p /\
        is_derive (success_map beta eps p_ref) p d /\ d < -1).
Proof.
  split.
  - intros beta eps p_ref He HK Hr. destruct (largest_square eps He) as [K _]. assert (Hb : 0 < beta) by lra.
    set (k := largest_bound eps / beta) in *.
    assert (Hk : 0 < k < 1).
    { unfold k. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_lt_reg_r beta); [exact Hb|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Conj : forall p, 0 < p < 1 -> logit (success_map beta eps p_ref p) = logit_map beta eps p_ref (logit p)).
    { intros p Hp. rewrite success_map_logit by lra. unfold logit_map. rewrite sigmoid_logit by exact Hp. reflexivity. }
    assert (Inside : forall p, 0 <= p <= 1 -> 0 < success_map beta eps p_ref p < 1).
    { intros p Hp. unfold success_map.
      assert (Q : 0 < (1 - p_ref) / p_ref * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps))))
        by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | apply exp_pos]).
      set (c := 1 + (1 - p_ref) / p_ref * exp (- (1 / beta) * (1 / sqrt (p * (1 - p) + eps)))) in *.
      assert (Hc : 1 < c) by (unfold c; lra). split; [apply Rdiv_lt_0_compat; lra|].
      apply (Rmult_lt_reg_r c); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    split; [|split; [lra|]].
    + intros p q Hp Hq. rewrite !Conj by assumption. apply logit_map_lipschitz; assumption.
    + set (a := logit p_ref). set (b := logit p_ref + 1 / (beta * sqrt eps)).
      assert (We : 0 < sqrt eps) by (apply sqrt_lt_R0, He).
      assert (Hab : a <= b) by (unfold a, b; assert (0 < 1 / (beta * sqrt eps)) by (apply Rdiv_lt_0_compat; nra); lra).
      assert (Range : forall t, a <= logit_map beta eps p_ref t <= b).
      { intros t. unfold logit_map, a, b. pose proof (sigmoid_range t) as Hs.
        assert (M : 0 < sigmoid t * (1 - sigmoid t)) by (apply Rmult_lt_0_compat; lra).
        assert (L : sqrt eps <= sqrt (sigmoid t * (1 - sigmoid t) + eps)) by (apply sqrt_le_1_alt; lra).
        assert (0 < 1 / (beta * sqrt (sigmoid t * (1 - sigmoid t) + eps))) by (apply Rdiv_lt_0_compat; nra).
        assert (1 / (beta * sqrt (sigmoid t * (1 - sigmoid t) + eps)) <= 1 / (beta * sqrt eps)).
        { unfold Rdiv. rewrite !Rmult_1_l. apply Rinv_le_contravar; nra. }
        lra. }
      destruct (contraction_converges (logit_map beta eps p_ref) a b k Hab) as (t & [Ht Ft] & Uniq & Conv); [lra | | |].
      { intros u v _ _. apply logit_map_lipschitz; assumption. }
      { intros u _. apply Range. }
      pose proof (sigmoid_range t) as Hs.
      assert (Back : forall p, 0 < p < 1
        -> success_map beta eps p_ref p = sigmoid (logit_map beta eps p_ref (logit p))).
      { intros p Hp. rewrite <- Conj by exact Hp. symmetry. apply sigmoid_logit, Inside. lra. }
      assert (Lsig : logit (sigmoid t) = t).
      { unfold logit, sigmoid. pose proof (exp_pos (- t)).
        replace (/ (1 + exp (- t)) / (1 - / (1 + exp (- t)))) with (/ exp (- t)) by (field; repeat split; lra).
        rewrite exp_Ropp, Rinv_inv. apply ln_exp. }
      exists (sigmoid t). split; [exact Hs|]. split; [rewrite Back, Lsig, Ft by exact Hs; reflexivity|]. split.
      * intros q Hq Fq. pose proof (Inside q Hq) as Iq. rewrite Fq in Iq.
        assert (E : logit_map beta eps p_ref (logit q) = logit q) by (rewrite <- Conj, Fq by exact Iq; reflexivity).
        rewrite <- (Uniq (logit q)); [symmetry; apply sigmoid_logit, Iq | rewrite <- E; apply Range | exact E].
      * intros x H0 Hit.
        assert (Un : forall n, 0 <= x n <= 1).
        { induction n as [|n IH]; [exact H0|]. rewrite Hit. pose proof (Inside (x n) IH). lra. }
        set (y := fun n => logit (x (S n))).
        assert (In : forall n, 0 < x (S n) < 1) by (intros n; rewrite Hit; apply Inside, Un).
        assert (Hy : iteration (logit_map beta eps p_ref) y).
        { intros n. unfold y. rewrite (Hit (S n)). apply Conj, In. }
        assert (Hy1 : iteration (logit_map beta eps p_ref) (fun n => y (S n))) by (intros n; apply Hy).
        assert (Hy0 : a <= y 1%nat <= b) by (rewrite (Hy 0%nat); apply Range).
        destruct (Conv (fun n => y (S n)) Hy0 Hy1) as [_ C].
        assert (C2 : is_lim_seq (fun n => sigmoid (y (S n))) (sigmoid t)).
        { apply is_lim_seq_continuous; [|exact C]. apply continuity_pt_filterlim.
          apply (derive_continuous _ _ _ (proj2 (mr_lem3_1 t))). }
        unfold converges_to. apply (is_lim_seq_incr_n x 2).
        apply (is_lim_seq_ext (fun n => sigmoid (y (S n)))); [|exact C2].
        intros n. unfold y. rewrite sigmoid_logit by apply In. f_equal. lia.
  - intros beta eps He Hb. destruct (steepest_slope eps He) as [Hs E]. destruct (E beta ltac:(lra)) as [E1 E2].
    assert (Big : 1 < largest_bound eps / beta).
    { apply (Rmult_lt_reg_r beta); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
    assert (Fix : forall p, 0 < p < 1 -> exists p_ref, 0 < p_ref < 1 /\ success_map beta eps p_ref p = p /\
      is_derive (success_map beta eps p_ref) p (logit_slope beta eps p)).
    { intros p Hp. set (t := logit p - 1 / (beta * sqrt (p * (1 - p) + eps))).
      pose proof (sigmoid_range t) as Ht. exists (sigmoid t). split; [exact Ht|].
      assert (Lt : logit (sigmoid t) = t).
      { unfold logit, sigmoid. pose proof (exp_pos (- t)).
        replace (/ (1 + exp (- t)) / (1 - / (1 + exp (- t)))) with (/ exp (- t)) by (field; repeat split; lra).
        rewrite exp_Ropp, Rinv_inv. apply ln_exp. }
      assert (F : success_map beta eps (sigmoid t) p = p).
      { assert (L : logit (success_map beta eps (sigmoid t) p) = logit p)
          by (rewrite success_map_logit by lra; rewrite Lt; unfold t; ring).
        assert (I : 0 < success_map beta eps (sigmoid t) p < 1).
        { pose proof (success_map_above beta eps (sigmoid t) p ltac:(lra) He Ht ltac:(lra)). lra. }
        rewrite <- (sigmoid_logit _ I), L. apply sigmoid_logit, Hp. }
      split; [exact F|]. pose proof (proj1 (proj2 (mr_lem1 beta eps (sigmoid t) p ltac:(lra) He Ht ltac:(lra))) F) as D.
      assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
      rewrite Rpower_three_halves in D by exact S.
      replace (logit_slope beta eps p) with
        (p * (1 - p) * ((2 * p - 1) / (2 * beta * ((p * (1 - p) + eps) * sqrt (p * (1 - p) + eps))))); [exact D|].
      assert (0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S). unfold logit_slope. field. repeat split; lra. }
    split.
    + destruct (Fix (steepest eps) ltac:(lra)) as (p_ref & Hr & F & D).
      exists p_ref, (steepest eps), (logit_slope beta eps (steepest eps)).
      split; [exact Hr|]. split; [lra|]. split; [exact F|]. split; [exact D | lra].
    + destruct (Fix (1 - steepest eps) ltac:(lra)) as (p_ref & Hr & F & D).
      exists p_ref, (1 - steepest eps), (logit_slope beta eps (1 - steepest eps)).
      split; [exact Hr|]. split; [lra|]. split; [exact F|]. split; [exact D | lra].
Qed.

(** Remark 2: over a family of questions, the supremum of the lower bounds does for all of them at once, and it is
    finite: no larger than the largest bound, which is attained. *)
Lemma bound_is_slope eps p : 0 < eps -> 0 <= p <= 1 -> beta_bound eps p = Rabs (logit_slope 1 eps p).
Proof.
  intros He Hp. assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; assumption).
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (M : 0 <= p * (1 - p)) by (apply Rmult_le_pos; lra).
  unfold beta_bound, logit_slope. rewrite Rpower_three_halves by exact S. set (w := sqrt _) in *.
  replace (p * (1 - p) * (2 * p - 1) / (2 * 1 * ((p * (1 - p) + eps) * w)))
    with (p * (1 - p) / (2 * ((p * (1 - p) + eps) * w)) * (2 * p - 1)) by (field; repeat split; lra).
  rewrite Rabs_mult, (Rabs_pos_eq (_ / _)); [field; repeat split; lra|].
  apply Rdiv_le_0_compat; [exact M|]. apply Rmult_lt_0_compat; [lra | apply Rmult_lt_0_compat; assumption].
Qed.

Theorem mr_rem2_uniform : forall (Q : Type) (beta eps : R) (p_ref p : Q -> R) (b : R), 0 < beta -> 0 < eps ->
  (forall q, 0 < p_ref q < 1 /\ 0 <= p q <= 1 /\ success_map beta eps (p_ref q) (p q) = p q) ->
  is_lub (fun y => exists q, y = beta_bound eps (p q)) b ->
  (b < beta -> forall q, Rabs (success_slope beta eps (p_ref q) (p q)) <= b / beta /\ b / beta < 1) /\
  b <= 1 / ((1 + 4 * eps) * sqrt (27 * eps)) /\
  beta_bound eps (steepest eps) = 1 / ((1 + 4 * eps) * sqrt (27 * eps)).
Proof.
  intros Q beta eps p_ref p b Hb He Hq [Hub Hlub]. fold (largest_bound eps). split; [|split].
  - intros Hlt q. destruct (Hq q) as [Hr [Hp Hfix]]. split.
    + rewrite slope_at_fixed_point by assumption. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; exact Hb|].
      apply Hub. exists q. reflexivity.
    + apply Rmult_lt_reg_r with beta; [exact Hb|]. replace (b / beta * beta) with b by (field; lra). lra.
  - apply Hlub. intros y [q ->]. destruct (Hq q) as [_ [Hp _]]. rewrite bound_is_slope by assumption.
    pose proof (slope_bounded 1 eps (p q) ltac:(lra) He Hp). lra.
  - destruct (steepest_slope eps He) as [Hs E]. destruct (E 1 ltac:(lra)) as [E1 _].
    destruct (largest_square eps He) as [K _].
    rewrite bound_is_slope, E1 by lra. rewrite Rabs_pos_eq by lra. field.
Qed.

(** So above that bound there is one fixed point, whatever p_ref is, and it attracts. *)
Theorem mr_lem1_all_beta : forall beta eps p_ref, 0 < eps -> 0 < p_ref < 1 ->
  1 / ((1 + 4 * eps) * sqrt (27 * eps)) < beta ->
  exists p, (0 <= p <= 1 /\ success_map beta eps p_ref p = p) /\
    (forall q, 0 <= q <= 1 -> success_map beta eps p_ref q = q -> q = p) /\
    Rabs (success_slope beta eps p_ref p) < 1 /\
    exists delta k, 0 < delta /\ 0 <= k < 1 /\ forall x, p - delta <= x 0%nat <= p + delta ->
      iteration (success_map beta eps p_ref) x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros beta eps p_ref He Hr Hbig. destruct (largest_square eps He) as [K _]. fold (largest_bound eps) in Hbig.
  destruct (proj1 mr_logit_contraction beta eps p_ref He Hbig Hr) as (_ & _ & p & Hp & Hfix & Only & _).
  assert (Hlt : Rabs (success_slope beta eps p_ref p) < 1).
  { apply mr_lem1_bound; try lra. rewrite bound_is_slope by lra.
    pose proof (slope_bounded 1 eps p ltac:(lra) He ltac:(lra)).
    lra. }
  exists p. split; [split; [lra | exact Hfix]|]. split; [exact Only|]. split; [exact Hlt|].
  apply mr_thm4; auto; lra.
Qed.
