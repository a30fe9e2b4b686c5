(** * Scalar flows

    A solution of [x' = v(x)] on [0, ∞). Its derivative at 0 is two-sided: a solution that has only a right one there
    goes on before 0 along its tangent. Nothing is asked of [v] but what is said: a velocity that is merely continuous
    may have several solutions from one start, and what is said holds of each. *)

From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules Limits Sentences Convexity.
Open Scope R_scope.

Definition solution (v x : R -> R) : Prop := forall t, 0 <= t -> is_derive x t (v (x t)).

Lemma solution_continuous : forall v x t, solution v x -> 0 <= t -> continuous x t.
Proof. intros v x t H Ht. apply (ex_derive_continuous (K := R_AbsRing) x). exists (v (x t)). exact (H t Ht). Qed.

Lemma solution_later : forall v x s, solution v x -> 0 <= s -> solution v (fun t => x (s + t)).
Proof.
  intros v x s H Hs t Ht. evar_last.
  - apply (is_derive_comp x (fun t => s + t)); [apply H; lra | auto_derive; [exact I | reflexivity]].
  - unfold scal. simpl. unfold mult. simpl. ring.
Qed.

Lemma solution_mirrored : forall v x, solution v x -> solution (fun y => - v (- y)) (fun t => - x t).
Proof.
  intros v x H t Ht. rewrite Ropp_involutive. apply (is_derive_opp x). exact (H t Ht).
Qed.

Lemma mean_velocity : forall v x s t, solution v x -> 0 <= s -> s < t ->
  exists u, s < u < t /\ x t - x s = v (x u) * (t - s).
Proof.
  intros v x s t H Hs Hst. destruct (MVT_cor2 x (fun u => v (x u)) s t Hst) as [u [E Hu]].
  - intros u Hu. apply is_derive_Reals, H. lra.
  - exists u. split; [exact Hu | exact E].
Qed.

(** ** Barriers *)

(** Where the velocity just above a level never points up, a solution at or below it stays so. *)
Lemma last_time_below : forall (x : R -> R) c t1, (forall t, 0 <= t <= t1 -> continuous x t) -> x 0 <= c ->
  0 <= t1 ->
  c < x t1 -> exists s, 0 <= s < t1 /\ x s <= c /\ forall u, s < u <= t1 -> c < x u.
Proof.
  intros x c t1 Hx H0 Ht1 H1.
  destruct (completeness (fun s => 0 <= s <= t1 /\ x s <= c)) as [s [Hub Hlub]].
  - exists t1. intros s [[_ Hs] _]. exact Hs.
  - exists 0. split; lra.
  - assert (Hs0 : 0 <= s) by (apply Hub; lra).
    assert (Hs1 : s <= t1) by (apply Hlub; intros u [[_ Hu] _]; exact Hu).
    assert (Hc : x s <= c).
    { destruct (Rle_lt_dec (x s) c) as [L | G]; [exact L | exfalso].
      assert (HE : 0 < x s - c) by lra.
      destruct (Hx s (conj Hs0 Hs1) _ (locally_ball (x s) (mkposreal _ HE))) as [d Hd].
      assert (Hless : s <= s - d / 2).
      { apply Hlub. intros u [[Hu0 Hu1] Hu]. destruct (Rle_lt_dec u (s - d / 2)) as [L | L]; [exact L | exfalso].
        assert (Hus : u <= s) by (apply Hub; repeat split; assumption).
        assert (B : ball s d u).
        { unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl.
          destruct d as [d Pd]. simpl in *. apply Rabs_def1; lra. }
        specialize (Hd u B). unfold ball in Hd. simpl in Hd. unfold AbsRing_ball, abs, minus, plus, opp in Hd.
        simpl in Hd. apply Rabs_def2 in Hd. lra. }
      destruct d as [d Pd]. simpl in *. lra. }
    exists s. split; [|split; [exact Hc|]].
    + split; [exact Hs0|]. destruct Hs1 as [L | E]; [exact L | exfalso]. rewrite E in Hc. lra.
    + intros u Hu. destruct (Rlt_le_dec c (x u)) as [L | L]; [exact L | exfalso].
      assert (u <= s) by (apply Hub; repeat split; lra). lra.
Qed.

Theorem barrier_above : forall (v x : R -> R) (c : R) (d : Rbar), solution v x -> Rbar_lt c d ->
  (forall y : R, c < y -> Rbar_lt y d -> v y <= 0) -> x 0 <= c -> forall t, 0 <= t -> x t <= c.
Proof.
  intros v x c d H Hcd Hv H0 t1 Ht1. destruct (Rle_lt_dec (x t1) c) as [L | G]; [exact L | exfalso].
  assert (Hx : forall t, 0 <= t -> continuous x t) by (intros t Ht; exact (solution_continuous v x t H Ht)).
  destruct (last_time_below x c t1) as [s [[Hs0 Hs1] [Hs Hafter]]]; try assumption.
  { intros t Ht. apply Hx, Ht. }
  assert (Hd : exists e : R, c < e /\ forall y, y < e -> Rbar_lt y d).
  { destruct d as [d | | ]; simpl in Hcd.
    - exists d. split; [exact Hcd | intros y Hy; exact Hy].
    - exists (c + 1). split; [lra | intros; exact I].
    - contradiction. }
  destruct Hd as [e [Hce Hed]].
  assert (HE : 0 < e - x s) by lra.
  destruct (Hx s Hs0 _ (locally_ball (x s) (mkposreal _ HE))) as [w Hw].
  set (t2 := Rmin t1 (s + w / 2)).
  assert (Hw0 : 0 < w) by (destruct w; assumption).
  assert (Ht2 : s < t2 <= t1) by (unfold t2; split; [apply Rmin_glb_lt; lra | apply Rmin_l]).
  assert (Ht2w : t2 <= s + w / 2) by (unfold t2; apply Rmin_r).
  destruct (mean_velocity v x s t2 H Hs0) as [u [Hu E]]; [lra|].
  assert (Hlow : forall z, s <= z <= t2 -> x z < e).
  { intros z Hz. assert (B : ball s w z).
    { unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra. }
    specialize (Hw z B). unfold ball in Hw. simpl in Hw. unfold AbsRing_ball, abs, minus, plus, opp in Hw. simpl in Hw.
    apply Rabs_def2 in Hw. lra. }
  assert (Hpos : c < x t2) by (apply Hafter; lra).
  assert (v (x u) <= 0) by (apply Hv; [apply Hafter; lra | apply Hed, Hlow; lra]). nra.
Qed.

Theorem barrier_below : forall (v x : R -> R) (c : R) (d : Rbar), solution v x -> Rbar_lt d c ->
  (forall y : R, Rbar_lt d y -> y < c -> 0 <= v y) -> c <= x 0 -> forall t, 0 <= t -> c <= x t.
Proof.
  intros v x c d H Hdc Hv H0 t Ht.
  assert (B : - x t <= - c); [|lra].
  apply (barrier_above (fun y => - v (- y)) (fun t => - x t) (- c) (Rbar_opp d)).
  - apply solution_mirrored, H.
  - destruct d as [d | | ]; simpl in *; [lra | contradiction | exact I].
  - intros y Hy Hyd. assert (0 <= v (- y)); [|lra]. apply Hv; [|lra].
    destruct d as [d | | ]; simpl in *; [lra | contradiction | exact I].
  - lra.
  - exact Ht.
Qed.

(** ** Convergence *)

(** A velocity that is positive from the start up to a level: the solution rises to it. *)
Lemma rises_beyond : forall (v x : R -> R) (y r : R), solution v x -> x 0 <= y -> y < r ->
  (forall z, x 0 <= z <= y -> continuous v z) -> (forall z, x 0 <= z <= y -> 0 < v z) ->
  (forall t, 0 <= t -> x t <= r) -> (forall s t, 0 <= s -> s <= t -> x s <= x t) ->
  exists T, 0 <= T /\ y < x T.
Proof.
  intros v x y r H H0 Hyr Hc Hv Hr Hm.
  destruct (continuity_ab_min v (x 0) y H0) as [low [Hlow Hin]].
  { intros z Hz. apply continuity_pt_filterlim, Hc, Hz. }
  assert (Hp : 0 < v low) by (apply Hv; exact Hin).
  set (T := (r - x 0) / v low + 1).
  assert (HT : (T - 1) * v low = r - x 0) by (unfold T; field; lra).
  assert (HT0 : 0 < T) by nra.
  exists T. split; [lra|]. destruct (Rle_lt_dec (x T) y) as [L | G]; [exfalso | exact G].
  destruct (mean_velocity v x 0 T H (Rle_refl 0) HT0) as [u [Hu E]].
  assert (B : x 0 <= x u <= y) by (split; [apply Hm; lra | apply Rle_trans with (x T); [apply Hm; lra | exact L]]).
  specialize (Hlow (x u) B). assert (x T <= r) by (apply Hr; lra). nra.
Qed.

Definition tends_to (x : R -> R) (r : R) : Prop := filterlim x (Rbar_locally p_infty) (locally r).

Lemma rising_limit : forall (x : R -> R) (r : R), (forall t, 0 <= t -> x t <= r) ->
  (forall s t, 0 <= s -> s <= t -> x s <= x t) -> (forall y, y < r -> exists T, 0 <= T /\ y < x T) -> tends_to x r.
Proof.
  intros x r Hr Hm He P [e Pe]. destruct (He (r - e)) as [T [HT Hy]]; [destruct e; simpl; lra|].
  exists T. intros t Ht. apply Pe.
  assert (x T <= x t) by (apply Hm; lra). assert (x t <= r) by (apply Hr; lra).
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. destruct e as [e He0]. simpl in *.
  apply Rabs_def1; lra.
Qed.

Lemma rises_to : forall (v x : R -> R) (a b : Rbar) (r : R), solution v x -> Rbar_lt a (x 0) -> x 0 <= r ->
  Rbar_lt r b ->
  (forall y : R, Rbar_lt a y -> y < r -> continuous v y) -> (forall y : R, Rbar_lt a y -> y < r -> 0 < v y) ->
  (forall y : R, r < y -> Rbar_lt y b -> v y < 0) ->
  tends_to x r /\ (forall s t, 0 <= s -> s <= t -> x s <= x t <= r).
Proof.
  intros v x a b r H Ha H0 Hb Hc Hup Hdown.
  assert (Hr : forall t, 0 <= t -> x t <= r).
  { apply (barrier_above v x r b H Hb); [|exact H0]. intros y Hy Hyb. apply Rlt_le, Hdown; assumption. }
  assert (Hstart : forall t, 0 <= t -> x 0 <= x t).
  { apply (barrier_below v x (x 0) a H Ha); [|lra]. intros y Hy Hyc. apply Rlt_le, Hup; [exact Hy | lra]. }
  assert (Hm : forall s t, 0 <= s -> s <= t -> x s <= x t).
  { intros s t Hs Hst. replace t with (s + (t - s)) by ring.
    apply (barrier_below v (fun t => x (s + t)) (x s) a).
    - apply solution_later; assumption.
    - apply Rbar_lt_le_trans with (x 0); [exact Ha | simpl; apply Hstart, Hs].
    - intros y Hy Hyc. assert (x s <= r) by (apply Hr, Hs). apply Rlt_le, Hup; [exact Hy | lra].
    - rewrite Rplus_0_r. lra.
    - lra. }
  split.
  - apply rising_limit; [exact Hr | exact Hm |]. intros y Hy.
    destruct (Rle_lt_dec (x 0) y) as [L | L]; [|exists 0; split; [lra | exact L]].
    assert (Hin : forall z, x 0 <= z <= y -> Rbar_lt a z).
    { intros z Hz. apply Rbar_lt_le_trans with (x 0); [exact Ha | simpl; lra]. }
    apply (rises_beyond v x y r); try assumption; intros z Hz; [apply Hc | apply Hup]; try (apply Hin, Hz); lra.
  - intros s t Hs Hst. split; [apply Hm; assumption | apply Hr; lra].
Qed.

Lemma tends_to_opp : forall (x : R -> R) (r : R), tends_to (fun t => - x t) (- r) -> tends_to x r.
Proof.
  intros x r H. apply (filterlim_ext (fun t => - - x t)); [intro t; apply Ropp_involutive|].
  rewrite <- (Ropp_involutive r). exact (filterlim_comp _ _ _ (fun t => - x t) Ropp _ _ _ H (filterlim_opp (- r))).
Qed.

(** The velocity is positive below a point and negative above it. *)
Theorem flow_converges : forall (v : R -> R) (a b : Rbar) (r : R), Rbar_lt a r -> Rbar_lt r b ->
  (forall y : R, Rbar_lt a y -> Rbar_lt y b -> continuous v y) -> (forall y : R, Rbar_lt a y -> y < r -> 0 < v y) ->
  (forall y : R, r < y -> Rbar_lt y b -> v y < 0) ->
  forall x, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b ->
  tends_to x r /\ (x 0 <= r -> forall s t, 0 <= s -> s <= t -> x s <= x t <= r) /\
  (r <= x 0 -> forall s t, 0 <= s -> s <= t -> r <= x t <= x s).
Proof.
  intros v a b r Ha Hb Hc Hup Hdown x H H0a H0b.
  assert (Low : x 0 <= r -> tends_to x r /\ (forall s t, 0 <= s -> s <= t -> x s <= x t <= r)).
  { intro L. apply (rises_to v x a b r); try assumption. intros y Hy Hyr. apply Hc; [exact Hy|].
    apply Rbar_le_lt_trans with r; [simpl; lra | exact Hb]. }
  assert (High : r <= x 0 -> tends_to x r /\ (forall s t, 0 <= s -> s <= t -> r <= x t <= x s)).
  { intro L.
    destruct (rises_to (fun y => - v (- y)) (fun t => - x t) (Rbar_opp b) (Rbar_opp a) (- r)) as [T M].
    - apply solution_mirrored, H.
    - destruct b as [b | | ]; simpl in *; [lra | exact I | contradiction].
    - lra.
    - destruct a as [a | | ]; simpl in *; [lra | contradiction | exact I].
    - intros y Hy Hyr. apply (continuous_opp (V := R_NormedModule) (fun y => v (- y))).
      apply (continuous_comp (fun y => - y) v).
      { apply (ex_derive_continuous (K := R_AbsRing) (fun y => - y)). auto_derive. exact I. }
      apply Hc.
      + apply Rbar_lt_le_trans with r; [exact Ha | simpl; lra].
      + destruct b as [b | | ]; simpl in *; [lra | exact I | contradiction].
    - intros y Hy Hyr. assert (v (- y) < 0); [|lra]. apply Hdown; [lra|].
      destruct b as [b | | ]; simpl in *; [lra | exact I | contradiction].
    - intros y Hy Hya. assert (0 < v (- y)); [|lra]. apply Hup; [|lra].
      destruct a as [a | | ]; simpl in *; [lra | contradiction | exact I].
    - split; [apply tends_to_opp, T|]. intros s t Hs Hst. specialize (M s t Hs Hst). lra. }
  split; [|split].
  - destruct (Rle_lt_dec (x 0) r) as [L | L]; [apply Low, L | apply High, Rlt_le, L].
  - intro L. apply Low, L.
  - intro L. apply High, L.
Qed.

Lemma strictly_between_open : forall (a b : Rbar) (z : R), Rbar_lt a z -> Rbar_lt z b ->
  locally z (strictly_between a b).
Proof.
  intros a b z Ha Hb. apply filter_and; [apply (open_Rbar_gt' z a Ha) | apply (open_Rbar_lt' z b Hb)].
Qed.

(** A concave velocity that is positive at the lower end; said of its negative, which is convex. *)
Theorem flow_with_concave_velocity_converges : forall (v : R -> R) (a b l : Rbar) (r : R),
  Rbar_lt a r -> Rbar_lt r b -> continuous_on (strictly_between a b) v ->
  convex_on (strictly_between a b) (fun y => - v y) ->
  filterlim (fun y => - v y) (from_above a) (Rbar_locally (Rbar_opp l)) -> Rbar_lt 0 l -> - v r = 0 ->
  forall x, solution v x -> Rbar_lt a (x 0) -> Rbar_lt (x 0) b ->
  tends_to x r /\ (x 0 <= r -> forall s t, 0 <= s -> s <= t -> x s <= x t <= r) /\
  (r <= x 0 -> forall s t, 0 <= s -> s <= t -> r <= x t <= x s).
Proof.
  intros v a b l r Har Hrb Hc Hv Hl Hpos Hr.
  assert (Side : forall q, strictly_between a b q -> (- v q < 0 <-> q < r) /\ (0 < - v q <-> r < q)).
  { intros q Hq.
    destruct (side_of_the_root_of_a_convex_function (fun y => - v y) a b (Rbar_opp l) 0 q r) as (A & _ & B).
    - intro E. rewrite E in Har. exact Har.
    - exact Hv.
    - exact Hl.
    - destruct l; simpl in *; lra || exact I || contradiction.
    - exact Hq.
    - split; assumption.
    - exact Hr.
    - split; assumption. }
  apply (flow_converges v a b r Har Hrb).
  - intros y Hy Hyb. apply (continuous_continuous_on (strictly_between a b)); [|exact Hc].
    apply strictly_between_open; assumption.
  - intros y Hy Hyr. assert (Q : strictly_between a b y).
    { split; [exact Hy|]. apply Rbar_lt_trans with r; assumption. }
    destruct (Side y Q) as [[_ S] _]. specialize (S Hyr). lra.
  - intros y Hy Hyb. assert (Q : strictly_between a b y).
    { split; [|exact Hyb]. apply Rbar_lt_trans with r; assumption. }
    destruct (Side y Q) as [_ [_ S]]. specialize (S Hy). lra.
Qed.

(** The velocity is positive throughout: what stays inside rises to the upper end. *)
Theorem flow_rises_to_end : forall (v : R -> R) (a : Rbar) (b : R),
  (forall y : R, Rbar_lt a y -> y < b -> continuous v y) -> (forall y : R, Rbar_lt a y -> y < b -> 0 < v y) ->
  forall x, solution v x -> (forall t, 0 <= t -> Rbar_lt a (x t) /\ x t < b) ->
  tends_to x b /\ forall s t, 0 <= s -> s < t -> x s < x t.
Proof.
  intros v a b Hc Hup x H Hin.
  assert (Hm : forall s t, 0 <= s -> s < t -> x s < x t).
  { intros s t Hs Hst. destruct (mean_velocity v x s t H Hs Hst) as [u [Hu E]].
    assert (0 < v (x u)) by (apply Hup; apply Hin; lra). nra. }
  split; [|exact Hm].
  assert (Hw : forall s t, 0 <= s -> s <= t -> x s <= x t).
  { intros s t Hs [L | E]; [apply Rlt_le, Hm; assumption | rewrite E; lra]. }
  apply rising_limit; [intros t Ht; apply Rlt_le, Hin, Ht | exact Hw |]. intros y Hy.
  destruct (Rle_lt_dec (x 0) y) as [L | L]; [|exists 0; split; [lra | exact L]].
  destruct (Hin 0 (Rle_refl 0)) as [Ha _].
  assert (Hz : forall z, x 0 <= z <= y -> Rbar_lt a z).
  { intros z Hz. apply Rbar_lt_le_trans with (x 0); [exact Ha | simpl; lra]. }
  apply (rises_beyond v x y b); try assumption; intros z Hz0.
  - apply Hc; [apply Hz, Hz0 | lra].
  - apply Hup; [apply Hz, Hz0 | lra].
  - apply Rlt_le, Hin, Hz0.
Qed.

Lemma clamp_continuous : forall s r y, s <= r -> continuous (fun z => Rmax s (Rmin r z)) y.
Proof.
  intros s r y Hsr P [e He]. exists e. intros z Hz. apply He. revert Hz.
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. intro Hz. apply Rabs_def2 in Hz.
  destruct e as [e He0]. simpl in *. unfold Rmax, Rmin.
  repeat destruct Rle_dec; apply Rabs_def1; lra.
Qed.

Lemma continuous_on_closed_bounded : forall (f : R -> R) s r, s <= r -> continuous_on (closed_interval s r) f ->
  exists top, (forall y, s <= y <= r -> Rabs (f y) <= Rabs (f top)) /\ s <= top <= r.
Proof.
  intros f s r Hsr Hf. set (c := fun z => Rmax s (Rmin r z)).
  assert (Hin : forall z, closed_interval s r (c z)).
  { intro z. unfold c, closed_interval, Rmax, Rmin. repeat destruct Rle_dec; lra. }
  assert (Hid : forall z, s <= z <= r -> c z = z).
  { intros z Hz. unfold c, Rmax, Rmin. repeat destruct Rle_dec; lra. }
  destruct (continuity_ab_maj (fun z => Rabs (f (c z))) s r Hsr) as [top [Htop Ht]].
  - intros z _. apply continuity_pt_filterlim.
    apply (continuous_comp (fun z => f (c z)) Rabs); [|apply continuous_Rabs].
    intros P HP. specialize (Hf (c z) (Hin z) P HP). unfold within, filtermap in Hf.
    assert (Hc : filterlim c (locally z) (locally (c z))) by exact (clamp_continuous s r z Hsr).
    specialize (Hc _ Hf). unfold filtermap in *. revert Hc. apply filter_imp. intros w Hw. apply Hw, Hin.
  - exists top. split; [|exact Ht]. intros y Hy. specialize (Htop y Hy). cbv beta in Htop.
    rewrite (Hid y Hy), (Hid top Ht) in Htop. exact Htop.
Qed.

Lemma does_not_pass : forall (v v' : R -> R) (s r : R), s < r -> v r = 0 ->
  (forall y, s <= y <= r -> is_derive v y (v' y)) -> continuous_on (closed_interval s r) v' ->
  (forall y, s <= y -> y < r -> 0 < v y) ->
  forall x, solution v x -> x 0 = s -> tends_to x r /\ forall t u, 0 <= t -> t < u -> x t < x u < r.
Proof.
  intros v v' s r Hsr Hr Hd Hc Hup x H H0.
  destruct (continuous_on_closed_bounded v' s r) as [top [Htop Hin]]; [lra | exact Hc |].
  set (L := Rabs (v' top)).
  assert (Hsteep : forall y, s <= y -> y < r -> v y <= L * (r - y)).
  { intros y Hy Hyr. destruct (MVT_cor2 v v' y r Hyr) as [z [E Hz]].
    - intros z Hz. apply is_derive_Reals, Hd. lra.
    - rewrite Hr in E. assert (B : Rabs (v' z) <= L) by (apply Htop; lra).
      apply Rabs_le_between in B. nra. }
  assert (Hbelow : exists d : R, d < s /\ forall y : R, d < y -> y < s -> 0 <= v y).
  { assert (Hs : 0 < v s) by (apply Hup; lra).
    assert (C : continuous v s).
    { apply (ex_derive_continuous (K := R_AbsRing) v). exists (v' s). apply Hd. lra. }
    destruct (C _ (locally_ball (v s) (mkposreal _ Hs))) as [w Hw].
    assert (Hw0 : 0 < w) by (destruct w; assumption).
    exists (s - w). split; [lra|]. intros y Hy Hys. assert (B : ball s w y).
    { unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra. }
    specialize (Hw y B). unfold ball in Hw. simpl in Hw. unfold AbsRing_ball, abs, minus, plus, opp in Hw. simpl in Hw.
    apply Rabs_def2 in Hw. lra. }
  destruct Hbelow as [d [Hds Hbelow]].
  assert (Hlow : forall t, 0 <= t -> s <= x t).
  { apply (barrier_below v x s d H); [exact Hds | exact Hbelow | lra]. }
  assert (Hhigh : forall t, 0 <= t -> x t < r).
  { intros t1 Ht1. destruct (Rlt_le_dec (x t1) r) as [G | G]; [exact G | exfalso].
    destruct (last_time_below (fun u => - x (t1 - u)) (- r) t1) as [u [[Hu0 Hu1] [Hu Hafter]]].
    - intros t Ht. apply (continuous_opp (V := R_NormedModule) (fun u => x (t1 - u))).
      apply (continuous_comp (fun u => t1 - u) x).
      + apply (ex_derive_continuous (K := R_AbsRing) (fun u => t1 - u)). auto_derive. exact I.
      + apply (solution_continuous v x); [exact H | lra].
    - rewrite Rminus_0_r. lra.
    - exact Ht1.
    - rewrite Rminus_diag_eq by reflexivity. lra.
    - set (T := t1 - u). assert (HT : 0 < T) by (unfold T; lra).
      destruct (MVT_cor2 (fun t => (r - x t) * exp (L * t)) (fun t => (- v (x t) + L * (r - x t)) * exp (L * t)) 0 T HT)
        as [z [E Hz]].
      + intros z Hz. apply is_derive_Reals.
        evar_last.
        * apply (is_derive_mult (fun t => r - x t) (fun t => exp (L * t))).
          -- apply (is_derive_minus (fun _ => r) x); [apply is_derive_const | apply H; lra].
          -- auto_derive; [exact I | reflexivity].
          -- intros. apply Rmult_comm.
        * unfold plus, minus, mult, opp, zero. simpl. unfold plus, opp. simpl. ring.
      + assert (Hzr : x z < r).
        { assert (A : u < t1 - z <= t1) by (unfold T in Hz; lra). specialize (Hafter (t1 - z) A).
          simpl in Hafter. replace (t1 - (t1 - z)) with z in Hafter by ring. lra. }
        assert (Hzs : s <= x z) by (apply Hlow; lra).
        assert (Hv := Hsteep (x z) Hzs Hzr).
        assert (Ez := exp_pos (L * z)). assert (ET := exp_pos (L * T)).
        assert (HxT : r <= x T) by (unfold T; simpl in Hu; lra).
        rewrite Rmult_0_r, exp_0, H0 in E.
        assert (0 <= (- v (x z) + L * (r - x z)) * exp (L * z)) by nra.
        assert ((r - x T) * exp (L * T) <= 0) by nra. nra. }
  assert (Hm : forall t u, 0 <= t -> t < u -> x t < x u).
  { intros t u Ht Htu. destruct (mean_velocity v x t u H Ht Htu) as [w [Hw E]].
    assert (0 < v (x w)) by (apply Hup; [apply Hlow | apply Hhigh]; lra). nra. }
  split; [|intros t u Ht Htu; split; [apply Hm; assumption | apply Hhigh; lra]].
  assert (Hmw : forall t u, 0 <= t -> t <= u -> x t <= x u).
  { intros t u Ht [G | E]; [apply Rlt_le, Hm; assumption | rewrite E; lra]. }
  apply rising_limit; [intros t Ht; apply Rlt_le, Hhigh, Ht | exact Hmw |]. intros y Hy.
  destruct (Rle_lt_dec (x 0) y) as [G | G]; [|exists 0; split; [lra | exact G]].
  apply (rises_beyond v x y r); try assumption; intros z Hz.
  - apply (ex_derive_continuous (K := R_AbsRing) v). exists (v' z). apply Hd. lra.
  - apply Hup; lra.
  - apply Rlt_le, Hhigh, Hz.
Qed.

(** A velocity with a continuous slope that is positive at the start and not so further up vanishes somewhere between;
    the solution rises to the first such point, and never reaches it. *)
Theorem flow_rises_to_first_rest : forall (v v' : R -> R) (s b : R), s < b ->
  (forall y, s <= y <= b -> is_derive v y (v' y)) -> continuous_on (closed_interval s b) v' -> 0 < v s -> v b <= 0 ->
  exists r, s < r <= b /\ v r = 0 /\ (forall y, s <= y -> y < r -> 0 < v y) /\
  forall x, solution v x -> x 0 = s -> tends_to x r /\ forall t u, 0 <= t -> t < u -> x t < x u < r.
Proof.
  intros v v' s b Hsb Hd Hc Hs Hb.
  assert (Hv : forall y, s <= y <= b -> continuous v y).
  { intros y Hy. apply (ex_derive_continuous (K := R_AbsRing) v). exists (v' y). apply Hd, Hy. }
  destruct (last_time_below (fun u => v (b - u)) 0 (b - s)) as [u [[Hu0 Hu1] [Hu Hafter]]].
  - intros t Ht. apply (continuous_comp (fun u => b - u) v).
    + apply (ex_derive_continuous (K := R_AbsRing) (fun u => b - u)). auto_derive. exact I.
    + apply Hv. lra.
  - rewrite Rminus_0_r. exact Hb.
  - lra.
  - replace (b - (b - s)) with s by ring. exact Hs.
  - set (r := b - u). assert (Hr : s < r <= b) by (unfold r; lra).
    assert (Hup : forall y, s <= y -> y < r -> 0 < v y).
    { intros y Hy Hyr. assert (A : u < b - y <= b - s) by (unfold r in Hyr; lra). specialize (Hafter (b - y) A).
      simpl in Hafter. replace (b - (b - y)) with y in Hafter by ring. exact Hafter. }
    assert (Hzero : v r = 0).
    { apply Rle_antisym; [exact Hu|]. destruct (Rle_lt_dec 0 (v r)) as [L | L]; [exact L | exfalso].
      assert (Hn : 0 < - v r) by lra.
      destruct (Hv r ltac:(lra) _ (locally_ball (v r) (mkposreal _ Hn))) as [w Hw].
      assert (Hw0 : 0 < w) by (destruct w; assumption).
      set (y := Rmax s (r - w / 2)).
      assert (Hy : s <= y < r /\ r - w / 2 <= y).
      { unfold y. split; [split; [apply Rmax_l | apply Rmax_lub_lt; lra] | apply Rmax_r]. }
      assert (B : ball r w y).
      { unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra. }
      specialize (Hw y B). unfold ball in Hw. simpl in Hw. unfold AbsRing_ball, abs, minus, plus, opp in Hw.
      simpl in Hw. apply Rabs_def2 in Hw. specialize (Hup y ltac:(lra) ltac:(lra)). lra. }
    exists r. split; [exact Hr|]. split; [exact Hzero|]. split; [exact Hup|].
    apply (does_not_pass v v' s r); try assumption; [lra | |].
    + intros y Hy. apply Hd. lra.
    + apply continuous_on_incl with (closed_interval s b); [|exact Hc]. intros y Hy. unfold closed_interval in *. lra.
Qed.
