"""The algebra of numbers of texts: into means of products, and from a text to one with one more token in front."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.sides import line
from grpo_symbolic.proof.rules.text_numbers import (
    OVER_ALL,
    Ahead,
    Average,
    Gradient,
    GroupCentred,
    Here,
    OfTexts,
    TextMean,
    TextProduct,
    TextRate,
    Texts,
    TextSum,
    TextTotal,
    outermost,
)

Moments = dict[sp.Expr, sp.IndexedBase]  # a mean or total over texts, and what it is after each token


class Step:
    """What a number at a state is, in terms of what it is after each token."""

    def __init__(self, texts: Texts, onward: tuple[sp.IndexedBase, ...], rates: tuple[sp.IndexedBase, ...]) -> None:
        self.texts, self.onward, self.rates = texts, onward, rates
        self.names: Moments = {}
        self.moving: Moments = {}

    @property
    def named(self) -> list[sp.IndexedBase]:
        """The families that stand for what follows each token."""
        return [*self.names.values(), *self.moving.values()]

    def longer(self, side: sp.Expr) -> sp.Expr:
        """A side of a statement, of texts with one more token in front."""
        return side.xreplace({a: self._longer(a) for a in outermost(side, OVER_ALL)})

    def _longer(self, e: sp.Expr) -> sp.Expr:
        texts = self.texts
        mean = e.args[0] if isinstance(e, TextRate) else e
        term = self._term(mean)
        if isinstance(e, TextRate):
            moved = [texts.rate(term)]
            for key, base in list(self.names.items()):
                slope = sp.diff(term, base[texts.token])
                if slope != 0:
                    moved.append(slope * self._name(self.moving, self.rates, key)[texts.token])
            term = sp.Add(*moved)
        return sp.Sum(term, (texts.token, 1, texts.size))

    def _term(self, mean: sp.Expr) -> sp.Expr:
        """What one token contributes to a mean."""
        body, *law = mean.args
        longer = body.xreplace({a: a.longer for a in outermost(body, (TextSum,))})
        parts = [c * self._after(mean.func(m, *law)) for c, m in _monomials(longer, self.texts)]
        weight = law[0][self.texts.token] if law else sp.S.One
        return weight * sp.Add(*(self.valued(c) for c in parts))

    def valued(self, coefficient: sp.Expr) -> sp.Expr:
        """A number of a state and a token of it, with the values of its means there."""
        texts, values = self.texts, {}
        for total in coefficient.atoms(sp.Sum, sp.Product):
            for e in outermost(total, (Here, Ahead)):
                if caught := e.free_symbols & {*total.variables} - {texts.token}:
                    raise ClaimError(f"{e} differs with {min(map(str, caught))}, along which {total} runs")
        for e in outermost(coefficient, (Here, Ahead)):
            mean = linear(e.args[0], texts)
            if isinstance(e, Ahead):
                values[e] = self.hypothesis(mean)
            else:
                here = self.longer(mean)
                if any(texts.other in t.variables and t.has(texts.token) for t in here.atoms(sp.Sum, sp.Product)):
                    raise ClaimError(f"a sum in {mean} binds {texts.other}, which stands for another token here")
                values[e] = here.xreplace({texts.token: texts.other})
        return coefficient.xreplace(values)

    def after(self, e: sp.Expr) -> sp.Expr:
        """A mean, a total, or the derivative of a mean, over the texts after the token."""
        if isinstance(e, TextRate):
            self._after(e.args[0])  # a mean has its name before its rate
            return self._name(self.moving, self.rates, e.args[0])[self.texts.token]
        body, *law = e.args
        return sp.Add(*(c * self._after(e.func(m, *law)) for c, m in _monomials(body, self.texts)))

    def _after(self, one: sp.Expr) -> sp.Expr:
        if isinstance(one, TextMean) and one.args[0] == 1:
            return sp.S.One
        return self._name(self.names, self.onward, one)[self.texts.token]

    def _name(self, table: Moments, given: tuple[sp.IndexedBase, ...], key: sp.Expr) -> sp.IndexedBase:
        if key not in table:
            if len(table) == len(given):
                which = "onward" if table is self.names else "rates"
                raise ClaimError(f"{which}=… has no family for what {key} is after each token")
            table[key] = given[len(table)]
        return table[key]

    def hypothesis(self, gap: sp.Expr) -> sp.Expr:
        """The same difference of two sides, of the texts after the token."""
        return gap.xreplace({m: self.after(m) for m in outermost(gap, OVER_ALL)})


def solved(gaps: list[sp.Expr], letters: list[sp.Expr], texts: Texts) -> tuple[dict[sp.Expr, sp.Expr], list[sp.Expr]]:
    """Equations ``gap = 0``, each solved for the first letter of which it has a multiple by a number, or else by a
    constant; and the constants, which must not be zero.

    Raises :class:`ClaimError` where there is none.
    """
    solutions: dict[Any, Any] = {}
    factors: list[Any] = []
    for one in gaps:
        gap = sp.expand(one.xreplace(solutions))
        if gap == 0:
            continue
        slopes = {letter: sp.diff(gap, letter) for letter in letters if gap.has(letter)}
        constant = [
            a for a, c in slopes.items() if c != 0 and not texts.varies(c) and not any(c.has(b) for b in letters)
        ]
        letter = next((a for a in constant if slopes[a].is_Number), constant[0] if constant else None)
        if letter is None:
            raise ClaimError("the statement cannot be used of what follows: nothing in it has a constant as its factor")
        slope = slopes[letter]
        if not slope.is_Number:
            factors.append(slope)
        value = -sp.expand(gap - slope * letter) / slope
        solutions = {known: e.xreplace({letter: value}) for known, e in solutions.items()} | {letter: value}
    return solutions, factors


def plain(side: sp.Expr, texts: Texts, alike: Mapping[sp.Expr, sp.Expr] | None = None) -> sp.Expr:
    """A side in sums, products, and means of their products: averages and gradients written out, and what is alike for
    each text put in.
    """
    side = sp.sympify(side).xreplace(alike or {})
    side = side.xreplace({e: linear(e, texts) for e in outermost(side, OVER_ALL)})
    return side.xreplace({e: gradient_of(e.args[0], texts) for e in outermost(side, (Gradient,))})


def linear(e: sp.Expr, texts: Texts) -> sp.Expr:
    """A mean, or its derivative, as a sum of means of products."""
    mean = e.args[0] if isinstance(e, TextRate) else e
    if not isinstance(mean, TextMean if isinstance(e, TextRate) else TextMean | TextTotal):
        raise ClaimError(f"{e} is no derivative of a mean over texts")
    body, *law = mean.args
    if isinstance(e, TextRate) and body.atoms(Here, Ahead):
        raise ClaimError(f"no rule here differentiates the means in the terms of {body}")
    if body.atoms(GroupCentred):
        return _of_group(e, texts)
    if body.atoms(Average):
        factor, average = body.as_independent(Average, as_Add=False)
        if not isinstance(average, Average) or not law or _of_one_text(factor, texts):
            raise ClaimError(f"the mean of {body} is not that of one text")
        body = factor * average.args[0]
    body = body.xreplace({g: gradient_of(g.args[0], texts) for g in outermost(body, (Gradient,))})
    parts = []
    for c, m in _monomials(body, texts):
        if texts.varies(c):
            raise ClaimError(f"{c} differs between states, and stands in no sum or product along the text")
        one = mean.func(m, *law)
        if m == 1 and law:
            parts.append(sp.S.Zero if isinstance(e, TextRate) else c)
        else:
            parts.append(c * (TextRate(one) if isinstance(e, TextRate) else one))
    return sp.Add(*parts)


def _of_group(mean: sp.Expr, texts: Texts) -> sp.Expr:
    """The mean of what a group of independent texts has, by means of one text."""
    factor, group = mean.args[0].as_independent(GroupCentred, as_Add=False)
    if not isinstance(mean, TextMean) or not isinstance(group, GroupCentred) or _of_one_text(factor, texts):
        raise ClaimError(f"{mean.args[0]} is no multiple of an average over a group")
    if texts.varies(factor):
        raise ClaimError(f"{factor} differs between states, and stands in no sum or product along the text")
    number, weight, size = group.args
    both, one, other = (linear(TextMean(e, mean.args[1]), texts) for e in (number * weight, number, weight))
    return factor * (1 - 1 / size) * (both - one * other)


def _of_one_text(factor: sp.Expr, texts: Texts) -> bool:
    """Whether a factor is a number of a text, of which there are several in an average."""
    return bool(factor.atoms(OfTexts) or factor.free_symbols & set(texts.ends))


def gradient_of(body: sp.Expr, texts: Texts) -> sp.Expr:
    """The derivative of a sum of multiples of sums and products along a text."""
    letters = {a: sp.Dummy(real=True) for a in outermost(body, (TextSum,))}
    bare = body.xreplace(letters)
    if texts.varies(bare) or bare.atoms(OfTexts):
        raise ClaimError(f"{body} is no sum of multiples of sums and products along a text")
    parts = []
    for a, letter in letters.items():
        slope_and_rest = line(bare, letter)
        if slope_and_rest is None or slope_and_rest[0].free_symbols & set(letters.values()):
            raise ClaimError(f"{body} is no sum of multiples of sums and products along a text")
        term, token = a.args
        moved = texts.rate(term)
        along = TextSum(moved / term, token) * a if isinstance(a, TextProduct) else TextSum(moved, token)
        parts.append(slope_and_rest[0] * along)
    return sp.Add(*parts)


def at_end(side: sp.Expr) -> sp.Expr:
    """A side, of texts without tokens."""
    side = side.xreplace({e: sp.S.Zero for e in outermost(side, (TextRate,))})
    side = side.xreplace({e: e.args[0] for e in outermost(side, (TextMean, TextTotal))})
    return side.xreplace({a: a.empty for a in outermost(side, (TextSum,))})


def _monomials(body: sp.Expr, texts: Texts) -> list[tuple[sp.Expr, sp.Expr]]:
    """A text's number as a sum of products of sums and products along it, and of functions of its ends, each with its
    factor.

    Raises :class:`ClaimError` for one that is no such sum.
    """
    parts = {e: sp.Dummy(real=True) for e in outermost(body, (TextSum, sp.Sum, Here, Ahead))}
    opaque = {e: d for e, d in parts.items() if isinstance(e, TextSum)}
    fixed = {e: d for e, d in parts.items() if e not in opaque and not (_bare(e) & set(texts.ends))}
    back = {d: e for e, d in (opaque | fixed).items()}
    spread = sp.expand(body.xreplace(opaque | fixed), power_exp=False, power_base=False, log=False)
    deep = (*opaque.values(), *texts.ends)
    factors_of: dict[sp.Expr, list[sp.Expr]] = {}
    for term in sp.Add.make_args(spread):
        factor, monomial = term.as_independent(*deep, as_Add=False)
        for part in sp.Mul.make_args(monomial):
            base, power = part.as_base_exp()
            power_of_one = base in opaque.values() and power.is_Integer and power > 0
            bare = part.xreplace(back)
            if not power_of_one and (texts.varies(bare) or bare.atoms(OfTexts)):
                raise ClaimError(
                    f"{bare} is no product of sums and products along a text, and of functions of its ends"
                )
        factors_of.setdefault(monomial.xreplace(back), []).append(factor.xreplace(back))
    return [(sp.Add(*factors), monomial) for monomial, factors in factors_of.items()]


def _bare(e: sp.Expr) -> set[sp.Expr]:
    """The letters of a part of a term; none of a mean, which is a number of its state."""
    return set() if isinstance(e, Here | Ahead) else set(e.free_symbols)
