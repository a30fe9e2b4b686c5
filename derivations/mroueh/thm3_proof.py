"""The appendix proof of Theorem 3, step by step.

Statement.   f(p) = h(p) − p is positive at p_ref and decreasing on [0, ½]; if p_ref > ½ and condition (2) holds, it is
             decreasing on (½, p_ref] too; so its zeros exceed p_ref.
Source.      Mroueh (2025), Appendix B, proof of Theorem 3 with Lemma 2.
Domain.      0 < p_ref < 1, β > 0, ε > 0; p in [0, 1], or where the step says so.
Derivation.  f = h − p → f′ → σ(1 − σ) (z = a + b/β) → cosh form (Lemma 3 (1)) → its two factors bounded one by one
             (Lemmas 3 (2) and 4, ξ) → condition (2).
Caveats.     f(0) is not one; Lemma 2 begins with f(p_ref) − p_ref for f(p_ref); lemmas are cited by wrong numbers;
             condition (2) suffices for f′ ≤ 0 and is not needed for it. The second half can be spared altogether:
             h(p) > p_ref for every p (thm3_amplification.py).
Letters.     f is h − p, ξ is cosh²(b/2β), a the log-odds of p_ref and b is 1/√(p(1 − p) + ε); the paper's z is a + b/β.
             v is the exponent b/β of h, s and t are its values at ½ and at p_ref, and x and y are eᵛ at two of these
             three places. u is exp(−v) at p and α that at ½; ζ is the slope of z at p and χ that at p_ref. ν and ψ are
             the left and the right side of (2), and q is the odds of failure at p_ref.
"""

from grpo_symbolic.paper import *

from .lem3_lem4 import half, sigma, spread
from .thm2_recursion import h
from .thm3_amplification import (
    P,
    above_half,
    amplified,
    at_half,
    c,
    condition,
    domain,
    exceeds,
    exponent,
    printed_left,
    printed_right,
    setting,
)

claim = Result(__file__).claim

variance = success * (1 - success) + guard
a, b = -log((1 - P) / P), 1 / sqrt(variance)
z = a + b / beta
steepness = (2 * success - 1) / (2 * beta * variance ** Rational(3, 2))  # z′
falling = domain.also(success <= half)  # p in [0, ½]
high = setting.also(P > half)
rising = setting.also(half < success, success <= P, P < 1)  # p in (½, p_ref]
defined = Always((1 - P) / P > 0, label="the odds of failure are positive, so they have a logarithm")

# f and its derivative, by the logistic function and by the hyperbolic cosine.
d = Derivation("mr-pf3-slope", domain)
f = d.start(h - success, "the zeros of f are the fixed points")
slope = d.differentiate(f, success)
by_sigma = d.rewrite(slope, spread(z) * steepness - 1, "h is the logistic function at z = a + b/β")
by_cosh = d.rewrite(
    (by_sigma + 1) * 4 * cosh(z / 2) ** 2, steepness, "Lemma 3 (1), multiplied by the squared cosine, which is positive"
)

claim(
    "mr-pf3-claim",
    exceeds(domain),
    domain,
    kind="inequality",
    depends_on=["mr-thm3-every-p"],
    locator="App B, proof of Theorem 3",
    title="The claim of the proof: fixed points against the reference",
    printed=r"\text{any fixed point }p^*\text{ of }h_\varepsilon\text{ satisfies }p^*>p_{\mathrm{ref}}",
    remark="The claim is made here without conditions (1) and (2), and needs none.",
)

# Lemma 2.
at_ref = domain.also(Eq(success, P))
claim(
    "mr-lem2-factor",
    Always(exp(-v) < 1, using=(exp_sign(-v),)),
    Domain(v > 0),
    kind="inequality",
    locator="App B, Lemma 2, proof",
    title="A bound of the exponential factor",
    printed=(
        r"\text{We have for all }\beta,\varepsilon>0\ \exp\Big(-\frac1\beta\frac1{\sqrt{p_{\mathrm{ref}}(1-p_{"
        r"\mathrm{ref}})+\varepsilon}}\Big)\le1"
    ),
    remark=(
        "v is 1/(β√(p_ref(1 − p_ref) + ε)) > 0. The strict sign, which the print omits, is the one that the next line "
        "of the proof uses."
    ),
)

