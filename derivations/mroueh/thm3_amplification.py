"""Theorem 3: the fixed points of GRPO amplify the probability of success.

Statement.   h(p) > p_ref for every p in [0, 1], so every fixed point, and every iterate after the first, exceeds p_ref.
             Exactly: logit h(p) = logit p_ref + 1/(β√(p(1−p)+ε)).
Source.      Mroueh (2025), Theorem 3, Figure 3 and the sentence after it; abstract; contribution (4).
Domain.      0 < p_ref < 1, β > 0, ε > 0, 0 ≤ p ≤ 1. No condition on β. At ε = 0 the same for 0 < p < 1.
Derivation.  success map h → its odds → the exponential factor is below one → h(p) > p_ref → its least and greatest
             value → limits in β → condition (2) for itself.
Caveats.     p_ref < 1 is needed: for p_ref = 1 the map is constant one, and nothing is left to amplify. The paper's
             condition (2) is sufficient and never needed; it fails only for p_ref > ½ + 1/√5 ≈ 0.947 and β between two
             bounds, so it does not keep β away from zero, as the paper says it does.
Letters.     v is the gain 1/(β√(p(1 − p) + ε)); u and z are two values of the factor exp(−v) of h; x is 1/β. s is what
             a trainer divides rewards by. In condition (2) c is the exponent of h(½) times β/2, t is c/β, ψ is the
             right side, and β₁ a second β; p* is a fixed point, and p_n what the recursion gives after n steps.
"""

from grpo_symbolic.paper import *

from .prop1_map import minimum
from .thm2_recursion import h

claim = Result(__file__).claim

P, half = success_ref, Rational(1, 2)
setting = Domain(0 < P, P < 1, beta > 0, guard > 0)
domain = setting.also(0 <= success, success <= 1)
deviation = sqrt(success * (1 - success) + guard)
exponent = -1 / (beta * deviation)
gain = Eq(v, 1 / (beta * deviation))  # what the exponent of h is called below
h_of_gain = h.subs(exponent, -v)
fixing = success * exp(exponent) / (1 - success + success * exp(exponent))  # the p_ref for which p is a fixed point
at_fixed_points = Domain(0 < success, success < 1, beta > 0, guard > 0)


def odds(chance):
    return chance / (1 - chance)


def amplified(where, at="p"):
    """h(p) > p_ref, with v = 1/(β√(p(1 − p) + ε)) in h; ``at`` is what p is there."""
    return On(where.also(gain), Always(h_of_gain > P, using=(exp_sign(v),), label=f"h({at}) exceeds p_ref"))


def gains(where):
    """h(p) > p_ref, as it stands."""
    return On(where, Always(h > P, using=(exp_sign(exponent),), label="h(p) > p_ref"))


def exceeds(where):
    """Every fixed point of h exceeds p_ref."""
    return On(
        where,
        Always(
            Implies(Eq(h, success), success > P), using=(exp_sign(exponent),), label="every fixed point p exceeds p_ref"
        ),
    )


# The one fact behind amplification: the exponential factor of h is below one, whatever the sampling policy.
claim(
    "mr-thm3-every-p",
    gains(domain),
    domain,
    because=(amplified(domain),),
    kind="inequality",
    depends_on=["mr-thm2-h"],
    locator="Sec 4, Theorem 3",
    title="Success after one iteration, from a policy of success p",
    remark="In particular p_n > p_ref for every n ≥ 1, not only in the limit, and without convergence.",
)

claim(
    "mr-abs-amplify",
    gains(domain) & exceeds(domain),
    domain,
    because=(amplified(domain),),
    kind="inequality",
    depends_on=["mr-thm3-every-p"],
    locator="Abstract; Introduction, contribution (4)",
    title="Success at a fixed point, against the reference",
    printed=r"\text{the fixed point }p^*\text{ is guaranteed to be larger than }p_0",
    remark="p_ref < 1 is asked for by Theorem 3, which the sentence sums up; for p_ref = 1 p* = p_ref. "
    "No condition on β is needed, and the guarantee stands even where the recursion does not converge.",
)

