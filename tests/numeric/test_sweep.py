"""Sweeps: what is drawn, what floats may say about a claim, and what only ball arithmetic may say."""

from __future__ import annotations

from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import G, beta, i, j, n, p, pi, r, ref, success, t, u, x, y
from grpo_symbolic.numeric import backends, sweep
from grpo_symbolic.numeric.compiler.functions import plain
from grpo_symbolic.numeric.sweeps import _TINY, _margin, _Unsweepable, _Way, _ways
from grpo_symbolic.proof import Always, Domain, Equal, On, Tends, positives, reals, simplex
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements import arithmetic
from grpo_symbolic.proof.statements.evaluate import truth
from grpo_symbolic.proof.statements.evidence import Outcome
from grpo_symbolic.proof.statements.obligation import Holds
from grpo_symbolic.proof.statements.statement import Statement

NUMPY = backends.get("numpy")
inside = Domain(0 < p, p < 1)
TINY = sp.Rational(1, 10**20)
BACKENDS = ["numpy", "torch", "jax"]


def stated(statement: Statement, domain: Domain = inside) -> Claim:
    """A claim that belongs to no paper."""
    return Claim("made-up", "test", "here", "A test", "test", statement, domain, "1=1")


def way(formula: Any, domain: Domain, dtype: str = "float64") -> _Way:
    """How an inequality is swept, at the least sizes."""
    return _ways(Holds(domain, formula), backends.get("numpy", None, dtype))[0]


def drawn(of: _Way, count: int = 100_000, seed: int = 0) -> dict[Any, np.ndarray]:
    """What is drawn, by symbol."""
    columns = [*of.boxes, *(e for entries in of.families.values() for e in entries)]
    return dict(zip(columns, of.draw(np.random.default_rng(seed), count), strict=True))


# -- what is drawn ------------------------------------------------------------------------------------------------


def test_every_end_is_hugged_open_ones_never_met_and_closed_ones_met() -> None:
    domain = Domain(0 < p, p < 1, beta > 0, x >= 0, x <= 3, sp.Ge(y, -2), sp.Symbol("t", real=True) < 5)
    values = drawn(way(p + beta + x + y + t > 0, domain))
    assert values[p].min() > 0
    assert values[p].min() < 1e-25
    assert values[p].max() == np.nextafter(1, 0)
    assert values[beta].min() > 0
    assert values[beta].min() < 1e-25
    assert values[beta].max() > 1e25
    assert (values[x].min(), values[x].max()) == (0, 3)
    assert values[y].min() == -2
    assert values[t].max() == np.nextafter(5, 0)
    assert ((0.2 < values[p]) & (values[p] < 0.8)).mean() > 0.1
    moderate = [(0.01 < abs(v)) & (abs(v) < 100) for v in values.values()]
    assert np.all(moderate, axis=0).mean() > 0.05  # nothing remarkable anywhere


def test_numbers_and_rewards_have_ties() -> None:
    values = drawn(way(p * x * r[1] * r[2] < 1, Domain(0 < p, p < 1, 0 < x, x < 1, reals(r, 3))))
    assert 0.05 < (values[p] == values[x]).mean() < 0.3
    assert 0.2 < (values[r[1]] == values[r[2]]).mean() < 0.8
    assert np.isin(values[r[1]], (0, 1)).mean() > 0.25


@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_an_instance_is_exact_its_simplex_has_its_sum_and_its_definitions_hold(dtype: str) -> None:
    domain = Domain(0 < success, success < 1, sp.Eq(u, 1 / success), simplex(pi, 4, total=success), positives(ref, 2))
    of = way(pi[1] + u + ref[1] > 0, domain, dtype)
    for row in of.draw(np.random.default_rng(0), 20).T:
        point = of.in_sympy(of.point(row))
        assert sum(map(Fraction, map(str, point[pi.label]))) == Fraction(str(point[success]))
        assert point[u] == 1 / point[success]
        assert Fraction(str(point[success])) == Fraction(float(row[0]))
        assert domain.contains(point)


