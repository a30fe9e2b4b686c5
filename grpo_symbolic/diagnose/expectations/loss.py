"""What the loss and the clip must be where the ratio is 1."""

from __future__ import annotations

import math
from typing import NamedTuple

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.diagnose.expectations.base import constant_band, expectation, explained, odd
from grpo_symbolic.diagnose.findings import Band, Fault, Finding, Kind, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Array, Rows
from grpo_symbolic.diagnose.run import NOT_NEGATIVE, Run, stretch
from grpo_symbolic.reading import Part

__all__ = ["EXPECTATIONS"]

_ROUNDING = 2e-3  # of the mean |A|: sums of float32, and ratios of bf16 that are 1 on average
_OF_MEANS = 0.02  # of the KL: means of parts of a batch in place of the batch's
_ERRORS = 5  # standard errors: normal ones are passed once in 1.7 million
_FLOAT = 1e-5  # of a loss whose terms are 0
_SUMMED = 2e-3  # of the parts of a sum: as much as float32 and parts of a batch make of it
_SHARE = 1e-3  # a clip share below is rounding: bf16 cannot move a ratio by a usual range
_NARROW = 0.01  # a range that rounding in bf16 can leave, as GSPO has
_SHARE_OF_NARROW = 0.2  # of a narrow range clipped by rounding alone
_OLD = 5e-3  # nats a token: what rounding makes of a policy and itself
_EQUAL = 0.15  # what an identity may leave of the residual, as a share
_ALIKE = 0.4  # what a good explanation may leave of the residual, as a share


def _cancels(run: Run) -> bool:
    """Whether at ratio 1 the policy's part of a group is 0 and the rewards say how large its advantages are."""
    return run.centred and run.setting.advantages.rewards is st.Rewards.SUM_FIRST and st.cancels(run.setting)


def _size_of_advantages(run: Run) -> float | None:
    """A bound on the mean of |A| over a group, by Cauchy and Schwarz; for what is not divided, of rewards 0 and 1."""
    scale, size = run.setting.advantages.scale, run.setting.group_size
    factor = stretch(run.setting.advantages, size)
    if scale is None:
        return 0.5 * factor if run.binary else None
    sample = math.sqrt((size - 1) / size) if scale.sample and scale.of is st.Population.GROUP else 1.0
    return factor * sample


def _largest_advantage(run: Run) -> float:
    """The largest |A| that a group can have: one text alone, with the group's own deviation (``by-gap-members``); what
    is not divided, of rewards 0 and 1, is at most 1. Infinite where nothing bounds it.
    """
    scale, size = run.setting.advantages.scale, run.setting.group_size
    if scale is None and run.binary:
        return 1.0
    if scale is None or scale.of is not st.Population.GROUP:
        return math.inf
    return (size - 1) / math.sqrt(size) if scale.sample else math.sqrt(size - 1)


def _sizes(run: Run, size: float) -> Array:
    """A bound on the mean of |A| in each row: groups without signal have none (``tr-kept-share``). ``size``: that of
    one group, or, where the batch has one deviation, of the batch, whose other groups may have all of its square.
    """
    scale = run.setting.advantages.scale
    batch = scale is not None and scale.of is st.Population.BATCH
    return size * (np.sqrt(run.live) if batch else run.live)


def _logged_advantages(run: Run) -> Array:
    """The policy's part at ratio 1 where the log tells it, a number a row, else NaN: with a mean over the tokens of the
    batch it is minus the mean of the advantages over them (``tr-loss-token-mean``).
    """
    mean = run.log.of(Quantity.ADVANTAGE)
    exact = run.log.trainer in ("nemo-rl", "verl")  # verl before 0.9, which is not read: means of micro-batches
    weighed = run.setting.sampler_weight is not None
    token_mean = run.setting.aggregation.over is st.Over.BATCH_TOKENS
    if not exact or not token_mean or weighed:
        return np.full(len(mean), np.nan)
    passed_over = run.log.of(Quantity.VALID) < run.groups * run.setting.group_size  # they are in the logged mean
    return np.where(passed_over, np.nan, -mean)


