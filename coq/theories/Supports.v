(** * Policies that give up answers

    When the conditions of Karush, Kuhn and Tucker hold at them: the constraints are that probabilities are not
    negative and add up to one. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies.

Open Scope R_scope.

Definition has_multipliers (n : nat) (x d : nat -> R) : Prop :=
  exists lam gam, forall o, (o < n)%nat -> d o = lam - gam o /\ 0 <= gam o /\ gam o * x o = 0.

Lemma some_answer_is_used : forall n x, policy n x -> exists k, (k < n)%nat /\ 0 < x k.
Proof.
  intros n x [Hx S]. induction n as [| n IH]; [simpl in S; lra|].
  destruct (Rle_lt_or_eq_dec 0 (x n) (Hx n (Nat.lt_succ_diag_r n))) as [H | H]; [exists n; split; [lia | exact H]|].
  destruct IH as [k [Hk Hp]]; [intros; apply Hx; lia | simpl in S; lra |]. exists k. split; [lia | exact Hp].
Qed.

(** [d] are the derivatives of the objective in the probabilities. *)
Theorem multipliers_exactly_if_no_answer_is_steeper : forall (n : nat) (phi : nat -> R -> R) (x d : nat -> R)
    (condition : Prop), policy n x -> (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) ->
  (condition <-> forall k o, (k < n)%nat -> (o < n)%nat -> 0 < x k -> d o <= d k) ->
  (has_multipliers n x d <-> condition).
Proof.
  intros n phi x d condition Hx _ Hc. rewrite Hc. split.
  - intros [lam [gam H]] k o Hk Ho Hpos.
    destruct (H k Hk) as [Ek [_ Zk]]. destruct (H o Ho) as [Eo [Go _]].
    assert (gam k = 0) by (apply Rmult_integral in Zk; lra). lra.
  - intros H. destruct (some_answer_is_used n x Hx) as [k [Hk Hpos]].
    exists (d k), (fun o => d k - d o). intros o Ho. split; [ring|]. split; [specialize (H k o Hk Ho Hpos); lra|].
    destruct (Rle_lt_or_eq_dec 0 (x o) (proj1 Hx o Ho)) as [Hu | Hz]; [|rewrite <- Hz; ring].
    pose proof (H k o Hk Ho Hpos). pose proof (H o k Ho Hk Hu).
    replace (d k - d o) with 0 by lra. ring.
Qed.

(** If every used answer that is at least as steep as the answer [k], which is given up, had at most the probability
    [q], and these add up to less than one. *)
Theorem no_multipliers_if_the_used_answers_are_too_rare : forall (n k : nat) (phi : nat -> R -> R) (x d q : nat -> R),
    policy n x -> (forall o, (o < n)%nat -> is_derive (phi o) (x o) (d o)) -> (k < n)%nat -> x k = 0 ->
  (forall o, (o < n)%nat -> x o = 0 -> 0 <= q o) -> Sum n q < 1 ->
  (forall o, (o < n)%nat -> 0 < x o -> d k <= d o -> x o <= q o) -> ~ has_multipliers n x d.
Proof.
  intros n k phi x d q Hx _ Hk _ Hq Hs H [lam [gam Hm]].
  assert (Sum n x <= Sum n q).
  { apply Sum_le. intros o Ho. destruct (Rle_lt_or_eq_dec 0 (x o) (proj1 Hx o Ho)) as [Hu | Hz].
    - apply H; [exact Ho | exact Hu |]. destruct (Hm o Ho) as [Eo [_ Zo]]. destruct (Hm k Hk) as [Ek [Gk _]].
      assert (gam o = 0) by (apply Rmult_integral in Zo; lra). lra.
    - rewrite <- Hz. apply Hq; [exact Ho | symmetry; exact Hz]. }
  rewrite (proj2 Hx) in *. lra.
Qed.
