(** Finite sums over an index, expectations over finitely many answers, and the simplex.

    An index runs over 0, 1, ..., n - 1.  A function on it is a function of all natural numbers of which only these
    values matter: two families are the same when they agree below n. *)

From Coq Require Import Reals Lra Lia List Arith.
From Coquelicot Require Import Coquelicot.
Import ListNotations.
Open Scope R_scope.

(** * Sums over an index *)

(** [Sum n f] is f 0 + ... + f (n - 1). *)
Fixpoint Sum (n : nat) (f : nat -> R) : R :=
  match n with
  | O => 0
  | S k => Sum k f + f k
  end.

Lemma Sum_ext n f g : (forall i, (i < n)%nat -> f i = g i) -> Sum n f = Sum n g.
Proof.
  induction n as [|n IH]; intros H; [reflexivity|].
  simpl. rewrite IH; [|intros; apply H; lia]. rewrite H by lia. reflexivity.
Qed.

Lemma Sum_plus n f g : Sum n (fun i => f i + g i) = Sum n f + Sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_minus n f g : Sum n (fun i => f i - g i) = Sum n f - Sum n g.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_opp n f : Sum n (fun i => - f i) = - Sum n f.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_scal n c f : Sum n (fun i => c * f i) = c * Sum n f.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_scal_r n c f : Sum n (fun i => f i * c) = Sum n f * c.
Proof. induction n as [|n IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma Sum_div n c f : Sum n (fun i => f i / c) = Sum n f / c.
Proof. unfold Rdiv. apply Sum_scal_r. Qed.

Lemma Sum_const n c : Sum n (fun _ => c) = INR n * c.
Proof. induction n as [|n IH]; [simpl; lra|]. simpl Sum. rewrite IH, S_INR. lra. Qed.

Lemma Sum_zero n f : (forall i, (i < n)%nat -> f i = 0) -> Sum n f = 0.
Proof. intros H. rewrite (Sum_ext n f (fun _ => 0)) by assumption. rewrite Sum_const. lra. Qed.

Lemma Sum_swap n m (f : nat -> nat -> R) :
  Sum n (fun i => Sum m (fun j => f i j)) = Sum m (fun j => Sum n (fun i => f i j)).
Proof.
  induction n as [|n IH]; simpl.
  - symmetry. apply Sum_zero. reflexivity.
  - rewrite IH, Sum_plus. reflexivity.
Qed.

Lemma Sum_le n f g : (forall i, (i < n)%nat -> f i <= g i) -> Sum n f <= Sum n g.
Proof.
  induction n as [|n IH]; intros H; simpl; [lra|].
  apply Rplus_le_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma Sum_nonneg n f : (forall i, (i < n)%nat -> 0 <= f i) -> 0 <= Sum n f.
Proof. intros H. rewrite <- (Sum_zero n (fun _ => 0)) by reflexivity. apply Sum_le. exact H. Qed.

Lemma Sum_lt n f g k :
  (forall i, (i < n)%nat -> f i <= g i) -> (k < n)%nat -> f k < g k -> Sum n f < Sum n g.
Proof.
  induction n as [|n IH]; intros H Hk Hlt; [lia|]. simpl.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - apply Rplus_le_lt_compat; [apply Sum_le; intros; apply H; lia | exact Hlt].
  - apply Rplus_lt_le_compat; [apply IH; [intros; apply H; lia | lia | exact Hlt] | apply H; lia].
Qed.

Lemma Sum_pos n f k :
  (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> 0 < f k -> 0 < Sum n f.
Proof. intros H Hk Hp. rewrite <- (Sum_zero n (fun _ => 0)) by reflexivity. apply Sum_lt with k; assumption. Qed.

(** A term of a sum of terms that are not negative is at most the sum. *)
Lemma Sum_term_le n f k : (forall i, (i < n)%nat -> 0 <= f i) -> (k < n)%nat -> f k <= Sum n f.
Proof.
  induction n as [|n IH]; intros H Hk; [lia|]. simpl.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - assert (0 <= Sum n f) by (apply Sum_nonneg; intros; apply H; lia). lra.
  - assert (f k <= Sum n f) by (apply IH; [intros; apply H; lia | lia]).
    assert (0 <= f n) by (apply H; lia). lra.
Qed.

(** If a sum of terms that are not negative vanishes, every term does. *)
Lemma Sum_eq_0 n f :
  (forall i, (i < n)%nat -> 0 <= f i) -> Sum n f = 0 -> forall i, (i < n)%nat -> f i = 0.
Proof. intros H E i Hi. pose proof (Sum_term_le n f i H Hi). pose proof (H i Hi). lra. Qed.

Lemma Rabs_Sum n f : Rabs (Sum n f) <= Sum n (fun i => Rabs (f i)).
Proof.
  induction n as [|n IH]; simpl; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** [at_index k c] is the family that is c at k and 0 elsewhere. *)
Definition at_index (k : nat) (c : R) (i : nat) : R := if Nat.eqb i k then c else 0.

Lemma Sum_at_index n k c : (k < n)%nat -> Sum n (at_index k c) = c.
Proof.
  unfold at_index. induction n as [|n IH]; intros H; [lia|]. simpl.
  destruct (Nat.eqb_spec n k) as [->|Hne].
  - rewrite Sum_zero; [lra|]. intros i Hi. destruct (Nat.eqb_spec i k); [lia|reflexivity].
  - rewrite IH by lia. lra.
Qed.

(** [update f k x] is f with the value x at k. *)
Definition update (f : nat -> R) (k : nat) (x : R) (i : nat) : R := if Nat.eqb i k then x else f i.

Lemma update_same f k x : update f k x k = x.
Proof. unfold update. rewrite Nat.eqb_refl. reflexivity. Qed.

Lemma update_other f k x i : i <> k -> update f k x i = f i.
Proof. intros H. unfold update. destruct (Nat.eqb_spec i k); [contradiction|reflexivity]. Qed.

Lemma update_id f k i : update f k (f k) i = f i.
Proof. unfold update. destruct (Nat.eqb_spec i k) as [->|]; reflexivity. Qed.

(** A sum of a function of the values changes by one term when one value changes. *)
Lemma Sum_update n (h : nat -> R -> R) f k x : (k < n)%nat ->
  Sum n (fun i => h i (update f k x i)) = Sum n (fun i => h i (f i)) - h k (f k) + h k x.
Proof.
  induction n as [|n IH]; intros H; [lia|]. simpl.
  destruct (Nat.eq_dec k n) as [->|Hne].
  - rewrite update_same.
    rewrite (Sum_ext n _ (fun i => h i (f i))); [lra|].
    intros i Hi. rewrite update_other by lia. reflexivity.
  - rewrite IH by lia. rewrite (update_other f k x n) by lia. lra.
Qed.

Lemma Sum_2 f : Sum 2 f = f 0%nat + f 1%nat.
Proof. simpl. lra. Qed.

(** * Expectations over finitely many answers *)

(** [expect n pi f] is the expectation of f(o) for o drawn from pi. *)
Definition expect (n : nat) (pi f : nat -> R) : R := Sum n (fun o => pi o * f o).

Lemma expect_ext n pi f g :
  (forall o, (o < n)%nat -> f o = g o) -> expect n pi f = expect n pi g.
Proof. intros H. apply Sum_ext. intros o Ho. rewrite H by exact Ho. reflexivity. Qed.

Lemma expect_plus n pi f g : expect n pi (fun o => f o + g o) = expect n pi f + expect n pi g.
Proof. unfold expect. rewrite <- Sum_plus. apply Sum_ext. intros. lra. Qed.

Lemma expect_minus n pi f g : expect n pi (fun o => f o - g o) = expect n pi f - expect n pi g.
Proof. unfold expect. rewrite <- Sum_minus. apply Sum_ext. intros. lra. Qed.

Lemma expect_scal n pi c f : expect n pi (fun o => c * f o) = c * expect n pi f.
Proof. unfold expect. rewrite <- Sum_scal. apply Sum_ext. intros. lra. Qed.

(** * The simplex *)

(** A policy on n answers: no probability is negative, and they sum to one. *)
Definition policy (n : nat) (pi : nat -> R) : Prop :=
  (forall o, (o < n)%nat -> 0 <= pi o) /\ Sum n pi = 1.

(** A policy that gives every answer some probability. *)
Definition full_support (n : nat) (pi : nat -> R) : Prop :=
  (forall o, (o < n)%nat -> 0 < pi o) /\ Sum n pi = 1.

Lemma full_support_policy n pi : full_support n pi -> policy n pi.
Proof. intros [H1 H2]. split; [|exact H2]. intros o Ho. apply Rlt_le, H1, Ho. Qed.

Lemma policy_le_1 n pi o : policy n pi -> (o < n)%nat -> pi o <= 1.
Proof. intros [H1 H2] Ho. rewrite <- H2. apply Sum_term_le; assumption. Qed.

Lemma expect_const n pi c : policy n pi -> expect n pi (fun _ => c) = c.
Proof. intros [_ H]. unfold expect. rewrite Sum_scal_r, H. lra. Qed.

Lemma expect_affine n pi c d f : policy n pi -> expect n pi (fun o => c * f o + d) = c * expect n pi f + d.
Proof. intros H. rewrite expect_plus, expect_scal, expect_const by exact H. reflexivity. Qed.

Lemma expect_le n pi f g : policy n pi ->
  (forall o, (o < n)%nat -> f o <= g o) -> expect n pi f <= expect n pi g.
Proof. intros [H _] L. apply Sum_le. intros o Ho. apply Rmult_le_compat_l; auto. Qed.

(** Two answers: the first, called a in the papers, has probability x, and the second, b, the rest. *)
Definition binary (x : R) (o : nat) : R := match o with O => x | S O => 1 - x | _ => 0 end.

Lemma binary_policy x : 0 <= x <= 1 -> policy 2 (binary x).
Proof. intros H. split; [intros [|[|o]] Ho; simpl; lra || lia|]. simpl. lra. Qed.

Lemma binary_full x : 0 < x < 1 -> full_support 2 (binary x).
Proof. intros H. split; [intros [|[|o]] Ho; simpl; lra || lia|]. simpl. lra. Qed.

Lemma expect_binary x f : expect 2 (binary x) f = x * f 0%nat + (1 - x) * f 1%nat.
Proof. unfold expect. simpl. lra. Qed.

(** Every policy on two answers is [binary] of its first probability. *)
Lemma policy_2_binary pi : policy 2 pi -> forall o, (o < 2)%nat -> pi o = binary (pi 0%nat) o.
Proof. intros [_ H] [|[|o]] Ho; simpl in *; lra || lia. Qed.
