"""Sequences and series: what they tend to by bounds on their errors, and the iterates of maps that lift or attract."""

from __future__ import annotations

from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from dataclasses import dataclass, field
from typing import Any, ClassVar

import sympy as sp

from grpo_symbolic.errors import ClaimError, DomainError
from grpo_symbolic.proof.rules.derivatives import Lipschitz
from grpo_symbolic.proof.rules.induction import ForEveryNumber, Induction, Such, some_numbers
from grpo_symbolic.proof.rules.iterations import Iteration
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using, always, hold
from grpo_symbolic.proof.rules.schema import Admitted, Continuous, Needs, Schema, a, b, c, f, k, p, s, x
from grpo_symbolic.proof.rules.sides import Premise, lettered, line, one_range, valued
from grpo_symbolic.proof.rules.supposed import equal_somewhere, somewhere
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.statement import EACH_OTHER, TWO_POINTS, Always, Equal, Phrase, listed
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.relations import ORDER, STRICT, WEAKLY

_TRIED = 6  # points of a domain at which a series is looked for

# -- sequences --------------------------------------------------------------------------------------------------------

_BOUNDED = "Limits.limsup_below_a_bound_that_converges"
_CONVERGES = "Limits.converges_with_what_bounds_the_distance"


@dataclass(frozen=True, eq=False)
class Compared(Rule["LimSup | ConvergesTo"]):
    """What is at most a number, and the distances of numbers from their limits, has a lim sup of at most that number;
    what is as near to a number as these distances tends to it.

    ``inductively`` are formulas that induction shows first, for every number; ``using`` is for the comparison. Where a
    recurrence or a first number is supposed, ``such`` are numbers of which all that is supposed holds, each of them at
    its limit (:func:`some_numbers`).
    """

    inductively: tuple[Any, ...] = ()
    using: Using = ()
    such: Such = field(default_factory=dict)
    theorems = (_BOUNDED, _CONVERGES)

    def theorem(self, conclusion: LimSup | ConvergesTo) -> str:
        return _BOUNDED if isinstance(conclusion, LimSup) else _CONVERGES

    def premises(self, conclusion: LimSup | ConvergesTo, domain: Domain) -> Iterator[Premise]:
        label, index = conclusion.label, conclusion.index
        if not index.is_integer or index in domain.symbols:
            raise ClaimError(f"{index} runs over the whole numbers: the domain does not constrain it")
        limits = [sp.sympify(limit) for _, limit in conclusion.tending]
        for fixed in (*limits, sp.sympify(conclusion.value)):
            if fixed.has(index) or fixed.atoms(sp.Indexed):
                raise ClaimError(f"{fixed} is one number, not one for each {index}")
        for formula in self.inductively:
            every = ForEveryNumber(
                formula, index, 1, conclusion.families, conclusion.recurrence, conclusion.start, label=label
            )
            yield Premise(every.by(Induction(such=self.such)), domain)
        yield from valued((conclusion.value, *limits), domain, label)
        distances = sp.Add(*(sp.Abs(e - limit) for e, limit in conclusion.tending))
        comparison = conclusion.comparison(distances)
        supposed = (*conclusion.supposed, *self.inductively)
        letters = _letters((comparison, *supposed), index, domain)
        tied = any(sp.sympify(c).has(sp.Sum) for c in conclusion.supposed) or not _are_any(letters)
        if conclusion.recurrence or conclusion.start or tied:
            at_limits = (sp.Eq(e, limit, evaluate=False) for e, limit in conclusion.tending)
            yield from some_numbers(self.such, conclusion, domain, *conclusion.supposed, *at_limits)
        else:
            what = f"{label}: what is supposed, with sequences of these limits"
            _have_limits(conclusion.tending, supposed, letters, domain, what)
        step = always(comparison.xreplace(letters), self.using, f"{label}: the comparison")
        yield Premise(step, domain.also(*letters.values(), *(c.xreplace(letters) for c in supposed)))


def _letters(expressions: tuple[sp.Basic, ...], index: sp.Symbol, domain: Domain) -> dict[sp.Expr, sp.Symbol]:
    """A letter for everything that belongs to one number. Raises :class:`ClaimError` for what belongs to another."""
    sums = sorted(set().union(*(e.atoms(sp.Sum) for e in expressions)), key=str)
    for total in sums:
        _, low, high = one_range(total)
        if high != index or total.function.has(index) or low != 1:
            raise ClaimError(f"{total} is no sum up to {index}")
    bare = [e.xreplace({total: sp.Dummy() for total in sums}) for e in expressions]
    entries = sorted(set().union(*(e.atoms(sp.Indexed) for e in bare)), key=str)
    for entry in entries:
        if any(family.base == entry.base for family in domain.families):
            raise ClaimError(f"{entry} is one of the numbers of the domain, and no member of a sequence without end")
        if entry.indices != (index,):
            raise ClaimError(f"{entry} is not the number {index} of its sequence")
    letters = lettered((*sums, *entries), expressions, domain)
    if any(e.xreplace(letters).has(index) for e in expressions):
        raise ClaimError(f"the comparison speaks of {index} beside the members of sequences")
    return letters


