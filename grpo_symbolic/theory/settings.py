"""A setting as a point of the theory: one prompt, a right and a wrong text, each counted as one token.

What such a point leaves out of a run is listed by :func:`grpo_symbolic.trainers.words.assumed`; what would change it
is refused by name.
"""

from __future__ import annotations

import sympy as sp

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import scale as _scale
from grpo_symbolic.objectives import Advantage, Penalised
from grpo_symbolic.objectives.divergence import ESTIMATORS
from grpo_symbolic.objectives.own import exact
from grpo_symbolic.theory.point import NO_PENALTY, Point, divergence_of

__all__ = ["point_of"]

_WEIGHTS = {
    st.PenaltyWeight.NONE: "none",
    st.PenaltyWeight.RATIO: "ratio",
    st.PenaltyWeight.SAMPLER: "ratio",
    st.PenaltyWeight.SAMPLER_DETACHED: "detached",
    st.PenaltyWeight.SCORE: "score",
}
_PLACES = {st.Place.LOSS: "loss", st.Place.ADVANTAGE: "reward", st.Place.REWARD: "raw-reward"}
_AS_LEAVE_ONE_OUT = (st.Baseline.LEAVE_ONE_OUT, st.Baseline.GREEDY, st.Baseline.BATCH_MEAN, st.Baseline.NONE)


def point_of(of: st.Setting) -> Point:
    """The point of a setting.

    Raises :class:`BadInput` for what makes prompts move one another or has no place in a point: whitening over the
    batch, dynamic sampling, advantages of pass@k, a floor of the variance that is felt, ``|k1|``, and a cap that is
    felt at ratio 1.
    """
    if of.dynamic_sampling:
        raise BadInput(
            "a point of the theory draws every group: what dynamic sampling changes, tr-kept-drive and "
            "tr-kept-penalty say"
        )
    of, _ = st.of_one_reward(of)
    penalty, raw = _penalty(of.penalty)
    strength = exact(of.beta)
    return Point(_advantage(of), penalty, of.group_size, of.ratio, _clip(of.clip), strength, raw)


def _advantage(of: st.Setting) -> Advantage:
    how = of.advantages
    if how.whitening is not None:
        raise BadInput(
            "a point of the theory is one prompt: advantages that are whitened over the batch let prompts "
            "move one another"
        )
    if how.pass_at_k is not None:
        raise BadInput(
            "a point of the theory has the advantage of one text: of pass@k speak tr-pass-unbiased and tr-pass-rest"
        )
    left_out, scale = how.baseline in _AS_LEAVE_ONE_OUT, how.scale
    if scale is None:
        return Advantage(scaled=False, leave_one_out=left_out)
    if scale.of is st.Population.BATCH:
        return Advantage(fixed_deviation=_scale, leave_one_out=left_out)
    if scale.of is st.Population.OTHERS:
        if not scale.skip_zero:
            raise BadInput(
                "the theory leaves an advantage undivided where the other texts have no deviation: expected "
                "skip_zero (tr-leave-one-out-deviation)"
            )
        return Advantage(
            sample_deviation=scale.sample,
            guard=exact(scale.eps),
            guard_inside=scale.guard is st.Guard.INSIDE,
            leave_one_out=left_out,
            others_deviation=True,
        )
    if (least := scale.variance_below_floor(of.group_size)) is not None:
        raise BadInput(
            f"a floor of {scale.eps} is felt in groups of {of.group_size}, whose least variance is {least}: "
            "the theory has no such deviation"
        )
    eps = sp.S.Zero if scale.guard is st.Guard.FLOOR else exact(scale.eps)
    inside = scale.guard is st.Guard.INSIDE or eps == 0
    return Advantage(sample_deviation=scale.sample, guard=eps, guard_inside=inside, leave_one_out=left_out)


def _penalty(penalty: st.Penalty | None) -> tuple[Penalised, bool]:
    if penalty is None:
        return NO_PENALTY, False
    if penalty.estimator is st.Estimator.ABS:
        raise BadInput(f"the theory has no |k1|, whose slope jumps at the reference: expected {', '.join(ESTIMATORS)}")
    if penalty.gradient is st.Gradient.K2:
        return divergence_of(st.PenaltyName.K2)
    if penalty.gradient is st.Gradient.WEIGHTED_K2:
        return divergence_of(st.PenaltyName.K2, weighted="detached")
    return divergence_of(penalty.estimator.value, _PLACES[penalty.place], _WEIGHTS[penalty.weight])


def _clip(clip: st.Clip) -> st.Clip:
    if isinstance(clip, st.RatioClip) and clip.delta is not None and clip.delta < 1:
        raise BadInput(
            f"delta = {clip.delta} takes the gradient of right texts away at ratio 1: the theory has no such drive"
        )
    if isinstance(clip, st.CappedWeight):
        low, high = clip.floor or 0, clip.cap
        if low > 1 or (high is not None and high < 1):
            felt = low if low > 1 else high
            raise BadInput(
                f"the cap {felt} is felt at ratio 1, where it multiplies what the policy gains: the theory is that of "
                "no cap with β divided by it (tr-cispo)"
            )
    return clip
