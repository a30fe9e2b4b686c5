"""Where the fixed point near one disappears: the upper fold of the curve of fixed points.

Statement.   For p_ref = ½ and ε = 10⁻⁵, the smoothing of the paper's figures, h' − 1 is positive on the curve of fixed
             points from p* = 0.917 to 1 − 1.780·10⁻⁶, and negative from 1 − 1.779·10⁻⁶ to 1. So β rises along the curve
             up to a fold at β = 22.007…, and from there falls to 0: the fixed points near one, which attract, are those
             of the β up to the fold.
Source.      Mroueh (2025), Section 3, Figure 2; Section 4, Figure 5.
Domain.      p_ref = ½, ε = 10⁻⁵, 0.917 ≤ p* < 1.
Derivation.  β as a function of the fixed point (mr-dyn-beta-curve) → its slope has the sign of h' − 1 (mr-dyn-fold) →
             that sign in ball arithmetic, and near 1 by log u ≤ u − 1 in the root u of the odds.
Caveats.     One reference and one smoothing; the condition for any is that of mr-dyn-fold.
Letters.     u is the square root of the odds p/(1 − p), p a fixed point, which in words is p* too.
"""

from grpo_symbolic.paper import *

from .dynamics import curve, even_start, lead
from .thm4_local_convergence import m

claim = Result(__file__).claim

rising = (m * (2 * success - 1) * lead - 2 * (m + guard)).subs(even_start)  # of the sign of h' − 1
strength = curve.subs(even_start)  # the β of a fixed point
before, after = 1 - 1780 * Rational(1, 10**9), 1 - 1779 * Rational(1, 10**9)
far = Integer(10**6) - 1  # the root of the odds, from which on one bound serves
chance = u**2 / (1 + u**2)
# The same with log(p/(1 − p)) = 2 log u.
rising_in_root = 2 * log(u) * (m * (2 * success - 1)).subs(success, chance) - 2 * (m + guard).subs(even_start).subs(
    success, chance
)

last = far**2 / (1 + far**2)
at_odds = rising_in_root.subs(u, sqrt(success / (1 - success)))
same = Equal(rising, at_odds, label="in the root of the odds")
beyond = Always(
    rising_in_root < 0, using=(log_below_tangent(u),), label="and from there up to 1, in the root u of the odds"
)
in_root = Always(at_odds < 0, label="negative, in the root of the odds").by(
    InLetters(beyond, Domain(u >= far), {u: sqrt(success / (1 - success))})
)

claim(
    "mr-dyn-upper-fold",
    Every(
        On(
            Domain(before <= success, success <= after),
            Always(
                And(strength > Rational(22007, 1000), strength < Rational(22008, 1000)),
                label="the β of the fixed points at the fold",
            ),
        ),
        On(
            Domain(Rational(917, 1000) <= success, success <= before),
            Always(rising > 0, label="below the fold h' > 1: these repel, and β rises with p*"),
        ),
        On(
            Domain(after <= success, success < 1),
            Always(rising < 0, label="above the fold h' < 1: these attract, and β falls").by(
                InEachCase(((success <= last, ()), (success >= last, Then((same, in_root)))))
            ),
        ),
    ),
    Domain(0 < success_ref, success_ref < 1, guard > 0),
    because=(
        On(
            Domain(after <= success, success <= last),
            Always(rising < 0, label="the difference above the fold, in ball arithmetic"),
        ),
        On(Domain(u >= far), beyond),
        On(Domain(), TakesValue(rising, success, before, after, label="in between h' = 1: the fold")),
        On(
            Domain(u > 0),
            Equal(rising_in_root, rising.subs(success, chance), label="the difference in u, and in p"),
        ),
        On(Domain(0 < success, success < 1), Tends(strength, success, 1, 0, "-", label="towards 1 β falls to 0")),
    ),
    kind="stability",
    depends_on=["mr-dyn-beta-curve", "mr-dyn-fold"],
    locator="Sec 3, Figure 2; Sec 4",
    title="The upper fold for p_ref ½ and ε 10⁻⁵",
    remark=(
        "1/(√(p(1 − p) + ε) logit p) is the β with the fixed point p, and the difference has the sign of h' − 1 there "
        "(mr-dyn-fold). Between the two β of mr-fig5-transition another fixed point vanishes, that which the run from "
        "p_ref reaches. For β above 1/((1 + 4ε)√(27ε)) = 60.8… there is one fixed point, whatever p_ref is "
        "(mr-lem1-all-beta)."
    ),
)
