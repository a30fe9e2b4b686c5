"""KL divergence: what a model costs beyond entropy, which way round, and what it is not.

Statement.   D(p‖q) = H(p, q) − H(p) = Σ p log(p/q) is the extra expected NLL of the model q, so minimising it or the
             cross entropy over q is the same. It is infinite where q misses what p does; reversed, D(q‖p), where q does
             what p never does.
Source.      Patel (2025), Appendix 8.4; Section 4.5, equation (8); Section 4.7 for the asymmetry.
Domain.      Laws on n values with full support, n symbolic; two or three values where it is said.
Derivation.  From entropy and cross entropy as expectations of an NLL; limits of single terms and of whole divergences
             of two values; one family of laws on three values, where the two directions choose differently.
Caveats.     No distance, for it is not symmetric (pt-kl-asymmetric). If the model can be p itself both directions
             choose p (pt-kl-distance).
Letters.     p(o) and q(o) are two laws, π̃(o) a second model. x and y are probabilities under p and q, t is y − x, and
             z a law that is more focused than x. In pt-mode-covering-seeking x is the chance of the binomial model q;
             in its reading p is (x, 1 − x), and q is (y, 1 − y) or, more focused, (z, 1 − z).
"""

from grpo_symbolic.paper import *

from .trees import any_length, count, draws, mean, next_token_kl

claim = Result(__file__).claim

values, pair_of = Answers(n), Answers(2)
laws = Domain(simplex(world, n), simplex(model, n), n >= 2)
pair = Domain(0 < x, x < 1, 0 < y, y < 1)
CE, H, KL = cross_entropy(world, model, values, o), entropy(world, values, o), kl(world, model, values, o)
two = kl(binary(x), binary(y), pair_of, o)


def put(expression, family, law):
    """Another law in place of a family."""
    return expression.replace(lambda e: e.is_Indexed and e.base == family, lambda e: law[e.indices])


# -- definition ------------------------------------------------------------------------------------------------------
d = Derivation("pt-kl", laws)
difference = d.start(CE - H, "cross entropy minus entropy")
d.rewrite(
    difference, -Sum(world[o] * log(model[o]), (o, 1, n)) + Sum(world[o] * log(world[o]), (o, 1, n)), "both written out"
)
d.rewrite(difference, KL, "one logarithm for each value")

claim(
    "pt-kl-ce-minus-entropy",
    Equal(CE - H, Sum(world[o] * log(world[o] / model[o]), (o, 1, n)), label="cross entropy minus entropy"),
    laws,
    because=(Equal(CE, H + KL, label="what q costs is what p costs and KL more"),),
    by=d,
    depends_on=["pt-cross-entropy-def"],
    locator="Sec 8.4, first display",
    title="KL divergence as cross entropy minus entropy",
    printed=(
        r"D_{KL}(p\|q)=\Big(-\sum_xp(x)\log(q(x))\Big)-\Big(-\sum_xp(x)\log(p(x))\Big);\quad D_{KL}(p\|q)=\sum_xp(x)"
        r"\log\Big(\frac{p(x)}{q(x)}\Big)"
    ),
)

extra = expected(world, lambda a: -log(model[a]) + log(world[a]), values, o)
claim(
    "pt-kl-extra-nll",
    Equal(extra, KL, label="one observation"),
    laws,
    because=(
        any_length(
            mean(TextSum(-log(model[o]) + log(world[o]), o), world),
            mean(count * next_token_kl(world, model), world),
            "T observations: T times as much",
            along=draws,
        ),
    ),
    depends_on=["pt-gibbs", "pt-kl-ce-minus-entropy"],
    locator="Sec 8.4",
    title="KL divergence as the extra expected NLL of the model",
    printed=(
        r"\text{KL divergence is a measure of how much extra we are paying (in terms of NLL) by assuming the world "
        r"behaves like }q\text{ when the true distribution is }p"
    ),
    remark=(
        "Expected: on a sample the extra may be negative (pt-gibbs-follows). Never negative in expectation by pt-gibbs."
    ),
)

