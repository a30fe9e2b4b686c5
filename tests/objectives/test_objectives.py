"""Objectives against brute force: enumerated groups in exact fractions, invariances of advantages, and bad input in
one sentence.
"""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import comb

import pytest
import sympy as sp
from hypothesis import assume, given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, gamma, o, old, p, pi, r, ref, x, y
from grpo_symbolic.objectives import (
    SHIFT_AND_SCALE,
    SHIFT_ONLY,
    Advantage,
    Answers,
    binary,
    clip,
    clipped_surrogate,
    expected_surrogate,
    forward_kl,
    grpo,
    k1,
    k2,
    k3,
    kl,
    kl_0,
    pair_preference,
    rlhf,
)
from grpo_symbolic.optimality import large_groups, on_policy_slope, pairs, partial

whole = st.integers(-4, 4)
groups = st.lists(whole, min_size=2, max_size=5)
chances = st.integers(1, 19).map(lambda k: Fraction(k, 20))


def exact(f: Fraction) -> sp.Rational:
    return sp.Rational(f.numerator, f.denominator)


# -- advantages ---------------------------------------------------------------------------------------------------


@given(groups)
@settings(max_examples=40, deadline=None)
def test_advantages_sum_to_zero_and_have_unit_square_mean(rewards: list[int]) -> None:
    found = SHIFT_AND_SCALE.of_group(rewards)
    assert sp.simplify(sum(found)) == 0
    squares = sp.simplify(sum(a**2 for a in found))
    assert squares == (0 if len(set(rewards)) == 1 else len(rewards))


@given(groups, st.integers(1, 5), whole)
@settings(max_examples=40, deadline=None)
def test_advantages_do_not_see_shift_and_scale(rewards: list[int], scale: int, shift: int) -> None:
    moved = SHIFT_AND_SCALE.of_group([scale * v + shift for v in rewards])
    assert all(sp.simplify(a - c) == 0 for a, c in zip(SHIFT_AND_SCALE.of_group(rewards), moved, strict=True))
    only = SHIFT_ONLY.of_group([scale * v + shift for v in rewards])
    assert all(sp.simplify(scale * a - c) == 0 for a, c in zip(SHIFT_ONLY.of_group(rewards), only, strict=True))


@given(groups)
@settings(max_examples=40, deadline=None)
def test_advantages_keep_the_order_of_rewards(rewards: list[int]) -> None:
    found = SHIFT_AND_SCALE.of_group(rewards)
    for (u, a), (v, c) in itertools.combinations(zip(rewards, found, strict=True), 2):
        assert (u > v) == bool(a > c)


@given(whole, whole)
def test_a_pair_is_a_sign(u: int, v: int) -> None:
    sign = (u > v) - (u < v)
    assert SHIFT_AND_SCALE.of_group([u, v]) == [sign, -sign]


@given(groups)
@settings(max_examples=30, deadline=None)
def test_the_sample_deviation_is_smaller_by_a_known_factor(rewards: list[int]) -> None:
    size = len(rewards)
    for a, c in zip(SHIFT_AND_SCALE.of_group(rewards), Advantage(sample_deviation=True).of_group(rewards), strict=True):
        assert sp.simplify(c - a * sp.sqrt(sp.Rational(size - 1, size))) == 0


def test_the_guard_sits_where_it_is_told() -> None:
    inside = Advantage(guard=sp.Rational(1, 4)).of_group([1, 0])
    outside = Advantage(guard=sp.Rational(1, 4), guard_inside=False).of_group([1, 0])
    assert inside[0] == sp.Rational(1, 2) / sp.sqrt(sp.Rational(1, 2))
    assert outside[0] == sp.Rational(1, 2) / sp.Rational(3, 4)


def test_equal_rewards_have_no_advantage() -> None:
    assert SHIFT_AND_SCALE.of_group([3, 3, 3]) == [0, 0, 0]


# -- expectations over groups -------------------------------------------------------------------------------------


@given(chances, st.integers(2, 5))
@settings(max_examples=20, deadline=None)
def test_binary_preferences_are_binomial_expectations(q: Fraction, size: int) -> None:
    found = SHIFT_AND_SCALE.preference(0, binary(exact(q)), [1, 0], Answers(2), size, o)
    expected = sp.S.Zero
    for k in range(size):  # k of the other members are rewarded
        wins = k + 1
        if wins < size:
            expected += (
                comb(size - 1, k)
                * exact(q) ** k
                * (1 - exact(q)) ** (size - 1 - k)
                * sp.sqrt(sp.Rational(size - wins, wins))
            )
    assert sp.simplify(found - expected) == 0


