"""Texts: those of any length over any vocabulary, and the token trees on which the losses of the library are
enumerated.

What a claim says of texts of every length is concluded by induction over the tokens. On trees stand examples of what
fails, and what no sentence says of every length; the library's own losses are held against trees in
algorithms_table.py.
"""

from dataclasses import replace

from grpo_symbolic.paper import *
from grpo_symbolic.proof.statements.statement import Statement

# -- texts of any length ----------------------------------------------------------------------------------------------
# π is the model M_1, which moves as its logits do, and π_old the model M_0, which stays; B is a baseline of each state.
score = next_token_score(pi, logit_rate, o, Answers(n), o_)
texts = Texts(o, o_, n, ends=(whole_reward,), own=(level,), rates=((pi, pi[o] * score),))
one_model = Domain(n >= 2, simplex(pi, n), reals(logit_rate, n), level, whole_reward)
two_models = one_model.also(simplex(old, n))

# N independent draws of the true law, or of a model of it.
draws = Texts(o, o_, n, fixed=(world, model, datum), called="samples")
several_samples = Texts(o, o_, n, called="collections")  # each of them of any probability π
count = TextSum(1, o)  # T


# Means over the texts of M_1 and M_0, and what recurs in them.
def mean(number, law=pi):
    """``E[number]`` over the texts that a law writes; those of M_1 unless it is said."""
    return TextMean(number, law)


def next_token_kl(law, other):
    """``KL(law ‖ other)`` of the next token at a state."""
    return Sum(law[o_] * log(law[o_] / other[o_]), (o_, 1, n))


text_charge = TextSum(log(pi[o] / old[o]), o)  # Σ_t log(π_1/π_0)
text_score = TextSum(score, o)  # Σ_t ∇log π_1
text_ratio = TextProduct(pi[o] / old[o], o)  # π_1(text)/π_0(text)
value_slope = TextRate(mean(whole_reward))  # ∇E[R]


def exact_advantage(law):
    """``Q(s_t, a_t) − V(s_t)`` of a model."""
    return Ahead(mean(whole_reward, law)) - Here(mean(whole_reward, law))


def at_states(left, right, label):
    """``left`` = ``right`` at every state of every text, by what the means are after one more token."""
    return AtStates(left, right, texts, label).by(OneMoreToken(onward=(onward, onward_2)))


def group_step_is(factor, label, weight=1):
    """That the expected step ``E[1/G Σ_i (R_i − mean R) ∇log π(text_i)]`` of a group of texts of M_1, times ``weight``,
    is ``factor`` times the gradient of the expected reward.
    """
    return any_length(
        mean(weight * GroupCentred(whole_reward, text_score, G)),
        factor * value_slope,
        label,
        beside=((mean(text_score), 0),),
    )


def any_length(left, right, label, along=texts, at=(), **also):
    """``left`` = ``right`` for texts of any length over any vocabulary, by induction over the tokens; ``at`` is what is
    held fixed while gradients are taken, with its value.
    """
    names = {"onward": (onward, onward_2, onward_3, onward_4), "rates": (onward_rate, onward_rate_2), "rest": (u, v, t)}
    return OnTexts(left, right, along, label, at).by(OverTokens(**(names | also)))


# -- token trees -----------------------------------------------------------------------------------------------------


def reward(text: tuple[int, ...]) -> Expr:
    """R(text)."""
    return text_reward[text]


def state_baseline(state: tuple[int, ...]) -> Expr:
    """Any function of the tokens so far."""
    return baseline[state]


def policies(tokens: int, horizon: int) -> tuple[SequencePolicy, SequencePolicy]:
    """M_1 and M_0 on the tree with so many tokens and this horizon."""
    tree = TokenTree(tokens, horizon)
    return tree.policy(policy_1), tree.policy(policy_0)


def domain_of(statement, *models: SequencePolicy, also=()) -> Domain:
    """Every probability of these policies positive and below one, the constraints ``also``; everything else real."""
    return Domain(*(c for model in models for c in model.constraints()), *also, *statement.expression.free_symbols)


def _named(statement: Statement, tokens: int, horizon: int) -> Statement:
    """The statement with the size of its tree in its label, or in those of its parts."""
    if isinstance(statement, Every):
        return Every(*(_named(part, tokens, horizon) for part in statement.statements))
    size = f"{tokens} tokens, texts of length {horizon}"
    named = statement.label != type(statement).label
    return replace(statement, label=f"{statement.label} ({size})" if named else size)


def on_trees(build, sizes):
    """``build(new, old)`` gives a statement for the policies M_1, M_0 of a tree; here for each of the trees, given by
    tokens and horizon, on its own domain, and named after the tree.
    """
    found = []
    for size in sizes:
        new, old = policies(*size)
        statement = _named(build(new, old), *size)
        spoken = {str(s).split("_")[0] for s in statement.expression.free_symbols}
        models = [m for m in (new, old) if m.symbols.name in spoken]
        found.append(On(domain_of(statement, *models), statement))
    return tuple(found)
