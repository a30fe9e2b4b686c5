"""The negative log-likelihood of a sample: what it is, what its minimiser is, and what it is not.

Statement.   For independent observations L(q|x) = P(x|q) = Π q(x_i), and the q that maximises it minimises −Σ log
             q(x_i).
Source.      Patel (2025), Section 8.1.
Domain.      Probabilities in (0, 1], densities above 0; n observations, or n kinds of them with shares π̃.
Derivation.  Products and sums of a sample; the excess of the loss of a law over that of the frequencies, summand by
             summand (Gibbs).
Caveats.     A likelihood is no probability of q. Densities may exceed one. On its sample the minimiser has a lower NLL
             than the true law, unless the shares are those of that law (pt-nll-close-to-p).
Letters.     p(o) and q(o) are the true law and a model, π̃(o) the shares of a sample. u and v are probabilities, of a
             density u is its value and t its slope at a point, the paper's x, s in a label the distance from it, y, δ
             in labels, the length of an interval or the distance up to which it reaches; v is also the length on which
             a density is uniform. x is the chance of a coin, q in labels, p the true one, t the share of successes in a
             sample, or a bound of the NLL; of N observations r(i) is 1 for the first kind and 0 else. For orders of
             magnitude u is a tenth and p is 1/32000.
"""

from sympy import integrate

from grpo_symbolic.paper import *

from .trees import any_length, draws

claim = Result(__file__).claim

half = Rational(1, 2)
answers = Answers(n)

# -- densities --------------------------------------------------------------------------------------------------------
# A density with the value u at the point; for one that is not flat, with the slope t there, by the distance x from it.
germ = Domain(u > 0, t)


def near(distance, slope=t):
    return u + slope * distance


beside = integrate(near(x), (x, 0, y))  # an interval of length δ = y at the point
around = integrate(near(x), (x, -y, y))  # all numbers within δ of the point
within = (-1, 1)  # all distances of at most δ, as multiples of it

claim(
    "pt-density-delta",
    MassNear(u, y, ((0, 1),), y, label="an interval of length δ at x"),
    germ,
    because=(
        MassNear(u, y, ((-half, half),), y, label="centred at x"),
        MassNear(u, y, (within,), 2 * y, label="all within δ of x: a length of 2δ"),
        MassNear(u, y, (within, within), 4 * y**2, label="pairs of numbers: an area of 4δ²"),
        On(
            Domain(u > 0, t, y > 0),
            Equal(
                beside - y * u,
                t * y**2 / 2,
                label="off by t y²/2 where the density is u + t s at the distance s, for every y",
            ),
        ),
    ),
    kind="limit",
    locator="Sec 8.1",
    title="Meaning of a density",
    printed=(
        r"\delta\cdot p(x)\text{ is the probability that a random sample drawn from }p\text{ will be in the "
        r"}\delta\text{ neighborhood of }x\text{ for vanishingly small }\delta"
    ),
    judged=imprecise(
        "True of an interval of length δ. The δ-neighbourhood, all numbers within δ of x, has the length 2δ; for "
        "vectors, δ is to be a volume.",
        Tends(around / y, y, 0, u, label="all within δ of x: δ times the density"),
    ),
    remark="Where p is continuous and p(x) > 0.",
)

# -- likelihood of a sample -------------------------------------------------------------------------------------------
unit = Domain(0 < u, u <= 1, 0 < v, v <= 1)
coin = Domain(0 < x, x < 1)

claim(
    "pt-iid-product",
    any_length(TextTotal(TextProduct(world[o], o)), 1, "the samples of T observations make one law", along=draws),
    Domain(simplex(world, n), n >= 2),
    because=(
        On(coin, Always(likelihood([x, x]) < x, label="an observation that repeats the one before: not the product")),
    ),
    locator="Sec 8.1",
    title="The probability of independent observations",
    printed=r"P(\mathbf x\mid p)=\prod_{i=1}^np(x_i)",
    remark="Independence is the paper's own assumption, it is needed, and the product is what it means. Checked is "
    "that the products are the probabilities of a law of samples.",
    expect="definition",
)

claim(
    "pt-likelihood-def",
    any_length(exp(-TextSum(-log(model[o]), o)), TextProduct(model[o], o), "exp(−NLL)", along=draws),
    Domain(simplex(model, n), n >= 2),
    expect="definition",
    kind="convention",
    locator="Sec 8.1",
    title="The likelihood of a law",
    printed=r"\mathcal L(q\mid\mathbf x)=P(\mathbf x\mid q)=\prod_{i=1}^nq(x_i)",
)


