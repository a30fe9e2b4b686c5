(** * Rules of reasoning

    Each theorem joins premises that an engine can decide (signs of derivatives, values at points, inequalities)
    to a sentence about functions, sequences, maxima or expectations. *)

From Coq Require Import Reals Lra Lia Psatz List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups.

Open Scope R_scope.

(** ** Words *)

(** An interval of any kind: open, closed, half open, bounded or not. *)
Definition interval (I : R -> Prop) : Prop :=
  forall x y z, I x -> I y -> x <= z <= y -> I z.

(** Points that have points of the interval on both sides. *)
Definition inside (I : R -> Prop) (x : R) : Prop :=
  exists a b, I a /\ I b /\ a < x < b.

Definition closed_interval (a b x : R) : Prop := a <= x <= b.

Definition increasing_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y, I x -> I y -> x <= y -> f x <= f y.

Definition decreasing_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y, I x -> I y -> x <= y -> f y <= f x.

Definition strictly_increasing_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y, I x -> I y -> x < y -> f x < f y.

Definition strictly_decreasing_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y, I x -> I y -> x < y -> f y < f x.

Definition convex_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y t, I x -> I y -> 0 <= t <= 1 -> f (t * x + (1 - t) * y) <= t * f x + (1 - t) * f y.

Definition concave_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y t, I x -> I y -> 0 <= t <= 1 -> t * f x + (1 - t) * f y <= f (t * x + (1 - t) * y).

Definition strictly_convex_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y t, I x -> I y -> x <> y -> 0 < t < 1 -> f (t * x + (1 - t) * y) < t * f x + (1 - t) * f y.

Definition strictly_concave_on (I : R -> Prop) (f : R -> R) : Prop :=
  forall x y t, I x -> I y -> x <> y -> 0 < t < 1 -> t * f x + (1 - t) * f y < f (t * x + (1 - t) * y).

Definition lipschitz_on (I : R -> Prop) (k : R) (f : R -> R) : Prop :=
  forall x y, I x -> I y -> Rabs (f y - f x) <= k * Rabs (y - x).

(** ** Continuity relative to a set *)

Lemma continuous_on_incl : forall (I J : R -> Prop) (f : R -> R),
  (forall x, J x -> I x) -> continuous_on I f -> continuous_on J f.
Proof.
  intros I J f HJ Hf. apply continuous_on_subset with I; assumption.
Qed.

Lemma continuous_on_continuous : forall (I : R -> Prop) (f : R -> R),
  (forall x, I x -> continuous f x) -> continuous_on I f.
Proof. intros I f H. apply continuous_on_forall. exact H. Qed.

Lemma continuous_on_eps : forall (I : R -> Prop) (f : R -> R), continuous_on I f ->
  forall x, I x -> forall eps, 0 < eps ->
  exists delta, 0 < delta /\ forall y, I y -> Rabs (y - x) < delta -> Rabs (f y - f x) < eps.
Proof.
  intros I f Hf x Hx eps Heps.
  pose proof (Hf x Hx) as H.
  assert (Hl : locally (f x) (fun z => Rabs (z - f x) < eps)).
  { exists (mkposreal _ Heps). intros z Hz. exact Hz. }
  specialize (H _ Hl). destruct H as [d Hd].
  exists d. split. { apply cond_pos. }
  intros y Hy Hyx. apply (Hd y); assumption.
Qed.

Lemma continuous_on_of_eps : forall (I : R -> Prop) (f : R -> R),
  (forall x, I x -> forall eps, 0 < eps ->
   exists delta, 0 < delta /\ forall y, I y -> Rabs (y - x) < delta -> Rabs (f y - f x) < eps) ->
  continuous_on I f.
Proof.
  intros I f H x Hx P [eps HP].
  destruct (H x Hx eps (cond_pos eps)) as [d [Hd Hb]].
  exists (mkposreal _ Hd). intros y Hy HIy. apply HP. apply Hb; assumption.
Qed.

Definition clamp (a b x : R) : R := Rmax a (Rmin b x).

Lemma clamp_in : forall a b x, a <= b -> a <= clamp a b x <= b.
Proof.
  intros a b x Hab. unfold clamp, Rmax, Rmin.
  destruct (Rle_dec b x), (Rle_dec a b), (Rle_dec a x); lra.
Qed.

Lemma clamp_id : forall a b x, a <= x <= b -> clamp a b x = x.
Proof.
  intros a b x Hx. unfold clamp, Rmax, Rmin. destruct (Rle_dec b x); destruct (Rle_dec a _); lra.
Qed.

Lemma clamp_close : forall a b x y, a <= b -> Rabs (clamp a b y - clamp a b x) <= Rabs (y - x).
Proof.
  intros a b x y Hab. unfold clamp, Rmax, Rmin.
  destruct (Rle_dec b x), (Rle_dec b y), (Rle_dec a b); try lra;
  repeat match goal with |- context [Rle_dec ?u ?v] => destruct (Rle_dec u v) end;
  unfold Rabs; repeat destruct (Rcase_abs _); lra.
Qed.

(** A function that is continuous on a closed interval agrees there with one that is continuous everywhere. *)
Lemma continuous_clamp : forall a b f, a <= b ->
  continuous_on (closed_interval a b) f -> continuity (fun x => f (clamp a b x)).
Proof.
  intros a b f Hab Hf x. apply continuity_pt_filterlim.
  intros P [eps HP].
  destruct (continuous_on_eps _ _ Hf (clamp a b x) (clamp_in a b x Hab) eps (cond_pos eps)) as [d [Hd Hb]].
  exists (mkposreal _ Hd). intros y Hy. apply HP. apply Hb.
  - apply clamp_in; exact Hab.
  - eapply Rle_lt_trans; [apply clamp_close; exact Hab | exact Hy].
Qed.

(** ** Derivatives on an interval *)

