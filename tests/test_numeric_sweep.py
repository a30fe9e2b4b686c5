"""Sweeps: what is drawn, what floats may say about a claim, and what only ball arithmetic may say."""

from __future__ import annotations

import itertools
from fractions import Fraction
from pathlib import Path
from typing import Any

import numpy as np
import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import G, beta, i, n, p, pi, r, ref, success, t, u, x, y
from grpo_symbolic.numeric import backends, sweep
from grpo_symbolic.numeric.sweeps.draw import LANES, Plan, Stream, plans
from grpo_symbolic.numeric.sweeps.margin import ALLOWED, LEAST, formulas, margin
from grpo_symbolic.numeric.sweeps.sweep import Unit
from grpo_symbolic.proof import Always, Domain, Equal, On, Tends, positives, reals, simplex
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements import arithmetic
from grpo_symbolic.proof.statements.evaluate import truth
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds
from grpo_symbolic.proof.statements.statement import Statement

NUMPY = backends.get("numpy")
inside = Domain(0 < p, p < 1)
TINY = sp.Rational(1, 10**20)
BACKENDS = ["numpy", "torch", "jax"]


def stated(statement: Statement, domain: Domain = inside) -> Claim:
    """A claim that belongs to no paper."""
    return Claim("made-up", "test", "here", "A test", "test", statement, domain, "1=1")


def unit(formula: Any, domain: Domain, backend: Any = NUMPY, samples: int = 1 << 40) -> Unit:
    obligation = Holds(domain, formula)
    (plan, *_) = plans(domain, formula)
    return Unit(obligation, plan, formulas(obligation, plan), samples, backend, 0)


def drawn(plan: Plan, blocks: int = 400, seed: int = 0, backend: Any = NUMPY) -> dict[Any, np.ndarray]:
    totals = {f.base: sp.lambdify(plan.scalars, plan.total(f)) for f, _ in plan.families if f.total is not None}
    ids = backend.integers(np.arange(blocks))
    return dict(zip(plan.columns, map(backend.to_numpy, plan.values(backend, ids, seed, totals)), strict=True))


# -- what is drawn ------------------------------------------------------------------------------------------------


def test_instances_depend_on_their_number_and_the_seed_alone() -> None:
    stream = Stream(NUMPY, 2, 7)
    whole = stream.uniform(np.arange(40))
    part = stream.uniform(np.arange(13, 29))
    for a, b in zip(whole, part, strict=True):
        assert np.array_equal(a.u[13:29], b.u)
        assert np.array_equal(a.power[13:29], b.power)
    assert not np.array_equal(whole[0].u, Stream(NUMPY, 2, 8).uniform(np.arange(40))[0].u)
    assert not np.array_equal(whole[0].u, whole[1].u)


def test_numbers_are_uniform_and_half_of_the_blocks_more_even_than_chance() -> None:
    a, b = (c.u for c in Stream(NUMPY, 2, 0).uniform(np.arange(400)))
    assert 0 < a.min() < 1e-4
    assert 1 - 1e-4 < a.max() < 1
    assert abs(a.mean() - 0.5) < 0.003
    assert abs(np.corrcoef(a.ravel(), b.ravel())[0, 1]) < 0.02
    # how many of 256 equal parts a block of 256 numbers meets: 162 by chance, far more in a stretch of the R-sequence
    met = np.array([len(set((row * LANES).astype(int))) for row in a])
    assert 0.4 < (met > 185).mean() < 0.6


def test_every_end_is_hugged_open_ones_never_met_and_closed_ones_met() -> None:
    domain = Domain(0 < p, p < 1, beta > 0, x >= 0, x <= 3, sp.Ge(y, -2), sp.Symbol("t", real=True) < 5)
    values = drawn(plans(domain, p + beta + x + y + t)[0])
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


