"""SMT-LIB 2: the negation of what is claimed, on its domain, so that ``unsat`` proves it; for Z3 and for cvc5.

The text is that of the decision checkers (:mod:`grpo_symbolic.proof.check.queries`): first the queries that ask whether
everything is defined on the domain, then the negation itself. A plain expression becomes an equation for a variable.
"""

from __future__ import annotations

from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput, ReadingError
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.proof.check.decision import as_formula, parts_on
from grpo_symbolic.proof.check.smt import script
from grpo_symbolic.proof.search.recipes import with_z3
from grpo_symbolic.proof.statements.arithmetic import Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of

ABSTRACTS = (
    "exponentials, logarithms, entries of families and sums are free variables about which only instances of lemmas "
    "are asserted, so unsat is a proof, and sat refutes nothing"
)
_RESET = "(reset)\n"  # both engines start anew there


def scripts(item: Item) -> tuple[list[tuple[str, str]], list[str], bool]:
    """The scripts, each with what it asks, what is left out and why, and whether all are exact.

    Raises :class:`BadInput` when nothing can be asked.
    """
    made: list[tuple[str, str]] = []
    left_out: list[str] = []
    exact = True
    for label, obligation, goal in _goals(item):
        if goal is None:
            left_out.append(f"{label}: a {type(obligation).__name__} is no formula of real arithmetic")
            continue
        formula, domain, using = goal
        try:
            with with_z3():  # which may be asked for lemmas about sums
                asked = parts_on(domain, formula, *using).queries
        except (Unsupported, ReadingError) as reason:
            left_out.append(f"{label}: {reason}")
            continue
        exact = exact and asked.exact
        made += [(f"{label}: it is defined on the domain", script(query)) for query in asked.definedness]
        made.append((label, script(asked.main)))
    if not made:
        raise BadInput(f"{item.id} cannot be written as SMT-LIB: {left_out[0] if left_out else 'nothing is claimed'}")
    return made, left_out, exact


def _goals(item: Item) -> list[tuple[str, Obligation | None, Any]]:
    if item.claim is not None and not item.about:
        goals: list[tuple[str, Obligation | None, Any]] = []
        for obligation in item.claim.whole.obligations(item.claim.domain):
            using = (obligation.assumed, obligation.arguments) if isinstance(obligation, Holds) else ()
            goal = None
            if isinstance(obligation, Holds | Identity):
                goal = (statement_of(obligation), obligation.domain, using)
            goals.append((obligation.label, obligation, goal))
        return goals
    if isinstance(item.statement, sp.logic.boolalg.Boolean):
        symbols = [s for s in item.statement.free_symbols if isinstance(s, sp.Symbol)]
        domain = item.domain or Domain(*symbols)
        return [("the statement", None, (as_formula(item.statement, domain), domain, ()))]
    raise BadInput(f"SMT-LIB holds statements, and {item.id} is an expression: compare it with something")


def write(header: Header, asked: list[tuple[str, str]]) -> str:
    """The scripts one after another, each ending in ``(check-sat)``; every answer is to be ``unsat``."""
    blocks = [f"; asks: {' '.join(label.split())}\n{text}" for label, text in asked]
    return header.comment(";") + _RESET.join(blocks)
