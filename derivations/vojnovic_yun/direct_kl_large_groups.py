"""GRPO with the direct KL penalty, two answers, large groups: how many policies are stationary.

Statement.   With π_old = π_θ the derivative of the objective is β h(x). h falls from ∞ to its minimum at x* = ½(1 +
             β/√(1 + β²)) and rises to ∞, and the minimum is the log-odds of π_ref(a) minus that of p*(β) = s²/(s² +
             e^{2√(1+β²)/β}), s = β + √(1 + β²). So there is no stationary policy for p > p*(β), one for p = p*(β), two
             for p < p*(β); p* increases from 0 to 1, so its inverse β*(p) is the exact threshold of the paper's
             "sufficiently small" and "sufficiently large".
Source.      Vojnovic & Yun (2025), Section 3 and Appendix B.2 ("The limit of large group size").
Domain.      0 < p, x, y < 1, β > 0, rewards r_a > r_b (and r_a < r_b for the signs), fixed for each answer.
Derivation.  objective → derivative in x with the old policy y frozen → y = x: βh → h' → its one zero x* → h(x*) → its
             sign in p and β.
Caveats.     Stationary here is h = 0; what such a policy maximises is direct_kl_best_response.py. A statement about G =
             ∞: for finite G a stationary policy exists for every β (by-exists-direct).
Letters.     x is the policy and y the one that samples, p is π_ref(a), r_a and r_b are the expected rewards of the two
             answers, v_a and v_b their variances, γ̃ is the sign of r_a − r_b. h is the on-policy derivative over β,
             least at x*, p*(β) the p at which h(x*) is 0 and β*(p) its inverse. u are the odds of p*(β), or in the last
             limits of vy-B2-threshold minus their logarithm.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

unit = Domain(0 < x, x < 1, 0 < p, p < 1, beta > 0)
frozen = unit.also(0 < y, y < 1)
a_better, b_better = frozen.also(r_a > r_b), frozen.also(r_a < r_b)
policy, old, reference = binary(x), binary(y), binary(p)
bernoulli = kl(policy, reference, Answers(2), o)
logit_p = log(p / (1 - p))

# -- objective and derivative -----------------------------------------------------------------------------------------
d = Derivation("vy-B2-h", a_better)
J = d.start(
    grpo(beta, group_size=oo, divergence=REVERSE_KL).with_rewards(policy, old, reference, (r_a, r_b), Answers(2)),
    "preferences are expectations over large groups",
)
short = d.rewrite(J, (x - y) / sqrt(y * (1 - y)) - beta * bernoulli, "only the sign of the reward difference is left")
dJ = d.differentiate(short, x, "the old policy y is held fixed")
on_policy = d.restrict(dJ, {y: x}, "stationary: the policy that sampled the groups is the policy itself")


# Rewards that vary for each answer: their variance adds to that of the mixture.
noisy_deviation = sqrt(y * (1 - y) * (r_a - r_b) ** 2 + y * v_a + (1 - y) * v_b)
noisy_gap = ((1 - y) * (r_a - r_b) / noisy_deviation, -y * (r_a - r_b) / noisy_deviation)
noisy_J = grpo(beta, divergence=REVERSE_KL).value(policy, old, reference, noisy_gap.__getitem__, Answers(2))
noisy = a_better.also(v_a >= 0, v_b >= 0)


def h(at=x):
    """The paper's function: 1/(β√(x(1 − x))) − logit x + logit π_ref(a)."""
    return 1 / (beta * sqrt(at * (1 - at))) - log(at / (1 - at)) + logit_p


claim(
    "vy-B2-objective-inf",
    Every(
        On(a_better, Equal(J, x / sqrt(y * (1 - y)) - beta * bernoulli - sqrt(y / (1 - y)), label="r_a > r_b")),
        On(b_better, Equal(J, -x / sqrt(y * (1 - y)) - beta * bernoulli + sqrt(y / (1 - y)), label="r_a < r_b")),
    ),
    frozen,
    locator="App B.2, large groups, objective",
    title="Direct KL, large groups: the objective",
    depends_on=["vy-s3-dkl-estimator"],
    printed=(
        r"\mathcal J(\pi_\theta(a\mid q)\mid q)=\frac{\tilde\gamma_{a,b}}{\sqrt{\pi_{\theta_{\mathrm{old}}}(a\mid q)(1-"
        r"\pi_{\theta_{\mathrm{old}}}(a\mid q))}}\pi_\theta(a\mid q)-\beta\,\mathrm{KL}(\pi_\theta(a\mid q)\,\|\,\pi_{"
        r"\mathrm{ref}}(a\mid q))+\mathrm{const}"
    ),
    judged=needs_hypothesis(
        "Needs rewards that do not vary for a given answer, as (18) does: their variance enters the deviation.",
        Equal(noisy_J, J),
        noisy,
    ),
    remark="The constant is −γ̃ √(y/(1 − y)).",
)

