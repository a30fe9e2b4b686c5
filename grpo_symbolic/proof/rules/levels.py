"""Where a function takes a number, exceeds it, or is below it, from its slopes; and functions in pieces."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.roots import OneRoot
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import (
    A,
    B,
    Continuous,
    Interval,
    Needs,
    Schema,
    Slope,
    Valued,
    a,
    b,
    c,
    d,
    f,
    g,
    h,
    k,
    q,
    x,
)
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.statement import EACH_OTHER, Always, Equal, Phrase, Tends
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class OneInterval(Conclusion):
    """For every number, those ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` exceeds it (with
    ``sense=-1``: is below it) form one open interval, or there is none. ``inside``: the interval ends before ``lower``
    and ``upper``. The domain constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    sense: int = 1
    inside: bool = False
    label: str = "one interval"
    claimed = ("sense",)
    ranges = True
    carried = EACH_OTHER

    def phrase(self) -> Phrase:
        compared = "exceeds the number" if self.sense > 0 else "is below the number"
        ends = ("whose ends lie between these too,",) if self.inside else ()
        where = ("those", self.variable, "strictly between", self.lower, "and", self.upper)
        return (
            "for every number,",
            *where,
            "for which",
            self.body,
            compared,
            "form one open interval,",
            *ends,
            "or there are none",
        )


_INSIDE = (a < x, x < b)


@dataclass(frozen=True, eq=False)
class FallsAtRoots(Schematic["OneRoot"]):
    """A continuous function that is above a value at the lower end of an interval, below it at the upper end, and falls
    wherever it takes the value, takes it exactly once.

    ``solved`` is a letter and what it is where the value is taken; ``slope`` is the derivative there.
    """

    solved: tuple[sp.Symbol, Scalar]
    slope: Scalar
    using: Using = ()
    schemas = (
        Schema(
            "Limits.exactly_one_root_if_derivative_negative_at_roots",
            OneRoot(f(x), x, a, b, c),
            (
                Needs(Valued(c)),
                Needs(Always(a < b), label="the interval"),
                Needs(Continuous(f(x)), (a <= x, x <= b)),
                Needs(Always(f(a) > c), by="using", label="at the lower end"),
                Needs(Always(f(b) < c), by="using", label="at the upper end"),
                Needs(Slope(f(x), d(x)), _INSIDE),
                Needs(
                    Always(sp.Eq(f(x), c) >> sp.Eq(k, h(x))),
                    _INSIDE,
                    by="using",
                    label="what {k} is where it is taken",
                ),
                Needs(Equal(d(x), g(x)), (*_INSIDE, sp.Eq(k, h(x))), label="the slope where it is taken"),
                Needs(Always(g(x) < 0), (*_INSIDE, sp.Eq(k, h(x))), by="using", label="it falls where it is taken"),
            ),
            given={"solved": (k, h(x)), "slope": g(x)},
            proof="intros; apply shifted_once; intros g' E'; apply (@{theorem} g' d); subst g'; cbv beta; "
            "[assumption | apply shifted_continuous; assumption | lra | lra "
            "| intros z' Hz' Ez'; apply shifted_slope, H6; apply Hz' "
            "| intros z' Hz' Ez'; assert (k = h z') by (apply H7; lra); rewrite H8 by tauto; apply H9; tauto]",
        ),
    )


@dataclass(frozen=True, eq=False)
class RisesAndFalls(Schematic["OneInterval"]):
    """A continuous function on an interval that increases up to a point and decreases after it exceeds a number on one
    open interval, if anywhere; one that falls and rises is below it there.

    ``turn`` is the point; ``using`` are lemmas for the signs of the derivative.
    """

    turn: Scalar
    using: tuple[Instance, ...] = ()
    schemas = tuple(
        Schema(
            "Limits.exceeds_a_number_on_one_interval",
            OneInterval(f(x), x, a, b, sense),
            (
                Needs(Always(a < b), label="the interval"),
                Needs(Continuous(f(x)), _INSIDE),
                Needs(Monotone(f(x), x, sense), (*_INSIDE, x < q), by="using"),
                Needs(Monotone(f(x), x, -sense), (*_INSIDE, x > q), by="using"),
            ),
            given={"turn": q},
            proof=f"intros; apply one_interval_{side}; apply (@{{theorem}} {turned}); one_interval",
        )
        for sense, side, turned in ((1, "above", "f a q b c'"), (-1, "below", "(fun x => - f x) a q b (- c')"))
    )


@dataclass(frozen=True, eq=False)
class ConvexBetweenPoles(Schematic["OneInterval"]):
    """A convex function that tends to ∞ at both ends of an open interval is below a number on one open interval, which
    ends before them, if anywhere.

    ``curvature`` is a form of the second derivative whose sign is easier to see; ``using`` is for that sign.
    """

    curvature: Scalar | None = None
    using: tuple[Instance, ...] = ()
    schemas = tuple(
        Schema(
            "Limits.convex_is_below_a_number_on_one_interval",
            OneInterval(f(x), x, A, B, -1, inside),
            (
                Needs(Always(A < B), label="the interval"),
                Needs(Slope(f(x), g(x), order=2), (A < x, x < B)),
                Needs(Always(g(x) >= 0), (A < x, x < B), by="using", label="its sign"),
                Needs(Tends(f(x), x, A, sp.oo, "+"), label="at {A}"),
                Needs(Tends(f(x), x, B, sp.oo, "-"), label="at {B}"),
            ),
            given={"curvature": g(x)},
            proof="intros; destruct (@{theorem} f A B c') as [u' [v' [Hu' [Hv' Hx']]]]; "
            "[assumption | eapply lower_is_finite; eassumption | eapply upper_is_finite; eassumption "
            "| apply (twice_continuous _ f g); intros z' [? ?]; apply H2; assumption | apply (convex_by_second _ f g); "
            "[apply strictly_between_interval | intros z' [? ?]; apply H2; assumption "
            "| intros z' [? ?]; apply H3; assumption] "
            "| assumption | assumption "
            f"| exists (Finite u'), (Finite v'); split; [{weaker}Hu' | split; [{weaker}Hv' | exact Hx']]]",
        )
        for inside, weaker in ((True, "apply "), (False, "apply Rbar_lt_le, "))
    )


@dataclass(frozen=True, eq=False)
class TwoPieces(Schematic["Monotone"]):
    """A function that is one function up to a point, and another one from there on, is strictly monotone if both are,
    in one direction.

    ``turn`` is the point, ``below`` and ``above`` are the two functions; ``below_by`` and ``above_by`` are why they are
    monotone, where that is not the usual rule, and ``using`` are lemmas for the signs of their derivatives.
    """

    turn: Scalar
    below: Scalar
    above: Scalar
    using: tuple[Instance, ...] = ()
    below_by: Rule | None = None
    above_by: Rule | None = None
    schemas = tuple(
        Schema(
            f"Limits.strictly_{word}_in_two_pieces",
            Monotone(f(x), x, direction),
            (
                Needs(Interval()),
                Needs(Equal(f(x), g(x)), (x <= c,), inside=True, label="the piece below"),
                Needs(Monotone(g(x), x, direction), (x <= c,), inside=True, by="using below_by", label="below"),
                Needs(Equal(f(x), h(x)), (x >= c,), inside=True, label="the piece above"),
                Needs(Monotone(h(x), x, direction), (x >= c,), inside=True, by="using above_by", label="above"),
            ),
            given={"turn": c, "below": g(x), "above": h(x)},
            proof="intros; by_theorem (@{theorem} I f g h c)",
        )
        for direction, word in ((1, "increasing"), (-1, "decreasing"))
    )
