"""Local convergence: when a fixed point attracts the success probabilities that start near it.

Statement.   On the logit of p the map h has the slope p(1 − p)(2p − 1)/(2β[p(1 − p) + ε]^{3/2}) at every p; at a fixed
             point p* this is h'(p*), so |h'(p*)| < 1 exactly when β > B(p*), and then p* attracts its neighbourhood.
             The largest B is 1/((1 + 4ε)√(27ε)): for larger β the recursion contracts on the logit, from every start
             and for every p_ref; for smaller β some p_ref has a fixed point that repels.
Source.      Mroueh (2025), Theorem 4, Lemma 1, Figure 4, Remark 2; Theorem 6 in Appendix B.
Domain.      0 < p < 1 (every fixed point is inside), 0 < p_ref < 1, β, ε > 0.
Derivation.  h' by differentiating h; p_ref that makes p a fixed point put in → Lemma 1 → B and its maximum. Theorem 6
             by the mean value theorem and induction.
Caveats.     Theorem 4 is local: p_0 = p_ref need not lie in the neighbourhood, and p* moves with β, so that β > B(p*)
             bounds β by a quantity that depends on β. The largest B does not.
Letters.     p is success, and where it is a fixed point q is another probability, near it or any. In log-odds t is an
             iterate, t₀ the start, t_ref that of p_ref, and t₋ and t₊ are the ends of an interval. s is the slope at a
             fixed point; in mr-thm4-radius z is that at q and c the Lipschitz constant of the slope. In the bound of
             h'' v is a square up to x and u a positive number up to y. B is the bound on β of Lemma 1; in
             mr-rem2-uniform ζ bounds it for every question, ψ the right side of (2), and ν is the left side; β₁ is a
             second β.
"""

from grpo_symbolic.paper import *

from .thm2_recursion import h
from .thm3_amplification import P, condition, printed_right, very_high

claim = Result(__file__).claim

half = Rational(1, 2)
inside = Domain(0 < success, success < 1, beta > 0, guard > 0)
unit = inside.also(0 < success_ref, success_ref < 1)
parameters = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0)
closed = Domain(0 <= success, success <= 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0)
m = success * (1 - success)
root = sqrt(m + guard)
decay = exp(-1 / (beta * root))  # the exponential in h
fixing = success * decay / (1 - success + success * decay)  # the p_ref for which p is a fixed point
map_of_q = h.subs(success, q)  # the map, where p is a fixed point of it

# -- Lemma 1 ----------------------------------------------------------------------------------------------------------
d = Derivation("mr-lem1", unit)
slope = d.differentiate(h, success, "the derivative of h, p_ref, β and ε fixed")
at_fixed_point = d.restrict(slope, {success_ref: fixing}, "p is a fixed point: p_ref is the one with h(p) = p")
multiplier = m * (2 * success - 1) / (2 * beta * (m + guard) ** Rational(3, 2))

claim(
    "mr-lem1",
    Every(
        On(inside, Equal(h.subs(success_ref, fixing), success, label="p is a fixed point for this p_ref")),
        On(inside, Always(And(fixing > 0, fixing < 1), label="which is a probability")),
        Equal(
            h - success,
            (success_ref - fixing) * (1 - success + success * decay) / (success_ref + (1 - success_ref) * decay),
            label="and for no other",
        ),
        Equal(
            slope,
            -h * (1 - h) * (1 - 2 * success) / (2 * beta * (m + guard) ** Rational(3, 2)),
            label="the slope h'(p)",
        ),
        On(inside, Equal(at_fixed_point, multiplier, label="the slope at a fixed point p, its p_ref put in")),
    ),
    unit,
    by=d,
    depends_on=["mr-prop1-derivative"],
    locator="Sec 4, Lemma 1",
    title="The derivative of h at a fixed point",
    printed=(
        r"\text{Let }p^*\text{ be a fixed point: }p^*=h_{\varepsilon,p_{\mathrm{ref}}}(p^*)\text{, then we have: }h_{"
        r"\varepsilon,p_{\mathrm{ref}}}'(p^*)=-h_{\varepsilon,p_{\mathrm{ref}}}(p^*)(1-h_{\varepsilon,p_{"
        r"\mathrm{ref}}}(p^*))\frac{1-2p^*}{2\beta[p^*(1-p^*)+\varepsilon]^{3/2}}=p^*(1-p^*)\frac{2p^*-1}{2"
        r"\beta[p^*(1-p^*)+\varepsilon]^{3/2}}"
    ),
    remark="Derived by putting in the p_ref with h(p*) = p*. The derivative is negative for p* < ½, positive for p* > "
    "½.",
)

