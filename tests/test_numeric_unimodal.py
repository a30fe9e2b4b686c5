"""Orbits settled by the shape of the map: verdicts held against orbits that are followed and against the certified
recursion. What is said of the shape itself is proved by the claims of derivations/beyond/recursion_shape.py.
"""

from __future__ import annotations

from typing import Any

import numpy as np
import pytest
import sympy as sp
from grpo_symbolic.derivations.beyond import recursion_shape

from grpo_symbolic.notation import beta, guard, success, success_ref
from grpo_symbolic.numeric import orbit
from grpo_symbolic.numeric.backends import get
from grpo_symbolic.numeric.flow import Arrays, direct_roots
from grpo_symbolic.numeric.gap import Gap, of_population
from grpo_symbolic.numeric.recursion import success_limit
from grpo_symbolic.numeric.unimodal import by_shape
from grpo_symbolic.optimality import SuccessRecursion

GAPS: dict[str, tuple[Gap, dict[str, Any]]] = {
    "guard inside": (of_population(np.float64(1e-4), True), {"guard": 1e-4}),
    "no guard": (of_population(np.float64(0.0), True), {"guard": 0.0}),
    "guard outside": (of_population(np.float64(0.01), False), {"guard": 0.01, "guard_inside": False}),
}


def instances(rows: int, seed: int) -> tuple[Any, Any]:
    """Logits of p_ref and 1/β around those whose orbits alternate."""
    chance = np.random.default_rng(seed)
    return chance.uniform(-9, -3, rows), 1 / chance.uniform(0.5, 6, rows)


@pytest.mark.parametrize("name", ["guard inside", "guard outside"])
def test_the_map_is_the_one_that_the_claims_on_its_shape_are_about(name: str) -> None:
    gap, options = GAPS[name]
    logit = recursion_shape.logits[name.replace("guard", "ε")].subs(guard, sp.Rational(str(options["guard"])))
    L, drive = instances(50, 3)
    t = np.linspace(-12, 12, 50)
    found = orbit.image(gap, L, drive, t, True)
    p_ref, p = 1 / (1 + np.exp(-L)), 1 / (1 + np.exp(-t))
    said = sp.lambdify((success_ref, beta, success), logit, "numpy")(p_ref, 1 / drive, p)
    np.testing.assert_allclose(found, said, rtol=1e-10)


@pytest.mark.parametrize("name", GAPS)
def test_what_the_shape_says_is_what_long_orbits_do(name: str) -> None:
    gap, _ = GAPS[name]
    L, drive = instances(4000, 5)
    with np.errstate(all="ignore"):
        fates = by_shape(gap, L, drive)
        t = orbit._run(gap, L, drive, L, True, 4000)
        ahead = orbit.image(gap, L, drive, t, True)
    fast = abs(fates.slope) < 0.99
    one, two = (fates.period == 1) & fast, (fates.period == 2) & fast
    assert one.sum() > 300
    assert two.sum() > 300
    assert 0 < np.count_nonzero(fates.high[two] > 0) < two.sum()  # cycles around 1/2, and below
    np.testing.assert_allclose(t[one], fates.logit[one], rtol=1e-9)
    np.testing.assert_allclose(np.minimum(t, ahead)[two], fates.low[two], rtol=1e-9)
    np.testing.assert_allclose(np.maximum(t, ahead)[two], fates.high[two], rtol=1e-8, atol=1e-9)
    assert (fates.residual[fates.period > 0] < 1e-12).all()


@pytest.mark.parametrize("name", GAPS)
def test_the_certified_recursion_agrees(name: str) -> None:
    gap, options = GAPS[name]
    L, drive = instances(400, 6)
    with np.errstate(all="ignore"):
        fates = by_shape(gap, L, drive)
    kinds = {1: "converges", 2: "cycle"}
    for period in kinds:
        for row in np.flatnonzero((fates.period == period) & (abs(fates.slope) < 0.9))[:4]:
            p, beta = 1 / (1 + np.exp(-L[row])), 1 / drive[row]
            limit = SuccessRecursion(float(p), float(beta), **options).limit()
            assert limit.kind == kinds[period]


def test_rows_that_are_given_up_would_not_have_been_decided(monkeypatch: pytest.MonkeyPatch) -> None:
    gap = GAPS["guard inside"][0]
    chance = np.random.default_rng(9)
    L, drive = chance.uniform(-10, -7.5, 1500), 1 / chance.uniform(2, 6, 1500)
    with np.errstate(all="ignore"):
        roots = direct_roots(Arrays(get()), gap, L, drive)
        about = gap, L, drive, np.where(np.isnan(roots[0]), roots[1], roots[0]), roots[4], True, 4096
        soon = orbit.follow(*about)
        monkeypatch.setattr(orbit, "_wanders", lambda gap, L, drive, steps: np.zeros(len(L), bool))
        late = orbit.follow(*about)
    given_up = (soon.period == 0).sum()
    assert given_up > 100
    assert (late.period == 0).sum() >= given_up - 3
    same = (soon.period != 0) & (late.period != 0)
    np.testing.assert_array_equal(soon.period[same], late.period[same])


def test_more_rows_are_decided_and_none_otherwise() -> None:
    """Next to a flip the orbits are slow: the shape of the map tells what no number of steps allowed would."""
    gap = GAPS["guard inside"][0]
    L, drive = instances(20_000, 11)
    with np.errstate(all="ignore"):
        fates = by_shape(gap, L, drive)
        seen = orbit.glance(gap, L, drive, 64)
    both = (fates.period > 0) & (seen.period > 0)
    np.testing.assert_array_equal(fates.period[both], seen.period[both])
    assert ((fates.period > 0) & (seen.period == 0)).sum() > 100
    found = success_limit(None, 1 / drive, 1e-4, logit_ref=L, fixed_points=False, steps=0)
    np.testing.assert_array_equal(found.period[fates.period > 0], fates.period[fates.period > 0])
