"""The theory of one point: what is optimised, where it is stationary, and which claims answer what.

Sources: Vojnovic & Yun (2025), equations (1), (11)–(15) and Section 3; Mroueh (2025), equations (3)–(9); the results of
``derivations/beyond`` for everything between.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field, replace
from fractions import Fraction
from functools import cached_property, partial
from typing import TYPE_CHECKING, Any

import sympy as sp

from grpo_symbolic.errors import BadInput, check_kind, check_name
from grpo_symbolic.ledger import Ledger
from grpo_symbolic.notation import beta as _beta
from grpo_symbolic.objectives import Advantage, Penalised
from grpo_symbolic.objectives.own import NAMED, as_advantage, as_penalty
from grpo_symbolic.proof.statements.evidence import Verdict
from grpo_symbolic.reading import Part, Reading, setting_of
from grpo_symbolic.scalars import Numeral
from grpo_symbolic.setting import PAPER_GRPO, PUBLISHED_SIZE, NoClip, RatioClip, Setting
from grpo_symbolic.shown import Shown
from grpo_symbolic.theory import cards, coverage, derive
from grpo_symbolic.theory.cards import Card
from grpo_symbolic.theory.closed import Closed
from grpo_symbolic.theory.coverage import QUESTIONS
from grpo_symbolic.theory.point import RATIOS, Point, advantage_of, check_choice, divergence_of, number
from grpo_symbolic.theory.settings import point_of

if TYPE_CHECKING:
    from grpo_symbolic.session import Progress, Session
    from grpo_symbolic.theory.numbers import Numbers


@dataclass(frozen=True)
class Settled(Shown):
    """A claim that bears on a question at a point: its card, the condition on the parameters under which it applies
    (true where it applies anyway), and how it answers (``note``), where its title does not say so.
    """

    card: Card
    where: sp.logic.boolalg.Boolean = sp.true
    note: str = ""

    def __repr__(self) -> str:
        return f"<Settled {self.card.id} ({self.card.words})>"


@dataclass(frozen=True)
class Answer(Shown):
    """The claims that answer a question at a point, the strongest first; none where the question is open."""

    question: str
    claims: tuple[Settled, ...]

    def __repr__(self) -> str:
        return f"<Answer {self.question}: {', '.join(c.card.id for c in self.claims) or 'open'}>"

    @property
    def open(self) -> bool:
        """Whether no claim that is proved or argued applies without a condition that the numbers leave undecided."""
        known = (Verdict.proved, Verdict.argued)
        return not any(c.where == sp.true and c.card.verdict in known for c in self.claims)


@dataclass(frozen=True)
class Theory(Shown):
    """Everything the package knows of a point; made by :func:`theory`.

    Symbols: ``x`` the policy's probability of the correct answer, ``y`` the old policy's, ``p`` the reference's, all
    of :mod:`grpo_symbolic.notation`. ``p_ref`` is a number where the success of the reference is known. ``assumed``
    is what the point of a setting leaves out of it, ``ledger`` is where verdicts are looked up.
    """

    point: Point
    p_ref: sp.Expr | None = None
    ledger: Ledger | None = field(default=None, repr=False, compare=False)
    assumed: tuple[str, ...] = ()

    def __repr__(self) -> str:
        return f"<Theory {self.point}>"

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
        """The stationary policy in x, as an expression in p and β, where it is the only one and always one; ``None``
        where there is no such form here: see :attr:`closed_forms`.
        """
        return derive.closed_form(self.point)

    @cached_property
    def closed_forms(self) -> tuple[Closed, ...] | None:
        """All stationary policies in x as expressions in p and β, each with its condition; ``None`` where the equation
        is of no kind that is solved here.
        """
        return derive.closed_forms(self.point)

    @cached_property
    def solver(self) -> Callable[..., Any] | None:
        """The solver of :mod:`grpo_symbolic.numeric` with this point's settings, for arrays of pass rates and β."""
        if self._solver is None:
            return None
        from grpo_symbolic import numeric

        name, settings = self._solver
        return partial(getattr(numeric, name), **settings)

    @property
    def solver_name(self) -> str | None:
        """The name of that solver."""
        return None if self._solver is None else f"grpo_symbolic.numeric.{self._solver[0]}"

    @cached_property
    def _solver(self) -> tuple[str, dict[str, Any]] | None:
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
        claims = coverage.answers(self.point, self.p_ref)
        known = cards.cards((claim for row in claims.values() for claim, *_ in row), self.ledger)
        return _answers(claims, known)

    def answers_from(self, known: Mapping[str, Card]) -> dict[str, Answer]:
        """The answers here, with the cards that ``known`` has of all claims by id
        (:func:`~grpo_symbolic.theory.cards.everything`): what :attr:`answers` has, where many points are asked.
        """
        return _answers(coverage.answers(self.point, self.p_ref), known)

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
        claims = {q: row for q, row in coverage.answers(self.point, self.p_ref).items() if q in wanted}
        known = cards.verify((claim for row in claims.values() for claim, *_ in row), session, progress)
        return _answers(claims, known)

    def latex(self) -> str:
        """Penalty, gap, stationary equation, closed forms, curvature and numbers as LaTeX to paste, in ``align*``."""
        from grpo_symbolic.theory.written import latex

        return latex(self)

    def to_json(self) -> dict[str, Any]:
        """The page as plain data; expressions as SymPy prints them."""
        from grpo_symbolic.theory.record import record

        return record(self)


