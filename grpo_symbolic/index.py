"""The index: id, title, place and print of every claim, read from the text of the result files; nothing is run.

A registration is a call ``claim("id", …, title="…")`` at the top level of a file, ``claim`` being that of its
``Result``, with words that are written there or are constants of the file. What a file registers in another way the
text does not show, and the index says so of the file.
What was read of a file is kept by its digest: in the wheel, and in the store.
"""

from __future__ import annotations

import ast
import json
import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, fields, replace
from difflib import get_close_matches
from functools import cached_property, lru_cache
from importlib.resources import files as resources
from pathlib import Path
from typing import Any

from grpo_symbolic import headlines
from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.ledger import Consequence, Entry, Told
from grpo_symbolic.proof.statements.evidence import Grade, Origin, Outcome, PrintVerdict, Verdict, cap, verdict_of

SHIPPED = "index.json"  # beside the result files of the wheel
_SCHEMA = 1
_JUDGEMENTS = {v.name: v for v in PrintVerdict}
_EQUATION = re.compile(r"(?:eq(?:uation)?\.?)?\s*\(?(\d+)\)?", re.IGNORECASE)
_ARXIV = re.compile(r"(?:arxiv:)?(\d{4}\.\d{4,5})(?:v\d+)?", re.IGNORECASE)
_SPELT = re.compile(r"[^\W_]+")  # a word without the signs that it is spelt with
_MOST = 6  # suggestions
_BOUND = "claim"
_BINDING = f"{_BOUND} = Result(__file__).claim"


def _spelling(id: str) -> str:
    """An id without what people write otherwise: case, and dashes, spaces, points or underscores between its parts."""
    return re.sub(r"[\s_.–-]+", "-", id.strip().casefold())


@dataclass(frozen=True)
class Listing(Told):
    """A claim as its file's text shows it, before anything is verified.

    ``words``: whether something between its obligations and its sentence is in words; ``stated``: the verdict that the
    file says it expects, if it says one; ``print_expected`` and ``print_remark``: how the file judges the print;
    ``headline``: its sentence, as the last run printed it of this text of the file.
    """

    id: str
    paper: str
    file: str
    locator: str
    title: str
    kind: str = "identity"
    printed: str | None = None
    says: str = ""
    depends_on: tuple[str, ...] = ()
    words: bool = False
    stated: Verdict | None = None
    print_expected: PrintVerdict | None = None
    print_remark: str = ""
    remark: str = ""
    headline: str = ""

    @property
    def origin(self) -> Origin:
        return Origin.own if self.printed is None else Origin.print

    @property
    def consequence(self) -> Consequence | None:
        """Who is misled by the print, and into what, if its file judges it rightly."""
        return Consequence.of(self.print_expected, self.kind)

    def to_json(self) -> dict[str, Any]:
        return {f.name: getattr(self, f.name) for f in fields(self)}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> Listing:
        stated, judged = data["stated"], data["print_expected"]
        read = {
            "depends_on": tuple(data["depends_on"]),
            "stated": None if stated is None else Verdict(stated),
            "print_expected": None if judged is None else PrintVerdict(judged),
        }
        return cls(**{**data, **read})


def listing_of(entry: Entry) -> Listing:
    """What a ledger says of a claim, as the text of its file would have shown it."""
    words = {f.name: getattr(entry, f.name) for f in fields(Listing) if f.name not in ("words", "stated")}
    return Listing(**words, words=bool(entry.words), stated=entry.expected)


@dataclass(frozen=True)
class FileListing:
    """What the text of one result file registers; ``unread`` where it registers more than the text shows."""

    claims: tuple[Listing, ...]
    unread: bool = False

    def with_headlines(self, printed: Mapping[str, str]) -> FileListing:
        """With the sentences that are ``printed`` of its claims, by id."""
        return replace(self, claims=tuple(replace(c, headline=printed.get(c.id, "")) for c in self.claims))

    def to_json(self) -> dict[str, Any]:
        return {"claims": [c.to_json() for c in self.claims], "unread": self.unread}

    @classmethod
    def from_json(cls, data: Mapping[str, Any]) -> FileListing:
        return cls(tuple(map(Listing.from_json, data["claims"])), bool(data["unread"]))


def described(file: Path) -> tuple[str, list[tuple[str, str]]]:
    """The first sentence of a result file's docstring, and its fields (Statement, Source, …); nothing is imported."""
    text = ast.get_docstring(ast.parse(file.read_text(encoding="utf-8"))) or file.stem
    head, _, rest = text.partition("\n\n")
    fields: list[tuple[str, str]] = []
    for line in rest.splitlines():
        new = re.match(r"([A-Z][a-z]+)\.\s+(.*)", line)
        if new:
            fields.append((new[1], new[2]))
        elif fields:
            fields[-1] = (fields[-1][0], f"{fields[-1][1]} {line.strip()}".strip())
    return " ".join(head.split()), fields


