"""Stationary policies of GRPO and its variants for many problems at once.

Source: Vojnovic & Yun (2025), equations (11) to (13), Section 3 and Appendix B.2.
"""

from __future__ import annotations

import math
from dataclasses import dataclass

import numpy as np

from grpo_symbolic.errors import BadInput
from grpo_symbolic.numeric import backends
from grpo_symbolic.numeric.backends import Array
from grpo_symbolic.numeric.policies.dispatch import Problem
from grpo_symbolic.numeric.policies.implicit import differentiable
from grpo_symbolic.setting import PenaltyName, penalty_named, size_of_group
from grpo_symbolic.shown import Shown


@dataclass(frozen=True)
class Solution(Shown):
    """Stationary policies, row by row; B stands for the broadcast leading shape.

    ``policy``, ``(*B, n)``: the policy, summing to 1.
    ``residual``, ``(*B)``: the largest absolute violation of the stationary equation over the answers,
    ``(1 − P/β) π − π_ref`` (k3, KL(π_ref‖π)) or ``π − π_ref e^{P/β}/Z`` (KL(π‖π_ref)).
    ``converged``, ``(*B)``: whether the method reached its end and the residual is at most ``tolerance``; a policy in
    a corner of the simplex can have a tiny residual without being stationary.
    ``multiplier``, ``(*B)``: the Lagrange multiplier of Σ π = 1, the derivative of the objective that all answers
    share: E P = 0 (k3), β (KL(π_ref‖π)), −β(1 + KL(π‖π_ref)) (KL(π‖π_ref)).
    ``iterations``, ``(*B)``: Newton iterations of the chunk that a row was solved in; 0 for closed forms.
    """

    policy: Array
    residual: Array
    converged: Array
    multiplier: Array
    iterations: Array

    def __repr__(self) -> str:
        return f"<Solution: policies of shape {tuple(self.policy.shape)}>"


def stationary_policy(
    reference: Array,
    rewards: Array | None,
    beta: Array,
    group_size: int | float,
    penalty: str = PenaltyName.K3,
    scaled: bool = True,
    guard: float = 0.0,
    *,
    guard_inside: bool = True,
    preference: Array | None = None,
    backend: str = "numpy",
    device: str | None = None,
    tolerance: float = 1e-12,
    max_groups: int = 100_000,
) -> Solution:
    """The stationary policy of every problem: π with π_old = π at which the objective is stationary on the simplex.

    ``reference`` (…, n): π_ref, positive, summing to 1 (to 1e-9; it is normalised). ``rewards`` (…, n), finite; equal
    rewards are ties. ``beta`` (…) positive. Leading shapes broadcast. ``group_size``: an integer ≥ 2, or ``math.inf``.
    ``penalty``: 'k3' (GRPO's), 'forward-kl' (the same stationary policies, Section 2.2) or 'reverse-kl' (KL(π‖π_ref)).
    ``scaled``: rewards are divided by the group's deviation, else only shifted. ``guard`` ≥ 0 is added to the variance,
    or to the standard deviation unless ``guard_inside``. ``preference`` (…, n, n), only for groups of two and instead
    of rewards: P(o≻o') in [0, 1], P(o≻o') + P(o'≻o) ≤ 1, the rest being ties.

    **Which one**, should there be several: for k3 in groups of two, in the limit of large groups, with shift only,
    and for two distinct rewards at any G, there is only one with full support. So it is for KL(π‖π_ref) in groups of
    two and with shift only. KL(π‖π_ref) with large groups: the one with the smallest tilt ``1/(βσ)`` (for small β there
    may be none). Finite G > 2 otherwise: the end of the branch that starts in π_ref at β = ∞; where that branch turns
    back before β is reached, the row is not converged.

    Finite G > 2, scaled, is exact: every group is enumerated, unless these are more than ``max_groups``.
    Work is done in float64 in chunks, so memory beyond the result does not grow with the batch.
    Gradients flow to ``beta`` and ``reference`` by implicit differentiation with torch and JAX (not under ``jax.jit``);
    that for ``reference`` is of the normalised reference.

    Raises :class:`BadInput`, naming the first bad row, for values or shapes outside the above.

    >>> stationary_policy([0.25, 0.75], [1.0, 0.0], beta=1.0, group_size=2).policy.round(6).tolist()
    [0.5, 0.5]
    """
    engine = backends.get(backend, device)
    problem = _problem(group_size, penalty, scaled, guard, guard_inside, preference, rewards, max_groups)
    given = rewards if preference is None else preference
    if getattr(given, "requires_grad", False):
        raise BadInput("gradients are with respect to beta and reference; rewards (or preference) require one")
    with engine.precision(), np.errstate(all="ignore"):
        policy, residual, multiplier, iterations, solved = differentiable(engine, problem, reference, given, beta)
        return Solution(policy, residual, solved & (residual <= tolerance), multiplier, iterations)


def _problem(
    group_size: int | float,
    penalty: str,
    scaled: bool,
    guard: float,
    guard_inside: bool,
    preference: Array | None,
    rewards: Array | None,
    max_groups: int,
) -> Problem:
    chosen = penalty_named(penalty)
    size = size_of_group(group_size)
    if not 0 <= guard < math.inf:
        raise BadInput(f"the guard must be a number of at least 0, got {guard}")
    if (preference is None) == (rewards is None):
        raise BadInput("give either rewards or a preference matrix (with rewards=None)")
    if preference is not None and (size != 2 or not scaled or guard):
        raise BadInput("a preference matrix describes groups of two with scale normalisation and no guard")
    return Problem(size, chosen, scaled, guard_inside, float(guard), preference is not None, max_groups)
