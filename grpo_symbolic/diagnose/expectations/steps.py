"""What the sampler, the gradient, the learning rate, lengths and the entropy must be."""

from __future__ import annotations

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.diagnose.expectations.base import constant_band, expectation, explained, odd
from grpo_symbolic.diagnose.findings import Fault, Finding, Kind, Surety
from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.run import NOT_NEGATIVE, Run

__all__ = ["EXPECTATIONS"]

_GAP = 0.05  # nats a token: engines of other precision are usually below 0.02
_GROWTH = 4  # how many times the first difference later ones may be
_LEFT = 2e-3  # nats a token: more than rounding makes of a policy that is its own reference
_GAP_OF_CHANCES = 0.02  # verl logs the difference of probabilities, usually below 0.01


@expectation(Quantity.GAP, claims=("tr-sampler-weights", "tr-sampler-bounds", "tr-top-p"))
def sampler_against_trainer(run: Run) -> Finding | None:
    """The engine that samples has the weights of the policy: the difference is that of the arithmetic."""
    gap, rows = run.log.of(Quantity.GAP), run.log.where(Quantity.GAP)
    values = gap[rows]
    if not len(values):
        return None
    most = _GAP_OF_CHANCES if run.log.trainer == "verl" else _GAP
    band = constant_band(run, Quantity.GAP, rows, 0.0, most)
    first, late = float(values[0]), float(np.quantile(values[1:], 0.8)) if len(values) > 1 else float(values[0])
    grew = len(values) > 4 and late > max(_GROWTH * first, most / 5)
    if max(first, late) <= most and not grew:
        text = f"{late:.2g} a token: the sampler is the policy, up to the arithmetic of its engine."
        return explained(Quantity.GAP, text, band, Surety.RULE)
    broken = rows & (gap > min(most, _GROWTH * first if grew else most))
    if run.cut:
        return explained(Quantity.GAP, f"{late:.2g} a token, and your options say why: {run.cut}.", band, Surety.RULE)
    if first <= most:
        text = f"{first:.2g} at the first step and {late:.2g} later: the sampler has weights of earlier steps."
        if run.unmodelled("older policies"):
            return explained(Quantity.GAP, f"{text} Your options sample so.", band, Surety.RULE)
        return odd(run, Quantity.GAP, text, (Fault.STALE, Fault.SAMPLER), broken, band, Surety.RULE)
    text = f"{first:.2g} a token at the first step, where both have the same weights: they do not compute the same law."
    faults = (Fault.MASK, Fault.SAMPLER) if _one_token_a_text(run) else (Fault.SAMPLER, Fault.MASK)
    return odd(run, Quantity.GAP, text, faults, broken, band, Surety.RULE)


def _one_token_a_text(run: Run) -> bool:
    """Whether few tokens make the difference. Weights of a law against another average 1, and those of a token that was
    not drawn do not. Without weights: by Cauchy and Schwarz a share of at least m²/(m² + s²) of the tokens differs,
    with the mean m and the deviation s, and one token in a text is a share of one over the length.
    """
    weight, length = run.log.of(Quantity.WEIGHT), run.log.of(Quantity.LENGTH)
    if np.isfinite(weight).any():
        return abs(float(np.nanmean(weight)) - 1) > 0.05
    mean, spread = run.log.of(Quantity.GAP), run.log.of(Quantity.GAP_STD)
    share = np.nanmedian(mean**2 / (mean**2 + spread**2)) if np.isfinite(spread).any() else 1.0
    return bool(np.isfinite(length).any() and share < 1.5 / np.nanmedian(length))


@expectation(Quantity.GRAD_NORM, claims=("tr-kept-share", "vy-s1-convention-00"))
def gradient(run: Run) -> Finding | None:
    """Groups with equal rewards have no gradient, and others have one."""
    norm, dead = run.log.of(Quantity.GRAD_NORM), run.log.of(Quantity.DEAD)
    rows = run.log.where(Quantity.GRAD_NORM)
    still = rows & (norm == 0)
    if still.sum() == rows.sum() and rows.sum() >= 3:
        text = f"It is 0 in all {int(rows.sum())} rows, whatever the rewards."
        return odd(run, Quantity.GRAD_NORM, text, (Fault.NO_GRADIENT, Fault.STANDSTILL), still)
    kl, penalty = run.log.of(Quantity.KL), run.setting.penalty
    charged = penalty is not None and penalty.place is st.Place.LOSS and penalty.estimator in NOT_NEGATIVE
    unmoved = still & (run.live == 0) & (kl > _LEFT)
    if charged and unmoved.any():
        text = "Where all groups have equal rewards β times the KL has a gradient, and its norm is 0 "
        return odd(
            run, Quantity.GRAD_NORM, f"{text}({int(unmoved.sum())} rows).", (Fault.BETA, Fault.NO_GRADIENT), unmoved
        )
    how = run.setting.advantages
    own = how.of_group and how.whitening is None and how.rewards is st.Rewards.SUM_FIRST
    own = own and (how.scale is None or how.scale.of is not st.Population.BATCH)
    if not (own and run.setting.penalty is None and run.log.window == 1 and run.log.has(Quantity.DEAD)):
        return None
    if run.unmodelled("bonus"):
        return None
    silent = rows & (dead == 1)
    lasting = silent & (norm > 1e-6)
    if lasting.any():
        text = "Where all groups have equal rewards and β is 0 nothing has a gradient, and its norm is "
        text += f"{norm[lasting].max():.3g} ({int(lasting.sum())} of {int(silent.sum())} such rows)."
        return odd(run, Quantity.GRAD_NORM, text, (Fault.HIDDEN_TERM, Fault.ENTROPY, Fault.BASELINE), lasting)
    if not silent.any():
        return Finding(
            Kind.OPEN, Quantity.GRAD_NORM, "How large it is depends on the parameters, and no claim says it."
        )
    return explained(
        Quantity.GRAD_NORM, f"It is 0 in the {int(silent.sum())} rows whose groups all have equal rewards."
    )


