"""What rewards, shares of groups and advantages must be, by the group's size and how it is normalised."""

from __future__ import annotations

import math
from collections.abc import Iterable

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.diagnose.expectations.base import constant_band, expectation, explained, odd
from grpo_symbolic.diagnose.findings import Band, Fault, Finding, Kind, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Array, Rows
from grpo_symbolic.diagnose.run import ALARM, Run, likely, stretch
from grpo_symbolic.errors import BadInput

__all__ = ["EXPECTATIONS"]

_SIZES = (2, 3, 4, 5, 6, 8, 10, 12, 16, 20, 24, 32, 48, 64, 96, 128)


def dead_share(rate: float, size: int) -> float:
    """The share of groups whose rewards are all equal: ``x^G + (1 − x)^G`` (``tr-kept-share``), for a pass ``rate`` x.

    >>> dead_share(0.5, 8)
    0.0078125
    """
    return float(rate**size + (1 - rate) ** size)


def _compared(run: Run) -> int | None:
    """How many rewards a text is compared with where the share is logged; ``None`` where it is not that of groups."""
    how = run.setting.advantages
    batch = how.scale is not None and how.scale.of is st.Population.BATCH
    if batch or how.rewards is st.Rewards.EACH_FIRST:
        return None
    others = run.log.trainer == "nemo-rl" and how.baseline is st.Baseline.LEAVE_ONE_OUT
    return run.setting.group_size - (1 if others else 0)


@expectation(Quantity.DEAD, Quantity.REWARD, claims=("tr-kept-share", "tr-kept-size"))
def groups_without_signal(run: Run) -> Finding | None:
    """The share is at least ``x^G + (1 − x)^G`` at the mean pass rate x, by convexity (Jensen)."""
    size = _compared(run)
    if size is None:
        return None
    dead, rows = run.log.of(Quantity.DEAD), run.log.where(Quantity.DEAD, Quantity.REWARD)
    if run.setting.dynamic_sampling:
        if run.log.trainer in ("nemo-rl", "openrlhf"):
            return None  # logged before the filter
        broken = rows & (dead > 0)
        text = "Groups with equal rewards are dropped and replaced"
        if broken.any():
            text = f"{text}, and {np.nanmax(dead):.3g} of them are there."
            return odd(run, Quantity.DEAD, text, (Fault.FILTER,), broken)
        return explained(Quantity.DEAD, text + ", and there are none.")
    if not run.binary:
        return None
    if run.texts is not None and run.texts % run.setting.group_size == 0 and run.log.window == 1:
        finding = _whole_groups(run, dead, rows)
        if finding is not None:
            return finding
    return _jensen(run, size, dead)


def _whole_groups(run: Run, dead: Array, rows: Rows) -> Finding | None:
    """The share is a whole number of groups."""
    size, texts = run.setting.group_size, run.texts or 0
    number = dead * texts / size
    broken = rows & (np.abs(number - np.round(number)) > 0.02)
    if not broken.any():
        return None
    whole = [g for g in _SIZES if texts % g == 0 and g != size]
    fits = [g for g in whole if np.abs(dead[rows] * texts / g - np.round(dead[rows] * texts / g)).max() < 0.02]
    other = f"; groups of {max(fits)} or fewer fit" if fits else ""
    text = (
        f"{texts} texts in groups of {size} are {texts // size} groups, and {dead[broken][0]:.4g} of them is no whole "
    )
    return odd(run, Quantity.DEAD, f"{text}number{other}.", (Fault.GROUP_SIZE,), broken)


