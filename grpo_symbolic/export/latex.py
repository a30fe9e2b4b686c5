"""LaTeX: the statement and its domain as displayed formulas, in the notation of the papers."""

from __future__ import annotations

import sympy as sp

from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.latex import PaperPrinter
from grpo_symbolic.proof.statements.hypotheses import domain_latex
from grpo_symbolic.proof.statements.sentence import letters


def formula(expression: sp.Basic) -> str:
    """An expression as LaTeX, as it is printed everywhere.

    >>> from grpo_symbolic.notation import success_ref
    >>> formula(1 - success_ref)
    '1 - p_{\\\\mathrm{ref}}'
    """
    return str(PaperPrinter()(expression))


def write(item: Item, header: Header) -> str:
    """Header as comments, the formula, and its domain; needs the package amsmath.

    Raises :class:`ClaimError` for two letters that are printed alike.
    """
    around = [] if item.domain is None else [*item.domain.constraints, *item.domain.free, *item.domain.bases.values()]
    letters([item.statement, *around], formula)
    lines = [header.comment("%"), f"\\[\n{formula(item.statement)}\n\\]\n"]
    if item.domain is not None and (text := domain_latex(item.domain, formula)):
        lines.append(f"\\[\n{text}\n\\]\n")
    return "".join(lines)
