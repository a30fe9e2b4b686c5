"""Where the defaults of trainers lead: no penalty, and the pull of KL(π‖π_ref), with the sample deviation + ε.

Statement.   Every weight of the gap lies between (1 − 1/G)/(1 + ε) and (G − 1)/(√G + εG), so the gap is positive.
             Without a penalty therefore no policy inside is stationary: success rises from every start to 1, its own
             frozen objective rises with it, and nothing but 1 bounds the distance, which is −log p for KL(π‖π_ref) and
             infinite for KL(π_ref‖π). With the pull of KL(π‖π_ref) there is a stationary policy; its log-odds exceed
             those of the reference by between (1 − 1/G)/((1 + ε)β) and (G − 1)/((√G + εG)β), the flow from the
             reference rises to the lowest, and where that is far enough above the reference it is the only one. A noisy
             verifier multiplies the gap by u − w.
Source.      Defaults of trainers: β = 0, or k1 charged to the advantage; questions "where does my run end?".
Domain.      One right and one wrong answer, rewards 1 and 0, G ≥ 2, ε > 0, exact expectations, on-policy.
Derivation.  gap of a group with k right members → its bounds → sign of the drive, and where it vanishes.
Caveats.     One token a text. Bounds are of the weights; the gap is an average of them.
"""

from sympy import And, Eq, Implies, exp, log, oo, sqrt

from grpo_symbolic.notation import G, beta, guard, k, o, p, s, scale, t, u, v, x, y
from grpo_symbolic.notation import false_alarm as w
from grpo_symbolic.objectives import (
    SHIFT_AND_SCALE,
    SHIFT_ONLY,
    Advantage,
    Answers,
    binary,
    expected_surrogate,
    forward_kl,
    kl,
)
from grpo_symbolic.optimality import advantage_gap, gap_weight
from grpo_symbolic.proof import (
    AgainstPolynomial,
    Always,
    Domain,
    Equal,
    Every,
    FlowRises,
    Follows,
    On,
    PositiveVelocity,
    Result,
    Tends,
    binomial_mean,
)
from grpo_symbolic.proof.lemmas import exp_positive, log_sign

claim = Result(__file__).claim

TWO = Answers(2)
TRAINERS = Advantage(sample_deviation=True, guard=guard, guard_inside=False)
NORMALISERS = {
    "own deviation": SHIFT_AND_SCALE,
    "sample deviation": Advantage(sample_deviation=True),
    "sample deviation + ε": TRAINERS,
    "own deviation + ε": Advantage(guard=guard, guard_inside=False),
    "√(variance + ε)": Advantage(guard=guard),
    "no deviation": SHIFT_ONLY,
    "leave-one-out": Advantage(scaled=False, leave_one_out=True),
    "batch deviation": Advantage(fixed_deviation=scale),
}
mixed = Domain(G >= 2, k >= 1, k <= G - 1, guard > 0, scale > 0)
unit = Domain(0 < x, x < 1)
any_size = Domain(G >= 2, 0 < x, x < 1, guard > 0)
weight = (G - 1) / (sqrt((k + 1) * (G - 1 - k) * G / (G - 1)) + guard * G)
trained = binomial_mean(weight, k, G - 2, x)  # the gap
least, greatest = (1 - 1 / G) / (1 + guard), (G - 1) / (sqrt(G) + guard * G)

claim(
    "tr-guarded-between",
    Every(
        Always(gap_weight(k, G, TRAINERS) > least, label="every weight is more than (1 − 1/G)/(1 + ε)"),
        On(
            Domain(G >= 4, k >= 2, k <= G - 2, guard > 0),
            Always(gap_weight(k, G, TRAINERS) < greatest, label="and less than (G − 1)/(√G + εG)"),
        ),
        Equal(gap_weight(1, G, TRAINERS), greatest, label="which one right member alone has"),
        Equal(gap_weight(G - 1, G, TRAINERS), greatest, label="or one wrong member"),
        Equal(gap_weight(k, G, TRAINERS), weight.subs(k, k - 1), label="every weight"),
        On(
            any_size,
            Every(
                Always(trained > least, label="so the gap is").by(AgainstPolynomial(least, 0)),
                Always(trained <= greatest, label="and is at most").by(AgainstPolynomial(-greatest)),
            ),
        ),
    ),
    mixed,
    kind="inequality",
    depends_on=["by-gap-weight"],
    locator="Topic 9",
    title="Sample deviation + ε: the gap lies between (1 − 1/G)/(1 + ε) and (G − 1)/(√G + εG)",
    says=r"\frac{1-1/G}{1+\varepsilon}<\Delta_G(x)\le\frac{G-1}{\sqrt G+\varepsilon G}",
)

