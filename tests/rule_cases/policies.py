"""Controls of the rules for pairs of answers, for maxima over all policies, for densities and for certain rewards."""

from __future__ import annotations

from typing import Any

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.statement import Statement
from rule_cases.case import Case, False_

p, t, w, x, z = symbols("p t w x z", real=True)
n, o, other = symbols("n o s", integer=True)
pi, ref, r = (IndexedBase(name) for name in ("pi", "ref", "r"))

# -- pairs ------------------------------------------------------------------------------------------------------------
ranked = Domain(simplex(pi, n), n >= 2)
ahead = Sum(pi[o] * Max(sign(o - other), 0) * pi[other], (other, 1, n), (o, 1, n))
behind = Sum(pi[o] * Max(sign(other - o), 0) * pi[other], (other, 1, n), (o, 1, n))
lead = pi[o] * pi[other] * sign(o - other)


def mirrored(left: Any, right: Any, term: Any = lead, outer: Any = (o, 1, n)) -> Statement:
    """Both sides agree, by pairs."""
    return Equal(left, right).by(Antisymmetric(Sum(term, (other, 1, n), outer)))


# -- maxima over all policies -----------------------------------------------------------------------------------------
references = Domain(simplex(ref, n), n >= 2)
near = Part(-((t - ref[o]) ** 2), t, -(ref[o] ** 2))


def largest(
    best: Any = ref[o], part: Part = near, loss: Any = (t - ref[o]) ** 2, multiplier: Any = 0, supposed: bool = False
) -> Statement:
    """That a policy is the only maximum, or, ``supposed`` that its probabilities add up, that it is then."""
    return OnlyBestPolicy((Answered(part, o, n),), (best,), supposed).by(OneMultiplier(multiplier, (Loss(loss),)))


many = Domain(0 < p, w, z > 0)
log_z = log(z)
heavier = p * exp(w) / z
lost = Loss(heavier - x - x * log(heavier / x), (log_below_tangent(heavier / x),))
tilting = OneMultiplierForAll(log_z - 1, lost, rare=(p, 0))
nearby = Part(-((x - p) ** 2), x, -(p**2))


def of_many(value: Any = log_z) -> Statement:
    """That tilting is the only maximum over countably many answers, with a reference p and a reward w each."""
    return OnlyBestOfMany(Part(x * w - x * log(x / p), x), (p, w), heavier, value).by(tilting)


def numbers(part: Part = nearby, loss: Any = (x - p) ** 2, value: Any = 0, rare: Any = (p, 0)) -> Statement:
    """That each answer had best have its own number p."""
    return OnlyBestOfMany(part, (p,), p, value).by(OneMultiplierForAll(0, Loss(loss), rare))


# -- densities, and groups whose outputs are given ---------------------------------------------------------------------
some_density = Domain(p > 0)


def mass(size: Any, sides: Any = ((-1, 1),), density: Any = p) -> Statement:
    """What a density says of the probability of an interval, or a rectangle."""
    return MassNear(density, x, sides, size)


group = Domain(n >= 2, reals(r, n))
mean = Sum(r[o], (o, 1, n)) / n
variance = Sum((r[o] - mean) ** 2, (o, 1, n)) / n
advantage = (r[1] - mean) / sqrt(variance)


def given(value: Any, member: Any = 1) -> Statement:
    """The advantage of a member whose group has certain rewards."""
    return AdvantageGiven(r, member, o, n, value)


# -- gradients over texts ---------------------------------------------------------------------------------------------
a, u, v = symbols("a u v", real=True)
rate, W, W_2, dW = (IndexedBase(name) for name in ("zdot", "W", "W_2", "dW"))
score = rate[o] - Sum(pi[other] * rate[other], (other, 1, n))
law = Domain(n >= 2, simplex(pi, n), reals(rate, n), a)
value = TextMean(a, pi)
gain = Ahead(value) - Here(value)


equal_worth = Eq(Ahead(value), Here(value), evaluate=False)
of_the_policy = (Form(gain, pi, u),)


def at_rest(condition: Any = equal_worth, forms: Any = of_the_policy, speed: int = 1) -> Statement:
    """Where the gradient of the expected number of a text vanishes in every direction, the logits moving at a speed."""
    rule = EveryDirection(OverTokens(onward=(W, W_2), rates=(dW,)))
    moving = Texts(o, other, n, ends=(a,), rates=((pi, speed * pi[o] * score),))
    return VanishesInEveryDirection(TextRate(value), rate, forms, moving, condition).by(rule)


