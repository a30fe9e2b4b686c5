(** * Linear combinations of random numbers

    [averaging L E]: the functions of [L], those that have an expectation, are a space on which [E] is linear. So is the
    space of integrable functions of any probability space, and that of all functions under a law of finitely many
    values. *)

From Coq Require Import Reals Lra Lia.
From GrpoSymbolic Require Import Sums Groups.

Open Scope R_scope.

Definition averaging {A : Type} (L : (A -> R) -> Prop) (E : (A -> R) -> R) : Prop :=
  (L (fun _ => 1) /\ E (fun _ => 1) = 1) /\
  (forall f g, L f -> L g -> L (fun a => f a + g a) /\ E (fun a => f a + g a) = E f + E g) /\
  (forall c f, L f -> L (fun a => c * f a) /\ E (fun a => c * f a) = c * E f) /\
  (forall f g, (forall a, f a = g a) -> L f -> L g /\ E g = E f).

Definition covariance {A : Type} (E : (A -> R) -> R) (X Y : A -> R) : R :=
  E (fun a => (X a - E X) * (Y a - E Y)).

Definition variance {A : Type} (E : (A -> R) -> R) (X : A -> R) : R := covariance E X X.

(** Groups of numbers, each with its factors: [m] groups, the group [g] of [n g] numbers. *)
Definition combined (m : nat) (n : nat -> nat) (f : nat -> nat -> R) : R := Sum m (fun g => Sum (n g) (f g)).

Lemma combined_ext : forall m n f f', (forall g i, (g < m)%nat -> (i < n g)%nat -> f g i = f' g i) ->
  combined m n f = combined m n f'.
Proof. intros m n f f' H. apply Sum_ext. intros g Hg. apply Sum_ext. intros i Hi. auto. Qed.

Lemma combined_scal : forall m n c f, combined m n (fun g i => c * f g i) = c * combined m n f.
Proof.
  intros m n c f. unfold combined. rewrite <- Sum_scal. apply Sum_ext. intros g _. apply Sum_scal.
Qed.

Lemma combined_minus : forall m n f f', combined m n (fun g i => f g i - f' g i) = combined m n f - combined m n f'.
Proof.
  intros m n f f'. unfold combined. rewrite <- Sum_minus. apply Sum_ext. intros g _. apply Sum_minus.
Qed.

Lemma expectation_is_averaging : forall (A : Type) (E : (A -> R) -> R), expectation E -> averaging (fun _ => True) E.
Proof.
  intros A E HE. split; [split; [exact I | apply (E_const E HE)]|]. split; [|split].
  - intros f g _ _. split; [exact I | apply (E_plus E HE)].
  - intros c f _. split; [exact I | apply (E_scal E HE)].
  - intros f g H _. split; [exact I | apply (E_ext E HE); intro a; symmetry; apply H].
Qed.

Section Linear.
Context {A : Type} (L : (A -> R) -> Prop) (E : (A -> R) -> R) (HE : averaging L E).

Lemma average_const : forall c, L (fun _ => c) /\ E (fun _ => c) = c.
Proof.
  destruct HE as [[H1 E1] [_ [Hs He]]]. intro c. destruct (Hs c (fun _ => 1) H1) as [Hc Ec].
  destruct (He (fun _ => c * 1) (fun _ => c)) as [Hd Ed]; [intro; cbn beta; ring | exact Hc |].
  split; [exact Hd | rewrite Ed, Ec, E1; ring].
Qed.

Lemma average_sum : forall n (f : nat -> A -> R), (forall i, (i < n)%nat -> L (f i)) ->
  L (fun a => Sum n (fun i => f i a)) /\ E (fun a => Sum n (fun i => f i a)) = Sum n (fun i => E (f i)).
Proof.
  destruct HE as [_ [Hp _]]. induction n as [|n IH]; intros f H; simpl; [apply average_const|].
  destruct (IH f) as [HL HS]; [intros; apply H; lia|]. rewrite <- HS. apply Hp; [exact HL | apply H; lia].
Qed.

