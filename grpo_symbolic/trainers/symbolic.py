"""The loss of a setting in SymPy, from the definitions of its parts: what the numeric functions are compared with.

A batch is given by the lengths of its texts, their rewards and prompts; its log-probabilities are the symbols ``ell``,
``ell_old``, ``ell_ref`` and ``ell_sampler`` of the notation. Where a trainer stops a gradient, ``ell_detached``
stands for ``ell``: the gradient is the derivative in ``ell``, after which the two are set equal.
"""

from __future__ import annotations

import itertools
from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import mpmath
import sympy as sp

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import ell, ell_detached, ell_old, ell_ref, ell_sampler
from grpo_symbolic.objectives.own import exact

__all__ = ["Batch", "SymbolicLoss", "symbolic_loss"]


@dataclass(frozen=True)
class Batch:
    """Texts of ``lengths`` tokens (0 for one that is masked out), with their ``rewards`` (a number, or one for each of
    several), the ``groups`` they belong to, and for ReMax the ``greedy`` reward of their prompt.

    Raises :class:`BadInput` where these do not have one entry a text.
    """

    lengths: tuple[int, ...]
    rewards: tuple[st.Number | tuple[st.Number, ...], ...]
    groups: tuple[int, ...]
    greedy: tuple[st.Number, ...] = ()

    def __post_init__(self) -> None:
        sizes = {len(self.lengths), len(self.rewards), len(self.groups)}
        if self.greedy:
            sizes.add(len(self.greedy))
        if len(sizes) != 1:
            raise BadInput(f"a batch needs one length, reward and group a text, got {sorted(sizes)} of them")

    @property
    def tokens(self) -> list[tuple[int, int]]:
        """The places (i, t) of all tokens."""
        return [(i, t) for i, length in enumerate(self.lengths) for t in range(length)]

    def group_of(self, text: int) -> list[int]:
        """The texts of the same prompt."""
        return [j for j, g in enumerate(self.groups) if g == self.groups[text]]


@dataclass(frozen=True)
class SymbolicLoss:
    """The loss of a batch: ``expression`` in the log-probabilities of the notation."""

    setting: st.Setting
    batch: Batch
    expression: sp.Expr

    def gradient(self, text: int, token: int) -> sp.Expr:
        """The derivative in one log-probability, what is detached being fixed."""
        return _released(sp.diff(self.expression, ell[text, token]), self.batch)

    def value(self) -> sp.Expr:
        """The loss as a number of the log-probabilities: what is detached has its value."""
        return _released(self.expression, self.batch)

    def at(self, point: Mapping[sp.Basic, float], digits: int = 30) -> tuple[float, dict[tuple[int, int], float]]:
        """The value, and the slope in each log-probability, where these have the values of ``point``; computed with
        that many digits. Where two branches of a minimum or maximum meet, their slopes count half each.
        """
        symbols, places = sorted(point, key=str), self.batch.tokens
        step = {"Heaviside": lambda x, half=0.5: half if x == 0 else int(x > 0)}
        wanted = [self.value(), *(self.gradient(i, t) for i, t in places)]
        compiled = sp.lambdify(symbols, wanted, [step, "mpmath"], cse=True)
        with mpmath.workdps(digits):
            value, *slopes = (float(x) for x in compiled(*(mpmath.mpf(point[symbol]) for symbol in symbols)))
        return value, dict(zip(places, slopes, strict=True))


def symbolic_loss(setting: st.Setting, batch: Batch) -> SymbolicLoss:
    """The loss of a setting on a batch, from the definitions (docstrings of :mod:`grpo_symbolic.setting`)."""
    advantages = _advantages(setting, batch)
    gains = {
        (i, t): -_weight(setting, batch, i, t) * _gain(setting, batch, i, t, advantages[i, t]) for i, t in batch.tokens
    }
    total = _aggregate(setting.aggregation, batch, gains)
    if setting.penalty is not None and setting.penalty.place is st.Place.LOSS:
        charges = {(i, t): _penalty(setting, setting.penalty, batch, i, t) for i, t in batch.tokens}
        total += _aggregate(setting.penalty.aggregation or setting.aggregation, batch, charges)
    return SymbolicLoss(setting, batch, total)


def _released(expression: sp.Expr, batch: Batch) -> sp.Expr:
    return expression.xreplace({ell_detached[i, t]: ell[i, t] for i, t in batch.tokens})


def _clamp(value: sp.Expr, lower: st.Number | None, upper: st.Number | None) -> sp.Expr:
    capped = value if upper is None else sp.Min(value, exact(upper))
    return capped if lower is None else sp.Max(capped, exact(lower))


