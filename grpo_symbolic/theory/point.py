"""A point of the space of objectives by its names: normaliser, divergence and its place, group size, ratio.

The advantages, divergences and ratios are those of :mod:`grpo_symbolic.objectives`; here they get the names that
trainers and the command line use. An answer is one whole output; several tokens are a question of their own.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from fractions import Fraction
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.notation import guard as _guard
from grpo_symbolic.notation import scale as _scale
from grpo_symbolic.objectives import (
    REVERSE_KL,
    Advantage,
    Answers,
    Divergence,
    Policy,
    Ratio,
    Surrogate,
    forward_kl,
    k1,
    k2,
    k3,
)
from grpo_symbolic.setting import PenaltyName, penalty_named

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
ESTIMATORS = {PenaltyName.K1: k1, PenaltyName.K2: k2, PenaltyName.K3: k3}
DIVERGENCES = (*ESTIMATORS, PenaltyName.REVERSE_KL, PenaltyName.FORWARD_KL, PenaltyName.NONE)
PLACES: dict[str, str] = {
    "loss": "in the loss, where it is differentiated",
    "reward": "in the reward: charged to the advantage of the output, a constant of the update",
    "raw-reward": "in the reward, charged before the group is normalised",
}
WEIGHTS: dict[str, str] = {
    "none": "no ratio: an expectation on the samples of π_old",
    "ratio": "the ratio π/π_old, differentiated",
    "held": "the ratio π/π_old, kept out of the gradient",
}
RATIOS = {"token": Ratio.TOKEN, "sequence": Ratio.SEQUENCE, "log": Ratio.LOG}


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
        held: Policy | None = None,
    ) -> sp.Expr:
        """The divergence; ``old`` and ``held`` play no part, as in
        :meth:`grpo_symbolic.objectives.Divergence.expected`.
        """
        return forward_kl(policy, reference, answers, index)


def _no_penalty(pi: Any, ref: Any) -> sp.Expr:
    return sp.S.Zero


NO_PENALTY = Divergence(PenaltyName.NONE, _no_penalty)


def number(value: Any, name: str, below: Any = sp.oo) -> sp.Expr:
    """An exact number: a float is read as the decimal that it prints as. Symbols pass as they are.

    Raises :class:`BadInput` for what is not a number above 0 and below ``below``.
    """
    if isinstance(value, sp.Expr) and value.free_symbols:
        return value
    try:
        exact = value if isinstance(value, sp.Expr) and not value.is_Float else sp.Rational(Fraction(str(value)))
    except (ValueError, ZeroDivisionError, TypeError):
        raise BadInput(f"{name} must be a number, got {value}") from None
    if exact.is_positive is not True or not exact < below:
        where = "be positive" if below == sp.oo else f"lie in (0, {below})"
        raise BadInput(f"{name} must {where}, got {value}")
    return exact


def group_size_of(value: Any) -> Any:
    """The group size as a whole number from 2 or ``oo``; raises :class:`BadInput` for anything else.

    >>> group_size_of("8"), group_size_of("oo")
    (8, oo)
    """
    if str(value).lower() in ("oo", "inf", "infinity"):
        return sp.oo
    text = str(value)
    if not (text.isdecimal() and text.isascii() and int(text) >= 2):
        raise BadInput(f"the group size must be a whole number from 2, or oo, got {value}")
    return int(text)


def advantage_of(name: str, guard: Any = None, deviation: Any = None) -> Advantage:
    """The advantage with this normaliser (a key of :data:`NORMALISERS`); ``guard`` is ε, ``deviation`` that of the
    batch, both the symbols of the notation when left out.

    Raises :class:`BadInput` for an unknown name, and a guard or deviation that the normaliser has no place for.
    """
    _known(name, NORMALISERS, "normaliser")
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


def divergence_of(name: str, placed: str = "loss", weighted: str = "none") -> tuple[Divergence | ForwardKL, bool]:
    """The penalty with this name (one of :data:`DIVERGENCES`), and whether it is charged before normalising.

    Raises :class:`BadInput` for unknown names and for choices that exclude one another.
    """
    chosen = penalty_named(name, DIVERGENCES)
    _known(placed, PLACES, "place of the divergence")
    _known(weighted, WEIGHTS, "weight of the divergence")
    if chosen not in ESTIMATORS:
        if (placed, weighted) != ("loss", "none"):
            raise BadInput(f"the divergence {name!r} is complete: a place and a weight belong to k1, k2 and k3")
        whole = {PenaltyName.REVERSE_KL: REVERSE_KL, PenaltyName.NONE: NO_PENALTY}
        return whole.get(chosen, ForwardKL()), False
    found = Divergence(
        name if (placed, weighted) == ("loss", "none") else f"{name} ({placed}, {weighted})",
        ESTIMATORS[chosen],
        importance_weighted=weighted != "none",
        ratio_held=weighted == "held",
        in_reward=placed != "loss",
    )
    return found, placed == "raw-reward"


def penalty_of(divergence: Divergence | ForwardKL, raw: bool = False) -> PenaltyName | None:
    """What the penalty is, by its parts and not by its label; ``None`` for one without a name (a clamped estimator, one
    of somebody's own).

    k1 and k3 with the ratio differentiated have one expectation, KL(π‖π_ref), and are both 'reverse-kl'.
    """
    if isinstance(divergence, ForwardKL):
        return PenaltyName.FORWARD_KL
    if divergence.clamp is not None:
        return None
    if divergence.estimator is _no_penalty:
        return PenaltyName.NONE
    estimator = next((n for n, of in ESTIMATORS.items() if of is divergence.estimator), None)
    if estimator is None:
        return None
    if divergence.in_reward:
        return PenaltyName(f"{estimator}-{'raw-reward' if raw else 'reward'}")
    if divergence.ratio_held:
        return PenaltyName(f"{estimator}-held")
    if divergence.importance_weighted:
        return PenaltyName.K2_RATIO if estimator is PenaltyName.K2 else PenaltyName.REVERSE_KL
    return estimator


@dataclass(frozen=True)
class Point:
    """One point: advantage × divergence × group size × ratio, with β a symbol or a number.

    ``raw`` charges the divergence before the group is normalised. ``ratio`` says how the policy is weighed and
    clipped; on whole outputs the ratio of the token and that of the sequence are one.
    """

    advantage: Advantage = field(default_factory=Advantage)
    divergence: Divergence | ForwardKL = field(default_factory=lambda: divergence_of(PenaltyName.K3)[0])
    group_size: Any = sp.oo
    ratio: Surrogate = field(default_factory=Surrogate)
    beta: Any = _beta
    raw: bool = False

    def __post_init__(self) -> None:
        object.__setattr__(self, "group_size", group_size_of(self.group_size))
        object.__setattr__(self, "beta", number(self.beta, "β"))
        if not self.advantage.centred:
            raise BadInput("the advantage of this theory has a baseline: centred=True")
        if self.raw and not (isinstance(self.divergence, Divergence) and self.divergence.in_reward):
            raise BadInput("only a divergence in the reward can be charged before the group is normalised")

    @property
    def normaliser(self) -> str | None:
        """The normaliser by name, ``None`` for one without a name."""
        return normaliser_of(self.advantage)

    @property
    def penalty(self) -> PenaltyName | None:
        """The penalty by its parts; see :func:`penalty_of`."""
        return penalty_of(self.divergence, self.raw)

    @property
    def weighs(self) -> str:
        """'ratio', 'clipped' or 'log': how the policy enters the reward part."""
        if self.ratio.ratio is Ratio.LOG:
            return "log"
        return "ratio" if self.ratio.epsilon is None else "clipped"

    @property
    def parts(self) -> str:
        """The point in the narrow space of a table: group size, normaliser, penalty."""
        size = "∞" if self.group_size == sp.oo else self.group_size
        weighs = "" if self.weighs == "ratio" else f", {self.weighs}"
        return f"G = {size}, {self.normaliser or 'your own'}, {self.penalty or 'your own'}{weighs}"

    def __str__(self) -> str:
        size = "large groups" if self.group_size == sp.oo else f"groups of {self.group_size}"
        parts = [size, f"normaliser {self.normaliser or self.advantage}", f"divergence {self.penalty or 'of your own'}"]
        if self.advantage.guard != 0:
            parts.append(f"ε = {self.advantage.guard}")
        if self.advantage.fixed_deviation is not None:
            parts.append(f"c = {self.advantage.fixed_deviation}")
        if self.weighs != "ratio":
            parts.append({"log": "log-probabilities", "clipped": f"ratio clipped at {self.ratio.epsilon}"}[self.weighs])
        return ", ".join([*parts, f"β = {self.beta}"])


def _known(name: str, names: Any, what: str) -> None:
    if name not in names:
        raise BadInput(f"there is no {what} {name!r}; expected one of {', '.join(names)}")
