"""The accurate forms: identities, checked in balls; and accurate, checked in ulps, where the plain forms are not."""

from __future__ import annotations

import math
import re
from typing import Any

import accuracy
import numpy as np
import pytest
import sympy as sp
from expressions import cases
from numeric_page import BEGIN, END, PAGE

from grpo_symbolic.notation import b, beta, n, p, q, t, u, v, x, y
from grpo_symbolic.numeric import compile, stabilise
from grpo_symbolic.numeric.compiler.functions import Expm1, Log1p, Log1pmx, LogAddExp, Share, plain

PAIR = (1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2
# One line a rule: an expression that the rule takes up, and the ranges of its symbols (all in (0, 1) unless given).
RULES: dict[str, tuple[Any, dict[Any, tuple[float, float]]]] = {
    "expm1": (1 - sp.exp(-t) + x, {t: (-3, 3)}),
    "weighted expm1": (x * sp.exp(t) - x + y, {t: (-3, 3)}),
    "cosh − 1": (3 * sp.cosh(t) - 3, {t: (-3, 3)}),
    "power − 1": (1 - (1 - p) ** n, {n: (2, 40)}),
    "power − 1 of a negative": ((1 + t) ** 5 - 1, {t: (-3, 3)}),
    "square − 1": (1 - (1 - p) ** 2, {}),
    "log1p": (sp.log(1 - x), {}),
    "softplus": (sp.log(1 + sp.exp(t)), {t: (-30, 30)}),
    "logaddexp": (sp.log(sp.exp(t) + sp.exp(-x)), {t: (-30, 30)}),
    "log of a ratio": (sp.log(x / y), {}),
    "log of a reciprocal": (sp.log(1 / (1 + sp.exp(-t))), {t: (-30, 30)}),
    "log of w·exp": (sp.log(x * sp.exp(-t) / (1 + y)), {t: (-30, 30)}),
    "logit": (sp.log(p / (1 - p)), {}),
    "difference of logits": (sp.log(p) - sp.log(1 - p) - sp.log(q) + sp.log(1 - q), {}),
    "k3": (p / x - sp.log(p / x) - 1, {}),
    "KL": (x * sp.log(x / p) + (1 - x) * sp.log((1 - x) / (1 - p)), {}),
    "KL of three": (
        sum(a * sp.log(a / c) for a, c in ((x, y), (p, q), (1 - x - p, 1 - y - q))),
        {x: (0, 0.5), y: (0, 0.5), p: (0, 0.5), q: (0, 0.5)},
    ),
    "1 − n/d": (1 - u / v, {u: (0, 9), v: (0, 9)}),
    "1 − sigmoid": (1 - 1 / (1 + p * sp.exp(-t)), {t: (-30, 30)}),
    "p − p²": (sp.sqrt(p - p**2 + x), {}),
    "conjugate": (1 - sp.sqrt(1 - x), {}),
    "conjugate, both signs": (PAIR, {b: (0, 4)}),
    "conjugate, complement": (1 - PAIR, {b: (0, 4)}),
    "conjugate, expanded square": ((1 - b + sp.sqrt(sp.expand((1 - b) ** 2 + 4 * b * p))) / 2, {b: (0, 4)}),
    "difference of roots": (sp.sqrt(1 + x) - sp.sqrt(1 - x), {}),
    "into max": (PAIR - sp.Max(p, 1 - b), {b: (0, 4)}),
    "into min": (x - 2 * sp.Min(y, x), {}),
}


@pytest.mark.parametrize("rule", RULES)
def test_every_rule_is_an_identity(rule: str) -> None:
    expression, ranges = RULES[rule]
    better = stabilise(expression)
    assert better != expression
    arguments = sorted(expression.free_symbols, key=str)
    rng = np.random.default_rng(5)
    points = [rng.uniform(*ranges.get(a, (0, 1)), 60) for a in arguments]
    first = compile(expression, arguments, "flint", stable=False, digits=80)(*points)
    for form in (better, plain(better)):
        for one, other in zip(first, compile(form, arguments, "flint", stable=False, digits=80)(*points), strict=True):
            assert one.overlaps(other)
            assert float((one - other).abs_upper()) < 1e-60 * (1 + float(one.abs_upper()))


def test_rules_find_their_forms_without_names() -> None:
    s, w = sp.symbols("s w", real=True)
    assert stabilise(w * sp.exp(s) - w) == w * Expm1(s)
    assert stabilise(sp.log(1 - w)) == Log1p(-w)
    assert stabilise(-sp.log(1 / (1 + sp.exp(-s)))) == LogAddExp(0, -s)
    assert stabilise(w - sp.log(w) - 1) == -Log1pmx(w - 1, w)
    assert stabilise(1 - 1 / (1 + sp.exp(s))) == Share(sp.exp(s))
    assert stabilise(w**2 + 1) == w**2 + 1  # nothing to gain, nothing changed


@pytest.mark.parametrize("case", cases(), ids=lambda c: c.name)
def test_errors_are_a_few_ulps_over_the_whole_domain(case: accuracy.Case) -> None:
    arguments, points = list(case.ranges), case.points(250, seed=11)
    ours = accuracy.measure(case.expression, arguments, points)
    assert ours.points > 150
    if "h(p)" not in case.name:
        assert ours.largest < 16


@pytest.mark.parametrize("name", ["h(p)", "1 − h(p)"])
@pytest.mark.parametrize(("low", "high"), [(0, 2), (2, 20), (20, 200), (200, 705), (705, 720)])
def test_errors_of_the_map_grow_with_its_shift_and_no_more(name: str, low: float, high: float) -> None:
    """With u = 2⁻⁵³, an ulp being u of the value at least: the shift d = 1/(β√(p(1−p) + ε)) comes out within 4.5u,
    after 1 − p, a product and a sum (half of these three, for the root), the root, a product and a reciprocal; so the
    two factors exp(−d/2) are off by 4.5ud and 4u, an ulp each, together; 1 − p_ref, two products and a quotient, and
    the sum and quotient of the share, add 6u. 720 is past log 2¹⁰²², where exp(−d) is no normal float any more.
    """
    case = next(c for c in cases() if c.name == name)
    drawn = dict(zip(map(str, case.ranges), case.points(20_000, seed=12), strict=True))
    shift = 1 / (drawn["beta"] * np.sqrt(drawn["success"] * (1 - drawn["success"]) + drawn["guard"]))
    chosen = np.flatnonzero((shift >= low) & (shift < high))[:400]
    if low == 705:
        beta = drawn["beta"] * shift / np.random.default_rng(5).uniform(low, high, len(shift))
        drawn, chosen = drawn | {"beta": beta}, np.flatnonzero(drawn["success_ref"] < 1e-4)[:400]
        shift = shift * 0 + high
    ours = accuracy.measure(case.expression, list(case.ranges), [column[chosen] for column in drawn.values()])
    assert ours.points > 100
    assert ours.largest <= 4.5 * min(high, float(shift[chosen].max())) + 10


def test_one_minus_h_keeps_its_digits_where_the_exponential_is_subnormal() -> None:
    """d = 735, where exp(−d) is a subnormal of four digits, and 1 − h = 6e-307 is a normal float."""
    case = next(c for c in cases() if c.name == "1 − h(p)")
    point = {"success": 0.5, "success_ref": 1e-13, "beta": 1 / (735 * math.sqrt(0.25 + 0.125)), "guard": 0.125}
    columns = [np.array([point[str(v)]]) for v in case.ranges]
    assert accuracy.measure(case.expression, list(case.ranges), columns).largest <= 4.5 * 735 + 10
    assert np.exp(-735.0) < np.finfo(float).tiny < compile(case.expression, list(case.ranges))(*columns)[0]


@pytest.mark.parametrize(
    "name", ["π(a) of pairs", "1 − π(a) of pairs", "1 − h(p)", "k1", "k3", "KL", "KL_0", "DPO loss", "pass@8", "logit"]
)
def test_the_plain_forms_are_not_accurate(name: str) -> None:
    case = next(c for c in cases() if c.name == name)
    assert accuracy.measure(case.expression, list(case.ranges), case.points(250, seed=11), stable=False).largest > 1e6


@pytest.mark.parametrize("backend", ["torch", "jax"])
def test_other_backends_are_as_accurate(backend: str) -> None:
    pytest.importorskip(backend)
    for case in cases():
        if case.name in ("π(a) of pairs", "KL", "DPO loss"):
            found = accuracy.measure(case.expression, list(case.ranges), case.points(100), backend=backend)
            assert found.largest < 16, case.name


def test_single_precision_is_measured_in_its_own_ulps() -> None:
    case = next(c for c in cases() if c.name == "k1")
    points = list(np.random.default_rng(2).uniform(0.01, 0.99, (2, 200)))
    found = accuracy.measure(case.expression, list(case.ranges), points, dtype="float32")
    assert 0.3 < found.largest < 16


def test_ends_of_the_pair() -> None:
    f = compile(PAIR, [p, b])
    np.testing.assert_allclose(f([0.25, 1e-300, 0.25], [1e300, 0.5, 1e-300]), [0.25, 0.5, 1.0], rtol=1e-15)
    np.testing.assert_allclose(f(1e-300, 3.0), 1.5e-300, rtol=1e-15)


def test_the_page_names_what_is_measured() -> None:
    text = PAGE.read_text(encoding="utf-8")
    table = text[text.index(BEGIN) : text.index(END)]
    rows = re.findall(r"^\| (.+?) \| (.+?) \|", table, re.MULTILINE)
    assert rows[1:] == [(c.name, c.source) for c in cases()] or rows[2:] == [(c.name, c.source) for c in cases()]


def test_the_table_has_one_row_a_case() -> None:
    lines = accuracy.table([c for c in cases() if c.name in ("k1", "k2")], count=40).splitlines()
    assert len(lines) == 4
    assert all(line.count("|") == 8 for line in lines)


def test_large_beta_is_no_overflow() -> None:
    f = compile(sp.sqrt((beta - 1) ** 2 + p), [beta, p], stable=True)
    assert np.isfinite(f(1e100, 0.5))


def test_the_logarithm_of_an_exponential_out_of_range_is_its_exponent() -> None:
    f = compile(sp.log(p * sp.exp(-t) / (1 - p)), [p, t], stable=True)
    np.testing.assert_allclose(f(0.75, [1e4, -1e4]), [math.log(3) - 1e4, math.log(3) + 1e4], rtol=1e-15)


def test_the_difference_of_two_roots_is_zero_where_both_are() -> None:
    f = compile(sp.sqrt(x) - sp.sqrt(y), [x, y], stable=True)
    np.testing.assert_array_equal(f([0.0, 0.25, 0.0], [0.0, 0.25, 0.25]), [0.0, 0.0, -0.5])
