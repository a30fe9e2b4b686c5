r"""Formulas that have a name are printed by it: ``h(p)``, and beneath the sentence what h(p) is.

An instance of what :mod:`.abbreviations` declares is recognised by its tree alone, at whatever arguments, and the
definition with these put in *is* the formula that it stands for: the short sentence says what the long one says.

>>> from grpo_symbolic.abbreviations import DEVIATION
>>> from grpo_symbolic.latex import PaperPrinter
>>> from grpo_symbolic.notation import p, success
>>> printer = Abbreviating(PaperPrinter())
>>> print(printer(1 - DEVIATION.formula.subs(success, p) ** 3))
1 - \sigma_{\varepsilon}{\left(p \right)}^{3}
>>> print(*printer.definitions)
\sigma_{\varepsilon}{\left(p \right)} = \sqrt{\varepsilon + p \left(1 - p\right)}
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence
from contextlib import suppress
from copy import copy
from functools import cache, lru_cache
from typing import Any

import sympy as sp

from grpo_symbolic.abbreviations import ABBREVIATIONS, Abbreviation, Bound, Name
from grpo_symbolic.notation import NOTATION, printed
from grpo_symbolic.proof.statements.arithmetic import MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.evaluate import evaluate
from grpo_symbolic.proof.statements.sentence import there
from grpo_symbolic.typeset.letters import seen

_Printer = Callable[[Any], str]


class Abbreviating:
    """A printer that names what has a name; ``definitions`` are those of the names that it has used, in LaTeX. Where a
    letter of the sentence, of ``taken``, is printed as a name, or as one is at its arguments, this is not used:
    h (1 − p) is no h(1 − p), and the mean of P no letter P̄. With the
    ``short`` names, which are for long sentences, numbers are printed as decimals where these are shorter.
    """

    def __init__(self, printer: _Printer, short: bool = False, taken: Iterable[Any] = ()) -> None:
        decimal: Callable[[], _Printer] | None = getattr(printer, "decimal", None)
        self._printer = decimal() if short and decimal is not None else printer
        self._looks = {(seen(of) if isinstance(of, str) else printed(of)).family for of in taken}
        self._among = [a for a in ABBREVIATIONS if (short or a.everywhere) and self._is_free(a, a.arguments)]
        self._of_kind: dict[type, list[Abbreviation]] = {}
        self._used: dict[Abbreviation, set[tuple[sp.Basic, ...]]] = {}  # and at which arguments
        self._domain: Domain | None = None

    def on(self, domain: Domain) -> Abbreviating:
        """The same where a sentence is meant on a domain: of sums over a part of a family, and of what is no policy
        there, no name is used.
        """
        here = copy(self)  # the definitions are those of the whole sentence
        here._printer, here._domain = there(self._printer, domain), domain
        return here

    def beside(self, taken: Iterable[sp.Symbol]) -> Abbreviating:
        """The same beside what has letters that are taken: no index of a sum is printed as one of these."""
        beside: Callable[[Iterable[sp.Symbol]], _Printer] | None = getattr(self._printer, "beside", None)
        if beside is None:
            return self
        here = copy(self)
        here._printer = beside(taken)
        return here

    def _is_free(self, abbreviation: Abbreviation, values: Sequence[sp.Basic]) -> bool:
        """Whether no letter of the sentence is seen as a name is before its arguments, those in accents and indices
        being part of it.
        """
        name = self._printer(abbreviation.at(*values)).partition(r"\left")[0].removesuffix("{")
        return not self._looks or seen(name) not in self._looks

    def _means(self, abbreviation: Abbreviation, values: Sequence[sp.Basic]) -> bool:
        """Whether the sums of a formula run over whole families, and those that are policies as a rule are some; a
        divergence is one of probabilities.
        """
        if self._domain is None:
            return True
        bound = dict(zip(abbreviation.arguments, values, strict=True))
        if "KL" in abbreviation.name and not all(map(self._may_be_a_probability, values)):
            return False
        for total in abbreviation.formula.atoms(sp.Sum):
            ((index, _, high),) = total.limits
            for base in {e.base for e in total.function.atoms(sp.Indexed) if e.indices == (index,)}:
                family = self._domain.bases.get(bound.get(base, base).label)
                policy = NOTATION[str(base)].domain == "simplex"
                if family is None or family.size != high or (policy and not (family.positive and family.total == 1)):
                    return False
        return True

    def _may_be_a_probability(self, value: sp.Basic) -> bool:
        """Whether a number lies between 0 and 1 at some points of the domain. An entry need not, nor what is made of
        the index of a sum; of a real letter that a statement binds nothing is asked.
        """
        if self._domain is None or not isinstance(value, sp.Expr):
            return True
        bound = value.free_symbols - self._domain.symbols
        if bound:
            return not value.has(sp.Indexed) and not any(letter.is_integer for letter in bound)
        for point in self._domain.points(5, special=False):
            with suppress(Undefined, Unsupported):
                if not 0 <= evaluate(value, point, MPMATH) <= 1:
                    return False
        return True

    def __call__(self, formula: Any) -> str:
        return self._printer(self.folded(formula) if isinstance(formula, sp.Basic) else formula)

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(map(self._definition, self._used))

    def _definition(self, name: Abbreviation) -> str:
        """What a name stands for: at other letters than it is declared with where it is used at these and no others."""
        first, *others = self._used[name]
        bound = {*name.formula.atoms(sp.Symbol, sp.IndexedBase)} - {*name.arguments}
        letters = all(isinstance(value, sp.Symbol | sp.IndexedBase) for value in first)
        if others or not letters or len({*first}) < len(first) or bound & {*first}:
            first = name.arguments
        formula = _put_in(name.formula, tuple(zip(name.arguments, first, strict=True)))
        return f"{self._printer(name.at(*first))} = {self._printer(formula)}"

    def _candidates(self, formula: sp.Basic) -> list[Abbreviation]:
        """What a formula may be by its outermost operation."""
        kind = formula.func
        if kind not in self._of_kind:
            self._of_kind[kind] = [a for a in self._among if a.among is not None or a.formula.func is kind]
        return self._of_kind[kind]

    def folded(self, formula: sp.Basic, within: frozenset[sp.Basic] = frozenset()) -> sp.Basic:
        """The formula, with names where they stand for a part of it; sums and limits around it bind letters
        ``within``, which no definition has beside its arguments.
        """
        for abbreviation in self._candidates(formula):
            for values, power, rest in _instances(abbreviation, formula):
                if abbreviation.beside & within:
                    continue
                if not self._means(abbreviation, values) or not self._is_free(abbreviation, values):
                    continue
                self._used.setdefault(abbreviation, set()).add(tuple(values))
                named = abbreviation.at(*(self.folded(value, within) for value in values)) ** power
                if not rest:
                    return named
                beside = self.folded(formula.func(*rest, evaluate=False) if len(rest) > 1 else rest[0], within)
                together = beside.args if beside.func is formula.func else (beside,)
                return formula.func(*together, named, evaluate=False)
        if not formula.args or isinstance(formula, sp.Indexed | sp.IndexedBase | Name):
            return formula
        used = {name: {*at} for name, at in self._used.items()}
        if isinstance(formula, sp.Sum | sp.Product):
            within |= {*formula.variables}
        if isinstance(formula, sp.Limit):
            within |= {formula.args[1]}
        folded = tuple(self.folded(part, within) for part in formula.args)
        if isinstance(formula, sp.core.relational.Relational) and formula.lhs != formula.rhs and len({*folded}) == 1:
            self._used.clear()
            self._used.update(used)
            return formula  # of two forms that have one name it is said that they are equal
        return formula if folded == formula.args else _again(formula, folded)


def _again(formula: sp.Basic, parts: tuple[sp.Basic, ...]) -> sp.Basic:
    """The same operation on other parts, in which nothing is evaluated."""
    unevaluated = sp.Add | sp.Mul | sp.Pow | sp.core.relational.Relational | sp.logic.boolalg.BooleanFunction
    return formula.func(*parts, evaluate=False) if isinstance(formula, unevaluated) else formula.func(*parts)


def _instances(
    abbreviation: Abbreviation, formula: sp.Basic
) -> Iterator[tuple[tuple[sp.Expr, ...], sp.Expr, tuple[sp.Expr, ...]]]:
    """Arguments at which a formula is a power of what is abbreviated, the power, and factors that stand beside it."""
    pattern, wild = abbreviation.formula, frozenset(abbreviation.arguments)
    if not isinstance(formula, sp.Expr):
        return
    if abbreviation.among is not None:
        for bound in abbreviation.among(formula):
            if _stands(abbreviation, bound, formula):
                yield tuple(bound[a] for a in abbreviation.arguments), sp.S.One, ()
        return
    power, base, rest = sp.S.One, formula, ()
    if isinstance(pattern, sp.Pow) and isinstance(formula, sp.Pow):
        power = formula.exp / pattern.exp
        # Defined alike: of a root its roots only, and of one over something no more than a division by it.
        alike = pattern.exp.is_integer == formula.exp.is_integer and (pattern.exp > 0 or power.is_positive)
        if not power.is_Integer or not alike:
            return
        base = formula.base**pattern.exp
    elif _more(pattern, formula):
        for bound, others in _within(pattern.args, formula.args, wild, {}):
            base, rest = formula.func(*(f for f in formula.args if f not in others)), tuple(others)
            if _stands(abbreviation, bound, base):
                yield tuple(bound[a] for a in abbreviation.arguments), sp.S.One, rest
        return
    for bound in _matches(pattern, base, wild, {}):
        if _stands(abbreviation, bound, base):
            yield tuple(bound[a] for a in abbreviation.arguments), power, rest


def _stands(abbreviation: Abbreviation, bound: Bound, formula: sp.Expr) -> bool:
    """Whether the formula is an abbreviated one at these arguments, none of which a sum in it would bind."""
    inner = {v for s in abbreviation.formula.atoms(sp.Sum) for v in s.variables}
    free = set().union(*(value.free_symbols for value in bound.values()))
    if not set(abbreviation.arguments) <= set(bound) or inner & free:
        return False
    here = _put_in(abbreviation.formula, tuple(bound.items()))
    return bool(here == formula or (inner and here.as_dummy() == formula.as_dummy()))


def _more(pattern: sp.Expr, formula: sp.Expr) -> bool:
    """Whether a product or a sum may have what is abbreviated among its factors or terms, and others."""
    same = pattern.func is formula.func and isinstance(formula, sp.Mul | sp.Add)
    return same and len(formula.args) > len(pattern.args)


@lru_cache(maxsize=1 << 14)
def _put_in(pattern: sp.Basic, bound: tuple[tuple[sp.Basic, sp.Basic], ...]) -> sp.Basic:
    """A pattern with its arguments put in: of extrema SymPy looks for common factors, and the same are asked for in
    each form of a sentence.
    """
    return pattern.xreplace(dict(bound))


@cache
def _letters(pattern: sp.Basic) -> frozenset[sp.Basic]:
    """The letters of a part of what is declared here, which are asked for at each formula that is printed."""
    return frozenset(pattern.atoms(sp.Symbol, sp.IndexedBase))


def _matches(pattern: sp.Basic, formula: sp.Basic, wild: frozenset[sp.Symbol], bound: Bound) -> Iterator[Bound]:
    """What the arguments of a pattern may stand for, so that it is the formula."""
    if (letters := _letters(pattern) & wild) <= bound.keys():
        if (_put_in(pattern, tuple(bound.items())) if letters else pattern) == formula:
            yield bound
    elif pattern in wild:
        yield {**bound, pattern: formula}
    elif pattern.func is formula.func and len(pattern.args) == len(formula.args):
        if isinstance(pattern, sp.Sum):
            formula = _renamed(formula, pattern)
        if isinstance(pattern, sp.Add | sp.Mul):
            yield from (match for match, others in _within(pattern.args, formula.args, wild, bound) if not others)
        else:
            yield from _pairwise(pattern.args, formula.args, wild, bound)


def _renamed(formula: sp.Sum, pattern: sp.Sum) -> sp.Sum:
    """A sum with the index of another one, where no letter in it is called so."""
    ((mine, *_),), ((theirs, *_),) = formula.limits, pattern.limits
    return formula if formula.has(theirs) else formula.xreplace({mine: theirs})


def _pairwise(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: Bound
) -> Iterator[Bound]:
    if not patterns:
        yield bound
        return
    for match in _matches(patterns[0], formulas[0], wild, bound):
        yield from _pairwise(patterns[1:], formulas[1:], wild, match)


def _within(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: Bound
) -> Iterator[tuple[Bound, tuple[sp.Basic, ...]]]:
    """The same for parts in any order, and which of the formulas are left over."""
    if not patterns:
        yield bound, tuple(formulas)
        return
    first, *others = sorted(patterns, key=lambda part: bool(_letters(part) & wild))  # what is fixed comes first
    for at, formula in enumerate(formulas):
        for match in _matches(first, formula, wild, bound):
            yield from _within(others, (*formulas[:at], *formulas[at + 1 :]), wild, match)