@pytest.mark.parametrize("backend", BACKENDS[1:])
@pytest.mark.parametrize("dtype", ["float64", "float32"])
def test_all_backends_draw_the_same(backend: str, dtype: str) -> None:
    pytest.importorskip(backend)
    domain = Domain(0 < p, p < 1, beta > 0, simplex(pi, 3), reals(r, 3))
    plan = plans(domain, p * beta * pi[1] * r[1])[0]
    here, there = backends.get("numpy", None, dtype), backends.get(backend, None, dtype)
    first = drawn(plan, 20, backend=here)
    with backends.get(backend, None, "float64").precision():
        second = drawn(plan, 20, backend=there)
    for column in plan.columns:
        assert first[column].dtype == second[column].dtype == dtype
        unit_of = np.finfo(dtype).eps
        np.testing.assert_allclose(first[column], second[column], rtol=64 * unit_of, atol=4 * unit_of)


def test_an_instance_is_exact_its_simplex_has_its_sum_and_its_definitions_hold() -> None:
    domain = Domain(0 < success, success < 1, sp.Eq(u, 1 / success), simplex(pi, 4, total=success), positives(ref, 2))
    plan = plans(domain, pi[1] + u + ref[1])[0]
    row = [float(c[3, 5]) for c in drawn(plan, 10).values()]
    point = plan.point(row)
    assert sum(map(Fraction, map(str, point[pi.label]))) == Fraction(str(point[success]))
    assert point[u] == 1 / point[success]
    assert Fraction(str(point[success])) == Fraction(row[plan.columns.index(success)])
    assert domain.contains(point)


def test_sizes_are_small_numbers_that_the_domain_admits() -> None:
    k = sp.Symbol("k", integer=True)
    found = plans(Domain(G >= 3, k >= 1, k <= G - 2, reals(r, G)), r[i])
    sizes = [dict(f.sizes) for f in found]
    assert len(sizes) == 4
    assert all(s[G] >= 3 and 1 <= s[k] <= s[G] - 2 for s in sizes)
    assert len({s[G] for s in sizes}) > 1
    with pytest.raises(BadInput, match="no small values of n"):
        plans(Domain(n >= 2, sp.Eq(n**2, 36)), n)


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
    plan = plans(inside, formula)[0]
    least = margin(formula, plan).subs({LEAST: TINY, ALLOWED: TINY})
    for k in range(1, 64):
        value = sp.Rational(k, 64)  # a tie is decided in binary fractions only
        exact = least.subs(p, value)
        assert (exact >= 0) == truth(formula, {p: value}, arithmetic.ARB), value
        assert abs(exact) <= 1


def test_a_tie_violates_what_is_strict_and_nothing_else() -> None:
    plan = plans(inside, p)[0]
    relations = (sp.Gt, sp.Ge, sp.Lt, sp.Le)
    at_tie = {f: margin(f(p * p, p / 2), plan).subs({p: sp.Rational(1, 2), LEAST: TINY}) for f in relations}
    assert at_tie[sp.Gt] < 0
    assert at_tie[sp.Lt] < 0
    assert at_tie[sp.Ge] == at_tie[sp.Le] == 0
    assert margin(sp.Eq(p, p**2 + sp.Rational(1, 4)), plan).subs({p: sp.Rational(1, 2), LEAST: TINY, ALLOWED: TINY}) > 0


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
    swept, certified = part.evidence(found.engine, found.seed)
    assert (swept.grade, swept.outcome) == (Grade.swept, Outcome.refuted)
    assert (certified.grade, certified.outcome) == (Grade.certified, Outcome.refuted)
    assert certified.engine.startswith("Arb")
    assert str(part.witness[p]) in certified.artefact


ROUNDED = Always(sp.sqrt(sp.cosh(beta) - sp.sinh(beta)) > sp.exp(-beta / 2) / 2)  # cancels where β is large
LARGE = Domain(19 < beta, beta < 300)


