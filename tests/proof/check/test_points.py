"""A point that satisfies a query goes through every rule: one of the branches that the rule leads to has it, in its new
variables, and no sum contradicts it. Rules, facts and polynomials are drawn by chance, always the same.
"""

from __future__ import annotations

import random
from fractions import Fraction

import pytest
from arithmetic_queries import holds, query

from grpo_symbolic.proof.check import Refused
from grpo_symbolic.proof.check.branch import Branch
from grpo_symbolic.proof.check.certificate import Multiple, Product, Sum
from grpo_symbolic.proof.check.polynomials import Work
from grpo_symbolic.proof.check.replay import between, contradicts, cut, fact, reduced, solved, split, start

QUERIES = [
    (("0 <= x", "x < 1", "x <= y", "y < 2", "x*y != 1", "z*(1 + x) == y", "y <= 1 or z < 1"), {"x": 0, "y": 1, "z": 1}),
    (("0 < x", "x < y", "y < z", "z < 5", "x*z <= y**2", "w == x*y - z"), {"x": 1, "y": 2, "z": 3, "w": -1}),
    (
        ("0 <= r", "r**2 == x", "s**2 == y", "r <= s", "x + y == 5", "q*(x - y) == 1", "x < y"),
        {"r": 1, "s": 2, "x": 1, "y": 4, "q": Fraction(-1, 3)},
    ),
    (
        ("4*r**2 == x + 1", "r <= 0", "x <= 3", "q*r == 1", "x*q <= y", "(x < 0) ^ (y < -9)"),
        {"r": -1, "x": 3, "q": -1, "y": -3},
    ),
    (("-1 <= x", "x <= 1", "y == x**3", "-1 <= y", "z*y <= x", "z != 0", "x < 1 or z <= 1"), {"x": 1, "y": 1, "z": 1}),
    (("x < 0", "d < 0", "q*d == x", "q**2*d <= x*q", "d <= x", "-7 < d"), {"x": -1, "d": -2, "q": Fraction(1, 2)}),
]


def at(branch: Branch, polynomial, point: list[Fraction]) -> Fraction:
    """The value of a polynomial."""
    total = Fraction(0)
    for monomial, coefficient in polynomial.terms():
        part = Fraction(int(coefficient))
        for x, e in zip(point, monomial, strict=True):
            part *= x ** int(e)
        total += part
    return total


def has(branch: Branch, point: list[Fraction]) -> bool:
    """Whether a point satisfies all that a branch assumes."""
    known = [(fact.unit, fact.signs) for fact in branch.facts.values()]
    known += [(relation, 2) for relation in branch.squares.values()]
    values = ((at(branch, p, point), signs) for p, signs in known)
    return not branch.closed and all(signs & (1 if v < 0 else 2 if v == 0 else 4) for v, signs in values)


def step(branch: Branch, point: list[Fraction], draw: random.Random) -> tuple[Branch, list[Fraction]]:
    """One rule, and the point after it; the rule is refused where it does not apply."""
    ring = branch.ring
    names = [sign + f.name for f in branch.facts.values() for sign in ("", "-")]
    v = draw.randrange(len(ring.names))
    variable, name = ring.names[v], draw.choice(names)
    rule = draw.choice(["solve", "reduce", "between", "between", "cut", "split"])
    if rule == "solve":
        return solved(branch, name, variable), point
    if rule == "reduce":
        return reduced(branch, name, variable), point
    if rule == "between":
        far = draw.choice([None, *names])
        after = between(branch, variable, name, far)
        near_end, far_end = (end(branch, n, v, point) if n else None for n in (name, far))
        slope = int(ring.coefficients(fact(branch, name)[0], v)[1].leading_coefficient())
        t = (point[v] - near_end) * slope if far_end is None else (point[v] - near_end) / (far_end - point[v])
        return after, [*point[:v], t, *point[v + 1 :]]
    if rule == "split" and branch.disjunctions:
        branches = split(branch, draw.choice(branch.disjunctions))
    else:
        branches = list(cut(branch, some(branch, draw)))
    found = [b for b in branches if has(b, point)]
    assert found, "no branch has the point"
    return draw.choice(found), point


def end(branch: Branch, name: str, v: int, point: list[Fraction]) -> Fraction:
    rest, slope = branch.ring.coefficients(fact(branch, name)[0], v)
    return -at(branch, rest, point) / int(slope.leading_coefficient())


def some(branch: Branch, draw: random.Random):
    """A small polynomial."""
    x = branch.ring.variables
    return draw.choice([-2, -1, 1, 2]) * draw.choice(x) + draw.randint(-2, 2) * draw.choice(x) + draw.randint(-2, 2)


def try_sums(branch: Branch, draw: random.Random) -> int:
    """Sums by chance, which all would be wrong; how many could be written."""
    ring, count = branch.ring, 0
    names = [sign + f.name for f in branch.facts.values() for sign in ("", "-")]
    for _ in range(5):
        products = tuple(
            Product(
                ring.sparse(draw.choice([ring.one, *ring.variables])),
                tuple(draw.choices(names, k=draw.randint(0, 2))),
                (ring.sparse(some(branch, draw)),) * (draw.random() < 0.2),
            )
            for _ in range(draw.randint(1, 2))
        )
        multiples = tuple(
            Multiple(ring.sparse(some(branch, draw)), draw.choice(names)) for _ in range(draw.randint(0, 1))
        )
        try:
            assert not contradicts(branch, Sum(products, multiples))
            count += 1
        except Refused:
            pass
    return count


@pytest.mark.parametrize("which", range(len(QUERIES)))
def test_a_point_goes_through_every_rule(which):
    assertions, place = QUERIES[which]
    values = {name: Fraction(value) for name, value in place.items()}
    asked = query(*assertions)
    assert all(holds(assertion, values) for assertion in asked)
    applied = sums = 0
    for seed in range(250):
        draw = random.Random(1000 * which + seed)
        branch = start(asked, {}, Work(10**9))
        point = [values[name] for name in branch.ring.names]
        assert has(branch, point)
        for _ in range(draw.randint(3, 12)):
            try:
                branch, point = step(branch, point, draw)
            except Refused:
                continue
            applied += 1
            assert has(branch, point), (which, seed)
            if max(len(f.unit) for f in branch.facts.values()) > 60:
                break
        sums += try_sums(branch, draw)
    assert applied > 100
    assert sums > 20
