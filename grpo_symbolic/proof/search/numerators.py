"""Rational functions of generators, by SymPy's sparse polynomials: a polynomial times whole powers of others.

A generator is a symbol, or whatever else is neither a sum, a product, a number nor a whole power. Of a square root the
square is known, and powers of it are reduced by that. Nothing is cancelled or multiplied out but what the terms of a
sum do not share: whether a quotient is 0 shows in its numerator.
"""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import sympy as sp
from sympy.polys.rings import PolyRing

Factors = dict[Any, int]  # polynomial: exponent, below 0 where it divides


@lru_cache(maxsize=256)
def _ring(count: int) -> Any:
    """Polynomials over ℚ in so many letters; to make a ring takes longer than most of what is done in it."""
    return PolyRing([f"g{place}" for place in range(count)], sp.QQ)


class Quotients:
    """The sums, products and whole powers in an expression as quotients of polynomials in its generators, ``nodes``."""

    def __init__(self, e: sp.Expr) -> None:
        self.nodes: list[sp.Expr] = []
        self._roots: list[sp.Expr] = []  # each after those inside it
        self._seen: set[sp.Expr] = set()
        self._collect(e)
        self.ring = _ring(len(self.nodes))
        self._place = {node: place for place, node in enumerate(self.nodes)}
        self._known: dict[sp.Expr, tuple[Any, Factors]] = {}

    def numerator(self, e: sp.Expr) -> Any:
        """The numerator of an expression, which is 0 where the expression is; no root has a power above the first."""
        above, _ = self._expanded(*self.quotient(e))
        for root in reversed(self._roots):
            place = self._place[root]
            powers = {monomial[place] for monomial in above}
            if powers and max(powers) > 1:
                above = self._without_powers(above, place, root.base, max(powers) // 2)
        return above

    def quotient(self, e: sp.Expr) -> tuple[Any, Factors]:
        """An expression as a polynomial times powers of others. Raises :class:`ZeroDivisionError`."""
        quotient = self._known.get(e)
        if quotient is None:
            quotient = self._known[e] = self._quotient(e)
        return quotient

    def _collect(self, e: sp.Expr) -> None:
        if e in self._seen:
            return
        self._seen.add(e)
        if isinstance(e, sp.Add | sp.Mul):
            for part in e.args:
                self._collect(part)
        elif isinstance(e, sp.Pow) and e.exp.is_Integer:
            self._collect(e.base)
        elif _is_root(e) and e.exp != sp.S.Half:
            self._collect(sp.sqrt(e.base))
        elif not e.is_Rational:
            if _is_root(e):
                self._collect(e.base)
                self._roots.append(e)
            self.nodes.append(e)

    def _quotient(self, e: sp.Expr) -> tuple[Any, Factors]:
        place = self._place.get(e)
        if place is not None:
            return self.ring.gens[place], {}
        if e.is_Rational:
            return self.ring(sp.QQ(int(e.p), int(e.q))), {}
        if isinstance(e, sp.Add):
            return self._sum([self.quotient(part) for part in e.args])
        if isinstance(e, sp.Mul):
            return self._product([self.quotient(part) for part in e.args])
        base, power = (e.base, int(e.exp)) if e.exp.is_Integer else (sp.sqrt(e.base), int(e.exp.p))
        above, factors = self._product([self.quotient(base)])
        factors = {factor: k * power for factor, k in factors.items()}
        if power > 0:
            return above**power, factors
        if not above:
            raise ZeroDivisionError(f"{base} is 0, and divides")
        (monomial, coefficient), *_ = above.items()
        letters = {self.ring.gens[place]: k * power for place, k in enumerate(monomial) if k}
        return self.ring(coefficient**power), _multiplied(letters, factors)

    def _product(self, parts: list[tuple[Any, Factors]]) -> tuple[Any, Factors]:
        """A product, whose polynomial is a number times letters."""
        above, factors = self.ring.one, Factors()
        for top, others in parts:
            if len(top) > 1:
                least = (tuple(map(min, zip(*top, strict=True))), top.LC)
                others = _multiplied(others, {top.quo_term(least): 1})
                top = self.ring.from_dict(dict([least]))
            above, factors = above * top, _multiplied(factors, others)
        return above, factors

    def _sum(self, parts: list[tuple[Any, Factors]]) -> tuple[Any, Factors]:
        every = dict.fromkeys(factor for _, factors in parts for factor in factors)
        common = {factor: min(factors.get(factor, 0) for _, factors in parts) for factor in every}
        total: dict[Any, Any] = {}
        for above, factors in parts:
            for factor, power in common.items():
                if factors.get(factor, 0) > power:
                    above = above * factor ** (factors.get(factor, 0) - power)
            for monomial, coefficient in above.items():
                total[monomial] = total.get(monomial, 0) + coefficient
        return self.ring.from_dict(total), {factor: power for factor, power in common.items() if power}

    def _expanded(self, above: Any, factors: Factors) -> tuple[Any, Any]:
        """Numerator and denominator, multiplied out."""
        below = self.ring.one
        for factor, power in factors.items():
            if power > 0 and above:
                above = above * factor**power
            elif power < 0:
                below = below * factor**-power
        return above, below

    def _without_powers(self, above: Any, place: int, square: sp.Expr, most: int) -> Any:
        """A polynomial with the square of a letter put in for that square, cleared of its denominators."""
        top, bottom = self._expanded(*self.quotient(square))
        parts: dict[int, dict[Any, Any]] = {}
        for monomial, coefficient in above.items():
            squares, rest = divmod(monomial[place], 2)
            reduced = (*monomial[:place], rest, *monomial[place + 1 :])
            of_power = parts.setdefault(squares, {})
            of_power[reduced] = of_power.get(reduced, 0) + coefficient
        result = self.ring.zero
        for squares, part in parts.items():
            result = result + self.ring.from_dict(part) * top**squares * bottom ** (most - squares)
        return result


def _is_root(e: sp.Expr) -> bool:
    return isinstance(e, sp.Pow) and bool(e.exp.is_Rational) and e.exp.q == 2


def _multiplied(left: Factors, right: Factors) -> Factors:
    product = {**left, **{factor: power + left.get(factor, 0) for factor, power in right.items()}}
    return {factor: power for factor, power in product.items() if power}
