"""A versioned JSON tree of an expression and its domain, and a reader that builds nothing but what a table allows.

A tree is ``{"op": NAME, "args": [...]}``; leaves are symbols with their assumptions and numbers as decimal strings.
The reader returns the very expression (``==``, unevaluated forms included) or refuses: no string is ever evaluated, and
length, depth, the number of nodes and the size of numbers are limited.
"""

from __future__ import annotations

import hashlib
import json
from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import sympy as sp
from mpmath.libmp import from_man_exp

from grpo_symbolic.errors import BadInput
from grpo_symbolic.export.item import Item, Part, family_of, kind_of
from grpo_symbolic.files import json_text
from grpo_symbolic.isolation import isolated
from grpo_symbolic.proof.statements.domain import Domain, Family
from grpo_symbolic.proof.statements.statement import Statement
from grpo_symbolic.scalars import Json

FORMAT = "grpo_symbolic.tree"
VERSION = 1
LONGEST_TEXT = 8_000_000  # characters
MOST_NODES = 100_000
DEEPEST = 120
LONGEST_NUMBER = 400  # digits
LARGEST_POWER = 10_000  # a number raised to more than that
LONGEST_NAME = 80  # characters
_SECONDS = 10.0  # for finding a point of a domain
_MOST_DOMAINS = 500  # that are cached
_DOMAINS: dict[str, Domain] = {}  # those read before, by their text

OPERATIONS: dict[str, Any] = {
    c.__name__: c
    for c in (
        sp.Add,
        sp.Mul,
        sp.Pow,
        sp.exp,
        sp.log,
        sp.sinh,
        sp.cosh,
        sp.tanh,
        sp.asinh,
        sp.acosh,
        sp.atanh,
        sp.sin,
        sp.cos,
        sp.atan,
        sp.Abs,
        sp.sign,
        sp.floor,
        sp.ceiling,
        sp.Max,
        sp.Min,
        sp.Piecewise,
        sp.KroneckerDelta,
        sp.Heaviside,
        sp.binomial,
        sp.factorial,
        sp.Sum,
        sp.Product,
        sp.Derivative,
        sp.Limit,
        sp.Subs,
        sp.Tuple,
        sp.Indexed,
        sp.And,
        sp.Or,
        sp.Not,
        sp.Implies,
        sp.Equivalent,
        sp.Xor,
        sp.ITE,
        sp.Eq,
        sp.Ne,
        sp.Lt,
        sp.Le,
        sp.Gt,
        sp.Ge,
    )
}
OPERATIONS |= {"card": sp.Function("card"), "ConditionSet": sp.ConditionSet, "Interval": sp.Interval}  # counts of roots
OPERATIONS["ExprCondPair"] = sp.functions.elementary.piecewise.ExprCondPair
NAME_OF = {c: name for name, c in OPERATIONS.items()}
_CONSTANTS: dict[str, Any] = {
    "true": sp.true,
    "false": sp.false,
    "oo": sp.oo,
    "-oo": -sp.oo,
    "E": sp.E,
    "pi": sp.pi,
    "EulerGamma": sp.EulerGamma,
    "EmptySet": sp.S.EmptySet,
}
CONSTANT_NAMES = {value: name for name, value in _CONSTANTS.items()}
_ASSUMPTIONS = frozenset(
    [
        "real",
        "positive",
        "negative",
        "nonnegative",
        "nonpositive",
        "nonzero",
        "zero",
        "integer",
        "rational",
        "irrational",
        "even",
        "odd",
        "prime",
        "finite",
        "infinite",
        "complex",
        "commutative",
        "extended_real",
    ]
)
DIRECTIONS = ("+", "-", "+-")  # the side of a limit, a symbol for SymPy


# -- writing --------------------------------------------------------------------------------------------------------


def tree(e: sp.Basic) -> dict[str, Json]:
    """The tree of an expression; raises :class:`BadInput` for what the format has no node for.

    >>> tree(sp.Symbol("x", real=True) / 2)["args"][0]
    {'op': 'Rational', 'p': '1', 'q': '2'}
    """
    if isinstance(e, sp.Integer):
        return {"op": "Integer", "value": _digits(e.p)}
    if isinstance(e, sp.Rational):
        return {"op": "Rational", "p": _digits(e.p), "q": _digits(e.q)}
    if isinstance(e, sp.Float):
        sign, mantissa, exponent, _ = e._mpf_
        return {"op": "Float", "mantissa": str(-mantissa if sign else mantissa), "exponent": exponent, "bits": e._prec}
    if e in CONSTANT_NAMES:
        return {"op": "Constant", "name": CONSTANT_NAMES[e]}
    if type(e) is sp.Symbol:
        _check_name(e.name)
        assumed = {k: v for k, v in sorted(e._assumptions_orig.items()) if v is not None}
        return {"op": "Symbol", "name": e.name, **({"assumptions": assumed} if assumed else {})}
    if isinstance(e, sp.IndexedBase) and len(e.args) == 1:
        return {**tree(e.label), "op": "IndexedBase"}
    if e.func not in NAME_OF:
        raise BadInput(f"the JSON tree has no node for {type(e).__name__}, in {str(e)[:60]}")
    return {"op": NAME_OF[e.func], "args": [tree(a) for a in e.args]}


