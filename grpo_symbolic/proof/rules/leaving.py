"""Solutions that leave a place where a function is positive, while what it takes at them vanishes."""

from __future__ import annotations

from dataclasses import dataclass

import sympy as sp

from grpo_symbolic.proof.rules.convexity import INSIDE, SolutionTends
from grpo_symbolic.proof.rules.matching import Schematic
from grpo_symbolic.proof.rules.rule import Rule, Using
from grpo_symbolic.proof.rules.schema import WAYS, Continuous, L, Needs, Schema, Way, a, b, f, h, p, r, t, x
from grpo_symbolic.proof.statements.statement import Always, Tends
from grpo_symbolic.scalars import Scalar


def _leaves(way: Way, start: sp.Symbol) -> Schema:
    """From the lower end, or from a later start, as what moves comes to its point."""
    after, lacks = (start < x, x < b), t - p if way.side == "+" else p - t
    beyond = Needs(Always(sp.Eq(f(t, x), 0) >> (r < x)), (*way.where, *INSIDE), by="beyond", label="after the start")
    return Schema(
        "Leaving.root_leaves_where_a_function_is_positive",
        SolutionTends(f(t, x), x, a, b, t, p, b, way.side),
        (
            Needs(Always(start < b), label="the interval"),
            *(() if start == a else (beyond,)),
            Needs(
                Always(sp.Eq(f(t, x), 0) >> sp.Eq(h(x), lacks)),
                (*way.where, *INSIDE, start < x),
                by="at_root",
                label="the function there",
            ),
            Needs(Continuous(h(x)), after, by="defined"),
            Needs(Always(h(x) > 0), after, by="positive", label="it is positive"),
            Needs(Tends(h(x), x, start, L, "+"), by="end", label=f"at {{{start}}}"),
            Needs(Always(L > 0), by="limit_sign", label="the limit"),
            *way.before,
        ),
        given={"form": h(x), "start": start, "limit": L, "until": way.until},
        proof=f"intros; each_solution {way.filter} (locally b) (strictly_between a b) f (@snd R R); "
        f"apply (@{{theorem}} _ F' {start} b L h (fun s => {'fst s - p' if way.side == '+' else 'p - fst s'}) snd); "
        f"[assumption | assumption | assumption | intros; apply H{4 if start == a else 5}; tauto "
        "| assumption | assumption "
        f"| exact (fun Q K => lift _ (comes_{'down' if way.side == '+' else 'up'} p Q K)) "
        f"| leaves lift them {way.near}]",
    )


@dataclass(frozen=True, eq=False)
class LeavesAPositive(Schematic["SolutionTends"]):
    """At the solution a continuous positive function is what the moving letter still lacks to its point: so the
    solution leaves every place but the upper end.

    ``form`` is that function, from ``start`` to the upper end, and ``limit`` its limit at ``start``, positive or
    infinite; ``until`` ends the range of what moves. ``beyond`` is for the solution being after ``start``, ``at_root``
    for what the function is there, ``positive`` for its sign, ``end`` the rule for its limit, ``limit_sign`` for the
    sign of that, ``defined`` the rule for its having a value.
    """

    form: Scalar
    start: Scalar
    limit: Scalar
    until: Scalar
    beyond: Using = ()
    at_root: Using = ()
    positive: Using = ()
    limit_sign: Using = ()
    end: Rule | None = None
    defined: Rule | None = None
    schemas = tuple(_leaves(way, start) for start in (a, r) for way in WAYS if way.point == p)