claim(
    "mr-lem2",
    amplified(at_ref, "p_ref")
    & Equal(f.subs(success, P), h.subs(success, P) - P, label="f(p_ref), and h(p_ref) less p_ref"),
    setting,
    kind="inequality",
    depends_on=["mr-lem2-factor"],
    locator="App B, Lemma 2",
    title="The sign of f at the reference",
    printed=r"\text{For all }\beta,\varepsilon>0\text{, we have }f(p_{\mathrm{ref}})>0",
    remark="0 < p_ref < 1, as in Theorem 3.",
)

factor_at_ref = exp(-1 / (beta * sqrt(P * (1 - P) + guard)))
chain = P * (1 - P) * (1 - factor_at_ref) / (P + (1 - P) * factor_at_ref)
claim(
    "mr-lem2-fminus",
    Equal(f.subs(success, P), chain),
    setting,
    depends_on=["mr-lem2"],
    locator="App B, Lemma 2, proof",
    title="The value of f at the reference",
    printed=(
        r"f(p_{\mathrm{ref}})-p_{\mathrm{ref}}=\frac1{1+\frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}\exp\big(-\frac1"
        r"\beta\frac1{\sqrt{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon}}\big)}-p_{\mathrm{ref}}"
    ),
    judged=misprint(
        "the left side is f(p_ref): p_ref has been subtracted already in f. So in the copy that was read.",
        Equal(f.subs(success, P) - P, h.subs(success, P) - P),
    ),
    remark="The value in closed form, positive because the exponential factor is below one.",
)

# The derivative.
by_spread = -spread(z) * (1 - 2 * success) / (2 * beta * variance ** Rational(3, 2)) - 1
claim(
    "mr-pf3-fprime",
    Equal(Derivative(h - success, success), by_spread, label="f′"),
    domain,
    because=(defined, Equal(slope, by_spread, label="h′ − 1, through h(1 − h)")),
    by=d,
    depends_on=["mr-thm2-h"],
    locator="App B, proof of Theorem 3",
    title="The derivative of f",
    printed=r"f'(p)=h'_\varepsilon(p)-1=-\sigma(z(p))(1-\sigma(z(p)))\frac{1-2p}{2\beta[p(1-p)+\varepsilon]^{3/2}}-1",
)

claim(
    "mr-pf3-cosh-form",
    Equal(Derivative(h - success, success), steepness / (4 * cosh(z / 2) ** 2) - 1, label="f′"),
    domain,
    because=(
        Equal(
            (slope + 1) * 4 * cosh((a + b / beta) / 2) ** 2,
            (2 * success - 1) / (2 * beta * variance ** Rational(3, 2)),
            label="4 cosh²(z/2) times f′ + 1",
        ),
    ),
    by=d,
    depends_on=["mr-pf3-fprime", "mr-lem3-1"],
    locator="App B, proof of Theorem 3",
    title="The derivative of f through the hyperbolic cosine",
    printed=(
        r"f'(p)\text{ … }=\frac1{4\cosh^2\big(\frac{a(p_{\mathrm{ref}})+\frac1\beta b(p)}2\big)}\frac{2p-1}{2"
        r"\beta[p(1-p)+\varepsilon]^{3/2}}-1"
    ),
)

# Case (1): p_ref ≤ ½.
at_zero = h.subs(success, 0)
claim(
    "mr-pf3-f0",
    Every(
        On(
            Domain(0 < P, P < 1, v > 0),
            Always(
                And(1 / (1 + (1 - P) / P * exp(-v)) > P, 1 / (1 + (1 - P) / P * exp(-v)) < 1),
                using=(exp_sign(v),),
                label="between p_ref and one",
            ),
        ),
        Tends(f.subs(success, 0), guard, 0, 1, "+", label="it tends to one with ε → 0"),
    ),
    setting,
    because=(
        defined,
        Equal(f.subs(success, 0), 1 / (1 + (1 - P) / P * exp(-1 / (beta * sqrt(guard)))), label="f(0), which is h(0)"),
    ),
    locator="App B, proof of Theorem 3",
    title="The value of f at 0 against p_ref and 1, and its limit for vanishing ε",
    printed=r"f(0)=1>0",
    judged=wrong(
        "for ε > 0 f(0) = h(0) < 1; one is its limit as ε → 0. What the proof needs, f(0) > 0, holds",
        Equal(f.subs(success, 0), 1),
    ),
    remark="v is 1/(β√ε).",
)

