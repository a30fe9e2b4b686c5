"""The success probability of the next policy: the recursion p_n = h(p_{n−1}).

Statement.   The policy of Theorem 1 succeeds with probability h(p) = 1/(1 + (1 − p_ref)/p_ref · exp(−1/(β √(p(1 − p)
             + ε)))), where p is the success probability of the policy that sampled.
Source.      Mroueh (2025), Theorem 2 and Remark 1; Appendix A, proof of Theorem 2.
Domain.      0 ≤ p ≤ 1, 0 < p_ref < 1 (p_ref = 1 apart), β, ε > 0; any finite number of correct and of wrong answers.
Derivation.  Theorem 1's policy summed over the correct answers → divided by Z: (9) → by its own numerator → ω⁺ + ω⁻ =
             1/√(p(1 − p) + ε).
Caveats.     The recursion is about the exact maximiser and the population p. At ε = 0 it depends on a convention at p
             = 0 and p = 1.
Letters.     h is the map of the success p, ω⁺ and ω⁻ are the weights of correct and of wrong answers, π_ref⁺ and π_ref⁻
             the reference on the n₊ correct and on the n₋ wrong ones. v stands for Z in the policy of Theorem 1; u is
             the square root of the odds p/(1 − p); y is the success on another question.
"""

from grpo_symbolic.paper import *

from .thm1_policy import Z, policy_hit, w_minus, w_plus

claim = Result(__file__).claim

unit = Domain(0 <= success, success <= 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0)

d = Derivation("mr-thm2-h", unit)
share = d.start(success_ref * exp(w_plus / beta) / Z, "p_n is the part of Z that the correct answers make")
root = sqrt(success * (1 - success) + guard)
gap = expand((w_plus + w_minus) * root) / root  # ω⁺ + ω⁻
odds = (1 - success_ref) / success_ref * exp(-gap / beta)  # of failure
h = d.rewrite(share, 1 / (1 + odds), "divided by the numerator")

printed_h = 1 / (1 + (1 - success_ref) / success_ref * exp(-1 / (beta * sqrt(success * (1 - success) + guard))))
up, down = exp((1 - success) / (beta * root)), exp(-success / (beta * root))
references = simplex(hit_ref, n_hit, success_ref), simplex(miss_ref, n_miss, 1 - success_ref)
families = unit.also(*references, n_hit >= 1, n_miss >= 1)
# p_n: the policy of Theorem 1, its normaliser put in, summed over the correct answers.
answered = Sum(policy_hit.subs(v, Z), (o, 1, n_hit))

# -- the proof, step by step ------------------------------------------------------------------------------------------
claim(
    "mr-pf2-chain",
    Equal(answered, success_ref * exp(w_plus / beta) / Z, label="p_n"),
    families,
    because=(
        Equal(
            answered,
            exp(w_plus / beta) / Z * Sum(hit_ref[o], (o, 1, n_hit)),
            label="one factor for all correct answers",
        ),
        Equal(
            answered,
            success_ref
            * exp(w_plus / beta)
            / (success_ref * exp(w_plus / beta) + (1 - success_ref) * exp(-w_minus / beta)),
            label="with Z written out",
        ),
        Always(And(share > 0, share < 1), label="inside (0, 1)"),
    ),
    depends_on=["mr-thm1-policy", "mr-thm1-Z"],
    locator="App A, proof of Theorem 2",
    title="p_n as a share of the normaliser",
    printed=r"p_n(q)\text{ … }=\frac{p_{\mathrm{ref}}(q)\exp(\frac1\beta\omega_\varepsilon^+(p_{n-1}(q)))}{Z_{n-1}(q)}",
)


def with_weights(other_rate):
    """The right side of (9), with one of its p_{n−1} free."""
    first = exp((1 - other_rate) / (beta * root))
    return success_ref * up / (success_ref * first + (1 - success_ref) * down)


