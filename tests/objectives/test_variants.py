"""Variants of normaliser, divergence and clip: special cases that must coincide, and bad input in one sentence."""

from __future__ import annotations

import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import p, policy_0, policy_1, policy_ref, x, y, z
from grpo_symbolic.objectives import (
    SHIFT_AND_SCALE,
    SHIFT_ONLY,
    Advantage,
    Answers,
    Divergence,
    TextDivergence,
    TokenTree,
    Weighed,
    binary,
    clip,
    clipped_surrogate,
    dual_clipped_surrogate,
    k1,
    k2,
    k3,
)
from grpo_symbolic.optimality.verifiable import advantage_gap


def test_leave_one_out_compares_with_the_others() -> None:
    rewards = [3, 1, 0, 7]
    expected = [r - sp.Rational(sum(rewards) - r, 3) for r in rewards]
    assert Advantage(scaled=False, leave_one_out=True).of_group(rewards) == expected


def test_a_fixed_deviation_takes_the_place_of_the_groups_own() -> None:
    assert Advantage(fixed_deviation=2).of_group([1, 0]) == [a / 2 for a in SHIFT_ONLY.of_group([1, 0])]
    assert Advantage(fixed_deviation=2).of_group([1, 1]) == [0, 0]


@pytest.mark.parametrize("advantage", [SHIFT_ONLY, Advantage(scaled=False, leave_one_out=True), SHIFT_AND_SCALE])
def test_the_gap_of_a_bernstein_polynomial_is_that_of_all_groups(advantage: Advantage) -> None:
    first, last = (advantage.preference(a, binary(x), (1, 0), Answers(2), 3, sp.Symbol("o")) for a in (0, 1))
    assert sp.expand(first - last - advantage_gap(3, x, advantage)) == 0


@pytest.mark.parametrize("estimator", [k1, k2, k3])
def test_every_place_of_an_estimator_has_one_value_on_policy(estimator: object) -> None:
    places = (
        {},
        {"importance_weighted": True},
        {"importance_weighted": True, "ratio_detached": True},
        {"in_reward": True},
    )
    values = [
        Divergence("", estimator, **choices)  # type: ignore[arg-type]
        .expected(binary(x), binary(p), binary(y), Answers(2), sp.Symbol("o"), binary(z))
        .subs({y: x, z: x})
        for choices in places
    ]
    assert all(sp.simplify(v - values[0]) == 0 for v in values)


def test_a_clamp_cuts_an_estimator_off() -> None:
    clamped = Divergence("", k3, clamp=sp.Rational(1, 10))
    value = clamped.expected(
        binary(sp.Rational(1, 2)), binary(sp.Rational(1, 100)), binary(sp.Rational(1, 2)), Answers(2), y
    )
    assert value == sp.Rational(1, 10)


def test_texts_of_one_token_have_the_divergence_of_answers() -> None:
    tree = TokenTree(2, 1)
    new, old, ref = (tree.policy(symbols) for symbols in (policy_1, policy_0, policy_ref))
    names = {policy_1[1]: x, policy_0[1]: y, policy_ref[1]: p}
    text = TextDivergence(k3, weighed=Weighed.TOKEN).expected(new, old, ref).xreplace(names)
    answer = Divergence("", k3, importance_weighted=True).expected(
        binary(x), binary(p), binary(y), Answers(2), sp.Symbol("o")
    )
    assert sp.simplify(text - answer) == 0


def test_bad_choices() -> None:
    with pytest.raises(BadInput, match="held fixed only where"):
        Divergence("", k3, ratio_detached=True)
    with pytest.raises(BadInput, match="no second ratio"):
        Divergence("", k3, in_reward=True, importance_weighted=True)
    with pytest.raises(BadInput, match="needs a name for the policy"):
        Divergence("", k3, importance_weighted=True, ratio_detached=True).expected(
            binary(x), binary(p), binary(y), Answers(2), y
        )
    with pytest.raises(BadInput, match="no second ratio"):
        TextDivergence(k3, in_reward=True, weighed=Weighed.TOKEN)
    with pytest.raises(BadInput, match="whole text"):
        TextDivergence(k3, whole_text=True, weighed=Weighed.TOKEN)


def test_clip_higher_and_dual_clip() -> None:
    fifth, half = sp.Rational(1, 5), sp.Rational(1, 2)
    assert [clip(sp.Rational(v, 10), fifth, half) for v in (5, 13, 20)] == [
        sp.Rational(4, 5),
        sp.Rational(13, 10),
        sp.Rational(3, 2),
    ]
    assert clipped_surrogate(sp.Rational(7, 5), 1, fifth, half) == sp.Rational(7, 5)
    assert dual_clipped_surrogate(sp.Integer(10), sp.Integer(-1), fifth, sp.Integer(3)) == -3
    assert dual_clipped_surrogate(sp.Integer(10), sp.Integer(1), fifth, sp.Integer(3)) == sp.Rational(6, 5)
