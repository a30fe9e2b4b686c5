"""Instances of a domain in bulk: the same points on every array backend, made from a counter and a seed.

Point number ``i`` of a stream depends on the seed and on ``i`` alone, so a sweep can be cut anywhere and go on from
there. Numbers come in blocks of :data:`LANES`. Half of the blocks are stretches of the R-sequence (an additive
recurrence with the powers of a generalised golden ratio, M. Roberts 2018), taken modulo 2⁶⁴ in integers, so that it
never loses accuracy; the other half pass through the finaliser of SplitMix64 (Steele, Lea and Flood 2014). A block has
one *shape* for each coordinate: which end of the range it starts from, and which power of the uniform number is the
distance from it: u, u⁴, u¹⁶ or u³², which is uniform, then spread over ever more decades, and at last piles up on the
end itself.
"""

from __future__ import annotations

import itertools
import math
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.backends import Array, Backend
from grpo_symbolic.proof.statements.domain import Domain, Family, Point
from grpo_symbolic.proof.statements.intervals import Interval

LANES = 256
_WORD = 1 << 64
_GOLDEN = 0x9E3779B97F4A7C15
_NEAREST = {"float64": 2.0**-100, "float32": 2.0**-30}  # the least distance from an end, and the inverse of the largest
_SIZES = (0, 1, 3, 2, 5)  # above the least that the domain admits, in order of preference


def _signed(word: int) -> int:
    """The 64-bit word as the two's complement integer that array libraries know."""
    word %= _WORD
    return word - _WORD if word >= _WORD // 2 else word


def _mix(word: int) -> int:
    """SplitMix64's finaliser on one unsigned word."""
    word = (word ^ (word >> 30)) * 0xBF58476D1CE4E5B9 % _WORD
    word = (word ^ (word >> 27)) * 0x94D049BB133111EB % _WORD
    return word ^ (word >> 31)


def _mixed(words: Array) -> Array:
    """The same on an array of signed words, whose right shift copies the sign and so is masked."""
    words = (words ^ ((words >> 30) & ((1 << 34) - 1))) * _signed(0xBF58476D1CE4E5B9)
    words = (words ^ ((words >> 27) & ((1 << 37) - 1))) * _signed(0x94D049BB133111EB)
    return words ^ ((words >> 31) & ((1 << 33) - 1))


def _ratio(dimensions: int) -> float:
    """The generalised golden ratio: the positive root of x^(d+1) = x + 1."""
    x = 2.0
    for _ in range(60):
        x = (1 + x) ** (1 / (dimensions + 1))
    return x


@dataclass(frozen=True)
class Stream:
    """Uniform numbers for ``dimensions`` coordinates. ``backend`` is an object of :func:`backends.get`."""

    backend: Any
    dimensions: int
    seed: int

    def __post_init__(self) -> None:
        ratio = _ratio(self.dimensions)
        steps = [int((ratio ** -(k + 1) % 1.0) * _WORD) | 1 for k in range(self.dimensions)]
        keys = [_mix((self.seed * _GOLDEN + _mix(k + 1)) % _WORD) for k in range(self.dimensions + 1)]
        object.__setattr__(self, "_steps", [_signed(s) for s in steps])
        object.__setattr__(self, "_keys", [_signed(k) for k in keys])

    def uniform(self, blocks: Array) -> list[Uniform]:
        """For each coordinate the uniform numbers of these blocks, shape (blocks, LANES), with the blocks' shapes."""
        xp, keys = self.backend.xp, self._keys  # type: ignore[attr-defined]
        lanes = self.backend.integers(np.arange(LANES))
        points = blocks[:, None] * LANES + lanes[None, :]
        block_word = _mixed(blocks[:, None] * _signed(_GOLDEN) + keys[-1])
        scattered, plain = (block_word & 1) == 1, (block_word & 6) == 0
        found = []
        for step, key in zip(self._steps, keys[:-1], strict=True):  # type: ignore[attr-defined]
            words = points * step + key
            words = xp.where(scattered, _mixed(words), words)
            shape = _mixed(block_word ^ key)
            found.append(Uniform(self.backend, self._unit(words), shape, xp.where(plain, 0, shape & 3)))
        return found

    def _unit(self, words: Array) -> Array:
        """In (0, 1), at the middle of one of 2⁵² (float32: 2²³) equal parts, so that neither end is ever met."""
        bits = 52 if self.backend.dtype == "float64" else 23
        high = (words >> (64 - bits)) & ((1 << bits) - 1)
        return (self.backend.floating(high) + 0.5) * 2.0**-bits