# No penalty. The gap of every normaliser is positive, and success moves at 2x²(1 − x)² times it (tr-flow-velocity).
gaps = {name: binomial_mean(gap_weight(k + 1, G, how), k, G - 2, x) for name, how in NORMALISERS.items()}
positive = claim(
    "tr-none-gap",
    Every(
        *(
            Always(gap_weight(k, G, advantage) > 0, label=f"{name}: every weight is positive")
            for name, advantage in NORMALISERS.items()
        ),
        On(
            any_size.also(scale > 0),
            Every(
                *(
                    Always(gap > 0, label=f"{name}: so the gap is").by(AgainstPolynomial(0, 0))
                    for name, gap in gaps.items()
                )
            ),
        ),
    ),
    mixed,
    kind="inequality",
    depends_on=["by-gap-weight"],
    locator="Topic 2",
    title="Every normaliser: the gap is positive inside, for every group size",
    says=r"\Delta_G(x)>0",
)


def softmax_speed(gap):
    """How fast the success of a softmax policy moves without a penalty."""
    return 2 * x**2 * (1 - x) ** 2 * gap


claim(
    "tr-none-rises",
    Every(
        *(
            FlowRises(softmax_speed(gap), x, 0, 1, label=f"{name}: success rises to 1").by(
                PositiveVelocity(Follows((positive,), (f"{name}: so the gap is",)))
            )
            for name, gap in gaps.items()
        ),
        On(Domain(t > 0), Equal(softmax_speed(t).subs(x, 0), 0, label="the velocity is zero at 0")),
        On(Domain(t > 0), Equal(softmax_speed(t).subs(x, 1), 0, label="and at 1")),
    ),
    Domain(G >= 2, guard > 0, scale > 0),
    kind="existence",
    depends_on=["tr-flow-velocity", "tr-none-gap"],
    locator="Topic 2",
    title="No penalty, every normaliser: no policy inside is stationary, and success rises from every start to 1",
    says=r"\beta=0:\ \Delta_G(x)>0,\ x_t\to1",
)

claim(
    "tr-none-frozen",
    Every(
        *(
            Equal(
                expected_surrogate(binary(x), binary(y), (1, 0), TWO, size, advantage).diff(x),
                advantage_gap(size, y, advantage),
                label=f"{name}, G = {size}: the slope of the frozen objective is the gap at π_old",
            )
            for name, advantage in NORMALISERS.items()
            for size in (2, 3)
        ),
        On(Domain(t > 0, 0 < x, x < 1), Always(t * (1 - x) > 0, label="so no policy inside has its greatest value")),
    ),
    Domain(0 < x, x < 1, 0 < y, y < 1, guard > 0, scale > 0),
    depends_on=["tr-none-rises"],
    locator="Topic 2",
    title="No penalty: the frozen objective is linear in success and rises with it, so its greatest value is at 1",
    says=r"\partial_x\mathcal J(x\mid y)=\Delta_G(y)>0",
    remark="Within the clip bounds: tr-clip-way says how far one round goes.",
)

odds_ratio = x * (1 - p) / ((1 - x) * p)
apart, behind = (of(binary(x), binary(p), TWO, o) for of in (kl, forward_kl))
claim(
    "tr-none-distance",
    Every(
        On(
            Domain(0 < p, p < x, x < 1),
            Equal(apart.diff(x), log(odds_ratio), label="the slope of KL(π‖π_ref): the log-ratio of the odds"),
        ),
        On(
            Domain(0 < p, p < x, x < 1),
            Always(log(odds_ratio) > 0, using=(log_sign(odds_ratio),), label="which is positive above p"),
        ),
        On(Domain(0 < p, p < 1), Tends(apart, x, 1, -log(p), "-", label="up to −log p")),
        On(Domain(0 < p, p < 1), Tends(behind, x, 1, oo, "-", label="KL(π_ref‖π) without a bound")),
    ),
    Domain(0 < p, p < x, x < 1),
    kind="limit",
    locator="Topic 2",
    title="No penalty: the distance from the reference grows to −log p, that of KL(π_ref‖π) without a bound",
    says=r"\mathrm{KL}(\pi\Vert\pi_{\mathrm{ref}})\nearrow-\log p",
)

# A verifier that accepts a right answer with probability u and a wrong one with w < u.
verdicts = Domain(0 <= w, w < u, u <= 1)
seen = x * u + (1 - x) * w


def noisy(size, advantage, chance):
    """The expected advantage of a text that is accepted with this chance, in groups of which a share is accepted."""
    worth = [advantage.preference(a, (seen, 1 - seen), (1, 0), TWO, size, o) for a in (0, 1)]
    return chance * worth[0] + (1 - chance) * worth[1]


