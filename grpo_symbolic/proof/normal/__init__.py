"""A normal form of terms that shares nothing with SymPy: quotients of polynomials over ℚ in python-flint.

``quotients``   polynomials in generators, some of which satisfy a relation (roots, absolute values)
``signs``       which signs a polynomial may take, read off its coefficients
``rewriting``   from a term to a quotient, by equalities that hold wherever the term is defined
"""

from __future__ import annotations

from collections.abc import Callable, Mapping, Sequence

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.normal.quotients import TooLarge
from grpo_symbolic.proof.normal.rewriting import FamilyTerms, Refined, Rewriting, Units
from grpo_symbolic.proof.terms.definedness import conditions
from grpo_symbolic.proof.terms.derivatives import expanded
from grpo_symbolic.proof.terms.language import Formula, Not, Term

__all__ = ["FamilyTerms", "NormalForm"]

MOST_CASES = 6  # conditions that one identity is split by, one inside the other
MOST_STARTS = 40  # with finer and finer generators


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

    def vanishes(self, term: Term) -> bool:
        """Whether a term is shown to be 0 at every point of the domain at which it is defined."""
        try:
            return self._vanishes(expanded(term), (), MOST_CASES)
        except (ReadingError, TooLarge, ZeroDivisionError):
            return False

    def _vanishes(self, term: Term, assumed: tuple[Formula, ...], splits: int) -> bool:
        found, rewriting = self._tried(term, assumed)
        if found:
            return True
        condition = next(iter(rewriting.undecided), None)
        if condition is None or not splits:
            return False
        return all(self._vanishes(term, (*assumed, case), splits - 1) for case in (condition, Not(condition)))

    def _tried(self, term: Term, assumed: tuple[Formula, ...]) -> tuple[bool, Rewriting]:
        """Whether a term vanishes without looking at cases, and how it was rewritten."""
        sizes = {name: family.size for name, family in self.families.items()}
        implied = tuple(c.needed for c in conditions(term, sizes) if not c.given and not c.bound)
        indices = tuple(f for f in implied if not f.families and all(v.is_whole for v in f.variables))
        units = Units()
        for _ in range(MOST_STARTS):
            try:
                rewriting = Rewriting(
                    self._asks, self.families, (*self.hypotheses, *implied), (*indices, *assumed), units
                )
                return rewriting.vanishes(term), rewriting
            except Refined:
                continue
        raise TooLarge

    def _asks(self, formula: Formula) -> bool:
        if formula not in self._answers:
            self._answers[formula] = self._proves(formula)
        return self._answers[formula]
