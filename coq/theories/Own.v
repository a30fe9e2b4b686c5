(** Results of our own, on the definitions of Policies.v: verifiable rewards and groups of any size, pairs of any
    preferences, and what every stationary policy satisfies.

    Every theorem has the name of a claim of the ledger, with underscores, and states its whole sentence. *)

From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
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
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_reg_r with n; [lra|]. unfold Rdiv.
    rewrite Rmult_assoc, Rinv_l; lra. }
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
  rewrite (IH _ (fun i => psi (S i))) by (intros; apply H; lia). rewrite (IH phi psi) by (intros; apply H; lia).
  reflexivity.
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
  assert (A : bernstein N (fun i => phi (S i)) x < bernstein N (fun i => psi (S i)) x)
    by (apply IH; intros; apply H; lia).
  assert (B : bernstein N phi x < bernstein N psi x) by (apply IH; intros; apply H; lia).
  destruct (Req_dec x 0) as [->|NZ]; [lra|].
  apply Rplus_lt_le_compat; [apply Rmult_lt_compat_l; lra|apply Rmult_le_compat_l; lra].
Qed.

Lemma bernstein_decreases N phi x y : 0 <= x <= y -> y <= 1 -> (forall k, (k < N)%nat -> phi (S k) <= phi k) ->
  bernstein N phi y <= bernstein N phi x.
