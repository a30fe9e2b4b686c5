"""A setting: one point of the space of objectives of group-relative policy optimisation, as a typed record.

What stands here is what is optimised, and nothing about how it is computed: how rewards become advantages, which
divergence from the reference is charged and where, which ratio weighs the advantage and how it is clipped, how the
terms of the tokens are summed, and which policies sampled. Trainers' options are read into a setting by
:mod:`grpo_symbolic.trainers`; numeric and symbolic losses are built from it.

Throughout ``o`` is a text of ``|o|`` tokens, ``π`` the current policy, ``π_old`` the policy that the ratio refers to,
``π_ref`` the reference and ``π_sampler`` the engine that sampled. Nothing heavy is imported.

>>> Setting(group_size=8).penalty.estimator
<Estimator.K3: 'k3'>
>>> Setting(group_size=1)
Traceback (most recent call last):
    ...
grpo_symbolic.errors.BadInput: group_size is 1: a baseline or deviation of the group needs at least 2 texts a prompt
"""

from __future__ import annotations

import math
import re
from collections.abc import Collection
from dataclasses import dataclass, field, replace
from enum import StrEnum
from fractions import Fraction
from typing import TypeAlias

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.shown import Shown, differing

__all__ = [
    "LARGEST_GROUP",
    "PAPER_GRPO",
    "PUBLISHED_SIZE",
    "SOLVED",
    "Advantages",
    "Aggregation",
    "Baseline",
    "CappedWeight",
    "Clip",
    "Credit",
    "Denominator",
    "Elements",
    "Estimator",
    "Gradient",
    "Guard",
    "LogClip",
    "NoClip",
    "Number",
    "Over",
    "Penalty",
    "PenaltyGradient",
    "PenaltyName",
    "PenaltyWeight",
    "Place",
    "Population",
    "Ratio",
    "RatioClip",
    "Rewards",
    "SamplerWeight",
    "Scale",
    "Setting",
    "SoftGate",
    "WeightLevel",
    "WeightMode",
    "Whitening",
    "cancels",
    "penalty_gradient",
    "penalty_named",
    "size_of_group",
]

Number: TypeAlias = int | float | Fraction


class Baseline(StrEnum):
    """What is subtracted from the reward of a text."""

    GROUP_MEAN = "group mean"
    LEAVE_ONE_OUT = "leave-one-out"
    """The mean of the other texts of the group (RLOO)."""
    LENGTH_WEIGHTED = "length-weighted"
    """``Σ |o_j| r_j / Σ |o_j|`` over the group (OPO)."""
    GREEDY = "greedy"
    """The reward of the greedy text of the prompt (ReMax)."""
    BATCH_MEAN = "batch mean"
    NONE = "none"


class Population(StrEnum):
    """Whose standard deviation divides the advantage."""

    GROUP = "group"
    OTHERS = "others"
    """The other texts of the group (leave-one-out)."""
    BATCH = "batch"
    """All texts of the batch."""


class Guard(StrEnum):
    """Where the guard ``ε`` of a division by the deviation ``σ`` stands."""

    OUTSIDE = "outside"
    """``σ + ε``"""
    INSIDE = "inside"
    """``√(σ² + ε)``"""
    FLOOR = "floor"
    """``√max(σ², ε)``"""


class Rewards(StrEnum):
    """In which order several rewards of a text are summed and normalised."""

    SUM_FIRST = "sum, then normalise"
    EACH_FIRST = "normalise each, then sum"
    """GDPO: each reward is centred and scaled over the group, then the weighted sum is taken."""


class Elements(StrEnum):
    """What a whitening over the batch counts."""

    TOKENS = "tokens"
    TEXTS = "texts"


class Estimator(StrEnum):
    """The estimator of KL(π‖π_ref) at one token, with ``d = log π − log π_ref``."""

    K1 = "k1"
    """``d``"""
    ABS = "abs"
    """``|d|``"""
    K2 = "k2"
    """``d²/2``, which trainers also call mse"""
    K3 = "k3"
    """``e^(−d) + d − 1``, which trainers also call low_var_kl"""


class Gradient(StrEnum):
    """Which gradient the estimator carries."""

    OWN = "own"
    K2 = "k2"
    """Straight through: the value of the estimator, the gradient of k2 (verl's ``+``)."""
    WEIGHTED_K2 = "weighted k2"
    """Straight through, and k2 is weighted by the detached ratio π/π_old (OpenRLHF's ``unbiased_gradient``)."""


