From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups VojnovicYun.
Import ListNotations.
Open Scope R_scope.

(** ** The limit of large groups *)

Lemma draws_head {A} (E : (A -> R) -> R) N (f : A -> R) :
  expectation E -> draws E (S N) (fun s => match s with [] => 0 | a :: _ => f a end) = E f.
Proof. intros HE. simpl. apply (E_ext _ HE). intros a. apply (E_const _ (draws_expectation _ HE N)). Qed.

(** The mean of a sample of a centred quantity: its square has the expectation Var/G. *)
Lemma draws_sum {A} (E : (A -> R) -> R) (HE : expectation E) (f : A -> R) G :
  draws E G (fun s => list_sum (map f s)) = INR G * E f.
Proof.
  induction G as [|G IH]; [simpl; ring|].
  simpl draws. rewrite (E_ext _ HE _ (fun a => f a + INR G * E f)).
  - rewrite E_plus, E_const, S_INR by exact HE. ring.
  - intros a. rewrite (E_plus _ (draws_expectation _ HE G)), IH, (E_const _ (draws_expectation _ HE G)). ring.
Qed.

Lemma draws_sum_square {A} (E : (A -> R) -> R) (HE : expectation E) (f : A -> R) G :
  E f = 0 -> draws E G (fun s => list_sum (map f s) ^ 2) = INR G * E (fun a => f a ^ 2).
Proof.
  intros Z. induction G as [|G IH]; [simpl; ring|].
  simpl draws. pose proof (draws_expectation _ HE G) as HD.
  rewrite (E_ext _ HE _ (fun a => f a ^ 2 + INR G * E (fun a => f a ^ 2))).
  - rewrite E_plus, E_const, S_INR by exact HE. ring.
  - intros a. rewrite (E_ext _ HD _ (fun s => f a ^ 2 + ((2 * f a) * list_sum (map f s) + list_sum (map f s) ^ 2)))
      by (intros; ring).
    rewrite !(E_plus _ HD), (E_const _ HD), (E_scal _ HD), (draws_sum _ HE), IH, Z. ring.
Qed.

(** Given the first output, expectations are at most those of all groups over its probability. *)
Lemma conditional_le n rw old N (F : list (nat * R) -> R) o :
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> (forall s, 0 <= F s) ->
  law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => F ((o, x) :: s)))
  <= draws (outcome_expect n old rw) (S N) F / old o.
Proof.
  intros Hold Hrw Ho Hp HF. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  apply Rmult_le_reg_r with (old o); [exact Hp|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r, Rmult_comm by lra.
  simpl draws. unfold outcome_expect at 2, expect.
  apply (Sum_term_le n (fun o => old o * law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => F ((o, x) :: s))))).
  - intros a Ha. apply Rmult_le_pos; [apply (proj1 Hold); exact Ha|].
    apply (E_nonneg _ (law_expectation _ (Hrw a Ha))). intros x.
    apply (E_nonneg _ (draws_expectation _ HE N)). intros s. apply HF.
  - exact Ho.
Qed.

(** Advantages of a sampled answer have bounded second moments: E[A_1^2 | o_1 = o] <= 1/old(o), for every G. *)
Theorem vy_s21_PG_uniform_integrability : forall n rw G old o,
  (2 <= G)%nat -> policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o ->
  preference_of (fun g x => advantage g x ^ 2) n rw G old o <= / old o.
