"""The JSON tree: claims there and back, and hostile documents refused."""

import json
import re
import time

import pytest
import sympy as sp

import grpo_symbolic as gs
from grpo_symbolic import catalogue
from grpo_symbolic.errors import BadInput
from grpo_symbolic.export import read, tree
from grpo_symbolic.export.item import item
from grpo_symbolic.notation import n, p, pi
from grpo_symbolic.proof import Domain, simplex

X = {"op": "Symbol", "name": "x", "assumptions": {"real": True}}


def node(op, *args):
    return {"op": op, "args": list(args)}


def whole(value):
    return {"op": "Integer", "value": str(value)}


def document(expression, domain=None, **changes):
    return json.dumps(
        {"format": tree.FORMAT, "version": tree.VERSION, "header": {}, "expression": expression, "domain": domain}
        | changes
    )


# Kinds that speak of solutions, sequences, random numbers or every index, where nothing else stands beside them.
WITHOUT_OBJECT = {
    "AtLeast",
    "Attracts",
    "ConcaveInPolicy",
    "Converges",
    "EndsInCycle",
    "EveryMapAttracts",
    "FlowTends",
    "ForEveryNumber",
    "ForRandom",
    "LimSup",
    "LimitIsFixedPoint",
    "OnTexts",
    "RisesToLeastFixedPoint",
    "ViolatesKKT",
}


@pytest.mark.slow("expressions of all claims survive the export")
def test_claims_come_back_equal():
    """Those of every twelfth result file, and what they depend on: forms of all kinds are among them."""
    chosen = [c.id for found in list(catalogue.index().files.values())[::12] for c in found.claims]
    claims = catalogue.with_dependencies(chosen).claims
    assert len(claims) > 75
    refused: list[str] = []
    for claim in claims.values():
        try:
            of = item(claim)
        except BadInput as reason:  # a conclusion for which SymPy has no formula, and nothing beside it
            refused.append(str(reason))
            continue
        found = read(tree.write(of, {"hash": tree.digest(of)}))
        assert found.statement == of.statement, claim.id
        assert found.domain.constraints == claim.domain.constraints, claim.id
        assert found.domain.key() == claim.domain.key(), claim.id
        for part in found.parts:
            (written,) = (w for w in of.parts if w.name == part.name)
            assert part.expression == written.expression
            assert part.domain.key() == written.domain.key()
    said = {re.fullmatch(r"SymPy has no object that says (\w+): read the sentence", reason) for reason in refused}
    assert None not in said
    assert {found[1] for found in said if found} <= WITHOUT_OBJECT


def test_unevaluated_forms_assumptions_and_families_come_back():
    a, b = sp.symbols("a b", positive=True)
    k = sp.Symbol("k", integer=True)
    for e in [
        sp.Add(a, a, evaluate=False),
        sp.Mul(2, a + b, evaluate=False),
        sp.Eq(a, a, evaluate=False),
        sp.Sum(pi[k] ** 2, (k, 1, n)),
        sp.Piecewise((a, a > b), (b, True)),
        sp.Derivative(sp.exp(a), a),
        sp.Float("0.1", 40),
        sp.Rational(1, 3) ** sp.Rational(1, 2),
        sp.oo,
    ]:
        found = read(
            gs.export(e, to="json", domain=Domain(a > 0, b > 0, n >= 2, simplex(pi, n)))
            if e != sp.oo
            else document({"op": "Constant", "name": "oo"})
        ).statement
        assert found == e
        assert found.args == e.args


