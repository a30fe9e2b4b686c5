"""Deciding statements of real arithmetic with Z3 and with cvc5, each on the negation, each reading the same SMT-LIB
text.
"""

from __future__ import annotations

import ctypes
import math
import time
from collections.abc import Callable
from contextlib import suppress
from dataclasses import dataclass
from fractions import Fraction
from functools import cache, lru_cache
from typing import TYPE_CHECKING

import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.arithmetic import ARB, Undefined, Unsupported
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.evaluate import holds_at
from grpo_symbolic.proof.evidence import UNDEFINED, Finding, Grade, Outcome
from grpo_symbolic.proof.isolation import Companion, time_left
from grpo_symbolic.proof.obligation import Holds, Identity, Obligation, statement_of
from grpo_symbolic.proof.queries import Prove, Queries, queries
from grpo_symbolic.terms.language import TRUE, Derivative, Formula, Function, Node, Number, Term, Total
from grpo_symbolic.terms.writing import symbol_of, written

if TYPE_CHECKING:
    import z3

# Z3 counts its work, and stops after so much of it, on a busy machine as on a quiet one; the time is for scripts of
# which it counts little. Nothing of the catalogue was ever decided with more than half of either.
WORK = 2_500_000
SECONDS = 6
PATIENCE = 8  # times its seconds, by the clock, where the machine is busy
COMPUTING = 4  # seconds of the processor for cvc5, which heeds no limit of its own inside cylindrical coverings
# The first strategy of cvc5 splits only on what matters to the goal: most proofs take it half as long, and it finds
# some that the other misses; that one has what is left of the time, for the few with which the first does not end.
STRATEGIES = (("justification", 0.7), ("internal", float(COMPUTING)))  # each with its seconds
LARGE = 1300  # characters: of the longer scripts hardly one was ever decided after half a second, and they get one


@cache
def _keep_memory() -> None:
    """Have the C library keep what is freed: a solver is made for every question, and to give its memory back to the
    system and ask for it anew takes longer than most answers.
    """
    trim, mapped = -1, -3  # glibc's M_TRIM_THRESHOLD and M_MMAP_THRESHOLD; other systems do without
    with suppress(OSError, AttributeError, TypeError):
        library = ctypes.CDLL(None)
        library.mallopt(trim, 1 << 30)
        library.mallopt(mapped, 1 << 25)


@lru_cache(maxsize=4096)
def z3_answer(script: str, seconds: float = SECONDS) -> tuple[str, tuple[tuple[str, str], ...]]:
    """("unsat" | "sat" | "unknown", rational model where there is one)."""
    import z3

    _keep_memory()
    allowed = seconds
    while True:
        context = z3.Context()
        solver = z3.SolverFor("QF_NRA", ctx=context)
        solver.set("rlimit", WORK)
        solver.set("timeout", int(allowed * 1000))
        solver.from_string(script)
        begun = time.thread_time()
        answer = str(solver.check())
        # its clock is that of the wall: where others had the processor meanwhile, it gets more of it
        robbed = solver.reason_unknown() == "timeout" if answer == "unknown" else False
        if not robbed or time.thread_time() - begun > 0.8 * seconds or allowed > PATIENCE * seconds:
            break
        allowed *= 2
    if answer != "sat":
        return answer, ()
    model = solver.model()
    return answer, tuple((d.name(), _rational(model[d])) for d in model.decls())


def _rational(value: z3.ExprRef) -> str:
    """A Z3 value as a fraction, algebraic numbers by a close rational marked ``~``."""
    mark = ""
    if hasattr(value, "approx"):
        value, mark = value.approx(40), "~"
    return (
        f"{mark}{value.numerator_as_long()}/{value.denominator_as_long()}"
        if hasattr(value, "numerator_as_long")
        else ""
    )


@lru_cache(maxsize=4096)
def cvc5_answer(script: str, seconds: float = COMPUTING) -> tuple[str, tuple[tuple[str, str], ...]]:
    """As :func:`z3_answer`, without a model, in a child process: by one strategy, and where that tells nothing by the
    next.
    """
    left, answer = min(seconds, COMPUTING), "unknown"
    for strategy, share in STRATEGIES:
        if answer == "unknown" and left > 0:
            answer = _CVC5.ask((script, strategy), min(left, share), "unknown")
            left -= share
    return answer, ()


def _cvc5(question: tuple[str, str]) -> str:
    import cvc5

    script, strategy = question
    _keep_memory()
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("decision", strategy)
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, script, "obligation")
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        printed = command.invoke(solver, parser.getSymbolManager())
        if command.getCommandName() == "check-sat":
            answer = printed.strip()
    return answer if answer in ("sat", "unsat") else "unknown"