def test_a_violation_by_rounding_is_counted_cleared_and_explained() -> None:
    found = sweep(stated(ROUNDED, LARGE), 400, worst=400)
    (part,) = found.parts
    assert part.violations > 0
    assert part.confirmed.cleared == part.confirmed.examined == 400
    assert part.outcome is Outcome.holds
    assert not found.refuted
    assert "rounding" in " ".join(part.sentences)
    (evidence,) = part.evidence(found.engine, 0)
    assert evidence.grade is Grade.swept


def test_a_float_violation_that_nobody_looked_at_leaves_the_outcome_open() -> None:
    found = sweep(stated(ROUNDED, LARGE), 4000, worst=10)
    assert found.parts[0].outcome is Outcome.unknown
    (evidence,) = found.parts[0].evidence(found.engine, 0)
    assert (evidence.grade, evidence.outcome) == (Grade.none, Outcome.unknown)
    assert not found.refuted


def test_an_identity_holds_to_rounding_and_a_wrong_one_is_refuted() -> None:
    domain = Domain(n >= 2, simplex(pi, n), reals(r, n))
    mean = sp.Sum(pi[i] * r[i], (i, 1, n))
    variance = sp.Sum(pi[i] * (r[i] - mean) ** 2, (i, 1, n))
    j = sp.Symbol("j", integer=True)
    second = sp.Sum(pi[j] * r[j] ** 2, (j, 1, n))
    right = sweep(stated(Equal(variance, second - mean**2), domain), 2000, worst=20)
    assert right.parts[0].outcome is Outcome.holds
    assert len(right.parts[0].sizes) == 4
    false = sweep(stated(Equal(variance, second - mean**2 * (1 + sp.Rational(1, 10**20))), domain), 2000, worst=60)
    assert false.parts[0].violations == 0  # far below what floats can see, found by balls among the worst
    assert false.refuted


