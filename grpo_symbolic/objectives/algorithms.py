"""The algorithms that post-train language models, side by side: what each weighs, clips, penalises and holds fixed, on
whose samples, where its first step points, and where it comes to rest.

Every row carries its expected loss on a token tree and the step that the row claims at π = π_old; both speak of any
clip range ϵ and strength β. That the second is minus the gradient of the first is proved, row by row and for texts of
any length over any vocabulary, in ``derivations/patel/algorithms_table.py``. The page
``docs/reference/algorithms.md`` is generated from the rows.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, replace

import sympy as sp

from grpo_symbolic.notation import Tokens, beta, epsilon
from grpo_symbolic.objectives.dpo import dpo_loss, text_log_ratio
from grpo_symbolic.objectives.grape import Graded, PerItem
from grpo_symbolic.objectives.group import GroupLoss, dr_grpo, published_grpo
from grpo_symbolic.objectives.likelihood import text_nll
from grpo_symbolic.objectives.policy_gradient import (
    RATIO_LOSS,
    REINFORCE,
    charged,
    ppo,
    reinforce,
    trpo_penalised,
)
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, Weight, text_advantage, visited_kl
from grpo_symbolic.scalars import Scalar


@dataclass(frozen=True)
class Run:
    """What an algorithm is run with: the policy that moves, the one that samples, the reference policy, the reward of
    a text, a baseline of a state, and the direction along which the logits move; for GRAPE the grades of the texts and
    the mean confidences φ̄, which are held fixed.
    """

    policy: SequencePolicy
    sampler: SequencePolicy
    reference: SequencePolicy
    reward: Callable[[Path], Scalar]
    baseline: Callable[[Path], Scalar]
    direction: Tokens
    graded: Graded
    confidence: PerItem

    def slope(self, expression: sp.Expr) -> sp.Expr:
        """The derivative along the direction, only the policy's probabilities moving."""
        return self.policy.gradient(expression, self.direction)

    def step(self, loss: sp.Expr) -> sp.Expr:
        """Minus the derivative of a loss, and only then π_old = π: what the first step of descent is made of. A
        minimum is differentiated by its cases, and which of them hold is left open.
        """
        cases = {m: sp.piecewise_fold(m).rewrite(sp.Min, sp.Piecewise) for m in loss.atoms(sp.Min)}
        return -self.slope(loss.xreplace(cases)).xreplace(self.sampler.identified_with(self.policy))

    def reward_slope(self) -> sp.Expr:
        """``∇E_π[R]``."""
        return self.slope(self.policy.value(self.reward))

    def rubric_reward(self, text: Path) -> sp.Expr:
        """Equation (15) for a text, φ̄ held fixed."""
        return self.graded.reward(text, self.confidence)


ANY_TEXTS = "any vocabulary, texts of any lengths, every ϵ and β"


@dataclass(frozen=True)
class Algorithm:
    """One row: its words for the table, its expected loss, and its step at π = π_old.

    ``surrogate`` is what of the policy is weighed and whether it is clipped; None where no single text is weighed.
    ``penalty_gradient`` is that of the divergence at π = π_old, ``rest`` where the first step is zero, ``proved_for``
    for which texts, groups and rewards the step is proved.
    """

    key: str
    name: str
    source: str
    advantage: str
    surrogate: Surrogate | None
    normalisation: str
    divergence: str
    penalty_gradient: str
    held_fixed: str
    samples: str
    off_policy: str
    loss: Callable[[Run], sp.Expr]
    step: Callable[[Run], sp.Expr]
    step_latex: str
    bias: str
    rest: str
    proved_for: str = ANY_TEXTS

    @property
    def ratio(self) -> str:
        """What of the policy is weighed."""
        return self.surrogate.ratio.value if self.surrogate else "log-ratio to π_ref of each text of a pair"

    @property
    def clip(self) -> str:
        """Where the ratio is clipped."""
        return "[1 − ϵ, 1 + ϵ]" if self._clipped else "none"

    @property
    def stops(self) -> str:
        """Which ratios no longer move the loss."""
        return "A > 0: those above 1 + ϵ; A < 0: those below 1 − ϵ" if self._clipped else "none"

    @property
    def _clipped(self) -> bool:
        return self.surrogate is not None and self.surrogate.epsilon is not None


