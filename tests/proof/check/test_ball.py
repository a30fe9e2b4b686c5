"""Boxes: proved, refuted inside the domain only, left open; and what is not for balls."""

from __future__ import annotations

import pytest
import sympy as sp

from grpo_symbolic.proof.check.ball import BranchAndBound
from grpo_symbolic.proof.statements.domain import Domain, reals
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.obligation import Holds

pytestmark = pytest.mark.usefixtures("queries_are_answered")

x, a, p = sp.symbols("x a p", real=True)
r = sp.IndexedBase("r", real=True)


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