def _answers(claims: coverage.ByQuestion, known: Mapping[str, Card]) -> dict[str, Answer]:
    return {
        question: Answer(question, tuple(Settled(known[claim], where, note) for claim, where, note in row))
        for question, row in claims.items()
    }


def theory(
    setting: Setting | Reading | str | None = None,
    *,
    anyway: bool = False,
    advantage: Advantage | Callable[..., Any] | sp.Expr | str | None = None,
    divergence: Penalised | Callable[..., Any] | sp.Expr | str | None = None,
    group_size: Numeral | None = None,
    ratio: str | None = None,
    beta: Numeral | None = None,
    normaliser: str | None = None,
    guard: Numeral | None = None,
    deviation: Numeral | None = None,
    place: str | None = None,
    weighted: str | None = None,
    clip: Numeral | None = None,
    p_ref: Numeral | None = None,
    ledger: Ledger | None = None,
) -> Theory:
    """The theory of a point of the space.

    ``setting``: a :class:`grpo_symbolic.setting.Setting`, what :func:`grpo_symbolic.trainers.read` makes of a trainer's
    options, or a trainer at its defaults, such as 'trl==1.16.0'; then the parts are its own, and options that are not
    modelled and may change where the run goes are refused unless ``anyway``. Else the parts are objects of
    :mod:`grpo_symbolic.objectives` or names. ``advantage``, or
    ``normaliser`` (a key of :data:`.point.NORMALISERS`) with its ``guard`` ε > 0 or the ``deviation`` of the batch.
    ``divergence``: 'reverse-kl' (KL(π‖π_ref)), 'forward-kl' (KL(π_ref‖π)), 'none', or an estimator 'k1', 'k2', 'k3'
    (GRPO's) with its place ``place`` ('loss', 'reward', 'raw-reward') and weight ``weighted`` ('none',
    'ratio', 'detached', 'score'). ``group_size`` from 2, or ``oo``. ``ratio``: 'token', 'sequence' or 'log', clipped at
    ``clip`` in (0, 1). Left out, these are GRPO's as published (:data:`grpo_symbolic.setting.PAPER_GRPO`): groups of
    64, the deviation and k3 in the loss; and no clip, which is not felt where the policy is the old one. ``beta`` ≥ 0,
    where 0 is no divergence, and ``p_ref`` in (0, 1) may be left out; with both the numbers are there too. ``ledger``
    is where verdicts are looked up: that of this folder's store when left out.

    Raises :class:`BadInput` for anything outside these ranges and for choices that exclude one another.

    >>> import grpo_symbolic as gs
    >>> point = gs.theory(group_size=2)
    >>> point.stationary
    Eq(-beta*(-p + x) + x*(1 - x), 0)
    >>> [settled.card.id for settled in point.answers["closed form"].claims]
    ['vy-eq14']
    >>> str(gs.theory("trl==1.16.0").point)
    'groups of 8, normaliser sample-std+eps, divergence none, ε = 1/10000, ratio clipped at 0.2, β = 0'
    """
    check_kind(ledger, (Ledger, type(None)), "the ledger", "a Ledger, such as Ledger.read(…) gives")
    start = None if p_ref is None else number(p_ref, "the pass rate", below=1)
    parts = {
        "advantage": advantage,
        "divergence": divergence,
        "group_size": group_size,
        "ratio": ratio,
        "beta": beta,
        "normaliser": normaliser,
        "guard": guard,
        "deviation": deviation,
        "place": place,
        "weighted": weighted,
        "clip": clip,
    }
    if setting is not None:
        given = [name for name, value in parts.items() if value is not None and name != "deviation"]
        if given:
            raise BadInput(f"a setting has all its parts: {', '.join(given)} cannot be given beside it")
        return _of_setting(setting, anyway, deviation, start, ledger)
    if advantage is not None and (normaliser, guard, deviation) != (None, None, None):
        raise BadInput("give either an advantage, or a normaliser with its guard or deviation")
    penalised, raw = _penalty(divergence, place, weighted, beta)
    ratio = ratio or "token"
    check_choice(ratio, RATIOS, "ratio")
    point = Point(
        as_advantage(advantage) if advantage is not None else advantage_of(normaliser or "std", guard, deviation),
        penalised,
        PAPER_GRPO.group_size if group_size is None else group_size,
        RATIOS[ratio],
        NoClip() if clip is None else _clip(clip),
        _beta if beta is None else beta,
        raw,
    )
    return Theory(point, start, ledger, PUBLISHED_SIZE if group_size is None else ())


