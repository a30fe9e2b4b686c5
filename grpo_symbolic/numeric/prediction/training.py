"""The training whose end is predicted, one number each, and a setting of a trainer as such a training."""

from __future__ import annotations

import math
from dataclasses import dataclass, replace
from functools import cached_property
from typing import Any

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.softmax import SoftmaxFlow
from grpo_symbolic.numeric.recursion.gap import Floats, Gap, of_group, of_others, of_population, take
from grpo_symbolic.numeric.recursion.success import success_limit

__all__ = ["Settings", "settings_of"]


@dataclass(frozen=True)
class Settings:
    """The training, one number each; checked when made.

    ``beta`` ≥ 0; ``group_size``, ``guard``, ``guard_inside``, ``scaled`` and ``sample_deviation`` as in
    :func:`grpo_symbolic.numeric.success_limit`. ``penalty`` is 'k3' (in the loss, the default), 'reverse-kl' or
    'forward-kl'; ``credit`` is 'text' or 'to go' where 'reverse-kl' is charged to whole texts, not token by token;
    ``tokens`` a text has, all of which must be right. ``steps`` at ``learning_rate`` are what the success
    after so many steps is for. ``attempts`` says of how many samples the pass rates are shares: predictions then come
    for both ends of their 95 % intervals. ``best_responses``: exact best responses instead of the softmax flow, for
    'reverse-kl' (then the default) and 'forward-kl', and for 'k3' the stationary policy. ``leave_one_out``: the mean of
    the other members as the baseline, without a deviation or with ``others_deviation``, theirs. ``pace``: the flow's
    time for one unit of learning rate × steps.
    """

    beta: float
    group_size: Any = st.PAPER_GRPO.group_size
    guard: float = 0.0
    penalty: str | None = None
    guard_inside: bool = True
    scaled: bool = True
    sample_deviation: bool = False
    backend: str = "numpy"
    device: str | None = None
    tokens: int = 1
    steps: int | None = None
    learning_rate: float | None = None
    attempts: int | None = None
    best_responses: bool = False
    leave_one_out: bool = False
    others_deviation: bool = False
    pace: float = 1.0
    credit: st.Credit = st.Credit.TOKEN

    def __post_init__(self) -> None:
        for name, value in (("β", self.beta), ("the guard ε", self.guard)):
            if np.ndim(value):
                raise BadInput(f"{name} must be one number, got {value}")
        if not 0 <= self.beta < math.inf:
            raise BadInput(f"β must be finite and at least 0, got {self.beta}")
        default = st.PenaltyName.REVERSE_KL if self.best_responses else st.PenaltyName.K3
        object.__setattr__(self, "penalty", default if self.penalty is None else st.penalty_named(self.penalty))
        for name, count, least in (
            ("the number of tokens", self.tokens, 1),
            ("the number of steps", self.steps, 0),
            ("the number of attempts", self.attempts, 1),
        ):
            if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < least):
                raise BadInput(f"{name} must be a whole number from {least}, got {count}")
        if (self.steps is None) != (self.learning_rate is None):
            raise BadInput("a number of steps and a learning rate belong together: give both or neither")
        if self.learning_rate is not None and not 0 < self.learning_rate < math.inf:
            raise BadInput(f"the learning rate must be positive and finite, got {self.learning_rate}")
        if self.best_responses and (self.tokens != 1 or self.steps is not None or self.attempts is not None):
            raise BadInput("tokens, steps and attempts are about the softmax flow, not about exact best responses")
        self.solve(np.array([0.5]))

    @property
    def direct(self) -> bool:
        """Whether the penalty is KL(π‖π_ref)."""
        return self.penalty is st.PenaltyName.REVERSE_KL

    @property
    def time(self) -> float | None:
        """How long the flow runs: the learning rate times the number of steps, at the pace of the training."""
        return None if self.steps is None or self.learning_rate is None else self.steps * self.learning_rate * self.pace

    @property
    def deviation(self) -> str:
        """What advantages are divided by, in words."""
        if not self.scaled:
            return "no deviation" + (", leave-one-out mean" if self.leave_one_out else "")
        whose = "the others' " if self.others_deviation else ""
        kind = "sample deviation" if self.sample_deviation else "deviation"
        if not self.guard:
            return whose + kind
        return f"√({whose}{kind}² + {self.guard:g})" if self.guard_inside else f"{whose}{kind} + {self.guard:g}"

    @cached_property
    def flow(self) -> SoftmaxFlow:
        """The softmax flow of one prompt."""
        return SoftmaxFlow(self._gap, float(self.beta), self.direct, self.tokens, self.credit is not st.Credit.TOKEN)

    @property
    def _gap(self) -> Gap:
        size = math.inf if self.group_size in ("oo", math.inf) else int(self.group_size)
        if not self.scaled:
            height = np.float64(1.0 if self.leave_one_out else 1.0 - 1.0 / size)
            return Gap("group", (height,), np.inf, height, height, 0.0)
        if math.isinf(size):
            return of_population(np.float64(self.guard), self.guard_inside)
        if self.others_deviation:
            return of_others(self.guard, int(size), self.sample_deviation)
        table = of_group(np.array([self.guard]), int(size), True, self.guard_inside, self.sample_deviation)
        return take(table, 0)

    def solve(self, rates: Floats | None, logits: Floats | None = None) -> Any:
        """What best responses reach from pass rates strictly between 0 and 1, or from their logits; the fixed points
        are the rest points of the flow of one token. With β = 0, where there are none, those of β = 1.
        """
        forward = self.penalty is st.PenaltyName.FORWARD_KL
        penalty = st.PenaltyName.K3 if forward and not self.best_responses else self.penalty
        strength = self.beta if self.best_responses or self.beta != 0 else 1.0
        if self.leave_one_out and self.group_size not in ("oo", math.inf):
            strength *= 1 - 1 / int(self.group_size)
        return success_limit(
            rates,
            strength,
            self.guard,
            group_size=self.group_size,
            penalty=str(penalty),
            logit_ref=logits,
            guard_inside=self.guard_inside,
            scaled=self.scaled,
            sample_deviation=self.sample_deviation,
            backend=self.backend,
            device=self.device,
        )


