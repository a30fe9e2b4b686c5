(* What every proof may use: case distinctions, signs, and the lemmas about exp and ln. Nothing is assumed here. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

Definition sgn (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.

(* The sum of f 1, …, f n. *)
Fixpoint total (f : nat -> R) (n : nat) : R := match n with O => 0 | S k => total f k + f n end.

(* The family with another number at one place. *)
Definition with_entry (f : nat -> R) (i : nat) (x : R) : nat -> R := fun j => if Nat.eq_dec j i then x else f j.

(* The partial derivative of J along the entry f i is d. *)
Definition is_derive_in_entry (J : (nat -> R) -> R) (f : nat -> R) (i : nat) (d : R) : Prop :=
  is_derive (fun x => J (with_entry f i x)) (f i) d.

Lemma total_ext : forall f g n, (forall i, (1 <= i <= n)%nat -> f i = g i) -> total f n = total g n.
Proof. intros f g n. induction n as [|n IH]; intros H;
  [reflexivity | simpl; rewrite IH, (H (S n)); [reflexivity | lia | intros; apply H; lia]]. Qed.

Lemma total_plus : forall f g n, total f n + total g n = total (fun i => f i + g i) n.
Proof. intros f g n. induction n as [|n IH]; simpl; [ring | rewrite <- IH; ring]. Qed.

Lemma total_times : forall c f n, c * total f n = total (fun i => c * f i) n.
Proof. intros c f n. induction n as [|n IH]; simpl; [ring | rewrite <- IH; ring]. Qed.

Lemma total_one : forall n, total (fun _ => 1) n = INR n.
Proof. induction n as [|n IH]; [reflexivity | rewrite S_INR; simpl; rewrite IH; ring]. Qed.

Lemma total_nonneg : forall f n, (forall i, (1 <= i <= n)%nat -> 0 <= f i) -> 0 <= total f n.
Proof.
  intros f n. induction n as [|n IH]; intros H; simpl; [lra|].
  apply Rplus_le_le_0_compat; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma total_positive : forall f n, (1 <= n)%nat -> (forall i, (1 <= i <= n)%nat -> 0 < f i) -> 0 < total f n.
Proof.
  intros f n L H. destruct n as [|n]; [lia|]. simpl.
  apply Rplus_le_lt_0_compat; [apply total_nonneg; intros; apply Rlt_le, H; lia | apply H; lia].
Qed.

Lemma total_swap : forall (f : nat -> nat -> R) m n,
  total (fun i => total (f i) m) n = total (fun j => total (fun i => f i j) n) m.
Proof.
  intros f m n. induction n as [|n IH]; simpl.
  - induction m as [|m IH]; simpl; [reflexivity | rewrite <- IH; ring].
  - rewrite IH, total_plus. apply total_ext. intros. reflexivity.
Qed.

Lemma total_at : forall f n i, (1 <= i <= n)%nat -> total (fun k => (if Nat.eq_dec i k then 1 else 0) * f k) n = f i.
Proof.
  intros f n i. induction n as [|n IH]; intros H; [lia|]. simpl. destruct (Nat.eq_dec i (S n)) as [->|N].
  - rewrite (total_ext _ (fun _ => 0 * 1)); [rewrite <- total_times; ring|].
    intros k L. destruct (Nat.eq_dec (S n) k); [lia | ring].
  - rewrite IH by lia. ring.
Qed.

(* Of a sum over the entries, each taken by itself, only one term moves with one of them. *)
Lemma total_in_entry : forall (h : nat -> R -> R) f i n d, (1 <= i <= n)%nat -> is_derive (h i) (f i) d ->
  is_derive_in_entry (fun q => total (fun j => h j (q j)) n) f i d.
Proof.
  intros h f i n d I D. unfold is_derive_in_entry.
  apply (is_derive_ext (fun x => total (fun j => h j (f j)) n - h i (f i) + h i x)).
  - intros x. induction n as [|n IH]; [lia|]. simpl. unfold with_entry at 2. destruct (Nat.eq_dec (S n) i) as [<-|N].
    + rewrite (total_ext (fun j => h j (with_entry f (S n) x j)) (fun j => h j (f j))); [ring|].
      intros j J. unfold with_entry. destruct (Nat.eq_dec j (S n)); [lia | reflexivity].
    + rewrite <- IH by lia. ring.
  - replace d with (0 + d) by ring. apply (is_derive_plus (fun _ => _) (h i) (f i) 0 d); [|exact D].
    apply (is_derive_const (K := R_AbsRing) (V := R_NormedModule)).
Qed.

Lemma some : forall x n, x = INR n -> 0 < x -> (1 <= n)%nat.
Proof. intros x n -> H. change 0 with (INR 0) in H. apply INR_lt in H. exact H. Qed.

Lemma several : forall x n, x = INR n -> 2 <= x -> (2 <= n)%nat.
Proof. intros x n -> H. apply INR_le. simpl. lra. Qed.

(* An entry is at most the sum of all, and less where there are others. *)
Lemma entry_le : forall f n j, (forall i, (1 <= i <= n)%nat -> 0 < f i) -> (1 <= j <= n)%nat -> f j <= total f n.
Proof.
  intros f n j. induction n as [|n IH]; intros P H; [lia|]. simpl. destruct (Nat.eq_dec j (S n)) as [->|N].
  - assert (0 <= total f n) by (apply total_nonneg; intros; apply Rlt_le, P; lia). lra.
  - assert (0 < f (S n)) by (apply P; lia). assert (f j <= total f n) by (apply IH; [intros; apply P |]; lia). lra.
Qed.

Lemma entry_lt : forall f n j, (2 <= n)%nat -> (forall i, (1 <= i <= n)%nat -> 0 < f i) -> (1 <= j <= n)%nat
  -> f j < total f n.
Proof.
  intros f n j L P H. destruct n as [|n]; [lia|]. simpl. destruct (Nat.eq_dec j (S n)) as [->|N].
  - assert (0 < total f n) by (apply total_positive; [lia | intros; apply P; lia]). lra.
  - assert (0 < f (S n)) by (apply P; lia). assert (f j <= total f n) by (apply entry_le; [intros; apply P |]; lia).
    lra.
Qed.

Lemma root : forall x, 0 <= x -> exists s, s = sqrt x /\ 0 <= s /\ s ^ 2 = x.
Proof. intros x H. exists (sqrt x).
split; [reflexivity | split; [apply sqrt_pos | simpl; rewrite Rmult_1_r; apply sqrt_sqrt, H]]. Qed.

Lemma root_pos : forall x s, 0 < x -> 0 <= s -> s ^ 2 = x -> 0 < s.
Proof. intros x s H G E. destruct G as [G|G]; [exact G | subst s; simpl in E; lra]. Qed.

Lemma sqrt_is : forall x s, 0 <= x -> 0 <= s -> x = s ^ 2 -> sqrt x = s.
Proof. intros x s H G E. apply sqrt_lem_1; [exact H | exact G | rewrite E; ring]. Qed.

Lemma lt_of : forall a b c, b - a = c -> 0 < c -> a < b.
Proof. intros. lra. Qed.

Lemma le_of : forall a b c, b - a = c -> 0 <= c -> a <= b.
Proof. intros. lra. Qed.

Lemma gt_of : forall a b c, a - b = c -> 0 < c -> a > b.
Proof. intros. lra. Qed.

Lemma ge_of : forall a b c, a - b = c -> 0 <= c -> a >= b.
Proof. intros. lra. Qed.

Lemma ne_of : forall a b c, a - b = c -> c <> 0 -> a <> b.
Proof. intros a b c H N E. apply N. lra. Qed.

Lemma ratio_zero : forall a b n d, a - b = n / d -> n = 0 -> a = b.
Proof. intros a b n d H ->. unfold Rdiv in H. lra. Qed.

(* The sign of a + b where b = c * root: squares are compared where a has the other sign. *)
Lemma above_root : forall a b q, 0 <= b -> b ^ 2 = q -> (a <= 0 -> 0 < q - a ^ 2) -> 0 < a + b.
Proof. intros a b q H E C. destruct (Rlt_le_dec 0 a) as [A|A]; [lra | specialize (C A); nra]. Qed.

Lemma above_root_le : forall a b q, 0 <= b -> b ^ 2 = q -> (a <= 0 -> 0 <= q - a ^ 2) -> 0 <= a + b.
Proof. intros a b q H E C. destruct (Rlt_le_dec 0 a) as [A|A]; [lra | specialize (C A); nra]. Qed.

Lemma below_root : forall a b q, 0 < a -> b ^ 2 = q -> 0 < a ^ 2 - q -> 0 < a - b.
Proof. intros a b q H E C. nra. Qed.

Lemma below_root_le : forall a b q, 0 <= a -> b ^ 2 = q -> 0 <= a ^ 2 - q -> 0 <= a - b.
Proof. intros a b q H E C. destruct (Rle_lt_dec b a); [lra | nra]. Qed.

Lemma named : forall x : R, exists y, y = x.
Proof. intros x. exists x. reflexivity. Qed.

Lemma exp_times : forall n x, exp (INR n * x) = exp x ^ n.
Proof.
  induction n as [|n IH]; intros x; [simpl; rewrite Rmult_0_l; apply exp_0|].
  rewrite S_INR, Rmult_plus_distr_r, exp_plus, IH, Rmult_1_l. simpl. ring.
Qed.

Lemma exp_minus : forall n x, exp (- (INR n * x)) = / exp x ^ n.
Proof. intros n x. rewrite exp_Ropp, exp_times. reflexivity. Qed.

Lemma exp_lt_one : forall x, x < 0 -> exp x < 1.
Proof. intros x H. rewrite <- exp_0. apply exp_increasing, H. Qed.

Lemma exp_gt_one : forall x, 0 < x -> 1 < exp x.
Proof. intros x H. rewrite <- exp_0. apply exp_increasing, H. Qed.

Lemma exp_ge_one : forall x, 0 <= x -> 1 <= exp x.
Proof. intros x [H|H]; [left; apply exp_gt_one, H | rewrite <- H, exp_0; lra]. Qed.

Lemma exp_le_one : forall x, x <= 0 -> exp x <= 1.
Proof. intros x [H|H]; [left; apply exp_lt_one, H | rewrite H, exp_0; lra]. Qed.

Lemma exp_tangent : forall x, 1 + x <= exp x.
Proof. intros x. destruct (Req_dec x 0) as [->|H]; [rewrite exp_0; lra | left; apply exp_ineq1, H]. Qed.

Lemma exp_tangent_strict : forall x, x <> 0 -> 1 + x < exp x.
Proof. intros x H. apply exp_ineq1, H. Qed.

Lemma ln_tangent : forall x, 0 < x -> ln x <= x - 1.
Proof. intros x H. pose proof (exp_tangent (ln x)) as E. rewrite exp_ln in E by exact H. lra. Qed.

Lemma ln_tangent_strict : forall x, 0 < x -> x <> 1 -> ln x < x - 1.
Proof.
  intros x H N. assert (M : ln x <> 0).
  { intro Z. apply N. rewrite <- (exp_ln x H), Z. apply exp_0. }
  pose proof (exp_tangent_strict _ M) as E. rewrite exp_ln in E by exact H. lra.
Qed.

Lemma ln_positive : forall x, 1 < x -> 0 < ln x.
Proof. intros x H. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma ln_negative : forall x, 0 < x -> x < 1 -> ln x < 0.
Proof. intros x H G. rewrite <- ln_1. apply ln_increasing; lra. Qed.

Lemma cosh_exp : forall x, cosh x = (exp x + exp (- 1 * x)) * / 2.
Proof. intros x. unfold cosh. replace (- 1 * x) with (- x) by ring. reflexivity. Qed.

Lemma sinh_exp : forall x, sinh x = (exp x + - 1 * exp (- 1 * x)) * / 2.
Proof. intros x. unfold sinh. replace (- 1 * x) with (- x) by ring. unfold Rdiv. f_equal. ring. Qed.

Lemma or_else : forall A B : Prop, {A} + {~ A} -> (~ A -> B) -> A \/ B.
Proof. intros A B [H|H] F; [left; exact H | right; apply F, H]. Qed.

(* A product that vanishes. *)
Lemma one_of_one : forall a u x, a <> 0 -> a * (x - u) = 0 -> x = u.
Proof. intros a u x N E. apply Rmult_integral in E. destruct E; [contradiction | lra]. Qed.

Lemma one_of_two : forall a u v x, a <> 0 -> a * (x - u) * (x - v) = 0 -> x = u \/ x = v.
Proof.
  intros a u v x N E. apply Rmult_integral in E.
  destruct E as [E|E]; [left; apply (one_of_one a) | right]; [exact N | exact E | lra].
Qed.

(* The steps of a certificate: a fact times something positive, a variable put in, and comparisons over a denominator. *)
Lemma scaled_lt : forall p c d u, 0 < p -> 0 < c -> 0 < d -> p * c = d * u -> 0 < u.
Proof. intros p c d u P C D E. apply (Rmult_lt_reg_l d); [exact D|]. rewrite Rmult_0_r, <- E. nra. Qed.

Lemma scaled_le : forall p c d u, 0 <= p -> 0 < c -> 0 < d -> p * c = d * u -> 0 <= u.
Proof. intros p c d u P C D E. apply (Rmult_le_reg_l d); [exact D|]. rewrite Rmult_0_r, <- E. nra. Qed.

Lemma scaled_eq : forall p c d u, p = 0 -> c <> 0 -> d <> 0 -> p * c = d * u -> u = 0.
Proof. intros p c d u -> _ D E. rewrite Rmult_0_l in E. symmetry in E. apply Rmult_integral in E. tauto. Qed.

Lemma scaled_ne : forall p c d u, p <> 0 -> c <> 0 -> d <> 0 -> p * c = d * u -> u <> 0.
Proof. intros p c d u P C _ E ->. rewrite Rmult_0_r in E. apply Rmult_integral in E. tauto. Qed.

Lemma pow2_gt_0 : forall x, x <> 0 -> 0 < x ^ 2.
Proof. intros x H. rewrite <- Rsqr_pow2. apply Rsqr_pos_lt, H. Qed.

Lemma solved : forall v a b, 0 < b -> b * v = a -> v = a / b.
Proof. intros v a b B <-. field. lra. Qed.

Lemma between_lt : forall a b v, a < v < b \/ b < v < a -> exists t, 0 < t /\ v = (a + b * t) / (1 + t).
Proof.
  intros a b v H. exists ((v - a) / (b - v)). split; [|field; lra].
  destruct H; [|replace ((v - a) / (b - v)) with ((a - v) / (v - b)) by (field; lra)]; apply Rdiv_lt_0_compat; lra.
Qed.

Lemma between_le : forall a b v, a <= v < b \/ b < v <= a -> exists t, 0 <= t /\ v = (a + b * t) / (1 + t).
Proof.
  intros a b v H. destruct (Req_dec v a) as [->|N]; [exists 0; split; [lra | field]|].
  destruct (between_lt a b v) as [t [T E]]; [lra|]. exists t. split; [lra | exact E].
Qed.

Lemma beyond_lt : forall a v k, a < v -> 0 < k -> exists t, 0 < t /\ v = a + t / k.
Proof. intros a v k H K. exists ((v - a) * k). split; [nra | field; lra]. Qed.

Lemma beyond_le : forall a v k, a <= v -> 0 < k -> exists t, 0 <= t /\ v = a + t / k.
Proof. intros a v k H K. exists ((v - a) * k). split; [nra | field; lra]. Qed.

Lemma before_lt : forall a v k, v < a -> 0 < k -> exists t, 0 < t /\ v = a - t / k.
Proof. intros a v k H K. exists ((a - v) * k). split; [nra | field; lra]. Qed.

Lemma before_le : forall a v k, v <= a -> 0 < k -> exists t, 0 <= t /\ v = a - t / k.
Proof. intros a v k H K. exists ((a - v) * k). split; [nra | field; lra]. Qed.

Lemma over_lt : forall l r d p, 0 < d -> (l - r) * d = p -> (l < r <-> p < 0).
Proof. intros l r d p D <-. split; intros; nra. Qed.

Lemma over_le : forall l r d p, 0 < d -> (l - r) * d = p -> (l <= r <-> p <= 0).
Proof. intros l r d p D <-. split; intros; nra. Qed.

Lemma over_eq : forall l r d p, d <> 0 -> (l - r) * d = p -> (l = r <-> p = 0).
Proof.
  intros l r d p D <-. split; [intros ->; ring | intros E].
  apply Rmult_integral in E. destruct E; [lra | contradiction].
Qed.

(* The lemmas of proof/statements/lemmas.py, as they are stated there. *)
Lemma exp_positive : forall u, 0 < exp u.
Proof. exact exp_pos. Qed.

Lemma exp_increasing_both : forall u v, u < v <-> exp u < exp v.
Proof. intros u v. split; [apply exp_increasing | apply exp_lt_inv]. Qed.

Lemma exp_sign : forall u, 0 < exp u /\ ((1 < exp u <-> 0 < u) /\ (exp u < 1 <-> u < 0)).
Proof. intros u. rewrite <- exp_0. split; [apply exp_pos | split; symmetry; apply exp_increasing_both]. Qed.

Lemma exp_above_tangent : forall u, 1 + u <= exp u /\ (u = 0 \/ 1 + u < exp u).
Proof.
  intros u. split; [apply exp_tangent|]. destruct (Req_dec u 0); [left | right; apply exp_tangent_strict]; assumption.
Qed.

Lemma log_below_tangent : forall u, 0 < u -> ln u <= u - 1 /\ (u = 1 \/ ln u < u - 1).
Proof.
  intros u H. split; [apply ln_tangent, H|].
  destruct (Req_dec u 1); [left | right; apply ln_tangent_strict]; assumption.
Qed.

Lemma log_increasing : forall u v, 0 < u -> 0 < v -> (u < v <-> ln u < ln v).
Proof. intros u v U V. split; [apply ln_increasing, U | apply ln_lt_inv; assumption]. Qed.

Lemma log_sign : forall u, 0 < u -> (0 < ln u <-> 1 < u) /\ (ln u < 0 <-> u < 1).
Proof. intros u H. rewrite <- ln_1. split; symmetry; apply log_increasing; lra. Qed.

(* Polynomial inequalities between reals, after the hypotheses. *)
Ltac arith :=
  first [ assumption | lra | timeout 8 nra ].

(* Products, quotients and powers of what is known to be positive. *)
Ltac positive :=
  repeat first
    [ assumption
    | lra
    | apply Rmult_lt_0_compat
    | apply Rdiv_lt_0_compat
    | apply Rinv_0_lt_compat
    | apply exp_pos
    | apply pow_lt
    | apply Rmult_le_pos
    | apply pow_le
    | match goal with |- 0 <= ?x ^ 2 => apply pow2_ge_0 end
    | match goal with |- 0 <= / ?x => apply Rlt_le, Rinv_0_lt_compat end
    | apply Rlt_le ].

(* The sign of a sum of products of numbers and of what has it by a hypothesis, or by the tactic [leaf]. *)
Ltac weak_by leaf :=
  first
    [ assumption
    | apply Rlt_le; assumption
    | leaf
    | lazymatch goal with
      | |- 0 <= IZR _ => apply IZR_le; lia
      | |- 0 <= _ ^ 2 => apply pow2_ge_0
      | |- 0 <= _ + _ => apply Rplus_le_le_0_compat; weak_by leaf
      | |- 0 <= _ * _ => apply Rmult_le_pos; weak_by leaf
      | |- 0 <= _ ^ _ => apply pow_le; weak_by leaf
      | |- 0 <= sqrt _ => apply sqrt_pos
      | |- 0 <= _ => apply Rlt_le; strict_by leaf
      end ]
with strict_by leaf :=
  first
    [ assumption
    | leaf
    | lazymatch goal with
      | |- 0 < IZR _ => apply IZR_lt; lia
      | |- 0 < exp _ => apply exp_pos
      | |- 0 < _ * _ => apply Rmult_lt_0_compat; strict_by leaf
      | |- 0 < _ ^ _ => apply pow_lt; strict_by leaf
      | |- 0 < _ + _ =>
          first
            [ apply Rplus_lt_le_0_compat; [strict_by leaf | weak_by leaf]
            | apply Rplus_le_lt_0_compat; [weak_by leaf | strict_by leaf] ]
      | |- 0 < / _ => apply Rinv_0_lt_compat; strict_by leaf
      | |- 0 < _ / _ => apply Rdiv_lt_0_compat; strict_by leaf
      | |- 0 < sqrt _ => apply sqrt_lt_R0; strict_by leaf
      end ].

Ltac weak := weak_by ltac:(fail).
Ltac strict := strict_by ltac:(fail).

(* What is not zero: by its sign, by its factors, or by another form of it that is known not to be. *)
Ltac apart := repeat split; first
  [ assumption
  | solve [strict]
  | apply Rgt_not_eq; solve [strict]
  | match goal with
    | |- ?a <> 0 => let Z := fresh in intro Z; match goal with D : ?b <> 0 |- _ => apply D; clear - Z; lra end
    end
  | match goal with |- 0 < ?a ^ 2 => apply pow2_gt_0; apart end
  | apply Rmult_lt_0_compat; apart
  | apply pow_lt; apart
  | apply Rmult_integral_contrapositive_currified; apart
  | apply pow_nonzero; apart
  | apply Rinv_neq_0_compat; apart
  | lra
  | apply Rgt_not_eq; lra
  | apply Rlt_not_eq; lra ].

(* What is known of all entries of a family, of those that are mentioned. *)
Ltac entries :=
  repeat match goal with
  | K : forall i, (1 <= i <= ?n)%nat -> 0 < ?f i, H : (1 <= ?j <= ?n)%nat |- _ =>
      match goal with _ : 0 < f j |- _ => fail 1 | _ => idtac end;
      let N := fresh "entry'" in pose proof (K j H) as N
  end.

(* What is defined by the signs of its parts. *)
Ltac evident := intros; entries; first
  [ assumption
  | solve [strict_by ltac:(lra)]
  | solve [weak_by ltac:(lra)]
  | apart
  | apply Rgt_not_eq; solve [strict_by ltac:(lra)] ].

(* What holds in circumstances that are at hand. *)
Ltac circumstances :=
  repeat match goal with H : ?A -> _ |- _ =>
    match type of A with Prop =>
      let Z := fresh in assert (Z : A) by first [assumption | tauto]; specialize (H Z); clear Z
    end
  end.

(* A place of a family between its ends, as a real number. *)
Ltac ranged :=
  repeat match goal with H : (_ <= _ <= _)%nat |- _ => destruct H end;
  repeat match goal with H : (_ <= _)%nat |- _ => apply le_INR in H; simpl INR in H end;
  lra.

(* Which value a value by cases has, where its conditions are decided. *)
Ltac chosen :=
  unfold Rmax, Rmin, Rabs, sgn in *;
  repeat match goal with
  | |- context [if ?c then _ else _] => destruct c
  | H : context [if ?c then _ else _] |- _ => destruct c
  end;
  first [reflexivity | lra | exfalso; tauto].

(* A reciprocal of an exponential. *)
Ltac inverse := match goal with |- context [exp ?a * exp ?b] =>
  rewrite <- (exp_plus a b); replace (a + b) with 0 by ring; rewrite exp_0; field end.

(* What the field tactic asks of denominators. *)
Ltac nonzero :=
  repeat split;
  first
    [ assumption
    | lra
    | apply Rgt_not_eq; unfold Rgt; solve [positive]
    | repeat first [ apply Rmult_integral_contrapositive_currified | apply pow_nonzero | apply Rinv_neq_0_compat ];
      first [ assumption | lra | apply Rgt_not_eq; arith | apply Rlt_not_eq; arith | intro; timeout 4 nra ] ].

Ltac cases :=
  repeat match goal with
  | |- context [Rmax ?a ?b] => destruct (Rle_dec a b) as [?|?];
    [rewrite (Rmax_right a b) by lra | rewrite (Rmax_left a b) by lra]
  | |- context [Rmin ?a ?b] => destruct (Rle_dec a b) as [?|?];
    [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra]
  | |- context [Rabs ?a] => destruct (Rle_dec 0 a) as [?|?];
    [rewrite (Rabs_pos_eq a) by lra | rewrite (Rabs_left a) by lra]
  | |- context [sgn _] => unfold sgn
  | |- context [if ?c then _ else _] => destruct c
  end; try (exfalso; lra).

(* Logarithms of products and exponentials of sums. *)
Ltac logs :=
  repeat first
    [ rewrite ln_mult by solve [positive | auto]
    | rewrite ln_Rinv by solve [positive | auto]
    | rewrite ln_pow by solve [positive | auto]
    | rewrite ln_1 ].

(* Exponentials of sums taken apart, and those of one number written in one way. *)
Ltac exponentials :=
  repeat match goal with
  | |- context [exp (?a * (?b + ?c))] => replace (exp (a * (b + c))) with (exp (a * b) * exp (a * c))
    by (rewrite <- exp_plus; f_equal; ring)
  end;
  rewrite ?exp_plus;
  repeat match goal with
  | |- context [exp ?a] =>
      match goal with
      | |- context [exp ?b] => tryif constr_eq a b then fail else replace (exp b) with (exp a)
        by (f_equal; first [ring | field; nonzero])
      end
  end.

(* Roots of one number written in one way. *)
Ltac radicals :=
  repeat match goal with
  | |- context [sqrt ?a] =>
      match goal with
      | |- context [sqrt ?b] => tryif constr_eq a b then fail else replace (sqrt b) with (sqrt a)
        by (f_equal; first [ring | field; nonzero])
      end
  end.

(* A combination of sums is a sum, entry by entry. *)
Ltac termwise :=
  rewrite ?total_times, ?total_plus; apply total_ext; intros; cbv beta; entries;
  first [ ring | solve [field; nonzero] | logs; first [ring | field; nonzero] | exponentials;
    first [ring | field; nonzero] | radicals; first [ring | field; nonzero] ].

(* That something is defined, of what was shown before. *)
Ltac meaningful := intros; entries;
  first [ assumption | lra | exfalso; solve [lra | auto] | nonzero | solve [positive] | arith ].

(* An equation for exp, ln or sqrt of a number, used wherever the same number is written in another way. *)
Ltac again E :=
  match type of E with
  | ?f ?n = ?v =>
      repeat match goal with |- context [f ?a] => replace (f a) with v
        by (rewrite <- E; f_equal; first [ring | field; nonzero]) end
  | ?v = ?f ?n =>
      repeat match goal with |- context [f ?a] => replace (f a) with v
        by (rewrite E; f_equal; first [ring | field; nonzero]) end
  end.

(* One of two cases that the domain excludes. *)
Ltac impossible := exfalso; first [ lra | timeout 5 nra | auto ].

(* The parts of a claim one by one; a disjunction by cases of its first part. *)
Ltac parts :=
  repeat match goal with
  | |- _ /\ _ => split
  | |- _ -> _ => intro
  | |- ~ _ => intro
  | |- ?a <-> ?b => split
  | H : _ /\ _ |- _ => destruct H
  | H : _ \/ _ |- _ => destruct H
  | |- ?a < ?b \/ _ => destruct (Rlt_le_dec a b); [left; assumption | right]
  | |- ?a <= ?b \/ _ => destruct (Rle_lt_dec a b); [left; assumption | right]
  | |- ?a > ?b \/ _ => destruct (Rlt_le_dec b a); [left; assumption | right]
  | |- ?a >= ?b \/ _ => destruct (Rlt_le_dec a b); [right | left; lra]
  | |- ?a = ?b \/ _ => destruct (Req_EM_T a b); [left; assumption | right]
  end.

(* Whole numbers below an end, and sums of one term more. *)
Ltac counted := repeat (intro; parts); first
  [ lra
  | match goal with H : (?k <= ?n)%nat |- INR ?k <= _ => pose proof (le_INR k n H); lra end
  | cbn [total Nat.add]; lra ].

Ltac plain := parts; first
  [ assumption | lra | solve [field; nonzero] | cases; first [ lra | solve [field; nonzero] | arith ] | counted ].
