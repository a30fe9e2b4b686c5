"""Findings in a log: explained by the options, not what they imply, or not known; and how to distinguish faults."""

from __future__ import annotations

from dataclasses import dataclass, field
from enum import StrEnum

from grpo_symbolic.diagnose.names import Quantity
from grpo_symbolic.diagnose.record import Array
from grpo_symbolic.shown import Shown

__all__ = ["TELLS", "Band", "Fault", "Finding", "Kind", "Surety"]


class Kind(StrEnum):
    """What a finding says of a series."""

    EXPLAINED = "explained by your options"
    ODD = "not what they imply"
    OPEN = "not known"


class Surety(StrEnum):
    """How sure the bound is that a finding rests on."""

    EXACT = "an identity, up to rounding"
    BOUND = "a theorem with Hoeffding's bound: a false alarm in at most 1 run of 5000"
    RULE = "a rule of thumb"


class Fault(StrEnum):
    """What may be wrong with a run."""

    SIGN = "the sign of the advantage"
    BASELINE = "no baseline: rewards are not centred"
    BATCH_DEVIATION = "the deviation of the batch in place of the group's"
    UNSCALED = "no division by the deviation"
    REWARD_SCALE = "rewards that are scaled"
    GROUP_SIZE = "another group size"
    DUPLICATES = "duplicates in the group"
    FILTER = "groups that are not filtered"
    AGGREGATION = "another aggregation of tokens"
    CLIP_RANGE = "a clip range on the wrong side of 1"
    DOUBLE_CLIP = "a ratio that is clipped twice"
    UPDATES = "more updates on a batch"
    STALE = "stale samples"
    SAMPLER = "a sampler that is not the policy (temperature in one place only, top-p, precision)"
    MASK = "a mask that is shifted"
    REFERENCE_START = "a reference that is not the start"
    REFERENCE_MOVES = "a reference that moves"
    BETA = "a wrong β"
    KL_SIGN = "the sign of the KL"
    KL_PADDED = "a KL averaged over padding"
    KL_ESTIMATOR = "another estimator of the KL"
    ENTROPY = "an entropy bonus"
    HIDDEN_TERM = "a term of the loss that is not in the options"
    NO_GRADIENT = "no gradient: a mask of zeros, or a term that is detached"
    STANDSTILL = "an optimiser that does not step"
    LEARNING_RATE = "another learning rate"
    STEP_SIZE = "steps that are too large"
    LENGTH = "another largest length"
    PROMPTS = "prompts that become harder or easier"
    OVERFLOW = "an overflow, or a division by 0"


TELLS: dict[Fault, str] = {
    Fault.SIGN: "the reward falls from the first steps on while the KL grows; negate the advantages of one batch",
    Fault.BASELINE: "the policy's part of the loss follows minus the reward; print the mean advantage of a group",
    Fault.BATCH_DEVIATION: "the shares are 0 or 1 in every step; print the deviation of one group and of the batch",
    Fault.UNSCALED: "no advantage of rewards 0 and 1 exceeds 1; print those of one group",
    Fault.REWARD_SCALE: "the reward is a constant times the weighted sum of its parts",
    Fault.GROUP_SIZE: "count the texts of one prompt in one batch",
    Fault.DUPLICATES: "count the distinct texts of one group: a seed that is set anew for each request repeats them",
    Fault.FILTER: "look for a group with equal rewards in what reaches the loss",
    Fault.AGGREGATION: "the loss is 0 where all texts are equally long, and its sign changes from step to step",
    Fault.CLIP_RANGE: "the clip share is above 0 at the first update, where the ratio is 1, and the loss is positive",
    Fault.DOUBLE_CLIP: "the largest ratio is the bound of the clip itself, in step after step",
    Fault.UPDATES: "count the optimiser steps between two generations",
    Fault.STALE: "the difference is small at the first step and grows with the learning rate; try it with 0",
    Fault.SAMPLER: "the difference is there at the first step, on every token, and the importance weights average 1",
    Fault.MASK: "the difference is on one token of each text, the first or the last; print the tokens under the mask",
    Fault.REFERENCE_START: "the KL is above 0 before the first update; compare the two checkpoints' weights",
    Fault.REFERENCE_MOVES: "the KL falls back while the reward does not; look for a synchronisation of the reference",
    Fault.BETA: "the loss is a constant times the KL, and the constant is not β",
    Fault.KL_SIGN: "the loss falls below 0 as the KL grows",
    Fault.KL_PADDED: "the KL is too small by the mean length over the longest; pad more, and it changes",
    Fault.KL_ESTIMATOR: "k1 is negative for some batches; k2 and k3 never are",
    Fault.ENTROPY: "the loss is minus a constant times the entropy",
    Fault.HIDDEN_TERM: "the gradient does not vanish where every group has equal rewards",
    Fault.NO_GRADIENT: "the gradient is 0 though groups have a signal; sum the mask",
    Fault.STANDSTILL: "nothing moves: the KL stays 0 and the reward where it was; compare weights before and after",
    Fault.LEARNING_RATE: "compare with the schedule of the options",
    Fault.STEP_SIZE: "the reward rises first, and falls where the KL or the norm of the gradient jumps",
    Fault.LENGTH: "compare the longest text with the options",
    Fault.OVERFLOW: "find the first step that is not finite, and run it in float32 with anomaly detection",
    Fault.PROMPTS: "measure pass rates of the same prompts at both times",
}
"""How to distinguish each fault from the others."""


@dataclass(frozen=True)
class Band:
    """Where a ``quantity`` must lie: ``low`` and ``high`` at ``steps``, each of shape (n,)."""

    quantity: Quantity
    steps: Array
    low: Array
    high: Array


@dataclass(frozen=True)
class Finding(Shown):
    """A sentence (``text``) on a ``quantity``, of a ``kind``, with the ids of ``claims`` that prove what it rests on.

    ``faults``: what may be wrong, the likeliest first. ``surety``: how sure the bound is; ``band``: the bound itself,
    where it is one of the series; ``steps``: those at which it is broken.
    """

    kind: Kind
    quantity: Quantity
    text: str
    claims: tuple[str, ...] = ()
    faults: tuple[Fault, ...] = ()
    surety: Surety = Surety.EXACT
    band: Band | None = None
    steps: tuple[float, ...] = field(default=(), repr=False)

    def __repr__(self) -> str:
        return f"<Finding {self.quantity} ({self.kind}): {self.text}>"

    @property
    def tells(self) -> tuple[str, ...]:
        """What may be wrong and how to distinguish it from the rest, a phrase each."""
        return tuple(f"{fault}: {TELLS[fault]}" for fault in self.faults)
