(** * Values that a function takes, by how it crosses them *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Calculus Rules Limits Sentences Convexity.
Open Scope R_scope.

(** ** No second point *)

Theorem exactly_one_root_if_beyond_each_root_above : forall (f : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f -> f a < 0 -> 0 < f b ->
  (forall x y, a < x -> x < y -> y < b -> f x = 0 -> 0 < f y) -> exists! x, a < x < b /\ f x = 0.
Proof.
  intros f a b Hab Hc Ha Hb Hno.
  destruct (root_exists_strictly_between f a b Hab Hc) as [x [Hx Hfx]]; [left; split; assumption|].
  exists x. split; [split; assumption|]. intros y [Hy Hfy].
  destruct (Rtotal_order x y) as [L | [E | G]]; [exfalso | exact E | exfalso].
  - specialize (Hno x y (proj1 Hx) L (proj2 Hy) Hfx). lra.
  - specialize (Hno y x (proj1 Hy) G (proj2 Hx) Hfy). lra.
Qed.

Theorem exactly_one_root_if_beyond_each_root_below : forall (f : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f -> 0 < f a -> f b < 0 ->
  (forall x y, a < x -> x < y -> y < b -> f x = 0 -> f y < 0) -> exists! x, a < x < b /\ f x = 0.
Proof.
  intros f a b Hab Hc Ha Hb Hno.
  destruct (root_exists_strictly_between f a b Hab Hc) as [x [Hx Hfx]]; [right; split; assumption|].
  exists x. split; [split; assumption|]. intros y [Hy Hfy].
  destruct (Rtotal_order x y) as [L | [E | G]]; [exfalso | exact E | exfalso].
  - specialize (Hno x y (proj1 Hx) L (proj2 Hy) Hfx). lra.
  - specialize (Hno y x (proj1 Hy) G (proj2 Hx) Hfy). lra.
Qed.

(** ** Once more beyond a crossing *)

Lemma above_beyond_a_rising_root : forall (f : R -> R) (a s : R) (b : Rbar), Rbar_lt a b -> f a = 0 -> is_derive f a s
  ->
  0 < s -> exists c : R, a < c /\ Rbar_lt c b /\ 0 < f c.
Proof.
  intros f a s b Hab Ha Hd Hs. apply is_derive_Reals in Hd. destruct (Hd s Hs) as [d Hnear].
  assert (Hd0 : 0 < d) by (destruct d; assumption).
  assert (Hc : exists c : R, a < c /\ Rbar_lt c b /\ c < a + d).
  { destruct b as [b | | ]; simpl in *.
    - exists (a + Rmin (d / 2) ((b - a) / 2)).
      assert (0 < Rmin (d / 2) ((b - a) / 2)) by (apply Rmin_glb_lt; lra).
      assert (Rmin (d / 2) ((b - a) / 2) <= d / 2) by apply Rmin_l.
      assert (Rmin (d / 2) ((b - a) / 2) <= (b - a) / 2) by apply Rmin_r. lra.
    - exists (a + d / 2). repeat split; lra.
    - contradiction. }
  destruct Hc as [c [Hac [Hcb Hcd]]]. exists c. split; [exact Hac|]. split; [exact Hcb|].
  specialize (Hnear (c - a) ltac:(lra)). rewrite Rabs_right in Hnear by lra. specialize (Hnear ltac:(lra)).
  replace (a + (c - a)) with c in Hnear by ring. rewrite Ha in Hnear. apply Rabs_def2 in Hnear.
  assert (Q : 0 < (f c - 0) / (c - a)) by lra.
  apply Rmult_lt_compat_r with (r := c - a) in Q; [|lra]. rewrite Rmult_0_l in Q. unfold Rdiv in Q.
  rewrite Rmult_assoc, Rinv_l, Rmult_1_r in Q; lra.
Qed.

(** A function that rises through a value, and tends to less at an end further up, takes the value once more between. *)
Theorem value_taken_beyond_a_rising_root : forall (f : R -> R) (a s : R) (b l : Rbar), Rbar_lt a b ->
  continuous_on (strictly_between a b) f -> f a = 0 -> is_derive f a s -> 0 < s ->
  filterlim f (from_below b) (Rbar_locally l) -> Rbar_lt l 0 -> exists x, strictly_between a b x /\ f x = 0.
Proof.
  intros f a s b l Hab Hc Ha Hd Hs Hl Hl0.
  destruct (above_beyond_a_rising_root f a s b Hab Ha Hd Hs) as [c [Hac [Hcb Hfc]]].
  destruct (below_near_upper_end f a b l c 0) as [u [Hu [Hcu Hfu]]]; try assumption.
  { intro E. rewrite E in Hab. contradiction. }
  { split; assumption. }
  destruct (root_exists_strictly_between f c u Hcu) as [x [Hx Hfx]]; [|right; split; assumption|].
  - apply continuous_on_incl with (strictly_between a b); [|exact Hc]. intros z Hz.
    apply (strictly_between_interval a b c u z); [split; assumption | exact Hu | exact Hz].
  - exists x. split; [|exact Hfx]. apply (strictly_between_interval a b c u x); [split; assumption | exact Hu|].
    unfold closed_interval. lra.
Qed.

(** And one that comes from more at an end further down takes it before. *)
Theorem value_taken_before_a_rising_root : forall (f : R -> R) (b s : R) (a l : Rbar), Rbar_lt a b ->
  continuous_on (strictly_between a b) f -> f b = 0 -> is_derive f b s -> 0 < s ->
  filterlim f (from_above a) (Rbar_locally l) -> Rbar_lt 0 l -> exists x, strictly_between a b x /\ f x = 0.
Proof.
  intros f b s a l Hab Hc Hb Hd Hs Hl Hl0.
  destruct (above_beyond_a_rising_root (fun y => - f (- y)) (- b) s (Rbar_opp a)) as [c [Hbc [Hca Hfc]]].
  - destruct a as [a | | ]; simpl in *; [lra | contradiction | exact I].
  - rewrite Ropp_involutive. lra.
  - evar_last.
    + apply (is_derive_opp (fun y => f (- y))). apply (is_derive_comp f Ropp).
      * rewrite Ropp_involutive. exact Hd.
      * auto_derive; [exact I | reflexivity].
    + unfold scal, opp. simpl. unfold mult. simpl. ring.
  - exact Hs.
  - assert (Hin : strictly_between a b (- c)).
    { split; [destruct a as [a | | ]; simpl in *; [lra | contradiction | exact I] | simpl; lra]. }
    destruct (below_near_lower_end (fun y => - f y) a b (Rbar_opp l) (- c) 0) as [u [Hu [Huc Hfu]]]; try assumption.
    { intro E. rewrite E in Hab. contradiction. }
    { apply (filterlim_comp _ _ _ f Ropp _ (Rbar_locally l)); [exact Hl | apply (filterlim_Rbar_opp l)]. }
    { destruct l as [l | | ]; simpl in *; [lra | exact I | contradiction]. }
    destruct (root_exists_strictly_between f u (- c) Huc) as [x [Hx Hfx]]; [|right; split; lra|].
    + apply continuous_on_incl with (strictly_between a b); [|exact Hc]. intros z Hz.
      apply (strictly_between_interval a b u (- c) z); assumption.
    + exists x. split; [|exact Hfx]. apply (strictly_between_interval a b u (- c) x); try assumption.
      unfold closed_interval. lra.
Qed.

(** ** Where a solution goes *)

(** Each function is below 0 before its root and above 0 after it; in the limit they are so before and after a point. *)
Theorem root_tends_to_the_crossing_of_the_limit : forall (T : Type) (F : (T -> Prop) -> Prop) (a b v : R)
  (f : T -> R -> R) (g : R -> R) (r : T -> R), Filter F -> a <= v <= b -> a < b ->
  F (fun t => forall x y, a < x < b -> a < y < b -> f t x = 0 -> (y < x -> f t y < 0) /\ (x < y -> 0 < f t y)) ->
  (forall x, a < x < b -> filterlim (fun t => f t x) F (locally (g x))) ->
  (forall x, a < x < b -> x < v -> g x < 0) -> (forall x, a < x < b -> v < x -> 0 < g x) ->
  F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim r F (locally v).
Proof.
  intros T F a b v f g r HF Hv Hab Hf Hg Hneg Hpos Hr P [eps Heps].
  assert (Sides : forall x, a < x < b -> F (fun t => (f t x < 0 -> x < r t) /\ (0 < f t x -> r t < x))).
  { intros x Hx. generalize (filter_and _ _ Hf Hr). apply filter_imp. intros t [Hside [Hin H0]].
    specialize (Hside (r t) x Hin Hx H0).
    destruct (Rtotal_order x (r t)) as [L | [E | G]]; [| rewrite <- E in H0 |]; split; intro; lra. }
  assert (Low : F (fun t => v - eps < r t)).
  { destruct (Rle_lt_dec v a) as [Hva | Hav].
    - generalize Hr. apply filter_imp. intros t [Hin _]. pose proof (cond_pos eps). lra.
    - set (x := Rmax ((a + v) / 2) (v - eps / 2)). pose proof (cond_pos eps) as E.
      assert (Hx : a < x < b /\ x < v /\ v - eps < x).
      { unfold x. pose proof (Rmax_l ((a + v) / 2) (v - eps / 2)). pose proof (Rmax_r ((a + v) / 2) (v - eps / 2)).
        assert (Rmax ((a + v) / 2) (v - eps / 2) < v) by (apply Rmax_lub_lt; lra). lra. }
      destruct Hx as [Hx [Hxv Hxe]].
      assert (N : F (fun t => f t x < 0)) by (apply (Hg x Hx (fun y => y < 0)), (open_lt 0), Hneg; assumption).
      generalize (filter_and _ _ (Sides x Hx) N). apply filter_imp. intros t [[S _] Ht]. specialize (S Ht). lra. }
  assert (High : F (fun t => r t < v + eps)).
  { destruct (Rle_lt_dec b v) as [Hbv | Hvb].
    - generalize Hr. apply filter_imp. intros t [Hin _]. pose proof (cond_pos eps). lra.
    - set (x := Rmin ((b + v) / 2) (v + eps / 2)). pose proof (cond_pos eps) as E.
      assert (Hx : a < x < b /\ v < x /\ x < v + eps).
      { unfold x. pose proof (Rmin_l ((b + v) / 2) (v + eps / 2)). pose proof (Rmin_r ((b + v) / 2) (v + eps / 2)).
        assert (v < Rmin ((b + v) / 2) (v + eps / 2)) by (apply Rmin_glb_lt; lra). lra. }
      destruct Hx as [Hx [Hxv Hxe]].
      assert (N : F (fun t => 0 < f t x)) by (apply (Hg x Hx (fun y => 0 < y)), (open_gt 0), Hpos; assumption).
      generalize (filter_and _ _ (Sides x Hx) N). apply filter_imp. intros t [[_ S] Ht]. specialize (S Ht). lra. }
  unfold filtermap. generalize (filter_and _ _ Low High). apply filter_imp. intros t [L H]. apply Heps.
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra.
Qed.

(** What is a function of the solution alone has the limit of that function, where the solution tends to an end. *)
Theorem quantity_at_a_solution_that_tends_to_the_lower_end : forall (T : Type) (F : (T -> Prop) -> Prop) (a b : R)
  (f q : T -> R -> R) (g : R -> R) (l : Rbar) (r : T -> R), Filter F ->
  (F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim r F (locally a)) ->
  F (fun t => forall x, a < x < b -> f t x = 0 -> q t x = g x) -> filterlim g (at_right a) (Rbar_locally l) ->
  F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim (fun t => q t (r t)) F (Rbar_locally l).
Proof.
  intros T F a b f q g l r HF Hlim Hq Hg Hr.
  apply (filterlim_ext_loc (fun t => g (r t))).
  - generalize (filter_and _ _ Hq Hr). apply filter_imp. intros t [E [Hin H0]]. symmetry. apply E; assumption.
  - apply (filterlim_comp _ _ _ r g F (at_right a)); [|exact Hg]. intros P HP.
    specialize (Hlim Hr _ HP). unfold filtermap in *. generalize (filter_and _ _ Hlim Hr). apply filter_imp.
    intros t [A [Hin _]]. apply A. lra.
Qed.

Theorem quantity_at_a_solution_that_tends_to_the_upper_end : forall (T : Type) (F : (T -> Prop) -> Prop) (a b : R)
  (f q : T -> R -> R) (g : R -> R) (l : Rbar) (r : T -> R), Filter F ->
  (F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim r F (locally b)) ->
  F (fun t => forall x, a < x < b -> f t x = 0 -> q t x = g x) -> filterlim g (at_left b) (Rbar_locally l) ->
  F (fun t => a < r t < b /\ f t (r t) = 0) -> filterlim (fun t => q t (r t)) F (Rbar_locally l).
Proof.
  intros T F a b f q g l r HF Hlim Hq Hg Hr.
  apply (filterlim_ext_loc (fun t => g (r t))).
  - generalize (filter_and _ _ Hq Hr). apply filter_imp. intros t [E [Hin H0]]. symmetry. apply E; assumption.
  - apply (filterlim_comp _ _ _ r g F (at_left b)); [|exact Hg]. intros P HP.
    specialize (Hlim Hr _ HP). unfold filtermap in *. generalize (filter_and _ _ Hlim Hr). apply filter_imp.
    intros t [A [Hin _]]. apply A. lra.
Qed.

(** ** A slope that vanishes at one point *)

Theorem strictly_increasing_but_for_one_point : forall (I : R -> Prop) (f f' : R -> R) (m : R), interval I ->
  (forall x, I x -> is_derive f x (f' x)) -> (forall x, I x -> x < m -> 0 < f' x) ->
  (forall x, I x -> m < x -> 0 < f' x) -> strictly_increasing_on I f.
Proof.
  intros I f f' m HI Hd Hbelow Habove.
  assert (Apart : forall x y, I x -> I y -> x < y -> y <= m \/ m <= x -> f x < f y).
  { intros x y Hx Hy Hxy Hm.
    assert (Hin : forall z, x <= z <= y -> I z) by (intros z Hz; exact (HI x y z Hx Hy Hz)).
    destruct (MVT_cor2 f f' x y Hxy) as [z [E Hz]].
    - intros z Hz. apply is_derive_Reals, Hd, Hin, Hz.
    - assert (0 < f' z); [|nra]. destruct Hm; [apply Hbelow | apply Habove]; try apply Hin; lra. }
  intros x y Hx Hy Hxy. destruct (Rle_lt_dec y m) as [L | G]; [apply Apart; auto|].
  destruct (Rle_lt_dec m x) as [L | G']; [apply Apart; auto|].
  assert (Hm : I m) by (apply (HI x y m); auto; lra).
  apply Rlt_trans with (f m); apply Apart; auto; lra.
Qed.

Theorem strictly_decreasing_but_for_one_point : forall (I : R -> Prop) (f f' : R -> R) (m : R), interval I ->
  (forall x, I x -> is_derive f x (f' x)) -> (forall x, I x -> x < m -> f' x < 0) ->
  (forall x, I x -> m < x -> f' x < 0) -> strictly_decreasing_on I f.
Proof.
  intros I f f' m HI Hd Hbelow Habove x y Hx Hy Hxy.
  assert (K : - f x < - f y); [|lra].
  apply (strictly_increasing_but_for_one_point I (fun z => - f z) (fun z => - f' z) m HI); try assumption.
  - intros z Hz. apply (is_derive_opp f), Hd, Hz.
  - intros z Hz L. specialize (Hbelow z Hz L). lra.
  - intros z Hz L. specialize (Habove z Hz L). lra.
Qed.
