(* From the words of the development to those in which the statements of claims are written: entries are counted from
   1 there (total) and from 0 here (Sum), the sign is sgn there and Coquelicot's sign here, and two answers have numbers
   for their probabilities and rewards. *)
From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Rules Clipping VojnovicYun Mroueh Patel TrustRegions Steps.
Require Import Preamble.
Import ListNotations.
Open Scope R_scope.

(** The family of entries 1, ..., n as a function of 0, ..., n - 1. *)
Definition from_zero (f : nat -> R) (i : nat) : R := f (S i).

Lemma total_Sum : forall f n, total f n = Sum n (from_zero f).
Proof. intros f n. induction n as [|n IH]; [reflexivity | simpl; rewrite IH; reflexivity]. Qed.

(** Sums over any number of answers or items. *)
Ltac entrywise := rewrite ?total_Sum; apply Sum_ext; intros; unfold from_zero, Rdiv.

Lemma family_positive : forall f n, (forall i, (1 <= i <= n)%nat -> 0 < f i) ->
  forall o, (o < n)%nat -> 0 < from_zero f o.
Proof. intros f n H o Ho. apply H. lia. Qed.

Lemma family_full : forall f n, (forall i, (1 <= i <= n)%nat -> 0 < f i) -> total f n = 1
  -> full_support n (from_zero f).
Proof. intros f n H T. split; [apply family_positive, H | rewrite <- total_Sum; exact T]. Qed.

Lemma entry_from_zero : forall (f : nat -> R) i, (1 <= i)%nat -> f i = from_zero f (pred i).
Proof. intros f i H. unfold from_zero. f_equal. lia. Qed.

(** The partial derivative along entry i of a family that is counted from 1, from that of one that is counted from 0. *)
Lemma with_update : forall f i x o, (1 <= i)%nat -> with_entry f i x (S o) = update (from_zero f) (pred i) x o.
Proof.
  intros f i x o I. unfold with_entry, update, from_zero. destruct (Nat.eq_dec (S o) i) as [<-|N].
  - simpl. rewrite Nat.eqb_refl. reflexivity.
  - replace (o =? pred i)%nat with false; [reflexivity|]. symmetry. apply Nat.eqb_neq. lia.
Qed.

