"""Rules, one family a file: conclusions that no engine understands, and theorems of Coq that lead to them.

:mod:`~grpo_symbolic.proof.rules.rule` says what a rule is; ``docs/rules.md`` lists all of them.
"""

from __future__ import annotations

from grpo_symbolic.proof.rules.derivatives import (
    AboveTangent,
    BoundedDerivative,
    Continuous,
    Curved,
    Differentiable,
    Lipschitz,
    Monotone,
    SignOfDerivative,
)
from grpo_symbolic.proof.rules.expectations import (
    Exchangeable,
    MemberMean,
)
from grpo_symbolic.proof.rules.induction import (
    ForEveryNumber,
    Induction,
)
from grpo_symbolic.proof.rules.iterations import (
    Attracts,
    ContinuousMap,
    Contraction,
    ConvergesMonotonically,
    ConvergesToFixedPoint,
    FallsToGreatestFixedPoint,
    InvariantInterval,
    Iteration,
    LimitIsFixedPoint,
    MonotoneMap,
    Multiplier,
    Repels,
    RisesToLeastFixedPoint,
    StaysIn,
    TwoLimits,
)
from grpo_symbolic.proof.rules.logic import (
    Follows,
    InLetters,
)
from grpo_symbolic.proof.rules.maxima import (
    ConcaveAndStationary,
    LocalMaximum,
    OnlyMaximum,
    RiseAndFall,
    SecondOrder,
)
from grpo_symbolic.proof.rules.roots import (
    Counted,
    IntermediateValue,
    OneRoot,
    StrictlyMonotone,
    TakesValue,
    UniqueRoot,
)
from grpo_symbolic.proof.rules.rule import (
    Conclusion,
    Premise,
    Rule,
    at,
)
from grpo_symbolic.proof.rules.simplex import (
    ConcaveInPolicy,
    EqualSlopes,
    MaximaSatisfy,
    Separable,
    Summand,
)
from grpo_symbolic.proof.rules.sums import (
    AtLeast,
    Divergence,
    EqualTerms,
    Gibbs,
    TermByTerm,
)
from grpo_symbolic.proof.rules.texts import (
    Ahead,
    Average,
    Gradient,
    Here,
    OnTexts,
    OverTokens,
    TextMean,
    TextProduct,
    TextRate,
    Texts,
    TextSum,
    TextTotal,
)

__all__ = [
    "AboveTangent",
    "Ahead",
    "AtLeast",
    "Attracts",
    "Average",
    "BoundedDerivative",
    "ConcaveAndStationary",
    "ConcaveInPolicy",
    "Conclusion",
    "Continuous",
    "ContinuousMap",
    "Contraction",
    "ConvergesMonotonically",
    "ConvergesToFixedPoint",
    "Counted",
    "Curved",
    "Differentiable",
    "Divergence",
    "EqualSlopes",
    "EqualTerms",
    "Exchangeable",
    "FallsToGreatestFixedPoint",
    "Follows",
    "ForEveryNumber",
    "Gibbs",
    "Gradient",
    "Here",
    "InLetters",
    "Induction",
    "IntermediateValue",
    "InvariantInterval",
    "Iteration",
    "LimitIsFixedPoint",
    "Lipschitz",
    "LocalMaximum",
    "MaximaSatisfy",
    "MemberMean",
    "Monotone",
    "MonotoneMap",
    "Multiplier",
    "OnTexts",
    "OneRoot",
    "OnlyMaximum",
    "OverTokens",
    "Premise",
    "Repels",
    "RiseAndFall",
    "RisesToLeastFixedPoint",
    "Rule",
    "SecondOrder",
    "Separable",
    "SignOfDerivative",
    "StaysIn",
    "StrictlyMonotone",
    "Summand",
    "TakesValue",
    "TermByTerm",
    "TextMean",
    "TextProduct",
    "TextRate",
    "TextSum",
    "TextTotal",
    "Texts",
    "TwoLimits",
    "UniqueRoot",
    "at",
]