@pytest.mark.parametrize(
    ("text", "says"),
    [
        ("[" * 100_000, "nested more than"),
        ('{"op":' * 50_000, "nested more than"),
        ("9" * 5000, "not JSON"),
        ("x + 1", "not JSON"),
        ("null", "format is not"),
        (document(X, version=2), "version 2"),
        (document(X, version=True), "version True"),
        (document("__import__('os').system('true')"), "object with an 'op'"),
        (document({"op": "Symbol", "name": "__import__('os')"}), "plain name"),
        (document({"op": "Symbol", "name": "x", "assumptions": {"__class__": True}}), "not known"),
        (
            document({"op": "Symbol", "name": "x", "assumptions": {"real": True, "positive": True, "zero": True}}),
            "contradict",
        ),
        (document(node("lambdify", X)), "not allowed"),
        (document(node("Function", X)), "not allowed"),
        (document(whole("1" * 401)), "at most 400 digits"),
        (document({"op": "Integer", "value": 7}), "at most 400 digits"),
        (document({"op": "Integer", "value": "٣"}), "0 to 9"),
        (document({"op": "Rational", "p": "2", "q": "4"}), "lowest terms"),
        (document({"op": "Rational", "p": "2", "q": "0"}), "lowest terms"),
        (document(node("Pow", whole(9), node("Pow", whole(9), whole(9)))), "cannot have these"),
        (document(node("Pow", whole(9), whole(10**9))), "cannot have these"),
        (document(node("And", X, X)), "cannot have these"),
        (document(node("Add", X, node("StrictGreaterThan", X, whole(0)))), "cannot have these"),
        (document({"op": "Add", "args": [X, X], "eval": "1"}), "nothing else"),
        (document(node("Add", *[node("Add", *[whole(1)] * 400)] * 300)), "more than 100000 nodes"),
        (document(X, domain={"constraints": [X], "free": [], "families": []}), "is a relation"),
        (
            document(X, domain={"free": [], "families": [], "constraints": [node("StrictLessThan", X, X)]}),
            "domain of the JSON tree cannot be used",
        ),
        (document({"op": "Constant", "name": "nan"}), "constant"),
    ],
)
def test_hostile_documents_are_refused_in_one_sentence(text, says):
    begun = time.monotonic()
    with pytest.raises(BadInput, match=says) as refusal:
        read(text)
    assert len(str(refusal.value)) < 300
    assert time.monotonic() - begun < 10


def test_deep_but_legal_json_is_refused():
    deep = X
    for _ in range(tree.DEEPEST + 1):
        deep = node("exp", deep)
    with pytest.raises(BadInput, match="nested more than 120"):
        read(document(deep))


def test_nothing_is_computed_while_reading():
    begun = time.monotonic()
    assert read(document(node("factorial", whole(10**12)))).statement.is_number
    long = node("Sum", X, node("Tuple", {"op": "Symbol", "name": "i"}, whole(1), whole(10**30)))
    assert read(document(long)).statement.limits[0][2] == 10**30
    assert time.monotonic() - begun < 5


def test_a_domain_that_is_endless_to_search_is_given_up(monkeypatch):
    monkeypatch.setattr(tree, "_SECONDS", 1.0)
    count = {"op": "Symbol", "name": "n", "assumptions": {"integer": True}}
    base = {"op": "IndexedBase", "name": "pi", "assumptions": {"real": True}}
    family = {"base": base, "size": count, "kind": "simplex", "total": whole(1)}
    domain = {"constraints": [node("GreaterThan", count, whole(10**9))], "free": [], "families": [family]}
    with pytest.raises(BadInput, match="in time"):
        read(document(X, domain))


def test_a_changed_statement_does_not_match_its_hash():
    text = gs.export("pairs", to="json")
    assert read(text).header["id"] == "pairs"
    with pytest.raises(BadInput, match="was changed"):
        read(text.replace('"value": "4"', '"value": "5"'))


def test_what_the_format_has_no_node_for_is_refused():
    with pytest.raises(BadInput, match="no node for besselj"):
        gs.export(sp.besselj(0, p), to="json")
    with pytest.raises(BadInput, match="no node for Dummy"):
        gs.export(sp.Dummy("x") + 1, to="json")
    with pytest.raises(BadInput, match="no node for exp"):
        gs.export(sp.Function("exp")(p), to="json")  # a function without meaning, of the name of one that has one
