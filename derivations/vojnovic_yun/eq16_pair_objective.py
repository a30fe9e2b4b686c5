"""Two answers, groups of two: the objective that equation (14) starts from.

Statement.   The expected reward preference is γ (x − y), whatever the rewards: only the margin γ = P(a≻b) − P(b≻a)
             enters. With the penalty KL_0 the objective is γ x − β (y p/x + (1−y)(1−p)/(1−x) + y log x + (1−y)
             log(1−x)) + const.
Source.      Vojnovic & Yun (2025), Appendix B.1, the display before (16), and (16); Section 2.3.1, "Without loss of
             generality".
Domain.      x, y, p in (0, 1); stochastic rewards, described by the probabilities that a is rewarded more, alike or
             less than b.
Derivation.  pairs of answers enumerated → expected signs → collected in the margin → the penalty added.
Caveat.      Rewards enter through P(a≻b) and P(b≻a) only, so nothing here assumes that they are deterministic or that
             there are no ties.
Letters.     x and y are policy and sampler on two answers, p is π_ref(a); w_> and w_< are the chances that a is
             rewarded more and less than b, γ their difference, the margin, u and v those that one reward of a, or of b,
             exceeds another of it. x(i) is a difference of two rewards, of the chance p(i), and t any such. s and t are
             also two rewards in order. Where the answers are exchanged z, ζ, q and ψ stand for x, y, p and γ.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

policy, old, reference = binary(x), binary(y), binary(p)
inside = Domain(0 < x, x < 1, 0 < y, y < 1)
chances = inside.also(
    0 <= w_win, w_win <= 1, 0 <= w_lose, w_lose <= 1, w_win + w_lose <= 1, 0 <= u, 2 * u <= 1, 0 <= v, 2 * v <= 1
)

# Four ordered pairs (o, o'). Two independent rewards of one answer win against each other equally often: u for a, v for
# b.
EXPECTED_SIGN = {
    (0, 0): pairwise_sign(u, u),
    (0, 1): pairwise_sign(w_win, w_lose),
    (1, 0): pairwise_sign(w_lose, w_win),
    (1, 1): pairwise_sign(v, v),
}

d = Derivation("vy-eq16", chances)
preference = d.start(
    sum(policy[o] * old[o2] * expected for (o, o2), expected in EXPECTED_SIGN.items()),
    "E[P_2(o | π_old)]: o from the policy, o' from the old policy, expected sign of the reward difference",
)
signs = d.rewrite(preference, (policy[0] * old[1] - policy[1] * old[0]) * (w_win - w_lose), "equal answers cancel")
d.rewrite(signs, (w_win - w_lose) * (x - y), "equation (16)")

claim(
    "vy-B1-sign-decomposition",
    Equal(preference, (x * (1 - y) - (1 - x) * y) * pairwise_sign(w_win, w_lose)),
    chances,
    locator="App B.1, first display",
    title="Expected preference of a pair as a multiple of the expected sign",
    printed=(
        r"\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[\mathcal P_2(o\mid\pi_{\theta_{\mathrm{old}}}(\cdot\mid q),q)]"
        r"\text{ … }=(\pi_\theta(a\mid q)\pi_{\theta_{\mathrm{old}}}(b\mid q)-\pi_\theta(b\mid q)\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q))\times\mathbb E[\mathrm{sign}(r_1-r_2)\mid o_1=a,o_2=b,q]"
    ),
    remark="The terms with o = o' are not printed; they vanish because two rewards of one answer are exchangeable.",
)

claim(
    "vy-B1-difference",
    Equal(policy[0] * old[1] - policy[1] * old[0], x - y),
    inside,
    locator="App B.1, second display",
    title="Difference of products as a difference of probabilities",
    printed=(
        r"\pi_\theta(a\mid q)\pi_{\theta_{\mathrm{old}}}(b\mid q)-\pi_\theta(b\mid q)\pi_{\theta_{\mathrm{old}}}(a\mid "
        r"q)\text{ … }=\pi_\theta(a\mid q)-\pi_{\theta_{\mathrm{old}}}(a\mid q)"
    ),
)

above, below = Piecewise((1, t > 0), (0, True)), Piecewise((1, t < 0), (0, True))


def each(term):
    """The expectation of a term in the difference t of the two rewards."""
    return Sum(world[i] * term.subs(t, datum[i]), (i, 1, n))


claim(
    "vy-B1-Esign-gamma",
    Equal(each(sign(t)), each(above) - each(below), label="on average").by(EqualTerms()),
    Domain(simplex(world, n), reals(datum, n), n >= 1),
    because=(
        On(
            Domain(t),
            Always(Eq(sign(t) - above + below, 0), label="the sign of a difference is one event minus the other"),
        ),
    ),
    locator="App B.1",
    title="Expected sign of the reward difference and the margin",
    printed=r"\mathbb E[\mathrm{sign}(r_1-r_2)\mid o_1=a,o_2=b,q]=\gamma_{a,b}",
    remark=(
        "For any joint law of the two rewards with finitely many values: their difference is x(i) with the probability "
        "p(i)."
    ),
)

claim(
    "vy-eq16",
    Equal(preference.subs(w_win, w_lose + gamma), gamma * (x - y)),
    inside.also(
        0 <= w_lose,
        w_lose <= 1,
        0 <= w_lose + gamma,
        2 * w_lose + gamma <= 1,
        gamma >= -1,
        gamma <= 1,
        0 <= u,
        2 * u <= 1,
        0 <= v,
        2 * v <= 1,
    ),
    by=d,
    locator="App B.1, (16)",
    title="Reward preference of a pair",
    printed=(
        r"\mathbb E_{o\sim\pi_\theta(\cdot\mid q)}[\mathcal P_2(o\mid\pi_{\theta_{\mathrm{old}}}(\cdot\mid q),q)]="
        r"\gamma_{a,b}(\pi_\theta(a\mid q)-\pi_{\theta_{\mathrm{old}}}(a\mid q))"
    ),
    depends_on=["vy-B1-sign-decomposition", "vy-B1-difference", "vy-B1-Esign-gamma"],
)

# The objective as the engine builds it from its parts, against the print; "const" may depend on the old policy, not on
# x.
objective = grpo(beta, group_size=2).with_margin(policy, old, reference, gamma)
printed = gamma * x - beta * (y * p / x + (1 - y) * (1 - p) / (1 - x) + y * log(x) + (1 - y) * log(1 - x))
regular = inside.also(0 < p, p < 1, beta > 0, gamma >= -1, gamma <= 1)

claim(
    "vy-B1-objective",
    Equal(objective - printed, (objective - printed).subs(x, p)),
    regular,
    locator="App B.1, display after (16)",
    title="The objective of a pair, up to a constant",
    depends_on=["vy-eq16"],
    printed=(
        r"\mathcal J_{GRPO}(\pi_\theta(a\mid q)\mid q)=\gamma_{a,b}\pi_\theta(a\mid q)-\beta\Big(\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)\frac{\pi_{\mathrm{ref}}(a\mid q)}{\pi_\theta(a\mid q)}+(1-\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q))\frac{1-\pi_{\mathrm{ref}}(a\mid q)}{1-\pi_\theta(a\mid q)}+\pi_{\theta_{"
        r"\mathrm{old}}}(a\mid q)\log(\pi_\theta(a\mid q))+(1-\pi_{\theta_{\mathrm{old}}}(a\mid q))\log(1-\pi_\theta(a"
        r"\mid q))\Big)+\mathrm{const.}"
    ),
    remark="The difference has the same value at every x; the constant depends on y, p, β and γ.",
)

# Exchanging the answers is a symmetry of the objective, so assuming γ ≥ 0 loses nothing.
mirror = {x: 1 - x, y: 1 - y, p: 1 - p, gamma: -gamma}
renamed = {x: z, y: zeta, p: q, gamma: psi}
exchanged = regular.also(*(Eq(renamed[letter], value) for letter, value in mirror.items()))
claim(
    "vy-s231-wlog",
    On(
        exchanged,
        Equal(
            objective,
            objective.subs(renamed, simultaneous=True),
            label="the objective, and that with the answers exchanged",
        ),
    ),
    regular,
    because=(
        Equal(
            objective,
            objective.subs(mirror, simultaneous=True),
            label="the objective, and that at 1 − x, 1 − y, 1 − p and −γ",
        ),
    ),
    locator="Sec 2.3.1",
    title="Symmetry of the objective of a pair in its answers",
    kind="convention",
    printed=r"\text{Without loss of generality, assume that }\mathcal P(a\succ b\mid q)>\mathcal P(b\succ a\mid q)",
    remark="A tie, γ = 0, is treated apart (vy-B1-gamma0).",
)

# Deterministic rewards.
r_high, r_low = s, t
win = Advantage().of_group((r_high, r_low))
claim(
    "vy-s231-deterministic-gamma1",
    Equal(win[0], 1, label="the better answer"),
    Domain(r_high > r_low),
    because=(Equal(win[1], -1, label="the other"),),
    locator="Sec 2.3.1",
    title="Margin of deterministic rewards",
    printed=(
        r"\text{In the case of deterministic rewards such that }r(a\mid q)>r(b\mid q)\text{, }\mathcal P(a\succ b\mid "
        r"q)=1\text{, and thus }\gamma_{a,b}=1"
    ),
    remark="In a pair with b the advantage of a is 1 with certainty, that of b −1: the expectation of the "
    "first, the margin, is 1.",
)

ordered = grpo(beta, group_size=2)
claim(
    "vy-s231-rank-invariance",
    Every(
        *(
            Equal(
                ordered.advantage.of_group((s, t))[place],
                ordered.advantage.of_group((r_a, r_b))[place],
                label=f"any other rewards in the same order: {which}",
            )
            for place, which in enumerate(("the better answer", "the other one"))
        ),
    ),
    Domain(s > t, r_a > r_b),
    depends_on=["vy-s231-deterministic-gamma1", "vy-eq16"],
    locator="Sec 2.3.1",
    title="Groups of two and the ranking of deterministic rewards",
    printed=(r"\text{The preference aggregation depends solely on the comparison of the rewards.}"),
    remark=(
        "The paper says it for deterministic rewards. For stochastic rewards the margin matters, a number and "
        "not a ranking (vy-s231-increasing-gamma)."
    ),
)