claim(
    "mr-pf3-inclusion",
    Always(And(success >= 0, success < half)),
    Domain(0 <= success, success <= P, P < half),
    kind="inequality",
    locator="App B, proof of Theorem 3",
    title="The interval of case (1)",
    printed=r"[0,p_{\mathrm{ref}}]\subset(0,\tfrac12)",
    judged=misprint(
        "0 belongs to the first interval and not to the second: read [0, ½). So in the copy that was read.",
        Always(And(success > 0, success < half)),
    ),
)

logistic = P * (1 - P) * u / (P + (1 - P) * u) ** 2  # h(1 − h) with u = exp(−b/β)
decreases = Every(
    defined,
    Equal(slope + 1, logistic.subs(u, exp(-b / beta)) * steepness, label="h′ in the exponential factor of h"),
    On(falling.also(0 < P, 0 < u, u < 1), Always(logistic * steepness <= 0, label="so h′ ≤ 0, and f′ ≤ −1")),
)
claim(
    "mr-pf3-case1-argument",
    Every(
        On(
            falling.also(P <= half),
            Monotone(h - success, success, -1, using=(exp_sign(-b / beta),), label="f decreases").by(
                SignOfDerivative(form=logistic.subs(u, exp(-b / beta)) * steepness - 1)
            ),
        ),
        exceeds(domain.also(P <= half)),
    ),
    falling.also(P <= half),
    because=(
        decreases,
        amplified(falling.also(P <= half, success <= P)),
    ),
    kind="inequality",
    depends_on=["mr-pf3-fprime", "mr-lem2"],
    locator="App B, proof of Theorem 3",
    title="Case (1): fixed points up to p_ref, excluded",
    printed=(
        r"\text{If }p_{\mathrm{ref}}<\tfrac12\text{ We have … }f(p_{\mathrm{ref}})>0\text{, since }f\text{ decreasing "
        r"in }[0,p_{\mathrm{ref}}]\text{ … and is strictly positive in this interval. }f(p)=0\text{ will be in }(p_{"
        r"\mathrm{ref}},1]\text{ and hence }p^*>p_{\mathrm{ref}}"
    ),
    remark="u is exp(−b/β). The proof speaks of p_ref < ½; p_ref = ½, which case (1) includes, is proved here with it.",
)

# The minimum of h, and case (2): p_ref > ½.
below, above = Domain(0 <= success, success < half, guard > 0), Domain(half < success, success <= 1, guard > 0)
shape = (
    On(below, Monotone(variance, success, 1, label="the variance with its guard rises up to ½")),
    On(above, Monotone(variance, success, -1, label="and falls from there")),
    On(
        Domain(0 < P, P < 1, v > 0),
        Monotone(1 / (1 + (1 - P) / P * exp(-v)), v, 1, label="h rises with its exponent v"),
    ),
)
claim(
    "mr-pf3-hhalf",
    Every(
        Always(at_half > P, using=(exp_sign(exponent.subs(success, half)),), label="h(½) > p_ref"),
        Always(h >= at_half, label="so h(½) is its minimum").by(above_half),
    ),
    domain,
    because=(
        amplified(domain.also(Eq(success, half)), "½"),
        defined,
        Equal(
            at_half, sigma(a + 1 / (beta * sqrt(Rational(1, 4) + guard))), label="h(½), through the logistic function"
        ),
        *shape,
    ),
    kind="inequality",
    depends_on=["mr-thm2-h", "mr-prop1-minimum"],
    locator="App B, proof of Theorem 3",
    title="The minimum of h",
    printed=(
        r"\text{the minimum of }h_\varepsilon(p)\text{ is achieved for }p=\tfrac12\text{. We have }h_\varepsilon\big("
        r"\tfrac12\big)=\frac1{1+\frac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}\exp\big(-\frac1\beta\frac1{\sqrt{\frac14+"
        r"\varepsilon}}\big)}>p_{\mathrm{ref}}"
    ),
)

