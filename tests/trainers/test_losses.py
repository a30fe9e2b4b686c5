"""The numeric loss of a setting is the symbolic one: values and gradients over tiny texts, on PyTorch, JAX, NumPy."""

from __future__ import annotations

import itertools
from typing import Any

import numpy as np
import pytest
import torch
from settings import SETTINGS, SIZE

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import ell, ell_old, ell_ref, ell_sampler
from grpo_symbolic.setting import PAPER_GRPO, Rewards, Setting
from grpo_symbolic.trainers import loss, source
from grpo_symbolic.trainers.source import advantages_source
from grpo_symbolic.trainers.symbolic import Batch, symbolic_loss

NAMES = ("logp", "old_logp", "ref_logp", "sampler_logp")
LENGTHS = (1, 3, 2, 2, 0, 3)
GROUPS = (0, 0, 0, 1, 1, 1)


def batch_for(setting: Setting) -> Batch:
    """Two prompts with three texts each, ragged, one masked out; two rewards a text where the setting has two."""
    several = setting.advantages.rewards is Rewards.EACH_FIRST or setting.advantages.reward_weights
    rewards: tuple[Any, ...] = (1, 0, 0.25, 1, 1, 0)
    if several:
        rewards = ((1, 0.5), (0, 1), (0, 0.25), (1, 1), (1, 0), (0, 0.75))
    return Batch(LENGTHS, rewards, GROUPS, greedy=(0.5, 0.5, 0.5, 1, 1, 1))


def numbers(seed: int = 0) -> dict[str, np.ndarray]:
    """Log-probabilities of four policies that lie near one another, of a shape that fits the batch."""
    rng = np.random.default_rng(seed)
    base = rng.uniform(-3, -0.3, (len(LENGTHS), max(LENGTHS)))
    return {name: base + rng.uniform(-0.3, 0.3, base.shape) for name in NAMES}


def arguments(batch: Batch, arrays: dict[str, np.ndarray], make: Any) -> dict[str, Any]:
    mask = np.arange(max(LENGTHS))[None, :] < np.array(LENGTHS)[:, None]
    return {name: make(array) for name, array in arrays.items()} | {
        "mask": make(mask.astype(float)),
        "rewards": make(np.array(batch.rewards, float)),
        "group": make(np.array(batch.groups)),
        "greedy_rewards": make(np.array(batch.greedy, float)),
    }


def point(batch: Batch, arrays: dict[str, np.ndarray]) -> dict[Any, float]:
    families = dict(zip(NAMES, (ell, ell_old, ell_ref, ell_sampler), strict=True))
    return {families[n][i, t]: float(arrays[n][i, t]) for n in NAMES for i, t in batch.tokens}


@pytest.mark.slow("losses as arrays against losses as formulas")
@pytest.mark.parametrize("name", SETTINGS)
def test_the_numeric_loss_is_the_symbolic_one(name: str) -> None:
    setting = SETTINGS[name]
    batch, arrays = batch_for(setting), numbers()
    expected, slopes = symbolic_loss(setting, batch).at(point(batch, arrays))
    given = arguments(batch, arrays, torch.from_numpy)
    given["logp"] = given["logp"].clone().requires_grad_()
    value = loss(setting)(**given)
    value.backward()
    assert value.item() == pytest.approx(expected, rel=1e-12, abs=1e-13)
    for (i, t), slope in slopes.items():
        assert given["logp"].grad[i, t].item() == pytest.approx(slope, rel=1e-11, abs=1e-13), (i, t)


@pytest.mark.parametrize("name", SETTINGS)
def test_numpy_and_jax_agree_with_torch(name: str) -> None:
    jax = pytest.importorskip("jax")
    setting = SETTINGS[name]
    batch, arrays = batch_for(setting), numbers(1)
    given = arguments(batch, arrays, torch.from_numpy)
    given["logp"] = given["logp"].clone().requires_grad_()
    value = loss(setting)(**given)
    value.backward()
    assert float(loss(setting, "numpy")(**arguments(batch, arrays, np.asarray))) == pytest.approx(
        value.item(), rel=1e-12
    )
    with jax.enable_x64(True):
        plain = arguments(batch, arrays, jax.numpy.asarray)
        logp = plain.pop("logp")
        found, slope = jax.value_and_grad(lambda x: loss(setting, "jax")(x, **plain))(logp)
        assert float(found) == pytest.approx(value.item(), rel=1e-12)
        np.testing.assert_allclose(np.asarray(slope), given["logp"].grad.numpy(), rtol=1e-11, atol=1e-13)


@pytest.mark.parametrize("name", SETTINGS)
def test_an_old_policy_that_is_left_out_is_the_current_one(name: str) -> None:
    setting = SETTINGS[name]
    batch, arrays = batch_for(setting), numbers(2)
    given = arguments(batch, arrays, torch.from_numpy)
    same = given | {"old_logp": given["logp"]}
    assert torch.equal(loss(setting)(**given | {"old_logp": None}), loss(setting)(**same))


@pytest.mark.parametrize("name", SETTINGS)
def test_far_log_probabilities_give_no_nan_and_keep_the_type(name: str) -> None:
    setting = SETTINGS[name]
    batch = batch_for(setting)
    for far, dtype in itertools.product(NAMES, (torch.float64, torch.float32, torch.bfloat16)):
        arrays = numbers()
        arrays[far] = arrays[far] * 0 - 1e4
        given = arguments(batch, arrays, torch.from_numpy)
        given |= {n: given[n].to(dtype) for n in NAMES}
        given["logp"] = given["logp"].clone().requires_grad_()
        value = loss(setting)(**given)
        value.backward()
        assert value.dtype == dtype
        assert not value.isnan()
        assert not given["logp"].grad.isnan().any()


