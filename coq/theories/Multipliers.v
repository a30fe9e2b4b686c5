(** * Maxima over all policies, those that give up answers included

    The objective is a sum of functions of one probability each, continued to the probability 0.  With a multiplier of
    the constraint, every answer may be looked at alone. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Rules Sentences.

Open Scope R_scope.

(** What one probability loses against the best one, given the multiplier.  Only no probability at all might lose
    nothing as well. *)
Lemma loss_of_a_probability : forall (phi : R -> R) (x lam y : R), filterlim phi (at_right 0) (locally (phi 0)) ->
  0 < x -> (forall z, 0 < z -> z <> x -> phi z - lam * z < phi x - lam * x) -> 0 <= y ->
  0 <= (phi x - lam * x) - (phi y - lam * y) /\
  ((phi x - lam * x) - (phi y - lam * y) = 0 -> y <= x) /\ (y = x -> (phi x - lam * x) - (phi y - lam * y) = 0).
Proof.
  intros phi x lam y Hlim Hx Hbest Hy. split; [| split; [| intros ->; ring]].
  - destruct Hy as [Hy | <-].
    + destruct (Req_dec y x) as [-> | Hne]; [lra | specialize (Hbest y Hy Hne); lra].
    + destruct (Rle_or_lt (phi 0) (phi x - lam * x)) as [H | H]; [lra|]. exfalso.
      set (e := (phi 0 - (phi x - lam * x)) / 2). assert (He : 0 < e) by (unfold e; lra).
      destruct (proj1 (filterlim_locally phi (phi 0)) Hlim (mkposreal e He)) as [r Hr].
      pose proof (cond_pos r). pose proof (Rabs_pos lam). pose proof (Rle_abs lam).
      assert (Hb : 0 < e / (Rabs lam + 1)) by (apply Rdiv_lt_0_compat; lra).
      set (z := Rmin (r / 2) (Rmin (x / 2) (e / (Rabs lam + 1)))).
      assert (Hz : 0 < z) by (unfold z; repeat apply Rmin_glb_lt; lra).
      assert (Hzr : z <= r / 2) by apply Rmin_l.
      assert (Hzx : z <= x / 2) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_l]).
      assert (Hze : z <= e / (Rabs lam + 1)) by (eapply Rle_trans; [apply Rmin_r | apply Rmin_r]).
      assert (Hle : lam * z <= e).
      { apply Rle_trans with ((Rabs lam + 1) * z); [apply Rmult_le_compat_r; lra|].
        apply Rle_trans with ((Rabs lam + 1) * (e / (Rabs lam + 1)));
          [apply Rmult_le_compat_l; lra | right; field; lra]. }
      assert (Hnear : Rabs (phi z - phi 0) < e).
      { apply (Hr z); [|exact Hz]. change (Rabs (z - 0) < r). rewrite Rminus_0_r, Rabs_pos_eq; lra. }
      apply Rabs_def2 in Hnear. specialize (Hbest z Hz ltac:(lra)). unfold e in *. lra.
  - intro H. destruct Hy as [Hy | <-]; [|lra].
    destruct (Req_dec y x) as [-> | Hne]; [lra | specialize (Hbest y Hy Hne); lra].
Qed.

Theorem multiplier_makes_the_only_maximum : forall (m : nat) (n : nat -> nat) (phi : nat -> nat -> R -> R)
    (x : nat -> nat -> R) (lam : R),
  (forall j i, (j < m)%nat -> (i < n j)%nat -> filterlim (phi j i) (at_right 0) (locally (phi j i 0))) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 < x j i) -> Sum m (fun j => Sum (n j) (x j)) = 1 ->
  (forall j i z, (j < m)%nat -> (i < n j)%nat -> 0 < z -> z <> x j i ->
    phi j i z - lam * z < phi j i (x j i) - lam * x j i) ->
  forall y, (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= y j i) -> Sum m (fun j => Sum (n j) (y j)) = 1 ->
  let J y := Sum m (fun j => Sum (n j) (fun i => phi j i (y j i))) in
  J y <= J x /\ (J x = J y <-> forall j i, (j < m)%nat -> (i < n j)%nat -> y j i = x j i).
