"""The theory of a point as LaTeX to paste: objective, equation, closed forms, curvature, numbers."""

from __future__ import annotations

from typing import TYPE_CHECKING

import sympy as sp

from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.notation import p, x, y, z
from grpo_symbolic.optimality.verifiable import gap_weights
from grpo_symbolic.theory import derive

if TYPE_CHECKING:
    from grpo_symbolic.theory.interface import Theory
    from grpo_symbolic.theory.point import Point

_LONG = 150  # characters of a gap that is written by its coefficients


def latex(of: Theory) -> str:
    """Equations in the environment ``align*``, with what the letters are as comments.

    >>> import grpo_symbolic as gs
    >>> print(gs.theory(divergence="chi2", group_size=2).latex())  # doctest: +ELLIPSIS
    % groups of 2, normaliser std, divergence chi2, any β
    % two answers, rewards 1 and 0: x is the success of the policy, p that of the reference
    % J(x | y) is the objective of x while the old policy, which the groups are drawn from, is y
    \\begin{align*}
    \\mathcal D &= ...
    """
    point, paper = of.point, PaperPrinter()
    size = r"\infty" if point.group_size == sp.oo else point.group_size
    height = sp.Symbol(rf"\Delta_{{{size}}}(x)")
    penalty = sp.S.Zero if point.raw else derive.penalty(point).subs(z, x)
    letters = "x is the success of the policy, p that of the reference" + (", y of π_old" * penalty.has(y))
    lines = [rf"\mathcal D &= {paper(penalty)}"] if penalty != 0 else []
    lines.append(rf"{height.name} &= {_gap(point, paper)}")
    if point.raw:
        lines.append(rf"0 &= {paper(derive.stationary(point))}")
    else:
        lines.append(rf"0 = \partial_x \mathcal J(x \mid y) \big|_{{y = x}} &= {paper(derive.gradient(point, height))}")
    for form in of.closed_forms or ():
        where = "" if form.where == sp.true else rf" \quad\text{{where }} {paper(form.where)}"
        lines.append(rf"x &= {paper(form.policy)}{where}")
    bend = paper(of.curvature)
    lines.append(rf"\partial_x^2 \mathcal J(x \mid y) \big|_{{y = x}} &= {bend}")
    if of.numbers is not None:
        at = rf"\beta = {paper(point.beta)},\ {paper(p)} = {paper(of.p_ref)}"
        lines += [rf"x &\approx {q.success} \quad ({at})" for q in of.numbers.policies]
    body = " \\\\\n".join(lines)
    frozen = "J(x | y) is the objective of x while the old policy, which the groups are drawn from, is y"
    head = f"% {point}\n% two answers, rewards 1 and 0: {letters}\n% {frozen}\n"
    return f"{head}\\begin{{align*}}\n{body}\n\\end{{align*}}\n"


def _gap(point: Point, paper: PaperPrinter) -> str:
    """The gap as it is, or by its Bernstein coefficients, of which ``w`` is the list."""
    gap = derive.gap(point)
    if len(str(gap)) <= _LONG or point.group_size == sp.oo or point.raw:
        return paper(gap)
    weights = gap_weights(int(point.group_size), point.advantage)
    rest = len(weights) - 1
    listed = ",\\ ".join(map(paper, weights))
    return (
        rf"\sum_{{k=0}}^{{{rest}}} \binom{{{rest}}}{{k}} w_k x^k (1 - x)^{{{rest} - k}}, \\"
        f"\n(w_0, \\dots, w_{{{rest}}}) &= \\left({listed}\\right)"
    )
