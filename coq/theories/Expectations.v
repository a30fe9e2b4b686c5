(** * Texts, one token at a time

    What is said of texts of any length, of each text or on average, by what one more token in front changes.  The rules
    of texts instantiate these theorems: the numbers of a state are functions of it, and nothing relates two states. *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Rules Texts Patel.
Import ListNotations.

Open Scope R_scope.

Lemma text_expect_sum : forall V M T s m (k : nat -> R) (G : nat -> list nat -> R),
  text_expect V M T s (fun x => Sum m (fun r => k r * G r x)) = Sum m (fun r => k r * text_expect V M T s (G r)).
Proof.
  intros V M T s m k G. induction m as [|m IH]; simpl.
  - transitivity (text_expect V M T s (fun _ => 0 * 0)); [apply text_expect_ext; intros; ring |].
    rewrite (text_expect_scal V M T s 0 (fun _ => 0)). ring.
  - rewrite text_expect_plus, IH, text_expect_scal. reflexivity.
Qed.

(** Numbers F q of a text, each written by the law M q: with one more token a in front of what follows, F q is a sum of
    multiples of the same numbers of what follows, and of 1.  The factors may depend on the means W after each token. *)
Theorem mean_of_one_more_token : forall (V m : nat) (M : nat -> model) (q : nat) (c : R) (k : nat -> R)
    (H : list nat -> R) (F : nat -> list nat -> R) K s,
  is_model V (M q) -> (forall r, k r = 0 \/ M r = M q) ->
  (forall x, text V K x -> H x = c + Sum m (fun r => k r * F r x)) ->
  text_expect V (M q) K s H = c + Sum m (fun r => k r * text_expect V (M r) K s (F r)).
Proof.
  intros V m M q c k H F K s HM Hk HF.
  rewrite (text_expect_ext V (M q) K s H _ HF), text_expect_plus, text_expect_const, text_expect_sum by exact HM.
  f_equal. apply Sum_ext. intros r _. destruct (Hk r) as [-> | ->]; ring.
Qed.

Theorem means_over_texts_by_recursion : forall (V m : nat) (M : nat -> model)
    (F : nat -> nat -> list nat -> list nat -> R) (c : (nat -> nat -> R) -> nat -> list nat -> nat -> R)
    (k : (nat -> nat -> R) -> nat -> nat -> list nat -> nat -> R) (rel : (nat -> R) -> Prop),
  (forall q, is_model V (M q)) -> (forall W q r s a, k W q r s a = 0 \/ M r = M q) ->
  (forall K q s a x, (q < m)%nat -> (a < V)%nat -> text V K x ->
     let W r b := text_expect V (M r) K (s ++ [b]) (F r K (s ++ [b])) in
     F q (S K) s (a :: x) = c W q s a + Sum m (fun r => k W q r s a * F r K (s ++ [a]) x)) ->
  (forall X Y, (forall q, (q < m)%nat -> X q = Y q) -> rel X -> rel Y) ->
  (forall s, rel (fun q => F q O s [])) ->
  (forall s W, (forall a, (a < V)%nat -> rel (fun q => W q a)) ->
     rel (fun q => expect V (M q s) (fun a => c W q s a + Sum m (fun r => k W q r s a * W r a)))) ->
  forall T s, rel (fun q => text_expect V (M q) T s (F q T s)).
Proof.
  intros V m M F c k rel HM Hk HF Hext H0 HS T. induction T as [|T IH]; intro s; [apply H0|].
  set (W := fun r b => text_expect V (M r) T (s ++ [b]) (F r T (s ++ [b]))).
  apply (Hext (fun q => expect V (M q s) (fun a => c W q s a + Sum m (fun r => k W q r s a * W r a)))).
  - intros q Hq. simpl. apply Sum_ext. intros a Ha. f_equal. symmetry.
    apply (mean_of_one_more_token V m M q (c W q s a) (fun r => k W q r s a)); [apply HM | intro r; apply Hk |].
    intros x Hx. apply HF; assumption.
  - apply HS. intros a _. apply IH.
Qed.

(** The same with the derivatives of means along a parameter with which the laws M and the factors move; what a text has
    at its end is held fixed.  Other means, those of G, are not differentiated, and may use the means of what
    follows. *)
Section Moving.
Variables (V m : nat) (M dM : nat -> model) (E : nat -> list nat -> nat -> R).
Variables (c dc : nat -> list nat -> nat -> R) (k dk : nat -> nat -> list nat -> nat -> R).

Fixpoint mean_rate (K : nat) (s : list nat) (q : nat) : R :=
  match K with
  | O => 0
  | S K => Sum V (fun a => dM q s a * (c q s a + Sum m (fun r => k q r s a * E K (s ++ [a]) r))
      + M q s a * (dc q s a + Sum m (fun r => dk q r s a * E K (s ++ [a]) r + k q r s a * mean_rate K (s ++ [a]) r)))
  end.
End Moving.

Lemma is_derive_product : forall (f g : R -> R) x df dg, is_derive f x df -> is_derive g x dg ->
  is_derive (fun u => f u * g u) x (df * g x + f x * dg).
Proof. intros f g x df dg Hf Hg. apply (@is_derive_mult R_AbsRing f g x df dg Hf Hg). intros; apply Rmult_comm. Qed.

Theorem moving_means_over_texts_by_recursion : forall (V m : nat) (theta : R) (M : nat -> R -> model)
    (dM : nat -> model) (F : nat -> R -> list nat -> list nat -> R) (c : nat -> R -> list nat -> nat -> R)
    (dc : nat -> list nat -> nat -> R) (k : nat -> nat -> R -> list nat -> nat -> R)
    (dk : nat -> nat -> list nat -> nat -> R) (l : nat) (N : nat -> model)
    (G : nat -> nat -> list nat -> list nat -> R)
    (g : (nat -> nat -> R) -> (nat -> nat -> R) -> nat -> list nat -> nat -> R)
    (h : (nat -> nat -> R) -> (nat -> nat -> R) -> nat -> nat -> list nat -> nat -> R)
    (rel : (nat -> R) -> (nat -> R) -> (nat -> R) -> Prop),
  (forall q, differentiable_model V (M q) theta (dM q)) ->
  (forall q r, (forall u s a, k q r u s a = 0) \/ M r = M q) ->
  (forall q u s a x, (q < m)%nat -> F q u s (a :: x) = c q u s a + Sum m (fun r => k q r u s a * F r u (s ++ [a]) x)) ->
  (forall q s a, (a < V)%nat -> is_derive (fun u => c q u s a) theta (dc q s a)) ->
  (forall q r s a, (a < V)%nat -> is_derive (fun u => k q r u s a) theta (dk q r s a)) ->
  (forall q u s, F q u s [] = F q theta s []) ->
  (forall q, is_model V (N q)) -> (forall W Y q r s a, h W Y q r s a = 0 \/ N r = N q) ->
  (forall K q s a x, (q < l)%nat -> (a < V)%nat -> text V K x ->
     let W r b := text_expect V (M r theta) K (s ++ [b]) (F r theta (s ++ [b])) in
     let Y r b := text_expect V (N r) K (s ++ [b]) (G r K (s ++ [b])) in
     G q (S K) s (a :: x) = g W Y q s a + Sum l (fun r => h W Y q r s a * G r K (s ++ [a]) x)) ->
  (forall X dX Y X' dX' Y', (forall q, (q < m)%nat -> X q = X' q /\ dX q = dX' q) ->
     (forall q, (q < l)%nat -> Y q = Y' q) -> rel X dX Y -> rel X' dX' Y') ->
  (forall s, rel (fun q => F q theta s []) (fun _ => 0) (fun q => G q O s [])) ->
  (forall s W dW Y, (forall a, (a < V)%nat -> rel (fun q => W q a) (fun q => dW q a) (fun q => Y q a)) ->
     rel (fun q => expect V (M q theta s) (fun a => c q theta s a + Sum m (fun r => k q r theta s a * W r a)))
       (fun q => Sum V (fun a => dM q s a * (c q theta s a + Sum m (fun r => k q r theta s a * W r a))
          + M q theta s a * (dc q s a + Sum m (fun r => dk q r s a * W r a + k q r theta s a * dW r a))))
       (fun q => expect V (N q s) (fun a => g W Y q s a + Sum l (fun r => h W Y q r s a * Y r a)))) ->
  forall T s, exists D, (forall q, (q < m)%nat ->
      is_derive (fun u => text_expect V (M q u) T s (F q u s)) theta (D q)) /\
    rel (fun q => text_expect V (M q theta) T s (F q theta s)) D (fun q => text_expect V (N q) T s (G q T s)).
Proof.
  intros V m theta M dM F c dc k dk l N G g h rel HM Hk HF Hc Hdk H0 HN Hh HG Hext Hb HS T s.
  set (E := fun u K s q => text_expect V (M q u) K s (F q u s)).
  set (D := mean_rate V m (fun q => M q theta) dM (E theta) (fun q => c q theta) dc (fun q r => k q r theta) dk).
  exists (D T s).
  assert (HE : forall u K s q, (q < m)%nat -> is_model V (M q u) -> E u (S K) s q =
    Sum V (fun a => M q u s a * (c q u s a + Sum m (fun r => k q r u s a * E u K (s ++ [a]) r)))).
  { intros u K s' q Hq Hu. apply Sum_ext. intros a Ha. f_equal.
    apply (mean_of_one_more_token V m (fun r => M r u) q (c q u s' a) (fun r => k q r u s' a) _
      (fun r x => F r u (s' ++ [a]) x)); [exact Hu | | intros x _; apply HF, Hq].
    intro r. destruct (Hk q r) as [H | H]; [left; apply H | right; rewrite H; reflexivity]. }
  revert s. induction T as [|T IH]; intro s.
  - split; [intros q Hq | apply Hb]. simpl.
    apply (is_derive_ext (fun _ => F q theta s [])); [intro u; symmetry; apply H0|].
    apply (@is_derive_const R_AbsRing R_NormedModule).
  - split.
    + intros q Hq.
      apply (is_derive_ext_loc (fun u => Sum V (fun a => M q u s a * (c q u s a +
        Sum m (fun r => k q r u s a * E u T (s ++ [a]) r))))).
      { destruct (HM q) as [[e He] _]. exists e. intros u Hu. symmetry. apply (HE u T s q Hq (He u Hu)). }
      simpl. apply (is_derive_Sum V (fun u a => M q u s a * (c q u s a +
        Sum m (fun r => k q r u s a * E u T (s ++ [a]) r)))).
      intros a Ha. apply (is_derive_product (fun u => M q u s a) (fun u => c q u s a +
        Sum m (fun r => k q r u s a * E u T (s ++ [a]) r))); [apply (proj2 (HM q)), Ha|].
      apply (@is_derive_plus R_AbsRing R_NormedModule); [apply Hc, Ha|].
      apply (is_derive_Sum m (fun u r => k q r u s a * E u T (s ++ [a]) r)). intros r Hr.
      apply (is_derive_product (fun u => k q r u s a) (fun u => E u T (s ++ [a]) r)); [apply Hdk, Ha|].
      apply (proj1 (IH (s ++ [a])) r Hr).
    + set (W := fun q a => E theta T (s ++ [a]) q).
      set (Y := fun q a => text_expect V (N q) T (s ++ [a]) (G q T (s ++ [a]))).
      eapply Hext; [| |apply (HS s W (fun q a => D T (s ++ [a]) q) Y); intros a Ha; apply (proj2 (IH (s ++ [a])))].
      * intros q Hq. split; [symmetry; apply (HE theta T s q Hq), (model_at V (M q) theta (dM q) (HM q)) | reflexivity].
      * intros q Hq. simpl. apply Sum_ext. intros a Ha. f_equal. symmetry.
        apply (mean_of_one_more_token V l N q (g W Y q s a) (fun r => h W Y q r s a) _
          (fun r x => G r T (s ++ [a]) x)); [apply HN | intro r; apply Hh |].
        intros x Hx. apply HG; assumption.
Qed.

(** ** Of each text *)

Theorem what_holds_of_every_text : forall (V : nat) (A : nat -> list nat -> list nat -> R)
    (step : list nat -> nat -> (nat -> R) -> nat -> R) (rel : (nat -> R) -> Prop),
  (forall q s a x, A q s (a :: x) = step s a (fun r => A r (s ++ [a]) x) q) ->
  (forall X Y, (forall q, X q = Y q) -> rel X -> rel Y) ->
  (forall s, rel (fun q => A q s [])) ->
  (forall s a v, (a < V)%nat -> rel v -> rel (step s a v)) ->
  forall s x, List.Forall (fun a => (a < V)%nat) x -> rel (fun q => A q s x).
Proof.
  intros V A step rel HA Hext H0 HS s x Hx. revert s. induction Hx as [|a x Ha Hx IH]; intro s; [apply H0|].
  eapply Hext; [intro q; symmetry; apply HA|]. apply HS; [exact Ha | apply IH].
Qed.

(** The product over the tokens of a text of w(state, token). *)
Fixpoint product_along (w : list nat -> nat -> R) (s x : list nat) : R :=
  match x with
  | [] => 1
  | a :: rest => w s a * product_along w (s ++ [a]) rest
  end.

Theorem gradient_along_a_text : forall (V : nat) (w : R -> list nat -> nat -> R) theta dw s x,
  (forall s a, (a < V)%nat -> is_derive (fun u => w u s a) theta (dw s a)) ->
  List.Forall (fun a => (a < V)%nat) x ->
  is_derive (fun u => along (w u) s x) theta (along dw s x) /\
  ((forall s a, (a < V)%nat -> w theta s a <> 0) -> is_derive (fun u => product_along (w u) s x) theta
     (along (fun s a => dw s a / w theta s a) s x * product_along (w theta) s x)).
Proof.
  intros V w theta dw s x Hw Hx. split; [apply (is_derive_along V w); assumption|]. intro Hn. revert s.
  induction Hx as [|a x Ha Hx IH]; intro s; simpl.
  - rewrite Rmult_0_l. apply (@is_derive_const R_AbsRing R_NormedModule).
  - evar_last; [apply (is_derive_product (fun u => w u s a) (fun u => product_along (w u) (s ++ [a]) x));
      [apply Hw, Ha | apply IH]|]. field. apply Hn, Ha.
Qed.

(** ** Averages over texts *)

Theorem average_of_texts_has_the_mean_of_one : forall V M T s F N, is_model V M -> (0 < N)%nat ->
  draws (text_expect V M T s) N (fun sample => mean (map F sample)) = text_expect V M T s F.
Proof.
  intros V M T s F N HM HN. apply mean_over_a_group_has_the_expectation_of_one_member; [|exact HN].
  apply text_expectation, HM.
Qed.

(** ** Totals over all texts *)

Definition text_total (V T : nat) (F : list nat -> R) : R := list_sum (map F (texts V T)).

Lemma text_total_one_more : forall V T F, text_total V (S T) F = Sum V (fun a => text_total V T (fun x => F (a :: x))).
Proof.
  intros V T F. unfold text_total. simpl. rewrite list_sum_flat_map, Sum_list. apply list_sum_ext. intros a _.
  rewrite map_map. reflexivity.
Qed.

Theorem totals_over_texts_by_recursion : forall (V m : nat) (F : nat -> list nat -> list nat -> R)
    (k : nat -> nat -> list nat -> nat -> R) (rel : (nat -> R) -> Prop),
  (forall q s a x, (q < m)%nat -> (a < V)%nat -> F q s (a :: x) = Sum m (fun r => k q r s a * F r (s ++ [a]) x)) ->
  (forall X Y, (forall q, (q < m)%nat -> X q = Y q) -> rel X -> rel Y) ->
  (forall s, rel (fun q => F q s [])) ->
  (forall s W, (forall a, (a < V)%nat -> rel (fun q => W q a)) ->
     rel (fun q => Sum V (fun a => Sum m (fun r => k q r s a * W r a)))) ->
  forall T s, rel (fun q => text_total V T (F q s)).
Proof.
  intros V m F k rel HF Hext H0 HS T. induction T as [|T IH]; intro s.
  - apply (Hext (fun q => F q s [])); [|apply H0]. intros q _. unfold text_total. simpl. ring.
  - apply (Hext (fun q => Sum V (fun a => Sum m (fun r => k q r s a * text_total V T (F r (s ++ [a])))))).
    + intros q Hq. rewrite text_total_one_more. apply Sum_ext. intros a Ha. unfold text_total.
      rewrite (list_sum_ext _ (fun x => Sum m (fun r => k q r s a * F r (s ++ [a]) x)))
        by (intros; apply HF; assumption).
      generalize (texts V T). intro l. induction l as [|x l IHl]; simpl.
      * apply Sum_zero. intros. ring.
      * rewrite <- IHl, <- Sum_plus. apply Sum_ext. intros. ring.
    + apply (HS s (fun q a => text_total V T (F q (s ++ [a])))). intros a _. apply IH.
Qed.
