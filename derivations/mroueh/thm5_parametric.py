"""Approximate policies: how far their success probability can be from the fixed point.

Statement.   If the total variation distance of π̃_n to the exact π_n grows by at most δ_n a step, and Σδ_n = δ*, then
             lim sup |p̃_n − p*| ≤ δ* whenever p_n → p*. The constant is the best one.
Source.      Mroueh (2025), Section 5, Assumption 1 and Theorem 5; Appendix C.
Domain.      Any number of correct and of wrong answers; δ_n ≥ 0; δ* may be any number (above 1 it says nothing).
Derivation.  TV as a sum of absolute values → |p̃ − p| ≤ TV → Assumption 1 summed → triangle inequality → limits.
Caveats.     The printed constant 2δ* is twice too large, and the limit need not exist. TV is between π̃_n and the exact
             π_n, which is computed from the exact p_{n−1}: not what one inexact step is off from the exact step it
             attempts.
"""

from sympy import Abs, And, Eq, Implies, Integer, Rational, Sum, exp, oo, sign

from grpo_symbolic.notation import hit, hit_old, k, miss, miss_old, n_hit, n_miss, o, s, scale, t, u, v, x, y, z
from grpo_symbolic.objectives import Answers, binary
from grpo_symbolic.proof import (
    Always,
    Domain,
    Equal,
    Every,
    Exists,
    On,
    Result,
    Tends,
    imprecise,
    misprint,
    needs_hypothesis,
    redundant_hypothesis,
    simplex,
)

claim = Result(__file__).claim

two, three = Answers(2), Answers(3)


def distance(first, second, answers, index=o):
    """Total variation: half the sum of the absolute differences."""
    return answers.total(lambda a: Abs(first[a] - second[a]), index) / 2


# -- total variation -------------------------------------------------------------------------------------------------
# Any number of correct and wrong answers: π̃ is hit and miss, of success probability y; π is the old family, of x.
right, wrong_ones = Answers(n_hit), Answers(n_miss)
policies = Domain(
    0 < x,
    x < 1,
    0 < y,
    y < 1,
    n_hit >= 1,
    n_miss >= 1,
    simplex(hit, n_hit, y),
    simplex(miss, n_miss, 1 - y),
    simplex(hit_old, n_hit, x),
    simplex(miss_old, n_miss, 1 - x),
)
tv = distance(hit, hit_old, right) + distance(miss, miss_old, wrong_ones)
surplus = hit[o] - hit_old[o]
deficit = miss[o] - miss_old[o]


def excess(way):
    """TV ∓ (p̃ − p) as a sum of terms |d| ∓ d over correct and |d| ± d over wrong answers."""
    return Sum(Abs(surplus) - way * surplus, (o, 1, n_hit)) / 2 + Sum(Abs(deficit) + way * deficit, (o, 1, n_miss)) / 2


gap = Sum(hit[o], (o, 1, n_hit)) - Sum(hit_old[o], (o, 1, n_hit))
sharp = Every(
    Equal(gap, y - x, label="p̃ − p"),
    Equal(tv - gap, excess(1), label="TV − (p̃ − p)"),
    Equal(tv + gap, excess(-1), label="TV + (p̃ − p)"),
    On(Domain(t), Always(And(Abs(t) - t >= 0, Abs(t) + t >= 0), label="no term of either sum is negative")),
)

# Two answers, with test functions bounded by 1: f = (z, t).
first, second = binary(y), binary(x)
tests = Domain(0 < x, x < 1, 0 < y, y < 1, -1 <= z, z <= 1, -1 <= t, t <= 1)
tested = (z * first[0] + t * first[1] - z * second[0] - t * second[1]) / 2
# Three answers: x, y and −x − y are what the second policy adds to the first.
nothing, added = (Integer(0),) * 3, (x, y, -x - y)
triples = Domain(x, y)
bounded = triples.also(*(c for f in (z, t, s) for c in (-1 <= f, f <= 1)))
claim(
    "mr-pf5-tvdef",
    Every(
        On(
            bounded,
            Always(
                (z * x + t * y - s * (x + y)) / 2 <= distance(added, nothing, three),
                label="three answers: no test function does better",
            ),
        ),
        On(Domain(0 <= v, -1 <= z, z <= 1, x), Always(z * x <= Abs(x), label="any number of answers: term by term")),
        On(Domain(x), Equal(sign(x) * x, Abs(x), label="attained by the sign of the difference")),
        Always(tested <= distance(first, second, two), label="two answers"),
    ),
    tests,
    kind="convention",
    locator="App C, proof of Theorem 5",
    title="TV is the supremum over test functions bounded by 1",
    printed=r"\mathrm{TV}(\tilde\pi\|\pi)=\tfrac12\sup_{\|f\|_\infty}\mathbb E_{\tilde\pi}f-\mathbb E_\pi f",
    fares=misprint(
        "sup over ‖f‖_∞ ≤ 1; without the bound the supremum is ∞ for any two different policies.",
        Always(tested <= distance(first, second, two)),
        Domain(0 < x, x < 1, 0 < y, y < 1, z, t),
    ),
)

