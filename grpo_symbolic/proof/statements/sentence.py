"""A claim's sentence, printed from its statement: in LaTeX, and as plain text."""

from __future__ import annotations

import math
import re
from collections.abc import Callable, Hashable, Iterable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial
from itertools import groupby
from typing import Any, NamedTuple, TypeAlias

import sympy as sp
from sympy.printing.str import StrPrinter

from grpo_symbolic.errors import ClaimError
from grpo_symbolic.ordering import is_partial, ordered
from grpo_symbolic.proof.statements.domain import Domain
from grpo_symbolic.proof.statements.hypotheses import (
    beyond,
    common,
    domain_latex,
    domain_text,
    is_one_value,
    names,
    needed,
)
from grpo_symbolic.proof.statements.statement import (
    COMPOUND,
    SAME,
    Equal,
    Exists,
    Narrowed,
    Nth,
    Phrase,
    Statement,
    When,
    commas,
    flat,
)
from grpo_symbolic.scalars import Scalar
from grpo_symbolic.terms.reading import printed_name

Printer = Callable[[Any], str]
_SIGNS = {"=": "=", "↦": r"\mapsto", ",": r",\ ", ":": r":\ "}  # what a phrase says between formulas, in LaTeX
_OPEN = (sp.Sum, sp.Product, sp.Limit, sp.Derivative)  # what reaches as far to the right as a product does
_BESIDE_SUMS = 45  # between SymPy's precedence of a sum and that of a product
UNDER_POWERS = 55  # between that of a product and that of a power: (E(X))², for E(X)² reads as the mean of a square too
_ROMAN = ("i", "ii", "iii", "iv", "v", "vi", "vii", "viii", "ix", "x")
_CONNECTIVES = {sp.And: " and ", sp.Or: " or ", sp.Equivalent: " exactly if "}


class OwnNumber(sp.Expr):
    """Base of the numbers that sentences have beside those of SymPy: a ``sign`` (``tex`` in LaTeX), and the first
    argument in ``brackets``.
    """

    is_commutative = True
    brackets = ("(", ")")
    sign: str
    tex: str

    def __new__(cls, *args: Scalar | sp.Basic) -> OwnNumber:
        """The arguments as SymPy reads them."""
        made: OwnNumber = super().__new__(cls, *map(sp.sympify, args))
        return made

    def _eval_is_extended_real(self) -> bool:
        return True

    def _sympystr(self, printer: Any) -> str:
        begin, end = self.brackets
        return f"{self.sign}{begin}{printer._print(self.args[0])}{end}"

    def _latex(self, printer: Any) -> str:
        begin, end = self.brackets
        return rf"{self.tex}\left{begin}{printer._print(self.args[0])}\right{end}"


class Part(NamedTuple):
    """One statement of a conjunction: what it is called, what it says, and where; on the claim's own domain it is
    ``None``. ``about`` are the names of the letters in it; an ``example`` holds at some values only. No index of a sum
    in it is printed as one of the ``taken`` letters.
    """

    label: str
    phrase: Phrase
    domain: Domain | None
    about: frozenset[str]
    example: bool
    taken: frozenset[sp.Symbol]


def parts(statement: Statement, domain: Domain) -> Iterator[Part]:
    """The parts of a statement, a conjunction statement by statement, in the order of the result file."""
    said: list[tuple[Statement, Domain]] = []
    for whole, where in flat(statement, domain):
        part, narrower = _meant(whole, where)  # the range of what compares is printed with the rest
        said.append((part, where if isinstance(part, _Among) else narrower))
    together = _taken([part for part, where in said if where is domain], domain)
    for part, where in said:
        about = _about_all([part], where).difference(map(str, part.conclusion.own))
        here = None if where is domain else where
        label, inner = label_of(part), _inner(part)
        named = "" if label == getattr(type(inner), "label", "") else label  # what a kind calls itself says nothing
        taken = (together if here is None else _taken([part], where)) | _loose(part)
        yield Part(named, part.phrase(), here, about, isinstance(inner, Exists), taken)


def label_of(part: Statement) -> str:
    """What a part of a sentence is called, in a case or not; nothing where it has no name."""
    return str(getattr(_inner(part), "label", ""))


def _inner(part: Statement) -> Statement:
    """The conclusion of a part, in a case or not."""
    inner = part.conclusion
    while isinstance(inner, When):
        inner = inner.statement.conclusion
    return inner


