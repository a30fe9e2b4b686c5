(** Results of our own, on the definitions of Policies.v: verifiable rewards and groups of any size, pairs of any
    preferences, and what every stationary policy satisfies.

    Every theorem has the name of a claim of the ledger, with underscores, and states its whole sentence. *)

From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From GrpoSymbolic Require Import Sums Policies Groups Calculus VojnovicYun.
Import ListNotations.
Open Scope R_scope.

(** * Verifiable rewards: one correct and one wrong answer, groups of any size *)

(** The answer 0 is correct and has the reward 1, the answer 1 is wrong and has the reward 0. *)
Definition correctness (o : nat) : R := if Nat.eqb o 0 then 1 else 0.
Definition verifiable : rewards := sure correctness.

(** The expected advantage of the correct answer in groups of size G, of the wrong one, and their gap. *)
Definition correct_advantage (G : nat) (x : R) : R := preference 2 verifiable G (binary x) 0.
Definition wrong_advantage (G : nat) (x : R) : R := preference 2 verifiable G (binary x) 1.
Definition advantage_gap (G : nat) (x : R) : R := correct_advantage G x - wrong_advantage G x.

(** ** Advantages in a group of correct and wrong members *)

Definition zero_one (g : list R) : Prop := forall x, In x g -> x = 0 \/ x = 1.

Lemma zero_one_deviation g : zero_one g -> g <> [] ->
  deviation g = sqrt (mean g * (1 - mean g)).
Proof.
  intros H N. pose proof (length_pos g N) as L. unfold deviation. f_equal.
  fold (square_deviation g). rewrite (square_deviation_shift g 0 N).
  replace (map (fun x => (x - 0) ^ 2) g) with g; [ring|].
  rewrite <- (map_id g) at 1. apply map_ext_in. intros x Hx. destruct (H x Hx) as [-> | ->]; ring.
Qed.

(** k correct members of G: the advantage of a correct one is sqrt((G - k)/k), that of a wrong one - sqrt(k/(G - k)). *)
Theorem by_gap_members : forall (g : list R) (k : nat),
  zero_one g -> list_sum g = INR k -> (1 <= k < length g)%nat ->
  advantage g 1 = sqrt ((INR (length g) - INR k) / INR k) /\
  advantage g 0 = - sqrt (INR k / (INR (length g) - INR k)).
