"""WHETHER it is true: statements, claims, derivations, and the checkers that judge them.

This package knows nothing of GRPO. A result file needs the names below; they are imported on first use, so that
reading a ledger costs no engine.
"""

from __future__ import annotations

from importlib import import_module
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from grpo_symbolic.proof.claims import (
        Catalogue,
        Claim,
        claim,
        imprecise,
        misprint,
        needs_hypothesis,
        redundant_hypothesis,
        wrong,
    )
    from grpo_symbolic.proof.derivation import Derivation
    from grpo_symbolic.proof.domain import Domain, positives, reals, simplex
    from grpo_symbolic.proof.evidence import Grade, Outcome, PrintVerdict, Verdict
    from grpo_symbolic.proof.rules import (
        Ahead,
        AtLeast,
        Attracts,
        Average,
        BoundedDerivative,
        ConcaveAndStationary,
        ConcaveInPolicy,
        Continuous,
        ContinuousMap,
        Contraction,
        ConvergesMonotonically,
        ConvergesToFixedPoint,
        Counted,
        Curved,
        Differentiable,
        Divergence,
        FallsToGreatestFixedPoint,
        Follows,
        Gibbs,
        Gradient,
        Here,
        InLetters,
        IntermediateValue,
        InvariantInterval,
        Iteration,
        LimitIsFixedPoint,
        Lipschitz,
        LocalMaximum,
        Monotone,
        MonotoneMap,
        Multiplier,
        OneRoot,
        OnlyMaximum,
        OnTexts,
        OverTokens,
        Repels,
        RiseAndFall,
        RisesToLeastFixedPoint,
        SecondOrder,
        Separable,
        SignOfDerivative,
        StaysIn,
        StrictlyMonotone,
        Summand,
        TakesValue,
        TermByTerm,
        TextMean,
        TextProduct,
        TextRate,
        Texts,
        TextSum,
        TextTotal,
        TwoLimits,
        UniqueRoot,
        at,
    )
    from grpo_symbolic.proof.statement import (
        Always,
        Equal,
        Every,
        Exists,
        On,
        Roots,
        Tends,
        When,
    )

_HOMES = {
    "claims": (
        "Catalogue",
        "Claim",
        "claim",
        "imprecise",
        "misprint",
        "needs_hypothesis",
        "redundant_hypothesis",
        "wrong",
    ),
    "derivation": ("Derivation",),
    "domain": ("Domain", "positives", "reals", "simplex"),
    "evidence": ("Grade", "Outcome", "PrintVerdict", "Verdict"),
    "rules": (
        "Ahead",
        "AtLeast",
        "Attracts",
        "Average",
        "BoundedDerivative",
        "ConcaveAndStationary",
        "ConcaveInPolicy",
        "Continuous",
        "ContinuousMap",
        "Contraction",
        "ConvergesMonotonically",
        "ConvergesToFixedPoint",
        "Counted",
        "Curved",
        "Differentiable",
        "Divergence",
        "FallsToGreatestFixedPoint",
        "Follows",
        "Gibbs",
        "Gradient",
        "Here",
        "InLetters",
        "IntermediateValue",
        "InvariantInterval",
        "Iteration",
        "LimitIsFixedPoint",
        "Lipschitz",
        "LocalMaximum",
        "Monotone",
        "MonotoneMap",
        "Multiplier",
        "OnTexts",
        "OneRoot",
        "OnlyMaximum",
        "OverTokens",
        "Repels",
        "RiseAndFall",
        "RisesToLeastFixedPoint",
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
    ),
    "statement": (
        "Always",
        "Equal",
        "Every",
        "Exists",
        "On",
        "Roots",
        "Tends",
        "When",
    ),
}
_HOME_OF = {name: home for home, names in _HOMES.items() for name in names}

__all__ = sorted(_HOME_OF)


def __getattr__(name: str) -> Any:
    if name not in _HOME_OF:
        raise AttributeError(f"module {__name__!r} has no attribute {name!r}")

    value = getattr(import_module(f"{__name__}.{_HOME_OF[name]}"), name)
    globals()[name] = value
    return value
