(** How a schema follows from its theorem: what stands before the goals that [make coq] asks.

    Premises come as [H1], [H2], …; a tactic must leave nothing. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules Limits Sentences Convexity Flows.

Open Scope R_scope.

(** On an open interval continuity is that at each point. *)
Lemma continuous_inside : forall (a b : Rbar) (f : R -> R) (y : R),
  continuous_on (fun x : R => Rbar_lt a x /\ Rbar_lt x b) f -> Rbar_lt a y -> Rbar_lt y b -> continuous f y.
Proof.
  intros a b f y Hf Ha Hb. apply continuous_continuous_on with (fun x : R => Rbar_lt a x /\ Rbar_lt x b); [| exact Hf].
  apply (open_and _ _ (open_Rbar_gt a) (open_Rbar_lt b) y). auto.
Qed.

Ltac taken_apart := repeat match goal with
  | H : _ /\ _ |- _ => destruct H
  | H : ex _ |- _ => destruct H
  end.

(** A premise of the theorem is one of the schema, or several of them. *)
Ltac settle := try eassumption; try solve [eapply continuous_inside; eassumption];
  try solve [eapply (fun a b => continuous_inside a (Finite b)); eassumption]; auto; try lra; eauto 3;
  try match goal with H : _ |- _ => apply H; solve [eassumption | lra | repeat split; lra] end;
  try match goal with H : iteration _ _ |- _ => rewrite !H; cbv beta; solve [eassumption | lra] end.

Ltac finish := intros; unfold closed_interval, strictly_between in *; cbv beta in *; taken_apart;
  repeat match goal with |- _ /\ _ => split end; cbv beta in *; settle.

(** A derivative at a point where the premises name the slope. *)
Ltac slope := match goal with S : _ = ?k |- is_derive _ _ ?k => rewrite <- S; eauto end.

(** The theorem gives the conclusion, or what the conclusion is a part of. *)
Ltac by_theorem T := intros; subst; eapply T; first [eassumption | slope | finish].

Ltac parts_of T := intros; subst; edestruct T; [first [eassumption | finish] ..| idtac]; taken_apart; cbv beta in *;
  repeat (first [eassumption | split | eexists | intros]); finish.

(** A theorem for the function with its sign turned. *)
Lemma turned_continuous : forall (I : R -> Prop) (f : R -> R), continuous_on I f -> continuous_on I (fun x => - f x).
Proof.
  intros I f Hf x Hx. apply (filterlim_comp _ _ _ f Ropp _ (locally (f x))); [exact (Hf x Hx) |].
  apply (filterlim_opp (f x)).
Qed.

Lemma turned_slope : forall (f : R -> R) (x l : R), is_derive f x l -> l = 0 -> is_derive (fun y => - f y) x 0.
Proof. intros f x l Hf ->. rewrite <- Ropp_0. apply (is_derive_opp f x 0 Hf). Qed.

Ltac turned := match goal with
  | |- is_derive _ _ 0 => eapply turned_slope; eauto
  | H : _ |- strictly_increasing_on _ _ => intros u v Hu Hv Ho; pose proof (H u v Hu Hv Ho); cbv beta in *; lra
  | H : _ |- strictly_decreasing_on _ _ => intros u v Hu Hv Ho; pose proof (H u v Hu Hv Ho); cbv beta in *; lra
  | H : _ |- strictly_concave_on _ _ => intros u v t Hu Hv Hd Ht; pose proof (H u v t Hu Hv Hd Ht); cbv beta in *; lra
  end.

Ltac mirrored T := intros; eapply T; first [eassumption | apply turned_continuous; assumption | turned].

(** A theorem for the value 0, used for another one. *)
Lemma shifted_continuous : forall (I : R -> Prop) (f : R -> R) (c : R),
  continuous_on I f -> continuous_on I (fun x => f x - c).
Proof.
  intros I f c Hf. apply continuous_on_of_eps. intros x Hx e He.
  destruct (continuous_on_eps _ _ Hf x Hx e He) as [d [Hd H]]. exists d. split; [exact Hd |].
  intros z Hz Hzx. replace (f z - c - (f x - c)) with (f z - f x) by ring. auto.
Qed.

Lemma shifted_slope : forall (f : R -> R) (c x l : R), is_derive f x l -> is_derive (fun y => f y - c) x l.
Proof.
  intros f c x l Hf. replace l with (minus l 0) by (unfold minus, plus, opp; simpl; ring).
  apply (is_derive_minus f (fun _ => c) x l 0 Hf (is_derive_const c x)).
Qed.

Lemma shifted_limit : forall (F : (R -> Prop) -> Prop) (f : R -> R) (c : R) (l : Rbar), Filter F ->
  filterlim f F (Rbar_locally l) -> filterlim (fun x => f x - c) F (Rbar_locally (Rbar_minus l c)).
Proof.
  intros F f c l HF Hf. apply (filterlim_comp _ _ _ f (fun y => y - c) _ (Rbar_locally l)); [exact Hf |].
  destruct l as [l | | ]; simpl.
  - apply (continuous_minus (fun y => y) (fun _ => c) l (continuous_id l) (continuous_const c l)).
  - intros Q [N HN]. exists (N + c). intros y Hy. apply HN. lra.
  - intros Q [N HN]. exists (N + c). intros y Hy. apply HN. lra.
Qed.

Lemma shifted_below : forall (l : Rbar) (c : R), Rbar_lt l c -> Rbar_lt (Rbar_minus l c) 0.
Proof. intros [l | |] c; simpl; auto; lra. Qed.

Lemma shifted_above : forall (l : Rbar) (c : R), Rbar_lt c l -> Rbar_lt 0 (Rbar_minus l c).
Proof. intros [l | |] c; simpl; auto; lra. Qed.

Lemma shifted_once : forall (S : R -> Prop) (f : R -> R) (c : R),
  (forall g, g = (fun x => f x - c) -> exists! x, S x /\ g x = 0) -> exists! x, S x /\ f x = c.
Proof.
  intros S f c H. destruct (H _ eq_refl) as [x [[Hx E] Hu]]. exists x. split; [split; [exact Hx | lra] |].
  intros z [Hz Ez]. apply Hu. split; [exact Hz | lra].
Qed.

Lemma shifted_taken : forall (S : R -> Prop) (f : R -> R) (c : R),
  (forall g, g = (fun x => f x - c) -> exists x, S x /\ g x = 0) -> exists x, S x /\ f x = c.
Proof. intros S f c H. destruct (H _ eq_refl) as [x [Hx E]]. exists x. split; [exact Hx | lra]. Qed.

Ltac shifted_premise := lazymatch goal with
  | |- continuous_on _ _ => apply shifted_continuous; assumption
  | |- filterlim _ _ _ => apply shifted_limit; [typeclasses eauto | eassumption]
  | |- Rbar_lt (Rbar_minus _ _) _ => apply shifted_below; assumption
  | |- Rbar_lt _ (Rbar_minus _ _) => apply shifted_above; assumption
  | |- Rbar_lt _ _ => assumption
  | |- is_derive _ _ _ => apply shifted_slope; lazymatch goal with
    | |- is_derive (fun y => - _) _ _ => eapply (is_derive_opp (V := R_NormedModule))
    | _ => idtac
    end; match goal with H : forall x : R, _ -> _ -> is_derive _ _ _ |- _ => apply H; assumption end
  | |- forall x y : R, _ => intros u' w' Hu' Ho' Hw' E';
      match goal with H : forall x y : R, _ |- _ => specialize (H u' w' Hu' Ho' Hw' ltac:(lra)); lra end
  | |- _ \/ _ => try match goal with H : _ \/ _ |- _ => destruct H as [[? ?] | [? ?]] end;
      first [left; split; lra | right; split; lra]
  | _ => unfold opp; simpl; lra
  end.

Ltac shifted T := intros; first [apply shifted_once | apply shifted_taken]; intros g' E'; eapply (T g'); subst g';
  cbv beta; shifted_premise.

(** And for the function with its sign turned as well. *)
Lemma turned_taken : forall (S : R -> Prop) (f : R -> R) (c : R),
  (forall g, g = (fun x => - f x) -> exists x, S x /\ g x = - c) -> exists x, S x /\ f x = c.
Proof. intros S f c H. destruct (H _ eq_refl) as [x [Hx E]]. exists x. split; [exact Hx | lra]. Qed.

Lemma turned_limit : forall (F : (R -> Prop) -> Prop) (f : R -> R) (l : Rbar),
  filterlim f F (Rbar_locally l) -> filterlim (fun x => - f x) F (Rbar_locally (Rbar_opp l)).
Proof.
  intros F f l Hf. apply (filterlim_comp _ _ _ f Ropp _ (Rbar_locally l)); [exact Hf | apply filterlim_Rbar_opp].
Qed.

Lemma turned_below : forall (l : Rbar) (c : R), Rbar_lt l c -> Rbar_lt (- c) (Rbar_opp l).
Proof. intros [l | |] c; simpl; auto; lra. Qed.

Lemma turned_above : forall (l : Rbar) (c : R), Rbar_lt c l -> Rbar_lt (Rbar_opp l) (- c).
Proof. intros [l | |] c; simpl; auto; lra. Qed.

Ltac turned_and_shifted T := intros; apply turned_taken; intros g' E'; subst g';
  try match goal with H : continuous_on _ _ |- _ => apply turned_continuous in H end;
  try match goal with H : filterlim _ _ _ |- _ => apply turned_limit in H end;
  try match goal with
  | H : Rbar_lt ?l (Finite ?c) |- context [- ?c] => apply turned_below in H
  | H : Rbar_lt (Finite ?c) ?l |- context [- ?c] => apply turned_above in H
  end; shifted T.

(** Between two ends, at which there are limits, or values. *)
Lemma lower_is_finite : forall a b, Rbar_lt a b -> a <> p_infty.
Proof. intros a b H E. rewrite E in H. contradiction. Qed.

Lemma upper_is_finite : forall a b, Rbar_lt a b -> b <> m_infty.
Proof. intros [a | |] b H E; rewrite E in H; contradiction. Qed.

Lemma value_is_limit_above : forall (I : R -> Prop) (f : R -> R) (a : R) (b : Rbar), continuous_on I f -> I a ->
  Rbar_lt a b -> (forall x, strictly_between a b x -> I x) -> filterlim f (from_above a) (Rbar_locally (f a)).
Proof.
  intros I f a b Hf Ha Hab HI Q HQ. generalize (Hf a Ha Q HQ). intros [d Hd].
  destruct (near_lower_end a b Hab) as [e He]; [discriminate |].
  exists (mkposreal _ (Rmin_pos _ _ (cond_pos d) (cond_pos e))). intros z Hz Haz. apply Hd.
  - apply Rlt_le_trans with (1 := Hz), Rmin_l.
  - apply HI, He; [apply Rlt_le_trans with (1 := Hz), Rmin_r | exact Haz].
Qed.

Lemma value_is_limit_below : forall (I : R -> Prop) (f : R -> R) (a : Rbar) (b : R), continuous_on I f -> I b ->
  Rbar_lt a b -> (forall x, strictly_between a b x -> I x) -> filterlim f (from_below b) (Rbar_locally (f b)).
Proof.
  intros I f a b Hf Hb Hab HI Q HQ. generalize (Hf b Hb Q HQ). intros [d Hd].
  destruct (near_upper_end a b Hab) as [e He]; [discriminate |].
  exists (mkposreal _ (Rmin_pos _ _ (cond_pos d) (cond_pos e))). intros z Hz Hzb. apply Hd.
  - apply Rlt_le_trans with (1 := Hz), Rmin_l.
  - apply HI, He; [apply Rlt_le_trans with (1 := Hz), Rmin_r | exact Hzb].
Qed.

Ltac bounded := repeat match goal with H : Rbar_lt (Finite _) (Finite _) |- _ => simpl in H end; simpl; lra.
Ltac within := intros; cbv beta; unfold strictly_between in *; taken_apart; split; first [assumption | bounded].

Ltac between a b := first [assumption
  | apply (lower_is_finite a b); assumption | apply (upper_is_finite a b); assumption
  | eapply continuous_on_incl; [| eassumption]; within
  | match goal with H : _ |- strictly_increasing_on _ _ => intros u' v' Hu' Hv' Ho'; apply H; [within.. | exact Ho'] end
  | match goal with H : _ |- strictly_decreasing_on _ _ => intros u' v' Hu' Hv' Ho'; apply H; [within.. | exact Ho'] end
  | eapply (fun I f => value_is_limit_above I f a b); [eassumption | within | eassumption | within]
  | eapply (fun I f => value_is_limit_below I f a b); [eassumption | within | eassumption | within]
  | left; split; assumption | right; split; assumption | simpl; lra].

(** Where a function is beyond a number. *)
Lemma one_interval_above : forall (f : R -> R) (a b c : R),
  (exists u v, a <= u /\ v <= b /\ forall x, a < x < b -> (c < f x <-> u < x < v)) ->
  exists u v : Rbar, Rbar_le a u /\ Rbar_le v b /\
    forall x, strictly_between a b x -> (c < f x <-> strictly_between u v x).
Proof.
  intros f a b c [u [v [Hu [Hv H]]]]. exists (Finite u), (Finite v). repeat split; try assumption; apply H; assumption.
Qed.

Lemma one_interval_below : forall (f : R -> R) (a b c : R),
  (exists u v, a <= u /\ v <= b /\ forall x, a < x < b -> (- c < - f x <-> u < x < v)) ->
  exists u v : Rbar, Rbar_le a u /\ Rbar_le v b /\
    forall x, strictly_between a b x -> (f x < c <-> strictly_between u v x).
Proof.
  intros f a b c [u [v [Hu [Hv H]]]]. exists (Finite u), (Finite v). split; [exact Hu |]. split; [exact Hv |].
  intros x Hx. specialize (H x Hx). unfold strictly_between. simpl. intuition lra.
Qed.

Ltac one_interval := cbv beta; lazymatch goal with
  | |- continuous_on _ (fun x => - _) => apply turned_continuous; assumption
  | |- strictly_increasing_on _ _ => intros u' v' Hu' Hv' Ho'; match goal with
    | H : strictly_increasing_on _ _ |- _ => apply H; tauto
    | H : strictly_decreasing_on _ _ |- _ => apply Ropp_lt_contravar, H; tauto
    end
  | |- strictly_decreasing_on _ _ => intros u' v' Hu' Hv' Ho'; match goal with
    | H : strictly_decreasing_on _ _ |- _ => apply H; tauto
    | H : strictly_increasing_on _ _ |- _ => apply Ropp_lt_contravar, H; tauto
    end
  | _ => assumption
  end.

(** What a second derivative says. *)
Lemma twice_continuous : forall (I : R -> Prop) (f d : R -> R),
  (forall x, I x -> locally x (ex_derive f) /\ is_derive (Derive f) x (d x)) -> continuous_on I f.
Proof.
  intros I f d Hd. apply (continuous_on_derive I f (Derive f)). intros x Hx.
  apply Derive_correct, locally_singleton, Hd, Hx.
Qed.

Lemma twice_once : forall (I : R -> Prop) (f d : R -> R),
  (forall x, I x -> locally x (ex_derive f) /\ is_derive (Derive f) x (d x)) ->
  forall x, I x -> is_derive f x (Derive f x).
Proof. intros I f d Hd x Hx. apply Derive_correct, locally_singleton, Hd, Hx. Qed.

Lemma convex_by_second : forall (I : R -> Prop) (f d : R -> R), interval I ->
  (forall x, I x -> locally x (ex_derive f) /\ is_derive (Derive f) x (d x)) -> (forall x, I x -> 0 <= d x) ->
  convex_on I f.
Proof.
  intros I f d HI Hd Hs. apply (convex_if_second_derivative_nonnegative I f (Derive f) d); [exact HI | | | |].
  - exact (twice_continuous I f d Hd).
  - intros x Hx. apply (twice_once I f d Hd), inside_in; assumption.
  - intros x Hx. apply Hd, inside_in; assumption.
  - intros x Hx. apply Hs, inside_in; assumption.
Qed.

(** What sequences come to. *)
Lemma limsup_up_to : forall (x : nat -> R) (l m : R), limsup_at_most x l -> l <= m -> limsup_at_most x m.
Proof. intros x l m H Hlm e He. destruct (H e He) as [N HN]. exists N. intros n Hn. specialize (HN n Hn). lra. Qed.

Lemma limsup_of_constant : forall c : R, limsup_at_most (fun _ => c) c.
Proof. intros c e He. exists 0%nat. intros n _. lra. Qed.

(** Between the size of a multiplier and one there is a rate. *)
Lemma size_below_one : forall d, -1 < d /\ d < 1 -> Rabs d < (Rabs d + 1) / 2 /\ (Rabs d + 1) / 2 < 1.
Proof. intros d H. assert (Rabs d < 1) by (apply Rabs_def1; lra). lra. Qed.

Lemma size_above_one : forall d, 1 < d \/ d < -1 -> 1 < (Rabs d + 1) / 2 /\ (Rabs d + 1) / 2 < Rabs d.
Proof.
  intros d H. assert (1 < Rabs d); [|lra]. destruct H as [H | H].
  - apply Rlt_le_trans with (1 := H), Rle_abs.
  - rewrite <- Rabs_Ropp. apply Rlt_le_trans with (- d); [lra | apply Rle_abs].
Qed.

(** At a fixed point, of which the premises speak as of a value of the variable. *)
Ltac here := first [assumption | reflexivity].

Ltac at_fixed_point f d p size :=
  assert (f p = p) by (match goal with H : forall x : R, _ -> f _ = _ |- _ => eapply H; here end);
  assert (is_derive f p (d p)) by (match goal with H : forall x : R, _ -> is_derive _ _ _ |- _ => apply H; here end);
  match type of (size (d p)) with _ -> ?between => assert between end;
  [apply size; try match goal with H : forall x : R, _ -> d x = _ |- _ => rewrite (H p) by here end;
    match goal with H : forall x : R, _ -> _ |- _ => apply H; here end | taken_apart];
  split; [assumption | exists ((Rabs (d p) + 1) / 2); split; [assumption |]].

(** Solutions that move: all of them, as one number that moves with what they are solutions for. *)
Lemma near_infinity : forall u, Rbar_locally p_infty (fun t => u <= t).
Proof. intros u. exists u. intros t Ht. lra. Qed.

Lemma near_minus_infinity : forall u, Rbar_locally m_infty (fun t => t <= u).
Proof. intros u. exists u. intros t Ht. lra. Qed.

Lemma each_solution : forall (F G : (R -> Prop) -> Prop) (I : R -> Prop) (f : R -> R -> R) (q : R * R -> R), Filter F ->
  (forall F' : (R * R -> Prop) -> Prop, Filter F' -> (forall P : R -> Prop, F P -> F' (fun s => P (fst s))) ->
    (forall P : R * R -> Prop, F (fun t => forall x, I x -> f t x = 0 -> P (t, x)) -> F' P) ->
    F' (fun s => I (snd s) /\ f (fst s) (snd s) = 0) -> filterlim q F' G) ->
  forall P, G P -> F (fun t => forall x, I x -> f t x = 0 -> P (q (t, x))).
Proof.
  intros F G I f q HF H. apply (H (fun P => F (fun t => forall x, I x -> f t x = 0 -> P (t, x)))).
  - split.
    + generalize (@filter_true _ F _). apply filter_imp. auto.
    + intros P Q HP HQ. generalize (filter_and _ _ HP HQ). apply filter_imp. intros t [Hp Hq] x Hx E. auto.
    + intros P Q HPQ. apply filter_imp. intros t Ht x Hx E. auto.
  - intros P HP. generalize HP. apply filter_imp. auto.
  - auto.
  - generalize (@filter_true _ F _). apply filter_imp. auto.
Qed.

Ltac each_solution F G I f q :=
  match goal with HP : _ ?P |- _ => refine (each_solution F G I f q _ _ P HP) end;
  [try typeclasses eauto .. | intros F' HF' lift all_of them].

Ltac as_said := repeat match goal with |- _ /\ _ => split end; intros;
  let rest := solve [tauto | unfold strictly_between in *; simpl in *; tauto] in match goal with
  | E : _ ?t ?x = 0, H : forall t x y : R, _ |- _ => apply (H t x); rest
  | H : _ |- _ => apply H; rest
  end.

Ltac moving lift all_of near := cbv beta; lazymatch goal with
  | |- Filter _ => assumption
  | |- filterlim _ _ _ => let Q := fresh in let HQ := fresh in intros Q HQ;
      match goal with H : filterlim _ _ _ |- _ => first [exact (lift _ (H Q HQ)) | exact (H Q HQ)] end
  | |- _ -> filterlim _ _ _ => let Q := fresh in let HQ := fresh in intros _ Q HQ;
      match goal with H : forall P : R -> Prop, _ P -> _ |- _ => exact (all_of (fun s => Q (snd s)) (H Q HQ)) end
  | |- forall x : R, _ -> filterlim _ _ _ => let x := fresh in let Hx := fresh in let Q := fresh in let HQ := fresh in
      intros x Hx Q HQ; match goal with H : forall x : R, _ -> _ -> filterlim _ _ _ |- _ =>
        exact (lift _ (H x (proj1 Hx) (proj2 Hx) Q HQ)) end
  | |- forall x : R, _ -> _ -> _ => as_said
  | |- _ _ => first [assumption
      | eapply filter_imp; [| exact (lift _ near)]; intros [t' x'] Hn'; cbn [fst snd] in *; intros; as_said]
  | _ => assumption
  end.

(** What is left to the point. *)
Lemma comes_down : forall p : R, filterlim (fun t => t - p) (at_right p) (locally 0).
Proof.
  intros p Q [e He]. exists e. intros t Ht Hpt. apply He. unfold ball in *. simpl in *.
  unfold AbsRing_ball, abs, minus, plus, opp in *. simpl in *. replace (t - p + - 0) with (t + - p) by ring. exact Ht.
Qed.

Lemma comes_up : forall p : R, filterlim (fun t => p - t) (at_left p) (locally 0).
Proof.
  intros p Q [e He]. exists e. intros t Ht Hpt. apply He. unfold ball in *. simpl in *.
  unfold AbsRing_ball, abs, minus, plus, opp in *. simpl in *. rewrite <- Rabs_Ropp.
  replace (- (p - t + - 0)) with (t + - p) by ring. exact Ht.
Qed.

Ltac leaves lift them near := generalize (filter_and _ _ them (lift _ near)); apply filter_imp;
  intros [t' x'] [[Hx' E'] Hn'];
  unfold strictly_between in *; simpl in *; match goal with |- (?a < _ < _) /\ _ => assert (a < x') end;
  [first [tauto | match goal with H : forall t x : R, _ |- _ => apply (H t'); tauto end]
  | split; [tauto |]; match goal with H : forall t x : R, _ |- _ => rewrite (H t') by tauto; ring end].

(** What a sign of the derivative on a part of an interval says. *)
Lemma falls_up_to : forall (I : R -> Prop) (f d : R -> R) (p : R), interval I ->
  (forall x, I x -> is_derive f x (d x)) -> (forall x, I x -> x <= p -> d x <= 0) ->
  forall y z, I y -> I z -> y <= p -> z <= p -> y <= z -> f z <= f y.
Proof.
  intros I f d p HI Hd Hs y z Hy Hz Hyp Hzp Hyz.
  assert (HJ : interval (fun x => I x /\ x <= p)).
  { intros u v w [Hu Hup] [Hv Hvp] Hw. split; [exact (HI u v w Hu Hv Hw) | lra]. }
  apply (decreasing_if_derivative_nonpositive (fun x => I x /\ x <= p) f d HJ); auto.
  - apply (continuous_on_derive _ f d). intros x [Hx _]. auto.
  - intros x Hx. apply Hd. apply (inside_in _ x HJ Hx).
  - intros x Hx. apply Hs; apply (inside_in _ x HJ Hx).
Qed.

Lemma rises_from : forall (I : R -> Prop) (f d : R -> R) (p : R), interval I ->
  (forall x, I x -> is_derive f x (d x)) -> (forall x, I x -> p <= x -> 0 <= d x) ->
  forall y z, I y -> I z -> p <= y -> p <= z -> y <= z -> f y <= f z.
Proof.
  intros I f d p HI Hd Hs y z Hy Hz Hyp Hzp Hyz.
  assert (HJ : interval (fun x => I x /\ p <= x)).
  { intros u v w [Hu Hup] [Hv Hvp] Hw. split; [exact (HI u v w Hu Hv Hw) | lra]. }
  apply (increasing_if_derivative_nonnegative (fun x => I x /\ p <= x) f d HJ); auto.
  - apply (continuous_on_derive _ f d). intros x [Hx _]. auto.
  - intros x Hx. apply Hd. apply (inside_in _ x HJ Hx).
  - intros x Hx. apply Hs; apply (inside_in _ x HJ Hx).
Qed.

(** Of three comparisons at a point the one that is said. *)
Ltac side_of_root q r := repeat match goal with P : ?H -> _, h : ?H |- _ => specialize (P h) end;
  destruct (Rtotal_order q r) as [?O | [?O | ?O]]; intuition lra.