claim(
    "mr-thm3-case1",
    exceeds(domain.also(P <= half)),
    domain.also(P <= half),
    kind="inequality",
    depends_on=["mr-thm3-every-p"],
    locator="Sec 4, Theorem 3 (1)",
    title="Fixed points for a reference with success of at most one half",
    printed=(
        r"\text{Let }0<p_{\mathrm{ref}}<1\text{. Let }p^*\text{ be a fixed point of }h_{\varepsilon,p_{\mathrm{ref}}}"
        r"\text{ we have }p^*>p_{\mathrm{ref}}\text{, if: … }p_{\mathrm{ref}}\le\frac12\text{ for all }\beta>0"
    ),
)

# Condition (2) of the theorem.
c = 1 / (2 * sqrt(Rational(1, 4) + guard))
printed_left = beta * cosh(1 / (2 * beta) * 1 / sqrt(Rational(1, 4) + guard)) ** 2
printed_right = P * (1 - P) * (2 * P - 1) / (2 * (P * (1 - P) + guard) ** Rational(3, 2))
condition = printed_left >= printed_right
claim(
    "mr-thm3-case2",
    exceeds(domain.also(P > half)),
    domain.also(P > half),
    kind="inequality",
    depends_on=["mr-thm3-every-p"],
    locator="Sec 4, Theorem 3 (2)",
    title="Fixed points for a reference with success above one half",
    printed=(
        r"\text{Let }0<p_{\mathrm{ref}}<1\text{. Let }p^*\text{ be a fixed point of }h_{\varepsilon,p_{\mathrm{ref}}}"
        r"\text{ we have }p^*>p_{\mathrm{ref}}\text{, if: … }p_{\mathrm{ref}}>\frac12\text{ and }\beta\cosh^2\Big("
        r"\frac1{2\beta}\frac1{\sqrt{\frac14+\varepsilon}}\Big)\ge\frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{"
        r"\mathrm{ref}}-1)}{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}"
    ),
    judged=redundant_hypothesis(
        "the condition on β is not needed: h(p) > p_ref for every p and every β",
        domain.also(P > half, condition),
        {P: Rational(99, 100), beta: Rational(1), guard: Rational(1, 10**5), success: half},
    ),
)


def at_fixed_point(formula):
    """What holds of every fixed point p of h."""
    return Implies(Eq(h, success), formula)


# How much: the odds are multiplied by exp(1/(β√(p(1−p)+ε))), the least for p = ½ and the most for p = 0 and p = 1.
gained = log(odds(success)) - log(odds(P))
of_its_reference = at_fixed_points.also(Eq(P, fixing))
claim(
    "mr-thm3-logit-gap",
    Every(
        Equal(log(odds(h)), log(odds(P)) + 1 / (beta * deviation), label="of h(p), whatever p is"),
        On(of_its_reference, Equal(gained, 1 / (beta * deviation), label="a fixed point, by its p_ref")),
    ),
    domain,
    depends_on=["mr-thm2-h", "mr-lem1"],
    locator="Sec 4, Theorem 3",
    title="The log-odds of h(p) and of a fixed point over those of the reference",
    remark="That p is a fixed point is said by its p_ref, the only one for which it is (mr-lem1).",
)

at_half, at_end = h.subs(success, half), h.subs(success, 0)
least_gain, most_gain = 1 / (beta * sqrt(Rational(1, 4) + guard)), 1 / (beta * sqrt(guard))
claim(
    "mr-thm3-logit-bounds",
    Every(
        On(of_its_reference, Equal(gained, 1 / (beta * deviation), label="what a fixed point p gains")),
        Always(
            And(1 / (beta * deviation) >= least_gain, 1 / (beta * deviation) <= most_gain),
            label="which lies between these, whatever p is",
        ),
    ),
    domain,
    because=(
        Equal(log(odds(at_half)) - log(odds(P)), least_gain, label="h at p = ½ attains the lower bound"),
        Equal(log(odds(at_end)) - log(odds(P)), most_gain, label="h at p = 0 attains the upper one"),
        Equal(h.subs(success, 1), at_end, label="h at p = 1, as at p = 0"),
    ),
    kind="inequality",
    depends_on=["mr-thm3-logit-gap"],
    locator="Sec 4, Theorem 3",
    title="Bounds of the log-odds gained by a fixed point",
    remark="Both constants are attained by h, so no better ones hold for every p. That p is a fixed point is said by "
    "its p_ref, the only one for which it is (mr-lem1).",
)

