"""The search finds certificates for what is contradictory, and none for what is not; mutated certificates show nothing
of a query that has a point.
"""

from __future__ import annotations

import itertools
import random
import re
import sys
from fractions import Fraction

import pytest
from arithmetic_queries import holds, query

from grpo_symbolic.proof.check import Refused, parse, refutes
from grpo_symbolic.proof.check.polynomials import Work
from grpo_symbolic.proof.check.replay import start
from grpo_symbolic.proof.search.certificates import find, finding, guide
from grpo_symbolic.proof.search.certificates.guided import Guided, related_roots
from grpo_symbolic.proof.search.certificates.programs import NoPrograms
from grpo_symbolic.proof.search.certificates.strategy import STEPS
from grpo_symbolic.terms.language import Formula

CONTRADICTORY = {
    "closed": ("x < y", "y < x"),
    "linear": ("x < y", "y < z", "z < x"),
    "equations": ("x == 2*y", "y == z + 1", "x < 2*z"),
    "quotient": ("0 < d", "quotient*d == 1", "quotient <= 0"),
    "denominator": ("0 < x", "x < 1", "quotient*(1 - x) == 1", "quotient < 1"),
    "root": ("0 < x", "0 <= root", "root**2 == x", "x < root", "1 < root"),
    "ranges": ("0 < x", "x < 1", "0 < y", "y < 1", "1 <= x*y"),
    "ordered": ("0 < x", "x < y", "y < 1", "y*(1 - x) <= x*(1 - y)"),
    "square": ("x**2 + y**2 < 2*x*y",),
    "three": ("0 < x", "0 < y", "0 < z", "x*y*z <= 0"),
    "disjunction": ("x < 0 or 1 < x", "0 <= x", "x <= 1"),
    "implication": ("(0 < x) >> (y < x)", "x < y", "0 < x"),
    "equivalence": ("(x < 0) ^ (y < 0)", "x*y < 0"),
    "cases": ("(x if 0 <= x else -x) < 0",),
    "nested": ("(x if 0 <= x else (y if x < y else 0)) < x - 1", "0 < y"),
    "different": ("x != 0", "x**2 <= 0"),
    "cubic": ("1 <= x", "x <= 2", "x**3 - 3*x + 1 < -1"),
    "quartic": ("x**4 - 2*x**2 + 1 < 0",),
    "mean": ("0 < x", "0 < y", "root**2 == x*y", "0 <= root", "x + y < 2*root"),
    "narrow": ("0 <= x", "x <= 1", "x**4 - x**3 + x**2 - x + 1/4 < -(1/10)"),
    "two roots": (
        "0 < x",
        "x < y",
        "0 <= root_1",
        "root_1**2 == x",
        "0 <= root_2",
        "root_2**2 == y",
        "root_2 <= root_1",
    ),
}
GRID = [Fraction(n, 2) for n in (0, 1, 2, -1, 3, -2, 4)]


@pytest.fixture(scope="module")
def found() -> dict[str, str]:
    """The certificates of all contradictory queries, as text."""
    certificates = {name: find(query(*assertions), effort=4) for name, assertions in CONTRADICTORY.items()}
    return {name: certificate.text for name, certificate in certificates.items() if certificate is not None}


def point(asked: tuple[Formula, ...]) -> dict[str, Fraction] | None:
    """A point of a small grid that satisfies a query, if there is one."""
    names = sorted(v.name for v in frozenset().union(*(f.variables for f in asked)))
    grid = itertools.islice(itertools.product(GRID, repeat=len(names)), 20_000)
    places = (dict(zip(names, values, strict=True)) for values in grid)
    return next((place for place in places if all(holds(f, place) for f in asked)), None)


def neighbours(assertions: tuple[str, ...]) -> list[tuple[Formula, ...]]:
    """The query with one assertion less, or one that is weaker, wherever that has a point, which is looked for."""
    changed = [assertions[:k] + assertions[k + 1 :] for k in range(len(assertions))]
    changed += [(*assertions[:k], a.replace(" < ", " <= "), *assertions[k + 1 :]) for k, a in enumerate(assertions)]
    asked = [query(*c) for c in changed if c != assertions and c]
    return [q for q in asked if point(q) is not None]


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_what_is_contradictory_has_a_certificate(name, found):
    assert name in found
    asked = query(*CONTRADICTORY[name])
    assert refutes(asked, parse(found[name]))
    assert refutes(asked[::-1], parse(found[name]))
    assert refutes((*asked, *query("0 <= another", "x*another < 5 + y or y < another")), parse(found[name]))


