"""From which reference on the iteration converges whatever β, ε and the start are.

Statement.   Let p̂ = 1/(1 + (1 + √2)² e^{2√2}), about 1/100. For p_ref ≥ p̂ no fixed point below ½ has h' ≤ −1, and h
             has no cycle of period two below ½, for any β and ε; the iteration then converges from every start. For
             every p_ref < p̂ there are β and ε for which the fixed point (2 − √2)/4 repels. Where h(½) ≥ ½, a run above
             ½ whose first step goes up rises to the next fixed point.
Source.      Mroueh (2025), Sections 4 and 6 ("mild assumptions"), Figure 5. Not in the paper.
Domain.      0 < p_ref < 1, β, ε > 0.
Derivation.  h' at a fixed point without β → it is above −1 if logit p_ref ≥ logit p − 2/(1 − 2p) → the least value of
             the right side over p < ½, taken at (2 − √2)/4. Two numbers that h exchanges have one value of
             (logit p − logit p_ref)/√(p(1 − p) + ε), which increases under the same condition.
             Where h(½) < ½, h(h(½)) < ½ too, for ½ (T − gain) is the logarithm of u: so a run stays above ½ from
             some member on, where h rises, or comes between h(½) and ½, where h falls and exchanges no two numbers.
             At p_ref = 0.0098, β = 1.12, ε = 10⁻⁶ the run from p_ref does not converge: its members from the fourth on
             lie in two intervals in turn, each of which h∘h maps into itself.
Caveats.     Convergence is to some fixed point. Between 0.0098 and p̂ it is open whether the run from p_ref itself
             converges for every β and ε.
Letters.     t is T = −logit p_ref, gain the rise of the log-odds from p_ref to h(½), u the square root of the odds (1 −
             p)/p at p = h(½), v that of u, y its logarithm; x is the start, z a member of the run, or a point above
             another.
"""

from grpo_symbolic.paper import *

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
    OnlyMaximum(needed, success, turn, 1, label="largest at (2 − √2)/4"),
    lower,
    because=(
        Equal(
            needed.subs(success, turn),
            log(threshold / (1 - threshold)),
            label="with the value logit p̂, p̂ = 1/(1 + (1 + √2)² e^(2√2))",
        ),
    ),
    kind="inequality",
    locator="Sec 4, Figure 5",
    title="The maximum of logit p − 2/(1 − 2p) below ½",
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
RISES = "equivalent to h' > −1: (logit p − logit p_ref)/√(p(1 − p) + ε) rises"
attracts = claim(
    "mr-dyn-flip-threshold",
    Every(
        On(
            safe,
            Always(free_multiplier > -1, label="h' > −1 at the fixed point p, with a guard").by(
                PositiveFactors(steepness, m * root**3 / (m + guard), of_one=bends)
            ),
        ),
        On(
            references.also(Eq(success, turn), log_odds_ref < log_odds - 2 * sqrt(2), 32 * guard < sqrt(2) * lead - 4),
            Always(free_multiplier < -1, label="below p̂, a small guard: h' < −1 at the fixed point (2 − √2)/4").by(
                ByDifference((sqrt(2) * lead - 4 - 32 * guard) / (4 + 32 * guard))
            ),
        ),
    ),
    references.also(success_ref < success, success < half),
    because=(
        On(safe, Always(steepness > 0, label=RISES).by(bends)),
        On(beyond, flat.by(bends)),
        On(
            early,
            Always(
                sqrt(2) * gained > 4,
                label="for smaller p_ref: room for a guard, ε < (√2 (logit p − logit p_ref) − 4)/32 at p = (2 − √2)/4",
            ),
        ),
    ),
    kind="stability",
    depends_on=["mr-dyn-flip-needs", "mr-dyn-beta-curve"],
    locator="Sec 4, Figure 5",
    title="The reference from which slopes at fixed points below ½ stay above −1",
    remark="The condition is logit p_ref ≥ logit p̂ (mr-dyn-flip-needs). Each p above p_ref is a fixed point for just "
    "one β (mr-dyn-beta-curve), also (2 − √2)/4. The run of Figure 5, p_ref = 0.001, is below p̂.",
)