def _are_any(letters: Mapping[sp.Expr, sp.Symbol]) -> bool:
    """Whether members of sequences, and sums up to a number, may be any numbers: each sum is that of a sequence of
    which nothing else is known.
    """
    terms = [e.function if isinstance(e, sp.Sum) else e for e in letters]
    named = [term.base for term in terms if isinstance(term, sp.Indexed)]
    return len(named) == len(terms) == len(set(named))


def _have_limits(
    tending: Iterable[tuple[Any, Any]],
    supposed: Iterable[sp.Basic],
    letters: Mapping[sp.Expr, sp.Symbol],
    domain: Domain,
    what: str,
) -> None:
    """Refuse what is supposed where sequences with these limits are not seen: constant ones of which it holds; or,
    where it is made of linear bounds, such as come from a point at which these hold to one at their ends.
    """
    limits = [sp.Eq(e.xreplace(letters), limit, evaluate=False) for e, limit in tending]
    known = [c.xreplace(letters) for c in supposed]
    with suppress(ClaimError):
        return somewhere((*letters.values(), *limits, *known), domain, what)
    bounds = [bound for c in known for part in sp.And.make_args(c) for bound in _without_bars(part)]
    moving = set(letters.values())
    if not all(isinstance(c, sp.Rel) and _is_linear(c.lhs - c.rhs, moving) for c in (*limits, *bounds)):
        raise ClaimError(f"{what}, is not seen to hold anywhere")
    ends = [WEAKLY.get(type(bound), type(bound))(*bound.args, evaluate=False) for bound in bounds]
    inside = {letter: sp.Symbol(f"{letter.name}_inside", real=True) for letter in moving}
    somewhere((*moving, *limits, *ends, *inside.values(), *(bound.xreplace(inside) for bound in bounds)), domain, what)


def _without_bars(bound: sp.Basic) -> Iterator[sp.Basic]:
    """A bound of an absolute value as two bounds; another one as it is."""
    if isinstance(bound, ORDER) and isinstance(bound.lts, sp.Abs):
        inside, strict = bound.lts.args[0], isinstance(bound, STRICT)
        for side in (inside, -inside):
            yield (sp.Lt if strict else sp.Le)(side, bound.gts, evaluate=False)
    else:
        yield bound


def _is_linear(e: sp.Expr, letters: Iterable[sp.Symbol]) -> bool:
    """Whether an expression is a sum of multiples of the letters, with fixed factors, and of a fixed number."""
    lines = [line(e, letter) for letter in letters]
    return all(linear is not None and not linear[0].has(*letters) for linear in lines)


@dataclass(frozen=True)
class _OfSequences(Conclusion):
    """About sequences, each a family of which ``index`` numbers the members from 1 on: ``body`` is made of members with
    this number.

    ``tending`` are pairs of what converges and its limit, ``supposed`` relations that hold for every number;
    ``recurrence``, ``start`` and ``families`` as for :class:`ForEveryNumber`.
    """

    body: Scalar
    index: sp.Symbol
    value: Scalar
    tending: tuple[tuple[Any, Any], ...]
    supposed: tuple[Any, ...] = ()
    families: tuple[Family, ...] = ()
    recurrence: tuple[Any, ...] = ()
    start: tuple[Any, ...] = ()
    label: str = "limit of a sequence"
    claimed = ("value",)
    first: ClassVar[Scalar] = 1
    rule = Compared()
    binds = ("index",)
    ranges = True

    def comparison(self, distances: sp.Expr) -> sp.Basic:
        """The comparison with the distances from the limits."""
        raise NotImplementedError

    def phrase(self) -> Phrase:
        always_so, begun = listed((*self.recurrence, *self.supposed)), listed(self.start)
        limits = [part for e, limit in self.tending for part in ("and", e, "→", limit)]
        given = ("if, for every whole number", self.index, "from 1,", *always_so, ",") if always_so else ("if",)
        also = (*begun, ", and if") if begun else ("and if",) if always_so else ()
        return (*given, *also, *limits[1:], "as", self.index, "→ ∞, then", *self.predicate())

    def predicate(self) -> Phrase:
        """What holds of the body, as the predicate of the sentence."""
        raise NotImplementedError