class PenaltyWeight(StrEnum):
    """What multiplies the estimator in the loss."""

    NONE = "none"
    RATIO = "ratio"
    """The ratio of the loss, unclipped and differentiated (TRL's ``use_bias_correction_kl``)."""
    SCORE = "score"
    """``π/sg(π)``: 1 in value, and the gradient of the sampling probability (NeMo-RL 0.7)."""
    SAMPLER = "sampler"
    """``π/π_sampler``, differentiated."""
    SAMPLER_DETACHED = "sampler detached"
    """``π/π_sampler``, held fixed."""


class PenaltyName(StrEnum):
    """A penalty on whole answers by name, wherever one is asked for by its name.

    An estimator alone stands in the loss, on samples of π_old and without a ratio; ``detached`` and ``ratio`` weigh it
    by π/π_old, kept out of the gradient or differentiated; in the reward it is charged after or, ``raw``, before the
    group is normalised.
    """

    NONE = "none"
    REVERSE_KL = "reverse-kl"
    """KL(π‖π_ref): k1 or k3 weighted by the ratio. Vojnovic & Yun (2025) call it direct KL."""
    FORWARD_KL = "forward-kl"
    """KL(π_ref‖π). Vojnovic & Yun (2025), Section 2.2, call it reverse KL."""
    K1 = "k1"
    K2 = "k2"
    K3 = "k3"
    """GRPO's own; KL_0 of Vojnovic & Yun (2025), Section 2.2."""
    K1_DETACHED = "k1-detached"
    K2_DETACHED = "k2-detached"
    K3_DETACHED = "k3-detached"
    K2_RATIO = "k2-ratio"
    K1_SCORE = "k1-score"
    """Weighted by π/sg(π), as k2 and k3 below: 1 in value, with the gradient of the sampling probability."""
    K2_SCORE = "k2-score"
    K3_SCORE = "k3-score"
    K1_REWARD = "k1-reward"
    K2_REWARD = "k2-reward"
    K3_REWARD = "k3-reward"
    K1_RAW_REWARD = "k1-raw-reward"
    K2_RAW_REWARD = "k2-raw-reward"
    K3_RAW_REWARD = "k3-raw-reward"


SOLVED = (PenaltyName.K3, PenaltyName.REVERSE_KL, PenaltyName.FORWARD_KL)
"""The penalties for which stationary policies and best responses of one success probability are known."""

_FORMER = {  # earlier names, of which reverse_kl was what the field calls the forward KL
    **dict.fromkeys(("kl_0", "KL_0", "grpo"), PenaltyName.K3),
    **dict.fromkeys(("kl", "KL", "direct"), PenaltyName.REVERSE_KL),
    **dict.fromkeys(("reverse_kl", "KL_rev", "reverse"), PenaltyName.FORWARD_KL),
}
_MEANING = {
    PenaltyName.K3: "k3 in the loss",
    PenaltyName.REVERSE_KL: "KL(π‖π_ref)",
    PenaltyName.FORWARD_KL: "KL(π_ref‖π)",
}


def penalty_named(name: str, among: Collection[PenaltyName] = SOLVED) -> PenaltyName:
    """The penalty with this name, one of ``among``; raises :class:`BadInput` for any other name.

    >>> penalty_named("forward-kl")
    <PenaltyName.FORWARD_KL: 'forward-kl'>
    >>> penalty_named("reverse_kl")
    Traceback (most recent call last):
        ...
    grpo_symbolic.errors.BadInput: the penalty 'reverse_kl' meant KL(π_ref‖π), which is called 'forward-kl'
    """
    if not isinstance(name, str) or re.search(r"[^\w-]", name):
        raise BadInput(
            f"a penalty of your own is for gs.theory, gs.objectives and grpo-symbolic derive; here expected one of "
            f"{', '.join(among)}"
        )
    if name in list(among):
        return PenaltyName(name)
    if name in _FORMER:
        meant = _FORMER[name]
        raise BadInput(f"the penalty {name!r} meant {_MEANING[meant]}, which is called {meant.value!r}")
    raise BadInput(f"there is no penalty {name!r} here; expected one of {', '.join(among)}")


LARGEST_GROUP = 64  # the largest group whose gap is known exactly; beyond, its polynomial has too many digits


