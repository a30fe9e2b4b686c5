"""Substitution that catches a bound letter or forgets to be simultaneous; steps that owe a reason."""

from __future__ import annotations

from grpo_symbolic.paper import *

from . import claimed, false, true, unrefuted

COUNTED = Domain(1 <= k, k <= 3)


def substituted(domain, expression, rule, form):
    """A claim that the result of a substitution has some form."""
    d = Derivation("a substitution", domain)
    return claimed(domain, Equal(d.restrict(d.start(expression), rule), form), by=d)


false(
    "three letters moved round one after the other",
    "(x − y)(y − z) becomes (y − z)(z − x)",
    lambda: substituted(Domain(x, y, z), (x - y) * (y - z), {x: y, y: z, z: x}, 0),
)
false(
    "a letter put into a sum over it",
    "Σₖ x k over k = 1, 2 becomes 3k",
    lambda: substituted(Domain(k >= 1, x), Sum(x * k, (k, 1, 2)), {x: k}, 5),
)
false(
    "an entry put into a sum over its letter",
    "n times π(o) is not the sum",
    lambda: substituted(Domain(simplex(pi, n), n >= 2, x), Sum(x, (o, 1, n)), {x: pi[o]}, 1),
)
false(
    "a root put into a sum over its letter",
    "Σⱼ z j − 5 over j = 1, 2 vanishes at 5/3 only",
    lambda: (COUNTED, UniqueRoot(Sum(z * k, (k, 1, 2)) - 5, z, k, 0, 4)),
)
false(
    "a stationary point put into a sum over its letter",
    "at k = 3 the slope is −12",
    lambda: (COUNTED, LocalMaximum(Sum(-((z - k) ** 4) - (z - k) ** 2, (k, 1, 3)), z, k)),
)
false(
    "an old policy put into a sum over its letter",
    "at k = 1 the slope is 3",
    lambda: (COUNTED, LocalMaximum(Sum(-((z - y) ** 2) - (y - k) * z, (k, 1, 3)), z, k, frozen=((y, k),))),
)
false(
    "ends put into a polynomial over their letter",
    "3z − 6 has its root at 2",
    lambda: (COUNTED, Roots(Sum(z - k, (k, 1, 3)), z, 0, k - 2, k + 2)),
)
false(
    "a case by a letter that a sum binds",
    "at k = 3 the sum is still 6",
    lambda: (COUNTED, When(Eq(k, 3), Equal(Sum(k, (k, 1, 3)), 9))),
)
false(
    "a sum whose size is bound outside",
    "Σₙ Σₖ 1 over n, k = 1, …, 3 with k ≤ n is 6",
    lambda: (Domain(n >= 1), Equal(Sum(1, (k, 1, n), (n, 1, 3)), 3 * n)),
)
false(
    "an example of a triangle summed in the wrong order",
    "for n = 1, 2, 3 it is 1 + 2 + 3",
    lambda: (Domain(n >= 1), Exists(Eq(Sum(1, (k, 1, n), (n, 1, 3)), 3 * n), {n: 1})),
)
false(
    "a slope in a letter that a sum binds",
    "Σₖ k does not move with k",
    lambda: (COUNTED, Monotone(Sum(k, (k, 1, 3)), k)),
)
false("a step that multiplies by nought", "at x = p the factor vanishes", lambda: _cleared())
false(
    "a step that rewrites on a smaller domain",
    "at x = 2 the logarithm of (x − 1)² is 0 and not −1",
    lambda: _rewritten(),
)
false("a root outside the interval of a step", "at p = 2/3 the root is 4/3", lambda: _solved())

unrefuted(
    "a triangle summed in its order",
    "for n = 1, 2, 3 it is 1 + 2 + 3",
    lambda: (Domain(n >= 1), Equal(n * Sum(1, (k, 1, n), (n, 1, 3)), 6 * n)),
)
true("two letters exchanged", lambda: substituted(Domain(x, y, z), x - z, {x: y}, y - z))
true(
    "a letter put into a sum over another", lambda: substituted(Domain(n >= 1, x, y), Sum(x, (k, 1, n)), {x: y}, n * y)
)


def _cleared():
    domain = Domain(0 < x, x < 1, 0 < p, p < 1)
    d = Derivation("a vanishing factor", domain)
    f = d.clear_denominators(d.start(1 / (x - p)), (x - p) ** 2, x)
    return claimed(domain, Equal(f, x - p), by=d)


def _rewritten():
    d = Derivation("a smaller domain", Domain(0 < x, x < 1))
    form = d.rewrite(d.start(log((x - 1) ** 2)), 2 * log(1 - x))
    return claimed(Domain(0 < x, x < 5), Equal(log((x - 1) ** 2), form), by=d)


def _solved():
    d = Derivation("a root outside", Domain(0 < p, p < Rational(1, 3)))
    root = d.solve(d.start(x - 2 * p), x)
    return claimed(Domain(0 < p, p < 1), UniqueRoot(x - 2 * p, x, root), by=d)
