"""The one translation: a schema as a goal for Coq, by the predicate that each kind of statement is there.

A goal is about any functions and numbers, and about any set ``I`` of values that the domain of a sentence admits for
its variable: the other symbols of that domain are fixed. Premises are named by their place, so that a script knows them
even where one of them is dropped.
"""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import fields, is_dataclass
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from grpo_symbolic.proof.coq.syntax import Syntax
from grpo_symbolic.proof.rules import schema as schemas
from grpo_symbolic.proof.rules.binomials import binomial_mean
from grpo_symbolic.proof.rules.schema import (
    ENDS,
    FAMILIES,
    FORMULAS,
    INDICES,
    RANGES,
    VARIABLES,
    WHOLE,
    WRITTEN_OUT,
    E,
    Each,
    J,
    N,
    Needs,
    Schema,
    Supposed,
    phi,
    psi,
    tau,
    x,
)
from grpo_symbolic.proof.rules.walking import expressions, letters_in
from grpo_symbolic.terms.reading import Reading

_OF_SEQUENCES = "forall x' : nat -> R, x' 0%nat = {start} -> iteration {step} x' -> "
_OF_FLOWS = "forall x' : R -> R, solution (fun {variable} => {velocity}) x' -> "
_SOLVES = "strictly_between {lower} {upper} x' /\\ (fun {variable} : R => {body}) x' = {value}"
_OF_SOLUTIONS = (
    "forall P' : R -> Prop, {} P' -> {} {{point}} (fun {{along}} : R => forall x', "
    "strictly_between {{lower}} {{upper}} x' -> (fun {{variable}} : R => {{body}}) x' = 0 -> P' {})"
)
_TAKEN = "((fun {variable} : R => {quantity}) x')"
_ONE_INTERVAL = (
    "forall c', exists u' v' : Rbar, {beyond} {lower} u' /\\ {beyond} v' {upper} /\\ "
    "forall x', strictly_between {lower} {upper} x' -> "
)
_AT_FIXED_POINT = "{step} {point} = {point} /\\ "
_STARTS = "Rbar_lt {lower} (x' 0) -> Rbar_lt (x' 0) {upper} -> "

# Groups of so many outputs, with rewards of any laws for which averages have expectations; and these, with a policy.
_GROUPS = (
    "forall (adv' : list R -> R -> R) (old' : nat -> R) (S' : list member -> Prop) "
    "(M' L' : (list member -> R) -> Prop) (E' : (list member -> R) -> R), probability S' M' L' E' -> "
    "groups_of_outputs {0} S' -> full_support {0} old' -> (forall pi', L' (unclipped_average adv' pi' old')) -> "
)
_OF_GROUPS = "forall n' : nat, " + _GROUPS.format("n'")
_AVERAGE = "(unclipped_average adv' {} old')"
_CLIPPED = "(clipped_average (fun {{ratio}} {{advantage}} : R => {{clipped}}) adv' {} old')"
_POLICY = "pi'"
_HAVE_EXPECTATIONS = f"(forall pi', L' {_CLIPPED.format(_POLICY)}) -> "
_OBJECTIVES = [f"E' {average.format(_POLICY)} + D' pi'" for average in (_AVERAGE, _CLIPPED)]
_LOCALLY, _GLOBALLY = (
    tuple(f"{most} n' (fun pi' => {objective}) old'" for objective in _OBJECTIVES)
    for most in ("local_maximum", "maximum")
)
_PENALTY = "Sum {{size}} (fun o' => (fun ({{index}} : nat) ({{letter}} : R) => {{term}}) (S o') ({} o'))"
_BEST_WITH_PENALTY = [
    "(forall pi', full_support {size} pi' -> "
    + " <= ".join(f"E' {average.format(policy)} - {_PENALTY.format(policy)}" for policy in (_POLICY, "old'"))
    + ")"
    for average in (_AVERAGE, _CLIPPED)
]

# Of groups of outputs of a policy: what the advantage of a member is expected to be, by its output.
_POLICY_OF_SAMPLE = "(fun o' => (fun {index} : nat => {policy}) (S o'))"
_EXPECTED = (
    "(forall o', (o' < {answers})%nat -> "
    "given s' {size} o' first_advantage ((fun {index} : nat => {expected}) (S o'))) -> "
)
_ADVANTAGES = "forall s' : sampling {answers} " + _POLICY_OF_SAMPLE + ", " + _EXPECTED

# Of kinds of answers: for all members of one, their sum, and what they add.
_OF_MEMBERS = "forall {index} : nat, (1 <= {index} <= {size})%nat -> "
_PROBABILITIES = "total {size} (fun {index} : nat => {0} {index})"
_ADDED = "total {size} (fun {index} : nat => adds {at_zero} (fun {letter} : R => {term}) ({0} {index}))"

# A function of all families, of one list in their place.
_OBJECTIVE = "(fun y' => (fun {names} : nat -> R => {objective}) {parts})"
_MULTIPLIERS = "has_multiplier {size} lam' {0} (fun ({index} : nat) ({letter} : R) => {slope})"
_PARTS = ("(first y')", "(second n y')")  # of that list, for each family