bound = m * Abs(2 * success - 1) / (2 * (m + guard) ** Rational(3, 2))
claim(
    "mr-lem1-bound",
    Always(Equivalent(bound / beta < 1, beta > bound), label="below 1 exactly when β > B(p*)"),
    inside,
    because=(
        Equal(Abs(multiplier), bound / beta, label="|h'(p*)| = B(p*)/β"),
        Always(Equivalent(bound / beta > 1, beta < bound), label="above 1 exactly when β < B(p*)"),
        Always(Equivalent(Eq(bound / beta, 1), Eq(beta, bound)), label="equal to 1 exactly when β = B(p*)"),
    ),
    kind="stability",
    depends_on=["mr-lem1"],
    locator="Sec 4, after Lemma 1",
    title="The bound B of β at a fixed point",
    printed=(
        r"|h_{\varepsilon,p_{\mathrm{ref}}}'(p^*)|=p^*(1-p^*)\frac{|2p^*-1|}{2\beta[p^*(1-p^*)+\varepsilon]^{3/2}}<1"
        r"\text{ which is satisfied if: }\beta>\mathcal B(p^*)=p^*(1-p^*)\frac{|2p^*-1|}{2[p^*(1-p^*)+"
        r"\varepsilon]^{3/2}}"
    ),
    remark="Sufficient as printed, and necessary. p* depends on β, so this is no bound on β alone; see "
    "mr-lem1-all-beta.",
)

# -- a bound on β that does not know p* -------------------------------------------------------------------------------
largest = 1 / ((1 + 4 * guard) * sqrt(27 * guard))
steepest = (1 + sqrt((1 + 4 * guard) / (1 + 12 * guard))) / 2  # the p at which B is largest, and 1 − p
smoothed = Domain(guard > 0)
logit = log(h / (1 - h))
claim(
    "mr-logit-slope",
    Every(
        Equal(m * Derivative(logit, success), multiplier, label="d logit h / d logit p, as dp/d logit p = p(1 − p)"),
        Always(Abs(multiplier) <= largest / beta, label="its size, at every p"),
    ),
    unit,
    because=(
        Equal(multiplier.subs(success, 1 - success), -multiplier, label="the slope is odd about ½"),
        On(
            smoothed.also(beta > 0),
            Equal(multiplier.subs(success, steepest), largest / beta, label="its largest size is attained"),
        ),
        On(
            smoothed,
            Always((steepest > half) & (steepest < 1), label="at this p, for which (2p − 1)² = (1 + 4ε)/(1 + 12ε)"),
        ),
    ),
    kind="inequality",
    locator="Sec 4, Lemma 1",
    title="The slope of the recursion in log-odds, and its largest size",
    remark="p_ref only shifts the logit, so it does not enter. At a fixed point the slope is h'(p*), that in p.",
)

# In log-odds, t for an iterate, the map is t_ref + 1/(β√(p(1 − p) + ε)), p = eᵗ/(1 + eᵗ).
chance = exp(t) / (1 + exp(t))
next_log_odds = t_ref + 1 / (beta * sqrt(chance * (1 - chance) + guard))
contracting = Domain(guard > 0, beta > largest)
small = And(multiplier >= -largest / beta, multiplier <= largest / beta)
as_steep = BoundedDerivative(
    slope=multiplier.subs(success, chance),
    using=InLetters(Always(small, label="at every p"), inside, {success: chance}),
)
repelling = Domain(guard > 0, beta > 0, beta < largest)


def repels(at_chance, which):
    """For the p_ref that makes it a fixed point."""
    return On(
        repelling.also(Eq(success_ref, fixing.subs(success, at_chance))),
        Repels(h, success, at_chance, label=f"for β below the bound, {which} of the two steepest p").by(
            Multiplier(slope=multiplier.subs(success, at_chance))
        ),
    )


