"""The search as others call it: the quick one first, then those that go on."""

from __future__ import annotations

from itertools import product

from grpo_symbolic.check import Certificate, refutes
from grpo_symbolic.search.certificates import guide
from grpo_symbolic.search.certificates.deep import Deep
from grpo_symbolic.search.certificates.guided import Guided
from grpo_symbolic.search.certificates.strategy import STEPS, Search, Spent
from grpo_symbolic.terms.language import Formula


def find(query: tuple[Formula, ...], effort: int = 1, hints: tuple[Formula, ...] = ()) -> Certificate | None:
    """A certificate that the formulas of ``query`` cannot hold together, or ``None`` where none is found. What is
    returned has been replayed by :func:`grpo_symbolic.check.refutes`.

    ``effort`` multiplies the work that is allowed; with more than 1 the deep search is made as well, before it the one
    that Z3 guides, if it is there. ``hints`` are comparisons that may help: each is shown to follow before it is used,
    so a wrong one costs time and proves nothing.
    Raises :class:`Refused` for a query that is outside of real polynomial arithmetic with cases, and
    :class:`NoPrograms` where SciPy is needed and missing.
    """
    kinds = [Search, *([Guided] if guide.available() else []), Deep] if effort > 1 else [Search]
    for kind, late in product(kinds, (False, True)):
        search = kind(STEPS * effort, late)
        try:
            found = search.decided(query, {}, hints)
        except Spent:
            continue
        if found is not None and refutes(query, found):
            return found
    return None