Proof.
  intros m n phi x lam Hlim Hx Hsum Hbest y Hy Hone J.
  set (d := fun j i => (phi j i (x j i) - lam * x j i) - (phi j i (y j i) - lam * y j i)).
  assert (Hd : forall j i, (j < m)%nat -> (i < n j)%nat ->
    0 <= d j i /\ (d j i = 0 -> y j i <= x j i) /\ (y j i = x j i -> d j i = 0)).
  { intros j i Hj Hi. apply loss_of_a_probability; auto. }
  assert (Hgap : J x - J y = Sum m (fun j => Sum (n j) (d j))).
  { unfold J. rewrite (Sum_ext m (fun j => Sum (n j) (d j))
      (fun j => (Sum (n j) (fun i => phi j i (x j i)) - lam * Sum (n j) (x j))
        - (Sum (n j) (fun i => phi j i (y j i)) - lam * Sum (n j) (y j)))).
    - rewrite !Sum_minus, !Sum_scal, Hsum, Hone. ring.
    - intros j _. unfold d. rewrite !Sum_minus, !Sum_scal. reflexivity. }
  assert (Hrow : forall j, (j < m)%nat -> 0 <= Sum (n j) (d j))
    by (intros j Hj; apply Sum_nonneg; intros; apply Hd; auto).
  pose proof (Sum_nonneg m _ Hrow) as Hall. split; [lra | split].
  - intro E.
    assert (Hz : forall j i, (j < m)%nat -> (i < n j)%nat -> d j i = 0).
    { intros j i Hj Hi. apply (Sum_eq_0 (n j) (d j)); [intros; apply Hd; auto | | exact Hi].
      apply (Sum_eq_0 m (fun j => Sum (n j) (d j)) Hrow); [lra | exact Hj]. }
    assert (Hle : forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= x j i - y j i).
    { intros j i Hj Hi. pose proof (proj1 (proj2 (Hd j i Hj Hi)) (Hz j i Hj Hi)). lra. }
    intros j i Hj Hi. assert (x j i - y j i = 0); [|lra].
    apply (Sum_eq_0 (n j) (fun i => x j i - y j i)); [intros; apply Hle; auto | | exact Hi].
    apply (Sum_eq_0 m (fun j => Sum (n j) (fun i => x j i - y j i))); [| | exact Hj].
    + intros k Hk. apply Sum_nonneg. intros; apply Hle; auto.
    + rewrite (Sum_ext m _ (fun j => Sum (n j) (x j) - Sum (n j) (y j))) by (intros; apply Sum_minus).
      rewrite Sum_minus, Hsum, Hone. ring.
  - intro E. assert (Sum m (fun j => Sum (n j) (d j)) = 0); [|lra].
    apply Sum_zero. intros j Hj. apply Sum_zero. intros i Hi. apply Hd; auto.
Qed.

(** ** Countably many answers *)

(** Partial sums of numbers that are not negative converge or grow beyond all bounds. *)
Lemma positive_series_settles : forall (d : nat -> R), (forall i, 0 <= d i) ->
  (exists s, converges_to (fun N => Sum N d) s) \/ is_lim_seq (fun N => Sum N d) p_infty.
Proof.
  intros d Hd. assert (Hup : forall N, Sum N d <= Sum (S N) d) by (intro N; simpl; specialize (Hd N); lra).
  destruct (ex_lim_seq_incr _ Hup) as [[s | |] Hs].
  - left. exists s. exact Hs.
  - right. exact Hs.
  - exfalso. apply (is_lim_seq_le (fun _ => 0) _ 0 m_infty) in Hs; [exact Hs | | apply is_lim_seq_const].
    intro N. apply Sum_nonneg. intros i _. apply Hd.
Qed.

Lemma positive_series_above_its_terms : forall (d : nat -> R) (s : R) (k : nat), (forall i, 0 <= d i) ->
  converges_to (fun N => Sum N d) s -> d k <= s.
