"""The softmax flow of one prompt under GRPO's exact gradient: where it rests, where it is after some steps, and when.

One right and one wrong answer, each with a logit: the log-odds z of success move at ``2x(1 − x)(Δ(x) − β d(x))``, with
Δ the advantage gap and d the slope of the penalty (claims tr-flow-velocity, by-stationary-equation). With T tokens,
all of which must be right, every token has log-odds of its own, which move at the same rate with the gap times the
chance that the later tokens are right, times the chance that the earlier ones are, over T (tr-chain-equation). Where
KL(π‖π_ref) is charged to whole texts, a token pays for those after it too (tr-chain-charged). What the terms of a right
and of a wrong text weigh, and what dynamic sampling makes of them, is in :class:`Weighing`. Time is the learning rate
times the number of steps. Floating point: of grade ``swept``.
"""

from __future__ import annotations

from dataclasses import dataclass, field
from typing import Any

import numpy as np

from grpo_symbolic.numeric.prediction.weighing import Weighing
from grpo_symbolic.numeric.recursion.gap import Floats, Gap

SURE = 1e-6  # success this near to 0 or 1 is reported with the time to get there
_ACCURACY = 1e-9  # of the log-odds, in each step of the integration
# A row is at rest where reward and penalty cancel to this share of them; steps of a stiff row jitter below.
_AT_REST = 1e-7
_ROUNDS = 200_000  # of steps: a flow that has not arrived by then is left where it is
_FARTHEST = 36.0  # log-odds up to which a rest point of several tokens is looked for: beyond, 1 − p is below rounding
_GRID = 257  # points that look for it: rest points nearer to one another than about 1/7 in the log-odds are one
_HALVINGS = 60  # of such a stretch: more than a float has

# The method of Dormand and Prince: stages, the fifth order, and its difference from the fourth.
_NODES = (
    (1 / 5,),
    (3 / 40, 9 / 40),
    (44 / 45, -56 / 15, 32 / 9),
    (19372 / 6561, -25360 / 2187, 64448 / 6561, -212 / 729),
    (9017 / 3168, -355 / 33, 46732 / 5247, 49 / 176, -5103 / 18656),
    (35 / 384, 0.0, 500 / 1113, 125 / 192, -2187 / 6784, 11 / 84),
)
_ERROR = (71 / 57600, 0.0, -71 / 16695, 71 / 1920, -17253 / 339200, 22 / 525, -1 / 40)


