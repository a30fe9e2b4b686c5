"""Domains and the two arithmetics: emptiness, points, three-valued truth, and values that must not be made up."""

from __future__ import annotations

from typing import Any

import pytest
import sympy as sp
from hypothesis import given, settings
from hypothesis import strategies as st

from grpo_symbolic.errors import DomainError, ReadingError
from grpo_symbolic.proof.statements.arithmetic import ARB, MPMATH, Arithmetic, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Family, positives, reals, simplex
from grpo_symbolic.proof.statements.evaluate import evaluate, truth
from grpo_symbolic.proof.statements.hypotheses import domain_latex
from grpo_symbolic.proof.statements.points import Drawing

x, y, z = sp.symbols("x y z", real=True)
n, o, k = sp.symbols("n o k", integer=True)
pi, r = sp.IndexedBase("pi", real=True), sp.IndexedBase("r", real=True)


@pytest.mark.parametrize(
    "constraints",
    [
        (x > 1, x < 0),
        (sp.Eq(x, 1), sp.Eq(x, 2)),
        (sp.Eq(x, y), x > y),
        (sp.S.false,),
        (x**2 < 0,),
        (x > 0, y > 0, x + y < -1),
    ],
)
def test_an_empty_domain_is_refused(constraints: tuple) -> None:
    with pytest.raises(DomainError, match=r"empty|circle"):
        Domain(*constraints)


def test_definitions_that_go_round_are_refused() -> None:
    with pytest.raises(DomainError, match="circle"):
        Domain(sp.Eq(x, y + 1), sp.Eq(y, x - 1), x > 0)


@given(st.integers(0, 2**31))
@settings(max_examples=25, deadline=None)
def test_points_satisfy_every_constraint(seed: int) -> None:
    domain = Domain(0 < x, x < 1, y > x, sp.Eq(z, x + y), simplex(pi, n), n >= 2, n <= 4)
    for point in domain.points(4, seed=seed):
        assert 0 < point[x] < 1
        assert point[y] > point[x]
        assert point[z] == point[x] + point[y]
        assert sum(point[pi.label]) == 1
        assert all(v > 0 for v in point[pi.label])
        assert len(point[pi.label]) == point[n]


def test_points_hug_the_ends() -> None:
    drawn = [p[x] for p in Domain(0 < x, x < 1).points(60, seed=5)]
    assert min(drawn) < sp.Rational(1, 100)
    assert max(drawn) > sp.Rational(99, 100)


@pytest.mark.parametrize("total", [sp.Sum(k * x, (k, 1, 3)), sp.Product(k * x, (k, 1, 3)) + k])
def test_a_letter_may_be_the_index_of_a_sum_too(total: sp.Expr) -> None:
    """As a letter it has the value of the point, and as an index it runs."""
    for point in Domain(sp.Eq(y, total), k >= 1, x > 0).points(8, seed=1):
        indexed = total.replace(lambda e: isinstance(e, sp.Sum | sp.Product), lambda e: e.doit())
        assert sp.simplify(point[y].doit() - indexed.xreplace({k: point[k], x: point[x]})) == 0


def test_a_point_where_a_definition_has_no_value_is_passed_over() -> None:
    found = list(Domain(0 < x, x < 1, 0 < y, y < 1, sp.Eq(z, x / (x - y))).points(20))
    assert len(found) == 20
    assert all(q[x] != q[y] for q in found)


def test_special_points_lie_on_the_diagonals_of_families_and_of_their_totals() -> None:
    here, there, other = map(sp.IndexedBase, ("here", "there", "other"))
    domain = Domain(simplex(here, n, x), simplex(there, n, y), reals(other, n), n >= 2, 0 < x, x < 1, 0 < y, y < 1)
    points = list(map(domain.drawing.in_sympy, domain.drawing.special()))
    alike = [q for q in points if q[here.label] == q[there.label]]
    assert alike
    assert all(q[x] == q[y] for q in alike)
    assert any(q[other.label] == q[here.label] for q in points)


