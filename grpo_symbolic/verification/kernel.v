(* What every proof may use: case distinctions, signs, and the lemmas about exp and ln. Nothing is assumed here. *)
From Coq Require Import Reals Lra Psatz.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
Open Scope R_scope.

Definition sgn (x : R) : R := if Rlt_dec 0 x then 1 else if Rlt_dec x 0 then -1 else 0.

Lemma square_of_sqrt : forall x s, 0 <= x -> s = sqrt x -> s ^ 2 = x /\ 0 <= s.
Proof. intros x s H ->. split; [simpl; rewrite Rmult_1_r; apply sqrt_sqrt, H | apply sqrt_pos]. Qed.

Lemma above_zero : forall a b, 0 < b - a -> a < b.
Proof. intros. lra. Qed.

Lemma not_below_zero : forall a b, 0 <= b - a -> a <= b.
Proof. intros. lra. Qed.

Lemma ratio_zero : forall a b n d, a - b = n / d -> n = 0 -> a = b.
Proof. intros a b n d H ->. unfold Rdiv in H. lra. Qed.

(* Polynomial inequalities between reals, after the hypotheses. *)
Ltac arith :=
  first [ assumption | lra | timeout 4 nra | timeout 6 psatz R 2 | timeout 12 nra | timeout 15 psatz R 3 ].

(* Products, quotients and powers of what is known to be positive. *)
Ltac positive :=
  repeat first
    [ assumption
    | lra
    | apply Rmult_lt_0_compat
    | apply Rdiv_lt_0_compat
    | apply Rinv_0_lt_compat
    | apply pow_lt
    | apply Rmult_le_pos
    | apply pow_le
    | match goal with |- 0 <= ?x ^ 2 => apply pow2_ge_0 end
    | match goal with |- 0 <= / ?x => apply Rlt_le, Rinv_0_lt_compat end
    | apply Rlt_le ].

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
  | |- context [Rmax ?a ?b] => destruct (Rle_dec a b) as [?|?]; [rewrite (Rmax_right a b) by lra | rewrite (Rmax_left a b) by lra]
  | |- context [Rmin ?a ?b] => destruct (Rle_dec a b) as [?|?]; [rewrite (Rmin_left a b) by lra | rewrite (Rmin_right a b) by lra]
  | |- context [Rabs ?a] => destruct (Rle_dec 0 a) as [?|?]; [rewrite (Rabs_pos_eq a) by lra | rewrite (Rabs_left a) by lra]
  | |- context [sgn _] => unfold sgn
  | |- context [if ?c then _ else _] => destruct c
  end; try (exfalso; lra).

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

Ltac plain := parts; first [ assumption | lra | solve [field; nonzero] | cases; first [ lra | solve [field; nonzero] | arith ] ].
