r"""Reading LaTeX back: what a formula in a headline says by the conventions that its readers are promised.

- ∑, ∏, lim and d/dx reach the product that follows, with all that is in it, and end before the next + or −, relation,
  comma or word. Before one of them, only factors stand: a ∑ b c is a times the sum of b c.
- What stands side by side is multiplied. A letter of a family and what is in parentheses behind it is an entry, π(o);
  any other letter is multiplied by what is there, x (1 − x). Which letters are of families is known.
- d/dx is along the only letter of its body, ∂/∂x along one of several, the others held fixed.
- A power is that of the letter, entry, value of a function or parenthesis before it; sinh²(x) is that of sinh(x).
  A name with its arguments, h(p) or ∇log π(o), is one thing, and a letter with a bar is a number without entries.
- A minus stands at the beginning of a sum, and multiplies all of its first product.
- Two numbers have a dot between them. Cases stand alone, or in parentheses. A limit from one side is at one letter or
  number. The index of a sum is what it is called within this sum, whatever it is called around it.
- Relations in one direction make a chain, of which all hold; they bind before words, "and" and "or" before ⇒, and words
  of different kinds have parentheses.

>>> from grpo_symbolic.latex import PaperPrinter
>>> from grpo_symbolic.notation import k, n, x
>>> whole = x * sp.Sum(k**2, (k, 1, n))
>>> latex_formula(PaperPrinter()(whole), latex_letters([whole]))
x*Sum(k**2, (k, 1, n))
"""

from __future__ import annotations

import re
from collections.abc import Callable, Iterable, Mapping
from itertools import accumulate
from typing import Any

import sympy as sp
from readback import FUNCTIONS, RELATIONS, Reader, raised, slope, times
from sympy.logic.boolalg import Boolean

from grpo_symbolic.errors import BadInput
from grpo_symbolic.notation import symbol_names
from grpo_symbolic.proof.rules.variances import MeanOf
from grpo_symbolic.proof.statements.sentence import letters

Letters = Mapping[Any, Any]  # what is printed of a letter, and whether an index follows
Names = Iterable[tuple[str, tuple[Any, ...], Callable[..., Any]]]

_SEEN = {  # what else than a letter a print is made of, and the sign that it is for a reader
    r"\left|": "|(",
    r"\right|": ")|",
    r"\cdot": "*",
    r"\sum": "Σ",
    r"\prod": "Π",
    r"\lim": "lim",
    r"\to": "→",
    r"\infty": "∞",
    r"\leq": "≤",
    r"\geq": "≥",
    r"\neq": "≠",
    r"\neg": "~",
    r"\Leftrightarrow": "exactly if",
    r"\text{and}": "and",
    r"\text{or}": "or",
    r"\min": "Min",
    r"\max": "Max",
    r"\operatorname{sign}": "sign",
    r"\operatorname{clip}": "clip",
    r"\Gamma": "Gamma",
    r"\mathrm{Var}": "Var",
    **{rf"\{name}": name for name in ("exp", "log", "sinh", "cosh", "tanh")},
}
_OTHERS: tuple[str, ...] = (r"\begin{cases}", r"\end{cases}", r"\text{for}", r"\text{otherwise}", r"\text{True}")
_OTHERS += (r"\\", r"\|", r"\frac", r"\tfrac", r"\sqrt", r"\binom", r"\partial", r"\delta", r"\pi", r"\mathbb E")
_OTHERS += (r"\Rightarrow",)
_SIDES = ("+", "-")  # from where a limit is taken, which is a letter to SymPy
_FRACTIONS = (r"\frac", r"\tfrac")
_NUMBERS = {r"\text{True}": sp.true, "∞": sp.oo, "e": sp.E, r"\pi": sp.pi}
_FUNCTIONS: dict[str, Callable[..., Any]] = {
    **{name: made for name, made in FUNCTIONS.items() if name not in ("C", "E", "sqrt")},
    r"\mathbb E": MeanOf,
    "Gamma": sp.gamma,
    "clip": lambda e, low, high: sp.Piecewise((low, e < low), (high, e > high), (e, True), evaluate=False),
}
_UNSEEN = r"\\left(?![A-Za-z|])|\\right(?![A-Za-z|])|\\[,;: ]|\\quad(?![A-Za-z])|\s+"
_PLACES = {"^": 1, "_": 1, r"\sqrt": 1, "]": 1, r"\frac": 2, r"\tfrac": 2, r"\binom": 2}  # what braces behind mark
_ENDS = {"", ")", ")|", "]", "}", ",", ";", "&", r"\\", r"\end{cases}", r"\text{for}", r"\text{otherwise}", "→"}
_ENDS |= {r"\mid", r"\|", r"\succ", "+", "-", "^", "_", "and", "or", "exactly if", r"\Rightarrow", *RELATIONS}


