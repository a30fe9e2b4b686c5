"""How a function crosses a value: that it does so once, or once more, and where the crossing goes."""

from __future__ import annotations

from dataclasses import dataclass, field

import sympy as sp

from grpo_symbolic.proof.rules.convexity import CROSSED, INSIDE, PLACED, SolutionTends
from grpo_symbolic.proof.rules.derivatives import Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.roots import OneRoot, TakesValue
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import (
    WAYS,
    A,
    B,
    Continuous,
    Interval,
    L,
    Needs,
    P,
    Schema,
    Slope,
    U,
    Valued,
    a,
    b,
    c,
    d,
    f,
    g,
    h,
    p,
    t,
    v,
    x,
    y,
)
from grpo_symbolic.proof.statements.statement import Always, Phrase, Tends
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class BeyondEachRoot(Schematic["OneRoot"]):
    """A function that is continuous on a closed interval and on different sides of a value at its ends, and that,
    wherever it takes the value, is beyond it at all later points, takes it exactly once between them.

    ``later`` is a letter for such a later point, and ``rising`` says on which side the function is there. ``at_lower``,
    ``at_upper`` and ``beyond`` are for the three signs.
    """

    later: sp.Symbol
    rising: bool
    at_lower: Using = ()
    at_upper: Using = ()
    beyond: Using = ()
    schemas = tuple(
        Schema(
            f"Crossings.exactly_one_root_if_beyond_each_root_{side}",
            OneRoot(f(x), x, a, b, c),
            (
                Needs(Valued(c)),
                Needs(Always(a < b), label="the interval"),
                Needs(Continuous(f(x)), (a <= x, x <= b)),
                Needs(Always(below(f(a), c)), by="at_lower", label="at the lower end"),
                Needs(Always(above(f(b), c)), by="at_upper", label="at the upper end"),
                Needs(
                    Always(sp.Eq(f(x), c) >> above(f(y), c)),
                    (a < x, x < y, y < b),
                    by="beyond",
                    label="beyond it once it is taken",
                ),
            ),
            given={"later": y, "rising": rising},
            proof="shifted @{theorem}",
        )
        for rising, side, below, above in ((True, "above", sp.Lt, sp.Gt), (False, "below", sp.Gt, sp.Lt))
    )


def _beside(root: str, rising: bool) -> Schema:
    """Once more, from a root at this end, through which the function rises or falls."""
    low, high, place, other, side = (a, B, "beyond", B, "-") if root == "lower" else (A, b, "before", A, "+")
    at = a if root == "lower" else b
    below = rising is (root == "lower")
    return Schema(
        f"Crossings.value_taken_{place}_a_rising_root",
        TakesValue(f(x), x, low, high, c),
        (
            Needs(Valued(c)),
            Needs(Always(low < high), label="the interval"),
            Needs(Always(P < at), label="the root above the lower end of its surroundings"),
            Needs(Always(at < U), label="and below the upper one"),
            Needs(Continuous(f(x)), (low < x, x < high)),
            Needs(Slope(f(x), d(x)), (P < x, x < U)),
            Needs(Always(sp.Eq(f(at), c)), by="at_root", label="the root"),
            Needs(Always((sp.Gt if rising else sp.Lt)(d(at), 0)), by="steep", label="the slope there"),
            Needs(Tends(f(x), x, other, L, side), by="end", label=f"at {{{other}}}"),
            Needs(Always((sp.Lt if below else sp.Gt)(L, c)), by="beside", label="the other side of the value"),
        ),
        given={"root": root, "rising": rising, "limit": L, "over": (P, U), "slope": d(x)},
        proof=f"{'shifted' if rising else 'turned_and_shifted'} @{{theorem}}",
    )


@dataclass(frozen=True, eq=False)
class BesideARoot(Schematic["TakesValue"]):
    """A function that leaves a value at one end of an open interval, with a slope, to the side other than that of its
    limit at the other end takes the value once more between.

    ``root`` is "lower" or "upper": the end where the value is taken, a number. ``rising`` says whether the function
    rises there, ``limit`` is the limit at the other end, and ``over`` an open interval around the root, as two ends.
    ``at_root`` is for the value there, ``steep`` for the sign of the slope, ``end`` the rule for the limit, ``beside``
    for its side of the value.
    """

    root: str
    rising: bool
    limit: Scalar
    over: tuple[Scalar, Scalar]
    slope: Scalar | None = None
    at_root: Using = ()
    steep: Using = ()
    beside: Using = ()
    end: Rule | None = None
    schemas = tuple(_beside(root, rising) for root in ("lower", "upper") for rising in (True, False))


