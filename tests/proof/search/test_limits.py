"""Limits, root counts and boxes: proved, refuted, left open; parameters at special values and ends of intervals."""

from __future__ import annotations

from collections.abc import Iterator

import pytest
import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.check.ball import BranchAndBound
from grpo_symbolic.proof.check.roots import Sturm
from grpo_symbolic.proof.search.limits import Closing, Gruntz
from grpo_symbolic.proof.search.recipes import with_z3
from grpo_symbolic.proof.search.root_samples import RootSamples
from grpo_symbolic.proof.statements.domain import Domain, reals
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, LimitIs, RootCount

x, a, b, p = sp.symbols("x a b p", real=True)
r = sp.IndexedBase("r", real=True)
oo = sp.oo


@pytest.fixture(autouse=True)
def _queries_are_answered() -> Iterator[None]:
    """By Z3, as in every run of a checker."""
    with with_z3():
        yield


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


def roots(e: object, low: object, high: object, count: int, domain: Domain) -> RootCount:
    return RootCount(domain, sp.sympify(e), x, sp.sympify(low), sp.sympify(high), count)


COUNTS = [
    (x**2 - (1 - b) * x - b * p, 0, 1, 1, Domain(0 < p, p < 1, b > 0)),
    ((x - sp.Rational(1, 2)) ** 2 * (x - sp.Rational(1, 3)), 0, 1, 2, NONE),
    (x**3 - 3 * x + 1, -oo, oo, 3, NONE),
    (x**2 + a, -oo, oo, 0, Domain(a > 0)),
    (x**4 + 1, -oo, oo, 0, NONE),
    (a * x - 1, 0, oo, 1, Domain(a > 0)),
    ((x**2 - a) ** 2, 0, oo, 1, Domain(a > 0)),
]


@pytest.mark.parametrize(("e", "low", "high", "count", "domain"), COUNTS, ids=str)
@pytest.mark.parametrize("off", [0, 1, -1])
def test_sturm_counts(e: object, low: object, high: object, count: int, domain: Domain, off: int) -> None:
    if count + off < 0:
        with pytest.raises(ClaimError, match="no number of roots"):
            Sturm().check(roots(e, low, high, count + off, domain))
        return
    expected = Outcome.holds if off == 0 else Outcome.refuted
    assert Sturm().check(roots(e, low, high, count + off, domain)).outcome is expected


@pytest.mark.parametrize(
    ("e", "domain"),
    [
        (a * x**2 + x - 1, Domain(a >= -1, a <= 1)),  # the leading coefficient vanishes at a = 0
        (a * x - a / 2, Domain(a >= -1, a <= 1)),  # everything vanishes at a = 0
        (x - (a**2 + a) / (a * (a + 1)) / 2, Domain(a >= -1, a <= 1)),  # without a value at a = 0
        (x * (x - a), Domain(0 < a, a < 1)),  # an end is a root
        (x**2 - a, Domain(a > -1, a < 2)),  # one, none or two, as a has it
    ],
    ids=str,
)
@pytest.mark.parametrize("count", [0, 1, 2])
def test_sturm_leaves_open_what_depends_on_the_parameter(e: object, domain: Domain, count: int) -> None:
    assert Sturm().check(roots(e, 0, 1, count, domain)).outcome is not Outcome.holds


def test_samples_of_roots_never_prove() -> None:
    checker = RootSamples()
    assert checker.grade is Grade.sampled
    assert checker.check(roots(x**2 - a, 0, 1, 1, Domain(0 < a, a < 1))).outcome is Outcome.holds
    wrong = checker.check(roots(x**2 - a, 0, 1, 2, Domain(0 < a, a < 1)))
    assert (wrong.outcome, wrong.grade) == (Outcome.refuted, Grade.sampled)


BOX = Domain(0 < x, x < 1, 0 < p, p < 1)


@pytest.mark.parametrize(
    ("formula", "domain", "expected"),
    [
        (sp.exp(x) < 3, BOX, Outcome.holds),
        (sp.exp(x) * (1 - x) ** 3 > -1, BOX, Outcome.holds),
        (sp.Or(x < sp.Rational(3, 4), x > sp.Rational(1, 4)), BOX, Outcome.holds),
        (sp.exp(x - p) < 2, BOX, Outcome.refuted),
        (sp.log(1 + x) >= 0, Domain(0 < x, x < 1), Outcome.unknown),  # equality at the end, which the closed box holds
        (1 / x > 1, Domain(0 < x, x < 1), Outcome.unknown),
        (sp.exp(x) > 1 + x, Domain(sp.Rational(1, 3) < x, x < 1), Outcome.holds),
        (sp.exp(x) > sp.E, Domain(0 < x, x < 2, x > 1), Outcome.unknown),
    ],
    ids=str,
)
def test_branch_and_bound(formula: object, domain: Domain, expected: Outcome) -> None:
    assert BranchAndBound(boxes=400).check(Holds(domain, formula)).outcome is expected


def test_a_box_is_refuted_only_inside_the_domain() -> None:
    outside_only = Domain(0 < x, x < 1, 0 < p, p < 1, x + p < 1)
    assert (
        BranchAndBound(boxes=3000).check(Holds(outside_only, sp.exp(x + p) < sp.Rational(11, 4))).outcome
        is Outcome.holds
    )


@pytest.mark.parametrize(
    "domain", [Domain(x > 0), Domain(x), Domain(0 < x, x < sp.sqrt(2)), Domain(0 < x, x < 1, sp.Eq(a, x**2))]
)
def test_boxes_without_rational_ends_are_not_for_it(domain: Domain) -> None:
    assert not BranchAndBound().applies(Holds(domain, sp.Gt(sp.exp(x), 0, evaluate=False)))


def test_families_are_not_for_it() -> None:
    assert not BranchAndBound().applies(Holds(Domain(reals(r, 2), 0 < x, x < 1), r[1] ** 2 + x > -1))


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
