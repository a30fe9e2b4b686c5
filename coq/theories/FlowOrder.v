(** * Two flows, one of which is faster at every point *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules Limits Sentences Convexity Flows.
Open Scope R_scope.

Theorem the_faster_flow_stays_ahead : forall (v w x y : R -> R) (a b : Rbar), solution v x -> solution w y ->
  (forall t, 0 <= t -> strictly_between a b (x t)) -> (forall z, strictly_between a b z -> v z < w z) -> x 0 < y 0 ->
  (forall t, 0 <= t -> x t < y t) /\ forall l m, tends_to x l -> tends_to y m -> l <= m.
Proof.
  intros v w x y a b Hx Hy Hin Hvw H0.
  assert (Cg : forall t, 0 <= t -> continuous (fun t => y t - x t) t).
  { intros t Ht. apply (continuous_minus (V := R_NormedModule) y x);
      [apply (solution_continuous w y) | apply (solution_continuous v x)]; assumption. }
  assert (K : forall t, 0 <= t -> x t < y t).
  { intros t1 Ht1. destruct (Rlt_le_dec (x t1) (y t1)) as [L | G]; [exact L | exfalso].
    destruct (last_time_below (fun u => y (t1 - u) - x (t1 - u)) 0 t1) as [u [[Hu0 Hu1] [Hu Hafter]]].
    - intros t Ht. apply (continuous_comp (fun u => t1 - u) (fun t => y t - x t)).
      + apply (ex_derive_continuous (K := R_AbsRing) (fun u => t1 - u)). auto_derive. exact I.
      + apply Cg. lra.
    - rewrite Rminus_0_r. lra.
    - exact Ht1.
    - replace (t1 - t1) with 0 by ring. lra.
    - set (s := t1 - u) in *. assert (Hs : 0 < s) by (unfold s; lra).
      assert (Before : forall r, 0 <= r < s -> x r < y r).
      { intros r Hr. specialize (Hafter (t1 - r) ltac:(unfold s in Hr; lra)). simpl in Hafter.
        replace (t1 - (t1 - r)) with r in Hafter by ring. lra. }
      assert (Hd : is_derive (fun t => y t - x t) s (w (y s) - v (x s))).
      { apply derive_minus; [apply Hy | apply Hx]; lra. }
      assert (E : y s - x s = 0).
      { apply Rle_antisym; [exact Hu|]. destruct (Rle_lt_dec 0 (y s - x s)) as [L | L]; [exact L | exfalso].
        assert (P : 0 < - (y s - x s)) by lra.
        destruct (Cg s (Rlt_le _ _ Hs) _ (locally_ball (y s - x s) (mkposreal _ P))) as [d Hdl].
        assert (Hd0 : 0 < d) by (destruct d; assumption).
        set (r := Rmax 0 (s - d / 2)).
        assert (Hr : 0 <= r < s /\ s - d / 2 <= r).
        { unfold r. split; [split; [apply Rmax_l | apply Rmax_lub_lt; lra] | apply Rmax_r]. }
        assert (B : ball s d r).
        { unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra. }
        specialize (Hdl r B). unfold ball in Hdl. simpl in Hdl. unfold AbsRing_ball, abs, minus, plus, opp in Hdl.
        simpl in Hdl. apply Rabs_def2 in Hdl. specialize (Before r (proj1 Hr)). lra. }
      assert (Exy : y s = x s) by lra. rewrite Exy in Hd.
      assert (Fast : 0 < w (x s) - v (x s)) by (specialize (Hvw (x s) (Hin s (Rlt_le _ _ Hs))); lra).
      apply is_derive_Reals in Hd. destruct (Hd _ Fast) as [d Hdl].
      assert (Hd0 : 0 < d) by (destruct d; assumption).
      set (h := - Rmin (d / 2) (s / 2)).
      assert (Hh : h < 0 /\ - h <= d / 2 /\ - h <= s / 2).
      { unfold h. rewrite Ropp_involutive. split; [|split; [apply Rmin_l | apply Rmin_r]].
        assert (0 < Rmin (d / 2) (s / 2)) by (apply Rmin_glb_lt; lra). lra. }
      specialize (Hdl h ltac:(lra)). rewrite Rabs_left in Hdl by lra. specialize (Hdl ltac:(lra)).
      apply Rabs_def2 in Hdl. assert (Bh := Before (s + h) ltac:(lra)). rewrite E in Hdl.
      assert (Q : (y (s + h) - x (s + h) - 0) / h < 0).
      { apply Ropp_lt_cancel. rewrite Ropp_0. unfold Rdiv. rewrite Ropp_mult_distr_r, <- Rinv_opp.
        apply Rmult_lt_0_compat; [lra | apply Rinv_0_lt_compat; lra]. }
      lra. }
  split; [exact K|]. intros l m Hl Hm.
  apply (filterlim_le (F := Rbar_locally p_infty) x y l m).
  - exists 0. intros t Ht. apply Rlt_le, K. lra.
  - exact Hl.
  - exact Hm.
Qed.
