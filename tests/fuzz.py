"""Random statements before every engine, compared with exact evaluation: ``python tests/fuzz.py --count 20000``.

A contradiction is a proof of what fails or has no value at a point of its domain, a refutation of what is true, a
witness that is none, or a print that reads as another formula. Each is printed as an entry for the corpus
``tests/false/``; with one, the exit status is 1.
"""

from __future__ import annotations

import argparse
import itertools
import re
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextlib import suppress
from dataclasses import dataclass, fields
from fractions import Fraction
from typing import Any

import cvc5
import sympy as sp
import z3
from cases import case
from exact import NoValue, Place, Unsure, Value, compared, difference, sign, truth, value
from readback import formula, shape
from readback_latex import latex_formula, latex_letters
from shapes import Case
from sympy.logic.boolalg import BooleanAtom
from sympy.printing.str import StrPrinter

from grpo_symbolic import notation
from grpo_symbolic.errors import BadInput
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.proof import Always, Equal, Exists, MeanOf, Monotone, Random, Roots, Tends, UniqueRoot, VarianceOf
from grpo_symbolic.proof.checkers import discharge
from grpo_symbolic.proof.rules.citing import cites
from grpo_symbolic.proof.statements.domain import Family
from grpo_symbolic.proof.statements.evidence import Evidence, Outcome
from grpo_symbolic.proof.statements.sentence import formulas, letters, plain
from grpo_symbolic.proof.statements.statement import By
from grpo_symbolic.verification.pool import run_tasks

SECONDS, ENGINE_SECONDS = 20.0, 4.0
DEPTHS = (40, 80, 160)  # a limit is looked at 10⁻⁴⁰, 10⁻⁸⁰ and 10⁻¹⁶⁰ from its point


@dataclass(frozen=True)
class Report:
    """What became of one statement: how it ended, and what to look into: a contradiction, or a broken fuzzer."""

    seed: int
    shape: str
    ended: str
    contradiction: str = ""


_NAMES = {str(v): name for name, v in vars(notation).items() if isinstance(v, sp.Symbol | sp.IndexedBase)}


class _Source(StrPrinter):
    printmethod = "_source"  # and not as an expression prints itself

    def _print_Symbol(self, e: sp.Symbol) -> str:
        return _NAMES.get(e.name, e.name)

    def _print_IndexedBase(self, e: sp.IndexedBase) -> str:
        return _NAMES.get(str(e), str(e))

    def _print_Indexed(self, e: sp.Indexed) -> str:
        return f"{self._print(e.base)}[{', '.join(map(self._print, e.indices))}]"

    def _print_Rational(self, e: sp.Rational) -> str:
        return str(e.p) if e.q == 1 else f"Rational({e.p}, {e.q})"


def source(e: Any) -> str:
    """SymPy source that makes an expression again."""
    return _Source().doprint(e)


def written(given: Any) -> str:
    """Python source of a part of a statement or of a domain."""
    if isinstance(given, Family):
        kind = "reals" if given.total is None else "simplex"
        return f"{kind}({written(given.base)}, {written(given.size)})"
    if isinstance(given, dict):
        return "{" + ", ".join(f"{written(k)}: {written(v)}" for k, v in given.items()) + "}"
    if isinstance(given, Random):
        return "Random(" + ", ".join(f"{k}={written(v)}" for k, v in given._asdict().items() if v is not None) + ")"
    if isinstance(given, By):
        return f"{_of_kind(given.statement)}.by({type(given.rule).__name__}())"
    if isinstance(given, tuple):
        return "(" + "".join(f"{written(part)}, " for part in given) + ")"
    return source(given) if isinstance(given, sp.Basic) else repr(given)


def _of_kind(statement: Any) -> str:
    """Source of a statement by its fields."""
    if isinstance(statement, By):
        return written(statement)
    parts = [(f.name, getattr(statement, f.name)) for f in fields(statement) if f.name != "label"]
    return f"{type(statement).__name__}({', '.join(f'{name}={written(v)}' for name, v in parts)})"