def _allowed(run: Run, sizes: Array) -> Array | None:
    """How far from 0 the policy's part may be at ratio 1, a number a row: 0 for ``1/|o|``, else the covariance of
    advantage and length, at most ``mean |A| (L_max − L_min)/2`` over the denominator.
    """
    over, rows = run.setting.aggregation, np.zeros(len(run.log.steps))
    if over.over is st.Over.TEXT_MEAN:
        result = rows
    else:
        spread = run.spread()
        below = {
            st.Over.BATCH_TOKENS: run.log.of(Quantity.LENGTH),
            st.Over.CONSTANT: rows + float(over.length or 1),
            st.Over.TEXT_SUM: rows + 1.0,
        }
        if over.over not in below:
            return None
        result = np.where(sizes > 0, math.inf, 0.0) if spread is None else sizes * spread / below[over.over]
        if over.over is st.Over.BATCH_TOKENS:  # a mean of advantages, and groups may be parted
            largest = np.where(sizes > 0, _largest_advantage(run), 0.0)
            result = largest if over.micro_batch and not run.whole else np.minimum(result, largest)
    weighed = run.setting.sampler_weight is not None
    return np.where(sizes > 0, result + _weights(run) * _largest_advantage(run), 0.0) if weighed else result


def _weights(run: Run) -> Array:
    """How far importance weights of the sampler are from 1, at most, in each row; infinite where that is not logged."""
    off = [np.abs(run.log.of(q) - 1) for q in (Quantity.WEIGHT_LOW, Quantity.WEIGHT_HIGH) if run.log.has(q)]
    return np.max(off, axis=0) if len(off) == 2 else np.full(len(run.log.steps), np.inf)


def _charge(run: Run) -> tuple[Array, Array, Array] | None:
    """What the divergence adds to the loss, a number a row: at least, as the logged mean says, and at most. k2 and k3
    are not negative, so that another average of the same tokens lies within the ratios of the lengths. ``None`` where
    the log does not tell.
    """
    penalty, kl = run.setting.penalty, run.log.of(Quantity.KL)
    if penalty is None:
        return np.zeros(len(kl)), np.zeros(len(kl)), np.zeros(len(kl))
    if not run.log.has(Quantity.KL) or not (run.kl_as_loss or penalty.estimator in NOT_NEGATIVE):
        return None
    whole = float(penalty.beta) * kl
    if run.kl_as_loss:
        return whole, whole, whole
    over = (penalty.aggregation or run.setting.aggregation).over
    mean, least, most = (run.log.of(q) for q in (Quantity.LENGTH, Quantity.LENGTH_LOW, Quantity.LENGTH_HIGH))
    scales = {st.Over.CONSTANT: mean / float(run.setting.aggregation.length or 1), st.Over.TEXT_SUM: mean}
    scale = scales.get(over, np.ones(len(kl)))
    low, high = scale, scale
    if over is st.Over.TEXT_MEAN:
        low, high = mean / most, mean / np.maximum(least, 1)
    if not run.whole:  # a mean of the means of processes and of parts of a batch
        low, high = low * (least / mean), high * (most / mean)
    low, high = np.where(np.isnan(low), 0.0, low * whole), np.where(np.isnan(high), math.inf, high * whole)
    return low, scale * whole, np.where(np.isnan(whole), math.nan, high)


class _Expected(NamedTuple):
    """What is known of a series at ratio 1: between what it must lie, and where the rest of the log puts it."""

    quantity: Quantity
    low: Array
    high: Array
    middle: Array