claim(
    "mr-pf3-chain-half",
    On(
        Domain(half < P, P < 1, 0 < s, s < t),
        Always(
            And(
                1 / (1 + (1 - P) / P * exp(-t)) > 1 / (1 + (1 - P) / P * exp(-s)),
                1 / (1 + (1 - P) / P * exp(-s)) > P,
                P > half,
            ),
            using=(exp_increasing(s, t), exp_sign(s)),
            label="the chain",
        ),
    ),
    high,
    because=(
        On(
            high.also(Eq(s, 2 * c / beta), Eq(t, 1 / (beta * sqrt(P * (1 - P) + guard)))),
            Every(
                Always(And(0 < s, s < t), label="the order of the exponents"),
            ),
        ),
    ),
    kind="inequality",
    depends_on=["mr-pf3-hhalf"],
    locator="App B, proof of Theorem 3",
    title="The values of h at ½ and at a reference above ½",
    printed=(
        r"\text{For }p_{\mathrm{ref}}>\tfrac12\text{, we have }h_\varepsilon(p_{\mathrm{ref}})>h_\varepsilon\big("
        r"\tfrac12\big)>p_{\mathrm{ref}}>\tfrac12\text{, since }h_\varepsilon(p)\text{ is increasing on }\big["
        r"\tfrac12,1\big]\text{. It follows that }f(\tfrac12)>0\text{ and }f(p_{\mathrm{ref}})>0"
    ),
    remark="s and t are the exponents of h at ½ and at p_ref.",
)

claim(
    "mr-pf3-beta-of-p",
    Every(
        On(high.also(Eq(q, (1 - P) / P)), Always(q < 1, label="q is below 1, so a = −log q is positive")),
        Always(b > 0, label="b is positive"),
    ),
    domain.also(P > half),
    kind="inequality",
    depends_on=["mr-lem4"],
    locator="App B, proof of Theorem 3",
    title="The signs of the two terms of z",
    printed=r"p_{\mathrm{ref}}>\tfrac12:\ a(p_{\mathrm{ref}})>0\text{ and }\beta(p)>0",
    judged=misprint("β is a constant; the second function is b(p) = 1/√(p(1 − p) + ε). So in the copy that was read."),
)

# Lemmas 3 and 4 where the proof cites them; cosh²(b/2β) is (1 + u)²/(4u), and cosh²(a/2) = 1/(4 p_ref (1 − p_ref)).
claim(
    "mr-pf3-xref-lemma2",
    Equal(4 * cosh(z / 2) ** 2 * spread(z), 1),
    domain.also(P > half),
    depends_on=["mr-lem3-1"],
    locator="App B, proof of Theorem 3",
    title="Lemma 3 (1) at z(p)",
    printed=r"\text{Using Lemma 2 … (Using Lemma 2 (1)) … by Lemma 2(2)}",
    judged=misprint(
        "the identity and the bound are parts (1) and (2) of Lemma 3; Lemma 2, f(p_ref) > 0, has no parts."
        " So in the copy that was read."
    ),
)

claim(
    "mr-pf3-xref-lemma4",
    Equal(4 * P * (1 - P) * cosh(a / 2) ** 2, 1),
    high,
    depends_on=["mr-lem4"],
    locator="App B, proof of Theorem 3",
    title="Lemma 4 where the proof uses it",
    printed=(
        r"\frac14\frac1{\cosh^2\big(\frac{a(p_{\mathrm{ref}})}2\big)\cosh^2\big(\frac{b(p)}{2\beta}\big)}=\frac{4p_{"
        r"\mathrm{ref}}(1-p_{\mathrm{ref}})}4\frac1{\cosh^2\big(\frac{b(p)}{2\beta}\big)}\text{ Using Lemma 3 (2)}"
    ),
    judged=misprint("this is Lemma 4; Lemma 3 (2) is the bound of the line before. So in the copy that was read."),
)

unit = Domain(0 <= success, success <= 1, beta > 0, guard > 0)
steepest = steepness.subs(success, P)
claim(
    "mr-pf3-g-increasing",
    Every(
        On(unit, Monotone(steepness, success, 1, label="on the whole of [0, 1]")),
        Always(And(steepness > 0, steepness <= steepest), label="bounds"),
    ),
    rising,
    kind="monotonicity",
    locator="App B, proof of Theorem 3",
    title="The derivative of z between ½ and p_ref",
    printed=(
        r"p\to\frac{2p-1}{2\beta[p(1-p)+\varepsilon]^{3/2}}\text{ is increasing in }(\tfrac12,p_{\mathrm{ref}}]\text{ "
        r"and hence we have for }p\in(\tfrac12,p_{\mathrm{ref}}]\ 0<\frac{2p-1}{2\beta[p(1-p)+\varepsilon]^{3/2}}\le"
        r"\frac{2p_{\mathrm{ref}}-1}{2\beta[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}"
    ),
)

