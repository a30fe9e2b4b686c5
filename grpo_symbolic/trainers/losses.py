"""The loss of a setting as a function of tensors: the exported text itself, run.

>>> import numpy as np
>>> from grpo_symbolic.setting import Setting
>>> same, mask = np.zeros((2, 1)), np.ones((2, 1))
>>> pair = loss(Setting(group_size=2), "numpy")
>>> float(pair(same, same, same, mask, np.array([1.0, 0.0]), np.array([0, 0])))
0.0
"""

from __future__ import annotations

import linecache
from collections.abc import Callable
from functools import lru_cache
from typing import Any

from grpo_symbolic.errors import BadInput, check_kind
from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers.source import source

__all__ = ["loss"]


def loss(setting: Setting, backend: str = "torch") -> Callable[..., Any]:
    """The loss to be minimised, as a function of ``(logp, old_logp, ref_logp, mask, rewards, group, sampler_logp=None,
    greedy_rewards=None, advantages=None)``.

    ``logp``, ``old_logp``, ``ref_logp``, ``sampler_logp``: log-probabilities of the sampled tokens, shape (B, T); those
    that the setting does not use may be ``None``, and an ``old_logp`` that is ``None`` stands for ``logp`` held fixed.
    ``mask``: (B, T), 1 where a token counts. ``rewards``: (B,), or (B, K) for K rewards a text; finite. ``group``: the
    number of the prompt of each text, (B,); its groups must be whole, or the function raises :class:`ValueError` (it
    cannot look where it is traced or compiled). ``advantages``: (B,) or (B, T), of which parts of groups will do,
    instead of rewards, with all that is charged to them; they stay in float32 at least. ``greedy_rewards``: (B,), for
    ReMax. The result has the type of ``logp``;
    on PyTorch and JAX it is differentiable in ``logp`` and can be compiled. ``backend``: 'torch', 'jax' or 'numpy'.

    Raises :class:`BadInput` for another backend, and for one that is not installed.
    """
    check_kind(setting, Setting, "the setting", "a Setting: that of a trainer's options is read(…).setting")
    return _made(setting, backend)


@lru_cache(maxsize=256)
def _made(setting: Setting, backend: str) -> Callable[..., Any]:
    text = source(setting, backend)
    name = f"<loss of a setting, {backend}, {hash(text):x}>"
    names: dict[str, Any] = {}
    try:
        exec(compile(text, name, "exec"), names)
    except ModuleNotFoundError as missing:
        raise BadInput(f"the backend {backend!r} is not installed: pip install {missing.name}") from None
    linecache.cache[name] = (len(text), None, text.splitlines(keepends=True), name)  # tracebacks show the lines
    made: Callable[..., Any] = names["loss"]
    return made
