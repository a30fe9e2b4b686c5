"""The success recursion in bulk, against the certified one: fixed points, slopes, limits, cycles."""

from __future__ import annotations

import math
import random

import flint
import numpy as np
import pytest
import sympy as sp
from grpo_symbolic.derivations.beyond import recursion_shape
from hypothesis import example, given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, success, success_ref
from grpo_symbolic.notation import guard as guard_symbol
from grpo_symbolic.numeric.recursion import gap as gaps
from grpo_symbolic.numeric.recursion.roots import step
from grpo_symbolic.numeric.recursion.success import success_limit
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import SuccessRecursion
from grpo_symbolic.optimality.response import weight_gap

LARGE = {"group_size": math.inf, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

KINDS = {"undecided": 0, "converges": 1, "cycle": 2}

CASES = [  # p_ref, beta, guard, group size, penalty, guard inside, sample deviation
    (0.001, 5.0, 1e-5, math.inf, "reverse-kl", True, False),  # three fixed points and an attracting 2-cycle
    (0.2, 2.0, 0.0, math.inf, "reverse-kl", True, False),
    (0.000127671, 0.20458, 0.1, math.inf, "reverse-kl", True, True),  # leaves the part below 1/2
    (7.3821e-06, 4.7478, 0.0, math.inf, "forward-kl", True, False),  # a cycle of three
    (0.00054788, 3.1335, 0.001, math.inf, "forward-kl", True, False),
    (8.09583e-05, 18.486, 0.0, math.inf, "reverse-kl", True, False),
    (0.999, 0.3, 1e-6, math.inf, "reverse-kl", False, False),
    (0.3, 0.02, 0.0, 16, "reverse-kl", True, False),
    (0.0147917, 0.58127, 0.0, 5, "forward-kl", True, False),
    (0.02, 0.1, 1e-4, 8, "reverse-kl", False, True),
    (0.4, 1.0, 0.0, 2, "reverse-kl", True, False),
    (0.000239781, 0.053386, 0.1, 16, "k3", True, False),
]


def draw(seed: int, number: int) -> list[tuple]:
    """Random instances, logits of p_ref and log β spread evenly, fewer groups because those are slow to certify."""
    chance = random.Random(seed)
    drawn = []
    for _ in range(number):
        p = float(f"{1 / (1 + math.exp(-chance.uniform(-11, 7))):.6g}")
        b = float(f"{10 ** chance.uniform(-1.5, 1.5):.5g}")
        guard = chance.choice([0.0, 1e-5, 1e-3, 0.1])
        penalty = chance.choice(["reverse-kl", "reverse-kl", "forward-kl"])
        drawn.append((p, b, guard, chance.choice([math.inf, math.inf, 3, 5]), penalty, chance.random() < 0.7, False))
    return drawn


@pytest.mark.parametrize("case", CASES + draw(3, 24))
def test_agrees_with_the_certified_recursion(case: tuple) -> None:
    p, b, guard, size, penalty, inside, sample = case
    options = {"guard_inside": inside, "sample_deviation": sample}
    certified = SuccessRecursion(
        p, b, guard, group_size=sp.oo if math.isinf(size) else size, **options, penalty=penalty
    )
    found = success_limit(p, b, guard, group_size=size, penalty=penalty, **options)
    points = certified.fixed_points()
    assert int(found.count) == len(points)
    for k, point in enumerate(points):
        near(found.fixed_logits[k], logit(point.enclosure), 1e-11)
        if penalty != "k3":
            near(found.fixed_slopes[k], float(point.multiplier[0]), 1e-8)
            assert bool(found.stable[k]) == (point.stability == "stable")
    if penalty == "k3":
        assert found.verdict == "stationary"
        return
    limit = certified.limit(steps=512)
    assert int(found.kind) == KINDS[limit.kind]
    assert int(found.period) == limit.period
    logits = [logit(e) for e in limit.points]
    near(found.low_logit, min(logits), 1e-9)
    near(found.high_logit, max(logits), 1e-9)
    assert math.isnan(found.limit) == (limit.kind == "cycle")
    assert float(found.residual) < 1e-13


def logit(enclosure: object) -> float:
    return float(enclosure.logit[0]) if enclosure.logit else math.inf  # type: ignore[attr-defined]


def near(ours: float, theirs: float, share: float) -> None:
    assert ours == theirs or abs(ours - theirs) <= share * max(1.0, abs(theirs))


def test_limits_of_a_block_lie_in_small_certified_balls() -> None:
    """A random subset of a block, in balls: the stationary equation changes sign within 1e-11 of the limit's logit."""
    chance = np.random.default_rng(5)
    p, b = chance.uniform(0.02, 0.98, 4000), 10 ** chance.uniform(-1, 1, 4000)
    found = success_limit(p, b, 1e-4, **LARGE)
    sure = np.flatnonzero(found.converged & (found.slope < 0.9) & (found.slope > -0.9))
    assert len(sure) > 3900
    for k in chance.choice(sure, 200, replace=False):
        root, width = flint.arb(float(found.logit[k])), flint.arb(float(max(1, abs(found.logit[k])))) * 1e-11
        reference = flint.arb(float(p[k]))
        start = (reference / (1 - reference)).log()

        def gap(t: object, beta: float = float(b[k]), start: object = start) -> object:
            q = 1 / (1 + (-t).exp())  # type: ignore[operator]
            return start + 1 / ((q * (1 - q) + flint.arb("1e-4")).sqrt() * beta) - t

        assert gap(root - width) > 0
        assert gap(root + width) < 0


def residual_bound(t: float, logit_ref: float, penalty: str) -> float:
    """What rounding may leave of ``|logit h(p*) − t|/max(1, |t|)``.

    The map solves F(t) = W/β, with F = t − L for the direct KL and F = (p − p_ref)/(p(1−p)) else. A root is accepted
    where the two sides agree within 4 units of 2⁻⁵² of the terms they are made of, and evaluating the map once more
    errs by as much again. For the direct KL that is an error of the logit itself. For the others it is a relative error
    of F, which is F/F' times as large in the logit: much, where F is nearly flat. A step of the last digit of the
    unknown z, for which t − L = log(1 + eᶻ), counts for no more, as |W'| ≤ W.
    """
    if math.isinf(t):
        return 0.0
    terms, distance = 2 + abs(t) + abs(logit_ref), t - logit_ref
    if penalty == "reverse-kl":
        return 8 * 2.0**-52 * (terms + distance) / max(1, abs(t))
    z = distance + math.log(-math.expm1(-distance))
    p, q = 1 / (1 + math.exp(-logit_ref)), 1 / (1 + math.exp(logit_ref))
    steepness = (q * math.exp(t) + p * math.exp(-t)) / (q * (1 + math.exp(t)) * -math.expm1(-distance))
    return 8 * 2.0**-52 * (1 + 1 / steepness) * (terms + abs(z)) / max(1, abs(t))


@settings(max_examples=150, deadline=None)
@example(logit_ref=-23.0, log_beta=0.0, guard=0.0, size=2, penalty="forward-kl", inside=True)  # F nearly flat
@given(
    logit_ref=st.floats(-30, 60),
    log_beta=st.floats(-4, 2),
    guard=st.sampled_from([0.0, 1e-12, 1e-6, 1e-3, 1.0]),
    size=st.sampled_from([math.inf, 2, 4, 8, 64]),
    penalty=st.sampled_from(["reverse-kl", "forward-kl", "k3"]),
    inside=st.booleans(),
)
def test_every_row_has_a_verdict_and_what_it_says_holds(
    logit_ref: float, log_beta: float, guard: float, size: float, penalty: str, inside: bool
) -> None:
    """Theorem 3 of Mroueh (2025): a limit amplifies; fixed points are odd in number; residuals are at rounding."""
    found = success_limit(
        None,
        10**log_beta,
        guard,
        group_size=size,
        penalty=penalty,
        logit_ref=logit_ref,
        guard_inside=inside,
        steps=1024,
    )
    if found.converged:
        assert found.logit >= logit_ref
        assert found.residual <= residual_bound(float(found.logit), logit_ref, penalty)
        listed = found.fixed_logits[: found.count]
        assert np.isclose(listed, found.logit, rtol=1e-9, atol=1e-9).any()
    else:
        assert penalty != "k3"
        assert np.isnan(found.limit)
    assert (np.diff(found.fixed_logits[: found.count]) > 0).all()
    if found.verdict == "cycle":
        assert found.low_logit < found.high_logit
        assert abs(found.slope) < 1


@pytest.mark.parametrize("size", [sp.oo, 2, 3, 7, 8, 16])
@pytest.mark.parametrize(
    ("guard", "inside", "sample"), [("0", True, False), ("1/1000", True, True), ("1/50", False, False)]
)
def test_gap_is_the_exact_one(size: object, guard: str, inside: bool, sample: bool) -> None:
    exact = weight_gap(Advantage(guard=sp.Rational(guard), guard_inside=inside, sample_deviation=sample), size)
    number = float(sp.Rational(guard))
    ours = (
        gaps.of_population(number, inside)
        if size == sp.oo
        else gaps.take(gaps.of_group(np.array([number]), int(size), inside, sample), 0)
    )
    t = sp.Symbol("t")
    exact = exact.subs(success, 1 / (1 + sp.exp(-t)))
    for at in (-20.0, -1.25, 0.5, 33.0):
        value, slope = gaps.value_and_slope(np, ours.family, ours.parameters, np.float64(at))
        for mine, theirs in ((value, exact), (slope, sp.diff(exact, t))):
            assert float(mine) == pytest.approx(float(sp.N(theirs.subs(t, sp.Rational(at)), 30)), rel=1e-12, abs=1e-18)


def alternating(rows: int, seed: int) -> tuple[np.ndarray, np.ndarray]:
    """Logits of p_ref and β around those whose orbits alternate."""
    chance = np.random.default_rng(seed)
    return chance.uniform(-9, -3, rows), chance.uniform(0.5, 6, rows)


@pytest.mark.parametrize(("size", "guard", "inside"), [("ε inside", 1e-4, True), ("ε outside", 0.01, False)])
def test_the_map_is_the_one_that_the_claims_on_its_shape_are_about(size: str, guard: float, inside: bool) -> None:
    logit_of = recursion_shape.logits[size].subs(guard_symbol, sp.Rational(str(guard)))
    L, b = alternating(50, 3)
    t = np.linspace(-12, 12, 50)
    found, _ = step(np, gaps.of_population(guard, inside), L, 1 / b, t, True)
    p_ref, p = 1 / (1 + np.exp(-L)), 1 / (1 + np.exp(-t))
    said = sp.lambdify((success_ref, beta, success), logit_of, "numpy")(p_ref, b, p)
    np.testing.assert_allclose(found, said, rtol=1e-10)


@pytest.mark.parametrize(("guard", "inside"), [(1e-4, True), (0.0, True), (0.01, False)])
def test_verdicts_are_what_long_orbits_do(guard: float, inside: bool) -> None:
    L, b = alternating(1500, 5)
    found = success_limit(None, b, guard, logit_ref=L, guard_inside=inside, fixed_points=False, steps=1024, **LARGE)
    gap, t = gaps.of_population(guard, inside), L
    with np.errstate(all="ignore"):
        for _ in range(4000):
            t, _ = step(np, gap, L, 1 / b, t, True)
        ahead, _ = step(np, gap, L, 1 / b, t, True)
    fast = abs(found.slope) < 0.99
    one, two = (found.kind == 1) & fast, (found.kind == 2) & (found.period == 2) & fast
    assert one.sum() > 100
    assert two.sum() > 100
    assert 0 < np.count_nonzero(found.high_logit[two] > 0) < two.sum()  # cycles around 1/2, and below
    np.testing.assert_allclose(t[one], found.logit[one], rtol=1e-9)
    np.testing.assert_allclose(np.minimum(t, ahead)[two], found.low_logit[two], rtol=1e-9)
    np.testing.assert_allclose(np.maximum(t, ahead)[two], found.high_logit[two], rtol=1e-8, atol=1e-9)


@pytest.mark.parametrize("name", ["torch", "jax"])
@pytest.mark.parametrize(("size", "penalty"), [(math.inf, "reverse-kl"), (8, "reverse-kl"), (math.inf, "forward-kl")])
def test_backends_agree(name: str, size: float, penalty: str) -> None:
    pytest.importorskip(name)
    chance = np.random.default_rng(1)
    p, b = 1 / (1 + np.exp(-chance.uniform(-8, 8, 500))), 10 ** chance.uniform(-2, 1, 500)
    ours, theirs = (
        success_limit(p, b, 1e-4, group_size=size, penalty=penalty, backend=backend) for backend in ("numpy", name)
    )
    assert (ours.kind == theirs.kind).all()
    assert (ours.count == theirs.count).all()
    np.testing.assert_allclose(theirs.fixed_logits, ours.fixed_logits, rtol=1e-10, atol=1e-10)
    np.testing.assert_allclose(theirs.logit, ours.logit, rtol=1e-10, atol=1e-10)


def test_accuracy_next_to_one() -> None:
    """1 − p* = 1e-25 or so is told to full relative precision, and so is the gain."""
    found = success_limit(0.9, 0.04, 0.01, group_size=8, penalty="reverse-kl")
    certified = SuccessRecursion(0.9, 0.04, 0.01, group_size=8, penalty="reverse-kl").limit()
    low, high = (float(c) for c in certified.points[0].complement)
    assert low < 1e-15
    assert float(found.complement) == pytest.approx(low, rel=1e-11)
    assert high == pytest.approx(low, rel=1e-12)
    assert float(found.gain) == pytest.approx(0.1)


def test_shapes_broadcast_and_guards_may_differ_by_row() -> None:
    guards = np.array([0.0, 1e-6, 1e-2])
    both = success_limit(np.array([[0.1], [0.6]]), 0.7, guards, **LARGE)
    assert both.limit.shape == (2, 3)
    assert both.fixed_points.shape == (2, 3, 4)
    for i, p in enumerate((0.1, 0.6)):
        for j, guard in enumerate(guards):
            one = success_limit(p, 0.7, guard, **LARGE)
            np.testing.assert_array_equal(both.fixed_logits[i, j], one.fixed_logits)
            assert both.kind[i, j] == one.kind
    finite = success_limit(0.1, 0.7, guards, group_size=8, penalty="reverse-kl")
    np.testing.assert_allclose(
        finite.limit, [success_limit(0.1, 0.7, g, group_size=8, penalty="reverse-kl").limit for g in guards], rtol=1e-13
    )
    assert success_limit(np.empty(0), 1.0, **LARGE).limit.shape == (0,)


def test_limits_alone_are_the_same() -> None:
    chance = np.random.default_rng(2)
    p, b = chance.random(3000), 10 ** chance.uniform(-2, 1, 3000)
    every, alone = (success_limit(p, b, 1e-4, fixed_points=flag, **LARGE) for flag in (True, False))
    np.testing.assert_array_equal(every.logit, alone.logit)
    np.testing.assert_array_equal(every.kind, alone.kind)
    with pytest.raises(BadInput, match="not asked for"):
        _ = alone.count


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"p_ref": [0.5, 1.0]}, "p_ref must lie in .* at place 1"),
        ({"p_ref": math.nan}, "p_ref must lie"),
        ({"p_ref": "half"}, "p_ref must be a number"),
        ({"beta": 0}, "β must be positive"),
        ({"beta": math.inf}, "β must be positive and finite"),
        ({"guard": -1e-3}, "the guard ε must be finite and not negative"),
        ({"group_size": 1}, "the group size must be"),
        ({"group_size": 2.5}, "the group size must be"),
        ({"penalty": "tv"}, "there is no penalty 'tv'"),
        ({"penalty": "reverse_kl"}, "meant KL.π_ref‖π.*forward-kl"),
        ({"backend": "cupy"}, "no array backend"),
        ({"p_ref": [0.1, 0.2], "beta": [1, 2, 3]}, "do not broadcast"),
        ({"p_ref": None}, "either p_ref or logit_ref"),
        ({"steps": -1}, "the number of steps"),
    ],
)
def test_bad_input_is_named(arguments: dict, sentence: str) -> None:
    with pytest.raises(BadInput, match=sentence):
        success_limit(**({"p_ref": 0.5, "beta": 1.0, **LARGE} | arguments))