@dataclass(frozen=True)
class Index:
    """The claims of some folders in reading order, by file (``paper/name.py``); ``papers``: title and arXiv number."""

    files: Mapping[str, FileListing]
    papers: Mapping[str, tuple[str, str]] = field(default_factory=dict)
    digests: Mapping[str, str] = field(default_factory=dict)

    @classmethod
    def of(cls, folders: Iterable[Path], cached: Mapping[str, FileListing] | None = None) -> Index:
        """The index of these folders; what ``cached`` (by the digest of a file) has is not read again."""
        known = {**shipped(), **(cached or {})}
        listed, papers, digests = {}, {}, {}
        for folder in folders:
            papers[folder.name] = _paper(folder)
            for file in result_files(folder):
                place, text = f"{folder.name}/{file.name}", file.read_bytes()
                digests[place] = headlines.digest(place, text)
                listing = known.get(digests[place]) or read(folder.name, file.name, text)
                listed[place] = listing.with_headlines(headlines.read(file, digests[place]))
        return cls(listed, papers, digests)

    @cached_property
    def listings(self) -> Mapping[str, Listing]:
        """The claims by id."""
        return {c.id: c for listed in self.files.values() for c in listed.claims}

    def behind(self, ids: Iterable[str]) -> set[str]:
        """These claims and all that they depend on, as far as the text of the files shows it."""
        reached, pending = set[str](), list(ids)
        while pending:
            id = pending.pop()
            if id not in reached and id in self.listings:
                reached.add(id)
                pending += self.listings[id].depends_on
        return reached

    @property
    def unread(self) -> list[str]:
        """The files that register more than their text shows."""
        return [place for place, listed in self.files.items() if listed.unread]

    @cached_property
    def expected(self) -> Mapping[str, Verdict]:
        """The verdict that is expected of each claim: :meth:`.proof.registration.Catalogue.expected`, from the text."""
        verdicts: dict[str, Verdict] = {}
        proof = [(Outcome.holds, Grade.certified)]

        def visit(id: str, above: tuple[str, ...] = ()) -> Verdict:
            if id not in verdicts:
                listing = self.listings[id]
                own = verdict_of(proof, ("words",) if listing.words else ())
                needed = [d for d in listing.depends_on if d in self.listings and d not in above]
                verdicts[id] = listing.stated or cap(own, [visit(d, (*above, id)) for d in needed])
            return verdicts[id]

        for id in self.listings:
            visit(id)
        return verdicts

    def check(self, id: str) -> None:
        """Raise :class:`BadInput`, with what was perhaps meant, for an id that no file registers.

        An id that a file might register in a way its text does not show passes.
        """
        check_kind(id, str, "the id of a claim", "a text such as 'vy-eq14'")
        if id not in self.listings and not self.unread:
            raise BadInput(f"there is no claim {id!r}{self.meant(id)}")

    def spelled(self, given: str) -> str:
        """The id that is meant by one in another spelling (VY_EQ14 for vy-eq14); what was given where none or several
        are.
        """
        if given in self.listings:
            return given
        alike = [id for id in self.listings if _spelling(id) == _spelling(given)]
        return alike[0] if len(alike) == 1 else given

    def meant(self, given: str) -> str:
        """What was perhaps meant by an id that is not there, as the end of a sentence.

        An equation's number (``14``, ``eq14``, ``(14)``) finds the claims at that place, an arXiv number its paper, and
        a word the claims with that word in id or title.
        """
        arxiv = _ARXIV.fullmatch(given.strip())
        for paper, (title, number) in self.papers.items():
            if arxiv and number == arxiv[1]:
                return f"; arXiv:{number} is {title}: grpo-symbolic list --paper {paper}"
        near = self._near(given.strip())[:_MOST]
        return f"; did you mean {', '.join(f'{c.id} ({c.locator})' for c in near)}?" if near else ""

    def _near(self, given: str) -> list[Listing]:
        number = _EQUATION.fullmatch(given)
        if number:
            named = [c for c in self.listings.values() if c.id.endswith(f"-eq{number[1]}")]
            others = [c for c in self.listings.values() if f"({number[1]})" in c.locator and c not in named]
            return [*named, *sorted(others, key=lambda c: len(c.locator))]
        ids = {id.lower(): id for id in self.listings}
        close = [ids[id] for id in get_close_matches(given.lower(), ids, n=3)]
        word = given.lower()
        holding = [c.id for c in self.listings.values() if word in c.id.lower() or word in c.title.lower()]
        near = dict.fromkeys([*close, *sorted(holding, key=len)] if len(word) > 2 else close)
        return [self.listings[id] for id in near]

    def to_json(self) -> dict[str, Any]:
        """What was read, by the digest of the file that it was read from."""
        return {"schema": _SCHEMA, "files": {self.digests[place]: f.to_json() for place, f in self.files.items()}}


