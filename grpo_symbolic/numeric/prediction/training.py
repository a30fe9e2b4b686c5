"""The training whose end is predicted, one number each, and a setting of a trainer as such a training."""

from __future__ import annotations

import math
from collections.abc import Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from numbers import Number
from typing import Any

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.softmax import SoftmaxFlow
from grpo_symbolic.numeric.prediction.updates import Batch, Clipping, Slope, Updates
from grpo_symbolic.numeric.prediction.weighing import Weighing
from grpo_symbolic.numeric.recursion.gap import Floats, Gap, constant, of_group, of_many, of_others, of_population, take
from grpo_symbolic.numeric.recursion.success import success_limit

__all__ = ["MOST_IN_GROUP", "Settings", "settings_of"]

MOST_IN_GROUP = 4096  # the sums over a group are exact up to here; beyond, a group is as good as infinite


@dataclass(frozen=True)
class Settings:
    """The training, one number each; checked when made.

    ``beta`` ≥ 0; ``group_size`` (2 to 4096, or ∞), ``guard``, ``guard_inside``, ``scaled`` and ``sample_deviation`` as
    in :func:`grpo_symbolic.numeric.success_limit`. ``penalty`` is 'k3' (in the loss, the default), 'reverse-kl' or
    'forward-kl'; ``credit`` is 'text' or 'to go' where 'reverse-kl' is charged to whole texts, not token by token;
    ``tokens`` a text has, of which ``decisions`` (all, if not given) decide and must all be right; ``right_length`` and
    ``wrong_length``: the tokens of right and of wrong texts where they differ. ``over`` and ``constant``: what the sum
    over tokens is divided by. ``steps`` at ``learning_rate`` are what the success after so many steps is for.
    ``attempts``: of how many samples the pass rates are shares; predictions then come for both ends of their 95 %
    intervals. ``best_responses``: exact best responses instead of the softmax flow, for 'reverse-kl' (then the default)
    and 'forward-kl', and for 'k3' the stationary policy. ``leave_one_out``: the mean of the other members as the
    baseline, without a deviation or with ``others_deviation``, theirs. ``pace``: the flow's time for one unit of
    learning rate × steps. ``dynamic_sampling``: groups that are not mixed are dropped and replaced. ``batch``: the
    guard beside the deviation of the whole batch, where that divides. ``updates`` on each batch of samples, of which
    ``clipping`` is what is done to the ratio, ``slope`` which gradient the penalty has, and ``unfollowed`` why they
    cannot be followed, if so; with one update, what was left out all the same.
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
    decisions: int | None = None
    right_length: float | None = None
    wrong_length: float | None = None
    over: st.Over = st.Over.TEXT_MEAN
    constant: float = 1.0
    dynamic_sampling: bool = False
    batch: float | None = None
    updates: int = 1
    clipping: Clipping = field(default_factory=Clipping)
    slope: Slope | None = None
    unfollowed: str = ""

    def __post_init__(self) -> None:
        for name, value in (("β", self.beta), ("the guard ε", self.guard)):
            if np.ndim(value) or not isinstance(value, Number | np.ndarray):
                raise BadInput(f"{name} must be one number, got {value!r}")
        if not 0 <= self.beta < math.inf:
            raise BadInput(f"β must be finite and at least 0, got {self.beta}")
        default = st.PenaltyName.REVERSE_KL if self.best_responses else st.PenaltyName.K3
        object.__setattr__(self, "penalty", default if self.penalty is None else st.penalty_named(self.penalty))
        for name, count, least in (
            ("the number of tokens", self.tokens, 1),
            ("the number of decisions", self.decisions, 1),
            ("the number of steps", self.steps, 0),
            ("the number of attempts", self.attempts, 1),
            ("the number of updates", self.updates, 1),
        ):
            if count is not None and (isinstance(count, bool) or not isinstance(count, int) or count < least):
                raise BadInput(f"{name} must be a whole number from {least}, got {count}")
        if (self.steps is None) != (self.learning_rate is None):
            raise BadInput("a number of steps and a learning rate belong together: give both or neither")
        if self.learning_rate is not None and not 0 < self.learning_rate < math.inf:
            raise BadInput(f"the learning rate must be positive and finite, got {self.learning_rate}")
        if self.best_responses and (self.tokens != 1 or self.steps is not None or self.attempts is not None):
            raise BadInput("tokens, steps and attempts are about the softmax flow, not about exact best responses")
        self._check_lengths()
        size = self.size
        if self.dynamic_sampling and math.isinf(size):
            raise BadInput("dynamic sampling needs the size of the groups: in an infinite one both rewards are seen")
        self._check_exclusions()
        if self.best_responses or math.isinf(size) or size <= st.LARGEST_GROUP:
            self.solve(np.array([0.5]))

    def _check_lengths(self) -> None:
        if self.decisions is not None and self.decisions > min(self.tokens, *self.lengths):
            raise BadInput(f"a text has at least as many tokens as decisions, and there are {self.decisions}")
        for name, length in (("right", self.right_length), ("wrong", self.wrong_length)):
            if length is not None and not 1 <= length < math.inf:
                raise BadInput(f"the length of a {name} text must be finite and at least 1, got {length}")

    def _check_exclusions(self) -> None:
        """Refuse what splits the gap between right and wrong texts where that split has no equation."""
        if self.batch is not None and (self.dynamic_sampling or self.attempts is not None):
            what = "dynamic sampling" if self.dynamic_sampling else "the interval of one prompt"
            raise BadInput(f"predict has no equation of {what} where the deviation of the whole batch divides")
        if self.credit is not st.Credit.TOKEN and self.deciding > 1 and not self._weighing.even:
            raise BadInput(
                "predict has no equation of a penalty that whole texts pay where right and wrong ones do not weigh the "
                "same"
            )
        if self.others_deviation and (self.lengths[0] != self.lengths[1] or self.updates > 1):
            raise BadInput(
                "predict has no equation of the others' deviation with different lengths or several updates: right "
                "and wrong advantages do not balance"
            )

    @property
    def size(self) -> int | float:
        """The group size as a number, ∞ included."""
        return st.size_of_group(self.group_size, MOST_IN_GROUP)

    @property
    def deciding(self) -> int:
        """How many tokens decide."""
        return self.tokens if self.decisions is None else self.decisions

    @property
    def lengths(self) -> tuple[float, float]:
        """The tokens of right and of wrong texts."""
        right, wrong = self.right_length, self.wrong_length
        return float(self.tokens if right is None else right), float(self.tokens if wrong is None else wrong)

    @property
    def stepwise(self) -> bool:
        """Whether training is followed step by step, and not as a flow."""
        return self.updates > 1 or self.batch is not None

    @property
    def direct(self) -> bool:
        """Whether the penalty is KL(π‖π_ref)."""
        return self.penalty is st.PenaltyName.REVERSE_KL

    @property
    def deviation(self) -> str:
        """What advantages are divided by, in words."""
        if self.batch is not None:
            return f"the batch's deviation + {self.batch:g}"
        if not self.scaled:
            return "no deviation" + (", leave-one-out mean" if self.leave_one_out else "")
        whose = "the others' " if self.others_deviation else ""
        kind = "sample deviation" if self.sample_deviation else "deviation"
        if not self.guard:
            return whose + kind
        return f"√({whose}{kind}² + {self.guard:g})" if self.guard_inside else f"{whose}{kind} + {self.guard:g}"

    @cached_property
    def flow(self) -> SoftmaxFlow:
        """The softmax flow of one prompt; where the batch's deviation divides, for a deviation of 1."""
        whole = self.credit is not st.Credit.TOKEN and self.deciding > 1
        return SoftmaxFlow(self._gap, float(self.beta), self.direct, self.deciding, whole, self._weighing)

    @property
    def _weighing(self) -> Weighing:
        return Weighing(*self.lengths, self.over, self.constant, self.size if self.dynamic_sampling else 0)

    def course(self, rates: Floats, batch: Batch, steps: Sequence[int], times: Sequence[float]) -> Floats:
        """The success of rates strictly between 0 and 1 after each of ``steps``, in rows, the learning rates having
        added up to ``times``.

        Raises :class:`BadInput` for several updates that cannot be followed.
        """
        flow_times = np.asarray(times, dtype=np.float64) * self.pace
        if not self.stepwise:
            shape = (len(steps), len(rates))
            each = self.flow.after(np.tile(rates, len(steps)), np.repeat(flow_times, len(rates)))
            return np.asarray(each.reshape(shape))
        if self.updates > 1 and self.unfollowed:
            raise BadInput(
                f"predict has no equation of {self.updates} updates on a batch with {self.unfollowed} (--anyway takes "
                "all samples for those of the policy itself)"
            )
        slope = self.slope or (Slope.PLAIN if self.direct else Slope.K3)
        steps_of = Updates(self.flow, self.updates, self.clipping, slope, self.batch)
        return steps_of.course(rates, batch, steps, flow_times.tolist())

    @property
    def in_closed_form(self) -> bool:
        """Whether the end is a fixed point that :meth:`solve` finds."""
        known = math.isinf(self.size) or self.size <= st.LARGEST_GROUP
        return known and self.beta > 0 and self.deciding == 1 and self._weighing.even and not self.others_deviation

    @property
    def undivided_gap(self) -> float:
        """The gap where advantages are divided by nothing, or by a deviation of the batch that is 1."""
        return 1.0 if self.leave_one_out else 1.0 - 1.0 / self.size

    def flow_of_gap(self, height: float) -> SoftmaxFlow:
        """The flow where the gap has this constant height: that of a batch whose deviation is known."""
        return replace(self.flow, gap=constant(height))

    @property
    def _gap(self) -> Gap:
        size = self.size
        if not self.scaled:
            return constant(np.float64(self.undivided_gap))
        if math.isinf(size):
            return of_population(np.float64(self.guard), self.guard_inside)
        if self.others_deviation:
            return of_others(self.guard, int(size), self.sample_deviation)
        if size > st.LARGEST_GROUP:
            return of_many(self.guard, int(size), self.guard_inside, self.sample_deviation)
        table = of_group(np.array([self.guard]), int(size), self.guard_inside, self.sample_deviation)
        return take(table, 0)

    def solve(self, rates: Floats) -> Any:
        """What best responses reach from pass rates strictly between 0 and 1; the fixed points are the rest points of
        the flow of one token. With β = 0, where there are none, those of β = 1.
        """
        forward = self.penalty is st.PenaltyName.FORWARD_KL
        penalty = st.PenaltyName.K3 if forward and not self.best_responses else self.penalty
        strength = self.beta if self.best_responses or self.beta != 0 else 1.0
        if self.leave_one_out:
            strength *= 1 - 1 / self.size
        return success_limit(
            rates,
            strength,
            self.guard,
            group_size=self.group_size,
            penalty=str(penalty),
            guard_inside=self.guard_inside,
            scaled=self.scaled,
            sample_deviation=self.sample_deviation,
            backend=self.backend,
            device=self.device,
        )


