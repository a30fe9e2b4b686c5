"""Comparisons: which of two is larger, strictly so, and where functions have their minimisers."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Conclusion, Using
from grpo_symbolic.proof.rules.schema import (
    Admits,
    Admitted,
    F,
    Family,
    Interval,
    Needs,
    Schema,
    Slope,
    V,
    Valued,
    d,
    e,
    f,
    g,
    h,
    i,
    k,
    n,
    o,
    p,
    pi,
    q,
    r,
    rho,
    s,
    x,
)
from grpo_symbolic.proof.rules.sums import AtLeast
from grpo_symbolic.proof.statements.lemmas import Instance
from grpo_symbolic.proof.statements.statement import Always, Equal, Phrase
from grpo_symbolic.scalars import Scalar


def _same_order(compared: type[sp.Rel], first: bool) -> Schema:
    """Of two comparisons the first one, or the second, is the multiple."""
    (a, b), (c, d) = ((p, q), (r, s)) if first else ((r, s), (p, q))
    ends = f"{b} {a} {d} {c}" if compared in (sp.Gt, sp.Ge) else f"{a} {b} {c} {d}"
    return Schema(
        "Orders.same_order_if_differences_are_in_proportion",
        Always(sp.Equivalent(compared(p, q), compared(r, s), evaluate=False)),
        (
            *(Needs(Valued(side)) for side in (a, b, c, d)),
            Needs(Equal(a - b, k * (c - d)), label="in proportion"),
            Needs(Always(k > 0), by="using", label="the factor"),
        ),
        given={"of": compared(a, b), "factor": k},
        proof=f"intros; destruct (@{{theorem}} {ends} k) as [? [? ?]]; [assumption | lra | tauto]",
    )


@dataclass(frozen=True, eq=False)
class SameOrder(Schematic["Always"]):
    """Two comparisons of one kind are the same comparison where the differences of their sides are in positive
    proportion: that of the comparison ``of`` is ``factor`` times the other one.
    """

    of: Scalar | sp.Basic
    factor: Scalar = sp.S.One
    using: Using = ()
    schemas = tuple(
        _same_order(compared, first) for compared in (sp.Lt, sp.Gt, sp.Le, sp.Ge, sp.Eq) for first in (True, False)
    )


_TOTAL = sp.Sum(f(i), (i, 1, n))


def _by_terms(more: sp.Rel, *some: Needs, at: str) -> Schema:
    """A strict inequality, ``p`` above ``q``, with what shows that a term, that with the number ``at``, is positive."""
    return Schema(
        "Orders.more_by_positive_terms",
        Always(more),
        (Needs(Equal(p - q, _TOTAL), label="the gap"), *some),
        given={"total": _TOTAL, **({} if at == "0" else {"at": o})},
        proof=f"intros; apply (@{{theorem}} n {at} (fun i => f (S i))); numbered",
    )


_ALL = (
    Needs(Always(n >= 1), label="there is a term"),
    Needs(Always(f(i) > 0), by="using", label="every term is positive"),
)
_ONE = (
    Needs(Always(f(i) >= 0), by="using", label="no term is negative"),
    Needs(Always((o >= 1) & (o <= n)), label="the term is one of them"),
    Needs(Always(f(o) > 0), by="using", label="and positive"),
)


@dataclass(frozen=True, eq=False)
class PositiveTerms(Schematic["Always"]):
    """One side exceeds the other strictly by a sum of terms that are not negative, one of which, the one with the
    number ``at``, is positive.

    ``total`` is a sum (``sympy.Sum`` over one index, from 1 on); without ``at`` all its terms are positive, and it has
    one. ``using`` is for the terms.
    """

    total: Scalar
    at: Scalar | None = None
    using: Using = ()
    schemas = tuple(
        _by_terms(more, *some, at=at) for at, some in (("(o - 1)", _ONE), ("0", _ALL)) for more in (p > q, q < p)
    )


@dataclass(frozen=True, eq=False)
class PositiveFactors(Schematic["Always"]):
    """One side exceeds the other strictly by a product of two positive factors.

    ``one`` and ``other`` are the factors; ``of_one`` and ``of_other`` are for their signs.
    """

    one: Scalar
    other: Scalar
    of_one: Using = ()
    of_other: Using = ()
    schemas = tuple(
        Schema(
            "Orders.more_by_positive_factors",
            Always(more),
            (
                Needs(Equal(p - q, r * s), label="the gap"),
                Needs(Always(r > 0), by="of_one", label="one factor is positive"),
                Needs(Always(s > 0), by="of_other", label="the other factor is positive"),
            ),
            given={"one": r, "other": s},
            proof="intros; apply (@{theorem} (r :: s :: nil)); [simpl; lra | repeat constructor; assumption]",
        )
        for more in (p > q, q < p)
    )


@dataclass(frozen=True, eq=False)
class FallAndRise(Schematic["AtLeast"]):
    """One side exceeds the other by a function of ``variable`` that vanishes ``at`` a point, does not rise before it
    and does not fall after it, on an interval.

    ``slope`` is a form of its derivative whose sign is easier to see; ``using`` are lemmas for that sign.
    """

    variable: sp.Symbol
    at: Scalar
    slope: Scalar | None = None
    using: tuple[Instance, ...] = ()
    schemas = (
        Schema(
            "Orders.falls_then_rises_is_least",
            AtLeast(f(x), g(x)),
            (
                Needs(Interval()),
                Needs(Valued(f(x)), inside=True),
                Needs(Valued(g(x)), inside=True),
                Needs(Admitted(p)),
                Needs(Slope(f(x) - g(x), d(x)), inside=True),
                Needs(Always(d(x) <= 0), (x <= p,), inside=True, by="using", label="its sign before the point"),
                Needs(Always(d(x) >= 0), (x >= p,), inside=True, by="using", label="its sign after the point"),
                Needs(Equal(f(p) - g(p), 0), label="nothing there"),
            ),
            given={"variable": x, "at": p, "slope": d(x)},
            proof="intros; set (e := fun z => f z + (- 1) * g z); cut (0 <= e x); [unfold e; lra |]; "
            "apply (@{theorem} I e p); [assumption | apply (falls_up_to I e d); assumption "
            "| apply (rises_from I e d); assumption | assumption | assumption]",
        ),
    )


@dataclass(frozen=True)
class SameMinimisers(Conclusion):
    """The first of two functions is least at numbers of its family, among all that the domain admits, exactly if the
    second one is least at what these numbers are mapped to; and the other way round.

    ``values`` are the two functions, ``entries`` an entry of the family of each, and ``maps`` what each entry is in
    terms of the other family.
    """

    values: tuple[Scalar, Scalar]
    entries: tuple[sp.Indexed, sp.Indexed]
    maps: tuple[Scalar, Scalar]
    label: str = "same minimisers"
    claimed = ("values",)

    @property
    def bound(self) -> tuple[sp.Symbol, ...]:
        return tuple(dict.fromkeys(entry.indices[0] for entry in self.entries))

    def phrase(self) -> Phrase:
        (first, second), (one, other), (back, to) = self.values, self.entries, self.maps
        ways = (sp.Eq(other, to, evaluate=False), "and of all", other.base.label)
        ends = (first, "is least for some numbers", one.base.label, "exactly if", second, "is least for", *ways)
        return (*ends, "exactly if the former is for", sp.Eq(one, back, evaluate=False))


def _same_value(here: tuple[sp.Expr, sp.Expr], there: tuple[sp.Expr, sp.Expr], image: sp.Expr) -> tuple[Needs, ...]:
    """That what one family is sent to is another one, which has the same value there: of each family a function, and
    an entry.
    """
    (value, _), (other, entry) = here, there
    sent = sp.Lambda(entry.indices, image)
    return (
        Needs(Admits(image, entry, entry.indices), by="using"),
        Needs(Equal(other.func(sent), value), label=f"the value by {{{entry.base}}}"),
    )


_VALUES, _ENTRIES, _MAPS = (F(pi), V(rho)), (pi[i], rho[e]), (g(i, rho), h(e, pi))
_FIRST, _SECOND = zip(_VALUES, _ENTRIES, strict=True)


@dataclass(frozen=True, eq=False)
class ValuesKept(Schematic["SameMinimisers"]):
    """Two maps that keep the values of two functions send minimisers to minimisers.

    ``using`` are lemmas for the signs of what the maps give, and for their values.
    """

    using: Using = ()
    schemas = (
        Schema(
            "Orders.values_that_are_kept_keep_minimisers",
            SameMinimisers(_VALUES, _ENTRIES, _MAPS),
            (
                *(Needs(Family(entry, free=True, bound=entry.indices)) for entry in _ENTRIES),
                *_same_value(_FIRST, _SECOND, _MAPS[1]),
                *_same_value(_SECOND, _FIRST, _MAPS[0]),
            ),
            proof="intros; kept @{theorem} (fun pi : nat -> R => exists rho, D' pi rho) "
            "(fun rho : nat -> R => exists pi, D' pi rho) F V (fun pi e => h e pi) (fun rho i => g i rho)",
        ),
    )


SameMinimisers.rule = ValuesKept()