Lemma average_combined : forall m n (c : nat -> nat -> R) (f : nat -> nat -> A -> R),
  (forall g i, (g < m)%nat -> (i < n g)%nat -> L (f g i)) ->
  L (fun a => combined m n (fun g i => c g i * f g i a)) /\
  E (fun a => combined m n (fun g i => c g i * f g i a)) = combined m n (fun g i => c g i * E (f g i)).
Proof.
  intros m n c f H. destruct HE as [_ [_ [Hs _]]].
  assert (Hin : forall g, (g < m)%nat -> L (fun a => Sum (n g) (fun i => c g i * f g i a)) /\
    E (fun a => Sum (n g) (fun i => c g i * f g i a)) = Sum (n g) (fun i => c g i * E (f g i))).
  { intros g Hg. destruct (average_sum (n g) (fun i a => c g i * f g i a)) as [HL HS].
    - intros i Hi. apply Hs, H; assumption.
    - split; [exact HL|]. rewrite HS. apply Sum_ext. intros i Hi. apply Hs, H; assumption. }
  destruct (average_sum m (fun g a => Sum (n g) (fun i => c g i * f g i a))) as [HL HS];
    [intros; apply Hin; assumption|].
  split; [exact HL|]. unfold combined. rewrite HS. apply Sum_ext. intros g Hg. apply Hin, Hg.
Qed.

End Linear.

Theorem mean_of_a_linear_combination : forall (A : Type) (L : (A -> R) -> Prop) (E : (A -> R) -> R) (m : nat)
    (n : nat -> nat) (c : nat -> nat -> R) (X : nat -> nat -> A -> R) (d : R), averaging L E ->
  (forall g i, (g < m)%nat -> (i < n g)%nat -> L (X g i)) ->
  E (fun a => d + combined m n (fun g i => c g i * X g i a)) = d + combined m n (fun g i => c g i * E (X g i)).
Proof.
  intros A L E m n c X d HE HX. destruct (average_combined L E HE m n c X HX) as [HL HS].
  destruct (average_const L E HE d) as [Hd Ed]. destruct HE as [_ [Hp _]].
  rewrite (proj2 (Hp _ _ Hd HL)), Ed, HS. reflexivity.
Qed.

(** Numbers of different groups are uncorrelated. *)
Theorem variance_of_a_linear_combination : forall (A : Type) (L : (A -> R) -> Prop) (E : (A -> R) -> R) (m : nat)
    (n : nat -> nat) (c : nat -> nat -> R) (X : nat -> nat -> A -> R) (d : R), averaging L E ->
  (forall g i, (g < m)%nat -> (i < n g)%nat -> L (X g i)) ->
  (forall g i h k, (g < m)%nat -> (i < n g)%nat -> (h < m)%nat -> (k < n h)%nat ->
    L (fun a => (X g i a - E (X g i)) * (X h k a - E (X h k)))) ->
  (forall g i h k, (g < m)%nat -> (i < n g)%nat -> (h < m)%nat -> (k < n h)%nat -> g <> h ->
    covariance E (X g i) (X h k) = 0) ->
  variance E (fun a => d + combined m n (fun g i => c g i * X g i a)) =
  Sum m (fun g => Sum (n g) (fun i => Sum (n g) (fun k => c g i * c g k * covariance E (X g i) (X g k)))).