def test_masked_positions_may_hold_anything() -> None:
    batch, arrays = batch_for(PAPER_GRPO), numbers()
    given = arguments(batch, arrays, torch.from_numpy)
    spoilt = {n: torch.where(given["mask"] > 0, given[n], -torch.inf) for n in NAMES}
    spoilt["logp"].requires_grad_()
    setting = SETTINGS["paper"]
    value = loss(setting)(**given | spoilt)
    value.backward()
    assert torch.equal(value, loss(setting)(**given))
    assert spoilt["logp"].grad.isfinite().all()


def test_a_product_of_ratio_and_k3_that_is_finite_is_found() -> None:
    """π falls to e^(−10000) times π_old = π_ref: k3 overflows, π/π_old underflows, and their product is 1."""
    setting = SETTINGS["penalty: k3 times ratio"]
    one = torch.zeros(SIZE, 1, dtype=torch.float64)
    flat = torch.zeros(SIZE, dtype=torch.float64)
    found = loss(setting)(one - 1e4, one, one, one + 1, flat, flat.long())
    assert found.item() == pytest.approx(0.5, rel=1e-12)


@pytest.mark.parametrize("library", ["torch", "jax", "numpy"])
def test_the_exported_text_is_the_function(library: str) -> None:
    names: dict[str, Any] = {}
    text = source(SETTINGS["paper"], library)
    exec(text, names)
    batch, arrays = batch_for(SETTINGS["paper"]), numbers()
    make = {"torch": torch.from_numpy, "numpy": np.asarray}.get(library)
    if make is None:
        make = pytest.importorskip("jax").numpy.asarray
    given = arguments(batch, arrays, make)
    assert float(names["loss"](**given)) == float(loss(SETTINGS["paper"], library)(**given))


def test_an_unknown_backend_is_refused() -> None:
    with pytest.raises(BadInput, match="no backend 'tensorflow'; expected one of numpy, torch, jax"):
        loss(PAPER_GRPO, "tensorflow")


@pytest.mark.parametrize("name", ["paper", "ratio: gspo", "advantage: pass@2"])
def test_the_loss_compiles(name: str) -> None:
    jax = pytest.importorskip("jax")
    setting = SETTINGS[name]
    batch, arrays = batch_for(setting), numbers()
    given = arguments(batch, arrays, torch.from_numpy)
    expected = loss(setting)(**given).item()
    compiled = torch.compile(loss(setting), backend="aot_eager", fullgraph=True)
    assert compiled(**given).item() == pytest.approx(expected, rel=1e-12)
    with jax.enable_x64(True):
        jitted = jax.jit(loss(setting, "jax"))
        assert float(jitted(**arguments(batch, arrays, jax.numpy.asarray))) == pytest.approx(expected, rel=1e-12)


@pytest.mark.parametrize("reward", [0.1, 1 / 3, 1.0])
def test_equal_rewards_teach_nothing_though_their_mean_is_rounded(reward: float) -> None:
    logp = torch.full((3, 1), -1.0, dtype=torch.float64, requires_grad=True)
    same = torch.full((3,), reward, dtype=torch.float64)
    bare = Setting(group_size=3, penalty=None)
    loss(bare)(logp, None, None, torch.ones(3, 1), same, torch.zeros(3)).backward()
    assert logp.grad is not None
    assert not logp.grad.any()


@pytest.mark.parametrize("name", ["paper", "ratio: gspo", "penalty: k3 times ratio"])
def test_parts_of_groups_are_refused_and_their_advantages_add_up_to_the_whole(name: str) -> None:
    """With 1/|o| over texts that have tokens all alike, the mean over two halves is the whole."""
    setting = SETTINGS[name]
    batch, arrays = batch_for(setting), numbers()
    given = arguments(batch, arrays, torch.from_numpy)
    half = {n: v[:2] for n, v in given.items()}
    with pytest.raises(ValueError, match=f"whole groups of {SIZE} texts"):
        loss(setting)(**half)
    namespace: dict[str, Any] = {}
    exec(advantages_source(setting.advantages), namespace)
    whole = namespace["advantages"](given["rewards"], given["group"], given["mask"])
    for advantages in (whole, whole[:, 0], whole.expand(-1, max(LENGTHS))):
        found = loss(setting)(**given | {"rewards": None, "group": None, "advantages": advantages})
        assert found.item() == pytest.approx(loss(setting)(**given).item(), rel=1e-12)
    parts = [
        loss(setting)(**{n: v[k : k + 2] for n, v in given.items()} | {"advantages": whole[k : k + 2]}).item()
        for k in (0, 2, 4)
    ]
    assert sum(parts) / 3 == pytest.approx(loss(setting)(**given).item(), rel=1e-12)


def test_advantages_stay_in_float32_where_the_policy_is_bfloat16() -> None:
    """At ratio 1 the loss is minus the mean of the advantages: here 2⁻¹², which is nothing beside 1 in 8 bits."""
    logp = torch.full((3, 1), -1.0, dtype=torch.bfloat16)
    advantages = torch.tensor([-1 - 3 * 2.0**-12, 0.5, 0.5])
    found = loss(Setting(group_size=3, penalty=None))(
        logp, None, None, torch.ones(3, 1), None, None, advantages=advantages
    )
    assert found.dtype == torch.bfloat16
    assert found.item() == 2.0**-12
