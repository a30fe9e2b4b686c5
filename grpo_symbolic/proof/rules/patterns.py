"""Patterns: what the letters of one stand for where it is compared with a sentence, and what it is with them put in."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import fields, is_dataclass, replace
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef
from sympy.core.relational import Relational

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.schema import (
    FAMILIES,
    INDICES,
    VARIABLES,
    WHOLE,
    WRITTEN_OUT,
    E,
    Each,
    J,
    N,
    Supposed,
    expressions,
    tau,
)
from grpo_symbolic.proof.statements.statement import UNSAID
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.terms.relations import STRICT

BOUND = {*VARIABLES, *INDICES, tau}
_AS_WRITTEN = (Relational, sp.And, sp.Or, sp.Not, sp.Implies, sp.Equivalent)  # written down as they are, not evaluated
INFINITE = (sp.oo, -sp.oo, sp.zoo)


class Mismatch(ClaimError):
    """A schema that does not fit."""


class AnotherVariant(Mismatch):
    """A schema that says something else: a constant of it differs."""


def letters_of(pattern: Any, actual: Any, name: str) -> Iterator[tuple[sp.Expr, Any, str]]:
    """Letters with what they stand for, and the fields they stand in. Raises :class:`Mismatch` for what differs."""
    if pattern in (N, N + 1):
        least = 1 if pattern != N else 0
        if isinstance(actual, bool) or not isinstance(actual, int | sp.Integer) or actual < least:
            raise AnotherVariant(f"the {name} is {actual}, and no whole number from {least} on")
        yield N, sp.Integer(actual - least), name
    elif isinstance(pattern, Each):
        yield from _written_out(pattern, actual, name)
    elif isinstance(pattern, J | E) or isinstance(actual, sp.IndexedBase):
        yield pattern, actual, name
    elif isinstance(pattern, sp.Indexed):
        if not isinstance(actual, sp.Indexed) or len(actual.indices) != 1 or not actual.indices[0].is_Symbol:
            raise AnotherVariant(f"the {name} is to be an entry of a family by a letter, and is {actual}")
        yield from letters_of((pattern.base, *pattern.indices), (actual.base, *actual.indices), name)
    elif isinstance(pattern, sp.Sum):
        if not isinstance(actual, sp.Sum) or len(actual.limits) != len(pattern.limits):
            letters = {1: "one letter", 2: "two letters"}[len(pattern.limits)]
            raise AnotherVariant(f"the {name} is to be a sum over {letters}, and is {actual}")
        yield from letters_of(tuple(pattern.limits), tuple(actual.limits), f"range of the {name}")
        yield from letters_of(pattern.function, actual.function, f"term of the {name}")
    elif isinstance(pattern, sp.Tuple):
        yield from letters_of(tuple(pattern), tuple(actual), name)
    elif isinstance(pattern, tuple) and pattern and all(isinstance(part, Supposed) for part in pattern):
        for part in pattern:
            yield part, tuple(map(sp.sympify, actual)), name
    elif isinstance(pattern, sp.Expr) and (pattern.is_Symbol or pattern.args):
        if actual is not None:
            yield pattern, sp.sympify(actual), name
    elif is_dataclass(pattern):
        if type(actual) is not type(pattern):
            raise AnotherVariant(f"the {name} is a {type(actual).__name__}, and no {type(pattern).__name__}")
        for f in fields(pattern):
            if f.name not in UNSAID:
                yield from letters_of(getattr(pattern, f.name), getattr(actual, f.name), f.name)
    elif isinstance(pattern, tuple) and isinstance(actual, tuple | list):
        if len(pattern) != len(actual):
            raise AnotherVariant(f"the {name} are {len(actual)}, and not {len(pattern)}")
        for part, value in zip(pattern, actual, strict=True):
            yield from letters_of(part, value, name)
    elif isinstance(pattern, Relational | sp.Implies | sp.Equivalent) and type(actual) is type(pattern):
        for part, value in zip(pattern.args, actual.args, strict=True):
            yield from letters_of(part, value, name)
    elif pattern != actual:
        raise AnotherVariant(f"the {name} is {actual}, and not {pattern}")


def _written_out(pattern: Each, actual: Any, name: str) -> Iterator[tuple[sp.Expr, Any, str]]:
    """How many there are, and each letter with the terms of all of them."""
    if not isinstance(actual, tuple | list):
        raise AnotherVariant(f"the {name} is {actual}, and no list")
    yield pattern.size, sp.Integer(len(actual)), f"number of the {name}"
    members = [member if isinstance(member, tuple | list) else (member,) for member in actual]
    if other := [member for member in members if len(member) != len(pattern.of)]:
        raise AnotherVariant(f"a member of the {name} is {other[0]}, where {len(pattern.of)} are asked for")
    for place, letter in enumerate(pattern.of):
        yield letter, sp.Tuple(*(member[place] for member in members)), name


def terms(value: Any) -> tuple[sp.Basic, ...]:
    """What a letter stands for: one term, or one for each member of a list that is written out."""
    return tuple(value) if isinstance(value, sp.Tuple) else (sp.sympify(value),)


def of_numbers(condition: sp.Basic) -> bool:
    """Whether a condition is about the numbers of members that are written out, and how many there are."""
    return isinstance(condition, Relational) and condition.free_symbols <= {*WRITTEN_OUT, *WHOLE}


def is_composed(pattern: sp.Basic) -> bool:
    """Whether a term is no letter, but made of letters: the sentence has to say it as it is written."""
    own = {*BOUND, *WRITTEN_OUT, *FAMILIES}
    function = isinstance(pattern, AppliedUndef | J | E | Supposed) and set(pattern.args) <= own
    return not (pattern.is_Symbol or pattern in FAMILIES or function)


def speaks(value: Any, letter: sp.Basic) -> bool:
    return any(e.has(letter) for e in expressions(value))


def name_of(letter: sp.Basic) -> Any:
    """The letter, without what it is applied to."""
    return letter.func if isinstance(letter, AppliedUndef | J | E | Supposed) else letter


def _put_in(own: sp.Expr, arg: sp.Expr, values: Mapping[sp.Expr, Any]) -> tuple[sp.Expr, sp.Expr]:
    """What a function is applied to, in the place of its own letter: for a family numbers, by that of a member."""
    if isinstance(arg, sp.Lambda):
        (index,) = arg.signature
        return values[own][values[index]], filled(arg.expr, values)
    return values[own], filled(arg, values)


def filled(pattern: Any, values: Mapping[sp.Expr, Any]) -> Any:
    if is_dataclass(pattern) and not isinstance(pattern, type):
        changed = {f.name: filled(getattr(pattern, f.name), values) for f in fields(pattern) if f.name not in UNSAID}
        return replace(pattern, **changed)
    if isinstance(pattern, tuple):
        return tuple(filled(part, values) for part in pattern)
    if isinstance(pattern, AppliedUndef | E | Supposed):
        of = next((letter for letter in values if letter.func is pattern.func), None)
        if of is None:
            raise Mismatch(f"the letter {pattern.func} has no value")
        if isinstance(values[of], sp.Tuple):
            return values[of][int(filled(pattern.args[0], values)) - 1]
        here = dict(_put_in(own, arg, values) for own, arg in zip(of.args, pattern.args, strict=True))
        return values[of] if all(k == v for k, v in here.items()) else substituted(values[of], here)
    if isinstance(pattern, J):
        of = next(letter for letter in values if isinstance(letter, J))
        here = {values[own]: filled(arg, values) for own, arg in zip(of.args, pattern.args, strict=True)}
        constraints = (substituted(c, here) for c in values[of].constraints)
        return sp.And(*(c for c in constraints if c != sp.true), evaluate=False)
    if isinstance(pattern, sp.Product) and pattern.variables[0] in WRITTEN_OUT:
        index, low, size = pattern.limits[0]
        numbers = range(int(low), int(filled(size, values)) + 1)
        factors = (filled(pattern.function, {**values, index: sp.Integer(number)}) for number in numbers)
        return sp.Mul(*factors, evaluate=False)
    if isinstance(pattern, sp.Symbol | sp.IndexedBase):
        if pattern not in values:
            raise Mismatch(f"the letter {pattern} has no value")
        return values[pattern]
    if isinstance(pattern, sp.Basic) and pattern.args:
        inner = [filled(arg, values) for arg in pattern.args]
        plain = isinstance(pattern, _AS_WRITTEN)
        return pattern.func(*inner, evaluate=False) if plain else pattern.func(*inner)
    return pattern


def is_nowhere(where: Sequence[sp.Basic]) -> bool:
    """Whether a number is to lie above and below another one, so that nothing is asked anywhere."""
    below = {(c.lts, c.gts) for c in where if isinstance(c, STRICT)}
    return any((more, less) in below for less, more in below)


def settled(formula: sp.Basic, label: str) -> sp.Basic:
    """A formula without its comparisons with ∞, and beside others of two numbers; ``true`` for one of two numbers.

    Raises :class:`ClaimError` where it is false.
    """
    left = _finite(formula)
    parts = sp.And.make_args(left)
    numbers = [c for c in parts if isinstance(c, Relational) and all(side.is_Rational for side in c.args)]
    if any(c.doit() == sp.false for c in numbers):
        left = sp.false
    elif len(numbers) < len(parts) or len(parts) == 1:
        left = sp.And(*(c for c in parts if c not in numbers), evaluate=False)
    if left == sp.false:
        raise ClaimError(f"{label}: {formula} is false")
    return left


def _finite(formula: sp.Basic) -> sp.Basic:
    if isinstance(formula, sp.And | sp.Or):
        dull, fatal = (sp.true, sp.false) if isinstance(formula, sp.And) else (sp.false, sp.true)
        parts = [part for part in map(_finite, formula.args) if part != dull]
        if fatal in parts or not parts:
            return fatal if parts else dull
        return formula.func(*parts, evaluate=False) if len(parts) > 1 else parts[0]
    if isinstance(formula, sp.Implies):
        given, then = formula.args[0], _finite(formula.args[1])
        return then if then == sp.true else formula.func(given, then, evaluate=False)
    if isinstance(formula, Relational):
        if any(side in INFINITE for side in formula.args):  # the other side is a number, where it has a value
            return sp.sympify(formula.func(*(side if side in INFINITE else sp.S.Zero for side in formula.args)))
        if isinstance(formula, sp.LessThan | sp.GreaterThan) and formula.lhs == formula.rhs and formula.lhs.is_Atom:
            return sp.true  # of what is composed it has to be shown that it has a value
    return formula
