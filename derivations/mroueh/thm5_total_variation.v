(* mr-pf5-bound: TV is at least p̃ − p: the gap *)
intros n m x y N M hit hit_old miss miss_old K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18.
assert (E : forall (f g h : nat -> R) k, 1 / 2 * total f k + 1 / 2 * total g k + - (1 / 2) * total h k
  = total (fun i => 1 / 2 * f i + 1 / 2 * g i + - (1 / 2) * h i) k)
    by (intros; rewrite !total_times, !total_plus; reflexivity).
rewrite <- (E (fun i => Rabs (- 1 * hit_old i + hit i)) hit_old hit N),
  <- (E (fun i => Rabs (- 1 * miss_old i + miss i)) miss miss_old M).
change (total (fun i => hit i) N) with (total hit N). change (total (fun i => hit_old i) N) with (total hit_old N).
rewrite K12, K14, K16, K18. lra.
(* mr-pf5-bound: and p − p̃: the gap *)
intros n m x y N M hit hit_old miss miss_old K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18.
assert (E : forall (f g h : nat -> R) k, 1 / 2 * total f k + 1 / 2 * total g k + - (1 / 2) * total h k
  = total (fun i => 1 / 2 * f i + 1 / 2 * g i + - (1 / 2) * h i) k)
    by (intros; rewrite !total_times, !total_plus; reflexivity).
rewrite <- (E (fun i => Rabs (- 1 * hit_old i + hit i)) hit hit_old N),
  <- (E (fun i => Rabs (- 1 * miss_old i + miss i)) miss_old miss M).
change (total (fun i => hit i) N) with (total hit N). change (total (fun i => hit_old i) N) with (total hit_old N).
rewrite K12, K14, K16, K18. lra.
