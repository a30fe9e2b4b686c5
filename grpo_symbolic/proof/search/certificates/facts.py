"""The facts of a branch as the search looks at them: inequalities, equations, bounds of variables, and the plans to put
all variables on (0, ∞) by them.
"""

from __future__ import annotations

from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import islice, product
from typing import NamedTuple

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import NEGATIVE, POSITIVE, ZERO, Branch
from grpo_symbolic.proof.check.polynomials import is_constant


class Inequality(NamedTuple):
    """A polynomial that is ≥ 0, or > 0 where it is ``strict``, by its name in certificates."""

    name: str
    polynomial: fmpz_mpoly
    strict: bool


class End(NamedTuple):
    """A bound of a variable: the other variables in it, how long it is, the fact, whether it is strict, and of a
    number how far it is on the loose side.
    """

    others: frozenset[int]
    length: int
    name: str
    strict: bool
    loose: Fraction = Fraction(0)

    @property
    def rank(self) -> tuple[int, Fraction, int, str]:
        """Numbers first, the closest one before the others; then what is short."""
        return len(self.others), self.loose, self.length, self.name


def inequalities(branch: Branch) -> list[Inequality]:
    """The facts that a polynomial or its negative is ≥ 0, or > 0."""
    facts = []
    for fact in branch.facts.values():
        if fact.signs in (POSITIVE, POSITIVE | ZERO):
            facts.append(Inequality(fact.name, fact.unit, fact.signs == POSITIVE))
        elif fact.signs in (NEGATIVE, NEGATIVE | ZERO):
            facts.append(Inequality("-" + fact.name, -fact.unit, fact.signs == NEGATIVE))
    return facts


def equations(branch: Branch) -> list[tuple[str, fmpz_mpoly]]:
    """The polynomials that are zero, with their names."""
    return [(fact.name, fact.unit) for fact in branch.facts.values() if fact.signs == ZERO]


def different(branch: Branch) -> list[fmpz_mpoly]:
    """The polynomials of which it is only known that they are not zero."""
    return [fact.unit for fact in branch.facts.values() if fact.signs == NEGATIVE | POSITIVE]


def signs_of_variables(branch: Branch) -> dict[int, bool]:
    """The variables that are ≥ 0, and whether they are > 0."""
    return {k: signs == POSITIVE for k, signs in enumerate(branch.variable_signs()) if not signs & NEGATIVE}


def occurring(polynomial: fmpz_mpoly) -> list[int]:
    """The variables of a polynomial."""
    return [k for k, degree in enumerate(polynomial.degrees()) if degree > 0]


def factored(polynomial: fmpz_mpoly) -> tuple[int, list[tuple[fmpz_mpoly, int]]]:
    """The content and the irreducible factors, which are none where python-flint cannot sort them."""
    with suppress(OverflowError):  # it sorts factors by what must fit into a machine word
        content, factorised = polynomial.factor()
        return int(content), [(factor, int(power)) for factor, power in factorised]
    return 0, []


def bounds(branch: Branch) -> tuple[dict[int, list[End]], dict[int, list[End]]]:
    """The lower and the upper bounds of each variable, numbers first, and the closest of these."""
    lower: dict[int, list[End]] = {}
    upper: dict[int, list[End]] = {}
    for name, polynomial, strict in inequalities(branch):
        if len(polynomial) > 6:
            continue
        variables = occurring(polynomial)
        for v in variables:
            if polynomial.degrees()[v] != 1:
                continue
            rest, slope = branch.ring.coefficients(polynomial, v)
            if is_constant(slope):
                size = int(slope.leading_coefficient())
                others = frozenset(occurring(rest))
                constant = 0 if others or rest == 0 else int(rest.leading_coefficient())
                end = End(others, len(rest), name, strict, Fraction(constant, abs(size)))
                (lower if size > 0 else upper).setdefault(v, []).append(end)
    for ends in (*lower.values(), *upper.values()):
        ends.sort(key=lambda end: end.rank)
    return lower, upper


Way = tuple[End | None, End | None]  # near and far
Plan = list[tuple[int, str, str | None]]  # a variable, its near and its far bound


def plans(branch: Branch, most: int) -> Iterator[Plan]:
    """Ways to put each variable that has bounds on (0, ∞), a variable before those in its bounds."""
    lower, upper = bounds(branch)
    variables = sorted({*lower, *upper})
    options = [_ways(lower.get(v, []), upper.get(v, [])) for v in variables]
    return islice(_distinct(variables, options), most)


def _ways(lower: list[End], upper: list[End]) -> list[Way]:
    two: list[Way] = [(a, b) for a in lower[:4] for b in upper[:4] if b.strict]
    two += [(b, a) for a in lower[:4] for b in upper[:4] if a.strict and not b.strict]
    two.sort(key=lambda way: sum(len(end.others) for end in way if end))
    one: list[Way] = [(end, None) for end in (lower[:3] if lower else upper[:2])]
    none: list[Way] = [(None, None)] if all(end.others for end in (*lower, *upper)) else []
    return two[:6] + one + none


def _distinct(variables: list[int], options: list[list[Way]]) -> Iterator[Plan]:
    seen = set()
    for choice in _choices(options):
        used: set[str] = set()
        bounded: dict[int, Way] = {}
        for v, way in zip(variables, choice, strict=True):
            names = {end.name for end in way if end}
            if names and not names & used:
                bounded[v] = way
                used |= names
        order = _order(bounded)
        key = tuple(sorted((v, a and a.name, b and b.name) for v, (a, b) in bounded.items()))
        if order is None or not order or key in seen:
            continue
        seen.add(key)
        yield [(v, near.name, far.name if far else None) for v in order for near, far in [bounded[v]] if near]


def _choices(options: list[list[Way]]) -> Iterator[list[Way]]:
    """First the simplest bounds; then those by other variables, in chains; then one changed at a time; then more."""
    first = [ways[0] for ways in options]
    yield first
    for below, above in ((1, 0), (0, 1), (1, 1)):
        yield [max(ways, key=lambda way: below * _references(way[0]) + above * _references(way[1])) for ways in options]
    for k, ways in enumerate(options):
        for way in ways[1:]:
            yield [*first[:k], way, *first[k + 1 :]]
    for choice in islice(product(*options), 200):
        yield list(choice)


def _references(end: End | None) -> int:
    return len(end.others) if end else 0


def _order(bounded: dict[int, Way]) -> list[int] | None:
    """The variables, each before those in its bounds; ``None`` where they go round in a circle."""
    needs = {v: frozenset().union(*(end.others for end in way if end)) for v, way in bounded.items()}
    order = []
    while needs:
        referenced = frozenset().union(*needs.values())
        free = [v for v in needs if v not in referenced]
        if not free:
            return None
        order += free
        for v in free:
            del needs[v]
    return order