def flat_posterior(of):
    """The density of q given the observations, all q having been alike beforehand: their joint density over that of
    the observations.
    """
    return of / integrate(of.expand(), (x, 0, 1))


# The same among k coins of the chances i/k, of which the likelihoods after one success, and after two, add up to:
once, twice = (k + 1) / 2, (k + 1) * (2 * k + 1) / (6 * k)
one_success, mixed = likelihood([x]), likelihood([x, 1 - x])
claim(
    "pt-likelihood-not-posterior",
    Every(
        ForEveryNumber(
            Eq(Sum(i, (i, 1, k)), k * once), k, 1, label="one success: k times the likelihoods of k coins, together"
        ).by(Induction()),
        ForEveryNumber(Eq(Sum(i**2, (i, 1, k)), k**2 * twice), k, 1, label="two successes: k² times these").by(
            Induction()
        ),
        Tends(
            k * likelihood([x]) / once,
            k,
            oo,
            2 * x,
            label="one success, all k alike beforehand: the density of q tends to 2q",
        ),
        Tends(k * likelihood([x, x]) / twice, k, oo, 3 * x**2, label="two successes: it tends to 3q²"),
    ),
    coin,
    because=(
        Equal(flat_posterior(one_success), 2 * x, label="one success, all q alike beforehand: the density of q is 2q"),
        Equal(flat_posterior(mixed), 6 * x * (1 - x), label="one success, one failure: 6q(1 − q)"),
        Equal(
            2 * x * one_success / integrate(2 * x * one_success, (x, 0, 1)),
            3 * x**2,
            label="one success, the prior 2q: the density of q",
        ),
        LocalMaximum(mixed, x, half, label="the likelihood of one success and one failure"),
        LocalMaximum(flat_posterior(mixed), x, half, label="their posterior for a flat prior"),
    ),
    kind="convention",
    depends_on=["pt-likelihood-def"],
    locator="Sec 8.1",
    title="Sums of the likelihoods of k coins of the chances i/k, and the posterior as k grows",
    printed=(
        r"\text{we could also interpret this probability as “Likelihood of }q\text{ being the true state of the world "
        r"given that }\mathbf x\text{ is what we have observed in reality”. … This is often written as }\mathcal L(q|"
        r"\mathbf x)"
    ),
    judged=imprecise(
        "As a word for P(x|q) read as a function of q, yes. As the probability (density) of q given x, no: it "
        "does not integrate to one, and such a density needs a prior.",
        Equal(
            likelihood([x]), flat_posterior(one_success), label="the likelihood is the density of q given one success"
        ),
    ),
)


# Whether each of N observations is of the first kind, 1 or 0: mean p, variance p(1 − p).
of_heads = (Random(r, i, 1, N, mean=p, variance=p * (1 - p)),)
observed_share = Sum(r[i], (i, 1, N)) / N

claim(
    "pt-mle-approximates",
    Every(
        ForRandom(
            Eq(MeanOf(observed_share), p), (Random(r, i, 1, N, mean=p),), label="samples of any size: right on average"
        ),
        ForRandom(Eq(VarianceOf(observed_share), p * (1 - p) / N), of_heads, label="samples of any size: the variance"),
        Tends(p * (1 - p) / N, N, oo, 0, "-", label="the variance vanishes as samples grow"),
    ),
    Domain(0 < p, p < 1, N >= 1),
    kind="modelling",
    depends_on=["pt-sft-minimiser"],
    locator="Sec 8.1",
    title="Mean and variance of the maximum-likelihood law of a coin",
    printed=(
        r"\text{We could now iterate over }q\text{ to maximize this probability and we would be aligning our assumed "
        r"model of the world to what we have really observed and hopefully }q\text{ will be a decent approximation of "
        r"}p"
    ),
    remark=(
        "For the unrestricted q, the shares of the sample (pt-sft-minimiser), and independent observations. Of many "
        "kinds, each has such a share: p stands for the probability of one of them."
    ),
)

# -- numbers ----------------------------------------------------------------------------------------------------------
size = Rational(1, 32000)
share = Domain(0 < p, p < 1)
ten, eleven = likelihood([p] * 10), likelihood([p] * 11)

rounded = Domain(p >= Rational(3125, 10**8), p < Rational(3135, 10**8))
claim(
    "pt-81-rounding",
    Always(Abs(10**5 * p - Rational(313, 100)) <= Rational(1, 200), label="what two decimals of 3.13 stand for"),
    rounded,
    because=(Exists(Eq(32000 * p, 1), {p: size}, label="1/32000 is one of these p"),),
    kind="numeric",
    depends_on=["pt-uniform-32000"],
    locator="Sec 8.1",
    title="1/32000, rounded",
    printed=r"\tfrac1{32000}=3.13\times10^{-5}",
    remark="3.125 × 10⁻⁵ exactly, half-way between 3.12 and 3.13: a half rounded up.",
)

