"""What the numeric formats share: each part as a straight-line program in the stable form, and how to write one.

A program is a list of elementary steps (:mod:`grpo_symbolic.numeric.compiler.program`), so a language needs one table
of templates and nothing else.
"""

from __future__ import annotations

import keyword
import math
import re
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item, Part
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.numeric.compiler import printers
from grpo_symbolic.numeric.compiler.functions import AsIs
from grpo_symbolic.numeric.compiler.guarding import guarded
from grpo_symbolic.numeric.compiler.program import BINARY, BOOLEAN, UNARY, Program, linearise
from grpo_symbolic.numeric.compiler.stable import stabilise

LOSES = "binary64 floating point rounds; each function is written in a form that stays accurate near 0 and 1"
MOST_TERMS = 4096  # of a sum that is written out
_ORDER = {name: place for place, name in enumerate(NOTATION)}


@dataclass(frozen=True)
class Function:
    """A function to be written: its name, what it is, its arguments (symbols, entries of families) and its steps."""

    name: str
    meaning: str
    arguments: tuple[Any, ...]
    names: tuple[str, ...]
    program: Program
    part: Part


def functions(
    item: Item, reserved: frozenset[str] = frozenset(), *, differentiable: bool = False, logaddexp: bool = False
) -> tuple[list[Function], list[str]]:
    """A function for each part of an item, and for each part that no program can hold a sentence that says why.

    ``reserved`` are words that cannot be names; ``differentiable`` guards the branches of choices whose gradient would
    be no number. Raises :class:`BadInput` when no part is left.
    """
    made, left_out = [], []
    for part in item.parts:
        try:
            evaluated = stabilise(lowered(part.expression))
            arguments = tuple(sorted(_arguments(evaluated), key=_place))
            named = names(arguments, reserved)
            plain = {a: sp.Dummy(f"x{k}", real=True) for k, a in enumerate(arguments)}
            ready = evaluated.xreplace(plain)
            if differentiable:
                ready = guarded(ready)
            program = linearise(ready, tuple(plain.values()), logaddexp=logaddexp)
        except BadInput as reason:
            left_out.append(f"{part.name}: {reason}")
            continue
        name = identifier(f"{item.id}_{part.name}", reserved)
        made.append(Function(name, part.meaning, arguments, named, program, part))
    if not made:
        raise BadInput(f"{item.id} has nothing that can be computed: {left_out[0] if left_out else 'it has no parts'}")
    return made, left_out


def lowered(e: sp.Basic) -> sp.Basic:
    """The expression without sums, derivatives and connectives that programs do not have; the same function.

    Raises :class:`BadInput` for a sum of symbolic length (which an instance such as n=3 turns into a finite one) and
    for limits.
    """
    if not e.args or isinstance(e, sp.Indexed):
        return _entry(e) if isinstance(e, sp.Indexed) else e
    if isinstance(e, sp.Sum | sp.Product):
        return lowered(_written_out(e))
    if isinstance(e, sp.Derivative | sp.Subs):
        done = e.doit(sums=False)
        if done.has(sp.Derivative, sp.Subs):
            raise BadInput(f"{e} has no formula")
        return lowered(done)
    if isinstance(e, sp.Limit):
        raise BadInput(f"the limit {e} is no formula; export the parts of a claim about it")
    args = [lowered(a) for a in e.args]
    if isinstance(e, sp.KroneckerDelta):
        return AsIs(sp.Piecewise((1, sp.Eq(*args[:2])), (0, True)))  # √(δu) has a value where u < 0 and δ = 0
    if isinstance(e, sp.Heaviside):
        return sp.Piecewise((0, args[0] < 0), (1, args[0] > 0), (args[1] if len(args) > 1 else sp.S.Half, True))
    if isinstance(e, sp.Implies):
        return sp.Or(sp.Not(args[0]), args[1])
    if isinstance(e, sp.Equivalent):
        return sp.Or(sp.And(*args), sp.And(*map(sp.Not, args)))
    if isinstance(e, sp.binomial | sp.factorial):
        return e.func(*args)
    return e if all(a is b for a, b in zip(args, e.args, strict=True)) else e.func(*args)


def _entry(e: sp.Basic) -> sp.Expr:
    if not all(index.is_Integer for index in e.indices):
        index = next(index for index in e.indices if not index.is_Integer)
        raise BadInput(f"{e} is an entry without a number: give one, such as {next(iter(index.free_symbols), index)}=1")
    return e


def _written_out(e: sp.Basic) -> sp.Basic:
    *inner, (index, low, high) = e.limits
    if not (low.is_Integer and high.is_Integer):
        free = sorted(map(str, (low.free_symbols | high.free_symbols)))
        raise BadInput(
            f"{'a sum' if isinstance(e, sp.Sum) else 'a product'} over {index} = {low}, …, {high} has no fixed length: "
            f"give a number, such as {', '.join(f'{name}=3' for name in free)}"
        )
    if high - low >= MOST_TERMS:
        raise BadInput(f"the sum over {index} = {low}, …, {high} has more than {MOST_TERMS} terms")
    body = e.func(e.function, *inner) if inner else e.function
    if any(index in total.variables for total in body.atoms(sp.Sum, sp.Product)):
        body = body.as_dummy()  # a letter that is bound again in it is another one
    whole = sp.Add if isinstance(e, sp.Sum) else sp.Mul
    return whole(*(body.xreplace({index: sp.Integer(k)}) for k in range(int(low), int(high) + 1)))