two_models = laws.also(simplex(other, n))
claim(
    "pt-min-ce-min-kl",
    Always(
        Equivalent(CE <= put(CE, model, other), KL <= put(KL, model, other)),
        label="so each of two models is the better one by both or by neither, in any class",
    ).by(SameOrder(CE <= put(CE, model, other))),
    two_models,
    because=(
        Equal(CE - put(CE, model, other), KL - put(KL, model, other), label="two models differ by the same in both"),
        Equal(partial(CE, model[o]), partial(KL, model[o]), label="the gradients in q are the same"),
        Equal(partial(H, model[o]), 0, label="the gradient of the entropy of p, which does not contain q"),
        Equal(identify(KL, model, world), 0, label="the least value, at q = p, is 0"),
    ),
    kind="equivalence",
    depends_on=["pt-gibbs", "pt-kl-ce-minus-entropy"],
    locator="Sec 8.4",
    title="Minimising cross entropy and minimising KL divergence",
    printed=(
        r"\text{Since entropy of the system is fixed, minimizing cross entropy is the same thing as minimizing "
        r"KL divergence}"
    ),
    remark="Over any class of models; over all of them both are least at q = p alone, by pt-gibbs.",
)

claim(
    "pt-eq8-kl",
    Equal(
        cross_entropy(old, pi, values, o) - entropy(old, values, o),
        Sum(old[o] * log(old[o] / pi[o]), (o, 1, n)),
        label="cross entropy of M_1 under M_0 minus the entropy of M_0",
    ),
    Domain(simplex(pi, n), simplex(old, n), n >= 2),
    because=(
        Equal(
            forward_kl(pi, old, values, o),
            Sum(old[o] * log(old[o] / pi[o]), (o, 1, n)),
            label="KL(π_0‖π_1), where M_0 draws and M_1 is the model",
        ),
        Equal(partial(forward_kl(pi, old, values, o), pi[o]), -old[o] / pi[o], label="the slope of KL(π_0‖π_1) in π_1"),
    ),
    depends_on=["pt-kl-ce-minus-entropy"],
    locator="Sec 4.5, (8)",
    title="The KL divergence between two models at one state",
    printed=(
        r"D_{KL}(\pi_0(\cdot|\vec s_t)\|\pi_1(\cdot|\vec s_t))=\sum_{a_t}\pi_0(a_t|\vec "
        r"s_t)\log\Big(\frac{\pi_0(a_t|\vec s_t)}{\pi_1(a_t|\vec s_t)}\Big)"
    ),
    remark=(
        "π_0 is π_old here and π_1 is π, over the n tokens of the vocabulary; a softmax gives each of them a "
        "positive probability."
    ),
)


# -- how far ----------------------------------------------------------------------------------------------------------
def gap(true, modelled):
    """What one value adds to D(p‖q) beyond p − q."""
    return -true * log(modelled / true) - true + modelled


claim(
    "pt-kl-distance",
    AtLeast(KL, 0, (Eq(world[o], model[o]),), label="positive, unless q = p").by(
        Gibbs((Divergence(world[o], model[o], o, 1, n),))
    ),
    laws,
    kind="inequality",
    depends_on=["pt-gibbs"],
    locator="Sec 4.5; Sec 8.4",
    title="Sign and zeros of the KL divergence",
    printed=r"\text{KL divergence is a measure of how far a distribution }q\text{ is from the real distribution }p",
    remark="“A measure of how far” is read so: zero for q = p only. It is not symmetric (pt-kl-asymmetric).",
)

back = kl(binary(y), binary(x), pair_of, o)
there, return_ = two.subs(y, x + t), back.subs(y, x + t)  # p = (x, 1 − x) and q = (x + t, 1 − x − t)


def at_zero(expression, order):
    """A derivative in t at t = 0."""
    return diff(expression, t, order).subs(t, 0)