Lemma along_entry : forall J (J' : (nat -> R) -> R) f i d d', (1 <= i)%nat ->
  (forall x, J' (update (from_zero f) (pred i) x) = J (with_entry f i x)) ->
  is_partial J' (from_zero f) (pred i) d' -> d' = d -> is_derive_in_entry J f i d.
Proof.
  intros J J' f i d d' I E T <-. unfold is_partial in T. unfold is_derive_in_entry. rewrite (entry_from_zero f i I).
  exact (is_derive_ext _ _ _ _ E T).
Qed.

Ltac along_entry T := eapply along_entry; [lia | intros; cbv beta | exact T |].

(** Two sums over the entries of a family of which one has another number, written from 0 and from 1. *)
Ltac updated := apply Sum_ext; intros; unfold from_zero; rewrite ?with_update by lia; unfold from_zero, k3, Rdiv;
  rewrite ?(Rmult_comm (/ _)); ring.
Ltac lagrangian :=
  rewrite !total_Sum; unfold objective, kl_0, expect;
  match goal with |- ?a - ?beta * ?b - ?lambda * ?c = -1 * ?beta * ?b' + -1 * ?lambda * ?c' + ?a' =>
    replace a with a' by updated; replace b with b' by updated; replace c with c' by updated; ring end.

(** The partial derivative of a Lagrangian. *)
Lemma less_multiplier : forall n J pi o lambda d, (o < n)%nat -> is_partial J pi o d ->
  is_partial (fun q => J q - lambda * Sum n q) pi o (d - lambda).
Proof.
  intros n J pi o lambda d Ho T. assert (S : is_partial (Sum n) pi o 1).
  { apply (is_partial_Sum n (fun _ x => x)); [exact Ho | apply (is_derive_id (pi o))]. }
  unfold is_partial in *. replace (d - lambda) with (minus d (scal lambda 1)).
  - apply (is_derive_minus _ _ _ _ _ T). apply (is_derive_scal _ _ lambda _ S).
  - unfold minus, plus, opp, scal. simpl. unfold mult. simpl. ring.
Qed.

Lemma sgn_sign : forall x, sgn x = sign x.
Proof.
  intros x. unfold sgn. destruct Rlt_dec; [symmetry; apply sign_eq_1; assumption|].
  destruct Rlt_dec; [symmetry; apply sign_eq_m1; assumption|]. replace x with 0 by lra. symmetry. apply sign_0.
Qed.

(** Two answers with the rewards u and v for certain. *)
Definition two (u v : R) (o : nat) : R := match o with O => u | _ => v end.

(** Every number from -1 to 1 is the margin of some laws of rewards. *)
Lemma with_margin : forall gamma, -1 <= gamma -> gamma <= 1 -> exists rw, are_laws 2 rw /\ margin rw 0 1 = gamma.
Proof.
  intros g H G.
  exists (fun o => match o with O => [((1 + g) / 2, 1); ((1 - g) / 2, -1)] | _ => [(1, 0)] end). split.
  - intros [|o] Ho; split; simpl; try lra; intros w Hw; simpl in Hw.
    + destruct Hw as [<- | [<- | []]]; simpl; lra.
    + destruct Hw as [<- | []]; simpl; lra.
  - unfold margin, wins, law_expect. simpl. repeat (destruct Rlt_dec; try lra).
Qed.

(** The objective of pairs for two answers, written out. *)
Lemma objective_pair : forall rw beta p y z,
  grpo 2 rw 2 beta (binary p) (binary y) (binary z)
  = margin rw 0 1 * (z - y) - beta * (y * k3 z p + (1 - y) * k3 (1 - z) (1 - p)).
Proof.
  intros. unfold grpo, objective. rewrite (vy_eq16 rw z y). unfold kl_0. rewrite expect_binary. reflexivity.
Qed.

Lemma objective_limit : forall r beta p y z,
  grpo_limit 2 (sure r) beta (binary p) (binary y) (binary z)
  = z * limit_preference 2 (sure r) (binary y) 0 + (1 - z) * limit_preference 2 (sure r) (binary y) 1
    - beta * (y * k3 z p + (1 - y) * k3 (1 - z) (1 - p)).
Proof.
  intros. unfold grpo_limit, objective, kl_0. rewrite !expect_binary. reflexivity.
Qed.

(** Rewards for certain: their mean, variance and preference for two answers, written out. *)
Lemma mean_pair : forall u v y, reward_mean 2 (sure (two u v)) (binary y) = y * u + (1 - y) * v.
Proof.
  intros. unfold reward_mean, outcome_expect. rewrite expect_binary. unfold law_expect, sure, two. simpl. ring.
Qed.

Lemma variance_pair : forall u v y, reward_variance 2 (sure (two u v)) (binary y)
  = y * (u - (y * u + (1 - y) * v)) ^ 2 + (1 - y) * (v - (y * u + (1 - y) * v)) ^ 2.
Proof.
  intros. unfold reward_variance, outcome_expect. rewrite expect_binary, mean_pair. unfold law_expect, sure, two. simpl.
  ring.
Qed.

Lemma preference_pair : forall u v y o, limit_preference 2 (sure (two u v)) (binary y) o
  = (two u v o - (y * u + (1 - y) * v))
    / sqrt (y * (u - (y * u + (1 - y) * v)) ^ 2 + (1 - y) * (v - (y * u + (1 - y) * v)) ^ 2).
Proof.
  intros. unfold limit_preference, reward_deviation. rewrite variance_pair, mean_pair.
  unfold expected_reward, law_expect, sure. simpl. f_equal. ring.
Qed.

Lemma variance_written : forall u v y,
  y * (u + - 1 * u * y + - 1 * v * (1 + - 1 * y)) ^ 2 + (v + - 1 * u * y + - 1 * v * (1 + - 1 * y)) ^ 2 * (1 + - 1 * y)
  = y * (u - (y * u + (1 - y) * v)) ^ 2 + (1 - y) * (v - (y * u + (1 - y) * v)) ^ 2.
Proof. intros. ring. Qed.

Lemma variance_positive : forall u v y, 0 < y < 1 -> u <> v ->
  0 < y * (u - (y * u + (1 - y) * v)) ^ 2 + (1 - y) * (v - (y * u + (1 - y) * v)) ^ 2.
Proof.
  intros u v y Hy Hn. replace (y * (u - (y * u + (1 - y) * v)) ^ 2 + (1 - y) * (v - (y * u + (1 - y) * v)) ^ 2)
    with ((u - v) ^ 2 * (y * (1 - y))) by ring.
  apply Rmult_lt_0_compat; [|nra]. assert (u - v <> 0) by lra. assert (0 <= (u - v) ^ 2) by apply pow2_ge_0.
  destruct (Req_dec ((u - v) ^ 2) 0) as [E|]; [|lra]. exfalso. apply (pow_nonzero (u - v) 2); assumption.
Qed.

(** A partial derivative of the objective, from that of the one term that moves. *)
Lemma partial_written : forall n P beta ref old pi o d, (o < n)%nat ->
  is_derive (fun x => x * P o - beta * (old o * k3 x (ref o))) (pi o) d -> is_partial (objective n P beta ref old) pi
    o d.
Proof.
  intros n P beta ref old pi o d Ho H.
  apply (is_partial_ext (fun q => Sum n (fun i => term (P i) beta (old i) (ref i) (q i)))).
  - intros q. symmetry. apply objective_terms.
  - apply (is_partial_Sum n (fun i => term (P i) beta (old i) (ref i))); assumption.
Qed.

(** The slope where the groups are the policy's own, and the preferences that make it one number. *)
Lemma own_partial : forall n P beta ref pi o, (o < n)%nat -> 0 < ref o -> 0 < pi o ->
  is_partial (objective n P beta ref pi) pi o (P o - beta * (1 - ref o / pi o)).
Proof.
  intros n P beta ref pi o Ho A B. apply partial_written; [exact Ho|]. unfold k3. auto_derive.
  - repeat split; try lra. apply Rmult_lt_0_compat; [assumption | apply Rinv_0_lt_compat; assumption].
  - field. lra.
Qed.

Definition solving (beta lam : R) (ref pi : nat -> R) (i : nat) : R := beta + lam + - 1 * beta * / pi i * ref i.

Lemma solving_partial : forall n beta lam ref pi o, (o < n)%nat -> 0 < ref o -> 0 < pi o ->
  is_partial (objective n (solving beta lam ref pi) beta ref pi) pi o lam.
Proof.
  intros n beta lam ref pi o Ho A B. pose proof (own_partial n (solving beta lam ref pi) beta ref pi o Ho A B) as H.
  replace (solving beta lam ref pi o - beta * (1 - ref o / pi o)) with lam in H; [exact H|]. unfold solving. field. lra.
Qed.

Lemma solving_mean : forall n beta lam ref pi, expect n (from_zero pi) (solving beta lam (from_zero ref) (from_zero pi))
  = total (fun j => (beta + lam + - 1 * beta * / pi j * ref j) * pi j) n.
Proof. intros. unfold expect, solving. entrywise. ring. Qed.

(** The root of (14), by beta and gamma and by their quotient. *)
Lemma eq14_over : forall beta gamma p, 0 < gamma -> eq14 (beta / gamma) p
  = 1 / 2 * sqrt (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma) + - (1 / 2) * / gamma *
    (beta + - 1 * gamma).
Proof.
  intros beta gamma p H. unfold eq14.
  replace (/ gamma ^ 2 * (beta + - 1 * gamma) ^ 2 + 4 * beta * p * / gamma)
    with ((1 - beta / gamma) ^ 2 + 4 * (beta / gamma) * p) by (field; lra). field. lra.
Qed.

Lemma eq14_written : forall b p,
  eq14 (b / 1) p = 1 / 2 + 1 / 2 * sqrt ((- 1 + b) ^ 2 + 4 * b * p) + - (1 / 2) * b.
Proof.
  intros b p. unfold eq14. replace ((- 1 + b) ^ 2 + 4 * b * p) with ((1 - b / 1) ^ 2 + 4 * (b / 1) * p) by field. field.
Qed.

(** The success map as statements write it. *)
Lemma success_map_is : forall beta guard p_ref p, success_map beta guard p_ref p
  = / (1 + / p_ref * (1 + - 1 * p_ref) * exp (- 1 * (/ beta * / sqrt (guard + p * (1 + - 1 * p))))).
Proof.
  intros. unfold success_map, Rdiv. rewrite !Rmult_1_l. replace (p * (1 - p) + guard) with (guard + p * (1 + - 1 * p))
    by ring. do 2 f_equal. rewrite (Rmult_comm (/ p_ref)). f_equal; [ring | f_equal; ring].
Qed.

Lemma success_map_written : forall beta guard p_ref p, success_map beta guard p_ref p
  = / (1 + / p_ref * (1 + - 1 * p_ref) * exp (- 1 * / beta * / sqrt (guard + p * (1 + - 1 * p)))).
Proof. intros. rewrite success_map_is, <- Rmult_assoc. reflexivity. Qed.

Lemma success_map_inside : forall beta guard p_ref p, 0 < beta -> 0 < guard -> 0 < p_ref < 1 ->
  0 < success_map beta guard p_ref p < 1.
Proof.
  intros beta guard p_ref p Hb Hg Hp. unfold success_map. set (e := exp _). assert (E : 0 < e) by apply exp_pos.
  assert (Q : 0 < (1 - p_ref) / p_ref * e) by (apply Rmult_lt_0_compat; [apply Rdiv_lt_0_compat; lra | exact E]).
  split; [apply Rdiv_lt_0_compat; lra|].
  apply (Rmult_lt_reg_r (1 + (1 - p_ref) / p_ref * e)); [lra|]. unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l; lra.
Qed.

(** Sums and products of what is not negative, and of what is positive. *)
Ltac at_least :=
  solve
    [ repeat first
        [ assumption
        | lra
        | apply pow2_ge_0
        | apply sqrt_pos
        | apply exp_pos
        | apply Rplus_le_lt_0_compat
        | apply Rplus_le_le_0_compat
        | apply Rmult_lt_0_compat
        | apply Rmult_le_pos
        | apply Rinv_0_lt_compat
        | apply sqrt_lt_R0
        | apply pow_lt
        | apply Rlt_le ] ].

(** The clipped gain of one answer. *)
Lemma clip_written : forall epsilon x, 0 < epsilon -> clamp (1 - epsilon) (1 + epsilon) x
  = if Rlt_dec x (1 + - 1 * epsilon) then 1 + - 1 * epsilon else if Rlt_dec (1 + epsilon) x then 1 + epsilon else x.
Proof.
  intros. unfold clamp. destruct Rlt_dec; [|destruct Rlt_dec].
  - rewrite Rmin_right, Rmax_left by lra. ring.
  - rewrite Rmin_left, Rmax_right by lra. reflexivity.
  - rewrite Rmin_right, Rmax_right by lra. reflexivity.
Qed.

Lemma clipped_written : forall epsilon x y, 0 < epsilon -> clipped epsilon x y = Rmin (y * x)
  (y * (if Rlt_dec x (1 + - 1 * epsilon) then 1 + - 1 * epsilon else if Rlt_dec (1 + epsilon) x then 1 + epsilon else
    x)).
Proof. intros. unfold clipped. rewrite clip_written, !(Rmult_comm y) by assumption. reflexivity. Qed.

Lemma clipped_by_distance : forall e r y a b c d, 0 < e -> a = r * y -> b = 1 - r -> c = r - 1 -> d = r ->
  Rmin a (y * (if Rlt_dec e b then 1 + - 1 * e else if Rlt_dec e c then 1 + e else d)) = clipped e r y.
Proof.
  intros e r y a b c d He -> -> -> ->. rewrite clipped_written by exact He. rewrite (Rmult_comm r y).
  repeat (destruct Rlt_dec; try lra).
Qed.

(** The lower bound of Lemma 1, with the power of the root written out. *)
Lemma bound_written : forall eps p, 0 < eps -> 0 <= p <= 1 -> beta_bound eps p
  = 1 / 2 * p * / sqrt (eps + p * (1 + - 1 * p)) ^ 3 * (1 + - 1 * p) * Rabs (- 1 + 2 * p).
Proof.
  intros eps p He Hp. assert (S : 0 < p * (1 - p) + eps) by nra. unfold beta_bound.
  rewrite Rpower_three_halves by exact S.
  replace (eps + p * (1 + - 1 * p)) with (p * (1 - p) + eps) by ring. replace (- 1 + 2 * p) with (2 * p - 1) by ring.
  assert (W : 0 < sqrt (p * (1 - p) + eps)) by (apply sqrt_lt_R0; exact S).
  pose proof (sqrt_sqrt (p * (1 - p) + eps) ltac:(lra)) as Q. set (w := sqrt _) in *. rewrite <- Q. field. lra.
Qed.


Lemma kl_written : forall n p q, kl n (from_zero p) (from_zero q) = total (fun i => p i * ln (/ q i * p i)) n.
Proof. intros. unfold kl, expect. entrywise. rewrite (Rmult_comm (/ _)). reflexivity. Qed.

Lemma entropy_written : forall n p, entropy n (from_zero p) = total (fun i => - 1 * p i * ln (p i)) n.
Proof. intros. unfold entropy, expect. entrywise. ring. Qed.

Lemma cross_entropy_written : forall n p q,
  cross_entropy n (from_zero p) (from_zero q) = total (fun i => - 1 * p i * ln (q i)) n.
Proof. intros. unfold cross_entropy, expect. entrywise. ring. Qed.

Lemma family_continuous : forall n p q, (forall i, (1 <= i <= n)%nat -> 0 < q i) ->
  absolutely_continuous n (from_zero p) (from_zero q).
Proof.
  intros n p q H o Ho E. pose proof (family_positive q n H o Ho). lra.
Qed.

Lemma partition_written : forall n r beta ref,
  partition n (from_zero r) beta (from_zero ref) = total (fun i => ref i * exp (/ beta * r i)) n.
Proof. intros. unfold partition, expect. entrywise. rewrite (Rmult_comm (/ beta)). reflexivity. Qed.

(** Correct answers, and then wrong ones. *)
Definition hits_first (k : nat) (o : nat) : bool := Nat.ltb o k.
Definition joined (k : nat) (f g : nat -> R) (o : nat) : R := if hits_first k o then f (S o) else g (S (o - k)).

Lemma expect_joined : forall k m f g (F : bool -> R),
  expect (k + m) (joined k f g) (fun o => F (hits_first k o))
  = total (fun i => f i * F true) k + total (fun i => g i * F false) m.
Proof.
  intros. unfold expect. rewrite Sum_shifted, !total_Sum. unfold joined, hits_first.
  f_equal; apply Sum_ext; intros i Hi.
  - replace (Nat.ltb i k) with true by (symmetry; apply Nat.ltb_lt; exact Hi). reflexivity.
  - replace (Nat.ltb (k + i) k) with false by (symmetry; apply Nat.ltb_ge; lia).
    replace (k + i - k)%nat with i by lia. reflexivity.
Qed.

Lemma joined_policy : forall k m f g, (forall i, (1 <= i <= k)%nat -> 0 < f i)
  -> (forall i, (1 <= i <= m)%nat -> 0 < g i) ->
  total f k + total g m = 1 -> policy (k + m) (joined k f g).
Proof.
  intros k m f g Hf Hg H. split.
  - intros o Ho. unfold joined, hits_first. destruct (Nat.ltb_spec o k); apply Rlt_le; [apply Hf | apply Hg]; lia.
  - pose proof (expect_joined k m f g (fun _ => 1)) as E.
    unfold expect in E. rewrite (Sum_ext _ _ (joined k f g)) in E by (intros; ring). rewrite E.
    transitivity (total f k + total g m); [f_equal; apply total_ext; intros; ring | exact H].
Qed.

Lemma joined_success : forall k m f g, success (k + m) (hits_first k) (joined k f g) = total f k.
Proof.
  intros. unfold success. rewrite (expect_joined k m f g indicator). unfold indicator.
  rewrite (total_ext (fun i => f i * 1) f), (total_ext (fun i => g i * 0) (fun _ => 0)) by (intros; ring).
  rewrite (total_Sum (fun _ => 0)), Sum_zero by reflexivity. ring.
Qed.

(** One question. *)
Lemma expect_once : forall F, expect 1 (fun _ => 1) F = F 0%nat.
Proof. intros. unfold expect. simpl. ring. Qed.

Lemma joined_scores : forall k m f g f_old g_old guard s, total f_old k = s ->
  expect 1 (fun _ => 1) (fun _ => expect (k + m) (joined k f g) (fun o =>
    (indicator (hits_first k o) - expect (k + m) (joined k f_old g_old) (fun i => indicator (hits_first k i))) /
    sqrt (expect (k + m) (joined k f_old g_old) (fun i =>
      (indicator (hits_first k i) - expect (k + m) (joined k f_old g_old) (fun j => indicator (hits_first k j))) ^ 2)
        + guard)))
  = total (fun j => / sqrt (guard + total (fun j => s ^ 2 * g_old j) m + total (fun j => (1 + - 1 * s) ^ 2 * f_old j) k)
      * (- 1 * total (fun _ => 0) m + - 1 * total (fun j => f_old j) k) * g j) m
    + total (fun j => / sqrt (guard + total (fun j => s ^ 2 * g_old j) m + total (fun j => (1 + - 1 * s) ^ 2 * f_old
      j) k)
      * (1 + - 1 * total (fun _ => 0) m + - 1 * total (fun j => f_old j) k) * f j) k.
Proof.
  intros k m f g f_old g_old guard s H. rewrite expect_once.
  change (expect (k + m) (joined k f_old g_old) (fun i => indicator (hits_first k i)))
    with (success (k + m) (hits_first k) (joined k f_old g_old)).
  rewrite joined_success, H. rewrite (expect_joined k m f_old g_old (fun c => (indicator c - s) ^ 2)).
  assert (V : total (fun i => f_old i * (indicator true - s) ^ 2) k + total (fun i => g_old i * (indicator false - s)
    ^ 2) m
    + guard = guard + total (fun j => s ^ 2 * g_old j) m + total (fun j => (1 + - 1 * s) ^ 2 * f_old j) k).
  { rewrite (total_ext (fun i => f_old i * _) (fun j => (1 + - 1 * s) ^ 2 * f_old j)) by (intros; simpl; ring).
    rewrite (total_ext (fun i => g_old i * _) (fun j => s ^ 2 * g_old j)) by (intros; simpl; ring). ring. }
  rewrite V. set (w := sqrt _). rewrite (expect_joined k m f g (fun c => (indicator c - s) / w)), Rplus_comm.
  assert (Z : total (fun _ => 0) m = 0) by (rewrite total_Sum; apply Sum_zero; reflexivity).
  change (fun j => f_old j) with f_old. rewrite Z, H. f_equal; apply total_ext; intros; simpl; unfold Rdiv; ring.
Qed.

(** A group is a list of numbers. *)
Definition group (r : nat -> R) (n : nat) : list R := map r (seq 1 n).

Lemma group_length : forall r n, length (group r n) = n.
Proof. intros. unfold group. rewrite map_length, seq_length. reflexivity. Qed.

Lemma group_member : forall r n i, (1 <= i <= n)%nat -> In (r i) (group r n).
Proof. intros r n i H. apply in_map, in_seq. lia. Qed.

Lemma group_sum : forall f r n, list_sum (map f (group r n)) = total (fun i => f (r i)) n.
Proof.
  intros f r n. unfold group. rewrite map_map. induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, map_app, list_sum_app, IH. simpl. ring.
Qed.

Lemma group_total : forall r n, list_sum (group r n) = total r n.
Proof. intros. rewrite <- (map_id (group r n)). apply group_sum. Qed.

Lemma group_mean : forall r n, mean (group r n) = / INR n * total r n.
Proof. intros. unfold mean. rewrite group_total, group_length. unfold Rdiv. ring. Qed.

Lemma group_image : forall f r n, map f (group r n) = group (fun i => f (r i)) n.
Proof. intros. unfold group. apply map_map. Qed.

Lemma group_deviation : forall r n,
  deviation (group r n) = sqrt (/ INR n * total (fun j => (- 1 * / INR n * total r n + r j) ^ 2) n).
Proof.
  intros. unfold deviation. rewrite group_mean, group_image, group_mean. do 2 f_equal. apply total_ext. intros. ring.
Qed.

(** The reward that DPO reads off the best policy. *)
Lemma implicit_written : forall n r beta ref i, (1 <= i <= n)%nat -> (forall i, (1 <= i <= n)%nat -> 0 < ref i) ->
  implicit_reward beta (tilted n (from_zero r) beta (from_zero ref)) (from_zero ref) (pred i)
  = beta * ln (/ total (fun i => ref i * exp (/ beta * r i)) n * exp (/ beta * r i)).
Proof.
  intros n r beta ref [|i] Hi H; [lia|]. unfold implicit_reward, tilted. rewrite partition_written.
  do 2 f_equal. unfold from_zero, Rdiv. simpl pred. rewrite (Rmult_comm (r (S i))). specialize (H (S i) Hi).
  rewrite (Rmult_comm (ref (S i) * _)), Rmult_assoc. f_equal. field. lra.
Qed.

Lemma grape_reward_written : forall n omega phi tau,
  grape_reward n (from_zero omega) (from_zero phi) (from_zero tau)
  = INR n * / total phi n * total (fun j => omega j * phi j * tau j) n.
Proof.
  intros. unfold grape_reward, Rdiv. rewrite Rmult_assoc, (Rmult_comm (Sum _ _)), <- Rmult_assoc, total_Sum. f_equal.
  entrywise. ring.
Qed.

Lemma grape_factor_written : forall n omega phi,
  grape_factor n (from_zero omega) (from_zero phi) = total (fun j => INR n * / total phi n * omega j * phi j) n.
Proof.
  intros. unfold grape_factor, Rdiv. rewrite Rmult_assoc, (Rmult_comm (Sum _ _)), <- Rmult_assoc.
  rewrite total_Sum, <- Sum_scal. rewrite <- total_Sum. entrywise. ring.
Qed.

Lemma grape_average_written : forall n omega phi tau,
  grape_average n (from_zero omega) (from_zero phi) (from_zero tau)
  = / total (fun j => omega j * phi j) n * total (fun j => omega j * phi j * tau j) n.
Proof. intros. unfold grape_average, Rdiv. rewrite Rmult_comm, !total_Sum. reflexivity. Qed.

(** That a statement is defined, condition by condition, before what it says. *)
Ltac defined := repeat (split;
  [intros; first [at_least | apply Rgt_not_eq; unfold Rgt; at_least | solve [apply Rabs_no_R0; lra]
  | solve [meaningful]] |]).

(** Hypotheses of theorems: bounds of numbers, two by two. *)
Ltac bounds := repeat split; first [assumption | lra].

Lemma complement : forall x, 1 + - 1 * x = 1 - x.
Proof. intros. ring. Qed.

(** What holds at every probability strictly between 0 and 1 holds near one. *)
Ltac inside := match goal with |- locally ?x _ => apply (locally_interval _ x 0 1); simpl; [lra | lra |] end;
  intros ? ? ?; simpl in *.

(** Two derivatives of one function in one point are equal: T has one of them, the left side of the goal is shown to be
    the other, of the function as it is written out by E. *)
Ltac same_slope T E :=
  match type of T with is_derive ?F ?x ?d =>
    match goal with |- ?A = ?B =>
      let H := fresh in
      assert (H : is_derive F x A);
      [ eapply is_derive_ext; [intros; symmetry; apply E | unfold k3; auto_derive] |
        apply is_derive_unique in T; apply is_derive_unique in H; rewrite H in T; rewrite T; clear T H ]
    end
  end.
