"""Entropy and cross entropy: expected negative log-likelihoods, and why no model beats the true law on average.

Statement.   H(p) = −Σ p log p is the expected NLL of the law p that draws, zero exactly for a fixed value and log n for
             n equal chances; the cross entropy H(p, q) = −Σ p log q of a model q is never less, and equal only for
             q = p (Gibbs' inequality, which the paper states without proof).
Source.      Patel (2025), Appendix 8.2 and 8.3.
Domain.      p and q on n values with full support, n symbolic; q with part of its mass elsewhere where it is said;
             N observations.
Derivation.  Expectations from grpo_symbolic.objectives.likelihood; Gibbs term by term from log u ≤ u − 1: the terms
             −p log(q/p) − p + q are not negative, and add up to H(p, q) − H(p).
Caveats.     Inequalities of expectations are none of samples: on a sample whose shares are not those of the true law
             some model has a lower NLL than that law (pt-gibbs-follows). Values that p never takes add nothing to
             either side, as 0 log 0 = 0.
Letters.     p(o) and q(o) are two laws, π̃(o) the shares of a sample of N or, in pt-onehot-not-a-law, another model; m
             is the mass of q where p has some. x and y are probabilities under p and q of one value or of an event,
             with π̃ and π the laws outside it, or chances of two; x(o) are the values themselves. t bounds every
             chance, v is a number of draws, their NLL, or a bound of one, u a larger one or v log x; y is also the
             entropy, or a bound of the NLL. r is 1 for each draw of one value and 0 for every other. Where Markov's
             inequality is shown, q are the chances of the values with a large NLL, and p those of the others.
"""

from grpo_symbolic.paper import *

from .trees import any_length, count, draws, mean

claim = Result(__file__).claim

values = Answers(n)
laws = Domain(simplex(world, n), simplex(model, n), n >= 2)
H, H_q = entropy(world, values, o), cross_entropy(world, model, values, o)
chance = Domain(0 < x, x < 1)
pair = Domain(0 < x, x < 1, 0 < y, y < 1)

# -- Appendix 8.2 -----------------------------------------------------------------------------------------------------
claim(
    "pt-entropy-expectation-of",
    Equal(expected(world, lambda a: -log(world[a]), values, o), -Sum(world[o] * log(world[o]), (o, 1, n))),
    laws.also(positives(datum, n)),
    locator="Sec 8.2, first display",
    title="Entropy as the expected NLL of the law that draws",
    printed=r"\text{Entropy}=\text{Expected value of }-\log(x)\text{ over all }x=-\sum_xp(x)\log(p(x))",
    judged=misprint(
        "The logarithm is that of the probability p(x), as the second line and the text have it, not of the value x."
        " So in the copy that was read.",
        Equal(expected(world, lambda a: -log(datum[a]), values, o), H),
    ),
)

# One value has the chance x, the other n − 1 share the rest; a second law for a fixed value.
concentrated = -x * log(x) - (n - 1) * ((1 - x) / (n - 1)) * log((1 - x) / (n - 1))
claim(
    "pt-entropy-deterministic",
    Tends(concentrated, x, 1, 0, "-", label="as one of n values takes all the mass"),
    Domain(n >= 2, 0 < x, x < 1),
    because=(
        Tends(-x * log(x), x, 0, 0, label="a value of no mass: 0 log 0 = 0"),
        On(
            laws,
            Always(H > 0, label="conversely any law with two values or more has entropy").by(
                PositiveTerms(Sum(-world[o] * log(world[o]), (o, 1, n)), using=(log_sign(world[o]),))
            ),
        ),
    ),
    kind="limit",
    locator="Sec 8.2",
    title="Limit of the entropy as one of n values takes the whole mass, the others being alike",
    printed=r"\text{the random variable always take a fixed value of 1, then entropy should be zero}",
)

