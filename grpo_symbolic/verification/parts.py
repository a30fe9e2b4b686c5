"""A claim's statement for readers, part by part: one formula a part, each with its label and its own domain."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Any

from grpo_symbolic.ledger import Part
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.hypotheses import domain_latex, needed
from grpo_symbolic.proof.statements.sentence import Part as Stated
from grpo_symbolic.proof.statements.sentence import latex, there
from grpo_symbolic.proof.statements.sentence import parts as sentence_parts
from grpo_symbolic.proof.statements.statement import SAME, Phrase
from grpo_symbolic.signs import quoted

Printer = Callable[[Any], str]


def parts(claim: Claim, printer: Printer) -> list[Part]:
    """The sentence, a conjunction statement by statement, and what was checked beside it, in the order of the file."""
    stated = list(sentence_parts(claim.statement, claim.domain))
    steps = [part for step in claim.because for part in sentence_parts(step, claim.domain)]
    said = _said(claim, stated)
    shown = frozenset() if said is None else needed(claim.domain, said).symbols
    taken = {True: shown, False: frozenset()}  # what is said of all parts that have no domain of their own
    return [
        Part(
            part.label,
            latex(
                _short(part.label, part.phrase, alone),
                there(printer, part.domain or claim.domain, part.taken | taken[part.domain is None]),
            ),
            _where(part, claim, said, printer),
            step,
        )
        for some, step, alone in ((stated, False, len(stated) == 1), (steps, True, False))
        for part in some
    ]


def _said(claim: Claim, stated: Iterable[Stated]) -> frozenset[str] | None:
    """The names of the letters in those parts of the sentence that hold on its own domain; nothing where none does."""
    about = [part.about for part in stated if part.domain is None]
    return frozenset().union(*about) if about else None


def _where(part: Stated, claim: Claim, said: frozenset[str] | None, printer: Printer) -> str:
    """The values for which a part holds, behind the word "for": of an example there are some. What is checked beside
    the sentence on its own domain says so where it speaks of more letters of it than the sentence does; of an example
    it is always said.
    """
    domain = part.domain or claim.domain
    own = part.domain is None and said is not None and _letters(domain, part.about) <= _letters(domain, said)
    if own and not part.example:
        return ""
    latex = domain_latex(domain, there(printer, domain, part.taken), part.about)
    return rf"\text{{some }}{latex}" if part.example and latex else latex


def _letters(domain: Domain, about: frozenset[str]) -> set[Any]:
    """The letters and families of which is printed where a part about some letters holds."""
    return {*needed(domain, about).letters}


def values(claim: Claim, printer: Printer) -> str:
    """For which values the sentence holds, where it has no domain of its own, as far as it speaks of them."""
    stated = list(sentence_parts(claim.statement, claim.domain))
    said = _said(claim, stated)
    if said is None:
        return ""
    taken = frozenset().union(*(part.taken for part in stated if part.domain is None))
    return domain_latex(claim.domain, there(printer, claim.domain, taken), said)


def _short(label: str, phrase: Phrase, alone: bool) -> Phrase:
    """The phrase of a part; of an equality whose sides are one term that term, which stands behind its label: where it
    is the only part, and pages leave the label out, behind it as typed words.
    """
    if phrase[0] != SAME or not label:
        return phrase
    return (f"{quoted(label)}:", *phrase[1:]) if alone else phrase[1:]
