"""Polynomials with whole coefficients in the variables of one query. Every operation is counted before it is done, so
that nothing, however it was written, takes more than a fixed amount of work.

A polynomial stands for its sign here: where a result is given "up to a positive factor", that is all that is kept.
"""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from string import ascii_letters
from typing import TypeAlias

from flint import Ordering, fmpz, fmpz_mpoly, fmpz_mpoly_ctx

from grpo_symbolic.errors import BadInput

MOST_WORK = 4_000_000  # products of machine words, in one replay: some tenths of a second
CALL = 50  # of the same, what any operation takes
MOST_DEGREE = 400  # of any polynomial
FEW = 300  # terms at most, where flint substitutes at once
NAME_LENGTH = 5  # letters of a digest, of 52 each: 28 bits

Monomial: TypeAlias = tuple[tuple[str, int], ...]
Sparse: TypeAlias = tuple[tuple[int, Monomial], ...]  # a polynomial outside of any query: coefficients and monomials


class Refused(BadInput):
    """A query or a certificate that is not taken, with the reason in one sentence."""


def named(content: str) -> str:
    """A short digest: it finds what a certificate names, and nothing else rests on it."""
    value = int.from_bytes(hashlib.blake2s(content.encode(), digest_size=8).digest(), "big")
    letters = []
    for _ in range(NAME_LENGTH):
        value, k = divmod(value, len(ascii_letters))
        letters.append(ascii_letters[k])
    return "".join(letters)


class Work:
    """The work that is left."""

    def __init__(self, left: int) -> None:
        self.left = left

    def spend(self, work: int) -> None:
        """Count work before it is done; raises :class:`Refused` where less is left."""
        self.left -= work
        if self.left < 0:
            raise Refused("the certificate asks for more work than a replay may take")