@dataclass(frozen=True, eq=False)
class ButForAPoint(Schematic["Monotone"]):
    """A function is strictly monotone if its derivative has one sign, but perhaps at one point.

    ``point`` is that point, ``slope`` a form of the derivative; ``using`` is for the sign.
    """

    point: Scalar
    slope: Scalar | None = None
    using: Using = ()
    schemas = tuple(
        Schema(
            f"Crossings.strictly_{word}_but_for_one_point",
            Monotone(f(x), x, direction),
            (
                Needs(Interval()),
                Needs(Slope(f(x), d(x)), inside=True),
                Needs(Always(sign(d(x), 0)), (x < p,), inside=True, by="using", label="its sign before the point"),
                Needs(Always(sign(d(x), 0)), (x > p,), inside=True, by="using", label="its sign after the point"),
            ),
            given={"point": p, "slope": d(x)},
            proof="intros; by_theorem (@{theorem} I f d p)",
        )
        for direction, word, sign in ((1, "increasing", sp.Gt), (-1, "decreasing", sp.Lt))
    )


@dataclass(frozen=True, eq=False)
class ClearSides(Schematic["SolutionTends"]):
    """Each function is negative before its root and positive after it; at each value of its variable it tends to
    another one, which is negative before a point and positive after it: so the solution tends to this point.

    ``other`` is a letter for a place before or after the root, ``limit`` the limiting function, and ``until`` ends the
    range of what moves on which the sides are clear. ``earlier`` and ``later`` are for these, ``before`` and ``after``
    for the signs of the limit, ``pointwise`` the rule for the limit at each place.
    """

    other: sp.Symbol
    limit: Scalar
    until: Scalar
    earlier: Using = ()
    later: Using = ()
    before: Using = ()
    after: Using = ()
    pointwise: Rule | None = None
    schemas = tuple(
        Schema(
            "Crossings.root_tends_to_the_crossing_of_the_limit",
            SolutionTends(f(t, x), x, a, b, t, way.point, v, way.side),
            (
                *PLACED,
                Needs(
                    Always(sp.Eq(f(t, x), 0) >> (f(t, y) < 0)),
                    (*way.where, *INSIDE, a < y, y < b, y < x),
                    by="earlier",
                    label="before the root",
                ),
                Needs(
                    Always(sp.Eq(f(t, x), 0) >> (f(t, y) > 0)),
                    (*way.where, *INSIDE, a < y, y < b, x < y),
                    by="later",
                    label="after the root",
                ),
                Needs(Tends(f(t, x), t, way.point, h(x), way.side), INSIDE, by="pointwise", label="at each {x}"),
                *CROSSED,
                *way.before,
            ),
            given={"other": y, "limit": h(x), "until": way.until},
            proof=way.at_each_solution("v (fun s => f (fst s)) h snd"),
        )
        for way in WAYS
    )


@dataclass(frozen=True)
class AtSolutionTends(SolutionTends):
    """At every ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` is 0, ``quantity`` tends to
    ``value`` as ``along`` tends to ``point`` from the ``side``. The domain constrains the other symbols only.
    """

    quantity: Scalar = field(kw_only=True)
    label: str = "limit at the solution"

    @property
    def subject(self) -> Phrase:
        return ("at", *super().subject, self.quantity)


@dataclass(frozen=True, eq=False)
class OfTheSolution(Schematic["AtSolutionTends"]):
    """What is a function of the solution alone has the limit of that function, where the solution tends to an end of
    its interval.

    ``form`` is that function, ``towards`` "lower" or "upper", and ``until`` ends the range of what moves on which it is
    the quantity. ``solution`` is the rule for where the solution tends, ``using`` is for the form, ``end`` the rule for
    its limit.
    """

    form: Scalar
    towards: str
    until: Scalar
    solution: Rule | None = None
    using: Using = ()
    end: Rule | None = None
    schemas = tuple(
        Schema(
            f"Crossings.quantity_at_a_solution_that_tends_to_the_{towards}_end",
            AtSolutionTends(f(t, x), x, a, b, t, way.point, L, way.side, quantity=g(t, x)),
            (
                Needs(SolutionTends(f(t, x), x, a, b, t, way.point, end, way.side), by="solution"),
                Needs(
                    Always(sp.Eq(f(t, x), 0) >> sp.Eq(g(t, x), h(x))),
                    (*way.where, *INSIDE),
                    by="using",
                    label="a function of the solution",
                ),
                Needs(Tends(h(x), x, end, L, side), by="end", label="its limit"),
                *way.before,
                Needs(Always(a < b), sense=True, label="the interval"),
            ),
            given={"form": h(x), "towards": towards, "until": way.until},
            proof=way.at_each_solution(
                "(fun s => f (fst s)) (fun s => g (fst s)) h L snd", "Rbar_locally L", "(fun s => g (fst s) (snd s))"
            ),
        )
        for towards, end, side in (("lower", a, "+"), ("upper", b, "-"))
        for way in WAYS
    )
