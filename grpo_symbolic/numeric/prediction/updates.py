"""Training step by step, where the flow is not enough: several updates on one batch, and a deviation of the batch.

Samples are of the policy π_old at the beginning of a batch. A text that is right, or wrong for the first time at its
k-th deciding token, has its chance and its advantage from π_old, and its ratios from the policy of the moment; the clip
or the cap of the setting acts on them as in the loss. All expectations are exact, so this is the softmax flow with
steps of the length of the run's own (one update a batch and short steps: :class:`.softmax.SoftmaxFlow`). Floating
point: of grade ``swept``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass, field
from enum import StrEnum

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric.prediction.softmax import SoftmaxFlow, log_chance
from grpo_symbolic.numeric.recursion.gap import Floats

MOST_STEPS = 1_000_000  # more than runs have: a bound on the time


class Slope(StrEnum):
    """What multiplies β times the score of a token in the gradient of the penalty, with ``d = log π − log π_ref``."""

    K3 = "1 − e^(−d)"
    PLAIN = "d"
    RATIO = "ρ d"


@dataclass(frozen=True)
class Clipping:
    """The ratio that weighs advantages (``ratio``: of the token, or the root of the text's; ``None`` where it is 1),
    and what is done to it.
    """

    ratio: st.Ratio | None = None
    clip: st.Clip = field(default_factory=st.NoClip)

    @property
    def at_one(self) -> float:
        """The weight at ratio 1: below 1 where a cap is."""
        return float(self.weight(np.zeros(1), True)[0])

    def weight(self, log_ratio: Floats, right: bool) -> Floats:
        """What the advantage times the score is multiplied by, for texts that are right or wrong."""
        clip = self.clip
        ratio = np.exp(np.minimum(log_ratio, 700.0))
        if isinstance(clip, st.CappedWeight):
            high = np.inf if clip.cap is None else float(clip.cap)
            return np.clip(ratio, float(clip.floor or 0), high)
        if not isinstance(clip, st.RatioClip):
            return ratio
        low = 0.0 if right or clip.eps_low is None else 1 - float(clip.eps_low)
        high = np.inf if not right or clip.eps_high is None else 1 + float(clip.eps_high)
        if not right and clip.dual is not None:
            high = float(clip.dual)
        if clip.delta is not None and right:
            high = min(high, float(clip.delta))
        elif clip.delta is not None and clip.eps_high is not None:  # the larger of the two terms is the one that counts
            high = max(1 + float(clip.eps_high), float(clip.delta))
        return np.where((ratio >= low) & (ratio <= high), ratio, 0.0)


@dataclass(frozen=True)
class Batch:
    """How many prompts have each rate (``counts``), and how many more there are that nothing moves (``solved`` of
    ``others``).
    """

    counts: Floats
    solved: float = 0.0
    others: float = 0.0

    def mean(self, success: Floats) -> float:
        """The mean success of all prompts."""
        return float(success @ self.counts + self.solved) / float(self.counts.sum() + self.others)

    def deviation(self, success: Floats) -> float:
        """The standard deviation of the rewards 0 and 1 of a large batch."""
        mean = self.mean(success)
        return float(np.sqrt(mean * (1 - mean)))


@dataclass(frozen=True)
class Updates:
    """The steps of one training: its ``flow``, how many ``updates`` a batch has, their ``clipping``, the ``slope`` of
    the penalty, and ``batch``: the guard beside the deviation of the batch's rewards, where that divides. ``beta`` and
    time of the flow are in units of the weight at ratio 1.
    """

    flow: SoftmaxFlow
    updates: int = 1
    clipping: Clipping = field(default_factory=Clipping)
    slope: Slope = Slope.K3
    batch: float | None = None

    def course(self, rates: Floats, batch: Batch, steps: Sequence[int], times: Sequence[float]) -> Floats:
        """The success of each rate after each of ``steps``, in rows; between two of them the learning rates add up to
        the difference of ``times``. Raises :class:`BadInput` above 10⁶ steps.
        """
        if steps and steps[-1] > MOST_STEPS:
            raise BadInput(f"training step by step is followed for at most {MOST_STEPS} steps, got {steps[-1]}")
        reference = self.flow.start(rates)
        z, old, success = reference.copy(), reference, np.empty((len(steps), len(rates)))
        done, past = 0, 0.0
        for row, (step, time) in enumerate(zip(steps, times, strict=True)):
            rate = (time - past) / max(step - done, 1)
            for number in range(done, step):
                if number % self.updates == 0:
                    old = z
                z = z + rate * self.slopes(z, old, reference, batch)
            done, past = step, time
            success[row] = np.exp(log_chance(z).sum(axis=1))
        return success

    def slopes(self, z: Floats, old: Floats, reference: Floats, batch: Batch) -> Floats:
        """The gradient at log-odds ``z`` on samples of ``old``, all of shape (prompts, deciding tokens)."""
        win, lose, win_old, lose_old = log_chance(z), log_chance(-z), log_chance(old), log_chance(-old)
        text = win_old.sum(axis=1)
        weights = self.flow.weighing.of(text)
        gap = self._gap(text, batch)
        right_gain = (gap * -np.expm1(text) * weights.gain_right)[:, None]
        wrong_gain = (-gap * np.exp(text) * weights.gain_wrong)[:, None]
        solved = np.exp(text)[:, None]
        first = np.exp(np.cumsum(win_old, axis=1) - win_old + lose_old)  # the chance that this is the first wrong token
        own, other = win - win_old, lose - lose_old
        good, later, here = self._weighed(own, other, first)
        up, down = np.exp(lose), np.exp(win)  # the scores of the right and, but for its sign, of the wrong token
        gain = up * (right_gain * solved * good + wrong_gain * later) - down * wrong_gain * here
        if self.flow.beta:
            right = solved * weights.right[:, None] + _after(first) * weights.wrong[:, None]
            paid = right * up * self._paid(win - log_chance(reference), own)
            paid -= first * weights.wrong[:, None] * down * self._paid(lose - log_chance(-reference), other)
            gain -= self.flow.beta * paid
        return 2 * gain

    def _gap(self, text: Floats, batch: Batch) -> Floats:
        """The advantage gap of each prompt, whose texts are right with these chances, given by their logarithms."""
        if self.batch is None:
            return self.flow.height(text)
        return self.flow.height(text) / (batch.deviation(np.exp(text)) + self.batch)

    def _weighed(self, own: Floats, other: Floats, first: Floats) -> tuple[Floats, Floats, Floats]:
        """By what the terms of each token are multiplied, given the log ratios of the right and the wrong token: in
        texts that are right, in those that first go wrong later, and in those that do so here (their chances included).
        """
        how, lengths = self.clipping, self.flow.weighing
        unit = how.at_one
        if how.ratio is None:
            return np.ones_like(own), _after(first), first
        if how.ratio is st.Ratio.TOKEN:
            here = first * how.weight(other, False) / unit
            return how.weight(own, True) / unit, _after(first) * how.weight(own, False) / unit, here
        whole = np.broadcast_to(own.sum(axis=1)[:, None] / lengths.right, own.shape)
        wrong = (np.cumsum(own, axis=1) - own + other) / lengths.wrong
        here = first * how.weight(wrong, False) / unit
        return how.weight(whole, True) / unit, _after(here), here

    def _paid(self, distance: Floats, log_ratio: Floats) -> Floats:
        """What multiplies the score of a token, by its ``distance`` log π − log π_ref and its log(π/π_old)."""
        if self.slope is Slope.K3:
            return -np.expm1(-distance)
        return np.exp(log_ratio) * distance if self.slope is Slope.RATIO else distance


def _after(each: Floats) -> Floats:
    """The sums over the tokens after each one."""
    return np.cumsum(each[:, ::-1], axis=1)[:, ::-1] - each


__all__ = ["MOST_STEPS", "Batch", "Clipping", "Slope", "Updates"]
