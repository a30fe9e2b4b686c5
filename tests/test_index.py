"""The index of claims: what the text of result files shows, what was perhaps meant, and answers without an engine."""

from __future__ import annotations

import json
import os
import re
import shlex
import subprocess
import sys
from pathlib import Path

import pytest
from command_line import cli
from typer.core import TyperGroup
from typer.main import get_command

from grpo_symbolic import catalogue
from grpo_symbolic.catalogue import builtin_folders
from grpo_symbolic.cli import app
from grpo_symbolic.cli.pages.examples import EXAMPLES
from grpo_symbolic.cli.pages.layout import width
from grpo_symbolic.errors import BadInput
from grpo_symbolic.index import FileListing, Index, Listing, listings_from_json, read
from grpo_symbolic.proof.coq.script_files import required, scripts_beside
from grpo_symbolic.proof.coq.theorem import theorem
from grpo_symbolic.proof.statements.evidence import PrintVerdict, Verdict
from grpo_symbolic.verification import kernel, theorems

TOLD = "from grpo_symbolic.cli import app"
TRUE = 'claim("one", Equal(p, p), inside, locator="Sec 1", title="One", printed="p=p")'


@pytest.fixture(scope="module")
def index() -> Index:
    return catalogue.index()


def listing(text: str) -> Listing:
    found = read("paper", "file.py", text.encode())
    assert not found.unread
    (one,) = found.claims
    return one


# -- what the text shows ------------------------------------------------------------------------------------------


@pytest.mark.slow("the index of the papers is what running them registers")
@pytest.mark.xdist_group("all claims")
def test_the_index_of_the_papers_is_what_running_them_registers(index: Index) -> None:
    loaded = catalogue.load()
    assert index.unread == []
    assert list(index.listings) == list(loaded.claims)
    for id, c in loaded.claims.items():
        shown = index.listings[id]
        assert (shown.id, shown.paper, shown.file, shown.locator, shown.title, shown.kind) == (
            c.id,
            c.paper,
            c.source,
            c.locator,
            c.title,
            c.kind,
        )
        assert (shown.printed, shown.says, shown.depends_on, shown.origin) == (
            c.printed,
            c.says,
            c.depends_on,
            c.origin,
        )
        assert (shown.words, shown.stated, shown.print_expected) == (bool(c.lemmas), c.expect, c.judgement)
        assert shown.print_remark == (c.judged.remark if c.judged else "")
        assert (shown.remark, index.expected[id]) == (c.remark, loaded.expected(id))


@pytest.mark.slow("scripts for Coq name what is there")
@pytest.mark.xdist_group("all claims")
def test_scripts_for_coq_are_for_claims_and_obligations_that_are_there() -> None:
    """What ``make kernel`` asks of Coq: none of it names a claim or an obligation of an earlier day."""
    claims = catalogue.load().claims
    beside = scripts_beside(claims.values(), builtin_folders())
    assert len(beside) > 2
    assert all(theorems.asked(claims[id]) for id in theorems.development().scripts)
    assert all(theorem(o) for id in kernel.expected() for o in required(claims[id]))


def test_words_may_be_constants_of_the_file() -> None:
    one = listing(
        'PLACE = "Sec " "2"\nplace = dict(locator=PLACE, printed=None)\nidea = ["induction"]\n'
        'slip = wrong("not" + " so", Always(p > 1))\n'
        'claim("a" "-b", Equal(p, p), inside, title=f"of {PLACE}", lemmas=idea, depends_on=["c", "d"], **place)'
    )
    assert (one.id, one.locator, one.title, one.printed) == ("a-b", "Sec 2", "of Sec 2", None)
    assert (one.words, one.depends_on, one.print_expected) == (True, ("c", "d"), None)
    judged = listing('slip = misprint("a slip")\n' + TRUE[:-1] + ', judged=slip, expect="supported")')
    assert (judged.print_expected, judged.print_remark) == (PrintVerdict.misprint, "a slip")
    assert judged.stated is Verdict.supported


