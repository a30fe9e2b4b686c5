"""Programs over policies: multipliers at their maxima, several programs at once, and what clipping leaves of them."""

from __future__ import annotations

from dataclasses import dataclass
from itertools import product
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import (
    F,
    Family,
    Natural,
    Needs,
    Schema,
    Slope,
    chi,
    d,
    e,
    f,
    i,
    m,
    n,
    pi,
    rho,
    s,
    w,
    x,
    y,
)
from grpo_symbolic.proof.rules.simplex import Summand, letters_of, names
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


class Kind(NamedTuple):
    """Answers of one kind: what one of them adds to the objective, and the derivative of this in its probability
    (``slope``), both in the letter of the summand. Of ``positive`` ones no policy of the sentence has probability 0.
    """

    summand: Summand
    slope: Scalar
    positive: bool = True


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
    letters_of_words = (r"\lambda", r"\gamma")

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse letters for probabilities that the domain constrains."""
        for letter in (kind.summand.letter for kind in self.kinds):
            if letter in domain.symbols:
                raise ClaimError(f"{self.label}: {letter} stands for any probability, and for nothing else")

    @property
    def families(self) -> tuple[sp.IndexedBase, ...]:
        """The probabilities of each kind."""
        return tuple(kind.summand.family for kind in self.kinds)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return letters_of(kind.summand for kind in self.kinds)

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
        positive = names(kind.summand.family for kind in self.kinds if kind.positive)
        keeps = (", all of", *positive, "positive,") if positive else ()
        where = ("at every local maximum of", self.objective, "over the policies", *names(self.families), *keeps)
        return (*where, "there are multipliers with", *conditions[1:])


_LISTS = ((pi, i, x, n, f(i, x), d(i, x)), (rho, e, y, m, w(e, y), chi(e, y)))


_PROOFS = {
    1: "intros; at_maximum @{theorem} H2 All n n (fun o => f (S o)) (fun y => F (first y)) (fun o => d (S o))",
    2: "intros; at_maximum @{theorem} H3 All (n + m)%nat n (one_list n f w) (fun y => F (first y) (second n y)) "
    "(one_list n d chi)",
}


def _linear_constraints(*used: bool) -> Schema:
    """For a kind of answers or two, each of which the policies keep, or not."""
    lists = [(*letters, keeps) for letters, keeps in zip(_LISTS, used, strict=False)]
    kinds = tuple(Kind(Summand(f, x, pi, i, n), d, keeps) for pi, i, x, n, f, d, keeps in lists)
    objective = F(*(kind.summand.family for kind in kinds))
    totals = (sp.Sum(f.func(i, pi[i]), (i, 1, n)) for pi, i, _, n, f, *_ in lists)
    return Schema(
        "Programs.multipliers_at_a_local_maximum",
        MaximaHaveMultipliers(objective, kinds),
        (
            *(Needs(Family(pi[i], positive=keeps, only=True, bound=(i,))) for pi, i, *_, keeps in lists),
            Needs(Equal(objective, sp.Add(*totals)), label="a sum over the answers"),
            *(
                Needs(Slope(f, d, x), (x > 0 if keeps else x,), label=f"the slope in {{{pi}}}")
                for pi, _, x, _, f, d, keeps in lists
            ),
        ),
        proof=_PROOFS[len(used)],
    )


@dataclass(frozen=True, eq=False)
class LinearConstraints(Schematic["MaximaHaveMultipliers"]):
    """At a local maximum of a sum of differentiable functions of one probability each, for answers of one kind or of
    two, the conditions of Karush, Kuhn and Tucker hold, for policies that may give up answers: the constraints are
    linear, so no more is needed.
    """

    schemas = tuple(_linear_constraints(*used) for number in (1, 2) for used in product((True, False), repeat=number))


MaximaHaveMultipliers.rule = LinearConstraints()


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
