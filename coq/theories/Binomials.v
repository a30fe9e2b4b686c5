(** * Expectations over the number of successes

    The expectation of a function of the number of successes among N independent draws, each a success with the same
    chance, is a Bernstein polynomial: what its coefficients are in shape, it is. *)

From Coq Require Import Reals Lra Lia List Arith.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Own Rules Sentences.
Import ListNotations.
Open Scope R_scope.

Definition binomial_mean (N : nat) (phi : nat -> R) (x : R) : R :=
  Sum (S N) (fun k => Binomial.C N k * x ^ k * (1 - x) ^ (N - k) * phi k).

Lemma binomial_mean_bernstein N phi x : binomial_mean N phi x = bernstein N phi x.
Proof. symmetry. apply bernstein_binomial. Qed.

(** ** Where it comes from *)

Fixpoint successes {A : Type} (hit : A -> bool) (s : list A) : nat :=
  match s with
  | [] => O
  | a :: s' => if hit a then S (successes hit s') else successes hit s'
  end.

Theorem function_of_the_number_of_successes : forall (A : Type) (E : (A -> R) -> R) (hit : A -> bool) (x : R)
  (N : nat) (phi : nat -> R), expectation E -> E (fun a => if hit a then 1 else 0) = x ->
  draws E N (fun s => phi (successes hit s)) = binomial_mean N phi x.
Proof.
  intros A E hit x N phi HE Hx. rewrite binomial_mean_bernstein. revert phi.
  induction N as [|N IH]; intros phi; [reflexivity|]. simpl.
  rewrite (E_ext E HE _ (fun a => bernstein N phi x
    + (bernstein N (fun i => phi (S i)) x - bernstein N phi x) * (if hit a then 1 else 0))).
  2:{ intros a. destruct (hit a); simpl.
      - rewrite (IH (fun i => phi (S i))). ring.
      - rewrite IH. ring. }
  rewrite (E_plus E HE), (E_const E HE), (E_scal E HE), Hx. ring.
Qed.

(** ** Sums of coefficients *)

Lemma bernstein_plus N phi psi x : bernstein N (fun k => phi k + psi k) x = bernstein N phi x + bernstein N psi x.
Proof. revert phi psi. induction N as [|N IH]; intros; simpl; [ring|]. rewrite (IH _ _), (IH phi psi). ring. Qed.

Lemma bernstein_scal N c phi x : bernstein N (fun k => c * phi k) x = c * bernstein N phi x.
Proof. revert phi. induction N as [|N IH]; intros; simpl; [ring|]. rewrite (IH _), (IH phi). ring. Qed.

(** A combination of such means, over the same draws, is the mean of the combined coefficients. *)
Definition combination (m : nat) (f : nat -> R) (phi : nat -> nat -> R) (k : nat) : R := Sum m (fun i => f i * phi i k).

Lemma combined_means m f N phi x :
  Sum m (fun i => f i * binomial_mean N (phi i) x) = bernstein N (combination m f phi) x.
Proof.
  induction m as [|m IH].
  - simpl. unfold combination. simpl.
    rewrite (bernstein_ext N _ (fun k => 0 * phi O k)) by (intros; ring). rewrite bernstein_scal. ring.
  - simpl. rewrite IH, binomial_mean_bernstein, <- bernstein_scal, <- bernstein_plus. apply bernstein_ext.
    intros k _. unfold combination. simpl. ring.
Qed.

(** ** One more draw *)

Lemma bernstein_success N phi x :
  bernstein (S N) (fun k => INR k * phi (k - 1)%nat) x = INR (S N) * x * bernstein N phi x.
Proof.
  revert phi. induction N as [|N IH]; intros phi; [simpl; ring|].
  change (bernstein (S (S N)) (fun k => INR k * phi (k - 1)%nat) x) with
    (x * bernstein (S N) (fun k => INR (S k) * phi (S k - 1)%nat) x
     + (1 - x) * bernstein (S N) (fun k => INR k * phi (k - 1)%nat) x).
  rewrite IH.
  assert (E : bernstein (S N) (fun k => INR (S k) * phi (S k - 1)%nat) x
    = bernstein (S N) (fun k => INR k * phi (S (k - 1))) x + bernstein (S N) phi x).
  { rewrite <- bernstein_plus. apply bernstein_ext. intros k _. rewrite S_INR.
    replace (S k - 1)%nat with k by lia. destruct k as [|k].
    - simpl. ring.
    - replace (S (S k - 1)) with (S k) by lia. ring. }
  rewrite E, (IH (fun i => phi (S i))).
  change (bernstein (S N) phi x) with (x * bernstein N (fun i => phi (S i)) x + (1 - x) * bernstein N phi x).
  rewrite (S_INR (S N)). ring.
