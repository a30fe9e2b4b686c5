"""Settings as JSON and back, and the parts of settings, theories and objectives as functions for other tools."""

from __future__ import annotations

import json
from dataclasses import replace
from fractions import Fraction
from typing import Any

import numpy as np
import pytest
import sympy as sp
import torch
from settings import SETTINGS, SIZE

import grpo_symbolic as gs
from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import G, k
from grpo_symbolic.objectives import REVERSE_KL, SHIFT_AND_SCALE, Advantage, Divergence, k2
from grpo_symbolic.optimality import gap_weight
from grpo_symbolic.trainers import from_json, loss, to_json


@pytest.mark.parametrize("name", SETTINGS)
def test_a_setting_comes_back_from_json(name: str) -> None:
    text = gs.export(SETTINGS[name], to="json")
    assert from_json(json.loads(text)) == SETTINGS[name]


def test_what_json_leaves_out_has_its_default() -> None:
    assert from_json({}) == st.Setting()
    assert from_json({"penalty": None}).beta == 0
    assert from_json({"penalty": {"beta": "1/25"}}).penalty == st.Penalty(Fraction(1, 25))
    assert to_json(gs.trainers.read("trl", {}).setting)["clip"] == {
        "kind": "RatioClip",
        "eps_low": 0.2,
        "eps_high": 0.2,
        "dual": None,
        "delta": None,
    }


