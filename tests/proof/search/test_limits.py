"""Limits: proved, refuted, left open; parameters at special values."""

from __future__ import annotations

import pytest
import sympy as sp

from grpo_symbolic.proof.search.limits import Closing, Gruntz
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.obligation import LimitIs

pytestmark = pytest.mark.usefixtures("queries_are_answered")

x, a, b, p = sp.symbols("x a b p", real=True)
oo = sp.oo


def limit(e: object, point: object, value: object, domain: Domain, side: str = "+") -> LimitIs:
    return LimitIs(domain, sp.sympify(e), x, sp.sympify(point), side, sp.sympify(value))


def grade(found: object) -> Grade:
    return found.grade if found.grade is not None else Grade.symbolic  # type: ignore[attr-defined]


NONE = Domain()
PROBABILITY = Domain(0 < p, p < 1)
TRUE_LIMITS = [
    limit(sp.sinh(x) / x, 0, 1, NONE),
    limit(x * sp.log(x), 0, 0, NONE),
    limit(1 / x, 0, -oo, NONE, "-"),
    limit((1 + 1 / x) ** x, oo, sp.E, NONE, "-"),
    limit((a * x + 1) / (x + 2), oo, a, Domain(a >= -1, a <= 1), "-"),
    limit(-a * sp.log(x), 0, oo, Domain(a > 0)),
    limit(sp.exp(-a * x) * x, oo, 0, Domain(a > 0), "-"),
    limit((1 - x + sp.sqrt((1 - x) ** 2 + 4 * x * p)) / 2, oo, p, PROBABILITY, "-"),
]
FALSE_LIMITS = [
    limit(sp.sinh(x) / x, 0, 2, NONE),
    limit(1 / x, 0, oo, NONE, "-"),
    limit((a * x + 1) / (x + 2), oo, a + 1, Domain(a > 0, a < 1), "-"),
    limit(x * sp.log(x), 0, 1, NONE),
    limit(-a * sp.log(x), 0, 0, Domain(a > 0)),
]
SPECIAL = [  # true for generic parameters, false where a leading coefficient vanishes
    limit((a * x + 1) / (a * x + 2), oo, 1, Domain(a >= -1, a <= 1), "-"),
    limit(((a - b) * x + 1) / ((a - b) * x + 2), oo, 1, Domain(a > 0, b > 0), "-"),
    limit((a * x + x**2) / (a * x + 2 * x**2), 0, 1, Domain(a >= 0), "+"),
    limit(sp.sqrt(a * x**2 + x) / x, oo, sp.sqrt(a), Domain(a >= 0), "-"),
    limit(a * x, oo, oo, Domain(a >= 0), "-"),
    limit(sp.exp((a - b) * x), oo, oo, Domain(a > 0, b > 0), "-"),
]


@pytest.mark.parametrize("obligation", TRUE_LIMITS, ids=str)
def test_true_limits(obligation: LimitIs) -> None:
    found = Gruntz().check(obligation)
    assert found.outcome is Outcome.holds
    assert grade(found) is Grade.symbolic
    assert Closing().check(obligation).outcome is not Outcome.refuted


@pytest.mark.parametrize("obligation", FALSE_LIMITS, ids=str)
def test_false_limits(obligation: LimitIs) -> None:
    assert Gruntz().check(obligation).outcome is Outcome.refuted
    assert Closing().check(obligation).outcome is not Outcome.holds


@pytest.mark.parametrize("obligation", SPECIAL, ids=str)
def test_a_generic_limit_is_no_proof(obligation: LimitIs) -> None:
    try:
        found = Gruntz().check(obligation)
    except Exception:
        return  # an exception is unknown, which is right as well
    assert found.outcome is not Outcome.holds or not grade(found).is_proof


def test_equal_numbers_in_different_dress_are_no_refutation() -> None:
    obligation = limit(x + sp.sqrt(3 - 2 * sp.sqrt(2)), 0, sp.sqrt(2) - 1, NONE)
    assert Gruntz().check(obligation).outcome is not Outcome.refuted


def test_an_infinite_limit_whose_sign_is_open_refutes_nothing():
    """SymPy gives exp(∞·sign(log(x/y))) for (x/y)^t: no value that could contradict the right one."""
    u, v, t = sp.symbols("u v t", real=True)
    growing = LimitIs(Domain(0 < v, v < u, u < 1), (u / v) ** t, t, sp.oo, "+", sp.oo)
    assert Gruntz().check(growing).outcome is not Outcome.refuted


def test_a_limit_that_is_approached_late_is_not_refuted():
    """The divergence falls until y = x before it rises without bound: at 10⁻¹⁰ no neighbourhood in reach shows it."""
    y = sp.Symbol("y", real=True)
    divergence = x * sp.log(x / y) + (1 - x) * sp.log((1 - x) / (1 - y))
    for small in ("1/10000000000", "1/10", "9/10"):
        at = Domain(sp.Eq(x, sp.Rational(small)))
        assert Closing().check(LimitIs(at, divergence, y, sp.S.Zero, "+", oo)).outcome is not Outcome.refuted
        assert Closing().check(LimitIs(at, y * divergence, y, sp.S.Zero, "+", oo)).outcome is not Outcome.holds


def test_a_bounded_neighbourhood_refutes_an_infinite_limit():
    assert Closing().check(limit(x**2 + 1, 0, oo, NONE)).outcome is Outcome.refuted
    assert Closing().check(limit(x**2 + 1, 0, 2, NONE)).outcome is Outcome.refuted


def test_a_limit_found_with_a_hidden_zero_below_refutes_nothing():
    """x(1 − x)/(x − p) grows without bound at p⁺; SymPy's value has a denominator that is zero in disguise."""
    steep = LimitIs(PROBABILITY, x * (1 - x) / (x - p), x, p, "+", oo)
    assert Gruntz().check(steep).outcome is not Outcome.refuted