def settings_of(of: st.Setting, tokens: int = 1, **beside: Any) -> Settings:
    """The training that a setting is for one prompt, of which every text has ``tokens`` tokens; ``beside``: the fields
    of :class:`Settings` that no setting has (decisions, lengths, steps, learning rate, attempts).

    Raises :class:`BadInput` for what lets prompts move one another, and for what the flow has no equation of.
    """
    right, wrong = (beside.get(f"{name}_length") or tokens for name in ("right", "wrong"))
    if right == wrong == 1 and of.ratio in (st.Ratio.TEXT, st.Ratio.ROOT, st.Ratio.ROOT_TOKEN):
        of = replace(of, ratio=st.Ratio.TOKEN)  # one token: all ratios are one
    of, weight = st.of_one_reward(of)
    felt = _felt(of)
    penalty, beta = _penalty(of)
    if right != wrong:
        _check_balance(of, "right and wrong texts of different lengths")
    return Settings(
        beta=float(beta) / felt,
        group_size=of.group_size,
        penalty=penalty,
        tokens=tokens,
        pace=felt * float(weight),
        credit=_credit(of),
        dynamic_sampling=of.dynamic_sampling,
        updates=of.updates,
        **_aggregation(of, right, wrong),
        **_deviation(of),
        **_off_policy(of),
        **beside,
    )