up_to_half = references.also(success_ref < success, success <= half, log_odds_ref >= most)
slopes = InEachCase(((2 * success < 1, Follows((attracts,), (RISES,))), (success >= half, ())))
one_value = claim(
    "mr-dyn-no-two-cycle",
    Monotone(scaled_lead, success, 1).by(SignOfDerivative(steepness, sign=slopes)),
    up_to_half,
    kind="uniqueness",
    depends_on=["mr-dyn-flip-threshold"],
    locator="Sec 4, Figure 5",
    title="The scaled gain in log-odds as a function of success up to ½",
    remark=(
        "The lower bound on logit p_ref is logit p̂, p̂ that of mr-dyn-flip-needs. Two numbers that h exchanges have "
        "one value of this function: if h(x) = y and h(y) = x, it is 1/(β σ_ε(x) σ_ε(y)) at x and at y. So h "
        "exchanges no two numbers up to ½ (mr-dyn-every-start)."
    ),
)

# -- every start ------------------------------------------------------------------------------------------------------
# With y = (T − gain)/2 the odds of h(½) are e^(−2y), and the gain in log-odds at the next step is
# (T − 2y) √((¼ + ε)/(p(1 − p) + ε)) at p = h(½). It is below T, for p(1 − p) (e^y + e^(−y))² = 1.
quarter = Rational(1, 4)
gain = 1 / (beta * sqrt(quarter + guard))
shrunk = InLetters(
    Always(23 * (v**2 - 1) ** 2 < -20 * (v**4 + 1) * log(1 / v), using=(log_below_tangent(1 / v),)),
    Domain(1 < v, 2 * v <= 3),
    {v: sqrt(u)},
)
below_log = Then(
    (
        Equal(log(1 / sqrt(u)), -log(u) / 2, label="the logarithm of a root"),
        Always(23 * (u - 1) ** 2 < -20 * (u**2 + 1) * log(1 / sqrt(u)), label="by v = √u").by(shrunk),
    )
)
growth = Always(23 * (u - 1) ** 2 < 10 * (u**2 + 1) * log(u), label="4.6 (u − 1)² < 2(u² + 1) log u up to 10")
to_ten = InEachCase(((4 * u <= 9, below_log), (4 * u >= 9, ())))
odds = exp(y)


def next_gain(root_of_odds):
    """The gain at p = 1/(1 + odds), from the one at ½, T − 2y."""
    there = 1 / (1 + root_of_odds**2)
    return (t - 2 * y) * sqrt(quarter + guard) / sqrt(there * (1 - there) + guard)


steps = Domain(y > 0, y < log(10), 2 * y < t, 5 * t <= 23, guard > 0)
enough = Always(23 * (odds - 1) ** 2 < 10 * (odds**2 + 1) * y, label="with y = log u").by(
    InLetters(growth.by(to_ten), Domain(1 < u, u <= 10), {u: odds}, (exp_sign(y), exp_increasing(y, log(10))))
)
spread = Always((t - 2 * y) * (odds + 1 / odds) < 2 * t, label="without a guard").by(
    Then((enough, Always(odds > 1, using=(exp_sign(y),), label="u is above 1")))
)
no_guard = Domain(1 < u, y > 0, 2 * y < t, guard > 0, (t - 2 * y) * (u + 1 / u) < 2 * t)
with_guard = InLetters(Always(next_gain(u) < t), no_guard, {u: odds, y: y, t: t, guard: guard}, (exp_sign(y),))
smaller = Always(next_gain(odds) < t, label="the next gain is below T").by(with_guard).by(Then((spread,)))

all_references = Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0, log_odds_ref >= most)
halved = {y: (-log_odds_ref - gain) / 2, t: -log_odds_ref}
compared = exp_increasing(log_odds_ref, -gain)  # e^(−gain) against the odds of p_ref
numbers = Every(
    Always(Lt(-most, Rational(23, 5), evaluate=False), label="T is at most −logit p̂ < 4.6"),
    Always(Lt(-most / 2, log(10), evaluate=False), label="and e^(T/2) < 10"),
)
next_below = Always(next_gain(odds).subs(halved, simultaneous=True) < -log_odds_ref, label="the next gain is below T")
small_gain = next_below.by(InLetters(smaller, steps, {**halved, guard: guard}, (compared,))).by(
    Then((*numbers.statements, Always(halved[y] > 0, using=(compared,), label="h(½) is below ½")))
)
second = h.subs(success, at_half)
root_there = root.subs(success, at_half)
turned_back = Then((small_gain,), using=(exp_increasing(log_odds_ref, -1 / (beta * root_there)),))
second_step = claim(
    "mr-dyn-second-step",
    Always(Implies(at_half < half, second < half)).by(
        InEachCase(((2 * at_half < 1, turned_back), (at_half >= half, ())))
    ),
    all_references,
    kind="inequality",
    locator="Sec 4, Figure 5",
    title="The second step from ½",
    remark="For such p_ref, whatever β and ε are: if h(½) < ½, then h, which falls up to ½ (mr-prop1-decreasing), "
    "maps the interval from h(½) to ½ into itself.",
)