def size_of_group(given: object, most: float = math.inf) -> int | float:
    """A group size as it is ``given``: a whole number from 2 to ``most``, or ``math.inf``, which may be written "oo".

    Raises :class:`BadInput` for anything else.

    >>> size_of_group("8"), size_of_group("oo")
    (8, inf)
    """
    text = str(given).lower()
    if text in ("oo", "inf", "infinity"):
        return math.inf
    try:
        number = float(text) if text.isascii() else math.nan
    except ValueError:
        number = math.nan
    if not (number.is_integer() and 2 <= number <= most):
        end = "" if math.isinf(most) else f" to {most}"
        raise BadInput(f"the group size must be oo or a whole number from 2{end}, got {given}")
    return int(number)


class Place(StrEnum):
    """Where the divergence is charged."""

    LOSS = "loss"
    REWARD = "reward"
    """Summed over the text of π_old and taken from its reward, before advantages are made."""
    ADVANTAGE = "advantage"
    """Taken from the advantage after the group is normalised, before any whitening over the batch."""


class Credit(StrEnum):
    """Which tokens pay for the divergence at a token, where it is charged to the advantage."""

    TEXT = "text"
    TO_GO = "to go"
    """The token itself and those before it: each pays for what comes after it too."""
    TOKEN = "token"


class Ratio(StrEnum):
    """The ratio of the current to an earlier policy that weighs the advantage."""

    TOKEN = "token"
    TEXT = "text"
    """The product over the tokens of the text."""
    ROOT = "root"
    """The ``|o|``-th root of the product (GSPO)."""
    ROOT_TOKEN = "root, token gradient"
    """The value of the root, the gradient of the token's own log-probability (GSPO-token)."""
    GEOMETRIC = "geometric mean"
    """The geometric mean of ratios that are clipped token by token (GMPO)."""
    LOG = "log"
    """No ratio: the log-probability of the token (REINFORCE)."""


class Denominator(StrEnum):
    """Which policy stands below the ratio."""

    OLD = "old"
    SAMPLER = "sampler"
    CURRENT = "current, detached"
    """The current policy itself, detached: the ratio is 1, and its gradient that of the log-probability."""


class Over(StrEnum):
    """What the sum of the terms of all tokens is divided by."""

    TEXT_MEAN = "mean over texts of token means"
    """``1/(B |o|)``: TRL's grpo, verl's seq-mean-token-mean."""
    PROMPT_TOKENS = "mean over prompts of token means"
    BATCH_TOKENS = "token mean over the batch"
    """DAPO, TRL's dapo and bnpo, verl's token-mean."""
    CONSTANT = "constant length"
    """``1/(B L)``: Dr. GRPO, verl's seq-mean-token-sum-norm."""
    TEXT_SUM = "mean over texts of token sums"
    """``1/B``: verl's seq-mean-token-sum, TRL's luspo."""
    SUM = "sum"


class WeightLevel(StrEnum):
    """The unit of the importance weight π_old/π_sampler."""

    TOKEN = "token"
    TEXT = "text"


class WeightMode(StrEnum):
    """What happens to a weight outside its bounds."""

    TRUNCATE = "truncate"
    MASK = "mask"
    """It becomes 0."""


def _number(value: Number, name: str, least: Number = -math.inf, most: Number = math.inf, strict: bool = False) -> None:
    legal = isinstance(value, int | float | Fraction) and not isinstance(value, bool) and math.isfinite(value)
    if not legal or value < least or value > most or (strict and value == least):
        bounds = [f"{'above' if strict else 'of at least'} {least}"] * (least > -math.inf)
        bounds += [f"of at most {most}"] * (most < math.inf)
        raise BadInput(f"{name} is {value!r}: expected a finite number{' ' if bounds else ''}{' and '.join(bounds)}")


def _whole(value: int, name: str) -> None:
    if not isinstance(value, int) or isinstance(value, bool) or value < 1:
        raise BadInput(f"{name} is {value!r}: expected a whole number of at least 1")


def _word(value: object, kind: type[StrEnum], name: str) -> None:
    """A text that spells a word is refused too: choices are compared by their type, not by their spelling."""
    check_kind(value, kind, name, f"one of {', '.join(f'{kind.__name__}.{word.name}' for word in kind)}")


def _record(value: object, kinds: type | tuple[type, ...], name: str, none: bool = False) -> None:
    known = kinds if isinstance(kinds, tuple) else (kinds,)
    expected = " or ".join([*(f"{kind.__name__}(…)" for kind in known), *(["None"] * none)])
    check_kind(value, (*known, type(None)) if none else known, name, expected)


