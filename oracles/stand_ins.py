"""Imports of trainers without what their loss functions do not use, and batches on which they are compared.

The trainers' packages are real; what is missing around them (Ray, vLLM, DeepSpeed …) is replaced by empty modules.
"""

from __future__ import annotations

import ast
import importlib.abc
import importlib.machinery
import itertools
import sys
import types
from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import torch

from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers import loss

SIZE = 3
LENGTHS = (1, 3, 2, 2, 2, 3)
torch.set_default_dtype(torch.float64)


class _Empty(types.ModuleType):
    """A module in which every name is a class that does nothing."""

    __path__: list[str] = []  # noqa: RUF012

    def __getattr__(self, name: str) -> Any:
        if name.startswith("__"):
            raise AttributeError(name)
        nothing = {"__init__": lambda self, *a, **k: None, "__class_getitem__": classmethod(lambda cls, item: cls)}
        made = type(name, (), nothing)
        setattr(self, name, made)
        return made


class _Missing(importlib.abc.MetaPathFinder, importlib.abc.Loader):
    """Finds, last of all, the packages that are not installed."""

    def __init__(self, names: Sequence[str]) -> None:
        self.names = frozenset(names)

    def find_spec(self, name: str, path: Any = None, target: Any = None) -> Any:
        if name.split(".")[0] in self.names:
            return importlib.machinery.ModuleSpec(name, self, is_package=True)
        return None

    def create_module(self, spec: Any) -> types.ModuleType:
        return _Empty(spec.name)

    def exec_module(self, module: types.ModuleType) -> None:
        """Nothing to run."""


def leave_out(*names: str) -> None:
    """Import empty modules where these packages are not installed."""
    sys.meta_path.append(_Missing(names))


def put_aside(*names: str) -> None:
    """Put empty modules in the place of parts of an installed trainer that need what is left out."""
    for name in names:
        sys.modules[name] = _Empty(name)


def definitions(path: Path, *names: str, **around: Any) -> types.SimpleNamespace:
    """The functions, methods and constants with these names in a trainer's file, run alone: decorators are left out,
    and ``around`` stands for the names that they use.
    """
    tree = ast.parse(path.read_text(encoding="utf-8"))
    found: dict[str, ast.stmt] = {}
    for node in ast.walk(tree):
        if isinstance(node, ast.FunctionDef | ast.AsyncFunctionDef) and node.name in names:
            node.decorator_list = []
            found.setdefault(node.name, node)
        elif isinstance(node, ast.Assign) and isinstance(node.targets[0], ast.Name) and node.targets[0].id in names:
            found.setdefault(node.targets[0].id, node)
    module = ast.Module([*ast.parse("from __future__ import annotations").body, *found.values()], [])
    made: dict[str, Any] = {"torch": torch, **around}
    exec(compile(module, str(path), "exec"), made)
    return types.SimpleNamespace(**{name: made[name] for name in found})


@dataclass(frozen=True)
class Texts:
    """Two prompts with three texts of one to three tokens each: tensors (B, T) and (B,) in float64."""

    logp: torch.Tensor
    old: torch.Tensor
    ref: torch.Tensor
    sampler: torch.Tensor
    mask: torch.Tensor
    rewards: torch.Tensor
    group: torch.Tensor
    greedy: torch.Tensor

    def ours(self, setting: Setting, on_policy: bool = False) -> tuple[torch.Tensor, torch.Tensor]:
        """The value and the gradient of this package's loss."""
        logp = self.logp.clone().requires_grad_()
        old = None if on_policy else self.old
        made = loss(setting)(logp, old, self.ref, self.mask, self.rewards, self.group, self.sampler, self.greedy)
        made.backward()
        assert logp.grad is not None
        return made.detach(), logp.grad


def texts(empty: bool = False, several: bool = False, spread: float = 0.4) -> Iterator[Texts]:
    """Batches whose first prompt runs through all binary rewards. With ``empty`` one text is masked out, with
    ``several`` each text has two rewards; ``spread`` says how far the policies lie apart.
    """
    for seed, pattern in enumerate(itertools.product((0.0, 1.0), repeat=SIZE)):
        generator = torch.Generator().manual_seed(seed)
        base = -0.2 - 2 * torch.rand(2 * SIZE, max(LENGTHS), generator=generator)
        near = [base + spread * (torch.rand(base.shape, generator=generator) - 0.5) for _ in range(4)]
        lengths = torch.tensor([*LENGTHS[:-1], 0 if empty else LENGTHS[-1]])
        mask = (torch.arange(max(LENGTHS))[None, :] < lengths[:, None]).double()
        rewards = torch.tensor([*pattern, 1.0, 0.25, 0.0])
        if several:
            rewards = torch.stack([rewards, torch.rand(2 * SIZE, generator=generator)], dim=1)
        group = torch.arange(2).repeat_interleave(SIZE)
        yield Texts(*near, mask, rewards, group, torch.tensor([0.5, 1.0]).repeat_interleave(SIZE))


Theirs = Callable[[Texts], tuple[torch.Tensor, torch.Tensor]]


def compare(setting: Setting, theirs: Theirs, given: Mapping[str, bool], tolerance: float, **how: Any) -> None:
    """Assert that value and gradient agree on every batch, and that the loss is not the same whatever the rewards."""
    values = set()
    for batch in texts(**given, **how):
        value, slope = batch.ours(setting)
        other, other_slope = theirs(batch)
        scale = max(1.0, float(other.abs()), float(other_slope.abs().max()))
        assert abs(float(value) - float(other)) <= tolerance * scale, (float(value), float(other))
        assert float((slope - other_slope).abs().max()) <= tolerance * scale
        values.add(round(float(value), 9))
    assert len(values) > 1
