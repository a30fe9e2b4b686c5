"""Domains: where a statement is meant to hold.

A domain is a conjunction of relations between symbols, together with *families*: indexed tuples such as the
probabilities ``pi[1], …, pi[n]`` of a policy over ``n`` answers. Every domain carries a point that satisfies it,
so no statement is ever vacuous, and it can produce further points, hugging each of its ends.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable, Iterator, Mapping
from dataclasses import dataclass
from fractions import Fraction
from functools import cached_property
from typing import Any

import sympy as sp

from grpo_symbolic.errors import DomainError
from grpo_symbolic.proof.statements.evaluate import holds_at, values_of
from grpo_symbolic.proof.statements.intervals import Interval, numeric_bounds, tighten
from grpo_symbolic.proof.statements.points import Drawing, Drawn, ball_field, satisfied
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.definedness import within
from grpo_symbolic.terms.families import FamilyTerms
from grpo_symbolic.terms.language import ZERO, Compare, Entry, Formula, Node, Number, Sort, Term, Variable, add
from grpo_symbolic.terms.linear import Bound, bounds, least
from grpo_symbolic.terms.reading import Reading
from grpo_symbolic.terms.writing import symbol_of, written

FEW = 8  # numbers of a family that are added up one by one
Point = dict[Any, Any]  # symbol -> exact number, or family base -> list of exact numbers
ExactPoint = tuple[tuple[sp.Expr, sp.Expr | tuple[sp.Expr, ...]], ...]  # the same, of SymPy's numbers, in pairs
# What a domain says -> its point, if one was found: files write the same domain many times.
_POINTS: dict[str, Drawn | None] = {}


def exact_point(point: Point) -> ExactPoint:
    """A point as pairs of SymPy's objects, which nobody can change; a family may be named by itself or by its label.

    Raises :class:`DomainError` for what is no point, and for a key that is no letter and no family.
    """
    if not isinstance(point, Mapping) or any(isinstance(v, str) for v in point.values()):
        raise DomainError(f"a point is numbers by symbol and lists by family, {{x: 2, r: [1, 2]}}, not {point}")
    named = {k.label if isinstance(k, sp.IndexedBase) else k: v for k, v in point.items()}
    if strange := [k for k in named if not isinstance(k, sp.Symbol)]:
        raise DomainError(f"a point gives numbers to letters and lists to families, and {strange[0]} is neither")
    return tuple(
        (k, tuple(map(sp.sympify, v)) if isinstance(v, list | tuple) else sp.sympify(v)) for k, v in named.items()
    )


@dataclass(frozen=True)
class Hypotheses:
    """What may be assumed of a statement's variables: the domain, and that each index lies in its families."""

    formulas: tuple[Formula, ...]
    families: dict[str, FamilyTerms]

    def least(self, size: Term) -> int:
        """The least number of entries, as far as single bounds tell; 1 where they do not."""
        return int(size.value) if isinstance(size, Number) else max(1, least(size, self.formulas) or 1)


@dataclass(frozen=True)
class Family:
    """The numbers ``base[1], …, base[size]``: positive with sum ``total`` (a simplex), positive, or any reals."""

    base: sp.IndexedBase
    size: sp.Expr
    positive: bool = False
    total: sp.Expr | None = None

    def __post_init__(self) -> None:
        """Raises :class:`DomainError` for a sum of numbers of any sign: who reads of a sum reads of probabilities."""
        if self.total is not None and not self.positive:
            raise DomainError(f"the numbers {self.base} have the sum {self.total}, and are not said to be positive")

    @property
    def size_and_total(self) -> tuple[sp.Expr, ...]:
        """How many numbers there are, and what they add up to where that is said."""
        return (self.size,) if self.total is None else (self.size, self.total)

    def admits(self, point: Point) -> bool:
        """Whether the numbers that a point gives to this family are exact and as many, as positive and with such a
        sum as it says.
        """
        values = [sp.sympify(v) for v in point.get(self.base.label, ())]
        scalars = {k: v for k, v in point.items() if isinstance(v, sp.Basic)}
        if not values or sp.sympify(len(values)) != self.size.xreplace(scalars):
            return False
        if not all(v.is_positive if self.positive else v.is_real for v in values):
            return False
        return self.total is None or sp.expand(sp.Add(*values) - self.total.xreplace(scalars)) == 0

    def terms(self, reading: Reading) -> FamilyTerms:
        """The family as terms; raises :class:`DomainError` for a size that need not be a whole number."""
        size = reading.term(self.size)
        if not size.is_whole:
            raise DomainError(f"the size {self.size} of the family {self.base} need not be a whole number")
        reading.term(self.base[sp.Integer(1)])  # its name is taken
        return FamilyTerms(size, self.positive, None if self.total is None else reading.term(self.total))

    def covers(self, other: Family) -> bool:
        """Whether everything that ``other`` admits is admitted here."""
        same = self.base == other.base and self.size == other.size
        return same and (other.positive or not self.positive) and self.total in (None, other.total)


