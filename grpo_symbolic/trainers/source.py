"""The loss of a setting as the text of a function for PyTorch, JAX or NumPy; :mod:`.losses` runs that very text.

The text holds only what the setting needs. Everything is in log space: masked positions never reach an exponential,
and exponentials saturate at the root of the largest number of the type (e^354 in float64, e^44 in float32), so that
products and sums of them stay finite and no product of 0 and ∞ arises.
"""

from __future__ import annotations

import math
from collections.abc import Iterator

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.libraries import LIBRARIES

__all__ = ["advantages_source", "penalty_source", "source"]

_OWN = "own = where(keep, logp, 0.0)"

_HEAD = '''\
def loss(
    logp, old_logp, ref_logp, mask, rewards, group, sampler_logp=None, greedy_rewards=None, advantages=None
):
    """{title}

    logp, old_logp, ref_logp, sampler_logp: log-probabilities of the sampled tokens, (B, T); an old_logp that is None
    stands for logp, held fixed. mask: 1 where a token counts, (B, T). rewards: (B,), or (B, K) for K rewards a text.
    group: the number of each text's prompt, (B,); groups must be whole. Of parts of groups, as gradient accumulation
    hands them on, give the advantages instead, (B,) or (B, T), with all that is charged to them; rewards may then be
    None. Returns one number of the type of logp, to be minimised; advantages stay in float32 at least.
    """'''

_WHOLE = "expected whole groups of {size} texts a prompt; of parts of groups give the advantages"
_ADVANTAGES_HEAD = '''\
def advantages(rewards, group, mask, greedy_rewards=None):
    """The advantage of each text, (B, 1).

    rewards: (B,), or (B, K) for K rewards a text. group: the number of each text's prompt, (B,). mask: 1 where a token
    counts, (B, T). greedy_rewards: (B,), for ReMax.
    """'''
_DIVERGENCE_HEAD = '''\
def divergence(logp, old_logp, ref_logp, mask, sampler_logp=None):
    """The estimator of the divergence from the reference at each token, without β, (B, T).

    logp, old_logp, ref_logp, sampler_logp: log-probabilities of the sampled tokens, (B, T); an old_logp that is None
    stands for logp, held fixed. mask: 1 where a token counts, (B, T).
    """'''


def source(setting: st.Setting, library: str = "torch", title: str = "") -> str:
    """The text of a module with the function ``loss(logp, old_logp, ref_logp, mask, rewards, group, sampler_logp=None,
    greedy_rewards=None, advantages=None)`` of a ``setting`` for a library, one of :data:`LIBRARIES`.

    ``title`` becomes the first line of the function's docstring. Raises :class:`BadInput` for another library.
    """
    check_kind(setting, st.Setting, "the setting", "a Setting: that of a trainer's options is read(…).setting")
    head = _HEAD.format(title=title or "The loss of a setting of group-relative policy optimisation.")
    return _module(library, head, list(_lines(setting)))


def advantages_source(how: st.Advantages, library: str = "torch") -> str:
    """The text of a module with the function ``advantages(rewards, group, mask, greedy_rewards=None)``, which gives
    (B, 1). Raises :class:`BadInput` for another library, and for pass@k, whose text depends on the group size.
    """
    if how.pass_at_k is not None:
        raise BadInput("advantages of pass@k depend on the group size: export the setting that has it")
    size = 3 if how.of_group else 1  # any size that is legal: the text does not depend on it
    lines = ["keep = mask > 0", "count = cast(keep, rewards)", "length = count.sum(-1)  # |o|, (B,)"]
    lines += _advantages(st.Setting(how, size, None))
    lines += _whiten(how.whitening) if how.whitening is not None else []
    return _module(library, _ADVANTAGES_HEAD, [*lines, "return advantage"])


def penalty_source(penalty: st.Penalty, library: str = "torch") -> str:
    """The text of a module with the function ``divergence(logp, old_logp, ref_logp, mask, sampler_logp=None)``: the
    estimator at each token, without β, (B, T); in the reward or advantage a constant of the update.

    Raises :class:`BadInput` for another library.
    """
    if penalty.place is st.Place.LOSS:
        lines = ["keep = mask > 0", _OWN]
        if penalty.weight is st.PenaltyWeight.RATIO:
            lines += _ratio(st.Setting(penalty=penalty, clip=st.NoClip()))
        lines += _penalty(penalty)
        return _module(library, _DIVERGENCE_HEAD, [*lines, "return where(keep, divergence, 0.0)"])
    lines = ["keep = mask > 0", "old = logp if old_logp is None else old_logp", *_charge(penalty)]
    return _module(library, _DIVERGENCE_HEAD, [*lines, "return where(keep, charge, 0.0)"])