def there(printer: Printer, domain: Domain, taken: Iterable[sp.Symbol] = ()) -> Printer:
    """The printer for a domain, where it prints a name only of what has the meaning there, and no index of a sum as a
    letter that is ``taken``.
    """
    on: Callable[[Domain], Printer] | None = getattr(printer, "on", None)
    here = printer if on is None else on(domain)
    beside: Callable[[Iterable[sp.Symbol]], Printer] | None = getattr(here, "beside", None)
    return here if beside is None or not taken else beside(taken)


def latex(phrase: Phrase, printer: Printer) -> str:
    r"""A phrase as a formula with words in it.

    >>> from grpo_symbolic.notation import x
    >>> latex((x**2, "is convex in", x), sp.latex)
    'x^{2} \\quad\\text{is convex in}\\quad x'
    """
    pieces: list[str] = []
    for part in _mapped(phrase, lambda letter, primes: f"{{{printer(letter)}}}{primes}"):
        if isinstance(part, Nth):
            pieces.append(rf"{{{printer(part.letter)}}}_{{{part.number}}}")
        elif isinstance(part, str):
            before = "" if not pieces or part.startswith(":") else r"\quad"
            pieces.append(_SIGNS.get(part, rf"{before}\text{{{part}}}\quad"))
        else:
            several = isinstance(part, list | tuple)
            pieces.append(rf"\left({', '.join(map(printer, part))}\right)" if several else printer(part))
    return " ".join(pieces).removesuffix(r"\quad")


def _mapped(phrase: Phrase, called: Callable[[sp.Symbol, str], str]) -> Phrase:
    """A phrase, in which the letter before ↦ that also stands elsewhere has primes: there it is a value."""
    pieces = list(phrase)
    for at in (at for at, piece in enumerate(phrase) if isinstance(piece, str) and piece == "↦"):
        letter, image = phrase[at - 1 : at + 2 : 2]
        elsewhere = [p for p in _pieces((*phrase[: at - 1], *phrase[at + 2 :])) if isinstance(p, sp.Basic)]
        if any(p.has(letter) for p in elsewhere):
            letters = set().union(*(p.atoms(sp.Symbol) for p in _pieces(phrase) if isinstance(p, sp.Basic)))
            others = {re.sub("[{}]", "", called(s, "")) for s in letters}
            primed = (called(letter, "'" * count) for count in range(1, 9))
            new = next(name for name in primed if re.sub("[{}]", "", name) not in others)
            pieces[at - 1] = sp.Symbol(new, real=True)
            pieces[at + 1] = sp.sympify(image).xreplace({letter: pieces[at - 1]})
    return tuple(pieces)