_CVC5 = Companion(_cvc5)
ENGINES = {"Z3": z3_answer, "cvc5": cvc5_answer}


def as_formula(formula: sp.logic.boolalg.Boolean | Formula, domain: Domain) -> Formula:
    """A formula of SymPy or of terms, read with the symbols of a domain."""
    return formula if isinstance(formula, Formula) else domain.reading().formula(formula)


def _helper(domain: Domain) -> Prove:
    return lambda formula, given: proves(formula, domain, given=given, deep=False)


@lru_cache(maxsize=8)  # both engines are asked, one after the other
def queries_on(
    domain: Domain, formula: Formula, using: tuple[Formula, ...] = (), arguments: tuple[Term, ...] = ()
) -> Queries:
    """What engines are asked to prove a formula on a domain with these instances of lemmas, of these arguments.

    Raises :class:`Unsupported` or :class:`ReadingError` for what has no translation.
    """
    return queries(formula, domain, using, prove=_helper(domain), arguments=arguments)


def proves(
    formula: sp.logic.boolalg.Boolean | Formula,
    domain: Domain,
    seconds: float = 5,
    given: tuple[Formula, ...] = (),
    deep: bool = True,
) -> bool:
    """Whether Z3 proves a formula on a domain, where what is ``given`` holds too; used to choose signs inside normal
    forms. ``deep``: facts about sums may take queries of their own.
    """
    try:
        asked = queries(as_formula(formula, domain), domain, prove=_helper(domain) if deep else None, given=given)
    except (Unsupported, ReadingError):
        return False
    return all(z3_answer(script, seconds)[0] == "unsat" for script in [*asked.definedness, asked.main])


def defined(
    nodes: tuple[Node, ...],
    domain: Domain,
    normal: Callable[[Term], Term] = lambda e: e,
    seconds: float = 5,
    given: tuple[Formula, ...] = (),
) -> str:
    """Empty if Z3 shows that every part of the terms has a value on the whole domain, else what it could not show.
    What must not vanish may also be compared with zero in the form that ``normal`` gives it.
    """
    try:
        asked = queries(TRUE, domain, expressions=nodes, prove=_helper(domain), normal=normal, given=given)
    except (Unsupported, ReadingError) as reason:
        return str(reason)
    return next((script for script in asked.definedness if z3_answer(script, seconds)[0] != "unsat"), "")


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
        if isinstance(obligation, Identity):
            transcendental = (n for side in obligation.sides for n in side.parts if isinstance(n, Function))
            return not any(side.has(Derivative, Total) for side in obligation.sides) and not any(
                n.name in ("exp", "log") for n in transcendental
            )
        return isinstance(obligation, Holds) and not statement_of(obligation).has(Derivative)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, Identity | Holds)
        formula = statement_of(obligation)
        lemmas = (obligation.assumed, obligation.arguments) if isinstance(obligation, Holds) else ()
        try:
            asked = queries_on(obligation.domain, formula, *lemmas)
        except (Unsupported, ReadingError) as reason:
            return Finding.unknown(str(reason))
        answer_to = ENGINES[self.engine]

        def ask(script: str) -> tuple[str, tuple[tuple[str, str], ...]]:
            seconds = 1 if len(script) > LARGE else SECONDS
            return answer_to(script, min(seconds, math.ceil(10 * (time_left() or seconds)) / 10))

        for script in asked.definedness:
            answer, _ = ask(script)
            if answer != "unsat":
                undefined = answer == "sat" and asked.exact
                return Finding.unknown(
                    f"{UNDEFINED if undefined else 'not shown to be defined on the whole domain'}\n{script}"
                )
        answer, model = ask(asked.main)
        if answer == "unsat":
            return Finding(Outcome.holds, artefact=asked.main)
        if answer == "sat" and asked.exact:
            return _refutation(formula, obligation.domain, asked, model)
        return Finding.unknown(f"{answer}{'' if asked.exact else ' (of an abstraction)'}\n{asked.main}")


def _refutation(formula: Formula, domain: Domain, asked: Queries, model: tuple[tuple[str, str], ...]) -> Finding:
    if not model:
        return Finding(Outcome.refuted, artefact=f"satisfiable negation\n{asked.main}")
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
        return Finding.unknown(f"the engine's model {shown} satisfies the statement\n{asked.main}")
    remark = "confirmed in ball arithmetic" if confirmed else "satisfiable negation; the model is algebraic"
    return Finding(Outcome.refuted, artefact=f"witness {shown} ({remark})\n{asked.main}")
