(** * Groups of independent outputs with rewards of any laws: averages over a group, and the limit of large groups *)

From Coq Require Import Reals Lra Lia List Permutation.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums Policies Groups Variances Spaces.
Import ListNotations.
Open Scope R_scope.

(** ** Members and their groups *)

(** A member is an output and its reward. *)
Notation member := (nat * R)%type.

Definition is_output (o : nat) (m : member) : R := if Nat.eq_dec (fst m) o then 1 else 0.

(** The member [i] of a group. *)
Definition draw (i : nat) (s : list member) : member := nth i s (0%nat, 0).

Definition group (S : member -> Prop) (G : nat) (s : list member) : Prop := length s = G /\ forall m, In m s -> S m.

(** An output of the policy [pi] over [n] answers, with its reward. *)
Definition member_of (n : nat) (pi : nat -> R) (S : member -> Prop) (M L : (member -> R) -> Prop)
    (E : (member -> R) -> R) : Prop :=
  probability S M L E /\ (forall m, S m -> (fst m < n)%nat) /\ M snd /\
  forall o, (o < n)%nat -> M (is_output o) /\ E (is_output o) = pi o.

(** What independent draws of [G] members have: each has the law of a member; the first is independent of each other
    one; and in a sum over the members of what does not depend on the order of the group, all have the same share. *)
