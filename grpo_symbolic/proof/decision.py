"""Statements of real arithmetic, decided on the negation: by a certificate that is replayed, by Z3 or by cvc5."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass, replace
from fractions import Fraction

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.answers import Hints, refuted, remembered
from grpo_symbolic.proof.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.engines import ENGINES
from grpo_symbolic.proof.evaluate import holds_at
from grpo_symbolic.proof.evidence import UNCERTIFIED, UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.proof.pointtext import point_text
from grpo_symbolic.proof.queries import Parts, Prove, Queries, parts
from grpo_symbolic.proof.smt import script
from grpo_symbolic.terms.derivatives import expanded
from grpo_symbolic.terms.language import (
    TRUE,
    ZERO,
    Compare,
    Derivative,
    Formula,
    Function,
    Node,
    Number,
    Or,
    Term,
    Total,
)
from grpo_symbolic.terms.writing import symbol_of, written


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
            asked = parts(said, domain, prove=_helper(domain) if deep else None, given=given).queries
        except (Unsupported, ReadingError):
            return False
        return all(map(refuted, [*asked.definedness, asked.main]))

    try:
        said = as_formula(formula, domain)
    except (Unsupported, ReadingError):
        return False
    return bool(remembered(("proves", said, domain.key(), given, deep), shown))  # normal forms ask the same again


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
    found: list[Formula] = []
    for hint in obligation.hints:
        with suppress(Unsupported, ReadingError):
            said = expanded(obligation.domain.reading().read(hint))
            if isinstance(said, Formula):
                found.append(own.formula(said))
            elif isinstance(said, Term):
                found.append(Or((own.formula(Compare("<", said, ZERO)), own.formula(Compare("<=", ZERO, said)))))
    return tuple(found)


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


@dataclass(frozen=True)
class Decision:
    """One engine as a checker. ``refuted`` needs a model that ball arithmetic confirms, or one that is exact by
    construction.
    """

    engine: str
    grade: Grade = Grade.decision

    @property
    def name(self) -> str:
        return f"decision-{self.engine.lower()}"

    def applies(self, obligation: Obligation) -> bool:
        return is_algebraic(obligation)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Identity | Holds)
        try:
            asked = parts_of(obligation).queries
        except (Unsupported, ReadingError) as reason:
            return Finding.unknown(str(reason))
        ask = ENGINES[self.engine]
        for query in asked.definedness:
            word = ask(query).word
            if word != "unsat":
                undefined = word == "sat" and asked.exact
                begun = UNDEFINED if undefined else "not shown to be defined on the whole domain"
                return Finding.unknown(f"{begun}\n{script(query)}")
        answer = ask(asked.main)
        if answer.word == "unsat":
            return Finding(Outcome.holds, artefact=script(asked.main))
        if answer.word == "sat" and asked.exact:
            return _refutation(statement_of(obligation), obligation.domain, asked, answer.model)
        return Finding.unknown(f"{answer.word}{'' if asked.exact else ' (of an abstraction)'}\n{script(asked.main)}")


def _refutation(formula: Formula, domain: Domain, asked: Queries, model: tuple[tuple[str, str], ...]) -> Finding:
    if not model:
        return Finding(Outcome.refuted, artefact=f"satisfiable negation\n{script(asked.main)}")
    values = {asked.variables[n]: Fraction(v.lstrip("~")) for n, v in model if n in asked.variables and v}
    for variable in domain.variables | formula.variables:
        values.setdefault(variable, Fraction(0))
    shown = ", ".join(f"{k.name} = {v}" for k, v in sorted(values.items(), key=lambda kv: kv[0].name))
    try:
        value = holds_at(formula, values, ARB)
        confirmed = value is False and domain.contains({symbol_of(k): written(Number(v)) for k, v in values.items()})
    except (Undefined, Unsupported):
        value, confirmed = None, False
    if value is True and not any(v.startswith("~") for _, v in model):
        return Finding.unknown(f"the engine's model {shown} satisfies the statement\n{script(asked.main)}")
    remark = "confirmed in ball arithmetic" if confirmed else "satisfiable negation; the model is algebraic"
    artefact = f"witness {shown} ({remark})\n{script(asked.main)}"
    return Finding(Outcome.refuted, artefact, point=point_text(values) if confirmed else "")