@given(st.lists(st.integers(1, 9), min_size=2, max_size=3), st.lists(whole, min_size=3, max_size=3), st.integers(2, 3))
@settings(max_examples=15, deadline=None)
def test_preferences_are_the_average_over_all_ordered_groups(weights: list[int], rewards: list[int], size: int) -> None:
    total, count = sum(weights), len(weights)
    sampler = [sp.Rational(w, total) for w in weights]
    rewards = rewards[:count]
    for answer in range(count):
        brute = sp.S.Zero
        for others in itertools.product(range(count), repeat=size - 1):
            chance = sp.prod([sampler[i] for i in others])
            group = [rewards[answer], *(rewards[i] for i in others)]
            mean = Fraction(sum(group), size)
            variance = sum((Fraction(v) - mean) ** 2 for v in group) / size
            if variance:
                brute += chance * exact(Fraction(rewards[answer]) - mean) / sp.sqrt(exact(variance))
        found = SHIFT_AND_SCALE.preference(answer, sampler, rewards, Answers(count), size, o)
        assert sp.simplify(found - brute) == 0


@given(chances, chances, st.integers(2, 4), whole, whole)
@settings(max_examples=15, deadline=None)
def test_the_surrogate_is_the_policy_weighted_preference(
    mine: Fraction, theirs: Fraction, size: int, u: int, v: int
) -> None:
    policy, sampler = binary(exact(mine)), binary(exact(theirs))
    surrogate = expected_surrogate(policy, sampler, [u, v], Answers(2), size)
    weighted = sum(policy[i] * SHIFT_AND_SCALE.preference(i, sampler, [u, v], Answers(2), size, o) for i in range(2))
    assert sp.simplify(surrogate - weighted) == 0
    on_policy = sum(sampler[i] * SHIFT_AND_SCALE.preference(i, sampler, [u, v], Answers(2), size, o) for i in range(2))
    assert sp.simplify(on_policy) == 0


@given(chances)
@settings(max_examples=20, deadline=None)
def test_the_large_group_preference_is_the_standardised_reward(q: Fraction) -> None:
    found = SHIFT_AND_SCALE.preference(0, binary(exact(q)), [1, 0], Answers(2), sp.oo, o)
    assert sp.simplify(found - sp.sqrt((1 - exact(q)) / exact(q))) == 0


def test_the_sign_of_the_preference_of_a_pair() -> None:
    sampler = binary(y)
    assert sp.expand(pair_preference(0, sampler, gamma) - gamma * (1 - y)) == 0
    assert sp.expand(pair_preference(1, sampler, gamma) + gamma * y) == 0
    assert sp.expand(sum(s * pair_preference(i, sampler, gamma) for i, s in enumerate(sampler))) == 0
    reward = SHIFT_AND_SCALE.preference(0, sampler, [1, 0], Answers(2), 2, o)
    assert sp.expand(reward - pair_preference(0, sampler, 1)) == 0


# -- divergences --------------------------------------------------------------------------------------------------


@given(chances, chances)
@settings(max_examples=30, deadline=None)
def test_divergences_vanish_only_on_the_reference(q: Fraction, s: Fraction) -> None:
    mine, reference = binary(exact(q)), binary(exact(s))
    for value in (
        kl(mine, reference, Answers(2), o),
        forward_kl(mine, reference, Answers(2), o),
        kl_0(mine, reference, mine, Answers(2), o),
    ):
        assert (value == 0) == (q == s)
        assert q == s or value.evalf(30) > 0


@given(chances, chances)
@settings(max_examples=20, deadline=None)
def test_estimators_on_own_samples(q: Fraction, s: Fraction) -> None:
    assume(q != s)
    mine, reference = binary(exact(q)), binary(exact(s))
    expected = {e: sum(mine[i] * e(mine[i], reference[i]) for i in range(2)) for e in (k1, k2, k3)}
    divergence = kl(mine, reference, Answers(2), o)
    assert abs((expected[k1] - divergence).evalf(30)) < 1e-25
    assert abs((expected[k3] - divergence).evalf(30)) < 1e-25
    assert expected[k2].evalf(30) > 0


@given(chances, st.fractions(min_value=0, max_value=3), whole)
@settings(max_examples=40, deadline=None)
def test_clipping(width: Fraction, ratio: Fraction, advantage: int) -> None:
    inside = min(max(ratio, 1 - width), 1 + width)
    assert clip(exact(ratio), exact(width)) == exact(inside)
    assert clipped_surrogate(exact(ratio), advantage, exact(width)) == exact(min(ratio * advantage, inside * advantage))


