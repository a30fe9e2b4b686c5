"""Programs over policies: multipliers at their maxima, several programs at once, and what clipping leaves of them."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.members import numbered
from grpo_symbolic.proof.rules.rule import Conclusion, Premise, Rule, Using, constraining
from grpo_symbolic.proof.rules.schema import Natural, Needs, Schema, f, i, n, s, w, x, y
from grpo_symbolic.proof.rules.simplex import Summand
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, real_symbol
from grpo_symbolic.scalars import Scalar


class Kind(NamedTuple):
    """Answers of one kind: what one of them adds to the objective, and the derivative of this in its probability
    (``slope``), both in the letter of the summand. Of ``positive`` ones no policy of the sentence has probability 0.
    """

    summand: Summand
    slope: Scalar
    positive: bool = True


@dataclass(frozen=True, eq=False)
class LinearConstraints(Rule["MaximaHaveMultipliers"]):
    """At a local maximum of a sum of differentiable functions of one probability each, the conditions of Karush, Kuhn
    and Tucker hold, for policies that may give up answers: the constraints are linear, so no more is needed.
    """

    theorems = ("Programs.multipliers_at_a_local_maximum",)

    def premises(self, conclusion: MaximaHaveMultipliers, domain: Domain) -> Iterator[Premise]:
        label, kinds = conclusion.label, conclusion.kinds
        moving = {kind.summand.family for kind in kinds}
        if not kinds or len(moving) < len(kinds):
            raise ClaimError(f"{label}: there are kinds of answers, each with probabilities of its own")
        for constraint in constraining(domain):
            if any(e.base in moving for e in constraint.atoms(sp.Indexed)):
                raise ClaimError(f"{label}: the domain constrains by {constraint} what is to vary freely")
        whole = sp.Add(*(kind.summand.total for kind in kinds))
        yield Premise(Equal(conclusion.objective, whole, label=f"{label}: a sum over the answers"), domain)
        for kind in kinds:
            of = kind.summand
            real_symbol(of.letter)
            if of.letter in domain.symbols:
                raise ClaimError(f"the domain constrains {of.letter}, which stands for an entry of {of.family}")
            families = [f for f in domain.families if f.base == of.family]
            if not any(f.positive == kind.positive and f.total is None and f.size == of.size for f in families):
                many = "positive" if kind.positive else "real"
                raise ClaimError(f"the domain does not say that {of.family} are any {of.size} {many} numbers")
            term = sp.sympify(of.term)
            if any(e.base in moving for part in (term, sp.sympify(kind.slope)) for e in part.atoms(sp.Indexed)):
                raise ClaimError(f"{term} speaks of probabilities beside its own, {of.letter}")
            inside = numbered(of.index, 1, of.size, domain).also(of.letter > 0 if kind.positive else of.letter)
            exact = Equal(sp.Derivative(term, of.letter), kind.slope, label=f"{label}: the slope in {of.family}")
            yield Premise(exact, inside)


@dataclass(frozen=True)
class MaximaHaveMultipliers(Conclusion):
    """Every local maximum of ``objective`` over the policies whose probabilities are the families of ``kinds``, and
    of which the ``positive`` ones are, has a multiplier λ and multipliers γ ≥ 0 of the answers, zero for those
    with a positive probability, such that the slope in every answer is λ − γ.
    """

    objective: sp.Expr
    kinds: tuple[Kind, ...]
    label: str = "multipliers"
    claimed = ("objective",)
    rule = LinearConstraints()
    letters_of_words = (r"\lambda", r"\gamma")

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(dict.fromkeys(s for kind in self.kinds for s in (kind.summand.index, kind.summand.letter)))

    def phrase(self) -> Phrase:
        lam, gamma, conditions = sp.Symbol("lambda"), sp.IndexedBase("gamma"), []
        for kind in self.kinds:
            of = kind.summand
            here = of.family[of.index]
            slope = of.at_entry(kind.slope)
            if kind.positive:
                conditions += [",", sp.Eq(slope, lam, evaluate=False), "for every", of.index]
            else:
                multiplier = gamma[of.index]
                zero = sp.Eq(multiplier * here, 0, evaluate=False)
                conditions += [",", sp.Eq(slope, lam - multiplier, evaluate=False), ", where", zero]
                conditions += ["and", sp.Ge(multiplier, 0, evaluate=False), ", for every", of.index]
        names = [part for kind in self.kinds for part in (",", kind.summand.family.label)][1:]
        positive = [part for kind in self.kinds if kind.positive for part in (",", kind.summand.family.label)][1:]
        keeps = (", all of", *positive, "positive,") if positive else ()
        where = ("at every local maximum of", self.objective, "over the policies", *names, *keeps)
        return (*where, "there are multipliers with", *conditions[1:])


@dataclass(frozen=True)
class SolvedSeparately(Conclusion):
    """Whatever the objectives of ``size`` separate policies are: their sum with the weights ``weight``, of the number
    ``index``, is largest exactly where each policy maximises its own objective.
    """

    weight: Scalar
    index: sp.Symbol
    size: Scalar
    label: str = "separate programs"
    claimed = ("weight",)
    binds = ("index",)

    def phrase(self) -> Phrase:
        whatever = ("for any objectives of policies of their own, numbered by", self.index, "from 1 to", self.size, ",")
        return (*whatever, "the sum with the weights", self.weight, "is largest exactly where each of them is")


@dataclass(frozen=True, eq=False)
class PositiveWeights(Schematic["SolvedSeparately"]):
    """A sum of objectives of separate policies, with positive weights, is largest exactly where each of them is."""

    using: Using = ()
    schemas = (
        Schema(
            "Programs.separate_programs",
            SolvedSeparately(w(i), i, n),
            (Needs(Natural(), label="how many there are"), Needs(Always(w(i) > 0), by="using", label="the weights")),
            proof="intros; separate (@{theorem} X' n (fun q => w (S q)) (fun q => J' (S q)) (fun q => D' (S q)) "
            "(fun q => x' (S q)))",
        ),
    )


SolvedSeparately.rule = PositiveWeights()

AVERAGED = "rewards of any laws for which the averages have expectations"  # what the sentences on clipping suppose

# What is supposed of ``f``, in the place of a ratio ``x`` times an advantage ``y``: it is this product where the ratio
# is within ``s`` of 1, and it is never more.
UNCLIPPED = (
    Needs(Always(s > 0), by="using", label="a range"),
    Needs(Equal(f(x, y), x * y), (x >= 1 - s, x <= 1 + s, y), label="nothing is clipped in the range"),
)
NEVER_ADDS = Needs(Always(f(x, y) <= x * y), (x, y), by="using", label="it never adds")


@dataclass(frozen=True)
class OfClipping(Conclusion):
    """Base: ``clipped`` stands for ``ratio`` times ``advantage``; ``width`` is how far from 1 the ratio may be where
    nothing is clipped.
    """

    clipped: sp.Expr
    ratio: sp.Symbol
    advantage: sp.Symbol
    width: Scalar
    claimed = ("clipped",)
    binds = ("ratio", "advantage")
    ranges = True


@dataclass(frozen=True)
class ClippingKeepsMaxima(OfClipping):
    """In groups of any size drawn from a policy with full support, whatever the laws of the rewards, the advantage of a
    member by its group and the penalty, where the averages have expectations: the policy is a local maximum of its own
    objective, the expected average of ``ratio`` times ``advantage`` less the penalty, exactly if it is one with
    ``clipped`` for this product. With ``globally``, moreover, it maximises that objective over all policies if it does
    so without clipping.

    ``width`` is how far from 1 the ratio may be where nothing is clipped.
    """

    globally: bool = True
    label: str = "maxima with clipping"

    def phrase(self) -> Phrase:
        drawn = (
            f"in groups of any size, with any penalty and {AVERAGED}, a policy of full support on finitely many outputs"
        )
        meant = ("the expected average over its groups of", self.ratio * self.advantage, ", where", self.ratio)
        local = ("is a local maximum of its own objective,", *meant, "is the ratio to it and", self.advantage)
        same = ("the advantage, less the penalty, exactly if it is one with", self.clipped, "instead")
        remains = ("; and if it is the global maximum, it is that with clipping, too",) if self.globally else ()
        return (drawn, *local, *same, *remains)


@dataclass(frozen=True, eq=False)
class IdleNearby(Schematic["ClippingKeepsMaxima"]):
    """What clips ratio times advantage does nothing near the old policy, so local maxima stay; if it never adds, so do
    global ones.

    ``using`` is for both.
    """

    using: Using = ()
    schemas = (
        Schema(
            "Programs.clipping_keeps_local_maxima",
            ClippingKeepsMaxima(f(x, y), x, y, s, globally=False),
            UNCLIPPED,
            proof="intros; by_theorem (@{theorem} f adv' s)",
        ),
        Schema(
            "Programs.clipping_keeps_global_maxima",
            ClippingKeepsMaxima(f(x, y), x, y, s, globally=True),
            (*UNCLIPPED, NEVER_ADDS),
            proof="intros; by_theorem (@{theorem} f adv' s)",
        ),
    )


ClippingKeepsMaxima.rule = IdleNearby()