def _digits(value: int) -> str:
    if value.bit_length() > 3 * LONGEST_NUMBER:
        raise BadInput(f"a number of the expression has more than {LONGEST_NUMBER} digits")
    return str(value)


def domain_tree(domain: Domain) -> dict[str, Json]:
    """The domain as JSON: constraints, symbols that may be any real number, and families."""
    return {
        "constraints": [tree(c) for c in domain.constraints],
        "free": [tree(s) for s in sorted(domain.free, key=str)],
        "families": [
            {
                "base": tree(f.base),
                "size": tree(f.size),
                "kind": kind_of(f),
                **({"total": tree(f.total)} if f.total is not None else {}),
            }
            for f in domain.families
        ],
    }


def content(of: Item | Read) -> dict[str, Json]:
    """Everything that is stated: the whole, its domain, and the parts where they have domains of their own."""
    return {
        "expression": tree(of.statement),
        "domain": None if of.domain is None else domain_tree(of.domain),
        "parts": [
            {"name": p.name, "meaning": p.meaning, "expression": tree(p.expression), "domain": domain_tree(p.domain)}
            for p in of.parts
            if p.domain is not None and (of.domain is None or p.domain.key() != of.domain.key())
        ],
    }


def digest(of: Item | Read) -> str:
    """SHA-256 of what is stated, the same in every process and after a round trip."""
    return "sha256:" + hashlib.sha256(json.dumps(content(of), sort_keys=True).encode()).hexdigest()


def write(item: Item, header: Mapping[str, Json]) -> str:
    """The document of an item, read back before it is handed out: it is exact, or a :class:`BadInput`."""
    body = content(item)
    document = {"format": FORMAT, "version": VERSION, "header": header, **body}
    text = json_text(document)
    if _Reader().node(json.loads(text)["expression"], 0) != item.statement:
        raise BadInput(f"{item.id} holds a form that the JSON tree cannot give back unchanged")
    return text


# -- reading --------------------------------------------------------------------------------------------------------


@dataclass(frozen=True)
class Read:
    """What a document holds: the statement or expression, its domain (or none), the parts that have a domain of their
    own, and the header as it was written.
    """

    statement: Statement | None
    domain: Domain | None
    parts: tuple[Part, ...]
    header: Mapping[str, Json]


def read(text: str) -> Read:
    """The expression and domain of a document that :func:`write` made.

    Raises :class:`BadInput`, in one sentence, for anything else: no JSON, another format or version, an unknown node, a
    name that is no name, too deep, too long, too many digits, a form that SymPy does not build, or a statement that is
    not the one its header has the hash of.
    """
    document = _document(text)
    reader = _Reader()
    statement = reader.node(document.get("expression"), 0)
    given = document.get("domain")
    domain = None if given is None else reader.domain(given)
    header, parts = document.get("header", {}), document.get("parts", [])
    if not isinstance(header, dict) or not isinstance(parts, list):
        raise BadInput("a JSON tree has an object for its header and a list of parts")
    made = Read(statement, domain, tuple(map(reader.part, parts)), header)
    hashed = header.get("hash")
    if hashed is not None and hashed != digest(made):
        raise BadInput("the JSON tree was changed: its statement is not the one that its header has the hash of")
    return made


def _document(text: str) -> dict[str, Json]:
    if not isinstance(text, str) or len(text) > LONGEST_TEXT:
        raise BadInput(f"a JSON tree is a text of at most {LONGEST_TEXT} characters")
    try:
        document = json.loads(text)
    except RecursionError:
        raise BadInput(f"the JSON tree is nested more than {DEEPEST} deep") from None
    except ValueError as problem:
        raise BadInput(f"the text is not JSON: {str(problem)[:80]}") from None
    if not isinstance(document, dict) or document.get("format") != FORMAT:
        raise BadInput(f"the text is JSON, but its format is not {FORMAT!r}")
    if document.get("version") != VERSION or isinstance(document.get("version"), bool):
        raise BadInput(f"the JSON tree has version {str(document.get('version'))[:20]}; this reader knows {VERSION}")
    return document


