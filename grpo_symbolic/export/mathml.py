"""Content MathML 3: a statement quantified over its domain, or an expression; and a reader of the arithmetic core.

Families are vectors and their entries are selected by ``selector``; the assumptions of symbols are not written, the
domain says what a reader needs of them.
"""

from __future__ import annotations

from typing import Any
from xml.etree import ElementTree as ET

import sympy as sp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.header import Header
from grpo_symbolic.export.item import Item
from grpo_symbolic.export.tree import DEEPEST, LARGEST_POWER, LONGEST_NAME, LONGEST_NUMBER, MOST_NODES
from grpo_symbolic.notation import NOTATION
from grpo_symbolic.proof.statements.domain import Domain

NAMESPACE = "http://www.w3.org/1998/Math/MathML"
LOSES = "the assumptions of symbols are not written (the domain is), nor whether a form is unevaluated"
_LONGEST = 4_000_000  # characters; the other limits are those of the tree

_SIMPLE: dict[Any, str] = {
    sp.Add: "plus",
    sp.Mul: "times",
    sp.Pow: "power",
    sp.exp: "exp",
    sp.log: "ln",
    sp.sinh: "sinh",
    sp.cosh: "cosh",
    sp.tanh: "tanh",
    sp.asinh: "arcsinh",
    sp.acosh: "arccosh",
    sp.atanh: "arctanh",
    sp.sin: "sin",
    sp.cos: "cos",
    sp.atan: "arctan",
    sp.Abs: "abs",
    sp.floor: "floor",
    sp.ceiling: "ceiling",
    sp.Max: "max",
    sp.Min: "min",
    sp.factorial: "factorial",
    sp.And: "and",
    sp.Or: "or",
    sp.Not: "not",
    sp.Xor: "xor",
    sp.Implies: "implies",
    sp.Equivalent: "equivalent",
    sp.Eq: "eq",
    sp.Ne: "neq",
    sp.Lt: "lt",
    sp.Le: "leq",
    sp.Gt: "gt",
    sp.Ge: "geq",
}
_SYMBOLS = {sp.sign: "sign", sp.KroneckerDelta: "Kronecker_delta", sp.binomial: "binomial", sp.Heaviside: "Heaviside"}
_LEAVES = {sp.true: "true", sp.false: "false", sp.oo: "infinity", sp.E: "exponentiale", sp.pi: "pi"}
_LEAVES[sp.EulerGamma] = "eulergamma"


def _element(tag: str, *children: ET.Element, text: str = "", **attributes: str) -> ET.Element:
    made = ET.Element(tag, attributes)
    made.text = text or None
    made.extend(children)
    return made


def _apply(head: str, *children: ET.Element) -> ET.Element:
    return _element("apply", _element(head), *children)


def content(e: sp.Basic) -> ET.Element:
    """The element of an expression; raises :class:`BadInput` for what has none."""
    if e in _LEAVES:
        return _element(_LEAVES[e])
    if e == -sp.oo:
        return _apply("minus", _element("infinity"))
    if isinstance(e, sp.Integer):
        return _element("cn", text=str(e), type="integer")
    if isinstance(e, sp.Rational):
        number = _element("cn", text=str(e.p), type="rational")
        ET.SubElement(number, "sep").tail = str(e.q)
        return number
    if isinstance(e, sp.Symbol):
        return _element("ci", text=e.name)
    if isinstance(e, sp.IndexedBase):
        return _element("ci", text=str(e), type="vector")
    if isinstance(e, sp.Indexed):
        return _apply("selector", content(e.base), *map(content, e.indices))
    if e.func in _SIMPLE:
        return _apply(_SIMPLE[e.func], *map(content, e.args))
    if e.func in _SYMBOLS:
        return _element("apply", _element("csymbol", text=_SYMBOLS[e.func]), *map(content, e.args))
    writer = _WRITERS.get(e.func)
    if writer is None:
        raise BadInput(f"Content MathML has no element for {type(e).__name__}, in {str(e)[:60]}")
    return writer(e)


