"""Random statements, true ones and false variants of them, each with places where a mistake would show."""

from __future__ import annotations

import random
from collections.abc import Callable
from dataclasses import dataclass, field, replace
from fractions import Fraction
from typing import Any

import sympy as sp

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements import lemmas

SPECK = Rational(1, 10**40)


@dataclass(frozen=True)
class Case:
    """A statement on a domain; ``places`` are exact points, of which those inside the domain count. ``meant`` is what a
    sentence in words says at each of them.
    """

    statement: Any
    constraints: tuple[Any, ...]
    places: tuple[dict[Any, Any], ...] = ()
    truth: bool | None = None  # where it is known by construction
    shape: str = field(default="", compare=False)
    meant: Any = None

    @property
    def domain(self) -> Domain:
        return Domain(*self.constraints)


def rational(rng: random.Random, most: int = 6) -> sp.Rational:
    return Rational(rng.randint(-most, most), rng.randint(1, most))


def positive(rng: random.Random, most: int = 6) -> sp.Rational:
    return Rational(rng.randint(1, most), rng.randint(1, most))


def around(rng: random.Random, low: sp.Rational, high: sp.Rational) -> list[Fraction]:
    """Numbers of an interval: inside, at its ends and a hair from them."""
    found = [low + (high - low) * Rational(rng.randint(0, 24), 24) for _ in range(4)]
    found += [low, high, low + SPECK / 2, high - SPECK / 2, (low + high) / 2]
    return [Fraction(int(v.p), int(v.q)) for v in found]


def plane(rng: random.Random, ranges: dict[Any, tuple[Any, Any]]) -> tuple[dict[Any, Any], ...]:
    """Places in a box, on its diagonal too."""
    columns = {s: around(rng, *ends) for s, ends in ranges.items()}
    places = [{s: rng.choice(c) for s, c in columns.items()} for _ in range(24)]
    places += [dict.fromkeys(columns, v) for v in next(iter(columns.values()))]
    return tuple(places)


def box(rng: random.Random) -> tuple[tuple[Any, ...], dict[Any, tuple[Any, Any]]]:
    """Constraints on x and y with their ranges: open or closed, now and then with a gap of a speck."""
    ranges, constraints = {}, []
    for s in (x, y):
        low = rng.choice([sp.S.Zero, rational(rng, 4), Rational(1, 3) - SPECK])
        high = low + rng.choice([sp.S.One, positive(rng, 4)])
        ranges[s] = (low, high)
        constraints += [low < s if rng.random() < 0.7 else low <= s, s < high if rng.random() < 0.7 else s <= high]
    return tuple(constraints), ranges


def term(rng: random.Random, depth: int, safe: bool = False) -> sp.Expr:
    """A random expression in x and y; a ``safe`` one has a value everywhere."""
    if depth == 0 or rng.random() < 0.2:
        return rng.choice([x, y, x + y, x - y, x * y, rational(rng)])
    a, b = term(rng, depth - 1, safe), term(rng, depth - 1, safe)
    choices: list[Callable[[], sp.Expr]] = [
        lambda: a + b,
        lambda: a * b,
        lambda: a - rational(rng) * b,
        lambda: a**2,
        lambda: Abs(a),
        lambda: Max(a, b),
        lambda: Min(a, b),
        lambda: sqrt(a**2 + positive(rng)),
        lambda: exp(a),
        lambda: log(1 + a**2),
        lambda: a / (1 + b**2),
        lambda: Piecewise((a, x < rational(rng)), (b, True)),
    ]
    if not safe:
        choices += [
            lambda: 1 / a,
            lambda: a / b,
            lambda: sqrt(a),
            lambda: log(a),
            lambda: log(a - b),
            lambda: sqrt(a + sqrt(b)),
            lambda: a ** Rational(1, 3),
            lambda: (a**2 - b**2) / (a - b),
        ]
    return rng.choice(choices)()