def _module(library: str, head: str, lines: list[str]) -> str:
    if library not in LIBRARIES:
        raise BadInput(f"there is no backend {library!r}; expected one of {', '.join(LIBRARIES)}")
    if not any("own" in line for line in lines if line != _OWN):
        lines = [line for line in lines if line != _OWN]
    body = "\n".join(f"    {line}" for line in lines)
    used = _needed(LIBRARIES[library].losses, body)
    return ("import math\n" if "math." in used else "") + f"{used}\n\n\n{head}\n{body}\n"


def _needed(prelude: str, body: str) -> str:
    """The imports and those helpers that the body, or a helper it uses, calls."""
    imports, _, helpers = prelude.partition("\n\n\n")
    lines = {line.split("(")[0].removeprefix("def "): line for line in helpers.splitlines()}
    used: set[str] = set()
    calls = body
    while new := {name for name in lines if f"{name}(" in calls} - used:
        used |= new
        calls = "\n".join(lines[name].partition(": ")[2] for name in new)
    return "\n".join([imports, "\n", *(line for name, line in lines.items() if name in used)])


def _lines(of: st.Setting) -> Iterator[str]:
    yield "keep = mask > 0"
    yield "count = cast(keep, logp)"
    yield "length = count.sum(-1)  # |o|, (B,)"
    yield "if advantages is None:"
    for line in _advantage(of):
        yield f"    {line}"
    yield "else:"
    yield "    advantage = advantages if advantages.ndim == 2 else advantages[:, None]"
    yield "advantage = detach(wide(advantage, logp))"
    yield _OWN
    yield from _policy(of)
    if of.sampler_weight is not None:
        yield from _sampler(of.sampler_weight)
    if of.penalty is not None and of.penalty.place is st.Place.LOSS:
        yield from _penalty(of.penalty)
        if of.penalty.aggregation is None:
            yield f"term = term + {_f(of.penalty.beta)} * divergence"
    yield from _aggregate(of)


def _advantage(of: st.Setting) -> Iterator[str]:
    if of.penalty is not None and of.penalty.place is not st.Place.LOSS:
        yield "old = logp if old_logp is None else old_logp"
        yield from _charge(of.penalty)
    yield from _advantages(of)
    if of.advantages.of_group:
        yield f"if eager(size) and (size != {of.group_size}).any():"
        yield f'    raise ValueError("{_WHOLE.format(size=of.group_size)}")'
    if of.advantages.whitening is not None:
        yield from _whiten(of.advantages.whitening)


def _f(value: st.Number) -> str:
    return repr(float(value))


def _advantages(of: st.Setting) -> Iterator[str]:
    how, penalty = of.advantages, of.penalty
    yield "# Advantages."
    if how.of_group:
        yield "same = cast(group[:, None] == group[None, :], rewards)  # (B, B): texts of one prompt"
        yield "size = same.sum(-1)"
    if how.rewards is st.Rewards.EACH_FIRST:
        yield "reward = rewards if rewards.ndim == 2 else rewards[:, None]"
        yield "centred = reward - same @ reward / size[:, None]"
        yield from _divided_each(how.scale)
        yield from _weighted_sum(how, "each", "advantage")
    else:
        if how.reward_weights:
            yield from _weighted_sum(how, "rewards", "reward")
        else:
            yield "reward = rewards if rewards.ndim == 1 else rewards.sum(-1)"
        if penalty is not None and penalty.place is st.Place.REWARD:
            yield f"reward = reward - {_f(penalty.beta)} * cast(charge.sum(-1), reward)"
        if how.pass_at_k is not None:
            yield from _pass_at(how.pass_at_k, of.group_size)
        else:
            yield _BASELINES[how.baseline]
        if how.scale is not None:
            yield from _divided(how.scale)
    yield "advantage = advantage[:, None]  # (B, 1)"
    if penalty is not None and penalty.place is st.Place.ADVANTAGE:
        paid = {
            st.Credit.TEXT: "charge.sum(-1)[:, None]",
            st.Credit.TO_GO: "(charge.sum(-1)[:, None] - charge.cumsum(-1) + charge)",
            st.Credit.TOKEN: "charge",
        }[penalty.credit]
        yield f"advantage = advantage - {_f(penalty.beta)} * {paid}"