# What each kind of statement is in Coq. In braces: its fields, and ``set``, the values of its variable that are meant.
PREDICATES = {
    "Equal": "{left} = {right}",
    "AtLeast": "{right} <= {left}",
    "TakesValue": "exists x', " + _SOLVES,
    "AtMost": "at_most {most} (fun x' : R => " + _SOLVES + ")",
    "OneRoot": "exists! x', " + _SOLVES,
    "Roots1": "exists! x', strictly_between {lower} {upper} x' /\\ (fun {variable} : R => {polynomial}) x' = 0",
    "UniqueRoot": "strictly_between {lower} {upper} {root} /\\ forall x', strictly_between {lower} {upper} x' -> "
    "((fun {variable} : R => {polynomial}) x' = 0 <-> x' = {root})",
    "SolutionTends+": _OF_SOLUTIONS.format("locally {value}", "from_above", "x'"),
    "SolutionTends-": _OF_SOLUTIONS.format("locally {value}", "from_below", "x'"),
    "AtSolutionTends+": _OF_SOLUTIONS.format("Rbar_locally {value}", "from_above", _TAKEN),
    "AtSolutionTends-": _OF_SOLUTIONS.format("Rbar_locally {value}", "from_below", _TAKEN),
    "OneInterval+": _ONE_INTERVAL + "(c' < (fun {variable} : R => {body}) x' <-> strictly_between u' v' x')",
    "OneInterval-": _ONE_INTERVAL + "((fun {variable} : R => {body}) x' < c' <-> strictly_between u' v' x')",
    "Tends+": "filterlim (fun {variable} : R => {body}) (from_above {point}) (Rbar_locally {value})",
    "Tends-": "filterlim (fun {variable} : R => {body}) (from_below {point}) (Rbar_locally {value})",
    "TendsWhole": "filterlim (fun {variable} : nat => {body}) eventually (Rbar_locally {value})",
    "Monotone": "{strictly}{word}_on {set} (fun {variable} : R => {body})",
    "Curved": "{strictly}{word}_on {set} (fun {variable} : R => {body})",
    "StaysNear": "forall x' : nat -> R, (forall n', {set} (x' n')) -> "
    "(forall n', Rabs (x' (S n') - {step} (x' n')) <= {error}) -> "
    "limsup_at_most (fun n' => Rabs (x' n' - {point})) {value}",
    "EveryMapAttracts": "forall (f' g' : R -> R) (z' : R), f' z' = z' -> "
    "locally z' (fun y' => is_derive f' y' (g' y')) -> continuous g' z' -> g' z' = {slope} -> exists r', 0 < r' /\\ "
    "(forall y', z' - r' <= y' <= z' + r' -> is_derive f' y' (g' y') /\\ Rabs (g' y') <= {rate} /\\ "
    "z' - r' <= f' y' <= z' + r') /\\ (forall q', z' - r' <= q' <= z' + r' -> f' q' = q' -> q' = z') /\\ "
    "forall x' : nat -> R, z' - r' <= x' 0%nat <= z' + r' -> iteration f' x' -> "
    "(forall n', Rabs (x' n' - z') <= {rate} ^ n' * Rabs (x' 0%nat - z')) /\\ converges_to x' z'",
    "Attracts": _AT_FIXED_POINT + "exists k', k' < 1 /\\ exists r', 0 < r' /\\ "
    "(forall y', Rabs (y' - {point}) <= r' -> Rabs ({step} y' - {point}) <= k' * Rabs (y' - {point})) /\\ "
    "(forall q', Rabs (q' - {point}) <= r' -> {step} q' = q' -> q' = {point}) /\\ "
    "forall x', Rabs (x' 0%nat - {point}) <= r' -> iteration {step} x' -> "
    "(forall n', Rabs (x' n' - {point}) <= k' ^ n' * Rabs (x' 0%nat - {point})) /\\ converges_to x' {point}",
    "Repels": _AT_FIXED_POINT + "exists k', 1 < k' /\\ exists r', 0 < r' /\\ "
    "(forall y', Rabs (y' - {point}) <= r' -> k' * Rabs (y' - {point}) <= Rabs ({step} y' - {point})) /\\ "
    "(forall q', Rabs (q' - {point}) <= r' -> {step} q' = q' -> q' = {point}) /\\ "
    "(forall x', iteration {step} x' -> x' 0%nat <> {point} -> exists n', r' < Rabs (x' n' - {point})) /\\ "
    "forall x', iteration {step} x' -> converges_to x' {point} -> "
    "exists m', forall n', (m' <= n')%nat -> x' n' = {point}",
    "SolvedSeparately": "forall (X' : Type) (J' : nat -> X' -> R) (D' : nat -> X' -> Prop) (x' : nat -> X'), "
    "(forall q', (1 <= q' <= {size})%nat -> D' q' (x' q')) -> "
    "((forall y', (forall q', (1 <= q' <= {size})%nat -> D' q' (y' q')) -> "
    "total {size} (fun {index} : nat => {weight} * J' {index} (y' {index})) "
    "<= total {size} (fun {index} : nat => {weight} * J' {index} (x' {index}))) <-> "
    "(forall q', (1 <= q' <= {size})%nat -> forall y', D' q' y' -> J' q' y' <= J' q' (x' q')))",
    "ClippingIsIdle": _OF_GROUPS + "exists r', 0 < r' /\\ "
    "forall pi', (forall o', (o' < n')%nat -> Rabs (pi' o' - old' o') < r') -> "
    f"has L' E' {_CLIPPED.format(_POLICY)} (E' {_AVERAGE.format(_POLICY)})",
    "ClippingKeepsMaxima-": f"{_OF_GROUPS}forall D' : (nat -> R) -> R, {' <-> '.join(_LOCALLY)}",
    "ClippingKeepsMaxima+": f"{_OF_GROUPS}{_HAVE_EXPECTATIONS}forall D' : (nat -> R) -> R, "
    f"({' <-> '.join(_LOCALLY)}) /\\ ({' -> '.join(_GLOBALLY)})",
    "ClippingMovesNoMaximum": f"{_GROUPS.format('{size}')}{_HAVE_EXPECTATIONS}{' <-> '.join(_BEST_WITH_PENALTY)}",
    "Lipschitz": "lipschitz_on {set} {constant} (fun {variable} : R => {body})",
    "Continuous": "continuous_on {set} (fun {variable} : R => {body})",
    "Slope1": "is_derive (fun {variable} : R => {body}) {variable} {slope}",
    "Slope2": "locally {variable} (ex_derive (fun {variable} : R => {body})) /\\ "
    "is_derive (Derive (fun {variable} : R => {body})) {variable} {slope}",
    "Interval": "interval {set}",
    "Admitted": "I {point}",
    **{kind.__name__: "True" for kind in schemas.WRITTEN},
    "Positive": _OF_MEMBERS + "0 < {entry}",
    "Admits": "{admitted} (fun {entry_index} : nat => {image})",
    "ConcaveInPolicy": "strictly_concave_among {whole_size} (fun y' => D' {parts}) " + _OBJECTIVE,
    "MaximaHaveMultipliers": "forall y', D' {parts} -> local_maximum {whole_size} "
    + _OBJECTIVE
    + " y' -> exists lam', {multipliers}",
    "SameMinimisers": "same_minimisers {of_pi} {of_rho} (fun {entries_0_family} : nat -> R => {values_0}) "
    "(fun {entries_1_family} : nat -> R => {values_1}) (fun ({entries_0_family} : nat -> R) ({entries_1_index} : nat) "
    "=> {maps_1}) /\\ same_minimisers {of_rho} {of_pi} (fun {entries_1_family} : nat -> R => {values_1}) "
    "(fun {entries_0_family} : nat -> R => {values_0}) (fun ({entries_1_family} : nat -> R) ({entries_0_index} : nat) "
    "=> {maps_0})",
    "CountMean": "forall (A' : Type) (E' : (A' -> R) -> R) (hit' : A' -> bool), expectation E' -> "
    "E' (fun a' => if hit' a' then 1 else 0) = {chance} -> "
    "draws E' {size} (fun s' => (fun {count} : nat => {member}) (successes hit' s')) = {value}",
    "Law": "full_support {size} (fun o' => (fun {index} : nat => {entry}) (S o'))",
    "AdvantageGiven": "forall (rw' : rewards) (o' : nat -> nat), (forall j', (1 <= j' <= {size})%nat -> "
    "certain rw' (o' j') ((fun {index} : nat => {rewards}) j')) -> "
    "given_outputs rw' (map o' (seq 1 {size})) (fun g' => advantage g' (nth ({member} - 1) g' 0)) = {value}",
    "BoundByAdvantages": _ADVANTAGES + "{left} <= {right}",
    "MeanDeviation": "forall s' : sampling {answers} " + _POLICY_OF_SAMPLE + ", (forall m', outcomes s' m' -> "
    "snd m' = (fun {index} : nat => {reward}) (S (fst m'))) -> "
    + _EXPECTED
    + "expects s' {size} (fun g' => deviation (map snd g')) {value} /\\ 0 <= {value}",
    "MassNear1": "forall (f' : R -> R) (z' r' : R), 0 < r' -> (forall u' v', z' - r' <= u' -> u' <= v' -> "
    "v' <= z' + r' -> ex_RInt f' u' v') -> continuous f' z' -> f' z' = {density} -> "
    "filterlim (fun {length} : R => RInt f' (z' + {sides_0_0} * {length}) (z' + {sides_0_1} * {length}) / "
    "({size} * {density})) (at_right 0) (locally 1)",
    "MassNear2": "forall (f' : R -> R -> R) (z' y' r' : R), 0 < r' -> (forall u' v' w', z' - r' <= u' -> u' <= v' -> "
    "v' <= z' + r' -> y' - r' <= w' <= y' + r' -> ex_RInt (fun s' => f' s' w') u' v') -> (forall a' b' u' v', "
    "z' - r' <= a' -> a' <= b' -> b' <= z' + r' -> y' - r' <= u' -> u' <= v' -> v' <= y' + r' -> "
    "ex_RInt (fun w' => RInt (fun s' => f' s' w') a' b') u' v') -> continuity_2d_pt f' z' y' -> "
    "f' z' y' = {density} -> filterlim (fun {length} : R => RInt (fun w' => RInt (fun s' => f' s' w') "
    "(z' + {sides_0_0} * {length}) (z' + {sides_0_1} * {length})) (y' + {sides_1_0} * {length}) "
    "(y' + {sides_1_1} * {length}) / ({size} * {density})) (at_right 0) (locally 1)",
    "EqualFromSomeOn": "exists e' : R, forall {variable} : R, e' <= {variable} -> {left} = {right}",
    "LocalMaximum+": "strict_local_maximum_on {set} (fun {variable} : R => {objective}) {at}",
    "LocalMaximum-": "strict_local_maximum_on {set} (fun {variable} : R => - {objective}) {at}",
    "OnlyMaximum+": "strict_maximum_on {set} (fun {variable} : R => {objective}) {at}",
    "OnlyMaximum-": "strict_maximum_on {set} (fun {variable} : R => - {objective}) {at}",
    "StaysIn": _OF_SEQUENCES + "forall n', {lower} <= x' n' <= {upper}",
    "EndsInCycle": _OF_SEQUENCES + "exists q' : nat -> R, (forall i', (1 <= i' <= {cycle_size})%nat -> "
    "(fun {cycle_index} : nat => {cycle_0}) i' <= q' i' <= (fun {cycle_index} : nat => {cycle_1}) i') /\\ "
    "(forall i', (1 <= i' < {cycle_size})%nat -> {step} (q' i') = q' (S i')) /\\ "
    "{step} (q' {cycle_size}) = q' 1%nat /\\ "
    "(forall i' j', (1 <= i' < j')%nat -> (j' <= {cycle_size})%nat -> q' i' <> q' j') /\\ "
    "(forall y', (fun {cycle_index} : nat => {cycle_0}) 1%nat <= y' <= (fun {cycle_index} : nat => {cycle_1}) 1%nat -> "
    "Nat.iter {cycle_size} {step} y' = y' -> y' = q' 1%nat) /\\ forall i', (1 <= i' <= {cycle_size})%nat -> "
    "converges_to (fun n' => x' ({entering_size} + n' * {cycle_size} + (i' - 1))%nat) (q' i')",
    "LimitIsFixedPoint": _OF_SEQUENCES + "forall l', converges_to x' l' -> {lower} <= l' <= {upper} /\\ {step} l' = l'",
    "RisesToLeastFixedPoint": _OF_SEQUENCES + "(forall n', x' n' <= x' (S n')) /\\ exists l', converges_to x' l' /\\ "
    "{start} <= l' <= {upper} /\\ {step} l' = l' /\\ "
    "forall q', {start} <= q' <= {upper} -> {step} q' = q' -> l' <= q'",
    "FallsToGreatestFixedPoint": _OF_SEQUENCES
    + "(forall n', x' (S n') <= x' n') /\\ exists l', converges_to x' l' /\\ "
    "{lower} <= l' <= {start} /\\ {step} l' = l' /\\ "
    "forall q', {lower} <= q' <= {start} -> {step} q' = q' -> q' <= l'",
    "ConvergesMonotonically": _OF_SEQUENCES
    + "((forall n', x' n' <= x' (S n')) \\/ (forall n', x' (S n') <= x' n')) /\\ "
    "exists l', converges_to x' l' /\\ {lower} <= l' <= {upper} /\\ {step} l' = l'",
    "TwoLimits": _OF_SEQUENCES + "(forall n', x' (2 * n')%nat <= x' (2 * S n')%nat) /\\ "
    "(forall n', x' (S (2 * S n')) <= x' (S (2 * n'))) /\\ exists even' odd', {lower} <= even' <= {upper} /\\ "
    "{lower} <= odd' <= {upper} /\\ converges_to (fun n' => x' (2 * n')%nat) even' /\\ "
    "converges_to (fun n' => x' (S (2 * n'))) odd' /\\ {step} even' = odd' /\\ "
    "{step} odd' = even' /\\ (even' = odd' -> converges_to x' even') /\\ "
    "forall l', converges_to x' l' -> even' = l' /\\ odd' = l'",
    "ConvergesToFixedPoint": "exists l', {lower} <= l' <= {upper} /\\ {step} l' = l' /\\ "
    "(forall q', {lower} <= q' <= {upper} -> {step} q' = q' -> q' = l') /\\ " + _OF_SEQUENCES + "converges_to x' l'",
    "Converges": _OF_SEQUENCES + "exists l', {lower} <= l' <= {upper} /\\ {step} l' = l' /\\ converges_to x' l'",
    "RisesToUpperEnd": _OF_SEQUENCES + "(forall n', x' n' < x' (S n')) /\\ converges_to x' {upper}",
    "FlowTends": _OF_FLOWS + _STARTS + "tends_to x' {rest} /\\ "
    "(x' 0 <= {rest} -> forall s' t', 0 <= s' -> s' <= t' -> x' s' <= x' t' <= {rest}) /\\ "
    "({rest} <= x' 0 -> forall s' t', 0 <= s' -> s' <= t' -> {rest} <= x' t' <= x' s')",
    "FlowRises": _OF_FLOWS + "(forall t', 0 <= t' -> strictly_between {lower} {upper} (x' t')) -> "
    "tends_to x' {upper} /\\ forall s' t', 0 <= s' -> s' < t' -> x' s' < x' t'",
    "FlowRisesToRest": "exists r', {start} < r' <= {upper} /\\ (fun {variable} => {velocity}) r' = 0 /\\ "
    "(forall y', {start} <= y' -> y' < r' -> 0 < (fun {variable} => {velocity}) y') /\\ "
    + _OF_FLOWS
    + "x' 0 = {start} -> tends_to x' r' /\\ forall t' u', 0 <= t' -> t' < u' -> x' t' < x' u' < r'",
    "PassesEveryLevel": "forall e' : R, Rbar_lt e' {upper} -> exists d', 0 < d' /\\ forall (x' : R -> R) (u' : R), "
    "x' 0 = {start} -> (forall t', 0 <= t' <= u' -> is_derive x' t' ((fun {variable} => {velocity}) (x' t'))) -> "
    "(forall t', 0 <= t' <= u' -> Rbar_lt (x' t') {upper}) -> "
    "(forall s' t', 0 <= s' -> s' < t' -> t' <= u' -> x' s' < x' t') /\\ forall t', d' <= t' <= u' -> e' < x' t'",
    "FlowsOrdered": _OF_FLOWS + "forall y' : R -> R, solution (fun {variable} => {faster}) y' -> "
    "(forall t', 0 <= t' -> strictly_between {lower} {upper} (x' t')) -> x' 0 < y' 0 -> "
    "(forall t', 0 <= t' -> x' t' < y' t') /\\ forall l' m', tends_to x' l' -> tends_to y' m' -> l' <= m'",
    "FlowAtRate": _OF_FLOWS + _STARTS + "tends_to x' {rest} /\\ "
    "forall l', l' < {rate} -> tends_to (fun t' => (x' t' - {rest}) * exp (l' * t')) 0",
    "DiesOut": "0 < {rate} /\\ " + _OF_FLOWS + "forall w' : R -> R, " + _STARTS + "(forall t', 0 <= t' -> "
    "is_derive w' t' ((fun {variable} => {growth}) (x' t') * w' t')) -> "
    "forall l', l' < {rate} -> tends_to (fun t' => w' t' * exp (l' * t')) 0",
}
_OF_SETS = ("Monotone", "Curved", "Lipschitz", "Continuous", "Interval")  # they bind a variable over a set
_NATURAL = {*INDICES, *WRITTEN_OUT, *WHOLE, tau}  # letters for natural numbers
_RELATIONS = {
    sp.StrictLessThan: ("<", "Rbar_lt"),
    sp.LessThan: ("<=", "Rbar_le"),
    sp.Equality: ("=", ""),
    sp.Unequality: ("<>", ""),
}


