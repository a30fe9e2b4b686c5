"""Approximate policies: how far their success probability can be from the fixed point.

Statement.   If the total variation distance of π̃_n to the exact π_n grows by at most δ_n a step, and Σδ_n = δ*, then
             lim sup |p̃_n − p*| ≤ δ* whenever p_n → p*. With two answers the bound is attained.
Source.      Mroueh (2025), Section 5, Assumption 1 and Theorem 5; Appendix C.
Domain.      Any finite number of correct and of wrong answers; δ_n ≥ 0; δ* may be any number (above 1 it says nothing).
Derivation.  |p̃ − p| ≤ TV (thm5_total_variation.py) → Assumption 1 summed → triangle inequality → limits.
Caveats.     The printed constant 2δ* is twice too large, and the limit need not exist. TV is between π̃_n and the exact
             π_n, which is computed from the exact p_{n−1}: not what one inexact step is off from the exact step it
             attempts.
Letters.     D(i) is the distance TV(π̃_i‖π_i) after step i, δ(i) its error, p(i) and p̃(i) are the exact and the
             inexact success. x and y are the success probabilities of π and π̃, z is p* and c is δ*, in
             mr-thm5-best-constant any factor of the distance; u and v are distances or bounds of them, s is a sum of
             errors. In mr-thm5 π̃ is written π⁺ and π⁻, and π is written π_old⁺ and π_old⁻; in mr-thm5-delta0 they are
             π and π_old. In the reading of mr-s5-errors-small k is a number of steps and x the error of each.
"""

from grpo_symbolic.paper import *

from .thm5_total_variation import everyone, near_in_probability, policies, two, variation

claim = Result(__file__).claim

# -- Assumption 1 -----------------------------------------------------------------------------------------------------
# Distances D_n = TV(π̃_n‖π_n) and errors δ_n, n = 1, 2, …; D_0 = 0, for π̃_0 = π_0, so D_1 ≤ δ_1.
of_distances = (reals(distance, i), reals(error, i))
grows = (distance[i + 1] <= distance[i] + error[i + 1],)
begins = (distance[1] <= error[1],)
errors = Sum(error[k], (k, 1, i))  # up to the step i
no_errors = {distance: 0, error: 0}  # steps without errors


def of_every_step(formula, label):
    """By induction on the number of steps."""
    return ForEveryNumber(formula, i, 1, of_distances, grows, begins, label=label).by(Induction(such=no_errors))


total = Domain(scale)  # δ*
claim(
    "mr-assump1-telescopes",
    Every(
        of_every_step(errors - distance[i] >= 0, "at most the sum"),
        BelowSeries(error[i], i, scale, (error[i] >= 0,), label="which is at most the whole series"),
    ),
    total,
    kind="convention",
    expect="definition",
    locator="Sec 5, Assumption 1",
    title="Sums of the errors as bounds of the distances",
    printed=(
        r"\text{We assume }\tilde\pi_0=\pi_0=\pi_{\mathrm{ref}}\text{ and assume for all }n\ge1\text{, there exists }"
        r"\delta_n\ge0\text{ such that: }\mathrm{TV}(\tilde\pi_n\|\pi_n)\le\mathrm{TV}(\tilde\pi_{n-1}\|\pi_{n-1})+"
        r"\delta_n\text{ … such that }\sum_{i=1}^n\delta_i\to\delta^*\text{ as }n\to\infty"
    ),
    remark="An assumption; what is checked is what it gives: TV(π̃_n‖π_n) ≤ Σδ_i ≤ δ*. For each question; D_n is "
    "TV(π̃_n‖π_n), and c is δ*. D_1 ≤ δ_1, for π̃_0 = π_0. δ_n ≥ 0 is needed for the last inequality only.",
)

claim(
    "mr-assump1-below-one",
    On(
        Domain(scale >= 0),
        Every(
            of_every_step(errors - distance[i] >= 0, "at most the sum"),
            BelowSeries(error[i], i, scale, (error[i] >= 0,), label="and that at most δ*, whatever δ* is"),
        ),
    ),
    Domain(scale >= 0),
    because=(
        On(
            Domain(0 < x, x < 1, 0 < y, y < 1),
            Always(variation(binary(y), binary(x), two) < 1, label="two answers: the distance is below 1"),
        ),
    ),
    kind="convention",
    depends_on=["mr-assump1-telescopes"],
    locator="Sec 5, Assumption 1",
    title="Assumption 1 with a total error of one or more",
    printed=r"\delta^*\in[0,1)",
    judged=redundant_hypothesis(
        "The theorem holds for every δ* ≥ 0; its bound 2δ* says nothing from ½ on, and the bound δ*, which holds too, "
        "from 1 on.",
        Domain(0 <= scale, scale < 1),
        {scale: Integer(2)},
    ),
)