fair = {o: 1 / n}  # the value o, whichever it is, has the chance 1/n
uniform = entropy(fair, values, o)
claim(
    "pt-entropy-numbers",
    Every(
        Exists(Eq(log(n), 0), {n: 1}, label="a fixed value"),
        Exists(And(log(n) > Rational(685, 1000), log(n) < Rational(695, 1000)), {n: 2}, label="0.69 to two digits"),
        Exists(And(log(n) > Rational(1785, 1000), log(n) < Rational(1795, 1000)), {n: 6}, label="1.79 to two digits"),
    ),
    Domain(n >= 1),
    because=(Equal(uniform, log(n), label="n equal chances: −log(1/n)"),),
    kind="numeric",
    locator="Sec 8.2",
    title="The entropies of a fixed value, a coin and a die",
    printed=(
        r"\text{in the first case that would be }-\log(1)=0\text{, in the second case it would be }-\log(1/2)=0.69"
        r"\text{ and in the case of the dice it would be }-\log(1/6)=1.79"
    ),
)

# If no value is likelier than t, every NLL is at least −log t, so their average is.
by_average = TermByTerm(
    (Sum(world[o] * (log(t) - log(world[o])), (o, 1, n)),),
    using=(log_increasing(world[o], t), log_increasing(t, world[o])),
)
claim(
    "pt-entropy-many-values",
    Every(
        AtLeast(
            H, -log(t), label="no value likelier than t: the entropy is at least −log t", given=(world[o] <= t,)
        ).by(by_average),
        Monotone(-log(t), t, -1, label="the bound grows as the chances fall"),
    ),
    laws.also(0 < t, t < 1),
    because=(
        Tends(-log(t), t, 0, oo, label="beyond every number"),
        Equal(uniform, log(n), label="reached by equal chances t = 1/n"),
    ),
    kind="inequality",
    locator="Sec 8.2",
    title="Lower bound of the entropy by the largest probability",
    printed=(
        r"\text{If we have many values, each one with a low probability, then the entropy is high. The lower this "
        r"probability, the higher the entropy}"
    ),
    remark="The paper speaks of equal chances here, a coin and a die, and −log t is the entropy for t = 1/n. "
    "Of others it is a bound; between laws of different shape both may rise at once (pt-low-nll-chain).",
)

die = Domain(simplex(world, n), n >= 2)
claim(
    "pt-entropy-uniform-most",
    Equal(log(n) - H, kl(world, fair, values, o)),
    die,
    kind="identity",
    depends_on=["pt-gibbs", "pt-kl-ce-minus-entropy"],
    locator="Sec 8.2",
    title="Entropy and the divergence from equal chances",
    remark="So log n is the most, and only equal chances have it (pt-gibbs).",
)

