(** * Limits of bounded sequences, levels, functions in pieces

    Rules that join limits, signs and pieces to sentences. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Rules Sentences.

Open Scope R_scope.

(** ** Sequences *)

Lemma distances_vanish : forall (m : nat) (y : nat -> nat -> R) (l : nat -> R),
  (forall j, (j < m)%nat -> converges_to (y j) (l j)) ->
  converges_to (fun n => Sum m (fun j => Rabs (y j n - l j))) 0.
Proof.
  intros m y l Hy. induction m as [|m IH].
  - apply converges_to_const.
  - simpl. replace 0 with (0 + 0) by ring. apply is_lim_seq_plus'.
    + apply IH. intros j Hj. apply Hy. lia.
    + apply converges_to_eps. intros eps Heps.
      destruct (proj1 (converges_to_eps _ _) (Hy m (Nat.lt_succ_diag_r m)) eps Heps) as [N HN].
      exists N. intros n Hn. rewrite Rminus_0_r, Rabs_Rabsolu. exact (HN n Hn).
Qed.

Theorem limsup_below_a_bound_that_converges :
  forall (m : nat) (x : nat -> R) (y : nat -> nat -> R) (l : nat -> R) (b : R),
  (forall n, x n <= b + Sum m (fun j => Rabs (y j n - l j))) ->
  (forall j, (j < m)%nat -> converges_to (y j) (l j)) -> limsup_at_most x b.
Proof.
  intros m x y l b Hx Hy eps Heps.
  destruct (proj1 (converges_to_eps _ _) (distances_vanish m y l Hy) eps Heps) as [N HN].
  exists N. intros n Hn. specialize (HN n Hn). specialize (Hx n). apply Rabs_def2 in HN. lra.
Qed.

Theorem converges_with_what_bounds_the_distance :
  forall (m : nat) (x : nat -> R) (y : nat -> nat -> R) (l : nat -> R) (b : R),
  (forall n, Rabs (x n - b) <= Sum m (fun j => Rabs (y j n - l j))) ->
  (forall j, (j < m)%nat -> converges_to (y j) (l j)) -> converges_to x b.
Proof.
  intros m x y l b Hx Hy. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps _ _) (distances_vanish m y l Hy) eps Heps) as [N HN].
  exists N. intros n Hn. specialize (HN n Hn). specialize (Hx n). apply Rabs_def2 in HN. lra.
Qed.

(** Sums of numbers that are not negative do not exceed the value of the series. *)
Theorem series_is_above_its_partial_sums : forall (d : nat -> R) (s : R), (forall i, 0 <= d i) ->
  converges_to (fun n => Sum n d) s -> forall n, Sum n d <= s.
Proof.
  intros d s Hd Hs n. apply (is_lim_seq_incr_compare _ s Hs). intro k. simpl. specialize (Hd k). lra.
Qed.

Theorem sum_exceeds_one_of_its_terms : forall (n k : nat) (f : nat -> R) (left right : R), (k < n)%nat ->
  left - right = Sum n f - f k -> (forall i, (i < n)%nat -> 0 <= f i) -> right <= left.
Proof. intros n k f left right Hk Hgap Hf. pose proof (Sum_term_le n f k Hf Hk). lra. Qed.

(** Terms that are what they tend to from some number on, each from its own. *)
Theorem sums_of_terms_that_settle_agree_from_some_number_on : forall (n : nat) (f : nat -> R -> R) (g bound : nat -> R),
  (forall i e, (i < n)%nat -> bound i <= e -> f i e = g i) ->
  exists E, forall e, E <= e -> Sum n (fun i => f i e) = Sum n g.
Proof.
  intros n f g bound Hf. exists (Sum n (fun i => Rabs (bound i))). intros e He. apply Sum_ext. intros i Hi.
  apply Hf; [exact Hi|]. pose proof (Sum_term_le n (fun j => Rabs (bound j)) i (fun j _ => Rabs_pos _) Hi) as H.
  pose proof (Rle_abs (bound i)). cbv beta in H. lra.
Qed.

Theorem order_by_the_difference : forall x y d : R, y - x = d -> (0 < d -> x < y) /\ (0 <= d -> x <= y).
Proof. intros x y d H. split; lra. Qed.

(** ** Roots *)

