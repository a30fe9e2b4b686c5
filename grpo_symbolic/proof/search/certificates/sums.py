"""Which products of facts and multiples of equations are tried as a sum that cannot be."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from itertools import combinations, combinations_with_replacement, islice
from math import prod
from typing import NamedTuple, TypeAlias

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import Branch
from grpo_symbolic.proof.check.certificate import Multiple, Product, Sum
from grpo_symbolic.proof.check.polynomials import Refused
from grpo_symbolic.proof.check.replay import closes
from grpo_symbolic.proof.search.certificates.facts import (
    Inequality,
    equations,
    factored,
    inequalities,
    occurring,
    signs_of_variables,
)
from grpo_symbolic.proof.search.certificates.programs import Column, combination, whole

ITERATIONS = 4_000  # of the simplex method, for one program


Spend: TypeAlias = Callable[[int], None]  # counts work before it is done


class Trial(NamedTuple):
    """A product, or a multiple of an equation: how it is written, and what it amounts to."""

    multiplier: fmpz_mpoly
    facts: tuple[str, ...]
    squares: tuple[fmpz_mpoly, ...]
    equation: str
    value: fmpz_mpoly
    strict: bool


def product_of(branch: Branch, facts: Sequence[Inequality], squares: Sequence[fmpz_mpoly] = ()) -> Trial:
    """A product of facts and squares as a trial."""
    value = prod((f.polynomial for f in facts), start=branch.ring.one) * prod((q * q for q in squares), start=1)
    strict = not squares and all(f.strict for f in facts)
    return Trial(branch.ring.one, tuple(f.name for f in facts), tuple(squares), "", value, strict)


def multiple_of(equation: fmpz_mpoly, name: str, multiplier: fmpz_mpoly) -> Trial:
    """A multiple of an equation as a trial."""
    return Trial(multiplier, (), (), name, multiplier * equation, False)


def solve(branch: Branch, trials: Sequence[Trial], spend: Spend, with_signs: bool = True) -> Sum | None:
    """The trials that add up to a contradiction, as a certificate that was replayed."""
    signs = signs_of_variables(branch) if with_signs else {}
    columns, scales = [], []
    for t in trials:
        reduced, scale = branch.remainder(t.value)
        cost = 1 + 2 * len(t.facts) + len(t.squares) + t.multiplier.total_degree()
        columns.append(Column(reduced, bool(t.equation), t.strict, 0 if t.equation else cost))
        scales.append(scale)
    spend(1_000 + sum(len(c.polynomial) for c in columns))
    factors = combination(columns, signs, ITERATIONS)
    if factors is None:
        return None
    ring = branch.ring
    products: dict[tuple[tuple[str, ...], tuple[fmpz_mpoly, ...]], fmpz_mpoly] = {}
    multiples: dict[str, fmpz_mpoly] = {}
    used = [
        (t, f) for t, f in zip(trials, whole([f * s for f, s in zip(factors, scales, strict=True)]), strict=True) if f
    ]
    for t, factor in used:
        term = factor * t.multiplier
        if t.equation:
            multiples[t.equation] = multiples.get(t.equation, ring.zero) + term
        else:
            key = (t.facts, tuple(map(ring.sparse, t.squares)))
            products[key] = products.get(key, ring.zero) + term
    certificate = Sum(
        tuple(Product(ring.sparse(m), facts, squares) for (facts, squares), m in products.items()),
        tuple(Multiple(ring.sparse(m), name) for name, m in multiples.items() if m != 0),
    )
    return certificate if replayed(branch, certificate) else None


def replayed(branch: Branch, certificate: Sum) -> bool:
    """Whether the certificate closes the branch."""
    try:
        return closes(branch, certificate)
    except Refused:
        return False


def monomials(branch: Branch, variables: Iterable[int], degree: int) -> list[fmpz_mpoly]:
    """All monomials of at most this degree."""
    generators = [branch.ring.variables[v] for v in variables]
    return [
        prod(chosen, start=branch.ring.one)
        for k in range(degree + 1)
        for chosen in combinations_with_replacement(generators, k)
    ]


def products(branch: Branch, degree: int, most: int, spend: Spend, squares: bool = False) -> Sum | None:
    """Products of up to ``degree`` facts, with multiples of equations by monomials, that add up to zero."""
    usable = [i for i in inequalities(branch) if len(i.polynomial) <= 80]
    if len(usable) > 40:
        usable = usable[:8] + usable[-32:]
    trials = [product_of(branch, ())]
    trials += islice(_products(branch, usable, degree), most)
    if squares:
        trials += islice(_squares(branch, usable), max(0, most - len(trials)))
    variables = {v for i in usable for v in occurring(i.polynomial)}
    for name, polynomial in equations(branch):
        if len(polynomial) <= 100:
            near = sorted({*variables, *occurring(polynomial)})
            multipliers = monomials(branch, near, degree - 1 if len(near) <= 10 else min(1, degree - 1))[:200]
            trials += (multiple_of(polynomial, name, m) for m in multipliers)
    return solve(branch, trials, spend, with_signs=False)


def _products(branch: Branch, usable: list[Inequality], degree: int) -> Iterator[Trial]:
    layer: list[tuple[int, Trial]] = [(0, product_of(branch, ()))]
    for size in range(degree):
        following = []
        for last, trial in layer:
            for k in range(last if size else 0, len(usable)):
                name, polynomial, strict = usable[k]
                value = trial.value * polynomial
                if len(value) <= 150:
                    grown = trial._replace(facts=(*trial.facts, name), value=value, strict=trial.strict and strict)
                    following.append((k, grown))
                    yield grown
            if len(following) > 3_000:
                break
        layer = following


def _squares(branch: Branch, usable: list[Inequality]) -> Iterator[Trial]:
    ring = branch.ring
    letters = [ring.variables[v] for v in sorted({v for i in usable for v in occurring(i.polynomial)})[:8]]
    for q in [*(a - b for a, b in combinations(letters, 2)), *(part for x in letters for part in (x, x - 1))]:
        yield product_of(branch, (), [q])
        for name, polynomial, _ in usable[-12:]:
            if len(value := q * q * polynomial) <= 150:
                yield Trial(ring.one, (name,), (q,), "", value, False)


def squares(branch: Branch, spend: Spend) -> Sum | None:
    """Squares of monomials and of sums and differences of two, and few facts times such squares, that add up to the
    contrary of the longest fact.
    """
    usable = sorted(inequalities(branch), key=lambda i: (len(i.polynomial), i.polynomial.total_degree()))
    usable = [i for i in usable if len(i.polynomial) <= 200]
    if not usable:
        return None
    goal = usable[-1].polynomial
    known = usable[:6]
    trials = [product_of(branch, chosen) for chosen in ((), *((i,) for i in usable))]
    pairs = combinations_with_replacement(known, 2)
    for chosen in [(), *((i,) for i in known), *((a, b) for a, b in pairs if a.name != b.name)]:
        roots = _halves(branch, goal, product_of(branch, chosen).value)
        if len(roots) > (40, 20, 8)[len(chosen)]:
            continue
        pairs_of_roots = (part for a, b in combinations(roots, 2) for part in (a - b, a + b))
        trials += [product_of(branch, chosen, [q]) for q in (*roots, *pairs_of_roots)]
    return solve(branch, trials, spend)


def _halves(branch: Branch, goal: fmpz_mpoly, taken: fmpz_mpoly) -> list[fmpz_mpoly]:
    """The monomials whose squares, times what is ``taken``, may occur in a polynomial."""
    monoms = [tuple(map(int, m)) for m in goal.monoms()]
    room = [max(m[k] for m in monoms) - max(0, int(d)) for k, d in enumerate(taken.degrees())]
    if min(room) < 0:
        return []
    least, most = (f(sum(m) for m in monoms) for f in (min, max))
    degree, lowest = int(taken.total_degree()), min(sum(map(int, m)) for m in taken.monoms())
    letters = [k for k, e in enumerate(room) if e >= 2]
    halves = []
    for m in monomials(branch, letters, max(0, (most - degree) // 2)):
        (exponents,) = m.monoms()
        total = 2 * sum(map(int, exponents))
        if all(2 * int(e) <= room[k] for k, e in enumerate(exponents)) and least - degree <= total <= most - lowest:
            halves.append(m)
    return halves


def signs(branch: Branch, degree: int, spend: Spend) -> Sum | None:
    """Few facts times polynomials with coefficients ≥ 0 in the variables that are ≥ 0, and multiples of equations, that
    add up to coefficients ≤ 0.
    """
    ring, known = branch.ring, signs_of_variables(branch)
    facts = inequalities(branch)
    given = equations(branch)
    for alone in _alone(branch, facts, given):  # without a linear program, whose numbers have fifteen digits
        if replayed(branch, alone):
            return alone
    special = sorted((f for f in facts if any(c < 0 for c in f.polynomial.coeffs())), key=lambda f: len(f.polynomial))
    if not special and not given:
        return None
    special = special[:10]
    variables = sorted({v for p in (*(f.polynomial for f in special), *(e for _, e in given)) for v in occurring(p)})
    positive = [v for v in variables if v in known]
    multipliers = monomials(branch, positive, degree if len(positive) ** degree < 400 else max(0, degree - 1))
    trials = [product_of(branch, ())]

    def add(m: fmpz_mpoly, chosen: tuple[Inequality, ...], squares: tuple[fmpz_mpoly, ...] = ()) -> None:
        trial = product_of(branch, chosen, squares)
        if len(trial.value) <= 1500:
            is_positive = any(all(known[v] for v, e in enumerate(monomial) if e) for monomial in m.monoms())
            strict = trial.strict and is_positive
            trials.append(trial._replace(multiplier=m, value=m * trial.value, strict=strict))

    sets: list[tuple[Inequality, ...]] = [(f,) for f in special]
    if degree:
        sets += combinations_with_replacement(special[:6], 2)
    for chosen in sets[: max(1, 2500 // len(multipliers))]:
        for m in multipliers:
            add(m, chosen)
    if degree:
        pieces = [q for f in special[:5] for q in _parts(branch, f.polynomial, known)][:16]
        for f in special[:5]:
            for q in pieces:
                add(q, (f,))
        if degree >= 2:
            for f in special[:3]:
                for a, b in combinations_with_replacement(pieces[:8], 2):
                    if len(a) * len(b) < 600:
                        add(a * b, (f,))
        for q in _roots(branch, special[:4]):
            for m in multipliers if len(multipliers) < 60 else monomials(branch, positive, 1):
                add(m, (), (q,))
        free = [v for v in variables if v not in known] or variables
        for a, b in combinations(free[:5], 2):
            for m in multipliers:
                add(m, (), (ring.variables[a] - ring.variables[b],))
    top = max((t.value.total_degree() for t in trials), default=2)
    for name, polynomial in given:
        if len(polynomial) <= 400:
            room = max(degree, min(top - polynomial.total_degree(), 3))
            while len(ms := monomials(branch, variables, room)) > 600 and room:
                room -= 1
            trials += (multiple_of(polynomial, name, m) for m in ms)
    return solve(branch, trials, spend)


def _alone(branch: Branch, facts: Sequence[Inequality], given: Sequence[tuple[str, fmpz_mpoly]]) -> Iterator[Sum]:
    """A fact whose coefficients are negative, or an equation whose coefficients have one sign."""
    ring = branch.ring
    one = ring.sparse(ring.one)
    for fact in facts:
        if all(c < 0 for c in fact.polynomial.coeffs()):
            yield Sum((Product(one, (fact.name,)),))
    for name, polynomial in given:
        for way in (ring.one, -ring.one):
            if all(c < 0 for c in (way * polynomial).coeffs()):
                yield Sum((), (Multiple(ring.sparse(way), name),))


def _parts(branch: Branch, polynomial: fmpz_mpoly, known: dict[int, bool]) -> list[fmpz_mpoly]:
    """The positive and the negative coefficients of a polynomial, all, or with and without roots."""
    roots = [v for v in occurring(polynomial) if branch.ring.names[v].startswith("root")]
    pieces: list[fmpz_mpoly] = []
    terms = [(tuple(map(int, m)), c) for m, c in polynomial.terms()]
    if any(v not in known for v in occurring(polynomial)) or len(terms) > 200:
        return pieces
    for way in (1, -1):
        for chosen in (None, True, False) if roots else (None,):
            part = {
                m: c * way for m, c in terms if c * way > 0 and (chosen is None or chosen == any(m[v] for v in roots))
            }
            piece = branch.ring.context.from_dict(part)
            if part and piece not in pieces:
                pieces.append(piece)
    return pieces


def _roots(branch: Branch, special: Sequence[Inequality]) -> Iterator[fmpz_mpoly]:
    """Polynomials whose squares may touch a fact: repeated factors, and the vertex of what is quadratic in a letter."""
    for f in special:
        if len(f.polynomial) > 120:
            continue
        for v in occurring(f.polynomial):
            if f.polynomial.degrees()[v] == 2:
                _, linear, leading = branch.ring.coefficients(f.polynomial, v)
                vertex = 2 * leading * branch.ring.variables[v] + linear
                if len(vertex) <= 30:
                    yield vertex
        yield from (q for q, power in factored(f.polynomial)[1] if len(q) <= 30 and (power >= 2 or len(q) > 1))
