"""Statements of real arithmetic, decided on the negation, by certificates that are replayed."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.answers import Hints, refuted, remembered
from grpo_symbolic.proof.check.queries import Parts, Prove, parts
from grpo_symbolic.proof.check.smt import script
from grpo_symbolic.proof.statements.arithmetic import Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import UNCERTIFIED, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.language import (
    TRUE,
    ZERO,
    Compare,
    Derivative,
    Formula,
    Function,
    Node,
    Or,
    Term,
    Total,
)


def as_formula(formula: sp.logic.boolalg.Boolean | Formula, domain: Domain) -> Formula:
    """A formula of SymPy or of terms, read with the symbols of a domain."""
    return formula if isinstance(formula, Formula) else domain.reading().formula(formula)


def _helper(domain: Domain) -> Prove:
    return lambda formula, given: proves(formula, domain, given=given, deep=False)


def parts_on(
    domain: Domain, formula: Formula, using: tuple[Formula, ...] = (), arguments: tuple[Term, ...] = ()
) -> Parts:
    """What proves a formula on a domain with these instances of lemmas, of these arguments; its ``queries`` are what
    engines are asked.

    Raises :class:`Unsupported` or :class:`ReadingError` for what has no translation.
    """
    # remembered with the answers on which its facts rest: another proof has answers of its own
    key = ("parts", formula, domain.key(), using, arguments)
    made: Parts = remembered(key, lambda: parts(formula, domain, using, prove=_helper(domain), arguments=arguments))
    return made


def proves(
    formula: sp.logic.boolalg.Boolean | Formula,
    domain: Domain,
    given: tuple[Formula, ...] = (),
    deep: bool = True,
) -> bool:
    """Whether a formula is shown to hold on a domain, where what is ``given`` holds too; used to choose signs inside
    normal forms. ``deep``: facts about sums may take queries of their own.
    """

    def shown() -> bool:
        try:
            asked = parts(read, domain, prove=_helper(domain) if deep else None, given=given).queries
        except (Unsupported, ReadingError):
            return False
        return all(map(refuted, [*asked.definedness, asked.main]))

    try:
        read = as_formula(formula, domain)
    except (Unsupported, ReadingError):
        return False
    return bool(remembered(("proves", read, domain.key(), given, deep), shown))  # normal forms ask the same again


def defined(
    nodes: tuple[Node, ...],
    domain: Domain,
    normal: Callable[[Term], Term] = lambda e: e,
    given: tuple[Formula, ...] = (),
) -> str:
    """Empty if every part of the terms is shown to have a value on the whole domain, else what is not shown.
    What must not vanish may also be compared with zero in the form that ``normal`` gives it.
    """
    try:
        asked = parts(TRUE, domain, expressions=nodes, prove=_helper(domain), normal=normal, given=given).queries
    except (Unsupported, ReadingError) as reason:
        return str(reason)
    return next((script(query) for query in asked.definedness if not refuted(query)), "")


def parts_of(obligation: Obligation) -> Parts:
    """What proves an identity or an inequality."""
    assert isinstance(obligation, Identity | Holds)
    lemmas = (obligation.assumed, obligation.arguments) if isinstance(obligation, Holds) else ()
    return parts_on(obligation.domain, statement_of(obligation), *lemmas)


def hints_of(obligation: Obligation) -> Hints:
    """What an author gives the search for a certificate, over the variables of the query; an expression as the cases
    of its sign. What cannot be read, or needs variables that the query has not, is left out.
    """
    t = parts_of(obligation).translation
    own = replace(t, names=dict(t.names), definitions=[], conditions=[], abstracted=[], _taken=set(t._taken))
    hints: list[Formula] = []
    for hint in obligation.hints:
        with suppress(Unsupported, ReadingError):
            read = expanded(obligation.domain.reading().read(hint))
            if isinstance(read, Formula):
                hints.append(own.formula(read))
            elif isinstance(read, Term):
                hints.append(Or((own.formula(Compare("<", read, ZERO)), own.formula(Compare("<=", ZERO, read)))))
    return tuple(hints)


def is_algebraic(obligation: Obligation) -> bool:
    """Whether real arithmetic may decide it: of identities between sums, exponentials or logarithms it knows little."""
    if isinstance(obligation, Identity):
        functions = (n.name for side in obligation.sides for n in side.parts if isinstance(n, Function))
        sums = any(side.has(Derivative, Total) for side in obligation.sides)
        return not sums and not {"exp", "log"} & set(functions)
    return isinstance(obligation, Holds) and not statement_of(obligation).has(Derivative)


@dataclass(frozen=True)
class Certified:
    """Proves what has a certificate: that the negation, and whatever could have no value, contradicts the domain."""

    name: str = "certificate"
    engine: str = "FLINT"
    grade: Grade = Grade.exact

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, Identity | Holds) and not statement_of(obligation).has(Derivative)

    def check(self, obligation: Obligation) -> Finding:
        try:
            asked = parts_of(obligation).queries
        except (Unsupported, ReadingError) as reason:
            return Finding.unknown(str(reason))
        for query in asked.definedness:
            if not refuted(query):
                return Finding.unknown(f"not shown to be defined on the whole domain\n{script(query)}")
        if refuted(asked.main, lambda: hints_of(obligation)):
            return Finding(Outcome.holds, artefact=script(asked.main))
        return Finding.unknown(f"{UNCERTIFIED}\n{script(asked.main)}")
