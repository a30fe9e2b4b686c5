"""The token trees on which claims about sequences are enumerated, and the domain of what is said about them.

A claim about texts of any length is shown for these trees as an exact identity and for any vocabulary and length by an
induction step over one more token (``pt-policy-gradient-induction``); neither stands in for the other.
"""

from sympy import Expr

from grpo_symbolic.notation import baseline, policy_0, policy_1, text_reward
from grpo_symbolic.objectives import SequencePolicy, TokenTree
from grpo_symbolic.proof import Domain, Every, On
from grpo_symbolic.proof.statement import Statement, with_field

SIZES = ((2, 1), (2, 2), (2, 3), (3, 2))  # tokens, horizon


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
        return Every(tuple(_named(part, tokens, horizon) for part in statement.statements))
    label = f"{statement.label}: {tokens} tokens, texts of {horizon}"
    return with_field(statement, "label", label)


def on_trees(build, sizes=SIZES, also=()):
    """``build(new, old)`` gives a statement for the policies M_1, M_0 of a tree; here for each of the trees, on its own
    domain, and named after the tree.
    """
    found = []
    for size in sizes:
        new, old = policies(*size)
        statement = _named(build(new, old), *size)
        spoken = {str(s).split("_")[0] for s in statement.expression.free_symbols}
        models = [m for m in (new, old) if m.symbols.name in spoken]
        found.append(On(domain_of(statement, *models, also=also), statement))
    return tuple(found)