@dataclass(frozen=True)
class LimSup(_OfSequences):
    """The lim sup of ``body`` is at most ``value``."""

    label: str = "lim sup"

    def comparison(self, distances: sp.Expr) -> sp.Basic:
        return sp.Le(self.body, self.value + distances, evaluate=False)

    def predicate(self) -> Phrase:
        return ("the lim sup of", self.body, "is at most", self.value)


@dataclass(frozen=True)
class ConvergesTo(_OfSequences):
    """``body`` converges to ``value``."""

    label: str = "converges"

    def comparison(self, distances: sp.Expr) -> sp.Basic:
        return sp.Le(sp.Abs(self.body - self.value), distances, evaluate=False)

    def predicate(self) -> Phrase:
        return (self.body, "converges to", self.value)


@dataclass(frozen=True, eq=False)
class NoNegativeTerms(Rule["BelowSeries"]):
    """The partial sums of a series whose terms are not negative are at most its value."""

    using: Using = ()
    theorems = ("Limits.series_is_above_its_partial_sums",)

    def premises(self, conclusion: BelowSeries, domain: Domain) -> Iterator[Premise]:
        index = conclusion.index
        if not index.is_integer or index in domain.symbols or sp.sympify(conclusion.value).has(index):
            raise ClaimError(f"{index} runs over the whole numbers, and the value of the series is one number")
        if any(sp.sympify(c).has(sp.Sum) for c in conclusion.supposed):
            raise ClaimError(f"{conclusion.label}: what is supposed is of each member of its sequences, and of no sums")
        letters = _letters((conclusion.term, *conclusion.supposed), index, domain)
        yield from valued((conclusion.value,), domain, conclusion.label)
        _some_series(conclusion, letters, domain)
        sign = always(
            sp.Ge(conclusion.term, 0, evaluate=False).xreplace(letters), self.using, f"{conclusion.label}: the terms"
        )
        yield Premise(sign, domain.also(*letters.values(), *(c.xreplace(letters) for c in conclusion.supposed)))


def _some_series(conclusion: BelowSeries, letters: Mapping[sp.Expr, sp.Symbol], domain: Domain) -> None:
    """Refuse a series of which none is seen: at some values of the domain its first term the value, all others 0."""
    what = f"{conclusion.label}: what is supposed, of a series that converges to {conclusion.value}"
    term = sp.sympify(conclusion.term)
    for point in domain.points(_TRIED):
        fixed = [sp.Eq(letter, point[letter], evaluate=False) for letter in domain.symbols]
        with suppress(ClaimError, DomainError):
            at_point = domain.also(*fixed)
            _have_limits([(term, sp.S.Zero)], conclusion.supposed, letters, at_point, what)
            there = at_point.also(*letters.values(), *(c.xreplace(letters) for c in conclusion.supposed))
            equal_somewhere(term.xreplace(letters), conclusion.value, there, what)
            return
    raise ClaimError(f"{what}, is not seen to hold anywhere")


@dataclass(frozen=True)
class BelowSeries(Conclusion):
    """If the sums of ``term``, a member of sequences with the number ``index``, from 1 on converge to ``value``, none
    of them exceeds it. ``supposed`` are relations that hold for every number.
    """

    term: Scalar
    index: sp.Symbol
    value: Scalar
    supposed: tuple[Any, ...] = ()
    label: str = "partial sums"
    rule = NoNegativeTerms()
    binds = ("index",)
    ranges = True
    carried = EACH_OTHER

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        return self.supposed

    def phrase(self) -> Phrase:
        every = ("for every whole number", self.index, "from 1, and")
        always_so = (*listed(self.supposed), *every) if self.supposed else ()
        sums = ("the sums of", self.term, "over", self.index, "from 1 on")
        return ("if", *always_so, *sums, "converge to", self.value, ", then none of them exceeds", self.value)


# -- iterations --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class RisesToUpperEnd(Conclusion):
    """The members of ``sequence``, which starts strictly between ``lower`` and ``upper``, increase strictly and tend to
    ``upper``. The domain constrains the other symbols only.
    """

    sequence: Iteration
    lower: Scalar
    upper: Scalar
    label: str = "iteration"
    claimed = ("upper",)
    ranges = True
    letters_of_words = ("n",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.sequence.variable,)

    def phrase(self) -> Phrase:
        return (*self.sequence.phrase(), "increases strictly to", self.upper)