def another_form(rng: random.Random, e: sp.Expr) -> sp.Expr:
    """What SymPy makes of an expression, by a rule that is right, or right in places only."""
    rules: list[Callable[[sp.Expr], sp.Expr]] = [
        sp.expand,
        sp.together,
        sp.factor,
        sp.cancel,
        lambda f: sp.expand_log(f, force=True),
        lambda f: sp.powdenest(f, force=True),
        lambda f: sp.logcombine(f, force=True),
        lambda f: f.replace(sp.Abs, lambda a: a),
        lambda f: f.replace(sp.Max, lambda *a: sum(a) / 2 + Abs(a[0] - a[-1]) / 2 if len(a) == 2 else Max(*a)),
        lambda f: f.rewrite(sp.Piecewise),
    ]
    return rng.choice(rules)(e)


def spoiled(rng: random.Random, e: sp.Expr) -> sp.Expr:
    """A slightly different expression."""
    changes: list[Callable[[], sp.Expr]] = [
        lambda: e + rng.choice([SPECK, 1, x - y]),
        lambda: e * rng.choice([2, -1, 1 + SPECK]),
        lambda: e.xreplace({x: y}),
        lambda: e.xreplace({x: x + SPECK}),
        lambda: e.xreplace({x: Abs(x)}),
    ]
    return rng.choice(changes)()


def identity(rng: random.Random) -> Case:
    constraints, ranges = box(rng)
    left = term(rng, rng.randint(1, 3))
    right = another_form(rng, left)
    if rng.random() < 0.4:
        right = spoiled(rng, right)
    return Case(Equal(left, right), constraints, plane(rng, ranges))


def inequality(rng: random.Random) -> Case:
    constraints, ranges = box(rng)
    a, b = term(rng, rng.randint(1, 2)), term(rng, rng.randint(0, 2))
    relation = rng.choice([sp.Gt, sp.Ge, sp.Lt, sp.Le, sp.Ne])
    square = (a - b) ** 2
    left, right = rng.choice([(a, b), (a**2 + b**2, 2 * a * b), (square, 0), (square + rng.choice([SPECK, 1]), 0)])
    return Case(Always(relation(left, right, evaluate=False)), constraints, plane(rng, ranges))


def lemma(rng: random.Random) -> Case:
    """A comparison whose proof may assume an instance of a lemma, at an argument that may have no logarithm."""
    constraints, ranges = box(rng)
    u = rng.choice([x - y, x - rational(rng), x * y, 1 / (x - y), x - Rational(1, 3)])
    weight = rng.choice([1, 1, 2, -1, Rational(1, 2)])
    argument = rng.choice([weight * log(u), u, weight * log(u) + y])
    instance = rng.choice([lemmas.exp_sign, lemmas.exp_positive, lemmas.exp_above_tangent])(argument)
    shown = rng.choice([sp.Gt(u, 0), sp.Ge(u, 0), sp.Ne(u, 0)])
    return Case(Always(shown, using=(instance,)), constraints, plane(rng, ranges))


def in_pieces(rng: random.Random) -> Case:
    """A domain that is not an interval, though its constraint has a constant slope."""
    seam, first, second = rational(rng, 3), positive(rng), positive(rng)
    condition = rng.choice(
        [
            Piecewise((x + first, x < seam), (x - second, True)) > 0,
            Abs(x - seam) > first,
            (x - seam) ** 2 > first,
            sp.Or(x < seam - first, x > seam + second),
            Max(x - seam, seam - x) > first,
        ]
    )
    statement = rng.choice(
        [
            Always(1 / x > 0),
            Always(x > seam),
            Monotone(-1 / (x - seam), x),
            Equal(Abs(x - seam), x - seam),
            Always(sp.Ne(x, seam)),
        ]
    )
    return Case(statement, (condition, x < 9, x > -9), plane(rng, {x: (sp.Integer(-9), sp.Integer(9))}))


def slope(rng: random.Random) -> Case:
    constraints, ranges = box(rng)
    body = term(rng, rng.randint(1, 2))
    kind = rng.choice([Monotone, Curved])
    return Case(kind(body, x, rng.choice([1, -1])), constraints, plane(rng, ranges))


