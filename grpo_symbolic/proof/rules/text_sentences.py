"""Sentences about texts of every number of tokens, and how they are said."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import Conclusion
from grpo_symbolic.proof.rules.text_algebra import gradient_of
from grpo_symbolic.proof.rules.text_numbers import (
    CALLED,
    Average,
    FromHere,
    Gradient,
    GroupCentred,
    OfRest,
    TextMean,
    TextRate,
    Texts,
)
from grpo_symbolic.proof.statements.statement import Phrase, commas
from grpo_symbolic.scalars import Scalar


def _listed(letters: Iterable[Any], what: str) -> Phrase:
    """Letters one after the other, and ``what`` they are; nothing where there are none."""
    listed = commas(letters)
    return (*listed, what) if listed else ()


def families_in(formula: sp.Basic) -> set[sp.IndexedBase]:
    """The families in a formula, and the laws of its means."""
    return {e.base for e in formula.atoms(sp.Indexed)} | {e.args[1] for e in formula.atoms(TextMean)}


def meant(texts: Texts, formula: sp.Basic, at: Sequence[tuple[sp.IndexedBase, sp.IndexedBase]] = ()) -> Phrase:
    """Which letters of a sentence about texts are of each state, which of the text and which the same throughout, how
    families move: each behind a comma; nothing of what is held fixed ``at`` others, which is said behind the formula.
    """
    theta, moving = sp.Symbol("theta"), texts.rates if formula.has(Gradient, TextRate) else ()
    bases = families_in(formula).union(*(families_in(sp.sympify(rate)) for _, rate in moving)) - {
        held for held, _ in at
    }
    names = {str(base): base.label for base in bases - set(texts.fixed)}
    alike = [base.label for base in texts.fixed if base in bases]
    own = [*(names[name] for name in sorted(names)), *filter(formula.has, texts.own)]
    clauses = [
        _listed(alike, "the same at every state"),
        _listed(own, "of each sample" if texts.called == "collections" else "of each state"),
        _listed(filter(formula.has, texts.ends), "of the text"),
        *((sp.Eq(sp.Derivative(base[texts.token], theta), rate, evaluate=False),) for base, rate in moving),
    ]
    return tuple(part for clause in clauses if clause for part in (",", *clause))


def at_token(formula: sp.Basic, texts: Texts) -> sp.Basic:
    """A formula about a token as it is printed: the token is a_t, as it is in what is known after it."""
    at = {texts.token: sp.Symbol("a_t", integer=True)}
    if isinstance(formula, sp.Eq):  # which SymPy would take for true where both sides become one
        return sp.Eq(formula.lhs.xreplace(at), formula.rhs.xreplace(at), evaluate=False)
    return formula.xreplace(at)


def printed_letters(*numbers: sp.Basic) -> tuple[str, ...]:
    """The LaTeX of the letters by which a print of these numbers of texts counts tokens and texts, of a token, a state,
    the parameter and the means over texts.
    """
    ahead = [rest.given for e in numbers for rest in e.atoms(OfRest) if rest.given is not None]
    earlier = any(e.atoms(FromHere) for e in (*numbers, *ahead))
    several = any(e.atoms(Average, GroupCentred) for e in numbers)
    centred = any(e.atoms(GroupCentred) for e in numbers)
    counted = (*(("i",) if several else ()), *(("k",) if centred else ()))
    laws = sorted({sp.latex(mean.args[1].label) for e in numbers for mean in e.atoms(TextMean)})
    means = (rf"\mathbb E_{{{law}}}" for law in laws)
    return ("T", "t", "a_t", "s_t", r"\theta", *(("s", "a_s") if earlier else ()), *counted, *means)


@dataclass(frozen=True)
class _EquationOfTexts(Conclusion):
    """Base: ``left`` = ``right``, numbers of ``texts``."""

    left: Scalar
    right: Scalar
    texts: Texts
    claimed = ("right",)

    @property
    def equation(self) -> sp.Basic:
        """Both sides, in terms that only a sentence about texts has."""
        return sp.Eq(sp.sympify(self.left), sp.sympify(self.right), evaluate=False)

    @property
    def printed_letters(self) -> tuple[str, ...]:
        return printed_letters(self.equation)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.texts.token, self.texts.other, *self.texts.ends, *self.texts.own)


@dataclass(frozen=True)
class OnTexts(_EquationOfTexts):
    """``left`` = ``right`` for texts of every number of tokens: of each text, or on average over all of them.

    ``at`` are families that are held fixed while gradients are taken, each with the one that it is equal to there.
    """

    label: str = "texts of any length"
    at: tuple[tuple[sp.IndexedBase, sp.IndexedBase], ...] = ()

    def __post_init__(self) -> None:
        """Raises :class:`ClaimError` for draws that are called independent and have a law for each state, and for what
        is held fixed and moves.
        """
        loose = families_in(self.equation) - set(self.texts.fixed)
        if self.texts.called == "samples" and loose:
            raise ClaimError(f"independent draws of {min(map(str, loose))}, which is not the same at every state")
        moving = {base for base, _ in self.texts.rates}
        for held, _ in self.at:
            if held in moving or any(held in families_in(rate) for rate in self.equation.atoms(TextRate)):
                raise ClaimError(f"{held} is held fixed here, and moves with the parameter")

    @property
    def there(self) -> tuple[sp.Expr, sp.Expr]:
        """Both sides, where something is held fixed with the gradients written out and what it is equal to put in."""
        sides = (sp.sympify(self.left), sp.sympify(self.right))
        if not self.at:
            return sides
        left, right = (
            side.xreplace({e: gradient_of(e.args[0], self.texts) for e in side.atoms(Gradient)}).xreplace(dict(self.at))
            for side in sides
        )
        return left, right

    @property
    def defined(self) -> frozenset[str]:
        """The names of what is held fixed: what it is equal to determines it."""
        values = {value for _, value in self.at}
        return frozenset(str(held) for held, _ in self.at if held not in values)

    def phrase(self) -> Phrase:
        beginning = f"for {self.texts.called} of T ≥ 0 {CALLED[self.texts.called]}"
        values = commas(sp.Eq(held.label, value.label, evaluate=False) for held, value in self.at)
        there = (", at", *values) if values else ()  # gradients are taken first
        return (beginning, *meant(self.texts, self.equation, self.at), ":", self.equation, *there)


@dataclass(frozen=True)
class AtStates(_EquationOfTexts):
    """``left`` = ``right`` at every state of every text that is not at its end: a mean over texts stands for its value
    there in ``Here``, and for its value after ``token`` in ``Ahead``.
    """

    label: str = "at every state"

    def phrase(self) -> Phrase:
        beginning = "at every state s_t of texts of every number T ≥ 1 of tokens"
        return (beginning, *meant(self.texts, self.equation), ":", at_token(self.equation, self.texts))