def _root(variance: sp.Expr, eps: st.Number, guard: st.Guard) -> sp.Expr:
    if guard is st.Guard.INSIDE:
        return sp.sqrt(variance + exact(eps))
    return sp.sqrt(sp.Max(variance, exact(eps))) if guard is st.Guard.FLOOR else sp.sqrt(variance) + exact(eps)


def _mean(values: Sequence[sp.Expr]) -> sp.Expr:
    return sp.Add(*values) / len(values)


def _variance(values: Sequence[sp.Expr], sample: bool) -> sp.Expr:
    centre = _mean(values)
    return sp.Add(*((v - centre) ** 2 for v in values)) / (len(values) - (1 if sample else 0))


def _scaled(value: sp.Expr, values: Sequence[sp.Expr], scale: st.Scale) -> sp.Expr:
    variance = sp.S.Zero if len(values) == 1 else _variance(values, scale.sample)
    if variance == 0 and scale.skip_zero:
        return value
    deviation = _root(variance, scale.eps, scale.guard)
    return sp.S.Zero if deviation == 0 else value / deviation  # 0/0 is 0


def _rewards(setting: st.Setting, batch: Batch) -> list[sp.Expr]:
    how = setting.advantages
    rows = [[exact(v) for v in (row if isinstance(row, tuple) else (row,))] for row in batch.rewards]
    weights = [exact(w) for w in how.reward_weights] or [sp.S.One] * len(rows[0])
    if how.rewards is st.Rewards.SUM_FIRST:
        return [sp.Add(*(w * v for w, v in zip(weights, row, strict=True))) for row in rows]
    sums = []
    for i, row in enumerate(rows):
        each = []
        for k, value in enumerate(row):
            group = [rows[j][k] for j in batch.group_of(i)]
            centred = value - _mean(group)
            each.append(centred if how.scale is None else _scaled(centred, group, how.scale))
        sums.append(sp.Add(*(w * v for w, v in zip(weights, each, strict=True))))
    return sums


def _advantages(setting: st.Setting, batch: Batch) -> dict[tuple[int, int], sp.Expr]:
    how, penalty = setting.advantages, setting.penalty
    rewards = _rewards(setting, batch)
    charge: dict[tuple[int, int], sp.Expr] = {}
    if penalty is not None and penalty.place is not st.Place.LOSS:
        charge = {(i, t): exact(penalty.beta) * _charged(penalty, i, t) for i, t in batch.tokens}
    if penalty is not None and penalty.place is st.Place.REWARD:
        rewards = [r - sp.Add(*(charge[i, t] for t in range(batch.lengths[i]))) for i, r in enumerate(rewards)]
    made = (
        rewards
        if how.rewards is st.Rewards.EACH_FIRST
        else [_advantage(setting, batch, rewards, i) for i in range(len(rewards))]
    )
    table = {(i, t): made[i] for i, t in batch.tokens}
    if penalty is not None and penalty.place is st.Place.ADVANTAGE:
        for i, t in batch.tokens:
            first = {st.Credit.TEXT: 0, st.Credit.TO_GO: t, st.Credit.TOKEN: t}[penalty.credit]
            last = t + 1 if penalty.credit is st.Credit.TOKEN else batch.lengths[i]
            table[i, t] -= sp.Add(*(charge[i, s] for s in range(first, last)))
    return _whitened(setting, batch, table, made)


def _advantage(setting: st.Setting, batch: Batch, rewards: list[sp.Expr], text: int) -> sp.Expr:
    how, group = setting.advantages, batch.group_of(text)
    others = [j for j in group if j != text]
    if how.pass_at_k is not None:
        centred = _pass_at(how.pass_at_k, rewards, text, others)
    else:
        centred = rewards[text] - _baseline(how.baseline, batch, rewards, text)
    if how.scale is None:
        return centred
    counted = {st.Population.GROUP: group, st.Population.OTHERS: others, st.Population.BATCH: range(len(rewards))}[
        how.scale.of
    ]
    return _scaled(centred, [rewards[j] for j in counted], how.scale)