@pytest.mark.parametrize("name", CONTRADICTORY)
def test_what_has_a_point_has_no_certificate(name, found):
    for asked in neighbours(CONTRADICTORY[name]):
        with_it = False
        try:
            with_it = refutes(asked, parse(found[name]))
        except Refused:
            continue
        assert not with_it


def test_the_same_is_found_again(found):
    for name in ("ranges", "mean", "cubic"):
        certificate = find(query(*CONTRADICTORY[name]), effort=4)
        assert certificate is not None
        assert certificate.text == found[name]


def test_nothing_is_found_where_there_is_a_point():
    for assertions in (("0 < x", "x < 1"), ("x**2 + y**2 <= 2*x*y",), ("x != 0",)):
        assert find(query(*assertions)) is None


def test_a_hint_helps_and_proves_nothing():
    asked = query("0 < x", "x < y", "x*y**2 <= x**2*y")
    certificate = find(asked, effort=4, hints=query("x*y < y**2", "y < x", "z == 1"))
    assert certificate is not None
    assert refutes(asked, certificate)
    assert find(query("0 < x"), hints=query("x < 0", "False")) is None


def test_without_scipy_it_is_said_once(monkeypatch):
    for module in [m for m in sys.modules if m.split(".")[0] == "scipy"]:
        monkeypatch.delitem(sys.modules, module)
    monkeypatch.setitem(sys.modules, "scipy", None)
    assert find(query("x < y", "y < x")) is not None
    with pytest.raises(NoPrograms, match="pip install scipy"):
        find(query("x < y", "y < z", "z < x"))


def mutant(text: str, names: list[str], draw: random.Random, others: list[str]) -> str:
    """A text with one or two places changed."""
    for _ in range(draw.randint(1, 2)):
        tokens = re.findall(r"[^\W\d]\w*|\d+|.", text)
        k = draw.randrange(len(tokens))
        token = tokens[k]
        if re.fullmatch(r"[A-Za-z]{5}", token):
            tokens[k] = draw.choice(["", "-"]) + draw.choice(names)
        elif token.isdigit():
            tokens[k] = str(draw.choice([0, 1, 2, 3, int(token) + 1]))
        elif token in "+-":
            tokens[k] = draw.choice("+-")
        elif draw.random() < 0.4:
            tokens[k] = draw.choice(["", token + token, "-", ".", ":", draw.choice(tokens)])
        elif draw.random() < 0.5:
            tokens[k:] = re.findall(r"[^\W\d]\w*|\d+|.", draw.choice(others))
        else:
            j = draw.randrange(len(tokens))
            tokens[k], tokens[j] = tokens[j], tokens[k]
        text = "".join(tokens)
    return text


def test_no_mutated_certificate_shows_what_is_false(found):
    draw = random.Random(28)
    satisfiable = {name: neighbours(assertions) for name, assertions in CONTRADICTORY.items()}
    usable = [name for name in found if satisfiable[name] and len(found[name]) > 1]
    assert len(usable) > 12
    replayed = 0
    for k in range(10_000):
        name = usable[k % len(usable)]
        text = found[name]
        mutated = mutant(text, re.findall(r"\b[A-Za-z]{5}\b", text) or ["abcde"], draw, list(found.values()))
        try:
            assert not refutes(draw.choice(satisfiable[name]), parse(mutated)), (name, mutated)
            replayed += 1
        except Refused:
            pass
    assert replayed > 500


def test_conditions_that_the_rest_decides_need_no_cases() -> None:
    signs = " + ".join(f"(1 if {a} <= {b} else 0)" for a, b in itertools.combinations("abcdefgh", 2))
    order = [f"{a} < {b}" for a, b in itertools.pairwise("abcdefgh")]
    assert find(query(*order, f"{signs} < 28")) is not None  # 28 conditions: too many to take both ways


