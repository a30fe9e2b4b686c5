"""What stands in the place of something of another kind: each is refused in a sentence."""

from __future__ import annotations

from typing import Any

from grpo_symbolic.paper import *

from . import false, true

LAW = Domain(simplex(pi, n), reals(P, n), n >= 2)


def unfit(name: str, why: str, domain: Any, statement: Any) -> None:
    """Note a sentence, whose parts are made when it is judged."""
    false(name, why, lambda: (domain() if callable(domain) else domain, statement()))


unfit("a point that is a list", "it names no letter", Domain(x), lambda: Exists(x > 1, [2]))
unfit("a point with a text", "nobody reads a text as a number", Domain(x), lambda: Exists(x > 1, {x: "2"}))
unfit("a relation in the place of a domain", "no domain", Domain(x), lambda: On(x > 0, Always(x > 0)))
unfit(
    "a truth of Python's for every number", "no formula", Domain(y), lambda: ForEveryNumber(True, k, 1).by(Induction())
)
unfit("a limit of groups without a variance", "none", LAW, lambda: MeanOfLargeGroups(pi, P, None, o, n, G, x))
unfit("a surrogate without a policy", "none", LAW, lambda: SurrogateOfLargeGroups(pi, P, None, o, n, G, Integer(0)))
unfit("a sum for a divergence", "no divergence", LAW, lambda: AtLeast(0, 0).by(Gibbs((Divergence, 1))))
unfit(
    "cases without what is for them",
    "a case is a pair",
    Domain(x),
    lambda: Always(x**2 + x + 1 > 0).by(InEachCase((x > 0, x <= 0))),
)
unfit("a claim by its name", "no claim", Domain(x), lambda: Always(x > 0).by(Follows(("a-claim",))))
unfit("three ends", "an interval has two", Domain(x > 0), lambda: MassNear(x, t, ((0, 1, 2),), t))
unfit("a letter for a family", "no family", lambda: Domain(reals(x, 2)), lambda: Always(x > 0))
unfit("a sum that is a text", "nobody reads it", lambda: Domain(simplex(pi, 2, "x")), lambda: Always(pi[1] > 0))
unfit("a size that is a text", "nobody reads it", lambda: Domain(reals(r, "n")), lambda: Always(r[1] ** 2 >= 0))
unfit("numbers that are none", "no family", LAW, lambda: Equal(Random(r.label, k, 1, n), 0))
true("a point by its letter", lambda: (Domain(x), Exists(x > 1, {x: Rational(3, 2)})))