# The success probabilities on three answers of which the first two are correct.
indicator = Abs(added[0] + added[1])
claim(
    "mr-pf5-bound",
    Every(
        sharp,
        On(
            triples,
            Always(
                And(indicator <= distance(added, nothing, three), indicator <= 2 * distance(added, nothing, three)),
                label="three answers, two of them correct",
            ),
        ),
        On(Domain(0 <= u, u <= v), Always(u <= 2 * v, label="the printed bound is weaker")),
    ),
    policies,
    kind="inequality",
    depends_on=["mr-pf5-tvdef"],
    locator="App C, proof of Theorem 5",
    title="|p̃ − p| ≤ TV, half of the printed bound",
    printed=r"|\tilde p_n-p_n|=|\mathbb E_{\tilde\pi_n}\mathbb 1_{r(q,o)=1}-\mathbb E_{\pi_n}\mathbb "
    r"1_{r(q,o)=1}|\le2\,"
    r"\mathrm{TV}(\tilde\pi_n\|\pi_n)",
    remark="The indicator lies in [0, 1], not only in [−1, 1]: subtract ½. Equality for two answers.",
)

# -- Assumption 1 -----------------------------------------------------------------------------------------------------
# Distances: v before the step, u after it; s is the sum of the δ so far, t the next one, z is δ*, y the sum of the
# rest.
step = Domain(0 <= u, 0 <= v, 0 <= s, 0 <= t, u <= v + t, v <= s)
whole = Domain(0 <= u, 0 <= s, 0 <= y, u <= s, Eq(z, s + y))
summed = Every(
    Always(u <= s + t, label="the next distance is at most the next sum"),
    On(Domain(0 <= s, Eq(v, 0)), Always(v <= s, label="the first is 0, for π̃_0 = π_0")),
    On(whole, Always(And(u <= z, s <= z), label="each sum is at most δ*")),
)
INDUCTION = "induction on n"
claim(
    "mr-assump1-telescopes",
    summed,
    step,
    kind="inequality",
    lemmas=[INDUCTION, "a sum of numbers δ_i ≥ 0 is at most the whole series"],
    locator="Sec 5, Assumption 1",
    title="The distances are at most the sums of the errors, and these at most δ*",
    printed=r"\mathrm{TV}(\tilde\pi_n\|\pi_n)\le\mathrm{TV}(\tilde\pi_{n-1}\|\pi_{n-1})+\delta_n,\ \tilde\pi_0=\pi_0,\ "
    r"\sum_{i\le n}\delta_i\to\delta^*\Rightarrow\mathrm{TV}(\tilde\pi_n\|\pi_n)\le\sum_{i\le n}\delta_i\le\delta^*",
    remark="For each question. δ_n ≥ 0 is needed for the last inequality only.",
)

claim(
    "mr-assump1-below-one",
    Every(
        On(whole, Always(u <= z, label="the sums bound the distances whatever δ* is")),
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1),
            Always(distance(first, second, two) < 1, label="distances never exceed 1"),
        ),
    ),
    Domain(z >= 0),
    kind="convention",
    depends_on=["mr-assump1-telescopes"],
    locator="Sec 5, Assumption 1",
    title="That δ* is below 1 is not needed",
    printed=r"\delta^*\in[0,1)",
    fares=redundant_hypothesis(
        "The theorem holds for every δ* ≥ 0; from δ* = 1 on (as printed, from ½ on) it says nothing.",
        Domain(0 <= z, z < 1),
        {z: Integer(2)},
    ),
)