Proof.
  intros g k H S Hk.
  assert (K : 0 < INR k) by (apply lt_0_INR; lia). assert (KL : INR k < INR (length g)) by (apply lt_INR; lia).
  assert (N : g <> []) by (intros ->; simpl in Hk; lia).
  unfold advantage. rewrite (zero_one_deviation g H N). unfold mean. rewrite S.
  set (n := INR (length g)) in *. set (m := INR k) in *.
  assert (Y : 0 < m / n < 1).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with n; [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
  split.
  - rewrite sqrt_odds by exact Y. f_equal. field. lra.
  - pose proof (sqrt_odds (1 - m / n) ltac:(lra)) as Q. replace (1 - (1 - m / n)) with (m / n) in Q by ring.
    replace ((1 - m / n) * (m / n)) with (m / n * (1 - m / n)) in Q by ring.
    replace (m / (n - m)) with (m / n / (1 - m / n)) by (field; lra). rewrite <- Q. unfold Rdiv. ring.
Qed.

(** The advantage of a correct member among k other correct ones of a group of N + 1. *)
Definition weight (N k : nat) : R := sqrt ((INR N - INR k) / INR (S k)).

Lemma correct_member (g : list R) (k : nat) : zero_one g -> list_sum g = INR k -> (k <= length g)%nat ->
  advantage (1 :: g) 1 = weight (length g) k.
Proof.
  intros H S Hk. unfold weight.
  assert (H' : zero_one (1 :: g)) by (intros x [<-|Hx]; [right; reflexivity|apply H, Hx]).
  assert (S' : list_sum (1 :: g) = INR (Datatypes.S k)) by (rewrite S_INR; simpl; lra).
  destruct (Nat.eq_dec k (length g)) as [E|N].
  - rewrite <- E, Rminus_eq_0. unfold Rdiv. rewrite Rmult_0_l, sqrt_0.
    apply advantage_of_equals; [left; reflexivity|].
    rewrite (zero_one_deviation _ H') by discriminate. unfold mean. rewrite S'. simpl length. rewrite <- E.
    replace (INR (Datatypes.S k) / INR (Datatypes.S k)) with 1 by (field; apply not_0_INR; lia).
    rewrite Rminus_eq_0, Rmult_0_r. apply sqrt_0.
  - destruct (by_gap_members (1 :: g) (Datatypes.S k) H' S') as [A _]; [simpl; lia|]. rewrite A. f_equal. f_equal.
    simpl length. rewrite !S_INR. ring.
Qed.

(** Expectations of a function of the number of correct members among N: the Bernstein polynomial of phi. *)
Fixpoint bernstein (N : nat) (phi : nat -> R) (x : R) : R :=
  match N with
  | O => phi O
  | S k => x * bernstein k (fun i => phi (S i)) x + (1 - x) * bernstein k phi x
  end.

Lemma draws_count N x (F : list R -> R) (phi : nat -> R) :
  (forall g k, zero_one g -> length g = N -> list_sum g = INR k -> (k <= N)%nat -> F g = phi k) ->
  draws (expect 2 (binary x)) N (fun s => F (map correctness s)) = bernstein N phi x.
Proof.
  revert F phi. induction N as [|N IH]; intros F phi H.
  - simpl. apply H; [intros x' []|reflexivity|reflexivity|lia].
  - simpl. rewrite expect_binary. simpl. f_equal; f_equal.
    + apply (IH (fun g => F (1 :: g)) (fun i => phi (S i))). intros g k Z L S K. apply H; [|simpl; lia| |lia].
      * intros x' [<-|Hx]; [right; reflexivity|apply Z, Hx].
      * rewrite S_INR. simpl. lra.
    + apply (IH (fun g => F (0 :: g)) phi). intros g k Z L S K. apply H; [|simpl; lia| |lia].
      * intros x' [<-|Hx]; [left; reflexivity|apply Z, Hx].
      * simpl. lra.
Qed.

(** Two answers, any group size: the expected advantage of the correct answer is a binomial expectation. *)
Lemma correct_advantage_bernstein G x : (1 <= G)%nat -> correct_advantage G x = bernstein (G - 1) (weight (G - 1)) x.
Proof.
  intros HG. unfold correct_advantage, verifiable. rewrite vy_s21_PG_deterministic.
  apply (draws_count (G - 1) x (fun g => advantage (correctness 0%nat :: g) (correctness 0%nat))).
  intros g k Z L S K. simpl. rewrite <- L. apply correct_member; [exact Z|exact S|lia].
Qed.

(** ** Bernstein polynomials inherit bounds and monotonicity *)

Lemma bernstein_ext N phi psi x : (forall k, (k <= N)%nat -> phi k = psi k) -> bernstein N phi x = bernstein N psi x.
Proof.
  revert phi psi. induction N as [|N IH]; intros phi psi H; simpl; [apply H; lia|].
  rewrite (IH _ (fun i => psi (S i))) by (intros; apply H; lia). rewrite (IH phi psi) by (intros; apply H; lia). reflexivity.
Qed.

Lemma bernstein_le N phi psi x : 0 <= x <= 1 -> (forall k, (k <= N)%nat -> phi k <= psi k) ->
  bernstein N phi x <= bernstein N psi x.
Proof.
  intros Hx. revert phi psi. induction N as [|N IH]; intros phi psi H; simpl; [apply H; lia|].
  apply Rplus_le_compat; apply Rmult_le_compat_l; try lra; apply IH; intros; apply H; lia.
Qed.

Lemma bernstein_lt N phi psi x : 0 <= x <= 1 -> (forall k, (k <= N)%nat -> phi k < psi k) ->
  bernstein N phi x < bernstein N psi x.
Proof.
  intros Hx. revert phi psi. induction N as [|N IH]; intros phi psi H; simpl; [apply H; lia|].
  assert (A : bernstein N (fun i => phi (S i)) x < bernstein N (fun i => psi (S i)) x) by (apply IH; intros; apply H; lia).
  assert (B : bernstein N phi x < bernstein N psi x) by (apply IH; intros; apply H; lia).
  destruct (Req_dec x 0) as [->|NZ]; [lra|].
  apply Rplus_lt_le_compat; [apply Rmult_lt_compat_l; lra|apply Rmult_le_compat_l; lra].
Qed.

Lemma bernstein_decreases N phi x y : 0 <= x <= y -> y <= 1 -> (forall k, (k < N)%nat -> phi (S k) <= phi k) ->
  bernstein N phi y <= bernstein N phi x.
Proof.
  intros Hx Hy. revert phi. induction N as [|N IH]; intros phi H; simpl; [lra|].
  assert (A : bernstein N (fun i => phi (S i)) y <= bernstein N (fun i => phi (S i)) x) by (apply IH; intros; apply H; lia).
  assert (B : bernstein N phi y <= bernstein N phi x) by (apply IH; intros; apply H; lia).
  assert (C : bernstein N (fun i => phi (S i)) y <= bernstein N phi y) by (apply bernstein_le; [lra|intros; apply H; lia]).
  set (a := bernstein N (fun i => phi (S i)) x) in *. set (a' := bernstein N (fun i => phi (S i)) y) in *.
  set (b := bernstein N phi x) in *. set (b' := bernstein N phi y) in *.
  assert (0 <= x * (a - a')) by (apply Rmult_le_pos; lra). assert (0 <= (1 - x) * (b - b')) by (apply Rmult_le_pos; lra).
  assert (0 <= (y - x) * (b' - a')) by (apply Rmult_le_pos; lra). nra.
Qed.

Lemma bernstein_decreases_strictly N phi x y : (1 <= N)%nat -> 0 <= x < y -> y <= 1 ->
  (forall k, (k < N)%nat -> phi (S k) < phi k) -> bernstein N phi y < bernstein N phi x.
Proof.
  intros HN Hx Hy H. destruct N as [|N]; [lia|]. simpl.
  assert (A : bernstein N (fun i => phi (S i)) y <= bernstein N (fun i => phi (S i)) x).
  { apply bernstein_decreases; try lra. intros. apply Rlt_le, H. lia. }
  assert (B : bernstein N phi y <= bernstein N phi x).
  { apply bernstein_decreases; try lra. intros. apply Rlt_le, H. lia. }
  assert (C : bernstein N (fun i => phi (S i)) y < bernstein N phi y) by (apply bernstein_lt; [lra|intros; apply H; lia]).
  set (a := bernstein N (fun i => phi (S i)) x) in *. set (a' := bernstein N (fun i => phi (S i)) y) in *.
  set (b := bernstein N phi x) in *. set (b' := bernstein N phi y) in *.
  assert (0 <= x * (a - a')) by (apply Rmult_le_pos; lra). assert (0 <= (1 - x) * (b - b')) by (apply Rmult_le_pos; lra).
  assert (0 < (y - x) * (b' - a')) by (apply Rmult_lt_0_compat; lra). nra.
Qed.

Lemma bernstein_0 N phi : bernstein N phi 0 = phi O.
Proof. revert phi. induction N as [|N IH]; intros phi; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma bernstein_1 N phi : bernstein N phi 1 = phi N.
Proof. revert phi. induction N as [|N IH]; intros phi; simpl; [reflexivity|]. rewrite !IH. ring. Qed.

Lemma bernstein_continuous N phi x : continuous (bernstein N phi) x.
Proof.
  revert phi. induction N as [|N IH]; intros phi; [apply continuous_const|]. simpl.
  apply (continuous_plus (V := R_NormedModule)).
  - apply (continuous_mult (K := R_AbsRing)); [apply continuous_id|apply IH].
  - apply (continuous_mult (K := R_AbsRing)); [|apply IH].
    apply (continuous_minus (V := R_NormedModule)); [apply continuous_const|apply continuous_id].
Qed.

(** The binomial theorem of [bernstein]: C(N, k) x^k (1 - x)^(N - k). *)
Lemma bernstein_binomial N phi x :
  bernstein N phi x = Sum (S N) (fun k => Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi k).
Proof.
  revert phi. induction N as [|N IH]; intros phi.
  - simpl. unfold Binomial.C. simpl. field.
  - change (bernstein (S N) phi x) with (x * bernstein N (fun i => phi (S i)) x + (1 - x) * bernstein N phi x).
    rewrite !IH.
    (* both sums over 0 .. N + 1 *)
    assert (Shift : forall m f, Sum (S m) f = f 0%nat + Sum m (fun k => f (S k))).
    { induction m as [|m IHm]; intros f; [simpl; ring|].
      change (Sum (S (S m)) f) with (Sum (S m) f + f (S m)). rewrite IHm.
      change (Sum (S m) (fun k => f (S k))) with (Sum m (fun k => f (S k)) + f (S m)). ring. }
    rewrite (Shift (S N) (fun k => Binomial.C (S N) k * x ^ k * (1 - x) ^ (S N - k) * phi k)).
    rewrite <- !Sum_scal.
    rewrite (Shift N (fun k => (1 - x) * (Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi k))).
    change (Sum (S N) (fun k => Binomial.C (S N) (S k) * x ^ S k * (1 - x) ^ (S N - S k) * phi (S k)))
      with (Sum N (fun k => Binomial.C (S N) (S k) * x ^ S k * (1 - x) ^ (S N - S k) * phi (S k))
        + Binomial.C (S N) (S N) * x ^ S N * (1 - x) ^ (S N - S N) * phi (S N)).
    change (Sum (S N) (fun k => x * (Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi (S k))))
      with (Sum N (fun k => x * (Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi (S k)))
        + x * (Binomial.C N N * x ^ N * (1 - x) ^ (N - N) * phi (S N))).
    assert (C0 : forall m, Binomial.C m 0 = 1).
    { intros m. unfold Binomial.C. rewrite Nat.sub_0_r. simpl. field. apply INR_fact_neq_0. }
    assert (CN : forall m, Binomial.C m m = 1).
    { intros m. unfold Binomial.C. rewrite Nat.sub_diag. simpl. field. apply INR_fact_neq_0. }
    rewrite !CN, !C0, !Nat.sub_diag, !Nat.sub_0_r.
    assert (E : Sum N (fun k => Binomial.C (S N) (S k) * x ^ S k * (1 - x) ^ (S N - S k) * phi (S k))
      = Sum N (fun k => x * (Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi (S k)))
        + Sum N (fun k => (1 - x) * (Binomial.C N (S k) * x ^ S k * (1 - x) ^ (N - S k) * phi (S k)))).
    { rewrite <- Sum_plus. apply Sum_ext. intros i Hi. rewrite <- Binomial.pascal by exact Hi.
      replace (S N - S i)%nat with (S (N - S i)) by lia. replace (N - i)%nat with (S (N - S i)) by lia. simpl. ring. }
    rewrite E. simpl. ring.
Qed.

(** P_G(correct) = E sqrt((G - 1 - K)/(K + 1)), K binomial. *)
Theorem vy_s21_PG_binomial : forall G y, (2 <= G)%nat ->
  preference 2 verifiable G (binary y) 0
  = Sum G (fun k => Binomial.C (G - 1) k * y ^ k * (1 - y) ^ (G - 1 - k) * sqrt ((INR G - 1 - INR k) / (INR k + 1))).
Proof.
  intros G y HG. fold (correct_advantage G y). rewrite correct_advantage_bernstein, bernstein_binomial by lia.
  replace (S (G - 1)) with G by lia. apply Sum_ext. intros i Hi. unfold weight.
  rewrite minus_INR by lia. rewrite (S_INR i). reflexivity.
Qed.

Lemma weight_decreases N k : (k < N)%nat -> weight N (S k) < weight N k.
Proof.
  intros H. unfold weight. assert (A : 0 < INR (S k)) by (apply lt_0_INR; lia).
  assert (L : INR (S k) <= INR N) by (apply le_INR; lia). rewrite (S_INR k) in *. rewrite (S_INR (S k)), (S_INR k).
  pose proof (pos_INR k) as P. apply sqrt_lt_1_alt. split.
  - apply Rmult_le_pos; [lra|]. apply Rlt_le, Rinv_0_lt_compat. lra.
  - apply Rmult_lt_reg_r with ((INR k + 1) * (INR k + 1 + 1)); [nra|].
    replace ((INR N - (INR k + 1)) / (INR k + 1 + 1) * ((INR k + 1) * (INR k + 1 + 1)))
      with ((INR N - (INR k + 1)) * (INR k + 1)) by (field; lra).
    replace ((INR N - INR k) / (INR k + 1) * ((INR k + 1) * (INR k + 1 + 1)))
      with ((INR N - INR k) * (INR k + 1 + 1)) by (field; lra). nra.
Qed.

Lemma weight_0 N : weight N 0 = sqrt (INR N).
Proof. unfold weight. f_equal. simpl. field. Qed.

Lemma weight_N N : weight N N = 0.
Proof. unfold weight. rewrite Rminus_eq_0. unfold Rdiv. rewrite Rmult_0_l. apply sqrt_0. Qed.

(** The expected advantage of a correct answer falls strictly from sqrt(G - 1) at 0 to 0 at 1, and is continuous. *)
Theorem by_rare_advantage : forall G, (2 <= G)%nat ->
  correct_advantage G 0 = sqrt (INR G - 1) /\ correct_advantage G 1 = 0 /\
  (forall x y, 0 <= x < y -> y <= 1 -> correct_advantage G y < correct_advantage G x) /\
  (forall x, continuous (correct_advantage G) x).
Proof.
  intros G HG. assert (E : forall x, correct_advantage G x = bernstein (G - 1) (weight (G - 1)) x).
  { intros. apply correct_advantage_bernstein. lia. }
  split; [|split; [|split]].
  - rewrite E, bernstein_0, weight_0, minus_INR by lia. reflexivity.
  - rewrite E, bernstein_1. apply weight_N.
  - intros x y Hx Hy. rewrite !E. apply bernstein_decreases_strictly; [lia|lra|lra|]. intros. apply weight_decreases. assumption.
  - intros x. apply (continuous_ext (bernstein (G - 1) (weight (G - 1)))); [intros; symmetry; apply E|apply bernstein_continuous].
Qed.

Lemma correct_advantage_pos G x : (2 <= G)%nat -> 0 <= x < 1 -> 0 < correct_advantage G x.
Proof.
  intros HG Hx. destruct (by_rare_advantage G HG) as (_ & E & D & _). rewrite <- E. apply D; lra.
Qed.

(** The classes balance: the gap is the advantage of the correct answer over 1 - x. *)
Lemma gap_correct G x : (2 <= G)%nat -> 0 <= x <= 1 -> (1 - x) * advantage_gap G x = correct_advantage G x.
Proof.
  intros HG Hx. pose proof (vy_s21_PG_centred 2 verifiable G (binary x) HG (binary_policy x Hx) (sure_law 2 _)) as Z.
  rewrite expect_binary in Z. fold (correct_advantage G x) (wrong_advantage G x) in Z. unfold advantage_gap. lra.
Qed.

(** ** The stationary policy *)

(** Its equation, for any group size: beta (x - p) = x (1 - x) Delta_G(x). *)
Theorem by_stationary_equation : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  (on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) <->
   beta * (x - p) = x * (1 - x) * advantage_gap G x) /\
  is_derive (fun z => grpo 2 verifiable G beta (binary p) (binary x) (binary z)) x
    (advantage_gap G x - beta * ((x - p) / (x * (1 - x)))).
Proof.
  intros G beta p x HG Hb Hp Hx. split.
  - apply (eq11_two (preference 2 verifiable G (binary x)) beta (binary p) (binary x) (binary_full p Hp) Hb (binary_full x Hx)).
  - pose proof (is_derive_objective_two (preference 2 verifiable G (binary x)) beta p x x Hx Hp) as D.
    unfold advantage_gap, correct_advantage, wrong_advantage.
    replace (beta * ((x - p) / (x * (1 - x)))) with
      (beta * (- (x * p / x ^ 2) + (1 - x) * (1 - p) / (1 - x) ^ 2 + x / x - (1 - x) / (1 - x))) by (field; lra).
    exact D.
Qed.

Lemma stationary_correct G beta p x : (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  (on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) <->
   beta * (1 - p / x) = correct_advantage G x).
Proof.
  intros HG Hb Hp Hx. rewrite (proj1 (by_stationary_equation G beta p x HG Hb Hp Hx)), <- gap_correct by (assumption || lra).
  split; intros H.
  - apply (Rmult_eq_reg_l x); [|lra]. replace (x * (beta * (1 - p / x))) with (beta * (x - p)) by (field; lra). lra.
  - replace (beta * (x - p)) with (x * (beta * (1 - p / x))) by (field; lra). rewrite H. ring.
Qed.

Lemma ratio_increasing beta p x y : 0 < beta -> 0 < p -> 0 < x < y -> beta * (1 - p / x) < beta * (1 - p / y).
Proof.
  intros Hb Hp H. apply Rmult_lt_compat_l; [exact Hb|].
  assert (p / y < p / x); [|lra]. apply Rmult_lt_compat_l; [exact Hp|]. apply Rinv_lt_contravar; nra.
Qed.

(** Exactly one stationary policy inside for every group size, beta and reference; it lies above the reference. *)
Theorem by_stationary_unique : forall G beta p, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 ->
  exists x, p < x < 1 /\
    forall y, 0 < y < 1 -> (on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary y) <-> y = x).
Proof.
  intros G beta p HG Hb Hp. destruct (by_rare_advantage G HG) as (_ & E1 & D & C).
  set (f := fun x => beta * (1 - p / x) - correct_advantage G x).
  destruct (zero_rising f p 1) as (x & Hx & Z); [lra| | | |].
  - intros x Hx. apply (continuous_minus (V := R_NormedModule)); [|apply C].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - unfold f. replace (p / p) with 1 by (field; lra). pose proof (correct_advantage_pos G p HG ltac:(lra)). lra.
  - unfold f. rewrite E1. replace (p / 1) with p by field. nra.
  - exists x. split; [exact Hx|]. intros y Hy. rewrite stationary_correct by assumption. unfold f in Z. split.
    + intros K. destruct (Rtotal_order y x) as [L|[L|L]]; [|exact L|].
      * pose proof (ratio_increasing beta p y x Hb ltac:(lra) ltac:(lra)). pose proof (D y x ltac:(lra) ltac:(lra)). lra.
      * pose proof (ratio_increasing beta p x y Hb ltac:(lra) ltac:(lra)). pose proof (D x y ltac:(lra) ltac:(lra)). lra.
    + intros ->. lra.
Qed.

(** It increases in the reference and decreases in beta. *)
Theorem by_stationary_monotone : forall G beta beta' p p' x x', (2 <= G)%nat ->
  0 < beta' <= beta -> 0 < p <= p' -> p' < 1 -> 0 < x < 1 -> 0 < x' < 1 -> (beta' < beta \/ p < p') ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  on_policy_stationary 2 (grpo 2 verifiable G beta' (binary p')) (binary x') -> x < x'.
Proof.
  intros G beta beta' p p' x x' HG Hb Hp Hp' Hx Hx' Str H H'.
  destruct (by_rare_advantage G HG) as (_ & E1 & D & C).
  apply stationary_correct in H; try assumption; try lra. apply stationary_correct in H'; try assumption; try lra.
  apply Rnot_le_lt. intros L.
  assert (A : correct_advantage G x <= correct_advantage G x').
  { destruct L as [L| ->]; [apply Rlt_le, D; lra|lra]. }
  (* 1 - p/x > 0, and beta (1 - p/x) >= beta' (1 - p'/x') with one strict *)
  pose proof (correct_advantage_pos G x HG ltac:(lra)) as P.
  assert (P1 : 0 < 1 - p / x) by nra.
  pose proof (correct_advantage_pos G x' HG ltac:(lra)) as P'.
  assert (P1' : 0 < 1 - p' / x') by nra.
  assert (Q : p / x <= p' / x').
  { apply Rmult_le_reg_r with (x * x'); [nra|]. replace (p / x * (x * x')) with (p * x') by (field; lra).
    replace (p' / x' * (x * x')) with (p' * x) by (field; lra). nra. }
  destruct Str as [S|S]; [nra|].
  assert (p / x < p' / x'); [|nra].
  apply Rmult_lt_reg_r with (x * x'); [nra|]. replace (p / x * (x * x')) with (p * x') by (field; lra).
  replace (p' / x' * (x * x')) with (p' * x) by (field; lra). nra.
Qed.

(** Closed forms: (14) with gamma = 1 for groups of two, and with gamma = sqrt 2 for groups of three. *)
Theorem by_stationary_closed_forms : forall beta p x, 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  (on_policy_stationary 2 (grpo 2 verifiable 2 beta (binary p)) (binary x) <-> x = eq14 beta p) /\
  (on_policy_stationary 2 (grpo 2 verifiable 3 beta (binary p)) (binary x) <-> x = eq14 (beta / sqrt 2) p).
Proof.
  intros beta p x Hb Hp Hx.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Q2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (A2 : correct_advantage 2 x = 1 - x).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl. replace ((1 - 1) / (1 + 1)) with 0 by field.
    replace ((1 - 0) / 1) with 1 by field. rewrite sqrt_0, sqrt_1. ring. }
  assert (A3 : correct_advantage 3 x = sqrt 2 * (1 - x)).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl.
    replace ((1 + 1 - (1 + 1)) / (1 + 1 + 1)) with 0 by field. replace ((1 + 1 - 1) / (1 + 1)) with (/ 2) by field.
    replace ((1 + 1 - 0) / 1) with 2 by field. rewrite sqrt_0.
    replace (sqrt (/ 2)) with (sqrt 2 / 2); [field|]. symmetry. apply sqrt_lem_1; [lra|lra|].
    replace (sqrt 2 / 2 * (sqrt 2 / 2)) with (sqrt 2 * sqrt 2 / 4) by field. lra. }
  rewrite !stationary_correct, A2, A3 by (assumption || lia). split; split; intros H.
  - apply eq14_unique; try lra. replace (beta * (x - p)) with (x * (beta * (1 - p / x))) by (field; lra). rewrite H. ring.
  - subst x. destruct (eq14_root beta p Hb Hp) as (_ & _ & R).
    apply (Rmult_eq_reg_l (eq14 beta p)); [|lra]. rewrite <- R. field. lra.
  - apply eq14_unique; try lra; [apply Rdiv_lt_0_compat; lra|].
    replace (beta / sqrt 2 * (x - p)) with (x * (beta * (1 - p / x)) / sqrt 2) by (field; lra). rewrite H. field. lra.
  - assert (B : 0 < beta / sqrt 2) by (apply Rdiv_lt_0_compat; lra).
    destruct (eq14_root (beta / sqrt 2) p B Hp) as (_ & _ & R). rewrite <- H in R.
    apply (Rmult_eq_reg_l x); [|lra]. replace (x * (beta * (1 - p / x))) with (sqrt 2 * (beta / sqrt 2 * (x - p))) by (field; lra).
    rewrite R. ring.
Qed.

(** ** Rare successes *)

(** As the reference probability of the correct answer vanishes, the stationary policy keeps the root of
    P_G(correct) = beta where beta < sqrt(G - 1), and nothing where beta >= sqrt(G - 1): it jumps at p = 0 exactly for
    beta < sqrt(G - 1), that is for G > 1 + beta^2. *)
Theorem by_rare_jump : forall G beta, (2 <= G)%nat -> 0 < beta ->
  let S := fun p x => on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) in
  (beta < sqrt (INR G - 1) <-> 1 + beta ^ 2 < INR G) /\
  (beta < sqrt (INR G - 1) -> exists x0, 0 < x0 < 1 /\
     (forall x, 0 <= x <= 1 -> (correct_advantage G x = beta <-> x = x0)) /\
     (forall p x, 0 < p < 1 -> 0 < x < 1 -> S p x -> x0 < x) /\
     (forall eps, 0 < eps -> exists delta, 0 < delta /\
        forall p x, 0 < p < 1 -> p < delta -> 0 < x < 1 -> S p x -> x < x0 + eps)) /\
  (sqrt (INR G - 1) <= beta -> forall eps, 0 < eps -> exists delta, 0 < delta /\
     forall p x, 0 < p < 1 -> p < delta -> 0 < x < 1 -> S p x -> x < eps).
Proof.
  intros G beta HG Hb S. destruct (by_rare_advantage G HG) as (E0 & E1 & D & C).
  assert (L : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (HS : forall p x, 0 < p < 1 -> 0 < x < 1 -> S p x -> p = x * (1 - correct_advantage G x / beta)).
  { intros p x Hp Hx H. apply stationary_correct in H; try assumption. rewrite <- H. field. lra. }
  (* on x >= e > 0 with P(e) < beta the reference is bounded below *)
  assert (Far : forall e, 0 < e -> (e < 1 -> correct_advantage G e < beta) -> exists delta, 0 < delta /\
    forall p x, 0 < p < 1 -> p < delta -> 0 < x < 1 -> S p x -> x < e).
  { intros e He HA. destruct (Rlt_dec e 1) as [L1|L1].
    2:{ exists 1. split; [lra|]. intros. lra. }
    specialize (HA L1). assert (Q : 0 < 1 - correct_advantage G e / beta).
    { assert (correct_advantage G e / beta < 1); [|lra]. apply Rmult_lt_reg_r with beta; [exact Hb|].
      unfold Rdiv. rewrite Rmult_assoc, Rinv_l; lra. }
    exists (e * (1 - correct_advantage G e / beta)). split; [apply Rmult_lt_0_compat; lra|].
    intros p x Hp Hd Hx H. apply Rnot_le_lt. intros K. apply Rlt_not_le in Hd. apply Hd. rewrite (HS p x Hp Hx H).
    apply Rmult_le_compat; try lra. assert (correct_advantage G x / beta <= correct_advantage G e / beta); [|lra].
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hb|].
    destruct K as [K| <-]; [apply Rlt_le, D; lra|lra]. }
  split; [|split].
  - split; intros H.
    + assert (beta ^ 2 < sqrt (INR G - 1) ^ 2) by (apply pow_lt_compat_l || nra). rewrite pow2_sqrt in H0 by lra. lra.
    + rewrite <- (sqrt_pow2 beta) by lra. apply sqrt_lt_1_alt. nra.
  - intros H. destruct (zero_falling (fun x => correct_advantage G x - beta) 0 1) as (x0 & H0 & Z).
    + lra.
    + intros x Hx. apply (continuous_minus (V := R_NormedModule)); [apply C|apply continuous_const].
    + rewrite E0. lra.
    + rewrite E1. lra.
    + exists x0. split; [exact H0|].
      assert (U : forall x, 0 <= x <= 1 -> (correct_advantage G x = beta <-> x = x0)).
      { intros x Hx. split; [|intros ->; lra]. intros K. destruct (Rtotal_order x x0) as [A|[A|A]]; [|exact A|].
        - pose proof (D x x0 ltac:(lra) ltac:(lra)). lra.
        - pose proof (D x0 x ltac:(lra) ltac:(lra)). lra. }
      split; [exact U|]. split.
      * intros p x Hp Hx HSx. apply stationary_correct in HSx; try assumption.
        apply Rnot_le_lt. intros K. assert (correct_advantage G x0 <= correct_advantage G x).
        { destruct K as [K| ->]; [apply Rlt_le, D; lra|lra]. }
        assert (0 < p / x) by (apply Rdiv_lt_0_compat; lra). nra.
      * intros eps He. apply Far; [lra|]. intros L1. pose proof (D x0 (x0 + eps) ltac:(lra) ltac:(lra)). lra.
  - intros H eps He. apply Far; [exact He|]. intros L1. pose proof (D 0 eps ltac:(lra) ltac:(lra)). lra.
Qed.

(** ** Maximum or minimum of its own objective *)

Lemma stationary_gap G beta p x : (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  beta * (x - p) = x * (1 - x) * advantage_gap G x /\ beta * bend x p = x * (1 - x) * (beta - 2 * (1 - 2 * x) * advantage_gap G x).
Proof.
  intros HG Hb Hp Hx H. apply (proj1 (by_stationary_equation G beta p x HG Hb Hp Hx)) in H. split; [exact H|].
  unfold bend. replace (beta * (3 * x ^ 2 - (1 + 4 * p) * x + 2 * p))
    with ((4 * x - 2) * (beta * (x - p)) + beta * (x * (1 - x))) by ring. rewrite H. ring.
Qed.

(** A strict local maximum where beta > 2 (1 - 2 x) Delta_G(x), a strict local minimum where it is less. *)
Theorem by_max_region : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  let J := grpo 2 verifiable G beta (binary p) (binary x) in
  (2 * (1 - 2 * x) * advantage_gap G x < beta -> strict_local_maximum 2 J (binary x)) /\
  (beta < 2 * (1 - 2 * x) * advantage_gap G x -> strict_local_minimum 2 J (binary x)) /\
  (1 / 3 <= x -> strict_local_maximum 2 J (binary x)).
Proof.
  intros G beta p x HG Hb Hp Hx H J.
  destruct (stationary_gap G beta p x HG Hb Hp Hx H) as [E B].
  destruct (frozen_classification (preference 2 verifiable G (binary x)) beta p x Hb Hp Hx E) as (C1 & C2 & _ & _).
  assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  set (d := beta - 2 * (1 - 2 * x) * advantage_gap G x) in *.
  split; [|split]; intros K.
  - apply C1. assert (0 < x * (1 - x) * d) by (apply Rmult_lt_0_compat; unfold d; lra). nra.
  - apply C2. assert (0 < x * (1 - x) * - d) by (apply Rmult_lt_0_compat; unfold d; lra). nra.
  - apply C1. (* p < x: the bend is positive from a third on *)
    assert (0 < advantage_gap G x).
    { pose proof (gap_correct G x HG ltac:(lra)). pose proof (correct_advantage_pos G x HG ltac:(lra)). nra. }
    assert (0 < x * (1 - x) * advantage_gap G x) by (apply Rmult_lt_0_compat; assumption).
    assert (p < x) by nra. unfold bend. nra.
Qed.

(** A reference above (2 - sqrt 3)/4 is safe for every beta and every group size: the stationary policy is a strict local
    maximum of its own objective.  So is every beta >= 2 sqrt(G - 1), for every reference. *)
Theorem by_max_safe_everywhere : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  (2 - sqrt 3) / 4 < p \/ 2 * sqrt (INR G - 1) <= beta ->
  strict_local_maximum 2 (grpo 2 verifiable G beta (binary p) (binary x)) (binary x).
Proof.
  intros G beta p x HG Hb Hp Hx H K.
  destruct (stationary_gap G beta p x HG Hb Hp Hx H) as [E B].
  pose proof (gap_correct G x HG ltac:(lra)) as GC. pose proof (correct_advantage_pos G x HG ltac:(lra)) as CP.
  assert (GP : 0 < advantage_gap G x) by nra.
  destruct K as [K|K].
  - destruct (frozen_classification (preference 2 verifiable G (binary x)) beta p x Hb Hp Hx E) as (C1 & _).
    apply C1. assert (0 < x * (1 - x) * advantage_gap G x) by (repeat apply Rmult_lt_0_compat; lra).
    assert (X : p < x) by nra.
    assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra). assert (Q3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
    unfold bend. destruct (Rle_dec (1 / 2) x) as [L|L]; [nra|].
    (* 2 p (1 - 2 x) > (2 - sqrt 3)(1 - 2 x)/2, and 3 x^2 - x + (2 - sqrt 3)(1 - 2 x)/2 is a square *)
    assert (2 * p * (1 - 2 * x) > (2 - sqrt 3) / 2 * (1 - 2 * x)) by nra.
    pose proof (pow2_ge_0 (sqrt 3 * x - (sqrt 3 - 1) / 2)). nra.
  - apply (proj1 (by_max_region G beta p x HG Hb Hp Hx H)).
    destruct (by_rare_advantage G HG) as (E0 & _ & D & _).
    pose proof (D 0 x ltac:(lra) ltac:(lra)) as A. rewrite E0 in A.
    assert (2 * (1 - 2 * x) * advantage_gap G x < 2 * correct_advantage G x) by (rewrite <- GC; nra). lra.
Qed.
