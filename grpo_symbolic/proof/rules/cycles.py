"""Iterations that end in a cycle: intervals that the map sends each into the next, and the last back into one."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Lipschitz
from grpo_symbolic.proof.rules.iterations import Iteration
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion
from grpo_symbolic.proof.rules.schema import (
    Needs,
    Schema,
    d,
    each,
    eta,
    f,
    g,
    h,
    iota,
    kappa,
    m,
    n,
    phi,
    s,
    theta,
    w,
    x,
)
from grpo_symbolic.proof.statements.statement import Always, Nth, Phrase
from grpo_symbolic.scalars import Scalar

Ends = tuple[Scalar, Scalar]  # the lower and the upper end of a closed interval


@dataclass(frozen=True)
class EndsInCycle(Conclusion):
    """The members converge to a cycle of the map with a point in each interval of ``cycle``, the only one that goes
    through these intervals: those with the number m + nk + i, where m is the number of intervals in ``entering`` and k
    that of those in ``cycle``, to the point in interval i. The domain constrains the other symbols only.
    """

    sequence: Iteration
    cycle: tuple[Ends, ...]
    entering: tuple[Ends, ...] = ()
    label: str = "cycle"
    ranges = True
    letters_of_words = ("n",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return (self.sequence.variable,)

    def phrase(self) -> Phrase:
        before, period = len(self.entering), len(self.cycle)
        destinations: list[Any] = []
        for number, (low, high) in enumerate(self.cycle, before):
            turn = "n" if period == 1 else f"{period}n"
            member = Nth(self.sequence.variable, f"{turn}+{number}" if number else turn)
            destinations += [",", member, "to a point between", low, "and", high]
        if period == 1:
            ((low, high),) = self.cycle
            return (*self.sequence.phrase(), "converges to the only fixed point between", low, "and", high)
        members = (", with members", Nth(self.sequence.variable, "n"), "from", Nth(self.sequence.variable, "0"), "on,")
        through = (*self.sequence.phrase(), *members, "converges to a cycle of", sp.Integer(period))
        return (*through, "steps, the only one through these intervals:", *destinations[1:])


def _sent(low: sp.Expr, high: sp.Expr, *where: sp.Basic, label: str) -> Needs:
    """That the map leads from there into the interval between these ends."""
    return Needs(Always((f(x) >= low) & (f(x) <= high)), where, label=label)


_ENTERED, _FIRST = (g(eta) <= x, x <= h(eta)), (kappa <= 1,)
_AROUND = (d(iota) <= x, x <= w(iota))


@dataclass(frozen=True, eq=False)
class SentAround(Schematic["EndsInCycle"]):
    """The map sends each interval into the next, and the last into the first of the cycle. It is Lipschitz on those of
    the cycle, with ``constants`` whose product is below one. No two of these meet, so that the cycle is no shorter one.
    """

    constants: tuple[Scalar, ...]
    schemas = (
        Schema(
            "Cycles.intervals_entered_and_sent_around_hold_a_cycle",
            EndsInCycle(Iteration(f(x), x, s), each(d(iota), w(iota)), each(g(eta), h(eta), index=eta, size=m)),
            (
                Needs(Always(n >= 1), label="there is an interval"),
                Needs(Always((s >= g(eta)) & (s <= h(eta))), (eta <= 1,), label="the start lies in the first"),
                Needs(Always((s >= d(iota)) & (s <= w(iota))), (m < 1, iota <= 1), label="the start lies in the first"),
                Needs(
                    Always((w(iota) < d(kappa)) | (w(kappa) < d(iota))),
                    (iota < kappa,),
                    label="no two of the intervals of the cycle meet",
                ),
                _sent(
                    g(theta),
                    h(theta),
                    *_ENTERED,
                    sp.Eq(theta, eta + 1),
                    label="from interval {eta} before it into the next",
                ),
                _sent(
                    d(kappa),
                    w(kappa),
                    *_ENTERED,
                    eta >= m,
                    *_FIRST,
                    label="from interval {eta} before it into the cycle",
                ),
                _sent(d(kappa), w(kappa), *_AROUND, sp.Eq(kappa, iota + 1), label="from interval {iota} into the next"),
                _sent(d(kappa), w(kappa), *_AROUND, iota >= n, *_FIRST, label="from interval {iota} into the first"),
                Needs(Lipschitz(f(x), x, phi(iota)), _AROUND, label="on interval {iota} of the cycle"),
                Needs(Always(phi(iota) >= 0), label="the constants"),
                Needs(Always(sp.Product(phi(iota), (iota, 1, n)) < 1), label="the constants"),
            ),
            given={"constants": each(phi(iota))},
            proof="intros; subst; apply (@{theorem} f g h d w phi m n); assumption",
        ),
    )
