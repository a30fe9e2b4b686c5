"""The fuzzer: a thousand statements without a contradiction, and the fuzzer itself against engines that lie."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction
from typing import Any

import fuzz
import pytest
import sympy as sp
from cases import SHAPES, case
from exact import NoValue, Unsure, truth, value
from shapes import Case
from shapes_in_scopes import IN_SCOPES

from grpo_symbolic import notation, proof
from grpo_symbolic.notation import k, n, pi, x, y, z
from grpo_symbolic.proof import Always, Equal, Exists, Monotone, Roots, Tends
from grpo_symbolic.proof.statements import lemmas
from grpo_symbolic.proof.statements.evidence import Evidence, Grade, Outcome
from grpo_symbolic.proof.statements.sentence import plain

HALF = sp.Rational(1, 2)


@pytest.mark.slow("random statements before every engine, against exact evaluation")
def test_no_engine_contradicts_exact_evaluation(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "ENGINE_SECONDS", 0.5)
    reports = list(fuzz.run(1000, first=0, jobs=2))
    assert len({r.seed for r in reports}) == 1000
    contradictions = [r.contradiction for r in reports if r.contradiction]
    assert not contradictions, "\n".join(contradictions)
    ended = [r.ended for r in reports]
    assert ended.count("proved") >= 150
    assert ended.count("refuted") >= 200
    assert ended.count("late") <= 100


def test_a_number_is_one_statement() -> None:
    for seed in range(2 * len(SHAPES)):
        assert fuzz.entry(case(seed), seed, "") == fuzz.entry(case(seed), seed, "")
    assert {case(seed).shape for seed in range(len(SHAPES))} == {s.__name__ for s in SHAPES}


@pytest.mark.parametrize("first", range(0, 60, 10))
def test_an_entry_of_the_corpus_is_the_statement(first: int) -> None:
    names = {**vars(sp), **vars(notation), **{name: getattr(proof, name) for name in proof.__all__}, **vars(lemmas)}
    for seed in range(first, first + 10):
        made = case(seed)
        domain, statement = eval(fuzz.entry(made, seed, "why"), {**names, "false": lambda name, why, write: write()})
        again = replace(made, statement=statement, constraints=(*domain.families, *domain.constraints))
        assert type(statement) is type(made.statement)
        assert list(fuzz.failures(again)) == list(fuzz.failures(made))
        assert (domain.families, domain.symbols) == (made.domain.families, made.domain.symbols)


@pytest.mark.parametrize("shape", IN_SCOPES, ids=lambda shape: shape.__name__)
def test_statements_with_scopes_are_told_apart(shape: Any) -> None:
    """Each shape makes statements that hold wherever they are looked at, and others that fail somewhere."""
    seeds = [seed for seed in range(300) if SHAPES[seed % len(SHAPES)] is shape]
    fails = [bool(list(fuzz.failures(case(seed)))) for seed in seeds]
    assert any(fails)
    assert not all(fails)


def test_a_print_that_reads_as_another_formula_is_a_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    made = Case(Equal(sp.Sum(k, (k, 1, 3)) ** 2, 36), (0 < x, x < 1), ({x: HALF},))
    assert not list(fuzz.misprints(made))
    monkeypatch.setattr(fuzz, "plain", lambda e: plain(e).replace("(", "").replace(")", ""))
    assert list(fuzz.misprints(made))


# -- engines that lie


def lying(outcome: Outcome, artefact: str = "") -> Any:
    evidence = Evidence("holds", "", "liar", Grade.decision, outcome, "Z3 1", 0.0, artefact=artefact)
    return lambda obligation, limit: [evidence]


LIES = [
    Case(Equal(x**2, x), (0 < x, x < 1), ({x: Fraction(1, 2)},)),
    Case(Equal(1 / x, 1 / x + 0 * y), (x > -1, x < 1), ({x: Fraction(0)},)),
    Case(Always(x > HALF), (0 < x, x < 1), ({x: Fraction(1, 2)},)),
    Case(Exists(x > HALF, {x: HALF}), (0 < x, x < 1), ({x: Fraction(1, 2)},)),
    Case(Exists(x > HALF, {x: sp.Integer(2)}), (0 < x, x < 1), ({x: Fraction(2)},)),
    Case(Monotone(x**2, x), (-1 < x, x < 1), ({x: Fraction(-1, 2)}, {x: Fraction(0)})),
    Case(Monotone(1 / x, x), (-1 < x, x < 1), ({x: Fraction(0)},)),
    Case(proof.Curved(x**3, x), (-1 < x, x < 1), ({x: Fraction(-1, 2)}, {x: Fraction(0)})),
    Case(Tends(sp.Abs(z) / z, z, 0, 1, "-"), (0 < y, y < 1), ({y: Fraction(1, 2)},)),
    Case(Tends(sp.sqrt(-z), z, 0, 0), (0 < y, y < 1), ({y: Fraction(1, 2)},)),
    Case(Tends(z, z, 0, sp.oo), (0 < y, y < 1), ({y: Fraction(1, 2)},)),
    Case(Tends(1 / z, z, sp.oo, 1), (0 < y, y < 1), ({y: Fraction(1, 2)},)),
    Case(Roots(z**2 - 2, z, 2, 0, 2), (0 < x, x < 1), (), False),
]


@pytest.mark.parametrize("made", LIES, ids=lambda made: str(made.statement))
def test_a_proof_of_what_is_false_is_a_contradiction(made: Case, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "case", lambda seed: made)
    monkeypatch.setattr(fuzz, "discharge", lying(Outcome.holds))
    assert fuzz.tried(0).contradiction
    monkeypatch.setattr(fuzz, "discharge", lying(Outcome.unknown))
    assert not fuzz.tried(0).contradiction


@pytest.mark.parametrize(
    ("made", "artefact"),
    [
        (Case(Always(x < 1), (0 < x, x < 1), ({x: Fraction(1, 2)},)), "witness x = 1/3 (ball arithmetic)"),
        (Case(Equal(x + x, 2 * x), (0 < x, x < 1), ()), "witness x = 1/3 (confirmed in ball arithmetic)"),
        (Case(Exists(x < 1, {x: HALF}), (0 < x, x < 1), ({x: Fraction(1, 2)},)), "at x = 1/2"),
        (Case(Tends(z, z, 0, 0), (0 < y, y < 1), ({y: Fraction(1, 2)},)), "limit computed as 1"),
        (Case(Roots(z**2 - 2, z, 1, 0, 2), (0 < x, x < 1), (), True), "the feasible counts are [2]"),
    ],
    ids=str,
)
def test_a_refutation_of_what_is_true_is_a_contradiction(
    made: Case, artefact: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(fuzz, "case", lambda seed: made)
    monkeypatch.setattr(fuzz, "discharge", lying(Outcome.refuted, artefact))
    assert fuzz.tried(0).contradiction


def test_what_is_true_is_no_contradiction(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(fuzz, "discharge", lying(Outcome.holds))
    for made in (
        Case(Always(x < 1), (0 < x, x < 1), ({x: Fraction(1, 2)}, {x: Fraction(3)})),
        Case(Tends(z * y, z, 0, 0), (0 < y, y < 1), ({y: Fraction(1, 2)},)),
        Case(Monotone(sp.exp(x), x), (0 < x, x < 1), ({x: Fraction(1, 2)}, {x: Fraction(1, 3)})),
    ):
        monkeypatch.setattr(fuzz, "case", lambda seed, made=made: made)
        assert not fuzz.tried(0).contradiction


def test_a_statement_that_hangs_costs_its_limit(monkeypatch: pytest.MonkeyPatch) -> None:
    def hang(obligation: Any, limit: float) -> Any:
        while True:
            pass

    monkeypatch.setattr(fuzz, "discharge", hang)
    monkeypatch.setattr(fuzz, "SECONDS", 0.5)
    assert [r.ended for r in fuzz.run(2, first=1, jobs=2)] == ["late", "late"]


# -- the evaluator


@pytest.mark.parametrize(
    ("expression", "expected"),
    [
        (sp.sqrt(sp.Rational(9, 4)) * x, Fraction(1, 2)),
        (sp.Sum(k, (k, 1, n)), Fraction(6)),
        (sp.Sum(1, (k, 1, z), (z, 1, 3)), Fraction(6)),
        (sp.Sum(pi[k], (k, 1, n)), Fraction(1)),
        (sp.Piecewise((1, x > 1), (5, True)), Fraction(5)),
        (sp.Max(x, 1 - x) + sp.Min(x, 1 - x), Fraction(1)),
        (sp.sign(-x) * sp.Abs(-x), Fraction(-1, 3)),
        (sp.exp(0 * x) + sp.log(3 * x), Fraction(1)),
    ],
    ids=str,
)
def test_rational_values_are_exact(expression: sp.Expr, expected: Fraction) -> None:
    place = {x: Fraction(1, 3), n: Fraction(3), pi.label: [Fraction(1, 3)] * 3}
    assert value(sp.sympify(expression), place) == expected


@pytest.mark.parametrize(
    "expression",
    [
        1 / (x - 1),
        sp.log(1 - x),
        sp.log(-x),
        sp.sqrt(-x),
        (-x) ** sp.Rational(1, 3),
        (1 - x) ** y,
        sp.Piecewise((1, x > 2)),
        sp.Sum(k, (k, 1, y)),
        sp.Sum(k, (k, 5, 1)),
        pi[3],
        pi[0],
        pi[1, 1],
        sp.Mul(0, 1 / (x - 1), evaluate=False),
    ],
    ids=str,
)
def test_what_has_no_value_has_none(expression: sp.Expr) -> None:
    with pytest.raises(NoValue):
        value(expression, {x: Fraction(1), y: Fraction(1, 2), pi.label: [Fraction(1, 2)] * 2})


def test_what_balls_cannot_tell_is_open() -> None:
    with pytest.raises(Unsure):
        truth(sp.Eq(sp.sqrt(2) * sp.sqrt(x), sp.sqrt(6), evaluate=False), {x: Fraction(3)})
    assert truth(sp.exp(x) > 1 + x, {x: Fraction(1, 10**200)})
    assert not truth(sp.Lt(x, x, evaluate=False), {x: Fraction(1)})


def test_shapes_speak_of_lemmas_families_and_specks() -> None:
    made = [case(seed) for seed in range(200)]
    assert any(getattr(m.statement, "using", ()) for m in made)
    assert any(m.domain.families for m in made if m.shape == "group")
    assert any("0000000000" in repr(m.statement) for m in made)