def _jensen(run: Run, size: int, dead: Array) -> Finding | None:
    """The share against its least at the mean pass rate, over all rows and over each quarter of them."""
    count = len(dead)
    quarters = np.array_split(np.arange(count), 4) if count >= 40 else []
    parts = [np.arange(count), *quarters]
    lows, violation = np.zeros(count), ""
    for part in parts:
        share, reward = dead[part], run.log.of(Quantity.REWARD)[part]
        if not (np.isfinite(share).all() and np.isfinite(reward).all()):
            return None
        drawn = len(part) * run.groups * run.log.window
        rate, seen = float(np.clip(reward.mean(), 0, 1)), float(np.clip(share.mean(), 0, 1))
        low, high = likely(rate, drawn, ALARM / len(parts))
        least = dead_share(float(np.clip(0.5, low, high)), size)
        lows[part] = np.maximum(lows[part], least)
        if likely(seen, drawn, ALARM / len(parts))[1] < least and not violation:
            violation = f"At a mean pass rate of {rate:.3g} groups of {size} have equal rewards in "
            violation += f"{dead_share(rate, size):.3g} of the cases at least, and {seen:.3g} were logged."
    band = Band(Quantity.DEAD, run.log.steps, lows, np.ones(count))
    if violation:
        extremes = bool(np.isin(dead, (0.0, 1.0)).all())
        batch = (Fault.BATCH_DEVIATION, Fault.FILTER, Fault.GROUP_SIZE)
        faults = batch if extremes else (Fault.GROUP_SIZE, Fault.FILTER, Fault.BATCH_DEVIATION)
        return odd(run, Quantity.DEAD, violation, faults, None, band, Surety.BOUND)
    rate = float(np.clip(np.nanmean(run.log.of(Quantity.REWARD)), 0, 1))
    text = f"{np.nanmean(dead):.3g} of the groups teach nothing of the reward; groups of {size} at one pass rate of "
    text += f"{rate:.3g} would have {dead_share(rate, size):.3g}, and pass rates that differ have more."
    return explained(Quantity.DEAD, text, band, Surety.BOUND)


@expectation(Quantity.REWARD, claims=("by-gap-members",))
def mixed_groups(run: Run) -> Finding | None:
    """Where groups with equal rewards are dropped, the mean of rewards 0 and 1 lies between 1/G and 1 − 1/G."""
    if not (run.setting.dynamic_sampling and run.binary and run.log.trainer == "verl"):
        return None
    size, reward, rows = run.setting.group_size, run.log.of(Quantity.REWARD), run.log.where(Quantity.REWARD)
    low, high = 1 / size, 1 - 1 / size
    band = constant_band(run, Quantity.REWARD, rows, low, high)
    broken = rows & ((reward < low - 1e-6) | (reward > high + 1e-6))
    if broken.any():
        text = (
            f"A kept group of {size} has 1 to {size - 1} right texts, so their mean is from {low:.3g} to {high:.3g}; "
        )
        return odd(run, Quantity.REWARD, f"{text}{reward[broken][0]:.3g} was logged.", (Fault.FILTER,), broken, band)
    return explained(Quantity.REWARD, f"Of kept groups, so from {low:.3g} to {high:.3g}: no pass rate.", band)


@expectation(Quantity.REWARD)
def sum_of_rewards(run: Run) -> Finding | None:
    """The reward is the weighted sum of what the reward functions gave."""
    if not run.log.parts or run.setting.advantages.rewards is st.Rewards.EACH_FIRST:
        return None
    weights = run.setting.advantages.reward_weights or (1,) * len(run.log.parts)
    if len(weights) != len(run.log.parts) or (len(set(weights)) > 1):
        return None  # the log does not say which weight is whose
    total = float(weights[0]) * np.sum(list(run.log.parts.values()), axis=0)
    reward = run.log.of(Quantity.REWARD)
    rows = run.log.where(Quantity.REWARD) & np.isfinite(total)
    broken = rows & (np.abs(reward - total) > 1e-4 * np.maximum(np.abs(total), 1))
    if not broken.any():
        return explained(Quantity.REWARD, "It is the weighted sum of its parts.")
    shares = reward[broken] / np.where(total[broken] == 0, np.nan, total[broken])
    share = float(np.nanmedian(shares))
    if len(run.log.parts) > 1 and np.nanmax(np.abs(shares - share)) > 1e-3 * abs(share):
        text = "It is not the weighted sum of its parts: some texts have no reward of some of the functions."
        return Finding(Kind.OPEN, Quantity.REWARD, text)
    text = f"It is not the weighted sum of its parts, but {share:.4g} times that ({int(broken.sum())} rows)."
    return odd(run, Quantity.REWARD, text, (Fault.REWARD_SCALE,), broken)


