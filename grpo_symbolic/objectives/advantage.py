"""The group-relative advantage, and the expected preference it makes of a policy.

Baseline, scale, guard and kind of deviation are parameters, so the variants of the papers and of trainers are points
of one space. Sources: Vojnovic & Yun (2025), equations (1), (2), (6), Section 2.1 and Section 3 (shift only).
"""

from __future__ import annotations

import itertools
from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from functools import lru_cache
from numbers import Number

import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.objectives.clip import clipped_surrogate
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown, differing


def group_of(rewards: Sequence[Scalar]) -> list[sp.Expr]:
    """The rewards of a group as SymPy has them. Raises :class:`BadInput` for what are no numbers and no expressions: of
    a text SymPy would make an expression by running it.
    """
    check_kind(rewards, Iterable, "the group of rewards", "a list of numbers or SymPy expressions")
    for reward in rewards:
        check_kind(reward, (Number, sp.Expr), "a reward", "a number or a SymPy expression")
    return [sp.sympify(v) for v in rewards]


@dataclass(frozen=True)
class Advantage(Shown):
    """How rewards of a group become advantages.

    ``centred``: subtract the group's mean; with ``leave_one_out``, the mean of the other members. ``scaled``: divide
    by the group's standard deviation, with 0/0 ≡ 0. ``guard`` is added to the variance (``guard_inside``) or to the
    deviation. ``sample_deviation`` divides by G − 1 instead of G. ``fixed_deviation`` takes the place of the group's
    own deviation: that of a whole batch, say. ``others_deviation`` takes that of the other members, and divides by
    nothing where these are all alike.
    """

    centred: bool = True
    scaled: bool = True
    guard: Scalar = 0
    guard_inside: bool = True
    sample_deviation: bool = False
    leave_one_out: bool = False
    fixed_deviation: Scalar | None = None
    others_deviation: bool = False

    __repr__ = differing

    def of_group(self, rewards: Sequence[Scalar]) -> list[sp.Expr]:
        """The advantages of a group with these rewards (numbers, or expressions known to differ where they differ).

        Raises :class:`BadInput` for fewer than two rewards or for NaN.
        """
        values = group_of(rewards)
        size = len(values)
        if size < 2:
            raise BadInput(f"a group needs at least two outputs, got {size}")
        if any(v is sp.nan for v in values):
            raise BadInput("the rewards of the group hold NaN")
        shifted = list(_centred(tuple(values))) if self.centred else values
        if self.centred and self.leave_one_out:  # v − mean of the others = (v − mean)·G/(G − 1)
            shifted = [sp.expand(v * sp.Rational(size, size - 1)) for v in shifted]
        if not self.scaled:
            return shifted
        if self.others_deviation:
            rest = [(*values[:k], *values[k + 1 :]) for k in range(size)]
            return [self.by_others(v, others) for v, others in zip(shifted, rest, strict=True)]
        deviation = self._deviation(_variance(tuple(values), size - 1 if self.sample_deviation else size))
        if deviation == 0:
            return [sp.S.Zero] * size  # 0/0 ≡ 0
        return [_factored(v) / deviation for v in shifted]

    def _deviation(self, variance: sp.Expr) -> sp.Expr:
        if self.fixed_deviation is not None:
            return sp.sympify(self.fixed_deviation)
        return sp.sqrt(variance + self.guard) if self.guard_inside else sp.sqrt(variance) + self.guard

    def by_others(self, shifted: sp.Expr, others: Sequence[sp.Expr]) -> sp.Expr:
        """What is left of a member's reward after its baseline, divided by the deviation of the other members; by
        nothing where these are all alike.
        """
        if len(set(others)) == 1:
            return shifted
        over = len(others) - (1 if self.sample_deviation else 0)
        return _factored(shifted) / self._deviation(_variance(tuple(others), over))

    def of_population(self, reward: Scalar, mean: Scalar, variance: Scalar) -> sp.Expr:
        """The advantage in the limit of large groups: the reward against the mean and deviation under the sampling
        policy.
        """
        shifted = reward - mean if self.centred else reward
        return shifted / self._deviation(variance) if self.scaled else shifted

    def preference(
        self,
        answer: Scalar,
        sampler: Policy,
        rewards: Policy,
        answers: Answers,
        group_size: Scalar,
        index: sp.Symbol,
    ) -> sp.Expr:
        """``P_G(o | π_old)``: the expected advantage of ``answer`` when the other G − 1 outputs of its group come
        from ``sampler``.

        Exact: every group is enumerated for a finite G and a given number of answers (deterministic rewards);
        ``group_size = oo`` gives the limit, for any number of answers.
        """
        if group_size == sp.oo:
            mean = answers.total(lambda o: sampler[o] * rewards[o], index)
            variance = answers.total(lambda o: sampler[o] * (rewards[o] - mean) ** 2, index)
            return self.of_population(rewards[answer], mean, variance)
        if answers.symbolic or not isinstance(group_size, int | sp.Integer):
            raise BadInput(
                f"exact preferences need a given number of answers and group size, got {answers.count} and {group_size}"
            )
        if group_size < 2:
            raise BadInput(f"the group size must be at least 2, got {group_size}")
        expected, count = sp.S.Zero, int(answers.count)
        multinomials = sp.multinomial_coefficients(count, int(group_size) - 1)
        for others in itertools.combinations_with_replacement(range(count), int(group_size) - 1):
            weight = sp.Integer(multinomials[tuple(others.count(a) for a in range(count))])
            for other in others:
                weight = weight * sampler[other]
            expected += weight * self.of_group([rewards[answer], *(rewards[other] for other in others)])[0]
        return expected


