"""The map h of the success probability: continuity, shape, fixed points.

Statement.   On [0, 1] the map h is continuous with values in (0, 1), falls up to p = ½ and rises after it; it has a
             fixed point, and every fixed point lies strictly between p_ref and 1. There may be three. The limit of a
             convergent iteration is a fixed point.
Source.      Mroueh (2025), Proposition 1, Section 3 and Figure 2; Appendix A, proof of Proposition 1.
Domain.      0 ≤ p ≤ 1, 0 < p_ref < 1, β, ε > 0 (the paper's ε ≤ 1 is not needed).
Derivation.  h of Theorem 2 → log-odds z → z' → h' = h(1 − h)z' → its sign. Signs of h(p) − p at 0, p_ref and 1 →
             intermediate value theorem.
Caveats.     For p_ref = 1, which Theorem 2 allows, h is the constant 1 and nothing is strict. ½ is a minimum of h,
             not a fixed point.
Letters.     p is the success that h maps. In the bound of h' u is h, v is √(p(1 − p) + ε) and y is √ε. x is a start, in
             mr-pfprop1-sigma the argument of σ; σ is the logistic function, σ_ε(p) the guarded deviation. z is the
             log-odds of h, A the odds (1 − p_ref)/p_ref and B the rest of z. Where p* is a function of the question
             R_ε(p) is the p_ref at which p is fixed, v the normaliser, and π_ref⁺ and π_ref⁻ are the reference on the
             n₊ correct and on the n₋ wrong answers.
"""

from itertools import pairwise

from grpo_symbolic.paper import *

from .thm1_policy import policy_hit, policy_miss
from .thm2_recursion import h, root, unit

claim = Result(__file__).claim

half = Rational(1, 2)
parameters = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0)
radicand = success * (1 - success) + guard

# The exponential in h, of which only 0 < E < 1 is needed: E = exp(−1/(β √(p(1 − p) + ε))).
E = exp(-1 / (beta * root))
below_one = (exp_sign(-1 / (beta * root)),)

# -- the derivative, by the log-odds ----------------------------------------------------------------------------------
A = (1 - success_ref) / success_ref
B = 1 / (beta * root)
d = Derivation("mr-prop1", unit)
z_of_p = d.rewrite(log(h / (1 - h)), -log(A) + B, "the log-odds of h(p)")
slope_z = d.differentiate(z_of_p, success, "p_ref, β and ε fixed")
slope = d.rewrite(diff(h, success), h * (1 - h) * slope_z, "σ' = σ(1 − σ), and the chain rule")
shape = -(1 - 2 * success) / (2 * beta * radicand ** Rational(3, 2))

claim(
    "mr-pfprop1-sigma",
    Equal(z_of_p, log(h / (1 - h)), label="z is the log-odds of h"),
    unit,
    because=(
        Equal(h, 1 / (1 + exp(-(-log(A) + B))), label="h = σ(z)"),
        On(
            Domain(x),
            Equal(Derivative(1 / (1 + exp(-x)), x), 1 / (1 + exp(-x)) * (1 - 1 / (1 + exp(-x))), label="σ' = σ(1 − σ)"),
        ),
    ),
    by=d,
    depends_on=["mr-thm2-h"],
    locator="App A, proof of Proposition 1",
    title="h as the logistic function of its log-odds",
    printed=r"h_{\varepsilon,p_{\mathrm{ref}}}(p)=\sigma(z(p))\text{ where }z(p)=-\log(A)+B(p)",
)

claim(
    "mr-pfprop1-zprime",
    Equal(Derivative(B, success), shape, label="B'"),
    unit,
    because=(Equal(slope_z, shape, label="z'"),),
    by=d,
    depends_on=["mr-pfprop1-sigma"],
    locator="App A, proof of Proposition 1",
    title="The derivative of the log-odds",
    printed=r"z'(p)=B'(p)=-\frac{1-2p}{2\beta[p(1-p)+\varepsilon]^{3/2}}",
)