def goal(schema: Schema, without: int | None = None) -> str:
    """What Coq is asked, in Coq's syntax. ``without``: the number of a premise that is dropped.

    >>> from grpo_symbolic.proof.rules.iterations import InvariantInterval
    >>> print(goal(InvariantInterval.schemas[0]))
    forall (f : R -> R) (a b s : R),
      forall (H1 : ((a <= s) /\\ (s <= b))),
      forall (H2 : forall x : R, (a <= x) -> (x <= b) -> (a <= (f x))),
      forall (H3 : forall x : R, (a <= x) -> (x <= b) -> ((f x) <= b)),
      forall x' : nat -> R, x' 0%nat = s -> iteration (fun x => (f x)) x' -> forall n', a <= x' n' <= b
    """
    letters = schema.letters
    families = [family for family in FAMILIES if family in letters]
    functions = {str(e.func): _type(e) for e in letters if isinstance(e, AppliedUndef | E | Supposed)}
    numbers = {*ENDS, *VARIABLES, *_NATURAL, *FORMULAS, N}
    kinds = (
        ("I : R -> Prop", ["I"] if any(needs.of_domain for needs in schema.premises) else []),
        ("J : R -> Prop", ["J"] if any(isinstance(e, J) for e in letters) else []),
        (f"D' : {'(nat -> R) -> ' * len(families)}Prop", families),
        *((kind, sorted(f for f, own in functions.items() if own == kind)) for kind in sorted({*functions.values()})),
        ("Rbar", sorted(str(e) for e in letters if e in ENDS)),
        ("R", sorted(str(e) for e in letters if isinstance(e, sp.Symbol) and e not in numbers)),
        ("nat", sorted(str(e) for e in letters if e in {*WHOLE, N})),
        ("Prop", [str(e) for e in FORMULAS if e in letters]),
    )
    head = [f"({kind})" if kind[0] in "IJD" else f"({' '.join(names)} : {kind})" for kind, names in kinds if names]
    lines = [f"forall {' '.join(head)},"]
    for number, needs in enumerate(schema.premises):
        lines.append(f"forall (H{number + 1} : {'True' if number == without else _premise(needs, families)}),")
    stated = (needs.statement for needs in schema.premises)
    varying = [statement for statement in stated if isinstance(statement, schemas.Family) and statement.varies]
    assert [statement.entry.base for statement in varying] == families, "a premise says of each family that it varies"
    if any(statement.only for statement in varying):
        assert all(statement.only for statement in varying), "of all families nothing else is supposed, or of none"
        names, laws = " ".join(map(str, families)), "".join(f"({_predicate(law, '')}) -> " for law in varying)
        lines.append(f"forall (All : forall {names} : nat -> R, {laws}D' {names}),")
    free = [v for v in VARIABLES if v in letters and v not in schema.conclusion.bound]
    each = [f"forall {v} : R, I {v} -> " for v in free if any(e.has(v) for e in expressions(schema.conclusion))]
    return "\n  ".join([*lines, "".join(each) + _predicate(schema.conclusion, "I", families)])


