"""LaTeX as papers write it: the project's symbols by their names, a member of a family as π(o) and not as an index."""

from __future__ import annotations

from typing import Any

from sympy.printing.latex import LatexPrinter


class PaperPrinter(LatexPrinter):
    """SymPy's printer; ``symbol_names`` are those of the notation as it stands when the printer is made."""

    def __init__(self) -> None:
        from grpo_symbolic.notation import symbol_names

        super().__init__({"symbol_names": symbol_names()})

    def _print_Indexed(self, expression: Any) -> str:
        return f"{self._print(expression.base)}({', '.join(map(self._print, expression.indices))})"

    def __call__(self, expression: Any) -> str:
        """LaTeX without delimiters.

        >>> from grpo_symbolic.notation import beta, o, ref
        >>> PaperPrinter()(beta * ref[o])
        '\\\\beta \\\\pi_{\\\\mathrm{ref}}(o)'
        """
        return str(self.doprint(expression))
