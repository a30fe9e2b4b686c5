"""The theory of one point: what is optimised, where it is stationary, and which claims answer what.

Sources: Vojnovic & Yun (2025), equations (1), (11)–(15) and Section 3; Mroueh (2025), equations (3)–(9); the results of
``derivations/beyond`` for everything between.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass, field
from functools import cached_property
from typing import TYPE_CHECKING, Any

import sympy as sp

from grpo_symbolic.errors import BadInput, check_name
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.objectives import Advantage, Divergence, Surrogate
from grpo_symbolic.proof.evidence import Verdict
from grpo_symbolic.setting import PenaltyName
from grpo_symbolic.theory import cards, coverage, derive
from grpo_symbolic.theory.cards import Card
from grpo_symbolic.theory.coverage import QUESTIONS
from grpo_symbolic.theory.point import (
    RATIOS,
    ForwardKL,
    Point,
    advantage_of,
    divergence_of,
    group_size_of,
    number,
)

if TYPE_CHECKING:
    from grpo_symbolic.session import Progress, Session
    from grpo_symbolic.theory.numbers import Numbers


@dataclass(frozen=True)
class Settled:
    """A claim that bears on a question at a point: its card, the condition on the parameters under which it applies
    (true where it applies anyway), and how it answers, where its title does not say so.
    """

    card: Card
    where: Any = sp.true
    note: str = ""


@dataclass(frozen=True)
class Answer:
    """The claims that answer a question at a point, the strongest first; none where the question is open."""

    question: str
    claims: tuple[Settled, ...]

    @property
    def open(self) -> bool:
        """Whether no claim that is proved or argued applies without a condition that the numbers leave undecided."""
        known = (Verdict.proved, Verdict.argued)
        return not any(c.where == sp.true and c.card.verdict in known for c in self.claims)


@dataclass(frozen=True)
class Theory:
    """Everything the package knows of a point; made by :func:`theory`.

    Symbols: ``x`` the policy's probability of the correct answer, ``y`` the old policy's, ``p`` the reference's, all
    of :mod:`grpo_symbolic.notation`. ``p_ref`` is a number where the success of the reference is known.
    """

    point: Point
    p_ref: sp.Expr | None = None
    ledger: Ledger | None = field(default=None, repr=False, compare=False)

    @cached_property
    def objective(self) -> sp.Expr:
        """The frozen objective in x, y and p: two answers with rewards 1 and 0, all groups enumerated."""
        return derive.objective(self.point)

    @cached_property
    def gap(self) -> sp.Expr:
        """The expected advantage of the correct answer less that of the wrong one, on-policy."""
        return derive.gap(self.point)

    @cached_property
    def penalty_gradient(self) -> sp.Expr:
        """The slope of the penalty, without β, on-policy."""
        return derive.penalty_gradient(self.point)

    @cached_property
    def gradient(self) -> sp.Expr:
        """The slope of the objective in x with π_old frozen, then π_old = π."""
        return derive.gradient(self.point)

    @cached_property
    def curvature(self) -> sp.Expr:
        """The second derivative of the objective in x with π_old frozen, then π_old = π."""
        return derive.curvature(self.point)

    @cached_property
    def stationary(self) -> sp.Eq:
        """The equation of a stationary policy x in (0, 1), for two answers."""
        return sp.Eq(derive.stationary(self.point), 0, evaluate=False)

    @cached_property
    def stationary_many(self) -> sp.Eq | None:
        """The equation of n answers with preferences P(o), for every answer that is used; ``None`` where undefined."""
        return derive.many_answers(self.point)

    @cached_property
    def closed_form(self) -> sp.Expr | None:
        """The stationary policy in x, as an expression in p and β; ``None`` where there is no closed form here."""
        return derive.closed_form(self.point)

    @cached_property
    def solver(self) -> Callable[..., Any] | None:
        """The solver of :mod:`grpo_symbolic.numeric` with this point's settings, for arrays of pass rates and β."""
        found = self._solver
        return None if found is None else found[1]

    @property
    def solver_name(self) -> str | None:
        """The name of that solver."""
        found = self._solver
        return None if found is None else found[0]

    @cached_property
    def _solver(self) -> tuple[str, Callable[..., Any]] | None:
        from grpo_symbolic.theory.numbers import solver

        return solver(self.point)

    @cached_property
    def numbers(self) -> Numbers | None:
        """Certified stationary policies and limits where β and the pass rate are numbers; ``None`` where one is not.

        Raises :class:`BadInput` where another parameter (a guard, the deviation of a batch) has no value.
        """
        if self.p_ref is None or self.point.beta.free_symbols:
            return None
        from grpo_symbolic.theory.numbers import numbers

        return numbers(self.point, self.p_ref)

    @cached_property
    def answers(self) -> dict[str, Answer]:
        """For each of :data:`QUESTIONS` the claims that answer it here."""
        found = coverage.answers(self.point, self.p_ref)
        known = cards.cards(dict.fromkeys(claim for row in found.values() for claim, *_ in row), self.ledger)
        return _answers(found, known)

    def verified(
        self,
        questions: Iterable[str] = QUESTIONS,
        session: Session | None = None,
        progress: Progress = lambda done, total, what: None,
    ) -> dict[str, Answer]:
        """The answers after the checkers have run on their claims; what the store knows is not checked again.

        Raises :class:`BadInput` for an unknown question.
        """
        wanted = list(questions)
        for question in wanted:
            check_name(question, list(QUESTIONS), "question")
        found = {q: row for q, row in coverage.answers(self.point, self.p_ref).items() if q in wanted}
        known = cards.verify((claim for row in found.values() for claim, *_ in row), session, progress)
        return _answers(found, known)

    def to_json(self) -> dict[str, Any]:
        """The page as plain data; expressions as SymPy prints them."""
        from grpo_symbolic.theory.record import record

        return record(self)