claim(
    "tr-noise-normalisers",
    Every(
        On(
            verdicts.also(s, t),
            Equal(
                (u * s + (1 - u) * t) - (w * s + (1 - w) * t),
                (u - w) * (s - t),
                label="any advantages s of an accepted and t of a rejected text",
            ),
        ),
        *(
            On(
                verdicts.also(0 < x, x < 1, guard > 0, scale > 0),
                Equal(
                    noisy(size, advantage, u) - noisy(size, advantage, w),
                    (u - w) * advantage_gap(size, seen, advantage),
                    label=f"{name}, G = {size}: the gap at the rate of acceptance",
                ),
            )
            for name, advantage in NORMALISERS.items()
            for size in (2, 3)
        ),
        On(verdicts.also(t > 0), Always((u - w) * t > 0, label="of the sign it has without noise")),
        On(verdicts.also(t > 0), Always((u - w) * t <= t, label="and no larger")),
    ),
    verdicts,
    locator="Question 4",
    title="A noisy verifier, every normaliser: the gap is (u − w) times that at the rate of acceptance",
    says=r"\Delta^{\mathrm{noisy}}_G(x)=(u-w)\,\Delta_G(ux+w(1-x))",
    remark=(
        "Without a penalty noise slows the run down and leaves its end, 1; a bound of the gap is multiplied by u − w."
    ),
)

# The pull of KL(π‖π_ref): at rest the log-odds exceed those of the reference by s = Δ/β, v ≤ Δ ≤ t.
rest = Domain(beta > 0, 0 < v, u >= v, t >= u, s)
tilted = p * exp(t / beta) / (1 - p + p * exp(t / beta))
claim(
    "tr-direct-rest",
    Every(
        On(rest, Always(u - beta * (v / beta) >= 0, label="at the displacement v/β the gap is not outweighed")),
        On(rest, Always(u - beta * (t / beta) <= 0, label="at t/β it is")),
        On(
            rest,
            Always(Implies(Eq(u, beta * s), And(beta * s >= v, beta * s <= t)), label="and every rest lies between"),
        ),
        On(Domain(u > 0, beta > 0, s), Always(u - beta * (s - s) > 0, label="from the reference success rises")),
    ),
    rest,
    kind="existence",
    depends_on=["by-flow-direct-start", "by-div-stationary"],
    lemmas=[
        "intermediate value theorem",
        "a scalar flow does not pass a rest point, so from the reference it ends at the lowest",
    ],
    locator="Topic 9",
    title="The pull of KL(π‖π_ref), any bounded gap: a stationary policy exists, Δ/β above the reference in log-odds",
    says=(
        r"\operatorname{logit}x-\operatorname{logit}p=\tfrac{\Delta_G(x)}\beta\in\big[\tfrac{v}\beta,\tfrac "
        r"t\beta\big]"
    ),
    remark="v and t are bounds of the gap: for the sample deviation + ε those of tr-guarded-between.",
)

claim(
    "tr-direct-ends",
    Every(
        Tends(tilted, p, 0, 0, label="a vanishing reference: success vanishes"),
        Tends(tilted, beta, oo, p, label="a strong penalty: the reference"),
        Tends(tilted, beta, 0, 1, label="a weak one: success 1"),
    ),
    Domain(0 < p, p < 1, beta > 0, t > 0),
    kind="limit",
    locator="Topic 9",
    title="The pull of KL(π‖π_ref), any bounded gap: the limits of rare success and of β are those of a constant gap",
    says=r"\frac{p\,e^{t/\beta}}{1-p+p\,e^{t/\beta}}\to0\ (p\to0),\ p\ (\beta\to\infty),\ 1\ (\beta\to0)",
    remark="The least and the greatest gap give the two ends between which the policy lies.",
)

odds = exp(s)
claim(
    "tr-direct-one",
    Every(
        On(
            Domain(s),
            Always(
                1 - odds / (1 + odds) < exp(-s),
                using=(exp_positive(s),),
                label="failure is less than e^{−s} at the log-odds s",
            ),
        ),
        On(
            Domain(beta > 0, 0 < y, t > 0, v, v <= t, G >= 2, y * (G - 2) * t < beta),
            Always(y * (G - 2) * v - beta < 0, label="so with failures of at most y the velocity falls at every rest"),
        ),
    ),
    Domain(s),
    kind="uniqueness",
    depends_on=["tr-direct-rest", "tr-guarded-between"],
    lemmas=[
        "the slope of a Bernstein polynomial of degree G − 2 is G − 2 times an average of differences of neighbouring "
        "coefficients, none larger than the greatest of them",
        "a function that falls at each of its zeros has one",
    ],
    locator="Topic 9",
    title="The pull of KL(π‖π_ref): one rest point where it lies far above the reference",
    says=r"(G-2)\,t\,\tfrac{1-p}pe^{-v/\beta}<\beta\Rightarrow\exists!\,x",
    remark="v and t are the bounds of the gap of tr-guarded-between.",
)