claim(
    "pt-10-tokens-1e-50",
    On(
        share.also(u > 0),
        Exists(
            And(Rational(887, 100) * u**46 < ten, ten < Rational(889, 100) * u**46, ten > 88000 * u**50),
            {p: size, u: Rational(1, 10)},
            label="ten tokens: 8.88 × 10⁻⁴⁶, 88 thousand times 10⁻⁵⁰",
        ),
    ),
    share,
    because=(
        Exists(
            And(ten * 10**46 > Rational(887, 100), ten * 10**46 < Rational(889, 100)),
            {p: size},
            label="ten tokens: 8.88 × 10⁻⁴⁶",
        ),
        Exists(ten * 10**50 > 88000, {p: size}, label="more than 88 thousand times 10⁻⁵⁰"),
        Exists(And(eleven * 10**50 > 2, eleven * 10**50 < 3), {p: size}, label="eleven tokens are around 10⁻⁵⁰"),
    ),
    kind="numeric",
    locator="Sec 8.1",
    title="Ten tokens of probability 1/32000",
    printed=r"\text{if you have a sentence with 10 tokens the multiplying these 10 times puts you around }10^{-50}",
    judged=wrong(
        "8.88 × 10⁻⁴⁶, almost five orders of magnitude above 10⁻⁵⁰.",
        Always(And(ten * 10**50 > Rational(1, 10), ten * 10**50 < 10), label="within a factor of ten of 10⁻⁵⁰"),
        Domain(Eq(p, size)),
    ),
)

# -- minimising the loss of a sample ----------------------------------------------------------------------------------
claim(
    "pt-prob-less-than-1",
    Every(
        On(
            Domain(u > 0),
            Always(
                Equivalent(nll([u]) < 0, u > 1),
                using=(log_sign(u),),
                label="negative exactly where a density exceeds one",
            ),
        ),
        Always(
            Equivalent(nll([u]) > 0, u < 1), using=(log_sign(u),), label="zero for a certain outcome, and for no other"
        ),
    ),
    unit,
    because=(
        On(
            Domain(0 < u, u < 1),
            Always(And(log(u) < 0, nll([u]) > 0), using=(log_sign(u),), label="log negative, NLL positive, below one"),
        ),
        On(
            Domain(0 < v, v < 1),
            Always(
                nll([1 / v]) < 0, using=(log_sign(1 / v),), label="a density: uniform on [0, v], its NLL is negative"
            ),
        ),
    ),
    kind="inequality",
    locator="Sec 8.1",
    title="The sign of the negative log-likelihood",
    printed=r"\text{since probability is always less than 1, the log values will always be negative}",
    judged=wrong(
        "At most 1: a certain outcome has logarithm 0. And for the continuous p of this section q(x) is a "
        "density, which may exceed 1.",
        Every(
            Always(u < 1, label="every probability is below one"),
            On(Domain(0 < v, v < 1), Always(nll([1 / v]) > 0, label="and every NLL is positive")),
        ),
    ),
)

claim(
    "pt-nll-min",
    Every(
        On(
            Domain(simplex(model, n), n >= 2),
            any_length(
                -log(TextProduct(model[o], o)), TextSum(-log(model[o]), o), "any number of observations", along=draws
            ),
        ),
        Always(
            Equivalent(u > v, nll([u]) < nll([v])),
            using=(log_increasing(v, u),),
            label="the larger likelihood is the smaller NLL",
        ),
    ),
    Domain(u > 0, v > 0),
    kind="equivalence",
    depends_on=["pt-log-product-monotone"],
    locator="Sec 8.1",
    title="Maximum likelihood and minimum NLL",
    printed=r"\text{Minimize: }NLL(q\mid\mathbf x)=-\log(\mathcal L(q\mid\mathbf x))=-\sum_{i=1}^n\log(q(x_i))",
)

claim(
    "pt-low-nll",
    On(
        Domain(u > 0, t),
        Always(
            Equivalent(nll([u]) < t, u > exp(-t)),
            using=(log_increasing(exp(-t), u),),
            label="NLL below t: likelihood above e^(−t)",
        ),
    ),
    Domain(t),
    because=(
        Monotone(exp(-t), t, -1, using=(exp_positive(-t),), label="the lower the NLL t, the higher the likelihood"),
    ),
    kind="equivalence",
    depends_on=["pt-nll-min"],
    locator="Sec 8.1, end",
    title="Low NLL, high likelihood, high probability",
    printed=r"\text{Low NLL}\simeq\text{High Likelihood}\simeq\text{High probability}",
    remark=(
        "The probability is that of the observations under q; that of q itself is another matter "
        "(pt-likelihood-not-posterior)."
    ),
)

