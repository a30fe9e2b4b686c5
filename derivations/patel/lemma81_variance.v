(* pt-lemma81: the gap between the two variances *)
intros c n N sigma K1 K2 K3 K4 K5.
assert (L : (1 <= N)%nat) by (apply (some n); [exact K1 | lra]).
assert (D : forall i, (1 <= i <= N)%nat -> sigma i <> 0) by (intros i H; apply Rgt_not_eq, K5, H).
set (S := total (fun j => / sigma j ^ 2) N).
assert (P : 0 < S) by (apply total_positive; [exact L | intros i H; entries; positive]).
assert (T : total (fun j => c * / sigma j ^ 2) N = c * S) by (unfold S; rewrite total_times; reflexivity).
rewrite T.
assert (Z : c * S <> 0) by (apply Rmult_integral_contrapositive_currified; lra).
do 7 (split; [intros; first [apply D; assumption | exact Z | lra] |]).
assert (Q : total (fun i => total (fun k => c ^ 2 * / sigma k ^ 2 * / (c * S) ^ 2 * (if Nat.eq_dec i k then 1 else 0)) N) N = / S).
{ transitivity (/ S ^ 2 * S); [change (/ S ^ 2 * S) with (/ S ^ 2 * total (fun j => / sigma j ^ 2) N) | field; lra].
  rewrite total_times. apply total_ext. intros i H. cbv beta.
  transitivity (total (fun k => (if Nat.eq_dec i k then 1 else 0) * (c ^ 2 * / sigma k ^ 2 * / (c * S) ^ 2)) N).
  - apply total_ext. intros. ring.
  - rewrite (total_at (fun k => c ^ 2 * / sigma k ^ 2 * / (c * S) ^ 2)) by exact H. pose proof (D i H). field. repeat split; lra. }
assert (U : total (fun i => total (fun k => / n ^ 2 * sigma i ^ 2 * (if Nat.eq_dec i k then 1 else 0)) N) N
  = / n ^ 2 * total (fun i => sigma i ^ 2) N).
{ rewrite total_times. apply total_ext. intros i H. cbv beta.
  transitivity (total (fun k => (if Nat.eq_dec i k then 1 else 0) * (/ n ^ 2 * sigma i ^ 2)) N).
  - apply total_ext. intros. ring.
  - rewrite (total_at (fun _ => / n ^ 2 * sigma i ^ 2)) by exact H. reflexivity. }
assert (V : total (fun j => (sigma j ^ 2 + - 1 * n * / S) ^ 2 * / sigma j ^ 2) N
  = total (fun i => sigma i ^ 2) N + (- 2 * n * / S) * total (fun _ => 1) N + (n ^ 2 * / S ^ 2) * S).
{ change (n ^ 2 * / S ^ 2 * S) with (n ^ 2 * / S ^ 2 * total (fun j => / sigma j ^ 2) N). rewrite !total_times, !total_plus. apply total_ext. intros i H. cbv beta. pose proof (D i H). field. split; lra. }
rewrite Q, U, V, total_one, <- K1. field. split; lra.

(* pt-lemma81: three scores *)
intros s t u K1 K2 K3.
assert (A : 0 < s ^ 2) by (apply pow_lt; lra). assert (B : 0 < t ^ 2) by (apply pow_lt; lra). assert (C : 0 < u ^ 2) by (apply pow_lt; lra).
split. { lra. } split. { lra. } split. { lra. }
set (a := s ^ 2) in *. set (b := t ^ 2) in *. set (c := u ^ 2) in *.
assert (P : 0 < / a + / b + / c) by (repeat apply Rplus_lt_0_compat; apply Rinv_0_lt_compat; assumption).
assert (Q : 0 < b * c + a * c + a * b) by (repeat apply Rplus_lt_0_compat; apply Rmult_lt_0_compat; assumption).
split. { lra. }
apply (le_of _ _ ((a * (b - c) ^ 2 + b * (a - c) ^ 2 + c * (a - b) ^ 2) * / (9 * (b * c + a * c + a * b)))).
- field. repeat split; lra.
- apply Rmult_le_pos; [| apply Rlt_le, Rinv_0_lt_compat; lra].
  repeat apply Rplus_le_le_0_compat; apply Rmult_le_pos; first [lra | apply pow2_ge_0].

(* pt-lemma81: the division by ρ² Σ 1/σ² *)
intros s t v K1 K2 K3 K4.
split. { lra. } split. { lra. }
apply (le_of _ _ ((s * v - t ^ 2) * / (t ^ 2 * v))); [field; lra |].
apply Rmult_le_pos; [lra | apply Rlt_le, Rinv_0_lt_compat, Rmult_lt_0_compat; [apply pow_lt |]; lra].
