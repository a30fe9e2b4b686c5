(** * One root by convexity, and which side of it *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules Sentences Squeeze.
Open Scope R_scope.

(** What a convex function is at a point between two others. *)
Lemma convex_between : forall (I : R -> Prop) (f : R -> R) (u v w y : R), convex_on I f -> I u -> I w -> u < v < w ->
  f u < y -> f w <= y -> f v < y.
Proof.
  intros I f u v w y Hc Hu Hw Hv Hfu Hfw.
  set (t := (w - v) / (w - u)).
  assert (T : 0 < t <= 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_le_reg_r with (w - u); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (E : t * u + (1 - t) * w = v) by (unfold t; field; lra).
  pose proof (Hc u w t Hu Hw) as H. rewrite E in H. nra.
Qed.

(** The same, with the point that is strictly below at the other end. *)
Lemma convex_between_right : forall (I : R -> Prop) (f : R -> R) (u v w y : R), convex_on I f -> I u -> I w ->
  u < v < w -> f u <= y -> f w < y -> f v < y.
Proof.
  intros I f u v w y Hc Hu Hw Hv Hfu Hfw.
  set (t := (w - v) / (w - u)).
  assert (T : 0 < t < 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (w - u); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (E : t * u + (1 - t) * w = v) by (unfold t; field; lra).
  pose proof (Hc u w t Hu Hw) as H. rewrite E in H. nra.
Qed.

(** Somewhere near an end, on this side of a given point, the function is below what it tends to stay below. *)
Lemma below_near_lower_end : forall (f : R -> R) (a b l : Rbar) (x y : R), a <> p_infty -> strictly_between a b x ->
  filterlim f (from_above a) (Rbar_locally l) -> Rbar_lt l y -> exists u, strictly_between a b u /\ u < x /\ f u < y.
Proof.
  intros f a b l x y Ha Hx Hl Hly.
  destruct (somewhere (from_above a) (strictly_between a x) f l (fun z => z < y)) as [u [Hu Hfu]];
    try typeclasses eauto; auto using eventually_below.
  - apply near_lower_end; [apply Hx|exact Ha].
  - exists u. destruct Hu as [Hau Hux]. simpl in Hux. split; [|split; assumption].
    split; [exact Hau|]. apply Rbar_lt_trans with x; [exact Hux|apply Hx].
Qed.

Lemma below_near_upper_end : forall (f : R -> R) (a b m : Rbar) (x y : R), b <> m_infty -> strictly_between a b x ->
  filterlim f (from_below b) (Rbar_locally m) -> Rbar_lt m y -> exists u, strictly_between a b u /\ x < u /\ f u < y.
Proof.
  intros f a b m x y Hb Hx Hm Hmy.
  destruct (somewhere (from_below b) (strictly_between x b) f m (fun z => z < y)) as [u [Hu Hfu]];
    try typeclasses eauto; auto using eventually_below.
  - apply near_upper_end; [apply Hx|exact Hb].
  - exists u. destruct Hu as [Hxu Hub]. simpl in Hxu. split; [|split; assumption].
    split; [|exact Hub]. apply Rbar_lt_trans with x; [apply Hx|exact Hxu].
Qed.

Theorem exactly_one_root_if_convex_between_limits : forall (f : R -> R) (a b l m : Rbar) (y : R),
  Rbar_lt a b -> a <> p_infty -> b <> m_infty ->
  continuous_on (strictly_between a b) f -> convex_on (strictly_between a b) f ->
  filterlim f (from_above a) (Rbar_locally l) -> filterlim f (from_below b) (Rbar_locally m) ->
  Rbar_lt l y /\ Rbar_lt y m \/ Rbar_lt m y /\ Rbar_lt y l -> exists! x, strictly_between a b x /\ f x = y.
Proof.
  intros f a b l m y Hab Ha Hb Hc Hcv Hl Hm Hs.
  destruct (value_taken_between_limits f a b l m y Hab Ha Hb Hc Hl Hm Hs) as [x [Hx Hfx]].
  assert (Only : forall u v, strictly_between a b u -> strictly_between a b v -> f u = y -> f v = y -> u < v -> False).
  { intros u v Hu Hv Hfu Hfv Huv. destruct Hs as [[Hly _] | [Hmy _]].
    - destruct (below_near_lower_end f a b l u y Ha Hu Hl Hly) as (w & Hw & Hwu & Hfw).
      pose proof (convex_between _ f w u v y Hcv Hw Hv (conj Hwu Huv) Hfw). lra.
    - destruct (below_near_upper_end f a b m v y Hb Hv Hm Hmy) as (w & Hw & Hvw & Hfw).
      pose proof (convex_between_right _ f u v w y Hcv Hu Hw (conj Huv Hvw)). lra. }
  exists x. split; [split; assumption|]. intros z [Hz Hfz].
  destruct (Rtotal_order x z) as [H | [H | H]]; [|exact H|].
  - exfalso. exact (Only x z Hx Hz Hfx Hfz H).
  - exfalso. exact (Only z x Hz Hx Hfz Hfx H).
Qed.

(** A convex function that comes from below a value at the lower end stays below it up to the root, and above after. *)
Theorem side_of_the_root_of_a_convex_function : forall (f : R -> R) (a b l : Rbar) (y q r : R), a <> p_infty ->
  convex_on (strictly_between a b) f -> filterlim f (from_above a) (Rbar_locally l) -> Rbar_lt l y ->
  strictly_between a b q -> strictly_between a b r -> f r = y ->
  (f q < y <-> q < r) /\ (f q = y <-> q = r) /\ (y < f q <-> r < q).
Proof.
  intros f a b l y q r Ha Hcv Hl Hly Hq Hr Hfr.
  assert (Before : q < r -> f q < y).
  { intros H. destruct (below_near_lower_end f a b l q y Ha Hq Hl Hly) as (w & Hw & Hwq & Hfw).
    apply (convex_between _ f w q r y Hcv Hw Hr (conj Hwq H) Hfw). lra. }
  assert (After : r < q -> y < f q).
  { intros H. apply Rnot_le_lt. intros Hle.
    destruct (below_near_lower_end f a b l r y Ha Hr Hl Hly) as (w & Hw & Hwr & Hfw).
    pose proof (convex_between _ f w r q y Hcv Hw Hq (conj Hwr H) Hfw Hle). lra. }
  destruct (Rtotal_order q r) as [H | [H | H]].
  - specialize (Before H). repeat split; intros; try lra; assumption.
  - rewrite H, Hfr. repeat split; intros; try lra; reflexivity.
  - specialize (After H). repeat split; intros; try lra; assumption.
Qed.

(** ** Symmetry *)

Theorem symmetric_convex_function_decreases_up_to_the_middle : forall (I : R -> Prop) (f : R -> R) (c : R),
  strictly_convex_on I f -> (forall x, I x -> I (2 * c - x) /\ f (2 * c - x) = f x) ->
  strictly_decreasing_on (fun x => I x /\ x <= c) f.
Proof.
  intros I f c Hc Hs x y [Hx Hxc] [Hy Hyc] Hxy. destruct (Hs x Hx) as [Hm E].
  set (t := (2 * c - x - y) / (2 * c - 2 * x)).
  assert (T : 0 < t < 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (2 * c - 2 * x); [lra|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  assert (M : t * x + (1 - t) * (2 * c - x) = y) by (unfold t; field; lra).
  pose proof (Hc x (2 * c - x) t Hx Hm ltac:(lra) T) as H. rewrite M, E in H. lra.
Qed.

(** ** Solutions that move with something

    [F] says how it moves, [f t] is the function whose root [r t] is. Both are any: what moves may be a pair, of a
    number and of one of its roots, and then all roots tend at once, however one is chosen. *)

Theorem solution_between_limits : forall (T : Type) (F : (T -> Prop) -> Prop) (a b v : R) (f : T -> R -> R)
  (low high r : T -> R), Filter F ->
  F (fun t => forall x, a < x < b -> f t x = 0 -> low t <= x <= high t) ->
  filterlim low F (locally v) -> filterlim high F (locally v) ->
  F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim r F (locally v).
Proof.
  intros T F a b v f low high r HF H Hlow Hhigh Hr.
  apply limit_between_limits with low high; try assumption.
  generalize (filter_and _ _ H Hr). apply filter_imp. intros t [Ht [Hin H0]]. apply Ht; assumption.
Qed.

Theorem solution_tends_to_that_of_the_limit : forall (T : Type) (F : (T -> Prop) -> Prop) (a b v : R)
  (f : T -> R -> R) (l : T -> R) (g : R -> R) (r : T -> R), Filter F -> a <= v <= b -> a < b ->
  F (fun t => convex_on (strictly_between a b) (f t) /\ filterlim (f t) (at_right a) (locally (l t)) /\ l t < 0) ->
  (forall x, a < x < b -> filterlim (fun t => f t x) F (locally (g x))) ->
  (forall x, a < x < b -> x < v -> g x < 0) -> (forall x, a < x < b -> v < x -> 0 < g x) ->
  F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim r F (locally v).
Proof.
  intros T F a b v f l g r HF Hv Hab Hf Hg Hneg Hpos Hr P [eps Heps].
  assert (Sides : forall x, a < x < b -> F (fun t => (f t x < 0 -> x < r t) /\ (0 < f t x -> r t < x))).
  { intros x Hx. generalize (filter_and _ _ Hf Hr). apply filter_imp. intros t [[Hc [Hl Hl0]] [Hin H0]].
    destruct (side_of_the_root_of_a_convex_function (f t) a b (l t) 0 x (r t)) as [L [_ U]]; try assumption.
    - discriminate.
    - split; [apply L | apply U]. }
  assert (Low : F (fun t => v - eps < r t)).
  { destruct (Rle_lt_dec v a) as [Hva | Hav].
    - generalize Hr. apply filter_imp. intros t [Hin _]. pose proof (cond_pos eps). lra.
    - set (x := Rmax ((a + v) / 2) (v - eps / 2)). pose proof (cond_pos eps) as E.
      assert (Hx : a < x < b /\ x < v /\ v - eps < x).
      { unfold x. pose proof (Rmax_l ((a + v) / 2) (v - eps / 2)). pose proof (Rmax_r ((a + v) / 2) (v - eps / 2)).
        assert (Rmax ((a + v) / 2) (v - eps / 2) < v) by (apply Rmax_lub_lt; lra). lra. }
      destruct Hx as [Hx [Hxv Hxe]].
      assert (N : F (fun t => f t x < 0)).
      { apply (Hg x Hx (fun y => y < 0)). assert (D : 0 < - g x) by (specialize (Hneg x Hx Hxv); lra).
        exists (mkposreal _ D). intros y Hy. apply Rabs_def2 in Hy. simpl in Hy.
        unfold minus, plus, opp in Hy. simpl in Hy. lra. }
      generalize (filter_and _ _ (Sides x Hx) N). apply filter_imp. intros t [[S _] Ht]. specialize (S Ht). lra. }
  assert (High : F (fun t => r t < v + eps)).
  { destruct (Rle_lt_dec b v) as [Hbv | Hvb].
    - generalize Hr. apply filter_imp. intros t [Hin _]. pose proof (cond_pos eps). lra.
    - set (x := Rmin ((b + v) / 2) (v + eps / 2)). pose proof (cond_pos eps) as E.
      assert (Hx : a < x < b /\ v < x /\ x < v + eps).
      { unfold x. pose proof (Rmin_l ((b + v) / 2) (v + eps / 2)). pose proof (Rmin_r ((b + v) / 2) (v + eps / 2)).
        assert (v < Rmin ((b + v) / 2) (v + eps / 2)) by (apply Rmin_glb_lt; lra). lra. }
      destruct Hx as [Hx [Hxv Hxe]].
      assert (N : F (fun t => 0 < f t x)).
      { apply (Hg x Hx (fun y => 0 < y)). assert (D : 0 < g x) by (specialize (Hpos x Hx Hxv); lra).
        exists (mkposreal _ D). intros y Hy. apply Rabs_def2 in Hy. simpl in Hy.
        unfold minus, plus, opp in Hy. simpl in Hy. lra. }
      generalize (filter_and _ _ (Sides x Hx) N). apply filter_imp. intros t [[_ S] Ht]. specialize (S Ht). lra. }
  unfold filtermap. generalize (filter_and _ _ Low High). apply filter_imp. intros t [L H]. apply Heps.
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra.
Qed.

(** ** Two values *)

Theorem two_values_of_a_strictly_increasing_function : forall (I : R -> Prop) (f : R -> R) (u v : R),
  strictly_increasing_on I f -> I u -> I v -> u < v -> f u < f v.
Proof. intros I f u v H. apply H. Qed.

Theorem two_values_of_a_strictly_decreasing_function : forall (I : R -> Prop) (f : R -> R) (u v : R),
  strictly_decreasing_on I f -> I u -> I v -> u < v -> f v < f u.
Proof. intros I f u v H. apply H. Qed.

Theorem value_between_two_of_a_strictly_convex_function : forall (I : R -> Prop) (f : R -> R) (u v t : R),
  strictly_convex_on I f -> I u -> I v -> u <> v -> 0 < t < 1 -> f (t * u + (1 - t) * v) < t * f u + (1 - t) * f v.
Proof. intros I f u v t H. apply H. Qed.

Theorem value_between_two_of_a_strictly_concave_function : forall (I : R -> Prop) (f : R -> R) (u v t : R),
  strictly_concave_on I f -> I u -> I v -> u <> v -> 0 < t < 1 -> t * f u + (1 - t) * f v < f (t * u + (1 - t) * v).
Proof. intros I f u v t H. apply H. Qed.
