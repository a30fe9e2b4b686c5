"""The nodes of the term language.

Equal terms are the same object, so comparing two of them, and caching what is known of one, costs nothing. A
bound index has no name of its own: ``Bound(k)``, where ``k`` is one more than the greatest number bound inside its sum,
so two sums that differ only in the letter of their index are one term, and no letter can be captured.

Every node is a statement about real numbers. ``Sort.whole`` marks those that are whole numbers wherever they are
defined: indices, sizes, ends of sums.
"""

from __future__ import annotations

import hashlib
import operator
from collections.abc import Callable, Mapping
from dataclasses import dataclass, fields
from enum import StrEnum
from fractions import Fraction
from functools import cache, cached_property
from itertools import count
from typing import Any, ClassVar, TypeVar, dataclass_transform

# The words of functions and of comparisons, and what the latter say.
FUNCTIONS = frozenset({"exp", "log", "sinh", "cosh", "tanh", "abs", "sign"})
COMPARED: dict[str, Callable[[Any, Any], bool]]
COMPARED = {"<": operator.lt, "<=": operator.le, "==": operator.eq, "!=": operator.ne}


class Sort(StrEnum):
    """What a variable stands for."""

    real = "real"
    whole = "whole"


Kind = TypeVar("Kind")
_KNOWN: dict[tuple[Any, ...], Any] = {}


class _OneObjectEach(type):
    """Makes one object for each class and fields."""

    def __call__(cls, *args: Any) -> Any:
        key = (cls, *args)
        instance = _KNOWN.get(key)
        if instance is None:
            instance = _KNOWN[key] = super().__call__(*args)
        return instance


@dataclass(frozen=True, eq=False, repr=False)
class Node(metaclass=_OneObjectEach):
    """A term or a formula."""

    def __reduce__(self) -> tuple[Any, ...]:
        return type(self), tuple(getattr(self, name) for name in field_names(type(self)))

    @cached_property
    def children(self) -> tuple[Node, ...]:
        """The nodes directly inside, in the order of the fields."""
        return tuple(_nodes(tuple(getattr(self, name) for name in field_names(type(self)))))

    @cached_property
    def digest(self) -> str:
        """The same in every process, for the same term and no other."""
        content = [type(self).__name__, *(_digest_text(getattr(self, name)) for name in field_names(type(self)))]
        return hashlib.sha256("|".join(content).encode()).hexdigest()

    @cached_property
    def variables(self) -> frozenset[Variable]:
        """The free variables."""
        return frozenset().union(*(c.variables for c in self.children))

    @cached_property
    def families(self) -> frozenset[str]:
        """The names of the families whose entries occur."""
        return frozenset().union(*(c.families for c in self.children))

    @cached_property
    def height(self) -> int:
        """The greatest number of an index bound inside, 0 where nothing is bound."""
        return max((c.height for c in self.children), default=0)

    @cached_property
    def loose(self) -> frozenset[int]:
        """The bound indices that are used here and bound outside."""
        return frozenset().union(*(c.loose for c in self.children))

    def has(self, *kinds: type[Node]) -> bool:
        """Whether a node of one of these kinds occurs."""
        return any(isinstance(node, kinds) for node in self.parts)

    @cached_property
    def parts(self) -> tuple[Node, ...]:
        """Every distinct node inside, this one last."""
        seen: dict[Node, None] = {}

        def visit(node: Node) -> None:
            if node not in seen:
                for child in node.children:
                    visit(child)
                seen[node] = None

        visit(self)
        return tuple(seen)

    @cached_property
    def part_set(self) -> frozenset[Node]:
        return frozenset(self.parts)

    def __repr__(self) -> str:
        return f"{type(self).__name__}({', '.join(repr(getattr(self, name)) for name in field_names(type(self)))})"


@cache
def field_names(kind: type[Node]) -> tuple[str, ...]:
    """The names of the fields of a kind of node, cached: dataclasses take long to list them."""
    return tuple(f.name for f in fields(kind))


def _nodes(value: Any) -> list[Node]:
    if isinstance(value, Node):
        return [value]
    return [node for part in value for node in _nodes(part)] if isinstance(value, tuple) else []


def _digest_text(value: Any) -> str:
    if isinstance(value, Node):
        return value.digest
    return f"({','.join(map(_digest_text, value))})" if isinstance(value, tuple) else repr(value)


