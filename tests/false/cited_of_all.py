"""What a claim says of all entries of a family at once, cited for one of them, or with its index put in."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import claimed, false, true

SQUARES = expand((r[1] - P[1]) ** 2 + (r[2] - P[2]) ** 2)


def cites(equality: Any, values: Any) -> Any:
    """Where the squares are zero, by a claim that says it with an index."""
    domain = Domain(reals(r, 2), reals(P, 2), y)
    said = AtLeast(SQUARES + Sum(y, (o_, 1, 2)), 2 * y, (Eq(r[o], P[o]),))
    base = claimed(domain, said.by(TermByTerm((Sum((r[o] - P[o]) ** 2, (o, 1, 2)),))), id="base")
    random = ForRandom(
        Ge(SQUARES + MeanOf(Sum(spread[o_], (o_, 1, 2))), 2 * y), (Random(spread, o_, 1, 2, mean=y),), equality
    )
    return [claimed(domain, random.by(Linearity(given=(at(base, values),))), depends_on=["base"]), base]


false(
    "squares that vanish where the first rewards agree",
    "r = (0, 1), P = (0, 0): the sum is 1, above 0",
    lambda: cites((Eq(r[1], P[1]),), {o: 1}),
)
true("squares that vanish where all rewards agree", lambda: cites((Eq(r[o], P[o]),), {}))


def put_in(equality: Any, put: Any) -> Any:
    """Where squares of differences from x are zero, with an entry in the place of x."""

    def squares(x: Any) -> Any:
        return expand((r[1] - x) ** 2 + (r[2] - x) ** 2)

    plain = Domain(reals(r, 2), z, y)
    said = AtLeast(squares(z) + Sum(y, (o_, 1, 2)), 2 * y, (Eq(r[o], z),))
    base = claimed(plain, said.by(TermByTerm((Sum((r[o] - z) ** 2, (o, 1, 2)),))), id="base")
    random = ForRandom(
        Ge(squares(put) + MeanOf(Sum(spread[o_], (o_, 1, 2))), 2 * y), (Random(spread, o_, 1, 2, mean=y),), equality
    )
    domain = Domain(reals(r, 2), reals(P, 2), y)
    return [claimed(domain, random.by(Linearity(given=(at(base, {z: put}),))), depends_on=["base"]), base]


false(
    "an index put in that the condition has",
    "r = P = (0, 1): r(o) = P(o) for every o, and (r(1) − P(2))² + (r(2) − P(2))² is 1",
    lambda: put_in((Eq(r[o], P[o]),), P[o]),
)
true("another index put in", lambda: put_in((Eq(r[o], P[1]),), P[1]))
