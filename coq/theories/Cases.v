(** * Cases *)

From Coq Require Import List.

Theorem holds_in_each_case : forall (A : Type) (D P : A -> Prop) (cases : list (A -> Prop)),
  (forall a, D a -> Exists (fun C : A -> Prop => C a) cases)
    -> Forall (fun C : A -> Prop => forall a, D a -> C a -> P a) cases ->
  forall a, D a -> P a.
Proof.
  intros A D P cases Hall Heach a Ha. specialize (Hall a Ha). rewrite Exists_exists in Hall.
  rewrite Forall_forall in Heach. destruct Hall as [C [HC HCa]]. exact (Heach C HC a Ha HCa).
Qed.