POLICIES = (
    Case(
        "at rest in every direction",
        at_rest(),
        law,
        (
            False_("the coefficient of a token", at_rest(Eq(Ahead(value), 2 * Here(value), evaluate=False)), law),
            False_("one more token", at_rest(forms=(Form(2 * gain, pi, u),)), law),
            False_("moves with its logits", at_rest(forms=(Form(2 * gain, pi, u),), speed=2), law),
            False_("moves with the rates", at_rest(Eq(rate[o] * gain, 0, evaluate=False)), law),
            False_("any real numbers", at_rest(), Domain(n >= 2, simplex(pi, n), simplex(rate, n), a)),
            False_("is to vary freely", at_rest(), law.also(rate[1] > 0)),
            False_("of its own", at_rest(forms=(Form(gain / 2, pi, u), Form(gain / 2, pi, v))), law),
            False_("is reached", at_rest(), law.also(u > 1)),
            False_("one number for all states", at_rest(forms=(Form(1, pi, u, gain),)), law),
            False_("of a state and a token", at_rest(Eq(a, 0, evaluate=False)), law),
        ),
    ),
    Case(
        "what a density says of an interval",
        mass(2 * x),
        some_density,
        (
            False_("two ends", mass(0, ((1, 1),)), some_density),
            False_("moves with x", mass(2 * x, density=x), Domain()),
            False_("the sides are 3", mass(8 * x**3, ((-1, 1),) * 3), some_density),
        ),
    ),
    Case("what a density says of a square", mass(4 * x**2, ((-1, 1),) * 2), some_density),
    Case(
        "the advantage of certain rewards",
        given(advantage),
        group.also(variance > 0),
        (
            False_("numbers the terms", given(advantage), group.also(variance > 0, o >= 1, o <= n)),
            False_("are n numbers", given(advantage), Domain(n >= 2, reals(r, n + 1))),
        ),
    ),
    Case(
        "a pair and its mirror image",
        mirrored(ahead, behind),
        ranked,
        (
            False_("has a value", mirrored(1 / (ahead - behind), 1 / (ahead - behind), 0 * lead + 0), ranked),
            False_("the range of the total", mirrored(ahead, behind, outer=(o, 2, n)), ranked),
            False_("a sum over two letters", Equal(ahead, behind).by(Antisymmetric(Sum(lead, (o, 1, n)))), ranked),
        ),
    ),
    Case(
        "the only best policy",
        largest(),
        references,
        (
            False_("for nothing else", largest(), references.also(t > 0)),
            False_("the kinds are 0", OnlyBestPolicy((), ()).by(OneMultiplier(0, (Loss(t),))), references),
            False_("moves with o", largest(multiplier=ref[o]), references),
        ),
    ),
    Case(
        "the only best policy, if it is one",
        largest(p, Part(-((t - p) ** 2), t, -(p**2)), (t - p) ** 2, supposed=True),
        Domain(p > 0, n >= 2),
    ),
    Case(
        "the only best policy on countably many answers",
        of_many(),
        many,
        (
            False_("what the best one adds", of_many(2 * log_z), many),
            False_("the best is positive", numbers(), Domain(p >= 0)),
            False_("the loss", numbers(Part((x - p) ** 2, x, p**2)), Domain(p > 0)),
            False_("another probability loses", numbers(Part((x - p) ** 2, x, p**2), -((x - p) ** 2)), Domain(p > 0)),
            False_("given up adds", numbers(nearby._replace(at_zero=5)), Domain(p > 0)),
            False_(
                "as rare as one likes",
                OnlyBestOfMany(Part(-((x - p - 1) ** 2), x, -((p + 1) ** 2)), (p,), p + 1, 0).by(
                    OneMultiplierForAll(0, Loss((x - p - 1) ** 2), (p, 0))
                ),
                Domain(p > 0),
            ),
            False_("does not admit every", numbers(rare=(p, 0)), Domain(p > 1)),
            False_("no number of an answer's own", numbers(rare=(x, 0)), Domain(p > 0)),
            False_("for nothing else", numbers(), Domain(p > 0, x > 0)),
            False_("one number for all", numbers(value=p), Domain(p > 0)),
            False_("and no family", numbers(), Domain(p > 0, simplex(ref, n), n >= 2)),
        ),
    ),
)