def _arguments(e: sp.Basic) -> set[sp.Expr]:
    entries = e.atoms(sp.Indexed)
    labels = {entry.base.label for entry in entries}
    return entries | {s for s in e.free_symbols if isinstance(s, sp.Symbol) and s not in labels}


def _place(argument: sp.Basic) -> tuple[int, str, tuple[int, ...]]:
    """The order of the notation, which is the same in every format; symbols of a user's own last, by name."""
    name = str(argument.base) if isinstance(argument, sp.Indexed) else argument.name
    index = tuple(map(int, argument.indices)) if isinstance(argument, sp.Indexed) else ()
    return _ORDER.get(name, len(_ORDER)), name, index


# -- names ----------------------------------------------------------------------------------------------------------


def identifier(text: str, reserved: frozenset[str] = frozenset()) -> str:
    """A name that every one of the languages takes.

    >>> identifier("vy-eq14_left"), identifier("lambda")
    ('vy_eq14_left', 'lambda_')
    """
    name = re.sub(r"\W", "_", text, flags=re.ASCII)
    if not name or name[0].isdigit() or name[0] == "_":
        name = f"x{name}"
    return f"{name}_" if name in reserved or keyword.iskeyword(name) else name


def names(arguments: tuple[sp.Expr, ...], reserved: frozenset[str]) -> tuple[str, ...]:
    """Different names for the arguments; ``pi[2]`` becomes ``pi_2``. Names of steps, ``s0``, ``s1`` …, stay free."""
    taken: list[str] = []
    for a in arguments:
        text = "_".join([str(a.base), *map(str, a.indices)]) if isinstance(a, sp.Indexed) else a.name
        name = identifier(text, reserved)
        while name in taken or re.fullmatch(r"s\d+", name):
            name += "_"
        taken.append(name)
    return tuple(taken)


# -- writing --------------------------------------------------------------------------------------------------------

INFIX = {**printers.INFIX, "and": "{} && {}", "or": "{} || {}", "not": "!{}"}


@dataclass(frozen=True)
class Language:
    """How steps, numbers and functions are written: ``templates`` by operation, types and constants by their names.

    ``step`` has the places name, value and, for typed languages, type; ``first`` (the lines before the steps) meaning,
    name, given and type; ``taken``, a line for each argument, its name; ``last`` result. ``words`` cannot be names.
    """

    templates: Mapping[str, str]
    step: str
    real: str
    truth: str
    nan: str
    infinity: str
    number: str = "{!r}"
    true: str = "true"
    false: str = "false"
    comment: str = "#"
    prelude: str = ""
    argument: str = "{}"
    no_arguments: str = ""
    first: str = ""
    taken: str = ""
    last: str = ""
    words: str = ""

    @property
    def reserved(self) -> frozenset[str]:
        """Words that cannot be names."""
        return frozenset(self.words.split())

    def literal(self, value: float) -> str:
        """A number."""
        if math.isnan(value):
            return self.nan
        text = self.infinity if math.isinf(value) else self.number.format(abs(value))
        return f"(-{text})" if math.copysign(1, value) < 0 else text

    def source(self, function: Function) -> str:
        """One function, with a line that says what it is."""
        lines, result, kind = self.lines(function)
        given = ", ".join(map(self.argument.format, function.names)) or self.no_arguments
        first = self.first.format(meaning=one_line(function.meaning), name=function.name, given=given, type=kind)
        taken = [self.taken.format(name) for name in function.names] if self.taken else []
        return "\n".join([first, *taken, *lines, self.last.format(result=result)])

    def write(self, functions: list[Function], header: Header) -> str:
        """The source of the functions."""
        return "\n".join([header.comment(self.comment) + self.prelude, *map(self.source, functions)]) + "\n"

    def lines(self, function: Function) -> tuple[list[str], str, str]:
        """The steps of a function, its result, and the type of the result."""
        known = dict(zip(function.program.arguments, function.names, strict=True))
        known |= {step.name: f"s{k}" for k, step in enumerate(function.program.steps)}
        truths: set[str] = set()
        lines = []

        def write(operand: sp.Basic) -> str:
            if isinstance(operand, str):
                return known[operand]
            if operand in (sp.true, sp.false):
                return self.true if operand == sp.true else self.false
            return self.literal(_nearest(operand))

        for step in function.program.steps:
            if step.op in BOOLEAN or (step.op == "where" and step.operands[1] in truths):
                truths.add(step.name)
            value = self.templates[step.op].format(*map(write, step.operands))
            kind = self.truth if step.name in truths else self.real
            lines.append(self.step.format(name=known[step.name], value=value, type=kind))
        result = function.program.result
        truth = function.program.boolean or result in truths
        return lines, write(result), self.truth if truth else self.real


def one_line(text: str) -> str:
    """The text with blanks for its line breaks, and nothing in it that ends a comment or goes on behind it."""
    return " ".join(text.split()).replace("*/", "* /").replace("??/", "?/").rstrip("\\ ")


def _nearest(number: sp.Expr) -> float:
    """The float nearest to a number."""
    if number.is_Integer and abs(number) < 2**53:
        return float(number.p)
    return float(sp.N(number, 30))


def complete(templates: dict[str, str]) -> dict[str, str]:
    """The table, after a look that no step of a program is missing from it."""
    missing = (UNARY | BINARY | {"pow", "where"}) - set(templates) - {"logaddexp"}
    if missing:
        raise AssertionError(f"no template for {', '.join(sorted(missing))}")
    return templates