Qed.

Lemma bernstein_failure N phi x :
  bernstein (S N) (fun k => (INR (S N) - INR k) * phi k) x = INR (S N) * (1 - x) * bernstein N phi x.
Proof.
  revert phi. induction N as [|N IH]; intros phi; [simpl; ring|].
  change (bernstein (S (S N)) (fun k => (INR (S (S N)) - INR k) * phi k) x) with
    (x * bernstein (S N) (fun k => (INR (S (S N)) - INR (S k)) * phi (S k)) x
     + (1 - x) * bernstein (S N) (fun k => (INR (S (S N)) - INR k) * phi k) x).
  rewrite (bernstein_ext (S N) (fun k => (INR (S (S N)) - INR (S k)) * phi (S k))
    (fun k => (INR (S N) - INR k) * phi (S k))) by (intros; rewrite !(S_INR (S N)), (S_INR k); ring).
  rewrite (bernstein_ext (S N) (fun k => (INR (S (S N)) - INR k) * phi k)
    (fun k => (INR (S N) - INR k) * phi k + phi k)) by (intros; rewrite (S_INR (S N)); ring).
  rewrite bernstein_plus, (IH phi), (IH (fun i => phi (S i))), (S_INR (S N)).
  change (bernstein (S N) phi x) with (x * bernstein N (fun i => phi (S i)) x + (1 - x) * bernstein N phi x).
  ring.
Qed.

Lemma one_more_draw : forall (N : nat) (phi psi : nat -> R) (s t x : R),
  psi O = t * phi O -> psi (S N) = s * phi N ->
  (forall k, (1 <= k <= N)%nat ->
    INR (S N) * psi k = INR k * (s * phi (k - 1)%nat) + (INR (S N) - INR k) * (t * phi k)) ->
  (s * x + t * (1 - x)) * bernstein N phi x = bernstein (S N) psi x.
Proof.
  intros N phi psi s t x H0 HN H.
  assert (P : 0 < INR (S N)) by (apply lt_0_INR; lia).
  apply Rmult_eq_reg_l with (INR (S N)); [|lra].
  rewrite <- (bernstein_scal (S N)).
  rewrite (bernstein_ext (S N) (fun k => INR (S N) * psi k)
    (fun k => s * (INR k * phi (k - 1)%nat) + t * ((INR (S N) - INR k) * phi k))).
  { rewrite bernstein_plus, !bernstein_scal, bernstein_success, bernstein_failure. ring. }
  intros k Hk. destruct (Nat.eq_dec k 0) as [->|N0]; [rewrite H0; simpl; ring|].
  destruct (Nat.eq_dec k (S N)) as [->|NN].
  - rewrite HN. replace (S N - 1)%nat with N by lia. ring.
  - rewrite H by lia. ring.
Qed.

(** A mean over N draws, by the number of successes among N + 1: any one of them is left out. The factors [s] and [t]
    count its success and its failure. *)
Theorem binomial_mean_with_one_more_draw : forall (N : nat) (phi psi : nat -> R) (u v s t x : R),
  u = v * (s * x + t * (1 - x)) -> psi O = t * phi O -> psi (S N) = s * phi N ->
  (forall k, (1 <= k <= N)%nat ->
    INR (S N) * psi k = INR k * (s * phi (k - 1)%nat) + (INR (S N) - INR k) * (t * phi k)) ->
  u * binomial_mean N phi x = v * binomial_mean (S N) psi x.
Proof.
  intros N phi psi u v s t x -> H0 HN H. rewrite !binomial_mean_bernstein, <- (one_more_draw N phi psi s t x H0 HN H).
  ring.
Qed.

(** ** Moments and bounds *)

(** k (k - 1) ... (k - j + 1). *)
Fixpoint falling (k : R) (j : nat) : R :=
  match j with O => 1 | S i => falling k i * (k - INR i) end.