def test_special_points_have_families_whose_numbers_are_all_alike() -> None:
    here, there = map(sp.IndexedBase, ("here", "there"))
    points = list(Domain(simplex(here, n), simplex(there, 3), n >= 2, n <= 4).drawing.special())
    even = [{name for name in ("here", "there") if len(set(q[name])) == 1} for q in points]
    assert {"here"} in even
    assert {"there"} in even
    assert {"here", "there"} in even
    assert all(sum(q[name]) == 1 for q in points for name in ("here", "there"))


def test_an_equation_between_sums_that_hardly_holds_is_given_up_soon(monkeypatch: pytest.MonkeyPatch) -> None:
    drawn = []
    draw = Drawing._draw
    monkeypatch.setattr(Drawing, "_draw", lambda self, *args, **how: drawn.append(1) or draw(self, *args, **how))
    for _ in range(2):  # the second time nothing is drawn
        with pytest.raises(DomainError, match="so thin"):
            Domain(0 < x, x < 1, n >= 2, sp.Eq(sp.Sum(sp.sqrt(x * k), (k, 1, n)), sp.sqrt(2)))
        assert 0 < len(drawn) <= 1500


def test_a_second_equation_for_a_symbol_is_a_constraint() -> None:
    domain = Domain(sp.Eq(x, 2 * y), sp.Eq(x, y + 1), sp.Eq(y, 1))
    assert domain.point[x] == 2


def test_a_reader_is_told_every_equation() -> None:
    assert domain_latex(Domain(0 < x, x < 1, sp.Eq(2 * x, 1)), sp.latex).endswith(r"2 x = 1")


def test_contains_checks_definitions_too() -> None:
    domain = Domain(sp.Eq(x, 2 * y), y > 0)
    assert domain.contains({x: sp.Integer(2), y: sp.Integer(1)})
    assert not domain.contains({x: sp.Integer(3), y: sp.Integer(1)})


def test_undecided_is_neither_contained_nor_excluded() -> None:
    at_the_end = {x: sp.sqrt(2), y: sp.Integer(1)}
    domain = Domain(x**2 <= 2, y > 0)
    assert not domain.contains(at_the_end)
    assert not domain.excludes(at_the_end)
    assert domain.excludes({x: sp.Integer(2), y: sp.Integer(1)})


@pytest.mark.parametrize(
    "assumption",
    ["positive", "nonnegative", "negative", "zero", "nonzero", "even", "prime", "rational", "irrational", "imaginary"],
)
def test_assumptions_of_symbols_are_said_in_the_domain_or_refused(assumption: str) -> None:
    with pytest.raises(ReadingError, match="carries an assumption"):
        Domain(sp.Symbol("w", **{assumption: True}))


def test_a_family_is_said_once() -> None:
    with pytest.raises(DomainError, match="twice"):
        Domain(simplex(pi, 2), simplex(pi, 2, 2))


def test_a_whole_number_is_no_fraction() -> None:
    with pytest.raises(DomainError, match="empty"):
        Domain(sp.Eq(n, x), 0 < x, x < 1)


def test_families_admit_only_what_they_say() -> None:
    family = simplex(pi, n)
    assert family.admits({n: sp.Integer(2), pi.label: [sp.Rational(1, 3), sp.Rational(2, 3)]})
    for values in ([2, -1], [sp.Rational(1, 2)], [sp.Rational(1, 3)] * 2, [], [sp.nan, 1], [sp.I, 1 - sp.I]):
        assert not family.admits({n: sp.Integer(2), pi.label: values})


def test_families_cover_their_subsets() -> None:
    wide: Family = reals(pi, n)
    middle, narrow = positives(pi, n), simplex(pi, n)
    assert wide.covers(middle)
    assert middle.covers(narrow)
    assert not narrow.covers(middle)
    assert not middle.covers(wide)
    assert not reals(r, n).covers(wide)


def test_domain_keys_tell_domains_apart() -> None:
    keys = [
        Domain(0 < x, x < 1),
        Domain(0 <= x, x < 1),
        Domain(0 < x, x < 2),
        Domain(0 < x, x < 1, reals(pi, 2)),
        Domain(0 < x, x < 1, simplex(pi, 2)),
        Domain(0 < x, x < 1, simplex(pi, 3)),
        Domain(0 < x, x < 1, simplex(pi, 2, 2)),
        Domain(0 < x, x < 1, y),
    ]
    assert len({d.key() for d in keys}) == len(keys)
    assert Domain(0 < x, x < 1).key() == Domain(x < 1, 0 < x).key()


