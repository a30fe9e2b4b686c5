"""The text of certificates: read as it was written, bounded in size, depth and numbers, and replayed within bounds."""

import time
from contextlib import suppress

import pytest
from arithmetic_queries import query

from grpo_symbolic.proof.check import Refused, parse, refutes
from grpo_symbolic.proof.check.polynomials import named

TEXTS = [
    ".",
    "?abcde(.)(.)",
    "|abcde(.)(.)({:})",
    "<-2*x^2*y+x-1(.)(=abcde,x;.)",
    "^abcde,root_1;~x,-abcde;~y_2,abcde,-fghij;.",
    "{2:abcde,-fghij,[x-y];x*y:[2*x];x-1=abcde;-1=fghij;=klmno}",
    "~β,abcde;{β:abcde}",
]


@pytest.mark.parametrize("text", TEXTS)
def test_what_is_read_is_written_alike(text):
    assert parse(text).text == text


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "a step"),
        ("..", "the end"),
        (". ", "no ' '"),
        ("?abcde(.)", r"'\('"),
        ("?ab1(.)(.)", "letters only"),
        ("|1(.)", "the name of a fact"),
        ("=abcde;.", "','"),
        ("{1:abcde", "'}'"),
        ("{:[x}", "']'"),
        ("<x^2000(.)(.)", "an exponent"),
        ("<x^99999999999999999999(.)(.)", "an exponent"),
        ("<x*(.)(.)", "a variable"),
        (f"<{'9' * 2001}(.)(.)", "2001 digits"),
        ("<" * 1_000_000, "longer than"),
        ("<x(" * 1000, "nests deeper"),
        ("=abcde,x;" * 1000, "nests deeper"),
    ],
)
def test_what_is_no_certificate_is_refused(text, said):
    with pytest.raises(Refused, match=said) as refused:
        parse(text)
    assert "\n" not in str(refused.value)
    assert len(str(refused.value)) < 200


BOX = ("0 < x", "x < 2", "0 < y", "y < 3", "x**2 - y < 1", "z == x**40 + y**40 + x*y + 1", "w**2 == z", "w**50 < x")


def hostile() -> list[str]:
    """Certificates that ask for much."""
    x, z = named("x"), named("x^40 + y^40 + x*y - z + 1")
    many = "+".join(f"x^{i}*y^{j}" for i in range(35) for j in range(35))
    return [
        "{" + ";".join([f"x^399:{x},{x},{x}"] * 1500) + "}",
        "{:" + ",".join([x] * 8_000) + "}",
        "{" + ":;" * 24_000 + ":}",
        f"{{:[{many}],[{many}],[{many}]}}",
        "{:" + ",".join([f"[{'9' * 1900}]"] * 25) + "}",
        "{" + ";".join([f"{'9' * 1900}:{x}"] * 25) + "}",
        f"={z},z;{{:[z+w]}}",
        f"^{named('w^2 - z')},w;={z},z;" + "{:" + ",".join([f"[w^{k}*z^9+1]" for k in range(20)]) + "}",
        "".join(f"<x^{k}-{k}(" for k in range(1, 140)) + "." + ")(.)" * 139,
        "<x-1(" * 12 + ".",
        "<x-1(.)(.)" * 4_000,
        "~x," + x + ",-" + named("x - 2") + ";" + f"~y,{named('y')},-{named('y - 3')};={z},z;.",
    ]


@pytest.mark.parametrize("text", hostile(), ids=range(len(hostile())))
def test_hostile_certificates_end_soon(text):
    begun = time.process_time()
    with suppress(Refused):
        assert not refutes(query(*BOX), parse(text))
    assert time.process_time() - begun < 3  # a second or less on an idle machine


def test_a_tree_of_cuts_is_stopped():
    def tree(depth: int) -> str:
        return "." if not depth else f"<x-{depth}({tree(depth - 1)})({tree(depth - 1)})"

    asked = query("0 < x", "x**2 + y**2 == 5", "x*y != 3 or y < x")
    assert not refutes(asked, parse(tree(10)))


def test_hostile_queries_are_refused():
    for text in (
        "x**1000000000 < 1",
        "2**1000000000 < x",
        "((x + y + z + w + 1)**20)**19 < 0",
        "(2**300 + x)**399 < 0",
    ):
        with pytest.raises(Refused):
            refutes(query(text), parse("."))
