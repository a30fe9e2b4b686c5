"""Settings that together use every part of the record, by name: what losses and trainers are tested on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from grpo_symbolic.setting import (
    Advantages,
    Aggregation,
    Baseline,
    CappedWeight,
    Credit,
    Denominator,
    Elements,
    Estimator,
    Gradient,
    Guard,
    LogClip,
    NoClip,
    Over,
    Penalty,
    PenaltyWeight,
    Place,
    Population,
    Ratio,
    RatioClip,
    Rewards,
    SamplerWeight,
    Scale,
    Setting,
    SoftGate,
    WeightLevel,
    WeightMode,
    Whitening,
)

SIZE = 3
GRPO = Setting(group_size=SIZE)
BARE = replace(GRPO, penalty=None, clip=NoClip())
EPS = Fraction(1, 10**4)


def _advantages(**parts: object) -> Setting:
    return replace(BARE, advantages=Advantages(**parts))  # type: ignore[arg-type]


def _penalty(**parts: object) -> Setting:
    return replace(BARE, penalty=Penalty(beta=Fraction(1, 2), **parts))  # type: ignore[arg-type]


ADVANTAGES = {
    "sample deviation + eps": _advantages(scale=Scale(sample=True, eps=EPS)),
    "root of variance + eps": _advantages(scale=Scale(eps=EPS, guard=Guard.INSIDE)),
    "floor": _advantages(scale=Scale(eps=Fraction(1, 10), guard=Guard.FLOOR)),
    "no scale": _advantages(scale=None),
    "rloo": _advantages(baseline=Baseline.LEAVE_ONE_OUT, scale=None),
    "leave-one-out deviation": _advantages(
        baseline=Baseline.LEAVE_ONE_OUT, scale=Scale(of=Population.OTHERS, sample=True, eps=EPS, skip_zero=True)
    ),
    "batch deviation": _advantages(scale=Scale(of=Population.BATCH, sample=True, eps=EPS)),
    "opo": _advantages(baseline=Baseline.LENGTH_WEIGHTED, scale=None),
    "remax": _advantages(baseline=Baseline.GREEDY, scale=None),
    "batch mean": _advantages(baseline=Baseline.BATCH_MEAN, scale=None),
    "reinforce": _advantages(baseline=Baseline.NONE, scale=None),
    "pass@1": _advantages(baseline=Baseline.NONE, scale=None, pass_at_k=1),
    "pass@2": _advantages(baseline=Baseline.NONE, scale=None, pass_at_k=2),
    "pass@3 scaled": _advantages(baseline=Baseline.NONE, scale=Scale(sample=True, eps=EPS), pass_at_k=3),
    "whitened tokens": _advantages(scale=None, whitening=Whitening(sample=True, eps=EPS)),
    "whitened texts": _advantages(scale=None, whitening=Whitening(Elements.TEXTS, eps=EPS, guard=Guard.OUTSIDE)),
    "centred tokens": _advantages(baseline=Baseline.NONE, scale=None, whitening=Whitening(scale=False)),
    "whitened with a floor": _advantages(scale=None, whitening=Whitening(eps=Fraction(1, 100), guard=Guard.FLOOR)),
    "gdpo": _advantages(
        scale=Scale(sample=True, eps=EPS),
        rewards=Rewards.EACH_FIRST,
        reward_weights=(1, Fraction(1, 2)),
        whitening=Whitening(Elements.TEXTS, sample=True, eps=EPS, guard=Guard.OUTSIDE),
    ),
    "weighted rewards": _advantages(scale=None, reward_weights=(2, -1)),
}
PENALTIES = {
    "k1": _penalty(estimator=Estimator.K1),
    "abs": _penalty(estimator=Estimator.ABS),
    "k2": _penalty(estimator=Estimator.K2),
    "k3": _penalty(),
    "k3 straight through": _penalty(gradient=Gradient.K2),
    "k1 weighted straight through": _penalty(
        estimator=Estimator.K1, gradient=Gradient.WEIGHTED_K2, gradient_cap=Fraction(11, 10)
    ),
    "k3 times ratio": _penalty(weight=PenaltyWeight.RATIO),
    "k1 times ratio": _penalty(estimator=Estimator.K1, weight=PenaltyWeight.RATIO),
    "k3 with score": _penalty(weight=PenaltyWeight.SCORE),
    "k3 with score, clamped": _penalty(
        weight=PenaltyWeight.SCORE, log_bounds=(Fraction(-1, 5), Fraction(1, 5)), bounds=(-10, 10)
    ),
    "k3 times sampler ratio": _penalty(weight=PenaltyWeight.SAMPLER),
    "k3 times held sampler ratio": _penalty(weight=PenaltyWeight.SAMPLER_HELD),
    "k3 clamped": _penalty(bounds=(None, Fraction(1, 20))),
    "k2 clamped inside": _penalty(estimator=Estimator.K2, log_bounds=(Fraction(-1, 4), Fraction(1, 4))),
    "k3 with a mean of its own": _penalty(aggregation=Aggregation(Over.BATCH_TOKENS)),
    "k1 in the reward": _penalty(estimator=Estimator.K1, place=Place.REWARD),
    "k3 in the advantage": _penalty(place=Place.ADVANTAGE),
    "k1 to go": _penalty(estimator=Estimator.K1, place=Place.ADVANTAGE, credit=Credit.TO_GO),
    "k2 by token": _penalty(estimator=Estimator.K2, place=Place.ADVANTAGE, credit=Credit.TOKEN),
    "k1 to go, whitened": replace(
        _penalty(estimator=Estimator.K1, place=Place.ADVANTAGE, credit=Credit.TO_GO),
        advantages=Advantages(baseline=Baseline.NONE, scale=None, whitening=Whitening(sample=True, eps=EPS)),
    ),
}
RATIOS = {
    "clip-higher": replace(GRPO, clip=RatioClip(Fraction(1, 5), Fraction(28, 100))),
    "dual clip": replace(GRPO, clip=RatioClip(dual=Fraction(13, 10))),
    "delta": replace(GRPO, clip=RatioClip(delta=Fraction(13, 10))),
    "delta inside the clip": replace(GRPO, clip=RatioClip(delta=Fraction(11, 10))),
    "delta without clip": replace(GRPO, clip=RatioClip(None, None, delta=Fraction(6, 5))),
    "lower clip only": replace(GRPO, clip=RatioClip(Fraction(1, 10), None)),
    "bounded log ratio": replace(BARE, log_bound=Fraction(1, 10)),
    "text ratio": replace(GRPO, ratio=Ratio.TEXT),
    "gspo": replace(GRPO, ratio=Ratio.ROOT),
    "gspo with weighted k3": replace(GRPO, ratio=Ratio.ROOT, penalty=Penalty(weight=PenaltyWeight.RATIO)),
    "gspo-token": replace(GRPO, ratio=Ratio.ROOT_TOKEN),
    "gmpo": replace(GRPO, ratio=Ratio.GEOMETRIC, clip=LogClip(Fraction(1, 10), Fraction(2, 10))),
    "gmpo without clip": replace(BARE, ratio=Ratio.GEOMETRIC),
    "reinforce": replace(BARE, ratio=Ratio.LOG),
    "cispo": replace(BARE, clip=CappedWeight(Fraction(6, 5))),
    "cispo with a floor": replace(BARE, clip=CappedWeight(Fraction(6, 5), Fraction(4, 5))),
    "cispo of texts": replace(BARE, ratio=Ratio.ROOT, clip=CappedWeight(Fraction(6, 5))),
    "sapo": replace(BARE, clip=SoftGate()),
    "over itself": replace(BARE, denominator=Denominator.CURRENT),
    "over the sampler": replace(BARE, denominator=Denominator.SAMPLER),
    "truncated weights": replace(GRPO, sampler_weight=SamplerWeight(upper=Fraction(11, 10), lower=Fraction(9, 10))),
    "masked weights": replace(
        GRPO, sampler_weight=SamplerWeight(mode=WeightMode.MASK, upper=Fraction(12, 10), lower=Fraction(8, 10))
    ),
    "weights of texts": replace(
        GRPO, sampler_weight=SamplerWeight(WeightLevel.TEXT, WeightMode.MASK, upper=Fraction(12, 10))
    ),
    "texts masked by their mean": replace(
        GRPO,
        sampler_weight=SamplerWeight(
            mode=WeightMode.MASK, upper=Fraction(11, 10), lower=Fraction(9, 10), by_text_mean=True
        ),
    ),
}
AGGREGATIONS = {
    "per text": replace(GRPO, aggregation=Aggregation(empty_count=False)),
    "per prompt": replace(GRPO, aggregation=Aggregation(Over.PROMPT_TOKENS)),
    "dapo": replace(GRPO, aggregation=Aggregation(Over.BATCH_TOKENS)),
    "dr grpo": replace(GRPO, aggregation=Aggregation(Over.CONSTANT, length=5)),
    "token sums": replace(GRPO, aggregation=Aggregation(Over.TEXT_SUM)),
    "token sums of texts that count": replace(GRPO, aggregation=Aggregation(Over.TEXT_SUM, empty_count=False)),
    "sum": replace(GRPO, aggregation=Aggregation(Over.SUM)),
}
SETTINGS: dict[str, Setting] = {"paper": GRPO, "bare": BARE}
for kind, family in (
    ("advantage", ADVANTAGES),
    ("penalty", PENALTIES),
    ("ratio", RATIOS),
    ("aggregation", AGGREGATIONS),
):
    SETTINGS |= {f"{kind}: {name}": setting for name, setting in family.items()}