def _baseline(kind: st.Baseline, batch: Batch, rewards: list[sp.Expr], text: int) -> sp.Expr:
    group = batch.group_of(text)
    if kind is st.Baseline.GROUP_MEAN:
        return _mean([rewards[j] for j in group])
    if kind is st.Baseline.LEAVE_ONE_OUT:
        return _mean([rewards[j] for j in group if j != text])
    if kind is st.Baseline.LENGTH_WEIGHTED:
        lengths = batch.lengths
        return sp.Add(*(lengths[j] * rewards[j] for j in group)) / sum(lengths[j] for j in group)
    if kind is st.Baseline.GREEDY:
        return exact(batch.greedy[text])
    return _mean(rewards) if kind is st.Baseline.BATCH_MEAN else sp.S.Zero


def _pass_at(k: int, rewards: list[sp.Expr], text: int, others: list[int]) -> sp.Expr:
    """The mean over all choices of k − 1 other texts of the best reward with this text less that without it."""
    gains = []
    for chosen in itertools.combinations(others, k - 1):
        without = sp.Max(*(rewards[j] for j in chosen)) if chosen else sp.S.Zero
        gains.append((sp.Max(without, rewards[text]) if chosen else rewards[text]) - without)
    return _mean(gains)


def _whitened(
    setting: st.Setting, batch: Batch, advantages: dict[tuple[int, int], sp.Expr], made: list[sp.Expr]
) -> dict[tuple[int, int], sp.Expr]:
    how = setting.advantages.whitening
    if how is None:
        return advantages
    values = list(advantages.values()) if how.over is st.Elements.TOKENS else made
    centre = _mean(values)
    if not how.scale:
        return {place: value - centre for place, value in advantages.items()}
    deviation = _root(_variance(values, how.sample), how.eps, how.guard)
    return {place: sp.S.Zero if deviation == 0 else (value - centre) / deviation for place, value in advantages.items()}


def _estimate(penalty: st.Penalty, log_ratio: sp.Expr) -> sp.Expr:
    """The estimator at ``log_ratio`` = log(π_ref/π)."""
    cut = _clamp(log_ratio, *penalty.log_bounds)
    return {
        st.Estimator.K1: -cut,
        st.Estimator.ABS: sp.Abs(cut),
        st.Estimator.K2: cut**2 / 2,
        st.Estimator.K3: sp.exp(cut) - cut - 1,
    }[penalty.estimator]


def _charged(penalty: st.Penalty, i: int, t: int) -> sp.Expr:
    return _clamp(_estimate(penalty, ell_ref[i, t] - ell_old[i, t]), *penalty.bounds)


def _steps(setting: st.Setting, batch: Batch, i: int, current: sp.IndexedBase) -> list[sp.Expr]:
    below = {st.Denominator.OLD: ell_old, st.Denominator.SAMPLER: ell_sampler, st.Denominator.CURRENT: ell_detached}[
        setting.denominator
    ]
    steps = [current[i, t] - below[i, t] for t in range(batch.lengths[i])]
    return steps if setting.log_bound is None else [_clamp(s, -setting.log_bound, setting.log_bound) for s in steps]


def _ratio(setting: st.Setting, batch: Batch, i: int, t: int, current: sp.IndexedBase = ell) -> sp.Expr:
    steps = _steps(setting, batch, i, current)
    if setting.ratio is st.Ratio.TOKEN:
        return sp.exp(steps[t])
    if setting.ratio is st.Ratio.TEXT:
        return sp.exp(sp.Add(*steps))
    if setting.ratio is st.Ratio.ROOT:
        return sp.exp(_mean(steps))
    if setting.ratio is st.Ratio.ROOT_TOKEN:
        return sp.exp(_mean(_steps(setting, batch, i, ell_detached))) * sp.exp(ell[i, t] - ell_detached[i, t])
    raise BadInput(f"there is no ratio of a token for {setting.ratio.value!r}")


def _gain(setting: st.Setting, batch: Batch, i: int, t: int, advantage: sp.Expr) -> sp.Expr:
    """What a token adds to the objective, without the penalty."""
    clip = setting.clip
    if setting.ratio is st.Ratio.LOG:
        return advantage * ell[i, t]
    if setting.ratio is st.Ratio.GEOMETRIC:
        steps = _steps(setting, batch, i, ell)
        if isinstance(clip, st.LogClip):
            sign = sp.sign(advantage)
            steps = [sign * sp.Min(sign * s, sign * _clamp(s, -clip.low, clip.high)) for s in steps]
        return advantage * sp.exp(_mean(steps))
    if isinstance(clip, st.CappedWeight):
        detached = _clamp(_ratio(setting, batch, i, t, ell_detached), clip.floor, clip.cap)
        return detached * advantage * ell[i, t]
    ratio = _ratio(setting, batch, i, t)
    if isinstance(clip, st.SoftGate):
        heat = exact(clip.tau_pos if advantage > 0 else clip.tau_neg)
        return advantage * (4 / heat) / (1 + sp.exp(-heat * (ratio - 1)))
    return _pessimistic(clip, ratio, advantage) if isinstance(clip, st.RatioClip) else ratio * advantage


