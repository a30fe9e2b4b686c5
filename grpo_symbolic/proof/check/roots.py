"""Counting real roots with Sturm sequences, parameters included.

The number of distinct roots of a polynomial in an open interval is the difference of the sign variations of its Sturm
chain at the two ends (which must not be roots). With parameters the signs are undetermined, so the checker walks
through every sign pattern that is not shown to be impossible on the domain and requires the same count in each. Chains
of polynomials with parameters use pseudo-remainders whose multipliers are squares, so that signs survive.
"""

from __future__ import annotations

import itertools
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.check.answers import refuted
from grpo_symbolic.proof.check.decision import defined, proves
from grpo_symbolic.proof.check.normal.quotients import Quotient, Relation, Ring, TooLarge
from grpo_symbolic.proof.check.queries import parts
from grpo_symbolic.proof.statements.arithmetic import Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evidence import Finding, Grade, Outcome
from grpo_symbolic.proof.statements.obligation import Obligation, RootCount
from grpo_symbolic.terms.language import (
    ZERO,
    Add,
    Compare,
    Formula,
    Multiply,
    Not,
    Number,
    Power,
    Term,
    Variable,
    conjunction,
    multiply,
)

Coefficients = list[Quotient]  # of the powers of the variable, the highest last; the last is not formally 0
Factors = tuple[int, tuple[Term, ...]]  # the sign of a number, and terms whose signs multiply with it


class _Chain:
    """The Sturm chain of a polynomial, its coefficients quotients in the parameters."""

    def __init__(self, polynomial: Term, variable: Variable) -> None:
        self.ring, self.variable = Ring(), variable
        self.ring.generator(variable)
        above = self._value(polynomial).above  # no denominator vanishes, so these are all roots
        by_power = self.ring.coefficients(above, self.ring.place(variable))
        if not by_power:
            raise Unsupported("the polynomial is 0 everywhere")
        powers = range(max(map(int, by_power)) + 1)
        first = [self.ring.polynomial(by_power[k]) if k in by_power else self.ring.constant(0) for k in powers]
        slope = [self.ring.multiply(self.ring.constant(k), c) for k, c in enumerate(first)][1:]
        self.members = [first, slope] if slope else [first]
        while len(self.members[-1]) > 1:
            rest = self._remainder(*self.members[-2:])
            if not rest:
                break
            self.members.append([self.ring.negative(c) for c in rest])

    def _value(self, term: Term) -> Quotient:
        """A term as a quotient in the variable and in what does not hold it.

        Raises :class:`Unsupported` for what is no quotient of polynomials in the variable.
        """
        ring = self.ring
        match term:
            case Number(value):
                return ring.constant(value)
            case Add(terms):
                return ring.sum(*map(self._value, terms))
            case Multiply(factors):
                return ring.product(*map(self._value, factors))
            case Power(base, exponent) if exponent.denominator == 1:
                return ring.power(self._value(base), exponent.numerator)
        if term is not self.variable and self.variable in term.variables:
            raise Unsupported(f"no polynomial in {self.variable.name}")
        if isinstance(term, Power):  # a root, of what is not negative where it is defined
            degree = term.exponent.denominator
            relation = Relation(degree, self._value(term.base))
            root = ring.generator(Power(term.base, Fraction(1, degree)), relation)
            return ring.power(root, term.exponent.numerator)
        return ring.generator(term)

    def _remainder(self, dividend: Coefficients, divisor: Coefficients) -> Coefficients:
        """Of the dividend, times an even power of the leading coefficient of the divisor; so signs survive."""
        rest, leading = list(dividend), divisor[-1]
        steps = len(dividend) - len(divisor) + 1
        for _ in range(steps):
            top, shift = rest[-1], len(rest) - len(divisor)
            rest = [self.ring.multiply(leading, c) for c in rest[:-1]]
            for k, c in enumerate(divisor[:-1]):
                rest[shift + k] = self.ring.subtract(rest[shift + k], self.ring.multiply(top, c))
        if steps % 2:
            rest = [self.ring.multiply(leading, c) for c in rest]
        while rest and rest[-1].above.is_zero():
            rest.pop()
        return rest

    def leading(self) -> list[Factors]:
        """The leading coefficients whose vanishing would change the chain."""
        return [self._factors(member[-1]) for member in self.members[1:] if len(member) > 1]

    def at(self, end: Term | str) -> list[Factors]:
        """The members at an end; at an infinite one their signs."""
        values = []
        for member in self.members:
            if isinstance(end, Term):
                x, value = self._value(end), self.ring.constant(0)
                for c in reversed(member):
                    value = self.ring.add(self.ring.multiply(value, x), c)
            else:
                value = member[-1] if end == "∞" or len(member) % 2 else self.ring.negative(member[-1])
            values.append(self._factors(value))
        return values

    def _factors(self, a: Quotient) -> Factors:
        if a.above.is_zero():
            return 0, ()
        scale, factors = self.ring.factors(a)
        odd = (self.ring.term(self.ring.polynomial(f)) for f, k in factors if k % 2)
        even = (Power(self.ring.term(self.ring.polynomial(f)), Fraction(2)) for f, k in factors if k > 0 and k % 2 == 0)
        return (1 if scale > 0 else -1), (*odd, *even)

    def terms(self) -> list[Term]:
        """The members as terms."""
        x = [self.ring.power(self.ring.generator(self.variable), k) for k in range(len(self.members[0]))]
        products = ([self.ring.multiply(c, x[k]) for k, c in enumerate(member)] for member in self.members)
        return [self.ring.term(self.ring.sum(*parts)) for parts in products]