def _type(applied: sp.Basic) -> str:
    """The type of a letter for a function, or for a formula about a member."""

    def kind(arg: sp.Basic) -> str:
        if isinstance(arg, sp.IndexedBase | sp.Lambda):
            return "(nat -> R)"
        return "nat" if _is_natural(arg) or applied.func in (phi, psi) else "R"

    own = map(kind, applied.args)
    return " -> ".join((*own, "R" if isinstance(applied, AppliedUndef) else "Prop"))


def _members(indices: Iterable[sp.Symbol]) -> str:
    """For all numbers of members."""
    lows = {1: "1 <= ", 0: ""}
    ranges = ((index, *RANGES[index]) for index in indices)
    return "".join(f"forall {index} : nat, ({lows[low]}{index} <= {size})%nat -> " for index, low, size in ranges)


def _premise(needs: Needs, families: Sequence[sp.IndexedBase]) -> str:
    """A premise: for all values of its variables where it is to hold; where it speaks of families, for all of those
    that the domain admits.
    """
    statement, where = needs.statement, needs.where
    own = getattr(statement, "variable", None) if type(statement).__name__ in _OF_SETS else None
    if isinstance(statement, schemas.Admitted):
        return _predicate(statement, "I")
    free = [e for e in expressions((statement, where)) for e in sorted(e.free_symbols & set(VARIABLES), key=str)]
    inner = {own, *getattr(statement, "bound", ())}
    bound = [v for v in dict.fromkeys(free) if v not in inner]
    counts = tau in letters_in((statement, where)) and getattr(statement, "variable", None) != tau
    steps = "forall tau : nat, " if counts else ""
    assert not needs.on or [v for v in (own, *bound) if v] == [x], "the rule's domain constrains x"
    outer = [c for c in where if c not in VARIABLES and (own is None or not c.has(own))]
    within = [_formula(c) for c in where if c not in outer and c not in VARIABLES]
    mine = ([f"{'J' if needs.on else 'I'} {own}"] if needs.on or needs.of_domain else []) + within
    both = " /\\ ".join(mine)
    set_of = f"(fun {own} : R => {both})" if own is not None else ""
    placed = "J" if needs.on else "I" if needs.inside else ""
    given = [f"{placed} {v}" for v in bound if placed and own is None] + [_formula(c) for c in outer]
    if placed and own is None and not bound:  # it holds where there is a value
        given.append(f"(exists x' : R, {placed} x')")
    members = _members([*needs.members, *needs.written_out])
    names = " ".join(map(str, families))
    varying = any(e.has(family) for e in expressions((statement, where)) for family in families)
    steps += f"forall {names} : nat -> R, D' {names} -> " if varying else ""
    quantified = steps + members + (f"forall {' '.join(map(str, bound))} : R, " if bound else "")
    return quantified + "".join(f"{text} -> " for text in given) + _predicate(statement, set_of, families)