claim(
    "mr-logit-contraction",
    On(
        contracting.also(
            t_ref,
            t_low <= t_start,
            t_start <= t_high,
            t_low <= t_ref + 2 / (beta * sqrt(1 + 4 * guard)),
            t_ref + 1 / (beta * sqrt(guard)) <= t_high,
        ),
        ConvergesToFixedPoint(
            Iteration(next_log_odds, t, t_start), t_low, t_high, label="in log-odds, from every start"
        ).by(Contraction(largest / beta, lipschitz=as_steep)),
    ),
    unit,
    because=(
        On(
            unit,
            Equal(
                log(h / (1 - h)),
                next_log_odds.subs({chance: success, t_ref: log(success_ref / (1 - success_ref))}),
                label="the log-odds of h(p)",
            ),
        ),
        repels(steepest, "the larger"),
        repels(1 - steepest, "the smaller"),
    ),
    kind="stability",
    depends_on=["mr-logit-slope", "mr-lem1"],
    locator="Sec 4, Theorem 4",
    title="The β from which the recursion contracts in log-odds",
    remark="Sharp: for β below this value some p_ref has a fixed point that repels. For ε = 10⁻⁵ it is β > 60.855…. "
    "The ends t₋ and t₊ are any that lie below and above the start and all that the map takes.",
)

everywhere = 1 / (3 * sqrt(3) * sqrt(guard))
claim(
    "mr-lem1-all-beta",
    Every(
        On(
            parameters.also(beta > largest),
            OneRoot(h - success, success, 0, 1, label="so for larger β there is one fixed point").by(
                FallsAtRoots((success_ref, fixing), multiplier - 1)
            ),
        ),
        On(
            inside.also(beta > largest, Eq(success_ref, fixing)),
            Attracts(map_of_q, q, success, label="which attracts").by(Multiplier(slope=multiplier)),
        ),
    ),
    inside,
    because=(
        On(Domain(0 < success, success < 1, guard > 0), Always(bound <= largest, label="the largest B")),
        On(smoothed, Equal(bound.subs(success, steepest), largest, label="attained")),
        On(smoothed, Always(largest < everywhere, label="below 1/(3√(3ε))")),
        On(smoothed, Equal(everywhere, 1 / (3 * sqrt(3 * guard)), label="the constant 1/(3√(3ε))")),
    ),
    kind="uniqueness",
    depends_on=["mr-lem1-bound", "mr-lem1"],
    locator="Sec 4, after Lemma 1",
    title="The largest B, and the fixed point for larger β",
    remark="For ε = 10⁻⁵ it says β > 60.855…, where the global contraction of mr-prop1-lipschitz needs β > 3.95…·10⁶. "
    "The sharp "
    "constant, 1/((1 + 4ε)√(27ε)), is that of mr-logit-contraction.",
)

no_guard = Domain(0 < success, success < 1)
plain = Abs(2 * success - 1) / (2 * sqrt(m))
claim(
    "mr-fig4",
    On(
        inside.also(Eq(success_ref, fixing), beta < bound),
        Repels(map_of_q, q, success, label="required: for smaller β p* repels").by(Multiplier(slope=multiplier)),
    ),
    inside,
    because=(
        Equal(bound, bound.subs(success, 1 - success), label="B at p and at 1 − p"),
        On(
            Domain(beta > 0, guard > 0),
            Every(
                Equal(bound.subs(success, 0), 0, label="B at 0"),
                Equal(bound.subs(success, half), 0, label="at ½"),
                Equal(bound.subs(success, 1), 0, label="and at 1"),
            ),
        ),
        On(no_guard, Equal(bound.subs(guard, 0), plain, label="B without smoothing")),
        Tends(plain, success, 1, oo, "-", label="which grows beyond all bounds"),
    ),
    kind="stability",
    depends_on=["mr-lem1-bound", "mr-lem1"],
    locator="Sec 4, Figure 4",
    title="A fixed point for β below the bound B",
    printed=r"\text{the lower bound on }\beta\text{ required to ensure local convergence of GRPO iterations to a fixed "
    r"point }p^*",
    remark=(
        "For ε > 0, B is zero at 0, ½ and 1, so that for every β fixed points near enough to 1 attract (mr-thm4). "
        "Neither direction says anything of β = B(p*), where |h'| = 1."
    ),
)

