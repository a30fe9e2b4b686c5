"""The theory of the space of objectives: for any point the objective, its stationary policies, and the claims that
settle what is known of them.

>>> import grpo_symbolic as gs
>>> str(gs.theory(group_size=8, divergence="k3", normaliser="std+eps", beta=0.04).point)
'groups of 8, normaliser std+eps, divergence k3, ε = guard, β = 1/25'

A point is advantage × divergence × group size × ratio (:mod:`.point`). What belongs to it is derived
(:mod:`.derive`, :mod:`.numbers`); which claim answers which question where is declared in one table
(:mod:`.coverage`); verdicts come from a ledger (:mod:`.cards`).
"""

from __future__ import annotations

import lazy_loader

from grpo_symbolic.called import call_like

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)


call_like(__name__, f"{__name__}.interface", "theory")