claim(
    "pt-kl-asymmetric",
    On(pair, Exists(Ne(two, back), {x: Rational(1, 2), y: Rational(1, 4)}, label="a coin and a biased coin")),
    Domain(0 < x, x < 1),
    because=(
        On(pair, Exists(two > back, {x: Rational(1, 4), y: Rational(1, 10)}, label="D(p‖q) can be the larger one")),
        On(pair, Exists(two < back, {x: Rational(1, 10), y: Rational(1, 4)}, label="D(p‖q) can be the smaller one")),
        Equal(
            kl(binary(x), binary(1 - x), pair_of, o),
            kl(binary(1 - x), binary(x), pair_of, o),
            label="both divergences of mirrored laws",
        ),
        Equal(at_zero(there, 2), 1 / (x * (1 - x)), label="near laws: the second derivative of D(p‖q) in t, at t = 0"),
        Equal(at_zero(return_, 2), 1 / (x * (1 - x)), label="near laws: the second derivative of D(q‖p), the same"),
        Equal(
            at_zero(there, 3) - at_zero(return_, 3),
            (2 * x - 1) / (x * (1 - x)) ** 2,
            label="the third derivatives differ, except at x = ½",
        ),
    ),
    kind="inequality",
    locator="Sec 8.4; Sec 4.7",
    title="KL divergence in its two directions: two values, and to third order",
    printed=r"\text{the two are not the same as KL divergence is not symmetric}",
    remark="In general: there are exceptions, such as laws on two values that mirror one another.",
)

# -- the two directions -----------------------------------------------------------------------------------------------
term = x * log(x / y)
# One value with the probabilities x under p and y under q, and n others.
one_value = Domain(simplex(world, n, 1 - x), simplex(model, n, 1 - y), n >= 1).also(*pair.constraints)
claim(
    "pt-forward-kl-heavy",
    Every(
        On(
            one_value,
            AtLeast(
                x * log(x / y) + values.total(lambda a: world[a] * log(world[a] / model[a]), o),
                gap(x, y),
                label="any number of values: D(p‖q) is at least x log(x/y) − x + y, of one value",
            ).by(
                TermByTerm(
                    (values.total(lambda a: gap(world[a], model[a]), o),),
                    using=(log_below_tangent(model[o] / world[o]),),
                )
            ),
        ),
        Tends(gap(x, y), y, 0, oo, label="this grows beyond all bounds as q leaves that value"),
    ),
    pair,
    because=(
        Tends(term, y, 0, oo, label="the term of a value of probability x under p"),
        Equal(gap(x, y), term - x + y, label="the bound of D(p‖q) is this term plus y − x, which is less than 1"),
        Equal(diff(term, y), -x / y, label="the slope of the term in y, which is minus the ratio p/q"),
    ),
    kind="limit",
    depends_on=["pt-gibbs"],
    locator="Sec 8.4",
    title="Limit of D(p‖q) as q leaves a value of p",
    printed=(
        r"\text{KL divergence will heavily penalize situations where the distribution }q\text{ assigns a very low "
        r"probability to common events on the real distribution }p\text{ (since }q(x)\text{ will go to zero, making "
        r"the term go to infinity)}"
    ),
    remark="For any finite number of values: D(p‖q) is at least x log(x/y) − x + y, of the one value.",
)

