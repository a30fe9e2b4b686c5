"""The door: declarations go out and come back as they were, and nothing else comes in."""

from __future__ import annotations

import json
import os
import socket
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Iterator
from contextlib import suppress
from functools import partial
from pathlib import Path
from typing import Any, NamedTuple

import messages
import papers
import pytest
import sympy as sp
from rule_cases import CASES

from grpo_symbolic import catalogue, confinement, isolation
from grpo_symbolic.door import kinds
from grpo_symbolic.door.message import DEEPEST, read, written
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta, n, o, o_, p, pi, r, x
from grpo_symbolic.proof import Always, Domain, Equal, Exists, Monotone, Texts, simplex
from grpo_symbolic.proof.rules.rule import Rule
from grpo_symbolic.proof.statements.sentence import sentence_text
from grpo_symbolic.proof.statements.statement import Statement

HEADER = """from grpo_symbolic.notation import p
from grpo_symbolic.proof import Always, Domain, Result
claim, inside = Result(__file__).claim, Domain(0 < p, p < 1)
place = {"locator": "-", "title": "a sentence", "printed": "-"}
"""
EVERY = [(case.statement, case.domain) for case in CASES]


@pytest.fixture
def paper(tmp_path: Path) -> Callable[[str], Path]:
    """Writes a paper of one result file, with a name that no other test uses."""

    return partial(papers.written, tmp_path, HEADER)


def keys(statement: Statement, domain: Domain) -> list[str]:
    return [o.key() for o in statement.obligations(domain)]


@pytest.mark.parametrize(("statement", "domain"), EVERY, ids=[case.name for case in CASES])
def test_every_kind_and_rule_comes_back_as_it_was(statement: Statement, domain: Domain) -> None:
    message = written((statement, domain))
    again, where = read(message)
    assert written((again, where)) == message
    assert sentence_text(again, where) == sentence_text(statement, domain)
    assert keys(again, where) == keys(statement, domain)


def records(value: Any) -> Iterator[type[Any]]:
    """The kinds of declaration in a message."""
    return (kinds.KINDS[row[0]] for row in json.loads(written(value)) if row[0] in kinds.KINDS)


def test_no_kind_and_no_rule_is_left_out() -> None:
    found = {kind for said in EVERY for kind in records(said)}
    for rule in {kind: usual for kind in found if isinstance(usual := getattr(kind, "rule", None), Rule)}.values():
        assert written(read(written(rule))) == written(rule)
        found.add(type(rule))
    for id in ("pt-gae-special-case", "pt-ce-close-to-p", CITING):
        found |= set(records(catalogue.find(id)))
    known = {kind for kind in kinds.KINDS.values() if issubclass(kind, Rule | Statement)}
    assert {kind for kind in known - found if kind.__module__ != Statement.__module__} == set()


@pytest.mark.parametrize("id", ["vy-eq14", "mr-fig4", "pt-gae-special-case", "by-lottery-threshold"])
def test_a_claim_of_the_catalogue_comes_back(id: str) -> None:
    claim = catalogue.find(id)
    again = read(written(claim))
    assert (again.sentence, again.title, again.printed) == (claim.sentence, claim.title, claim.printed)
    assert again.says_as(claim)


def test_what_is_unevaluated_stays_so() -> None:
    for e in (
        sp.Mul(2, sp.Add(x, 1, evaluate=False), evaluate=False),
        sp.Add(x, x, evaluate=False),
        sp.Pow(sp.Pow(x, 2, evaluate=False), sp.Rational(1, 2), evaluate=False),
        sp.Eq(x, x, evaluate=False),
        sp.And(x > 0, x < p, evaluate=False),
        sp.Max(x, p, evaluate=False),
        sp.exp(sp.log(x, evaluate=False), evaluate=False),
        sp.Derivative(x**2, (x, 2)),
        sp.Piecewise((x, x < p), (sp.oo, True), evaluate=False),
    ):
        assert sp.srepr(read(written(e))) == sp.srepr(e)


class Words(str):
    """Text that would bring something of its own along."""

    def __reduce__(self) -> Any:
        return exec, ("raise SystemExit",)


@pytest.mark.parametrize(
    ("held", "why"),
    [
        (Words("-"), "holds a Words"),
        (lambda size: size, "holds a function"),
        (0.5, "holds a float"),
        (sp.Float(0.5), "not in the language of terms"),
        (sp.Symbol("x", positive=True), "assumes what no domain shows"),
        (sp.Function("f")(x), "not in the language of terms"),
        (sp.Dummy("x", real=True), "not in the language of terms"),
        (object, "holds a type"),
        (sp.Symbol("__import__('os')", real=True), "no name of a symbol"),
    ],
)
def test_what_is_no_declaration_is_refused_where_it_is_written(held: Any, why: str) -> None:
    with pytest.raises(BadInput, match=why.replace("(", r"\(")):
        written((Equal(x, 1), held))


