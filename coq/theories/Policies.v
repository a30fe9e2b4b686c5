(** What the papers speak of: rewards, groups and their advantages, the reward preference, penalties, objectives with
    the old policy frozen, stationary policies, and the losses of preference data.

    Answers are numbered 0, ..., n - 1 and the question is fixed, as everywhere in Vojnovic & Yun.  Rewards may be
    random: an answer has a finite law of rewards, and a certain reward is a law of one value. *)

From Coq Require Import Reals Lra Lia List Arith.
From Coquelicot Require Import Coquelicot.
From GrpoSymbolic Require Import Sums.
Import ListNotations.
Open Scope R_scope.

(** * Groups of rewards *)

Fixpoint list_sum (l : list R) : R := match l with [] => 0 | x :: t => x + list_sum t end.

(** mean(r_1, ..., r_G). *)
Definition mean (g : list R) : R := list_sum g / INR (length g).

(** std(r_1, ..., r_G), with 1/G under the root: the deviation of the group as a population. *)
Definition deviation (g : list R) : R := sqrt (mean (map (fun x => (x - mean g) ^ 2) g)).

(** The advantage of a member with reward x, Vojnovic & Yun (2).  In a group of equal rewards numerator and deviation
    vanish and the quotient is 0, which is the paper's convention 0/0 = 0 (lemma [advantage_of_equals] of Groups.v). *)
Definition advantage (g : list R) (x : R) : R := (x - mean g) / deviation g.

(** The shift-only advantage of Section 3 there. *)
Definition shift_advantage (g : list R) (x : R) : R := x - mean g.

(** * Laws of rewards, outcomes, samples *)

(** A finite law: pairs of a probability and a value. *)
Definition law : Type := list (R * R).

Definition is_law (l : law) : Prop := (forall w, In w l -> 0 <= fst w) /\ list_sum (map fst l) = 1.

(** The expectation of f(reward) under a law. *)
Definition law_expect (l : law) (f : R -> R) : R := list_sum (map (fun w => fst w * f (snd w)) l).

(** Each answer has a law of rewards. *)
Definition rewards : Type := nat -> law.

Definition are_laws (n : nat) (rw : rewards) : Prop := forall o, (o < n)%nat -> is_law (rw o).

(** Deterministic rewards: the answer o has the reward r(o) for certain. *)
Definition sure (r : nat -> R) : rewards := fun o => [(1, r o)].

(** r(o): the expected reward of an answer. *)
Definition expected_reward (rw : rewards) (o : nat) : R := law_expect (rw o) (fun x => x).

(** The expectation of f(o, r) for an answer o drawn from pi and its reward r. *)
Definition outcome_expect (n : nat) (pi : nat -> R) (rw : rewards) (f : nat * R -> R) : R :=
  expect n pi (fun o => law_expect (rw o) (fun x => f (o, x))).

(** The expectation of F(sample) over samples of size G, each member drawn independently with the expectation E. *)
Fixpoint draws {A : Type} (E : (A -> R) -> R) (G : nat) (F : list A -> R) : R :=
  match G with
  | O => F []
  | S k => E (fun a => draws E k (fun s => F (a :: s)))
  end.

(** * The reward preference *)

Section Preference.

(** An advantage: of a group and of the reward of one of its members. *)
Variable adv : list R -> R -> R.

(** P_G(o | pi'): the expected advantage of the answer o in a group of size G whose G - 1 other members are drawn from
    pi'.  Vojnovic & Yun, Section 2.1. *)
Definition preference_of (n : nat) (rw : rewards) (G : nat) (pi' : nat -> R) (o : nat) : R :=
  law_expect (rw o) (fun x => draws (outcome_expect n pi' rw) (G - 1) (fun s => adv (x :: map snd s) x)).

(** R_G: the expectation, over groups drawn from the old policy, of the mean of ratio times advantage. *)
Definition surrogate_of (n : nat) (rw : rewards) (G : nat) (pi old : nat -> R) : R :=
  draws (outcome_expect n old rw) G (fun s =>
    mean (map (fun m => pi (fst m) / old (fst m) * adv (map snd s) (snd m)) s)).

End Preference.

Definition preference := preference_of advantage.
Definition surrogate := surrogate_of advantage.

(** P(o > o'): the probability that the reward of o is the larger. *)
Definition wins (rw : rewards) (o o' : nat) : R :=
  law_expect (rw o) (fun x => law_expect (rw o') (fun x' => if Rlt_dec x' x then 1 else 0)).

(** gamma_{a,b} = P(a > b) - P(b > a). *)
Definition margin (rw : rewards) (o o' : nat) : R := wins rw o o' - wins rw o' o.

(** Mean and variance of the reward of an answer drawn from pi, and sigma(pi). *)
Definition reward_mean (n : nat) (rw : rewards) (pi : nat -> R) : R := outcome_expect n pi rw snd.

Definition reward_variance (n : nat) (rw : rewards) (pi : nat -> R) : R :=
  outcome_expect n pi rw (fun m => (snd m - reward_mean n rw pi) ^ 2).

Definition reward_deviation (n : nat) (rw : rewards) (pi : nat -> R) : R := sqrt (reward_variance n rw pi).

(** The reward preference in the limit of large groups: (r(o) - E r) / sigma. *)
Definition limit_preference (n : nat) (rw : rewards) (pi' : nat -> R) (o : nat) : R :=
  (expected_reward rw o - reward_mean n rw pi') / reward_deviation n rw pi'.

(** * Penalties *)

(** The estimator D_i of GRPO at an answer of probability x, whose reference probability is y (Schulman's k3); k1 and k2
    are the two others. *)
Definition k1 (x y : R) : R := - ln (y / x).
Definition k2 (x y : R) : R := ln (y / x) ^ 2 / 2.
Definition k3 (x y : R) : R := y / x - ln (y / x) - 1.

(** KL_0(pi || ref; old): the expectation of k3 over the old policy.  Vojnovic & Yun, Section 2.2. *)
Definition kl_0 (n : nat) (pi ref old : nat -> R) : R := expect n old (fun o => k3 (pi o) (ref o)).

(** KL(pi || ref).  An answer with pi(o) = 0 contributes 0; where ref(o) = 0 < pi(o) the papers' value is infinite, and
    no theorem speaks of that case. *)
Definition kl (n : nat) (pi ref : nat -> R) : R := expect n pi (fun o => ln (pi o / ref o)).

(** KL(ref || pi). *)
Definition reverse_kl (n : nat) (pi ref : nat -> R) : R := kl n ref pi.

(** * Objectives, with the old policy frozen *)

(** E_pi[P] - beta KL_0(pi || ref; old), P the preference under the old policy.  Vojnovic & Yun, Section 2.3. *)
Definition objective (n : nat) (P : nat -> R) (beta : R) (ref old pi : nat -> R) : R :=
  expect n pi P - beta * kl_0 n pi ref old.

(** The objective of GRPO: groups of size G, rewards rw. *)
Definition grpo (n : nat) (rw : rewards) (G : nat) (beta : R) (ref old pi : nat -> R) : R :=
  objective n (preference n rw G old) beta ref old pi.

(** Its limit for large groups. *)
Definition grpo_limit (n : nat) (rw : rewards) (beta : R) (ref old pi : nat -> R) : R :=
  objective n (limit_preference n rw old) beta ref old pi.

(** Equation (1) of the paper without clipping: the expectation over groups of the mean of A~_i - beta D_i. *)
Definition grpo_by_groups (n : nat) (rw : rewards) (G : nat) (beta : R) (ref old pi : nat -> R) : R :=
  draws (outcome_expect n old rw) G (fun s =>
    mean (map (fun m => pi (fst m) / old (fst m) * advantage (map snd s) (snd m)
                        - beta * k3 (pi (fst m)) (ref (fst m))) s)).

(** With KL(pi || ref) for the penalty, Section 3 there. *)
Definition direct_objective (n : nat) (P : nat -> R) (beta : R) (ref pi : nat -> R) : R :=
  expect n pi P - beta * kl n pi ref.

(** The objective of RLHF: expected reward less beta KL(pi || ref). *)
Definition rlhf (n : nat) (r : nat -> R) (beta : R) (ref pi : nat -> R) : R :=
  expect n pi r - beta * kl n pi ref.

(** * Maxima and stationary policies *)

(** A global maximum over the simplex. *)
Definition maximum (n : nat) (J : (nat -> R) -> R) (pi : nat -> R) : Prop :=
  policy n pi /\ forall pi', policy n pi' -> J pi' <= J pi.

(** The same over the policies of D only: those where J is finite. *)
Definition maximum_on (n : nat) (D : (nat -> R) -> Prop) (J : (nat -> R) -> R) (pi : nat -> R) : Prop :=
  policy n pi /\ D pi /\ forall pi', policy n pi' -> D pi' -> J pi' <= J pi.

(** KL_0 is finite where every answer that the old policy samples keeps some probability. *)
Definition keeps (n : nat) (old pi : nat -> R) : Prop := forall o, (o < n)%nat -> 0 < old o -> 0 < pi o.

(** pi_ref(S), S the support of pi. *)
Definition support_mass (n : nat) (ref pi : nat -> R) : R :=
  Sum n (fun o => if Rlt_dec 0 (pi o) then ref o else 0).

(** A local maximum over the simplex. *)
Definition local_maximum (n : nat) (J : (nat -> R) -> R) (pi : nat -> R) : Prop :=
  policy n pi /\
  exists eps, 0 < eps /\
    forall pi', policy n pi' -> (forall o, (o < n)%nat -> Rabs (pi' o - pi o) < eps) -> J pi' <= J pi.

(** Strict local maxima and minima over the simplex. *)
Definition differs (n : nat) (pi pi' : nat -> R) : Prop := exists o, (o < n)%nat /\ pi' o <> pi o.

Definition strict_local_maximum (n : nat) (J : (nat -> R) -> R) (pi : nat -> R) : Prop :=
  policy n pi /\
  exists eps, 0 < eps /\ forall pi', policy n pi' -> differs n pi pi' ->
    (forall o, (o < n)%nat -> Rabs (pi' o - pi o) < eps) -> J pi' < J pi.

Definition local_minimum (n : nat) (J : (nat -> R) -> R) : (nat -> R) -> Prop := local_maximum n (fun q => - J q).
Definition strict_local_minimum (n : nat) (J : (nat -> R) -> R) : (nat -> R) -> Prop :=
  strict_local_maximum n (fun q => - J q).

(** d is the partial derivative of J in the probability of o. *)
Definition is_partial (J : (nat -> R) -> R) (pi : nat -> R) (o : nat) (d : R) : Prop :=
  is_derive (fun x => J (update pi o x)) (pi o) d.

(** The Karush-Kuhn-Tucker conditions of the maximum of J over the simplex, Vojnovic & Yun, Appendix A, with the
    multipliers lam and gam(o). *)
Definition kkt_with (n : nat) (J : (nat -> R) -> R) (pi : nat -> R) (lam : R) (gam : nat -> R) : Prop :=
  policy n pi /\
  forall o, (o < n)%nat -> is_partial J pi o (lam - gam o) /\ 0 <= gam o /\ gam o * pi o = 0.

(** Stationary: some multipliers exist. *)
Definition stationary (n : nat) (J : (nat -> R) -> R) (pi : nat -> R) : Prop :=
  exists lam gam, kkt_with n J pi lam gam.

(** Stationary for the objective J(old, .) whose groups it samples itself: the derivative is taken with the old policy
    held fixed, and only then is the old policy pi. *)
Definition on_policy_stationary (n : nat) (J : (nat -> R) -> (nat -> R) -> R) (pi : nat -> R) : Prop :=
  stationary n (J pi) pi.

(** * Preference data *)

Definition sigmoid (z : R) : R := / (1 + exp (- z)).

(** Bradley and Terry: the probability that w is preferred to l, for rewards r, and the loss of the pair. *)
Definition bradley_terry (r : nat -> R) (w l : nat) : R := sigmoid (r w - r l).
Definition bradley_terry_loss (r : nat -> R) (w l : nat) : R := - ln (bradley_terry r w l).

(** The reward that DPO reads off a policy, and its loss of a pair in which w is preferred to l. *)
Definition implicit_reward (beta : R) (pi ref : nat -> R) (o : nat) : R := beta * ln (pi o / ref o).
Definition dpo_loss (beta : R) (pi ref : nat -> R) (w l : nat) : R :=
  bradley_terry_loss (implicit_reward beta pi ref) w l.
