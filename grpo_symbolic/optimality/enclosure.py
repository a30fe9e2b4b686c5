"""Certified root finding in one variable: every zero of a function on an interval, with a proof that there are no
others.

Arithmetic is Arb's (python-flint): a ball that is computed encloses the true value, so a ball without zero excludes a
zero. An interval is dropped when its image excludes zero; it holds exactly one zero when the slope does not vanish on
it and the ends have opposite signs; else it is halved. What is still undecided at the finest width is handed back as
*blurred* (two zeros nearer than that, a double zero, or none), never guessed. Method: the interval Newton test with
bisection, as in Moore, Kearfott & Cloud, *Introduction to Interval Analysis*, chapter 8.
"""

from __future__ import annotations

import functools
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import flint
import sympy as sp

from grpo_symbolic.scalars import Scalar
from grpo_symbolic.shown import Shown
from grpo_symbolic.terms.relations import ORDER

Ball = Any  # flint.arb, which has no type stubs
# Of (low, high), which are exact: encloses all the values between them; not finite where it cannot.
OverInterval = Callable[[Ball, Ball], Ball]
_DEEPEST = 1 << 17  # binary exponents below this are rounded outwards when they become rationals


working_bits = flint.ctx.workprec
"""Runs a block at a given Arb precision, and puts the old one back."""


@dataclass(frozen=True)
class Root:
    """An interval of the real line: with exactly one zero (``separated``), or with an unknown number of them."""

    low: Ball
    high: Ball
    separated: bool = True

    @property
    def ball(self) -> Ball:
        """The whole interval as one ball."""
        return self.low.union(self.high)


def sign(value: Ball) -> int:
    """1, −1, or 0 when the ball holds zero or is not finite."""
    return 1 if value > 0 else -1 if value < 0 else 0


def middle(low: Ball, high: Ball) -> Ball:
    """An exact number between two exact numbers."""
    return ((low + high) / 2).mid()


def isolate(
    value: OverInterval, slope: OverInterval, low: Ball, high: Ball, width: Ball, boxes: int = 40_000
) -> list[Root]:
    """Enclosures of all zeros of a function in [low, high], in order; no zero of the interval lies outside them.

    ``slope`` encloses the derivative. Separated zeros are narrowed to ``width`` where the precision allows; intervals
    of that width that resist, or that are left after ``boxes`` halvings, come back blurred (neighbours joined).
    """
    roots: list[Root] = []
    blurred: list[tuple[Ball, Ball]] = []
    stack = [(low, high)]
    while stack:
        a, b = stack.pop()
        boxes -= 1
        verdict = _judge(value, slope, a, b)
        if isinstance(verdict, Root):
            roots.append(verdict)
        elif verdict is None:
            m = middle(a, b)
            if boxes <= 0 or not (a < m < b) or not (b - a > width):
                blurred.append((a, b))
            else:
                stack += [(m, b), (a, m)]
    narrowed = [narrow(value, slope, r, width) for r in _joined(roots, slope)]
    return sorted(narrowed + _clusters(blurred), key=_from_the_left)


def _order(one: Root, other: Root) -> int:
    return -1 if one.low < other.low else 1


_from_the_left = functools.cmp_to_key(_order)


def _judge(value: OverInterval, slope: OverInterval, a: Ball, b: Ball) -> Root | bool | None:
    """A separated root, ``False`` when there is no zero in [a, b], ``None`` when that is open."""
    if sign(value(a, b)):
        return False
    tilt = slope(a, b)
    if not tilt.is_finite():
        return None
    m = middle(a, b)
    if sign(value(m, m) + tilt * (a.union(b) - m)):
        return False
    if not sign(tilt):
        return None
    ends = sign(value(a, a)) * sign(value(b, b))
    if ends == 0:  # a zero at an end, or too near to tell: look a little beyond
        a, b = (2 * a - b).mid(), (2 * b - a).mid()
        if not sign(slope(a, b)):
            return None
        ends = sign(value(a, a)) * sign(value(b, b))
    return Root(a, b) if ends < 0 else False if ends > 0 else None


def _joined(roots: list[Root], slope: OverInterval) -> list[Root]:
    """The same zero seen from two neighbouring intervals, once; where that cannot be shown, one blurred interval."""
    joined: list[Root] = []
    for root in sorted(roots, key=_from_the_left):
        if joined and root.low < joined[-1].high:
            last = joined.pop()
            low, high = last.low, root.high if root.high > last.high else last.high
            root = Root(low, high, last.separated and root.separated and sign(slope(low, high)) != 0)
        joined.append(root)
    return joined


