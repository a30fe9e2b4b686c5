"""Where the first step of every algorithm points.

Statement.   For each row of the table of algorithms, minus the gradient of its expected loss, π_old held fixed, is at π
             = π_old the step that the row claims.
Source.      Patel (2025), equations (2), (3), (9)–(15), (17), Section 4.9; Vojnovic & Yun (2025), equation (1) for GRPO
             as published.
Domain.      Tabular policies with full support on token trees of one and two tokens; groups of two; ϵ = 1/5, β = 1/4
             where a row has them.
Derivation.  grpo_symbolic.objectives.algorithms holds loss and step of each row; the loss is differentiated, and only
             then π_old = π.
Caveats.     A first step, not the path: off-policy the rows part at once. At π = π_old every ratio is one, inside every
             clip range, so clipping is not felt.
"""

from functools import lru_cache

from sympy import Integer

from grpo_symbolic.notation import direction, policy_0, policy_1, policy_ref
from grpo_symbolic.objectives import TokenTree
from grpo_symbolic.objectives.algorithms import ALGORITHMS, Run
from grpo_symbolic.proof import Domain, Equal, Every, On, Result

from .trees import domain_of, reward, state_baseline

claim = Result(__file__).claim


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


ROWS = {row.claim: row for row in ALGORITHMS}
ALONG = Domain(direction[1])


def first_step(row, rewards=reward):
    """The step that a row claims, on trees of one and of two tokens."""
    return Every(*(on_tree(ROWS[row].loss, ROWS[row].step, rewards, *size) for size in ((2, 1), (2, 2))))


claim(
    "pt-table-sft",
    first_step("pt-table-sft"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of Supervised fine-tuning",
    says=r"-\nabla\,\text{loss}=0\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-reinforce",
    first_step("pt-table-reinforce"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of REINFORCE",
    says=r"-\nabla\,\text{loss}=\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-trpo",
    first_step("pt-table-trpo"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of TRPO, penalty",
    says=r"-\nabla\,\text{loss}=\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-trpo-constraint",
    first_step("pt-table-trpo-constraint"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of TRPO, constraint",
    says=r"-\nabla\,\text{loss}=\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-ppo",
    first_step("pt-table-ppo"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of PPO",
    says=r"-\nabla\,\text{loss}=\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-ppo-kl",
    first_step("pt-table-ppo-kl"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of PPO, divergence in the reward",
    says=r"-\nabla\,\text{loss}=\nabla E_\pi[R]-\beta\nabla KL(\pi\Vert\pi_{\mathrm{ref}})\ \text{of whole texts}"
    r"\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-grpo",
    first_step("pt-table-grpo", verifiable),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of GRPO as published",
    says=r"-\nabla\,\text{loss}=\tfrac1T\big(\nabla E_\pi[R]"
    r"-\beta\,E_{s\sim\pi}\nabla KL(\pi_{\mathrm{ref}}(\cdot\mid s)\Vert\pi(\cdot\mid s))\big)"
    r"\ \text{for }G=2,\ R\in\{0,1\}\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-dr-grpo",
    first_step("pt-table-dr-grpo"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of Dr. GRPO",
    says=r"-\nabla\,\text{loss}=\big(1-\tfrac1G\big)\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-grape",
    first_step("pt-table-grape"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of GRAPE",
    says=r"-\nabla\,\text{loss}=\big(1-\tfrac1G\big)\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-grape-sequence",
    first_step("pt-table-grape-sequence"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of GRAPE, clipped by the text",
    says=r"-\nabla\,\text{loss}=\big(1-\tfrac1G\big)\nabla E_\pi[R]\text{ at }\pi=\pi_{\mathrm{old}}",
)

claim(
    "pt-table-dpo",
    first_step("pt-table-dpo"),
    ALONG,
    depends_on=["pt-policy-gradient-induction"],
    locator="Sec 2–6",
    title="First step of DPO",
    says=r"-\nabla\,\text{loss}=\tfrac\beta2\,\nabla\log\frac{\pi(\vec{text}_w)}{\pi(\vec{text}_l)}"
    r"\text{ at }\pi=\pi_{\mathrm{old}}",
)