@expectation(Quantity.LEARNING_RATE)
def learning_rate(run: Run) -> Finding | None:
    """It is above 0, and not above that of the options."""
    rate, rows = run.log.of(Quantity.LEARNING_RATE), run.log.where(Quantity.LEARNING_RATE)
    if rows.any() and (rate[rows] == 0).all() and rows.sum() > 1:
        text = f"It is 0 in all {int(rows.sum())} rows: nothing is learnt."
        return odd(run, Quantity.LEARNING_RATE, text, (Fault.STANDSTILL, Fault.LEARNING_RATE))
    largest = run.option(run.named.rate)
    if not isinstance(largest, int | float) or isinstance(largest, bool):
        return None
    broken = rows & (rate > largest * (1 + 1e-6))
    if broken.any():
        text = f"{largest:g} by the options, and {np.nanmax(rate):g} was logged."
        return odd(run, Quantity.LEARNING_RATE, text, (Fault.LEARNING_RATE,), broken)
    return explained(Quantity.LEARNING_RATE, f"At most {largest:g}, as the options say.")


@expectation(Quantity.LENGTH_HIGH, claims=("tr-step-length-bias", "tr-step-aggregations"))
def lengths(run: Run) -> Finding | None:
    """No text is longer than the options allow; of wrong texts 1/|o| favours long ones."""
    longest, most = run.longest(), run.log.of(Quantity.LENGTH_HIGH)
    if longest is not None and np.nanmax(most) > longest:
        text = f"The options allow {longest:g} tokens, and {np.nanmax(most):g} were logged."
        return odd(run, Quantity.LENGTH_HIGH, text, (Fault.LENGTH, Fault.MASK), most > longest)
    mean = run.log.of(Quantity.LENGTH)
    first, last = run.ends
    grown = float(np.nanmean(mean[last]) / np.nanmean(mean[first])) if np.isfinite(mean).any() else 1.0
    if grown > 1.2 and run.setting.aggregation.over is st.Over.TEXT_MEAN:
        text = f"Texts became {grown:.2g} times as long; 1/|o| favours long wrong texts, which may be why."
        return explained(Quantity.LENGTH, text, surety=Surety.RULE)
    return None


@expectation(Quantity.ENTROPY, claims=("tr-entropy-rate", "tr-ties-winner", "tr-ties-conserved"))
def entropy(run: Run) -> Finding | None:
    """It is not negative; without a divergence it falls once likely answers are the better ones."""
    values, rows = run.log.of(Quantity.ENTROPY), run.log.where(Quantity.ENTROPY)
    if run.log.trainer != "nemo-rl" and (values[rows] < -1e-6).any():
        text = f"It is never negative, and {np.nanmin(values):.3g} was logged."
        return odd(run, Quantity.ENTROPY, text, (Fault.HIDDEN_TERM,), rows & (values < -1e-6))
    first, last = run.ends
    before, after = float(np.nanmean(values[first])), float(np.nanmean(values[last]))
    if run.setting.penalty is None and after < before:
        text = f"It fell from {before:.3g} to {after:.3g} nats: β is 0, and of right answers the likelier grows faster."
        return explained(Quantity.ENTROPY, text, surety=Surety.RULE)
    return None


@expectation()
def finite_numbers(run: Run) -> Finding | None:
    """What is minimised, what is rewarded and how far the policy is are numbers; a norm of float16 may overflow."""
    quantities = (Quantity.LOSS, Quantity.POLICY_LOSS, Quantity.REWARD, Quantity.KL, Quantity.ENTROPY)
    lost = {quantity: run.log.lost[quantity] for quantity in quantities if quantity in run.log.lost}
    if not lost:
        return None
    quantity, steps = min(lost.items(), key=lambda pair: float(pair[1][0]))
    text = f"From step {steps[0]:g} on NaN or infinity was logged ({len(steps)} of {len(run.log.steps)} rows)"
    others = ", ".join(other for other in lost if other is not quantity)
    text += f", and so it was of {others}." if others else "."
    return odd(run, quantity, text, (Fault.OVERFLOW, Fault.STEP_SIZE), np.isin(run.log.steps, steps))


EXPECTATIONS = (finite_numbers, sampler_against_trainer, gradient, learning_rate, lengths, entropy)
