"""Settings and trainers as points of the theory: the slopes are those of the losses, and the defaults are answered."""

from __future__ import annotations

import itertools
import json
import math
import sys
from dataclasses import replace
from fractions import Fraction
from functools import partial
from typing import Any

import command_line
import pytest
import sympy as sp
import torch
from settings import AGGREGATIONS, BARE, SETTINGS, SIZE

import grpo_symbolic as gs
from grpo_symbolic import setting as st
from grpo_symbolic.errors import BadInput
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import p, x
from grpo_symbolic.optimality import SuccessRecursion
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.settings import point_of
from grpo_symbolic.trainers import loss

HERE, REF = 0.3, 0.2


def slope_of_loss(of: st.Setting) -> float:
    """Minus the expected slope of the loss in the success of a policy that sampled its groups itself: all groups of a
    right and a wrong text of one token, and the gradient that PyTorch finds.
    """
    total = 0.0
    for group in itertools.product((1, 0), repeat=SIZE):
        chance = math.prod(HERE if r else 1 - HERE for r in group)
        logp, ref = (
            torch.tensor([[math.log(q if r else 1 - q)] for r in group], dtype=torch.float64) for q in (HERE, REF)
        )
        logp.requires_grad_()
        rewards, prompt = torch.tensor(group, dtype=torch.float64), torch.zeros(SIZE, dtype=torch.long)
        held = logp.detach()
        loss(of)(logp, held, ref, torch.ones(SIZE, 1), rewards, prompt, held, rewards * 0 + 0.4).backward()
        moves = torch.tensor([1 / HERE if r else -1 / (1 - HERE) for r in group], dtype=torch.float64)
        assert logp.grad is not None
        total -= chance * float((logp.grad[:, 0] * moves).sum())
    return total


def other_batch(of: st.Setting) -> bool:
    """Whether the loss of one group says nothing of it: what is taken over a batch, several rewards, a sum."""
    how = of.advantages
    batch = how.baseline is st.Baseline.BATCH_MEAN or (how.scale is not None and how.scale.of is st.Population.BATCH)
    return batch or bool(how.reward_weights) or of.aggregation.over in (st.Over.SUM, st.Over.CONSTANT)


def placed(of: st.Setting) -> bool:
    try:
        point_of(of)
    except BadInput:
        return False
    return True


WITH_A_POINT = [name for name, of in SETTINGS.items() if placed(of) and not other_batch(of)]
UNCUT = [name for name in WITH_A_POINT if not any("cut off" in told for told in gs.theory(SETTINGS[name]).assumed)]


def test_most_settings_have_a_point() -> None:
    assert len(UNCUT) > 0.6 * len(SETTINGS)


@pytest.mark.parametrize("name", UNCUT)
def test_the_gradient_of_the_theory_is_that_of_the_loss(name: str) -> None:
    found = gs.theory(SETTINGS[name])
    slope = sp.N(found.gradient.subs({x: sp.Rational(str(HERE)), p: sp.Rational(str(REF))}), 20)
    assert float(slope) == pytest.approx(slope_of_loss(SETTINGS[name]), rel=1e-10, abs=1e-12)


CLIPS = ("clip-higher", "dual clip", "delta", "delta inside the clip", "cispo with a floor", "sapo", "gmpo")


