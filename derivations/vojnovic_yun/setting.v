(* vy-s1-adv-pairwise: numerator *)
intros. split; [lra|].
assert (T : total (fun j => - 1 * r j + r i') G' = - 1 * total r G' + r i' * INR G').
{ rewrite <- total_one, !total_times, total_plus. apply total_ext. intros. ring. }
rewrite T. match goal with E : _ = INR G' |- _ => rewrite <- E end.
change (total (fun j => r j) G') with (total r G'). field. lra.
(* vy-s1-adv-pairwise: variance *)
intros. split; [lra|]. split; [intros; lra|]. change (total (fun j => r j) G') with (total r G').
match goal with E : _ = INR G' |- _ => rename E into N end.
assert (A : forall u, total (fun j => (u + r j) ^ 2) G' = u ^ 2 * G + 2 * u * total r G' + total (fun j => r j ^ 2) G').
{ intros u. rewrite N, <- total_one, !total_times, !total_plus. apply total_ext. intros. ring. }
assert (B : total (fun j => total (fun k => (- 1 * r k + r j) ^ 2) G') G'
  = 2 * G * total (fun j => r j ^ 2) G' + - 2 * total r G' * total r G').
{ rewrite (total_ext _ (fun j => total (fun k => r k ^ 2) G' * 1 + - 2 * total r G' * r j + G * r j ^ 2)).
  - rewrite <- !total_plus, <- !total_times, total_one, <- N. ring.
  - intros j _. rewrite N, <- (total_one G'). rewrite (total_ext _ (fun k => r k ^ 2 + - 2 * r j * r k + r j ^ 2 * 1)).
    + rewrite <- !total_plus, <- !total_times. ring.
    + intros k _. ring. }
rewrite A, B. field. lra.
(* vy-s1-shift-scale-invariance: variance *)
intros. split; [lra|]. split; [intros; lra|].
match goal with E : _ = INR G' |- _ => rename E into N end.
assert (M : total (fun j => d + c * r j) G' = d * G + c * total r G').
{ rewrite N, <- total_one, !total_times, total_plus. apply total_ext. intros. ring. }
rewrite M. change (total (fun j => r j) G') with (total r G'). set (S := total r G').
rewrite (total_times (/ G)), (total_times (c ^ 2 * / G)). apply total_ext. intros. field. lra.
