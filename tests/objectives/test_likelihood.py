"""Likelihoods, their losses, and how outputs are drawn: against counting by hand, and bad input in one sentence."""

from __future__ import annotations

import itertools
from fractions import Fraction

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import o, p, policy_1, t, u, v
from grpo_symbolic.objectives import (
    Answers,
    TokenTree,
    best_of,
    binary_cross_entropy,
    cross_entropy,
    likelihood,
    nll,
    sft_loss,
    softmax,
    tempered,
    text_nll,
)

chances = st.integers(1, 19).map(lambda k: sp.Rational(k, 20))
samples = st.lists(chances, min_size=1, max_size=5)


def equal(left: sp.Expr, right: sp.Expr) -> bool:
    return sp.simplify(sp.expand_log(left - right, force=True)) == 0


@given(samples)
@settings(max_examples=25, deadline=None)
def test_nll_is_minus_the_logarithm_of_the_likelihood(values: list[sp.Rational]) -> None:
    assert equal(nll(values), -sp.log(likelihood(values)))


@given(samples, st.integers(1, 5))
@settings(max_examples=25, deadline=None)
def test_a_later_start_leaves_out_the_outcomes_before(values: list[sp.Rational], start: int) -> None:
    if start > len(values):
        with pytest.raises(BadInput, match="starts at one of the outcomes"):
            nll(values, start)
    else:
        assert equal(nll(values, start) + nll([*values[: start - 1], 1]), nll(values))


@pytest.mark.parametrize(("actions", "horizon"), [(2, 1), (2, 3), (3, 2)])
def test_the_nll_of_every_text_gives_back_its_probability(actions: int, horizon: int) -> None:
    policy = TokenTree(actions, horizon).policy(policy_1)
    for text in policy.tree.texts():
        assert sp.expand(sp.exp(-text_nll(policy, text)) - policy.reaches(text)) == 0
    assert sp.expand(sum(sp.exp(-text_nll(policy, text)) for text in policy.tree.texts())) == 1


def test_the_average_loss_is_the_cross_entropy_of_the_shares() -> None:
    drawn, model = [0, 1, 1, 2, 1, 0], (sp.Rational(1, 5), sp.Rational(1, 2), sp.Rational(3, 10))
    shares = [sp.Rational(drawn.count(kind), 6) for kind in range(3)]
    assert equal(sft_loss([nll([model[kind]]) for kind in drawn]), cross_entropy(shares, model, Answers(3), o))


@given(chances, chances)
@settings(max_examples=25, deadline=None)
def test_binary_cross_entropy_is_least_at_the_share_of_preferences(share: sp.Rational, other: sp.Rational) -> None:
    gap = binary_cross_entropy(share, other) - binary_cross_entropy(share, share)
    assert gap.evalf(30) > 0 if share != other else gap == 0
    assert binary_cross_entropy(1, p) == nll([p])
    assert binary_cross_entropy(0, p) == nll([1 - p])


@pytest.mark.parametrize("size", [1, 2, 3, 4])
def test_the_best_of_a_group_by_counting_groups(size: int) -> None:
    faces = (1, 2, 3)  # weights out of six
    wins = [Fraction(0)] * 3
    for roll in itertools.product((0, 1, 1, 2, 2, 2), repeat=size):
        wins[min(roll)] += Fraction(1, 6**size)
    law = best_of([sp.Rational(face, 6) for face in faces], size)
    assert [Fraction(int(c.p), int(c.q)) for c in law] == wins


def test_tempered_policies_are_powers_of_the_policy() -> None:
    policy = softmax((t, u, v))
    cooler = tempered((t, u, v), sp.Rational(1, 2))
    squares = sp.Add(*(chance**2 for chance in policy))
    assert all(sp.simplify(a - c**2 / squares) == 0 for a, c in zip(cooler, policy, strict=True))
    assert tempered((t, u, v), 1) == policy
    assert sp.simplify(sp.Add(*policy)) == 1


@pytest.mark.parametrize(
    ("act", "says"),
    [
        (lambda: likelihood([]), "at least one outcome"),
        (lambda: likelihood([sp.Rational(-1, 2)]), "-1/2 is neither"),
        (lambda: nll([sp.nan]), "nan is neither"),
        (lambda: nll([p], 0), "not at 0"),
        (lambda: sft_loss([]), "at least one sample"),
        (lambda: best_of((p, 1 - p), 0), "got 0"),
        (lambda: tempered((t, u), 0), "must be positive, got 0"),
        (lambda: tempered((t, u), -1), "must be positive, got -1"),
    ],
)
def test_bad_input_in_one_sentence(act, says: str) -> None:
    with pytest.raises(BadInput, match=says):
        act()