coefficient = diff(J + beta * bernoulli, x) * sqrt(y * (1 - y))
claim(
    "vy-B2-gamma-tilde-print",
    On(
        frozen.also(Ne(r_a, r_b)),
        Equal(
            sqrt(y * (1 - y)) * Derivative(J + beta * bernoulli, x),
            sign(r_a - r_b),
            label="either order of the rewards",
        ),
    ),
    frozen,
    kind="convention",
    locator="App B.2, after the objective",
    title="The sign of the reward difference",
    depends_on=["vy-B2-objective-inf"],
    printed=r"\tilde\gamma_{a,b}=\operatorname{sign}(r(a\mid b)>r(b\mid q))",
    judged=misprint(
        "r(a|b) for r(a|q), and the sign of an inequality; its truth value 1 or 0 would be wrong for r_a < r_b."
        " So in the copy that was read.",
        Equal(coefficient, Piecewise((1, r_a > r_b), (0, True))),
        b_better,
    ),
)

claim(
    "vy-B2-derivative-inf",
    On(
        frozen.also(Ne(r_a, r_b)),
        Equal(
            Derivative(J, x),
            sign(r_a - r_b) / sqrt(y * (1 - y)) - beta * (log(x / (1 - x)) - logit_p),
            label="either order of the rewards",
        ),
    ),
    frozen,
    locator="App B.2, large groups, derivative",
    title="Direct KL, large groups: the derivative",
    depends_on=["vy-B2-objective-inf"],
    printed=(
        r"\frac{d\mathcal J(\pi_\theta(a\mid q)\mid q)}{d\pi_\theta(a\mid q)}=\frac{\tilde\gamma_{a,b}}{\sqrt{\pi_{"
        r"\theta_{\mathrm{old}}}(a\mid q)(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))}}-\beta\Big(\log\Big(\frac{\pi_"
        r"\theta(a\mid q)}{1-\pi_\theta(a\mid q)}\Big)-\log\Big(\frac{\pi_{\mathrm{ref}}(a\mid q)}{1-\pi_{"
        r"\mathrm{ref}}(a\mid q)}\Big)\Big)"
    ),
    judged=needs_hypothesis(
        "Needs rewards that do not vary for a given answer, as (18) does: their variance enters the deviation.",
        Equal(diff(noisy_J, x), diff(J, x)),
        noisy,
    ),
)

claim(
    "vy-B2-wlog",
    Equal(
        J,
        J.xreplace({x: 1 - x, y: 1 - y, p: 1 - p, r_a: r_b, r_b: r_a}),
        label="the objective, and that at 1 − x, 1 − y, 1 − p with the two rewards exchanged",
    ),
    a_better,
    locator="App B.2, large groups",
    title="Direct KL, large groups: symmetry in the two answers",
    printed=r"\text{Without loss of generality, consider the case where }\tilde\gamma_{a,b}=1",
    remark="For r_a > r_b; for r_a = r_b the advantages are 0/0 ≡ 0, and nothing is left but the penalty.",
)

claim(
    "vy-B2-h",
    On(frozen.also(Eq(y, x)), Equal(Derivative(short, x), beta * h(), label="the derivative where y = x")),
    unit,
    because=(Equal(on_policy, beta * h(), label="differentiated in x, then y = x"),),
    by=d,
    locator="App B.2, large groups, h",
    title="Direct KL, large groups, deterministic rewards, the better answer: on-policy derivative",
    printed=(
        r"\frac d{d\pi_\theta(a\mid q)}\mathcal J(\pi_\theta(a\mid q)\mid q)=\beta h(\pi_\theta(a\mid q))\text{ where "
        r"}h(x)=\frac1\beta\frac1{\sqrt{x(1-x)}}-\log\Big(\frac x{1-x}\Big)+\log\Big(\frac{\pi_{\mathrm{ref}}(a\mid "
        r"q)}{1-\pi_{\mathrm{ref}}(a\mid q)}\Big)"
    ),
    depends_on=["vy-B2-derivative-inf"],
    remark="The derivative is taken first, with π_old frozen. With π_old = π_θ put in first, the objective is −β KL "
    "and has another derivative.",
    judged=needs_hypothesis(
        "Needs rewards that do not vary for a given answer, as (18) does: their variance enters the deviation.",
        Equal(diff(noisy_J, x).subs(y, x), beta * h()),
        noisy,
    ),
)

