"""What one constraint says of one variable, where it is linear in it.

A term is a line in a variable (:func:`line`) when it is built from it by sums and by products with closed rational
factors, whatever its derivative looks like; :func:`affine` has any factors without the variable. The answer ``None``
means "not known to be", and is never read as yes.
"""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from fractions import Fraction
from math import ceil, floor, prod
from typing import NamedTuple

from grpo_symbolic.terms.language import (
    ZERO,
    Add,
    And,
    Compare,
    Formula,
    Multiply,
    Number,
    Term,
    Variable,
    add,
    multiply,
    number,
    subtract,
)


class Line(NamedTuple):
    """``slope · variable + rest``, where the variable is not in ``rest``."""

    slope: Fraction
    rest: Term


class Bound(NamedTuple):
    """``variable relation end``, the relation one of ``<``, ``<=``, ``==``, ``>=``, ``>``."""

    variable: Variable
    relation: str
    end: Term


def line(term: Term, variable: Variable) -> Line | None:
    """The term as a line in the variable, with a rational slope; ``None`` where it is not known to be one."""
    if variable not in term.variables:
        return Line(Fraction(0), term)
    match term:
        case Variable():
            return Line(Fraction(1), ZERO)
        case Add(terms):
            slope, rest = Fraction(0), []
            for part in (line(t, variable) for t in terms):
                if part is None:
                    return None
                slope += part.slope
                rest += [] if part.rest is ZERO else [part.rest]
            return Line(slope, add(*rest))
        case Multiply(factors):
            scale = prod((f.value for f in factors if isinstance(f, Number)), start=Fraction(1))
            others = [f for f in factors if not isinstance(f, Number)]
            inner = line(others[0], variable) if len(others) == 1 else None
            if inner is None:
                return None
            return Line(scale * inner.slope, ZERO if inner.rest is ZERO else multiply(number(scale), inner.rest))
    return None


TURNED = {"<": ">", "<=": ">=", ">": "<", ">=": "<=", "==": "=="}


def bounds(formula: Formula, of: Variable | None = None) -> tuple[Bound, ...]:
    """The readings ``variable relation end`` of a constraint (conjunctions are opened): for the given variable with
    any end that does not hold it, or else for the only variable of a relation, with a closed end.
    """
    match formula:
        case And(formulas):
            return tuple(b for f in formulas for b in bounds(f, of))
        case Compare(relation, left, right) if relation != "!=":
            variables = left.variables | right.variables
            variable = of if of is not None else next(iter(variables)) if len(variables) == 1 else None
            if variable is None or variable not in variables:
                return ()
            as_line = line(subtract(left, right), variable)
            if as_line is None or as_line.slope == 0 or (of is None and not as_line.rest.is_closed):
                return ()
            scale, rest = -1 / as_line.slope, as_line.rest
            end = number(scale * rest.value) if isinstance(rest, Number) else multiply(number(scale), rest)
            return (Bound(variable, relation if as_line.slope > 0 else TURNED[relation], end),)
    return ()


def least(variable: Term, formulas: Iterable[Formula]) -> int | None:
    """The least whole number that single bounds with a number admit for a variable; ``None`` where they admit any."""
    ends = _ends(variable, formulas, (">", ">=", "=="))
    return max((floor(end) + 1 if relation == ">" else ceil(end) for relation, end in ends), default=None)


def most(variable: Term, formulas: Iterable[Formula]) -> int | None:
    """The largest whole number that single bounds with a number admit for a variable; ``None`` where they admit any."""
    ends = _ends(variable, formulas, ("<", "<=", "=="))
    return min((ceil(end) - 1 if relation == "<" else floor(end) for relation, end in ends), default=None)


def _ends(variable: Term, formulas: Iterable[Formula], relations: tuple[str, ...]) -> Iterator[tuple[str, Fraction]]:
    """The single bounds of a variable by a number, with one of these relations."""
    for bound in (b for f in formulas for b in bounds(f)):
        if bound.variable is variable and bound.relation in relations and isinstance(bound.end, Number):
            yield bound.relation, bound.end.value


def range_of(term: Term, formulas: Iterable[Formula]) -> tuple[Fraction | None, Fraction | None]:
    """Between which numbers single bounds keep a sum of numbers and whole variables; ``None`` where they do not."""
    formulas, low, high = tuple(formulas), Fraction(0), Fraction(0)
    ends: list[tuple[Fraction | None, Fraction | None]] = []
    for part in term.terms if isinstance(term, Add) else (term,):
        if isinstance(part, Number):
            ends.append((part.value, part.value))
        else:
            below, above = least(part, formulas), most(part, formulas)
            ends.append((None if below is None else Fraction(below), None if above is None else Fraction(above)))
    lows, highs = zip(*ends, strict=True)
    return None if None in lows else sum(lows, low), None if None in highs else sum(highs, high)


def is_interval(formula: Formula, variable: Variable) -> bool:
    """Whether the values of ``variable`` that a constraint admits, all else fixed, are known to be an interval: it is
    made of inequalities that are linear in it, the coefficient any term without it. Each cuts off one end, or nothing,
    or all.
    """
    return all(
        variable not in part.variables
        or (
            isinstance(part, Compare)
            and part.relation in ("<", "<=")
            and affine(subtract(part.left, part.right), variable)
        )
        for part in (formula.formulas if isinstance(formula, And) else (formula,))
    )


def is_convex(formula: Formula, variables: Iterable[Variable]) -> bool:
    """Whether the values of some variables that a constraint admits together, all else fixed, are known to have no
    gaps: it is made of relations that are linear in them, other than ≠.
    """
    for part in formula.formulas if isinstance(formula, And) else (formula,):
        if not isinstance(part, Compare) or part.relation == "!=":
            return False
        left: Term = subtract(part.left, part.right)
        for variable in variables:
            as_line = line(left, variable)
            if as_line is None:
                return False
            left = as_line.rest
    return True


def affine(term: Term, variable: Variable) -> bool:
    """Whether a term is ``a · variable + b`` with ``a`` and ``b`` free of the variable."""
    if variable not in term.variables or term is variable:
        return True
    match term:
        case Add(terms):
            return all(affine(t, variable) for t in terms)
        case Multiply(factors):
            holding = [f for f in factors if variable in f.variables]
            return len(holding) == 1 and affine(holding[0], variable)
    return False