@dataclass(frozen=True)
class Uniform:
    """One coordinate: ``u`` in (0, 1), the bits that choose the shape of each block, and the power chosen by them."""

    backend: Any
    u: Array
    bits: Array
    power: Array

    @cached_property
    def distance(self) -> Array:
        """u, u⁴, u¹⁶ or u³², never below the least distance."""
        xp, u = self.backend.xp, self.u
        u4 = (u * u) * (u * u)
        u16 = (u4 * u4) * (u4 * u4)
        chosen = xp.where(self.power == 0, u, xp.where(self.power == 1, u4, xp.where(self.power == 2, u16, u16 * u16)))
        return xp.clip(chosen, nearest(self.backend), None)

    def bit(self, number: int) -> Array:
        return ((self.bits >> number) & 1) == 1

    def inside(self, box: Interval) -> Array:
        """Numbers in an interval, on the closed ends of it, but never on an open one."""
        xp, t, least = self.backend.xp, self.distance, nearest(self.backend)
        low, high = float(box.lower), float(box.upper)
        met = xp.where(t <= least, 0.0, t)  # the end itself, where formulas degenerate
        if math.isfinite(low) and math.isfinite(high):
            away = (high - low) * met
            return xp.clip(xp.where(self.bit(8), high - away, low + away), *_ends(self.backend, box))
        away = xp.where(self.bit(8), 1 / t, met)
        if math.isfinite(low):
            return xp.clip(low + away, *_ends(self.backend, box))
        if math.isfinite(high):
            return xp.clip(high - away, *_ends(self.backend, box))
        return xp.where(self.bit(9), -away, away)

    def reward(self) -> Array:
        """Any real number, as rewards are: 0 or 1, a few values with ties, no pattern, tiny, huge, far from zero."""
        xp, u, t = self.backend.xp, self.u, self.distance
        pattern = (self.bits >> 10) & 7
        wide = xp.where(self.bit(8), 1 / t, t)
        value = xp.where(self.bit(9), -wide, wide)
        for number, choice in enumerate((xp.floor(2 * u), xp.floor(5 * u) - 2, 16 * u - 8, 1000 + u)):
            value = xp.where(pattern == number, choice, value)
        return value


def nearest(backend: Backend) -> float:
    """The least distance from an end of a range that is drawn; its inverse is the largest number."""
    return _NEAREST[backend.dtype]


def _ends(backend: Backend, box: Interval) -> tuple[float | None, float | None]:
    """The least and the largest number of the float type inside an interval (next to an end at zero: as near as is
    drawn).
    """
    kind = np.dtype(backend.dtype).type

    def end(value: sp.Expr, is_open: bool, towards: float) -> float | None:
        if not value.is_finite:
            return None
        number = kind(float(value))
        inward = value.is_Rational and sp.Rational(float(number)) == value
        if number == 0 and is_open:
            return math.copysign(nearest(backend), towards)
        return float(np.nextafter(number, kind(towards))) if is_open or not inward else float(number)

    return end(box.lower, box.lower_open, math.inf), end(box.upper, box.upper_open, -math.inf)


# -- instances of a domain --------------------------------------------------------------------------------------------


def element(base: sp.IndexedBase | sp.Symbol, number: int) -> sp.Symbol:
    """The symbol that stands for one entry of a family, ``pi[2]`` say, once its size is known."""
    return sp.Symbol(f"{base}[{number}]", real=True)


