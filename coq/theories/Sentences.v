(** * From premises to sentences

    Rules that the theorems of Rules.v do not state in the form in which a claim needs them. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules.

Open Scope R_scope.

(** ** Logic *)

(** What holds everywhere on a larger domain may be supposed at the values [s x]. *)
Theorem follows_from_instances : forall (X Y : Type) (D : X -> Prop) (E P : Y -> Prop) (s : X -> Y) (Q : X -> Prop),
  (forall y, E y -> P y) -> (forall x, D x -> E (s x)) -> (forall x, D x -> P (s x) -> Q x) ->
  forall x, D x -> Q x.
Proof. intros X Y D E P s Q HP HE HQ x Hx. auto. Qed.

Theorem induction_with_a_recurrence : forall (P Step : nat -> Prop) (first : nat),
  (forall n, (first <= n)%nat -> Step n) -> P first -> (forall n, (first <= n)%nat -> Step n -> P n -> P (S n)) ->
  forall n, (first <= n)%nat -> P n.
Proof.
  intros P Step first Hs H0 Hn n Hle. induction Hle as [| n Hle IH]; auto.
Qed.

(** ** Continuity *)

Theorem continuous_if_differentiable : forall (I : R -> Prop) (f f' : R -> R),
  (forall x, I x -> is_derive f x (f' x)) -> continuous_on I f.
Proof. exact continuous_on_derive. Qed.

(** ** Roots *)

Theorem the_root_is_the_only_one : forall (I : R -> Prop) (f : R -> R) (r : R),
  f r = 0 -> I r -> (exists! x, I x /\ f x = 0) -> forall x, I x -> (f x = 0 <-> x = r).
Proof.
  intros I f r Hr HI [x0 [_ Hu]] x Hx. split; [|intros ->; exact Hr].
  intro Hfx. rewrite <- (Hu x), <- (Hu r); auto.
Qed.

(** On the open interval between two ends, where the limits may be infinite. *)
Definition strictly_between (a b : Rbar) (x : R) : Prop := Rbar_lt a x /\ Rbar_lt x b.

Lemma strictly_between_interval : forall a b, interval (strictly_between a b).
Proof.
  intros a b x y z [Hx _] [_ Hy] Hz. split.
  - apply Rbar_lt_le_trans with x; [exact Hx | simpl; lra].
  - apply Rbar_le_lt_trans with y; [simpl; lra | exact Hy].
Qed.

(** How a variable approaches the lower or the upper end from inside. *)
Definition from_above (a : Rbar) : (R -> Prop) -> Prop :=
  match a with Finite c => at_right c | _ => Rbar_locally a end.

Definition from_below (b : Rbar) : (R -> Prop) -> Prop :=
  match b with Finite c => at_left c | _ => Rbar_locally b end.

Global Instance from_above_proper : forall a, ProperFilter (from_above a).
Proof. intros [a | |]; simpl; typeclasses eauto. Qed.

Global Instance from_below_proper : forall b, ProperFilter (from_below b).
Proof. intros [b | |]; simpl; typeclasses eauto. Qed.

Lemma near_lower_end : forall a b, Rbar_lt a b -> a <> p_infty -> from_above a (strictly_between a b).
Proof.
  intros [a | |] [b | |] Hab Ha; simpl in *; try contradiction; try congruence.
  - assert (Hd : 0 < b - a) by lra. exists (mkposreal _ Hd). intros x Hx Hax. apply Rabs_def2 in Hx.
    split; simpl; unfold minus, plus, opp in Hx; simpl in Hx; lra.
  - exists (mkposreal _ Rlt_0_1). intros x _ Hax. split; simpl; auto.
  - exists b. intros x Hx. split; simpl; auto.
  - exists 0. intros x _. split; simpl; auto.
Qed.

Lemma near_upper_end : forall a b, Rbar_lt a b -> b <> m_infty -> from_below b (strictly_between a b).
Proof.
  intros [a | |] [b | |] Hab Hb; simpl in *; try contradiction; try congruence.
  - assert (Hd : 0 < b - a) by lra. exists (mkposreal _ Hd). intros x Hx Hbx. apply Rabs_def2 in Hx.
    split; simpl; unfold minus, plus, opp in Hx; simpl in Hx; lra.
  - exists a. intros x Hx. split; simpl; auto.
  - exists (mkposreal _ Rlt_0_1). intros x _ Hbx. split; simpl; auto.
  - exists 0. intros x _. split; simpl; auto.
Qed.

Lemma eventually_below : forall (l : Rbar) (y : R), Rbar_lt l y -> Rbar_locally l (fun z => z < y).
Proof.
  intros [l | |] y Hly; simpl in *; [|contradiction|exists y; auto].
  assert (Hd : 0 < y - l) by lra. exists (mkposreal _ Hd). intros z Hz. apply Rabs_def2 in Hz.
  unfold minus, plus, opp in Hz; simpl in Hz; lra.
Qed.

Lemma eventually_above : forall (l : Rbar) (y : R), Rbar_lt y l -> Rbar_locally l (fun z => y < z).
Proof.
  intros [l | |] y Hly; simpl in *; [|exists y; auto|contradiction].
  assert (Hd : 0 < l - y) by lra. exists (mkposreal _ Hd). intros z Hz. apply Rabs_def2 in Hz.
  unfold minus, plus, opp in Hz; simpl in Hz; lra.
Qed.

Lemma somewhere : forall (F : (R -> Prop) -> Prop) (I : R -> Prop) (f : R -> R) (l : Rbar) (P : R -> Prop),
  ProperFilter F -> F I -> filterlim f F (Rbar_locally l) -> Rbar_locally l P -> exists x, I x /\ P (f x).
Proof.
  intros F I f l P HF HI Hlim HP. apply (@filter_ex _ F HF).
  apply filter_and; [exact HI | exact (Hlim P HP)].
Qed.

Theorem exactly_one_root_if_strictly_increasing_between_limits : forall (f : R -> R) (a b l m : Rbar) (y : R),
  Rbar_lt a b -> a <> p_infty -> b <> m_infty ->
  continuous_on (strictly_between a b) f -> strictly_increasing_on (strictly_between a b) f ->
  filterlim f (from_above a) (Rbar_locally l) -> filterlim f (from_below b) (Rbar_locally m) ->
  Rbar_lt l y -> Rbar_lt y m -> exists! x, strictly_between a b x /\ f x = y.
Proof.
  intros f a b l m y Hab Ha Hb Hc Hinc Hl Hm Hly Hym.
  destruct (somewhere (from_above a) (strictly_between a b) f l (fun z => z < y)) as [u [Hu Hfu]];
    try typeclasses eauto; auto using near_lower_end, eventually_below.
  destruct (somewhere (from_below b) (strictly_between a b) f m (fun z => y < z)) as [v [Hv Hfv]];
    try typeclasses eauto; auto using near_upper_end, eventually_above.
  destruct (exactly_one_root_if_strictly_increasing (strictly_between a b) (fun x => f x - y) u v)
    as [x [[Hx Hfx] Hux]]; auto using strictly_between_interval.
  - apply continuous_on_of_eps. intros x Hx eps Heps.
    destruct (continuous_on_eps _ _ Hc x Hx eps Heps) as [d [Hd H]].
    exists d. split; [exact Hd|]. intros z Hz Hzx. replace (f z - y - (f x - y)) with (f z - f x) by ring. auto.
  - intros x z Hx Hz Hxz. specialize (Hinc x z Hx Hz Hxz). lra.
  - lra.
  - exists x. split; [split; [exact Hx | lra]|]. intros z [Hz Hfz]. apply Hux. split; [exact Hz | lra].
Qed.

Theorem exactly_one_root_if_strictly_decreasing_between_limits : forall (f : R -> R) (a b l m : Rbar) (y : R),
  Rbar_lt a b -> a <> p_infty -> b <> m_infty ->
  continuous_on (strictly_between a b) f -> strictly_decreasing_on (strictly_between a b) f ->
  filterlim f (from_above a) (Rbar_locally l) -> filterlim f (from_below b) (Rbar_locally m) ->
  Rbar_lt m y -> Rbar_lt y l -> exists! x, strictly_between a b x /\ f x = y.
Proof.
  intros f a b l m y Hab Ha Hb Hc Hdec Hl Hm Hmy Hyl.
  destruct (exactly_one_root_if_strictly_increasing_between_limits (fun x => - f x) a b (Rbar_opp l) (Rbar_opp m) (- y))
    as [x [[Hx Hfx] Hux]]; try assumption.
  - apply continuous_on_of_eps. intros x Hx eps Heps.
    destruct (continuous_on_eps _ _ Hc x Hx eps Heps) as [d [Hd H]].
    exists d. split; [exact Hd|]. intros z Hz Hzx. replace (- f z - - f x) with (- (f z - f x)) by ring.
    rewrite Rabs_Ropp. auto.
  - intros x z Hx Hz Hxz. specialize (Hdec x z Hx Hz Hxz). lra.
  - eapply filterlim_comp; [exact Hl | apply filterlim_Rbar_opp].
  - eapply filterlim_comp; [exact Hm | apply filterlim_Rbar_opp].
  - change (Rbar_lt (Rbar_opp l) (Rbar_opp y)). apply Rbar_opp_lt. exact Hyl.
  - change (Rbar_lt (Rbar_opp y) (Rbar_opp m)). apply Rbar_opp_lt. exact Hmy.
  - exists x. split; [split; [exact Hx | lra]|]. intros z [Hz Hfz]. apply Hux. split; [exact Hz | lra].
Qed.

Theorem value_taken_between_limits : forall (f : R -> R) (a b l m : Rbar) (y : R),
  Rbar_lt a b -> a <> p_infty -> b <> m_infty -> continuous_on (strictly_between a b) f ->
  filterlim f (from_above a) (Rbar_locally l) -> filterlim f (from_below b) (Rbar_locally m) ->
  Rbar_lt l y /\ Rbar_lt y m \/ Rbar_lt m y /\ Rbar_lt y l -> exists x, strictly_between a b x /\ f x = y.
Proof.
  intros f a b l m y Hab Ha Hb Hc Hl Hm Hsides.
  assert (Hends : exists u v, strictly_between a b u /\ strictly_between a b v /\ f u <= y <= f v).
  { destruct Hsides as [[Hly Hym] | [Hmy Hyl]].
    - destruct (somewhere (from_above a) (strictly_between a b) f l (fun z => z < y)) as [u [Hu Hfu]];
        try typeclasses eauto; auto using near_lower_end, eventually_below.
      destruct (somewhere (from_below b) (strictly_between a b) f m (fun z => y < z)) as [v [Hv Hfv]];
        try typeclasses eauto; auto using near_upper_end, eventually_above.
      exists u, v. repeat split; auto; try apply Hu; try apply Hv; lra.
    - destruct (somewhere (from_above a) (strictly_between a b) f l (fun z => y < z)) as [u [Hu Hfu]];
        try typeclasses eauto; auto using near_lower_end, eventually_above.
      destruct (somewhere (from_below b) (strictly_between a b) f m (fun z => z < y)) as [v [Hv Hfv]];
        try typeclasses eauto; auto using near_upper_end, eventually_below.
      exists v, u. repeat split; auto; try apply Hu; try apply Hv; lra. }
  destruct Hends as [u [v [Hu [Hv Hfy]]]].
  assert (Hin : forall p q, strictly_between a b p -> strictly_between a b q ->
    continuous_on (closed_interval p q) f).
  { intros p q Hp Hq. apply continuous_on_incl with (strictly_between a b); [|exact Hc].
    intros z Hz. apply (strictly_between_interval a b p q z Hp Hq Hz). }
  destruct (Rle_or_lt u v) as [Huv | Hvu].
  - destruct (intermediate_value f u v y Huv (Hin u v Hu Hv)) as [x [Hx Hfx]]; [left; exact Hfy|].
    exists x. split; [apply (strictly_between_interval a b u v x Hu Hv Hx) | exact Hfx].
  - destruct (intermediate_value f v u y (Rlt_le _ _ Hvu) (Hin v u Hv Hu)) as [x [Hx Hfx]]; [right; exact Hfy|].
    exists x. split; [apply (strictly_between_interval a b v u x Hv Hu Hx) | exact Hfx].
Qed.

(** ** Tangents *)

Theorem convex_is_at_least_zero_above_a_flat_tangent : forall (I : R -> Prop) (f f' f'' : R -> R) (x : R), interval I ->
  I x -> (forall y, I y -> is_derive f y (f' y)) -> (forall y, I y -> is_derive f' y (f'' y)) ->
  (forall y, I y -> 0 <= f'' y) -> f x = 0 -> f' x = 0 -> forall y, I y -> 0 <= f y.
Proof.
  intros I f f' f'' x HI Hx Hd Hd2 Hs H0 H1 y Hy.
  assert (Hc : convex_on I f).
  { apply convex_if_second_derivative_nonnegative with f' f''; [exact HI | | | |].
    - apply continuous_if_differentiable with f'. exact Hd.
    - intros z Hz. apply Hd, inside_in; assumption.
    - intros z Hz. apply Hd2, inside_in; assumption.
    - intros z Hz. apply Hs, inside_in; assumption. }
  pose proof (convex_lies_above_its_tangents I f x (f' x) HI Hc Hx (Hd x Hx) y Hy) as H.
  rewrite H0, H1 in H. lra.
Qed.

(** ** Maxima *)

Theorem rise_and_fall_has_strict_maximum : forall (I : R -> Prop) (f : R -> R) (x : R), interval I -> I x ->
  continuous_on I f -> strictly_increasing_on (fun y => I y /\ y < x) f ->
  strictly_decreasing_on (fun y => I y /\ x < y) f -> strict_maximum_on I f x.
Proof.
  intros I f x HI Hx Hc Hinc Hdec.
  assert (Hside : forall y, I y -> y <> x ->
    (forall w, I w -> (y + x) / 2 <= w < x \/ x < w <= (y + x) / 2 -> f ((y + x) / 2) <= f w) ->
    f y < f ((y + x) / 2) -> f y < f x).
  { intros y Hy Hne Hmid Hlt. apply Rlt_le_trans with (f ((y + x) / 2)); [exact Hlt|].
    apply Rnot_lt_le. intro Hbad.
    destruct (continuous_on_eps _ _ Hc x Hx (f ((y + x) / 2) - f x)) as [d [Hd H]]; [lra|].
    set (w := if Rlt_dec y x then x - Rmin (d / 2) ((x - y) / 2) else x + Rmin (d / 2) ((y - x) / 2)).
    assert (Hw : I w /\ ((y + x) / 2 <= w < x \/ x < w <= (y + x) / 2) /\ Rabs (w - x) < d).
    { unfold w. destruct (Rlt_dec y x) as [Hyx | Hyx].
      - pose proof (Rmin_l (d / 2) ((x - y) / 2)). pose proof (Rmin_r (d / 2) ((x - y) / 2)).
        assert (0 < Rmin (d / 2) ((x - y) / 2)) by (apply Rmin_pos; lra).
        split; [apply (HI y x); auto; lra|]. split; [left; lra|]. rewrite Rabs_left; lra.
      - pose proof (Rmin_l (d / 2) ((y - x) / 2)). pose proof (Rmin_r (d / 2) ((y - x) / 2)).
        assert (0 < Rmin (d / 2) ((y - x) / 2)) by (apply Rmin_pos; lra).
        split; [apply (HI x y); auto; lra|]. split; [right; lra|]. rewrite Rabs_pos_eq; lra. }
    destruct Hw as [HIw [Hwm Hwd]]. specialize (Hmid w HIw Hwm). specialize (H w HIw Hwd).
    apply Rabs_def2 in H. lra. }
  split; [exact Hx|]. intros y Hy Hne. apply Hside; auto.
  - intros w Hw [[Hl Hr] | [Hl Hr]]; (destruct (Req_dec ((y + x) / 2) w) as [<- | Hd]; [lra|]).
    + apply Rlt_le, Hinc; [split; [apply (HI y x); auto; lra | lra] | split; auto | lra].
    + apply Rlt_le, Hdec; [split; auto | split; [apply (HI x y); auto; lra | lra] | lra].
  - destruct (Rlt_or_le y x) as [Hyx | Hyx].
    + apply Hinc; [split; auto | split; [apply (HI y x); auto; lra | lra] | lra].
    + apply Hdec; [split; [apply (HI x y); auto; lra | lra] | split; auto; lra | lra].
Qed.

(** ** Iterations *)

Theorem limit_of_iteration_in_interval_is_fixed_point : forall (f : R -> R) (a b l : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b ->
  iteration f x -> converges_to x l -> a <= l <= b /\ f l = l.
Proof.
  intros f a b l x Hc Hmap H0 Hit Hlim.
  assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
  assert (Hl : a <= l <= b).
  { split.
    - apply (limits_keep_weak_inequalities (fun _ => a) x); [apply Hx | apply converges_to_const | exact Hlim].
    - apply (limits_keep_weak_inequalities x (fun _ => b)); [apply Hx | exact Hlim | apply converges_to_const]. }
  split; [exact Hl|]. apply (limit_of_iteration_is_fixed_point (closed_interval a b) f x); auto.
Qed.

(** A monotone map sends an interval into itself if it does so at the ends. *)
Lemma increasing_map_stays : forall (f : R -> R) (a b : R), increasing_on (closed_interval a b) f ->
  a <= f a -> f b <= b -> forall y, a <= y <= b -> a <= f y <= b.
Proof.
  intros f a b Hinc Ha Hb y Hy. split.
  - apply Rle_trans with (f a); [exact Ha | apply Hinc; unfold closed_interval; lra].
  - apply Rle_trans with (f b); [apply Hinc; unfold closed_interval; lra | exact Hb].
Qed.

Lemma decreasing_map_stays : forall (f : R -> R) (a b : R), decreasing_on (closed_interval a b) f ->
  f a <= b -> a <= f b -> forall y, a <= y <= b -> a <= f y <= b.
Proof.
  intros f a b Hdec Ha Hb y Hy. split.
  - apply Rle_trans with (f b); [exact Hb | apply Hdec; unfold closed_interval; lra].
  - apply Rle_trans with (f a); [apply Hdec; unfold closed_interval; lra | exact Ha].
Qed.

Theorem increasing_map_rises_to_least_fixed_point : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f -> a <= f a -> f b <= b ->
  a <= x 0%nat <= b -> iteration f x -> x 0%nat <= x 1%nat ->
  exists l, a <= l <= b /\ f l = l /\ converges_to x l /\ (forall n, x n <= x (S n)) /\ (forall n, x n <= l) /\
    forall q, a <= q <= b -> x 0%nat <= q -> f q <= q -> l <= q.
Proof.
  intros f a b x Hc Hinc Ha Hb H0 Hit H1.
  apply increasing_map_iterates_upwards_to_least_fixed_point; auto using increasing_map_stays.
Qed.

Theorem increasing_map_falls_to_greatest_fixed_point : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f -> a <= f a -> f b <= b ->
  a <= x 0%nat <= b -> iteration f x -> x 1%nat <= x 0%nat ->
  exists l, a <= l <= b /\ f l = l /\ converges_to x l /\ (forall n, x (S n) <= x n) /\ (forall n, l <= x n) /\
    forall q, a <= q <= b -> q <= x 0%nat -> q <= f q -> q <= l.
Proof.
  intros f a b x Hc Hinc Ha Hb H0 Hit H1.
  apply increasing_map_iterates_downwards_to_greatest_fixed_point; auto using increasing_map_stays.
Qed.

Theorem increasing_map_converges_monotonically : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f -> a <= f a -> f b <= b ->
  a <= x 0%nat <= b -> iteration f x ->
  ((forall n, x n <= x (S n)) \/ (forall n, x (S n) <= x n)) /\ exists l, a <= l <= b /\ f l = l /\ converges_to x l.
Proof.
  intros f a b x Hc Hinc Ha Hb H0 Hit.
  apply increasing_map_iteration_converges; auto using increasing_map_stays.
Qed.

Theorem decreasing_map_has_two_limits : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> decreasing_on (closed_interval a b) f -> f a <= b -> a <= f b ->
  a <= x 0%nat <= b -> iteration f x -> x 0%nat <= x 2%nat ->
  (forall n, x (2 * n)%nat <= x (2 * S n)%nat) /\ (forall n, x (S (2 * S n)) <= x (S (2 * n))) /\
  exists even odd, a <= even <= b /\ a <= odd <= b /\
    converges_to (fun n => x (2 * n)%nat) even /\ converges_to (fun n => x (S (2 * n))) odd /\
    f even = odd /\ f odd = even /\ (even = odd -> converges_to x even) /\
    (forall l, converges_to x l -> even = l /\ odd = l).
Proof.
  intros f a b x Hc Hdec Ha Hb H0 Hit H2.
  apply decreasing_map_iterates_to_two_limits; auto using decreasing_map_stays.
Qed.

(** ** Sums *)

(** [m] sums of non-negative terms: what they add up to is not negative, and zero exactly where every term is. *)
Theorem terms_decide_a_sum : forall (m : nat) (n : nat -> nat) (f : nat -> nat -> R) (E : nat -> nat -> Prop)
    (left right : R), left - right = Sum m (fun j => Sum (n j) (f j)) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= f j i) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> (f j i = 0 <-> E j i)) ->
  right <= left /\ (left = right <-> forall j i, (j < m)%nat -> (i < n j)%nat -> E j i).
Proof.
  intros m n f E left right Hgap Hpos Hzero.
  assert (Hin : forall j, (j < m)%nat -> 0 <= Sum (n j) (f j)).
  { intros j Hj. apply Sum_nonneg. intros i Hi. auto. }
  assert (Hout : 0 <= Sum m (fun j => Sum (n j) (f j))) by (apply Sum_nonneg; exact Hin).
  split; [lra|]. split.
  - intros Heq j i Hj Hi.
    assert (H0 : Sum m (fun j => Sum (n j) (f j)) = 0) by lra.
    pose proof (proj1 (sum_of_nonnegative_terms_vanishes_only_if_all_do m _ Hin) H0 j Hj) as Hj0.
    apply Hzero; auto.
    apply (proj1 (sum_of_nonnegative_terms_vanishes_only_if_all_do (n j) (f j) (fun i Hi => Hpos j i Hj Hi)) Hj0 i Hi).
  - intros HE.
    assert (H0 : Sum m (fun j => Sum (n j) (f j)) = 0); [|lra].
    apply Sum_zero. intros j Hj. apply Sum_zero. intros i Hi. apply Hzero; auto.
Qed.

Theorem sums_of_equal_terms_agree : forall (n m : nat) (c : nat -> R) (f : nat -> nat -> R) (left right : R),
  left - right = Sum m (fun j => c j * Sum n (f j)) -> (forall i, (i < n)%nat -> Sum m (fun j => c j * f j i) = 0) ->
  left = right.
Proof.
  intros n m c f left right Hgap H.
  assert (Hz : Sum m (fun j => c j * Sum n (f j)) = 0); [|lra].
  rewrite (Sum_ext m _ (fun j => Sum n (fun i => c j * f j i))) by (intros; rewrite Sum_scal; reflexivity).
  rewrite Sum_swap. apply Sum_zero. exact H.
Qed.

Lemma entropy_gap : forall p q : R, 0 < p -> 0 < q ->
  0 <= p * ln (p / q) - p + q /\ (p * ln (p / q) - p + q = 0 <-> p = q).
Proof.
  intros p q Hp Hq.
  assert (Hln : ln (p / q) = - ln (q / p)).
  { rewrite <- ln_Rinv; [f_equal; field; lra | apply Rdiv_lt_0_compat; lra]. }
  assert (Hr : 0 < q / p) by (apply Rdiv_lt_0_compat; lra).
  assert (Hone : forall r, 0 < r -> r <> 1 -> ln r < r - 1).
  { intros r Hr0 Hr1. apply exp_lt_inv. rewrite exp_ln by exact Hr0.
    pose proof (exp_ineq1 (r - 1) ltac:(lra)). lra. }
  rewrite Hln. destruct (Req_dec (q / p) 1) as [He | Hne].
  - assert (p = q) by (apply (Rmult_eq_reg_r (/ p)); [|apply Rinv_neq_0_compat; lra];
      unfold Rdiv in He; rewrite He; field; lra).
    rewrite He, ln_1. split; [nra|]. split; intro; lra.
  - specialize (Hone _ Hr Hne).
    assert (Hm : p * ln (q / p) < p * (q / p - 1)) by (apply Rmult_lt_compat_l; lra).
    assert (Hd : p * (q / p - 1) = q - p) by (field; lra).
    split; [lra|]. split; intro H; [lra | exfalso; apply Hne; rewrite H; field; lra].
Qed.

Theorem gibbs_for_equal_sums : forall (m : nat) (n : nat -> nat) (p q : nat -> nat -> R) (c left right : R),
  left - right = c * Sum m (fun j => Sum (n j) (fun i => p j i * ln (p j i / q j i))) ->
  Sum m (fun j => Sum (n j) (p j)) = Sum m (fun j => Sum (n j) (q j)) -> 0 < c ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 < p j i /\ 0 < q j i) ->
  right <= left /\ (left = right <-> forall j i, (j < m)%nat -> (i < n j)%nat -> p j i = q j i).
Proof.
  intros m n p q c left right Hgap Hsum Hc Hpos.
  apply (terms_decide_a_sum m n (fun j i => c * (p j i * ln (p j i / q j i) - p j i + q j i))).
  - rewrite Hgap.
    rewrite (Sum_ext m (fun j => Sum (n j) (fun i => c * (p j i * ln (p j i / q j i) - p j i + q j i)))
      (fun j => c * (Sum (n j) (fun i => p j i * ln (p j i / q j i)) - Sum (n j) (p j) + Sum (n j) (q j)))).
    + rewrite Sum_scal. f_equal.
      rewrite (Sum_plus m (fun j => Sum (n j) (fun i => p j i * ln (p j i / q j i)) - Sum (n j) (p j))).
      rewrite Sum_minus. lra.
    + intros j Hj. rewrite Sum_scal. f_equal. rewrite Sum_plus, Sum_minus. reflexivity.
  - intros j i Hj Hi. destruct (Hpos j i Hj Hi). pose proof (proj1 (entropy_gap (p j i) (q j i) H H0)). nra.
  - intros j i Hj Hi. destruct (Hpos j i Hj Hi).
    destruct (entropy_gap (p j i) (q j i) H H0) as [_ [H1 H2]].
    split; intro He; [apply H1; nra | rewrite (H2 He); ring].
Qed.

(** ** Functions of a policy *)

Theorem sum_of_strictly_concave_functions_is_strictly_concave :
  forall (n : nat) (phi : nat -> R -> R) (x y : nat -> R) (t : R),
  (forall i, (i < n)%nat -> strictly_concave_on (fun u => 0 < u) (phi i)) ->
  (forall i, (i < n)%nat -> 0 < x i /\ 0 < y i) -> (exists i, (i < n)%nat /\ x i <> y i) -> 0 < t < 1 ->
  t * Sum n (fun i => phi i (x i)) + (1 - t) * Sum n (fun i => phi i (y i)) <
  Sum n (fun i => phi i (t * x i + (1 - t) * y i)).
Proof.
  intros n phi x y t Hphi Hpos [k [Hk Hne]] Ht.
  rewrite <- !Sum_scal, <- Sum_plus. apply Sum_lt with k; auto.
  - intros i Hi. destruct (Hpos i Hi). destruct (Req_dec (x i) (y i)) as [He | Hd].
    + rewrite He. replace (t * y i + (1 - t) * y i) with (y i) by ring. lra.
    + apply Rlt_le, Hphi; auto.
  - destruct (Hpos k Hk). apply Hphi; auto.
Qed.

Theorem slopes_are_equal_at_an_inner_maximum : forall (n : nat) (phi : nat -> R -> R) (x d : nat -> R),
  full_support n x -> (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) ->
  local_maximum n (fun y => Sum n (fun o => phi o (y o))) x ->
  exists lam, forall o, (o < n)%nat -> d o = lam.
Proof.
  intros n phi x d Hx Hd Hmax.
  pose proof (gradient_of_sum_of_functions n phi x d Hd) as Hg.
  pose proof (proj1 (kkt_with_full_support_is_equal_slopes n x d Hx) (kkt_is_necessary n _ x d Hg Hmax)) as Heq.
  destruct n as [| n]; [exists 0; intros; lia|]. exists (d 0%nat). intros o Ho. apply Heq; lia.
Qed.

(** ** Groups *)

(** [F a s] is a number of the member [a] of the group [s], whatever the order of the group. *)
Theorem expectation_for_one_member_of_a_group :
  forall (A : Type) (E : (A -> R) -> R) (N : nat) (F : A -> list A -> R) (v : R), expectation E ->
  (forall a s s', Permutation s s' -> F a s = F a s') ->
  (forall s, length s = S N -> list_sum (map (fun a => F a s) s) = INR (S N) * v) ->
  E (fun a => draws E N (fun s => F a (a :: s))) = v.
Proof.
  intros A E N F v HE HF Hsum.
  rewrite <- (mean_over_positions_of_a_group_is_that_of_one_position A E N F HE HF).
  rewrite (draws_ext E HE (S N) _ (fun _ => v)).
  - apply (E_const (draws E (S N)) (draws_E E (S N) HE)).
  - intros s Hs. unfold mean. rewrite map_length, Hs, (Hsum s Hs). field. apply not_0_INR. lia.
Qed.