def example(rng: random.Random) -> Case:
    constraints, ranges = box(rng)
    place = rng.choice(plane(rng, ranges))
    a, b = term(rng, rng.randint(1, 2)), term(rng, 1)
    relation = rng.choice([sp.Gt, sp.Ge, sp.Eq, sp.Le, sp.Ne])
    point = {s: Rational(v.numerator, v.denominator) for s, v in place.items()}
    return Case(Exists(relation(a, b, evaluate=False), point), constraints, (place,))


def roots(rng: random.Random) -> Case:
    """A polynomial by its roots, with a parameter between −1/2 and 3/2, and a count that may be wrong."""
    fixed = {rational(rng) for _ in range(rng.randint(0, 2))}
    if rng.random() < 0.2:
        fixed |= {f + SPECK for f in fixed}
    moving = rng.random() < 0.5
    low, high = sorted([rational(rng), rational(rng) + rng.choice([0, 3])])
    lower, upper = (-oo if rng.random() < 0.2 else low), (oo if rng.random() < 0.2 else high)
    if moving:
        lower, upper, fixed = Rational(-1, 2), Rational(3, 2), {f for f in fixed if abs(f) > 2}
    factors = [z - f for f in fixed] + [z - x] * moving
    if rng.random() < 0.4:
        factors.append(z**2 + positive(rng))
    if rng.random() < 0.2 and factors:
        factors.append(factors[0])
    body = sp.expand(sp.Mul(rng.choice([1, -2]), *factors) if factors else z**2 + 1)
    inside = [f for f in fixed if lower < f < upper]
    count = len(inside) + moving
    claimed = count + rng.choice([0, 0, 1, -1])
    statement: Any = Roots(body, z, claimed, lower, upper)
    known: bool | None = claimed == count
    if inside and rng.random() < 0.3:
        statement, known = UniqueRoot(body, z, inside[0], lower, upper), count == 1
    if rng.random() < 0.2 and lower != upper:  # a range that is reversed is no interval, whatever is said of it
        statement, known = replace(statement, lower=upper, upper=lower), False
    return Case(statement, (0 < x, x < 1), (), known)


def limit(rng: random.Random) -> Case:
    """A limit at 0, a number, a parameter or infinity, and a value that may be another; the statement is looked at
    close to the point.
    """
    infinite = rng.random() < 0.3
    a, b = positive(rng), rational(rng)
    body = rng.choice(
        [
            a * z + b,
            (a * z**2 + b * z) / (z + z**2),
            (sqrt(1 + a * z) - 1) / z,
            z**a * log(z),
            exp(-a / z),
            (-z) ** Rational(1, rng.randint(2, 4)),
            z * log(b * z),
            sqrt(z**2 + a * z) - z,
            Piecewise((b, z <= 0), (a + z, True)),
            Abs(z) / z,
            Max(z, 0) / z,
            Min(z, z**2) / z,
            sp.sign(z) * a + z,
            y * z / (1 + z),
            (y - Rational(1, 2)) / z,
            (exp(a * z) - 1) / z,
            z ** rng.randint(1, 3) * (b - z) ** Rational(1, 3),
            (a * z + y) / (b * z + 1),
            Abs(a * z) * b / z,
            sp.sign(z**2 + z * y) + b,
            Max(z * a, z * b) / z,
            Abs(exp(z) - 1) / z,
        ]
    )
    value = rng.choice([b, a, 0, 1, -1, oo, -oo, a / 2, y, a + b])
    at, side = (oo, "+") if infinite else (rng.choice([sp.S.Zero, b, y]), rng.choice("+-"))
    if at in (b, y):
        body = body.xreplace({z: z - at})
    places = tuple({y: v} for v in around(rng, sp.S.Zero, sp.S.One))
    return Case(Tends(body, z, at, value, side), (0 < y, y < 1), places)


def policy(rng: random.Random, size: int) -> list[Fraction]:
    weights = [Fraction(rng.randint(1, 9)) for _ in range(size)]
    return [w / sum(weights) for w in weights]


