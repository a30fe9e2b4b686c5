(** * Iterations of a map that falls and then rises *)

From Coq Require Import Reals Lra Lia Classical.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Rules Sentences.
Open Scope R_scope.

Lemma converges_later : forall (x : nat -> R) (k : nat) (l : R),
  converges_to (fun n => x (n + k)%nat) l -> converges_to x l.
Proof. intros x k l H. apply (is_lim_seq_incr_n x k). exact H. Qed.

(** Members that stay where a continuous map increases converge to a fixed point. *)
Lemma increasing_where_the_members_are : forall (f : R -> R) (a b : R) (x : nat -> R),
  continuous_on (closed_interval a b) f -> increasing_on (closed_interval a b) f -> iteration f x ->
  (forall n, a <= x n <= b) -> exists l, a <= l <= b /\ f l = l /\ converges_to x l.
Proof.
  intros f a b x Hc Hinc Hit Hx.
  assert (L : exists l, a <= l <= b /\ converges_to x l).
  { destruct (Rle_lt_dec (x 0%nat) (x 1%nat)) as [Up | Down].
    - assert (M : forall n, x n <= x (S n)).
      { intro n. induction n; [exact Up|]. rewrite (Hit n), (Hit (S n)). apply Hinc; auto; apply Hx. }
      destruct (increasing_bounded_sequence_converges x b M) as [l [Hl [Hb Hxl]]]; [intro n; apply Hx|].
      exists l. split; [|exact Hl]. specialize (Hxl 0%nat). specialize (Hx 0%nat). lra.
    - assert (M : forall n, x (S n) <= x n).
      { intro n. induction n; [lra|]. rewrite (Hit n), (Hit (S n)). apply Hinc; auto; apply Hx. }
      destruct (decreasing_bounded_sequence_converges x a M) as [l [Hl [Hb Hxl]]]; [intro n; apply Hx|].
      exists l. split; [|exact Hl]. specialize (Hxl 0%nat). specialize (Hx 0%nat). lra. }
  destruct L as [l [Hl Hlim]]. exists l. split; [exact Hl|]. split; [|exact Hlim].
  apply limit_of_iteration_is_fixed_point with (closed_interval a b) x; auto.
Qed.

(** Either the members stay where the map rises, or one of them comes to where it falls. If the least value lies there,
    the map sends what is between it and the turning point to the same, and exchanges no two numbers of it. *)
Theorem falling_then_rising_map_converges : forall (f : R -> R) (a m b : R) (x : nat -> R), a <= m <= b ->
  continuous_on (closed_interval a b) f -> decreasing_on (closed_interval a m) f ->
  increasing_on (closed_interval m b) f -> (forall y, a <= y <= b -> a <= f y <= b) ->
  (f m < m -> f (f m) <= m) ->
  (forall y z, f m <= y -> y < z -> z <= m -> ~ (f y = z /\ f z = y)) ->
  a <= x 0%nat <= b -> iteration f x -> exists l, a <= l <= b /\ f l = l /\ converges_to x l.
Proof.
  intros f a m b x Hm Hc Hdec Hinc Hmap Hback Hno H0 Hit.
  assert (Hx : forall n, a <= x n <= b) by (apply (invariant_set_of_iteration (closed_interval a b) f); assumption).
  assert (Least : forall n, f m <= x (S n)).
  { intro n. rewrite Hit. destruct (Hx n). destruct (Rle_lt_dec (x n) m).
    - apply Hdec; unfold closed_interval; lra.
    - apply Hinc; unfold closed_interval; lra. }
  destruct (classic (exists n, x (S n) < m)) as [[n Hn] | Never].
  - assert (Hfm : f m < m) by (specialize (Least n); lra). specialize (Hback Hfm).
    assert (Hlow : a <= f m) by (apply Hmap; lra).
    assert (Inv : forall y, f m <= y <= m -> f m <= f y <= m).
    { intros y Hy. split.
      - apply Hdec; unfold closed_interval; lra.
      - apply Rle_trans with (f (f m)); [apply Hdec; unfold closed_interval; lra | exact Hback]. }
    destruct (decreasing_map_even_and_odd_iterates_converge f (f m) m (fun k => x (k + S n)%nat))
      as [e [o [He [Ho [Hle [Hlo [Hfe Hfo]]]]]]].
    + apply continuous_on_incl with (closed_interval a b); [|exact Hc]. unfold closed_interval. intros. lra.
    + intros y z Hy Hz Hyz. apply Hdec; unfold closed_interval in *; lra.
    + exact Inv.
    + simpl. specialize (Least n). lra.
    + intro k. simpl. apply Hit.
    + assert (E : e = o).
      { destruct (Rtotal_order e o) as [L | [E | G]]; [exfalso | exact E | exfalso].
        - apply (Hno e o); try (split; assumption); lra.
        - apply (Hno o e); try (split; assumption); lra. }
      rewrite <- E in Hlo, Hfe. exists e. split; [lra|]. split; [exact Hfe|]. apply converges_later with (S n).
      apply converges_to_from_even_and_odd; assumption.
  - destruct (increasing_where_the_members_are f m b (fun n => x (n + 1)%nat)) as [l [Hl [Hfl Hlim]]].
    + apply continuous_on_incl with (closed_interval a b); [|exact Hc]. unfold closed_interval. intros. lra.
    + exact Hinc.
    + intro n. apply Hit.
    + intro n. replace (n + 1)%nat with (S n) by lia. split; [|apply Hx].
      apply Rnot_lt_le. intro L. apply Never. exists n. exact L.
    + exists l. split; [lra|]. split; [exact Hfl|]. apply converges_later with 1%nat. exact Hlim.
Qed.