claim(
    "pt-forward-kl-off-support",
    Every(
        Tends(term, x, 0, 0, label="the term goes to zero, q(x) = y held fixed"),
        Tends(two, x, 0, -log(1 - y), label="the whole divergence of two values stays finite"),
    ),
    pair,
    because=(
        Always(
            -log(1 - y) > 0,
            using=(log_sign(1 - y),),
            label="the limit −log(1 − y) is positive: the other value pays for what q wastes",
        ),
        Tends(two, y, 0, oo, label="the opposite mistake is penalised without bound"),
    ),
    kind="limit",
    depends_on=["pt-forward-kl-heavy"],
    locator="Sec 8.4",
    title="Cost of what q spends on a value unlikely under p: the term of that value, and the whole divergence of two "
    "values",
    printed=(
        r"\text{KL divergence does not penalize nearly as much if }q\text{ also assigns some probability to parts of "
        r"distribution that are highly unlikely in the true distribution }p\text{ since the term simply goes to zero}"
    ),
    remark=(
        "The term goes to zero, the divergence does not: with two values it tends to −log(1 − y), which is the term of "
        "the other value."
    ),
)

claim(
    "pt-reverse-kl",
    Equal(
        cross_entropy(model, world, values, o) - entropy(model, values, o),
        Sum(model[o] * log(model[o] / world[o]), (o, 1, n)),
        label="cross entropy of p under q minus the entropy of q, which is not fixed",
    ),
    laws,
    because=(
        Equal(
            forward_kl(world, model, values, o),
            Sum(model[o] * log(model[o] / world[o]), (o, 1, n)),
            label="the definition of D(q‖p)",
        ),
    ),
    depends_on=["pt-kl-ce-minus-entropy"],
    locator="Sec 8.4, second display",
    title="Reverse KL",
    printed=r"D_{KL}(q\|p)=\sum_xq(x)\log\Big(\frac{q(x)}{p(x)}\Big)",
    remark="Which of the two is called reverse depends on who fits: here q is the model, and D(p‖q) the forward one.",
)

claim(
    "pt-reverse-kl-heavy",
    Every(
        On(
            one_value,
            AtLeast(
                y * log(y / x) + values.total(lambda a: model[a] * log(model[a] / world[a]), o),
                gap(y, x),
                label="any number of values: D(q‖p) is at least y log(y/x) − y + x, of one value",
            ).by(
                TermByTerm(
                    (values.total(lambda a: gap(model[a], world[a]), o),),
                    using=(log_below_tangent(world[o] / model[o]),),
                )
            ),
        ),
        Tends(gap(y, x), x, 0, oo, label="this grows beyond all bounds as p leaves that value"),
    ),
    pair,
    because=(
        Tends(y * log(y / x), x, 0, oo, label="the term of a value to which q gives the probability y"),
        Tends(back, x, 0, oo, label="the whole divergence of two values"),
        Tends(back, y, 0, -log(1 - x), label="leaving a value that p has costs q a finite amount"),
    ),
    kind="limit",
    depends_on=["pt-reverse-kl", "pt-gibbs"],
    locator="Sec 8.4",
    title="Limit of D(q‖p) as p leaves a value of q",
    printed=(
        r"\text{the formulation penalizes }q\text{ heavily for assigning probability to events that are highly "
        r"unlikely under }p\text{ (since }p(x)\text{ goes to zero)}"
    ),
)

ratio_of = {
    "log": lambda a: log(model[a] / world[a]),
    "weighted": lambda a: world[a] / model[a] * log(world[a] / model[a]),
}
claim(
    "pt-sampling-from-q",
    Every(
        Equal(
            expected(model, lambda a: log(model[a]) - log(world[a]), values, o),
            forward_kl(world, model, values, o),
            label="the mean of log q − log p on samples of q is D(q‖p)",
        ),
        Equal(
            values.total(lambda a: Mul(model[a], ratio_of["weighted"](a), evaluate=False), o),
            KL,
            label="with weights p/q the mean of log(p/q) is D(p‖q)",
        ),
    ),
    laws,
    because=(
        Equal(
            expected(model, ratio_of["log"], values, o),
            forward_kl(world, model, values, o),
            label="the mean of log(q/p) on samples of q is D(q‖p)",
        ),
        Equal(
            expected(model, ratio_of["weighted"], values, o), KL, label="with the weights p/q, which cancel q: D(p‖q)"
        ),
        Equal(
            expected(model, lambda a: log(world[a] / model[a]), values, o),
            -forward_kl(world, model, values, o),
            label="the mean of log(p/q) without weights is −D(q‖p)",
        ),
    ),
    kind="modelling",
    depends_on=["pt-reverse-kl", "pt-eq18-importance-sampling"],
    locator="Sec 8.4",
    title="Estimators of D(q‖p) and of D(p‖q) from samples of q",
    printed=(
        r"\text{you find yourself sampling from distribution }q\text{ rather than }p\text{ and you still would like to "
        r"have a measure of distance of the two distributions }p\text{ and }q\text{. In such cases, you use KL "
        r"divergence with the roles of }p\text{ and }q\text{ flipped}"
    ),
    remark=(
        "The flipped divergence is what the plain mean over samples of q estimates; it is in general another number "
        "than D(p‖q) (pt-kl-asymmetric). Importance weights estimate the unflipped one from samples of q as well."
    ),
)

