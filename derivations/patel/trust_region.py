"""Trust regions: the divergence as penalty (9) and as constraint (10), in one state and in several.

Statement.   The penalty is zero with zero slope at the sampling policy and positive elsewhere. In one state the
             penalised solution solves the constrained problem with its own divergence as δ, and with two tokens every
             δ > 0 belongs to one β; two states with the same δ and unlike advantages need two multipliers.
Source.      Patel (2025), Section 4.5, equations (9), (10) and the list of symbols before (10).
Domain.      Policies with full support: any vocabulary and length by induction over the tokens; one state with two
             tokens for exact solutions; token trees for the slope and the curvature of the penalty.
Derivation.  Penalised objective of one state → its stationary policy → Lagrangian inequality → the divergence as a
             function of β → two states.
Caveats.     Tabular policies: nothing is said of parameters that states share.
Letters.     x and y are what π_1 and π_0 give to one of two tokens, A is by how much its advantage is the larger. In
             pt-eq10-constraint-vs-penalty s is a bound δ, t and u are the gains of two policies, z and v their
             divergences, and α is the A of another state. In the first part of pt-eq10-average-constraint u and s are
             the gains, v and z the divergences of any policies in two states, t and c, χ and ψ those of the solution;
             then q and α are the second state's π_0 and A, and ζ is a bound of a sum. In pt-eq10-relaxation u, v and
             the N numbers r(i) are divergences and t is δ. Over any vocabulary π and π_old are π_1 and π_0, π̃ is
             another policy, r(o) and W(o) are advantage and worth of a token. π₁(…), π₀(…), ż, R(…), V(…) and B are as
             in trees.py: two models, rates of logits, rewards of texts, baselines. M_1 and M_0 are the models of which
             π_1 and π_0 are the probabilities.
"""

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.substitution import substituted

from .trees import (
    any_length,
    at_states,
    mean,
    next_token_kl,
    on_trees,
    one_model,
    reward,
    text_ratio,
    texts,
    two_models,
    value_slope,
)

claim = Result(__file__).claim

two = Domain(0 < x, x < 1, 0 < y, y < 1)

# -- the penalty ------------------------------------------------------------------------------------------------------
# KL(π_0‖π_1) of one state with two tokens, x = π_1(a), y = π_0(a)
distance = forward_kl(binary(x), binary(y), Answers(2), o)


def penalty(new, start):
    """The divergence of (9), averaged over the states that texts of M_0 pass through."""
    return visited_kl(start, start, new)


claim(
    "pt-eq9-penalises",
    Every(
        AtLeast(
            next_token_kl(old, pi),
            0,
            (Eq(old[o_], pi[o_]),),
            label="in every state, zero only if the models agree there",
        ).by(Gibbs((Divergence(old[o_], pi[o_], o_, 1, n),))),
        any_length(
            mean(-log(text_ratio), old),
            mean(TextSum(next_token_kl(old, pi), o), old),
            "the divergence of whole texts is the expected sum of those of the states on the way, any length",
            of_each=((log(text_ratio), TextSum(log(pi[o] / old[o]), o)),),
        ),
    ),
    two_models,
    because=(
        *on_trees(
            lambda new, start: Equal(
                new.gradient(penalty(new, start), direction).xreplace(start.identified_with(new)),
                0,
                label="the divergence of whole texts has no slope at M_1 = M_0",
            ),
            sizes=((2, 2),),
        ),
        *on_trees(
            lambda new, start: Equal(
                new.gradient(new.gradient(penalty(new, start), direction), direction).xreplace(
                    start.identified_with(new)
                ),
                sum(
                    new.reaches((*s, a)) * new.score(a, s, direction) ** 2
                    for s in new.tree.states()
                    for a in new.tree.tokens
                ),
                label="its curvature at M_1 = M_0 is the Fisher information",
            ),
            sizes=((2, 2),),
        ),
    ),
    depends_on=["pt-gibbs", "pt-eq8-kl"],
    kind="inequality",
    locator="Sec 4.5, (9)",
    title="The penalty of (9): sign and zeros in a state, and the sum over the tokens of a text",
    printed=(
        r"\text{add this term as a penalty to the loss function which will cause the optimization to penalize "
        r"movements far away from the starting distribution. … TRPO Loss}=-\frac1S\sum_{i=1}^S\sum_{t=1}^T\frac{"
        r"\pi_1(a_{it}|\vec s_{it})}{\pi_0(a_{it}|\vec s_{it})}A_1(a_{it},\vec s_{it})+\beta\cdot D_{KL}(\pi_0(\cdot|"
        r"\vec s_t)\|\pi_1(\cdot|\vec s_t))"
    ),
    judged=misprint(
        "In the copy that was read the divergence stands outside the sums, with an s_t that nothing binds. Two "
        "readings make sense, inside the sums or averaged over all tokens; for texts of T tokens they differ by the "
        "factor T, that is by β. The divergence of one state alone lets all other states move freely.",
        Every(*on_trees(lambda new, start: Equal(penalty(new, start), state_kl(start, new, ())), sizes=((2, 2),))),
    ),
)