@pytest.mark.parametrize("name", [f"ratio: {clip}" for clip in CLIPS])
@pytest.mark.parametrize("before", [0.2, 0.29, 0.31, 0.5])
def test_the_frozen_objective_is_that_of_the_loss(name: str, before: float) -> None:
    """Off-policy: the slope in the success of the policy, over groups that another policy sampled."""
    of = replace(SETTINGS[name], penalty=None)
    found, total = gs.theory(of), 0.0
    for group in itertools.product((1, 0), repeat=SIZE):
        chance = math.prod(before if r else 1 - before for r in group)
        logp, old = (
            torch.tensor([[math.log(q if r else 1 - q)] for r in group], dtype=torch.float64) for q in (HERE, before)
        )
        logp.requires_grad_()
        rewards, prompt = torch.tensor(group, dtype=torch.float64), torch.zeros(SIZE, dtype=torch.long)
        loss(of)(logp, old, None, torch.ones(SIZE, 1), rewards, prompt).backward()
        moves = torch.tensor([1 / HERE if r else -1 / (1 - HERE) for r in group], dtype=torch.float64)
        assert logp.grad is not None
        total -= chance * float((logp.grad[:, 0] * moves).sum())
    at = {derive.y: sp.Rational(str(before)), derive.z: sp.Rational(str(HERE))}
    slope = sp.diff(found.objective.subs(at), x).subs(x, sp.Rational(str(HERE)))
    assert float(sp.N(slope, 20)) == pytest.approx(total, rel=1e-10, abs=1e-12)


@pytest.mark.parametrize(
    ("of", "told"),
    [
        (replace(BARE, dynamic_sampling=True), "dynamic sampling"),
        (SETTINGS["advantage: whitened tokens"], "whitened over the batch"),
        (SETTINGS["advantage: pass@2"], "pass@k"),
        (SETTINGS["penalty: abs"], "slope jumps"),
        (replace(BARE, clip=st.CappedWeight(Fraction(1, 5))), "felt at ratio 1"),
        (replace(BARE, advantages=st.Advantages(scale=st.Scale(guard=st.Guard.FLOOR, eps=1))), "a floor of 1 is felt"),
        (
            replace(BARE, advantages=st.Advantages(st.Baseline.LEAVE_ONE_OUT, st.Scale(st.Population.OTHERS, eps=1))),
            "undivided where the other texts",
        ),
        ("trl==0.1", "first version"),
        ("trlx", "there is no trainer"),
    ],
)
def test_what_has_no_point_is_refused_in_one_sentence(of: Any, told: str) -> None:
    with pytest.raises(BadInput, match=told) as refusal:
        gs.theory(of)
    assert "\n" not in str(refusal.value)


CHARGED = {
    "the group's deviation": st.Advantages(),
    "leave-one-out, sample deviation": st.Advantages(st.Baseline.LEAVE_ONE_OUT, st.Scale(sample=True)),
    "the others' mean and deviation": st.Advantages(
        st.Baseline.LEAVE_ONE_OUT, st.Scale(st.Population.OTHERS, skip_zero=True)
    ),
    "the others' deviation": st.Advantages(
        scale=st.Scale(st.Population.OTHERS, sample=True, eps=Fraction(1, 10), skip_zero=True)
    ),
}


@pytest.mark.parametrize("name", CHARGED)
def test_a_charge_before_normalising_has_the_gap_of_all_groups(name: str) -> None:
    penalty = st.Penalty(beta=Fraction(1, 2), estimator=st.Estimator.K1, place=st.Place.REWARD)
    found = gs.theory(replace(BARE, advantages=CHARGED[name], penalty=penalty, group_size=4))
    here, ref = sp.Rational(1, 3), sp.S.Half
    chances = {1: here, 0: 1 - here}
    rewards = {r: sp.N(r - sp.log(chances[r] / (ref if r else 1 - ref)) / 2, 30) for r in chances}
    win, lose = (
        sum(
            math.prod(chances[other] for other in others)
            * found.point.advantage.of_group([rewards[r], *(rewards[other] for other in others)])[0]
            for others in itertools.product((1, 0), repeat=3)
        )
        for r in (1, 0)
    )
    assert abs(sp.N((win - lose) - found.gap.subs({x: here, p: ref}), 25)) < 1e-20


def test_a_setting_has_all_its_parts() -> None:
    with pytest.raises(BadInput, match="normaliser, clip cannot be given beside it"):
        gs.theory(BARE, normaliser="std", clip=0.2)
    with pytest.raises(BadInput, match="only a setting that divides by the deviation of the batch"):
        gs.theory(BARE, deviation=1)