def entry(made: Case, seed: int, why: str) -> str:
    """A statement as an entry of the corpus; of one that follows from a claim, what this is stands beside it."""
    statement = _of_kind(made.statement)
    domain = f"Domain({', '.join(map(written, made.constraints))})"
    for cited in cites(made.statement):
        why += f" (it follows from: {cited.sentence})"
    return f'false(\n    "fuzzed {made.shape} {seed}",\n    "{why}",\n    lambda: ({domain}, {statement}),\n)'


def inside(made: Case, place: Place) -> bool:
    """Whether a place certainly lies in the domain of a statement."""
    said = [c for c in made.constraints if isinstance(c, sp.Basic) and not c.is_Symbol]
    try:
        return all(truth(c, place) for c in (*said, *_of_members(made)))
    except (NoValue, Unsure):
        return False


def _of_members(made: Case) -> Iterator[sp.Basic]:
    """What a sentence says of letters that number members of families, and of which its domain says nothing else."""
    sizes = {c.base: c.size for c in made.constraints if isinstance(c, Family)}
    constrained = {s for c in made.constraints if isinstance(c, sp.Basic) for s in c.free_symbols}
    formula = formula_of(made)
    for entry in formula.atoms(sp.Indexed) if isinstance(formula, sp.Basic) else ():
        (index,) = entry.indices
        if index.is_Symbol and index in formula.free_symbols - constrained and entry.base in sizes:
            yield from (sp.Le(1, index), sp.Le(index, sizes[entry.base]))


def formula_of(made: Case) -> Any:
    """The relation or Boolean combination that a statement is about; ``None`` for one about more than a point."""
    statement = made.statement.conclusion
    if made.meant is not None or not isinstance(statement, Equal | Always | Exists):
        return made.meant
    return sp.Eq(statement.left, statement.right, evaluate=False) if isinstance(statement, Equal) else statement.formula


def shown(place: Place) -> str:
    return ", ".join(f"{k} = {v}" for k, v in place.items())


def failures(made: Case) -> Iterator[str]:
    """Why a statement certainly does not hold, as far as its places tell."""
    places, statement = [p for p in made.places if inside(made, p)], made.statement.conclusion
    formula = formula_of(made)
    if made.truth is False:
        yield "by construction it is false"
    if isinstance(statement, Exists):
        place = {k: value(sp.Rational(v), {}) for k, v in statement.point.items()}
        yield from _fails(statement.formula, place)
        with suppress(NoValue, Unsure):
            if not all(truth(c, place) for c in made.constraints):
                yield f"{shown(place)} is outside of the domain"
    elif formula is not None:
        for place in places:
            yield from _fails(formula, place)
    elif isinstance(statement, Tends):
        for place in places:
            yield from _strays(statement, place)
    elif not isinstance(statement, Roots | UniqueRoot):
        yield from _bends(statement, places)


def _fails(formula: Any, place: Place) -> Iterator[str]:
    try:
        if not truth(formula, place):
            yield f"it fails at {shown(place)}"
    except NoValue:
        yield f"it has no value at {shown(place)}"
    except Unsure:
        return


def _distances(statement: Tends, place: Place) -> list[Value]:
    """How far the body is from the claimed value, ever closer to the point; its size, where the value is infinite.

    Raises :class:`NoValue` where it has none next to the point.
    """
    found, claimed = [], sp.sympify(statement.value)
    for depth in DEPTHS:
        near = Fraction(1, 10**depth)
        if statement.point == sp.oo:
            at: Any = 1 / near
        else:
            at = difference(value(sp.sympify(statement.point), place), -near if statement.side == "+" else near)
        body = value(statement.body, {**place, statement.variable: at})
        if claimed.is_infinite:
            found.append(body if claimed == sp.oo else -body)
        else:
            found.append(abs(difference(body, value(claimed, place))))
    return found