Theorem mean_value : forall (f f' : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f ->
  (forall x, a < x < b -> is_derive f x (f' x)) ->
  exists c, a < c < b /\ f b - f a = f' c * (b - a).
Proof.
  intros f f' a b Hab Hc Hd.
  set (g := fun x => f (clamp a b x)).
  assert (Hg : forall c, a < c < b -> derivable_pt_lim g c (f' c)).
  { intros c Hcb. apply is_derive_Reals. apply (is_derive_ext_loc f).
    - assert (Hpos : 0 < Rmin (c - a) (b - c)) by (apply Rmin_pos; lra).
      exists (mkposreal _ Hpos). intros y Hy. unfold g. rewrite clamp_id; [reflexivity|].
      change (Rabs (y - c) < Rmin (c - a) (b - c)) in Hy.
      pose proof (Rmin_l (c - a) (b - c)). pose proof (Rmin_r (c - a) (b - c)).
      apply Rabs_def2 in Hy. lra.
    - apply Hd; exact Hcb. }
  assert (pr1 : forall c, a < c < b -> derivable_pt g c) by (intros c Hcb; exists (f' c); apply Hg; exact Hcb).
  assert (pr2 : forall c, a < c < b -> derivable_pt id c) by (intros c Hcb; apply derivable_pt_id).
  destruct (MVT g id a b pr1 pr2 Hab) as [c [Hcb Heq]].
  - intros c _. apply continuous_clamp; [lra | exact Hc].
  - intros c _. apply derivable_continuous_pt, derivable_pt_id.
  - exists c. split; [exact Hcb|].
    rewrite (derive_pt_eq_0 g c (f' c) (pr1 c Hcb) (Hg c Hcb)) in Heq.
    rewrite (derive_pt_eq_0 id c 1 (pr2 c Hcb) (derivable_pt_lim_id c)) in Heq.
    unfold g, id in Heq. rewrite !clamp_id in Heq by lra. lra.
Qed.

Lemma mean_value_on : forall (I : R -> Prop) (f f' : R -> R) (a b : R), interval I -> I a -> I b -> a < b ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  exists c, a < c < b /\ inside I c /\ f b - f a = f' c * (b - a).
Proof.
  intros I f f' a b HI Ha Hb Hab Hc Hd.
  destruct (mean_value f f' a b Hab) as [c [Hcb Heq]].
  - apply continuous_on_incl with I; [|exact Hc]. intros x Hx. apply (HI a b); assumption.
  - intros x Hx. apply Hd. exists a, b. auto.
  - exists c. repeat split; try tauto; try (exists a, b; auto).
Qed.

Theorem strictly_increasing_if_derivative_positive : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> (forall x, inside I x -> 0 < f' x) ->
  strictly_increasing_on I f.
Proof.
  intros I f f' HI Hc Hd Hs x y Hx Hy Hxy.
  destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
  pose proof (Hs c Hin). nra.
Qed.

Theorem strictly_decreasing_if_derivative_negative : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> (forall x, inside I x -> f' x < 0) ->
  strictly_decreasing_on I f.
Proof.
  intros I f f' HI Hc Hd Hs x y Hx Hy Hxy.
  destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
  pose proof (Hs c Hin). nra.
Qed.

Theorem increasing_if_derivative_nonnegative : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> (forall x, inside I x -> 0 <= f' x) ->
  increasing_on I f.
Proof.
  intros I f f' HI Hc Hd Hs x y Hx Hy Hxy.
  destruct Hxy as [Hxy | ->]; [|lra].
  destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
  pose proof (Hs c Hin). nra.
Qed.

Theorem decreasing_if_derivative_nonpositive : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> (forall x, inside I x -> f' x <= 0) ->
  decreasing_on I f.
Proof.
  intros I f f' HI Hc Hd Hs x y Hx Hy Hxy.
  destruct Hxy as [Hxy | ->]; [|lra].
  destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
  pose proof (Hs c Hin). nra.
Qed.

Theorem constant_if_derivative_zero : forall (I : R -> Prop) (f : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x 0) ->
  forall x y, I x -> I y -> f x = f y.
Proof.
  intros I f HI Hc Hd.
  assert (H : forall x y, I x -> I y -> x < y -> f x = f y).
  { intros x y Hx Hy Hxy.
    destruct (mean_value_on I f (fun _ => 0) x y) as [c [Hcb [Hin Heq]]]; try assumption. lra. }
  intros x y Hx Hy. destruct (Rtotal_order x y) as [Hxy | [-> | Hxy]]; auto.
  symmetry. auto.
Qed.

Lemma derivative_nonnegative_if_increasing : forall (I : R -> Prop) (f : R -> R) (x d : R),
  interval I -> inside I x -> increasing_on I f -> is_derive f x d -> 0 <= d.
Proof.
  intros I f x d HI [a [b [Ha [Hb Hx]]]] Hinc Hd.
  apply is_derive_Reals in Hd.
  destruct (Rle_or_lt 0 d) as [H | H]; [exact H | exfalso].
  destruct (Hd (- d)) as [del Hdel]; [lra|].
  set (s := Rmin (del / 2) (b - x)).
  assert (Hs : 0 < s) by (unfold s; apply Rmin_pos; [destruct del; simpl; lra | lra]).
  pose proof (Rmin_l (del / 2) (b - x)). pose proof (Rmin_r (del / 2) (b - x)). fold s in H0, H1.
  destruct del as [del Hdp]; simpl in *.
  assert (Hsd : Rabs s < del) by (rewrite Rabs_pos_eq; lra).
  specialize (Hdel s ltac:(lra) Hsd). apply Rabs_def2 in Hdel.
  assert (Hm : f x <= f (x + s)).
  { apply Hinc; try lra; apply (HI a b); try assumption; lra. }
  assert (0 <= (f (x + s) - f x) / s) by (apply Rdiv_le_0_compat; lra). lra.
Qed.

Theorem strictly_increasing_if_derivative_positive_but_at_one_point :
  forall (I : R -> Prop) (f f' : R -> R) (z : R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> x <> z -> 0 < f' x) -> strictly_increasing_on I f.
Proof.
  intros I f f' z HI Hc Hd Hs.
  assert (Hside : forall x y, I x -> I y -> x < y -> (z <= x \/ y <= z) -> f x < f y).
  { intros x y Hx Hy Hxy Hz.
    destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
    assert (0 < f' c) by (apply Hs; [exact Hin | lra]). nra. }
  intros x y Hx Hy Hxy.
  destruct (Rle_or_lt z x) as [H | H]; [apply Hside; auto|].
  destruct (Rle_or_lt y z) as [H' | H']; [apply Hside; auto|].
  assert (Hz : I z) by (apply (HI x y); auto; lra).
  apply Rlt_trans with (f z); apply Hside; auto; lra.
Qed.

Theorem lipschitz_if_derivative_bounded : forall (I : R -> Prop) (f f' : R -> R) (k : R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> Rabs (f' x) <= k) -> lipschitz_on I k f.
Proof.
  intros I f f' k HI Hc Hd Hk.
  assert (H : forall x y, I x -> I y -> x < y -> Rabs (f y - f x) <= k * Rabs (y - x)).
  { intros x y Hx Hy Hxy.
    destruct (mean_value_on I f f' x y) as [c [Hcb [Hin Heq]]]; try assumption.
    rewrite Heq, Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos | apply Hk; exact Hin]. }
  intros x y Hx Hy. destruct (Rtotal_order x y) as [Hxy | [-> | Hxy]]; auto.
  - rewrite !Rminus_eq_0, Rabs_R0. lra.
  - rewrite (Rabs_minus_sym (f y)), (Rabs_minus_sym y). auto.
Qed.

(** ** Convexity *)

Lemma convex_if_derivative_increasing : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> increasing_on (inside I) f' ->
  convex_on I f.
Proof.
  intros I f f' HI Hc Hd Hinc.
  assert (H : forall x y t, I x -> I y -> x < y -> 0 < t < 1 ->
                f (t * x + (1 - t) * y) <= t * f x + (1 - t) * f y).
  { intros x y t Hx Hy Hxy Ht. set (z := t * x + (1 - t) * y).
    assert (Hz : x < z < y) by (unfold z; nra).
    assert (Iz : I z) by (apply (HI x y); auto; lra).
    destruct (mean_value_on I f f' x z) as [c [Hcb [Hin Heq]]]; try assumption; try lra.
    destruct (mean_value_on I f f' z y) as [e [Heb [Hin' Heq']]]; try assumption; try lra.
    assert (f' c <= f' e) by (apply Hinc; auto; lra).
    replace (z - x) with ((1 - t) * (y - x)) in Heq by (unfold z; ring).
    replace (y - z) with (t * (y - x)) in Heq' by (unfold z; ring).
    assert (f z = t * f x + (1 - t) * f y + t * (1 - t) * (y - x) * (f' c - f' e)).
    { replace (f z) with (t * f z + (1 - t) * f z) by ring.
      replace (f z) with (f x + f' c * ((1 - t) * (y - x))) at 1 by lra.
      replace (f z) with (f y - f' e * (t * (y - x))) by lra. ring. }
    assert (0 <= t * (1 - t) * (y - x)) by (repeat apply Rmult_le_pos; lra). nra. }
  intros x y t Hx Hy Ht.
  destruct (Req_dec t 0) as [-> | Ht0]; [replace (0 * x + (1 - 0) * y) with y by ring; lra|].
  destruct (Req_dec t 1) as [-> | Ht1]; [replace (1 * x + (1 - 1) * y) with x by ring; lra|].
  destruct (Rtotal_order x y) as [Hxy | [-> | Hxy]].
  - apply H; auto; lra.
  - replace (t * y + (1 - t) * y) with y by ring. lra.
  - replace (t * x + (1 - t) * y) with ((1 - t) * y + (1 - (1 - t)) * x) by ring.
    eapply Rle_trans; [apply H; auto; lra | lra].
Qed.

Lemma strictly_convex_if_derivative_strictly_increasing : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) -> strictly_increasing_on (inside I) f' ->
  strictly_convex_on I f.
Proof.
  intros I f f' HI Hc Hd Hinc.
  assert (H : forall x y t, I x -> I y -> x < y -> 0 < t < 1 ->
                f (t * x + (1 - t) * y) < t * f x + (1 - t) * f y).
  { intros x y t Hx Hy Hxy Ht. set (z := t * x + (1 - t) * y).
    assert (Hz : x < z < y) by (unfold z; nra).
    assert (Iz : I z) by (apply (HI x y); auto; lra).
    destruct (mean_value_on I f f' x z) as [c [Hcb [Hin Heq]]]; try assumption; try lra.
    destruct (mean_value_on I f f' z y) as [e [Heb [Hin' Heq']]]; try assumption; try lra.
    assert (f' c < f' e) by (apply Hinc; auto; lra).
    replace (z - x) with ((1 - t) * (y - x)) in Heq by (unfold z; ring).
    replace (y - z) with (t * (y - x)) in Heq' by (unfold z; ring).
    assert (f z = t * f x + (1 - t) * f y + t * (1 - t) * (y - x) * (f' c - f' e)).
    { replace (f z) with (t * f z + (1 - t) * f z) by ring.
      replace (f z) with (f x + f' c * ((1 - t) * (y - x))) at 1 by lra.
      replace (f z) with (f y - f' e * (t * (y - x))) by lra. ring. }
    assert (0 < t * (1 - t) * (y - x)) by (repeat apply Rmult_lt_0_compat; lra). nra. }
  intros x y t Hx Hy Hne Ht.
  destruct (Rtotal_order x y) as [Hxy | [-> | Hxy]].
  - apply H; auto.
  - congruence.
  - replace (t * x + (1 - t) * y) with ((1 - t) * y + (1 - (1 - t)) * x) by ring.
    eapply Rlt_le_trans; [apply H; auto; lra | lra].
Qed.

Lemma inside_interval : forall I, interval I -> interval (inside I).
Proof.
  intros I HI x y z [a [b [Ha [Hb Hx]]]] [c [d [Hc [Hd Hy]]]] Hz.
  exists a, d. repeat split; auto; lra.
Qed.

Lemma inside_in : forall I x, interval I -> inside I x -> I x.
Proof. intros I x HI [a [b [Ha [Hb Hx]]]]. apply (HI a b); auto; lra. Qed.

Lemma inside_inside : forall I x, interval I -> inside (inside I) x <-> inside I x.
Proof.
  intros I x HI. split.
  - intros Hx. apply (inside_in (inside I)); [apply inside_interval; exact HI | exact Hx].
  - intros [a [b [Ha [Hb Hx]]]]. exists ((a + x) / 2), ((x + b) / 2).
    repeat split; try lra; exists a, b; repeat split; auto; lra.
Qed.

Lemma continuous_on_derive : forall (I : R -> Prop) (f f' : R -> R),
  (forall x, I x -> is_derive f x (f' x)) -> continuous_on I f.
Proof.
  intros I f f' Hd. apply continuous_on_continuous. intros x Hx.
  apply (@ex_derive_continuous R_AbsRing R_NormedModule). exists (f' x). auto.
Qed.

Theorem convex_if_second_derivative_nonnegative : forall (I : R -> Prop) (f f' f'' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> is_derive f' x (f'' x)) -> (forall x, inside I x -> 0 <= f'' x) -> convex_on I f.
Proof.
  intros I f f' f'' HI Hc Hd Hd2 Hs.
  apply convex_if_derivative_increasing with f'; try assumption.
  apply increasing_if_derivative_nonnegative with f''.
  - apply inside_interval; exact HI.
  - apply continuous_on_derive with f''. exact Hd2.
  - intros x Hx. apply Hd2, inside_inside; assumption.
  - intros x Hx. apply Hs, inside_inside; assumption.
Qed.

Theorem strictly_convex_if_second_derivative_positive : forall (I : R -> Prop) (f f' f'' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> is_derive f' x (f'' x)) -> (forall x, inside I x -> 0 < f'' x) ->
  strictly_convex_on I f.
Proof.
  intros I f f' f'' HI Hc Hd Hd2 Hs.
  apply strictly_convex_if_derivative_strictly_increasing with f'; try assumption.
  apply strictly_increasing_if_derivative_positive with f''.
  - apply inside_interval; exact HI.
  - apply continuous_on_derive with f''. exact Hd2.
  - intros x Hx. apply Hd2, inside_inside; assumption.
  - intros x Hx. apply Hs, inside_inside; assumption.
Qed.

Lemma continuous_on_opp : forall (I : R -> Prop) (f : R -> R),
  continuous_on I f -> continuous_on I (fun x => - f x).
Proof.
  intros I f Hf. apply continuous_on_of_eps. intros x Hx eps Heps.
  destruct (continuous_on_eps I f Hf x Hx eps Heps) as [d [Hd H]].
  exists d. split; [exact Hd|]. intros y Hy Hyx.
  replace (- f y - - f x) with (- (f y - f x)) by ring. rewrite Rabs_Ropp. auto.
Qed.

Lemma is_derive_opp' : forall (f : R -> R) x d, is_derive f x d -> is_derive (fun x => - f x) x (- d).
Proof. intros f x d H. apply (@is_derive_opp R_AbsRing R_NormedModule). exact H. Qed.

Theorem concave_if_second_derivative_nonpositive : forall (I : R -> Prop) (f f' f'' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> is_derive f' x (f'' x)) -> (forall x, inside I x -> f'' x <= 0) -> concave_on I f.
Proof.
  intros I f f' f'' HI Hc Hd Hd2 Hs x y t Hx Hy Ht.
  assert (H : convex_on I (fun x => - f x)).
  { apply convex_if_second_derivative_nonnegative with (fun x => - f' x) (fun x => - f'' x); auto.
    - apply continuous_on_opp; exact Hc.
    - intros z Hz. apply is_derive_opp'; auto.
    - intros z Hz. apply is_derive_opp'; auto.
    - intros z Hz. specialize (Hs z Hz). lra. }
  specialize (H x y t Hx Hy Ht). lra.
Qed.

Theorem strictly_concave_if_second_derivative_negative : forall (I : R -> Prop) (f f' f'' : R -> R), interval I ->
  continuous_on I f -> (forall x, inside I x -> is_derive f x (f' x)) ->
  (forall x, inside I x -> is_derive f' x (f'' x)) -> (forall x, inside I x -> f'' x < 0) ->
  strictly_concave_on I f.
Proof.
  intros I f f' f'' HI Hc Hd Hd2 Hs x y t Hx Hy Hne Ht.
  assert (H : strictly_convex_on I (fun x => - f x)).
  { apply strictly_convex_if_second_derivative_positive with (fun x => - f' x) (fun x => - f'' x); auto.
    - apply continuous_on_opp; exact Hc.
    - intros z Hz. apply is_derive_opp'; auto.
    - intros z Hz. apply is_derive_opp'; auto.
    - intros z Hz. specialize (Hs z Hz). lra. }
  specialize (H x y t Hx Hy Hne Ht). lra.
Qed.

(** ** Convex functions and their tangents *)

Theorem convex_lies_above_its_tangents : forall (I : R -> Prop) (f : R -> R) (x d : R), interval I ->
  convex_on I f -> I x -> is_derive f x d -> forall y, I y -> f x + d * (y - x) <= f y.
Proof.
  intros I f x d HI Hconv Hx Hd y Hy.
  destruct (Req_dec x y) as [-> | Hne]; [lra|].
  destruct (Rle_or_lt (f x + d * (y - x)) (f y)) as [H | H]; [exact H | exfalso].
  apply is_derive_Reals in Hd.
  assert (Hxy : 0 < Rabs (y - x)) by (apply Rabs_pos_lt; lra).
  set (e := (f x + d * (y - x) - f y) / (2 * Rabs (y - x))).
  assert (He : 0 < e) by (unfold e; apply Rdiv_lt_0_compat; lra).
  destruct (Hd e He) as [[del Hdp] Hdel]; simpl in Hdel.
  set (t := Rmin (1 / 2) (del / (2 * Rabs (y - x)))).
  assert (Ht : 0 < t) by (unfold t; apply Rmin_pos; [lra | apply Rdiv_lt_0_compat; lra]).
  assert (Ht1 : t <= 1 / 2) by apply Rmin_l.
  assert (Ht2 : t * Rabs (y - x) <= del / 2).
  { apply Rle_trans with (del / (2 * Rabs (y - x)) * Rabs (y - x)).
    - apply Rmult_le_compat_r; [lra | apply Rmin_r].
    - apply Req_le. field. lra. }
  assert (Hs : t * (y - x) <> 0).
  { intro H0. apply Rmult_integral in H0. lra. }
  specialize (Hdel (t * (y - x)) Hs).
  rewrite Rabs_mult, (Rabs_pos_eq t) in Hdel by lra. specialize (Hdel ltac:(lra)).
  assert (Hc : f (x + t * (y - x)) <= t * f y + (1 - t) * f x).
  { replace (x + t * (y - x)) with (t * y + (1 - t) * x) by ring. apply Hconv; auto; lra. }
  assert (Habs : Rabs (f (x + t * (y - x)) - f x - d * (t * (y - x))) < e * (t * Rabs (y - x))).
  { replace (f (x + t * (y - x)) - f x - d * (t * (y - x)))
      with (((f (x + t * (y - x)) - f x) / (t * (y - x)) - d) * (t * (y - x))) by (field; split; lra).
    rewrite Rabs_mult, (Rabs_mult t), (Rabs_pos_eq t) by lra.
    apply Rmult_lt_compat_r; [apply Rmult_lt_0_compat; lra | exact Hdel]. }
  apply Rabs_def2 in Habs. destruct Habs as [_ Hlow].
  assert (He2 : e * (t * Rabs (y - x)) = t * (f x + d * (y - x) - f y) / 2)
    by (unfold e; field; lra).
  rewrite He2 in Hlow. nra.
Qed.

Theorem concave_lies_below_its_tangents : forall (I : R -> Prop) (f : R -> R) (x d : R), interval I ->
  concave_on I f -> I x -> is_derive f x d -> forall y, I y -> f y <= f x + d * (y - x).
Proof.
  intros I f x d HI Hconc Hx Hd y Hy.
  assert (H : - f x + - d * (y - x) <= - f y); [|lra].
  apply (convex_lies_above_its_tangents I (fun x => - f x)); auto.
  - intros u v t Hu Hv Ht. specialize (Hconc u v t Hu Hv Ht). lra.
  - apply is_derive_opp'; exact Hd.
Qed.

(** ** Roots *)

Theorem intermediate_value : forall (f : R -> R) (a b y : R), a <= b ->
  continuous_on (closed_interval a b) f -> f a <= y <= f b \/ f b <= y <= f a ->
  exists x, a <= x <= b /\ f x = y.
Proof.
  assert (H : forall (f : R -> R) a b y, a <= b -> continuous_on (closed_interval a b) f -> f a <= y <= f b ->
              exists x, a <= x <= b /\ f x = y).
  { intros f a b y Hab Hc Hy. destruct Hab as [Hab | ->]; [|exists b; lra].
    set (g := fun x => f (clamp a b x) - y).
    assert (Hg : continuity g).
    { intro x. apply continuity_pt_minus; [apply continuous_clamp; [lra | exact Hc]|].
      apply continuity_pt_const. intros u v. reflexivity. }
    assert (Hga : g a = f a - y) by (unfold g; rewrite clamp_id by lra; reflexivity).
    assert (Hgb : g b = f b - y) by (unfold g; rewrite clamp_id by lra; reflexivity).
    destruct (IVT_cor g a b Hg) as [x [Hx Hgx]]; [lra | rewrite Hga, Hgb; nra |].
    exists x. split; [exact Hx|]. unfold g in Hgx. rewrite clamp_id in Hgx by exact Hx. lra. }
  intros f a b y Hab Hc [Hy | Hy]; [apply H; assumption|].
  destruct (H (fun x => - f x) a b (- y)) as [x [Hx Heq]]; try lra.
  - apply continuous_on_opp; exact Hc.
  - exists x. split; [exact Hx | lra].
Qed.

Theorem root_exists : forall (f : R -> R) (a b : R), a <= b ->
  continuous_on (closed_interval a b) f -> f a <= 0 <= f b \/ f b <= 0 <= f a ->
  exists x, a <= x <= b /\ f x = 0.
Proof. intros f a b. exact (intermediate_value f a b 0). Qed.

Theorem root_exists_strictly_between : forall (f : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f -> f a < 0 < f b \/ f b < 0 < f a ->
  exists x, a < x < b /\ f x = 0.
Proof.
  intros f a b Hab Hc Hs.
  destruct (root_exists f a b) as [x [Hx Hfx]]; [lra | exact Hc | lra |].
  exists x. split; [|exact Hfx].
  destruct (Req_dec x a) as [-> | Ha]; [lra|]. destruct (Req_dec x b) as [-> | Hb]; lra.
Qed.

Theorem at_most_one_root_if_strictly_increasing : forall (I : R -> Prop) (f : R -> R),
  strictly_increasing_on I f -> forall x y, I x -> I y -> f x = f y -> x = y.
Proof.
  intros I f H x y Hx Hy Heq.
  destruct (Rtotal_order x y) as [Hxy | [Hxy | Hxy]]; [|exact Hxy|];
  [specialize (H x y Hx Hy Hxy) | specialize (H y x Hy Hx Hxy)]; lra.
Qed.

Theorem at_most_one_root_if_strictly_decreasing : forall (I : R -> Prop) (f : R -> R),
  strictly_decreasing_on I f -> forall x y, I x -> I y -> f x = f y -> x = y.
Proof.
  intros I f H x y Hx Hy Heq.
  destruct (Rtotal_order x y) as [Hxy | [Hxy | Hxy]]; [|exact Hxy|];
  [specialize (H x y Hx Hy Hxy) | specialize (H y x Hy Hx Hxy)]; lra.
Qed.

Theorem exactly_one_root_if_strictly_increasing : forall (I : R -> Prop) (f : R -> R) (a b : R), interval I ->
  continuous_on I f -> strictly_increasing_on I f -> I a -> I b -> f a < 0 < f b ->
  exists! x, I x /\ f x = 0.
Proof.
  intros I f a b HI Hc Hs Ha Hb Hsign.
  assert (Hab : a < b).
  { destruct (Rtotal_order a b) as [H | [-> | H]]; [exact H | lra |]. specialize (Hs b a Hb Ha H). lra. }
  destruct (root_exists f a b) as [x [Hx Hfx]]; [lra | | lra |].
  - apply continuous_on_incl with I; [|exact Hc]. intros z Hz. apply (HI a b); assumption.
  - exists x. assert (Ix : I x) by (apply (HI a b); assumption). split; [tauto|].
    intros y [Hy Hfy]. apply (at_most_one_root_if_strictly_increasing I f Hs); auto. lra.
Qed.

Theorem exactly_one_root_if_strictly_decreasing : forall (I : R -> Prop) (f : R -> R) (a b : R), interval I ->
  continuous_on I f -> strictly_decreasing_on I f -> I a -> I b -> f b < 0 < f a ->
  exists! x, I x /\ f x = 0.
Proof.
  intros I f a b HI Hc Hs Ha Hb Hsign.
  destruct (exactly_one_root_if_strictly_increasing I (fun x => - f x) a b) as [x [[Hx Hfx] Hu]]; auto.
  - apply continuous_on_opp; exact Hc.
  - intros u v Hu Hv Huv. specialize (Hs u v Hu Hv Huv). lra.
  - lra.
  - exists x. split; [split; [exact Hx | lra]|]. intros y [Hy Hfy]. apply Hu. split; [exact Hy | lra].
Qed.

Lemma sign_near_root : forall (f : R -> R) (x d : R), is_derive f x d -> f x = 0 -> d < 0 ->
  exists r, 0 < r /\ forall y, Rabs (y - x) < r -> (y < x -> 0 < f y) /\ (x < y -> f y < 0).
Proof.
  intros f x d Hd Hx Hneg. apply is_derive_Reals in Hd.
  destruct (Hd (- d)) as [[r Hr] Hb]; [lra|]. simpl in Hb. exists r. split; [exact Hr|].
  intros y Hy. split; intro Hlt.
  - specialize (Hb (y - x) ltac:(lra) Hy). replace (x + (y - x)) with y in Hb by ring. rewrite Hx in Hb.
    apply Rabs_def2 in Hb. assert (Hq : (f y - 0) / (y - x) < 0) by lra.
    destruct (Rle_or_lt (f y) 0) as [H | H]; [exfalso|exact H].
    assert (0 <= (f y - 0) / (y - x)); [|lra].
    replace ((f y - 0) / (y - x)) with ((- f y) / (x - y)) by (field; lra).
    apply Rdiv_le_0_compat; lra.
  - specialize (Hb (y - x) ltac:(lra) Hy). replace (x + (y - x)) with y in Hb by ring. rewrite Hx in Hb.
    apply Rabs_def2 in Hb. assert (Hq : (f y - 0) / (y - x) < 0) by lra.
    destruct (Rle_or_lt 0 (f y)) as [H | H]; [exfalso|exact H].
    assert (0 <= (f y - 0) / (y - x)); [|lra].
    apply Rdiv_le_0_compat; lra.
Qed.

(** The largest root below a point where the function is positive. *)
Lemma last_root_before : forall (f : R -> R) (a b : R), a < b ->
  continuous_on (closed_interval a b) f -> f a <= 0 -> 0 < f b ->
  exists x, a <= x < b /\ f x = 0 /\ forall y, x < y <= b -> 0 < f y.
Proof.
  intros f a b Hab Hc Ha Hb.
  set (E := fun x => a <= x <= b /\ f x <= 0).
  destruct (completeness E) as [x [Hub Hlub]].
  - exists b. intros z [Hz _]. lra.
  - exists a. split; [lra | exact Ha].
  - assert (Hax : a <= x) by (apply Hub; split; [lra | exact Ha]).
    assert (Hxb : x <= b) by (apply Hlub; intros z [Hz _]; lra).
    assert (Hafter : forall y, x < y <= b -> 0 < f y).
    { intros y Hy. destruct (Rlt_or_le 0 (f y)) as [H | H]; [exact H|].
      assert (y <= x) by (apply Hub; split; [lra | exact H]). lra. }
    assert (Hle : f x <= 0).
    { destruct (Rle_or_lt (f x) 0) as [H | H]; [exact H | exfalso].
      destruct (continuous_on_eps _ _ Hc x (conj Hax Hxb) (f x) H) as [d [Hd Hcl]].
      assert (x <= x - d); [|lra]. apply Hlub. intros z [Hz Hfz].
      destruct (Rle_or_lt z (x - d)) as [Hzd | Hzd]; [exact Hzd | exfalso].
      assert (z <= x) by (apply Hub; split; assumption).
      assert (Hzx : Rabs (z - x) < d) by (apply Rabs_def1; lra).
      specialize (Hcl z Hz Hzx). apply Rabs_def2 in Hcl. lra. }
    assert (Hlt : x < b) by (destruct Hxb as [H | ->]; [exact H | lra]).
    exists x. split; [lra|]. split; [|exact Hafter].
    destruct Hle as [H | H]; [exfalso | exact H].
    destruct (continuous_on_eps _ _ Hc x (conj Hax Hxb) (- f x)) as [d [Hd Hcl]]; [lra|].
    set (z := x + Rmin (d / 2) (b - x)).
    assert (0 < Rmin (d / 2) (b - x)) by (apply Rmin_pos; lra).
    pose proof (Rmin_l (d / 2) (b - x)). pose proof (Rmin_r (d / 2) (b - x)).
    assert (Hz : x < z <= b) by (unfold z; lra).
    assert (Hzx : Rabs (z - x) < d) by (unfold z; apply Rabs_def1; lra).
    specialize (Hcl z ltac:(unfold closed_interval; lra) Hzx). apply Rabs_def2 in Hcl.
    specialize (Hafter z Hz). lra.
Qed.

Theorem at_most_one_root_if_derivative_negative_at_roots : forall (I : R -> Prop) (f f' : R -> R), interval I ->
  continuous_on I f -> (forall x, I x -> f x = 0 -> is_derive f x (f' x)) ->
  (forall x, I x -> f x = 0 -> f' x < 0) -> forall x y, I x -> I y -> f x = 0 -> f y = 0 -> x = y.
Proof.
  intros I f f' HI Hc Hd Hs.
  assert (H : forall x y, I x -> I y -> f x = 0 -> f y = 0 -> x < y -> False).
  { intros x y Hx Hy Hfx Hfy Hxy.
    destruct (sign_near_root f x (f' x) (Hd x Hx Hfx) Hfx (Hs x Hx Hfx)) as [r [Hr Hright]].
    destruct (sign_near_root f y (f' y) (Hd y Hy Hfy) Hfy (Hs y Hy Hfy)) as [s [Hsp Hleft]].
    set (m := Rmin (Rmin (r / 2) (s / 2)) ((y - x) / 3)).
    assert (Hm : 0 < m) by (unfold m; repeat apply Rmin_pos; lra).
    assert (m <= r / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
    assert (m <= s / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
    assert (m <= (y - x) / 3) by apply Rmin_r.
    assert (Ha : f (x + m) < 0) by (apply Hright; [apply Rabs_def1; lra | lra]).
    assert (Hb : 0 < f (y - m)) by (apply Hleft; [apply Rabs_def1; lra | lra]).
    destruct (last_root_before f (x + m) (y - m)) as [z [Hz [Hfz Hafter]]]; try lra.
    { apply continuous_on_incl with I; [|exact Hc]. intros u Hu. apply (HI x y); auto. unfold closed_interval in Hu.
      lra. }
    assert (Iz : I z) by (apply (HI x y); auto; lra).
    destruct (sign_near_root f z (f' z) (Hd z Iz Hfz) Hfz (Hs z Iz Hfz)) as [q [Hq Hnear]].
    set (w := z + Rmin (q / 2) (y - m - z)).
    assert (0 < Rmin (q / 2) (y - m - z)) by (apply Rmin_pos; lra).
    pose proof (Rmin_l (q / 2) (y - m - z)). pose proof (Rmin_r (q / 2) (y - m - z)).
    assert (0 < f w) by (apply Hafter; unfold w; lra).
    assert (f w < 0) by (apply Hnear; unfold w; [apply Rabs_def1; lra | lra]). lra. }
  intros x y Hx Hy Hfx Hfy.
  destruct (Rtotal_order x y) as [Hxy | [Hxy | Hxy]]; [exfalso; eauto | exact Hxy | exfalso; eauto].
Qed.

Theorem fixed_point_exists : forall (f : R -> R) (a b : R), a <= b ->
  continuous_on (closed_interval a b) f -> (forall x, a <= x <= b -> a <= f x <= b) ->
  exists x, a <= x <= b /\ f x = x.
Proof.
  intros f a b Hab Hc Hmap.
  destruct (root_exists (fun x => x - f x) a b) as [x [Hx Heq]]; [exact Hab | | |].
  - apply continuous_on_of_eps. intros x Hx eps Heps.
    destruct (continuous_on_eps _ _ Hc x Hx (eps / 2)) as [d [Hd Hb]]; [lra|].
    exists (Rmin d (eps / 2)). split; [apply Rmin_pos; lra|]. intros y Hy Hyx.
    pose proof (Rmin_l d (eps / 2)). pose proof (Rmin_r d (eps / 2)).
    specialize (Hb y Hy ltac:(lra)).
    replace (y - f y - (x - f x)) with ((y - x) + - (f y - f x)) by ring.
    eapply Rle_lt_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. lra.
  - left. pose proof (Hmap a ltac:(lra)). pose proof (Hmap b ltac:(lra)). lra.
  - exists x. split; [exact Hx | lra].
Qed.

(** ** Sequences *)

Definition iteration (f : R -> R) (x : nat -> R) : Prop := forall n, x (S n) = f (x n).

Definition converges_to (x : nat -> R) (l : R) : Prop := is_lim_seq x l.

(** lim sup x <= m *)
Definition limsup_at_most (x : nat -> R) (m : R) : Prop :=
  forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> x n <= m + eps.

Lemma converges_to_eps : forall x l, converges_to x l <->
  forall eps, 0 < eps -> exists N, forall n, (N <= n)%nat -> Rabs (x n - l) < eps.
Proof.
  intros x l. unfold converges_to. rewrite is_lim_seq_Reals. unfold Un_cv, R_dist. split.
  - intros H eps Heps. destruct (H eps Heps) as [N HN]. exists N. intros n Hn. apply HN. lia.
  - intros H eps Heps. destruct (H eps Heps) as [N HN]. exists N. intros n Hn. apply HN. lia.
Qed.

Lemma converges_to_unique : forall x l m, converges_to x l -> converges_to x m -> l = m.
Proof.
  intros x l m Hl Hm. unfold converges_to in *.
  apply is_lim_seq_unique in Hl. apply is_lim_seq_unique in Hm. rewrite Hl in Hm. injection Hm. auto.
Qed.

Theorem induction_on_whole_numbers : forall P : nat -> Prop,
  P 0%nat -> (forall n, P n -> P (S n)) -> forall n, P n.
Proof. intros P H0 HS n. induction n; auto. Qed.

Theorem invariant_set_of_iteration : forall (I : R -> Prop) (f : R -> R) (x : nat -> R),
  (forall y, I y -> I (f y)) -> I (x 0%nat) -> iteration f x -> forall n, I (x n).
Proof. intros I f x Hmap H0 Hit n. induction n; [exact H0 | rewrite Hit; auto]. Qed.

Theorem increasing_bounded_sequence_converges : forall (x : nat -> R) (m : R),
  (forall n, x n <= x (S n)) -> (forall n, x n <= m) ->
  exists l, converges_to x l /\ l <= m /\ forall n, x n <= l.
Proof.
  intros x m Hinc Hm.
  destruct (ex_finite_lim_seq_incr x m Hinc Hm) as [l Hl].
  exists l. split; [exact Hl|]. split.
  - apply (is_lim_seq_le x (fun _ => m) l m); auto. apply is_lim_seq_const.
  - intro n. apply (is_lim_seq_incr_compare x l Hl Hinc n).
Qed.

Theorem decreasing_bounded_sequence_converges : forall (x : nat -> R) (m : R),
  (forall n, x (S n) <= x n) -> (forall n, m <= x n) ->
  exists l, converges_to x l /\ m <= l /\ forall n, l <= x n.
Proof.
  intros x m Hdec Hm.
  destruct (ex_finite_lim_seq_decr x m Hdec Hm) as [l Hl].
  exists l. split; [exact Hl|]. split.
  - apply (is_lim_seq_le (fun _ => m) x m l); auto. apply is_lim_seq_const.
  - intro n. apply (is_lim_seq_decr_compare x l Hl Hdec n).
Qed.

Theorem squeeze : forall (low x high : nat -> R) (l : R),
  (forall n, low n <= x n <= high n) -> converges_to low l -> converges_to high l -> converges_to x l.
Proof. intros low x high l H Hl Hh. apply (is_lim_seq_le_le low x high l); auto. Qed.

Theorem squeeze_to_point : forall (x e : nat -> R) (l : R),
  (forall n, Rabs (x n - l) <= e n) -> converges_to e 0 -> converges_to x l.
Proof.
  intros x e l H He. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps e 0) He eps Heps) as [N HN]. exists N. intros n Hn.
  specialize (HN n Hn). specialize (H n). apply Rabs_def2 in HN. lra.
Qed.

Theorem limits_keep_weak_inequalities : forall (x y : nat -> R) (l m : R),
  (forall n, x n <= y n) -> converges_to x l -> converges_to y m -> l <= m.
Proof. intros x y l m H Hx Hy. apply (is_lim_seq_le x y l m); auto. Qed.

Theorem limit_through_continuous_function : forall (I : R -> Prop) (f : R -> R) (x : nat -> R) (l : R),
  continuous_on I f -> (forall n, I (x n)) -> I l -> converges_to x l -> converges_to (fun n => f (x n)) (f l).
Proof.
  intros I f x l Hc Hx Hl Hlim. apply converges_to_eps. intros eps Heps.
  destruct (continuous_on_eps I f Hc l Hl eps Heps) as [d [Hd Hb]].
  destruct (proj1 (converges_to_eps x l) Hlim d Hd) as [N HN]. exists N. intros n Hn. apply Hb; auto.
Qed.

Theorem limit_through_uniformly_convergent_functions :
  forall (I : R -> Prop) (fs : nat -> R -> R) (f : R -> R) (e x : nat -> R) (l : R),
  continuous_on I f -> (forall n y, I y -> Rabs (fs n y - f y) <= e n) -> converges_to e 0 ->
  (forall n, I (x n)) -> I l -> converges_to x l -> converges_to (fun n => fs n (x n)) (f l).
Proof.
  intros I fs f e x l Hc Hu He Hx Hl Hlim. apply converges_to_eps. intros eps Heps.
  assert (Hf : converges_to (fun n => f (x n)) (f l)) by (apply limit_through_continuous_function with I; auto).
  destruct (proj1 (converges_to_eps _ _) Hf (eps / 2)) as [N HN]; [lra|].
  destruct (proj1 (converges_to_eps _ _) He (eps / 2)) as [M HM]; [lra|].
  exists (max N M). intros n Hn. specialize (HN n ltac:(lia)). specialize (HM n ltac:(lia)).
  specialize (Hu n (x n) (Hx n)). apply Rabs_def2 in HM.
  replace (fs n (x n) - f l) with ((fs n (x n) - f (x n)) + (f (x n) - f l)) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. lra.
Qed.

Theorem uniform_limit_is_continuous : forall (I : R -> Prop) (fs : nat -> R -> R) (f : R -> R) (e : nat -> R),
  (forall n, continuous_on I (fs n)) -> (forall n y, I y -> Rabs (fs n y - f y) <= e n) -> converges_to e 0 ->
  continuous_on I f.
Proof.
  intros I fs f e Hc Hu He. apply continuous_on_of_eps. intros x Hx eps Heps.
  destruct (proj1 (converges_to_eps _ _) He (eps / 3)) as [N HN]; [lra|].
  specialize (HN N (le_n N)). apply Rabs_def2 in HN.
  destruct (continuous_on_eps I (fs N) (Hc N) x Hx (eps / 3)) as [d [Hd Hb]]; [lra|].
  exists d. split; [exact Hd|]. intros y Hy Hyx. specialize (Hb y Hy Hyx).
  pose proof (Hu N x Hx). pose proof (Hu N y Hy).
  replace (f y - f x) with (- (fs N y - f y) + ((fs N y - fs N x) + (fs N x - f x))) by ring.
  eapply Rle_lt_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp.
  eapply Rle_lt_trans; [apply Rplus_le_compat_l, Rabs_triang|]. lra.
Qed.

Lemma converges_to_shift : forall x l, converges_to x l <-> converges_to (fun n => x (S n)) l.
Proof. intros x l. unfold converges_to. apply is_lim_seq_incr_1. Qed.

Lemma converges_to_from_even_and_odd : forall x l,
  converges_to (fun n => x (2 * n)%nat) l -> converges_to (fun n => x (S (2 * n))) l -> converges_to x l.
Proof.
  intros x l He Ho. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps _ _) He eps Heps) as [N HN].
  destruct (proj1 (converges_to_eps _ _) Ho eps Heps) as [M HM].
  exists (2 * max N M + 2)%nat. intros n Hn.
  destruct (Nat.Even_or_Odd n) as [[k ->] | [k ->]].
  - apply HN. lia.
  - replace (2 * k + 1)%nat with (S (2 * k)) by lia. apply HM. lia.
Qed.

Lemma converges_to_even : forall x l, converges_to x l -> converges_to (fun n => x (2 * n)%nat) l.
Proof.
  intros x l H. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps _ _) H eps Heps) as [N HN]. exists N. intros n Hn. apply HN. lia.
Qed.

Lemma converges_to_odd : forall x l, converges_to x l -> converges_to (fun n => x (S (2 * n))) l.
Proof.
  intros x l H. apply converges_to_eps. intros eps Heps.
  destruct (proj1 (converges_to_eps _ _) H eps Heps) as [N HN]. exists N. intros n Hn. apply HN. lia.
Qed.

Lemma converges_to_const : forall c, converges_to (fun _ => c) c.
Proof. intro c. apply is_lim_seq_const. Qed.

Theorem limit_of_iteration_is_fixed_point : forall (I : R -> Prop) (f : R -> R) (x : nat -> R) (l : R),
  continuous_on I f -> iteration f x -> (forall n, I (x n)) -> I l -> converges_to x l -> f l = l.
Proof.
  intros I f x l Hc Hit Hx Hl Hlim.
  apply (converges_to_unique (fun n => f (x n))).
  - apply limit_through_continuous_function with I; assumption.
  - apply (is_lim_seq_ext (fun n => x (S n))); [exact Hit|]. apply converges_to_shift in Hlim. exact Hlim.
Qed.

Theorem increasing_map_iterates_upwards_to_least_fixed_point : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x -> x 0%nat <= x 1%nat ->
  exists l, a <= l <= b /\ f l = l /\ converges_to x l /\ (forall n, x n <= x (S n)) /\ (forall n, x n <= l) /\
    forall q, a <= q <= b -> x 0%nat <= q -> f q <= q -> l <= q.
Proof.
  intros f a b x Hc Hinc Hmap H0 Hit H01.
  assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
  assert (Hmono : forall n, x n <= x (S n)).
  { intro n. induction n; [exact H01|]. rewrite (Hit n), (Hit (S n)). apply Hinc; auto. }
  destruct (increasing_bounded_sequence_converges x b Hmono) as [l [Hlim [Hlb Hxl]]].
  { intro n. destruct (Hx n). lra. }
  assert (Hl : a <= l <= b) by (specialize (Hxl 0%nat); lra).
  exists l. repeat split; try tauto.
  - apply limit_of_iteration_is_fixed_point with (closed_interval a b) x; assumption.
  - intros q Hq H0q Hfq. apply (limits_keep_weak_inequalities x (fun _ => q) l q);
    [|exact Hlim|apply converges_to_const].
    intro n. induction n; [exact H0q|]. rewrite Hit. apply Rle_trans with (f q); [apply Hinc; auto | exact Hfq].
Qed.

Theorem increasing_map_iterates_downwards_to_greatest_fixed_point : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x -> x 1%nat <= x 0%nat ->
  exists l, a <= l <= b /\ f l = l /\ converges_to x l /\ (forall n, x (S n) <= x n) /\ (forall n, l <= x n) /\
    forall q, a <= q <= b -> q <= x 0%nat -> q <= f q -> q <= l.
Proof.
  intros f a b x Hc Hinc Hmap H0 Hit H01.
  assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
  assert (Hmono : forall n, x (S n) <= x n).
  { intro n. induction n; [exact H01|]. rewrite (Hit n), (Hit (S n)). apply Hinc; auto. }
  destruct (decreasing_bounded_sequence_converges x a Hmono) as [l [Hlim [Hlb Hxl]]].
  { intro n. destruct (Hx n). lra. }
  assert (Hl : a <= l <= b) by (specialize (Hxl 0%nat); lra).
  exists l. repeat split; try tauto.
  - apply limit_of_iteration_is_fixed_point with (closed_interval a b) x; assumption.
  - intros q Hq H0q Hfq. apply (limits_keep_weak_inequalities (fun _ => q) x q l);
    [|apply converges_to_const|exact Hlim].
    intro n. induction n; [exact H0q|]. rewrite Hit. apply Rle_trans with (f q); [exact Hfq | apply Hinc; auto].
Qed.

Theorem increasing_map_iteration_converges : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x ->
  ((forall n, x n <= x (S n)) \/ (forall n, x (S n) <= x n)) /\
  exists l, a <= l <= b /\ f l = l /\ converges_to x l.
Proof.
  intros f a b x Hc Hinc Hmap H0 Hit. destruct (Rle_or_lt (x 0%nat) (x 1%nat)) as [H | H].
  - destruct (increasing_map_iterates_upwards_to_least_fixed_point f a b x) as [l Hl]; auto.
    split; [tauto|]. exists l. tauto.
  - destruct (increasing_map_iterates_downwards_to_greatest_fixed_point f a b x) as [l Hl]; auto; [lra|].
    split; [tauto|]. exists l. tauto.
Qed.

Theorem decreasing_map_iterates_to_two_limits : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> decreasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x -> x 0%nat <= x 2%nat ->
  (forall n, x (2 * n)%nat <= x (2 * S n)%nat) /\ (forall n, x (S (2 * S n)) <= x (S (2 * n))) /\
  exists even odd, a <= even <= b /\ a <= odd <= b /\
    converges_to (fun n => x (2 * n)%nat) even /\ converges_to (fun n => x (S (2 * n))) odd /\
    f even = odd /\ f odd = even /\ (even = odd -> converges_to x even) /\
    (forall l, converges_to x l -> even = l /\ odd = l).
Proof.
  intros f a b x Hc Hdec Hmap H0 Hit H02.
  assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
  assert (Heven : forall n, x (2 * n)%nat <= x (2 * S n)%nat).
  { intro n. induction n; [exact H02|].
    assert (H2 : forall m, x (2 * S m)%nat = f (f (x (2 * m)%nat))).
    { intro m. rewrite <- !Hit. f_equal. lia. }
    rewrite (H2 n), (H2 (S n)). apply Hdec; [apply Hmap, Hx | apply Hmap, Hx | apply Hdec; auto]. }
  assert (Hodd : forall n, x (S (2 * S n)) <= x (S (2 * n))).
  { intro n. rewrite !Hit. apply Hdec; auto. }
  split; [exact Heven|]. split; [exact Hodd|].
  destruct (increasing_bounded_sequence_converges (fun n => x (2 * n)%nat) b Heven) as [e [He [Heb Hxe]]].
  { intro n. destruct (Hx (2 * n)%nat). lra. }
  destruct (decreasing_bounded_sequence_converges (fun n => x (S (2 * n))) a Hodd) as [o [Ho [Hoa Hxo]]].
  { intro n. destruct (Hx (S (2 * n))). lra. }
  assert (HeI : closed_interval a b e).
  { split; [|exact Heb]. specialize (Hxe 0%nat). simpl in Hxe. lra. }
  assert (HoI : closed_interval a b o).
  { split; [exact Hoa|]. specialize (Hxo 0%nat). simpl in Hxo. destruct (Hx 1%nat). lra. }
  exists e, o. split; [exact HeI|]. split; [exact HoI|]. split; [exact He|]. split; [exact Ho|].
  split; [|split; [|split]].
  - apply (converges_to_unique (fun n => f (x (2 * n)%nat))).
    + apply limit_through_continuous_function with (closed_interval a b); auto.
    + apply (is_lim_seq_ext (fun n => x (S (2 * n)))); [intro n; apply Hit | exact Ho].
  - apply (converges_to_unique (fun n => f (x (S (2 * n))))).
    + apply limit_through_continuous_function with (closed_interval a b); auto.
    + apply (is_lim_seq_ext (fun n => x (2 * S n)%nat)).
      { intro n. rewrite <- Hit. f_equal. lia. }
      apply (proj1 (converges_to_shift (fun n => x (2 * n)%nat) e) He).
  - intros Heq. apply converges_to_from_even_and_odd; [exact He | rewrite Heq; exact Ho].
  - intros l Hl. split.
    + apply (converges_to_unique (fun n => x (2 * n)%nat)); [exact He | apply converges_to_even; exact Hl].
    + apply (converges_to_unique (fun n => x (S (2 * n)))); [exact Ho | apply converges_to_odd; exact Hl].
Qed.

Theorem decreasing_map_even_and_odd_iterates_converge : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> decreasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x ->
  exists even odd, a <= even <= b /\ a <= odd <= b /\
    converges_to (fun n => x (2 * n)%nat) even /\ converges_to (fun n => x (S (2 * n))) odd /\
    f even = odd /\ f odd = even.
Proof.
  intros f a b x Hc Hdec Hmap H0 Hit.
  destruct (Rle_or_lt (x 0%nat) (x 2%nat)) as [H02 | H02].
  - destruct (decreasing_map_iterates_to_two_limits f a b x) as [_ [_ [e [o H]]]]; auto.
    exists e, o. tauto.
  - assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
    destruct (decreasing_map_iterates_to_two_limits f a b (fun n => x (S n)))
      as [_ [_ [e [o [He [Ho [Hle [Hlo [Hfe [Hfo _]]]]]]]]]];
      auto; try apply Hx.
    + intro n. apply Hit.
    + rewrite (Hit 2%nat), (Hit 0%nat). apply Hdec; [apply Hx | apply Hx | lra].
    + exists o, e. split; [exact Ho|]. split; [exact He|]. split; [|split; [exact Hle|split; [exact Hfo | exact Hfe]]].
      apply converges_to_shift. apply (is_lim_seq_ext (fun n => x (S (S (2 * n))))); [|exact Hlo].
      intro n. f_equal. lia.
Qed.

(** ** Contractions *)

Lemma geometric_bound : forall (k : R) (d : nat -> R), 0 <= k ->
  (forall n, d (S n) <= k * d n) -> forall n, d n <= k ^ n * d 0%nat.
Proof.
  intros k d Hk Hd n. induction n; [simpl; lra|].
  eapply Rle_trans; [apply Hd|]. simpl. rewrite Rmult_assoc. apply Rmult_le_compat_l; assumption.
Qed.

Lemma geometric_converges : forall k c, 0 <= k < 1 -> converges_to (fun n => k ^ n * c) 0.
Proof.
  intros k c Hk. replace 0 with (0 * c) by ring.
  apply (is_lim_seq_scal_r (fun n => k ^ n) c 0). apply is_lim_seq_geom. rewrite Rabs_pos_eq; lra.
Qed.

Theorem contraction_converges : forall (f : R -> R) (a b k : R), a <= b -> 0 <= k < 1 ->
  lipschitz_on (closed_interval a b) k f -> (forall y, a <= y <= b -> a <= f y <= b) ->
  exists p, (a <= p <= b /\ f p = p) /\ (forall q, a <= q <= b -> f q = q -> q = p) /\
    forall x, a <= x 0%nat <= b -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f a b k Hab Hk Hlip Hmap.
  destruct (fixed_point_exists f a b Hab) as [p [Hp Hfp]]; [|exact Hmap|].
  { apply continuous_on_of_eps. intros x Hx eps Heps. exists eps. split; [exact Heps|].
    intros y Hy Hyx. specialize (Hlip x y Hx Hy). pose proof (Rabs_pos (y - x)). nra. }
  exists p. split; [tauto|]. split.
  - intros q Hq Hfq. specialize (Hlip p q Hp Hq). rewrite Hfp, Hfq in Hlip.
    destruct (Req_dec q p) as [H | H]; [exact H|].
    assert (0 < Rabs (q - p)) by (apply Rabs_pos_lt; lra). nra.
  - intros x H0 Hit.
    assert (Hx : forall n, closed_interval a b (x n)) by (apply invariant_set_of_iteration with f; assumption).
    assert (Hb : forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)).
    { apply (geometric_bound k (fun n => Rabs (x n - p))); [lra|]. intro n.
      rewrite Hit. rewrite <- Hfp at 1. apply Hlip; auto. }
    split; [exact Hb|]. apply squeeze_to_point with (1 := Hb). apply geometric_converges; exact Hk.
Qed.

Theorem attraction_if_multiplier_below_one : forall (f : R -> R) (p d k : R),
  f p = p -> is_derive f p d -> Rabs d < k -> k < 1 ->
  exists r, 0 < r /\ (forall y, Rabs (y - p) <= r -> Rabs (f y - p) <= k * Rabs (y - p)) /\
    (forall q, Rabs (q - p) <= r -> f q = q -> q = p) /\
    forall x, Rabs (x 0%nat - p) <= r -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f p d k Hp Hd Hdk Hk1. apply is_derive_Reals in Hd.
  assert (Hk0 : 0 < k) by (pose proof (Rabs_pos d); lra).
  destruct (Hd (k - Rabs d)) as [[r Hr] Hb]; [lra|]. simpl in Hb.
  assert (Hstep : forall y, Rabs (y - p) <= r / 2 -> Rabs (f y - p) <= k * Rabs (y - p)).
  { intros y Hy. destruct (Req_dec y p) as [-> | Hne].
    - rewrite Hp, Rminus_eq_0, Rabs_R0. lra.
    - specialize (Hb (y - p) ltac:(lra) ltac:(lra)). replace (p + (y - p)) with y in Hb by ring. rewrite Hp in Hb.
      replace (f y - p) with ((f y - p) / (y - p) * (y - p)) by (field; lra).
      rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
      replace ((f y - p) / (y - p)) with (((f y - p) / (y - p) - d) + d) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. lra. }
  exists (r / 2). split; [lra|]. split; [exact Hstep|]. split.
  - intros q Hq Hfq. specialize (Hstep q Hq). rewrite Hfq in Hstep.
    destruct (Req_dec q p) as [H | H]; [exact H|].
    assert (0 < Rabs (q - p)) by (apply Rabs_pos_lt; lra). nra.
  - intros x H0 Hit.
    assert (Hx : forall n, Rabs (x n - p) <= r / 2).
    { intro n. induction n; [exact H0|]. rewrite Hit. specialize (Hstep _ IHn).
      pose proof (Rabs_pos (x n - p)). nra. }
    assert (Hbd : forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)).
    { apply (geometric_bound k (fun n => Rabs (x n - p))); [lra|]. intro n. rewrite Hit. apply Hstep. apply Hx. }
    split; [exact Hbd|]. apply squeeze_to_point with (1 := Hbd). apply geometric_converges; lra.
Qed.

(** The local theorem of Banach, at any rate above the size of the derivative. *)
Lemma contracts_near : forall (f f' : R -> R) (p k : R),
  f p = p -> locally p (fun y => is_derive f y (f' y)) -> continuous f' p -> Rabs (f' p) < k -> k < 1 ->
  exists r, 0 < r /\
    (forall y, p - r <= y <= p + r -> is_derive f y (f' y) /\ Rabs (f' y) <= k /\ p - r <= f y <= p + r) /\
    lipschitz_on (closed_interval (p - r) (p + r)) k f /\
    (forall q, p - r <= q <= p + r -> f q = q -> q = p) /\
    forall x, p - r <= x 0%nat <= p + r -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f f' p k Hp [[r1 Hr1] Hd] Hc Hlt Hk. simpl in Hd.
  pose proof (Rabs_pos (f' p)) as Hpos.
  assert (Hl : locally (f' p) (fun z => Rabs (z - f' p) < k - Rabs (f' p))).
  { assert (He : 0 < k - Rabs (f' p)) by lra. exists (mkposreal _ He). intros z Hz. exact Hz. }
  destruct (Hc _ Hl) as [[r2 Hr2] Hb]. simpl in Hb.
  set (r := Rmin r1 r2 / 2).
  assert (Hr : 0 < r) by (unfold r; assert (0 < Rmin r1 r2) by (apply Rmin_pos; assumption); lra).
  assert (r < r1) by (unfold r in *; pose proof (Rmin_l r1 r2); lra).
  assert (r < r2) by (unfold r in *; pose proof (Rmin_r r1 r2); lra).
  assert (Hder : forall y, p - r <= y <= p + r -> is_derive f y (f' y)).
  { intros y Hy. apply Hd. change (Rabs (y - p) < r1). apply Rabs_def1; lra. }
  assert (Hbd : forall y, p - r <= y <= p + r -> Rabs (f' y) <= k).
  { intros y Hy. assert (Hball : ball p r2 y) by (change (Rabs (y - p) < r2); apply Rabs_def1; lra).
    specialize (Hb y Hball). replace (f' y) with ((f' y - f' p) + f' p) by ring.
    eapply Rle_trans; [apply Rabs_triang|]. lra. }
  assert (Hlip : lipschitz_on (closed_interval (p - r) (p + r)) k f).
  { apply lipschitz_if_derivative_bounded with f'.
    - intros u v w Hu Hv Hw. unfold closed_interval in *. lra.
    - apply continuous_on_derive with f'. exact Hder.
    - intros y [u [v [Hu [Hv Hy]]]]. apply Hder. unfold closed_interval in *. lra.
    - intros y [u [v [Hu [Hv Hy]]]]. apply Hbd. unfold closed_interval in *. lra. }
  assert (Hpin : closed_interval (p - r) (p + r) p) by (unfold closed_interval; lra).
  assert (Hmap : forall y, p - r <= y <= p + r -> p - r <= f y <= p + r).
  { intros y Hy. specialize (Hlip p y Hpin Hy). rewrite Hp in Hlip.
    assert (Rabs (y - p) <= r) by (apply Rabs_le; lra).
    assert (Hfy : Rabs (f y - p) <= r) by (pose proof (Rabs_pos (y - p)); nra).
    apply Rabs_le_between in Hfy. lra. }
  destruct (contraction_converges f (p - r) (p + r) k) as [q [[Hq Hfq] [Huniq Hconv]]]; auto; [lra | lra |].
  assert (Heq : p = q) by (apply Huniq; auto; lra). subst q.
  exists r. split; [exact Hr|]. split; [auto|]. split; [exact Hlip|]. split; [exact Huniq | exact Hconv].
Qed.

Theorem local_contraction : forall (f f' : R -> R) (p : R),
  f p = p -> locally p (fun y => is_derive f y (f' y)) -> continuous f' p -> Rabs (f' p) < 1 ->
  exists r k, 0 < r /\ 0 <= k < 1 /\
    (forall y, p - r <= y <= p + r -> is_derive f y (f' y) /\ Rabs (f' y) <= k /\ p - r <= f y <= p + r) /\
    lipschitz_on (closed_interval (p - r) (p + r)) k f /\
    (forall q, p - r <= q <= p + r -> f q = q -> q = p) /\
    forall x, p - r <= x 0%nat <= p + r -> iteration f x ->
      (forall n, Rabs (x n - p) <= k ^ n * Rabs (x 0%nat - p)) /\ converges_to x p.
Proof.
  intros f f' p Hp Hd Hc Hlt. pose proof (Rabs_pos (f' p)).
  destruct (contracts_near f f' p ((1 + Rabs (f' p)) / 2) Hp Hd Hc) as (r & Hr & H1); [lra | lra |].
  exists r, ((1 + Rabs (f' p)) / 2). split; [exact Hr|]. split; [lra | exact H1].
Qed.

Lemma limsup_converges : forall x, (forall n, 0 <= x n) -> limsup_at_most x 0 -> converges_to x 0.
Proof.
  intros x Hpos H. apply converges_to_eps. intros eps Heps. destruct (H (eps / 2)) as [N HN]; [lra|].
  exists N. intros n Hn. specialize (HN n Hn). specialize (Hpos n). apply Rabs_def1; lra.
Qed.

Lemma limsup_of_limit : forall x l, converges_to x l -> limsup_at_most x l.
Proof.
  intros x l H eps Heps. destruct (proj1 (converges_to_eps x l) H eps Heps) as [N HN].
  exists N. intros n Hn. specialize (HN n Hn). apply Rabs_def2 in HN. lra.
Qed.

Lemma limsup_recursion : forall (k c : R) (d e : nat -> R), 0 <= k < 1 ->
  (forall n, d (S n) <= k * d n + e n) -> limsup_at_most e c -> limsup_at_most d (c / (1 - k)).
Proof.
  intros k c d e Hk Hd He eps Heps.
  destruct (He (eps * (1 - k) / 2)) as [N HN]; [apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]|].
  set (m := c / (1 - k) + eps / 2).
  assert (Hm : k * m + (c + eps * (1 - k) / 2) = m) by (unfold m; field; lra).
  assert (Hb : forall n, d (N + n)%nat - m <= k ^ n * (d N - m)).
  { intro n. induction n; [rewrite Nat.add_0_r; simpl; lra|].
    replace (N + S n)%nat with (S (N + n)) by lia.
    specialize (Hd (N + n)%nat). specialize (HN (N + n)%nat ltac:(lia)).
    assert (d (S (N + n)) - m <= k * (d (N + n)%nat - m)) by lra.
    simpl. rewrite Rmult_assoc. nra. }
  destruct (proj1 (converges_to_eps _ _) (geometric_converges k (d N - m) Hk) (eps / 2)) as [M HM]; [lra|].
  exists (N + M)%nat. intros n Hn. replace n with (N + (n - N))%nat by lia.
  specialize (Hb (n - N)%nat). specialize (HM (n - N)%nat ltac:(lia)). apply Rabs_def2 in HM. unfold m in *. lra.
Qed.

Theorem contraction_with_errors : forall (I : R -> Prop) (f : R -> R) (p k c : R) (x e : nat -> R),
  lipschitz_on I k f -> 0 <= k < 1 -> I p -> f p = p -> (forall n, I (x n)) ->
  (forall n, Rabs (x (S n) - f (x n)) <= e n) -> limsup_at_most e c ->
  limsup_at_most (fun n => Rabs (x n - p)) (c / (1 - k)).
Proof.
  intros I f p k c x e Hlip Hk HIp Hp Hx He Hc.
  apply limsup_recursion with e; auto. intro n.
  specialize (Hlip p (x n) HIp (Hx n)). rewrite Hp in Hlip. specialize (He n).
  replace (x (S n) - p) with ((f (x n) - p) + (x (S n) - f (x n))) by ring.
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

Theorem contraction_with_vanishing_errors_converges : forall (I : R -> Prop) (f : R -> R) (p k : R) (x e : nat -> R),
  lipschitz_on I k f -> 0 <= k < 1 -> I p -> f p = p -> (forall n, I (x n)) ->
  (forall n, Rabs (x (S n) - f (x n)) <= e n) -> converges_to e 0 -> converges_to x p.
Proof.
  intros I f p k x e Hlip Hk HIp Hp Hx He Hlim.
  assert (H : converges_to (fun n => Rabs (x n - p)) 0).
  { apply limsup_converges; [intro n; apply Rabs_pos|]. replace 0 with (0 / (1 - k)) by (field; lra).
    apply contraction_with_errors with I f e; auto. apply limsup_of_limit; exact Hlim. }
  apply squeeze_to_point with (fun n => Rabs (x n - p)); [intro n; lra | exact H].
Qed.

Theorem repulsion_if_multiplier_above_one : forall (f : R -> R) (p d k : R),
  f p = p -> is_derive f p d -> 1 < k -> k < Rabs d ->
  exists r, 0 < r /\ (forall y, Rabs (y - p) <= r -> k * Rabs (y - p) <= Rabs (f y - p)) /\
    (forall q, Rabs (q - p) <= r -> f q = q -> q = p) /\
    (forall x, iteration f x -> x 0%nat <> p -> exists n, r < Rabs (x n - p)) /\
    forall x, iteration f x -> converges_to x p -> exists N, forall n, (N <= n)%nat -> x n = p.
Proof.
  intros f p d k Hp Hd Hk1 Hkd. apply is_derive_Reals in Hd.
  destruct (Hd (Rabs d - k)) as [[r Hr] Hb]; [lra|]. simpl in Hb.
  assert (Hstep : forall y, Rabs (y - p) <= r / 2 -> k * Rabs (y - p) <= Rabs (f y - p)).
  { intros y Hy. destruct (Req_dec y p) as [-> | Hne].
    - rewrite Hp, Rminus_eq_0, Rabs_R0. lra.
    - specialize (Hb (y - p) ltac:(lra) ltac:(lra)). replace (p + (y - p)) with y in Hb by ring. rewrite Hp in Hb.
      replace (f y - p) with ((f y - p) / (y - p) * (y - p)) by (field; lra).
      rewrite Rabs_mult. apply Rmult_le_compat_r; [apply Rabs_pos|].
      pose proof (Rabs_triang_inv d (d - (f y - p) / (y - p))) as Htri.
      replace (d - (d - (f y - p) / (y - p))) with ((f y - p) / (y - p)) in Htri by ring.
      rewrite (Rabs_minus_sym d) in Htri. lra. }
  assert (Hgrow : forall x, iteration f x -> forall N, (forall n, Rabs (x (N + n)%nat - p) <= r / 2) ->
                  forall n, k ^ n * Rabs (x N - p) <= Rabs (x (N + n)%nat - p)).
  { intros x Hit N Hin n. induction n; [rewrite Nat.add_0_r; simpl; lra|].
    replace (N + S n)%nat with (S (N + n)) by lia. rewrite Hit.
    specialize (Hstep _ (Hin n)). simpl. rewrite Rmult_assoc.
    apply Rle_trans with (k * Rabs (x (N + n)%nat - p)); [apply Rmult_le_compat_l; lra | exact Hstep]. }
  assert (Hstay : forall x, iteration f x -> forall N, (forall n, Rabs (x (N + n)%nat - p) <= r / 2) -> x N = p).
  { intros x Hit N Hin. destruct (Req_dec (x N) p) as [H | H]; [exact H | exfalso].
    assert (Hpos : 0 < Rabs (x N - p)) by (apply Rabs_pos_lt; lra).
    destruct (Pow_x_infinity k ltac:(rewrite Rabs_pos_eq; lra) (r / Rabs (x N - p))) as [M HM].
    specialize (HM M (le_n M)). rewrite Rabs_pos_eq in HM by (apply pow_le; lra).
    specialize (Hgrow x Hit N Hin M). specialize (Hin M).
    assert (r / Rabs (x N - p) * Rabs (x N - p) <= k ^ M * Rabs (x N - p)) by (apply Rmult_le_compat_r; lra).
    replace (r / Rabs (x N - p) * Rabs (x N - p)) with r in H0 by (field; lra). lra. }
  exists (r / 2). split; [lra|]. split; [exact Hstep|]. split; [|split].
  - intros q Hq Hfq. specialize (Hstep q Hq). rewrite Hfq in Hstep.
    destruct (Req_dec q p) as [H | H]; [exact H|].
    assert (0 < Rabs (q - p)) by (apply Rabs_pos_lt; lra). nra.
  - intros x Hit H0.
    destruct (ClassicalDedekindReals.sig_forall_dec (fun n => Rabs (x n - p) <= r / 2)) as [[n Hn] | H].
    + intro n. destruct (Rle_dec (Rabs (x n - p)) (r / 2)); [left | right]; assumption.
    + exists n. lra.
    + exfalso. apply H0. apply (Hstay x Hit 0%nat). exact H.
  - intros x Hit Hlim. destruct (proj1 (converges_to_eps x p) Hlim (r / 2)) as [N HN]; [lra|].
    exists N. intros n Hn. apply (Hstay x Hit). intro m. specialize (HN (n + m)%nat ltac:(lia)). lra.
Qed.

(** ** Maxima *)

Definition maximum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ forall y, I y -> f y <= f x.

Definition strict_maximum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ forall y, I y -> y <> x -> f y < f x.

Definition local_maximum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ exists r, 0 < r /\ forall y, I y -> Rabs (y - x) < r -> f y <= f x.

Definition strict_local_maximum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ exists r, 0 < r /\ forall y, I y -> Rabs (y - x) < r -> y <> x -> f y < f x.

Definition local_minimum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ exists r, 0 < r /\ forall y, I y -> Rabs (y - x) < r -> f x <= f y.

Definition strict_local_minimum_on (I : R -> Prop) (f : R -> R) (x : R) : Prop :=
  I x /\ exists r, 0 < r /\ forall y, I y -> Rabs (y - x) < r -> y <> x -> f x < f y.

Theorem concave_stationary_is_maximum : forall (I : R -> Prop) (f : R -> R) (x : R), interval I ->
  concave_on I f -> I x -> is_derive f x 0 -> maximum_on I f x.
Proof.
  intros I f x HI Hc Hx Hd. split; [exact Hx|]. intros y Hy.
  pose proof (concave_lies_below_its_tangents I f x 0 HI Hc Hx Hd y Hy). lra.
Qed.

Lemma strictly_concave_concave : forall I f, strictly_concave_on I f -> concave_on I f.
Proof.
  intros I f H x y t Hx Hy Ht.
  destruct (Req_dec x y) as [-> | Hne].
  { replace (t * y + (1 - t) * y) with y by ring. lra. }
  destruct (Req_dec t 0) as [-> | Ht0]; [replace (0 * x + (1 - 0) * y) with y by ring; lra|].
  destruct (Req_dec t 1) as [-> | Ht1]; [replace (1 * x + (1 - 1) * y) with x by ring; lra|].
  apply Rlt_le, H; auto; lra.
Qed.

Theorem strictly_concave_at_most_one_maximum : forall (I : R -> Prop) (f : R -> R) (x y : R), interval I ->
  strictly_concave_on I f -> maximum_on I f x -> maximum_on I f y -> x = y.
Proof.
  intros I f x y HI Hc [Hx Hmx] [Hy Hmy]. destruct (Req_dec x y) as [H | Hne]; [exact H | exfalso].
  specialize (Hc x y (1 / 2) Hx Hy Hne ltac:(lra)).
  assert (Hm : I (1 / 2 * x + (1 - 1 / 2) * y)).
  { destruct (Rle_or_lt x y); [apply (HI x y) | apply (HI y x)]; auto; lra. }
  pose proof (Hmx _ Hm). pose proof (Hmy _ Hm). lra.
Qed.

Theorem strictly_concave_stationary_is_strict_maximum : forall (I : R -> Prop) (f : R -> R) (x : R), interval I ->
  strictly_concave_on I f -> I x -> is_derive f x 0 -> strict_maximum_on I f x.
Proof.
  intros I f x HI Hc Hx Hd.
  destruct (concave_stationary_is_maximum I f x HI (strictly_concave_concave I f Hc) Hx Hd) as [_ Hmax].
  split; [exact Hx|]. intros y Hy Hne. destruct (Hmax y Hy) as [H | H]; [exact H | exfalso].
  apply Hne. apply (strictly_concave_at_most_one_maximum I f y x HI Hc); split; auto.
  intros z Hz. rewrite H. auto.
Qed.

Theorem increasing_then_decreasing_has_strict_maximum : forall (I : R -> Prop) (f : R -> R) (x : R), interval I ->
  I x ->
  strictly_increasing_on (fun y => I y /\ y <= x) f -> strictly_decreasing_on (fun y => I y /\ x <= y) f ->
  strict_maximum_on I f x.
Proof.
  intros I f x HI Hx Hup Hdown. split; [exact Hx|]. intros y Hy Hne.
  destruct (Rtotal_order y x) as [H | [H | H]]; [apply Hup | contradiction | apply Hdown]; try split; auto; lra.
Qed.

Theorem derivative_vanishes_at_inner_local_maximum : forall (I : R -> Prop) (f : R -> R) (x d : R), interval I ->
  inside I x -> local_maximum_on I f x -> is_derive f x d -> d = 0.
Proof.
  assert (H : forall (I : R -> Prop) (f : R -> R) (x d : R), interval I -> inside I x -> local_maximum_on I f x ->
              is_derive f x d -> ~ d < 0).
  { intros I f x d HI [a [b [Ha [Hb Hx]]]] [_ [r [Hr Hmax]]] Hd Hneg.
    destruct (sign_near_root (fun y => f y - f x) x d) as [s [Hs Hnear]]; [| lra | exact Hneg |].
    { apply is_derive_Reals. apply is_derive_Reals in Hd. intros eps Heps. destruct (Hd eps Heps) as [del Hdel].
      exists del. intros h Hh0 Hh. specialize (Hdel h Hh0 Hh).
      replace (f (x + h) - f x - (f x - f x)) with (f (x + h) - f x) by ring. exact Hdel. }
    set (m := Rmin (Rmin (r / 2) (s / 2)) (x - a)).
    assert (Hm : 0 < m) by (unfold m; repeat apply Rmin_pos; lra).
    assert (m <= r / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
    assert (m <= s / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
    assert (m <= x - a) by apply Rmin_r.
    assert (I (x - m)) by (apply (HI a b); auto; lra).
    assert (f (x - m) <= f x) by (apply Hmax; [assumption | apply Rabs_def1; lra]).
    assert (0 < f (x - m) - f x) by (apply Hnear; [apply Rabs_def1; lra | lra]). lra. }
  intros I f x d HI Hx Hmax Hd.
  assert (H1 : ~ d < 0) by (apply (H I f x d); assumption).
  assert (H2 : ~ - d < 0).
  { apply (H (fun y => I (- y)) (fun y => f (- y)) (- x) (- d)).
    - intros u v w Hu Hv Hw. apply (HI (- v) (- u)); auto; lra.
    - destruct Hx as [a [b [Ha [Hb Hx]]]]. exists (- b), (- a). rewrite !Ropp_involutive. repeat split; auto; lra.
    - destruct Hmax as [HIx [r [Hr Hm]]]. split; [rewrite Ropp_involutive; exact HIx|]. exists r. split; [exact Hr|].
      intros y Hy Hyx. rewrite Ropp_involutive. apply Hm; [exact Hy|].
      replace (- y - x) with (- (y - - x)) by ring. rewrite Rabs_Ropp. exact Hyx.
    - rewrite <- (Ropp_involutive x) in Hd.
      replace (- d) with (-1 * d) by ring.
      apply (is_derive_comp f (fun y => - y) (- x) d (-1)); [exact Hd|].
      auto_derive; auto. }
  lra.
Qed.

Theorem derivative_at_left_end_of_local_maximum : forall (f : R -> R) (a b d : R), a < b ->
  local_maximum_on (closed_interval a b) f a -> is_derive f a d -> d <= 0.
Proof.
  intros f a b d Hab [_ [r [Hr Hmax]]] Hd.
  destruct (Rle_or_lt d 0) as [H | Hpos]; [exact H | exfalso].
  destruct (sign_near_root (fun y => - (f y - f a)) a (- d)) as [s [Hs Hnear]]; [| lra | lra |].
  { apply is_derive_opp'. replace d with (d - 0) by ring.
    apply (@is_derive_minus R_AbsRing R_NormedModule); [exact Hd|]. apply (@is_derive_const R_AbsRing R_NormedModule). }
  set (m := Rmin (Rmin (r / 2) (s / 2)) (b - a)).
  assert (Hm : 0 < m) by (unfold m; repeat apply Rmin_pos; lra).
  assert (m <= r / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
  assert (m <= s / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
  assert (m <= b - a) by apply Rmin_r.
  assert (f (a + m) <= f a) by (apply Hmax; [unfold closed_interval; lra | apply Rabs_def1; lra]).
  assert (- (f (a + m) - f a) < 0) by (apply Hnear; [apply Rabs_def1; lra | lra]). lra.
Qed.

Theorem negative_derivative_at_left_end_gives_strict_local_maximum : forall (f : R -> R) (a b d : R), a < b ->
  is_derive f a d -> d < 0 -> strict_local_maximum_on (closed_interval a b) f a.
Proof.
  intros f a b d Hab Hd Hneg. split; [unfold closed_interval; lra|].
  destruct (sign_near_root (fun y => f y - f a) a d) as [s [Hs Hnear]]; [| lra | exact Hneg |].
  { replace d with (d - 0) by ring.
    apply (@is_derive_minus R_AbsRing R_NormedModule); [exact Hd|]. apply (@is_derive_const R_AbsRing R_NormedModule). }
  exists s. split; [exact Hs|]. intros y Hy Hya Hne. unfold closed_interval in Hy.
  destruct (Hnear y Hya) as [_ H]. specialize (H ltac:(lra)). lra.
Qed.

Lemma pow_sign_step : forall t k, t * (t * t ^ k) = t ^ S (S k).
Proof. intros. simpl. reflexivity. Qed.

(** The first derivative that does not vanish gives the sign of f(y) - f(x) near x. *)
Lemma sign_of_difference : forall (n : nat) (F : nat -> R -> R) (x : R),
  locally x (fun y => forall j, (j <= n)%nat -> is_derive (F j) y (F (S j) y)) ->
  (forall j, (1 <= j <= n)%nat -> F j x = 0) -> F (S n) x <> 0 ->
  exists r, 0 < r /\ forall y, Rabs (y - x) < r -> y <> x ->
    0 < F (S n) x * (y - x) ^ (S n) * (F 0%nat y - F 0%nat x).
Proof.
  induction n as [|n IH]; intros F x [[r Hr] Hd] Hz Hne; simpl in Hd.
  - assert (Hdx : is_derive (F 0%nat) x (F 1%nat x)).
    { apply Hd; [change (Rabs (x - x) < r); rewrite Rminus_eq_0, Rabs_R0; exact Hr | lia]. }
    apply is_derive_Reals in Hdx.
    destruct (Hdx (Rabs (F 1%nat x))) as [[s Hs] Hb]; [apply Rabs_pos_lt; exact Hne|]. simpl in Hb.
    exists s. split; [exact Hs|]. intros y Hy Hyx.
    specialize (Hb (y - x) ltac:(lra) Hy). replace (x + (y - x)) with y in Hb by ring.
    set (q := (F 0%nat y - F 0%nat x) / (y - x)) in *. set (c := F 1%nat x) in *.
    replace (c * (y - x) ^ 1 * (F 0%nat y - F 0%nat x)) with (c * q * ((y - x) * (y - x))) by (unfold q; field; lra).
    assert (0 < (y - x) * (y - x)) by nra.
    assert (0 < c * q); [|nra].
    destruct (Rtotal_order c 0) as [H0 | [H0 | H0]].
    + rewrite (Rabs_left c) in Hb by exact H0. apply Rabs_def2 in Hb. nra.
    + contradiction.
    + rewrite (Rabs_pos_eq c) in Hb by lra. apply Rabs_def2 in Hb. nra.
  - destruct (IH (fun j => F (S j)) x) as [s [Hs Hsign]].
    + exists (mkposreal r Hr). intros y Hy j Hj. apply Hd; [exact Hy | lia].
    + intros j Hj. apply Hz. lia.
    + exact Hne.
    + exists (Rmin r s). split; [apply Rmin_pos; assumption|]. intros y Hy Hyx.
      pose proof (Rmin_l r s). pose proof (Rmin_r r s).
      assert (Hmv : exists c, (x < c < y \/ y < c < x) /\ F 0%nat y - F 0%nat x = F 1%nat c * (y - x)).
      { assert (Hcont : forall u v, u < v -> Rabs (u - x) < r -> Rabs (v - x) < r ->
                  exists c, u < c < v /\ F 0%nat v - F 0%nat u = F 1%nat c * (v - u)).
        { intros u v Huv Hu Hv. apply Rabs_def2 in Hu. apply Rabs_def2 in Hv.
          apply mean_value; [exact Huv| |].
          - apply continuous_on_derive with (F 1%nat). intros w Hw. unfold closed_interval in Hw.
            apply Hd; [change (Rabs (w - x) < r); apply Rabs_def1; lra | lia].
          - intros w Hw. apply Hd; [change (Rabs (w - x) < r); apply Rabs_def1; lra | lia]. }
        assert (Hxx : Rabs (x - x) < r) by (rewrite Rminus_eq_0, Rabs_R0; exact Hr).
        destruct (Rtotal_order x y) as [Hlt | [He | Hlt]].
        - destruct (Hcont x y Hlt Hxx ltac:(lra)) as [c [Hc Heq]]. exists c. split; [left; exact Hc | exact Heq].
        - congruence.
        - destruct (Hcont y x Hlt ltac:(lra) Hxx) as [c [Hc Heq]]. exists c. split; [right; exact Hc | lra]. }
      destruct Hmv as [c [Hc Heq]]. rewrite Heq.
      assert (Hcx : Rabs (c - x) < s).
      { apply Rle_lt_trans with (Rabs (y - x)); [|lra]. unfold Rabs. repeat destruct (Rcase_abs _); lra. }
      specialize (Hsign c Hcx ltac:(lra)). rewrite (Hz 1%nat ltac:(lia)) in Hsign.
      set (d := F (S (S n)) x) in *.
      replace (d * (y - x) ^ S (S n) * (F 1%nat c * (y - x)))
        with ((d * F 1%nat c) * ((y - x) * (y - x)) * (y - x) ^ S n) by (simpl; ring).
      assert (Hp : 0 < (c - x) ^ S n * (y - x) ^ S n).
      { rewrite <- Rpow_mult_distr. apply pow_lt. nra. }
      assert (Hsq : 0 < (y - x) * (y - x)) by nra.
      assert (Hq : 0 < ((c - x) ^ S n) * ((c - x) ^ S n)).
      { assert ((c - x) ^ S n <> 0) by (apply pow_nonzero; lra). nra. }
      assert (Hs2 : 0 < d * F 1%nat c * (c - x) ^ S n) by lra.
      set (A := d * F 1%nat c) in *. set (C := (c - x) ^ S n) in *. set (Y := (y - x) ^ S n) in *.
      assert (0 < A * C * (C * Y)) by (apply Rmult_lt_0_compat; assumption).
      assert (0 < A * Y) by nra. nra.
Qed.

Theorem even_order_negative_derivative_gives_strict_local_maximum :
  forall (I : R -> Prop) (F : nat -> R -> R) (x : R) (k : nat), I x ->
  locally x (fun y => forall j, (j <= S (2 * k))%nat -> is_derive (F j) y (F (S j) y)) ->
  (forall j, (1 <= j <= S (2 * k))%nat -> F j x = 0) -> F (S (S (2 * k))) x < 0 ->
  strict_local_maximum_on I (F 0%nat) x.
Proof.
  intros I F x k Hx Hd Hz Hneg. split; [exact Hx|].
  destruct (sign_of_difference (S (2 * k)) F x Hd Hz ltac:(lra)) as [r [Hr Hs]].
  exists r. split; [exact Hr|]. intros y _ Hy Hne. specialize (Hs y Hy Hne).
  assert (Hp : 0 < (y - x) ^ S (S (2 * k))).
  { replace (S (S (2 * k))) with (2 * S k)%nat by lia. rewrite pow_mult. apply pow_lt. simpl. nra. }
  set (P := (y - x) ^ S (S (2 * k))) in *. assert (F (S (S (2 * k))) x * P < 0) by nra. nra.
Qed.

Theorem even_order_positive_derivative_gives_strict_local_minimum :
  forall (I : R -> Prop) (F : nat -> R -> R) (x : R) (k : nat), I x ->
  locally x (fun y => forall j, (j <= S (2 * k))%nat -> is_derive (F j) y (F (S j) y)) ->
  (forall j, (1 <= j <= S (2 * k))%nat -> F j x = 0) -> 0 < F (S (S (2 * k))) x ->
  strict_local_minimum_on I (F 0%nat) x.
Proof.
  intros I F x k Hx Hd Hz Hpos. split; [exact Hx|].
  destruct (sign_of_difference (S (2 * k)) F x Hd Hz ltac:(lra)) as [r [Hr Hs]].
  exists r. split; [exact Hr|]. intros y _ Hy Hne. specialize (Hs y Hy Hne).
  assert (Hp : 0 < (y - x) ^ S (S (2 * k))).
  { replace (S (S (2 * k))) with (2 * S k)%nat by lia. rewrite pow_mult. apply pow_lt. simpl. nra. }
  set (P := (y - x) ^ S (S (2 * k))) in *. assert (0 < F (S (S (2 * k))) x * P) by nra. nra.
Qed.

Theorem odd_order_derivative_gives_neither_maximum_nor_minimum :
  forall (I : R -> Prop) (F : nat -> R -> R) (x : R) (k : nat), interval I -> inside I x ->
  locally x (fun y => forall j, (j <= 2 * k)%nat -> is_derive (F j) y (F (S j) y)) ->
  (forall j, (1 <= j <= 2 * k)%nat -> F j x = 0) -> F (S (2 * k)) x <> 0 ->
  ~ local_maximum_on I (F 0%nat) x /\ ~ local_minimum_on I (F 0%nat) x.
Proof.
  intros I F x k HI [a [b [Ha [Hb Hx]]]] Hd Hz Hne.
  destruct (sign_of_difference (2 * k) F x Hd Hz Hne) as [r [Hr Hs]].
  assert (Hboth : forall s, 0 < s -> exists u v, I u /\ I v /\ Rabs (u - x) < s /\ Rabs (v - x) < s /\
            F 0%nat u < F 0%nat x < F 0%nat v).
  { intros s Hsp. set (m := Rmin (Rmin (r / 2) (s / 2)) (Rmin (x - a) (b - x))).
    assert (Hm : 0 < m) by (unfold m; repeat apply Rmin_pos; lra).
    assert (m <= r / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
    assert (m <= s / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
    assert (m <= x - a) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
    assert (m <= b - x) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_r]).
    assert (I1 : I (x + m)) by (apply (HI a b); auto; lra).
    assert (I2 : I (x - m)) by (apply (HI a b); auto; lra).
    pose proof (Hs (x + m) ltac:(apply Rabs_def1; lra) ltac:(lra)) as S1.
    pose proof (Hs (x - m) ltac:(apply Rabs_def1; lra) ltac:(lra)) as S2.
    replace (x + m - x) with m in S1 by ring. replace (x - m - x) with (- m) in S2 by ring.
    assert (E : (- m) ^ S (2 * k) = - m ^ S (2 * k)).
    { simpl. rewrite !pow_mult || idtac. replace (k + (k + 0))%nat with (2 * k)%nat by lia. rewrite !pow_mult.
      replace ((- m) ^ 2) with (m ^ 2) by ring. ring. }
    rewrite E in S2. assert (Hp : 0 < m ^ S (2 * k)) by (apply pow_lt; exact Hm).
    set (P := m ^ S (2 * k)) in *. set (c := F (S (2 * k)) x) in *.
    assert (A1 : 0 < c * (F 0%nat (x + m) - F 0%nat x)) by nra.
    assert (A2 : c * (F 0%nat (x - m) - F 0%nat x) < 0) by nra.
    destruct (Rtotal_order c 0) as [Hc | [Hc | Hc]]; [|contradiction|].
    - exists (x + m), (x - m). repeat split; auto; try (apply Rabs_def1; lra); nra.
    - exists (x - m), (x + m). repeat split; auto; try (apply Rabs_def1; lra); nra. }
  split; intros [_ [s [Hsp Hm]]]; destruct (Hboth s Hsp) as [u [v [Hu [Hv [Hus [Hvs Huv]]]]]].
  - specialize (Hm v Hv Hvs). lra.
  - specialize (Hm u Hu Hus). lra.
Qed.

Theorem second_derivative_negative_gives_strict_local_maximum :
  forall (I : R -> Prop) (f f' f'' : R -> R) (x : R), I x ->
  locally x (fun y => is_derive f y (f' y) /\ is_derive f' y (f'' y)) -> f' x = 0 -> f'' x < 0 ->
  strict_local_maximum_on I f x.
Proof.
  intros I f f' f'' x Hx Hd H1 H2.
  apply (even_order_negative_derivative_gives_strict_local_maximum I
           (fun j => match j with 0%nat => f | 1%nat => f' | _ => f'' end) x 0); auto.
  - destruct Hd as [r Hr]. exists r. intros y Hy j Hj. destruct (Hr y Hy).
    destruct j as [|[|j]]; [assumption | assumption | lia].
  - intros j Hj. replace j with 1%nat by lia. exact H1.
Qed.

Theorem second_derivative_positive_gives_strict_local_minimum :
  forall (I : R -> Prop) (f f' f'' : R -> R) (x : R), I x ->
  locally x (fun y => is_derive f y (f' y) /\ is_derive f' y (f'' y)) -> f' x = 0 -> 0 < f'' x ->
  strict_local_minimum_on I f x.
Proof.
  intros I f f' f'' x Hx Hd H1 H2.
  apply (even_order_positive_derivative_gives_strict_local_minimum I
           (fun j => match j with 0%nat => f | 1%nat => f' | _ => f'' end) x 0); auto.
  - destruct Hd as [r Hr]. exists r. intros y Hy j Hj. destruct (Hr y Hy).
    destruct j as [|[|j]]; [assumption | assumption | lia].
  - intros j Hj. replace j with 1%nat by lia. exact H1.
Qed.

Theorem second_derivative_is_nonpositive_at_inner_local_maximum :
  forall (I : R -> Prop) (f f' f'' : R -> R) (x : R), interval I -> inside I x ->
  locally x (fun y => is_derive f y (f' y) /\ is_derive f' y (f'' y)) -> local_maximum_on I f x ->
  f' x = 0 /\ f'' x <= 0.
Proof.
  intros I f f' f'' x HI Hx Hd Hmax.
  assert (Hdx : is_derive f x (f' x)) by (apply locally_singleton in Hd; tauto).
  assert (H1 : f' x = 0) by (apply (derivative_vanishes_at_inner_local_maximum I f x); assumption).
  split; [exact H1|]. destruct (Rle_or_lt (f'' x) 0) as [Hle | Hpos]; [exact Hle | exfalso].
  destruct (second_derivative_positive_gives_strict_local_minimum I f f' f'' x) as [_ [r [Hr Hmin]]]; auto.
  { apply inside_in; assumption. }
  destruct Hx as [a [b [Ha [Hb Hx]]]]. destruct Hmax as [_ [s [Hs Hm]]].
  set (m := Rmin (Rmin (r / 2) (s / 2)) (b - x)).
  assert (Hm0 : 0 < m) by (unfold m; repeat apply Rmin_pos; lra).
  assert (m <= r / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_l]).
  assert (m <= s / 2) by (eapply Rle_trans; [apply Rmin_l | apply Rmin_r]).
  assert (m <= b - x) by apply Rmin_r.
  assert (Iy : I (x + m)) by (apply (HI a b); auto; lra).
  pose proof (Hmin (x + m) Iy ltac:(apply Rabs_def1; lra) ltac:(lra)).
  pose proof (Hm (x + m) Iy ltac:(apply Rabs_def1; lra)). lra.
Qed.

(** ** Finite sums and expectations *)

Definition absolutely_continuous (n : nat) (p q : nat -> R) : Prop :=
  forall o, (o < n)%nat -> q o = 0 -> p o = 0.

Theorem sum_of_nonnegative_terms_vanishes_only_if_all_do : forall (n : nat) (f : nat -> R),
  (forall i, (i < n)%nat -> 0 <= f i) -> (Sum n f = 0 <-> forall i, (i < n)%nat -> f i = 0).
Proof.
  intros n f H. split; [apply Sum_eq_0; exact H | apply Sum_zero].
Qed.

Theorem expectation_is_linear : forall (n m : nat) (pi c : nat -> R) (f : nat -> nat -> R),
  expect n pi (fun o => Sum m (fun j => c j * f j o)) = Sum m (fun j => c j * expect n pi (f j)).
Proof.
  intros n m pi c f. unfold expect.
  rewrite (Sum_ext n _ (fun o => Sum m (fun j => c j * (pi o * f j o)))).
  - rewrite Sum_swap. apply Sum_ext. intros j _. rewrite Sum_scal. reflexivity.
  - intros o _. rewrite <- Sum_scal. apply Sum_ext. intros j _. ring.
Qed.

Theorem expectation_keeps_order : forall (n : nat) (pi f g : nat -> R), policy n pi ->
  (forall o, (o < n)%nat -> f o <= g o) -> expect n pi f <= expect n pi g.
Proof. exact expect_le. Qed.

Theorem expectation_keeps_strict_order : forall (n : nat) (pi f g : nat -> R), policy n pi ->
  (forall o, (o < n)%nat -> f o <= g o) -> (exists o, (o < n)%nat /\ 0 < pi o /\ f o < g o) ->
  expect n pi f < expect n pi g.
Proof.
  intros n pi f g [Hp _] H [o [Ho [Hpo Hlt]]]. apply Sum_lt with o; auto.
  - intros i Hi. apply Rmult_le_compat_l; auto.
  - apply Rmult_lt_compat_l; auto.
Qed.

Theorem tower_rule : forall (n m : nat) (p : nat -> R) (k : nat -> nat -> R) (f : nat -> nat -> R),
  Sum n (fun a => Sum m (fun b => (p a * k a b) * f a b)) = expect n p (fun a => expect m (k a) (f a)).
Proof.
  intros n m p k f. apply Sum_ext. intros a _. unfold expect. rewrite <- Sum_scal.
  apply Sum_ext. intros b _. ring.
Qed.

Theorem sums_interchange : forall (n m : nat) (f : nat -> nat -> R),
  Sum n (fun i => Sum m (fun j => f i j)) = Sum m (fun j => Sum n (fun i => f i j)).
Proof. exact Sum_swap. Qed.

Theorem change_of_measure : forall (n : nat) (p q f : nat -> R), absolutely_continuous n p q ->
  expect n q (fun o => p o / q o * f o) = expect n p f.
Proof.
  intros n p q f H. apply Sum_ext. intros o Ho.
  destruct (Req_dec (q o) 0) as [H0 | H0]; [rewrite H0, (H o Ho H0); ring | field; exact H0].
Qed.

Theorem change_of_measure_loses_what_is_never_drawn : forall (n : nat) (p q f : nat -> R),
  expect n q (fun o => p o / q o * f o) = expect n p (fun o => if Req_EM_T (q o) 0 then 0 else f o).
Proof.
  intros n p q f. apply Sum_ext. intros o Ho.
  destruct (Req_EM_T (q o) 0) as [H0 | H0]; [rewrite H0; ring | field; exact H0].
Qed.

Lemma expect_in_interval : forall (I : R -> Prop) (n : nat) (pi x : nat -> R), interval I -> policy n pi ->
  (forall o, (o < n)%nat -> 0 < pi o -> I (x o)) -> I (expect n pi x).
Proof.
  intros I n pi x HI [Hp H1] Hx.
  assert (Hlow : exists o, (o < n)%nat /\ 0 < pi o /\ x o <= expect n pi x).
  { assert (Hd : forall k, (k <= n)%nat -> (exists o, (o < k)%nat /\ 0 < pi o /\ x o <= expect n pi x) \/
              forall o, (o < k)%nat -> pi o = 0 \/ expect n pi x < x o).
    { induction k as [|k IH]; intros Hk; [right; lia|].
      destruct (IH ltac:(lia)) as [[o Ho] | Hall]; [left; exists o; intuition lia|].
      destruct (Rle_or_lt (x k) (expect n pi x)) as [Hle | Hgt].
      - destruct (Hp k ltac:(lia)) as [Hpos | Hz]; [left; exists k; intuition lia|].
        right. intros o Ho. destruct (Nat.eq_dec o k) as [-> | Hne]; [auto | apply Hall; lia].
      - right. intros o Ho. destruct (Nat.eq_dec o k) as [-> | Hne]; [auto | apply Hall; lia]. }
    destruct (Hd n (le_n n)) as [H | Hall]; [exact H | exfalso].
    set (e := expect n pi x) in *.
    assert (Hz : Sum n (fun o => pi o * (x o - e)) = 0).
    { rewrite (Sum_ext n _ (fun o => pi o * x o - e * pi o)) by (intros; ring).
      rewrite Sum_minus, Sum_scal, H1. unfold e, expect. ring. }
    pose proof (Sum_eq_0 n (fun o => pi o * (x o - e))) as Hs.
    assert (Hnn : forall o, (o < n)%nat -> 0 <= pi o * (x o - e)).
    { intros o Ho. destruct (Hall o Ho) as [H0 | Hlt]; [rewrite H0; lra|]. specialize (Hp o Ho). nra. }
    specialize (Hs Hnn Hz).
    assert (Sum n pi = 0); [|lra]. apply Sum_zero. intros o Ho. specialize (Hs o Ho).
    destruct (Hall o Ho) as [H0 | Hlt]; [exact H0|]. apply Rmult_integral in Hs. destruct Hs; [assumption | lra]. }
  assert (Hhigh : exists o, (o < n)%nat /\ 0 < pi o /\ expect n pi x <= x o).
  { assert (Hd : forall k, (k <= n)%nat -> (exists o, (o < k)%nat /\ 0 < pi o /\ expect n pi x <= x o) \/
              forall o, (o < k)%nat -> pi o = 0 \/ x o < expect n pi x).
    { induction k as [|k IH]; intros Hk; [right; lia|].
      destruct (IH ltac:(lia)) as [[o Ho] | Hall]; [left; exists o; intuition lia|].
      destruct (Rle_or_lt (expect n pi x) (x k)) as [Hle | Hgt].
      - destruct (Hp k ltac:(lia)) as [Hpos | Hz]; [left; exists k; intuition lia|].
        right. intros o Ho. destruct (Nat.eq_dec o k) as [-> | Hne]; [auto | apply Hall; lia].
      - right. intros o Ho. destruct (Nat.eq_dec o k) as [-> | Hne]; [auto | apply Hall; lia]. }
    destruct (Hd n (le_n n)) as [H | Hall]; [exact H | exfalso].
    set (e := expect n pi x) in *.
    assert (Hz : Sum n (fun o => pi o * (e - x o)) = 0).
    { rewrite (Sum_ext n _ (fun o => e * pi o - pi o * x o)) by (intros; ring).
      rewrite Sum_minus, Sum_scal, H1. unfold e, expect. ring. }
    pose proof (Sum_eq_0 n (fun o => pi o * (e - x o))) as Hs.
    assert (Hnn : forall o, (o < n)%nat -> 0 <= pi o * (e - x o)).
    { intros o Ho. destruct (Hall o Ho) as [H0 | Hlt]; [rewrite H0; lra|]. specialize (Hp o Ho). nra. }
    specialize (Hs Hnn Hz).
    assert (Sum n pi = 0); [|lra]. apply Sum_zero. intros o Ho. specialize (Hs o Ho).
    destruct (Hall o Ho) as [H0 | Hlt]; [exact H0|]. apply Rmult_integral in Hs. destruct Hs; [assumption | lra]. }
  destruct Hlow as [i [Hi [Hpi Hxi]]]. destruct Hhigh as [j [Hj [Hpj Hxj]]].
  apply (HI (x i) (x j)); auto.
Qed.

(** Convexity with weights that sum to less than one, by induction over the index. *)
Lemma jensen_partial : forall (I : R -> Prop) (f : R -> R), interval I -> convex_on I f ->
  forall (n : nat) (w x : nat -> R), (forall o, (o < n)%nat -> 0 <= w o) -> (forall o, (o < n)%nat -> I (x o)) ->
  0 < Sum n w -> I (expect n w x / Sum n w) /\ Sum n w * f (expect n w x / Sum n w) <= expect n w (fun o => f (x o)).
Proof.
  intros I f HI Hc. induction n as [|n IH]; intros w x Hw Hx Hpos; [simpl in Hpos; lra|].
  unfold expect in *. simpl in *.
  assert (Hwn : 0 <= w n) by (apply Hw; lia). assert (Hxn : I (x n)) by (apply Hx; lia).
  assert (Hs : 0 <= Sum n w) by (apply Sum_nonneg; intros; apply Hw; lia).
  destruct Hs as [Hs | Hs].
  - destruct (IH w x) as [Hin Hle]; [intros; apply Hw; lia | intros; apply Hx; lia | exact Hs |].
    set (S := Sum n w) in *. set (E := Sum n (fun o => w o * x o)) in *.
    assert (Ht : 0 <= S / (S + w n) <= 1).
    { split; [apply Rdiv_le_0_compat; lra|]. apply Rmult_le_reg_r with (S + w n); [lra|]. field_simplify; lra. }
    assert (Hcomb : (E + w n * x n) / (S + w n) = S / (S + w n) * (E / S) + (1 - S / (S + w n)) * x n) by (field; lra).
    rewrite Hcomb. split.
    + set (t := S / (S + w n)) in *. destruct (Rle_or_lt (E / S) (x n)) as [H | H];
      [apply (HI (E / S) (x n)) | apply (HI (x n) (E / S))]; auto; nra.
    + pose proof (Hc (E / S) (x n) (S / (S + w n)) Hin Hxn Ht) as Hf.
      apply Rle_trans with ((S + w n) * (S / (S + w n) * f (E / S) + (1 - S / (S + w n)) * f (x n))).
      * apply Rmult_le_compat_l; [lra | exact Hf].
      * replace ((S + w n) * (S / (S + w n) * f (E / S) + (1 - S / (S + w n)) * f (x n)))
          with (S * f (E / S) + w n * f (x n)) by (field; lra). lra.
  - assert (Hz : forall o, (o < n)%nat -> w o = 0).
    { apply Sum_eq_0; [intros; apply Hw; lia | lra]. }
    rewrite <- Hs in *. rewrite !(Sum_zero n) by (intros o Ho; rewrite (Hz o Ho); ring).
    replace ((0 + w n * x n) / (0 + w n)) with (x n) by (field; lra). split; [exact Hxn | lra].
Qed.

Theorem jensen : forall (I : R -> Prop) (f : R -> R) (n : nat) (pi x : nat -> R), interval I -> convex_on I f ->
  policy n pi -> (forall o, (o < n)%nat -> I (x o)) -> f (expect n pi x) <= expect n pi (fun o => f (x o)).
Proof.
  intros I f n pi x HI Hc [Hp H1] Hx.
  destruct (jensen_partial I f HI Hc n pi x Hp Hx) as [_ H]; [lra|].
  rewrite H1 in H. replace (expect n pi x / 1) with (expect n pi x) in H by field. lra.
Qed.

Theorem jensen_for_concave : forall (I : R -> Prop) (f : R -> R) (n : nat) (pi x : nat -> R), interval I ->
  concave_on I f -> policy n pi -> (forall o, (o < n)%nat -> I (x o)) ->
  expect n pi (fun o => f (x o)) <= f (expect n pi x).
Proof.
  intros I f n pi x HI Hc Hp Hx.
  assert (H : - f (expect n pi x) <= expect n pi (fun o => - f (x o))).
  { apply (jensen I (fun y => - f y)); auto. intros u v t Hu Hv Ht. specialize (Hc u v t Hu Hv Ht). lra. }
  rewrite (expect_ext n pi (fun o => - f (x o)) (fun o => (-1) * f (x o))) in H by (intros; ring).
    rewrite expect_scal in H. lra.
Qed.

Theorem chebyshev : forall (n : nat) (pi x y : nat -> R), policy n pi ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> 0 <= (x i - x j) * (y i - y j)) ->
  expect n pi x * expect n pi y <= expect n pi (fun o => x o * y o).
Proof.
  intros n pi x y [Hp H1] H.
  assert (Hs : 0 <= Sum n (fun i => Sum n (fun j => pi i * pi j * ((x i - x j) * (y i - y j))))).
  { apply Sum_nonneg. intros i Hi. apply Sum_nonneg. intros j Hj.
    apply Rmult_le_pos; [apply Rmult_le_pos; auto | auto]. }
  rewrite (Sum_ext n _ (fun i => pi i * (x i * y i) * 1 + pi i * expect n pi (fun o => x o * y o)
             - (pi i * x i * expect n pi y + pi i * y i * expect n pi x))) in Hs.
  - rewrite Sum_minus, !Sum_plus, !Sum_scal_r, H1 in Hs. unfold expect in *. lra.
  - intros i _. replace (pi i * (x i * y i) * 1) with (pi i * (x i * y i) * Sum n pi) by (rewrite H1; reflexivity).
    unfold expect. rewrite <- !Sum_scal, <- !Sum_plus, <- Sum_minus.
    apply Sum_ext. intros j _. ring.
Qed.

Lemma ln_le_tangent : forall z, 0 < z -> ln z <= z - 1 /\ (ln z = z - 1 -> z = 1).
Proof.
  intros z Hz. set (t := ln z). assert (He : z = exp t) by (unfold t; rewrite exp_ln; auto).
  split.
  - rewrite He. pose proof (exp_ineq1_le t). lra.
  - intros Heq. destruct (Req_dec t 0) as [H0 | H0]; [rewrite He, H0, exp_0; reflexivity|].
    pose proof (exp_ineq1 t H0). lra.
Qed.

Lemma gibbs_term : forall p q, 0 <= p -> 0 <= q -> (q = 0 -> p = 0) ->
  p - q <= p * ln (p / q) /\ (p * ln (p / q) = p - q -> p = q).
Proof.
  intros p q Hp Hq Hac. destruct Hp as [Hp | <-].
  - assert (Hq0 : 0 < q) by (destruct Hq as [H | H]; [exact H | symmetry in H; specialize (Hac H); lra]).
    assert (Hr : 0 < q / p) by (apply Rdiv_lt_0_compat; assumption).
    destruct (ln_le_tangent (q / p) Hr) as [Hle Heq].
    assert (Hln : ln (p / q) = - ln (q / p)).
    { replace (p / q) with (/ (q / p)) by (field; lra). apply ln_Rinv. exact Hr. }
    rewrite Hln. assert (Hm : p * (q / p - 1) = q - p) by (field; lra). split; [nra|].
    intros E. assert (H1 : ln (q / p) = q / p - 1).
    { apply Rmult_eq_reg_l with p; lra. }
    specialize (Heq H1). replace q with (q / p * p) by (field; lra). rewrite Heq. ring.
  - split; [rewrite Rmult_0_l; lra | rewrite Rmult_0_l; lra].
Qed.

Theorem gibbs : forall (n : nat) (p q : nat -> R), policy n p -> policy n q -> absolutely_continuous n p q ->
  0 <= kl n p q /\ (kl n p q = 0 <-> forall o, (o < n)%nat -> p o = q o).
Proof.
  intros n p q [Hp Hp1] [Hq Hq1] Hac.
  set (g := fun o => p o * ln (p o / q o) - (p o - q o)).
  assert (Hg : forall o, (o < n)%nat -> 0 <= g o).
  { intros o Ho. destruct (gibbs_term (p o) (q o)) as [H _]; auto. unfold g. lra. }
  assert (Hkl : kl n p q = Sum n g).
  { unfold g. rewrite Sum_minus, Sum_minus, Hp1, Hq1. unfold kl, expect. lra. }
  rewrite Hkl. split; [apply Sum_nonneg; exact Hg|]. split.
  - intros H0 o Ho. pose proof (Sum_eq_0 n g Hg H0 o Ho) as Hz. unfold g in Hz.
    destruct (gibbs_term (p o) (q o)) as [_ H]; auto. apply H. lra.
  - intros Heq. apply Sum_zero. intros o Ho. unfold g. rewrite (Heq o Ho).
    destruct (Req_dec (q o) 0) as [H0 | H0]; [rewrite H0; ring|].
    replace (q o / q o) with 1 by (field; exact H0). rewrite ln_1. ring.
Qed.

Lemma ln_ratio_product : forall p k q l, 0 < p -> 0 < k -> 0 < q -> 0 < l ->
  ln (p * k / (q * l)) = ln (p / q) + ln (k / l).
Proof.
  intros p k q l Hp Hk Hq Hl. rewrite <- ln_mult; try (apply Rdiv_lt_0_compat; assumption).
  f_equal. field. lra.
Qed.

Theorem kl_chain_rule : forall (n m : nat) (p q : nat -> R) (k l : nat -> nat -> R), policy n p -> policy n q ->
  (forall a, (a < n)%nat -> policy m (k a)) -> (forall a, (a < n)%nat -> policy m (l a)) ->
  absolutely_continuous n p q -> (forall a, (a < n)%nat -> absolutely_continuous m (k a) (l a)) ->
  Sum n (fun a => Sum m (fun b => p a * k a b * ln (p a * k a b / (q a * l a b)))) =
  kl n p q + expect n p (fun a => kl m (k a) (l a)).
Proof.
  intros n m p q k l [Hp _] [Hq _] Hk Hl Hpq Hkl. unfold kl, expect. rewrite <- Sum_plus. apply Sum_ext. intros a Ha.
  destruct (Hk a Ha) as [Hk0 Hk1]. destruct (Hl a Ha) as [Hl0 _].
  rewrite (Sum_ext m _ (fun b => p a * ln (p a / q a) * k a b + p a * (k a b * ln (k a b / l a b)))).
  - rewrite Sum_plus, !Sum_scal, Hk1. ring.
  - intros b Hb. destruct (Hp a Ha) as [Hpa | Hpa]; [|rewrite <- Hpa; ring].
    destruct (Hk0 b Hb) as [Hkb | Hkb]; [|rewrite <- Hkb; ring].
    assert (Hqa : 0 < q a) by (destruct (Hq a Ha) as [H | H]; [exact H | symmetry in H; specialize (Hpq a Ha H); lra]).
    assert (Hlb : 0 < l a b).
    { destruct (Hl0 b Hb) as [H | H]; [exact H | symmetry in H; specialize (Hkl a Ha b Hb H); lra]. }
    rewrite ln_ratio_product by assumption. ring.
Qed.

Theorem antisymmetric_form_vanishes : forall (n : nat) (A : nat -> nat -> R) (x : nat -> R),
  (forall i j, (i < n)%nat -> (j < n)%nat -> A i j = - A j i) ->
  Sum n (fun i => Sum n (fun j => x i * A i j * x j)) = 0.
Proof.
  intros n A x H.
  assert (E : Sum n (fun i => Sum n (fun j => x i * A i j * x j)) = -
    Sum n (fun i => Sum n (fun j => x i * A i j * x j))).
  { rewrite Sum_swap at 1. rewrite <- Sum_opp. apply Sum_ext. intros j Hj. rewrite <- Sum_opp.
    apply Sum_ext. intros i Hi. rewrite (H i j Hi Hj). ring. }
  lra.
Qed.

Theorem variance_of_linear_combination : forall (n : nat) (pi : nat -> R) (m : nat) (c : nat -> R)
    (x : nat -> nat -> R),
  policy n pi ->
  expect n pi (fun o => (Sum m (fun i => c i * x i o) - expect n pi (fun o' => Sum m (fun i => c i * x i o'))) ^ 2) =
  Sum m (fun i => Sum m (fun j => c i * c j *
    expect n pi (fun o => (x i o - expect n pi (x i)) * (x j o - expect n pi (x j))))).
Proof.
  intros n pi m c x Hp.
  rewrite (Sum_ext m _ (fun i => expect n pi (fun o => Sum m (fun j => (c i * c j) *
             ((x i o - expect n pi (x i)) * (x j o - expect n pi (x j))))))).
  2: { intros i _. rewrite (expectation_is_linear n m pi (fun j => c i * c j)
         (fun j o => (x i o - expect n pi (x i)) * (x j o - expect n pi (x j)))). reflexivity. }
  unfold expect at 4. fold (expect n pi).
  transitivity (expect n pi (fun o => Sum m (fun i => Sum m (fun j => (c i * c j) *
             ((x i o - expect n pi (x i)) * (x j o - expect n pi (x j))))))).
  - apply expect_ext. intros o _. rewrite (expectation_is_linear n m pi c x).
    rewrite <- Sum_minus. simpl. rewrite Rmult_1_r, <- Sum_scal_r. apply Sum_ext. intros i _.
    rewrite <- Sum_scal. apply Sum_ext. intros j _. ring.
  - unfold expect at 1.
    rewrite (Sum_ext n _ (fun o => Sum m (fun i => pi o * Sum m (fun j => (c i * c j) *
             ((x i o - expect n pi (x i)) * (x j o - expect n pi (x j))))))) by (intros; rewrite Sum_scal; reflexivity).
    rewrite Sum_swap. reflexivity.
Qed.

(** ** Maxima on the simplex *)

(** d is the gradient of J at x along the simplex: the derivative towards every policy y is d . (y - x). *)
Definition gradient_on_simplex (n : nat) (J : (nat -> R) -> R) (x d : nat -> R) : Prop :=
  forall y, policy n y ->
    is_derive (fun t => J (fun o => x o + t * (y o - x o))) 0 (Sum n (fun o => d o * (y o - x o))).

Definition concave_on_simplex (n : nat) (J : (nat -> R) -> R) : Prop :=
  forall x y t, policy n x -> policy n y -> 0 <= t <= 1 ->
    (1 - t) * J x + t * J y <= J (fun o => x o + t * (y o - x o)).

Definition kkt (n : nat) (x d : nat -> R) (lam : R) (gam : nat -> R) : Prop :=
  forall o, (o < n)%nat -> d o = lam - gam o /\ 0 <= gam o /\ gam o * x o = 0.

Lemma segment_policy : forall n x y t, policy n x -> policy n y -> 0 <= t <= 1 ->
  policy n (fun o => x o + t * (y o - x o)).
Proof.
  intros n x y t [Hx Hx1] [Hy Hy1] Ht. split.
  - intros o Ho. specialize (Hx o Ho). specialize (Hy o Ho). nra.
  - rewrite Sum_plus, Sum_scal, Sum_minus, Hx1, Hy1. ring.
Qed.

Lemma at_index_policy : forall n k, (k < n)%nat -> policy n (at_index k 1).
Proof.
  intros n k Hk. split; [|apply Sum_at_index; exact Hk].
  intros o _. unfold at_index. destruct (Nat.eqb o k); lra.
Qed.

Lemma Sum_mult_at_index : forall n d k c, (k < n)%nat -> Sum n (fun o => d o * at_index k c o) = d k * c.
Proof.
  intros n d k c Hk. rewrite <- (Sum_at_index n k (d k * c) Hk). apply Sum_ext. intros o _.
  unfold at_index. destruct (Nat.eqb_spec o k) as [-> | _]; ring.
Qed.

Theorem kkt_is_sufficient_for_concave : forall (n : nat) (J : (nat -> R) -> R) (x d : nat -> R) (lam : R)
    (gam : nat -> R),
  policy n x -> concave_on_simplex n J -> gradient_on_simplex n J x d -> kkt n x d lam gam -> maximum n J x.
Proof.
  intros n J x d lam gam Hx Hc Hg Hk. split; [exact Hx|]. intros y Hy.
  specialize (Hg y Hy). set (D := Sum n (fun o => d o * (y o - x o))) in *.
  assert (HD : D <= 0).
  { unfold D. destruct Hx as [Hx0 Hx1], Hy as [Hy0 Hy1].
    rewrite (Sum_ext n _ (fun o => lam * (y o - x o) - gam o * y o)).
    - rewrite Sum_minus, Sum_scal, Sum_minus, Hx1, Hy1.
      assert (0 <= Sum n (fun o => gam o * y o)); [|lra].
      apply Sum_nonneg. intros o Ho. destruct (Hk o Ho) as [_ [Hgam _]]. apply Rmult_le_pos; auto.
    - intros o Ho. destruct (Hk o Ho) as [-> [_ Hs]]. lra. }
  destruct (Rle_or_lt (J y) (J x)) as [H | H]; [exact H | exfalso].
  set (phi := fun t => J (fun o => x o + t * (y o - x o))) in *.
  assert (Hphi0 : phi 0 = J x).
  { unfold phi. f_equal. apply FunctionalExtensionality.functional_extensionality. intro o. ring. }
  assert (Hd : derivable_pt_lim phi 0 D) by (apply is_derive_Reals; exact Hg).
  destruct (Hd (J y - J x)) as [[r Hr] Hb]; [lra|]. cbn [pos] in Hb.
  set (t := Rmin (r / 2) 1).
  assert (Ht : 0 < t) by (unfold t; apply Rmin_pos; lra).
  pose proof (Rmin_l (r / 2) 1). pose proof (Rmin_r (r / 2) 1). fold t in H0, H1.
  specialize (Hb t ltac:(lra) ltac:(rewrite Rabs_pos_eq; lra)). rewrite Rplus_0_l, Hphi0 in Hb. apply Rabs_def2 in Hb.
  specialize (Hc x y t Hx Hy ltac:(lra)). fold (phi t) in Hc.
  assert (Hq : J y - J x <= (phi t - J x) / t).
  { apply Rmult_le_reg_r with t; [exact Ht|]. replace ((phi t - J x) / t * t) with (phi t - J x) by (field; lra). lra. }
  lra.
Qed.

Theorem kkt_is_necessary : forall (n : nat) (J : (nat -> R) -> R) (x d : nat -> R),
  gradient_on_simplex n J x d -> local_maximum n J x -> exists lam gam, kkt n x d lam gam.
Proof.
  intros n J x d Hg [Hx [eps [Heps Hmax]]].
  assert (Hdir : forall y, policy n y -> Sum n (fun o => d o * (y o - x o)) <= 0).
  { intros y Hy. apply (derivative_at_left_end_of_local_maximum (fun t => J (fun o => x o + t * (y o - x o))) 0 1);
    [lra | | apply Hg; exact Hy].
    split; [unfold closed_interval; lra|]. exists eps. split; [exact Heps|]. intros t Ht Hte.
      unfold closed_interval in Ht.
    replace (fun o => x o + 0 * (y o - x o)) with x by (apply FunctionalExtensionality.functional_extensionality;
      intro; ring).
    apply Hmax; [apply segment_policy; assumption|]. intros o Ho.
    replace (x o + t * (y o - x o) - x o) with (t * (y o - x o)) by ring. rewrite Rabs_mult.
    rewrite Rminus_0_r in Hte.
    assert (Rabs (y o - x o) <= 1).
    { pose proof (policy_le_1 n x o Hx Ho). pose proof (policy_le_1 n y o Hy Ho).
      pose proof (proj1 Hx o Ho). pose proof (proj1 Hy o Ho). apply Rabs_le. lra. }
    apply Rle_lt_trans with (Rabs t * 1); [|lra]. apply Rmult_le_compat_l; [apply Rabs_pos | assumption]. }
  set (lam := Sum n (fun o => d o * x o)).
  exists lam, (fun o => lam - d o).
  assert (Hgam : forall o, (o < n)%nat -> 0 <= lam - d o).
  { intros o Ho. specialize (Hdir (at_index o 1) (at_index_policy n o Ho)).
    rewrite (Sum_ext n _ (fun i => d i * at_index o 1 i - d i * x i)) in Hdir by (intros; ring).
    rewrite Sum_minus, Sum_mult_at_index in Hdir by exact Ho. fold lam in Hdir. lra. }
  assert (Hz : Sum n (fun o => (lam - d o) * x o) = 0).
  { rewrite (Sum_ext n _ (fun o => lam * x o - d o * x o)) by (intros; ring).
    rewrite Sum_minus, Sum_scal, (proj2 Hx). fold lam. ring. }
  intros o Ho. split; [ring|]. split; [apply Hgam; exact Ho|].
  apply (Sum_eq_0 n (fun o => (lam - d o) * x o)); auto.
  intros i Hi. apply Rmult_le_pos; [apply Hgam; exact Hi | apply (proj1 Hx); exact Hi].
Qed.

Theorem kkt_with_full_support_is_equal_slopes : forall (n : nat) (x d : nat -> R), full_support n x ->
  ((exists lam gam, kkt n x d lam gam) <-> forall i j, (i < n)%nat -> (j < n)%nat -> d i = d j).
Proof.
  intros n x d [Hx _]. split.
  - intros [lam [gam Hk]].
    assert (H : forall i, (i < n)%nat -> d i = lam).
    { intros i Hi. destruct (Hk i Hi) as [-> [_ Hs]]. specialize (Hx i Hi).
      apply Rmult_integral in Hs. destruct Hs; lra. }
    intros i j Hi Hj. rewrite (H i Hi), (H j Hj). reflexivity.
  - intros H. exists (d 0%nat), (fun _ => 0). intros o Ho. rewrite (H o 0%nat Ho) by lia. lra.
Qed.

Theorem kkt_is_equal_slopes_on_the_support_and_lower_ones_off_it : forall (n : nat)
    (x d : nat -> R) (lam : R), policy n x ->
  ((exists gam, kkt n x d lam gam) <->
   forall o, (o < n)%nat -> (0 < x o -> d o = lam) /\ (x o = 0 -> d o <= lam)).
Proof.
  intros n x d lam [Hx _]. split.
  - intros [gam Hk] o Ho. destruct (Hk o Ho) as [-> [Hg Hs]]. split; intro H; [|lra].
    apply Rmult_integral in Hs. destruct Hs; lra.
  - intros H. exists (fun o => lam - d o). intros o Ho. destruct (H o Ho) as [H1 H2].
    destruct (Hx o Ho) as [Hpos | Hz]; [rewrite (H1 Hpos); lra|]. symmetry in Hz. specialize (H2 Hz). rewrite Hz. lra.
Qed.

(** ** Maxima of an expected reward less a multiple of a divergence *)

(** The normaliser and the policy that is the reference tilted by exp(reward / beta). *)
Definition partition (n : nat) (r : nat -> R) (beta : R) (ref : nat -> R) : R :=
  expect n ref (fun o => exp (r o / beta)).

Definition tilted (n : nat) (r : nat -> R) (beta : R) (ref : nat -> R) (o : nat) : R :=
  ref o * exp (r o / beta) / partition n r beta ref.

Lemma partition_positive : forall (n : nat) (r : nat -> R) (beta : R) (ref : nat -> R), policy n ref ->
  0 < partition n r beta ref.
Proof.
  intros n r beta ref Href.
  assert (H : expect n ref (fun _ => 0) < partition n r beta ref).
  { apply expectation_keeps_strict_order; [exact Href | intros; apply Rlt_le, exp_pos |].
    destruct Href as [H0 H1].
    assert (Hd : forall k, (exists o, (o < k)%nat /\ 0 < ref o) \/ ~ (exists o, (o < k)%nat /\ 0 < ref o)).
    { induction k as [|k [IH | IH]]; [right; intros [o [Ho _]]; lia | left; destruct IH as [o Ho]; exists o;
      intuition lia |].
      destruct (Rlt_dec 0 (ref k)) as [Hk | Hk]; [left; exists k; split; [lia | exact Hk]|].
      right. intros [o [Ho Hpos]]. apply IH. exists o. split; [|exact Hpos].
      destruct (Nat.eq_dec o k) as [-> | Hne]; [contradiction | lia]. }
    destruct (Hd n) as [[o [Ho Hpos]] | Hno]; [exists o; repeat split; auto; apply exp_pos | exfalso].
    assert (Hz : Sum n ref = 0); [|lra]. apply Sum_zero. intros o Ho. destruct (H0 o Ho) as [Hpos | Heq]; [|lra].
    exfalso. apply Hno. exists o. auto. }
  rewrite expect_const in H by exact Href. exact H.
Qed.

Lemma tilted_policy : forall (n : nat) (r : nat -> R) (beta : R) (ref : nat -> R), policy n ref ->
  policy n (tilted n r beta ref) /\ absolutely_continuous n (tilted n r beta ref) ref /\
  absolutely_continuous n ref (tilted n r beta ref).
Proof.
  intros n r beta ref Href. pose proof (partition_positive n r beta ref Href) as HZ. destruct Href as [H0 H1].
  repeat split.
  - intros o Ho. unfold tilted. apply Rdiv_le_0_compat; [|exact HZ].
    apply Rmult_le_pos; [auto | apply Rlt_le, exp_pos].
  - unfold tilted. rewrite Sum_div. fold (expect n ref (fun o => exp (r o / beta))).
    fold (partition n r beta ref). field. lra.
  - intros o Ho H. unfold tilted. rewrite H. field. lra.
  - intros o Ho H. unfold tilted in H.
    assert (Hm : ref o * exp (r o / beta) = 0).
    { apply Rmult_eq_reg_r with (/ partition n r beta ref); [|apply Rinv_neq_0_compat; lra]. unfold Rdiv in H. lra. }
    apply Rmult_integral in Hm. destruct Hm as [Hm | Hm]; [exact Hm|]. pose proof (exp_pos (r o / beta)). lra.
Qed.

Theorem regularised_reward_is_minus_a_divergence : forall (n : nat) (r : nat -> R) (beta : R)
    (ref pi : nat -> R), 0 < beta ->
  policy n ref -> policy n pi -> absolutely_continuous n pi ref ->
  rlhf n r beta ref pi = beta * ln (partition n r beta ref) - beta * kl n pi (tilted n r beta ref).
Proof.
  intros n r beta ref pi Hb Href [Hp0 Hp1] Hac.
  pose proof (partition_positive n r beta ref Href) as HZ. set (Z := partition n r beta ref) in *.
  unfold rlhf, kl, expect.
  replace (beta * ln Z) with (Sum n (fun o => pi o * (beta * ln Z))) by (rewrite Sum_scal_r, Hp1; ring).
  rewrite <- !Sum_scal, <- !Sum_minus. apply Sum_ext. intros o Ho.
  destruct (Hp0 o Ho) as [Hpos | Hz]; [|rewrite <- Hz; ring].
  assert (Hr : 0 < ref o).
  { destruct (proj1 Href o Ho) as [H | H]; [exact H | symmetry in H; specialize (Hac o Ho H); lra]. }
  unfold tilted. fold Z.
  replace (pi o / (ref o * exp (r o / beta) / Z)) with (pi o / ref o * (Z * exp (- (r o / beta)))).
  - rewrite ln_mult, ln_mult, ln_exp; try apply exp_pos; try assumption.
    + field. lra.
    + apply Rdiv_lt_0_compat; assumption.
    + apply Rmult_lt_0_compat; [exact HZ | apply exp_pos].
  - rewrite exp_Ropp. pose proof (exp_pos (r o / beta)). field. lra.
Qed.

Theorem regularised_reward_has_one_maximum : forall (n : nat) (r : nat -> R) (beta : R) (ref pi : nat -> R), 0 < beta ->
  policy n ref -> policy n pi -> absolutely_continuous n pi ref ->
  rlhf n r beta ref pi <= rlhf n r beta ref (tilted n r beta ref) /\
  (rlhf n r beta ref pi = rlhf n r beta ref (tilted n r beta ref) <->
   forall o, (o < n)%nat -> pi o = tilted n r beta ref o).
Proof.
  intros n r beta ref pi Hb Href Hp Hac.
  destruct (tilted_policy n r beta ref Href) as [Ht [Htr Hrt]].
  rewrite !regularised_reward_is_minus_a_divergence by assumption.
  assert (Hpt : absolutely_continuous n pi (tilted n r beta ref)) by (intros o Ho H; apply (Hac o Ho), (Hrt o Ho), H).
  destruct (gibbs n pi (tilted n r beta ref) Hp Ht Hpt) as [Hg Hgeq].
  destruct (gibbs n (tilted n r beta ref) (tilted n r beta ref) Ht Ht) as [_ [_ Hself]]; [intros o _ H; exact H|].
  rewrite Hself by reflexivity. split; [nra|]. rewrite <- Hgeq. split; intros; nra.
Qed.

(** ** Bounds of the exponential by polynomials *)

Definition exp_polynomial (n : nat) (x : R) : R := Sum n (fun k => x ^ k / INR (fact k)).

Lemma exp_polynomial_derive : forall n x, is_derive (exp_polynomial (S n)) x (exp_polynomial n x).
Proof.
  induction n as [|n IH]; intro x.
  - apply (is_derive_ext (fun _ => 1)).
    + intro t. unfold exp_polynomial. simpl. field.
    + apply (@is_derive_const R_AbsRing R_NormedModule).
  - apply (is_derive_ext (fun t => exp_polynomial (S n) t + t ^ S n / INR (fact (S n)))); [reflexivity|].
    change (exp_polynomial (S n) x) with (exp_polynomial n x + x ^ n / INR (fact n)).
    apply (@is_derive_plus R_AbsRing R_NormedModule); [apply IH|].
    pose proof (INR_fact_neq_0 n) as Hf. pose proof (not_0_INR (S n) ltac:(lia)) as Hs.
    rewrite fact_simpl, mult_INR. auto_derive; [auto|]. rewrite Nat.pred_succ || simpl pred. field. split; assumption.
Qed.

Lemma exp_polynomial_at_0 : forall n, exp_polynomial (S n) 0 = 1.
Proof.
  induction n as [|n IH]; [unfold exp_polynomial; simpl; field|].
  change (exp_polynomial (S (S n)) 0) with (exp_polynomial (S n) 0 + 0 ^ S n / INR (fact (S n))).
  rewrite IH, pow_ne_zero by lia. unfold Rdiv. ring.
Qed.

Theorem exp_is_above_its_polynomials : forall (n : nat) (x : R), 0 <= x -> exp_polynomial n x <= exp x.
Proof.
  induction n as [|n IH]; intros x Hx; [unfold exp_polynomial; simpl; apply Rlt_le, exp_pos|].
  assert (Hinc : increasing_on (fun y => 0 <= y) (fun y => exp y - exp_polynomial (S n) y)).
  { apply increasing_if_derivative_nonnegative with (fun y => exp y - exp_polynomial n y).
    - intros a b c Ha Hb Hc. lra.
    - apply continuous_on_derive with (fun y => exp y - exp_polynomial n y). intros y _.
      apply (@is_derive_minus R_AbsRing R_NormedModule); [apply is_derive_exp | apply exp_polynomial_derive].
    - intros y _. apply (@is_derive_minus R_AbsRing R_NormedModule);
      [apply is_derive_exp | apply exp_polynomial_derive].
    - intros y [a [b [Ha [Hb Hy]]]]. specialize (IH y ltac:(lra)). lra. }
  specialize (Hinc 0 x (Rle_refl 0) Hx Hx). simpl in Hinc.
  rewrite exp_polynomial_at_0, exp_0 in Hinc. lra.
Qed.

Theorem exp_of_negative_is_between_its_polynomials : forall (n : nat) (x : R), 0 <= x ->
  exp_polynomial (2 * n) (- x) <= exp (- x) <= exp_polynomial (S (2 * n)) (- x).
Proof.
  assert (H : forall n x, 0 <= x -> 0 <= (-1) ^ n * (exp (- x) - exp_polynomial n (- x))).
  { induction n as [|n IH]; intros x Hx; [unfold exp_polynomial; simpl; pose proof (exp_pos (- x)); lra|].
    assert (Hd : forall y, is_derive (fun y => (-1) ^ S n * (exp (- y) - exp_polynomial (S n) (- y))) y
                   ((-1) ^ n * (exp (- y) - exp_polynomial n (- y)))).
    { intro y. replace ((-1) ^ n * (exp (- y) - exp_polynomial n (- y)))
        with ((-1) ^ S n * (-1 * (exp (- y) - exp_polynomial n (- y)))) by (simpl; ring).
      apply is_derive_scal.
      apply (is_derive_comp (fun z => exp z - exp_polynomial (S n) z) (fun y => - y) y (exp (- y) - exp_polynomial n (-
        y)) (-1)).
      - apply (@is_derive_minus R_AbsRing R_NormedModule); [apply is_derive_exp | apply exp_polynomial_derive].
      - auto_derive; auto. }
    assert (Hinc : increasing_on (fun y => 0 <= y) (fun y => (-1) ^ S n * (exp (- y) - exp_polynomial (S n) (- y)))).
    { apply increasing_if_derivative_nonnegative with (fun y => (-1) ^ n * (exp (- y) - exp_polynomial n (- y))).
      - intros a b c Ha Hb Hc. lra.
      - eapply continuous_on_derive. intros y _. apply Hd.
      - intros y _. apply Hd.
      - intros y [a [b [Ha [Hb Hy]]]]. apply IH. lra. }
    specialize (Hinc 0 x (Rle_refl 0) Hx Hx). cbv beta in Hinc.
    rewrite Ropp_0, exp_polynomial_at_0, exp_0, Rminus_eq_0, Rmult_0_r in Hinc. exact Hinc. }
  intros n x Hx. pose proof (H (2 * n)%nat x Hx) as H1. pose proof (H (S (2 * n)) x Hx) as H2.
  assert (E : (-1) ^ (2 * n) = 1) by (rewrite pow_mult; replace ((-1) ^ 2) with 1 by ring; apply pow1).
  rewrite <- tech_pow_Rmult, E in H2. rewrite E in H1. lra.
Qed.

(** ** Groups: independent draws of one law *)

Lemma draws_E : forall {A : Type} (E : (A -> R) -> R) (G : nat), expectation E -> expectation (draws E G).
Proof. intros A E G HE. apply draws_expectation. exact HE. Qed.

Theorem each_member_of_a_group_has_the_law : forall (A : Type) (E : (A -> R) -> R) (G i : nat) (d : A) (f : A -> R),
  expectation E -> (i < G)%nat -> draws E G (fun l => f (nth i l d)) = E f.
Proof.
  intros A E G i d f HE. revert i. induction G as [|G IH]; intros i Hi; [lia|]. simpl. destruct i as [|i].
  - apply (E_ext E HE). intro a. apply (E_const (draws E G) (draws_E E G HE)).
  - rewrite (E_ext E HE _ (fun _ => E f)) by (intro a; apply IH; lia). apply (E_const E HE).
Qed.

Theorem members_of_a_group_are_independent :
  forall (A : Type) (E : (A -> R) -> R) (G i j : nat) (d : A) (f g : A -> R), expectation E -> (i < G)%nat ->
    (j < G)%nat -> i <> j ->
  draws E G (fun l => f (nth i l d) * g (nth j l d)) = E f * E g.
Proof.
  intros A E G i j d f g HE. revert i j. induction G as [|G IH]; intros i j Hi Hj Hij; [lia|]. simpl.
  destruct i as [|i], j as [|j]; [lia | | |].
  - rewrite (E_ext E HE _ (fun a => E g * f a)).
    + rewrite (E_scal E HE). ring.
    + intro a. rewrite (E_scal (draws E G) (draws_E E G HE)).
      rewrite (each_member_of_a_group_has_the_law A E G j d g HE) by lia. ring.
  - rewrite (E_ext E HE _ (fun a => E f * g a)).
    + rewrite (E_scal E HE). ring.
    + intro a. rewrite <- (each_member_of_a_group_has_the_law A E G i d f HE) by lia.
      rewrite Rmult_comm, <- (E_scal (draws E G) (draws_E E G HE)).
      apply (draws_ext E HE). intros s _. ring.
  - rewrite (E_ext E HE _ (fun _ => E f * E g)) by (intro a; apply IH; lia). apply (E_const E HE).
Qed.

(** The list with its members k and k + 1 exchanged. *)
Fixpoint exchanged {A : Type} (k : nat) (l : list A) : list A :=
  match k, l with
  | O, a :: b :: rest => b :: a :: rest
  | S j, a :: rest => a :: exchanged j rest
  | _, _ => l
  end.

Theorem group_law_is_exchangeable : forall (A : Type) (E : (A -> R) -> R) (G k : nat)
    (F : list A -> R), expectation E ->
  draws E G (fun l => F (exchanged k l)) = draws E G F.
Proof.
  intros A E G k F HE. revert k F. induction G as [|G IH]; intros k F; [destruct k; reflexivity|].
  destruct k as [|k]; simpl.
  - destruct G as [|G]; [reflexivity|]. simpl. rewrite (E_fubini E HE E HE). reflexivity.
  - apply (E_ext E HE). intro a. apply (IH k (fun l => F (a :: l))).
Qed.

Theorem mean_over_a_group_has_the_expectation_of_one_member :
  forall (A : Type) (E : (A -> R) -> R) (G : nat) (g : A -> R), expectation E -> (0 < G)%nat ->
  draws E G (fun l => mean (map g l)) = E g.
Proof.
  intros A E G g HE HG. destruct G as [|N]; [lia|].
  rewrite (draws_ext E HE (S N) _ (fun s => / INR (S N) * list_sum (map (fun a => (fun a (_ : list A) => g a) a s) s))).
  - rewrite (E_scal (draws E (S N)) (draws_E E (S N) HE)).
    rewrite (draws_exchange E HE N (fun a _ => g a)) by reflexivity.
    rewrite (E_ext E HE _ g).
    + rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l; [reflexivity|]. apply not_0_INR. lia.
    + intro a. apply (E_const (draws E N) (draws_E E N HE)).
  - intros s Hs. unfold mean. rewrite map_length, Hs. apply Rmult_comm.
Qed.

Theorem mean_over_positions_of_a_group_is_that_of_one_position :
  forall (A : Type) (E : (A -> R) -> R) (N : nat) (F : A -> list A -> R), expectation E ->
  (forall a s s', Permutation s s' -> F a s = F a s') ->
  draws E (S N) (fun s => mean (map (fun a => F a s) s)) = E (fun a => draws E N (fun s => F a (a :: s))).
Proof.
  intros A E N F HE HF.
  rewrite (draws_ext E HE (S N) _ (fun s => / INR (S N) * list_sum (map (fun a => F a s) s))).
  - rewrite (E_scal (draws E (S N)) (draws_E E (S N) HE)). rewrite (draws_exchange E HE N F HF).
    rewrite <- Rmult_assoc, Rinv_l, Rmult_1_l; [reflexivity|]. apply not_0_INR. lia.
  - intros s Hs. unfold mean. rewrite map_length, Hs. apply Rmult_comm.
Qed.

Theorem expectation_over_a_group_is_linear : forall (A : Type) (E : (A -> R) -> R) (G : nat) (c : R)
    (F H : list A -> R),
  expectation E -> draws E G (fun l => c * F l + H l) = c * draws E G F + draws E G H.
Proof.
  intros A E G c F H HE. pose proof (draws_E E G HE) as HD. rewrite (E_plus (draws E G) HD), (E_scal (draws E G) HD).
    reflexivity.
Qed.

(** ** Further rules on iterations and roots *)

Theorem increasing_map_attracts_from_below_where_it_lifts : forall (f : R -> R) (a p : R) (x : nat -> R), a <= p ->
  continuous_on (closed_interval a p) f -> increasing_on (closed_interval a p) f -> f p = p ->
  (forall y, a <= y < p -> y < f y) -> a <= x 0%nat <= p -> iteration f x ->
  (forall n, x n <= x (S n)) /\ (forall n, x n <= p) /\ converges_to x p.
Proof.
  intros f a p x Hap Hc Hinc Hp Hlift H0 Hit.
  assert (Hle : forall y, a <= y <= p -> y <= f y <= p).
  { intros y Hy. split.
    - destruct (proj2 Hy) as [H | ->]; [apply Rlt_le, Hlift; lra | lra].
    - rewrite <- Hp. apply Hinc; unfold closed_interval; lra. }
  destruct (increasing_map_iterates_upwards_to_least_fixed_point f a p x)
    as [l [Hl [Hfl [Hlim [Hmono [Hbelow Hleast]]]]]]; auto.
  - intros y Hy. specialize (Hle y Hy). lra.
  - rewrite Hit. apply Hle. exact H0.
  - assert (l = p).
    { destruct (proj2 Hl) as [H | H]; [|exact H]. specialize (Hlift l ltac:(lra)). lra. }
    subst l. split; [exact Hmono|]. split; [exact Hbelow | exact Hlim].
Qed.

Theorem increasing_map_attracts_from_above_where_it_lowers : forall (f : R -> R) (p b : R) (x : nat -> R), p <= b ->
  continuous_on (closed_interval p b) f -> increasing_on (closed_interval p b) f -> f p = p ->
  (forall y, p < y <= b -> f y < y) -> p <= x 0%nat <= b -> iteration f x ->
  (forall n, x (S n) <= x n) /\ (forall n, p <= x n) /\ converges_to x p.
Proof.
  intros f p b x Hpb Hc Hinc Hp Hlow H0 Hit.
  assert (Hle : forall y, p <= y <= b -> p <= f y <= y).
  { intros y Hy. split.
    - rewrite <- Hp at 1. apply Hinc; unfold closed_interval; lra.
    - destruct (proj1 Hy) as [H | <-]; [apply Rlt_le, Hlow; lra | lra]. }
  destruct (increasing_map_iterates_downwards_to_greatest_fixed_point f p b x)
    as [l [Hl [Hfl [Hlim [Hmono [Habove Hgreatest]]]]]]; auto.
  - intros y Hy. specialize (Hle y Hy). lra.
  - rewrite Hit. apply Hle. exact H0.
  - assert (l = p).
    { destruct (proj1 Hl) as [H | H]; [|symmetry; exact H]. specialize (Hlow l ltac:(lra)). lra. }
    subst l. split; [exact Hmono|]. split; [exact Habove | exact Hlim].
Qed.

Theorem decreasing_map_iteration_converges_without_two_cycles : forall (f : R -> R) (a b p : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> decreasing_on (closed_interval a b) f ->
  (forall y, a <= y <= b -> a <= f y <= b) -> a <= x 0%nat <= b -> iteration f x ->
  (forall y, a <= y <= b -> f (f y) = y -> y = p) -> f p = p /\ converges_to x p.
Proof.
  intros f a b p x Hc Hdec Hmap H0 Hit Hno.
  destruct (decreasing_map_even_and_odd_iterates_converge f a b x) as [e [o [He [Ho [Hle [Hlo [Hfe Hfo]]]]]]]; auto.
  assert (Ee : e = p) by (apply Hno; [exact He | rewrite Hfe; exact Hfo]).
  assert (Eo : o = p) by (apply Hno; [exact Ho | rewrite Hfo; exact Hfe]).
  rewrite Ee in *. rewrite Eo in *. split; [exact Hfe | apply converges_to_from_even_and_odd; assumption].
Qed.

Theorem limit_of_fixed_points_is_fixed_point : forall (I : R -> Prop) (fs : nat -> R -> R) (f : R -> R)
    (e p : nat -> R) (l : R),
  continuous_on I f -> (forall n y, I y -> Rabs (fs n y - f y) <= e n) -> converges_to e 0 ->
  (forall n, I (p n)) -> (forall n, fs n (p n) = p n) -> I l -> converges_to p l -> f l = l.
Proof.
  intros I fs f e p l Hc Hu He Hp Hfix Hl Hlim. apply (converges_to_unique (fun n => fs n (p n))).
  - apply limit_through_uniformly_convergent_functions with I e; assumption.
  - apply (is_lim_seq_ext p); [intro n; symmetry; apply Hfix | exact Hlim].
Qed.

Theorem two_roots_if_increasing_then_decreasing : forall (f : R -> R) (a m b : R), a < m -> m < b ->
  continuous_on (closed_interval a b) f -> strictly_increasing_on (closed_interval a m) f ->
  strictly_decreasing_on (closed_interval m b) f -> f a < 0 -> f b < 0 ->
  (f m < 0 -> forall x, a <= x <= b -> f x <> 0) /\
  (f m = 0 -> forall x, a <= x <= b -> (f x = 0 <-> x = m)) /\
  (0 < f m -> exists x y, a < x < m /\ m < y < b /\ forall z, a <= z <= b -> (f z = 0 <-> z = x \/ z = y)).
Proof.
  intros f a m b Ham Hmb Hc Hup Hdown Ha Hb.
  assert (Hmax : forall x, a <= x <= b -> x <> m -> f x < f m).
  { intros x Hx Hne. destruct (Rtotal_order x m) as [H | [H | H]]; [apply Hup | contradiction | apply Hdown];
    unfold closed_interval; lra. }
  split; [|split].
  - intros Hm x Hx. destruct (Req_dec x m) as [-> | Hne]; [lra|]. specialize (Hmax x Hx Hne). lra.
  - intros Hm x Hx. split; [|intros ->; exact Hm]. intro H0. destruct (Req_dec x m) as [H | Hne]; [exact H|].
    specialize (Hmax x Hx Hne). lra.
  - intros Hm.
    destruct (root_exists_strictly_between f a m) as [x [Hx Hfx]]; [exact Ham | | lra |].
    { apply continuous_on_incl with (closed_interval a b); [|exact Hc]. intros z Hz. unfold closed_interval in *. lra. }
    destruct (root_exists_strictly_between f m b) as [y [Hy Hfy]]; [exact Hmb | | lra |].
    { apply continuous_on_incl with (closed_interval a b); [|exact Hc]. intros z Hz. unfold closed_interval in *. lra. }
    exists x, y. split; [exact Hx|]. split; [exact Hy|]. intros z Hz. split.
    + intros Hfz. destruct (Rle_or_lt z m) as [H | H]; [left | right].
      * apply (at_most_one_root_if_strictly_increasing (closed_interval a m) f Hup); unfold closed_interval; lra.
      * apply (at_most_one_root_if_strictly_decreasing (closed_interval m b) f Hdown); unfold closed_interval; lra.
    + intros [-> | ->]; assumption.
Qed.

(** ** Separable objectives on the simplex *)

Theorem sum_of_concave_functions_is_concave_on_simplex : forall (n : nat) (phi : nat -> R -> R),
  (forall o, (o < n)%nat -> concave_on (closed_interval 0 1) (phi o)) ->
  concave_on_simplex n (fun x => Sum n (fun o => phi o (x o))).
Proof.
  intros n phi Hphi x y t Hx Hy Ht. rewrite <- !Sum_scal, <- Sum_plus. apply Sum_le. intros o Ho.
  pose proof (policy_le_1 n x o Hx Ho). pose proof (policy_le_1 n y o Hy Ho).
  pose proof (proj1 Hx o Ho). pose proof (proj1 Hy o Ho).
  pose proof (Hphi o Ho (y o) (x o) t ltac:(unfold closed_interval; lra) ltac:(unfold closed_interval; lra) Ht) as Hc.
  replace (x o + t * (y o - x o)) with (t * y o + (1 - t) * x o) by ring. lra.
Qed.

Theorem gradient_of_sum_of_functions : forall (n : nat) (phi : nat -> R -> R) (x d : nat -> R),
  (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) ->
  gradient_on_simplex n (fun x => Sum n (fun o => phi o (x o))) x d.
Proof.
  intros n phi x d Hd y _.
  assert (H : forall k, (k <= n)%nat -> is_derive (fun t => Sum k (fun o => phi o (x o + t * (y o - x o)))) 0
            (Sum k (fun o => d o * (y o - x o)))).
  { induction k as [|k IH]; intro Hk; simpl; [apply (@is_derive_const R_AbsRing R_NormedModule)|].
    apply (@is_derive_plus R_AbsRing R_NormedModule); [apply IH; lia|].
    rewrite Rmult_comm.
    apply (is_derive_comp (phi k) (fun t => x k + t * (y k - x k)) 0 (d k) (y k - x k)).
    - replace (x k + 0 * (y k - x k)) with (x k) by ring. apply Hd. lia.
    - auto_derive; auto. ring. }
  apply H. lia.
Qed.

(** ** Strict versions *)

Theorem strict_jensen : forall (I : R -> Prop) (f : R -> R) (n : nat) (pi x : nat -> R) (i j : nat), interval I ->
  strictly_convex_on I f -> policy n pi -> (forall o, (o < n)%nat -> I (x o)) ->
  (i < n)%nat -> (j < n)%nat -> 0 < pi i -> 0 < pi j -> x i <> x j ->
  f (expect n pi x) < expect n pi (fun o => f (x o)).
Proof.
  intros I f n pi x i j HI Hc Hp Hx Hi Hj Hpi Hpj Hne.
  assert (Hij : i <> j) by (intros ->; apply Hne; reflexivity).
  set (t := pi i / (pi i + pi j)). assert (Ht : 0 < t < 1).
  { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with (pi i + pi j); [lra|].
    replace (pi i / (pi i + pi j) * (pi i + pi j)) with (pi i) by (field; lra). lra. }
  set (z := t * x i + (1 - t) * x j).
  assert (Hz : I z).
  { unfold z. destruct (Rle_or_lt (x i) (x j)); [apply (HI (x i) (x j)) | apply (HI (x j) (x i))]; auto; nra. }
  set (x' := update (update x i z) j z).
  assert (Hsum : forall g : R -> R, Sum n (fun o => pi o * g (x' o)) =
            Sum n (fun o => pi o * g (x o)) - pi i * g (x i) + pi i * g z - pi j * g (x j) + pi j * g z).
  { intro g. unfold x'. rewrite (Sum_update n (fun o v => pi o * g v) (update x i z) j z Hj).
    rewrite (update_other x i z j) by (intro; apply Hij; symmetry; assumption).
    rewrite (Sum_update n (fun o v => pi o * g v) x i z Hi). ring. }
  assert (HE : expect n pi x' = expect n pi x).
  { unfold expect. pose proof (Hsum (fun v => v)) as H. cbv beta in H. rewrite H. unfold z, t. field. lra. }
  assert (Hjen : f (expect n pi x') <= expect n pi (fun o => f (x' o))).
  { apply (jensen I f n pi x' HI); [| exact Hp |].
    - intros u v s Hu Hv Hs. destruct (Req_dec u v) as [-> | Huv].
      { replace (s * v + (1 - s) * v) with v by ring. lra. }
      destruct (Req_dec s 0) as [-> | Hs0]; [replace (0 * u + (1 - 0) * v) with v by ring; lra|].
      destruct (Req_dec s 1) as [-> | Hs1]; [replace (1 * u + (1 - 1) * v) with u by ring; lra|].
      apply Rlt_le, Hc; auto; lra.
    - intros o Ho. unfold x', update. destruct (Nat.eqb o j); [exact Hz|]. destruct (Nat.eqb o i);
      [exact Hz | apply Hx; exact Ho]. }
  rewrite HE in Hjen. apply Rle_lt_trans with (1 := Hjen). unfold expect. rewrite (Hsum f).
  pose proof (Hc (x i) (x j) t (Hx i Hi) (Hx j Hj) Hne Ht) as Hs. fold z in Hs.
  apply (Rmult_lt_compat_l (pi i + pi j)) in Hs; [|lra].
  replace ((pi i + pi j) * (t * f (x i) + (1 - t) * f (x j))) with (pi i * f (x i) + pi j * f (x j))
    in Hs by (unfold t; field; lra).
  lra.
Qed.

Theorem chebyshev_for_opposite_order : forall (n : nat) (pi x y : nat -> R), policy n pi ->
  (forall i j, (i < n)%nat -> (j < n)%nat -> (x i - x j) * (y i - y j) <= 0) ->
  expect n pi (fun o => x o * y o) <= expect n pi x * expect n pi y.
Proof.
  intros n pi x y Hp H.
  assert (Hc : expect n pi x * expect n pi (fun o => - y o) <= expect n pi (fun o => x o * - y o)).
  { apply chebyshev; [exact Hp|]. intros i j Hi Hj. specialize (H i j Hi Hj). lra. }
  rewrite (expect_ext n pi (fun o => - y o) (fun o => (-1) * y o)) in Hc by (intros; ring).
  rewrite (expect_ext n pi (fun o => x o * - y o) (fun o => (-1) * (x o * y o))) in Hc by (intros; ring).
  rewrite !expect_scal in Hc. lra.
Qed.

(** ** Limits in a real parameter *)

Theorem squeeze_for_functions : forall (low f high : R -> R) (p l : Rbar),
  Rbar_locally' p (fun x => low x <= f x <= high x) -> is_lim low p l -> is_lim high p l -> is_lim f p l.
Proof. intros low f high p l H Hl Hh. apply (is_lim_le_le_loc low high f p l); assumption. Qed.

Theorem limit_of_composition : forall (f g : R -> R) (p : Rbar) (l : R),
  is_lim g p l -> continuous f l -> is_lim (fun x => f (g x)) p (f l).
Proof. intros f g p l Hg Hf. apply (is_lim_comp_continuous g f p l Hg Hf). Qed.

Theorem limit_along_a_sequence : forall (f : R -> R) (p l : R) (x : nat -> R),
  is_lim f p l -> (forall n, x n <> p) -> converges_to x p -> converges_to (fun n => f (x n)) l.
Proof.
  intros f p l x Hf Hne Hx. apply (is_lim_comp_seq f x p l Hf); [|exact Hx].
  exists 0%nat. intros n _ H. injection H as H. apply (Hne n). exact H.
Qed.

(** ** The regularised reward is strictly concave *)

Lemma entropy_term_above_tangent : forall c x y, 0 < c -> 0 <= x -> 0 < y ->
  y * ln (y / c) + (ln (y / c) + 1) * (x - y) <= x * ln (x / c) /\
  (x * ln (x / c) = y * ln (y / c) + (ln (y / c) + 1) * (x - y) -> x = y).
Proof.
  intros c x y Hc Hx Hy. destruct (gibbs_term x y Hx (Rlt_le _ _ Hy)) as [H1 H2]; [lra|].
  assert (E : x * ln (x / c) = x * ln (x / y) + x * ln (y / c)).
  { destruct Hx as [Hx | <-]; [|ring]. rewrite <- Rmult_plus_distr_l, <- ln_mult; try (apply Rdiv_lt_0_compat;
    assumption).
    do 2 f_equal. field. lra. }
  rewrite E. split; [lra|]. intro H. apply H2. lra.
Qed.

Lemma entropy_term_convex : forall c x y t, 0 < c -> 0 <= x -> 0 <= y -> 0 <= t <= 1 ->
  (t * x + (1 - t) * y) * ln ((t * x + (1 - t) * y) / c) <= t * (x * ln (x / c)) + (1 - t) * (y * ln (y / c)) /\
  (x <> y -> 0 < t < 1 ->
   (t * x + (1 - t) * y) * ln ((t * x + (1 - t) * y) / c) < t * (x * ln (x / c)) + (1 - t) * (y * ln (y / c))).
Proof.
  intros c x y t Hc Hx Hy Ht. set (z := t * x + (1 - t) * y).
  assert (Hz : 0 <= z) by (unfold z; assert (0 <= t * x) by (apply Rmult_le_pos; lra);
    assert (0 <= (1 - t) * y) by (apply Rmult_le_pos; lra); lra).
  destruct Hz as [Hz | Hz].
  - destruct (entropy_term_above_tangent c x z Hc Hx Hz) as [Hx1 Hx2].
    destruct (entropy_term_above_tangent c y z Hc Hy Hz) as [Hy1 Hy2].
    set (l := ln (z / c)) in *. set (X := x * ln (x / c)) in *. set (Y := y * ln (y / c)) in *.
    assert (Hid : t * (z * l + (l + 1) * (x - z)) + (1 - t) * (z * l + (l + 1) * (y - z)) = z * l) by (unfold z; ring).
    split.
    + assert (t * (z * l + (l + 1) * (x - z)) <= t * X) by (apply Rmult_le_compat_l; lra).
      assert ((1 - t) * (z * l + (l + 1) * (y - z)) <= (1 - t) * Y) by (apply Rmult_le_compat_l; lra). lra.
    + intros Hne Ht'. assert (Hxz : x <> z).
      { intro E. apply Hne. assert ((1 - t) * (x - y) = 0) by (unfold z in E; lra). apply Rmult_integral in H.
        destruct H; lra. }
      assert (z * l + (l + 1) * (x - z) < X).
      { destruct Hx1 as [H | H]; [exact H|]. exfalso. apply Hxz, Hx2. lra. }
      assert (t * (z * l + (l + 1) * (x - z)) < t * X) by (apply Rmult_lt_compat_l; lra).
      assert ((1 - t) * (z * l + (l + 1) * (y - z)) <= (1 - t) * Y) by (apply Rmult_le_compat_l; lra). lra.
  - assert (Htx : t * x = 0 /\ (1 - t) * y = 0).
    { assert (0 <= t * x) by (apply Rmult_le_pos; lra). assert (0 <= (1 - t) * y) by (apply Rmult_le_pos; lra).
      unfold z in Hz. lra. }
    destruct Htx as [H1 H2].
    replace (t * (x * ln (x / c))) with (t * x * ln (x / c)) by ring.
    replace ((1 - t) * (y * ln (y / c))) with ((1 - t) * y * ln (y / c)) by ring. rewrite H1, H2, <- Hz. split; [lra|].
    intros Hne Ht'. exfalso. apply Hne. apply Rmult_integral in H1. apply Rmult_integral in H2. destruct H1, H2; lra.
Qed.

Theorem regularised_reward_is_strictly_concave : forall (n : nat) (r : nat -> R) (beta : R)
    (ref : nat -> R), 0 < beta ->
  full_support n ref -> concave_on_simplex n (rlhf n r beta ref) /\
  forall x y t, policy n x -> policy n y -> 0 < t < 1 -> (exists o, (o < n)%nat /\ x o <> y o) ->
    (1 - t) * rlhf n r beta ref x + t * rlhf n r beta ref y < rlhf n r beta ref (fun o => x o + t * (y o - x o)).
Proof.
  intros n r beta ref Hb Href.
  assert (E : forall x, rlhf n r beta ref x = Sum n (fun o => x o * r o - beta * (x o * ln (x o / ref o)))).
  { intro x. unfold rlhf, kl, expect. rewrite Sum_minus, Sum_scal. reflexivity. }
  assert (Hterm : forall x y t o, policy n x -> policy n y -> 0 <= t <= 1 -> (o < n)%nat ->
    (1 - t) * (x o * r o - beta * (x o * ln (x o / ref o))) + t * (y o * r o - beta * (y o * ln (y o / ref o))) <=
    (x o + t * (y o - x o)) * r o - beta * ((x o + t * (y o - x o)) * ln ((x o + t * (y o - x o)) / ref o)) /\
    (x o <> y o -> 0 < t < 1 ->
    (1 - t) * (x o * r o - beta * (x o * ln (x o / ref o))) + t * (y o * r o - beta * (y o * ln (y o / ref o))) <
    (x o + t * (y o - x o)) * r o - beta * ((x o + t * (y o - x o)) * ln ((x o + t * (y o - x o)) / ref o)))).
  { intros x y t o Hx Hy Ht Ho.
    destruct (entropy_term_convex (ref o) (y o) (x o) t (proj1 Href o Ho) (proj1 Hy o Ho) (proj1 Hx o Ho) Ht)
      as [H1 H2].
    replace (t * y o + (1 - t) * x o) with (x o + t * (y o - x o)) in H1, H2 by ring.
    split; [nra|]. intros Hne Ht'. specialize (H2 ltac:(congruence) Ht'). nra. }
  split.
  - intros x y t Hx Hy Ht. rewrite !E, <- !Sum_scal, <- Sum_plus. apply Sum_le. intros o Ho. apply Hterm; assumption.
  - intros x y t Hx Hy Ht [o [Ho Hne]]. rewrite !E, <- !Sum_scal, <- Sum_plus. apply Sum_lt with o; [|exact Ho|].
    + intros i Hi. apply Hterm; auto. lra.
    + apply Hterm; auto. lra.
Qed.