@pytest.mark.parametrize(
    ("trainer", "least"),
    [("trl==1.16.0", 9), ("trl==1.9.2", 9), ("verl==0.9.1", 9), ("openrlhf==0.11.2", 9), ("nemo-rl==0.7.0", 0)],
)
def test_the_defaults_of_trainers_are_answered(trainer: str, least: int) -> None:
    found = gs.theory(trainer, ledger=Ledger(()))
    assert set(found.answers) == set(gs.theory.QUESTIONS)
    assert sum(not answer.open for answer in found.answers.values()) >= least


def test_without_a_divergence_beta_is_zero() -> None:
    bare, named = gs.theory(beta=0, group_size=4), gs.theory(divergence="none", group_size=4)
    assert bare.point == named.point
    assert bare.point.beta == 0
    assert gs.theory(beta=0, p_ref=0.2).numbers.flow == "1"
    assert bare.numbers is None


def test_what_a_point_leaves_out_is_said() -> None:
    said = "; ".join(gs.theory("openrlhf").assumed)
    assert "though the run takes 64 steps" in said
    assert "where it is not cut off" in said
    assert all(len({*gs.theory(of).assumed}) >= 2 for of in AGGREGATIONS.values())


cli = partial(command_line.cli, "theory")


def test_the_page_of_a_trainer() -> None:
    page = cli("--trainer", "trl==1.16.0", "--set", "beta=0.04", "--pass-rate", "0.2")
    assert page.exit_code == 0
    for piece in (
        "TRL 1.16.0",
        "This run raises",
        "groups of 8, normaliser sample-std+eps, divergence reverse-kl,",
        "assumed: ",
    ):
        assert piece in page.stdout
    data = json.loads(cli("--trainer", "trl", "--json").stdout)
    assert (data["point"]["beta"], data["point"]["penalty"]) == ("0", "none")


@pytest.mark.parametrize(
    "arguments",
    [
        ("--set", "beta=0.04"),
        ("--trainer", "trl", "--beta", "1"),
        ("--beta", "0", "--divergence", "k1"),
        ("--beta", "1", "--divergence", "none"),
        ("--trainer", "trl", "--set", "betta=1"),
    ],
)
def test_bad_input_is_one_sentence(arguments: tuple[str, ...]) -> None:
    shown = cli(*arguments)
    assert (shown.exit_code, shown.stdout) == (2, "")
    assert len(shown.stderr.splitlines()) == 1


def calls(work: Any) -> int:
    """How many functions of Python are called: work that does not depend on the machine."""
    counted = 0

    def count(frame: Any, event: str, argument: Any) -> None:
        nonlocal counted
        counted += event == "call"

    sys.setprofile(count)
    try:
        work()
    finally:
        sys.setprofile(None)
    return counted


@pytest.mark.parametrize("penalty", [{"divergence": "k3", "weighted": "ratio"}, {"divergence": "k3"}])
def test_groups_of_64_take_at_most_eight_times_the_work_of_groups_of_8(penalty: dict[str, str]) -> None:
    def numbers(size: int, guard: str) -> Any:
        found = gs.theory(
            group_size=size, normaliser="sample-std+eps", guard=guard, beta="0.04", p_ref="0.1", **penalty
        )
        return found.numbers

    numbers(8, "1/1001")  # what is imported and kept at the first call
    few, many = (calls(lambda size=size: numbers(size, "1/1003")) for size in (8, 64))
    assert few < many < 8 * few


def test_a_recursion_of_groups_of_64_is_ready_as_soon_as_one_of_8() -> None:
    def ready(size: int, guard: int) -> Any:
        eps = sp.Rational(1, guard)
        return SuccessRecursion(sp.Rational(1, 10), 1, guard=eps, group_size=size, penalty="reverse-kl")

    ready(8, 1007)
    assert calls(lambda: ready(64, 1009)) < 2 * calls(lambda: ready(8, 1009))
    assert ready(64, 1009).fixed_points()
