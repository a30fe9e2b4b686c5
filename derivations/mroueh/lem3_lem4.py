"""Lemmas 3 and 4 of the appendix: the logistic function and the hyperbolic cosine.

Statement.   σ(z)(1 − σ(z)) = 1/(4 cosh²(z/2)); at z + a it is at most 1/(4 cosh²(z/2) cosh²(a/2)) for z, a > 0; and
             cosh²(a/2) = 1/(4 p_ref (1 − p_ref)) for a = −log((1 − p_ref)/p_ref), which is positive for p_ref > 1/2.
Source.      Mroueh (2025), Appendix B, Lemmas 3 and 4 and their proofs.
Domain.      Every real z and a for the identities, positive ones for the bound; 1/2 < p_ref < 1 for Lemma 4.
Derivation.  logistic function → its derivative → hyperbolic cosine → addition formula → the gap of the bound, whose
             sign is that of sinh(z/2) sinh(a/2).
Caveats.     The lemmas hold; three lines of their proofs do not: σ(1 − σ) has 1 + e^{−z} below, cosh² is the reciprocal
             of 4σ(1 − σ), and the middle of the first line for Lemma 4 is the square of another cosine.
Letters.     s and t are the two numbers z and a of Lemma 3, in which they are alike; alone, t is z, a, or the x of cosh
             x. σ is the logistic function, u and v are e^{t/2} and e^{s/2}. In mr-lem4 u is (1 − p_ref)/p_ref.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

P = success_ref
half = Rational(1, 2)
line, plane, quadrant = Domain(t), Domain(s, t), Domain(s > 0, t > 0)


def sigma(argument):
    """The logistic function."""
    return 1 / (1 + exp(-argument))


def spread(argument):
    """σ(1 − σ)."""
    return sigma(argument) * (1 - sigma(argument))


claim(
    "mr-lem3-1",
    Equal(sigma(t).diff(t), spread(t)) & Equal(spread(t), 1 / (4 * cosh(t / 2) ** 2)),
    line,
    locator="App B, Lemma 3 (1)",
    title="The derivative of σ through the hyperbolic cosine",
    printed=r"\sigma(z)(1-\sigma(z))=\frac1{4\cosh^2(z/2)}",
)

claim(
    "mr-lem3-1-coshchain",
    Every(
        Equal(cosh(t) ** 2, (exp(2 * t) + exp(-2 * t) + 2) / 4, label="the square"),
        Equal(cosh(t) ** 2, exp(2 * t) * (1 + exp(-4 * t) + 2 * exp(-2 * t)) / 4, label="a factor taken out"),
        Equal(cosh(t) ** 2, (1 + exp(-2 * t)) ** 2 * exp(2 * t) / 4, label="a square again"),
    ),
    line,
    locator="App B, Lemma 3 (1), proof",
    title="The squared hyperbolic cosine in exponentials",
    printed=r"\cosh^2(x)=\tfrac14(e^{2x}+e^{-2x}+2)=\tfrac14e^{2x}(1+e^{-4x}+2e^{-2x})=\tfrac14(1+e^{-2x})^2e^{2x}",
)

claim(
    "mr-lem3-1-sigma",
    Equal(spread(t), exp(-t) / (1 + exp(-t)) ** 2),
    line,
    locator="App B, Lemma 3 (1), proof",
    title="σ(1 − σ) in exponentials",
    printed=r"\sigma(z)(1-\sigma(z))=\frac{e^{-z}}{(1-e^{-z})^2}",
    judged=misprint(
        "The sign below is a plus; with the minus the quotient exceeds the left side for z ≠ 0, and has no value at "
        "z = 0."
        " So in the copy that was read.",
        Equal(spread(t), exp(-t) / (1 - exp(-t)) ** 2),
        Domain(t > 0),
    ),
)

claim(
    "mr-lem3-1-cosh",
    Equal(1 - sigma(2 * t), sigma(-2 * t)) & Equal(cosh(t) ** 2, 1 / (4 * sigma(2 * t) * sigma(-2 * t))),
    line,
    depends_on=["mr-lem3-1-sigma", "mr-lem3-1-coshchain"],
    locator="App B, Lemma 3 (1), proof",
    title="The squared hyperbolic cosine through σ(1 − σ)",
    printed=r"\cosh^2(x)=\tfrac14\sigma(2z)(1-\sigma(2z))",
    judged=misprint(
        "A reciprocal is missing (and z stands for x): as printed cosh² would be at most 1/16."
        " So in the copy that was read.",
        Equal(cosh(t) ** 2, spread(2 * t) / 4),
    ),
)

# The gap of Lemma 3 (2): with C = cosh(z/2) cosh(a/2) and S = sinh(z/2) sinh(a/2) it is S (2C + S) / (4 C² (C + S)²).
C, S = cosh(t / 2) * cosh(s / 2), sinh(t / 2) * sinh(s / 2)
bound = 1 / (4 * C**2)
gap = S * (2 * C + S) / (4 * C**2 * (C + S) ** 2)


def in_exponentials(expression):
    """The same with u = exp(z/2) and v = exp(a/2)."""
    return expression.subs(
        {
            cosh(t / 2): (u + 1 / u) / 2,
            sinh(t / 2): (u - 1 / u) / 2,
            cosh(s / 2): (v + 1 / v) / 2,
            sinh(s / 2): (v - 1 / v) / 2,
        }
    )


positive, large = Domain(u > 0, v > 0), Domain(u > 1, v > 1)
exact_gap = Equal(
    bound - spread(s + t),
    in_exponentials(gap).subs({u: exp(t / 2), v: exp(s / 2)}),
    label="the gap, bound less what it bounds",
)
here = {u: exp(t / 2), v: exp(s / 2)}
halves = (exp_sign(t / 2), exp_sign(s / 2))

claim(
    "mr-lem3-2-addition",
    Equal(cosh((s + t) / 2), C + S),
    plane,
    locator="App B, Lemma 3 (2), proof",
    title="The addition formula",
    printed=(
        r"\cosh\big(\tfrac{z+a}2\big)=\cosh\big(\tfrac z2\big)\cosh\big(\tfrac a2\big)+\sinh\big(\tfrac z2\big)\sinh"
        r"\big(\tfrac a2\big)"
    ),
)

claim(
    "mr-lem3-2-sinh",
    Always((exp(t / 2) - exp(-t / 2)) / 2 > 0, using=(exp_sign(t / 2), exp_sign(-t / 2)), label="a positive number")
    & Equal(sinh(t / 2), (exp(t / 2) - exp(-t / 2)) / 2, label="which is sinh(t/2)"),
    Domain(t > 0),
    kind="inequality",
    locator="App B, Lemma 3 (2), proof",
    title="The hyperbolic sine of a positive number",
    printed=r"\sinh\big(\tfrac z2\big)\ge0\ \sinh\big(\tfrac a2\big)\ge0\text{ for }a,z>0",
)

claim(
    "mr-lem3-2",
    Every(
        exact_gap,
        Always(in_exponentials(gap).subs(here) > 0, label="the gap is positive").by(
            InLetters(Always(in_exponentials(gap) > 0, label="it is positive, in letters"), large, here, halves)
        ),
    ),
    quadrant,
    kind="inequality",
    depends_on=["mr-lem3-1", "mr-lem3-2-addition"],
    locator="App B, Lemma 3 (2)",
    title="σ(1 − σ) at a sum",
    printed=r"z,a>0:\ \sigma(z+a)(1-\sigma(z+a))\le\frac1{4\cosh^2(z/2)\cosh^2(a/2)}",
    remark="The bound is strict.",
)

of_u_v = in_exponentials(bound), in_exponentials(bound - gap)
both_in_exponentials = (
    Equal(of_u_v[0].subs(here), bound, label="the bound of the lemma, s and t being z and a"),
    Equal(of_u_v[1].subs(here), spread(s + t), label="what the lemma bounds"),
)


signs = Equivalent(in_exponentials(gap) >= 0, (u - 1) * (v - 1) >= 0)
by_signs = Then(
    (
        Always(signs.subs(here), label="its sign").by(
            InLetters(Always(signs, label="its sign, in letters"), positive, here, halves)
        ),
        Always(
            Equivalent((exp(t / 2) - 1) * (exp(s / 2) - 1) >= 0, s * t >= 0),
            using=halves,
            label="exp(z/2) − 1 has the sign of z",
        ),
    )
)
in_z_and_a = in_exponentials(gap).subs(here)
claim(
    "mr-lem3-2-iff",
    Every(
        When(
            s * t >= 0,
            Always(spread(s + t) <= bound, label="the bound holds for z and a of one sign, or 0").by(
                ByDifference(in_z_and_a, by_signs)
            ),
        ),
        When(
            s * t < 0, Always(bound < spread(s + t), label="and not for others").by(ByDifference(-in_z_and_a, by_signs))
        ),
    ),
    plane,
    kind="inequality",
    depends_on=["mr-lem3-1"],
    locator="App B, Lemma 3 (2)",
    title="The sign condition of the bound of Lemma 3 (2)",
)

spare = 4 * of_u_v[1] - of_u_v[0]
ratio = 4 * (1 + exp(-2 * t)) ** 2 / (1 + exp(-t)) ** 4
claim(
    "mr-lem3-2-loss",
    Every(
        On(
            quadrant,
            Always(bound < 4 * spread(s + t), label="less than a factor of four").by(
                ByDifference(
                    spare.subs(here),
                    InLetters(Always(spare > 0, label="what is spare, in letters"), large, here, halves),
                )
            ),
        ),
        On(
            Domain(t > 0),
            Every(
                Equal((bound / spread(s + t)).subs(s, t), ratio, label="the ratio of the two, along z = a"),
                Tends(ratio, t, oo, 4, "-", label="it tends to four"),
            ),
        ),
    ),
    large,
    because=(
        Tends(
            (of_u_v[0] / of_u_v[1]).subs(v, u),
            u,
            oo,
            4,
            "-",
            label="the bound over what it bounds, with u = e^(t/2) and s = t",
        ),
        On(quadrant, Every(*both_in_exponentials)),
    ),
    kind="inequality",
    depends_on=["mr-lem3-2"],
    locator="App B, Lemma 3 (2)",
    title="Looseness of the bound of Lemma 3 (2)",
)

# Lemma 4: a is the log-odds of the reference policy.
a = -log((1 - P) / P)
above_half, inside = Domain(half < P, P < 1), Domain(0 < P, P < 1)

claim(
    "mr-lem4",
    Every(
        On(
            above_half.also(Eq(u, (1 - P) / P)), Always(-log(u) > 0, using=(log_sign(u),), label="the log-odds, −log u")
        ),
        Equal(cosh(a / 2) ** 2, 1 / (4 * P * (1 - P)), label="the squared hyperbolic cosine of their half"),
    ),
    above_half,
    locator="App B, Lemma 4",
    title="The log-odds of the reference policy and the squared hyperbolic cosine of their half",
    printed=(
        r"\text{We have for }p_{\mathrm{ref}}>\tfrac12\text{, }a(p_{\mathrm{ref}})=-\log(\tfrac{1-p_{\mathrm{ref}}}{p_{"
        r"\mathrm{ref}}})>0\text{, and }\cosh^2(\tfrac{a(p_{\mathrm{ref}})}2)=\tfrac1{4p_{\mathrm{ref}}(1-p_{"
        r"\mathrm{ref}})}"
    ),
)

claim(
    "mr-lem4-everywhere",
    Every(
        Equal(cosh(a / 2) ** 2, 1 / (4 * P * (1 - P))),
        Always(Equivalent(a > 0, P > half), using=(log_sign((1 - P) / P),)),
    ),
    inside,
    locator="App B, Lemma 4",
    title="Lemma 4 for references on both sides of ½",
)

x = log(sqrt(P / (1 - P)))
roots = (sqrt(P / (1 - P)) + sqrt((1 - P) / P)) / 2
middle = ((1 - P) ** 2 / P**2 + P**2 / (1 - P) ** 2 + 2) / 4
claim(
    "mr-lem4-middle",
    Every(
        Equal(cosh(x), roots, label="cosh x, x half the log-odds"),
        Equal(cosh(2 * x) ** 2, middle, label="the middle expression, as cosh²(2x)"),
    ),
    above_half,
    because=(Equal(a / 2, x, label="half the log-odds"),),
    locator="App B, Lemma 4, proof",
    title="Hyperbolic cosines of half the log-odds and of the log-odds, in the proof of Lemma 4",
    printed=(
        r"\text{Let }x=\tfrac{a(p_{\mathrm{ref}})}2=\log(\sqrt{\tfrac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}}})\text{ we "
        r"have }\cosh(x)=\tfrac12(e^x+e^{-x})=\tfrac14(\tfrac{(1-p_{\mathrm{ref}})^2}{p_{\mathrm{ref}}^2}+\tfrac{p_{"
        r"\mathrm{ref}}^2}{(1-p_{\mathrm{ref}})^2}+2)=\tfrac12(\sqrt{\tfrac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}}}+"
        r"\sqrt{\tfrac{1-p_{\mathrm{ref}}}{p_{\mathrm{ref}}}})"
    ),
    judged=wrong(
        "The expression in the middle is cosh²(2x), not cosh x; the ends of the line agree.", Equal(cosh(x), middle)
    ),
)

claim(
    "mr-lem4-chain",
    Every(
        Equal(cosh(x) ** 2, (P / (1 - P) + (1 - P) / P + 2) / 4, label="the square"),
        Equal(cosh(x) ** 2, (P**2 + (1 - P) ** 2 + 2 * P * (1 - P)) / (4 * P * (1 - P)), label="one denominator"),
        Equal(cosh(x) ** 2, 1 / (4 * P * (1 - P)), label="the end"),
    ),
    above_half,
    because=(
        Equal(
            cosh(x) ** 2,
            (P + 1 - P) ** 2 / (4 * P * (1 - P)),
            label="the third expression, a square over 4 p_ref(1 − p_ref)",
        ),
    ),
    locator="App B, Lemma 4, proof",
    title="The chain for the squared hyperbolic cosine",
    printed=(
        r"\cosh^2(x)=\frac14\Big(\frac{p_{\mathrm{ref}}}{1-p_{\mathrm{ref}}}+\frac{1-p_{\mathrm{ref}}}{p_{"
        r"\mathrm{ref}}}+2\Big)=\frac14\frac{p_{\mathrm{ref}}^2+(1-p_{\mathrm{ref}})^2+2p_{\mathrm{ref}}(1-p_{"
        r"\mathrm{ref}})}{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}=\frac14\frac{(p_{\mathrm{ref}}+1-p_{"
        r"\mathrm{ref}})^2}{p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}=\frac1{4p_{\mathrm{ref}}(1-p_{\mathrm{ref}})}"
    ),
    remark=(
        "(p_ref + 1 − p_ref)² is one as soon as it is written, so the paper's third and fourth expression are one to "
        "the checkers."
    ),
)
