"""Mathematics in the terminal: what a person would type, never LaTeX; witnesses and long statements shortened."""

from __future__ import annotations

import json
from dataclasses import replace
from io import StringIO

import pytest
from random_formulas import drawn, kept
from readback import shape
from readback_latex import latex_letters
from rich.console import Console
from text_reader import text_formula

from grpo_symbolic import catalogue
from grpo_symbolic.cli.pages.page import View, show_claim
from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.ledger import Entry, EvidenceRecord, Part
from grpo_symbolic.notation import x, y
from grpo_symbolic.proof.statements.evidence import Grade, Origin, Outcome, PrintVerdict, Verdict
from grpo_symbolic.report.advice import as_document, shortcoming, what_would_help
from grpo_symbolic.typeset.plain import brief, plain


@pytest.mark.parametrize(
    ("latex", "typed"),
    [
        (r"\frac{a + b}{2 c}", "(a + b)/(2 c)"),
        (r"\frac{a}{b} c", "(a/b) c"),
        (r"-\frac{a}{b}", "−a/b"),
        (r"a^{b + c}", "a^(b + c)"),
        (r"\frac{1}{2} \sum_{k=1}^{n} \frac{k}{x}", "½ Σ_{k=1}ⁿ (k/x)"),
        (r"\frac{x \prod_{k=1}^{n} k}{z}", "(x ∏_{k=1}ⁿ k)/z"),
        (r"\frac{\lim_{x \to 0} x}{y}", "(lim_{x→0} x)/y"),
        (r"\frac{\nabla P{\left(x \right)} \, z}{y}", "(∇ P(x) z)/y"),
        (r"\frac{x \left(1 - y\right)}{z}", "x (1 − y)/z"),
        (r"\sqrt{x}^{2}", "(√x)²"),
        (r"\sqrt{x^{2}}", "√(x²)"),
        (r"\frac{d^{2}}{d x^{2}} x", "d²/dx² x"),
        (r"x \left|{y \left|{-1}\right|}\right|", "x |y |−1||"),
        (
            r"\begin{cases} \begin{cases} a & \text{for}\: x < 1 \\b & \text{otherwise} \end{cases}"
            r" & \text{for}\: y < 1 \\c & \text{otherwise} \end{cases}",
            "{{a for x < 1; b otherwise} for y < 1; c otherwise}",
        ),
        (r"\frac12\Big(1-b+\sqrt{(1-b)^2+4bp}\Big)", "½(1 − b + √((1 − b)² + 4bp))"),
        (r"e^{- \frac{1}{\beta}}", "e^(−1/β)"),
        (r"x^{-1} \cdot 2", "x⁻¹ · 2"),
        (r"\frac{1}{\frac{a}{b}}", "1/(a/b)"),
        (r"a \, \frac{1}{3}", "a ⅓"),
        (r"a \, \frac{1}{5}", "a (1/5)"),
        (r"\sum_{i=1}^{G} r_{i}", "Σ_{i=1}^G rᵢ"),
        (r"\pi_{\mathrm{old}}(o|q)", "π_old(o|q)"),
        (r"w_{>},\ w_{<} \geq 0,\ w_{<} + w_{>} \leq 1,\ w_{=} \, x", "w_>, w_< ≥ 0, w_< + w_> ≤ 1, w_= x"),
        (r"\hat A_{i,t}\ge0\text{ if }x>-1", "Â_{i, t} ≥ 0 if x > −1"),
        (r"\begin{cases} a & \text{for}\: x < 1 \\ b & \text{otherwise} \end{cases}", "{a for x < 1; b otherwise}"),
        (r"\left\|x\right\| \leq \tilde{y}", "‖x‖ ≤ ỹ"),
        ("2^{10}", "2¹⁰"),
        (r"\sqrt{x(1-x)}\,(1-p)", "√(x(1 − x)) (1 − p)"),
        (r"\sqrt2(2-t)", "√2 (2 − t)"),
        (r"\frac{x-p}{x(1-x)}", "(x − p)/(x(1 − x))"),
        (r"\frac{1}{\sqrt{\pi(a|q)}}+\frac{c}{\log(1-p)}", "1/√π(a|q) + c/log(1 − p)"),
        (r"\tbinom{G-1}{k}x^k", "C(G − 1, k)x^k"),
        (r"\frac{\partial}{\partial x} A \, e^{\frac{x}{T}}", "∂/∂x A e^(x/T)"),
        (r"\frac{d}{d\theta}\left[\mathbb E_{\pi}\left[R\right]\right]", "d/dθ[E_π[R]]"),
        (r"\frac{\partial}{\partial r(o')} \left(a + b\right)", "∂/∂r(o') (a + b)"),
        (r"\frac{d}{d + e}", "d/(d + e)"),
        (r"\frac{d}{d_{2}} \left(x + 1\right)", "(d/d₂) (x + 1)"),
        (r"e^{r(o)} + e^{\frac{1}{2}} + x^{\log{\left(p \right)}}", "e^(r(o)) + e^½ + x^log(p)"),
        (r"\unheard{x}", "unheard x"),
        ("{", ""),
        ("^", "^"),
        (r"\frac", "/"),
    ],
)
def test_latex_becomes_what_a_person_types(latex: str, typed: str) -> None:
    assert plain(latex) == typed


