"""Random expressions, for what is printed of them."""

from __future__ import annotations

import random
from collections.abc import Iterator
from typing import Any

import sympy as sp
from readback import raised, shape

from grpo_symbolic.notation import beta, i, j, k, n, o, o_, p, pi, r, x, y


def made(depth: int, chance: random.Random) -> Any:
    """A random expression of sums, products, derivatives, limits, powers, fractions and cases within one another."""
    if depth == 0:
        return chance.choice([x, y, p, beta, pi[o], r[o_], sp.Integer(2), sp.Rational(-3, 5), sp.Integer(-1)])
    a, b = made(depth - 1, chance), made(depth - 1, chance)
    letter = chance.choice([i, j, k])
    match chance.randrange(14):
        case 0 | 1:
            return sp.Add(a, b, evaluate=chance.random() < 0.5)
        case 2 | 3:
            return sp.Mul(a, b, evaluate=chance.random() < 0.5)
        case 4:
            return sp.Pow(a, chance.choice([2, 3, -1, -2, sp.S.Half, -sp.S.Half, b]), evaluate=False)
        case 5:
            return sp.Mul(a, sp.Pow(b, -1, evaluate=False), evaluate=False)
        case 6:
            return sp.Sum(a, (letter, 1, n))
        case 7:
            return sp.Product(a + letter, (letter, 1, n))
        case 8:
            return sp.Derivative(a * x, x, evaluate=False)
        case 9:
            return sp.Limit(a, y, chance.choice([0, sp.oo]), "-" if chance.random() < 0.3 else "+")
        case 10:
            return chance.choice([sp.Max, sp.Min])(a, b, evaluate=False)
        case 11:
            return chance.choice([sp.exp, sp.log, sp.Abs])(a, evaluate=False)
        case 12:
            return sp.Piecewise((a, x < p), (b, True), evaluate=False)
    return -a


def drawn(seed: int, count: int) -> Iterator[sp.Expr]:
    """Random expressions that SymPy makes, of real numbers."""
    chance = random.Random(seed)
    for _ in range(count):
        try:
            e = made(chance.randint(1, 4), chance)
        except (TypeError, ValueError, AttributeError):  # SymPy makes no such expression
            continue
        if not e.has(sp.nan, sp.zoo, sp.I):
            yield e


def kept(e: sp.Expr) -> bool:
    """Whether SymPy leaves what is divided by as it is; in numbers, roots of products and cases it does not."""
    below = [b for b in e.atoms(sp.Pow) if b.exp.could_extract_minus_sign()]
    evaluated = (shape(b.base**-b.exp) != shape(raised(b.base, -b.exp)) for b in below)
    return not any(b.has(sp.Piecewise) for b in below) and not any(evaluated)
