"""Expectations over the number of successes among independent draws, for any number of draws.

The expectation of c(K), where K of N draws succeed and each does with chance x, is a Bernstein polynomial of x: a sum
of SymPy over the numbers k of successes, which :func:`binomial_mean` writes and the rules recognise. What its
coefficients c(0), …, c(N) are, bounded or monotone or concave, it is, and at x = 0 and 1 it is the first and the last.
"""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass
from typing import NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    Using,
    always,
    interval_in,
    valued,
)
from grpo_symbolic.proof.rules.sums import numbered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase, Tends, real_symbol
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar


def binomial_mean(term: sp.Expr, count: sp.Symbol, size: sp.Expr, chance: sp.Expr) -> sp.Sum:
    """The expectation of ``term``, a function of the number ``count`` of successes among ``size`` independent draws,
    each of which succeeds with ``chance``.

    >>> from sympy import symbols
    >>> k, N = symbols("k N", integer=True)
    >>> x = symbols("x", real=True)
    >>> binomial_mean(k, k, N, x).limits
    ((k, 0, N),)
    """
    chances = sp.binomial(size, count) * chance**count * (1 - chance) ** (size - count)
    return sp.Sum(chances * term, (count, 0, size))


class Mean(NamedTuple):
    """A factor, and the parts of a sum that :func:`binomial_mean` writes."""

    factor: sp.Expr
    term: sp.Expr
    count: sp.Symbol
    size: sp.Expr
    chance: sp.Expr


def _mean(factor: sp.Expr, total: sp.Sum) -> Mean:
    """Raises :class:`ClaimError` for a sum that is no expectation over a number of successes."""
    if len(total.limits) == 1:
        ((count, low, size),) = total.limits
        factors = list(sp.Mul.make_args(total.function))
        bases = [f.base for f in factors if isinstance(f, sp.Pow) and f.exp == count]
        for chance in bases:
            known = [sp.binomial(size, count), chance**count, (1 - chance) ** (size - count)]
            if low == 0 and all(k in factors for k in known) and not (chance.has(count) or size.has(count)):
                term = sp.Mul(*(f for f in factors if f not in known))
                return Mean(factor, term, count, size, chance)
    raise ClaimError(f"{total} is no expectation over a number of successes")


def split(expression: sp.Expr) -> tuple[sp.Expr, tuple[Mean, ...]]:
    """What is added to expectations over one number of draws, and these, each with its factor.

    Raises :class:`ClaimError` where they are not over the same draws, or there is none.
    """
    rest, means = sp.S.Zero, []
    for part in sp.Add.make_args(sp.sympify(expression)):
        factors = sp.Mul.make_args(part)
        sums = [f for f in factors if isinstance(f, sp.Sum)]
        if len(sums) == 1:
            means.append(_mean(sp.Mul(*(f for f in factors if f is not sums[0])), sums[0]))
        elif part.has(sp.Sum):
            raise ClaimError(f"{part} is no expectation over a number of successes with a factor")
        else:
            rest += part
    if not means or len({(m.size, m.chance) for m in means}) > 1:
        raise ClaimError(f"{expression} has no expectations, or some over different numbers of draws")
    count = means[0].count
    if any(m.factor.has(count) for m in means):
        raise ClaimError(f"a factor of {expression} speaks of {count}, which numbers the successes")
    return rest, tuple(m._replace(term=_renumbered(m, count, count), count=count) for m in means)


def _renumbered(mean: Mean, count: sp.Symbol, number: sp.Expr) -> sp.Expr:
    """The term of an expectation at a number in which ``count`` is the number of successes.

    Raises :class:`ClaimError` where the term speaks of another number by this letter.
    """
    if count != mean.count and count in mean.term.free_symbols:
        raise ClaimError(f"{mean.term} speaks of {count}, which numbers the successes")
    return substituted(mean.term, {mean.count: number})


def _combined(means: tuple[Mean, ...]) -> sp.Expr:
    """The coefficients of the combination, by the number of successes."""
    return sp.Add(*(m.factor * m.term for m in means))


