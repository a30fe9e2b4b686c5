(** * What the expected advantages of a group amount to

    [P o] is the expected advantage of a member with the output [o], in groups of independent outputs of a policy. *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Spaces LargeGroups.
Import ListNotations.
Open Scope R_scope.

Lemma mean_advantage_times_reward : forall g, g <> [] -> mean (map (fun x => advantage g x * x) g) = deviation g.
Proof.
  intros g Hg. pose proof (length_pos g Hg) as L. destruct (Req_dec (deviation g) 0) as [H0 | Hn].
  - rewrite H0. unfold mean. rewrite map_length. rewrite (list_sum_ext _ (fun _ => 0)).
    + rewrite list_sum_const. unfold Rdiv. ring.
    + intros x Hx. rewrite (advantage_of_equals g x Hx H0). ring.
  - apply Rmult_eq_reg_r with (deviation g); [|exact Hn].
    replace (deviation g * deviation g) with (deviation g ^ 2) by ring. rewrite deviation_square.
    unfold square_deviation, mean at 1 2. rewrite !map_length. unfold Rdiv.
    replace (list_sum (map (fun x => advantage g x * x) g) * / INR (length g) * deviation g)
      with (deviation g * list_sum (map (fun x => advantage g x * x) g) * / INR (length g)) by ring.
    f_equal. rewrite <- list_sum_scal.
    rewrite (list_sum_ext _ (fun x => (x - mean g) ^ 2 + mean g * (x - mean g))).
    + rewrite list_sum_plus, list_sum_scal, sum_centred. ring.
    + intros x Hx. replace (deviation g * (advantage g x * x)) with (advantage g x * deviation g * x) by ring.
      rewrite (advantage_deviation g x Hx). ring.
Qed.

(** The members of a group are exchangeable, and the square of an expectation is at most that of the square. *)
Lemma mean_square_at_most_one : forall (n G : nat) (pi Q : nat -> R) (s : sampling n pi), (1 <= G)%nat ->
  policy n pi -> (forall o, (o < n)%nat -> given s G o first_advantage (Q o)) ->
  Sum n (fun o => pi o * Q o ^ 2) <= 1.
Proof.
  intros n G pi Q sample Hpos Hpi HQ. drawn sample G Hpos H1 HG P.
  set (L := integrable_of_group sample G) in *. set (E := expectation_of_group sample G) in *.
  destruct (first_advantage_square H1 HG Hpos) as (u & Hu & Hu1).
  set (x := fun o => E (fun s => is_output o (draw 0 s) * first_advantage s ^ 2)).
  assert (Hx : forall o, (o < n)%nat -> has L E (fun s => is_output o (draw 0 s) * first_advantage s ^ 2) (x o)).
  { intros o Ho. refine (dominated P _ _ _ (proj1 Hu) _).
    - apply (m_mult P); [apply (m_first HG Hpos), H1, Ho | exact (measurable P _ _ Hu)].
    - intros s _. rewrite Rabs_mult. pose proof (is_output_0_1 o (draw 0 s)).
      rewrite (Rabs_pos_eq (is_output _ _)) by lra. pose proof (Rabs_pos (first_advantage s ^ 2)). nra. }
  apply Rle_trans with (Sum n x).
  - apply Sum_le. intros o Ho. pose proof (proj1 Hpi o Ho) as [Hp | Hz]; [|rewrite <- Hz, Rmult_0_l;
      apply (has_nonneg P _ (x o)) with (2 := Hx o Ho); intros s _; apply Rmult_le_pos; [apply is_output_0_1 |
      apply pow2_ge_0]].
    destruct (product P (fun s => is_output o (draw 0 s)) (fun s => is_output o (draw 0 s) * first_advantage s) (pi o)
      (x o)) as (c & Hc & Hc2).
    + apply (m_first HG Hpos), H1, Ho.
    + exact (measurable P _ _ (HQ o Ho)).
    + apply (has_ext P (fun s => is_output o (draw 0 s))); [intros; symmetry; apply is_output_square|].
      apply (each_has HG 0 _ _ Hpos), (output_has H1), Ho.
    + apply (has_ext P (fun s => is_output o (draw 0 s) * first_advantage s ^ 2)); [|apply Hx, Ho].
      intros s _. rewrite Rpow_mult_distr, is_output_square. reflexivity.
    + assert (Ec : c = pi o * Q o).
      { apply (has_one_value _ _ _ Hc). refine (has_ext P _ _ _ _ (HQ o Ho)). intros s _.
        rewrite <- Rmult_assoc. replace (is_output o (draw 0 s) * is_output o (draw 0 s)) with
          (is_output o (draw 0 s) ^ 2) by ring. rewrite is_output_square. reflexivity. }
      rewrite Ec in Hc2. apply Rmult_le_reg_l with (pi o); [exact Hp|]. nra.
  - eapply Rle_trans; [|exact Hu1]. right.
    apply (has_one_value (L := L) (E := E) (fun s => first_advantage s ^ 2)); [|exact Hu].
    apply (first_by_output HG _ (fun o s => is_output o (draw 0 s) * first_advantage s ^ 2) x Hx).
    intros s o Hs _. symmetry. apply (by_output n (draw 0 s) (fun _ => first_advantage s ^ 2)), H1.
    apply (first_of_group Hpos), Hs.
Qed.

Theorem bound_by_the_mean_square_of_expected_advantages : forall (n G : nat) (pi Q : nat -> R) (s : sampling n pi)
  (c left right : R), (2 <= G)%nat -> policy n pi -> (forall o, (o < n)%nat -> given s G o first_advantage (Q o)) ->
  Sum n (fun o => pi o * Q o ^ 2) = c * left -> 0 < c -> 1 <= c * right -> left <= right.
Proof.
  intros n G pi Q s c left right HG Hpi HQ Eq Hc H.
  pose proof (mean_square_at_most_one n G pi Q s ltac:(lia) Hpi HQ). apply Rmult_le_reg_l with c; lra.
Qed.

(** Rewards that are certain: advantages times rewards average to the deviation of the group. *)
Theorem expected_advantages_by_deviation : forall (n G : nat) (pi r Q : nat -> R) (s : sampling n pi) (value : R),
  (1 <= G)%nat -> (forall m, outcomes s m -> snd m = r (fst m)) ->
  (forall o, (o < n)%nat -> given s G o first_advantage (Q o)) -> Sum n (fun o => pi o * (Q o * r o)) = value ->
  expects s G (fun g => deviation (map snd g)) value /\ 0 <= value.
Proof.
  intros n G pi r Q sample value Hpos Hr HQ Hv. drawn sample G Hpos H1 HG P.
  assert (K : expects sample G (fun s => deviation (map snd s)) value).
  2:{ split; [exact K|]. apply (has_nonneg P _ value (fun s _ => deviation_nonneg (map snd s)) K). }
  rewrite <- Hv, (Sum_ext n _ (fun o => pi o * (r o * Q o + 0))) by (intros; ring).
  refine (has_ext P _ _ _ _ (average_over_a_group_by_its_members n G pi r (fun _ => 0) Q sample Hpos HQ)).
  intros s Hs. rewrite <- mean_advantage_times_reward.
  2:{ intros Z. apply map_eq_nil in Z. exact (group_not_empty Hpos s Hs Z). }
  rewrite map_map. f_equal. apply map_ext_in. intros m Hm. rewrite <- (Hr m (proj2 Hs m Hm)). ring.
Qed.