least = exp(-1 / (beta * sqrt(Rational(1, 4) + guard)))
above_half = Follows((minimum,), ("smallest at ½, and nowhere else",))
surely = Always(
    at_half - P > P * (1 - P) * (1 - least),
    using=(exp_sign(-1 / (beta * sqrt(Rational(1, 4) + guard))),),
    label="h(½) exceeds p_ref by that much",
)
step_amount = claim(
    "mr-thm3-step-amount",
    surely,
    setting,
    because=(
        Equal(at_half - P, P * (1 - P) * (1 - least) / (P + (1 - P) * least), label="how far h(½) is from p_ref"),
    ),
    kind="inequality",
    depends_on=["mr-thm2-h"],
    locator="Sec 4, Theorem 3",
    title="Gain of h(½) over the reference",
)

claim(
    "mr-thm3-amount",
    Always(at_fixed_point(And(success >= at_half, success - P > P * (1 - P) * (1 - least))), label="a fixed point p"),
    domain,
    kind="inequality",
    by=Follows((step_amount, minimum), ("h(½) exceeds p_ref by that much", "smallest at ½, and nowhere else")),
    depends_on=["mr-thm3-step-amount", "mr-prop1-minimum"],
    locator="Sec 4, Theorem 3",
    title="Gain of a fixed point over the reference",
)

not_certain = setting.also(0 < success, success < 1)
factors = (exp(exponent), exp(-1 / (beta * sqrt(guard))))
ordered = exp_increasing(-1 / (beta * sqrt(guard)), exponent)
below_end = claim(
    "mr-thm3-below-end",
    Always(h < at_end, label="below h(0)").by(
        InLetters(
            Always(1 / (1 + (1 - P) / P * u) < 1 / (1 + (1 - P) / P * z), label="h falls with its factor"),
            Domain(0 < P, P < 1, 0 < z, z < u),
            dict(zip((u, z), factors, strict=True)),
            (ordered,),
        )
    ),
    not_certain,
    kind="inequality",
    depends_on=["mr-thm2-h"],
    locator="Sec 4, Theorem 3",
    title="The values of h inside, against h(0)",
)

fixed_points = Follows((minimum, below_end), ("smallest at ½, and nowhere else", "below h(0)"))
claim(
    "mr-thm3-beta-limits",
    Every(
        SolutionTends(h - success, success, 0, 1, beta, 0, 1, label="no regularisation: fixed points p tend to one").by(
            SqueezedSolution(at_half, 1, oo, fixed_points)
        ),
        SolutionTends(h - success, success, 0, 1, beta, oo, P, "-", label="much: they tend to the reference").by(
            SqueezedSolution(at_half, at_end, 1, fixed_points)
        ),
        Monotone(h, beta, -1, label="every value of h falls with β"),
    ),
    not_certain,
    because=(
        Equal(
            h.subs(beta, 1 / x).diff(x).subs(x, 0),
            P * (1 - P) / deviation,
            label="how fast h(p) grows with x = 1/β: its slope at x = 0",
        ),
    ),
    kind="limit",
    depends_on=["mr-thm3-below-end", "mr-prop1-minimum", "mr-pf4-application"],
    locator="Sec 4, Theorem 3",
    title="Fixed points for vanishing and for large β",
    remark="Fixed points lie between h(½) and h(0) (mr-prop1-minimum, mr-thm3-below-end), and none of them is 0 or 1 "
    "(mr-pf4-application).",
)

inside = Domain(0 < P, P < 1, beta > 0, 0 < success, success < 1)
claim(
    "mr-thm3-no-guard",
    Every(
        On(
            inside.also(Eq(v, 1 / (beta * deviation.subs(guard, 0)))),
            Always(h_of_gain > P, using=(exp_sign(v),), label="inside"),
        ),
        Tends(h.subs(guard, 0), success, 0, 1, "+", label="as p tends to 0"),
    ),
    inside,
    because=(
        Always((1 - P) / P > 0, label="the odds of failure are positive"),
        Equal(
            h.subs({guard: 0, success: 1 - success}), h.subs(guard, 0), label="without smoothing, h at p and at 1 − p"
        ),
    ),
    kind="inequality",
    depends_on=["mr-thm3-every-p"],
    locator="Sec 4, Theorem 3; Remark 1",
    title="Amplification without a smoothing factor, and the value of h near 0",
    remark=(
        "With h(0) = h(1) = 1 by continuity the inequality holds on [0, 1]; with the advantage 0/0 read as zero h(0) = "
        "h(1) = p_ref (mr-rem1-discontinuity), and equality holds there."
    ),
)