def _ordered(lower: Number | None, upper: Number | None, names: tuple[str, str]) -> None:
    if lower is not None and upper is not None and lower > upper:
        raise BadInput(
            f"the bounds are reversed: {names[0]} = {float(lower):g} lies above {names[1]} = {float(upper):g}"
        )


@dataclass(frozen=True)
class Scale:
    """The division by a standard deviation.

    ``of``: whose. ``sample`` divides the sum of squares by one less than the count. ``eps`` ≥ 0 and ``guard`` say how
    the division is guarded; without a guard 0/0 is 0. ``skip_zero`` leaves undivided where the deviation is 0.
    """

    of: Population = Population.GROUP
    sample: bool = False
    eps: Number = 0
    guard: Guard = Guard.OUTSIDE
    skip_zero: bool = False

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.of, Population, "whose deviation divides")
        _word(self.guard, Guard, "the place of the guard")
        _number(self.eps, "the guard of the deviation", 0)

    def variance_below_floor(self, group_size: int) -> Fraction | None:
        """The least positive variance of rewards 0 and 1 in a group, where one text stands alone, if it is below the
        floor of this division; ``None`` if no group feels a floor.
        """
        least = Fraction(group_size - 1, group_size**2)
        return least if self.guard is Guard.FLOOR and Fraction(str(self.eps)) > least else None


@dataclass(frozen=True)
class Whitening:
    """Centring over the whole batch after the groups are done, and division by its deviation unless ``scale`` is off.

    ``over``: tokens (a text counts as often as it has tokens) or texts. ``sample``, ``eps``, ``guard``: as in
    :class:`Scale`.
    """

    over: Elements = Elements.TOKENS
    scale: bool = True
    sample: bool = False
    eps: Number = 0
    guard: Guard = Guard.INSIDE

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.over, Elements, "what a whitening counts")
        _word(self.guard, Guard, "the place of the guard")
        _number(self.eps, "the guard of the whitening", 0)


@dataclass(frozen=True)
class Advantages(Shown):
    """How the rewards of a batch become advantages.

    ``pass_at_k``: instead of the reward, what a text adds to the best reward of k texts of its group, the mean over all
    choices of the other k − 1 (Tang et al., 2025; verl's grpo_passk has k = G). ``rewards`` and ``reward_weights``: for
    several rewards of a text; no weights means 1 for each. ``baseline``: what is subtracted; ``scale``: what divides,
    or nothing; ``whitening``: over the batch, afterwards.
    """

    baseline: Baseline = Baseline.GROUP_MEAN
    scale: Scale | None = field(default_factory=Scale)
    whitening: Whitening | None = None
    pass_at_k: int | None = None
    rewards: Rewards = Rewards.SUM_FIRST
    reward_weights: tuple[Number, ...] = ()

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.baseline, Baseline, "the baseline")
        _record(self.scale, Scale, "scale", none=True)
        _record(self.whitening, Whitening, "whitening", none=True)
        _word(self.rewards, Rewards, "the order of the rewards")
        if self.pass_at_k is not None:
            _whole(self.pass_at_k, "pass_at_k")
            if self.baseline is not Baseline.NONE:
                raise BadInput(
                    f"pass@k advantages have their own baseline: {self.baseline.value} cannot be added to it"
                )
        if self.rewards is Rewards.EACH_FIRST and not (
            self.baseline is Baseline.GROUP_MEAN and (self.scale is None or self.scale.of is Population.GROUP)
        ):
            raise BadInput("rewards that are normalised each are so by the mean and deviation of the group")
        for weight in self.reward_weights:
            _number(weight, "a weight of the rewards")

    @property
    def balanced(self) -> bool:
        """Whether the rewards of a group, less their baselines, add up to 0."""
        return self.baseline in (Baseline.GROUP_MEAN, Baseline.LEAVE_ONE_OUT)

    @property
    def of_group(self) -> bool:
        """Whether a text's advantage depends on the other texts of its group."""
        by_mean = self.baseline in (Baseline.GROUP_MEAN, Baseline.LEAVE_ONE_OUT, Baseline.LENGTH_WEIGHTED)
        by_scale = self.scale is not None and self.scale.of is not Population.BATCH
        return by_mean or by_scale or self.pass_at_k is not None


