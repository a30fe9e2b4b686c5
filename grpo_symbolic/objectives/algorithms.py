"""The algorithms that post-train language models, side by side: what each weighs, clips, penalises and holds fixed, on
whose samples, and where its first step points.

Every row carries its expected loss on a token tree and the step that the row claims at π = π_old; that the second is
minus the gradient of the first is proved, row by row, in ``derivations/patel/algorithms_table.py``. The page
``docs/reference/algorithms.md`` is generated from the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.notation import Tokens
from grpo_symbolic.objectives.dpo import dpo_loss, text_log_ratio
from grpo_symbolic.objectives.group import GroupLoss, dr_grpo, published_grpo
from grpo_symbolic.objectives.likelihood import text_nll
from grpo_symbolic.objectives.ppo import charged, ppo
from grpo_symbolic.objectives.reinforce import REINFORCE, reinforce
from grpo_symbolic.objectives.sequence import Path, SequencePolicy
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, Weight, state_kl, text_advantage, visited_kl
from grpo_symbolic.objectives.trpo import RATIO_LOSS, trpo_constrained, trpo_penalised


@dataclass(frozen=True)
class Run:
    """What an algorithm is run with: the policy that moves, the one that samples, the reference policy, the reward of
    a text, a baseline of a state, and the direction along which the logits move.
    """

    policy: SequencePolicy
    sampler: SequencePolicy
    reference: SequencePolicy
    reward: Callable[[Path], Any]
    baseline: Callable[[Path], Any]
    direction: Tokens

    def slope(self, expression: sp.Expr) -> sp.Expr:
        """The derivative along the direction, only the policy's probabilities moving."""
        return self.policy.gradient(expression, self.direction)

    def step(self, loss: sp.Expr) -> sp.Expr:
        """Minus the derivative of a loss, and only then π_old = π: what the first step of descent is made of. A
        minimum is differentiated by its cases.
        """
        return -self.slope(loss.rewrite(sp.Min, sp.Piecewise)).xreplace(self.sampler.identified_with(self.policy))

    def reward_slope(self) -> sp.Expr:
        """``∇E_π[R]``."""
        return self.slope(self.policy.value(self.reward))


@dataclass(frozen=True)
class Algorithm:
    """One row: its words for the table, its expected loss, and its step at π = π_old with the claim that proves it.

    ``surrogate`` says what of the policy is weighed and whether it is clipped; None where no single text is weighed.
    """

    key: str
    name: str
    source: str
    advantage: str
    surrogate: Surrogate | None
    divergence: str
    held_fixed: str
    samples: str
    loss: Callable[[Run], sp.Expr]
    step: Callable[[Run], sp.Expr]
    step_latex: str

    @property
    def ratio(self) -> str:
        """What of the policy is weighed."""
        return self.surrogate.ratio.value if self.surrogate else "log-ratio to π_ref of each text of a pair"

    @property
    def clip(self) -> str:
        """Where the ratio is clipped."""
        return "none" if self.surrogate is None or self.surrogate.epsilon is None else "[1 − ϵ, 1 + ϵ]"

    @property
    def claim(self) -> str:
        """The id of the claim that the step is minus the gradient of the loss at π = π_old."""
        return f"pt-table-{self.key}"


EPSILON = sp.Rational(1, 5)  # a clip range for the rows that clip: at π = π_old every ratio is inside any range
BETA = sp.Rational(1, 4)  # the strength β in the rows that penalise
PAIRS = 2  # the group size of the rows that compare within groups


def _advantage(run: Run) -> Weight:
    return text_advantage(run.reward, run.baseline)


def _charged(run: Run) -> Weight:
    return charged(_advantage(run), run.sampler, run.reference, BETA)


def _charged_slope(run: Run) -> sp.Expr:
    return run.reward_slope() - BETA * run.slope(visited_kl(run.policy, run.policy, run.reference))


def _published_step(run: Run) -> sp.Expr:
    """Groups of two and verifiable rewards; the visits of the states are not differentiated."""
    visits = run.policy.tree.states()
    pull = sp.Add(*(run.policy.reaches(s) * run.slope(state_kl(run.reference, run.policy, s)) for s in visits))
    return (run.reward_slope() - BETA * pull) / run.policy.tree.horizon


def _dr_grpo(run: Run) -> sp.Expr:
    return dr_grpo(PAIRS, EPSILON).expected(run.policy, run.sampler, run.reward)


def _shortened(run: Run) -> sp.Expr:
    return (1 - sp.Rational(1, PAIRS)) * run.reward_slope()


def _pair(run: Run) -> tuple[Path, Path]:
    texts = run.policy.tree.texts()
    return texts[0], texts[-1]


def _dpo(run: Run) -> sp.Expr:
    chosen, rejected = (text_log_ratio(run.policy, run.sampler, text) for text in _pair(run))
    return dpo_loss(chosen, rejected, BETA)


def _dpo_step(run: Run) -> sp.Expr:
    chosen, rejected = (run.slope(run.policy.log_probability(text)) for text in _pair(run))
    return BETA / 2 * (chosen - rejected)