Lemma falling_up k j : falling (k + 1) (S j) = falling k (S j) + INR (S j) * falling k j.
Proof.
  induction j as [|j IH]; [simpl; ring|].
  change (falling (k + 1) (S (S j))) with (falling (k + 1) (S j) * (k + 1 - INR (S j))). rewrite IH.
  change (falling k (S (S j))) with (falling k (S j) * (k - INR (S j))).
  change (falling k (S j)) with (falling k j * (k - INR j)). rewrite !S_INR. ring.
Qed.

Lemma bernstein_falling N j x : bernstein N (fun k => falling (INR k) j) x = falling (INR N) j * x ^ j.
Proof.
  revert j. induction N as [|N IH]; intros j.
  - change (falling 0 j = falling 0 j * x ^ j). destruct j as [|j]; [simpl; ring|].
    assert (Z : falling 0 (S j) = 0).
    { induction j as [|j IHj]; [simpl; ring|]. change (falling 0 (S j) * (0 - INR (S j)) = 0). rewrite IHj. ring. }
    rewrite Z. ring.
  - change (x * bernstein N (fun i => falling (INR (S i)) j) x + (1 - x) * bernstein N (fun k => falling (INR k) j) x
      = falling (INR (S N)) j * x ^ j). rewrite IH. destruct j as [|j].
    + rewrite (bernstein_ext N _ (fun i => falling (INR i) 0)) by reflexivity. rewrite IH. simpl. ring.
    + rewrite (bernstein_ext N (fun i => falling (INR (S i)) (S j))
        (fun i => falling (INR i) (S j) + INR (S j) * falling (INR i) j))
        by (intros; rewrite S_INR; apply falling_up).
      rewrite bernstein_plus, bernstein_scal, !IH, (S_INR N), falling_up. simpl pow. ring.
Qed.

Lemma bernstein_polynomial N d a x :
  bernstein N (fun k => Sum d (fun j => a j * falling (INR k) j)) x =
  Sum d (fun j => a j * (falling (INR N) j * x ^ j)).
Proof.
  induction d as [|d IH].
  - simpl. rewrite (bernstein_ext N _ (fun k => 0 * INR k)) by (intros; ring). rewrite bernstein_scal. ring.
  - simpl Sum. rewrite bernstein_plus, IH, bernstein_scal, bernstein_falling. reflexivity.
Qed.

Lemma bernstein_lt_somewhere N phi psi x k0 : 0 < x < 1 -> (forall k, (k <= N)%nat -> phi k <= psi k) ->
  (k0 <= N)%nat -> phi k0 < psi k0 -> bernstein N phi x < bernstein N psi x.
Proof.
  intros Hx. revert phi psi k0. induction N as [|N IH]; intros phi psi k0 H Hk H0.
  - simpl. replace O with k0 by lia. exact H0.
  - simpl. destruct k0 as [|k0].
    + apply Rplus_le_lt_compat.
      * apply Rmult_le_compat_l; [lra|]. apply bernstein_le; [lra|]. intros; apply H; lia.
      * apply Rmult_lt_compat_l; [lra|]. apply (IH phi psi O); [intros; apply H; lia|lia|exact H0].
    + apply Rplus_lt_le_compat.
      * apply Rmult_lt_compat_l; [lra|].
        apply (IH (fun i => phi (S i)) (fun i => psi (S i)) k0); [intros; apply H; lia|lia|exact H0].
      * apply Rmult_le_compat_l; [lra|]. apply bernstein_le; [lra|]. intros; apply H; lia.
Qed.

(** Exchanging the draws, so that what is left out counts nothing, gives coefficients over N + 1 draws. *)
Definition raised (N : nat) (phi : nat -> R) (k : nat) : R :=
  if Nat.eq_dec k 0 then phi O else if Nat.eq_dec k (S N) then phi N
  else (INR k * phi (k - 1)%nat + (INR (S N) - INR k) * phi k) / INR (S N).

Lemma bernstein_raised N phi x : bernstein N phi x = bernstein (S N) (raised N phi) x.
Proof.
  rewrite <- (one_more_draw N phi (raised N phi) 1 1 x).
  - ring.
  - unfold raised. destruct (Nat.eq_dec 0 0); [ring|contradiction].
  - unfold raised. destruct (Nat.eq_dec (S N) 0); [discriminate|].
    destruct (Nat.eq_dec (S N) (S N)); [ring|contradiction].
  - intros k Hk. unfold raised. destruct (Nat.eq_dec k 0); [lia|]. destruct (Nat.eq_dec k (S N)); [lia|].
    field. apply not_0_INR. lia.
