"""Drawing exact points from a domain: ends, diagonals, and what lies between.

Points are made as terms see them, of fractions (and closed terms where a number is none), for SymPy is slow at
numbers; :meth:`Drawing.in_sympy` says one in SymPy.
"""

from __future__ import annotations

import random
from collections.abc import Iterable, Iterator
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from itertools import combinations, islice
from typing import TYPE_CHECKING, Any

import sympy as sp
from sympy.core.relational import Relational

from grpo_symbolic.errors import DomainError, ReadingError
from grpo_symbolic.proof.statements.arithmetic import ARB, MPMATH, Arithmetic, Undefined, Unsupported, flint
from grpo_symbolic.proof.statements.evaluate import Values, holds_at, rational, satisfies
from grpo_symbolic.proof.statements.intervals import Exact, Interval, numeric_bounds
from grpo_symbolic.terms.language import (
    ZERO,
    Compare,
    Formula,
    Number,
    Term,
    Total,
    Variable,
    multiply,
    substitute,
)
from grpo_symbolic.terms.writing import written

if TYPE_CHECKING:
    from grpo_symbolic.proof.statements.domain import Domain, FamilyTerms, Point

DIAGONALS = 15  # pairs of symbols that are sampled with one value, and pairs of families with the same numbers
_ATTEMPTS = 20  # draws for one remarkable point, of which one has to fit
_NARROW = 40  # draws for symbols that share a constraint of their own
_CHANCES = 1500  # draws that an equation between sums may spoil before it is seen to hold nowhere
_UNDECIDED = 15  # of those draws, for one that balls do not decide: all the others will be like it
Drawn = dict[Any, Any]  # Variable -> exact number, name of a family -> list of exact numbers


def ball_field() -> Arithmetic:
    """Ball arithmetic; without python-flint (where sweeps run, and no proofs) mpmath."""
    return ARB if flint is not None else MPMATH


@dataclass(frozen=True)
class _Group:
    """Variables that share constraints with one another, and with no other variable."""

    variables: tuple[tuple[Variable, Interval], ...]
    constraints: tuple[Formula, ...]


@dataclass(frozen=True)
class _Special:
    """What is remarkable of a point: the numbers of some symbols, the families that repeat the numbers of others,
    where these fit, and those whose numbers are all alike, each by its name.
    """

    values: Drawn
    repeats: tuple[tuple[str, str], ...] = ()
    even: tuple[str, ...] = ()