claim(
    "mr-thm3-degenerate",
    Every(
        Always(Implies(Eq(P, 1), Eq(h, 1)), using=(exp_positive(exponent),), label="a reference of success 1"),
        Tends(h, P, 0, 0, "+", label="the success of the reference tends to 0"),
    ),
    Domain(0 < P, P <= 1, beta > 0, guard > 0, 0 <= success, success <= 1),
    because=(Equal(h.subs(P, 1), 1, label="h at p_ref = 1"),),
    depends_on=["mr-thm2-h"],
    locator="Sec 4, Theorem 3",
    title="Values of h for a reference of success 1, or near 0",
)

# Whitening is not what amplifies: any positive margin between the weights of right and wrong answers does. Here the
# margin is 1/s.
margin = 1 / (1 + (1 - P) / P * exp(-1 / (beta * s)))
trainers = {
    "deviation plus ε": sqrt(success * (1 - success)) + guard,
    "sample variance, ε inside": sqrt(G / (G - 1) * success * (1 - success) + guard),
    "no deviation at all": 1,
}
claim(
    "mr-thm3-trainers",
    Every(
        Always(margin > P, using=(exp_sign(-1 / (beta * s)),), label="any positive scale"),
        Equal(log(odds(margin)), log(odds(P)) + 1 / (beta * s), label="the gain"),
    ),
    domain.also(s > 0, G >= 2),
    because=(
        *(
            Always(divisor > 0, label=f"{name}: a positive scale")
            for name, divisor in trainers.items()
            if name != "no deviation at all"
        ),
        Equal(margin.subs(s, deviation), h, label="h with the paper's scale"),
    ),
    kind="inequality",
    depends_on=["mr-thm2-h"],
    locator="Sec 4, Theorem 3; equation (3)",
    title="Amplification at a positive scale of the advantage",
    remark=(
        "s is what rewards are divided by: the deviation plus ε, as (3) prints and trainers compute it; the root of "
        "the sample variance of groups of G plus ε; or 1 (rewards centred only, where h is constant)."
    ),
)

claim(
    "mr-thm3-deviation-plus-guard",
    Always(
        And(
            1 / (beta * trainers["deviation plus ε"]) >= 1 / (beta * (half + guard)),
            1 / (beta * trainers["deviation plus ε"]) <= 1 / (beta * guard),
        )
    ),
    domain,
    kind="inequality",
    depends_on=["mr-thm3-trainers"],
    locator="Sec 4, Theorem 3; equation (3)",
    title="Bounds of the log-odds gained with deviation plus ε",
)

# Figure 3: where condition (2) holds. It compares β cosh²(c/β), c = 1/(2√(¼+ε)), with a number R that depends on p_ref
# and ε.
right = setting.also(P > half)
quadratic = claim(
    "mr-thm3-cosh-quadratic",
    AtLeast(cosh(t) ** 2, 1 + t**2).by(AboveTangent(t, 0, curvature=(exp(t) - exp(-t)) ** 2)),
    Domain(t),
    because=(
        Equal(
            (cosh(t) ** 2 - 1 - t**2).diff(t, 2),
            (exp(t) - exp(-t)) ** 2,
            label="cosh²(t) − t² − 1: its second derivative, a square",
        ),
        Equal((cosh(t) ** 2 - 1 - t**2).diff(t).subs(t, 0), 0, label="its slope at 0"),
        Equal((cosh(t) ** 2 - 1 - t**2).subs(t, 0), 0, label="its value at 0"),
    ),
    kind="inequality",
    locator="Sec 4, Theorem 3 (2)",
    title="A quadratic lower bound of cosh²",
)

