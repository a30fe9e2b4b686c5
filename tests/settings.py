"""Settings that together use every part of the record, by name: what losses and trainers are tested on."""

from __future__ import annotations

from dataclasses import replace
from fractions import Fraction

from grpo_symbolic import setting as st

SIZE = 3
GRPO = st.Setting(group_size=SIZE)
BARE = replace(GRPO, penalty=None, clip=st.NoClip())
EPS = Fraction(1, 10**4)


def _advantages(**parts: object) -> st.Setting:
    return replace(BARE, advantages=st.Advantages(**parts))  # type: ignore[arg-type]


def _penalty(**parts: object) -> st.Setting:
    return replace(BARE, penalty=st.Penalty(beta=Fraction(1, 2), **parts))  # type: ignore[arg-type]


ADVANTAGES = {
    "sample deviation + eps": _advantages(scale=st.Scale(sample=True, eps=EPS)),
    "root of variance + eps": _advantages(scale=st.Scale(eps=EPS, guard=st.Guard.INSIDE)),
    "floor": _advantages(scale=st.Scale(eps=Fraction(1, 10), guard=st.Guard.FLOOR)),
    "no scale": _advantages(scale=None),
    "rloo": _advantages(baseline=st.Baseline.LEAVE_ONE_OUT, scale=None),
    "leave-one-out deviation": _advantages(
        baseline=st.Baseline.LEAVE_ONE_OUT,
        scale=st.Scale(of=st.Population.OTHERS, sample=True, eps=EPS, skip_zero=True),
    ),
    "batch deviation": _advantages(scale=st.Scale(of=st.Population.BATCH, sample=True, eps=EPS)),
    "opo": _advantages(baseline=st.Baseline.LENGTH_WEIGHTED, scale=None),
    "remax": _advantages(baseline=st.Baseline.GREEDY, scale=None),
    "batch mean": _advantages(baseline=st.Baseline.BATCH_MEAN, scale=None),
    "reinforce": _advantages(baseline=st.Baseline.NONE, scale=None),
    "pass@1": _advantages(baseline=st.Baseline.NONE, scale=None, pass_at_k=1),
    "pass@2": _advantages(baseline=st.Baseline.NONE, scale=None, pass_at_k=2),
    "pass@3 scaled": _advantages(baseline=st.Baseline.NONE, scale=st.Scale(sample=True, eps=EPS), pass_at_k=3),
    "whitened tokens": _advantages(scale=None, whitening=st.Whitening(sample=True, eps=EPS)),
    "whitened texts": _advantages(
        scale=None, whitening=st.Whitening(st.Elements.TEXTS, eps=EPS, guard=st.Guard.OUTSIDE)
    ),
    "centred tokens": _advantages(baseline=st.Baseline.NONE, scale=None, whitening=st.Whitening(scale=False)),
    "whitened with a floor": _advantages(
        scale=None, whitening=st.Whitening(eps=Fraction(1, 100), guard=st.Guard.FLOOR)
    ),
    "gdpo": _advantages(
        scale=st.Scale(sample=True, eps=EPS),
        rewards=st.Rewards.EACH_FIRST,
        reward_weights=(1, Fraction(1, 2)),
        whitening=st.Whitening(st.Elements.TEXTS, sample=True, eps=EPS, guard=st.Guard.OUTSIDE),
    ),
    "weighted rewards": _advantages(scale=None, reward_weights=(2, -1)),
}
PENALTIES = {
    "k1": _penalty(estimator=st.Estimator.K1),
    "abs": _penalty(estimator=st.Estimator.ABS),
    "k2": _penalty(estimator=st.Estimator.K2),
    "k3": _penalty(),
    "k3 straight through": _penalty(gradient=st.Gradient.K2),
    "k1 weighted straight through": _penalty(
        estimator=st.Estimator.K1, gradient=st.Gradient.WEIGHTED_K2, gradient_cap=Fraction(11, 10)
    ),
    "k3 times ratio": _penalty(weight=st.PenaltyWeight.RATIO),
    "k1 times ratio": _penalty(estimator=st.Estimator.K1, weight=st.PenaltyWeight.RATIO),
    "k3 with score": _penalty(weight=st.PenaltyWeight.SCORE),
    "k3 with score, clamped": _penalty(
        weight=st.PenaltyWeight.SCORE, log_bounds=(Fraction(-1, 5), Fraction(1, 5)), bounds=(-10, 10)
    ),
    "k3 times sampler ratio": _penalty(weight=st.PenaltyWeight.SAMPLER),
    "k3 times detached sampler ratio": _penalty(weight=st.PenaltyWeight.SAMPLER_DETACHED),
    "k3 clamped": _penalty(bounds=(None, Fraction(1, 20))),
    "k2 clamped inside": _penalty(estimator=st.Estimator.K2, log_bounds=(Fraction(-1, 4), Fraction(1, 4))),
    "k3 with a mean of its own": _penalty(aggregation=st.Aggregation(st.Over.BATCH_TOKENS)),
    "k1 in the reward": _penalty(estimator=st.Estimator.K1, place=st.Place.REWARD),
    "k3 in the advantage": _penalty(place=st.Place.ADVANTAGE),
    "k1 to go": _penalty(estimator=st.Estimator.K1, place=st.Place.ADVANTAGE, credit=st.Credit.TO_GO),
    "k2 by token": _penalty(estimator=st.Estimator.K2, place=st.Place.ADVANTAGE, credit=st.Credit.TOKEN),
    "k1 to go, whitened": replace(
        _penalty(estimator=st.Estimator.K1, place=st.Place.ADVANTAGE, credit=st.Credit.TO_GO),
        advantages=st.Advantages(baseline=st.Baseline.NONE, scale=None, whitening=st.Whitening(sample=True, eps=EPS)),
    ),
}
RATIOS = {
    "clip-higher": replace(GRPO, clip=st.RatioClip(Fraction(1, 5), Fraction(28, 100))),
    "dual clip": replace(GRPO, clip=st.RatioClip(dual=Fraction(13, 10))),
    "delta": replace(GRPO, clip=st.RatioClip(delta=Fraction(13, 10))),
    "delta inside the clip": replace(GRPO, clip=st.RatioClip(delta=Fraction(11, 10))),
    "delta without clip": replace(GRPO, clip=st.RatioClip(None, None, delta=Fraction(6, 5))),
    "lower clip only": replace(GRPO, clip=st.RatioClip(Fraction(1, 10), None)),
    "bounded log ratio": replace(BARE, log_bound=Fraction(1, 10)),
    "text ratio": replace(GRPO, ratio=st.Ratio.TEXT),
    "gspo": replace(GRPO, ratio=st.Ratio.ROOT),
    "gspo with weighted k3": replace(GRPO, ratio=st.Ratio.ROOT, penalty=st.Penalty(weight=st.PenaltyWeight.RATIO)),
    "gspo-token": replace(GRPO, ratio=st.Ratio.ROOT_TOKEN),
    "gmpo": replace(GRPO, ratio=st.Ratio.GEOMETRIC, clip=st.LogClip(Fraction(1, 10), Fraction(2, 10))),
    "gmpo without clip": replace(BARE, ratio=st.Ratio.GEOMETRIC),
    "reinforce": replace(BARE, ratio=st.Ratio.LOG),
    "cispo": replace(BARE, clip=st.CappedWeight(Fraction(6, 5))),
    "cispo with a floor": replace(BARE, clip=st.CappedWeight(Fraction(6, 5), Fraction(4, 5))),
    "cispo of texts": replace(BARE, ratio=st.Ratio.ROOT, clip=st.CappedWeight(Fraction(6, 5))),
    "sapo": replace(BARE, clip=st.SoftGate()),
    "over itself": replace(BARE, denominator=st.Denominator.CURRENT),
    "over the sampler": replace(BARE, denominator=st.Denominator.SAMPLER),
    "truncated weights": replace(GRPO, sampler_weight=st.SamplerWeight(upper=Fraction(11, 10), lower=Fraction(9, 10))),
    "masked weights": replace(
        GRPO, sampler_weight=st.SamplerWeight(mode=st.WeightMode.MASK, upper=Fraction(12, 10), lower=Fraction(8, 10))
    ),
    "weights of texts": replace(
        GRPO, sampler_weight=st.SamplerWeight(st.WeightLevel.TEXT, st.WeightMode.MASK, upper=Fraction(12, 10))
    ),
    "texts masked by their mean": replace(
        GRPO,
        sampler_weight=st.SamplerWeight(
            mode=st.WeightMode.MASK, upper=Fraction(11, 10), lower=Fraction(9, 10), by_text_mean=True
        ),
    ),
}
AGGREGATIONS = {
    "per text": replace(GRPO, aggregation=st.Aggregation(empty_count=False)),
    "per prompt": replace(GRPO, aggregation=st.Aggregation(st.Over.PROMPT_TOKENS)),
    "dapo": replace(GRPO, aggregation=st.Aggregation(st.Over.BATCH_TOKENS)),
    "dr grpo": replace(GRPO, aggregation=st.Aggregation(st.Over.CONSTANT, length=5)),
    "token sums": replace(GRPO, aggregation=st.Aggregation(st.Over.TEXT_SUM)),
    "token sums of texts that count": replace(GRPO, aggregation=st.Aggregation(st.Over.TEXT_SUM, empty_count=False)),
    "sum": replace(GRPO, aggregation=st.Aggregation(st.Over.SUM)),
}
SETTINGS: dict[str, st.Setting] = {"paper": GRPO, "bare": BARE}
for kind, family in (
    ("advantage", ADVANTAGES),
    ("penalty", PENALTIES),
    ("ratio", RATIOS),
    ("aggregation", AGGREGATIONS),
):
    SETTINGS |= {f"{kind}: {name}": setting for name, setting in family.items()}