# Two modes with a rare value between them; the models are those of two independent draws of chance x, which have one
# mode.
rare = Rational(1, 100)
modes = ((1 - rare) / 2, rare, (1 - rare) / 2)
one_mode = ((1 - x) ** 2, 2 * x * (1 - x), x**2)
triple = Answers(3)
forward, backward = kl(modes, one_mode, triple, o), kl(one_mode, modes, triple, o)
claim(
    "pt-mode-covering-seeking",
    Every(
        OnlyMaximum(
            forward,
            x,
            Rational(1, 2),
            sense=-1,
            label="D(p‖q) is least where q gives both modes the same",
        ),
        LocalMaximum(backward, x, Rational(1, 2), label="D(q‖p) has a strict local maximum there"),
    ),
    Domain(0 < x, x < 1),
    because=(
        Equal(
            diff(forward, x),
            2 * (x - Rational(1, 2)) / (x * (1 - x)),
            label="D(p‖q) falls before x = ½ and rises after",
        ),
        On(
            Domain(x >= Rational(1, 4), x <= Rational(3, 4)),
            Always(
                backward > backward.subs(x, Rational(1, 50)),
                label="D(q‖p) is less with 96 % of q on one mode than anywhere in the middle",
            ),
        ),
        Equal(backward, backward.subs(x, 1 - x), label="D(q‖p) at x and at 1 − x, so that either mode will do"),
    ),
    kind="modelling",
    depends_on=["pt-forward-kl-heavy", "pt-reverse-kl-heavy", "pt-gibbs"],
    locator="Sec 8.4",
    title="Covering and seeking modes: a law of two modes and binomial models",
    printed=(
        r"\text{This can cause }q\text{ to distribute probability across the possibilities and explore more. … This "
        r"has the opposite effect of making }q\text{ focus on known areas in }p"
    ),
    judged=needs_hypothesis(
        "“Can cause” asks for an example, and the one here is one. “Has the opposite effect” needs that the models "
        "cannot be p, as those of Section 8.1 (“a simpler model of the world”), and are such as those of the example. "
        "Where q may be any law both directions are least at q = p, and neither makes q more focused or more spread "
        "than p. What is read, on two values: where D(p‖q) has the less focused of two laws for the nearer one, "
        "D(q‖p) has the more focused.",
        Always(
            Implies(
                kl(binary(x), binary(y), pair_of, o) <= kl(binary(x), binary(z), pair_of, o),
                kl(binary(z), binary(x), pair_of, o) <= kl(binary(y), binary(x), pair_of, o),
            ),
            label="where D(p‖q) has the less focused of two laws for the nearer one, D(q‖p) has the more focused",
        ),
        Domain(x > Rational(1, 2), x < 1, y > Rational(1, 2), y < z, z < 1),
    ),
    remark=(
        "An example, certified: p = (0.495, 0.01, 0.495), q a binomial law of two draws of chance x; first "
        "D(p‖q), then D(q‖p). How a class behaves "
        "depends on it."
    ),
)