# -- the shape of h ---------------------------------------------------------------------------------------------------
star = (1 + sqrt(1 - 1 / (1 + beta**2))) / 2
slope = diff(h(), x)
slope_sign = (2 * x - 1) - 2 * beta * sqrt(x * (1 - x))
no_p = Domain(0 < x, x < 1, beta > 0)

by_sign = SignOfDerivative(form=slope_sign / (2 * beta * sqrt(x * (1 - x)) ** 3))
shape_of_h = claim(
    "vy-B2-h-monotone",
    Every(
        On(unit.also(x < star), Monotone(h(), x, -1, label="h decreases before x*").by(by_sign)),
        On(unit.also(x > star), Monotone(h(), x, 1, label="and increases after it").by(by_sign)),
    ),
    unit,
    because=(
        Equal(
            slope, slope_sign / (2 * beta * sqrt(x * (1 - x)) ** 3), label="h' has the sign of (2x − 1) − 2β√(x(1 − x))"
        ),
        On(no_p, Always(Equivalent(x < star, slope_sign < 0), label="decreasing exactly before x*")),
        On(no_p, Always(Equivalent(x > star, slope_sign > 0), label="increasing exactly after x*")),
        On(Domain(beta > 0), Always(And(star > Rational(1, 2), star < 1), label="x* lies between ½ and 1")),
    ),
    kind="monotonicity",
    depends_on=["vy-B2-h"],
    locator="App B.2, large groups",
    title="Monotonicity of h on either side of x*",
    printed=(
        r"\text{the function }h(x)\text{ decreases on }(0,x^*]\text{ and increases on }[x^*,1)\text{ where }x^*=(1+"
        r"\sqrt{1-1/(1+\beta^2)})/2"
    ),
    remark="Strictly; x* does not depend on π_ref.",
)

parameters = Domain(0 < p, p < 1, beta > 0)
claim(
    "vy-B2-h-limits",
    Every(
        Tends(h(), x, 0, oo, "+", label="at 0"),
        Tends(h(), x, 1, oo, "-", label="at 1"),
    ),
    parameters,
    because=(
        On(
            Domain(Or(x < 0, x > 1)),
            Always(x * (1 - x) < 0, label="beyond both ends the root in h has no value"),
        ),
    ),
    kind="limit",
    depends_on=["vy-B2-h"],
    locator="App B.2, large groups",
    title="Limits of h at both ends",
    printed=r"\lim_{x\uparrow0}h(x)=\infty\text{ and }\lim_{x\downarrow1}h(x)=\infty",
    judged=misprint(
        "The arrows are exchanged: x ↓ 0 and x ↑ 1. From where they point, h has no value. So in the copy that was "
        "read."
    ),
)

# -- the minimum of h and the threshold -------------------------------------------------------------------------------
root2 = sqrt(1 + beta**2)
odds = (beta + root2) ** 2 * exp(-2 * root2 / beta)  # the odds of p*(β)
threshold = (beta + root2) ** 2 / ((beta + root2) ** 2 + exp(2 * root2 / beta))
lowest = 2 * root2 / beta - 2 * log(beta + root2)  # h(x*) at p = ½

claim(
    "vy-B2-h-minimum",
    Every(
        On(unit, OnlyMaximum(h(), x, star, -1, label="h is smallest at x*").by(RiseAndFall(given=(shape_of_h,)))),
        On(unit.also(Eq(x, star)), Equal(h(), logit_p + lowest, label="its value there")),
    ),
    parameters,
    because=(
        Equal(h(star), logit_p + lowest, label="h(x*)"),
        Equal(star / (1 - star), (beta + root2) ** 2, label="the odds of x*"),
        Equal(1 / (beta * sqrt(star * (1 - star))), 2 * root2 / beta, label="the reward part at x*"),
        Equal(h(star), logit_p - log(odds), label="h(x*) as the log-odds of p minus those of p*(β)"),
        Equal(threshold / (1 - threshold), odds, label="the odds of p*(β)"),
    ),
    depends_on=["vy-B2-h-monotone"],
    locator="App B.2, large groups",
    title="The minimum of h, in closed form",
)

