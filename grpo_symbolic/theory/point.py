"""A point of the space of objectives by its names: normaliser, divergence and its place, group size, ratio.

The advantages, divergences and ratios are those of :mod:`grpo_symbolic.objectives`; here they get the names that
trainers and the command line use. An answer is one whole output; several tokens are a question of their own.
"""

from __future__ import annotations

import math
from collections.abc import Callable, Collection, Sequence
from contextlib import suppress
from dataclasses import dataclass, field, replace
from functools import cache, cached_property
from itertools import product
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind, check_name
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.notation import guard as _guard
from grpo_symbolic.notation import scale as _scale
from grpo_symbolic.objectives import REVERSE_KL, Advantage, Answers, Divergence, Penalised, Policy, forward_kl
from grpo_symbolic.objectives.divergence import ESTIMATORS
from grpo_symbolic.objectives.own import exact, levels, name_of
from grpo_symbolic.scalars import Numeral, Scalar
from grpo_symbolic.setting import (
    LARGEST_GROUP,
    PAPER_GRPO,
    CappedWeight,
    Clip,
    NoClip,
    PenaltyName,
    Ratio,
    RatioClip,
    SoftGate,
    penalty_named,
    size_of_group,
)
from grpo_symbolic.shown import Shown

NORMALISERS: dict[str, str] = {
    "std": "the group's deviation, 0/0 ≡ 0",
    "sqrt(var+eps)": "√(σ² + ε)",
    "std+eps": "σ + ε",
    "sample-std": "the deviation that divides by G − 1",
    "sample-std+eps": "that, plus ε",
    "none": "no division",
    "leave-one-out": "no division, the mean of the others as baseline",
    "batch": "one deviation for the whole batch",
}
GUARDED = ("sqrt(var+eps)", "std+eps", "sample-std+eps")
PLACES: dict[str, str] = {
    "loss": "in the loss, where it is differentiated",
    "reward": "in the reward: charged to the advantage of the output, a constant of the update",
    "raw-reward": "in the reward, charged before the group is normalised",
}
WEIGHTS: dict[str, str] = {
    "none": "no ratio: an expectation on the samples of π_old",
    "ratio": "the ratio π/π_old, differentiated",
    "detached": "the ratio π/π_old, kept out of the gradient",
    "score": "π/sg(π): 1, with the gradient of the sampling probability",
}
RATIOS = {"token": Ratio.TOKEN, "sequence": Ratio.TEXT, "log": Ratio.LOG}