curvature = c**2 / beta**3 * (exp(2 * c / beta) + exp(-2 * c / beta))
claim(
    "mr-thm3-condition-shape",
    On(
        Domain(guard > 0),
        OneInterval(printed_left, beta, 0, oo, -1, True, label="the left side is below the right one").by(
            ConvexBetweenPoles(curvature)
        ),
    ),
    setting,
    because=(
        Equal(
            printed_left.diff(beta, 2),
            curvature,
            label="second derivative in β, which is positive",
        ),
    ),
    kind="limit",
    locator="Sec 4, Theorem 3 (2)",
    title="The β outside condition (2), for one reference",
)

# In terms of t = c/β the left side has the slope cosh t (cosh t − 2t sinh t): its sign is that of 1 − 2t tanh t.
steepness = 2 * t * (exp(2 * t) - 1) / (exp(2 * t) + 1)
summit = (1 + sqrt((1 + 4 * guard) / (1 + 12 * guard))) / 2
claim(
    "mr-thm3-condition-fails",
    Every(
        On(
            right,
            Always(
                Equivalent(printed_right.diff(P) > 0, (2 * P - 1) ** 2 * (1 + 12 * guard) < 1 + 4 * guard),
                label="the right side rises in p_ref, then falls",
            ),
        ),
        On(
            Domain(guard > 0),
            Equal(printed_right.subs(P, summit), 1 / ((1 + 4 * guard) * sqrt(27 * guard)), label="its largest value"),
        ),
        On(
            Domain(guard > 0),
            OneInterval(printed_right, P, half, 1, label="the p_ref at which the right side exceeds a number").by(
                RisesAndFalls(summit)
            ),
        ),
        On(
            Domain(guard > 0),
            OneInterval(printed_left, beta, 0, oo, -1, True, label="the β at which the left side is below a number").by(
                ConvexBetweenPoles(curvature)
            ),
        ),
    ),
    setting,
    because=(
        Equal(
            printed_left.diff(beta),
            cosh(c / beta) * (cosh(c / beta) - 2 * c / beta * sinh(c / beta)),
            label="the slope of the left side in β",
        ),
        On(Domain(t > 0), Equal(2 * t * sinh(t) / cosh(t), steepness, label="2t tanh t, in exponentials")),
        On(Domain(t > 0), Monotone(steepness, t, 1, using=(exp_sign(2 * t),), label="2t tanh t grows with t")),
        On(Domain(beta > 0), Tends(steepness, t, 0, 0, label="its limit at t = 0")),
        On(
            Domain(beta > 0),
            Tends(
                steepness, t, oo, oo, "-", label="it has no bound, so it is 1 for one t, where the left side is least"
            ),
        ),
        On(
            Domain(guard > 0),
            Always(
                (summit > half) & (summit < 1),
                label="the p_ref with (2p_ref − 1)² = (1 + 4ε)/(1 + 12ε), where the right side is largest",
            ),
        ),
        On(Domain(guard > 0), Equal(printed_right.subs(P, 1), 0, label="the right side at p_ref = 1")),
    ),
    kind="limit",
    depends_on=["mr-thm3-condition-shape"],
    locator="Sec 4, Theorem 3 (2)",
    title="The β and the references outside condition (2)",
    short=("the β at which the left side is below a number", "the p_ref at which the right side exceeds a number"),
    remark=(
        "The left side, β cosh²(c/β) with c = 1/√(1 + 4ε), is least at β = c/t₀, 2t₀ tanh t₀ = 1; where the right "
        "side is at most this least value, (2) fails for no β."
    ),
)

