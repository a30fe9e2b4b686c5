"""The table of the space in a book: the directive ``theory-table``.

A row is a point, those of papers with their place; a cell says how its question is answered, in words that lead to the
claim, with the verdict of the book's ledger, or that the question is open. ``:questions: existence, uniqueness``
chooses columns. ``static/space.js`` puts a field above the first one that leaves rows out, of all of the page.
"""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp
from docutils import nodes

from grpo_symbolic.book import boxes
from grpo_symbolic.errors import check_name
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.theory.coverage import COLUMNS, QUESTIONS

if TYPE_CHECKING:
    from grpo_symbolic.book.ledgerbook import LedgerBook
    from grpo_symbolic.theory.interface import Answer, Settled

_SHOWN = 2  # claims in a cell


def theory_table(book: LedgerBook, options: dict[str, str]) -> list[nodes.Node]:
    """The table; raises :class:`BadInput` for a question that is not one."""
    from grpo_symbolic.theory.points import table

    columns = [word.strip() for word in options.get("questions", ",".join(COLUMNS)).split(",")]
    for column in columns:
        check_name(column, list(QUESTIONS), "question")
    rows = []
    for line in table(book.ledger):
        words = boxes.prose(book, line.named.name)
        name = [nodes.strong("", "", *words), nodes.Text(f" · {line.named.source}")] if line.named.source else words
        rows.append([name, line.theory.point.parts, *(cell(line.answers[c]) for c in columns)])
    return [boxes.table(["point", "its parts", *columns], rows, ["claim-theory", "claim-space"])]


def cell(answer: Answer) -> list[nodes.Node]:
    """What the claims say that answer a question, each with its verdict, or that it is open."""
    if not answer.claims:
        return [nodes.emphasis("", "open", classes=["claim-open"])]
    more = len(answer.claims) - _SHOWN
    lines = [_settled(settled) for settled in answer.claims[:_SHOWN]]
    lines += [[nodes.Text(f"and {more} more")]] if more > 0 else []
    return [nodes.paragraph("", "", *line) for line in lines]


def _settled(settled: Settled) -> list[nodes.Node]:
    card = settled.card
    badge = nodes.inline("", card.words, classes=["claim-badge", f"claim-{card.verdict}" if card.verified else ""])
    where: list[nodes.Node] = []
    if settled.where != sp.true:
        latex = PaperPrinter()(settled.where)
        where = [nodes.Text(" where "), nodes.math(latex, latex)]
    return [boxes.link(card.id, settled.note or card.title), *where, nodes.Text(" "), badge]