def _expected(run: Run) -> _Expected | None:
    """What must hold of the policy's part of the loss, or of the whole loss, where the log has no such part."""
    quantity = Quantity.POLICY_LOSS if run.log.has(Quantity.POLICY_LOSS) else Quantity.LOSS
    size = _size_of_advantages(run)
    if not run.log.has(quantity) or not _cancels(run) or size is None:
        return None
    sizes, advantages = _sizes(run, size), _logged_advantages(run)
    allowed, nothing = _allowed(run, sizes), np.zeros(len(run.log.steps))
    charge = _charge(run) if quantity is Quantity.LOSS else (nothing, nothing, nothing)
    if allowed is None or charge is None:
        return None
    least, nominal, most = charge
    allowed, middle = np.where(np.isfinite(advantages), 0.0, allowed), np.nan_to_num(advantages)
    slack = _ROUNDING * sizes + _OF_MEANS * np.abs(nominal) + _FLOAT
    low, high = least + middle - allowed - slack, most + middle + allowed + slack
    return _Expected(quantity, low, high, middle + nominal)


def _misfit(residual: Array, shape: Array) -> tuple[float, float]:
    """The factor c for which c × shape is nearest to the residual, and the share of the residual that it leaves."""
    square = float(shape @ shape)
    if square == 0 or not np.isfinite(square):
        return 0.0, math.inf
    factor = float(residual @ shape) / square
    return factor, float(np.linalg.norm(residual - factor * shape)) / max(float(np.linalg.norm(residual)), 1e-300)


def _why(run: Run, quantity: Quantity, residual: Array, broken: Rows) -> tuple[Fault, ...]:
    """What the residual of the loss looks like, best first."""
    causes: list[tuple[float, Fault]] = []
    beta, size = float(run.setting.beta), _size_of_advantages(run) or 1.0
    kl, entropy, reward, clip = (
        run.log.of(q)[broken] for q in (Quantity.KL, Quantity.ENTROPY, Quantity.REWARD, Quantity.CLIP)
    )
    if quantity is Quantity.LOSS and beta and np.isfinite(kl).all():
        factor, left = _misfit(residual, kl)
        if left < _ALIKE:
            causes.append((left, _of_beta(run, factor)))
    if np.isfinite(entropy).all():
        factor, left = _misfit(residual, entropy)
        if factor < 0 and left < _EQUAL:
            causes.append((left, Fault.ENTROPY))
    if np.isfinite(reward).all() and _of_no_baseline(run, residual, reward):
        causes.append((0.0, Fault.BASELINE))
    if (residual < 0).all() and np.isfinite(_logged_advantages(run)[broken]).all():
        causes.append((0.05, Fault.UPDATES))  # each step on a batch lowers its loss
    if (np.abs(residual) > 2 * _largest_advantage(run)).any():
        causes.append((0.05, Fault.BASELINE))  # more than any centred and divided reward
    if (residual > 0).all() and np.isfinite(clip).any() and np.nanmean(clip) > _SHARE:
        causes.append((0.0, Fault.CLIP_RANGE))
    if (residual > 0).all() and not broken[0] and not beta:
        causes.append((0.1, Fault.HIDDEN_TERM))  # it grows from 0, as a divergence does
    spread = run.spread()
    covariance = math.inf if spread is None else size * spread[broken] / run.log.of(Quantity.LENGTH)[broken]
    within = bool((np.abs(residual) <= covariance).all())
    rest = (Fault.AGGREGATION, Fault.HIDDEN_TERM, Fault.MASK) if within else (Fault.HIDDEN_TERM, Fault.MASK)
    ranked = [fault for _, fault in sorted(causes, key=lambda pair: pair[0])]
    return tuple(dict.fromkeys([*ranked, *rest]))[:3]


def _slope(residual: Array, shape: Array) -> tuple[float, float]:
    """By how much the residual rises with the shape, by least squares, and the standard error of that."""
    around = shape - shape.mean()
    square = float(around @ around)
    if square == 0 or not np.isfinite(square):
        return 0.0, math.inf
    slope = float(residual @ around) / square
    left = residual - residual.mean() - slope * around
    return slope, math.sqrt(float(left @ left) / (len(left) - 2) / square)


