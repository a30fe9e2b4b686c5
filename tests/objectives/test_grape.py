"""GRAPE's reward and loss against brute force in exact fractions, their invariances, and bad input in one sentence."""

from __future__ import annotations

from fractions import Fraction
from math import prod

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import epsilon, k, n_items, n_texts, omega, phi, phi_bar, policy_0, policy_1, tau
from grpo_symbolic.objectives import (
    Ratio,
    Rubric,
    TokenTree,
    clip,
    clipped_loss,
    grape_advantages,
    mean_confidence,
    steps,
)

parts = st.integers(1, 9).map(lambda m: Fraction(m, 10))
rubrics = st.lists(st.tuples(parts, parts, parts), min_size=1, max_size=4)  # weight, score, confidence of each item


def exact(f: Fraction) -> sp.Rational:
    return sp.Rational(f.numerator, f.denominator)


def columns(items: list[tuple[Fraction, Fraction, Fraction]]) -> tuple[list[sp.Rational], ...]:
    return tuple([exact(row[m]) for row in items] for m in range(3))


# -- the reward ----------------------------------------------------------------------------------------------------


@given(rubrics)
@settings(max_examples=40, deadline=None)
def test_the_reward_is_equation_15(items: list[tuple[Fraction, Fraction, Fraction]]) -> None:
    expected = len(items) * sum(w * s * c for w, s, c in items) / sum(c for _, _, c in items)
    assert Rubric(len(items)).reward(*columns(items)) == exact(expected)


@given(rubrics)
@settings(max_examples=40, deadline=None)
def test_the_average_lies_between_the_scores_and_the_reward_is_a_multiple_of_it(
    items: list[tuple[Fraction, Fraction, Fraction]],
) -> None:
    rubric, (weights, scores, confidence) = Rubric(len(items)), columns(items)
    average = rubric.average(weights, scores, confidence)
    assert min(scores) <= average <= max(scores)
    factor = sum(rubric.factor(weights, confidence, item) for item in range(1, len(items) + 1))
    assert rubric.reward(weights, scores, confidence) == factor * average


@given(rubrics, parts)
@settings(max_examples=20, deadline=None)
def test_the_scale_of_the_confidences_does_not_matter(
    items: list[tuple[Fraction, Fraction, Fraction]], scale: Fraction
) -> None:
    rubric, (weights, scores, confidence) = Rubric(len(items)), columns(items)
    scaled = [exact(scale) * c for c in confidence]
    assert rubric.reward(weights, scores, scaled) == rubric.reward(weights, scores, confidence)


def test_equal_confidences_leave_the_weighted_sum() -> None:
    rubric = Rubric(3)
    weights, scores = sp.symbols("w1:4"), sp.symbols("t1:4")
    assert sp.simplify(rubric.reward(weights, scores, (5, 5, 5)) - rubric.weighted(weights, scores)) == 0


def test_the_printed_denominator_holds_the_confidences_of_the_text() -> None:
    assert Rubric(2).reward((1, 0), (1, 1), (1, 1), (2, 2)) == sp.Rational(1, 2)


def test_a_symbolic_rubric_is_the_explicit_one_at_each_size() -> None:
    symbolic = Rubric(n_items).reward(omega, tau, phi_bar)
    for size in (1, 2, 3):
        assert sp.simplify(symbolic.subs(n_items, size).doit() - Rubric(size).reward(omega, tau, phi_bar)) == 0


def test_numbers_per_item_may_be_a_function_of_the_item() -> None:
    assert Rubric(3).weighted(lambda item: item, (1, 1, 1)) == 6
    assert Rubric(3).share(lambda item: item, 2) == sp.Rational(1, 3)


def test_the_mean_confidence_is_a_mean() -> None:
    mean = mean_confidence(phi, n_texts, k)
    assert sp.expand(mean.subs(n_texts, 3).doit() - (phi[1] + phi[2] + phi[3]) / 3) == 0


