"""A claim's statement for readers, part by part: one formula a part, each with its label and its own domain."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

from grpo_symbolic.ledger import Part
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.hypotheses import domain_latex
from grpo_symbolic.proof.statements.sentence import latex, there
from grpo_symbolic.proof.statements.sentence import parts as sentence_parts
from grpo_symbolic.proof.statements.statement import SAME, Phrase
from grpo_symbolic.signs import quoted

Printer = Callable[[Any], str]


def parts(claim: Claim, printer: Printer) -> list[Part]:
    """The sentence, a conjunction statement by statement, and what was checked beside it, in the order of the file."""
    stated = list(sentence_parts(claim.statement, claim.domain))
    steps = [part for step in claim.because for part in sentence_parts(step, claim.domain)]
    return [
        Part(
            label,
            latex(_short(label, phrase, alone), there(printer, domain or claim.domain)),
            "" if domain is None else _where(domain, there(printer, domain), about, example),
            step,
        )
        for some, step, alone in ((stated, False, len(stated) == 1), (steps, True, False))
        for label, phrase, domain, about, example in some
    ]


def _where(domain: Domain, printer: Printer, about: frozenset[str], example: bool) -> str:
    """The values for which a part holds, behind the word "for": of an example there are some."""
    latex = domain_latex(domain, printer, about)
    return rf"\text{{some }}{latex}" if example and latex else latex


def values(claim: Claim, printer: Printer) -> str:
    """For which values holds what has no domain of its own, as far as it speaks of them."""
    all_parts = [
        part for statement in (claim.statement, *claim.because) for part in sentence_parts(statement, claim.domain)
    ]
    about = [part.about for part in all_parts if part.domain is None]
    return domain_latex(claim.domain, there(printer, claim.domain), frozenset().union(*about) if about else None)


def _short(label: str, phrase: Phrase, alone: bool) -> Phrase:
    """The phrase of a part; of an equality whose sides are one term that term, which stands behind its label: where it
    is the only part, and pages leave the label out, behind it as typed words.
    """
    if phrase[0] != SAME or not label:
        return phrase
    return (f"{quoted(label)}:", *phrase[1:]) if alone else phrase[1:]