claim(
    "mr-eq9",
    On(families, Equal(answered, with_weights(success), label="p_n")),
    unit,
    because=(Always(And(share > 0, share < 1), label="inside (0, 1)"),),
    by=d,
    depends_on=["mr-pf2-chain"],
    locator="App A, (9)",
    title="The weights put in",
    printed=(
        r"p_n(q)=\frac{p_{\mathrm{ref}}\exp\big(\frac1\beta\big(\frac{1-p_{n-1}(q)}{\sqrt{p_{n-1}(q)(1-p_{n-1}(q))+"
        r"\varepsilon}}\big)\big)}{p_{\mathrm{ref}}\exp\frac1\beta\big(\frac{1-p_{n-1}(1)}{"
        r"\sqrt{p_{n-1}(q)(1-p_{n-1}(q))+\varepsilon}}\big)+(1-p_{\mathrm{ref}})\exp\frac1\beta\big(-\frac{p_{n-1}(q)}{"
        r"\sqrt{p_{n-1}(q)(1-p_{n-1}(q))+\varepsilon}}\big)}"
    ),
    judged=misprint(
        "p_{n−1}(1) in the denominator, for p_{n−1}(q). Were 1 another question, with success probability y ≠ p there, "
        "the sides would differ."
        " So in the copy that was read.",
        Equal(share, with_weights(y)),
        unit.also(0 < y, y < 1),
    ),
)

claim(
    "mr-pf2-simplify",
    Equal(
        share,
        1 / (1 + (1 - success_ref) / success_ref * exp((-success / root - (1 - success) / root) / beta)),
        label="first line",
    ),
    unit,
    because=(
        Equal(-success / root - (1 - success) / root, -1 / root, label="the numerators add to one"),
        Equal(w_plus + w_minus, 1 / root, label="ω⁺ + ω⁻"),
        Always(odds > 0, label="the odds of failure are positive: nothing is divided by zero"),
    ),
    by=d,
    depends_on=["mr-eq9"],
    locator="App A, proof of Theorem 2",
    title="The simplification in two lines",
    printed=r"h_{\varepsilon,p_{\mathrm{ref}}}(p)=\frac1{1+\frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}\exp\frac1\beta"
    r"\Big(\frac{-p}{\sqrt{p(1-p)+\varepsilon}}-"
    r"\frac{1-p}{\sqrt{p(1-p)+\varepsilon}}\Big)}",
)

# -- Theorem 2 --------------------------------------------------------------------------------------------------------
claim(
    "mr-thm2-h",
    Every(
        On(families, Equal(answered, printed_h, label="the success of the policy of Theorem 1")),
        Equal(h, printed_h, label="h as printed"),
        Equal(
            log(h / (1 - h)),
            log(success_ref / (1 - success_ref)) + 1 / (beta * root),
            label="in log-odds: those of p_ref plus (ω⁺ + ω⁻)/β",
        ),
    ),
    unit,
    by=d,
    depends_on=["mr-pf2-chain", "mr-eq9", "mr-pf2-simplify"],
    locator="Sec 3, Theorem 2, (8)",
    title="The recursion of the success probability",
    printed=(
        r"\text{Assume }p_{\mathrm{ref}}>0\text{, define for }\beta>0\text{: }h_{\varepsilon,p_{\mathrm{ref}}}(p)="
        r"\frac1{1+\frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}\exp\big(-\frac1\beta\frac1{\sqrt{p(1-p)+\varepsilon}}"
        r"\big)}\text{ The probability of success along GRPO's iteration satisfies the following fixed point iteration "
        r"i.e we have almost surely for all }q\text{ for }n\ge1\ p_n(q)=h_{\varepsilon,p_{\mathrm{ref}}(q)}(p_{n-1}(q))"
    ),
    remark=(
        "For one question, whatever p_{n−1} in [0, 1]: “almost surely for all q” is every q with 0 < p_ref(q) < 1, and "
        "those with p_ref(q) = 1 by mr-thm2-assumption. Finitely many answers; countably many: mr-thm2-countable."
    ),
)

