(** * An unknown that an equation determines

    [F x y = 0] near a point at which [F] has a slope in the unknown [x]: there is one solution near, and it moves with
    [y] as the two slopes say. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules.
Open Scope R_scope.

(** Near [x0], for every [y] near [y0], the equation has one solution [r y]. *)
Definition solved_near (F : R -> R -> R) (x0 y0 : R) (r : R -> R) : Prop :=
  r y0 = x0 /\ exists e d, 0 < e /\ 0 < d /\ forall y, Rabs (y - y0) < d ->
    Rabs (r y - x0) <= e /\ F (r y) y = 0 /\ forall x, Rabs (x - x0) <= e -> F x y = 0 -> x = r y.

Section Rising.

Variables (F Fx : R -> R -> R) (x0 y0 c d : R).
Hypothesis Hd : locally_2d (fun x y => is_derive (fun z => F z y) x (Fx x y)) x0 y0.
Hypothesis Hc : continuity_2d_pt Fx x0 y0.
Hypothesis H0 : F x0 y0 = 0.
Hypothesis HFx : Fx x0 y0 = c.
Hypothesis Hpos : 0 < c.
Hypothesis Hy : is_derive (fun y => F x0 y) y0 d.

Let near (e : R) (q : R) : Prop := forall x y, Rabs (x - x0) < e -> Rabs (y - y0) < e ->
  is_derive (fun z => F z y) x (Fx x y) /\ Rabs (Fx x y - c) < q.

Lemma near_exists : forall q, 0 < q -> exists e, 0 < e /\ near e q.
Proof.
  intros q Hq. destruct Hd as [d1 K1]. destruct (Hc (mkposreal q Hq)) as [d2 K2]. simpl in K2. rewrite HFx in K2.
  exists (Rmin d1 d2). split; [apply Rmin_glb_lt; apply cond_pos|]. intros x y Hx Hyy.
  pose proof (Rmin_l d1 d2). pose proof (Rmin_r d1 d2). split; [apply K1 | apply K2]; lra.
Qed.

Lemma mean_slope : forall e q, near e q -> forall a b y, Rabs (a - x0) < e -> Rabs (b - x0) < e -> Rabs (y - y0) < e ->
  a < b -> exists s, Rabs (s - x0) <= Rmax (Rabs (a - x0)) (Rabs (b - x0)) /\ F b y - F a y = Fx s y * (b - a) /\
  Rabs (Fx s y - c) < q.
Proof.
  intros e q N a b y Ha Hb Hyy Hab.
  assert (In : forall z, a <= z <= b -> Rabs (z - x0) <= Rmax (Rabs (a - x0)) (Rabs (b - x0))).
  { intros z Hz. unfold Rmax, Rabs. repeat destruct Rcase_abs; destruct Rle_dec; lra. }
  assert (In2 : forall z, a <= z <= b -> Rabs (z - x0) < e).
  { intros z Hz. eapply Rle_lt_trans; [apply In, Hz|]. apply Rmax_lub_lt; assumption. }
  destruct (MVT_cor2 (fun z => F z y) (fun z => Fx z y) a b Hab) as [s [E Hs]].
  - intros z Hz. apply is_derive_Reals. apply N; [apply In2, Hz | exact Hyy].
  - exists s. split; [apply In; lra|]. split; [exact E|]. apply N; [apply In2; lra | exact Hyy].
Qed.

Lemma slope_at_x0 : forall q, 0 < q -> exists e, 0 < e /\ forall h, h <> 0 -> Rabs h < e ->
  Rabs (F x0 (y0 + h) / h - d) < q.
Proof.
  intros q Hq. apply is_derive_Reals in Hy. destruct (Hy q Hq) as [e K]. exists e. split; [apply cond_pos|].
  intros h Hh He. specialize (K h Hh He). rewrite H0, Rminus_0_r in K. exact K.
Qed.

Lemma value_at_x0 : forall q, 0 < q -> exists e, 0 < e /\ forall y, Rabs (y - y0) < e -> Rabs (F x0 y) < q.
Proof.
  intros q Hq. destruct (slope_at_x0 1 Rlt_0_1) as [e [He K]].
  assert (P : 0 < Rabs d + 1) by (pose proof (Rabs_pos d); lra).
  exists (Rmin e (q / (Rabs d + 1))). split; [apply Rmin_glb_lt; [exact He | apply Rdiv_lt_0_compat; assumption]|].
  intros y Hyy. pose proof (Rmin_l e (q / (Rabs d + 1))). pose proof (Rmin_r e (q / (Rabs d + 1))).
  destruct (Req_dec y y0) as [-> | N]; [rewrite H0, Rabs_R0; exact Hq|].
  specialize (K (y - y0) ltac:(lra) ltac:(lra)). replace (y0 + (y - y0)) with y in K by ring.
  assert (E : F x0 y = F x0 y / (y - y0) * (y - y0)) by (field; lra). rewrite E, Rabs_mult.
  assert (B : Rabs (F x0 y / (y - y0)) < Rabs d + 1).
  { replace (F x0 y / (y - y0)) with ((F x0 y / (y - y0) - d) + d) by ring. eapply Rle_lt_trans; [apply Rabs_triang|].
    lra. }
  assert (Z : 0 < Rabs (y - y0)) by (apply Rabs_pos_lt; lra).
  apply Rlt_le_trans with ((Rabs d + 1) * Rabs (y - y0)); [apply Rmult_lt_compat_r; assumption|].
  apply Rle_trans with ((Rabs d + 1) * (q / (Rabs d + 1))); [apply Rmult_le_compat_l; lra|]. right. field. lra.
Qed.

Lemma rising_solution : exists r, solved_near F x0 y0 r /\ is_derive r y0 (- d / c).
Proof.
  destruct (near_exists (c / 2)) as [w [Hw N]]; [lra|].
  set (e := w / 2). assert (He : 0 < e < w) by (unfold e; lra).
  destruct (value_at_x0 (c * e / 4)) as [w2 [Hw2 V]]; [nra|].
  set (dl := Rmin w w2).
  assert (Hdl : 0 < dl) by (unfold dl; apply Rmin_glb_lt; assumption).
  assert (Hdl1 : dl <= w) by apply Rmin_l. assert (Hdl2 : dl <= w2) by apply Rmin_r.
  assert (Rise : forall a b y, Rabs (a - x0) <= e -> Rabs (b - x0) <= e -> Rabs (y - y0) < dl -> a < b ->
    c / 2 * (b - a) <= F b y - F a y).
  { intros a b y Ha Hb Hyy Hab. destruct (mean_slope w (c / 2) N a b y) as [s [_ [E B]]]; try lra.
    apply Rabs_def2 in B. rewrite E. nra. }
  assert (Root : forall y, Rabs (y - y0) < dl -> exists z, Rabs (z - x0) <= e /\ F z y = 0).
  { intros y Hyy. assert (Vy := V y ltac:(lra)). apply Rabs_def2 in Vy.
    assert (A1 : Rabs (x0 - x0) <= e) by (rewrite Rminus_eq_0, Rabs_R0; lra).
    assert (A2 : Rabs (x0 + e - x0) <= e) by (replace (x0 + e - x0) with e by ring; rewrite Rabs_right; lra).
    assert (A3 : Rabs (x0 - e - x0) <= e)
      by (replace (x0 - e - x0) with (- e) by ring; rewrite Rabs_Ropp, Rabs_right; lra).
    assert (B1 := Rise x0 (x0 + e) y A1 A2 Hyy ltac:(lra)). assert (B2 := Rise (x0 - e) x0 y A3 A1 Hyy ltac:(lra)).
    destruct (root_exists_strictly_between (fun z => F z y) (x0 - e) (x0 + e)) as [z [Hz Ez]].
    - lra.
    - intros z Hz P HP. apply filter_le_within. revert P HP. change (continuous (fun z => F z y) z).
      unfold closed_interval in Hz. apply (ex_derive_continuous (K := R_AbsRing) (fun z => F z y)). exists (Fx z y).
      apply N; [|lra].
      apply Rabs_def1; lra.
    - left. split; nra.
    - exists z. split; [apply Rabs_le; lra | exact Ez]. }
  assert (One : forall y a b, Rabs (y - y0) < dl -> Rabs (a - x0) <= e -> Rabs (b - x0) <= e -> F a y = 0 -> F b y = 0
    ->
    a = b).
  { intros y a b Hyy Ha Hb Ea Eb. destruct (Rtotal_order a b) as [L | [E | G]]; [exfalso | exact E | exfalso].
    - pose proof (Rise a b y Ha Hb Hyy L). nra.
    - pose proof (Rise b a y Hb Ha Hyy G). nra. }
  set (r := fun y => real (Lub_Rbar (fun z => Rabs (z - x0) <= e /\ F z y = 0))).
  assert (Hr : forall y, Rabs (y - y0) < dl -> Rabs (r y - x0) <= e /\ F (r y) y = 0).
  { intros y Hyy. destruct (Root y Hyy) as [z [Hz Ez]].
    assert (E : r y = z); [|rewrite E; split; assumption].
    unfold r. rewrite (is_lub_Rbar_unique _ (Finite z)); [reflexivity|]. split.
    - intros b [Hb Eb]. simpl. right. apply (One y b z Hyy Hb Hz Eb Ez).
    - intros b Hb. apply Hb. split; assumption. }
  assert (Hr0 : r y0 = x0).
  { assert (Y : Rabs (y0 - y0) < dl) by (rewrite Rminus_eq_0, Rabs_R0; exact Hdl).
    destruct (Hr y0 Y) as [A B]. apply (One y0 _ _ Y A); [rewrite Rminus_eq_0, Rabs_R0; lra | exact B | exact H0]. }
  exists r. split.
  - split; [exact Hr0|]. exists e, dl. split; [lra|]. split; [exact Hdl|]. intros y Hyy. destruct (Hr y Hyy) as [A B].
    split; [exact A|]. split; [exact B|]. intros x Hx Ex. apply (One y x (r y) Hyy Hx A Ex B).
  - apply is_derive_Reals. intros q Hq.
    assert (Hdp : 0 < Rabs d + 1) by (pose proof (Rabs_pos d); lra).
    set (q2 := Rmin (c / 2) (q * c * c / (4 * (Rabs d + 1)))).
    assert (Hq2 : 0 < q2).
    { unfold q2. apply Rmin_glb_lt; [lra|]. apply Rdiv_lt_0_compat; [|lra]. apply Rmult_lt_0_compat; [|exact Hpos].
      apply Rmult_lt_0_compat; assumption. }
    destruct (near_exists q2 Hq2) as [w3 [Hw3 N3]].
    destruct (slope_at_x0 (q * c / 4)) as [w4 [Hw4 S4]]; [nra|].
    destruct (value_at_x0 (c / 2 * w3)) as [w5 [Hw5 V5]]; [nra|].
    set (m := Rmin (Rmin dl w3) (Rmin w4 w5)).
    assert (Hm : 0 < m) by (unfold m; repeat apply Rmin_glb_lt; assumption).
    assert (M1 : m <= dl) by (unfold m; eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
    assert (M2 : m <= w3) by (unfold m; eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
    assert (M3 : m <= w4) by (unfold m; eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
    assert (M4 : m <= w5) by (unfold m; eapply Rle_trans; [apply Rmin_r | apply Rmin_r]).
    exists (mkposreal m Hm). intros h Hh Hhm. simpl in Hhm. rewrite Hr0.
    set (y := y0 + h). assert (Ey : y - y0 = h) by (unfold y; ring).
    assert (Hyy : Rabs (y - y0) < m) by (rewrite Ey; exact Hhm).
    destruct (Hr y ltac:(lra)) as [A B]. specialize (S4 h Hh ltac:(lra)). fold y in S4.
    assert (Vy := V5 y ltac:(lra)).
    (* some slope between *)
    assert (K : exists g, Rabs (g - c) < q2 /\ - F x0 y = g * (r y - x0)).
    { assert (A0 : Rabs (x0 - x0) <= e) by (rewrite Rminus_eq_0, Rabs_R0; lra).
      assert (Close : Rabs (r y - x0) < w3).
      { apply Rmult_lt_reg_l with (c / 2); [lra|]. apply Rle_lt_trans with (Rabs (F x0 y)); [|exact Vy].
        destruct (Rtotal_order (r y) x0) as [L | [E | G]].
        - pose proof (Rise (r y) x0 y A A0 ltac:(lra) L) as Z. rewrite B in Z.
          rewrite (Rabs_left (r y - x0)) by lra. rewrite Rabs_right by nra. lra.
        - rewrite E, Rminus_eq_0, Rabs_R0, Rmult_0_r. apply Rabs_pos.
        - pose proof (Rise x0 (r y) y A0 A ltac:(lra) G) as Z. rewrite B in Z.
          rewrite (Rabs_right (r y - x0)) by lra. rewrite Rabs_left by nra. lra. }
      assert (Z0 : Rabs (x0 - x0) < w3) by (rewrite Rminus_eq_0, Rabs_R0; exact Hw3).
      destruct (Rtotal_order (r y) x0) as [L | [E | G]].
      - destruct (mean_slope w3 q2 N3 (r y) x0 y Close Z0 ltac:(lra) L) as [s [_ [Es Bs]]].
        exists (Fx s y). split; [exact Bs|]. rewrite B in Es. lra.
      - exists c. split; [rewrite Rminus_eq_0, Rabs_R0; exact Hq2|]. rewrite E in B. rewrite E, B. ring.
      - destruct (mean_slope w3 q2 N3 x0 (r y) y Z0 Close ltac:(lra) G) as [s [_ [Es Bs]]].
        exists (Fx s y). split; [exact Bs|]. rewrite B in Es. lra. }
    destruct K as [g [Hg Eg]].
    assert (Q1 : q2 <= c / 2) by apply Rmin_l.
    assert (Q2 : q2 <= q * c * c / (4 * (Rabs d + 1))) by apply Rmin_r.
    assert (Gp : c / 2 < g) by (apply Rabs_def2 in Hg; lra).
    set (k := F x0 y / h) in *.
    assert (Er : (r y - x0) / h = - k / g).
    { unfold k. apply Rmult_eq_reg_l with (g * h); [|nra]. field_simplify; try lra. }
    rewrite Er. replace (- k / g - - d / c) with ((d - k) / g + d * ((g - c) / (g * c))) by (field; lra).
    eapply Rle_lt_trans; [apply Rabs_triang|].
    assert (T1 : Rabs ((d - k) / g) < q / 2).
    { unfold Rdiv at 1. rewrite Rabs_mult, Rabs_inv, (Rabs_right g) by lra. rewrite Rabs_minus_sym.
      apply Rmult_lt_reg_r with g; [lra|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. nra. }
    assert (T2 : Rabs (d * ((g - c) / (g * c))) <= q / 2).
    { rewrite Rabs_mult. unfold Rdiv at 1. rewrite Rabs_mult, Rabs_inv, (Rabs_right (g * c)) by nra.
      apply Rle_trans with ((Rabs d + 1) * (q2 * / (c / 2 * c))).
      - apply Rmult_le_compat; [apply Rabs_pos | | lra |].
        + apply Rmult_le_pos; [apply Rabs_pos|]. apply Rlt_le, Rinv_0_lt_compat. nra.
        + apply Rmult_le_compat; [apply Rabs_pos | apply Rlt_le, Rinv_0_lt_compat; nra | lra |].
          apply Rinv_le_contravar; nra.
      - apply Rle_trans with ((Rabs d + 1) * (q * c * c / (4 * (Rabs d + 1)) * / (c / 2 * c))).
        + apply Rmult_le_compat_l; [lra|]. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; nra | exact Q2].
        + right. field. split; lra. }
    lra.
Qed.

End Rising.

Lemma implicit_solution : forall (F Fx : R -> R -> R) (x0 y0 d : R),
  locally_2d (fun x y => is_derive (fun z => F z y) x (Fx x y)) x0 y0 -> continuity_2d_pt Fx x0 y0 -> F x0 y0 = 0 ->
  Fx x0 y0 <> 0 -> is_derive (fun y => F x0 y) y0 d ->
  exists r, solved_near F x0 y0 r /\ is_derive r y0 (- d / Fx x0 y0).
Proof.
  intros F Fx x0 y0 d Hd Hc H0 Hn Hy. destruct (Rtotal_order (Fx x0 y0) 0) as [L | [E | G]].
  - destruct (rising_solution (fun x y => - F x y) (fun x y => - Fx x y) x0 y0 (- Fx x0 y0) (- d))
      as [r [[R0 [e [dl [He [Hdl S]]]]] Hr]].
    + destruct Hd as [w K]. exists w. intros u v Hu Hv. apply (is_derive_opp (fun z => F z v)), K; assumption.
    + apply continuity_2d_pt_opp, Hc.
    + lra.
    + reflexivity.
    + lra.
    + apply (is_derive_opp (fun y => F x0 y)), Hy.
    + exists r. split.
      * split; [exact R0|]. exists e, dl. split; [exact He|]. split; [exact Hdl|]. intros y Hyy.
        destruct (S y Hyy) as [P1 [P2 P3]]. split; [exact P1|]. split; [lra|]. intros x Hx Ex.
        apply P3; [exact Hx | lra].
      * replace (- d / Fx x0 y0) with (- - d / - Fx x0 y0) by (field; lra). exact Hr.
  - contradiction.
  - apply (rising_solution F Fx x0 y0 (Fx x0 y0) d); try assumption. reflexivity.
Qed.

(** The equation [D y * A x y + B x y = 0], in which a function [D] of which the value [s] and the slope [t] at [y0] are
    known stands in one place; [l] is the rate at which its solution moves. *)
Definition moves_at_rate (A Ax B Bx : R -> R -> R) (D : R -> R) (x0 y0 s t l : R) : Prop :=
  locally_2d (fun x y => is_derive (fun z => A z y) x (Ax x y)) x0 y0 /\
  locally_2d (fun x y => is_derive (fun z => B z y) x (Bx x y)) x0 y0 /\
  continuity_2d_pt Ax x0 y0 /\ continuity_2d_pt Bx x0 y0 /\ D y0 = s /\ is_derive D y0 t /\
  s * A x0 y0 + B x0 y0 = 0 /\ s * Ax x0 y0 + Bx x0 y0 <> 0 /\
  exists a b, is_derive (fun y => A x0 y) y0 a /\ is_derive (fun y => B x0 y) y0 b /\
    l = - (t * A x0 y0 + s * a + b) / (s * Ax x0 y0 + Bx x0 y0).

Theorem solution_moves_at_the_rate_of_the_slopes : forall (A Ax B Bx : R -> R -> R) (D : R -> R) (x0 y0 s t l : R),
  moves_at_rate A Ax B Bx D x0 y0 s t l ->
  exists r, solved_near (fun x y => D y * A x y + B x y) x0 y0 r /\ is_derive r y0 l.
Proof.
  intros A Ax B Bx D x0 y0 s t l (HA & HB & CA & CB & HD & Dt & H0 & Hn & a & b & Ha & Hb & ->).
  replace (s * Ax x0 y0 + Bx x0 y0) with ((fun x y => D y * Ax x y + Bx x y) x0 y0) by (rewrite HD; reflexivity).
  apply (implicit_solution (fun x y => D y * A x y + B x y) (fun x y => D y * Ax x y + Bx x y)).
  - destruct HA as [d1 K1]. destruct HB as [d2 K2]. exists (mkposreal _ (Rmin_stable_in_posreal d1 d2)). simpl.
    intros u v Hu Hv. pose proof (Rmin_l d1 d2). pose proof (Rmin_r d1 d2).
    apply derive_plus; [apply derive_scal, K1 | apply K2]; lra.
  - apply continuity_2d_pt_plus; [|exact CB]. apply continuity_2d_pt_mult; [|exact CA].
    assert (C : continuous D y0) by (apply (ex_derive_continuous (K := R_AbsRing) D); exists t; exact Dt).
    intros e. destruct (C _ (locally_ball (D y0) e)) as [d K]. exists d. intros u v _ Hv. apply K, Hv.
  - rewrite HD. exact H0.
  - rewrite HD. exact Hn.
  - evar_last.
    + apply derive_plus; [|exact Hb]. apply (is_derive_mult D (fun y => A x0 y) y0 t a Dt Ha). intros. apply Rmult_comm.
    + unfold plus, mult. simpl. rewrite HD. ring.
Qed.

Theorem responses_attract_if_the_rate_is_below_one : forall (A Ax B Bx : R -> R -> R) (D : R -> R) (z s t l k : R),
  moves_at_rate A Ax B Bx D z z s t l -> Rabs l < k -> k < 1 ->
  exists r, solved_near (fun x y => D y * A x y + B x y) z z r /\
  exists w, 0 < w /\ (forall q, Rabs (q - z) <= w -> r q = q -> q = z) /\
  forall x, Rabs (x 0%nat - z) <= w -> iteration r x ->
    (forall n, Rabs (x n - z) <= k ^ n * Rabs (x 0%nat - z)) /\ converges_to x z.
Proof.
  intros A Ax B Bx D z s t l k H Hl Hk.
  destruct (solution_moves_at_the_rate_of_the_slopes A Ax B Bx D z z s t l H) as [r [Hr Hd]].
  exists r. split; [exact Hr|].
  destruct (attraction_if_multiplier_below_one r z l k (proj1 Hr) Hd Hl Hk) as [w [Hw [_ [K1 K2]]]].
  exists w. split; [exact Hw|]. split; [exact K1 | exact K2].
Qed.

Theorem responses_repel_if_the_rate_is_above_one : forall (A Ax B Bx : R -> R -> R) (D : R -> R) (z s t l k : R),
  moves_at_rate A Ax B Bx D z z s t l -> 1 < k -> k < Rabs l ->
  exists r, solved_near (fun x y => D y * A x y + B x y) z z r /\
  exists w, 0 < w /\ (forall q, Rabs (q - z) <= w -> r q = q -> q = z) /\
  (forall x, iteration r x -> x 0%nat <> z -> exists n, w < Rabs (x n - z)) /\
  forall x, iteration r x -> converges_to x z -> exists N, forall n, (N <= n)%nat -> x n = z.
Proof.
  intros A Ax B Bx D z s t l k H Hk Hl.
  destruct (solution_moves_at_the_rate_of_the_slopes A Ax B Bx D z z s t l H) as [r [Hr Hd]].
  exists r. split; [exact Hr|].
  destruct (repulsion_if_multiplier_above_one r z l k (proj1 Hr) Hd Hk Hl) as [w [Hw [_ [K1 [K2 K3]]]]].
  exists w. split; [exact Hw|]. split; [exact K1|]. split; [exact K2 | exact K3].
Qed.
