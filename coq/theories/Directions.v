(** * Directions

    A gradient over texts is a linear form in the rates of the logits, which are any at every state: it vanishes in
    every direction exactly where its coefficients do. *)

From Coq Require Import Reals Lra Lia List.
From GrpoSymbolic Require Import Sums Policies Groups Texts.
Import ListNotations.

Open Scope R_scope.

(** The sum over the tokens of a text of w(tokens left after it, state, token). *)
Fixpoint along_left (w : nat -> list nat -> nat -> R) (s x : list nat) : R :=
  match x with
  | [] => 0
  | a :: rest => w (length rest) s a + along_left w (s ++ [a]) rest
  end.

Section Forms.
Variables (V m : nat) (M : nat -> model) (B : nat -> nat -> list nat -> nat -> R).
Hypothesis models : forall q, (q < m)%nat -> is_model V (M q).

(** One law's part of the form. *)
Definition part (rate : list nat -> nat -> R) (q T : nat) (s : list nat) : R :=
  text_expect V (M q) T s (along_left (fun K s' a => rate s' a * B q K s' a) s).

Lemma part_one_more : forall rate q T s, (q < m)%nat ->
  part rate q (S T) s = Sum V (fun a => M q s a * (rate s a * B q T s a + part rate q T (s ++ [a]))).
Proof.
  intros rate q T s Hq. unfold part. simpl. unfold expect. apply Sum_ext. intros a _. f_equal.
  rewrite <- (text_expect_const V (M q) T (s ++ [a]) (rate s a * B q T s a)) by (apply models, Hq).
  rewrite <- text_expect_plus. apply text_expect_ext. intros x [Hx _]. rewrite Hx. reflexivity.
Qed.

(** The form of all laws, each with a factor. *)
Definition form (rate : list nat -> nat -> R) (c : nat -> R) (T : nat) (s : list nat) : R :=
  Sum m (fun q => c q * part rate q T s).

Lemma form_one_more : forall rate c T s, form rate c (S T) s =
  Sum V (fun a => rate s a * Sum m (fun q => c q * (M q s a * B q T s a))
    + form rate (fun q => c q * M q s a) T (s ++ [a])).
Proof.
  intros rate c T s. unfold form.
  rewrite (Sum_ext m _ (fun q => Sum V (fun a => c q * (M q s a * (rate s a * B q T s a + part rate q T (s ++ [a])))))).
  - rewrite Sum_swap. apply Sum_ext. intros a _. rewrite <- Sum_scal, <- Sum_plus. apply Sum_ext. intros q _. ring.
  - intros q Hq. rewrite part_one_more by exact Hq. symmetry. apply Sum_scal.
Qed.

Lemma form_of_no_rate : forall rate c T s, (forall x a, rate (s ++ x) a = 0) -> form rate c T s = 0.
Proof.
  intros rate c T. revert c. induction T as [|T IH]; intros c s H.
  - unfold form, part. simpl. apply Sum_zero. intros; ring.
  - rewrite form_one_more. apply Sum_zero. intros a _. rewrite IH.
    + specialize (H [] a). rewrite app_nil_r in H. rewrite H. ring.
    + intros x b. rewrite <- app_assoc. apply H.
Qed.

Lemma form_of_same_rates : forall rate rate' c T s, (forall x a, rate (s ++ x) a = rate' (s ++ x) a) ->
  form rate c T s = form rate' c T s.
Proof.
  intros rate rate' c T. revert c. induction T as [|T IH]; intros c s H.
  - reflexivity.
  - rewrite !form_one_more. apply Sum_ext. intros a _. f_equal.
    + specialize (H [] a). rewrite app_nil_r in H. rewrite H. reflexivity.
    + apply IH. intros x b. rewrite <- !app_assoc. apply H.
Qed.

Lemma only_term : forall n k f, (k < n)%nat -> (forall i, (i < n)%nat -> i <> k -> f i = 0) -> Sum n f = f k.
Proof.
  intros n k f Hk H. rewrite <- (Sum_at_index n k (f k) Hk). apply Sum_ext. intros i Hi. unfold at_index.
  destruct (Nat.eqb_spec i k) as [-> | Hne]; [reflexivity | apply H; assumption].
Qed.

Theorem form_vanishes_in_every_direction : forall (T : nat) (c : nat -> R) (s : list nat),
  (forall rate, form rate c T s = 0) <->
  (forall x K a, text V (length x) x -> (length x + S K)%nat = T -> (a < V)%nat ->
    Sum m (fun q => c q * (text_prob (M q) s x * (M q (s ++ x) a * B q K (s ++ x) a))) = 0).
Proof.
  induction T as [|T IH]; intros c s; split.
  - intros _ x K a _ H. lia.
  - intros _ rate. apply Sum_zero. intros. unfold part. simpl. ring.
  - intros H x K a Hx Hlen Ha. destruct x as [|b x].
    + simpl in Hlen. assert (K = T) by lia. subst K. rewrite app_nil_r.
      pose (rate := fun (s' : list nat) (a' : nat) =>
        if Nat.eqb (length s') (length s) then if Nat.eqb a' a then 1 else 0 else 0).
      specialize (H rate). rewrite form_one_more in H. rewrite (only_term V a) in H; [| exact Ha |].
      * rewrite form_of_no_rate in H.
        -- unfold rate in H. rewrite !Nat.eqb_refl in H. rewrite <- H, Rmult_1_l, Rplus_0_r. apply Sum_ext. intros q _.
           simpl. ring.
        -- intros x a'. unfold rate. rewrite !app_length. simpl.
           destruct (Nat.eqb_spec (length s + 1 + length x) (length s)); [lia | reflexivity].
      * intros i _ Hi. rewrite form_of_no_rate.
        -- unfold rate. rewrite Nat.eqb_refl. destruct (Nat.eqb_spec i a); [contradiction | ring].
        -- intros x a'. unfold rate. rewrite !app_length. simpl.
           destruct (Nat.eqb_spec (length s + 1 + length x) (length s)); [lia | reflexivity].
    + destruct Hx as [_ Hx]. inversion Hx as [|? ? Hb Hrest]; subst.
      assert (Hnext : forall rate, form rate (fun q => c q * M q s b) T (s ++ [b]) = 0).
      { intro rate.
        pose (only := fun (s' : list nat) (a' : nat) =>
          if Nat.eqb (nth (length s) s' V) b then rate s' a' else 0).
        assert (Hs : forall a', only s a' = 0).
        { intro a'. unfold only. rewrite nth_overflow by lia. destruct (Nat.eqb_spec V b); [lia | reflexivity]. }
        assert (Hat : forall d y, nth (length s) ((s ++ [d]) ++ y) V = d).
        { intros d y. rewrite <- app_assoc, app_nth2 by lia. rewrite Nat.sub_diag. reflexivity. }
        specialize (H only). rewrite form_one_more in H. rewrite (only_term V b) in H; [| exact Hb |].
        - rewrite Hs, Rmult_0_l, Rplus_0_l in H. rewrite <- H. apply form_of_same_rates. intros y a'. unfold only.
          rewrite Hat, Nat.eqb_refl. reflexivity.
        - intros i _ Hi. rewrite Hs, form_of_no_rate; [ring|]. intros y a'. unfold only. rewrite Hat.
          destruct (Nat.eqb_spec i b); [contradiction | reflexivity]. }
      simpl in Hlen. pose proof (proj1 (IH _ _) Hnext x K a (conj eq_refl Hrest) ltac:(lia) Ha) as E.
      rewrite <- app_assoc in E. rewrite <- E. apply Sum_ext. intros q _. simpl. ring.
  - intros H rate. rewrite form_one_more. apply Sum_zero. intros a Ha.
    assert (H0 : Sum m (fun q => c q * (M q s a * B q T s a)) = 0).
    { specialize (H [] T a (conj eq_refl (Forall_nil _)) ltac:(simpl; lia) Ha). rewrite app_nil_r in H. rewrite <- H.
      apply Sum_ext. intros q _. simpl. ring. }
    rewrite H0, Rmult_0_r, Rplus_0_l. apply (proj2 (IH (fun q => c q * M q s a) (s ++ [a]))).
    intros x K b [_ Hx] Hlen Hb.
    assert (Hax : text V (length (a :: x)) (a :: x)) by (split; [reflexivity | constructor; assumption]).
    specialize (H (a :: x) K b Hax ltac:(simpl; lia) Hb).
    rewrite <- app_assoc. simpl. rewrite <- H. apply Sum_ext. intros q _. simpl. ring.
Qed.

End Forms.
