(** Vojnovic & Yun (2025): groups of any size beside their limit. The preference stays below its limit; where no reward
    varies; the curvature for large groups; and gradient ascent with fresh groups. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Calculus Binomials VojnovicYun Own Limits Flows.
Import ListNotations.
Open Scope R_scope.

(** ** The preference of the better answer stays below its limit, for every group size *)

Lemma choose_next N k : (k < N)%nat ->
  Binomial.C N k * ((INR N - INR k) / INR (S k)) = Binomial.C N (S k).
Proof.
  intros H. unfold Binomial.C. replace (N - k)%nat with (S (N - S k)) by lia.
  rewrite (fact_simpl k), (fact_simpl (N - S k)), !mult_INR.
  assert (E : INR N - INR k = INR (S (N - S k))) by (rewrite <- minus_INR by lia; f_equal; lia). rewrite E.
  pose proof (INR_fact_neq_0 k). pose proof (INR_fact_neq_0 (N - S k)).
  assert (INR (S k) <> 0) by (apply not_0_INR; lia). assert (INR (S (N - S k)) <> 0) by (apply not_0_INR; lia).
  field. repeat split; assumption.
Qed.

Lemma Sum_head n f : Sum (S n) f = f 0%nat + Sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; [simpl; ring|]. change (Sum (S (S n)) f) with (Sum (S n) f + f (S n)). rewrite IH. simpl.
ring. Qed.

Lemma bernstein_one N x : bernstein N (fun _ => 1) x = 1.
Proof. induction N as [|N IH]; [reflexivity|]. simpl. rewrite IH. ring. Qed.

(** The mean of (N - K)/(K + 1), K the number of other members that have the answer. *)
Lemma mean_ratio N x : 0 < x < 1 ->
  bernstein N (fun k => (INR N - INR k) / INR (S k)) x = (1 - x) / x * (1 - (1 - x) ^ N).
Proof.
  intros Hx. rewrite bernstein_binomial. cbn [Sum]. rewrite Rminus_eq_0. unfold Rdiv at 2. rewrite Rmult_0_l, Rmult_0_r.
  pose proof (bernstein_one N x) as T. rewrite bernstein_binomial, Sum_head in T. rewrite Nat.sub_0_r in T.
  rewrite pascal_step1 in T by lia. rewrite Nat.sub_0_r in T.
  assert (C1 : Binomial.C N N = 1).
  { unfold Binomial.C. rewrite Nat.sub_diag. simpl. field. apply INR_fact_neq_0. }
  rewrite C1 in T.
  replace (1 - (1 - x) ^ N) with (Sum N (fun i => Binomial.C N (S i) * x ^ S i * (1 - x) ^ (N - S i) * 1))
    by (simpl (x ^ 0) in T; lra).
  rewrite Rplus_0_r, <- Sum_scal. apply Sum_ext. intros i Hi. rewrite <- choose_next by exact Hi.
  replace (N - i)%nat with (S (N - S i)) by lia. assert (INR (S i) <> 0) by (apply not_0_INR; lia).
  change (x ^ S i) with (x * x ^ i). change ((1 - x) ^ S (N - S i)) with ((1 - x) * (1 - x) ^ (N - S i)).
  generalize dependent (INR (S i)). intros c Hc. field. split; [exact Hc | lra].
Qed.

Lemma bernstein_square N phi x : 0 <= x <= 1 -> bernstein N phi x ^ 2 <= bernstein N (fun k => phi k ^ 2) x.
Proof.
  intros Hx. set (m := bernstein N phi x).
  assert (Lin : forall M a b psi chi, bernstein M (fun k => a * psi k + b * chi k) x
    = a * bernstein M psi x + b * bernstein M chi x).
  { induction M as [|M IH]; intros a b psi chi; [reflexivity|]. simpl.
    rewrite (IH a b (fun i => psi (S i)) (fun i => chi (S i))), IH. ring. }
  assert (P : 0 <= bernstein N (fun k => (phi k - m) ^ 2) x).
  { rewrite <- (Rmult_0_l (bernstein N (fun _ => 1) x)).
    rewrite <- (Rplus_0_r (0 * _)), <- (Rmult_0_l (bernstein N (fun _ => 1) x)), <- Lin.
    apply bernstein_le; [exact Hx|]. intros k _. pose proof (pow2_ge_0 (phi k - m)). lra. }
  rewrite (bernstein_ext N _ (fun k => 1 * phi k ^ 2 + 1 * (- 2 * m * phi k + m ^ 2 * 1))) in P by (intros; ring).
  rewrite Lin, (Lin N (- 2 * m) (m ^ 2) phi (fun _ => 1)), bernstein_one in P. fold m in P. nra.
Qed.

Lemma preference_below G y : (2 <= G)%nat -> 0 < y < 1 -> preference 2 verifiable G (binary y) 0 < sqrt ((1 - y) / y).
Proof.
  intros HG Hy. fold (correct_advantage G y). rewrite correct_advantage_bernstein by lia. set (N := (G - 1)%nat).
  assert (Q : 0 < (1 - y) / y) by (apply Rdiv_lt_0_compat; lra).
  assert (B : bernstein N (weight N) y ^ 2 < (1 - y) / y).
  { eapply Rle_lt_trans; [apply bernstein_square; lra|].
    rewrite (bernstein_ext N _ (fun k => (INR N - INR k) / INR (S k))).
    - rewrite mean_ratio by exact Hy. assert (0 < (1 - y) ^ N) by (apply pow_lt; lra). nra.
    - intros k Hk. unfold weight. apply pow2_sqrt.
      apply Rdiv_le_0_compat; [|apply lt_0_INR; lia]. apply le_INR in Hk. lra. }
  destruct (Rlt_le_dec (bernstein N (weight N) y) 0) as [L|L]; [eapply Rlt_le_trans; [exact L | apply sqrt_pos]|].
  rewrite <- (sqrt_pow2 (bernstein N (weight N) y)) by exact L. apply sqrt_lt_1_alt. split; [apply pow2_ge_0 | exact B].
Qed.

(** Coefficients that differ somewhere, and are ordered everywhere, have means that differ. *)
Lemma bernstein_lt_at N phi psi x j : 0 < x < 1 -> (forall k, (k <= N)%nat -> phi k <= psi k) -> (j <= N)%nat ->
  phi j < psi j -> bernstein N phi x < bernstein N psi x.
Proof.
  intros Hx. revert phi psi j. induction N as [|N IH]; intros phi psi j H Hj L; simpl.
  - replace j with O in L by lia. exact L.
  - assert (A : bernstein N phi x <= bernstein N psi x) by (apply bernstein_le; [lra|]; intros; apply H; lia).
    assert (B : bernstein N (fun i => phi (S i)) x <= bernstein N (fun i => psi (S i)) x)
      by (apply bernstein_le; [lra|]; intros; apply H; lia).
    destruct (Nat.eq_dec j (S N)) as [->|Nj].
    + assert (bernstein N (fun i => phi (S i)) x < bernstein N (fun i => psi (S i)) x)
        by (apply (IH _ _ N); [intros; apply H; lia | lia | exact L]). nra.
    + assert (bernstein N phi x < bernstein N psi x) by (apply (IH _ _ j); [intros; apply H; lia | lia | exact L]). nra.
Qed.

(** The coefficients lie between 2 (N - k)/(N + 1) and (N - k)/sqrt N, strictly inside for some k of a larger group. *)
Lemma weight_between N k : (1 <= N)%nat -> (k <= N)%nat ->
  2 * INR N / (INR N + 1) + - (2 / (INR N + 1)) * INR k <= weight N k <= sqrt (INR N) + - / sqrt (INR N) * INR k /\
  ((2 <= N)%nat -> k = O -> 2 * INR N / (INR N + 1) + - (2 / (INR N + 1)) * INR k < weight N k) /\
  ((3 <= N)%nat -> k = 1%nat -> weight N k < sqrt (INR N) + - / sqrt (INR N) * INR k).
Proof.
  intros HN Hk. assert (N1 : 1 <= INR N) by (change 1 with (INR 1); apply le_INR, HN).
  assert (K : 0 <= INR k <= INR N) by (split; [apply pos_INR | apply le_INR, Hk]).
  assert (S0 : 0 < sqrt (INR N)) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt (INR N) ltac:(lra)) as S2.
  set (s := sqrt (INR N)) in *. set (n := INR N) in *. unfold weight. rewrite S_INR. fold n. set (m := INR k) in *.
  set (a := n - m). set (c := m + 1). assert (A0 : 0 <= a) by (unfold a; lra). assert (C0 : 0 < c) by (unfold c; lra).
  replace (2 * n / (n + 1) + - (2 / (n + 1)) * m) with (2 * a / (a + c)) by (unfold a, c; field; lra).
  replace (s + - / s * m) with (a / s) by (unfold a; rewrite <- S2; field; lra).
  assert (L0 : 0 <= 2 * a / (a + c)) by (apply Rdiv_le_0_compat; lra).
  assert (U0 : 0 <= a / s) by (apply Rdiv_le_0_compat; lra).
  assert (Q : 0 <= a / c) by (apply Rdiv_le_0_compat; lra).
  assert (EL : a / c - (2 * a / (a + c)) ^ 2 = a * (a - c) ^ 2 / (c * (a + c) ^ 2)) by (field; lra).
  assert (EU : (a / s) ^ 2 - a / c = a * (a * c - n) / (n * c)) by (rewrite <- S2; field; lra).
  assert (PL : 0 < c * (a + c) ^ 2) by (apply Rmult_lt_0_compat; [lra | apply pow_lt; lra]).
  assert (PU : 0 < n * c) by (apply Rmult_lt_0_compat; lra).
  rewrite <- (sqrt_pow2 (2 * a / (a + c))) by exact L0. rewrite <- (sqrt_pow2 (a / s)) by exact U0.
  split; [split|split]; [apply sqrt_le_1_alt|apply sqrt_le_1_alt|intros HN2 Z; apply sqrt_lt_1_alt|intros HN3 Z;
    apply sqrt_lt_1_alt].
  - assert (0 <= a * (a - c) ^ 2 / (c * (a + c) ^ 2)); [|lra].
    apply Rdiv_le_0_compat; [|exact PL]. apply Rmult_le_pos; [exact A0 | apply pow2_ge_0].
  - assert (0 <= a * (a * c - n) / (n * c)); [|lra]. apply Rdiv_le_0_compat; [|exact PU].
    destruct (Nat.eq_dec k N) as [->|Ne]; [unfold a, m, n; rewrite Rminus_diag_eq by reflexivity; lra|].
    assert (m + 1 <= n) by (unfold m, n; rewrite <- S_INR; apply le_INR; lia).
    apply Rmult_le_pos; [exact A0 | unfold a, c; nra].
  - assert (2 <= n) by (unfold n; change 2 with (INR 2); apply le_INR, HN2).
    assert (m = 0) by (unfold m; rewrite Z; reflexivity). split; [apply pow2_ge_0|].
    assert (0 < a * (a - c) ^ 2 / (c * (a + c) ^ 2)); [|lra]. apply Rdiv_lt_0_compat; [|exact PL].
    apply Rmult_lt_0_compat; [unfold a; lra|]. apply pow_lt. unfold a, c. lra.
  - assert (3 <= n) by (unfold n; change 3 with (1 + 2); change 2 with (INR 2); rewrite Rplus_comm, <- S_INR;
      apply le_INR, HN3).
    assert (m = 1) by (unfold m; rewrite Z; reflexivity). split; [exact Q|].
    assert (0 < a * (a * c - n) / (n * c)); [|lra]. apply Rdiv_lt_0_compat; [|exact PU].
    apply Rmult_lt_0_compat; [unfold a; lra | unfold a, c; nra].
