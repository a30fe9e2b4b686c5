"""Certificates before Coq's kernel: what they prove is accepted by their steps alone, and nothing else is."""

from __future__ import annotations

import re
from functools import cache

import pytest
import sympy as sp

from grpo_symbolic.notation import beta, p, x, y
from grpo_symbolic.proof.coq import session
from grpo_symbolic.proof.coq.checker import Coq
from grpo_symbolic.proof.coq.scripts import scripts
from grpo_symbolic.proof.coq.scripts.certified import by_certificates
from grpo_symbolic.proof.coq.session import Attempt, judged
from grpo_symbolic.proof.coq.syntax import Unsupported
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.coq.tokens import only_tactics
from grpo_symbolic.proof.proving import search
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Grade, Outcome
from grpo_symbolic.proof.statements.lemmas import log_below_tangent
from grpo_symbolic.proof.statements.obligation import Holds, Identity

with_coq = pytest.mark.skipif(session.coq_version() is None, reason="coqtop is not installed")
UNIT = Domain(0 < p, p < 1)
WEIGHTED = UNIT.also(beta > 0)
ROOT = sp.sqrt((1 - beta) ** 2 + 4 * beta * p)
APART = Domain(x > 0, y > 0, sp.Or(x < y / 2, 2 * y < x))
REAL = Domain(x, y)
CLIPPED = sp.Piecewise((1 / p, 2 * p > 1), (2, True))
GUARDED = sp.Piecewise((1 / x, x > 0), (sp.sqrt(-x), True))
# what is true, and what it is changed to: with the steps of its certificate
PAIRS: list[tuple[Holds | Identity, Holds | Identity]] = [
    (Holds(UNIT, p * (1 - p) <= sp.Rational(1, 4)), Holds(UNIT, p * (1 - p) < sp.Rational(1, 4))),
    (Holds(WEIGHTED, (1 - beta + ROOT) / 2 > p), Holds(WEIGHTED, (1 - beta + ROOT) / 2 > p + beta)),
    (Holds(Domain(x > 0, sp.Eq(y, 1 / x - 1)), y > -1), Holds(Domain(x > 0, sp.Eq(y, 1 / x - 1)), y > 0)),
    (Holds(Domain(x > 0), sp.Or(x < 2, 1 / x < 1)), Holds(Domain(x > 0), sp.Or(x < 1, 1 / x < 1))),
    (
        Holds(Domain(x > 1), sp.log(x) / x < 1, using=(log_below_tangent(x),)),
        Holds(Domain(x > 1), sp.log(x) / x > 1, using=(log_below_tangent(x),)),
    ),
    (Holds(APART, x**2 + y**2 > 2 * x * y), Holds(APART, x**2 + y**2 > 3 * x * y)),
    (Identity(Domain(x > 0), sp.sqrt(x) * sp.sqrt(x**3), x**2), Identity(Domain(x > 0), sp.sqrt(x) * sp.sqrt(x**3), x)),
    (Holds(WEIGHTED.also(x > 0), x * (1 - p) + p * beta > 0), Holds(WEIGHTED.also(x > 0), x * (1 - p) > p * beta)),
    # values by cases, one within another
    (Holds(REAL, sp.Max(x, 1 - x) >= sp.Rational(1, 2)), Holds(REAL, sp.Max(x, 1 - x) > sp.Rational(1, 2))),
    (Holds(REAL, sp.Abs(x + y) <= sp.Abs(x) + sp.Abs(y)), Holds(REAL, sp.Abs(x - y) <= sp.Abs(x) - sp.Abs(y))),
    (Holds(REAL, sp.Min(sp.Abs(x), 1) * sp.sign(x) <= x**2 + 1), Holds(REAL, sp.Min(sp.Abs(x), 1) * sp.sign(x) <= x)),
    (Identity(UNIT, CLIPPED, sp.Min(1 / p, 2)), Identity(UNIT, CLIPPED, sp.Max(1 / p, 2))),
    # what has a value under circumstances only
    (Holds(REAL, sp.Implies(x > 1, 1 / (x - 1) > 0)), Holds(REAL, sp.Implies(x > 1, 1 / (x - 1) > 1))),
    (Holds(REAL, GUARDED >= 0), Holds(REAL, GUARDED > 0)),
]


@cache
def texts() -> list[dict[str, str]]:
    """The certificates of what is true, of each by the digests of its queries."""
    return [dict(search(true).texts) for true, _ in PAIRS]


def by_steps() -> list[str]:
    """The scripts of what is true that are made from certificates."""
    made = []
    for (true, _), found in zip(PAIRS, texts(), strict=True):
        stated = theorem(true)
        names = [*stated.names, *(f"K{i}" for i in range(1, len(stated.hypotheses) + 1))]
        made.append("\n".join([f"intros {' '.join(names)}.", *by_certificates(true, stated, found)]))
    return made


def test_the_certificates_have_every_step() -> None:
    steps = {step for found in texts() for text in found.values() for step in re.findall(r"[=^~|<{.?]", text)}
    assert steps == set("=^~|<{.?")


@with_coq
def test_coq_accepts_each_by_its_certificate_alone() -> None:
    answers = judged([Attempt(theorem(t).text, (s,)) for (t, _), s in zip(PAIRS, by_steps(), strict=True)], 300)
    assert [a.reason for a in answers] == [""] * len(PAIRS)


@with_coq
def test_no_certificate_proves_what_is_changed() -> None:
    answers = judged([Attempt(theorem(f).text, (s,)) for (_, f), s in zip(PAIRS, by_steps(), strict=True)], 300)
    assert [a.script for a in answers] == [None] * len(PAIRS)


@with_coq
def test_the_checker_tries_certificates_and_keeps_its_other_scripts() -> None:
    true, found = PAIRS[3][0], texts()[3]
    for certificates in ({true.key(): found}, {}):
        finding = Coq(certificates=certificates).check(TRUE_BY_SCRIPT)
        assert finding.outcome is Outcome.holds
    finding = Coq(certificates={true.key(): found}).check(true)
    assert finding.outcome is Outcome.holds
    assert Coq.grade is Grade.kernel
    assert "NNPP" in finding.artefact


TRUE_BY_SCRIPT = Holds(UNIT, p > -1)


def test_scripts_from_certificates_are_tactics() -> None:
    assert [only_tactics(script) for script in by_steps()] == [None] * len(PAIRS)


def test_what_has_no_certificate_has_no_script_from_one() -> None:
    (true, _), (other, _) = PAIRS[0], PAIRS[1]
    assert isinstance(true, Holds)
    with pytest.raises(Unsupported, match="no certificate"):
        by_certificates(true, theorem(true), {})
    recipes = {name: "!Z3 4.13 100" for name in texts()[0]}
    with pytest.raises(Unsupported, match="no certificate"):
        by_certificates(true, theorem(true), recipes)
    assert not any("NNPP" in script for script in scripts(true, texts()[1]))
    assert any("NNPP" in script for script in scripts(other, texts()[1]))