# -- stationarity -------------------------------------------------------------------------------------------------


@given(chances, st.fractions(min_value=Fraction(1, 20), max_value=5))
@settings(max_examples=30, deadline=None)
def test_closed_forms_solve_the_stationary_equation(q: Fraction, strength: Fraction) -> None:
    u, v = exact(q), exact(strength)
    slope = on_policy_slope(grpo(beta, group_size=2).with_margin(binary(x), binary(y), binary(p), gamma), x, y)
    at = pairs(v, u)
    assert abs(slope.subs({x: at, p: u, beta: v, gamma: 1}).evalf(40)) < 1e-30
    assert 0 < at.evalf(40) < 1
    many = large_groups(v, u)
    gap = 1 / sp.sqrt(many * (1 - many)) - v * (many - u) / (many * (1 - many))
    assert abs(gap.evalf(40)) < 1e-30
    assert many.evalf(40) > u


def test_the_old_policy_is_frozen_while_differentiating() -> None:
    objective = grpo(beta, group_size=2).with_margin(binary(x), binary(y), binary(p), gamma)
    frozen = on_policy_slope(objective, x, y)
    moving = sp.diff(objective.subs(y, x), x)
    assert sp.simplify(frozen - (gamma - beta * (x - p) / (x * (1 - x)))) == 0
    assert sp.simplify(frozen - moving) != 0


def test_partial_derivatives_under_a_sum_are_those_of_the_sum_written_out() -> None:
    n, k, i = sp.Symbol("n", integer=True), sp.Symbol("k", integer=True), sp.Symbol("i", integer=True)
    j = rlhf(pi, ref, r, beta, Answers(n), k) + sp.Sum(old[k] * pi[k] ** 2, (k, 1, n)) ** 2
    symbolic = partial(j, pi[i])
    for size, entry in ((2, 1), (3, 2)):
        names = {pi[t]: sp.Symbol(f"u{t}", positive=True) for t in range(1, size + 1)}
        written = j.subs(n, size).doit().xreplace(names)
        direct = sp.diff(written, names[pi[entry]])
        substituted = symbolic.subs(n, size).doit().subs(i, entry).doit().xreplace(names)
        assert sp.simplify(direct - substituted) == 0


# -- bad input ----------------------------------------------------------------------------------------------------

PAIR = Answers(2)


@pytest.mark.parametrize(
    ("call", "words"),
    [
        (lambda: SHIFT_AND_SCALE.of_group([1]), "at least two outputs, got 1"),
        (lambda: SHIFT_AND_SCALE.of_group([]), "at least two outputs, got 0"),
        (lambda: SHIFT_AND_SCALE.of_group([1, sp.nan]), "NaN"),
        (lambda: SHIFT_AND_SCALE.of_group([1, float("nan")]), "NaN"),
        (lambda: SHIFT_AND_SCALE.preference(0, binary(y), [1, 0], PAIR, 1, o), "at least 2, got 1"),
        (lambda: SHIFT_AND_SCALE.preference(0, binary(y), [1, 0], PAIR, sp.Rational(5, 2), o), "group size"),
        (lambda: grpo(0), "β must be positive, got 0"),
        (lambda: grpo(-1), "β must be positive, got -1"),
        (lambda: grpo(beta, group_size=1), "at least 2, got 1"),
        (lambda: Answers(1), "at least two answers, got 1"),
        (
            lambda: grpo(beta, group_size=3).with_margin(binary(x), binary(y), binary(p), gamma),
            "groups of two .group_size=2., not of 3",
        ),
        (lambda: grpo(beta).with_margin(binary(x), binary(y), binary(p), gamma), "none was given"),
        (lambda: grpo(beta).with_rewards(binary(x), binary(y), binary(p), (1, 0), PAIR), "need the group size"),
        (
            lambda: grpo(beta).value((sp.Rational(1, 2), sp.Rational(1, 3)), binary(y), binary(p), lambda a: a, PAIR),
            "sum to 5/6",
        ),
        (
            lambda: grpo(beta).value((sp.Rational(3, 2), -sp.Rational(1, 2)), binary(y), binary(p), lambda a: a, PAIR),
            "not a probability",
        ),
        (
            lambda: grpo(beta).value((x, y, 1 - x - y), binary(y), binary(p), lambda a: a, PAIR),
            "3 probabilities for 2 answers",
        ),
    ],
)
def test_bad_input_gets_one_sentence(call, words: str) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(BadInput, match=words) as caught:
        call()
    assert "\n" not in str(caught.value)