class _Plain(StrPrinter):
    """One line of text, with the letters and signs that a keyboard lacks."""

    taken: tuple[str, ...] = ()  # how no index may be seen: as those of the sums around it, or as what is free

    def _as_ordered_terms(self, expr: sp.Basic, order: str | None = None) -> list[sp.Expr]:
        return list(super()._as_ordered_terms(expr, order) if order else ordered(expr))

    def parenthesize(self, item: sp.Basic, level: int, strict: bool = False) -> str:
        """A sum over an index, a product, a limit or a derivative is in parentheses beside a factor and under a power.

        >>> from grpo_symbolic.notation import k, n
        >>> plain(sp.Sum(k, (k, 1, n)) ** 2)
        '(Σ[k = 1…n] k)^2'
        """
        if not isinstance(item, _OPEN):
            return str(super().parenthesize(item, level, strict))
        printed = str(self._print(item))
        return printed if _BESIDE_SUMS > level or (strict and _BESIDE_SUMS == level) else f"({printed})"

    def _reached(self, body: sp.Basic) -> str:
        """What a sum over an index, a limit or a derivative reaches: a product, or one more of these."""
        return self.parenthesize(body, _BESIDE_SUMS, strict=True)

    def _print_Mul(self, expr: sp.Mul) -> str:
        """A minus stands before the whole product, whose factors are printed as those of any other."""
        first, *rest = expr.args
        if not (first.is_Rational and first.is_negative) or any(r.is_Number for r in rest):
            return str(super()._print_Mul(expr))
        factors = rest if first == -1 else [-first, *rest]
        if len(factors) == 1:
            return f"-{self._reached(factors[0])}"
        return f"-{super()._print_Mul(sp.Mul(*factors, evaluate=False))}"

    def _print_Symbol(self, expr: sp.Symbol) -> str:
        return printed_name(expr.name)

    def _print_Relational(self, expr: sp.Basic) -> str:
        sign = {"==": "=", "<=": "≤", ">=": "≥", "!=": "≠"}.get(expr.rel_op, expr.rel_op)
        return f"{self._print(expr.lhs)} {sign} {self._print(expr.rhs)}"

    def _print_And(self, expr: sp.And | sp.Or | sp.Equivalent) -> str:
        return _CONNECTIVES[type(expr)].join(self._inner(a) for a in expr.args)

    _print_Or = _print_Equivalent = _print_And

    def _print_Implies(self, expr: sp.Implies) -> str:
        given, then = expr.args
        condition = f"({self._print(given)})" if isinstance(given, sp.Implies) else self._print(given)
        return f"if {condition}, then {self._print(then)}"

    def _inner(self, part: sp.Basic) -> str:
        compound = isinstance(part, (*_CONNECTIVES, sp.Implies))
        return f"({self._print(part)})" if compound else str(self._print(part))

    def _print_Pow(self, expr: sp.Pow, rational: bool = False) -> str:
        return str(super()._print_Pow(expr, rational)).replace("**", "^")

    def _print_Sum(self, expr: sp.Sum | sp.Product) -> str:
        """The outermost index first: an inner one may run as far as it. One that is taken has a prime.

        >>> from grpo_symbolic.notation import i, k, n
        >>> plain(sp.Sum(k, (k, 1, i), (i, 1, n)))
        'Σ[i = 1…n, k = 1…i] k'
        >>> plain(k * sp.Sum(k, (k, 1, n)))
        "k*(Σ[k' = 1…n] k')"
        """
        before, ranges, body = self.taken, [], expr
        for _ in expr.limits:
            *inner, (index, low, high) = body.limits
            within = body.func(body.function, *inner) if inner else body.function
            name = str(self._print(index))
            if name in self.taken:
                others = {*self.taken, *(self._print(letter) for letter in within.atoms(sp.Symbol))}
                primes = next(n for n in range(1, 99) if name + "'" * n not in others)
                name += "'" * primes
                within = within.subs(index, sp.Symbol(f"{index.name}{'_' * primes}", integer=True))
            ranges.append(f"{name} = {self._print(low)}…{self._print(high)}")
            self.taken, body = (*self.taken, name), within
        printed = f"{'Σ' if isinstance(expr, sp.Sum) else 'Π'}[{', '.join(ranges)}] {self._reached(body)}"
        self.taken = before
        return printed

    _print_Product = _print_Sum

    def _print_binomial(self, expr: sp.Basic) -> str:
        return f"C({self._print(expr.args[0])}, {self._print(expr.args[1])})"

    def _print_Limit(self, expr: sp.Limit) -> str:
        body, variable, point, side = expr.args
        approach = "" if point in (sp.oo, -sp.oo) else {"+": " from above", "-": " from below"}.get(str(side), "")
        return f"lim[{self._print(variable)} → {self._print(point)}{approach}] {self._reached(body)}"

    def _print_Infinity(self, expr: sp.Basic) -> str:
        return "∞"

    def _print_NegativeInfinity(self, expr: sp.Basic) -> str:
        return "−∞"

    def _print_Derivative(self, expr: sp.Derivative) -> str:
        """One step after the other: d/dx^2 would be that along x².

        >>> from grpo_symbolic.notation import x, y
        >>> plain(sp.Derivative(x**2 * y, (x, 2), y))
        '∂^2/∂x^2 ∂/∂y x^2*y'
        """
        d = "∂" if is_partial(expr) else "d"
        powers = ((self._print(v), f"^{n}" if n > 1 else "") for v, n in expr.variable_count)
        return " ".join([*(f"{d}{power}/{d}{along}{power}" for along, power in powers), self._reached(expr.expr)])


def plain(thing: sp.Basic, taken: Iterable[sp.Symbol] = ()) -> str:
    """A formula in one line of text, in which no index of a sum is a letter that is ``taken`` or free in it.

    >>> from grpo_symbolic.notation import beta, x
    >>> plain((x**2 <= beta) & (x > 0))
    'x > 0 and x^2 ≤ β'
    >>> from grpo_symbolic.notation import o, o_, pi
    >>> plain(pi[o] - pi[o_])
    "π[o] - π[o']"
    """
    printer = _Plain()
    if isinstance(thing, sp.Basic) and thing.has(sp.Sum, sp.Product):
        printer.taken = tuple(printed_name(s.name) for s in {*_free(thing), *taken} if isinstance(s, sp.Symbol))
    return str(printer.doprint(thing))


