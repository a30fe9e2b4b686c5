"""The nodes of SymPy's expressions that may travel: those that the reading of terms knows, what a limit tends to, and
the package's own for means and texts.
"""

from __future__ import annotations

import re
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from typing import Any

import sympy as sp
from sympy.functions.elementary.piecewise import ExprCondPair
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import ReadingError
from grpo_symbolic.proof.rules import texts, variances
from grpo_symbolic.terms.reading import FUNCTIONS, unknown

ASSUMED: dict[str, dict[str, bool]] = {
    "": {},
    "real": {"real": True},
    "integer": {"integer": True},
}  # what a symbol may assume, by its word
SINGLE = {
    "pi": sp.pi,
    "e": sp.E,
    "oo": sp.oo,
    "-oo": sp.S.NegativeInfinity,
    "yes": sp.true,
    "no": sp.false,
}  # nodes of which there is one
_WORDS = {node: word for word, node in SINGLE.items()}
LONGEST_NUMBER = 4000  # digits


@dataclass(frozen=True)
class _Node:
    """A kind of node: ``arguments`` are the types of its arguments, the last of which may be repeated where it is
    ``open``; ``make`` builds it of them as it is, without evaluating anything.
    """

    kind: type[Any]
    arguments: tuple[type[Any], ...]
    open: bool
    make: Callable[..., Any]

    def fits(self, arguments: Sequence[Any]) -> bool:
        """Whether these are arguments of such a node."""
        known = self.arguments
        if len(arguments) < len(known) or (len(arguments) > len(known) and not self.open):
            return False
        return all(isinstance(a, known[min(n, len(known) - 1)]) for n, a in enumerate(arguments))


def _raw(kind: type[Any]) -> Callable[..., Any]:
    return lambda *arguments: kind(*arguments, evaluate=False)


def _of(kind: type[Any], *arguments: type[Any], open: bool = False, make: Callable[..., Any] | None = None) -> _Node:
    return _Node(kind, arguments, open, make or _raw(kind))


_RELATIONS = (
    sp.StrictLessThan,
    sp.LessThan,
    sp.StrictGreaterThan,
    sp.GreaterThan,
    sp.Equality,
    sp.Unequality,
)
_OF_TEXTS: tuple[type[Any], ...] = (
    texts.TextSum,
    texts.TextProduct,
    texts.FromHere,
    texts.Gradient,
    texts.Average,
    texts.GroupCentred,
    texts.TextMean,
    texts.TextTotal,
    texts.TextRate,
    texts.Here,
    texts.Ahead,
    variances.MeanOf,
    variances.VarianceOf,
)
_ALL = (
    *(_of(kind, sp.Expr, sp.Expr, open=True, make=lambda *a, k=kind: k._from_args(a)) for kind in (sp.Add, sp.Mul)),
    _of(sp.Pow, sp.Expr, sp.Expr),
    *(_of(kind, sp.Expr) for kind in FUNCTIONS),
    *(_of(kind, sp.Expr, open=True) for kind in (sp.Max, sp.Min)),
    *(_of(kind, sp.Expr, sp.Expr) for kind in (sp.binomial, sp.KroneckerDelta)),
    _of(sp.Indexed, sp.IndexedBase, sp.Expr, open=True, make=sp.Indexed),
    *(_of(kind, sp.Expr, sp.Tuple, open=True, make=kind) for kind in (sp.Sum, sp.Product)),
    _of(sp.Derivative, sp.Expr, sp.Tuple, open=True),
    _of(sp.Piecewise, ExprCondPair, open=True),
    _of(ExprCondPair, sp.Expr, Boolean, make=ExprCondPair),
    _of(sp.Tuple, sp.Expr, open=True, make=sp.Tuple),
    *(_of(kind, sp.Expr, sp.Expr) for kind in _RELATIONS),
    *(_of(kind, Boolean, Boolean, open=True) for kind in (sp.And, sp.Or, sp.Equivalent)),
    _of(sp.Not, Boolean),
    _of(sp.Implies, Boolean, Boolean),
    *(_of(kind, sp.Basic, open=True, make=kind) for kind in _OF_TEXTS),
)
NODES = {node.kind.__name__: node for node in _ALL}


def parts(e: sp.Basic) -> tuple[tuple[str, ...], tuple[sp.Basic, ...]]:
    """The words that begin a node's row, and the nodes that it is made of.

    Raises :class:`ReadingError` for what may not travel.
    """
    if e in _WORDS and type(e) is type(SINGLE[_WORDS[e]]):
        return ("the", _WORDS[e]), ()
    if isinstance(e, sp.Rational):
        return ("number", _digits(int(e.p)), _digits(int(e.q))), ()
    if type(e) in (sp.Symbol, sp.IndexedBase):
        assumed = {k: v for k, v in getattr(e, "label", e)._assumptions_orig.items() if k != "commutative"}
        word = next((w for w, assumptions in ASSUMED.items() if assumptions == assumed), None)
        kind = "symbol" if type(e) is sp.Symbol else "family"
        if word is None or atom(kind, e.name, word) != e:
            raise ReadingError(f"{e} assumes what no domain shows: declare it with notation.scalar or notation.family")
        return (kind, e.name, word), ()
    node = NODES.get(type(e).__name__)
    if node is None or node.kind is not type(e):
        raise ReadingError(unknown(e))
    _ = made(type(e).__name__, e.args)
    return (type(e).__name__,), e.args


def atom(*words: str) -> sp.Basic:
    """The node that words alone say: a number, a symbol, a family, or one of :data:`SINGLE`.

    Raises :class:`ReadingError` for words that say none.
    """
    if words[0] in ("symbol", "family") and not re.fullmatch(r"[A-Za-z]\w{0,79}", words[1], re.ASCII):
        raise ReadingError(f"{words[1][:80]!r} is no name of a symbol: letters, digits and underscores, a letter first")
    match words:
        case ("number", above, below) if max(len(above), len(below)) <= LONGEST_NUMBER and int(below) > 0:
            return sp.Rational(int(above), int(below))
        case ("symbol", name, word) if word in ASSUMED:
            return sp.Symbol(name, **ASSUMED[word])
        case ("family", name, word) if word in ASSUMED:
            return sp.IndexedBase(name, **ASSUMED[word])
        case ("the", word) if word in SINGLE:
            return SINGLE[word]
    raise ReadingError(f"{' '.join(words)[:80]!r} is no number and no symbol")


def made(name: str, arguments: Sequence[sp.Basic]) -> sp.Basic:
    """The node of a kind that is made of these, as it is.

    Raises :class:`ReadingError` for a kind that may not travel, arguments that it has not, and what SymPy would not
    leave as it is.
    """
    node = NODES[name]
    if not node.fits(arguments):
        raise ReadingError(f"a node {name} has other parts than these {len(arguments)}")
    expression = node.make(*arguments)
    if type(expression) is not node.kind or expression.args != tuple(arguments):
        raise ReadingError(f"a node {name} that SymPy does not leave as it is: it became {expression}")
    return expression


def _digits(number: int) -> str:
    if abs(number) >= 10**LONGEST_NUMBER:
        raise ReadingError(f"a number of more than {LONGEST_NUMBER} digits")
    return str(number)