Qed.

(** The gap between the expected advantages of the right and the wrong answer. *)
Theorem by_gap_bounds : forall G x, (2 <= G)%nat -> 0 < x < 1 ->
  2 * (1 - / INR G) <= advantage_gap G x /\
  advantage_gap G x <= sqrt (INR G - 1) /\
  advantage_gap G x < / sqrt (x * (1 - x)) /\
  ((3 <= G)%nat -> 1 < 2 * (1 - / INR G) < advantage_gap G x) /\
  ((4 <= G)%nat -> advantage_gap G x < sqrt (INR G - 1)).
Proof.
  intros G x HG Hx. destruct (gap_bounds G x HG Hx) as (B1 & B2 & _).
  pose proof (gap_correct G x HG ltac:(lra)) as GC.
  assert (EN : INR (G - 1) = INR G - 1) by (rewrite minus_INR by lia; reflexivity).
  assert (L : 2 <= INR G) by (change 2 with (INR 2); apply le_INR, HG).
  assert (EB : correct_advantage G x = bernstein (G - 1) (weight (G - 1)) x)
    by (apply correct_advantage_bernstein; lia).
  set (N := (G - 1)%nat) in *. assert (HN : (1 <= N)%nat) by (unfold N; lia).
  assert (S0 : 0 < sqrt (INR N)) by (apply sqrt_lt_R0; lra). pose proof (sqrt_sqrt (INR N) ltac:(lra)) as S2.
  split; [exact B1|]. split; [exact B2|]. split; [|split].
  - apply (Rmult_lt_reg_l (1 - x)); [lra|]. rewrite GC. pose proof (preference_below G x HG Hx) as P.
    fold (correct_advantage G x) in P. replace ((1 - x) * / sqrt (x * (1 - x))) with (sqrt ((1 - x) / x)); [exact P|].
    assert (0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
    assert (W : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; assumption).
    apply sqrt_lem_1; [apply Rlt_le, Rdiv_lt_0_compat; lra | apply Rmult_le_pos;
      [lra | apply Rlt_le, Rinv_0_lt_compat, W]|].
    replace ((1 - x) * / sqrt (x * (1 - x)) * ((1 - x) * / sqrt (x * (1 - x))))
      with ((1 - x) ^ 2 / (sqrt (x * (1 - x)) * sqrt (x * (1 - x)))) by (field; lra).
    rewrite sqrt_sqrt by lra. field. lra.
  - intros H3. assert (3 <= INR G) by (replace 3 with (INR 3) by (simpl; ring); apply le_INR, H3). split.
    { assert (/ INR G <= / 3) by (apply Rinv_le_contravar; lra). lra. }
    apply (Rmult_lt_reg_l (1 - x)); [lra|]. rewrite GC, EB.
    replace ((1 - x) * (2 * (1 - / INR G)))
      with (bernstein N (fun k => 2 * INR N / (INR N + 1) + - (2 / (INR N + 1)) * INR k) x)
      by (rewrite bernstein_affine, EN; field; lra).
    apply (bernstein_lt_at N _ _ x 0 Hx); [intros k Hk; apply (weight_between N k HN Hk) | lia |].
    apply (weight_between N 0 HN ltac:(lia)); [unfold N; lia | reflexivity].
  - intros H4. apply (Rmult_lt_reg_l (1 - x)); [lra|]. rewrite GC, EB, <- EN.
    replace ((1 - x) * sqrt (INR N)) with (bernstein N (fun k => sqrt (INR N) + - / sqrt (INR N) * INR k) x).
    2:{ rewrite bernstein_affine. rewrite <- S2 at 3. field. lra. }
    apply (bernstein_lt_at N _ _ x 1 Hx); [intros k Hk; apply (weight_between N k HN Hk) | unfold N; lia |].
    apply (weight_between N 1 HN HN); [unfold N; lia | reflexivity].
Qed.

Lemma policy_expectation n pi : policy n pi -> expectation (expect n pi).
Proof.
  intros HP. exists (map (fun o => (pi o, o)) (seq 0 n)). repeat split.
  - intros w Hw. apply in_map_iff in Hw. destruct Hw as (o & <- & Ho). apply in_seq in Ho. apply (proj1 HP). lia.
  - rewrite map_map. simpl. rewrite <- Sum_list. apply (proj2 HP).
  - intros u. unfold expect. rewrite Sum_list, map_map. reflexivity.
Qed.

(** Only the order of two certain rewards matters, not how far apart they are. *)
Lemma preference_of_the_better G u v y : 0 < y < 1 -> v < u ->
  preference 2 (sure (fun o => if Nat.eqb o 0 then u else v)) G (binary y) 0 = preference 2 verifiable G (binary y) 0.
Proof.
  intros Hy Huv. set (r := fun o => if Nat.eqb o 0 then u else v). symmetry.
  unfold verifiable. rewrite !vy_s21_PG_deterministic.
  assert (E : forall o, r o = (u - v) * correctness o + v).
  { intros o. unfold r, correctness. destruct (Nat.eqb o 0); ring. }
  apply draws_ext; [apply policy_expectation, binary_policy; lra|]. intros s _.
  assert (M : r 0%nat :: map r s = map (fun x => (u - v) * x + v) (correctness 0%nat :: map correctness s)).
  { simpl. rewrite E, map_map. f_equal. apply map_ext. intros. apply E. }
  rewrite M, E. symmetry. apply vy_s1_shift_scale_invariance; [left; reflexivity | lra].
Qed.

Theorem vy_s21_PG_bound : forall G u v y, (2 <= G)%nat -> 0 < y < 1 -> v < u ->
  preference 2 (sure (fun o => if Nat.eqb o 0 then u else v)) G (binary y) 0 < sqrt ((1 - y) / y).
Proof. intros. rewrite preference_of_the_better by assumption. apply preference_below; assumption. Qed.

(** ** And it is not far below *)

Lemma bernstein_const N c x : bernstein N (fun _ => c) x = c.
Proof. induction N as [|N IH]; simpl; [reflexivity | rewrite IH; ring]. Qed.

(** The number of successes among N draws has the variance N x (1 - x). *)
Lemma variance_of_successes N x : bernstein N (fun k => (INR k - INR N * x) ^ 2) x = INR N * (x * (1 - x)).
Proof.
  set (m := INR N * x).
  rewrite (bernstein_ext N _ (fun k => Sum 3 (fun j => nth j [m ^ 2; 1 - 2 * m; 1] 0 * falling (INR k) j))).
  - rewrite bernstein_polynomial. simpl. unfold m. ring.
  - intros k _. simpl. ring.
Qed.

Definition least_preference (G : nat) (y : R) : R := let N := INR G - 1 in
  (1 - y * (1 - y) / sqrt N) * sqrt ((N - y * N - Rpower N (3 / 4)) / (y * N + Rpower N (3 / 4) + 1)).

Lemma weight_of_few N k most : 0 <= most -> INR k <= most -> (k <= N)%nat ->
  sqrt ((INR N - most) / (most + 1)) <= weight N k.
Proof.
  intros H0 H Hk. apply le_INR in Hk. pose proof (pos_INR k). unfold weight. rewrite S_INR. apply sqrt_le_1_alt.
  apply Rmult_le_reg_r with ((most + 1) * (INR k + 1)); [apply Rmult_lt_0_compat; lra|].
  replace ((INR N - most) / (most + 1) * ((most + 1) * (INR k + 1))) with ((INR N - most) * (INR k + 1))
    by (field; lra).
  replace ((INR N - INR k) / (INR k + 1) * ((most + 1) * (INR k + 1))) with ((INR N - INR k) * (most + 1))
    by (field; lra).
  pose proof (Rmult_le_compat_r (INR N + 1) (INR k) most ltac:(lra) H). lra.
Qed.

Lemma preference_above G y : (2 <= G)%nat -> 0 < y < 1 ->
  least_preference G y <= preference 2 verifiable G (binary y) 0.
Proof.
  intros HG Hy. fold (correct_advantage G y). rewrite correct_advantage_bernstein by lia. unfold least_preference.
  replace (INR G - 1) with (INR (G - 1)) by (rewrite minus_INR by lia; reflexivity).
  set (N := (G - 1)%nat). assert (P : 0 < INR N) by (apply lt_0_INR; lia).
  set (c := Rpower (INR N) (3 / 4)). assert (C : 0 < c) by apply exp_pos.
  assert (S : 0 < sqrt (INR N)) by (apply sqrt_lt_R0, P).
  assert (CC : c ^ 2 = INR N * sqrt (INR N)).
  { rewrite <- (Rpower_pow 2 c) by exact C. unfold c. rewrite Rpower_mult, <- Rpower_sqrt by exact P.
    rewrite <- (Rpower_1 (INR N)) at 2 by exact P. rewrite <- Rpower_plus. f_equal. simpl. field. }
  set (most := y * INR N + c).
  assert (M : 0 < most) by (unfold most; apply Rplus_lt_0_compat; [apply Rmult_lt_0_compat; lra | exact C]).
  replace (INR N - y * INR N - c) with (INR N - most) by (unfold most; ring).
  set (L := sqrt ((INR N - most) / (most + 1))). assert (HL : 0 <= L) by apply sqrt_pos.
  apply Rle_trans with (bernstein N (fun k => L * 1 + (- (L / c ^ 2)) * (INR k - INR N * y) ^ 2) y).
  - rewrite bernstein_plus, !bernstein_scal, variance_of_successes, bernstein_const, CC. apply Req_le. field.
    split; lra.
  - apply bernstein_le; [lra|]. intros k Hk. assert (Q : 0 < c ^ 2) by (apply pow_lt, C).
    pose proof (pow2_ge_0 (INR k - INR N * y)) as D.
    destruct (Rle_lt_dec (INR k) most) as [F|F].
    + apply Rle_trans with L; [|apply weight_of_few; [lra | exact F | exact Hk]].
      assert (0 <= L / c ^ 2 * (INR k - INR N * y) ^ 2)
        by (apply Rmult_le_pos; [apply Rdiv_le_0_compat; assumption | exact D]). lra.
    + apply Rle_trans with 0; [|apply sqrt_pos].
      assert (B : c ^ 2 <= (INR k - INR N * y) ^ 2) by (apply pow_incr; unfold most in F; lra).
      apply (Rmult_le_compat_l (L / c ^ 2)) in B; [|apply Rdiv_le_0_compat; assumption].
      replace (L / c ^ 2 * c ^ 2) with L in B by (field; lra). lra.
Qed.

(** The bound tends to the limit of the preference. *)
Lemma least_preference_limit y : 0 < y < 1 -> is_lim_seq (fun G => least_preference G y) (sqrt ((1 - y) / y)).
Proof.
  intros Hy. apply is_lim_seq_incr_1.
  apply (is_lim_seq_ext_loc (fun n => let u := Rpower (INR n) (- (1 / 4)) in
    (1 - y * (1 - y) * u ^ 2) * sqrt ((1 - y - u) / (y + u + u ^ 4)))).
  - exists 1%nat. intros n Hn. unfold least_preference. rewrite S_INR. replace (INR n + 1 - 1) with (INR n) by ring.
    assert (P : 0 < INR n) by (apply lt_0_INR; lia). cbv zeta. set (u := Rpower (INR n) (- (1 / 4))).
    assert (U : 0 < u) by apply exp_pos.
    assert (U2 : u ^ 2 = / sqrt (INR n)).
    { rewrite <- Rpower_sqrt by exact P. rewrite <- Rpower_Ropp, <- (Rpower_pow 2 u) by exact U. unfold u.
      rewrite Rpower_mult. f_equal. simpl. field. }
    assert (U4 : u ^ 4 = / INR n).
    { replace (u ^ 4) with (u ^ 2 * u ^ 2) by ring. rewrite U2. assert (0 < sqrt (INR n)) by (apply sqrt_lt_R0, P).
      transitivity (/ (sqrt (INR n) * sqrt (INR n))); [field; lra | rewrite sqrt_sqrt by lra; reflexivity]. }
    assert (U3 : Rpower (INR n) (3 / 4) = INR n * u).
    { unfold u. replace (3 / 4) with (1 + - (1 / 4)) by field. rewrite Rpower_plus, Rpower_1 by exact P. reflexivity. }
    rewrite U3. f_equal; [rewrite U2; reflexivity|]. f_equal. rewrite U4. field.
    assert (0 < y * INR n) by (apply Rmult_lt_0_compat; lra). assert (0 < INR n * u) by (apply Rmult_lt_0_compat; lra).
    split; lra.
  - assert (U : is_lim_seq (fun n => Rpower (INR n) (- (1 / 4))) 0).
    { apply (is_lim_seq_ext_loc (fun n => / exp (1 / 4 * ln (INR n)))).
      - exists 1%nat. intros n _. unfold Rpower. rewrite <- exp_Ropp. f_equal. ring.
      - replace (Finite 0) with (Rbar_inv p_infty) by reflexivity. apply is_lim_seq_inv; [|discriminate].
        apply (is_lim_comp_seq exp _ p_infty p_infty is_lim_exp_p); [exists O; discriminate|].
        replace p_infty with (Rbar_mult (1 / 4) p_infty).
        + apply is_lim_seq_scal_l. apply (is_lim_comp_seq ln INR p_infty p_infty is_lim_ln_p);
            [exists O; discriminate|].
          apply is_lim_seq_INR.
        + rewrite Rbar_mult_comm. apply is_Rbar_mult_unique, is_Rbar_mult_p_infty_pos. simpl. lra. }
    pose (f := fun u => (1 - y * (1 - y) * u ^ 2) * sqrt ((1 - y - u) / (y + u + u ^ 4))).
    replace (sqrt ((1 - y) / y)) with (f 0)
      by (unfold f; replace (y + 0 + 0 ^ 4) with y by ring; replace (1 - y - 0) with (1 - y) by ring; ring).
    apply (is_lim_seq_continuous f _ 0); [|exact U].
    apply continuity_pt_filterlim.
    apply (continuous_mult (fun u => 1 - y * (1 - y) * u ^ 2) (fun u => sqrt ((1 - y - u) / (y + u + u ^ 4)))).
    + apply (ex_derive_continuous (fun u => 1 - y * (1 - y) * u ^ 2)). auto_derive. trivial.
    + apply (continuous_comp (fun u => (1 - y - u) / (y + u + u ^ 4)) sqrt); [|apply continuous_sqrt].
      apply (ex_derive_continuous (fun u => (1 - y - u) / (y + u + u ^ 4))). auto_derive. lra.
Qed.

Theorem vy_s21_PG_lower : forall G u v y, (2 <= G)%nat -> 0 < y < 1 -> v < u ->
  (let N := INR G - 1 in
   0 <= N - y * N - Rpower N (3 / 4) ->
   (1 - y * (1 - y) / sqrt N) * sqrt ((N - y * N - Rpower N (3 / 4)) / (y * N + Rpower N (3 / 4) + 1))
   <= preference 2 (sure (fun o => if Nat.eqb o 0 then u else v)) G (binary y) 0) /\
  is_lim_seq (fun m => let N := INR m - 1 in
    (1 - y * (1 - y) / sqrt N) * sqrt ((N - y * N - Rpower N (3 / 4)) / (y * N + Rpower N (3 / 4) + 1)))
    (sqrt ((1 - y) / y)).
Proof.
  intros G u v y HG Hy Huv. split; [|exact (least_preference_limit y Hy)]. intros N _.
  rewrite preference_of_the_better by assumption. exact (preference_above G y HG Hy).
Qed.

(** ** Where no reward varies *)

(** If the rewards of the answers that are used do not vary, no group says anything: only the reference is stationary,
    in the limit of large groups, where (13) divides by zero, and for groups of every size. *)
Lemma no_variance n rw pi : full_support n pi -> are_laws n rw -> reward_variance n rw pi = 0 ->
  forall o w, (o < n)%nat -> In w (rw o) -> fst w = 0 \/ snd w = reward_mean n rw pi.
Proof.
  intros Hpi Hrw Z o w Ho Hw. set (m := reward_mean n rw pi) in *.
  unfold reward_variance, outcome_expect, expect in Z. fold m in Z.
  assert (Each : forall l : law, (forall w, In w l -> 0 <= fst w) -> 0 <= law_expect l (fun x => (x - m) ^ 2) /\
    (law_expect l (fun x => (x - m) ^ 2) = 0 -> forall w, In w l -> fst w = 0 \/ snd w = m)).
  { induction l as [|a l IH]; intros H; [split; [unfold law_expect; simpl; lra | intros _ w' []]|].
    destruct IH as [P Q]; [intros; apply H; right; assumption|]. unfold law_expect in *. cbn [map list_sum].
    assert (Pa : 0 <= fst a * (snd a - m) ^ 2).
    { apply Rmult_le_pos; [apply H; left; reflexivity | apply pow2_ge_0]. }
    split; [lra|]. intros E w' [<-|Hw']; [|apply Q; [lra | exact Hw']].
    assert (E' : fst a * (snd a - m) ^ 2 = 0) by lra.
    apply Rmult_integral in E'. destruct E' as [E'|E']; [left; exact E' | right].
    destruct (Req_dec (snd a - m) 0) as [D|D]; [lra|]. exfalso. exact (pow_nonzero _ 2 D E'). }
  assert (T : forall i, (i < n)%nat -> 0 <= pi i * law_expect (rw i) (fun x => (x - m) ^ 2)).
  { intros i Hi. apply Rmult_le_pos; [apply Rlt_le, Hpi, Hi | apply Each; intros; apply (Hrw i Hi); assumption]. }
  pose proof (Sum_eq_0 n _ T Z o Ho) as E. pose proof (proj1 Hpi o Ho).
  apply Rmult_integral in E. destruct E as [E|E]; [lra|].
  apply (proj2 (Each (rw o) (fun w' H' => proj1 (Hrw o Ho) w' H')) E w Hw).
Qed.

Lemma law_expect_support l f g (P : R -> Prop) : (forall w, In w l -> fst w = 0 \/ P (snd w)) ->
  (forall x, P x -> f x = g x) -> law_expect l f = law_expect l g.
Proof.
  intros H E. unfold law_expect. induction l as [|a l IH]; [reflexivity|]. simpl.
  rewrite IH by (intros; apply H; right; assumption).
  destruct (H a (or_introl eq_refl)) as [Z|Z]; [rewrite Z; ring | rewrite (E _ Z); reflexivity].
Qed.

Lemma equal_group m : forall s : list R, List.Forall (fun x => x = m) s -> advantage (m :: s) m = 0.
Proof.
  intros s H. assert (M : mean (m :: s) = m).
  { unfold mean. assert (S : list_sum (m :: s) = INR (length (m :: s)) * m).
    { clear - H. assert (T : list_sum s = INR (length s) * m).
      { induction H as [|x s Hx H IH]; [simpl; ring|]. simpl list_sum. rewrite IH, Hx. simpl length. rewrite S_INR.
        ring. }
      simpl list_sum. rewrite T. simpl length. rewrite S_INR. ring. }
    rewrite S. field. apply not_0_INR. discriminate. }
  unfold advantage. rewrite M. unfold Rdiv. ring.
Qed.

Lemma preference_without_variance n rw G pi o : full_support n pi -> are_laws n rw -> reward_variance n rw pi = 0 ->
  (o < n)%nat -> preference n rw G pi o = 0.
Proof.
  intros Hpi Hrw Z Ho. pose proof (no_variance n rw pi Hpi Hrw Z) as V. set (m := reward_mean n rw pi) in *.
  assert (D : forall k (F : list (nat * R) -> R), (forall s, List.Forall (fun a => snd a = m) s -> F s = 0) ->
    draws (outcome_expect n pi rw) k F = 0).
  { induction k as [|k IH]; intros F HF; simpl; [apply HF; constructor|].
    unfold outcome_expect at 1, expect. apply Sum_zero. intros i Hi.
    rewrite (law_expect_support (rw i) _ (fun _ => 0) (fun x => x = m) (fun w Hw => V i w Hi Hw)).
    - unfold law_expect. rewrite (map_ext _ (fun _ => 0)) by (intros; ring).
      assert (T : list_sum (map (fun _ : R * R => 0) (rw i)) = 0) by (induction (rw i); simpl; lra). rewrite T. ring.
    - intros x ->. apply IH. intros s Hs. apply HF. constructor; [reflexivity | exact Hs]. }
  unfold preference, preference_of.
  rewrite (law_expect_support (rw o) _ (fun _ => 0) (fun x => x = m) (fun w Hw => V o w Ho Hw)).
  - unfold law_expect. induction (rw o) as [|a l IH]; simpl; [reflexivity | rewrite IH; ring].
  - intros x ->. apply D. intros s Hs. apply equal_group. rewrite List.Forall_map. exact Hs.
Qed.

Lemma limit_without_variance n rw pi o : full_support n pi -> are_laws n rw -> reward_variance n rw pi = 0 ->
  (o < n)%nat -> limit_preference n rw pi o = 0.
Proof.
  intros Hpi Hrw Z Ho. pose proof (no_variance n rw pi Hpi Hrw Z) as V. unfold limit_preference, expected_reward.
  set (m := reward_mean n rw pi) in *.
  rewrite (law_expect_support (rw o) _ (fun _ => m) (fun x => x = m) (fun w Hw => V o w Ho Hw))
    by (intros x ->; reflexivity).
  rewrite (E_const _ (law_expectation _ (Hrw o Ho)) m). unfold Rdiv. ring.
Qed.

Theorem vy_eq13_needed : forall n rw beta ref pi,
  are_laws n rw -> full_support n ref -> 0 < beta -> full_support n pi -> reward_deviation n rw pi = 0 ->
  (on_policy_stationary n (grpo_limit n rw beta ref) pi <-> forall o, (o < n)%nat -> pi o = ref o) /\
  forall G, on_policy_stationary n (grpo n rw G beta ref) pi <-> forall o, (o < n)%nat -> pi o = ref o.
Proof.
  intros n rw beta ref pi Hrw Href Hb Hpi Hs.
  assert (P0 : 0 <= reward_variance n rw pi).
  { unfold reward_variance. apply (E_nonneg _ (outcome_expectation n pi rw (full_support_policy _ _ Hpi) Hrw)).
    intros. apply pow2_ge_0. }
  assert (Z : reward_variance n rw pi = 0) by (apply sqrt_eq_0; assumption).
  assert (K : forall P : nat -> R, (forall o, (o < n)%nat -> P o = 0) ->
    (stationary n (objective n P beta ref pi) pi <-> forall o, (o < n)%nat -> pi o = ref o)).
  { intros P HP. rewrite (eq11_full n P beta ref pi Href Hb Hpi).
    assert (E : expect n pi P = 0) by (apply Sum_zero; intros; rewrite HP by assumption; ring).
    split; intros H o Ho; specialize (H o Ho); rewrite E, (HP o Ho) in *.
    - replace ((0 - 0) / beta) with 0 in H by (field; lra). lra.
    - replace ((0 - 0) / beta) with 0 by (field; lra). lra. }
  split; [|intros G]; apply K; intros o Ho.
  - apply limit_without_variance; assumption.
  - apply preference_without_variance; assumption.
Qed.

(** ** The curvature for large groups *)

Theorem vy_s13_curvature_large_groups : forall rw beta p x, 0 < p < 1 -> 0 < x < 1 ->
  is_derive (fun z => Derive (fun t => grpo_limit 2 rw beta (binary p) (binary x) (binary t)) z) x
    (- beta * (3 * x ^ 2 - (4 * p + 1) * x + 2 * p) / (x ^ 2 * (1 - x) ^ 2)).
Proof.
  intros rw beta p x Hp Hx. set (P := limit_preference 2 rw (binary x)).
  apply (is_derive_ext_loc (fun z => P 0%nat - P 1%nat
     - beta * (- (x * p / z ^ 2) + (1 - x) * (1 - p) / (1 - z) ^ 2 + x / z - (1 - x) / (1 - z)))).
  - apply (locally_interval _ x 0 1); simpl; [lra | lra |]. intros z H0 H1. simpl in H0, H1.
    symmetry. apply is_derive_unique. apply is_derive_objective_two; lra.
  - auto_derive.
    + repeat split; try lra; nra.
    + field. lra.
Qed.

(** ** Gradient ascent with fresh groups *)

(** The on-policy slope in factors: (14) is its only zero. *)
Lemma slope_factors rw beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 -> 0 < margin rw 0 1 ->
  let s := eq14 (beta / margin rw 0 1) p in
  Derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x
  = margin rw 0 1 * (s - x) * (x + beta / margin rw 0 1 * p / s) / (x * (1 - x)).
Proof.
  intros Hb Hp Hx Hg s. assert (B : 0 < beta / margin rw 0 1) by (apply Rdiv_lt_0_compat; lra).
  destruct (eq14_root (beta / margin rw 0 1) p B Hp) as (H1 & H2 & H3). fold s in H1, H2, H3.
  pose proof (vy_B1_derivative_on_policy rw beta p x Hx Hp) as D. apply is_derive_unique in D.
  etransitivity; [exact D|]. clear D.
  set (g := margin rw 0 1) in *. set (b := beta / g) in *.
  assert (E : beta = b * g) by (unfold b; field; lra). rewrite E.
  assert (F : p = s - s * (1 - s) / b) by (apply (Rmult_eq_reg_l b); [field_simplify; lra | lra]).
  rewrite F. field. repeat split; lra.
Qed.

(** It moves up below (14), down above it, and a path that follows it comes to (14), from everywhere inside, at an
    exponential rate. *)
Theorem vy_s13_ascent_reaches : forall rw beta p, 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
  let slope := fun x => Derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x in
  let s := eq14 (beta / margin rw 0 1) p in
  (forall x, 0 < x < 1 -> (0 < slope x <-> x < s) /\ (slope x < 0 <-> s < x)) /\
  (forall x : R -> R, (forall t, 0 <= t -> 0 < x t < 1) -> (forall t, 0 <= t -> is_derive x t (slope (x t))) ->
    (forall t, 0 <= t -> Rabs (x t - s) <= exp (- margin rw 0 1 * t) * Rabs (x 0 - s)) /\ is_lim x p_infty s) /\
  forall w x : R -> R, (forall y, 0 < y < 1 -> 0 < w y /\ continuous w y) -> 0 < x 0 < 1 ->
    (forall t, 0 <= t -> is_derive x t (w (x t) * slope (x t))) -> is_lim x p_infty s.
Proof.
  intros rw beta p Hb Hp Hg slope s. set (g := margin rw 0 1) in *.
  assert (B : 0 < beta / g) by (apply Rdiv_lt_0_compat; lra).
  destruct (eq14_root (beta / g) p B Hp) as (H1 & H2 & H3). fold s in H1, H2, H3.
  assert (Q : 0 < beta / g * p / s) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
  assert (F : forall x, 0 < x < 1 -> exists c, g <= c /\ slope x = c * (s - x)).
  { intros x Hx. exists (g * (x + beta / g * p / s) / (x * (1 - x))). split.
    - apply (Rmult_le_reg_r (x * (1 - x))); [nra|].
      replace (g * (x + beta / g * p / s) / (x * (1 - x)) * (x * (1 - x))) with (g * (x + beta / g * p / s))
        by (field; repeat split; lra). apply Rmult_le_compat_l; [lra|]. nra.
    - unfold slope. rewrite slope_factors by assumption. fold g. fold s. field. repeat split; lra. }
  split; [|split].
  - intros x Hx. destruct (F x Hx) as (c & Hc & ->). repeat split; intros; nra.
  - intros x Hin Hd.
    assert (Bound : forall t, 0 <= t -> (x t - s) ^ 2 * exp (2 * g * t) <= (x 0 - s) ^ 2).
    { intros t Ht. destruct (Req_dec t 0) as [->|N].
      { rewrite Rmult_0_r, exp_0. lra. }
      set (W := fun t => (x t - s) ^ 2 * exp (2 * g * t)).
      set (dW := fun t => 2 * (x t - s) * slope (x t) * exp (2 * g * t) + (x t - s) ^ 2 * (2 * g * exp (2 * g * t))).
      assert (D : forall z, 0 <= z -> is_derive W z (dW z)).
      { intros z Hz. pose proof (Hd z Hz) as X. unfold W. auto_derive.
        - exists (slope (x z)). exact X.
        - replace (Derive (fun t => x t) z) with (slope (x z)) by (symmetry; exact (is_derive_unique x z _ X)).
          unfold dW. ring. }
      destruct (MVT_gen W 0 t dW) as (z & Hz & E).
      - intros z Hz. rewrite Rmin_left, Rmax_right in Hz by lra. apply D. lra.
      - intros z Hz. rewrite Rmin_left, Rmax_right in Hz by lra. apply continuity_pt_filterlim.
        apply (derive_continuous _ _ _ (D z ltac:(lra))).
      - rewrite Rmin_left, Rmax_right in Hz by lra.
        assert (S : dW z <= 0).
        { unfold dW. destruct (F (x z) (Hin z ltac:(lra))) as (c & Hc & ->). pose proof (exp_pos (2 * g * z)).
          replace (2 * (x z - s) * (c * (s - x z)) * exp (2 * g * z) + (x z - s) ^ 2 * (2 * g * exp (2 * g * z)))
            with (- (2 * (c - g) * ((x z - s) ^ 2 * exp (2 * g * z)))) by ring.
          assert (0 <= (x z - s) ^ 2 * exp (2 * g * z)) by (apply Rmult_le_pos; [apply pow2_ge_0 | lra]). nra. }
        assert (W0 : W 0 = (x 0 - s) ^ 2) by (unfold W; rewrite Rmult_0_r, exp_0; ring).
        change (W t <= (x 0 - s) ^ 2). rewrite <- W0. nra. }
    assert (Rate : forall t, 0 <= t -> Rabs (x t - s) <= exp (- g * t) * Rabs (x 0 - s)).
    { intros t Ht. rewrite <- (Rabs_pos_eq (exp (- g * t))) by (apply Rlt_le, exp_pos). rewrite <- Rabs_mult.
      apply Rsqr_le_abs_0. specialize (Bound t Ht). unfold Rsqr.
      apply (Rmult_le_reg_r (exp (2 * g * t))); [apply exp_pos|].
      replace (exp (- g * t) * (x 0 - s) * (exp (- g * t) * (x 0 - s)) * exp (2 * g * t))
        with ((x 0 - s) ^ 2 * (exp (- g * t) * exp (- g * t) * exp (2 * g * t))) by ring.
      rewrite <- !exp_plus. replace (- g * t + - g * t + 2 * g * t) with 0 by ring. rewrite exp_0. nra. }
    split; [exact Rate|]. apply is_lim_spec. intros eps. pose proof (cond_pos eps) as He.
    set (C := Rabs (x 0 - s)) in *. assert (HC : 0 <= C) by apply Rabs_pos.
    exists (C / (eps * g)). intros t Ht.
    assert (T0 : 0 <= C / (eps * g)) by (apply Rdiv_le_0_compat; [exact HC | apply Rmult_lt_0_compat; lra]).
    assert (Big : C < eps * (g * t)).
    { apply (Rmult_lt_compat_l (eps * g)) in Ht; [|apply Rmult_lt_0_compat; lra].
      replace (eps * g * (C / (eps * g))) with C in Ht by (field; split; lra). lra. }
    apply Rle_lt_trans with (exp (- g * t) * C); [apply Rate; lra|].
    replace (- g * t) with (- (g * t)) by ring. rewrite exp_Ropp.
    assert (E1 : 1 + g * t <= exp (g * t)).
    { destruct (Req_dec (g * t) 0) as [->|N]; [rewrite exp_0; lra | left; apply exp_ineq1, N]. }
    assert (P : 0 < exp (g * t)) by apply exp_pos.
    apply (Rmult_lt_reg_l (exp (g * t))); [exact P|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. nra.
  - intros w x Hw Hx Hd.
    apply (flow_converges (fun y => w y * slope y) 0 1 s); simpl; try lra; try exact Hd.
    + intros y Hy0 Hy1. apply (continuous_mult (K := R_AbsRing)); [apply Hw; lra|].
      apply (continuous_ext_loc _ (fun z => g * (s - z) * (z + beta / g * p / s) / (z * (1 - z)))).
      * exists (mkposreal (Rmin y (1 - y)) (Rmin_glb_lt _ _ _ Hy0 (Rlt_Rminus _ _ Hy1))). intros z Hz.
        pose proof (Rmin_l y (1 - y)). pose proof (Rmin_r y (1 - y)). change (Rabs (z - y) < Rmin y (1 - y)) in Hz.
        apply Rabs_def2 in Hz as [Z1 Z2]. assert (Hz : 0 < z < 1) by lra.
        unfold slope. rewrite slope_factors by assumption. reflexivity.
      * apply (ex_derive_continuous (K := R_AbsRing) (V := R_NormedModule)). auto_derive.
        assert (V : 0 < y * (1 - y)) by (apply Rmult_lt_0_compat; lra). lra.
    + intros y Hy0 Hys. destruct (F y ltac:(lra)) as (c & Hc & ->). destruct (Hw y ltac:(lra)) as [W _].
      apply Rmult_lt_0_compat; [exact W | apply Rmult_lt_0_compat; lra].
    + intros y Hys Hy1. destruct (F y ltac:(lra)) as (c & Hc & ->). destruct (Hw y ltac:(lra)) as [W _].
      assert (0 < w y * (c * (y - s))) by (apply Rmult_lt_0_compat; [exact W | apply Rmult_lt_0_compat; lra]). lra.
Qed.
