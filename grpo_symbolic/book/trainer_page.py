"""A trainer's run in a book: the directive ``trainer NAME==VERSION``, with ``:set: name=value, name=value``.

What ``grpo-symbolic trainer`` prints, made anew from the trainer's options, with links to the claims, and for each
question of the theory the claims that answer it there.
"""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

from docutils import nodes

from grpo_symbolic.book import boxes
from grpo_symbolic.book.theory_table import cell
from grpo_symbolic.errors import BadInput
from grpo_symbolic.setting import Setting
from grpo_symbolic.theory.interface import theory
from grpo_symbolic.trainers.config import from_texts, named, read, trainer_of
from grpo_symbolic.trainers.facts import Kind, facts
from grpo_symbolic.trainers.options import Note
from grpo_symbolic.trainers.words import formulas, gradient, sentence

if TYPE_CHECKING:
    from grpo_symbolic.book.ledgerbook import LedgerBook

__all__ = ["options_table", "trainer_page"]


def trainer_page(book: LedgerBook, name: str, options: dict[str, str]) -> list[nodes.Node]:
    """The page of a run; raises :class:`BadInput` for options that the trainer does not have."""
    given = from_texts(part.strip() for part in options.get("set", "").split(",") if part.strip())
    reading = read(name, given, strict=given)
    of, ids = reading.setting, book.entries
    shown: list[nodes.Node] = [nodes.paragraph("", "", nodes.strong("", "", *boxes.prose(book, sentence(of))))]
    shown += _notes(book, "Mind", [*reading.notes, *facts(of, Kind.WARNING, ids)])
    loss = [*formulas(of), *(f"besides, not in the formula: {text}" for text in reading.outside)]
    for title, lines in (("The loss, to be minimised", loss), ("Its gradient where π_old is π", [gradient(of)])):
        text = "\n".join(lines)
        shown += [nodes.rubric("", title), nodes.literal_block(text, text, language="text")]
    shown += _notes(book, "Where it goes", facts(of, Kind.KNOWN, ids))
    shown += _notes(book, "Open", facts(of, Kind.OPEN, ids))
    return [*shown, nodes.rubric("", "What the theory answers"), *_answers(book, of)]


def options_table(text: str) -> list[nodes.Node]:
    """The options of a trainer that bear on the objective, with defaults; raises :class:`BadInput` for another name."""
    trainer = named(text)
    known = trainer_of(trainer.name)
    release = known.releases.nearest(trainer.version)
    rows = [
        [[nodes.literal("", o.name)], str(known.default(o, trainer.version)), ", ".join(o.words) or o.kind]
        for o in known.table
        if not known.releases.why_absent(o.name, release)
    ]
    return [boxes.table(["option", "default", "values"], rows)]


def _notes(book: LedgerBook, title: str, notes: Sequence[Note]) -> list[nodes.Node]:
    if not notes:
        return []
    items = nodes.bullet_list("")
    for note in notes:
        words = boxes.prose(book, note.text)
        for claim in note.claims:
            words += [nodes.Text(" "), boxes.link(claim)]
        items += nodes.list_item("", nodes.paragraph("", "", *words))
    return [nodes.rubric("", title), items]


def _answers(book: LedgerBook, of: Setting) -> list[nodes.Node]:
    try:
        known = theory(of, ledger=book.ledger)
    except BadInput as reason:  # the theory of one prompt has no such point, and the reason says why
        return [nodes.paragraph("", "", *boxes.prose(book, f"Nothing: {reason}."))]
    paragraph = nodes.paragraph("", "", *boxes.prose(book, f"Assumed: {'; '.join(known.assumed)}."))
    rows = [[question, cell(answer)] for question, answer in known.answers.items()]
    return [paragraph, boxes.table(["question", "claims"], rows, ["claim-theory"])]