def _patterns(values: Sequence[Factors], domain: Domain, chosen: tuple[int, ...] = ()) -> Iterator[tuple[int, ...]]:
    """Every sign pattern of the values that is feasible on the domain; an undecided branch counts as feasible."""
    if len(chosen) == len(values):
        yield chosen
        return
    sign, terms = values[len(chosen)]
    if not terms:
        yield from _patterns(values, domain, (*chosen, sign))
        return
    for assumed in (1, -1, 0):
        signs = (*chosen, assumed)
        known = [_has_sign(v, s) for v, s in zip(values, signs, strict=False) if v[1]]
        if _feasible(conjunction(*known), domain):
            yield from _patterns(values, domain, signs)


def _has_sign(value: Factors, sign: int) -> Formula:
    scale, terms = value
    product = multiply(*terms)
    match sign * scale:
        case 0:
            return Compare("==", product, ZERO)
        case 1:
            return Compare("<", ZERO, product)
    return Compare("<", product, ZERO)


def _feasible(condition: Formula, domain: Domain) -> bool:
    asked = parts(Not(condition), domain).queries
    return not all(map(refuted, [*asked.definedness, asked.main]))


def _variations(signs: tuple[int, ...]) -> int:
    nonzero = [s for s in signs if s]
    return sum(a != b for a, b in itertools.pairwise(nonzero))


@dataclass(frozen=True)
class Sturm:
    """Counts roots of polynomials for all parameters of the domain."""

    name: str = "sturm"
    engine: str = "FLINT"
    grade: Grade = Grade.exact

    def applies(self, obligation: Obligation) -> bool:
        return isinstance(obligation, RootCount)

    def check(self, obligation: Obligation) -> Finding:
        assert isinstance(obligation, RootCount)
        o = obligation
        domain = o.domain.without_symbol(o.variable)
        polynomial, variable, low, high, _ = o.read
        ends = tuple(e for e in (low, high) if isinstance(e, Term))
        assert isinstance(polynomial, Term)
        undefined = defined((polynomial, *ends), domain)
        if undefined:
            return Finding.unknown(f"not shown to be defined for all parameters\n{undefined}")
        ordered = proves(Compare("<", *ends), domain) if len(ends) == 2 else (low, high) != ("∞", "−∞") and low != high
        if not ordered or low == "∞" or high == "−∞":
            return Finding.unknown("the lower end of the interval is not shown to lie below the upper one")
        assert isinstance(variable, Variable)
        assert isinstance(low, Term | str)
        assert isinstance(high, Term | str)
        try:
            chain = _Chain(polynomial, variable)
            first, last = chain.at(low), chain.at(high)
            if any(_feasible(_has_sign(c, 0), domain) for c in chain.leading() if c[1]):
                return Finding.unknown("a leading coefficient of the Sturm chain may vanish on the domain")
            size, counts = len(first), set()
            for signs in _patterns([*first, *last], domain):
                if signs[0] == 0 or signs[size] == 0:
                    return Finding.unknown("an end of the interval may be a root")
                counts.add(_variations(signs[:size]) - _variations(signs[size:]))
        except (Unsupported, ReadingError, TooLarge, ZeroDivisionError) as reason:
            return Finding.unknown(str(reason) or type(reason).__name__)
        shown = "; ".join(str(domain.write(member)) for member in chain.terms())
        if counts == {o.count}:
            return Finding(Outcome.holds, artefact=f"Sturm chain {shown}; every feasible sign pattern gives {o.count}")
        if counts and o.count not in counts:
            return Finding(Outcome.refuted, artefact=f"Sturm chain {shown}; the feasible counts are {sorted(counts)}")
        return Finding.unknown(f"feasible counts {sorted(counts)} include patterns that are not excluded")