by_u = 4 * u / (1 + u) ** 2  # 1/cosh²(b/2β)
below_by_u = On(
    Domain(half < P, P < 1, 0 < u, u < 1),
    Always(And(logistic > 0, logistic < P * (1 - P) * by_u), label="the bound in u"),
)
factor = logistic.subs(u, exp(-b / beta))
at_factor = Always(And(factor > 0, factor < P * (1 - P) * by_u.subs(u, exp(-b / beta))), label="at the factor").by(
    InLetters(
        Always(And(logistic > 0, logistic < P * (1 - P) * by_u), label="the bound in u"),
        Domain(half < P, P < 1, 0 < u, u < 1),
        {u: exp(-b / beta), P: P},
        (exp_sign(-b / beta),),
    )
)
claim(
    "mr-pf3-cosh-bound",
    Always(
        And(h * (1 - h) > 0, h * (1 - h) < P * (1 - P) / cosh(b / (2 * beta)) ** 2),
        label="the logistic factor, h(1 − h)",
    ).by(
        Then(
            (
                Equal(h * (1 - h), factor, label="in the exponential factor of h"),
                Equal(1 / cosh(b / (2 * beta)) ** 2, by_u.subs(u, exp(-b / beta)), label="the cosine in it"),
                at_factor,
            )
        )
    ),
    domain.also(P > half),
    because=(
        below_by_u,
        Equal(
            4 * cosh(z / 2) ** 2 * logistic.subs(u, exp(-b / beta)), 1, label="4 cosh²(z/2) times the left side in u"
        ),
        Equal(cosh(b / (2 * beta)) ** 2 * by_u.subs(u, exp(-b / beta)), 1, label="cosh²(b/2β) times its inverse in u"),
    ),
    kind="inequality",
    depends_on=["mr-lem3-2", "mr-lem4"],
    locator="App B, proof of Theorem 3",
    title="A bound of the logistic factor of f′",
    printed=(
        r"\frac1{4\cosh^2\big(\frac{a(p_{\mathrm{ref}})+\frac1\beta b(p)}2\big)}\le\frac14\frac1{\cosh^2\big("
        r"\frac{a(p_{\mathrm{ref}})}2\big)\cosh^2\big(\frac{b(p)}{2\beta}\big)}\text{ … }=\frac{4p_{\mathrm{ref}}(1-p_{"
        r"\mathrm{ref}})}4\frac1{\cosh^2\big(\frac{b(p)}{2\beta}\big)}"
    ),
    remark="u is exp(−b/β). The bound is strict.",
)

xi = cosh(b / (2 * beta)) ** 2
xi_slope = (2 * success - 1) / (4 * beta * variance ** Rational(3, 2)) * sinh(b / beta)
claim(
    "mr-pf3-xi-derivative",
    Equal(Derivative(xi, success), xi_slope, label="ξ′"),
    unit,
    because=(
        Equal(xi.diff(success), b.diff(success) / (2 * beta) * sinh(2 * b / (2 * beta)), label="chain rule"),
        Equal(xi.diff(success), xi_slope, label="the derivative"),
    ),
    locator="App B, proof of Theorem 3",
    title="The derivative of ξ",
    printed=(
        r"\xi'(p)\text{ … }=\frac1{2\beta}b'(p)\sinh\big(2\tfrac1{2\beta}b(p)\big)=\frac1{4\beta}\frac{2p-1}{(p(1-p)+"
        r"\varepsilon)^{3/2}}\sinh\big(\tfrac1\beta b(p)\big)"
    ),
)

xi_of_v = (exp(v) + 2 + exp(-v)) / 4
at_half_v, at_p_v, at_ref_v = 2 * c / beta, b / beta, 1 / (beta * sqrt(P * (1 - P) + guard))  # v at ½, p and p_ref
of_x, of_y = (x + 2 + 1 / x) / 4, (y + 2 + 1 / y) / 4  # ξ through eᵛ


