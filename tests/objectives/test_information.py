"""Entropy, cross entropy and importance sampling against sums written out in exact fractions and enumerated samples."""

from __future__ import annotations

import itertools
from fractions import Fraction
from math import isclose, log, prod

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import datum, i, model, n, o, o_, world, x
from grpo_symbolic.objectives import (
    Answers,
    binary,
    cross_entropy,
    entropy,
    expected,
    expected_estimate,
    importance_estimate,
    importance_variance,
    importance_weighted,
    kl,
)

weights = st.lists(st.integers(1, 30), min_size=3, max_size=3)
numbers = st.lists(st.integers(-5, 5), min_size=3, max_size=3)
three = Answers(3)


def law(counts: list[int]) -> list[Fraction]:
    return [Fraction(c, sum(counts)) for c in counts]


def exact(values: list[Fraction]) -> tuple[sp.Rational, ...]:
    return tuple(sp.Rational(v.numerator, v.denominator) for v in values)


@given(weights, weights)
@settings(max_examples=25, deadline=None)
def test_cross_entropy_is_the_mean_of_minus_log_q_and_at_least_entropy(first: list[int], second: list[int]) -> None:
    p, q = law(first), law(second)
    crossed = cross_entropy(exact(p), exact(q), three, o)
    assert isclose(float(crossed), -sum(float(a) * log(b) for a, b in zip(p, q, strict=True)), rel_tol=1e-12)
    excess = float(crossed - entropy(exact(p), three, o))
    assert isclose(excess, float(kl(exact(p), exact(q), three, o)), abs_tol=1e-12)
    assert excess >= -1e-15
    if p == q:
        assert crossed == entropy(exact(p), three, o)


def test_the_entropy_of_equal_chances_is_log_n() -> None:
    for size in (2, 3, 6):
        assert sp.simplify(entropy((sp.Rational(1, size),) * size, Answers(size), o) - sp.log(size)) == 0


def test_symbolic_numbers_of_answers_give_one_sum() -> None:
    assert entropy(world, Answers(n), o) == sp.Sum(-world[o] * sp.log(world[o]), (o, 1, n))
    assert cross_entropy(world, model, Answers(n), i) == sp.Sum(-world[i] * sp.log(model[i]), (i, 1, n))
    assert expected(binary(x), lambda a: (5, 7)[a], Answers(2), o) == 5 * x + 7 * (1 - x)


@given(weights, weights, numbers, st.integers(1, 3))
@settings(max_examples=25, deadline=None)
def test_the_estimate_is_unbiased_over_every_sample(
    target: list[int], sampler: list[int], values: list[int], draws: int
) -> None:
    p, q = law(target), law(sampler)
    total = Fraction(0)
    for sample in itertools.product(range(3), repeat=draws):
        found = importance_estimate(exact(p), exact(q), values, sample)
        total += prod(q[a] for a in sample) * Fraction(int(found.p), int(found.q))
    mean = sum(a * b for a, b in zip(p, values, strict=True))
    assert total == mean
    found = expected_estimate(exact(p), exact(q), values, three, (o, o_, i)[:draws])
    assert found == sp.Rational(mean.numerator, mean.denominator)


@given(weights, weights, numbers)
@settings(max_examples=25, deadline=None)
def test_the_variance_of_a_draw_is_that_of_its_contribution(
    target: list[int], sampler: list[int], values: list[int]
) -> None:
    p, q = law(target), law(sampler)
    contributions = [a / b * c for a, b, c in zip(p, q, values, strict=True)]
    mean = sum(b * c for b, c in zip(q, contributions, strict=True))
    variance = sum(b * (c - mean) ** 2 for b, c in zip(q, contributions, strict=True))
    found = importance_variance(exact(p), exact(q), values, three, o)
    assert found == sp.Rational(variance.numerator, variance.denominator)
    assert [importance_weighted(exact(p), exact(q), values, a) for a in range(3)] == list(exact(contributions))


def test_sampling_in_proportion_to_positive_contributions_has_no_variance() -> None:
    p, values = exact(law([1, 2, 3])), (6, 3, 2)
    assert importance_variance(p, exact(law([1, 1, 1])), values, three, o) == 0
    assert importance_variance(p, p, values, three, o) > 0


def test_the_estimate_of_symbolic_many_values_is_a_nested_sum() -> None:
    found = expected_estimate(world, model, datum, Answers(n), (o, o_))
    assert found.has(sp.Sum)
    assert n in found.free_symbols


def test_an_estimate_needs_a_draw() -> None:
    with pytest.raises(BadInput, match="at least one draw, got none"):
        importance_estimate((1, 0), (1, 0), (1, 2), ())