ROOTS = ("0 < x", "0 < y", *(f"0 <= root_{k}" for k in "abc"), "root_a**2 == x", "root_b**2 == 4*y", "root_c**2 == x*y")


def guided(*assertions: str) -> bool:
    """Whether the guided search finds a certificate, which is replayed."""
    asked = query(*assertions)
    certificate = Guided(4 * STEPS, False).decided(asked, {}, ())
    return certificate is not None and refutes(asked, parse(certificate.text))


def test_the_guide_leaves_what_a_contradiction_needs() -> None:
    branch = start(query("0 < x", "x*y < 0", "0 < y*y*z", "x < z", "0 < y", "x < 0 or z < 5"), {}, Work(10**9))
    narrow = guide.narrowed(branch)
    assert narrow is not None
    assert {str(fact.unit) for fact in narrow.facts.values()} == {"x", "y", "x*y"}
    assert not narrow.disjunctions
    assert guide.narrowed(start(query("0 < x", "x*y < 0"), {}, Work(10**9))) is None


def test_what_is_consistent_is_no_contradiction() -> None:
    rest = guide.consistent(start(query("0 < x", "0 < y", "x*y < 0"), {}, Work(10**9)))
    assert {str(fact.unit) for fact in rest.facts.values()} == {"x", "y"}


def test_roots_are_related_to_each_other() -> None:
    found = {str(p) for p in related_roots(start(query(*ROOTS), {}, Work(10**9)))}
    assert "-root_a*root_b + 2*root_c" in found
    other = tuple(a.replace("x*y", "x*y + 1") for a in ROOTS)
    assert not list(related_roots(start(query(*other), {}, Work(10**9))))
    assert guided(*ROOTS, "2*root_c != root_a*root_b")
    assert not guided(*other, "2*root_c != root_a*root_b")


def test_a_letter_between_bounds_gives_way_to_what_they_say_of_each_other() -> None:
    given = start(query("0 < x", "0 < y", "x**2 + y**2 < 5", "y < u*x", "u*y <= 3", "v < x"), {}, Work(10**9))
    steps, rest = Guided(STEPS, late=False).projected(given)
    assert len(steps) == 1
    assert {str(fact.unit) for fact in rest.facts.values()} == {"x", "y", "x^2 + y^2 - 5", "y^2 - 3*x"}
    unknown = start(query("x**2 + y**2 < 5", "y < u*x", "u*y <= 3"), {}, Work(10**9))
    assert set(Guided(STEPS, late=False).projected(unknown)[1].facts) == set(unknown.facts)  # x and y of any sign


BOUNDED = (
    "0 < x",
    "x < 1",
    "0 < e",
    "0 <= root_e",
    "root_e**2 == e",
    "0 <= root_w",
    "root_w**2 == e + x*(1 - x)",
    "0 <= root_q",
    "root_q**2 == 3",
    "root_q < 9*b*root_e*(1 + 4*e)",
    "2*b*root_w**3 <= x*(1 - x)*(2*x - 1)",
)


def test_a_multiplier_between_two_roots() -> None:
    assert guided(*BOUNDED)
    assert not guided(*(a.replace("9*b", "10*b") for a in BOUNDED))


def test_the_closest_number_bounds_a_letter() -> None:
    huge = 10**60
    asked = query("0 < x", f"{huge} < x", f"x < {huge + 1}", f"x**2 == {10**30}*x + 1")
    assert find(asked) is not None  # whose coefficients no linear program in floating point tells apart
    assert find(query("0 < x", f"{huge} < x", f"x**2 == {huge + 1}*x + 1")) is None


def test_squares_of_differences_of_monomials() -> None:
    mean = "(x**2*y**2 + y**2*z**2 + z**2*x**2)*(x**2 + y**2 + z**2)"
    assert guided(f"{mean} < 9*x**2*y**2*z**2")
    assert not guided(f"{mean} < 10*x**2*y**2*z**2")


def test_without_a_guide_the_others_search(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(finding, "has_z3", lambda: False)
    monkeypatch.setattr(guide, "contradictory", None)  # which nobody calls
    assert find(query(*CONTRADICTORY["mean"]), effort=4) is not None