# -- Theorem 6 and Theorem 4 ------------------------------------------------------------------------------------------
claim(
    "mr-thm6",
    EveryMapAttracts(s, (1 + Abs(s)) / 2),
    Domain(-1 < s, s < 1),
    kind="stability",
    locator="App B, Theorem 6",
    title="The local contraction theorem",
    printed=(
        r"\text{Let }f:\mathbb R\to\mathbb R\text{ be continuously differentiable, and suppose that }x^*\in\mathbb R"
        r"\text{ is a fixed point of }f\text{ (i.e., }f(x^*)=x^*\text{). Assume that }f'\text{ is continuous and that "
        r"}|f'(x^*)|<1\text{. Then, by the continuity of }f'\text{, there exists a radius }r>0\text{ and a constant }k"
        r"\text{ with }|f'(x)|\le k<1\text{ for all }x\in[x^*-r,x^*+r]\text{. Consequently, }f\text{ is a contraction "
        r"on the interval }I=[x^*-r,x^*+r]\text{, and for any initial guess }x_0\in I\text{, the iteration defined by "
        r"}x_{n+1}=f(x_n)\text{ converges to the unique fixed point }x^*\text{ in }I"
    ),
    remark="With k = (1 + |f'(x*)|)/2. That f' is continuous is assumed twice.",
)

claim(
    "mr-pf4-application",
    Every(
        On(closed, Always(And(h > 0, h < 1), label="every fixed point is inside (0, 1)")),
        On(
            Domain(0 < success, success < 1, q, Abs(q - success) <= m / 2),
            Always(And(0 < q, q < 1), label="with a neighbourhood"),
        ),
    ),
    closed,
    because=(
        On(closed, Always(m + guard > 0, label="the root is differentiable on [0, 1]")),
        On(
            closed,
            Always(success_ref * (1 + (1 - success_ref) / success_ref * decay) > 0, label="no denominator vanishes"),
        ),
    ),
    kind="stability",
    depends_on=["mr-thm6"],
    locator="App B, proof of Theorem 4",
    title="Theorem 6 for h: an interval around a fixed point",
    printed=(
        r"\text{This is a direct application of local Banach fixed point theorem: … Let }f:\mathbb R\to\mathbb R\text{ "
        r"be continuously differentiable}"
    ),
    judged=imprecise(
        "h is not a map of ℝ: √(p(1 − p) + ε) has no value for p(1 − p) < −ε. Theorem 6 is needed on an interval "
        "around "
        "p*, which is inside (0, 1) because 0 < h < 1.",
        Always(m + guard >= 0),
        Domain(success, guard > 0),
    ),
)