Letter: TypeAlias = sp.Symbol | sp.IndexedBase | sp.NumberSymbol


def letters(formulas: Iterable[Any], printed: Callable[[Any], Hashable] | None = None) -> dict[Any, Letter]:
    """The letters and families of formulas that are read together, by what is ``printed`` of them: constants such as π
    too, which in plain text have a name.

    Raises :class:`ClaimError` for a placeholder, which SymPy tells from others by what no print shows, and where two
    are printed alike.
    """
    kinds = (sp.Symbol, sp.IndexedBase) if printed is None else (sp.Symbol, sp.IndexedBase, sp.NumberSymbol)
    atoms = [e.atoms(*kinds) for e in formulas if isinstance(e, sp.Basic)]
    every: set[Letter] = set().union(*atoms)
    bases = {base.label: base for base in every if isinstance(base, sp.IndexedBase)}
    by_print: dict[Any, Letter] = {}
    for letter in sorted({bases.get(letter, letter) for letter in every}, key=str):
        if isinstance(letter, sp.Dummy | sp.Wild):
            raise ClaimError(f"{letter} is a placeholder of SymPy's and no letter: declare one with notation.scalar")
        name = plain(getattr(letter, "label", letter)) if printed is None else printed(letter)
        other = by_print.setdefault(name, letter)
        if other != letter:
            what = [f"the constant {e}" if isinstance(e, sp.NumberSymbol) else str(e) for e in (other, letter)]
            raise ClaimError(f"{' and '.join(what)} are printed alike, as if they were one: rename one of them")
    return by_print


def formulas(statement: Statement, domain: Domain) -> Iterator[list[Any]]:
    """What a sentence prints beside words, part by part: its formulas, and those of the domain."""
    for part, where in flat(statement, domain):
        pieces = [*where.free, *where.constraints, *_pieces(part.phrase())]
        for family in where.families:
            pieces += (family.base, family.size, family.total)
        yield pieces


def _pieces(phrase: Phrase) -> Iterator[Any]:
    """The words, formulas and letters of a phrase, those of a list one by one."""
    for part in phrase:
        if isinstance(part, Nth):
            yield part.letter
        elif isinstance(part, list | tuple):
            yield from part
        else:
            yield part


def members(statement: Statement, domain: Domain) -> set[Nth]:
    """The members of sequences that a sentence prints."""
    return {piece for part, _ in flat(statement, domain) for piece in part.phrase() if isinstance(piece, Nth)}


def text(phrase: Phrase, taken: Iterable[sp.Symbol] = ()) -> str:
    """A phrase in one line of text, in which no index of a sum is a letter that is ``taken``.

    >>> from grpo_symbolic.notation import x
    >>> text((x**2, "is convex in", x))
    'x^2 is convex in x'
    """
    line = ""
    for part in _mapped(phrase, lambda letter, primes: letter.name + "_" * len(primes)):
        if isinstance(part, Nth):
            piece = f"{plain(part.letter)}[{part.number}]"
        elif isinstance(part, str):
            piece = part
        else:
            several = isinstance(part, list | tuple)
            piece = f"({', '.join(plain(p, taken) for p in part)})" if several else plain(part, taken)
        line += piece if not line or piece[0] in ",:;" else f" {piece}"
    return line


def sentence_text(statement: Statement, domain: Domain, longest: float = math.inf) -> str:
    """The sentence in plain text, in order: for all …: …; and for all …: …. Empty where it has more characters than the
    ``longest`` that is wanted.

    >>> from grpo_symbolic.notation import x
    >>> from grpo_symbolic.proof import Monotone
    >>> sentence_text(Monotone(x**2, x), Domain(x > 0))
    'For all x > 0: x^2 is strictly increasing in x.'
    """
    groups: list[tuple[str, list[str]]] = []
    length = 0
    for where, statements in _by_domain(statement, domain):
        taken, here = _taken(statements, where), []
        for part in statements:
            here.append(text(part.phrase(), taken | _loose(part)))
            length += len(here[-1])
            if length > longest:
                return ""
        printer = partial(plain, taken=taken)
        values = domain_text(where, printer, _about_all(statements, where), _places(statements, where))
        groups.append((f"{_for(where, statements)} {values}: " if values else "", here))
    whole = ". ".join(f"{values}{'; '.join(here)}" for values, here in _alike(groups))
    return whole + "." if len(whole) < longest else ""


