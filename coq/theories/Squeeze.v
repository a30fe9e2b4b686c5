(** * Limits between limits *)

From Coq Require Import Reals Lra.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** Of a sequence, or of a function at an end or at infinity: whatever the filter of what the variable does. *)
Theorem limit_between_limits : forall (T : Type) (F : (T -> Prop) -> Prop) (low f high : T -> R) (l : R), Filter F ->
  F (fun x => low x <= f x <= high x) -> filterlim low F (locally l) -> filterlim high F (locally l) ->
  filterlim f F (locally l).
Proof.
  intros T F low f high l HF H Hlow Hhigh P [eps Heps].
  specialize (Hlow (ball l eps) (locally_ball l eps)). specialize (Hhigh (ball l eps) (locally_ball l eps)).
  unfold filtermap in *. generalize (filter_and _ _ H (filter_and _ _ Hlow Hhigh)). apply filter_imp.
  intros x [[L U] [BL BU]]. apply Heps.
  unfold ball in *. simpl in *. unfold AbsRing_ball, abs, minus, plus, opp in *. simpl in *.
  apply Rabs_def2 in BL. apply Rabs_def2 in BU. apply Rabs_def1; lra.
Qed.