@pytest.mark.parametrize(
    ("data", "told"),
    [
        ({"group": 8}, "a setting has no 'group'; did you mean group_size?"),
        ({"advantages": {"scales": None}}, "advantages has no 'scales'; did you mean scale?"),
        ({"group_size": 8.5}, "group_size is 8.5: expected a whole number"),
        ({"group_size": True}, "group_size is True: expected a whole number"),
        ({"group_size": 1}, "at least 2 texts a prompt"),
        ({"ratio": "tokens"}, "ratio is 'tokens': expected one of token, text"),
        ({"clip": {"kind": "Clip"}}, "expected its fields and a kind, one of NoClip, RatioClip"),
        ({"clip": {"kind": "NoClip", "dual": 3}}, "clip has no 'dual'; it has no fields"),
        ({"penalty": {"beta": "a lot"}}, "penalty.beta is 'a lot': expected a number"),
        ({"penalty": {"beta": 0}}, "has no effect with beta = 0"),
        ({"penalty": {"bounds": [1]}}, "penalty.bounds has 1 entries: expected 2"),
        ({"penalty": {"bounds": 1}}, "penalty.bounds is 1: expected a list"),
        ({"dynamic_sampling": None}, "dynamic_sampling is None: expected true or false"),
        ({"advantages": 3}, "advantages is 3: expected names with their values"),
        ([], r"a setting is \[\]: expected names"),
    ],
)
def test_bad_data_is_refused_in_one_sentence(data: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refusal:
        from_json(data)
    assert "\n" not in str(refusal.value)


def ran(text: str, name: str) -> Any:
    names: dict[str, Any] = {}
    exec(text, names)
    return names[name]


REWARDS = torch.tensor([1, 0, 0.25, 1, 1, 0], dtype=torch.float64)
GROUP = torch.tensor([0, 0, 0, 1, 1, 1])
MASK = torch.tensor([[1, 0, 0], [1, 1, 1], [1, 1, 0], [1, 1, 1], [1, 0, 0], [1, 1, 0]], dtype=torch.float64)


def policies() -> list[torch.Tensor]:
    generator = torch.Generator().manual_seed(3)
    return [-torch.rand(6, 3, generator=generator, dtype=torch.float64) for _ in range(4)]


@pytest.mark.parametrize("name", [n for n, s in SETTINGS.items() if n.startswith("advantage") and "pass" not in n])
def test_advantages_go_out_as_the_loss_has_them(name: str) -> None:
    """With a sum over tokens and no ratio the slope of the loss is minus the advantage."""
    how = SETTINGS[name].advantages
    rewards = torch.stack([REWARDS, REWARDS.flip(0)], 1) if how.reward_weights else REWARDS
    greedy = REWARDS / 3
    made = ran(gs.export(how, to="torch"), "advantages")(rewards, GROUP, MASK, greedy)
    logp = policies()[0].requires_grad_()
    summed = st.Setting(how, SIZE, None, st.Ratio.LOG, clip=st.NoClip(), aggregation=st.Aggregation(st.Over.SUM))
    loss(summed)(logp, None, None, MASK, rewards, GROUP, None, greedy).backward()
    torch.testing.assert_close(-logp.grad, made * MASK, rtol=1e-12, atol=1e-14)
    arrays = (np.asarray(part) for part in (rewards, GROUP, MASK, greedy))
    other = ran(gs.export(how, to="numpy"), "advantages")(*arrays)
    assert other == pytest.approx(made.numpy(), rel=1e-12, abs=1e-14)


@pytest.mark.parametrize("name", [n for n in SETTINGS if n.startswith("penalty: ")])
def test_penalties_go_out_as_the_loss_has_them(name: str) -> None:
    """With equal rewards and a sum over tokens the loss is β times the divergence, value and slope."""
    penalty = SETTINGS[name].penalty
    assert penalty is not None
    now, old, ref, sampler = policies()
    divergence = ran(gs.export(penalty, to="torch"), "divergence")
    first, second = now.clone().requires_grad_(), now.clone().requires_grad_()
    total = float(penalty.beta) * (divergence(first, old, ref, MASK, sampler) * MASK).sum()
    if penalty.place is not st.Place.LOSS:
        assert not total.requires_grad
        assert total.item() != 0
        return
    total.backward()
    bare = st.Advantages(st.Baseline.NONE, None)
    alone = st.Setting(bare, SIZE, penalty, clip=st.NoClip(), aggregation=st.Aggregation(st.Over.SUM))
    if penalty.aggregation is not None:
        alone = replace(alone, penalty=replace(penalty, aggregation=None))
    value = loss(alone)(second, old, ref, MASK, REWARDS * 0, GROUP, sampler)
    value.backward()
    assert total.item() == pytest.approx(value.item(), rel=1e-12)
    torch.testing.assert_close(first.grad, second.grad, rtol=1e-12, atol=1e-14)


def test_a_theory_goes_out_with_its_parts() -> None:
    found = gs.theory("trl==1.9.2", p_ref=0.2)
    parts = gs.export.callables(found, "numpy")
    assert set(parts) >= {"objective", "gap", "gradient", "curvature"}
    gap = float(parts["gap"](0.3))
    assert gap == pytest.approx(float(found.gap.subs(gs.notation.x, sp.Rational(3, 10))), rel=1e-12)
    again = gs.export.read(gs.export(gs.theory(group_size=2), to="json"))
    assert again.statement == gs.theory(group_size=2).stationary


def test_objects_of_the_catalogue_go_out() -> None:
    parts = gs.export.callables(Advantage(sample_deviation=True), "numpy")
    assert float(parts["gap"](8, 1)) == pytest.approx(
        float(gap_weight(1, 8, Advantage(sample_deviation=True))), rel=1e-12
    )
    assert parts["gap"].arguments == (G, k)
    texts = {gs.export(thing, to="latex") for thing in (SHIFT_AND_SCALE, REVERSE_KL, Divergence("k2", k2))}
    assert len(texts) == 3


@pytest.mark.parametrize(
    ("thing", "to", "told"),
    [
        (SETTINGS["advantage: pass@2"].advantages, "torch", "depend on the group size"),
        (st.Advantages(), "latex", "a function of tensors"),
        (st.Penalty(), "json", "a function of tensors"),
        (Advantage(others_deviation=True), "latex", "has cases for every group"),
        (3.5, "torch", "cannot export float"),
    ],
)
def test_what_a_format_cannot_hold_is_refused(thing: Any, to: str, told: str) -> None:
    with pytest.raises(BadInput, match=told):
        gs.export(thing, to=to)