class _Reader:
    def __init__(self) -> None:
        self.nodes = 0

    def node(self, data: Json, depth: int) -> sp.Basic:
        self.nodes += 1
        if self.nodes > MOST_NODES:
            raise BadInput(f"the JSON tree has more than {MOST_NODES} nodes")
        if depth > DEEPEST:
            raise BadInput(f"the JSON tree is nested more than {DEEPEST} deep")
        if not isinstance(data, dict) or not isinstance(op := data.get("op"), str):
            raise BadInput(f"a node of a JSON tree is an object with an 'op', got {str(data)[:40]}")
        leaf = _LEAVES.get(op)
        if leaf is not None:
            return leaf(data)
        if op not in OPERATIONS:
            raise BadInput(f"the JSON tree has the node {op[:40]!r}, which is not allowed")
        args = data.get("args")
        if not isinstance(args, list) or set(data) != {"op", "args"}:
            raise BadInput(f"the node {op} has a list of 'args' and nothing else")
        return _build(op, tuple(self.node(a, depth + 1) for a in args))

    def domain(self, data: Json) -> Domain:
        if not isinstance(data, dict) or not all(
            isinstance(data.get(k), list) for k in ("constraints", "free", "families")
        ):
            raise BadInput("the domain of a JSON tree has lists of constraints, free symbols and families")
        constraints = [self.node(c, 0) for c in data["constraints"]]
        free = [self.node(s, 0) for s in data["free"]]
        if not all(map(_is_formula, constraints)):
            raise BadInput("a constraint of the domain of a JSON tree is a relation")
        if not all(isinstance(s, sp.Symbol) for s in free):
            raise BadInput("the free symbols of the domain of a JSON tree are symbols")
        families = [self._family(f) for f in data["families"]]
        # A domain looks for a point of itself: in a child process, because a hostile one can make that long.
        known = json.dumps(data, sort_keys=True)
        if known not in _DOMAINS:
            late = "no point of it was found in time"
            domain = isolated(lambda: _with_point(*free, *families, *constraints), _SECONDS, late)
            if not isinstance(domain, Domain):
                raise BadInput(f"the domain of the JSON tree cannot be used: {domain}")
            if len(_DOMAINS) >= _MOST_DOMAINS:
                _DOMAINS.clear()
            _DOMAINS[known] = domain
        return _DOMAINS[known]

    def part(self, data: Json) -> Part:
        if not isinstance(data, dict) or not all(isinstance(data.get(k), str) for k in ("name", "meaning")):
            raise BadInput("a part of a JSON tree has a name, a meaning, an expression and a domain")
        domain = self.domain(data.get("domain"))
        return Part(_check_name(data["name"]), self.node(data.get("expression"), 0), data["meaning"], domain)

    def _family(self, data: Json) -> Family:
        if not isinstance(data, dict) or data.get("kind") not in ("simplex", "positive", "real"):
            raise BadInput("a family of a JSON tree has the kind simplex, positive or real")
        base, size = self.node(data.get("base"), 0), self.node(data.get("size"), 0)
        total = self.node(data.get("total"), 0) if data["kind"] == "simplex" else None
        if not isinstance(base, sp.IndexedBase) or not all(isinstance(e, sp.Expr) for e in (size, total or size)):
            raise BadInput("a family of a JSON tree has an IndexedBase as base, and a size")
        return family_of(data["kind"], base, size, total)


def _with_point(*constraints: sp.logic.boolalg.Boolean | Family) -> Domain | str:
    """The domain of the constraints with a point of it, or why there is none."""
    try:
        return Domain(*constraints)
    except Exception as problem:
        return str(problem) or type(problem).__name__


def _build(op: str, args: tuple[sp.Basic, ...]) -> sp.Basic:
    """The node with exactly these arguments. Nothing is evaluated where SymPy can be told not to: no input can start
    a computation.
    """
    _check_kinds(op, args)
    func = OPERATIONS[op]
    try:
        built = func(*args) if op in _PLAIN else func(*args, evaluate=False)
    except Exception as problem:
        raise BadInput(f"the node {op} cannot have these arguments: {str(problem)[:80]}") from None
    if built.func != func or tuple(built.args) != args:  # SymPy may give an equal function of its cache
        raise BadInput(f"the node {op} has arguments that SymPy does not leave as they are: {str(args)[:60]}")
    return built


_PLAIN = frozenset(
    ["Tuple", "Indexed", "ExprCondPair", "Limit", "Subs", "Sum", "Product", "Interval", "ConditionSet", "card"]
)  # without evaluate=
_CONNECTIVES = frozenset(["And", "Or", "Not", "Implies", "Equivalent", "Xor"])
_MIXED = _PLAIN - {"Limit"} | {"Piecewise", "ITE", "Derivative"}  # with arguments that are no numbers