claim(
    "mr-pf5-sum",
    Every(
        ForEveryNumber(
            2 * distance[i] <= 2 * errors + 2 * v,
            i,
            1,
            of_distances,
            grows,
            (distance[1] <= v + error[1],),
            label="twice the distance, from a first distance v",
        ).by(Induction(such=no_errors)),
        of_every_step(2 * distance[i] <= 2 * errors, "v is 0, π̃_0 being π_0"),
    ),
    Domain(v >= 0),
    kind="inequality",
    depends_on=["mr-assump1-telescopes", "mr-pf5-bound"],
    locator="App C, proof of Theorem 5",
    title="Twice the sum of the errors, from a first distance v",
    printed=r"2\,\mathrm{TV}(\tilde\pi_n\|\pi_n)\le2\sum_{i=1}^n\delta_i+\mathrm{TV}(\tilde\pi_0,\pi_0)=2\sum_{i=1}^n"
    r"\delta_i",
    remark="Assumption 1 has π̃_0 = π_0, so the term TV(π̃_0, π_0) is 0. For another first distance v it "
    "would have the factor 2 as well, which the print leaves out.",
)

# -- Theorem 5 --------------------------------------------------------------------------------------------------------
# The exact probabilities p_n tend to p* = z; the inexact ones p̃_n are within the distances of Assumption 1 of them.
whole_numbers = (*of_distances, reals(exact, i), reals(inexact, i))
close = (Abs(inexact[i] - exact[i]) <= distance[i],)
sums_converge = (errors, scale)
at_rest = {**no_errors, exact: z, inexact: z}


def lim_sup(body, value, *tending, label):
    """Under Assumption 1."""
    said = LimSup(body, i, value, (*tending, sums_converge), close, whole_numbers, grows, begins, label=label)
    return said.by(Compared(inductively=(distance[i] <= errors,), such={**at_rest, scale: 0}))


theorem_5 = lim_sup(Abs(inexact[i] - z), scale, (exact[i], z), label="Theorem 5")
targets = total.also(z)
three = Answers(3)
# π̃_n as far from π_n as ever, now by an exchange of two correct answers, now by one of a correct and a wrong answer.
third = Rational(1, 3)
even = (third,) * 3
between, across = (third + u, third - u, third), (third + u, third, third - u)
exchanges = Domain(0 < u, u < third)
same_distance = Every(
    On(
        exchanges,
        Equal(variation(between, even, three), u, label="the exchange of two correct answers has distance u"),
    ),
    On(exchanges, Equal(variation(across, even, three), u, label="so has that of a correct and a wrong answer")),
    On(exchanges, Equal(between[0] + between[1] - 2 * third, 0, label="p̃ − p for the first")),
    On(exchanges, Equal(across[0] + across[1] - 2 * third, u, label="and for the second")),
)
OSCILLATION = (
    "The limit need not exist: π̃_n may exchange, at a fixed distance u from π_n (δ_1 = u, all other δ_n = 0), two "
    "correct answers for even n, a correct and a wrong one for odd n; p̃_n − p_n is then 0, u, 0, u, … for "
    "n = 0, 1, 2, 3, …. As a formula: that its sizes for even and for odd n agree. With lim sup the sentence holds."
)
settles = Equal(
    Abs(between[0] + between[1] - 2 * third),
    Abs(across[0] + across[1] - 2 * third),
    label="the values for even and for odd n agree",
)
claim(
    "mr-thm5",
    theorem_5,
    targets,
    because=(
        On(policies, near_in_probability),
        On(Domain(0 <= u, u <= scale), Always(u <= 2 * scale, label="the bound δ* implies the printed one")),
        same_distance,
    ),
    kind="limit",
    depends_on=["mr-pf5-bound", "mr-assump1-telescopes"],
    locator="Sec 5, Theorem 5",
    title="Theorem 5 with a limit superior",
    printed=(
        r"\text{Under Assumption 1 and assuming that }p_n\text{ converges to }p^*\text{ the fixed point of }h_{"
        r"\varepsilon,p_{\mathrm{ref}}}\text{. Let }\tilde p_n\text{ the probability of success of the policy }\tilde"
        r"\pi\text{ we have: }\lim_{n\to\infty}|\tilde p_n-p^*|\le2\delta^*"
    ),
    judged=imprecise(OSCILLATION, settles, exchanges),
    remark="Half of the printed bound. That |p̃_n − p_n| is at most the distance is a checked step, for policies over "
    "any number of correct and of wrong answers.",
)

