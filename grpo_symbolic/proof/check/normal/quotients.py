"""Quotients of polynomials over ℚ in generators, on python-flint.

A generator is a term that is not taken apart further. Some satisfy a relation that bounds their powers: a root
``g^q = f``, an absolute value ``g² = f²``, a delta ``g² = g``. Every step is an equality of real numbers wherever the
denominators met on the way do not vanish, and those are denominators of the term that is being normalised.
"""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass, field
from fractions import Fraction
from functools import lru_cache
from math import comb, gcd, lcm
from typing import Any, NamedTuple

from grpo_symbolic.proof.statements.arithmetic import flint
from grpo_symbolic.terms.language import Number, Power, Term, add, multiply, number, substitute

MOST_TERMS = 20_000  # of a polynomial
MOST_WORK = 2_000_000  # products of two terms in one multiplication

Polynomial = Any  # flint.fmpq_mpoly


class TooLarge(Exception):
    """A polynomial would have more terms than are looked at."""


class Quotient(NamedTuple):
    """``above / below`` in lowest terms, the leading coefficient of ``below`` being 1."""

    above: Polynomial
    below: Polynomial


class Relation(NamedTuple):
    """``g^degree`` is the value; without one, ``g^degree = g``."""

    degree: int
    value: Quotient | None


@lru_cache(maxsize=64)
def _context(size: int) -> Any:
    return flint.fmpq_mpoly_ctx.get([f"g{k}" for k in range(size)], "lex")