first = exp(-1 / (beta * root.subs(success, success_ref)))
start = Sum(hit_ref[o] * 1, (o, 1, n_hit)) + Sum(miss_ref[o] * 0, (o, 1, n_miss))
claim(
    "mr-thm2-p0",
    Every(
        Equal(start, success_ref, label="the reward's mean under π_0 = π_ref"),
        On(
            unit,
            Equal(
                h.subs(success, success_ref) - success_ref,
                success_ref * (1 - success_ref) * (1 - first) / (success_ref + (1 - success_ref) * first),
                label="the first step",
            ),
        ),
    ),
    families,
    because=(
        On(
            unit,
            Equal(log(first), -1 / (beta * root.subs(success, success_ref)), label="the exponent of the first step"),
        ),
        On(
            unit,
            Always(
                And(-1 / (beta * root) < 0, success_ref * (1 - success_ref) > 0),
                label="the exponent is negative for every p, and p_ref(1 − p_ref) is positive",
            ),
        ),
        On(
            unit,
            Always(
                first < 1,
                using=(exp_sign(-1 / (beta * root.subs(success, success_ref))),),
                label="the exponential is below 1, so the first step goes up",
            ),
        ),
    ),
    depends_on=["mr-thm2-h"],
    locator="Sec 2.4; Sec 3, Theorem 2",
    title="The start of the recursion and its first step",
    printed=(
        r"\text{We assume all throughout the paper that }\pi_0=\pi_{\mathrm{ref}}\text{. … and }p_0(q)=p_{"
        r"\mathrm{ref}}(q)"
    ),
)

up_to_one = Domain(0 <= success, success <= 1, 0 < success_ref, success_ref <= 1, beta > 0, guard > 0)
claim(
    "mr-thm2-assumption",
    Equal(share, printed_h, label="for all p_ref > 0"),
    up_to_one,
    because=(
        Always(share > 0, label="the left side is positive"),
        Equal(share.subs(success_ref, 1), 1, label="h at p_ref = 1, where every policy succeeds"),
        Equal(
            share.subs(success_ref, 0),
            0,
            label="the left side at p_ref = 0, where no policy succeeds and h is not defined",
        ),
        On(
            Domain(0 <= success, success <= 1, beta > 0, guard > 0),
            Tends(printed_h, success_ref, 0, 0, label="the limit of h as p_ref vanishes"),
        ),
    ),
    kind="convention",
    depends_on=["mr-eq9"],
    locator="Sec 3, Theorem 2; App A, its proof",
    title="The recursion at p_ref up to 1",
    printed=r"\text{We assume here that }0<p_{\mathrm{ref}}<1",
    judged=redundant_hypothesis(
        "Theorem 2 asks for p_ref > 0 only, and holds for p_ref = 1 too, where h is the constant 1. What needs the "
        "assumption is Proposition 1, where h is strictly monotone on either side of ½.",
        unit,
        {success: Rational(1, 2), success_ref: Integer(1), beta: Integer(1), guard: Integer(1)},
    ),
)

# -- Remark 1: no smoothing -------------------------------------------------------------------------------------------
raw = h.subs(guard, 0)
rates = Domain(0 < success_ref, success_ref < 1, beta > 0)
# Where all rewards are equal the advantages are 0/0 ≡ 0: p_n is what it is with both weights zero.
untouched = success_ref * exp(0 / beta) / (success_ref * exp(0 / beta) + (1 - success_ref) * exp(-0 / beta))
conventional = Piecewise((untouched, Or(Eq(success, 0), Eq(success, 1))), (raw, True))
extended = Piecewise((1, Or(Eq(success, 0), Eq(success, 1))), (raw, True))
inside = rates.also(0 < success, success < 1)
closed = Domain(0 <= success, success <= 1, 0 < success_ref, success_ref < 1, beta > 0)
# u² are the odds of p: 1/√(p(1 − p)) = u + 1/u, and a fixed point is where the log-odds are 2 log u.
by_odds = Domain(u > 0, 0 < beta, beta <= Rational(1, 2), Rational(1, 2) <= success_ref, success_ref < 1)
excess = (u + 1 / u) / beta + log(success_ref / (1 - success_ref)) - 2 * log(u)

