"""Where the success recursion goes from p_0 = p_ref: to a fixed point, into a cycle, or out of reach of the
precision; each verdict with a proof.

The map on the logit falls for p < 1/2 and rises above (where W falls with the variance, which is checked). Hence,
once an orbit is at p ≥ 1/2 and rises, it tends to the next fixed point above without further ado; elsewhere it is
followed in ball arithmetic until it is inside the certified basin of a fixed point or of a cycle. Sources: Mroueh
(2025), Theorem 4 and Figure 5 ("divergent" for β = 5, p_ref = 0.001).
"""

from __future__ import annotations

import flint
import sympy as sp

from grpo_symbolic.optimality.enclosure import (
    ONE,
    Ball,
    Enclosure,
    OverInterval,
    Root,
    bounds,
    middle,
    sign,
    working_bits,
)
from grpo_symbolic.optimality.iteration import FixedPoint, Limit, LogitFlow

_LONGEST = 32  # longest period looked for
_MOST_BITS = 2000  # of precision, beyond which an orbit that spreads is given up


def limit(flow: LogitFlow, width_digits: int, bits: int, steps: int) -> Limit:
    """The limit of the orbit of p_ref within ``steps`` iterations, the precision being raised where the orbit is
    lost.
    """
    while True:
        with working_bits(bits):
            verdict = _Orbit(flow, flint.arb(10) ** -width_digits, steps).run()
        if verdict is not None:
            return verdict
        if bits >= _MOST_BITS:
            return _undecided(steps, f"the orbit spreads beyond {bits} bits of precision before {steps} steps are made")
        bits = min(4 * bits, _MOST_BITS)


def _undecided(steps: int, reason: str) -> Limit:
    return Limit("undecided", (), None, steps, reason)