class Term(Node):
    """A real number."""

    whole: ClassVar[bool] = False  # whether it is a whole number where all numbers directly inside are

    @cached_property
    def is_whole(self) -> bool:
        """Whether it is known to be a whole number wherever it is defined."""
        return self.whole and all(c.is_whole for c in self.children if isinstance(c, Term))

    @property
    def is_closed(self) -> bool:
        """Whether it is one number: no variable, no entry, nothing bound outside."""
        return not (self.variables or self.families or self.loose)


class Formula(Node):
    """True or false."""


@dataclass_transform(frozen_default=True, eq_default=False)
def node(cls: type[Kind]) -> type[Kind]:
    """The decorator of every kind of node."""
    return dataclass(frozen=True, eq=False, repr=False)(cls)


# -- numbers and names ------------------------------------------------------------------------------------------------


@node
class Number(Term):
    """A rational number."""

    value: Fraction

    @cached_property
    def is_whole(self) -> bool:
        return self.value.denominator == 1


@node
class Constant(Term):
    """π or e."""

    name: str


@node
class Variable(Term):
    """A free variable, identified by its declaration: name and sort."""

    name: str
    sort: Sort

    @cached_property
    def is_whole(self) -> bool:
        return self.sort is Sort.whole

    @cached_property
    def variables(self) -> frozenset[Variable]:
        return frozenset({self})


@node
class Bound(Term):
    """The index of the sum or product around it that has this number."""

    number: int
    whole = True

    @cached_property
    def loose(self) -> frozenset[int]:
        return frozenset({self.number})


@node
class Entry(Term):
    """One number of a family, such as π[o]."""

    family: str
    index: Term

    @cached_property
    def families(self) -> frozenset[str]:
        return self.index.families | {self.family}


# -- arithmetic -------------------------------------------------------------------------------------------------------


@node
class Add(Term):
    terms: tuple[Term, ...]
    whole = True


@node
class Multiply(Term):
    factors: tuple[Term, ...]
    whole = True


@node
class Power(Term):
    """A rational power; a root is the non-negative one of a non-negative number."""

    base: Term
    exponent: Fraction

    @cached_property
    def is_whole(self) -> bool:
        return self.base.is_whole and self.exponent.denominator == 1 and self.exponent >= 0


@node
class GeneralPower(Term):
    """``base^exponent`` with a term for exponent: of a positive base, or of any base with a whole exponent (0⁰ = 1)."""

    base: Term
    exponent: Term


@node
class Function(Term):
    """exp, log, sinh, cosh, tanh, abs or sign of a number."""

    name: str
    argument: Term

    @cached_property
    def is_whole(self) -> bool:
        return self.name == "sign" or (self.name == "abs" and self.argument.is_whole)


@node
class Extremum(Term):
    """The greatest or the least of several numbers."""

    greatest: bool
    terms: tuple[Term, ...]
    whole = True


@node
class Cases(Term):
    """The value of the first condition that holds, else the default."""

    cases: tuple[tuple[Formula, Term], ...]
    default: Term
    whole = True


@node
class Delta(Term):
    """1 where two whole numbers are equal, else 0."""

    left: Term
    right: Term
    whole = True


@node
class Total(Term):
    """A sum (or a ``product``) over the whole numbers from ``low`` to ``high`` of a body with the index
    ``Bound(number)``.
    """

    product: bool
    low: Term
    high: Term
    number: int
    body: Term
    whole = True

    @property
    def index(self) -> Bound:
        return Bound(self.number)

    @cached_property
    def height(self) -> int:
        return max(self.number, self.low.height, self.high.height)

    @cached_property
    def loose(self) -> frozenset[int]:
        return (self.body.loose - {self.number}) | self.low.loose | self.high.loose


@node
class Derivative(Term):
    """The derivative of ``body`` along a variable or an entry of a family, everything else held fixed."""

    body: Term
    along: Variable | Entry
    order: int


# -- formulas ---------------------------------------------------------------------------------------------------------


@node
class Truth(Formula):
    value: bool


@node
class Compare(Formula):
    """``left relation right``, the relation one of ``<``, ``<=``, ``==`` and ``!=``."""

    relation: str
    left: Term
    right: Term


@node
class Not(Formula):
    part: Formula