def test_sizes_are_small_numbers_that_the_domain_admits_and_indices_meet_and_part() -> None:
    k = sp.Symbol("k", integer=True)
    found = _ways(Holds(Domain(G >= 3, k >= 1, k <= G - 2, reals(r, G)), r[i] * r[j] + k <= G), NUMPY)
    assert len(found) == 4
    assert all(of.sizes[G] >= 3 and 1 <= of.sizes[k] <= of.sizes[G] - 2 for of in found)
    assert len({of.sizes[G] for of in found}) > 1
    assert {of.sizes[i] == of.sizes[j] for of in found} == {True, False}
    with pytest.raises(_Unsweepable, match="no domain for t"):
        _ways(Holds(inside, p < t), NUMPY)


# -- margins ------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    "formula",
    [
        p * (1 - p) < sp.Rational(1, 5),
        sp.Or(p > sp.Rational(3, 4), sp.And(p >= sp.Rational(1, 4), p < sp.Rational(1, 2))),
        sp.Implies(p > sp.Rational(1, 2), p**2 > sp.Rational(3, 10)),
        sp.Equivalent(p > sp.Rational(1, 2), 1 - p < sp.Rational(1, 2)),
        sp.Not(sp.And(p > sp.Rational(3, 8), p < sp.Rational(5, 8))),
        sp.Max(p, 1 - p) >= sp.Rational(5, 8),
        sp.Ne(p, sp.Rational(1, 2)),
    ],
)
def test_the_sign_of_a_margin_is_the_truth(formula: Any) -> None:
    least = plain(_margin(formula)).subs(_TINY, TINY)
    for k in range(1, 64):
        value = sp.Rational(k, 64)
        exact = least.subs(p, value)
        assert exact == 0 or (exact > 0) == truth(formula, {p: value}, arithmetic.ARB), value
        assert abs(exact) <= 1


# -- sweeps -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize("backend", BACKENDS)
def test_a_claim_that_is_false_in_a_thin_corner_only_is_refuted_there(backend: str) -> None:
    pytest.importorskip(backend)
    domain = Domain(0 < p, p < 1, beta > 0)
    corner = sp.Rational(1, 10**9)
    found = sweep(stated(Always(sp.Or(p < 1 - corner, beta > corner)), domain), 100_000, backend, worst=60)
    (part,) = found.parts
    assert found.refuted
    assert part.outcome is Outcome.refuted
    assert part.violations > 0
    assert part.witness[p] >= 1 - corner
    assert part.witness[beta] <= corner
    assert domain.contains(part.witness)
    assert f"refuted at the exact point beta = {part.witness[beta]}, p = " in part.sentences[-1]


def test_a_tie_refutes_what_is_strict_and_nothing_else() -> None:
    domain = Domain(0 <= x, x <= 1)
    strict, not_strict = (
        sweep(stated(Always(of), domain), 5000, worst=50) for of in (x * (1 - x) > 0, x * (1 - x) >= 0)
    )
    assert strict.refuted
    assert strict.parts[0].violations == 0  # a tie is within rounding; only balls tell
    assert strict.parts[0].witness[x] in (0, 1)
    assert not not_strict.refuted
    assert not_strict.parts[0].confirmed["cleared"] == 50


def test_a_near_tie_is_not_refuted() -> None:
    tiny = sp.Rational(1, 10**100)
    (part,) = sweep(stated(Always((1 + p) ** 2 + tiny > p**2 + 2 * p + 1)), 500, worst=5).parts
    assert part.within_rounding == 500
    assert part.confirmed["cleared"] == 5  # precision rises until balls decide
    (part,) = sweep(stated(Always((1 + p) ** 2 - tiny > p**2 + 2 * p + 1)), 500, worst=5).parts
    assert part.violations == 0
    assert part.outcome is Outcome.refuted


ROUNDED = Always(sp.sqrt(sp.cosh(beta) - sp.sinh(beta)) > sp.exp(-beta / 2) / 2)  # cancels where β is large
LARGE = Domain(19 < beta, beta < 300)


