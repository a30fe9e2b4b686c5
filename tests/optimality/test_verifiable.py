"""Verifiable rewards at any group size: gaps by enumeration, and by search the β at which something changes."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import sympy as sp

from grpo_symbolic import optimality
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import o, p, x, y
from grpo_symbolic.objectives import SHIFT_AND_SCALE, SHIFT_ONLY, Advantage, Answers, binary, grpo
from grpo_symbolic.optimality import on_policy_curvature, on_policy_slope
from grpo_symbolic.optimality.verifiable import (
    advantage_gap,
    advantage_in_group,
    critical_beta,
    gap_in_variance,
    minimum_between,
    saddle_beta,
    safe_beta,
    stationary_beta,
    success_equation,
    success_gradient,
    turning_beta,
)

TWO = Answers(2)
SIZES = (2, 3, 4, 5, 6)
VARIANTS = {
    "published": SHIFT_AND_SCALE,
    "no division": SHIFT_ONLY,
    "sample deviation": Advantage(sample_deviation=True),
    "leave-one-out": Advantage(scaled=False, leave_one_out=True),
    "variance + ε": Advantage(guard=sp.Rational(1, 100)),
    "deviation + ε": Advantage(guard=sp.Rational(1, 100), guard_inside=False),
    "deviation of the batch": Advantage(fixed_deviation=sp.Rational(2, 5)),
}


def enumerated(size: int, success: sp.Rational, advantage: Advantage) -> sp.Expr:
    """The gap from the definition: every group of outputs, one by one, in order."""
    total = {1: sp.S.Zero, 0: sp.S.Zero}
    for others in itertools.product((1, 0), repeat=size - 1):
        chance = sp.Mul(*(success if r else 1 - success for r in others))
        for own in (1, 0):
            total[own] += chance * advantage.of_group([own, *others])[0]
    return total[1] - total[0]


@pytest.mark.parametrize("variant", VARIANTS)
@pytest.mark.parametrize("size", SIZES)
def test_the_gap_is_the_expectation_over_all_groups(size: int, variant: str) -> None:
    success, advantage = sp.Rational(3, 10), VARIANTS[variant]
    assert sp.simplify(advantage_gap(size, success, advantage) - enumerated(size, success, advantage)) == 0


@pytest.mark.parametrize("size", [*SIZES, 9])
def test_the_gap_as_a_polynomial_in_the_variance(size: int) -> None:
    for advantage in VARIANTS.values():
        found = gap_in_variance(size, x * (1 - x), advantage)
        assert sp.simplify(sp.expand(found - advantage_gap(size, x, advantage))) == 0


def test_the_advantages_of_a_mixed_group() -> None:
    for correct, size in ((1, 4), (2, 5), (4, 5)):
        rewards = [1] * correct + [0] * (size - correct)
        for advantage in VARIANTS.values():
            first, *_, last = advantage.of_group(rewards)
            assert sp.simplify(advantage_in_group(1, correct, size, advantage) - first) == 0
            assert sp.simplify(advantage_in_group(0, correct, size, advantage) - last) == 0


@pytest.mark.parametrize("size", [2, 3, 5, sp.oo])
def test_the_equation_is_the_slope_of_the_frozen_objective(size: Any) -> None:
    beta = sp.Rational(3, 4)
    J = grpo(beta, group_size=size).with_rewards(binary(x), binary(y), binary(p), (1, 0), TWO, o)
    cleared = on_policy_slope(J, x, y) * x * (1 - x)
    rest = (cleared + success_equation(size, x, p, beta)).subs({x: sp.Rational(2, 7), p: sp.Rational(1, 9)})
    assert sp.simplify(rest) == 0


def policies(size: Any, start: float) -> tuple[Any, Any]:
    """Success probabilities above the reference, close together, and the β for which each is stationary."""
    success = start + (1 - start) * np.geomspace(1e-7, 1, 200_001)[:-1]
    rise = sp.lambdify(x, success_gradient(size, x), "numpy")
    return success, rise(success) / (success - start)


def is_maximum(size: Any, success: Any, strength: Any, start: float) -> Any:
    """Where the second derivative of the frozen objective along success is negative."""
    bend = on_policy_curvature(
        grpo(sp.Symbol("beta"), size).with_rewards(binary(x), binary(y), binary(p), (1, 0), TWO, o), x, y
    )
    return sp.lambdify((x, p, sp.Symbol("beta")), bend, "numpy")(success, start, strength) < 0


@pytest.mark.parametrize("size", [2, 4, sp.oo])
@pytest.mark.parametrize("start", [0.001, 0.03, 0.06])
def test_minimum_between_is_where_a_search_finds_minima(size: Any, start: float) -> None:
    success, strength = policies(size, start)
    minima = strength[~is_maximum(size, success, strength, start)]
    low, high = (float(e) for e in minimum_between(size, sp.Rational(str(start))))
    assert (minima.min(), minima.max()) == pytest.approx((low, high), rel=2e-3)


@pytest.mark.parametrize("size", [2, 4, sp.oo])
def test_above_the_constant_there_are_no_minima(size: Any) -> None:
    for start in (0.067, 0.2, 0.7):
        success, strength = policies(size, start)
        assert is_maximum(size, success, strength, start).all()
    success, strength = policies(size, 0.0669)
    assert not is_maximum(size, success, strength, 0.0669).all()


@pytest.mark.parametrize("size", [2, 3, 4, 8])
def test_safe_values_of_beta_are_those_of_a_search_over_references(size: int) -> None:
    low, high = (float(e) for e in safe_beta(size))
    bad = []
    for start in np.geomspace(1e-7, 0.0669, 60):
        success, strength = policies(size, float(start))
        bad.append(strength[~is_maximum(size, success, strength, float(start))])
    found = np.concatenate(bad)
    assert found.min() > low
    assert found.max() < high
    assert found.min() == pytest.approx(low, rel=2e-2)
    assert found.max() == pytest.approx(high, rel=2e-2)


@pytest.mark.parametrize("size", [2, 4, 8])
def test_the_turning_beta_parts_maxima_from_minima(size: int) -> None:
    for start in (0.001, 0.05, 0.3):
        success, strength = policies(size, start)
        turning = sp.lambdify(x, turning_beta(size, x), "numpy")(success) * np.ones_like(success)
        assert (is_maximum(size, success, strength, start) == (strength > turning)).all()


@pytest.mark.parametrize("size", [2, 3, 8])
def test_rare_successes_survive_below_the_critical_beta(size: int) -> None:
    critical = float(critical_beta(size))
    for share, survives in ((0.9, True), (1.1, False)):
        success, strength = policies(size, 1e-9)
        (place,) = np.nonzero(strength > share * critical)  # β falls with success: the last one is the policy
        assert (success[place[-1]] > 0.01 if len(place) else False) == survives


@pytest.mark.parametrize("size", [2, 3, 5])
def test_the_saddle_beta_is_where_success_doubles(size: int) -> None:
    start = sp.Rational(1, 10)
    assert sp.simplify(saddle_beta(size, start) - stationary_beta(size, 2 * start, start)) == 0
    # Two equally likely correct answers: the objective curves up in their difference exactly above the double.
    for success, up in ((sp.Rational(21, 100), True), (sp.Rational(19, 100), False)):
        each, d = success / 2, sp.Symbol("d")
        strength = stationary_beta(size, success, start)
        policy = (each + d, each - d, 1 - success)
        old, reference = (each, each, 1 - success), (start / 2, start / 2, 1 - start)
        J = grpo(strength, group_size=size).with_rewards(policy, old, reference, (1, 1, 0), Answers(3), o)
        assert (sp.N(sp.diff(J, d, 2).subs(d, 0), 30) > 0) == up


def test_bad_input() -> None:
    for size in (1, 0, 2.5, -3):
        with pytest.raises(BadInput, match="group size must be oo or a whole number from 2"):
            advantage_gap(size, x)
    with pytest.raises(BadInput, match="group size"):
        gap_in_variance(sp.oo, x)  # type: ignore[arg-type]
    with pytest.raises(BadInput, match="baseline"):
        advantage_gap(4, x, Advantage(centred=False))


def test_its_names_are_those_of_the_package() -> None:
    assert optimality.advantage_gap is advantage_gap
    assert optimality.safe_beta is safe_beta
    assert {"critical_beta", "success_equation", "stationary_beta", "minimum_between"} <= set(optimality.__all__)