PAIRS = 2  # the size of the groups that are enumerated on trees
PUBLISHED = published_grpo(PAIRS, epsilon, beta)
BY_TEXT = GroupLoss(PAIRS, surrogate=Surrogate(Ratio.SEQUENCE, epsilon))


def _advantage(run: Run) -> Weight:
    return text_advantage(run.reward, run.baseline)


def _charged(run: Run) -> Weight:
    return charged(_advantage(run), run.sampler, run.reference, beta)


def _charged_slope(run: Run) -> sp.Expr:
    return run.reward_slope() - beta * run.slope(visited_kl(run.policy, run.policy, run.reference))


def _published_step(run: Run) -> sp.Expr:
    """Groups of two and verifiable rewards."""
    policy = run.policy

    def k3_gradient(text: Path) -> sp.Expr:
        parts = (
            (1 - run.reference.probability(a, s) / policy.probability(a, s)) * policy.score(a, s, run.direction)
            for a, s in steps(text)
        )
        return sp.Add(*parts) / len(text)

    by_length = run.slope(policy.value(lambda text: sp.sympify(run.reward(text)) / len(text)))
    of_length = policy.value(run.reward) * run.slope(policy.value(lambda text: sp.Rational(1, len(text))))
    return by_length - of_length - beta * policy.expectation(k3_gradient)


def _shortened(run: Run) -> sp.Expr:
    return (1 - sp.Rational(1, PAIRS)) * run.reward_slope()


def _rubric_shortened(run: Run) -> sp.Expr:
    return (1 - sp.Rational(1, PAIRS)) * run.slope(run.policy.value(run.rubric_reward))


def _pair(run: Run) -> tuple[Path, Path]:
    texts = run.policy.tree.texts()
    return texts[0], texts[-1]


def _dpo(run: Run) -> sp.Expr:
    chosen, rejected = (text_log_ratio(run.policy, run.sampler, text) for text in _pair(run))
    return dpo_loss(chosen, rejected, beta)


def _dpo_step(run: Run) -> sp.Expr:
    chosen, rejected = (run.slope(run.policy.log_probability(text)) for text in _pair(run))
    return beta / 2 * (chosen - rejected)


_SAMPLER, _FROZEN = "texts of π_old", "π_old, rewards, baseline"
_BASELINE = "R(text) − b(s_t), b any function of the state"
_GROUP, _RUBRIC = "R(text) − mean of the group", "rubric reward (15) − mean of the group"
_TEXTS = "mean over texts of the sum over tokens"
_GROUPS = "mean over the group of the sum over tokens"
_NONE = "none"
_BY_TOKEN = "A ρ(a_t) ∇log π(a_t): each token's own ratio, none for the tokens before it"
_CLIPPED = _BY_TOKEN + "; 0 where the clip stops"
_REWARD_SLOPE = r"\nabla E_\pi[R]"
_SHORTENED = r"\big(1-\tfrac1G\big)\nabla E_\pi[R]"
_NO_REST = "none with full support, unless in every state all next tokens are worth the same"
_UNBIASED, _SHORT = "1", "1 − 1/G"
_ANY_GROUP = ANY_TEXTS + ", any G ≥ 2"

_GRAPE = Algorithm(
    key="grape",
    name="GRAPE",
    source="Patel (15), (14)",
    advantage=_RUBRIC,
    surrogate=ppo(epsilon),
    normalisation=_GROUPS,
    divergence=_NONE,
    penalty_gradient=_NONE,
    held_fixed="π_old, scores, mean confidences φ̄",
    samples="groups of texts of π_old",
    off_policy=_CLIPPED,
    loss=lambda run: dr_grpo(PAIRS, epsilon).expected(run.policy, run.sampler, run.rubric_reward),
    step=_rubric_shortened,
    step_latex=_SHORTENED,
    bias="1 − 1/G if φ̄ is not of the group itself; if it is, the step can point the other way",
    rest=_NO_REST,
    proved_for=_ANY_GROUP + ", two rubric items or any reward of a text",
)

