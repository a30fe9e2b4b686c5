(** * Strict local maxima by two derivatives at one point *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules.
Open Scope R_scope.

Theorem second_derivative_at_a_point_gives_strict_local_maximum :
  forall (I : R -> Prop) (f : R -> R) (x s : R), I x -> is_derive f x 0 ->
  locally x (fun y => ex_derive f y) -> is_derive (Derive f) x s -> s < 0 -> strict_local_maximum_on I f x.
Proof.
  intros I f x s Hx H0 [r Hr] H2 Hs. split; [exact Hx |].
  assert (D0 : Derive f x = 0) by (apply is_derive_unique; exact H0).
  assert (Hd : forall y, Rabs (y - x) < r -> derivable_pt_lim f y (Derive f y)).
  { intros y Hy. apply is_derive_Reals, Derive_correct, Hr. exact Hy. }
  apply is_derive_Reals in H2. destruct (H2 (- s / 2) ltac:(lra)) as [d Hd2].
  exists (Rmin r d). split; [apply Rmin_pos; apply cond_pos |]. intros y _ Hy Hne.
  assert (Hyr : Rabs (y - x) < r) by (eapply Rlt_le_trans; [exact Hy | apply Rmin_l]).
  assert (Hyd : Rabs (y - x) < d) by (eapply Rlt_le_trans; [exact Hy | apply Rmin_r]).
  assert (Hsign : forall c, c <> x -> Rabs (c - x) < d -> (Derive f c) * (c - x) < 0).
  { intros c Hc Hcd. assert (Hh : c - x <> 0) by lra. specialize (Hd2 (c - x) Hh Hcd).
    replace (x + (c - x)) with c in Hd2 by ring. rewrite D0 in Hd2. apply Rabs_def2 in Hd2.
    assert (Hq : (Derive f c - 0) / (c - x) < 0) by lra.
    replace (Derive f c * (c - x)) with ((Derive f c - 0) / (c - x) * (c - x) ^ 2) by (field; exact Hh).
    assert (0 < (c - x) ^ 2) by (apply pow2_gt_0; exact Hh). nra. }
  apply Rabs_def2 in Hyr. apply Rabs_def2 in Hyd.
  destruct (Rtotal_order y x) as [H | [H | H]]; [| contradiction |].
  - destruct (MVT_cor2 f (Derive f) y x H) as [c [E Hc]].
    { intros c Hc. apply Hd, Rabs_def1; lra. }
    specialize (Hsign c ltac:(lra) ltac:(apply Rabs_def1; lra)). nra.
  - destruct (MVT_cor2 f (Derive f) x y H) as [c [E Hc]].
    { intros c Hc. apply Hd, Rabs_def1; lra. }
    specialize (Hsign c ltac:(lra) ltac:(apply Rabs_def1; lra)). nra.
Qed.

Theorem second_derivative_at_a_point_gives_strict_local_minimum :
  forall (I : R -> Prop) (f : R -> R) (x s : R), I x -> is_derive f x 0 ->
  locally x (fun y => ex_derive f y) -> is_derive (Derive f) x s -> 0 < s ->
  strict_local_maximum_on I (fun y => - f y) x.
Proof.
  intros I f x s Hx H0 Hn H2 Hs.
  apply second_derivative_at_a_point_gives_strict_local_maximum with (- s); [exact Hx | | | | lra].
  - rewrite <- Ropp_0. apply (is_derive_opp f x 0 H0).
  - revert Hn. apply filter_imp. intros y Hy. apply (ex_derive_opp f y Hy).
  - apply (is_derive_ext (fun y => - Derive f y)); [intro y; symmetry; apply Derive_opp |].
    apply (is_derive_opp (Derive f) x s H2).
Qed.