def _no(what: str) -> BadInput:
    return BadInput(f"predict has no equation of {what}")


def _felt(of: st.Setting) -> float:
    """What the policy's term is multiplied by at ratio 1."""
    if isinstance(of.clip, st.RatioClip) and of.clip.delta is not None and of.clip.delta < 1:
        raise _no(f"delta = {of.clip.delta}, which takes the gradient of right texts away at ratio 1")
    return Clipping(st.Ratio.TOKEN, of.clip).at_one if isinstance(of.clip, st.CappedWeight) else 1.0


def _penalty(of: st.Setting) -> tuple[str, st.Number]:
    """Which of the two gradients the penalty has, with its β; a penalty without one is β = 0."""
    gradient, penalty = st.penalty_gradient(of), of.penalty
    if penalty is None or gradient in (st.PenaltyGradient.NONE, st.PenaltyGradient.NOWHERE):
        return st.PenaltyName.K3, 0
    if gradient is st.PenaltyGradient.OTHER or penalty.place is st.Place.REWARD:
        raise _no(f"{penalty.estimator.value} in the {penalty.place.value} with these weights")
    return (st.PenaltyName.K3 if gradient is st.PenaltyGradient.FORWARD else st.PenaltyName.REVERSE_KL), penalty.beta


def _check_balance(of: st.Setting, where: str) -> None:
    """Refuse baselines under which the expected advantage of all texts is not 0, which ``where`` needs."""
    if not of.advantages.balanced:
        raise _no(f"{where} with the baseline {of.advantages.baseline.value!r}")


