"""Groups that carry a signal: their share, the group size it takes, and what dynamic sampling makes of the rest.

Statement.   A group of G is mixed with the chance s = 1 − x^G − (1 − x)^G. It grows with G to 1, and is at most G
             min(x, 1 − x). DAPO draws until groups are mixed: the gradient becomes m_G(x)/s, the constant ½ for
             G = 2, √2/3 for G = 3 and no constant for G = 4, 5. Among kept samples (x − x^G)/s are right: nearer to ½
             than x. In the loss k3 is then charged on kept samples only, and the stationary policy is that of β(1 −
             x(1 − x)^{G−1} − (1 − x)x^{G−1}): the filter is a smaller β, for G = 2 by the factor 1 − 2x(1 − x).
Source.      DAPO's dynamic sampling; questions on dead groups and on the group size.
Domain.      Rewards 0 and 1, 0 < x, p < 1, G ≥ 2; powers with a symbolic exponent stand as exponentials.
Derivation.  chance of a mixed group, from one size to the next → samples of kept groups → slopes on
             them.
Caveats.     The filter is exact: sampling goes on until the batch is full. Cost is not counted: 1/s groups are drawn
             for one kept.
Letters.     x is success, p that of the reference, u and v are the chances that all other members of a group are right,
             and that all are wrong; in tr-kept-size v is the wanted share of mixed groups. In tr-kept-samples s and t
             are sums of powers of x and of 1 − x; in tr-kept-penalty s is m_G(x) = x(1 − x)Δ_G(x), the slope without
             the filter, Δ_G the gap, and t a share of right samples. In tr-kept-drive k is the number of right members.
"""

from itertools import product

from grpo_symbolic.paper import *

claim = Result(__file__).claim

TWO = Answers(2)
unit = Domain(0 < x, x < 1)
sizes = Domain(0 < x, x < 1, G >= 2)
SMALL = (2, 3)


def power(base, exponent):
    """``base^exponent`` for a positive base and a symbolic exponent."""
    return exp(exponent * log(base))


def mixed_share(size):
    """The chance that a group is mixed, for a symbolic size."""
    return 1 - power(x, size) - power(1 - x, size)


def over_mixed(size, value):
    """E[value(number of right members)] over groups drawn from (x, 1 − x), groups that are all alike left out."""
    total = Integer(0)
    for rewards in product((1, 0), repeat=size):
        if 0 < sum(rewards) < size:
            total += Mul(*(x if r else 1 - x for r in rewards)) * value(sum(rewards))
    return total


def share(size):
    return over_mixed(size, lambda right: 1)


def fewer(chance):
    """The share is below G times the chance of either outcome: (1 − x)^G is at least 1 − Gx, and strictly."""
    other = 1 - chance
    none = Always(
        1 - power(other, G) <= G * chance,
        using=(exp_above_tangent((G - 1) * log(other)), exp_above_tangent(-log(other))),
    ).by(Then((Equal(power(other, G), other * power(other, G - 1), label="one member less"),)))
    return Always(mixed_share(G) < G * chance, using=(exp_positive(G * log(chance)),)).by(Then((none,)))


few_right, few_wrong = fewer(x), fewer(1 - x)
one_member_more = Equal(
    mixed_share(G + 1) - mixed_share(G),
    power(x, G) * (1 - x) + power(1 - x, G) * x,
    label="what one member more adds to the share, every G",
)
one_less = tuple(Equal(power(c, G), c * power(c, G - 1), label="one member less") for c in (x, 1 - x))
some_mixed = Always(
    mixed_share(G) > 0,
    using=(
        log_sign(x),
        log_sign(1 - x),
        exp_sign((G - 1) * log(x)),
        exp_sign((G - 1) * log(1 - x)),
    ),
).by(Then(one_less))
claim(
    "tr-kept-share",
    Every(
        Always(
            mixed_share(G) < mixed_share(G + 1),
            using=(exp_positive(G * log(x)), exp_positive(G * log(1 - x))),
            label="it grows with G",
        ).by(Then((one_member_more, some_mixed))),
        On(unit, Tends(mixed_share(G), G, oo, 1, "-", label="to 1")),
        Always(mixed_share(G) < G * Min(x, 1 - x), label="and is below Gx and G(1 − x)").by(
            Then((few_right, few_wrong))
        ),
    ),
    sizes,
    because=(one_member_more,),
    kind="monotonicity",
    locator="Topic 15",
    title="The share of mixed groups",
    remark=(
        "A prompt that is solved once in a thousand times takes more than 500 samples a group for every second group "
        "to be mixed: tr-kept-size."
    ),
)