lower = beta * (1 + (scale / beta) ** 2)  # a lower bound on the left side, with c written as a variable, as ψ is for R
fails_between = Every(
    On(
        Domain(beta > 0, scale > 0, psi > 0),
        Every(
            Always(
                Implies(beta >= psi, lower >= psi),
                label="β(1 + c²/β²), a lower bound of the left side, is at least ψ for β ≥ ψ",
            ),
            Always(Implies(beta <= scale**2 / psi, lower >= psi), label="and for β ≤ c²/ψ"),
            Equal(lower - 2 * scale, (beta - scale) ** 2 / beta, label="this lower bound is least, 2c, at β = c"),
        ),
    ),
    On(
        setting.also(half < P, P <= half + sqrt(5) / 5),
        Always(2 * c > printed_right, label="2c exceeds the right side up to p_ref = ½ + 1/√5"),
    ),
)
left_side = beta * cosh(scale / beta) ** 2
above_lower = Follows((at(quadratic, {t: scale / beta}),))
mild = Always(
    Implies(
        Or(beta >= psi, beta <= scale**2 / psi, P <= half + sqrt(5) / 5),
        left_side >= psi,
        evaluate=False,
    ),
    label="condition (2) holds for these",
).by(
    Then(
        (
            Always(left_side >= lower, label="the quadratic bound").by(above_lower),
            Always(
                Implies(P <= half + sqrt(5) / 5, 2 * scale > psi),
                label="2c exceeds the right side up to p_ref = ½ + 1/√5",
            ),
        )
    )
)
ranges = On(right.also(scale > 0, psi > 0, Eq(scale, c), Eq(psi, printed_right)), mild)
claim(
    "mr-thm3-condition-mild",
    ranges,
    right,
    because=fails_between,
    kind="inequality",
    depends_on=["mr-thm3-cosh-quadratic"],
    locator="Sec 4, Theorem 3 (2)",
    title="Sufficient ranges of β and of p_ref for condition (2)",
    remark="ψ stands for the right side of (2), and c = 1/(2√(¼ + ε)); the left side is β cosh²(c/β) ≥ β + c²/β "
    "(mr-thm3-cosh-quadratic); ½ + 1/√5 = 0.947…",
)

very_high = Domain(Rational(99, 100) < P, P < Rational(995, 1000), 0 < guard, guard < Rational(1, 10**4))
claim(
    "mr-fig3-mild",
    Every(
        On(
            Domain(beta > 0, scale > 0, psi > 0),
            Every(
                Always(Implies(beta >= psi, left_side >= psi), label="it holds for β ≥ ψ").by(above_lower),
                Always(Implies(beta <= scale**2 / psi, left_side >= psi), label="and for β ≤ c²/ψ").by(above_lower),
            ),
        ),
        On(
            very_high.also(beta > 0),
            Exists(
                Not(condition),
                {P: Rational(992, 1000), beta: 1, guard: Rational(1, 10**5)},
                label="it does fail at β = 1",
            ),
        ),
    ),
    right,
    because=fails_between,
    kind="modelling",
    depends_on=["mr-thm3-cosh-quadratic", "mr-thm3-condition-mild", "mr-thm3-condition-shape"],
    locator="Sec 4, after Theorem 3",
    title="Condition (2) as a bound of β",
    printed=(
        r"\text{We see from Figure 3 that the condition on }\beta\text{ is rather mild, and it implies that for high "
        r"}p_{\mathrm{ref}},\ \beta\text{ needs to be selected not too small}"
    ),
    judged=wrong(
        "the condition is mild, but no lower bound on β: its left side tends to ∞ as β → 0, so it holds for "
        "every small β, and may fail in between",
        Always(Implies(condition, condition.subs(beta, beta_1))),
        very_high.also(Rational(1, 20) < beta, beta < Rational(1, 10), 1 < beta_1, beta_1 < 2),
    ),
    remark="ψ stands for the right side of (2), c for 1/(2√(¼ + ε)) (mr-thm3-condition-mild). The print is "
    "taken to say: if the condition holds for some β, it holds for every larger one. The reading is an instance of it.",
)

claim(
    "mr-fig3-caption",
    ranges,
    right,
    because=fails_between,
    kind="modelling",
    depends_on=["mr-thm3-condition-mild", "mr-thm3-cosh-quadratic"],
    locator="Sec 4, Figure 3, caption",
    title="The region outside condition (2) in Figure 3",
    printed=(
        r"\text{Condition for probability amplification on }\beta\text{ is mostly satisfied only for high "
        r"}p\text{ and small }\beta"
    ),
    judged=wrong(
        "that it is satisfied only there, as the words say, is false: p_ref ≤ 0.9 and β > 1 satisfy it throughout; "
        "it can fail only for p_ref > ½ + 1/√5 and c²/ψ < β < ψ (the claim), and does at some (mr-pf3-need)",
        Always(Not(condition)),
        Domain(half < P, P < Rational(9, 10), beta > 1, guard > 0),
    ),
)