def sentence_latex(statement: Statement, domain: Domain, printer: Printer, once: bool = False) -> str:
    r"""The sentence as one line of LaTeX, in the order of :func:`sentence_text`, without parts of which both sides are
    one, where there are others. ``once``: what is repeated is printed once, the hypotheses that all parts
    have, the words with which all parts for the same values begin, and a part that is printed as one before it.

    >>> from grpo_symbolic.notation import x
    >>> from grpo_symbolic.proof import Monotone
    >>> sentence_latex(Monotone(x**2, x), Domain(x > 0), sp.latex)
    '\\text{For all }x>0\\text{: }x^{2} \\quad\\text{is strictly increasing in}\\quad x'
    """
    every = list(_by_domain(statement, domain))
    nontrivial = [(where, [part for part in statements if part.phrase()[0] != SAME]) for where, statements in every]
    groups = [(where, statements) for where, statements in nontrivial if statements] or every
    if once:
        return _printed_once(groups, printer)
    printed = [
        (_lead(where, statements, printer), [_line(part, where, statements, printer) for part in statements])
        for where, statements in groups
    ]
    return _one_after_the_other(values + r";\quad ".join(here) for values, here in _alike(printed))


def _one_after_the_other(sentences: Iterable[str]) -> str:
    """Sentences with full stops between them, each that begins with a word with a capital letter."""
    capital = (re.sub(r"^\\text\{[a-z]", lambda begun: begun[0][:-1] + begun[0][-1].upper(), s) for s in sentences)
    return r".\quad ".join(capital)


def _named(part: Statement) -> Phrase:
    """The phrase of a part; of an equality whose sides are one term that term, behind its label, which is typed."""
    phrase, conclusion = part.phrase(), part.conclusion
    if isinstance(conclusion, Equal) and phrase[0] == SAME and conclusion.label != Equal.label:
        return (f"“{conclusion.label}”:", *phrase[1:])
    return phrase


def _line(part: Statement, where: Domain, statements: Sequence[Statement], printer: Printer, begun: int = 0) -> str:
    """One of the statements that are printed together, without the pieces with which all of them have ``begun``."""
    return latex(_named(part)[begun:], there(printer, where, _taken(statements, where) | _loose(part)))


def _lead(where: Domain, statements: Sequence[Statement], printer: Printer) -> str:
    """For which values some statements are meant: for all …."""
    here = there(printer, where, _taken(statements, where))
    values = domain_latex(where, here, _about_all(statements, where), _places(statements, where))
    return rf"\text{{{_for(where, statements)} }}{values}\text{{: }}" if values else ""


def _about_all(statements: Iterable[Statement], where: Domain) -> frozenset[str]:
    """The names of the letters in some parts, without those that they define."""
    return frozenset().union(*(_about([part.phrase()], where) - _defined(part) for part in statements))


def _defined(part: Statement) -> frozenset[str]:
    """The names of the letters that the words of a part define."""
    part = part.statement if isinstance(part, _There) else part
    return part.defined if isinstance(part, _Among) else _inner(part).defined


def _taken(statements: Sequence[Statement], where: Domain) -> frozenset[sp.Symbol]:
    """The letters that stand free in what is printed together, parts and hypotheses, but for those that the words of a
    part bind: no index of a sum there is printed as one of them, for what a hypothesis says of it would be put in.
    """
    formulas = [p for part in statements for p in _pieces(part.phrase()) if isinstance(p, sp.Basic)]
    if not any(f.has(sp.Sum, sp.Product) for f in (*formulas, *where.constraints)):
        return frozenset()
    said = needed(where, _about_all(statements, where))
    letters = said.symbols.union(*(_loose(part) - {*part.conclusion.bound} for part in statements))
    return letters.union(letter for letter, _ in _places(statements, where))


def _loose(part: Statement) -> frozenset[sp.Symbol]:
    """The letters that no formula of a part binds."""
    free = (_free(piece) for piece in _pieces(part.phrase()) if isinstance(piece, sp.Basic))
    return frozenset(s for s in set().union(*free) if isinstance(s, sp.Symbol))