Proof.
  intros n rw G old o HG Hold Hrw Ho Hp. destruct G as [|N]; [lia|].
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  set (A2 := fun (m : nat * R) (s : list (nat * R)) => advantage (map snd s) (snd m) ^ 2).
  unfold preference_of. simpl Nat.sub. rewrite Nat.sub_0_r.
  eapply Rle_trans.
  - apply (conditional_le n rw old N (fun s => match s with [] => 0 | m :: _ => A2 m s end) o Hold Hrw Ho Hp).
    intros [|m s]; [lra | apply pow2_ge_0].
  - unfold Rdiv. rewrite <- (Rmult_1_l (/ old o)) at 2. apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hp|].
    apply Rmult_le_reg_l with (INR (S N)); [apply lt_0_INR; lia|].
    simpl draws. rewrite <- (draws_exchange _ HE N A2).
    2:{ intros a s s' P. unfold A2. rewrite (advantage_perm _ _ _ (Permutation_map snd P)). reflexivity. }
    rewrite Rmult_1_r, <- (E_const _ (draws_expectation _ HE (S N)) (INR (S N))).
    rewrite (draws_ext _ HE (S N) (fun _ => INR (S N)) (fun s => INR (length (map snd s)))).
    2:{ intros s Hs. rewrite map_length, Hs. reflexivity. }
    apply (E_le _ (draws_expectation _ HE (S N))). intros s. unfold A2.
    rewrite <- (map_map snd (fun x => advantage (map snd s) x ^ 2)). apply mean_square_advantage.
Qed.

(** The law of large numbers, in mean square: the mean of a group of size G is expected within Var/G of E r. *)
Theorem vy_s21_lln_mean : forall n rw old G,
  (1 <= G)%nat -> policy n old -> are_laws n rw ->
  draws (outcome_expect n old rw) G (fun s => (mean (map snd s) - reward_mean n rw old) ^ 2)
  = reward_variance n rw old / INR G.
Proof.
  intros n rw old G HG Hold Hrw. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  set (mu := reward_mean n rw old).
  rewrite (draws_ext _ HE _ _ (fun s => / INR G ^ 2 * list_sum (map (fun m => snd m - mu) s) ^ 2)).
  - rewrite (E_scal _ (draws_expectation _ HE G)), (draws_sum_square _ HE).
    + unfold reward_variance. fold mu. field. lra.
    + rewrite (E_minus _ HE), (E_const _ HE). unfold mu, reward_mean. apply Rminus_diag_eq, (E_ext _ HE). reflexivity.
  - intros s Hs. unfold mean. rewrite map_length, Hs.
    unfold Rminus at 2. rewrite list_sum_plus, list_sum_const, Hs. field. lra.
Qed.

(** A bound on all rewards of the answers 0, ..., n - 1. *)
Lemma rewards_bounded n (rw : rewards) : exists B, 0 <= B /\
  forall o w, (o < n)%nat -> In w (rw o) -> Rabs (snd w) <= B.
Proof.
  assert (L : forall l : law, exists B, 0 <= B /\ forall w, In w l -> Rabs (snd w) <= B).
  { induction l as [|w l (B & H0 & HB)].
    - exists 0. split; [lra|]. intros w [].
    - exists (Rmax (Rabs (snd w)) B). split.
      + eapply Rle_trans; [apply H0|apply Rmax_r].
      + intros v [<-|Hv]; [apply Rmax_l|]. eapply Rle_trans; [apply HB, Hv|apply Rmax_r]. }
  induction n as [|n (B & H0 & HB)].
  - exists 0. split; [lra|]. intros. lia.
  - destruct (L (rw n)) as (B' & H0' & HB'). exists (Rmax B B'). split.
    + eapply Rle_trans; [apply H0|apply Rmax_l].
    + intros o w Ho Hw. destruct (Nat.eq_dec o n) as [->|].
      * eapply Rle_trans; [apply HB', Hw|apply Rmax_r].
      * eapply Rle_trans; [apply HB with o; [lia|exact Hw]|apply Rmax_l].
Qed.

(** An expectation only sees the outcomes that occur. *)
Lemma outcome_expect_le_in n pi rw f g : policy n pi -> are_laws n rw ->
  (forall o w, (o < n)%nat -> In w (rw o) -> f (o, snd w) <= g (o, snd w)) ->
  outcome_expect n pi rw f <= outcome_expect n pi rw g.
Proof.
  intros Hp Hr H. apply expect_le; [exact Hp|]. intros o Ho. unfold law_expect. apply list_sum_le.
  intros w Hw. apply Rmult_le_compat_l; [apply (proj1 (Hr o Ho)), Hw | apply H; assumption].
Qed.

Definition occurs n (rw : rewards) (m : nat * R) : Prop := (fst m < n)%nat /\ exists w, In w (rw (fst m)) /\ snd m = snd w.

Lemma draws_le_in n pi rw G F F' : policy n pi -> are_laws n rw ->
  (forall s, length s = G -> (forall m, In m s -> occurs n rw m) -> F s <= F' s) ->
  draws (outcome_expect n pi rw) G F <= draws (outcome_expect n pi rw) G F'.
Proof.
  intros Hp Hr. revert F F'. induction G as [|G IH]; intros F F' H.
  - apply H; [reflexivity|]. intros m [].
  - simpl. apply outcome_expect_le_in; [exact Hp|exact Hr|]. intros o w Ho Hw. apply IH.
    intros s Hs Hm. apply H; [simpl; lia|]. intros m [<-|Hin]; [|apply Hm, Hin].
    split; [exact Ho|]. exists w. split; [exact Hw|reflexivity].
Qed.

Lemma square_deviation_shift g c : g <> [] ->
  square_deviation g = mean (map (fun x => (x - c) ^ 2) g) - (mean g - c) ^ 2.
Proof.
  intros H. pose proof (length_pos g H). unfold square_deviation.
  assert (M : list_sum g = INR (length g) * mean g) by (unfold mean; field; lra).
  set (m := mean g) in *. unfold mean. rewrite !map_length.
  rewrite (list_sum_ext _ (fun x => x ^ 2 + (m ^ 2 + - (2 * m) * x))) by (intros; ring).
  rewrite (list_sum_ext (fun x => (x - c) ^ 2) (fun x => x ^ 2 + (c ^ 2 + - (2 * c) * x))) by (intros; ring).
  rewrite !list_sum_plus, !list_sum_const, !list_sum_scal, !map_id, M. field. lra.
Qed.

(** The square of the deviation of a group is expected within C/G of sigma^2, in mean square. *)
Lemma lln_deviation n rw old : policy n old -> are_laws n rw ->
  exists C, 0 <= C /\ forall G, (1 <= G)%nat ->
  draws (outcome_expect n old rw) G (fun s => (square_deviation (map snd s) - reward_variance n rw old) ^ 2) <= C / INR G.
Proof.
  intros Hold Hrw. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  destruct (rewards_bounded n rw) as (B & HB0 & HB).
  set (mu := reward_mean n rw old). set (v := reward_variance n rw old).
  set (E := outcome_expect n old rw) in *.
  set (f := fun m : nat * R => (snd m - mu) ^ 2 - v).
  assert (Ef : E f = 0).
  { unfold f. rewrite (E_minus _ HE), (E_const _ HE). apply Rminus_diag_eq. reflexivity. }
  assert (Hmu : Rabs mu <= B).
  { apply Rabs_le. split; [rewrite <- (E_const _ HE (- B)) | rewrite <- (E_const _ HE B)];
      (apply outcome_expect_le_in; [exact Hold|exact Hrw|]); intros o w Ho Hw; simpl;
      pose proof (HB o w Ho Hw) as K; apply Rabs_le_between in K; lra. }
  assert (Hv : 0 <= v) by (apply (E_nonneg _ HE); intros; apply pow2_ge_0).
  exists (2 * E (fun m => f m ^ 2) + 8 * B ^ 2 * v). split.
  { assert (0 <= E (fun m => f m ^ 2)) by (apply (E_nonneg _ HE); intros; apply pow2_ge_0).
    assert (0 <= B ^ 2) by apply pow2_ge_0. nra. }
  intros G HG. assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  pose proof (draws_expectation _ HE G) as HD.
  apply Rle_trans with (draws E G (fun s => 2 * (/ INR G ^ 2 * list_sum (map f s) ^ 2)
    + 8 * B ^ 2 * (mean (map snd s) - mu) ^ 2)).
  - apply draws_le_in; [exact Hold|exact Hrw|]. intros s Hs Hm.
    assert (N : map snd s <> []) by (destruct s; [simpl in Hs; lia|discriminate]).
    rewrite (square_deviation_shift _ mu N).
    assert (E1 : mean (map (fun x => (x - mu) ^ 2) (map snd s)) - v = / INR G * list_sum (map f s)).
    { unfold mean. rewrite !map_length, Hs, map_map. unfold f, Rminus at 3. rewrite list_sum_plus, list_sum_const, Hs.
      field. lra. }
    set (a := mean (map (fun x => (x - mu) ^ 2) (map snd s))) in *. set (d := mean (map snd s) - mu).
    assert (Hd : d ^ 2 <= 4 * B ^ 2).
    { assert (Rabs (mean (map snd s)) <= B) as K.
      { assert (forall g, g <> [] -> (forall x, In x g -> Rabs x <= B) -> Rabs (mean g) <= B) as K.
        { intros g Ng Hg. pose proof (length_pos g Ng) as Lg. unfold mean, Rdiv.
          rewrite Rabs_mult, (Rabs_right (/ _)) by (apply Rle_ge, Rlt_le, Rinv_0_lt_compat, Lg).
          apply Rmult_le_reg_r with (INR (length g)); [exact Lg|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
          clear - Hg. induction g as [|x g IH]; [simpl; rewrite Rabs_R0; lra|].
          cbn [list_sum length]. rewrite S_INR. eapply Rle_trans; [apply Rabs_triang|].
          assert (Rabs x <= B) by (apply Hg; left; reflexivity).
          assert (Rabs (list_sum g) <= B * INR (length g)) by (apply IH; intros; apply Hg; right; assumption). nra. }
        apply K; [exact N|]. intros x Hx. apply in_map_iff in Hx. destruct Hx as (m & <- & Hin).
        destruct (Hm m Hin) as (Ho & w & Hw & ->). apply HB with (fst m); assumption. }
      unfold d. apply Rabs_le_between in K. apply Rabs_le_between in Hmu.
      replace (4 * B ^ 2) with ((2 * B) ^ 2) by ring. apply pow_maj_Rabs. apply Rabs_le. lra. }
    replace (a - d ^ 2 - v) with ((a - v) - d ^ 2) by ring. rewrite E1.
    set (b := / INR G * list_sum (map f s)) in *.
    replace (/ INR G ^ 2 * list_sum (map f s) ^ 2) with (b ^ 2) by (unfold b; field; lra).
    assert (d ^ 2 * d ^ 2 <= 4 * B ^ 2 * d ^ 2) by (apply Rmult_le_compat_r; [apply pow2_ge_0|exact Hd]).
    pose proof (pow2_ge_0 (b + d ^ 2)). nra.
  - rewrite (E_plus _ HD), !(E_scal _ HD), (draws_sum_square _ HE _ _ Ef).
    pose proof (vy_s21_lln_mean n rw old G HG Hold Hrw) as K. fold mu v E in K. rewrite K.
    apply Req_le. field. lra.
Qed.

(** sigma^2 of the group tends to that of the reward, in mean square. *)
Theorem vy_s21_lln_std : forall n rw old, policy n old -> are_laws n rw ->
  is_lim_seq (fun G => draws (outcome_expect n old rw) G
    (fun s => (deviation (map snd s) ^ 2 - reward_variance n rw old) ^ 2)) 0.
Proof.
  intros n rw old Hold Hrw. destruct (lln_deviation n rw old Hold Hrw) as (C & HC & H).
  pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  apply (is_lim_seq_le_le_loc (fun _ => 0) _ (fun G => C / INR G)).
  - exists 1%nat. intros G HG. split.
    + apply (E_nonneg _ (draws_expectation _ HE G)). intros. apply pow2_ge_0.
    + eapply Rle_trans; [|apply H, HG]. apply Req_le, (draws_ext _ HE). intros s _. rewrite deviation_square. reflexivity.
  - apply is_lim_seq_const.
  - replace (Finite 0) with (Rbar_mult C 0) by (simpl; f_equal; ring).
    apply is_lim_seq_scal_l. apply (is_lim_seq_inv INR p_infty); [apply is_lim_seq_INR|discriminate].
Qed.

(** The preference of a sampled answer is within C/sqrt(G) of its limit. *)
Lemma preference_rate n rw old o :
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> 0 < reward_variance n rw old ->
  exists C, forall G, (2 <= G)%nat ->
    (preference n rw G old o - limit_preference n rw old o) ^ 2 <= C / INR G.
Proof.
  intros Hold Hrw Ho Hp Hv. pose proof (outcome_expectation n old rw Hold Hrw) as HE.
  destruct (lln_deviation n rw old Hold Hrw) as (C & HC & HD).
  set (mu := reward_mean n rw old) in *. set (v := reward_variance n rw old) in *.
  set (sg := reward_deviation n rw old).
  assert (Hsg : 0 < sg) by (apply sqrt_lt_R0, Hv). assert (Hsg2 : sg ^ 2 = v) by (apply pow2_sqrt; lra).
  exists ((2 * / old o * (C / v * / old o) + 2 * (v / old o)) / v).
  intros G HG. assert (L : 0 < INR G) by (apply lt_0_INR; lia).
  destruct G as [|N]; [lia|]. set (G := S N) in *.
  set (F := fun (h : R -> list R -> R) => law_expect (rw o) (fun x => draws (outcome_expect n old rw) N (fun s => h x (x :: map snd s)))).
  (* F is an expectation *)
  assert (HF : forall h h', (forall x g, h x g = h' x g) -> F h = F h').
  { intros h h' H. apply law_expect_ext. intros x. apply (draws_ext _ HE). intros s _. apply H. }
  pose proof (law_expectation _ (Hrw o Ho)) as HL. pose proof (draws_expectation _ HE N) as HN.
  assert (Fp : forall h h', F (fun x g => h x g + h' x g) = F h + F h').
  { intros h h'. unfold F. rewrite <- (E_plus _ HL). apply (E_ext _ HL). intros x. apply (E_plus _ HN). }
  assert (Fs : forall c h, F (fun x g => c * h x g) = c * F h).
  { intros c h. unfold F. rewrite <- (E_scal _ HL). apply (E_ext _ HL). intros x. apply (E_scal _ HN). }
  assert (Fn : forall h, (forall x g, 0 <= h x g) -> 0 <= F h).
  { intros h H. apply (E_nonneg _ HL). intros x. apply (E_nonneg _ HN). intros s. apply H. }
  assert (CS : forall h h', (F (fun x g => h x g * h' x g)) ^ 2 <= F (fun x g => h x g ^ 2) * F (fun x g => h' x g ^ 2)).
  { intros h h'. set (u := F (fun x g => h x g ^ 2)). set (w := F (fun x g => h' x g ^ 2)).
    set (c := F (fun x g => h x g * h' x g)).
    assert (Q : forall s t, 0 <= s ^ 2 * u + 2 * s * t * c + t ^ 2 * w).
    { intros s t. unfold u, w, c. rewrite <- !Fs, <- !Fp. apply Fn. intros x g.
      replace (_ + _) with ((s * h x g + t * h' x g) ^ 2) by ring. apply pow2_ge_0. }
    assert (0 <= w) by (apply Fn; intros; apply pow2_ge_0).
    assert (0 <= u) by (apply Fn; intros; apply pow2_ge_0).
    destruct (Req_dec w 0) as [Z|NZ].
    - pose proof (Q c (- (u + 1))) as H1. rewrite Z in *.
      assert (c ^ 2 * (u + 2) <= 0) by nra. assert (c ^ 2 = 0) by nra. lra.
    - pose proof (Q w (- c)) as H1. assert (0 <= w * (u * w - c ^ 2)) by nra. nra. }
  (* conditional second moments *)
  assert (B1 : F (fun x g => advantage g x ^ 2) <= / old o).
  { pose proof (vy_s21_PG_uniform_integrability n rw G old o HG Hold Hrw Ho Hp) as K.
    unfold preference_of in K. simpl Nat.sub in K. rewrite Nat.sub_0_r in K. exact K. }
  assert (B2 : F (fun x g => (mean g - mu) ^ 2) <= v / INR G / old o).
  { unfold v. rewrite <- (vy_s21_lln_mean n rw old G) by (assumption || lia).
    apply (conditional_le n rw old N (fun s => (mean (map snd s) - mu) ^ 2) o Hold Hrw Ho Hp).
    intros; apply pow2_ge_0. }
  assert (B3 : F (fun x g => (sg - deviation g) ^ 2) <= C / v / INR G / old o).
  { apply Rle_trans with (F (fun x g => / v * (square_deviation g - v) ^ 2)).
    - apply (E_le _ HL). intros x. apply (E_le _ HN). intros s. set (g := x :: map snd s).
      rewrite <- deviation_square, <- Hsg2. pose proof (deviation_nonneg g).
      apply Rmult_le_reg_l with (sg ^ 2); [nra|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by nra.
      replace ((deviation g ^ 2 - sg ^ 2) ^ 2) with ((sg - deviation g) ^ 2 * (sg + deviation g) ^ 2) by ring.
      rewrite Rmult_comm. apply Rmult_le_compat_l; [apply pow2_ge_0|]. nra.
    - rewrite Fs. replace (C / v / INR G / old o) with (/ v * (C / INR G / old o)) by (field; lra).
      apply Rmult_le_compat_l; [apply Rlt_le, Rinv_0_lt_compat, Hv|].
      eapply Rle_trans.
      + apply (conditional_le n rw old N (fun s => (square_deviation (map snd s) - v) ^ 2) o Hold Hrw Ho Hp).
        intros; apply pow2_ge_0.
      + apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hp|]. apply HD. lia. }
  (* A sg - (x - mu) = A (sg - s) + (mu - m) *)
  assert (D : sg * (preference n rw G old o - limit_preference n rw old o)
    = F (fun x g => advantage g x * (sg - deviation g)) + F (fun x g => mu - mean g)).
  { rewrite <- Fp.
    transitivity (F (fun x g => sg * advantage g x + - (x - mu))).
    - rewrite Fp, Fs. unfold limit_preference. fold mu sg.
      replace (F (fun x _ => - (x - mu))) with (mu - expected_reward rw o).
      + unfold preference, preference_of, F. simpl Nat.sub. rewrite Nat.sub_0_r. field. lra.
      + transitivity (law_expect (rw o) (fun x => mu - x)).
        * rewrite (E_minus _ HL), (E_const _ HL). reflexivity.
        * apply (E_ext _ HL). intros x. rewrite (E_const _ HN). ring.
    - apply law_expect_ext. intros x. apply (draws_ext _ HE). intros s _.
      set (g := x :: map snd s). pose proof (advantage_deviation g x (or_introl eq_refl)). lra. }
  assert (S1 : (F (fun x g => advantage g x * (sg - deviation g))) ^ 2 <= / old o * (C / v / INR G / old o)).
  { eapply Rle_trans; [apply CS|]. apply Rmult_le_compat; [| |exact B1|exact B3]; apply Fn; intros; apply pow2_ge_0. }
  assert (S2 : (F (fun x g => mu - mean g)) ^ 2 <= v / INR G / old o).
  { rewrite (HF _ (fun x g => 1 * (mu - mean g))) by (intros; ring).
    eapply Rle_trans; [apply (CS (fun _ _ => 1))|].
    replace (F (fun _ _ => 1 ^ 2)) with 1.
    2:{ unfold F. rewrite (E_ext _ HL _ (fun _ => 1)); [symmetry; apply (E_const _ HL)|].
        intros. rewrite (E_const _ HN). ring. }
    rewrite Rmult_1_l. erewrite HF; [exact B2|]. intros. simpl. ring. }
  set (P := preference n rw G old o - limit_preference n rw old o) in *.
  set (a := F (fun x g => advantage g x * (sg - deviation g))) in *. set (b := F (fun x g => mu - mean g)) in *.
  apply Rmult_le_reg_l with v; [exact Hv|].
  replace (v * ((2 * / old o * (C / v * / old o) + 2 * (v / old o)) / v / INR G))
    with (2 * (/ old o * (C / v / INR G / old o)) + 2 * (v / INR G / old o)) by (field; lra).
  replace (v * P ^ 2) with ((sg * P) ^ 2) by (rewrite <- Hsg2; ring). rewrite D.
  pose proof (pow2_ge_0 (a - b)). apply Rle_trans with (2 * a ^ 2 + 2 * b ^ 2); [nra|]. lra.
Qed.

(** The preference of a sampled answer tends to (r(o) - E r)/sigma, for any finite laws of rewards. *)
Theorem vy_s21_PG_limit_any : forall n rw old o,
  policy n old -> are_laws n rw -> (o < n)%nat -> 0 < old o -> 0 < reward_deviation n rw old ->
  is_lim_seq (fun G => preference n rw G old o) (limit_preference n rw old o).
Proof.
  intros n rw old o Hold Hrw Ho Hp Hs.
  assert (Hv : 0 < reward_variance n rw old).
  { destruct (Rlt_dec 0 (reward_variance n rw old)) as [H|H]; [exact H|].
    unfold reward_deviation in Hs. rewrite sqrt_neg_0 in Hs by lra. lra. }
  destruct (preference_rate n rw old o Hold Hrw Ho Hp Hv) as (C & H).
  apply is_lim_seq_spec. intros eps.
  destruct (nfloor_ex (Rabs C / eps ^ 2)) as (m & Hm).
  { apply Rmult_le_pos; [apply Rabs_pos|]. apply Rlt_le, Rinv_0_lt_compat. pose proof (cond_pos eps). nra. }
  exists (m + 2)%nat. intros G HG.
  assert (HG2 : (2 <= G)%nat) by lia. specialize (H G HG2).
  assert (L : 0 < INR G) by (apply lt_0_INR; lia). pose proof (cond_pos eps) as He.
  set (d := preference n rw G old o - limit_preference n rw old o) in *.
  assert (d ^ 2 < eps ^ 2).
  { eapply Rle_lt_trans; [exact H|].
    apply Rmult_lt_reg_r with (INR G); [exact L|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
    assert (INR m + 1 <= INR G) by (rewrite <- S_INR; apply le_INR; lia).
    assert (Rabs C < INR G * eps ^ 2).
    { apply Rmult_lt_reg_r with (/ eps ^ 2); [apply Rinv_0_lt_compat; nra|].
      rewrite Rmult_assoc, Rinv_r, Rmult_1_r by nra. unfold Rdiv in Hm. lra. }
    pose proof (Rle_abs C). lra. }
  apply Rabs_lt_between'. fold d. 
  destruct (Rle_or_lt (Rabs d) 0) as [Z|Z].
  - assert (d = 0) by (destruct (Req_dec d 0); [assumption|pose proof (Rabs_pos_lt d); lra]). unfold d in *. split; lra.
  - assert (Rabs d < eps).
    { apply Rnot_le_lt. intros K. assert (eps ^ 2 <= Rabs d ^ 2) by (apply pow_incr; lra). rewrite pow2_abs in H1. lra. }
    apply Rabs_lt_between in H1. unfold d in *. lra.
Qed.

(** The limit of large groups, R_infinity: for sigma(old) > 0 and under the support condition of (6). *)
Theorem vy_s21_Rinf : forall n rw pi old,
  policy n pi -> policy n old -> are_laws n rw -> (forall o, (o < n)%nat -> old o = 0 -> pi o = 0) ->
  0 < reward_deviation n rw old ->
  is_lim_seq (fun G => surrogate n rw G pi old)
    ((reward_mean n rw pi - reward_mean n rw old) / reward_deviation n rw old).
Proof.
  intros n rw pi old Hpi Hold Hrw S Hs.
  apply (is_lim_seq_ext_loc (fun G => expect n pi (preference n rw G old))).
  { exists 2%nat. intros G HG. symmetry. apply vy_eq6_representation; assumption. }
  replace ((reward_mean n rw pi - reward_mean n rw old) / reward_deviation n rw old)
    with (expect n pi (limit_preference n rw old)).
  - unfold expect.
    assert (K : forall k, (k <= n)%nat -> is_lim_seq (fun G => Sum k (fun o => pi o * preference n rw G old o))
      (Sum k (fun o => pi o * limit_preference n rw old o))).
    { induction k as [|k IH]; intros Hk; simpl; [apply is_lim_seq_const|].
      apply is_lim_seq_plus'; [apply IH; lia|].
      destruct (Req_dec (old k) 0) as [Z|NZ].
      - rewrite (S k Hk Z). apply (is_lim_seq_ext (fun _ => 0)); [intros; ring|].
        replace (0 * limit_preference n rw old k) with 0 by ring. apply is_lim_seq_const.
      - replace (Finite (pi k * limit_preference n rw old k)) with (Rbar_mult (pi k) (limit_preference n rw old k)) by reflexivity.
        apply is_lim_seq_scal_l. apply vy_s21_PG_limit_any; auto.
        pose proof (proj1 Hold k Hk). lra. }
    apply K. lia.
  - unfold limit_preference, Rdiv.
    rewrite (expect_ext n pi _ (fun o => / reward_deviation n rw old * expected_reward rw o
      + - (reward_mean n rw old * / reward_deviation n rw old))) by (intros; cbn beta; ring).
    rewrite expect_affine by exact Hpi. change (expect n pi (expected_reward rw)) with (reward_mean n rw pi). ring.
Qed.