coin = entropy(binary(x), Answers(2), o)
# n values of p, which have the chance 1 − x together, and k others, of the chance x, whose NLL is large.
no_likelier = world[o] <= exp(-v)
surprising = Domain(simplex(world, n, 1 - x), simplex(model, k, x), 0 < x, x < 1, n >= 1, k >= 1, v > 0)
claim(
    "pt-entropy-zero-nll",
    Every(
        AtLeast(H, v, label="no value likelier than e^(−v): the entropy is at least v", given=(no_likelier,)).by(
            TermByTerm(
                (Sum(world[o] * (-v - log(world[o])), (o, 1, n)),),
                using=(log_increasing(world[o], exp(-v)), log_increasing(exp(-v), world[o])),
            )
        ),
        On(
            surprising,
            AtLeast(
                -Sum(world[o] * log(world[o]), (o, 1, n)) - Sum(model[j] * log(model[j]), (j, 1, k)),
                v * x,
                label="Markov: if k values have an NLL of at least v, their chance is at most H/v",
                given=(model[j] <= exp(-v), world[o] <= 1),
            ).by(
                TermByTerm(
                    (
                        Sum(-world[o] * log(world[o]), (o, 1, n)),
                        Sum(model[j] * (-log(model[j]) - v), (j, 1, k)),
                    ),
                    using=(
                        log_sign(world[o]),
                        log_increasing(model[j], exp(-v)),
                        log_increasing(exp(-v), model[j]),
                    ),
                )
            ),
        ),
    ),
    laws.also(v > 0),
    because=(
        Tends(exp(-v), v, 0, 1, label="as v falls to 0 the bound e^(−v) tends to 1"),
        On(
            Domain(0 < t, t < 1, v > -log(t)),
            Always(
                t > exp(-v),
                using=(log_increasing(t, exp(-v)), log_increasing(exp(-v), t)),
                label="t the largest chance: H ≥ −log t, so t > e^(−v) for every v above H",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-entropy-many-values"],
    locator="Sec 8.2",
    title="Small entropy: the mass of the likeliest value, and the chance of a large NLL",
    printed=(
        r"\text{If the entropy is close to zero (and therefore the NLL is), you know }p\text{ fairly "
        r"deterministically}"
    ),
    judged=imprecise(
        "The expected NLL is the entropy, and so small; the NLL of a single draw need not be: the rare value of a "
        "nearly fixed variable has a large one.",
        Always(-log(x) <= coin),
        chance,
    ),
    remark="The reading is about two values: the NLL of one of chance x is at most the entropy.",
)

# v equal draws of a value; whatever y > 0, a chance below e^{−y} becomes untenable.
claim(
    "pt-low-randomness-sure",
    On(
        Domain(0 < x, x < exp(-y), y > 0, v > 0, Eq(u, v * log(x))),
        Always(
            exp(u) < exp(-v * y),
            using=(log_increasing(x, exp(-y)), exp_increasing(u, -v * y)),
            label="a value of chance x < e^{−y} is drawn v times in a row with a probability below e^{−vy}",
        ),
    ),
    Domain(y > 0, v > 0),
    because=(
        Monotone(exp(-v * y), v, -1, using=(exp_sign(-v * y),), label="the bound falls with every draw"),
        Tends(exp(-v * y), v, oo, 0, label="to 0"),
    ),
    kind="limit",
    locator="Sec 8.2",
    title="Probability of drawing a value many times in a row",
    printed=(
        r"\text{if you draw a sample and don't see much randomness … you can be reasonably sure of the underlying "
        r"distribution }p"
    ),
    remark=(
        "e^u is x^v, the probability that a value of chance x is drawn v times in a row. So one is reasonably sure "
        "that the value has a chance of e^{−y} at least, however near to 1; of how the rest is shared out equal draws "
        "say nothing."
    ),
)

# N draws cost v = N H nats on average, so the typical likelihood is exp(−v); y stands for the entropy H.
expected_log = Sum(expected(binary(x), lambda a: log(binary(x)[a]), Answers(2), o), (i, 1, N))
variance = (x * (1 - x) / N).subs(N, v / y)  # of the share of one value among N independent draws
claim(
    "pt-low-likelihood-no-confidence",
    Every(
        On(chance.also(N >= 1), Equal(expected_log, -N * coin, label="the expected log-likelihood of N draws is −N H")),
        On(
            chance.also(N >= 1),
            ForRandom(
                Eq(VarianceOf(Sum(r[i], (i, 1, N)) / N), x * (1 - x) / N),
                (Random(r, i, 1, N, variance=x * (1 - x)),),
                label="the share of a value of chance x among N draws, 1 or 0 each: its variance",
            ),
        ),
    ),
    Domain(0 < x, x < 1, y > 0, v > 0),
    because=(
        Monotone(exp(-v), v, -1, using=(exp_sign(-v),), label="with more draws the likelihood falls"),
        Tends(exp(-v), v, oo, 0, label="to 0"),
        Monotone(variance, v, -1, label="and so does the variance of the observed share"),
        Tends(variance, v, oo, 0, label="to 0 as well"),
    ),
    kind="monotonicity",
    locator="Sec 8.2",
    title="Likelihood of the data and variance of the observed share, as the data grow",
    printed=r"\text{On the other hand if the likelihood is low, you don't really have confidence in your }p",
    judged=imprecise(
        "True if p is what is drawn next, and the likelihood the typical one of a draw, e^(−H): where it is low the "
        "entropy H is far from zero. The likelihood of the data falls with every draw, and the draws are what makes "
        "one confident of the law p: a fair coin tossed a thousand times is known to be nearly fair, at a likelihood "
        "of 2⁻¹⁰⁰⁰.",
        Always(variance < variance.subs(v, u), label="the lower the likelihood, the larger the variance"),
        Domain(0 < x, x < 1, y > 0, 0 < v, v < u),
    ),
    remark="v is the NLL of the data and y the entropy of a draw, so that v/y is the number of draws. The reading: the "
    "lower the likelihood, the larger the variance of the observed share.",
)

three = entropy((x, (1 - x) / 2, (1 - x) / 2), Answers(3), o)
claim(
    "pt-low-nll-chain",
    Every(
        Monotone(-log(x), x, -1, label="lower NLL, higher likelihood or probability"),
        On(
            Domain(x > Rational(1, 2), x < 1),
            Monotone(
                coin,
                x,
                -1,
                using=(log_sign((1 - x) / x), log_increasing(1 - x, x)),
                label="two values: the likelier the likelier one, the less entropy",
            ),
        ),
        On(
            Domain(x > Rational(1, 3), x < 1),
            Monotone(
                three, x, -1, using=(log_increasing((1 - x) / 2, x),), label="three values, two of them alike: the same"
            ),
        ),
    ),
    chance,
    kind="monotonicity",
    depends_on=["pt-entropy-zero-nll"],
    locator="Sec 8.2, last display",
    title="NLL and likelihood; entropy and the probability of the likeliest of two or three values",
    printed=(
        r"\text{Low NLL}\simeq\text{High Likelihood}\simeq\text{High probability}\simeq\text{High "
        r"certainty}\simeq\text{Low randomness}"
    ),
    judged=imprecise(
        "The first three are the same by the monotone logarithm. Between laws of different shape the probability of "
        "the likeliest value and the entropy may both be higher: (0.51, 0.245, 0.245) has more entropy than a coin.",
        Always(three < log(2)),
        Domain(x > Rational(1, 2), x < 1),
    ),
    remark="The reading: three values, one of more than ½ and two alike, have less entropy than a coin.",
)

# -- Appendix 8.3 -----------------------------------------------------------------------------------------------------
# The NLL of N draws: each has the same expectation.
H_each = cross_entropy(world, model, values, o_)
claim(
    "pt-cross-entropy-def",
    Equal(
        expected(world, lambda a: nll([model[a]]), values, o),
        -Sum(world[o] * log(model[o]), (o, 1, n)),
        label="one draw",
    ),
    laws.also(N >= 1),
    because=(
        any_length(
            mean(-TextSum(log(model[o]), o), world),
            mean(count * H_each, world),
            "a sample of any size T: T times as much",
            along=draws,
        ),
        Equal(identify(H_q, model, world), H, label="the model p: entropy"),
    ),
    locator="Sec 8.3, first display",
    title="Cross entropy as the expected NLL of the model, for each draw",
    printed=(
        r"\text{Cross entropy}=\text{Expected value of NLL}(q|x)\text{ when real distribution is "
        r"}p=-\sum_xp(x)\log(q(x))"
    ),
    remark="Of one draw x, as printed. The NLL of a sample of T, which Sec 8.1 sums, has T times that expectation; so "
    "the average NLL of the sample estimates the cross entropy without bias.",
)


def gap(true, modelled):
    """What one value adds to H(p, q) − H(p) beyond q − p."""
    return -true * log(modelled / true) - true + modelled


gaps = values.total(lambda a: gap(world[a], model[a]), o)
p_and_q = Divergence(world[o], model[o], o, 1, n)
d = Derivation("pt-gibbs", laws)
excess = d.start(H_q - H, "cross entropy minus entropy")
d.rewrite(excess, -Sum(world[o] * log(model[o] / world[o]), (o, 1, n)), "one logarithm for each value")
d.rewrite(excess, gaps, "Σ (q − p) = 1 − 1 = 0 added, so that each term has a sign")

claim(
    "pt-gibbs",
    Every(
        AtLeast(H_q, H, (Eq(world[o], model[o]),), label="Gibbs' inequality").by(Gibbs((p_and_q,))),
        Equal(H_q - H, gaps, label="H(p, q) − H(p), term by term"),
        On(
            Domain(simplex(world, n), simplex(model, n, support_mass), n >= 1, 0 < support_mass, support_mass <= 1),
            AtLeast(
                H_q,
                H + 1 - support_mass,
                label="q has 1 − m of its mass where p has none: higher by at least that much",
            ).by(TermByTerm((gaps,), using=(log_below_tangent(model[o] / world[o]),))),
        ),
    ),
    laws,
    by=d,
    kind="inequality",
    locator="Sec 8.3",
    title="Gibbs' inequality between cross entropy and entropy",
    printed=r"\text{Cross entropy can never be less than entropy, … which we will not prove here}",
    remark=(
        "For every finite number of values; p may leave values out, on which q has 1 − m of its mass. A model without "
        "mass where p has some is infinitely worse: −log 0."
    ),
)

# A sample with the shares p̂ (π̃ here): what the true law costs on it, and what its own shares would.
shares = Domain(simplex(world, n), simplex(model, n), simplex(other, n), n >= 2, N >= 1)
on_sample = N * cross_entropy(other, world, values, o)
claim(
    "pt-gibbs-follows",
    Every(
        AtLeast(
            expected(world, lambda a: nll([model[a]]), values, o),
            expected(world, lambda a: nll([world[a]]), values, o),
            (Eq(world[o], model[o]),),
            label="in expectation",
        ).by(Gibbs((p_and_q,))),
        Equal(
            on_sample - N * entropy(other, values, o),
            N * kl(other, world, values, o),
            label="on a sample with shares π̃ the model π̃ has an NLL that is lower by N KL(π̃‖p)",
        ),
    ),
    shares,
    because=(
        AtLeast(
            on_sample,
            N * entropy(other, values, o),
            (Eq(other[o], world[o]),),
            label="on a sample with shares π̃, the model π̃ has the lower NLL",
        ).by(Gibbs((Divergence(other[o], world[o], o, 1, n),), scale=N)),
    ),
    kind="inequality",
    depends_on=["pt-gibbs", "pt-nll-close-to-p"],
    locator="Sec 8.3",
    title="Gibbs' inequality in expectation, and the NLL on one sample",
    printed=(
        r"\text{Cross entropy can never be less than entropy, a fact that follows from our comment about NLL "
        r"above but which we will not prove here}"
    ),
    judged=imprecise(
        "Read of the expected NLL the comment (pt-nll-close-to-p) says just this, and the paper says that it gives no "
        "proof. The NLL that Section 8.1 defines is that of a sample, and does not stop at the NLL of p: "
        "whatever was drawn, a model that gives more probability to it has a lower NLL than p.",
        Always(-log(y) >= -log(x), label="one observation, of probability x under p and y under q"),
        pair,
    ),
    remark="The reading is about one observation, of probability x under p and y under q.",
)

# By what the excess bounds the distance: two values, where the model has z instead of x; n values merged into two.
margin = kl(binary(x), binary(y), Answers(2), o) - 2 * (x - y) ** 2
block = Domain(simplex(world, n, x), simplex(model, n, y), n >= 1, 0 < x, x < 1, 0 < y, y < 1)
inside = values.total(lambda a: world[a] / x * log((world[a] / x) / (model[a] / y)), o)
# An event A of p- and q-probability x and y, and the rest: k values p, q in it and n values p̃, π beside.
apart = Domain(
    simplex(world, n, x), simplex(model, n, y), simplex(other, k, 1 - x), simplex(pi, k, 1 - y), n >= 1, k >= 1
).also(*pair.constraints)
whole = Sum(world[o] * log(world[o] / model[o]), (o, 1, n)) + Sum(other[o] * log(other[o] / pi[o]), (o, 1, k))
merged = claim(
    "pt-kl-merged",
    AtLeast(whole, kl(binary(x), binary(y), Answers(2), o), label="merging values does not raise the divergence").by(
        Gibbs(
            (
                Divergence(world[o], x * model[o] / y, o, 1, n),
                Divergence(other[o], (1 - x) * pi[o] / (1 - y), o, 1, k),
            )
        )
    ),
    apart,
    kind="inequality",
    depends_on=["pt-gibbs"],
    locator="Sec 8.3",
    title="Divergence of two laws and of what they give to an event",
)
pinsker = AtLeast(kl(binary(x), binary(y), Answers(2), o), 2 * (x - y) ** 2, label="two values").by(
    FallAndRise(y, x, slope=(y - x) * (1 - 2 * y) ** 2 / (y * (1 - y)))
)
claim(
    "pt-ce-close-to-p",
    On(
        apart,
        Always(whole >= 2 * (x - y) ** 2, label="any number of values, and any event")
        .by(InLetters(pinsker, pair, {x: x, y: y}))
        .by(Follows((merged,))),
    ),
    pair,
    because=(
        pinsker,
        Equal(
            margin.diff(y),
            (y - x) * (1 - 2 * y) ** 2 / (y * (1 - y)),
            label="KL − 2(x − y)² falls before y = x and rises after",
        ),
        Always((1 - 2 * y) ** 2 / (y * (1 - y)) >= 0, label="the factor of y − x is not negative"),
        Equal(margin.subs(y, x), 0, label="KL − 2(x − y)² at y = x, where it is least"),
        On(
            block,
            Equal(
                kl(world, model, values, o),
                x * log(x / y) + x * inside,
                label="values merged to an event of probability x: what is left is x times a divergence",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-gibbs", "pt-kl-ce-minus-entropy", "pt-kl-merged"],
    locator="Sec 8.3",
    title="Pinsker's inequality for cross entropy minus entropy",
    printed=(
        r"\text{minimize the cross entropy value to get as close as possible to the entropy so as to get "
        r"}q\text{ close to the true distribution }p"
    ),
    remark="Pinsker's inequality.",
)

observed = Domain(positives(model, N), N >= 2)  # here q(i) is q(x_i), what the model gives to an observation
NLL = Sum(-log(model[i]), (i, 1, N))
mean_nll = Sum(1 / N * -log(model[i]), (i, 1, N))
claim(
    "pt-onehot-not-a-law",
    Every(
        Equal(Sum(1 / N, (i, 1, N)), 1, label="the law of the sample gives 1/N to each observation"),
        Equal(mean_nll, NLL / N, label="whose cross entropy is the average NLL"),
    ),
    observed,
    because=(
        On(
            observed.also(positives(other, N)),
            Always(
                Equivalent(mean_nll <= mean_nll.xreplace({model: other}), NLL <= NLL.xreplace({model: other})),
                label="which of two models is better does not depend on the factor N",
            ).by(SameOrder(mean_nll <= mean_nll.xreplace({model: other}), 1 / N)),
        ),
        Equal(Sum(Integer(1), (i, 1, N)), N, label="with 1 for each the total is N"),
        Always(N > 1, label="which is no probability"),
    ),
    depends_on=["pt-cross-entropy-def"],
    locator="Sec 8.3",
    title="The law of a sample: 1/N for each observation, and its cross entropy",
    printed=(
        r"\text{if you got a sample }x_1,x_2,\dots,x_n\text{ then you can assume that they have probability }p(x_i)=1"
        r"\text{ under true distribution}"
    ),
    judged=wrong(
        "Distinct values cannot all have probability 1. With 1/N for each the cross entropy is the average of the NLL, "
        "and the sum is N times that: the minimiser is the same, the value is not.",
        Equal(Sum(Integer(1), (i, 1, N)), 1),
    ),
    remark="q(i) is what the model q gives to the observation x_i. Values that repeat "
    "add up their 1/N: the shares of pt-gibbs-follows.",
)

claim(
    "pt-ce-loss-nll",
    Every(
        any_length(
            -log(TextProduct(model[o], o)), TextSum(-log(model[o]), o), "any number of observations", along=draws
        ),
        Equal(
            Sum(-N * other[j] * log(model[j]), (j, 1, n)),
            N * cross_entropy(other, model, values, o),
            label="the sum over N observations of shares π̃ is N times the cross entropy",
        ),
    ),
    Domain(simplex(other, n), simplex(model, n), n >= 2, N >= 1),
    depends_on=["pt-onehot-not-a-law"],
    locator="Sec 8.3, last display",
    title="Log-likelihood, NLL and cross entropy of a sample",
    printed=(
        r"\text{Minimize: Cross entropy loss}=-\sum_{i=1}^n\log(q(x_i))=-\log(\mathcal L(q|\mathbf "
        r"x))=\text{NLL}(q|\mathbf x)"
    ),
    judged=imprecise(
        "As a loss to minimise: the factor N does not matter. As the value of a cross entropy, of the law of the "
        "sample: it is N times too large.",
        Equal(Sum(-N * other[j] * log(model[j]), (j, 1, n)), cross_entropy(other, model, values, o)),
        Domain(simplex(other, n), simplex(model, n), n >= 2, N >= 1),
    ),
    remark=("N is the number of observations (the print's n), π̃ their shares among n values."),
)