def simplex(base: sp.IndexedBase, size: sp.Expr, total: Scalar = 1) -> Family:
    """Strictly positive numbers that sum to ``total``: a policy with full support, or its restriction to a support."""
    return Family(_family(base), _number(size), True, _number(total))


def reals(base: sp.IndexedBase, size: sp.Expr) -> Family:
    """Arbitrary real numbers, such as the rewards of a group."""
    return Family(_family(base), _number(size))


def positives(base: sp.IndexedBase, size: sp.Expr) -> Family:
    """Arbitrary positive numbers."""
    return Family(_family(base), _number(size), True)


def _family(base: sp.IndexedBase) -> sp.IndexedBase:
    """Refuse what is no family."""
    if not isinstance(base, sp.IndexedBase):
        raise DomainError(f"{base} is no family of numbers, such as pi or r")
    return base


def _number(value: Scalar) -> sp.Expr:
    """A size or a sum as SymPy has it. Raises :class:`DomainError` for a text, which SymPy would read."""
    if not isinstance(value, sp.Expr | int | Fraction) or isinstance(value, bool):
        raise DomainError(f"{value!r} is no number: a family has a whole number as its size, and a sum")
    return sp.sympify(value)


def _above_zero(bound: Bound) -> bool:
    """Whether what has this bound is positive."""
    if bound.relation not in (">", ">="):
        return False
    end = bound.end.value if isinstance(bound.end, Number) else written(bound.end)
    return bool(end > 0) or (bool(end == 0) and bound.relation == ">")


