(** * Solutions that leave a place where a function is positive *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules Sentences.
Open Scope R_scope.

Lemma above_a_positive_number_up_to : forall (f : R -> R) (a b c : R) (l : Rbar), a < c < b ->
  continuous_on (strictly_between a b) f -> (forall x, a < x < b -> 0 < f x) ->
  filterlim f (at_right a) (Rbar_locally l) -> Rbar_lt 0 l -> exists m, 0 < m /\ forall x, a < x <= c -> m <= f x.
Proof.
  intros f a b c l Hc Hcont Hpos Hlim Hl.
  assert (Near : exists d k, 0 < d /\ 0 < k /\ forall x, a < x < a + d -> k < f x).
  { assert (K : exists k, 0 < k /\ Rbar_locally l (fun z => k < z)).
    { destruct l as [l | | ]; simpl in Hl.
      - exists (l / 2). split; [lra|]. apply eventually_above. simpl. lra.
      - exists 1. split; [lra|]. apply eventually_above. exact I.
      - contradiction. }
    destruct K as [k [Hk Habove]]. destruct (Hlim _ Habove) as [d Hd]. exists d, k. split; [apply cond_pos|].
    split; [exact Hk|]. intros x Hx. apply (Hd x); [|lra].
    unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra. }
  destruct Near as [d [k [Hd [Hk Hfk]]]]. set (s := a + Rmin (d / 2) (c - a)).
  assert (Hs : a < s <= c /\ s < a + d).
  { unfold s. assert (0 < Rmin (d / 2) (c - a)) by (apply Rmin_glb_lt; lra).
    pose proof (Rmin_l (d / 2) (c - a)). pose proof (Rmin_r (d / 2) (c - a)). lra. }
  assert (Hsc : s <= c) by lra.
  assert (Hcl : continuous_on (closed_interval s c) f).
  { apply continuous_on_incl with (strictly_between a b); [|exact Hcont]. intros z Hz. unfold closed_interval in Hz.
    split; simpl; lra. }
  destruct (continuity_ab_min (fun x => f (clamp s c x)) s c Hsc) as [z [Hz Hin]].
  { intros y _. apply (continuous_clamp s c f Hsc Hcl). }
  exists (Rmin k (f z)). split; [apply Rmin_glb_lt; [exact Hk | apply Hpos; lra]|].
  intros x Hx. destruct (Rlt_le_dec x s) as [L | G].
  - apply Rle_trans with k; [apply Rmin_l | apply Rlt_le, Hfk; lra].
  - apply Rle_trans with (f z); [apply Rmin_r|]. specialize (Hz x ltac:(lra)).
    rewrite !clamp_id in Hz by lra. exact Hz.
Qed.

(** What a positive function takes at the solution vanishes: so the solution leaves towards the end at which nothing is
    said of the function. *)
Theorem root_leaves_where_a_function_is_positive : forall (T : Type) (F : (T -> Prop) -> Prop) (a b : R) (l : Rbar)
  (f : R -> R) (q r : T -> R), Filter F -> a < b -> continuous_on (strictly_between a b) f ->
  (forall x, a < x < b -> 0 < f x) -> filterlim f (at_right a) (Rbar_locally l) -> Rbar_lt 0 l ->
  filterlim q F (locally 0) -> F (fun t => a < r t < b /\ f (r t) = q t) -> filterlim r F (locally b).
Proof.
  intros T F a b l f q r HF Hab Hc Hpos Hlim Hl Hq Hr P [eps Heps].
  pose proof (cond_pos eps) as E. set (c := Rmax ((a + b) / 2) (b - eps / 2)).
  assert (Hin : a < c < b /\ b - eps < c).
  { unfold c. pose proof (Rmax_l ((a + b) / 2) (b - eps / 2)). pose proof (Rmax_r ((a + b) / 2) (b - eps / 2)).
    assert (Rmax ((a + b) / 2) (b - eps / 2) < b) by (apply Rmax_lub_lt; lra). lra. }
  destruct Hin as [Hin Hce].
  destruct (above_a_positive_number_up_to f a b c l Hin Hc Hpos Hlim Hl) as [m [Hm Hfm]].
  assert (Small : F (fun t => q t < m)) by (apply (Hq (fun z => z < m)), (open_lt m); exact Hm).
  unfold filtermap. generalize (filter_and _ _ Small Hr). apply filter_imp. intros t [Hqt [Hrt Hft]]. apply Heps.
  assert (c < r t).
  { apply Rnot_le_lt. intro L. specialize (Hfm (r t) ltac:(lra)). lra. }
  unfold ball. simpl. unfold AbsRing_ball, abs, minus, plus, opp. simpl. apply Rabs_def1; lra.
Qed.