def _off_policy(of: st.Setting) -> dict[str, Any]:
    """What several updates need to know of the ratio, or why they cannot be followed."""
    if of.updates == 1:
        return {}
    free = of.ratio is st.Ratio.LOG or of.denominator is st.Denominator.CURRENT
    known = free or (
        of.ratio in (st.Ratio.TOKEN, st.Ratio.ROOT)
        and isinstance(of.clip, st.RatioClip | st.CappedWeight | st.NoClip)
        and of.sampler_weight is None
    )
    if not known:
        return {"unfollowed": f"the ratio {of.ratio.value!r} and {type(of.clip).__name__}"}
    if not of.advantages.balanced:
        return {"unfollowed": f"the baseline {of.advantages.baseline.value!r}"}
    slope = _slope(of)
    clipping = Clipping(None if free else of.ratio, st.NoClip() if free else of.clip)
    return {"clipping": clipping, "slope": slope, "unfollowed": "" if slope else "this gradient of the penalty"}


def _slope(of: st.Setting) -> Slope | None:
    """The gradient of the penalty away from ratio 1; ``None`` where it is another."""
    penalty = of.penalty
    if penalty is None or st.penalty_gradient(of) is st.PenaltyGradient.NOWHERE:
        return Slope.K3 if penalty is None else None
    if penalty.place is not st.Place.LOSS or penalty.bounds != (None, None) or penalty.log_bounds != (None, None):
        return None
    if penalty.gradient is not st.Gradient.OWN:
        return Slope.PLAIN if penalty.gradient is st.Gradient.K2 else Slope.RATIO
    if penalty.weight is st.PenaltyWeight.NONE:
        return {st.Estimator.K3: Slope.K3, st.Estimator.K2: Slope.PLAIN}.get(penalty.estimator)
    if penalty.weight is st.PenaltyWeight.RATIO and penalty.estimator is st.Estimator.K3:
        return Slope.RATIO
    scored = penalty.weight is st.PenaltyWeight.SCORE and penalty.estimator is st.Estimator.K3
    return Slope.PLAIN if scored else None


def _credit(of: st.Setting) -> st.Credit:
    """Who pays for the divergence; what a token pays for those before it is a baseline, the same for all its values."""
    if of.penalty is None or of.penalty.place is not st.Place.ADVANTAGE:
        return st.Credit.TOKEN
    return of.penalty.credit


def _aggregation(of: st.Setting, right: float, wrong: float) -> dict[str, Any]:
    over = of.aggregation
    if over.over is st.Over.SUM:
        raise _no("a sum over the batch, whose pace is the size of the batch")
    if max(right, wrong) > 1 and of.ratio is st.Ratio.TEXT:
        raise _no("the ratio of a whole text, counted once for each of several tokens")
    return {"over": over.over, "constant": 1.0 if over.length is None else float(over.length)}


def _deviation(of: st.Setting) -> dict[str, Any]:
    how, scale = of.advantages, of.advantages.scale
    if how.whitening is not None:
        raise _no("advantages that are whitened over the batch: prompts then move one another")
    if how.pass_at_k is not None:
        raise _no("advantages of pass@k, of whose rest points tr-pass-rest speaks")
    left_out = how.baseline not in (st.Baseline.GROUP_MEAN, st.Baseline.LENGTH_WEIGHTED)
    if scale is None:
        return {"scaled": False, "leave_one_out": left_out}
    eps = float(scale.eps)
    if scale.of is st.Population.BATCH:
        if scale.guard is not st.Guard.OUTSIDE and eps:
            raise _no("a guard inside the deviation of the batch")
        return {"scaled": False, "leave_one_out": left_out, "batch": eps}
    others = scale.of is st.Population.OTHERS
    if left_out != others or (others and (not scale.skip_zero or scale.guard is not st.Guard.OUTSIDE)):
        raise _no(f"the baseline {how.baseline.value!r} with the deviation of the {scale.of.value}")
    if (least := scale.variance_below_floor(of.group_size)) is not None:
        smallest = f"whose least variance is {float(least):g}"
        raise _no(f"a floor of {eps:g} that groups of {of.group_size} feel, {smallest}")
    return {
        "guard": 0.0 if scale.guard is st.Guard.FLOOR else eps,
        "guard_inside": scale.guard is not st.Guard.OUTSIDE,
        "sample_deviation": scale.sample,
        "leave_one_out": others,
        "others_deviation": others,
    }
