"""The success recursion: derived maps against the papers, certified results against independent mpmath work;
what is refused, how numbers are read, and what importing it costs.
"""

from __future__ import annotations

import itertools
import math
import subprocess
import sys

import mpmath
import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, guard, success, success_ref, x
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality import SuccessRecursion, best_response, beta_curve, large_groups, pairs
from grpo_symbolic.optimality.dynamics import frozen_objective, stationary_equation

LARGE = {"group_size": sp.oo, "penalty": "reverse-kl"}  # the recursion of Mroueh (2025)

GUARDED = Advantage(guard=guard)
BETAS = ("0.01", "0.1", "0.9", 3, 15, 1000)


# The map, derived.


def test_the_map_of_the_direct_kl_is_the_one_of_the_paper() -> None:
    printed = 1 / (1 + (1 - success_ref) / success_ref * sp.exp(-1 / (beta * sp.sqrt(success * (1 - success) + guard))))
    assert sp.simplify(best_response(GUARDED, sp.oo, "reverse-kl") - printed) == 0


def test_the_guard_may_stand_outside_the_root() -> None:
    outside = best_response(Advantage(guard=guard, guard_inside=False), sp.oo, "reverse-kl")
    printed = 1 / (
        1 + (1 - success_ref) / success_ref * sp.exp(-1 / (beta * (sp.sqrt(success * (1 - success)) + guard)))
    )
    assert sp.simplify(outside - printed) == 0


@pytest.mark.parametrize("penalty", ["reverse-kl", "forward-kl"])
@pytest.mark.parametrize("group_size", [sp.oo, 2, 5])
def test_the_map_makes_the_frozen_slope_vanish(penalty: str, group_size: object) -> None:
    slope = sp.diff(frozen_objective(GUARDED, group_size, penalty), x)
    values = {
        success: sp.Rational(3, 10),
        success_ref: sp.Rational(1, 7),
        beta: sp.Rational(4, 5),
        guard: sp.Rational(1, 50),
    }
    response = best_response(GUARDED, group_size, penalty).subs(values).evalf(60)
    assert 0 < response < 1
    assert abs(slope.subs(values).subs(x, response).evalf(50)) < 1e-45


@pytest.mark.parametrize("penalty", ["reverse-kl", "forward-kl", "k3"])
def test_the_curve_of_beta_solves_the_stationary_equation(penalty: str) -> None:
    equation = stationary_equation(GUARDED, sp.oo, penalty)
    assert sp.simplify(equation.subs(beta, beta_curve(GUARDED, sp.oo, penalty))) == 0
    slope = sp.diff(frozen_objective(GUARDED, sp.oo, penalty), x).subs(x, success)
    point = {success: sp.Rational(2, 3), success_ref: sp.Rational(1, 5), beta: sp.Integer(2), guard: sp.Rational(1, 9)}
    assert abs((slope - equation).subs(point).evalf(40)) < 1e-35


def test_the_curve_of_beta_for_the_direct_kl_is_explicit() -> None:
    logit = sp.log(success) - sp.log(1 - success) - sp.log(success_ref) + sp.log(1 - success_ref)
    assert sp.simplify(beta_curve(GUARDED, sp.oo, "reverse-kl") * logit * sp.sqrt(success * (1 - success) + guard)) == 1


@pytest.mark.parametrize("options", [{"scaled": False}, {"group_size": 2}, {"group_size": 3}])
def test_without_scale_or_in_small_groups_the_map_is_constant(options: dict[str, object]) -> None:
    run = SuccessRecursion(0.2, 2, **{**LARGE, **options})  # type: ignore[arg-type]
    assert not run.h.has(success)
    (point,) = run.fixed_points()
    assert point.multiplier == (0, 0)
    assert point.enclosure.contains(run.h)
    assert run.folds() == ()


# GRPO's own penalty and the reverse KL share their stationary policies.


@pytest.mark.parametrize("penalty", ["k3", "forward-kl"])
@pytest.mark.parametrize(("p_ref", "strength"), [("0.2", 2), ("0.001", "0.1"), ("0.9", 30)])
def test_their_fixed_points_are_equations_14_and_15(penalty: str, p_ref: str, strength: object) -> None:
    reference, force = sp.Rational(str(p_ref)), sp.Rational(str(strength))
    for group_size, closed in ((2, pairs(force, reference)), (sp.oo, large_groups(force, reference))):
        run = SuccessRecursion(p_ref, strength, group_size=group_size, penalty=penalty, at_certainty="zero")
        (point,) = run.fixed_points()
        assert point.enclosure.contains(closed)
        assert point.enclosure.high - point.enclosure.low < sp.Rational(1, 10**29)
        assert run.folds() == ()