claim(
    "mr-pf5-sum",
    Every(
        summed,
        On(
            Domain(0 <= u, 0 <= s, 0 <= v, u <= s + v),
            Always(2 * u <= 2 * s + 2 * v, label="with the first distance"),
        ),
        On(Domain(0 <= u, 0 <= s, Eq(v, 0), u <= s + v), Always(2 * u <= 2 * s + v, label="which is 0")),
    ),
    step,
    kind="inequality",
    depends_on=["mr-assump1-telescopes", "mr-pf5-bound"],
    locator="App C, proof of Theorem 5",
    title="Twice the sum of the errors",
    printed=r"2\,\mathrm{TV}(\tilde\pi_n\|\pi_n)\le2\sum_{i=1}^n\delta_i+\mathrm{TV}(\tilde\pi_0,\pi_0)=2\sum_{i=1}^n"
    r"\delta_i",
    fares=misprint(
        "The factor 2 is for the first distance too; without it the inequality holds only because that distance is 0.",
        Always(2 * u <= 2 * s + v),
        Domain(0 <= u, 0 <= s, 0 <= v, u <= s + v),
    ),
)

# -- Theorem 5 --------------------------------------------------------------------------------------------------------
# x is p̃_n, y is p_n, z is p*, s the sum of the δ so far, scale is δ*, t an upper bound of |p_n − p*|.
iterates = Domain(x, y, z, 0 <= s, s <= scale, 0 <= t)
near = And(Abs(x - y) <= s, Abs(y - z) <= t)
LIMITS = "limits keep weak inequalities: lim sup |p̃_n − p*| ≤ lim (Σδ + |p_n − p*|)"
bound = Every(
    Always(Implies(near, And(Abs(x - z) <= s + t, Abs(x - z) <= scale + t)), label="triangle inequality"),
    On(Domain(scale > 0), Tends(scale + t, t, 0, scale, label="|p_n − p*| → 0")),
    On(Domain(0 <= u, u <= scale), Always(u <= 2 * scale, label="δ* implies the printed bound")),
)
# π̃_n as far from π_n as ever, now by an exchange of two correct answers, now by one of a correct and a wrong answer.
third = Rational(1, 3)
even = (third,) * 3
between, across = (third + u, third - u, third), (third + u, third, third - u)
exchanges = Domain(0 < u, u < third)
same_distance = Every(
    On(
        exchanges,
        Equal(distance(between, even, three), u, label="the exchange of two correct answers has distance u"),
    ),
    On(exchanges, Equal(distance(across, even, three), u, label="so has that of a correct and a wrong answer")),
    On(exchanges, Equal(between[0] + between[1] - 2 * third, 0, label="p̃ − p for the first")),
    On(exchanges, Equal(across[0] + across[1] - 2 * third, u, label="and for the second")),
)
OSCILLATION = (
    "The limit need not exist: π̃_n may exchange, at a fixed distance u from π_n (δ_1 = u, all other δ_n = 0), two "
    "correct answers for even n, a correct "
    "and a wrong one for odd n; p̃_n − p_n is then 0, u, 0, u, …. With lim sup the sentence holds."
)
settles = Equal(
    Abs(between[0] + between[1] - 2 * third),
    Abs(across[0] + across[1] - 2 * third),
    label="the values for even and for odd n agree",
)
claim(
    "mr-thm5",
    Every(bound, On(policies, sharp), same_distance),
    iterates,
    kind="limit",
    depends_on=["mr-pf5-bound", "mr-assump1-telescopes"],
    lemmas=[LIMITS],
    locator="Sec 5, Theorem 5",
    title="lim sup |p̃_n − p*| ≤ δ*",
    printed=r"\lim_{n\to\infty}|\tilde p_n-p^*|\le2\delta^*",
    fares=imprecise(OSCILLATION, settles, exchanges),
    remark="Half of the printed bound.",
)

# Two answers, π_n at the fixed point, and π̃_n a distance u from it.
moved, fixed = binary(z + u), binary(z)
claim(
    "mr-thm5-best-constant",
    Every(
        Equal(distance(moved, fixed, two), u, label="TV"),
        Equal(moved[0] - fixed[0], u, label="p̃ − p*"),
        Exists(
            And(scale * u < moved[0] - z, scale < 1),
            {scale: Rational(99, 100), u: Rational(1, 10), z: Rational(1, 2)},
            label="no smaller factor does",
        ),
    ),
    Domain(0 < z, 0 < u, z + u < 1),
    kind="existence",
    depends_on=["mr-thm5"],
    locator="Sec 5, Theorem 5",
    title="The constant δ* is attained (δ_1 = u, all other δ_n = 0), so 2δ* is twice too large",
)

