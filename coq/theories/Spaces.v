(** * Probability spaces

    What the theorems on groups suppose of measurable and integrable functions; all of it holds of every probability
    space, and of all functions under a law of finitely many values. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Groups Variances.

Open Scope R_scope.

(** Numbers made of measurable ones are measurable. *)
Definition algebra {A : Type} (M : (A -> R) -> Prop) : Prop :=
  (forall c, M (fun _ => c)) /\
  (forall f g, M f -> M g -> M (fun a => f a + g a)) /\
  (forall f g, M f -> M g -> M (fun a => f a * g a)) /\
  (forall f, M f -> M (fun a => / f a)) /\
  (forall f, M f -> M (fun a => sqrt (f a))) /\
  (forall f, M f -> M (fun a => if Rle_dec (f a) 0 then 1 else 0)).

(** What remains of a number beyond a bound. *)
Definition beyond {A : Type} (K : R) (f : A -> R) (a : A) : R := if Rle_dec (Rabs (f a)) K then 0 else f a.

(** [S] is the set of outcomes, [M] are the measurable functions, [L] the integrable ones, [E] is the expectation. *)
Definition probability {A : Type} (S : A -> Prop) (M L : (A -> R) -> Prop) (E : (A -> R) -> R) : Prop :=
  algebra M /\ averaging L E /\
  (forall f g, (forall a, S a -> f a = g a) -> M f -> M g) /\
  (forall f g, (forall a, S a -> f a = g a) -> L f -> L g /\ E g = E f) /\
  (forall f, L f -> M f) /\
  (forall f g, M f -> L g -> (forall a, S a -> Rabs (f a) <= Rabs (g a)) -> L f) /\
  (forall f, L f -> (forall a, S a -> 0 <= f a) -> 0 <= E f) /\
  (forall f, L f -> is_lim_seq (fun K => E (beyond (INR K) f)) 0).

(** The number [f] has the expectation [v]. *)
Definition has {A : Type} (L : (A -> R) -> Prop) (E : (A -> R) -> R) (f : A -> R) (v : R) : Prop := L f /\ E f = v.

Section Space.
Context {A : Type} {S : A -> Prop} {M L : (A -> R) -> Prop} {E : (A -> R) -> R} (P : probability S M L E).
Implicit Types f g : A -> R.

Let PM : algebra M := proj1 P.
Let PA : averaging L E := proj1 (proj2 P).
Let P2 := proj2 (proj2 P).

Lemma m_const c : M (fun _ => c).
Proof. apply PM. Qed.
Lemma m_plus f g : M f -> M g -> M (fun a => f a + g a).
Proof. apply PM. Qed.
Lemma m_mult f g : M f -> M g -> M (fun a => f a * g a).
Proof. apply PM. Qed.
Lemma m_inv f : M f -> M (fun a => / f a).
Proof. apply PM. Qed.
Lemma m_sqrt f : M f -> M (fun a => sqrt (f a)).
Proof. apply PM. Qed.
Lemma m_at_most f : M f -> M (fun a => if Rle_dec (f a) 0 then 1 else 0).
Proof. apply PM. Qed.
Lemma m_ext f g : (forall a, S a -> f a = g a) -> M f -> M g.
Proof. apply P2. Qed.

Lemma m_scal c f : M f -> M (fun a => c * f a).
Proof. intros H. apply m_mult; [apply m_const | exact H]. Qed.

Lemma m_minus f g : M f -> M g -> M (fun a => f a - g a).
Proof.
  intros Hf Hg. apply (m_ext (fun a => f a + -1 * g a)); [intros; ring|]. apply m_plus; [exact Hf | apply m_scal, Hg].
Qed.

Lemma m_div f g : M f -> M g -> M (fun a => f a / g a).
Proof. intros Hf Hg. apply m_mult; [exact Hf | apply m_inv, Hg]. Qed.

Lemma m_square f : M f -> M (fun a => f a ^ 2).
Proof. intros H. apply (m_ext (fun a => f a * f a)); [intros; ring | apply m_mult; exact H]. Qed.

Lemma m_abs f : M f -> M (fun a => Rabs (f a)).
Proof.
  intros H. apply (m_ext (fun a => sqrt (f a ^ 2))); [|apply m_sqrt, m_square, H]. intros a _.
  replace (f a ^ 2) with (Rsqr (f a)) by (unfold Rsqr; ring). apply sqrt_Rsqr_abs.
Qed.

Lemma m_sum n (f : nat -> A -> R) : (forall i, (i < n)%nat -> M (f i)) -> M (fun a => Sum n (fun i => f i a)).
Proof.
  induction n as [|n IH]; intros H; simpl; [apply m_const|].
  apply m_plus; [apply IH; intros; apply H; lia | apply H; lia].
Qed.

Lemma m_beyond K f : M f -> M (beyond K f).
Proof.
  intros H. apply (m_ext (fun a => (1 - (if Rle_dec (Rabs (f a) - K) 0 then 1 else 0)) * f a)).
  - intros a _. unfold beyond. do 2 destruct Rle_dec; lra.
  - apply m_mult; [|exact H]. apply m_minus; [apply m_const|].
    apply m_at_most, m_minus; [apply m_abs, H | apply m_const].
Qed.

Lemma measurable f v : has L E f v -> M f.
Proof. intros [H _]. apply P2, H. Qed.

Lemma has_const c : has L E (fun _ => c) c.
Proof. exact (average_const L E PA c). Qed.

Lemma has_ext f g v : (forall a, S a -> f a = g a) -> has L E f v -> has L E g v.
Proof. intros H [Hf <-]. apply P2; assumption. Qed.

Lemma has_plus f g u v : has L E f u -> has L E g v -> has L E (fun a => f a + g a) (u + v).
Proof. intros [Hf <-] [Hg <-]. apply PA; assumption. Qed.

Lemma has_scal c f v : has L E f v -> has L E (fun a => c * f a) (c * v).
Proof. intros [Hf <-]. apply PA; assumption. Qed.

Lemma has_minus f g u v : has L E f u -> has L E g v -> has L E (fun a => f a - g a) (u - v).
Proof.
  intros Hf Hg. replace (u - v) with (u + -1 * v) by ring. apply (has_ext (fun a => f a + -1 * g a)); [intros; ring|].
  apply has_plus; [exact Hf | apply has_scal, Hg].
Qed.

Lemma has_sum n (f : nat -> A -> R) v : (forall i, (i < n)%nat -> has L E (f i) (v i)) ->
  has L E (fun a => Sum n (fun i => f i a)) (Sum n v).
Proof.
  intros H. destruct (average_sum L E PA n f) as [Hs Es]; [intros; apply H; assumption|]. split; [exact Hs|].
  rewrite Es. apply Sum_ext. intros i Hi. apply H, Hi.
Qed.

Lemma has_one_value f u v : has L E f u -> has L E f v -> u = v.
Proof. intros [_ <-] [_ <-]. reflexivity. Qed.

Lemma has_le f g u v : (forall a, S a -> f a <= g a) -> has L E f u -> has L E g v -> u <= v.
Proof.
  intros H Hf Hg. pose proof (has_minus g f v u Hg Hf) as [Hm Em].
  assert (0 <= E (fun a => g a - f a)) by (apply P2; [exact Hm | intros a Ha; specialize (H a Ha); lra]). lra.
Qed.

Lemma has_nonneg f v : (forall a, S a -> 0 <= f a) -> has L E f v -> 0 <= v.
Proof. intros H Hf. exact (has_le (fun _ => 0) f 0 v H (has_const 0) Hf). Qed.

Lemma dominated f g : M f -> L g -> (forall a, S a -> Rabs (f a) <= Rabs (g a)) -> has L E f (E f).
Proof. intros Hf Hg H. split; [|reflexivity]. apply P2 with g; assumption. Qed.

Lemma bounded f B : M f -> (forall a, S a -> Rabs (f a) <= B) -> has L E f (E f).
Proof.
  intros Hf H. apply (dominated f (fun _ => B) Hf); [apply has_const|]. intros a Ha.
  eapply Rle_trans; [apply H, Ha | apply Rle_abs].
Qed.

Lemma absolute f v : has L E f v -> has L E (fun a => Rabs (f a)) (E (fun a => Rabs (f a))).
Proof.
  intros H. apply (dominated _ f); [apply m_abs, (measurable f v H) | apply H |]. intros a _. rewrite Rabs_Rabsolu. lra.
Qed.

(** Where two squares have expectations, the product has one; Cauchy and Schwarz. *)
Lemma product f g u v : M f -> M g -> has L E (fun a => f a ^ 2) u -> has L E (fun a => g a ^ 2) v ->
  exists c, has L E (fun a => f a * g a) c /\ c ^ 2 <= u * v.
Proof.
  intros Mf Mg Hf Hg. pose proof (has_plus _ _ _ _ Hf Hg) as Hs.
  assert (H : has L E (fun a => f a * g a) (E (fun a => f a * g a))).
  { apply (dominated _ (fun a => f a ^ 2 + g a ^ 2)); [apply m_mult; assumption | apply Hs |].
    intros a _. rewrite (Rabs_pos_eq (_ + _)) by (pose proof (pow2_ge_0 (f a)); pose proof (pow2_ge_0 (g a)); lra).
    apply Rabs_le. split; pose proof (pow2_ge_0 (f a + g a)); pose proof (pow2_ge_0 (f a - g a)); nra. }
  set (c := E (fun a => f a * g a)) in *. exists c. split; [exact H|].
  assert (Q : forall s t, 0 <= s ^ 2 * u + 2 * s * t * c + t ^ 2 * v).
  { intros s t. apply (has_nonneg (fun a => (s * f a + t * g a) ^ 2)); [intros; apply pow2_ge_0|].
    apply (has_ext (fun a => s ^ 2 * f a ^ 2 + 2 * s * t * (f a * g a) + t ^ 2 * g a ^ 2)); [intros; ring|].
    repeat apply has_plus; apply has_scal; assumption. }
  assert (0 <= v) by (apply (has_nonneg _ v (fun a _ => pow2_ge_0 (g a)) Hg)).
  destruct (Req_dec v 0) as [Z|N].
  - pose proof (has_nonneg _ u (fun a _ => pow2_ge_0 (f a)) Hf). pose proof (Q c (- (u + 1))) as K. rewrite Z in *.
    assert (c ^ 2 * (u + 2) <= 0) by nra. assert (c ^ 2 = 0) by nra. lra.
  - pose proof (Q v (- c)) as K. assert (0 <= v * (u * v - c ^ 2)) by nra. nra.
Qed.

(** An integrable number is integrable beyond each bound, and tends to nothing there. *)
Lemma far_part f v : has L E f v ->
  (forall K, has L E (fun a => Rabs (beyond K f a)) (E (fun a => Rabs (beyond K f a)))) /\
  is_lim_seq (fun K => E (fun a => Rabs (beyond (INR K) f a))) 0.
Proof.
  intros H. pose proof (measurable f v H) as Mf. split.
  - intros K. apply (dominated _ f); [apply m_abs, m_beyond, Mf | apply H |]. intros a _. rewrite Rabs_Rabsolu.
    unfold beyond. destruct Rle_dec; [rewrite Rabs_R0; apply Rabs_pos | lra].
  - pose proof (absolute f v H) as [Ha _]. apply (is_lim_seq_ext (fun K => E (beyond (INR K) (fun a => Rabs (f a))))).
    + intros K. apply P2.
      * intros a _. unfold beyond. rewrite Rabs_Rabsolu. destruct Rle_dec; [rewrite Rabs_R0|]; reflexivity.
      * apply (dominated _ f); [apply m_abs, m_beyond, Mf | apply H |]. intros a _. rewrite Rabs_Rabsolu.
        unfold beyond. destruct Rle_dec; [rewrite Rabs_R0; apply Rabs_pos | lra].
    + apply P2, Ha.
Qed.

End Space.

(** Under a law of finitely many values every function is measurable and integrable. *)
Lemma finite_probability : forall (A : Type) (S : A -> Prop) (E : (A -> R) -> R), expectation E ->
  (forall f g, (forall a, S a -> f a = g a) -> E f = E g) -> probability S (fun _ => True) (fun _ => True) E.
Proof.
  intros A S E HE HS. split; [repeat split; intros; exact I|]. split; [apply expectation_is_averaging, HE|].
  split; [intros; exact I|]. split; [intros f g H _; split; [exact I | symmetry; apply HS, H]|].
  split; [intros; exact I|]. split; [intros; exact I|]. split.
  - intros f _ H.
    rewrite (HS f (fun a => Rabs (f a))) by (intros a Ha; rewrite Rabs_pos_eq; [reflexivity | apply H, Ha]).
    apply (E_nonneg E HE). intros a. apply Rabs_pos.
  - intros f _. destruct HE as (l & H0 & H1 & H).
    assert (B : exists B, forall w, In w l -> Rabs (f (snd w)) <= B).
    { clear. induction l as [|w l [B HB]]; [exists 0; intros w []|]. exists (Rmax (Rabs (f (snd w))) B).
      intros v [<- | Hv]; [apply Rmax_l | eapply Rle_trans; [apply HB, Hv | apply Rmax_r]]. }
    destruct B as [B HB]. destruct (nfloor_ex (Rmax 0 B)) as [k Hk]; [apply Rmax_l|].
    apply (is_lim_seq_ext_loc (fun _ => 0)); [|apply is_lim_seq_const]. exists (k + 1)%nat. intros K HK. rewrite H.
    rewrite (list_sum_ext _ (fun _ => 0)); [rewrite list_sum_const; ring|]. intros w Hw. unfold beyond.
    destruct Rle_dec as [_ | Hn]; [ring|]. exfalso. apply Hn. eapply Rle_trans; [apply HB, Hw|].
    apply Rle_trans with (INR k + 1); [|rewrite <- S_INR; apply le_INR; lia].
    pose proof (Rmax_r 0 B). unfold INR in *. lra.
Qed.
