(** * The expected step of a group

    Every member's weight times what it has more than the group's average. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups.
Import ListNotations.

Open Scope R_scope.

Theorem centred_weights_of_a_group : forall (A : Type) (E : (A -> R) -> R) (G : nat) (r w : A -> R), expectation E ->
  (0 < G)%nat ->
  draws E G (fun s => mean (map (fun a => (r a - mean (map r s)) * w a) s)) =
  (1 - 1 / INR G) * (E (fun a => r a * w a) - E r * E w).
Proof.
  intros A E [|N] r w HE HG; [lia|]. clear HG.
  assert (HN : INR (S N) <> 0) by (apply not_0_INR; lia).
  assert (Hmean : forall l, length l = S N -> mean l = / INR (S N) * list_sum l).
  { intros l Hl. unfold mean. rewrite Hl. field. exact HN. }
  set (F := fun (a : A) (s : list A) => (r a - mean (map r s)) * w a).
  assert (HF : forall a s s', Permutation s s' -> F a s = F a s').
  { intros a s s' H. unfold F. rewrite (mean_perm (map r s) (map r s')); [reflexivity | apply Permutation_map, H]. }
  rewrite (draws_ext E HE (S N) _ (fun s => / INR (S N) * list_sum (map (fun a => F a s) s))).
  2:{ intros s Hs. rewrite Hmean by (rewrite map_length; exact Hs). reflexivity. }
  rewrite (E_scal _ (draws_expectation E HE (S N))), (draws_exchange E HE N F HF).
  rewrite (E_ext E HE _ (fun a => INR N / INR (S N) * (r a * w a) + (- (INR N / INR (S N)) * E r) * w a)).
  2:{ intro a. unfold F.
    rewrite (draws_ext E HE N _ (fun s => (r a - r a / INR (S N)) * w a +
      (- (w a / INR (S N))) * list_sum (map (fun b => (fun b _ => r b) b s) s))).
    2:{ intros s Hs. rewrite Hmean by (rewrite map_length; simpl; rewrite Hs; reflexivity).
        cbn [map list_sum]. change (map (fun b : A => r b) s) with (map r s). field. exact HN. }
    rewrite (E_plus _ (draws_expectation E HE N)), (E_const _ (draws_expectation E HE N)),
      (E_scal _ (draws_expectation E HE N)).
    assert (Hsum : draws E N (fun s => list_sum (map (fun b => (fun b (_ : list A) => r b) b s) s)) = INR N * E r).
    { destruct N as [|N]; [simpl; lra|]. rewrite (draws_exchange E HE N (fun b _ => r b)) by reflexivity. f_equal.
      apply (E_ext E HE). intro b. apply (E_const _ (draws_expectation E HE N)). }
    rewrite Hsum. rewrite S_INR in *. field. exact HN. }
  rewrite (E_plus E HE), !(E_scal E HE). rewrite S_INR in *. field. exact HN.
Qed.

(** ** Groups in one list *)

Lemma Sum_shifted : forall (m n : nat) (f : nat -> R), Sum (m + n) f = Sum m f + Sum n (fun i => f (m + i)%nat).
Proof.
  intros m n f. induction n as [|n IH]; simpl; [rewrite Nat.add_0_r; ring|].
  rewrite Nat.add_succ_r. simpl. rewrite IH. ring.
Qed.

Theorem groups_in_one_list : forall (Q G : nat) (f : nat -> R) (h : nat -> nat -> R),
  (forall q g, (q < Q)%nat -> (g < G)%nat -> h q g = f (q * G + g)%nat) ->
  Sum Q (fun q => Sum G (h q)) = Sum (Q * G) f.
Proof.
  intros Q G f h H. induction Q as [|Q IH]; [reflexivity|].
  replace (S Q * G)%nat with (Q * G + G)%nat by ring. rewrite Sum_shifted, <- IH by (intros; apply H; lia).
  simpl. f_equal. apply Sum_ext. intros g Hg. apply H; lia.
Qed.

Theorem sums_may_be_exchanged : forall (n m : nat) (f : nat -> nat -> R) (c value : R),
  c * Sum m (fun o => Sum n (fun i => f i o)) = value -> c * Sum n (fun i => Sum m (f i)) = value.
Proof. intros n m f c value H. rewrite <- H. f_equal. apply (Sum_swap n m f). Qed.

(** ** Independent numbers of one law *)

Fixpoint list_product (l : list R) : R := match l with [] => 1 | x :: t => x * list_product t end.

Theorem mean_of_a_product_of_independent_numbers : forall (A : Type) (E : (A -> R) -> R) (n : nat) (x : A -> R),
  expectation E -> draws E n (fun s => list_product (map x s)) = E x ^ n.
Proof.
  intros A E n x HE. induction n as [|n IH]; [reflexivity|]. simpl.
  rewrite (E_ext E HE _ (fun a => E x ^ n * x a)).
  - rewrite (E_scal E HE). ring.
  - intro a. rewrite (E_scal (draws E n) (draws_expectation E HE n)), IH. ring.
Qed.