CITING = "vy-s12-guarantee-G2"
X = ["symbol", "x", "real"]


@pytest.mark.parametrize(
    "rows",
    [
        [],
        {"str": "a"},
        [["str", "x"], ["Equal", 0, 0, 0]],  # text, where SymPy would evaluate it
        [["str", "__import__('os').abort()"], ["Domain", 0]],
        [X, ["str", "1"], ["tuple", 1], ["dict", 0, 2], ["Exists", 0, 3, 1]],
        [["str", "x"], ["Instance", 0, 0]],
        [["exec", "1"]],
        [["Statement"]],
        [["tuple", 0]],  # of itself
        [X, ["Symbol", 0]],
        [X, ["Add", 0]],
        [X, ["And", 0, 0]],  # which SymPy makes x of
        [["number", "2", "0"]],
        [["number", "9" * 10_000, "1"]],
        [["number", "2", "4"], ["Pow", 0, True]],
        [["the", "zoo"]],
        [["int", "1e9"]],
        [["Fraction", "1/0"]],
        [["kind", "no such"]],
        [["tuple"], *(["tuple", k, k] for k in range(60))],  # more things than there are atoms
        [["tuple"], *(["tuple", k] for k in range(DEEPEST + 1))],
        [0.5],
    ],
    ids=str,
)
def test_what_is_no_message_is_refused_in_one_sentence(rows: Any) -> None:
    with pytest.raises(BadInput) as refusal:
        read(json.dumps(rows))
    assert "\n" not in str(refusal.value)


@pytest.mark.parametrize("text", ["", "[", "[" * 100_000, '[["int","1"]', "[NaN]", "null", "\x00"])
def test_what_is_no_json_is_refused(text: str) -> None:
    with pytest.raises(BadInput, match="the message is no"):
        read(text)


class Pair(NamedTuple):
    """A record that SymPy takes for a list."""

    first: Any
    second: Any


@pytest.mark.parametrize("text", ["x", ("x",), {x: "1"}, {"1": x}, [{x: x}], Pair(x, "1"), Pair(x, x), Texts(o, o_, n)])
def test_what_sympy_would_evaluate_is_in_no_field_of_any_kind(text: Any) -> None:
    assert not kinds.fits(text, Any)
    with pytest.raises(TypeError, match="the field rates of Texts holds a tuple"):
        kinds.made(Texts, (o, o_, n, (), (), ((r, text),), (), "texts"))


def test_text_that_travels_in_a_table_is_not_evaluated(tmp_path: Path, paper: Callable[[str], Path]) -> None:
    """The file lets everything pass in its own process."""
    there = tmp_path / "made"
    folder = paper(
        "from grpo_symbolic.proof.registration import Catalogue\n"
        "from grpo_symbolic.notation import n, o, o_, pi, x\n"
        "from grpo_symbolic.proof import OnTexts, Texts, TextSum, simplex\n"
        "Catalogue.add = lambda *given, **more: None\n"
        f"hostile = {{x: \"open({str(there)!r}, 'w')\"}}\n"
        "said = OnTexts(TextSum(x, o), TextSum(x, o), Texts(o, o_, n, rates=((pi, hostile),)))\n"
        'claim("one", said, Domain(simplex(pi, n), n >= 2, x), **place)'
    )
    with pytest.raises(BadInput, match="the field rates of Texts holds a tuple"):
        catalogue.load([folder])
    assert not there.exists()


def test_a_hostile_message_runs_nothing(monkeypatch: pytest.MonkeyPatch) -> None:
    """In a process of its own: a hook cannot be taken away again."""
    run = subprocess.run([sys.executable, messages.__file__, "3000"], capture_output=True, text=True, check=False)
    assert run.returncode == 0, run.stderr
    assert "3000 messages" in run.stdout


def test_mutants_are_both_read_and_refused() -> None:
    claims = [catalogue.find("vy-eq14")]
    found = Counter(map(messages.outcome, messages.messages(claims, 300, seed=2)))
    assert min(found["read"], found["refused"]) > 10


# -- the process of a file --------------------------------------------------------------------------------------------

