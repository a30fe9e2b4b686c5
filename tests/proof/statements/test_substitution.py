"""What is put in for letters: it has a value only where the letters' values give it one, and this one."""

from __future__ import annotations

import random
from collections.abc import Iterator
from contextlib import suppress
from fractions import Fraction
from itertools import product
from typing import Any

import pytest
import sympy as sp
from exact import NoValue, Unsure, truth, value

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.notation import P, j, k, mu, n, o, x, y, z
from grpo_symbolic.proof.statements.substitution import substituted

PLACES = [
    {y: Fraction(at), z: Fraction(beside), k: Fraction(size)}
    for at, beside, size in product((-1, 0, 1, Fraction(1, 2), 3), (-1, 0, 2), (0, 1, 3))
]


def term(depth: int, letters: tuple[sp.Expr, ...], chance: random.Random) -> Any:
    """A number of some letters: quotients, roots, powers, logarithms, cases, extrema and sums within one another."""
    if depth == 0 or chance.random() < 0.2:
        return chance.choice([*letters, *letters, sp.Integer(chance.choice([-1, 0, 1, 2])), sp.S.Half])
    a, b = term(depth - 1, letters, chance), term(depth - 1, letters, chance)
    match chance.randrange(14):
        case 0 | 1:
            return a + b
        case 2 | 3:
            return a * b
        case 4 | 5:
            return a / b
        case 6:
            return a ** chance.choice([2, 3, -1, -2, k])
        case 7:
            return sp.sqrt(a)
        case 8:
            return chance.choice([sp.log, sp.exp, sp.Abs, sp.sign])(a)
        case 9:
            return chance.choice([sp.Max, sp.Min])(a, b)
        case 10:
            given = chance.choice([b > 0, b < 1, sp.Ne(b, 0)])
            return sp.Piecewise((a, given), (term(depth - 1, letters, chance), True))
        case 11:
            return sp.Sum(a * chance.choice([1, j]), (j, 1, k))
        case 12:
            return sp.Product(a, (j, 1, k))
        case _:
            return a - b


def formula(chance: random.Random) -> Any:
    """A comparison of such numbers, or two of them in a combination."""
    first, second = (
        chance.choice([sp.Lt, sp.Le, sp.Ne, sp.Eq])(term(3, (x, y, z), chance), term(2, (x, y, z), chance))
        for _ in range(2)
    )
    joined = chance.choice([sp.And, sp.Or, lambda p, q: sp.Implies(p, q, evaluate=False), lambda p, q: p])
    return joined(first, second)


def cases(seed: int, count: int) -> Iterator[tuple[Any, dict[Any, Any]]]:
    """Formulas, each with what is put in: numbers at which SymPy cancels, and others."""
    chance, made = random.Random(seed), 0
    while made < count:
        with suppress(TypeError, ValueError):
            said = formula(chance)
            rule = {x: chance.choice([sp.Integer(0), sp.Integer(1), y, -y, y**2, y - z, 1 / y, sp.Abs(y), sp.S.Half])}
            if chance.random() < 0.5:
                rule[z] = chance.choice([y, sp.Integer(0), -y, 1 - y])
            if not (said in (sp.true, sp.false) or said.has(sp.zoo, sp.nan, sp.oo, sp.I)):
                made += 1
                yield said, rule


def at(e: Any, place: Any) -> Any:
    """Whether a formula holds at a place, and None where it has no value."""
    try:
        return truth(e, place)
    except NoValue:
        return None


@pytest.mark.parametrize("seed", range(4))
def test_what_has_to_have_a_value_has_to_have_it_after(seed: int) -> None:
    compared = 0
    for said, rule in cases(seed, 150):
        try:
            put_in = substituted(said, rule)
        except (ClaimError, TypeError, ValueError):  # of SymPy, which sees that a number is none
            continue
        for place in PLACES:
            try:
                values = {letter: value(sp.sympify(v), place) for letter, v in rule.items()}
            except NoValue:
                continue  # whoever puts numbers in is asked for their values
            if not all(isinstance(v, Fraction) for v in values.values()):
                continue
            with suppress(Unsure):
                before, after = at(said, {**place, **values}), at(put_in, place)
                compared += 1
                same = after in (None, before)  # a root that SymPy parts has a value at fewer places
                assert same, f"{said} at {rule} is {put_in}; at {place} it is {before}, and {after} there"
    assert compared > 1000


@pytest.mark.parametrize(
    ("said", "rule"),
    [
        (sp.Derivative(mu[o] * P[o], P[o]), {P[o]: mu[o]}),
        (sp.Derivative(mu[o] * P[o], P[o]), {P[o]: x}),
        (sp.Derivative(mu[o] * P[o], P[o]), {mu[o]: P[o]}),
        (sp.Sum(x * j, (j, 1, n)), {x: j}),
    ],
)
def test_what_moves_or_is_counted_is_not_put_in_for(said: Any, rule: Any) -> None:
    with pytest.raises(ClaimError, match=r"along|binds"):
        substituted(said, rule)


def test_a_slope_stays_where_nothing_else_needs_what_it_needs() -> None:
    assert substituted(z * sp.Derivative(sp.sqrt(x), x) + sp.sqrt(x), {z: 0}).has(sp.Derivative)