@node
class And(Formula):
    formulas: tuple[Formula, ...]


@node
class Or(Formula):
    formulas: tuple[Formula, ...]


@node
class Implies(Formula):
    given: Formula
    then: Formula


@node
class Iff(Formula):
    formulas: tuple[Formula, ...]


TRUE, FALSE = Truth(True), Truth(False)
ZERO, ONE = Number(Fraction(0)), Number(Fraction(1))
MINUS_ONE = Number(Fraction(-1))


# -- building ---------------------------------------------------------------------------------------------------------


def number(value: int | Fraction) -> Number:
    """A rational number as a term."""
    return Number(Fraction(value))


def add(*terms: Term) -> Term:
    """A sum of given terms; nothing is simplified but empty and single sums."""
    if not terms:
        return ZERO
    return terms[0] if len(terms) == 1 else Add(terms)


def multiply(*factors: Term) -> Term:
    """A product of given factors; nothing is simplified but empty and single products."""
    if not factors:
        return ONE
    return factors[0] if len(factors) == 1 else Multiply(factors)


def negative(term: Term) -> Term:
    """``−term``."""
    return Number(-term.value) if isinstance(term, Number) else Multiply((MINUS_ONE, term))


def subtract(left: Term, right: Term) -> Term:
    """``left − right``."""
    return Add((left, negative(right)))


def conjunction(*formulas: Formula) -> Formula:
    """All of the formulas; what is literally true is left out."""
    parts = tuple(dict.fromkeys(f for f in formulas if f is not TRUE))
    if FALSE in parts:
        return FALSE
    if not parts:
        return TRUE
    return parts[0] if len(parts) == 1 else And(parts)


def total(product: bool, low: Term, high: Term, index: Variable, body: Term) -> Total:
    """A sum or product over ``index``, which stands free in ``body`` and is bound in the result.

    ``body`` has no bound index of an outer sum: those stand free too while a sum is built.
    """
    here = 1 + body.height
    return Total(product, low, high, here, _exchanged(body, {index: Bound(here)}))


def opened(term: Total, index: Term) -> Any:
    """The body of a sum or product at one value of its index."""
    return substitute(term.body, {term.index: index})


def unused(*near: Node) -> Variable:
    """A whole variable that occurs in none of the given nodes."""
    taken = frozenset().union(*(n.variables for n in near))
    return next(v for v in (Variable(f"#{k}", Sort.whole) for k in count(1)) if v not in taken)


def substitute(whole: Any, rule: Mapping[Any, Any]) -> Any:
    """``whole`` with the nodes of ``rule`` replaced everywhere at once, without capture: every sum is opened on the way
    down and closed again on the way up.
    """
    return _exchanged(whole, rule, lambda node, visit: rebuilt(node, visit, *rule.values()))


def _exchanged(
    whole: Any, rule: Mapping[Any, Any], inward: Callable[[Node, Callable[[Any], Any]], Node] | None = None
) -> Any:
    """As :func:`substitute`; where no way ``inward`` is given, no index inside can clash, and nothing is opened."""
    known: dict[Node, Any] = dict(rule)
    keys, inward = frozenset(rule), inward or mapped

    def visit(node: Node) -> Any:
        known_node = known.get(node)
        if known_node is None:
            known_node = known[node] = node if keys.isdisjoint(node.part_set) else inward(node, visit)
        return known_node

    return visit(whole)


def rebuilt(node: Node, visit: Callable[[Any], Any], *near: Node) -> Node:
    """The node with every child visited. The index of a sum or product stands free while its body is visited, as a
    variable that occurs neither in it nor ``near``.
    """
    if not isinstance(node, Total):
        return mapped(node, visit)
    index = unused(node, *near)
    body = visit(_exchanged(node.body, {node.index: index}))
    return total(node.product, visit(node.low), visit(node.high), index, body)


def mapped(node: Node, visit: Callable[[Any], Any]) -> Node:
    """The node with every child visited as it is, bound indices too."""
    return type(node)(*(_visited(getattr(node, name), visit) for name in field_names(type(node))))


def _visited(value: Any, visit: Callable[[Any], Any]) -> Any:
    if isinstance(value, Node):
        return visit(value)
    return tuple(_visited(v, visit) for v in value) if isinstance(value, tuple) else value