def _gaps(statement: Tends, place: Place) -> list[Value]:
    """The distances from the limit, one that is not small where they are not known."""
    try:
        return _distances(statement, place)
    except (NoValue, Unsure):
        return [Fraction(1)]


def _strays(statement: Tends, place: Place) -> Iterator[str]:
    try:
        gaps = _distances(statement, place)
        if sp.sympify(statement.value).is_infinite:
            away = all(compared(g, Fraction(10**6)) < 0 for g in gaps) and compared(gaps[-1], gaps[0]) <= 0
        else:
            away = compared(gaps[-1], Fraction(1, 10**6)) > 0 and compared(gaps[-1], gaps[0]) >= 0
        if away:
            yield f"it keeps away from its limit at {shown(place)}"
    except NoValue:
        yield f"it has no value next to the point at {shown(place)}"
    except Unsure:
        return


def _bends(statement: Any, places: list[Place]) -> Iterator[str]:
    """Two or three places that a slope or a curvature forbids."""
    body, variable, direction = statement.body, statement.variable, statement.direction
    for place in places:
        try:
            value(body, place)
        except NoValue:
            yield f"it has no value at {shown(place)}"
        except Unsure:
            continue
    for place, other in itertools.islice(itertools.permutations(places, 2), 200):
        low, high = place[variable], other[variable]
        if low >= high:
            continue
        try:
            first, last = value(body, place), value(body, {**place, variable: high})
            if isinstance(statement, Monotone):
                if sign(difference(last, first)) * direction <= 0:
                    yield f"between {low} and {high} at {shown(place)}"
            else:
                middle = value(body, {**place, variable: (low + high) / 2})
                if sign(difference(difference(first, middle), difference(middle, last))) * direction <= 0:
                    yield f"over the chord from {low} to {high} at {shown(place)}"
        except (NoValue, Unsure):
            continue


def _witness(found: Evidence) -> dict[Any, Fraction]:
    """The exact point of numbers that a refutation names, if it does."""
    named = re.match(r"witness ([^\n(]*)\((?:confirmed in )?ball arithmetic\)", found.artefact)
    place = {}
    for part in named.group(1).split(", ") if named else ():
        name, _, number = part.partition(" = ")
        if name in NOTATION and re.fullmatch(r"-?\d+(/\d+)?", number.strip()):
            place[NOTATION[name].symbol] = Fraction(number.strip())
    return place


def wrongly_refuted(made: Case, evidence: list[Evidence]) -> Iterator[str]:
    """Why a refutation is certainly wrong."""
    statement = made.statement.conclusion
    for found in evidence:
        if found.outcome is not Outcome.refuted or not found.grade.is_proof:
            continue
        if made.truth:
            yield f"{found.checker} refutes what is true by construction"
        if isinstance(statement, Tends):
            # a limit holds for all parameters: a refutation is wrong where it is closed in upon at every place
            gaps = list(itertools.chain.from_iterable(_gaps(statement, p) for p in made.places if inside(made, p)))
            small = Fraction(1, 10**10)
            with suppress(Unsure):
                if gaps and all(compared(g, small) < 0 for g in gaps) and not sp.sympify(statement.value).is_infinite:
                    yield f"{found.checker} refutes a limit that is closed in upon"
        elif isinstance(statement, Equal | Always | Exists) and not any(
            isinstance(c, Family) for c in made.constraints
        ):
            place = _witness(found) if not isinstance(statement, Exists) else dict(made.places[0])
            with suppress(NoValue, Unsure, KeyError):
                if place and truth(formula_of(made), place) and inside(made, place):
                    yield f"{found.checker} refutes with {shown(place)}, where it holds"


