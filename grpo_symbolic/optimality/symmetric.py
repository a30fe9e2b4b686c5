"""Symmetric Bernstein polynomials in ball arithmetic: the gap of a finite group as a function of its success.

For groups of G the gap is ``W(p) = Σ_k C(n, k) w_k p^k (1 − p)^{n−k}`` with n = G − 2 and ``w_k = w_{n−k}``, so it is a
function of the variance ``v = p(1 − p)``. Written as ``(1 − p)^n Σ_k g_k u^k`` in the odds ``u = p/(1 − p)`` its terms
have one sign and nothing cancels, and its derivative in v has the same form with degree n − 2: pairing k with n − 1 − k
in ``dW/dp`` leaves the factor 1 − 2p and sums of powers. Where all coefficients of the next derivative have one sign a
derivative is monotone in v, so its range over an interval is that of the ends.
:class:`Bernstein` takes any coefficients, and is less sharp.
"""

from __future__ import annotations

from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise

import flint
import sympy as sp

from grpo_symbolic.objectives import Advantage
from grpo_symbolic.optimality.enclosure import Ball, compiled, coordinates, sign
from grpo_symbolic.optimality.verifiable import gap_weights

ORDERS = (
    3  # the value and two derivatives in the variance; the sign of a further one shows whether the last is monotone
)


class SymmetricBernstein:
    """``W`` and its first two derivatives in the variance ``p(1 − p)``, over intervals of the logit of p.

    ``weights`` are the n + 1 Bernstein coefficients, exact numbers with ``w_k = w_{n−k}``. Balls are computed anew
    when the working precision changes.
    """

    def __init__(self, weights: Sequence[sp.Expr]) -> None:
        constant = len(set(weights)) == 1
        self.weights = tuple(weights[:1] if constant else weights)
        half = (len(self.weights) + 1) // 2
        self._values = [compiled(w, ()) for w in self.weights[:half]]
        self._bits = 0
        self._derivatives: tuple[_Derivative, ...] = ()

    def over(self, low: Ball, high: Ball) -> tuple[Ball, ...]:
        """Enclosures of W, dW/dv and d²W/dv² for every logit between ``low`` and ``high``; ``high`` may be +∞."""
        far = abs(low).max(abs(high))
        near = flint.arb(0) if low <= 0 <= high else abs(low).min(abs(high))
        derivatives = self._at_this_precision()
        return tuple(
            derivative.between(near, far, derivatives[order + 1].sign)
            for order, derivative in enumerate(derivatives[:ORDERS])
        )

    @property
    def falls(self) -> bool:
        """Whether W is shown to be constant or to decrease in the variance."""
        slope = self._at_this_precision()[1]
        return slope.zero or slope.sign == -1

    def _at_this_precision(self) -> tuple[_Derivative, ...]:
        if self._bits != flint.ctx.prec:
            half = [value() for value in self._values]
            whole = [*half, *reversed(half[: len(self.weights) - len(half)])]
            degree = len(whole) - 1
            terms = [w * int(sp.binomial(degree, k)) for k, w in enumerate(whole)]
            derivatives = [_Derivative(terms)]
            while len(derivatives) <= ORDERS:
                derivatives.append(derivatives[-1].next())
            self._bits, self._derivatives = flint.ctx.prec, tuple(derivatives)
        return self._derivatives


@lru_cache(maxsize=64)
def group_gap(advantage: Advantage, size: int) -> SymmetricBernstein:
    """``ω⁺ + ω⁻`` of groups of ``size`` with this advantage, as a function of the logit of the success probability."""
    return SymmetricBernstein(gap_weights(size, advantage))


class Bernstein:
    """``Σ_k C(n, k) w_k p^k (1 − p)^{n−k}`` for any coefficients, exact numbers, and its derivative in p, over
    intervals of the logit of p: such a polynomial lies between the least and the greatest of its coefficients there.
    """

    def __init__(self, weights: Sequence[sp.Expr]) -> None:
        self._values = [compiled(w, ()) for w in weights]

    def over(self, low: Ball, high: Ball) -> tuple[Ball, ...]:
        """Enclosures of W and dW/dp for every logit between ``low`` and ``high``, which are exact."""
        terms = [value() for value in self._values]
        degree = len(terms) - 1
        (p1, c1, _), (p2, c2, _) = coordinates(low, low), coordinates(high, high)
        slopes = [degree * (after - before) for before, after in pairwise(terms)] or [flint.arb(0)]
        return _between(terms, p1, c1, p2, c2), _between(slopes, p1, c1, p2, c2)


def _between(terms: list[Ball], p1: Ball, c1: Ball, p2: Ball, c2: Ball) -> Ball:
    """The hull of the coefficients on [p1, p2], c being 1 − p: de Casteljau's algorithm, left of p2, then right of
    p1/p2.
    """
    left = []
    while terms:
        left.append(terms[0])
        terms = [c2 * a + p2 * b for a, b in pairwise(terms)]
    share = p1 / p2
    rest = (c1 - c2) / p2 if p1 * 2 > p2 else 1 - share
    hull = left[-1]
    while left:
        hull = hull.union(left[-1])
        left = [rest * a + share * b for a, b in pairwise(left)]
    return hull


class _Derivative:
    """``(1 − p)^n Σ_k g_k u^k`` with ``g_k = g_{n−k}``, as a function of the distance of the logit from 0."""

    def __init__(self, terms: list[Ball]) -> None:
        self.terms = terms
        self.degree = len(terms) - 1
        self.polynomial = flint.arb_poly(terms)
        self.zero = not terms
        signs = {sign(g) for g in terms}
        self.sign = signs.pop() if len(signs) == 1 else 0

    def next(self) -> _Derivative:
        """The derivative in the variance: its k-th term is the sum of ``(j + 1)g_{j+1} − (n − j)g_j`` over all j up to
        the lesser of k and n − 2 − k.
        """
        n, sums, total = self.degree, [], flint.arb(0)
        for j in range((n - 2) // 2 + 1 if n >= 2 else 0):
            total = total + (j + 1) * self.terms[j + 1] - (n - j) * self.terms[j]
            sums.append(total)
        return _Derivative([sums[min(k, n - 2 - k)] for k in range(n - 1)])

    def between(self, near: Ball, far: Ball, slope: int) -> Ball:
        """Over all logits t with near ≤ |t| ≤ far; ``slope`` is the sign of the next derivative, 0 if not known."""
        if self.zero:
            return flint.arb(0)
        if slope or self.degree == 0:
            return self._at((-near).exp()).union(self._at((-far).exp()))
        return self._at((-far).exp().union((-near).exp()))

    def _at(self, odds: Ball) -> Ball:
        return self.polynomial(odds) / (1 + odds) ** self.degree
