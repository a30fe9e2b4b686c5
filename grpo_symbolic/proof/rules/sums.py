"""Sums of any number of terms, judged term by term."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Sequence
from dataclasses import dataclass
from fractions import Fraction
from itertools import product
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    is_whole,
    one_range,
    two_sides,
    valued,
)
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evaluate import Values, rational, satisfies
from grpo_symbolic.proof.statements.points import ball_field
from grpo_symbolic.proof.statements.statement import EACH_OTHER, EACH_POINT, Always, Equal, Phrase, listed, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class TermByTerm(Rule["AtLeast"]):
    """One side exceeds the other by a sum of terms that are not negative, each of which vanishes exactly in the case of
    equality.

    ``terms`` are sums (``sympy.Sum`` over one index, or over several), in the order of the ``equality`` of the
    conclusion.
    """

    terms: tuple[sp.Expr, ...] = ()
    using: Using = ()
    theorems = ("Sentences.terms_decide_a_sum",)

    def premises(self, conclusion: AtLeast, domain: Domain) -> Iterator[Premise]:
        label, sums = conclusion.label, _sums(self.terms)
        if conclusion.equality and len(conclusion.equality) != len(sums):
            raise ClaimError("there are as many conditions of equality as sums, one for the terms of each")
        difference = Equal(conclusion.left - conclusion.right, sp.Add(*sums, evaluate=False), label=f"{label}: the gap")
        yield from two_sides(conclusion, domain)
        yield Premise(difference, domain)
        for number, total in enumerate(sums):
            inside = domain
            for index, low, high in reversed(total.limits):
                inside = numbered(index, low, high, inside)
            indices = {limit[0] for limit in total.limits}
            supposed = [c for c in conclusion.given if c.free_symbols & indices]
            _together(supposed, total, domain, label)
            inside = inside.also(*supposed)
            term = total.function
            least = always(sp.Ge(term, 0, evaluate=False), self.using, f"{label}: no term is negative")
            yield Premise(least, inside)
            if conclusion.equality:
                yield from _some(conclusion.equality[number], total.limits, domain, label)
                for index, low, high in total.limits:
                    _of_all(conclusion.equality[number], index, (low, high), domain, label)
                zero = sp.Eq(term, 0, evaluate=False)
                only = sp.Equivalent(zero, conclusion.equality[number], evaluate=False)
                yield Premise(always(only, self.using, f"{label}: when a term is zero"), inside)


@dataclass(frozen=True, eq=False)
class OneTermLess(Rule["AtLeast"]):
    """One side exceeds the other by a sum of terms that are not negative, less one of these terms.

    ``total`` is the sum (``sympy.Sum`` over one index), ``number`` that of the term. What the conclusion supposes of
    every index is supposed of each term.
    """

    total: sp.Expr
    number: Scalar
    using: Using = ()
    theorems = ("Limits.sum_exceeds_one_of_its_terms",)

    def premises(self, conclusion: AtLeast, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        if conclusion.equality:
            raise ClaimError("a sum less one of its terms says nothing of equality")
        (total,) = _sums((self.total,))
        index, low, high = one_range(total)
        if low != 1 or not is_whole(self.number):
            raise ClaimError(f"{self.number} is to be a whole number, that of a term of a sum from 1 on")
        yield from two_sides(conclusion, domain)
        rest = total - substituted(total.function, {index: self.number})
        yield Premise(Equal(conclusion.left - conclusion.right, rest, label=f"{label}: the gap"), domain)
        _together(conclusion.given, total, domain, label)
        inside = numbered(index, low, high, domain).also(*conclusion.given)
        least = always(sp.Ge(total.function, 0, evaluate=False), self.using, f"{label}: no term is negative")
        yield Premise(least, inside)
        one, last = sp.Le(low, self.number, evaluate=False), sp.Le(self.number, high, evaluate=False)
        yield Premise(Always(sp.And(one, last, evaluate=False), label=f"{label}: the term is one of them"), domain)


@dataclass(frozen=True, eq=False)
class EqualTerms(Rule["Equal"]):
    """Sums over one range, each with a factor, add up on both sides to the same if their terms do."""

    using: Using = ()
    theorems = ("Sentences.sums_of_equal_terms_agree",)

    def premises(self, conclusion: Equal, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        (index, low, high), term = collected(sp.sympify(conclusion.left) - conclusion.right)
        yield from valued((conclusion.left, conclusion.right), domain, label)
        zero = always(sp.Eq(term, 0, evaluate=False), self.using, f"{label}: term by term")
        yield Premise(zero, numbered(index, low, high, domain))


def collected(difference: sp.Expr) -> tuple[tuple[sp.Symbol, sp.Expr, sp.Expr], sp.Expr]:
    """The one range of a combination of sums, and its term. Raises :class:`ClaimError` for anything else."""
    limits, terms = set(), []
    for part in sp.Add.make_args(difference):
        sums = [f for f in sp.Mul.make_args(part) if isinstance(f, sp.Sum)]
        if len(sums) != 1 or len(sums[0].limits) != 1:
            raise ClaimError(f"{part} is no sum over one index, with a factor")
        limits.add(sums[0].limits[0])
        factor = sp.Mul(*(f for f in sp.Mul.make_args(part) if f is not sums[0]))
        if factor.has(sums[0].limits[0][0]):
            raise ClaimError(f"the factor {factor} speaks of the index of its sum")
        terms.append(factor * sums[0].function)
    if len(limits) != 1:
        raise ClaimError("the sums do not have one range")
    return limits.pop(), sp.Add(*terms, evaluate=False)


_TRIED = 400  # points of a domain, at one of which what is supposed of every index has to hold


def _together(supposed: Sequence[sp.Basic], total: sp.Sum, domain: Domain, label: str) -> None:
    """Refuse to suppose of every index what is seen to hold for all of them at no point."""
    if not supposed:
        return
    known = {*domain.symbols, *domain.bases, *(index for index, *_ in total.limits)}
    letters_of = set().union(*(c.free_symbols for c in supposed))
    if strange := sorted(str(s) for s in letters_of - known if isinstance(s, sp.Symbol)):
        raise ClaimError(f"{label}: what is supposed speaks of {strange[0]}, of which nobody says where it lies")
    reading = domain.reading()
    formulas = [reading.formula(c) for c in supposed]
    letters = [reading.variable(index) for index, *_ in total.limits]
    ends = [tuple(map(reading.term, limits[1:])) for limits in total.limits]

    def hold(point: Values) -> bool:
        ranges = [(rational(low, point), rational(high, point)) for low, high in ends]
        numbers = [range(int(low), int(high) + 1) for low, high in ranges if low is not None and high is not None]
        if len(numbers) < len(ranges):
            raise ClaimError(f"{label}: what is supposed of every index is for sums with fixed ranges")
        places = (dict(zip(letters, map(Fraction, at), strict=True)) for at in product(*numbers))
        return all(satisfies({**point, **place}, formulas, ball_field()) for place in places)

    if not any(map(hold, domain.drawing.points(_TRIED, attempts=1))):
        raise ClaimError(f"{label}: at no point that was found all indices are as {', '.join(map(str, supposed))} says")


def _of_all(condition: sp.Basic, index: sp.Symbol, ends: tuple[Scalar, Scalar], domain: Domain, label: str) -> None:
    """Refuse a condition on the entries of a family of which the sum has a part only: it is said of all of them."""
    sizes = {f.base: f.size for f in domain.families}
    for entry in condition.atoms(sp.Indexed):
        if entry.has(index) and (entry.indices != (index,) or ends != (1, sizes.get(entry.base, ends[1]))):
            raise ClaimError(f"{label}: {condition} is said of all {entry.base}, and the sum is over a part of them")
    if index in condition.xreplace({e: sp.Dummy() for e in condition.atoms(sp.Indexed)}).free_symbols:
        raise ClaimError(f"{label}: {condition} speaks of {index}, of which nobody reads where it lies")


def _some(condition: sp.Basic, limits: Iterable[Any], domain: Domain, label: str) -> Iterator[Premise]:
    """That a sum has a term, where the condition of equality is the same for all: without a term it need not hold."""
    for index, low, high in reversed(tuple(limits)):  # the last is the outermost
        if index not in condition.free_symbols:
            there = always(sp.Le(low, high, evaluate=False), (), f"{label}: there is a term")
            yield Premise(there, domain)
        domain = numbered(index, low, high, domain)


def _sums(terms: tuple[sp.Expr, ...]) -> tuple[sp.Sum, ...]:
    sums = tuple(map(sp.sympify, terms))
    if not sums:
        raise ClaimError("the rule of terms needs sums: terms=(Sum(…),)")
    for other in sums:
        if not isinstance(other, sp.Sum):
            raise ClaimError(
                f"the rule of terms needs sums, and {other} is none: a factor stands inside, Sum(w[i] / T, (i, 1, T))"
            )
    return sums


class Divergence(NamedTuple):
    """Families of positive numbers, ``p`` and ``q``, by the number ``index`` of an entry from ``low`` to ``high``."""

    p: sp.Expr
    q: sp.Expr
    index: sp.Symbol
    low: Scalar
    high: Scalar

    def total(self, term: sp.Expr) -> sp.Sum:
        """The sum of a term over all entries."""
        return sp.Sum(term, (self.index, self.low, self.high))


@dataclass(frozen=True, eq=False)
class Gibbs(Rule["AtLeast"]):
    """One side exceeds the other by a positive multiple of a divergence Σ p log(p/q) of positive numbers that have one
    sum: so it is larger, unless p = q throughout.

    ``of`` are the families p and q, one after the other where the answers come in several kinds.
    """

    of: tuple[Divergence, ...]
    scale: Scalar = sp.S.One
    using: Using = ()
    theorems = ("Sentences.gibbs_for_equal_sums",)

    def premises(self, conclusion: AtLeast, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        if conclusion.given:
            raise ClaimError("the rule of divergences supposes nothing of each entry")
        stated = tuple(c.args for c in conclusion.equality)
        equations = all(isinstance(c, sp.Equality) for c in conclusion.equality)
        if not equations or (stated and stated != tuple((d.p, d.q) for d in self.of)):
            raise ClaimError("the cases of equality of a divergence are p = q, for each of its families")
        for d, condition in zip(self.of, conclusion.equality, strict=False):
            _of_all(condition, d.index, (d.low, d.high), domain, label)
            yield from _some(condition, ((d.index, d.low, d.high),), domain, label)
        yield from two_sides(conclusion, domain)
        whole = self.scale * sp.Add(*(d.total(d.p * sp.log(d.p / d.q)) for d in self.of))
        yield Premise(Equal(conclusion.left - conclusion.right, whole, label=f"{label}: the gap"), domain)
        mass_p, mass_q = (sp.Add(*(d.total(d[which]) for d in self.of)) for which in (0, 1))
        yield Premise(Equal(mass_p, mass_q, label=f"{label}: one sum"), domain)
        yield Premise(always(sp.Gt(self.scale, 0, evaluate=False), self.using, f"{label}: the factor"), domain)
        for d in self.of:
            inside = numbered(d.index, d.low, d.high, domain)
            positive = sp.And(sp.Gt(d.p, 0, evaluate=False), sp.Gt(d.q, 0, evaluate=False), evaluate=False)
            yield Premise(always(positive, self.using, f"{label}: positive"), inside)


def numbered(index: sp.Symbol, low: sp.Expr, high: sp.Expr, domain: Domain) -> Domain:
    """The domain with a number of a term. Raises :class:`ClaimError` for a letter that need not be whole, and where the
    domain says something of it already.
    """
    if not sp.sympify(index).is_integer:
        raise ClaimError(f"{index} numbers the terms, and need not be a whole number")
    if index in domain.symbols:
        raise ClaimError(f"the domain constrains {index}, which numbers the terms")
    return domain.also(sp.Le(low, index, evaluate=False), sp.Le(index, high, evaluate=False))


EQUALITY = "where both sides are equal"


@dataclass(frozen=True)
class AtLeast(Conclusion):
    """``left`` ≥ ``right``, with equality exactly where each condition in ``equality`` holds for every index.

    Without conditions nothing is said of equality. ``given`` is what is supposed of every index.
    """

    left: Scalar
    right: Scalar
    equality: tuple[sp.Basic, ...] = ()
    label: str = "at least"
    given: tuple[sp.Basic, ...] = ()
    claimed = ("left",)
    carried = EACH_POINT

    @property
    def _inequality(self) -> sp.Basic:
        return sp.Ge(sp.sympify(self.left), self.right, evaluate=False)

    @property
    def expression(self) -> sp.Basic:
        """Raises :class:`BadInput` where something is supposed of every index: SymPy has no object for it."""
        return super().expression if self.given else self._inequality

    @property
    def unsaid(self) -> tuple[str, ...]:
        return (EQUALITY,) if self.equality else ()

    @property
    def pointwise(self) -> sp.Basic | None:
        return None if self.given else self._inequality

    def phrase(self) -> Phrase:
        begun = ("if always", *listed(self.given), ", then") if self.given else ()
        if not self.equality:
            return (*begun, self._inequality)
        return (*begun, self._inequality, "with equality exactly if", *listed(self.equality), "always")


@dataclass(frozen=True, eq=False)
class TermsSettle(Rule["EqualFromSomeOn"]):
    """Sums whose terms agree on both sides from some value of a variable on agree themselves from some value on.

    ``bound`` is that value for a term, by its index.
    """

    bound: Scalar
    using: Using = ()
    theorems = ("Limits.sums_of_terms_that_settle_agree_from_some_number_on",)

    def premises(self, conclusion: EqualFromSomeOn, domain: Domain) -> Iterator[Premise]:
        along, label = conclusion.variable, conclusion.label
        real_symbol(along)
        if sp.sympify(self.bound).has(along) or sp.sympify(conclusion.right).has(along):
            raise ClaimError(f"{label}: the bound and the right side do not move with {along}")
        left, right = sp.sympify(conclusion.left), sp.sympify(conclusion.right)
        (index, low, high), term = collected(left - right)
        if low != 1:
            raise ClaimError(f"{label}: the sums are to run from 1 on")
        parameters = numbered(index, low, high, domain.apart_from(along))
        yield from valued((self.bound, right), parameters, label)
        reached = sp.Le(self.bound, along, evaluate=False)
        far = parameters.also(reached)
        if sp.sympify(self.bound).has(index):  # it is that of some term: there is one
            some = sp.Le(low, high, evaluate=False)
            yield Premise(Always(some, label=f"{label}: there is a term"), domain.apart_from(along))
            yield from valued((left,), far, label)
        else:
            yield from valued((left, right), domain.apart_from(along).also(reached), label)
        zero = always(sp.Eq(term, 0, evaluate=False), self.using, f"{label}: term by term")
        yield Premise(zero, far)


@dataclass(frozen=True)
class EqualFromSomeOn(Conclusion):
    """``left`` = ``right`` for every ``variable`` from some value on, all else fixed: so the left side tends to the
    right one as it tends to ∞. The domain constrains the other symbols only.
    """

    left: Scalar
    right: Scalar
    variable: sp.Symbol
    label: str = "from some value on"
    claimed = ("right",)
    ranges = True
    carried = EACH_OTHER

    def phrase(self) -> Phrase:
        agree = sp.Eq(sp.sympify(self.left), self.right, evaluate=False)
        return (agree, "for every", self.variable, "from some value on")
