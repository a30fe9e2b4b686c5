"""The primitive forms of what must be shown. Every statement compiles to these, every checker discharges some of
them.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.domain import Domain
from grpo_symbolic.proof.lemmas import Instance, check_instances
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.language import Compare, Entry, Formula, Node, Term, Total, Truth
from grpo_symbolic.terms.reading import Reading

_UNSET = sp.Symbol("x")


@dataclass(frozen=True)
class Obligation(Shown):
    """Something to be shown at every point of ``domain``; ``label`` says in words which part of its claim it is.

    ``sufficient`` marks the premise of a rule: where it fails, the sentence that it serves may still be true.
    ``hints`` are what the search for a certificate may try as lemmas: they are no part of what is said, nor of its key.
    """

    domain: Domain
    label: str = field(default="", kw_only=True, compare=False)
    sufficient: bool = field(default=False, kw_only=True, compare=False)
    hints: tuple[sp.Basic, ...] = field(default=(), kw_only=True, compare=False)

    def said(self, reading: Reading) -> tuple[Any, ...]:
        """The statement as terms and formulas (and words, for what is neither), by a reading that knows the domain.

        Raises :class:`ReadingError` for what has no term.
        """
        raise NotImplementedError

    @cached_property
    def read(self) -> tuple[Any, ...]:
        """What is judged: see :meth:`said`."""
        return self.said(self._reading)

    @cached_property
    def _reading(self) -> Reading:
        return self.domain.reading()

    @property
    def spoken(self) -> set[sp.Symbol]:
        """The symbols of which the statement speaks as it is read, and of each family that of its base."""
        names = {v.name for node in self.nodes for v in node.variables}.union(*(n.families for n in self.nodes))
        symbols = (self._reading.symbols[name] for name in names)
        return {s.label if isinstance(s, sp.IndexedBase) else s for s in symbols}

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

    left: sp.Expr = sp.S.Zero
    right: sp.Expr = sp.S.Zero

    def said(self, reading: Reading) -> tuple[Any, ...]:
        return (reading.term(self.left), reading.term(self.right))

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

    ``using`` are instances of the stated lemmas (:mod:`grpo_symbolic.proof.lemmas`), true formulas about
    transcendental terms that a decision procedure may assume; each is a Boolean over the same symbols.
    """

    formula: sp.logic.boolalg.Boolean = sp.true
    using: tuple[Instance, ...] = ()

    def said(self, reading: Reading) -> tuple[Any, ...]:
        check_instances(self.using)
        formula = _undecided(reading.formula(self.formula), self.label)
        stated = tuple(instance.formula(reading) for instance in self.using)
        return (formula, *stated, *(term for instance in self.using for term in instance.terms(reading)))

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

    expression: sp.Expr = sp.S.Zero
    variable: sp.Symbol = _UNSET
    point: sp.Expr = sp.S.Zero
    side: str = "+"
    value: sp.Expr = sp.S.Zero

    def said(self, reading: Reading) -> tuple[Any, ...]:
        if self.side not in ("+", "-"):
            raise ClaimError(f'the side {self.side!r} of a limit is neither "+" nor "-"')
        variable = reading.variable(self.variable)
        point, value = (_end(e, reading) for e in (self.point, self.value))
        for end in (point, value):
            if isinstance(end, Term) and variable in end.variables:
                raise ClaimError(f"the limit in {self.variable} speaks of {self.variable} in its point or value")
        return (reading.term(self.expression), variable, point, self.side, value)


@dataclass(frozen=True)
class RootCount(Obligation):
    """``polynomial`` has exactly ``count`` distinct real roots in the open interval ``(lower, upper)``, whatever the
    parameters.
    """

    polynomial: sp.Expr = sp.S.Zero
    variable: sp.Symbol = _UNSET
    lower: sp.Expr = sp.S.Zero
    upper: sp.Expr = sp.S.One
    count: int = 1

    def said(self, reading: Reading) -> tuple[Any, ...]:
        if isinstance(self.count, bool) or not isinstance(self.count, int | sp.Integer) or self.count < 0:
            raise ClaimError(f"{self.count} is no number of roots")
        variable = reading.variable(self.variable)
        ends = tuple(_end(e, reading) for e in (self.lower, self.upper))
        if any(isinstance(e, Term) and variable in e.variables for e in ends):
            raise ClaimError(f"an end of the interval for {self.variable} speaks of {self.variable}")
        return (reading.term(self.polynomial), variable, *ends, str(int(self.count)))


def _end(e: sp.Expr, reading: Reading) -> Term | str:
    """A term, or one of the words ∞ and −∞."""
    words = {sp.oo: "∞", -sp.oo: "−∞"}
    return words[e] if e in words else reading.term(e)


@dataclass(frozen=True)
class Witness(Obligation):
    """``formula`` holds at the exact ``point``, which lies in the domain: an existence statement with its example."""

    formula: sp.logic.boolalg.Boolean = sp.true
    point: tuple[tuple[sp.Expr, sp.Expr | tuple[sp.Expr, ...]], ...] = ()

    def said(self, reading: Reading) -> tuple[Any, ...]:
        formula = _undecided(reading.formula(self.formula), self.label)
        return (formula, *(said for item in self.point for said in _pinned(*item, reading)))


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
