"""Samples and witnesses: a counter-example must lie in the domain and be certain; an example must too."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.search.sampling import ExactWitness, Sampling
from grpo_symbolic.proof.statements.domain import Domain, reals, simplex
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, Witness
from grpo_symbolic.proof.statements.statement import Exists

x, y, z = sp.symbols("x y z", real=True)
n, o = sp.symbols("n o", integer=True)
pi, r = sp.IndexedBase("pi", real=True), sp.IndexedBase("r", real=True)


def sampled(obligation: Obligation) -> tuple[Outcome, Grade | None]:
    found = Sampling().check(obligation)
    return found.outcome, found.grade


def test_a_violation_is_certified_by_balls() -> None:
    assert sampled(Holds(Domain(0 < x, x < 1), x < sp.Rational(1, 2))) == (Outcome.refuted, Grade.certified)
    assert sampled(Identity(Domain(x > 0), sp.log(x**2), sp.log(x))) == (Outcome.refuted, Grade.certified)


def test_what_supposes_what_nowhere_holds_is_not_supported() -> None:
    inside, never = Domain(0 < x, x < 1), sp.Implies(x > 3, x < 2)
    for formula in (never, sp.Implies(x < 2, never, evaluate=False)):
        assert sampled(Holds(inside, formula))[0] is Outcome.unknown
    assert sampled(Holds(inside, sp.Implies(x < 2, sp.Implies(2 * x > 1, x < 3), evaluate=False)))[0] is Outcome.holds


def test_a_strict_relation_fails_where_both_sides_are_equal() -> None:
    touching = Holds(Domain(x > 0), x - 1 - sp.log(x) > 0)
    assert sampled(touching) == (Outcome.refuted, Grade.certified)
    assert "witness x = 1 " in Sampling().check(touching).artefact
    whole = sp.Sum(x / n, (o, 1, n))  # x for every n, which balls cannot tell where x/n is no binary number
    several = Domain(n >= 3, 0 < x, x < 1)
    assert sampled(Holds(several, sp.Lt(whole, x, evaluate=False))) == (Outcome.refuted, Grade.certified)
    assert sampled(Holds(several, sp.Ne(whole, x, evaluate=False))) == (Outcome.refuted, Grade.certified)
    assert sampled(Holds(several, sp.Le(whole, x, evaluate=False)))[0] is not Outcome.refuted
    assert sampled(Holds(several, sp.Lt(whole, x + sp.Rational(1, 10**70))))[0] is not Outcome.refuted


def test_agreement_is_never_more_than_sampled() -> None:
    assert Sampling().grade is Grade.sampled
    assert sampled(Holds(Domain(0 < x, x < 1), x < 1)) == (Outcome.holds, None)


def test_points_outside_the_domain_do_not_refute() -> None:
    assert sampled(Holds(Domain(0 < x, x < 1, y > x), y - x > 0))[0] is Outcome.holds
    assert sampled(Holds(Domain(simplex(pi, n), n >= 2, n <= 4), pi[o] < 1))[0] is Outcome.holds


def test_equality_up_to_rounding_is_no_refutation() -> None:
    tiny = sp.Rational(1, 10**50)
    close = sp.Lt(sp.sqrt(x) ** 2, x + tiny, evaluate=False)
    assert sampled(Holds(Domain(0 < x, x < 1), close))[0] is not Outcome.refuted
    assert (
        sampled(Holds(Domain(0 < x, x < 1), sp.Eq(sp.sqrt(x) ** 2 + tiny - tiny, x, evaluate=False)))[0]
        is Outcome.holds
    )


@pytest.mark.parametrize("formula", [sp.log(x) ** 2 >= 0, 1 / (x + sp.Abs(x)) ** 2 >= 0, sp.sqrt(x) >= 0])
def test_undefined_points_leave_it_open(formula: object) -> None:
    assert sampled(Holds(Domain(-1 <= x, x <= 1), formula))[0] is Outcome.unknown


def test_a_symbol_without_a_domain_is_not_sampled_as_an_index() -> None:
    assert sampled(Holds(Domain(reals(r, 3)), x > 0))[0] is Outcome.unknown


def test_derivatives_are_sampled_at_few_points_and_wrong_ones_refuted() -> None:
    domain = Domain(0 < x, x < 1)
    right = Identity(domain, sp.Derivative(sp.log(x) * x, x), sp.log(x) + 1)
    wrong = Identity(domain, sp.Derivative(sp.log(x) * x, x), sp.log(x))
    assert "12 points" in Sampling().check(right).artefact
    assert sampled(wrong) == (Outcome.refuted, Grade.certified)


def test_differences_are_taken_with_digits_to_spare_in_every_symbol_and_family() -> None:
    domain = Domain(0 < x, x < 1, y > 0)
    curve = sp.exp(x * y) * sp.sqrt(y)
    assert sampled(Identity(domain, sp.diff(curve, y, 2), sp.Derivative(curve, (y, 2))))[0] is Outcome.holds
    weighted = Identity(
        Domain(x > 0, simplex(pi, n), n >= 2, n <= 4),
        sp.Derivative(sp.Sum(pi[o] * x**2, (o, 1, n)), x),
        sp.Sum(2 * pi[o] * x, (o, 1, n)),
    )
    assert sampled(weighted)[0] is Outcome.holds


def witness(domain: Domain, formula: object, **values: object) -> Outcome:
    names = {"x": x, "y": y, "z": z, "n": n, "pi": pi.label, "r": r.label}
    point = tuple(
        (names[k], tuple(map(sp.sympify, v)) if isinstance(v, list) else sp.sympify(v)) for k, v in values.items()
    )
    return ExactWitness().check(Witness(domain, formula, point)).outcome


SIMPLEX = Domain(simplex(pi, n), n >= 2)
HALF = sp.Rational(1, 2)


def test_examples_inside() -> None:
    assert witness(Domain(x > 0), x > 1, x=2) is Outcome.holds
    assert witness(Domain(x > 0), x > 1, x=HALF) is Outcome.refuted
    assert witness(Domain(x > 0), sp.Eq(x**2, 2), x=sp.sqrt(2)) is Outcome.holds
    assert witness(SIMPLEX, pi[1] > pi[2], n=2, pi=[sp.Rational(2, 3), sp.Rational(1, 3)]) is Outcome.holds


@pytest.mark.parametrize(
    ("domain", "formula", "values"),
    [
        (Domain(x > 0), x < 1, {"x": -1}),
        (Domain(x > 0, sp.Eq(y, 2 * x)), y > x, {"x": 1, "y": 3}),
        (Domain(x > 0, y > 0), x < 2, {"x": 1}),
        (SIMPLEX, pi[1] > 1, {"n": 2, "pi": [2, -1]}),
        (SIMPLEX, pi[1] > 0, {"n": 2, "pi": [HALF, HALF, HALF]}),
        (SIMPLEX, pi[1] > 0, {"n": 3, "pi": [HALF, HALF]}),
        (SIMPLEX, pi[1] > 0, {"n": sp.Rational(5, 2), "pi": [HALF, HALF]}),
        (SIMPLEX, n > 1, {"n": 2}),
        (
            Domain(x > 0),
            sp.Eq(x, sp.sqrt(2)),
            {"x": sp.Rational(str(sp.N(sp.sqrt(2), 75)))},
        ),  # balls cannot tell; guessing would say yes
        (Domain(x, y), sp.Eq(sp.sqrt(x) * sp.sqrt(y), sp.sqrt(x * y)), {"x": -1, "y": 1}),
        (Domain(x), sp.Ge(sp.log(x), sp.log(x) - 1 + y), {"x": 0, "y": 1}),
    ],
    ids=str,
)
def test_examples_that_are_none(domain: Domain, formula: object, values: dict) -> None:
    assert witness(domain, formula, **values) is not Outcome.holds


def test_an_example_that_is_no_real_number_is_refused() -> None:
    with pytest.raises(ReadingError, match="ImaginaryUnit"):
        witness(Domain(x >= 0), sp.Ge(x, 0), x=sp.I)


def test_an_equation_just_missed_is_not_an_equation() -> None:
    near = sp.Rational(str(sp.N(sp.sqrt(2), 30)))
    assert witness(Domain(x > 0), sp.Eq(x**2, 2), x=near) is Outcome.refuted


@pytest.mark.parametrize(
    ("point", "domain", "outcome"),
    [
        ({x: 2, y: HALF}, Domain(0 < x, x < 1, y > 0), "refuted"),
        ({x: HALF, y: sp.Rational(1, 3)}, Domain(0 < x, x < 1, y > 0), "holds"),
        ({x: sp.Rational(5, 2), y: 1, n: sp.Rational(3, 2)}, Domain(x > 0, y > 0, n >= 1), "refuted"),
        ({x: 2, y: 1, pi: [HALF, sp.Rational(1, 4), HALF]}, Domain(x > y, simplex(pi, 3)), "refuted"),
        ({x: 2, y: 1, pi: [HALF, sp.Rational(1, 4), sp.Rational(1, 4)]}, Domain(x > y, simplex(pi, 3)), "holds"),
        ({x: 2, y: 1, pi: [sp.sqrt(2) / 2, 1 - sp.sqrt(2) / 2]}, Domain(x > y, simplex(pi, 2)), "holds"),
        ({x: 1, y: 2}, Domain(x < y, simplex(pi, 2)), "unknown"),
    ],
)
def test_an_example_outside_of_the_domain_is_none(point: dict[Any, Any], domain: Domain, outcome: str) -> None:
    (example,) = Exists(x > y, point).obligations(domain)
    assert ExactWitness().check(example).outcome.value == outcome
    assert Sampling().check(example).outcome.value == ("refuted" if outcome == "unknown" else outcome)
