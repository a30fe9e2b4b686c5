"""Letters of one sentence that a reader takes for one another, or for a sign, as they are printed."""

from __future__ import annotations

import re
from collections.abc import Callable, Collection, Iterable, Iterator, Sequence, Set
from itertools import chain
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.walking import mentioned
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.sentence import Letter, formulas, letters, members, plain
from grpo_symbolic.proof.statements.statement import Statement, conclusions, flat
from grpo_symbolic.typeset.letters import Seen, seen
from grpo_symbolic.typeset.plain import plain as typeset

Printed = Callable[[Any], Seen]  # of a letter, a family or a constant


def looking_alike(statement: Statement, domain: Domain, printed: Printed | None) -> Iterator[str]:
    """Why the letters of a sentence cannot be told apart in plain text or, where it is given how they are, as they are
    ``printed`` elsewhere.
    """
    parts = []
    for together in formulas(statement, domain):
        try:
            parts.append(_Part(together, letters(together).values()))
            if printed is not None:
                letters(together, printed)
        except ClaimError as refusal:
            yield str(refusal)
    yield from _in_words(statement, domain, printed)
    if printed is None:
        return
    yield from _as_member(statement, domain, printed)
    yield from _in_another(parts, {s for _, where in flat(statement, domain) for s in where.symbols}, printed)
    for part in parts:
        yield from _as_entry(part, printed)
        yield from _as_sign(part, printed)


class _Part(NamedTuple):
    """What a part of a sentence prints beside words: its formulas, and their letters."""

    formulas: Sequence[Any]
    letters: Collection[Letter]


def _in_another(parts: Iterable[_Part], ranges: Set[sp.Symbol], printed: Printed) -> Iterator[str]:
    """Which letters are printed as a quotient or a size of others of the same part: β/γ beside β and γ. A letter
    that numbers any answer, and is none of those with a range, is none of these where no sum gives it one.
    """
    for part in parts:
        expressions = [e for e in part.formulas if isinstance(e, sp.Basic)]
        answers = {s for e in expressions for entry in e.atoms(sp.Indexed) for s in entry.indices} - ranges
        sums = [total for e in expressions for total in e.atoms(sp.Sum, sp.Product)]
        shown = {s: printed(s).sign for s in part.letters}
        for letter, look in shown.items():
            if not re.search("[/|]", look):
                continue
            summed = {s for total in sums if total.function.has(letter) for s in total.variables}
            signs = {look for s, look in shown.items() if s not in answers or s in summed}
            if {*re.findall(r"[^\W\d_][\u0300-\u036f]*", look)} <= signs:
                yield f"{letter} is printed {look}, as if it were made of other letters of the sentence: rename it"


def _as_entry(part: _Part, printed: Printed) -> Iterator[str]:
    """Which letters are printed as entries of families in the same part: π(1) beside π."""
    families = {printed(base): base for base in part.letters if isinstance(base, sp.IndexedBase)}
    for letter in part.letters:
        if printed(letter).of and (base := families.get(printed(letter).family)):
            yield f"{letter} is printed as an entry of the family {base}: rename one of them"


_WITHOUT_SIGN = (sp.Atom, sp.Add, sp.Mul, sp.Pow, sp.Indexed, sp.IndexedBase)  # what begins with a letter, or a number


def _as_sign(part: _Part, printed: Printed) -> Iterator[str]:
    """Which letters are printed as what another formula of the same part begins with: E beside E[…], δ beside
    Kronecker's δ with its indices, e beside a power of Euler's e.
    """
    within = chain.from_iterable(sp.preorder_traversal(e) for e in part.formulas if isinstance(e, sp.Basic))
    heads = {type(e): e for e in within if isinstance(e, sp.Expr) and not isinstance(e, _WITHOUT_SIGN)}
    signs = {_sign(head): head for head in heads.values()}
    for letter in part.letters:
        if (head := signs.get(printed(letter).sign)) is not None:
            yield f"{letter} is printed as the sign of {plain(head)}: rename it"


_SIGNS: dict[type, str] = {}  # formulas of one kind begin with one sign


def _sign(head: sp.Expr) -> str:
    """The sign with which a formula begins, without the range of a sum or a product; ∏ is seen as the letter Π."""
    if type(head) not in _SIGNS:
        begun = re.split(r"_|\\left", sp.latex(head), maxsplit=1)[0]
        _SIGNS[type(head)] = seen(begun).sign.replace("∏", "Π")
    return _SIGNS[type(head)]


def _as_member(statement: Statement, domain: Domain, printed: Printed) -> Iterator[str]:
    """Which letters are printed as members of sequences in the same sentence."""
    for member in sorted(members(statement, domain), key=str):
        shown = printed(member.letter).member(member.number)
        for letter in domain.letters:
            if printed(letter) == shown:
                yield f"{letter} is printed as a member of the sequence {member.letter}: rename one of them"


def _in_words(statement: Statement, domain: Domain, printed: Printed | None) -> Iterator[str]:
    """Which letters of a sentence are printed as those that its words use for something of their own: the number n of
    a member, the time t, the parameter θ.
    """
    for part, where in conclusions(statement, domain):
        for taken in getattr(part, "printed_letters", ()):
            for letter in sorted({*where.letters, *mentioned(part)}, key=str):
                name = plain(getattr(letter, "label", letter))
                if name == typeset(taken) or (printed is not None and printed(letter) == seen(taken)):
                    yield (
                        f"{type(part).__name__}: its words speak of {typeset(taken)}, and {letter} is printed so: take "
                        "another letter"
                    )
