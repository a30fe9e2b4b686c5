"""The one reading against a second one that shares nothing with it: nested sums and products, whose letters are bound
again, stand free beside and are ends of one another, are evaluated as SymPy means them, term by term.
"""

from __future__ import annotations

import math
import random
from fractions import Fraction

import pytest
import sympy as sp

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.terms import language as la
from grpo_symbolic.terms.reading import Reading

LETTERS = sp.symbols("i j k n", integer=True)
NESTINGS = 3000


def by_sympy(e: sp.Expr, values: dict[sp.Symbol, Fraction]) -> Fraction:
    """The value of an expression: a sum is a loop, the last of its limits outermost."""
    if isinstance(e, sp.Integer):
        return Fraction(int(e))
    if isinstance(e, sp.Symbol):
        return values[e]
    if isinstance(e, sp.Add | sp.Mul):
        parts = [by_sympy(a, values) for a in e.args]
        return sum(parts, Fraction(0)) if isinstance(e, sp.Add) else math.prod(parts, start=Fraction(1))
    if isinstance(e, sp.Pow):
        return by_sympy(e.base, values) ** int(e.exp)
    if isinstance(e, sp.KroneckerDelta):
        left, right = (by_sympy(a, values) for a in e.args)
        return Fraction(left == right)
    assert isinstance(e, sp.Sum | sp.Product)
    *inner, (index, low, high) = e.limits
    body = e.func(e.function, *inner) if inner else e.function
    ends = [int(by_sympy(end, values)) for end in (low, high)]
    parts = [by_sympy(body, {**values, index: Fraction(at)}) for at in range(ends[0], ends[1] + 1)]
    return sum(parts, Fraction(0)) if isinstance(e, sp.Sum) else math.prod(parts, start=Fraction(1))


def by_term(t: la.Node, values: dict[la.Node, Fraction]) -> Fraction:
    """The value of a term: a bound index is what the nearest sum of its number gives it."""
    match t:
        case la.Number(value):
            return value
        case la.Variable() | la.Bound():
            return values[t]
        case la.Add(parts):
            return sum((by_term(p, values) for p in parts), Fraction(0))
        case la.Multiply(parts):
            return math.prod((by_term(p, values) for p in parts), start=Fraction(1))
        case la.Power(base, exponent):
            return by_term(base, values) ** int(exponent)
        case la.Delta(left, right):
            return Fraction(by_term(left, values) == by_term(right, values))
        case la.Total(product, low, high, number, body):
            first, last = int(by_term(low, values)), int(by_term(high, values))
            parts = [by_term(body, {**values, la.Bound(number): Fraction(at)}) for at in range(first, last + 1)]
            return math.prod(parts, start=Fraction(1)) if product else sum(parts, Fraction(0))
    raise AssertionError(t)


def nesting(rng: random.Random, depth: int) -> sp.Expr:
    """A random expression in four letters, each of them free in one place and bound in another."""
    if depth == 0:
        return rng.choice([*LETTERS, *LETTERS, sp.Integer(rng.randint(1, 2))])
    choice = rng.random()
    if choice < 0.6:
        limits = []
        for _ in range(rng.randint(1, 3)):
            low = rng.choice([sp.S.One, sp.S.Zero, rng.choice(LETTERS)])
            limits.append((rng.choice(LETTERS), low, low + rng.choice([sp.S.One, sp.S.One, sp.S.Zero])))
        return rng.choice([sp.Sum, sp.Sum, sp.Product])(nesting(rng, depth - 1), *limits)
    left, right = nesting(rng, depth - 1), nesting(rng, rng.randint(0, depth - 1))
    if choice < 0.7:
        return sp.KroneckerDelta(rng.choice(LETTERS), rng.choice(LETTERS)) + left
    return left * right if choice < 0.85 else left - right