@dataclass(frozen=True)
class Plan:
    """How the instances of a domain are drawn, its whole symbols (sizes, counts) being fixed to ``sizes``.

    ``columns`` are the scalars that are drawn and the entries of the families, in this order. Only the symbols and
    families ``named`` (by its label) are drawn; a scalar that nothing asks about keeps one value.
    """

    domain: Domain
    sizes: tuple[tuple[sp.Symbol, sp.Integer], ...] = ()
    named: frozenset[sp.Symbol] = frozenset()

    @cached_property
    def scalars(self) -> tuple[sp.Symbol, ...]:
        return tuple(s for s in self._free if s in self.named)

    @cached_property
    def _free(self) -> tuple[sp.Symbol, ...]:
        fixed = {s for s, _ in self.sizes} | set(self.domain.definitions) | set(self.domain.bases)
        return tuple(sorted((s for s in self.domain.symbols if s not in fixed), key=lambda s: s.name))

    @cached_property
    def idle(self) -> dict[sp.Symbol, sp.Expr]:
        """The scalars that are not drawn, with the value that they keep."""
        return {s: self.domain.point[s] for s in self._free if s not in self.named}

    @cached_property
    def families(self) -> tuple[tuple[Family, int], ...]:
        drawn = (f for f in self.domain.families if f.base.label in self.named)
        return tuple((f, int(f.size.xreplace(dict(self.sizes)))) for f in drawn)

    @cached_property
    def columns(self) -> tuple[sp.Symbol, ...]:
        return self.scalars + tuple(element(f.base, k + 1) for f, size in self.families for k in range(size))

    @cached_property
    def defined(self) -> dict[sp.Symbol, sp.Expr]:
        """Symbols that an equation of the domain defines, in terms of the columns and the sizes."""
        table = dict(self.domain.definitions)
        for _ in table:
            table = {s: e.xreplace(table) for s, e in table.items()}
        return {s: e.xreplace(dict(self.sizes)) for s, e in table.items()}

    def total(self, family: Family) -> sp.Expr | None:
        """The sum of a simplex, in terms of the scalars that are drawn."""
        if family.total is None:
            return None
        return sp.sympify(family.total).xreplace(self.defined).xreplace(dict(self.sizes))

    def values(self, backend: Backend, blocks: Array, seed: int, totals: dict[Any, Any]) -> list[Array]:
        """The columns of these blocks, each of shape (blocks, LANES). ``totals``: the compiled total of each simplex,
        as a function of the scalars.
        """
        stream = iter(Stream(backend, len(self.columns), seed).uniform(blocks))
        scalars = [next(stream).inside(self.domain.intervals[s]) for s in self.scalars]
        columns = list(scalars)
        for family, size in self.families:
            drawn = list(itertools.islice(stream, size))
            if not family.positive:
                columns += [d.reward() for d in drawn]
            elif family.total is None:
                columns += [d.inside(Interval(sp.S.Zero)) for d in drawn]
            else:
                columns += _simplex([d.distance for d in drawn], totals[family.base](*scalars))
        return columns

    def point(self, row: list[float]) -> Point:
        """The exact instance of one row: every float is the binary fraction that it is, what is defined follows, and
        the last entry of a simplex is what is left of its total.
        """
        exact = dict(zip(self.columns, (sp.Rational(float(v)) for v in row), strict=True))
        point: dict[Any, Any] = {**self.idle, **{s: exact[s] for s in self.scalars}}
        point.update(self.sizes)
        point.update({s: e.xreplace(point) for s, e in self.defined.items()})
        for family, size in self.families:
            entries: list[sp.Expr] = [exact[element(family.base, k + 1)] for k in range(size)]
            total = self.total(family)
            if total is not None:
                entries[-1] = total.xreplace(point) - sp.Add(*entries[:-1])
            point[family.base.label] = entries
        return point


def _simplex(weights: list[Array], total: Array) -> list[Array]:
    """Positive numbers with a sum: the last one is what the others leave, as in the exact instance."""
    whole = weights[0]
    for w in weights[1:]:
        whole = whole + w
    entries = [w / whole * total for w in weights[:-1]]
    rest = total
    for e in entries:
        rest = rest - e
    return [*entries, rest + 0 * weights[-1]]


def plans(domain: Domain, about: sp.Basic, most: int = 4) -> list[Plan]:
    """The domain with its whole symbols fixed, in up to ``most`` ways that satisfy what constrains them alone. Drawn
    is what ``about``, an expression, speaks of, and what a constraint connects.

    Raises :class:`BadInput` where no small number does.
    """
    used = set(about.free_symbols).union(*(c.free_symbols for c in domain.constraints if len(c.free_symbols) > 1))
    totals = [f.total for label, f in domain.bases.items() if label in used and f.total is not None]
    named = frozenset(used.union(*(sp.sympify(t).free_symbols for t in totals)))
    whole = sorted((s for s in domain.symbols if s.is_integer and s not in domain.definitions), key=lambda s: s.name)
    if not whole:
        return [Plan(domain, (), named)]
    choices = []
    for symbol in whole:
        box = domain.intervals[symbol]
        low = _whole(box.lower, box.lower_open, 1) if box.lower.is_finite else 1
        high = _whole(box.upper, box.upper_open, -1) if box.upper.is_finite else low + max(_SIZES)
        choices.append([sp.Integer(low + k) for k in _SIZES if low + k <= high])
    among = [c for c in domain.constraints if c.free_symbols and c.free_symbols <= set(whole)]
    found = []
    for values in itertools.product(*choices):
        sizes = dict(zip(whole, values, strict=True))
        if all(c.xreplace(sizes) == sp.true for c in among):
            found.append(Plan(domain, tuple(sizes.items()), named))
    if not found:
        raise BadInput(f"nothing to sweep: no small values of {', '.join(map(str, whole))} satisfy {domain!r}")
    if len(found) <= most:
        return found
    return [found[k * (len(found) - 1) // (most - 1)] for k in range(most)]


def _whole(end: sp.Expr, is_open: bool, inward: int) -> int:
    """The first whole number from an end of an interval inwards."""
    first = int(sp.ceiling(end) if inward > 0 else sp.floor(end))
    return first + inward if is_open and first == end else first
