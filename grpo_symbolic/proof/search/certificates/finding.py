"""The search as others call it: the quick one first, then those that go on."""

from __future__ import annotations

from itertools import product

from grpo_symbolic.proof.check import Certificate, refutes
from grpo_symbolic.proof.search.certificates.deep import Deep
from grpo_symbolic.proof.search.certificates.guided import Guided
from grpo_symbolic.proof.search.certificates.strategy import STEPS, Search, Spent
from grpo_symbolic.proof.search.engines import has_z3
from grpo_symbolic.terms.language import Formula


def find(query: tuple[Formula, ...], effort: int = 1, hints: tuple[Formula, ...] = ()) -> Certificate | None:
    """A certificate that the formulas of ``query`` cannot hold together, or ``None`` where none is found. What is
    returned has been replayed by :func:`grpo_symbolic.proof.check.refutes`.

    ``effort`` multiplies the work that is allowed where the quick search fails; with more than 1 the deep search is
    made as well, and before it the one that Z3 guides, if it is there. ``hints`` are what may help: a comparison is a
    lemma if it can be shown to follow, of a disjunction of comparisons the signs are looked at one by one. Where the
    quick search fails, all searches are made with them, each with its own work, so a wrong one costs time, proves
    nothing, and loses nothing.
    Raises :class:`Refused` for a query that is outside of real polynomial arithmetic with cases, and
    :class:`NoPrograms` where SciPy is needed and missing.
    """
    guided = [Guided] if has_z3() else []
    tries: list[tuple[type[Search], int, tuple[Formula, ...]]] = [(Search, 1, ())]
    if hints:
        tries += [(kind, effort, hints) for kind in (Search, *guided, Deep)]
    if effort > 1:
        tries += [(kind, effort, ()) for kind in (*guided, Search, Deep)]
    for (kind, times, given), late in product(tries, (False, True)):
        search = kind(STEPS * times, late)
        try:
            certificate = search.decided(query, {}, given)
        except Spent:
            continue
        if certificate is not None and refutes(query, certificate):
            return certificate
    return None