_SAMPLER, _FROZEN = "texts of π_old", "π_old, rewards, baseline"
_BASELINE = "R(text) − b(s_t), b any function of the state"
_GROUP = "R(text) − mean of the group"
_REWARD_SLOPE = r"\nabla E_\pi[R]"
_SHORTENED = r"\big(1-\tfrac1G\big)\nabla E_\pi[R]"

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        "sft",
        "Supervised fine-tuning",
        "Patel (2)",
        "1",
        REINFORCE,
        "none",
        "the texts",
        "a data set; in the last column, the model's own texts",
        lambda run: run.sampler.expectation(lambda text: text_nll(run.policy, text)),
        lambda run: sp.S.Zero,
        "0",
    ),
    Algorithm(
        "reinforce",
        "REINFORCE",
        "Patel (3)",
        _BASELINE,
        REINFORCE,
        "none",
        "texts, rewards, baseline",
        "texts of π itself",
        lambda run: reinforce(run.policy, run.sampler, run.reward, run.baseline),
        Run.reward_slope,
        _REWARD_SLOPE,
    ),
    Algorithm(
        "trpo",
        "TRPO, penalty",
        "Patel (9)",
        _BASELINE,
        RATIO_LOSS,
        "KL(π_old‖π) of each visited state, in the loss",
        _FROZEN,
        _SAMPLER,
        lambda run: trpo_penalised(run.policy, run.sampler, _advantage(run), BETA),
        Run.reward_slope,
        _REWARD_SLOPE,
    ),
    Algorithm(
        "trpo-constraint",
        "TRPO, constraint",
        "Patel (10)",
        _BASELINE,
        RATIO_LOSS,
        "KL(π_old‖π) ≤ δ in each state",
        _FROZEN,
        _SAMPLER,
        lambda run: trpo_constrained(run.policy, run.sampler, _advantage(run), BETA).loss,
        Run.reward_slope,
        _REWARD_SLOPE,
    ),
    Algorithm(
        "ppo",
        "PPO",
        "Patel (11)",
        _BASELINE,
        ppo(EPSILON),
        "none",
        _FROZEN,
        _SAMPLER,
        lambda run: ppo(EPSILON).expected(run.policy, run.sampler, _advantage(run)),
        Run.reward_slope,
        _REWARD_SLOPE,
    ),
    Algorithm(
        "ppo-kl",
        "PPO, divergence in the reward",
        "Patel (11), (12)",
        "R(text) − b(s_t) − β × charges from the token on",
        ppo(EPSILON),
        "log(π_old/π_ref) of each token, in the reward: KL(π‖π_ref)",
        "π_old, rewards, charges, baseline",
        _SAMPLER,
        lambda run: ppo(EPSILON).expected(run.policy, run.sampler, _charged(run)),
        _charged_slope,
        r"\nabla E_\pi[R]-\beta\nabla KL(\pi\Vert\pi_{\mathrm{ref}})\ \text{of whole texts}",
    ),
    Algorithm(
        "grpo",
        "GRPO as published",
        "Vojnovic & Yun (1)",
        "(R(text) − mean)/deviation of the group, losses divided by the length",
        ppo(EPSILON),
        "k3 of each token on texts of π_old, in the loss",
        "π_old, rewards",
        "groups of texts of π_old",
        lambda run: published_grpo(PAIRS, EPSILON, BETA).expected(run.policy, run.sampler, run.reward, run.reference),
        _published_step,
        r"\tfrac1T\big(\nabla E_\pi[R]-\beta\,E_{s\sim\pi}"
        r"\nabla KL(\pi_{\mathrm{ref}}(\cdot\mid s)\Vert\pi(\cdot\mid s))\big)\ \text{for }G=2,\ R\in\{0,1\}",
    ),
    Algorithm(
        "dr-grpo",
        "Dr. GRPO",
        "Patel (13), (14)",
        _GROUP,
        ppo(EPSILON),
        "none",
        "π_old, rewards",
        "groups of texts of π_old",
        _dr_grpo,
        _shortened,
        _SHORTENED,
    ),
    Algorithm(
        "grape",
        "GRAPE",
        "Patel (15), (14)",
        "rubric reward (15) − mean of the group",
        ppo(EPSILON),
        "none",
        "π_old, scores, confidences",
        "groups of texts of π_old",
        _dr_grpo,
        _shortened,
        _SHORTENED,
    ),
    Algorithm(
        "grape-sequence",
        "GRAPE, clipped by the text",
        "Patel (17)",
        "rubric reward (15) − mean of the group",
        Surrogate(Ratio.SEQUENCE, EPSILON),
        "none",
        "π_old, scores, confidences",
        "groups of texts of π_old",
        lambda run: GroupLoss(PAIRS, surrogate=Surrogate(Ratio.SEQUENCE, EPSILON)).expected(
            run.policy, run.sampler, run.reward
        ),
        _shortened,
        _SHORTENED,
    ),
    Algorithm(
        "dpo",
        "DPO",
        "Patel, Section 4.9",
        "1 for the winning text, −1 for the losing one",
        None,
        "KL(π‖π_ref), by the form of the reward",
        "π_ref, the pairs",
        "a set of preferred pairs; in the last column, π = π_ref",
        _dpo,
        _dpo_step,
        r"\tfrac\beta2\,\nabla\log\frac{\pi(\vec{text}_w)}{\pi(\vec{text}_l)}",
    ),
)
