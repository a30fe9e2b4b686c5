"""What is held fixed at a value for which nothing was shown: outside of its range, of another sign, at nought."""

from __future__ import annotations

from typing import Any

from sympy import IndexedBase

from grpo_symbolic.paper import *

from . import false, true

ANSWERS = Domain(simplex(pi, n), reals(r, n), reals(ref, n), lam, n >= 1)


def maxima(size: Any, slope: Any, value: Any, key: Any, on: Domain) -> Any:
    """That at a maximum of Σ (size + ref) π, with ``key`` held fixed at ``value``, slope + ref is the same for all."""
    of = Summand(size * x + ref[o] * x, x, pi, o, n)
    there = slope.subs(key, value)
    same = Sum((ref[o] + there).subs(o, o_), (o_, 1, n)) / n
    said = MaximaSatisfy(of.total, pi, o, Eq(ref[o] + there, same, evaluate=False), ((key, value),))
    return on, said.by(EqualSlopes(of, slope + ref[o], lam, ref, lam - there))


false(
    "a size that is held fixed where it is negative",
    "at y = −1 it is r + π_ref that is the same for all answers, and not −r + π_ref",
    lambda: maxima(Abs(beta) * r[o], beta * r[o], y, beta, ANSWERS.also(beta > 0, beta < 1, y)),
)
true(
    "a size that is held fixed in its range",
    lambda: maxima(Abs(beta) * r[o], beta * r[o], y, beta, ANSWERS.also(beta > 0, beta < 1, y > 0, y < 1)),
)
false(
    "positive numbers that are held fixed at negative ones",
    "for r < 0 it is π_ref − r that is the same for all answers",
    lambda: maxima(Abs(old[o]), old[o], r[o], old[o], ANSWERS.also(positives(old, n))),
)
true(
    "positive numbers that are held fixed at positive ones",
    lambda: maxima(Abs(old[o]), old[o], pi[o] + 1, old[o], ANSWERS.also(positives(old, n))),
)
HILL = -((x - 1) ** 2) + log(old[1])
false(
    "a maximum while a positive number is held fixed at a negative one",
    "the logarithm of r₁ has no value for r₁ < 0",
    lambda: (Domain(positives(old, n), reals(r, n), x, n >= 1), LocalMaximum(HILL, x, 1, ((old[1], r[1]),))),
)
true(
    "a maximum while a positive number is held fixed at a positive one",
    lambda: (Domain(positives(old, n), x, n >= 1), LocalMaximum(HILL, x, 1, ((old[1], old[1] + 1),))),
)
KINDS = Domain(positives(hit, n_hit), reals(miss, n_miss), n_hit >= 1, n_miss >= 1, beta > 0)
USED = Summand(beta * x, x, hit, i, n_hit)


def given_up(factor: Any, slope: Any, on: Domain, *sampled: Any) -> Any:
    """That the policy that uses the hits alone has multipliers exactly where β is at least a slope."""
    other = Summand(y * factor, y, miss, j, n_miss)
    kinds = (Place(USED, beta, 1 / n_hit), Place(other, slope, 0, *sampled))
    return on, SatisfiesKKT(USED.total + other.total, kinds, Ge(beta, slope, evaluate=False))


false(
    "what samples the answers that are given up",
    "it is nought there, and the slope of these is 5",
    lambda: given_up(Piecewise((1, miss_old[j] > 0), (5, True)), 1, KINDS.also(positives(miss_old, n_miss)), miss_old),
)
true("answers that are given up and not sampled", lambda: given_up(1, 1, KINDS))
NUMBERS = Domain(reals(r, 2), x, y)


def hill(bounded: Any, held: Any, value: Any) -> Any:
    """That (x − 1)² (b − 2), for what is at most 1 on the domain, has a strict maximum while a number is held fixed."""
    return NUMBERS.also(bounded <= 1, y <= 1), LocalMaximum((x - 1) ** 2 * (bounded - 2), x, 1, ((held, value),))


false(
    "one number of a sum that is held fixed",
    "with r₁ = 1 in place of r₁ = −5, beside r₂ = 5, the sum is 6, and there is a minimum",
    lambda: hill(Sum(r[i], (i, 1, 2)), r[1], 1),
)
false(
    "a number that another letter numbers too",
    "with r₁ = y = 10 in place of r_k, where k = 1, there is a minimum",
    lambda: (NUMBERS.also(Eq(k, 1), r[k] <= 5), LocalMaximum((x - 1) ** 2 * (r[k] - 6), x, 1, ((r[1], y),))),
)
true("one number of two that is held fixed", lambda: hill(r[1], r[1], 1))


def two_kinds(first: IndexedBase, second: IndexedBase) -> Any:
    """That a policy satisfies the conditions of Karush, Kuhn and Tucker, with two kinds of answers."""
    a = Place(Summand(x * t / first[o], t, pi, o, n), x / first[o], at=x / n, old=first)
    b = Place(Summand((1 - x) * t / second[o], t, other, o, n), (1 - x) / second[o], at=(1 - x) / n, old=second)
    families = (positives(f, n) for f in dict.fromkeys((pi, other, first, second)))
    return Domain(*families, n >= 1, 0 < x, x < 1), SatisfiesKKT(a.summand.total + b.summand.total, (a, b), x > 0)


false(
    "one sampling policy for two kinds of answers",
    "it is held fixed at x/n and at (1 − x)/n, which are two numbers",
    lambda: two_kinds(old, old),
)
true("a sampling policy for each kind of answers", lambda: two_kinds(old, ref))