# A token's part of (9), the divergence inside the sums: of its state, and as the drawn token has it on average.
surrogate = (whole_reward - level) * pi[o] / old[o]
part, part_as_drawn = beta * next_token_kl(old, pi) - surrogate, beta * log(old[o] / pi[o]) - surrogate
part_slope = texts.rate(part_as_drawn)
claim(
    "pt-eq9-trpo-slope",
    Every(
        any_length(
            mean(TextSum(part, o), old),
            mean(TextSum(part_as_drawn, o), old),
            "the divergence of each state, by the token that is drawn there",
        ),
        any_length(mean(Gradient(TextSum(part_as_drawn, o)), old), mean(TextSum(part_slope, o), old), "at every M_1"),
        any_length(mean(TextSum(expand(part_slope.xreplace({old: pi}), func=False), o)), -value_slope, "at M_1 = M_0"),
    ),
    two_models.also(beta > 0),
    depends_on=["pt-eq9-penalises", "pt-eq7-IS-unbiased"],
    locator="Sec 4.5, (9)",
    title="Slope of (9) at the sampling policy",
    short="at M_1 = M_0",
    remark="With the divergence of each token's state inside the sums.",
)

claim(
    "pt-default-action",
    On(
        one_model,
        at_states(
            Here(mean(whole_reward)),
            Sum(pi[o] * Ahead(mean(whole_reward)), (o, 1, n)),
            "any vocabulary and length: V is the mean of Q over the tokens",
        ),
    ),
    two,
    because=(
        On(
            Domain(n >= 2, simplex(pi, n), reals(onward, n)),
            Equal(
                onward[o] - Sum(pi[o_] * onward[o_], (o_, 1, n)),
                Sum(pi[o_] * (onward[o] - onward[o_]), (o_, 1, n)),
                label="so Q − V compares with a token drawn from the policy",
            ),
        ),
    ),
    depends_on=["pt-eq4-advantage"],
    kind="convention",
    locator="Sec 4.5, list of symbols",
    title="V as the average of Q over the tokens of the policy",
    printed=(
        r"A_M(a_t,\vec s_t)=\text{Advantage of playing }a_t\text{ in state }\vec s_t\text{ instead of the "
        r"default action in }M"
    ),
    judged=imprecise(
        "There is no default action: the comparison is with a token drawn from M. Against one fixed token, the "
        "most likely one say, the difference of action values is another number.",
        Every(
            *on_trees(
                lambda new, start: Equal(
                    new.action_value(reward, 1, ()) - new.value(reward),
                    new.action_value(reward, 1, ()) - new.action_value(reward, 2, ()),
                ),
                sizes=((2, 1),),
            )
        ),
    ),
)

# -- penalty and constraint, one state --------------------------------------------------------------------------------
# Tokens of M_0 weighed by the ratio: the advantages enter as x A_a + (1 − x) A_b, so only their difference A > 0
# matters.
one_state = two.also(beta > 0, A > 0)
d = Derivation("pt-eq10-penalised", one_state)
J = d.start(x * A - beta * distance, "what the penalised loss (9) maximises in one state, up to a constant")
slope = d.differentiate(J, x, "M_0, and so y and A, are held fixed")
equation = d.rewrite(slope, A - beta * (x - y) / (x * (1 - x)), "the divergence falls towards y with this slope")
Q = d.clear_denominators(equation, -x * (1 - x) / A, x)
penalised = d.solve(Q, x, inside=(0, 1), note="the root in (0, 1)")