Proof.
  intros A L E m n c X d HE HX HXX Hap. unfold variance, covariance at 1.
  rewrite (mean_of_a_linear_combination A L E m n c X d HE HX).
  set (Z := fun g i a => X g i a - E (X g i)).
  set (Y := fun a => combined m n (fun g i => c g i * Z g i a)).
  assert (HY : forall a, d + combined m n (fun g i => c g i * X g i a) -
    (d + combined m n (fun g i => c g i * E (X g i))) = Y a).
  { intro a. unfold Y, Z. replace (fun g i => c g i * (X g i a - E (X g i))) with
      (fun g i => c g i * (X g i a - E (X g i))) by reflexivity.
    rewrite (combined_ext m n (fun g i => c g i * (X g i a - E (X g i)))
      (fun g i => c g i * X g i a - c g i * E (X g i))) by (intros; ring).
    rewrite combined_minus. ring. }
  assert (HZY : forall g i, (g < m)%nat -> (i < n g)%nat -> L (fun a => Z g i a * Y a) /\
    E (fun a => Z g i a * Y a) = combined m n (fun h k => c h k * covariance E (X g i) (X h k))).
  { intros g i Hg Hi.
    destruct (average_combined L E HE m n c (fun h k a => Z g i a * Z h k a)) as [HL HS].
    { intros h k Hh Hk. unfold Z. apply HXX; assumption. }
    destruct HE as [_ [_ [_ He]]].
    destruct (He (fun a => combined m n (fun h k => c h k * (Z g i a * Z h k a))) (fun a => Z g i a * Y a)) as
      [HL' HS'];
      [|exact HL|split; [exact HL' | rewrite HS', HS; reflexivity]].
    intro a. unfold Y. rewrite <- combined_scal. apply combined_ext. intros. ring. }
  destruct (average_combined L E HE m n c (fun g i a => Z g i a * Y a)) as [HL HS]; [intros; apply HZY; assumption|].
  destruct HE as [H1 [Hp [Hs He]]].
  assert (HEq : E (fun a => (d + combined m n (fun g i => c g i * X g i a) -
      (d + combined m n (fun g i => c g i * E (X g i)))) *
      (d + combined m n (fun g i => c g i * X g i a) - (d + combined m n (fun g i => c g i * E (X g i))))) =
    E (fun a => combined m n (fun g i => c g i * (Z g i a * Y a)))).
  { apply (He (fun a => combined m n (fun g i => c g i * (Z g i a * Y a)))); [|exact HL].
    intro a. rewrite HY. unfold Y at 2. rewrite Rmult_comm, <- combined_scal. apply combined_ext. intros. ring. }
  rewrite HEq, HS. apply Sum_ext. intros g Hg. apply Sum_ext. intros i Hi.
  rewrite (proj2 (HZY g i Hg Hi)), <- combined_scal. unfold combined.
  rewrite <- (Sum_at_index m g (Sum (n g) (fun k => c g i * c g k * covariance E (X g i) (X g k))) Hg).
  apply Sum_ext. intros h Hh. unfold at_index. destruct (Nat.eqb_spec h g) as [-> | Hne].
  - apply Sum_ext. intros. ring.
  - apply Sum_zero. intros k Hk. rewrite (Hap g i h k Hg Hi Hh Hk (not_eq_sym Hne)). ring.
Qed.

Theorem variance_of_an_uncorrelated_combination : forall (A : Type) (L : (A -> R) -> Prop) (E : (A -> R) -> R) (m : nat)
    (n : nat -> nat) (c : nat -> nat -> R) (X : nat -> nat -> A -> R) (d : R), averaging L E ->
  (forall g i, (g < m)%nat -> (i < n g)%nat -> L (X g i)) ->
  (forall g i h k, (g < m)%nat -> (i < n g)%nat -> (h < m)%nat -> (k < n h)%nat ->
    L (fun a => (X g i a - E (X g i)) * (X h k a - E (X h k)))) ->
  (forall g i h k, (g < m)%nat -> (i < n g)%nat -> (h < m)%nat -> (k < n h)%nat -> g <> h \/ i <> k ->
    covariance E (X g i) (X h k) = 0) ->
  variance E (fun a => d + combined m n (fun g i => c g i * X g i a)) =
  Sum m (fun g => Sum (n g) (fun i => c g i ^ 2 * variance E (X g i))).
Proof.
  intros A L E m n c X d HE HX HXX Hap.
  rewrite (variance_of_a_linear_combination A L E m n c X d HE HX HXX) by (intros; apply Hap; auto).
  apply Sum_ext. intros g Hg. apply Sum_ext. intros i Hi.
  rewrite <- (Sum_at_index (n g) i (c g i ^ 2 * variance E (X g i)) Hi).
  apply Sum_ext. intros k Hk. unfold at_index. destruct (Nat.eqb_spec k i) as [-> | Hne].
  - unfold variance. ring.
  - rewrite (Hap g i g k Hg Hi Hg Hk (or_intror (not_eq_sym Hne))). ring.
Qed.
