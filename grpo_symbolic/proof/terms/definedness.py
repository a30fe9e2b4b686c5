"""The conditions under which a term or a formula has a value, found once, from the term.

Each condition says what is needed and under which circumstances: inside one branch of a case distinction, for each
index of a sum. A bound index becomes a whole variable of its own, of which the circumstances say where it lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache
from typing import NamedTuple

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.terms.derivatives import depends, derivative
from grpo_symbolic.proof.terms.language import (
    MINUS_ONE,
    ONE,
    ZERO,
    Add,
    Cases,
    Compare,
    Derivative,
    Entry,
    Formula,
    Function,
    GeneralPower,
    Implies,
    Node,
    Not,
    Number,
    Or,
    Power,
    Sort,
    Term,
    Total,
    Variable,
    opened,
)


class Condition(NamedTuple):
    """``needed`` must hold wherever all of ``given`` do; the variables in ``bound`` stand for any whole numbers."""

    given: tuple[Formula, ...]
    needed: Formula
    bound: tuple[Variable, ...] = ()


@dataclass(frozen=True)
class _Scope:
    given: tuple[Formula, ...] = ()
    bound: tuple[Variable, ...] = ()

    def also(self, *given: Formula) -> _Scope:
        return _Scope((*self.given, *given), self.bound)

    def needs(self, formula: Formula) -> Condition:
        return Condition(self.given, formula, self.bound)


def conditions(node: Node, sizes: Mapping[str, Term]) -> tuple[Condition, ...]:
    """What must hold so that every part of a node has a real value; ``sizes`` are those of the families.

    Raises :class:`ReadingError` for a derivative that has no rule, and for a family that has no size.
    """
    return _conditions(node, tuple(sorted(sizes.items(), key=lambda item: item[0])))


@lru_cache(maxsize=4096)
def _conditions(node: Node, sizes: tuple[tuple[str, Term], ...]) -> tuple[Condition, ...]:
    found = (c for c in _needs(node, _Scope(), dict(sizes)) if not _literal(c.needed))
    return tuple(dict.fromkeys(found))


def _literal(formula: Formula) -> bool:
    """Whether a comparison of two numbers holds."""
    match formula:
        case Compare(relation, Number(left), Number(right)):
            return {"<": left < right, "<=": left <= right, "==": left == right, "!=": left != right}[relation]
    return False


def _needs(node: Node, scope: _Scope, sizes: Mapping[str, Term]) -> Iterator[Condition]:
    match node:
        case Entry(family, index):
            if family not in sizes:
                raise ReadingError(f"the domain does not say how many entries the family {family} has")
            yield from _needs(index, scope, sizes)
            yield scope.needs(Compare("<=", ONE, index))
            yield scope.needs(Compare("<=", index, sizes[family]))
        case Total():
            yield from _needs_of_total(node, scope, sizes)
        case Cases(cases, default):
            for condition, value in cases:
                yield from _needs(condition, scope, sizes)
                yield from _needs(value, scope.also(condition), sizes)
                scope = scope.also(Not(condition))
            yield from _needs(default, scope, sizes)
        case Implies(given, then):
            yield from _needs(given, scope, sizes)
            yield from _needs(then, scope.also(given), sizes)
        case Derivative(body, along, order):
            yield from _needs(body, scope, sizes)
            yield from _smooth(body, along, scope)
            yield from _needs(derivative(body, along, order), scope, sizes)
        case _:
            for child in node.children:
                yield from _needs(child, scope, sizes)
            needed = _own(node)
            if needed is not None:
                yield scope.needs(needed)


def _own(node: Node) -> Formula | None:
    """What the outermost operation needs of its arguments."""
    match node:
        case Power(base, exponent) if exponent.denominator > 1:
            return Compare("<" if exponent < 0 else "<=", ZERO, base)
        case Power(base, exponent) if exponent < 0:
            return Compare("!=", base, ZERO)
        case GeneralPower(base, exponent) if exponent.is_whole:
            return Or((Compare("!=", base, ZERO), Compare("<=", ZERO, exponent)))
        case GeneralPower(base, _):
            return Compare("<", ZERO, base)
        case Function("log", argument):
            return Compare("<", ZERO, argument)
    return None


def _needs_of_total(node: Total, scope: _Scope, sizes: Mapping[str, Term]) -> Iterator[Condition]:
    """The range is not reversed, and whatever number of it the index is, the body has a value."""
    yield from _needs(node.low, scope, sizes)
    yield from _needs(node.high, scope, sizes)
    yield scope.needs(Compare("<=", Add((node.low, MINUS_ONE)), node.high))
    index = Variable(f"#{len(scope.bound) + 1}", Sort.whole)
    ranged = (Compare("<=", node.low, index), Compare("<=", index, node.high))
    inside = _Scope((*scope.given, *ranged), (*scope.bound, index))
    yield from _needs(opened(node, index), inside, sizes)


def _smooth(node: Node, along: Variable | Entry, scope: _Scope) -> Iterator[Condition]:
    """What makes a term differentiable on a neighbourhood: the bases of its roots and powers are off zero."""
    if not depends(node, along):
        return
    match node:
        case Power(base, exponent) if exponent.denominator > 1:
            yield scope.needs(Compare("<", ZERO, base))
        case GeneralPower(base, _):
            yield scope.needs(Compare("<", ZERO, base))
        case Cases(cases, default):
            for condition, value in cases:
                yield from _smooth(value, along, scope.also(condition))
                scope = scope.also(Not(condition))
            yield from _smooth(default, along, scope)
            return
        case Total():
            index = Variable(f"#{len(scope.bound) + 1}", Sort.whole)
            ranged = (Compare("<=", node.low, index), Compare("<=", index, node.high))
            yield from _smooth(opened(node, index), along, _Scope((*scope.given, *ranged), (*scope.bound, index)))
            return
    for child in node.children:
        yield from _smooth(child, along, scope)


def within(index: Term, size: Term) -> tuple[Compare, Compare]:
    """That an index is one of 1, …, size."""
    return Compare("<=", ONE, index), Compare("<=", index, size)
