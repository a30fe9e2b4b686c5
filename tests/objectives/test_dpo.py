"""Bradley–Terry choices and DPO against brute force: numbers by hand, optima on a grid, texts by tokens, bad input."""

from __future__ import annotations

import math

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, n, o, o_, policy_0, policy_1, r, ref
from grpo_symbolic.objectives import (
    Answers,
    TokenTree,
    binary,
    choice_probability,
    dpo_loss,
    implicit_reward,
    partition,
    preference_loss,
    regularised_optimum,
    reward_loss,
    rlhf,
    sigmoid,
    text_log_ratio,
)
from grpo_symbolic.proof import Domain, reals, simplex
from grpo_symbolic.proof.search.algebra import NormalForm
from grpo_symbolic.proof.search.recipes import with_z3

rewards = st.floats(-8, 8)
chances = st.floats(0.01, 0.99)
scales = st.floats(0.1, 5)


def by_hand(margin: float) -> float:
    return 1 / (1 + math.exp(-margin))


def near(value: sp.Expr, expected: float) -> bool:
    return math.isclose(float(value), expected, rel_tol=1e-9, abs_tol=1e-9)


# -- choices -------------------------------------------------------------------------------------------------------


@given(rewards, rewards)
@settings(max_examples=40, deadline=None)
def test_a_choice_is_a_sigmoid_of_the_difference(first: float, second: float) -> None:
    assert near(choice_probability(first, second), by_hand(first - second))
    assert near(choice_probability(first, second) + choice_probability(second, first), 1)
    assert near(sigmoid(first), by_hand(first))


@given(rewards, rewards)
@settings(max_examples=40, deadline=None)
def test_equation_5_is_equation_6_of_the_winner(first: float, second: float) -> None:
    assert near(preference_loss(1, first, second), float(reward_loss(first, second)))
    assert near(preference_loss(0, first, second), float(reward_loss(second, first)))
    assert near(reward_loss(first, second), math.log1p(math.exp(second - first)))


def test_an_undecided_pair_costs_log_two() -> None:
    assert reward_loss(3, 3) == sp.log(2)


# -- the regularised optimum ---------------------------------------------------------------------------------------


@given(st.lists(st.tuples(chances, rewards), min_size=2, max_size=5), scales)
@settings(max_examples=40, deadline=None)
def test_the_optimum_is_a_policy_whose_reward_is_the_reward_up_to_a_constant(
    given_answers: list[tuple[float, float]], scale: float
) -> None:
    total = sum(chance for chance, _ in given_answers)
    start = [chance / total for chance, _ in given_answers]
    reward = [value for _, value in given_answers]
    z = partition(start, reward, scale, Answers(len(start)), o)
    best = [regularised_optimum(start[a], reward[a], scale, z) for a in range(len(start))]
    assert near(sp.Add(*best), 1)
    constants = [reward[a] - float(implicit_reward(best[a], start[a], scale)) for a in range(len(start))]
    assert max(constants) - min(constants) < 1e-8
    assert math.isclose(constants[0], scale * math.log(float(z)), rel_tol=1e-8, abs_tol=1e-8)


@given(chances, rewards, scales)
@settings(max_examples=20, deadline=None)
def test_no_policy_on_a_grid_beats_the_optimum(start: float, reward: float, scale: float) -> None:
    z = float(partition(binary(start), (reward, 0), scale, Answers(2), o))
    best = float(regularised_optimum(start, reward, scale, z))

    def value(chance: float) -> float:
        return float(rlhf(binary(chance), binary(start), (reward, 0), scale, Answers(2)))

    top = scale * math.log(z)
    assert all(value(step / 20) <= top + 1e-9 for step in range(1, 20))
    if 1e-9 < best < 1 - 1e-9:
        assert math.isclose(value(best), top, rel_tol=1e-6, abs_tol=1e-6)


def test_the_logarithm_of_the_optimum_splits_because_its_normaliser_is_positive() -> None:
    prompt = Domain(simplex(ref, n), reals(r, n), n >= 2, beta > 0)
    z = partition(ref, r, beta, Answers(n), o)
    inverted = implicit_reward(regularised_optimum(ref[o_], r[o_], beta, z), ref[o_], beta)
    with with_z3():
        assert NormalForm(prompt).vanishes(inverted + beta * sp.log(z) - r[o_])


def test_a_sum_of_unknown_sign_is_not_taken_out_of_a_logarithm() -> None:
    prompt = Domain(simplex(ref, n), reals(r, n), n >= 2)
    mean = sp.Sum(ref[o] * r[o], (o, 1, n))
    form = NormalForm(prompt)
    with with_z3():
        assert form.sign(mean) is None
        assert not form.vanishes(sp.log(mean**2) - 2 * sp.log(mean))


def test_the_partition_of_symbolically_many_answers_is_a_sum() -> None:
    assert partition(ref, r, beta, Answers(n), o) == sp.Sum(ref[o] * sp.exp(r[o] / beta), (o, 1, n))


# -- the DPO loss --------------------------------------------------------------------------------------------------


@given(st.tuples(chances, chances), st.tuples(chances, chances), scales)
@settings(max_examples=40, deadline=None)
def test_the_loss_is_that_of_the_reward_of_the_policy(
    new: tuple[float, float], start: tuple[float, float], scale: float
) -> None:
    ratios = [math.log(a / b) for a, b in zip(new, start, strict=True)]
    implied = [implicit_reward(a, b, scale) for a, b in zip(new, start, strict=True)]
    loss = dpo_loss(*ratios, scale)
    assert near(loss, float(reward_loss(*implied)))
    assert near(loss, -math.log(by_hand(scale * (ratios[0] - ratios[1]))))


def test_a_policy_that_has_not_moved_pays_log_two_whatever_the_scale() -> None:
    tree = TokenTree(2, 2)
    new = tree.policy(policy_1)
    ratios = [text_log_ratio(new, new, text) for text in ((1, 1), (2, 1))]
    assert ratios == [0, 0]
    assert dpo_loss(*ratios, beta) == sp.log(2)


def test_the_log_ratio_of_a_text_adds_up_its_tokens() -> None:
    tree = TokenTree(2, 2)
    ratio = text_log_ratio(tree.policy(policy_1), tree.policy(policy_0), (1, 2))
    point = {policy_1[1]: 0.5, policy_1[1, 1]: 0.25, policy_0[1]: 0.8, policy_0[1, 1]: 0.7}
    assert near(ratio.subs(point), math.log(0.5 * 0.75) - math.log(0.8 * 0.3))


# -- bad input -----------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("scale", [0, -1, sp.Rational(-1, 2)])
def test_a_scale_that_is_not_positive_is_refused(scale: sp.Expr) -> None:
    for refused in (
        lambda: dpo_loss(0, 0, scale),
        lambda: implicit_reward(0.5, 0.5, scale),
        lambda: regularised_optimum(0.5, 1, scale, 1),
        lambda: partition((0.5, 0.5), (1, 0), scale, Answers(2), o),
    ):
        with pytest.raises(BadInput, match="must be positive"):
            refused()