def misprints(made: Case) -> Iterator[str]:
    """The formulas of a sentence that say something else once they are printed and read back."""
    for together in formulas(made.statement, made.domain):
        for e in together:
            spoken = isinstance(e, sp.Basic) and not isinstance(e, sp.IndexedBase | BooleanAtom)
            if spoken and not e.has(MeanOf, VarianceOf):
                text, latex = plain(e), PaperPrinter()(e)
                if shape(formula(text, letters([e]))) != shape(e):
                    yield f"{e} is printed as {text}"
                if _in_latex(latex, e) != shape(e):
                    yield f"{e} is printed as {latex}"


def _in_latex(latex: str, e: sp.Basic) -> Any:
    """What LaTeX says with the letters of an expression; ``None`` for nothing, or two things."""
    try:
        return shape(latex_formula(latex, latex_letters([e])))
    except BadInput:
        return None


def tried(seed: int) -> Report:
    """One statement before every engine, in this process."""
    made = case(seed)
    try:
        owed = list(made.statement.obligations(made.domain))
        evidence = [discharge(o, limit=ENGINE_SECONDS) for o in owed]
    except (BadInput, TypeError) as refusal:
        return Report(seed, made.shape, f"refused: {type(refusal).__name__}")
    proving = [next((e.checker for e in found if e.proves), "") for found in evidence]
    why = ""
    if proving and all(proving):
        why = next((f"{', '.join(dict.fromkeys(proving))}: {reason}" for reason in failures(made)), "")
    said = [found for o, found in zip(owed, evidence, strict=True) if not o.sufficient]  # and not a rule's premise
    why = why or next((reason for found in said for reason in wrongly_refuted(made, found)), "")
    why = why or next(misprints(made), "")
    refuted = any(e.outcome is Outcome.refuted and e.grade.is_proof for found in said for e in found)
    ended = "proved" if proving and all(proving) else "refuted" if refuted else "open"
    return Report(seed, made.shape, ended, entry(made, seed, why) if why else "")


def _outcome(seed: int) -> Report:
    """The report on a statement, on the fuzzer itself where it breaks."""
    try:
        return tried(seed)
    except Exception as error:
        return Report(seed, "", "broken", f"# statement {seed} breaks the fuzzer: {type(error).__name__}: {error}")


@dataclass(frozen=True)
class _Statement:
    """One statement: a task of the pool."""

    seed: int
    limit: float

    def run(self) -> Report:
        return _outcome(self.seed)


def run(count: int, first: int = 0, jobs: int = 2) -> Iterator[Report]:
    """Reports on ``count`` statements from the number ``first`` on, as they come.

    The engines are loaded before the processes part. A process goes from one statement to the next, as it does in a
    run of claims; one that is late, or has died, is followed by another.
    """
    z3.Context()
    cvc5.Solver(cvc5.TermManager())
    statements = [_Statement(seed, SECONDS) for seed in range(first, first + count)]
    for at, report in run_tasks(statements, jobs):
        yield report or Report(first + at, "", "late")


def main() -> int:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--count", type=int, default=20_000)
    parser.add_argument("--first", type=int, default=0)
    parser.add_argument("--jobs", type=int, default=2)
    options = parser.parse_args()
    tally: Counter[str] = Counter()
    contradictions, begun, live = 0, time.monotonic(), sys.stderr.isatty()
    for done, report in enumerate(run(options.count, options.first, options.jobs), start=1):
        tally[report.ended.partition(":")[0]] += 1
        if report.contradiction:
            contradictions += 1
            print(report.contradiction, flush=True)
        if live or done % 500 == 0 or done == options.count:
            line = ", ".join(f"{number} {what}" for what, number in sorted(tally.items()))
            line = (
                f"{done}/{options.count} in {time.monotonic() - begun:.0f} s: {line}; {contradictions} contradictions"
            )
            print(line, end="\r" if live and done < options.count else "\n", file=sys.stderr, flush=True)
    return 1 if contradictions else 0


if __name__ == "__main__":
    sys.exit(main())
