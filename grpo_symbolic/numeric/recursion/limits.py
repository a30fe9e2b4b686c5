"""What the success recursion reaches, for many rows at once, and how it is read as probabilities."""

from __future__ import annotations

from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.recursion.gap import Floats
from grpo_symbolic.shown import Shown

VERDICTS = ("undecided", "converges", "cycle", "stationary")
UNDECIDED, CONVERGES, CYCLE, STATIONARY = range(4)


@dataclass(frozen=True, repr=False)
class SuccessLimits(Shown):
    """What :func:`success_limit` returns; every array has the broadcast shape of the inputs (…, or (…, 4)).

    ``kind`` indexes :data:`VERDICTS`: 1 the orbit of p_ref converges to ``limit``; 2 it tends to a cycle of ``period``
    points between ``low`` and ``high``; 3 (k3, whose best response has no closed form) ``limit`` is the one stationary
    policy; 0 not decided: within the steps allowed, because no sign of a cycle of at most 32 points was seen, or
    because two fixed points merge there within rounding. ``logit`` is that of the limit (∞ for p = 1, NaN without a
    limit), ``slope`` that of the map there (of its k-th iterate for a cycle), ``residual`` ``|logit h(p*) − logit
    p*|/max(1, |logit p*|)``. ``fixed_logits`` and ``fixed_slopes`` hold all fixed points in increasing order, filled up
    with NaN; those of p = 1 as in ``SuccessRecursion`` with ``at_certainty='limit'``; the slopes are NaN for k3.
    ``logit_ref``: where the orbits start; ``cycles``: the rows, least and greatest logits of cycles.
    """

    logit_ref: Floats
    logit: Floats
    kind: Any
    period: Any
    slope: Floats
    residual: Floats
    fixed_logits: Floats | None = None
    fixed_slopes: Floats | None = None
    cycles: tuple[Any, Floats, Floats] | None = None  # flat places, least and greatest logits

    @cached_property
    def low_logit(self) -> Floats:
        """The least logit of the limit set: of the cycle, or the limit itself; NaN where undecided."""
        return self._ends(1)

    @cached_property
    def high_logit(self) -> Floats:
        """The greatest logit of the limit set."""
        return self._ends(2)

    def _ends(self, which: int) -> Floats:
        ends = self.logit.copy()
        if self.cycles is not None:
            ends.reshape(-1)[self.cycles[0]] = self.cycles[which]
        return ends

    @property
    def limit(self) -> Floats:
        """The success probability after convergence; NaN for cycles and where undecided."""
        return probability(self.logit)

    @property
    def complement(self) -> Floats:
        """``1 − limit``, to full relative precision."""
        return probability(-self.logit)

    @property
    def low(self) -> Floats:
        """The least success probability of the limit set: of the cycle, or the limit itself."""
        return probability(self.low_logit)

    @property
    def high(self) -> Floats:
        """The greatest success probability of the limit set."""
        return probability(self.high_logit)

    @property
    def amplification(self) -> Floats:
        """``limit/p_ref``."""
        return self.limit / probability(self.logit_ref)

    @property
    def gain(self) -> Floats:
        """``limit − p_ref``, without cancellation where both are near 1."""
        near_one = probability(-self.logit_ref) - self.complement
        return np.where(self.logit_ref > 0, near_one, self.limit - probability(self.logit_ref))

    @property
    def verdict(self) -> Any:
        """The kind in a word, one of :data:`VERDICTS`."""
        return np.asarray(VERDICTS)[self.kind]

    @property
    def converged(self) -> Any:
        """Where there is one limit."""
        return (self.kind == CONVERGES) | (self.kind == STATIONARY)

    @property
    def fixed_points(self) -> Floats:
        """All fixed points, (…, 4), in increasing order, filled up with NaN."""
        return probability(self._listed[0])

    @property
    def stable(self) -> Any:
        """Which of the fixed points attract: slope below 1 in size, (…, 4)."""
        return abs(self._listed[1]) < 1

    @property
    def count(self) -> Any:
        """How many fixed points there are."""
        return np.count_nonzero(~np.isnan(self._listed[0]), axis=-1)

    @property
    def multiple(self) -> Any:
        """Where there are several; p = 1 does not count where its slope is infinite (KL(π_ref‖π), no guard)."""
        logits, slopes = self._listed
        return np.count_nonzero(~np.isnan(logits) & ~np.isinf(slopes), axis=-1) > 1

    @property
    def _listed(self) -> tuple[Floats, Floats]:
        if self.fixed_logits is None or self.fixed_slopes is None:
            raise BadInput("the fixed points were not asked for: success_limit(…, fixed_points=True)")
        return self.fixed_logits, self.fixed_slopes

    def __repr__(self) -> str:
        counts = np.bincount(np.ravel(self.kind), minlength=4)
        parts = (f"{n} {name}" for n, name in zip(counts, VERDICTS, strict=True) if n)
        return f"<SuccessLimits {', '.join(parts)}>"


def probability(logit: Floats) -> Floats:
    """The probability with this logit, to full relative precision."""
    e = np.exp(-abs(logit))
    return np.where(logit >= 0, 1.0, e) / (1.0 + e)
