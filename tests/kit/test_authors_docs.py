"""The how-tos for authors: the examples of a page are one result file, with the verdicts that the page promises."""

from __future__ import annotations

import re

import pytest
from checkout import ROOT

from grpo_symbolic.book import tables
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.proof.statements.evidence import PrintVerdict, Verdict
from grpo_symbolic.proof.statements.lemmas import LEMMAS
from grpo_symbolic.report.advice import what_would_help
from grpo_symbolic.session import Session
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.store import Store

HOW_TO = ROOT / "docs" / "how-to"
PAGE, LEMMA_PAGE, BOOK_PAGE = (
    (HOW_TO / f"{name}.md").read_text("utf-8") for name in ("authors", "lemma_instances", "sphinx")
)
CODE, LEMMA_CODE = ("\n".join(re.findall(r"```python\n(.*?)```", page, re.S)) for page in (PAGE, LEMMA_PAGE))
STATEMENTS = [
    code for cell in re.findall(r"^\| (`[A-Z]\w+\(.*?`) \|", PAGE, re.M) for code in re.findall(r"`(.*?)`", cell)
]
TABLE = """
from sympy import Derivative, Product, Rational, log, oo
from grpo_symbolic.notation import j, k, p, u, x
from grpo_symbolic.proof import *
claim = Result(__file__).claim
inside = Domain(0 < p, p < 1, u > 0, 0 < x, x < 1)
""" + "\n".join(
    f'claim("table-{n}", {code}, inside, locator="", title="A statement of the table")'
    for n, code in enumerate(STATEMENTS)
)
TABLE += '\nclaim("open-power", Always(p**k <= p), inside.also(k >= 1), locator="", title="A power of any exponent")'


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    folder = tmp_path_factory.mktemp("docs") / "example"
    folder.mkdir()
    (folder / "page.py").write_text(CODE, "utf-8")
    bare = CODE.replace(", using=(log_below_tangent(u),)", "").replace('"my-', '"bare-')
    (folder / "bare.py").write_text(bare, "utf-8")
    mixed = LEMMA_CODE.replace("-u * log(v / u)", "u * log(u / v)").replace('claim(\n    "', 'claim(\n    "mixed-')
    (folder / "lemmas.py").write_text(LEMMA_CODE, "utf-8")
    (folder / "mixed.py").write_text(mixed, "utf-8")
    (folder / "table.py").write_text(TABLE, "utf-8")
    return Session([folder], Store(folder.parent / "store")).verify(jobs=1).ledger


def test_the_examples_are_proved_and_the_wrong_print_is_refuted(ledger: Ledger) -> None:
    ratio, variance = ledger.entry("my-log-ratio"), ledger.entry("my-variance-bound")
    assert (ratio.verdict, ratio.print_verdict) == (Verdict.proved, PrintVerdict.as_read)
    assert (variance.verdict, variance.print_verdict) == (Verdict.proved, PrintVerdict.wrong)
    assert variance.witness.startswith("p = 1/2")


def test_gradients_sums_and_groups_are_proved_and_a_print_that_has_no_value_needs_its_hypothesis(
    ledger: Ledger,
) -> None:
    for id in ("token-gradient", "expected-root", "expected-variance", "advantages"):
        assert ledger.entry(f"my-{id}").verdict is Verdict.proved
    assert ledger.entry("my-advantages").print_verdict is PrintVerdict.needs_hypothesis
    assert plain(ledger.entry("my-token-gradient").headline).split(": ")[1].startswith("∂/∂ℓ(i) (A e^")


def test_a_hint_gives_the_example_its_certificate(ledger: Ledger) -> None:
    hinted = ledger.entry("my-schur")
    assert hinted.verdict is Verdict.proved
    assert not hinted.believes


def test_without_its_lemma_the_first_one_is_open_and_says_what_the_page_says(ledger: Ledger) -> None:
    bare = ledger.entry("bare-log-ratio")
    assert bare.verdict is Verdict.supported
    (advice,) = what_would_help(bare)
    assert "using=(log_below_tangent(u),)" in advice
    assert "using=(log_below_tangent(u),)" in PAGE


def test_a_power_of_any_exponent_is_open_and_says_what_the_page_says(ledger: Ledger) -> None:
    (advice,) = what_would_help(ledger.entry("open-power"))
    assert "ForEveryNumber(…, k, 2).by(Induction())" in advice
    for words in ("a power whose exponent is a letter is any number", "Product(p, (j, 1, k))"):
        assert words in advice
        assert words in PAGE


def test_an_instance_helps_where_it_speaks_of_the_logarithm_of_the_claim(ledger: Ledger) -> None:
    ids = ("open-log-ratio", "proved-log-ratio", "log-moves-alike", "mixed-proved-log-ratio")
    verdicts = [ledger.entry(claim_id).verdict for claim_id in ids]
    assert verdicts == [Verdict.supported, Verdict.proved, Verdict.proved, Verdict.supported]


def test_the_statements_of_the_table_are_proved(ledger: Ledger) -> None:
    assert len(STATEMENTS) == 13
    verdicts = {code: ledger.entry(f"table-{n}").verdict for n, code in enumerate(STATEMENTS)}
    assert verdicts == dict.fromkeys(STATEMENTS, Verdict.proved)


def test_the_pages_name_every_lemma_and_only_directives_that_there_are() -> None:
    assert set(re.findall(r"^\| `(\w+)\(", LEMMA_PAGE, re.M)) == set(LEMMAS)
    named = {name for name in re.findall(r"\{([a-z-]+)\}", BOOK_PAGE) if name.startswith("claim-")}
    assert named - {"claim-ref", "claim-count"} <= set(tables.TABLES)