def test_terms_are_what_sympy_means_by_nested_and_hidden_letters() -> None:
    rng, hidden = random.Random(29), 0
    for _ in range(NESTINGS):
        expression = nesting(rng, rng.randint(1, 3))
        values = {letter: Fraction(rng.randint(0, 2)) for letter in LETTERS}
        reading = Reading()
        of_terms: dict[la.Node, Fraction] = {reading.variable(s): v for s, v in values.items()}
        term = reading.term(expression)
        assert by_term(term, of_terms) == by_sympy(expression, values), (expression, values)
        # what is put in keeps its meaning too, though letters of it are bound inside
        put_in = reading.term(rng.choice(LETTERS) + 1)
        letter = reading.variable(rng.choice(LETTERS))
        moved = {**of_terms, letter: by_term(put_in, of_terms)}
        assert by_term(la.substitute(term, {letter: put_in}), of_terms) == by_term(term, moved), (expression, values)
        sums = [e for e in sp.preorder_traversal(expression) if isinstance(e, sp.Sum | sp.Product)]
        hidden += any(len({x[0] for x in s.limits}) < len(s.limits) for s in sums)
    assert hidden > NESTINGS / 10


def test_sums_that_differ_in_their_letters_only_are_one_term() -> None:
    i, j, k, n = LETTERS
    first = sp.Sum(k * j, (j, 1, 2), (k, 1, 2), (k, 1, n))
    second = sp.Sum(k * i, (i, 1, 2), (k, 1, 2), (j, 1, n))
    assert Reading().term(first) is Reading().term(second)
    assert Reading().term(first) is not Reading().term(sp.Sum(k * j, (j, 1, 2), (i, 1, 2), (k, 1, n)))


@pytest.mark.parametrize(
    "expression",
    [
        sp.Symbol("k_1", real=True) - sp.Symbol("k1", real=True),
        sp.Symbol("α", real=True) + sp.Symbol("alpha", real=True),
        sp.Symbol("k1", integer=True) * sp.Sum(1, (sp.Symbol("k_1", integer=True), 1, sp.Symbol("k_1", integer=True))),
        sp.Sum(sp.Symbol("k1", integer=True), (sp.Symbol("k_1", integer=True), 1, 2)),
        sp.Sum(sp.Symbol("k1", integer=True), (LETTERS[1], 1, 2), (sp.Symbol("k_1", integer=True), 1, 2)),
        sp.IndexedBase("x1")[1] + sp.Symbol("x_1", real=True),
        sp.Dummy("x", real=True),
        sp.Sum(1, (sp.Dummy("k", integer=True), 1, 2)),
        sp.Wild("x"),
        sp.Sum(1, (sp.Symbol("k over everything", integer=True), 1, 2)),
        sp.Sum(1, (sp.Symbol("k", integer=True, positive=True), 1, 2)),
        sp.Sum(1, (sp.Symbol("k", even=True), 2, 5)),
    ],
    ids=str,
)
def test_letters_that_a_reader_cannot_tell_apart_are_refused(expression: sp.Expr) -> None:
    with pytest.raises(ReadingError):
        Reading().term(expression)


@pytest.mark.parametrize(
    "base",
    [
        sp.IndexedBase("r", positive=True),
        sp.IndexedBase("r", integer=True),
        sp.IndexedBase("r", nonnegative=True),
        sp.IndexedBase("r", zero=True),
        sp.IndexedBase(sp.Symbol("r", positive=True)),
        sp.IndexedBase(sp.Symbol("r", integer=True)),
        sp.IndexedBase(sp.Symbol("r"), positive=True),
        sp.IndexedBase(sp.Dummy("r", real=True), real=True),
        sp.IndexedBase("r", shape=(3,), real=True),
        sp.IndexedBase("r", real=False),
        sp.IndexedBase("r", rational=True),
    ],
)
def test_a_family_that_assumes_more_than_real_numbers_is_refused(base: sp.IndexedBase) -> None:
    with pytest.raises(ReadingError):
        Reading().term(base[1])


def test_a_family_of_real_numbers_is_read() -> None:
    assert Reading().term(sp.IndexedBase("r", real=True)[1]) is Reading().term(sp.IndexedBase("r")[1])