def _shaped(run: Run, residual: Array, rows: Rows) -> tuple[str, tuple[Fault, ...]] | None:
    """What the policy's part follows though it may be anything in its band: the KL, where nothing but rounding is left
    to follow it; minus the reward, or the entropy.
    """
    if rows.sum() < 20:
        return None
    beta, kl = float(run.setting.beta), run.log.of(Quantity.KL)[rows]
    if beta and not run.log.has(Quantity.POLICY_LOSS) and np.isfinite(_logged_advantages(run)[rows]).all():
        slope, error = _slope(residual[rows], kl)
        if abs(slope) > _ERRORS * error + _OF_MEANS * beta:
            text = (
                f"It rises with the KL by {beta + slope:.3g} times it, with a standard error of {error:.2g}, and β is "
            )
            return f"{text}{beta:g}.", (_of_beta(run, slope),)
    for quantity, fault in ((Quantity.REWARD, Fault.BASELINE), (Quantity.ENTROPY, Fault.ENTROPY)):
        shape = run.log.of(quantity)[rows]
        if np.isfinite(shape).all():
            factor, left = _misfit(residual[rows], shape)
            if factor < 0 and left < _EQUAL:
                text = (
                    f"What the divergence leaves of it is {factor:.3g} times the {quantity}, up to {left:.2g} of it: "
                )
                return f"{text}a covariance of advantage and length has no reason to follow that.", (fault,)
    return None


def _of_no_baseline(run: Run, residual: Array, reward: Array) -> bool:
    """Whether it follows minus the mean reward, or, where a deviation of at most ½ divides, is twice that or more."""
    if run.setting.advantages.scale is None:
        factor, left = _misfit(residual, reward)
        return factor < 0 and left < _EQUAL
    return bool(run.binary and (residual <= -1.8 * reward).mean() > 0.9)


@expectation(claims=("tr-zero-loss", "tr-loss-token-mean", "tr-kept-share", "by-gap-members", "by-div-values"))
def loss_at_ratio_one(run: Run) -> Finding | None:
    """With one update on each batch the policy's part of the loss is 0, or minus a covariance with the length."""
    expected = _expected(run)
    if expected is None:
        return None
    quantity, low, high, middle = expected
    loss = run.log.of(quantity)
    rows = run.log.where(quantity) & ~np.isnan(low) & ~np.isnan(high)
    if not rows.any():
        return None
    band = Band(quantity, run.log.steps[rows], low[rows], high[rows])
    broken = rows & ((loss < low) | (loss > high))
    part = "β times the KL" if quantity is Quantity.LOSS and run.setting.penalty else "0"
    beside = "" if run.setting.aggregation.over is st.Over.TEXT_MEAN else " less a covariance of advantage and length"
    if broken.sum() <= (0 if run.log.window == 1 else 0.05 * rows.sum()):
        shape = _shaped(run, loss - middle, rows)
        if shape is not None:
            return odd(run, quantity, *shape, rows, band, Surety.RULE)
        if np.isinf(high[rows]).all():
            text = (
                f"At ratio 1 it is {part}{beside}, and what bounds that (lengths, importance weights) was not logged."
            )
            return Finding(Kind.OPEN, quantity, text)
        return explained(
            quantity, f"At ratio 1 it is {part}{beside}, and so it is here: it does not say how much is learnt.", band
        )
    added = [use for use in run.reading.left_out() if Part.LOSS in use.changes or "masked out" in use.why]
    if added:
        return explained(quantity, f"At ratio 1 it is {part}{beside}, and your options add {added[0].why}.", band)
    worst = int(np.argmax(np.where(broken, np.maximum(low - loss, loss - high), -np.inf)))
    return odd(
        run,
        quantity,
        f"At ratio 1 it is {part}{beside}, between {low[worst]:.4g} and {high[worst]:.4g} at step "
        f"{run.log.steps[worst]:g}, where {loss[worst]:.4g} was logged ({int(broken.sum())} of {int(rows.sum())} "
        "rows).",
        _why(run, quantity, (loss - middle)[broken], broken),
        broken,
        band,
    )


