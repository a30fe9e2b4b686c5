"""A normal form of terms that shares nothing with SymPy: quotients of polynomials over ℚ in python-flint.

``quotients``   polynomials in generators, some of which satisfy a relation (roots, absolute values)
``signs``       which signs a polynomial may take, read off its coefficients
``hypotheses``  what the hypotheses of a domain say, read once
``rewriting``   from a term to a quotient, by equalities that hold wherever the term is defined
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence
from typing import Any, TypeVar

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.normal.quotients import TooLarge
from grpo_symbolic.proof.check.normal.rewriting import Refined, Rewriting, Units
from grpo_symbolic.proof.check.normal.signs import ANY, Signs
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.families import FamilyTerms
from grpo_symbolic.terms.language import Formula, Implies, Node, Not, Number, Term, conjunction

__all__ = ["FamilyTerms", "NormalForm"]

MOST_CASES = 40  # that one identity is split into
MOST_STARTS = 40  # with finer and finer generators
MOST_QUESTIONS = 80  # about one term that the oracle does not answer

Answer = TypeVar("Answer")
_NOT_SHOWN: tuple[bool, Formula | None] = (False, None)


class NormalForm:
    """Decides whether terms vanish on one domain, by bringing them to a normal form.

    Args:
        proves: says whether a formula holds on the whole domain; variables of the formula that the domain does not
            know may be any whole numbers. ``False`` means "not shown".
        families: the families of the domain, by name.
        hypotheses: formulas that hold on the whole domain. Equations are solved for a variable, which is then
            substituted; comparisons with numbers give signs without asking.
    """

    def __init__(
        self,
        proves: Callable[[Formula], bool],
        families: Mapping[str, FamilyTerms],
        hypotheses: Sequence[Formula] = (),
    ) -> None:
        self.families, self.hypotheses = dict(families), tuple(hypotheses)
        self._proves = proves
        self._answers: dict[Formula, bool] = {}
        self._patience = MOST_QUESTIONS
        self._vanishing: dict[Term, bool] = {}
        self._signs: dict[Term, Signs] = {}
        self._canonical: dict[Term, Term] = {}

    @property
    def sizes(self) -> dict[str, Term]:
        """The sizes of the families."""
        return {name: family.size for name, family in self.families.items()}

    def also(self, *hypotheses: Formula) -> NormalForm:
        """The normal form where further hypotheses hold."""
        given = conjunction(*hypotheses)
        return NormalForm(lambda f: self._asks(Implies(given, f)), self.families, (*self.hypotheses, *hypotheses))

    def vanishes(self, term: Term) -> bool:
        """Whether a term is shown to be 0 at every point of the domain at which it is defined."""
        if isinstance(term, Number):
            return term.value == 0
        if term not in self._vanishing:
            self._vanishing[term] = self._vanishes(term)
        return self._vanishing[term]

    def signs(self, term: Term) -> Signs:
        """The signs that are not excluded for a term, at the points of the domain at which it is defined."""
        if term not in self._signs:
            self._signs[term] = self._answer(term, lambda rewriting, e: rewriting.signs(rewriting(e)), ANY)
        return self._signs[term]

    def canonical(self, term: Term) -> Term:
        """A term that is equal wherever the given one is defined, and the same for many ways to write it."""
        if isinstance(term, Number):
            return term
        if term not in self._canonical:
            self._canonical[term] = self._answer(term, Rewriting.canonical, term)
        return self._canonical[term]

    def holds(self, formula: Formula) -> bool:
        """Whether a formula is shown to hold at every point of the domain at which its parts are defined."""
        decided = self._answer(formula, Rewriting.decides, None)
        return decided is True or (decided is None and self._asks(formula))

    def _vanishes(self, term: Term) -> bool:
        """By cases, where a condition is open: each in the domain on which it holds, and where it does not."""
        waiting: list[tuple[Formula, ...]] = [()]
        for _ in range(MOST_CASES):
            assumed = waiting.pop()
            vanishes, condition = self._answer(term, _vanishing, _NOT_SHOWN, assumed)
            if not vanishes and condition is None:
                return False
            if not vanishes:
                assert condition is not None
                waiting += [(*assumed, condition), (*assumed, Not(condition))]
            if not waiting:
                return True
        return False

    def _answer(
        self,
        node: Node,
        ask: Callable[[Rewriting, Any], Answer],
        otherwise: Answer,
        assumed: tuple[Formula, ...] = (),
    ) -> Answer:
        """What a rewriting says that knows where a node is defined, its generators fine enough; else ``otherwise``."""
        if not assumed:
            self._patience = MOST_QUESTIONS
        try:
            explicit = expanded(node)
            implied = tuple(c.needed for c in conditions(explicit, self.sizes) if not c.given and not c.bound)
            indices = tuple(f for f in implied if not f.families and all(v.is_whole for v in f.variables))
            given, known = (*self.hypotheses, *implied), (*indices, *assumed)
            units = Units()
            for _ in range(MOST_STARTS):
                try:
                    return ask(Rewriting(self._asks, self.families, given, known, units), explicit)
                except Refined:
                    continue
        except (ReadingError, TooLarge, ZeroDivisionError):
            pass
        return otherwise

    def _asks(self, formula: Formula) -> bool:
        if formula not in self._answers:
            if not self._patience:
                return False
            self._answers[formula] = self._proves(formula)
            self._patience -= not self._answers[formula]
        return self._answers[formula]


def _vanishing(rewriting: Rewriting, term: Term) -> tuple[bool, Formula | None]:
    """Whether a term vanishes, and else a condition that may help."""
    return rewriting.vanishes(term), next(iter(rewriting.undecided), None)