class Drawing:
    """What draws points from a domain; made once for it."""

    def __init__(self, domain: Domain) -> None:
        self.domain = domain
        reading = domain.reading()
        self._variable_of = {s: reading.variable(s) for s in sorted(domain.symbols, key=lambda s: s.name)}
        self._symbol_of = {v: s for s, v in self._variable_of.items()}
        self._label_of = {f.base.name: f.base.label for f in domain.families}
        self._free = [(v, domain.intervals[s]) for s, v in self._variable_of.items() if s not in domain.definitions]

    def in_sympy(self, point: Drawn) -> Point:
        """A point whose keys are SymPy symbols (families by the symbol of their base), and its values SymPy numbers."""
        return {
            (self._symbol_of[key] if isinstance(key, Variable) else self._label_of[key]): (
                list(map(_in_sympy, value)) if isinstance(value, list) else _in_sympy(value)
            )
            for key, value in point.items()
        }

    def points(self, count: int, seed: int = 0, attempts: int = 60, special: bool = True) -> Iterator[Drawn]:
        """Points satisfying every constraint: see :meth:`.Domain.points`."""
        rng = random.Random(seed)
        produced = spoiled = 0
        for point in self.special(seed) if special else ():
            if produced < count:
                yield point
                produced += 1
        for trial in range(count * attempts):
            if produced == count or (spoiled >= _CHANCES and not produced):
                return
            candidate = self._draw(rng, hug=trial % 3 == 2)
            if candidate is None or not self._belongs(candidate):
                continue
            if not satisfied(self._equations, candidate):
                spoiled += 1 if self._fails(candidate) else _UNDECIDED
                continue
            yield candidate
            produced += 1

    def special(self, seed: int = 0) -> Iterator[Drawn]:
        """Points at the ends and on the diagonals, where formulas degenerate: 0, 1 or a closed end for one symbol, one
        number for two, the numbers of one family for another one, one number for all of a family, and nothing
        remarkable elsewhere.
        """
        rng = random.Random(seed)
        for of in self._specials:
            drawn = (self._draw(rng, hug=False, special=of) for _ in range(_ATTEMPTS))
            candidates = (point for point in drawn if point is not None and self._belongs(point))
            remarkable = next((point for point in candidates if satisfied(self._equations, point)), None)
            if remarkable is not None:
                yield remarkable

    @cached_property
    def unsettled(self) -> list[Formula]:
        """The constraints that are neither a definition nor a rational end of the range of a symbol that is drawn."""
        domain = self.domain

        def settled(c: sp.logic.boolalg.Boolean) -> bool:
            if isinstance(c, sp.Equality):
                return bool(domain.definitions.get(c.lhs) == c.rhs)
            read = numeric_bounds(c) if isinstance(c, Relational) else []
            return bool(read) and all(bound.is_Rational and drawn(symbol) for symbol, _, bound in read)

        def drawn(symbol: sp.Symbol) -> bool:
            box = domain.intervals[symbol]
            return not symbol.is_integer and symbol not in domain.definitions and bool(box.lower < box.upper)

        return [f for c, f in zip(domain.constraints, domain.formulas, strict=True) if not settled(c)]

    @cached_property
    def _equations(self) -> list[Formula]:
        """Those between sums, which take the longest to look at, and hold at most points or at hardly any."""
        return [f for f in self.unsettled if isinstance(f, Compare) and f.relation == "==" and f.has(Total)]

    @cached_property
    def _others(self) -> list[Formula]:
        return sorted((f for f in self.unsettled if f not in self._equations), key=lambda f: len(f.part_set))

    @cached_property
    def _of_free(self) -> list[Formula]:
        """Those of the others whose letters are all drawn from the ranges: where one fails, no definition
        need be looked at, which takes far longer. With families none: what is drawn for them is drawn in any case.
        """
        defined = {variable for variable, _ in self._defined}
        return [] if self.domain.family_terms else [f for f in self._others if not f.variables & defined]

    @cached_property
    def _of_defined(self) -> list[Formula]:
        return [f for f in self._others if f not in self._of_free]

    def _belongs(self, point: Drawn) -> bool:
        """Whether a point that :meth:`_draw` made lies in the domain, but for the equations between sums."""
        whole = all(_is_whole(point[v]) for v in self._symbol_of if v.is_whole)
        if not whole or not all(map(self._admits, self.domain.family_terms.values(), self._families_of(point))):
            return False
        return satisfied(self._of_defined, point)

    def _fails(self, point: Drawn) -> bool:
        """Whether an equation between sums is seen to fail at a point, or to have no value there."""
        try:
            return any(holds_at(f, point, ball_field()) is False for f in self._equations)
        except (ReadingError, Undefined):
            return True

    def _families_of(self, point: Drawn) -> Iterator[list[Exact]]:
        return (point[name] for name in self.domain.family_terms)

    @staticmethod
    def _admits(family: FamilyTerms, values: list[Exact]) -> bool:
        """Whether there are numbers, positive ones where the family says so; their sum is right by construction."""
        try:
            return bool(values) and (not family.positive or all(_positive(v) for v in values))
        except (Undefined, Unsupported):
            return False

    @cached_property
    def _specials(self) -> list[_Special]:
        """A diagonal of two symbols is one of the families that fit as well, as π = π_ref where x = p; families that
        need no symbols to be equal repeat one another two at a time, and all at once.
        """
        boxes = [(v, box) for v, box in self._free if not v.is_whole]
        ends = [
            _Special({variable: value})
            for variable, box in boxes
            for value in dict.fromkeys(
                [Fraction(0), Fraction(1), *(e for e in (box.first, box.last) if isinstance(e, Fraction))]
            )
            if box.admits(value)
        ]
        pairs = list(combinations(self.domain.family_terms, 2))
        every = tuple((later, earlier) for earlier, later in pairs)
        rng = random.Random(7)
        diagonals = []
        for (first, box), (second, other) in islice(combinations(boxes, 2), DIAGONALS):
            drawn = box.draw(rng, hug=False)
            if isinstance(drawn, Fraction) and other.admits(drawn):
                diagonals.append(_Special({first: drawn, second: drawn}, every))
        repeated = [_Special({}, ((later, earlier),)) for earlier, later in islice(pairs, DIAGONALS)]
        alike = [name for name, f in self.domain.family_terms.items() if f.positive]
        even = [_Special({}, even=(name,)) for name in alike]
        even += [_Special({}, even=tuple(alike))] if len(alike) > 1 else []
        return [*ends, *diagonals, *repeated, *([_Special({}, every)] if len(pairs) > 1 else []), *even]

    @cached_property
    def _independent(self) -> list[_Group]:
        """Sets of symbols that share no constraint with one another, where there are several: each is drawn until its
        own constraints hold, for all of them together would rarely do so at once.
        """
        domain = self.domain
        excluded = set(domain.definitions) | set(domain.bases)
        groups: list[tuple[set[sp.Symbol], list[Formula]]] = []
        for c, formula in zip(domain.constraints, domain.formulas, strict=True):
            symbols = {s for s in c.free_symbols if isinstance(s, sp.Symbol)}
            if len(symbols) < 2 or symbols & excluded or isinstance(c, sp.Equality):
                continue
            touching = [g for g in groups if g[0] & symbols]
            groups = [g for g in groups if g not in touching]
            groups.append((symbols.union(*(g[0] for g in touching)), sum((g[1] for g in touching), [formula])))
        if len(groups) < 2 or any(s.is_integer for symbols, _ in groups for s in symbols):
            return []
        return [
            _Group(
                tuple((self._variable_of[s], domain.intervals[s]) for s in sorted(symbols, key=str)), tuple(constraints)
            )
            for symbols, constraints in groups
        ]

    def _draw(self, rng: random.Random, hug: bool, special: _Special | None = None) -> Drawn | None:
        """Numbers from the ranges, and what the definitions make of them; None where a constraint of the former fails,
        or no family repeats another one as it should.
        """
        point: Drawn = {}
        fixed = special.values if special else {}
        hugged = rng.choice(self._free)[0] if hug and self._free else None
        for variable, box in self._free:
            if variable in fixed:
                point[variable] = fixed[variable]
            elif variable.is_whole:
                low = int(box.lower) + (1 if box.lower_open else 0) if box.lower.is_finite else -3
                high = int(box.upper) - (1 if box.upper_open else 0) if box.upper.is_finite else low + 5
                point[variable] = Fraction(rng.randint(low, max(low, high)))
            else:
                point[variable] = box.draw(rng, variable is hugged)
        for group in self._independent:
            for _ in range(_NARROW):
                if satisfied(group.constraints, point):
                    break
                point.update((v, box.draw(rng, v is hugged)) for v, box in group.variables if v not in fixed)
        if not satisfied(self._of_free, point):
            return None
        totals: dict[str, Exact | None] = {}
        for variable, term in self._defined:
            point[variable] = self._value(term, point)
        for name, f in self.domain.family_terms.items():
            totals[name] = None if f.total is None else self._value(f.total, point)
            size = self._value(f.size, point)
            even = special is not None and name in special.even
            point[name] = _family(f.positive, int(size) if isinstance(size, Fraction) else 0, totals[name], rng, even)
        repeated = [self._repeat(point, totals, *names) for names in (special.repeats if special else ())]
        return point if fixed or any(repeated) or not repeated else None

    def _repeat(self, point: Drawn, totals: dict[str, Exact | None], later: str, earlier: str) -> bool:
        """Give one family the numbers of another, where these are as many, as positive and of such a sum as it says;
        or the other way round, where only that fits. Whether one did.
        """
        of = self.domain.family_terms
        for name, other in ((later, earlier), (earlier, later)):
            signs = of[other].positive or not of[name].positive
            if len(point[name]) == len(point[other]) and signs and totals[name] in (None, totals[other]):
                point[name] = list(point[other])
                return True
        return False

    @cached_property
    def _defined(self) -> list[tuple[Variable, Term]]:
        """The definitions, each after those that it builds on."""
        pending, ordered = dict(self.domain.definitions), []
        reading = self.domain.reading()
        while pending:
            ready = [s for s, e in pending.items() if not (e.free_symbols & set(pending))]
            if not ready:
                raise DomainError(f"the definitions of {', '.join(map(str, pending))} go round in a circle")
            for symbol in ready:
                ordered.append((self._variable_of[symbol], reading.term(pending.pop(symbol))))
        return ordered

    @staticmethod
    def _value(term: Term, point: Drawn) -> Exact:
        """The exact number that a term is at a point; a closed term may still prove to have no value."""
        fraction = rational(term, point)
        if fraction is not None:
            return fraction
        numbers = {k: v if isinstance(v, Term) else Number(v) for k, v in point.items() if isinstance(k, Variable)}
        value: Term = substitute(term, numbers)
        return value


