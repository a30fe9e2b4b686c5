"""Negative log-likelihood and what is made of it: the losses of supervised fine-tuning and of a preference model, and
its expectations under the law that draws, entropy and cross entropy.

Probabilities of independent outcomes, or of the tokens of a text given what comes before, multiply to a *likelihood*;
its negative logarithm is a sum. The difference of cross entropy and entropy, the KL divergence, is in
:mod:`grpo_symbolic.objectives.divergence`. Sources: Shannon (1948); Patel (2025), equations (1), (2), Section 3,
Appendix 8.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.objectives.sequence import Path, SequencePolicy, steps
from grpo_symbolic.objectives.space import Answers, Policy
from grpo_symbolic.scalars import Scalar


def likelihood(probabilities: Sequence[Scalar]) -> sp.Expr:
    """``L(q|x) = Π_i q(x_i)``: the probability of all outcomes together, as the product.

    Raises :class:`BadInput` for no outcome, or a number that is no probability mass or density (negative, NaN).
    """
    return sp.Mul(*_checked(probabilities))


def nll(probabilities: Sequence[Scalar], start: int = 1) -> sp.Expr:
    """``−Σ_{t≥start} log p_t``, as the sum; outcomes are numbered from 1, those before ``start`` do not count.

    Raises :class:`BadInput` for no outcome, a number that is no probability, and a start that is none of them.
    """
    values = _checked(probabilities)
    if not 1 <= start <= len(values):
        raise BadInput(f"the sum starts at one of the outcomes 1 to {len(values)}, not at {start}")
    return -sp.Add(*(sp.log(v) for v in values[start - 1 :]))


def text_nll(policy: SequencePolicy, text: Path, start: int = 1) -> sp.Expr:
    """Equation (1): ``NLL(text, M) = −Σ_t log π_M(a_t|s_t)``, from token ``start`` on (the first of the answer)."""
    return nll([policy.probability(a, s) for a, s in steps(text)], start)


def sft_loss(losses: Sequence[Scalar]) -> sp.Expr:
    """Equation (2): the average of the losses of the samples; by the shares of what they are, it is the
    :func:`~grpo_symbolic.objectives.cross_entropy` of these with the model.

    Raises :class:`BadInput` for no sample.
    """
    if not losses:
        raise BadInput("the loss of supervised fine-tuning is an average over at least one sample")
    return sp.Add(*losses) / len(losses)


def binary_cross_entropy(preferred: Scalar, probability: Scalar) -> sp.Expr:
    """``−hp log P − (1 − hp) log(1 − P)`` for a recorded preference ``hp`` (0 or 1, or the share of ones) and the
    probability ``P`` that the model gives to the first text.
    """
    return -preferred * sp.log(probability) - (1 - preferred) * sp.log(1 - probability)


def _checked(probabilities: Sequence[Scalar]) -> list[sp.Expr]:
    values = [sp.sympify(v) for v in probabilities]
    if not values:
        raise BadInput("a likelihood needs at least one outcome")
    bad = next((v for v in values if v is sp.nan or v.is_negative), None)
    if bad is not None:
        raise BadInput(f"{bad} is neither a probability nor a density")
    return values


def expected(law: Policy, value: Callable[[Scalar], sp.Expr], answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``E_law[value] = Σ_o law(o) value(o)``."""
    return answers.total(lambda o: law[o] * value(o), index)


def cross_entropy(law: Policy, model: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``H(p, q) = E_p[−log q]``: the expected NLL of ``model`` where ``law`` draws."""
    return expected(law, lambda o: -sp.log(model[o]), answers, index)


def entropy(law: Policy, answers: Answers, index: sp.Symbol) -> sp.Expr:
    """``H(p) = E_p[−log p]``: the expected NLL of the law that draws."""
    return cross_entropy(law, law, answers, index)