_BASELINES = {
    st.Baseline.GROUP_MEAN: "advantage = reward - same @ reward / size",
    st.Baseline.LEAVE_ONE_OUT: "advantage = reward - (same @ reward - reward) / (size - 1)",
    st.Baseline.LENGTH_WEIGHTED: "advantage = reward - same @ (cast(length, reward) * reward) "
    "/ (same @ cast(length, reward))",
    st.Baseline.GREEDY: "advantage = reward - greedy_rewards",
    st.Baseline.BATCH_MEAN: "advantage = reward - reward.mean()",
    st.Baseline.NONE: "advantage = reward",
}


def _weighted_sum(how: st.Advantages, of: str, name: str) -> Iterator[str]:
    if how.reward_weights:
        terms = (f"{_f(w)} * {of}[:, {k}]" for k, w in enumerate(how.reward_weights))
        yield f"{name} = {' + '.join(terms)}"
    else:
        yield f"{name} = {of}.sum(-1)"


def _pass_at(k: int, group_size: int) -> Iterator[str]:
    """What a text adds to the best of k: it must be the best, and the loss is what it beats the second best by."""
    if k == 1:
        yield "advantage = reward"
        return
    ways = [math.comb(group_size - 1 - rank, k - 2) / math.comb(group_size - 1, k - 1) for rank in range(group_size)]
    yield "order = same.cumsum(-1)"
    yield "earlier = order < order.diagonal()[:, None]  # ties by position"
    yield "equal = reward[None, :] == reward[:, None]"
    yield "ahead = (reward[None, :] > reward[:, None]) | (equal & earlier)"
    yield "rank = (cast(ahead, reward) * same).sum(-1)  # texts of the group that come before"
    yield f"chance = table({ways!r}, rank)  # that this text is the second best of k"
    yield "beats = cast(reward[:, None] > reward[None, :], reward) * same"
    yield "advantage = (beats * (reward[:, None] - reward[None, :]) * chance[None, :]).sum(-1)"


def _variance(scale: st.Scale) -> Iterator[str]:
    less = " - 1" if scale.sample else ""
    if scale.of is st.Population.GROUP:
        yield "mean = same @ reward / size"
        yield f"variance = ((reward[None, :] - mean[:, None]) ** 2 * same).sum(-1) / (size{less})"
    elif scale.of is st.Population.OTHERS:
        yield "mean = (same @ reward - reward) / (size - 1)"
        yield "squares = ((reward[None, :] - mean[:, None]) ** 2 * same).sum(-1) - (reward - mean) ** 2"
        count = "at_least(size - 2, 1.0)" if scale.sample else "(size - 1)"
        yield f"variance = at_least(squares, 0.0) / {count}"
    else:
        yield f"variance = ((reward - reward.mean()) ** 2).sum() / (reward.shape[0]{less})"


def _guarded(eps: st.Number, guard: st.Guard) -> str:
    if guard is st.Guard.OUTSIDE:
        return f"sqrt(variance) + {_f(eps)}" if eps else "sqrt(variance)"
    if not eps:
        return "sqrt(variance)"
    return f"sqrt(variance + {_f(eps)})" if guard is st.Guard.INSIDE else f"sqrt(at_least(variance, {_f(eps)}))"


def _divided(scale: st.Scale) -> Iterator[str]:
    yield from _variance(scale)
    yield f"deviation = {_guarded(scale.eps, scale.guard)}"
    if scale.skip_zero:
        yield "advantage = advantage / where(variance > 0, deviation, 1.0)"
    elif scale.eps:
        yield "advantage = advantage / deviation"
    elif scale.of is st.Population.OTHERS:
        yield "advantage = where(deviation > 0, advantage / where(deviation > 0, deviation, 1.0), 0.0)  # 0/0 is 0"
    else:  # the deviation of equal rewards may be a rounding error
        counted = " * same" if scale.of is st.Population.GROUP else ""
        yield f"differ = (cast(reward[None, :] != reward[:, None], reward){counted}).sum(-1) > 0"
        yield "advantage = where(differ, advantage / where(differ, deviation, 1.0), 0.0)  # 0/0 is 0"


def _divided_each(scale: st.Scale | None) -> Iterator[str]:
    if scale is None:
        yield "each = centred"
        return
    less = " - 1" if scale.sample else ""
    yield f"variance = same @ centred**2 / (size{less})[:, None]"
    yield f"deviation = {_guarded(scale.eps, scale.guard)}"
    yield "each = centred / where(deviation > 0, deviation, 1.0)"


