"""Random statements whose letters have scopes: nested binders, families, citations, random numbers, large groups."""

from __future__ import annotations

import random
from collections.abc import Callable
from contextlib import suppress
from fractions import Fraction
from typing import Any

import sympy as sp
from exact import NoValue, Unsure, value
from shapes import Case, policy, positive, rational

from grpo_symbolic.paper import *

LETTERS = (i, j, k)


def binders(rng: random.Random) -> Case:
    """Sums and products within one another whose letters may be bound again, and one of which the domain may speak."""
    ends = [sp.Integer(2), sp.Integer(3), n, sp.Integer(0)]
    nest: sp.Expr = _weights(rng)
    for _ in range(rng.randint(2, 4)):
        letter = rng.choice(LETTERS)
        low = rng.choice([sp.Integer(1), sp.Integer(1), sp.Integer(1), rng.choice(LETTERS)])
        limits = (letter, low, rng.choice([*ends, rng.choice(LETTERS)]))
        kind = Product if rng.random() < 0.2 else Sum
        if kind is Sum and isinstance(nest, Sum) and rng.random() < 0.5:
            nest = Sum(nest.function, *nest.limits, limits)
        else:
            nest = kind(nest * rng.choice([1, rng.choice(LETTERS)]), limits)
    other = rng.choice([nest, _renamed(nest, rng), _exchanged(nest, rng)])
    constraints = [n >= 1, n <= 3, *(c for letter in LETTERS if nest.has(letter) for c in (letter >= 1, letter <= 3))]
    places = tuple({letter: Fraction(rng.randint(1, 3)) for letter in (n, *LETTERS)} for _ in range(9))
    if not nest.free_symbols or rng.random() < 0.3:
        with suppress(NoValue, Unsure, TypeError):
            other = sp.Rational(Fraction(value(nest, places[0]))) + rng.choice([0, 0, 0, 1, 2])
    return Case(Equal(nest, other), tuple(constraints), places)


def _weights(rng: random.Random) -> sp.Expr:
    """What is added up: letters, their products and deltas."""
    first, second = rng.choice(LETTERS), rng.choice(LETTERS)
    return rng.choice([first, first * second, first + second, first - second, KroneckerDelta(first, second), first**2])


def _renamed(e: sp.Expr, rng: random.Random) -> sp.Expr:
    """With the bound letters of the outermost sum called otherwise, which may catch another letter."""
    if not isinstance(e, Sum | Product) or len(e.limits) > 1:
        return e
    letter, low, high = e.limits[0]
    new = rng.choice([m for m in LETTERS if m != letter])
    return e.func(e.function.xreplace({letter: new}), (new, low, high))


def _exchanged(e: sp.Expr, rng: random.Random) -> sp.Expr:
    """With two letters exchanged throughout, or in what is added up only, or the order of two sums turned round."""
    first, second = rng.sample(LETTERS, 2)
    swap = {first: second, second: first}
    if isinstance(e, Sum) and len(e.limits) > 1 and rng.random() < 0.5:
        return Sum(e.function, *reversed(e.limits))
    if isinstance(e, Sum | Product) and rng.random() < 0.5:
        return e.func(e.function.xreplace(swap), *e.limits)
    return e.xreplace(swap)


