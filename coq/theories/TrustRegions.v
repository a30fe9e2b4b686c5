(** Patel (2025), Section 4.5: the divergence as a penalty, equation (9), and as a constraint, equation (10), in one
    state of any vocabulary, in one state of two tokens, and in several states. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Calculus VojnovicYun Patel.
Import ListNotations.
Open Scope R_scope.

(** What the penalised loss (9) maximises in one state: the advantages A of the sampling policy old, weighed by the
    ratio, less beta times the divergence from old. *)
Definition gain (n : nat) (A old pi : nat -> R) : R := expect n old (fun o => pi o / old o * A o).
Definition trust_region (n : nat) (A : nat -> R) (beta : R) (old pi : nat -> R) : R :=
  gain n A old pi - beta * kl n old pi.

Lemma gain_expect n A old pi : full_support n old -> gain n A old pi = expect n pi A.
Proof.
  intros [H _]. apply Sum_ext. intros o Ho. specialize (H o Ho). field. lra.
Qed.

(** The policies of this form, lam above all advantages, are the solutions. *)
Definition solves (n : nat) (A : nat -> R) (beta : R) (old : nat -> R) (lam : R) (pi : nat -> R) : Prop :=
  forall o, (o < n)%nat -> A o < lam /\ pi o = beta * old o / (lam - A o).

(** What another policy loses, answer by answer. *)
Lemma trust_region_loss n A beta old lam pi q :
  full_support n old -> full_support n pi -> full_support n q ->
  (forall o, (o < n)%nat -> A o = lam - beta * old o / pi o) ->
  trust_region n A beta old pi - trust_region n A beta old q
  = beta * Sum n (fun o => old o * (q o / pi o - 1 - ln (q o / pi o))).
Proof.
  intros Hold Hpi Hq H. unfold trust_region. rewrite !gain_expect by exact Hold. unfold kl, expect.
  assert (E1 : Sum n (fun o => pi o * A o) = lam - beta).
  { rewrite (Sum_ext n _ (fun o => lam * pi o - beta * old o)).
    - rewrite Sum_minus, !Sum_scal, (proj2 Hpi), (proj2 Hold). ring.
    - intros o Ho. rewrite (H o Ho). pose proof (proj1 Hpi o Ho). field. lra. }
  assert (E2 : Sum n (fun o => q o * A o) = lam - beta * Sum n (fun o => old o * (q o / pi o))).
  { rewrite (Sum_ext n _ (fun o => lam * q o - beta * (old o * (q o / pi o)))).
    - rewrite Sum_minus, !Sum_scal, (proj2 Hq). ring.
    - intros o Ho. rewrite (H o Ho). pose proof (proj1 Hpi o Ho). field. lra. }
  assert (E3 : Sum n (fun o => old o * ln (old o / q o)) - Sum n (fun o => old o * ln (old o / pi o))
    = - Sum n (fun o => old o * ln (q o / pi o))).
  { rewrite <- Sum_minus, <- Sum_opp. apply Sum_ext. intros o Ho.
    pose proof (proj1 Hpi o Ho). pose proof (proj1 Hq o Ho). pose proof (proj1 Hold o Ho).
    unfold Rdiv. rewrite !ln_mult, !ln_Rinv by (try apply Rinv_0_lt_compat; lra). ring. }
  assert (E4 : Sum n (fun o => old o * (q o / pi o - 1 - ln (q o / pi o)))
    = Sum n (fun o => old o * (q o / pi o)) - 1 - Sum n (fun o => old o * ln (q o / pi o))).
  { transitivity (Sum n (fun o => old o * (q o / pi o)) - Sum n old - Sum n (fun o => old o * ln (q o / pi o))).
    - rewrite <- !Sum_minus. apply Sum_ext. intros. ring.
    - rewrite (proj2 Hold). reflexivity. }
  rewrite E1, E2, E4.
  replace (Sum n (fun o => old o * ln (q o / pi o)))
    with (Sum n (fun o => old o * ln (old o / pi o)) - Sum n (fun o => old o * ln (old o / q o))) by lra. ring.
Qed.

Lemma loss_nonneg n old pi q : full_support n old -> full_support n pi -> full_support n q ->
  0 <= Sum n (fun o => old o * (q o / pi o - 1 - ln (q o / pi o))) /\
  (Sum n (fun o => old o * (q o / pi o - 1 - ln (q o / pi o))) = 0 -> forall o, (o < n)%nat -> q o = pi o).
Proof.
  intros Hold Hpi Hq.
  assert (T : forall o, (o < n)%nat -> 0 <= old o * (q o / pi o - 1 - ln (q o / pi o)) /\
    (old o * (q o / pi o - 1 - ln (q o / pi o)) = 0 -> q o = pi o)).
  { intros o Ho. pose proof (proj1 Hpi o Ho). pose proof (proj1 Hq o Ho). pose proof (proj1 Hold o Ho).
    assert (U : 0 < q o / pi o) by (apply Rdiv_lt_0_compat; lra). split.
    - apply Rmult_le_pos; [lra|]. pose proof (ln_below_le _ U). lra.
    - intros Z. apply Rmult_integral in Z. destruct Z as [Z|Z]; [lra|].
      destruct (Req_dec (q o / pi o) 1) as [E|N]; [|pose proof (ln_below _ U N); lra].
      apply (f_equal (fun z => z * pi o)) in E. unfold Rdiv in E. rewrite Rmult_assoc, Rinv_l in E by lra. lra. }
  split; [apply Sum_nonneg; intros; apply T; assumption|].
  intros Z o Ho. apply (T o Ho). apply (Sum_eq_0 n (fun o => old o * (q o / pi o - 1 - ln (q o / pi o))));
    [intros; apply T; assumption | exact Z | exact Ho].
Qed.

(** The multiplier is a root of a function that falls from above to below one. *)
Lemma largest n (A : nat -> R) : (0 < n)%nat -> exists k, (k < n)%nat /\ forall o, (o < n)%nat -> A o <= A k.
Proof.
  induction n as [|n IH]; [lia|]. intros _. destruct n as [|n].
  - exists 0%nat. split; [lia|]. intros o Ho. replace o with 0%nat by lia. lra.
  - destruct IH as (k & Hk & H); [lia|]. destruct (Rle_dec (A k) (A (S n))) as [L|L].
    + exists (S n). split; [lia|]. intros o Ho. destruct (Nat.eq_dec o (S n)) as [->|N]; [lra|].
      specialize (H o ltac:(lia)). lra.
    + exists k. split; [lia|]. intros o Ho. destruct (Nat.eq_dec o (S n)) as [->|N]; [lra|]. apply H. lia.
Qed.

Lemma continuous_Sum n (f : nat -> R -> R) (x : R) : (forall i, (i < n)%nat -> continuous (f i) x) ->
  continuous (fun y => Sum n (fun i => f i y)) x.
Proof.
  induction n as [|n IH]; intros H; simpl; [apply continuous_const|].
  apply (continuous_plus (V := R_NormedModule)); [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma multiplier_exists n A beta old : 0 < beta -> full_support n old ->
  exists lam, (forall o, (o < n)%nat -> A o < lam) /\ Sum n (fun o => beta * old o / (lam - A o)) = 1.
Proof.
  intros Hb Hold. set (S := fun lam => Sum n (fun o => beta * old o / (lam - A o))).
  assert (Hn : (0 < n)%nat) by (destruct n; [destruct Hold as [_ Z]; simpl in Z; lra | lia]).
  destruct (largest n A Hn) as (k & Hk & HA). pose proof (proj1 Hold k Hk) as Pk.
  assert (K1 : old k <= 1) by (apply (policy_le_1 n); [apply full_support_policy, Hold | exact Hk]).
  assert (Above : forall lam, A k < lam -> forall o, (o < n)%nat -> A o < lam)
    by (intros lam L o Ho; specialize (HA o Ho); lra).
  assert (Pos : forall lam, A k < lam -> forall o, (o < n)%nat -> 0 < beta * old o / (lam - A o)).
  { intros lam L o Ho. pose proof (proj1 Hold o Ho). specialize (Above lam L o Ho).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption | lra]. }
  assert (L1 : 1 <= S (A k + beta * old k)).
  { assert (L : A k < A k + beta * old k) by (pose proof (Rmult_lt_0_compat _ _ Hb Pk); lra).
    replace 1 with (beta * old k / (A k + beta * old k - A k)) by (field; lra).
    apply (Sum_term_le n (fun o => beta * old o / (A k + beta * old k - A o)) k); [|exact Hk].
    intros. apply Rlt_le, Pos; assumption. }
  assert (L2 : S (A k + beta) <= 1).
  { rewrite <- (proj2 Hold). apply Sum_le. intros o Ho. specialize (HA o Ho). pose proof (proj1 Hold o Ho).
    apply (Rmult_le_reg_r (A k + beta - A o)); [lra|].
    replace (beta * old o / (A k + beta - A o) * (A k + beta - A o)) with (beta * old o) by (field; lra). nra. }
  destruct (Req_dec (S (A k + beta * old k)) 1) as [E|N1].
  { exists (A k + beta * old k). split; [apply Above; pose proof (Rmult_lt_0_compat _ _ Hb Pk); lra | exact E]. }
  destruct (Req_dec (S (A k + beta)) 1) as [E|N2].
  { exists (A k + beta). split; [apply Above; lra | exact E]. }
  assert (Lt : A k + beta * old k < A k + beta).
  { destruct (Req_dec (old k) 1) as [E|]; [|assert (old k < 1) by lra; nra].
    exfalso. apply N2. rewrite E, Rmult_1_r in L1. lra. }
  destruct (zero_falling (fun lam => S lam - 1) (A k + beta * old k) (A k + beta) Lt) as (lam & Hlam & E); [|lra|lra|].
  - intros lam Hlam. apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (continuous_Sum n (fun o lam => beta * old o / (lam - A o))). intros o Ho.
    assert (A o < lam) by (apply Above; [pose proof (Rmult_lt_0_compat _ _ Hb Pk); lra | exact Ho]).
    apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. lra.
  - exists lam. split; [apply Above; pose proof (Rmult_lt_0_compat _ _ Hb Pk); lra | change (S lam = 1); lra].
Qed.

Lemma solves_advantage n A beta old lam pi : 0 < beta -> full_support n old -> solves n A beta old lam pi ->
  forall o, (o < n)%nat -> A o = lam - beta * old o / pi o.
Proof.
  intros Hb Hold H o Ho. destruct (H o Ho) as [L E]. pose proof (proj1 Hold o Ho). rewrite E. field.
  repeat split; lra.
Qed.

Lemma solves_maximum n A beta old lam pi : 0 < beta -> full_support n old -> full_support n pi ->
  solves n A beta old lam pi -> forall q, full_support n q ->
  trust_region n A beta old q <= trust_region n A beta old pi /\
  (trust_region n A beta old q = trust_region n A beta old pi -> forall o, (o < n)%nat -> q o = pi o).
Proof.
  intros Hb Hold Hpi H q Hq.
  pose proof (trust_region_loss n A beta old lam pi q Hold Hpi Hq (solves_advantage _ _ _ _ _ _ Hb Hold H)) as L.
  destruct (loss_nonneg n old pi q Hold Hpi Hq) as [P Z]. split; [nra|]. intros E. apply Z. nra.
Qed.

(** Stationary in the simplex: all partial derivatives are equal. *)
Lemma trust_region_partial n A beta old pi o : full_support n old -> full_support n pi -> (o < n)%nat ->
  is_partial (trust_region n A beta old) pi o (A o + beta * (old o / pi o)).
Proof.
  intros Hold Hpi Ho. destruct (pt_eq8_kl n old pi Hold Hpi) as [_ [_ D]].
  assert (G : is_partial (gain n A old) pi o (A o)).
  { apply (is_partial_Sum n (fun i x => old i * (x / old i * A i))); [exact Ho|].
    pose proof (proj1 Hold o Ho). auto_derive; [trivial|]. field. lra. }
  specialize (D o Ho). unfold is_partial in *. unfold trust_region.
  replace (A o + beta * (old o / pi o)) with (A o - beta * (- (old o / pi o))) by ring.
  apply derive_minus; [exact G | apply derive_scal, D].
Qed.

(** One state, any vocabulary: there is a multiplier above all advantages with which beta old(o)/(lam - A(o)) is a
    policy; it is the only stationary policy, and the only maximum. *)
Theorem pt_eq10_any_vocabulary : forall n A beta old, 0 < beta -> full_support n old ->
  exists lam pi, full_support n pi /\ solves n A beta old lam pi /\
    forall q, full_support n q ->
      trust_region n A beta old q <= trust_region n A beta old pi /\
      (trust_region n A beta old q = trust_region n A beta old pi -> forall o, (o < n)%nat -> q o = pi o) /\
      (stationary n (trust_region n A beta old) q <-> forall o, (o < n)%nat -> q o = pi o).
Proof.
  intros n A beta old Hb Hold. destruct (multiplier_exists n A beta old Hb Hold) as (lam & L & E).
  set (pi := fun o => beta * old o / (lam - A o)).
  assert (Hpi : full_support n pi).
  { split; [|exact E]. intros o Ho. specialize (L o Ho). pose proof (proj1 Hold o Ho).
    apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; assumption | lra]. }
  assert (Hs : solves n A beta old lam pi) by (intros o Ho; split; [apply L, Ho | reflexivity]).
  exists lam, pi. split; [exact Hpi|]. split; [exact Hs|]. intros q Hq.
  destruct (solves_maximum n A beta old lam pi Hb Hold Hpi Hs q Hq) as [M U].
  split; [exact M|]. split; [exact U|]. split.
  - intros (l & g & _ & H).
    assert (H' : forall o, (o < n)%nat -> A o + beta * (old o / q o) = l).
    { intros o Ho. destruct (H o Ho) as (D & _ & Z). pose proof (proj1 Hq o Ho).
      assert (g o = 0) by (apply Rmult_integral in Z; destruct Z; lra).
      pose proof (is_partial_unique _ _ _ _ _ D (trust_region_partial n A beta old q o Hold Hq Ho)). lra. }
    assert (Hq' : solves n A beta old l q).
    { intros o Ho. specialize (H' o Ho). pose proof (proj1 Hq o Ho). pose proof (proj1 Hold o Ho).
      assert (0 < beta * (old o / q o)) by (apply Rmult_lt_0_compat; [exact Hb | apply Rdiv_lt_0_compat; assumption]).
      split; [lra|]. replace (l - A o) with (beta * (old o / q o)) by lra. field. repeat split; lra. }
    intros o Ho. symmetry. destruct (solves_maximum n A beta old l q Hb Hold Hq Hq' pi Hpi) as [M' U'].
    apply U'; [lra | exact Ho].
  - intros Heq. exists lam, (fun _ => 0). split; [apply full_support_policy, Hq|]. intros o Ho.
    split; [|split; [lra | ring]]. replace (lam - 0) with (A o + beta * (old o / q o)).
    + apply trust_region_partial; assumption.
    + rewrite (Heq o Ho), (solves_advantage n A beta old lam pi Hb Hold Hs o Ho) at 1. ring_simplify. lra.
Qed.

(** Two tokens: the best policy in closed form, (14) of Vojnovic & Yun with the advantage for the margin. *)
Lemma two_tokens_best a b beta y : 0 < beta -> 0 < y < 1 -> b < a ->
  let x := eq14 (beta / (a - b)) y in
  y < x < 1 /\ forall pi, full_support 2 pi ->
    trust_region 2 (fun o => match o with O => a | _ => b end) beta (binary y) pi
    <= trust_region 2 (fun o => match o with O => a | _ => b end) beta (binary y) (binary x) /\
    (trust_region 2 (fun o => match o with O => a | _ => b end) beta (binary y) pi
     = trust_region 2 (fun o => match o with O => a | _ => b end) beta (binary y) (binary x) -> pi 0%nat = x).
Proof.
  intros Hb Hy Hab x. set (A := fun o => match o with O => a | _ => b end).
  assert (Hr : 0 < beta / (a - b)) by (apply Rdiv_lt_0_compat; lra).
  destruct (eq14_root (beta / (a - b)) y Hr Hy) as (H1 & H2 & H3). fold x in H1, H2, H3.
  split; [lra|]. intros pi Hpi.
  assert (E : beta * (x - y) = (a - b) * (x * (1 - x))).
  { apply (f_equal (fun z => (a - b) * z)) in H3. rewrite <- H3. field. lra. }
  assert (S : solves 2 A beta (binary y) (a + beta * (y / x)) (binary x)).
  { intros [|[|o]] Ho; [| |lia]; simpl.
    - assert (0 < beta * (y / x)) by (apply Rmult_lt_0_compat; [exact Hb | apply Rdiv_lt_0_compat; lra]).
      split; [lra|]. replace (a + beta * (y / x) - a) with (beta * (y / x)) by ring. field. lra.
    - assert (F : a + beta * (y / x) - b = beta * (1 - y) / (1 - x)).
      { assert (G : a - b = beta * (x - y) / (x * (1 - x))) by (rewrite E; field; lra).
        replace (a + beta * (y / x) - b) with ((a - b) + beta * (y / x)) by ring. rewrite G. field. lra. }
      assert (0 < beta * (1 - y) / (1 - x)) by (apply Rdiv_lt_0_compat; [apply Rmult_lt_0_compat; lra | lra]).
      split; [lra|]. rewrite F. field. repeat split; lra. }
  destruct (solves_maximum 2 A beta (binary y) _ (binary x) Hb (binary_full y Hy) (binary_full x H1) S pi Hpi) as [M U].
  split; [exact M|]. intros Eq. apply (U Eq 0%nat). lia.
Qed.

(** One state, two tokens. *)
Theorem pt_eq10_penalised_solution : forall a b beta y, 0 < beta -> 0 < y < 1 -> b < a ->
  let A := fun o => match o with O => a | _ => b end in
  let x := / 2 * (1 - beta / (a - b) + sqrt ((1 - beta / (a - b)) ^ 2 + 4 * (beta / (a - b)) * y)) in
  0 < x < 1 /\ forall pi, full_support 2 pi ->
    trust_region 2 A beta (binary y) pi <= trust_region 2 A beta (binary y) (binary x) /\
    (trust_region 2 A beta (binary y) pi = trust_region 2 A beta (binary y) (binary x) -> pi 0%nat = x).
Proof.
  intros a b beta y Hb Hy Hab A x. destruct (two_tokens_best a b beta y Hb Hy Hab) as [H1 H2].
  split; [unfold eq14 in H1; fold x in H1; lra | exact H2].
Qed.

(** The divergence of two tokens, from y to x. *)
Definition distance (y x : R) : R := kl 2 (binary y) (binary x).

Lemma distance_written y x : distance y x = y * ln (y / x) + (1 - y) * ln ((1 - y) / (1 - x)).
Proof. unfold distance, kl. rewrite expect_binary. reflexivity. Qed.

Lemma distance_derive y x : 0 < y < 1 -> 0 < x < 1 -> is_derive (distance y) x ((x - y) / (x * (1 - x))).
Proof.
  intros Hy Hx. apply (is_derive_ext (fun x => y * ln (y / x) + (1 - y) * ln ((1 - y) / (1 - x)))).
  { intros. symmetry. apply distance_written. }
  auto_derive; [repeat split; try lra; apply Rdiv_lt_0_compat; lra | field; lra].
Qed.

Lemma distance_self y : 0 < y < 1 -> distance y y = 0.
Proof.
  intros Hy. rewrite distance_written. replace (y / y) with 1 by (field; lra).
  replace ((1 - y) / (1 - y)) with 1 by (field; lra). rewrite ln_1. ring.
Qed.

Lemma distance_increasing y x x' : 0 < y < 1 -> y <= x < x' -> x' < 1 -> distance y x < distance y x'.
Proof.
  intros Hy Hx Hx'. apply (rises (distance y) (fun x => (x - y) / (x * (1 - x)))); [lra | |].
  - intros z Hz. apply distance_derive; lra.
  - intros z Hz. apply Rdiv_lt_0_compat; [lra | nra].
Qed.

(** Every distance is reached, once above y. *)
Lemma distance_reached y delta : 0 < y < 1 -> 0 < delta -> exists x, y < x < 1 /\ distance y x = delta.
Proof.
  intros Hy Hd. set (x1 := 1 - (1 - y) / 2 * exp (- (delta + Rabs (y * ln y)) / (1 - y))).
  set (e := exp (- (delta + Rabs (y * ln y)) / (1 - y))) in *.
  assert (Q : 0 <= Rabs (y * ln y)) by apply Rabs_pos.
  assert (Qe : 0 < (delta + Rabs (y * ln y)) / (1 - y)) by (apply Rdiv_lt_0_compat; lra).
  assert (He : 0 < e <= 1).
  { split; [apply exp_pos|]. left. unfold e. assert (E : exp (- (delta + Rabs (y * ln y)) / (1 - y)) < exp 0).
    { apply exp_increasing. replace (- (delta + Rabs (y * ln y)) / (1 - y))
        with (- ((delta + Rabs (y * ln y)) / (1 - y))) by (field; lra). lra. }
    rewrite exp_0 in E. exact E. }
  assert (H1 : y < x1 < 1) by (unfold x1; split; nra).
  assert (B : delta < distance y x1).
  { rewrite distance_written. replace (1 - x1) with ((1 - y) / 2 * e) by (unfold x1; ring).
    replace ((1 - y) / ((1 - y) / 2 * e)) with (2 * / e) by (field; lra).
    rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
    assert (E : ln e = - (delta + Rabs (y * ln y)) / (1 - y)) by apply ln_exp. rewrite E.
    assert (L2 : 0 < ln 2) by (rewrite <- ln_1; apply ln_increasing; lra).
    assert (Lx : ln x1 < 0) by (rewrite <- ln_1; apply ln_increasing; lra).
    unfold Rdiv at 1. rewrite ln_mult, ln_Rinv by (try apply Rinv_0_lt_compat; lra).
    replace ((1 - y) * (ln 2 + - (- (delta + Rabs (y * ln y)) / (1 - y))))
      with ((1 - y) * ln 2 + (delta + Rabs (y * ln y))) by (field; lra).
    pose proof (Rle_abs (- (y * ln y))). rewrite Rabs_Ropp in H. nra. }
  destruct (zero_rising (fun x => distance y x - delta) y x1) as (x & Hx & E); [lra | | | lra |].
  - intros x Hx. apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
    apply (derive_continuous _ _ _ (distance_derive y x Hy ltac:(lra))).
  - rewrite distance_self by exact Hy. lra.
  - exists x. split; lra.
Qed.

(** The advantage that the solution x of the penalised problem pays per unit of divergence. *)
Lemma price_of_solution A y x : 0 < A -> 0 < y -> y < x < 1 -> eq14 (A * (x * (1 - x) / (x - y)) / A) y = x.
Proof.
  intros HA Hy Hx. symmetry.
  replace (A * (x * (1 - x) / (x - y)) / A) with (x * (1 - x) / (x - y)) by (field; lra).
  apply eq14_unique; [|lra|lra|field; lra]. apply Rdiv_lt_0_compat; [nra | lra].
Qed.

Lemma solution_decreasing A y beta beta' : 0 < A -> 0 < y < 1 -> 0 < beta < beta' ->
  eq14 (beta' / A) y < eq14 (beta / A) y.
Proof.
  intros HA Hy Hb. apply eq14_decreasing; [|exact Hy]. split; [apply Rdiv_lt_0_compat; lra|].
  apply Rmult_lt_compat_r; [apply Rinv_0_lt_compat|]; lra.
Qed.

Lemma solution_between A y beta : 0 < A -> 0 < y < 1 -> 0 < beta -> y < eq14 (beta / A) y < 1.
Proof.
  intros HA Hy Hb. destruct (eq14_root (beta / A) y) as (H1 & H2 & _); [apply Rdiv_lt_0_compat; lra | exact Hy | lra].
Qed.

Lemma distance_decreasing A y beta beta' : 0 < A -> 0 < y < 1 -> 0 < beta < beta' ->
  distance y (eq14 (beta' / A) y) < distance y (eq14 (beta / A) y).
Proof.
  intros HA Hy Hb. pose proof (solution_decreasing A y beta beta' HA Hy Hb).
  pose proof (solution_between A y beta HA Hy ltac:(lra)). pose proof (solution_between A y beta' HA Hy ltac:(lra)).
  apply distance_increasing; lra.
Qed.

(** Penalty and constraint in one state: what maximises the penalised objective is best among all policies that are no
    farther; and of two tokens each distance delta > 0 belongs to exactly one beta. *)
Theorem pt_eq10_constraint_vs_penalty :
  (forall n A beta old pi, 0 < beta ->
     (forall q, full_support n q -> trust_region n A beta old q <= trust_region n A beta old pi) ->
     forall q, full_support n q -> kl n old q <= kl n old pi -> gain n A old q <= gain n A old pi) /\
  (forall A y delta, 0 < A -> 0 < y < 1 -> 0 < delta ->
     exists beta, 0 < beta /\ kl 2 (binary y) (binary (eq14 (beta / A) y)) = delta /\
       forall beta', 0 < beta' -> kl 2 (binary y) (binary (eq14 (beta' / A) y)) = delta -> beta' = beta).
Proof.
  split.
  - intros n A beta old pi Hb H q Hq L. specialize (H q Hq). unfold trust_region in H. nra.
  - intros A y delta HA Hy Hd. destruct (distance_reached y delta Hy Hd) as (x & Hx & E).
    set (beta := A * (x * (1 - x) / (x - y))).
    assert (Hb : 0 < beta) by (apply Rmult_lt_0_compat; [lra | apply Rdiv_lt_0_compat; [nra | lra]]).
    assert (Ex : eq14 (beta / A) y = x) by (apply price_of_solution; lra).
    exists beta. split; [exact Hb|]. split; [rewrite Ex; exact E|]. intros beta' Hb' E'.
    destruct (Rtotal_order beta' beta) as [L | [Eq | L]]; [exfalso | exact Eq | exfalso].
    + pose proof (distance_decreasing A y beta' beta HA Hy ltac:(lra)) as D. unfold distance in D, E. rewrite Ex in D.
      lra.
    + pose proof (distance_decreasing A y beta beta' HA Hy ltac:(lra)) as D. unfold distance in D, E. rewrite Ex in D.
      lra.
Qed.

(** One beta cannot do for two states that differ in their advantage. *)
Theorem pt_eq10_constraint_vs_penalty_needed : forall A A' y delta, 0 < A -> A < A' -> 0 < y < 1 ->
  ~ exists beta, 0 < beta /\ kl 2 (binary y) (binary (eq14 (beta / A) y)) = delta /\
      kl 2 (binary y) (binary (eq14 (beta / A') y)) = delta.
Proof.
  intros A A' y delta HA HA' Hy (beta & Hb & E & E').
  assert (L : 0 < beta / A' < beta / A).
  { split; [apply Rdiv_lt_0_compat; lra|]. apply Rmult_lt_compat_l; [lra|]. apply Rinv_lt_contravar; [nra | lra]. }
  pose proof (eq14_decreasing _ _ y L Hy). pose proof (solution_between A y beta HA Hy Hb).
  pose proof (solution_between A' y beta ltac:(lra) Hy Hb).
  pose proof (distance_increasing y (eq14 (beta / A) y) (eq14 (beta / A') y) Hy ltac:(lra) ltac:(lra)) as D.
  unfold distance in D. lra.
Qed.

(** A bound on the average divergence, over m states of two tokens each: one beta of (9) does for all. *)
Lemma continuous_eq14 y b : 0 < y -> 0 < b -> continuous (fun b => eq14 b y) b.
Proof.
  intros Hy Hb. unfold eq14. apply (ex_derive_continuous (V := R_NormedModule)). auto_derive.
  pose proof (Rmult_lt_0_compat _ _ Hb Hy). pose proof (pow2_ge_0 (1 + - b)). simpl in H0. repeat split. nra.
Qed.

Lemma far_enough m (A y : nat -> R) delta : 0 < delta -> (forall j, (j < m)%nat -> 0 < A j /\ 0 < y j < 1) ->
  exists beta, 0 < beta /\ forall j, (j < m)%nat -> distance (y j) (eq14 (beta / A j) (y j)) <= delta.
Proof.
  intros Hd. induction m as [|m IH]; intros H; [exists 1; split; [lra | intros; lia]|].
  destruct IH as (b & Hb & Hm); [intros; apply H; lia|]. destruct (H m) as [HA Hy]; [lia|].
  destruct (proj2 pt_eq10_constraint_vs_penalty (A m) (y m) delta HA Hy Hd) as (b' & Hb' & E & _).
  assert (Mono : forall A y c c', 0 < A -> 0 < y < 1 -> 0 < c <= c'
    -> distance y (eq14 (c' / A) y) <= distance y (eq14 (c / A) y)).
  { intros A0 y0 c c' H1 H2 [H3 [L | ->]]; [left; apply distance_decreasing; lra | lra]. }
  exists (Rmax b b'). pose proof (Rmax_l b b'). pose proof (Rmax_r b b'). split; [lra|]. intros j Hj.
  destruct (Nat.eq_dec j m) as [->|N].
  - apply Rle_trans with (distance (y m) (eq14 (b' / A m) (y m))); [apply Mono; lra | unfold distance; lra].
  - apply Rle_trans with (distance (y j) (eq14 (b / A j) (y j))); [apply Mono; [apply H; lia | apply H; lia | lra]|].
    apply Hm. lia.
Qed.

Theorem pt_eq10_average_constraint : forall m (A y : nat -> R) delta, (0 < m)%nat -> 0 < delta ->
  (forall j, (j < m)%nat -> 0 < A j /\ 0 < y j < 1) ->
  let average := fun x => Sum m (fun j => kl 2 (binary (y j)) (binary (x j))) / INR m in
  let worth := fun x => Sum m (fun j => x j * A j) in
  exists beta, 0 < beta /\ average (fun j => eq14 (beta / A j) (y j)) = delta /\
    (forall beta', 0 < beta' -> average (fun j => eq14 (beta' / A j) (y j)) = delta -> beta' = beta) /\
    forall x, (forall j, (j < m)%nat -> 0 < x j < 1) -> average x <= delta ->
      worth x <= worth (fun j => eq14 (beta / A j) (y j)).
Proof.
  intros m A y delta Hm Hd H average worth.
  assert (M : 0 < INR m) by (apply lt_0_INR; exact Hm).
  set (F := fun beta => Sum m (fun j => distance (y j) (eq14 (beta / A j) (y j)))).
  assert (AF : forall beta, average (fun j => eq14 (beta / A j) (y j)) = F beta / INR m) by reflexivity.
  assert (Dec : forall b b', 0 < b < b' -> F b' < F b).
  { intros b b' Hb. apply Sum_lt with 0%nat; [| exact Hm |].
    - intros j Hj. left. apply distance_decreasing; [apply H, Hj | apply H, Hj | exact Hb].
    - apply distance_decreasing; [apply H, Hm | apply H, Hm | exact Hb]. }
  assert (Low : exists b, 0 < b /\ INR m * delta <= F b).
  { destruct (H 0%nat Hm) as [HA Hy].
    destruct (proj2 pt_eq10_constraint_vs_penalty (A 0%nat) (y 0%nat) (INR m * delta) HA Hy ltac:(nra)) as
      (b & Hb & E & _).
    exists b. split; [exact Hb|]. rewrite <- E.
    apply (Sum_term_le m (fun j => distance (y j) (eq14 (b / A j) (y j))) 0); [|exact Hm].
    intros j Hj. destruct (H j Hj) as [HA' Hy']. pose proof (solution_between (A j) (y j) b HA' Hy' Hb).
    rewrite <- (distance_self (y j) Hy'). left. apply distance_increasing; lra. }
  assert (High : exists b, 0 < b /\ F b <= INR m * delta).
  { destruct (far_enough m A y delta Hd H) as (b & Hb & E). exists b. split; [exact Hb|].
    rewrite <- Sum_const. apply Sum_le. exact E. }
  destruct Low as (b1 & Hb1 & L1). destruct High as (b2 & Hb2 & L2).
  assert (Ex : exists beta, 0 < beta /\ F beta = INR m * delta).
  { destruct (Req_dec (F b1) (INR m * delta)) as [E|N1]; [exists b1; split; assumption|].
    destruct (Req_dec (F b2) (INR m * delta)) as [E|N2]; [exists b2; split; assumption|].
    assert (Lt : b1 < b2).
    { destruct (Rtotal_order b1 b2) as [L | [E | L]]; [exact L | subst; lra | specialize (Dec b2 b1 ltac:(lra)); lra]. }
    destruct (zero_falling (fun b => F b - INR m * delta) b1 b2 Lt) as (b & Hb & E); [|lra|lra|].
    - intros b Hb. apply (continuous_minus (V := R_NormedModule)); [|apply continuous_const].
      apply (continuous_Sum m (fun j b => distance (y j) (eq14 (b / A j) (y j)))). intros j Hj.
      destruct (H j Hj) as [HA Hy]. pose proof (solution_between (A j) (y j) b HA Hy ltac:(lra)).
      apply (continuous_comp (fun b => eq14 (b / A j) (y j)) (distance (y j))).
      + apply (continuous_comp (fun b => b / A j) (fun c => eq14 c (y j))).
        * apply (ex_derive_continuous (V := R_NormedModule)). auto_derive. trivial.
        * apply continuous_eq14; [lra | apply Rdiv_lt_0_compat; lra].
      + apply (derive_continuous _ _ _ (distance_derive (y j) (eq14 (b / A j) (y j)) Hy ltac:(lra))).
    - exists b. split; [lra|]. change (F b - INR m * delta = 0) in E. lra. }
  destruct Ex as (beta & Hb & E). exists beta. split; [exact Hb|]. rewrite AF.
  split; [rewrite E; field; lra|]. split.
  - intros beta' Hb' E'. rewrite AF in E'. assert (E2 : F beta' = INR m * delta) by (rewrite <- E'; field; lra).
    destruct (Rtotal_order beta' beta) as [L | [Eq | L]]; [exfalso | exact Eq | exfalso].
    + specialize (Dec beta' beta ltac:(lra)). lra.
    + specialize (Dec beta beta' ltac:(lra)). lra.
  - intros x Hx Hav. unfold average in Hav.
    assert (Hs : Sum m (fun j => distance (y j) (x j)) <= F beta).
    { rewrite E. apply (Rmult_le_reg_r (/ INR m)); [apply Rinv_0_lt_compat, M|].
      replace (INR m * delta * / INR m) with delta by (field; lra). exact Hav. }
    assert (Each : Sum m (fun j => x j * A j - beta * distance (y j) (x j)) <=
      Sum m (fun j => eq14 (beta / A j) (y j) * A j - beta * distance (y j) (eq14 (beta / A j) (y j)))).
    { apply Sum_le. intros j Hj. destruct (H j Hj) as [HA Hy].
      destruct (two_tokens_best (A j) 0 beta (y j) Hb Hy HA) as [H1 H2].
      destruct (H2 (binary (x j)) (binary_full _ (Hx j Hj))) as [B _]. unfold trust_region in B.
      rewrite !gain_expect, !expect_binary in B by (apply binary_full, Hy).
      replace (A j - 0) with (A j) in B by ring. simpl in B. unfold distance. lra. }
    rewrite !Sum_minus, !Sum_scal in Each. unfold worth. fold (F beta) in Each. nra.
Qed.

(** The bound on the average is the weaker constraint. *)
Theorem pt_eq10_relaxation :
  (forall m (d : nat -> R) delta, (0 < m)%nat -> (forall j, (j < m)%nat -> d j <= delta) -> Sum m d / INR m <= delta) /\
  (forall delta, 0 < delta -> exists y x : nat -> R, (forall j, (j < 2)%nat -> 0 < y j < 1 /\ 0 < x j < 1) /\
     let d := fun j => kl 2 (binary (y j)) (binary (x j)) in Sum 2 d / INR 2 <= delta /\ delta < d 0%nat).
Proof.
  split.
  - intros m d delta Hm H. assert (M : 0 < INR m) by (apply lt_0_INR; exact Hm).
    apply (Rmult_le_reg_r (INR m)); [exact M|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    rewrite (Rmult_comm delta), <- Sum_const. apply Sum_le. exact H.
  - intros delta Hd. destruct (distance_reached (1 / 2) (2 * delta) ltac:(lra) ltac:(lra)) as (x & Hx & E).
    exists (fun _ => 1 / 2), (fun j => match j with O => x | _ => 1 / 2 end). split.
    + intros [|[|j]] Hj; lra || lia.
    + simpl. pose proof (distance_self (1 / 2) ltac:(lra)) as Z. unfold distance in E, Z. rewrite E, Z. lra.
Qed.

(** The first step: what a small divergence buys. Along logit rates z the gain is the covariance of A and z, and the
    divergence half the variance of z: the gain squared is at most the variance of A times that of z, with equality
    exactly where every logit moves in proportion to its advantage. *)
Lemma step_gap n old A z : policy n old -> 0 < variance n old A ->
  variance n old A * variance n old z - covariance n old A z ^ 2
  = variance n old A * expect n old (fun o =>
      (z o - expect n old z - covariance n old A z / variance n old A * (A o - expect n old A)) ^ 2).
Proof.
  intros Hold Hv.
  assert (E : forall k, expect n old (fun o => (z o - expect n old z - k * (A o - expect n old A)) ^ 2)
    = variance n old z - 2 * k * covariance n old A z + k ^ 2 * variance n old A).
  { intros k. unfold variance, covariance. generalize (expect n old z) (expect n old A). intros mz mA. unfold expect.
    rewrite <- !Sum_scal, <- Sum_minus, <- Sum_plus. apply Sum_ext. intros. ring. }
  rewrite E. field. lra.
Qed.

Theorem pt_eq10_first_step :
  (forall n old A z, full_support n old -> 0 < variance n old A ->
     covariance n old A z ^ 2 <= variance n old A * variance n old z /\
     (covariance n old A z ^ 2 = variance n old A * variance n old z <->
      exists c, forall o, (o < n)%nat -> z o - expect n old z = c * (A o - expect n old A))) /\
  (forall y, 0 < y < 1 -> let divergence := fun x => kl 2 (binary y) (binary x) in
     divergence y = 0 /\ is_derive divergence y 0 /\ is_derive (fun x => Derive divergence x) y (/ (y * (1 - y)))).
Proof.
  split.
  - intros n old A z Hold Hv. pose proof (full_support_policy n old Hold) as Hp.
    pose proof (step_gap n old A z Hp Hv) as G.
    set (t := fun o => (z o - expect n old z - covariance n old A z / variance n old A * (A o - expect n old A)) ^ 2)
      in *.
    assert (P : forall o, (o < n)%nat -> 0 <= old o * t o).
    { intros o Ho. apply Rmult_le_pos; [apply Rlt_le, Hold, Ho | apply pow2_ge_0]. }
    assert (N : 0 <= expect n old t) by (apply Sum_nonneg; exact P).
    split; [nra|]. split.
    + intros E. exists (covariance n old A z / variance n old A). intros o Ho.
      assert (Z : expect n old t = 0) by (apply (Rmult_eq_reg_l (variance n old A)); lra).
      pose proof (Sum_eq_0 n _ P Z o Ho) as Q. apply Rmult_integral in Q. pose proof (proj1 Hold o Ho).
      destruct Q as [Q|Q]; [lra|]. unfold t in Q.
      assert (R : z o - expect n old z - covariance n old A z / variance n old A * (A o - expect n old A) = 0).
      { destruct (Req_dec (z o - expect n old z - covariance n old A z / variance n old A * (A o - expect n old A)) 0)
          as [R|R]; [exact R|]. exfalso. apply (pow_nonzero _ 2 R Q). }
      lra.
    + intros (c & H). assert (Cov : covariance n old A z = c * variance n old A).
      { unfold covariance, variance. set (mz := expect n old z) in *. set (mA := expect n old A) in *. unfold expect.
        rewrite <- Sum_scal. apply Sum_ext. intros o Ho. rewrite (H o Ho). ring. }
      assert (Var : variance n old z = c ^ 2 * variance n old A).
      { unfold variance. set (mz := expect n old z) in *. set (mA := expect n old A) in *. unfold expect.
        rewrite <- Sum_scal. apply Sum_ext. intros o Ho. rewrite (H o Ho). ring. }
      rewrite Cov, Var. ring.
  - intros y Hy divergence. fold (distance y) in divergence. split; [apply distance_self, Hy|]. split.
    + replace 0 with ((y - y) / (y * (1 - y))) by (field; lra). apply distance_derive; exact Hy.
    + apply (is_derive_ext_loc (fun x => (x - y) / (x * (1 - x)))).
      * apply (locally_interval _ y 0 1); simpl; [lra | lra |]. intros x H0 H1. symmetry. apply is_derive_unique.
        apply distance_derive; [exact Hy | simpl in *; lra].
      * auto_derive; [nra | field; lra].
Qed.

(** The penalty of (9), over the states that texts of the sampling model N pass through. *)
Definition penalty (V : nat) (N M : model) (T : nat) (s : list nat) : R :=
  text_expect V N T s (along (fun s' _ => kl V (N s') (M s')) s).

Lemma derive_text_expect V N : forall T s (F : R -> list nat -> R) dF u,
  (forall x, text V T x -> is_derive (fun v => F v x) u (dF x)) ->
  is_derive (fun v => text_expect V N T s (F v)) u (text_expect V N T s dF).
Proof.
  induction T as [|T IH]; intros s F dF u H; simpl.
  - apply H. split; [reflexivity | constructor].
  - unfold expect. apply (is_derive_Sum V (fun v a => N s a * text_expect V N T (s ++ [a]) (fun x => F v (a :: x)))).
    intros a Ha. apply derive_scal. apply IH. intros x [Hx Hf]. apply H.
    split; [simpl; rewrite Hx; reflexivity | constructor; assumption].
Qed.

Lemma derive_along V : forall (w : R -> list nat -> nat -> R) dw u x s,
  List.Forall (fun a => (a < V)%nat) x ->
  (forall s a, (a < V)%nat -> is_derive (fun v => w v s a) u (dw s a)) ->
  is_derive (fun v => along (w v) s x) u (along dw s x).
Proof.
  intros w dw u x s Hx H. revert s. induction Hx as [|a x Ha Hx IH]; intros s; simpl; [apply derive_const|].
  apply derive_plus; [apply H, Ha | apply IH].
Qed.

(** The penalty (9): in every state the divergence is not negative, and zero only where the models agree; over texts it
    is the divergence of whole texts; and at the sampling model, along any path of models through it, it is zero, with
    slope zero, and its curvature is the Fisher information. *)
Theorem pt_eq9_penalises :
  (forall V (N M : model) (s : list nat), full_support V (N s) -> full_support V (M s) ->
     0 <= kl V (N s) (M s) /\ (kl V (N s) (M s) = 0 <-> forall a, (a < V)%nat -> N s a = M s a)) /\
  (forall V N M T s, is_model V N -> is_model V M -> covers V M N -> penalty V N M T s = text_kl V N M T s) /\
  (forall V (M dM ddM : R -> model) theta T s, (forall u, is_model V (M u)) ->
     (forall u s a, (a < V)%nat -> 0 < M u s a) ->
     (forall u s a, (a < V)%nat -> is_derive (fun v => M v s a) u (dM u s a)) ->
     (forall u s a, (a < V)%nat -> is_derive (fun v => dM v s a) u (ddM u s a)) ->
     let P := fun u => penalty V (M theta) (M u) T s in
     P theta = 0 /\ is_derive P theta 0 /\
     is_derive (Derive P) theta
       (text_expect V (M theta) T s (along (fun s' a => score (M theta) (dM theta) s' a ^ 2) s))).
Proof.
  split; [|split].
  - intros V N M s HN HM. destruct (gibbs V (N s) (M s) (full_support_policy _ _ HN) HM) as [G1 G2].
    split; [exact G1|]. split; [exact G2|]. intros E. unfold kl, expect. apply Sum_zero. intros a Ha.
    rewrite (E a Ha). pose proof (proj1 HM a Ha). replace (M s a / M s a) with 1 by (field; lra). rewrite ln_1. ring.
  - intros V N M T s HN HM Hc. symmetry. apply kl_chain_rule_for_texts; assumption.
  - intros V M dM ddM theta T s HM Hpos Hd Hdd P.
    assert (S1 : forall u s', Sum V (M u s') = 1) by (intros u s'; apply (HM u s')).
    assert (S2 : forall u s', Sum V (dM u s') = 0).
    { intros u s'. apply (derive_unique (fun v => Sum V (M v s')) u).
      - apply (is_derive_Sum V (fun v a => M v s' a)). intros a Ha. apply Hd, Ha.
      - apply (is_derive_ext (fun _ => 1)); [intros v; symmetry; apply S1 | apply derive_const]. }
    assert (S3 : forall u s', Sum V (ddM u s') = 0).
    { intros u s'. apply (derive_unique (fun v => Sum V (dM v s')) u).
      - apply (is_derive_Sum V (fun v a => dM v s' a)). intros a Ha. apply Hdd, Ha.
      - apply (is_derive_ext (fun _ => 0)); [intros v; symmetry; apply S2 | apply derive_const]. }
    set (g := fun u s' => Sum V (fun a => - (M theta s' a * dM u s' a / M u s' a))).
    assert (K1 : forall u s', is_derive (fun v => kl V (M theta s') (M v s')) u (g u s')).
    { intros u s'. unfold kl, expect. apply (is_derive_Sum V (fun v a => M theta s' a * ln (M theta s' a / M v s' a))).
      intros a Ha. pose proof (Hpos theta s' a Ha). pose proof (Hpos u s' a Ha).
      replace (- (M theta s' a * dM u s' a / M u s' a)) with (M theta s' a * (dM u s' a * (- / M u s' a)))
        by (field; lra).
      apply derive_scal. apply (derive_comp (fun y => ln (M theta s' a / y)) (fun v => M v s' a)); [|apply Hd, Ha].
      auto_derive; [split; [lra | split; [apply Rdiv_lt_0_compat; lra | trivial]] | field; lra]. }
    assert (P1 : forall u, is_derive P u (text_expect V (M theta) T s (along (fun s' _ => g u s') s))).
    { intros u. apply derive_text_expect. intros x [_ Hx].
      apply (derive_along V (fun v s' _ => kl V (M theta s') (M v s'))); [exact Hx|]. intros s' a _. apply K1. }
    assert (G0 : forall s', g theta s' = 0).
    { intros s'. unfold g. rewrite (Sum_ext V _ (fun a => - dM theta s' a)).
      - rewrite Sum_opp, S2. ring.
      - intros a Ha. pose proof (Hpos theta s' a Ha). field. lra. }
    assert (G1 : forall s', is_derive (fun u => g u s') theta
      (Sum V (fun a => M theta s' a * score (M theta) (dM theta) s' a ^ 2))).
    { intros s'. replace (Sum V (fun a => M theta s' a * score (M theta) (dM theta) s' a ^ 2))
        with (Sum V (fun a => M theta s' a * score (M theta) (dM theta) s' a ^ 2 - ddM theta s' a))
        by (rewrite Sum_minus, S3; ring).
      apply (is_derive_Sum V (fun u a => - (M theta s' a * dM u s' a / M u s' a))). intros a Ha.
      pose proof (Hpos theta s' a Ha). pose proof (Hd theta s' a Ha) as D1. pose proof (Hdd theta s' a Ha) as D2.
      apply (derive_ext (fun u => (- M theta s' a) * (dM u s' a / M u s' a))); [intros; unfold Rdiv; ring|].
      replace (M theta s' a * score (M theta) (dM theta) s' a ^ 2 - ddM theta s' a) with
        (- M theta s' a * ((ddM theta s' a * M theta s' a - dM theta s' a * dM theta s' a) / M theta s' a ^ 2))
        by (unfold score; field; lra).
      apply derive_scal, is_derive_div; [exact D2 | exact D1 | lra]. }
    split; [|split].
    + unfold P, penalty. rewrite (text_expect_ext V (M theta) T s _ (fun _ => 0)).
      * apply text_expect_const, HM.
      * intros x _. rewrite (along_same _ (fun _ _ => 0)); [apply along_zero|]. intros s' a. unfold kl, expect.
        apply Sum_zero. intros b Hb. pose proof (Hpos theta s' b Hb).
        replace (M theta s' b / M theta s' b) with 1 by (field; lra). rewrite ln_1. ring.
    + specialize (P1 theta). rewrite (text_expect_ext V (M theta) T s _ (fun _ => 0)) in P1.
      * rewrite text_expect_const in P1 by apply HM. exact P1.
      * intros x _. rewrite (along_same _ (fun _ _ => 0)); [apply along_zero | intros; apply G0].
    + apply (is_derive_ext (fun u => text_expect V (M theta) T s (along (fun s' _ => g u s') s))).
      { intros u. symmetry. apply is_derive_unique, P1. }
      replace (text_expect V (M theta) T s (along (fun s' a => score (M theta) (dM theta) s' a ^ 2) s))
        with (text_expect V (M theta) T s
          (along (fun s' _ => Sum V (fun a => M theta s' a * score (M theta) (dM theta) s' a ^ 2)) s)).
      * apply derive_text_expect. intros x [_ Hx].
        apply (derive_along V (fun u s' _ => g u s')); [exact Hx|]. intros s' a _. apply G1.
      * symmetry. apply expectation_along_text_uses_conditional_means, HM.
Qed.
