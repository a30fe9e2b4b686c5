"""Total variation: its two definitions, and what it says of the probability of one event.

Statement.   TV is half the sum of the absolute differences: the largest ½(E_π̃ f − E_π f) of all |f| ≤ 1, which the
             sign of the difference attains. |p̃ − p| ≤ TV(π̃‖π) for the success probabilities.
Source.      Mroueh (2025), Appendix C, proof of Theorem 5.
Domain.      Any finite number of correct and of wrong answers.
Derivation.  TV as a sum of absolute values → term by term at least the differences of one sign.
Caveats.     The printed bound 2 TV is twice too large: an indicator lies in [0, 1].
Letters.     x and y are the success probabilities p and p̃ of π and π̃, z and t values of a test function, as r on any
             number of answers; u is what π̃ adds to one answer, d and c are two distances. π̃ is written π⁺ and π⁻ on
             the correct and the wrong answers, π is written π_old⁺ and π_old⁻; in mr-pf5-supremum they are π and π_old.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

two = Answers(2)


def variation(first, second, answers, index=o):
    """Total variation: half the sum of the absolute differences."""
    return answers.total(lambda a: Abs(first[a] - second[a]), index) / 2


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
tv = variation(hit, hit_old, right) + variation(miss, miss_old, wrong_ones)
surplus = hit[o] - hit_old[o]
deficit = miss[o] - miss_old[o]


gap = Sum(hit[o], (o, 1, n_hit)) - Sum(hit_old[o], (o, 1, n_hit))


def excess(way):
    """TV ∓ (p̃ − p) as sums of terms |d| ∓ d over correct and |d| ± d over wrong answers."""
    correct = Sum((Abs(surplus) - way * surplus) / 2, (o, 1, n_hit))
    return correct, Sum((Abs(deficit) + way * deficit) / 2, (o, 1, n_miss))


near_in_probability = Every(
    Equal(gap, y - x, label="p̃ − p"),
    AtLeast(tv, gap, label="TV is at least p̃ − p").by(TermByTerm(excess(1))),
    AtLeast(tv, -gap, label="and p − p̃").by(TermByTerm(excess(-1))),
)

# Two answers, with test functions bounded by 1: f = (z, t).
first, second = binary(y), binary(x)
tests = Domain(0 < x, x < 1, 0 < y, y < 1, -1 <= z, z <= 1, -1 <= t, t <= 1)
tested = (z * first[0] + t * first[1] - z * second[0] - t * second[1]) / 2


claim(
    "mr-pf5-tvdef",
    Every(
        On(Domain(-1 <= z, z <= 1, u), Always(z * u <= Abs(u), label="any number of answers: term by term")),
        On(Domain(u), Equal(sign(u) * u, Abs(u), label="attained by the sign of the difference")),
    ),
    tests,
    because=(Always(tested <= variation(first, second, two), label="two answers"),),
    kind="convention",
    locator="App C, proof of Theorem 5",
    title="Total variation by bounded test functions, answer by answer",
    printed=r"\mathrm{TV}(\tilde\pi\|\pi)=\tfrac12\sup_{\|f\|_\infty}\mathbb E_{\tilde\pi}f-\mathbb E_\pi f",
    judged=misprint(
        "sup over ‖f‖_∞ ≤ 1; without the bound the supremum is ∞ for any two different policies."
        " So in the copy that was read.",
        Always(tested <= variation(first, second, two)),
        Domain(0 < x, x < 1, 0 < y, y < 1, z, t),
    ),
    remark="As a supremum, for any number of answers: mr-pf5-supremum.",
)

everyone = Domain(n >= 1, simplex(pi, n), simplex(old, n))
signed = (pi[o] - old[o]) * sign(pi[o] - old[o])
claim(
    "mr-pf5-supremum",
    Every(
        On(
            everyone.also(reals(r, n)),
            AtLeast(
                Sum(Abs(pi[o] - old[o]), (o, 1, n)) / 2,
                (Sum(pi[o] * r[o], (o, 1, n)) - Sum(old[o] * r[o], (o, 1, n))) / 2,
                label="any number of answers: no test function r with |r| ≤ 1 does better",
                given=(-1 <= r[o], r[o] <= 1),
            ).by(TermByTerm((Sum((Abs(pi[o] - old[o]) - (pi[o] - old[o]) * r[o]) / 2, (o, 1, n)),))),
        ),
        On(
            everyone,
            AtLeast(
                Sum(signed, (o, 1, n)) / 2,
                Sum(Abs(pi[o] - old[o]), (o, 1, n)) / 2,
                label="and the sign of the difference does as well",
            ).by(TermByTerm((Sum((signed - Abs(pi[o] - old[o])) / 2, (o, 1, n)),))),
        ),
    ),
    everyone,
    kind="convention",
    depends_on=["mr-pf5-tvdef"],
    locator="App C, proof of Theorem 5",
    title="Total variation as a supremum over test functions",
)

claim(
    "mr-pf5-bound",
    near_in_probability,
    policies,
    because=(On(Domain(0 <= shift, shift <= scale), Always(shift <= 2 * scale, label="the printed bound is weaker")),),
    kind="inequality",
    depends_on=["mr-pf5-tvdef"],
    locator="App C, proof of Theorem 5",
    title="Difference in success against total variation",
    printed=r"|\tilde p_n-p_n|=|\mathbb E_{\tilde\pi_n}\mathbb 1_{r(q,o)=1}-\mathbb E_{\pi_n}\mathbb "
    r"1_{r(q,o)=1}|\le2\,"
    r"\mathrm{TV}(\tilde\pi_n\|\pi_n)",
    remark=(
        "The indicator lies in [0, 1], not only in [−1, 1]: subtract ½. Equality for two answers: "
        "mr-thm5-best-constant. Countably many: mr-pf5-countable."
    ),
)
