"""Z3 and cvc5: whether assertions of real arithmetic can hold together. They search; nobody believes them where a
certificate can be had.

Both count their work and stop after so much of it, on a busy machine as on a quiet one. Some of it they do not count,
cvc5 that of its cylindrical coverings: a search that takes a minute is given up.
"""

from __future__ import annotations

import ctypes
from collections.abc import Callable, Iterator
from contextlib import contextmanager, suppress
from contextvars import ContextVar
from functools import cache, lru_cache
from typing import TYPE_CHECKING, NamedTuple

from grpo_symbolic.isolation import Companion
from grpo_symbolic.proof.check.smt import script
from grpo_symbolic.proof.check.translation import Query

if TYPE_CHECKING:
    import z3

WORK = 2_500_000  # of Z3: twice what any refutation of the catalogue has taken
GIVEN_UP = 60.0  # seconds of one search by Z3 or cvc5, of whose work some is not counted
# The first strategy of cvc5 splits only on what matters to the goal: most proofs take it half as long, and it finds
# some that the other misses. Each with its work, twice what any refutation of the catalogue has taken.
STRATEGIES = (("justification", 100_000), ("internal", 250_000))


class Limits(NamedTuple):
    """What a search is allowed: a share of the work, in hundredths, and seconds by the clock."""

    share: int = 100
    seconds: float = GIVEN_UP


_WHOLE, _BRIEF = Limits(), Limits(20, 5.0)
_LIMITS: ContextVar[Limits] = ContextVar("limits", default=_WHOLE)


def limits() -> Limits:
    """What a search is allowed now."""
    return _LIMITS.get()


@contextmanager
def briefly() -> Iterator[None]:
    """Let every search be short: for changed claims, most of which are refuted at once."""
    token = _LIMITS.set(_BRIEF)
    try:
        yield
    finally:
        _LIMITS.reset(token)


class Answer(NamedTuple):
    """What an engine says: ``"unsat"``, ``"sat"`` or ``"unknown"``; the rational model where there is one (an algebraic
    number by a close rational, marked ``~``); and the work it took.
    """

    word: str
    model: tuple[tuple[str, str], ...] = ()
    work: int = 0


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


@cache
def has_z3() -> bool:
    """Whether Z3 is installed."""
    try:
        import z3  # noqa: F401
    except ImportError:
        return False
    return True


def z3_answer(query: Query, work: int | None = None, seconds: float | None = None) -> Answer:
    """What Z3 finds with so much work (``None``: what is allowed now); ``unknown`` where it is not installed.

    Of some work Z3 counts little: after ``seconds`` by the clock a search gives it up. Nothing is stored of that.
    """
    allowed = limits()
    return _z3_answer(query, work or WORK * allowed.share // 100, seconds or allowed.seconds)


@lru_cache(maxsize=4096)
def _z3_answer(query: Query, work: int, seconds: float) -> Answer:
    if not has_z3():
        return Answer("unknown")
    import z3

    _keep_memory()
    solver = z3.SolverFor("QF_NRA", ctx=z3.Context())
    solver.set("rlimit", work)
    solver.set("timeout", int(1000 * seconds))
    solver.from_string(script(query))
    word = str(solver.check())
    spent = next((int(value) for name, value in solver.statistics() if name == "rlimit count"), 0)
    if word != "sat":
        return Answer(word, work=spent)
    model = solver.model()
    return Answer(word, tuple((d.name(), _rational(model[d])) for d in model.decls()), spent)


def _rational(value: z3.ExprRef) -> str:
    """A Z3 value as a fraction, algebraic numbers by a close rational marked ``~``."""
    mark = ""
    if hasattr(value, "approx"):
        value, mark = value.approx(40), "~"
    if not hasattr(value, "numerator_as_long"):
        return ""
    return f"{mark}{value.numerator_as_long()}/{value.denominator_as_long()}"


def cvc5_answer(query: Query) -> Answer:
    """What cvc5 finds in a child process, without a model: by one strategy, and where that tells nothing by the
    next.
    """
    return _cvc5_answer(query, limits())


@lru_cache(maxsize=4096)
def _cvc5_answer(query: Query, allowed: Limits) -> Answer:
    word = "unknown"
    for strategy, work in STRATEGIES:
        if word == "unknown":
            question = (script(query), strategy, work * allowed.share // 100)
            word = _CVC5.ask(question, allowed.seconds, "unknown")
    return Answer(word)


def _cvc5(question: tuple[str, str, int]) -> str:
    import cvc5

    text, strategy, work = question
    _keep_memory()
    solver = cvc5.Solver(cvc5.TermManager())
    solver.setOption("decision", strategy)
    solver.setOption("rlimit", str(work))
    parser = cvc5.InputParser(solver)
    parser.setStringInput(cvc5.InputLanguage.SMT_LIB_2_6, text, "obligation")
    answer = "unknown"
    while not (command := parser.nextCommand()).isNull():
        printed = command.invoke(solver, parser.getSymbolManager())
        if command.getCommandName() == "check-sat":
            answer = printed.strip()
    return answer if answer in ("sat", "unsat") else "unknown"


_CVC5 = Companion(_cvc5)
ENGINES: dict[str, Callable[[Query], Answer]] = {"Z3": z3_answer, "cvc5": cvc5_answer}
