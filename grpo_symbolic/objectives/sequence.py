"""Texts as sequences of tokens: token trees with exact probabilities, expectations, scores and gradients.

A text is a path ``(a_1, …, a_T)`` of tokens numbered from 1; a state is the path of the tokens so far, ``()`` for the
prompt alone. Every state of the tree has its own free distribution over the next token, so what holds for the tree
holds for every tabular policy, and by the chain rule along any parameter that moves the logits:

- a *direction* gives to each token in each state the rate at which its logit changes along a scalar parameter θ;
- the *score* ``d log π(a|s)/dθ`` of a softmax policy is the token's rate minus the policy's mean rate;
- :meth:`SequencePolicy.gradient` differentiates any expression in the probabilities along that direction.

Source: Patel (2025), Sections 2, 4.1–4.3 (states, texts, value, advantage); the tree is exact, nothing is sampled.

>>> from grpo_symbolic.notation import policy_1, text_reward
>>> tree = TokenTree(actions=2, horizon=1)
>>> tree.policy(policy_1).value(lambda text: text_reward[text])
R_1*pi1_1 + R_2*(1 - pi1_1)
"""

from __future__ import annotations

import itertools
from collections.abc import Callable
from dataclasses import dataclass
from typing import Any, TypeAlias

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import Tokens
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.slopes import derivative

Path: TypeAlias = tuple[int, ...]  # tokens so far: a state, or a whole text


@dataclass(frozen=True)
class TokenTree:
    """All texts of ``horizon`` tokens over ``actions`` tokens; with ``ends``, the last token is the end of the text,
    so that texts have between 1 and ``horizon`` tokens.

    Raises :class:`BadInput` for fewer than two tokens or a horizon below one.
    """

    actions: int
    horizon: int
    ends: bool = False

    def __post_init__(self) -> None:
        if self.actions < 2:
            raise BadInput(f"a token tree needs at least two tokens, got {self.actions}")
        if self.horizon < 1:
            raise BadInput(f"a token tree needs a horizon of at least one token, got {self.horizon}")

    @property
    def tokens(self) -> range:
        """The vocabulary, 1 to ``actions``."""
        return range(1, self.actions + 1)

    def is_text(self, path: Path) -> bool:
        """Whether generation stops after these tokens."""
        return len(path) == self.horizon or (self.ends and bool(path) and path[-1] == self.actions)

    def states(self) -> list[Path]:
        """Every path after which a further token is generated, shortest first."""
        return [path for length in range(self.horizon) for path in self._paths(length) if not self.is_text(path)]

    def texts(self, beginning: Path = ()) -> list[Path]:
        """Every whole text that begins with ``beginning``."""
        if self.is_text(beginning):
            return [beginning]
        return [text for token in self.tokens for text in self.texts((*beginning, token))]

    def policy(self, probabilities: Tokens) -> SequencePolicy:
        """The policy whose probabilities are these symbols, the last token of each state getting the rest."""
        return SequencePolicy(self, probabilities)

    def _paths(self, length: int) -> list[Path]:
        live = self.tokens[:-1] if self.ends else self.tokens
        return list(itertools.product(live, repeat=length))


def steps(text: Path) -> list[tuple[int, Path]]:
    """``(a_t, s_t)`` for t = 1, …, T: each token of a text with the state in which it was generated."""
    return [(token, text[:t]) for t, token in enumerate(text)]


@dataclass(frozen=True)
class SequencePolicy:
    """A policy on a token tree: in every state a free distribution over the next token, with full support."""

    tree: TokenTree
    symbols: Tokens

    def probability(self, token: int, state: Path) -> sp.Expr:
        """``π(a|s)``; the last token of the vocabulary has one minus the others."""
        if token < self.tree.actions:
            return self.symbols[(*state, token)]
        return 1 - sp.Add(*(self.symbols[(*state, other)] for other in self.tree.tokens[:-1]))

    def constraints(self) -> list[sp.Rel]:
        """The policy's constraints for a domain: every probability is positive, and so below one."""
        relations: list[Any] = []
        for state in self.tree.states():
            free = [self.probability(token, state) for token in self.tree.tokens[:-1]]
            relations += [relation for x in free for relation in (0 < x, x < 1)]
            if len(free) > 1:
                relations.append(sp.Add(*free) < 1)
        return relations

    def reaches(self, path: Path, start: Path = ()) -> sp.Expr:
        """The probability that generation from ``start`` runs through ``path``: the product of its tokens'
        probabilities; of a whole text, ``π(text)``.
        """
        return sp.Mul(*(self.probability(a, s) for a, s in steps(path)[len(start) :]))

    def log_probability(self, text: Path) -> sp.Expr:
        """``log π(text) = Σ_t log π(a_t|s_t)``, as the sum."""
        return sp.Add(*(sp.log(self.probability(a, s)) for a, s in steps(text)))

    def expectation(self, of: Callable[[Path], Scalar], given: Path = ()) -> sp.Expr:
        """``E[f(text) | the text begins with given]`` over texts drawn from this policy."""
        return sp.Add(*(self.reaches(text, given) * of(text) for text in self.tree.texts(given)))

    def value(self, reward: Callable[[Path], Scalar], state: Path = ()) -> sp.Expr:
        """``V(s) = E[R(text) | s]``, by Bellman's recursion from the ends of the texts."""
        if self.tree.is_text(state):
            return sp.sympify(reward(state))
        return sp.Add(*(self.probability(a, state) * self.value(reward, (*state, a)) for a in self.tree.tokens))

    def action_value(self, reward: Callable[[Path], Scalar], token: int, state: Path) -> sp.Expr:
        """``Q(s, a) = E[R(text) | s, a]``."""
        return self.value(reward, (*state, token))

    def score(self, token: int, state: Path, direction: Tokens) -> sp.Expr:
        """``d log π(a|s)/dθ`` of the softmax policy whose logits move along ``direction``."""
        mean = sp.Add(*(self.probability(b, state) * direction[(*state, b)] for b in self.tree.tokens))
        return direction[(*state, token)] - mean

    def gradient(self, expression: Scalar, direction: Tokens) -> sp.Expr:
        """The derivative along ``direction`` of an expression in the probabilities; every other symbol is held
        fixed.
        """
        return sp.Add(
            *(
                derivative(expression, self.symbols[(*s, a)]) * self.probability(a, s) * self.score(a, s, direction)
                for s in self.tree.states()
                for a in self.tree.tokens[:-1]
            )
        )

    def identified_with(self, other: SequencePolicy) -> dict[sp.Symbol, sp.Symbol]:
        """The substitution that sets this policy equal to another one (π_old = π), to be made after differentiating."""
        return {
            self.symbols[(*s, a)]: other.symbols[(*s, a)] for s in self.tree.states() for a in self.tree.tokens[:-1]
        }


def next_token_score(policy: Policy, rate: Policy, token: Scalar, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``d log π(o)/dθ`` of one softmax distribution over symbolically many tokens, whose logits move at ``rate``."""
    return rate[token] - answers.total(lambda o: policy[o] * rate[o], index)
