(** * Maxima over all policies, those that give up answers included

    The objective is a sum of functions of one probability each, continued to the probability 0.  With a multiplier of
    the constraint, every answer may be looked at alone. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Rules Sentences.

Open Scope R_scope.

(** psi is phi, continued to 0. *)
Definition continues (psi phi : R -> R) : Prop :=
  (forall y, 0 < y -> psi y = phi y) /\ filterlim psi (at_right 0) (locally (psi 0)).

Lemma continued_to_its_limit : forall (psi phi : R -> R) (zero : R), continues psi phi ->
  filterlim phi (at_right 0) (locally zero) -> psi 0 = zero.
Proof.
  intros psi phi zero [Hpos Hc] Hlim. symmetry.
  apply (@filterlim_locally_unique R R_AbsRing R_NormedModule (at_right 0) _ psi zero (psi 0)); [|exact Hc].
  apply (filterlim_ext_loc phi); [|exact Hlim].
  exists (mkposreal 1 Rlt_0_1). intros y _ Hy. symmetry. apply Hpos, Hy.
Qed.

(** What one probability loses against the best one, given the multiplier. *)
Lemma loss_of_a_probability : forall (psi phi : R -> R) (zero x lam y : R), continues psi phi ->
  filterlim phi (at_right 0) (locally zero) -> 0 < x ->
  (forall z, 0 < z -> z <> x -> phi z - lam * z < phi x - lam * x) -> zero < phi x - lam * x -> 0 <= y ->
  0 <= (psi x - lam * x) - (psi y - lam * y) /\ ((psi x - lam * x) - (psi y - lam * y) = 0 <-> y = x).
Proof.
  intros psi phi zero x lam y Hc Hlim Hx Hbest Hzero Hy.
  rewrite (proj1 Hc x Hx). destruct Hy as [Hy | <-].
  - rewrite (proj1 Hc y Hy). destruct (Req_dec y x) as [-> | Hne].
    + split; [lra | split; [reflexivity | intros _; ring]].
    + specialize (Hbest y Hy Hne). split; [lra | split; [intro H; exfalso; lra | contradiction]].
  - rewrite (continued_to_its_limit psi phi zero Hc Hlim). split; [lra | split; intro H; exfalso; lra].
Qed.

Theorem multiplier_makes_the_only_maximum : forall (m : nat) (n : nat -> nat) (phi psi : nat -> nat -> R -> R)
    (zero x : nat -> nat -> R) (lam : R),
  (forall j i, (j < m)%nat -> (i < n j)%nat -> continues (psi j i) (phi j i)) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> filterlim (phi j i) (at_right 0) (locally (zero j i))) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 < x j i) -> Sum m (fun j => Sum (n j) (x j)) = 1 ->
  (forall j i z, (j < m)%nat -> (i < n j)%nat -> 0 < z -> z <> x j i ->
    phi j i z - lam * z < phi j i (x j i) - lam * x j i) ->
  (forall j i, (j < m)%nat -> (i < n j)%nat -> zero j i < phi j i (x j i) - lam * x j i) ->
  forall y, (forall j i, (j < m)%nat -> (i < n j)%nat -> 0 <= y j i) -> Sum m (fun j => Sum (n j) (y j)) = 1 ->
  let J y := Sum m (fun j => Sum (n j) (fun i => psi j i (y j i))) in
  J y <= J x /\ (J x = J y <-> forall j i, (j < m)%nat -> (i < n j)%nat -> y j i = x j i).
Proof.
  intros m n phi psi zero x lam Hc Hlim Hx Hsum Hbest Hzero y Hy Hone J.
  apply (terms_decide_a_sum m n (fun j i => (psi j i (x j i) - lam * x j i) - (psi j i (y j i) - lam * y j i))).
  - unfold J. rewrite (Sum_ext m (fun j => Sum (n j) (fun i => (psi j i (x j i) - lam * x j i) - (psi j i (y j i)
      - lam * y j i))) (fun j => (Sum (n j) (fun i => psi j i (x j i)) - lam * Sum (n j) (x j))
      - (Sum (n j) (fun i => psi j i (y j i)) - lam * Sum (n j) (y j)))).
    + rewrite !Sum_minus, !Sum_scal, Hsum, Hone. ring.
    + intros j _. rewrite !Sum_minus, !Sum_scal. reflexivity.
  - intros j i Hj Hi. apply (loss_of_a_probability (psi j i) (phi j i) (zero j i)); auto.
  - intros j i Hj Hi. apply (loss_of_a_probability (psi j i) (phi j i) (zero j i)); auto.
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

Theorem multiplier_makes_the_only_maximum_of_countably_many : forall (phi psi : nat -> R -> R)
    (zero x : nat -> R) (lam value : R),
  (forall k, continues (psi k) (phi k)) -> (forall k, filterlim (phi k) (at_right 0) (locally (zero k))) ->
  (forall k, 0 < x k) -> converges_to (fun N => Sum N x) 1 ->
  (forall k z, 0 < z -> z <> x k -> phi k z - lam * z < phi k (x k) - lam * x k) ->
  (forall k, zero k < phi k (x k) - lam * x k) -> (forall k, phi k (x k) = value * x k) ->
  let J y N := Sum N (fun k => psi k (y k)) in
  converges_to (J x) value /\
  forall y, (forall k, 0 <= y k) -> converges_to (fun N => Sum N y) 1 ->
    is_lim_seq (J y) m_infty \/
    exists l, converges_to (J y) l /\ l <= value /\ (l = value <-> forall k, y k = x k).
Proof.
  intros phi psi zero x lam value Hc Hlim Hx Hsum Hbest Hzero Hvalue J.
  assert (HJx : forall N, J x N = value * Sum N x).
  { intro N. unfold J. rewrite <- Sum_scal. apply Sum_ext. intros k _. rewrite (proj1 (Hc k) (x k) (Hx k)). apply Hvalue. }
  split.
  - apply (is_lim_seq_ext (fun N => value * Sum N x)); [intro N; symmetry; apply HJx|].
    replace (Finite value) with (Rbar_mult value 1) by (simpl; f_equal; ring). apply is_lim_seq_scal_l, Hsum.
  - intros y Hy Hone. set (d := fun k => (psi k (x k) - lam * x k) - (psi k (y k) - lam * y k)).
    assert (Hd : forall k, 0 <= d k /\ (d k = 0 <-> y k = x k)).
    { intro k. apply (loss_of_a_probability (psi k) (phi k) (zero k)); auto. }
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
        -- intros E k. apply (Hd k). pose proof (positive_series_above_its_terms d s k (fun i => proj1 (Hd i)) Hs).
           pose proof (proj1 (Hd k)). lra.
        -- intro E. assert (s = 0); [|lra].
           assert (H0 : converges_to (fun N => Sum N d) 0).
           { apply (is_lim_seq_ext (fun _ => 0)); [|apply is_lim_seq_const]. intro N. symmetry. apply Sum_zero.
             intros k _. apply (Hd k), E. }
           apply is_lim_seq_unique in Hs. apply is_lim_seq_unique in H0. rewrite Hs in H0. inversion H0. reflexivity.
    + left. apply (is_lim_seq_ext (fun N => value * Sum N x - lam * (Sum N x - Sum N y) - Sum N d));
        [intro N; symmetry; apply HJy|].
      apply (is_lim_seq_minus _ _ (Finite value) p_infty m_infty Hhead Hinf). reflexivity.
Qed.
