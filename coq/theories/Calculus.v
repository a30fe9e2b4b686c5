(** Small facts of analysis on the line, in the forms that the papers' theorems use. *)

From Coq Require Import Reals Lra Lia.
From Coquelicot Require Import Coquelicot.
Open Scope R_scope.

(** * Rules of differentiation for real functions *)

Lemma derive_const (c x : R) : is_derive (fun _ : R => c) x 0.
Proof. apply (is_derive_const c x). Qed.

Lemma derive_plus (f g : R -> R) (x a b : R) :
  is_derive f x a -> is_derive g x b -> is_derive (fun t => f t + g t) x (a + b).
Proof. apply (is_derive_plus f g x a b). Qed.

Lemma derive_minus (f g : R -> R) (x a b : R) :
  is_derive f x a -> is_derive g x b -> is_derive (fun t => f t - g t) x (a - b).
Proof. apply (is_derive_minus f g x a b). Qed.

Lemma derive_scal (f : R -> R) (c x a : R) : is_derive f x a -> is_derive (fun t => c * f t) x (c * a).
Proof. apply (is_derive_scal f x c a). Qed.

Lemma derive_comp (f g : R -> R) (x a b : R) :
  is_derive f (g x) a -> is_derive g x b -> is_derive (fun t => f (g t)) x (b * a).
Proof. apply (is_derive_comp f g x a b). Qed.

Lemma derive_ext (f g : R -> R) (x a : R) : (forall t, f t = g t) -> is_derive f x a -> is_derive g x a.
Proof. apply (is_derive_ext f g x a). Qed.

Lemma derive_unique (f : R -> R) (x a b : R) : is_derive f x a -> is_derive f x b -> a = b.
Proof. intros H H'. rewrite <- (is_derive_unique f x a H). apply is_derive_unique, H'. Qed.

(** * The logarithm and its tangent *)

Lemma ln_below u : 0 < u -> u <> 1 -> ln u < u - 1.
Proof.
  intros H N. assert (Z : ln u <> 0) by (intros Z; apply N; apply ln_inv; rewrite ?ln_1; lra).
  pose proof (exp_ineq1 (ln u) Z) as K. rewrite exp_ln in K by exact H. lra.
Qed.

Lemma ln_below_le u : 0 < u -> ln u <= u - 1.
Proof. intros H. destruct (Req_dec u 1) as [->|N]; [rewrite ln_1; lra|]. left. apply ln_below; assumption. Qed.

(** * One-sided maxima *)

(** A function with a maximum at the left end of an interval does not rise there. *)
Lemma right_maximum (f : R -> R) (d eps : R) : 0 < eps -> is_derive f 0 d ->
  (forall t, 0 <= t < eps -> f t <= f 0) -> d <= 0.
Proof.
  intros He H M. apply Rnot_lt_le. intros Hd.
  apply is_derive_Reals in H. destruct (H (d / 2)) as (delta & K); [lra|].
  set (t := Rmin (delta / 2) (eps / 2)).
  assert (0 < t) by (apply Rmin_pos; pose proof (cond_pos delta); lra).
  assert (t <= delta / 2) by apply Rmin_l. assert (t <= eps / 2) by apply Rmin_r.
  assert (Rabs t < delta) by (rewrite Rabs_right by lra; pose proof (cond_pos delta); lra).
  specialize (K t ltac:(lra) H3). rewrite Rplus_0_l in K. apply Rabs_lt_between in K.
  assert (f t - f 0 <= 0) by (pose proof (M t ltac:(lra)); lra).
  assert ((f t - f 0) / t <= 0).
  { apply Rmult_le_reg_r with t; [assumption|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra. }
  lra.
Qed.

(** * Monotonicity from the sign of the derivative *)

Lemma rises (f df : R -> R) (a b : R) : a < b ->
  (forall x, a <= x <= b -> is_derive f x (df x)) -> (forall x, a < x < b -> 0 < df x) -> f a < f b.
Proof.
  intros H D P. destruct (MVT_cor2 f df a b H) as (c & E & Hc).
  - intros c Hc. apply is_derive_Reals, D, Hc.
  - assert (0 < df c * (b - a)) by (apply Rmult_lt_0_compat; [apply P, Hc|lra]). lra.
Qed.

Lemma falls (f df : R -> R) (a b : R) : a < b ->
  (forall x, a <= x <= b -> is_derive f x (df x)) -> (forall x, a < x < b -> df x < 0) -> f b < f a.
Proof.
  intros H D P. destruct (MVT_cor2 f df a b H) as (c & E & Hc).
  - intros c Hc. apply is_derive_Reals, D, Hc.
  - assert (df c * (b - a) < 0) by (pose proof (P c Hc); nra). lra.
Qed.

(** * Zeros from a change of sign *)

Lemma zero_rising (f : R -> R) (a b : R) : a < b ->
  (forall x, a <= x <= b -> continuous f x) -> f a < 0 -> 0 < f b -> exists x, a < x < b /\ f x = 0.
Proof.
  intros H C A B. destruct (Ranalysis5.IVT_interv f a b) as (x & Hx & E); try assumption.
  - intros x Hx. apply continuity_pt_filterlim, C, Hx.
  - exists x. split; [|exact E]. split; (destruct Hx as [[|] [|]]; try assumption; subst; lra).
Qed.

Lemma zero_falling (f : R -> R) (a b : R) : a < b ->
  (forall x, a <= x <= b -> continuous f x) -> 0 < f a -> f b < 0 -> exists x, a < x < b /\ f x = 0.
Proof.
  intros H C A B. destruct (zero_rising (fun x => - f x) a b H) as (x & Hx & E).
  - intros x Hx. apply (continuous_opp (V := R_NormedModule)), C, Hx.
  - lra.
  - lra.
  - exists x. split; [exact Hx|lra].
Qed.

Lemma derive_continuous (f : R -> R) (x a : R) : is_derive f x a -> continuous f x.
Proof. intros H. apply (ex_derive_continuous (V := R_NormedModule)). exists a. exact H. Qed.

(** * Signs near a point, and extrema *)

Lemma positive_near (f : R -> R) (x : R) : continuous f x -> 0 < f x ->
  exists e, 0 < e /\ forall z, Rabs (z - x) < e -> 0 < f z.
Proof.
  intros C H. destruct (C (fun y => 0 < y)) as (e & K).
  - exists (mkposreal _ H). intros y Hy. apply Rabs_lt_between in Hy. unfold minus, plus, opp in Hy. simpl in Hy. lra.
  - exists e. split; [apply cond_pos|]. intros z Hz. apply K, Hz.
Qed.

Lemma negative_near (f : R -> R) (x : R) : continuous f x -> f x < 0 ->
  exists e, 0 < e /\ forall z, Rabs (z - x) < e -> f z < 0.
Proof.
  intros C H. destruct (positive_near (fun z => - f z) x) as (e & He & K).
  - apply (continuous_opp (V := R_NormedModule)), C.
  - lra.
  - exists e. split; [exact He|]. intros z Hz. specialize (K z Hz). lra.
Qed.

(** A function that rises up to x and falls after it has a strict maximum there. *)
Lemma strict_peak (f df : R -> R) (x e : R) : 0 < e ->
  (forall z, Rabs (z - x) < e -> is_derive f z (df z)) ->
  (forall z, Rabs (z - x) < e -> z < x -> 0 < df z) -> (forall z, Rabs (z - x) < e -> x < z -> df z < 0) ->
  forall z, Rabs (z - x) < e -> z <> x -> f z < f x.
Proof.
  intros He D L R z Hz N. apply Rabs_lt_between in Hz.
  assert (A : forall y, z <= y <= x \/ x <= y <= z -> Rabs (y - x) < e) by (intros; apply Rabs_lt_between; lra).
  destruct (Rtotal_order z x) as [H|[H|H]]; [|contradiction|].
  - apply (rises f df); [exact H|intros; apply D, A; lra|]. intros y Hy. apply L; [apply A; lra|lra].
  - apply (falls f df); [exact H|intros; apply D, A; lra|]. intros y Hy. apply R; [apply A; lra|lra].
Qed.