def _is_formula(e: sp.Basic) -> bool:
    """Whether it is a relation or made of relations; SymPy takes a symbol for either."""
    return isinstance(e, sp.logic.boolalg.Boolean) and not isinstance(e, sp.Symbol)


def _bound_by(op: str) -> tuple[type[sp.Basic], ...]:
    """What stands first in the ranges of an operation: a derivative may be one in an entry of a family."""
    return (sp.Symbol, sp.Indexed) if op == "Derivative" else (sp.Symbol,)


def _check_kinds(op: str, args: tuple[sp.Basic, ...]) -> None:
    """Formulas where formulas belong, numbers where numbers belong."""
    if op in _CONNECTIVES:
        good = all(map(_is_formula, args))
    elif op == "Indexed":
        good = len(args) > 1 and isinstance(args[0], sp.IndexedBase) and all(isinstance(a, sp.Expr) for a in args[1:])
    elif op == "Piecewise":
        good = bool(args) and all(type(a).__name__ == "ExprCondPair" for a in args)
    elif op in ("Sum", "Product", "Derivative"):
        good = (
            len(args) > 1
            and isinstance(args[0], sp.Expr)
            and all(isinstance(a, sp.Tuple) and a and isinstance(a[0], _bound_by(op)) for a in args[1:])
        )
    elif op == "Unequality" and all(isinstance(a, sp.Set) for a in args):
        good = True  # an equation has a solution: its set of solutions is not empty
    else:
        good = op in _MIXED or all(isinstance(a, sp.Expr) for a in args)
    if op == "Pow" and good and args[0].is_number and args[1].is_number:
        good = args[1].is_Rational and abs(args[1]) <= LARGEST_POWER
    if not good or any(isinstance(a, sp.IndexedBase) for a in args[0 if op != "Indexed" else 1 :]):
        raise BadInput(f"the node {op} cannot have these arguments: {str(args)[:60]}")


def _check_name(name: Json) -> str:
    if not isinstance(name, str) or len(name) > LONGEST_NAME or not (name.isidentifier() or name in DIRECTIONS):
        raise BadInput(f"a symbol of a JSON tree has a plain name, got {str(name)[:40]!r}")
    return name


def _symbol(data: Mapping[str, Json]) -> sp.Symbol:
    assumed = data.get("assumptions", {})
    if not isinstance(assumed, dict) or not all(k in _ASSUMPTIONS and isinstance(v, bool) for k, v in assumed.items()):
        raise BadInput(f"the assumptions of a symbol are not known: {str(assumed)[:60]}")
    try:
        return sp.Symbol(_check_name(data.get("name")), **assumed)
    except sp.core.facts.InconsistentAssumptions:
        raise BadInput(f"the assumptions of a symbol contradict each other: {str(assumed)[:60]}") from None


def _whole(data: Mapping[str, Json], key: str) -> int:
    text = data.get(key)
    if not isinstance(text, str) or len(text) > LONGEST_NUMBER or not text.removeprefix("-").isdecimal():
        raise BadInput(f"a number of a JSON tree is a text of at most {LONGEST_NUMBER} digits, got {str(text)[:20]!r}")
    if not text.isascii():
        raise BadInput("the digits of a number of a JSON tree are 0 to 9")
    return int(text)


def _rational(data: Mapping[str, Json]) -> sp.Rational:
    p, q = _whole(data, "p"), _whole(data, "q")
    fraction = sp.Rational(p, q) if q else None
    if fraction is None or (fraction.p, fraction.q) != (p, q):
        raise BadInput(f"{p}/{q} is not a fraction in lowest terms")
    return fraction


def _float(data: Mapping[str, Json]) -> sp.Float:
    mantissa, exponent, bits = _whole(data, "mantissa"), data.get("exponent"), data.get("bits")
    if type(exponent) is not int or type(bits) is not int or abs(exponent) > 10_000 or not 1 <= bits <= 2_000:
        raise BadInput("a float of a JSON tree has a mantissa, an exponent up to 10000 and up to 2000 bits")
    return sp.Float._new(from_man_exp(mantissa, exponent), bits)


def _constant(data: Mapping[str, Json]) -> sp.Basic:
    name = data.get("name")
    if not isinstance(name, str) or name not in _CONSTANTS:
        raise BadInput(f"the constant {str(name)[:40]!r} is not allowed")
    return _CONSTANTS[name]


_LEAVES: dict[str, Any] = {
    "Symbol": _symbol,
    "IndexedBase": lambda data: sp.IndexedBase(_symbol(data)),
    "Integer": lambda data: sp.Integer(_whole(data, "value")),
    "Rational": _rational,
    "Float": _float,
    "Constant": _constant,
}
