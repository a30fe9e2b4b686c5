"""A run: its log beside the setting of its options, with what both say together of its groups and rewards."""

from __future__ import annotations

import math
from dataclasses import dataclass
from functools import cached_property
from typing import NamedTuple

import numpy as np

from grpo_symbolic import setting as st
from grpo_symbolic.diagnose.names import LIKE_TRL, Quantity
from grpo_symbolic.diagnose.record import Array, Record
from grpo_symbolic.reading import Reading
from grpo_symbolic.scalars import Json
from grpo_symbolic.trainers.config import named, trainer_of
from grpo_symbolic.trainers.options import OfRun

__all__ = ["ALARM", "NOT_NEGATIVE", "Run", "divergence", "likely", "stretch"]

ALARM = 1e-4
"""The chance of a false alarm that each bound of Hoeffding's is made for."""

_NONE = 1e-9  # a share below is 0, up to rounding

NOT_NEGATIVE = (st.Estimator.K2, st.Estimator.K3, st.Estimator.ABS)
"""The estimators that are never negative, at no token."""


def likely(mean: float, count: float, failure: float = ALARM) -> tuple[float, float]:
    """Between what the expectation of ``count`` independent numbers in [0, 1] lies whose ``mean`` was seen, but with
    the chance ``failure`` at most: the p with ``count · kl(mean‖p) ≤ log(2/failure)`` (Hoeffding, 1963, Theorem 1; his
    proof holds for a policy that moves with what was drawn).

    >>> [round(end, 3) for end in likely(0.1, 1000)]
    [0.063, 0.147]
    """
    most = math.log(2 / failure) / max(count, 1)

    def end(outer: float) -> float:
        inner = mean
        for _ in range(60):
            middle = (inner + outer) / 2
            inner, outer = (middle, outer) if divergence(mean, middle) <= most else (inner, middle)
        return outer

    return end(0.0), end(1.0)


def divergence(p: float, q: float) -> float:
    """KL(p‖q) of a coin of ``p`` from one of ``q``, in nats."""

    def term(a: float, b: float) -> float:
        if a <= 0:
            return 0.0
        return a * math.log(a / b) if b > 0 else math.inf

    return term(p, q) + term(1 - p, 1 - q)


def stretch(how: st.Advantages, size: int) -> float:
    """The factor by which an advantage grows where a text is left out of its own baseline, in a group of ``size``."""
    return size / (size - 1) if how.baseline is st.Baseline.LEAVE_ONE_OUT else 1.0


class _TwoValued(NamedTuple):
    """Rewards that are 0 or one other number: that number, and how many texts a step has, infinite for very many."""

    reward: float
    texts: float