def _predicate(statement: Any, set_of: str, families: Sequence[sp.IndexedBase] = ()) -> str:
    """A statement, by its predicate."""
    kind = type(statement).__name__
    if kind == "Always":
        return _formula(statement.formula)
    if kind == "AtLeast":
        return _at_least(statement)
    if kind == "OnlyBestPolicy":
        return _only_best_policy(statement)
    if kind == "InEveryEntry":
        return _supposing(statement) + _members([statement.index]) + _formula(statement.then)
    if kind == "Family":
        index = statement.entry.args[-1]
        kind = "Law" if statement.total == 1 else "Positive" if statement.positive else kind
        return PREDICATES[kind].format(size=RANGES[index][1], index=index, entry=_term(statement.entry))
    if kind == "Tends" and statement.variable == tau:
        assert statement.point == sp.oo, "a sequence has a limit at infinity"
        return PREDICATES["TendsWhole"].format(**_fields(statement))
    if kind == "MassNear":
        kind += str(len(statement.sides))
    if kind in ("Roots", "Slope"):
        kind += str(statement.count if kind == "Roots" else statement.order)
    for sign in (getattr(statement, name) for name in ("side", "sense", "globally") if hasattr(statement, name)):
        kind += sign if isinstance(sign, str) else "+" if sign > 0 else "-"
    strictly = "strictly_" if getattr(statement, "strict", False) else ""
    known = {"set": set_of, "word": getattr(statement, "word", ""), "strictly": strictly}
    known |= {f"of_{family}": _of_one(family, families) for family in families}
    known["admitted"] = known[f"of_{statement.entry.base}"] if kind == "Admits" else ""
    if kind in ("ConcaveInPolicy", "MaximaHaveMultipliers"):
        assert statement.families == (*families,), "it is about all the families that there are"
        parts, size = _PARTS[: len(families)], ("n", "(n + m)")[len(families) - 1]
        known |= {"names": " ".join(map(str, families)), "parts": " ".join(parts), "whole_size": size}
    if kind == "MaximaHaveMultipliers":
        known["multipliers"] = _each(_MULTIPLIERS, " /\\ ", statement.kinds, parts)
    known["beyond"] = "Rbar_lt" if getattr(statement, "inside", False) else "Rbar_le"
    return PREDICATES[kind].format(**known, **_fields(statement))


