(** Patel (2025): the losses (11), (14) and (17) beside one another, where a clipped loss is differentiable, and the
    range of the reward (15). *)

From Coq Require Import Reals Lra Lia List.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Definitions Rules Calculus TrustRegions Patel.
Import ListNotations.
Open Scope R_scope.

(** The reward (15) lies in [0, rho), and no smaller bound does. *)
Theorem pt_eq15_range : forall rho, (2 <= rho)%nat ->
  (forall omega phi tau, all_positive rho omega -> Sum rho omega = 1 -> all_positive rho phi ->
     (forall j, (j < rho)%nat -> 0 <= tau j <= 1) -> 0 <= grape_reward rho omega phi tau < INR rho) /\
  (forall omega phi, grape_reward rho omega phi (fun _ => 0) = 0) /\
  (forall e, 0 < e -> exists omega phi, all_positive rho omega /\ Sum rho omega = 1 /\ all_positive rho phi /\
     INR rho - e < grape_reward rho omega phi (fun _ => 1)).
Proof.
  intros rho Hr. assert (Hn : 2 <= INR rho) by (change 2 with (INR 2); apply le_INR, Hr).
  assert (H0 : (0 < rho)%nat) by lia. split; [|split].
  - intros omega phi tau Ho H1 Hp Ht. pose proof (sum_positive rho phi H0 Hp) as Sp.
    assert (Hlt : forall j, (j < rho)%nat -> omega j < 1).
    { intros j Hj. destruct (Nat.eq_dec j 0) as [E|N].
      - assert (omega j + omega 1%nat <= Sum rho omega).
        { rewrite <- (Sum_at_index rho j (omega j) Hj), <- (Sum_at_index rho 1 (omega 1%nat)) by lia.
          rewrite <- Sum_plus. apply Sum_le. intros i Hi. unfold at_index. pose proof (Ho i Hi).
          destruct (Nat.eqb_spec i j), (Nat.eqb_spec i 1); subst; try lia; lra. }
        pose proof (Ho 1%nat ltac:(lia)). lra.
      - assert (omega j + omega 0%nat <= Sum rho omega).
        { rewrite <- (Sum_at_index rho j (omega j) Hj), <- (Sum_at_index rho 0 (omega 0%nat)) by lia.
          rewrite <- Sum_plus. apply Sum_le. intros i Hi. unfold at_index. pose proof (Ho i Hi).
          destruct (Nat.eqb_spec i j), (Nat.eqb_spec i 0); subst; try lia; lra. }
        pose proof (Ho 0%nat H0). lra. }
    unfold grape_reward. split.
    + apply Rdiv_le_0_compat; [|exact Sp]. apply Rmult_le_pos; [lra|]. apply Sum_nonneg. intros j Hj.
      specialize (Ht j Hj). specialize (Ho j Hj). specialize (Hp j Hj). repeat apply Rmult_le_pos; lra.
    + apply Rmult_lt_reg_r with (Sum rho phi); [exact Sp|].
      replace (INR rho * Sum rho (fun j => omega j * tau j * phi j) / Sum rho phi * Sum rho phi)
        with (INR rho * Sum rho (fun j => omega j * tau j * phi j)) by (field; lra).
      apply Rmult_lt_compat_l; [lra|].
      assert (Each : forall j, (j < rho)%nat -> omega j * tau j * phi j < phi j).
      { intros j Hj. specialize (Ht j Hj). pose proof (Ho j Hj). pose proof (Hp j Hj). pose proof (Hlt j Hj).
        assert (omega j * tau j < 1) by nra. nra. }
      apply Sum_lt with 0%nat; [intros j Hj; left; apply Each, Hj | exact H0 | apply Each, H0].
  - intros omega phi. unfold grape_reward. rewrite (Sum_zero rho) by (intros; ring). unfold Rdiv. ring.
  - intros e He. set (u := Rmin (1 / 2) (e / (4 * INR rho))).
    assert (Hu : 0 < u <= 1 / 2).
    { unfold u. split; [apply Rmin_glb_lt; [lra | apply Rdiv_lt_0_compat; lra] | apply Rmin_l]. }
    assert (Hu' : 2 * INR rho * u < e).
    { assert (L : u <= e / (4 * INR rho)) by apply Rmin_r.
      apply (Rmult_le_compat_l (2 * INR rho)) in L; [|lra].
      replace (2 * INR rho * (e / (4 * INR rho))) with (e / 2) in L by (field; lra). lra. }
    set (t := u / (INR rho - 1)). assert (Ht : 0 < t <= u).
    { unfold t. split; [apply Rdiv_lt_0_compat; lra|]. apply (Rmult_le_reg_r (INR rho - 1)); [lra|].
      replace (u / (INR rho - 1) * (INR rho - 1)) with u by (field; lra). nra. }
    exists (update (fun _ => t) 0 (1 - u)), (update (fun _ => t) 0 1).
    assert (P : forall c, 0 < c -> all_positive rho (update (fun _ => t) 0 c)).
    { intros c Hc j Hj. unfold update. destruct (Nat.eqb_spec j 0); lra. }
    assert (T : forall c, Sum rho (update (fun _ => t) 0 c) = u + c).
    { intros c. rewrite (Sum_update rho (fun _ y => y)) by exact H0. rewrite Sum_const. unfold t. field. lra. }
    split; [apply P; lra|]. split; [rewrite T; ring|]. split; [apply P; lra|].
    unfold grape_reward. rewrite T.
    assert (B : 1 - u <= Sum rho (fun j => update (fun _ => t) 0 (1 - u) j * 1 * update (fun _ => t) 0 1 j)).
    { apply Rle_trans with (update (fun _ => t) 0 (1 - u) 0%nat * 1 * update (fun _ => t) 0 1 0%nat).
      - rewrite !update_same. lra.
      - apply (Sum_term_le rho (fun j => update (fun _ => t) 0 (1 - u) j * 1 * update (fun _ => t) 0 1 j)); [|exact H0].
        intros i Hi. rewrite Rmult_1_r. apply Rlt_le, Rmult_lt_0_compat; apply P; lra || assumption. }
    apply Rlt_le_trans with (INR rho * (1 - u) / (u + 1)).
    + apply (Rmult_lt_reg_r (u + 1)); [lra|].
      replace (INR rho * (1 - u) / (u + 1) * (u + 1)) with (INR rho * (1 - u)) by (field; lra). nra.
    + apply Rmult_le_compat_r; [left; apply Rinv_0_lt_compat; lra|]. apply Rmult_le_compat_l; lra.
Qed.

(** A clipped loss is linear inside the range and flat beyond, so differentiable at every ratio but the ends of the
    range: at the sampling model with the slope A of the ratio loss; and not at the end where clipping sets in. *)
Lemma kink (f : R -> R) (x a b : R) : a <> b ->
  (forall z, z <= x -> f z = f x + a * (z - x)) -> (forall z, x <= z -> f z = f x + b * (z - x)) -> ~ ex_derive f x.
Proof.
  intros N L U [d D]. apply N. apply is_derive_Reals in D. unfold derivable_pt_lim in D.
  assert (E : forall c s, s <> 0 -> (forall h, 0 < h -> f (x + s * h) = f x + c * (s * h)) -> c = d).
  { intros c s Hs H. destruct (Req_dec c d) as [|M]; [assumption|]. exfalso.
    assert (P : 0 < Rabs (c - d)) by (apply Rabs_pos_lt; lra).
    destruct (D (Rabs (c - d)) P) as [delta Hd].
    assert (Q : 0 < Rabs s) by (apply Rabs_pos_lt, Hs). pose proof (cond_pos delta) as Q'.
    set (h := delta / 2 / Rabs s). assert (Hh : 0 < h) by (unfold h; repeat apply Rdiv_lt_0_compat; lra).
    specialize (Hd (s * h)). rewrite (H h Hh) in Hd.
    replace ((f x + c * (s * h) - f x) / (s * h) - d) with (c - d) in Hd by (field; split; lra).
    assert (s * h <> 0) by (apply Rmult_integral_contrapositive_currified; lra).
    assert (Rabs (s * h) < delta).
    { rewrite Rabs_mult, (Rabs_pos_eq h) by lra. unfold h. replace (Rabs s * (delta / 2 / Rabs s)) with (delta / 2)
        by (field; lra). lra. }
    specialize (Hd ltac:(assumption) ltac:(assumption)). lra. }
  transitivity d; [apply (E a (-1)); [lra|] | symmetry; apply (E b 1); [lra|]].
  - intros h Hh. rewrite L by lra. ring.
  - intros h Hh. rewrite U by lra. ring.
Qed.

Theorem pt_grape_differentiable : forall epsilon A, 0 < epsilon < 1 -> A <> 0 ->
  (forall x, 1 - epsilon <= x <= 1 + epsilon -> clipped epsilon x A = x * A) /\
  (forall x, 0 < A -> 1 + epsilon <= x -> clipped epsilon x A = (1 + epsilon) * A) /\
  is_derive (fun x => clipped epsilon x A) 1 A /\
  (forall x, x <> 1 - epsilon -> x <> 1 + epsilon -> ex_derive (fun x => clipped epsilon x A) x) /\
  ~ ex_derive (fun x => clipped epsilon x A) (if Rlt_dec 0 A then 1 + epsilon else 1 - epsilon).
Proof.
  intros epsilon A He HA. split; [intros; apply clipped_inside; lra|]. split.
  { intros x P Hx. rewrite clipped_positive, Rmin_right by lra. ring. }
  split; [|split].
  - pose proof (clipped_near_one_derive epsilon (fun x => x) 1 1 A ltac:(lra) eq_refl
      (is_derive_id (K := R_AbsRing) 1)) as D. rewrite Rmult_1_l in D. exact D.
  - intros x H1 H2.
    assert (Near : exists c d r, 0 < r /\ forall z, Rabs (z - x) < r -> clipped epsilon z A = c * z + d).
    { destruct (Rlt_dec 0 A) as [P|P].
      - assert (F : forall z, clipped epsilon z A = A * Rmin z (1 + epsilon)) by (intros; apply clipped_positive; lra).
        destruct (Rlt_le_dec x (1 + epsilon)).
        + exists A, 0, (1 + epsilon - x). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmin_left by lra.
          ring.
        + exists 0, (A * (1 + epsilon)), (x - (1 + epsilon)). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmin_right by lra. ring.
      - assert (F : forall z, clipped epsilon z A = A * Rmax z (1 - epsilon)).
        { intros z. replace A with (- - A) at 1 by ring. rewrite clipped_negative by lra. ring. }
        destruct (Rlt_le_dec x (1 - epsilon)).
        + exists 0, (A * (1 - epsilon)), (1 - epsilon - x). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmax_right by lra. ring.
        + exists A, 0, (x - (1 - epsilon)). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmax_left by lra.
          ring. }
    destruct Near as (c & d & r & Hr & N). exists c.
    apply (is_derive_ext_loc (fun z => c * z + d)).
    + exists (mkposreal r Hr). intros z Hz. symmetry. apply N. exact Hz.
    + auto_derive; [trivial | ring].
  - destruct (Rlt_dec 0 A) as [P|P].
    + assert (F : forall z, clipped epsilon z A = A * Rmin z (1 + epsilon)) by (intros; apply clipped_positive; lra).
      apply (kink _ _ A 0 HA).
      * intros z Hz. rewrite !F, !Rmin_left by lra. ring.
      * intros z Hz. rewrite !F, !Rmin_right by lra. ring.
    + assert (F : forall z, clipped epsilon z A = A * Rmax z (1 - epsilon)).
      { intros z. replace A with (- - A) at 1 by ring. rewrite clipped_negative by lra. ring. }
      apply (kink _ _ 0 A); [lra | |].
      * intros z Hz. rewrite !F, !Rmax_right by lra. ring.
      * intros z Hz. rewrite !F, !Rmax_left by lra. ring.
Qed.

(** (14), over Q questions with G texts each, is (11) over the QG texts, each with the advantage (13) of its group,
    which is the same for each of its tokens. *)
Theorem pt_eq14_same_as_ppo : forall (M N : model) epsilon (reward : list nat -> list nat -> R)
    (groups : list (list nat * list (list nat))) G, (0 < G)%nat -> (0 < length groups)%nat ->
  (forall g, In g groups -> length (snd g) = G) ->
  let advantage_in := fun g x => shift_advantage (map (reward (fst g)) (snd g)) (reward (fst g) x) in
  let term := fun g x => clipped_gain epsilon M N (fun _ _ => advantage_in g x) (fst g) x in
  let numbered := flat_map (fun g => map (fun x => (g, x)) (snd g)) groups in
  length numbered = (length groups * G)%nat /\
  - (/ (INR (length groups) * INR G) * list_sum (map (fun g => list_sum (map (term g) (snd g))) groups))
  = - mean (map (fun gx => term (fst gx) (snd gx)) numbered).
Proof.
  intros M N epsilon reward groups G HG HQ H advantage_in term numbered.
  assert (L : length numbered = (length groups * G)%nat).
  { unfold numbered. clear HQ. induction groups as [|g gs IH]; [reflexivity|]. simpl. rewrite app_length, map_length.
    rewrite (H g) by (left; reflexivity). rewrite IH; [reflexivity|]. intros g' Hg'. apply H. right. exact Hg'. }
  assert (S : list_sum (map (fun gx => term (fst gx) (snd gx)) numbered)
    = list_sum (map (fun g => list_sum (map (term g) (snd g))) groups)).
  { unfold numbered. clear L HQ H. induction groups as [|g gs IH]; [reflexivity|]. simpl.
    rewrite map_app, list_sum_app, map_map, IH. reflexivity. }
  split; [exact L|]. unfold mean. rewrite map_length, L, S, mult_INR.
  assert (0 < INR G) by (apply lt_0_INR, HG). assert (0 < INR (length groups)) by (apply lt_0_INR, HQ). field. lra.
Qed.

(** (17), which clips the ratio of the whole text. A text is one event: its ratio is the product of those of its tokens,
    and that of the question with it is this times the ratio of the question, which is 1 where both models give it the
    same probability; unclipped, the loss expected under the sampling model is minus the advantage expected under the
      model; and over
    groups of any size (17) is minus the clipped objective on whole outputs, of which there are as many as texts. *)
Definition text_number (V T o : nat) : list nat := nth o (texts V T) [].

Lemma text_expect_events V M T s F : text_expect V M T s F
  = expect (length (texts V T)) (fun o => text_prob M s (text_number V T o)) (fun o => F (text_number V T o)).
Proof.
  rewrite text_law_is_product. unfold expect, text_number.
  induction (texts V T) as [|x xs IH] using rev_ind; [reflexivity|].
  rewrite map_app, list_sum_app, app_length. simpl. rewrite Nat.add_1_r. simpl. rewrite IH.
  rewrite app_nth2, Nat.sub_diag by lia. simpl. f_equal; [|ring]. apply Sum_ext. intros i Hi.
  rewrite app_nth1 by exact Hi. reflexivity.
Qed.

Theorem pt_eq17_alt_loss : forall V M N T s, is_model V N ->
  (forall x, text_prob M s x / text_prob N s x = ratio_product M N s x /\
     text_prob M [] (s ++ x) / text_prob N [] (s ++ x) = ratio_product M N [] s * (text_prob M s x / text_prob N s x) /\
     (0 < text_prob N [] s -> text_prob M [] s = text_prob N [] s ->
        text_prob M [] (s ++ x) / text_prob N [] (s ++ x) = text_prob M s x / text_prob N s x)) /\
  (forall A, covers V N M ->
     text_expect V N T s (fun x => - (text_prob M s x / text_prob N s x * A x)) = - text_expect V M T s A) /\
  (forall epsilon reward G,
     draws (text_expect V N T s) G (fun g => - mean (map (fun x =>
       clipped epsilon (text_prob M s x / text_prob N s x) (shift_advantage (map reward g) (reward x))) g))
     = - draws (expect (length (texts V T)) (fun o => text_prob N s (text_number V T o))) G
       (fun g => mean (map (fun o =>
           clipped epsilon (text_prob M s (text_number V T o) / text_prob N s (text_number V T o))
             (shift_advantage (map (fun i => reward (text_number V T i)) g) (reward (text_number V T o)))) g))).
Proof.
  intros V M N T s HN. split; [|split].
  - intros x. split; [apply weight_of_text_is_product_of_token_ratios|].
    assert (E : text_prob M [] (s ++ x) / text_prob N [] (s ++ x)
      = text_prob M [] s / text_prob N [] s * (text_prob M s x / text_prob N s x)).
    { rewrite !text_probability_of_appended. unfold Rdiv. rewrite Rinv_mult. simpl app. ring. }
    split; [rewrite E, weight_of_text_is_product_of_token_ratios; reflexivity|].
    intros P Q. rewrite E, Q. replace (text_prob N [] s / text_prob N [] s) with 1 by (field; lra). ring.
  - intros A Hc. rewrite (text_expect_ext V N T s _ (fun x => -1 * (text_prob M s x / text_prob N s x * A x)))
      by (intros; ring). rewrite text_expect_scal, change_of_measure_for_texts by exact Hc. ring.
  - intros epsilon reward G.
    set (f := fun g => mean (map (fun x =>
       clipped epsilon (text_prob M s x / text_prob N s x) (shift_advantage (map reward g) (reward x))) g)).
    assert (D : forall G (F : list (list nat) -> R), draws (text_expect V N T s) G F
      = draws (expect (length (texts V T)) (fun o => text_prob N s (text_number V T o))) G
          (fun g => F (map (text_number V T) g))).
    { intros K. induction K as [|K IH]; intros F; [reflexivity|]. simpl. rewrite text_expect_events. apply expect_ext.
      intros o _. apply IH. }
    assert (Neg : forall n (p : nat -> R) K (F : list nat -> R),
      draws (expect n p) K (fun g => - F g) = - draws (expect n p) K F).
    { intros n p K. induction K as [|K IH]; intros F; [reflexivity|]. simpl.
      rewrite (expect_ext n p _ (fun a => -1 * draws (expect n p) K (fun t => F (a :: t)))).
      - rewrite expect_scal. ring.
      - intros a _. rewrite (IH (fun t => F (a :: t))). ring. }
    transitivity (draws (text_expect V N T s) G (fun g => - f g)); [reflexivity|].
    rewrite (D G (fun g => - f g)), (Neg _ _ G (fun g => f (map (text_number V T) g))). f_equal.
    assert (Ext : forall n (p : nat -> R) K (F F' : list nat -> R), (forall g, F g = F' g) ->
      draws (expect n p) K F = draws (expect n p) K F').
    { intros n p K. induction K as [|K IH]; intros F F' H; [apply H|]. simpl. apply expect_ext. intros. apply IH.
      intros. apply H. }
    apply Ext. intros g. unfold f. rewrite map_map. f_equal. apply map_ext. intros o. rewrite map_map. reflexivity.
Qed.

(** ** First steps: the rows of the table that have the divergence in the reward, and a rubric *)

(** The sum over the tokens of a text of w(state, token, what follows). *)
Fixpoint onward (w : list nat -> nat -> list nat -> R) (s x : list nat) : R :=
  match x with
  | [] => 0
  | a :: rest => w s a rest + onward w (s ++ [a]) rest
  end.

Lemma onward_ext V w w' s x : (forall s' a rest, (a < V)%nat -> w s' a rest = w' s' a rest) ->
  List.Forall (fun a => (a < V)%nat) x -> onward w s x = onward w' s x.
Proof.
  intros H Hx. revert s. induction Hx as [|a x Ha Hx IH]; intros s; [reflexivity|]. simpl. rewrite H, IH by exact Ha.
  reflexivity.
Qed.

Lemma is_derive_onward V (w : R -> list nat -> nat -> list nat -> R) dw theta s x :
  (forall s' a rest, (a < V)%nat -> is_derive (fun u => w u s' a rest) theta (dw s' a rest)) ->
  List.Forall (fun a => (a < V)%nat) x -> is_derive (fun u => onward (w u) s x) theta (onward dw s x).
Proof.
  intros H Hx. revert s. induction Hx as [|a x Ha Hx IH]; intros s; simpl; [apply derive_const|].
  apply derive_plus; [apply H, Ha | apply IH].
Qed.

Lemma is_derive_text_expect V N T s (F : R -> list nat -> R) dF theta :
  (forall x, text V T x -> is_derive (fun u => F u x) theta (dF x)) ->
  is_derive (fun u => text_expect V N T s (F u)) theta (text_expect V N T s dF).
Proof.
  intros H. rewrite text_law_is_product.
  apply (is_derive_ext (fun u => list_sum (map (fun x => text_prob N s x * F u x) (texts V T)))).
  { intros u. symmetry. apply text_law_is_product. }
  apply (is_derive_list_sum (texts V T) (fun u x => text_prob N s x * F u x)). intros x Hx.
  apply derive_scal, H, in_texts, Hx.
Qed.

Lemma is_derive_draws V N T s G (F : R -> list (list nat) -> R) dF theta :
  (forall g, List.Forall (text V T) g -> is_derive (fun u => F u g) theta (dF g)) ->
  is_derive (fun u => draws (text_expect V N T s) G (F u)) theta (draws (text_expect V N T s) G dF).
Proof.
  revert F dF. induction G as [|G IH]; intros F dF H; simpl; [apply H; constructor|].
  apply (is_derive_text_expect V N T s (fun u x => draws (text_expect V N T s) G (fun g => F u (x :: g)))).
  intros x Hx. apply (IH (fun u g => F u (x :: g))). intros g Hg. apply H. constructor; assumption.
Qed.

Lemma is_derive_mean V T (f : R -> list nat -> R) df theta g :
  (forall x, text V T x -> is_derive (fun u => f u x) theta (df x)) -> List.Forall (text V T) g ->
  is_derive (fun u => mean (map (f u) g)) theta (mean (map df g)).
Proof.
  intros H Hg. unfold mean. rewrite !map_length.
  apply (is_derive_ext (fun u => / INR (length g) * list_sum (map (f u) g))).
  { intros u. rewrite map_length. unfold Rdiv. apply Rmult_comm. }
  unfold Rdiv. rewrite Rmult_comm. apply derive_scal, is_derive_list_sum. intros x Hx. apply H.
  rewrite List.Forall_forall in Hg. apply Hg, Hx.
Qed.

Lemma draws_of_mean {A} (E : (A -> R) -> R) (f : A -> R) G : expectation E -> (0 < G)%nat ->
  draws E G (fun s => mean (map f s)) = E f.
Proof.
  intros HE HG. destruct G as [|G]; [lia|].
  transitivity (E (fun a => draws E G (fun _ => f a))).
  - apply (mean_over_positions_of_a_group_is_that_of_one_position A E G (fun a _ => f a) HE). reflexivity.
  - apply (E_ext E HE). intros a. apply (E_const (draws E G) (draws_E E G HE)).
Qed.

(** PPO with the divergence in the reward: from the sampling model N and the reference, each token has for its advantage
    the reward less a value of the state, less beta times the charges from it on. *)
Definition charged (N ref : model) (beta : R) (level : list nat -> R) (r : R) (s : list nat) (a : nat) (rest : list
  nat) : R :=
  r - level s - beta * charges N ref s (a :: rest).

Theorem pt_table_ppo_kl : forall V M theta dM ref level reward T s epsilon beta samples,
  differentiable_model V M theta dM -> is_model V ref -> (0 < samples)%nat -> 0 < epsilon < 1 ->
  (forall s' a, (a < V)%nat -> 0 < M theta s' a) -> (forall s' a, (a < V)%nat -> 0 < ref s' a) ->
  (forall N, is_model V N -> (forall s' a, (a < V)%nat -> 0 < N s' a) ->
     is_derive (fun u => draws (text_expect V N T s) samples (fun group => - mean (map (fun x =>
         onward (fun s' a rest => M u s' a / N s' a * charged N ref beta level (reward x) s' a rest) s x) group))) theta
       (- text_expect V N T s (fun x => onward (fun s' a rest =>
         M theta s' a / N s' a * score (M theta) dM s' a * charged N ref beta level (reward x) s' a rest) s x))) /\
  (forall d k, is_derive (fun u => text_expect V (M u) T s reward) theta d ->
     is_derive (fun u => text_kl V (M u) ref T s) theta k ->
     is_derive (fun u => draws (text_expect V (M theta) T s) samples (fun group => - mean (map (fun x =>
         onward (fun s' a rest => clipped epsilon (M u s' a / M theta s' a)
           (charged (M theta) ref beta level (reward x) s' a rest)) s x) group))) theta (- (d - beta * k))) /\
  text_kl V (M theta) ref T s = text_expect V (M theta) T s (along (fun s' _ => kl V (M theta s') (ref s')) s).
Proof.
  intros V M theta dM ref level reward T s epsilon beta samples HM Href HS He Hpos Hrefpos.
  pose proof (model_at V M theta dM HM) as Hmod.
  assert (slope : forall N s' a, (a < V)%nat -> 0 < N s' a ->
    is_derive (fun u => M u s' a / N s' a) theta (M theta s' a / N s' a * score (M theta) dM s' a)).
  { intros N s' a Ha HN. specialize (Hpos s' a Ha).
    replace (M theta s' a / N s' a * score (M theta) dM s' a) with (/ N s' a * dM s' a) by (unfold score; field; lra).
    apply (is_derive_ext (fun u => / N s' a * M u s' a)); [intros u; unfold Rdiv; apply Rmult_comm|].
    apply derive_scal, (proj2 HM), Ha. }
  assert (Neg : forall N (f : R -> list nat -> R) df, is_model V N ->
    (forall x, text V T x -> is_derive (fun u => f u x) theta (df x)) ->
    is_derive (fun u => draws (text_expect V N T s) samples (fun group => - mean (map (f u) group))) theta
      (- text_expect V N T s df)).
  { intros N f df HN H. pose proof (text_expectation V N T s HN) as HE.
    rewrite <- (draws_of_mean _ df samples HE HS). rewrite <- (Rmult_1_l (draws _ _ _)), Ropp_mult_distr_l.
    rewrite <- (E_scal (draws (text_expect V N T s) samples) (draws_E _ samples HE)).
    apply is_derive_draws. intros g Hg.
    apply (is_derive_ext (fun u => - 1 * mean (map (f u) g))); [intros u; simpl; ring|].
    apply derive_scal. apply (is_derive_mean V T f df theta g H Hg). }
  split; [|split].
  - intros N HN HNpos.
    apply (Neg N (fun u x => onward (fun s' a rest => M u s' a / N s' a * charged N ref beta level (reward x) s' a
      rest) s x));
      [exact HN|].
    intros x [_ Hx].
    apply (is_derive_onward V (fun u s' a rest => M u s' a / N s' a * charged N ref beta level (reward x) s' a rest));
      [|exact Hx].
    intros s' a rest Ha. set (c := charged _ _ _ _ _ _ _ _).
    rewrite (Rmult_comm _ c). apply (is_derive_ext (fun u => c * (M u s' a / N s' a))); [intros; apply Rmult_comm|].
    apply derive_scal, slope; [exact Ha | apply HNpos, Ha].
  - intros d k Hd Hk.
    replace (d - beta * k) with (text_expect V (M theta) T s (fun x => onward (fun s' a rest =>
      score (M theta) dM s' a * charged (M theta) ref beta level (reward x) s' a rest) s x)).
    + apply (Neg (M theta) (fun u x => onward (fun s' a rest => clipped epsilon (M u s' a / M theta s' a)
        (charged (M theta) ref beta level (reward x) s' a rest)) s x)); [exact Hmod|].
      intros x [_ Hx]. apply (is_derive_onward V (fun u s' a rest => clipped epsilon (M u s' a / M theta s' a)
        (charged (M theta) ref beta level (reward x) s' a rest))); [|exact Hx].
      intros s' a rest Ha. pose proof (Hpos s' a Ha) as P.
      apply (clipped_near_one_derive epsilon (fun u => M u s' a / M theta s' a)); [lra | field; lra |].
      pose proof (slope (M theta) s' a Ha P) as D. replace (M theta s' a / M theta s' a) with 1 in D by (field; lra).
      rewrite Rmult_1_l in D. exact D.
    + pose proof (policy_gradient_with_baseline V M theta dM T s reward level HM) as D.
      rewrite <- (derive_unique _ _ _ _ D Hd).
      pose proof (proj1 (pt_kl_to_go V M theta dM ref T s HM Href Hpos Hrefpos)) as K.
      rewrite <- (derive_unique _ _ _ _ K Hk), <- text_expect_scal, <- text_expect_minus.
      apply text_expect_ext. intros x _. generalize (reward x). intros r. clear. revert s.
      induction x as [|a x IH]; intros s; simpl; [ring|]. rewrite IH. unfold charged. simpl. ring.
  - apply pt_kl_aggregates_value; [exact Hmod | exact Href |].
    intros s' a Ha H. specialize (Hrefpos s' a Ha). lra.
Qed.

(** The step of GRAPE at the sampling model, with the rewards (15) and mean confidences that are held fixed. With those
    of the group itself the step can point the other way: a coin at 3/4, two items of one weight, and groups of two. *)
Definition item_of_token (x : list nat) (j : nat) : R := if Nat.eqb (hd O x) j then 1 else 0.
Definition confidence_of_token (x : list nat) (j : nat) : R :=
  match hd O x, j with O, O => 1 | O, _ => / 2 | _, O => / 4 | _, _ => 1 end.
Definition reward_of_token (phi : nat -> R) (x : list nat) : R := grape_reward 2 (fun _ => / 2) phi (item_of_token x).
Definition confidences_of_group (group : list (list nat)) (j : nat) : R := mean (map (fun x => confidence_of_token x
  j) group).

Lemma one_coin u F : text_expect 2 (coin u) 1 [] F = u * F [0%nat] + (1 - u) * F [1%nat].
Proof. unfold text_expect, expect, coin, binary. simpl. ring. Qed.

Theorem pt_table_grape :
  (forall V M theta dM T s rho omega phi (tau : list nat -> nat -> R) G epsilon,
     differentiable_model V M theta dM -> (0 < G)%nat -> 0 < epsilon < 1 ->
     (forall s' a, (a < V)%nat -> 0 < M theta s' a) ->
     let reward := fun x => grape_reward rho omega phi (tau x) in
     let advantage_in := fun group x => shift_advantage (map reward group) (reward x) in
     (forall N, (forall s' a, (a < V)%nat -> 0 < N s' a) ->
        is_derive (fun u => draws (text_expect V N T s) G (fun group => mean (map (fun x =>
            ratio_gain (M u) N (fun _ _ => advantage_in group x) s x) group))) theta
          (draws (text_expect V N T s) G (fun group => mean (map (fun x =>
            along (fun s' a => M theta s' a / N s' a * score (M theta) dM s' a * advantage_in group x) s x) group)))) /\
     (forall d, is_derive (fun u => text_expect V (M u) T s reward) theta d ->
        is_derive (fun u => draws (text_expect V (M theta) T s) G (fun group => mean (map (fun x =>
            clipped_gain epsilon (M u) (M theta) (fun _ _ => advantage_in group x) s x) group))) theta
          ((1 - 1 / INR G) * d))) /\
  (forall epsilon, 0 < epsilon < 1 ->
     let outer := fun j => text_expect 2 (coin (3 / 4)) 1 [] (fun x => confidence_of_token x j) in
     is_derive (fun u => draws (text_expect 2 (coin (3 / 4)) 1 []) 2 (fun group => mean (map (fun x =>
         clipped_gain epsilon (coin u) (coin (3 / 4)) (fun _ _ =>
           shift_advantage (map (reward_of_token (confidences_of_group group)) group)
             (reward_of_token (confidences_of_group group) x)) [] x) group))) (3 / 4) (- (1 / 22)) /\
     is_derive (fun u => text_expect 2 (coin u) 1 [] (reward_of_token outer)) (3 / 4) (3 / 23)).
Proof.
  split.
  - intros V M theta dM T s rho omega phi tau G epsilon HM HG He Hpos reward advantage_in. split.
    + intros N HN.
      apply (is_derive_draws V N T s G (fun u group => mean (map (fun x =>
        ratio_gain (M u) N (fun _ _ => advantage_in group x) s x) group))).
      intros g Hg. apply (is_derive_mean V T (fun u x => ratio_gain (M u) N (fun _ _ => advantage_in g x) s x));
        [|exact Hg].
      intros x [_ Hx]. unfold ratio_gain. generalize (advantage_in g x). intros c. clear Hg. revert s.
      induction Hx as [|a y Ha Hy IH]; intros s; simpl.
      * apply derive_const.
      * apply derive_plus; [|apply IH].
        specialize (Hpos s a Ha). specialize (HN s a Ha).
        replace (M theta s a / N s a * score (M theta) dM s a * c) with (c / N s a * dM s a) by (unfold score; field;
          lra).
        apply (is_derive_ext (fun u => c / N s a * M u s a)).
        { intros u. change (c / N s a * M u s a = M u s a / N s a * c). unfold Rdiv. ring. }
        apply derive_scal, (proj2 HM), Ha.
    + intros d Hd. rewrite <- (pt_eq13_own_reward V M theta dM T s reward G d HM HG Hd).
      apply (is_derive_draws V (M theta) T s G (fun u group => mean (map (fun x =>
        clipped_gain epsilon (M u) (M theta) (fun _ _ => advantage_in group x) s x) group))).
      intros g Hg. apply (is_derive_mean V T (fun u x => clipped_gain epsilon (M u) (M theta) (fun _ _ => advantage_in
        g x) s x));
        [|exact Hg].
      intros x Hx.
      destruct (proj2 pt_eq11_ppo V M theta dM T s (fun _ _ => advantage_in g x) epsilon x HM He Hpos Hx) as (_ & D &
        _).
      replace ((reward x - mean (map reward g)) * along (score (M theta) dM) s x)
        with (along (fun s' a => score (M theta) dM s' a * advantage_in g x) s x); [exact D|].
      rewrite <- along_scal. apply along_same. intros. apply Rmult_comm.
  - intros epsilon He outer. pose proof (coin_differentiable (3 / 4) ltac:(lra)) as HM.
    assert (Hpos : forall s' a, (a < 2)%nat -> 0 < coin (3 / 4) s' a).
    { intros s' [|[|a]] Ha; [| |lia]; unfold coin, binary; lra. }
    split.
    + match goal with |- is_derive (fun u => draws ?E ?G (@?F u)) _ _ =>
        pose (dF := fun group => mean (map (fun x => along (fun s' a => score (coin (3 / 4)) coin_slope s' a *
          shift_advantage (map (reward_of_token (confidences_of_group group)) group)
             (reward_of_token (confidences_of_group group) x)) [] x) group));
        assert (D : is_derive (fun u => draws E G (F u)) (3 / 4) (draws E G dF)) end.
      * apply (is_derive_draws 2 (coin (3 / 4)) 1 [] 2 (fun u group => mean (map (fun x =>
          clipped_gain epsilon (coin u) (coin (3 / 4)) (fun _ _ =>
            shift_advantage (map (reward_of_token (confidences_of_group group)) group)
              (reward_of_token (confidences_of_group group) x)) [] x) group))).
        intros g Hg. unfold dF.
        apply (is_derive_mean 2 1 (fun u x => clipped_gain epsilon (coin u) (coin (3 / 4)) (fun _ _ =>
            shift_advantage (map (reward_of_token (confidences_of_group g)) g)
              (reward_of_token (confidences_of_group g) x)) [] x)); [|exact Hg].
        intros x Hx.
        generalize (shift_advantage (map (reward_of_token (confidences_of_group g)) g)
          (reward_of_token (confidences_of_group g) x)). intros c.
        exact (proj1 (proj2 (proj2 pt_eq11_ppo 2%nat coin (3 / 4) coin_slope 1%nat [] (fun _ _ => c) epsilon x HM He
          Hpos Hx))).
      * replace (- (1 / 22)) with (draws (text_expect 2 (coin (3 / 4)) 1 []) 2 dF); [exact D|].
        assert (R0 : forall phi, 0 < phi 0%nat -> 0 < phi 1%nat ->
          reward_of_token phi [0%nat] = phi 0%nat / (phi 0%nat + phi 1%nat)).
        { intros phi P Q. unfold reward_of_token, grape_reward, item_of_token. simpl. field. lra. }
        assert (R1 : forall phi, 0 < phi 0%nat -> 0 < phi 1%nat ->
          reward_of_token phi [1%nat] = phi 1%nat / (phi 0%nat + phi 1%nat)).
        { intros phi P Q. unfold reward_of_token, grape_reward, item_of_token. simpl. field. lra. }
        assert (Alike : forall x, dF [x; x] = 0).
        { intros x. unfold dF, shift_advantage, mean. simpl map. simpl length. simpl list_sum.
          set (r := reward_of_token _ x).
          rewrite (along_same _ (fun s' a => 0 * score (coin (3 / 4)) coin_slope s' a)), along_scal.
          - simpl INR. field.
          - intros. simpl INR. field. }
        assert (Score : score (coin (3 / 4)) coin_slope [] 0 = 4 / 3 /\ score (coin (3 / 4)) coin_slope [] 1 = - 4)
          by (unfold score, coin, coin_slope, binary; split; field).
        assert (Mixed : forall g, g = [[0%nat]; [1%nat]] \/ g = [[1%nat]; [0%nat]] -> dF g = - (4 / 33)).
        { intros g Hg.
          assert (C : confidences_of_group g 0 = 5 / 8 /\ confidences_of_group g 1 = 3 / 4).
          { unfold confidences_of_group, mean, confidence_of_token. destruct Hg as [-> | ->]; simpl; split; field. }
          pose proof (R0 (confidences_of_group g) ltac:(lra) ltac:(lra)) as A.
          pose proof (R1 (confidences_of_group g) ltac:(lra) ltac:(lra)) as B.
          rewrite (proj1 C), (proj2 C) in A, B. unfold dF. set (r := reward_of_token (confidences_of_group g)) in *.
          unfold shift_advantage, mean. destruct Score as [S0 S1].
          destruct Hg as [-> | ->]; simpl map; simpl length; simpl list_sum; simpl along; rewrite S0, S1, A, B;
            simpl INR; field. }
        change (draws (text_expect 2 (coin (3 / 4)) 1 []) 2 dF)
          with (text_expect 2 (coin (3 / 4)) 1 [] (fun x => text_expect 2 (coin (3 / 4)) 1 [] (fun y => dF [x; y]))).
        rewrite !one_coin, !Alike, (Mixed _ (or_introl eq_refl)), (Mixed _ (or_intror eq_refl)). field.
    + assert (P0 : outer 0%nat = 13 / 16) by (unfold outer; rewrite one_coin; unfold confidence_of_token; simpl; field).
      assert (P1 : outer 1%nat = 5 / 8) by (unfold outer; rewrite one_coin; unfold confidence_of_token; simpl; field).
      apply (is_derive_ext (fun u => u * (13 / 23) + (1 - u) * (10 / 23))).
      { intros u. rewrite one_coin. unfold reward_of_token, grape_reward, item_of_token. simpl. rewrite P0, P1. field. }
      auto_derive; [exact I | field].
Qed.
