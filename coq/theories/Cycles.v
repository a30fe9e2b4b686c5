(** Iterations that end in a cycle: a map that sends intervals one into the next, and the last back into one of them. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules.
Open Scope R_scope.

(** c_0 ... c_(k-1) *)
Fixpoint product (k : nat) (c : nat -> R) : R :=
  match k with
  | O => 1
  | S j => product j c * c j
  end.

Definition repeated (k : nat) (f : R -> R) (y : R) : R := Nat.iter k f y.

Lemma product_not_negative : forall k c, (forall i, (i < k)%nat -> 0 <= c i) -> 0 <= product k c.
Proof.
  induction k as [|k IH]; intros c Hc; simpl; [lra|].
  apply Rmult_le_pos; [apply IH; intros i Hi; apply Hc; lia | apply Hc; lia].
Qed.

Lemma repeated_member : forall f x, iteration f x -> forall i n, x (n + i)%nat = repeated i f (x n).
Proof.
  intros f x Hx i n. induction i as [|i IH].
  - rewrite Nat.add_0_r. reflexivity.
  - rewrite Nat.add_succ_r, Hx, IH. reflexivity.
Qed.

Lemma repeated_within : forall f (lo hi : nat -> R) (start steps : nat),
  (forall i y, (start <= i < start + steps)%nat -> lo i <= y <= hi i -> lo (S i) <= f y <= hi (S i)) ->
  forall i y, (i <= steps)%nat -> lo start <= y <= hi start ->
    lo (start + i)%nat <= repeated i f y <= hi (start + i)%nat.
Proof.
  intros f lo hi start steps Hstep. induction i as [|i IH]; intros y Hi Hy.
  - rewrite Nat.add_0_r. exact Hy.
  - rewrite Nat.add_succ_r. apply (Hstep (start + i)%nat (repeated i f y)); [lia|]. apply IH; [lia | exact Hy].
Qed.

Lemma repeated_lipschitz : forall f (lo hi c : nat -> R) (start steps : nat),
  (forall i y, (start <= i < start + steps)%nat -> lo i <= y <= hi i -> lo (S i) <= f y <= hi (S i)) ->
  (forall i, (i < steps)%nat -> 0 <= c i /\
    lipschitz_on (closed_interval (lo (start + i)%nat) (hi (start + i)%nat)) (c i) f) ->
  forall i, (i <= steps)%nat -> lipschitz_on (closed_interval (lo start) (hi start)) (product i c) (repeated i f).
Proof.
  intros f lo hi c start steps Hstep Hc. induction i as [|i IH]; intros Hi y z Hy Hz.
  - simpl. rewrite Rmult_1_l. apply Rle_refl.
  - destruct (Hc i ltac:(lia)) as [Hpos Hlip]. simpl product.
    eapply Rle_trans.
    + apply (Hlip (repeated i f y) (repeated i f z));
        apply (repeated_within f lo hi start steps Hstep); try assumption; lia.
    + rewrite (Rmult_comm (product i c)), Rmult_assoc. apply Rmult_le_compat_l; [exact Hpos|].
      apply IH; [lia | exact Hy | exact Hz].
Qed.

Theorem intervals_sent_around_hold_a_cycle :
  forall (f : R -> R) (lo hi c : nat -> R) (m k : nat) (x : nat -> R), (0 < k)%nat ->
  (forall i y, (i < m + k)%nat -> lo i <= y <= hi i -> lo (S i) <= f y <= hi (S i)) ->
  lo (m + k)%nat = lo m -> hi (m + k)%nat = hi m ->
  (forall i, (i < k)%nat -> 0 <= c i /\ lipschitz_on (closed_interval (lo (m + i)%nat) (hi (m + i)%nat)) (c i) f) ->
  (forall i j, (i < j < k)%nat -> hi (m + i)%nat < lo (m + j)%nat \/ hi (m + j)%nat < lo (m + i)%nat) ->
  product k c < 1 -> lo 0%nat <= x 0%nat <= hi 0%nat -> iteration f x ->
  exists q : nat -> R,
    (forall i, (i < k)%nat -> lo (m + i)%nat <= q i <= hi (m + i)%nat /\ f (q i) = q (S i)) /\ q k = q 0%nat /\
    (forall i j, (i < j < k)%nat -> q i <> q j) /\
    (forall y, lo m <= y <= hi m -> repeated k f y = y -> y = q 0%nat) /\
    forall i, (i < k)%nat -> converges_to (fun n => x (m + n * k + i)%nat) (q i).
Proof.
  intros f lo hi c m k x Hk Hstep Hlo Hhi Hc Hapart Hprod Hx0 Hx.
  assert (Hin : forall i y, (m <= i < m + k)%nat -> lo i <= y <= hi i -> lo (S i) <= f y <= hi (S i))
    by (intros i y Hi; apply Hstep; lia).
  assert (Hxm : lo m <= x m <= hi m).
  { pose proof (repeated_within f lo hi 0 m ltac:(intros i y Hi; apply Hstep; lia) m (x 0%nat) ltac:(lia) Hx0) as W.
    rewrite <- (repeated_member f x Hx) in W. exact W. }
  assert (Hself : forall y, lo m <= y <= hi m -> lo m <= repeated k f y <= hi m).
  { intros y Hy. pose proof (repeated_within f lo hi m k Hin k y ltac:(lia) Hy) as W. rewrite Hlo, Hhi in W. exact W. }
  destruct (contraction_converges (repeated k f) (lo m) (hi m) (product k c)) as [p [[Hp Hfix] [Honly Hconv]]].
  - lra.
  - split; [|exact Hprod]. apply product_not_negative. intros i Hi. apply Hc, Hi.
  - apply (repeated_lipschitz f lo hi c m k Hin Hc). lia.
  - exact Hself.
  - assert (Hq : forall i, (i < k)%nat -> lo (m + i)%nat <= repeated i f p <= hi (m + i)%nat).
    { intros i Hi. apply (repeated_within f lo hi m k Hin); [lia | exact Hp]. }
    exists (fun i => repeated i f p). split; [|split; [|split; [|split]]].
    + intros i Hi. split; [exact (Hq i Hi) | reflexivity].
    + exact Hfix.
    + intros i j Hij. pose proof (Hq i ltac:(lia)). pose proof (Hq j ltac:(lia)).
      destruct (Hapart i j Hij); lra.
    + exact Honly.
    + intros i Hi.
      assert (Hmembers : forall n, lo m <= x (m + n * k)%nat <= hi m).
      { induction n as [|n IH]; [rewrite Nat.mul_0_l, Nat.add_0_r; exact Hxm|].
        replace (m + S n * k)%nat with (m + n * k + k)%nat by lia.
        rewrite (repeated_member f x Hx). apply Hself, IH. }
      destruct (Hconv (fun n => x (m + n * k)%nat)) as [_ Hlim].
      { rewrite Nat.mul_0_l, Nat.add_0_r. exact Hxm. }
      { intro n. replace (m + S n * k)%nat with (m + n * k + k)%nat by lia. apply (repeated_member f x Hx). }
      assert (Hpi : 0 <= product i c) by (apply product_not_negative; intros j Hj; apply Hc; lia).
      apply converges_to_eps. intros eps Heps. rewrite converges_to_eps in Hlim.
      destruct (Hlim (eps / (1 + product i c)) ltac:(apply Rdiv_lt_0_compat; lra)) as [N HN].
      exists N. intros n Hn. specialize (HN n Hn). rewrite (repeated_member f x Hx).
      eapply Rle_lt_trans.
      * apply (repeated_lipschitz f lo hi c m k Hin Hc i ltac:(lia)); [exact Hp | apply Hmembers].
      * apply Rle_lt_trans with (product i c * (eps / (1 + product i c))).
        { apply Rmult_le_compat_l; [exact Hpi | apply Rlt_le, HN]. }
        apply Rlt_le_trans with ((1 + product i c) * (eps / (1 + product i c))).
        { apply Rmult_lt_compat_r; [|lra]. apply Rdiv_lt_0_compat; lra. }
        right. field. lra.
Qed.

(** The same of intervals that are numbered from 1: those by which the iteration enters, and those of the cycle. *)
Theorem intervals_entered_and_sent_around_hold_a_cycle :
  forall (f : R -> R) (g h d w c : nat -> R) (m n : nat) (x : nat -> R), (1 <= n)%nat ->
  (forall i, (1 <= i <= m)%nat -> (i <= 1)%nat -> g i <= x 0%nat <= h i) ->
  (forall i, (1 <= i <= n)%nat -> (m < 1)%nat -> (i <= 1)%nat -> d i <= x 0%nat <= w i) ->
  (forall i, (1 <= i <= n)%nat -> forall j, (1 <= j <= n)%nat -> (i < j)%nat -> w i < d j \/ w j < d i) ->
  (forall i, (1 <= i <= m)%nat -> forall j, (1 <= j <= m)%nat -> forall y, g i <= y -> y <= h i -> j = (1 + i)%nat ->
    g j <= f y <= h j) ->
  (forall j, (1 <= j <= n)%nat -> forall i, (1 <= i <= m)%nat -> forall y, g i <= y -> y <= h i -> (m <= i)%nat ->
    (j <= 1)%nat -> d j <= f y <= w j) ->
  (forall i, (1 <= i <= n)%nat -> forall j, (1 <= j <= n)%nat -> forall y, d i <= y -> y <= w i -> j = (1 + i)%nat ->
    d j <= f y <= w j) ->
  (forall i, (1 <= i <= n)%nat -> forall j, (1 <= j <= n)%nat -> forall y, d i <= y -> y <= w i -> (n <= i)%nat ->
    (j <= 1)%nat -> d j <= f y <= w j) ->
  (forall i, (1 <= i <= n)%nat -> lipschitz_on (fun y => d i <= y /\ y <= w i) (c i) f) ->
  (forall i, (1 <= i <= n)%nat -> 0 <= c i) -> product n (fun i => c (S i)) < 1 -> iteration f x ->
  exists q : nat -> R,
    (forall i, (1 <= i <= n)%nat -> d i <= q i <= w i) /\ (forall i, (1 <= i < n)%nat -> f (q i) = q (S i)) /\
    f (q n) = q 1%nat /\ (forall i j, (1 <= i < j)%nat -> (j <= n)%nat -> q i <> q j) /\
    (forall y, d 1%nat <= y <= w 1%nat -> Nat.iter n f y = y -> y = q 1%nat) /\
    forall i, (1 <= i <= n)%nat -> converges_to (fun k => x (m + k * n + (i - 1))%nat) (q i).
Proof.
  intros f g h d w c m n x Hn H2 H3 H4 H5 H6 H7 H8 H9 H10 H11 Hx.
  set (place := fun (before around : nat -> R) i =>
    if Nat.ltb i m then before (S i) else if Nat.ltb i (m + n) then around (S (i - m)) else around 1%nat).
  assert (P0 : forall a b i, (i < m)%nat -> place a b i = a (S i)).
  { intros a b i Hi. unfold place. destruct (Nat.ltb_spec i m); [reflexivity | lia]. }
  assert (P1 : forall a b i, (i < n)%nat -> place a b (m + i)%nat = b (S i)).
  { intros a b i Hi. unfold place. destruct (Nat.ltb_spec (m + i) m); [lia |].
    destruct (Nat.ltb_spec (m + i) (m + n)); [| lia]. f_equal. lia. }
  assert (P2 : forall a b, place a b (m + n)%nat = b 1%nat).
  { intros a b. unfold place. destruct (Nat.ltb_spec (m + n) m); [lia |].
    destruct (Nat.ltb_spec (m + n) (m + n)); [lia | reflexivity]. }
  assert (P3 : forall a b, place a b m = b 1%nat).
  { intros a b. rewrite <- (Nat.add_0_r m) at 1. apply P1. lia. }
  destruct (intervals_sent_around_hold_a_cycle f (place g d) (place h w) (fun i => c (S i)) m n x)
    as [q [Q1 [Q2 [Q3 [Q4 Q5]]]]]; try assumption; try lia.
  - intros i y Hi. destruct (Nat.lt_ge_cases i m) as [Him | Him].
    + rewrite !P0 by exact Him. intro Hy. destruct (Nat.eq_dec (S i) m) as [E | E].
      * rewrite E, !P3. apply (H6 1%nat ltac:(lia) (S i)); try lia; apply Hy.
      * rewrite !P0 by lia. apply (H5 (S i)); try lia; apply Hy.
    + replace i with (m + (i - m))%nat by lia. rewrite !P1 by lia. intro Hy.
      destruct (Nat.eq_dec (S (i - m)) n) as [E | E].
      * replace (S (m + (i - m))) with (m + n)%nat by lia. rewrite !P2. apply (H8 (S (i - m))); try lia; apply Hy.
      * replace (S (m + (i - m))) with (m + S (i - m))%nat by lia. rewrite !P1 by lia.
        apply (H7 (S (i - m))); try lia; apply Hy.
  - rewrite P2, P3. reflexivity.
  - rewrite P2, P3. reflexivity.
  - intros i Hi. rewrite !P1 by exact Hi. split; [apply H10; lia |]. apply H9. lia.
  - intros i j Hij. rewrite !P1 by lia. apply H4; lia.
  - destruct (Nat.eq_dec m 0) as [E | E].
    + assert (P4 : forall a b, place a b 0%nat = b 1%nat) by (intros a b; rewrite <- E at 1; apply P3).
      rewrite !P4. apply H3; lia.
    + rewrite !P0 by lia. apply H2; lia.
  - exists (fun i => q (i - 1)%nat). repeat split.
    + destruct (Q1 (i - 1)%nat ltac:(lia)) as [B _]. rewrite !P1 in B by lia.
      replace (S (i - 1)) with i in B by lia. tauto.
    + destruct (Q1 (i - 1)%nat ltac:(lia)) as [B _]. rewrite !P1 in B by lia.
      replace (S (i - 1)) with i in B by lia. tauto.
    + intros i Hi. destruct (Q1 (i - 1)%nat ltac:(lia)) as [_ B]. rewrite B. f_equal. lia.
    + destruct (Q1 (n - 1)%nat ltac:(lia)) as [_ B]. rewrite B. replace (S (n - 1)) with n by lia. exact Q2.
    + intros i j Hij Hj. apply Q3. lia.
    + intros y Hy Ey. apply Q4; [rewrite !P3; exact Hy | exact Ey].
    + intros i Hi. apply Q5. lia.
Qed.