Qed.

Lemma raised_le N phi psi : phi O <= psi O -> phi N <= psi (S N) ->
  (forall k, (1 <= k <= N)%nat -> INR k * phi (k - 1)%nat + (INR (S N) - INR k) * phi k <= INR (S N) * psi k) ->
  forall k, (k <= S N)%nat -> raised N phi k <= psi k.
Proof.
  intros H0 HN H k Hk. unfold raised. destruct (Nat.eq_dec k 0) as [->|E0]; [exact H0|].
  destruct (Nat.eq_dec k (S N)) as [->|EN]; [exact HN|].
  assert (P : 0 < INR (S N)) by (apply lt_0_INR; lia).
  apply Rmult_le_reg_r with (INR (S N)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra.
  specialize (H k ltac:(lia)). lra.
Qed.

Theorem binomial_mean_at_most_that_over_one_more_draw : forall (N : nat) (phi psi : nat -> R) (x : R), 0 <= x <= 1 ->
  phi O <= psi O -> phi N <= psi (S N) ->
  (forall k, (1 <= k <= N)%nat -> INR k * phi (k - 1)%nat + (INR (S N) - INR k) * phi k <= INR (S N) * psi k) ->
  binomial_mean N phi x <= binomial_mean (S N) psi x.
Proof.
  intros N phi psi x Hx H0 HN H. rewrite !binomial_mean_bernstein, (bernstein_raised N phi).
  apply bernstein_le; [exact Hx|]. apply raised_le; assumption.
Qed.

Theorem binomial_mean_below_that_over_one_more_draw : forall (N k0 : nat) (phi psi : nat -> R) (x : R), 0 < x < 1 ->
  phi O <= psi O -> phi N <= psi (S N) ->
  (forall k, (1 <= k <= N)%nat -> INR k * phi (k - 1)%nat + (INR (S N) - INR k) * phi k <= INR (S N) * psi k) ->
  k0 = O /\ phi O < psi O \/
    (1 <= k0 <= N)%nat /\ INR k0 * phi (k0 - 1)%nat + (INR (S N) - INR k0) * phi k0 < INR (S N) * psi k0 ->
  binomial_mean N phi x < binomial_mean (S N) psi x.
Proof.
  intros N k0 phi psi x Hx H0 HN H HS. rewrite !binomial_mean_bernstein, (bernstein_raised N phi).
  apply bernstein_lt_somewhere with k0; [exact Hx|apply raised_le; assumption|lia|].
  unfold raised. destruct HS as [[-> HS] | [Hk HS]]; [exact HS|]. destruct (Nat.eq_dec k0 0); [lia|].
  destruct (Nat.eq_dec k0 (S N)); [lia|].
  assert (P : 0 < INR (S N)) by (apply lt_0_INR; lia).
  apply Rmult_lt_reg_r with (INR (S N)); [exact P|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

Theorem binomial_mean_of_a_polynomial : forall (N m d : nat) (f : nat -> R) (phi : nat -> nat -> R) (a : nat -> R)
  (x rest left right : R), left - right = rest + Sum m (fun i => f i * binomial_mean N (phi i) x) ->
  (forall k, (k <= N)%nat -> Sum m (fun i => f i * phi i k) = Sum d (fun j => a j * falling (INR k) j)) ->
  rest + Sum d (fun j => a j * (falling (INR N) j * x ^ j)) = 0 -> left = right.
Proof.
  intros N m d f phi a x rest left right E H Z. rewrite combined_means in E.
  rewrite (bernstein_ext N (combination m f phi) _ x H), bernstein_polynomial in E. lra.
Qed.

Theorem binomial_mean_at_most_that_of_a_polynomial : forall (N m d : nat) (f : nat -> R) (phi : nat -> nat -> R)
  (a : nat -> R) (x rest left right : R), left - right = rest + Sum m (fun i => f i * binomial_mean N (phi i) x) ->
  0 <= x <= 1 ->
  (forall k, (k <= N)%nat -> Sum m (fun i => f i * phi i k) <= Sum d (fun j => a j * falling (INR k) j)) ->
  rest + Sum d (fun j => a j * (falling (INR N) j * x ^ j)) <= 0 -> left <= right.
Proof.
  intros N m d f phi a x rest left right E Hx H Z. rewrite combined_means in E.
  pose proof (bernstein_le N (combination m f phi) _ x Hx H) as B. rewrite bernstein_polynomial in B. lra.
Qed.

Theorem binomial_mean_below_that_of_a_polynomial : forall (N m d k0 : nat) (f : nat -> R) (phi : nat -> nat -> R)
  (a : nat -> R) (x rest left right : R), left - right = rest + Sum m (fun i => f i * binomial_mean N (phi i) x) ->
  0 < x < 1 ->
  (forall k, (k <= N)%nat -> Sum m (fun i => f i * phi i k) <= Sum d (fun j => a j * falling (INR k) j)) ->
  (k0 <= N)%nat -> Sum m (fun i => f i * phi i k0) < Sum d (fun j => a j * falling (INR k0) j) ->
  rest + Sum d (fun j => a j * (falling (INR N) j * x ^ j)) <= 0 -> left < right.
Proof.
  intros N m d k0 f phi a x rest left right E Hx H Hk H0 Z. rewrite combined_means in E.
  pose proof (bernstein_lt_somewhere N (combination m f phi) _ x k0 Hx H Hk H0) as B.
  rewrite bernstein_polynomial in B. lra.
Qed.

(** ** Shape *)

Definition difference (phi : nat -> R) (k : nat) : R := phi (S k) - phi k.

Lemma bernstein_derive N phi x : is_derive (bernstein (S N) phi) x (INR (S N) * bernstein N (difference phi) x).
Proof.
  revert phi. induction N as [|N IH]; intros phi.
  - simpl. unfold difference. auto_derive; [exact I|]. ring.
  - apply (is_derive_ext (fun x => x * bernstein (S N) (fun i => phi (S i)) x + (1 - x) * bernstein (S N) phi x));
      [reflexivity|].
    set (g := bernstein (S N) (fun i => phi (S i))) in *. set (h := bernstein (S N) phi) in *.
    pose proof (IH (fun i => phi (S i))) as Dg. pose proof (IH phi) as Dh. fold g in Dg. fold h in Dh.
    assert (D : is_derive (fun x => x * g x + (1 - x) * h x) x
      (g x - h x + (x * (INR (S N) * bernstein N (difference (fun i => phi (S i))) x)
        + (1 - x) * (INR (S N) * bernstein N (difference phi) x)))).
    { auto_derive.
      - repeat split; [eexists; exact Dg | eexists; exact Dh].
      - replace (Derive (fun y => g y) x) with (INR (S N) * bernstein N (difference (fun i => phi (S i))) x)
          by (symmetry; apply is_derive_unique; exact Dg).
        replace (Derive (fun y => h y) x) with (INR (S N) * bernstein N (difference phi) x)
          by (symmetry; apply is_derive_unique; exact Dh). ring. }
    replace (INR (S (S N)) * bernstein (S N) (difference phi) x) with
      (g x - h x + (x * (INR (S N) * bernstein N (difference (fun i => phi (S i))) x)
        + (1 - x) * (INR (S N) * bernstein N (difference phi) x))); [exact D|].
    assert (E : g x - h x = bernstein (S N) (difference phi) x).
    { unfold g, h. replace (bernstein (S N) (difference phi) x) with
        (bernstein (S N) (fun k => phi (S k) + (-1) * phi k) x)
        by (apply bernstein_ext; intros; unfold difference; ring).
      rewrite bernstein_plus, bernstein_scal. ring. }
    rewrite E, (S_INR (S N)).
    change (bernstein (S N) (difference phi) x) with
      (x * bernstein N (difference (fun i => phi (S i))) x + (1 - x) * bernstein N (difference phi) x).
    ring.
Qed.

Definition unit_interval (x : R) : Prop := 0 <= x <= 1.

Lemma unit_interval_interval : interval unit_interval.
Proof. intros x y z Hx Hy Hz. unfold unit_interval in *. lra. Qed.

Lemma inside_unit x : inside unit_interval x -> 0 <= x <= 1.
Proof. intros (a & b & Ha & Hb & H). unfold unit_interval in *. lra. Qed.

Section Combinations.
Context (N m : nat) (s a b : R) (f : nat -> R) (phi : nat -> nat -> R).
Let c := combination m f phi.
Definition with_affine (x : R) : R := s * (a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x)).

Lemma with_affine_bernstein x : with_affine x = s * (a + b * x + bernstein N c x).
Proof. unfold with_affine. rewrite combined_means. reflexivity. Qed.

Lemma with_affine_continuous x : continuous with_affine x.
Proof.
  apply (continuous_ext (fun x => s * (a + b * x + bernstein N c x))).
  { intros y. symmetry. apply with_affine_bernstein. }
  apply (continuous_mult (K := R_AbsRing)); [apply continuous_const|].
  apply (continuous_plus (V := R_NormedModule)); [|apply bernstein_continuous].
  apply (continuous_plus (V := R_NormedModule)); [apply continuous_const|].
  apply (continuous_mult (K := R_AbsRing)); [apply continuous_const|apply continuous_id].
Qed.

End Combinations.

Lemma affine_derive (g : R -> R) (x d s a b : R) : is_derive g x d ->
  is_derive (fun x => s * (a + b * x + g x)) x (s * b + s * d).
Proof.
  intros D. auto_derive; [eexists; exact D|].
  replace (Derive (fun y => g y) x) with d by (symmetry; apply is_derive_unique; exact D). ring.
Qed.

Lemma with_affine_derive N m s a b f phi x : is_derive (with_affine (S N) m s a b f phi) x
  (s * b + s * (INR (S N) * bernstein N (difference (combination m f phi)) x)).
Proof.
  apply (is_derive_ext (fun x => s * (a + b * x + bernstein (S N) (combination m f phi) x))).
  { intros y. symmetry. apply with_affine_bernstein. }
  apply affine_derive, bernstein_derive.
Qed.

Lemma with_affine_derive2 N m s b f phi x :
  is_derive (fun x => s * b + s * (INR (S (S N)) * bernstein (S N) (difference (combination m f phi)) x)) x
    (s * (INR (S (S N)) * (INR (S N) * bernstein N (difference (difference (combination m f phi))) x))).
Proof.
  set (c := difference (combination m f phi)). set (w := INR (S (S N))).
  pose proof (affine_derive _ x _ (s * w) 0 0 (bernstein_derive N c x)) as D.
  pose proof (affine_derive _ x _ 1 (s * b) 0 D) as D'.
  replace (s * (w * (INR (S N) * bernstein N (difference c) x))) with
    (1 * 0 + 1 * (s * w * 0 + s * w * (INR (S N) * bernstein N (difference c) x))) by (simpl; ring).
  refine (is_derive_ext _ _ _ _ _ D'). intros y. simpl. ring.
Qed.

Lemma bernstein_nonneg N phi x : 0 <= x <= 1 -> (forall k, (k <= N)%nat -> 0 <= phi k) -> 0 <= bernstein N phi x.
Proof.
  intros Hx H. replace 0 with (bernstein N (fun k => 0 * phi k) x) by (rewrite bernstein_scal; ring).
  apply bernstein_le; [exact Hx|]. intros k Hk. rewrite Rmult_0_l. auto.
Qed.

Lemma bernstein_pos N phi x : 0 <= x <= 1 -> (forall k, (k <= N)%nat -> 0 < phi k) -> 0 < bernstein N phi x.
Proof.
  intros Hx H. replace 0 with (bernstein N (fun k => 0 * phi k) x) by (rewrite bernstein_scal; ring).
  apply bernstein_lt; [exact Hx|]. intros k Hk. rewrite Rmult_0_l. auto.
Qed.

Lemma second_difference m f phi k : difference (difference (combination m f phi)) k =
  Sum m (fun i => f i * (phi i (S (S k)) - 2 * phi i (S k) + phi i k)).
Proof.
  unfold difference, combination. rewrite <- !Sum_minus. apply Sum_ext. intros i _. ring.
Qed.

Lemma first_difference m f phi k : difference (combination m f phi) k = Sum m (fun i => f i * (phi i (S k) - phi i k)).
Proof. unfold difference, combination. rewrite <- Sum_minus. apply Sum_ext. intros i _. ring. Qed.

Lemma with_affine_0 m s a b f phi : forall x, with_affine 0 m s a b f phi x = s * (a + b * x + combination m f phi 0).
Proof. intros x. rewrite with_affine_bernstein. reflexivity. Qed.

(** The sign s is 1 or - 1: with - 1 a polynomial is concave, or decreasing. *)
Theorem binomial_mean_convex_if_coefficients_are :
  forall (N m : nat) (s a b : R) (f : nat -> R) (phi : nat -> nat -> R),
  (forall k, (S (S k) <= N)%nat -> 0 <= s * Sum m (fun i => f i * (phi i (S (S k)) - 2 * phi i (S k) + phi i k))) ->
  convex_on unit_interval (fun x => s * (a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x))).
Proof.
  intros N m s a b f phi H. fold (with_affine N m s a b f phi).
  destruct N as [|[|N]].
  - intros x y t _ _ _. rewrite !with_affine_0. nra.
  - intros x y t _ _ _. rewrite !with_affine_bernstein. simpl. nra.
  - apply convex_if_second_derivative_nonnegative with
      (fun x => s * b + s * (INR (S (S N)) * bernstein (S N) (difference (combination m f phi)) x))
      (fun x => s * (INR (S (S N)) * (INR (S N) * bernstein N (difference (difference (combination m f phi))) x))).
    + exact unit_interval_interval.
    + apply continuous_on_continuous. intros x _. apply with_affine_continuous.
    + intros x _. apply with_affine_derive.
    + intros x _. apply with_affine_derive2.
    + intros x Hx. apply inside_unit in Hx.
      assert (0 <= bernstein N (fun k => s * difference (difference (combination m f phi)) k) x).
      { apply bernstein_nonneg; [exact Hx|]. intros k Hk. rewrite second_difference. apply H. lia. }
      rewrite bernstein_scal in H0. pose proof (pos_INR (S (S N))). pose proof (pos_INR (S N)).
      set (e := bernstein N (difference (difference (combination m f phi))) x) in *.
      replace (s * _) with (INR (S (S N)) * (INR (S N) * (s * e)))
        by ring. apply Rmult_le_pos; [assumption|]. apply Rmult_le_pos; assumption.
Qed.

Theorem binomial_mean_strictly_convex_if_coefficients_are :
  forall (N m : nat) (s a b : R) (f : nat -> R) (phi : nat -> nat -> R), (2 <= N)%nat ->
  (forall k, (S (S k) <= N)%nat -> 0 < s * Sum m (fun i => f i * (phi i (S (S k)) - 2 * phi i (S k) + phi i k))) ->
  strictly_convex_on unit_interval (fun x => s * (a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x))).
