From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From Interval Require Import Tactic.
From GrpoSymbolic Require Import Sums Policies Groups Calculus VojnovicYun.
Import ListNotations.
Open Scope R_scope.

(** * Section 1.3: stationary is not maximal *)

(** ** The objective that a stationary policy of two answers freezes *)

Lemma objective_ext n P beta ref old q q' : (forall o, (o < n)%nat -> q o = q' o) ->
  objective n P beta ref old q = objective n P beta ref old q'.
Proof.
  intros H. unfold objective, kl_0, expect. f_equal; [|f_equal]; apply Sum_ext; intros o Ho; rewrite (H o Ho); reflexivity.
Qed.

Lemma objective_ref_ext n P beta ref ref' old old' q :
  (forall o, (o < n)%nat -> ref o = ref' o) -> (forall o, (o < n)%nat -> old o = old' o) ->
  objective n P beta ref old q = objective n P beta ref' old' q.
Proof.
  intros H H'. unfold objective, kl_0, expect. f_equal. f_equal. apply Sum_ext. intros o Ho. rewrite H, H' by exact Ho.
  reflexivity.
Qed.

(** Maxima over two answers are those of a function of x = pi(a). *)
Lemma strict_local_maximum_two J x : 0 < x < 1 ->
  (forall q, policy 2 q -> J q = J (binary (q 0%nat))) ->
  (exists e, 0 < e /\ forall z, Rabs (z - x) < e -> z <> x -> J (binary z) < J (binary x)) ->
  strict_local_maximum 2 J (binary x).
Proof.
  intros Hx E (e & He & M). split; [apply binary_policy; lra|]. exists e. split; [exact He|].
  intros q Hq (o & Ho & D) C. rewrite (E q Hq). apply M; [apply (C 0%nat); lia|].
  intros Z. apply D. rewrite (policy_2_binary q Hq o Ho), Z. reflexivity.
Qed.

Lemma not_local_maximum_two J x : 0 < x < 1 ->
  (forall e, 0 < e -> exists z, 0 < z < 1 /\ Rabs (z - x) < e /\ J (binary x) < J (binary z)) ->
  ~ local_maximum 2 J (binary x).
Proof.
  intros Hx M (_ & e & He & K). destruct (M e He) as (z & Hz & Cz & L).
  specialize (K (binary z) (binary_policy z ltac:(lra))).
  assert (J (binary z) <= J (binary x)); [|lra]. apply K.
  intros [|[|o]] Ho; simpl; [exact Cz| |lia]. replace (1 - z - (1 - x)) with (- (z - x)) by ring. rewrite Rabs_Ropp. exact Cz.
Qed.

(** The sign that decides: of the second derivative, reversed. *)
Definition bend (x p : R) : R := 3 * x ^ 2 - (1 + 4 * p) * x + 2 * p.

(** The slope of the frozen objective of a stationary policy x is (z - x) C(z), over a positive factor. *)
Definition frozen_cubic (x p z : R) : R :=
  (x - p) * z ^ 3 + (2 * x ^ 2 - p * x - 3 * x + 2 * p) * z ^ 2 + (1 - x) * (x + 2 * p * x - p) * z - p * x * (1 - x).

Lemma frozen_slope P beta p x z : 0 < p < 1 -> 0 < x < 1 -> 0 < z < 1 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) ->
  is_derive (fun z => objective 2 P beta (binary p) (binary x) (binary z)) z
    (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))).
Proof.
  intros Hp Hx Hz E. pose proof (is_derive_objective_two P beta p x z Hz Hp) as D.
  replace (P 0%nat - P 1%nat) with (beta * (x - p) / (x * (1 - x))) in D by (rewrite E; field; lra).
  replace (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2)))
    with (beta * (x - p) / (x * (1 - x)) - beta * (- (x * p / z ^ 2) + (1 - x) * (1 - p) / (1 - z) ^ 2 + x / z - (1 - x) / (1 - z))).
  - exact D.
  - unfold frozen_cubic. field. lra.
Qed.

Lemma polynomial_continuous (f : R -> R) x : ex_derive f x -> continuous f x.
Proof. apply (ex_derive_continuous (V := R_NormedModule)). Qed.

(** What the stationary policy is for the objective that it freezes: every case. *)
Lemma frozen_classification P beta p x : 0 < beta -> 0 < p < 1 -> 0 < x < 1 ->
  beta * (x - p) = x * (1 - x) * (P 0%nat - P 1%nat) ->
  let J := objective 2 P beta (binary p) (binary x) in
  (0 < bend x p -> strict_local_maximum 2 J (binary x)) /\
  (bend x p < 0 -> strict_local_minimum 2 J (binary x)) /\
  (bend x p = 0 -> 7 * x ^ 2 - 7 * x + 1 = 0 -> strict_local_maximum 2 J (binary x)) /\
  (bend x p = 0 -> x <> p -> 7 * x ^ 2 - 7 * x + 1 <> 0 ->
     ~ local_maximum 2 J (binary x) /\ ~ local_minimum 2 J (binary x)).
