"""Statements of real arithmetic, decided on the negation by Z3 or by cvc5."""

from __future__ import annotations

from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.decision import is_algebraic, parts_of
from grpo_symbolic.proof.check.queries import Queries
from grpo_symbolic.proof.check.smt import script
from grpo_symbolic.proof.search.engines import ENGINES
from grpo_symbolic.proof.statements.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evaluate import holds_at
from grpo_symbolic.proof.statements.evidence import UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.proof.statements.pointtext import point_text
from grpo_symbolic.terms.definedness import conditions
from grpo_symbolic.terms.language import Formula, Number
from grpo_symbolic.terms.writing import symbol_of, written


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
    """What a model refutes: a point of the domain, in balls. Of an algebraic one, or where there is none to be seen,
    that it lies there is believed of a domain that has a value everywhere: the query does not ask it.
    """
    everywhere = not any(conditions(f, domain.sizes) for f in domain.formulas)
    if not model:
        if not everywhere:
            return Finding.unknown(f"no model is seen to lie in the domain\n{script(asked.main)}")
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
    exact = not any(v.startswith("~") for _, v in model)
    if value is True and exact:
        return Finding.unknown(f"the engine's model {shown} satisfies the statement\n{script(asked.main)}")
    if not confirmed and (exact or not everywhere):
        return Finding.unknown(f"the engine's model {shown} is not seen to lie in the domain\n{script(asked.main)}")
    remark = "confirmed in ball arithmetic" if confirmed else "satisfiable negation; the model is algebraic"
    artefact = f"witness {shown} ({remark})\n{script(asked.main)}"
    return Finding(Outcome.refuted, artefact, point=point_text(values) if confirmed else "")
