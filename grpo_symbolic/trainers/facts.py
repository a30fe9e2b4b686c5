"""What is known of a setting: warnings, where a run goes, and what is open, with the ids of the claims that prove it.

A table for each kind. A row has the condition under which it applies; its claims are cited only if a result file
registers them, so that no id is named that does not exist.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from enum import StrEnum

from grpo_symbolic import setting as st
from grpo_symbolic.trainers.options import Note

__all__ = ["FACTS", "Fact", "Kind", "facts"]


class Kind(StrEnum):
    """Which part of a page a fact belongs to."""

    WARNING = "warning"
    KNOWN = "known"
    OPEN = "open"


@dataclass(frozen=True)
class Fact:
    """A sentence, where it applies, and the claims that prove it (none: there is no proof of it)."""

    applies: Callable[[st.Setting], bool]
    text: str
    claims: tuple[str, ...] = ()


def facts(of: st.Setting, kind: Kind, known: Iterable[str]) -> list[Note]:
    """The sentences of a kind that apply to a setting; of their claims, those among the ``known`` ids. What would be
    known by claims that nobody has registered is not known.
    """
    ids = frozenset(known)
    notes = []
    for fact in FACTS[kind]:
        if fact.applies(of):
            cited = tuple(c for c in fact.claims if c in ids)
            if cited or kind is not Kind.KNOWN:
                notes.append(Note(fact.text, cited))
    return notes


def _in_loss(of: st.Setting, *estimators: st.Estimator) -> bool:
    return of.penalty is not None and of.penalty.place is st.Place.LOSS and of.penalty.estimator in estimators


def _charged(of: st.Setting, *estimators: st.Estimator) -> bool:
    return of.penalty is not None and of.penalty.place is not st.Place.LOSS and of.penalty.estimator in estimators


def _weighed(of: st.Setting, *weights: st.PenaltyWeight) -> bool:
    return of.penalty is not None and of.penalty.weight in weights


def _clipped(of: st.Setting) -> bool:
    return isinstance(of.clip, st.RatioClip | st.LogClip)


def _scaled(of: st.Setting, population: st.Population = st.Population.GROUP) -> bool:
    scale = of.advantages.scale
    return scale is not None and scale.of is population and of.advantages.pass_at_k is None


def _sample_eps(of: st.Setting) -> bool:
    """What trainers use: the group's mean, its sample deviation and ε beside it, nothing over the batch."""
    scale, how = of.advantages.scale, of.advantages
    plain = how.baseline is st.Baseline.GROUP_MEAN and how.whitening is None and how.pass_at_k is None
    return plain and scale is not None and scale.of is st.Population.GROUP and scale.sample and scale.eps > 0


def _plain_group(of: st.Setting) -> bool:
    how = of.advantages
    own = how.scale is None or how.scale.of is st.Population.GROUP
    return how.balanced and own and how.whitening is None and how.pass_at_k is None


def _sums_to_zero(of: st.Setting) -> bool:
    return st.cancels(of) and of.sampler_weight is None


def _delta_inside(of: st.Setting) -> bool:
    clip = of.clip
    if not isinstance(clip, st.RatioClip) or clip.delta is None or clip.eps_high is None:
        return False
    return float(clip.delta) < 1 + float(clip.eps_high)


def _beside_reward(of: st.Setting) -> bool:
    return of.penalty is not None and of.penalty.place is not st.Place.REWARD


def _cap_below_one(of: st.Setting) -> bool:
    return isinstance(of.clip, st.CappedWeight) and of.clip.cap is not None and of.clip.cap < 1