claim(
    "pt-eq10-penalised-solution",
    On(one_state, OnlyMaximum(J, x, penalised, label="the maximum, and the only one")),
    Domain(0 < y, y < 1, beta > 0, A > 0),
    because=(
        Equal(
            penalised,
            (1 - beta / A + sqrt((1 - beta / A) ** 2 + 4 * y * beta / A)) / 2,
            label="the solution, by β/A",
        ),
        On(one_state, Curved(J, x, -1, label="the penalised objective is strictly concave")),
    ),
    by=d,
    depends_on=["pt-eq9-penalises"],
    locator="Sec 4.5, (9)",
    title="One state, two tokens: the solution of the penalised problem",
    remark=(
        "The formula is (14) of Vojnovic & Yun (vy-eq14) with the advantage for the margin and M_0 for the "
        "reference: there it is stationary for its own groups, here it is the maximum."
    ),
)

# The β that leads to x, and the divergence spent on the way there.
price = A * x * (1 - x) / (x - y)
beyond = Domain(0 < y, y < x, x < 1, A > 0)
claim(
    "pt-eq10-constraint-vs-penalty",
    Every(
        On(
            beyond.also(beta),
            Always(
                Equivalent(Eq(diff(J, x), 0), Eq(beta, price)),
                label="x is the penalised solution for β = A x(1 − x)/(x − y), and for no other",
            ),
        ),
        On(
            Domain(0 < y, y < 1, s > 0),
            OneRoot(distance, x, y, 1, s, label="and every bound δ > 0, written s, is reached").by(
                StrictlyMonotone(1, (0, oo))
            ),
        ),
    ),
    beyond,
    because=(
        On(beyond, Equal(diff(J, x).subs(beta, price), 0, label="the slope of the penalised form at this β")),
        On(
            Domain(u - beta * v <= t - beta * z, v <= z, beta > 0, t, u),
            Always(u <= t, label="what maximises the penalised form is best among all that are no farther"),
        ),
        On(beyond, Monotone(price, x, -1, label="one β for each x")),
        On(
            beyond.also(alpha > 0),
            Always(
                Equivalent(Eq(price, price.subs(A, alpha)), Eq(A, alpha)),
                label="two states that differ in their advantage, A and α: the same x, and two values of β",
            ),
        ),
        On(beyond, Monotone(distance, x, 1, label="one δ for each x")),
    ),
    depends_on=["pt-eq10-penalised-solution"],
    kind="equivalence",
    locator="Sec 4.5, (9)–(10)",
    title="Penalty and constraint in one state of two tokens",
    printed=(
        r"\text{subject to constraint: }D_{KL}(\pi_0(\cdot|\vec s_{it})\|\pi_1(\cdot|\vec s_{it}))"
        r"\le\delta\quad\forall i,t\text{, for some }\delta"
    ),
    remark=(
        "The paper puts (10) in the place of (9), and does not say that one β does what one δ does. It does so in one "
        "state. With the same δ in two states that differ in nothing but their advantage, the constraints bind at the "
        "same x and ask for two values of β, as a step shows. Of parameters that states share nothing is said."
    ),
)

# Any vocabulary: π_0 is old, π_1 is pi, another policy is other, the advantages of M_0 are r.
vocabulary = Answers(n)


def penalised_value(policy):
    """What (9) maximises in one state: the ratio loss's expectation minus β times the divergence."""
    return Sum(old[o] * (policy[o] / old[o]) * r[o], (o, 1, n)) - beta * forward_kl(policy, old, vocabulary, o)


advantages_of_solution = lam - beta * old[o] / pi[o]
stationary = partial(lagrangian(penalised_value(pi), pi, n, lam, None, o_), pi[o])
lost = penalised_value(pi) - penalised_value(other)
all_tokens = Domain(n >= 2, beta > 0, lam, simplex(old, n), simplex(pi, n), simplex(other, n), reals(r, n))
loss_by_token = Sum(old[o] * (other[o] / pi[o] - 1 - log(other[o] / pi[o])), (o, 1, n))