Definition group_of (G : nat) (S1 : member -> Prop) (M1 L1 : (member -> R) -> Prop) (E1 : (member -> R) -> R)
    (M L : (list member -> R) -> Prop) (E : (list member -> R) -> R) : Prop :=
  probability (group S1 G) M L E /\
  (forall i f, (i < G)%nat -> M1 f -> M (fun s => f (draw i s))) /\
  (forall i f, (i < G)%nat -> L1 f -> has L E (fun s => f (draw i s)) (E1 f)) /\
  (forall j f g, (0 < j < G)%nat -> L1 f -> L1 g -> has L E (fun s => f (draw 0 s) * g (draw j s)) (E1 f * E1 g)) /\
  (forall F : member -> list member -> R, (forall m s s', Permutation s s' -> F m s = F m s') ->
    L (fun s => F (draw 0 s) s) ->
    has L E (fun s => list_sum (map (fun m => F m s) s)) (INR G * E (fun s => F (draw 0 s) s))).

(** Outputs of the policy [pi] over [n] answers, with rewards of any laws, drawn independently in groups of every size:
    what can be measured of a member and of a group, what has an expectation, and which one. *)
Record sampling (n : nat) (pi : nat -> R) : Type := {
  outcomes : member -> Prop;
  measurable_of_member : (member -> R) -> Prop;
  integrable_of_member : (member -> R) -> Prop;
  expectation_of_member : (member -> R) -> R;
  measurable_of_group : nat -> (list member -> R) -> Prop;
  integrable_of_group : nat -> (list member -> R) -> Prop;
  expectation_of_group : nat -> (list member -> R) -> R;
  members_drawn :
    member_of n pi outcomes measurable_of_member integrable_of_member expectation_of_member;
  groups_drawn : forall G, (1 <= G)%nat ->
    group_of G outcomes measurable_of_member integrable_of_member expectation_of_member
      (measurable_of_group G) (integrable_of_group G) (expectation_of_group G) }.

Arguments outcomes {n pi}.
Arguments measurable_of_member {n pi}.
Arguments integrable_of_member {n pi}.
Arguments expectation_of_member {n pi}.
Arguments measurable_of_group {n pi}.
Arguments integrable_of_group {n pi}.
Arguments expectation_of_group {n pi}.
Arguments members_drawn {n pi}.
Arguments groups_drawn {n pi}.

(** In groups of [G] the number [X] has the expectation [v]. *)
Definition expects {n : nat} {pi : nat -> R} (s : sampling n pi) (G : nat) (X : list member -> R) (v : R) : Prop :=
  has (integrable_of_group s G) (expectation_of_group s G) X v.

(** The same in the groups whose first output is [o]: [pi o] is its probability. *)
Definition given {n : nat} {pi : nat -> R} (s : sampling n pi) (G o : nat) (X : list member -> R) (v : R) : Prop :=
  expects s G (fun g => is_output o (draw 0 g) * X g) (pi o * v).

Definition first_advantage (g : list member) : R := advantage (map snd g) (snd (draw 0 g)).

(** The rewards of the answer [o] have the mean [r o]. *)
Definition have_means {n : nat} {pi : nat -> R} (s : sampling n pi) (r : nat -> R) : Prop := forall o, (o < n)%nat ->
  has (integrable_of_member s) (expectation_of_member s) (fun m => is_output o m * snd m) (pi o * r o).

(** And the variance [v o]. *)
Definition have_moments {n : nat} {pi : nat -> R} (s : sampling n pi) (r v : nat -> R) : Prop :=
  have_means s r /\ forall o, (o < n)%nat ->
    has (integrable_of_member s) (expectation_of_member s) (fun m => is_output o m * (snd m - r o) ^ 2) (pi o * v o).

Lemma list_sum_draws : forall (f : member -> R) s, list_sum (map f s) = Sum (length s) (fun i => f (draw i s)).
Proof.
  intros f s. rewrite Sum_list. f_equal. unfold draw. induction s as [|m s IH]; [reflexivity|].
  cbn [length seq map nth]. f_equal. rewrite IH, <- seq_shift, map_map. reflexivity.
Qed.

Lemma sum_by_mean : forall g, g <> [] -> list_sum g = INR (length g) * mean g.
Proof. intros g H. pose proof (length_pos g H). unfold mean. field. lra. Qed.

Lemma first_in : forall s, s <> [] -> In (draw 0 s) s.
Proof. intros [|m s] H; [congruence | left; reflexivity]. Qed.

Lemma is_output_square : forall o m, is_output o m ^ 2 = is_output o m.
Proof. intros o m. unfold is_output. destruct Nat.eq_dec; ring. Qed.

Lemma is_output_0_1 : forall o m, 0 <= is_output o m <= 1.
Proof. intros o m. unfold is_output. destruct Nat.eq_dec; lra. Qed.

Lemma by_output : forall n m x, (fst m < n)%nat -> Sum n (fun o => is_output o m * x o) = x (fst m).
Proof.
  intros n m x H. rewrite <- (Sum_at_index n (fst m) (x (fst m)) H). apply Sum_ext. intros o _.
  unfold is_output, at_index.
  destruct (Nat.eq_dec (fst m) o) as [<- | Hn].
  - rewrite Nat.eqb_refl. ring.
  - destruct (Nat.eqb_spec o (fst m)); [congruence | ring].
Qed.

Lemma Sum_first : forall n f, Sum (S n) f = f 0%nat + Sum n (fun i => f (S i)).
Proof. induction n as [|n IH]; intros f; [simpl; ring|]. cbn [Sum] in *. rewrite IH. ring. Qed.

Lemma mean_at_most : forall (f g : member -> R) s, s <> [] -> (forall m, In m s -> f m <= g m) ->
  mean (map f s) <= mean (map g s).
Proof.
  intros f g s N H. pose proof (length_pos s N). unfold mean. rewrite !map_length. apply Rmult_le_compat_r.
  - apply Rlt_le, Rinv_0_lt_compat. assumption.
  - apply list_sum_le, H.
Qed.

Lemma mean_plus : forall (f g : member -> R) s, mean (map (fun m => f m + g m) s) = mean (map f s) + mean (map g s).
Proof. intros f g s. unfold mean. rewrite !map_length, list_sum_plus. unfold Rdiv. ring. Qed.

Lemma mean_times : forall c (f : member -> R) s, mean (map (fun m => c * f m) s) = c * mean (map f s).
Proof. intros c f s. unfold mean. rewrite !map_length, list_sum_scal. unfold Rdiv. ring. Qed.

Lemma mean_of_constant : forall c (s : list member), s <> [] -> mean (map (fun _ => c) s) = c.
Proof. intros c s N. pose proof (length_pos s N). unfold mean. rewrite map_length, list_sum_const. field. lra. Qed.

Section OneMember.
Context {n : nat} {pi : nat -> R} {S1 : member -> Prop} {M1 L1 : (member -> R) -> Prop} {E1 : (member -> R) -> R}
  (H1 : member_of n pi S1 M1 L1 E1).

Let P1 : probability S1 M1 L1 E1 := proj1 H1.

Lemma output_has : forall o, (o < n)%nat -> has L1 E1 (is_output o) (pi o).
Proof.
  intros o Ho. pose proof H1 as (_ & _ & _ & H). destruct (H o Ho) as [Hm <-]. apply (bounded P1 _ 1 Hm).
  intros m _. pose proof (is_output_0_1 o m). rewrite Rabs_pos_eq; lra.
Qed.

Lemma member_by_output : forall f (g : nat -> member -> R) v, (forall o, (o < n)%nat -> has L1 E1 (g o) (v o)) ->
  (forall m, S1 m -> f m = Sum n (fun o => g o m)) -> has L1 E1 f (Sum n v).
Proof.
  intros f g v Hg Hf.
  apply (has_ext P1 (fun m => Sum n (fun o => g o m))); [intros m Hm; rewrite (Hf m Hm); reflexivity|].
  apply (has_sum P1), Hg.
Qed.

Section Moments.
Context {r v : nat -> R} (Hr : forall o, (o < n)%nat -> has L1 E1 (fun m => is_output o m * snd m) (pi o * r o))
  (Hv : forall o, (o < n)%nat -> has L1 E1 (fun m => is_output o m * (snd m - r o) ^ 2) (pi o * v o)).

Let mu := Sum n (fun o => pi o * r o).
Let variance_of_rewards := Sum n (fun o => pi o * (v o + (r o - mu) ^ 2)).

Lemma mean_by_moments : has L1 E1 snd mu.
Proof.
  apply (member_by_output _ (fun o m => is_output o m * snd m)); [intros o Ho; apply Hr, Ho|].
  intros m Hm. symmetry. apply (by_output n m (fun _ => snd m)). apply H1, Hm.
Qed.

(** Within and between the answers. *)
Lemma variance_by_moments : has L1 E1 (fun m => (snd m - mu) ^ 2) variance_of_rewards.
Proof.
  apply (member_by_output _ (fun o m => is_output o m * (snd m - mu) ^ 2)).
  - intros o Ho.
    replace (pi o * (v o + (r o - mu) ^ 2)) with
      (pi o * v o + (2 * (r o - mu) * (pi o * r o) + ((r o - mu) ^ 2 - 2 * (r o - mu) * r o) * pi o)) by ring.
    apply (has_ext P1 (fun m => is_output o m * (snd m - r o) ^ 2 + (2 * (r o - mu) * (is_output o m * snd m)
      + ((r o - mu) ^ 2 - 2 * (r o - mu) * r o) * is_output o m))); [intros; ring|].
    apply (has_plus P1); [apply Hv, Ho|].
    apply (has_plus P1); apply (has_scal P1); [apply Hr, Ho | apply output_has, Ho].
  - intros m Hm. symmetry. apply (by_output n m (fun _ => (snd m - mu) ^ 2)). apply H1, Hm.
Qed.

End Moments.

(** *** A group of such members *)

Section OneGroup.
Context {G : nat} {M L : (list member -> R) -> Prop} {E : (list member -> R) -> R}
  (HG : group_of G S1 M1 L1 E1 M L E) (Hpos : (1 <= G)%nat).

Let P : probability (group S1 G) M L E := proj1 HG.

Let HGpos : 0 < INR G.
Proof. apply lt_0_INR. lia. Qed.

Lemma each_has : forall i f v, (i < G)%nat -> has L1 E1 f v -> has L E (fun s => f (draw i s)) v.
Proof. intros i f v Hi [Hf <-]. apply HG; assumption. Qed.

Lemma group_not_empty : forall s, group S1 G s -> s <> [].
Proof. intros s [Hs _] ->. simpl in Hs. lia. Qed.

Lemma first_of_group : forall s, group S1 G s -> S1 (draw 0 s).
Proof. intros s Hs. apply Hs, first_in, group_not_empty, Hs. Qed.

Lemma m_list_sum : forall f, M1 f -> M (fun s => list_sum (map f s)).
Proof.
  intros f Hf. apply (m_ext P (fun s => Sum G (fun i => f (draw i s)))).
  - intros s [Hs _]. rewrite list_sum_draws, Hs. reflexivity.
  - apply (m_sum P). intros i Hi. apply HG; assumption.
Qed.

Lemma m_mean_of : forall f, M1 f -> M (fun s => mean (map f s)).
Proof.
  intros f Hf. apply (m_ext P (fun s => / INR G * list_sum (map f s))).
  - intros s [Hs _]. unfold mean. rewrite map_length, Hs. unfold Rdiv. ring.
  - apply (m_scal P), m_list_sum, Hf.
Qed.

Let M1_snd : M1 snd.
Proof. apply H1. Qed.

Lemma m_mean : M (fun s => mean (map snd s)).
Proof. apply m_mean_of, M1_snd. Qed.

Lemma m_square_deviation : M (fun s => square_deviation (map snd s)).
Proof.
  apply (m_ext P (fun s => mean (map (fun m => snd m ^ 2) s) - mean (map snd s) ^ 2)).
  - intros s Hs. assert (N : map snd s <> []) by (intros Z; apply map_eq_nil in Z; exact (group_not_empty s Hs Z)).
    pose proof (length_pos _ N) as Lp. rewrite map_length in Lp. unfold square_deviation.
    pose proof (sum_by_mean _ N) as Ec. rewrite map_length in Ec. set (c := mean (map snd s)) in *.
    unfold mean. rewrite !map_length, map_map.
    rewrite (list_sum_ext (fun m : member => (snd m - c) ^ 2) (fun m => snd m ^ 2 + (-2 * c * snd m + c ^ 2)))
      by (intros; ring).
    rewrite !list_sum_plus, (list_sum_scal (-2 * c) snd), list_sum_const, Ec. field. lra.
  - apply (m_minus P); [|apply (m_square P), m_mean]. apply m_mean_of. apply (m_square P1), M1_snd.
Qed.

Lemma m_deviation : M (fun s => deviation (map snd s)).
Proof. apply (m_sqrt P (fun s => square_deviation (map snd s))), m_square_deviation. Qed.

Lemma m_first : forall f, M1 f -> M (fun s => f (draw 0 s)).
Proof. intros f Hf. apply HG; [lia | exact Hf]. Qed.

Lemma m_first_advantage : M first_advantage.
Proof.
  apply (m_div P (fun s => snd (draw 0 s) - mean (map snd s))); [|exact m_deviation].
  apply (m_minus P); [apply m_first, M1_snd | exact m_mean].
Qed.

Lemma first_advantage_bounded : forall s, group S1 G s -> first_advantage s ^ 2 <= INR G.
Proof.
  intros s Hs. pose proof (mean_square_advantage (map snd s)) as H. rewrite map_length, (proj1 Hs) in H.
  eapply Rle_trans; [|exact H]. rewrite map_map.
  assert (K : forall (l : list member) m, In m l -> advantage (map snd s) (snd m) ^ 2
      <= list_sum (map (fun a => advantage (map snd s) (snd a) ^ 2) l)).
  { induction l as [|m' l IH]; intros m Hm; [destruct Hm|]. cbn [map list_sum].
    assert (0 <= list_sum (map (fun a => advantage (map snd s) (snd a) ^ 2) l))
      by (apply list_sum_nonneg; intros; apply pow2_ge_0).
    pose proof (pow2_ge_0 (advantage (map snd s) (snd m'))).
    destruct Hm as [-> | Hm]; [lra | pose proof (IH m Hm); lra]. }
  apply (K s (draw 0 s)), first_in, group_not_empty, Hs.
Qed.

Lemma of_first_advantage : forall f, M1 f -> (forall m, S1 m -> 0 <= f m <= 1) ->
  has L E (fun s => f (draw 0 s) * first_advantage s) (E (fun s => f (draw 0 s) * first_advantage s)).
Proof.
  intros f Mf Hf. apply (bounded P _ (INR G + 1)).
  - apply (m_mult P); [apply m_first, Mf | exact m_first_advantage].
  - intros s Hs. pose proof (first_advantage_bounded s Hs). specialize (Hf _ (first_of_group s Hs)).
    rewrite Rabs_mult, (Rabs_pos_eq (f _)) by lra. pose proof (Rabs_pos (first_advantage s)).
    assert (Rabs (first_advantage s) <= INR G + 1).
    { apply Rabs_le. split; nra. }
    nra.
Qed.

(** The mean of what does not depend on the order of the group is that of the first. *)
Lemma mean_of_members : forall F : member -> list member -> R,
  (forall m s s', Permutation s s' -> F m s = F m s') -> forall v, has L E (fun s => F (draw 0 s) s) v ->
  has L E (fun s => mean (map (fun m => F m s) s)) v.
Proof.
  intros F HF v [Hv <-]. pose proof HG as (_ & _ & _ & _ & X). specialize (X F HF Hv).
  replace (E (fun s => F (draw 0 s) s)) with (/ INR G * (INR G * E (fun s => F (draw 0 s) s))) by (field; lra).
  apply (has_ext P (fun s => / INR G * list_sum (map (fun m => F m s) s))).
  - intros s [Hs _]. unfold mean. rewrite map_length, Hs. unfold Rdiv. ring.
  - apply (has_scal P), X.
Qed.

Lemma first_by_output : forall X (g : nat -> list member -> R) v, (forall o, (o < n)%nat -> has L E (g o) (v o)) ->
  (forall s o, group S1 G s -> fst (draw 0 s) = o -> X s = Sum n (fun o => g o s)) -> has L E X (Sum n v).
Proof.
  intros X g v Hg HX. apply (has_ext P (fun s => Sum n (fun o => g o s))).
  - intros s Hs. symmetry. apply (HX s (fst (draw 0 s)) Hs). reflexivity.
  - apply (has_sum P), Hg.
Qed.

(** [adv] is any number of a member that does not depend on the order of its group; [Q o] is its expectation for a
    member with the output [o]; [w o] and [d o] depend on the output only. *)
Lemma average_by_members : forall (adv : list R -> R -> R) (w d Q : nat -> R),
  (forall g g' x, Permutation g g' -> adv g x = adv g' x) ->
  (forall o, (o < n)%nat ->
    has L E (fun s => is_output o (draw 0 s) * adv (map snd s) (snd (draw 0 s))) (pi o * Q o)) ->
  has L E (fun s => mean (map (fun m => w (fst m) * adv (map snd s) (snd m) + d (fst m)) s))
    (Sum n (fun o => pi o * (w o * Q o + d o))).
Proof.
  intros adv w d Q Hadv HQ.
  apply (mean_of_members (fun m s => w (fst m) * adv (map snd s) (snd m) + d (fst m))).
  - intros m s s' Hp. rewrite (Hadv (map snd s) (map snd s')) by (apply Permutation_map, Hp). reflexivity.
  - apply (first_by_output _ (fun o s => w o * (is_output o (draw 0 s) * adv (map snd s) (snd (draw 0 s)))
      + d o * is_output o (draw 0 s))).
    + intros o Ho. replace (pi o * (w o * Q o + d o)) with (w o * (pi o * Q o) + d o * pi o) by ring.
      apply (has_plus P); apply (has_scal P); [apply HQ, Ho|]. apply (each_has 0 _ _ Hpos), output_has, Ho.
    + intros s _ Hs _. set (x := adv (map snd s) (snd (draw 0 s))).
      rewrite (Sum_ext n _ (fun o => is_output o (draw 0 s) * (w o * x + d o))) by (intros; ring).
      rewrite (by_output n (draw 0 s) (fun o => w o * x + d o)); [reflexivity|]. apply H1, first_of_group, Hs.
Qed.

(** A number of the first member times the mean of another one: the first is one of the group. *)
Lemma first_times_mean : forall f g u v w, has L1 E1 f u -> has L1 E1 g v -> has L1 E1 (fun m => f m * g m) w ->
  has L E (fun s => f (draw 0 s) * mean (map g s)) ((w + (INR G - 1) * (u * v)) / INR G).
Proof.
  intros f g u v w [Hf <-] [Hg <-] [Hfg <-]. assert (HN : exists N, G = S N) by (exists (G - 1)%nat; lia).
  destruct HN as [N HN]. assert (HI : INR G - 1 = INR N) by (rewrite HN, S_INR; ring).
  apply (has_ext P (fun s => / INR G *
    (f (draw 0 s) * g (draw 0 s) + Sum N (fun j => f (draw 0 s) * g (draw (S j) s))))).
  - intros s [Hs _]. unfold mean. rewrite map_length, list_sum_draws, Hs. rewrite HN at 2. rewrite Sum_first, Sum_scal.
    unfold Rdiv. ring.
  - replace ((E1 (fun m => f m * g m) + (INR G - 1) * (E1 f * E1 g)) / INR G) with
      (/ INR G * (E1 (fun m => f m * g m) + Sum N (fun _ => E1 f * E1 g)))
      by (rewrite Sum_const, HI; unfold Rdiv; ring).
    apply (has_scal P), (has_plus P).
    { apply (each_has 0 (fun m => f m * g m)); [lia | split; [exact Hfg | reflexivity]]. }
    apply (has_sum P). intros j Hj. apply HG; [lia | exact Hf | exact Hg].
Qed.

Lemma mean_has : forall f v, has L1 E1 f v -> has L E (fun s => mean (map f s)) v.
Proof.
  intros f v Hf. apply (mean_of_members (fun m _ => f m)); [reflexivity|]. apply (each_has 0 f v Hpos Hf).
Qed.

(** The mean of numbers that are expected to vanish is expected to be small. *)
Lemma square_of_mean : forall f V, has L1 E1 f 0 -> has L1 E1 (fun m => f m ^ 2) V ->
  has L E (fun s => mean (map f s) ^ 2) (V / INR G).
Proof.
  intros f V Hf HV. apply (has_ext P (fun s => mean (map (fun m => f m * mean (map f s)) s))).
  - intros s _. rewrite (map_ext _ (fun m => mean (map f s) * f m)) by (intros; ring). rewrite mean_times. ring.
  - apply (mean_of_members (fun m s => f m * mean (map f s))).
    + intros m s s' Hp. rewrite (mean_perm (map f s) (map f s')) by (apply Permutation_map, Hp). reflexivity.
    + replace (V / INR G) with ((V + (INR G - 1) * (0 * 0)) / INR G) by (field; lra).
      apply first_times_mean; [exact Hf | exact Hf |]. apply (has_ext P1 (fun m => f m ^ 2)); [intros; ring | exact HV].
Qed.

(** The square of an advantage has at most the expectation 1. *)
Lemma first_advantage_square : exists u, has L E (fun s => first_advantage s ^ 2) u /\ u <= 1.
Proof.
  assert (Hu : has L E (fun s => first_advantage s ^ 2) (E (fun s => first_advantage s ^ 2))).
  { apply (bounded P _ (INR G)); [apply (m_square P), m_first_advantage|]. intros s Hs.
    rewrite Rabs_pos_eq by apply pow2_ge_0. apply first_advantage_bounded, Hs. }
  eexists. split; [exact Hu|]. refine (has_le P _ (fun _ => 1) _ _ _ _ (has_const P 1)).
  2:{ apply (mean_of_members (fun m s => advantage (map snd s) (snd m) ^ 2)); [|exact Hu].
      intros m s s' Hp. rewrite (advantage_perm _ _ _ (Permutation_map snd Hp)). reflexivity. }
  intros s Hs. pose proof (mean_square_advantage (map snd s)) as H. rewrite map_map, map_length in H.
  pose proof (length_pos s (group_not_empty s Hs)) as Lp. unfold mean. rewrite map_length.
  apply Rmult_le_reg_r with (INR (length s)); [exact Lp|]. unfold Rdiv. rewrite Rmult_assoc, Rinv_l by lra. lra.
Qed.

End OneGroup.
End OneMember.

(** ** Groups of any size *)

Ltac drawn s G Hpos H1 HG P :=
  pose proof (members_drawn s) as H1; pose proof (groups_drawn s G Hpos) as HG; pose proof (proj1 HG) as P.

(** [Q o] is the expected advantage of a member with the output [o]; [w o] and [d o] depend on the output only. *)
Theorem average_over_a_group_by_its_members : forall (n G : nat) (pi w d Q : nat -> R) (s : sampling n pi),
  (1 <= G)%nat -> (forall o, (o < n)%nat -> given s G o first_advantage (Q o)) ->
  expects s G (fun g => mean (map (fun m => w (fst m) * advantage (map snd g) (snd m) + d (fst m)) g))
    (Sum n (fun o => pi o * (w o * Q o + d o))).
Proof.
  intros n G pi w d Q s Hpos HQ. drawn s G Hpos H1 HG P.
  exact (average_by_members H1 HG Hpos advantage w d Q advantage_perm HQ).
Qed.

Theorem mean_advantage_vanishes : forall (n G : nat) (pi Q : nat -> R) (s : sampling n pi), (2 <= G)%nat ->
  (forall o, (o < n)%nat -> given s G o first_advantage (Q o)) -> Sum n (fun o => pi o * Q o) = 0.
Proof.
  intros n G pi Q s HG2 HQ. assert (Hpos : (1 <= G)%nat) by lia. drawn s G Hpos H1 HG P.
  pose proof (average_over_a_group_by_its_members n G pi (fun _ => 1) (fun _ => 0) Q s Hpos HQ) as K.
  rewrite (Sum_ext n _ (fun o => pi o * (1 * Q o + 0))) by (intros; ring).
  apply (has_one_value _ _ _ K), (has_ext P (fun _ => 0)); [|apply (has_const P)].
  intros g _. rewrite (map_ext _ (fun m => advantage (map snd g) (snd m))) by (intros; ring).
  unfold mean. rewrite <- (map_map snd (advantage (map snd g))), sum_advantages. unfold Rdiv. ring.
Qed.

Theorem squared_advantage_is_bounded : forall (n G : nat) (pi : nat -> R) (s : sampling n pi) (o : nat) (bound : R),
  (2 <= G)%nat -> (o < n)%nat -> 0 < pi o -> / pi o <= bound ->
  exists v, given s G o (fun g => first_advantage g ^ 2) v /\ v <= bound.
Proof.
  intros n G pi sample o bound HG2 Ho Hp Hb. assert (Hpos : (1 <= G)%nat) by lia. drawn sample G Hpos H1 HG P.
  set (L := integrable_of_group sample G) in *. set (E := expectation_of_group sample G) in *.
  destruct (first_advantage_square H1 HG Hpos) as (u & Hu & Hu1). pose proof (measurable P _ _ Hu) as Mu.
  assert (K : has L E (fun s => is_output o (draw 0 s) * first_advantage s ^ 2)
    (E (fun s => is_output o (draw 0 s) * first_advantage s ^ 2))).
  { apply (dominated P _ (fun s => first_advantage s ^ 2)); [|apply Hu|].
    - apply (m_mult P); [|exact Mu]. apply (m_first HG Hpos), H1, Ho.
    - intros s _. rewrite Rabs_mult. pose proof (is_output_0_1 o (draw 0 s)).
      rewrite (Rabs_pos_eq (is_output _ _)) by lra. pose proof (Rabs_pos (first_advantage s ^ 2)). nra. }
  set (x := E (fun s => is_output o (draw 0 s) * first_advantage s ^ 2)) in *. exists (x / pi o).
  assert (Hx : x <= u).
  { apply (has_le P _ _ _ _) with (2 := K) (3 := Hu). intros s _. pose proof (is_output_0_1 o (draw 0 s)).
    pose proof (pow2_ge_0 (first_advantage s)). nra. }
  split.
  - unfold given, expects. replace (pi o * (x / pi o)) with x by (field; lra). exact K.
  - eapply Rle_trans; [|exact Hb]. unfold Rdiv. rewrite <- (Rmult_1_l (/ pi o)) at 2.
    apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat, Hp | lra].
Qed.

Theorem surrogate_of_centred_rewards : forall (n G : nat) (pi new r : nat -> R) (s : sampling n pi), (2 <= G)%nat ->
  full_support n pi -> policy n new -> have_means s r ->
  expects s G (fun g => mean (map (fun m => new (fst m) / pi (fst m) * shift_advantage (map snd g) (snd m)) g))
    ((1 - / INR G) * (Sum n (fun o => new o * r o) - Sum n (fun o => pi o * r o))).
Proof.
  intros n G pi new r sample HG2 Hold Hnew Hr. assert (Hpos : (1 <= G)%nat) by lia. drawn sample G Hpos H1 HG P.
  assert (HI : 0 < INR G) by (apply lt_0_INR; lia).
  set (mu := Sum n (fun o => pi o * r o)).
  assert (Hmu : has (integrable_of_member sample) (expectation_of_member sample) snd mu).
  { apply (member_by_output H1 _ (fun o m => is_output o m * snd m)); [exact Hr|].
    intros m Hm. symmetry. apply (by_output n m (fun _ => snd m)). apply H1, Hm. }
  replace ((1 - / INR G) * (Sum n (fun o => new o * r o) - mu)) with
    (Sum n (fun o => pi o * (new o / pi o * ((1 - / INR G) * (r o - mu)) + 0))).
  2:{ rewrite <- (Rmult_1_r mu) at 1. rewrite <- (proj2 Hnew), <- Sum_scal, <- Sum_minus, <- Sum_scal. apply Sum_ext.
      intros o Ho. pose proof (proj1 Hold o Ho). field. lra. }
  apply (has_ext P (fun s => mean (map (fun m => new (fst m) / pi (fst m) * shift_advantage (map snd s) (snd m) + 0)
    s))).
  - intros s _. f_equal. apply map_ext. intros m. ring.
  - apply (average_by_members H1 HG Hpos shift_advantage (fun o => new o / pi o) (fun _ => 0)
      (fun o => (1 - / INR G) * (r o - mu)) shift_advantage_perm).
    intros o Ho. unfold shift_advantage.
    replace (pi o * ((1 - / INR G) * (r o - mu))) with
      (pi o * r o - (pi o * r o + (INR G - 1) * (pi o * mu)) / INR G) by (field; lra).
    apply (has_ext P (fun s => is_output o (draw 0 s) * snd (draw 0 s) - is_output o (draw 0 s) * mean (map snd s)));
      [intros; ring|].
    apply (has_minus P).
    + apply (each_has HG 0 (fun m => is_output o m * snd m) _ Hpos), Hr, Ho.
    + apply (first_times_mean HG Hpos); [apply (output_has H1), Ho | exact Hmu | apply Hr, Ho].
Qed.

(** *** Groups of two *)

Definition exceeds (x y : R) : R := if Rlt_dec y x then 1 else 0.

(** [w o] and [l o]: how probable it is that the reward of [o] exceeds that of the other member, or falls below it. *)
Definition wins_and_losses {n : nat} {pi : nat -> R} (s : sampling n pi) (w l : nat -> R) : Prop :=
  forall o, (o < n)%nat -> given s 2 o (fun g => exceeds (snd (draw 0 g)) (snd (draw 1 g))) (w o) /\
    given s 2 o (fun g => exceeds (snd (draw 1 g)) (snd (draw 0 g))) (l o).

Theorem advantage_in_pairs : forall (n : nat) (pi w l : nat -> R) (s : sampling n pi) (o : nat),
  wins_and_losses s w l -> (o < n)%nat -> given s 2 o first_advantage (w o - l o).
Proof.
  intros n pi w l sample o H Ho. destruct (H o Ho) as [Hw Hl]. unfold given in *. rewrite Rmult_minus_distr_l.
  assert (Hpos : (1 <= 2)%nat) by lia. drawn sample 2%nat Hpos H1 HG P.
  refine (has_ext P _ _ _ _ (has_minus P _ _ _ _ Hw Hl)). intros s [Hs _].
  destruct s as [|a [|b [|c s]]]; try discriminate Hs. unfold draw, first_advantage, exceeds. simpl.
  change (draw 0 [a; b]) with a. rewrite advantage_pair. do 2 destruct Rlt_dec; try lra.
Qed.

Theorem surrogate_in_pairs : forall (n : nat) (pi new w l : nat -> R) (s : sampling n pi), full_support n pi ->
  wins_and_losses s w l ->
  expects s 2 (fun g => mean (map (fun m => new (fst m) / pi (fst m) * advantage (map snd g) (snd m)) g))
    (Sum n (fun o => new o * (w o - l o))).
Proof.
  intros n pi new w l sample Hold H. assert (Hpos : (1 <= 2)%nat) by lia. drawn sample 2%nat Hpos H1 HG P.
  rewrite (Sum_ext n _ (fun o => pi o * (new o / pi o * (w o - l o) + 0))).
  2:{ intros o Ho. pose proof (proj1 Hold o Ho). field. lra. }
  refine (has_ext P _ _ _ _ (average_over_a_group_by_its_members n 2 pi (fun o => new o / pi o)
    (fun _ => 0) (fun o => w o - l o) sample Hpos _)).
  - intros s _. f_equal. apply map_ext. intros m. ring.
  - intros o Ho. apply advantage_in_pairs; assumption.
Qed.

(** ** The limit of large groups *)

(** Chebyshev: how probable it is that a number is far from another. *)
Definition far {A : Type} (X : A -> R) (c eps : R) (a : A) : R := if Rle_dec eps (Rabs (X a - c)) then 1 else 0.

Theorem far_is_improbable : forall (A : Type) (S : A -> Prop) (M L : (A -> R) -> Prop) (E : (A -> R) -> R) (X : A -> R)
  (c eps v : R), probability S M L E -> 0 < eps -> M X -> has L E (fun a => (X a - c) ^ 2) v ->
  exists q, has L E (far X c eps) q /\ 0 <= q <= v / eps ^ 2.
Proof.
  intros A S M L E X c eps v P Heps MX Hv.
  assert (MF : M (far X c eps)).
  { apply (m_ext P (fun a => if Rle_dec (eps - Rabs (X a - c)) 0 then 1 else 0)).
    - intros a _. unfold far. do 2 destruct Rle_dec; lra.
    - apply (m_at_most P), (m_minus P); [apply (m_const P)|].
      apply (m_abs P), (m_minus P); [exact MX | apply (m_const P)]. }
  assert (B : forall a, 0 <= far X c eps a <= 1) by (intros a; unfold far; destruct Rle_dec; lra).
  assert (HF : has L E (far X c eps) (E (far X c eps))).
  { apply (bounded P _ 1 MF). intros a _. rewrite Rabs_pos_eq; apply B. }
  eexists. split; [exact HF|]. split; [apply (has_nonneg P _ _ (fun a _ => proj1 (B a)) HF)|].
  unfold Rdiv. rewrite Rmult_comm.
  refine (has_le P _ _ _ _ _ HF (has_scal P (/ eps ^ 2) _ _ Hv)). intros a _. unfold far.
  assert (H : 0 < eps ^ 2) by (apply pow_lt, Heps).
  apply Rmult_le_reg_l with (eps ^ 2); [exact H|]. rewrite <- Rmult_assoc, Rinv_r, Rmult_1_l by lra.
  destruct Rle_dec as [Hf | Hf].
  - rewrite Rmult_1_r, <- (pow2_abs (X a - c)). apply pow_incr. lra.
  - rewrite Rmult_0_r. apply pow2_ge_0.
Qed.

(** Numbers that get as small as one likes. *)
Lemma vanishes : forall d : nat -> R,
  (forall eps, 0 < eps -> exists N, forall G, (N <= G)%nat -> 0 <= d G <= eps) -> is_lim_seq d 0.
Proof.
  intros d H. apply is_lim_seq_spec. intros eps. destruct (H (eps / 2)) as [N HN]; [pose proof (cond_pos eps); lra|].
  exists N. intros G HG. specialize (HN G HG). pose proof (cond_pos eps). rewrite Rminus_0_r, Rabs_pos_eq; lra.
Qed.

Lemma over_size : forall C eps, 0 < eps -> exists N, forall G, (N <= G)%nat -> (1 <= G)%nat /\ C / INR G <= eps.
Proof.
  intros C eps He. destruct (nfloor_ex (Rmax 0 (C / eps))) as [k Hk]; [apply Rmax_l|]. exists (k + 1)%nat.
  intros G HG. split; [lia|]. assert (HI : INR k + 1 <= INR G) by (rewrite <- S_INR; apply le_INR; lia).
  pose proof (pos_INR k). pose proof (Rmax_r 0 (C / eps)). apply Rmult_le_reg_r with (INR G); [lra|].
  unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rmult_le_reg_r with (/ eps); [apply Rinv_0_lt_compat, He|].
  replace (eps * INR G * / eps) with (INR G) by (field; lra). unfold Rdiv in *. lra.
Qed.

Section LargeGroups.
Context {n : nat} {pi r v : nat -> R} (sample : sampling n pi) (Hr : have_moments sample r v).

Let M := measurable_of_group sample.
Let L := integrable_of_group sample.
Let E := expectation_of_group sample.
Let L1 := integrable_of_member sample.
Let E1 := expectation_of_member sample.
Let H1 := members_drawn sample.
Let HG := groups_drawn sample.
Let m := Sum n (fun o => pi o * r o).
Let s2 := Sum n (fun o => pi o * (v o + (r o - m) ^ 2)).
Let M1 := measurable_of_member sample.
Let P1 : probability (outcomes sample) M1 L1 E1 := proj1 H1.

Lemma variance_nonnegative : 0 <= s2.
Proof.
  apply (has_nonneg P1 _ s2 (fun a _ => pow2_ge_0 (snd a - m))), (variance_by_moments H1 (proj1 Hr) (proj2 Hr)).
Qed.

Lemma distance_of_mean : forall G, (1 <= G)%nat -> has (L G) (E G) (fun s => (mean (map snd s) - m) ^ 2) (s2 / INR G).
Proof.
  intros G Hpos. apply (has_ext (proj1 (HG G Hpos)) (fun s => mean (map (fun a => snd a - m) s) ^ 2)).
  - intros s Hs. f_equal. unfold Rminus. rewrite (mean_plus snd (fun _ => - m)), mean_of_constant; [reflexivity|].
    apply (group_not_empty Hpos s Hs).
  - apply (square_of_mean H1 (HG G Hpos) Hpos).
    + replace 0 with (m - m) by ring.
      apply (has_minus P1); [apply (mean_by_moments H1 (proj1 Hr)) | apply (has_const P1)].
    + apply (variance_by_moments H1 (proj1 Hr) (proj2 Hr)).
Qed.

(** How far the square of a reward's distance from the mean is from the variance. *)
Let excess (a : member) : R := (snd a - m) ^ 2 - s2.

Lemma excess_has : has L1 E1 excess 0.
Proof.
  replace 0 with (s2 - s2) by ring.
  apply (has_minus P1); [apply (variance_by_moments H1 (proj1 Hr) (proj2 Hr)) | apply (has_const P1)].
Qed.

Let sigma := sqrt s2.

Lemma deviation_nearby : forall s : list member, s <> [] ->
  (deviation (map snd s) - sigma) ^ 2 <= Rabs (mean (map excess s)) + (mean (map snd s) - m) ^ 2.
Proof.
  intros s N. assert (N' : map snd s <> []) by (intros Z; apply map_eq_nil in Z; exact (N Z)).
  apply Rle_trans with (Rabs (square_deviation (map snd s) - s2)).
  - rewrite <- deviation_square. unfold sigma. pose proof variance_nonnegative as Hv. rewrite <- (pow2_sqrt s2 Hv) at 2.
    pose proof (deviation_nonneg (map snd s)). pose proof (sqrt_pos s2).
    set (x := deviation (map snd s)) in *. set (y := sqrt s2) in *.
    replace (x ^ 2 - y ^ 2) with ((x - y) * (x + y)) by ring. rewrite Rabs_mult, (Rabs_pos_eq (x + y)) by lra.
    rewrite <- (pow2_abs (x - y)). pose proof (Rabs_pos (x - y)).
    assert (Rabs (x - y) <= x + y) by (apply Rabs_le; lra). nra.
  - rewrite (square_deviation_shift _ m N'), map_map.
    replace (mean (map (fun a : member => (snd a - m) ^ 2) s)) with (mean (map excess s) + s2).
    + pose proof (pow2_ge_0 (mean (map snd s) - m)). set (d := (mean (map snd s) - m) ^ 2) in *.
      replace (mean (map excess s) + s2 - d - s2) with (mean (map excess s) + - d) by ring.
      eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp, (Rabs_pos_eq d) by assumption. lra.
    + unfold excess, Rminus. rewrite (mean_plus (fun a : member => (snd a + - m) ^ 2) (fun _ => - s2)),
        mean_of_constant by exact N. ring.
Qed.

Lemma mean_of_absolute : forall (f : member -> R) s, Rabs (mean (map f s)) <= mean (map (fun a => Rabs (f a)) s).
Proof.
  intros f s. destruct s as [|a s]; [unfold mean; simpl; unfold Rdiv; rewrite Rmult_0_l, Rabs_R0; lra|].
  unfold mean. rewrite !map_length. pose proof (length_pos (a :: s) ltac:(discriminate)).
  unfold Rdiv. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (apply Rlt_le, Rinv_0_lt_compat; assumption).
  apply Rmult_le_compat_r; [apply Rlt_le, Rinv_0_lt_compat; assumption|]. clear.
  induction (a :: s) as [|b l IH]; cbn [map list_sum]; [rewrite Rabs_R0; lra|].
  eapply Rle_trans; [apply Rabs_triang|]. lra.
Qed.

(** What is beyond a bound is small in expectation; what is not has a variance. *)
Lemma mean_of_excess : forall eps, 0 < eps -> exists N, forall G, (N <= G)%nat -> (1 <= G)%nat /\
  exists u, has (L G) (E G) (fun s => Rabs (mean (map excess s))) u /\ u <= eps.
Proof.
  intros eps He. pose proof excess_has as Hx. pose proof (measurable P1 _ _ Hx) as Mx.
  destruct (far_part P1 _ _ Hx) as [Hfar Hlim]. apply is_lim_seq_spec in Hlim.
  assert (He8 : 0 < eps / 8) by lra. destruct (Hlim (mkposreal _ He8)) as [K HK]. specialize (HK K (le_n K)).
  simpl in HK. rewrite Rminus_0_r in HK. specialize (Hfar (INR K)).
  set (t := beyond (INR K) excess) in *. set (tau := E1 (fun a => Rabs (t a))) in *.
  assert (Htau : 0 <= tau <= eps / 8).
  { split; [apply (has_nonneg P1 _ tau (fun a _ => Rabs_pos (t a)) Hfar)|]. pose proof (Rle_abs tau). lra. }
  set (b := fun a => excess a - t a).
  assert (Mt : M1 t) by (apply (m_beyond P1), Mx).
  assert (Ht : has L1 E1 t (E1 t)) by (apply (dominated P1 t (fun a => Rabs (t a)) Mt); [apply Hfar | intros; rewrite
    Rabs_Rabsolu; lra]).
  assert (Hb : has L1 E1 b (0 - E1 t)) by (apply (has_minus P1); assumption).
  assert (Hbeta : Rabs (0 - E1 t) <= tau).
  { rewrite Rminus_0_l, Rabs_Ropp. apply Rabs_le. split.
    - apply Ropp_le_cancel. rewrite Ropp_involutive.
      refine (has_le P1 (fun a => -1 * t a) _ _ _ _ _ Hfar).
      + intros a _. pose proof (Rle_abs (- t a)). rewrite Rabs_Ropp in H. lra.
      + replace (- E1 t) with (-1 * E1 t) by ring. apply (has_scal P1), Ht.
    - refine (has_le P1 _ _ _ _ _ Ht Hfar). intros a _. apply Rle_abs. }
  set (beta := 0 - E1 t) in *. set (c := fun a => b a - beta).
  assert (Hc : has L1 E1 c 0).
  { replace 0 with (beta - beta) by ring. apply (has_minus P1); [exact Hb | apply (has_const P1)]. }
  assert (Hc2 : has L1 E1 (fun a => c a ^ 2) (E1 (fun a => c a ^ 2))).
  { apply (bounded P1 _ ((INR K + Rabs beta) ^ 2)); [apply (m_square P1), (measurable P1 _ _ Hc)|]. intros a _.
    rewrite Rabs_pos_eq by apply pow2_ge_0. rewrite <- (pow2_abs (c a)). apply pow_incr. split; [apply Rabs_pos|].
    unfold c, Rminus. eapply Rle_trans; [apply Rabs_triang|]. rewrite Rabs_Ropp. apply Rplus_le_compat_r.
    unfold b, t, beyond. destruct Rle_dec as [Hle | _]; [rewrite Rminus_0_r; exact Hle|].
    rewrite Rminus_eq_0, Rabs_R0. apply pos_INR. }
  set (V := E1 (fun a => c a ^ 2)) in *. set (eta := eps / 4).
  destruct (over_size (V / eta) (eps / 4)) as [N HN]; [lra|]. exists N. intros G HGN. destruct (HN G HGN) as [Hpos Hle].
  split; [exact Hpos|]. pose proof (HG G Hpos) as Hgroup. pose proof (proj1 Hgroup) as P.
  pose proof (has_plus P _ _ _ _ (has_const P (eta + Rabs beta)) (has_plus P _ _ _ _
    (has_scal P (/ eta) _ _ (square_of_mean H1 Hgroup Hpos c V Hc Hc2)) (mean_has Hgroup Hpos _ _ Hfar))) as Hsum.
  cbv beta in Hsum.
  assert (Bound : forall s, group (outcomes sample) G s -> Rabs (mean (map excess s)) <=
    eta + Rabs beta + (/ eta * mean (map c s) ^ 2 + mean (map (fun a => Rabs (t a)) s))).
  { intros s Hs. assert (N0 : s <> []) by exact (group_not_empty Hpos s Hs).
    replace (mean (map excess s)) with (mean (map c s) + beta + mean (map t s)).
    2:{ rewrite <- (mean_of_constant beta s N0) at 1. rewrite <- !mean_plus. f_equal. apply map_ext. intros a.
        unfold c, b. ring. }
    eapply Rle_trans; [apply Rabs_triang|]. pose proof (Rabs_triang (mean (map c s)) beta).
    pose proof (mean_of_absolute t s). set (x := mean (map c s)) in *.
    assert (Rabs x <= eta + / eta * x ^ 2).
    { assert (Heta : 0 < eta) by (unfold eta; lra). apply Rmult_le_reg_l with eta; [exact Heta|].
      rewrite Rmult_plus_distr_l, <- Rmult_assoc, Rinv_r, Rmult_1_l by lra. rewrite <- (pow2_abs x).
      pose proof (Rabs_pos x). pose proof (pow2_ge_0 (Rabs x - eta)). nra. }
    lra. }
  assert (HX : has (L G) (E G) (fun s => Rabs (mean (map excess s))) (E G (fun s => Rabs (mean (map excess s))))).
  { apply (absolute P (fun s => mean (map excess s)) 0). apply (mean_has Hgroup Hpos), Hx. }
  eexists. split; [exact HX|]. eapply Rle_trans; [exact (has_le P _ _ _ _ Bound HX Hsum)|].
  replace (/ eta * (V / INR G)) with (V / eta / INR G) by (unfold Rdiv; ring).
  unfold eta in *. lra.
Qed.

Lemma distance_of_deviation : forall eps, 0 < eps -> exists N, forall G, (N <= G)%nat -> (1 <= G)%nat /\
  exists u, has (L G) (E G) (fun s => (deviation (map snd s) - sigma) ^ 2) u /\ 0 <= u <= eps.
Proof.
  intros eps He. destruct (mean_of_excess (eps / 2)) as [N HN]; [lra|].
  destruct (over_size s2 (eps / 2)) as [N' HN']; [lra|]. exists (N + N')%nat. intros G HGN.
  destruct (HN G) as (Hpos & u & Hu & Hle); [lia|]. destruct (HN' G) as [_ Hle']; [lia|]. split; [exact Hpos|].
  pose proof (HG G Hpos) as Hgroup. pose proof (proj1 Hgroup) as P.
  pose proof (has_plus P _ _ _ _ Hu (distance_of_mean G Hpos)) as Hsum.
  assert (HX : has (L G) (E G) (fun s => (deviation (map snd s) - sigma) ^ 2)
    (E G (fun s => (deviation (map snd s) - sigma) ^ 2))).
  { refine (dominated P _ _ _ (proj1 Hsum) _).
    - apply (m_square P), (m_minus P); [apply (m_deviation H1 Hgroup Hpos) | apply (m_const P)].
    - intros s Hs. rewrite Rabs_pos_eq by apply pow2_ge_0.
      eapply Rle_trans; [apply deviation_nearby, (group_not_empty Hpos s Hs) | apply Rle_abs]. }
  eexists. split; [exact HX|]. split; [apply (has_nonneg P _ _ (fun s _ => pow2_ge_0 _) HX)|].
  eapply Rle_trans; [refine (has_le P _ _ _ _ _ HX Hsum) | lra]. intros s Hs.
  apply deviation_nearby, (group_not_empty Hpos s Hs).
Qed.

End LargeGroups.

Theorem mean_of_a_large_group : forall (n : nat) (pi r v : nat -> R) (s : sampling n pi), have_moments s r v ->
  let m := Sum n (fun o => pi o * r o) in
  let s2 := Sum n (fun o => pi o * (v o + (r o - m) ^ 2)) in
  (forall G, (1 <= G)%nat -> expects s G (fun g => (mean (map snd g) - m) ^ 2) (s2 / INR G)) /\
  is_lim_seq (fun G => expectation_of_group s G (fun g => (mean (map snd g) - m) ^ 2)) 0 /\
  forall eps, 0 < eps -> is_lim_seq (fun G => expectation_of_group s G (far (fun g => mean (map snd g)) m eps)) 0.
Proof.
  intros n pi r v s Hr m s2. pose proof (members_drawn s) as H1.
  assert (D : forall G, (1 <= G)%nat -> expects s G (fun g => (mean (map snd g) - m) ^ 2) (s2 / INR G))
    by exact (distance_of_mean s Hr).
  split; [exact D|]. split.
  - apply vanishes. intros eps He. destruct (over_size s2 eps He) as [N HN]. exists N. intros G HGN.
    destruct (HN G HGN) as [Hpos Hle]. rewrite (proj2 (D G Hpos)). split; [|exact Hle].
    apply Rmult_le_pos; [apply (variance_nonnegative s Hr) | apply Rlt_le, Rinv_0_lt_compat, lt_0_INR; lia].
  - intros eps He. apply vanishes. intros eta Heta. assert (He2 : 0 < eps ^ 2) by (apply pow_lt, He).
    destruct (over_size s2 (eta * eps ^ 2)) as [N HN]; [apply Rmult_lt_0_compat; assumption|]. exists N. intros G HGN.
    destruct (HN G HGN) as [Hpos Hle]. pose proof (groups_drawn s G Hpos) as K.
    destruct (far_is_improbable _ _ _ _ _ (fun g => mean (map snd g)) m eps _ (proj1 K) He (m_mean H1 K)
      (D G Hpos)) as (q & [_ Eq] & Hq). rewrite Eq. split; [apply Hq|].
    apply Rle_trans with (s2 / INR G / eps ^ 2); [apply Hq|]. apply Rmult_le_reg_r with (eps ^ 2); [exact He2|].
    unfold Rdiv at 1. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. exact Hle.
Qed.

Theorem deviation_of_a_large_group : forall (n : nat) (pi r v : nat -> R) (s : sampling n pi), have_moments s r v ->
  let m := Sum n (fun o => pi o * r o) in
  let sigma := sqrt (Sum n (fun o => pi o * (v o + (r o - m) ^ 2))) in
  is_lim_seq (fun G => expectation_of_group s G (fun g => (deviation (map snd g) - sigma) ^ 2)) 0 /\
  forall eps, 0 < eps ->
    is_lim_seq (fun G => expectation_of_group s G (far (fun g => deviation (map snd g)) sigma eps)) 0.
Proof.
  intros n pi r v s Hr m sigma. pose proof (members_drawn s) as H1.
  assert (D : forall eps, 0 < eps -> exists N, forall G, (N <= G)%nat -> (1 <= G)%nat /\
    exists u, expects s G (fun g => (deviation (map snd g) - sigma) ^ 2) u /\ 0 <= u <= eps)
    by exact (distance_of_deviation s Hr).
  split.
  - apply vanishes. intros eps He. destruct (D eps He) as [N HN]. exists N. intros G HGN.
    destruct (HN G HGN) as (_ & u & [_ ->] & Hu). exact Hu.
  - intros eps He. apply vanishes. intros eta Heta. assert (He2 : 0 < eps ^ 2) by (apply pow_lt, He).
    destruct (D (eta * eps ^ 2)) as [N HN]; [apply Rmult_lt_0_compat; assumption|]. exists N.
    intros G HGN. destruct (HN G HGN) as (Hpos & u & Hu & Hle). pose proof (groups_drawn s G Hpos) as K.
    destruct (far_is_improbable _ _ _ _ _ (fun g => deviation (map snd g)) sigma eps u (proj1 K) He
      (m_deviation H1 K Hpos) Hu) as (q & [_ Eq] & Hq). rewrite Eq. split; [apply Hq|].
    apply Rle_trans with (u / eps ^ 2); [apply Hq|]. apply Rmult_le_reg_r with (eps ^ 2); [exact He2|].
    unfold Rdiv. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra. apply Hle.
Qed.

(** The expected advantage of the answer [o]: A sigma - (x - m) = A (sigma - deviation) + (m - mean). *)
Theorem preference_in_large_groups : forall (n o : nat) (pi r v Q : nat -> R) (s : sampling n pi), have_moments s r v ->
  full_support n pi -> (o < n)%nat -> (forall G, (1 <= G)%nat -> given s G o first_advantage (Q G)) ->
  let m := Sum n (fun a => pi a * r a) in
  let s2 := Sum n (fun a => pi a * (v a + (r a - m) ^ 2)) in
  0 < s2 -> is_lim_seq Q ((r o - m) / sqrt s2).
Proof.
  intros n o pi r v Q sample Hr Hold Ho HQ m s2 Hs2. set (sigma := sqrt s2). pose proof (members_drawn sample) as H1.
  set (L := integrable_of_group sample) in *. set (E := expectation_of_group sample) in *.
  pose proof (proj1 Hold o Ho) as Hp. assert (Hs : 0 < sigma) by (apply sqrt_lt_R0, Hs2).
  assert (Hps : 0 < pi o * sigma) by (apply Rmult_lt_0_compat; assumption).
  apply is_lim_seq_spec. intros eps. pose proof (cond_pos eps) as He. set (eta := eps * (pi o * sigma) / 4).
  assert (Heta : 0 < eta) by (unfold eta; apply Rmult_lt_0_compat; [apply Rmult_lt_0_compat; assumption | lra]).
  assert (D : exists N, forall G, (N <= G)%nat -> (1 <= G)%nat /\
    exists u, has (L G) (E G) (fun g => (deviation (map snd g) - sigma) ^ 2) u /\ 0 <= u <= eta ^ 2)
    by exact (distance_of_deviation sample Hr (eta ^ 2) (pow_lt eta 2 Heta)).
  destruct D as [N HN].
  destruct (over_size (Rabs (pi o * (r o - m))) eta Heta) as [N' HN']. exists (N + N')%nat. intros G HGN.
  destruct (HN G) as (Hpos & u & Hu & Hu0 & Hule); [lia|]. destruct (HN' G) as [_ Hsize]; [lia|].
  assert (HI : 0 < INR G) by (apply lt_0_INR; lia).
  pose proof (groups_drawn sample G Hpos) as K. pose proof (proj1 K) as P.
  specialize (HQ G Hpos). unfold given, expects in HQ. fold L E in HQ.
  destruct (first_advantage_square H1 K Hpos) as (u1 & Hu1 & Hle1).
  assert (HA : has (L G) (E G) (fun s => (is_output o (draw 0 s) * first_advantage s) ^ 2)
    (E G (fun s => (is_output o (draw 0 s) * first_advantage s) ^ 2))).
  { refine (dominated P _ _ (m_square P _ (measurable P _ _ HQ)) (proj1 Hu1) _). intros s _.
    rewrite !Rabs_pos_eq by apply pow2_ge_0. rewrite Rpow_mult_distr, is_output_square.
    pose proof (is_output_0_1 o (draw 0 s)). pose proof (pow2_ge_0 (first_advantage s)). nra. }
  set (u2 := E G (fun s => (is_output o (draw 0 s) * first_advantage s) ^ 2)) in *.
  assert (Hu2 : 0 <= u2 <= 1).
  { split; [apply (has_nonneg P _ u2 (fun s _ => pow2_ge_0 _) HA)|]. eapply Rle_trans; [|exact Hle1].
    refine (has_le P _ _ _ _ _ HA Hu1). intros s _. rewrite Rpow_mult_distr, is_output_square.
    pose proof (is_output_0_1 o (draw 0 s)). pose proof (pow2_ge_0 (first_advantage s)). nra. }
  destruct (product P (fun s => is_output o (draw 0 s) * first_advantage s) (fun s => deviation (map snd s) - sigma)
    u2 u (measurable P _ _ HQ) (m_minus P _ _ (m_deviation H1 K Hpos) (m_const P sigma)) HA Hu) as (c & Hc & Hc2).
  assert (Hceta : Rabs c <= eta).
  { apply Rabs_le. assert (c ^ 2 <= eta ^ 2) by nra. split; nra. }
  assert (Hrest : has (L G) (E G) (fun s => is_output o (draw 0 s) * snd (draw 0 s)
      - is_output o (draw 0 s) * mean (map snd s)) (pi o * r o - (pi o * r o + (INR G - 1) * (pi o * m)) / INR G)).
  { apply (has_minus P).
    - apply (each_has K 0 (fun a => is_output o a * snd a) _ Hpos), Hr, Ho.
    - apply (first_times_mean K Hpos); [apply (output_has H1), Ho | | apply Hr, Ho].
      apply (mean_by_moments H1 (proj1 Hr)). }
  assert (Z : sigma * (pi o * Q G) = pi o * r o - (pi o * r o + (INR G - 1) * (pi o * m)) / INR G - c).
  { apply (has_one_value (L := L G) (E := E G) (fun s => sigma * (is_output o (draw 0 s) * first_advantage s))).
    - apply (has_scal P), HQ.
    - refine (has_ext P _ _ _ _ (has_minus P _ _ _ _ Hrest Hc)). intros s Hs'. cbv beta.
      pose proof (advantage_deviation (map snd s) (snd (draw 0 s))
        (in_map snd _ _ (first_in s (group_not_empty Hpos s Hs')))) as D. fold (first_advantage s) in D.
      rewrite <- Rmult_minus_distr_l, <- D. ring. }
  replace (Q G - (r o - m) / sigma) with ((- c - pi o * (r o - m) / INR G) / (pi o * sigma)).
  2:{ replace (Q G) with (sigma * (pi o * Q G) / (pi o * sigma)) by (field; lra). rewrite Z. field. lra. }
  unfold Rdiv at 1. rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (apply Rlt_le, Rinv_0_lt_compat, Hps).
  apply Rmult_lt_reg_r with (pi o * sigma); [exact Hps|]. rewrite Rmult_assoc, Rinv_l, Rmult_1_r by lra.
  apply Rle_lt_trans with (2 * eta); [|unfold eta; nra].
  unfold Rminus at 1. eapply Rle_trans; [apply Rabs_triang|]. rewrite !Rabs_Ropp. unfold Rdiv at 1.
  rewrite Rabs_mult, (Rabs_pos_eq (/ _)) by (apply Rlt_le, Rinv_0_lt_compat, HI). unfold Rdiv in Hsize. lra.
Qed.

(** The expectation over a group of the mean of ratio times advantage. *)
Theorem surrogate_of_large_groups : forall (n : nat) (pi new r v : nat -> R) (s : sampling n pi), have_moments s r v ->
  full_support n pi -> policy n new ->
  let m := Sum n (fun a => pi a * r a) in
  let s2 := Sum n (fun a => pi a * (v a + (r a - m) ^ 2)) in
  0 < s2 ->
  is_lim_seq (fun G => expectation_of_group s G (fun g =>
    mean (map (fun a => new (fst a) / pi (fst a) * advantage (map snd g) (snd a)) g)))
    ((Sum n (fun o => new o * r o) - m) / sqrt s2).
Proof.
  intros n pi new r v s Hr Hold Hnew m s2 Hs2. set (E := expectation_of_group s).
  set (Q := fun o G => E G (fun g => is_output o (draw 0 g) * first_advantage g) / pi o).
  assert (Hs : 0 < sqrt s2) by (apply sqrt_lt_R0, Hs2).
  assert (HQ : forall o G, (o < n)%nat -> (1 <= G)%nat -> given s G o first_advantage (Q o G)).
  { intros o G Ho Hpos. pose proof (proj1 Hold o Ho). drawn s G Hpos H1 HG P. unfold given, expects, Q.
    match goal with |- has _ _ _ ?x => replace x with (E G (fun g => is_output o (draw 0 g) * first_advantage g))
      by (field; lra) end.
    apply (of_first_advantage H1 HG Hpos); [apply H1, Ho | intros; apply is_output_0_1]. }
  apply (is_lim_seq_ext_loc (fun G => Sum n (fun o => new o * Q o G))).
  { exists 1%nat. intros G Hpos. symmetry. drawn s G Hpos H1 HG P.
    rewrite (Sum_ext n _ (fun o => pi o * (new o / pi o * Q o G + 0))).
    2:{ intros o Ho. pose proof (proj1 Hold o Ho). field. lra. }
    refine (proj2 (has_ext P _ _ _ _ (average_over_a_group_by_its_members n G pi (fun o => new o / pi o) (fun _ => 0)
      (fun o => Q o G) s Hpos _))).
    - intros g _. f_equal. apply map_ext. intros a. ring.
    - intros o Ho. apply HQ; assumption. }
  replace ((Sum n (fun o => new o * r o) - m) / sqrt s2) with (Sum n (fun o => new o * ((r o - m) / sqrt s2))).
  2:{ rewrite <- (Rmult_1_r m) at 1. rewrite <- (proj2 Hnew), <- Sum_scal, <- Sum_minus, <- Sum_div.
      apply Sum_ext. intros. field. lra. }
  assert (K : forall k, (k <= n)%nat -> is_lim_seq (fun G => Sum k (fun o => new o * Q o G))
    (Sum k (fun o => new o * ((r o - m) / sqrt s2)))).
  { induction k as [|k IH]; intros Hk; simpl; [apply is_lim_seq_const|]. apply is_lim_seq_plus'; [apply IH; lia|].
    replace (Finite (new k * ((r k - m) / sqrt s2))) with (Rbar_mult (new k) ((r k - m) / sqrt s2)) by reflexivity.
    apply is_lim_seq_scal_l, (preference_in_large_groups n k pi r v (Q k) s Hr Hold); [lia | | exact Hs2].
    intros G Hpos. apply HQ; [lia | exact Hpos]. }
  apply K, le_n.
Qed.


(** ** Laws of finitely many values

    They are such laws, their samples such groups, and the preference of Policies.v is what is given there. *)

Definition every {A : Type} (f : A -> R) : Prop := True.

Section FinitelyManyValues.
Variables (n : nat) (pi : nat -> R) (rw : rewards).
Hypotheses (Hpi : policy n pi) (Hrw : are_laws n rw).

Let S1 (m : member) : Prop := (fst m < n)%nat.
Let E1 := outcome_expect n pi rw.
Let HE : expectation E1 := outcome_expectation n pi rw Hpi Hrw.

Lemma outcome_agrees : forall f g, (forall m, S1 m -> f m = g m) -> E1 f = E1 g.
Proof.
  intros f g H. unfold E1, outcome_expect, expect. apply Sum_ext. intros o Ho. f_equal. unfold law_expect.
  apply list_sum_ext. intros w _. rewrite (H (o, snd w) Ho). reflexivity.
Qed.

Lemma draws_agree : forall G F F', (forall s, group S1 G s -> F s = F' s) -> draws E1 G F = draws E1 G F'.
Proof.
  induction G as [|G IH]; intros F F' H; simpl.
  - apply H. split; [reflexivity | intros m []].
  - apply outcome_agrees. intros a Ha. apply IH. intros s [Hs Hin]. apply H. split; [simpl; lia|].
    intros m [<- | Hm]; [exact Ha | apply Hin, Hm].
Qed.

Theorem finite_member : member_of n pi S1 every every E1.
Proof.
  split; [apply (finite_probability _ _ _ HE outcome_agrees)|]. split; [intros m H; exact H|]. split; [exact I|].
  intros o Ho. split; [exact I|]. unfold E1, outcome_expect, expect.
  rewrite <- (Sum_at_index n o (pi o) Ho). apply Sum_ext. intros a Ha. unfold at_index, is_output. simpl.
  pose proof (law_expectation (rw a) (Hrw a Ha)) as HL.
  destruct (Nat.eqb_spec a o) as [-> | Hn]; destruct (Nat.eq_dec) as [He | He]; try congruence;
    rewrite (E_const _ HL); ring.
Qed.

Lemma draws_each : forall G i f, (i < G)%nat -> draws E1 G (fun s => f (draw i s)) = E1 f.
Proof.
  induction G as [|G IH]; intros i f Hi; [lia|]. simpl. pose proof (draws_expectation _ HE G) as HD. destruct i as [|i].
  - apply (E_ext _ HE). intros a. exact (E_const _ HD (f a)).
  - rewrite (E_ext _ HE _ (fun _ => E1 f)); [apply (E_const _ HE)|]. intros a. apply (IH i f). lia.
Qed.

Theorem finite_group : forall G, (1 <= G)%nat -> group_of G S1 every every E1 every every (draws E1 G).
Proof.
  intros G HG. pose proof (draws_expectation _ HE G) as HD.
  split; [apply (finite_probability _ _ _ HD (draws_agree G))|]. split; [intros; exact I|].
  split; [intros i f Hi _; split; [exact I | apply draws_each, Hi]|]. split.
  - intros j f g Hj _ _. split; [exact I|]. destruct G as [|N]; [lia|]. destruct j as [|j]; [lia|]. simpl.
    pose proof (draws_expectation _ HE N) as HN.
    rewrite (E_ext _ HE _ (fun a => E1 g * f a)).
    + rewrite (E_scal _ HE). ring.
    + intros a. change (fun s : list member => f (draw 0 (a :: s)) * g (draw (S j) (a :: s))) with
        (fun s : list member => f a * g (draw j s)).
      rewrite (E_scal _ HN), draws_each by lia. ring.
  - intros F HF _. split; [exact I|]. destruct G as [|N]; [lia|]. apply (draws_exchange _ HE N F HF).
Qed.

Definition finite_sampling : sampling n pi := {|
  outcomes := S1; measurable_of_member := every; integrable_of_member := every; expectation_of_member := E1;
  measurable_of_group := fun _ => every; integrable_of_group := fun _ => every; expectation_of_group := draws E1;
  members_drawn := finite_member; groups_drawn := finite_group |}.

(** What a group is expected to have in a member with the output [o], as Vojnovic & Yun have it in Section 2.1. *)
Theorem preference_is_given : forall (adv : list R -> R -> R) G o, (1 <= G)%nat -> (o < n)%nat ->
  expects finite_sampling G (fun g => is_output o (draw 0 g) * adv (map snd g) (snd (draw 0 g)))
    (pi o * preference_of adv n rw G pi o).
Proof.
  intros adv G o HG Ho. split; [exact I|]. cbn [expectation_of_group finite_sampling].
  destruct G as [|N]; [lia|]. cbn [draws].
  pose proof (draws_expectation _ HE N) as HN.
  rewrite (E_ext _ HE _ (fun a => is_output o a * draws E1 N (fun s => adv (snd a :: map snd s) (snd a)))).
  2:{ intros a. rewrite <- (E_scal _ HN). reflexivity. }
  unfold preference_of. simpl Nat.sub. rewrite Nat.sub_0_r. unfold E1 at 1, outcome_expect at 1, expect.
  match goal with |- _ = ?x => rewrite <- (Sum_at_index n o x Ho) end.
  apply Sum_ext. intros a Ha. unfold at_index, is_output. cbn [fst snd].
  pose proof (law_expectation (rw a) (Hrw a Ha)) as HL.
  destruct (Nat.eqb_spec a o) as [-> | Hn]; destruct Nat.eq_dec as [He | He]; try congruence.
  - f_equal. apply (E_ext _ HL). intros x. fold E1. ring.
  - rewrite (E_ext _ HL _ (fun _ => 0)); [rewrite (E_const _ HL); ring | intros x; ring].
Qed.

End FinitelyManyValues.