def test_no_print_keeps_a_trace_of_latex() -> None:
    texts = [t for c in catalogue.index().listings.values() for t in (c.printed, c.says, c.headline) if t]
    assert len(texts) > 1300
    assert [t for t in texts if "\\" in plain(t) or not plain(t)] == []
    whole = [t for t in texts if t.count("(") == t.count(")")]  # a misprint may lack one
    assert [t for t in whole if plain(t).count("(") != plain(t).count(")")] == []


def test_a_witness_fits_a_line() -> None:
    many = ", ".join(f"x{n} = {n}/7" for n in range(300))
    assert brief(many) == "x0 = 0/7, x1 = 1/7, x2 = 2/7, x3 = 3/7, x4 = 4/7, x5 = 5/7, … (294 more)"
    assert brief("gamma = -123456789012/1000000000000 (confirmed in ball arithmetic)") == "γ ≈ −0.1235"
    assert brief("the limit is ∞, not 5") == "the limit is ∞, not 5"


def entry(verdict: Verdict, *evidence: EvidenceRecord) -> Entry:
    words = ("a-1", "a", Origin.print, "Sec 1", "t", r"\beta<1", r"\beta<1", r"\beta>0", "identity")
    parts = (Part("", r"\frac{\beta}{2} < 1"),)
    judged = {"print_expected": PrintVerdict.holds, "parts": parts, "evidence": evidence}
    return replace(Entry(*words, verdict, PrintVerdict.unknown), **judged)


def record(outcome: Outcome, artefact: str, checker: str = "decision-z3") -> EvidenceRecord:
    grade = Grade.decision if outcome is Outcome.refuted else Grade.none
    return EvidenceRecord("holds", "0: for all", checker, grade, outcome, "Z3 5", 0.1, artefact=artefact)


def shown(of: Entry, view: View) -> str:
    out = StringIO()
    show_claim(Console(file=out, width=100), of, "Title", view)
    return out.getvalue()


def test_a_refuted_claim_leads_with_its_counterexample() -> None:
    satisfiable = record(Outcome.refuted, "satisfiable negation\n(set-logic QF_NRA)", "decision-cvc5")
    refuted = entry(
        Verdict.refuted, satisfiable, record(Outcome.refuted, "witness beta = 2 (confirmed in ball arithmetic)")
    )
    lines = shown(refuted, View()).splitlines()
    assert lines[2].split()[:2] == ["verdict", "refuted"]
    assert lines[3] == "  fails at     β = 2"
    assert "  fails at  β = 2" in shortcoming(refuted)
    document = as_document(refuted)
    assert list(document)[:3] == ["id", "verdict", "counterexample"]
    assert document["counterexample"].startswith("beta = 2")
    assert Entry.from_json(json.loads(json.dumps(document))) == refuted


def test_a_claim_that_is_only_supported_says_what_would_help() -> None:
    supported = entry(Verdict.supported, record(Outcome.unknown, "sat (of an abstraction)\n(set-logic QF_NRA)"))
    assert "lemma instances" in what_would_help(supported)[0]
    assert "would help   to Z3 and cvc5" in shown(supported, View())
    assert as_document(supported)["would_help"] == what_would_help(supported)
    assert Entry.from_json(as_document(supported)) == supported
    evidence = (*supported.evidence, record(Outcome.refuted, "witness beta = 2"))
    assert what_would_help(replace(supported, verdict=Verdict.refuted, evidence=evidence)) == []
    assert "fails at β = 2: the rule needs it" in what_would_help(replace(supported, evidence=evidence))[0]


def test_formulas_are_typed_unless_latex_is_asked_for() -> None:
    claim = replace(entry(Verdict.proved), parts=tuple(Part("", rf"\frac{{\beta}}{{{n}}} < 1") for n in range(200)))
    assert "\\" not in shown(claim, View())
    assert "… and " in shown(claim, View())
    assert shown(claim, View(whole=True)).count(" < 1") > 200
    assert r"\frac{\beta}{7} < 1" in shown(claim, View(latex=True))


@pytest.mark.parametrize("seed", range(2))
def test_the_text_of_a_random_formula_says_what_its_latex_says(seed: int) -> None:
    count = 0
    for e in filter(kept, drawn(100 + seed, 500)):
        text = plain(PaperPrinter()(e))
        assert shape(text_formula(text, latex_letters([e]))) == shape(e), text
        count += 1
    assert count > 350


@pytest.mark.parametrize("text", ["x/y x", "{x for x < y; y otherwise", "x y z", "x y/"])
def test_text_that_says_nothing_or_two_things_is_refused(text: str) -> None:
    with pytest.raises((BadInput, IndexError)):
        text_formula(text, latex_letters([x + y]))