claim(
    "mr-prop1-derivative",
    Equal(
        Derivative(h, success),
        -h * (1 - h) * (1 - 2 * success) / (2 * beta * radicand ** Rational(3, 2)),
        label="directly",
    ),
    unit,
    because=(
        Equal(slope, -h * (1 - h) * (1 - 2 * success) / (2 * beta * radicand ** Rational(3, 2)), label="from z'"),
        Always(h * (1 - h) > 0, label="the factor that has no influence on the sign"),
    ),
    by=d,
    depends_on=["mr-pfprop1-zprime"],
    locator="Sec 3, Proposition 1",
    title="The derivative of h",
    printed=r"h_{\varepsilon,p_{\mathrm{ref}}}'(p)=-h_{\varepsilon,p_{\mathrm{ref}}}(p)(1-h_{\varepsilon,p_{"
    r"\mathrm{ref}}}(p))\frac{1-2p}{2\beta[p(1-p)+\varepsilon]^{3/2}}",
    remark="One-sided at p = 0 and p = 1, where the formula of h goes on a little outside [0, 1].",
)

# -- monotonicity -----------------------------------------------------------------------------------------------------
ASSUMED = (
    "p_ref < 1 is assumed in the proof of Theorem 2, where h is written as here; for p_ref = 1 the map is "
    "the constant 1."
)
decreasing = claim(
    "mr-prop1-decreasing",
    Every(
        Monotone(h, success, -1, label="on [0, ½)"),
        Always(Derivative(h, success) < 0, label="h' < 0").by(ByDifference(-diff(h, success))),
    ),
    Domain(0 <= success, success < half, 0 < success_ref, success_ref < 1, beta > 0, guard > 0),
    kind="monotonicity",
    depends_on=["mr-prop1-derivative"],
    locator="Sec 3, Proposition 1",
    title="The fall of h below ½",
    printed=r"\text{if }p<\tfrac12,\ h_{\varepsilon,p_{\mathrm{ref}}}'(p)<0\text{ and }h_{\varepsilon,p_{"
    r"\mathrm{ref}}}(p)\text{ is decreasing}",
    remark=ASSUMED,
)

increasing = claim(
    "mr-prop1-increasing",
    Every(
        Monotone(h, success, 1, label="on (½, 1]"),
        Always(Derivative(h, success) > 0, label="h' > 0").by(ByDifference(diff(h, success))),
    ),
    Domain(half < success, success <= 1, 0 < success_ref, success_ref < 1, beta > 0, guard > 0),
    kind="monotonicity",
    depends_on=["mr-prop1-derivative"],
    locator="Sec 3, Proposition 1",
    title="The rise of h above ½",
    printed=r"\text{if }p>\tfrac12,\ h_{\varepsilon,p_{\mathrm{ref}}}'(p)>0\text{ and }h_{\varepsilon,p_{"
    r"\mathrm{ref}}}(p)\text{ is increasing}",
    remark=ASSUMED,
)

at_half = h.subs(success, half)
minimum = claim(
    "mr-prop1-minimum",
    OnlyMaximum(h, success, half, -1, label="smallest at ½, and nowhere else").by(
        RiseAndFall(given=(decreasing, increasing))
    ),
    unit,
    because=(
        Equal(slope.subs(success, half), 0, label="h'(½)"),
        Always(And(h > 0, h < 1), label="values"),
        Equal(at_half, 1 / (1 + A * exp(-1 / (beta * sqrt(guard + Rational(1, 4))))), label="h(½)"),
        Equal(h, h.subs(success, 1 - success), label="h at p and at 1 − p"),
    ),
    kind="inequality",
    depends_on=["mr-prop1-derivative", "mr-prop1-decreasing", "mr-prop1-increasing"],
    locator="Sec 3, Proposition 1",
    title="The place of the minimum of h",
    printed=r"\text{if }p=\tfrac12,\ h_{\varepsilon,p_{\mathrm{ref}}}'(p)=0"
    r"\text{ and }p=\tfrac12\text{ achieves its minimum}",
    remark=(
        "Both ends have one value, h(0) = h(1), and every other is smaller (mr-thm3-below-end). For p_ref = 1 every p "
        "is a minimum."
    ),
)

# -- existence --------------------------------------------------------------------------------------------------------
at_start = (exp_sign(-1 / (beta * root.subs(success, success_ref))),)
fixed_point = TakesValue(h - success, success, success_ref, 1, label="a fixed point")
claim(
    "mr-prop1-existence",
    Every(
        Always(And(h > 0, h < 1), label="values in (0, 1)"),
        Continuous(h, success, label="h is continuous on [0, 1]"),
        fixed_point.by(IntermediateValue(rising=False, using=at_start)),
    ),
    unit,
    because=(
        Always(
            And(radicand > 0, h * A * E + h > 0),
            label="what is under the root is positive, and so is h times its denominator",
        ),
        Always(h > success_ref, using=below_one, label="above p_ref, so h(p) > p at p = p_ref"),
        Always((h - success).subs(success, 1) < 0, label="below the diagonal at 1"),
    ),
    kind="existence",
    depends_on=["mr-thm2-h"],
    locator="Sec 3, Proposition 1",
    title="Continuity of h, its values and a fixed point",
    printed=r"h_{\varepsilon,p_{\mathrm{ref}}}\text{ is continuous }[0,1]\text{ to }[0,1]\text{ and hence admits at "
    r"least a fixed point }p^*\text{ in }[0,1]",
    remark="Sharper than printed: every value of h, and with it every fixed point, lies strictly between p_ref and 1, "
    "for every β and ε.",
)

