(** Patel (2025): the losses (11), (14) and (17) beside one another, where a clipped loss is differentiable, and the range
    of the reward (15). *)

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

(** A clipped loss is differentiable at every ratio but the ends of the range: at the sampling model with the slope A of
    the ratio loss; and not at the end where clipping sets in. *)
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
  is_derive (fun x => clipped epsilon x A) 1 A /\
  (forall x, x <> 1 - epsilon -> x <> 1 + epsilon -> ex_derive (fun x => clipped epsilon x A) x) /\
  ~ ex_derive (fun x => clipped epsilon x A) (if Rlt_dec 0 A then 1 + epsilon else 1 - epsilon).
Proof.
  intros epsilon A He HA. split; [|split].
  - pose proof (clipped_near_one_derive epsilon (fun x => x) 1 1 A ltac:(lra) eq_refl
      (is_derive_id (K := R_AbsRing) 1)) as D. rewrite Rmult_1_l in D. exact D.
  - intros x H1 H2.
    assert (Near : exists c d r, 0 < r /\ forall z, Rabs (z - x) < r -> clipped epsilon z A = c * z + d).
    { destruct (Rlt_dec 0 A) as [P|P].
      - assert (F : forall z, clipped epsilon z A = A * Rmin z (1 + epsilon)) by (intros; apply clipped_positive; lra).
        destruct (Rlt_le_dec x (1 + epsilon)).
        + exists A, 0, (1 + epsilon - x). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz. rewrite F, Rmin_left by lra.
          ring.
        + exists 0, (A * (1 + epsilon)), (x - (1 + epsilon)). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmin_right by lra. ring.
      - assert (F : forall z, clipped epsilon z A = A * Rmax z (1 - epsilon)).
        { intros z. replace A with (- - A) at 1 by ring. rewrite clipped_negative by lra. ring. }
        destruct (Rlt_le_dec x (1 - epsilon)).
        + exists 0, (A * (1 - epsilon)), (1 - epsilon - x). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz.
          rewrite F, Rmax_right by lra. ring.
        + exists A, 0, (x - (1 - epsilon)). split; [lra|]. intros z Hz. apply Rabs_def2 in Hz. rewrite F, Rmax_left by lra.
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

(** (14), over Q questions with G texts each, is (11) over the QG texts, each with the advantage (13) of its group, which
    is the same for each of its tokens. *)
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

(** (17), which clips the ratio of the whole text. A text is one event: its ratio is the product of those of its tokens;
    unclipped, the loss expected under the sampling model is minus the advantage expected under the model; and over
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
  (forall x, text_prob M s x / text_prob N s x = ratio_product M N s x) /\
  (forall A, covers V N M ->
     text_expect V N T s (fun x => - (text_prob M s x / text_prob N s x * A x)) = - text_expect V M T s A) /\
  (forall epsilon reward G,
     draws (text_expect V N T s) G (fun g => - mean (map (fun x =>
       clipped epsilon (text_prob M s x / text_prob N s x) (shift_advantage (map reward g) (reward x))) g))
     = - draws (expect (length (texts V T)) (fun o => text_prob N s (text_number V T o))) G (fun g => mean (map (fun o =>
           clipped epsilon (text_prob M s (text_number V T o) / text_prob N s (text_number V T o))
             (shift_advantage (map (fun i => reward (text_number V T i)) g) (reward (text_number V T o)))) g))).
Proof.
  intros V M N T s HN. split; [|split].
  - intros x. apply weight_of_text_is_product_of_token_ratios.
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
    assert (Neg : forall n (p : nat -> R) K (F : list nat -> R), draws (expect n p) K (fun g => - F g) = - draws (expect n p) K F).
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