def _of_one(family: sp.IndexedBase, families: Sequence[sp.IndexedBase]) -> str:
    """The set of what the domain admits for one family, with some numbers for the others."""
    beside = "".join(f"exists {other} : nat -> R, " for other in families if other != family)
    return f"(fun {family} : nat -> R => {beside}D' {' '.join(map(str, families))})"


def _at_least(statement: Any) -> str:
    """An inequality, with what it supposes of members, and when both sides are equal."""
    text = PREDICATES["AtLeast"].format(**_fields(statement))
    if statement.equality:
        of_each = (f"({_members(v for v in INDICES if v in c.free_symbols)}{_formula(c)})" for c in statement.equality)
        cases = " /\\ ".join(of_each)
        text = f"{text} /\\ ({_term(statement.left)} = {_term(statement.right)} <-> {cases})"
    return _supposing(statement) + text


def _only_best_policy(statement: Any) -> str:
    """That no policy, given by its probabilities of each kind, has a larger sum than the best one, and no other one as
    large a sum.
    """
    kinds = statement.kinds
    best = [f"(fun {kind.index} : nat => {_term(most)})" for kind, most in zip(kinds, statement.best, strict=True)]
    others = [f"y{number}'" for number in range(len(kinds))]
    most, other = (_each(_ADDED, " + ", kinds, policy) for policy in (best, others))
    whole, whole_of_other = (_each(_PROBABILITIES, " + ", kinds, policy) for policy in (best, others))
    laws = _each(f"({_OF_MEMBERS}0 <= {{0}} {{index}})", " -> ", kinds, others)
    same = _each(f"({_OF_MEMBERS}{{0}} {{index}} = {{1}} {{index}})", " /\\ ", kinds, others, best)
    supposed = f"{whole} = 1 -> " if statement.supposed else ""
    policies = f"forall {' '.join(others)} : nat -> R, {laws} -> {whole_of_other} = 1 -> "
    return f"{supposed}{policies}{other} <= {most} /\\ ({most} = {other} <-> {same})"