def _places(count: sp.Symbol, low: sp.Expr, high: sp.Expr, domain: Domain) -> Domain:
    """The domain with a number of successes. What it says by a sum over such numbers is left out: less is supposed."""
    kept = [c for c in domain.constraints if not any(count in total.variables for total in c.atoms(sp.Sum))]
    if len(kept) < len(domain.constraints):
        domain = Domain(*(s for s in domain.symbols if isinstance(s, sp.Symbol)), *domain.families, *kept)
    return numbered(count, low, high, domain)


def _moved(term: sp.Expr, count: sp.Symbol, by: sp.Expr) -> sp.Expr:
    return substituted(term, {count: count + by})


def _affine(rest: sp.Expr, along: sp.Symbol, domain: Domain, label: str) -> tuple[sp.Expr, sp.Expr, Premise]:
    """Intercept and slope of what is added, and the premise that it is this line."""
    slope = sp.expand(sp.diff(rest, along))
    if slope.has(along):
        raise ClaimError(f"{rest} is not linear in {along}")
    start = rest.subs(along, 0)
    return start, slope, Premise(Equal(rest, start + slope * along, label=f"{label}: what is added is a line"), domain)


def _within(chance: sp.Expr, domain: Domain, label: str, closed: bool = True) -> Premise:
    relation = sp.Le if closed else sp.Lt
    inside = sp.And(relation(0, chance, evaluate=False), relation(chance, 1, evaluate=False), evaluate=False)
    return Premise(Always(inside, label=f"{label}: it is a chance"), domain)


def _draws(size: Scalar, domain: Domain, label: str) -> Premise:
    """That there is a number of draws: a sum over fewer than none is empty, and no expectation."""
    return Premise(Always(sp.Ge(size, 0, evaluate=False), label=f"{label}: a number of draws"), domain)


@dataclass(frozen=True, eq=False)
class ByDifferences(Rule["Monotone | Curved"]):
    """A Bernstein polynomial increases if its coefficients do, and is convex if their second differences are not
    negative; strictly so if all of them are positive. A convex one may have a line added.

    ``using`` is for the differences.
    """

    using: Using = ()
    theorems = (
        "Binomials.binomial_mean_increasing_if_coefficients_are",
        "Binomials.binomial_mean_strictly_increasing_if_coefficients_are",
        "Binomials.binomial_mean_convex_if_coefficients_are",
        "Binomials.binomial_mean_strictly_convex_if_coefficients_are",
    )

    def theorem(self, conclusion: Monotone | Curved) -> str:
        shape = "increasing" if conclusion.order == 1 else "convex"
        return f"Binomials.binomial_mean_{'strictly_' if conclusion.strict else ''}{shape}_if_coefficients_are"

    def premises(self, conclusion: Monotone | Curved, domain: Domain) -> Iterator[Premise]:
        along, label, order = conclusion.variable, conclusion.label, conclusion.order
        real_symbol(along)
        interval_in(along, domain)
        rest, means = split(conclusion.body)
        if any(m.chance != along or m.factor.has(along) or m.term.has(along) for m in means):
            raise ClaimError(f"{conclusion.body} is no Bernstein polynomial of {along}")
        yield from valued((conclusion.body,), domain, label)
        yield _within(along, domain, label)
        if order == 2:
            yield _affine(rest, along, domain, label)[2]
        elif rest.has(along):
            raise ClaimError(f"{rest} changes with {along}: nothing is known of the sum")
        parameters, count, size = domain.apart_from(along), means[0].count, means[0].size
        term = _combined(means)
        terms = [_moved(term, count, step) for step in range(order + 1)]
        change = terms[1] - terms[0] if order == 1 else terms[2] - 2 * terms[1] + terms[0]
        if conclusion.strict:
            enough = sp.Ge(size, order, evaluate=False)
            yield Premise(Always(enough, label=f"{label}: there are coefficients to compare"), parameters)
        places = _places(count, 0, size - order, parameters)
        yield Premise(always(conclusion.relation(change), self.using, f"{label}: the coefficients"), places)


