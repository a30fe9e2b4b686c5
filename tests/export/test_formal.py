"""SMT-LIB fed to Z3 and cvc5; MathML, SymPy source, LaTeX and Coq given to their readers; headers; the command."""

import shutil
import subprocess
from dataclasses import replace
from xml.etree import ElementTree as ET

import pytest
import sympy as sp
from command_line import cli
from exported import exportable, session
from matplotlib import mathtext

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.export import FORMATS, latex, mathml, smtlib, straightline
from grpo_symbolic.notation import b, beta, gamma, o, p, pi, x
from grpo_symbolic.proof import Always, Domain, Exists, Monotone, Result
from grpo_symbolic.proof.rules.crossings import ButForAPoint
from grpo_symbolic.proof.rules.derivatives import Continuous, Lipschitz
from grpo_symbolic.session import Session
from grpo_symbolic.verification import runner
from grpo_symbolic.verification.store import Store

DECIDED = ["vy-eq14-lower-bound", "vy-eq14-lower-bound-strict", "mr-thm3-every-p", "vy-B1-derivative-on-policy"]
MIXED = [*DECIDED, "vy-eq14", "vy-eq15", "mr-thm2-h", "vy-eq6-representation", "mr-thm3-beta-limits"]
HIDDEN = Domain(0 < p, p < 1, b > 0)


def z3_answers(text):
    import z3

    context = z3.Context()
    return z3.Z3_eval_smtlib2_string(context.ref(), text).split()


def cvc5_answers(text):
    import cvc5

    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("tlimit-per", "10000")
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "export")
    answers = []
    while not (command := parser.nextCommand()).isNull():
        answers += str(command.invoke(solver, parser.getSymbolManager())).split()
    return answers


@pytest.mark.parametrize("claim", DECIDED)
@pytest.mark.parametrize("answers", [z3_answers, cvc5_answers])
def test_the_negation_of_a_proved_claim_is_unsat_for_both_solvers(claim, answers):
    text = gs.export(claim, to="smtlib", session=session())
    found = answers(text)
    assert found == ["unsat"] * text.count("(check-sat)")
    assert found


@pytest.mark.parametrize("answers", [z3_answers, cvc5_answers])
def test_a_false_statement_is_satisfiable_and_a_missing_domain_shows(answers):
    root = (1 - b + sp.sqrt((1 - b) ** 2 + 4 * b * p)) / 2
    assert "unsat" not in answers(gs.export(root > sp.Max(p, 1 - b) + 1, to="smtlib", domain=HIDDEN))[-1:]
    wide = gs.export(root >= sp.Max(p, 1 - b), to="smtlib", domain=Domain(0 < p, p < 1, b < 0))
    assert set(answers(wide)) != {"unsat"}


def test_smtlib_says_what_it_abstracts_and_refuses_what_it_cannot_hold():
    assert "exact: no: exponentials" in gs.export("mr-thm3-every-p", to="smtlib", session=session())
    assert "exact: yes" in gs.export("vy-eq14-lower-bound", to="smtlib", session=session())
    with pytest.raises(BadInput, match="is an expression"):
        gs.export("pairs", to="smtlib")
    with pytest.raises(BadInput, match="LimitIs is no formula"):
        gs.export("vy-s231-limit-beta-0", to="smtlib", session=session())
    partly = gs.export("mr-thm3-beta-limits", to="smtlib", session=session())
    assert partly.count("left out:") >= 2
    assert smtlib.scripts(exportable("vy-eq14-lower-bound"))[2]


@pytest.mark.parametrize("name", [*MIXED, "pairs", "grpo"])
def test_sympy_source_rebuilds_the_very_expression(name):
    scope = {}
    exec(gs.export(name, to="sympy", session=session()), scope)
    of = exportable(name)
    assert scope["statement"] == of.statement
    assert scope["statement"].args == of.statement.args
    assert tuple(scope["domain"]) == of.domain.constraints


def test_sympy_source_keeps_unevaluated_forms():
    for e in [sp.Add(p, p, evaluate=False), sp.Mul(2, p + b, evaluate=False), sp.Eq(p, p, evaluate=False), -p / b - 1]:
        scope = {}
        exec(gs.export(e, to="sympy"), scope)
        assert scope["statement"].args == e.args