@dataclass(frozen=True)
class Aggregation:
    """How the terms of all tokens of a batch of B texts become one number.

    ``over``: what is averaged. ``length``: the constant L of :attr:`Over.CONSTANT`. ``empty_count``: whether texts
    without a token that counts are among the B. ``micro_batch``: the count of tokens is that of each micro-batch, not
    of the whole optimiser step.
    """

    over: Over = Over.TEXT_MEAN
    length: int | None = None
    empty_count: bool = True
    micro_batch: bool = False

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.over, Over, "what is averaged")
        if (self.length is not None) != (self.over is Over.CONSTANT):
            raise BadInput(
                f"the aggregation {self.over.value!r} "
                + ("needs a constant length" if self.length is None else "has no constant length")
            )
        if self.length is not None:
            _whole(self.length, "the constant length")


@dataclass(frozen=True)
class Penalty(Shown):
    """β times an estimator of the divergence KL(π‖π_ref) from the reference policy (``beta`` ≠ 0), at a ``place``.

    ``bounds`` cuts the value (with its weight) off, ``log_bounds`` the log ratio ``log(π_ref/π)`` inside the estimator;
    there the gradient is 0. ``gradient_cap`` bounds the detached ratio of :attr:`Gradient.WEIGHTED_K2`. ``credit``:
    only where it is charged to the advantage. ``aggregation``: in the loss, where it differs from that of the policy's
    term.
    """

    beta: Number = Fraction(4, 100)
    estimator: Estimator = Estimator.K3
    place: Place = Place.LOSS
    weight: PenaltyWeight = PenaltyWeight.NONE
    gradient: Gradient = Gradient.OWN
    gradient_cap: Number | None = None
    bounds: tuple[Number | None, Number | None] = (None, None)
    log_bounds: tuple[Number | None, Number | None] = (None, None)
    credit: Credit = Credit.TEXT
    aggregation: Aggregation | None = None

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.estimator, Estimator, "the estimator")
        _word(self.place, Place, "the place of the penalty")
        _word(self.weight, PenaltyWeight, "the weight of the penalty")
        _word(self.gradient, Gradient, "the gradient of the penalty")
        _word(self.credit, Credit, "the credit of the penalty")
        _record(self.aggregation, Aggregation, "the aggregation of the penalty", none=True)
        if self.beta == 0:
            raise BadInput(
                f"the estimator {self.estimator.value} has no effect with beta = 0: give beta > 0, or no penalty"
            )
        _number(self.beta, "beta", 0, strict=True)
        _ordered(*self.bounds, ("the lower bound of the penalty", "the upper"))
        _ordered(*self.log_bounds, ("the lower bound of log(π_ref/π)", "the upper"))
        if self.place is not Place.LOSS and (self.weight, self.gradient) != (PenaltyWeight.NONE, Gradient.OWN):
            raise BadInput(
                f"in the {self.place.value} the penalty has no gradient: neither weight nor gradient belong to it"
            )
        if self.gradient is not Gradient.OWN and self.weight is not PenaltyWeight.NONE:
            raise BadInput("a straight-through gradient replaces that of the weighted estimator: choose one of the two")
        if self.gradient_cap is not None:
            _number(self.gradient_cap, "the cap of the detached ratio", 0, strict=True)
            if self.gradient is not Gradient.WEIGHTED_K2:
                raise BadInput("a cap of the detached ratio needs the gradient 'weighted k2'")
        if self.aggregation is not None and self.place is not Place.LOSS:
            raise BadInput(f"in the {self.place.value} the penalty has no aggregation of its own")
        if self.credit is not Credit.TEXT and self.place is not Place.ADVANTAGE:
            raise BadInput(
                f"the credit {self.credit.value!r} belongs to a penalty in the advantage, not in the {self.place.value}"
            )


@dataclass(frozen=True)
class NoClip:
    """The ratio is used as it is."""

    __repr__ = differing


