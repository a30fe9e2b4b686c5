"""The table of algorithms: complete, importable, and the page in docs/ is what the code says."""

import pytest
import sympy as sp
from algorithms_page import BESIDE, REST, page, step_claim
from checkout import ROOT

from grpo_symbolic.catalogue import index
from grpo_symbolic.errors import BadInput, ClaimError
from grpo_symbolic.notation import (
    baseline,
    direction,
    item_score,
    n,
    o,
    o_,
    old,
    pi,
    policy_0,
    policy_1,
    policy_ref,
    ref,
    text_reward,
    u,
    v,
    x,
)
from grpo_symbolic.objectives import Rubric, TokenTree
from grpo_symbolic.objectives.algorithms import ALGORITHMS, Run
from grpo_symbolic.objectives.grape import Graded
from grpo_symbolic.objectives.group import GroupLoss
from grpo_symbolic.objectives.policy_gradient import charged, trpo_penalised
from grpo_symbolic.objectives.surrogate import text_advantage
from grpo_symbolic.proof import FromHere, Texts, TextSum
from grpo_symbolic.typeset.plain import plain

TREE = TokenTree(2, 2)
RUN = Run(
    TREE.policy(policy_1),
    TREE.policy(policy_0),
    TREE.policy(policy_ref),
    lambda text: text_reward[text],
    lambda state: baseline[state],
    direction,
    Graded(Rubric(2), (x, 1 - x), lambda text: (item_score[1, *text], item_score[2, *text]), lambda text: (u, v)),
    (u, v),
)


def test_the_page_is_generated():
    docs = ROOT / "docs" / "reference" / "algorithms.md"
    assert docs.read_text(encoding="utf-8") == page(), (
        "run: python tests/algorithms_page.py > docs/reference/algorithms.md"
    )


# The steps of the table, and how their claims print them, or minus them where they are of the loss.
PRINTED = {
    "0": "= 0",
    "∇ E_π[R]": "= −d/dθ[E_π[R]]",
    "∇ E_π[R] − β∇ KL(π‖π_ref) of whole texts": "= β d/dθ[E_π[Σₜ (log(π(aₜ)/π_ref(aₜ)))]] − d/dθ[E_π[R]]",
    "(1 − 1/G)∇ E_π[R]": "= (1 − 1/G) d/dθ[E_π[",
    "(β/2) ∇log(π(text_w)/π(text_l))": "= −β (u − v)/2",
    # what the advantages add and what the divergence takes, one after the other
    "∇ E_π[R/|o|] − E_π[R] ∇ E_π[1/|o|] − β v with v = E_π[(1/|o|)Σₜ(1 − π_ref/π)∇log π(aₜ)]": (
        "= d/dθ[E_π[R (1/|o|)]] − E_π[R] d/dθ[E_π[1/|o|]]; for texts of T ≥ 0 tokens, π, π_ref, ż of each state: "
        "E_π[Σₜ ((1/π(aₜ) − π_ref(aₜ)/(π(aₜ)²)) π̇(aₜ))]"
    ),
}


def test_keys_are_unique_and_every_row_has_its_claim():
    assert len({row.key for row in ALGORITHMS}) == len(ALGORITHMS)
    claims = index().listings
    assert {row.key for row in ALGORITHMS} == REST.keys() > BESIDE.keys()
    assert {name for names in REST.values() for name in names} <= claims.keys()
    assert {name for entries in BESIDE.values() for name in entries.values()} <= claims.keys()
    for row in ALGORITHMS:
        proved = claims[step_claim(row.key)]
        where = {"sft": " on the model's own texts", "dpo": " on one pair", "grpo": ", on-policy, rewards 0 and 1"}.get(
            row.key, ""
        )
        assert proved.title.casefold() == f"First step of {row.name}{where}".casefold()
        step = plain(row.step_latex)
        assert PRINTED.get(step, f"= {step}") in plain(proved.line)


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


def test_a_penalised_step_needs_a_penalty():
    weight = text_advantage(RUN.reward, RUN.baseline)
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


def test_mean_confidences_are_held_fixed_or_those_of_the_group():
    (short,), (long,) = TokenTree(2, 1).texts()
    graded = Graded(Rubric(2), (x, 1 - x), lambda text: (1, 0), lambda text: (u, 1) if text == (short,) else (v, 1))
    assert sp.simplify(graded.reward((short,), (u, v)) - 2 * x * u / (u + v)) == 0
    alone, beside = graded.of_group([(short,)])[0], graded.of_group([(short,), (long,)])[0]
    assert sp.simplify(alone - 2 * x * u / (u + 1)) == 0
    assert sp.simplify(beside - 2 * x * (u + v) / (u + v + 2)) == 0


def test_the_step_of_grape_is_made_of_its_own_rewards():
    grape = next(row for row in ALGORITHMS if row.key == "grape")
    loss = grape.loss(RUN)
    assert loss.has(item_score[1, 1, 1])
    assert not loss.has(text_reward[1, 1])


def test_a_token_of_a_term_is_what_the_loss_of_a_text_adds_up():
    text, weight = (1, 2), sp.Symbol("w", real=True)
    for surrogate in {row.surrogate for row in ALGORITHMS if row.surrogate and row.ratio.endswith("each token")}:
        steps = [(RUN.policy.probability(a, s), RUN.sampler.probability(a, s)) for a, s in ((1, ()), (2, (1,)))]
        terms = (surrogate.term(new, old, weight) for new, old in steps)
        assert surrogate.loss(text, RUN.policy, RUN.sampler, lambda *_: weight) + sp.Add(*terms) == 0


def test_charges_of_what_follows_are_held_fixed_and_those_that_move_are_refused():
    texts = Texts(o, o_, n, rates=((pi, pi[o]),))
    owed = {law: FromHere(TextSum(sp.log(law[o] / ref[o]), o)) for law in (old, pi)}
    assert sp.simplify(texts.rate(pi[o] / old[o] * owed[old]) - pi[o] / old[o] * owed[old]) == 0
    with pytest.raises(ClaimError, match="moves with the parameter"):
        texts.rate(pi[o] / old[o] * owed[pi])