class Domain(Shown):
    """A conjunction of SymPy relations and families; a bare symbol says that it may be any real number.

    >>> from sympy import symbols
    >>> x, b = symbols("x b", real=True)
    >>> Domain(0 < x, x < 1, b > 0).symbols == {x, b}
    True

    ``near``: another domain and a point of it, which may be one here too, so that none is looked for.

    Raises :class:`DomainError` when no point satisfies the constraints.
    """

    def __init__(
        self, *constraints: sp.logic.boolalg.Boolean | Family | bool, near: tuple[Domain, Drawn] | None = None
    ) -> None:
        self.families: tuple[Family, ...] = tuple(c for c in constraints if isinstance(c, Family))
        self.free = frozenset(c for c in constraints if isinstance(c, sp.Symbol))
        relations = [sp.sympify(c) for c in constraints if not isinstance(c, Family | sp.Symbol)]
        self.constraints: tuple[Any, ...] = tuple(c for c in relations if c != sp.true)
        if any(c == sp.false for c in self.constraints):
            raise DomainError("the domain is empty: one of its constraints is false for every value of its symbols")
        twice = {f.base.name for f in self.families if [g.base.name for g in self.families].count(f.base.name) > 1}
        if twice:
            raise DomainError(f"the domain says twice what the family {min(twice)} is")
        reading = Reading()  # whatever has no term is refused here
        for symbol in sorted(self.free, key=str):
            reading.variable(symbol)
        self.formulas: tuple[Formula, ...] = tuple(map(reading.formula, self.constraints))
        self.family_terms = {f.base.name: f.terms(reading) for f in self.families}
        self._symbols_read = reading.symbols
        if near is not None:
            beside, point = _with_point(near)
            if self._holds(beside, point):
                self.example = {k: v for k, v in point.items() if k in self.variables or k in self.family_terms}
        _ = self.example  # finding it is the check

    @classmethod
    def of_terms(
        cls,
        formulas: tuple[Formula, ...],
        families: Mapping[str, FamilyTerms],
        variables: Iterable[Variable],
    ) -> Domain:
        """A domain from its stored terms."""
        return _DomainOfTerms(formulas, dict(families), variables)

    # -- as terms -------------------------------------------------------------------------------------------------

    @cached_property
    def all_formulas(self) -> tuple[Formula, ...]:
        """The constraints, and what the families say beside them: positive numbers have a positive sum, where there is
        one at least; that of none is 0.
        """
        positive = ((name, f.total) for name, f in self.family_terms.items() if f.positive and f.total is not None)
        sums = (
            Compare("<" if self.has_one(name) else "<=", ZERO, total)
            for name, total in positive
            if not isinstance(total, Number)
        )
        return tuple(dict.fromkeys((*self.formulas, *sums)))

    def reading(self) -> Reading:
        """A reading that knows the symbols of this domain by their declaration."""
        return Reading(dict(self._symbols_read))

    def write(self, node: Node) -> sp.Expr:
        """A term or a formula in SymPy, with the symbols of this domain."""
        symbols: dict[Node, sp.Symbol] = {
            Variable(name, Sort.whole if s.is_integer else Sort.real): s
            for name, s in self._symbols_read.items()
            if isinstance(s, sp.Symbol)
        }
        return written(node, symbols)

    @property
    def sizes(self) -> dict[str, Term]:
        """The size of each family, by its name."""
        return {name: family.size for name, family in self.family_terms.items()}

    @cached_property
    def variables(self) -> frozenset[Variable]:
        """The variables of which the domain says something."""
        return frozenset(self.reading().variable(s) for s in self.symbols)

    @cached_property
    def positive(self) -> frozenset[Variable]:
        """The variables that single constraints show to be positive."""
        readings = map(bounds, self.formulas)
        ranges = (reading for reading in readings if all(b.relation != "==" for b in reading))
        return frozenset(b.variable for reading in ranges for b in reading if _above_zero(b))

    def hypotheses(self, *nodes: Node, given: tuple[Formula, ...] = (), beside: tuple[Node, ...] = ()) -> Hypotheses:
        """What may be assumed when these nodes are judged: the domain, that every index which it does not speak of
        lies in the families that it indexes, what the numbers of a family add up to where they occur one by one, and
        what is ``given``. What stands ``beside`` them, such as a lemma, is no part of the sentence: where its indices
        lie is assumed only of letters that the sentence has not, of families that have a number.
        """
        entries = _entries(nodes)
        others = _entries(beside)
        known = self.family_terms
        mentioned = frozenset[Variable]().union(*(node.variables for node in (*nodes, *given)))
        loose = [
            *(e for e in entries if self._is_loose(e)),
            *(e for e in others if self._is_loose(e) and e.index not in mentioned and self.has_one(e.family)),
        ]
        ranges = dict.fromkeys(formula for e in loose for formula in within(e.index, known[e.family].size))
        sums = [
            Compare("==", add(*(Entry(name, Number(Fraction(k + 1))) for k in range(int(f.size.value)))), f.total)
            for name, f in known.items()
            if f.total is not None and isinstance(f.size, Number) and f.size.value <= FEW
            if any(e.family == name for e in (*entries, *others))
        ]
        return Hypotheses((*self.all_formulas, *ranges, *sums, *given), known)

    def _is_loose(self, entry: Entry) -> bool:
        """Whether the index of an entry is a letter of which the domain says nothing; that of an opened sum is none,
        whose own range says where it lies.
        """
        index = entry.index
        own = isinstance(index, Variable) and index not in self.variables and not index.name.startswith("#")
        return own and entry.family in self.family_terms

    def has_one(self, family: str) -> bool:
        """Whether single bounds say that a family has a number, or a sum that is not 0, of as many numbers."""
        size = self.family_terms[family].size
        if any(f.size is size and isinstance(f.total, Number) and f.total.value for f in self.family_terms.values()):
            return True
        count = size.value if isinstance(size, Number) else least(size, self.formulas)
        return count is not None and count >= 1

    # -- what it says ---------------------------------------------------------------------------------------------

    @cached_property
    def symbols(self) -> frozenset[sp.Symbol]:
        return frozenset(s for s in self._symbols_read.values() if isinstance(s, sp.Symbol))

    @property
    def letters(self) -> list[sp.Symbol | sp.IndexedBase]:
        """Its symbols and families, in the order of their names."""
        return sorted({*self.symbols, *(f.base for f in self.families)}, key=str)

    @cached_property
    def bases(self) -> dict[sp.Symbol, Family]:
        return {f.base.label: f for f in self.families}

    @cached_property
    def intervals(self) -> dict[sp.Symbol, Interval]:
        """The range of each symbol as far as single constraints with a number give it."""
        table = {s: Interval() for s in self.symbols}
        for constraint in self.constraints:
            for symbol, relation, bound in numeric_bounds(constraint):
                table[symbol] = tighten(table[symbol], relation, bound)
        return table

    @cached_property
    def definitions(self) -> dict[sp.Symbol, sp.Expr]:
        """Symbols fixed by an equation ``symbol = expression`` of the domain."""
        table: dict[sp.Symbol, sp.Expr] = {}
        for c in self.constraints:
            if isinstance(c, sp.Equality) and c.lhs.is_Symbol and not c.rhs.has(c.lhs):
                table.setdefault(c.lhs, c.rhs)  # a second equation for the same symbol is a constraint like any other
        return table

    def also(self, *constraints: sp.logic.boolalg.Boolean | Family | bool) -> Domain:
        """The subset on which further constraints hold."""
        return Domain(*self.free, *self.families, *self.constraints, *constraints, near=(self, self.example))

    def without(self, constraint: sp.logic.boolalg.Boolean) -> Domain:
        """The superset that drops one constraint; its symbols stay."""
        rest = (c for c in self.constraints if c != constraint)
        return Domain(*self.symbols, *self.families, *rest, near=(self, self.example))

    def without_symbol(self, variable: sp.Symbol) -> Domain:
        """The domain of the other symbols: every constraint without ``variable``."""
        rest = (c for c in self.constraints if variable not in c.free_symbols)
        return Domain(*(self.symbols - {variable}), *self.families, *rest, near=(self, self.example))

    def key(self) -> str:
        """What the domain says, as text: the same in every process."""
        return self._key

    @cached_property
    def _key(self) -> str:
        families = [
            f"{name}|{f.size.digest}|{f.positive}|{f.total.digest if f.total is not None else None}"
            for name, f in self.family_terms.items()
        ]
        digests = sorted({f.digest for f in self.formulas} | {v.digest for v in self.variables})
        return hashlib.sha256(";".join([*sorted(families), *digests]).encode()).hexdigest()

    def __repr__(self) -> str:
        return f"Domain({', '.join(map(str, [*self.constraints, *(f.base for f in self.families)]))})"

    # -- its points -----------------------------------------------------------------------------------------------

    @cached_property
    def drawing(self) -> Drawing:
        """What draws points from this domain."""
        return Drawing(self)

    @cached_property
    def point(self) -> Point:
        """One exact point of the domain."""
        return self.drawing.in_sympy(self.example)

    @cached_property
    def example(self) -> Drawn:
        """The point, by variable and by the name of a family; raises :class:`DomainError` when none is found."""
        if self.key() not in _POINTS:
            _POINTS[self.key()] = next(self.drawing.points(1, seed=1, attempts=4000, special=False), None)
        point = _POINTS[self.key()]
        if point is None:
            raise DomainError(f"the domain {self!r} is empty, or so thin that no point of it was found")
        return point

    def _holds(self, near: Domain, point: Drawn) -> bool:
        """Whether a point of another domain, with the families of this one, is one of this."""
        indexed = {entry.family for entry in _entries(self.formulas)}
        if not {*self.families} <= {*near.families} or not indexed <= {*self.family_terms}:
            return False
        if not self.variables <= near.variables:
            return False
        if point is not near.example and not near.contains(near.drawing.in_sympy(point)):
            return False
        return satisfied([f for f in self.formulas if f not in near.formulas], point)

    def points(self, count: int, seed: int = 0, attempts: int = 60, special: bool = True) -> Iterator[Point]:
        """Exact points satisfying every constraint, a third of them hugging the ends of the ranges.

        With ``special`` the first ones put 0 or 1, where formulas degenerate, in for a symbol whose range admits it.
        """
        return map(self.drawing.in_sympy, self.drawing.points(count, seed, attempts, special))

    def has_form(self, point: Any) -> bool:
        """Whether something gives each variable an exact number, and each family a list of such."""
        if not isinstance(point, dict) or set(point) != {*self.variables, *self.family_terms}:
            return False
        lists = all(isinstance(v, list) == isinstance(k, str) for k, v in point.items())
        numbers = (n for v in point.values() for n in (v if isinstance(v, list) else [v]))
        return lists and all(isinstance(n, Fraction | Term) for n in numbers)

    def contains(self, point: Point) -> bool:
        """Whether ball arithmetic confirms every constraint, whole symbols have whole values, and families as many
        numbers, of the sign and the sum, as they need.
        """
        whole = all(point[s].is_Integer for s in self.symbols if s.is_integer and s in point)
        if not whole or not all(f.admits(point) for f in self.families):
            return False
        return satisfied(self.formulas, values_of(point, self.reading()))

    def lies_in(self, other: Domain) -> bool:
        """Whether all that another domain asks is written in this one, so that what holds there holds here."""
        families = all(any(g.covers(f) for f in self.families) for g in other.families)
        return families and set(other.formulas) <= set(self.all_formulas)

    def excludes(self, point: Point) -> bool:
        """Whether ball arithmetic shows that some constraint fails; a point may be neither contained nor excluded."""
        values = values_of(point, self.reading())
        return any(holds_at(c, values, ball_field()) is False for c in self.formulas)


