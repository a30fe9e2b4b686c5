"""Judgements on a print that the evidence does not carry, verdicts with nothing shown, claims that lean on others."""

from __future__ import annotations

from sympy import true as truth

from grpo_symbolic.paper import *
from grpo_symbolic.proof.derivation import Step
from grpo_symbolic.proof.statements.obligation import Identity

from . import claimed, false, misjudged, true

RAY, LINE, UNIT = Domain(x > 0), Domain(x), Domain(0 < p, p < 1)


def holds():
    return Always(x + 1 / x >= 2)


misjudged(
    "wrong, by a statement that brings its own domain",
    "the print says x > 0, and there it holds",
    lambda: claimed(RAY, holds(), printed=r"x+1/x\ge 2", judged=wrong("fails", On(Domain(x < 0), holds()))),
)
misjudged(
    "imprecise, by a statement that brings its own domain",
    "no reading of the print speaks of negative x",
    lambda: claimed(
        RAY, holds(), printed=r"x+1/x\ge 2", judged=imprecise("fails for some", On(Domain(x < -1), holds()))
    ),
)
misjudged(
    "misprint, on a point far away",
    "the print speaks of (0, 1)",
    lambda: claimed(UNIT, Always(p**2 < p), printed="p^2<p", judged=misprint("fails", Always(p**2 < p), Domain(p > 7))),
)
misjudged(
    "a hypothesis in need that is there",
    "the print has it",
    lambda: claimed(RAY, holds(), printed="-", judged=needs_hypothesis("x > 0", holds(), RAY)),
)
misjudged("wrong, though it holds", "the print is the claim", lambda: claimed(RAY, holds(), judged=wrong("-", holds())))
misjudged(
    "wrong, and so is the correction",
    "at x = 1 the correction fails",
    lambda: claimed(RAY, Always(x + 1 / x > 2), judged=wrong("-", Always(x + 1 / x > 3))),
)
misjudged(
    "redundant, though the printed domain is another",
    "neither contains the other",
    lambda: claimed(
        UNIT,
        Always(p**2 < p),
        judged=redundant_hypothesis("-", Domain(-1 < p, p < Rational(2, 3)), {p: Rational(3, 4)}),
    ),
)
FAR = Domain(x > 6)
for name, statement in (
    ("that a part of the claim has itself", Every(Always(x + 1 > 0), On(FAR, Always(x > 5)))),
    ("that is the case of the claim", When(x > 6, Always(x > 5))),
    ("that an implication supposes", Always(Implies(2 * x > 12, x > 5))),
):
    misjudged(
        f"redundant, of a hypothesis {name}",
        "at x = 1, which is given, the claim says nothing of x > 5",
        lambda statement=statement: claimed(
            RAY, statement, printed="x>5", judged=redundant_hypothesis("-", FAR, {x: 1})
        ),
    )
TOTAL, ABOVE = Sum(P[o], (o, 1, 2)), Domain(reals(P, 2), x, P[1] <= x, P[2] <= x)
BY_TERMS = AtLeast(2 * x, TOTAL, given=(P[o] <= x,)).by(TermByTerm((Sum(x - P[o], (o, 1, 2)),)))
SQUARES = AtLeast(Sum(x * r[o] ** 2, (o, 1, n)), 0, given=(x > 0,)).by(TermByTerm((Sum(x * r[o] ** 2, (o, 1, n)),)))
STAYS = ForEveryNumber(Implies(x > 0, P[k] > 0), k, 1, (reals(P, k),), (Eq(P[k + 1], P[k]),), (P[1] >= x,))
for name, why, domain, statement, printed, point in (
    (
        "an inequality supposes of every entry",
        "at x = 0, P = (1, 1) the sum is above 2 x",
        Domain(reals(P, 2), x),
        BY_TERMS,
        ABOVE,
        {x: 0, P: (1, 1)},
    ),
    (
        "an inequality supposes of a letter",
        "at x = −1 the sum is negative",
        Domain(x, reals(r, n), n >= 1),
        SQUARES,
        Domain(x > 0, reals(r, n), n >= 1),
        {x: -1, n: 1, r: [1]},
    ),
    (
        "a series supposes",
        "at y = −1 the partial sums exceed their limit",
        Domain(x, y),
        BelowSeries(y * P[k], k, x, (P[k] >= 0, y > 0)),
        Domain(x, y > 0),
        {x: -1, y: -1},
    ),
    (
        "a sentence for every number supposes",
        "of x = −1 it says nothing",
        Domain(x),
        STAYS.by(Induction(such={P: x})),
        Domain(x > 0),
        {x: -1},
    ),
    (
        "the mean of random numbers is told for",
        "of x = −1 it says nothing",
        Domain(x),
        ForRandom(Implies(x > 0, MeanOf(Sum(P[i], (i, 1, 2))) > 0), (Random(P, i, 1, 2, mean=x),)),
        Domain(x > 0),
        {x: -1},
    ),
    (
        "an implication supposes of a number of a family",
        "at x = 0, P = (1, 1) nothing is said of P(1)",
        Domain(reals(P, 2), x),
        Always(Implies(P[o] <= x, P[o] < x + 1)),
        ABOVE,
        {x: 0, P: (1, 1)},
    ),
    (
        "an equation excludes",
        "for x > 0 nothing is said of x < 1, which fails at x = 2",
        Domain(x),
        Always(Implies(Eq(x, 0), x < 1)),
        Domain(x > 0),
        {x: -1},
    ),
):
    misjudged(
        f"redundant, of a hypothesis that {name}",
        why,
        lambda domain=domain, statement=statement, printed=printed, point=point: claimed(
            domain, statement, judged=redundant_hypothesis("it is not needed", printed, point)
        ),
    )