def _whiten(how: st.Whitening) -> Iterator[str]:
    yield "# Whitened over the batch."
    yield "weight = cast(count, advantage)" if how.over is st.Elements.TOKENS else "weight = advantage * 0 + 1"
    yield "total = weight.sum()"
    yield "advantage = advantage - (advantage * weight).sum() / total"
    if how.scale:
        less = " - 1" if how.sample else ""
        yield f"variance = (advantage**2 * weight).sum() / (total{less})"
        yield f"deviation = {_guarded(how.eps, how.guard)}"
        divisor = "deviation" if how.eps else "where(deviation > 0, deviation, 1.0)"
        yield f"advantage = advantage / {divisor}"


def _policy(of: st.Setting) -> Iterator[str]:
    yield "# The term of the policy."
    if of.ratio is st.Ratio.LOG:
        yield "term = -advantage * own"
        return
    yield from _ratio(of)
    if isinstance(of.clip, st.RatioClip):
        yield from _clipped(of.clip)
    elif isinstance(of.clip, st.CappedWeight):
        yield f"term = -detach({_between('ratio', of.clip.floor, of.clip.cap)}) * advantage * own"
    elif isinstance(of.clip, st.SoftGate):
        yield f"heat = where(advantage > 0, advantage * 0 + {_f(of.clip.tau_pos)}, {_f(of.clip.tau_neg)})"
        yield "term = -advantage * sigmoid(heat * (ratio - 1)) * 4 / heat"
    else:
        yield "term = -advantage * ratio"


def _ratio(of: st.Setting) -> Iterator[str]:
    below = {
        st.Denominator.OLD: "detach(logp if old_logp is None else old_logp)",
        st.Denominator.SAMPLER: "detach(logp if sampler_logp is None else sampler_logp)",
        st.Denominator.CURRENT: "detach(logp)",
    }[of.denominator]
    yield f"step = where(keep, logp - {below}, 0.0)"
    if of.log_bound is not None:
        yield f"step = at_least(at_most(step, {_f(of.log_bound)}), -{_f(of.log_bound)})"
    if of.ratio is st.Ratio.TEXT:
        yield "step = step.sum(-1)[:, None]"
    elif of.ratio is st.Ratio.ROOT:
        yield "step = (step.sum(-1) / at_least(length, 1.0))[:, None]"
    elif of.ratio is st.Ratio.ROOT_TOKEN:
        yield "step = detach(step.sum(-1) / at_least(length, 1.0))[:, None] + (own - detach(own))"
    elif of.ratio is st.Ratio.GEOMETRIC:
        if isinstance(of.clip, st.LogClip):
            up, down = f"at_most(step, {_f(of.clip.high)})", f"at_least(step, -{_f(of.clip.low)})"
            yield f"step = where(advantage >= 0, {up}, {down})"
        yield "step = (step.sum(-1) / at_least(length, 1.0))[:, None]"
    yield "ratio = exp(step)"


def _between(name: str, lower: st.Number | None, upper: st.Number | None) -> str:
    inner = name if upper is None else f"at_most({name}, {_f(upper)})"
    return inner if lower is None else f"at_least({inner}, {_f(lower)})"


def _clipped(clip: st.RatioClip) -> Iterator[str]:
    below, above = clip.bounds
    if clip.delta is not None:
        rise: st.Number | None = clip.delta if above is None else min(clip.delta, above)
        cap: st.Number | None = None if above is None else max(clip.delta, above)
    else:
        rise, cap = above, clip.dual
    yield f"good, bad = {_between('ratio', None, rise)}, {_between('ratio', below, cap)}"
    yield "term = -advantage * where(advantage >= 0, good, bad)"


def _sampler(weight: st.SamplerWeight) -> Iterator[str]:
    yield "# The importance weight of the sampler, detached."
    yield "drift = where(keep, detach(logp if old_logp is None else old_logp) - detach(sampler_logp), 0.0)"
    text = weight.level is st.WeightLevel.TEXT
    yield "weight = exp(drift.sum(-1))[:, None]" if text else "weight = exp(drift)"
    tested = "weight"
    if weight.by_text_mean:
        yield "mean_weight = exp(drift.sum(-1) / at_least(length, 1.0))[:, None]"
        tested = "mean_weight"
    if weight.mode is st.WeightMode.TRUNCATE:
        yield f"weight = {_between('weight', weight.lower, weight.upper)}"
    else:
        for bound, sign in ((weight.lower, ">="), (weight.upper, "<=")):
            if bound is not None:
                yield f"weight = where({tested} {sign} {_f(bound)}, weight, 0.0)"
    yield "term = term * weight"


