"""What was once told wrong of a run: printed gradients, groups without signal, and advantages of one's own."""

from __future__ import annotations

from collections.abc import Sequence

import pytest
import sympy as sp
import torch
from command_line import cli

import grpo_symbolic as gs
from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives import Advantage
from grpo_symbolic.objectives.space import Answers
from grpo_symbolic.optimality.verifiable import advantage_gap
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.setting import Setting
from grpo_symbolic.trainers import loss, read
from grpo_symbolic.trainers.facts import Kind, facts
from grpo_symbolic.trainers.words import gradient


def slopes(of: Setting) -> list[float]:
    """The slopes of the loss on-policy, for one right and one wrong text of one token."""
    logp = torch.full((2, 1), -1.0, dtype=torch.float64, requires_grad=True)
    loss(of)(logp, None, None, torch.ones(2, 1), torch.tensor([1.0, 0.0]), torch.zeros(2)).backward()
    assert logp.grad is not None
    return [float(s) for s in logp.grad[:, 0]]


@pytest.mark.parametrize("delta", [0.5, 1.0, 1.1, 4.0])
def test_the_printed_gradient_is_that_of_the_loss_whatever_delta_is(delta: float) -> None:
    of = read("trl", {"delta": delta, "num_generations": 2, "loss_type": "grpo"}).setting
    right, wrong = slopes(of)
    assert (right == 0) == (delta < 1) == ("min(Aᵢ, 0)" in gradient(of))
    assert wrong > 0
    if delta < 1:
        for use in (lambda: gs.theory(of), lambda: gs.numeric.predict([0.5], setting=of)):
            with pytest.raises(BadInput, match=r"delta = 0\.5"):
                use()


def test_groups_of_equal_rewards_feel_the_divergence() -> None:
    def told(of: Setting) -> list[str]:
        return [n.text for n in facts(of, Kind.WARNING, ()) if "all equal" in n.text or "rewards are equal" in n.text]

    assert told(read("trl", {}).setting) == [
        "Groups whose rewards are all equal carry no signal; how many do is known for every group size."
    ]
    (held,) = told(read("trl", {"beta": 0.04}).setting)
    assert "only the divergence moves the policy" in held
    grpo = {"algorithm.adv_estimator": "grpo", "algorithm.use_kl_in_reward": True}
    (charged,) = told(read("verl", grpo).setting)
    assert "it alone makes the advantages" in charged


def test_a_stationary_policy_out_of_reach_of_the_search_is_not_said_not_to_be() -> None:
    """RLOO with k1 in the reward rests at logit p + 1/β, 1000 for verl's own β: beside the closed form of it."""
    given = ["algorithm.adv_estimator=rloo", "algorithm.use_kl_in_reward=true"]
    sets = [part for text in given for part in ("--set", text)]
    page = cli("theory", "--trainer", "verl", *sets, "--pass-rate", "0.3").output
    assert "no stationary policy where it was searched" in page
    assert "inside (0, 1)" not in page


class Ranks(Advantage):
    """1 for the best of a group, −1 for the others, 0 where all are alike."""

    def of_group(self, rewards: Sequence[Scalar]) -> list[sp.Expr]:
        best = max(rewards)
        return [sp.S.Zero if min(rewards) == best else sp.Integer(1 if r == best else -1) for r in rewards]


def test_an_advantage_of_ones_own_is_used_where_groups_are_enumerated() -> None:
    """In a group of 3 the best earn 1 unless all are right, and the others −1 unless all are wrong."""
    x = sp.Symbol("x", positive=True)
    answers = Answers(2)
    policy, rewards = [x, 1 - x], [sp.Integer(1), sp.Integer(0)]
    right, wrong = (Ranks().preference(k, policy, rewards, answers, 3, sp.Symbol("j", integer=True)) for k in (0, 1))
    assert sp.expand(right - (1 - x**2)) == 0
    assert sp.expand(wrong + 1 - (1 - x) ** 2) == 0
    assert sp.expand(advantage_gap(3, x, Ranks()) - (right - wrong)) == 0
    found = gs.theory(advantage=Ranks(), group_size=3)
    (success,) = found.gap.free_symbols
    assert sp.expand(found.gap.xreplace({success: x}) - (right - wrong)) == 0