def group(rng: random.Random) -> Case:
    """Sums over answers and over the members of a group: penalties, means, variances, advantages."""
    mean = Sum(r[j], (j, 1, G)) / G
    variance = Sum((r[j] - mean) ** 2, (j, 1, G)) / G
    rewards, policies = (reals(r, G), G >= 2), (simplex(pi, n), simplex(ref, n), n >= 2)
    ratio = ref[o] / pi[o]
    made: list[tuple[Any, Any, tuple[Any, ...]]] = [
        (Sum(r[i] - mean, (i, 1, G)), 0, rewards),
        (variance, Sum(r[j] ** 2, (j, 1, G)) / G - mean**2, rewards),
        (Sum((r[i] - mean) ** 2, (i, 1, G)), G * variance, rewards),
        (r[i] - (Sum(r[j], (j, 1, G)) - r[i]) / (G - 1), G * (r[i] - mean) / (G - 1), rewards),
        (Sum(r[i] * (r[i] - mean), (i, 1, G)) / G, variance, rewards),
        (Sum(pi[o] * log(ratio), (o, 1, n)), -Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n)), policies),
        (Sum(pi[o] * (ratio - 1 - log(ratio)), (o, 1, n)), Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n)), policies),
        (Sum(pi[k] * Sum(ref[o], (o, 1, n)), (k, 1, n)), 1, policies),
        (Sum(Sum(pi[o] * ref[k], (k, 1, n)), (o, 1, n)), 1, policies),
        (
            Sum((pi[o] - ref[o]) ** 2, (o, 1, n)),
            Sum(pi[o] ** 2, (o, 1, n)) + Sum(ref[o] ** 2, (o, 1, n)) - 2 * Sum(pi[o] * ref[o], (o, 1, n)),
            policies,
        ),
    ]
    left, right, constraints = rng.choice(made)
    spoiling: list[Callable[[sp.Expr], sp.Expr]] = [
        lambda e: e,
        lambda e: e.subs(G, G - 1),
        lambda e: e * 2 + 1,
        lambda e: e.replace(Sum, lambda body, *limits: Sum(body**2, *limits)),
        lambda e: e.xreplace({sp.Integer(1): sp.Integer(2)}),
        lambda e: e.xreplace({o: k}),
        lambda e: e.xreplace({n: n - 1}),
    ]
    right = rng.choice(spoiling)(sp.sympify(right))
    places = []
    for size in (2, 2, 3, 4):
        entries = {
            r.label: [Fraction(rng.randint(-2, 2)) for _ in range(size)],
            pi.label: policy(rng, size),
            ref.label: policy(rng, size),
        }
        places.append({**entries, n: Fraction(size), G: Fraction(size), i: Fraction(rng.randint(1, size))})
    statement = Equal(left, right)
    if rng.random() < 0.2:
        statement = Always(rng.choice([sp.Ge, sp.Gt, sp.Le])(left - right, 0, evaluate=False))
    return Case(statement, constraints, tuple(places))


def counted(rng: random.Random) -> Case:
    """Sums whose ends may be no whole numbers, or reversed, and deltas."""
    low, high = rng.choice([(1, x), (x, x + 1), (1, n), (n, 3), (1, n / 2), (2, n), (1, Rational(7, 2))])
    body = rng.choice([sp.S.One, k, y, k * y, y**k])
    claimed = rng.choice(
        [
            high - low + 1,
            y * (high - low + 1),
            1,
            n,
            Sum(body.xreplace({k: j}), (j, low, high)),
            2 * Sum(body, (k, low, high)),
        ]
    )
    places = tuple(
        {x: Fraction(rng.randint(1, 9), 2), y: Fraction(1, 3), n: Fraction(rng.randint(1, 5))} for _ in range(9)
    )
    return Case(
        Equal(rng.choice([1, 2]) * Sum(body, (k, low, high)), claimed), (x > 0, x < 5, y > 0, n >= 1, n <= 5), places
    )


PLAIN = (identity, inequality, lemma, in_pieces, slope, example, roots, limit, group, counted)