def _printed_once(groups: Sequence[tuple[Domain, list[Statement]]], printer: Printer) -> str:
    """The parts of a sentence, where nothing is printed twice: what all of them suppose stands before them, and each
    has a number, behind which it says what else it supposes. What holds at some values only stands at the end.
    """
    separate = _one_by_one(groups, printer)
    some = next((at for at, (_, statements) in enumerate(groups) if _quantifier(statements) != "For all"), len(groups))
    groups, rest = groups[:some], groups[some:]
    if not 2 <= len(groups) <= len(_ROMAN) or any(_quantifier(statements) == "For all" for _, statements in rest):
        return separate
    wanted = [needed(where, _about_all(statements, where)) for where, statements in groups]
    shared = common(wanted)
    taken = frozenset().union(*(_taken(statements, where) for where, statements in groups))
    values = domain_latex(shared, there(printer, shared, taken))
    if not values:
        return separate
    parts = []
    for number, where, (whole, statements) in zip(_ROMAN, wanted, groups, strict=False):
        places = _places(statements, whole)
        here = there(printer, whole, _taken(statements, whole))
        more = domain_latex(beyond(where, shared), here, None, places, shared.families)
        narrower = not places and where.symbols <= shared.symbols and where.families == shared.families
        lead = rf"\text{{{'if' if narrower else 'for all'} }}{more}\text{{: }}" if more else ""
        parts.append(rf"\text{{({number}) }}{lead}{_together(whole, statements, printer)}")
    together = rf"\text{{For all }}{values}\text{{: }}" + r";\quad ".join(parts)
    rest_of_it = [_one_by_one(rest, printer)] if rest else []
    return min((separate, _one_after_the_other([together, *rest_of_it])), key=len)


def _one_by_one(groups: Iterable[tuple[Domain, list[Statement]]], printer: Printer) -> str:
    """The parts of a sentence one after the other; what follows those that begin with the same words, which are printed
    once, begins anew, since these words are not meant of it, and so does each example, which has values of its own.
    """
    sentences: list[str] = []
    before: str | None = None
    for where, statements in groups:
        values, here = _lead(where, statements, printer), _together(where, statements, printer)
        if before == values:
            sentences[-1] += r";\quad " + here
        else:
            sentences.append(values + here)
        once = _shared([part.phrase() for part in statements]) or _quantifier(statements) == "For some"
        before = None if once else values
    return _one_after_the_other(sentences)


def _together(where: Domain, statements: Sequence[Statement], printer: Printer) -> str:
    """The statements on a domain, the words with which all of them begin once."""
    here = there(printer, where, _taken(statements, where))
    phrases = [_named(part) for part in statements]
    shared = _shared(phrases)
    begun = ""
    if shared:
        *words, last = phrases[0][:shared]
        begun = latex((*words, *filter(None, [last.rstrip(":")])), here) + r":\ "
    lines = dict.fromkeys(_line(part, where, statements, printer, shared) for part in statements)
    return begun + r";\quad ".join(lines)


def _shared(phrases: Sequence[Phrase]) -> int:
    """With how many pieces all of several phrases begin, up to a colon or a "then": a comma may stand within a list."""
    if len(phrases) < 2:
        return 0
    alike = 0
    for pieces in zip(*phrases, strict=False):
        if any(type(piece) is not type(pieces[0]) or piece != pieces[0] for piece in pieces):
            break
        alike += 1
    begun = phrases[0][:alike]
    stops = [at for at, piece in enumerate(begun, start=1) if isinstance(piece, str) and piece.endswith((":", "then"))]
    return stops[-1] if stops else 0


def _for(where: Domain, statements: Sequence[Statement]) -> str:
    """The words before the values of a domain: of one value of each letter nothing is said for all."""
    quantifier = _quantifier(statements)
    one = (
        quantifier == "For all"
        and not _places(statements, where)
        and is_one_value(where, _about_all(statements, where))
    )
    return "For" if one else quantifier


def _quantifier(statements: Sequence[Statement]) -> str:
    """The quantifier of statements that are printed together: some values, where there is an example."""
    inner = _inner(statements[0])
    return "For some" if isinstance(inner, Exists) else "For all"


