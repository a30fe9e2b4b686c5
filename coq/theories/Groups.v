(** Facts about groups: expectations over samples, the exchange of their members, and what normalisation does. *)

From Coq Require Import Reals Lra Lia List Arith Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies.
Import ListNotations.
Open Scope R_scope.

(** * Sums over lists *)

Lemma list_sum_app l l' : list_sum (l ++ l') = list_sum l + list_sum l'.
Proof. induction l as [|x l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma list_sum_perm l l' : Permutation l l' -> list_sum l = list_sum l'.
Proof. induction 1; simpl; lra. Qed.

Section ListSums.
Context {A : Type}.
Implicit Types (l : list A) (f g : A -> R).

Lemma list_sum_ext f g l : (forall a, In a l -> f a = g a) -> list_sum (map f l) = list_sum (map g l).
Proof. intros H. f_equal. apply map_ext_in. exact H. Qed.

Lemma list_sum_plus f g l : list_sum (map (fun a => f a + g a) l) = list_sum (map f l) + list_sum (map g l).
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma list_sum_scal c f l : list_sum (map (fun a => c * f a) l) = c * list_sum (map f l).
Proof. induction l as [|a l IH]; simpl; [lra|]. rewrite IH. lra. Qed.

Lemma list_sum_const c l : list_sum (map (fun _ => c) l) = INR (length l) * c.
Proof. induction l as [|a l IH]; [simpl; lra|]. cbn [map list_sum length]. rewrite IH, S_INR. lra. Qed.

Lemma list_sum_le f g l : (forall a, In a l -> f a <= g a) -> list_sum (map f l) <= list_sum (map g l).
Proof.
  induction l as [|a l IH]; simpl; intros H; [lra|].
  apply Rplus_le_compat; [apply H; auto | apply IH; auto].
Qed.

Lemma list_sum_nonneg f l : (forall a, In a l -> 0 <= f a) -> 0 <= list_sum (map f l).
Proof.
  intros H. replace 0 with (list_sum (map (fun _ => 0) l)) by (rewrite list_sum_const; lra).
  apply list_sum_le. exact H.
Qed.

Lemma list_sum_eq_0 f l :
  (forall a, In a l -> 0 <= f a) -> list_sum (map f l) = 0 -> forall a, In a l -> f a = 0.
Proof.
  induction l as [|b l IH]; simpl; intros H E a []; subst.
  - pose proof (list_sum_nonneg f l (fun a' h => H a' (or_intror h))). pose proof (H a (or_introl eq_refl)). lra.
  - pose proof (list_sum_nonneg f l (fun a' h => H a' (or_intror h))). pose proof (H b (or_introl eq_refl)).
    apply IH; auto; lra.
Qed.

Lemma list_sum_swap {B} (h : A -> B -> R) l (l' : list B) :
  list_sum (map (fun a => list_sum (map (fun b => h a b) l')) l)
  = list_sum (map (fun b => list_sum (map (fun a => h a b) l)) l').
Proof.
  induction l as [|a l IH]; simpl.
  - induction l' as [|b l' IH]; simpl; lra.
  - rewrite IH. clear IH. induction l' as [|b l' IH]; simpl; lra.
Qed.

Lemma list_sum_flat_map {B} (k : A -> list B) (f : B -> R) l :
  list_sum (map f (flat_map k l)) = list_sum (map (fun a => list_sum (map f (k a))) l).
Proof.
  induction l as [|a l IH]; simpl; [reflexivity|]. rewrite map_app, list_sum_app, IH. reflexivity.
Qed.

End ListSums.

Lemma Sum_list n f : Sum n f = list_sum (map f (seq 0 n)).
Proof.
  induction n as [|n IH]; [reflexivity|].
  rewrite seq_S, map_app, list_sum_app, <- IH. simpl. lra.
Qed.

(** * Expectations *)

(** E is the expectation under some law of finitely many values. *)
Definition expectation {A : Type} (E : (A -> R) -> R) : Prop :=
  exists L : list (R * A),
    (forall w, In w L -> 0 <= fst w) /\ list_sum (map fst L) = 1 /\
    forall f, E f = list_sum (map (fun w => fst w * f (snd w)) L).

Section Expectations.
Context {A : Type} (E : (A -> R) -> R) (HE : expectation E).

Lemma E_ext f g : (forall a, f a = g a) -> E f = E g.
Proof. destruct HE as (L & _ & _ & H). intros e. rewrite !H. apply list_sum_ext. intros w _. rewrite e. reflexivity.
Qed.

Lemma E_plus f g : E (fun a => f a + g a) = E f + E g.
Proof.
  destruct HE as (L & _ & _ & H). rewrite !H, <- list_sum_plus. apply list_sum_ext. intros w _. lra.
Qed.

Lemma E_scal c f : E (fun a => c * f a) = c * E f.
Proof.
  destruct HE as (L & _ & _ & H). rewrite !H, <- list_sum_scal. apply list_sum_ext. intros w _. lra.
Qed.

Lemma E_const c : E (fun _ => c) = c.
Proof.
  destruct HE as (L & _ & H1 & H). rewrite H.
  rewrite (list_sum_ext _ (fun w => c * fst w)) by (intros; lra). rewrite list_sum_scal, H1. lra.
Qed.

Lemma E_le f g : (forall a, f a <= g a) -> E f <= E g.
Proof.
  destruct HE as (L & H0 & _ & H). intros e. rewrite !H. apply list_sum_le.
  intros w Hw. apply Rmult_le_compat_l; auto.
Qed.

Lemma E_minus f g : E (fun a => f a - g a) = E f - E g.
Proof.
  rewrite (E_ext _ (fun a => f a + (-1) * g a)) by (intros; lra). rewrite E_plus, E_scal. lra.
Qed.

Lemma E_nonneg f : (forall a, 0 <= f a) -> 0 <= E f.
Proof. intros H. rewrite <- (E_const 0). apply E_le. exact H. Qed.

(** (E X)^2 <= E X^2. *)
Lemma E_square f : (E f) ^ 2 <= E (fun a => f a ^ 2).
Proof.
  assert (H : 0 <= E (fun a => (f a - E f) ^ 2)) by (apply E_nonneg; intros; apply pow2_ge_0).
  rewrite (E_ext _ (fun a => (f a ^ 2 + (- (2 * E f)) * f a) + E f ^ 2)) in H by (intros; ring).
  rewrite !E_plus, E_scal, E_const in H. nra.
Qed.

(** Cauchy and Schwarz. *)
Lemma E_cauchy_schwarz f g : (E (fun a => f a * g a)) ^ 2 <= E (fun a => f a ^ 2) * E (fun a => g a ^ 2).
Proof.
  set (u := E (fun a => f a ^ 2)). set (v := E (fun a => g a ^ 2)). set (w := E (fun a => f a * g a)).
  assert (Q : forall s t, 0 <= s ^ 2 * u + 2 * s * t * w + t ^ 2 * v).
  { intros s t. unfold u, v, w. rewrite <- !E_scal, <- !E_plus.
    apply E_nonneg. intros a. replace (_ + _) with ((s * f a + t * g a) ^ 2) by ring. apply pow2_ge_0. }
  assert (0 <= v) by (apply E_nonneg; intros; apply pow2_ge_0).
  assert (0 <= u) by (apply E_nonneg; intros; apply pow2_ge_0).
  destruct (Req_dec v 0) as [Z|N].
  - pose proof (Q w (- (u + 1))) as H1. rewrite Z in *.
    assert (w ^ 2 * (u + 2) <= 0) by nra. assert (w ^ 2 = 0) by nra. lra.
  - pose proof (Q v (- w)) as H1. assert (0 <= v * (u * v - w ^ 2)) by nra. nra.
Qed.

Lemma E_fubini {B} (E' : (B -> R) -> R) (HE' : expectation E') (h : A -> B -> R) :
  E (fun a => E' (fun b => h a b)) = E' (fun b => E (fun a => h a b)).
Proof.
  destruct HE as (L & _ & _ & H). destruct HE' as (L' & _ & _ & H').
  rewrite H, H'.
  rewrite (list_sum_ext _ (fun w => list_sum (map (fun v => fst w * (fst v * h (snd w) (snd v))) L'))).
  2:{ intros w _. rewrite H', list_sum_scal. reflexivity. }
  rewrite list_sum_swap. apply list_sum_ext. intros v _. rewrite H, <- list_sum_scal.
  apply list_sum_ext. intros w _. ring.
Qed.

End Expectations.

Lemma law_expectation l : is_law l -> expectation (law_expect l).
Proof. intros [H0 H1]. exists l. repeat split; auto. Qed.

Lemma sure_law n r : are_laws n (sure r).
Proof. intros o _. split; simpl; [intros w [<-|[]]; simpl; lra | lra]. Qed.

Lemma law_expect_sure r o f : law_expect (sure r o) f = f (r o).
Proof. unfold law_expect, sure. simpl. lra. Qed.

Lemma law_expect_fst l c : is_law l -> list_sum (map (fun w => c * fst w) l) = c.
Proof. intros [_ H]. rewrite list_sum_scal, H. lra. Qed.

Lemma outcome_expectation n pi rw :
  policy n pi -> are_laws n rw -> expectation (outcome_expect n pi rw).
Proof.
  intros [Hp H1] Hr.
  exists (flat_map (fun o => map (fun w => (pi o * fst w, (o, snd w))) (rw o)) (seq 0 n)).
  repeat split.
  - intros w Hw. apply in_flat_map in Hw. destruct Hw as (o & Ho & Hw).
    apply in_map_iff in Hw. destruct Hw as (v & <- & Hv). simpl. apply in_seq in Ho.
    apply Rmult_le_pos; [apply Hp; lia | apply (proj1 (Hr o ltac:(lia))); exact Hv].
  - rewrite list_sum_flat_map.
    rewrite (list_sum_ext _ pi).
    + rewrite <- Sum_list. exact H1.
    + intros o Ho. apply in_seq in Ho. rewrite map_map. simpl. apply law_expect_fst. apply Hr. lia.
  - intros f. unfold outcome_expect, expect. rewrite Sum_list, list_sum_flat_map.
    apply list_sum_ext. intros o _. rewrite map_map. unfold law_expect. rewrite <- list_sum_scal.
    apply list_sum_ext. intros w _. simpl. ring.
Qed.

Lemma outcome_expect_sure n pi r f :
  outcome_expect n pi (sure r) f = expect n pi (fun o => f (o, r o)).
Proof. unfold outcome_expect. apply expect_ext. intros o _. apply law_expect_sure. Qed.

(** * Samples *)

Section Samples.
Context {A : Type} (E : (A -> R) -> R) (HE : expectation E).

Lemma draws_ext G F F' : (forall s, length s = G -> F s = F' s) -> draws E G F = draws E G F'.
Proof.
  revert F F'. induction G as [|G IH]; intros F F' H; simpl.
  - apply H. reflexivity.
  - apply E_ext; [exact HE|]. intros a. apply IH. intros s Hs. apply H. simpl. lia.
Qed.

Lemma draws_same E' G F : (forall f, E f = E' f) -> draws E G F = draws E' G F.
Proof.
  intros H. revert F. induction G as [|G IH]; intros F; [reflexivity|].
  simpl. rewrite <- H. apply E_ext; [exact HE|]. intros a. apply IH.
Qed.

(** A sample is a draw from a law of samples: all that is true of expectations is true of [draws]. *)
Lemma draws_expectation G : expectation (draws E G).
Proof.
  induction G as [|G (L' & P' & S' & H')].
  - exists [(1, [])]. repeat split.
    + intros w [<-|[]]. simpl. lra.
    + simpl. lra.
    + intros f. simpl. lra.
  - destruct HE as (L & P & S & H).
    exists (flat_map (fun w => map (fun v => (fst w * fst v, snd w :: snd v)) L') L). repeat split.
    + intros w Hw. apply in_flat_map in Hw. destruct Hw as (u & Hu & Hw).
      apply in_map_iff in Hw. destruct Hw as (v & <- & Hv). simpl. apply Rmult_le_pos; auto.
    + rewrite list_sum_flat_map, <- S. apply list_sum_ext. intros w _.
      rewrite map_map. simpl. rewrite list_sum_scal, S'. lra.
    + intros f. simpl. rewrite H, list_sum_flat_map. apply list_sum_ext. intros w _.
      rewrite map_map, H', <- list_sum_scal. apply list_sum_ext. intros v _. simpl. ring.
Qed.

(** The members of a sample are exchangeable: a sum over the members has G times the expectation of its first term. *)
Lemma draws_exchange N (F : A -> list A -> R) :
  (forall a s s', Permutation s s' -> F a s = F a s') ->
  draws E (S N) (fun s => list_sum (map (fun a => F a s) s))
  = INR (S N) * E (fun a => draws E N (fun s => F a (a :: s))).
Proof.
  revert F. induction N as [|N IH]; intros F HF.
  - simpl. rewrite Rmult_1_l. apply E_ext; [exact HE|]. intros a. lra.
  - change (draws E (S (S N)) ?f) with (E (fun b => draws E (S N) (fun s => f (b :: s)))).
    cbn beta. cbn [map list_sum].
    rewrite (E_ext E HE _ (fun b => draws E (S N) (fun s => F b (b :: s))
      + INR (S N) * E (fun a => draws E N (fun s => F a (b :: a :: s))))).
    2:{ intros b. rewrite (E_plus _ (draws_expectation (S N))). f_equal.
        rewrite (IH (fun a s => F a (b :: s))); [reflexivity|]. intros. apply HF. constructor. assumption. }
    rewrite E_plus, E_scal by exact HE. rewrite (E_fubini E HE E HE).
    rewrite (E_ext E HE (fun b => E (fun a => draws E N (fun s => F b (a :: b :: s))))
      (fun b => draws E (S N) (fun s => F b (b :: s)))).
    2:{ intros b. simpl. apply E_ext; [exact HE|]. intros a. apply draws_ext. intros s _. apply HF. constructor. }
    rewrite (S_INR (S N)). ring.
Qed.

End Samples.

(** * Means, deviations and advantages *)

Lemma mean_perm g g' : Permutation g g' -> mean g = mean g'.
Proof. intros H. unfold mean. rewrite (list_sum_perm _ _ H), (Permutation_length H). reflexivity. Qed.

Lemma deviation_perm g g' : Permutation g g' -> deviation g = deviation g'.
Proof.
  intros H. unfold deviation. rewrite (mean_perm g g' H). f_equal. apply mean_perm, Permutation_map, H.
Qed.

Lemma advantage_perm g g' x : Permutation g g' -> advantage g x = advantage g' x.
Proof. intros H. unfold advantage. rewrite (mean_perm _ _ H), (deviation_perm _ _ H). reflexivity. Qed.

Lemma shift_advantage_perm g g' x : Permutation g g' -> shift_advantage g x = shift_advantage g' x.
Proof. intros H. unfold shift_advantage. rewrite (mean_perm _ _ H). reflexivity. Qed.

Lemma length_pos {A} (g : list A) : g <> [] -> 0 < INR (length g).
Proof. intros H. apply lt_0_INR. destruct g; [contradiction|simpl; lia]. Qed.

Lemma mean_scal c g : mean (map (fun x => c * x) g) = c * mean g.
Proof.
  unfold mean. rewrite map_length. unfold Rdiv. rewrite <- Rmult_assoc. f_equal.
  rewrite list_sum_scal, map_id. reflexivity.
Qed.

Lemma sum_centred g : list_sum (map (fun x => x - mean g) g) = 0.
Proof.
  destruct g as [|x g]; [reflexivity|].
  set (l := x :: g). assert (0 < INR (length l)) by (apply length_pos; discriminate).
  unfold Rminus. rewrite list_sum_plus, list_sum_const, map_id. unfold mean. field. lra.
Qed.

Definition square_deviation (g : list R) : R := mean (map (fun x => (x - mean g) ^ 2) g).

Lemma square_deviation_nonneg g : 0 <= square_deviation g.
Proof.
  unfold square_deviation, mean at 1. destruct g as [|x g]; [simpl; unfold Rdiv; lra|].
  rewrite map_length. apply Rmult_le_pos.
  - apply list_sum_nonneg. intros. apply pow2_ge_0.
  - apply Rlt_le, Rinv_0_lt_compat, length_pos. discriminate.
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

Lemma deviation_square g : deviation g ^ 2 = square_deviation g.
Proof. unfold deviation. apply pow2_sqrt. apply square_deviation_nonneg. Qed.

Lemma deviation_nonneg g : 0 <= deviation g.
Proof. apply sqrt_pos. Qed.

(** A group without deviation is a group of equal rewards... *)
Lemma deviation_0 g x : In x g -> deviation g = 0 -> x = mean g.
Proof.
  intros Hx H. assert (Q : square_deviation g = 0) by (rewrite <- deviation_square, H; ring).
  assert (L : 0 < INR (length g)) by (apply length_pos; intros ->; destruct Hx).
  assert (Z : list_sum (map (fun x => (x - mean g) ^ 2) g) = 0).
  { unfold square_deviation, mean at 1 in Q. rewrite map_length in Q.
    apply (Rmult_eq_reg_r (/ INR (length g))).
    - unfold Rdiv in Q. rewrite Q. lra.
    - apply Rinv_neq_0_compat. lra. }
  pose proof (list_sum_eq_0 _ _ (fun a _ => pow2_ge_0 (a - mean g)) Z x Hx) as H0. cbn beta in H0. nra.
Qed.

(** ... and its advantages are 0, the convention 0/0 = 0 of the paper. *)
Lemma advantage_of_equals g x : In x g -> deviation g = 0 -> advantage g x = 0.
Proof. intros Hx H. unfold advantage. rewrite <- (deviation_0 g x Hx H). unfold Rdiv. ring. Qed.

Lemma sum_advantages g : list_sum (map (advantage g) g) = 0.
Proof.
  unfold advantage, Rdiv. rewrite (list_sum_ext _ (fun x => / deviation g * (x - mean g))) by (intros; ring).
  rewrite list_sum_scal, sum_centred. ring.
Qed.

(** The advantage times the deviation is the centred reward, in groups of equal rewards as well. *)
Lemma advantage_deviation g x : In x g -> advantage g x * deviation g = x - mean g.
Proof.
  intros Hx. destruct (Req_dec (deviation g) 0) as [Z|N].
  - rewrite (advantage_of_equals g x Hx Z). pose proof (deviation_0 g x Hx Z). lra.
  - unfold advantage. field. exact N.
Qed.

(** The squares of the advantages have the mean 1, or 0 in a group of equal rewards. *)
Lemma mean_square_advantage g : list_sum (map (fun x => advantage g x ^ 2) g) <= INR (length g).
Proof.
  destruct (Req_dec (deviation g) 0) as [Z|N].
  - rewrite (list_sum_ext _ (fun _ => 0)).
    + rewrite list_sum_const. pose proof (pos_INR (length g)). lra.
    + intros x Hx. rewrite (advantage_of_equals g x Hx Z). ring.
  - destruct g as [|y g]; [simpl; lra|]. set (l := y :: g) in *.
    assert (L : 0 < INR (length l)) by (apply length_pos; discriminate).
    rewrite (list_sum_ext _ (fun x => / deviation l ^ 2 * (x - mean l) ^ 2)).
    2:{ intros. unfold advantage. field. exact N. }
    rewrite list_sum_scal.
    replace (list_sum (map (fun x => (x - mean l) ^ 2) l)) with (INR (length l) * deviation l ^ 2).
    + apply Req_le. field. exact N.
    + rewrite deviation_square. unfold square_deviation, mean at 1. rewrite map_length. field. lra.
Qed.

(** * Groups of two *)

Lemma advantage_pair x y : advantage [x; y] x = if Rlt_dec y x then 1 else if Rlt_dec x y then -1 else 0.
Proof.
  assert (M : mean [x; y] = (x + y) / 2) by (unfold mean; simpl; field).
  assert (D : deviation [x; y] = Rabs (x - y) / 2).
  { unfold deviation. cbn [map]. rewrite M. unfold mean. cbn [list_sum length INR].
    replace (_ / _) with ((Rabs (x - y) / 2) ^ 2).
    - apply sqrt_pow2. pose proof (Rabs_pos (x - y)). lra.
    - replace ((Rabs (x - y) / 2) ^ 2) with (Rabs (x - y) ^ 2 / 4) by field. rewrite pow2_abs. field. }
  unfold advantage. rewrite M, D.
  destruct (Rlt_dec y x) as [H|H].
  - rewrite Rabs_right by lra. field. lra.
  - destruct (Rlt_dec x y) as [H'|H'].
    + rewrite Rabs_left by lra. field. lra.
    + replace ((x + y) / 2) with x by lra. unfold Rdiv. ring.
Qed.