def families(rng: random.Random) -> Case:
    """Families of which the domain says more: an order of two entries, a bound on one, a total."""
    of, sizes = rng.choice([pi, r, P]), [2, 2, 3, 4, 1]
    bound = rng.choice([Rational(1, 4), Rational(1, 2), Rational(3, 4), sp.S.One, 1 / n, x])
    kind: Any = {
        pi: [simplex(pi, n), simplex(pi, n, x), simplex(pi, n)],
        r: [reals(r, n)],
        P: [positives(P, n), reals(P, n)],
    }[of]
    said = rng.choice(
        [
            of[1] < of[2],
            of[1] >= Rational(3, 4),
            of[n] > bound,
            of[1] + of[2] >= bound,
            Eq(of[1], of[2]),
            of[o] >= bound,
        ]
    )
    family = rng.choice(kind)
    constraints = (family, n >= rng.choice([1, 2, 2]), x > 0, x < 2, *([said] if rng.random() < 0.7 else []))
    total, squares = Sum(of[k], (k, 1, n)), Sum(of[k] ** 2, (k, 1, n))
    left, right = rng.choice(
        [
            (of[1], of[2]),
            (of[1] ** 2, of[2] ** 2),
            (of[o], bound),
            (of[o] + of[o_], bound),
            (of[n], bound),
            (total, bound * n),
            (total, of[1]),
            (squares, bound * total),
            (squares * n, total**2),
            (total**2, squares),
            (Sum(of[k] * of[j], (k, 1, n), (j, 1, n)), total**2),
            (exp(of[1]), 1 + of[1]),
            (Max(of[1], of[2]), of[2]),
            (Sum(of[n + 1 - k], (k, 1, n)), total),
            (Sum(of[k + 1] - of[k], (k, 1, n - 1)), of[n] - of[1]),
            (Sum(k * of[k], (k, 1, n)), total * n),
        ]
    )
    places = []
    for size in rng.choices(sizes, k=12):
        whole = Fraction(rng.randint(1, 7), 4) if family.total == x else Fraction(1)
        entries = [p * whole for p in policy(rng, size)] if of is pi else _numbers(rng, size, family.positive)
        within = {letter: Fraction(rng.randint(1, size)) for letter in (o, o_)}
        places.append({of.label: entries, n: Fraction(size), x: whole, **within})
    formula = rng.choice([sp.Ge, sp.Gt, sp.Le, sp.Lt, sp.Eq, sp.Ne])(left, right, evaluate=False)
    return Case(Always(formula), constraints, tuple(places))


def _numbers(rng: random.Random, size: int, positive: bool) -> list[Fraction]:
    return [Fraction(rng.randint(1 if positive else -6, 6), rng.choice([1, 2, 4])) for _ in range(size)]


_TRUE: tuple[tuple[tuple[Any, ...], Any], ...] = (
    ((x,), x**2 + 1 > x),
    ((x > 0,), x + 1 / x >= 2),
    ((x > 0, y > x), y**2 > x**2),
    ((0 < x, x < 1), x * (1 - x) <= Rational(1, 4)),
    ((x >= 1, y >= 1), x * y >= x),
    ((reals(r, n), n >= 1), And(k <= n, r[k] ** 2 + r[k] + 1 > 0)),
    ((simplex(pi, n), n >= 2), pi[k] < 1),
    ((simplex(pi, n), n >= 2), pi[1] + pi[2] <= 1),
    ((n >= 1, k >= n), k * n >= 1),
    ((x, n >= 0), Eq(Sum(x, (j, 1, n)), n * x, evaluate=False)),
    ((reals(r, n), n >= 1, x), Sum((r[j] - x) ** 2, (j, 1, n)) >= 0),
)


def citation(rng: random.Random) -> Case:
    """What a true claim says at values of its letters, which may lie outside of what it is about."""
    constraints, formula = rng.choice(_TRUE)
    reals_in, wholes_in = ([s for s in (x, y) if formula.has(s)], [s for s in (k, n) if formula.has(s)])
    reals_for = [x, y, -x, 1 / x, x - 1, x + y, log(x), sqrt(x), Rational(1, 2), sp.Integer(3), x * y, j, y**2]
    wholes_for = [k, n, n + 1, k + 1, n - 1, sp.Integer(0), sp.Integer(1), sp.Integer(2), sp.Integer(3), G, k + n]
    chosen = {s: rng.choice(reals_for) for s in reals_in if rng.random() < 0.7}
    chosen |= {s: rng.choice(wholes_for) for s in wholes_in if rng.random() < 0.6}
    kept = tuple(c for c in constraints if not isinstance(c, sp.Basic) or rng.random() < 0.6)
    free = [s for s in (x, y, k, n, G, j) if rng.random() < 0.5]
    ends = [s >= rng.choice([0, 1, 2]) for s in free] + [s <= rng.choice([2, 3]) for s in free if rng.random() < 0.5]
    base = Result(__file__).claim("cited", Always(formula), Domain(*constraints), locator="-", title="-")
    said = formula.subs(chosen, simultaneous=True)
    if rng.random() < 0.2:
        said = formula
    values = (at(base, chosen) if chosen else base,)
    places = []
    for _ in range(24):
        size = rng.randint(1, 4)
        numbers = {s: Fraction(rng.randint(-2, 4)) for s in (k, n, G, j)} | {n: Fraction(size)}
        numbers |= {s: Fraction(rng.randint(-6, 9), rng.choice([1, 2, 3])) for s in (x, y)}
        places.append({**numbers, r.label: _numbers(rng, size, False), pi.label: policy(rng, size)})
    return Case(Always(said).by(Follows(given=values)), (*kept, *ends), tuple(places))


