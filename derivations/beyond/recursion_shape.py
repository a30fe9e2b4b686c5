"""The shape of the success recursion: one valley, a negative Schwarzian derivative, and so hardly any attracting
cycles.

Statement.   On the logit t of the success probability the map is L + W(t)/β, L the logit of p_ref. It is even, falls up
             to p = ½ and rises from there; its Schwarzian derivative S = f'''/f' − (3/2)(f''/f')² is below −1/8 for p ≠
             ½, whatever p_ref and β, for a guard ε ≥ 0 under the root and for one beside it. So, with ε > 0, an
             attracting cycle attracts the orbit of ½ or is the greatest fixed point, at ½ or above: there are two
             attracting cycles at most, and one if h(p) < p from ½ on. Both can exist, and the one of ½ can have period
             three. For a finite group the gap is a polynomial in p(1 − p): up to G = 7 S is negative for any weights of
             the groups, for published advantages for G = 8, 9, 10, 12 and 16 too; for G = 8 and other weights it can be
             positive.
Source.      Extends Mroueh (2025), (8), Theorem 4 and Figure 5. Singer (1978), Stable orbits and bifurcation of maps of
             the interval.
Domain.      0 < p < 1, p ≠ ½, 0 < p_ref < 1, β > 0, ε ≥ 0 where S is concerned; ε > 0 for orbits.
Derivation.  frozen objective → h → its logit → d/dt = p(1 − p) d/dp three times → S, in which p_ref and β are gone →
             its sign.
Caveats.     What attracts is said of cycles that attract a neighbourhood. That there is one is not said, nor that
             almost all orbits tend to it.
Letters.     p is success, p_ref that of the reference, y the variance p(1 − p), a start, or a point of the curve; t is
             the log-odds of p. In by-shape-finite-groups u, v and s, and after them t, α, x and z, are the coefficients
             of a gap in powers of the variance, but where p² is multiplied with u they are the weights of the groups
             with 1, 2 and 3 correct members. h is the map, S the Schwarzian derivative of its logit.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

LOCATOR = "Question 3"
half, least_known = Rational(1, 2), -Rational(1, 8)
parameters = Domain(0 < success_ref, success_ref < 1, beta > 0, guard >= 0)
inside = parameters.also(0 < success, success < 1)
apart = inside.also(Ne(success, half))
m = success * (1 - success)
start = log(success_ref / (1 - success_ref))

h = best_response(Advantage(guard=guard), oo, "reverse-kl")  # ε under the root, as Mroueh (2025) has it
# ε added to the deviation, as trainers do
beside = best_response(Advantage(guard=guard, guard_inside=False), oo, "reverse-kl")


def along(f):
    """The derivative in the logit t of p, for dp/dt = p(1 − p)."""
    return m * diff(f, success)


def schwarzian(f):
    """S of a function of p, taken along the logit."""
    first = along(f)
    second = along(first)
    return along(second) / first - Rational(3, 2) * (second / first) ** 2


def cleared(f):
    """S of a function of p, times the square of its slope along the logit."""
    first = along(f)
    second = along(first)
    return first * along(second) - Rational(3, 2) * second**2


by_logit = On(
    Domain(t), Equal(Derivative(1 / (1 + exp(-t)), t), m.subs(success, 1 / (1 + exp(-t))), label="dp/dt = p(1 − p)")
)


def valley(response, logit, label):
    """The logit of the map has its one turning point, a minimum, at ½."""
    return (
        On(inside, Equal(log(response / (1 - response)), logit, label=f"{label}: the logit of h")),
        On(inside, Equal(logit, logit.subs(success, 1 - success), label=f"{label}: the logit at p and at 1 − p")),
        On(apart, Always(along(logit) * (2 * success - 1) > 0, label=f"{label}: falls up to ½, rises from there")),
        On(parameters, Equal(along(logit).subs(success, half), 0, label=f"{label}: the slope at ½")),
        On(
            parameters,
            Always(along(along(logit)).subs(success, half) > 0, label=f"{label}: the second derivative at ½"),
        ),
    )


logits = {"ε inside": start + 1 / (beta * sqrt(m + guard)), "ε outside": start + 1 / (beta * (sqrt(m) + guard))}
claim(
    "by-shape-unimodal",
    Every(
        *(
            OnlyMaximum(logit, success, half, sense=-1, label=f"{name}: the logit of h, least at ½").by(
                RiseAndFall(before=SignOfDerivative(), after=SignOfDerivative())
            )
            for name, logit in logits.items()
        ),
    ),
    inside,
    because=(
        by_logit,
        *valley(h, logits["ε inside"], "ε inside"),
        *valley(beside, logits["ε outside"], "ε outside"),
    ),
    kind="optimality",
    depends_on=["mr-thm2-h"],
    locator=LOCATOR,
    title="The turning point of the recursion on the logit",
    remark=(
        "These are the logits of h(p), with ε inside the root and beside it: as p(1 − p) is even about ½, so are they. "
        "The turning point ½ is the only critical point, and not a degenerate one."
    ),
)

# -- the Schwarzian derivative ----------------------------------------------------------------------------------------
bowl = 1 - Rational(3, 2) * (1 - 2 * m) ** 2 / (1 - 4 * m)  # S of p(1 − p) itself, 1 − (3/2) coth² t
d = Derivation("by-shape-schwarzian", apart)
of_h = d.start(log(h / (1 - h)), "the logit of h")
of_h = d.rewrite(of_h, logits["ε inside"], "p_ref and the gap apart")
d.differentiate(of_h, success)
closed = Rational(3, 8) * m**2 * (1 - 4 * m) / (m + guard) ** 2 + bowl
claim(
    "by-shape-schwarzian",
    Every(
        by_logit,
        Equal(schwarzian(of_h), closed, label="S, without p_ref and β"),
        Equal(schwarzian(m), bowl, label="its last two terms are S of p(1 − p)"),
        Always(closed < least_known, label="S < −1/8"),
        On(Domain(), Tends(closed.subs(guard, 0), success, 0, least_known, label="and no less will do: ε = 0, p → 0")),
    ),
    apart,
    by=d,
    kind="inequality",
    depends_on=["by-shape-unimodal"],
    locator=LOCATOR,
    title="The Schwarzian derivative S of the map on the logit",
    short="S < −1/8",
    remark="What is below −1/8 in the headline is S, for p ≠ ½: at ½ the slope is zero (by-shape-unimodal), and S "
    "divides by it.",
)

out = Derivation("by-shape-schwarzian-outside", apart)
of_beside = out.start(log(beside / (1 - beside)), "the logit of h, ε beside the deviation")
of_beside = out.rewrite(of_beside, logits["ε outside"], "p_ref and the gap apart")
out.differentiate(of_beside, success)
closed_beside = Rational(1, 4) - Rational(3, 8) / (1 - 4 * m)
claim(
    "by-shape-schwarzian-outside",
    Every(
        by_logit,
        Equal(schwarzian(of_beside), closed_beside, label="S, without p_ref, β and ε"),
        Always(closed_beside < least_known, label="S < −1/8"),
        On(Domain(), Tends(closed_beside, success, 0, least_known, label="and no less will do: p → 0")),
    ),
    apart,
    by=out,
    kind="inequality",
    depends_on=["by-shape-unimodal"],
    locator=LOCATOR,
    title="The Schwarzian derivative S of the map on the logit, the guard beside the deviation",
    short="S < −1/8",
    remark="S is ¼ − 3/(8(1 − 4p(1 − p))). The gap 1/(√(p(1 − p)) + ε) is a Möbius transform of cosh(t/2), t the "
    "logit of p, and Möbius transforms do not change S.",
)

# -- what can attract -------------------------------------------------------------------------------------------------
guarded = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0)
SINGER = (
    "Singer (1978): where S < 0, the immediate basin of an attracting cycle is unbounded or contains a critical point"
)
claim(
    "by-shape-attractors",
    Every(
        *(
            part
            for label, logit in logits.items()
            for part in (
                On(
                    guarded.also(0 <= success, success <= 1),
                    Equal(logit.subs(success, 1 - success), logit, label=f"{label}: the logit of h at p and at 1 − p"),
                ),
                On(
                    guarded.also(0 <= success, success <= 1),
                    Always(
                        logit - start <= 1 / (beta * (sqrt(guard) if label == "ε inside" else guard)),
                        label=f"{label}: bounded, so h(p) < p near 1",
                    ),
                ),
                On(
                    guarded.also(0 <= success, success <= 1),
                    Always(logit >= logit.subs(success, half), label=f"{label}: no value is below h(½)"),
                ),
            )
        )
    ),
    guarded.also(0 < success, success < 1),
    kind="stability",
    depends_on=["by-shape-unimodal", "by-shape-schwarzian", "by-shape-schwarzian-outside"],
    locator=LOCATOR,
    title="The attracting cycles of the recursion",
    says=r"\varepsilon>0:\ \text{at most two attracting cycles; at most one if }h(p)<p\text{ for all }p\ge\tfrac12",
    lemmas=[
        SINGER,
        "if the greatest fixed point is at least ½, all p above it fall to it, as h increases there: a cycle "
        "with an unbounded basin is this point",
        "if h(p) < p for p ≥ ½ and a point q of a cycle has the basin (a, ∞) on the logit, a ≥ 0, f being h on the "
        "logit, let r be the point before q: |r| > f(|r|) = q, so |r| is in this basin, and its orbit meets r "
        "whenever it should come near q; then r = q, a fixed point at or above ½, which there is not. So a < 0, and 0 "
        "(p = ½) is in the basin",
        "a basin (−∞, a) contains f(0), the least value of f",
    ],
    remark="Two starts show all that attracts, ½ and 1: no other start can find another attracting cycle.",
)


def boxes_of(*ends):
    return [tuple(Rational(end) for end in pair) for pair in ends]


both = {success_ref: Rational(1, 1000), guard: Rational(1, 1000), beta: Rational(1058, 1000)}
valley = boxes_of(("0.48", "0.52"), ("0.00656", "0.00657"), ("0.9817", "0.9820"))
summit = boxes_of(("0.9999", "1"))
claim(
    "by-shape-two-attractors",
    Every(
        On(
            Domain(valley[0][0] <= y, y <= valley[0][1]),
            EndsInCycle(Iteration(h.subs(both), success, y), valley, label="from every start near ½").by(
                SentAround((Rational(1, 1000), Integer(15), Integer(50)))
            ),
        ),
        On(
            Domain(summit[0][0] <= y, y <= 1),
            EndsInCycle(Iteration(h.subs(both), success, y), summit, label="from every start near 1").by(
                SentAround((Rational(1, 1000),))
            ),
        ),
    ),
    guarded,
    kind="stability",
    locator=LOCATOR,
    title="Both kinds at once: a cycle of period three through nearly ½, and the greatest fixed point",
    remark="So two attracting cycles are possible; by-shape-attractors excludes a third.",
)

three = {success_ref: Rational(1, 10000), guard: Rational(1, 100), beta: Rational(69, 100)}
around = boxes_of(("0.49", "0.51"), ("0.00171", "0.00172"), ("0.9849", "0.9851"))
before = boxes_of(
    ("0.0001", "0.0001"),
    ("0.994570", "0.9945725"),
    ("0.92185", "0.92198"),
    ("0.01550", "0.01558"),
    ("0.473", "0.478"),
    ("0.00171", "0.00172"),
    ("0.9849", "0.9851"),
)
claim(
    "by-shape-period-three",
    Every(
        On(
            Domain(),
            EndsInCycle(Iteration(h.subs(three), success, three[success_ref]), around, before, label="from p_ref").by(
                SentAround((Rational(1, 1000), Integer(10), Integer(60)))
            ),
        ),
        On(
            Domain(around[0][0] <= y, y <= around[0][1]),
            EndsInCycle(Iteration(h.subs(three), success, y), around, label="from every start near ½").by(
                SentAround((Rational(1, 1000), Integer(10), Integer(60)))
            ),
        ),
    ),
    guarded,
    because=(
        On(
            Domain(half <= success, success <= 1),
            Always(h.subs(three) < success, label="no fixed point from ½ on"),
        ),
    ),
    kind="limit",
    depends_on=["mr-thm2-p0"],
    locator=LOCATOR,
    title="A run into an attracting cycle of period three",
    short="from p_ref",
    remark="From ½ on h(p) < p, so that there is no other attracting cycle: by-shape-attractors.",
)

# -- finite groups ----------------------------------------------------------------------------------------------------
variances = Domain(0 < y, 4 * y < 1)


def signed(gap):
    """S of a gap that is a function of the variance y = p(1 − p), times the square of its slope and 1 − 4y."""
    first, second, third = (diff(gap, y, k) for k in (1, 2, 3))
    return y**2 * (1 - 4 * y) ** 2 * (first * third - Rational(3, 2) * second**2) + bowl_numerator * first**2


bowl_numerator = expand(cancel(bowl.subs(success, half + sqrt(Rational(1, 4) - y)) * (1 - 4 * y)))


def in_variance(weights):
    """The gap with these weights of 1, 2, …, G − 1 correct members, in the variance: they are symmetric."""
    degree = len(weights) - 1
    gap = Add(
        *(binomial(degree, k) * success**k * (1 - success) ** (degree - k) * weight for k, weight in enumerate(weights))
    )
    return gap, collect(expand(gap.subs(success, half + sqrt(Rational(1, 4) - y))), y)


cubic = u * y + v * y**2 + s * y**3
quadratic = cubic.subs(s, 0)
PUBLISHED = (8, 9, 10, 12, 16)
coefficients = (u, v, s, t, alpha, x, z)
seventh = Add(*(coefficient * y ** (k + 1) for k, coefficient in enumerate(coefficients)))

generic = Domain(u, v, s, 0 < success, success < 1, Ne(success, half), Ne(diff(cubic, y).subs(y, m), 0))
claim(
    "by-shape-finite-groups",
    Every(
        On(
            generic,
            Equal(
                schwarzian(cubic.subs(y, m)),
                (signed(cubic) / ((1 - 4 * y) * diff(cubic, y) ** 2)).subs(y, m),
                label="S of a polynomial in p(1 − p)",
            ),
        ),
        On(
            Domain(*coefficients, 0 < success, success < 1),
            Equal(
                cleared(seventh.subs(y, m)),
                (y**2 * signed(seventh)).subs(y, m),
                label="the same up to degree 7, S times the square of the slope along the logit",
            ),
        ),
        *(
            On(
                Domain(u, v, s, 0 < success, success < 1),
                Equal(
                    gap,
                    polynomial.subs(y, m),
                    label=f"G = {len(weights) + 1}, any weights: at most quadratic in the variance",
                ),
            )
            for weights in ((u, v, u), (u, v, v, u), (u, v, s, v, u), (u, v, s, s, v, u))
            for gap, polynomial in [in_variance(weights)]
        ),
        On(
            Domain(u, v, 0 < y, 4 * y < 1, Ne(diff(quadratic, y), 0)),
            Always(
                signed(quadratic) < 0,
                label="S < 0 for any weights up to G = 7: S times 1 − 4y and the square of the slope",
            ),
        ),
        *(
            On(
                variances,
                Always(
                    Lt(diff(gap_in_variance(size, y), y), 0, evaluate=False),
                    label=f"published: the slope does not vanish, G = {size}",
                ),
            )
            for size in (4, 5, 6, 7, *PUBLISHED)
        ),
        *(
            On(variances, Always(signed(gap_in_variance(size, y)) < 0, label=f"published: S < 0, G = {size}"))
            for size in PUBLISHED
        ),
        *(
            On(
                Domain(0 < success, success < 1),
                Equal(advantage_gap(size, success), gap_in_variance(size, m), label=f"in the variance, G = {size}"),
            )
            for size in PUBLISHED
        ),
        *(
            On(
                inside,
                Equal(
                    log(response / (1 - response)),
                    start + gap_in_variance(size, m) / beta,
                    label=f"the logit of the map, G = {size}",
                ),
            )
            for size in (4, 8)
            for response in [best_response(Advantage(), size, "reverse-kl")]
        ),
    ),
    variances,
    kind="inequality",
    depends_on=["by-gap-exact", "by-shape-unimodal"],
    locator=LOCATOR,
    title="The Schwarzian derivative S of the map on the logit, finite groups",
    short="S < 0 for any weights up to G = 7: S times 1 − 4y and the square of the slope",
    remark="What is below 0 in the headline is S times 1 − 4y and the square of the slope in y, both positive, of a "
    "gap that is at most quadratic in y = p(1 − p), as that of any weights up to G = 7. For the published normaliser "
    "the slope itself is below 0 for G = 4, …, 10, 12 and 16, and S times these for G = 8, 9, 10, 12 and 16. A "
    "normaliser is known here by its weights of groups with k correct members, the same for k and G − k.",
)

eight = [Integer(weight) for weight in (5, 4, 5, 3, 5, 4, 5)]
gap_of_eight, falling = in_variance(eight)
claim(
    "by-shape-groups-of-eight",
    On(
        Domain(0 < success, success < 1),
        Exists(schwarzian(gap_of_eight) > 0, {success: Rational(1, 5)}, label="but S > 0 at p = 1/5"),
    ),
    Domain(0 < success, success < 1),
    because=(
        On(
            Domain(0 < success, success < 1),
            Equal(gap_of_eight, falling.subs(y, m), label="the gap with these weights"),
        ),
        On(variances, Always(diff(falling, y) < 0, label="falling in y = p(1 − p): still one valley in p")),
    ),
    kind="counter-example",
    depends_on=["by-shape-finite-groups"],
    locator=LOCATOR,
    title="The Schwarzian derivative S of the map on the logit, other weights of groups of eight",
    remark=(
        "Such weights rise again from two to three correct members, as the published ones, 7/√(k(8 − k)) "
        "(by-gap-exact), do not."
        " The weights are 5, 4, 5, 3, 5, 4, 5 for 1, …, 7 correct members. "
        "The formula is S, which is positive at p = 1/5."
    ),
)