Proof.
  intros N m s a b f phi HN H. fold (with_affine N m s a b f phi).
  destruct N as [|[|N]]; [lia|lia|].
  apply strictly_convex_if_second_derivative_positive with
    (fun x => s * b + s * (INR (S (S N)) * bernstein (S N) (difference (combination m f phi)) x))
    (fun x => s * (INR (S (S N)) * (INR (S N) * bernstein N (difference (difference (combination m f phi))) x))).
  - exact unit_interval_interval.
  - apply continuous_on_continuous. intros x _. apply with_affine_continuous.
  - intros x _. apply with_affine_derive.
  - intros x _. apply with_affine_derive2.
  - intros x Hx. apply inside_unit in Hx.
    assert (0 < bernstein N (fun k => s * difference (difference (combination m f phi)) k) x).
    { apply bernstein_pos; [exact Hx|]. intros k Hk. rewrite second_difference. apply H. lia. }
    rewrite bernstein_scal in H0. assert (0 < INR (S (S N))) by (apply lt_0_INR; lia).
    assert (0 < INR (S N)) by (apply lt_0_INR; lia).
    set (e := bernstein N (difference (difference (combination m f phi))) x) in *.
    replace (s * _) with (INR (S (S N)) * (INR (S N) * (s * e)))
      by ring. apply Rmult_lt_0_compat; [assumption|]. apply Rmult_lt_0_compat; assumption.