# The size for a wanted share v: enough is G ≥ log(2/(1 − v))/(−log x) for x ≥ ½; at x = ½ the size is exact.
wanted = Domain(0 < v, v < 1)
half_size = 1 - log(1 - v) / log(2)
enough = log((1 - v) / 2) / log(x)
half = Rational(1, 2)
claim(
    "tr-kept-size",
    Every(
        On(
            sizes.also(0 < v, v < 1),
            Always(Implies(mixed_share(G) >= v, And(G * x > v, G * (1 - x) > v)), label="what it takes").by(
                Then((few_right, few_wrong))
            ),
        ),
        On(
            sizes.also(0 < v, v < 1, 2 * x >= 1),
            Always(
                Implies(G >= enough, mixed_share(G) >= v),
                using=(
                    log_sign(x),
                    log_increasing(x, 1 - x),
                    exp_increasing(G * log(x), G * log(1 - x)),
                    exp_increasing(log((1 - v) / 2), G * log(x)),
                ),
                label="and what is enough, x being the likelier outcome",
            ),
        ),
        On(
            Domain(0 < v, v < 1, G >= 2),
            Always(
                Equivalent(1 - 2 * power(half, G) >= v, G >= half_size),
                using=(log_sign(2), exp_increasing(log((1 - v) / 2), G * log(half))),
                label="at x = ½: exactly this is enough",
            ).by(Then((Equal(log((1 - v) / 2), log(1 - v) - log(2)), Equal(log(half), -log(2))))),
        ),
    ),
    wanted,
    kind="inequality",
    depends_on=["tr-kept-share"],
    locator="Topic 15",
    title="The group size for a wanted share v of mixed groups",
    remark="At x = ½, five members give more than 90 % (1 − 2^{−4}).",
)

success_slope = {size: success_gradient(size, x) / (1 - x**size - (1 - x) ** size) for size in (2, 3, 4, 5)}
weight = k * advantage_in_group(1, k, G) / G  # what one group with k right members gives the right answers, per member
claim(
    "tr-kept-drive",
    Every(
        *(
            On(
                unit,
                Equal(
                    over_mixed(size, lambda right, n=size: right * advantage_in_group(1, right, n) / n) / share(size),
                    success_slope[size],
                    label=f"enumerated, G = {size}",
                ),
            )
            for size in (2, 3, 4)
        ),
        On(unit, Equal(success_slope[2], Rational(1, 2), label="G = 2: constant")),
        On(unit, Equal(success_slope[3], sqrt(2) / 3, label="G = 3: constant")),
        Equal(weight, sqrt(k * (G - k)) / G, label="what one kept group gives"),
        On(
            Domain(G >= 4, k >= 2, k <= G - 2),
            Always(weight > sqrt(G - 1) / G, label="from G = 4 on a group that is not all but one alike gives more"),
        ),
        Equal(
            weight.subs(k, 1),
            sqrt(G - 1) / G,
            label="than one that is; where successes are rare all kept groups are such",
        ),
        *(
            On(unit, Tends(success_slope[size], x, 0, sqrt(size - 1) / size, label=f"x → 0, G = {size}"))
            for size in (4, 5)
        ),
        On(unit, Exists(success_slope[4] > sqrt(3) / 4, {x: Rational(1, 2)}, label="G = 4: not constant")),
        On(unit, Exists(success_slope[5] > Rational(2, 5), {x: Rational(1, 2)}, label="G = 5: nor here")),
    ),
    Domain(G >= 2, k >= 1, k <= G - 1),
    depends_on=["tr-kept-share"],
    locator="Topic 4",
    title="The gradient of the kept groups in dynamic sampling",
    short=("G = 2: constant", "G = 3: constant", "from G = 4 on a group that is not all but one alike gives more"),
    remark="A kept group with k right members gives √(k(G − k))/G, and √(G − 1)/G, the least, where one member "
    "differs from all others. At G = 4 and 5 the gradient is no constant. 1/(1 − x^G − (1 − x)^G) groups are drawn "
    "for one kept, on average.",
)

