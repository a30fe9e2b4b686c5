"""Controls of the rules that have no file of their own: for functions, roots, sums, policies and texts."""

from __future__ import annotations

from typing import Any

from sympy import IndexedBase, symbols

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.statement import Statement
from rule_cases.case import Case, False_

x, y, z, a, b, p, t, u = symbols("x y z a b p t u", real=True)
j, n, o = symbols("j n o", integer=True)
pi, ref = IndexedBase("pi"), IndexedBase("ref")
half = Rational(1, 2)


real = Domain(x)
unit = Domain(0 <= x, x <= 1)
three = (simplex(pi, n), simplex(ref, n))
policies = Domain(*three, n >= 2)
halving = Iteration(x / 2, x, a)
start = Domain(0 <= a, a <= 1)
term = (pi[o] - ref[o]) ** 2
half_defined = x**2 * sqrt(x) - x**2
jumping = Iteration(x / 2 + (x - half) ** 2 / (2 * x - 1) ** 2 / 4, x, a)
from_ref = (Divergence(pi[o], ref[o], o, 1, n),)
kl = Sum(pi[o] * log(pi[o] / ref[o]), (o, 1, n))
same = (Eq(pi[o], ref[o]),)
squares = Sum(pi[o] ** 2, (o, 1, n))
apart = Separable((Summand(-(u**2), u, pi, o, n),))
box = Domain(-1 < x, x < 1, -1 < y, y < 1)
small = Domain(0 <= u, u <= 1, 0 <= t, t <= 1)

# Texts: a reward a of the whole text, a baseline b of each state, a law pi that moves as one with logits at the rate z.
number, other, size = symbols("s o_ k", integer=True)
rate, after, after_2, after_3, after_rate = (IndexedBase(e, real=True) for e in ("z", "W", "W_2", "W_3", "V"))
score = rate[o] - Sum(pi[other] * rate[other], (other, 1, n))
texts = Texts(o, other, n, (a,), (b,), ((pi, pi[o] * score),))
one_law = Domain(simplex(pi, n), simplex(ref, n), reals(rate, n), n >= 2, a, b)
over = OverTokens(onward=(after, after_2), rates=(after_rate,), rest=(u, t))
weighted = TextSum((a - b) * score, o)
draws = Texts(o, other, n, fixed=(pi, rate))  # independent draws of one law
centred, count = TextSum(score, o), TextSum(1, o)
variance = Sum(pi[other] * rate[other] ** 2, (other, 1, n)) - Sum(pi[other] * rate[other], (other, 1, n)) ** 2
likelihood, log_likelihood = TextProduct(pi[o], o), TextSum(log(pi[o]), o)
charged = Texts(o, other, n, (a,))  # two laws, neither of which moves
likelihood_ref, charge, plain = TextProduct(ref[o], o), TextSum(log(pi[o] / ref[o]), o), TextSum(rate[o], o)
divergence = Sum(pi[other] * log(pi[other] / ref[other]), (other, 1, n))
advantage = Ahead(TextMean(a, ref)) - Here(TextMean(a, ref))
one_more = OneMoreToken(onward=(after,))
nowhere = TextMean(TextSum(log(1 - rate[o] ** 2), o), pi)  # the logarithm of what may be negative
over_3 = OverTokens(onward=(after, after_2, after_3))


def on_average(left: Any, right: Any) -> Statement:
    """Means over texts, as the rule of tokens concludes them."""
    return OnTexts(left, right, texts).by(over)


lam = symbols("lam", real=True)
i = symbols("i", integer=True)
P = IndexedBase("P")
rewards = Domain(reals(P, n), n >= 2)
slopes = Domain(simplex(pi, n), reals(P, n), lam, n >= 2)
own_less_mean = MemberMean(P[i] - Sum(P[o], (o, 1, n)) / n, P, i, n, 0)


def total_to(number: Any) -> Any:
    """The sum of the errors so far."""
    return Sum(ref[o], (o, 1, number))


def grows(formula: Any) -> ForEveryNumber:
    """About distances pi that grow by at most the errors ref."""
    sizes = (reals(pi, i), reals(ref, i))
    return ForEveryNumber(formula, i, 1, sizes, (pi[i + 1] <= pi[i] + ref[i + 1],), (pi[1] <= ref[1],))


induction = Induction(such={pi: 0, ref: 0})


def condition_of(
    factor: int, objective: Any = None, slope: Any = None, solved: Any = None, condition: Any = None, term: Any = None
) -> Statement:
    """The maximum of Σ pi P − pi² has pi − 1/n in proportion to P less its mean."""
    whole = Sum(pi[o] * P[o] - pi[o] ** 2, (o, 1, n)) if objective is None else objective
    centre = Sum(P[j], (j, 1, n)) / n
    told = Eq(2 * factor * (pi[o] - 1 / n), P[o] - centre, evaluate=False) if condition is None else condition
    entry = Summand(t * P[o] - t**2 if term is None else term, t, pi, o, n)
    rule = EqualSlopes(
        entry, P[o] - 2 * t if slope is None else slope, lam, P, 2 * pi[o] + lam if solved is None else solved
    )
    return MaximaSatisfy(whole, pi, o, told).by(rule)


def gap(sign: int = 1) -> Any:
    return Sum(sign * term, (o, 1, n))


pole = 4 * (x - half) ** 2 / (2 * x - 1) ** 2  # 1, but at 1/2, where it has no value
sampled_groups = Domain(simplex(pi, n), simplex(ref, n), reals(P, n), reals(rate, n), n >= 2, size >= 2)
mean_reward = Sum(ref[o] * P[o], (o, 1, n))
new_reward = Sum(pi[o] * P[o], (o, 1, n))
spread = Sum(ref[j] * (P[j] - mean_reward) ** 2, (j, 1, n))


