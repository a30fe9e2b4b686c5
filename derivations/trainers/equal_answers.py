"""No penalty (β = 0), many answers: who wins among equally rewarded ones, and how the entropy moves.

Statement.   Along the softmax flow every logit moves at π(o)(P(o) − E_π P), P the expected advantage. Of two answers
             with the same P the difference e^{−z(o)} − e^{−z(j)} is conserved. So their order never changes; among
             right answers (P above the mean) the likelier grows faster, and its ratio to the other without bound if
             e^{−z(o)} falls to 0; among wrong ones the likelier falls faster. The natural gradient keeps all ratios of
             equally rewarded answers. The entropy changes by minus the covariance of log π with the logits' rates: for
             one right and one wrong answer it rises up to x = ½ and falls from there.
Source.      Loss of diversity in runs without a penalty; question "why does diversity collapse?".
Domain.      n answers, any logits, any expected advantages P of the moment; rewards 1 and 0 for the sign of the
             entropy's rate.
Derivation.  objective → derivative in one logit → difference for two answers with one P → the function of it that
             stands still.
Caveats.     Tabular logits, exact expectations, continuous time. Shared parameters and sampled groups add their own.
Letters.     P(o) is the expected advantage of an answer, z(o) its logit. Of two answers with one P, x and y are the
             probabilities, z and s the logits, t is that P less the mean and u the sum of all e^{z(o)}. In
             tr-ties-winner v is e^{−s} − e^{−z}, the difference that is conserved. In tr-ties-natural u and v are the
             expected advantages of two answers and t is the mean of all. In tr-entropy-rate x is the success and v the
             gap. H is the entropy.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

ALL = Answers(n)
total = Sum(exp(logit[o]), (o, 1, n))
value = Sum(exp(logit[o]) * P[o], (o, 1, n)) / total  # E_π P, P held fixed: the advantages are those of the groups
logits = Domain(n >= 2, reals(logit, n), reals(P, n))
policies = Domain(n >= 2, simplex(pi, n), reals(P, n))
mean = Sum(pi[o] * P[o], (o, 1, n))


def climb(answer):
    """The rate of a logit: π(o)(P(o) − E_π P)."""
    return pi[answer] * (P[answer] - mean)


def moved(answer):
    """The rate of a probability of the softmax policy, by the chain rule."""
    return pi[answer] * (climb(answer) - Sum(pi[o] * climb(o), (o, 1, n)))


claim(
    "tr-ties-logits",
    Equal(
        Derivative(value, logit[o_]),
        exp(logit[o_]) / total * (P[o_] - value),
        label="the derivative in one logit: π(o')(P(o') − E_π P)",
    ),
    logits,
    because=(
        Equal(
            partial(log(total), logit[o_]),
            exp(logit[o_]) / total,
            label="the slope of log Σ e^z in one logit, by which that of log π is less",
        ),
        On(policies, Equal(Sum(moved(o_), (o_, 1, n)), 0, label="the probabilities keep their sum")),
    ),
    kind="dynamics",
    locator="Topic 3",
    title="The softmax flow of n answers: the slope of the mean of P in one logit",
    remark="The mean of P over the policy is zero for the published advantages (vy-appA-lambda-zero) and is kept here.",
)

# Two answers with the same P: x and y their probabilities, z and s their logits, t = P − E_π P, u = Σ exp(z) so
# that e^{−z} = 1/(ux).
pair = Domain(0 < x, 0 < y, x + y < 1, u > 0, t)
claim(
    "tr-ties-conserved",
    On(
        Domain(z, s, u > 0, t),
        Equal(
            Derivative(exp(-z), z) * (exp(z) / u * t),
            Derivative(exp(-s), s) * (exp(s) / u * t),
            label="softmax flow: e^{−z(o)} − e^{−z(j)} stands still",
        ),
    ),
    pair,
    because=(
        On(
            Domain(z, s, u > 0, t),
            Equal(
                -exp(-z).diff(z) * (exp(z) / u * t),
                t / u,
                label="the rate at which each of the two falls, (P − E_π P)/Σe^z",
            ),
        ),
        On(
            policies,
            Equal(
                (moved(o_) / pi[o_]) - climb(o_),
                -Sum(pi[o] * climb(o), (o, 1, n)),
                label="the rate of log π less that of the logit, for all answers the same",
            ),
        ),
    ),
    kind="invariance",
    depends_on=["tr-ties-logits"],
    locator="Topic 3",
    title="Two equally rewarded answers of logits z and s: the rates of e^{−z} and e^{−s}",
    remark="What moves z is e^z t/u, t the common P less the mean and u the sum of all e^z (tr-ties-logits): so the "
    "difference of the two is constant. For every finite number of answers, every normaliser and group size, at "
    "every time: only P(o) = P(j) is used.",
)

claim(
    "tr-ties-winner",
    Every(
        On(Domain(z, s), Equal(exp(z - s), 1 + (exp(-s) - exp(-z)) * exp(z), label="the ratio, by what is conserved")),
        On(Domain(v > 0), Tends(1 + v * exp(z), z, oo, oo, label="it grows without bound as z does")),
        On(Domain(v > 0), Tends(1 + v * exp(z), z, -oo, 1, "+", label="and falls to 1 as z falls")),
    ),
    pair,
    because=(
        On(pair.also(y < x, t > 0), Always(x * t - y * t > 0, label="right answers: log π(o) − log π(j) grows")),
        On(pair.also(y < x, t < 0), Always(x * t - y * t < 0, label="wrong answers: it shrinks")),
        On(
            Domain(z, s),
            Always(
                Implies(s < z, exp(-z) < exp(-s)),
                using=(exp_increasing(-z, -s),),
                label="the likelier one has the smaller e^{−z}",
            ),
        ),
    ),
    kind="limit",
    depends_on=["tr-ties-conserved"],
    locator="Topic 3",
    title="Two equally rewarded answers of logits z and s: their ratio e^{z − s}, and its limits",
    remark=(
        "v is e^{−s} − e^{−z}, which is constant along the flow (tr-ties-conserved). Log-ratios of right answers "
        "grow, of wrong ones shrink; that e^{−z} runs to its limit is not part of the claim. The natural gradient: "
        "tr-ties-natural."
    ),
)


def natural(answer):
    """The rate of a probability under the natural gradient."""
    return pi[answer] * (P[answer] - mean)


claim(
    "tr-ties-natural",
    On(
        Domain(0 < x, 0 < y, x + y < 1, u, v, t),
        Equal(
            Derivative(log(x / y), x) * (x * (u - t)) + Derivative(log(x / y), y) * (y * (v - t)),
            u - v,
            label="two answers, P being u and v and its mean t: the log-ratio moves at u − v",
        ),
    ),
    policies,
    because=(
        Equal(
            natural(o_) / pi[o_] - natural(j) / pi[j],
            P[o_] - P[j],
            label="two answers: their log-ratio moves at the difference of their P",
        ),
        Equal(Sum(natural(o), (o, 1, n)), 0, label="the probabilities keep their sum"),
    ),
    kind="invariance",
    depends_on=["tr-ties-logits", "by-flow-natural"],
    locator="Topic 3",
    title="The natural gradient: the rate of the log-ratio of x and y, advantages u and v of mean t",
)

H = entropy(pi, ALL, o)
log_mean = Sum(pi[o] * log(pi[o]), (o, 1, n))
climb_mean = Sum(pi[o] * climb(o), (o, 1, n))
gap_rate = 2 * x**2 * (1 - x) ** 2 * v  # the velocity of x with the gap v
binary_entropy = entropy(binary(x), Answers(2), o)
claim(
    "tr-entropy-rate",
    Every(
        On(
            policies,
            Equal(
                derivative_along(H, {pi: moved}, ALL, j),
                -Sum(pi[o] * log(pi[o]) * climb(o), (o, 1, n)) - Sum(-pi[o] * log(pi[o]), (o, 1, n)) * climb_mean,
                label="softmax flow, any number of answers: minus a covariance",
            ),
        ),
        Always(
            Eq(sign(-gap_rate * log(x / (1 - x))), sign(1 - 2 * x)),
            using=(log_sign(x / (1 - x)),),
            label="one right, one wrong answer: the entropy rises below ½ and falls above",
        ),
    ),
    Domain(0 < x, x < 1, v > 0),
    because=(
        On(
            policies,
            Equal(
                derivative_along(H, {pi: natural}, ALL, o_),
                -(Sum(pi[o] * log(pi[o]) * P[o], (o, 1, n)) - log_mean * mean),
                label="natural gradient: minus the covariance of log π and P",
            ),
        ),
        Equal(binary_entropy.diff(x) * gap_rate, -gap_rate * log(x / (1 - x)), label="one right, one wrong answer"),
    ),
    kind="dynamics",
    depends_on=["tr-ties-logits", "tr-flow-velocity"],
    locator="Topic 14",
    title="The rate of the entropy as a covariance",
    remark="For every group size and normaliser with a positive gap.",
)
