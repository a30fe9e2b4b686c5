"""From which reference on the iteration converges whatever β, ε and the start are.

Statement.   Let p̂ = 1/(1 + (1 + √2)² e^{2√2}), about 1/100. For p_ref ≥ p̂ no fixed point below ½ has h' ≤ −1, and h has
             no cycle of period two below ½, for any β and ε; the iteration then converges from every start. For every
             p_ref < p̂ there are β and ε for which the fixed point (2 − √2)/4 repels. A run above ½ whose first
             step goes up rises to the next fixed point.
Source.      Mroueh (2025), Sections 4 and 6 ("mild assumptions"), Figure 5. Not in the paper.
Domain.      0 < p_ref < 1, β, ε > 0.
Derivation.  h' at a fixed point without β → it is above −1 if logit p_ref ≥ logit p − 2/(1 − 2p) → the least value of
             the right side over p < ½, taken at (2 − √2)/4. Two numbers that h exchanges have one value of
             (logit p − logit p_ref)/√(p(1 − p) + ε), which increases under the same condition.
Caveats.     Convergence is to some fixed point, and the last step to it is in words. Whether
             every p_ref < p̂ has β and ε for which the run from p_ref itself does not converge is open: of 40 000 pairs
             drawn for each of seven references from 0.0098 to 0.004, 1 to 11 in a hundred gave such a run.
Letters.     t is T = −logit p_ref, u the square root of the odds (1 − p)/p at p = h(½), v that of u, y its logarithm, x
             is p(1 − p) there; z is a member of the run.
"""

from sympy import And, Lt, Rational, exp, log, sqrt

from grpo_symbolic.notation import beta, guard, success, success_ref, t, u, v, x, y, z
from grpo_symbolic.proof import (
    Always,
    Domain,
    Equal,
    Every,
    Follows,
    Iteration,
    Monotone,
    On,
    OnlyMaximum,
    Result,
    RisesToLeastFixedPoint,
    SignOfDerivative,
)
from grpo_symbolic.proof.lemmas import log_below_tangent, log_increasing

from .dynamics import at_half, free_multiplier, lead
from .thm2_recursion import h
from .thm4_local_convergence import m, root

claim = Result(__file__).claim

half = Rational(1, 2)
turn = (2 - sqrt(2)) / 4  # the fixed point that is the first to lose stability
log_odds, log_odds_ref = log(success / (1 - success)), log(success_ref / (1 - success_ref))
needed = log_odds - 2 / (1 - 2 * success)  # h' > −1 at the fixed point p, for every ε, if logit p_ref is at least this
most = needed.subs(success, turn)
lower = Domain(0 < success, success < half)
references = Domain(0 < success_ref, success_ref < half, guard > 0)
safe = references.also(success_ref < success, success < half, log_odds_ref >= most)
beyond = references.also(success_ref < success, success < half, log_odds_ref > most)
threshold = 1 / (1 + (1 + sqrt(2)) ** 2 * exp(2 * sqrt(2)))

largest = claim(
    "mr-dyn-flip-needs",
    Every(
        OnlyMaximum(needed, success, turn, 1, label="largest at (2 − √2)/4"),
        Equal(needed.subs(success, turn), log(threshold / (1 - threshold)), label="with the value logit p̂"),
    ),
    lower,
    kind="inequality",
    locator="Sec 4, Figure 5",
    title="logit p − 2/(1 − 2p) is largest at p = (2 − √2)/4",
    says=r"\operatorname{logit}p-\frac2{1-2p}\text{ is largest at }p=\frac{2-\sqrt2}4\text{ on }(0,\tfrac12)",
)

scaled_lead = lead / root  # two numbers that h exchanges have one value of it: each times the other's root is 1/β
steepness = (2 * (m + guard) - m * (1 - 2 * success) * lead) / (2 * m * root**3)

# -- fixed points below ½ --------------------------------------------------------------------------------------------
at_turn = {success: turn}
gained = lead.subs(at_turn)
early = references.also(log_odds_ref < most)
bends = Follows((largest,), ("largest at (2 − √2)/4",))
rises = log_increasing(success_ref / (1 - success_ref), success / (1 - success))
flat = Always((1 - 2 * success) * lead < 2, using=(rises,), label="h' > −1 at the fixed point p, even without a guard")
attracts = claim(
    "mr-dyn-flip-threshold",
    Every(
        On(beyond, flat.by(bends)),
        On(
            safe,
            Always(steepness > 0, label="with one h' > −1: (logit p − logit p_ref)/√(p(1 − p) + ε) rises").by(bends),
        ),
        On(
            early,
            Always(sqrt(2) * gained > 4, label="for smaller p_ref: room for a guard ε < (√2 · gain − 4)/32"),
        ),
        On(
            early.also(32 * guard < sqrt(2) * gained - 4),
            Always(free_multiplier.subs(at_turn) < -1, label="with which h' < −1 at the fixed point (2 − √2)/4"),
        ),
    ),
    references.also(success_ref < success, success < half),
    kind="stability",
    depends_on=["mr-dyn-flip-needs", "mr-dyn-beta-curve"],
    locator="Sec 4, Figure 5",
    title="From p_ref = 1/(1 + (1 + √2)² e^{2√2}) ≈ 0.01004 on no fixed point below ½ has h' ≤ −1, whatever β and ε; "
    "below, one has",
    says=(
        r"p_{\mathrm{ref}}\ge\hat p=\frac1{1+(1+\sqrt2)^2e^{2\sqrt2}}\iff h'(p^*)>-1\text{ for every }p^*<\frac12,"
        r"\text{ whatever }\beta,\ \varepsilon"
    ),
    remark="The condition is logit p_ref ≥ logit p̂ (mr-dyn-flip-needs). Each p above p_ref is a fixed point for just "
    "one β (mr-dyn-beta-curve), also (2 − √2)/4. The run of Figure 5, p_ref = 0.001, is below p̂.",
)