# The second derivative of h, through the log-odds of h, and a bound on it.
odds_slope = (2 * success - 1) / (2 * beta * root**3)
odds_curve = (3 * (2 * success - 1) ** 2 / (4 * root**5) + 1 / root**3) / beta
most = 1 / (40 * beta**2 * guard**3) + (3 / (4 * guard ** Rational(5, 2)) + guard ** Rational(-3, 2)) / (4 * beta)
claim(
    "mr-thm4-radius",
    Every(
        Lipschitz(slope, success, most, label="so the slope of h is Lipschitz with this constant").by(
            BoundedDerivative(
                h * (1 - h) * ((1 - 2 * h) * odds_slope**2 + odds_curve),
                InLetters(
                    Always(
                        And(
                            q * (1 - q) * ((1 - 2 * q) * v + u) <= x / 10 + y / 4,
                            q * (1 - q) * ((1 - 2 * q) * v + u) >= -x / 10 - y / 4,
                        ),
                        label="the factors of a probability q, a square v up to x, and a positive u up to y",
                    ),
                    Domain(0 < q, q < 1, 0 <= v, v <= x, 0 < u, u <= y),
                    {
                        q: h,
                        v: odds_slope**2,
                        u: odds_curve,
                        x: 1 / (4 * beta**2 * guard**3),
                        y: (3 / (4 * sqrt(guard) ** 5) + 1 / sqrt(guard) ** 3) / beta,
                    },
                ),
            )
        ),
        On(
            Domain(
                -1 < s,
                s < 1,
                0 < scale,
                0 <= success,
                0 <= q,
                2 * scale * Abs(q - success) <= 1 - Abs(s),
                z,
                Abs(z - s) <= scale * Abs(q - success),
            ),
            Always(
                Abs(z) <= (1 + Abs(s)) / 2,
                label="a slope z at q, within c|q − p| of the slope s at p: |z| ≤ (1 + |s|)/2 for |q − p| ≤ (1 − "
                "|s|)/(2c)",
            ),
        ),
    ),
    unit,
    because=(
        Equal(diff(logit, success), odds_slope, label="slope of the log-odds of h"),
        Equal(diff(logit, success, 2), odds_curve, label="the curvature of the log-odds of h"),
        Equal(
            diff(h, success, 2),
            h * (1 - h) * ((1 - 2 * h) * odds_slope**2 + odds_curve),
            label="the second derivative of h through the slope and the curvature of its log-odds",
        ),
        Always((h > 0) & (h < 1), label="h is a probability"),
        On(
            Domain(0 < q, q < 1),
            Always(
                And(q * (1 - q) <= Rational(1, 4), Abs(q * (1 - q) * (1 - 2 * q)) <= Rational(1, 10)),
                label="two factors of a probability q",
            ),
        ),
        Always(odds_slope**2 <= 1 / (4 * beta**2 * guard**3), label="the squared slope of the log-odds is bounded"),
        Always(
            odds_curve <= (3 / (4 * sqrt(guard) ** 5) + 1 / sqrt(guard) ** 3) / beta,
            label="so is their curvature",
        ),
        Always(odds_curve > 0, label="which is positive"),
        On(
            smoothed.also(beta > 0),
            Equal(
                1 / (40 * beta**2 * guard**3) + (3 / (4 * sqrt(guard) ** 5) + 1 / sqrt(guard) ** 3) / (4 * beta),
                most,
                label="a tenth of the first bound and a quarter of the second: the constant",
            ),
        ),
    ),
    kind="stability",
    depends_on=["mr-lem1", "mr-thm2-h"],
    locator="Sec 4, Theorem 4",
    title="A bound of |h'| on an interval around p*, in closed form",
    remark=(
        "For usual ε the interval is tiny. The claim bounds slopes; that runs near p* converge is mr-thm4. s is "
        "h'(p*), z is h'(q), c the Lipschitz constant of h' in the first part; where q stands, p is p*."
    ),
)

claim(
    "mr-thm4",
    Attracts(map_of_q, q, success, label="p* = h(p*), |h'(p*)| < 1"),
    inside.also(Eq(success_ref, fixing), multiplier > -1, multiplier < 1),
    kind="stability",
    by=Multiplier(slope=multiplier),
    depends_on=["mr-lem1"],
    locator="Sec 4, Theorem 4",
    title="Attraction of a fixed point by its slope",
    printed=(
        r"\text{Let }p^*\text{ be a fixed point of }h_{\varepsilon,p_{\mathrm{ref}}}\text{ and assume that have }|h_{"
        r"\varepsilon,p_{\mathrm{ref}}}'(p^*)|<1\text{. Given that }h_{\varepsilon,p_{\mathrm{ref}}}\text{ and }h_{"
        r"\varepsilon,p_{\mathrm{ref}}}'\text{ are continuous in [0, 1], then there exists }\delta>0\text{ such the "
        r"iteration }p_n=h_{\varepsilon,p_{\mathrm{ref}}}(p_{n-1})\text{ converges to }p^*\text{, if }p_0=p_{"
        r"\mathrm{ref}}\in[p^*-\delta,p^*+\delta]"
    ),
    remark="That p* is a fixed point is said by its p_ref, the only one for which it is (mr-lem1). A start outside "
    "[0, 1] "
    "is not meant. Continuity of h and h' is no assumption: it holds.",
)

