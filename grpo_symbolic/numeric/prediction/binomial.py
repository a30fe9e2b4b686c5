"""What k successes of N attempts show about a pass rate: the interval of Clopper and Pearson."""

from __future__ import annotations

from functools import lru_cache

import mpmath

from grpo_symbolic.errors import BadInput

_TAIL = (1 - 0.95) / 2  # the chance that the rate lies beyond one end
_HALVINGS = 60  # of (0, 1): more than a float has


@lru_cache(maxsize=4096)
def clopper_pearson(successes: int, attempts: int) -> tuple[float, float]:
    """The ends of the exact 95% interval for a probability of which ``successes`` of ``attempts`` were seen.

    Below the lower end so many successes or more have a chance under 2.5%, above the upper end so
    few or fewer; 0 and 1 are ends where nothing, or everything, succeeded. The ends are rounded outwards.

    Raises :class:`BadInput` unless 0 ≤ successes ≤ attempts, and attempts ≥ 1.

    >>> low, high = clopper_pearson(0, 32)
    >>> low, round(high, 6)
    (0.0, 0.108881)
    """
    if not 1 <= attempts or not 0 <= successes <= attempts:
        raise BadInput(f"an interval needs k of N successes, got {successes}, {attempts}")
    low = 0.0 if successes == 0 else _where(successes, attempts + 1 - successes, _TAIL)[0]
    high = 1.0 if successes == attempts else _where(successes + 1, attempts - successes, 1 - _TAIL)[1]
    return low, high


def _where(a: int, b: int, chance: float) -> tuple[float, float]:
    """Floats around the point at which the incomplete beta function ``I_p(a, b)`` has the value ``chance``."""
    low, high = 0.0, 1.0
    for _ in range(_HALVINGS):
        middle = (low + high) / 2
        if mpmath.betainc(a, b, 0, middle, regularized=True) < chance:
            low = middle
        else:
            high = middle
    return low, high


__all__ = ["clopper_pearson"]
