(** Mroueh (2025): the recursion of the success probability, for every reference. It has at most three fixed points; and on
    the log-odds it contracts, for a beta above the largest lower bound of Lemma 1, which is sharp. *)

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
Definition drive (eps p_ref p : R) : R := (logit p - logit p_ref) * sqrt (p * (1 - p) + eps).

Definition turns (eps p_ref p : R) : R :=
  logit p - logit p_ref - 2 * (p * (1 - p) + eps) / (p * (1 - p) * (2 * p - 1)).

Lemma drive_derive eps p_ref p : 0 < eps -> 0 < p < 1 -> is_derive (drive eps p_ref) p
  ((2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p))
   / (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p)))).
Proof.
  intros He Hp. assert (S : 0 < p * (1 - p) + eps) by (apply radicand_pos; lra).
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0, S).
  assert (WW : sqrt (p * (1 - p) + eps) * sqrt (p * (1 - p) + eps) = p * (1 - p) + eps) by (apply sqrt_sqrt; lra).
  pose proof (logit_derive p Hp) as D. unfold drive. auto_derive.
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
  assert (V : forall p, 0 <= p <= 1 -> success_map beta eps p_ref p = p -> drive eps p_ref p = / beta).
  { intros p Hp F. destruct (In p Hp F) as [H1 H2].
    apply (proj1 (mr_dyn_beta_curve eps p_ref p He ltac:(lra) ltac:(lra) beta Hb)) in F.
    unfold drive. rewrite F. unfold Rdiv. rewrite Rmult_1_l, Rinv_inv. reflexivity. }
  destruct (In a ltac:(lra) Fa), (In d ltac:(lra) Fd).
  pose proof (V a ltac:(lra) Fa). pose proof (V b ltac:(lra) Fb). pose proof (V c ltac:(lra) Fc). pose proof (V d ltac:(lra) Fd).
  set (s := fun p => (2 * (p * (1 - p) + eps) + (logit p - logit p_ref) * (p * (1 - p)) * (1 - 2 * p))
   / (2 * sqrt (p * (1 - p) + eps) * (p * (1 - p)))).
  destruct (rolle (drive eps p_ref) s a b Hab) as (x & Hx & Zx); [intros; apply drive_derive; lra | lra |].
  destruct (rolle (drive eps p_ref) s b c Hbc) as (y & Hy & Zy); [intros; apply drive_derive; lra | lra |].
  destruct (rolle (drive eps p_ref) s c d Hcd) as (z & Hz & Zz); [intros; apply drive_derive; lra | lra |].
  destruct (turning eps p_ref x He ltac:(lra) ltac:(lra) Zx) as [Ux Tx].
  destruct (turning eps p_ref y He ltac:(lra) ltac:(lra) Zy) as [Uy Ty].
  destruct (turning eps p_ref z He ltac:(lra) ltac:(lra) Zz) as [Uz Tz].
  apply (two_turns eps p_ref x y z); try assumption; lra.
Qed.
