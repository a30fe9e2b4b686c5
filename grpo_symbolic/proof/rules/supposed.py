"""What is supposed: that it holds somewhere, is looked for at points; from what holds nowhere everything follows."""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Sequence
from fractions import Fraction
from itertools import product
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError, DomainError
from grpo_symbolic.proof.rules.sides import JUMPS, all_of
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import Values, rational, satisfies
from grpo_symbolic.proof.statements.points import ball_field
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.language import Variable
from grpo_symbolic.terms.linear import is_convex

_TRIED = 400  # points of a domain, at which what is supposed is looked at


def somewhere(formulas: Iterable[sp.Basic], domain: Domain, what: str) -> None:
    """Refuse what is supposed where it, or what follows from it, is seen to hold at no point of a domain."""
    try:
        domain.also(*formulas)
    except DomainError as nowhere:
        raise ClaimError(f"{what}, is not seen to hold anywhere: {nowhere}") from nowhere


def equal_somewhere(left: Scalar, right: Scalar, domain: Domain, what: str, beside: Sequence[sp.Basic] = ()) -> None:
    """Refuse an equation that is supposed where its sides are not seen to meet: at points with the same whole numbers,
    between which a domain without gaps has others, each is the larger one once. ``beside`` holds at these points.
    """
    reading = domain.reading()
    real = [v for v in domain.variables if not v.is_whole]
    jumps = sp.Tuple(left, right).atoms(*JUMPS)
    ways = [[*map(reading.formula, (relation(left, right, evaluate=False), *beside))] for relation in (sp.Ge, sp.Le)]
    seen: dict[tuple[Any, ...], set[int]] = defaultdict(set)
    for point in domain.drawing.points(_TRIED, attempts=1):
        numbers = tuple(sorted((str(v), n) for v, n in point.items() if isinstance(v, Variable) and v.is_whole))
        seen[numbers].update(way for way, formulas in enumerate(ways) if satisfies(point, formulas, ball_field()))
    no_gaps = not jumps and all(is_convex(f, real) and not f.families for f in domain.formulas)
    if no_gaps and any(len(relations_seen) == len(ways) for relations_seen in seen.values()):
        return
    raise ClaimError(f"{what}, is not seen to hold anywhere")


def together(supposed: Sequence[sp.Basic], limits: Sequence[Any], domain: Domain, label: str) -> None:
    """Refuse to suppose of every index what is seen to hold for all of them at no point."""
    if not supposed:
        return
    for formula in supposed:
        if not isinstance(formula, sp.logic.boolalg.Boolean) or formula in (sp.true, sp.false):
            raise ClaimError(f"{label}: what is supposed are formulas, and {formula} is none")
    known = {*domain.symbols, *domain.bases, *(index for index, *_ in limits)}
    letters_of = set().union(*(c.free_symbols for c in supposed))
    if strange := sorted(str(s) for s in letters_of - known if isinstance(s, sp.Symbol)):
        raise ClaimError(f"{label}: what is supposed speaks of {strange[0]}, of which nobody says where it lies")
    reading = domain.reading()
    formulas = [reading.formula(c) for c in supposed]
    letters = [reading.variable(index) for index, *_ in limits]
    ends = [tuple(map(reading.term, place[1:])) for place in limits]

    def hold(point: Values) -> bool:
        ranges = [(rational(low, point), rational(high, point)) for low, high in ends]
        numbers = [range(int(low), int(high) + 1) for low, high in ranges if low is not None and high is not None]
        if len(numbers) < len(ranges):
            raise ClaimError(f"{label}: what is supposed of every index is for sums with fixed ranges")
        places = (dict(zip(letters, map(Fraction, at), strict=True)) for at in product(*numbers))
        return all(satisfies({**point, **place}, formulas, ball_field()) for place in places)

    if not any(map(hold, domain.drawing.points(_TRIED, attempts=1))):
        raise ClaimError(f"{label}: at no point that was found all indices are as {', '.join(map(str, supposed))} says")


def at_example(supposed: sp.Basic, limits: Iterable[Any], example: Point, label: str) -> sp.Basic:
    """What is supposed of every index, of all that there are at a point.

    Raises :class:`ClaimError` for a point that does not say how many these are.
    """
    parts = list(sp.And.make_args(supposed))
    for index, low, high in limits:
        size = sp.sympify(high).xreplace({k: sp.sympify(v) for k, v in example.items() if k.is_Symbol})
        if not size.is_Integer or size < low:
            raise ClaimError(f"{label}: the example does not say how many entries there are")
        numbers = [sp.Integer(number) for number in range(int(low), int(size) + 1)]
        parts = [substituted(part, {index: number}) for part in parts for number in numbers]
    return all_of(parts)