def _answers(found: dict[str, list[tuple[str, Any, str]]], known: dict[str, Card]) -> dict[str, Answer]:
    return {
        question: Answer(question, tuple(Settled(known[claim], where, note) for claim, where, note in row))
        for question, row in found.items()
    }


def theory(
    advantage: Advantage | None = None,
    divergence: Divergence | ForwardKL | str = PenaltyName.K3,
    group_size: Any = sp.oo,
    ratio: Surrogate | str = "token",
    beta: Any = None,
    *,
    normaliser: str | None = None,
    guard: Any = None,
    deviation: Any = None,
    placed: str = "loss",
    weighted: str = "none",
    clip: Any = None,
    p_ref: Any = None,
    ledger: Ledger | None = None,
) -> Theory:
    """The theory of a point of the space.

    The parts are objects of :mod:`grpo_symbolic.objectives` or names. ``advantage``, or ``normaliser`` (a key of
    :data:`.point.NORMALISERS`) with its ``guard`` ε > 0 or the ``deviation`` of the batch. ``divergence``:
    'reverse-kl' (KL(π‖π_ref)), 'forward-kl' (KL(π_ref‖π)), 'none', or an estimator 'k1', 'k2', 'k3' (GRPO's) with its
    place ``placed`` ('loss', 'reward', 'raw-reward') and weight ``weighted`` ('none', 'ratio', 'held'). ``group_size``
    from 2, or ``oo``. ``ratio``: 'token', 'sequence' or 'log', clipped at ``clip`` in (0, 1). ``beta`` > 0 and
    ``p_ref`` in (0, 1) may be left out; with both the numbers are there too. ``ledger`` is where verdicts are looked
    up: that of this folder's store when left out.

    Raises :class:`BadInput` for anything outside these ranges and for choices that exclude one another.

    >>> import grpo_symbolic as gs
    >>> point = gs.theory(group_size=2)
    >>> point.stationary
    Eq(-beta*(-p + x) + x*(1 - x), 0)
    >>> [settled.card.id for settled in point.answers["closed form"].claims]
    ['vy-eq14']
    """
    if advantage is not None and (normaliser, guard, deviation) != (None, None, None):
        raise BadInput("give either an advantage, or a normaliser with its guard or deviation")
    chosen = advantage if advantage is not None else advantage_of(normaliser or "std", guard, deviation)
    raw = False
    if isinstance(divergence, str):
        divergence, raw = divergence_of(divergence, placed, weighted)
    elif (placed, weighted) != ("loss", "none"):
        raise BadInput("a divergence that is an object has its place and weight already")
    if isinstance(ratio, str):
        if ratio not in RATIOS:
            raise BadInput(f"there is no ratio {ratio!r}; expected one of {', '.join(RATIOS)}")
        ratio = Surrogate(RATIOS[ratio], None if clip is None else number(clip, "the clipping range", below=1))
    elif clip is not None:
        raise BadInput("a ratio that is an object has its clipping range already")
    point = Point(chosen, divergence, group_size_of(group_size), ratio, _beta if beta is None else beta, raw)
    start = None if p_ref is None else number(p_ref, "the pass rate", below=1)
    return Theory(point, start, ledger)