Qed.

Theorem binomial_mean_increasing_if_coefficients_are :
  forall (N m : nat) (s a : R) (f : nat -> R) (phi : nat -> nat -> R),
  (forall k, (S k <= N)%nat -> 0 <= s * Sum m (fun i => f i * (phi i (S k) - phi i k))) ->
  increasing_on unit_interval (fun x => s * (a + Sum m (fun i => f i * binomial_mean N (phi i) x))).
Proof.
  intros N m s a f phi H x y Hx Hy Hxy. rewrite !combined_means. destruct N as [|N]; [simpl; lra|].
  assert (D : forall k, (k < S N)%nat -> (-1 * (s * combination m f phi (S k))) <= -1 * (s * combination m f phi k)).
  { intros k Hk. specialize (H k Hk). rewrite <- first_difference in H. unfold difference in H. lra. }
  pose proof (bernstein_decreases (S N) (fun k => -1 * (s * combination m f phi k)) x y) as B.
  rewrite !bernstein_scal in B. unfold unit_interval in *.
  assert (-1 * (s * bernstein (S N) (combination m f phi) y) <= -1 * (s * bernstein (S N) (combination m f phi) x))
    by (apply B; [lra|lra|exact D]). lra.
Qed.

Theorem binomial_mean_strictly_increasing_if_coefficients_are :
  forall (N m : nat) (s a : R) (f : nat -> R) (phi : nat -> nat -> R), (1 <= N)%nat ->
  (forall k, (S k <= N)%nat -> 0 < s * Sum m (fun i => f i * (phi i (S k) - phi i k))) ->
  strictly_increasing_on unit_interval (fun x => s * (a + Sum m (fun i => f i * binomial_mean N (phi i) x))).