@dataclass(frozen=True)
class ForwardKL:
    """``KL(π_ref‖π)`` itself as the penalty, which no estimator on the samples of π_old has as its value."""

    name: str = PenaltyName.FORWARD_KL

    def expected(
        self,
        policy: Policy,
        reference: Policy,
        old: Policy,
        answers: Answers,
        index: sp.Symbol,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """The divergence; ``old`` and ``detached`` play no part, as in
        :meth:`grpo_symbolic.objectives.Divergence.expected`.
        """
        return forward_kl(policy, reference, answers, index)


@dataclass(frozen=True)
class Scored:
    """An estimator weighed by ``π/sg(π)``, which is 1 and carries the gradient of the sampling probability."""

    estimator: Callable[[sp.Expr, sp.Expr], sp.Expr]
    name: str

    def expected(
        self,
        policy: Policy,
        reference: Policy,
        old: Policy,
        answers: Answers,
        index: sp.Symbol,
        detached: Policy | None = None,
    ) -> sp.Expr:
        """The expectation over one output drawn from ``old``; as :meth:`grpo_symbolic.objectives.Divergence.expected`.

        Raises :class:`BadInput` without a name for the policy that is detached.
        """
        if detached is None:
            raise BadInput("a policy that is held fixed needs a name of its own")
        return answers.total(
            lambda o: old[o] * (policy[o] / detached[o]) * self.estimator(policy[o], reference[o]), index
        )


def _no_penalty(pi: sp.Expr, ref: sp.Expr) -> sp.Expr:
    return sp.S.Zero


NO_PENALTY = Divergence(PenaltyName.NONE, _no_penalty)
COMPLETE: dict[PenaltyName, Penalised] = {  # they have no place and no weight
    PenaltyName.REVERSE_KL: REVERSE_KL,
    PenaltyName.FORWARD_KL: ForwardKL(),
    PenaltyName.NONE: NO_PENALTY,
}
DIVERGENCES = (*ESTIMATORS, *COMPLETE)


def number(value: Numeral, name: str, below: Scalar = sp.oo) -> sp.Expr:
    """An exact number: a float is read as the decimal that it prints as. Symbols pass as they are.

    Raises :class:`BadInput` for what is not a number above 0 and below ``below``.
    """
    if isinstance(value, sp.Expr) and value.free_symbols:
        return value
    try:
        parsed = exact(value)
    except (ValueError, ZeroDivisionError, TypeError):
        raise BadInput(f"{name} must be a number, got {value}") from None
    if parsed.is_positive is not True or not parsed < below:
        where = "be positive" if below == sp.oo else f"lie in (0, {below})"
        raise BadInput(f"{name} must {where}, got {value}")
    return parsed


def advantage_of(name: str, guard: Numeral | None = None, deviation: Numeral | None = None) -> Advantage:
    """The advantage with this normaliser (a key of :data:`NORMALISERS`); ``guard`` is ε, ``deviation`` that of the
    batch, both the symbols of the notation when left out.

    Raises :class:`BadInput` for an unknown name, and a guard or deviation that the normaliser has no place for.
    """
    check_choice(name, NORMALISERS, "normaliser")
    if guard is not None and name not in GUARDED:
        raise BadInput(f"the normaliser {name!r} has no guard; {', '.join(GUARDED)} have one")
    if deviation is not None and name != "batch":
        raise BadInput(f"only the normaliser 'batch' takes a deviation, and this one is {name!r}")
    eps = _guard if guard is None else number(guard, "the guard ε")
    batch = _scale if deviation is None else number(deviation, "the deviation of the batch")
    return {
        "std": Advantage(),
        "sqrt(var+eps)": Advantage(guard=eps),
        "std+eps": Advantage(guard=eps, guard_inside=False),
        "sample-std": Advantage(sample_deviation=True),
        "sample-std+eps": Advantage(sample_deviation=True, guard=eps, guard_inside=False),
        "none": Advantage(scaled=False),
        "leave-one-out": Advantage(scaled=False, leave_one_out=True),
        "batch": Advantage(fixed_deviation=batch),
    }[name]


def normaliser_of(advantage: Advantage) -> str | None:
    """The name of an advantage's normaliser; ``None`` for a combination without a name."""
    guard, deviation = (None if v in (0, None) else v for v in (advantage.guard, advantage.fixed_deviation))
    for name in NORMALISERS:
        own = (guard if name in GUARDED else None, deviation if name == "batch" else None)
        if advantage == advantage_of(name, *own):
            return name
    return None


def divergence_of(name: str, place: str = "loss", weighted: str = "none") -> tuple[Penalised, bool]:
    """The penalty with this name (one of :data:`DIVERGENCES`), and whether it is charged before normalising.

    Raises :class:`BadInput` for unknown names and for choices that exclude one another.
    """
    chosen = penalty_named(name, DIVERGENCES)
    check_choice(place, PLACES, "place of the divergence")
    check_choice(weighted, WEIGHTS, "weight of the divergence")
    if chosen in COMPLETE:
        if (place, weighted) != ("loss", "none"):
            raise BadInput(
                f"the divergence {name!r} is complete: a place and a weight belong to {', '.join(ESTIMATORS)}"
            )
        return COMPLETE[chosen], False
    if weighted == "score":
        if place != "loss":
            raise BadInput("in the reward an estimator has no gradient: no weight belongs to it")
        return Scored(ESTIMATORS[chosen], f"{chosen} (score)"), False
    divergence = Divergence(
        name if (place, weighted) == ("loss", "none") else f"{name} ({place}, {weighted})",
        ESTIMATORS[chosen],
        importance_weighted=weighted != "none",
        ratio_detached=weighted == "detached",
        in_reward=place != "loss",
    )
    return divergence, place == "raw-reward"


_ENDS = {  # the place and the weight of an estimator, by what the name of the penalty has after that of the estimator
    "": ("loss", "none"),
    "-detached": ("loss", "detached"),
    "-ratio": ("loss", "ratio"),
    "-score": ("loss", "score"),
    "-reward": ("reward", "none"),
    "-raw-reward": ("raw-reward", "none"),
}


@cache
def _names() -> dict[tuple[Any, bool], PenaltyName]:
    """The names of what :func:`divergence_of` makes, by its parts without their label. k1 and k3 with the ratio
    differentiated have one expectation, KL(π‖π_ref), and one name.
    """
    names = {}
    for name, (end, choice) in product(DIVERGENCES, _ENDS.items()):
        with suppress(BadInput):  # a complete one has no ends
            divergence, raw = divergence_of(name, *choice)
            known = f"{name}{end}" in list(PenaltyName)
            names[_parts(divergence), raw] = PenaltyName(f"{name}{end}" if known else PenaltyName.REVERSE_KL)
    return names


def _parts(divergence: Any) -> Any:
    return replace(divergence, name="") if isinstance(divergence, Divergence | ForwardKL | Scored) else None


def penalty_of(divergence: Penalised, raw: bool = False) -> PenaltyName | None:
    """What the penalty is, by its parts and not by its label; ``None`` for one without a name (a clamped estimator, one
    of somebody's own).
    """
    return _names().get((_parts(divergence), raw))


@dataclass(frozen=True)
class Point(Shown):
    """One point: advantage × divergence × group size × ratio, with β a symbol or a number; without a divergence β is 0.

    ``raw`` charges the divergence before the group is normalised. ``ratio`` and ``clip`` say how the policy is weighed,
    as in a :class:`grpo_symbolic.setting.Setting`; on whole outputs all ratios but the logarithm are one.
    """

    advantage: Advantage = field(default_factory=Advantage)
    divergence: Penalised = field(default_factory=lambda: divergence_of(PenaltyName.K3)[0])
    group_size: int | sp.Expr = PAPER_GRPO.group_size
    ratio: Ratio = Ratio.TOKEN
    clip: Clip = field(default_factory=NoClip)
    beta: sp.Expr = _beta
    raw: bool = False

    def __repr__(self) -> str:
        return f"<Point {self}>"

    def __post_init__(self) -> None:
        size = size_of_group(self.group_size)
        object.__setattr__(self, "group_size", sp.oo if math.isinf(size) else size)
        if self.raw and not (isinstance(self.divergence, Divergence) and self.divergence.in_reward):
            raise BadInput("only a divergence in the reward can be charged before the group is normalised")
        object.__setattr__(self, "beta", self._strength())
        if self.own:
            self._check_own()
        elif not self.advantage.centred:
            raise BadInput("the advantage of this theory has a baseline: centred=True")
        if self.ratio is Ratio.LOG and not isinstance(self.clip, NoClip):
            raise BadInput("only a probability ratio can be clipped, and this loss weighs log-probabilities")

    @property
    def own(self) -> bool:
        """Whether the advantage has a rule of its own, and not the parameters of an :class:`Advantage`."""
        return type(self.advantage) is not Advantage

    def _check_own(self) -> None:
        """Refuse an advantage of its own where something is asked that only parameters answer."""
        called, size = name_of(self.advantage), self.group_size
        if self.raw:
            raise BadInput(f"the advantage {called} is a rule: a charge before normalising needs the parameters of one")
        if size == sp.oo:
            self.advantage.of_population(sp.S.One, sp.S.Half, sp.Rational(1, 4))
            return
        if size > LARGEST_GROUP:
            raise BadInput(f"the groups of {called} are enumerated up to {LARGEST_GROUP}, not {size}")
        right, wrong = levels(self.advantage, int(size))
        if not isinstance(self.clip, NoClip) and not _of_one_sign(right, wrong):
            raise BadInput(
                f"the advantage {called} is not of one sign for correct and for wrong answers: take it without a clip"
            )

    def _strength(self) -> sp.Expr:
        if self.penalty is not PenaltyName.NONE:
            return number(self.beta, "β")
        if self.beta in (0, _beta):
            return sp.S.Zero
        raise BadInput(f"β = {self.beta} has nothing to multiply: the divergence is none")

    @cached_property
    def normaliser(self) -> str | None:
        """The normaliser by name, ``None`` for one without a name."""
        return None if self.own else normaliser_of(self.advantage)

    @property
    def penalty(self) -> PenaltyName | None:
        """The penalty by its parts; see :func:`penalty_of`."""
        return penalty_of(self.divergence, self.raw)

    @property
    def weighs(self) -> str:
        """'ratio', 'clipped', 'log', 'capped' or 'gated': how the policy enters the reward part."""
        if self.ratio is Ratio.LOG:
            return "log"
        kinds = {NoClip: "ratio", CappedWeight: "capped", SoftGate: "gated"}
        return kinds.get(type(self.clip), "clipped")

    @property
    def parts(self) -> str:
        """The point in the narrow space of a table: group size, normaliser, penalty."""
        size = "∞" if self.group_size == sp.oo else self.group_size
        weighs = "" if self.weighs == "ratio" else f", {self.weighs}"
        return f"G = {size}, {self.normaliser or 'your own'}, {self.penalty or 'your own'}{weighs}"

    def __str__(self) -> str:
        size = "large groups" if self.group_size == sp.oo else f"groups of {self.group_size}"
        parts = [
            size,
            f"advantage {name_of(self.advantage)}"
            if self.own
            else f"normaliser {self.normaliser or _described(self.advantage)}",
            f"divergence {self.penalty or self.divergence.name}",
        ]
        if self.advantage.guard != 0:
            parts.append(f"ε = {self.advantage.guard}")
        if self.advantage.fixed_deviation is not None:
            parts.append(f"c = {self.advantage.fixed_deviation}")
        if self.weighs != "ratio":
            parts.append(_weighing(self.weighs, self.clip))
        return ", ".join([*parts, "any β" if self.beta == _beta else f"β = {self.beta}"])


def _of_one_sign(right: Sequence[sp.Expr], wrong: Sequence[sp.Expr]) -> bool:
    """Whether advantages of correct answers are never negative and those of wrong ones never positive."""
    return all(v.is_nonnegative for v in right) and all(v.is_nonpositive for v in wrong)


def _described(advantage: Advantage) -> str:
    """A normaliser without a name, by its parts."""
    mean = "leave-one-out mean" if advantage.leave_one_out else "mean"
    if not advantage.scaled:
        return f"of your own ({mean}, no division)"
    kind = "sample deviation" if advantage.sample_deviation else "deviation"
    whose = " of the others" if advantage.others_deviation else ""
    inside = ", ε in the variance" if advantage.guard != 0 and advantage.guard_inside else ""
    return f"of your own ({mean}, {kind}{whose}{inside})"


def _weighing(weighs: str, clip: Clip) -> str:
    if not isinstance(clip, RatioClip):
        return {
            "log": "log-probabilities",
            "capped": "log-probabilities weighed by a capped ratio",
            "gated": "a soft gate of the ratio",
        }.get(weighs, "log ratio clipped")
    text = "ratio clipped"
    if clip.eps_low is not None and clip.eps_low == clip.eps_high:
        text += f" at {clip.eps_low}"
    else:
        low, high = clip.bounds
        text += f" to [{0 if low is None else low}, {'∞' if high is None else high}]"
    text += "" if clip.dual is None else f", dual clip {clip.dual}"
    return text + ("" if clip.delta is None else f", delta {clip.delta}")


def check_choice(name: object, names: Collection[str], what: str) -> None:
    """Raise :class:`BadInput`, with what was perhaps meant, for anything but one of the ``names``."""
    check_kind(name, str, f"the {what}", f"one of {', '.join(names)}")
    check_name(str(name), list(names), what)