def test_a_violation_by_rounding_is_counted_cleared_and_explained() -> None:
    (part,) = sweep(stated(ROUNDED, LARGE), 400, worst=400).parts
    assert part.violations > 0
    assert part.confirmed["cleared"] == part.examined == 400 - part.without_value
    assert part.outcome is Outcome.holds
    assert "so these violations are rounding" in part.sentences


def test_a_float_violation_that_nobody_looked_at_leaves_the_outcome_open() -> None:
    found = sweep(stated(ROUNDED, LARGE), 4000, worst=10)
    assert found.parts[0].outcome is Outcome.unknown
    assert "milder violations not looked at" in found.parts[0].sentences[-1]
    assert not found.refuted


def test_an_identity_holds_to_rounding_and_a_wrong_one_is_refuted() -> None:
    domain = Domain(n >= 2, simplex(pi, n), reals(r, n))
    mean = sp.Sum(pi[i] * r[i], (i, 1, n))
    variance = sp.Sum(pi[i] * (r[i] - mean) ** 2, (i, 1, n))
    second = sp.Sum(pi[j] * r[j] ** 2, (j, 1, n))
    right = sweep(stated(Equal(variance, second - mean**2), domain), 2000, worst=20)
    assert right.parts[0].outcome is Outcome.holds
    assert right.parts[0].within_rounding == 2000
    assert len(right.parts[0].sizes) == 4
    false = sweep(stated(Equal(variance, second - mean**2 * (1 + sp.Rational(1, 10**20))), domain), 2000, worst=60)
    assert false.parts[0].violations == 0  # far below what floats can see, found by balls among the worst
    assert false.refuted


def test_sides_that_balls_cannot_tell_apart_are_cleared_where_they_may_be_equal() -> None:
    powers = sp.exp(beta) * sp.exp(p), sp.exp(beta + p)
    domain = Domain(0 < p, p < 1, 0 < beta, beta < 9)
    (part,) = sweep(stated(Equal(sp.log(powers[0]), beta + p), domain), 500, worst=5).parts
    assert part.confirmed["cleared"] == 5
    (part,) = sweep(stated(Always(sp.log(1 + powers[0]) < sp.log(1 + powers[1])), domain), 500, worst=5).parts
    assert part.confirmed["undecided"] == 5
    assert not part.witness


def test_what_has_no_value_is_counted_apart() -> None:
    claim = stated(Always(sp.sqrt(p - sp.Rational(1, 3)) >= 0))
    (part,) = sweep(claim, 20_000, worst=10).parts
    values = drawn(way(sp.sqrt(p - sp.Rational(1, 3)) >= 0, inside), 20_000, seed=[0, 0, 0])[p]
    assert part.without_value == (values < 1 / 3).sum() > 1000
    assert part.violations == 0
    assert "without a value" in " ".join(part.sentences)


def test_a_constraint_between_symbols_rejects_and_counts() -> None:
    domain = Domain(0 < x, x < 1, 0 < y, y < 1, x < y)
    (part,) = sweep(stated(Always(y - x > 0), domain), 30_000, worst=10).parts
    values = drawn(way(y - x > 0, domain), 30_000, seed=[0, 0, 0])
    assert part.accepted == (values[x] < values[y]).sum()
    assert part.rejected == 30_000 - part.accepted > 1000
    assert part.outcome is Outcome.holds


def test_a_violation_outside_the_domain_by_a_rounding_refutes_nothing() -> None:
    third = sp.Rational(1, 3)  # no float: the nearest one lies outside
    (part,) = sweep(stated(Always(p <= third), Domain(p <= third)), 5000, worst=50).parts
    assert part.outcome is Outcome.holds
    root = sp.sqrt(2) / 2  # nor is it rational, so that it is the floats that reject
    (part,) = sweep(stated(Always(p <= root), Domain(0 < p, p <= root)), 5000, worst=50).parts
    assert part.outcome is Outcome.holds


