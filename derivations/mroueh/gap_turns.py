"""The gap of the advantages is S-shaped in the log-odds on either side of ½, for both places of the guard.

Statement.   On the logit t of p the gap W = ω⁺ + ω⁻ is convex between two turning points and concave outside. With the
             guard under the root they lie at p(1 − p) = 2ε/(1 + 12ε), with the guard beside the deviation s at
             8εs² + s = ε.
Source.      Mroueh (2025), (4) and Lemma 1; the convention of trainers for (3). Not in the paper.
Domain.      0 < p < ½ (W is even in t), ε > 0.
Derivation.  dW/dt = p(1 − p) dW/dp → its size rises up to the turning point and falls after it.
Caveats.     Large groups. For finite groups grpo_symbolic.numeric checks the shape for the group at hand.
Letters.     t is the log-odds of p and W the gap ω⁺ + ω⁻; s is the deviation √(p(1 − p)), 0 < s < ½.
"""

from grpo_symbolic.paper import *

from .thm4_local_convergence import m, root, steepest

claim = Result(__file__).claim

half = Rational(1, 2)
size = m * (1 - 2 * success) / (2 * root**3)
beside = s * sqrt(1 - 4 * s**2) / (2 * (s + guard) ** 2)
turn = 2 * guard / (1 + sqrt(1 + 32 * guard**2))
inside_form = ((1 + 12 * guard) * (1 - 2 * success) ** 2 - (1 + 4 * guard)) / (16 * root**5)
beside_form = (guard - s - 8 * guard * s**2) / (2 * (s + guard) ** 3 * sqrt(1 - 4 * s**2))


def turns(form):
    """Up before the point and down after it, by the sign of the derivative."""
    return RiseAndFall(before=SignOfDerivative(form), after=SignOfDerivative(form))


claim(
    "mr-gap-turns",
    Every(
        On(
            Domain(0 < success, success < half, guard > 0),
            OnlyMaximum(size, success, 1 - steepest, 1, label="guard under the root: where W is steepest").by(
                turns(inside_form)
            ),
        ),
        On(
            Domain(0 < s, 2 * s < 1, guard > 0),
            OnlyMaximum(beside, s, turn, 1, label="guard beside the deviation s: where W is steepest").by(
                turns(beside_form)
            ),
        ),
    ),
    Domain(0 < success, success < half, guard > 0),
    because=(
        Equal(m * diff(1 / root, success), -size, label="guard under the root: the slope of W"),
        On(
            Domain(guard > 0),
            Equal(
                m.subs(success, 1 - steepest),
                2 * guard / (1 + 12 * guard),
                label="steepest where p(1 − p) = 2ε/(1 + 12ε)",
            ),
        ),
        On(
            Domain(0 < success, success < half, guard > 0),
            Equal(
                m * diff(1 / (sqrt(m) + guard), success),
                -beside.subs(s, sqrt(m)),
                label="guard beside the deviation: the slope of W",
            ),
        ),
    ),
    kind="inequality",
    depends_on=["mr-logit-slope"],
    locator="Sec 4, Lemma 1",
    title="The inflection points of the gap as a function of the log-odds, for both places of the guard",
    remark="In the log-odds W falls ever faster below such a point, above it ever more slowly up to ½ (the sign of "
    "the derivative, in the proof): concave, then convex. The solver of fixed points in bulk rests on this.",
)