@pytest.mark.parametrize("name", [*MIXED, "pairs", "grpo", "success-map"])
def test_mathml_parses_and_its_arithmetic_core_is_read_back(name):
    text = gs.export(name, to="mathml", session=session())
    root = ET.fromstring(text)
    assert root.tag.endswith("math")
    of = exportable(name)
    if not of.statement.has(sp.Limit, sp.Derivative, sp.Subs, sp.KroneckerDelta, sp.sign):
        assert mathml.read(text) in (of.statement, rebuilt(of.statement))


def rebuilt(e):
    """The expression as SymPy evaluates it, which a reader that calls its constructors gets."""
    return e.func(*map(rebuilt, e.args)) if e.args else e


def test_mathml_reads_functions_numbers_and_sums_back_exactly():
    e = sp.Sum(pi[o] * sp.log(pi[o] / 3), (o, 1, 4)) - sp.sqrt(beta) * sp.exp(-gamma / 7) + sp.Max(p, 1 - b)
    assert mathml.read(gs.export(e, to="mathml")) == e
    case = sp.Piecewise((p, p < b), (b, True)) + abs(p - b)
    assert mathml.read(gs.export(case, to="mathml")) == case


@pytest.mark.parametrize(
    "text",
    [
        "<math",
        '<!DOCTYPE x [<!ENTITY a "b">]><math/>',
        "<a/>",
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><ci>__import__("os")</ci></math>',
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><apply><system/><ci>x</ci></apply></math>',
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><cn>1e9</cn></math>',
        '<math xmlns="http://www.w3.org/1998/Math/MathML"><apply><power/><cn>9</cn><cn>999999999</cn></apply></math>',
        '<math xmlns="http://www.w3.org/1998/Math/MathML">' + "<apply><exp/>" * 300 + "</apply>" * 300 + "</math>",
    ],
)
def test_hostile_mathml_is_refused(text):
    with pytest.raises(BadInput):
        mathml.read(text)