def listings_from_json(document: Any) -> dict[str, FileListing]:
    """What :meth:`Index.to_json` has written; nothing for anything else."""
    try:
        if document["schema"] == _SCHEMA:
            return {digest: FileListing.from_json(listed) for digest, listed in document["files"].items()}
    except (KeyError, TypeError, ValueError, AttributeError):
        pass
    return {}


@lru_cache(maxsize=1)
def shipped() -> dict[str, FileListing]:
    """What was read when the package was built; nothing in a checkout that was never installed."""
    try:
        text = resources("grpo_symbolic").joinpath("derivations", SHIPPED).read_text(encoding="utf-8")
        return listings_from_json(json.loads(text))
    except (OSError, ValueError):
        return {}


def about(word: str, listings: Iterable[Listing]) -> list[Listing]:
    """The claims that speak of an algorithm, an option or another word (``Dr. GRPO``, ``k3``, ``pass@k``), however it
    is spelt; first those that have it in their id, title or place, then those that have it in a remark. None for the
    number of an equation: see :meth:`Index.meant`.
    """
    wanted, every = "".join(_SPELT.findall(word.lower())), list(listings)
    if not wanted or _EQUATION.fullmatch(word) or _ARXIV.fullmatch(word):
        return []
    named = [
        c for c in every if _has_words(wanted, c.id) or _has_words(wanted, c.title) or _has_words(wanted, c.locator)
    ]
    ids = {c.id for c in named}
    return [*named, *(c for c in every if c.id not in ids and _has_words(wanted, f"{c.remark} {c.print_remark}"))]


def _has_words(wanted: str, text: str) -> bool:
    """Whether neighbouring words of a text, put together, are this one."""
    words = _SPELT.findall(text.lower())
    for first in range(len(words)):
        joined = ""
        for word in words[first:]:
            joined += word
            if joined == wanted:
                return True
            if not wanted.startswith(joined) or len(joined) == 1:  # a letter is a symbol and begins no name
                break
    return False


def named_results(folder: Path) -> list[str] | None:
    """The ``RESULTS`` of a folder, if it names them."""
    order = _constants(folder / "__init__.py").get("RESULTS")
    return list(order) if isinstance(order, tuple) else None


def result_files(folder: Path) -> list[Path]:
    """The result files of a folder, in the order of its ``RESULTS`` where that names them all."""
    present = sorted(f for f in folder.glob("*.py") if f.name != "__init__.py")
    named = [folder / f"{stem}.py" for stem in named_results(folder) or []]
    return named if sorted(named) == present else present


def _paper(folder: Path) -> tuple[str, str]:
    constants = _constants(folder / "__init__.py")
    return str(constants.get("TITLE", folder.name)), str(constants.get("ARXIV", ""))


def _constants(file: Path) -> dict[str, Any]:
    try:
        return _Text(ast.parse(file.read_bytes())).constants
    except (OSError, SyntaxError, ValueError):
        return {}


# -- the text of one file ---------------------------------------------------------------------------------------------


@lru_cache(maxsize=512)
def read(paper: str, name: str, text: bytes) -> FileListing:
    """What a result file registers, from its text; a file that is no Python registers nothing that can be read."""
    if b"claim" not in text:
        return FileListing(())
    try:
        tree = ast.parse(text)
    except (SyntaxError, ValueError):
        return FileListing((), unread=True)
    constants, claims, seen = _Text(tree), [], set()
    for node in tree.body:
        call = node.value if isinstance(node, ast.Expr | ast.Assign | ast.AnnAssign) else None
        if isinstance(call, ast.Call) and _registers(call):
            try:
                claims.append(_listing(constants, call, paper, name))
                seen.add(call)
            except _Refused:
                seen.add(call)
            except (_Unreadable, ValueError):
                continue
    nodes = list(ast.walk(tree))
    calls = {n for n in nodes if isinstance(n, ast.Call) and _registers(n)}
    stated = (n for n in tree.body if isinstance(n, ast.Assign) and ast.unparse(n.targets[0]) == _BOUND)
    bound = {n for binding in stated if ast.unparse(binding) == _BINDING for n in ast.walk(binding)}
    expected = {n.func for n in calls} | bound
    other = any(isinstance(n, ast.Name) and n.id in ("claim", "Result") and n not in expected for n in nodes)
    return FileListing(tuple(claims), unread=other or bool(calls - seen) or _renamed(nodes))


class _Unreadable(Exception):
    pass