Proof.
  intros Hx Hy. revert phi. induction N as [|N IH]; intros phi H; simpl; [lra|].
  assert (A : bernstein N (fun i => phi (S i)) y <= bernstein N (fun i => phi (S i)) x)
    by (apply IH; intros; apply H; lia).
  assert (B : bernstein N phi y <= bernstein N phi x) by (apply IH; intros; apply H; lia).
  assert (C : bernstein N (fun i => phi (S i)) y <= bernstein N phi y)
    by (apply bernstein_le; [lra|intros; apply H; lia]).
  set (a := bernstein N (fun i => phi (S i)) x) in *. set (a' := bernstein N (fun i => phi (S i)) y) in *.
  set (b := bernstein N phi x) in *. set (b' := bernstein N phi y) in *.
  assert (0 <= x * (a - a')) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - x) * (b - b')) by (apply Rmult_le_pos; lra).
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
  assert (C : bernstein N (fun i => phi (S i)) y < bernstein N phi y)
    by (apply bernstein_lt; [lra|intros; apply H; lia]).
  set (a := bernstein N (fun i => phi (S i)) x) in *. set (a' := bernstein N (fun i => phi (S i)) y) in *.
  set (b := bernstein N phi x) in *. set (b' := bernstein N phi y) in *.
  assert (0 <= x * (a - a')) by (apply Rmult_le_pos; lra).
  assert (0 <= (1 - x) * (b - b')) by (apply Rmult_le_pos; lra).
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
Lemma wrong_member (g : list R) (k : nat) : zero_one g -> list_sum g = INR k -> (k <= length g)%nat ->
  advantage (0 :: g) 0 = - weight (length g) (length g - k).
Proof.
  intros H S Hk. unfold weight.
  assert (H' : zero_one (0 :: g)) by (intros x [<-|Hx]; [left; reflexivity|apply H, Hx]).
  assert (S' : list_sum (0 :: g) = INR k) by (simpl; lra).
  destruct (Nat.eq_dec k 0) as [->|N].
  - rewrite Nat.sub_0_r, Rminus_eq_0. unfold Rdiv. rewrite Rmult_0_l, sqrt_0, Ropp_0.
    apply advantage_of_equals; [left; reflexivity|].
    rewrite (zero_one_deviation _ H') by discriminate. unfold mean. rewrite S'. simpl INR.
    unfold Rdiv. rewrite !Rmult_0_l. apply sqrt_0.
  - destruct (by_gap_members (0 :: g) k H' S') as [_ A]; [simpl; lia|]. rewrite A. do 2 f_equal.
    simpl length. rewrite !S_INR, minus_INR by lia. f_equal; ring.
Qed.

Lemma bernstein_opposite N phi x : bernstein N (fun k => - phi k) x = - bernstein N phi x.
Proof.
  revert phi. induction N as [|N IH]; intros phi; [reflexivity|]. simpl. rewrite (IH (fun i => phi (S i))), IH. ring.
Qed.

Lemma bernstein_mirrored N psi x : bernstein N (fun k => psi (N - k)%nat) x = bernstein N psi (1 - x).
Proof.
  revert psi. induction N as [|N IH]; intros psi; [reflexivity|].
  change (x * bernstein N (fun i => psi (S N - S i)%nat) x + (1 - x) * bernstein N (fun k => psi (S N - k)%nat) x =
    (1 - x) * bernstein N (fun i => psi (S i)) (1 - x) + (1 - (1 - x)) * bernstein N psi (1 - x)).
  rewrite (bernstein_ext N (fun i => psi (S N - S i)%nat) (fun i => psi (N - i)%nat)) by (intros; f_equal; lia).
  rewrite (bernstein_ext N (fun k => psi (S N - k)%nat) (fun k => psi (S (N - k)))) by (intros; f_equal; lia).
  rewrite IH, (IH (fun i => psi (S i))). ring.
Qed.

Lemma wrong_advantage_bernstein G x : (1 <= G)%nat ->
  wrong_advantage G x = - bernstein (G - 1) (weight (G - 1)) (1 - x).
Proof.
  intros HG. unfold wrong_advantage, verifiable. rewrite vy_s21_PG_deterministic.
  replace (correctness 1) with 0 by reflexivity.
  rewrite (draws_count (G - 1) x (fun g => advantage (0 :: g) 0) (fun k => - weight (G - 1) (G - 1 - k))).
  - rewrite bernstein_opposite, bernstein_mirrored. reflexivity.
  - intros g k Z L S K. rewrite <- L. rewrite <- L in K. apply wrong_member; assumption.
Qed.

(** Two answers, any group size: beside k others of its kind among G - 1 an answer has the advantage
    sqrt((G - 1 - k)/(k + 1)) if it is the correct one, and minus that if it is the wrong one. *)
Theorem vy_s21_PG_binomial : forall G y, (2 <= G)%nat ->
  let mean := fun z =>
    Sum G (fun k => Binomial.C (G - 1) k * z ^ k * (1 - z) ^ (G - 1 - k) * sqrt ((INR G - 1 - INR k) / (INR k + 1))) in
  preference 2 verifiable G (binary y) 0 = mean y /\ preference 2 verifiable G (binary y) 1 = - mean (1 - y).
Proof.
  intros G y HG mean.
  assert (E : forall z, bernstein (G - 1) (weight (G - 1)) z = mean z).
  { intros z. unfold mean. rewrite bernstein_binomial. replace (S (G - 1)) with G by lia. apply Sum_ext. intros i Hi.
    unfold weight. rewrite minus_INR by lia. rewrite (S_INR i). reflexivity. }
  split.
  - fold (correct_advantage G y). rewrite correct_advantage_bernstein, E by lia. reflexivity.
  - fold (wrong_advantage G y). rewrite wrong_advantage_bernstein, E by lia. reflexivity.
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

Lemma correct_advantage_shape G : (2 <= G)%nat ->
  correct_advantage G 0 = sqrt (INR G - 1) /\ correct_advantage G 1 = 0 /\
  (forall x y, 0 <= x < y -> y <= 1 -> correct_advantage G y < correct_advantage G x) /\
  (forall x, continuous (correct_advantage G) x).
Proof.
  intros HG. assert (E : forall x, correct_advantage G x = bernstein (G - 1) (weight (G - 1)) x).
  { intros. apply correct_advantage_bernstein. lia. }
  split; [|split; [|split]].
  - rewrite E, bernstein_0, weight_0, minus_INR by lia. reflexivity.
  - rewrite E, bernstein_1. apply weight_N.
  - intros x y Hx Hy. rewrite !E. apply bernstein_decreases_strictly; [lia|lra|lra|]. intros. apply weight_decreases.
    assumption.
  - intros x. apply (continuous_ext (bernstein (G - 1) (weight (G - 1))));
      [intros; symmetry; apply E|apply bernstein_continuous].
Qed.

Lemma correct_advantage_pos G x : (2 <= G)%nat -> 0 <= x < 1 -> 0 < correct_advantage G x.
Proof.
  intros HG Hx. destruct (correct_advantage_shape G HG) as (_ & E & D & _). rewrite <- E. apply D; lra.
Qed.

(** The classes balance: the gap is the advantage of the correct answer over 1 - x. *)
Lemma gap_correct G x : (2 <= G)%nat -> 0 <= x <= 1 -> (1 - x) * advantage_gap G x = correct_advantage G x.
Proof.
  intros HG Hx. pose proof (vy_s21_PG_centred 2 verifiable G (binary x) HG (binary_policy x Hx) (sure_law 2 _)) as Z.
  rewrite expect_binary in Z. fold (correct_advantage G x) (wrong_advantage G x) in Z. unfold advantage_gap. lra.
Qed.

(** The expected advantage of a correct answer is x (1 - x) Delta_G(x) over x, a binomial expectation; it falls strictly
    from sqrt(G - 1) at 0 to 0 at 1, and is continuous.  That of a wrong answer balances it. *)
Theorem by_rare_advantage : forall G, (2 <= G)%nat ->
  (forall x, correct_advantage G x
     = Sum G (fun k => Binomial.C (G - 1) k * x ^ k * (1 - x) ^ (G - 1 - k) * sqrt ((INR G - 1 - INR k) / (INR k + 1))))
       /\
  (forall x, 0 <= x <= 1 ->
     x * correct_advantage G x = x * (1 - x) * advantage_gap G x /\
     - (1 - x) * wrong_advantage G x = x * (1 - x) * advantage_gap G x) /\
  correct_advantage G 0 = sqrt (INR G - 1) /\ correct_advantage G 1 = 0 /\
  (forall x y, 0 <= x < y -> y <= 1 -> correct_advantage G y < correct_advantage G x) /\
  (forall x, continuous (correct_advantage G) x).
Proof.
  intros G HG. split; [intros x; apply (vy_s21_PG_binomial G x HG)|]. split; [|apply correct_advantage_shape, HG].
  intros x Hx. pose proof (gap_correct G x HG Hx) as E. unfold advantage_gap in *.
  assert (F : x * correct_advantage G x = x * (1 - x) * (correct_advantage G x - wrong_advantage G x)).
  { rewrite <- E at 1. ring. }
  split; [exact F|lra].
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
  - apply (eq11_two (preference 2 verifiable G (binary x)) beta (binary p) (binary x) (binary_full p Hp) Hb
      (binary_full x Hx)).
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
  intros HG Hb Hp Hx. rewrite (proj1 (by_stationary_equation G beta p x HG Hb Hp Hx)), <- gap_correct
    by (assumption || lra).
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
  intros G beta p HG Hb Hp. destruct (correct_advantage_shape G HG) as (_ & E1 & D & C).
  set (f := fun x => beta * (1 - p / x) - correct_advantage G x).
  destruct (zero_rising f p 1) as (x & Hx & Z); [lra| | | |].
  - intros x Hx. apply (continuous_minus (V := R_NormedModule)); [|apply C].
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - unfold f. replace (p / p) with 1 by (field; lra). pose proof (correct_advantage_pos G p HG ltac:(lra)). lra.
  - unfold f. rewrite E1. replace (p / 1) with p by field. nra.
  - exists x. split; [exact Hx|]. intros y Hy. rewrite stationary_correct by assumption. unfold f in Z. split.
    + intros K. destruct (Rtotal_order y x) as [L|[L|L]]; [|exact L|].
      * pose proof (ratio_increasing beta p y x Hb ltac:(lra) ltac:(lra)). pose proof (D y x ltac:(lra) ltac:(lra)).
        lra.
      * pose proof (ratio_increasing beta p x y Hb ltac:(lra) ltac:(lra)). pose proof (D x y ltac:(lra) ltac:(lra)).
        lra.
    + intros ->. lra.
Qed.

(** It increases in the reference and decreases in beta. *)
Lemma stationary_order : forall G beta beta' p p' x x', (2 <= G)%nat ->
  0 < beta' <= beta -> 0 < p <= p' -> p' < 1 -> 0 < x < 1 -> 0 < x' < 1 -> (beta' < beta \/ p < p') ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  on_policy_stationary 2 (grpo 2 verifiable G beta' (binary p')) (binary x') -> x < x'.
Proof.
  intros G beta beta' p p' x x' HG Hb Hp Hp' Hx Hx' Str H H'.
  destruct (correct_advantage_shape G HG) as (_ & E1 & D & C).
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

(** Closed forms: (14) with gamma = 1 for groups of two and with gamma = sqrt 2 for groups of three; for groups of four
    and five beta as a function of the policy. *)
Theorem by_stationary_closed_forms : forall beta p x, 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  let stationary_for := fun G => on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) in
  (stationary_for 2%nat <-> x = eq14 beta p) /\
  (stationary_for 3%nat <-> x = eq14 (beta / sqrt 2) p) /\
  (stationary_for 4%nat <->
     beta * (x - p) = (sqrt 3 + (3 - 2 * sqrt 3) * (x * (1 - x))) * (x * (1 - x))) /\
  (stationary_for 5%nat <->
     beta * (x - p) = (2 + (2 * sqrt 6 - 6) * (x * (1 - x))) * (x * (1 - x))).
Proof.
  intros beta p x Hb Hp Hx stationary_for.
  assert (S2 : 0 < sqrt 2) by (apply sqrt_lt_R0; lra). assert (Q2 : sqrt 2 * sqrt 2 = 2) by (apply sqrt_sqrt; lra).
  assert (A2 : correct_advantage 2 x = 1 - x).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl.
    replace ((1 - 1) / (1 + 1)) with 0 by field.
    replace ((1 - 0) / 1) with 1 by field. rewrite sqrt_0, sqrt_1. ring. }
  assert (A3 : correct_advantage 3 x = sqrt 2 * (1 - x)).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl.
    replace ((1 + 1 - (1 + 1)) / (1 + 1 + 1)) with 0 by field. replace ((1 + 1 - 1) / (1 + 1)) with (/ 2) by field.
    replace ((1 + 1 - 0) / 1) with 2 by field. rewrite sqrt_0.
    replace (sqrt (/ 2)) with (sqrt 2 / 2); [field|]. symmetry. apply sqrt_lem_1; [lra|lra|].
    replace (sqrt 2 / 2 * (sqrt 2 / 2)) with (sqrt 2 * sqrt 2 / 4) by field. lra. }
  assert (A4 : x * correct_advantage 4 x = (sqrt 3 + (3 - 2 * sqrt 3) * (x * (1 - x))) * (x * (1 - x))).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl.
    replace ((1 + 1 + 1 - (1 + 1 + 1)) / (1 + 1 + 1 + 1)) with 0 by field.
    replace ((1 + 1 + 1 - (1 + 1)) / (1 + 1 + 1)) with (/ 3) by field.
    replace ((1 + 1 + 1 - 1) / (1 + 1)) with 1 by field. replace ((1 + 1 + 1 - 0) / 1) with 3 by field.
    rewrite sqrt_0, sqrt_1. assert (Q : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
    replace (sqrt (/ 3)) with (sqrt 3 / 3); [field|]. symmetry. apply sqrt_lem_1; [lra|pose proof (sqrt_pos 3); lra|].
    replace (sqrt 3 / 3 * (sqrt 3 / 3)) with (sqrt 3 * sqrt 3 / 9) by field. lra. }
  assert (A5 : x * correct_advantage 5 x = (2 + (2 * sqrt 6 - 6) * (x * (1 - x))) * (x * (1 - x))).
  { rewrite correct_advantage_bernstein by lia. simpl. unfold weight. simpl.
    replace ((1 + 1 + 1 + 1 - (1 + 1 + 1 + 1)) / (1 + 1 + 1 + 1 + 1)) with 0 by field.
    replace ((1 + 1 + 1 + 1 - (1 + 1 + 1)) / (1 + 1 + 1 + 1)) with ((/ 2) ^ 2) by field.
    replace ((1 + 1 + 1 + 1 - (1 + 1)) / (1 + 1 + 1)) with (2 / 3) by field.
    replace ((1 + 1 + 1 + 1 - 1) / (1 + 1)) with (3 / 2) by field.
    replace ((1 + 1 + 1 + 1 - 0) / 1) with (2 ^ 2) by field.
    rewrite sqrt_0, !sqrt_pow2 by lra. assert (Q : sqrt 6 * sqrt 6 = 6) by (apply sqrt_sqrt; lra).
    pose proof (sqrt_pos 6).
    replace (sqrt (2 / 3)) with (sqrt 6 / 3).
    2:{ symmetry. apply sqrt_lem_1; [lra|lra|]. replace (sqrt 6 / 3 * (sqrt 6 / 3)) with (sqrt 6 * sqrt 6 / 9) by field.
      lra. }
    replace (sqrt (3 / 2)) with (sqrt 6 / 2).
    2:{ symmetry. apply sqrt_lem_1; [lra|lra|]. replace (sqrt 6 / 2 * (sqrt 6 / 2)) with (sqrt 6 * sqrt 6 / 4) by field.
      lra. }
    field. }
  assert (T : forall G m, (2 <= G)%nat -> x * correct_advantage G x = m -> (stationary_for G <-> beta * (x - p) = m)).
  { intros G m HG <-. unfold stationary_for. rewrite stationary_correct by assumption. split; intros H.
    - rewrite <- H. field. lra.
    - apply (Rmult_eq_reg_l x); [|lra]. rewrite <- H. field. lra. }
  assert (T4 := T 4%nat _ ltac:(lia) A4). assert (T5 := T 5%nat _ ltac:(lia) A5).
  enough ((stationary_for 2%nat <-> x = eq14 beta p) /\ (stationary_for 3%nat <-> x = eq14 (beta / sqrt 2) p)) by tauto.
  clear T T4 T5 A4 A5. unfold stationary_for.
  rewrite !stationary_correct, A2, A3 by (assumption || lia). split; split; intros H.
  - apply eq14_unique; try lra. replace (beta * (x - p)) with (x * (beta * (1 - p / x))) by (field; lra). rewrite H.
    ring.
  - subst x. destruct (eq14_root beta p Hb Hp) as (_ & _ & R).
    apply (Rmult_eq_reg_l (eq14 beta p)); [|lra]. rewrite <- R. field. lra.
  - apply eq14_unique; try lra; [apply Rdiv_lt_0_compat; lra|].
    replace (beta / sqrt 2 * (x - p)) with (x * (beta * (1 - p / x)) / sqrt 2) by (field; lra). rewrite H. field. lra.
  - assert (B : 0 < beta / sqrt 2) by (apply Rdiv_lt_0_compat; lra).
    destruct (eq14_root (beta / sqrt 2) p B Hp) as (_ & _ & R). rewrite <- H in R.
    apply (Rmult_eq_reg_l x); [|lra].
    replace (x * (beta * (1 - p / x))) with (sqrt 2 * (beta / sqrt 2 * (x - p))) by (field; lra).
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
  intros G beta HG Hb S. destruct (correct_advantage_shape G HG) as (E0 & E1 & D & C).
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
  beta * (x - p) = x * (1 - x) * advantage_gap G x
    /\ beta * bend x p = x * (1 - x) * (beta - 2 * (1 - 2 * x) * advantage_gap G x).
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

(** ** Bounds on the gap *)

Lemma bernstein_affine N c d x : bernstein N (fun k => c + d * INR k) x = c + d * (INR N * x).
Proof.
  revert c. induction N as [|N IH]; intros c; [simpl; ring|].
  change (bernstein (S N) (fun k => c + d * INR k) x)
    with (x * bernstein N (fun k => c + d * INR (S k)) x + (1 - x) * bernstein N (fun k => c + d * INR k) x).
  rewrite (bernstein_ext N (fun k => c + d * INR (S k)) (fun k => (c + d) + d * INR k))
    by (intros; rewrite S_INR; ring).
  rewrite !IH, S_INR. ring.
Qed.

(** For every policy the second moment of its preferences is at most 1. *)
Lemma preference_second_moment n rw G pi : (2 <= G)%nat -> policy n pi -> are_laws n rw ->
  expect n pi (fun o => preference n rw G pi o ^ 2) <= 1.
Proof.
  intros HG Hpi Hrw. pose proof (outcome_expectation n pi rw Hpi Hrw) as HE. destruct G as [|N]; [lia|].
  set (A2 := fun (m : nat * R) (s : list (nat * R)) => advantage (map snd s) (snd m) ^ 2).
  apply Rle_trans with (outcome_expect n pi rw (fun m => draws (outcome_expect n pi rw) N (fun s => A2 m (m :: s)))).
  - unfold outcome_expect at 1. apply expect_le; [exact Hpi|]. intros o Ho.
    pose proof (law_expectation _ (Hrw o Ho)) as HL. pose proof (draws_expectation _ HE N) as HN.
    unfold preference, preference_of. simpl Nat.sub. rewrite Nat.sub_0_r.
    eapply Rle_trans; [apply (E_square _ HL)|]. apply (E_le _ HL). intros x.
    apply (E_square _ HN (fun s => advantage (x :: map snd s) x)).
  - apply Rmult_le_reg_l with (INR (S N)); [apply lt_0_INR; lia|].
    rewrite <- (draws_exchange _ HE N A2).
    2:{ intros a s s' P. unfold A2. rewrite (advantage_perm _ _ _ (Permutation_map snd P)). reflexivity. }
    rewrite Rmult_1_r, <- (E_const _ (draws_expectation _ HE (S N)) (INR (S N))).
    rewrite (draws_ext _ HE (S N) (fun _ => INR (S N)) (fun s => INR (length (map snd s)))).
    2:{ intros s Hs. rewrite map_length, Hs. reflexivity. }
    apply (E_le _ (draws_expectation _ HE (S N))). intros s. unfold A2.
    rewrite <- (map_map snd (fun x => advantage (map snd s) x ^ 2)). apply mean_square_advantage.
Qed.

(** 2 (1 - 1/G) <= Delta_G(x) <= min{sqrt(G - 1), 1/sqrt(x (1 - x))}. *)
Lemma gap_bounds : forall G x, (2 <= G)%nat -> 0 < x < 1 ->
  2 * (1 - / INR G) <= advantage_gap G x /\
  advantage_gap G x <= sqrt (INR G - 1) /\
  advantage_gap G x <= / sqrt (x * (1 - x)).
Proof.
  intros G x HG Hx. pose proof (gap_correct G x HG ltac:(lra)) as GC.
  pose proof (correct_advantage_pos G x HG ltac:(lra)) as CP.
  assert (L : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (EN : INR (G - 1) = INR G - 1) by (rewrite minus_INR by lia; reflexivity).
  set (N := (G - 1)%nat) in *. assert (HN : 1 <= INR N) by lra.
  assert (EB : correct_advantage G x = bernstein N (weight N) x) by (apply correct_advantage_bernstein; lia).
  assert (Kk : forall k, (k <= N)%nat -> 0 <= INR k <= INR N)
    by (intros; split; [apply pos_INR|apply le_INR; assumption]).
  split; [|split].
  - (* the weights are at least 2 (N - k)/(N + 1) *)
    assert (B : 2 * (INR N / (INR N + 1)) * (1 - x) <= correct_advantage G x).
    { rewrite EB. replace (2 * (INR N / (INR N + 1)) * (1 - x))
        with (bernstein N (fun k => 2 * INR N / (INR N + 1) + - (2 / (INR N + 1)) * INR k) x)
        by (rewrite bernstein_affine; field; lra).
      apply bernstein_le; [lra|]. intros k Hk. destruct (Kk k Hk) as [K0 K1]. unfold weight. rewrite S_INR.
      set (a := INR N - INR k). set (c := INR k + 1).
      replace (2 * INR N / (INR N + 1) + - (2 / (INR N + 1)) * INR k) with (2 * a / (a + c))
        by (unfold a, c; field; lra).
      assert (0 <= a) by (unfold a; lra). assert (0 < c) by (unfold c; lra).
      rewrite <- (sqrt_pow2 (2 * a / (a + c))) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
      apply sqrt_le_1_alt. apply Rmult_le_reg_r with (c * (a + c) ^ 2); [apply Rmult_lt_0_compat; nra|].
      replace ((2 * a / (a + c)) ^ 2 * (c * (a + c) ^ 2)) with (4 * a * c * a) by (field; lra).
      replace (a / c * (c * (a + c) ^ 2)) with ((a + c) ^ 2 * a) by (field; lra).
      apply Rmult_le_compat_r; [assumption|]. pose proof (pow2_ge_0 (a - c)). nra. }
    apply Rmult_le_reg_l with (1 - x); [lra|]. rewrite GC.
    replace (2 * (1 - / INR G)) with (2 * (INR N / (INR N + 1))) by (rewrite EN; field; lra). lra.
  - (* and at most (N - k)/sqrt N *)
    set (s := sqrt (INR N)). assert (S0 : 0 < s) by (apply sqrt_lt_R0; lra).
    assert (S2 : s * s = INR N) by (apply sqrt_sqrt; lra).
    assert (B : correct_advantage G x <= s * (1 - x)).
    { rewrite EB. replace (s * (1 - x)) with (bernstein N (fun k => s + - (/ s) * INR k) x).
      2:{ rewrite bernstein_affine, <- S2. field. lra. }
      apply bernstein_le; [lra|]. intros k Hk. destruct (Kk k Hk) as [K0 K1]. unfold weight. rewrite S_INR.
      replace (s + - / s * INR k) with ((INR N - INR k) / s) by (rewrite <- S2; field; lra).
      rewrite <- (sqrt_pow2 ((INR N - INR k) / s)) by (apply Rmult_le_pos; [lra|apply Rlt_le, Rinv_0_lt_compat; lra]).
      apply sqrt_le_1_alt. apply Rmult_le_reg_r with ((INR k + 1) * INR N); [apply Rmult_lt_0_compat; lra|].
      replace ((INR N - INR k) / (INR k + 1) * ((INR k + 1) * INR N)) with ((INR N - INR k) * INR N) by (field; lra).
      replace (((INR N - INR k) / s) ^ 2 * ((INR k + 1) * INR N))
        with ((INR N - INR k) * ((INR N - INR k) * (INR k + 1))).
      2:{ rewrite <- S2. field. lra. }
      (* N <= (N - k)(k + 1) unless k = N *)
      destruct (Nat.eq_dec k N) as [->|Ne]; [lra|].
      assert (INR k + 1 <= INR N) by (rewrite <- S_INR; apply le_INR; lia).
      apply Rmult_le_compat_l; [lra|]. nra. }
    rewrite <- EN. fold s. apply Rmult_le_reg_l with (1 - x); [lra|]. rewrite GC. lra.
  - pose proof (preference_second_moment 2 verifiable G (binary x) HG (binary_policy x ltac:(lra)) (sure_law 2 _)) as M.
    pose proof (vy_s21_PG_centred 2 verifiable G (binary x) HG (binary_policy x ltac:(lra)) (sure_law 2 _)) as Z.
    rewrite expect_binary in M, Z. fold (correct_advantage G x) (wrong_advantage G x) in M, Z.
    assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
    set (a := correct_advantage G x) in *. set (w := wrong_advantage G x) in *.
    assert (D : advantage_gap G x = a - w) by reflexivity.
    assert (Q : (a - w) ^ 2 * (x * (1 - x)) <= 1).
    { replace ((a - w) ^ 2 * (x * (1 - x))) with ((x * a ^ 2 + (1 - x) * w ^ 2) - (x * a + (1 - x) * w) ^ 2) by ring.
      rewrite Z. lra. }
    assert (S0 : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; exact V). pose proof (sqrt_square x Hx) as S2.
    rewrite D. apply Rmult_le_reg_r with (sqrt (x * (1 - x))); [exact S0|]. rewrite Rinv_l by lra.
    apply Rnot_lt_le. intros K.
    assert (1 * 1 < ((a - w) * sqrt (x * (1 - x))) * ((a - w) * sqrt (x * (1 - x))))
      by (apply Rmult_le_0_lt_compat; lra).
    replace ((a - w) * sqrt (x * (1 - x)) * ((a - w) * sqrt (x * (1 - x))))
      with ((a - w) ^ 2 * (sqrt (x * (1 - x)) * sqrt (x * (1 - x)))) in H by ring. rewrite S2 in H. lra.
Qed.

(** Bounds on the stationary policy: between two values of (14), and below (15). *)
Theorem by_stationary_bounds : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  eq14 (beta * INR G / (2 * (INR G - 1))) p <= x <= Rmin (eq14 (beta / sqrt (INR G - 1)) p) (eq15 beta p) /\
  Rmax (1 - beta * INR G / (2 * (INR G - 1))) p < x.
Proof.
  intros G beta p x HG Hb Hp Hx H.
  apply (proj1 (by_stationary_equation G beta p x HG Hb Hp Hx)) in H.
  destruct (gap_bounds G x HG Hx) as (L & U1 & U2).
  assert (LG : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  set (d := advantage_gap G x) in *.
  assert (D0 : 0 < d).
  { assert (/ INR G <= / 2) by (apply Rinv_le_contravar; lra). lra. }
  assert (X : x = eq14 (beta / d) p).
  { apply eq14_unique; try lra; [apply Rdiv_lt_0_compat; lra|].
    replace (beta / d * (x - p)) with (beta * (x - p) / d) by (field; lra). rewrite H. field. lra. }
  assert (Mono : forall c c', 0 < c <= c' -> eq14 (beta / c) p <= eq14 (beta / c') p).
  { intros c c' Hc. destruct (Req_dec c c') as [->|N]; [lra|].
    apply Rlt_le, (vy_s231_increasing_gamma beta p c c' Hb Hp). lra. }
  assert (Low : eq14 (beta * INR G / (2 * (INR G - 1))) p <= x).
  { rewrite X. replace (beta * INR G / (2 * (INR G - 1))) with (beta / (2 * (1 - / INR G))) by (field; lra).
    apply Mono. split; [|exact L]. assert (/ INR G <= / 2) by (apply Rinv_le_contravar; lra). lra. }
  split; [split; [exact Low|apply Rmin_glb]|].
  - rewrite X at 1. apply Mono. lra.
  - (* beta (x - p) <= sqrt(x (1 - x)) *)
    destruct (eq15_root beta p Hb Hp) as [H1 H2]. set (y := eq15 beta p) in *.
    assert (S0 : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; exact V). pose proof (sqrt_square x Hx) as S2.
    assert (Le : beta * (x - p) <= sqrt (x * (1 - x))).
    { rewrite H. apply Rle_trans with (x * (1 - x) * / sqrt (x * (1 - x))); [apply Rmult_le_compat_l; lra|].
      rewrite <- S2 at 1. apply Req_le. field. lra. }
    apply Rnot_lt_le. intros K.
    assert (P0 : 0 < x - p) by lra.
    assert (Q : beta ^ 2 * (x - p) ^ 2 <= x * (1 - x)).
    { rewrite <- S2. replace (beta ^ 2 * (x - p) ^ 2) with ((beta * (x - p)) * (beta * (x - p))) by ring.
      assert (0 <= beta * (x - p)) by (apply Rmult_le_pos; lra). apply Rmult_le_compat; lra. }
    assert (D1 : (y - p) * (1 - x) < (x - p) * (1 - y)).
    { assert (0 < (1 - p) * (x - y)) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (D2 : (y - p) * x < (x - p) * y).
    { assert (0 < p * (x - y)) by (apply Rmult_lt_0_compat; lra). lra. }
    assert (C : (y - p) ^ 2 * (x * (1 - x)) < (x - p) ^ 2 * (y * (1 - y))).
    { replace ((y - p) ^ 2 * (x * (1 - x))) with (((y - p) * x) * ((y - p) * (1 - x))) by ring.
      replace ((x - p) ^ 2 * (y * (1 - y))) with (((x - p) * y) * ((x - p) * (1 - y))) by ring.
      apply Rmult_le_0_lt_compat; try assumption; apply Rmult_le_pos; lra. }
    assert (W : (y - p) ^ 2 * (beta ^ 2 * (x - p) ^ 2) <= (y - p) ^ 2 * (x * (1 - x))).
    { apply Rmult_le_compat_l; [apply pow2_ge_0|exact Q]. }
    replace ((y - p) ^ 2 * (beta ^ 2 * (x - p) ^ 2)) with ((x - p) ^ 2 * (beta ^ 2 * (y - p) ^ 2)) in W by ring.
    rewrite H2 in W. lra.
  - eapply Rlt_le_trans; [|exact Low].
    replace (beta * INR G / (2 * (INR G - 1))) with (beta * INR G / (2 * (INR G - 1)) / 1) by (field; lra).
    apply (vy_eq14_lower_bound_strict (beta * INR G / (2 * (INR G - 1))) 1 p); try lra.
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat|]; lra.
Qed.

(** ** Regularisation and references that are safe *)

Lemma bend_safe_reference x p : (2 - sqrt 3) / 4 < p -> p < x < 1 -> 0 < bend x p.
Proof.
  intros K X.
  assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra). assert (Q3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  unfold bend. destruct (Rle_dec (1 / 2) x) as [L|L]; [nra|].
  assert (2 * p * (1 - 2 * x) > (2 - sqrt 3) / 2 * (1 - 2 * x)) by nra.
  pose proof (pow2_ge_0 (sqrt 3 * x - (sqrt 3 - 1) / 2)). nra.
Qed.

Lemma stationary_above G beta p x : (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) -> p < x.
Proof.
  intros HG Hb Hp Hx H. apply stationary_correct in H; try assumption.
  pose proof (correct_advantage_pos G x HG ltac:(lra)). assert (A : 0 < 1 - p / x) by nra.
  assert (B : p / x < 1) by lra. apply (Rmult_lt_compat_r x) in B; [|lra]. unfold Rdiv in B.
  rewrite Rmult_assoc, Rinv_l in B by lra. lra.
Qed.

(** p > (2 - sqrt 3)/4, or beta <= 4/3 (1 - 1/G), or beta <= 2/3: a strict local maximum of its own objective. *)
Theorem by_max_safe_everywhere : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  (2 - sqrt 3) / 4 < p \/ beta <= 2 / 3 \/ beta <= 4 / 3 * (1 - / INR G) ->
  strict_local_maximum 2 (grpo 2 verifiable G beta (binary p) (binary x)) (binary x).
Proof.
  intros G beta p x HG Hb Hp Hx H K.
  destruct (stationary_gap G beta p x HG Hb Hp Hx H) as [E B].
  assert (LG : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (I2 : / INR G <= / 2) by (apply Rinv_le_contravar; lra).
  assert (K' : (2 - sqrt 3) / 4 < p \/ beta <= 4 / 3 * (1 - / INR G))
    by (destruct K as [K|[K|K]]; [left|right|right]; lra).
  clear K. destruct K' as [K|K].
  - destruct (frozen_classification (preference 2 verifiable G (binary x)) beta p x Hb Hp Hx E) as (C1 & _).
    apply C1, bend_safe_reference; [exact K|]. pose proof (stationary_above G beta p x HG Hb Hp Hx H). lra.
  - (* P(correct) < beta and P(correct) >= 2 (1 - 1/G)(1 - x), so at least a third succeed *)
    apply (by_max_region G beta p x HG Hb Hp Hx H).
    apply stationary_correct in H; try assumption.
    assert (0 < p / x) by (apply Rdiv_lt_0_compat; lra).
    pose proof (gap_correct G x HG ltac:(lra)) as GC. destruct (gap_bounds G x HG Hx) as (L & _).
    assert (correct_advantage G x < beta) by nra.
    apply Rnot_lt_le. intros T. nra.
Qed.

(** The exact region in (p, beta), for every group size: a strict local maximum for every beta where p > (2 - sqrt 3)/4;
    below, a strict local minimum exactly for beta between the values of h(x) = 2 (1 - 2 x) Delta_G(x) at the two roots
    x- < x+ of 3 x^2 - (1 + 4 p) x + 2 p, and a strict local maximum outside. *)
Theorem by_max_plane : forall G beta p x, (2 <= G)%nat -> 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  on_policy_stationary 2 (grpo 2 verifiable G beta (binary p)) (binary x) ->
  let J := grpo 2 verifiable G beta (binary p) (binary x) in
  let xm := (1 + 4 * p - sqrt (1 - 16 * p + 16 * p ^ 2)) / 6 in
  let xp := (1 + 4 * p + sqrt (1 - 16 * p + 16 * p ^ 2)) / 6 in
  let h := fun y => 2 * (1 - 2 * y) * advantage_gap G y in
  ((2 - sqrt 3) / 4 < p -> strict_local_maximum 2 J (binary x)) /\
  (p < (2 - sqrt 3) / 4 ->
     p < xm < xp /\ xp < 1 / 3 /\
     (h xp < beta < h xm -> strict_local_minimum 2 J (binary x)) /\
     (beta < h xp \/ h xm < beta -> strict_local_maximum 2 J (binary x))).
Proof.
  intros G beta p x HG Hb Hp Hx H J xm xp h.
  destruct (stationary_gap G beta p x HG Hb Hp Hx H) as [E B].
  destruct (frozen_classification (preference 2 verifiable G (binary x)) beta p x Hb Hp Hx E) as (C1 & C2 & _).
  split; [intros K; apply by_max_safe_everywhere; auto|]. intros K.
  assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra). assert (Q3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  assert (Dp : 0 < 1 - 16 * p + 16 * p ^ 2).
  { replace (1 - 16 * p + 16 * p ^ 2) with ((2 - sqrt 3 - 4 * p) * (2 + sqrt 3 - 4 * p)).
    - apply Rmult_lt_0_compat; lra.
    - replace ((2 - sqrt 3 - 4 * p) * (2 + sqrt 3 - 4 * p)) with (4 - sqrt 3 * sqrt 3 - 16 * p + 16 * p ^ 2) by ring.
      lra. }
  pose proof (sqrt_lt_R0 _ Dp) as R0. pose proof (sqrt_sqrt _ (Rlt_le _ _ Dp)) as R2.
  set (r := sqrt (1 - 16 * p + 16 * p ^ 2)) in *.
  assert (P1 : p < 1 / 12).
  { assert (5 / 3 < sqrt 3); [|lra]. rewrite <- (sqrt_pow2 (5 / 3)) by lra. apply sqrt_lt_1_alt. lra. }
  assert (Rl : r < 1 - 2 * p).
  { apply Rnot_le_lt. intros T. assert ((1 - 2 * p) * (1 - 2 * p) <= r * r) by (apply Rmult_le_compat; lra). nra. }
  assert (Rl2 : r < 1 - 4 * p).
  { apply Rnot_le_lt. intros T. assert ((1 - 4 * p) * (1 - 4 * p) <= r * r) by (apply Rmult_le_compat; lra). nra. }
  assert (O : p < xm < xp /\ xp < 1 / 3) by (unfold xm, xp; lra).
  assert (F : forall y, bend y p = 3 * (y - xm) * (y - xp)).
  { intros y. unfold bend, xm, xp. field_simplify. replace (r ^ 2) with (r * r) by ring. rewrite R2. field. }
  pose proof (stationary_above G beta p x HG Hb Hp Hx H) as PX.
  (* beta = y (P(correct)) / (y - p) decreases, and is h at the two roots *)
  destruct (correct_advantage_shape G HG) as (_ & _ & D & _).
  apply stationary_correct in H; try assumption.
  assert (Root : forall e, p < e < 1 / 3 -> bend e p = 0 -> h e * (1 - p / e) = correct_advantage G e).
  { intros e He Z. rewrite <- (gap_correct G e HG) by lra. unfold h.
    assert (E1 : e * (1 - e) = 2 * (1 - 2 * e) * (e - p)) by (unfold bend in Z; lra).
    apply (Rmult_eq_reg_l e); [|lra].
    replace (e * (2 * (1 - 2 * e) * advantage_gap G e * (1 - p / e)))
      with (2 * (1 - 2 * e) * (e - p) * advantage_gap G e) by (field; lra).
    rewrite <- E1. ring. }
  assert (Cmp : forall e, p < e < 1 / 3 -> bend e p = 0 -> (h e < beta -> x < e) /\ (beta < h e -> e < x)).
  { intros e He Z. pose proof (Root e He Z) as RE.
    assert (Q : forall y, p < y -> 0 < 1 - p / y).
    { intros y Hy. assert (p / y < 1); [|lra]. apply Rmult_lt_reg_r with y; [lra|]. unfold Rdiv.
      rewrite Rmult_assoc, Rinv_l; lra. }
    assert (Mn : forall y z, p < y <= z -> 1 - p / y <= 1 - p / z).
    { intros y z Hyz. assert (p / z <= p / y); [|lra]. apply Rmult_le_compat_l; [lra|]. apply Rinv_le_contravar; lra. }
    split; intros Hh; apply Rnot_le_lt; intros T.
    - assert (correct_advantage G x <= correct_advantage G e)
        by (destruct T as [T|T]; [apply Rlt_le, D; lra|rewrite T; lra]).
      pose proof (Mn e x ltac:(lra)). pose proof (Q e ltac:(lra)). pose proof (Q x PX). nra.
    - assert (correct_advantage G e <= correct_advantage G x)
        by (destruct T as [T|T]; [apply Rlt_le, D; lra|rewrite T; lra]).
      pose proof (Mn x e ltac:(lra)). pose proof (Q e ltac:(lra)). pose proof (Q x PX). nra. }
  destruct (Cmp xm ltac:(lra) ltac:(rewrite F; ring)) as [M1 M2].
  destruct (Cmp xp ltac:(lra) ltac:(rewrite F; ring)) as [N1 N2].
  split; [lra|]. split; [lra|]. split.
  - intros [A1 A2]. apply C2. rewrite F. specialize (N1 A1). specialize (M2 A2). nra.
  - intros [A|A]; apply C1; rewrite F; [specialize (N2 A)|specialize (M1 A)]; nra.
Qed.

(** * Any number of answers, any rewards, any group size *)

(** A stationary policy of full support has the preferences beta (1 - ref/pi), which average to zero. Those are the
    preferences whose slopes vanish; the slopes average to E P, and with the policy's own k3 to E P - beta KL(pi ||
    ref). *)
Theorem by_many_stationary : forall n rw G beta ref pi,
  (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
  (on_policy_stationary n (grpo n rw G beta ref) pi <->
   forall o, (o < n)%nat -> preference n rw G pi o = beta * (1 - ref o / pi o)) /\
  expect n pi (preference n rw G pi) = 0 /\
  forall P,
    (forall o, (o < n)%nat -> is_partial (objective n P beta ref pi) pi o (P o - beta * (1 - ref o / pi o))) /\
    expect n pi (fun o => P o - beta * (1 - ref o / pi o)) = expect n pi P /\
    expect n pi (fun o => beta * (1 - ref o / pi o)) = 0 /\
    exists d, (forall o, (o < n)%nat ->
        is_partial (fun q => expect n q (fun i => P i - beta * k3 (q i) (ref i))) pi o (d o)) /\
      expect n pi d = expect n pi P - beta * kl n pi ref.
Proof.
  intros n rw G beta ref pi HG Hrw Href Hb Hpi.
  assert (Z : expect n pi (fun o => beta * (1 - ref o / pi o)) = 0).
  { transitivity (beta * (Sum n pi - Sum n ref)); [|rewrite (proj2 Hpi), (proj2 Href); ring].
    rewrite <- Sum_minus, <- Sum_scal. apply Sum_ext. intros o Ho. pose proof (proj1 Hpi o Ho). field. lra. }
  split; [|split; [apply vy_s21_PG_centred; [exact HG|apply full_support_policy, Hpi|exact Hrw]|]].
  - rewrite (proj1 (vy_appA_lambda_zero n rw G beta ref pi HG Hrw Href Hb Hpi)).
    split; intros H o Ho; specialize (H o Ho); pose proof (proj1 Hpi o Ho).
    + rewrite <- H. field. lra.
    + rewrite H. field. lra.
  - intros P. split; [|split; [|split; [exact Z|]]].
    + intros o Ho. pose proof (proj1 Hpi o Ho) as Hp.
      replace (P o - beta * (1 - ref o / pi o)) with (slope (P o) beta (pi o) (ref o) (pi o)) by (unfold slope; field;
        lra).
      apply is_partial_objective; [exact Ho | apply Href, Ho | left; exact Hp].
    + rewrite expect_minus, Z. ring.
    + exists (fun o => P o - beta * ln (pi o / ref o)). split.
      * intros o Ho. pose proof (proj1 Hpi o Ho) as Hp. pose proof (proj1 Href o Ho) as Hr.
        apply (is_partial_Sum n (fun i x => x * (P i - beta * k3 x (ref i)))); [exact Ho|]. unfold k3. auto_derive.
        -- repeat split; try lra. apply Rmult_lt_0_compat; [exact Hr | apply Rinv_0_lt_compat, Hp].
        -- replace (pi o / ref o) with (/ (ref o * / pi o)) by (field; lra).
           rewrite ln_Rinv by (apply Rmult_lt_0_compat; [exact Hr | apply Rinv_0_lt_compat, Hp]). field. lra.
      * rewrite expect_minus, expect_scal. reflexivity.
Qed.

(** chi^2(ref || pi) <= 1/beta^2 for every group size and all rewards. *)
Definition chi_square (n : nat) (ref pi : nat -> R) : R := Sum n (fun o => (ref o - pi o) ^ 2 / pi o).

Lemma chi_square_bound : forall n rw G beta ref pi,
  (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
  on_policy_stationary n (grpo n rw G beta ref) pi ->
  expect n pi (fun o => preference n rw G pi o ^ 2) = beta ^ 2 * chi_square n ref pi /\
  chi_square n ref pi <= / beta ^ 2.
Proof.
  intros n rw G beta ref pi HG Hrw Href Hb Hpi H.
  rewrite (proj1 (by_many_stationary n rw G beta ref pi HG Hrw Href Hb Hpi)) in H.
  assert (E : expect n pi (fun o => preference n rw G pi o ^ 2) = beta ^ 2 * chi_square n ref pi).
  { unfold expect, chi_square. rewrite <- Sum_scal. apply Sum_ext. intros o Ho. rewrite (H o Ho).
    pose proof (proj1 Hpi o Ho). field. lra. }
  split; [exact E|]. pose proof (preference_second_moment n rw G pi HG (full_support_policy _ _ Hpi) Hrw) as M.
  rewrite E in M. assert (0 < beta ^ 2) by nra. apply Rmult_le_reg_l with (beta ^ 2); [assumption|].
  rewrite Rinv_r by lra. exact M.
Qed.

(** With equality for large groups and deterministic rewards. *)
Theorem by_many_chi_square :
  (forall n rw G beta ref pi,
    (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
    on_policy_stationary n (grpo n rw G beta ref) pi ->
    expect n pi (fun o => preference n rw G pi o ^ 2) = beta ^ 2 * chi_square n ref pi
      /\ chi_square n ref pi <= / beta ^ 2) /\
  (forall n r beta ref pi, full_support n ref -> 0 < beta -> full_support n pi -> 0 < reward_deviation n (sure r) pi ->
    on_policy_stationary n (grpo_limit n (sure r) beta ref) pi -> chi_square n ref pi = / beta ^ 2).
Proof.
  split; [intros n rw G beta ref pi; apply chi_square_bound|].
  intros n r beta ref pi Href Hb Hpi Hs H.
  assert (H' : forall o, (o < n)%nat -> (1 - (limit_preference n (sure r) pi o - 0) / beta) * pi o = ref o).
  { rewrite <- (limit_preference_centred n (sure r) pi (full_support_policy _ _ Hpi)).
    apply (eq11_full n (limit_preference n (sure r) pi) beta ref pi Href Hb Hpi), H. }
  assert (B : 0 < beta ^ 2) by nra.
  assert (E : expect n pi (fun o => limit_preference n (sure r) pi o ^ 2) = 1).
  { unfold limit_preference, Rdiv.
    rewrite (expect_ext n pi _
      (fun o => (/ reward_deviation n (sure r) pi) ^ 2 * (r o - reward_mean n (sure r) pi) ^ 2)).
    2:{ intros o _. rewrite expected_reward_sure. ring. }
    rewrite expect_scal.
    assert (V : 0 <= reward_variance n (sure r) pi).
    { rewrite reward_variance_sure. apply Sum_nonneg. intros o Ho.
      apply Rmult_le_pos; [apply Rlt_le, Hpi, Ho|apply pow2_ge_0]. }
    rewrite reward_mean_sure. rewrite <- reward_variance_sure.
    replace (reward_variance n (sure r) pi) with (reward_deviation n (sure r) pi ^ 2) by (apply pow2_sqrt, V).
    field. lra. }
  apply (Rmult_eq_reg_l (beta ^ 2)); [|lra]. rewrite Rinv_r, <- E by lra. unfold chi_square, expect.
  rewrite <- Sum_scal. apply Sum_ext. intros o Ho. rewrite <- (H' o Ho). pose proof (proj1 Hpi o Ho). field. lra.
Qed.

(** How far a stationary policy can be from the reference: TV <= 1/(2 beta), KL(ref || pi) <= 1/beta^2. *)
Theorem by_many_distances : forall n rw G beta ref pi,
  (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
  on_policy_stationary n (grpo n rw G beta ref) pi ->
  / 2 * Sum n (fun o => Rabs (pi o - ref o)) <= / (2 * beta) /\ kl n ref pi <= / beta ^ 2.
Proof.
  intros n rw G beta ref pi HG Hrw Href Hb Hpi H.
  destruct (chi_square_bound n rw G beta ref pi HG Hrw Href Hb Hpi H) as [_ X]. split.
  - (* |pi - ref| <= pi (1/beta + beta ((ref - pi)/pi)^2)/2 *)
    assert (T : Sum n (fun o => Rabs (pi o - ref o)) <= Sum n
      (fun o => / (2 * beta) * pi o + beta / 2 * ((ref o - pi o) ^ 2 / pi o))).
    { apply Sum_le. intros o Ho. pose proof (proj1 Hpi o Ho) as P. set (d := pi o - ref o).
      replace ((ref o - pi o) ^ 2) with (Rabs d ^ 2) by (rewrite pow2_abs; unfold d; ring).
      set (a := Rabs d). apply Rmult_le_reg_r with (2 * beta * pi o); [apply Rmult_lt_0_compat; lra|].
      replace ((/ (2 * beta) * pi o + beta / 2 * (a ^ 2 / pi o)) * (2 * beta * pi o)) with (pi o ^ 2 + (beta * a) ^ 2)
        by (field; lra).
      pose proof (pow2_ge_0 (pi o - beta * a)). nra. }
    rewrite Sum_plus, !Sum_scal, (proj2 Hpi) in T. fold (chi_square n ref pi) in T.
    assert (beta / 2 * chi_square n ref pi <= / (2 * beta)).
    { apply Rle_trans with (beta / 2 * / beta ^ 2); [apply Rmult_le_compat_l; lra|]. apply Req_le. field. lra. }
    lra.
  - apply Rle_trans with (chi_square n ref pi); [|exact X].
    apply Rle_trans with (Sum n (fun o => ref o * (ref o / pi o - 1))).
    + unfold kl, expect. apply Sum_le. intros o Ho. pose proof (proj1 Hpi o Ho). pose proof (proj1 Href o Ho).
      apply Rmult_le_compat_l; [lra|]. apply ln_below_le, Rdiv_lt_0_compat; assumption.
    + apply Req_le. unfold chi_square.
      rewrite (Sum_ext n _ (fun o => (ref o - pi o) ^ 2 / pi o + (ref o - pi o))).
      * rewrite Sum_plus, Sum_minus, (proj2 Hpi), (proj2 Href). ring.
      * intros o Ho. pose proof (proj1 Hpi o Ho). field. lra.
Qed.

(** With deterministic rewards the expected reward exceeds that of the reference by E[deviation of a group]/beta. *)
Theorem by_many_reward_gain : forall n r G beta ref pi,
  (2 <= G)%nat -> full_support n ref -> 0 < beta -> full_support n pi ->
  on_policy_stationary n (grpo n (sure r) G beta ref) pi ->
  beta * (expect n pi r - expect n ref r) = draws (expect n pi) G (fun s => deviation (map r s)) /\
  0 <= draws (expect n pi) G (fun s => deviation (map r s)).
Proof.
  intros n r G beta ref pi HG Href Hb Hpi H. destruct G as [|N]; [lia|].
  rewrite (proj1 (by_many_stationary n (sure r) (S N) beta ref pi HG (sure_law n r) Href Hb Hpi)) in H.
  pose proof (outcome_expectation n pi (sure r) (full_support_policy _ _ Hpi) (sure_law n r)) as HE.
  split; [|rewrite <- (draws_sure n r pi (S N) deviation); apply (E_nonneg _ (draws_expectation _ HE (S N)));
    intros; apply sqrt_pos].
  transitivity (expect n pi (fun o => preference n (sure r) (S N) pi o * r o)).
  { transitivity (Sum n (fun o => beta * (pi o * r o - ref o * r o))).
    - rewrite Sum_scal, Sum_minus. reflexivity.
    - apply Sum_ext. intros o Ho. rewrite (H o Ho). pose proof (proj1 Hpi o Ho). field. lra. }
  rewrite <- (draws_sure n r pi (S N) deviation).
  apply (Rmult_eq_reg_l (INR (S N))); [|apply not_0_INR; discriminate].
  transitivity (INR (S N) * outcome_expect n pi (sure r) (fun m => draws (outcome_expect n pi (sure r)) N
    (fun s => advantage (map snd (m :: s)) (snd m) * snd m))).
  { f_equal. rewrite outcome_expect_sure. apply expect_ext. intros o Ho. unfold preference, preference_of.
    rewrite law_expect_sure. simpl Nat.sub. rewrite Nat.sub_0_r.
    rewrite (draws_ext _ HE N (fun s => advantage (map snd ((o, r o) :: s)) (snd (o, r o)) * snd (o, r o))
      (fun s => r o * advantage (r o :: map snd s) (r o))) by (intros; simpl; ring).
    rewrite (E_scal _ (draws_expectation _ HE N)). ring. }
  rewrite <- (draws_exchange _ HE N (fun m s => advantage (map snd s) (snd m) * snd m)).
  2:{ intros a s s' P. rewrite (advantage_perm _ _ _ (Permutation_map snd P)). reflexivity. }
  rewrite <- (E_scal _ (draws_expectation _ HE (S N))). apply (draws_ext _ HE). intros s Hs.
  rewrite <- (map_map snd (fun x => advantage (map snd s) x * x)).
  set (g := map snd s). assert (Lg : INR (S N) = INR (length g)) by (unfold g; rewrite map_length, Hs; reflexivity).
  assert (Ng : g <> []) by (unfold g; destruct s; [simpl in Hs; lia|discriminate]). pose proof (length_pos g Ng) as LP.
  (* sum A x = sum A (x - mean) = sum (x - mean)^2 / deviation *)
  transitivity (list_sum (map (fun x => advantage g x * (advantage g x * deviation g)) g)).
  - rewrite (list_sum_ext (fun x => advantage g x * x)
      (fun x => advantage g x * (advantage g x * deviation g) + mean g * advantage g x)).
    + rewrite list_sum_plus, list_sum_scal. change (map (fun a => advantage g a) g) with (map (advantage g) g).
      rewrite sum_advantages. ring.
    + intros x Hx. rewrite (advantage_deviation g x Hx). ring.
  - rewrite (list_sum_ext _ (fun x => deviation g * advantage g x ^ 2)) by (intros; ring).
    rewrite list_sum_scal, Lg. destruct (Req_dec (deviation g) 0) as [Z|NZ]; [rewrite Z; ring|].
    destruct (vy_s1_eq2 g) as (_ & Q & _). rewrite (Q NZ). ring.
Qed.

(** |pi(S) - ref(S)| <= sqrt(pi(S)(1 - pi(S)))/beta for every event S: it gets no more than (15) of its reference mass,
    and no less than ref(S)^2/(1 + 1/beta^2). *)
Theorem by_many_event_bound : forall n rw G beta ref pi (event : nat -> bool),
  (2 <= G)%nat -> are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi ->
  on_policy_stationary n (grpo n rw G beta ref) pi ->
  let x := Sum n (fun o => if event o then pi o else 0) in
  let p := Sum n (fun o => if event o then ref o else 0) in
  beta ^ 2 * (x - p) ^ 2 <= x * (1 - x) /\ (0 < p < 1 -> x <= eq15 beta p) /\ p ^ 2 / (1 + / beta ^ 2) <= x.
Proof.
  intros n rw G beta ref pi event HG Hrw Href Hb Hpi H x p.
  destruct (chi_square_bound n rw G beta ref pi HG Hrw Href Hb Hpi H) as [_ X].
  pose proof (full_support_policy _ _ Hpi) as HP.
  assert (B2 : 0 < beta ^ 2) by nra.
  (* expectation under pi of 1_A (1 - ref/pi) *)
  set (f := fun o => (if event o then 1 else 0) - x). set (g := fun o => 1 - ref o / pi o).
  assert (Ex : expect n pi (fun o => if event o then 1 else 0) = x).
  { unfold expect, x. apply Sum_ext. intros o _. destruct (event o); ring. }
  assert (Eg : expect n pi g = 0).
  { transitivity (Sum n pi - Sum n ref); [|rewrite (proj2 Hpi), (proj2 Href); ring].
    unfold expect, g. rewrite <- Sum_minus. apply Sum_ext. intros o Ho. pose proof (proj1 Hpi o Ho). field. lra. }
  assert (Efg : expect n pi (fun o => f o * g o) = x - p).
  { assert (A : expect n pi (fun o => (if event o then 1 else 0) * g o) = x - p).
    { unfold expect, x, p, g. rewrite <- Sum_minus. apply Sum_ext. intros o Ho. pose proof (proj1 Hpi o Ho).
      destruct (event o); [field; lra|ring]. }
    rewrite (expect_ext n pi _ (fun o => (if event o then 1 else 0) * g o - x * g o)) by (intros; unfold f; ring).
    rewrite expect_minus, expect_scal, A, Eg. ring. }
  assert (Ef : expect n pi (fun o => f o ^ 2) = x * (1 - x)).
  { rewrite (expect_ext n pi _ (fun o => (1 - 2 * x) * (if event o then 1 else 0) + x ^ 2)).
    - rewrite expect_affine, Ex by exact HP. ring.
    - intros o _. unfold f. destruct (event o); ring. }
  assert (Eg2 : expect n pi (fun o => g o ^ 2) = chi_square n ref pi).
  { unfold expect, chi_square, g. apply Sum_ext. intros o Ho. pose proof (proj1 Hpi o Ho). field. lra. }
  assert (HE : expectation (expect n pi)).
  { exists (map (fun o => (pi o, o)) (seq 0 n)). repeat split.
    - intros w Hw. apply in_map_iff in Hw. destruct Hw as (o & <- & Ho). apply in_seq in Ho. apply (proj1 HP). lia.
    - rewrite map_map. simpl. rewrite <- Sum_list. apply (proj2 Hpi).
    - intros u. unfold expect. rewrite Sum_list, map_map. reflexivity. }
  pose proof (E_cauchy_schwarz _ HE f g) as CS. rewrite Efg, Ef, Eg2 in CS.
  assert (V : 0 <= x * (1 - x)).
  { rewrite <- Ef. unfold expect. apply Sum_nonneg. intros o Ho.
    apply Rmult_le_pos; [apply (proj1 HP), Ho|apply pow2_ge_0]. }
  assert (M : beta ^ 2 * (x - p) ^ 2 <= x * (1 - x)).
  { apply Rle_trans with (beta ^ 2 * (x * (1 - x) * / beta ^ 2)).
    - apply Rmult_le_compat_l; [lra|]. eapply Rle_trans; [exact CS|]. apply Rmult_le_compat_l; assumption.
    - apply Req_le. field. lra. }
  split; [exact M|]. split.
  2:{ assert (X0 : 0 <= x).
      { apply Sum_nonneg. intros o Ho. pose proof (proj1 HP o Ho). destruct (event o); lra. }
      assert (I0 : 0 < / beta ^ 2) by (apply Rinv_0_lt_compat, B2).
      apply Rmult_le_reg_r with (beta ^ 2 * (1 + / beta ^ 2)); [apply Rmult_lt_0_compat; lra|].
      replace (p ^ 2 / (1 + / beta ^ 2) * (beta ^ 2 * (1 + / beta ^ 2))) with (beta ^ 2 * p ^ 2) by (field; split; lra).
      replace (x * (beta ^ 2 * (1 + / beta ^ 2))) with (x * (beta ^ 2 + 1)) by (field; lra).
      assert (p <= 1).
      { rewrite <- (proj2 Href). apply Sum_le. intros o Ho. pose proof (proj1 Href o Ho). destruct (event o); lra. }
      assert (0 <= p).
      { apply Sum_nonneg. intros o Ho. pose proof (proj1 Href o Ho). destruct (event o); lra. }
      apply Rnot_lt_le. intros N. set (B := beta ^ 2) in *. assert (p ^ 2 <= 1) by nra.
      assert (X1 : x < 1) by nra.
      assert (F : 0 < (B * p ^ 2 - x * (B + 1)) * (1 - x)) by (apply Rmult_lt_0_compat; lra).
      assert (G' : 0 <= B * (1 - p) ^ 2 * x)
        by (apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow2_ge_0]|exact X0]).
      replace (B * (x - p) ^ 2) with ((B * p ^ 2 - x * (B + 1)) * (1 - x) + B * (1 - p) ^ 2 * x + x * (1 - x)) in M
        by ring.
      lra. }
  intros Hp. destruct (eq15_root beta p Hb Hp) as [H1 H2]. set (y := eq15 beta p) in *.
  apply Rnot_lt_le. intros K. assert (Hx1 : x <= 1) by nra.
  assert (C : (y - p) ^ 2 * (x * (1 - x)) < (x - p) ^ 2 * (y * (1 - y))).
  { replace ((y - p) ^ 2 * (x * (1 - x))) with (((y - p) * x) * ((y - p) * (1 - x))) by ring.
    replace ((x - p) ^ 2 * (y * (1 - y))) with (((x - p) * y) * ((x - p) * (1 - y))) by ring.
    apply Rmult_le_0_lt_compat; try (apply Rmult_le_pos; lra).
    - assert (0 < p * (x - y)) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (0 < (1 - p) * (x - y)) by (apply Rmult_lt_0_compat; lra). lra. }
  assert (W : (y - p) ^ 2 * (beta ^ 2 * (x - p) ^ 2) <= (y - p) ^ 2 * (x * (1 - x))).
  { apply Rmult_le_compat_l; [apply pow2_ge_0|exact M]. }
  replace ((y - p) ^ 2 * (beta ^ 2 * (x - p) ^ 2)) with ((x - p) ^ 2 * (beta ^ 2 * (y - p) ^ 2)) in W by ring.
  rewrite H2 in W. lra.
Qed.

(** ** Groups of two: at most one stationary policy *)

(** The preferences of groups of two cancel in sum (pi - rho)(P_pi - P_rho), whatever the rewards. *)
Lemma pairs_cancel n rw pi rho :
  Sum n (fun o => (pi o - rho o) * (preference n rw 2 pi o - preference n rw 2 rho o)) = 0.
Proof.
  set (d := fun o => pi o - rho o).
  assert (E : Sum n (fun o => (pi o - rho o) * (preference n rw 2 pi o - preference n rw 2 rho o))
    = Sum n (fun o => Sum n (fun o' => d o * d o' * margin rw o o'))).
  { apply Sum_ext. intros o _. rewrite !preference_two. unfold expect. rewrite <- Sum_minus, <- Sum_scal.
    apply Sum_ext. intros o' _. unfold d. ring. }
  rewrite E. set (T := Sum n (fun o => Sum n (fun o' => d o * d o' * margin rw o o'))).
  assert (A : T = - T); [|lra].
  unfold T at 1. rewrite Sum_swap. unfold T. rewrite <- Sum_opp. apply Sum_ext. intros o _. rewrite <- Sum_opp.
  apply Sum_ext. intros o' _.
  rewrite (margin_antisym rw o o'). ring.
Qed.

(** Groups of two: at most one stationary policy of full support, for any number of answers and any laws of rewards,
    cyclic preferences included. *)
Theorem by_pairs_unique : forall n rw beta ref pi rho,
  are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi -> full_support n rho ->
  on_policy_stationary n (grpo n rw 2 beta ref) pi -> on_policy_stationary n (grpo n rw 2 beta ref) rho ->
  forall o, (o < n)%nat -> pi o = rho o.
Proof.
  intros n rw beta ref pi rho Hrw Href Hb Hpi Hrho H H'.
  rewrite (proj1 (by_many_stationary n rw 2 beta ref pi ltac:(lia) Hrw Href Hb Hpi)) in H.
  rewrite (proj1 (by_many_stationary n rw 2 beta ref rho ltac:(lia) Hrw Href Hb Hrho)) in H'.
  pose proof (pairs_cancel n rw pi rho) as Z.
  rewrite (Sum_ext n _ (fun o => beta * (ref o * (pi o - rho o) ^ 2 / (pi o * rho o)))) in Z.
  2:{ intros o Ho. rewrite (H o Ho), (H' o Ho). pose proof (proj1 Hpi o Ho). pose proof (proj1 Hrho o Ho). field. lra. }
  rewrite Sum_scal in Z. apply Rmult_integral in Z. destruct Z as [Z|Z]; [lra|].
  intros o Ho. pose proof (proj1 Hpi o Ho) as P. pose proof (proj1 Hrho o Ho) as Q. pose proof (proj1 Href o Ho) as R.
  assert (N : forall i, (i < n)%nat -> 0 <= ref i * (pi i - rho i) ^ 2 / (pi i * rho i)).
  { intros i Hi. pose proof (proj1 Hpi i Hi). pose proof (proj1 Hrho i Hi). pose proof (proj1 Href i Hi).
    apply Rmult_le_pos; [apply Rmult_le_pos; [lra|apply pow2_ge_0]|apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat;
      assumption]. }
  pose proof (Sum_eq_0 n _ N Z o Ho) as Zo. cbn beta in Zo.
  assert (PQ : 0 < / (pi o * rho o)) by (apply Rinv_0_lt_compat, Rmult_lt_0_compat; assumption).
  unfold Rdiv in Zo. apply Rmult_integral in Zo. destruct Zo as [Zo|Zo]; [|lra].
  apply Rmult_integral in Zo. destruct Zo as [Zo|Zo]; [lra|]. nra.
Qed.

(** The same for the penalties KL(ref || pi), KL(pi || ref), and k2 in the loss. *)
Theorem by_pairs_penalties : forall n rw beta ref pi rho,
  are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi -> full_support n rho ->
  let forward := fun old q => expect n q (preference n rw 2 old) - beta * reverse_kl n q ref in
  let direct := fun old => direct_objective n (preference n rw 2 old) beta ref in
  let square := fun old q => expect n q (preference n rw 2 old) - beta * expect n old (fun o => k2 (q o) (ref o)) in
  (on_policy_stationary n forward pi -> on_policy_stationary n forward rho -> forall o, (o < n)%nat -> pi o = rho o) /\
  (on_policy_stationary n direct pi -> on_policy_stationary n direct rho -> forall o, (o < n)%nat -> pi o = rho o) /\
  (on_policy_stationary n square pi -> on_policy_stationary n square rho -> forall o, (o < n)%nat -> pi o = rho o).
Proof.
  intros n rw beta ref pi rho Hrw Href Hb Hpi Hrho forward direct square.
  (* what makes them unique: P(o) = lambda + beta ln(pi/ref) *)
  assert (U : (exists lam, forall o, (o < n)%nat -> preference n rw 2 pi o = lam + beta * ln (pi o / ref o)) ->
    (exists lam, forall o, (o < n)%nat -> preference n rw 2 rho o = lam + beta * ln (rho o / ref o)) ->
    forall o, (o < n)%nat -> pi o = rho o).
  { intros (l & E) (l' & E').
    pose proof (pairs_cancel n rw pi rho) as Z.
    rewrite (Sum_ext n _ (fun o => (l - l') * (pi o - rho o) + beta * ((pi o - rho o) * (ln (pi o) - ln (rho o)))))
      in Z.
    2:{ intros o Ho. rewrite (E o Ho), (E' o Ho). pose proof (proj1 Hpi o Ho). pose proof (proj1 Hrho o Ho).
        pose proof (proj1 Href o Ho). rewrite !ln_div by assumption. ring. }
    rewrite Sum_plus, !Sum_scal, Sum_minus, (proj2 Hpi), (proj2 Hrho), Rminus_eq_0, Rmult_0_r, Rplus_0_l in Z.
    apply Rmult_integral in Z. destruct Z as [Z|Z]; [lra|].
    assert (N : forall i, (i < n)%nat -> 0 <= (pi i - rho i) * (ln (pi i) - ln (rho i)) /\
      ((pi i - rho i) * (ln (pi i) - ln (rho i)) = 0 -> pi i = rho i)).
    { intros i Hi. pose proof (proj1 Hpi i Hi) as A. pose proof (proj1 Hrho i Hi) as B.
      destruct (Rtotal_order (pi i) (rho i)) as [T|[T|T]].
      - pose proof (ln_increasing _ _ A T). split; [nra|]. intros. nra.
      - rewrite T. split; [lra|reflexivity].
      - pose proof (ln_increasing _ _ B T). split; [nra|]. intros. nra. }
    intros o Ho. apply (N o Ho).
    apply (Sum_eq_0 n (fun i => (pi i - rho i) * (ln (pi i) - ln (rho i)))); [apply N|exact Z|exact Ho]. }
  (* a stationary policy for the slopes P - beta (ln(pi/ref) + c) *)
  assert (K : forall J c q, full_support n q ->
    (forall o, (o < n)%nat -> is_partial (J q) q o (preference n rw 2 q o - beta * (ln (q o / ref o) + c))) ->
    on_policy_stationary n J q ->
    exists lam, forall o, (o < n)%nat -> preference n rw 2 q o = lam + beta * ln (q o / ref o)).
  { intros J c q Hq D (lam & gam & _ & H). exists (lam + beta * c). intros o Ho. destruct (H o Ho) as (H1 & _ & H3).
    pose proof (proj1 Hq o Ho) as A.
    assert (gam o = 0) as G0 by (apply (Rmult_eq_reg_r (q o)); lra). rewrite G0, Rminus_0_r in H1.
    pose proof (is_partial_unique _ _ _ _ _ H1 (D o Ho)). lra. }
  split; [|split].
  - intros H H'. apply (by_pairs_unique n rw beta ref pi rho Hrw Href Hb Hpi Hrho);
      apply vy_s22_constant_nonessential; assumption.
  - assert (D : forall q, full_support n q -> forall o, (o < n)%nat ->
      is_partial (direct q) q o (preference n rw 2 q o - beta * (ln (q o / ref o) + 1))).
    { intros q Hq o Ho. pose proof (proj1 Hq o Ho) as A. pose proof (proj1 Href o Ho) as B.
      apply (is_partial_ext (fun r => Sum n (fun i => r i * preference n rw 2 q i - beta * (r i * ln (r i / ref i))))).
      { intros r. rewrite Sum_minus, Sum_scal. reflexivity. }
      apply (is_partial_Sum n (fun i x => x * preference n rw 2 q i - beta * (x * ln (x / ref i)))); [exact Ho|].
      apply derive_minus; [auto_derive; [exact I|ring]|]. apply derive_scal, is_derive_kl_term; assumption. }
    intros H H'. apply U; [apply (K direct 1 pi Hpi (D pi Hpi) H)|apply (K direct 1 rho Hrho (D rho Hrho) H')].
  - assert (D : forall q, full_support n q -> forall o, (o < n)%nat ->
      is_partial (square q) q o (preference n rw 2 q o - beta * (ln (q o / ref o) + 0))).
    { intros q Hq o Ho. pose proof (proj1 Hq o Ho) as A. pose proof (proj1 Href o Ho) as B.
      apply (is_partial_ext (fun r => Sum n (fun i => r i * preference n rw 2 q i - beta * (q i * k2 (r i) (ref i))))).
      { intros r. rewrite Sum_minus, Sum_scal. reflexivity. }
      apply (is_partial_Sum n (fun i x => x * preference n rw 2 q i - beta * (q i * k2 x (ref i)))); [exact Ho|].
      apply derive_minus; [auto_derive; [exact I|ring]|]. apply derive_scal.
      replace (ln (q o / ref o) + 0) with (q o * (ln (q o / ref o) / q o)) by (field; lra). apply derive_scal.
      unfold k2. auto_derive.
      - repeat split; try lra. apply Rmult_lt_0_compat; [exact B|apply Rinv_0_lt_compat, A].
      - replace (q o / ref o) with (/ (ref o * / q o)) by (field; lra).
        rewrite ln_Rinv by (apply Rmult_lt_0_compat; [exact B|apply Rinv_0_lt_compat, A]). field. lra. }
    intros H H'. apply U; [apply (K square 0 pi Hpi (D pi Hpi) H)|apply (K square 0 rho Hrho (D rho Hrho) H')].
Qed.

(** * Flows keep the order of prompts *)

(** A function whose zeros are all crossed upwards, and which starts at or above zero, is positive afterwards. *)
Lemma upward_zeros (d d' : R -> R) :
  0 <= d 0 -> (forall t, 0 <= t -> is_derive d t (d' t)) -> (forall t, 0 <= t -> d t = 0 -> 0 < d' t) ->
  forall t, 0 < t -> 0 < d t.
Proof.
  intros H0 D Up t1 Ht1. apply Rnot_le_lt. intros Neg.
  set (E := fun s => 0 <= s <= t1 /\ forall r, 0 < r <= s -> 0 < d r).
  destruct (completeness E) as (sg & Ub & Least).
  - exists t1. intros s [Hs _]. lra.
  - exists 0. split; [lra|]. intros r Hr. lra.
  - assert (S0 : 0 <= sg) by (apply Ub; split; [lra|intros r Hr; lra]).
    assert (S1 : sg <= t1) by (apply Least; intros s [Hs _]; lra).
    assert (Below : forall r, 0 < r < sg -> 0 < d r).
    { intros r Hr. destruct (Rlt_dec 0 (d r)) as [P|P]; [exact P|]. exfalso.
      assert (sg <= r); [|lra]. apply Least. intros s [Hs K]. apply Rnot_lt_le. intros T. apply P, K. lra. }
    pose proof (derive_continuous d sg (d' sg) (D sg S0)) as C.
    (* d is positive at sg or crosses upwards there; either way it is positive a little further *)
    assert (Beyond : exists e, 0 < e /\ forall r, sg < r < sg + e -> 0 < d r).
    { destruct (Rtotal_order (d sg) 0) as [T|[T|T]].
      - exfalso. destruct (negative_near d sg C T) as (e & He & K).
        destruct (Req_dec sg 0) as [Z|Z]; [rewrite Z in T; lra|].
        pose proof (Below (sg - Rmin e sg / 2)) as B. assert (0 < Rmin e sg) by (apply Rmin_pos; lra).
        assert (Rmin e sg <= e) by apply Rmin_l. assert (Rmin e sg <= sg) by apply Rmin_r.
        specialize (K (sg - Rmin e sg / 2) ltac:(apply Rabs_lt_between; lra)). specialize (B ltac:(lra)). lra.
      - pose proof (D sg S0) as Dg. apply is_derive_Reals in Dg. pose proof (Up sg S0 T) as U.
        destruct (Dg (d' sg / 2)) as (delta & K); [lra|]. exists delta. split; [apply cond_pos|]. intros r Hr.
        specialize (K (r - sg) ltac:(lra) ltac:(rewrite Rabs_right; lra)). replace (sg + (r - sg)) with r in K by ring.
        rewrite T, Rminus_0_r in K. apply Rabs_lt_between in K. assert (Q : 0 < d r / (r - sg)) by lra.
        apply (Rmult_lt_compat_r (r - sg)) in Q; [|lra]. unfold Rdiv in Q. rewrite Rmult_assoc, Rinv_l in Q by lra. lra.
      - destruct (positive_near d sg C T) as (e & He & K). exists e. split; [exact He|]. intros r Hr.
        apply K. apply Rabs_lt_between. lra. }
    assert (At : 0 < sg -> 0 < d sg).
    { intros P. destruct (Rtotal_order (d sg) 0) as [T|[T|T]]; [| |exact T].
      - exfalso. destruct (negative_near d sg C T) as (e & He & K).
        pose proof (Below (sg - Rmin e sg / 2)) as B. assert (0 < Rmin e sg) by (apply Rmin_pos; lra).
        assert (Rmin e sg <= e) by apply Rmin_l. assert (Rmin e sg <= sg) by apply Rmin_r.
        specialize (K (sg - Rmin e sg / 2) ltac:(apply Rabs_lt_between; lra)). specialize (B ltac:(lra)). lra.
      - exfalso. pose proof (D sg S0) as Dg. apply is_derive_Reals in Dg. pose proof (Up sg S0 T) as U.
        destruct (Dg (d' sg / 2)) as (delta & K); [lra|].
        set (u := Rmin delta sg / 2). assert (0 < Rmin delta sg) by (apply Rmin_pos; [apply cond_pos|lra]).
        assert (Rmin delta sg <= delta) by apply Rmin_l. assert (Rmin delta sg <= sg) by apply Rmin_r.
        specialize (K (- u) ltac:(unfold u; lra) ltac:(rewrite Rabs_left; unfold u; lra)).
        rewrite T, Rminus_0_r in K. apply Rabs_lt_between in K.
        pose proof (Below (sg + - u) ltac:(unfold u; lra)) as B.
        assert (Q : 0 < d (sg + - u) / - u) by lra. assert (0 < u) by (unfold u; lra).
        replace (d (sg + - u) / - u) with (- (d (sg + - u) / u)) in Q by (field; lra).
        assert (0 < d (sg + - u) / u) by (apply Rdiv_lt_0_compat; lra). lra. }
    destruct (Rtotal_order sg t1) as [T|[T|T]].
    + destruct Beyond as (e & He & K).
      set (s := Rmin t1 (sg + e / 2)). assert (sg < s) by (apply Rmin_glb_lt; lra).
      assert (s <= t1) by apply Rmin_l. assert (s <= sg + e / 2) by apply Rmin_r.
      assert (s <= sg); [|lra]. apply Ub. split; [lra|]. intros r Hr.
      destruct (Rtotal_order r sg) as [R1|[R1|R1]]; [apply Below; lra|subst r; apply At; lra|apply K; lra].
    + subst sg. pose proof (At Ht1). lra.
    + lra.
Qed.

(** Two prompts with the pass rates p < q of the reference and the same rewards and training: under gradient flow with
    fresh groups - natural gradient, softmax, or any flow whose speed is a positive factor c(x) times the on-policy
    slope - the better prompt stays ahead for ever, for any rewards, any group size and each of the three penalties, and
    so it does in the limit. *)
Theorem by_order_flows : forall (P : (nat -> R) -> nat -> R) beta p q (c x y : R -> R),
  0 < beta -> 0 < p < q -> q < 1 -> (forall z, 0 < z < 1 -> 0 < c z) ->
  (forall t, 0 <= t -> 0 < x t < 1 /\ 0 < y t < 1) -> x 0 <= y 0 ->
  let kl0 := fun ref old => objective 2 (P (binary old)) beta (binary ref) (binary old) in
  let forward := fun ref old pi => expect 2 pi (P (binary old)) - beta * reverse_kl 2 pi (binary ref) in
  let direct := fun ref old => direct_objective 2 (P (binary old)) beta (binary ref) in
  forall J, J = kl0 \/ J = forward \/ J = direct ->
  (forall t, 0 <= t -> is_derive x t (c (x t) * Derive (fun z => J p (x t) (binary z)) (x t))) ->
  (forall t, 0 <= t -> is_derive y t (c (y t) * Derive (fun z => J q (y t) (binary z)) (y t))) ->
  (forall t, 0 < t -> x t < y t) /\
  (forall l l', is_lim x p_infty (Finite l) -> is_lim y p_infty (Finite l') -> l <= l').
Proof.
  intros P beta p q c x y Hb Hp Hq Hc Hxy H0 kl0 forward direct J HJ Dx Dy.
  (* at the same policy the slope of the better prompt is larger *)
  assert (Sl : forall z, 0 < z < 1 -> Derive (fun s => J p z (binary s)) z < Derive (fun s => J q z (binary s)) z).
  { intros z Hz. set (Q := P (binary z)).
    destruct HJ as [-> |[-> | ->]].
    - assert (D : forall r, 0 < r < 1 -> Derive (fun s => kl0 r z (binary s)) z
        = Q 0%nat - Q 1%nat - beta * ((z - r) / (z * (1 - z)))).
      { intros r Hr. apply is_derive_unique.
        replace (beta * ((z - r) / (z * (1 - z)))) with
          (beta * (- (z * r / z ^ 2) + (1 - z) * (1 - r) / (1 - z) ^ 2 + z / z - (1 - z) / (1 - z))) by (field; lra).
        apply (is_derive_objective_two Q beta r z z Hz Hr). }
      rewrite !D by lra. assert (V : 0 < / (z * (1 - z))) by (apply Rinv_0_lt_compat; nra).
      assert (beta * ((z - q) / (z * (1 - z))) < beta * ((z - p) / (z * (1 - z)))); [|lra].
      apply Rmult_lt_compat_l; [exact Hb|]. apply Rmult_lt_compat_r; lra.
    - assert (D : forall r, 0 < r < 1 -> Derive (fun s => forward r z (binary s)) z
        = Q 0%nat - Q 1%nat - beta * ((z - r) / (z * (1 - z)))).
      { intros r Hr. apply is_derive_unique.
        apply (derive_ext (fun s =>
          (s * Q 0%nat + (1 - s) * Q 1%nat) - beta * (r * ln (r / s) + (1 - r) * ln ((1 - r) / (1 - s))))).
        { intros s. unfold forward, reverse_kl, kl. rewrite !expect_binary. reflexivity. }
        auto_derive.
        - repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
        - field. lra. }
      rewrite !D by lra. assert (V : 0 < / (z * (1 - z))) by (apply Rinv_0_lt_compat; nra).
      assert (beta * ((z - q) / (z * (1 - z))) < beta * ((z - p) / (z * (1 - z)))); [|lra].
      apply Rmult_lt_compat_l; [exact Hb|]. apply Rmult_lt_compat_r; lra.
    - assert (D : forall r, 0 < r < 1 -> Derive (fun s => direct r z (binary s)) z
        = Q 0%nat - Q 1%nat - beta * (ln (z / (1 - z)) - ln (r / (1 - r)))).
      { intros r Hr. apply is_derive_unique.
        apply (derive_ext (fun s => (s * Q 0%nat + (1 - s) * Q 1%nat)
          - beta * (s * ln (s / r) + (1 - s) * ln ((1 - s) / (1 - r))))).
        { intros s. unfold direct, direct_objective, kl. rewrite !expect_binary. reflexivity. }
        replace (Q 0%nat - Q 1%nat - beta * (ln (z / (1 - z)) - ln (r / (1 - r)))) with
          ((Q 0%nat - Q 1%nat) - beta * ((ln (z / r) + 1) + (-1) * (ln ((1 - z) / (1 - r)) + 1)))
          by (rewrite !ln_div by lra; ring).
        apply derive_minus; [auto_derive; [exact I|ring]|].
        apply derive_scal, derive_plus; [apply is_derive_kl_term; lra|].
        apply (derive_comp (fun s => s * ln (s / (1 - r))) (fun s => 1 - s)); [apply is_derive_kl_term; lra|].
        auto_derive; [exact I|ring]. }
      rewrite !D by lra. pose proof (logit_increasing p q Hp Hq). nra. }
  assert (Ahead : forall t, 0 < t -> x t < y t).
  { intros t Ht. apply Rminus_lt_0.
    apply (upward_zeros (fun t => y t - x t) (fun t => c (y t) * Derive (fun z => J q (y t) (binary z)) (y t)
      - c (x t) * Derive (fun z => J p (x t) (binary z)) (x t))); [lra| | |exact Ht].
    - intros s Hs. apply derive_minus; [apply Dy, Hs|apply Dx, Hs].
    - intros s Hs E. assert (Ey : y s = x s) by lra. rewrite Ey.
      destruct (Hxy s Hs) as [Hx _]. pose proof (Sl (x s) Hx). pose proof (Hc (x s) Hx).
      assert (c (x s) * Derive (fun z => J p (x s) (binary z)) (x s) < c (x s) * Derive (fun z => J q (x s) (binary z))
        (x s));
        [apply Rmult_lt_compat_l; assumption|lra]. }
  split; [exact Ahead|]. intros l l' Hl Hl'.
  change (Rbar_le l l'). apply (is_lim_le_loc x y p_infty l l'); [|exact Hl|exact Hl'].
  exists 0. intros t Ht. apply Rlt_le, Ahead, Ht.
Qed.