def in_order(low, high, labels):
    """ξ and 1/ξ at two values of v, of which the first is the smaller."""
    values, known = {x: exp(low), y: exp(high)}, (exp_increasing(high, low), exp_sign(low))
    for less, label in zip((of_x <= of_y, 1 / of_y <= 1 / of_x), labels, strict=True):
        rule = InLetters(Always(less, label="in eᵛ"), Domain(1 <= x, x <= y), values, known)
        yield Always(less.subs(values, simultaneous=True), label=label).by(rule)


claim(
    "mr-pf3-xi-bounds",
    Every(
        Equal(xi, xi_of_v.subs(v, b / beta), label="ξ through v = b/β"),
        On(Domain(v > 0), Monotone(xi_of_v, v, 1, using=(exp_sign(v), exp_sign(-v)), label="ξ rises with v")),
        Always(
            And(2 * c <= b, b <= 1 / sqrt(P * (1 - P) + guard)), label="b lies between its values at ½ and at p_ref"
        ),
        *in_order(at_half_v, at_p_v, ("ξ(½) ≤ ξ(p)", "1/ξ(p) ≤ 1/ξ(½)")),
        *in_order(at_p_v, at_ref_v, ("ξ(p) ≤ ξ(p_ref)", "1/ξ(p_ref) ≤ 1/ξ(p)")),
    ),
    rising,
    kind="monotonicity",
    depends_on=["mr-pf3-xi-derivative"],
    locator="App B, proof of Theorem 3",
    title="ξ between its values at ½ and at p_ref",
    printed=(
        r"\xi\big(\tfrac12\big)\le\xi(p)\le\xi(p_{\mathrm{ref}})\text{ hence we have: }\frac1{\xi(p_{\mathrm{ref}})}\le"
        r"\frac1{\xi(p)}\le\frac1{\xi\big(\frac12\big)}=\frac1{\cosh^2(\frac1{2\beta}\frac1{\sqrt{\frac14+"
        r"\varepsilon}})}"
    ),
)

largest = exp(-2 * c / beta)  # the largest value of exp(−b/β), that at p = ½
factors = Domain(half < P, P < 1, 0 < u, u <= alpha, alpha < 1)
by_alpha = by_u.subs(u, alpha)
product = Always(logistic * zeta <= P * (1 - P) * by_alpha * chi, label="the product of two bounds")
placed = {u: exp(-b / beta), alpha: largest, zeta: steepness, chi: steepest}
exponents = (exp_increasing(-b / beta, -2 * c / beta), exp_increasing(-2 * c / beta, -b / beta))
signs = (exp_sign(-b / beta), exp_sign(-2 * c / beta))
bounded = InLetters(product, factors.also(0 < zeta, zeta <= chi), placed, (*exponents, *signs))
product_of_bounds = Always(
    product.formula.subs(placed, simultaneous=True), label="f′ + 1 is at most the product of two bounds"
).by(bounded)
in_factors, largest_product = (
    side.subs(placed, simultaneous=True) for side in product.formula.args
)  # f′ + 1, its bound
most = printed_right / (beta * cosh(c / beta) ** 2)
claim(
    "mr-pf3-final-bound",
    Always(Derivative(h - success, success) <= most - 1, label="the bound on f′").by(
        ByDifference(largest_product - in_factors, Then((product_of_bounds,)))
    ),
    rising,
    because=(
        product_of_bounds,
        Equal(slope, logistic.subs(u, exp(-b / beta)) * steepness - 1, label="f′ as a product less 1"),
        Always(And(0 < 2 * c, 2 * c <= b), label="the exponent of u is the larger in size, so u ≤ α"),
        Always(And(steepness > 0, steepness <= steepest), label="the slope of z and its bound"),
        On(
            factors,
            Always(And(logistic > 0, logistic <= P * (1 - P) * by_alpha), label="the logistic factor and its bound"),
        ),
        Equal(cosh(c / beta) ** 2 * by_alpha.subs(alpha, largest), 1, label="ξ(½) times its inverse in α"),
        Equal(
            P * (1 - P) * steepest,
            printed_right / beta,
            label="the bound without its factor 1/ξ(½): the right side of (2) over β",
        ),
    ),
    kind="inequality",
    depends_on=["mr-pf3-fprime", "mr-pf3-cosh-bound", "mr-pf3-xi-bounds", "mr-pf3-g-increasing"],
    locator="App B, proof of Theorem 3",
    title="The bound on f′",
    printed=(
        r"\text{Hence we have for }p\in(0.5,p_{\mathrm{ref}}]\ f'(p)\le\frac{2p_{\mathrm{ref}}-1}{2\beta[p_{"
        r"\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}p_{\mathrm{ref}}(1-p_{\mathrm{ref}})\frac1{\cosh^2("
        r"\frac1{2\beta}\frac1{\sqrt{\frac14+\varepsilon}})}-1=\frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{"
        r"\mathrm{ref}}-1)}{2[p_{\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}\frac1{\beta\cosh^2(\frac1{2"
        r"\beta}\frac1{\sqrt{\frac14+\varepsilon}})}-1"
    ),
    remark="u and α are the exponential factors of h at p and at ½.",
)