def latex_formula(text: str, known: Letters, names: Names = ()) -> sp.Basic:
    """What the LaTeX of a formula says, with the letters that are ``known`` by what is printed of them, and what stands
    for a formula: a name in which {0}, {1}, … are the arguments, letters or families such as these, and what it makes.

    Raises :class:`BadInput` for what is no print of a formula, or says two things.
    """
    return LatexReader(text, known, names).whole()


def latex_letters(formulas: Iterable[Any]) -> Letters:
    """The letters of formulas that belong together, by what LaTeX shows of them, and whether an index follows."""
    names = symbol_names()

    def printed(letter: sp.Symbol | sp.IndexedBase) -> tuple[str, bool]:
        label = getattr(letter, "label", letter)
        return names.get(label, sp.latex(label)), isinstance(letter, sp.IndexedBase)

    return letters(formulas, printed)


class LatexReader(Reader):
    """Reads the visible signs of LaTeX by the grammar of plain prints, where this is not that of LaTeX by its own."""

    separators = (",", ";")

    def __init__(self, text: str, known: Letters, names: Names) -> None:
        self.letters = {name: letter for (name, family), letter in known.items() if not family and name not in _SIDES}
        self.families = {name: letter for (name, family), letter in known.items() if family}
        for name, letter in list(self.letters.items()):  # an index that is taken: it looks like any letter with a prime
            for primes in ("'" * count for count in range(1, 10)):
                taken = sp.Symbol(f"{letter}{primes}", integer=True)
                self.letters[f"{{{name}}}{primes}"] = self.letters.get(name + primes, taken)
        words = sorted([*_SEEN, *_OTHERS, *self.letters, *self.families], key=len, reverse=True)
        pattern = "|".join([r"\d+\.\d+", r"\d+", *map(_word, words), r"\\[A-Za-z]+", "."])
        self.sign = re.compile(rf"(?:{_UNSEEN})*({pattern}|$)", re.DOTALL)
        self.rest = [*self.signs(text), ""]
        self.names = [
            (self.signs(name.format(*"@" * len(arguments))), arguments, made) for name, arguments, made in names
        ]

    def signs(self, text: str) -> list[str]:
        """The signs that are seen of LaTeX."""
        result = filter(None, self.sign.findall(text))
        return _visible([sign if sign in self.letters else _SEEN.get(sign, sign) for sign in result])

    def related(self) -> Any:
        if self.take("~"):
            return sp.Not(self.related(), evaluate=False)
        sides, signs = [self.added()], []
        while sign := self.take(*RELATIONS):
            signs.append(sign)
            sides.append(self.added())
        if len(signs) > 1 and not set(signs) <= {"<", "≤"}:
            raise BadInput(f"a chain of relations has the signs {' '.join(signs)}")
        if not signs:
            return sides[0]
        relations = [RELATIONS[sign](*sides[at : at + 2], evaluate=False) for at, sign in enumerate(signs)]
        return sp.And(*relations, evaluate=False) if len(relations) > 1 else relations[0]

    def joined(self) -> Any:
        given = super().joined()
        return sp.Implies(given, super().joined(), evaluate=False) if self.take(r"\Rightarrow") else given

    def added(self) -> Any:
        if self.take(r"\begin{cases}"):
            return sp.Piecewise(*self.cases(), evaluate=False)
        return super().added()

    def first(self) -> Any:
        return times(sp.S.NegativeOne, self.reaching()) if self.take("-") else self.reaching()

    def reaching(self) -> Any:
        if not self._derivative():
            return super().reaching()
        self.rest.pop(0)
        of, above, along = self.rest[1], self.group_of(self._order), []
        self.expect("{")
        while not self.take("}"):
            self.expect(of)
            letter = self.atom()
            along.append((letter, self._order_of()))
        if sum(order for _, order in along) != above:
            raise BadInput("a derivative is of another order above than below")
        return slope(of, self.reaching(), *along)

    def _derivative(self) -> bool:
        """Whether a fraction has d or ∂ alone above its line, and before a letter below it."""
        if self.rest[0] != r"\frac" or self.rest[2] not in ("d", r"\partial") or self.rest[3] not in ("}", "^"):
            return False
        below = self.rest[_closing(self.rest[2:]) + 4 :]
        return below[0] == self.rest[2] and below[1] not in _ENDS

    def _order(self) -> int:
        self.rest.pop(0)
        return self._order_of()

    def _order_of(self) -> int:
        return int(self.group()) if self.take("^") else 1

    def multiplied(self) -> Any:
        number, result = self._number(), self.raised()
        while (dot := self.take("*")) or self.rest[0] not in _ENDS:
            if number and not dot and (self._number() or self._fraction_of_numbers()):
                raise BadInput("a print has two numbers side by side")
            if self.rest[0] in ("Σ", "Π", "lim") or self._derivative():
                return times(result, self.reaching())
            number = self._number()
            result = times(result, self.raised())
        return result

    def _number(self) -> bool:
        return _number(self.rest[0]) and self.rest[1] != "^"

    def _fraction_of_numbers(self) -> bool:
        """Whether what follows is ½, which a number before it would make a mixed one."""
        above, below = self.rest[2:4], self.rest[5:7]
        return self.rest[0] in _FRACTIONS and all(n.isdecimal() and end == "}" for n, end in (above, below))

    def raised(self) -> Any:
        base = self.atom()
        return raised(base, self.group()) if self.take("^") else base

    def group_of(self, read: Callable[[], Any]) -> Any:
        """What stands between braces."""
        self.expect("{")
        result = read()
        self.expect("}")
        return result

    def group(self) -> Any:
        return self.group_of(self.added)

    def limits(self) -> list[tuple[Any, Any, Any]]:
        self.expect("_")
        self.expect("{")
        letter = self.atom()
        self.expect("=")
        low = self.added()
        self.expect("}")
        self.expect("^")
        return [(letter, low, self.group())]

    def limit(self) -> tuple[Any, Any, bool]:
        self.expect("_")
        self.expect("{")
        letter = self.atom()
        self.expect("→")
        last = _closing(self.rest)
        sided = self.rest[last - 2] == "^" and self.rest[last - 1] in _SIDES
        point = self.atom() if sided else self.added()
        below = sided and self.rest[1] == "-"  # behind the sign of a power
        del self.rest[: 2 * sided]
        self.expect("}")
        return letter, point, below

    def atom(self) -> Any:
        if self.rest[0] == "(":
            return super().atom()
        for name, arguments, made in self.names:
            if self.rest[: name.index("@")] == name[: name.index("@")] and (values := self.named(name, arguments)):
                if name[0] == r"\nabla" and self.rest[0] == "^":
                    raise BadInput("a power might be that of a gradient or of its body")
                return made(*values)
        sign = self.rest.pop(0)
        if _number(sign):
            return sp.Rational(sign)
        if sign in self.families and self.rest[0] == "(":
            return self.families[sign][self.arguments()]
        if sign in self.letters:
            return self.letters[sign]
        if sign in _NUMBERS:
            return _NUMBERS[sign]
        if sign == "|(":
            result = sp.Abs(self.added(), evaluate=False)
            self.expect(")|")
            return result
        if sign in _FRACTIONS:
            return times(self.group(), raised(self.group(), sp.S.NegativeOne))
        if sign == r"\binom":
            return sp.binomial(self.group(), self.group(), evaluate=False)
        if sign == r"\sqrt":
            return self.root()
        if sign == r"\delta" and self.take("_"):
            return self.group_of(self.delta)
        if sign in _FUNCTIONS:
            power = self.group() if self.take("^") else None
            result = _FUNCTIONS[sign](*self.arguments())
            return result if power is None else raised(result, power)
        raise BadInput(f"a print speaks of {sign!r}, which is no letter of its own")

    def named(self, name: list[str], arguments: tuple[Any, ...]) -> list[Any]:
        """What stands for the arguments of a name; none where what follows is another name that begins as it does."""
        names: list[Any] = []
        here = list(self.rest)
        try:
            for at, sign in enumerate(name, start=1):
                if sign != "@":
                    self.expect(sign)
                elif isinstance(arguments[len(names)], sp.IndexedBase):
                    names.append(self.family())
                else:
                    names.append(self.added() if at < len(name) else self.atom())
        except BadInput:
            self.rest, names = here, []
        return names

    def family(self) -> Any:
        """A family as a whole."""
        sign = self.rest.pop(0)
        if sign not in self.families:
            raise BadInput(f"a print speaks of {sign!r}, which is no family")
        return self.families[sign]

    def root(self) -> Any:
        degree = sp.Integer(2)
        if self.take("["):
            degree = self.added()
            self.expect("]")
        return raised(self.group(), raised(degree, sp.S.NegativeOne))

    def delta(self) -> Any:
        left = self.added() if "," in self.rest[: self.rest.index("}")] else self.atom()
        self.take(",")
        return sp.KroneckerDelta(left, self.added(), evaluate=False)

    def cases(self) -> list[tuple[Any, Boolean]]:
        branches: list[tuple[Any, Boolean]] = []
        while not branches or self.take(r"\\"):
            value = self.added()
            self.expect("&")
            branches.append((value, sp.true if self.take(r"\text{otherwise}") else self._condition()))
        self.expect(r"\end{cases}")
        return branches

    def _condition(self) -> Any:
        self.expect(r"\text{for}")
        return self.joined()