@pytest.mark.parametrize(
    "text",
    [
        "for i in range(3):\n    " + TRUE,
        "def make():\n    " + TRUE,
        TRUE.replace('"one"', "name"),
        TRUE.replace('"One"', 'f"{name}"'),
        TRUE.replace('"One"', '"One", **more()'),
        TRUE + "\nmade = [claim]",
        "register = Result(__file__).claim\n" + TRUE.replace("claim(", "register("),
        "from grpo_symbolic.proof import Result as File\nregister = File(__file__).claim\nregister('one')",
        "claim = partial(claim, kind='x')\n" + TRUE,
        "def half_a_function(claim",
    ],
)
def test_a_file_that_registers_more_than_its_text_shows_is_known_as_such(text: str) -> None:
    assert read("paper", "file.py", text.encode()).unread


def test_a_lookup_is_no_registration() -> None:
    assert read("paper", "file.py", b'import grpo_symbolic as gs\nholds = gs.claim("vy-eq14").holds') == FileListing(())


def test_what_was_read_is_kept_by_the_bytes_of_the_file(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    folder = tmp_path / "paper"
    folder.mkdir()
    (folder / "a.py").write_text(TRUE)
    first = Index.of([folder])
    kept = listings_from_json(first.to_json())
    monkeypatch.setattr("grpo_symbolic.index.read", lambda *_: FileListing((), unread=True))
    assert Index.of([folder], kept) == first
    (folder / "a.py").write_text(TRUE + "\n")
    assert Index.of([folder], kept).unread == ["paper/a.py"]
    assert listings_from_json({"schema": 0}) == listings_from_json(None) == listings_from_json([]) == {}


def test_a_print_holds_the_paper_s_characters_and_no_remark_of_ours(index: Index) -> None:
    prints = {c.id: c.printed for c in index.listings.values() if c.printed is not None}
    assert len(prints) > 400
    assert [id for id, text in prints.items() if "not in the paper" in text or text.endswith("?}")] == []


# -- what was perhaps meant ---------------------------------------------------------------------------------------


@pytest.mark.parametrize("given", ["14", "eq14", "(14)", "Eq. (14)", "equation 14"])
def test_the_number_of_an_equation_finds_its_claims(index: Index, given: str) -> None:
    assert index.meant(given).startswith("; did you mean vy-eq14 (Sec 2.3.1, (14)), ")
    assert "(14)" in index.meant(given).rpartition(", ")[2]


def test_an_arxiv_number_finds_its_paper(index: Index) -> None:
    for given in ("2502.18548", "arXiv:2502.18548v2"):
        assert index.meant(given).endswith("grpo-symbolic list --paper vojnovic_yun")
    assert index.meant("1234.56789") == ""


def test_a_slip_and_a_word_find_claims(index: Index) -> None:
    assert "vy-eq14-lower-bound " in index.meant("vy-eq14-lowr-bound")
    assert "vy-eq11-kkt-dichotomy" in index.meant("KKT")
    assert index.meant("nothing-like-this-anywhere") == ""
    with pytest.raises(BadInput, match=r"there is no claim 'vy-eq41'; did you mean"):
        index.check("vy-eq41")


# -- answers without an engine ------------------------------------------------------------------------------------


def test_the_examples_of_the_help_are_commands_with_their_options() -> None:
    group = get_command(app)
    assert isinstance(group, TyperGroup)
    assert set(EXAMPLES) == set(group.commands)
    for name, uses in EXAMPLES.items():
        for use in uses:
            first, *rest = shlex.split(use)
            assert first == name
            context = group.commands[name].make_context(name, rest, resilient_parsing=False)
            given = [v for v in context.params.values() if v not in (None, False, [])]
            assert given
            for word in rest:
                if re.match(r"(vy|mr|pt)-", word):
                    assert word in catalogue.ids()


def test_a_shell_completes_ids_papers_and_verdicts(tmp_path: Path) -> None:
    def completed(words: str) -> list[str]:
        asked = {"_GRPO_SYMBOLIC_COMPLETE": "complete_bash", "COMP_WORDS": f"grpo-symbolic {words}"}
        count = {"COMP_CWORD": str(len(words.split(" ")))}
        code = f"import sys; {TOLD}; app(prog_name='grpo-symbolic')"
        done = subprocess.run(
            [sys.executable, "-c", code], env=os.environ | asked | count, capture_output=True, text=True, cwd=tmp_path
        )
        return done.stdout.split()

    assert completed("show vy-eq14-lower") == ["vy-eq14-lower-bound", "vy-eq14-lower-bound-strict"]
    assert completed("list --paper mr") == ["mroueh"]
    assert "needs-hypothesis" in completed("list --verdict n")


@pytest.mark.parametrize(
    ("arguments", "status", "words"),
    [
        (["--version"], 0, "grpo-symbolic 0"),
        (["list"], 0, "none is verified yet"),
        (["list", "--paper", "mroueh", "--verdict", "wrong"], 0, "mr-fig2-p1 "),
        (["list", "--paper", "mroueh", "--verdict", "refuted"], 0, "0 claims with the verdict refuted"),
        (["errata", "--paper", "patel"], 0, "by its file; not verified yet"),
        (["show", "14"], 2, "did you mean vy-eq14 "),
        (["verify", "--id", "vy-eq41"], 2, "there is no claim 'vy-eq41'"),
        (["sweep", "(14)"], 2, "did you mean vy-eq14 "),
        (["export", "2502.18548"], 2, "list --paper vojnovic_yun"),
        (["list", "--paper", "nobody"], 2, "there is no paper 'nobody'"),
        (["verify", "--id", "equation 14"], 2, "did you mean vy-eq14 "),
        (["show", "arXiv:2503.20783v2"], 2, "list --paper liu"),
        (["kernel", "--id", "vy-eq41"], 2, "there is no claim 'vy-eq41'"),
        *(([name, "--help"], 0, f"grpo-symbolic {name} ") for name in EXAMPLES),
    ],
)
def test_what_needs_no_engine_imports_none(tmp_path: Path, arguments: list[str], status: int, words: str) -> None:
    code = (
        "import sys\nfrom grpo_symbolic.cli import main\nsys.argv = ['grpo-symbolic', *sys.argv[1:]]\n"
        "try:\n    main()\nfinally:\n"
        "    print('imported:', *{'sympy', 'z3', 'cvc5', 'flint', 'numpy'} & set(sys.modules))"
    )
    surroundings = {k: v for k, v in os.environ.items() if k != "COLUMNS"} | {"GRPO_SYMBOLIC_STORE": str(tmp_path)}
    command = [sys.executable, "-c", code, *arguments]
    done = subprocess.run(command, env=surroundings, cwd=tmp_path, capture_output=True, text=True)
    assert done.returncode == status, done.stderr
    assert words in done.stdout + done.stderr
    assert done.stdout.endswith("imported:\n")
    assert "Traceback" not in done.stderr
    assert list(tmp_path.iterdir()) == []  # nothing was run, and nothing is kept


def test_lists_are_data_too_and_fit_their_pipe(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(tmp_path)
    monkeypatch.setenv("COLUMNS", "90")

    def told(*arguments: str) -> str:
        result = cli(*arguments)
        assert result.exit_code == 0, result.stderr
        return result.stdout

    rows = json.loads(told("list", "--paper", "mroueh", "--json"))
    wrong = json.loads(told("errata", "--paper", "mroueh", "--print", "wrong", "--json"))
    assert {row["id"] for row in wrong} == {row["id"] for row in rows if row["print_verdict"] == "wrong"} != set()
    assert all(row["says"] or row["title"] for row in rows)
    assert json.loads(told("errata", "--paper", "mroueh", "--verdict", "refuted", "--json")) == []
    table = told("list", "--paper", "mroueh").splitlines()
    assert max(map(width, table)) == 90
    assert told("show", "VY_EQ14") == told("show", "vy-eq14")
    assert cli("errata", "--print", "proved").exit_code == 2