_WARNINGS = (
    # The loss that is printed, and its lengths.
    Fact(
        lambda s: s.aggregation.over is st.Over.TEXT_MEAN and _sums_to_zero(s),
        "The policy's part of the loss is 0 at every step, up to rounding, whatever is learnt: watch the reward.",
        ("tr-zero-loss",),
    ),
    Fact(
        lambda s: s.aggregation.over in (st.Over.BATCH_TOKENS, st.Over.CONSTANT) and _sums_to_zero(s),
        "The loss at ratio 1 measures how advantage and length go together, not how much is learnt.",
        ("tr-loss-token-mean",),
    ),
    Fact(
        lambda s: s.aggregation.over is st.Over.TEXT_MEAN and s.ratio is not st.Ratio.TEXT,
        "1/|o| is a length bias: of equally rewarded texts it favours short right and long wrong ones, and from three "
        "texts on its step need not be the gradient of a function.",
        ("tr-step-length-bias", "tr-step-aggregations"),
    ),
    Fact(
        lambda s: s.aggregation.over is st.Over.PROMPT_TOKENS,
        "A token mean for each prompt is not the mean over texts: long texts of a prompt outvote short ones.",
        ("tr-token-mean-per-prompt",),
    ),
    Fact(
        lambda s: s.aggregation.over is st.Over.BATCH_TOKENS,
        "A token mean divides by a length that moves with the policy: of a large batch the step is a policy gradient "
        "with a learning rate that moves.",
        ("tr-step-aggregations", "tr-step-climbs"),
    ),
    Fact(
        lambda s: s.aggregation.micro_batch,
        "The tokens counted are those of a micro-batch: the same texts in other micro-batches give another step.",
    ),
    # The clip.
    Fact(
        lambda s: _clipped(s) and s.updates == 1 and not _delta_inside(s),
        "With one optimiser step on each batch the ratio is 1: the clip cannot bind, and its share is 0 (as for one "
        "process, and while the samples are fresh).",
        ("tr-clip-first-step", "by-clip-near"),
    ),
    Fact(
        lambda s: _clipped(s) and s.updates > 1 and s.penalty is not None,
        "Several steps on one batch can rest, clipped, at a policy that is not stationary; short ones cannot.",
        ("by-clip-inner-loop", "by-clip-short-steps"),
    ),
    Fact(
        _delta_inside,
        "delta lies below 1 + eps_high, so it caps right texts before the clip does; from 1 + eps_high on it is the "
        "dual clip.",
        ("tr-clip-delta",),
    ),
    Fact(
        lambda s: isinstance(s.clip, st.RatioClip) and s.clip.delta is not None and s.clip.delta < 1,
        "delta lies below 1, so already at ratio 1 right texts have no gradient: only wrong ones are learnt from.",
    ),
    Fact(
        _cap_below_one,
        "The cap lies below 1, so every weight at ratio 1 is cut to the cap: that only scales the learning rate.",
        ("tr-cispo",),
    ),
    Fact(
        lambda s: s.ratio in (st.Ratio.ROOT, st.Ratio.ROOT_TOKEN),
        "The ratio of a text is the |o|-th root, as in GSPO: clipping it at 1 ± ε allows texts to move by (1 ± ε)^|o|.",
        ("tr-gspo-long-texts", "tr-gspo-weight"),
    ),
    # The divergence.
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.NOWHERE,
        "k1 in the loss has no gradient in expectation: it holds nothing on-policy, and off-policy it is unbounded "
        "below.",
        ("by-div-loss-gradients", "by-div-k1-unbounded"),
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.FORWARD,
        "k3 in the loss has the value of KL(π‖π_ref), but the gradient of KL(π_ref‖π).",
        ("by-div-loss-gradients", "by-div-values"),
    ),
    Fact(
        lambda s: _weighed(s, st.PenaltyWeight.RATIO) and _in_loss(s, st.Estimator.K3) and s.ratio is st.Ratio.ROOT,
        "k3 weighed by GSPO's ratio has the gradient of a mixture of both divergences, not of KL(π‖π_ref).",
        ("tr-k3-text-ratio",),
    ),
    Fact(
        lambda s: _charged(s, st.Estimator.K3),
        "k3 in the reward has the gradient of a difference of two divergences: with two answers in groups of two the "
        "flow from a reference of ½ or more goes to 1, whatever β is.",
        ("by-div-reward-gradients", "by-div-k3-reward-pull", "by-div-k3-reward-runs-away"),
    ),
    Fact(
        lambda s: _charged(s, st.Estimator.K2),
        "k2 in the reward does not hold the policy at the reference: of two answers it pushes one that has fallen "
        "below a reference under ½ further down.",
        ("by-div-reward-gradients", "by-div-k2-reward-pull"),
    ),
    Fact(
        lambda s: s.penalty is not None and s.penalty.credit is st.Credit.TOKEN,
        "A token that is charged for itself alone does not pay for what follows it.",
        ("pt-kl-to-go",),
    ),
    Fact(
        lambda s: s.penalty is not None and s.penalty.bounds[1] is not None and _in_loss(s, st.Estimator.K3),
        "Where the clamp of k3 is felt its gradient is 0: a token that has fallen far below the reference is let go.",
        ("by-div-clamp",),
    ),
    # Advantages.
    Fact(
        lambda s: s.advantages.of_group and not s.dynamic_sampling and s.penalty is None,
        "Groups whose rewards are all equal carry no signal; how many do is known for every group size.",
        ("tr-kept-share", "tr-kept-size", "vy-s1-convention-00"),
    ),
    Fact(
        lambda s: s.advantages.of_group and not s.dynamic_sampling and _beside_reward(s),
        "In groups whose rewards are all equal only the divergence moves the policy, back to the reference; how many "
        "they are is known for every group size.",
        ("tr-kept-share", "tr-kept-size", "vy-s1-convention-00"),
    ),
    Fact(
        lambda s: s.advantages.of_group and not s.dynamic_sampling and s.penalty is not None and not _beside_reward(s),
        "The divergence is charged before the group is normalised: where all its rewards are equal, it alone makes the "
        "advantages.",
    ),
    Fact(
        lambda s: _scaled(s, st.Population.OTHERS),
        "The deviation of the other texts vanishes where one text stands alone: its advantage is then "
        "left undivided, or explodes.",
        ("tr-leave-one-out-deviation",),
    ),
    Fact(
        _scaled,
        "Dividing by the deviation weighs hard and easy prompts up, by at most G/√(G − 1).",
        ("tr-weight-difficulty", "tr-weight-climbed"),
    ),
    Fact(
        lambda s: s.dynamic_sampling and st.penalty_gradient(s) is st.PenaltyGradient.FORWARD,
        "Dynamic sampling drops prompts from the divergence too: the run rests where a smaller β would.",
        ("tr-kept-penalty",),
    ),
    Fact(
        lambda s: s.penalty is None,
        "Without a divergence nothing brings diversity back: of two right answers the likelier grows faster, and of "
        "one right and one wrong answer the entropy falls from a pass rate of ½ on.",
        ("tr-ties-winner", "tr-ties-conserved", "tr-entropy-rate"),
    ),
    # The sampler.
    Fact(
        lambda s: s.sampler_weight is not None and s.sampler_weight.upper is not None,
        "Bounded importance weights are biased: what the engine draws too seldom counts less, or not at all.",
        ("tr-sampler-weights", "tr-sampler-bounds"),
    ),
)
_KNOWN = (  # where it goes
    Fact(
        lambda s: s.penalty is None and _plain_group(s),
        "Two answers of one token with rewards 1 and 0: success goes to 1, and its speed is known for every group "
        "size, near 0 and near 1 too.",
        ("tr-none-rises", "tr-flow-velocity", "tr-flow-every-size", "tr-flow-ends", "tr-flow-constant-times"),
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.FORWARD and _sample_eps(s),
        "One token: there is one rest point, it attracts, and it lies above the reference.",
        ("by-norm-shape", "tr-guarded-stable", "tr-guarded-limits", "by-norm-sample-deviation"),
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.FORWARD and _plain_group(s) and not _sample_eps(s),
        "One token: there is one rest point, above the reference; with the group's own deviation, unguarded, the flow "
        "reaches it from every start.",
        ("by-stationary-unique", "by-flow-one-rest-point", "by-norm-shape"),
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.FORWARD and _plain_group(s),
        "Many tokens: the equation holds in every state of the text, so a text does not end above what one token of "
        "its pass rate would.",
        ("by-seq-stationary-k3", "tr-chain-equation", "tr-chain-bounds", "tr-chain-small-beta"),
    ),
    Fact(
        lambda s: (
            st.penalty_gradient(s) is st.PenaltyGradient.REVERSE and s.advantages.scale is None and _plain_group(s)
        ),
        "One token: one rest point in closed form for every group size, the reference tilted by the advantage.",
        ("by-norm-dkl-no-division", "by-div-tilted"),
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.REVERSE and _scaled(s) and _plain_group(s),
        "One token: a rest point lies Δ/β above the reference in log-odds, between bounds that are known; the flow "
        "from the reference rises to one, and without a guard, in groups of up to five, there is one from a threshold "
        "of β on.",
        ("tr-direct-rest", "tr-guarded-between", "by-flow-direct", "by-flow-direct-one", "by-div-tilted"),
    ),
    Fact(
        lambda s: (
            st.penalty_gradient(s) is st.PenaltyGradient.REVERSE and _in_loss(s, *st.Estimator) and _plain_group(s)
        ),
        "Many tokens: a divergence charged at each token alone is not that of the text; its rest point is known.",
        ("by-seq-stationary-kl", "tr-chain-kl"),
    ),
    Fact(
        lambda s: (
            _weighed(s, st.PenaltyWeight.RATIO)
            and _in_loss(s, st.Estimator.K3)
            and st.penalty_gradient(s) is st.PenaltyGradient.REVERSE
        ),
        "k3 weighed by the ratio of its token has the gradient of the token's KL(π‖π_ref), off-policy too.",
        ("tr-k3-ratio", "by-div-ratio-differentiated"),
    ),
    Fact(
        lambda s: _weighed(s, st.PenaltyWeight.SCORE, st.PenaltyWeight.SAMPLER) and _in_loss(s, st.Estimator.K3),
        "k3 with the gradient of the sampling probability has, on-policy, the gradient of KL(π‖π_ref).",
        ("by-div-ratio-differentiated",),
    ),
    Fact(
        lambda s: s.ratio in (st.Ratio.ROOT, st.Ratio.ROOT_TOKEN),
        "At ratio 1 the |o|-th root of a text's ratio has the gradient of the mean of its token ratios.",
        ("tr-gspo-first-step",),
    ),
    Fact(
        lambda s: s.advantages.pass_at_k is not None and s.advantages.scale is None,
        "These advantages are unbiased for the gradient of pass@k, up to a factor (checked in groups of up to five); "
        "under k3 they have at most one rest point above the reference.",
        ("tr-pass-unbiased", "tr-pass-rest", "tr-pass-against-one"),
    ),
    Fact(
        lambda s: s.dynamic_sampling,
        "The gradient of success over the groups that are kept, and their share of right samples, are known.",
        ("tr-kept-drive", "tr-kept-samples"),
    ),
    Fact(
        lambda s: s.advantages.baseline is st.Baseline.LEAVE_ONE_OUT and s.advantages.scale is None,
        "The leave-one-out baseline multiplies every advantage of the group's mean by G/(G − 1): a larger learning "
        "rate, beside a divergence a smaller β, and nothing else.",
        ("by-norm-coefficients", "by-norm-no-division"),
    ),
)
_OPEN = (
    Fact(
        lambda s: s.advantages.whitening is not None,
        "Where a run goes whose advantages are whitened over the batch: prompts then move one another.",
    ),
    Fact(
        lambda s: st.penalty_gradient(s) is st.PenaltyGradient.OTHER,
        "Where a run goes under this divergence.",
    ),
    Fact(
        lambda s: s.updates > 1 or isinstance(s.clip, st.SoftGate),
        "How far several steps on one batch lead away from the flow of small steps.",
    ),
    Fact(
        lambda s: s.advantages.baseline in (st.Baseline.LENGTH_WEIGHTED, st.Baseline.BATCH_MEAN, st.Baseline.GREEDY),
        "Where a run with this baseline goes, beyond that a baseline leaves the expected gradient as it is.",
    ),
    Fact(
        lambda s: True,
        "What prompts do to one another through shared parameters, and what the optimiser's moments add.",
    ),
)
FACTS = {Kind.WARNING: _WARNINGS, Kind.KNOWN: _KNOWN, Kind.OPEN: _OPEN}