@dataclass(frozen=True, eq=False)
class AtAnEnd(Rule["Tends"]):
    """A Bernstein polynomial with a line added tends, as the chance tends to 0 or 1, to its value there, which the
    first or the last coefficient gives.
    """

    theorems = ("Binomials.limit_of_binomial_mean_at_0", "Binomials.limit_of_binomial_mean_at_1")

    def theorem(self, conclusion: Tends) -> str:
        return f"Binomials.limit_of_binomial_mean_at_{conclusion.point}"

    def premises(self, conclusion: Tends, domain: Domain) -> Iterator[Premise]:
        along, label = conclusion.variable, conclusion.label
        real_symbol(along)
        if (conclusion.point, conclusion.side) not in ((0, "+"), (1, "-")):
            raise ClaimError(f"{label}: a chance tends to 0 from above, or to 1 from below")
        rest, means = split(conclusion.body)
        if any(m.chance != along or m.factor.has(along) or m.term.has(along) for m in means):
            raise ClaimError(f"{conclusion.body} is no Bernstein polynomial of {along}")
        parameters = domain.apart_from(along)
        inside = parameters.also(sp.Lt(0, along, evaluate=False), sp.Lt(along, 1, evaluate=False))
        yield from valued((conclusion.body,), inside, label)
        start, slope, line = _affine(rest, along, inside, label)
        yield line
        count, size = means[0].count, means[0].size
        yield _draws(size, parameters, label)
        here = start if conclusion.point == 0 else start + slope
        end = sp.S.Zero if conclusion.point == 0 else size
        value = here + substituted(_combined(means), {count: end})
        yield Premise(Equal(value, conclusion.value, label=f"{label}: its value there"), parameters)


def falling_factorials(polynomial: sp.Expr, count: sp.Symbol) -> list[sp.Expr]:
    """The coefficients of a polynomial in the products k(k − 1)…(k − j + 1), j = 0, 1, ….

    >>> from sympy import Symbol
    >>> k = Symbol("k", integer=True)
    >>> falling_factorials(k**2, k)
    [0, 1, 1]
    """
    left, found = sp.Poly(polynomial, count), []
    for j in range(left.degree() + 1 if not left.is_zero else 1):
        left, remainder = sp.div(left, sp.Poly(count - j, count))
        found.append(remainder.as_expr())
    return found


@dataclass(frozen=True, eq=False)
class AgainstPolynomial(Rule["Equal | Always"]):
    """Coefficients that are at most a polynomial in the number of successes make an expectation that is at most that
    of the polynomial, which its factorial moments give: E[K(K − 1)…(K − j + 1)] = N(N − 1)…(N − j + 1) x^j. With a
    constant these are bounds by coefficients, with a line Jensen's inequality at a tangent.

    ``polynomial`` compares with the coefficients of the difference of both sides, larger minus smaller; it is below
    them, and the same where the conclusion is an equation. ``somewhere`` is a number of successes at which it is
    strictly below, for a strict inequality. ``using`` is for the comparison, ``ends`` for the expectation.
    """

    polynomial: sp.Expr
    somewhere: Scalar | None = None
    using: Using = ()
    ends: Using = ()
    theorems = (
        "Binomials.binomial_mean_of_a_polynomial",
        "Binomials.binomial_mean_at_most_that_of_a_polynomial",
        "Binomials.binomial_mean_below_that_of_a_polynomial",
    )

    def theorem(self, conclusion: Equal | Always) -> str:
        if isinstance(conclusion, Equal):
            return self.theorems[0]
        return self.theorems[2 if isinstance(conclusion.formula, sp.StrictLessThan | sp.StrictGreaterThan) else 1]

    def premises(self, conclusion: Equal | Always, domain: Domain) -> Iterator[Premise]:
        label, equation = conclusion.label, isinstance(conclusion, Equal)
        smaller, larger = self._sides(conclusion)
        yield from valued((smaller, larger), domain, label)
        rest, means = split(sp.sympify(larger) - smaller)
        count, size, chance = means[0].count, means[0].size, means[0].chance
        yield _draws(size, domain, label)
        places, polynomial = _places(count, 0, size, domain), sp.sympify(self.polynomial)
        found = falling_factorials(polynomial, count)
        written = sp.Add(*(a * sp.ff(count, j).expand(func=True) for j, a in enumerate(found)))
        yield Premise(Equal(polynomial, written, label=f"{label}: in factorial moments"), places)
        whole = rest + sp.Add(*(a * sp.ff(size, j).expand(func=True) * chance**j for j, a in enumerate(found)))
        if equation:
            same = sp.Eq(_combined(means), polynomial, evaluate=False)
            yield Premise(always(same, self.using, f"{label}: the coefficients"), places)
            yield Premise(Equal(whole, 0, label=f"{label}: the expectation"), domain)
            return
        strict = self.theorem(conclusion) == self.theorems[2]
        yield _within(chance, domain, label, closed=not strict)
        above = sp.Ge(_combined(means), polynomial, evaluate=False)
        yield Premise(always(above, self.using, f"{label}: the coefficients"), places)
        if strict:
            inside, at = _place(self.somewhere, 0, size, label), sp.sympify(self.somewhere)
            yield Premise(Always(inside, label=f"{label}: {at} is a number of successes"), domain)
            more = sp.Gt(
                substituted(_combined(means), {count: at}), substituted(polynomial, {count: at}), evaluate=False
            )
            using = self.ends if isinstance(self.using, Rule) else self.using  # a rule speaks of every number
            yield Premise(always(more, using, f"{label}: strictly at {at}"), domain)
        yield Premise(always(sp.Ge(whole, 0, evaluate=False), self.ends, f"{label}: the expectation"), domain)

    def _sides(self, conclusion: Equal | Always) -> tuple[sp.Expr, sp.Expr]:
        if isinstance(conclusion, Equal):
            return conclusion.right, conclusion.left
        formula = conclusion.formula
        if isinstance(formula, sp.StrictLessThan | sp.LessThan):
            return formula.lhs, formula.rhs
        if isinstance(formula, sp.StrictGreaterThan | sp.GreaterThan):
            return formula.rhs, formula.lhs
        raise ClaimError(f"{formula} is no inequality between two numbers")


