(* mr-pf5-bound: TV − (p̃ − p) *)
intros n m x y N M hit old miss gone K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18.
set (H := total (fun o' => Rabs (((- 1) * (old o')) + (hit o'))) N). set (I := total (fun o' => Rabs (((- 1) * (gone o')) + (miss o'))) M).
assert (E : total (fun o' => ((- 1) * (hit o')) + (Rabs (((- 1) * (old o')) + (hit o'))) + (old o')) N = (- 1) * total hit N + H + total old N).
{ unfold H. rewrite total_times, !total_plus. reflexivity. }
assert (F : total (fun o' => ((- 1) * (gone o')) + (Rabs (((- 1) * (gone o')) + (miss o'))) + (miss o')) M = (- 1) * total gone M + I + total miss M).
{ unfold I. rewrite total_times, !total_plus. reflexivity. }
rewrite E, F. change (total (fun o' => hit o') N) with (total hit N). change (total (fun o' => old o') N) with (total old N).
rewrite K12, K14, K16, K18. lra.

(* mr-pf5-bound: TV + (p̃ − p) *)
intros n m x y N M hit old miss gone K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17 K18.
set (H := total (fun o' => Rabs (((- 1) * (old o')) + (hit o'))) N). set (I := total (fun o' => Rabs (((- 1) * (gone o')) + (miss o'))) M).
assert (E : total (fun o' => ((- 1) * (old o')) + (Rabs (((- 1) * (old o')) + (hit o'))) + (hit o')) N = (- 1) * total old N + H + total hit N).
{ unfold H. rewrite total_times, !total_plus. reflexivity. }
assert (F : total (fun o' => ((- 1) * (miss o')) + (Rabs (((- 1) * (gone o')) + (miss o'))) + (gone o')) M = (- 1) * total miss M + I + total gone M).
{ unfold I. rewrite total_times, !total_plus. reflexivity. }
rewrite E, F. change (total (fun o' => hit o') N) with (total hit N). change (total (fun o' => old o') N) with (total old N).
rewrite K12, K14, K16, K18. lra.