def group_average(weight: Any, beside: Any, value: Any) -> Statement:
    """In groups that the policy ref draws."""
    return GroupAverage(weight, beside, P, ref, o, n, size, value)


def below(body: Any) -> Statement:
    """That a convex function is below any number on one interval."""
    return OneInterval(body, x, 0, 1, -1, True).by(ConvexBetweenPoles())


k = size
inner = Domain(0 < x, x < 1)
pairs_of = k * (k - 1) / (n + 1)
squared = Domain(0 < y, y < 9, 0 < z, z < 9, a > 0)
before = SideOfRoot(t**2 - a, t, -a, upper=9)
chord = Chord(x**3, x, Domain(x > 0), (y, z), half)
below_chord = Always((y / 2 + z / 2) ** 3 < y**3 / 2 + z**3 / 2).by(chord)
touching = Tangent(x**3, x, Domain(x > 0), y, z)
above_tangent = Always(y**3 >= z**3 + 3 * z**2 * (y - z)).by(touching)
bent, poles = Tangent(sqrt(x), x, Domain(x > 0), y, z), Tangent(1 / (x - a), x, Domain(x > 0, a), y, z)
linear = PositiveBetween(a * z + b, z, x, 0, 1)

OTHERS = (
    Case("increasing", Monotone(x**3 + x, x), real),
    Case("weakly decreasing", Monotone(-(x**3), x, -1, strict=False), real),
    Case("concave", Curved(-(x**2), x, -1), real),
    Case("Lipschitz", Lipschitz(x**2, x, 2), unit),
    Case("continuous", Continuous(1 / x, x), Domain(x > 0), (False_("derivative in x", Continuous(1 / x, x), real),)),
    Case("the only root", UniqueRoot(x - a, x, a, 0, 1), Domain(0 < a, a < 1)),
    Case("a value between", TakesValue(x**2, x, 0, b, a), Domain(0 < a, a < b**2, b > 0)),
    Case(
        "a value between, by its sides",
        TakesValue(x - a, x, 0, 1).by(IntermediateValue(rising=True)),
        Domain(0 < a, a < 1),
    ),
    Case(
        "exactly one",
        OneRoot(x**3 + x, x, -1, 1, a),
        Domain(-1 < a, a < 1),
        (False_("its sign", OneRoot(x**3 - x / 2, x, -1, 1, 0), Domain()),),
    ),
    Case(
        "exactly one, between limits",
        OneRoot(1 / x, x, 0, oo, a).by(StrictlyMonotone(-1, (oo, 0))),
        Domain(a > 0),
        (False_("at oo", OneRoot(1 / x, x, 0, oo, a).by(StrictlyMonotone(-1, (oo, 0))), Domain(a < 0)),),
    ),
    Case("stays", StaysIn(halving, 0, 1), start),
    Case("limit is fixed", LimitIsFixedPoint(halving, 0, 1), start),
    Case(
        "rises",
        RisesToLeastFixedPoint(Iteration(x / 2 + Rational(1, 4), x, a), 0, 1),
        Domain(0 <= a, a <= half),
        (
            False_(
                "it has a value",
                RisesToLeastFixedPoint(jumping, 0, 1),
                start,
                ("at the upper end", "at the lower end", "its sign", "derivative in x", "against the start"),
            ),
        ),
    ),
    Case("falls", FallsToGreatestFixedPoint(halving, 0, 1), start),
    Case(
        "converges monotonically",
        ConvergesMonotonically(halving, 0, 1),
        start,
        (False_("its sign", ConvergesMonotonically(Iteration(1 - x, x, a), 0, 1), Domain(0 <= a, a < half)),),
    ),
    Case(
        "two limits",
        TwoLimits(Iteration(1 - x, x, a), 0, 1),
        start,
        (False_("its sign", TwoLimits(halving, 0, 1), Domain(0 < a, a <= 1), ("against the start",)),),
    ),
    Case(
        "contracts",
        ConvergesToFixedPoint(halving, 0, 1).by(Contraction(half)),
        start,
        (False_("the constant", ConvergesToFixedPoint(Iteration(1 - x, x, a), 0, 1).by(Contraction(1)), start),),
    ),
    Case("attracts", Attracts(x**2 / 2, x, 0), Domain()),
    Case("attracts where the domain says that it is fixed", Attracts(x**2, x, x), Domain(Eq(x, x**2), x < half)),
    Case("repels", Repels(2 * x, x, 0), Domain()),
    Case(
        "local maximum",
        LocalMaximum(-(x**2), x, 0),
        real,
        (
            False_("second order", LocalMaximum(x**3, x, 0), real),
            False_("the point lies", LocalMaximum(-(x**2), x, a), Domain(x > 0, -1 < a, a < 1), ("stationary",)),
            False_("not smooth", LocalMaximum(Abs(x) - x**2, x, 0), real),
            False_("maximum: derivative in x", LocalMaximum(half_defined, x, 0), real, ("second derivative in x",)),
            False_("second derivative in x", LocalMaximum(half_defined, x, 0), real, ("maximum: derivative in x",)),
            False_(
                "the values lie in the domain",
                LocalMaximum((x - 1) ** 2 * (b - 2), x, 1, ((b, a),)),
                Domain(x, b <= 1, a),
                ("second order",),
            ),
        ),
    ),
    Case(
        "the only maximum of a concave function",
        OnlyMaximum(-(x**2), x, 0),
        Domain(-1 < x, x < 1),
        (False_("its sign", OnlyMaximum(x**3 - 3 * x, x, -1), Domain(-2 <= x, x < 3)),),
    ),
    Case(
        "rise and fall",
        OnlyMaximum(1 - x**2, x, 0).by(RiseAndFall()),
        Domain(-1 < x, x < 1),
        (False_("its sign", OnlyMaximum(x**3 - 3 * x, x, -1).by(RiseAndFall()), Domain(-2 <= x, x < 3)),),
    ),
    Case(
        "term by term",
        AtLeast(gap(), 0, same).by(TermByTerm((gap(),))),
        policies,
        (False_("needs sums", AtLeast(-1, 0).by(TermByTerm((-Integer(1),))), policies),),
    ),
    Case(
        "Gibbs",
        AtLeast(kl, 0, same).by(Gibbs(from_ref)),
        policies,
        (
            False_("the factor", AtLeast(-kl, 0, same).by(Gibbs(from_ref, -1)), policies),
            False_("the equality is", AtLeast(kl, 0, (Eq(pi[o], 2 * ref[o]),)).by(Gibbs(from_ref)), policies),
        ),
    ),
    Case(
        "concave in the policy",
        ConcaveInPolicy(-squares, (pi,)).by(apart),
        policies,
        (
            False_("its sign", ConcaveInPolicy(squares, (pi,)).by(Separable((Summand(u**2, u, pi, o, n),))), policies),
            False_("a sum over the entries", ConcaveInPolicy(squares, (pi,)).by(apart), policies),
            False_(
                "is to vary freely",
                ConcaveInPolicy(-(pi[1] * pi[2]), (pi,)).by(Separable((Summand(-(u**2) * pi[2], u, pi, o, n),))),
                policies,
            ),
            False_("the families are 2, and not 1", ConcaveInPolicy(-squares, (pi, ref)).by(apart), policies),
        ),
    ),
    Case(
        "the policy gradient",
        on_average(TextRate(TextMean(a, pi)), TextMean(weighted, pi)),
        one_law,
        (
            False_("one more token", on_average(TextRate(TextMean(a, pi)), TextMean(2 * weighted, pi)), one_law),
            False_("of nothing in it", on_average(TextRate(TextMean(a, ref)), TextMean(weighted, ref)), one_law),
            False_("no token", on_average(TextRate(TextMean(a, pi)), TextMean(weighted, pi) + 1), one_law),
            False_("differs between states", on_average(TextMean(b, pi), b), one_law),
            False_("differs between states", on_average(b * log_likelihood, TextSum(b * log(pi[o]), o)), one_law),
            False_(
                "positive numbers of sum 1",
                on_average(TextMean(TextSum(2, o), rate), TextMean(2 * TextSum(1, o), rate)),
                one_law,
            ),
            False_("beside means", on_average(TextMean(a, pi), a), one_law),
            False_(
                "keeps its sum",
                OnTexts(
                    TextRate(TextMean(count, pi)),
                    TextMean(count * (count + 1) / 2, pi),
                    Texts(o, other, n, rates=((pi, pi[o]),)),
                ).by(OverTokens(onward=(after, after_2, after_3), rates=(after_rate,))),
                one_law,
            ),
            False_(
                "stands for something else",
                OnTexts(TextMean(a, pi), TextMean(ref[1] * a, pi), texts).by(OverTokens(onward=(ref,))),
                one_law,
            ),
        ),
    ),
    Case(
        "an average of gradients",
        on_average(
            TextMean(Average(Gradient(-TextSum((a - b) * log(pi[o]), o)), number), pi), -TextRate(TextMean(a, pi))
        ),
        one_law.also(number >= 1),
        (
            False_(
                "there is a text",
                on_average(TextMean(Average(a, number), pi), TextMean(a, pi)),
                one_law.also(number >= 0),
            ),
            False_(
                "not that of one text",
                on_average(TextMean(Average(a, number) ** 2, pi), TextMean(a**2, pi)),
                one_law.also(number >= 1),
            ),
        ),
    ),
    Case(
        "all texts together",
        on_average(TextTotal(likelihood), 1),
        one_law,
        (
            False_("one more token", on_average(TextTotal(likelihood**2), 1), one_law),
            False_("one more token", on_average(TextTotal(1), 1), one_law),
            False_("has a value", on_average(nowhere, nowhere), one_law, ("token",)),
        ),
    ),
    Case(
        "the variance of a sum of independent draws",
        OnTexts(TextMean(centred**2, pi), TextMean(TextSum(variance, o), pi), draws).by(
            OverTokens(onward=(after, after_2, after_3), beside=((TextMean(centred, pi), Integer(0)),))
        ),
        one_law,
        (
            False_(
                "one more token",
                OnTexts(TextMean(TextSum(rate[o], o) ** 2, pi), TextMean(TextSum(rate[o] ** 2, o), pi), draws).by(
                    OverTokens(
                        onward=(after, after_2, after_3), beside=((TextMean(TextSum(rate[o], o), pi), Integer(0)),)
                    )
                ),
                one_law,
            ),
        ),
    ),
    Case(
        "the value of a state",
        AtStates(Here(TextMean(a, pi)), Sum(pi[o] * Ahead(TextMean(a, pi)), (o, 1, n)), texts).by(one_more),
        one_law,
        (
            False_(
                "one more token",
                AtStates(Here(TextMean(a, pi)), Sum(ref[o] * Ahead(TextMean(a, pi)), (o, 1, n)), texts).by(one_more),
                one_law,
            ),
            False_("has a value", AtStates(Here(nowhere), Here(nowhere), texts).by(one_more), one_law, ("token",)),
            False_("neither in Here", AtStates(TextMean(a, pi), Here(TextMean(a, pi)), texts).by(one_more), one_law),
            False_("of one text", AtStates(Here(TextMean(a, pi)), a, texts).by(one_more), one_law),
        ),
    ),
    Case(
        "a charge for the divergence from another law",
        OnTexts(TextMean(a - b * charge, pi), TextMean(a, pi) - b * TextMean(TextSum(divergence, o), pi), charged).by(
            over_3
        ),
        one_law.also(b > 0),
        (
            False_(
                "not divided by zero",
                OnTexts(TextMean(plain**2, pi), TextMean(TextSum(rate[o] ** 2, o), pi), charged).by(
                    OverTokens(onward=(after, after_2, after_3), beside=((b * TextMean(plain, pi), Integer(0)),))
                ),
                one_law.also(Eq(b, 0)),
            ),
        ),
    ),
    Case(
        "the divergence of whole texts",
        OnTexts(TextMean(log(likelihood / likelihood_ref), pi), TextMean(TextSum(divergence, o), pi), charged).by(
            OverTokens(onward=(after, after_2), rest=(u, t, y), of_each=((log(likelihood / likelihood_ref), charge),))
        ),
        one_law,
        (
            False_(
                "one more token",
                OnTexts(TextMean(log(likelihood), pi), 0, charged).by(
                    OverTokens(onward=(after,), rest=(u, t), of_each=((log(likelihood), TextSum(0, o)),))
                ),
                one_law,
            ),
        ),
    ),
    Case(
        "what a law earns more than another",
        OnTexts(TextMean(a, pi) - TextMean(a, ref), TextMean(TextSum(advantage, o), pi), charged).by(over_3),
        one_law,
        (
            False_(
                "one more token",
                OnTexts(TextMean(a, pi) - TextMean(a, ref), TextMean(TextSum(advantage, o), ref), charged).by(over_3),
                one_law,
            ),
            False_(
                "no rule here differentiates", on_average(TextRate(TextMean(TextSum(advantage, o), pi)), 0), one_law
            ),
        ),
    ),
    Case(
        "the logarithm of a product",
        on_average(log(likelihood), log_likelihood),
        one_law,
        (
            False_("one more token", on_average(log(likelihood), 2 * log_likelihood), one_law),
            False_("no token", on_average(log(likelihood), log_likelihood + 1), one_law),
            False_("runs along", on_average(Sum(TextSum(ref[other], o), (other, 1, n)), TextSum(1, o)), one_law),
            False_(
                "the factors are positive",
                on_average(log(likelihood), log_likelihood),
                Domain(reals(pi, n), n >= 2, a, b),
                ("one more token", "has a value"),
            ),
        ),
    ),
    Case(
        "above a tangent",
        AtLeast(x**2, 2 * x - 1).by(AboveTangent(x, 1)),
        Domain(0 < x, x < 3),
        (False_("its sign", AtLeast(-(x**2), 1 - 2 * x).by(AboveTangent(x, 1)), Domain(0 < x, x < 3)),),
    ),
    Case(
        "equal terms",
        Equal(Sum(2 * Abs(pi[o] + 1), (o, 1, n)), 2 * Sum(pi[o] + 1, (o, 1, n))).by(EqualTerms()),
        policies,
        (
            False_("one range", Equal(Sum(pi[o], (o, 1, n)), Sum(pi[o], (o, 1, n - 1))).by(EqualTerms()), policies),
            False_(
                "the sentence speaks of it",
                Equal(o * Sum(pi[o], (o, 1, n)), Sum(o * pi[o], (o, 1, n))).by(EqualTerms()),
                policies,
            ),
        ),
    ),
    Case(
        "induction",
        grows(pi[i] <= total_to(i)).by(induction),
        Domain(),
        (
            False_(
                "one term more",
                grows(pi[i] - ref[i] <= Sum(1 / ref[o], (o, 1, i))).by(induction),
                Domain(),
                ("the first", "from one to the next", "has a value"),
            ),
            False_("the first", grows(pi[i] <= total_to(i) - 1).by(induction), Domain()),
            False_("from one to the next", grows(2 * pi[i] <= 2 * total_to(i) - i + 1).by(induction), Domain()),
            False_("such= gives numbers", grows(pi[i] <= total_to(i)).by(Induction()), Domain()),
            False_(
                "there are such numbers",
                ForEveryNumber(
                    And(pi[i] <= 9 - i, i < 9),
                    i,
                    1,
                    (reals(pi, i),),
                    (pi[i + 1] <= pi[i] - 1, pi[i + 1] > 0),
                    (pi[1] <= 8,),
                ).by(Induction(such={pi: 9 - i})),
                Domain(),
            ),
            False_(
                "has a value",
                ForEveryNumber(Ge(a + 1 / (1 + 1 / (i - 1)), 0, evaluate=False), i, 1).by(Induction()),
                Domain(a > 0),
            ),
            False_("no sum up to", grows(pi[i] <= Sum(i * ref[o], (o, 1, i))).by(induction), Domain()),
        ),
    ),
    Case(
        "equal slopes",
        condition_of(1),
        slopes,
        (
            False_("so the condition", condition_of(2), slopes),
            False_("a sum over the entries", condition_of(1, objective=-squares), slopes),
            False_("the slope in one entry", condition_of(1, slope=P[o] - 4 * t), slopes, ("what equal slopes say",)),
            False_("what equal slopes say", condition_of(1, solved=2 * pi[o] - lam), slopes, ("so the condition",)),
            False_(
                "the condition: ",
                condition_of(
                    1,
                    condition=Eq(
                        2 * (pi[o] - 1 / n) + 1 / (1 + 1 / (pi[o] + Sum(-pi[j], (j, 1, n)) + 1 - pi[o])),
                        P[o] - Sum(P[j], (j, 1, n)) / n,
                        evaluate=False,
                    ),
                ),
                slopes,
                ("so the condition", "- 2/n has a value"),
            ),
            False_("is any real number", condition_of(1), slopes.also(lam > 0)),
            False_(
                "speaks of the multiplier", condition_of(1, condition=Eq(P[o], 2 * pi[o] + lam, evaluate=False)), slopes
            ),
            False_("positive numbers of sum 1", condition_of(1), Domain(positives(pi, n), reals(P, n), lam, n >= 2)),
            False_("which moves", condition_of(1, term=t * P[o] - t**2 * (pi[1] + 1)), slopes),
        ),
    ),
    Case(
        "exchangeable",
        own_less_mean.by(Exchangeable()),
        rewards,
        (
            False_("the sum over a group", MemberMean(P[i], P, i, n, 0).by(Exchangeable()), rewards),
            False_("every order", MemberMean(P[i] - P[1], P, i, n, 0).by(Exchangeable()), rewards),
            False_("every order", MemberMean(P[i] - Sum(P[o], (o, 1, i)) / n, P, i, n, 0).by(Exchangeable()), rewards),
            False_("speaks of a member", MemberMean(P[i], P, i, n, P[i]).by(Exchangeable()), rewards),
            False_("that P are n numbers", own_less_mean.by(Exchangeable()), Domain(simplex(P, n), n >= 2)),
        ),
    ),
    Case(
        "a value between finite limits",
        TakesValue(x**2, x, 0, 1, half).by(BetweenLimits((0, 1), rising=True)),
        Domain(),
        (False_("at 1", TakesValue(x, x, 0, 1, 1).by(BetweenLimits((0, 2), rising=True)), Domain()),),
    ),
    Case("a value between limits", TakesValue(log(x), x, 0, oo, a).by(BetweenLimits((-oo, oo))), Domain(a)),
    Case(
        "in letters",
        Always(x**2 * y**2 <= 1).by(InLetters(Always(u * t <= 1), small, {u: x**2, t: y**2})),
        box,
        (
            False_(
                "suppose",
                Always(x**2 * y**2 <= 1).by(InLetters(Always(u * t <= 1), small, {u: x**2, t: y**2})),
                Domain(x, -1 < y, y < 1),
            ),
            False_(
                "for all",
                Always(x**2 * y**2 <= half).by(InLetters(Always(u * t <= half), small, {u: x**2, t: y**2})),
                box,
            ),
            False_(
                "for all", Always(x**2 * y**2 <= half).by(InLetters(Always(u * t <= 1), small, {u: x**2, t: y**2})), box
            ),
        ),
    ),
    # limits
    Case(
        "lim sup",
        LimSup(Abs(pi[i] - a), i, b, ((ref[i], b),), (Abs(pi[i] - a) <= ref[i],)),
        Domain(a, b),
        (
            False_(
                "the comparison",
                LimSup(Abs(pi[i] - a), i, b, ((ref[i], b),), (Abs(pi[i] - a) <= 2 * ref[i],)),
                Domain(a, b > 0),
            ),
            False_("one number", LimSup(pi[i], i, i * b, ((ref[i], b),), (pi[i] <= i * ref[i],)), Domain(b)),
        ),
    ),
    Case(
        "what nears its limit",
        ConvergesTo(pi[i], i, a, ((ref[i], 0),), (Abs(pi[i] - a) <= ref[i],)),
        Domain(a),
        (False_("the comparison", ConvergesTo(pi[i], i, a, ((ref[i], 0),), (pi[i] <= a + ref[i],)), Domain(a)),),
    ),
    Case(
        "sums below the series",
        BelowSeries(pi[i], i, a, (pi[i] >= 0,)),
        Domain(a),
        (False_("the terms", BelowSeries(pi[i], i, a, (pi[i] >= -1,)), Domain(a)),),
    ),
    Case("lifted to the end", RisesToUpperEnd(Iteration((x + 1) / 2, x, a), 0, 1), Domain(0 < a, a < 1)),
    Case(
        "a contraction with errors", StaysNear(x / 2, x, 0, t, 2 * t).by(ContractionWithErrors(half)), Domain(x, t >= 0)
    ),
    Case("every map with a small slope", EveryMapAttracts(t, (1 + Abs(t)) / 2), Domain(-1 < t, t < 1)),
    # levels
    Case(
        "one root, where the slope is negative at roots",
        OneRoot(p - x, x, 0, 1).by(FallsAtRoots((p, x), -1)),
        Domain(0 < p, p < 1),
    ),
    Case(
        "above a number on one interval",
        OneInterval(p * x * (1 - x), x, 0, 1).by(RisesAndFalls(half)),
        Domain(p > 0),
        (
            False_(
                "continuous in x",
                OneInterval(p * x * (1 - x) * pole, x, 0, 1).by(RisesAndFalls(half)),
                Domain(p > 0),
                ("derivative in x", "its sign"),
            ),
        ),
    ),
    Case("below a number on one interval", below(1 / x + 1 / (1 - x)), Domain()),
    Case("increasing in two pieces", Monotone(Max(x, 2 * x - 1), x).by(TwoPieces(1, x, 2 * x - 1)), real),
    # sums
    Case(
        "a sum and one of its terms",
        AtLeast(Sum(P[o] ** 2, (o, 1, n)), P[i] ** 2).by(OneTermLess(Sum(P[o] ** 2, (o, 1, n)), i)),
        Domain(reals(P, n), n >= 2, 1 <= i, i <= n),
        (
            False_(
                "has a value",
                AtLeast(Sum(P[o] ** 2, (o, 1, n)) + 1 / a, P[i] ** 2 + 1 / a).by(
                    OneTermLess(Sum(P[o] ** 2, (o, 1, n)), i)
                ),
                Domain(reals(P, n), n >= 2, 1 <= i, i <= n, a),
                ("the gap",),
            ),
        ),
    ),
    Case(
        "a sum and one of its terms, of which something is supposed",
        AtLeast(Sum(P[o], (o, 1, n)), P[i], given=(P[o] >= 0,)).by(OneTermLess(Sum(P[o], (o, 1, n)), i)),
        Domain(reals(P, n), n >= 2, 1 <= i, i <= n),
    ),
    Case(
        "terms that settle",
        EqualFromSomeOn(Sum(Min(P[o], t), (o, 1, n)), Sum(P[o], (o, 1, n)), t).by(TermsSettle(P[o])),
        rewards,
        (
            False_(
                "moves with t",
                EqualFromSomeOn(Sum(P[o], (o, 1, n)), Sum(P[o] + t, (o, 1, n)), t).by(TermsSettle(P[o])),
                rewards,
            ),
        ),
    ),
    # logic
    Case(
        "what is shown first",
        Always(x**2 + 1 > x).by(Then((Always(x**2 - x + 1 > 0, label="a square"),))),
        real,
        (
            False_("a square", Always(x + 1 > 0).by(Then((Always(x >= 0, label="a square"),))), real),
            False_("for all", Always(x > 1).by(Then((Always(x**2 - x + 1 > 0, label="a square"),))), real),
        ),
    ),
    Case("the sign of a difference", Always(x**2 + 1 >= 2 * x).by(ByDifference((x - 1) ** 2)), real),
    # groups
    Case(
        "an average over a group",
        group_average(pi[o] / ref[o], rate[o], Sum(pi[o] * P[o] + ref[o] * rate[o], (o, 1, n))),
        sampled_groups,
        (
            False_(
                "there is a member",
                group_average(1, 0, Sum(ref[o] * P[o], (o, 1, n))),
                sampled_groups.without(size >= 2).also(size >= 0),
            ),
            False_("the mean over the outputs", group_average(1, 0, Integer(0)), sampled_groups),
            False_(
                "positive numbers of sum 1",
                group_average(1, 0, Sum(ref[o] * P[o], (o, 1, n))),
                Domain(reals(ref, n), reals(P, n), n >= 2, size >= 2),
            ),
            False_("on the output only", group_average(P[o], 0, Sum(ref[o] * P[o] ** 2, (o, 1, n))), sampled_groups),
            False_(
                "is to vary freely", group_average(1, 0, Sum(ref[o] * P[o], (o, 1, n))), sampled_groups.also(P[1] > 0)
            ),
        ),
    ),
    Case(
        "the mean of large groups",
        MeanOfLargeGroups(ref, P, None, o, n, size, mean_reward, variance=spread),
        sampled_groups,
        (
            False_("the limit", MeanOfLargeGroups(ref, P, None, o, n, size, 0, variance=spread), sampled_groups),
            False_(
                "the variance", MeanOfLargeGroups(ref, P, None, o, n, size, mean_reward, variance=1), sampled_groups
            ),
            False_(
                "the variance of an answer's reward",
                MeanOfLargeGroups(ref, P, P[o], o, n, size, mean_reward, variance=spread),
                sampled_groups,
                ("the variance",),
            ),
        ),
    ),
    Case(
        "the deviation of large groups",
        DeviationOfLargeGroups(ref, P, None, o, n, size, sqrt(spread)),
        sampled_groups,
        (False_("the limit", DeviationOfLargeGroups(ref, P, None, o, n, size, 1), sampled_groups),),
    ),
    Case(
        "the advantage in large groups",
        AdvantageInLargeGroups(ref, P, None, o, n, size, (P[o] - mean_reward) / sqrt(spread)),
        sampled_groups.also(spread > 0),
        (
            False_(
                "the deviation",
                AdvantageInLargeGroups(ref, P, None, o, n, size, (P[o] - mean_reward) / sqrt(spread)),
                sampled_groups,
                ("the limit", "has a value"),
            ),
            False_(
                "the limit",
                AdvantageInLargeGroups(ref, P, None, o, n, size, P[o] / sqrt(spread)),
                sampled_groups.also(spread > 0),
            ),
        ),
    ),
    Case(
        "the surrogate of large groups",
        SurrogateOfLargeGroups(
            ref, P, None, o, n, size, (Sum(pi[o] * P[o], (o, 1, n)) - mean_reward) / sqrt(spread), new=pi
        ),
        sampled_groups.also(spread > 0),
        (
            False_(
                "the limit",
                SurrogateOfLargeGroups(ref, P, None, o, n, size, Sum(pi[o] * P[o], (o, 1, n)) / sqrt(spread), new=pi),
                sampled_groups.also(spread > 0),
            ),
        ),
    ),
    Case(
        "the mean advantage",
        MeanAdvantage(ref, o, n, size, 0, expected=P),
        sampled_groups,
        (
            False_(
                "there are two",
                MeanAdvantage(ref, o, n, size, 0, expected=P),
                sampled_groups.without(size >= 2).also(size >= 0),
            ),
            False_("the value", MeanAdvantage(ref, o, n, size, 1, expected=P), sampled_groups),
            False_("any real numbers", MeanAdvantage(ref, o, n, size, 0, expected=pi), sampled_groups),
        ),
    ),
    Case(
        "the square of an advantage",
        SquaredAdvantage(ref, o, n, size, 2 / ref[o]),
        sampled_groups,
        (False_("the bound", SquaredAdvantage(ref, o, n, size, half), sampled_groups),),
    ),
    Case(
        "centred rewards",
        CentredSurrogate(
            ref, o, n, size, (1 - 1 / size) * (Sum(pi[o] * P[o], (o, 1, n)) - mean_reward), new=pi, rewards=P
        ),
        sampled_groups,
        (
            False_(
                "the value",
                CentredSurrogate(ref, o, n, size, new_reward - mean_reward, new=pi, rewards=P),
                sampled_groups,
            ),
        ),
    ),
    Case(
        "the advantage in pairs",
        AdvantageInPairs(ref, o, n, 2, P[o] - rate[o], wins=P, losses=rate),
        sampled_groups,
        (False_("the value", AdvantageInPairs(ref, o, n, 2, P[o], wins=P, losses=rate), sampled_groups),),
    ),
    Case(
        "the surrogate in pairs",
        SurrogateInPairs(ref, o, n, 2, Sum(pi[o] * (P[o] - rate[o]), (o, 1, n)), wins=P, losses=rate, new=pi),
        sampled_groups,
        (
            False_(
                "the value",
                SurrogateInPairs(ref, o, n, 2, Sum(pi[o] * P[o], (o, 1, n)), wins=P, losses=rate, new=pi),
                sampled_groups,
            ),
        ),
    ),
    Case(
        "convex by the coefficients",
        Curved(binomial_mean(k**2, k, n, x), x, 1).by(ByDifferences()),
        unit.also(n >= 2),
        (False_("moves with x", Curved(binomial_mean(k**2, k, 2, x) - 5 * x**2, x, 1).by(ByDifferences()), unit),),
    ),
    Case(
        "decreasing by the coefficients",
        Monotone(1 - binomial_mean(k, k, n, x), x, -1).by(ByDifferences()),
        unit.also(n >= 1),
        (
            False_(
                "no Bernstein polynomial",
                Monotone(binomial_mean(k * a, k, n, 1 - x), x).by(ByDifferences()),
                unit.also(n >= 1, a > 0),
            ),
            False_(
                "no expectation over a number",
                Monotone(Sum(k * (1 - x) ** k, (k, 0, n)), x).by(ByDifferences()),
                unit.also(n >= 1),
            ),
        ),
    ),
    Case(
        "the first coefficient",
        Tends(binomial_mean(k + 1, k, n, x) + a * x, x, 0, 1).by(AtAnEnd()),
        Domain(n >= 1, a),
        (
            False_("a number of draws", Tends(binomial_mean(k + 1, k, n, x), x, 0, 1).by(AtAnEnd()), Domain(n >= -1)),
            False_("the point is 1/2", Tends(binomial_mean(k, k, n, x), x, half, 0).by(AtAnEnd()), Domain(n >= 1)),
        ),
    ),
    Case(
        "an expectation against that of a polynomial",
        Always(binomial_mean(k**2 + 1, k, n, x) > n * x).by(AgainstPolynomial(k, 2)),
        inner.also(n >= 2),
        (
            False_(
                "a number of draws",
                Always(binomial_mean(k**2 + 1, k, n, x) >= 1).by(AgainstPolynomial(Integer(1))),
                inner.also(n >= -1),
            ),
            False_(
                "strictly there",
                Always(binomial_mean(k, k, n, x) > n * x).by(AgainstPolynomial(k, 1)),
                inner.also(n >= 2),
            ),
            False_(
                "the letter o has no value",
                Always(binomial_mean(k, k, n, x) > n * x).by(AgainstPolynomial(k)),
                inner.also(n >= 2),
            ),
            False_(
                "the expectation",
                Always(binomial_mean(k**2 + 1, k, n, x) > n * x + 2).by(AgainstPolynomial(k, 2)),
                inner.also(n >= 2),
            ),
        ),
    ),
    Case(
        "the moments of a polynomial",
        Equal(binomial_mean(k**2, k, n, x), n * (n - 1) * x**2 + n * x).by(AgainstPolynomial(k**2)),
        real.also(n >= 2),
    ),
    Case(
        "one more draw, a success",
        Equal(x * binomial_mean(k, k, n, x), binomial_mean(pairs_of, k, n + 1, x)).by(OneMoreDraw(1, 0)),
        inner.also(n >= 1),
        (
            *(
                False_(
                    where,
                    Equal(x * binomial_mean(k, k, n, x), binomial_mean(pairs_of + more, k, n + 1, x)).by(
                        OneMoreDraw(1, 0)
                    ),
                    inner.also(n >= 1),
                )
                for where, more in (
                    ("no success", Max(1 - k, 0)),
                    ("successes only", Max(k - n, 0)),
                    ("in between", Min(k, n + 1 - k)),
                )
            ),
            False_(
                "one draw more",
                Equal(binomial_mean(k, k, n, x), binomial_mean(k, k, n + 2, x)).by(OneMoreDraw()),
                inner.also(n >= 1),
            ),
        ),
    ),
    Case(
        "less over fewer draws",
        Always(binomial_mean(k, k, n, x) < binomial_mean(k + 1, k, n + 1, x)).by(OneMoreDraw(somewhere=1)),
        inner.also(n >= 1),
        (
            False_(
                "a number of draws",
                Always(binomial_mean(-2, k, n, x) <= binomial_mean(-1, k, n + 1, x)).by(OneMoreDraw()),
                inner.also(n >= -1),
            ),
            False_(
                "over one draw more than the left one",
                Always(binomial_mean(k + 1, k, n, x) > binomial_mean(k, k, n + 1, x)).by(OneMoreDraw(somewhere=1)),
                inner.also(n >= 1),
            ),
        ),
    ),
    Case(
        "counting failures",
        Equal(binomial_mean(k, k, n, x), binomial_mean(n - k, k, n, 1 - x)).by(Reflected()),
        inner.also(n >= 1),
    ),
    Case(
        "a number of independent successes",
        CountMean(k, k, n, x, binomial_mean(k, k, n, x)),
        inner.also(n >= 1),
        (
            False_("it is a chance", CountMean(k, k, n, x, binomial_mean(k, k, n, x)), Domain(0 < x, x < 2, n >= 1)),
            False_("draws", CountMean(k, k, n, x, binomial_mean(k, k, n, x)), inner.also(n >= -1)),
            False_("the value k moves with k", CountMean(k, k, n, x, k), inner.also(n >= 1)),
        ),
    ),
    Case(
        "one root of a convex function",
        OneRoot(x**2, x, 0, b, a).by(ConvexBetweenLimits((0, b**2))),
        Domain(0 < a, a < b**2, b > 0),
    ),
    Case("before the root of a convex function", Always(Implies(Eq(z**2, a) & (y**2 < a), y < z)).by(before), squared),
    Case(
        "down to the middle",
        Monotone((x - 1) ** 2, x, -1).by(FallsToTheMiddle(Integer(1), Domain(0 < x, x < 2))),
        Domain(0 < x, x <= 1),
        (
            False_(
                "the direction is 1, and not -1",
                Monotone((x - 1) ** 2, x).by(FallsToTheMiddle(Integer(1), Domain(0 < x, x < 2))),
                Domain(0 < x, x <= 1),
            ),
        ),
    ),
    Case(
        "between two limits",
        Tends(x, x, a, a).by(Squeezed(a, 2 * x - a, b)),
        Domain(a < b),
        (
            False_(
                "the until is to be a number", Tends(1 + 1 / x, x, oo, 0, "-").by(Squeezed(0 / x, 1 / x, -oo)), Domain()
            ),
            False_("symbol for real numbers", Tends(1 - 1 / n, n, -oo, 0).by(Squeezed(0 / n, -2 / n, -1)), Domain()),
        ),
    ),
    Case(
        "a solution between two limits",
        SolutionTends(x**2 - a, x, 0, 2, a, 0, 0).by(SqueezedSolution(0 * a, sqrt(a), b)),
        Domain(b > 0),
    ),
    Case(
        "the solution of the limit",
        SolutionTends(x**2 - b**2 - a, x, 0, 2, a, 0, b).by(SolutionOfLimit(x**2 - b**2, -(b**2) - a, y)),
        Domain(0 < b, b < 2, y > 0),
    ),
    Case(
        "two values of an increasing function",
        Always(y**2 < z**2).by(TwoValues(x**2, x, Domain(x > 0), (y, z))),
        Domain(0 < y, y < z),
        (
            False_(
                "y lies in the range",
                Always(y**2 < z**2).by(TwoValues(x**2, x, Domain(x > 0), (y, z))),
                Domain(y < z, z > 0),
            ),
            False_(
                "z lies in the range",
                Always(y * (2 - y) < z * (2 - z)).by(TwoValues(x * (2 - x), x, Domain(0 < x, x < 1), (y, z))),
                Domain(0 < y, y < 1, y < z),
            ),
            False_(
                "the formula is y, and not z**2",
                Always(y > z).by(TwoValues(x**2, x, Domain(x > 0), (y, z))),
                Domain(0 < y, y < z),
            ),
        ),
    ),
    Case(
        "below a chord",
        below_chord,
        Domain(0 < y, y < z),
        (
            False_("y lies in the range", below_chord, Domain(y < z, z > 0)),
            False_("z lies in the range", below_chord, Domain(y > z, y > 0)),
            False_("and not (y/2 + z/2)**3", Always(y < z).by(chord), Domain(0 < y, y < z)),
        ),
    ),
    Case(
        "above a tangent at any point",
        above_tangent,
        Domain(0 < y, 0 < z),
        (
            False_("y lies in the range", above_tangent, Domain(y < 0, z > 0)),
            False_("z lies in the range", above_tangent, Domain(y > 0, z < 0)),
            False_("its sign", Always(sqrt(y) >= sqrt(z) + (y - z) / (2 * sqrt(z))).by(bent), Domain(y > 0, z > 0)),
            False_(
                "derivative in x",
                Always(1 / (y - a) >= 2).by(poles),
                Domain(y > 0, z > 0, a),
                ("has a value", "its sign", "the distance"),
            ),
            False_(
                "has a value",
                Always(1 / (y - a) >= 2).by(poles),
                Domain(y > 0, z > 0, a),
                ("derivative", "its sign", "the distance"),
            ),
            False_("the formula is y > z, and not r >= s", Always(y > z).by(touching), Domain(y > 0, z > 0)),
        ),
    ),
    Case(
        "positive between",
        Always(a * x + b > 0).by(linear),
        Domain(0 <= x, x <= 1, b > 0, a + b > 0),
        (
            False_("its sign", Always((2 * x - 1) ** 2 > 0).by(PositiveBetween((2 * z - 1) ** 2, z, x, 0, 1)), unit),
            False_(
                "has a value",
                Always(1 / (x - half) ** 2 + b > 0).by(PositiveBetween(1 / (z - half) ** 2 + b, z, x, 0, 1)),
                unit.also(b > 0),
                ("derivative", "its sign", "by how much"),
            ),
            False_("z", Always(a * x + b > 0).by(PositiveBetween(a * z + b, z, x, z, 1)), unit.also(a > 0, b > 0)),
        ),
    ),
)