# -- the start p_ref is a given ---------------------------------------------------------------------------------------
near_one = 1 - Rational(1, 10**10)
figure = {success_ref: half, beta: Integer(5), guard: Rational(1, 10**5)}
turn = Rational(61, 100)
of_figure, slope_of_figure = h.subs(figure), diff(h, success).subs(figure)


claim(
    "mr-thm4-otherwords",
    Every(
        On(
            inside.also(Eq(success_ref, fixing), multiplier > -1, multiplier < 1),
            Attracts(map_of_q, q, success, label="from a start near p*").by(Multiplier(slope=multiplier)),
        ),
        On(
            Domain(),
            TakesValue(of_figure - success, success, near_one, 1, label="p_ref = ½, β = 5, ε = 10⁻⁵: a fixed point"),
        ),
        On(
            Domain(near_one <= success, success <= 1),
            Always(And(slope_of_figure > 0, slope_of_figure < 1), label="above 1 − 10⁻¹⁰ with |h'| < 1"),
        ),
        On(
            Domain(),
            RisesToLeastFixedPoint(
                Iteration(of_figure, success, half), half, turn, label="but from p_0 = p_ref no iterate passes 0.61"
            ),
        ),
    ),
    parameters,
    kind="limit",
    depends_on=["mr-thm4", "mr-lem1-bound"],
    locator="Sec 4, Theorem 4, last sentence",
    title="The limit of a run that starts near p*, and of one from elsewhere",
    printed=r"\text{In other words under this condition we have }\lim_{n\to\infty}p_n=p^*",
    judged=imprecise(
        "Which condition? If it is that p_ref lies in the neighbourhood, as in the sentence before, this is Theorem 4. "
        "With |h'(p*)| < 1 alone, which is what β > B(p*) checks, the limit may be another fixed point: for p_ref = ½, "
        "β = 5, ε = 10⁻⁵ the run stays below 0.61. As a formula: to reach the one above 1 − 10⁻¹⁰, the increasing map "
        "must lift every p on the way.",
        Always(of_figure > success),
        Domain(half <= success, success < near_one),
    ),
)

# -- Remark 2: all questions ------------------------------------------------------------------------------------------
right_of_2 = (
    success_ref
    * (1 - success_ref)
    * (2 * success_ref - 1)
    / (2 * (success_ref * (1 - success_ref) + guard) ** Rational(3, 2))
)
claim(
    "mr-rem2-uniform",
    Every(
        On(
            Domain(0 < success, success < 1, guard > 0, zeta >= bound, beta > zeta),
            Always(
                And(beta > bound, bound / beta <= zeta / beta, zeta / beta < 1),
                label="β above an upper bound of B",
            ),
        ),
        On(Domain(0 < success, success < 1, guard > 0), Always(bound <= largest, label="the supremum is finite")),
        On(
            Domain(half < P, P < 1, guard > 0, psi >= printed_right, nu >= psi),
            Always(nu >= printed_right, label="(2) for every question, if its left side is at least their supremum"),
        ),
    ),
    parameters,
    because=(
        On(
            Domain(half < success_ref, success_ref < 1, guard > 0),
            Equal(right_of_2, bound.subs(success, success_ref), label="the right side of condition (2) is B(p_ref)"),
        ),
    ),
    kind="inequality",
    depends_on=["mr-lem1-bound", "mr-lem1-all-beta", "mr-fig3-mild"],
    locator="Sec 4, Remark 2",
    title="The supremum of B over the questions",
    printed=r"\text{to obtain results uniformly on }q\text{ we need to take sup on }q\text{ in all lower bounds}",
    judged=imprecise(
        "True of the right sides of both conditions: their suprema serve every question. Condition (2) is no lower "
        "bound of β, though, but of β cosh²(c/β): where β satisfies it for every question, a larger β need not "
        "(mr-fig3-mild).",
        Always(Implies(condition, condition.subs(beta, beta_1))),
        very_high.also(Rational(1, 20) < beta, beta < Rational(1, 10), 1 < beta_1, beta_1 < 2),
    ),
    remark=(
        "The rate is uniform, sup B/β; ζ is a bound of B for every question, ψ one of the right side of (2), ν the "
        "left side, in which no question enters. c = 1/(2√(¼ + ε))."
    ),
)