claim(
    "mr-dyn-no-two-cycle",
    Monotone(scaled_lead, success, 1).by(SignOfDerivative(steepness, given=(attracts,))),
    safe,
    kind="uniqueness",
    depends_on=["mr-dyn-flip-threshold"],
    locator="Sec 4, Figure 5",
    title="From the same p_ref on (logit p − logit p_ref)/√(p(1 − p) + ε) increases below ½, whatever ε",
    says=(
        r"p_{\mathrm{ref}}\ge\hat p:\ \frac{\operatorname{logit}p-\operatorname{logit}p_{\mathrm{ref}}}{\sqrt{p(1-p)"
        r"+\varepsilon}}\text{ increases in }p<\frac12,\text{ whatever }\varepsilon"
    ),
    remark="Two numbers that h exchanges have one value of it: if h(x) = y and h(y) = x, each is 1/β over the product "
    "of both roots. So h exchanges no two numbers below ½.",
)

# -- every start ---------------------------------------------------------------------------------------------
claim(
    "mr-dyn-every-start",
    Every(
        On(
            Domain(1 < v, v <= Rational(3, 2)),
            Always(
                23 * (v**2 - 1) ** 2 < -20 * (v**4 + 1) * log(1 / v),
                using=(log_below_tangent(1 / v),),
                label="4.6 (u − 1)² < 2(u² + 1) log u, for u = v² up to 9/4",
            ),
        ),
        On(
            Domain(Rational(9, 4) <= u, u <= 10),
            Always(23 * (u - 1) ** 2 < 10 * (u**2 + 1) * log(u), label="and from there to 10"),
        ),
        On(
            Domain(),
            Always(
                And(
                    Lt(-most, Rational(23, 5), evaluate=False),
                    Lt((1 + sqrt(2)) * exp(sqrt(2)), 10, evaluate=False),
                    evaluate=False,
                ),
                label="T = −logit p_ref is at most −logit p̂ < 4.6, and u = e^{(T − gain)/2} < 10",
            ),
        ),
        On(
            Domain(1 < u, y > 0, t > 0, 5 * t <= 23, 23 * (u - 1) ** 2 < 10 * (u**2 + 1) * y),
            Always((t - 2 * y) * (u + 1 / u) < 2 * t, label="with y = log u: the next gain is below T"),
        ),
        On(
            Domain(0 < x, 4 * x <= 1, guard > 0),
            Always(x * (1 + 4 * guard) <= x + guard, label="a guard makes the weights differ less"),
        ),
    ),
    Domain(1 < u, u <= 10),
    kind="limit",
    depends_on=["mr-dyn-no-two-cycle", "mr-dyn-above-half", "mr-prop1-minimum"],
    locator="Sec 4; abstract",
    title="For p_ref ≥ 1/(1 + (1 + √2)² e^{2√2}) ≈ 0.01004 the iteration converges from every start, whatever β and ε",
    says=r"p_{\mathrm{ref}}\ge\hat p\Rightarrow p_n\text{ converges for every }p_0,\beta,\varepsilon",
    lemmas=[
        "where h(½) < ½, its odds are 1/u² with u = e^{(T − gain)/2}, gain = 1/(β√(¼ + ε)), and the next gain is "
        "gain √((¼ + ε)/(p(1 − p) + ε)) ≤ gain (u + 1/u)/2: so h(h(½)) < ½",
        "then h maps [h(½), ½] into itself and falls there, and exchanges no two numbers: every start in it tends to "
        "the one fixed point",
        "above ½, where h rises, a run is monotone until it falls below ½, if it does, and not below h(½); after a "
        "start below h(½) it goes on as from the mirror image above ½",
    ],
    remark="The constant is sharp: for every smaller p_ref a fixed point repels for some β and ε "
    "(mr-dyn-flip-threshold). Where h(½) ≥ ½ it is mr-dyn-above-half. Open: whether runs from p_ref itself fail for "
    "every smaller p_ref; by sampling they do from 0.0098 on down.",
)

# -- which fixed point -----------------------------------------------------------------------------------------------
upper = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0, half <= z, z <= 1)
first = h.subs(success, z)
claim(
    "mr-dyn-which-limit",
    RisesToLeastFixedPoint(Iteration(h, success, z), z, 1, label="where the first step goes up"),
    upper.also(first >= z, at_half >= half),
    kind="limit",
    depends_on=["mr-dyn-above-half"],
    locator="Sec 4, before Remark 2",
    title="Where h(½) ≥ ½, a run above ½ whose first step goes up rises to the next fixed point",
    says=r"p_{n+1}\ge p_n\ge\tfrac12\Rightarrow p_n\to\min\{p^*:p^*\ge p_n\}",
    remark="z is p_1 = h(p_ref), or any later member. With three fixed points the limit is the least exactly if p_1 is "
    "below the middle one.",
)
