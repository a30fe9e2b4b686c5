(** * How fast scalar flows come to rest, and what dies out along them *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules Limits Sentences Convexity Flows Crossings.
Open Scope R_scope.

(** ** Decay *)

Lemma exponential_dies_out : forall c, 0 < c -> forall e, 0 < e -> exists T, 0 <= T /\ forall t, T <= t
  -> exp (- (c * t)) < e.
Proof.
  intros c Hc e He. exists (Rmax 0 (/ e / c)). split; [apply Rmax_l|]. intros t Ht.
  assert (Ht0 : 0 <= t) by (apply Rle_trans with (2 := Ht), Rmax_l).
  assert (Hte : / e / c <= t) by (apply Rle_trans with (2 := Ht), Rmax_r).
  assert (Hi : 0 < / e) by (apply Rinv_0_lt_compat, He).
  assert (Hct : / e <= c * t).
  { apply Rmult_le_compat_l with (r := c) in Hte; [|lra]. replace (c * (/ e / c)) with (/ e) in Hte by (field; lra).
    lra. }
  assert (Hexp : / e < exp (c * t)) by (apply Rlt_trans with (1 + c * t); [lra | apply exp_ineq1; lra]).
  rewrite exp_Ropp. rewrite <- (Rinv_inv e). apply Rinv_lt_contravar; [|exact Hexp].
  apply Rmult_lt_0_compat; [exact Hi | apply exp_pos].
Qed.

(** What is driven towards 0 at least at a rate from some time on dies out faster than at any smaller rate. *)
Lemma decays : forall (y dy : R -> R) (T m l : R), l < m -> (forall t, T <= t -> is_derive y t (dy t)) ->
  (forall t, T <= t -> dy t * y t <= - m * (y t * y t)) -> tends_to (fun t => y t * exp (l * t)) 0.
Proof.
  intros y dy T m l Hlm Hd Hdrive. set (W := fun t => y t * y t * exp (2 * m * t)).
  assert (HW : forall t, T <= t -> W t <= W T).
  { intros t [Ht | Ht]; [|rewrite Ht; lra].
    destruct (MVT_cor2 W (fun t => 2 * (dy t * y t + m * (y t * y t)) * exp (2 * m * t)) T t Ht) as [u [E Hu]].
    - intros u Hu. apply is_derive_Reals. unfold W. evar_last.
      + apply (is_derive_mult (fun t => y t * y t) (fun t => exp (2 * m * t))).
        * apply (is_derive_mult y y); [apply Hd; lra | apply Hd; lra | intros; apply Rmult_comm].
        * auto_derive; [exact I | reflexivity].
        * intros. apply Rmult_comm.
      + unfold plus, mult. simpl. ring.
    - assert (Hdr := Hdrive u ltac:(lra)). assert (P := exp_pos (2 * m * u)).
      assert ((dy u * y u + m * (y u * y u)) * exp (2 * m * u) <= 0) by nra. nra. }
  intros P [e Pe]. set (C := W T + 1).
  assert (HC : 0 < C).
  { unfold C, W. assert (0 <= y T * y T) by nra. assert (Q := exp_pos (2 * m * T)). nra. }
  assert (He : 0 < e * e / C).
  { apply Rdiv_lt_0_compat; [destruct e as [e He0]; simpl; nra | exact HC]. }
  destruct (exponential_dies_out (2 * (m - l)) ltac:(lra) _ He) as [S [HS Hsmall]].
  exists (Rmax T S). intros t Ht. apply Pe.
  assert (HtT : T <= t) by (apply Rle_trans with (1 := Rmax_l T S); lra).
  assert (HtS : S <= t) by (apply Rle_trans with (1 := Rmax_r T S); lra).
  specialize (Hsmall t HtS). specialize (HW t HtT). unfold W in HW at 1.
  assert (Sq : y t * exp (l * t) * (y t * exp (l * t)) = y t * y t * exp (2 * m * t) * exp (- (2 * (m - l) * t))).
  { transitivity (y t * y t * (exp (l * t) * exp (l * t))); [ring|]. rewrite <- exp_plus.
    rewrite (Rmult_assoc (y t * y t)), <- exp_plus. f_equal. f_equal. ring. }
  assert (Small : y t * exp (l * t) * (y t * exp (l * t)) < e * e).
  { rewrite Sq. set (q := exp (- (2 * (m - l) * t))) in *. assert (Q : 0 < q) by apply exp_pos.
    assert (K : C * q < e * e).
    { apply Rmult_lt_compat_l with (r := C) in Hsmall; [|exact HC].
      replace (C * (e * e / C)) with (e * e) in Hsmall by (field; lra). exact Hsmall. }
    assert (y t * y t * exp (2 * m * t) * q <= W T * q) by (apply Rmult_le_compat_r; lra).
    unfold C in K. lra. }
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. rewrite Ropp_0, Rplus_0_r.
  destruct e as [e He0]. simpl in *. apply Rabs_def1; nra.
Qed.

(** ** The rate of a flow *)

(** A flow that comes to rest does so at the rate at which its velocity falls there. *)
Theorem flow_comes_to_rest_at_a_rate : forall (v : R -> R) (a b : Rbar) (r k : R),
  (forall x, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b -> tends_to x r) ->
  v r = 0 -> is_derive v r (- k) ->
  forall x, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b ->
  tends_to x r /\ forall l, l < k -> tends_to (fun t => (x t - r) * exp (l * t)) 0.
Proof.
  intros v a b r k Hlim Hr Hd x H Ha Hb. assert (Ht := Hlim x H Ha Hb). split; [exact Ht|]. intros l Hl.
  set (m := (k + l) / 2). apply is_derive_Reals in Hd.
  destruct (Hd (k - m)) as [d Hnear]; [unfold m; lra|].
  destruct (Ht _ (locally_ball r d)) as [T HT].
  assert (HT' : forall t, Rmax 0 (T + 1) <= t -> Rabs (x t - r) < d).
  { intros t Ht1. assert (T < t) by (assert (K := Rmax_r 0 (T + 1)); lra). exact (HT t H0). }
  apply (decays (fun t => x t - r) (fun t => v (x t)) (Rmax 0 (T + 1)) m l); [unfold m; lra | |].
  - intros t Ht1. evar_last.
    + apply (is_derive_minus x (fun _ => r)); [|apply is_derive_const]. apply H.
      apply Rle_trans with (1 := Rmax_l 0 (T + 1)). exact Ht1.
    + unfold minus, plus, opp, zero. simpl. ring.
  - intros t Ht1. specialize (HT' t Ht1). set (y := x t - r) in *.
    destruct (Req_dec y 0) as [E | N]; [rewrite E; lra|].
    specialize (Hnear y N HT'). replace (r + y) with (x t) in Hnear by (unfold y; ring). rewrite Hr in Hnear.
    apply Rabs_def2 in Hnear. destruct Hnear as [Hn _].
    assert (Hq : (v (x t) - 0) / y < - m) by lra.
    assert (Y : 0 < y * y) by nra.
    apply Rmult_lt_compat_r with (r := y * y) in Hq; [|exact Y].
    replace ((v (x t) - 0) / y * (y * y)) with (v (x t) * y) in Hq by (field; exact N). lra.
Qed.

(** What grows along a flow at a rate that is negative, and continuous, where the flow comes to rest, dies out. *)
Theorem what_a_flow_drives_dies_out : forall (v c : R -> R) (a b : Rbar) (r k : R),
  (forall x, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b -> tends_to x r) ->
  continuous c r -> c r = - k ->
  forall x w, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b ->
  (forall t, 0 <= t -> is_derive w t (c (x t) * w t)) ->
  forall l, l < k -> tends_to (fun t => w t * exp (l * t)) 0.
Proof.
  intros v c a b r k Hlim Hc Hk x w H Ha Hb Hw l Hl. assert (Ht := Hlim x H Ha Hb).
  set (m := (k + l) / 2). assert (Hgap : 0 < k - m) by (unfold m; lra).
  assert (Hcx : filterlim (fun t => c (x t)) (Rbar_locally p_infty) (locally (c r))).
  { apply (filterlim_comp _ _ _ x c _ (locally r)); [exact Ht | exact Hc]. }
  destruct (Hcx _ (locally_ball (c r) (mkposreal _ Hgap))) as [T HT].
  apply (decays w (fun t => c (x t) * w t) (Rmax 0 (T + 1)) m l); [unfold m; lra | |].
  - intros t Ht1. apply Hw. apply Rle_trans with (1 := Rmax_l 0 (T + 1)). exact Ht1.
  - intros t Ht1. assert (HTt : T < t) by (assert (K := Rmax_r 0 (T + 1)); lra). specialize (HT t HTt).
    unfold ball in HT. simpl in HT. unfold AbsRing_ball, abs, minus, plus, opp in HT. simpl in HT.
    apply Rabs_def2 in HT. assert (Hcm : c (x t) < - m) by lra. assert (0 <= w t * w t) by nra. nra.
Qed.

(** ** Flows that need not last *)

(** Where the velocity is positive, from the start on, a solution increases as long as it stays below an end, and passes
    every level below it after a time that depends on the start and the level only. It may pass the end in finite
    time. *)
Theorem flow_passes_every_level : forall (v : R -> R) (s : R) (b : Rbar), Rbar_lt s b ->
  continuous_on (fun y : R => s <= y /\ Rbar_lt y b) v -> (forall y : R, s <= y -> Rbar_lt y b -> 0 < v y) ->
  forall e : R, Rbar_lt e b -> exists T, 0 < T /\ forall (x : R -> R) (D : R), x 0 = s ->
  (forall t, 0 <= t <= D -> is_derive x t (v (x t))) -> (forall t, 0 <= t <= D -> Rbar_lt (x t) b) ->
  (forall t u, 0 <= t -> t < u -> u <= D -> x t < x u) /\ forall t, T <= t <= D -> e < x t.
Proof.
  intros v s b Hb Hc Hup e He. set (top := Rmax s e).
  assert (Htop : s <= top) by apply Rmax_l.
  assert (Htopb : Rbar_lt top b) by (unfold top, Rmax; destruct Rle_dec; assumption).
  assert (Hin : forall z, s <= z <= top -> Rbar_lt z b).
  { intros z Hz. apply Rbar_le_lt_trans with top; [simpl; lra | exact Htopb]. }
  destruct (continuity_ab_min (fun z => v (clamp s top z)) s top Htop) as [low [Hmin Hlowin]].
  { intros z _. apply continuous_clamp; [exact Htop|]. apply continuous_on_incl with (2 := Hc). intros y Hy.
    split; [apply Hy | apply Hin, Hy]. }
  assert (Hlow : forall z, s <= z <= top -> v low <= v z).
  { intros z Hz. specialize (Hmin z Hz). rewrite !clamp_id in Hmin by assumption. exact Hmin. }
  assert (Hp : 0 < v low) by (apply Hup; [apply Hlowin | apply Hin, Hlowin]).
  set (T := (top - s) / v low + 1). assert (HT : (T - 1) * v low = top - s) by (unfold T; field; lra).
  assert (HT0 : 0 < T) by nra.
  exists T. split; [exact HT0|]. intros x D H0 Hx Hbelow.
  assert (Hfrom : forall t, 0 <= t <= D -> s <= x t).
  { intros t1 Ht1. destruct (Rle_lt_dec s (x t1)) as [L | L]; [exact L | exfalso].
    destruct (last_time_below (fun t => - x t) (- s) t1) as [u [[Hu0 Hu1] [Hu Hafter]]]; [| lra | lra | lra |].
    - intros t Ht. apply (continuous_opp (V := R_NormedModule) x), (ex_derive_continuous (K := R_AbsRing) x).
      exists (v (x t)). apply Hx. lra.
    - destruct (above_beyond_a_rising_root (fun t => x t - x u) u (v (x u)) t1) as [c [Huc [Hct Hfc]]].
      + exact Hu1.
      + ring.
      + evar_last; [apply (is_derive_minus x (fun _ => x u)); [apply Hx; lra | apply is_derive_const]|].
        unfold minus, plus, opp, zero. simpl. ring.
      + apply Hup; [lra | apply Hbelow; lra].
      + simpl in Hct. specialize (Hafter c ltac:(lra)). lra. }
  assert (Mean : forall t u, 0 <= t -> t < u -> u <= D -> exists w, t < w < u /\ x u - x t = v (x w) * (u - t)).
  { intros t u Ht Htu Hu. destruct (MVT_cor2 x (fun w => v (x w)) t u Htu) as [w [E Hw]].
    - intros w Hw. apply is_derive_Reals, Hx. lra.
    - exists w. split; [exact Hw | exact E]. }
  assert (Hm : forall t u, 0 <= t -> t < u -> u <= D -> x t < x u).
  { intros t u Ht Htu Hu. destruct (Mean t u Ht Htu Hu) as [w [Hw E]].
    assert (0 < v (x w)) by (apply Hup; [apply Hfrom | apply Hbelow]; lra). nra. }
  split; [exact Hm|]. intros t [Ht HtD]. apply Rle_lt_trans with top; [apply Rmax_r|].
  destruct (Rlt_le_dec top (x t)) as [L | L]; [exact L | exfalso].
  destruct (Mean 0 t (Rle_refl 0)) as [w [Hw E]]; [lra | exact HtD |].
  assert (B : s <= x w <= top).
  { split; [apply Hfrom; lra|]. apply Rle_trans with (2 := L), Rlt_le, Hm; lra. }
  specialize (Hlow (x w) B). rewrite H0 in E. nra.
Qed.