# What the proof leaves to the reader: f falls on (½, p_ref] to f(p_ref) > 0, so it has no zero there.
constant = P * (1 - P) * by_alpha.subs(alpha, largest) * steepest  # the right side of (2) over the left one
claim(
    "mr-pf3-case2-argument",
    exceeds(domain.also(P > half)),
    high,
    because=(
        Equal(
            constant * printed_left,
            printed_right,
            label="the bound of f′ + 1 (mr-pf3-final-bound) times the left side of (2) is the right one",
        ),
        On(
            Domain(nu > 0, psi > 0),
            Always(Equivalent(psi / nu <= 1, nu >= psi), label="so the bound is at most 1 exactly under (2)"),
        ),
        amplified(at_ref.also(P > half), "p_ref"),
    ),
    kind="inequality",
    depends_on=["mr-pf3-final-bound", "mr-lem2", "mr-pf3-case1-argument"],
    locator="App B, proof of Theorem 3",
    title="Case (2): fixed points up to p_ref, excluded",
    remark="ν and ψ are the left and the right side of (2). The proof stops at (2) and leaves it to the reader that f "
    "then falls on (½, p_ref] to f(p_ref) > 0 and has no zero there. The claim holds without (2), too "
    "(mr-thm3-every-p).",
)

sharper = logistic.subs(u, largest) * steepest - 1
failing = {P: Rational(99, 100), beta: Rational(1), guard: Rational(1, 10**5)}
claim(
    "mr-pf3-need",
    Every(
        On(
            Domain(nu > 0, psi > 0),
            Always(Equivalent(psi / nu - 1 <= 0, nu >= psi), label="the bound is at most 0 exactly under (2)"),
        ),
        Exists(
            And(Not(condition), at_half * (1 - at_half) * steepest < 1),
            failing,
            label="the sharper bound is negative at a point where (2) fails",
        ),
    ),
    high,
    because=(
        On(
            factors,
            Always(
                logistic <= logistic.subs(u, alpha),
                label="a sharper bound on the logistic factor of f′ + 1, u and α being the exponential factors of h "
                "at p and at ½",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["mr-pf3-final-bound"],
    locator="App B, proof of Theorem 3",
    title="Condition (2) and the sign of f′",
    printed=(
        r"\text{To have }f'(p)\le0\text{ we need to have: }\beta\cosh^2\Big(\frac1{2\beta}\frac1{\sqrt{\frac14+"
        r"\varepsilon}}\Big)\ge\frac{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})(2p_{\mathrm{ref}}-1)}{2[p_{"
        r"\mathrm{ref}}(1-p_{\mathrm{ref}})+\varepsilon]^{3/2}}"
    ),
    judged=imprecise(
        "(2) is what the bound needs, not what f′ ≤ 0 needs: for p_ref = 0.99, β = 1, ε = 10⁻⁵ (2) fails, and f′ "
        "< 0 on all of (½, p_ref]",
        Always(Implies(sharper < 0, condition)),
        Domain(
            Rational(985, 1000) < P,
            P < Rational(99, 100),
            Rational(9, 10) < beta,
            beta < Rational(11, 10),
            0 < guard,
            guard < Rational(1, 10**5),
        ),
    ),
    remark=(
        "ν and ψ stand for the left and the right side of (2). The sharper bound, which is not in the paper, is "
        "h(½)(1 − h(½)) z′(p_ref) − 1: where it is negative, f′ < 0 on (½, p_ref], as f′ + 1 is the product in "
        "mr-pf3-final-bound."
    ),
)
