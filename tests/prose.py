"""The sentences of the prose that assert mathematics and stand beside no claim: ``python tests/prose.py`` lists them.

It looks for signs and words, and understands nothing: what it lists is for somebody to read, and what it passes over
may assert something all the same. It reads the paragraphs of README, docs and book, and those tables that name a claim
in each row. Code, headings, other tables and what directives hold are left out.
"""

from __future__ import annotations

import re
from collections.abc import Collection, Iterator
from dataclasses import dataclass
from itertools import pairwise

from checkout import ROOT

from grpo_symbolic import catalogue

PAGES = ("README.md", "docs/**/*.md", "book/**/*.md")
# Pages that a script writes, and the heading from which on it does: "#" where it writes all of the page.
GENERATED = {
    "docs/reference/algorithms.md": "#",
    "docs/reference/benchmarks.md": "#",
    "docs/reference/rules.md": "## All rules",
    "docs/reference/runs.md": "#",
}
# The directives that show claims, whatever they hold.
SHOWING = {"claim", "claims-of", "claim-answers", "derivation", "figure-of", "formula", "theory-table"}

_FENCE = re.compile(r"(`{3,}|:{3,}|~{3,})(?:\{([\w-]+)\})?")
_ITEM = re.compile(r"^\s*(?:[-*+]|\d+[.)]) +")
_QUOTED = re.compile(r"`([^`]*)`")
_END = re.compile(r"(?<=[.!?])(?<!\bDr\.)(?<!e\.g\.)(?<!i\.e\.)[)*”\"]*\s+(?=[^\Wa-z\d_]|[(*“\"$\[{`\d]|k[1-3]\b)")

# What is no prose within a sentence: a role that shows a formula becomes a letter, one that leads somewhere its words.
_SHOWN = re.compile(r"\{(?:sym|value|holds)\}`[^`]*`")
_LEADING = re.compile(r"\{(?:claim-ref|doc|explore)\}`([^`<]*)(?:<[^`]*>)?`")
_CODE = re.compile(r"(`+)(?!`).+?(?<!`)\1(?!`)", re.S)
_MARKUP = re.compile(
    r"^\*\*When you have read .*?\*\*|\]\([^)]*\)|<!--.*?-->|<\w+:[^\s>]*>"
    r"|</?[a-z]\w*(?:\s+[\w-]+=\"[^\"]*\")*\s*/?>"
    r"|(?<=[a-z]{2}) > (?=[A-Z][a-z]{2})",  # the arrow of a menu
    re.S,
)

_RELATION = re.compile(r"[^\s<>=-]\s*(?:[=≠<>≤≥≈⇔⇒]|\\(?:leq?|geq?|neq?|iff|implies)\b)\s*[^\s<>=…-]")
_WORD = re.compile(r"\b(?:always|never|every|exactly|only|if and only if|whenever)\b", re.I)
_FORMULA = re.compile(r"[α-ωΓΔΣΩ∇∫√‖⁻²³$]|\d/\d")
_SUBJECT = re.compile(
    r"\b(?:polic(?:y|ies)|maxim\w+|minim\w+|gradients?|slopes?|derivatives?|loss(?:es)?|rewards?|advantages?|"
    r"converg\w+|stationary|fixed points?|objectives?|penalt(?:y|ies)|divergences?|success(?:es)?|varianc\w+|"
    r"deviations?|entropy|probabilit\w+|pass rates?|ratios?|cycles?|groups?|preferences?|baselines?|answers?|flows?|"
    r"weights?|weighs|roots?|(?:un)?correlat\w+|guards?|clip\w*|bound(?:s|ed)?|steps?|prompts?|tokens?|critics?|"
    r"pairs?)\b",
    re.I,
)
# With one of these words a sentence without a relation is about the project, a page, a program or a trainer.
_HOUSE = re.compile(
    r"\b(?:claims?|checkers?|engines?|ledgers?|files?|folders?|commands?|options?|columns?|rows?|tables?|pages?|tests?|"
    r"scripts?|certificates?|obligations?|kernel|Coq|Python|SymPy|NumPy|PyTorch|JAX|Z3|arguments?|names?|releases?|"
    r"book|papers?|prints?|printed|logs?(?!-)|logged|notation|package|verdicts?|grades?|domains?|sentences?|theorems?|"
    r"statements?|lemmas?|facts?|rules?|schemas?|premises?|checked|refus\w+|"
    r"TRL|verl|OpenRLHF|NeMo-RL|ms-swift|slime|unsloth|prime-rl)\b",
    re.I,
)
# The first sentence of a page says what a reader will know, in an indirect question, or that something is so.
_ANNOUNCED = re.compile(
    r"\*\*When you have read .*?\*\* you (?:know|have seen) (?:exactly )?(?:for )?"
    r"(?:where|when|whether|which|what|how)\b(?!.*\b(?:that|why)\b)"
)