def _number(sign: str) -> bool:
    """Whether a sign is a whole number, or a decimal."""
    return sign.replace(".", "0", 1).isdecimal() and sign[0] != "."


def _word(word: str) -> str:
    """A pattern for a word, which is no command that only begins so."""
    return re.escape(word) + ("(?![A-Za-z])" if re.search(r"\\[A-Za-z]+$", word) else "")


def _closing(signs: list[str]) -> int:
    """Where the brace is that closes the one before these signs."""
    depth = accumulate(((sign == "{") - (sign == "}") for sign in signs), initial=1)
    return list(depth).index(0) - 1


def _visible(signs: list[str]) -> list[str]:
    """The signs without the braces that only keep LaTeX together, and are not seen."""
    result: list[str] = []
    open: list[int] = []  # of each brace that is open: how many places are here, itself counted
    places = 0
    for sign in signs:
        if sign == "{":
            open.append(places)
            shown, places = places > 0, 0
        elif sign == "}":
            if not open:
                raise BadInput("a print has a brace that is not opened")
            places = open.pop()
            shown, places = places > 0, max(places - 1, 0)
        else:
            shown, places = True, _PLACES.get(sign, 0)
        if shown:
            result.append(sign)
    if open:
        raise BadInput("a print has a brace that is not closed")
    return result