claim(
    "mr-pfprop1-brouwer",
    TakesValue(h - success, success, 0, 1, label="a fixed point").by(IntermediateValue(rising=False)),
    unit,
    because=(
        Always((h - success).subs(success, 0) > 0, label="above the diagonal at 0"),
        Always((h - success).subs(success, 1) < 0, label="below it at 1"),
        Always(And(h >= 0, h <= 1), label="h maps [0, 1] into itself"),
    ),
    kind="existence",
    depends_on=["mr-prop1-existence"],
    locator="App A, proof of Proposition 1",
    title="A fixed point between 0 and 1",
    printed=r"\text{by Brouwer's Fixed Point Theorem at least a fixed point }p^*\text{ exists in }[0,1]",
    remark="Shown by intermediate values, which is Brouwer's theorem on an interval.",
)

# -- not unique -------------------------------------------------------------------------------------------------------
tiny = Rational(1, 10**30)
steep = 1 / (8 * guard ** Rational(3, 2))


def fixed_points(values, *between):
    """Fixed points of h at these parameters, one between any two neighbours of the given numbers."""
    at = f"p_ref = {values[success_ref]}, β = {values[beta]}: a fixed point "

    def name(end):
        return "1 − 10⁻³⁰" if end == 1 - tiny else end

    return tuple(
        On(
            Domain(),
            TakesValue(
                (h - success).subs(values), success, low, high, label=at + f"between {name(low)} and {name(high)}"
            ),
        )
        for low, high in pairwise(between)
    )


claim(
    "mr-prop1-nonunique",
    Every(
        *fixed_points(
            {success_ref: Rational(1, 10), beta: 1, guard: Rational(1, 100)},
            Rational(2, 5),
            Rational(9, 10),
            Rational(99, 100),
            1,
        )
    ),
    parameters,
    kind="existence",
    depends_on=["mr-prop1-existence"],
    locator="Sec 3, Proposition 1",
    title="An example of several fixed points of h",
    printed=r"\text{(no guarantees for a unique fixed point)}",
    remark=(
        "p_ref = 1/10, β = 1, ε = 1/100: three at least, by changes of sign; no more than three by "
        "mr-dyn-at-most-three."
    ),
)

claim(
    "mr-fig2-nonunique",
    Every(
        *fixed_points({success_ref: half, beta: 2, guard: Rational(1, 10**5)}, half, Rational(9, 10), 1 - tiny, 1),
        *fixed_points(
            {success_ref: Rational(1, 10), beta: 3, guard: Rational(1, 10**5)}, Rational(1, 10), half, 1 - tiny, 1
        ),
    ),
    parameters,
    kind="existence",
    depends_on=["mr-prop1-nonunique"],
    locator="Sec 3, before Section 4; Figure 2",
    title="Fixed points at the smoothing of Figure 2, for two pairs of p_ref and β",
    printed=r"\text{We see that the fixed points are not "
    r"unique in general}",
    remark="p_ref = 1/2, β = 2 and p_ref = 1/10, β = 3, with ε = 10⁻⁵. The largest differs from 1 by less than 10⁻³⁰.",
)

# The size of h' by three factors: u(1 − u) for h(1 − h), v for √(p(1 − p) + ε) and y for √ε.
lipschitz = 1 / (8 * beta * guard ** Rational(3, 2))
factors = Domain(0 < u, u < 1, 0 < y, y <= v, 0 <= success, success <= 1, beta > 0)
in_factors = u * (1 - u) * (2 * success - 1) / (2 * beta * v**3)
bounded = Always(
    And(in_factors >= -1 / (8 * beta * y**3), in_factors <= 1 / (8 * beta * y**3)), label="each factor has its bound"
)
here = {u: h, v: root, y: sqrt(guard)}
steady = Lipschitz(h, success, lipschitz, label="|h'| ≤ 1/(8βε√ε)").by(
    BoundedDerivative(slope=in_factors.subs(here), using=InLetters(bounded, factors, here))
)
recursion = Iteration(h, success, x)
claim(
    "mr-prop1-lipschitz",
    Every(
        steady,
        On(
            unit.also(beta > steep, 0 <= x, x <= 1),
            ConvergesToFixedPoint(recursion, 0, 1, label="from every start x").by(Contraction(lipschitz, steady.rule)),
        ),
    ),
    unit,
    kind="inequality",
    depends_on=["mr-prop1-derivative"],
    locator="Sec 3, after Proposition 1",
    title="A Lipschitz constant of h, and β for which h contracts",
)

