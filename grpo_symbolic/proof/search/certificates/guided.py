"""The deep search with a guide: of every branch only what the contradiction needs is looked at, lemmas are tried only
where they are true, and more of them: relations between roots, and the signs of factors.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from functools import partial
from itertools import combinations, product
from math import isqrt

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import NEGATIVE, ZERO, Branch
from grpo_symbolic.proof.check.certificate import Certificate, Closed
from grpo_symbolic.proof.check.replay import strict_sign
from grpo_symbolic.proof.search.certificates import guide, sums
from grpo_symbolic.proof.search.certificates.deep import MOST_LEMMAS, Deep, known
from grpo_symbolic.proof.search.certificates.facts import (
    Inequality,
    equations,
    factored,
    inequalities,
    occurring,
    signs_of_variables,
)
from grpo_symbolic.proof.search.certificates.strategy import Search, Step, wrapped
from grpo_symbolic.proof.search.certificates.sums import Trial, product_of

MOST_ROOTS = 8  # branches inside each other in which roots are squared away at once

LONGEST = 150  # terms of what takes the place of a letter

Shown = Callable[[Branch], Certificate | None]
Fraction = tuple[fmpz_mpoly, fmpz_mpoly]
Weight = tuple[fmpz_mpoly, list[Inequality]]  # what is > 0: a multiplier, and facts


class Guided(Deep):
    """A search that asks Z3 before it works. ``busy``: it shows a lemma, all ways allowed."""

    busy = False

    def closed(self, branch: Branch, depth: int) -> Certificate | None:
        steps: list[Step] = []
        if depth == 0:
            for polynomial in (*related_roots(branch), *compared_roots(branch)):
                for way in (polynomial, -polynomial):
                    show = self.true(guide.consistent(branch), way, False)
                    lemma = None if show is None else self.lemma(branch, way, False, show)
                    if lemma is not None:
                        step, branch = lemma
                        steps.append(step)
        inner = Closed() if branch.closed else super().closed(branch, depth)
        return None if inner is None else wrapped(steps, inner)

    def inside(self, branch: Branch, depth: int) -> Certificate | None:
        narrow = guide.narrowed(branch)
        if narrow is None:
            return None
        certificate = None if narrow.disjunctions else self.direct(narrow)
        if certificate is not None:
            return certificate
        steps, branch = self.projected(narrow)
        certificate = self.direct(branch) if steps and not branch.closed else None
        if certificate is not None:
            return wrapped(steps, certificate)
        more, branch = self.extended(branch)
        steps += more
        if branch.closed:
            return wrapped(steps, Closed())
        if not branch.disjunctions:
            certificate = (self.direct(branch) if steps else None) or (
                self.unrooted(branch, depth) if depth < MOST_ROOTS else None
            )
        certificate = certificate or Search.inside(self, branch, depth)
        return None if certificate is None else wrapped(steps, certificate)

    def extended(self, branch: Branch) -> tuple[list[Step], Branch]:
        """The branch with what follows, and equations among it solved."""
        steps: list[Step] = []
        while not branch.closed and len(steps) < MOST_LEMMAS:
            lemma = next(self.followed_lemmas(branch), None)
            if lemma is None:
                break
            step, branch = lemma
            more, branch = self.eliminated(branch)
            steps += [step, *more]
        return steps, branch

    def projected(self, branch: Branch) -> tuple[list[Step], Branch]:
        """The branch without the letters that all facts bound from above or below: in their place stands that no lower
        bound is above an upper one.
        """
        steps: list[Step] = []
        while not branch.closed and not branch.disjunctions:
            for v in sorted({v for i in inequalities(branch) for v in occurring(i.polynomial)}):
                projection = self.without(branch, v)
                if projection is not None:
                    more, branch = projection
                    steps += more
                    break
            else:
                break
        return steps, branch

    def without(self, branch: Branch, v: int) -> tuple[list[Step], Branch] | None:
        """The branch without a letter, where that is no more than a few bounds of known slope."""
        with_letter = [f for f in branch.facts.values() if f.unit.degrees()[v] > 0]
        facts = [i for i in inequalities(branch) if i.polynomial.degrees()[v] > 0]
        if v in branch.squares or len(facts) != len(with_letter):
            return None
        if any(f.unit.degrees()[v] > 1 for f in with_letter):
            return None
        if any(relation.degrees()[v] > 0 for relation in branch.squares.values()):
            return None
        steps: list[Step] = []
        lower: list[tuple[Inequality, Weight]] = []
        upper: list[tuple[Inequality, Weight]] = []
        for fact in facts:
            _, slope = branch.ring.coefficients(fact.polynomial, v)
            multiplied = self.weighed(branch, slope)
            if multiplied is None:
                return None
            more, branch, way, weight = multiplied
            steps += more
            (lower if way > 0 else upper).append((fact, weight))
        if len(lower) * len(upper) > len(facts) + 1:
            return None
        for (low, below), (high, above) in product(lower, upper):
            trials = [weighted(branch, above, low), weighted(branch, below, high)]
            polynomial, _ = branch.remainder(trials[0].value + trials[1].value)
            if len(polynomial) > LONGEST:
                return None
            show = partial(self.by_bounds, trials=trials, polynomial=polynomial)
            lemma = self.lemma(branch, polynomial, low.strict or high.strict, show)
            if lemma is None:
                return None
            step, branch = lemma
            steps.append(step)
        rest = branch.copy()
        rest.facts = {content: fact for content, fact in branch.facts.items() if fact.unit.degrees()[v] <= 0}
        return steps, rest

    def by_bounds(self, contrary: Branch, trials: list[Trial], polynomial: fmpz_mpoly) -> Certificate | None:
        """Two bounds of a letter, each times the slope of the other, against what follows from them."""
        against = known(contrary, -polynomial)
        if against is None:
            return None
        return sums.solve(contrary, [*trials, product_of(contrary, [against])], self.spend, with_signs=False)

    def weighed(self, branch: Branch, slope: fmpz_mpoly) -> tuple[list[Step], Branch, int, Weight] | None:
        """The sign of a slope, and the way to multiply by its size; the branch then has the signs of its factors."""
        steps: list[Step] = []
        content, factorised = factored(slope)
        way, multiplier, names = (1 if content > 0 else -1), branch.ring.context.constant(abs(content)), []
        for factor, power in factorised:
            if is_positive(branch, factor):
                multiplier *= factor**power
                continue
            shown = self.with_sign(branch, factor)
            if shown is None:
                return None
            step, branch = shown
            steps.append(step)
            sign = strict_sign(branch, factor)
            fact = known(branch, sign * factor)
            if fact is None:
                return None
            way *= sign**power
            names += [fact] * power
        return (steps, branch, way, (multiplier, names)) if content else None

    def direct(self, branch: Branch) -> Certificate | None:
        """The cheap ways of a branch without anything that is not needed."""
        return (
            self.of_wrong_sign(branch)
            or self.products(branch, 1, 300)
            or self.planned(branch, 0, 2)
            or self.products(branch, 2, 400)
            or self.planned(branch, 1, 2)
            or self.products(branch, 3, 800, squares=True)
            or sums.squares(branch, self.spend)
        )

    def of_wrong_sign(self, branch: Branch) -> Certificate | None:
        """A fact that is a negative number times squares and what is ≥ 0."""
        for fact in inequalities(branch):
            content, factorised = factored(fact.polynomial)
            chosen, squares = [], []
            for factor, power in factorised:
                if power > 1:
                    squares.append(factor ** (power // 2))
                if power % 2:
                    turned = known(branch, factor) is None
                    content = -content if turned else content
                    chosen.append(known(branch, -factor if turned else factor))
            strict = fact.strict or (not squares and all(c is not None and c.strict for c in chosen))
            if content < 0 and strict and None not in chosen and len(factorised) + len(squares) > 1:
                trials = [product_of(branch, [c for c in chosen if c], squares), product_of(branch, [fact])]
                return sums.solve(branch, trials, self.spend, with_signs=False)
        return None

    def quick(self, branch: Branch) -> Certificate | None:
        self.spend()
        steps, branch = self.eliminated(branch)
        if branch.closed:
            return wrapped(steps, Closed())
        narrow = guide.narrowed(branch, guide.WORK // 10)
        certificate = None if narrow is None else self.direct(narrow)
        return None if certificate is None else wrapped(steps, certificate)

    def with_sign(self, branch: Branch, polynomial: fmpz_mpoly) -> tuple[Step, Branch] | None:
        if strict_sign(branch, polynomial):
            return super().with_sign(branch, polynomial)
        rest = guide.consistent(branch)
        for way in (polynomial, -polynomial):
            show = self.true(rest, way, True)
            lemma = None if show is None else self.lemma(branch, way, True, show)
            if lemma is not None:
                return lemma
        return None

    def candidates(self, branch: Branch) -> Iterator[tuple[fmpz_mpoly, bool, Shown]]:
        rest = guide.consistent(branch)
        for polynomial in (*factors(branch), *beside_roots(branch)):
            for way, strict in product((polynomial, -polynomial), (True, False)):
                if (show := self.true(rest, way, strict)) is not None:
                    yield way, strict, show
                    break
        yield from super().candidates(branch)

    def true(self, rest: Branch, polynomial: fmpz_mpoly, strict: bool) -> Shown | None:
        """The way to show that a polynomial is > 0 (or ≥ 0) by a part of a branch, where Z3 finds that it is."""
        signs = NEGATIVE | ZERO if strict else NEGATIVE
        if not guide.contradictory(rest, [(polynomial, signs)], guide.WORK // 20):
            return None

        def show(contrary: Branch) -> Certificate | None:
            alone = rest.copy()
            alone.assume(polynomial, signs)
            return Closed() if alone.closed else self.quick(alone) or self.slow(alone)

        return show

    def slow(self, branch: Branch) -> Certificate | None:
        """All ways, but for lemmas of lemmas."""
        if self.busy:
            return None
        self.busy = True
        try:
            return self.closed(branch, 1)
        finally:
            self.busy = False


def weighted(branch: Branch, weight: Weight, fact: Inequality) -> Trial:
    """A fact times a multiplier and further facts."""
    multiplier, names = weight
    trial = product_of(branch, [*names, fact])
    return trial._replace(multiplier=multiplier, value=multiplier * trial.value)


def is_positive(branch: Branch, polynomial: fmpz_mpoly) -> bool:
    """Whether its coefficients are positive and its letters are."""
    signs = signs_of_variables(branch)
    return all(c > 0 for c in polynomial.coeffs()) and all(signs.get(v) for v in occurring(polynomial))


def factors(branch: Branch) -> Iterator[fmpz_mpoly]:
    """The factors of facts whose sign is not known."""
    for polynomial in given(branch):
        if polynomial.total_degree() >= 2 and len(polynomial) <= 400:
            factorised = factored(polynomial)[1]
            if len(factorised) > 1 or any(power > 1 for _, power in factorised):
                yield from (f for f, _ in sorted(factorised, key=lambda f: len(f[0])) if not strict_sign(branch, f))


def beside_roots(branch: Branch) -> Iterator[fmpz_mpoly]:
    """P and Q of what is P + Q r ≥ 0 with a root r."""
    for fact in inequalities(branch):
        for root in branch.squares:
            parts = branch.ring.coefficients(fact.polynomial, root)
            if len(parts) == 2 and len(fact.polynomial) > 1:
                yield from (part for part in parts if part.total_degree() > 0 and not strict_sign(branch, part))


def given(branch: Branch) -> list[fmpz_mpoly]:
    """The polynomials of all facts that have a direction, and of equations."""
    return [i.polynomial for i in inequalities(branch)] + [p for _, p in equations(branch)]


def related_roots(branch: Branch) -> Iterator[fmpz_mpoly]:
    """Polynomials d·r − n·s₁…s_k that may be zero, for a root r and few others: those whose squares are in the ratio of
    two squares once all roots are expressed by the other letters. Then which of two roots is larger.
    """
    ring = branch.ring
    squares = squares_of_roots(branch)
    roots = sorted(
        squares, key=lambda root: [-len(p) - p.total_degree() for p in squares[root]]
    )  # simple ones give the others
    related: set[int] = set()
    for size in (1, 2, 3):
        for place, root in enumerate(roots):
            for others in combinations([o for k, o in enumerate(roots) if k != place and o not in related], size):
                if root in related:
                    continue
                above, below = squares[root]
                roots_of_others = ring.one
                for other in others:
                    above, below = above * squares[other][1], below * squares[other][0]
                    roots_of_others *= ring.variables[other]
                ratio = ratio_of_squares(above, below)
                if ratio is not None:
                    related.add(root)
                    numerator, denominator = ratio
                    yield denominator * ring.variables[root] - numerator * roots_of_others
                    yield denominator * ring.variables[root] + numerator * roots_of_others


def compared_roots(branch: Branch) -> Iterator[fmpz_mpoly]:
    """Differences of two roots, of which either may be the larger one."""
    names = branch.ring.names
    roots = {v for p in given(branch) for v in occurring(p) if names[v].startswith("root")}
    for a, b in combinations(sorted(roots), 2):
        yield branch.ring.variables[a] - branch.ring.variables[b]


def squares_of_roots(branch: Branch) -> dict[int, Fraction]:
    """The square of each root, a quotient of polynomials in other letters, in the order in which they need each
    other.
    """
    ring = branch.ring
    squares: dict[int, Fraction] = {}
    while True:
        for _, polynomial in equations(branch):
            top, _ = without_roots(branch, polynomial, squares)
            roots = [v for v, name in enumerate(ring.names) if name.startswith("root") and top.degrees()[v] > 0]
            if len(roots) == 1 and roots[0] not in squares and top.degrees()[roots[0]] == 2:
                rest, linear, leading = ring.coefficients(top, roots[0])
                if linear == 0:
                    squares[roots[0]] = -rest, leading
                    break
        else:
            return squares


def without_roots(branch: Branch, polynomial: fmpz_mpoly, squares: dict[int, Fraction]) -> Fraction:
    """A polynomial with the known squares of roots put in, over a denominator; what has an odd power stays."""
    ring = branch.ring
    below = ring.one
    for root, (n, d) in squares.items():
        parts = ring.coefficients(polynomial, root)
        if len(parts) > 1 and all(part == 0 for part in parts[1::2]):
            half = (len(parts) - 1) // 2
            polynomial = sum((part * n**k * d ** (half - k) for k, part in enumerate(parts[::2])), ring.zero)
            below = below * d**half
    return polynomial, below


def ratio_of_squares(above: fmpz_mpoly, below: fmpz_mpoly) -> Fraction | None:
    """n and d with n²/d² = above/below, if there are such polynomials."""
    common = above.gcd(below)
    halves = []
    for part in (above / common, below / common):
        content, factorised = factored(part)
        root = isqrt(abs(content))
        if root * root != abs(content) or not root or any(power % 2 for _, power in factorised):
            return None
        half = part.context().constant(root)
        for factor, power in factorised:
            half *= factor ** (power // 2)
        halves.append(half)
    return halves[0], halves[1]
