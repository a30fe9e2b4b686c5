r"""Formulas that have a name are printed by it: ``h(p)``, and beneath the sentence what h(p) is.

Declared once each, with their arguments. An instance is recognised by its tree alone, at whatever arguments, and the
definition with these put in *is* the formula that it stands for: the short sentence says what the long one says.

>>> from grpo_symbolic.latex import PaperPrinter
>>> from grpo_symbolic.notation import p
>>> printer = Abbreviating(PaperPrinter())
>>> print(printer(1 - DEVIATION.formula.subs(success, p) ** 3))
1 - \sigma_{\varepsilon}{\left(p \right)}^{3}
>>> print(*printer.definitions)
\sigma_{\varepsilon}{\left(p \right)} = \sqrt{\varepsilon + p \left(1 - p\right)}
"""

from __future__ import annotations

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cache
from typing import Any

import sympy as sp
from sympy.core.function import AppliedUndef

from grpo_symbolic.notation import G, beta, guard, k, logit_rate, n, o, o_, pi, success, success_ref, x

_Printer = Callable[[Any], str]
_Bound = Mapping[sp.Symbol, sp.Expr]  # arguments and what stands for them


@dataclass(frozen=True)
class Abbreviation:
    """A ``formula`` of some ``arguments``, and the LaTeX of its ``name``; its other letters are what they are."""

    name: str
    arguments: tuple[sp.Symbol, ...]
    formula: sp.Expr

    def stands(self, bound: _Bound, formula: sp.Expr) -> bool:
        """Whether the formula is this one at these arguments, none of which a sum in it would bind."""
        scopes = [s for s in self.formula.atoms(sp.Sum) if s.free_symbols & set(self.arguments)]
        inner = {v for s in scopes for v in s.variables}
        free = set().union(*(value.free_symbols for value in bound.values()))
        return set(self.arguments) <= set(bound) and not inner & free and self.formula.xreplace(bound) == formula

    def at(self, *values: sp.Expr) -> sp.Expr:
        """The name with arguments."""
        return sp.Function(self.name, real=True)(*values)


DEVIATION = Abbreviation(r"\sigma_{\varepsilon}", (success,), sp.sqrt(guard + success * (1 - success)))
MAP = Abbreviation(
    "h",
    (success,),
    1 / (1 + (1 - success_ref) * sp.exp(-1 / (beta * sp.sqrt(guard + success * (1 - success)))) / success_ref),
)
GRADIENT = Abbreviation(
    "m_{G}",
    (x,),
    sp.Sum(x**k * sp.sqrt(k * (G - k)) * (1 - x) ** (G - k) * sp.binomial(G, k) / G, (k, 0, G)),
)
GAP = Abbreviation(
    r"\Delta_{G}",
    (x,),
    sp.Sum(
        x**k * (1 - x) ** (G - k - 2) * (G - 1) * sp.binomial(G - 2, k) / sp.sqrt((k + 1) * (G - k - 1)), (k, 0, G - 2)
    ),
)
RATE = Abbreviation(
    r"\dot\pi", (o,), (logit_rate[o] - sp.Sum(pi[o_] * logit_rate[o_], (o_, 1, n))) * pi[o]
)  # of a probability, along the parameter along which the logits change
ABBREVIATIONS = (MAP, GRADIENT, GAP, RATE, DEVIATION)  # the largest first


class Abbreviating:
    """A printer that names what has a name; ``definitions`` are those of the names that it has used, in LaTeX."""

    def __init__(self, printer: _Printer) -> None:
        self._printer = printer
        self._used: dict[str, Abbreviation] = {}

    def __call__(self, formula: Any) -> str:
        return self._printer(self._folded(formula) if isinstance(formula, sp.Basic) else formula)

    @property
    def definitions(self) -> tuple[str, ...]:
        return tuple(f"{self._printer(a.at(*a.arguments))} = {self._printer(a.formula)}" for a in self._used.values())

    def _folded(self, formula: sp.Basic) -> sp.Basic:
        for abbreviation in ABBREVIATIONS:
            for values, power, rest in _instances(abbreviation, formula):
                self._used.setdefault(abbreviation.name, abbreviation)
                named = abbreviation.at(*map(self._folded, values)) ** power
                return sp.Mul(*map(self._folded, rest), named, evaluate=False) if rest else named
        if not formula.args or isinstance(formula, sp.Indexed | AppliedUndef):
            return formula
        folded = tuple(self._folded(part) for part in formula.args)
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
    power, base, rest = sp.S.One, formula, ()
    if isinstance(pattern, sp.Pow) and isinstance(formula, sp.Pow):
        power = formula.exp / pattern.exp
        # Defined alike: of a root its roots only, and of one over something no more than a division by it.
        alike = pattern.exp.is_integer == formula.exp.is_integer and (pattern.exp > 0 or power.is_positive)
        if not power.is_Integer or not alike:
            return
        base = formula.base**pattern.exp
    elif isinstance(pattern, sp.Mul) and isinstance(formula, sp.Mul) and len(formula.args) > len(pattern.args):
        for bound, others in _within(pattern.args, formula.args, wild, {}):
            base, rest = sp.Mul(*(f for f in formula.args if f not in others)), tuple(others)
            if abbreviation.stands(bound, base):
                yield tuple(bound[a] for a in abbreviation.arguments), sp.S.One, rest
        return
    for bound in _matches(pattern, base, wild, {}):
        if abbreviation.stands(bound, base):
            yield tuple(bound[a] for a in abbreviation.arguments), power, rest


@cache
def _letters(pattern: sp.Basic) -> frozenset[sp.Symbol]:
    """The letters of a part of what is declared here, which are asked for at each formula that is printed."""
    return frozenset(pattern.free_symbols)


def _matches(pattern: sp.Basic, formula: sp.Basic, wild: frozenset[sp.Symbol], bound: _Bound) -> Iterator[_Bound]:
    """What the arguments of a pattern may stand for, so that it is the formula."""
    if (letters := _letters(pattern) & wild) <= bound.keys():
        if (pattern.xreplace(bound) if letters else pattern) == formula:
            yield bound
    elif pattern in wild:
        yield {**bound, pattern: formula}
    elif pattern.func is formula.func and len(pattern.args) == len(formula.args):
        if isinstance(pattern, sp.Add | sp.Mul):
            yield from (found for found, others in _within(pattern.args, formula.args, wild, bound) if not others)
        else:
            yield from _pairwise(pattern.args, formula.args, wild, bound)


def _pairwise(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: _Bound
) -> Iterator[_Bound]:
    if not patterns:
        yield bound
        return
    for found in _matches(patterns[0], formulas[0], wild, bound):
        yield from _pairwise(patterns[1:], formulas[1:], wild, found)


def _within(
    patterns: Sequence[sp.Basic], formulas: Sequence[sp.Basic], wild: frozenset[sp.Symbol], bound: _Bound
) -> Iterator[tuple[_Bound, tuple[sp.Basic, ...]]]:
    """The same for parts in any order, and which of the formulas are left over."""
    if not patterns:
        yield bound, tuple(formulas)
        return
    first, *others = sorted(patterns, key=lambda part: bool(_letters(part) & wild))  # what is fixed comes first
    for at, formula in enumerate(formulas):
        for found in _matches(first, formula, wild, bound):
            yield from _within(others, (*formulas[:at], *formulas[at + 1 :]), wild, found)
