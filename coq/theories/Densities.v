(** * Densities

    What a density says of the probability of small sets: of an interval, or of a rectangle of pairs of numbers, it is
    the size times the density, up to a factor that tends to 1. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.

Open Scope R_scope.

Lemma integral_between : forall (g : R -> R) (u v low high : R), u <= v -> ex_RInt g u v ->
  (forall y, u <= y <= v -> low <= g y <= high) -> low * (v - u) <= RInt g u v <= high * (v - u).
Proof.
  intros g u v low high Huv Hg Hb.
  assert (Hc : forall c, RInt (fun _ => c) u v = c * (v - u)).
  { intro c. rewrite RInt_const. unfold scal; simpl; unfold mult; simpl. ring. }
  rewrite <- !Hc. split; apply RInt_le; try assumption; try apply ex_RInt_const; intros y Hy; apply Hb; lra.
Qed.

(** Near 0, a d and b d are near 0, too. *)
Lemma ends_near : forall a b d r : R, 0 < d -> 0 < r -> d < r / (Rabs a + Rabs b + 1) -> Rabs (a * d) < r
  /\ Rabs (b * d) < r.
Proof.
  intros a b d r Hd Hr H. pose proof (Rabs_pos a). pose proof (Rabs_pos b).
  assert (Hs : (Rabs a + Rabs b + 1) * d < r).
  { apply Rlt_le_trans with ((Rabs a + Rabs b + 1) * (r / (Rabs a + Rabs b + 1))); [apply Rmult_lt_compat_l; lra|].
    right. field. lra. }
  rewrite !Rabs_mult, (Rabs_pos_eq d) by lra. split; nra.
Qed.

Theorem mass_of_a_short_interval : forall (f : R -> R) (x a b r : R), a < b -> 0 < r ->
  (forall u v, x - r <= u -> u <= v -> v <= x + r -> ex_RInt f u v) -> continuous f x -> 0 < f x ->
  filterlim (fun d => RInt f (x + a * d) (x + b * d) / ((b - a) * d * f x)) (at_right 0) (locally 1).
Proof.
  intros f x a b r Hab Hr Hint Hc Hpos. apply filterlim_locally. intro eps.
  assert (He : 0 < eps / 2 * f x) by (pose proof (cond_pos eps); apply Rmult_lt_0_compat; lra).
  destruct (proj1 (filterlim_locally f (f x)) Hc (mkposreal _ He)) as [s Hs]. simpl in Hs.
  assert (Hm : 0 < Rmin r s) by (apply Rmin_glb_lt; [exact Hr | apply cond_pos]).
  pose proof (Rmin_l r s). pose proof (Rmin_r r s). pose proof (Rabs_pos a). pose proof (Rabs_pos b).
  assert (Hw : 0 < Rmin r s / (Rabs a + Rabs b + 1)) by (apply Rdiv_lt_0_compat; lra).
  exists (mkposreal _ Hw). intros d Hd Hd0. change (Rabs (d - 0) < Rmin r s / (Rabs a + Rabs b + 1)) in Hd.
  rewrite Rminus_0_r, Rabs_pos_eq in Hd by lra.
  destruct (ends_near a b d (Rmin r s) Hd0 Hm Hd) as [Ha Hb]. apply Rabs_def2 in Ha. apply Rabs_def2 in Hb.
  assert (Hlen : 0 < (b - a) * d) by (apply Rmult_lt_0_compat; lra).
  assert (Hin : (1 - eps / 2) * f x * (x + b * d - (x + a * d)) <= RInt f (x + a * d) (x + b * d)
    <= (1 + eps / 2) * f x * (x + b * d - (x + a * d))).
  { apply integral_between; [lra | apply Hint; lra |]. intros y Hy.
    assert (Hn : Rabs (y - x) < s) by (apply Rabs_def1; lra).
    specialize (Hs y Hn). change (Rabs (f y - f x) < eps / 2 * f x) in Hs. apply Rabs_def2 in Hs. lra. }
  change (Rabs (RInt f (x + a * d) (x + b * d) / ((b - a) * d * f x) - 1) < eps).
  replace (x + b * d - (x + a * d)) with ((b - a) * d) in Hin by ring.
  set (I := RInt f (x + a * d) (x + b * d)) in *. set (l := (b - a) * d) in *.
  assert (Hlf : 0 < l * f x) by (apply Rmult_lt_0_compat; assumption).
  assert (Hq : 1 - eps / 2 <= I / (l * f x) <= 1 + eps / 2).
  { split; [apply Rle_div_r | apply Rle_div_l]; try assumption; lra. }
  pose proof (cond_pos eps). apply Rabs_def1; lra.
Qed.

Theorem mass_of_a_small_rectangle : forall (f : R -> R -> R) (x z a b a' b' r : R), a < b -> a' < b' -> 0 < r ->
  (forall u v w, x - r <= u -> u <= v -> v <= x + r -> z - r <= w <= z + r -> ex_RInt (fun s => f s w) u v) ->
  (forall u v u' v', x - r <= u -> u <= v -> v <= x + r -> z - r <= u' -> u' <= v' -> v' <= z + r ->
    ex_RInt (fun w => RInt (fun s => f s w) u v) u' v') ->
  continuity_2d_pt f x z -> 0 < f x z ->
  filterlim (fun d => RInt (fun w => RInt (fun s => f s w) (x + a * d) (x + b * d)) (z + a' * d) (z + b' * d)
    / ((b - a) * d * ((b' - a') * d) * f x z)) (at_right 0) (locally 1).
Proof.
  intros f x z a b a' b' r Hab Hab' Hr Hin Hout Hc Hpos. apply filterlim_locally. intro eps.
  assert (He : 0 < eps / 2 * f x z) by (pose proof (cond_pos eps); apply Rmult_lt_0_compat; lra).
  destruct (Hc (mkposreal _ He)) as [s Hs]. simpl in Hs.
  assert (Hm : 0 < Rmin r s) by (apply Rmin_glb_lt; [exact Hr | apply cond_pos]).
  pose proof (Rmin_l r s). pose proof (Rmin_r r s).
  pose proof (Rabs_pos a). pose proof (Rabs_pos b). pose proof (Rabs_pos a'). pose proof (Rabs_pos b').
  set (t := Rmin (Rmin r s / (Rabs a + Rabs b + 1)) (Rmin r s / (Rabs a' + Rabs b' + 1))).
  assert (Hw : 0 < t) by (unfold t; apply Rmin_glb_lt; apply Rdiv_lt_0_compat; lra).
  exists (mkposreal _ Hw). intros d Hd Hd0. change (Rabs (d - 0) < t) in Hd.
  rewrite Rminus_0_r, Rabs_pos_eq in Hd by lra.
  assert (Hd1 : d < Rmin r s / (Rabs a + Rabs b + 1)) by (eapply Rlt_le_trans; [exact Hd | apply Rmin_l]).
  assert (Hd2 : d < Rmin r s / (Rabs a' + Rabs b' + 1)) by (eapply Rlt_le_trans; [exact Hd | apply Rmin_r]).
  destruct (ends_near a b d (Rmin r s) Hd0 Hm Hd1) as [Ha Hb]. apply Rabs_def2 in Ha. apply Rabs_def2 in Hb.
  destruct (ends_near a' b' d (Rmin r s) Hd0 Hm Hd2) as [Ha' Hb']. apply Rabs_def2 in Ha'. apply Rabs_def2 in Hb'.
  assert (Hl : 0 < (b - a) * d) by (apply Rmult_lt_0_compat; lra).
  assert (Hl' : 0 < (b' - a') * d) by (apply Rmult_lt_0_compat; lra).
  assert (Hends : x + b * d - (x + a * d) = (b - a) * d /\ z + b' * d - (z + a' * d) = (b' - a') * d) by (split; ring).
  destruct Hends as [Hends Hends'].
  set (l := (b - a) * d) in *. set (l' := (b' - a') * d) in *.
  assert (Hinner : forall w, z + a' * d <= w <= z + b' * d ->
    (1 - eps / 2) * f x z * l <= RInt (fun s => f s w) (x + a * d) (x + b * d) <= (1 + eps / 2) * f x z * l).
  { intros w Hwz. rewrite <- Hends. apply integral_between; [lra | apply Hin; lra |]. intros y Hy.
    assert (Hn : Rabs (y - x) < s) by (apply Rabs_def1; lra).
    assert (Hn' : Rabs (w - z) < s) by (apply Rabs_def1; lra).
    specialize (Hs y w Hn Hn'). apply Rabs_def2 in Hs. lra. }
  assert (Hall : (1 - eps / 2) * f x z * l * (z + b' * d - (z + a' * d))
    <= RInt (fun w => RInt (fun s => f s w) (x + a * d) (x + b * d)) (z + a' * d) (z + b' * d)
    <= (1 + eps / 2) * f x z * l * (z + b' * d - (z + a' * d))).
  { apply integral_between; [lra | apply Hout; lra | exact Hinner]. }
  rewrite Hends' in Hall.
  set (I := RInt _ (z + a' * d) (z + b' * d)) in *.
  change (Rabs (I / (l * l' * f x z) - 1) < eps).
  assert (Hlf : 0 < l * l' * f x z) by (apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat |]; assumption).
  assert (Hq : 1 - eps / 2 <= I / (l * l' * f x z) <= 1 + eps / 2).
  { split; [apply Rle_div_r | apply Rle_div_l]; try assumption; lra. }
  pose proof (cond_pos eps). apply Rabs_def1; lra.
Qed.
