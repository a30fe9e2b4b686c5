"""The charge k1 taken off the reward before the group is normalised: the RLHF optimum, whatever the normaliser and the
group.

Statement.   With the rewards r(o) − β log(π_old(o)/π_ref(o)) of a group normalised as rewards are, a policy whose
             charged rewards are all equal has no advantages at all. That policy is π_ref e^{r/β}/Z, the optimum of
             RLHF, with β itself: deviation, guard and group size do not enter. For two answers it is the only
             stationary policy inside, and the preference points to it from both sides, for every G.
Source.      Question 7 of the project's theory; compare Vojnovic & Yun (2025), Section 3, where both extensions in the
             loss give β G/(G − 1).
Domain.      Deterministic rewards; β > 0; n answers for the equation, two answers for uniqueness.
Derivation.  charged rewards → equal on π_ref e^{r/β}/Z → advantages of the group → sign of the preference.
Caveats.     With the charge taken off the *advantage* instead, β is in the units of advantages: there the normaliser
             changes the policy.
Letters.     In by-div-charge-levels t is the normaliser Z of the tilted policy and d the one charged reward of all
             members of a group; in its step "a level v fixes the policy" t is an answer's reward, u its reference
             probability and v the level. In by-div-charge-normalised x is the policy's probability of a and p the
             reference's, u and v are the charged rewards of a and of b, k of the G members have u, and in the sums k
             counts the other members that have u: δ(k + 1) is one over the number that their group divides by; P(a) and
             P(b) are the expected advantages of a and of b.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

ALL = Answers(n)
charge = r[o] - beta * k1(pi[o], ref[o])
Z = Sum(ref[o_] * exp(r[o_] / beta), (o_, 1, n))
tilted = ref[o] * exp(r[o] / beta) / t
members = Domain(G >= 2, shift)
alike = (shift, Sum(shift, (j, 1, G)) / G, Sum((shift - Sum(shift, (j, 1, G)) / G) ** 2, (i, 1, G)) / G)

claim(
    "by-div-charge-levels",
    On(
        Domain(n >= 2, beta > 0, t > 0, simplex(pi, n), simplex(ref, n), reals(r, n)),
        Always(
            Equivalent(
                Eq(charge, beta * log(t), evaluate=False),
                Eq(pi[o], tilted, evaluate=False),
            ),
            label="a charged reward has the level β log t exactly on π_ref e^{r/β}/t, t = Z for a policy",
        ).by(
            Then(
                (Equal(charge, beta * log(t) - beta * log(pi[o] / tilted), label="how far it is from that level"),),
                using=(log_sign(pi[o] / tilted), exp_positive(r[o] / beta)),
            )
        ),
    ),
    Domain(n >= 2, beta > 0, t > 0, simplex(ref, n), reals(r, n)),
    because=(
        Equal(charge.subs(pi[o], tilted), beta * log(t), label="on π_ref e^{r/β}/Z every charged reward is β log Z"),
        On(
            Domain(beta > 0, u > 0, v > 0, t),
            Equal(t - beta * log(u * exp((t - v) / beta) / u), v, label="a level v fixes the policy"),
        ),
        On(
            Domain(n >= 2, beta > 0, simplex(pi, n), simplex(ref, n), reals(r, n)),
            Equal(
                partial(rlhf(pi, ref, r, beta, ALL, o), pi[o]),
                charge - beta,
                label="the charged reward is the slope of the objective of RLHF, up to a constant",
            ),
        ),
        On(members, Equal(shift - Sum(shift, (j, 1, G)) / G, 0, label="equal rewards: no advantage, any G")),
        On(
            members.also(guard > 0),
            Equal(Advantage(guard=guard).of_population(*alike), 0, label="none over a deviation with a guard, any G"),
        ),
        On(
            members,
            Equal(
                SHIFT_AND_SCALE.of_group([shift] * 3)[0], 0, label="and none without, by 0/0 ≡ 0, in a group of three"
            ),
        ),
    ),
    depends_on=["vy-s3-combined-rlhf"],
    locator="Question 7",
    title="Charged rewards of one level, and the optimum of RLHF, with t for Z",
)

optimum = p * exp((r_a - r_b) / beta) / (1 - p + p * exp((r_a - r_b) / beta))
charged_gap = (r_a - beta * log(x / p)) - (r_b - beta * log((1 - x) / (1 - p)))
two = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0, r_a, r_b)

# Any normaliser: a group of which some members have the level u and the others v divides by some positive number. By
# the number k of the other members with the level u, 1/short[k + 1] is that number for a member of either level.
levels = Domain(G >= 2, 0 < x, x < 1, positives(short, G))
counted = Domain(G >= 2, k >= 0, k <= G, u, v)
average = (k * u + (G - k) * v) / G
of_the_higher = binomial_mean((1 - (k + 1) / G) * short[k + 1], k, G - 1, x)
of_the_lower = binomial_mean(k / G * short[k + 1], k, G - 1, x)


claim(
    "by-div-charge-normalised",
    Every(
        On(
            counted,
            Equal(u - average, (1 - k / G) * (u - v), label="k members of u: how far these are above the mean"),
        ),
        On(counted, Equal(v - average, -k / G * (u - v), label="and how far those of v are below it")),
        On(
            levels,
            Always(of_the_higher > 0, label="P(a) is this times u − v, whatever positive numbers divide").by(
                AgainstPolynomial(Integer(0), 0)
            ),
        ),
        On(
            levels,
            Always(of_the_lower > 0, label="and −P(b) this: so P(a) − P(b) has the sign of u − v").by(
                AgainstPolynomial(Integer(0), 1)
            ),
        ),
        On(two, Equal(charged_gap.subs(x, optimum), 0, label="equal at the optimum of RLHF")),
        On(two, Equal(charged_gap, r_a - r_b - beta * (log(x / (1 - x)) - log(p / (1 - p))), label="and falling in x")),
        On(
            Domain(0 < p, p < 1, beta > 0, r_a, r_b),
            Every(
                OneRoot(charged_gap, x, 0, 1, label="equal nowhere else").by(StrictlyMonotone(-1, (oo, -oo))),
                Always(And(0 < optimum, optimum < 1), label="that policy has full support"),
            ),
        ),
    ),
    two,
    depends_on=["by-div-charge-levels"],
    kind="uniqueness",
    locator="Question 7",
    title="Two answers, k1 in the reward before normalising: the stationary policy",
    short=("equal nowhere else", "equal at the optimum of RLHF"),
    remark=(
        "Without normaliser and with k3 in the loss, ratio differentiated, it is RLHF with β G/(G − 1) "
        "(vy-s3-combined-rlhf): the place of the penalty decides what β means."
    ),
)