# Two answers, π_n at the fixed point, and π̃_n a distance u from it.
moved, fixed = binary(z + u), binary(z)
claim(
    "mr-thm5-best-constant",
    On(
        Domain(0 < z, z < y, y < 1, scale),
        Always(
            Implies(y - z <= scale * variation(binary(y), fixed, two), scale >= 1),
            label="a factor that bounds p̃ − p* by the distance is at least 1",
        ),
    ),
    Domain(0 < z, 0 < u, z + u < 1),
    because=(
        Equal(variation(moved, fixed, two), u, label="TV"),
        Exists(
            And(scale * u < moved[0] - z, scale < 1),
            {scale: Rational(99, 100), u: Rational(1, 10), z: Rational(1, 2)},
            label="a smaller factor, 0.99, does not suffice",
        ),
        Equal(moved[0] - fixed[0], u, label="p̃ − p*"),
    ),
    kind="inequality",
    depends_on=["mr-thm5"],
    locator="Sec 5, Theorem 5",
    title="The factor of the distance in Theorem 5, for two answers",
    remark="With π̃_n = π_n before some late step N, and p̃_n = p_n + (y − z) from it on, δ_N is y − z and all other "
    "errors are 0: y − z is δ* and the limit of |p̃_n − p*|, half of the printed 2δ*.",
)

apart = Sum(Abs(pi[o] - old[o]) / 2, (o, 1, n))
claim(
    "mr-thm5-delta0",
    ConvergesTo(
        inexact[i],
        i,
        z,
        ((exact[i], z), (errors, 0)),
        close,
        whole_numbers,
        grows,
        begins,
        label="p̃_n → p*",
    ).by(Compared(inductively=(distance[i] <= errors,), such=at_rest)),
    Domain(z),
    because=(
        BelowSeries(error[i], i, 0, (error[i] >= 0,), label="no sum of errors is positive"),
        On(
            Domain(u, s),
            Always(
                Implies(And(0 <= u, u <= s, s <= 0), Eq(u, 0)),
                label="so a distance u that is at most such a sum s is 0",
            ),
        ),
        On(
            everyone,
            AtLeast(apart, 0, (Eq(pi[o], old[o]),), label="so π̃_n = π_n, for any number of answers").by(
                TermByTerm((apart,))
            ),
        ),
    ),
    kind="limit",
    depends_on=["mr-thm5"],
    locator="Sec 5, Theorem 5",
    title="Assumption 1 with a total error of zero",
    printed=r"\text{In the case }\delta^*=0\text{, we have convergence to the fixed point.}",
    remark="True, and empty: δ_n ≥ 0 with Σδ_n = 0 makes every step exact.",
)

claim(
    "mr-pf5-lim",
    Every(lim_sup(Abs(inexact[i] - exact[i]), scale, label="from the exact probabilities"), theorem_5),
    targets,
    kind="limit",
    depends_on=["mr-thm5"],
    locator="App C, proof of Theorem 5",
    title="Limit superior of |p̃_n − p_n|, and from there to p*",
    printed=(
        r"\text{Assume the sequence }p_n\text{ converges to }p^*\text{ the fixed point of }h_{\varepsilon,p_{"
        r"\mathrm{ref}}}\text{. Under Assumption 1 we have: }\lim_{n\to\infty}|\tilde p_n-p_n|\le2\lim_{n\to\infty}"
        r"\sum_{i=1}^n\delta_i=2\delta^*"
    ),
    judged=imprecise(
        OSCILLATION + " The last step, from p_n to p*, is left out: the triangle inequality.", settles, exchanges
    ),
)

claim(
    "mr-s5-still-converges",
    ConvergesTo(
        inexact[i],
        i,
        z,
        ((exact[i], z), (distance[i], 0)),
        close,
        whole_numbers,
        label="where the distances tend to 0",
    ),
    Domain(z),
    kind="limit",
    depends_on=["mr-thm5"],
    locator="Sec 5, before Assumption 1",
    title="Approximate policies whose distance vanishes",
    printed=r"\text{if we have approximate policies we can have still asymptotic convergence}",
    remark="“Can” asks for an example: where the distances tend to 0. Assumption 1 gives that for δ* = 0 only, and "
    "closeness otherwise: mr-thm5.",
)

claim(
    "mr-s5-errors-small",
    lim_sup(Abs(inexact[i] - z), u, (exact[i], z), label="a small δ* keeps p̃_n near p*"),
    targets.also(scale <= u),
    kind="limit",
    depends_on=["mr-thm5"],
    locator="Sec 5, after Theorem 5; Sec 6; Introduction, (5)",
    title="Success under errors with a small sum",
    printed=(
        r"\text{We see from Theorem 5, that as long these error remain small, the probability of success of GRPO "
        r"parametric policy (estimated from samples and optimized for instance with gradient descent) remains close to "
        r"the fixed point probability success }p^*"
    ),
    judged=imprecise(
        "True if their sum is small, of which Theorem 5 speaks. Errors that are each small can add up over the steps, "
        "to any δ* below 1.",
        Always(k * x <= v),
        Domain(k >= 1, 0 < x, x <= v, 0 < v, k * x < 1),
    ),
    remark="The reading: k errors of x each, which is at most v, add up to at most v. u is a bound of δ*.",
)