def odds_lost(at):
    """e^(−gain) at a point that h sends to ``at``."""
    return (1 - at) * success_ref / (at * (1 - success_ref))


points = (success, z)
gains = [-1 / (beta * root.subs(success, at)) for at in points]
logs = [log(odds_lost(at)) for at in points]
no_pair = Then(
    (
        Always(scaled_lead < scaled_lead.subs(success, z), label="(logit p − logit p_ref)/√(p(1 − p) + ε)").by(
            TwoValues(scaled_lead, success, up_to_half, points, using=(exp_sign(-gain),), given=(one_value,))
        ),
        *(
            Equal(lost, -lead.subs(success, at), label="the log-odds lost")
            for lost, at in zip(logs, points, strict=True)
        ),
    ),
    using=(
        *(exp_increasing(*pair) for pair in zip(gains, logs[::-1], strict=True)),
        *(exp_increasing(*pair) for pair in zip(logs[::-1], gains, strict=True)),
    ),
)
claim(
    "mr-dyn-every-start",
    Converges(Iteration(h, success, x), 0, 1).by(
        FallsThenRises(half, z, back=Follows((second_step,)), no_exchange=no_pair)
    ),
    all_references.also(0 <= x, x <= 1),
    kind="limit",
    depends_on=["mr-dyn-no-two-cycle", "mr-dyn-second-step", "mr-dyn-flip-needs"],
    locator="Sec 4; abstract",
    title="Convergence from any start, from one value of the reference on",
    remark=(
        "p̂ ≈ 0.01004; logit p̂ is the number that logit p_ref is compared with (mr-dyn-flip-needs). For every smaller "
        "p_ref a fixed point has h' < −1 for some β and ε (mr-dyn-flip-threshold)."
    ),
)

# -- just below: a run from the reference that does not converge ------------------------------------------------------
at_point = {success_ref: Rational(98, 10**4), beta: Rational(28, 25), guard: Rational(1, 10**6)}
once = h.subs(at_point)
twice = once.subs(success, once)
members = [success_ref]
for _ in range(5):
    members.append(h.subs(success, members[-1]))
fourth, fifth = (Rational(80, 1000), Rational(81, 1000)), (Rational(20, 100), Rational(22, 100))
even, odd = (Rational(7, 100), Rational(1162, 10**4)), (Rational(139, 1000), Rational(26, 100))
claim(
    "mr-dyn-below-threshold",
    Every(
        Exists(
            And(fourth[0] < members[4], members[4] < fourth[1], fifth[0] < members[5], members[5] < fifth[1]),
            at_point,
            label="p_4 and p_5 at p_ref = 0.0098, β = 1.12, ε = 10⁻⁶",
        ),
        On(
            Domain(fourth[0] <= x, x <= fourth[1]),
            ConvergesMonotonically(Iteration(twice, success, x), *even, label="every second step from p_4 on"),
        ),
        On(
            Domain(fifth[0] <= x, x <= fifth[1]),
            ConvergesMonotonically(Iteration(twice, success, x), *odd, label="and from p_5 on"),
        ),
    ),
    Domain(0 < success_ref, success_ref < 1, beta > 0, guard > 0),
    kind="limit",
    depends_on=["mr-dyn-every-start"],
    locator="Sec 4; abstract",
    title="A run with two limit points, from the reference 0.0098",
    remark="So the least value from which on every run from p_ref converges, whatever β and ε are, lies between "
    "0.0098 and p̂ ≈ 0.01004 (mr-dyn-every-start).",
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
    title="The limit of a run above ½ whose first step goes up",
    remark="z is p_1 = h(p_ref), or any later member.",
)
