"""The lists of the papers' sentences, ``derivations/PAPER/sentences.md``, against the claims."""

from __future__ import annotations

import re
from collections import Counter
from collections.abc import Iterator, Mapping
from itertools import permutations

import pytest

from grpo_symbolic import catalogue
from grpo_symbolic.index import Listing

ROOT = catalogue.builtin_folders()[0].parent
LISTS = sorted(ROOT.glob("*/sentences.md"))
SHORT = 6  # characters of a print that says nothing by itself, such as the number of an equation
# Prints of which one holds the other, and that are judged unlike: why they are two assertions.
TWO_ASSERTIONS = {
    ("pt-low-nll", "pt-low-nll-chain"): "the chain of Section 8.2 goes on, and what it adds is imprecise",
    ("pt-eq18-importance-sampling", "pt-eq18-basketball-instance"): "(18) in general, and as the formula of the event",
    ("pt-eq7-removing-logs", "pt-eq7-IS-unbiased"): "how (7) comes about, and that its estimator is the better one",
    ("pt-eq7-A1-index", "pt-eq7-IS-unbiased"): "the index in (7), and that its estimator is the better one",
    ("pt-eq7-A1-index", "pt-eq9-penalises"): "(9) adds a penalty to (7), and it is the penalty that has the slip",
    ("pt-min-inside-negative", "pt-clip-keeps-ratio"): "one is about signs, the whole sentence about ratios",
}


def sections(paper: str) -> dict[str, str]:
    """The text under each heading of a paper's list."""
    text = (ROOT / paper / "sentences.md").read_text(encoding="utf-8")
    parts = re.split(r"^## (.+)\n", text, flags=re.MULTILINE)
    return dict(zip(parts[1::2], parts[2::2], strict=True))


def prints(paper: str) -> dict[str, Listing]:
    found = catalogue.index().listings
    return {id: c for id, c in found.items() if c.paper == paper and c.printed is not None}


def test_each_paper_whose_sentences_are_judged_has_a_list() -> None:
    papers = {c.paper for c in catalogue.index().listings.values() if c.printed is not None}
    assert {file.parent.name for file in LISTS} == papers


@pytest.mark.parametrize("paper", [file.parent.name for file in LISTS])
def test_each_sentence_of_a_paper_stands_once_in_its_list_and_at_its_place(paper: str) -> None:
    listed = {name: re.findall(r"`([a-z][\w-]+)`", text) for name, text in sections(paper).items()}
    counted = Counter(id for ids in listed.values() for id in ids)
    claims = prints(paper)
    assert counted == Counter(claims.keys())
    elsewhere = [
        (name, id, claims[id].locator)
        for name, ids in listed.items()
        for id in ids
        if not re.search(re.escape(name) + r"(?!\.?\d)", claims[id].locator)
    ]
    assert elsewhere == []


@pytest.mark.parametrize("paper", [file.parent.name for file in LISTS])
def test_each_section_is_judged_or_says_why_not(paper: str) -> None:
    for name, text in sections(paper).items():
        ids, _, rest = text.partition("Not checkable:")
        items = re.findall(r"^- (.+)$", rest, flags=re.MULTILINE)
        assert "`" in ids or items, name
        assert all(re.search(r"\S: \S.+\.$", item) for item in items), name


def characters(printed: str) -> str:
    """The characters of a print without what sets them: fonts, sizes, spaces, braces, signs between sentences."""
    bare = re.sub(r"\\(?:text|math\w+|operatorname|[bB]igg?|left|right|q?quad)(?![a-zA-Z])|\\[,;!: ]", "", printed)
    return re.sub(r"[{}\s\\.,;:“”]+", "", bare.replace("tfrac", "frac").replace(r"\mid", "|")).lower()


def one_in_the_other(printed: Mapping[str, str]) -> Iterator[tuple[str, str]]:
    """The pairs of ids of which the first print stands in the second."""
    found = {id: characters(text) for id, text in printed.items()}
    yield from ((a, b) for a, b in permutations(found, 2) if len(found[a]) > SHORT and found[a] in found[b])


def test_a_print_is_found_in_another_however_it_is_set() -> None:
    once = r"\tfrac12\big(x+\text{the risk}\big)"
    assert list(
        one_in_the_other({"a": once, "b": r"\text{we see }\frac{1}{2}(x + \mathrm{the risk}).", "c": "(16)"})
    ) == [("a", "b")]


@pytest.mark.parametrize("paper", [file.parent.name for file in LISTS])
def test_no_print_is_judged_twice_and_none_unlike_one_that_holds_it(paper: str) -> None:
    claims = prints(paper)
    pairs = list(one_in_the_other({id: c.printed or "" for id, c in claims.items()}))
    assert [pair for pair in pairs if pair[::-1] in pairs] == []
    unlike = [(a, b) for a, b in pairs if claims[a].print_expected is not claims[b].print_expected]
    assert unlike == [pair for pair in TWO_ASSERTIONS if pair[0] in claims]
