"""What a ratio within 1 ± ϵ of every token guarantees for texts of T tokens.

Statement.   The surrogate of (7) and (11), E over texts of M_0 of Σ_t ρ_t A_0(s_t, a_t), counts states as M_0 visits
             them. If no ratio leaves [1 − ϵ, 1 + ϵ] and no |A_0| exceeds A, it differs from the improvement of M_1 over
             M_0, which counts states as M_1 does, by at most ½T(T − 1)ϵ²A. So the improvement is at least the surrogate
             less that.
Source.      Patel (2025), Section 4.6, which clips the ratio for this purpose and gives no bound. Not in the paper;
             Kakade and Langford (2002) and TRPO have the like for discounted returns.
Domain.      Any vocabulary, any number of tokens T, by what one more token in front adds.
Derivation.  improvement − surrogate at a state = E_π of the same at the next one + (E_π − E_old) of the surrogate
             there → both within bounds that grow with the tokens that are left → the sums of these bounds.
Caveats.     The hypothesis is on every ratio of every state, which clipping a loss does not enforce:
             pt-clip-keeps-ratio.
Letters.     ρ_t is the ratio π_1/π_0 of token t. r(o) is A_0, the advantage under M_0, of a next token, A its bound,
             W(o) the improvement, of the expected reward of M_1 over that of M_0, and W'(o) the surrogate from there
             on, s bounds their difference and t, where it counts no tokens, the latter; D(k) and δ(k) are the bounds
             with k tokens left. π is M_1 and π_old is M_0.
"""

from grpo_symbolic.paper import *

claim = Result(__file__).claim

state = Domain(
    n >= 2, epsilon, A, s, t, *(simplex(f, n) for f in (pi, old)), *(reals(f, n) for f in (r, onward, onward_2))
)
near = (
    Abs(pi[o] - old[o]) <= epsilon * old[o],
    Abs(onward[o] - onward_2[o]) <= s,
    Abs(onward_2[o]) <= t,
    Abs(r[o]) <= A,
)


def over(term):
    """Over the next tokens."""
    return Sum(term, (o, 1, n))


advantage = over((pi[o] - old[o]) * r[o])  # the mean of A_0 under M_1; that under M_0 is zero
surrogate = advantage + over(old[o] * onward_2[o])
apart = over(pi[o] * onward[o]) - over(old[o] * onward_2[o])
claim(
    "pt-clip-improvement",
    Every(
        On(
            state,
            Equal(
                apart,
                over(pi[o] * (onward[o] - onward_2[o])) + over((pi[o] - old[o]) * onward_2[o]),
                label="one more token: by how much the two differ",
            ),
        ),
        *(
            On(
                state,
                AtLeast(s + epsilon * t, sign * apart, given=near, label=f"the difference, {name}").by(
                    TermByTerm(
                        (
                            over(pi[o] * (s - sign * (onward[o] - onward_2[o]))),
                            over(epsilon * t * old[o] - sign * (pi[o] - old[o]) * onward_2[o]),
                        )
                    )
                ),
            )
            for sign, name in ((1, "from above"), (-1, "from below"))
        ),
        *(
            On(
                state,
                AtLeast(epsilon * A + t, sign * surrogate, given=near, label=f"the surrogate, {name}").by(
                    TermByTerm(
                        (
                            over(epsilon * A * old[o] - sign * (pi[o] - old[o]) * r[o]),
                            over(old[o] * (t - sign * onward_2[o])),
                        )
                    )
                ),
            )
            for sign, name in ((1, "from above"), (-1, "from below"))
        ),
        ForEveryNumber(
            And(error[k] <= epsilon**2 * A * k * (k - 1) / 2, distance[k] <= k * epsilon * A),
            k,
            1,
            (reals(error, k), reals(distance, k)),
            (error[k + 1] <= error[k] + epsilon * distance[k], distance[k + 1] <= epsilon * A + distance[k]),
            (Eq(error[1], 0), distance[1] <= epsilon * A),
            label="any number of tokens",
        ).by(Induction(such={error: epsilon**2 * A * k * (k - 1) / 2, distance: k * epsilon * A})),
    ),
    Domain(epsilon > 0, A),
    depends_on=["pt-eq11-ppo", "pt-eq4-advantage"],
    kind="inequality",
    lemmas=[
        "with k tokens left, the largest difference of improvement and surrogate over the states, and the largest "
        "surrogate, both in size, are such δ(k) and D(k): by the bounds of one more token, s being the one and t the "
        "other",
    ],
    locator="Sec 4.6",
    title="The improvement and the ratio loss, for ratios within 1 ± ϵ and texts of T tokens",
    says=(
        r"|\rho_t-1|\le\epsilon,\ |A_0|\le A:\ \text{a token in front of }k\text{ adds at most }k\epsilon^2A,"
        r"\text{ so }|\text{improvement}-\mathbb E_{M_0}\sum_t\rho_tA_0|\le\tfrac12T(T-1)\epsilon^2A"
    ),
    remark=(
        "For texts of one token the two are equal. The mean of A_0 under M_0 is zero in every state "
        "(pt-eq4-advantage), so Σ (π − π_old) r is that under M_1. For ϵ = 0.2 and a hundred tokens the bound is "
        "198 A: it speaks of short texts, or of small steps."
    ),
)