def test_latex_is_compiled(tmp_path):
    compiler = shutil.which("pdflatex") or pytest.skip("no LaTeX (pdflatex) here")
    body = "\n".join(gs.export(name, to="latex", session=session()) for name in [*MIXED, "pairs", "grpo"])
    page = "\\documentclass{article}\\usepackage{amsmath,amssymb}\\begin{document}\n" + body + "\\end{document}\n"
    (tmp_path / "all.tex").write_text(page)
    run = [compiler, "-interaction=nonstopmode", "-halt-on-error", "all.tex"]
    done = subprocess.run(run, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout[-800:]
    assert (tmp_path / "all.pdf").stat().st_size > 10_000


def test_latex_is_rendered():
    for name in ("vy-eq14", "vy-eq15", "pairs", "large-groups"):
        formula = latex.formula(exportable(name).statement).replace(r"\tfrac", r"\frac")  # mathtext has no \tfrac
        width, height, *_ = mathtext.MathTextParser("path").parse(f"${formula}$")
        assert width > 50 < 50 + height


def test_coq_accepts_the_propositions(tmp_path):
    coqc = shutil.which("coqc") or pytest.skip("no Coq (coqc) here")
    (tmp_path / "all.v").write_text(gs.export("vy-eq14-lower-bound", to="coq", session=session()))
    done = subprocess.run([coqc, "all.v"], cwd=tmp_path, capture_output=True, text=True)
    if "Cannot find" in done.stderr:
        pytest.skip("Coq is here without its interval and coquelicot libraries")
    assert done.returncode == 0, done.stderr


# -- headers and the command -----------------------------------------------------------------------------------------


@pytest.mark.parametrize("to", sorted(FORMATS))
def test_every_format_carries_the_header_and_claims_no_verdict_that_is_not_stored(to):
    text = gs.export("vy-eq14-lower-bound", to=to, session=session())
    for field in ("id", "verdict", "domain", "version", "hash"):
        assert f"{field}: " in text or f'"{field}": ' in text
    assert "not verified yet" in text
    assert "proved" not in text.split("hash")[0]


CLAIM = "vy-eq14-lower-bound"


def verdict(there):
    return next(line for line in gs.export(CLAIM, to="latex", session=there).splitlines() if "verdict" in line)


def test_the_verdict_is_that_of_the_ledger_and_nothing_is_checked_for_it(tmp_path, monkeypatch):
    there = Session(store=Store(tmp_path / "store"))
    assert verdict(there).endswith("not verified yet")
    verified = there.verify([CLAIM], jobs=1).ledger.entry(CLAIM)
    monkeypatch.setattr(runner.Verification, "verify", None)
    again = Session(store=Store(tmp_path / "store"))
    assert f"verdict: {verified.verdict} ({verified.weakest.name})" in verdict(again)
    for file in (tmp_path / "store" / "ledgers").glob("*.json"):
        file.write_text(file.read_text().replace("argued", "proved").replace("symbolic", "kernel"))
    assert verdict(Session(store=Store(tmp_path / "store"))).endswith("not verified yet")  # what was changed counts not


@pytest.mark.slow("an exported verdict is that of the claim, not of its id")
def test_a_claim_made_elsewhere_has_no_verdict_of_its_namesake(tmp_path):
    there = Session(store=Store(tmp_path / "store"))
    there.verify([CLAIM], jobs=1)
    other = replace(gs.claim(CLAIM), paper="elsewhere")
    assert "verdict: not verified yet" in gs.export(other, to="latex", session=there)


def test_the_hash_is_that_of_statement_and_domain():
    def hash_of(thing, domain):
        return next(line for line in gs.export(thing, to="c", domain=domain).splitlines() if "hash" in line)

    assert hash_of(p + b, HIDDEN) == hash_of(p + b, HIDDEN)
    assert hash_of(p + b, HIDDEN) != hash_of(p - b, HIDDEN)
    assert hash_of(p + b, HIDDEN) != hash_of(p + b, Domain(0 < p, p <= 1, b > 0))


def test_a_title_cannot_break_out_of_its_comment():
    for to in ("c", "mathml", "numpy", "latex", "rust", "javascript", "julia", "sympy"):
        text = gs.export(p + 1, to=to, name="a\n*/ --> int main() {}\n-->")
        assert "\nint" not in text
        assert not any(line.lstrip().startswith(("*/", "-->")) and "main" in line for line in text.splitlines())
    assert ET.fromstring(gs.export(p + 1, to="mathml", name="--><x")) is not None


def test_bad_requests_are_one_sentence():
    with pytest.raises(BadInput, match="no format 'cobol'"):
        gs.export("pairs", to="cobol")
    with pytest.raises(BadInput, match="did you mean vy-eq14"):
        gs.export("vy-eq14x", to="c", session=session())
    with pytest.raises(BadInput, match="cannot export dict"):
        gs.export({}, to="c")
    assert straightline.lowered(sp.Sum(o, (o, 1, 3))) == 6
    twice = sp.Sum(sp.Sum(o, (o, 1, 3)) + o, (o, 1, 2))  # a letter that is bound again is another one
    assert straightline.lowered(twice) == 15


def test_the_command_writes_files_and_refuses_with_status_two(tmp_path, monkeypatch):
    monkeypatch.chdir(tmp_path)
    done = cli("export", "pairs", "--to", "c", "--out", "pairs.c")
    assert done.exit_code == 0
    assert "double pairs_value(double p, double b)" in (tmp_path / "pairs.c").read_text()
    assert cli("export", "grpo", "--to", "numpy", "--at", "n=2").exit_code == 0
    for words in (["pairs", "--to", "cobol"], ["grpo", "--to", "c"], ["pairs", "--to", "c", "--at", "n=x"]):
        assert cli("export", *words).exit_code == 2


def test_an_export_says_that_an_example_is_one_and_gives_no_formula_that_says_more() -> None:
    place = {"locator": "-", "title": "a sentence", "printed": None}
    claim = Result(__file__).claim
    found = claim("found", Exists(x**2 < x, {x: sp.S.Half}), Domain(x), **place)
    for to in ("latex", "sympy"):
        assert "a point exists, which the formula does not show" in gs.export(found, to=to)
    assert '"exact": false' in gs.export(found, to="json")
    assert "<exists" in gs.export(found, to="mathml")
    for said in (Monotone(x**3, x, 1).by(ButForAPoint(0)), Lipschitz(x**2, x, 2), Continuous(x**2, x)):
        with pytest.raises(BadInput, match="SymPy has no object that says"):
            gs.export(claim(f"of-{type(said.conclusion).__name__}", said, Domain(0 < x, x < 1), **place), to="latex")
    comment = claim("comment", Always(x**2 >= 0, label="a */ b ??/ c \\"), Domain(x), **place)
    for to in ("c", "javascript"):
        assert "*/ b" not in gs.export(comment, to=to)
        assert "??/" not in gs.export(comment, to=to)