by_odds = SignOfDerivative(form=threshold * (1 - threshold) * 2 * root2 / beta**2)
by_threshold = StrictlyMonotone(1, (0, 1), shape=by_odds)
claim(
    "vy-B2-threshold",
    Every(
        Monotone(threshold, beta, 1, label="p*(β) increases").by(by_odds),
        Tends(threshold, beta, 0, 0, label="from 0"),
        Tends(threshold, beta, oo, 1, "-", label="to 1"),
    ),
    Domain(beta > 0),
    because=(
        On(
            Domain(0 < p, p < 1),
            OneRoot(threshold, beta, 0, oo, p, label="each p is the threshold of one β").by(by_threshold),
        ),
        Tends(lowest, beta, 0, oo, label="h(x*) at p = ½ as β → 0"),
        Tends(lowest, beta, oo, -oo, "-", label="h(x*) at p = ½ as β → ∞"),
        On(
            Domain(0 < p, p < 1),
            OneRoot(lowest, beta, 0, oo, -logit_p, label="each p is the threshold of one β: h(x*) = 0").by(
                StrictlyMonotone(-1, (oo, -oo))
            ),
        ),
        Equal(diff(lowest, beta), -2 * root2 / beta**2, label="the derivative of h(x*) in β"),
        Always(-2 * root2 / beta**2 < 0, label="negative, so p*(β) increases: its log-odds are −h(x*) at p = ½"),
        Tends(1 / (1 + exp(u)), u, oo, 0, "-", label="p* → 0 as β → 0"),
        Tends(1 / (1 + exp(u)), u, -oo, 1, "+", label="p* → 1 as β → ∞"),
    ),
    kind="monotonicity",
    depends_on=["vy-B2-h-minimum"],
    locator="App B.2, large groups",
    title="The threshold p*(β) and its range",
    remark="p*(β) = 1/(1 + e^{h(x*)}) with h(x*) taken at p = ½. Its inverse, the β whose threshold is p, is small "
    "for rare answers: it tends to 0 with π_ref(a).",
)

# -- no stationary policy: β < β*(p) ----------------------------------------------------------------------------------
ODDS = Domain(0 < p, p < 1, u > 0)  # u stands for the odds of p*(β)
compared = (log_increasing(u, p / (1 - p)), log_increasing(p / (1 - p), u))

above_odds, below_odds = (
    Always(
        Equivalent(sign_of(logit_p - log(u), 0), sign_of(p, u / (1 + u))),
        using=compared,
        label=label,
    )
    for sign_of, label in ((Gt, "h(x*) > 0 exactly when p > p*(β)"), (Lt, "two zeros exactly when p < p*(β)"))
)


def by_threshold_odds(in_odds):
    """How h(x*) compares with 0, as p does with p*(β), from what is so of any odds u."""
    return Then(
        (
            Equal(h(star), logit_p - log(odds), label="the minimum by the odds of p*(β)"),
            Equal(odds / (1 + odds), threshold, label="which are these"),
            Always(in_odds.formula.subs(u, odds), label="compared").by(
                InLetters(in_odds, ODDS, {u: odds, p: p}, positive)
            ),
        )
    )


positive = (exp_positive(-2 * root2 / beta),)
least_of_h = claim(
    "vy-B2-h-positive-small-beta",
    Every(
        Always(Equivalent(h(star) > 0, p > threshold), label="h(x*) > 0 exactly for p > p*(β)").by(
            by_threshold_odds(above_odds)
        ),
        On(unit, OnlyMaximum(h(), x, star, -1, label="h is at least h(x*)").by(RiseAndFall(given=(shape_of_h,)))),
    ),
    parameters,
    because=(
        On(ODDS, above_odds),
        On(Domain(beta > 0), Equal((u / (1 + u)).subs(u, odds), threshold, label="u/(1 + u) is p*(β)")),
        On(
            Domain(0 < p, p < 1),
            Tends(logit_p + lowest, beta, 0, oo, label="so h(x*) > 0 for every p, once β is small enough"),
        ),
    ),
    kind="inequality",
    depends_on=["vy-B2-h-minimum", "vy-B2-threshold", "vy-B2-h-monotone"],
    locator="App B.2, large groups",
    title="Positivity of h above the threshold p*(β)",
    printed=r"\text{If }\beta\text{ is small enough, then }h(x)>0\text{ for every }x\in[0,1]",
    judged=imprecise(
        "On the open interval, for h has no value at 0 and 1, and with a bound on β that depends on π_ref(a). No bound "
        "does for every π_ref(a): for every β there are p < p*(β), where h(x*) < 0.",
        Always(h() > 0),
        unit.also(beta <= 1),
    ),
)

