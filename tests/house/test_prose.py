"""The report on prose: a sentence that asserts mathematics beside no claim is listed, and nothing else is."""

from __future__ import annotations

import pytest
from prose import SHOWING, listed, uncited

# How many sentences of the pages assert mathematics beside no claim. It may only go down: a sentence that is new names
# its claim, says less, or is about something else. `python tests/prose.py` lists them.
BOUND = 0

KNOWN = {"vy-eq14", "mr-thm2-h"}
ASSERTION = "Every fixed point exceeds the reference policy."


def found(page: str) -> list[str]:
    """The sentences that are listed of a page."""
    return [said for _, said in uncited(page, KNOWN)]


@pytest.mark.parametrize(
    "sentence",
    [
        ASSERTION,
        "The policy never loses an answer.",
        "On the way the loss falls only where β is small.",
        "The map is above its start: h(p) > p.",
        "At the border x = 1/2.",
        r"There $x \le 1$ for all groups.",
        "With {sym}`beta` = 1 it is {sym}`p` ≥ ½.",
        "It follows that a = b ⇔ c = d.",
        "**When you have read this page** you know that the gradient is never zero.",
    ],
)
def test_an_assertion_beside_no_claim_is_listed(sentence: str) -> None:
    assert found(f"# A page\n\n{sentence}\n") == [sentence]


@pytest.mark.parametrize(
    "paragraph",
    [
        f"{ASSERTION} It is `vy-eq14`.",
        f"{ASSERTION} `grpo-symbolic show vy-eq14` has the proof.",
        f"{ASSERTION} This is {{claim-ref}}`shown\nelsewhere <vy-eq14>`.",
        f"{ASSERTION} At one half it is {{value}}`vy-eq14.2 p=1/2`.",
        f"{ASSERTION}\n\n```{{claim}} vy-eq14\n:again:\n```",
        f"{ASSERTION}\n\n:::{{derivation}} any-name\n:::",
        f"{ASSERTION}\n\n```{{admonition}} Answer\nBy {{claim-ref}}`the formula <mr-thm2-h>`.\n```",
        f"- {ASSERTION}\n  (`vy-eq14`)",
    ],
)
def test_an_assertion_beside_a_claim_is_not_listed(paragraph: str) -> None:
    assert found(f"# A page\n\n{paragraph}\n") == []


@pytest.mark.parametrize(
    "page",
    [
        f"{ASSERTION} It is `vy-eq99`.",
        f"{ASSERTION}\n\nIt is `vy-eq14`.",
        f"- {ASSERTION}\n- It is `vy-eq14`.",
        f"```{{claim}} vy-eq14\n```\n\n{ASSERTION}",
        f"{ASSERTION}\n\n## Proof\n\n```{{claim}} vy-eq14\n```",
        f"{ASSERTION}\n\n```{{claim-graph}}\n```",
        f"{ASSERTION}\n\n```\ngrpo-symbolic show vy-eq14\n```",
    ],
)
def test_a_claim_that_is_unknown_or_elsewhere_does_not_count(page: str) -> None:
    assert found(page) == [ASSERTION]


@pytest.mark.parametrize(
    "page",
    [
        f"```text\n{ASSERTION}\n```",
        f"```{{figure-of}} name\n{ASSERTION}\n```",
        f"````{{admonition}} Answer\n```{{note}}\n```\n{ASSERTION}\n````",
        f"## {ASSERTION}",
        f"---\ntitle: {ASSERTION}\n---\n\nText.",
        f"| option | what it does |\n| --- | --- |\n| `beta` | {ASSERTION} |",
        "Set `--beta=0.04`, and the loss is that of `x = y`.",
        'A <span id="loss">loss</span>, Settings > Pages, <https://example.org/?loss=only>, [a](b.md?c=d).',
        "File -> Loss => Reward.",
        "{claim-count}`paper=mroueh print=holds` policies hold.",
    ],
)
def test_what_is_no_prose_is_not_listed(page: str) -> None:
    assert found(page) == []


@pytest.mark.parametrize(
    "sentence",
    [
        "Every symbol is in `grpo_symbolic/notation.py`.",
        "Every public name has a docstring.",
        "A claim about a policy is proved only when every one of its obligations is.",
        "Only the last step of a file is checked again.",
        "TRL's loss has this option only from 1.10 on.",
        "Is the policy always a maximum?",
        "**When you have read this page** you know where every policy is a maximum.",
        "The gradient is taken first.",
    ],
)
def test_rules_of_the_house_and_questions_are_not_listed(sentence: str) -> None:
    assert found(sentence) == []


def test_each_row_of_a_table_of_claims_names_its_own() -> None:
    page = (
        f"| claim | what holds |\n| --- | --- |\n| `vy-eq14` | {ASSERTION} |\n| – | x ≤ y |\n\n| a | b |\n| x ≤ y | |\n"
    )
    assert list(uncited(page, KNOWN)) == [(4, "| – | x ≤ y |")]


def test_a_sentence_is_listed_with_the_line_on_which_it_begins() -> None:
    page = "# A page\n\nDr. GRPO takes the mean off (`a. B`). The loss\nis never 0. Then\nx < y. The rest is words.\n"
    assert list(uncited(page, KNOWN)) == [(3, "The loss is never 0."), (4, "Then x < y.")]


def test_the_directives_that_show_claims_are_those_of_the_book() -> None:
    from grpo_symbolic.book import sphinx_claims, sphinx_figures, tables

    assert sphinx_claims.__doc__ is not None
    assert sphinx_figures.__doc__ is not None
    told = sphinx_claims.__doc__ + sphinx_figures.__doc__
    assert [name for name in SHOWING if f"``{name} " not in told and name not in tables.TABLES] == []


def test_no_more_sentences_than_before_assert_mathematics_beside_no_claim() -> None:
    assert len(listed()) <= BOUND, "\n".join(["", *listed()])