def _each(text: str, sign: str, kinds: Sequence[Any], *beside: Sequence[str]) -> str:
    """A text for each of several kinds, of its fields and of what is beside it."""
    return sign.join(text.format(*own, **_named("", kind)) for kind, *own in zip(kinds, *beside, strict=True))


def _supposing(statement: Any) -> str:
    """What a statement supposes of members, each letter for all numbers of its list."""
    return "".join(f"({_members(letter.args)}{_formula(letter)}) -> " for letter in statement.given)


def _fields(statement: Any) -> dict[str, str]:
    """The fields of a statement in Coq's syntax; those of what is in a field, such as an iteration, beside them."""
    texts: dict[str, str] = {}
    for field in fields(statement):
        value = getattr(statement, field.name)
        if isinstance(value, Each):
            texts |= _named(field.name, value.of) | {f"{field.name}_index": str(value.index)}
            texts[f"{field.name}_size"] = str(value.size)
        elif is_dataclass(value):
            texts |= _fields(value)
        else:
            texts |= _named(field.name, value)
    if "map" in texts:
        texts["step"] = f"(fun {texts['variable']} => {texts['map']})"
    return texts


def _named(name: str, value: Any) -> dict[str, str]:
    """A term by the name of its field; those of a tuple by their own names, or by their places."""
    if isinstance(value, tuple):
        names = getattr(value, "_fields", [f"{name}_{place}" for place in range(len(value))])
        inner = (_named(of_part, part) for of_part, part in zip(names, value, strict=True))
        return {key: text for part in inner for key, text in part.items()}
    if isinstance(value, sp.Indexed):
        return {f"{name}_family": str(value.base), f"{name}_index": str(value.indices[0])}
    if isinstance(value, sp.Expr | int) and not isinstance(value, bool):
        return {name: _argument(sp.sympify(value))}
    return {}