# -- limits of the iteration ------------------------------------------------------------------------------------------
claim(
    "mr-limit-is-fixed",
    LimitIsFixedPoint(recursion, 0, 1, label="the limit, if there is one"),
    unit.also(0 <= x, x <= 1),
    kind="limit",
    depends_on=["mr-prop1-existence"],
    locator="Sec 3, after Proposition 1",
    title="The limit of a convergent iteration",
    printed=(
        r"p_\infty=\lim_{n\to\infty}p_n=\lim_{n\to\infty}h_{\varepsilon,p_{\mathrm{ref}}}(p_{n-1})=h_{\varepsilon,p_{"
        r"\mathrm{ref}}}(\lim_{n\to\infty}p_{n-1})=h_{\varepsilon,p_{\mathrm{ref}}}(p_\infty)"
    ),
    remark="If it converges: for small p_ref it may not (mr-fig5-divergent).",
)

# p_ref as a function of a fixed point: h(p) = p solved for p_ref, so each p is a fixed point for one p_ref only.
needed = success * E / (1 - success + success * E)
open_unit = unit.also(0 < success, success < 1)
hits, misses = Sum(policy_hit, (o, 1, n_hit)), Sum(policy_miss, (o, 1, n_miss))
claim(
    "mr-fp-depends-q",
    Every(
        On(
            unit.also(
                simplex(hit_ref, n_hit, success_ref),
                simplex(miss_ref, n_miss, 1 - success_ref),
                n_hit >= 1,
                n_miss >= 1,
                v > 0,
            ),
            Equal(hits / (hits + misses), h, label="of the answers and of π_ref only p_ref is left"),
        ),
        On(
            open_unit,
            Equal(
                h - success,
                (success_ref - needed) * (1 - success + success * E) / (success_ref + (1 - success_ref) * E),
                label="so p is fixed for one p_ref, and for no other",
            ),
        ),
    ),
    unit,
    because=(
        On(open_unit, Equal(h.subs(success_ref, needed), success, label="p is fixed for this p_ref")),
        On(open_unit, Monotone(h, success_ref, 1, label="h increases with p_ref")),
    ),
    depends_on=["mr-thm2-h", "mr-prop1-existence"],
    locator="Sec 3, after Proposition 1",
    title="Dependence of a fixed point on the question",
    printed=r"\text{the fixed point }p^*\text{ is indeed function of }q\text{, and this dependency in }h_{"
    r"\varepsilon,p_{\mathrm{ref}}}\text{ is via }p_{\mathrm{ref}}(q)",
    remark="For given β and ε, which the questions share.",
)

claim(
    "mr-fig2-p1",
    Every(
        Always(And(h > 0, h < 1), label="no value of h is 1"),
        *fixed_points({success_ref: half, beta: 1, guard: Rational(1, 10**5)}, 1 - tiny, 1),
    ),
    unit,
    because=(
        Equal(
            (1 - h).subs(success, 1),
            A * exp(-1 / (beta * sqrt(guard))) / (1 + A * exp(-1 / (beta * sqrt(guard)))),
            label="1 − h(1)",
        ),
        On(Domain(beta > 0), Tends(E.subs(success, 1), guard, 0, 0, label="but the exponential → 0 as ε → 0")),
    ),
    kind="existence",
    depends_on=["mr-prop1-existence", "mr-prop1-nonunique"],
    locator="Sec 3, before Section 4; Figure 2",
    title="Fixed points near 1",
    printed=r"p^*=1\text{ is almost always a fixed point}",
    judged=wrong(
        "1 − h(1) is positive for all β, ε > 0 and p_ref < 1; where it is small, as for the paper's ε, it is about "
        "e^{−1/(β√ε)} (1 − p_ref)/p_ref.",
        Equal(h.subs(success, 1), 1),
    ),
)
