"""Each print is its paper's own sentence: found in the paper's text, or listed with the reason why not."""

from __future__ import annotations

import json
from collections.abc import Mapping
from pathlib import Path

import printed
import pytest
from quoting import Paper, said

from grpo_symbolic.index import Listing

PAPER = r"""
# A paper

Note that the policy is *not* unique [[1]](#one). For a context q , the
probability $p_{n}$ is at most $\frac{1}{2}$ , if $\beta \leq 1$ .

$$\begin{split} f(x) &= \frac{a}{b} + \sqrt{x} \\ &= \mathcal{L}_{\text{old}}(x \mid q) \times \\ &\times
g'_{i}(x). \end{split}$$
(3)

where g is a *reward* of the old policy<sup>2</sup> and r_1, \ldots, r_G are drawn.

<sup>2</sup>A note between two pages.

This goes on, but only for $\varepsilon > 0$, not for $\epsilon > 0$. It ends here.
"""


@pytest.fixture(scope="module")
def paper() -> Paper:
    return Paper(PAPER)


@pytest.mark.parametrize(
    ("print_", "lines"),
    [
        (r"\text{the policy is not unique}", (4, 4)),
        (r"\text{the probability }p_n\text{ is at most }\tfrac12\text{, if }\beta\le1", (4, 5)),
        (r"f(x)=\frac ab+\sqrt x=\mathcal L_{\mathrm{old}}(x|q)\times g_i'(x)\text{ where }g", (7, 11)),
        (r"=\mathcal{L}_\mathrm{old}(x\mid q)\times g'_i(x)", (7, 8)),
        (r"r_1,\dots,r_G\text{ are drawn. This goes on}", (11, 15)),
        (r"\text{only for }\varepsilon>0", (15, 15)),
    ],
)
def test_a_print_is_found_however_it_is_typed(paper: Paper, print_: str, lines: tuple[int, int]) -> None:
    assert paper.find(print_) == [lines]


@pytest.mark.parametrize(
    "print_",
    [
        r"\text{the policy is unique}",  # no "not"
        r"\text{the policy is not, unique, at most}",  # words of its own
        r"\text{the probability }p_n\text{ is at most }\tfrac13",  # another number
        r"\text{the probability }P_n\text{ is at most }\tfrac12",  # another letter
        r"\text{the probability }p_n\text{ is at most }\tfrac12\text{, if }\beta\ge1",  # another relation
        r"\text{the probability }p_n\text{ is at most }\tfrac12\text{, if }\beta<1",
        r"f(x)=\frac ab-\sqrt x",  # another sign
        r"f(x)=\frac a{b+\sqrt x}",  # another fraction
        r"f(x)=\frac ab",  # a summand less
        r"\mathcal L_{\mathrm{old}}(x|q)",  # a factor less
        r"g_i'(x)",
        r"\text{only for }\epsilon>0",  # another epsilon
        r"p^n",  # above instead of below
        r"\text{This goes on … the policy is not unique}",  # the wrong order
        r"\text{the policy … unique}",  # too little of it
        "",
    ],
)
def test_what_the_paper_does_not_say_is_not_found(paper: Paper, print_: str) -> None:
    assert paper.find(print_) is None


def test_pieces_are_found_in_their_order_and_not_too_far_apart(paper: Paper) -> None:
    assert paper.find(r"\text{the policy is not unique … is a reward … This goes on}") == [(4, 4), (11, 11), (15, 15)]
    assert paper.find(r"\text{the policy is not unique … is a reward of the new policy}") is None
    assert Paper("It is so. " + "And then " * 100 + "it ends here.").find("It is so … it ends here") == [(1, 1), (1, 1)]
    assert Paper("It is so. " + "And then " * 500 + "it ends here.").find("It is so … it ends here") is None


def test_the_nearest_place_names_its_line(paper: Paper) -> None:
    assert paper.nearest(r"f(x)=\frac ab-\sqrt x").startswith("line 7: f ( x ) = ")
    assert paper.nearest("zebra crossing") == "nothing alike"


def test_braces_and_letters_are_kept_apart() -> None:
    assert said(r"x^{ab}") != said(r"x^ab")
    assert said(r"\frac1{2}n") == said(r"\tfrac{1}{2} n") != said(r"\frac{1}{2n}")
    assert said("Gg G g") == ["gg", "G", "g"]
    assert said(r"\sum^N_{i=1}a'_i") == said(r"\sum_{i = 1}^{N} a_i^\prime")


def test_a_scan_may_spell_a_sign_its_own_way() -> None:
    assert Paper(r"so $\vec{t}ext_w$ wins").find(r"\vec{text}_w\text{ wins}") is None
    assert Paper(r"so $\vec{t}ext_w$ wins", {r"\\vec\{t\}ext": r"\\vec{text}"}).find(r"\vec{text}_w\text{ wins}")


def test_each_print_was_looked_up_as_it_is_now() -> None:
    record = printed.recorded()
    stale = {c.id for c in printed.prints() if record.get(c.id, {}).get("digest") != printed.digest(str(c.printed))}
    assert not stale, f"prints that were not looked up in their paper: run {printed.COMMAND}"
    assert record.keys() == {c.id for c in printed.prints()}, f"ids of no print: run {printed.COMMAND}"


def test_what_is_not_found_has_its_reason_and_the_number_is_told() -> None:
    record = printed.recorded()
    for id, entry in record.items():
        assert ("found" in entry) != ("reason" in entry), id
        assert entry.get("lines") if "found" in entry else entry["reason"], id
    told = " ".join((printed.RECORD.parent.parent / "CONTRIBUTING.md").read_text(encoding="utf-8").split())
    assert printed.numbers(record) in told


def invented(id: str, text: str) -> Listing:
    return Listing(id, "mine", "one.py", "Sec 1", "A title", printed=text)


def test_the_command_keeps_a_reason_as_long_as_the_print_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    (tmp_path / "mine_2025.md").write_text("It holds that $a = b$ .\n\nAll is well.\n", encoding="utf-8")
    claims = [invented("m-1", "a=b"), invented("m-2", "a=c"), invented("m-3", r"\text{holds that … well}")]
    monkeypatch.setattr(printed, "RECORD", tmp_path / "printed.json")
    monkeypatch.setattr(printed, "prints", lambda: claims)

    def run() -> tuple[int, Mapping[str, Mapping[str, str]]]:
        return printed.main(tmp_path), json.loads((tmp_path / "printed.json").read_text(encoding="utf-8"))

    code, record = run()
    assert (code, record["m-1"]) == (1, {"digest": printed.digest("a=b"), "found": "verbatim", "lines": "1"})
    assert record["m-2"]["reason"] == ""
    assert "m-2 (mine/one.py, Sec 1): NO REASON YET" in capsys.readouterr().out
    kept = {id: {**entry, "reason": "misread"} for id, entry in record.items() if "reason" in entry}
    (tmp_path / "printed.json").write_text(json.dumps({**record, **kept}), encoding="utf-8")
    code, again = run()
    assert (code, again["m-2"]["reason"]) == (0, "misread")
    claims[1] = invented("m-2", "a=d")
    code, changed = run()
    assert (code, changed["m-2"]["reason"]) == (1, "")
    (tmp_path / "mine_2025.md").unlink()
    assert run()[1] == changed  # without the paper what is kept stays