def _over_range(head: str) -> Any:
    def write(e: sp.Basic) -> ET.Element:
        inner = content(e.function)
        for index, low, high in e.limits:
            bounds = (_element("lowlimit", content(low)), _element("uplimit", content(high)))
            inner = _apply(head, _element("bvar", content(index)), *bounds, inner)
        return inner

    return write


def _piecewise(e: sp.Basic) -> ET.Element:
    pieces = []
    for value, condition in e.args:
        last = condition == sp.true
        parts = (content(value),) if last else (content(value), content(condition))
        pieces.append(_element("otherwise" if last else "piece", *parts))
    return _element("piecewise", *pieces)


def _derivative(e: sp.Basic) -> ET.Element:
    inner = content(e.expr)
    for variable, order in e.variable_count:
        degree = () if order == 1 else (_element("degree", content(order)),)
        inner = _apply("diff", _element("bvar", content(variable), *degree), inner)
    return inner


def _limit(e: sp.Basic) -> ET.Element:
    body, variable, point, side = e.args
    tends = _element("tendsto", type={"+": "above", "-": "below"}.get(str(side), "two-sided"))
    condition = _element("condition", _element("apply", tends, content(variable), content(point)))
    return _apply("limit", _element("bvar", content(variable)), condition, content(body))


def _subs(e: sp.Basic) -> ET.Element:
    function = _element("lambda", *(_element("bvar", content(v)) for v in e.variables), content(e.expr))
    return _element("apply", function, *map(content, e.point))


_WRITERS: dict[Any, Any] = {
    sp.Sum: _over_range("sum"),
    sp.Product: _over_range("product"),
    sp.Piecewise: _piecewise,
    sp.Derivative: _derivative,
    sp.Limit: _limit,
    sp.Subs: _subs,
}


def write(item: Item, header: Header) -> str:
    """The document: the header as a comment, and one ``math`` element."""
    body = content(item.statement)
    if item.domain is not None and isinstance(item.statement, sp.logic.boolalg.Boolean):
        body = _quantified(item.domain, body, "exists" if item.existential else "forall")
    root = _element("math", body, xmlns=NAMESPACE)
    ET.indent(root, " ")
    text = header.comment("").replace("--", "− −")
    return f"<!--\n{text}-->\n{ET.tostring(root, encoding='unicode')}\n"


def _quantified(domain: Domain, body: ET.Element, quantifier: str) -> ET.Element:
    """For all (or some) numbers and families of the domain such that its constraints hold."""
    families = [f.base for f in domain.families]
    bound = [_element("bvar", content(s)) for s in [*sorted(domain.symbols, key=str), *families]]
    conditions = [content(c) for c in domain.constraints]
    taken = {str(letter) for letter in domain.letters}
    names = ("index", *(f"index{k}" for k in range(len(taken))))
    index = sp.Symbol(next(name for name in names if name not in taken), integer=True)
    for f in domain.families:
        if f.positive:
            inside = _element("condition", content(sp.And(index >= 1, sp.Le(index, f.size))))
            entry = content(sp.Gt(f.base[index], 0, evaluate=False))
            conditions.append(_apply("forall", _element("bvar", content(index)), inside, entry))
        if f.total is not None:
            total = sp.Eq(sp.Sum(f.base[index], (index, 1, f.size)), f.total, evaluate=False)
            conditions.append(content(total))
    if not bound:
        return body
    if len(conditions) > 1:
        conditions = [_apply("and", *conditions)]
    return _apply(quantifier, *bound, *(_element("condition", c) for c in conditions), body)


# -- reading the core -------------------------------------------------------------------------------------------------

_HEADS = {name: func for func, name in _SIMPLE.items()}
_CONSTANTS = {name: value for value, name in _LEAVES.items()}


