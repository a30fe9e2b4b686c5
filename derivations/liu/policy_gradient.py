"""The policy gradient of texts: Appendix A up to the group's mean.

Statement.   ∇E[R] = E[∇log π(o) R(o)], text by text; a token may be charged with the rewards from it on only; a
             baseline that does not depend on the token changes nothing; with a reward at the end only, what is still
             to come is the whole reward at every token.
Source.      Liu et al. (2025), Appendix A, (4), (5) and the lines between (5) and (6).
Domain.      Policies with full support: a state with any number n of next tokens; texts of any length T.
Derivation.  expectation of the reward over texts → its derivative along the logits → token by token, by induction.
Caveats.     Expectations are over texts of the policy itself.
Letters.     R is the reward of a whole text, r(o) that of the next token, B a baseline, a number of each state. π is
             the probability of the next token, ż the rate of its logit along θ. In liu-outcome-reward A is the reward
             of the text, k the token that is charged, j a token from it on and T the length; δ_{T j} is 1 for j = T,
             else 0.
"""

from grpo_symbolic.paper import *

from ..patel.trees import any_length, mean, one_model, text_score, value_slope
from ..patel.trees import score as token_score

claim = Result(__file__).claim

state = Domain(n >= 2, simplex(pi, n), reals(logit_rate, n), level)
charges = one_model.also(reals(r, n))  # rewards of the tokens, any in each state
along = TextSum(r[o], o)


claim(
    "liu-eq5-log-derivative",
    any_length(value_slope, mean(whole_reward * text_score), "texts of any length"),
    one_model,
    kind="unbiasedness",
    depends_on=["pt-policy-gradient-induction"],
    locator="App A, (5), lines 1 and 2",
    title="The gradient of the expected reward by scores of texts",
    printed=(
        r"\nabla_\theta\mathcal J(\pi_\theta)=\underset{q\sim p_{\mathcal Q}}{\mathbb E}\Big[\underset{o\sim\pi_\theta("
        r"\cdot|q)}{\mathbb E}[\nabla_\theta\log\pi_\theta(o|q)R(q,o)]\Big]=\underset{q\sim p_{\mathcal Q}}{\mathbb E}"
        r"\Big[\underset{o\sim\pi_\theta(\cdot|q)}{\mathbb E}\Big[\nabla_\theta\sum_{t=1}^{|o|}\log\pi_"
        r"\theta(o_t|q,o_{<t})R(q,o)\Big]\Big]"
    ),
)

claim(
    "liu-eq5-reward-to-go",
    any_length(TextRate(mean(along)), mean(TextSum(token_score * FromHere(along), o)), "texts of any length"),
    charges,
    kind="unbiasedness",
    depends_on=["pt-policy-gradient-induction", "liu-eq5-log-derivative"],
    locator="App A, (5), line 3",
    title="The gradient of the expected reward by rewards to come",
    printed=(
        r"\nabla_\theta\mathcal J(\pi_\theta)\text{ … }=\underset{q\sim p_{\mathcal Q}}{\mathbb E}\Big[\underset{o\sim"
        r"\pi_\theta(\cdot|q)}{\mathbb E}\Big[\sum_{t=1}^{|o|}\nabla_\theta\log\pi_\theta(o_t|q,o_{<t})"
        r"\sum_{t'=t}^{|o|}r(q,o_{\le t'})\Big]\Big]"
    ),
)

claim(
    "liu-eq5-baseline",
    any_length(TextRate(mean(along)), mean(TextSum(token_score * (FromHere(along) - level), o)), "texts of any length"),
    charges,
    kind="unbiasedness",
    depends_on=["liu-eq5-reward-to-go", "pt-baseline-unbiased"],
    locator="App A, (5), line 4",
    title="The gradient of the expected reward with a baseline of the state",
    printed=(
        r"\nabla_\theta\mathcal J(\pi_\theta)\text{ … }=\underset{q\sim p_{\mathcal Q}}{\mathbb E}\Big[\underset{o\sim"
        r"\pi_\theta(\cdot|q)}{\mathbb E}\Big[\sum_{t=1}^{|o|}\nabla_\theta\log\pi_\theta(o_t|q,o_{<t})\Big("
        r"\sum_{t'=t}^{|o|}r(q,o_{\le t'})-B(q,o_{<t})\Big)\Big]\Big]"
    ),
)

tokens = Answers(n)
claim(
    "liu-baseline-mean-zero",
    Equal(Sum(pi[o] * next_token_score(pi, logit_rate, o, tokens, o_) * level, (o, 1, n)), 0),
    state,
    locator="App A, after (5)",
    title="Expected score times a number B of the state",
    printed=(
        r"\underset{o_t\sim\pi_\theta(\cdot|q,o_{<t})}{\mathbb E}[\nabla_\theta\log\pi_\theta(o_t|q,o_{<t})B(q,o_{<t})]"
        r"\text{ … }=[\nabla_\theta1]B(q,o_{z<t})=0"
    ),
    judged=misprint(
        "The index of the last B is that of the others: o_{<t}, without the z. So in the copy that was read."
    ),
)

claim(
    "liu-outcome-reward",
    Equal(Sum(A * KroneckerDelta(j, T), (j, k, T)), A),
    Domain(T >= 1, k >= 1, k <= T, A),
    locator="App A, before (6)",
    title="Rewards to come of an outcome reward",
    printed=(
        r"\text{In the case of outcome reward, }\sum_{t'=t}^{|o|}r(q,o_{\le t'})=\sum_{t=1}^{|o|}r(q,o_{\le "
        r"t})=R(q,o)"
    ),
    remark="A is the reward of the text, k the token that is charged, T the length.",
)
