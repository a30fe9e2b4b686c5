"""What the logged divergence from the reference must be."""

from __future__ import annotations

import math

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.diagnose.expectations.base import constant_band, expectation, explained, odd
from grpo_symbolic.diagnose.findings import Fault, Finding, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.run import NOT_NEGATIVE, Run, divergence

__all__ = ["EXPECTATIONS"]

_START = 2e-3  # nats a token: what bf16 makes of a policy that is its own reference
_SAME = 1e-6  # nats a token: two policies with the same weights under the same arithmetic


def _at_start(run: Run) -> bool:
    """Whether the first row is the first step alone."""
    return run.log.window == 1 and run.log.steps[0] <= 1


def _synchronised(run: Run) -> bool:
    """Whether the options move the reference."""
    return run.unmodelled("reference", "follows")


@expectation(Quantity.KL, claims=("by-div-values", "pt-gibbs"))
def divergence_at_the_start(run: Run) -> Finding | None:
    """Before the first update the policy is the reference, and every estimator is 0."""
    if not _at_start(run) or run.setting.updates > 1:
        return None
    first = float(run.log.of(Quantity.KL)[0])
    if not math.isfinite(first):
        return None
    if abs(first) <= _START:
        return explained(Quantity.KL, "At the first step the policy is the reference, and it is 0.", surety=Surety.RULE)
    text = f"At the first step the policy is the reference, so that it is 0 up to rounding; {first:.3g} was logged."
    return odd(run, Quantity.KL, text, (Fault.REFERENCE_START, Fault.SAMPLER, Fault.MASK), surety=Surety.RULE)


@expectation(Quantity.KL, claims=("tr-chain-many-tokens", "by-div-values"))
def sign_of_divergence(run: Run) -> Finding | None:
    """k2, k3 and |d| are never negative; k1 may be, for a sample."""
    penalty = run.setting.penalty
    if penalty is None or penalty.estimator not in NOT_NEGATIVE:
        return None
    kl, rows = run.log.of(Quantity.KL), run.log.where(Quantity.KL)
    band = constant_band(run, Quantity.KL, rows, 0.0, math.inf)
    broken = rows & (kl < -1e-6)
    if broken.any():
        text = f"{penalty.estimator} is never negative, and {np.nanmin(kl):.3g} was logged ({int(broken.sum())} rows)."
        return odd(run, Quantity.KL, text, (Fault.KL_ESTIMATOR, Fault.KL_SIGN), broken, band)
    return explained(Quantity.KL, f"{penalty.estimator} is never negative, and so it is here.", band)


@expectation(Quantity.KL, claims=("pt-gibbs", "by-div-values"))
def divergence_that_stays_zero(run: Run) -> Finding | None:
    """Once the policy has moved it is not the reference."""
    kl = run.log.of(Quantity.KL)[1:]
    if len(kl) < 5 or not np.isfinite(kl).all() or np.abs(kl).max() > 0:
        return None
    (_, low, high), (_, least, most) = (run.rate(part) for part in run.ends)
    rose = bool(run.binary) and (least > high or most < low)
    faults = (Fault.REFERENCE_MOVES, Fault.STANDSTILL) if rose else (Fault.STANDSTILL, Fault.REFERENCE_MOVES)
    text = f"It is 0 in all {len(kl)} rows after the first: the policy is its reference still."
    if _synchronised(run):
        return explained(Quantity.KL, f"{text} Your options move the reference.")
    return odd(run, Quantity.KL, text, faults)


@expectation(Quantity.KL, claims=("pt-gibbs", "by-div-values"))
def divergence_that_returns(run: Run) -> Finding | None:
    """A policy that has left its reference does not come back to it in every token."""
    kl = np.nan_to_num(run.log.of(Quantity.KL))
    masked = run.unmodelled("masked out")  # a step without a token has 0
    if _synchronised(run) or masked or len(kl) < 3:
        return None
    left = np.maximum.accumulate(kl) > _START
    broken = left & run.log.where(Quantity.KL) & (np.abs(kl) <= _SAME)
    if not broken.any():
        return None
    text = f"It was up to {kl.max():.3g}, and came back to 0 up to rounding ({int(broken.sum())} rows): the policy is "
    return odd(run, Quantity.KL, f"{text}its reference again.", (Fault.REFERENCE_MOVES,), broken, surety=Surety.RULE)


@expectation(Quantity.KL, Quantity.REWARD, Quantity.LENGTH, claims=("pt-kl-merged", "by-seq-values", "by-div-values"))
def divergence_against_reward(run: Run) -> Finding | None:
    """A pass rate that went from x to y takes a divergence of texts of at least that of one coin from the other."""
    penalty, reward = run.setting.penalty, run.log.of(Quantity.REWARD)
    estimates = penalty is not None and penalty.estimator is st.Estimator.K3
    average = not run.kl_as_loss or run.setting.aggregation.over is st.Over.BATCH_TOKENS
    if not estimates or not average or not run.binary or len(reward) < 12 or run.setting.dynamic_sampling:
        return None
    if run.log.steps[0] > 2 * run.log.window or run.cut:
        return None
    first, last = run.ends
    late = (run.log.of(Quantity.KL) * run.log.of(Quantity.LENGTH))[last]
    (before, low, high), (after, lowest, highest) = run.rate(first), run.rate(last)
    least = 0.0
    if lowest > high:
        least = divergence(lowest, high)
    elif highest < low:
        least = divergence(highest, low)
    mean, error = float(np.nanmean(late)), float(np.nanstd(late)) / math.sqrt(max(len(late) - 1, 1))
    text = f"The pass rate went from {before:.3g} to {after:.3g}, which takes at least {least:.3g} nats a text"
    if least == 0 or mean + 4 * error >= least:
        return explained(Quantity.KL, f"{text}; there are {mean:.3g}.", surety=Surety.RULE)
    sentence = f"{text} from a reference that stays; the log has {mean:.3g}, if prompts are drawn alike throughout."
    if _synchronised(run):
        return explained(Quantity.KL, f"{sentence} Your options move the reference.", surety=Surety.RULE)
    kl = run.log.of(Quantity.KL)
    peak = np.maximum.accumulate(np.nan_to_num(kl))
    fell = bool((kl < 0.5 * peak)[len(kl) // 4 :].any()) and float(np.nanmin(kl[len(kl) // 4 :])) < 0.4 * peak.max()
    faults = (Fault.REFERENCE_MOVES, Fault.KL_PADDED) if fell else (Fault.KL_PADDED, Fault.REFERENCE_MOVES)
    return odd(run, Quantity.KL, sentence, (*faults, Fault.PROMPTS), surety=Surety.RULE)


@expectation(Quantity.KL_COEF)
def weight_of_divergence(run: Run) -> Finding | None:
    """The weight that is logged is β."""
    if run.unmodelled("adapt"):
        return None
    beta, logged, rows = float(run.setting.beta), run.log.of(Quantity.KL_COEF), run.log.where(Quantity.KL_COEF)
    broken = rows & (np.abs(logged - beta) > 1e-6 * max(beta, 1e-6))
    if broken.any():
        text = f"β = {beta:g} by the options, and {logged[broken][0]:g} was logged."
        return odd(run, Quantity.KL_COEF, text, (Fault.BETA,), broken)
    return explained(Quantity.KL_COEF, f"β = {beta:g}, as the options say.")


EXPECTATIONS = (
    divergence_at_the_start,
    sign_of_divergence,
    divergence_that_stays_zero,
    divergence_that_returns,
    divergence_against_reward,
    weight_of_divergence,
)
