"""Counts of roots: proved, refuted, left open where they depend on a parameter or an end is a root."""

from __future__ import annotations

import pytest
import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.check.roots import Sturm
from grpo_symbolic.proof.search.root_samples import RootSamples
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.obligation import RootCount

pytestmark = pytest.mark.usefixtures("queries_are_answered")

x, a, b, p = sp.symbols("x a b p", real=True)
oo = sp.oo
NONE = Domain()


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