def _clusters(blurred: list[tuple[Ball, Ball]]) -> list[Root]:
    clusters: list[Root] = []
    for a, b in blurred:  # in order, because the stack is worked from the left
        if clusters and not (clusters[-1].high < a):
            clusters[-1] = Root(clusters[-1].low, b, separated=False)
        else:
            clusters.append(Root(a, b, separated=False))
    return clusters


def narrow(value: OverInterval, slope: OverInterval, root: Root, width: Ball) -> Root:
    """The same zero in an interval no wider than ``width``, or as narrow as the working precision allows."""
    if not root.separated:
        return root
    a, b = root.low, root.high
    left = sign(value(a, a))
    for _ in range(4 * flint.ctx.prec):
        if b - a <= width:
            break
        m, tilt = middle(a, b), slope(a, b)
        old = b - a
        if sign(tilt) and tilt.is_finite():
            step = m - value(m, m) / tilt
            low, high = step.lower(), step.upper()
            if low > a:
                a = low
            if high < b:
                b = high
        if 2 * (b - a) > old:
            m = middle(a, b)
            at = sign(value(m, m))
            if at == 0 or not (a < m < b):
                break
            a, b = (m, b) if at == left else (a, m)
    return Root(a, b)


def compiled(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., Ball]:
    """A SymPy expression as a function of balls: sums, products, powers (of something positive, where the exponent is
    not whole), exp, log, rational numbers, and cases, of which all that may apply are united.

    Raises :class:`TypeError` for anything else. Division by a ball with zero, or a root of one with negatives, gives
    a ball that is not finite.
    """
    node = _node(sp.sympify(expression), {s: k for k, s in enumerate(symbols)})
    return lambda *balls: node(balls)


