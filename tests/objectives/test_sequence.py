"""Token trees: exact probabilities and expectations, and the space of policy-gradient losses over them."""

import pytest
import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import direction, policy_0, policy_1, text_reward
from grpo_symbolic.objectives.sequence import TokenTree, steps
from grpo_symbolic.objectives.surrogate import Ratio, Surrogate, text_advantage, text_kl, visited_kl


def reward(text):
    return text_reward[text]


@pytest.mark.parametrize(("actions", "horizon", "ends", "count"), [(2, 3, False, 8), (3, 2, False, 9), (2, 3, True, 4)])
def test_texts_are_all_there_and_their_probabilities_sum_to_one(actions, horizon, ends, count):
    tree = TokenTree(actions, horizon, ends)
    policy = tree.policy(policy_1)
    assert len(tree.texts()) == len(set(tree.texts())) == count
    assert sp.expand(policy.expectation(lambda text: 1)) == 1


def test_a_text_that_has_ended_has_no_further_state():
    tree = TokenTree(2, 3, ends=True)
    assert tree.states() == [(), (1,), (1, 1)]
    assert (2,) in tree.texts()


def test_value_agrees_with_the_expectation_over_texts():
    policy = TokenTree(3, 2).policy(policy_1)
    for state in [(), (1,), (3,)]:
        assert sp.expand(policy.value(reward, state) - policy.expectation(reward, state)) == 0


def test_gradient_is_the_derivative_of_a_softmax_policy():
    """Against logits put in by hand: two tokens, horizon 2, the logits moving along an arbitrary direction."""
    tree = TokenTree(2, 2)
    policy = tree.policy(policy_1)
    theta = sp.Symbol("theta")
    at = {policy_1[1]: sp.Rational(1, 3), policy_1[1, 1]: sp.Rational(1, 4), policy_1[2, 1]: sp.Rational(2, 5)}
    rates = {direction[(*s, a)]: sp.Integer(3 * len(s) + 2 * a - sum(s)) for s in tree.states() for a in tree.tokens}
    moving = {}
    for symbol, start in at.items():
        state = tuple(int(c) for c in symbol.name.split("_")[1:-1])
        first, second = (rates[direction[(*state, a)]] for a in tree.tokens)
        weight = start * sp.exp(first * theta)
        moving[symbol] = weight / (weight + (1 - start) * sp.exp(second * theta))
    value = policy.value(reward)
    expected = sp.diff(value.xreplace(moving), theta).subs(theta, 0)
    assert sp.simplify(policy.gradient(value, direction).xreplace(rates).xreplace(at) - expected) == 0


def test_texts_differ_as_their_states_do():
    tree = TokenTree(2, 2)
    first, second = tree.policy(policy_1), tree.policy(policy_0)
    at = {s: sp.Rational(k + 1, 9) for k, s in enumerate(sorted((text_kl(first, second)).free_symbols, key=str))}
    difference = text_kl(first, second) - visited_kl(first, first, second)
    assert abs(sp.N(difference.xreplace(at), 30)) < 1e-25
    assert abs(sp.N((text_kl(first, second) - visited_kl(second, first, second)).xreplace(at), 30)) > 1e-3


def test_losses_agree_where_the_policy_is_its_sampler():
    tree = TokenTree(2, 2)
    policy, sampler = tree.policy(policy_1), tree.policy(policy_0)
    weight = text_advantage(reward)
    slopes = [
        policy.gradient(Surrogate(ratio).expected(policy, sampler, weight), direction)
        for ratio in (Ratio.LOG, Ratio.TOKEN)
    ]
    difference = (slopes[0] - slopes[1]).xreplace(policy.identified_with(sampler))
    assert sp.simplify(difference) == 0
    assert sp.simplify(slopes[0] - slopes[1]) != 0


def test_a_step_knows_its_state():
    assert steps((2, 1, 1)) == [(2, ()), (1, (2,)), (1, (2, 1))]


@pytest.mark.parametrize(("actions", "horizon"), [(1, 2), (2, 0)])
def test_no_tree_without_a_choice(actions, horizon):
    with pytest.raises(BadInput, match="token tree needs"):
        TokenTree(actions, horizon)


def test_a_log_probability_is_not_clipped():
    with pytest.raises(BadInput, match="only a probability ratio can be clipped"):
        Surrogate(Ratio.LOG, epsilon=sp.Rational(1, 5))