Proof.
  intros N m s a f phi HN H x y Hx Hy Hxy. rewrite !combined_means.
  assert (D : forall k, (k < N)%nat -> (-1 * (s * combination m f phi (S k))) < -1 * (s * combination m f phi k)).
  { intros k Hk. specialize (H k Hk). rewrite <- first_difference in H. unfold difference in H. lra. }
  pose proof (bernstein_decreases_strictly N (fun k => -1 * (s * combination m f phi k)) x y) as B.
  rewrite !bernstein_scal in B. unfold unit_interval in *.
  assert (-1 * (s * bernstein N (combination m f phi) y) < -1 * (s * bernstein N (combination m f phi) x))
    by (apply B; [exact HN|lra|lra|exact D]). lra.
Qed.

(** ** At the ends *)

Lemma with_affine_limit N m a b f phi x (F : (R -> Prop) -> Prop) : filter_le F (locally x) ->
  filterlim (fun x => a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x)) F
    (locally (a + b * x + bernstein N (combination m f phi) x)).
Proof.
  intros HF. apply (filterlim_filter_le_1 (F := locally x)); [exact HF|].
  pose proof (with_affine_continuous N m 1 a b f phi x) as C. unfold continuous in C.
  rewrite with_affine_bernstein in C. rewrite Rmult_1_l in C.
  refine (filterlim_ext _ _ _ C). intros y. unfold with_affine. apply Rmult_1_l.
