"""Advice for claims that stay open: each line is of use for the sentence that it is given for, and for no other."""

from __future__ import annotations

from dataclasses import replace

import pytest

from grpo_symbolic.ledger import Ledger
from grpo_symbolic.proof.statements.evidence import Outcome, PrintVerdict, Verdict
from grpo_symbolic.report.advice import false_steps, open_parts, shortcoming, what_would_help
from grpo_symbolic.session import Session
from grpo_symbolic.verification.store import Store

HEAD = """
from sympy import Eq, Ne, Piecewise, Product, Sum, log, sqrt
from grpo_symbolic.notation import G, T, family, i, j, k, n, o, old, p, pi, r, ref, u, v
from grpo_symbolic.objectives import group_variance
from grpo_symbolic.proof import *
from grpo_symbolic.proof.statements.lemmas import log_below_tangent, log_sign
claim = Result(__file__).claim
a = dict(locator="a", title="A title")
w = family("w_tokens", "w", "(0, ∞)^T", "ratio of each token of a text")
mean = Sum(w[j], (j, 1, T)) / T
variance = group_variance(r, G, j)
full = Domain(simplex(pi, n), simplex(old, n), n >= 2)
group = Domain(reals(r, G), G >= 2, i >= 1, i <= G)
terms = Sum((w[i] / mean - 1 - log(w[i] / mean)) / T, (i, 1, T))
"""
# What stays open, and words of the one line that is to be said of it.
OPEN = {
    "a sum": ("Always(Sum(old[o] * sqrt(pi[o] / old[o]), (o, 1, n)) <= 1), full", "TermByTerm"),
    "a sum over the others": (
        "Equal(r[i] - Sum(Piecewise((r[j], Ne(i, j)), (0, True)), (j, 1, G)) / (G - 1), "
        "G / (G - 1) * (r[i] - Sum(r[j], (j, 1, G)) / G)), group",
        "Sum(r[j], (j, 1, G)) - r[i]",
    ),
    "an expectation": (
        "CountMean(k / G * (1 - k / G), k, G, p, (1 - 1 / G) * p * (1 - p)), Domain(0 < p, p < 1, G >= 2)",
        "AgainstPolynomial",
    ),
}
PROVED = {
    "a sum": "AtLeast(1, Sum(old[o] * sqrt(pi[o] / old[o]), (o, 1, n)), (Eq(pi[o], old[o]),)).by(TermByTerm((Sum("
    "(sqrt(pi[o]) - sqrt(old[o])) ** 2 / 2, (o, 1, n)),))), full",
    "a divergence": "AtLeast(Sum(pi[o] * log(pi[o] / old[o]), (o, 1, n)), 0).by("
    "Gibbs((Divergence(pi[o], old[o], o, 1, n),))), full",
    "a sum over the others": "Equal(r[i] - (Sum(r[j], (j, 1, G)) - r[i]) / (G - 1), "
    "G / (G - 1) * (r[i] - Sum(r[j], (j, 1, G)) / G)), group",
    "an expectation": "CountMean(k / G * (1 - k / G), k, G, p, (1 - 1 / G) * p * (1 - p)).by(IndependentSuccesses("
    "AgainstPolynomial(k / G * (1 - k / G)))), Domain(0 < p, p < 1, G >= 2)",
}
PARTS = """
claim("equality", AtLeast(log(mean), Sum(log(w[i]), (i, 1, T)) / T, (Eq(w[i], mean),)).by(
    TermByTerm((terms,), using=(log_below_tangent(w[i] / mean),))), Domain(positives(w, T), T >= 1), **a)
claim("equality-shown", AtLeast(log(mean), Sum(log(w[i]), (i, 1, T)) / T, (Eq(w[i], mean),)).by(
    TermByTerm((terms,), using=(log_below_tangent(w[i] / mean), log_sign(w[i] / mean)))),
    Domain(positives(w, T), T >= 1), **a)
quotient = Equal((u**2 - 1) / (u - 1), u + 1)
claim("undefined", quotient, Domain(u > 1), printed="u", **a, judged=needs_hypothesis("x.", quotient, Domain(u >= 1)))
claim("true", Always(u < u + v), Domain(v > 0, u), printed="u", **a, judged=wrong("x.", Always(u <= u + v)))
claim("stated", quotient, Domain(u > 1), printed="u", **a, judged=needs_hypothesis("x.", Always(u > 1), Domain(u >= 1)))
"""


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("advice") / "example"
    folder.mkdir()
    said = [f'claim("open-{n}", {text}, **a)' for n, (text, _) in enumerate(OPEN.values())]
    said += [f'claim("proved-{n}", {text}, **a)' for n, text in enumerate(PROVED.values())]
    (folder / "file.py").write_text(HEAD + "\n".join(said) + PARTS, "utf-8")
    return Session([folder], Store(folder.parent / "store")).verify(jobs=1).ledger


@pytest.mark.parametrize("name", OPEN)
def test_advice_is_for_what_the_sentence_has(ledger: Ledger, name: str) -> None:
    entry = ledger.entry(f"open-{list(OPEN).index(name)}")
    assert entry.verdict is Verdict.supported
    advice = what_would_help(entry)
    assert OPEN[name][1] in advice[0]
    for word in ("exponent", "logarithm", "Derivation"):
        assert not any(word in text for text in advice)


@pytest.mark.parametrize("name", PROVED)
def test_who_takes_the_advice_has_a_proof(ledger: Ledger, name: str) -> None:
    assert ledger.entry(f"proved-{list(PROVED).index(name)}").verdict is Verdict.proved


def test_of_several_obligations_the_open_one_is_named(ledger: Ledger) -> None:
    entry = ledger.entry("equality")
    assert entry.verdict is Verdict.supported
    assert open_parts(entry) == ["at least: when a term is zero"]
    assert "  open      at least: when a term is zero" in shortcoming(entry)
    assert not any("TermByTerm" in text for text in what_would_help(entry))  # it is taken already
    assert any("log_sign(u) beside it" in text for text in what_would_help(entry))
    assert ledger.entry("equality-shown").verdict is Verdict.proved
    assert open_parts(ledger.entry("open-0")) == []  # it is all of the claim


def test_a_printed_reading_that_no_checker_refutes_is_told_why(ledger: Ledger) -> None:
    for id, words in (("undefined", "has no value at"), ("true", "is true on its domain")):
        entry = ledger.entry(id)
        assert entry.print_verdict is PrintVerdict.unknown
        assert any(words in text for text in shortcoming(entry))
    assert ledger.entry("stated").print_verdict is PrintVerdict.needs_hypothesis


def test_a_step_that_is_false_is_named(ledger: Ledger) -> None:
    entry = ledger.entry("proved-0")
    false = replace(
        entry.evidence[0],
        obligation="0: step 1 of slope: differentiate",
        outcome=Outcome.refuted,
        artefact="witness u = 2",
    )
    refuted = replace(entry, verdict=Verdict.refuted, evidence=(*entry.evidence, false))
    assert false_steps(entry) == []
    assert false_steps(refuted) == ["step 1 of slope: differentiate"]
    assert "  in        step 1 of slope: differentiate" in shortcoming(refuted)
