"""The lists of the papers' sentences, ``derivations/PAPER/sentences.md``, against the claims."""

from __future__ import annotations

import re
from collections import Counter

import pytest

from grpo_symbolic import catalogue
from grpo_symbolic.index import Listing

ROOT = catalogue.builtin_folders()[0].parent
LISTS = sorted(ROOT.glob("*/sentences.md"))


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