Qed.

Theorem limit_of_binomial_mean_at_0 : forall (N m : nat) (a b v : R) (f : nat -> R) (phi : nat -> nat -> R),
  a + Sum m (fun i => f i * phi i O) = v ->
  filterlim (fun x => a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x)) (at_right 0) (locally v).
Proof.
  intros N m a b v f phi H. replace v with (a + b * 0 + bernstein N (combination m f phi) 0).
  - apply with_affine_limit, (filter_le_within (F := locally _)).
  - rewrite bernstein_0. unfold combination. lra.
Qed.

Theorem limit_of_binomial_mean_at_1 : forall (N m : nat) (a b v : R) (f : nat -> R) (phi : nat -> nat -> R),
  a + b + Sum m (fun i => f i * phi i N) = v ->
  filterlim (fun x => a + b * x + Sum m (fun i => f i * binomial_mean N (phi i) x)) (at_left 1) (locally v).
Proof.
  intros N m a b v f phi H. replace v with (a + b * 1 + bernstein N (combination m f phi) 1).
  - apply with_affine_limit, (filter_le_within (F := locally _)).
  - rewrite bernstein_1. unfold combination. lra.
Qed.

(** ** Symmetry *)

Theorem binomial_mean_of_failures : forall (N : nat) (phi psi : nat -> R) (x : R),
  (forall k, (k <= N)%nat -> phi k = psi (N - k)%nat) -> binomial_mean N phi x = binomial_mean N psi (1 - x).
Proof.
  intros N phi psi x H. rewrite !binomial_mean_bernstein, (bernstein_ext N phi _ x H). clear H phi.
  apply bernstein_mirrored.
Qed.
