"""The pages of ``grpo-symbolic theory``: what is known at one point of the space, and the table of the space."""

from __future__ import annotations

from collections.abc import Sequence
from typing import TYPE_CHECKING

import sympy as sp
from rich.console import Console

from grpo_symbolic.cli.pages.layout import field, line, show_table
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import beta, guard
from grpo_symbolic.setting import PenaltyName
from grpo_symbolic.theory import derive
from grpo_symbolic.theory.coverage import COLUMNS, QUESTIONS
from grpo_symbolic.theory.numbers import SETTINGS
from grpo_symbolic.typeset.plain import plain

if TYPE_CHECKING:
    from grpo_symbolic.theory.interface import Answer, Theory
    from grpo_symbolic.theory.numbers import Numbers, Stationary
    from grpo_symbolic.theory.points import Line

_SHOWN = 3  # claims of a question on a short page
_WIDTH, _HEIGHT, _LONGEST = 100, 5, 400  # of a formula
GAP = sp.Symbol("Δ")  # the gap, where it is too long to be repeated
_EXTREMA = {
    "maximum": "a strict local maximum of its own frozen objective",
    "minimum": "a strict local minimum of its own frozen objective",
    "flat": "its own frozen objective is linear along success",
    "kink": "the gradient falls through 0 by a jump of the penalty's slope, and the flow stops there",
    "undecided": "the precision does not tell a maximum from a minimum",
}


def show_theory(out: Console, of: Theory, answers: dict[str, Answer], everything: bool = False) -> None:
    """Objective, gradient, stationary equation, closed form or solver, the answers, and the numbers where given."""
    certified = of.numbers  # first: a number that is missing leaves no half a page
    line(out, str(of.point), style="bold")
    if of.assumed:
        line(out, f"assumed: {'; '.join(of.assumed)}")
    if of.point.penalty is PenaltyName.K3:
        line(out, "k3 is GRPO's penalty: its mean over the old policy's samples")
    long = len(str(of.gap)) > _WIDTH // 2
    letters = "two answers, rewards 1 and 0: x the policy's success, y the old policy's, p the reference's"
    line(out, letters + (", Δ the gap of the expected advantages" if long else ""))
    height = GAP if long else None
    field(out, "objective", formula(of.objective))
    field(out, str(GAP), formula(of.gap) if long else "")
    field(out, "gradient", formula(derive.gradient(of.point, height)))
    show_stationary(out, of, height, "no policy inside (0, 1): the gradient is nowhere 0")
    field(out, "closed form", _solved(of))
    line(out)
    show_table(out, ["question", "claim", "verdict", "what it says"], _answered(answers, everything))
    if any(not settled.card.verified for a in answers.values() for settled in a.claims):
        line(out, "expected: what the claim's file expects; no ledger here has verified it (--verify does it first)")
    if not everything and any(len(a.claims) > _SHOWN for a in answers.values()):
        line(out, "more claims bear on it: --all shows every one, grpo-symbolic show CLAIM each in full")
    if certified is not None and of.p_ref is not None:
        show_numbers(out, of.point.beta, of.p_ref, certified)
    elif of.p_ref is not None:
        line(out)
        line(out, f"no numbers: they need a value for {SETTINGS[beta]}")


def show_stationary(out: Console, of: Theory, height: sp.Symbol | None, nowhere: str) -> None:
    """The stationary equation, or ``nowhere`` where no policy solves it, and that of n answers; ``height`` stands for
    the gap.
    """
    slope = derive.stationary(of.point, height)
    never = slope.is_number and not slope.is_zero
    field(out, "stationary", nowhere if never else formula(sp.Eq(slope, 0, evaluate=False)))
    if of.stationary_many is not None:
        field(out, "n answers", f"{formula(of.stationary_many)}\nP(o) is the expected advantage of the answer o")


def show_numbers(out: Console, strength: sp.Expr, pass_rate: sp.Expr, certified: Numbers) -> None:
    """The certified numbers under a line with the β and the pass rate that they are for."""
    line(out)
    line(out, f"β = {float(strength):g}, pass rate {float(pass_rate):g}", style="bold")
    for text in numbers(certified):
        line(out, text)


def formula(expression: sp.Basic) -> str:
    """An expression drawn in two dimensions where that fits, else typed on one line, else its beginning."""
    if len(str(expression)) <= _WIDTH * _HEIGHT:  # drawing is slow
        drawn = sp.pretty(expression, use_unicode=True, wrap_line=False).splitlines()
        if len(drawn) <= _HEIGHT and all(len(row) <= _WIDTH for row in drawn):
            return "\n".join(row.rstrip() for row in drawn)
    text = plain(PaperPrinter()(expression))
    return text if len(text) <= _LONGEST else f"{text[:_LONGEST]} … (--json prints all of it)"


def _solved(of: Theory) -> str:
    if of.closed_form is not None:
        return formula(sp.Eq(sp.Symbol("x"), of.closed_form, evaluate=False))
    if of.solver_name:
        return f"none here; solved by {of.solver_name}"
    symbols = sp.sympify(of.point.advantage.guard).free_symbols
    return f"none here; a solver needs a value for {SETTINGS[guard]}" if symbols else "none here, and no solver in bulk"


def _answered(answers: dict[str, Answer], everything: bool) -> list[Sequence[str]]:
    rows: list[Sequence[str]] = []
    for question, answer in answers.items():
        if not answer.claims:
            rows.append([question, "–", "open", "no claim covers this point"])
        for k, settled in enumerate(answer.claims):
            if k == _SHOWN and not everything:
                break
            where = "" if settled.where == sp.true else f" (where {settled.where})"
            text = f"{settled.card.title}{where}" + (f"; {settled.note}" if settled.note else "")
            rows.append([question if k == 0 else "", settled.card.id, settled.card.words, text])
    return rows


def numbers(certified: Numbers) -> list[str]:
    """The certified numbers, a sentence each."""
    nowhere = (
        "no stationary policy inside (0, 1)"
        if certified.within is None
        else "no stationary policy where it was searched"
    )
    lines = [_policy(q) for q in certified.policies] or [nowhere]
    if certified.within is not None:
        lines.append(f"searched: log-odds from {certified.within[0]} to {certified.within[1]}")
    lines.append(f"on-policy gradient flow from the reference: {certified.flow}")
    if certified.limit is not None:
        lines.append(f"exact best responses from the reference: {certified.limit}")
    return lines


def _policy(q: Stationary) -> str:
    alone = "" if q.separated else ", not separated from another"
    attracts = {"stable": ", attracts best responses", "unstable": ", repels best responses"}.get(q.responses or "", "")
    return f"stationary success {q.success}{alone}: {_EXTREMA[q.extremum]}{attracts}"


def show_space(out: Console, lines: Sequence[Line]) -> None:
    """A row for each point: its parts, its paper, and the strongest claim on each question, or 'open'."""
    rows = [
        [ln.named.name, ln.named.source or "–", ln.theory.point.parts, *(_cell(ln.answers[q]) for q in COLUMNS)]
        for ln in lines
    ]
    show_table(out, ["name", "paper", "point", *COLUMNS], rows)
    line(out, f"questions: {'; '.join(f'{q}, {QUESTIONS[q]}' for q in COLUMNS)}")


def _cell(answer: Answer) -> str:
    if not answer.claims:
        return "open"
    first, *rest = answer.claims
    return f"{first.card.id} ({first.card.words})" + (f" +{len(rest)}" if rest else "")