Proof.
  intros Hb Hp Hx E J.
  set (f := fun z => J (binary z)).
  set (w := fun z => beta / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))).
  set (df := fun z => w z * ((z - x) * frozen_cubic x p z)).
  set (r := Rmin x (1 - x)). assert (Hr : 0 < r) by (apply Rmin_pos; lra).
  assert (Rng : forall z, Rabs (z - x) < r -> 0 < z < 1).
  { intros z Hz. apply Rabs_lt_between in Hz. assert (r <= x) by apply Rmin_l. assert (r <= 1 - x) by apply Rmin_r. lra. }
  assert (W : forall z, 0 < z < 1 -> 0 < w z).
  { intros z Hz. apply Rdiv_lt_0_compat; [exact Hb|]. repeat apply Rmult_lt_0_compat; nra. }
  assert (D : forall z, Rabs (z - x) < r -> is_derive f z (df z)).
  { intros z Hz. unfold df, w. replace (beta / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2)) * ((z - x) * frozen_cubic x p z))
      with (beta * ((z - x) * frozen_cubic x p z) / (x * (1 - x) * (z ^ 2 * (1 - z) ^ 2))) by (unfold Rdiv; ring).
    apply frozen_slope; try assumption. apply Rng, Hz. }
  assert (Ext : forall q, policy 2 q -> J q = J (binary (q 0%nat))).
  { intros q Hq. apply objective_ext. intros o Ho. apply policy_2_binary; assumption. }
  assert (C0 : frozen_cubic x p x = - (x * (1 - x)) * bend x p) by (unfold frozen_cubic, bend; ring).
  (* C(z) = C(x) + (z - x) Q(z), and Q(z) = Q(x) + (z - x) L(z) *)
  set (Q := fun z => (x - p) * (z ^ 2 + z * x + x ^ 2) + (2 * x ^ 2 - p * x - 3 * x + 2 * p) * (z + x)
    + (1 - x) * (x + 2 * p * x - p)).
  set (L := fun z => (x - p) * (z + 2 * x) + (2 * x ^ 2 - p * x - 3 * x + 2 * p)).
  assert (CQ : forall z, frozen_cubic x p z = frozen_cubic x p x + (z - x) * Q z) by (intros; unfold frozen_cubic, Q; ring).
  assert (QL : forall z, Q z = Q x + (z - x) * L z) by (intros; unfold Q, L; ring).
  assert (Qx : Q x = (x - p) * (7 * x ^ 2 - 7 * x + 1)) by (unfold Q; ring).
  assert (Lx : L x = 2 * x * (x - 1) + bend x p) by (unfold L, bend; ring).
  assert (V : 0 < x * (1 - x)) by nra.
  assert (CC : continuous (frozen_cubic x p) x) by (apply polynomial_continuous; unfold frozen_cubic; auto_derive; exact I).
  assert (CQc : continuous Q x) by (apply polynomial_continuous; unfold Q; auto_derive; exact I).
  assert (CL : continuous L x) by (apply polynomial_continuous; unfold L; auto_derive; exact I).
  assert (Half : forall e z, Rabs (z - x) < Rmin e r -> Rabs (z - x) < e /\ Rabs (z - x) < r).
  { intros e z Hz. split; eapply Rlt_le_trans; try exact Hz; [apply Rmin_l|apply Rmin_r]. }
  split; [|split; [|split]].
  - intros S. apply strict_local_maximum_two; [exact Hx|exact Ext|].
    destruct (negative_near (frozen_cubic x p) x CC) as (e & He & K); [rewrite C0; nra|].
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak f df); [apply Rmin_pos; assumption|intros z Hz; apply D; apply (Half e z Hz)| |];
      intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
    + apply Rmult_lt_0_compat; [assumption|nra].
    + assert (0 < (z - x) * - frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra). nra.
  - intros S. apply (strict_local_maximum_two (fun q => - J q)); [exact Hx|intros q Hq; rewrite (Ext q Hq); reflexivity|].
    destruct (positive_near (frozen_cubic x p) x CC) as (e & He & K); [rewrite C0; nra|].
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak (fun z => - f z) (fun z => - df z)); [apply Rmin_pos; assumption| | |].
    + intros z Hz. apply (is_derive_opp (V := R_NormedModule) f). apply D. apply (Half e z Hz).
    + intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
      assert (0 < (x - z) * frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((x - z) * frozen_cubic x p z)) by (apply Rmult_lt_0_compat; assumption). lra.
    + intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); unfold df.
      assert (0 < (z - x) * frozen_cubic x p z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((z - x) * frozen_cubic x p z)) by (apply Rmult_lt_0_compat; assumption). lra.
  - intros S T. apply strict_local_maximum_two; [exact Hx|exact Ext|].
    assert (Z : Q x = 0) by (rewrite Qx, T; ring).
    destruct (negative_near L x CL) as (e & He & K); [rewrite Lx, S; nra|].
    assert (F : forall z, df z = w z * ((z - x) ^ 3 * L z)).
    { intros z. unfold df. rewrite CQ, C0, S, QL, Z. ring. }
    exists (Rmin e r). split; [apply Rmin_pos; assumption|].
    apply (strict_peak f df); [apply Rmin_pos; assumption|intros z Hz; apply D; apply (Half e z Hz)| |];
      intros z Hz Hzx; destruct (Half e z Hz) as [H1 H2]; pose proof (K z H1); pose proof (W z (Rng z H2)); rewrite F.
    + apply Rmult_lt_0_compat; [assumption|].
      assert (0 < (x - z) ^ 3) by (apply pow_lt; lra). replace ((z - x) ^ 3 * L z) with ((x - z) ^ 3 * - L z) by ring.
      apply Rmult_lt_0_compat; lra.
    + assert (0 < (z - x) ^ 3) by (apply pow_lt; lra). assert (0 < (z - x) ^ 3 * - L z) by (apply Rmult_lt_0_compat; lra).
      assert (0 < w z * ((z - x) ^ 3 * - L z)) by (apply Rmult_lt_0_compat; assumption). lra.
  - intros S N T.
    assert (F : forall z, df z = w z * ((z - x) ^ 2 * Q z)).
    { intros z. unfold df. rewrite CQ, C0, S. ring. }
    assert (NZ : Q x <> 0) by (rewrite Qx; intros Z; apply Rmult_integral in Z; destruct Z; lra).
    (* near x the slope has one sign on either side: the function passes through *)
    assert (P1 : forall e, 0 < e -> e <= r -> (forall z, Rabs (z - x) < e -> z <> x -> 0 < df z) ->
      forall u v, Rabs (u - x) < e -> Rabs (v - x) < e -> u < x < v -> f u < f x < f v).
    { intros e He Hle K u v Hu Hv Huv. apply Rabs_lt_between in Hu. apply Rabs_lt_between in Hv.
      assert (A : forall y, u <= y <= v -> Rabs (y - x) < e) by (intros; apply Rabs_lt_between; lra).
      split; apply (rises f df); try lra;
        try (intros y Hy; apply D; apply Rlt_le_trans with e; [apply A; lra|exact Hle]);
        intros y Hy; apply K; (apply A; lra) || lra. }
    assert (P2 : forall e, 0 < e -> e <= r -> (forall z, Rabs (z - x) < e -> z <> x -> df z < 0) ->
      forall u v, Rabs (u - x) < e -> Rabs (v - x) < e -> u < x < v -> f v < f x < f u).
    { intros e He Hle K u v Hu Hv Huv. apply Rabs_lt_between in Hu. apply Rabs_lt_between in Hv.
      assert (A : forall y, u <= y <= v -> Rabs (y - x) < e) by (intros; apply Rabs_lt_between; lra).
      split; apply (falls f df); try lra;
        try (intros y Hy; apply D; apply Rlt_le_trans with e; [apply A; lra|exact Hle]);
        intros y Hy; apply K; (apply A; lra) || lra. }
    assert (Pts : forall e e', 0 < e -> 0 < e' -> exists d, 0 < d /\ Rabs (x - d - x) < e /\ Rabs (x + d - x) < e
      /\ Rabs (x - d - x) < e' /\ Rabs (x + d - x) < e').
    { intros e e' He He'. exists (Rmin e e' / 2). assert (0 < Rmin e e') by (apply Rmin_pos; assumption).
      assert (Rmin e e' <= e) by apply Rmin_l. assert (Rmin e e' <= e') by apply Rmin_r.
      split; [lra|]. repeat split; apply Rabs_lt_between; lra. }
    assert (Sq : forall z, z <> x -> 0 < (z - x) ^ 2) by (intros; nra).
    destruct (Rlt_dec 0 (Q x)) as [G|G].
    + destruct (positive_near Q x CQc G) as (e & He & K).
      assert (KK : forall z, Rabs (z - x) < Rmin e r -> z <> x -> 0 < df z).
      { intros z Hz Hzx. destruct (Half e z Hz) as [H1 H2]. rewrite F.
        apply Rmult_lt_0_compat; [apply W, Rng, H2|]. apply Rmult_lt_0_compat; [apply Sq, Hzx|apply K, H1]. }
      assert (Hm : 0 < Rmin e r) by (apply Rmin_pos; assumption).
      pose proof (P1 (Rmin e r) Hm (Rmin_r e r) KK) as M.
      split; apply not_local_maximum_two; try exact Hx; intros e' He';
        destruct (Pts (Rmin e r) e' Hm He') as (d & Hd & A1 & A2 & B1 & B2);
        destruct (M (x - d) (x + d) A1 A2 ltac:(lra)) as [M1 M2];
        pose proof (Rng (x - d) (proj2 (Half e _ A1))); pose proof (Rng (x + d) (proj2 (Half e _ A2))).
      * exists (x + d). split; [assumption|]. split; [exact B2|exact M2].
      * exists (x - d). split; [assumption|]. split; [exact B1|]. unfold f in *. lra.
    + destruct (negative_near Q x CQc ltac:(lra)) as (e & He & K).
      assert (KK : forall z, Rabs (z - x) < Rmin e r -> z <> x -> df z < 0).
      { intros z Hz Hzx. destruct (Half e z Hz) as [H1 H2]. rewrite F.
        pose proof (W z (Rng z H2)). pose proof (Sq z Hzx). pose proof (K z H1).
        assert (0 < w z * ((z - x) ^ 2 * - Q z)) by (repeat apply Rmult_lt_0_compat; lra). lra. }
      assert (Hm : 0 < Rmin e r) by (apply Rmin_pos; assumption).
      pose proof (P2 (Rmin e r) Hm (Rmin_r e r) KK) as M.
      split; apply not_local_maximum_two; try exact Hx; intros e' He';
        destruct (Pts (Rmin e r) e' Hm He') as (d & Hd & A1 & A2 & B1 & B2);
        destruct (M (x - d) (x + d) A1 A2 ltac:(lra)) as [M1 M2];
        pose proof (Rng (x - d) (proj2 (Half e _ A1))); pose proof (Rng (x + d) (proj2 (Half e _ A2))).
      * exists (x - d). split; [assumption|]. split; [exact B1|exact M2].
      * exists (x + d). split; [assumption|]. split; [exact B2|]. unfold f in *. lra.
Qed.

(** ** Groups of two: where (14) is a maximum, a minimum, neither *)

(** The second derivative of the frozen objective where the old policy is the policy. *)
Theorem vy_s13_curvature : forall rw beta p x, are_laws 2 rw -> 0 < p < 1 -> 0 < x < 1 ->
  is_derive (fun z => Derive (fun t => grpo 2 rw 2 beta (binary p) (binary x) (binary t)) z) x
    (- beta * (3 * x ^ 2 - (4 * p + 1) * x + 2 * p) / (x ^ 2 * (1 - x) ^ 2)).
Proof.
  intros rw beta p x Hrw Hp Hx. set (P := preference 2 rw 2 (binary x)).
  apply (is_derive_ext_loc (fun z => P 0%nat - P 1%nat
     - beta * (- (x * p / z ^ 2) + (1 - x) * (1 - p) / (1 - z) ^ 2 + x / z - (1 - x) / (1 - z)))).
  - assert (Hr : 0 < Rmin x (1 - x)) by (apply Rmin_pos; lra). exists (mkposreal _ Hr). intros z Hz.
    apply Rabs_lt_between in Hz. unfold minus, plus, opp in Hz. simpl in Hz.
    assert (Rmin x (1 - x) <= x) by apply Rmin_l. assert (Rmin x (1 - x) <= 1 - x) by apply Rmin_r.
    symmetry. apply is_derive_unique. apply is_derive_objective_two; lra.
  - auto_derive.
    + repeat split; try lra; nra.
    + field. lra.
Qed.

Lemma bend_on_curve b p x : 0 < b -> b * (x - p) = x * (1 - x) -> b * bend x p = x * (1 - x) * (b - 2 + 4 * x).
Proof.
  intros Hb H. unfold bend. replace (b * (3 * x ^ 2 - (1 + 4 * p) * x + 2 * p))
    with ((4 * x - 2) * (b * (x - p)) + b * (x * (1 - x))) by ring. rewrite H. ring.
Qed.

Lemma eq14_bend b p : 0 < b -> 0 < p < 1 ->
  let t := (3 * b - 2) * (2 - b) in
  (0 < bend (eq14 b p) p <-> t < 16 * b * p) /\
  (bend (eq14 b p) p < 0 <-> 16 * b * p < t) /\
  (bend (eq14 b p) p = 0 <-> 16 * b * p = t).
Proof.
  intros Hb Hp t. destruct (eq14_root b p Hb Hp) as (H1 & H2 & H3).
  pose proof (bend_on_curve b p (eq14 b p) Hb H3) as B.
  (* b - 2 + 4 x = 2 s - b with s the square root *)
  set (x := eq14 b p) in *. set (s := 2 * x - (1 - b)).
  assert (Hs : 0 < s).
  { unfold s, x, eq14. set (D := (1 - b) ^ 2 + 4 * b * p).
    assert (0 < D) by (unfold D; pose proof (pow2_ge_0 (1 - b)); assert (0 < b * p) by nra; lra).
    pose proof (sqrt_lt_R0 D H). lra. }
  assert (S2 : s * s = (1 - b) ^ 2 + 4 * b * p) by (unfold s; nra).
  assert (T : 16 * b * p - t = (2 * s - b) * (2 * s + b)) by (unfold t; nra).
  assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  replace (b - 2 + 4 * x) with (2 * s - b) in B by (unfold s; ring).
  set (y := bend x p) in *. set (d := 2 * s - b) in *.
  assert (Pos : 0 < 2 * s + b) by lra.
  repeat split; intros K.
  - assert (0 < b * y) by (apply Rmult_lt_0_compat; lra). assert (0 < d) by nra. nra.
  - assert (0 < d) by nra. assert (0 < x * (1 - x) * d) by (apply Rmult_lt_0_compat; lra). nra.
  - assert (b * y < 0) by nra. assert (d < 0) by nra. nra.
  - assert (d < 0) by nra. assert (0 < x * (1 - x) * - d) by (apply Rmult_lt_0_compat; lra). nra.
  - rewrite K, Rmult_0_r in B. symmetry in B. apply Rmult_integral in B. destruct B as [B|B]; [lra|]. rewrite B in T. lra.
  - assert (Z : d * (2 * s + b) = 0) by lra. apply Rmult_integral in Z. destruct Z as [Z|Z]; [|lra].
    rewrite Z, Rmult_0_r in B. apply Rmult_integral in B. destruct B; lra.
Qed.

(** Section 1.3 for (14), b = beta/gamma: a strict local maximum of its own frozen objective where
    16 b p > (3 b - 2)(2 - b), a strict local minimum where it is less; where they are equal, neither, but for
    7 b^2 = 12, where it is a strict local maximum still. *)
Theorem vy_s13_stationary_definition : forall rw beta p,
  are_laws 2 rw -> 0 < beta -> 0 < p < 1 -> 0 < margin rw 0 1 ->
  let b := beta / margin rw 0 1 in
  let pi := binary (eq14 b p) in
  let J := grpo 2 rw 2 beta (binary p) pi in
  let t := (3 * b - 2) * (2 - b) in
  stationary 2 J pi /\
  (t < 16 * b * p -> strict_local_maximum 2 J pi) /\
  (16 * b * p < t -> strict_local_minimum 2 J pi) /\
  (16 * b * p = t -> 7 * b ^ 2 = 12 -> strict_local_maximum 2 J pi) /\
  (16 * b * p = t -> 7 * b ^ 2 <> 12 -> ~ local_maximum 2 J pi /\ ~ local_minimum 2 J pi).
Proof.
  intros rw beta p Hrw Hb Hp Hg b pi J t. set (gamma := margin rw 0 1) in *.
  assert (B : 0 < b) by (apply Rdiv_lt_0_compat; assumption).
  destruct (eq14_root b p B Hp) as (H1 & H2 & H3). destruct (eq14_bend b p B Hp) as (S1 & S2 & S3). fold t in S1, S2, S3.
  split; [apply (vy_eq14_exists rw beta p Hrw Hb Hp Hg)|].
  assert (E : beta * (eq14 b p - p) = eq14 b p * (1 - eq14 b p)
    * (preference 2 rw 2 pi 0 - preference 2 rw 2 pi 1)).
  { rewrite (preference_gap_two rw pi) by (apply binary_policy; lra). fold gamma. rewrite <- H3. unfold b. field. lra. }
  destruct (frozen_classification (preference 2 rw 2 pi) beta p (eq14 b p) Hb Hp H1 E) as (C1 & C2 & C3 & C4).
  assert (Deg : 16 * b * p = t -> (7 * eq14 b p ^ 2 - 7 * eq14 b p + 1 = 0 <-> 7 * b ^ 2 = 12)).
  { intros K. apply S3 in K. pose proof (bend_on_curve b p (eq14 b p) B H3) as M. rewrite K, Rmult_0_r in M.
    symmetry in M. apply Rmult_integral in M. destruct M as [M|M].
    - assert (0 < eq14 b p * (1 - eq14 b p)) by (apply Rmult_lt_0_compat; lra). lra.
    - assert (X : eq14 b p = (2 - b) / 4) by lra. rewrite X. split; intros; nra. }
  split; [intros K; apply C1, S1, K|]. split; [intros K; apply C2, S2, K|]. split.
  - intros K K7. apply C3; [apply S3, K|apply Deg; assumption].
  - intros K K7. apply C4; [apply S3, K|lra|]. intros Z. apply K7, Deg; assumption.
Qed.

(** Regularisation that is safe for every reference, references that are safe for every regularisation, and both
    constants are the best ones. *)
Theorem vy_s13_safe_regularisation :
  (forall b p, 0 < b -> 0 < p < 1 -> 3 * b <= 2 \/ 2 <= b \/ (2 - sqrt 3) / 4 < p -> (3 * b - 2) * (2 - b) < 16 * b * p) /\
  (forall b, 2 / 3 < b < 2 -> exists p, 0 < p < 1 /\ 16 * b * p < (3 * b - 2) * (2 - b)) /\
  (forall p, 0 < p < (2 - sqrt 3) / 4 -> exists b, 0 < b /\ 16 * b * p < (3 * b - 2) * (2 - b)).
Proof.
  assert (S3 : 0 < sqrt 3) by (apply sqrt_lt_R0; lra). assert (Q3 : sqrt 3 * sqrt 3 = 3) by (apply sqrt_sqrt; lra).
  split; [|split].
  - intros b p Hb Hp H. assert (0 < b * p) by (apply Rmult_lt_0_compat; lra). destruct H as [H|[H|H]]; [nra|nra|].
    assert (b * ((2 - sqrt 3) / 4) < b * p) by (apply Rmult_lt_compat_l; lra).
    (* 4 b (2 - sqrt 3) - (3 b - 2)(2 - b) = (sqrt 3 b - 2)^2 *)
    pose proof (pow2_ge_0 (sqrt 3 * b - 2)). nra.
  - intros b Hb. exists ((3 * b - 2) * (2 - b) / (32 * b)). assert (0 < (3 * b - 2) * (2 - b)) by nra.
    split; [split|].
    + apply Rdiv_lt_0_compat; lra.
    + apply Rmult_lt_reg_r with (32 * b); [lra|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. nra.
    + replace (16 * b * ((3 * b - 2) * (2 - b) / (32 * b))) with ((3 * b - 2) * (2 - b) / 2) by (field; lra). lra.
  - intros p Hp. exists (2 / sqrt 3). assert (0 < 2 / sqrt 3) by (apply Rdiv_lt_0_compat; lra). split; [assumption|].
    assert (E : 2 / sqrt 3 * sqrt 3 = 2) by (field; lra). set (b := 2 / sqrt 3) in *.
    assert (b * p < b * ((2 - sqrt 3) / 4)) by (apply Rmult_lt_compat_l; lra). nra.
Qed.

(** beta = gamma and ref(a) = 1/100: (14) gives 1/10, a strict local minimum of its own objective. *)
Theorem vy_s13_local_minimum_witness : forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
  strict_local_minimum 2 (grpo 2 rw 2 (margin rw 0 1) (binary (1 / 100)) (binary (1 / 10))) (binary (1 / 10)).
Proof.
  intros rw Hrw Hg. destruct (vy_s13_stationary_definition rw (margin rw 0 1) (1 / 100) Hrw Hg ltac:(lra) Hg) as (_ & _ & M & _).
  assert (E : eq14 (margin rw 0 1 / margin rw 0 1) (1 / 100) = 1 / 10).
  { rewrite vy_s231_sqrt by lra. replace (1 / 100) with ((1 / 10) ^ 2) by field. apply sqrt_pow2. lra. }
  rewrite E in M. apply M. replace (margin rw 0 1 / margin rw 0 1) with 1 by (field; lra). lra.
Qed.

(** At beta = gamma the square root of the reference is a strict local minimum for references below 1/16, a strict local
    maximum above, and neither at 1/16. *)
Theorem vy_s13_square_root_minimum : forall rw p, are_laws 2 rw -> 0 < margin rw 0 1 -> 0 < p < 1 ->
  let J := grpo 2 rw 2 (margin rw 0 1) (binary p) (binary (sqrt p)) in
  (p < 1 / 16 -> strict_local_minimum 2 J (binary (sqrt p))) /\
  (1 / 16 < p -> strict_local_maximum 2 J (binary (sqrt p))) /\
  (p = 1 / 16 -> ~ local_maximum 2 J (binary (sqrt p)) /\ ~ local_minimum 2 J (binary (sqrt p))).
Proof.
  intros rw p Hrw Hg Hp J. destruct (vy_s13_stationary_definition rw (margin rw 0 1) p Hrw Hg Hp Hg) as (_ & M1 & M2 & _ & M4).
  rewrite vy_s231_sqrt in M1, M2, M4 by lra. replace (margin rw 0 1 / margin rw 0 1) with 1 in * by (field; lra).
  split; [intros; apply M2; lra|]. split; [intros; apply M1; lra|]. intros; apply M4; lra.
Qed.

(** Local is not global: with b = 1/2 and ref(a) = 1/100 the policy (14) is a strict local maximum of its own objective, and
    the reference policy does better in it. *)
Theorem vy_s13_local_not_global : forall rw, are_laws 2 rw -> 0 < margin rw 0 1 ->
  let beta := margin rw 0 1 / 2 in
  let p := 1 / 100 in
  let pi := binary (eq14 (1 / 2) p) in
  let J := grpo 2 rw 2 beta (binary p) pi in
  strict_local_maximum 2 J pi /\ J pi < J (binary p).
Proof.
  intros rw Hrw Hg beta p pi J. set (gamma := margin rw 0 1) in *.
  destruct (vy_s13_stationary_definition rw beta p Hrw ltac:(unfold beta; lra) ltac:(unfold p; lra) Hg) as (_ & M & _).
  fold gamma in M. replace (beta / gamma) with (1 / 2) in M by (unfold beta; field; lra).
  split; [apply M; unfold p; lra|].
  unfold J, grpo, objective, kl_0. unfold pi. rewrite !vy_eq16, !expect_binary. fold gamma. unfold beta, p, k3. simpl.
  set (x := eq14 (1 / 2) (1 / 100)).
  assert (X : 518 / 1000 < x < 520 / 1000) by (unfold x, eq14; split; interval).
  replace (1 / 100 / (1 / 100)) with 1 by field. replace ((1 - 1 / 100) / (1 - 1 / 100)) with 1 by field. rewrite ln_1.
  assert (K : 0 < x - 1 / 100 - / 2 * (x * (1 / 100 / x - ln (1 / 100 / x) - 1)
    + (1 - x) * ((1 - 1 / 100) / (1 - x) - ln ((1 - 1 / 100) / (1 - x)) - 1)) -> False \/ True) by (intros; right; exact I).
  clear K.
  assert (K : x - 1 / 100 < / 2 * (x * (1 / 100 / x - ln (1 / 100 / x) - 1)
    + (1 - x) * ((1 - 1 / 100) / (1 - x) - ln ((1 - 1 / 100) / (1 - x)) - 1))).
  { rewrite !ln_div by lra. interval with (i_bisect x, i_prec 40). }
  assert (Hm : 0 < gamma) by exact Hg. nra.
Qed.

(** ** Large groups: the same for (15) *)

Theorem vy_s13_large_groups : forall r beta p, r 1%nat < r 0%nat -> 0 < beta -> 0 < p < 1 ->
  let x := eq15 beta p in
  let J := grpo_limit 2 (sure r) beta (binary p) (binary x) in
  stationary 2 J (binary x) /\
  (1 / 2 <= x \/ 4 < (beta ^ 2 + 16) * (x * (1 - x)) -> strict_local_maximum 2 J (binary x)) /\
  (x < 1 / 2 -> (beta ^ 2 + 16) * (x * (1 - x)) < 4 -> strict_local_minimum 2 J (binary x)) /\
  (beta ^ 2 <= 2 -> strict_local_maximum 2 J (binary x)).
Proof.
  intros r beta p Hr Hb Hp x J. destruct (eq15_root beta p Hb Hp) as [H1 H2]. fold x in H1, H2.
  destruct (vy_eq15_exists r beta p Hb Hp Hr) as [_ St]. fold x in St.
  assert (Hx : 0 < x < 1) by lra. assert (V : 0 < x * (1 - x)) by (apply Rmult_lt_0_compat; lra).
  pose proof (sqrt_square x Hx) as Q. assert (S : 0 < sqrt (x * (1 - x))) by (apply sqrt_lt_R0; exact V).
  set (s := sqrt (x * (1 - x))) in *.
  assert (Es : beta * (x - p) = s).
  { unfold s. symmetry. rewrite <- H2. replace (beta ^ 2 * (x - p) ^ 2) with ((beta * (x - p)) ^ 2) by ring.
    apply sqrt_pow2, Rmult_le_pos; lra. }
  assert (E : beta * (x - p) = x * (1 - x)
    * (limit_preference 2 (sure r) (binary x) 0 - limit_preference 2 (sure r) (binary x) 1)).
  { rewrite limit_gap, sign_eq_1 by lra. fold s. rewrite <- Q, Es. field. lra. }
  destruct (frozen_classification (limit_preference 2 (sure r) (binary x)) beta p x Hb Hp Hx E) as (C1 & C2 & _ & _).
  (* beta bend = s (beta s - 2 (1 - 2 x)) *)
  assert (B : beta * bend x p = s * (beta * s - 2 * (1 - 2 * x))).
  { unfold bend. replace (beta * (3 * x ^ 2 - (1 + 4 * p) * x + 2 * p))
      with ((4 * x - 2) * (beta * (x - p)) + beta * (x * (1 - x))) by ring. rewrite Es, <- Q. ring. }
  assert (F : (beta * s - 2 * (1 - 2 * x)) * (beta * s + 2 * (1 - 2 * x)) = (beta ^ 2 + 16) * (x * (1 - x)) - 4).
  { replace ((beta ^ 2 + 16) * (x * (1 - x))) with (beta ^ 2 * (s * s) + 16 * (x * (1 - x))) by (rewrite Q; ring). ring. }
  assert (Bs : 0 < beta * s) by (apply Rmult_lt_0_compat; lra).
  assert (Pos : 0 < beta * s - 2 * (1 - 2 * x) -> strict_local_maximum 2 J (binary x)).
  { intros K. apply C1. assert (0 < beta * bend x p) by (rewrite B; apply Rmult_lt_0_compat; lra). nra. }
  split; [exact St|]. split; [|split].
  - intros [K|K]; apply Pos; [lra|]. destruct (Rle_dec (1 / 2) x); [lra|]. nra.
  - intros K1 K2. apply C2. assert (beta * s - 2 * (1 - 2 * x) < 0) by nra.
    assert (0 < s * - (beta * s - 2 * (1 - 2 * x))) by (apply Rmult_lt_0_compat; lra). nra.
  - intros K. apply Pos. destruct (Rle_dec (1 / 2) x) as [|N]; [lra|].
    (* x > 1/(1 + beta^2) >= 1/3 *)
    destruct (vy_eq15_lower_bound beta p Hb Hp) as [L _]. fold x in L.
    pose proof (Rle_lt_trans _ _ _ (Rmax_l _ _) L) as L1.
    assert (L2 : 1 < (1 + beta ^ 2) * x).
    { apply (Rmult_lt_compat_l (1 + beta ^ 2)) in L1; [|nra]. rewrite Rinv_r in L1 by nra. lra. }
    (* beta^2 x > 1 - x, so (beta^2 + 16) x (1 - x) > (1 - x)^2 + 16 x (1 - x) = 4 + (3 x - 1)(5 - 5 x) + ... *)
    assert (G : 4 < (beta ^ 2 + 16) * (x * (1 - x))).
    { assert ((1 - x) * (1 - x) < beta ^ 2 * x * (1 - x)) by (apply Rmult_lt_compat_r; lra).
      assert (1 < 3 * x) by nra. nra. }
    nra.
Qed.

(** With the reverse KL for the penalty every stationary policy inside is the maximum: only the slopes agree with KL_0. *)
Theorem vy_s12_penalty_reverse_KL : forall gamma beta p, 0 < beta -> 0 < p < 1 ->
  let F := fun z => gamma * z - beta * reverse_kl 2 (binary z) (binary p) in
  (forall rw x, are_laws 2 rw -> margin rw 0 1 = gamma -> 0 < x < 1 ->
     Derive (fun z => grpo 2 rw 2 beta (binary p) (binary x) (binary z)) x = Derive F x) /\
  (forall x, 0 < x < 1 -> exists c, is_derive (fun z => Derive F z) x c /\ c < 0).
Proof.
  intros gamma beta p Hb Hp F.
  assert (D : forall x, 0 < x < 1 -> is_derive F x (gamma - beta * (- (p / x) + (1 - p) / (1 - x)))).
  { intros x Hx. apply (derive_ext (fun z => gamma * z - beta * (p * ln (p / z) + (1 - p) * ln ((1 - p) / (1 - z))))).
    { intros t. unfold F, reverse_kl, kl. rewrite expect_binary. reflexivity. }
    auto_derive.
    - repeat split; try lra; apply Rmult_lt_0_compat; try lra; apply Rinv_0_lt_compat; lra.
    - field. lra. }
  split.
  - intros rw x Hrw Hg Hx. rewrite (is_derive_unique _ _ _ (vy_B1_derivative_on_policy rw beta p x Hx Hp)).
    rewrite (is_derive_unique _ _ _ (D x Hx)), Hg. field. lra.
  - intros x Hx. exists (- beta * (p / x ^ 2 + (1 - p) / (1 - x) ^ 2)). split.
    + apply (is_derive_ext_loc (fun z => gamma - beta * (- (p / z) + (1 - p) / (1 - z)))).
      * assert (Hr : 0 < Rmin x (1 - x)) by (apply Rmin_pos; lra). exists (mkposreal _ Hr). intros z Hz.
        apply Rabs_lt_between in Hz. unfold minus, plus, opp in Hz. simpl in Hz.
        assert (Rmin x (1 - x) <= x) by apply Rmin_l. assert (Rmin x (1 - x) <= 1 - x) by apply Rmin_r.
        symmetry. apply is_derive_unique, D. lra.
      * auto_derive; [repeat split; lra|]. field. lra.
    + assert (0 < p / x ^ 2) by (apply Rdiv_lt_0_compat; nra).
      assert (0 < (1 - p) / (1 - x) ^ 2) by (apply Rdiv_lt_0_compat; nra). nra.
Qed.