def _with_point(near: tuple[Domain, Drawn]) -> tuple[Domain, Drawn]:
    """Refuse what is no domain with a point that is written as its example is."""
    domain, point = near if isinstance(near, tuple) and len(near) == 2 else (None, None)
    if not isinstance(domain, Domain):
        raise DomainError(f"near= takes a domain and a point of it, (domain, domain.example), and not {near}")
    if point is not domain.example and not domain.has_form(point):
        raise DomainError(
            f"near= takes a point that is written as the example of its domain is, {domain.example}, and not {point}"
        )
    return domain, point


def _entries(nodes: Iterable[Node]) -> dict[Entry, None]:
    """The entries of families in some nodes."""
    return dict.fromkeys(p for node in nodes for p in node.parts if isinstance(p, Entry))


class _DomainOfTerms(Domain):
    """A domain of terms: its expressions are written where somebody asks for them. That it has a point was seen when
    it was made.
    """

    def __init__(
        self, formulas: tuple[Formula, ...], families: dict[str, FamilyTerms], variables: Iterable[Variable]
    ) -> None:
        self.formulas, self.family_terms = formulas, families
        letters = {v.name: symbol_of(v) for v in sorted(variables, key=lambda v: v.name)}
        self._symbols_read = {**letters, **{name: sp.IndexedBase(name, real=True) for name in families}}

    @cached_property
    def constraints(self) -> tuple[Any, ...]:  # type: ignore[override]
        return tuple(map(self.write, self.formulas))

    @cached_property
    def families(self) -> tuple[Family, ...]:  # type: ignore[override]
        return tuple(
            Family(
                sp.IndexedBase(name, real=True),
                self.write(f.size),
                f.positive,
                None if f.total is None else self.write(f.total),
            )
            for name, f in self.family_terms.items()
        )

    @cached_property
    def free(self) -> frozenset[sp.Symbol]:  # type: ignore[override]
        return self.symbols
