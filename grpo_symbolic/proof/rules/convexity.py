"""Roots of convex functions, and which side of one a point is on; what solutions of any equation tend to."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.proof.rules.derivatives import Curved, Monotone
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.roots import OneRoot
from grpo_symbolic.proof.rules.rule import Conclusion, Rule, Using
from grpo_symbolic.proof.rules.schema import (
    WAYS,
    A,
    B,
    Continuous,
    H,
    J,
    L,
    M,
    Needs,
    Schema,
    Valued,
    a,
    b,
    c,
    f,
    g,
    h,
    p,
    q,
    r,
    t,
    v,
    x,
)
from grpo_symbolic.proof.rules.sides import JUMPS
from grpo_symbolic.proof.statements.arithmetic import MPMATH, Undefined, Unsupported
from grpo_symbolic.proof.statements.domain import Domain, Point
from grpo_symbolic.proof.statements.evaluate import evaluate
from grpo_symbolic.proof.statements.statement import EACH_OTHER, Always, Equal, Phrase, Tends
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True, eq=False)
class ConvexBetweenLimits(Schematic["OneRoot"]):
    """A continuous convex function whose limits at the ends of an open interval lie on different sides of a value takes
    it exactly once between them.

    ``shape`` and ``ends`` are rules for the curvature and the limits; without them these are asked of the engines.
    """

    limits: tuple[Scalar, Scalar]
    shape: Rule | None = None
    ends: Rule | None = None
    using: Using = ()
    schemas = (
        Schema(
            "Convexity.exactly_one_root_if_convex_between_limits",
            OneRoot(f(x), x, A, B, c),
            (
                Needs(Valued(c)),
                Needs(Always(A < B), by="using", label="the interval"),
                Needs(Continuous(f(x)), (A < x, x < B)),
                Needs(Curved(f(x), x, 1, strict=False), (A < x, x < B), by="shape"),
                Needs(Tends(f(x), x, A, L, "+"), by="ends", label="at {A}"),
                Needs(Tends(f(x), x, B, M, "-"), by="ends", label="at {B}"),
                Needs(Always((L < c) & (c < M) | (M < c) & (c < L)), by="using", label="the limits"),
            ),
            given={"limits": (L, M)},
            proof="intros; apply (@{theorem} f A B L M c); between A B",
        ),
    )


def _side(compared: type[sp.Rel], supposing: bool) -> Schema:
    """Where a point lies, by the value there; ``supposing`` something of the point and of the root, or nothing."""

    def given(part: sp.Basic) -> sp.Basic:
        return sp.Implies(H, part) if supposing else part

    return Schema(
        "Convexity.side_of_the_root_of_a_convex_function",
        Always(given(compared(q, r))),
        (
            Needs(Curved(f(x), x, 1, strict=False), (A < x, x < B), by="shape"),
            Needs(Tends(f(x), x, A, L, "+"), by="end", label="at {A}"),
            Needs(Always(L < c), label="it comes from below"),
            Needs(Always(given((A < q) & (q < B))), label="the point lies in the interval"),
            Needs(Always(given((A < r) & (r < B))), label="the root lies in the interval"),
            Needs(Always(given(sp.Eq(f(r), c))), by="at_root", label="the root"),
            Needs(Always(given(compared(f(q), c))), by="using", label="at the point"),
        ),
        given={"body": f(x), "variable": x, "limit": L, "value": c, "lower": A, "upper": B},
        proof="intros; destruct (@{theorem} f A B L c q r) as [K [E D]]; [eapply lower_is_finite, H4; assumption "
        "| assumption | assumption | assumption | apply H4; assumption | apply H5; assumption | apply H6; assumption "
        "| side_of_root q r]",
    )


@dataclass(frozen=True, eq=False)
class SideOfRoot(Schematic["Always"]):
    """A convex function that comes from below a value at the lower end is below it before the point at which it takes
    it, and above it after: where it stands at another point says on which side that point lies.

    ``body`` is the function of ``variable`` between ``lower`` and ``upper``, ``limit`` its limit at the lower end. The
    conclusion compares a point with the root, which stands on the right; it may suppose something (``Implies``), such
    as that the root is one. ``shape`` and ``end`` are rules for curvature and limit, ``at_root`` is for the value at
    the root, ``using`` for the one at the point.
    """

    body: Scalar
    variable: sp.Symbol
    limit: Scalar
    value: Scalar = sp.S.Zero
    lower: Scalar = sp.S.Zero
    upper: Scalar = sp.S.One
    shape: Rule | None = None
    end: Rule | None = None
    using: Using = ()
    at_root: Using = ()
    schemas = tuple(
        _side(compared, supposing) for compared in (sp.Lt, sp.Gt, sp.Le, sp.Ge, sp.Eq) for supposing in (False, True)
    )


@dataclass(frozen=True, eq=False)
class FallsToTheMiddle(Schematic["Monotone"]):
    """A strictly convex function that is symmetric about a point decreases strictly up to it.

    ``middle`` is that point and ``on`` the interval of convexity, in the same letters; ``shape`` is a rule for the
    curvature and ``mirrored`` for the symmetry.
    """

    middle: Scalar
    on: Domain
    shape: Rule | None = None
    mirrored: Rule | None = None
    schemas = (
        Schema(
            "Convexity.symmetric_convex_function_decreases_up_to_the_middle",
            Monotone(f(x), x, -1),
            (
                Needs(Always(J(x) & (x <= p)), inside=True, label="a part of the interval, before its middle"),
                Needs(Curved(f(x), x, 1), on=True, by="shape"),
                Needs(Always(J(2 * p - x)), on=True, label="an interval about the middle"),
                Needs(Equal(f(x), f(2 * p - x)), on=True, by="mirrored", label="symmetric"),
            ),
            given={"middle": p, "on": J(x)},
            proof="intros; intros y z Hy Hz Ho; apply (@{theorem} J f p); [assumption "
            "| intros w Hw; replace (2 * p - w) with (-1 * w + 2 * p) by ring; split; [auto | symmetry; auto] "
            "| apply H1; assumption.. | assumption]",
        ),
    )


_TRIED = 4  # points of a domain at which a solution is looked for
_STEPS = [sp.Rational(1, 10**k) for k in range(1, 7)]


def _approaching(point: sp.Expr, until: sp.Expr) -> list[sp.Expr]:
    """Numbers on the way to a point, from ``until`` on."""
    if point in (sp.oo, -sp.oo):
        return [until + sp.sign(point) / step for step in _STEPS]
    width = sp.sign(until) if until in (sp.oo, -sp.oo) else until - point
    return [point + width * step for step in _STEPS]


def _between(low: sp.Expr, high: sp.Expr) -> list[sp.Expr]:
    """Numbers between two ends, many of them near these."""
    shares = [*_STEPS, *(sp.Rational(k, 20) for k in range(3, 18)), *(1 - step for step in _STEPS)]
    if low.is_finite and high.is_finite:
        return [low + (high - low) * share for share in shares]
    odds = [share / (1 - share) for share in shares]
    if low.is_finite or high.is_finite:
        return [low + o for o in odds] if low.is_finite else [high - o for o in odds]
    return [sign * o for o in odds for sign in (1, -1)]


@dataclass(frozen=True)
class SolutionTends(Conclusion):
    """Every ``variable`` strictly between ``lower`` and ``upper`` at which ``body`` is 0 tends to ``value`` as
    ``along`` tends to ``point`` from the ``side``, however it is chosen. The domain constrains the other symbols only.
    """

    body: Scalar
    variable: sp.Symbol
    lower: Scalar
    upper: Scalar
    along: sp.Symbol
    point: Scalar
    value: Scalar
    side: str = "+"
    label: str = "limit of the solution"
    claimed = ("value",)
    binds = ("variable", "along")
    ranges = True
    carried = EACH_OTHER

    def comes_true(self, domain: Domain, by: Rule) -> None:
        """Refuse an equation that jumps on the way to the point, or of which no solution is seen there, from the
        ``until`` of the rule on.
        """
        for jump in sp.sympify(self.body).atoms(*JUMPS):
            if jump.has(self.along):
                raise ClaimError(
                    f"{self.label}: {jump} jumps in {self.along}: what is solved before says nothing of after"
                )
        until = vars(by).get("until")
        if until is None:
            raise ClaimError(f"{self.label}: {type(by).__name__} does not say from where on there is a solution")
        parameters = domain
        for letter in (self.variable, self.along):
            parameters = parameters.without_symbol(letter)
        places = (
            {**values, self.along: moved}
            for values in parameters.points(_TRIED, special=False)
            for moved in _approaching(*(sp.sympify(end).subs(values) for end in (self.point, until)))
        )
        if not any(map(self._is_solved, places)):
            raise ClaimError(f"{self.label}: no solution is seen that could tend to {self.value}")

    def _is_solved(self, point: Point) -> bool:
        """Whether the body is 0 somewhere between the ends, or changes its sign without a jump."""
        signs: set[bool] = set()
        for place in _between(*(sp.sympify(end).subs(point) for end in (self.lower, self.upper))):
            try:
                value = evaluate(self.body, {**point, self.variable: place}, MPMATH)
            except (Undefined, Unsupported):
                continue
            if value == 0:
                return True
            signs.add(bool(value > 0))
        jumps = [e for e in sp.sympify(self.body).atoms(*JUMPS) if e.has(self.variable)]
        return len(signs) == 2 and not jumps

    @property
    def subject(self) -> Phrase:
        """What tends to the value, in words."""
        zero = sp.Eq(self.body, 0, evaluate=False)
        return (
            "every",
            self.variable,
            "strictly between",
            self.lower,
            "and",
            self.upper,
            "with",
            zero,
            ", if there is one,",
        )

    def phrase(self) -> Phrase:
        sides = {"+": ("from above",), "-": ("from below",)}
        side = sides[self.side] if sp.sympify(self.point).is_finite else ()
        return (*self.subject, "tends to", self.value, "as", self.along, "tends to", self.point, *side)


INSIDE = (a < x, x < b)
PLACED = (
    Needs(Always((a <= v) & (v <= b)), label="it lies in the interval"),
    Needs(Always(a < b), label="the interval"),
)
CROSSED = (
    Needs(Always(h(x) < 0), (*INSIDE, x < v), by="before", label="the limit before it"),
    Needs(Always(h(x) > 0), (*INSIDE, v < x), by="after", label="the limit after it"),
)


@dataclass(frozen=True, eq=False)
class SqueezedSolution(Schematic["SolutionTends"]):
    """Every solution lies between two functions of what moves that tend to one number: so it tends to it.

    ``low`` and ``high`` are these, ``until`` the other end of the range of what moves on which they enclose; ``using``
    is for that they do.
    """

    low: Scalar
    high: Scalar
    until: Scalar
    using: Using = ()
    schemas = tuple(
        Schema(
            "Convexity.solution_between_limits",
            SolutionTends(f(t, x), x, a, b, t, way.point, v, way.side),
            (
                Needs(
                    Always(sp.Eq(f(t, x), 0) >> (g(t) <= x)),
                    (*way.where, *INSIDE),
                    by="using",
                    label="where it lies, from below",
                ),
                Needs(
                    Always(sp.Eq(f(t, x), 0) >> (x <= h(t))),
                    (*way.where, *INSIDE),
                    by="using",
                    label="where it lies, from above",
                ),
                Needs(Tends(g(t), t, way.point, v, way.side), label="the lower bound"),
                Needs(Tends(h(t), t, way.point, v, way.side), label="the upper bound"),
                *way.before,
            ),
            given={"low": g(t), "high": h(t), "until": way.until},
            proof=way.at_each_solution("v (fun s => f (fst s)) (fun s => g (fst s)) (fun s => h (fst s)) snd"),
        )
        for way in WAYS
    )


@dataclass(frozen=True, eq=False)
class SolutionOfLimit(Schematic["SolutionTends"]):
    """A function that is convex in its variable, and comes from below 0 at the lower end, tends to another one at each
    of its values; where that is negative before a point and positive after it, the solution tends to this point.

    ``limit`` is that function; ``at_end`` is the limit of the body at the lower end, where ``until`` ends the range of
    what moves on which this holds. ``shape`` and ``end`` are rules for curvature and limit at the end, ``before`` and
    ``after`` for the signs of the limit.
    """

    limit: Scalar
    at_end: Scalar
    until: Scalar
    shape: Rule | None = None
    end: Rule | None = None
    before: Using = ()
    after: Using = ()
    schemas = tuple(
        Schema(
            "Convexity.solution_tends_to_that_of_the_limit",
            SolutionTends(f(t, x), x, a, b, t, way.point, v, way.side),
            (
                *PLACED,
                Needs(Curved(f(t, x), x, 1, strict=False), (*way.where, *INSIDE), by="shape"),
                Needs(Tends(f(t, x), x, a, g(t), "+"), way.where, by="end", label="at {a}"),
                Needs(Always(g(t) < 0), way.where, label="it comes from below"),
                Needs(Tends(f(t, x), t, way.point, h(x), way.side), INSIDE, label="at each {x}"),
                *CROSSED,
                *way.before,
            ),
            given={"limit": h(x), "at_end": g(t), "until": way.until},
            proof=way.at_each_solution("v (fun s => f (fst s)) (fun s => g (fst s)) h snd"),
        )
        for way in WAYS
    )