def at_solution(policy):
    """What (9) maximises in one state, for the advantages of which π_1 is the solution."""
    return substituted(penalised_value(policy), {r[o]: advantages_of_solution})


tangent = (log_below_tangent(other[o] / pi[o]), log_sign(other[o] / pi[o]))
claim(
    "pt-eq10-any-vocabulary",
    AtLeast(
        at_solution(pi),
        at_solution(other),
        (Eq(pi[o], other[o]),),
        label="so it is the global maximum, and the only one",
    ).by(TermByTerm((Sum(beta * loss_by_token.function, (o, 1, n)),), using=tangent)),
    all_tokens,
    because=(
        On(
            all_tokens,
            Equal(
                stationary,
                r[o] - lam + beta * old[o] / pi[o],
                label="stationary: π_1 = β π_0/(λ − r), any number of tokens",
            ),
        ),
        Equal(
            lost - Sum((pi[o] - other[o]) * (r[o] - advantages_of_solution), (o, 1, n)),
            beta * loss_by_token,
            label="where that holds another policy loses this much",
        ),
    ),
    depends_on=["pt-eq10-penalised-solution"],
    kind="optimality",
    locator="Sec 4.5, (9)–(10)",
    title="One state, any vocabulary: the solution of the penalised problem",
    remark=(
        "The advantages r are λ − β π_0/π_1, so π_1 = β π_0/(λ − r): λ is a number above all of them at which the "
        "probabilities add up to one. By pt-eq10-constraint-vs-penalty this policy also solves the "
        "constrained problem with its own divergence as δ."
    ),
)

# Two states: gains u and s, divergences v and z of any policies; t, chi and scale, psi those of the solution of the
# penalised problem.
spent = distance.subs(x, penalised)  # the divergence of the penalised solution in one state
in_other = {y: q, A: alpha}  # π_0(a) and the advantage in the second state
falls = diff(spent, beta)
falling = Domain(v < 0, s < 0)
both_fall = InLetters(
    Always(v + s < 0, label="a sum of negative slopes"), falling, {v: falls, s: falls.subs(in_other, simultaneous=True)}
)
claim(
    "pt-eq10-average-constraint",
    Every(
        On(
            Domain(
                beta > 0,
                u,
                v,
                s,
                z,
                t,
                chi,
                scale,
                psi,
                u - beta * v <= t - beta * chi,
                s - beta * z <= scale - beta * psi,
                v + z <= chi + psi,
            ),
            Always(
                u + s <= t + scale, label="one β for both states: best among all whose divergences have no larger sum"
            ),
        ),
        On(
            Domain(0 < y, y < 1, A > 0, 0 < q, q < 1, alpha > 0, zeta > 0),
            OneRoot(
                spent + spent.subs(in_other, simultaneous=True),
                beta,
                0,
                oo,
                zeta,
                label="every bound on the sum of the divergences of two states is spent at one β",
            ).by(StrictlyMonotone(-1, (oo, 0), shape=SignOfDerivative(sign=both_fall))),
        ),
    ),
    Domain(0 < y, y < 1, A > 0),
    because=(
        On(
            Domain(0 < y, y < 1, A > 0),
            Tends(penalised, beta, 0, 1, label="one state: the solution starts from π_1(a) = 1 without penalty"),
        ),
        On(
            Domain(0 < y, y < 1, A > 0),
            Tends(penalised, beta, oo, y, side="-", label="it ends at π_0(a) under a strong one"),
        ),
        On(
            Domain(0 < y, y < 1, A > 0, beta > 0),
            Monotone(penalised, beta, -1, label="in between it decreases"),
        ),
    ),
    depends_on=["pt-eq10-constraint-vs-penalty", "pt-eq10-relaxation"],
    kind="equivalence",
    locator="Sec 4.5, after (10)",
    title="A bound on the sum of the divergences of two states, and the β of (9)",
    remark=(
        "The sum stands for the average, which is what TRPO constrains; a bound for each state asks for a β of each "
        "(pt-eq10-constraint-vs-penalty). Of the best pair t, χ and c, ψ are the gain and the divergence in the first "
        "and in the second state, and u, v and s, z those of any other pair. In the second sentence ζ bounds the sum "
        "of the divergences, y and q are π_0(a) in the two states, A and α the advantages."
    ),
)