@dataclass(frozen=True)
class RatioClip:
    """``min(ρ A, clip(ρ, 1 − eps_low, 1 + eps_high) A)``: PPO, with clip-higher where the two differ.

    ``dual`` > 1: for A < 0 the term is not below ``dual · A`` (dual clip). ``delta`` > 0: the unclipped ρ is capped
    there (two-sided GRPO). A bound that is ``None`` does not bind.
    """

    eps_low: Number | None = Fraction(1, 5)
    eps_high: Number | None = Fraction(1, 5)
    dual: Number | None = None
    delta: Number | None = None

    __repr__ = differing

    def __post_init__(self) -> None:
        _ordered(*self.bounds, ("1 − eps_low", "1 + eps_high"))
        for value, name in ((self.eps_low, "eps_low"), (self.eps_high, "eps_high")):
            if value is not None:
                _number(value, name, 0)
        if self.dual is not None:
            _number(self.dual, "the dual clip", 1, strict=True)
        if self.delta is not None:
            _number(self.delta, "delta", 0, strict=True)
        if self.dual is not None and self.delta is not None:
            raise BadInput("dual clip and delta both bound the ratio from above for A < 0: choose one of the two")

    @property
    def bounds(self) -> tuple[Number | None, Number | None]:
        """``1 − eps_low`` and ``1 + eps_high``, each ``None`` where it does not bind."""
        low = None if self.eps_low is None else 1 - self.eps_low
        return low, None if self.eps_high is None else 1 + self.eps_high


@dataclass(frozen=True)
class LogClip:
    """The log ratio of a token is clipped to ``[−low, high]``, on the side of the sign of A (GMPO)."""

    low: Number = Fraction(2, 5)
    high: Number = Fraction(2, 5)

    __repr__ = differing

    def __post_init__(self) -> None:
        _number(self.low, "the lower clip of the log ratio", 0)
        _number(self.high, "the upper clip of the log ratio", 0)


@dataclass(frozen=True)
class CappedWeight:
    """``sg(clip(ρ, floor, cap)) · A · log π``: the ratio is a weight and has no gradient (CISPO)."""

    cap: Number | None = 5
    floor: Number | None = None

    __repr__ = differing

    def __post_init__(self) -> None:
        for value, name in ((self.cap, "the cap"), (self.floor, "the floor")):
            if value is not None:
                _number(value, name, 0)
        _ordered(self.floor, self.cap, ("the floor", "the cap"))


@dataclass(frozen=True)
class SoftGate:
    """``sigmoid(τ (ρ − 1)) · 4/τ · A`` with τ by the sign of A (SAPO): ``tau_pos`` or ``tau_neg``, both > 0."""

    tau_pos: Number = 1
    tau_neg: Number = Fraction(105, 100)

    __repr__ = differing

    def __post_init__(self) -> None:
        _number(self.tau_pos, "the temperature of positive advantages", 0, strict=True)
        _number(self.tau_neg, "the temperature of negative advantages", 0, strict=True)


Clip: TypeAlias = NoClip | RatioClip | LogClip | CappedWeight | SoftGate


@dataclass(frozen=True)
class SamplerWeight:
    """The importance weight ``π_old/π_sampler``, held fixed, on the term of the policy (not on the penalty).

    ``level``: one weight a token, or the product over the text. ``mode``: what happens outside ``[lower, upper]``.
    ``by_text_mean``: the geometric mean over the text is what must lie inside, else the whole text is dropped; texts
    that stay keep the weights of their tokens.
    """

    level: WeightLevel = WeightLevel.TOKEN
    mode: WeightMode = WeightMode.TRUNCATE
    upper: Number | None = 2
    lower: Number | None = None
    by_text_mean: bool = False

    __repr__ = differing

    def __post_init__(self) -> None:
        _word(self.level, WeightLevel, "the level of the importance weight")
        _word(self.mode, WeightMode, "the mode of the importance weight")
        for value, name in ((self.lower, "the lower bound"), (self.upper, "the upper bound")):
            if value is not None:
                _number(value, f"{name} of the importance weight", 0)
        _ordered(self.lower, self.upper, ("the lower bound of the importance weight", "the upper"))
        if self.by_text_mean and (self.mode, self.level) != (WeightMode.MASK, WeightLevel.TOKEN):
            raise BadInput("a geometric mean over the text only masks, and the weights that it lets pass are of tokens")


