"""The Sphinx extension: claim boxes, links, derivations and tables in a tiny book; an unknown id stops the build."""

from __future__ import annotations

import importlib
import inspect
import json
import re
from dataclasses import replace
from html import escape
from pathlib import Path
from types import SimpleNamespace
from typing import cast

import pytest
from checkout import ROOT
from docutils import nodes
from docutils.core import publish_doctree
from sphinx import addnodes
from sphinx.application import Sphinx
from sphinx.errors import ExtensionError, SphinxParallelError
from sphinx.ext.napoleon import GoogleDocstring
from sphinx.util.docutils import docutils_namespace
from sphinx.util.parallel import make_chunks
from sympy import And, Piecewise, S, Sum, sqrt

from grpo_symbolic.book import ledgerbook, tables
from grpo_symbolic.book.boxes import conditions
from grpo_symbolic.book.trainer_page import trainer_page
from grpo_symbolic.book.values import shown, value_of
from grpo_symbolic.catalogue import builtin_folders
from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.ledger import Entry, EvidenceRecord, Ledger, Part
from grpo_symbolic.notation import G, b, j, p, r, x
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.maxima import LocalMaximum
from grpo_symbolic.proof.rules.roots import UniqueRoot
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Grade, Origin, Outcome, PrintVerdict, Verdict
from grpo_symbolic.proof.statements.statement import Equal, Every, Exists, On, Roots, Tends
from grpo_symbolic.report.advice import ON_PRINTS
from grpo_symbolic.session import Session
from grpo_symbolic.trainers import TRAINERS
from grpo_symbolic.typeset.phrases import phrases
from grpo_symbolic.verification.parts import parts
from grpo_symbolic.verification.store import Store

PAPER = ROOT / "tests" / "my_paper"
BOOK = ROOT / "book"


@pytest.fixture(scope="module")
def ledger(tmp_path_factory: pytest.TempPathFactory) -> Ledger:
    """A verified ledger of the tests' own paper."""
    return Session([PAPER], Store(tmp_path_factory.mktemp("store"))).verify(jobs=1).ledger


@pytest.fixture(scope="module")
def claim_id(ledger: Ledger) -> str:
    return ledger.claims[0].id


def build(folder: Path, ledger: Ledger, parallel: int = 0, **pages: str) -> dict[str, str]:
    """The HTML of each page of a book, read and written by so many processes."""
    source = folder / "book"
    source.mkdir()
    (source / "ledger.json").write_text(json.dumps(ledger.to_json()), encoding="utf-8")
    (source / "conf.py").write_text("extensions = ['myst_parser', 'grpo_symbolic.book.sphinx_claims']\n", "utf-8")
    for name, text in pages.items():
        (source / f"{name}.md").write_text(text, encoding="utf-8")
    toc = "# Book\n\n```{toctree}\n" + "\n".join(pages) + "\n```\n"
    (source / "index.md").write_text(toc, encoding="utf-8")
    with docutils_namespace():
        target = (source, source, folder / "html", folder / "trees", "html")
        app = Sphinx(*target, status=None, warningiserror=True, parallel=parallel)
        app.build()
    assert app.statuscode == 0
    return {name: (folder / "html" / f"{name}.html").read_text(encoding="utf-8") for name in pages}