true, shares = world, other  # p, and what it has on the sample; the model is q
laws = Domain(simplex(model, n), simplex(true, n), simplex(shares, n), n >= 2)


def average(weights, law):
    return cross_entropy(weights, law, answers, o)


def two(weight, chance):
    """The same for two kinds: a coin with this share, or probability, of heads."""
    return cross_entropy(binary(weight), binary(chance), Answers(2), o)


claim(
    "pt-nll-close-to-p",
    Every(
        AtLeast(
            average(shares, true),
            average(shares, shares),
            (Eq(shares[o], true[o]),),
            label="on the sample the true law is not below the minimum, that of the shares",
        ).by(Gibbs((Divergence(shares[o], true[o], o, 1, n),))),
        AtLeast(
            average(true, model),
            average(true, true),
            (Eq(true[o], model[o]),),
            label="in expectation no model is below the true law",
        ).by(Gibbs((Divergence(true[o], model[o], o, 1, n),))),
    ),
    laws,
    because=(
        Equal(
            average(shares, true) - average(shares, shares),
            Sum(-shares[o] * log(true[o] / shares[o]), (o, 1, n)),
            label="on the sample: by how much the true law lies above",
        ),
        Equal(
            average(true, model) - average(true, true),
            Sum(-true[o] * log(model[o] / true[o]), (o, 1, n)),
            label="in expectation: by how much a model lies above",
        ),
        On(
            Domain(0 < p, p < 1),
            Equal(
                two(half, p),
                two(half, 1 - p),
                label="a sample with half of each value: the coins p and 1 − p have the same NLL",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["pt-sft-minimiser"],
    locator="Sec 8.1",
    title="The NLL of the model against that of the true law",
    printed=(
        r"\text{The goal is to get the NLL of }q\text{ down as close as possible to the NLL of true "
        r"distribution, }p"
    ),
    judged=imprecise(
        "The expected NLL is bounded below by that of p. That of the sample is not: its minimum lies strictly below "
        "NLL(p), unless the sample has exactly the law p.",
        On(
            Domain(0 < t, t < 1, 0 < p, p < 1, 0 < x, x < 1),
            Always(two(t, x) >= two(t, p), label="no model has a lower NLL on a sample than the true law"),
        ),
    ),
)

fit = Domain(0 < t, t < 1, 0 < p, p < 1)  # the share of heads in the sample, and their true probability
claim(
    "pt-q-general-overfitting",
    Every(
        OnlyMaximum(two(t, x), x, t, sense=-1, label="no other coin has an NLL as low on the sample"),
        Tends(nll([x]), x, 1, 0, "-", label="one observation, any coin allowed: the NLL falls to zero"),
        Tends(
            two(half, x),
            x,
            1,
            oo,
            "-",
            label="while the expected NLL of that model on a fair coin grows beyond all bounds",
        ),
    ),
    fit.also(0 < x, x < 1),
    because=(
        Equal(
            two(t, x) - two(t, t),
            -t * log(x / t) - (1 - t) * log((1 - x) / (1 - t)),
            label="by how much a coin's NLL on the sample exceeds that of the freest, x = t",
        ),
        Equal(two(p, half), log(2), label="only the fair coin allowed: log 2, on the sample and in expectation"),
        Exists(
            And(two(p, t) > two(p, half), two(t, t) < two(t, half)),
            {t: Rational(9, 10), p: half, x: half},
            label="freer, better on the sample, worse in truth",
        ),
        Exists(
            two(p, t) < two(p, half),
            {t: Rational(4, 5), p: Rational(9, 10), x: half},
            label="too narrow a class has another fault: it misses the truth",
        ),
    ),
    kind="modelling",
    depends_on=["pt-nll-close-to-p"],
    locator="Sec 8.1",
    title="Overfitting a coin: its NLL on a sample, on one observation and in expectation",
    printed=(
        r"\text{We must keep the specification of }q\text{ sufficiently general, otherwise we risk overfitting "
        r"to the observed sample while driving down the NLL}"
    ),
    judged=imprecise(
        "It holds if general means not tailored to the sample. Of how far q may adapt to it the reverse holds: the "
        "more freedom, the lower the NLL on the sample and the larger the risk of overfitting. What a narrow class "
        "risks is to miss p.",
        Always(
            two(p, half) - two(t, half) >= two(p, t) - two(t, t),
            label="in expectation the narrow model is further above its NLL on the sample than the fitted general one",
        ),
        fit,
    ),
)