ALGORITHMS: tuple[Algorithm, ...] = (
    Algorithm(
        key="sft",
        name="Supervised fine-tuning",
        source="Patel (2)",
        advantage="1",
        surrogate=REINFORCE,
        normalisation=_TEXTS,
        divergence=_NONE,
        penalty_gradient=_NONE,
        held_fixed="the texts",
        samples="a data set; for the step, the model's own texts",
        off_policy="∇log π(a_t), whoever wrote the text",
        loss=lambda run: run.sampler.expectation(lambda text: text_nll(run.policy, text)),
        step=lambda run: sp.S.Zero,
        step_latex="0",
        bias="0 on its own texts",
        rest="on its own texts every policy; on a data set its frequencies",
    ),
    Algorithm(
        key="reinforce",
        name="REINFORCE",
        source="Patel (3)",
        advantage=_BASELINE,
        surrogate=REINFORCE,
        normalisation=_TEXTS,
        divergence=_NONE,
        penalty_gradient=_NONE,
        held_fixed="texts, rewards, baseline",
        samples="texts of π itself",
        off_policy="A ∇log π(a_t), as if the texts were those of π",
        loss=lambda run: reinforce(run.policy, run.sampler, run.reward, run.baseline),
        step=Run.reward_slope,
        step_latex=_REWARD_SLOPE,
        bias=_UNBIASED,
        rest=_NO_REST,
    ),
    Algorithm(
        key="trpo",
        name="TRPO, penalty",
        source="Patel (9)",
        advantage=_BASELINE,
        surrogate=RATIO_LOSS,
        normalisation=_TEXTS,
        divergence="KL(π_old‖π) of each visited state, in the loss",
        penalty_gradient="0",
        held_fixed=_FROZEN,
        samples=_SAMPLER,
        off_policy=_BY_TOKEN + "; β ∇log π(a_t) beside it",
        loss=lambda run: trpo_penalised(run.policy, run.sampler, _advantage(run), beta),
        step=Run.reward_slope,
        step_latex=_REWARD_SLOPE,
        bias=_UNBIASED,
        rest=_NO_REST,
    ),
    Algorithm(
        key="trpo-constraint",
        name="TRPO, constraint",
        source="Patel (10)",
        advantage=_BASELINE,
        surrogate=RATIO_LOSS,
        normalisation=_TEXTS,
        divergence="KL(π_old‖π) ≤ δ in each state",
        penalty_gradient="0; the bound turns the step into F⁻¹∇E[R]: every logit moves with its advantage",
        held_fixed=_FROZEN,
        samples=_SAMPLER,
        off_policy=_BY_TOKEN,
        loss=lambda run: RATIO_LOSS.expected(run.policy, run.sampler, _advantage(run)),  # to be held to the bounds
        step=Run.reward_slope,
        step_latex=_REWARD_SLOPE,
        bias="1, before the constraint",
        rest=_NO_REST,
    ),
    Algorithm(
        key="ppo",
        name="PPO",
        source="Patel (11)",
        advantage=_BASELINE,
        surrogate=ppo(epsilon),
        normalisation=_TEXTS,
        divergence=_NONE,
        penalty_gradient=_NONE,
        held_fixed=_FROZEN,
        samples=_SAMPLER,
        off_policy=_CLIPPED,
        loss=lambda run: ppo(epsilon).expected(run.policy, run.sampler, _advantage(run)),
        step=Run.reward_slope,
        step_latex=_REWARD_SLOPE,
        bias=_UNBIASED,
        rest=_NO_REST,
    ),
    Algorithm(
        key="ppo-kl",
        name="PPO, divergence in the reward",
        source="Patel (11), (12)",
        advantage="R(text) − b(s_t) − β × charges from the token on",
        surrogate=ppo(epsilon),
        normalisation=_TEXTS,
        divergence="log(π_old/π_ref) of each token, in the reward",
        penalty_gradient="∇KL(π‖π_ref) of whole texts",
        held_fixed="π_old, rewards, charges, baseline",
        samples=_SAMPLER,
        off_policy=_CLIPPED + "; the charges stay those of π_old",
        loss=lambda run: ppo(epsilon).expected(run.policy, run.sampler, _charged(run)),
        step=_charged_slope,
        step_latex=r"\nabla E_\pi[R]-\beta\nabla KL(\pi\Vert\pi_{\mathrm{ref}})\ \text{of whole texts}",
        bias=_UNBIASED,
        rest="π_ref e^{R/β}/Z",
    ),
    Algorithm(
        key="grpo",
        name="GRPO as published",
        source="Shao and others (2024); of whole outputs Vojnovic & Yun (1)",
        advantage="(R(text) − mean)/deviation of the group",
        surrogate=PUBLISHED.surrogate,
        normalisation="mean over the group of the mean over tokens",
        divergence="k3 of each token on texts of π_old, in the loss",
        penalty_gradient="E[(1/|o|) Σ_t (1 − π_ref/π) ∇log π(a_t)]; for texts of one length ∇KL(π_ref‖π) of the "
        "states, over T",
        held_fixed="π_old, rewards",
        samples="groups of texts of π_old",
        off_policy=_CLIPPED + "; k3 without a ratio",
        loss=lambda run: PUBLISHED.expected(run.policy, run.sampler, run.reward, run.reference),
        step=_published_step,
        step_latex=r"\nabla E_\pi\big[\tfrac R{|o|}\big]-E_\pi[R]\,\nabla E_\pi\big[\tfrac1{|o|}\big]-\beta v"
        r"\text{ with }v=E_\pi\big[\tfrac1{|o|}\textstyle\sum_t\big(1-\tfrac{\pi_{\mathrm{ref}}}{\pi}\big)"
        r"\nabla\log\pi(a_t)\big]",
        bias="1/T for G = 2, √2/T for G = 3 where all texts have T tokens; else a gradient of the length beside it. "
        "G ≥ 4: a factor that depends on the success",
        rest="one token, R ∈ {0, 1}: exactly one policy that gives up no answer, for any G and any finite number of "
        "answers; two answers, G = 2: (14)",
        proved_for=ANY_TEXTS + ", G = 2 (and 3, with the factor √2 on the reward's part), R ∈ {0, 1}",
    ),
    Algorithm(
        key="dr-grpo",
        name="Dr. GRPO",
        source="Patel (13), (14)",
        advantage=_GROUP,
        surrogate=ppo(epsilon),
        normalisation=_GROUPS,
        divergence=_NONE,
        penalty_gradient=_NONE,
        held_fixed="π_old, rewards",
        samples="groups of texts of π_old",
        off_policy=_CLIPPED,
        loss=lambda run: dr_grpo(PAIRS, epsilon).expected(run.policy, run.sampler, run.reward),
        step=_shortened,
        step_latex=_SHORTENED,
        bias=_SHORT,
        rest=_NO_REST,
        proved_for=_ANY_GROUP,
    ),
    _GRAPE,
    replace(
        _GRAPE,
        key="grape-sequence",
        name="GRAPE, clipped by the text",
        source="Patel (15), (17)",
        surrogate=BY_TEXT.surrogate,
        normalisation="mean over the group",
        off_policy="A ρ(text) ∇log π(text), the weight of importance sampling; 0 where the clip stops",
        loss=lambda run: BY_TEXT.expected(run.policy, run.sampler, run.rubric_reward),
        bias="1 − 1/G if φ̄ is not of the group itself",
        proved_for=_ANY_GROUP + ", any reward of a text",
    ),
    Algorithm(
        key="dpo",
        name="DPO",
        source="Patel, Section 4.9",
        advantage="1 for the winning text, −1 for the losing one",
        surrogate=None,
        normalisation="mean over pairs of the difference of sums over tokens",
        divergence="KL(π‖π_ref), by the form of the reward",
        penalty_gradient="none of its own: the loss sees π_ref through the two log-ratios h only",
        held_fixed="π_ref, the pairs",
        samples="a set of preferred pairs; for the step, π = π_ref",
        off_policy="β σ(β h_l − β h_w) ∇log(π(w)/π(l)), whoever wrote the texts",
        loss=_dpo,
        step=_dpo_step,
        step_latex=r"\tfrac\beta2\,\nabla\log\frac{\pi(\vec{text}_w)}{\pi(\vec{text}_l)}",
        bias="no reward: β/2 on the pair's log-odds",
        rest="on a pair: the log-odds of π_ref, moved by the logit of the preference over β",
        proved_for=ANY_TEXTS + ", one pair",
    ),
)