Theorem exactly_one_root_if_derivative_negative_at_roots : forall (f f' : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f -> 0 < f a -> f b < 0 ->
  (forall x, a < x < b -> f x = 0 -> is_derive f x (f' x)) -> (forall x, a < x < b -> f x = 0 -> f' x < 0) ->
  exists! x, a < x < b /\ f x = 0.
Proof.
  intros f f' a b Hab Hc Ha Hb Hd Hs.
  destruct (root_exists_strictly_between f a b Hab Hc) as [x [Hx Hfx]]; [right; split; assumption|].
  exists x. split; [split; assumption|]. intros y [Hy Hfy].
  apply (at_most_one_root_if_derivative_negative_at_roots (fun z => a < z < b) f f'); auto.
  - intros u v w Hu Hv Hw. lra.
  - apply continuous_on_incl with (closed_interval a b); [|exact Hc]. intros u Hu. unfold closed_interval. lra.
Qed.

(** ** Where a function exceeds a number *)

Theorem exceeds_a_number_on_one_interval : forall (f : R -> R) (a m b c : R), a < b ->
  continuous_on (fun x => a < x < b) f -> strictly_increasing_on (fun x => a < x < b /\ x < m) f ->
  strictly_decreasing_on (fun x => a < x < b /\ m < x) f ->
  exists u v, a <= u /\ v <= b /\ forall x, a < x < b -> (c < f x <-> u < x < v).
Proof.
  intros f a m b c Hab Hc Hinc Hdec.
  set (S := fun x => a < x < b /\ c < f x).
  assert (Hmid : forall y x z, S y -> S z -> y < x < z -> S x).
  { intros y x z [Hy Hfy] [Hz Hfz] Hx. split; [lra|].
    destruct (Rtotal_order x m) as [H | [H | H]].
    - assert (f y < f x) by (apply Hinc; lra). lra.
    - subst x. apply Rnot_le_lt. intro Hle.
      destruct (continuous_on_eps _ _ Hc m) with (1 := conj (Rlt_trans _ _ _ (proj1 Hy) (proj1 Hx))
        (Rlt_trans _ _ _ (proj2 Hx) (proj2 Hz))) (eps := f y - f m) as [d [Hd Hn]]; [lra|].
      set (w := m - Rmin (d / 2) ((m - y) / 2)).
      assert (0 < Rmin (d / 2) ((m - y) / 2)) by (apply Rmin_pos; lra).
      pose proof (Rmin_l (d / 2) ((m - y) / 2)). pose proof (Rmin_r (d / 2) ((m - y) / 2)).
      assert (f y < f w) by (apply Hinc; unfold w; lra).
      specialize (Hn w ltac:(unfold w; lra) ltac:(unfold w; apply Rabs_def1; lra)). apply Rabs_def2 in Hn. lra.
    - assert (f z < f x) by (apply Hdec; lra). lra. }
  assert (Hopen : forall x, S x -> exists y z, S y /\ S z /\ y < x < z).
  { intros x [Hx Hfx]. destruct (continuous_on_eps _ _ Hc x Hx (f x - c)) as [d [Hd H]]; [lra|].
    set (e := Rmin (d / 2) (Rmin ((x - a) / 2) ((b - x) / 2))).
    assert (0 < e) by (unfold e; repeat apply Rmin_pos; lra).
    assert (e <= d / 2) by apply Rmin_l.
    assert (e <= (x - a) / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
    assert (e <= (b - x) / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_r]).
    exists (x - e), (x + e). split; [|split; [|lra]].
    - split; [lra|]. specialize (H (x - e) ltac:(lra) ltac:(apply Rabs_def1; lra)). apply Rabs_def2 in H. lra.
    - split; [lra|]. specialize (H (x + e) ltac:(lra) ltac:(apply Rabs_def1; lra)). apply Rabs_def2 in H. lra. }
  destruct (Classical_Prop.classic (exists x, S x)) as [[x0 H0] | Hno].
  - destruct (completeness S) as [v [Hvu Hvl]]; [exists b; intros x [Hx _]; lra | exists x0; exact H0 |].
    destruct (completeness (fun y => S (- y))) as [w [Hwu Hwl]];
      [exists (- a); intros y [Hy _]; lra | exists (- x0); rewrite Ropp_involutive; exact H0 |].
    exists (- w), v. split; [|split].
    + assert (w <= - a); [|lra]. apply Hwl. intros y [Hy _]. lra.
    + apply Hvl. intros y [Hy _]. lra.
    + intros x Hx. split.
      * intro Hfx. destruct (Hopen x (conj Hx Hfx)) as [y [z [Hy [Hz Hyz]]]].
        assert (z <= v) by (apply Hvu; exact Hz).
        assert (- y <= w) by (apply Hwu; rewrite Ropp_involutive; exact Hy). lra.
      * intros [Hl Hr].
        assert (Hz : exists z, S z /\ x < z).
        { apply Classical_Prop.NNPP. intro Hn. assert (v <= x); [|lra]. apply Hvl. intros z Hz.
          apply Rnot_lt_le. intro. apply Hn. exists z. split; assumption. }
        assert (Hy : exists y, S y /\ y < x).
        { apply Classical_Prop.NNPP. intro Hn. assert (w <= - x); [|lra]. apply Hwl. intros y Hy.
          apply Rnot_lt_le. intro. apply Hn. exists (- y). split; [exact Hy | lra]. }
        destruct Hz as [z [Hz Hxz]]. destruct Hy as [y [Hy Hyx]].
        destruct (Hmid y x z Hy Hz (conj Hyx Hxz)) as [_ H]. exact H.
  - exists a, a. split; [lra|]. split; [lra|]. intros x Hx. split; [|lra].
    intro H. exfalso. apply Hno. exists x. split; assumption.
Qed.

Theorem convex_is_below_a_number_on_one_interval : forall (f : R -> R) (a b : Rbar) (c : R), Rbar_lt a b ->
  a <> p_infty -> b <> m_infty -> continuous_on (strictly_between a b) f -> convex_on (strictly_between a b) f ->
  filterlim f (from_above a) (Rbar_locally p_infty) -> filterlim f (from_below b) (Rbar_locally p_infty) ->
  exists u v, strictly_between a b u /\ strictly_between a b v /\
    forall x, strictly_between a b x -> (f x < c <-> u < x < v).
Proof.
  intros f a b c Hab Ha Hb Hc Hconv Hl Hm.
  assert (Hlow : forall x0, strictly_between a b x0 -> f x0 < c ->
    exists z, strictly_between a b z /\ z < x0 /\ c < f z).
  { intros x0 H0 _. apply (@filter_ex _ (from_above a) _).
    apply filter_and; [apply near_lower_end; assumption|]. apply filter_and.
    - assert (Hx0 : Rbar_lt a x0) by apply H0.
      apply (filter_imp (strictly_between a x0)); [intros z [_ Hz]; exact Hz|]. apply near_lower_end; assumption.
    - apply Hl. exists c. auto. }
  assert (Hhigh : forall x0, strictly_between a b x0 -> f x0 < c ->
    exists z, strictly_between a b z /\ x0 < z /\ c < f z).
  { intros x0 H0 _. apply (@filter_ex _ (from_below b) _).
    apply filter_and; [apply near_upper_end; assumption|]. apply filter_and.
    - assert (Hx0 : Rbar_lt x0 b) by apply H0.
      apply (filter_imp (strictly_between x0 b)); [intros z [Hz _]; exact Hz|]. apply near_upper_end; assumption.
    - apply Hm. exists c. auto. }
  assert (Hin : forall p q, strictly_between a b p -> strictly_between a b q -> continuous_on (closed_interval p q) f).
  { intros p q Hp Hq. apply continuous_on_incl with (strictly_between a b); [|exact Hc].
    intros z Hz. apply (strictly_between_interval a b p q z Hp Hq Hz). }
  destruct (Classical_Prop.classic (exists x0, strictly_between a b x0 /\ f x0 < c)) as [[x0 [H0 Hf0]] | Hno].
  - destruct (Hlow x0 H0 Hf0) as [y [Hy [Hyx Hfy]]]. destruct (Hhigh x0 H0 Hf0) as [z [Hz [Hxz Hfz]]].
    destruct (intermediate_value f y x0 c (Rlt_le _ _ Hyx) (Hin y x0 Hy H0)) as [u [Hu Hfu]]; [right; lra|].
    destruct (intermediate_value f x0 z c (Rlt_le _ _ Hxz) (Hin x0 z H0 Hz)) as [v [Hv Hfv]]; [left; lra|].
    assert (Hux : u <> x0) by (intros ->; lra). assert (Hvx : v <> x0) by (intros ->; lra).
    assert (HIu : strictly_between a b u) by (apply (strictly_between_interval a b y x0 u Hy H0 Hu)).
    assert (HIv : strictly_between a b v) by (apply (strictly_between_interval a b x0 z v H0 Hz Hv)).
    exists u, v. split; [exact HIu|]. split; [exact HIv|].
    (* w between p and q, as a weighted mean of them *)
    assert (Hmid : forall p q w, strictly_between a b p -> strictly_between a b q -> p < w < q ->
      f w <= (q - w) / (q - p) * f p + (w - p) / (q - p) * f q).
    { intros p q w Hp Hq Hw.
      assert (Ht : 0 <= (w - p) / (q - p) <= 1).
      { split; [apply Rdiv_le_0_compat; lra|]. apply Rmult_le_reg_r with (q - p); [lra|].
        unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
      pose proof (Hconv q p ((w - p) / (q - p)) Hq Hp Ht) as H.
      replace ((w - p) / (q - p) * q + (1 - (w - p) / (q - p)) * p) with w in H by (field; lra).
      replace ((q - w) / (q - p)) with (1 - (w - p) / (q - p)) by (field; lra). lra. }
    assert (Hpos : forall p q w, p < w < q -> 0 < (q - w) / (q - p) /\ 0 < (w - p) / (q - p) /\
      (q - w) / (q - p) + (w - p) / (q - p) = 1).
    { intros p q w Hw. split; [apply Rdiv_lt_0_compat; lra|]. split; [apply Rdiv_lt_0_compat; lra|]. field. lra. }
    assert (Hbelow : forall p q w, strictly_between a b p -> strictly_between a b q -> p < w < q ->
      f p <= c -> f q <= c -> f p < c \/ f q < c -> f w < c).
    { intros p q w Hp Hq Hw Hfp Hfq Hor. pose proof (Hmid p q w Hp Hq Hw) as H.
      destruct (Hpos p q w Hw) as [H1 [H2 H3]].
      set (s := (q - w) / (q - p)) in *. set (t := (w - p) / (q - p)) in *.
      assert (s * f p <= s * c) by (apply Rmult_le_compat_l; lra).
      assert (t * f q <= t * c) by (apply Rmult_le_compat_l; lra).
      assert (Hsum : s * c + t * c = c) by (rewrite <- Rmult_plus_distr_r, H3; ring).
      destruct Hor as [Ho | Ho].
      - assert (s * f p < s * c) by (apply Rmult_lt_compat_l; lra). lra.
      - assert (t * f q < t * c) by (apply Rmult_lt_compat_l; lra). lra. }
    intros x Hx. split; intro H.
    + split; apply Rnot_le_lt; intro Hle.
      * destruct (Req_dec x u) as [-> | Hne]; [lra|].
        assert (f u < c) by (apply (Hbelow x x0 u); auto; lra). lra.
      * destruct (Req_dec x v) as [-> | Hne]; [lra|].
        assert (f v < c) by (apply (Hbelow x0 x v); auto; lra). lra.
    + destruct (Rtotal_order x x0) as [Hxx | [-> | Hxx]]; [|exact Hf0|].
      * apply (Hbelow u x0 x); auto; lra.
      * apply (Hbelow x0 v x); auto; lra.
  - destruct (@filter_ex _ (from_above a) _ _ (near_lower_end a b Hab Ha)) as [w Hw].
    exists w, w. split; [exact Hw|]. split; [exact Hw|]. intros x Hx. split; [|lra].
    intro H. exfalso. apply Hno. exists x. split; assumption.
Qed.

(** ** Functions in pieces *)

Theorem strictly_increasing_in_two_pieces : forall (I : R -> Prop) (f below above : R -> R) (c : R), interval I ->
  (forall y, I y -> y <= c -> f y = below y) -> (forall y, I y -> c <= y -> f y = above y) ->
  strictly_increasing_on (fun y => I y /\ y <= c) below -> strictly_increasing_on (fun y => I y /\ c <= y) above ->
  strictly_increasing_on I f.
Proof.
  intros I f below above c HI Hb Ha Hib Hia x y Hx Hy Hxy.
  assert (Hup : forall z w, I z -> I w -> z < w -> w <= c -> f z < f w).
  { intros z w Hz Hw Hzw Hwc. rewrite (Hb z), (Hb w) by (auto; lra). apply Hib; auto; split; auto; lra. }
  assert (Hon : forall z w, I z -> I w -> z < w -> c <= z -> f z < f w).
  { intros z w Hz Hw Hzw Hcz. rewrite (Ha z), (Ha w) by (auto; lra). apply Hia; auto; split; auto; lra. }
  destruct (Rle_or_lt y c) as [H | H]; [apply Hup; auto|].
  destruct (Rle_or_lt c x) as [H2 | H2]; [apply Hon; auto|].
  assert (Hc : I c) by (apply (HI x y); auto; lra).
  apply Rlt_trans with (f c); [apply Hup; auto; lra | apply Hon; auto; lra].
Qed.

Theorem strictly_decreasing_in_two_pieces : forall (I : R -> Prop) (f below above : R -> R) (c : R), interval I ->
  (forall y, I y -> y <= c -> f y = below y) -> (forall y, I y -> c <= y -> f y = above y) ->
  strictly_decreasing_on (fun y => I y /\ y <= c) below -> strictly_decreasing_on (fun y => I y /\ c <= y) above ->
  strictly_decreasing_on I f.
Proof.
  intros I f below above c Hc Hb Ha Hib Hia x y Hx Hy Hxy.
  apply Ropp_lt_cancel.
  apply (strictly_increasing_in_two_pieces I (fun z => - f z) (fun z => - below z) (fun z => - above z) c Hc); auto.
  - intros z Hz Hzc. rewrite (Hb z Hz Hzc). reflexivity.
  - intros z Hz Hzc. rewrite (Ha z Hz Hzc). reflexivity.
  - intros z w Hz Hw Hzw. apply Ropp_lt_contravar, Hib; auto.
  - intros z w Hz Hw Hzw. apply Ropp_lt_contravar, Hia; auto.
Qed.

(** ** Iterations *)

Theorem lifted_iterates_tend_to_the_upper_end : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (fun y => a < y < b) f -> (forall y, a < y < b -> y < f y < b) -> a < x 0%nat < b -> iteration f x ->
  (forall n, x n < x (S n)) /\ converges_to x b.
Proof.
  intros f a b x Hc Hf H0 Hit.
  assert (Hx : forall n, a < x n < b).
  { induction n as [|n IH]; [exact H0|]. rewrite Hit. specialize (Hf (x n) IH). lra. }
  assert (Hup : forall n, x n < x (S n)) by (intro n; rewrite Hit; apply Hf, Hx).
  split; [exact Hup|].
  destruct (increasing_bounded_sequence_converges x b) as [l Hl];
    [intro n; apply Rlt_le, Hup | intro n; apply Rlt_le, Hx |].
  destruct Hl as [Hl [Hlb Hle]].
  destruct Hlb as [Hlb | <-]; [exfalso | exact Hl].
  assert (Hal : a < l < b) by (specialize (Hle 0%nat); lra).
  pose proof (limit_of_iteration_is_fixed_point (fun y => a < y < b) f x l Hc Hit Hx Hal Hl) as Hfix.
  specialize (Hf l Hal). lra.
Qed.

(** The local theorem of Banach, at any rate above the size of the derivative. *)
Theorem local_contraction_at_a_rate : forall (f f' : R -> R) (p k : R),
  f p = p -> locally p (fun y => is_derive f y (f' y)) -> continuous f' p -> Rabs (f' p) < k -> k < 1 ->
  exists r, 0 < r /\
    (forall y, p - r <= y <= p + r -> is_derive f y (f' y) /\ Rabs (f' y) <= k /\ p - r <= f y <= p + r) /\
    (forall q, p - r <= q <= p + r -> f q = q -> q = p) /\
    forall x, p - r <= x 0%nat <= p + r -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f f' p k Hp Hd Hc Hlt Hk. destruct (contracts_near f f' p k Hp Hd Hc Hlt Hk) as (r & Hr & H1 & _ & H2).
  exists r. split; [exact Hr|]. split; [exact H1 | exact H2].
Qed.
