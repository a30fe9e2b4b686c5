"""The conditions under which a term or a formula has a value, computed once, from the term.

Each condition says what is needed and under which circumstances: inside one branch of a case distinction, for each
index of a sum. A bound index becomes a whole variable of its own, of which the circumstances say where it lies.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import lru_cache
from typing import NamedTuple

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms.derivatives import depends, derivative
from grpo_symbolic.terms.language import (
    COMPARED,
    MINUS_ONE,
    ONE,
    TRUE,
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

    given: tuple[Formula, ...] = ()
    needed: Formula = TRUE
    bound: tuple[Variable, ...] = ()

    def also(self, *given: Formula) -> Condition:
        """The same, where more holds."""
        return self._replace(given=(*self.given, *given))

    def needs(self, formula: Formula) -> Condition:
        """That a formula holds in these circumstances."""
        return self._replace(needed=formula)


def conditions(node: Node, sizes: Mapping[str, Term]) -> tuple[Condition, ...]:
    """What must hold so that every part of a node has a real value; ``sizes`` are those of the families.

    Raises :class:`ReadingError` for a derivative that has no rule, and for a family that has no size.
    """
    return _conditions(node, tuple(sorted(sizes.items(), key=lambda item: item[0])))


@lru_cache(maxsize=4096)
def _conditions(node: Node, sizes: tuple[tuple[str, Term], ...]) -> tuple[Condition, ...]:
    open_conditions = (c for c in _needs(node, Condition(), dict(sizes)) if not _literal(c.needed))
    return tuple(dict.fromkeys(open_conditions))


def _literal(formula: Formula) -> bool:
    """Whether a comparison of two numbers holds."""
    match formula:
        case Compare(relation, Number(left), Number(right)):
            return COMPARED[relation](left, right)
    return False


def _needs(node: Node, scope: Condition, sizes: Mapping[str, Term]) -> Iterator[Condition]:
    match node:
        case Entry(family) if family not in sizes:
            raise ReadingError(f"the domain does not say how many entries the family {family} has")
        case Total():
            yield from _needs(node.low, scope, sizes)
            yield from _needs(node.high, scope, sizes)
            yield scope.needs(Compare("<=", Add((node.low, MINUS_ONE)), node.high))  # it is not reversed
        case Derivative(body, along, order):
            yield from _needs(body, scope, sizes)
            yield from _needs(along, scope, sizes)  # an entry that there is
            yield from _smooth(body, along, scope)
            yield from _needs(derivative(body, along, order), scope, sizes)
            return
    for part, inside in _inside(node, scope):
        yield from _needs(part, inside, sizes)
    yield from map(scope.needs, _own(node, sizes))


def _inside(node: Node, scope: Condition) -> Iterator[tuple[Node, Condition]]:
    """What a node is made of, but for the ends of a range, each with the circumstances in which it counts."""
    match node:
        case Total():
            index = Variable(f"#{len(scope.bound) + 1}", Sort.whole)
            ranged = (Compare("<=", node.low, index), Compare("<=", index, node.high))
            yield opened(node, index), scope.also(*ranged)._replace(bound=(*scope.bound, index))
        case Cases(cases, default):
            for condition, value in cases:
                yield condition, scope
                yield value, scope.also(condition)
                scope = scope.also(Not(condition))
            yield default, scope
        case Implies(given, then):
            yield given, scope
            yield then, scope.also(given)
        case _:
            yield from ((child, scope) for child in node.children)


def _own(node: Node, sizes: Mapping[str, Term]) -> tuple[Formula, ...]:
    """What the outermost operation needs of its arguments."""
    match node:
        case Entry(family, index):
            return within(index, sizes[family])
        case Power(base, exponent) if exponent.denominator > 1:
            return (Compare("<" if exponent < 0 else "<=", ZERO, base),)
        case Power(base, exponent) if exponent < 0:
            return (Compare("!=", base, ZERO),)
        case GeneralPower(base, exponent) if exponent.is_whole:
            return (Or((Compare("!=", base, ZERO), Compare("<=", ZERO, exponent))),)
        case GeneralPower(base, _) | Function("log", base):
            return (Compare("<", ZERO, base),)
    return ()


def _smooth(node: Node, along: Variable | Entry, scope: Condition) -> Iterator[Condition]:
    """What makes a term differentiable on a neighbourhood: the bases of its roots and powers are off zero."""
    if not depends(node, along):
        return
    match node:
        case Power(base, exponent) if exponent.denominator > 1:
            yield scope.needs(Compare("<", ZERO, base))
        case GeneralPower(base, _):
            yield scope.needs(Compare("<", ZERO, base))
    for part, inside in _inside(node, scope):
        yield from _smooth(part, along, inside)


def within(index: Term, size: Term) -> tuple[Compare, Compare]:
    """That an index is one of 1, …, size."""
    return Compare("<=", ONE, index), Compare("<=", index, size)