# -- two stationary policies: β > β*(p) -------------------------------------------------------------------------------
below_zero = parameters.also(h(star) < 0)
claim(
    "vy-B2-two-roots",
    Every(
        On(
            below_zero,
            OneRoot(h(), x, 0, star, label="one zero before x*").by(
                StrictlyMonotone(-1, (oo, h(star)), given=(shape_of_h,))
            ),
        ),
        On(
            below_zero,
            OneRoot(h(), x, star, 1, label="and one after it").by(
                StrictlyMonotone(1, (h(star), oo), given=(shape_of_h,))
            ),
        ),
        Always(Equivalent(h(star) < 0, p < threshold), label="where p < p*(β)").by(by_threshold_odds(below_odds)),
        On(
            Domain(0 < p, p < 1),
            Tends(h(star), beta, oo, -oo, "-", label="so two for every p, once β is large enough"),
        ),
    ),
    parameters,
    because=(
        On(ODDS, below_odds),
        On(Domain(u > 0), Equal(logit_p.subs(p, u / (1 + u)), log(u), label="the log-odds of p = p*(β) are log u")),
        On(Domain(beta > 0), Equal((u / (1 + u)).subs(u, odds), threshold, label="u/(1 + u) is p*(β)")),
    ),
    kind="uniqueness",
    depends_on=["vy-B2-h-monotone", "vy-B2-h-limits", "vy-B2-h-minimum", "vy-B2-threshold"],
    locator="App B.2, large groups",
    title="Number of the zeros of h, and their place",
    printed=r"\text{if }\beta\text{ is sufficiently large, then there exist two values of }\pi_\theta(a\mid q)\text{ "
    r"that satisfy }h(\pi_\theta(a\mid q))=0",
    remark="The bound on β depends on π_ref(a), as in vy-B2-h-positive-small-beta. No bound does for every π_ref(a): "
    "for every β there are p > p*(β), where h has no zero. With two zeros the larger exceeds x* > ½. The threshold is "
    "exact: β*(p) is the inverse of p*(β).",
)

claim(
    "vy-s3-duplicate-phrase",
    Every(
        Monotone(logit_p + lowest, beta, -1, label="the minimum of h decreases in β"),
        On(Domain(0 < p, p < 1), Tends(logit_p + lowest, beta, oo, -oo, "-", label="below every bound")),
    ),
    parameters,
    kind="monotonicity",
    depends_on=["vy-B2-two-roots"],
    locator="Sec 3, direct KL",
    title="The minimum of h as a function of β",
)

# -- numbers, by exact changes of sign --------------------------------------------------------------------------------
millionth = Rational(1, 10**6)
even = {p: Rational(1, 2), beta: 2}
near = Domain(0 < x, x < y, y < 1, 0 < p, p < 1, beta > 0)
lower_zero, upper_zero = 764727 * millionth, 985986 * millionth
above_half = 1508880 * millionth
root_there = root2.subs(beta, above_half)

claim(
    "vy-B2-threshold-half",
    Every(
        TakesValue(
            threshold,
            beta,
            1508879 * millionth,
            above_half,
            Rational(1, 2),
            label="p*(β) = ½ between 1.508879 and 1.508880",
        ).by(
            IntermediateValue(rising=True),
            hint=(Gt(root_there, floor(root_there / millionth**2) * millionth**2, evaluate=False),),
        ),
        OneRoot(threshold, beta, 0, oo, Rational(1, 2), label="p*(β) = ½ for one β only").by(by_threshold),
    ),
    Domain(),
    because=(
        TakesValue(
            lowest,
            beta,
            1508879 * millionth,
            1508880 * millionth,
            label="at p = ½, h(x*) = 0 between 1.508879 and 1.508880",
        ),
        OneRoot(lowest, beta, 0, oo, label="at p = ½, h(x*) = 0 for one β only").by(StrictlyMonotone(-1, (oo, -oo))),
    ),
    kind="existence",
    depends_on=["vy-B2-threshold"],
    locator="App B.2, large groups",
    title="The threshold β*(½) to six decimals",
    remark="With β = sinh θ the condition is coth θ = θ, so β*(½) is the reciprocal of the Laplace limit 0.66274…",
)

claim(
    "vy-B2-two-roots-example",
    Every(
        TakesValue(h().subs(even), x, lower_zero, lower_zero + millionth, label="the lower one"),
        TakesValue(h().subs(even), x, upper_zero, upper_zero + millionth, label="the upper one"),
    ),
    Domain(),
    kind="existence",
    depends_on=["vy-B2-two-roots"],
    locator="App B.2, large groups",
    title="Two zeros of h, for a reference of ½ and a β of 2",
)
