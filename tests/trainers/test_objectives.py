"""The losses of settings against the objectives that the catalogue's claims are about: every group enumerated."""

from __future__ import annotations

import itertools
from dataclasses import replace

import numpy as np
import pytest
import sympy as sp

from grpo_symbolic.notation import policy_0, policy_1, policy_ref
from grpo_symbolic.objectives import TokenTree
from grpo_symbolic.objectives.algorithms import GroupLoss, dr_grpo, published_grpo
from grpo_symbolic.objectives.sequence import SequencePolicy, steps
from grpo_symbolic.setting import PAPER_GRPO, Advantages, Aggregation, Over, Setting
from grpo_symbolic.trainers import loss

TREE = TokenTree(actions=2, horizon=2, ends=True)  # texts: 11, 12 and 2
SIZE, EPSILON, BETA = 2, sp.Rational(1, 5), sp.Rational(4, 100)
VALUES = (0.35, 0.6), (0.5, 0.45), (0.42, 0.5)  # of π, π_old and π_ref, in the two states
TEXTS = TREE.texts()
REWARDS = dict(zip(TEXTS, (1, 0, 1), strict=True))
POLICIES = [TREE.policy(tokens) for tokens in (policy_1, policy_0, policy_ref)]
POINT = {
    policy.probability(1, state): sp.Rational(str(value))
    for policy, values in zip(POLICIES, VALUES, strict=True)
    for state, value in zip(TREE.states(), values, strict=True)
}


def log_probabilities(policy: SequencePolicy, group: tuple[tuple[int, ...], ...]) -> np.ndarray:
    rows = np.zeros((len(group), TREE.horizon))
    for i, text in enumerate(group):
        for t, (token, state) in enumerate(steps(text)):
            rows[i, t] = np.log(float(sp.sympify(policy.probability(token, state)).subs(POINT)))
    return rows


def expected(setting: Setting) -> float:
    """The mean of the numeric loss over groups of two drawn from π_old."""
    made, total = loss(setting, "numpy"), 0.0
    for group in itertools.product(TEXTS, repeat=SIZE):
        chance = float(sp.Mul(*(POLICIES[1].reaches(text) for text in group)).subs(POINT))
        logs = [log_probabilities(policy, group) for policy in POLICIES]
        mask = np.array([[t < len(text) for t in range(TREE.horizon)] for text in group], float)
        rewards = np.array([float(REWARDS[text]) for text in group])
        total += chance * float(made(*logs, mask, rewards, np.zeros(SIZE, int)))
    return total


def symbolic(objective: GroupLoss) -> float:
    policy, sampler, reference = POLICIES
    found = objective.expected(policy, sampler, lambda text: REWARDS[text], reference)
    return float(sp.sympify(found).subs(POINT).evalf(20))


PAPER = replace(PAPER_GRPO, group_size=SIZE)
DR_GRPO = Setting(Advantages(scale=None), SIZE, penalty=None, aggregation=Aggregation(Over.TEXT_SUM))


@pytest.mark.parametrize(
    ("setting", "objective"),
    [(PAPER, published_grpo(SIZE, EPSILON, BETA)), (DR_GRPO, dr_grpo(SIZE, EPSILON))],
    ids=["GRPO as published", "Dr. GRPO"],
)
def test_the_expected_loss_is_that_of_the_catalogue(setting: Setting, objective: GroupLoss) -> None:
    found = expected(setting)
    assert found == pytest.approx(symbolic(objective), rel=1e-12)
    assert abs(found) > 1e-3


def test_a_constant_length_divides_dr_grpo() -> None:
    divided = replace(DR_GRPO, aggregation=Aggregation(Over.CONSTANT, length=7))
    assert 7 * expected(divided) == pytest.approx(expected(DR_GRPO), rel=1e-12)