def _estimator(penalty: st.Penalty, name: str) -> Iterator[str]:
    """``log_ratio`` is log(π_ref/π), which enters cut off as ``cut``."""
    cut = "log_ratio"
    if penalty.log_bounds != (None, None):
        yield f"cut = {_between('log_ratio', *penalty.log_bounds)}"
        cut = "cut"
    estimate = {
        st.Estimator.K1: f"-{cut}",
        st.Estimator.ABS: f"abs({cut})",
        st.Estimator.K2: f"{cut}**2 / 2",
        st.Estimator.K3: f"expm1({cut}) - {cut}",
    }[penalty.estimator]
    yield f"{name} = {estimate}"


def _charge(penalty: st.Penalty) -> Iterator[str]:
    yield "# The divergence of the policy that sampled, charged to its texts."
    yield "log_ratio = where(keep, detach(ref_logp) - detach(old), 0.0)"
    yield from _estimator(penalty, "charge")
    if penalty.bounds != (None, None):
        yield f"charge = {_between('charge', *penalty.bounds)}"


def _penalty(penalty: st.Penalty) -> Iterator[str]:
    yield "# The divergence from the reference."
    yield "log_ratio = where(keep, detach(ref_logp) - logp, 0.0)"
    k3 = penalty.estimator is st.Estimator.K3 and penalty.log_bounds == (None, None)
    if penalty.weight is st.PenaltyWeight.RATIO and k3:
        # Far below the reference k3 overflows though its product with the ratio does not.
        yield "near = at_most(log_ratio, 1.0)"
        yield "far = exp(log_ratio + step) - ratio * (1 + log_ratio)"
        yield "divergence = where(log_ratio > 1, far, ratio * (expm1(near) - near))"
    else:
        yield from _estimator(penalty, "divergence")
        yield from _weighted(penalty)
    if penalty.bounds != (None, None):
        yield f"divergence = {_between('divergence', *penalty.bounds)}"
    if penalty.gradient is not st.Gradient.OWN:
        yield "square = log_ratio**2 / 2"
        if penalty.gradient is st.Gradient.WEIGHTED_K2:
            moved = "exp(where(keep, detach(logp) - detach(logp if old_logp is None else old_logp), 0.0))"
            yield f"square = {_between(moved, None, penalty.gradient_cap)} * square"
        yield "divergence = detach(divergence) + (square - detach(square))"


def _weighted(penalty: st.Penalty) -> Iterator[str]:
    if penalty.weight is st.PenaltyWeight.NONE:
        return
    if penalty.weight is st.PenaltyWeight.RATIO:
        yield "divergence = ratio * divergence"
        return
    if penalty.weight is st.PenaltyWeight.SCORE:
        yield "moved = exp(own - detach(own))  # 1, and the gradient of the sampling probability"
    else:
        yield "moved = exp(where(keep, logp - detach(sampler_logp), 0.0))"
    if penalty.weight is st.PenaltyWeight.SAMPLER_DETACHED:
        yield "moved = detach(moved)"
    elif penalty.log_bounds != (None, None):
        yield "moved = where(log_ratio == cut, moved, detach(moved))"
    yield "divergence = moved * divergence"


def _aggregate(of: st.Setting) -> Iterator[str]:
    yield "# One number."
    own = None if of.penalty is None else of.penalty.aggregation
    if st.Over.PROMPT_TOKENS in (of.aggregation.over, None if own is None else own.over):
        yield "alike = cast(group[:, None] == group[None, :], logp)"
    yield "tokens = (term * count).sum(-1)"
    if of.penalty is None or own is None:
        yield f"return cast({_total(of.aggregation, 'tokens')}, logp)"
        return
    yield "charged = (divergence * count).sum(-1)"
    total = f"{_total(of.aggregation, 'tokens')} + {_f(of.penalty.beta)} * {_total(own, 'charged')}"
    yield f"return cast({total}, logp)"


def _total(how: st.Aggregation, name: str) -> str:
    texts = "length.shape[0]" if how.empty_count else "at_least(cast(length > 0, logp).sum(), 1.0)"
    return {
        st.Over.TEXT_MEAN: f"({name} / at_least(length, 1.0)).sum() / {texts}",
        st.Over.PROMPT_TOKENS: f"({name} / at_least(alike @ length, 1.0)).sum() / (1 / alike.sum(-1)).sum()",
        st.Over.BATCH_TOKENS: f"{name}.sum() / at_least(length.sum(), 1.0)",
        st.Over.CONSTANT: f"{name}.sum() / ({texts} * {how.length})",
        st.Over.TEXT_SUM: f"{name}.sum() / {texts}",
        st.Over.SUM: f"{name}.sum()",
    }[how.over]