claim(
    "mr-rem1-discontinuity",
    Every(
        On(rates, Tends(raw, success, 0, 1, label="limit at 0")),
        On(rates, Tends(raw, success, 1, 1, "-", label="limit at 1")),
        When(
            Or(Eq(success, 0), Eq(success, 1)),
            Always(
                And(Eq(conventional, success_ref), conventional < 1), label="0/0 ≡ 0: the value p_ref, not the limit"
            ),
        ),
    ),
    closed,
    because=(
        On(inside, Equal(raw, raw.subs(success, 1 - success), label="h at p and at 1 − p")),
        When(Eq(success, 1), Always(Eq(extended, success), label="1/0 = ∞: the value 1 at p = 1, which is fixed")),
    ),
    kind="limit",
    depends_on=["mr-thm2-h"],
    locator="Sec 3, Remark 1",
    title="h without smoothing at the ends 0 and 1",
    printed=r"\text{if }\varepsilon=0,\ h_{\varepsilon,p_{\mathrm{ref}}}\text{ is no longer continuous at }0\text{ and "
    r"}1",
    judged=imprecise(
        "h has no value at 0 and 1 for ε = 0. Advantages 0/0 ≡ 0 give p_ref there, against the limit 1: "
        "not continuous. "
        "The formula, with exp(−∞) = 0, gives this limit, and is continuous.",
        Always(Ne(extended, 1)),
        closed.also(Eq(success, 0)),
    ),
)

low_beta = inside.also(beta <= Rational(1, 2), Rational(1, 2) <= success_ref)
raw_gain = 1 / (beta * sqrt(success * (1 - success)))
risen = exp(raw_gain) * success_ref * (1 - success) / ((1 - success_ref) * success)  # odds of h(p) over those of p
in_odds = {u: sqrt(success / (1 - success))}
positive_excess = Always(
    excess > 0, using=(log_below_tangent(u), log_sign(success_ref / (1 - success_ref))), label="in u, their logarithm"
)
by_excess = ByDifference(excess.subs(in_odds), InLetters(positive_excess, by_odds, in_odds))
rises = Always(log(risen) > 0, label="log-odds rise").by(by_excess)
claim(
    "mr-rem1-no-fixed-point",
    Every(
        On(
            low_beta,
            Always(raw > success, label="h(p) > p inside (0, 1)").by(
                Then(
                    (Always(log(risen) > 0, label="log-odds rise").by(by_excess),),
                    (log_sign(risen), exp_sign(raw_gain)),
                )
            ),
        ),
        When(
            Or(Eq(success, 0), Eq(success, 1)),
            Always(And(conventional > 0, conventional < 1), label="advantages 0/0 read as 0: not at the ends either"),
        ),
    ),
    closed,
    kind="existence",
    depends_on=["mr-rem1-discontinuity"],
    locator="Sec 3, Remark 1",
    title="Fixed points without smoothing, advantages 0/0 read as 0",
    printed=(
        r"\text{if }\varepsilon=0\text{, }h_{\varepsilon,p_{ref}}\text{ is no longer continuous at 0 and 1 and we can "
        r"no longer guarantee existence of fixed points on [0, 1]}"
    ),
    judged=imprecise(
        "True where advantages 0/0 are read as 0, by which h is p_ref at both ends. Extended by its limit h is "
        "continuous, and p = 1 is a fixed point whatever β and p_ref are (whether h is continuous: "
        "mr-rem1-discontinuity).",
        Always(Ne(extended, success)),
        Domain(
            0 < success, success <= 1, Rational(1, 2) <= success_ref, success_ref < 1, 0 < beta, beta <= Rational(1, 2)
        ),
    ),
    remark=(
        "For ε = 0 fixed points inside are the stationary policies of Vojnovic & Yun's direct-KL variant with large "
        "groups (br-mr-vy-fixed-points); how many there are: br-mr-vy-count."
    ),
)