WRITES = {
    "a file": "open(target + '/made', 'w').write('x')",
    "an empty file": "import os; os.close(os.open(target + '/made', os.O_CREAT | os.O_WRONLY))",
    "what is there": "open(target + '/there', 'a').write('x')",
    "another name": "import os; os.rename(target + '/there', target + '/made')",
    "a link": "import os; os.symlink('/etc', target + '/made')",
    "nothing": "import os; os.remove(target + '/there')",
    "a folder": "import os; os.mkdir(target + '/made')",
    "by another process": "import subprocess, sys; subprocess.run(['touch', target + '/made'])",
    "what is open": "import os\nfor k in range(3, 200):\n    try: os.write(k, b'x' * 9)\n    except OSError: pass",
    "the process that reads": "open(f'/proc/{__import__(\"os\").getppid()}/mem', 'r+b')",
}


@pytest.mark.skipif(not confinement.can_confine(), reason="the system keeps no process from writing")
def test_the_process_of_a_file_reaches_no_terminal_and_no_socket(capfd: pytest.CaptureFixture[str]) -> None:
    def call() -> bytes:
        found = []
        for reach in (lambda: os.open("/dev/tty", os.O_RDONLY), lambda: socket.socket(socket.AF_UNIX)):
            with suppress(OSError):
                found.append(reach())
        print("\x1b[2J of the file\n1 claim: 1 proved", end="")
        return repr((found, os.isatty(0), os.getsid(0) == os.getpid())).encode()

    assert isolation.forked_output(call, 20, trusted=False, name="of_mine.py") == b"([], False, True)"
    said = capfd.readouterr().err
    assert said == "of_mine.py: \N{REPLACEMENT CHARACTER}[2J of the file\nof_mine.py: 1 claim: 1 proved\n"


@pytest.mark.skipif(not confinement.can_confine(), reason="the system keeps no process from writing")
@pytest.mark.parametrize("body", WRITES.values(), ids=WRITES)
def test_a_file_writes_nowhere(tmp_path: Path, paper: Callable[[str], Path], body: str) -> None:
    there = tmp_path / "kept"
    there.mkdir()
    (there / "there").write_text("as it was")
    held = os.open(there / "there", os.O_APPEND | os.O_WRONLY)
    os.set_inheritable(held, True)
    try:
        folder = paper(
            f"target = {str(there)!r}\ntry:\n"
            + "".join(f"    {line}\n" for line in body.splitlines())
            + "except Exception as error: print(error)\n"
            + 'claim("one", Always(p > 0), inside, **place)'
        )
        with suppress(BadInput):  # of what says nonsense on its way back
            assert list(catalogue.load([folder]).claims) == ["one"]
    finally:
        os.close(held)
    assert [(f.name, f.read_text()) for f in there.iterdir()] == [("there", "as it was")]


def test_where_the_system_keeps_nothing_a_change_of_the_store_is_noticed(
    tmp_path: Path, paper: Callable[[str], Path], monkeypatch: pytest.MonkeyPatch
) -> None:
    from grpo_symbolic import session
    from grpo_symbolic.verification.store import Store

    for module in (confinement, session):
        monkeypatch.setattr(module, "can_confine", lambda: False)
    monkeypatch.setattr(confinement, "_version", lambda: 0)
    store = tmp_path / "store"
    (store / "evidence").mkdir(parents=True)
    made = f"import os; os.close(os.open({str(store / 'evidence' / 'made.json')!r}, os.O_CREAT | os.O_WRONLY))\n"
    folder = paper(made + 'claim("one", Always(p > 0), inside, **place)')
    with pytest.raises(BadInput, match="was written to while result files were run: remove it"):
        session.Session([folder], Store(store)).verify(jobs=1)


def test_a_file_speaks_only_for_itself(paper: Callable[[str], Path]) -> None:
    forged = (
        "from dataclasses import replace\nfrom grpo_symbolic import catalogue\n"
        'c = claim("one", Always(p > 0), inside, **place)\n'
        'claim.__self__.claims[0] = replace(c, source="other.py")\n'
    )
    with pytest.raises(BadInput, match="gives 'one' for a claim of another file"):
        catalogue.load([paper(forged)])


def test_a_file_renames_no_letter(paper: Callable[[str], Path]) -> None:
    renamed = (
        "from grpo_symbolic.notation import NOTATION, Entry\n"
        'old = NOTATION.pop("beta"); new = Entry(old.symbol, r"\\\\gamma", old.domain, old.meaning)\n'
        'NOTATION["betas"] = new; NOTATION["beta"] = old\n'
        'claim("one", Always(p > 0), inside, **place)\n'
    )
    with pytest.raises(BadInput):
        catalogue.load([paper(renamed)])


def test_samples_of_statements_are_what_they_were() -> None:
    for said in (Exists(x > 2, {x: sp.Integer(3)}), Monotone(x**2, x), Always(sp.Sum(pi[o], (o, 1, n)) > 0)):
        again, where = read(written((said, Domain(simplex(pi, n), beta > 0, x > 1))))
        assert again.phrase() == said.phrase()
        assert where.families[0].base is not None