def _alike(groups: Iterable[tuple[str, list[str]]]) -> Iterator[tuple[str, list[str]]]:
    """Neighbouring groups for the same values, put together; an example has values of its own."""
    numbered = enumerate(groups)
    for (values, _), of_these in groupby(numbered, lambda pair: (pair[1][0], "For some" in pair[1][0] and pair[0])):
        yield values, [one for _, (_, here) in of_these for one in here]


@dataclass(frozen=True)
class _Among(Narrowed):
    """A statement that compares the values of its variable, and says itself among which ones."""

    values: Phrase
    statement: Statement

    @property
    def conclusion(self) -> Statement:
        return self.statement.conclusion

    @property
    def defined(self) -> frozenset[str]:
        inner = _inner(self.statement)
        return inner.defined | {str(v) for v in inner.bound}

    def phrase(self) -> Phrase:
        return (*self.values, ",", *self.statement.phrase())


def _among(part: Statement, domain: Domain) -> tuple[Statement, Domain]:
    """A part, and the domain on which it is meant. What compares the values of a variable is not said for all of them:
    each condition that speaks of this letter, of the domain and of the cases, says among which values the others are
    fixed, whatever other letters it has, as the rules ask for it; what speaks of other letters alone stays.
    """
    inner = _inner(part)
    if not inner.compares or domain.symbols.isdisjoint(inner.bound):
        return part, domain
    (variable,) = inner.bound
    bounds = [c for c in domain.constraints if variable in c.free_symbols]
    meant, cases = _without(part, lambda condition: variable in condition.free_symbols)
    if any(e.has(variable) for f in domain.families for e in f.size_and_total):
        return part, domain  # which the rules refuse
    if bounds := [*bounds, *cases]:
        among = sp.And(*bounds, evaluate=False)
        values: Phrase = ("over", [among] if isinstance(among, COMPOUND) else among)
    else:
        values = ("over all real", variable)
    return _Among(values, meant), domain.without_symbol(variable)


def _without(part: Statement, taken: Callable[[sp.Basic], bool]) -> tuple[Statement, list[sp.Basic]]:
    """A part without those conditions of the cases it is in that are taken from them, and these."""
    moved: list[sp.Basic] = []
    rest: list[sp.Basic] = []
    inner = part
    while isinstance(inner, When):
        for condition in _conjuncts(inner.condition):
            (moved if taken(condition) else rest).append(condition)
        inner = inner.statement
    if not moved:
        return part, []
    return When(sp.And(*rest, evaluate=False), inner) if rest else inner, moved


def _conjuncts(condition: sp.Basic) -> Iterator[sp.Basic]:
    """The conditions of which one is the conjunction."""
    if isinstance(condition, sp.And):
        for part in condition.args:
            yield from _conjuncts(part)
    else:
        yield condition


@dataclass(frozen=True)
class _There(Narrowed):
    """A statement on derivatives, and what is put in for letters once they are taken."""

    values: tuple[sp.Basic, ...]
    statement: Statement

    @property
    def conclusion(self) -> Statement:
        return self.statement.conclusion

    def phrase(self) -> Phrase:
        return (*self.statement.phrase(), ", at", *commas(self.values))


def _meant(part: Statement, domain: Domain) -> tuple[Statement, Domain]:
    """A part as it is said, and the domain for which it is: what compares says among which values, and what is put in
    for a letter once a derivative is taken stands behind it: with y = x the derivative ∂/∂x y is 0, and that of x is 1.
    """
    part, domain = _among(part, domain)
    formulas = [piece for piece in _pieces(part.phrase()) if isinstance(piece, sp.Basic)]
    slopes = set().union(*(f.atoms(sp.Derivative) for f in formulas))
    if not slopes or isinstance(_inner(part), Exists) or isinstance(part, _Among):
        return part, domain
    given = [c for c in domain.constraints if isinstance(c, sp.Equality)]
    cases = _without(part, lambda condition: isinstance(condition, sp.Equality))[1]
    values = set().union(*(_put_in(slope, [*given, *cases]) for slope in slopes))
    if not values:
        return part, domain
    part, moved = _without(part, values.__contains__)
    left = [c for c in domain.constraints if c not in values]
    rest = Domain(*domain.free, *domain.families, *left, near=(domain, domain.example))
    loose = sorted(domain.symbols - rest.symbols, key=str)
    return _There((*(c for c in given if c in values), *moved), part), rest.also(*loose) if loose else rest