@pytest.mark.parametrize("penalty", ["reverse-kl", "forward-kl", "k3"])
def test_multipliers_follow_from_the_frozen_objective(penalty: str) -> None:
    run = SuccessRecursion("0.2", 2, guard="0.01", penalty=penalty, group_size=sp.oo)
    objective = frozen_objective(run.advantage, sp.oo, penalty).subs({success_ref: run.p_ref, beta: run.beta})
    for point in run.fixed_points():
        at = {x: point.enclosure.low, success: point.enclosure.low}
        curvature = sp.diff(objective, x, 2).subs(at).evalf(40)
        expected = -sp.diff(objective, x, success).subs(at).evalf(40) / curvature
        assert abs(point.multiplier[0] - expected) < 1e-24
        assert point.maximum is bool(curvature < 0)


def test_the_stationary_policy_of_grpo_can_be_a_minimum_of_the_frozen_objective() -> None:
    (point,) = SuccessRecursion("0.2", "0.1", penalty="k3", group_size=2).fixed_points()
    low = point.enclosure.low
    curvature = sp.diff(frozen_objective(Advantage(), 2, "k3"), x, 2).subs(
        {beta: sp.Rational(1, 10), success_ref: sp.Rational(1, 5)}
    )
    assert point.maximum is bool(curvature.subs({x: low, success: low}).evalf(30) < 0)


# Fixed points.


def logit_equation(run: SuccessRecursion) -> object:
    """The fixed-point equation of the direct KL in mpmath, written down anew."""
    L = mpmath.log(mpmath.mpf(run.p_ref.p) / (run.p_ref.q - run.p_ref.p))
    b, e = mpmath.mpf(run.beta.p) / run.beta.q, mpmath.mpf(run.guard.p) / run.guard.q

    def equation(t: object) -> object:
        variance = 1 / (2 + 2 * mpmath.cosh(t))
        deviation = mpmath.sqrt(variance + e) if run.guard_inside else mpmath.sqrt(variance) + e
        return t - L - 1 / (b * deviation)

    return equation


def scanned(run: SuccessRecursion, top: float, count: int) -> list[object]:
    """Zeros of the fixed-point equation by a dense scan of sign changes, refined to 50 digits."""
    equation = logit_equation(run)
    start = mpmath.log(mpmath.mpf(run.p_ref.p) / (run.p_ref.q - run.p_ref.p))
    grid = [start + (top - start) * k / count for k in range(count + 1)]
    signs = [mpmath.sign(equation(t)) for t in grid]
    pairs_ = [(a, b) for a, b, s, r in zip(grid, grid[1:], signs, signs[1:], strict=False) if s * r < 0]
    with mpmath.workdps(60):
        return [mpmath.findroot(logit_equation(run), ends, solver="anderson", tol=1e-90) for ends in pairs_]


def rational(value: object) -> sp.Rational:
    sign, mantissa, exponent, _ = value._mpf_  # type: ignore[attr-defined]
    return sp.Rational(int(mantissa) * (-1) ** sign) * sp.Integer(2) ** exponent


@pytest.mark.parametrize("strength", BETAS)
@pytest.mark.parametrize("eps", [0, "1e-5", "1e-2", 1])
@pytest.mark.parametrize("p_ref", ["1e-12", "0.001", "0.3", "0.9"])
def test_all_roots_of_a_dense_scan_are_enclosed(p_ref: str, eps: object, strength: object) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, **LARGE)
    points = [point for point in run.fixed_points() if point.enclosure.logit is not None]
    top = 60 if eps == 0 else 60 + 1 / (float(run.beta) * math.sqrt(float(run.guard)))
    roots = scanned(run, 60, 600) + ([r for r in scanned(run, top, 60) if r > 60] if eps else [])
    assert len(roots) == len(points)
    for root, point in zip(roots, points, strict=True):
        low, high = point.enclosure.logit
        slack = sp.Rational(1, 10**38)
        assert low - slack <= rational(root) <= high + slack
        assert high - low <= sp.Rational(1, 10**30)
        assert point.separated