class _Orbit:
    def __init__(self, flow: LogitFlow, width: Ball, steps: int) -> None:
        self.flow, self.steps = flow, steps
        self.roots, self.escapes = flow.roots(width.upper())
        self.points = [flow.fixed_point(root) for root in self.roots]
        self.basins: list[tuple[Ball, Ball] | None] | None = None

    def run(self) -> Limit | None:
        """The verdict; ``None`` where the precision gives out."""
        t = self.flow.logit_ref
        for made in range(self.steps + 1):
            if not t.is_finite() or t.rad() > 1e-6:
                return None
            verdict = self._rising(t, made) or self._caught(t, made)
            if verdict is None and made >= 32 and made & (made - 1) == 0:  # at powers of two
                verdict = self._cycle(t, made)
            if verdict is not None:
                return verdict
            t = self._step(t)
        return _undecided(self.steps, f"after {self.steps} steps the orbit is in no certified basin")

    def _step(self, t: Ball) -> Ball:
        return self.flow.step(t.lower(), t.upper())

    def _converges(self, point: FixedPoint, made: int, reason: str) -> Limit:
        return Limit("converges", (point.enclosure,), point.multiplier, made, reason)

    def _rising(self, t: Ball, made: int) -> Limit | None:
        """The verdict for an orbit at p ≥ 1/2, where the map increases: it is monotone as long as it stays there."""
        if not t >= 0 or not self.flow.grows:
            return None
        move = sign(self._step(t) - t)
        if move > 0:
            ahead = [k for k, root in enumerate(self.roots) if not root.high < t]
            if not ahead:
                if not self.escapes:
                    return None
                reason = (
                    "beyond every fixed point below 1 the map lies above the diagonal, and the orbit increases to 1"
                )
                return Limit("converges", (ONE,), (sp.S.Zero, sp.S.Zero), made, reason)
            nearest = ahead[0]
            reason = "from here the orbit increases, the map being increasing for p ≥ 1/2, to the next fixed point"
        elif move < 0:
            behind = [k for k, root in enumerate(self.roots) if not root.low > t and root.high > 0]
            if not behind:
                return None  # it will fall below 1/2
            nearest = behind[-1]
            reason = "from here the orbit decreases, the map being increasing for p ≥ 1/2, to the next fixed point"
            if not self.roots[nearest].low >= 0:
                return None
        else:
            return None
        root = self.roots[nearest]
        if not (root.low > t or root.high < t):
            return None
        if not root.separated:
            enclosure = self.points[nearest].enclosure
            return _undecided(
                made, f"the orbit tends to {enclosure} or passes it: the precision does not tell at a fold"
            )
        return self._converges(self.points[nearest], made, reason)

    def _caught(self, t: Ball, made: int) -> Limit | None:
        """The verdict for an orbit inside the basin of an attracting fixed point."""
        if self.basins is None:
            self.basins = [self._basin(root, point) for root, point in zip(self.roots, self.points, strict=True)]
        for inside, point in zip(self.basins, self.points, strict=True):
            if inside is not None and inside[0] < t < inside[1]:
                reason = "the orbit is in an interval around the fixed point on which the map contracts"
                return self._converges(point, made, reason)
        return None

    def _basin(self, root: Root, point: FixedPoint) -> tuple[Ball, Ball] | None:
        if not root.separated or point.stability != "stable":
            return None
        return basin(self.flow.step_slope, root.low, root.high)

    def _cycle(self, t: Ball, made: int) -> Limit | None:
        """The verdict for an orbit that nearly repeats itself: an attracting cycle, by interval Newton on the k-th
        iterate.
        """
        ahead, now = [], t
        for _ in range(_LONGEST):
            now = self._step(now)
            if not now.is_finite():
                return None
            ahead.append(now)
        gaps = [abs((later - t).mid()) for later in ahead]
        period = next((k for k, gap in enumerate(gaps, 1) if gap < 1e-4), 0)
        if period < 2:
            return None
        radius = 8 * gaps[period - 1] + flint.arb(2) ** (-flint.ctx.prec // 3)
        a, b = (t.mid() - radius).lower(), (t.mid() + radius).upper()
        for turn in range(60):
            newton = self._newton(a, b, period)
            if newton is None or (turn == 0 and not (newton[0] > a and newton[1] < b)):
                return None
            low, high = newton[0].max(a).mid(), newton[1].min(b).mid()
            shrunk = high - low < (b - a) / 2
            a, b = low, high
            if not shrunk:
                break
        orbit = [(a, b)]
        for _ in range(period - 1):
            image = self.flow.step(*orbit[-1])
            orbit.append((image.lower(), image.upper()))
        disjoint = all(x[1] < y[0] or y[1] < x[0] for k, x in enumerate(orbit) for y in orbit[:k])
        slope = self._along(a, b, period)
        inside = basin(lambda low, high: self._along(low, high, period), a, b)
        if not disjoint or not abs(slope) < 1 or inside is None or not (inside[0] < t < inside[1]):
            return None
        lowest = min(range(period), key=lambda k: float(orbit[k][0]))
        points = tuple(Enclosure.between(*box) for box in orbit[lowest:] + orbit[:lowest])
        reason = f"the orbit is in the certified basin of an attracting cycle of period {period}"
        return Limit("cycle", points, bounds(slope), made, reason)

    def _along(self, low: Ball, high: Ball, period: int) -> Ball:
        """The slopes of the k-th iterate between two logits."""
        product = flint.arb(1)
        for _ in range(period):
            product = product * self.flow.step_slope(low, high)
            image = self.flow.step(low, high)
            if not product.is_finite() or not image.is_finite():
                return flint.arb.nan()
            low, high = image.lower(), image.upper()
        return product

    def _newton(self, low: Ball, high: Ball, period: int) -> tuple[Ball, Ball] | None:
        """The interval Newton step for ``Hᵏ(t) − t``: where it lands inside, exactly one point of period k (or a
        divisor) is there.
        """
        slope = self._along(low, high, period) - 1
        if sign(slope) == 0:
            return None
        m = middle(low, high)
        now = m
        for _ in range(period):
            now = self.flow.step(now.lower(), now.upper())
        step = m - (now - m) / slope
        return (step.lower(), step.upper()) if step.is_finite() else None


def basin(slope: OverInterval, low: Ball, high: Ball) -> tuple[Ball, Ball] | None:
    """An interval of starts that all tend to the attracting point in [low, high]; ``None`` where none is certified.

    Where ``|slope| < 1`` on [low − r, high + r] each start within r of the point comes nearer at every step, wherever
    in [low, high] it lies.
    """
    for k in range(4, -80, -1):
        r = flint.arb(2) ** k
        if abs(slope((low - r).lower(), (high + r).upper())) < 1:
            inner = (high - r).upper(), (low + r).lower()
            return inner if inner[0] < inner[1] else None
    return None
