"""What a ledger says of a claim beside its evidence: sentence, parts, domain, steps of the derivation."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from typing import Any

from grpo_symbolic.folding import Abbreviating
from grpo_symbolic.ledger import Part, Step
from grpo_symbolic.prints import unread
from grpo_symbolic.proof.claims import Claim
from grpo_symbolic.proof.derivation import Derivation
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.hypotheses import domain_latex
from grpo_symbolic.proof.statements.sentence import formulas, latex, letters, sentence_latex, sentence_text, there
from grpo_symbolic.proof.statements.sentence import parts as statements
from grpo_symbolic.proof.statements.statement import SAME, Statement, conclusions, flat
from grpo_symbolic.signs import quoted
from grpo_symbolic.typeset.plain import plain
from grpo_symbolic.verification.parts import parts, values

_LONGEST = 4000  # characters: a sentence printed as text beyond this helps nobody
_TRIED = 10_000  # and of what is longer than this as text no headline is tried, which takes long
_SHORT = 300  # characters: three lines of a terminal, beyond which more names are used and nothing is printed twice
_HEADLINE = 600  # six lines: what is longer is read part by part, and stands for itself under its title


@dataclass(frozen=True)
class Words:
    """The sentence and the domain as LaTeX; both as one line where that is short, and what the names in it stand for;
    the sentence as text where that is readable; its parts; the steps; what the print is read as where that is another
    sentence, and what the names in that stand for; what of the print is not in what was checked; and the letters: name
    and LaTeX.
    """

    sentence: str
    domain: str
    headline: str
    names: tuple[str, ...]
    text: str
    parts: tuple[Part, ...]
    steps: tuple[Step, ...]
    reading: str
    reading_names: tuple[str, ...]
    unread: tuple[str, ...]
    letters: tuple[tuple[str, str], ...]


def words(claim: Claim, printer: Callable[[Any], str]) -> Words:
    """All that is printed of a claim; ``printer`` turns SymPy into LaTeX."""
    claim_parts = tuple(parts(claim, printer))
    steps = tuple(
        Step(d.name, s.name, words, there(printer, d.domain)(s.result))
        for d in claim.by
        for s, words in zip(d.steps, _words(d, claim, there(printer, d.domain)), strict=True)
    )
    text = sentence_text(claim.statement, claim.domain, _TRIED)
    unread = tuple(unread_in(claim, printer))
    where = values(claim, printer)
    line, names = headline(claim, printer) if text or claim.short else ("", ())
    read = reading(claim, printer)
    every = (letter for _, statement, domain in claim.sentences for letter in _letters(statement, domain))
    named = {str(letter): printer(letter) for letter in every}
    text = text if len(text) <= _LONGEST else ""
    return Words(
        sentence(claim_parts), where, line, names, text, claim_parts, steps, *read, unread, tuple(sorted(named.items()))
    )


def _words(of: Derivation, claim: Claim, printer: Callable[[Any], str]) -> Iterator[str]:
    """The words for the steps of a derivation: for the first also for which values, where these are its own."""
    where = "" if of.domain.key() == claim.domain.key() else plain(domain_latex(of.domain, printer))
    for number, step in enumerate(of.steps):
        own = f"for {where}" if where and number == 0 else ""
        yield "; ".join(filter(None, (step.words(lambda e: plain(printer(e))), own)))


def sentence_and_domain(claim: Claim, printer: Callable[[Any], str]) -> tuple[str, str]:
    """The sentence of a claim and its domain, as LaTeX."""
    return sentence(tuple(parts(claim, printer))), values(claim, printer)


def headline(claim: Claim, printer: Callable[[Any], str]) -> tuple[str, tuple[str, ...]]:
    """The sentence as LaTeX, or what leads it and how much else it says, and what the names in it stand for; empty
    where that is too long to stand over a claim.
    """
    line, names = _printed(claim.leading, claim.domain, printer, 0 if claim.short else _SHORT)
    same = [part.phrase()[0] == SAME for part, _ in flat(claim.leading, claim.domain)]  # not printed beside others
    if more := claim.beside + (0 if all(same) else sum(same)):
        line += rf".\quad \text{{And {more} more}}"  # of any values
    return (line, names) if len(plain(line)) <= _HEADLINE else ("", ())


def reading(claim: Claim, printer: Callable[[Any], str]) -> tuple[str, tuple[str, ...]]:
    """What the print of a claim is read as, as LaTeX and however long, where its file judges another sentence than the
    claim, or the same one for fewer values, behind its label if it is one that has one; and what the names in it stand
    for.
    """
    if claim.judged is None:
        return "", ()
    domain = claim.judged.domain or claim.domain
    if claim.judged.statement is not None:
        line, names = _printed(claim.judged.statement, domain, printer, _SHORT)
        one, *more = statements(claim.judged.statement, domain)
        return line if more or not one.label else rf"\text{{{quoted(one.label)}:}}\quad {line}", names
    values = "" if claim.judged.domain is None else domain_latex(domain, there(printer, domain))
    return (rf"\text{{the same, for }}{values}" if values else ""), ()


def _printed(
    statement: Statement, domain: Domain, printer: Callable[[Any], str], most: int
) -> tuple[str, tuple[str, ...]]:
    """A sentence as LaTeX, and what the names in it stand for: with more of them, and what is repeated printed
    once, where it has more than so many characters without.
    """
    taken = set(_letters(statement, domain))
    taken |= {of for part, _ in conclusions(statement, domain) for of in getattr(part, "printed_letters", ())}
    for short, once in ((False, False), (True, False), (True, True)):
        naming = Abbreviating(printer, short, taken)
        line = sentence_latex(statement, domain, naming, once)
        if len(plain(line)) <= most:
            break
    return line, naming.definitions


def _letters(statement: Statement, domain: Domain) -> Iterator[Any]:
    """The letters of a sentence."""
    return (letter for together in formulas(statement, domain) for letter in letters(together).values())


def unread_in(claim: Claim, printer: Callable[[Any], str]) -> Iterator[str]:
    """What the print of a claim speaks of, and what it is read as, the claim or another sentence, does not."""
    if claim.printed is None:
        return iter(())
    *_, (_, statement, domain) = claim.sentences  # the reading of the print, where it has one of its own
    return unread(
        claim.printed,
        map(printer, _letters(statement, domain)),
        lambda: sentence_text(statement, domain),
        lambda: (
            latex(phrase, there(printer, where or domain))
            for _, phrase, where, *_ in statements(statement, domain)
            if where is None or domain.lies_in(where)
        ),
    )


def sentence(claim_parts: Sequence[Part]) -> str:
    r"""The parts of a sentence as one line, each with its own domain.

    >>> sentence([Part("", "a=b"), Part("", "b<c", "c>0")])
    'a=b;\\quad b<c\\ \\text{ for }\\ c>0'
    """
    sentence = [part for part in claim_parts if not part.because]
    latex = [part.latex + (rf"\ \text{{ for }}\ {part.where}" if part.where else "") for part in sentence]
    return r";\quad ".join(latex)
