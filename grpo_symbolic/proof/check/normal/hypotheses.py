"""What the hypotheses of a domain say, read once: ends of variables, equations solved for a variable."""

from __future__ import annotations

from collections.abc import Iterator
from fractions import Fraction
from functools import lru_cache
from math import floor

from grpo_symbolic.proof.check.normal.signs import Ends
from grpo_symbolic.terms.language import (
    And,
    Cases,
    Compare,
    Delta,
    Extremum,
    Formula,
    Function,
    Not,
    Number,
    Or,
    Power,
    Term,
    Total,
    Variable,
    substitute,
)
from grpo_symbolic.terms.linear import bounds


def conjuncts(formula: Formula) -> Iterator[Formula]:
    """Formulas that hold where a formula does, none of them a conjunction, negations turned where they can be."""
    match formula:
        case And(formulas):
            for f in formulas:
                yield from conjuncts(f)
        case Not(Compare(relation, left, right)):
            turned = {"<": "<=", "<=": "<"}.get(relation)
            if turned is not None:
                yield Compare(turned, right, left)
            else:
                yield Compare("!=" if relation == "==" else "==", left, right)
        case Not(Or(formulas)):
            for f in formulas:
                yield from conjuncts(Not(f))
        case Not(Not(part)):
            yield from conjuncts(part)
        case _:
            yield formula


@lru_cache(maxsize=65536)
def bends(c: Compare) -> bool:
    """Whether a comparison has parts of which the sign is asked, so that others are better known before."""
    return c.has(Function, Extremum, Cases, Delta, Total) or any(
        p.exponent.denominator > 1 for p in c.parts if isinstance(p, Power)
    )


def both_ways(c: Compare, given: frozenset[Formula]) -> bool:
    """Whether ``b ≤ a`` is ``given`` beside ``a ≤ b``, so that they are equal."""
    return c.relation == "<=" and Compare("<=", c.right, c.left) in given


@lru_cache(maxsize=65536)
def is_an_end(c: Compare) -> bool:
    """Whether a comparison says no more than where one variable ends."""
    return any(isinstance(b.end, Number) for b in bounds(c))


@lru_cache(maxsize=4096)
def ends_of(parts: tuple[Formula, ...]) -> dict[Variable, Ends]:
    """The ends of variables, as far as single comparisons with a number give them."""
    table: dict[Variable, Ends] = {}
    for part in parts:
        for variable, relation, end in bounds(part):
            if not isinstance(end, Number):
                continue
            low, low_open, high, high_open = table.get(variable, Ends())
            value, is_open = end.value, relation in ("<", ">")
            if relation in (">", ">=", "==") and (low is None or value > low or (value == low and is_open)):
                low, low_open = value, is_open
            if relation in ("<", "<=", "==") and (high is None or value < high or (value == high and is_open)):
                high, high_open = value, is_open
            table[variable] = Ends(low, low_open, high, high_open)
    for _ in range(2):  # along chains such as a < b < 1
        for part in parts:
            match part:
                case Compare("<" | "<=" as relation, Variable() as left, Variable() as right):
                    below, above = table.get(left, Ends()), table.get(right, Ends())
                    if above.high is not None and below.high is None:
                        table[left] = below._replace(high=above.high, high_open=above.high_open or relation == "<")
                    if below.low is not None and above.low is None:
                        table[right] = above._replace(low=below.low, low_open=below.low_open or relation == "<")
    return {v: _whole_ends(e) if v.is_whole else e for v, e in table.items()}


def _whole_ends(ends: Ends) -> Ends:
    low, low_open, high, high_open = ends
    if low is not None:
        low = Fraction(floor(low) + 1) if low_open or low.denominator > 1 else low
    if high is not None:
        high = Fraction(-floor(-high) - 1) if high_open or high.denominator > 1 else high
    return Ends(low, False, high, False)


@lru_cache(maxsize=4096)
def solved(equations: tuple[Compare, ...]) -> dict[Variable, Term]:
    """Variables that equations give as terms without them; none of the terms holds a variable that is given."""
    table: dict[Variable, Term] = {}
    for equation in equations:
        left, right = substitute(equation.left, table), substitute(equation.right, table)
        solution = next(
            (
                (b.variable, b.end)
                for v in _candidates(left, right)
                for b in bounds(Compare("==", left, right), of=v)
                if v not in b.end.variables and (b.end.is_whole or not v.is_whole)
            ),
            None,
        )
        if solution is not None:
            variable, term = solution
            table = {v: substitute(t, {variable: term}) for v, t in table.items()}
            table[variable] = term
    return table


def _candidates(left: Term, right: Term) -> list[Variable]:
    """Variables for which an equation may be solved, one that stands alone first."""
    alone = [t for t in (left, right) if isinstance(t, Variable)]
    rest = sorted(left.variables | right.variables, key=lambda v: v.name)
    return list(dict.fromkeys([*alone, *rest]))