@lru_cache(maxsize=1024)  # an expectation over groups, and the next objective, come back to the same rewards
def _centred(values: tuple[sp.Expr, ...]) -> tuple[sp.Expr, ...]:
    mean = sp.Add(*values) / len(values)
    return tuple(sp.expand(v - mean) for v in values)


@lru_cache(maxsize=1024)
def _variance(values: tuple[sp.Expr, ...], over: int) -> sp.Expr:
    mean = sp.Add(*values) / len(values)
    return sp.factor(sp.Add(*(sp.expand((v - mean) ** 2) for v in values)) / over)


@lru_cache(maxsize=1024)
def _factored(value: sp.Expr) -> sp.Expr:
    return sp.factor(value)


SHIFT_AND_SCALE = Advantage()
SHIFT_ONLY = Advantage(scaled=False)


def group_mean(rewards: sp.IndexedBase, size: Scalar, index: sp.Symbol) -> sp.Expr:
    """``mean(r_1, …, r_G)`` for a group of symbolic size."""
    return sp.Sum(rewards[index], (index, 1, size)) / size


def group_variance(rewards: sp.IndexedBase, size: Scalar, index: sp.Symbol) -> sp.Expr:
    """``std(r_1, …, r_G)²`` for a group of symbolic size."""
    return sp.Sum((rewards[index] - group_mean(rewards, size, index)) ** 2, (index, 1, size)) / size


def group_advantage(rewards: sp.IndexedBase, member: Scalar, size: Scalar, index: sp.Symbol) -> sp.Expr:
    """Equation (2): ``A_i`` of one member of a group of symbolic size whose rewards are not all equal."""
    return (rewards[member] - group_mean(rewards, size, index)) / sp.sqrt(group_variance(rewards, size, index))


def pairwise_sign(win: Scalar, lose: Scalar) -> sp.Expr:
    """``E[sign(r − r')]`` for two outputs, from the probabilities that the first is rewarded more (``win``) and less
    (``lose``): the expectation over the three signs.
    """
    return sp.Integer(1) * win + sp.Integer(0) * (1 - win - lose) + sp.Integer(-1) * lose


def expected_surrogate(
    policy: Policy,
    old: Policy,
    rewards: Sequence[Scalar],
    answers: Answers,
    group_size: int,
    advantage: Advantage = SHIFT_AND_SCALE,
    epsilon: Scalar = None,
) -> sp.Expr:
    """``R_G(θ|q) = E[(1/G) Σ_i π_θ(o_i)/π_old(o_i) · A_i]`` over groups drawn from ``old``: the definition, with
    every group enumerated.

    With ``epsilon`` the ratio is clipped as in equation (1).
    """
    total = sp.S.Zero
    for group in itertools.product(range(int(answers.count)), repeat=int(group_size)):
        weight = sp.Mul(*(old[o] for o in group))
        advantages = advantage.of_group([rewards[o] for o in group])
        ratios = [policy[o] / old[o] for o in group]
        terms = (
            w * A if epsilon is None else clipped_surrogate(w, A, epsilon)
            for w, A in zip(ratios, advantages, strict=True)
        )
        total += weight * sp.Add(*terms) / group_size
    return total
