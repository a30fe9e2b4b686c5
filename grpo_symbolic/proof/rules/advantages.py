"""What the expected advantages of a policy's own groups amount to: their mean square, and their product with rewards.

The advantage of a member is its reward less the mean of its group over the deviation of its group, 0 in a group of
equal rewards.
"""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import Family, Needs, Schema, Valued, a, b, c, f, g, h, i, m, n
from grpo_symbolic.proof.rules.supposed import equal_somewhere
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class _OfAdvantages(Conclusion):
    """In groups of ``size`` outputs drawn independently from ``policy`` over ``answers`` answers, ``expected`` is the
    expected advantage of a member with the output ``index``, for each of them.
    """

    policy: sp.IndexedBase
    index: sp.Symbol
    answers: Scalar
    size: Scalar
    expected: Scalar
    binds = ("index",)
    ranges = True

    def mean(self, term: sp.Expr) -> sp.Sum:
        """The mean over the outputs of the policy."""
        return sp.Sum(self.policy[self.index] * term, (self.index, 1, self.answers))

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse expected advantages that no rewards give: their mean is 0, that of their squares is at most 1, and no
        advantage of a group of G is above √(G − 1) in size.
        """
        expected, over = sp.sympify(self.expected), (self.index, 1, sp.sympify(self.answers))
        label = getattr(self, "label", "")
        too_large = sp.Sum(sp.Max(expected**2 - (sp.sympify(self.size) - 1), 0), over)
        sizes = (sp.Le(self.mean(expected**2), 1), sp.Le(too_large, 0))
        what = f"{label}: that expected advantages have the mean 0, and such sizes"
        equal_somewhere(self.mean(expected), sp.S.Zero, domain, what, (*sizes, *self.beside))

    @property
    def beside(self) -> tuple[sp.Basic, ...]:
        """What is so then, too."""
        return ()

    def drawn(self) -> Phrase:
        """How the groups come about."""
        return ("in groups of", sp.sympify(self.size), "independent outputs of", self.policy.label)

    def meant(self) -> Phrase:
        """What the expected advantages are."""
        return ("the advantage of a member with any output", self.index, "is", self.expected, "in expectation, then")


@dataclass(frozen=True)
class BoundByAdvantages(_OfAdvantages):
    """Whatever laws the rewards have, ``left`` is at most ``right``, if ``expected`` are the expected advantages."""

    left: Scalar
    right: Scalar
    label: str = "mean square of the advantages"
    claimed = ("right",)

    def phrase(self) -> Phrase:
        bound = sp.Le(self.left, self.right, evaluate=False)
        return (*self.drawn(), ", whatever laws their rewards have: if", *self.meant(), bound)


@dataclass(frozen=True)
class MeanDeviation(_OfAdvantages):
    """Where the output ``index`` has the certain reward ``reward``, the deviation of the rewards in a group has the
    expectation ``value``, which is not negative, if ``expected`` are the expected advantages.
    """

    reward: Scalar
    value: Scalar
    label: str = "mean deviation of a group"
    claimed = ("value",)

    @property
    def beside(self) -> tuple[sp.Basic, ...]:
        return (sp.Ge(self.value, 0, evaluate=False),)

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse one reward for all outputs, too: then no member has an advantage."""
        if self.index not in sp.sympify(self.reward).free_symbols:
            raise ClaimError(f"{self.label}: all outputs have the reward {self.reward}, and no member has an advantage")
        super().comes_true(domain, by)

    def phrase(self) -> Phrase:
        certain = ("with the certain rewards", self.reward, ":")
        meant = ("if the expected advantage of every output", self.index, "is", self.expected, ", then")
        deviation = sp.Ge(self.value, 0, evaluate=False)
        return (*self.drawn(), *certain, *meant, "the expected deviation of the rewards is", deviation)


# A policy, ``f``, draws groups of two and more, ``m``; the expected advantages, ``g``, are numbers.
_GROUPED = (
    Needs(Family(f(i), positive=True, total=1)),
    Needs(Always(m >= 2), label="there are two"),
    Needs(Valued(g(i))),
)


@dataclass(frozen=True, eq=False)
class MeanSquare(Schematic["BoundByAdvantages"]):
    """The mean square of the expected advantages of the outputs is at most 1, by Jensen's inequality and since the
    members of a group are exchangeable; so what is in proportion to it is bounded.

    ``scale`` is the mean square over the left side; ``using`` is for its sign and for the bound.
    """

    scale: Scalar = sp.S.One
    using: Using = ()
    schemas = (
        Schema(
            "Advantages.bound_by_the_mean_square_of_expected_advantages",
            BoundByAdvantages(f(i), i, n, m, g(i), a, b),
            (
                *_GROUPED,
                Needs(Equal(sp.Sum(f(i) * g(i) ** 2, (i, 1, n)), c * a), label="the mean square"),
                Needs(Always(c > 0), by="using", label="the factor"),
                Needs(Always(c * b >= 1), by="using", label="the bound"),
            ),
            given={"scale": c},
            proof="intros; apply (@{theorem} n m (fun z => f (S z)) (fun z => g (S z)) s' c a b); "
            "first [numbered | apply full_support_policy; assumption]",
        ),
    )


BoundByAdvantages.rule = MeanSquare()


@dataclass(frozen=True, eq=False)
class ByDeviation(Schematic["MeanDeviation"]):
    """Where rewards are certain, advantages times rewards average to the deviation of the group, in every group: so the
    mean of the product is the expected deviation.
    """

    schemas = (
        Schema(
            "Advantages.expected_advantages_by_deviation",
            MeanDeviation(f(i), i, n, m, g(i), h(i), b),
            (
                *_GROUPED,
                Needs(Valued(h(i))),
                Needs(Equal(sp.Sum(f(i) * (g(i) * h(i)), (i, 1, n)), b), label="the value"),
            ),
            proof="intros; apply (@{theorem} n m (fun z => f (S z)) (fun z => h (S z)) (fun z => g (S z))); "
            "first [numbered | rewrite <- H5; apply Sum_ext; intros; ring]",
        ),
    )


MeanDeviation.rule = ByDeviation()