# The first step: what a small divergence buys. Along the logit rates ż the gain is the covariance of A and ż, the
# divergence half the variance of ż.
def mean_of(values):
    """The mean under π_0."""
    return Sum(old[o_] * values[o_], (o_, 1, n))


gain_rate = Sum(old[o] * (r[o] - mean_of(r)) * (logit_rate[o] - mean_of(logit_rate)), (o, 1, n))
fisher = Sum(old[o] * (logit_rate[o] - mean_of(logit_rate)) ** 2, (o, 1, n))
worth = Sum(old[o] * (r[o] - mean_of(r)) ** 2, (o, 1, n))
off = Sum(old[o] * (logit_rate[o] - mean_of(logit_rate) - gain_rate / worth * (r[o] - mean_of(r))) ** 2, (o, 1, n))
steps_of = Domain(n >= 2, simplex(old, n), reals(r, n), reals(logit_rate, n))
bound = Sum(old[j] * (r[j] - mean_of(r)) ** 2, (j, 1, n))  # worth, by another letter
proportion = gain_rate.xreplace({o: j}) / bound
claim(
    "pt-eq10-first-step",
    AtLeast(
        worth * fisher,
        gain_rate**2,
        (Eq(logit_rate[o] - mean_of(logit_rate), proportion * (r[o] - mean_of(r))),),
        label="gain² is at most Var(r) Var(ż), with equality for logits that move in proportion to the advantage",
    ).by(
        TermByTerm(
            (
                Sum(
                    bound * old[o] * (logit_rate[o] - mean_of(logit_rate) - proportion * (r[o] - mean_of(r))) ** 2,
                    (o, 1, n),
                ),
            )
        )
    ),
    steps_of.also(worth > 0),
    because=(
        On(
            steps_of.also(worth > 0),
            Equal(worth * fisher - gain_rate**2, worth * off, label="gain² is at most Var(r) times Var(ż): the gap"),
        ),
        On(Domain(0 < y, y < 1), Equal(distance.subs(x, y), 0, label="two tokens: the divergence is zero at M_0")),
        On(Domain(0 < y, y < 1), Equal(diff(distance, x).subs(x, y), 0, label="and has no slope there")),
        On(
            Domain(0 < y, y < 1),
            Equal(
                diff(distance, x, 2).subs(x, y),
                1 / (y * (1 - y)),
                label="and with this curvature, the inverse of y(1 − y)",
            ),
        ),
    ),
    depends_on=["pt-eq9-penalises", "pt-eq10-any-vocabulary"],
    kind="optimality",
    locator="Sec 4.5, (10)",
    title="The first step of the constrained problem in one state",
    remark=(
        "The covariance is the gain to first order; the variance of ż is twice the divergence to second (the Fisher "
        "information F of pt-eq9-penalises). So the best first step is along F⁻¹∇J, J being the gain; the gradient "
        "of (7) in the logits lacks the factor 1/π_0."
    ),
)

claim(
    "pt-eq10-relaxation",
    Every(
        On(Domain(u <= t, v <= t), Always((u + v) / 2 <= t, label="every state within δ: so is the average")),
        On(
            Domain(u >= 0, v >= 0, t > 0),
            Exists(((u + v) / 2 <= t) & (u > t), {u: 3, v: 0, t: 2}, label="not the other way round"),
        ),
    ),
    Domain(t),
    because=(
        On(
            Domain(reals(r, N), N >= 1, t),
            AtLeast(
                t,
                Sum(r[i], (i, 1, N)) / N,
                (Eq(r[i], t),),
                label="any number of divergences within t: so is their average",
                given=(r[i] <= t,),
            ).by(TermByTerm((Sum((t - r[i]) / N, (i, 1, N)),))),
        ),
    ),
    locator="Sec 4.5, after (10)",
    title="A bound on the average divergence against one on each of two states",
    printed=(
        r"\text{a further relaxation of the constraints to only constrain the average value of }D_{KL}\text{ "
        r"over all tokens and samples}"
    ),
)