def _pessimistic(clip: st.RatioClip, ratio: sp.Expr, advantage: sp.Expr) -> sp.Expr:
    least = sp.Min(_clamp(ratio, None, clip.delta) * advantage, _clamp(ratio, *clip.bounds) * advantage)
    if clip.dual is None or advantage >= 0:
        return least
    return sp.Max(least, exact(clip.dual) * advantage)


def _weight(setting: st.Setting, batch: Batch, i: int, t: int) -> sp.Expr:
    how = setting.sampler_weight
    if how is None:
        return sp.S.One
    drift = [ell_old[i, s] - ell_sampler[i, s] for s in range(batch.lengths[i])]
    weight = sp.exp(sp.Add(*drift) if how.level is st.WeightLevel.TEXT else drift[t])
    if how.mode is st.WeightMode.TRUNCATE:
        return _clamp(weight, how.lower, how.upper)
    tested = sp.exp(_mean(drift)) if how.by_text_mean else weight
    inside = sp.And(
        sp.true if how.lower is None else tested >= exact(how.lower),
        sp.true if how.upper is None else tested <= exact(how.upper),
    )
    return sp.Piecewise((weight, inside), (0, True))


def _penalty(setting: st.Setting, penalty: st.Penalty, batch: Batch, i: int, t: int) -> sp.Expr:
    distance, weight = ell_ref[i, t] - ell[i, t], _penalty_weight(setting, penalty, batch, i, t)
    if penalty.weight is not st.PenaltyWeight.NONE and penalty.log_bounds != (None, None):
        weight = sp.Piecewise(
            (weight, sp.Eq(_clamp(distance, *penalty.log_bounds), distance)), (_detached(weight, batch, i), True)
        )
    value = _clamp(weight * _estimate(penalty, distance), *penalty.bounds)
    if penalty.gradient is st.Gradient.OWN:
        return exact(penalty.beta) * value
    square = distance**2 / 2
    if penalty.gradient is st.Gradient.WEIGHTED_K2:
        square *= _clamp(sp.exp(ell_detached[i, t] - ell_old[i, t]), None, penalty.gradient_cap)
    return exact(penalty.beta) * (_detached(value, batch, i) + square - _detached(square, batch, i))


def _penalty_weight(setting: st.Setting, penalty: st.Penalty, batch: Batch, i: int, t: int) -> sp.Expr:
    if penalty.weight is st.PenaltyWeight.NONE:
        return sp.S.One
    if penalty.weight is st.PenaltyWeight.RATIO:
        return _ratio(setting, batch, i, t)
    if penalty.weight is st.PenaltyWeight.SCORE:
        return sp.exp(ell[i, t] - ell_detached[i, t])
    current = ell_detached if penalty.weight is st.PenaltyWeight.SAMPLER_DETACHED else ell
    return sp.exp(current[i, t] - ell_sampler[i, t])


def _detached(expression: sp.Expr, batch: Batch, i: int) -> sp.Expr:
    return expression.subs({ell[i, t]: ell_detached[i, t] for t in range(batch.lengths[i])})


def _aggregate(how: st.Aggregation, batch: Batch, terms: dict[tuple[int, int], sp.Expr]) -> sp.Expr:
    lengths = batch.lengths
    texts = len(lengths) if how.empty_count else sum(length > 0 for length in lengths)
    sums = [sp.Add(*(terms[i, t] for t in range(length))) for i, length in enumerate(lengths)]
    if how.over is st.Over.TEXT_MEAN:
        return sp.Add(*(s / max(length, 1) for s, length in zip(sums, lengths, strict=True))) / texts
    if how.over is st.Over.PROMPT_TOKENS:
        prompts = sorted(set(batch.groups))
        means = []
        for prompt in prompts:
            members = [i for i, g in enumerate(batch.groups) if g == prompt]
            means.append(sp.Add(*(sums[i] for i in members)) / max(sum(lengths[i] for i in members), 1))
        return _mean(means)
    divisor: sp.Expr | int = {
        st.Over.BATCH_TOKENS: max(sum(lengths), 1),
        st.Over.CONSTANT: texts * (how.length or 1),
        st.Over.TEXT_SUM: texts,
        st.Over.SUM: 1,
    }[how.over]
    return sp.Add(*sums) / divisor