def _of_setting(
    setting: Setting | Reading | str,
    anyway: bool,
    deviation: Numeral | None,
    start: sp.Expr | None,
    ledger: Ledger | None,
) -> Theory:
    from grpo_symbolic.trainers import read
    from grpo_symbolic.trainers.words import assumed

    if isinstance(setting, str):
        setting = read(setting, {})
    if not isinstance(setting, Setting | Reading):
        raise BadInput(
            f"a setting is a Setting, what gs.trainers.read found, or a trainer such as 'trl==1.16.0', got "
            f"{setting!r}; parts are given by name, such as group_size=8"
        )
    unmodelled = () if isinstance(setting, Setting) else setting.caveats(Part.END)
    setting = setting_of(setting, anyway, Part.END)
    point = point_of(setting)
    if deviation is not None:
        if point.advantage.fixed_deviation is None:
            raise BadInput("only a setting that divides by the deviation of the batch takes one")
        chosen = replace(point.advantage, fixed_deviation=number(deviation, "the deviation of the batch"))
        point = replace(point, advantage=chosen)
    return Theory(point, start, ledger, (*unmodelled, *assumed(setting)))


def _penalty(divergence: Any, place: str | None, weighted: str | None, beta: Numeral | None) -> tuple[Penalised, bool]:
    none = beta is not None and _is_zero(beta)
    if divergence is None:
        divergence = "none" if none and (place, weighted) == (None, None) else "k3"
    if not isinstance(divergence, str) or _is_formula(divergence):
        if (place, weighted) != (None, None):
            raise BadInput("a divergence of your own has its place and weight already")
        return as_penalty(divergence), False
    named = divergence_of(divergence, place or "loss", weighted or "none")
    if none and divergence != "none":
        raise BadInput(f"the divergence {divergence!r} has no effect with β = 0: give β > 0, or the divergence none")
    return named


def _is_zero(value: Numeral) -> bool:
    """Whether a number is 0; a text that is no number is not, and is refused where it is used."""
    if isinstance(value, sp.Expr):
        return value.is_zero is True
    try:
        return Fraction(str(value)) == 0
    except (ValueError, ZeroDivisionError):
        return False


def _is_formula(text: str) -> bool:
    """Whether a text is a formula, and no name, or a divergence that formulas name."""
    return text in NAMED or not re.fullmatch(r"[A-Za-z][\w-]*", text.strip())


def _clip(epsilon: Numeral) -> RatioClip:
    bound = number(epsilon, "the clipping range", below=1)
    if not bound.is_Rational:
        raise BadInput(f"the clipping range must be a number, got {epsilon}")
    exactly = Fraction(int(bound.p), int(bound.q))
    return RatioClip(exactly, exactly)