def _node(e: sp.Expr, place: dict[sp.Symbol, int]) -> Callable[[Sequence[Ball]], Ball]:
    if e.is_Rational:
        number = flint.fmpq(int(e.p), int(e.q))
        return lambda balls: flint.arb(number)
    if e.is_Symbol and e in place:
        k = place[e]
        return lambda balls: balls[k]
    if e.is_Pow and (2 * e.exp).is_Integer:
        base, twice = _node(e.base, place), int(2 * e.exp)
        if twice % 4 == 0:
            return lambda balls: _even(base(balls), twice // 2)
        if twice % 2 == 0:
            return lambda balls: base(balls) ** (twice // 2)
        return lambda balls: base(balls).sqrt() ** twice
    if isinstance(e, sp.Piecewise):
        cases = [(_node(value, place), _condition(when, place)) for value, when in e.args]
        return lambda balls: _united(cases, balls)
    parts = [_node(a, place) for a in e.args]
    if e.is_Add:
        return lambda balls: functools.reduce(lambda x, y: x + y, (part(balls) for part in parts))
    if e.is_Mul:
        return lambda balls: functools.reduce(lambda x, y: x * y, (part(balls) for part in parts))
    if e.is_Pow and e.base is not sp.E:
        return lambda balls: (parts[1](balls) * parts[0](balls).log()).exp()
    if isinstance(e, sp.exp):
        return lambda balls: parts[0](balls).exp()
    if isinstance(e, sp.log):
        return lambda balls: parts[0](balls).log()
    raise TypeError(f"{e} cannot be evaluated in ball arithmetic")


def _condition(when: sp.Rel, place: dict[sp.Symbol, int]) -> Callable[[Sequence[Ball]], int]:
    """1 where an inequality holds on the balls, −1 where it fails, 0 where that is open."""
    if when in (sp.true, sp.false):
        return lambda balls: 1 if when == sp.true else -1
    if not isinstance(when, ORDER):
        raise TypeError(f"the condition {when} cannot be evaluated in ball arithmetic")
    ahead = _node(when.gts - when.lts, place)
    return lambda balls: sign(ahead(balls))


def _united(cases: Sequence[tuple[Callable[..., Ball], Callable[..., int]]], balls: Sequence[Ball]) -> Ball:
    """The values of all cases up to the first that certainly applies."""
    hull: Ball = None
    for value, condition in cases:
        if (verdict := condition(balls)) >= 0:
            hull = value(balls) if hull is None else hull.union(value(balls))
        if verdict > 0:
            break
    return hull


def settled(expression: sp.Expr, symbols: Sequence[sp.Symbol]) -> Callable[..., bool]:
    """Whether the balls decide every condition of the cases in an expression, so that its derivative is that of one."""
    place = {s: k for k, s in enumerate(symbols)}
    relations = {c for cases in expression.atoms(sp.Piecewise) for _, c in cases.args if c not in (sp.true, sp.false)}
    tests = [_condition(relation, place) for relation in sorted(relations, key=str)]
    return lambda *balls: all(test(balls) for test in tests)


def _even(base: Ball, power: int) -> Ball:
    """An even power, enclosed without the negative values that a product of a ball with itself would add."""
    size = abs(power)
    value = (base.abs_lower() ** size).union(base.abs_upper() ** size)
    return value if power > 0 else 1 / value


def rational(end: Ball, upwards: bool) -> sp.Rational:
    """An exact number as a SymPy rational; one within 2^−131072 of zero is rounded outwards."""
    mantissa, exponent = (int(part) for part in end.man_exp())
    if mantissa == 0:
        return sp.S.Zero
    if exponent >= 0:
        return sp.Integer(mantissa << exponent)
    if mantissa.bit_length() + exponent < -_DEEPEST:
        if upwards != (mantissa > 0):  # towards zero
            return sp.S.Zero
        tiny = sp.Rational(1, 1 << _DEEPEST)
        return tiny if upwards else -tiny
    return sp.Rational(mantissa, 1 << -exponent)


def bounds(ball: Ball) -> tuple[sp.Rational, sp.Rational]:
    """The ends of a ball, as exact rationals; −∞ and ∞ for one that is not finite."""
    if not ball.is_finite():
        return -sp.oo, sp.oo
    return rational(ball.lower(), upwards=False), rational(ball.upper(), upwards=True)


def coordinates(low: Ball, high: Ball) -> tuple[Ball, Ball, Ball]:
    """``p``, ``1 − p`` and ``√(p(1−p))`` for all p with logit in [low, high]; each to full relative precision,
    however near 0 or 1.
    """
    (p1, c1, s1), (p2, c2, s2) = _at_logit(low), _at_logit(high)
    spread = s1.union(s2)
    if low <= 0 <= high:
        spread = spread.union(flint.arb(1) / 2)
    return p1.union(p2), c1.union(c2), spread


def _at_logit(t: Ball) -> tuple[Ball, Ball, Ball]:
    small = (-abs(t) / 2).exp()
    rest = 1 / (1 + small * small)
    near, far = rest, small * small * rest
    return (near, far, small * rest) if t >= 0 else (far, near, small * rest)


@dataclass(frozen=True, repr=False)
class Enclosure(Shown):
    """Where a probability lies: exact bounds of p, of 1 − p (of use where p is within 10^−300 of 1) and of logit p.

    ``low`` and ``high`` bound p, ``complement`` bounds 1 − p. ``logit`` is ``None`` for p = 1 itself.
    """

    low: sp.Rational
    high: sp.Rational
    complement: tuple[sp.Rational, sp.Rational]
    logit: tuple[sp.Rational, sp.Rational] | None

    @classmethod
    def between(cls, low: Ball, high: Ball) -> Enclosure:
        """The probabilities whose logits lie between two exact numbers."""
        p, c, _ = coordinates(low, high)
        (p_low, p_high), (c_low, c_high) = bounds(p), bounds(c)
        c_low = max(c_low, sp.S.Zero)
        logit = bounds(low)[0], bounds(high)[1]
        return cls(max(p_low, 1 - c_high, sp.S.Zero), min(p_high, 1 - c_low), (c_low, c_high), logit)

    def contains(self, probability: Scalar) -> bool:
        """Whether a number lies within the bounds."""
        return bool(self.low <= probability <= self.high)

    def __str__(self) -> str:
        if self.logit is None:
            return "1"
        if self.complement[1] < sp.Rational(1, 1000):
            return f"1 - {_shared(*self.complement)}"
        return _shared(self.low, self.high)

    def __repr__(self) -> str:
        return f"<Enclosure {self}>"


ONE = Enclosure(sp.S.One, sp.S.One, (sp.S.Zero, sp.S.Zero), None)


def _shared(low: sp.Rational, high: sp.Rational) -> str:
    """The digits on which both bounds agree, twelve at most, or the bounds themselves."""
    for digits in range(12, 2, -1):
        first, second = (sp.N(v, digits) for v in (low, high))
        if first == second:
            return str(first)
    return f"[{sp.N(low, 6)}, {sp.N(high, 6)}]"
