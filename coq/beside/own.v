(* by-many-stationary: KL_0: zero where P(o) = β(1 − π_ref/π) *)
intros. assert (0 < pi o') by auto. assert (0 < pi_ref o') by auto. defined.
pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
pose proof (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) as R.
destruct (by_many_stationary n' (sure (fun _ => 0)) 2 beta (from_zero pi_ref) (from_zero pi) (le_n 2) (sure_law n'
  (fun _ => 0)) R
  ltac:(lra) F) as (_ & _ & T).
destruct (T (from_zero P)) as (D & _). specialize (D (pred o') ltac:(lia)).
match goal with |- - 1 * beta * ?a * pi o' + P o' = _ =>
  assert (H' : is_partial (objective n' (from_zero P) beta (from_zero pi_ref) (from_zero pi)) (from_zero pi) (pred o')
    (- 1 * beta * a * pi o' + P o')) end.
{ apply partial_written; [lia|]. unfold k3. rewrite <- !entry_from_zero by lia. auto_derive.
  - repeat split; try lra. apply Rmult_lt_0_compat; [assumption | apply Rinv_0_lt_compat; assumption].
  - field. lra. }
rewrite (is_partial_unique _ _ _ _ _ H' D), <- !entry_from_zero by lia. field. lra.
(* by-many-stationary: its mean is E_π P, which is zero: no multiplier *)
intros. defined. pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
pose proof (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) as R.
destruct (by_many_stationary n' (sure (fun _ => 0)) 2 beta (from_zero pi_ref) (from_zero pi) (le_n 2) (sure_law n'
  (fun _ => 0)) R
  ltac:(lra) F) as (_ & _ & T).
destruct (T (from_zero P)) as (_ & E & _). unfold expect in E.
match goal with |- ?a = ?b => match type of E with ?c = ?d => transitivity c; [|transitivity d; [exact E|]] end end.
- rewrite total_Sum. apply Sum_ext. intros o Ho. pose proof (proj1 F o Ho). unfold from_zero in *. field. lra.
- entrywise. ring.
(* by-many-stationary: and conversely (11) makes E_π P zero *)
intros. defined. pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
pose proof (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) as R.
destruct (by_many_stationary n' (sure (fun _ => 0)) 2 beta (from_zero pi_ref) (from_zero pi) (le_n 2) (sure_law n'
  (fun _ => 0)) R
  ltac:(lra) F) as (_ & _ & T).
destruct (T (from_zero P)) as (_ & _ & Z & _). rewrite <- Z. unfold expect. entrywise. ring.
(* by-many-stationary: direct KL: the multiplier is E_π P − β KL(π‖π_ref), of which E_π P is zero *)
intros. defined. pose proof (family_full pi n' ltac:(assumption) ltac:(assumption)) as F.
pose proof (family_full pi_ref n' ltac:(assumption) ltac:(assumption)) as R.
destruct (by_many_stationary n' (sure (fun _ => 0)) 2 beta (from_zero pi_ref) (from_zero pi) (le_n 2) (sure_law n'
  (fun _ => 0)) R
  ltac:(lra) F) as (_ & _ & T).
destruct (T (from_zero P)) as (_ & _ & _ & d & D & E). rewrite kl_written in E.
match goal with |- ?a = ?b => transitivity (expect n' (from_zero pi) d) end.
- unfold expect. rewrite total_Sum. apply Sum_ext. intros o Ho. pose proof (proj1 F o Ho) as U.
  pose proof (proj1 R o Ho) as V.
  match goal with |- from_zero ?f o = _ => assert (K : / pi (S o) * f (S o) = d o) end.
  { refine (is_partial_unique _ _ _ _ _ _ (D o Ho)).
    apply (is_partial_Sum n' (fun i x => x * (from_zero P i - beta * k3 x (from_zero pi_ref i)))); [exact Ho|].
    unfold k3. auto_derive.
    - repeat split; try lra. apply Rmult_lt_0_compat; [exact V | apply Rinv_0_lt_compat, U].
    - unfold from_zero in *. replace (/ pi (S o) * pi_ref (S o)) with (pi_ref (S o) * / pi (S o)) by ring. field. lra. }
  rewrite <- K. unfold from_zero in *. field. lra.
- rewrite E. unfold expect. rewrite (total_Sum (fun j => P j * pi j)).
  rewrite (Sum_ext n' _ (from_zero (fun j => P j * pi j))) by (intros; unfold from_zero; ring). ring.