Proof.
  intros d s k Hd Hs.
  assert (H : Sum (S k) d <= s) by (apply (is_lim_seq_incr_compare _ s Hs); intro N; simpl; specialize (Hd N); lra).
  pose proof (Sum_nonneg k d (fun i _ => Hd i)). simpl in H. lra.
Qed.

Theorem multiplier_makes_the_only_maximum_of_countably_many : forall (phi : nat -> R -> R) (x : nat -> R)
    (lam value : R),
  (forall k, filterlim (phi k) (at_right 0) (locally (phi k 0))) ->
  (forall k, 0 < x k) -> converges_to (fun N => Sum N x) 1 ->
  (forall k z, 0 < z -> z <> x k -> phi k z - lam * z < phi k (x k) - lam * x k) ->
  (forall k, phi k (x k) = value * x k) ->
  let J y N := Sum N (fun k => phi k (y k)) in
  converges_to (J x) value /\
  forall y, (forall k, 0 <= y k) -> converges_to (fun N => Sum N y) 1 ->
    is_lim_seq (J y) m_infty \/
    exists l, converges_to (J y) l /\ l <= value /\ (l = value <-> forall k, y k = x k).
Proof.
  intros phi x lam value Hlim Hx Hsum Hbest Hvalue J.
  assert (HJx : forall N, J x N = value * Sum N x).
  { intro N. unfold J. rewrite <- Sum_scal. apply Sum_ext. intros k _. apply Hvalue. }
  split.
  - apply (is_lim_seq_ext (fun N => value * Sum N x)); [intro N; symmetry; apply HJx|].
    replace (Finite value) with (Rbar_mult value 1) by (simpl; f_equal; ring). apply is_lim_seq_scal_l, Hsum.
  - intros y Hy Hone. set (d := fun k => (phi k (x k) - lam * x k) - (phi k (y k) - lam * y k)).
    assert (Hd : forall k, 0 <= d k /\ (d k = 0 -> y k <= x k) /\ (y k = x k -> d k = 0)).
    { intro k. apply loss_of_a_probability; auto. }
    assert (HJy : forall N, J y N = value * Sum N x - lam * (Sum N x - Sum N y) - Sum N d).
    { intro N. rewrite <- HJx. unfold J, d. rewrite !Sum_minus, !Sum_scal. ring. }
    assert (Hhead : converges_to (fun N => value * Sum N x - lam * (Sum N x - Sum N y)) value).
    { assert (H : converges_to (fun N => value * Sum N x - lam * (Sum N x - Sum N y)) (value * 1 - lam * (1 - 1))).
      { apply (is_lim_seq_minus' _ _ (value * 1) (lam * (1 - 1))).
        - apply (is_lim_seq_scal_l _ value (Finite 1)), Hsum.
        - apply (is_lim_seq_scal_l _ lam (Finite (1 - 1))), is_lim_seq_minus'; assumption. }
      replace (value * 1 - lam * (1 - 1)) with value in H by ring. exact H. }
    destruct (positive_series_settles d (fun k => proj1 (Hd k))) as [[s Hs] | Hinf].
    + right. exists (value - s). split; [|split].
      * apply (is_lim_seq_ext (fun N => value * Sum N x - lam * (Sum N x - Sum N y) - Sum N d));
          [intro N; symmetry; apply HJy | apply is_lim_seq_minus'; assumption].
      * pose proof (positive_series_above_its_terms d s 0 (fun k => proj1 (Hd k)) Hs). pose proof (proj1 (Hd O)). lra.
      * split.
        -- intro E.
           assert (Hle : forall k, 0 <= x k - y k).
           { intro k. pose proof (positive_series_above_its_terms d s k (fun i => proj1 (Hd i)) Hs).
             destruct (Hd k) as [H0 [H1 _]]. assert (d k = 0) by lra. specialize (H1 H2). lra. }
           assert (H0 : converges_to (fun N => Sum N (fun k => x k - y k)) 0).
           { apply (is_lim_seq_ext (fun N => Sum N x - Sum N y)); [intro N; symmetry; apply Sum_minus|].
             replace 0 with (1 - 1) by ring. apply is_lim_seq_minus'; assumption. }
           intro k. pose proof (positive_series_above_its_terms _ 0 k Hle H0) as H. cbv beta in H. specialize (Hle k).
           lra.
        -- intro E. assert (s = 0); [|lra].
           assert (H0 : converges_to (fun N => Sum N d) 0).
           { apply (is_lim_seq_ext (fun _ => 0)); [|apply is_lim_seq_const]. intro N. symmetry. apply Sum_zero.
             intros k _. apply (Hd k), E. }
           apply is_lim_seq_unique in Hs. apply is_lim_seq_unique in H0. rewrite Hs in H0. inversion H0. reflexivity.
    + left. apply (is_lim_seq_ext (fun N => value * Sum N x - lam * (Sum N x - Sum N y) - Sum N d));
        [intro N; symmetry; apply HJy|].
      apply (is_lim_seq_minus _ _ (Finite value) p_infty m_infty Hhead Hinf). reflexivity.
Qed.

(** ** Answers of one kind, or of two, numbered from 1 *)

(** What an answer of probability y adds: [f y], or [z] where it is given up. *)
Definition adds (z : R) (f : R -> R) (y : R) : R := if Req_EM_T y 0 then z else f y.

Lemma adds_at_0 : forall z f, adds z f 0 = z.
Proof. intros z f. unfold adds. destruct (Req_EM_T 0 0); [reflexivity | contradiction]. Qed.

Lemma adds_above : forall z f y, 0 < y -> adds z f y = f y.
Proof. intros z f y Hy. unfold adds. destruct (Req_EM_T y 0); [lra | reflexivity]. Qed.

Lemma adds_tends : forall z f, filterlim f (at_right 0) (locally z) ->
  filterlim (adds z f) (at_right 0) (locally (adds z f 0)).
Proof.
  intros z f Hf. rewrite adds_at_0. apply filterlim_ext_loc with f; [| exact Hf].
  exists (mkposreal 1 Rlt_0_1). intros y _ Hy. symmetry. apply adds_above, Hy.
Qed.

Theorem one_multiplier_for_two_kinds_of_answers :
  forall (n m : nat) (f f2 : nat -> R -> R) (g h g2 h2 : nat -> R) (d d2 : nat -> R -> R) (k : R),
  Sum n (fun i => h (S i)) + Sum m (fun i => h2 (S i)) = 1 ->
  (forall i, (1 <= i <= n)%nat -> 0 < h i) -> (forall i, (1 <= i <= m)%nat -> 0 < h2 i) ->
  (forall i, (1 <= i <= n)%nat -> forall x, 0 < x -> f i (h i) - k * h i - f i x + k * x = d i x) ->
  (forall i, (1 <= i <= m)%nat -> forall x, 0 < x -> f2 i (h2 i) - k * h2 i - f2 i x + k * x = d2 i x) ->
  (forall i, (1 <= i <= n)%nat -> forall x, 0 < x -> x = h i \/ 0 < d i x) ->
  (forall i, (1 <= i <= m)%nat -> forall x, 0 < x -> x = h2 i \/ 0 < d2 i x) ->
  (forall i, (1 <= i <= n)%nat -> filterlim (f i) (at_right 0) (locally (g i))) ->
  (forall i, (1 <= i <= m)%nat -> filterlim (f2 i) (at_right 0) (locally (g2 i))) ->
  forall y y2 : nat -> R,
  (forall i, (1 <= i <= n)%nat -> 0 <= y i) -> (forall i, (1 <= i <= m)%nat -> 0 <= y2 i) ->
  Sum n (fun i => y (S i)) + Sum m (fun i => y2 (S i)) = 1 ->
  let J u u2 := Sum n (fun i => adds (g (S i)) (f (S i)) (u (S i)))
    + Sum m (fun i => adds (g2 (S i)) (f2 (S i)) (u2 (S i))) in
  J y y2 <= J h h2 /\ (J h h2 = J y y2 <->
    (forall i, (1 <= i <= n)%nat -> y i = h i) /\ (forall i, (1 <= i <= m)%nat -> y2 i = h2 i)).
Proof.
  intros n m f f2 g h g2 h2 d d2 k Hsum Hh Hh2 Hd Hd2 Hs Hs2 Hl Hl2 y y2 Hy Hy2 Hone J.
  set (of := fun (A : Type) (one two : nat -> A) (j i : nat) => match j with O => one (S i) | _ => two (S i) end).
  destruct (multiplier_makes_the_only_maximum 2 (fun j => match j with O => n | _ => m end)
    (of (R -> R) (fun i => adds (g i) (f i)) (fun i => adds (g2 i) (f2 i))) (of R h h2) k) with (y := of R y y2)
    as [Hmost Honly].
  - intros [| j] i Hj Hi; simpl in *; apply adds_tends; [apply Hl | apply Hl2]; lia.
  - intros [| j] i Hj Hi; simpl in *; [apply Hh | apply Hh2]; lia.
  - simpl. rewrite Rplus_0_l. exact Hsum.
  - intros [| j] i z Hj Hi Hz Hne; simpl in *.
    + rewrite !adds_above; [| apply Hh; lia | exact Hz].
      pose proof (Hd (S i) ltac:(lia) z Hz). destruct (Hs (S i) ltac:(lia) z Hz); [contradiction | lra].
    + rewrite !adds_above; [| apply Hh2; lia | exact Hz].
      pose proof (Hd2 (S i) ltac:(lia) z Hz). destruct (Hs2 (S i) ltac:(lia) z Hz); [contradiction | lra].
  - intros [| j] i Hj Hi; simpl in *; [apply Hy | apply Hy2]; lia.
  - simpl. rewrite Rplus_0_l. exact Hone.
  - simpl in Hmost, Honly. rewrite !Rplus_0_l in Hmost, Honly. split; [exact Hmost |]. apply (iff_trans Honly). split.
    + intro H. split; intros [| i] Hi; try lia; [apply (H 0%nat i) | apply (H 1%nat i)]; simpl; lia.
    + intros [A B] [| j] i Hj Hi; simpl in *; [apply A | apply B]; lia.
Qed.

Theorem one_multiplier_for_answers : forall (n : nat) (f : nat -> R -> R) (g h : nat -> R) (d : nat -> R -> R) (k : R),
  Sum n (fun i => h (S i)) = 1 -> (forall i, (1 <= i <= n)%nat -> 0 < h i) ->
  (forall i, (1 <= i <= n)%nat -> forall x, 0 < x -> f i (h i) - k * h i - f i x + k * x = d i x) ->
  (forall i, (1 <= i <= n)%nat -> forall x, 0 < x -> x = h i \/ 0 < d i x) ->
  (forall i, (1 <= i <= n)%nat -> filterlim (f i) (at_right 0) (locally (g i))) ->
  forall y : nat -> R, (forall i, (1 <= i <= n)%nat -> 0 <= y i) -> Sum n (fun i => y (S i)) = 1 ->
  let J u := Sum n (fun i => adds (g (S i)) (f (S i)) (u (S i))) in
  J y <= J h /\ (J h = J y <-> forall i, (1 <= i <= n)%nat -> y i = h i).
Proof.
  intros n f g h d k Hsum Hh Hd Hs Hl y Hy Hone J.
  destruct (one_multiplier_for_two_kinds_of_answers n 0 f f g h g h d d k) with (y := y) (y2 := y) as [Hmost Honly];
    try assumption; try (intros; lia); try (simpl; lra).
  simpl in Hmost, Honly. rewrite !Rplus_0_r in Hmost, Honly. split; [exact Hmost |]. apply (iff_trans Honly). split.
  - intros [H _]. exact H.
  - intro H. split; [exact H | intros; lia].
Qed.
