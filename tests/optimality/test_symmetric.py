"""The gap of a finite group in ball arithmetic: values and derivatives against SymPy's, over points and intervals."""

import flint
import pytest
import sympy as sp

from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import advantage_gap
from grpo_symbolic.optimality.enclosure import compiled, working_bits
from grpo_symbolic.optimality.symmetric import SymmetricBernstein, group_gap

p = sp.Symbol("p")
ADVANTAGES = {
    "std": Advantage(),
    "sample-std+eps": Advantage(sample_deviation=True, guard=sp.Rational(1, 10**4), guard_inside=False),
    "sqrt(var+eps)": Advantage(guard=sp.Rational(1, 100)),
    "none": Advantage(scaled=False),
}


def derivatives(advantage: Advantage, size: int) -> list[sp.Expr]:
    """W, dW/dv and d²W/dv² as expressions in p, by the chain rule dW/dp = (1 − 2p) dW/dv."""
    found = [sp.sympify(advantage_gap(size, p, advantage))]
    while len(found) < 3:
        found.append(sp.diff(found[-1], p) / (1 - 2 * p))
    return found


@pytest.mark.parametrize("name", ADVANTAGES)
@pytest.mark.parametrize("size", [2, 3, 4, 5, 9, 64])
def test_values_and_derivatives_are_those_of_the_gap(size: int, name: str) -> None:
    advantage = ADVANTAGES[name]
    with working_bits(600):
        for logit in ("-9", "-1/3", "2", "31"):
            t = flint.arb(flint.fmpq(*map(int, sp.Rational(logit).as_numer_denom())))
            at = 1 / (1 + (-t).exp())
            for ball, expression in zip(
                group_gap(advantage, size).over(t, t), derivatives(advantage, size), strict=True
            ):
                assert ball.overlaps(compiled(expression, (p,))(at))
                assert ball.rad() < 1e-60


@pytest.mark.parametrize("ends", [(-3, 5), (-2, -1), (0, 4), (3, 3.5)])
def test_an_interval_encloses_what_its_points_have_and_hardly_more(ends: tuple[float, float]) -> None:
    gap = group_gap(ADVANTAGES["sample-std+eps"], 64)
    low, high = map(flint.arb, ends)
    with working_bits(200):
        whole = gap.over(low, high)
        points = [gap.over(t, t) for t in (low + (high - low) * k / 64 for k in range(65))]
        for order, ball in enumerate(whole):
            values = [point[order] for point in points]
            assert all(ball.contains(value) for value in values)
            spread = max(map(float, values)) - min(map(float, values))
            assert 2 * float(ball.rad()) <= 1.1 * spread  # a grid of 64 misses little of the range


def test_every_normaliser_falls_in_the_variance_and_a_made_up_gap_need_not() -> None:
    with working_bits(200):
        assert all(group_gap(advantage, 16).falls for advantage in ADVANTAGES.values())
        assert not SymmetricBernstein([sp.Integer(w) for w in (1, 2, 2, 1)]).falls