@dataclass(frozen=True)
class Setting(Shown):
    """One point of the space of objectives; the default is the paper's GRPO (:data:`PAPER_GRPO`).

    ``group_size`` G ≥ 1: texts a prompt, at least 2 where anything is taken over the group. ``penalty``: ``None`` is β
    = 0. ``log_bound``: ``|log ρ|`` is cut off there, as verl and OpenRLHF do at 20. ``dynamic_sampling``: groups whose
    rewards are all equal are dropped and replaced (DAPO). ``updates``: optimiser steps on one batch of samples; with 1
    the ratio is 1 at every step. ``advantages``, ``ratio``, ``denominator``, ``clip``, ``aggregation`` and
    ``sampler_weight``: a record or a word each, of this module. Raises :class:`BadInput` for choices that exclude one
    another.
    """

    advantages: Advantages = field(default_factory=Advantages)
    group_size: int = 64
    penalty: Penalty | None = field(default_factory=Penalty)
    ratio: Ratio = Ratio.TOKEN
    denominator: Denominator = Denominator.OLD
    log_bound: Number | None = None
    clip: Clip = field(default_factory=RatioClip)
    aggregation: Aggregation = field(default_factory=Aggregation)
    sampler_weight: SamplerWeight | None = None
    dynamic_sampling: bool = False
    updates: int = 1

    __repr__ = differing

    def __post_init__(self) -> None:
        _record(self.advantages, Advantages, "advantages")
        _record(self.penalty, Penalty, "penalty", none=True)
        _word(self.ratio, Ratio, "the ratio")
        _word(self.denominator, Denominator, "the denominator of the ratio")
        _record(self.clip, (NoClip, RatioClip, LogClip, CappedWeight, SoftGate), "clip")
        _record(self.aggregation, Aggregation, "aggregation")
        _record(self.sampler_weight, SamplerWeight, "sampler_weight", none=True)
        _whole(self.group_size, "group_size")
        _whole(self.updates, "updates")
        if self.log_bound is not None:
            _number(self.log_bound, "the bound of the log ratio", 0, strict=True)
        self._check_group()
        self._check_ratio()

    @property
    def beta(self) -> Number:
        """The strength of the divergence; 0 without one."""
        return 0 if self.penalty is None else self.penalty.beta

    def _check_group(self) -> None:
        scale, size = self.advantages.scale, self.group_size
        if self.advantages.of_group and size < 2:
            raise BadInput(
                f"group_size is {size}: a baseline or deviation of the group needs at least 2 texts a prompt"
            )
        if scale is not None and scale.of is Population.OTHERS and scale.sample and size < 3 and not scale.skip_zero:
            raise BadInput(
                f"group_size is {size}: the sample deviation of the other texts needs at least 3 texts a prompt"
            )
        if self.advantages.pass_at_k is not None and self.advantages.pass_at_k > size:
            raise BadInput(f"pass@{self.advantages.pass_at_k} needs groups of that size, and group_size is {size}")
        if self.dynamic_sampling and size < 2:
            raise BadInput("dynamic sampling compares the rewards of a group: it needs at least 2 texts a prompt")

    def _check_ratio(self) -> None:
        clip = self.clip
        if self.ratio is Ratio.LOG and not isinstance(clip, NoClip):
            raise BadInput(f"the log-probability has no ratio: {type(clip).__name__} has nothing to act on")
        if isinstance(clip, LogClip) and self.ratio is not Ratio.GEOMETRIC:
            raise BadInput(
                f"the clip of log ratios belongs to the geometric mean of ratios, not to the ratio {self.ratio.value}"
            )
        if self.ratio is Ratio.GEOMETRIC and not isinstance(clip, LogClip | NoClip):
            raise BadInput(f"the geometric mean takes ratios that are clipped in logarithms, not {type(clip).__name__}")
        if isinstance(clip, CappedWeight) and self.ratio is Ratio.ROOT_TOKEN:
            raise BadInput("a capped weight has no gradient: the ratio 'root' has the same value")
        if self.denominator is Denominator.SAMPLER and self.sampler_weight is not None:
            raise BadInput("the ratio refers to the sampler already: its importance weight would be counted twice")
        weighted = self.penalty is not None and self.penalty.weight is PenaltyWeight.RATIO
        if weighted and self.ratio in (Ratio.LOG, Ratio.GEOMETRIC):
            raise BadInput(f"the penalty cannot be weighted by the ratio {self.ratio.value!r}")


PAPER_GRPO = Setting()
"""GRPO as published (Shao et al., 2024, with G = 64 and β = 0.04 of its experiments): the group's mean and deviation,
token ratios clipped at ε, k3 in the loss, ``1/|o|`` for each text. The paper gives no value for ε; here it is that of
PPO, 0.2."""

PUBLISHED_SIZE: tuple[str, ...] = (f"groups of {PAPER_GRPO.group_size}, as GRPO was published",)
"""The assumption that is stated where no group size is given."""


