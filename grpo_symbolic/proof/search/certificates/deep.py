"""What is tried where the usual ways fail: simpler facts that follow, closed ends of ranges as cases, roots squared
away by the signs of what stands before them, and ranges cut in two.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import contextmanager

from flint import fmpz_mpoly

from grpo_symbolic.proof.check.branch import NEGATIVE, POSITIVE, ZERO, Branch, turned, unit_of
from grpo_symbolic.proof.check.certificate import Certificate, Closed, Cut
from grpo_symbolic.proof.check.polynomials import is_constant
from grpo_symbolic.proof.check.replay import cut, strict_sign
from grpo_symbolic.proof.search.certificates import sums
from grpo_symbolic.proof.search.certificates.facts import (
    Inequality,
    bounds,
    equations,
    factored,
    inequalities,
    occurring,
)
from grpo_symbolic.proof.search.certificates.strategy import Search, Step, wrapped
from grpo_symbolic.proof.search.certificates.sums import multiple_of, product_of

MOST_LEMMAS = 16  # in one branch
MOST_CUTS = 6  # of ranges, inside each other


class Deep(Search):
    """A search that goes on. ``done``: what was looked at on the way to the present branch."""

    def __init__(self, steps: int, late: bool) -> None:
        super().__init__(steps, late)
        self.done: set[str] = set()

    def inside(self, branch: Branch, depth: int) -> Certificate | None:
        steps: list[Step] = []
        while not branch.closed and len(steps) < MOST_LEMMAS:
            lemma = next(self.followed_lemmas(branch), None)
            if lemma is None:
                break
            step, branch = lemma
            steps.append(step)
        if branch.closed:
            return wrapped(steps, Closed())
        inner = self.closed(branch, depth + 1) if steps else super().inside(branch, depth)
        return None if inner is None else wrapped(steps, inner)

    def leaf(self, branch: Branch, depth: int) -> Certificate | None:
        certificate = super().leaf(branch, depth)
        if certificate is None and depth < 12:
            certificate = self.ended(branch, depth) or self.unrooted(branch, depth) or self.halved(branch, 0)
        return certificate

    @contextmanager
    def doing(self, key: str) -> Iterator[None]:
        """Look at something once on every way."""
        self.done.add(key)
        try:
            yield
        finally:
            self.done.discard(key)

    # -- simpler facts that follow ------------------------------------------------------------------------------------

    def followed_lemmas(self, branch: Branch) -> Iterator[tuple[Step, Branch]]:
        """The branch with one more fact, shown at once."""
        for candidate, strict, show in self.candidates(branch):
            polynomial, _ = branch.remainder(candidate)
            unit, way = unit_of(polynomial)
            key = f"{unit} {way} {strict}"
            if is_constant(polynomial) or has_sign(branch, polynomial, strict) or key in self.done:
                continue
            lemma = self.lemma(branch, polynomial, strict, show)
            if lemma is None:
                self.done.add(key)
            else:
                yield lemma

    def candidates(self, branch: Branch) -> Iterator[tuple[fmpz_mpoly, bool, Callable[[Branch], Certificate | None]]]:
        """Polynomials that may be > 0 (or ≥ 0), each with the way to show it."""
        for root in branch.squares:
            yield branch.ring.variables[root], True, self.quick
        for fact in inequalities(branch):
            if fact.polynomial.total_degree() >= 2 and len(fact.polynomial) <= 200:
                rest, taken, squares = without_known_factors(branch, fact.polynomial, fact.strict)
                if taken or squares:
                    yield rest, fact.strict, self.by_factors(rest, taken, squares, fact.name, "")
        for name, polynomial in equations(branch):
            if polynomial.total_degree() >= 2 and len(polynomial) <= 200:
                rest, taken, _ = without_known_factors(branch, polynomial, False)
                if taken:
                    yield rest, False, self.by_factors(rest, taken, [], "", name)
                    yield -rest, False, self.by_factors(-rest, taken, [], "", name)
        yield from self.numbers(branch)

    def by_factors(
        self, rest: fmpz_mpoly, taken: list[fmpz_mpoly], squares: list[fmpz_mpoly], fact: str, equation: str
    ) -> Callable[[Branch], Certificate | None]:
        """Factors > 0 and squares times what ``rest`` is not, against the fact or the equation that has all of them."""

        def show(contrary: Branch) -> Certificate | None:
            chosen = [known(contrary, p) for p in (*taken, -rest)]
            if None in chosen:
                return None
            trials = [product_of(contrary, [c for c in chosen if c], squares)]
            trials += [product_of(contrary, [i]) for i in inequalities(contrary) if i.name == fact]
            trials += [multiple_of(p, n, contrary.ring.one) for n, p in equations(contrary) if n == equation]
            return sums.solve(contrary, trials, self.spend, with_signs=False)

        return show

    def numbers(self, branch: Branch) -> Iterator[tuple[fmpz_mpoly, bool, Callable[[Branch], Certificate | None]]]:
        """Bounds by numbers that follow from a bound by a letter and that letter's own."""
        facts = [f for f in inequalities(branch) if f.polynomial.total_degree() == 1]
        alone = [f for f in facts if len(occurring(f.polynomial)) == 1]
        for pair in (f for f in facts if len(occurring(f.polynomial)) == 2):
            for w in occurring(pair.polynomial):
                for number in alone:
                    a, b = (slope(branch, f.polynomial, w) for f in (pair, number))
                    if a * b >= 0:
                        continue
                    polynomial = abs(b) * pair.polynomial + abs(a) * number.polynomial
                    if not any(looser(branch, polynomial, f.polynomial) for f in alone):
                        yield polynomial, pair.strict or number.strict, lambda c: self.products(c, 1, 300)

    # -- cases --------------------------------------------------------------------------------------------------------

    def ended(self, branch: Branch, depth: int) -> Certificate | None:
        """A closed end of a range: at it, and beside it."""
        lower, upper = bounds(branch)
        closed = {end.name for ends in (*upper.values(), *lower.values()) for end in ends if len(end.others) < 2}
        for name, polynomial, strict in inequalities(branch):
            if name in closed and not strict and (key := f"end {polynomial}") not in self.done:
                with self.doing(key):
                    return self.cut(branch, -polynomial, depth)
        return None

    def unrooted(self, branch: Branch, depth: int) -> Certificate | None:
        """P + Q r > 0 by cases of the signs of P and Q: where one is ≤ 0, squares are compared."""
        for root, relation in reversed(branch.squares.items()):
            r = branch.ring.variables[root]
            if known(branch, r) is None:
                continue
            rest, _, leading = branch.ring.coefficients(relation, root)
            for fact in inequalities(branch):
                key = f"root {fact.polynomial}"
                parts = branch.ring.coefficients(fact.polynomial, root)
                if key in self.done or len(parts) != 2 or len(fact.polynomial) == 1:
                    continue
                p, q = parts
                signs = [has_sign(branch, -p, False), has_sign(branch, -q, False)]
                if not any(signs):
                    for part in (p, q):
                        if not has_sign(branch, part, False):
                            return self.cut(branch, part, depth)
                    continue  # both ≥ 0: nothing follows
                difference = (q * q * -rest - leading * p * p) * (1 if signs[0] else -1)
                with self.doing(key):
                    lemma = self.lemma(branch, difference, fact.strict, self.by_squares(fact, p, q, r))
                    if lemma is not None:
                        step, other = lemma
                        inner = Closed() if other.closed else self.closed(other, depth + 1)
                        return None if inner is None else step(inner)
        return None

    def by_squares(
        self, fact: Inequality, p: fmpz_mpoly, q: fmpz_mpoly, r: fmpz_mpoly
    ) -> Callable[[Branch], Certificate | None]:
        """(P + Q r)² + 2 (P + Q r)(−P), or the like with −Q r, is what is to be shown."""

        def show(contrary: Branch) -> Certificate | None:
            trials = [product_of(contrary, [fact, fact])]
            for factors in ([-p], [-q, r]):
                facts = [known(contrary, f) for f in factors if not is_constant(f)]
                if None not in facts:
                    trials.append(product_of(contrary, [fact, *(f for f in facts if f)]))
            trials += [product_of(contrary, [i]) for i in inequalities(contrary) if i.name != fact.name]
            return sums.solve(contrary, trials, self.spend, with_signs=False)

        return show

    def halved(self, branch: Branch, level: int) -> Certificate | None:
        """The widest range between two numbers cut in two."""
        if level > MOST_CUTS:
            return None
        lower, upper = bounds(branch)
        polynomials = {i.name: i.polynomial for i in inequalities(branch)}
        widest = None
        for v in sorted({*lower} & {*upper}):
            ends = [
                [number_end(branch, polynomials[end.name], v) for end in side[v] if not end.others]
                for side in (lower, upper)
            ]
            if all(ends):
                (low, b), (high, d) = max(ends[0], key=ratio), min(ends[1], key=ratio)
                width = ratio((high, d)) - ratio((low, b))
                if widest is None or width > widest[0]:
                    widest = width, 2 * b * d * branch.ring.variables[v] - (low * d + high * b)
        if widest is None:
            return None
        parts: list[Certificate] = []
        for part in cut(branch, widest[1]):
            self.spend()
            certificate: Certificate | None = Closed() if part.closed else None
            for degree in (0, 1):
                certificate = certificate or self.planned(part, degree, 2)
            certificate = certificate or self.halved(part, level + 1)
            if certificate is None:
                return None
            parts.append(certificate)
        return Cut(branch.ring.sparse(widest[1]), *parts)