@dataclass(frozen=True, eq=False)
class OneMoreDraw(Rule["Equal | Always"]):
    """An expectation over N draws, by the number of successes among N + 1 of which any one is left out: it is the same
    as an expectation over N + 1 draws, or smaller, if its coefficients are.

    For an equation, ``success`` and ``failure`` are factors that the one that is left out counts with, 1 and 1 where it
    does not count. For a strict inequality, ``somewhere`` is a number of successes, from 0 to N, at which it is strict.
    ``using`` is for the coefficients in between.
    """

    success: Scalar = sp.S.One
    failure: Scalar = sp.S.One
    somewhere: Scalar | None = None
    using: Using = ()
    theorems = (
        "Binomials.binomial_mean_with_one_more_draw",
        "Binomials.binomial_mean_at_most_that_over_one_more_draw",
        "Binomials.binomial_mean_below_that_over_one_more_draw",
    )

    def theorem(self, conclusion: Equal | Always) -> str:
        if isinstance(conclusion, Equal):
            return self.theorems[0]
        return self.theorems[2 if isinstance(conclusion.formula, sp.StrictLessThan) else 1]

    def premises(self, conclusion: Equal | Always, domain: Domain) -> Iterator[Premise]:
        label, equation = conclusion.label, isinstance(conclusion, Equal)
        if isinstance(conclusion, Equal):
            left, right = conclusion.left, conclusion.right
        elif isinstance(conclusion.formula, sp.StrictLessThan | sp.LessThan):
            left, right = conclusion.formula.args
        else:
            raise ClaimError(f"{label}: the expectation over fewer draws is the smaller one")
        (none, (fewer,)), (also_none, (more,)) = split(left), split(right)
        size, chance, count = fewer.size, fewer.chance, fewer.count
        plain = equation or fewer.factor == more.factor == self.success == self.failure == 1
        if none != 0 or also_none != 0 or not plain or more.chance != chance or more.size != size + 1:
            raise ClaimError(f"{label}: the right side is an expectation over one draw more than the left one, alone")
        yield from valued((left, right), domain, label)
        yield _draws(size, domain, label)
        relation = sp.Eq if equation else sp.Le
        strict = self.theorem(conclusion) == self.theorems[2]
        if equation:
            counted = more.factor * (self.success * chance + self.failure * (1 - chance))
            yield Premise(Equal(fewer.factor, counted, label=f"{label}: the factor"), domain)
        else:
            yield _within(chance, domain, label, closed=not strict)
        before, after = fewer.term, _renumbered(more, count, count)
        ends = (
            (
                self.failure * substituted(before, {count: sp.S.Zero}),
                substituted(after, {count: sp.S.Zero}),
                "no success",
            ),
            (
                self.success * substituted(before, {count: size}),
                substituted(after, {count: size + 1}),
                "successes only",
            ),
        )
        for less, larger, where in ends:
            yield Premise(always(relation(less, larger, evaluate=False), (), f"{label}: {where}"), domain)
        left_out = count * self.success * _moved(before, count, -1) + (size + 1 - count) * self.failure * before
        both = (left_out, (size + 1) * after)
        between = relation(*both, evaluate=False)
        yield Premise(always(between, self.using, f"{label}: in between"), _places(count, 1, size, domain))
        if strict:
            at = _place(self.somewhere, 1, size, label)
            there = sp.Lt(*(substituted(side, {count: self.somewhere}) for side in both), evaluate=False)
            if self.somewhere == 0:
                there = sp.Lt(*ends[0][:2], evaluate=False)
            else:
                yield Premise(Always(at, label=f"{label}: {self.somewhere} is a number of successes"), domain)
            yield Premise(always(there, self.using, f"{label}: strictly at {self.somewhere}"), domain)


