"""Which claims answer which question in which region of the space.

A row names a question, a region and the claims that settle the question there, the strongest first; rows stand in that
order too. There are no verdicts here: they come from the ledger. A claim that the project records as open is named
where it belongs. A region is stated by the parts of a point (group size, normaliser, penalty, how the policy enters),
and by ``where``, a condition on β, p, ε and G. It is as narrow as the claim's own text: a claim on the deviation does
not cover the deviation plus ε.

``rests_on`` is how much of the objective a claim uses: its on-policy slope only ("slope"), the frozen objective near
π_old ("near"), or the whole frozen objective ("frozen"). Every way to weigh the policy has the same on-policy slope;
clipping leaves the frozen objective alone near π_old (by-clip-near) and not further away.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Literal, NamedTuple

import sympy as sp

from grpo_symbolic.notation import G, beta, guard, p
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.setting import PenaltyName as P
from grpo_symbolic.theory.point import NORMALISERS, Point

QUESTIONS: dict[str, str] = {
    "equation": "which equation a stationary policy satisfies",
    "closed form": "that policy in closed form",
    "existence": "whether there is a stationary policy",
    "uniqueness": "whether there is only one",
    "maximum": "whether it maximises its own frozen objective",
    "stability": "whether learning reaches it",
    "bounds": "how far it can be from the reference",
    "limits": "what happens for rare successes, weak and strong β",
    "many answers": "what holds for more than two answers and any rewards",
    "noise": "what a noisy verifier and ties change",
    "texts": "what several tokens change",
    "clipping": "what clipping changes",
}
COLUMNS = ("existence", "uniqueness", "maximum", "stability", "bounds", "limits")  # of the table of the space
Rests = Literal["slope", "near", "frozen"]
ByQuestion = dict[str, list[tuple[str, sp.logic.boolalg.Boolean, str]]]  # by question: claim, condition, note
_ENOUGH: dict[Rests, tuple[str, ...]] = {
    "slope": ("ratio", "clipped", "log", "capped", "gated"),
    "near": ("ratio", "clipped"),
    "frozen": ("ratio",),
}

ALL = tuple(NORMALISERS)
STD, SAMPLE, UNDIVIDED = ("std",), ("sample-std",), ("none", "leave-one-out", "batch")
OTHERS = tuple(n for n in ALL if n != "std")
FORWARD = (P.K3, P.FORWARD_KL, P.K3_DETACHED)  # one on-policy slope: that of KL(π_ref‖π)
REVERSE = (P.REVERSE_KL, P.K2, P.K2_DETACHED, P.K1_REWARD, P.K3_SCORE, P.K1_SCORE)  # and these: that of KL(π‖π_ref)
FREE = (P.K1, P.K1_DETACHED, P.NONE)  # no gradient at π_old = π


@dataclass(frozen=True)
class Sizes:
    """Group sizes: those from ``low`` to ``high``, and large groups if ``large``."""

    low: int = 2
    high: int | None = None
    large: bool = False

    def __contains__(self, size: Scalar) -> bool:
        return self.large if size == sp.oo else size >= self.low and (self.high is None or size <= self.high)


EVERY, FINITE, LARGE = Sizes(large=True), Sizes(), Sizes(low=2, high=1, large=True)
PAIRS, TRIPLES, SMALL = Sizes(high=2), Sizes(3, 3), Sizes(high=3)


@dataclass(frozen=True)
class Row:
    """``claims`` (ids) that settle a ``question`` in a region: group ``sizes``, ``normalisers``, ``penalties``, and the
    condition ``where``; ``rests_on`` is what of the weight must agree, ``note`` how, where the titles do not say so.
    """

    question: str
    claims: tuple[str, ...]
    sizes: Sizes
    normalisers: tuple[str, ...]
    penalties: tuple[P, ...]
    rests_on: Rests = "slope"
    where: sp.logic.boolalg.Boolean = sp.true
    note: str = ""

    def covers(self, point: Point) -> bool:
        """Whether the point lies in the region, the condition ``where`` aside."""
        return (
            point.group_size in self.sizes
            and point.normaliser in self.normalisers
            and point.penalty in self.penalties
            and point.weighs in _ENOUGH[self.rests_on]
        )

    def condition(self, numbers: Mapping[sp.Symbol, Scalar]) -> sp.logic.boolalg.Boolean:
        """What is left of ``where`` once the numbers are put in: true, false, or a condition."""
        return sp.sympify(self.where).subs(dict(numbers))


def numbers_of(point: Point, p_ref: Scalar | None = None) -> dict[sp.Symbol, Scalar]:
    """The parameters of a point that have a value, by their symbols: those that a condition can be about."""
    given = {G: point.group_size, p: p_ref, beta: None if point.penalty is P.NONE else point.beta}
    if point.normaliser is not None and point.advantage.guard != 0:
        given[guard] = point.advantage.guard
    return {s: v for s, v in given.items() if v is not None and not sp.sympify(v).free_symbols and v != sp.oo}


class Says(NamedTuple):
    """The claims (ids, with blanks between) that settle a question where they apply."""

    question: str
    claims: str
    rests_on: Rests = "slope"
    where: sp.logic.boolalg.Boolean = sp.true


def _rows(
    sizes: Sizes, normalisers: tuple[str, ...], penalties: tuple[P, ...], *rows: Says, note: str = ""
) -> tuple[Row, ...]:
    """Rows of one region, with the ``note`` on all of them."""
    return tuple(
        Row(of.question, tuple(of.claims.split()), sizes, normalisers, penalties, of.rests_on, of.where, note)
        for of in rows
    )


_MARGIN = "b = β/γ, with the constant gap as γ"
_CONSTANT_GAP = ((TRIPLES, STD), (SMALL, OTHERS), (Sizes(4, large=True), UNDIVIDED))
_FORWARD_SPECIAL = (
    *_rows(
        PAIRS,
        STD,
        FORWARD,
        Says("equation", "vy-eq17"),
        Says("closed form", "vy-eq14"),
        Says("bounds", "vy-eq14-lower-bound-strict vy-eq14-lower-bound"),
        Says("limits", "vy-s231-continuity vy-s231-limit-beta-0 vy-s231-limit-beta-inf"),
    ),
    *_rows(
        LARGE,
        (*STD, *SAMPLE),
        FORWARD,
        Says("equation", "vy-eq19"),
        Says("closed form", "vy-eq15"),
        Says("bounds", "vy-eq15-lower-bound"),
        Says("limits", "vy-s231-inf-discontinuity vy-s231-inf-beta-limits"),
    ),
    *_rows(PAIRS, STD, (P.K3,), Says("maximum", "vy-s13-stationary-definition vy-s13-safe-regularisation", "near")),
    *_rows(LARGE, STD, (P.K3,), Says("maximum", "vy-s13-large-groups", "near")),
    # Groups of three, and whatever has a constant gap: groups of two with another margin.
    *_rows(
        TRIPLES,
        STD,
        FORWARD,
        Says("equation", "by-gap-closed-forms"),
        Says("closed form", "by-stationary-closed-forms"),
    ),
    *_rows(
        SMALL, OTHERS, FORWARD, Says("equation", "by-norm-small-groups"), Says("closed form", "by-norm-closed-form")
    ),
    *_rows(
        Sizes(4, large=True),
        UNDIVIDED,
        FORWARD,
        Says("equation", "by-norm-no-division"),
        Says("closed form", "by-norm-closed-form"),
    ),
    *(
        row
        for sizes, normalisers in _CONSTANT_GAP
        for row in (
            *_rows(sizes, normalisers, FORWARD, Says("limits", "vy-s231-continuity"), note=_MARGIN),
            *_rows(
                sizes,
                normalisers,
                (P.K3,),
                Says("maximum", "vy-s13-stationary-definition vy-s13-safe-regularisation", "near"),
                Says("stability", "by-br-kl0-pairs by-br-kl0-pairs-safe", "frozen"),
                note=_MARGIN,
            ),
        )
    ),
    *_rows(
        EVERY, ("batch",), FORWARD, Says("closed form", "by-norm-batch"), Says("uniqueness", "by-norm-batch-consistent")
    ),
    *_rows(
        EVERY,
        ("none",),
        FORWARD,
        Says("uniqueness", "by-norm-none-unique"),
        Says("many answers", "by-norm-none-unique"),
    ),
)

_FORWARD_EVERY_SIZE = (
    *_rows(
        FINITE,
        SAMPLE,
        FORWARD,
        *(
            Says(question, "by-norm-sample-deviation")
            for question in ("equation", "existence", "uniqueness", "bounds", "limits")
        ),
    ),
    *_rows(FINITE, SAMPLE, (P.K3,), Says("maximum", "by-norm-sample-deviation", "near")),
    *_rows(
        EVERY,
        STD,
        FORWARD,
        Says("equation", "by-stationary-equation"),
        Says("existence", "by-stationary-unique"),
        Says("uniqueness", "by-stationary-unique"),
        Says("bounds", "by-stationary-bounds by-many-event-bound by-many-chi-square"),
        Says("limits", "by-rare-jump by-rare-factor by-rare-guarantee by-stationary-ends by-stationary-monotone"),
        Says("stability", "by-flow-potential by-flow-one-rest-point by-flow-classes by-order-flows by-order-steps"),
        Says(
            "many answers",
            "by-two-levels by-many-stationary by-many-ratio-ordered by-many-upper-sets by-many-distances",
        ),
        Says("noise", "by-noise-gap by-noise-unique by-noise-lowers by-noise-jump by-many-reward-gain-stochastic"),
    ),
    *_rows(
        EVERY,
        OTHERS,
        FORWARD,
        Says("equation", "by-norm-coefficients"),
        Says("existence", "by-norm-shape"),
        Says("uniqueness", "by-norm-shape"),
    ),
    *_rows(FINITE, STD, FORWARD, Says("limits", "by-stationary-monotone-in-size by-gap-rate")),
    *_rows(
        FINITE,
        ("sqrt(var+eps)", "std+eps"),
        FORWARD,
        Says("bounds", "by-guard-usual", "slope", sp.And(G <= 64, 10000 * guard <= 1)),
        Says("bounds", "by-guard-bounds"),
        Says("limits", "by-guard-rare"),
    ),
    *_rows(LARGE, ("sqrt(var+eps)",), FORWARD, Says("limits", "by-guard-rare-large-groups")),
    *_rows(EVERY, UNDIVIDED, FORWARD, Says("limits", "by-norm-no-division")),
    *_rows(PAIRS, STD, (P.FORWARD_KL,), Says("equation", "vy-s12-penalty-reverse-KL")),
    *_rows(EVERY, ALL, (P.FORWARD_KL,), Says("equation", "by-flow-forward-kl")),
    *_rows(EVERY, ALL, (P.K3_DETACHED,), Says("equation", "by-div-ratio-held")),
)

_FORWARD_MAXIMUM = (
    *_rows(
        EVERY,
        STD,
        (P.K3,),
        Says("maximum", "by-global-threshold", "frozen", 2000 * p >= 149),
        Says("maximum", "by-max-plane by-max-safe-everywhere by-max-region by-max-safe-beta by-max-safe-sharp", "near"),
        Says("maximum", "by-saddle-classification", "near"),
        Says("maximum", "by-saddle-beta", "near", 2 * p < 1),
        Says(
            "maximum",
            "by-global-linear by-global-twins by-global-rare-answer by-global-reference by-global-sharp",
            "frozen",
        ),
        Says("maximum", "by-boundary-condition by-boundary-all-correct by-boundary-small-beta", "near"),
        Says("maximum", "by-boundary-global", "frozen"),
    ),
    *_rows(LARGE, ("sqrt(var+eps)",), (P.K3,), Says("maximum", "by-guard-safe", "near")),
    *_rows(EVERY, OTHERS, (P.K3,), Says("maximum", "by-max-region by-max-curvature", "near")),
    *_rows(EVERY, ALL, (P.K3_DETACHED,), Says("maximum", "by-div-curvature", "near")),
    *_rows(EVERY, ALL, (P.FORWARD_KL,), Says("maximum", "by-clip-convex-penalty", "near")),
)

_FORWARD_RESPONSES = (
    *_rows(EVERY, STD, (P.K3,), Says("stability", "by-br-kl0-global", "frozen", 2 * p >= 1)),
    *_rows(
        SMALL,
        STD,
        (P.K3,),
        Says("stability", "by-br-kl0-pairs by-br-kl0-pairs-safe", "frozen"),
        Says("stability", "by-br-kl0-no-cycle", "frozen", 400 * p >= 51),
    ),
    *_rows(
        PAIRS,
        STD,
        (P.K3,),
        Says("stability", "by-cycle-kl0-rare by-cycle-kl0 by-cycle-kl0-start by-order-kl0-first", "frozen"),
    ),
    *_rows(LARGE, STD, (P.K3,), Says("stability", "by-br-large-groups by-br-large-safe", "frozen")),
    *_rows(EVERY, STD, (P.K3, P.FORWARD_KL), Says("stability", "by-br-between", "frozen")),
    *_rows(
        EVERY,
        STD,
        (P.K3,),
        Says("stability", "by-br-kl0-multiplier", "frozen"),
        Says("stability", "by-flow-beyond-maxima", "near"),
    ),
    *_rows(SMALL, STD, (P.FORWARD_KL,), Says("stability", "by-br-kl-multipliers", "frozen")),
    *_rows(
        LARGE, STD, (P.FORWARD_KL,), Says("stability", "by-br-large-groups by-br-large-safe by-cycle-forward", "frozen")
    ),
    *_rows(EVERY, STD, (P.FORWARD_KL,), Says("stability", "by-br-forward-global", "frozen")),
    *_rows(EVERY, ("none",), FORWARD, Says("stability", "by-norm-none-unique")),
)

_REVERSE = (
    *_rows(PAIRS, STD, (P.K2,), Says("maximum", "by-div-k2-maximum", "near")),
    *_rows(
        PAIRS,
        STD,
        (P.REVERSE_KL,),
        Says("equation", "vy-B2-derivative-G2"),
        Says("closed form", "vy-s3-dkl-binary"),
        Says("limits", "vy-s3-dkl-beta-limits"),
        Says("maximum", "vy-s3-dkl-aggregation", "frozen"),
        Says("many answers", "vy-s3-dkl-nlhf-akin", "frozen"),
    ),
    *_rows(
        LARGE,
        STD,
        (P.REVERSE_KL,),
        Says("equation", "vy-B2-h"),
        Says("existence", "vy-B2-h-positive-small-beta vy-B2-threshold br-mr-vy-count"),
        Says("uniqueness", "vy-B2-two-roots br-mr-vy-count"),
        Says("maximum", "vy-B2-zeros-vs-maxima vy-s3-dkl-inf-two-max", "frozen"),
        Says("stability", "vy-B2-stability br-mr-vy-stable-range br-mr-vy-selection", "frozen"),
        Says("stability", "by-br-large-groups by-order-first-response", "frozen"),
        Says("bounds", "br-mr-vy-kl0"),
        Says("limits", "vy-s3-dkl-inf-small-beta", "frozen"),
        Says("limits", "br-mr-vy-large-beta"),
    ),
    *_rows(
        LARGE,
        ("sqrt(var+eps)",),
        (P.REVERSE_KL,),
        Says("equation", "mr-thm2-h br-mr-vy-fixed-points", "frozen"),
        Says("existence", "by-norm-dkl-existence mr-prop1-existence"),
        Says("uniqueness", "by-norm-dkl-threshold mr-lem1-all-beta by-norm-dkl-three"),
        Says("maximum", "mr-pf1-concave mr-thm1-policy", "frozen"),
        Says("stability", "mr-lem1-bound mr-dyn-monotone mr-dyn-two-limits mr-thm4", "frozen"),
        Says("stability", "mr-fig5-divergent by-order-reversed", "frozen"),
        Says("stability", "by-shape-attractors by-shape-period-three by-shape-two-attractors", "frozen"),
        Says("bounds", "mr-thm3-logit-bounds mr-thm3-every-p", "frozen"),
        Says("limits", "mr-thm3-beta-limits", "frozen"),
    ),
    *_rows(
        LARGE,
        ("std+eps",),
        (P.REVERSE_KL,),
        Says("stability", "by-shape-attractors", "frozen"),
        Says("bounds", "mr-thm3-deviation-plus-guard mr-thm3-trainers", "frozen"),
    ),
    *_rows(
        EVERY,
        ("none", "batch"),
        REVERSE,
        *(
            Says(question, "by-norm-dkl-no-division")
            for question in ("equation", "closed form", "existence", "uniqueness")
        ),
    ),
    *_rows(EVERY, ("none",), (P.REVERSE_KL,), Says("many answers", "vy-s3-combined-rlhf")),
    *_rows(Sizes(high=5), STD, REVERSE, Says("uniqueness", "by-flow-direct-one")),
    *_rows(FINITE, STD, REVERSE, Says("uniqueness", "by-br-direct-every-size", "slope", 3 * beta > sp.sqrt(G - 1))),
    *_rows(
        FINITE, STD, (P.REVERSE_KL,), Says("stability", "by-br-direct-every-size", "frozen", 3 * beta > sp.sqrt(G - 1))
    ),
    *_rows(FINITE, STD, REVERSE, Says("existence", "by-exists-direct")),
    *_rows(
        EVERY,
        STD,
        REVERSE,
        Says("stability", "by-flow-direct-start by-flow-direct by-order-flows"),
        Says("limits", "by-flow-direct-start"),
    ),
    *_rows(SMALL, STD, REVERSE, Says("closed form", "by-flow-direct-start by-div-tilted")),
    *_rows(SMALL, STD, (P.REVERSE_KL,), Says("stability", "by-br-kl-multipliers", "frozen")),
    *_rows(
        Sizes(4, 5), STD, (P.REVERSE_KL,), Says("stability", "by-br-direct-contraction by-order-contraction", "frozen")
    ),
    *_rows(FINITE, STD, (P.REVERSE_KL,), Says("stability", "by-br-kl-multipliers", "frozen")),
    *_rows(
        EVERY,
        ALL,
        (P.REVERSE_KL,),
        Says("equation", "by-div-ratio-differentiated by-div-stationary"),
        Says("maximum", "by-clip-convex-penalty by-div-curvature", "near"),
    ),
    *_rows(
        EVERY,
        ALL,
        (P.K2,),
        Says("equation", "by-div-stationary by-div-loss-gradients"),
        Says("maximum", "by-div-curvature", "near"),
    ),
    *_rows(EVERY, ALL, (P.K2_DETACHED,), Says("equation", "by-div-ratio-held")),
    *_rows(
        EVERY,
        ALL,
        (P.K1_REWARD,),
        Says("equation", "by-div-stationary by-div-reward-gradients"),
        Says("maximum", "by-div-curvature", "near"),
    ),
)

_NONE_INSIDE = "there is no penalty and the gap is positive: no policy inside (0, 1) is stationary"
_ELSEWHERE = (
    *_rows(EVERY, ALL, (P.K1, P.K1_DETACHED), Says("equation", "by-div-stationary by-div-loss-gradients")),
    *_rows(EVERY, ALL, (P.K1_DETACHED,), Says("equation", "by-div-ratio-held")),
    *_rows(FINITE, STD, FREE, Says("existence", "by-gap-bounds"), note=_NONE_INSIDE),
    *_rows(
        PAIRS, STD, (P.K1,), Says("existence", "by-div-k1-unbounded"), Says("maximum", "by-div-k1-unbounded", "frozen")
    ),
    *_rows(EVERY, ALL, (P.K1,), Says("maximum", "by-div-curvature", "near")),
    *_rows(PAIRS, STD, (P.NONE,), Says("limits", "vy-s231-limit-beta-0")),
    *_rows(EVERY, ALL, (P.K2_RATIO,), Says("equation", "by-div-ratio-differentiated")),
    *_rows(
        EVERY,
        ALL,
        (P.K2_REWARD,),
        Says("equation", "by-div-k2-reward-pull by-div-reward-gradients"),
        Says("bounds", "by-div-k2-reward-pull"),
        Says("maximum", "by-div-curvature", "near"),
    ),
    *_rows(
        EVERY,
        ALL,
        (P.K3_REWARD,),
        Says("equation", "by-div-stationary by-div-k3-reward-pull"),
        Says("maximum", "by-div-curvature", "near"),
    ),
    *_rows(
        PAIRS,
        STD,
        (P.K3_REWARD,),
        *(Says(question, "by-div-k3-reward-runs-away") for question in ("existence", "stability", "limits")),
    ),
    *_rows(
        EVERY,
        ALL,
        (P.K1_RAW_REWARD,),
        Says("equation", "by-div-charge-levels"),
        *(Says(question, "by-div-charge-normalised") for question in ("closed form", "existence", "uniqueness")),
        Says("many answers", "by-div-charge-levels"),
    ),
)

_MANY = (
    *_rows(PAIRS, STD, FORWARD, Says("many answers", "by-pairs-unique by-pairs-ordered vy-eq12")),
    *_rows(PAIRS, STD, (P.REVERSE_KL, P.K2), Says("many answers", "by-pairs-penalties")),
    *_rows(
        TRIPLES,
        STD,
        FORWARD,
        Says("many answers", "by-triples-three-levels by-lottery-three-policies"),
        Says("many answers", "by-lottery-threshold by-lottery-stability by-levels-open"),
    ),
    *_rows(Sizes(4, 4), STD, FORWARD, Says("many answers", "by-levels-quadruples")),
    *_rows(LARGE, STD, FORWARD, Says("many answers", "by-large-unique by-large-form by-exists-large vy-eq13")),
    *_rows(FINITE, STD, FORWARD, Says("many answers", "by-exists-finite by-many-reward-gain")),
    *_rows(FINITE, STD, (P.REVERSE_KL,), Says("many answers", "by-exists-direct")),
    *_rows(SMALL, STD, FORWARD, Says("noise", "by-noise-pairs by-noise-ties")),
    *_rows(LARGE, STD, FORWARD, Says("noise", "by-noise-large by-noise-any-law")),
)

_TEXTS_AND_CLIPPING = (
    *_rows(EVERY, ALL, (P.K3,), Says("texts", "by-seq-loss-tokens by-seq-stationary-k3 by-seq-loss-texts")),
    *_rows(EVERY, ALL, (P.K1, P.K2), Says("texts", "by-seq-loss-tokens by-seq-loss-texts")),
    *_rows(EVERY, ALL, (P.REVERSE_KL,), Says("texts", "by-seq-stationary-kl")),
    *_rows(EVERY, ALL, (P.K1_REWARD, P.K3_REWARD), Says("texts", "by-seq-reward")),
    *_rows(
        EVERY,
        ALL,
        (*FORWARD, *REVERSE, *FREE, P.K2_RATIO, P.K2_REWARD, P.K3_REWARD, P.K1_RAW_REWARD),
        Says("clipping", "by-clip-near by-clip-texts", "near"),
        Says("clipping", "tr-clip-first-step tr-clip-sides tr-clip-delta", "near"),
    ),
    *_rows(EVERY, ALL, (P.REVERSE_KL, P.FORWARD_KL), Says("clipping", "by-clip-convex-penalty", "near")),
    *_rows(EVERY, ALL, (P.K3,), Says("clipping", "vy-s1-no-clip-needed vy-s1-no-clip-converse", "near")),
    *_rows(PAIRS, STD, (P.NONE,), Says("clipping", "by-clip-way", "near")),
    *_rows(EVERY, ALL, FORWARD, Says("clipping", "by-clip-short-steps by-clip-inner-loop", "near")),
)

# What trainers use: no penalty, and the sample deviation + ε. Claims on a bounded gap hold for all of these.
GUARDED_SAMPLE, SCORED = ("sample-std+eps",), (P.K3_SCORE, P.K1_SCORE)
_AWAY = "there is none inside: success 1 is the only end, and every start inside reaches it"
_SECOND = (1 - 1 / G) / (1 + guard)  # bounds of the gap: tr-guarded-between
_FAR = (G - 2) * (G - 1) / (sp.sqrt(G) + guard * G) * (1 - p) / p * sp.exp(-_SECOND / beta) < beta
_TRAINERS = (
    *_rows(
        EVERY,
        ALL,
        (P.NONE,),
        Says("equation", "tr-flow-velocity"),
        Says("many answers", "tr-ties-winner tr-ties-conserved tr-entropy-rate tr-ties-logits"),
        Says("texts", "tr-step-aggregations tr-step-climbs tr-step-length-bias"),
    ),
    *_rows(
        FINITE,
        ALL,
        (P.NONE,),
        *(Says(question, "tr-none-rises") for question in ("existence", "uniqueness", "stability")),
        note=_AWAY,
    ),
    *_rows(
        FINITE,
        ALL,
        (P.NONE,),
        Says("maximum", "tr-none-frozen", "near"),
        Says("bounds", "tr-none-distance"),
        Says("limits", "tr-flow-ends"),
    ),
    *_rows(LARGE, STD, (P.NONE,), Says("limits", "tr-flow-large-groups")),
    *_rows(FINITE, STD, (P.NONE,), Says("limits", "tr-flow-every-size")),
    *_rows(FINITE, UNDIVIDED, (P.NONE,), Says("limits", "tr-flow-constant-times tr-flow-clock")),
    *_rows(SMALL, STD, (P.NONE,), Says("limits", "tr-flow-constant-times tr-flow-clock")),
    *_rows(FINITE, ALL, (*FORWARD, *REVERSE, *FREE), Says("noise", "tr-noise-normalisers")),
    *_rows(
        SMALL, GUARDED_SAMPLE, FORWARD, Says("equation", "tr-guarded-pairs"), Says("closed form", "tr-guarded-pairs")
    ),
    *_rows(
        FINITE,
        GUARDED_SAMPLE,
        FORWARD,
        Says("bounds", "tr-guarded-weights"),
        Says("stability", "tr-guarded-stable"),
        Says("limits", "tr-guarded-limits"),
        Says("many answers", "tr-guarded-any-rewards"),
    ),
    *_rows(
        FINITE,
        GUARDED_SAMPLE,
        REVERSE,
        Says("uniqueness", "tr-direct-one", "slope", _FAR),
        Says("bounds", "tr-direct-rest tr-guarded-between"),
    ),
    *_rows(
        FINITE,
        ALL,
        REVERSE,
        *(Says(question, "tr-direct-rest") for question in ("existence", "stability", "bounds")),
        Says("limits", "tr-direct-ends"),
    ),
    *_rows(EVERY, ALL, (P.REVERSE_KL, P.K2, P.K1_REWARD, *SCORED), Says("many answers", "by-div-tilted")),
    *_rows(EVERY, ALL, SCORED, Says("equation", "by-div-ratio-differentiated by-div-stationary")),
    *_rows(EVERY, ALL, (P.K3,), Says("texts", "tr-chain-equation tr-chain-bounds")),
    *_rows(EVERY, ALL, (P.REVERSE_KL,), Says("texts", "tr-chain-kl")),
)

COVERAGE: tuple[Row, ...] = (
    *_FORWARD_SPECIAL,
    *_FORWARD_EVERY_SIZE,
    *_FORWARD_MAXIMUM,
    *_FORWARD_RESPONSES,
    *_REVERSE,
    *_ELSEWHERE,
    *_MANY,
    *_TEXTS_AND_CLIPPING,
    *_TRAINERS,
)


def answers(point: Point, p_ref: Scalar | None = None) -> ByQuestion:
    """For every question the claims that apply to the point, each with the condition under which it does (true where
    it does anyway) and a note; an empty list where none does.
    """
    numbers = numbers_of(point, p_ref)
    by_question: ByQuestion = {question: [] for question in QUESTIONS}
    for row in COVERAGE:
        condition = row.condition(numbers) if row.covers(point) else sp.false
        if condition != sp.false:
            known = {claim for claim, *_ in by_question[row.question]}
            by_question[row.question] += [(claim, condition, row.note) for claim in row.claims if claim not in known]
    return by_question