@dataclass(frozen=True)
class Run:
    """A ``log`` and what the options say of the run (``reading``).

    ``binary_by_caller``: whether rewards are 0 or 1, as whoever asks says; ``None``: the log may tell.
    """

    log: Record
    reading: Reading
    binary_by_caller: bool | None = None

    @property
    def setting(self) -> st.Setting:
        """The setting of the options."""
        return self.reading.setting

    @property
    def named(self) -> OfRun:
        """What the trainer calls the options that its log is held against."""
        return trainer_of(self.log.trainer).of_run

    def option(self, name: str) -> Json:
        """The value of an option: what was given, else its default, else ``None``."""
        for use in self.reading.options:
            if use.name == name:
                return use.value
        of = named(f"{self.log.trainer}=={self.reading.version}")
        trainer = trainer_of(of.name)
        return next((trainer.default(option, of.version) for option in trainer.table if option.name == name), None)

    @cached_property
    def _two_valued(self) -> _TwoValued | None:
        """For rewards 0 and c in steps of B texts: both from s² = B/(B − 1) m (c − m) with the mean m and the sample
        deviation s of each step; ``None`` where the logged rows do not obey it.
        """
        rows = self.log.where(Quantity.REWARD, Quantity.REWARD_STD)
        mean, square = self.log.of(Quantity.REWARD)[rows], self.log.of(Quantity.REWARD_STD)[rows] ** 2
        if len(mean) < 5 or self.log.window > 1 or np.ptp(mean) < 0.02:
            return None
        design = np.stack([mean, mean**2], 1)
        (slope, bend), *_ = np.linalg.lstsq(design, square, rcond=None)
        off = np.abs(design @ np.array([slope, bend]) - square).max()
        if off > 1e-4 * max(square.max(), 1e-12) or bend > -1 or slope <= 0:
            return None
        return _TwoValued(float(slope / -bend), float(bend / (bend + 1)) if bend < -1 - 1e-9 else math.inf)

    @cached_property
    def binary(self) -> bool | None:
        """Whether the rewards are 0 or 1: as the caller says, or as the log shows it; ``None`` where it does not."""
        if self.binary_by_caller is not None:
            return self.binary_by_caller
        if self._two_valued is not None:
            return abs(self._two_valued.reward - 1) < 1e-3
        rows = self.log.where(Quantity.REWARD, Quantity.REWARD_LOW, Quantity.REWARD_HIGH)
        if rows.sum() < 3 or self.log.window > 1:
            return None
        ends = np.concatenate([self.log.of(q)[rows] for q in (Quantity.REWARD_LOW, Quantity.REWARD_HIGH)])
        if not np.isin(ends, (0.0, 1.0)).all():
            return False
        right = self.log.of(Quantity.REWARD)[rows] * self.groups * self.setting.group_size
        return True if np.abs(right - np.round(right)).max() < 0.02 else None

    @cached_property
    def texts(self) -> int | None:
        """The texts of a step, where the log shows them."""
        if self.log.has(Quantity.TEXTS):
            return int(np.nanmedian(self.log.of(Quantity.TEXTS)))
        if self._two_valued is None or not math.isfinite(self._two_valued.texts):
            return None
        count = self._two_valued.texts
        return round(count) if abs(count - round(count)) < 0.05 * max(1.0, count / 100) else None

    @cached_property
    def groups(self) -> int:
        """The groups of a step: as the log shows, else at least as many as the options say for one process, or 1."""
        size = self.setting.group_size
        if self.texts is not None:
            return max(self.texts // size, 1)
        if self.named.prompts:
            prompts = self.option(self.named.prompts)
            return int(prompts) if isinstance(prompts, int | float) else 1
        batch = self.option("generation_batch_size")
        if not isinstance(batch, int):
            each, steps = self.option("per_device_train_batch_size"), self.option("steps_per_generation")
            steps = steps if isinstance(steps, int) else self.option("gradient_accumulation_steps")
            batch = each * steps if isinstance(each, int) and isinstance(steps, int) else size
        return max(batch // size, 1)

    @property
    def centred(self) -> bool:
        """Whether the advantages of a group add up to 0: a mean of its rewards is subtracted, no divergence is charged
        to the rewards, and nothing is whitened afterwards.
        """
        how, penalty = self.setting.advantages, self.setting.penalty
        charged = penalty is not None and penalty.place is not st.Place.LOSS
        return how.balanced and how.whitening is None and how.pass_at_k is None and not charged

    def unmodelled(self, *words: str) -> bool:
        """Whether the reason why some option is not modelled has all of these ``words``."""
        return any(all(word in use.why for word in words) for use in self.reading.left_out())

    @property
    def cut(self) -> str:
        """Why the samples are not the policy's own, if the options say that; else an empty text."""
        reasons = [use.why for use in self.reading.left_out() if "not drawn from π" in use.why]
        return reasons[0] if reasons else ""

    @cached_property
    def live(self) -> Array:
        """The share of groups that have a signal, shape (n,): 1 where the log does not tell it. Of rows that are means
        over several steps only whether it is 0.
        """
        dead, how = self.log.of(Quantity.DEAD), self.setting.advantages
        if self.log.trainer == "nemo-rl" and how.baseline is st.Baseline.LEAVE_ONE_OUT:
            return np.ones(len(dead))  # a text is compared with the others there, and itself may differ from them
        share = np.clip(1 - np.where(np.isfinite(dead), dead, 0.0), 0.0, 1.0)
        return np.where(share < _NONE, 0.0, share if self.log.window == 1 else 1.0)

    @property
    def whole(self) -> bool:
        """Whether the log shows that one process has all texts of a step, and no mean is one of parts of them."""
        each = self.option("per_device_train_batch_size")
        return self.texts is not None and isinstance(each, int) and self.texts <= each

    @property
    def kl_as_loss(self) -> bool:
        """Whether the logged KL is averaged as the loss is; TRL and its like average it over tokens in any case."""
        return self.log.trainer not in LIKE_TRL

    @cached_property
    def ends(self) -> tuple[slice, slice]:
        """The first and the last eighth of the rows, at least 3 of them each."""
        count = len(self.log.steps)
        width = min(max(count // 8, 3), max(count // 2, 1))
        return slice(0, width), slice(count - width, count)

    def rate(self, part: slice) -> tuple[float, float, float]:
        """The mean reward over a part of the rows, and between what its expectation lies, for rewards in [0, 1]."""
        seen = self.log.of(Quantity.REWARD)[part]
        mean = float(np.clip(np.nanmean(seen), 0, 1))
        return mean, *likely(mean, len(seen) * self.log.window * self.groups)

    def longest(self) -> float | None:
        """The largest length that the options give, in tokens; ``None`` where they give none."""
        given = {use.name: use.value for use in self.reading.options}
        value = given.get(self.named.longest)
        return float(value) if isinstance(value, int | float) else None

    def spread(self) -> Array | None:
        """``(L_max − L_min)/2`` of each row, or ``None`` where the lengths were not logged."""
        if not self.log.has(Quantity.LENGTH, Quantity.LENGTH_LOW, Quantity.LENGTH_HIGH):
            return None
        return (self.log.of(Quantity.LENGTH_HIGH) - self.log.of(Quantity.LENGTH_LOW)) / 2