def test_box_says_what_the_ledger_says(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    entry = ledger.claims[0]
    page = build(tmp_path, ledger, one=f"# One\n\n```{{claim}} {claim_id}\n```\n")["one"]
    assert f'id="claim-{claim_id}"' in page
    assert re.search(rf'claim-badge claim-{entry.verdict}">{entry.verdict} · \w+<', page)
    assert f'claim-print-{entry.print_verdict}">' in page
    assert entry.locator in page
    assert page.count("<details") >= 1
    for piece in entry.evidence:
        assert piece.engine in page
        assert f"{piece.seconds:.3f}" in page
    assert f"grpo-symbolic verify --id {claim_id}" in re.sub("<[^>]+>", "", page)


def test_a_claim_has_a_page_of_its_own(tmp_path: Path, ledger: Ledger) -> None:
    """Written by two processes, with links between claims, and back to the page with the box."""
    boxes = {f"p{n}": f"# Page {n}\n\n```{{claim}} {c.id}\n```\n" for n, c in enumerate(ledger.claims)}
    pages = build(tmp_path, ledger, parallel=2, **boxes)
    written = sorted(file.stem for file in (tmp_path / "html" / "c").glob("*.html"))
    assert written == sorted(ledger.entries)
    for n, entry in enumerate(ledger.claims):
        page = (tmp_path / "html" / "c" / f"{entry.id}.html").read_text(encoding="utf-8")
        assert f'<a href="../p{n}.html#claim-{entry.id}">Page {n}</a>' in page
        assert f'href="c/{entry.id}.html"' in pages[f"p{n}"]
        assert escape(entry.sentence, quote=False) in page.replace("&#39;", "'").replace("&#34;", '"')
        assert f"@misc{{{entry.id}," in page
        assert f"{entry.verdict.capitalize()}; {ON_PRINTS[entry.print_verdict]}." in page  # to those who search
        linked = set(re.findall(r'href="([\w-]+)\.html"', page))
        assert set(entry.depends_on) <= linked <= set(ledger.entries)


def test_the_contents_of_a_page_have_its_claims_under_their_sections(tmp_path: Path, ledger: Ledger) -> None:
    first, second, *_ = ledger.claims
    text = f"# One\n\n```{{claim}} {first.id}\n```\n\n## Part\n\n```{{claim}} {second.id}\n```\n"
    page = build(tmp_path, ledger, one=text)["one"]
    contents = page[page.index('class="sphinxsidebar"') :]
    at = [contents.index(f'href="#{name}"') for name in (f"claim-{first.id}", "part", f"claim-{second.id}")]
    assert at == sorted(at)


def test_a_claim_leads_with_what_it_says(tmp_path: Path, ledger: Ledger) -> None:
    """In its box before the print, in tables over its title, in tooltips and in the search."""
    judged = {"print_verdict": PrintVerdict.wrong, "print_expected": PrintVerdict.wrong}
    first = replace(ledger.claims[0], says=r"\beta\le\tfrac14", **judged)
    changed = replace(ledger, claims=(first, *ledger.claims[1:]))
    text = f"# One\n\n```{{claim}} {first.id}\n```\n\n```{{claim-index}}\n:paper: {first.paper}\n```\n"
    page = build(tmp_path, changed, one=text, two="# Two\n\n```{claim-errata}\n```\n")
    box = page["one"][page["one"].index('class="claim-title"') :]
    assert box.index(r"\beta\le\tfrac14") < box.index("As printed")
    row = box[box.index("what it says") :]
    assert row.index(r"\beta\le\tfrac14") < row.index("claim-in-short")
    assert (
        f'class="claim-link reference internal" href="#claim-{first.id}" title="β ≤ ¼ · {escape(first.title)} · '
        in page["one"]
    )
    searched = json.loads((tmp_path / "html" / "searchindex.js").read_text("utf-8")[len("Search.setIndex(") : -1])
    assert f"β ≤ ¼ · {first.title} · {first.id}" in str(searched["objects"])
    assert re.search(r'<section id="errata-wrong">\s*<h2>Print is wrong \(\d+\)', page["two"])


def test_a_refuted_claim_leads_with_its_counter_example_and_an_open_one_with_what_would_help(
    tmp_path: Path, ledger: Ledger, claim_id: str
) -> None:
    found = EvidenceRecord("holds", "0: ", "witness", Grade.certified, Outcome.refuted, "Arb", 0.1, artefact="p = 1/3")
    late = replace(found, outcome=Outcome.unknown, grade=Grade.none, artefact="stopped after 60 s", timed_out=True)
    first = ledger.claims[0]
    refuted = replace(first, verdict=Verdict.refuted, evidence=(found,))
    open_ = replace(first, verdict=Verdict.supported, evidence=(late,))
    for entry, row in ((refuted, "Fails at</span> "), (open_, "Would help</span> 0: : stopped after 60 s; run")):
        (tmp_path / entry.verdict).mkdir()
        changed = replace(ledger, claims=(entry,))
        page = build(tmp_path / entry.verdict, changed, one=f"# One\n\n```{{claim}} {claim_id}\n```\n")["one"]
        at = [page.index(part) for part in ('class="claim-title"', "claim-badge", row, 'class="math')]
        assert at == sorted(at)


def test_badges_follow_the_ledger_and_not_the_page(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    first = replace(ledger.claims[0], verdict=Verdict.refuted, print_verdict=PrintVerdict.wrong)
    changed = replace(ledger, claims=(first,))
    page = build(tmp_path, changed, one=f"# One\n\n```{{claim}} {claim_id}\n```\n")["one"]
    assert 'claim-badge claim-refuted">refuted' in page
    assert 'claim-print-wrong">print is wrong<' in page


@pytest.mark.parametrize(
    "text",
    [
        "```{claim} no-such-claim\n```",
        "{claim-ref}`no-such-claim`",
        "{holds}`no-such-claim`",
        "{sym}`no_such_symbol`",
        "{value}`no-such-claim p=1/2`",
        "```{formula} no-such-claim\n```",
        "{claim-count}`colour=red`",
        "```{claims-of} my_paper/no_such_file\n```",
        "```{derivation} no-such-derivation\n```",
        "```{claim-errata}\n:paper: no_such_paper\n```",
        "```{theory-table}\n:questions: no such question\n```",
    ],
)
def test_unknown_names_stop_the_build(tmp_path: Path, ledger: Ledger, text: str) -> None:
    with pytest.raises(ExtensionError, match=r"one: there is no \w"):
        build(tmp_path, ledger, one=f"# One\n\n{text}\n")


def test_two_boxes_of_one_claim_stop_the_build(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    box = f"```{{claim}} {claim_id}\n```\n"
    with pytest.raises(ExtensionError, match="has two boxes"):
        build(tmp_path, ledger, one=f"# One\n\n{box}", two=f"# Two\n\n{box}")


def several(ledger: Ledger) -> dict[str, str]:
    """Pages enough for Sphinx to share them out, each with its box and a link to that of the next."""
    ids = [c.id for c in ledger.claims]
    boxes = [f"```{{claim}} {i}\n```\n" for i in ids] + [""] * (8 - len(ids))
    return {f"page{k}": f"# Page {k}\n\n{box}\n{{claim-ref}}`{ids[k % len(ids)]}`\n" for k, box in enumerate(boxes, 1)}


def test_several_processes_make_the_same_pages(tmp_path: Path, ledger: Ledger) -> None:
    (tmp_path / "one").mkdir()
    (tmp_path / "three").mkdir()
    pages = several(ledger)
    together = build(tmp_path / "three", ledger, parallel=3, **pages)
    assert together == build(tmp_path / "one", ledger, **pages)
    assert sum('id="claim-' in text for text in together.values()) == len(ledger.claims) > 1


def test_two_boxes_read_by_two_processes_stop_the_build(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    pages = several(ledger)
    last = max(pages)
    pages[last] += f"\n```{{claim}} {claim_id}\n```\n"
    with pytest.raises((ExtensionError, SphinxParallelError)) as stopped:
        build(tmp_path, ledger, parallel=3, **pages)
    assert f"the claim {claim_id!r} has two boxes: in " in str(stopped.value)


def test_notebooks_are_shared_out_and_no_page_is_lost(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.syspath_prepend(str(BOOK / "_ext"))
    deal = importlib.import_module("parallel").deal
    env = SimpleNamespace(doc2path=lambda name: f"{name}.{'ipynb' if 'notebook' in name else 'md'}")
    for pages, notebooks in ((0, 0), (0, 2), (3, 0), (104, 6), (104, 40)):
        names = [f"notebook{k:02}" for k in range(notebooks)] + [f"page{k:03}" for k in range(pages)]
        dealt = names.copy()
        deal(SimpleNamespace(parallel=3), env, dealt)
        assert sorted(dealt) == names
        if notebooks == 6:
            assert [chunk[0] for chunk in make_chunks(dealt, 3)] == names[:6]
        assert [name for name in dealt if "page" in name] == [name for name in names if "page" in name]


def test_a_box_shown_again_has_no_place_of_its_own(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    pages = build(
        tmp_path,
        ledger,
        one=f"# One\n\n```{{claim}} {claim_id}\n:again:\n```\n",
        two=f"# Two\n\n```{{claim}} {claim_id}\n```\n",
    )
    assert f'id="claim-{claim_id}"' not in pages["one"]
    assert f'href="two.html#claim-{claim_id}"' in pages["one"]
    assert f'href="c/{claim_id}.html"' in pages["one"]


def test_a_box_that_is_only_shown_again_links_to_no_page(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    pages = build(tmp_path, ledger, one=f"# One\n\n```{{claim}} {claim_id}\n:again:\n```\n")
    assert 'class="claim claim-is-' in pages["one"]
    assert f"c/{claim_id}.html" not in pages["one"]


def test_a_missing_ledger_stops_the_build(tmp_path: Path) -> None:
    (tmp_path / "conf.py").write_text(
        "extensions = ['myst_parser', 'grpo_symbolic.book.sphinx_claims']\nclaims_ledger = 'none.json'\n", "utf-8"
    )
    (tmp_path / "index.md").write_text("# One\n\n{claim-count}`all`\n", encoding="utf-8")
    with docutils_namespace(), pytest.raises(ExtensionError, match=r"none\.json is not a ledger"):
        Sphinx(tmp_path, tmp_path, tmp_path / "html", tmp_path / "trees", "html", status=None).build()


def test_links_symbols_and_counts(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    entry = ledger.claims[0]
    text = (
        f"# One\n\n{{claim-ref}}`the words <{claim_id}>`, {{sym}}`beta`, {{holds}}`{claim_id}`, {{claim-count}}`all`.\n"
    )
    pages = build(tmp_path, ledger, one=text, two=f"# Two\n\n```{{claims-of}} my_paper/{entry.file[:-3]}\n```\n")
    assert re.search(rf'href="two.html#claim-{claim_id}"[^>]*><span>the words<', pages["one"])
    assert r"\(\beta\)" in pages["one"]
    assert f", {len(ledger.claims)}." in re.sub("<[^>]+>", "", pages["one"])
    for c in ledger.claims:
        assert f'id="claim-{c.id}"' in pages["two"]


def test_tables(tmp_path: Path, ledger: Ledger) -> None:
    of_file = f":file: {next(iter(ledgerbook.LedgerBook(ledger).files))}\n"
    asked = {"claim-answers": of_file}
    text = "\n\n".join(f"```{{{name}}}\n{asked.get(name, '')}```" for name in tables.TABLES)
    page = build(tmp_path, ledger, one=f"# One\n\n{text}\n")["one"]
    assert r"\pi_{\mathrm{old}}" in page
    for name, version in ledger.environment.versions.items():
        assert name in page
        assert version in page
    assert f"{len(ledger.claims)} claims and" in page


def test_claims_of_every_grade_are_counted(ledger: Ledger) -> None:
    (some,) = ledger.claims[0].evidence[:1]
    claims = tuple(
        replace(ledger.claims[0], id=f"a-{g.name}", evidence=(replace(some, about="holds", grade=g),)) for g in Grade
    )
    made = tables.TABLES["claim-status"](ledgerbook.LedgerBook(Ledger(claims)), {})
    rows = [[cell.astext() for cell in row.findall(nodes.entry)] for row in made[3].findall(nodes.row)]
    assert [row[0] for row in rows[1:]] == [*(g.name for g in reversed(Grade)), "all"]
    assert sum(int(row[-1]) for row in rows[1:-1]) == int(rows[-1][-1]) == len(claims)


def test_an_index_of_own_results_says_nothing_of_a_print() -> None:
    def heads(**options: str) -> list[str]:
        (table,) = tables.TABLES["claim-index"](ledgerbook.LedgerBook(Ledger((printed, own))), options)
        return [head.astext() for head in next(iter(table.findall(nodes.thead))).findall(nodes.entry)]

    place = {"paper": "a", "locator": "Sec 1", "title": "t", "sentence": "", "domain": "", "kind": "identity"}
    printed = Entry(
        "a-1", **place, origin=Origin.print, printed="x>0", verdict=Verdict.proved, print_verdict=PrintVerdict.holds
    )
    own = replace(printed, id="a-2", origin=Origin.own, printed=None, print_verdict=None)
    assert heads() == ["claim", "place", "what it says", "verdict", "print"]
    assert heads(own="yes") == ["claim", "place", "what it says", "verdict"]


def test_formulas_of_any_length_are_set(tmp_path: Path, ledger: Ledger) -> None:
    page = build(tmp_path, ledger, one="# One\n\n{sym}`beta`\n")["one"]
    told = re.search(r'window\.MathJax = .*"maxBuffer": (\d+)', page)
    assert told
    assert int(told[1]) > 16 * 5120  # MathJax's own bound is 5120 characters


def test_a_limit_that_refutes_is_told_in_words() -> None:
    said = "limit computed as 1 - log(2), claimed oo\n"
    found = EvidenceRecord("printed", "0: x", "gruntz", Grade.symbolic, Outcome.refuted, "SymPy 1", 0.0, artefact=said)
    entry = Entry("a-1", "a", Origin.own, "Sec 1", "t", None, "", "", "identity", Verdict.proved, None)
    assert replace(entry, evidence=(found,)).witness == "the limit is 1 - log(2), not ∞"


def test_every_symbol_of_the_notation_file_is_in_the_table() -> None:
    from grpo_symbolic.notation import NOTATION

    listed = [name for _, names in tables.groups_of_notation() for name in names]
    assert len(listed) == len(set(listed))
    declared = re.findall(
        r"^(\w+) = (?:scalar|family|Tokens)\(", Path(tables.notation.__file__).read_text("utf-8"), re.M
    )
    assert sorted(listed) == sorted(declared)
    assert len(NOTATION) > 0


def test_a_domain_breaks_between_its_conditions_only() -> None:
    shown = [node.astext() for node in conditions(r"0<p<1,\ \sum_{o=1,\ 2}f(o,\ p)=1,\ \beta>0")]
    assert shown[::2] == ["0<p<1", r"\sum_{o=1,\ 2}f(o,\ p)=1", r"\beta>0"]


def test_sentences_keep_every_formula_and_word() -> None:
    assert phrases(r"\frac{\text{a}}{b}=1") == [("math", r"\frac{\text{a}}{b}=1")]
    assert phrases(r"\text{for }\ n\ge2,\quad\text{ all } ") == [
        ("text", "for "),
        ("math", r"\ n\ge2,\quad"),
        ("text", " all "),
    ]


# -- the pages of the book itself -------------------------------------------------------------------------------------

PAGES = sorted(p for p in BOOK.rglob("*.md") if "_build" not in p.parts)


@pytest.mark.parametrize("page", PAGES, ids=lambda p: str(p.relative_to(BOOK)))
def test_no_formula_is_typed_on_a_page(page: Path) -> None:
    text = page.read_text(encoding="utf-8")
    assert "$" not in text
    assert not re.search(r"\{math\}|\\begin\{|\\\(|\\\[", text)
    assert not re.search(r"\bproved ·|claim-badge", text)


def test_every_result_file_has_its_page_and_every_page_its_place() -> None:
    results = {
        f"{f.parent.name}/{f.stem}"
        for folder in builtin_folders()
        for f in folder.glob("*.py")
        if re.search(r"^claim\(|^    claim\(", f.read_text(encoding="utf-8"), re.M)
    }
    toc = set(re.findall(r"(?:file|root): (\S+)", (BOOK / "_toc.yml").read_text(encoding="utf-8")))
    pages = {str(p.relative_to(BOOK).with_suffix("")) for p in PAGES}
    assert results <= pages, f"no page for {sorted(results - pages)}"
    assert toc - {"references"} <= pages | {str(p.relative_to(BOOK).with_suffix("")) for p in BOOK.rglob("*.ipynb")}
    assert pages <= toc, f"not in _toc.yml: {sorted(pages - toc)}"
    for result in results:
        assert f"{{claims-of}} {result}\n" in (BOOK / f"{result}.md").read_text(encoding="utf-8")


def test_ids_named_on_pages_are_registered() -> None:
    """Without building the book: the slow proof is the build itself, which stops at an unknown id."""
    from grpo_symbolic import catalogue

    known = catalogue.ids()
    named = {
        found
        for page in PAGES
        for found in re.findall(r"\{claim\} ([\w-]+)|<([\w-]+)>`", page.read_text(encoding="utf-8"))
        for found in found
        if re.match(r"(vy|mr|pt|br)-", found)
    }
    assert len(named) > 50
    assert named <= known, f"not registered: {sorted(named - known)}"


def test_remarks_find_their_indices_and_links() -> None:
    ids = ["vy-eq14"]
    found = list(ledgerbook.pieces("π_ref and e^{−x} of KL_0, see vy-eq14; stationary_maximum.py stays", ids))
    assert found == [
        ("plain", "π"),
        ("sub", "ref"),
        ("plain", " and e"),
        ("sup", "−x"),
        ("plain", " of KL"),
        ("sub", "0"),
        ("plain", ", see "),
        ("claim", "vy-eq14"),
        ("plain", "; stationary_maximum.py stays"),
    ]


def test_the_table_of_the_space_links_claims_and_says_what_is_open(tmp_path: Path, ledger: Ledger) -> None:
    page = build(tmp_path, ledger, one="# One\n\n```{theory-table}\n:questions: uniqueness, stability\n```\n")["one"]
    assert page.count("<tr") > 20
    assert "<strong>groups of two</strong> · Vojnovic &amp; Yun (14)" in page
    assert "Existence and uniqueness of the stationary policy inside (0, 1)" in page  # what the claim says, not its id
    assert "expected: proved" in page  # the little ledger knows nothing of these claims
    assert '<em class="claim-open">open</em>' in page
    assert not re.search(r"π_ref|</span>\s*;", page)  # indices are low, and each claim has a line of its own
    (table,) = tables.TABLES["theory-table"](ledgerbook.LedgerBook(ledger), {"questions": "uniqueness"})
    links = list(table.findall(addnodes.pending_xref))
    assert links
    assert all(isinstance(link.parent, nodes.TextElement) for link in links)  # Sphinx refuses others once resolved


def test_a_part_is_drawn_and_a_file_answers_in_a_table(tmp_path: Path, ledger: Ledger) -> None:
    first = ledger.claims[0]
    own = [c for c in ledger.claims if c.paper == first.paper]
    graph = f"```{{claim-graph}}\n:paper: {first.paper}\n```\n"
    answers = f"```{{claim-answers}}\n:file: {first.paper}/{first.file.removesuffix('.py')}\n```\n"
    page = build(tmp_path, ledger, one=f"# One\n\n```{{claim}} {first.id}\n```\n\n{graph}\n{answers}")["one"]
    picture = page[page.index("claim-part-graph") : page.index("claim-keys")]
    assert picture.count("<circle") == len(own)
    drawn = sum(d in {c.id for c in own} for c in own for d in c.depends_on)
    assert picture.count("<path") == drawn
    assert f"({first.id}: {first.verdict}" in picture
    assert f'href="#claim-{first.id}"' in picture  # the one claim that has a box
    rows = page[page.index("what it says") :]
    assert rows.count("<tr") == len([c for c in own if c.file == first.file])


# -- formulas as readers see them -------------------------------------------------------------------------------------


def test_a_formula_of_very_many_lines_is_folded(tmp_path: Path, ledger: Ledger) -> None:
    wide = " + ".join(rf"\frac{{x_{{{n}}}}}{{1 - x_{{{n}}}}}" for n in range(400))
    first = replace(ledger.claims[0], parts=(Part("", wide),))
    changed = replace(ledger, claims=(first, *ledger.claims[1:]))
    page = build(tmp_path, changed, one=f"# One\n\n```{{claim}} {first.id}\n```\n")["one"]
    assert re.search(r"<summary>\s*A formula of \d+ lines\s*</summary>", page)


def test_statements_say_in_words_what_a_sign_would_hide() -> None:
    said = {
        "increasing in": Monotone(p**2, p),
        "weakly decreasing in": Monotone(-(p**2), p, direction=-1, strict=False),
        "convex in": Curved(p**2, p),
        "for exactly one": UniqueRoot(x**2 - p, x, sqrt(p)),
        "for no": Roots(x + 1, x, 0),
        "strict local maximum at": LocalMaximum(-((x - p) ** 2), x, p),
        "strict local minimum at": LocalMaximum((x - p) ** 2, x, p, sense=-1),
        "both sides are": Equal(p, p),
        "“odds less odds”:}": Equal(p, p, label="odds less odds"),
    }
    for words, statement in said.items():
        claim = SimpleNamespace(statement=statement, because=(), domain=Domain(0 < p, p < 1))
        (part,) = parts(cast(Claim, claim), PaperPrinter())
        assert words in part.latex


def test_an_example_is_for_some_values_and_what_a_limit_binds_for_none() -> None:
    statements = On(Domain(0 < x, x < 1), Exists(x > p, {x: S.Half})), On(Domain(0 < x, x < 1), Tends(p * x, x, 0, 0))
    claim = SimpleNamespace(statement=Every(*statements), because=(), domain=Domain(0 < p, p < S.Half))
    example, limit = parts(cast(Claim, claim), PaperPrinter())
    assert (example.where, limit.where) == (r"\text{some }0<x<1", "")


def test_the_printer_keeps_the_value_and_mends_the_look() -> None:
    write = PaperPrinter()
    assert write(b - p * (p - 1)) == r"\tfrac{\beta}{\gamma} + p \left(1 - p\right)"
    assert write(b**2 * p) == r"\left(\tfrac{\beta}{\gamma}\right)^{2} \, p"
    assert write(And(0 < x, x <= p)) == r"0 < x \leq p"
    mean = Sum(r[j], (j, 1, G)) / G
    nested = write(Sum(r[j] - mean, (j, 1, G)))
    assert (
        nested.count("{j}'") == 2
    )  # the index of the inner sum is another one, where it is bound and where it is used
    assert write(Piecewise((0, 10 * x < 0), (1, 10 * x > 1), (10 * x, True))).startswith(r"\operatorname{clip}\left(10")
    assert r"\begin{cases}" in write(Piecewise((p, x > p), (1, x < 1), (x, True)))


def test_values_are_computed_and_refused_outside_the_domain() -> None:
    assert value_of("vy-s231-sqrt p=1/100") == "0.1"
    assert value_of("-vy-s231-sqrt p=0.25") == "0.5"
    for request, complaint in {
        "vy-s231-sqrt p=2": "not in the domain",
        "vy-eq14.2 p=1/2 beta=1": "needs a value of gamma",
        "vy-s231-sqrt.9 p=1/2": "has parts 1 to",
        "vy-s231-sqrt p=half": "is no setting",
        "no-such-claim p=1/2": "no claim",
        "vy-eq14-lower-bound p=1/2": "is no equation",
    }.items():
        with pytest.raises(BadInput, match=complaint):
            value_of(request)


@pytest.mark.parametrize(
    ("number", "text"),
    [
        (1236, "1240"),
        (-1234.5, "−1230"),
        (99999, "100000"),
        (999999, "1 × 10^{6}"),
        (123.4, "123"),
        (-0.25, "−0.25"),
        (-3.21e-7, "−3.21 × 10^{−7}"),
        (1.5e10, "1.5 × 10^{10}"),
    ],
)
def test_a_value_is_rounded_to_three_digits(number: float, text: str) -> None:
    assert shown(number) == text


def test_a_formula_without_its_box(tmp_path: Path, ledger: Ledger, claim_id: str) -> None:
    page = build(tmp_path, ledger, one=f"# One\n\n```{{formula}} {claim_id}\n```\n\n{{value}}`vy-s231-sqrt p=1/4`\n")[
        "one"
    ]
    assert "claim-formula" in page
    assert "claim-badge" not in page
    assert ">0.5</p>" in page


def test_a_trainers_page_is_made_from_its_options(tmp_path: Path, ledger: Ledger) -> None:
    text = "# One\n\n```{trainer} trl==1.9.2\n:set: beta=0.04, loss_type=grpo\n```\n"
    page = re.sub(r"<[^>]+>", "", build(tmp_path, ledger, one=text)["one"])
    answer = "Existence and uniqueness of the stationary policy, by normaliser"
    for piece in ("This run raises", "Mind", "0.04·(e^(−dᵢₜ)", "Its gradient", "theory answers", answer):
        assert piece in page
    other = tmp_path / "other"
    other.mkdir()
    with pytest.raises(ExtensionError, match="has no option"):
        build(other, ledger, one="# One\n\n```{trainer} trl\n:set: betta=1\n```\n")


def test_the_books_pages_of_trainers_have_a_page_each() -> None:
    book, runs = ledgerbook.LedgerBook(Ledger(())), []
    for page in (BOOK / "trainers").glob("*.md"):
        runs += re.findall(r"```\{trainer\} (\S+)\n(?::set: (.*)\n)?```", page.read_text(encoding="utf-8"))
    assert {name.partition("==")[0] for name, _ in runs} == set(TRAINERS)
    for name, options in runs:
        assert "This run raises" in trainer_page(book, name, {"set": options})[0].astext()


def test_the_docstrings_of_the_python_part_are_text_that_the_book_can_set() -> None:
    """A slip of markup would stop the build, which is slower to tell."""
    modules = {
        name
        for page in (BOOK / "python").glob("*.md")
        for name in re.findall(r"automodule:: (\S+)", page.read_text("utf-8"))
    }
    assert "grpo_symbolic.objectives" in modules
    texts = set()
    for name in modules:
        module = importlib.import_module(name)
        for member in [module, *(getattr(module, n) for n in getattr(module, "__all__", vars(module)))]:
            inner = vars(member).values() if inspect.isclass(member) else ()
            texts.update(described for described in map(own_docstring, [member, *inner]) if described)
    assert len(texts) > 200
    for text in texts:
        plain = re.sub(r":\w+:`", "`", str(GoogleDocstring(text)))  # roles are Sphinx's own
        publish_doctree(plain, settings_overrides={"halt_level": 2, "report_level": 2})


def own_docstring(member: object) -> str:
    """What the package says of a module, a class, a function or a property of its own; nothing for anything else."""
    maker = member.fget if isinstance(member, property) else member
    home = getattr(maker, "__module__", None) or getattr(maker, "__name__", "")
    written = inspect.getdoc(member) or ""
    return written if home.startswith("grpo_symbolic") and not written.startswith(f"{_name(maker)}(") else ""


def _name(maker: object) -> str:
    return getattr(maker, "__name__", "")  # a data class without a docstring is given its signature for one