def test_what_has_no_value_is_counted_apart() -> None:
    (part,) = sweep(stated(Always(sp.sqrt(p - sp.Rational(1, 3)) >= 0)), 20_000, worst=10).parts
    values = drawn(plans(inside, p)[0], -(-20_000 // LANES))[p].ravel()[:20_000]
    assert part.tally.nans == (values < 1 / 3).sum() > 1000
    assert part.violations == 0
    assert part.unvalued.undecided == part.unvalued.examined == 100
    assert "without a value" in " ".join(part.sentences)


def test_a_constraint_between_symbols_rejects_and_counts() -> None:
    domain = Domain(0 < x, x < 1, 0 < y, y < 1, x < y)
    (part,) = sweep(stated(Always(y - x > 0), domain), 30_000, worst=10).parts
    values = drawn(plans(domain, y - x)[0], -(-30_000 // LANES))
    kept = (values[x].ravel() < values[y].ravel())[:30_000].sum()
    assert part.accepted == kept
    assert part.tally.rejected == 30_000 - kept > 1000
    assert part.outcome is Outcome.holds


def test_a_violation_outside_the_domain_by_a_rounding_refutes_nothing() -> None:
    third = sp.Rational(1, 3)  # no float: the nearest one lies outside
    (part,) = sweep(stated(Always(p <= third), Domain(p <= third)), 5000, worst=50).parts
    assert part.outcome is Outcome.holds


@pytest.mark.parametrize("backend", BACKENDS)
def test_interrupted_and_resumed_is_the_same(backend: str, tmp_path: Path) -> None:
    pytest.importorskip(backend)
    claim = stated(Always(p * (1 - p) < sp.Rational(1, 4) * (1 + beta)), Domain(0 < p, p < 1, beta > 0))
    state, chunks = tmp_path / "state.json", itertools.count()
    options: dict[str, Any] = {"seed": 3, "chunk": 2048, "worst": 30}
    whole = sweep(claim, 20_000, backend, **options)

    def interrupt(done: int, total: int, what: str) -> None:
        if next(chunks) == 4:
            raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(claim, 20_000, backend, state=state, progress=interrupt, **options)
    assert state.is_file()
    seen: list[int] = []
    again = sweep(claim, 20_000, backend, state=state, progress=lambda d, total, what: seen.append(d), **options)
    assert not state.exists()
    assert seen[0] > 8192
    a, b = whole.parts[0].to_json(), again.parts[0].to_json()
    for document in (a, b):
        for measured in ("seconds", "per_second", "seconds_confirming"):
            del document[measured]
    assert a == b


def test_the_size_of_a_chunk_changes_nothing() -> None:
    claim = stated(Always(p * (1 - p) < sp.Rational(1, 4)))
    few, many = (sweep(claim, 12_345, chunk=c, worst=20).parts[0] for c in (512, 100_000))
    assert few.tally.drawn == many.tally.drawn == 12_345
    assert (few.violations, few.tally.close, few.worst_margin) == (many.violations, many.tally.close, many.worst_margin)
    assert [m for m, *_ in few.tally.worst] == [m for m, *_ in many.tally.worst]


def test_the_worst_of_a_stream_are_the_worst_of_all() -> None:
    claim = stated(Always(p * (1 - p) < sp.Rational(1, 4) + sp.Rational(1, 1000)))
    part = sweep(claim, 50_000, chunk=4096, worst=25).parts[0]
    all_margins = np.sort(unit(claim.holds, inside).margins(np.arange(-(-50_000 // LANES))).ravel()[:50_000])
    assert [m for m, *_ in part.tally.worst] == list(all_margins[:25])


@pytest.mark.parametrize("backend", BACKENDS[1:])
def test_backends_agree(backend: str) -> None:
    pytest.importorskip(backend)
    claim = stated(Always(sp.log(1 + beta) * p > beta / 2), Domain(0 < p, p < 1, beta > 0))
    one, two = (sweep(claim, 10_000, b, worst=20).parts[0] for b in ("numpy", backend))
    assert abs(one.violations - two.violations) <= 2
    assert one.tally.rejected == two.tally.rejected
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
    assert "unavailable: python-flint is not installed" in " ".join(false.parts[0].sentences)


def test_precision_rises_until_balls_decide() -> None:
    tiny = sp.Rational(1, 10**100)
    (part,) = sweep(stated(Always((1 + p) ** 2 + tiny > p**2 + 2 * p + 1)), 500, worst=5).parts
    assert part.confirmed.cleared == 5


# -- bad input ----------------------------------------------------------------------------------------------------

TRUE = stated(Always(p < 2))


@pytest.mark.parametrize(
    ("arguments", "sentence"),
    [
        ({"samples": 0}, "samples must be a whole number, 1 at least, got 0"),
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
        ({"claim": stated(Equal(p + 1, 1 + p))}, "nothing to sweep in made-up: identity: SymPy makes both sides"),
    ],
)
def test_bad_input_is_one_sentence(arguments: dict[str, Any], sentence: str) -> None:
    if arguments.get("backend") == "torch":
        pytest.importorskip("torch")
    with pytest.raises(BadInput, match=sentence) as error:
        sweep(**{"claim": TRUE, "samples": 100, **arguments})
    assert "\n" not in str(error.value)


def test_the_state_of_another_sweep_is_refused(tmp_path: Path) -> None:
    state = tmp_path / "state.json"

    def stop(done: int, total: int, what: str) -> None:
        raise KeyboardInterrupt

    with pytest.raises(KeyboardInterrupt):
        sweep(TRUE, 1000, state=state, progress=stop)
    with pytest.raises(BadInput, match=r"the state of another sweep \(samples = 1000\)"):
        sweep(TRUE, 2000, state=state)
    state.write_text('{"schema": 1}')
    with pytest.raises(BadInput, match="is not the state of a sweep"):
        sweep(TRUE, 1000, state=state)


def test_parts_that_cannot_be_swept_are_named(tmp_path: Path) -> None:
    found = sweep(stated(Always(p < 2) & Tends(p, p, 0, 0) & On(inside, Equal(p, p))), 100)
    assert len(found.parts) == 1
    assert [label for label, _ in found.skipped] == ["limit", "identity"]
    assert found.to_json()["skipped"][0]["reason"].startswith("LimitIs")
