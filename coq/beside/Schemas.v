(** How a schema follows from its theorem: what stands before the goals that [make coq] asks.

    Premises come as [H1], [H2], …; a tactic must leave nothing. *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules Sentences Flows.

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
  intros I f Hf x Hx. apply (filterlim_comp _ _ _ f Ropp _ (locally (f x))); [exact (Hf x Hx) | apply (filterlim_opp (f x))].
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
