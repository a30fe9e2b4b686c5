"""Means and variances of linear combinations of random numbers, of any law and any number of them."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any, NamedTuple

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.members import numbered
from grpo_symbolic.proof.rules.rule import Conclusion, Rule
from grpo_symbolic.proof.rules.sides import Premise, constraining, is_whole, line, one_range, valued
from grpo_symbolic.proof.rules.sums import AtLeast
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.sentence import UNDER_POWERS, OwnNumber
from grpo_symbolic.proof.statements.statement import EACH_POINT, Always, Equal, Phrase, Statement, listed, supposed_in
from grpo_symbolic.proof.statements.substitution import substituted
from grpo_symbolic.scalars import Scalar

_MEAN = "Variances.mean_of_a_linear_combination"
_VARIANCE = "Variances.variance_of_a_linear_combination"
_UNCORRELATED = "Variances.variance_of_an_uncorrelated_combination"
_PRODUCT = "Steps.mean_of_a_product_of_independent_numbers"


class OfCombination(OwnNumber):
    """Base of what is a number of a linear combination of random numbers. Argument: the combination."""

    precedence = UNDER_POWERS


class MeanOf(OfCombination):
    """``E(Σ c_i x_i)``."""

    sign, tex = "E", r"\mathbb E"


class VarianceOf(OfCombination):
    """``Var(Σ c_i x_i)``."""

    sign, tex = "Var", r"\mathrm{Var}"


class Random(NamedTuple):
    """Random numbers, the entries of ``family`` from ``low`` to ``high``, each with the mean ``mean`` and the variance
    ``variance``, in which its number ``index`` may stand; what is not known is ``None``.

    They are uncorrelated, unless ``covariance`` is that of entry ``index`` and entry ``other``: a sum of
    s f(i) f(j) with s ≥ 0, and of d(i) δ_ij with d ≥ 0; those that are ``independent`` are drawn from one law, each
    without regard to the others.
    """

    family: sp.IndexedBase
    index: sp.Symbol
    low: Scalar
    high: Scalar
    mean: Scalar | None = None
    variance: Scalar | None = None
    covariance: Scalar | None = None
    other: sp.Symbol | None = None
    independent: bool = False

    @property
    def known(self) -> list[sp.Expr]:
        """The ends of the range, and the mean, the variance and the covariance as far as they are known."""
        parts = (self.low, self.high, self.mean, self.variance, self.covariance)
        return [sp.sympify(part) for part in parts if part is not None]

    def phrase(self) -> Phrase:
        one = self.family[self.index]
        parts: list[Any] = [one, f"({self.index} =", self.low, ", …,", self.high, ")"]
        if self.independent:
            parts.append("independent and of one law on finitely many values")
        if self.mean is not None:
            parts += ["with mean", self.mean]
        if self.variance is not None:
            parts += ["with variance" if self.mean is None else "and variance", self.variance]
        if self.covariance is not None:
            parts += ["with the covariance", self.covariance, "of", one, "and", self.family[self.other]]
        return tuple(parts)


@dataclass(frozen=True, eq=False)
class Linearity(Rule["ForRandom"]):
    """Means of linear combinations are those of the means, and variances are sums over the covariances; of uncorrelated
    numbers, sums over the variances. The mean of a product of independent numbers of one law is a power of their mean.
    A sentence about combinations is then a statement about sums.

    ``then`` is the rule that leads to this statement, where the checkers are not asked for it.
    """

    then: Rule | None = None
    theorems = (_MEAN, _VARIANCE, _UNCORRELATED, _PRODUCT)

    def theorem(self, conclusion: ForRandom) -> str:
        if _products(conclusion.formula):
            return _PRODUCT
        if not conclusion.formula.atoms(VarianceOf):
            return _MEAN
        return _VARIANCE if any(x.covariance is not None for x in conclusion.numbers) else _UNCORRELATED

    def used(self, conclusion: ForRandom, domain: Domain) -> tuple[str, ...]:
        theorems = super().used(conclusion, domain)
        both = conclusion.formula.atoms(VarianceOf) and conclusion.formula.atoms(MeanOf)
        return (theorems[0], _MEAN, *theorems[1:]) if both else theorems

    def premises(self, conclusion: ForRandom, domain: Domain) -> Iterator[Premise]:
        label, numbers, formula = conclusion.label, conclusion.numbers, conclusion.formula
        _check_numbers(numbers, domain)
        if any(x.covariance is not None for x in numbers) and any(x.variance is not None for x in numbers):
            raise ClaimError(f"{label}: where some covariances are said, all are")
        _check_caught(formula, numbers, label)
        for x in numbers:
            reaches = sp.Le(sp.sympify(x.low) - 1, x.high, evaluate=False)
            yield Premise(Always(reaches, label=f"{label}: the range of {x.family} is one"), domain)
            if x.mean is not None:
                yield from valued((x.mean,), numbered(x.index, x.low, x.high, domain), label)
            if x.variance is not None:
                least = sp.Ge(x.variance, 0, evaluate=False)
                inside = numbered(x.index, x.low, x.high, domain)
                yield Premise(Always(least, label=f"{label}: a variance is not negative"), inside)
            if x.covariance is not None:
                yield from _of_some_numbers(x, domain, label)
        values: dict[Any, Any] = {}
        for e in _products(formula):
            values[e], mean = _power(e, numbers)
            yield from valued((mean,), domain, label)
        for e in sorted(formula.atoms(OfCombination) - set(values), key=str):
            fixed, factors = _combination(e.args[0], numbers)
            yield from valued(fixed, domain, label)
            for x, pieces in factors:
                parts = (part for piece in pieces for part in piece)
                yield from valued(parts, numbered(x.index, x.low, x.high, domain), label)
            added = [(x, sp.Add(*(sp.Mul(*piece) for piece in pieces))) for x, pieces in factors]
            values[e] = _value(e, sp.Add(*fixed), added)
        sides = formula.args if isinstance(formula, sp.Equality) else (formula,)
        plain = tuple(side.xreplace(values) for side in sides)
        if any(e.base in {x.family for x in numbers} for side in plain for e in side.atoms(sp.Indexed)):
            raise ClaimError(f"{label}: a random number stands outside its mean or variance")
        yield Premise(_about_sums(plain, conclusion.equality, label, self.then), domain)


def _of_some_numbers(x: Random, domain: Domain, label: str) -> Iterator[Premise]:
    """That some random numbers have these covariances: they are those of independent ones of variances d(i), and of
    multiples f(i) of others that all of them share, of variances s: sums of s f(i) f(k), and d(i) δ_ik.

    Raises :class:`ClaimError` for covariances of another form.
    """
    turned = {x.index: x.other, x.other: x.index}
    same = sp.Dummy()
    covariance = sp.sympify(x.covariance).xreplace({sp.KroneckerDelta(x.index, x.other): same})
    linear = line(covariance, same)
    if linear is None:
        raise ClaimError(f"{label}: {x.covariance} is not seen to be a covariance: that of a number with itself")
    own, shared = linear
    for part in sp.Add.make_args(shared):
        scale, moving = part.as_independent(x.index, x.other, as_Add=False)
        first, second = moving.as_independent(x.other, as_Add=False)
        if second.has(x.index) or substituted(first, turned) != second:
            raise ClaimError(f"{label}: {part} is not seen to be a covariance: s f({x.index}) f({x.other}) is one")
        yield Premise(Always(sp.Ge(scale, 0, evaluate=False), label=f"{label}: a variance that all share"), domain)
    inside = numbered(x.index, x.low, x.high, domain)
    least = sp.Ge(substituted(own, {x.other: x.index}), 0, evaluate=False)
    yield Premise(Always(least, label=f"{label}: a variance is not negative"), inside)


@dataclass(frozen=True)
class ForRandom(Conclusion):
    """``formula``, in which ``MeanOf`` and ``VarianceOf`` stand for means and variances of linear combinations of the
    random ``numbers``, whatever their laws, or for means of the product of independent ones. Numbers of different
    families, or ranges of one, are uncorrelated.

    Of an inequality ≥, ``equality`` are the conditions that hold for every index exactly where both sides are equal;
    without them nothing is claimed of equality.
    """

    formula: sp.Basic
    numbers: tuple[Random, ...]
    equality: tuple[sp.Basic, ...] = ()
    label: str = "random numbers"
    claimed = ("formula",)
    carried = EACH_POINT
    rule = Linearity()

    def __post_init__(self) -> None:
        if not isinstance(self.formula, sp.logic.boolalg.Boolean):
            raise ClaimError(
                f"{self.label}: what holds of random numbers is a relation such as Eq(MeanOf(…), 0) or MeanOf(…) >= 0, "
                f"and no {type(self.formula).__name__}"
            )

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(self.numbered)

    @property
    def supposes(self) -> tuple[sp.Basic, ...] | None:
        return supposed_in(self.formula)

    @property
    def numbered(self) -> Mapping[sp.Symbol, tuple[Scalar, ...]]:
        ranges: dict[sp.Symbol, tuple[Scalar, ...]] = {}
        for x in self.numbers:
            for letter in (x.index, x.other) if x.other is not None else (x.index,):
                ranges[letter] = (x.low, x.high) if ranges.get(letter, (x.low, x.high)) == (x.low, x.high) else ()
        return ranges

    def phrase(self) -> Phrase:
        numbers = [part for x in self.numbers for part in ("and", *x.phrase())][1:]
        has_variances = bool(self.formula.atoms(VarianceOf))
        alike = all(x.covariance is None for x in self.numbers)
        kind = "for uncorrelated random numbers" if has_variances and alike else "for random numbers"
        several = has_variances and not alike and len(self.numbers) > 1
        uncorrelated = (", the ones uncorrelated with the others,",) if several else ()
        sentence = (kind, *numbers, *uncorrelated, ":", self.formula)
        if not self.equality:
            return sentence
        return (*sentence, "with equality exactly if", *listed(self.equality), "always")


def _about_sums(
    plain: tuple[sp.Basic, ...], equality: tuple[sp.Basic, ...], label: str, then: Rule | None
) -> Statement:
    """An equation, by its sides, or a formula, in sums: as the checkers, or the rule ``then``, know it."""
    statement: Statement
    if len(plain) == 2:
        statement = Equal(plain[0], plain[1], label=label)
    elif isinstance(plain[0], sp.GreaterThan) and (then or equality):
        statement = AtLeast(plain[0].lhs, plain[0].rhs, equality, label=label)
    else:
        statement = Always(plain[0], label=label)
    if equality and not isinstance(statement, AtLeast):
        raise ClaimError(f"{label}: cases of equality belong to an inequality ≥")
    return statement if then is None else statement.by(then)


# What is fixed, and for each of the numbers the factors that add up: of a sum over them, and in it.
Combination = tuple[list[Any], list[tuple[Random, list[tuple[Any, Any]]]]]


def _products(formula: sp.Basic) -> list[MeanOf]:
    """The means of products in a formula."""
    return sorted((e for e in formula.atoms(MeanOf) if isinstance(e.args[0], sp.Product)), key=str)


def _power(e: MeanOf, numbers: tuple[Random, ...]) -> tuple[sp.Expr, sp.Expr]:
    """The mean of the product of all of some independent numbers of one law, and the mean of one of them."""
    total = e.args[0]
    letter, low, high = one_range(total)
    x = next((x for x in numbers if total.function == x.family[letter] and (x.low, x.high) == (low, high)), None)
    if x is None or not x.independent or x.mean is None or sp.sympify(x.mean).has(x.index):
        raise ClaimError(f"{total} is no product of all of some independent numbers of one mean")
    return sp.Pow(x.mean, high - low + 1), x.mean


def _check_numbers(numbers: tuple[Random, ...], domain: Domain) -> None:
    """Refuse random numbers that the domain constrains, too, and two that are one."""
    known = {f.base for f in domain.families} | {e.base for c in constraining(domain) for e in c.atoms(sp.Indexed)}
    ranges: set[tuple[sp.IndexedBase, Any, Any]] = set()
    for x in numbers:
        if x.family in known:
            raise ClaimError(f"the domain speaks of {x.family}, which are random numbers")
        if x.variance is not None and x.covariance is not None:
            raise ClaimError(f"the covariances of {x.family} say what the variances are: give one of them")
        own = {x.index, *([] if x.other is None else [x.other])}
        varying = [part for part in (x.mean, x.variance) if part is not None and sp.sympify(part).free_symbols & own]
        if x.independent and (varying or x.covariance is not None):
            raise ClaimError(f"{x.family} are independent and of one law: what is said of one of them is said of all")
        if x.covariance is not None and (x.other is None or x.other == x.index or x.other in domain.symbols):
            raise ClaimError(f"the covariance of {x.family} needs a letter for the other number: other=…")
        if any(e.base in {y.family for y in numbers} for part in x.known for e in part.atoms(sp.Indexed)):
            raise ClaimError(f"what is said of {x.family} speaks of random numbers")
        if not (is_whole(x.low) and is_whole(x.high)):
            raise ClaimError(f"{x.family} are numbered from {x.low} to {x.high}, which need not be whole numbers")
        if any(sp.sympify(end).has(x.index) for end in (x.low, x.high)):
            raise ClaimError(f"the range of {x.family} speaks of its own number {x.index}")
        for family, low, high in ranges:
            if family == x.family and not (
                sp.sympify(high - x.low).is_negative is True or sp.sympify(x.high - low).is_negative is True
            ):
                raise ClaimError(f"two ranges of {x.family} are not seen to lie apart")
        ranges.add((x.family, x.low, x.high))


def _check_caught(formula: sp.Basic, numbers: tuple[Random, ...], label: str) -> None:
    """Refuse a sum over means or variances whose index is a letter in the laws of the random numbers."""
    for total in formula.atoms(sp.Sum, sp.Product):
        bound = {limit[0] for limit in total.limits} if total.atoms(OfCombination) else set()
        for x in numbers:
            letters = set().union(*(part.free_symbols for part in x.known)) - {x.index, x.other}
            for letter in sorted(bound & letters, key=str):
                raise ClaimError(f"{label}: a sum binds {letter}, of which what is said of {x.family} speaks too")


def _combination(body: sp.Expr, numbers: tuple[Random, ...]) -> Combination:
    """A linear combination as constants, and factors of each random number by its index, all of which add up.

    Raises :class:`ClaimError` for anything else.
    """
    families = {x.family for x in numbers}
    fixed: list[Any] = []
    factors: list[tuple[Random, list[tuple[Any, Any]]]] = [(x, []) for x in numbers]
    for part in sp.Add.make_args(sp.expand(sp.sympify(body), power_base=False, power_exp=False, log=False)):
        factor, random = part.as_independent(*(x.family.label for x in numbers), as_Add=False)
        if not any(e.base in families for e in part.atoms(sp.Indexed)):
            fixed.append(part)
            continue
        if not isinstance(random, sp.Sum) or len(random.limits) != 1:
            raise ClaimError(f"{part} is no multiple of a sum over random numbers")
        ((letter, low, high),) = random.limits
        match = next(((x, pieces) for x, pieces in factors if _is_over(random, x, letter, low, high)), None)
        if match is None:
            raise ClaimError(f"{random} is no sum over all of the random numbers that are given")
        x, pieces = match
        entry = sp.Dummy(real=True)
        term = random.function.xreplace({x.family[letter]: entry})
        linear = line(term, entry)
        left = [e for e in term.atoms(sp.Indexed) if e.base in families]
        own = {x.index, x.other}
        loose = own & random.free_symbols or (own | {letter}) & factor.free_symbols or letter == x.other
        if linear is None or left or loose:
            raise ClaimError(f"{random} is no linear combination of {x.family}")
        slope, rest = linear
        if rest != 0:
            fixed.append(factor * sp.Sum(rest, (letter, low, high)))
        pieces.append((factor, substituted(slope, {letter: x.index})))
    return fixed, factors


def _is_over(total: sp.Sum, x: Random, letter: sp.Symbol, low: sp.Expr, high: sp.Expr) -> bool:
    """Whether a sum runs over all of these random numbers, and over no others."""
    entries = {e for e in total.function.atoms(sp.Indexed) if e.base == x.family}
    return entries == {x.family[letter]} and sp.sympify(x.low) == low and sp.sympify(x.high) == high


def _value(e: OfCombination, constant: sp.Expr, factors: list[tuple[Random, sp.Expr]]) -> sp.Expr:
    """The mean or the variance, in sums."""
    parts = []
    for x, factor in factors:
        over = (x.index, x.low, x.high)
        if isinstance(e, MeanOf):
            if x.mean is None:
                raise ClaimError(f"the means of {x.family} are not given")
            parts.append(sp.Sum(factor * x.mean, over))
        elif x.covariance is not None:
            beside = substituted(factor, {x.index: x.other})
            parts.append(sp.Sum(sp.Sum(factor * beside * x.covariance, (x.other, x.low, x.high)), over))
        elif x.variance is not None:
            parts.append(sp.Sum(factor**2 * x.variance, over))
        else:
            raise ClaimError(f"the variances of {x.family} are not given")
    return sp.Add(constant if isinstance(e, MeanOf) else 0, *parts)
