"""From a term to a quotient of polynomials, by equalities that hold wherever the term is defined.

Sums over an index are linear, roots and logarithms are split where the signs of the factors are known, exponentials
follow their functional equation. What cannot be taken apart is a generator, written as a term that does not depend on
how its parts were written.
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from fractions import Fraction
from functools import reduce
from math import floor, lcm

from grpo_symbolic.proof.check.normal.hypotheses import bends, both_ways, conjuncts, ends_of, is_an_end, solved
from grpo_symbolic.proof.check.normal.quotients import (
    Polynomial,
    Quotient,
    Relation,
    Ring,
    TooLarge,
    exact,
    primes,
    primitive_part,
)
from grpo_symbolic.proof.check.normal.signs import (
    ANY,
    NEGATIVE,
    NONNEGATIVE,
    NONPOSITIVE,
    NONZERO,
    NULL,
    POSITIVE,
    Ends,
    Signs,
    raised,
    signs_of,
    times,
)
from grpo_symbolic.proof.statements.arithmetic import flint
from grpo_symbolic.terms import kleene
from grpo_symbolic.terms.families import FamilyTerms
from grpo_symbolic.terms.language import (
    MINUS_ONE,
    ONE,
    TRUE,
    ZERO,
    Add,
    Bound,
    Cases,
    Compare,
    Constant,
    Delta,
    Entry,
    Extremum,
    Formula,
    Function,
    GeneralPower,
    Implies,
    Multiply,
    Node,
    Not,
    Number,
    Or,
    Power,
    Sort,
    Term,
    Total,
    Variable,
    add,
    conjunction,
    multiply,
    negative,
    number,
    opened,
    substitute,
    subtract,
)

MOST_ADDENDS = 40  # of a sum that is written out
MOST_SPLIT = 8  # last terms of a sum that are split off

SIGNS_OF_RELATION: dict[str, Signs] = {"<": POSITIVE, "<=": NONNEGATIVE, "==": NULL, "!=": NONZERO}


class Refined(Exception):
    """A generator must be made finer (a root of higher degree, a shorter sum), and all that was built on it anew."""


@dataclass
class Units:
    """How fine the generators are: what is learnt here survives a new start."""

    roots: dict[Term, int] = field(default_factory=dict)  # f -> q where f^(1/q) is the generator
    exponentials: dict[Term, int] = field(default_factory=dict)  # t -> q where exp(t/q) is
    shortest: dict[Term, int] = field(default_factory=dict)  # h -> c where sums run to h + c at least

    def refine(self, table: dict[Term, int], key: Term, denominator: int) -> int:
        """The unit of a root or an exponential, which must be a multiple of a denominator."""
        known = table.get(key)
        if known is None:
            table[key] = denominator
        elif known % denominator:
            table[key] = lcm(known, denominator)
            raise Refined
        return table[key]

    def shorten(self, key: Term, offset: int) -> int:
        """The least number of terms of a sum with an end ``key + offset``."""
        known = self.shortest.setdefault(key, offset)
        if offset < known:
            self.shortest[key] = offset
            raise Refined
        return known


class Rewriting:
    """The quotients of terms on one domain, of which ``given`` are the hypotheses."""

    def __init__(
        self,
        oracle: Callable[[Formula], bool],
        families: Mapping[str, FamilyTerms],
        given: Sequence[Formula],
        assumed: Sequence[Formula],
        units: Units,
    ) -> None:
        """``given`` holds on the domain, ``assumed`` holds besides, where the oracle does not know it."""
        self.oracle, self.families, self.units = oracle, families, units
        self.ring = Ring()
        self.undecided: dict[Formula, None] = {}  # conditions that would have helped
        self._known: dict[Node, Quotient] = {}
        self._signs: dict[Term, Signs] = {}
        self._ranges: dict[Variable, Term] = {}  # the ends of indices, which start at 1
        self._indices: dict[tuple[Term, int], Variable] = {}
        self._depth = self._guarded = 0
        parts = [p for formula in (*given, *assumed) for p in conjuncts(formula)]
        self._assumed = tuple(assumed)
        self._hypotheses = frozenset(parts)
        self._ends = ends_of(tuple(parts))
        self._comparisons = [p for p in parts if isinstance(p, Compare)]
        self._equations = [c for c in self._comparisons if c.relation == "==" or both_ways(c, self._hypotheses)]
        self._solved = solved(tuple(self._equations))
        self._facts: list[tuple[Polynomial, Signs]] = []
        for comparison in sorted(self._comparisons, key=bends):
            if not is_an_end(comparison):
                self._learn(comparison)
        self._known, self._signs = {}, {}  # found before all was learnt

    # -- terms ----------------------------------------------------------------------------------------------------

    def __call__(self, term: Term) -> Quotient:
        """The quotient; raises :class:`TooLarge`, and :class:`ZeroDivisionError` where the term is defined nowhere."""
        quotient = self._known.get(term)
        if quotient is None:
            quotient = self._known[term] = self._value(term)
        return quotient

    def canonical(self, term: Term) -> Term:
        """The same term for all terms with one quotient."""
        return self.ring.term(self(term))

    def _value(self, term: Term) -> Quotient:
        ring = self.ring
        match term:
            case Number(value):
                return ring.constant(value)
            case Constant("e"):
                return self._exponential(ring.constant(1))
            case Variable() if term in self._solved:
                return self(self._solved[term])
            case Variable() | Constant():
                return ring.generator(term)
            case Entry(family, index):
                return ring.generator(Entry(family, self.canonical(index)))
            case Add(terms):
                return ring.sum(*map(self, terms))
            case Multiply(factors):
                return ring.product(*map(self, factors))
            case Power(base, exponent):
                return self._power(self(base), exponent)
            case GeneralPower(base, exponent):
                return self._general_power(base, exponent)
            case Function(name, argument):
                return self._function(name, argument)
            case Extremum(greatest, terms):
                return self._extremum(greatest, list(terms))
            case Cases():
                return self._cases(term)
            case Delta(left, right):
                return self._delta(left, right)
            case Total():
                return self._total(term)
        raise TypeError(f"{type(term).__name__} has no normal form")

    def _function(self, name: str, argument: Term) -> Quotient:
        ring = self.ring
        match name:
            case "exp":
                return ring.product(*map(self._exponential, self._summands(argument)))
            case "log":
                return self._logarithm(self(argument))
            case "abs":
                return self._absolute(self(argument))
            case "sign":
                return self._sign(self(argument))
        up, down = Function("exp", argument), Function("exp", negative(argument))
        sinh, cosh = (multiply(number(Fraction(1, 2)), Add((up, part))) for part in (negative(down), down))
        if name == "tanh":
            return ring.multiply(self(sinh), ring.inverse(self(cosh)))
        return self(sinh if name == "sinh" else cosh)

    # -- exponentials, powers, logarithms -------------------------------------------------------------------------

    def _summands(self, term: Term) -> Iterator[Quotient]:
        """Quotients whose sum a term is: as it is written, so that no common denominator hides what was simple."""
        match term:
            case Add(terms):
                for t in terms:
                    yield from self._summands(t)
            case Multiply(factors) if any(isinstance(f, Add) for f in factors):
                place = next(k for k, f in enumerate(factors) if isinstance(f, Add))
                chosen, rest = factors[place], (*factors[:place], *factors[place + 1 :])
                assert isinstance(chosen, Add)
                for t in chosen.terms:
                    yield from self._summands(multiply(*_flat(t), *rest))
            case _:
                yield self(term)

    def _pieces(self, a: Quotient) -> Iterator[tuple[Fraction, Quotient]]:
        """Multiples of quotients with one term above, whose sum ``a`` is."""
        ring = self.ring
        a = Quotient(ring.lifted(a.above), ring.lifted(a.below))
        whole, rest = divmod(a.above, a.below) if len(a.below) > 1 else (a.above.context().constant(0), a.above)
        for p, below in ((whole, ring.one), (rest, a.below)):
            for monomial, coefficient in p.to_dict().items():
                above = p.context().from_dict({monomial: 1})
                piece = ring.multiply(ring.polynomial(above), ring.inverse(ring.polynomial(below)))
                yield exact(coefficient), piece

    def _exponential(self, exponent: Quotient) -> Quotient:
        """``exp`` of a sum: a product of whole powers of one generator for each term."""
        ring = self.ring
        factors = []
        for coefficient, piece in self._pieces(exponent):
            alone = ring.alone(piece.above) if piece.below.is_constant() else None
            if isinstance(alone, Function) and alone.name == "log":
                factors.append(self._power(self(alone.argument), coefficient))
                continue
            key = ring.term(piece)
            unit = self.units.refine(self.units.exponentials, key, coefficient.denominator)
            argument = key if unit == 1 else multiply(number(Fraction(1, unit)), key)
            base = ring.generator(Function("exp", argument))
            factors.append(ring.power(base, int(coefficient * unit)))
        return ring.product(*factors)

    def _general_power(self, base: Term, exponent: Term) -> Quotient:
        ring = self.ring
        value = self(exponent)
        known = ring.number(value)
        if known is not None:
            return self(Power(base, known))
        if not exponent.is_whole:
            return self._power_of_positive(base, exponent)
        quotient = self(base)
        if quotient.above.is_zero():
            return ring.generator(GeneralPower(ZERO, ring.term(value)))
        scale, factors = ring.factors(quotient)
        parts = [self._power_of_positive(number(abs(scale)), exponent)]
        if scale < 0:
            parts.append(self._alternating(value))
        for f, k in factors:
            parts.append(ring.power(self._whole_power(ring.polynomial(f), exponent, value), k))
        return ring.product(*parts)

    def _power_of_positive(self, base: Term, exponent: Term) -> Quotient:
        logarithm = multiply(exponent, Function("log", base))
        return self.ring.product(*map(self._exponential, self._summands(logarithm)))

    def _alternating(self, exponent: Quotient) -> Quotient:
        """``(−1)^n`` for a whole n."""
        ring = self.ring
        constant, rest = self._offset(exponent)
        base = ring.generator(GeneralPower(MINUS_ONE, ring.term(rest)), Relation(2, ring.constant(1)))
        return ring.multiply(ring.constant((-1) ** (constant % 2)), base)

    def _whole_power(self, base: Quotient, exponent: Term, value: Quotient) -> Quotient:
        """A power of a polynomial with a whole exponent: ``f^(n + 1) = f · f^n`` where n is not negative."""
        ring = self.ring
        signs = self.signs(base)
        if signs == POSITIVE:
            return self._power_of_positive(ring.term(base), exponent)
        if signs == NEGATIVE:
            opposite = self._power_of_positive(ring.term(ring.negative(base)), exponent)
            return ring.multiply(self._alternating(value), opposite)
        key, constant, rest = ring.term(base), *self._offset(value)
        if -1 in self.signs(value):
            return ring.generator(GeneralPower(key, ring.term(value)))
        least = self.units.shorten(GeneralPower(key, ring.term(rest)), constant)
        lowest = ring.term(ring.add(rest, ring.constant(least)))
        if constant - least > MOST_SPLIT:
            return ring.generator(GeneralPower(key, ring.term(value)))
        return ring.multiply(ring.generator(GeneralPower(key, lowest)), ring.power(base, constant - least))

    def _offset(self, a: Quotient) -> tuple[int, Quotient]:
        """A whole number, and what is left of a sum without it."""
        if not a.below.is_constant():
            return 0, a
        zero = tuple(0 for _ in a.above.degrees())
        constant = next((exact(c) for m, c in a.above.to_dict().items() if tuple(m) == zero), Fraction(0))
        offset = floor(constant)
        return offset, self.ring.subtract(a, self.ring.constant(offset))

    def _power(self, base: Quotient, exponent: Fraction) -> Quotient:
        """A rational power, of a base of which no part needs a sign where the exponent is whole."""
        if exponent.denominator == 1:
            return self.ring.power(base, exponent.numerator)
        return self._root(base, exponent)

    def _root(self, base: Quotient, exponent: Fraction) -> Quotient:
        """A rational power where it is defined: the base is not negative, and not 0 under a negative exponent."""
        ring = self.ring
        if base.above.is_zero():
            return ring.constant(0) if exponent > 0 else ring.inverse(base)
        scale, factors = self._signed(base, may_vanish=exponent > 0)
        if scale < 0:  # then it is 0 wherever it is defined, and nothing is lost by leaving it
            return self._root_of(ring.term(base), base, exponent)
        parts = [self._root_of_number(scale, exponent)]
        parts += [self._root_of_positive(f, k * exponent) for f, k in factors]
        return ring.product(*parts)

    def _signed(self, a: Quotient, may_vanish: bool) -> tuple[Fraction, list[tuple[Polynomial, int]]]:
        """A number and polynomials with exponents, whose product is ``a``, each polynomial non-negative wherever ``a``
        is positive (or only non-negative, if it ``may_vanish``).
        """
        ring = self.ring
        scale, factors = ring.factors(a)
        done: list[tuple[Polynomial, int]] = []
        weak: list[tuple[Polynomial, int]] = []
        odd: list[tuple[Polynomial, int]] = []
        for raw, k in factors:
            f = ring.lifted(raw)
            signs = self.signs(ring.polynomial(f))
            strict = not may_vanish or k < 0 or 0 not in signs
            if signs - NULL in (POSITIVE, NEGATIVE):
                if signs - NULL == NEGATIVE:
                    f, scale = -f, scale * (-1) ** (k % 2)
                (done if strict else weak).append((f, k))
            elif k % 2 == 0:
                (done if strict else weak).append((self._absolute_of(f), k))
            else:
                odd.append((f, k))
        if len(odd) == 1 and not weak:  # then its sign is that of the rest
            (f, k) = odd.pop()
            done.append((f if scale > 0 else -f, k))
            scale = abs(scale)
        if not odd:
            return scale, [*done, *weak]
        mixed = reduce(ring.multiply, (ring.power(ring.polynomial(f), k) for f, k in (*odd, *weak)))
        below = mixed.below
        if not below.is_constant():  # q = n·d/d²: the sign of n/d is that of n·d
            mixed = ring.polynomial(ring.multiply(ring.polynomial(mixed.above), ring.polynomial(below)).above)
            done.append((self._absolute_of(below), -2))
        content, primitive = primitive_part(mixed.above)
        scale *= content
        return abs(scale), [*done, (primitive if scale > 0 else -primitive, 1)]

    def _root_of_number(self, value: Fraction, exponent: Fraction) -> Quotient:
        """A power of a positive number, by its primes."""
        result = self.ring.constant(1)
        for prime, k in primes(value):
            base = self.ring.constant(prime)
            result = self.ring.multiply(result, self._root_of(number(prime), base, k * exponent))
        return result

    def _root_of_positive(self, f: Polynomial, exponent: Fraction) -> Quotient:
        """A power of a polynomial that is not negative."""
        ring = self.ring
        alone = ring.alone(f)
        if isinstance(alone, Function) and alone.name == "exp":
            scaled = ring.multiply(ring.constant(exponent), self(alone.argument))
            return self._exponential(scaled)
        if isinstance(alone, Power) and alone.exponent.denominator > 1:
            return self._root_of(alone.base, self(alone.base), alone.exponent * exponent)
        quotient = ring.polynomial(f)
        return self._root_of(ring.term(quotient), quotient, exponent)

    def _root_of(self, key: Term, base: Quotient, exponent: Fraction) -> Quotient:
        """A power of what is not taken apart further, by the one root of it that is a generator."""
        ring = self.ring
        whole = floor(exponent)
        rest = exponent - whole
        result = ring.power(base, whole)
        if rest:
            unit = self.units.refine(self.units.roots, key, rest.denominator)
            root = ring.generator(Power(key, Fraction(1, unit)), Relation(unit, base))
            result = ring.multiply(result, ring.power(root, int(rest * unit)))
        return result

    def _logarithm(self, a: Quotient) -> Quotient:
        """The logarithm where it is defined: of a positive number."""
        ring = self.ring
        scale, factors = self._signed(a, may_vanish=False)
        if scale <= 0:
            raise ZeroDivisionError
        parts = [
            ring.multiply(ring.constant(k), ring.generator(Function("log", number(prime))))
            for prime, k in primes(scale)
        ]
        parts += [ring.multiply(ring.constant(k), self._logarithm_of(f)) for f, k in factors]
        return ring.sum(*parts)

    def _logarithm_of(self, f: Polynomial) -> Quotient:
        """The logarithm of a positive polynomial that is not taken apart further."""
        ring = self.ring
        alone = ring.alone(f)
        if isinstance(alone, Function) and alone.name == "exp":
            return self(alone.argument)
        if isinstance(alone, Power) and alone.exponent.denominator > 1:
            return ring.multiply(ring.constant(alone.exponent), self._logarithm(self(alone.base)))
        return ring.generator(Function("log", ring.term(ring.polynomial(f))))

    # -- what bends -----------------------------------------------------------------------------------------------

    def _absolute(self, a: Quotient) -> Quotient:
        ring = self.ring
        if a.above.is_zero():
            return a
        scale, factors = ring.factors(a)
        parts = [ring.constant(abs(scale))]
        for raw, k in factors:
            f = ring.lifted(raw)
            parts.append(ring.power(ring.polynomial(self._absolute_of(f) if k % 2 else f), k))
        return ring.product(*parts)

    def _absolute_of(self, f: Polynomial) -> Polynomial:
        """|f| as a polynomial."""
        ring = self.ring
        signs = self.signs(ring.polynomial(f))
        if -1 not in signs:
            return ring.lifted(f)
        if 1 not in signs:
            return -ring.lifted(f)
        content, primitive = primitive_part(f)
        key = self._one_of_two(ring.polynomial(primitive))
        self._open(Compare("<=", ZERO, key))
        square = ring.power(ring.polynomial(primitive), 2)
        size = flint.fmpq(abs(content.numerator), content.denominator)
        return ring.generator(Function("abs", key), Relation(2, square)).above * size

    def _one_of_two(self, a: Quotient) -> Term:
        """The same of the terms of ``a`` and ``−a``, whichever is given."""
        return min((self.ring.term(a), self.ring.term(self.ring.negative(a))), key=lambda t: t.digest)

    def _sign(self, a: Quotient) -> Quotient:
        ring = self.ring
        signs = self.signs(a)
        if len(signs) == 1:
            return ring.constant(next(iter(signs)))
        if 0 not in signs:
            return ring.multiply(self._absolute(a), ring.inverse(a))
        key = ring.term(a)
        turned = self._one_of_two(a)
        self._open(Compare("<", ZERO, key))
        self._open(Compare("<", key, ZERO))
        generator = ring.generator(Function("sign", turned), Relation(3, None))
        return generator if turned is key else ring.negative(generator)

    def _extremum(self, greatest: bool, terms: list[Term]) -> Quotient:
        """By ``max(a, b) = (a + b + |a − b|)/2``, whoever is not shown to be the greater."""
        ring = self.ring
        values = list(map(self, terms))
        result = values[0]
        for value in values[1:]:
            gap = self._absolute(ring.subtract(result, value))
            both = ring.add(result, value)
            result = ring.add(both, gap) if greatest else ring.subtract(both, gap)
            result = ring.multiply(ring.constant(Fraction(1, 2)), result)
        return result

    def _cases(self, term: Cases) -> Quotient:
        open_cases: list[tuple[Formula, Term]] = []
        default = term.default
        for condition, value in term.cases:
            decided = self.decides(condition)
            if decided is True:
                default = value
                break
            if decided is None:
                self._open(condition)
                open_cases.append((condition, value))
        if not open_cases:
            return self(default)
        self._guarded += 1  # what a branch asks need not have a meaning outside of it
        try:
            cases = tuple((condition, self.canonical(value)) for condition, value in open_cases)
            return self.ring.generator(Cases(cases, self.canonical(default)))
        finally:
            self._guarded -= 1

    def _delta(self, left: Term, right: Term) -> Quotient:
        ring = self.ring
        difference = ring.subtract(self(left), self(right))
        signs = self.signs(difference)
        if 0 not in signs:
            return ring.constant(0)
        if signs == NULL:
            return ring.constant(1)
        key = self._one_of_two(difference)
        self._open(Compare("==", key, ZERO))
        ends = sorted((self.canonical(left), self.canonical(right)), key=lambda t: t.digest)
        return ring.generator(Delta(ends[0], ends[1]), Relation(2, None))

    # -- sums and products ----------------------------------------------------------------------------------------

    def _total(self, node: Total) -> Quotient:
        ring = self.ring
        low, high = self(node.low), self(node.high)
        length = ring.number(ring.add(ring.subtract(high, low), ring.constant(1)))
        if length is not None and 0 <= length <= MOST_ADDENDS:
            start = ring.term(low)
            values = [self(opened(node, self.canonical(add(start, number(k))))) for k in range(int(length))]
            return ring.product(*values) if node.product else ring.sum(*values)
        first = ring.term(low)
        end = ring.add(ring.subtract(high, low), ring.constant(1))
        last, split = self._shortened(end)
        body = self._from_one(node, first)
        extra = [self(opened(body, self.canonical(add(last, number(k + 1))))) for k in range(split)]
        known = self._over(node.product, last, body)
        return ring.product(known, *extra) if node.product else ring.sum(known, *extra)

    def _from_one(self, node: Total, first: Term) -> Total:
        """The sum with an index that starts at 1, where its end does not matter."""
        if first is ONE:
            return node
        index = Variable("#moved", Sort.whole)
        moved = opened(node, add(index, first, MINUS_ONE))
        here = 1 + moved.height
        return Total(node.product, ONE, node.high, here, substitute(moved, {index: Bound(here)}))

    def _shortened(self, end: Quotient) -> tuple[Term, int]:
        """The end of a sum from 1, after as many of its last terms as are split off: sums to h and to h + 1 have the
        same first terms.
        """
        ring = self.ring
        offset, rest = self._offset(end)
        if -1 in self.signs(end):  # one that may be empty stays as it is
            return ring.term(end), 0
        split = offset - self.units.shorten(ring.term(rest), offset)
        if split > MOST_SPLIT:
            return ring.term(end), 0
        return ring.term(ring.subtract(end, ring.constant(split))), split

    def _over(self, product: bool, last: Term, node: Total) -> Quotient:
        """A sum or product from 1 to ``last`` of the body of ``node``."""
        self._depth += 1
        index = self._index(last)
        try:
            body = self(opened(node, index))
            return self._product(body, index, last) if product else self._sum(body, index, last)
        finally:
            self._depth -= 1

    def _index(self, last: Term) -> Variable:
        """The index of a sum from 1 to ``last``, at this depth; it has a name that nothing else has, also after a new
        start, which keeps what was learnt of the ends of sums.
        """
        key = (last, self._depth)
        if key not in self._indices:
            index = self._indices[key] = Variable(f"#index{self._depth}:{last.digest}", Sort.whole)
            self._ranges[index] = last
            self._learn(Compare("<=", index, last))
        return self._indices[key]

    def _depends(self, p: Polynomial, index: Variable) -> bool:
        return any(index in self.ring.generators[place].variables for place in self.ring.places(p))

    def _sum(self, body: Quotient, index: Variable, last: Term) -> Quotient:
        """Linear: what is free of the index leaves the sum, the rest is summed term by term. A divisor leaves it where
        it is not 0 though the sum may be empty.
        """
        ring = self.ring
        above, below = ring.lifted(body.above), ring.lifted(body.below)
        content, factors = below.factor()
        inside = outside = ring.one
        for f, k in factors:
            if self._depends(f, index) or (0 in self._signs_of(f) and not self._has_a_term(last)):
                inside *= f ** int(k)
            else:
                outside *= f ** int(k)
        whole, rest = divmod(above, inside)
        addends = []
        for p, under in ((whole, ring.one), (rest, inside)):
            for free, bound in self._separated(p, index):
                piece = ring.multiply(ring.polynomial(bound), ring.inverse(ring.polynomial(under)))
                addends.append(ring.multiply(ring.polynomial(free), self._sum_of(piece, index, last)))
        return ring.multiply(ring.sum(*addends), ring.inverse(ring.polynomial(outside * content)))

    def _has_a_term(self, last: Term) -> bool:
        """Whether a sum from 1 to ``last`` is not empty."""
        return self.signs(self(last)) == POSITIVE

    def _separated(self, p: Polynomial, index: Variable) -> Iterator[tuple[Polynomial, Polynomial]]:
        """Polynomials free of the index, each times a product of generators that are not."""
        ring = self.ring
        bound = {k for k in ring.places(p) if index in ring.generators[k].variables}
        groups: dict[tuple[int, ...], dict[tuple[int, ...], object]] = {}
        for monomial, coefficient in p.to_dict().items():
            inner = tuple(int(e) if k in bound else 0 for k, e in enumerate(monomial))
            outer = tuple(0 if k in bound else int(e) for k, e in enumerate(monomial))
            groups.setdefault(inner, {})[outer] = coefficient
        context = p.context()
        for inner, outer_terms in groups.items():
            yield context.from_dict(outer_terms), context.from_dict({inner: 1})

    def _sum_of(self, piece: Quotient, index: Variable, last: Term) -> Quotient:
        """The sum of one product of generators over one denominator."""
        ring = self.ring
        if ring.number(piece) is not None:
            return ring.multiply(piece, self(last))
        collapsed = self._collapsed(piece, index, last)
        if collapsed is not None:
            return collapsed
        alone = ring.alone(piece.above) if piece.below.is_constant() else None
        if isinstance(alone, Entry) and alone.index is index:
            family = self.families.get(alone.family)
            if family is not None and family.total is not None and self.canonical(family.size) is last:
                return self(family.total)
        return ring.generator(self._bound(False, piece, index, last))

    def _bound(self, product: bool, body: Quotient, index: Variable, last: Term) -> Total:
        """A sum or product as a term that does not show the letter of the index."""
        here = 1 + max(
            (self.ring.generators[k].height for p in body for k in self.ring.places(p)),
            default=0,
        )
        written = self.ring.term(body, {index: Bound(here)})
        return Total(product, ONE, last, here, written)

    def _collapsed(self, piece: Quotient, index: Variable, last: Term) -> Quotient | None:
        """``Σ_j δ(j, o) f(j) = f(o)`` where ``o`` lies in the range, 0 where it does not."""
        ring = self.ring
        for place in ring.places(piece.above):
            delta = ring.generators[place]
            if not isinstance(delta, Delta) or index not in delta.variables:
                continue
            other = next((b for a, b in ((delta.left, delta.right), (delta.right, delta.left)) if a is index), None)
            if other is None or index in other.variables:
                continue
            inside = conjunction(Compare("<=", ONE, other), Compare("<=", other, last))
            decided = self.decides(inside)
            if decided is False:
                return ring.constant(0)
            if decided is None:
                self._open(inside)
                continue
            rest = ring.multiply(piece, ring.inverse(ring.generator(delta)))
            return self(substitute(ring.term(rest), {index: other}))
        return None

    def _product(self, body: Quotient, index: Variable, last: Term) -> Quotient:
        """Positive factors by the sum of their logarithms, others one by one."""
        ring = self.ring
        scale, factors = ring.factors(body)
        result = self(GeneralPower(number(scale), last))
        for raw, k in factors:
            f = ring.polynomial(raw)
            if not self._depends(f.above, index):
                part = self(GeneralPower(ring.term(f), last))
            elif self.signs(f) == POSITIVE:
                part = self._exponential(self._sum(self._logarithm(f), index, last))
            else:
                part = ring.generator(self._bound(True, f, index, last))
            result = ring.multiply(result, ring.power(part, k))
        return result

    # -- zero -----------------------------------------------------------------------------------------------------

    def vanishes(self, term: Term) -> bool:
        """Whether the quotient of a term is 0, by the equations of the domain and by the sum of logarithms of 1."""
        above = self(term).above
        if above.is_zero():
            return True
        for equation in self._equations:
            known = self.ring.lifted(self(subtract(equation.left, equation.right)).above)
            if not known.is_zero():
                above = divmod(self.ring.lifted(above), known)[1]
        return above.is_zero() or self._logarithms_of_one(above)

    def _logarithms_of_one(self, p: Polynomial) -> bool:
        """Whether a polynomial is a sum of ``c (k₁ log f₁ + k₂ log f₂ + …)`` with whole exponents, where each product
        of the ``f^k`` is 1.
        """
        ring = self.ring
        logarithms = [k for k in ring.places(p) if isinstance(t := ring.generators[k], Function) and t.name == "log"]
        weights: list[tuple[Polynomial, Quotient]] = []
        for place in logarithms:
            coefficients = ring.coefficients(p, place)
            if max(coefficients) > 1 or any(coefficients[1].degrees()[k] > 0 for k in logarithms):
                return False
            term = ring.generators[place]
            assert isinstance(term, Function)
            weights.append((coefficients[1], self(term.argument)))
            p = coefficients.get(0, p.context().constant(0))
        return p.is_zero() and all(self._is_one(group) for group in _proportional(weights))

    def _is_one(self, powers: list[tuple[Fraction, Quotient]]) -> bool:
        """Whether a product of powers is 1, the exponents brought to whole numbers."""
        scale = lcm(*(k.denominator for k, _ in powers))
        if sum(abs(k * scale) for k, _ in powers) > MOST_ADDENDS:
            return False
        product = self.ring.product(*(self.ring.power(f, int(k * scale)) for k, f in powers))
        return self.ring.subtract(product, self.ring.constant(1)).above.is_zero()

    # -- signs ----------------------------------------------------------------------------------------------------

    def signs(self, a: Quotient, ask: bool = True) -> Signs:
        """The signs that a quotient may have on the domain, where it is defined; the oracle is asked last, or not."""
        above = self._signs_of(a.above, ask)
        return above if a.below.is_constant() else times(above, self._signs_of(a.below, ask) - NULL)

    def _signs_of(self, p: Polynomial, ask: bool = True) -> Signs:
        p = self.ring.lifted(p)
        possible = signs_of(p, self.ring, self._ends_of)
        if len(possible) == 1 or p.is_constant():
            return possible
        key = self.ring.term(self.ring.polynomial(p))
        if key in self._signs:
            return self._signs[key]
        narrowed = self._narrowed(possible, p, key, ask)
        if ask:
            self._signs[key] = narrowed
        return narrowed

    def _narrowed(self, possible: Signs, p: Polynomial, key: Term, ask: bool) -> Signs:
        """By the factors, by the hypotheses, and last by the oracle."""
        ring = self.ring
        scale, factors = ring.factors(ring.polynomial(p))
        if len(factors) > 1 or factors[0][1] > 1:
            by_factor: Signs = POSITIVE if scale > 0 else NEGATIVE
            for f, k in factors:
                by_factor = times(by_factor, raised(self._signs_of(f, ask), k))
            return possible & by_factor
        possible &= self._by_hypotheses(p)
        if len(possible) == 1 or not ask:
            return possible
        for signs, claim in (
            (POSITIVE, Compare("<", ZERO, key)),
            (NEGATIVE, Compare("<", key, ZERO)),
            (NONNEGATIVE, Compare("<=", ZERO, key)),
            (NONPOSITIVE, Compare("<=", key, ZERO)),
        ):
            if signs < possible and self._asks(claim):
                return signs
        return possible

    def _by_hypotheses(self, p: Polynomial) -> Signs:
        """From the hypotheses that compare a multiple of a polynomial with 0."""
        content, primitive = primitive_part(p)
        possible = ANY
        for fact, signs in self._facts:
            if self.ring.lifted(fact) == primitive:
                possible &= times(signs, POSITIVE if content > 0 else NEGATIVE)
        return possible

    def _learn(self, c: Compare) -> None:
        """The sign of a polynomial, from a hypothesis."""
        try:
            gap = self(subtract(c.right, c.left))
        except (TooLarge, ZeroDivisionError):
            return
        under = self._signs_of(gap.below) - NULL
        if len(under) == 1 and not gap.above.is_constant():
            content, primitive = primitive_part(gap.above)
            signs = times(SIGNS_OF_RELATION[c.relation], under)
            self._facts.append((primitive, times(signs, POSITIVE if content > 0 else NEGATIVE)))

    def _ends_of(self, place: int) -> Ends:
        """Between which ends a generator lies."""
        term = self.ring.generators[place]
        match term:
            case Variable() if term in self._ranges:
                return Ends(Fraction(1))
            case Variable():
                return self._ends.get(term, Ends())
            case Constant("pi"):
                return Ends(Fraction(3), True, Fraction(22, 7), True)
            case Entry(family, _) if family in self.families and self.families[family].positive:
                total = self.families[family].total
                return Ends(Fraction(0), True, total.value if isinstance(total, Number) else None, False)
            case Function("exp", argument):
                signs = self._quick(self(argument))
                if signs in (POSITIVE, NONNEGATIVE):
                    return Ends(Fraction(1), signs == POSITIVE)
                if signs in (NEGATIVE, NONPOSITIVE):
                    return Ends(Fraction(0), True, Fraction(1), signs == NEGATIVE)
                return Ends(Fraction(0), True)
            case Function("log", argument):
                signs = self._quick(self.ring.subtract(self(argument), self.ring.constant(1)))
                if signs in (POSITIVE, NONNEGATIVE):
                    return Ends(Fraction(0), signs == POSITIVE)
                if signs in (NEGATIVE, NONPOSITIVE):
                    return Ends(None, False, Fraction(0), signs == NEGATIVE)
            case Power(base, exponent) if exponent.denominator > 1:
                return Ends(Fraction(0), self._quick(self(base)) == POSITIVE)
            case Function("abs", argument):
                return Ends(Fraction(0), 0 not in self._quick(self(argument)))
            case Function("sign"):
                return Ends(Fraction(-1), False, Fraction(1), False)
            case Delta():
                return Ends(Fraction(0), False, Fraction(1), False)
            case Total():
                return self._ends_of_total(term)
        return Ends()

    def _quick(self, a: Quotient) -> Signs:
        return self.signs(a, ask=False)

    def _ends_of_total(self, node: Total) -> Ends:
        """A sum of terms of one sign has that sign, if it is not empty."""
        self._depth += 1
        index = self._index(node.high)
        try:
            signs = self._quick(self(opened(node, index)))
        finally:
            self._depth -= 1
        if -1 not in signs:
            strict = 0 not in signs and (node.product or self._quick(self(node.high)) == POSITIVE)
            return Ends(Fraction(0), strict)
        if 1 not in signs and not node.product:
            return Ends(None, False, Fraction(0), 0 not in signs and self._quick(self(node.high)) == POSITIVE)
        return Ends()

    def decides(self, formula: Formula) -> bool | None:
        """Whether a formula holds on the whole domain, or nowhere on it; ``None`` where neither is shown."""
        if formula in self._hypotheses:
            return True
        match formula:
            case Compare(relation, left, right):
                signs = self.signs(self(subtract(right, left)))
                wanted = SIGNS_OF_RELATION[relation]
                if signs <= wanted:
                    return True
                return None if signs & wanted else False
            case Implies(given, then):  # which may be a hypothesis in these words
                return self.decides(Or((Not(given), then)))
        return kleene.joined(formula, self.decides)

    def _asks(self, claim: Formula) -> bool:
        """What the oracle says, given what it does not know yet."""
        near, waiting = set[Variable](), list[Node]([claim])
        while waiting:
            new = {v for v in waiting.pop().variables if v in self._ranges} - near
            near |= new
            waiting += [self._ranges[v] for v in new]
        given: list[Formula] = list(self._assumed)
        for v in sorted(near, key=lambda v: v.name):  # a set of terms has another order in every process
            given += [Compare("<=", ONE, v), Compare("<=", v, self._ranges[v])]
        premise = conjunction(*given)
        return self.oracle(claim if premise is TRUE else Implies(premise, claim))

    def _open(self, condition: Formula) -> None:
        bound = any(v in self._ranges for v in condition.variables)
        settled = condition in self._hypotheses or any(c in self._hypotheses for c in conjuncts(Not(condition)))
        if not (self._guarded or bound or settled):
            self.undecided.setdefault(condition)


def _flat(term: Term) -> tuple[Term, ...]:
    return term.factors if isinstance(term, Multiply) else (term,)


def _proportional(weights: list[tuple[Polynomial, Quotient]]) -> list[list[tuple[Fraction, Quotient]]]:
    """Groups with coefficients that are rational multiples of one another, and those multiples."""
    groups: list[tuple[Polynomial, list[tuple[Fraction, Quotient]]]] = []
    for weight, value in weights:
        scale, primitive = primitive_part(weight)
        group = next((members for first, members in groups if first == primitive), None)
        if group is None:
            groups.append((primitive, [(scale, value)]))
        else:
            group.append((scale, value))
    return [members for _, members in groups]