def _formula(formula: sp.Basic) -> str:
    match formula:
        case sp.Symbol():
            return str(formula)
        case J() | E() | Supposed():
            return f"({formula.func.__name__} {' '.join(map(_argument, formula.args))})"
        case sp.Equivalent():
            return f"({' <-> '.join(map(_formula, formula.args))})"
        case sp.And() | sp.Or():
            sign = " /\\ " if isinstance(formula, sp.And) else " \\/ "
            return f"({sign.join(map(_formula, _in_order(formula.args)))})"
        case sp.Not():
            return f"(~ {_formula(formula.args[0])})"
        case sp.Implies():
            given, then = formula.args
            return f"({_formula(given)} -> {_formula(then)})"
        case sp.StrictGreaterThan() | sp.GreaterThan():
            return _formula(formula.reversed)
    assert isinstance(formula, Relational)
    sign, extended = _RELATIONS[type(formula)]
    if all(_is_natural(side) or side.is_Integer for side in formula.args):
        return f"({' '.join((_argument(formula.lhs), sign, _argument(formula.rhs)))})%nat"
    left, right = map(_term, formula.args)
    if any(side in ENDS or side.is_infinite for side in formula.args):
        return f"({extended} {left} {right})"
    return f"({left} {sign} {right})"


def _in_order(parts: Iterable[sp.Basic]) -> Sequence[sp.Basic]:
    return sorted(parts, key=sp.default_sort_key)


def _is_natural(e: sp.Expr) -> bool:
    """Whether a term is made of whole letters."""
    return bool(e.free_symbols) and e.free_symbols <= _NATURAL and not e.atoms(AppliedUndef)


def _argument(e: sp.Expr) -> str:
    """What a letter is applied to: of whole letters a natural number; none is taken off a smaller one."""
    if isinstance(e, sp.Lambda):
        return f"(fun {e.signature[0]} : nat => {_term(e.expr)})"
    if not _is_natural(e):
        return _term(e)
    if isinstance(e, sp.Add):
        less = [part for part in e.args if part.could_extract_minus_sign()]
        more = " + ".join(map(_argument, _in_order(part for part in e.args if part not in less)))
        return f"({' - '.join((more, *(_argument(-part) for part in less)))})%nat"
    if isinstance(e, sp.Mul):
        return f"({' * '.join(map(_argument, _in_order(e.args)))})%nat"
    return str(e)


def _term(e: sp.Expr) -> str:
    """A term of letters: what is no application of a function letter is read and written as any term."""
    if e in {*ENDS, *VARIABLES, *FAMILIES, N}:
        return str(e)
    if e == N + 1:
        return "(S N)"
    if e in (sp.oo, -sp.oo):
        return "p_infty" if e == sp.oo else "m_infty"
    if e in _NATURAL:
        return f"(INR {e})"
    if isinstance(e, sp.Mul) and e.args[0] == -1:
        return f"(- {_term(-e)})"
    if isinstance(e, sp.Indexed):
        return f"({e.base} {_argument(e.indices[0])})"
    if isinstance(e, AppliedUndef):
        own = (f"{arg}%nat" if arg.is_Integer and e.func in (phi, psi) else _argument(arg) for arg in e.args)
        return f"({e.func} {' '.join(own)})"
    if isinstance(e, sp.Sum) and e.has(sp.binomial):
        count, _, size = e.limits[0]
        (chance,) = (part.base for part in e.function.args if part.is_Pow and part.exp == count)
        law = binomial_mean(sp.Dummy(), count, size, chance).function.args
        (of_count,) = (part for part in e.function.args if part not in law)
        return f"(binomial_mean {_argument(size)} (fun {count} : nat => {_term(of_count)}) {_term(chance)})"
    if isinstance(e, sp.Product):
        index, _, size = e.limits[0]
        return f"(multiplied {_argument(size)} (fun {index} : nat => {_term(e.function)}))"
    if isinstance(e, sp.Sum):
        text = _term(e.function)
        for index, _, size in e.limits:
            text = f"(total {_argument(size)} (fun {index} : nat => {text}))"
        return text
    applied = e.atoms(AppliedUndef, sp.Product, sp.Sum, sp.Indexed) | e.free_symbols & _NATURAL
    named = {a: sp.Symbol(f"of_{number}_", real=True) for number, a in enumerate(sorted(applied, key=str))}
    text = Syntax().term(Reading().term(e.xreplace(named)))
    for application, name in named.items():
        text = text.replace(str(name), _term(application))
    return text