@expectation(Quantity.LOSS, Quantity.POLICY_LOSS)
def parts_of_loss(run: Run) -> Finding | None:
    """The loss is the policy's part and β times the KL, at every ratio and however tokens are averaged."""
    penalty, loss, policy = run.setting.penalty, run.log.of(Quantity.LOSS), run.log.of(Quantity.POLICY_LOSS)
    charged = penalty is not None and penalty.place is st.Place.LOSS
    if charged and not (run.kl_as_loss and run.log.has(Quantity.KL)):
        return None
    kl, entropy = run.log.of(Quantity.KL), run.log.of(Quantity.ENTROPY)
    charge = float(run.setting.beta) * kl if charged else np.zeros(len(loss))
    rest, rows = loss - policy - charge, np.isfinite(loss - policy - charge)
    broken = rows & (np.abs(rest) > _SUMMED * (np.abs(policy) + np.abs(charge)) + _FLOAT)
    text = "It is the policy's part" + (" and β times the KL" if charged else "")
    if not broken.any():
        return explained(Quantity.LOSS, f"{text}.") if rows.any() else None
    added = [use for use in run.reading.left_out() if Part.LOSS in use.changes]
    if added:
        return explained(Quantity.LOSS, f"{text}, and your options add {added[0].why}.")
    sentence, faults = f"{text} by the options; {rest[broken][0]:.3g} is left at step {run.log.steps[broken][0]:g}", []
    for shape, name in ((kl, "KL"), (entropy, "entropy")):
        factor, left = _misfit(rest[broken], shape[broken])
        if left < _EQUAL:
            sentence += f", {factor:.3g} times the {name}"
            faults.append(Fault.ENTROPY if name == "entropy" else _of_beta(run, factor))
            break
    return odd(run, Quantity.LOSS, f"{sentence} ({int(broken.sum())} rows).", (*faults, Fault.HIDDEN_TERM), broken)


def _of_beta(run: Run, factor: float) -> Fault:
    """What leaves ``factor`` times the KL beside β times it: less than none of it, or another β."""
    return Fault.KL_SIGN if run.setting.beta and factor < -1.2 * float(run.setting.beta) else Fault.BETA


def _clips(run: Run) -> bool:
    clip = run.setting.clip
    return isinstance(clip, st.RatioClip | st.LogClip) and run.setting.denominator is st.Denominator.OLD


def _wrong_side(run: Run, broken: Rows) -> bool:
    """Whether a share looks as if it were one at ratio 1: with 1/|o| the loss is positive, else the share is large."""
    loss = run.log.of(Quantity.LOSS)[broken]
    if run.setting.aggregation.over is st.Over.TEXT_MEAN and np.isfinite(loss).all():
        return bool((loss > 0).all())
    return float(np.median(run.log.of(Quantity.CLIP)[broken])) > 0.5


@expectation(Quantity.CLIP, claims=("tr-clip-first-step", "by-clip-near"))
def clip_share(run: Run) -> Finding | None:
    """At the first update on a batch nothing is clipped: of U updates at most U − 1 have a share."""
    if not _clips(run):
        return None
    updates, share = run.setting.updates, run.log.of(Quantity.CLIP)
    rows = run.log.where(Quantity.CLIP)
    eps = [e for e in (getattr(run.setting.clip, "eps_low", None), getattr(run.setting.clip, "eps_high", None)) if e]
    narrow = bool(eps) and min(map(float, eps)) < _NARROW
    surety = Surety.RULE if narrow else Surety.EXACT
    most = min((updates - 1) / updates + (_SHARE_OF_NARROW if narrow else _SHARE), 1.0)
    band = constant_band(run, Quantity.CLIP, rows, 0.0, most)
    broken = rows & (share > most)
    if not broken.any():
        ending = (
            "0: the ratio is 1" if updates == 1 else f"at most {updates - 1}/{updates}: at the first the ratio is 1"
        )
        text = f"With {updates} update{'s' * (updates > 1)} on a batch the clip share is {ending}; up to "
        return explained(Quantity.CLIP, f"{text}{np.nanmax(share):.3g} was logged.", band, surety)
    wrong_side = updates == 1 and bool(share[rows][0] > most) and _wrong_side(run, broken)
    order = (Fault.CLIP_RANGE, Fault.UPDATES) if wrong_side else (Fault.UPDATES, Fault.STALE, Fault.CLIP_RANGE)
    text = f"With {updates} update{'s' * (updates > 1)} on a batch at most {(updates - 1) / updates:.3g} of the tokens "
    sentence = f"{text}can be clipped, and {np.nanmax(share):.3g} was logged ({int(broken.sum())} rows)."
    return odd(run, Quantity.CLIP, sentence, order, broken, band, surety)