@dataclass(frozen=True, eq=False)
class Lifted(Schematic["RisesToUpperEnd"]):
    """A continuous map that lifts every point of an open interval, and keeps it there, lifts every start to the upper
    end in the limit.
    """

    using: Using = ()
    schemas = (
        Schema(
            "Limits.lifted_iterates_tend_to_the_upper_end",
            RisesToUpperEnd(Iteration(f(x), x, s), a, b),
            (
                Needs(Always((a < s) & (s < b)), label="the start lies inside"),
                Needs(Continuous(f(x)), (a < x, x < b)),
                Needs(Always(x < f(x)), (a < x, x < b), by="using", label="the map lifts"),
                Needs(Always(f(x) < b), (a < x, x < b), by="using", label="the map stays"),
            ),
        ),
    )


RisesToUpperEnd.rule = Lifted()


@dataclass(frozen=True)
class StaysNear(Conclusion):
    """Every sequence of values that the domain admits for ``variable``, each of which is within ``error`` of the map at
    the one before, has distances from ``point`` with a lim sup of at most ``value``.
    """

    map: sp.Expr
    variable: sp.Symbol
    point: Scalar
    error: Scalar
    value: Scalar
    label: str = "inexact iteration"
    claimed = ("value",)
    carried = TWO_POINTS

    def phrase(self) -> Phrase:
        near = ("each of which lies within", self.error, "of", self.map, "at the one before,")
        return (
            "a sequence of such",
            self.variable,
            ",",
            *near,
            "has distances from",
            self.point,
            "with a lim sup of at most",
            self.value,
        )


@dataclass(frozen=True, eq=False)
class ContractionWithErrors(Schematic["StaysNear"]):
    """Steps of a contraction that each go wrong by at most an error stay, in the limit, within the error over one less
    the constant of contraction.

    ``lipschitz`` is why the map is Lipschitz, where that is not its usual rule; ``using`` is for the sizes.
    """

    constant: Scalar
    lipschitz: Rule | None = None
    using: Using = ()
    schemas = (
        Schema(
            "Rules.contraction_with_errors",
            StaysNear(f(x), x, p, s, c),
            (
                Needs(Always((k >= 0) & (k < 1)), by="using", label="the constant"),
                Needs(Lipschitz(f(x), x, k), inside=True, by="lipschitz"),
                Needs(Admitted(p)),
                Needs(Equal(f(p), p), label="the point is fixed"),
                Needs(Always(s / (1 - k) <= c), by="using", label="the distance"),
            ),
            given={"constant": k},
            proof="intros; apply (limsup_up_to _ (s / (1 - k))); [apply (@{theorem} I f p k s x' (fun _ => s)); "
            "auto using limsup_of_constant | replace (1 - k) with (1 + - 1 * k) by ring; assumption]",
        ),
    )

    def premises(self, conclusion: StaysNear, domain: Domain) -> Iterator[Premise]:
        # within a negative error lies nothing, and of no sequence everything holds
        yield from hold([sp.Ge(conclusion.error, 0)], domain, f"{conclusion.label}: the error", self.using)
        yield from super().premises(conclusion, domain)


# -- every map ---------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class EveryMapAttracts(Conclusion):
    """Whatever map it is: around a fixed point near which it has a derivative that is continuous there, with the value
    ``slope``, it has an interval on which the derivative is at most ``rate`` in size, which it maps into itself, in
    which there is no other fixed point, and from which every iteration converges to it, the distance shrinking by the
    rate.
    """

    slope: Scalar
    rate: Scalar
    label: str = "every map"
    claimed = ("rate",)
    letters_of_words = ("f", "r", "x^*")

    def phrase(self) -> Phrase:
        given = ("every f with f(x*) = x* and a derivative near x*, continuous at x*, f'(x*) =", self.slope)
        there = (", has an r > 0 such that f maps [x* − r, x* + r] into itself, |f'| is at most", self.rate)
        rest = "there, x* is the only fixed point in it, and iterations from it converge to x*, each step multiplying"
        return (*given, *there, rest, "the distance by at most", self.rate)


@dataclass(frozen=True, eq=False)
class LocalContraction(Schematic["EveryMapAttracts"]):
    """The local theorem of Banach: near a fixed point at which a continuous derivative is below a rate in size, itself
    below one, a map contracts at this rate.
    """

    using: Using = ()
    schemas = (
        Schema(
            "Limits.local_contraction_at_a_rate",
            EveryMapAttracts(s, k),
            (
                Needs(Always((-k < s) & (s < k)), by="using", label="the rate is above the slope in size"),
                Needs(Always(k < 1), by="using", label="the rate is below one"),
            ),
            proof="intros; apply (@{theorem} f' g' z' k); try assumption; apply Rabs_def1; lra",
        ),
    )


EveryMapAttracts.rule = LocalContraction()
