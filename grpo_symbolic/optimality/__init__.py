"""WHERE an objective is optimal: stationarity with π_old frozen, second order, closed forms, and the dynamics of
repeated best responses.

Arguments mean the same everywhere; whatever is a number may be an expression. ``objective``, ``expression``: of the
entries of ``policy`` and ``old``, which are families, or of the symbol ``variable``; ``reference``: π_ref, alike;
``index`` numbers the answers, ``size`` of them for families, or the group size G ≥ 2 (``oo``) where successes are
counted. ``multiplier`` and ``slacks``: of the sum of the policy and of its entries. ``success``: the success
probability in (0, 1); ``beta``: β > 0; ``regularisation``: b = β/γ > 0; ``advantage``: an
:class:`~grpo_symbolic.objectives.Advantage`; ``group_size``: G ≥ 2 or ``oo``; ``penalty``: a name of
:class:`~grpo_symbolic.setting.PenaltyName`.

The dynamics (``SuccessRecursion`` and what belongs to it) need python-flint and are imported on first use.
"""

from __future__ import annotations

import lazy_loader

__getattr__, __dir__, __all__ = lazy_loader.attach_stub(__name__, __file__)