@pytest.mark.parametrize("inside", [True, False])
def test_points_extremely_near_one(inside: bool) -> None:
    run = SuccessRecursion("0.001", "0.01", guard="1e-5", guard_inside=inside, **LARGE)
    (point,) = run.fixed_points()
    assert point.stability == "stable"
    assert 0 < point.multiplier[1] < sp.Rational(1, 10**1000)
    if inside:  # 1 − p* ≈ ((1 − p_ref)/p_ref)·exp(−1/(β√ε))
        with mpmath.workdps(30):
            expected = mpmath.log(999) - 100 / mpmath.sqrt(mpmath.mpf("1e-5"))
            low = -point.enclosure.logit[1]
            assert abs(expected - mpmath.mpf(low.p) / low.q) < 1e-20
        assert point.enclosure.complement[0] > 0
        assert point.enclosure.high < 1
    assert str(point.enclosure).startswith("1 - ")


@pytest.mark.parametrize("p_ref", ["0.5", "0.7", "0.999", "1e-6"])
def test_smallest_beta_leaves_only_certainty_without_a_guard(p_ref: str) -> None:
    (point,) = SuccessRecursion(p_ref, "0.01", **LARGE).fixed_points()
    assert point.enclosure.logit is None
    assert (point.enclosure.low, point.multiplier, point.stability) == (1, (0, 0), "stable")


def test_digits_are_honoured() -> None:
    run = SuccessRecursion("0.2", 2, **LARGE)
    for digits in (3, 60, 200):
        low, high = run.fixed_points(digits)[0].enclosure.logit
        assert high - low <= sp.Rational(1, 10**digits)


# Folds.


@pytest.mark.parametrize(
    ("p_ref", "eps", "count"),
    [("0.2", 0, 1), ("0.2", "1e-5", 2), ("0.2", "1e-2", 2), ("0.2", 1, 0), ("1e-12", "1e-5", 2), ("0.9", 0, 1)],
)
def test_the_number_of_fixed_points_changes_by_two_at_each_fold(p_ref: str, eps: object, count: int) -> None:
    folds = SuccessRecursion(p_ref, 1, guard=eps, **LARGE).folds()
    assert len(folds) == count
    for fold in folds:
        below, above = (
            SuccessRecursion(p_ref, b, guard=eps, **LARGE)
            for b in (fold.beta[0] * (1 - sp.Rational(1, 10**9)), fold.beta[1] * (1 + sp.Rational(1, 10**9)))
        )
        change = len(above.fixed_points()) - len(below.fixed_points())
        assert change == (2 if fold.turns == "up" else -2)
        curve = sp.lambdify(success, above.beta_curve, "mpmath")
        with mpmath.workdps(60):
            at = mpmath.mpf(fold.enclosure.low.p) / fold.enclosure.low.q
            assert abs(mpmath.diff(curve, at)) * (1 - at) < 1e-20
            assert fold.beta[0] - sp.Rational(1, 10**25) <= rational(curve(at)) <= fold.beta[1] + sp.Rational(1, 10**25)


def test_two_points_too_near_to_part_are_said_to_be_so() -> None:
    (fold,) = SuccessRecursion("0.2", 1, **LARGE).folds(digits=60)
    run = SuccessRecursion("0.2", fold.beta[1] + sp.Rational(1, 10**40), **LARGE)
    blurred, one = run.fixed_points(digits=5)
    assert not blurred.separated
    assert blurred.stability == "neutral within precision"
    assert one.enclosure.low == 1
    assert run.limit(digits=5).kind == "undecided"
    first, second, one = run.fixed_points(digits=30)
    assert first.separated
    assert (first.stability, second.stability) == ("stable", "unstable")
    assert run.limit(digits=30).points == (first.enclosure,)


# Limits.


def orbit(run: SuccessRecursion, steps: int) -> list[float]:
    step = sp.lambdify(success, run.h, "mpmath")
    with mpmath.workdps(50):
        now, seen = mpmath.mpf(run.p_ref.p) / run.p_ref.q, []
        for _ in range(steps):
            seen.append(now)
            if 1 - now < 1e-40:
                break
            now = step(now)
        return seen


