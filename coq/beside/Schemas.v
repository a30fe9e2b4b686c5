(** How a schema follows from its theorem: what stands before the goals that [make coq] asks.

    Premises come as [H1], [H2], …; a tactic must leave nothing. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Spaces LargeGroups Clipping Programs ClippedMaxima.
From GrpoSymbolic Require Import Rules Limits Sentences Convexity Flows Own Binomials Cycles Multipliers.

Open Scope R_scope.

(** Members are numbered from 1 in schemas, and from 0 in the theorems. *)
Definition total (n : nat) (f : nat -> R) : R := Sum n (fun i => f (S i)).
Definition multiplied (n : nat) (f : nat -> R) : R := product n (fun i => f (S i)).

(** Strictly concave between two lists of a set, where that has what is between them. *)
Definition mixed (t : R) (x y : nat -> R) (i : nat) : R := t * x i + (1 - t) * y i.

Definition strictly_concave_among (n : nat) (D : (nat -> R) -> Prop) (f : (nat -> R) -> R) : Prop :=
  forall x y t, D x -> D y -> D (mixed t x y) -> (exists i, (i < n)%nat /\ x i <> y i) -> 0 < t < 1 ->
  t * f x + (1 - t) * f y < f (mixed t x y).

(** A list in the place of one family, or of two, one behind the other. *)
Definition first (y : nat -> R) (i : nat) : R := y (pred i).
Definition second (n : nat) (y : nat -> R) (i : nat) : R := y (n + pred i)%nat.

(** The slopes [d] are a multiplier less others that are not negative, and vanish where [x] does not. *)
Definition has_multiplier (n : nat) (lam : R) (x : nat -> R) (d : nat -> R -> R) : Prop :=
  exists gam, forall i, (1 <= i <= n)%nat -> d i (x i) = lam - gam i /\ 0 <= gam i /\ gam i * x i = 0.

(** [to] sends a minimiser of [f] among [D] to one of [g] among [E], and nothing else to one. *)
Definition same_minimisers (D E : (nat -> R) -> Prop) (f g : (nat -> R) -> R) (to : (nat -> R) -> nat -> R) : Prop :=
  forall x, D x -> E (to x) /\ ((forall y, D y -> f x <= f y) <-> (forall y, E y -> g (to x) <= g y)).

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

Lemma from_some_number_on : forall u, eventually (fun n => u <= INR n).
Proof.
  intros u. destruct (nfloor_ex (Rmax 0 u) (Rmax_l 0 u)) as [N HN]. exists (S N). intros n Hn. apply le_INR in Hn.
  rewrite S_INR in Hn. pose proof (Rmax_r 0 u). lra.
Qed.

(** What is said of all values on the way is so near its end. *)
Ltac along_the_way near := match goal with
  | |- Filter _ => typeclasses eauto
  | |- filterlim _ _ _ => assumption
  | |- _ => eapply filter_imp; [| exact near]; intros t' Ht'; unfold strictly_between in *; simpl in *; split;
      match goal with H : forall _, _ |- _ => solve [apply H; tauto] end
  end.

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

(** At a point of the set, where the derivatives are known. *)
Ltac at_a_peak T p := match goal with Hp : _ p |- _ => let S := fresh in
  assert (S : exists z, _ z) by (exists p; exact Hp);
  repeat match goal with H : (exists z : R, _ z) -> _ |- _ => specialize (H S) end;
  match goal with H1 : forall x : R, _ -> x = p -> is_derive _ x _, H2 : forall x : R, _ -> x = p -> _ /\ _ |- _ =>
    specialize (H1 p Hp eq_refl); destruct (H2 p Hp eq_refl) end;
  apply T; first [assumption | match goal with E : _ = _ |- is_derive _ _ _ => rewrite <- E; assumption end] end.

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

(** Members by their numbers. *)
Lemma every_number : forall (n : nat) (P : nat -> Prop),
  (forall i, (1 <= i <= n)%nat -> P i) <-> (forall i, (i < n)%nat -> P (S i)).
Proof.
  intros n P. split; intros H i Hi; [apply H; lia |]. replace i with (S (i - 1)) by lia. apply H. lia.
Qed.

Lemma pairs_of : forall (n m : nat) (w : nat -> nat -> R),
  total n (fun i => total m (fun j => w i j)) = Sum n (fun i => Sum m (fun j => w (S i) (S j))).
Proof. reflexivity. Qed.

(** A sum of terms that is not known to be no less than another number, unless each of its terms is. *)
Lemma ordered : forall (n : nat -> nat) (m : nat) (f : nat -> nat -> R),
  (forall (E : nat -> nat -> Prop) (left right : R), left - right = Sum m (fun j => Sum (n j) (f j)) ->
    (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= f j i) ->
    (forall j i, (j < m)%nat -> (i < n j)%nat -> (f j i = 0 <-> E j i)) ->
    right <= left /\ (left = right <-> forall j i, (j < m)%nat -> (i < n j)%nat -> E j i)) ->
  forall left right, left - right = Sum m (fun j => Sum (n j) (f j)) ->
    (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= f j i) -> right <= left.
Proof. intros n m f H left right Hgap Hpos. apply (H (fun j i => f j i = 0) left right Hgap Hpos). tauto. Qed.

Lemma decided : forall A B C : Prop, A /\ (B <-> C) -> forall D : Prop, (C <-> D) -> A /\ (B <-> D).
Proof. tauto. Qed.

(** What is said of all numbers of members, from 1 or from 0 on, of one list or of two. *)
Ltac each_list := repeat match goal with
  | j : nat, Hj : (?j < S _)%nat |- _ => destruct j as [| j]; simpl in *; try lia
  end.

Ltac of_number := match goal with
  | H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ <-> _ => apply iff_sym, H; solve [lia | auto with arith | intros; of_number]
  | H : forall i : nat, (1 <= i <= _)%nat -> forall j : nat, _ |- _ <-> _ => apply iff_sym, H; lia
  | H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ => apply H; solve [lia | auto with arith | intros; of_number]
  | H : forall i : nat, (1 <= i <= _)%nat -> forall j : nat, _ |- _ => apply H; lia
  | i : nat, H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ => pose proof (H (S i) ltac:(lia)); lra
  | i : nat, t : R, H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ => pose proof (H (S i) ltac:(lia) t ltac:(assumption)); lra
  | H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ => pose proof (H 1%nat ltac:(lia)); lra
  end.

Ltac numbered := first
  [ assumption
  | unfold total in *; cbv beta in *; simpl in *; intros;
    repeat match goal with |- context [S (?o - 1)] => replace (S (o - 1)) with o by lia end; first
    [ lra | lia | assumption | of_number
    | each_list; first [lra | lia | of_number | apply Sum_nonneg; intros; of_number] ] ].

(** That something is so of all of them is the same from 1 and from 0 on. *)
Ltac from_zero := match goal with
  | D : forall j i : nat, (j < _)%nat -> _ |- forall i : nat, (1 <= i <= _)%nat -> _ => let i := fresh in let Hi := fresh in
      intros i Hi; destruct i as [| i]; [lia |]; first
      [ apply (D 0%nat i); simpl; lia | apply (D 1%nat i); simpl; lia
      | let j := fresh in let Hj := fresh in intros j Hj; destruct j as [| j]; [lia |]; apply D; lia ]
  end.

Ltac same_members := unfold total in *; cbv beta in *; split;
  [ let D := fresh in intros D; repeat match goal with |- _ /\ _ => split end; from_zero
  | let D := fresh in intros D; taken_apart; intros; each_list; of_number ].

(** A difference that is a sum, which is nothing from a number on. *)
Ltac settled_sum n settled gap := let t := fresh in let Ht := fresh in intros t Ht;
  match type of Ht with Rmax ?s ?u <= _ => pose proof (Rmax_l s u); pose proof (Rmax_r s u) end;
  specialize (settled t ltac:(lra)); rewrite (Sum_zero n (fun _ => 0)), ?Sum_plus, ?Sum_scal in settled by reflexivity;
  specialize (gap 1%nat ltac:(lia) t ltac:(lra)); unfold total in *; lra.

(** A sum of sums, with a factor, beside one over a list that has as many members. *)
Lemma scaled_sums : forall (m n : nat) (c : R) (w : nat -> nat -> R),
  c * Sum m (fun q => Sum n (w q)) = Sum m (fun q => Sum n (fun g => c * w q g)).
Proof. intros m n c w. rewrite <- Sum_scal. apply Sum_ext. intros q _. symmetry. apply Sum_scal. Qed.

Ltac in_one_list m n := subst; unfold total; rewrite scaled_sums, <- (Sum_scal (m * n)).

(** Programs of numbered policies, of which each may be any. *)
Ltac separate T := let Hw := fresh in let Hx := fresh in let there := fresh in let back := fresh in
  destruct T as [there back]; [numbered | numbered |]; unfold total; split;
  [ let H := fresh in let q := fresh in intros H q; destruct q as [| q]; [lia |]; intros; apply there; [| lia | assumption];
    let y := fresh in let Hy := fresh in intros y Hy; apply (H (fun q => y (pred q)));
    let z := fresh in intros z ?; destruct z as [| z]; [lia | apply Hy; lia]
  | let H := fresh in let y := fresh in let Hy := fresh in intros H y Hy; apply (back (fun q Hq => H (S q) ltac:(lia)) (fun q => y (S q)));
    intros; apply Hy; lia ].

(** A penalty that is convex in each probability is taken off. *)
Lemma taken_off : forall (n : nat) (h : nat -> R) (a : R), a - Sum n h = a + Sum n (fun o => - h o).
Proof. intros n h a. rewrite Sum_opp. ring. Qed.

Ltac with_penalty T := let there := fresh in let back := fresh in destruct T as [there back]; try assumption; first
  [ solve [intros; match goal with H : forall x y : R, _ |- _ => apply H; lra end]
  | solve [intros q x y t Hq Hx Hy Ht; match goal with H : forall i : nat, (1 <= i <= _)%nat -> _ |- _ =>
      pose proof (H (S q) ltac:(lia) x y t Hx Hy Ht) end; cbv beta in *; lra]
  | cbv beta zeta in *; split; intros H' p Hp; rewrite !taken_off; [apply there | apply back]; try exact Hp;
    intros q Hq; specialize (H' q Hq); rewrite !taken_off in H'; exact H' ].

(** What answers lose with other probabilities than the best. *)
Ltac of_each_answer := first [assumption | let i := fresh in let Hi := fresh in let z := fresh in let Hz := fresh in
  intros i Hi z Hz; match goal with H : forall i : nat, _ -> forall z : R, 0 < z -> _ = _ i z |- _ = _ i z =>
    pose proof (H i Hi z Hz); lra end].

(** A size that is, for short lengths, what it is said to be. *)
Lemma same_right : forall (f g : R -> R) (F : (R -> Prop) -> Prop), (forall t, 0 < t -> f t = g t) ->
  filterlim f (at_right 0) F -> filterlim g (at_right 0) F.
Proof.
  intros f g F H. apply filterlim_ext_loc. exists (mkposreal 1 Rlt_0_1). intros t _ Ht. apply H, Ht.
Qed.

Ltac sized f T := eapply same_right; [| apply T; auto];
  let t := fresh in let Ht := fresh in intros t Ht; cbv beta;
  match goal with H : forall t : R, 0 < t -> f t = _ |- _ => rewrite (H t Ht); f_equal; f_equal; ring end.

(** Rewards that are certain, of members who are numbered from 1. *)
Ltac certain_rewards T o := rewrite <- seq_shift, map_map; rewrite T; [| lia | numbered];
  match goal with H : ?b = _ |- _ = ?b => rewrite H end; replace (S (o - 1)) with o by lia; unfold total, Rdiv;
  rewrite (Rmult_comm (/ sqrt _)); f_equal; [ring | do 3 f_equal; apply Sum_ext; intros; ring].

(** Expectations over a number of successes: the theorems have several, each with a factor. *)
Ltac of_coefficients := intros; cbn [Sum] in *; first
  [ assumption | lia
  | match goal with k : nat, H : forall z : nat, (z <= _)%nat -> _ |- _ =>
      let D := fresh in pose proof (H k ltac:(lia) ltac:(lia)) as D; cbn [Nat.add] in D; lra end ].

Ltac by_differences T I := let U := fresh in let M := fresh in
  assert (U : forall y, I y -> unit_interval y) by (let y := fresh in let Hy := fresh in intros y Hy; unfold unit_interval;
    match goal with H : forall x : R, I x -> _ /\ _ |- _ => destruct (H y Hy) end; lra);
  assert (M := T); repeat match type of M with ?P -> _ => specialize (M ltac:(of_coefficients)) end.

Ltac increasing_inside I := match goal with
  U : forall y : R, I y -> unit_interval y, E : forall x : R, I x -> _ = _, M : ?shape unit_interval ?g |- _ =>
    let y := fresh in let z := fresh in let Hy := fresh in let Hz := fresh in let Ho := fresh in
    intros y z Hy Hz Ho; cbv beta; rewrite !E by assumption; specialize (M y z (U y Hy) (U z Hz) Ho); cbn [Sum] in M; lra
  end.

Ltac convex_inside I := match goal with
  HI : interval _, U : forall y : R, I y -> unit_interval y, E : forall x : R, I x -> _ = _, M : ?shape unit_interval ?g
  |- _ => let y := fresh in let z := fresh in let t := fresh in let Hy := fresh in let Hz := fresh in
    intros y z t Hy Hz; intros; assert (I (t * y + (1 - t) * z)) by
      (destruct (Rle_or_lt y z); [apply (HI y z) | apply (HI z y)]; try assumption; nra);
    cbv beta; rewrite !E by assumption; specialize (M y z t (U y Hy) (U z Hz));
    repeat match type of M with ?P -> _ => specialize (M ltac:(assumption)) end; cbn [Sum] in M; lra
  end.

Ltac at_an_end T := let M := fresh in assert (M := T ltac:(cbn [Sum]; lra)); cbn [Sum] in M; simpl;
  refine (filterlim_ext_loc _ _ _ M);
  exists (mkposreal 1 Rlt_0_1); let y := fresh in let Hy := fresh in intros y Hy ?; apply Rabs_def2 in Hy;
  simpl in Hy; unfold minus, plus, opp in Hy; simpl in Hy;
  match goal with H : forall x : R, _ |- _ => rewrite H by lra end; lra.

Ltac of_polynomial := intros; cbn [Sum] in *; simpl falling; first
  [ lra | lia
  | match goal with k : nat |- _ => repeat match goal with H : forall z : nat, (z <= _)%nat -> _ |- _ =>
      let D := fresh in pose proof (H k ltac:(lia)) as D; clear H end; lra end ].

Ltac between_counts := intros; cbn [Nat.add] in *; first
  [ lra | lia
  | left; split; [reflexivity | assumption]
  | right; split; [assumption | rewrite ?S_INR; lra]
  | match goal with H : forall z : nat, (z <= _)%nat -> _, k : nat |- _ =>
      let D := fresh in pose proof (H k ltac:(lia) ltac:(lia)) as D; cbv beta; rewrite ?S_INR in *; lra end ].

Ltac one_more_draw T := cbn [Nat.add] in *; let M := fresh in assert (M := T);
  repeat match type of M with ?P -> _ => specialize (M ltac:(between_counts)) end; lra.

Ltac reflected T := subst; let M := fresh in assert (M := T ltac:(assumption)); rewrite M; f_equal; lra.

(** One of the cases, in each of which it holds. *)
Ltac in_each_case T := refine (T _ _ tt I);
  [intros ? ?; rewrite !Exists_cons; tauto | repeat constructor; intros ? ? ?; auto].

(** Functions of families: what is said of each number is said of those from 0 on. *)
Ltac of_families := match goal with H : forall _ : nat -> R, _ |- _ => solve [eapply H; eassumption] end.

Ltac kept T D E f g to back := let there := fresh in let here := fresh in let z := fresh in let Hz := fresh in
  destruct (T _ _ D E f g to back) as [there here]; [intros ? [? ?]; of_families .. |];
  split; intros z Hz; (split; [destruct Hz; of_families | first [apply there | apply here]; exact Hz]).

(** Two lists as one, of which a theorem is: members are numbered from 0 there. *)
Definition one_list {A : Type} (n : nat) (f w : nat -> A) (o : nat) : A :=
  if lt_dec o n then f (S o) else w (S (o - n)).

Lemma in_one : forall (n m : nat) (f w : nat -> R -> R) (y : nat -> R),
  total n (fun i => f i (first y i)) + total m (fun e => w e (second n y e)) =
  Sum (n + m) (fun o => one_list n f w o (y o)).
Proof.
  intros n m f w y. unfold total, one_list, first, second. simpl. induction m as [| m IH].
  - rewrite Nat.add_0_r. simpl. rewrite Rplus_0_r. apply Sum_ext. intros o Ho. destruct (lt_dec o n); [reflexivity | lia].
  - rewrite <- plus_n_Sm. simpl. rewrite <- IH. destruct (lt_dec (n + m) n); [lia |].
    replace (n + m - n)%nat with m by lia. ring.
Qed.

Lemma in_second : forall (n o : nat) (y : nat -> R), ~ (o < n)%nat -> second n y (S (o - n)) = y o.
Proof. intros n o y Ho. unfold second. simpl. f_equal. lia. Qed.

Ltac in_either n := let o := fresh in let Ho := fresh in intros o Ho; unfold one_list; try destruct (lt_dec o n).

(** That a number of a family is positive. *)
Ltac is_positive D := match goal with
  | K : _ |- 0 < ?y ?o => exact (K _ D (S o) ltac:(lia))
  | K : _ |- 0 < ?y ?o => exact (K _ _ D (S o) ltac:(lia))
  | K : _ |- 0 < ?y (_ + ?e)%nat => exact (K _ _ D (S e) ltac:(lia))
  | K : _, N : ~ (?o < ?n)%nat |- 0 < ?y ?o => rewrite <- (in_second n o y N); exact (K _ _ D (S (o - n)) ltac:(lia))
  end.

Ltac concave T sums size n f := let x := fresh in let y := fresh in let t := fresh in let Dx := fresh in
  let Dy := fresh in intros x y t Dx Dy; intros; rewrite !sums by assumption; rewrite ?in_one; apply (T size f x y t);
  try assumption; in_either n;
  first [split; [is_positive Dx | is_positive Dy] | match goal with H : _ |- _ => apply H; lia end].

(** At a maximum over policies: near one are those that keep the answers that it keeps. *)
Ltac of_answer n G := let i := fresh in let Hi := fresh in intros i Hi; destruct i as [| i]; [lia |]; first
  [ exact (G i ltac:(lia))
  | generalize (G i ltac:(lia)); unfold one_list; destruct (lt_dec i n); [trivial | lia]
  | generalize (G (n + i)%nat ltac:(lia)); unfold one_list; destruct (lt_dec (n + i) n); [lia |];
    replace (n + i - n)%nat with i by lia; trivial ].

Ltac at_maximum T sums All size n f J d := match goal with At : _, Most : local_maximum _ _ ?x |- _ =>
  let N := fresh in let lam := fresh in let gam := fresh in let G := fresh in let i := fresh in
  destruct (T size f J x (fun o => d o (x o))) as [lam [gam G]];
  [ intros ? N; cbv beta; rewrite sums; [rewrite ?in_one; reflexivity |]; apply All; first [exact I |
    intros i ?; destruct i; [lia |]; apply N; [lia | is_positive At]]
  | in_either n; match goal with H : _ |- is_derive _ _ _ => apply H; first [lia | is_positive At] end
  | exact Most
  | exists lam; first [exists (first gam); of_answer n G | split; [exists (first gam) | exists (second n gam)]; of_answer n G] ]
  end.
