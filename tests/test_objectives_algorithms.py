"""The table of algorithms: complete, importable, and the page in docs/ is what the code says."""

from pathlib import Path

import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import baseline, direction, policy_0, policy_1, policy_ref, text_reward
from grpo_symbolic.objectives import TokenTree
from grpo_symbolic.objectives.algorithms import ALGORITHMS, Run
from grpo_symbolic.objectives.group import GroupLoss
from grpo_symbolic.objectives.ppo import charged
from grpo_symbolic.objectives.surrogate import text_advantage
from grpo_symbolic.objectives.trpo import trpo_constrained, trpo_penalised
from grpo_symbolic.report.algorithms import page

TREE = TokenTree(2, 2)
RUN = Run(
    TREE.policy(policy_1),
    TREE.policy(policy_0),
    TREE.policy(policy_ref),
    lambda text: text_reward[text],
    lambda state: baseline[state],
    direction,
)


def test_the_page_is_generated():
    docs = Path(__file__).parent.parent / "docs" / "reference" / "algorithms.md"
    assert docs.read_text(encoding="utf-8") == page(), (
        "run: python -m grpo_symbolic.report.algorithms > docs/reference/algorithms.md"
    )


def test_keys_are_unique_and_every_row_has_its_claim():
    import grpo_symbolic as gs

    assert len({row.key for row in ALGORITHMS}) == len(ALGORITHMS)
    claims = gs.claims().claims
    assert {c.id for c in claims.values() if c.source == "algorithms_table.py"} == {row.claim for row in ALGORITHMS}
    for row in ALGORITHMS:
        assert claims[row.claim].title == f"First step of {row.name}"
        assert f"={row.step_latex}\\text" in claims[row.claim].says


@pytest.mark.parametrize("row", ALGORITHMS, ids=lambda row: row.key)
def test_a_loss_speaks_of_the_policy_that_moves(row):
    loss = row.loss(RUN)
    assert policy_1[1] in loss.free_symbols
    assert "nan" not in str(loss)


def test_a_clipped_row_says_so():
    assert {row.key for row in ALGORITHMS if row.clip != "none"} == {
        "ppo",
        "ppo-kl",
        "grpo",
        "dr-grpo",
        "grape",
        "grape-sequence",
    }


def test_constraints_bind_every_state():
    weight = text_advantage(RUN.reward, RUN.baseline)
    problem = trpo_constrained(RUN.policy, RUN.sampler, weight, sp.Rational(1, 100))
    assert len(problem.constraints) == len(TREE.states())
    with pytest.raises(BadInput, match="β must be positive"):
        trpo_penalised(RUN.policy, RUN.sampler, weight, -1)


def test_a_token_is_charged_for_what_follows_or_for_itself():
    weight = text_advantage(lambda text: 0)
    late, own = (charged(weight, RUN.policy, RUN.reference, 1, to_go)(1, (), (1, 2)) for to_go in (True, False))
    assert sp.simplify(own - late - sp.log((1 - policy_1[1, 1]) / (1 - policy_ref[1, 1]))) == 0


def test_groups_need_two_texts_and_a_divergence_its_reference():
    with pytest.raises(BadInput, match="at least two texts"):
        GroupLoss(1)
    with pytest.raises(BadInput, match="needs a reference policy"):
        GroupLoss(2, beta=1).expected(RUN.policy, RUN.sampler, RUN.reward)