@dataclass
class Ring:
    """The generators met so far, and arithmetic of quotients in them; raises :class:`TooLarge`."""

    generators: list[Term] = field(default_factory=list)
    relations: dict[int, Relation] = field(default_factory=dict)
    _places: dict[Term, int] = field(default_factory=dict)
    _context: Any = field(default_factory=lambda: _context(8))

    # -- making ---------------------------------------------------------------------------------------------------

    def constant(self, value: Fraction | int) -> Quotient:
        """A rational number."""
        exact = Fraction(value)
        return Quotient(self._context.constant(flint.fmpq(exact.numerator, exact.denominator)), self.one)

    @property
    def one(self) -> Polynomial:
        return self._context.constant(1)

    def place(self, term: Term) -> int:
        """The number of a generator, which is made where there is none yet."""
        if term not in self._places:
            self._places[term] = len(self.generators)
            self.generators.append(term)
            if len(self.generators) > self._context.nvars():
                self._context = _context(2 * self._context.nvars())
        return self._places[term]

    def known(self, term: Term) -> bool:
        return term in self._places

    def generator(self, term: Term, relation: Relation | None = None) -> Quotient:
        """A term as a generator, with its relation."""
        place = self.place(term)
        if relation is not None:
            self.relations[place] = relation
        return Quotient(self._context.gen(place), self.one)

    def polynomial(self, p: Polynomial) -> Quotient:
        """A polynomial as a quotient."""
        return Quotient(self.lifted(p), self.one)

    def lifted(self, p: Polynomial) -> Polynomial:
        """A polynomial that was made when there were fewer generators."""
        return p if p.context() is self._context else p.project_to_context(self._context)

    # -- arithmetic -----------------------------------------------------------------------------------------------

    def add(self, a: Quotient, b: Quotient) -> Quotient:
        (p, q), (r, s) = self._lifted(a), self._lifted(b)
        if q == s:
            return self._settled(p + r, q)
        common = q.gcd(s)
        rest = s / common
        return self._settled(self._product(p, rest) + self._product(r, q / common), self._product(q, rest))

    def sum(self, *quotients: Quotient) -> Quotient:
        """The sum, of those with one denominator first."""
        groups: dict[str, tuple[Polynomial, Polynomial]] = {}
        for p, q in map(self._lifted, quotients):
            key = str(q)
            groups[key] = (groups[key][0] + p if key in groups else p, q)
        result = self.constant(0)
        for p, q in groups.values():
            result = self.add(result, self._settled(p, q))
        return result

    def multiply(self, a: Quotient, b: Quotient) -> Quotient:
        (p, q), (r, s) = self._lifted(a), self._lifted(b)
        left, right = p.gcd(s), r.gcd(q)
        if not left.is_zero() and not left.is_one():
            p, s = p / left, s / left
        if not right.is_zero() and not right.is_one():
            r, q = r / right, q / right
        return self._settled(self._product(p, r), self._product(q, s))

    def product(self, *quotients: Quotient) -> Quotient:
        result = self.constant(1)
        for q in quotients:
            result = self.multiply(result, q)
        return result

    def negative(self, a: Quotient) -> Quotient:
        return Quotient(-a.above, a.below)

    def subtract(self, a: Quotient, b: Quotient) -> Quotient:
        return self.add(a, self.negative(b))

    def inverse(self, a: Quotient) -> Quotient:
        """``1/a``, where ``a`` does not vanish; raises :class:`ZeroDivisionError` where it is 0 everywhere."""
        if a.above.is_zero():
            raise ZeroDivisionError
        return self._settled(*self._lifted(Quotient(a.below, a.above)))

    def power(self, a: Quotient, exponent: int) -> Quotient:
        """``a^exponent`` for a whole exponent."""
        if exponent < 0:
            return self.power(self.inverse(a), -exponent)
        p, q = self._lifted(a)
        return self._settled(self._raised(p, exponent), self._raised(q, exponent))

    def number(self, a: Quotient) -> Fraction | None:
        """The value, if it is a rational number."""
        if not (a.above.is_constant() and a.below.is_constant()):
            return None
        return Fraction(0) if a.above.is_zero() else exact(a.above.leading_coefficient())

    # -- taking apart ---------------------------------------------------------------------------------------------

    def factors(self, a: Quotient) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A number, and irreducible polynomials with whole exponents, the leading coefficient of each positive."""
        above, under = a.above.factor(), a.below.factor()
        scale = exact(above[0]) / exact(under[0])
        return scale, [*((f, int(k)) for f, k in above[1]), *((f, -int(k)) for f, k in under[1])]

    def places(self, p: Polynomial) -> list[int]:
        """The numbers of the generators that occur."""
        return [k for k, degree in enumerate(p.degrees()) if degree > 0]

    def alone(self, p: Polynomial) -> Term | None:
        """The generator that a polynomial is, if it is one."""
        if len(p) == 1 and p.total_degree() == 1 and p.leading_coefficient() == 1:
            return self.generators[self.places(p)[0]]
        return None

    def coefficients(self, p: Polynomial, place: int) -> dict[int, Polynomial]:
        """The coefficients of the powers of one generator."""
        by_power: dict[int, dict[Any, Any]] = {}
        for monomial, coefficient in p.to_dict().items():
            rest = (*monomial[:place], 0, *monomial[place + 1 :])
            by_power.setdefault(monomial[place], {})[rest] = coefficient
        return {k: p.context().from_dict(d) for k, d in by_power.items()}

    def term(self, a: Quotient, rule: Mapping[Term, Term] | None = None) -> Term:
        """The term that a quotient is, after ``rule`` was applied to its generators. It depends on the generators and
        not on the order in which they were met.
        """
        above = self._written(a.above, rule)
        if a.below.is_constant():
            return above
        under = Power(self._written(a.below, rule), Fraction(-1))
        return under if above == number(1) else multiply(above, under)

    def _written(self, p: Polynomial, rule: Mapping[Term, Term] | None) -> Term:
        terms = []
        for monomial, coefficient in p.to_dict().items():
            powers = []
            for place, exponent in enumerate(monomial):
                if exponent:
                    base = self.generators[place] if rule is None else substitute(self.generators[place], rule)
                    powers.append(base if exponent == 1 else Power(base, Fraction(int(exponent))))
            powers.sort(key=lambda t: t.digest)
            scale = exact(coefficient)
            terms.append(multiply(*([] if scale == 1 and powers else [Number(scale)]), *powers))
        return add(*sorted(terms, key=lambda t: t.digest))

    # -- keeping it small -----------------------------------------------------------------------------------------

    def _lifted(self, a: Quotient) -> Quotient:
        return Quotient(self.lifted(a.above), self.lifted(a.below))

    def _product(self, p: Polynomial, q: Polynomial) -> Polynomial:
        if len(p) * len(q) > MOST_WORK:
            raise TooLarge
        result = p * q
        if len(result) > MOST_TERMS:
            raise TooLarge
        return result

    def _raised(self, p: Polynomial, exponent: int) -> Polynomial:
        if exponent > 1 and len(p) > 1 and (exponent > 200 or comb(len(p) + exponent - 1, exponent) > MOST_TERMS):
            raise TooLarge
        return p**exponent

    def _settled(self, above: Polynomial, below: Polynomial) -> Quotient:
        """In lowest terms, with the powers of generators reduced by their relations."""
        for place in reversed(self.relations):
            if above.degrees()[place] > 0 or below.degrees()[place] > 0:
                above, below = self._reduced(above, below, place)
        if below.is_zero():
            raise ZeroDivisionError
        if above.is_zero():
            return Quotient(above, self.one)
        if not below.is_constant():
            common = above.gcd(below)
            if not common.is_one():
                above, below = above / common, below / common
        leading = below.leading_coefficient()
        return Quotient(above, below) if leading == 1 else Quotient(above / leading, below / leading)

    def _reduced(self, above: Polynomial, below: Polynomial, place: int) -> tuple[Polynomial, Polynomial]:
        degree, value = self.relations[place]
        if value is None:
            return self._capped(above, place, degree), self._capped(below, place, degree)
        alone = self._context.gen(place)
        lowest = min(self.coefficients(below, place))
        if lowest % degree:  # √f leaves the denominator
            up = alone ** (-lowest % degree)
            above, below = above * up, below * up
        top, scale = self._folded(above, place, degree, self._lifted(value))
        bottom, under = self._folded(below, place, degree, self._lifted(value))
        return self._product(top, under), self._product(bottom, scale)

    def _folded(self, p: Polynomial, place: int, degree: int, value: Quotient) -> tuple[Polynomial, Polynomial]:
        """``p`` times a power of the denominator of ``value``, and that power."""
        highest = max(p.degrees()[place], 0) // degree
        if not highest:
            return p, self.one
        result, alone = self._context.constant(0), self._context.gen(place)
        for exponent, coefficient in self.coefficients(p, place).items():
            whole, rest = divmod(int(exponent), degree)
            factor = self._product(self._raised(value.above, whole), self._raised(value.below, highest - whole))
            result += self._product(self._product(coefficient, factor), alone**rest)
        return result, self._raised(value.below, highest)

    def _capped(self, p: Polynomial, place: int, degree: int) -> Polynomial:
        if p.degrees()[place] < degree:
            return p
        alone, result = self._context.gen(place), self._context.constant(0)
        for exponent, coefficient in self.coefficients(p, place).items():
            k = int(exponent)
            result += coefficient * alone ** (k if k == 0 else 1 + (k - 1) % (degree - 1))
        return result


def primitive_part(p: Polynomial) -> tuple[Fraction, Polynomial]:
    """A number, and the polynomial with coprime whole coefficients, the first of them positive."""
    coefficients = [exact(c) for c in p.coeffs()]
    content = Fraction(gcd(*(c.numerator for c in coefficients)), lcm(*(c.denominator for c in coefficients)))
    if coefficients[0] < 0:
        content = -content
    return content, p / flint.fmpq(content.numerator, content.denominator)


def primes(value: Fraction) -> Iterator[tuple[int, int]]:
    """The primes of a positive number, with their exponents."""
    for part, sign in ((value.numerator, 1), (value.denominator, -1)):
        for prime, k in flint.fmpz(part).factor():
            yield int(prime), sign * int(k)


def exact(value: flint.fmpq | int) -> Fraction:
    """A rational number of FLINT."""
    rational = flint.fmpq(value)
    return Fraction(int(rational.p), int(rational.q))