class Ring:
    """The polynomials in given variables, and the work that is left for them.

    The variables are sorted by name and compared by degree first, so the order of monomials, and with it the way a
    polynomial is written, does not change where others join.
    """

    def __init__(self, variables: Iterable[str], work: Work) -> None:
        self.names = tuple(sorted(variables)) or ("_",)
        self.place = {name: k for k, name in enumerate(self.names)}
        self.context = fmpz_mpoly_ctx.get(self.names, Ordering.degrevlex)
        self.variables = self.context.gens()
        self.zero, self.one = self.context.constant(0), self.context.constant(1)
        self.spend = work.spend

    def index(self, name: str) -> int:
        """The place of a variable; raises :class:`Refused` for one that does not occur."""
        if name not in self.place:
            raise Refused(f"the query has no variable {name!r}")
        return self.place[name]

    def times(self, left: fmpz_mpoly, right: fmpz_mpoly) -> fmpz_mpoly:
        """The product of two polynomials."""
        self.spend(CALL + _words(left) * _words(right))
        if left.total_degree() + right.total_degree() > MOST_DEGREE:
            raise Refused(f"a polynomial of more than degree {MOST_DEGREE} would be needed")
        return left * right

    def power(self, base: fmpz_mpoly, exponent: int) -> fmpz_mpoly:
        """A natural power."""
        if exponent > MOST_DEGREE:
            raise Refused(f"a power of more than {MOST_DEGREE} would be needed")
        result = self.one
        for _ in range(exponent):
            result = self.times(result, base)
        return result

    def polynomial(self, sparse: Sparse) -> fmpz_mpoly:
        """What a certificate writes as a polynomial."""
        terms: dict[tuple[int, ...], int] = {}
        self.spend(CALL + len(sparse) * len(self.names))
        for coefficient, monomial in sparse:
            exponents = [0] * len(self.names)
            for name, exponent in monomial:
                exponents[self.index(name)] += exponent
            if sum(exponents) > MOST_DEGREE:
                raise Refused(f"a polynomial of more than degree {MOST_DEGREE} is written")
            key = tuple(exponents)
            terms[key] = terms.get(key, 0) + coefficient
        return self.context.from_dict(terms)

    def sparse(self, polynomial: fmpz_mpoly) -> Sparse:
        """A polynomial as a certificate writes it."""
        return tuple(
            (int(c), tuple((self.names[k], int(e)) for k, e in enumerate(m) if e)) for m, c in polynomial.terms()
        )

    def coefficients(self, polynomial: fmpz_mpoly, variable: int) -> list[fmpz_mpoly]:
        """The coefficients of the powers of one variable, from the constant one up; of zero, ``[0]``."""
        degree = max(polynomial.degrees()[variable], 0)
        if degree == 0:
            return [polynomial]
        self.spend(CALL + 4 * len(polynomial))
        parts: list[dict[tuple[int, ...], int]] = [{} for _ in range(degree + 1)]
        for exponents, coefficient in polynomial.terms():
            parts[exponents[variable]][(*exponents[:variable], 0, *exponents[variable + 1 :])] = coefficient
        return [self.context.from_dict(part) for part in parts]

    def replaced(self, polynomial: fmpz_mpoly, variable: int, above: fmpz_mpoly, below: fmpz_mpoly) -> fmpz_mpoly:
        """``polynomial · belowⁿ`` at ``variable = above / below``, n its degree: for ``below > 0``, the same sign."""
        degree = polynomial.degrees()[variable]
        if degree <= 0 or (below == 1 and above == self.variables[variable]):
            return polynomial
        most = len(polynomial) * (len(above) + 1) ** degree if degree < 8 else FEW + 1
        if below == 1 and most <= FEW and polynomial.total_degree() + degree * above.total_degree() <= MOST_DEGREE:
            self.spend(CALL + most * _words(polynomial) * _words(above) ** degree)
            return polynomial.compose(*self.variables[:variable], above, *self.variables[variable + 1 :])
        *rest, result = self.coefficients(polynomial, variable)
        scale = self.one
        for coefficient in reversed(rest):
            result, scale = self.times(result, above), scale if below == 1 else self.times(scale, below)
            result += self.times(coefficient, scale)
        return result

    def remainder(self, polynomial: fmpz_mpoly, variable: int, relation: fmpz_mpoly) -> tuple[fmpz_mpoly, int]:
        """A polynomial of degree 1 in the variable, and a number > 0 times which the given one is equal to it wherever
        ``relation`` is zero. That has the form ``a · variable² − N``, a number ``a`` > 0, ``N`` without the variable.
        """
        if polynomial.degrees()[variable] <= 1:
            return polynomial, 1
        rest, _, leading = self.coefficients(relation, variable)
        coefficients = self.coefficients(polynomial, variable)
        scale = self.power(leading, (len(coefficients) - 1) // 2)
        result, value, factor = self.zero, self.one, scale  # variable^(2j) = (N/a)^j, all times a^J, the greatest J
        for k, coefficient in enumerate(coefficients):
            if k and k % 2 == 0:
                value, factor = self.times(value, -rest), factor / leading
            part = self.times(coefficient, self.times(value, factor))
            result += self.times(part, self.variables[variable]) if k % 2 else part
        return result, int(scale.leading_coefficient())


def is_constant(polynomial: fmpz_mpoly) -> bool:
    """Whether it is a number."""
    return bool(polynomial.total_degree() <= 0)


def sign(constant: fmpz_mpoly) -> int:
    """The sign, −1, 0 or 1, of a polynomial that is a number, or of its leading coefficient."""
    if constant == 0:
        return 0
    return 1 if constant.leading_coefficient() > 0 else -1


def _words(polynomial: fmpz_mpoly) -> int:
    """An upper bound of the machine words that its coefficients take, at least 1."""
    coefficients = polynomial.coeffs()
    return 1 + len(coefficients) * (1 + max(map(fmpz.bit_length, coefficients), default=0) // 64)