# -- evaluation ---------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("field", [ARB, MPMATH])
@pytest.mark.parametrize(
    ("expression", "at"),
    [
        (1 / x, 0),
        (sp.log(x), 0),
        (1 / sp.log(x), 0),
        (sp.sqrt(x), -1),
        (sp.Abs(sp.sqrt(x)), -1),
        (sp.log(x), -2),
        (sp.tanh(sp.log(x)), 0),
    ],
)
def test_what_has_no_value_raises(field, expression, at) -> None:  # type: ignore[no-untyped-def]
    with pytest.raises(Undefined):
        evaluate(expression, {x: sp.Integer(at)}, field)


@pytest.mark.parametrize("field", [ARB, MPMATH])
@pytest.mark.parametrize(
    ("expression", "point"),
    [
        (pi[0], {pi.label: [1, 2]}),
        (pi[3], {pi.label: [1, 2]}),
        (pi[o], {pi.label: [1, 2], o: sp.Rational(3, 2)}),
        (sp.Sum(k, (k, 1, n)), {n: sp.Rational(5, 2)}),
        (sp.Sum(k, (k, 5, n)), {n: sp.Integer(1)}),
        (r[1], {}),
    ],
)
def test_what_cannot_be_looked_up_is_unsupported_not_guessed(
    field: Arithmetic, expression: sp.Expr, point: dict[Any, Any]
) -> None:
    exact = {
        key: ([sp.Integer(v) for v in value] if isinstance(value, list) else value) for key, value in point.items()
    }
    with pytest.raises(Unsupported):
        evaluate(expression, exact, field)


def test_truth_is_three_valued() -> None:
    at = {x: sp.sqrt(2)}
    assert truth(sp.Eq(x**2, 2), at, ARB) is None
    assert truth(sp.Or(sp.Eq(x**2, 2), x > 1), at, ARB) is True
    assert truth(sp.And(sp.Eq(x**2, 2), x < 1), at, ARB) is False
    assert truth(sp.Not(sp.Eq(x**2, 2)), at, ARB) is None
    assert truth(sp.Equivalent(x > 1, x > 0), at, ARB) is True


@given(st.fractions(min_value=-3, max_value=3), st.fractions(min_value=-3, max_value=3))
@settings(max_examples=60, deadline=None)
def test_balls_and_floats_agree(a, b) -> None:  # type: ignore[no-untyped-def]
    expression = sp.exp(x) * (x - y) ** 3 / (1 + y**2) + sp.Max(x, y) - sp.Abs(x * y)
    at = {x: sp.Rational(a.numerator, a.denominator), y: sp.Rational(b.numerator, b.denominator)}
    enclosure, value = evaluate(expression, at, ARB), evaluate(expression, at, MPMATH)
    assert abs(float(enclosure) - float(value)) < 1e-12 * (1 + abs(float(value)))


@pytest.mark.parametrize("order", [1, 2])
@given(st.fractions(min_value=-2, max_value=2))
@settings(max_examples=15, deadline=None)
def test_numeric_derivatives_do_not_use_the_rules_of_sympy(order: int, a) -> None:  # type: ignore[no-untyped-def]
    body = sp.exp(x * y) / (1 + x**2) + sp.sqrt(3 + x) * sp.log(4 + x)
    at = {x: sp.Rational(a.numerator, a.denominator), y: sp.Rational(1, 3)}
    expected = evaluate(sp.diff(body, x, order), at, ARB)
    assert evaluate(sp.Derivative(body, (x, order)), at, ARB).overlaps(expected)
    assert abs(float(evaluate(sp.Derivative(body, (x, order)), at, MPMATH)) - float(expected)) < 1e-12


def test_a_wrong_derivative_is_refuted_by_balls() -> None:
    wrong = sp.Eq(sp.Derivative(sp.log(x) * x, x), sp.log(x), evaluate=False)
    assert truth(wrong, {x: sp.Integer(2)}, ARB) is False