def _put_in(slope: sp.Derivative, equations: Sequence[sp.Basic]) -> set[sp.Basic]:
    """The equations by which what a derivative is along, or what moves with it, stands for a letter of its body."""
    body, moving = names([slope.expr]), {_own(v) for v in slope.variables}
    found: set[sp.Basic] = set()
    while more := [e for e in equations if e not in found and names([e]) & moving]:
        found.update(more)
        moving |= {_own(side) for e in more for side in e.args if isinstance(side, sp.Symbol | sp.Indexed)}
    return {e for e in found if {_own(s) for s in e.args if isinstance(s, sp.Symbol | sp.Indexed)} & body}


def _own(letter: sp.Basic) -> str:
    """The name of a letter, or of the family of an entry."""
    return str(letter.base.label if isinstance(letter, sp.Indexed) else letter)


def _by_domain(statement: Statement, domain: Domain) -> Iterator[tuple[Domain, list[Statement]]]:
    """The parts, each with the domain on which it is meant, without the letters that it binds: together those on
    one domain, of which nothing is an example, and in which no letter numbers members of families of two sizes.
    """
    groups: list[tuple[Domain, list[Statement]]] = []
    for whole, inside in flat(statement, domain):
        part, where = _meant(whole, inside)
        for letter in part.conclusion.own:
            where = where.without_symbol(letter)
        before = groups[-1] if groups else None
        if (
            before is None
            or _quantifier([part]) == "For some"
            or (before[0].key(), _quantifier(before[1])) != (where.key(), "For all")
            or _clash(before[1], part, where)
        ):
            groups.append((where, []))
        groups[-1][1].append(part)
    return iter(groups)


def _clash(statements: list[Statement], part: Statement, domain: Domain) -> bool:
    """Whether a letter numbers members of families of two sizes, one in the statements before and one in a part."""
    before = dict(_places(statements, domain))
    return any(before.get(letter, size) != size for letter, size in _places([part], domain))


def _places(statements: Iterable[Statement], domain: Domain) -> list[tuple[sp.Symbol, sp.Expr]]:
    """The letters that number members of families in statements on each point, for every one of which they are meant:
    the words of a statement with an ``index``, and of a case of equality, say themselves which members they mean.
    """
    places: set[tuple[sp.Symbol, sp.Expr]] = set()
    for part in statements:
        conclusion = part.conclusion
        own = {*conclusion.bound, getattr(conclusion, "index", None)}
        sides = [getattr(conclusion, side) for side in ("left", "right", "formula") if hasattr(conclusion, side)]
        for piece in sides if hasattr(conclusion, "equality") else part.phrase():
            free = _free(piece) - own if isinstance(piece, sp.Basic) else set()
            for entry in piece.atoms(sp.Indexed) if free else ():
                if (index := entry.indices[0]) in free - domain.symbols and entry.base.label in domain.bases:
                    places.add((index, domain.bases[entry.base.label].size))
    return sorted(places, key=str)


def _free(piece: sp.Basic) -> set[sp.Basic]:
    """The letters of a formula that nothing in it binds; those of an entry along which it is differentiated too."""
    return piece.free_symbols | (_along(piece) if piece.has(sp.Derivative) else set())


def _along(piece: sp.Basic) -> set[sp.Basic]:
    """The letters of the entries along which something in a formula is differentiated, but for those of its sums."""
    along: set[sp.Basic] = set().union(*map(_along, piece.args))
    if isinstance(piece, sp.Derivative):
        return along.union(*(entry.free_symbols for entry in piece.variables if isinstance(entry, sp.Indexed)))
    return along - {*piece.variables} if isinstance(piece, sp.Sum | sp.Product) else along


def _about(phrases: Iterable[Phrase], domain: Domain) -> frozenset[str]:
    """The names of the letters in some phrases, in formulas or in words."""
    pieces = [piece for phrase in phrases for piece in _pieces(phrase)]
    words = set(re.findall(r"\w+", " ".join(part for part in pieces if isinstance(part, str))))
    formulas = [piece for piece in pieces if isinstance(piece, sp.Basic)]
    indices = {i for f in formulas for total in f.atoms(sp.Sum, sp.Product) for i in total.variables}
    bound = indices.difference(*map(_free, formulas)) if indices else indices
    return names(pieces).difference(map(str, bound)) | {
        str(letter) for letter in domain.letters if plain(getattr(letter, "label", letter)) in words
    }
