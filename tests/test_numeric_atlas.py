"""The atlas of limits: it says what the solver by rows says, wherever it says anything."""

from __future__ import annotations

import math
from typing import Any

import numpy as np
import pytest

from grpo_symbolic.numeric import atlas, bulk
from grpo_symbolic.numeric.gap import Gap, of_group, of_population, take
from grpo_symbolic.numeric.recursion import success_limit

GAPS: dict[str, tuple[Gap, dict[str, Any]]] = {
    "guard inside": (of_population(np.float64(1e-4), True), {"guard": 1e-4}),
    "no guard, p = 1 attracts": (of_population(np.float64(0.0), True), {"guard": 0.0}),
    "guard outside": (of_population(np.float64(0.01), False), {"guard": 0.01, "guard_inside": False}),
    "groups of eight": (take(of_group(np.array([1e-3]), 8, True, True, False), 0), {"guard": 1e-3, "group_size": 8}),
}


def instances(rows: int, seed: int) -> tuple[Any, Any]:
    """Logits of p_ref and 1/β within the atlas and a little beyond, some on the lines between its cells."""
    chance = np.random.default_rng(seed)
    L, drive = chance.uniform(-16.5, 16.5, rows), 2 ** chance.uniform(-8.5, 12.5, rows)
    half = rows // 2
    L[half:], drive[half:] = chance.uniform(-10, 5, rows - half), 2 ** chance.uniform(-3, 6, rows - half)
    L[::50] = np.round(L[::50] * 16) / 16
    drive[::49] = 2 ** np.round(np.log2(drive[::49]))
    return L, drive


@pytest.mark.parametrize("name", GAPS)
def test_what_the_atlas_says_is_what_each_row_says(name: str) -> None:
    gap, options = GAPS[name]
    L, drive = instances(40_000, 7)
    beta = 1 / drive
    found = bulk._quiet(atlas.atlas_of(gap).reach, L, 1 / beta)
    rows = success_limit(None, beta, logit_ref=L, fixed_points=False, **options)
    sure = found.sure
    assert 0.85 < sure.mean() < 1
    assert not sure[(abs(L) > 16) | (drive < 2**-8) | (drive > 2**12)].any()
    assert (rows.kind[sure] == 1).all()
    np.testing.assert_allclose(found.logit[sure], rows.logit[sure], rtol=1e-13, atol=1e-13)
    np.testing.assert_allclose(found.slope[sure], rows.slope[sure], rtol=1e-12, atol=1e-12)
    assert (found.residual[sure] < 1e-13).all()
    assert np.isinf(found.logit[sure]).any() == math.isinf(gap.greatest)


@pytest.mark.parametrize("backend", ["numpy", "jax", "torch"])
def test_many_rows_are_read_off_it_and_the_rest_solved(backend: str, monkeypatch: pytest.MonkeyPatch) -> None:
    pytest.importorskip(backend)
    L, drive = instances(60_000, 8)
    asked = []
    monkeypatch.setattr(bulk, "worth", lambda gap, rows: asked.append(rows) or True)
    many = success_limit(None, 1 / drive, 1e-4, logit_ref=L, fixed_points=False, backend=backend)
    assert asked == [60_000]
    monkeypatch.setattr(bulk, "worth", lambda gap, rows: False)
    few = success_limit(None, 1 / drive, 1e-4, logit_ref=L, fixed_points=False)
    np.testing.assert_array_equal(many.kind, few.kind)
    np.testing.assert_array_equal(many.period, few.period)
    np.testing.assert_allclose(many.logit, few.logit, rtol=1e-13, atol=1e-13)


def test_cells_next_to_a_fold_and_cells_of_cycles_are_left() -> None:
    """β = 5, p_ref = 0.001, ε = 1e-5 reaches a cycle; so do its neighbours, and no cell there is settled."""
    gap = of_population(np.float64(1e-5), True)
    L = np.full(5, math.log(0.001 / 0.999)) + np.linspace(-0.02, 0.02, 5)
    assert not bulk._quiet(atlas.atlas_of(gap).reach, L, np.full(5, 0.2)).sure.any()


def test_it_is_made_only_where_it_pays() -> None:
    one = of_population(np.float64(3e-4), True)
    assert not atlas.worth(one, 1000)
    assert atlas.worth(one, 1 << 21)
    assert not atlas.worth(of_population(np.full(4, 1e-3), True), 1 << 21)