def test_the_divergent_case_of_the_paper_is_a_cycle_of_two() -> None:
    found = SuccessRecursion("0.001", 5, guard="1e-5", **LARGE).limit()
    assert (found.kind, found.period) == ("cycle", 2)
    assert 0 < found.multiplier[0] <= found.multiplier[1] < 1
    ends = sorted(orbit(SuccessRecursion("0.001", 5, guard="1e-5", **LARGE), 1500)[-2:])
    for point, end in zip(found.points, ends, strict=True):
        assert point.low - sp.Rational(1, 10**25) <= rational(end) <= point.high + sp.Rational(1, 10**25)
    assert found.points[0].high < sp.Rational("0.00862") < found.points[1].low


@pytest.mark.parametrize(("strength", "eps", "period"), [("0.3", "0.01", 3), (14, "1e-5", 2)])
def test_other_cycles_from_very_unlikely_successes(strength: object, eps: str, period: int) -> None:
    run = SuccessRecursion("1e-12", strength, guard=eps, **LARGE)
    found = run.limit()
    assert (found.kind, found.period) == ("cycle", period)
    lows = [float(point.low) for point in found.points]
    assert lows[0] == min(lows)
    step = sp.lambdify(success, run.h, "mpmath")
    for here, there in zip(lows, [*lows[1:], lows[0]], strict=True):
        assert step(mpmath.mpf(here)) == pytest.approx(there, rel=1e-6)


@pytest.mark.parametrize("p_ref", ["0.5", "0.8", "0.999"])
@pytest.mark.parametrize("strength", ["0.1", 3, 40])
@pytest.mark.parametrize("eps", [0, "1e-5", 1])
def test_from_one_half_on_the_orbit_rises_to_the_least_fixed_point(p_ref: str, strength: object, eps: object) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, **LARGE)
    found = run.limit()
    assert found.kind == "converges"
    assert found.points[0] == run.fixed_points()[0].enclosure
    seen = orbit(run, 40)
    assert all(a <= b for a, b in itertools.pairwise(seen))


@pytest.mark.parametrize(
    ("p_ref", "strength", "eps"),
    [
        ("0.2", 2, 0),
        ("0.2", "0.5", 0),
        ("0.001", 10, "1e-5"),
        ("0.01", "0.3", "0.01"),
        ("0.3", "0.2", 1),
        ("0.001", 2, "1e-5"),
    ],
)
def test_limits_agree_with_iteration(p_ref: str, strength: object, eps: object) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, **LARGE)
    found = run.limit()
    assert found.kind == "converges"
    assert float(found.points[0].low) == pytest.approx(float(orbit(run, 3000)[-1]), abs=1e-10)


def test_the_reverse_kl_is_iterated_too() -> None:
    found = SuccessRecursion("0.001", 5, penalty="forward-kl", group_size=sp.oo).limit()
    assert found.period == 2
    ends = sorted(orbit(SuccessRecursion("0.001", 5, penalty="forward-kl", group_size=sp.oo), 400)[-2:])
    assert [float(p.low) for p in found.points] == pytest.approx([float(e) for e in ends], rel=1e-9)


def test_finite_groups_with_a_sample_deviation() -> None:
    run = SuccessRecursion(
        "0.01", "0.25", group_size=6, sample_deviation=True, guard="1e-4", guard_inside=False, penalty="reverse-kl"
    )
    found = run.limit()
    assert found.kind == "converges"
    assert float(found.points[0].low) == pytest.approx(float(orbit(run, 500)[-1]), abs=1e-12)


def test_what_is_out_of_reach_is_undecided_with_a_reason() -> None:
    assert "closed form" in SuccessRecursion("0.2", 2, penalty="k3", group_size=sp.oo).limit().reason
    short = SuccessRecursion("0.001", 5, guard="1e-5", **LARGE).limit(steps=3)
    assert (short.kind, short.period) == ("undecided", 0)
    assert "3 steps" in short.reason


def test_the_convention_at_certainty() -> None:
    extended, zero = (SuccessRecursion("0.2", "0.1", at_certainty=c, **LARGE) for c in ("limit", "zero"))
    assert [p.enclosure.low for p in extended.fixed_points()] == [1]
    assert zero.fixed_points() == ()
    assert (extended(0), extended(1)) == (1, 1)
    assert zero(0) == zero(1) == sp.Rational(1, 5)
    assert zero.limit().points[0].low == 1
    assert "0/0" in zero.limit().reason
    assert SuccessRecursion("0.2", 1, guard=1, **LARGE)(1) == SuccessRecursion("0.2", 1, guard=1, **LARGE)(0)


# Properties.