@given(st.lists(parts, min_size=2, max_size=5))
@settings(max_examples=20, deadline=None)
def test_advantages_are_rewards_against_the_mean(rewards: list[Fraction]) -> None:
    mean = sum(rewards) / len(rewards)
    assert grape_advantages([exact(v) for v in rewards]) == [exact(v - mean) for v in rewards]


# -- the loss ------------------------------------------------------------------------------------------------------

tree = TokenTree(actions=2, horizon=2)
new, old = tree.policy(policy_1), tree.policy(policy_0)
nodes = [(1,), (1, 1), (2, 1)]


def numeric(
    texts: list[tuple[int, ...]],
    weights: list[Fraction],
    first: list[Fraction],
    second: list[Fraction],
    width: Fraction | None,
    by_text: bool,
) -> Fraction:
    """Equations (17) and (14) in fractions."""
    tables = [dict(zip(nodes, column, strict=True)) for column in (first, second)]

    def token_ratio(token: int, state: tuple[int, ...]) -> Fraction:
        new_, old_ = (table[(*state, 1)] if token == 1 else 1 - table[(*state, 1)] for table in tables)
        return new_ / old_

    total = Fraction(0)
    for text, weight in zip(texts, weights, strict=True):
        tokens = [token_ratio(a, s) for a, s in steps(text)]
        for ratio in [prod(tokens)] if by_text else tokens:
            kept = ratio if width is None else min(max(ratio, 1 - width), 1 + width)
            total += min(ratio * weight, kept * weight)
    return -total / len(texts)


probabilities = st.lists(parts, min_size=3, max_size=3)
advantages = st.lists(st.integers(-3, 3).map(Fraction), min_size=2, max_size=2)


@given(st.sampled_from([(0, 1), (0, 3), (2, 1)]), advantages, probabilities, probabilities, parts, st.booleans())
@settings(max_examples=40, deadline=None)
def test_the_loss_clips_each_text_or_each_token(
    pair: tuple[int, int],
    weights: list[Fraction],
    first: list[Fraction],
    second: list[Fraction],
    width: Fraction,
    by_text: bool,
) -> None:
    texts = [tree.texts()[m] for m in pair]
    numbers = {policy_1[node]: exact(f) for node, f in zip(nodes, first, strict=True)}
    numbers |= {policy_0[node]: exact(f) for node, f in zip(nodes, second, strict=True)}
    ratio = Ratio.SEQUENCE if by_text else Ratio.TOKEN
    for given_width in (None, width):
        loss = clipped_loss(
            texts, [exact(w) for w in weights], new, old, None if given_width is None else exact(given_width), ratio
        )
        assert loss.subs(numbers) == exact(numeric(texts, weights, first, second, given_width, by_text))


def test_a_text_of_one_token_has_one_ratio() -> None:
    short = TokenTree(actions=2, horizon=1)
    arguments = ([(1,)], [sp.Integer(2)], short.policy(policy_1), short.policy(policy_0), epsilon)
    by_text, by_token = (clipped_loss(*arguments, ratio) for ratio in (Ratio.SEQUENCE, Ratio.TOKEN))
    assert by_text == by_token
    assert by_text.has(clip(policy_1[1] / policy_0[1], epsilon))


# -- bad input -----------------------------------------------------------------------------------------------------


def test_bad_input_is_named() -> None:
    with pytest.raises(BadInput, match="at least one item, got 0"):
        Rubric(0)
    with pytest.raises(BadInput, match="2 numbers were given for the 3 items"):
        Rubric(3).weighted((1, 0), (1, 1, 1))
    with pytest.raises(BadInput, match="every text needs an advantage, got 1 texts and 2 advantages"):
        clipped_loss([(1, 1)], [1, 2], new, old)
    with pytest.raises(BadInput, match="every text needs an advantage, got 0 texts"):
        clipped_loss([], [], new, old)
    with pytest.raises(BadInput, match="at least two outputs, got 1"):
        grape_advantages([1])