def read(text: str) -> Any:
    """The SymPy expression of a document in the arithmetic core: numbers, symbols of the notation (others are real),
    arithmetic, functions, relations, connectives, cases, sums; of a quantified statement, what is quantified.

    SymPy evaluates what it reads, so the result equals what was written as a function. Raises :class:`BadInput` for
    anything else; document types, entities and texts that are too long or deep are refused.
    """
    if len(text) > _LONGEST or "<!DOCTYPE" in text or "<!ENTITY" in text:
        raise BadInput(f"a MathML text has at most {_LONGEST} characters, no document type and no entities")
    try:
        root = ET.fromstring(text)
    except (ET.ParseError, RecursionError) as problem:
        raise BadInput(f"the text is no XML: {str(problem)[:80]}") from None
    if root.tag != f"{{{NAMESPACE}}}math" or len(root) != 1:
        raise BadInput("the text is XML, but no MathML with one element")
    if sum(1 for _ in root.iter()) > MOST_NODES:
        raise BadInput(f"a MathML text has at most {MOST_NODES} elements")
    return _read(root[0], 0)


def _read(element: ET.Element, depth: int) -> Any:
    tag = element.tag.removeprefix(f"{{{NAMESPACE}}}")
    if depth > DEEPEST:
        raise BadInput(f"the MathML is nested more than {DEEPEST} deep")
    if tag == "cn":
        return _number(element)
    if tag == "ci":
        return _named(element)
    if tag in _CONSTANTS:
        return _CONSTANTS[tag]
    if tag == "piecewise":
        branches = [[_read(c, depth + 1) for c in piece] for piece in element]
        return sp.Piecewise(*((b[0], b[1] if len(b) > 1 else True) for b in branches))
    if tag != "apply" or not len(element):
        raise BadInput(f"the MathML element {tag[:40]!r} is not read")
    head, *rest = element
    name = head.tag.removeprefix(f"{{{NAMESPACE}}}")
    if name in ("forall", "exists"):
        return _read(rest[-1], depth + 1)
    if name in ("sum", "product") and len(rest) == 4:
        index, low, high = (_read(r[0], depth + 1) for r in rest[:3])
        return (sp.Sum if name == "sum" else sp.Product)(_read(rest[3], depth + 1), (index, low, high))
    args = [_read(r, depth + 1) for r in rest]
    if name == "selector" and len(args) == 2:
        return args[0][args[1]]
    if (
        name == "power"
        and all(a.is_number for a in args)
        and not (args[1].is_Rational and abs(args[1]) <= LARGEST_POWER)
    ):
        raise BadInput("the MathML holds a power of numbers that is too large to be read")
    if name not in _HEADS:
        raise BadInput(f"the MathML operator {name[:40]!r} is not read")
    try:
        return _HEADS[name](*args)
    except (TypeError, ValueError) as problem:
        raise BadInput(f"the MathML operator {name} cannot have these arguments: {str(problem)[:60]}") from None


def _number(element: ET.Element) -> sp.Rational:
    parts = [element.text or "", *(child.tail or "" for child in element)]
    digits = [part.strip().removeprefix("-") for part in parts]
    if (
        len(parts) > 2
        or not all(d.isdecimal() and d.isascii() and len(d) <= LONGEST_NUMBER for d in digits)
        or parts[1:] == ["0"]
    ):
        raise BadInput(f"the MathML number {'/'.join(parts)[:40]!r} is neither whole nor a fraction")
    return sp.Rational(int(parts[0]), int(parts[1]) if len(parts) == 2 else 1)


def _named(element: ET.Element) -> Any:
    name = (element.text or "").strip()
    if name in NOTATION and str(NOTATION[name].symbol) == name:
        return NOTATION[name].symbol
    if not name.isidentifier() or len(name) > LONGEST_NAME:
        raise BadInput(f"the MathML name {name[:40]!r} is not read")
    return sp.IndexedBase(name, real=True) if element.get("type") == "vector" else sp.Symbol(name, real=True)