reals = st.fractions(min_value="1/1000", max_value="999/1000", max_denominator=1000)
strengths = st.fractions(min_value="1/20", max_value=50, max_denominator=100)
guards = st.sampled_from(["0", "1e-5", "1e-2", "1"])


@settings(max_examples=60, deadline=None)
@given(p_ref=reals, strength=strengths, eps=guards, at=reals)
def test_the_map_lies_above_p_ref(p_ref: object, strength: object, eps: str, at: object) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, **LARGE)
    assert sp.N(run(at) - run.p_ref, 30) > 0


@settings(max_examples=40, deadline=None)
@given(p_ref=reals, strength=strengths, eps=guards, inside=st.booleans())
def test_every_enclosure_holds_a_change_of_sign(p_ref: object, strength: object, eps: str, inside: bool) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, guard_inside=inside, **LARGE)
    points = [point for point in run.fixed_points(digits=15) if point.enclosure.logit is not None]
    with mpmath.workdps(250):
        equation = logit_equation(run)
        for point in points:
            left, right = (equation(mpmath.mpf(int(e.p)) / int(e.q)) for e in point.enclosure.logit)
            assert not point.separated or left * right < 0
            assert point.enclosure.low > run.p_ref
    assert len(scanned(run, 40, 150)) <= len(points)
    assert len(run.fixed_points()) % 2 == (1 if run.guard > 0 else len(run.fixed_points()) % 2)


@settings(max_examples=25, deadline=None)
@given(p_ref=reals, strength=strengths, eps=guards)
def test_a_verdict_on_the_limit_agrees_with_iteration(p_ref: object, strength: object, eps: str) -> None:
    run = SuccessRecursion(p_ref, strength, guard=eps, **LARGE)
    found = run.limit()
    assert found.period == {"converges": 1, "undecided": 0}.get(found.kind, found.period)
    if found.kind != "undecided" and abs(found.multiplier[1]) < sp.Rational(9, 10):
        end = float(orbit(run, 60 + 250 * found.period)[-1])
        assert min(abs(float(point.low) - end) for point in found.points) < 1e-9


# What is given.


@pytest.mark.parametrize(
    ("options", "says"),
    [
        ({"p_ref": 0}, "p_ref must lie in"),
        ({"p_ref": 1}, "p_ref must lie in"),
        ({"p_ref": 1.2}, "p_ref must lie in"),
        ({"p_ref": math.nan}, "finite number"),
        ({"p_ref": "half"}, "finite number"),
        ({"p_ref": None}, "finite number"),
        ({"beta": 0}, "β must be positive"),
        ({"beta": -1}, "β must be positive"),
        ({"beta": math.inf}, "finite number"),
        ({"beta": sp.nan}, "finite number"),
        ({"guard": -1e-9}, "must not be negative"),
        ({"guard": "1/0"}, "finite number"),
        ({"group_size": 1}, "group size"),
        ({"group_size": 2.5}, "group size"),
        ({"group_size": 100}, "group size"),
        ({"penalty": "kl"}, "penalty"),
        ({"at_certainty": "one"}, "at_certainty"),
    ],
)
def test_bad_parameters_get_one_sentence(options: dict[str, object], says: str) -> None:
    with pytest.raises(BadInput, match=says) as caught:
        SuccessRecursion(**{"p_ref": 0.2, "beta": 1, **LARGE, **options})  # type: ignore[arg-type]
    assert "\n" not in str(caught.value)


def test_bad_arguments_of_methods() -> None:
    run = SuccessRecursion(0.2, 1, **LARGE)
    for call in (
        lambda: run(1.5),
        lambda: run(math.nan),
        lambda: run.fixed_points(0),
        lambda: run.limit(-1),
        lambda: SuccessRecursion(0.2, 1, penalty="k3", group_size=sp.oo).h,
    ):
        with pytest.raises(BadInput):
            call()


def test_floats_are_read_as_they_are_written() -> None:
    assert SuccessRecursion(0.001, 0.1, guard=1e-5, **LARGE) == SuccessRecursion(
        "1/1000", sp.Rational(1, 10), guard="0.00001", **LARGE
    )


def test_importing_the_package_stays_cheap() -> None:
    code = """
import sys, grpo_symbolic
assert "sympy" not in sys.modules
import grpo_symbolic.optimality


assert not [name for name in sys.modules if name.startswith("grpo_symbolic.optimality.dynamics")]
"""
    assert subprocess.run([sys.executable, "-c", code], check=False).returncode == 0