claim(
    "mr-thm5-delta0",
    Every(
        On(Domain(u, s), Always(Implies(And(0 <= u, u <= s, Eq(s, 0)), Eq(u, 0)), label="all distances are 0")),
        On(
            Domain(x, y, u),
            Always(Implies(And(Abs(x - y) <= u, Eq(u, 0)), Eq(x, y)), label="so p̃_n = p_n for every n"),
        ),
        On(
            triples,
            Always(Implies(distance(added, nothing, three) <= 0, And(Eq(x, 0), Eq(y, 0))), label="even π̃_n = π_n"),
        ),
    ),
    iterates,
    kind="limit",
    depends_on=["mr-thm5"],
    locator="Sec 5, Theorem 5",
    title="For δ* = 0 the approximate policies are the exact ones",
    printed=r"\text{In the case }\delta^*=0\text{, we have convergence to the fixed point.}",
    remark="True, and empty: δ_n ≥ 0 with Σδ_n = 0 makes every step exact.",
)

claim(
    "mr-pf5-lim",
    bound,
    iterates,
    kind="limit",
    depends_on=["mr-thm5"],
    lemmas=[LIMITS],
    locator="App C, proof of Theorem 5",
    title="From p̃_n − p_n to p̃_n − p*",
    printed=r"\lim_{n\to\infty}|\tilde p_n-p_n|\le2\lim_{n\to\infty}\sum_{i=1}^n\delta_i=2\delta^*",
    fares=imprecise(
        OSCILLATION + " The last step, from p_n to p*, is left out: the triangle inequality.", settles, exchanges
    ),
)

claim(
    "mr-s5-still-converges",
    Every(
        On(
            Domain(x, y, z, 0 <= u, 0 <= t, Abs(x - y) <= u, Abs(y - z) <= t),
            Always(Abs(x - z) <= u + t, label="p̃_n → p* where the distances (u) tend to 0 and p_n → p*"),
        ),
        On(Domain(t), Tends(2 * t, t, 0, 0, label="both bounds tend to 0")),
        same_distance,
    ),
    iterates,
    kind="limit",
    depends_on=["mr-thm5"],
    lemmas=["squeeze theorem"],
    locator="Sec 5, before Assumption 1",
    title="Approximate policies converge if their distance tends to 0, which Assumption 1 does not say",
    printed=r"\text{if we have approximate policies we can have still asymptotic convergence}",
    remark="“Can”, rule (iv): where the distances tend to 0. Assumption 1 gives that for δ* = 0 only, and closeness "
    "otherwise: mr-thm5.",
)

claim(
    "mr-s5-errors-small",
    Every(
        bound,
        On(
            Domain(0 < u, 0 <= scale, scale <= u, 0 <= x, x <= scale),
            Always(x <= u, label="a small δ* keeps p̃_n near p*"),
        ),
    ),
    iterates,
    kind="limit",
    depends_on=["mr-thm5"],
    locator="Sec 5, after Theorem 5; Sec 6; Introduction, (5)",
    title="Small errors in total keep the success probability near p*",
    printed=r"\text{as long these error remain small, the probability of success \ldots\ remains close to the fixed "
    r"point probability success }p^*",
    fares=needs_hypothesis(
        "Their sum must be small. Errors that are each at most u add up without bound over the steps.",
        Always(k * u <= z),
        Domain(k >= 1, 0 < u, u <= z, 0 < z),
    ),
)

# -- errors that do not vanish ----------------------------------------------------------------------------------------
# Each inexact step goes wrong by at most t, and exact steps shrink distances by the factor u < 1: y before, z after.
erring = Domain(0 <= u, u < 1, t >= 0, y >= 0, z >= 0, z <= u * y + t)
floor = t / (1 - u)
claim(
    "mr-thm5-constant-errors",
    Every(
        Always(z - floor <= u * (y - floor), label="what a distance has above t/(1 − u) shrinks by the factor u"),
        Always(Implies(y <= floor, z <= floor), label="and a distance that has nothing above it gets nothing"),
        On(Domain(scale > 0), Tends(exp(-scale * k), k, oo, 0, "-", label="uᵏ → 0, u = e^(−c)")),
        On(
            Domain(0 <= u, u < 1, t >= 0),
            Equal(u * floor + t, floor, label="no smaller bound: y = t/(1 − u) may stay"),
        ),
    ),
    erring,
    kind="limit",
    locator="Sec 5, Theorem 5",
    title="Errors of at most δ in each step, exact steps that contract with rate k: distances of at most δ/(1 − k)",
    says=r"\limsup_n|\operatorname{logit}\tilde p_n-\operatorname{logit}p^*|\le\frac\delta{1-k},\quad "
    r"k=\frac1{(1+4\varepsilon)\sqrt{27\varepsilon}\,\beta}<1",
    depends_on=["mr-logit-contraction"],
    lemmas=["induction on n"],
    remark="Distances are those of log-odds, in which mr-logit-contraction gives the rate. "
    "The errors need not add up to anything finite, as Theorem 5 asks.",
)
