(* pt-eq14-same-as-ppo: any number of questions and texts: a sum over groups *)
intros G S_ n G' S' n' r K1 K2 K3 K4 K5 K6 K7 K8 K9 K10. split; [lra|]. split; [lra|].
split; [|split; [|reflexivity]]; intros i [A B] j [C D]; apply le_INR in A, B, C, D; change (INR 1) with 1 in A, C.
- assert (0 <= G * (- 1 + INR i)) by (apply Rmult_le_pos; lra). lra.
- assert (0 <= G * (n - INR i)) by (apply Rmult_le_pos; lra). lra.
(* pt-eq14-same-as-ppo: any number of questions and texts: one member *)
intros G S_ i j n G' S' i' j' r K1 K2 K3 K4 K5 K6 K7 K8 K9 K10 K11 K12 K13 K14 K15 K16 K17.
assert (0 <= G * (- 1 + i)) by (apply Rmult_le_pos; lra). assert (0 <= G * (n - i)) by (apply Rmult_le_pos; lra).
split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. split; [lra|]. rewrite K13; field. lra.