def _place(somewhere: Scalar | None, low: sp.Expr, high: sp.Expr, label: str) -> sp.And:
    """That a number of successes lies in a range. Raises :class:`ClaimError` for none, and for what is not whole."""
    if somewhere is None or not sp.sympify(somewhere).is_integer:
        raise ClaimError(f"{label}: at which number of successes is the coefficient larger? somewhere=…")
    return sp.And(sp.Ge(somewhere, low, evaluate=False), sp.Le(somewhere, high, evaluate=False), evaluate=False)


@dataclass(frozen=True, eq=False)
class Reflected(Rule["Equal"]):
    """Counting failures instead of successes: the same expectation at the chance of failure, with the coefficients in
    reverse order.
    """

    using: Using = ()
    theorems = ("Binomials.binomial_mean_of_failures",)

    def premises(self, conclusion: Equal, domain: Domain) -> Iterator[Premise]:
        label = conclusion.label
        (none, (one,)), (also_none, (other,)) = split(conclusion.left), split(conclusion.right)
        same = one.factor == other.factor == 1 and one.size == other.size and none == also_none == 0
        if not same or other.chance != 1 - one.chance:
            raise ClaimError(f"{label}: the right side is the left one at the chance of failure")
        yield from valued((conclusion.left, conclusion.right), domain, label)
        reverse = _renumbered(other, one.count, one.size - one.count)
        equal = sp.Eq(one.term, reverse, evaluate=False)
        yield Premise(always(equal, self.using, f"{label}: reversed"), _places(one.count, 0, one.size, domain))


@dataclass(frozen=True, eq=False)
class IndependentSuccesses(Rule["CountMean"]):
    """A function of the number of successes among independent draws has the expectation that the binomial law gives.

    ``using`` is the rule by which that is the ``value`` of the conclusion, if it is not the sum itself.
    """

    using: Rule | None = None
    theorems = ("Binomials.function_of_the_number_of_successes",)

    def premises(self, conclusion: CountMean, domain: Domain) -> Iterator[Premise]:
        label, count = conclusion.label, conclusion.count
        fixed = (conclusion.size, conclusion.chance, conclusion.value)
        if count in domain.symbols or any(count in sp.sympify(part).free_symbols for part in fixed):
            raise ClaimError(f"{count} is the number of successes, of which neither domain nor value nor chance speak")
        yield _within(conclusion.chance, domain, label)
        yield _draws(conclusion.size, domain, label)
        mean = binomial_mean(conclusion.member, count, conclusion.size, conclusion.chance)
        value = Equal(mean, conclusion.value, label=f"{label}: its value")
        yield Premise(value if self.using is None else value.by(self.using), domain)


@dataclass(frozen=True)
class CountMean(Conclusion):
    """Where ``count`` of ``size`` independent outputs are correct, each with probability ``chance``, the expectation of
    ``member`` is ``value``.
    """

    member: Scalar
    count: sp.Symbol
    size: Scalar
    chance: Scalar
    value: Scalar
    label: str = "expectation over the number of successes"
    claimed = ("value",)
    rule = IndependentSuccesses()
    binds = ("count",)
    ranges = True

    def phrase(self) -> Phrase:
        drawn = ("if", self.count, "of", self.size, "independent outputs are correct, each with probability")
        return (*drawn, self.chance, ", the expectation of", self.member, "is", self.value)