def test_the_worst_of_a_stream_are_the_worst_of_all_whatever_the_chunks() -> None:
    formula = p * (1 - p) < sp.Rational(1, 4) + sp.Rational(1, 1000)
    few, many = (sweep(stated(Always(formula)), 12_345, chunk=c, worst=25).parts[0].to_json() for c in (512, 100_000))
    of = way(formula, inside)
    margins, _ = of.margins(of.draw(np.random.default_rng([0, 0, 0]), 12_345))
    assert few["worst_margin"] == margins.min()
    for found in (few, many):
        del found["seconds"], found["per_second"]
    assert few == many


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_backends_agree(backend: str) -> None:
    pytest.importorskip(backend)
    claim = stated(Always(sp.log(1 + beta) * p > beta / 2), Domain(0 < p, p < 1, beta > 0))
    one, two = (sweep(claim, 10_000, b, worst=20).parts[0] for b in ("numpy", backend))
    assert abs(one.violations - two.violations) <= 2
    assert one.rejected == two.rejected
    assert one.worst_margin == pytest.approx(two.worst_margin, abs=1e-12)


def test_in_single_precision_too() -> None:
    (part,) = sweep(stated(Always(p * (1 - p) <= sp.Rational(1, 4))), 5000, dtype="float32", worst=20).parts
    assert part.outcome is Outcome.holds
    assert all(float(np.float32(float(v))) == float(v) for v in part.where.values())


def test_without_python_flint_confirmation_is_unavailable_and_said_so(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(arithmetic, "flint", None)
    false = sweep(stated(Always(p < sp.Rational(1, 2))), 2000)
    true = sweep(stated(Always(p < 2)), 2000)
    assert not false.refuted
    assert false.parts[0].outcome is Outcome.unknown
    assert true.parts[0].outcome is Outcome.holds
    assert "ball arithmetic unavailable: python-flint is not installed" in false.parts[0].sentences


def test_progress_goes_from_instances_to_balls_and_may_end_the_sweep() -> None:
    seen: list[tuple[int, int, str]] = []
    claim = stated(Always(p < 2) & Always(p > 0))
    sweep(claim, 1000, chunk=400, worst=2, progress=lambda *at: seen.append(at))
    assert [at[:2] for at in seen] == [(k, 2000) for k in (400, 800, 1000, 1400, 1800, 2000)] + [(1, 2), (2, 2)] * 2
    assert seen[-1][2].startswith("in ball arithmetic")

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(claim, 1000, progress=stop)


# -- bad input ----------------------------------------------------------------------------------------------------

TRUE = stated(Always(p < 2))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"samples": 0}, "samples must be a whole number, 1 at least and .* at most, got 0"),
        ({"samples": 2.5}, "samples must be a whole number.*2.5"),
        ({"samples": float("nan")}, "samples must be a whole number.*nan"),
        ({"samples": float("inf")}, "samples must be"),
        ({"chunk": 0}, "chunk must be a whole number"),
        ({"seed": 1.5}, "the seed must be a whole number, got 1.5"),
        ({"backend": "cupy"}, "'cupy'"),
        ({"device": "cuda"}, "cuda"),
        ({"backend": "torch", "device": "cuda:77"}, "cuda:77"),
        ({"dtype": "float16"}, "float16"),
        ({"claim": stated(Tends(p / (1 + p), p, 0, 0))}, "nothing to sweep in made-up: limit: LimitIs"),
        ({"claim": stated(Equal(p + 1, 1 + p))}, "nothing to sweep in made-up: identity: SymPy leaves no symbol"),
    ],
)
def test_bad_input_is_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    if arguments.get("backend") == "torch":
        pytest.importorskip("torch")
    with pytest.raises(BadInput, match=sentence) as error:
        sweep(**{"claim": TRUE, "samples": 100, **arguments})
    assert "\n" not in str(error.value)


def test_parts_that_cannot_be_swept_are_named() -> None:
    found = sweep(stated(Always(p < 2) & Tends(p, p, 0, 0) & On(inside, Equal(p, p))), 100)
    assert len(found.parts) == 1
    assert [label for label, _ in found.skipped] == ["limit", "identity"]
    assert found.to_json()["skipped"][0]["reason"].startswith("LimitIs")