class _Refused(Exception):
    """Of a call that registers nothing: it lacks what every claim has, or judges the print by a word."""


class _Text:
    """The constants of a module, and expressions made of them."""

    def __init__(self, tree: ast.Module) -> None:
        self.constants: dict[str, Any] = {}
        self.calls: dict[str, ast.Call] = {}
        for node in tree.body:
            if isinstance(node, ast.Assign) and len(node.targets) == 1 and isinstance(node.targets[0], ast.Name):
                name = node.targets[0].id
                if isinstance(node.value, ast.Call):
                    self.calls[name] = node.value
                try:
                    self.constants[name] = self.value(node.value)
                except _Unreadable:
                    self.constants.pop(name, None)

    def value(self, node: ast.expr) -> Any:
        match node:
            case ast.Constant():
                return node.value
            case ast.List() | ast.Tuple():
                return tuple(self.value(e) for e in node.elts)
            case ast.Name() if node.id in self.constants:
                return self.constants[node.id]
            case ast.BinOp(op=ast.Add()):
                left, right = self.value(node.left), self.value(node.right)
                if type(left) is type(right) and isinstance(left, str | tuple):
                    return left + right
            case ast.Call(func=ast.Name(id="dict"), args=[], keywords=given):
                return {k.arg: self.value(k.value) for k in given if k.arg is not None}
            case ast.JoinedStr():
                return "".join(self._piece(v) for v in node.values)
        raise _Unreadable

    def _piece(self, node: ast.expr) -> str:
        if isinstance(node, ast.FormattedValue) and (node.conversion != -1 or node.format_spec is not None):
            raise _Unreadable
        return str(self.value(node.value if isinstance(node, ast.FormattedValue) else node))


def _registers(call: ast.Call) -> bool:
    name = call.func.id if isinstance(call.func, ast.Name) else getattr(call.func, "attr", "")
    return name == "claim" and any(k.arg in ("title", "locator") or k.arg is None for k in call.keywords)


def _renamed(nodes: Iterable[ast.AST]) -> bool:
    names = [a for n in nodes if isinstance(n, ast.ImportFrom) for a in n.names]
    return any(a.name == "Result" and a.asname not in (None, "Result") for a in names)


def _listing(constants: _Text, call: ast.Call, paper: str, file: str) -> Listing:
    given: dict[str, ast.expr] = {}
    for k in call.keywords:
        if k.arg is not None:
            given[k.arg] = k.value
        else:
            given |= {name: ast.Constant(value) for name, value in _spread(constants, k.value).items()}
    if not call.args:
        raise _Unreadable
    id = constants.value(call.args[0])
    words: dict[str, Any] = {}
    for name in ("locator", "title", "kind", "printed", "says", "remark"):
        if name in given:
            words[name] = constants.value(given[name])
            if not isinstance(words[name], str) and not (name == "printed" and words[name] is None):
                raise _Unreadable
    if not isinstance(id, str):
        raise _Unreadable
    if not {"locator", "title"} <= set(words):
        raise _Refused
    judged, remark = _judgement(constants, given.get("judged"), words.get("printed"))
    needed = constants.value(given["depends_on"]) if "depends_on" in given else ()
    expect = constants.value(given["expect"]) if "expect" in given else None
    return Listing(
        id,
        paper,
        file,
        **words,
        depends_on=tuple(needed),
        words="lemmas" in given and _has_any(constants, given["lemmas"]),
        stated=None if expect is None else Verdict(expect),
        print_expected=judged,
        print_remark=remark,
    )


def _spread(constants: _Text, node: ast.expr) -> dict[str, Any]:
    options = constants.value(node)
    if not isinstance(options, dict):
        raise _Unreadable
    return options


def _has_any(constants: _Text, node: ast.expr) -> bool:
    """Whether a list of texts has any, whatever they say."""
    if isinstance(node, ast.List | ast.Tuple):
        return bool(node.elts)
    return bool(constants.value(node))


def _judgement(constants: _Text, node: ast.expr | None, printed: str | None) -> tuple[PrintVerdict | None, str]:
    if isinstance(node, ast.Name):
        node = constants.calls.get(node.id, node)
    if node is None or (isinstance(node, ast.Constant) and node.value is None):
        return (None if printed is None else PrintVerdict.holds), ""
    if isinstance(node, ast.Constant):
        raise _Refused
    if not isinstance(node, ast.Call) or not isinstance(node.func, ast.Name) or node.func.id not in _JUDGEMENTS:
        raise _Unreadable
    remark = node.args[0] if node.args else next((k.value for k in node.keywords if k.arg == "remark"), None)
    if remark is None:
        raise _Unreadable
    return _JUDGEMENTS[node.func.id], str(constants.value(remark))