@dataclass(frozen=True)
class SoftmaxFlow:
    """The flow for one training: ``gap`` of its groups, strength ``beta`` ≥ 0, ``direct`` for KL(π‖π_ref) (else k3 in
    the loss), ``tokens`` that decide, all of which must be right, ``whole`` where that divergence is charged to the
    text and not to its tokens one by one, and ``weighing``: what the terms of a text weigh.
    """

    gap: Gap
    beta: float
    direct: bool
    tokens: int = 1
    whole: bool = False
    weighing: Weighing = field(default_factory=Weighing)

    def start(self, rates: Floats) -> Floats:
        """The log-odds of each token under the reference, of shape (prompts, tokens): all tokens alike."""
        each = np.log(rates) / self.tokens
        return np.repeat((each - np.log(-np.expm1(each)))[:, None], self.tokens, axis=1)

    def rate(self, z: Floats, reference: Floats) -> Floats:
        """``dz/dt`` of the tokens' log-odds ``z``, of shape (prompts, tokens)."""
        gain, loss = self._forces(z, reference)
        return gain - loss

    def height(self, log_success: Floats) -> Floats:
        """The advantage gap of texts that are right with these chances, given by their logarithms."""
        return np.asarray(self.gap.at(odds(log_success))[0])

    def _forces(self, z: Floats, reference: Floats) -> tuple[Floats, Floats]:
        """What the advantages add to the rates, and what the penalty takes off."""
        small = np.exp(-abs(z))
        spread = small / (1 + small) ** 2  # x(1 − x)
        chances = log_chance(z)
        text = chances.sum(axis=1)
        before = 2 * np.exp(np.cumsum(chances, axis=1) - chances)
        after = np.exp(np.cumsum(chances[:, ::-1], axis=1)[:, ::-1] - chances)
        weights = self.weighing.of(text)
        felt = -np.expm1(text) * weights.gain_right + np.exp(text) * weights.gain_wrong
        height = (self.height(text) * felt)[:, None]
        right = after * weights.right[:, None] + (1 - after) * weights.wrong[:, None]  # of a text right up to here
        wrong = weights.wrong[:, None]
        if not self.direct:
            own = np.exp(chances)
            penalty = (own - np.exp(log_chance(reference))) * (right * np.exp(log_chance(-z)) + wrong * own)
        elif self.whole:
            penalty = spread * wrong * (z - reference + _later(z, reference))
        else:
            win, lose = chances - log_chance(reference), log_chance(-z) - log_chance(-reference)
            penalty = spread * (right * win - wrong * lose)
        return before * spread * after * height, before * self.beta * penalty

    def after(self, rates: Floats, time: float | Floats) -> Floats:
        """The success of texts after this time, or each after its own, for pass rates strictly between 0 and 1."""
        start = self.start(rates)
        z, _ = self._moved(start, np.broadcast_to(np.asarray(time, dtype=np.float64), rates.shape), np.inf)
        return np.exp(log_chance(z).sum(axis=1))

    def time_to_be_sure(self, rates: Floats) -> Floats:
        """The time at which the failure of texts falls to 10⁻⁶, for pass rates from which it does so."""
        start = self.start(rates)
        _, time = self._moved(start, np.full(len(rates), np.inf), -np.log(SURE))
        return time

    def _moved(self, start: Floats, end: Floats, goal: float) -> tuple[Floats, Floats]:
        """The log-odds at the ``end`` of each row, or where those of the whole text reach ``goal``, and the time then.

        Every row has a step length of its own; the one that passes a goal is shortened until it meets it.
        """
        z, time = start.copy(), np.zeros(len(start))
        length = np.minimum(end, 1e-3 / (abs(self.rate(start, start)).max(axis=1) + 1e-300))
        rows = np.flatnonzero(_text_odds(z) < goal)
        for _ in range(_ROUNDS):
            if not len(rows):
                break
            h = np.minimum(length[rows], end[rows] - time[rows])
            new, error = self._step(z[rows], start[rows], h)
            good = (error <= 1) & np.isfinite(error)
            passing = good & (_text_odds(new) >= goal)
            if passing.any():
                new[passing], h[passing] = self._met(z[rows][passing], start[rows][passing], h[passing], goal)
            z[rows[good]], time[rows] = new[good], time[rows] + np.where(good, h, 0.0)
            with np.errstate(divide="ignore", invalid="ignore"):
                factor = np.clip(0.9 * error**-0.2, 0.2, 5.0)
            length[rows] = h * np.where(np.isfinite(factor), factor, 0.2)
            gain, loss = self._forces(z[rows], start[rows])
            still = (abs(gain - loss) <= _AT_REST * (gain + abs(loss))).all(axis=1) | (time[rows] >= end[rows])
            rows = rows[~(passing | still)]
        return z, time

    def _step(self, z: Floats, reference: Floats, h: Floats) -> tuple[Floats, Floats]:
        """One step of length h, and its error as a share of what is allowed."""
        slopes, column = [self.rate(z, reference)], h[:, None]
        new = z
        for weights in _NODES:
            new = z + column * sum(w * s for w, s in zip(weights, slopes, strict=True) if w)
            slopes.append(self.rate(new, reference))
        error = column * sum(w * s for w, s in zip(_ERROR, slopes, strict=True) if w)
        return new, abs(error).max(axis=1) / _ACCURACY

    def _met(self, z: Floats, reference: Floats, h: Floats, goal: float) -> tuple[Floats, Floats]:
        """The step from z, at most h long, that ends where the text's log-odds are ``goal``."""
        low, high = np.zeros_like(h), h.copy()
        for _ in range(_HALVINGS):
            middle = (low + high) / 2
            short = _text_odds(self._step(z, reference, middle)[0]) < goal
            low, high = np.where(short, middle, low), np.where(short, high, middle)
        return self._step(z, reference, high)[0], high

    def rest(self, rates: Floats) -> tuple[Floats, Any]:
        """The log-odds of the least rest point of texts above each pass rate (∞ for success 1), and whether a search
        on a grid saw more than one.

        Given the gap the tokens are solved from the last one to the first, or the text as one token where it pays as
        one; the gap that belongs to the success which they then have is found by bisection. Where the terms of right
        and wrong texts do not weigh the same, the flow is followed until it rests, and other rest points are not looked
        for.
        """
        if self.beta == 0:
            return np.full(len(rates), np.inf), np.zeros(len(rates), bool)
        if not self.weighing.even:
            z, _ = self._moved(self.start(rates), np.full(len(rates), np.inf), np.inf)
            return _text_odds(z), np.zeros(len(rates), bool)
        low = odds(np.log(rates))
        grid = low + (np.maximum(_FARTHEST, low + 1) - low) * np.linspace(0, 1, _GRID)[:, None]
        ahead = np.array([self._text(rates, at) > at for at in grid])
        crossings = (ahead[:-1] & ~ahead[1:]).sum(axis=0)
        first = np.argmax(~ahead, axis=0)
        some = ~ahead.all(axis=0)
        columns = np.arange(len(rates))
        below, above = grid[np.maximum(first - 1, 0), columns], grid[first, columns]
        for _ in range(_HALVINGS):
            middle = (below + above) / 2
            up = self._text(rates, middle) > middle
            below, above = np.where(up, middle, below), np.where(up, above, middle)
        return np.where(some, (below + above) / 2, np.inf), crossings > 1

    def _text(self, rates: Floats, at: Floats) -> Floats:
        """The log-odds of a text whose tokens rest, given the gap at the log-odds ``at``."""
        height, _ = self.gap.at(at)
        if self.whole:
            return odds(np.log(rates)) + height / self.beta
        each = np.log(rates) / self.tokens
        fails = -np.expm1(each)
        whole = np.zeros_like(rates)  # the logarithm of the chance that the later tokens are right
        for _ in range(self.tokens):
            strength = self.beta / (height * np.exp(whole))
            if self.direct:
                whole = whole + log_chance(each - np.log(fails) + 1 / strength)
                continue
            root = np.sqrt((1 - strength) ** 2 + 4 * np.exp(each) * strength)
            whole = whole + np.log1p(-2 * strength * fails / (1 + strength + root))  # (14): 1 − x without cancelling
        return odds(whole)


def log_chance(z: Floats) -> Floats:
    """``log x`` from log-odds."""
    return -np.logaddexp(0.0, -z)


def _later(z: Floats, reference: Floats) -> Floats:
    """What the tokens after each one are expected to pay once it is right: their KL(π‖π_ref), while they are reached.

    After a wrong token they pay nothing, for there the policy stays the reference's.
    """
    right, wrong = log_chance(z), log_chance(-z)
    own = np.exp(right) * (right - log_chance(reference)) + np.exp(wrong) * (wrong - log_chance(-reference))
    paid = np.zeros_like(z)
    for token in range(z.shape[1] - 1, 0, -1):
        paid[:, token - 1] = own[:, token] + np.exp(right[:, token]) * paid[:, token]
    return paid


def odds(log_success: Floats) -> Floats:
    """Log-odds from the logarithm of a probability."""
    with np.errstate(divide="ignore"):
        return log_success - np.log(-np.expm1(log_success))


def _text_odds(z: Floats) -> Floats:
    return odds(log_chance(z).sum(axis=1))


__all__ = ["SURE", "SoftmaxFlow", "log_chance", "odds"]
