"""What people who train ask, each answered in one sentence, with a number for their own options and the claims.

>>> [question.ask for question in asked("why is my loss 0?")]
['Why is my loss 0?']
>>> from grpo_symbolic.setting import PAPER_GRPO
>>> asked("dead groups")[0].number(PAPER_GRPO)
'of groups of 64, 0.12% at a pass rate of 0.1 and 53% at 0.01'
"""

from __future__ import annotations

import re
from collections.abc import Callable
from dataclasses import dataclass

from grpo_symbolic import setting as st

__all__ = ["QUESTIONS", "Question", "asked"]


def _nothing(of: st.Setting) -> str:
    return ""


@dataclass(frozen=True)
class Question:
    """A question (``ask``), other ``words`` for it (phrases, with commas between), its ``answer``, the ids of its
    ``claims``, and the ``number`` that a setting gives it, or an empty text.
    """

    ask: str
    words: str
    answer: str
    claims: tuple[str, ...]
    number: Callable[[st.Setting], str] = _nothing


def asked(text: str) -> list[Question]:
    """The questions that a text asks, in whatever words: all words of one of their phrases are in it, or all of its
    own words are in a phrase or in the question.
    """
    wanted = _stems(text)
    if not wanted - {"0"}:
        return []
    near = [q for q in QUESTIONS if any(_stems(phrase) <= wanted for phrase in q.words.split(","))]
    return near or [
        q for q in QUESTIONS if any(wanted <= _stems(sentence) for sentence in (q.ask, *q.words.split(",")))
    ]


_SILENT = "a an and are at be do does for how i in is it me my of on or so the to too what why"


def _stems(text: str) -> frozenset[str]:
    """The words that tell something, without endings and numbers but 0."""
    words = re.findall(r"[a-zβ]+|\d+(?:\.\d+)?", text.lower())
    spelt = [("0" if w in ("zero", "zeros") else w) for w in words if w not in _SILENT.split()]
    return frozenset(
        re.sub(r"(ping|ped|ing|ed|s)$", "", w) if len(w) > 3 else w for w in spelt if w == "0" or w.isalpha()
    )


def _dead(of: st.Setting) -> str:
    size = of.group_size
    shares = (
        f"{_percent(p**size + (1 - p) ** size)} at {where}"
        for p, where in ((0.1, "a pass rate of 0.1"), (0.01, "0.01"))
    )
    return f"of groups of {size}, {' and '.join(shares)}"


def _percent(share: float) -> str:
    return f"{100 * share:.2g}%"


def _updates(of: st.Setting) -> str:
    return f"{of.updates} optimiser step{'' if of.updates == 1 else 's'} on each batch here"


def _long(of: st.Setting) -> str:
    clip = of.clip
    if of.ratio not in (st.Ratio.ROOT, st.Ratio.ROOT_TOKEN) or not isinstance(clip, st.RatioClip) or not clip.eps_high:
        return ""
    high = float(clip.eps_high)
    return f"a text of 1000 tokens may become {(1 + high) ** 1000:.3g} times as likely before it is clipped"


def _most(of: st.Setting) -> str:
    size = of.group_size
    scale = of.advantages.scale
    return f"at most {size / (size - 1) ** 0.5:.3g} times, in groups of {size}" if scale and size > 1 else ""


def _beta(of: st.Setting) -> str:
    return f"β = {float(of.beta):g} here"


def _factor(of: st.Setting) -> str:
    size = of.group_size
    return f"{size / (size - 1):.4g} in groups of {size}" if size > 1 else ""


def _lone(of: st.Setting) -> str:
    size, scale = of.group_size, of.advantages.scale
    if size < 2 or scale is None or scale.of is not st.Population.GROUP:
        return ""
    most = (size - 1) / size**0.5 if scale.sample else (size - 1) ** 0.5
    return f"A = {most:.3g} for one right text among {size}, less what the guard takes"


