"""``hint=`` on a statement: it helps the search for a certificate, is no part of what is said, and proves nothing."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import pytest
import sympy as sp

from grpo_symbolic import catalogue
from grpo_symbolic.door.message import read, written
from grpo_symbolic.errors import ClaimError
from grpo_symbolic.notation import p, u, v, x, y
from grpo_symbolic.proof import Always, Domain, Equal, Monotone, Outcome, SignOfDerivative
from grpo_symbolic.proof.check.answers import Answers, using
from grpo_symbolic.proof.check.decision import Certified, hints_of, parts_of
from grpo_symbolic.proof.proving import replay, search
from grpo_symbolic.proof.rules.citing import says
from grpo_symbolic.proof.rules.sides import Premise
from grpo_symbolic.proof.search.certificates import find
from grpo_symbolic.proof.search.recipes import by_certificate
from grpo_symbolic.proof.statements.evidence import UNCERTIFIED, Evidence, Grade
from grpo_symbolic.proof.statements.obligation import Obligation
from grpo_symbolic.proof.statements.sentence import sentence_text
from grpo_symbolic.proof.statements.statement import Statement
from grpo_symbolic.report.advice import hints as advice
from grpo_symbolic.verification.mutation import mutants

POSITIVE = Domain(u > 0, v > 0, x > 0)
SCHUR = u**2 * (u - v) * (u - x) + v**2 * (v - u) * (v - x) + x**2 * (x - u) * (x - v) >= 0
ORDER = (u - v, v - x, u - x)


def obligation(statement: Statement, domain: Domain = POSITIVE) -> Obligation:
    (found,) = statement.obligations(domain)
    return found


def test_what_is_found_only_with_a_hint() -> None:
    plain, hinted = obligation(Always(SCHUR)), obligation(Always(SCHUR, hint=ORDER))
    query = parts_of(hinted).queries.main
    assert find(query) is None
    assert find(query, hints=hints_of(hinted)) is not None
    found = search(hinted)
    assert found.proof is not None
    assert not any(text.startswith("!") for text in found.texts.values())
    assert replay(plain, found.proof, found.texts).outcome is Outcome.holds  # what was found stands without the hint


def test_a_relation_is_a_lemma_of_the_certificate() -> None:
    cubes = (2 * x - 1) * sp.sqrt(p + y * (1 - y)) ** 3 < (2 * y - 1) * sp.sqrt(p + x * (1 - x)) ** 3
    lemma = sp.sqrt(p + y * (1 - y)) < sp.sqrt(p + x * (1 - x))
    domain = Domain(sp.Rational(1, 2) < x, x < y, y < 1, p > 0)
    hinted = obligation(Always(cubes, hint=(lemma,)), domain)
    (read_hint,) = hints_of(hinted)
    assert read_hint.variables <= frozenset().union(*(f.variables for f in parts_of(hinted).queries.main))
    assert search(hinted).settles


@pytest.mark.parametrize(
    "hint", [(u < v,), (sp.false,), (u < u + 1,), (p < y,), (sp.Function("f")(u) > 0,), (1 / u, sp.sqrt(v) < 0)]
)
def test_a_hint_that_is_of_no_use_does_no_harm(hint: tuple[Any, ...]) -> None:
    assert search(obligation(Always(u * v <= (u + v) ** 2 / 4, hint=hint))).settles
    false = obligation(Always(u * v <= u, hint=(*hint, v <= 1)))
    with using(Answers(seek=by_certificate)):
        assert Certified().check(false).outcome is Outcome.unknown
    assert search(false).evidence[-1].outcome is Outcome.refuted


def test_a_hint_is_no_part_of_what_is_said() -> None:
    plain, hinted = Always(SCHUR, label="Schur"), Always(SCHUR, label="Schur", hint=ORDER)
    assert plain == hinted
    assert repr(plain) == repr(hinted)  # from which the digests of schemas are made
    assert hash(plain) == hash(hinted)
    assert sentence_text(plain, POSITIVE) == sentence_text(hinted, POSITIVE)
    assert obligation(plain).key() == obligation(hinted).key()
    assert says(hinted, Premise(plain, POSITIVE))


def test_a_claim_has_the_mutants_that_it_has_without_hints() -> None:
    made = catalogue.find("vy-s21-PG-lower")
    changed = [
        [[o.key() for o in m.obligations] for m in mutants(replace(made, statement=said, domain=POSITIVE, judged=None))]
        for said in (Always(SCHUR), Always(SCHUR, hint=ORDER))
    ]
    assert changed[0] == changed[1] != []


def test_a_hint_passes_the_door() -> None:
    concluded = Monotone(x**3 - x, x).by(SignOfDerivative(), hint=(x - 1,))
    for statement in (Always(SCHUR, hint=ORDER), Equal(u + v, v + u, hint=(u < v,)), concluded):
        again, _ = read(written((statement, POSITIVE)))
        assert again.hint == statement.hint
        assert [o.hints for o in again.obligations(POSITIVE.also(x > 1))] == [
            o.hints for o in statement.obligations(POSITIVE.also(x > 1))
        ]


def test_a_rule_hands_it_to_every_premise() -> None:
    needed = list(Monotone(x**3 - x, x).by(SignOfDerivative(), hint=(x - 1,)).obligations(Domain(x > 1)))
    assert needed
    assert all(o.hints == (x - 1,) and o.sufficient for o in needed)


def test_what_is_no_hint_is_refused() -> None:
    for hint in (u < v, "u < v", ("u < v",)):
        with pytest.raises(ClaimError, match="hint= takes relations and expressions in a tuple"):
            Always(SCHUR, hint=hint)  # type: ignore[arg-type]


def test_advice_names_it_where_no_certificate_is_found() -> None:
    open_ = Evidence(
        "holds", "Schur", "certificate", Grade.none, Outcome.unknown, "FLINT", 0.0, artefact=f"{UNCERTIFIED}\n(…)"
    )
    of_model = replace(open_, checker="decision-z3", artefact="sat (of an abstraction)\n(…)")
    assert any("hint=" in text for text in advice([open_], "x"))
    assert not any("hint=" in text for text in advice([open_, of_model], "x"))