@expectation(Quantity.REWARD, claims=("tr-step-climbs", "tr-none-rises"))
def direction_of_reward(run: Run) -> Finding | None:
    """Small steps raise the expected reward. For a mean reward that never falls the sum of (t − t̄) r_t has an
    expectation of at least 0, and it is below by chance as Hoeffding (1963) bounds it.
    """
    reward = run.log.of(Quantity.REWARD)
    if not run.binary or len(reward) < 12 or run.setting.dynamic_sampling or run.log.steps[0] > 2 * run.log.window:
        return None
    steps, seen = run.log.steps[np.isfinite(reward)], reward[np.isfinite(reward)]
    away = steps - steps.mean()
    drawn = run.groups * run.log.window
    most = math.sqrt(math.log(1 / ALARM) * float(away @ away) / (2 * drawn))
    trend, per = float(away @ np.clip(seen, 0, 1)), float(away @ away)
    text = f"Its slope is {trend / per:.2g} a step, and chance makes at most {most / per:.2g} of that"
    if trend < -most:
        sentence = f"Small steps raise the expected reward, and it falls. {text}, if prompts are drawn alike."
        faults = (Fault.SIGN, Fault.STEP_SIZE, Fault.PROMPTS)
        return odd(run, Quantity.REWARD, sentence, faults, surety=Surety.BOUND)
    if trend > most:
        return explained(Quantity.REWARD, f"It rises, as small steps make it. {text}.", surety=Surety.BOUND)
    sentence = f"{text}: it may rise, fall or rest; how fast it moves is the optimiser's."
    return Finding(Kind.OPEN, Quantity.REWARD, sentence, surety=Surety.BOUND)


@expectation(Quantity.REWARD, claims=("by-stationary-unique", "tr-guarded-stable", "tr-direct-rest"))
def rest_of_reward(run: Run) -> Finding | None:
    """Where the success of one answer of one token rests, from the pass rate at the start: no bound for a run."""
    from grpo_symbolic.numeric import predict

    if run.setting.penalty is None or not run.binary or len(run.log.steps) < 12:
        return None
    first, last = (float(np.clip(np.nanmean(run.log.of(Quantity.REWARD)[part]), 0, 1)) for part in run.ends)
    try:
        rest = float(predict([first], setting=run.setting).predicted[0])
    except BadInput:
        return None  # there is no equation for this setting
    text = f"From {first:.3g} one answer of one token would rest at {rest:.3g}, and the last rows have {last:.3g}: "
    text += (
        "prompts that differ, lengths, shared parameters and the optimiser move that, and no claim says by how much."
    )
    return Finding(Kind.OPEN, Quantity.REWARD, text, surety=Surety.RULE)


@expectation(Quantity.REWARD)
def range_of_rewards(run: Run) -> Finding | None:
    """Rewards that are said to be 0 or 1 have means from 0 to 1."""
    if not run.binary_by_caller:
        return None
    highest = np.fmax(run.log.of(Quantity.REWARD), run.log.of(Quantity.REWARD_HIGH))
    lowest = np.fmin(run.log.of(Quantity.REWARD), run.log.of(Quantity.REWARD_LOW))
    broken = (highest > 1 + 1e-6) | (lowest < -1e-6)
    if not broken.any():
        return None
    text = f"Rewards are said to be 0 or 1, and from {np.nanmin(lowest):.3g} to {np.nanmax(highest):.3g} were logged."
    return odd(run, Quantity.REWARD, text, (Fault.REWARD_SCALE,), broken)


def _ladder(size: int, how: st.Advantages) -> Array | None:
    """The advantages of a right and a wrong text among k right of G, shape (G − 1, 2) (``by-gap-members``)."""
    right = np.arange(1, size)
    rate = right / size
    deviation = np.sqrt(rate * (1 - rate))
    if how.scale is not None and how.scale.of is not st.Population.GROUP:
        return None
    if how.scale is not None and how.scale.sample:
        deviation = deviation * math.sqrt(size / (size - 1))
    eps = 0.0 if how.scale is None else float(how.scale.eps)
    guards = {
        st.Guard.OUTSIDE: deviation + eps,
        st.Guard.INSIDE: np.sqrt(deviation**2 + eps),
        st.Guard.FLOOR: np.sqrt(np.maximum(deviation**2, eps)),
    }
    below = np.ones(size - 1) if how.scale is None else guards[how.scale.guard]
    return np.stack([1 - rate, -rate], 1) * (stretch(how, size) / below)[:, None]


def _on(ladder: Array, high: Array, low: Array, steps: Iterable[int] | None = None) -> bool:
    """Whether every largest and every least advantage is one of the ladder's, or 0."""
    chosen = ladder if steps is None else ladder[list(steps)]

    def near(values: Array, rungs: Array) -> bool:
        off = np.abs(values[:, None] - np.append(rungs, 0.0)[None, :]).min(1)
        return bool((off <= 2e-3 * np.maximum(np.abs(values), 1)).all())

    return near(high, chosen[:, 0]) and near(low, chosen[:, 1])


