"""Where the first step of every algorithm points.

Statement.   For each row of the table of algorithms, minus the gradient of its expected loss, π_old held fixed, is at π = π_old the step that the row claims.
Source.      Patel (2025), equations (2), (3), (9)–(15), (17), Section 4.9; Vojnovic & Yun (2025), equation (1) for GRPO as published.
Domain.      Tabular policies with full support on token trees of one and two tokens; groups of two; ϵ = 1/5, β = 1/4 where a row has them.
Derivation.  grpo_symbolic.objectives.algorithms holds loss and step of each row; the loss is differentiated, and only then π_old = π.
Caveats.     A first step, not the path: off-policy the rows part at once. At π = π_old every ratio is one, inside every clip range, so clipping is not felt.
"""

from functools import lru_cache

from grpo_symbolic.derivations.patel.trees import domain_of, reward, state_baseline
from sympy import Integer

from grpo_symbolic.notation import direction, policy_0, policy_1, policy_ref
from grpo_symbolic.objectives import TokenTree
from grpo_symbolic.objectives.algorithms import ALGORITHMS, Run
from grpo_symbolic.proof import Domain, Equal, Every, On, claim


def verifiable(text):
    """One text is right, all others wrong."""
    return Integer(all(token == 1 for token in text))


@lru_cache  # rows with one loss share its derivative
def on_tree(loss, step, rewards, tokens, horizon):
    """Loss and step on one tree."""
    tree = TokenTree(tokens, horizon)
    policy, sampler, reference = (tree.policy(symbols) for symbols in (policy_1, policy_0, policy_ref))
    run = Run(policy, sampler, reference, rewards, state_baseline, direction)
    equation = Equal(run.step(loss(run)), step(run), label=f"{horizon} token{'s' * (horizon > 1)} out of {tokens}")
    spoken = {str(s).split("_")[0] for s in equation.expression.free_symbols}
    return On(domain_of(equation, *(m for m in (policy, reference) if m.symbols.name in spoken)), equation)


for row in ALGORITHMS:
    rewards = verifiable if row.key == "grpo" else reward
    claim(
        row.claim, Every(tuple(on_tree(row.loss, row.step, rewards, *size) for size in ((2, 1), (2, 2)))), Domain(direction[1]), depends_on=["pt-policy-gradient-induction"],
        locator="Sec 2–6", title=f"First step of {row.name}", says=rf"-\nabla\,\text{{loss}}={row.step_latex}\text{{ at }}\pi=\pi_{{\mathrm{{old}}}}",
    )  # fmt: skip