def settings_of(
    of: st.Setting,
    tokens: int = 1,
    steps: int | None = None,
    learning_rate: float | None = None,
    attempts: int | None = None,
) -> Settings:
    """The training that a setting is for one prompt, of which every text has ``tokens`` tokens.

    Raises :class:`BadInput` for what lets prompts move one another, and for what the flow has no equation of.
    """
    if tokens == 1 and of.ratio in (st.Ratio.TEXT, st.Ratio.ROOT, st.Ratio.ROOT_TOKEN):
        of = replace(of, ratio=st.Ratio.TOKEN)  # one token: all ratios are one
    of, weight = st.of_one_reward(of)
    felt = _felt(of)
    penalty, beta = _penalty(of)
    return Settings(
        beta=float(beta) / felt,
        group_size=of.group_size,
        penalty=penalty,
        tokens=tokens,
        steps=steps,
        learning_rate=learning_rate,
        attempts=attempts,
        pace=felt * float(weight) * _pace(of, tokens),
        credit=_credit(of),
        **_deviation(of),
    )


def _no(what: str) -> BadInput:
    return BadInput(f"predict has no equation of {what}")


def _felt(of: st.Setting) -> float:
    """What the policy's term is multiplied by at ratio 1."""
    if of.dynamic_sampling:
        raise _no("dynamic sampling, whose gradient tr-kept-drive gives and whose effect on a penalty tr-kept-penalty")
    if isinstance(of.clip, st.RatioClip) and of.clip.delta is not None and of.clip.delta < 1:
        raise _no(f"delta = {of.clip.delta}, which takes the gradient of right texts away at ratio 1")
    if not isinstance(of.clip, st.CappedWeight):
        return 1.0
    low, high = of.clip.floor, of.clip.cap
    return max(float(low or 0), 1.0 if high is None else min(1.0, float(high)))


def _penalty(of: st.Setting) -> tuple[str, st.Number]:
    """Which of the two gradients the penalty has, with its β; a penalty without one is β = 0."""
    gradient, penalty = st.penalty_gradient(of), of.penalty
    if penalty is None or gradient in (st.PenaltyGradient.NONE, st.PenaltyGradient.NOWHERE):
        return st.PenaltyName.K3, 0
    if gradient is st.PenaltyGradient.OTHER or penalty.place is st.Place.REWARD:
        raise _no(f"{penalty.estimator.value} in the {penalty.place.value} with these weights")
    return (st.PenaltyName.K3 if gradient is st.PenaltyGradient.FORWARD else st.PenaltyName.REVERSE_KL), penalty.beta


def _credit(of: st.Setting) -> st.Credit:
    """Who pays for the divergence; what a token pays for those before it is a baseline, the same for all its values."""
    if of.penalty is None or of.penalty.place is not st.Place.ADVANTAGE:
        return st.Credit.TOKEN
    return of.penalty.credit


def _pace(of: st.Setting, tokens: int) -> float:
    over = of.aggregation
    if over.over is st.Over.SUM:
        raise _no("a sum over the batch, whose pace is the size of the batch")
    if tokens > 1 and of.ratio is st.Ratio.TEXT:
        raise _no("the ratio of a whole text, counted once for each of several tokens")
    if over.length is not None:
        return tokens / over.length
    return float(tokens) if over.over is st.Over.TEXT_SUM else 1.0


def _deviation(of: st.Setting) -> dict[str, Any]:
    how, scale = of.advantages, of.advantages.scale
    if how.whitening is not None or (scale is not None and scale.of is st.Population.BATCH):
        raise _no("advantages that are divided or whitened over the batch: prompts then move one another")
    if how.pass_at_k is not None:
        raise _no("advantages of pass@k, of whose rest points tr-pass-rest speaks")
    left_out = how.baseline not in (st.Baseline.GROUP_MEAN, st.Baseline.LENGTH_WEIGHTED)
    if scale is None:
        return {"scaled": False, "leave_one_out": left_out}
    others = scale.of is st.Population.OTHERS
    if left_out != others or (others and (not scale.skip_zero or scale.guard is not st.Guard.OUTSIDE)):
        raise _no(f"the baseline {how.baseline.value!r} with the deviation of the {scale.of.value}")
    eps = float(scale.eps)
    if scale.guard is st.Guard.FLOOR:
        least = (of.group_size - 1) / of.group_size**2
        if eps > least:
            raise _no(f"a floor of {eps:g} that groups of {of.group_size} feel, whose least variance is {least:g}")
        eps = 0.0
    return {
        "guard": eps,
        "guard_inside": scale.guard is not st.Guard.OUTSIDE,
        "sample_deviation": scale.sample,
        "leave_one_out": others,
        "others_deviation": others,
    }
