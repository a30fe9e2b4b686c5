"""The primitive forms of what must be shown. Every statement compiles to these, every checker discharges some of
them.

They are made of SymPy's expressions, and judged by the terms that these are read as. One that was stored as its terms
(:meth:`Obligation.of_terms`) has expressions too, which are written from the terms where somebody asks for them.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, Self

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.statements.domain import Domain, ExactPoint
from grpo_symbolic.proof.statements.lemmas import Instance, check_instances
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.language import Compare, Entry, Formula, Node, Term, Total, Truth, Variable
from grpo_symbolic.terms.reading import Reading

Read = tuple[Any, ...]  # terms and formulas, and words for what is neither


@dataclass(frozen=True)
class Obligation(Shown):
    """Something to be shown at every point of ``domain``; ``label`` says in words which part of its claim it is.

    ``sufficient`` marks the premise of a rule: where it fails, the sentence that it serves may still be true.
    ``hints`` are what the search for a certificate may try as lemmas: no part of the statement, nor of its key.
    """

    domain: Domain
    label: str = field(default="", kw_only=True, compare=False)
    sufficient: bool = field(default=False, kw_only=True, compare=False)
    hints: tuple[sp.Basic, ...] = field(default=(), kw_only=True, compare=False)

    @classmethod
    def of_terms(cls, domain: Domain, read: Read, label: str, sufficient: bool) -> Self:
        """An obligation from its stored terms, ``read``."""
        made = object.__new__(cls)
        made.__dict__.update(domain=domain, label=label, sufficient=sufficient, hints=(), read=read)
        return made

    def __getattr__(self, name: str) -> Any:
        """The expressions of an obligation that was stored as its terms."""
        if "read" in self.__dict__ and name in type(self).__dataclass_fields__:
            self.__dict__.update(self._expressions())
        if name not in self.__dict__:
            raise AttributeError(f"this {type(self).__name__} has no {name}")
        return self.__dict__[name]

    def _expressions(self) -> Mapping[str, Any]:
        """The fields that :meth:`terms` reads, written from what it read."""
        raise NotImplementedError

    def terms(self, reading: Reading) -> Read:
        """The statement as terms and formulas (and words, for what is neither), by a reading that knows the domain.

        Raises :class:`ReadingError` for what has no term.
        """
        raise NotImplementedError

    @cached_property
    def read(self) -> Read:
        """What is judged: see :meth:`terms`."""
        return self.terms(self._reading)

    @cached_property
    def _reading(self) -> Reading:
        return self.domain.reading()

    @property
    def symbols(self) -> set[sp.Symbol]:
        """The free symbols of the statement as it is read, and of each family that of its base."""
        names = {v.name for node in self.nodes for v in node.variables}.union(*(n.families for n in self.nodes))
        letters = (self._reading.symbols[name] for name in names)
        return {s.label if isinstance(s, sp.IndexedBase) else s for s in letters}

    @property
    def nodes(self) -> tuple[Node, ...]:
        """The terms and formulas among what is judged."""
        return tuple(part for part in self.read if isinstance(part, Node))

    def key(self) -> str:
        """A digest of the statement and its domain, the same in every process."""
        return self._digest

    @cached_property
    def _digest(self) -> str:
        read = (part.digest if isinstance(part, Node) else part for part in self.read)
        return hashlib.sha256("|".join([type(self).__name__, *read, self.domain.key()]).encode()).hexdigest()

    @property
    def is_trivial(self) -> bool:
        """Whether nothing is left to be shown once the statement is read: two equal sides."""
        return False

    def has_families(self) -> bool:
        return any(node.has(Entry, Total) for node in self.nodes)


@dataclass(frozen=True)
class Identity(Obligation):
    """``left == right`` on the domain."""

    left: sp.Expr
    right: sp.Expr

    def terms(self, reading: Reading) -> Read:
        return (reading.term(self.left), reading.term(self.right))

    def _expressions(self) -> Mapping[str, Any]:
        left, right = map(self.domain.write, self.read)
        return {"left": left, "right": right}

    @property
    def sides(self) -> tuple[Term, Term]:
        """Both sides as terms."""
        left, right = self.read
        return left, right

    @property
    def is_trivial(self) -> bool:
        return self.read[0] is self.read[1]


@dataclass(frozen=True)
class Holds(Obligation):
    """A Boolean combination of equations and inequalities that holds on the domain.

    ``using`` are instances of the stated lemmas (:mod:`grpo_symbolic.proof.statements.lemmas`), true formulas about
    transcendental terms that a decision procedure may assume; each is a Boolean over the same symbols.
    """

    formula: sp.logic.boolalg.Boolean
    using: tuple[Instance, ...] = field(default_factory=tuple, repr=False)

    def terms(self, reading: Reading) -> Read:
        check_instances(self.using)
        formula = _undecided(reading.formula(self.formula), self.label)
        stated = tuple(instance.formula(reading) for instance in self.using)
        return (formula, *stated, *(term for instance in self.using for term in instance.terms(reading)))

    def _expressions(self) -> Mapping[str, Any]:
        return {"formula": self.domain.write(self.read[0])}  # which lemmas were instantiated is not to be read off

    @property
    def assumed(self) -> tuple[Formula, ...]:
        """The instances of lemmas as formulas."""
        return tuple(part for part in self.read[1:] if isinstance(part, Formula))

    @property
    def arguments(self) -> tuple[Term, ...]:
        """What the lemmas are stated of, which must have a value: exp log u is u only where u is positive."""
        return tuple(part for part in self.read[1:] if isinstance(part, Term))


def statement_of(obligation: Identity | Holds) -> Formula:
    """The formula that an identity or an inequality says."""
    if isinstance(obligation, Identity):
        return Compare("==", *obligation.sides)
    formula: Formula = obligation.read[0]
    return formula


@dataclass(frozen=True)
class LimitIs(Obligation):
    """``expression → value`` as ``variable → point`` from ``side`` ("+" or "-"), at every point of the domain of the
    other symbols.

    ``domain`` does not constrain ``variable``.
    """

    expression: sp.Expr
    variable: sp.Symbol
    point: sp.Expr
    side: str
    value: sp.Expr

    def terms(self, reading: Reading) -> Read:
        if self.side not in ("+", "-"):
            raise ClaimError(f'the side {self.side!r} of a limit is neither "+" nor "-"')
        variable = reading.variable(self.variable)
        point, value = (_end(e, reading) for e in (self.point, self.value))
        for end in (point, value):
            if isinstance(end, Term) and variable in end.variables:
                raise ClaimError(f"the limit in {self.variable} speaks of {self.variable} in its point or value")
        return (reading.term(self.expression), variable, point, self.side, value)

    def _expressions(self) -> Mapping[str, Any]:
        names = ("expression", "variable", "point", "side", "value")
        expression, variable, point, side, value = self.read
        point, value = (_expression(end, self.domain) for end in (point, value))
        written = (self.domain.write(expression), self.domain.write(variable), point, side, value)
        return dict(zip(names, written, strict=True))


@dataclass(frozen=True)
class RootCount(Obligation):
    """``polynomial`` has exactly ``count`` distinct real roots in the open interval ``(lower, upper)``, whatever the
    parameters.
    """

    polynomial: sp.Expr
    variable: sp.Symbol
    lower: sp.Expr
    upper: sp.Expr
    count: int

    def terms(self, reading: Reading) -> Read:
        if isinstance(self.count, bool) or not isinstance(self.count, int | sp.Integer) or self.count < 0:
            raise ClaimError(f"{self.count} is no number of roots")
        variable = reading.variable(self.variable)
        ends = tuple(_end(e, reading) for e in (self.lower, self.upper))
        if any(isinstance(e, Term) and variable in e.variables for e in ends):
            raise ClaimError(f"an end of the interval for {self.variable} speaks of {self.variable}")
        return (reading.term(self.polynomial), variable, *ends, str(int(self.count)))

    def _expressions(self) -> Mapping[str, Any]:
        polynomial, variable, *ends, count = self.read
        lower, upper = (_expression(end, self.domain) for end in ends)
        sides = {"lower": lower, "upper": upper, "count": int(count)}
        return {"polynomial": self.domain.write(polynomial), "variable": self.domain.write(variable), **sides}


_ENDS = {sp.oo: "∞", -sp.oo: "−∞"}


def _end(e: sp.Expr, reading: Reading) -> Term | str:
    """A term, or one of the words ∞ and −∞."""
    return _ENDS[e] if e in _ENDS else reading.term(e)


def _expression(end: Term | str, domain: Domain) -> sp.Expr:
    """What :func:`_end` has read."""
    return next(e for e, word in _ENDS.items() if word == end) if isinstance(end, str) else domain.write(end)


@dataclass(frozen=True)
class Witness(Obligation):
    """``formula`` holds at the exact ``point``, which lies in the domain: an existence statement with its example."""

    formula: sp.logic.boolalg.Boolean
    point: ExactPoint

    def terms(self, reading: Reading) -> Read:
        formula = _undecided(reading.formula(self.formula), self.label)
        return (formula, *(node for item in self.point for node in _pinned(*item, reading)))

    def _expressions(self) -> Mapping[str, Any]:
        formula, *pinned = self.read
        return {"formula": self.domain.write(formula), "point": tuple(self._unpinned(pinned))}

    def _unpinned(self, pinned: Sequence[Node | str]) -> Iterator[tuple[sp.Expr, sp.Expr | tuple[sp.Expr, ...]]]:
        """What :func:`_pinned` has read: a variable has one number, and a family those up to the next letter."""
        starts = [n for n, part in enumerate(pinned) if isinstance(part, str | Variable)]
        for start, end in zip(starts, [*starts[1:], len(pinned)], strict=True):
            letter = pinned[start]
            numbers = tuple(self.domain.write(part) for part in pinned[start + 1 : end] if isinstance(part, Node))
            if isinstance(letter, str):
                yield next(label for label in self.domain.bases if str(label) == letter), numbers
            else:
                yield self.domain.write(letter), numbers[0]


def _undecided(formula: Formula, label: str) -> Formula:
    """A formula that is not already decided as it is written."""
    if isinstance(formula, Truth):
        decided = str(formula.value).lower()
        raise ClaimError(f"{label}: the formula is already {decided} as it is written, with nothing to show")
    return formula


def _pinned(
    key: sp.Symbol | sp.IndexedBase, value: sp.Expr | tuple[sp.Expr, ...], reading: Reading
) -> tuple[Node | str, ...]:
    numbers = tuple(map(reading.term, value if isinstance(value, tuple) else (value,)))
    if not all(n.is_closed for n in numbers):
        raise ClaimError(f"the example gives {key} the value {value}, which is no number")
    return (f"{key}" if isinstance(value, tuple) else reading.variable(key), *numbers)