@expectation(Quantity.OLD_KL, claims=("tr-clip-first-step",))
def old_policy(run: Run) -> Finding | None:
    """With one update on each batch the policy is the one before the step."""
    if run.setting.updates > 1 or run.setting.denominator is not st.Denominator.OLD:
        return None
    off, rows = run.log.of(Quantity.OLD_KL), run.log.where(Quantity.OLD_KL)
    broken = rows & (np.abs(off) > _OLD)
    band = constant_band(run, Quantity.OLD_KL, rows, -_OLD, _OLD)
    if not broken.any():
        text = "With one update on a batch the policy is the one before the step, up to rounding."
        return explained(Quantity.OLD_KL, text, band, Surety.RULE)
    text = f"With one update on a batch the ratio is 1, and this is 0; {np.nanmax(np.abs(off)):.3g} was logged."
    return odd(run, Quantity.OLD_KL, text, (Fault.UPDATES, Fault.STALE), broken, band, Surety.RULE)


@expectation(Quantity.RATIO_LOW, Quantity.RATIO_HIGH, claims=("tr-clip-first-step", "tr-clip-sides"))
def range_of_the_ratio(run: Run) -> Finding | None:
    """With one update the ratio is 1; with several it leaves the clip range where it is free to."""
    clip = run.setting.clip
    if not isinstance(clip, st.RatioClip) or run.setting.denominator is not st.Denominator.OLD:
        return None
    low, high = run.log.of(Quantity.RATIO_LOW), run.log.of(Quantity.RATIO_HIGH)
    rows = run.log.where(Quantity.RATIO_LOW, Quantity.RATIO_HIGH)
    if run.setting.updates == 1:
        broken = rows & ((np.abs(low - 1) > 0.05) | (np.abs(high - 1) > 0.05))
        if broken.any():
            text = f"With one update on a batch every ratio is 1; up to {np.nanmax(high):.3g} was logged."
            return odd(run, Quantity.RATIO_HIGH, text, (Fault.UPDATES, Fault.STALE), broken, surety=Surety.RULE)
        return explained(Quantity.RATIO_HIGH, "With one update on a batch every ratio is 1.", surety=Surety.RULE)
    ends = ((high, clip.eps_high, 1), (low, clip.eps_low, -1))
    at_end = [rows & (np.abs(s - (1 + sign * float(eps))) < 1e-6) for s, eps, sign in ends if eps is not None]
    held = np.any(at_end, axis=0) if at_end else np.zeros(len(rows), dtype=bool)
    if held.sum() >= 3:
        text = f"In {int(held.sum())} rows the extreme ratio is exactly a bound of the clip: it was clipped before it "
        text += "came into the loss, so that tokens which moved the wrong way have no gradient back."
        return odd(run, Quantity.RATIO_HIGH, text, (Fault.DOUBLE_CLIP,), held)
    text = f"Ratios from {np.nanmin(low):.3g} to {np.nanmax(high):.3g}: they leave the range where nothing stops them."
    return explained(Quantity.RATIO_HIGH, text)


EXPECTATIONS = (loss_at_ratio_one, parts_of_loss, clip_share, old_policy, range_of_the_ratio)