class PenaltyGradient(StrEnum):
    """What the divergence does to a policy at one token, on-policy and in expectation."""

    NONE = "none"
    """There is no divergence."""
    NOWHERE = "nowhere"
    """There is one, and its gradient vanishes in expectation."""
    FORWARD = "KL(π_ref‖π)"
    REVERSE = "KL(π‖π_ref)"
    OTHER = "another"


def penalty_gradient(of: Setting) -> PenaltyGradient:
    """The divergence whose gradient the penalty ``of`` a setting has on-policy, token by token, where it is not cut
    off.
    """
    penalty = of.penalty
    if penalty is None:
        return PenaltyGradient.NONE
    if penalty.place is not Place.LOSS:
        return PenaltyGradient.REVERSE if penalty.estimator is Estimator.K1 else PenaltyGradient.OTHER
    if penalty.gradient is not Gradient.OWN:
        return PenaltyGradient.REVERSE
    if penalty.weight in (PenaltyWeight.NONE, PenaltyWeight.SAMPLER_DETACHED):
        return {
            Estimator.K1: PenaltyGradient.NOWHERE,
            Estimator.K2: PenaltyGradient.REVERSE,
            Estimator.K3: PenaltyGradient.FORWARD,
            Estimator.ABS: PenaltyGradient.OTHER,
        }[penalty.estimator]
    by_text = penalty.weight is PenaltyWeight.RATIO and of.ratio not in (Ratio.TOKEN, Ratio.ROOT_TOKEN)
    reverse = penalty.estimator in (Estimator.K1, Estimator.K3) and not by_text
    return PenaltyGradient.REVERSE if reverse else PenaltyGradient.OTHER


def cancels(of: Setting) -> bool:
    """Whether at ratio 1 the terms of a group's texts, each counted once and without weights of the sampler, add up to
    0: each is its advantage, and the advantages do.

    >>> cancels(Setting()), cancels(Setting(clip=RatioClip(delta=Fraction(11, 10))))
    (True, True)
    >>> cancels(Setting(clip=RatioClip(delta=Fraction(9, 10))))  # it caps right texts at ratio 1
    False
    """
    how, clip = of.advantages, of.clip
    scaled = how.scale is None or how.scale.of is not Population.OTHERS
    uncharged = of.penalty is None or of.penalty.place is not Place.ADVANTAGE
    advantages = how.balanced and scaled and how.whitening is None and how.pass_at_k is None and uncharged
    at_one = of.ratio is not Ratio.LOG and of.denominator is not Denominator.SAMPLER and of.updates == 1
    capped = isinstance(clip, RatioClip) and clip.delta is not None and clip.delta < 1
    return advantages and at_one and not capped and not isinstance(clip, CappedWeight | SoftGate)


def of_one_reward(of: Setting) -> tuple[Setting, Number]:
    """The same run with the weight of its only reward taken out, and by what each of its steps is multiplied for that.

    A deviation that divides takes the weight out of all but its guard; what is not divided weighs against β.

    >>> weighed = Advantages(scale=None, reward_weights=(5,))
    >>> of_one_reward(Setting(weighed, 8, Penalty(Fraction(1, 2))))[0].beta
    Fraction(1, 10)

    Raises :class:`BadInput` for several weights, and for one that is not above 0: a pass rate is of one reward.
    """
    how, penalty = of.advantages, of.penalty
    if not how.reward_weights:
        return of, 1
    if len(how.reward_weights) > 1:
        weights = ", ".join(map(str, how.reward_weights))
        raise BadInput(f"the rewards have the weights {weights}: a pass rate is of one reward, not of a sum of several")
    weight, scale = how.reward_weights[0], how.scale
    _number(weight, "the weight of the reward", 0, strict=True)
    divided = scale is not None and how.rewards is not Rewards.EACH_FIRST
    if scale is not None and divided:
        scale = replace(scale, eps=_divided(scale.eps, weight if scale.guard is Guard.OUTSIDE else weight * weight))
    if penalty is not None and (not divided or penalty.place is Place.REWARD):
        penalty = replace(penalty, beta=_divided(penalty.beta, weight))
    alone = replace(of, advantages=replace(how, scale=scale, reward_weights=()), penalty=penalty)
    return alone, 1 if divided else weight


def _divided(value: Number, by: Number) -> Number:
    exact = isinstance(value, int | Fraction) and isinstance(by, int | Fraction)
    return Fraction(value) / Fraction(by) if exact else float(value) / float(by)


def __dir__() -> list[str]:
    return list(__all__)