@dataclass(frozen=True)
class Block:
    """A paragraph, an item of a list or a row of a table, or a directive with what it holds.

    ``line`` is its first line, counted from 1; ``directive`` is empty where it is prose.
    """

    line: int
    text: str = ""
    directive: str = ""

    def cites(self, known: Collection[str]) -> bool:
        """Whether it shows claims, or names one whose id is among those ``known``."""
        words = (word for quoted in _QUOTED.findall(self.text) for word in re.split(r"[<>\s,]+", quoted))
        return self.directive in SHOWING or any(word.partition(".")[0] in known for word in words)

    def sentences(self) -> Iterator[tuple[int, str]]:
        """Each sentence in one line, with the line on which it begins."""
        masked = _QUOTED.sub(lambda quoted: re.sub(r"[.!?]", "x", quoted[0]), self.text)
        ends = [0, *(found.end() for found in _END.finditer(masked)), len(self.text)]
        for first, last in pairwise(ends):
            if said := " ".join(self.text[first:last].split()):
                yield self.line + self.text.count("\n", 0, first), _ITEM.sub("", said, 1) if first == 0 else said


def blocks(page: str) -> Iterator[Block]:
    """What a page consists of, in its order; of code, headings and other tables an empty block is left.

    ``page`` is its text, in MyST or plain Markdown.
    """
    lines = page.split("\n")
    if lines[0] == "---" and "---" in lines[1:]:
        end = lines.index("---", 1) + 1
        lines[:end] = [""] * end
    fence, directive, of_claims, start, held = "", "", False, 0, list[str]()
    for number, line in enumerate([*lines, ""], 1):
        opens, row = _FENCE.match(line.strip()), line.startswith("|")
        if fence:
            held.append(line)
            if line.strip() == fence:
                yield Block(start, "\n".join(held) if directive else "", directive)
                fence, held = "", []
            continue
        if held and (opens or row or not line.strip() or line.startswith("#") or _ITEM.match(line)):
            yield Block(start, "\n".join(held))
            held = []
        of_claims = row and (of_claims or bool({"claim", "claims"} & {cell.strip() for cell in line.split("|")}))
        start = start if held else number
        if opens:
            fence, directive = opens[1], opens[2] or ""
        elif row or line.startswith("#"):
            yield Block(number, line if of_claims else "")
        elif line.strip():
            held.append(line)


def asserts(sentence: str) -> bool:
    """Whether a sentence seems to assert mathematics: it has a relation sign between formulas, or a word such as
    *always* beside a formula or something that training is about, and no word of the house. A question does not.
    """
    if _ANNOUNCED.match(sentence):
        return False
    bare = _MARKUP.sub(" ", _CODE.sub(" ", _LEADING.sub(r"\1", _SHOWN.sub("β", sentence)))).rstrip(' *_)”"')
    words = _WORD.search(bare) and (_FORMULA.search(bare) or _SUBJECT.search(bare)) and not _HOUSE.search(bare)
    return bool(_RELATION.search(bare) or words) and not bare.endswith("?")


def uncited(page: str, known: Collection[str]) -> Iterator[tuple[int, str]]:
    """The sentences of a page that assert mathematics and stand beside no claim, each with its line.

    ``page`` is its text, ``known`` are the ids of the claims. A claim stands beside a sentence if its paragraph names
    or shows one, or the directive after the paragraph does.
    """
    for block, after in pairwise([*blocks(page), Block(0)]):
        if not block.directive and not block.cites(known) and not (after.directive and after.cites(known)):
            yield from ((line, said) for line, said in block.sentences() if asserts(said))


def pages() -> dict[str, str]:
    """The text of every page of prose by its path, as far as no script writes it."""
    found = {}
    for file in sorted(file for pattern in PAGES for file in ROOT.glob(pattern)):
        path = file.relative_to(ROOT).as_posix()
        if "_build" not in path:
            text = file.read_text(encoding="utf-8")
            found[path] = text[: text.index(GENERATED[path])] if path in GENERATED else text
    return found


def listed() -> list[str]:
    """What is found on all pages, as ``page:line: sentence``."""
    known = catalogue.ids()
    return [f"{path}:{line}: {said}" for path, text in pages().items() for line, said in uncited(text, known)]


if __name__ == "__main__":
    found = listed()
    for line in found:
        print(line if len(line) <= 110 else line[:109] + "…")
    print(f"sentences of the prose that assert mathematics beside no claim: {len(found)}")