def satisfied(formulas: Iterable[Formula], point: Values) -> bool:
    """Whether ball arithmetic confirms formulas at a point, which may lack a variable of theirs."""
    try:
        return satisfies(point, formulas, ball_field())
    except (ReadingError, Unsupported):
        return False


def _family(positive: bool, size: int, total: Exact | None, rng: random.Random, even: bool = False) -> list[Exact]:
    """Numbers of a family, as many, as positive and with such a sum as it says; ``even`` ones are all alike."""
    if not positive:  # ties are the boundary of rewards: all alike, a few values, or no pattern
        values = rng.choice([1, 2, 80, 80, 80])
        scale = Fraction(1, 16 if values > 2 else 1)
        return [(rng.randint(0, values - 1) - values // 2) * scale for _ in range(size)]
    near_the_boundary = rng.random() < 0.3
    weights = [rng.randint(1, 10 ** rng.choice([1, 6]) if near_the_boundary else 30) for _ in range(size)]
    if even:
        weights = weights[:1] * size
    parts = [Fraction(w, sum(weights)) for w in weights]
    if total is None:
        return [Fraction(w, 8) for w in weights]
    return [p * total if isinstance(total, Fraction) else multiply(Number(p), total) for p in parts]


def _positive(value: Exact) -> bool:
    if isinstance(value, Fraction):
        return value > 0
    return holds_at(Compare("<", ZERO, value), {}, ball_field()) is True


def _is_whole(value: Exact) -> bool:
    return isinstance(value, Fraction) and value.denominator == 1


def _in_sympy(value: Exact) -> sp.Expr:
    return sp.Rational(value.numerator, value.denominator) if isinstance(value, Fraction) else written(value)