QUESTIONS: tuple[Question, ...] = (
    Question(
        "Why is my loss 0?",
        "loss 0, 0 loss, loss near 0, loss flat, loss not decreasing",
        "At ratio 1 with 1/|o| the policy's part of the loss is minus a mean of advantages, which add up to 0; its "
        "gradient is not 0.",
        ("tr-zero-loss", "tr-loss-token-mean"),
        _updates,
    ),
    Question(
        "Why is the loss negative, or why does it rise?",
        "loss negative, negative loss, loss rise, loss increase, loss goes up",
        "With a token mean the loss at ratio 1 measures how advantage and length go together, and a divergence adds to "
        "it as the policy leaves the reference: neither says how much is learnt.",
        ("tr-loss-token-mean",),
        _beta,
    ),
    Question(
        "What does a dead group cost?",
        "dead group, group same reward, equal reward, reward std 0, std 0, frac reward 0 std, no signal, 0 advantage, "
        "advantage 0, all correct, all wrong",
        "A group whose rewards are all equal teaches nothing of the reward; the chance of one is x^G + (1 − x)^G.",
        ("tr-kept-share", "tr-kept-size"),
        _dead,
    ),
    Question(
        "How large should a group be?",
        "group size, num generation, many sample, rollout n",
        "A group teaches with the chance 1 − x^G − (1 − x)^G, so rare successes need a size of about 1/x.",
        ("tr-kept-share", "tr-kept-size"),
        _dead,
    ),
    Question(
        "Why is the clip ratio 0?",
        "clip ratio 0, clip fraction 0, never clip, clip 0, clipfrac 0",
        "With one optimiser step on each batch the ratio is 1, and no clip can bind while the samples are fresh.",
        ("tr-clip-first-step", "by-clip-near"),
        _updates,
    ),
    Question(
        "Is a clip ratio of 0.4 too high?",
        "clip ratio, clip fraction, clipfrac, token clip, clip high",
        "A share above 0 needs several steps on a batch, stale samples or a sampler that differs; short steps "
        "cannot rest at a policy that is not stationary, long ones can.",
        ("tr-clip-first-step", "by-clip-inner-loop", "by-clip-short-steps"),
        _updates,
    ),
    Question(
        "Is it normal that GSPO clips so many tokens?",
        "gspo clip, gspo ratio, sequence clip, gspo fraction",
        "GSPO clips the |o|-th root of a text's ratio, and a text that is clipped takes all its tokens with it: "
        "its share counts texts.",
        ("tr-gspo-long-texts", "tr-gspo-weight"),
        _long,
    ),
    Question(
        "Why does the KL spike?",
        "kl spike, kl explode, kl diverge, kl jump, kl large, kl high",
        "k3 = e^(−d) + d − 1 with d = log π − log π_ref grows exponentially for tokens that have fallen below the "
        "reference: one of them can make the mean; where k3 is clamped such a token has no gradient.",
        ("by-div-values", "by-div-clamp"),
        _beta,
    ),
    Question(
        "Why is the KL 0, or negative?",
        "kl 0, kl negative, negative kl",
        "At the first step the policy is the reference, so every estimator is 0; later k1 can be negative for a "
        "sample, k2 and k3 cannot.",
        ("by-div-values",),
    ),
    Question(
        "k1, k2 or k3, in the loss or in the reward?",
        "k1, k2, k3, kl estimator, kl loss reward, which kl",
        "On-policy, and without a ratio, k1 in the loss has no gradient, k2 that of KL(π‖π_ref), k3 that of "
        "KL(π_ref‖π); in the reward k1 alone has that of KL(π‖π_ref).",
        ("by-div-loss-gradients", "by-div-reward-gradients"),
    ),
    Question(
        "Is β = 0 fine?",
        "beta 0, β 0, no kl, without kl, drop kl, remove kl",
        "Of one right and one wrong answer the flow takes the right one to 1 then, and of two right answers the "
        "likelier grows faster.",
        ("tr-none-rises", "tr-flow-every-size", "tr-ties-winner"),
        _beta,
    ),
    Question(
        "Why does the entropy collapse?",
        "entropy collapse, entropy drop, entropy fall, entropy low, diversity, mode collapse",
        "Without a divergence the likelier of two right answers grows faster, and the entropy moves at the rate "
        "−Cov_π(log π, π(P − E_π P)): of one right and one wrong answer it falls from a pass rate of ½ on.",
        ("tr-entropy-rate", "tr-ties-winner", "tr-ties-conserved"),
        _beta,
    ),
    Question(
        "Why do texts grow longer?",
        "longer, length grow, length increase, response length, completion length, length bias, reward hack length, "
        "length explode, too long",
        "Of equally rewarded texts 1/|o| favours short right and long wrong ones, so wrong texts may grow; a token "
        "mean counts long texts more.",
        ("tr-step-length-bias", "tr-token-mean-per-prompt", "tr-step-aggregations"),
    ),
    Question(
        "Which aggregation of tokens?",
        "aggregation, token mean, sequence mean, dr grpo, loss type, loss agg mode, normalise length",
        "Of those that were compared a constant length alone steps along a gradient; 1/|o| favours short right and "
        "long wrong texts, and a token mean moves the learning rate.",
        ("tr-step-aggregations", "tr-step-length-bias"),
    ),
    Question(
        "Should I divide by the deviation?",
        "scale reward, deviation, std normalisation, divide std, normalise advantage, normalize advantage, norm "
        "adv std",
        "It weighs hard and easy prompts up; the sample deviation is a β that is larger by √(G/(G − 1)).",
        ("tr-weight-difficulty", "by-norm-sample-deviation"),
        _most,
    ),
    Question(
        "How large can an advantage be?",
        "advantage large, max advantage, advantage spike, advantage explode, largest advantage",
        "One right text in a group of G has the largest, (G − 1)/√G with the sample deviation.",
        ("by-gap-members", "tr-guarded-any-rewards"),
        _lone,
    ),
    Question(
        "Does RLOO differ from GRPO without a deviation?",
        "rloo, leave one out",
        "By a factor G/(G − 1) of every advantage, and by nothing else.",
        ("by-norm-coefficients", "by-norm-no-division"),
        _factor,
    ),
    Question(
        "Is GSPO another objective?",
        "gspo, sequence level",
        "Not at its first step, which is that of 1/|o|.",
        ("tr-gspo-first-step",),
        _updates,
    ),
    Question(
        "What does CISPO without epsilon_high do?",
        "cispo, cispo epsilon",
        "A cap below 1 cuts every weight at ratio 1, which only scales the learning rate.",
        ("tr-cispo",),
    ),
    Question(
        "Is delta the dual clip?",
        "delta, dual clip, two sided clip",
        "From 1 + epsilon_high on; below it caps right texts too, and below 1 they have no gradient at ratio 1.",
        ("tr-clip-delta",),
    ),
    Question(
        "Do top-p, top-k and temperature bias the run?",
        "top p, top k, temperature, nucleus, sampling parameter",
        "Texts that are cut off are not drawn from π, and the ratio does not know it.",
        ("tr-top-p",),
    ),
    Question(
        "What do importance weights of the sampler change?",
        "importance sampling, vllm mismatch, sampler mismatch, tis, icepop, off policy, stale, async, truncated "
        "importance",
        "Whole they are unbiased; bounded, what the engine draws too seldom counts less, or not at all.",
        ("tr-sampler-weights", "tr-sampler-bounds"),
        _updates,
    ),
    Question(
        "What does dynamic sampling change?",
        "dynamic sampling, filter group, dapo filter, drop group, oversample",
        "The gradient of success over the groups kept is known; the divergence is dropped with the prompts, so the run "
        "rests where a smaller β would.",
        ("tr-kept-drive", "tr-kept-samples", "tr-kept-penalty"),
        _dead,
    ),
    Question(
        "Where does success end, and how fast?",
        "reward plateau, reward stuck, reward not improving, reward flat, how fast, how long, converge, success end",
        "Under k3 one token rests above the reference at one point; without a divergence the success of one right "
        "and one wrong answer goes to 1, most slowly near 0 and near 1.",
        ("by-stationary-unique", "tr-none-rises", "tr-flow-constant-times", "tr-flow-ends"),
        _beta,
    ),
    Question(
        "Does GRPO optimise pass@k?",
        "pass k, pass at k, best of k",
        "Advantages of the best of k are unbiased for it up to a factor (checked in groups of up to five); those "
        "of single texts are for k = 1.",
        ("tr-pass-unbiased", "tr-pass-rest", "tr-pass-against-one"),
    ),
)