@expectation(
    Quantity.ADVANTAGE_LOW,
    Quantity.ADVANTAGE_HIGH,
    claims=("by-gap-members", "by-norm-coefficients", "tr-guarded-any-rewards"),
)
def rungs_of_advantages(run: Run) -> Finding | None:
    """With rewards 0 and 1 an advantage is one of G − 1 numbers for right texts, and one of as many for wrong ones."""
    if not (run.binary and run.centred and run.log.window == 1):
        return None
    size, rows = run.setting.group_size, run.log.where(Quantity.ADVANTAGE_LOW, Quantity.ADVANTAGE_HIGH)
    low, high = run.log.of(Quantity.ADVANTAGE_LOW)[rows], run.log.of(Quantity.ADVANTAGE_HIGH)[rows]
    ladder = _ladder(size, run.setting.advantages)
    if ladder is None or not len(low):
        return None
    text = f"With rewards 0 and 1 in groups of {size} the largest advantage is {ladder[0, 0]:.4g}"
    if _on(ladder, high, low):
        mixed = high > 0
        even = size % 2 == 0 and mixed.sum() >= 20 and _on(ladder, high, low, range(1, size - 1, 2))
        if even:
            sentence = (
                f"In each of {int(mixed.sum())} steps the scarcest and the commonest success of a mixed group is an "
            )
            sentence += "even number of texts; of independent texts about half would be odd."
            return odd(run, Quantity.ADVANTAGE_HIGH, sentence, (Fault.DUPLICATES,), surety=Surety.RULE)
        return explained(Quantity.ADVANTAGE_HIGH, f"{text}, and all that were logged are of its {size - 1} steps.")
    sentence = (
        f"{text}, of {size - 1} that can be, and {high[np.argmax(high)]:.4g} or others were logged that are none."
    )
    return odd(run, Quantity.ADVANTAGE_HIGH, sentence, _another(run, high, low, rows))


def _another(run: Run, high: Array, low: Array, rows: Rows) -> tuple[Fault, ...]:
    """Which other way of making advantages explains them."""
    how, size = run.setting.advantages, run.setting.group_size
    if (low > -1e-6).all():
        return (Fault.BASELINE, Fault.REWARD_SCALE)
    if how.scale is not None:
        bare = _ladder(size, st.Advantages(baseline=how.baseline, scale=None))
        if bare is not None and _on(bare, high, low):
            return (Fault.UNSCALED, Fault.GROUP_SIZE)
    for other in _SIZES:
        ladder = _ladder(other, how) if other != size else None
        if ladder is not None and _on(ladder, high, low):
            return (Fault.GROUP_SIZE, Fault.DUPLICATES)
    rate = run.log.of(Quantity.REWARD)[rows]
    spread = np.sqrt(rate * (1 - rate))
    steps = high * spread * size
    if np.isfinite(steps).all() and (np.abs(steps - np.round(steps)) < 0.1).mean() > 0.9:
        return (Fault.BATCH_DEVIATION, Fault.REWARD_SCALE)
    return (Fault.REWARD_SCALE, Fault.BATCH_DEVIATION, Fault.BASELINE)


@expectation(Quantity.ADVANTAGE, claims=("tr-loss-token-mean", "by-gap-members"))
def mean_of_advantages(run: Run) -> Finding | None:
    """Advantages of a group add up to 0: over tokens their mean is a covariance with the length."""
    how, spread = run.setting.advantages, run.spread()
    if not run.centred or spread is None or (how.scale is None and not run.binary):
        return None
    mean, rows = run.log.of(Quantity.ADVANTAGE), run.log.where(Quantity.ADVANTAGE, Quantity.LENGTH)
    most = stretch(how, run.setting.group_size) * spread / run.log.of(Quantity.LENGTH) + 2e-3
    band = Band(Quantity.ADVANTAGE, run.log.steps[rows], -most[rows], most[rows])
    broken = rows & (np.abs(mean) > most)
    if not broken.any():
        text = "Over tokens the advantages average a covariance with the length, within its bounds."
        return explained(Quantity.ADVANTAGE, text, band)
    text = f"Advantages of a group add up to 0, and over tokens they average {mean[broken][0]:.3g}, which the lengths "
    return odd(run, Quantity.ADVANTAGE, f"{text}do not explain.", (Fault.BASELINE, Fault.MASK), broken, band)


EXPECTATIONS = (
    groups_without_signal,
    mixed_groups,
    sum_of_rewards,
    direction_of_reward,
    rest_of_reward,
    range_of_rewards,
    rungs_of_advantages,
    mean_of_advantages,
)