misjudged(
    "a print for every number, shown above a hundred",
    "at x = 1",
    lambda: claimed(LINE, On(Domain(x > 100), Always(x > 50)), printed=r"x>50\text{ for every real }x"),
)
misjudged(
    "a print that a definition would settle",
    "a definition that states nothing defines nothing",
    lambda: claimed(LINE, Every(), printed="1=2", expect="definition"),
)
misjudged("a print behind a step without a reason", "nothing shows that 2 follows from 1", lambda: _unfounded())

false("what leans on itself", "a circle proves nothing", lambda: claimed(RAY, holds(), id="self", depends_on=("self",)))
false("a definition that is false", "at x = 2", lambda: claimed(LINE, Always(x < 1), expect="definition"))
false("a literal truth", "there is nothing to show", lambda: claimed(LINE, Always(truth)))
false("an example in place of a law", "at x = 2", lambda: claimed(LINE, Every(Exists(x < 1, {x: 0}), Always(x < 1))))

true(
    "a claim whose print has a hypothesis too many",
    lambda: claimed(
        RAY,
        Every(Always(x + 1 > 0), On(Domain(x > -1), Always(x + 2 > 0))),
        printed="x+1>0",
        judged=redundant_hypothesis("-", FAR, {x: 1}),
    ),
)
true(
    "a claim that supposes what holds at the point beyond the print",
    lambda: claimed(
        Domain(x, reals(r, 2)),
        AtLeast(x**2 * Sum(r[o], (o, 1, 2)), 0, given=(r[o] >= 0,)).by(TermByTerm((Sum(x**2 * r[o], (o, 1, 2)),))),
        judged=redundant_hypothesis("x > 0 is not needed", Domain(x > 0, reals(r, 2)), {x: -1, r: [1, 2]}),
    ),
)
true(
    "a claim of every solution, of which the point gives none",
    lambda: claimed(
        Domain(x, p),
        Always(Implies(Eq(x**3 + x, p), p * x >= 0)),
        judged=redundant_hypothesis("p > 0 is not needed", Domain(x, p > 0), {x: 0, p: -1}),
    ),
)
true("a claim whose print is wrong", lambda: claimed(LINE, Always(x**2 + 1 > x), judged=wrong("-", Always(x**2 > x))))
true(
    "a claim that leans on a proved one",
    lambda: [
        claimed(RAY, holds(), id="leans", depends_on=("proved",)),
        claimed(LINE, Always(Ge((x - 1) ** 2, 0, evaluate=False)), id="proved"),
    ],
)
true("an equation at its solutions", lambda: (Domain(Eq(y, x**2), x), Equal(y - x**2, 0)))


def _unfounded():
    d = Derivation("a leap", LINE)
    d.start(x)
    d.steps.append(Step("rewrite", x + 1, "hence"))
    return claimed(LINE, Equal((x + 1) ** 2, x**2 + 2 * x + 1), by=d, printed="x=x+1")


def _leap():
    d = Derivation("a leap beside what it owes", LINE)
    d.start(x)
    d.steps.append(Step("rewrite", x + 5, "hence", (Identity(LINE, (x + 1) ** 2, x**2 + 2 * x + 1),)))
    return claimed(LINE, Equal((x + 1) ** 2, x**2 + 2 * x + 1), by=d)


false("a step that owes what has nothing to do with it", "of x nothing leads to x + 5", _leap)
false(
    "an equivalence of three",
    "as it is read from left to right it fails at x = −1: that two of them are false, and so alike, is true",
    lambda: (LINE, Always(Equivalent(x > 0, 2 * x > 0, 3 * x > 0))),
)