def known(branch: Branch, polynomial: fmpz_mpoly) -> Inequality | None:
    """The fact that a polynomial is ≥ 0, up to a positive number."""
    unit, way = unit_of(polynomial)
    fact = branch.facts.get(str(unit))
    if fact is None:
        return None
    signs = fact.signs if way > 0 else turned(fact.signs)
    if signs & NEGATIVE or signs == ZERO:
        return None
    return Inequality("-" * (way < 0) + fact.name, way * unit, signs == POSITIVE)


def has_sign(branch: Branch, polynomial: fmpz_mpoly, strict: bool) -> bool:
    """Whether the facts of the branch, as they stand, have it that a polynomial is > 0, or ≥ 0."""
    return not branch.signs(polynomial) & (NEGATIVE | ZERO if strict else NEGATIVE)


def without_known_factors(
    branch: Branch, polynomial: fmpz_mpoly, strict: bool
) -> tuple[fmpz_mpoly, list[fmpz_mpoly], list[fmpz_mpoly]]:
    """The rest of a polynomial, the factors > 0 and the squares without which it has the same sign."""
    taken: list[fmpz_mpoly] = []
    squares: list[fmpz_mpoly] = []
    content, factors = factored(polynomial)
    rest = -branch.ring.one if content < 0 else branch.ring.one
    for factor, power in factors:
        way = strict_sign(branch, factor)
        if len(factors) == 1 and power == 1:
            break
        if way:
            taken += [way * factor] * power
            rest = rest * way**power
        else:
            remaining = power % 2 if strict else power
            if remaining < power:
                squares.append(factor ** ((power - remaining) // 2))
            rest = rest * factor**remaining
    return rest, taken, squares


def slope(branch: Branch, polynomial: fmpz_mpoly, variable: int) -> int:
    """The coefficient of a variable in a polynomial of degree 1."""
    parts = branch.ring.coefficients(polynomial, variable)
    return int(parts[1].leading_coefficient()) if len(parts) == 2 else 0


def number_end(branch: Branch, polynomial: fmpz_mpoly, variable: int) -> tuple[int, int]:
    """The zero of a x + b, a numerator and a denominator > 0."""
    rest, leading = branch.ring.coefficients(polynomial, variable)
    a, b = int(leading.leading_coefficient()), 0 if rest == 0 else int(rest.leading_coefficient())
    return (-b, a) if a > 0 else (b, -a)


def ratio(quotient: tuple[int, int]) -> float:
    """About how much it is."""
    return quotient[0] / quotient[1]


def looser(branch: Branch, new: fmpz_mpoly, old: fmpz_mpoly) -> bool:
    """Whether a bound of one letter says no more than another that is known."""
    (v,) = occurring(new) or [-1]
    if v < 0 or occurring(old) != [v] or slope(branch, new, v) * slope(branch, old, v) < 0:
        return v < 0
    (a, b), (c, d) = (number_end(branch, p, v) for p in (new, old))
    return a * d <= c * b if slope(branch, new, v) > 0 else a * d >= c * b