def random_numbers(rng: random.Random) -> Case:
    """Means and variances of sums and products of random numbers, right and wrong."""
    a, b = rational(rng), rational(rng)
    weight, mean, variance = (
        rng.choice([sp.S.One, i, 1 / sp.Integer(2)]),
        rng.choice([x, x * i, y]),
        rng.choice([x, x * i]),
    )
    first = Random(r, i, 1, n, mean=mean, variance=variance)
    second = Random(P, i, 1, n, mean=y, independent=rng.random() < 0.5)
    shared = Random(r, o, 1, n, covariance=KroneckerDelta(o, o_) * x + y, other=o_)
    over, both = (i, 1, n), Sum(P[i], (i, 1, n))
    asked, numbers, truly = rng.choice(
        [
            (MeanOf(a * Sum(weight * r[i], over)), (first,), a * Sum(weight * mean, over)),
            (MeanOf(a * Sum(r[i], over) + b * both), (first, second), a * Sum(mean, over) + b * n * y),
            (VarianceOf(a * Sum(weight * r[i], over)), (first,), a**2 * Sum(weight**2 * variance, over)),
            (VarianceOf(a * Sum(r[o], (o, 1, n))), (shared,), a**2 * (n * x + n**2 * y)),
            (MeanOf(Product(P[i], over)), (second,), y**n if second.independent else None),
            (MeanOf(Product(P[i], over)), (first, second), y**n if second.independent else None),
        ]
    )
    right = sp.sympify(truly if truly is not None else y**n)
    spoiled: list[Callable[[], sp.Expr]] = [
        lambda: right,
        lambda: right,
        lambda: right.doit(),
        lambda: right + 1,
        lambda: right * n,
        lambda: right.xreplace({x: y}),
        lambda: right.xreplace({n: n - 1}),
    ]
    claimed = rng.choice(spoiled)()
    low = rng.choice([1, 2, 0, -1])
    places = tuple(
        {x: Fraction(rng.randint(0, 6), 2), y: Fraction(rng.randint(1, 6), 3), n: Fraction(rng.randint(1, 4))}
        for _ in range(9)
    )
    statement = ForRandom(Eq(asked, claimed, evaluate=False), numbers).by(Linearity())
    return Case(
        statement,
        (x >= 0, y >= 0, n >= low),
        places,
        None if truly is not None else False,
        meant=Eq(right, claimed, evaluate=False),
    )


def large_groups(rng: random.Random) -> Case:
    """What the mean of a large group tends to, and limits along whole numbers."""
    if rng.random() < 0.5:
        a, b, c = positive(rng), rational(rng), positive(rng)
        body = rng.choice(
            [
                (a * n + b) / (c * n + 1),
                y * n / (n + a),
                sqrt(n**2 + a * n) - n,
                (1 + a / n) ** 2,
                a / n + b,
                n / (y * n + 1),
            ]
        )
        claimed = rng.choice([a / c, y, a / 2, sp.S.One, b, 1 / y, sp.S.Zero, oo])
        return Case(Tends(body, n, oo, claimed), (0 < y, y < 1), tuple({y: Fraction(m, 7)} for m in range(1, 7)))
    mean = Sum(pi[o_] * r[o_], (o_, 1, n))
    spread, square = Sum(pi[o] * (r[o] - mean) ** 2, (o, 1, n)), Sum(pi[o] * r[o] ** 2, (o, 1, n))
    claimed = rng.choice([mean, mean, mean, Sum(pi[o_] * r[o_], (o_, 1, n - 1)), Sum(r[o], (o, 1, n)) / n, x])
    variance = rng.choice([spread, spread, square - mean**2, square])
    constraints = (simplex(pi, n), reals(r, n), n >= 2, x, *([Eq(x, mean)] if rng.random() < 0.3 else []))
    places = []
    for size in (2, 3, 3, 4):
        chances, rewards = policy(rng, size), _numbers(rng, size, False)
        average = sum((p * v for p, v in zip(chances, rewards, strict=True)), Fraction(0))
        places.append({pi.label: chances, r.label: rewards, n: Fraction(size), x: average + rng.choice([0, 1])})
    return Case(
        MeanOfLargeGroups(pi, r, None, o, n, G, claimed, variance=variance).by(LargeGroups()),
        constraints,
        tuple(places),
        meant=And(Eq(claimed, mean, evaluate=False), Eq(variance, spread, evaluate=False), evaluate=False),
    )


IN_SCOPES = (binders, families, citation, random_numbers, large_groups)
