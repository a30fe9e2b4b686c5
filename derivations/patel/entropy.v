(* pt-gibbs: no term is negative, and none is zero unless q = p there *)
intros x y K1 K2 K3 K4.
assert (P : 0 < y * / x) by positive.
assert (L : ln (y * / x) <= y * / x - 1) by (apply ln_tangent; exact P).
assert (E : x * (y * / x) = y) by (field; lra).
split. { lra. } split. { exact P. } split.
- nra.
- destruct (Req_dec x y) as [|N]; [left; assumption | right].
  assert (M : ln (y * / x) < y * / x - 1).
  { apply ln_tangent_strict; [exact P | intro Z; apply N; rewrite Z in E; lra]. }
  nra.

(* pt-gibbs-follows: which is positive unless p̂ = p *)
intros x y K1 K2 K3 K4.
assert (P : 0 < y * / x) by positive.
assert (L : ln (y * / x) <= y * / x - 1) by (apply ln_tangent; exact P).
assert (E : x * (y * / x) = y) by (field; lra).
split. { lra. } split. { exact P. } split.
- nra.
- destruct (Req_dec x y) as [|N]; [left; assumption | right].
  assert (M : ln (y * / x) < y * / x - 1).
  { apply ln_tangent_strict; [exact P | intro Z; apply N; rewrite Z in E; lra]. }
  nra.
