"""What moves the policies of all rows of a problem alike."""

from __future__ import annotations

from dataclasses import dataclass

from grpo_symbolic.setting import PenaltyName


@dataclass(frozen=True)
class Update:
    """How rewards and the reference move a policy.

    ``group_size``: from 2, or ``math.inf``. ``scaled``: advantages are divided by the deviation, the guard being added
    to the variance (``guard_inside``) or to the deviation. ``penalty``: 'k3', 'reverse-kl' or 'forward-kl'.
    """

    group_size: float
    penalty: PenaltyName
    scaled: bool
    guard_inside: bool

    @property
    def direct(self) -> bool:
        """Whether the penalty is KL(π‖π_ref), with which a best response is the reference tilted by the advantages."""
        return self.penalty is PenaltyName.REVERSE_KL