# u = x^{G−1}, v = (1 − x)^{G−1}: the chances that all other members of a group are right, and that all are wrong.
others = Domain(0 < x, x < 1, 0 < u, u < 1, 0 < v, v < 1, beta > 0, 0 < p, p < 1)
kept = 1 - x * u - (1 - x) * v
right = x * (1 - u) / kept  # the share of right answers among kept samples
alike_others = Domain(0 < x, x < 1, 0 < u, u < 1, 0 < v, v < 1, x * u + (1 - x) * v < 1)
claim(
    "tr-kept-samples",
    On(
        sizes,
        Always(
            Eq(
                (x - power(x, G)) / mixed_share(G),
                x + x * (1 - x) * (power(1 - x, G - 1) - power(x, G - 1)) / mixed_share(G),
            ),
            label="the share of right ones, by how far it is from x, every G",
        ).by(Then((some_mixed, *one_less))),
    ),
    others,
    because=(
        On(
            alike_others,
            Equal(right - x, x * (1 - x) * (v - u) / kept, label="with the chances u and v that all others are alike"),
        ),
        *(
            On(
                unit,
                Equal(
                    over_mixed(size, lambda number, n=size: Rational(number, n)) / share(size),
                    right.subs({u: x ** (size - 1), v: (1 - x) ** (size - 1)}),
                    label=f"enumerated, G = {size}",
                ),
            )
            for size in SMALL
        ),
        On(
            others.also(v > u),
            Always(right > x, label="the share of right ones is above x where failures are the rule"),
        ),
        On(
            Domain(0 < x, x < 1, s >= 1, t >= 1),
            Equal(
                right.subs({u: 1 - (1 - x) * s, v: 1 - x * t}),
                s / (s + t),
                label="s = 1 + x + … + x^{G − 2}, t that of 1 − x",
            ),
        ),
        On(Domain(s >= 1, t > s), Always(2 * s / (s + t) < 1, label="so not beyond ½: twice the share is below 1")),
    ),
    kind="inequality",
    depends_on=["tr-kept-share"],
    locator="Topic 4",
    title="Dynamic sampling: the share of right answers among kept samples",
)

# The penalty on kept samples: right ones with the chance c, the law inside right and inside wrong ones unchanged.
penalty = GRPO_PENALTY.expected(binary(x), binary(p), (t, 1 - t), TWO, o)
penalty_gradient = x * (1 - x) * penalty.diff(x)
factor = 1 - (1 - x) * u - x * v
stationary_kept = Equivalent(
    Eq(s / kept, beta * (x - p) * (right * (1 - x) / x + (1 - right) * x / (1 - x))), Eq(s, beta * factor * (x - p))
)
on_kept = alike_others.also(0 < p, p < 1, beta > 0, s)
below_one = tuple(
    lemma for c in (x, 1 - x) for lemma in (log_sign(c), exp_sign((G - 1) * log(c)), exp_positive((G - 1) * log(c)))
)


def at_size(formula):
    """With G for the chances that all others are alike."""
    return formula.subs({u: power(x, G - 1), v: power(1 - x, G - 1)}, simultaneous=True)


claim(
    "tr-kept-penalty",
    Every(
        Always(at_size(stationary_kept), label="stationary on kept samples, every G").by(
            Then((Always(at_size(kept) > 0, using=below_one),))
        ),
        Always(at_size(factor) < 1, using=below_one, label="a smaller β"),
    ),
    sizes.also(0 < p, p < 1, beta > 0, s),
    because=(
        On(
            on_kept,
            Equal(
                kept * ((x - p) * (right * (1 - x) / x + (1 - right) * x / (1 - x))),
                (x - p) * factor,
                label="the push of k3 on kept samples, over β, times the share of kept groups",
            ),
        ),
        On(
            Domain(0 < x, x < 1, 0 < p, p < 1, 0 < t, t < 1),
            Equal(
                penalty_gradient,
                (x - p) * (t * (1 - x) / x + (1 - t) * x / (1 - x)),
                label="k3 on samples of which a share t is right",
            ),
        ),
        On(Domain(0 < x, x < 1), Equal(factor.subs({u: x, v: 1 - x}), 1 - 2 * x * (1 - x), label="the factor, G = 2")),
        On(
            others.also(u <= x, v <= 1 - x),
            Always(factor >= 1 - 2 * x * (1 - x), label="the factor is at least that of pairs, which is ½ at x = ½"),
        ),
    ),
    kind="dynamics",
    depends_on=["tr-kept-samples", "tr-kept-drive"],
    locator="Topic 4",
    title="Dynamic sampling with k3 in the loss: the condition of a stationary policy",
    remark="s is m_G(x) = x(1 − x)Δ_G(x), the slope without the filter. Both sides are divided by the share of kept "
    "groups, which cancels. The factor is 1 minus the chance that a sample differs from all others of its group.",
)
