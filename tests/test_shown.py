"""What is shown of the package's objects: a short line where they are printed, a card in a notebook, and what tab
completion and signatures say of the modules.
"""

from __future__ import annotations

import inspect
import re
from collections.abc import Callable, Iterator
from html.parser import HTMLParser
from importlib import import_module
from pathlib import Path
from pkgutil import walk_packages
from types import ModuleType
from typing import Any

import pytest
import sympy as sp
from checkout import ROOT

import grpo_symbolic as gs
from grpo_symbolic.notation import p, x
from grpo_symbolic.proof import Derivation, Domain
from grpo_symbolic.report import cards
from grpo_symbolic.session import STORE_VARIABLE, Session
from grpo_symbolic.shown import Shown
from grpo_symbolic.typeset.phrases import phrases

PUBLIC = ("setting", "theory", "objectives", "optimality", "numeric", "export", "trainers", "diagnose", "proof")
LONGEST = 240  # characters of a line for an object
ROWS = [{"step": k, "loss": -2 * k / 100, "reward": k / 100} for k in range(1, 31)]


def _derivation() -> Derivation:
    d = Derivation("slope", Domain(0 < x, x < 1, 0 < p, p < 1))
    d.differentiate((x - p) ** 2, x)
    return d


def _theory() -> gs.theory.Theory:  # type: ignore[name-defined]
    return gs.theory(group_size=2, beta=0.1, p_ref=0.3)


def _recursion() -> Any:
    return gs.optimality.SuccessRecursion(p_ref=0.2, beta=1, group_size=2, penalty="reverse-kl")


def _read() -> Any:
    return gs.trainers.read("trl==1.16.0", {"num_generations": 8, "loss_type": "grpo"})


# an object of each class that has a card, and words that stand on it
OBJECTS: dict[str, tuple[Callable[[], Any], str]] = {
    "Claim": (lambda: gs.claim("vy-eq14-lower-bound"), "Lower bound of (14)"),
    "Catalogue": (lambda: gs.proof.Catalogue(), "0 claims"),
    "Statement": (lambda: gs.claim("vy-eq14-lower-bound").statement, r"\max"),
    "Domain": (lambda: gs.claim("vy-eq14-lower-bound").domain, "p"),
    "Derivation": (_derivation, "differentiate"),
    "Obligation": (lambda: _derivation().obligations[0], "To be shown"),
    "Tried": (lambda: gs.prove(_derivation())[0], "proved · symbolic"),
    "Proofs": (lambda: gs.prove(_derivation()), "proved"),
    "Point": (lambda: _theory().point, "groups of 2"),
    "Theory": (_theory, "closed form: vy-eq14"),
    "Closed": (lambda: _theory().closed_forms[0], "x ="),
    "Answer": (lambda: _theory().answers["closed form"], "vy-eq14"),
    "Settled": (lambda: _theory().answers["closed form"].claims[0], "vy-eq14"),
    "Numbers": (lambda: _theory().numbers, "0.932182538050"),
    "Line": (lambda: gs.theory.Line(gs.theory.POINTS[0], gs.theory.POINTS[0].theory(), {}), "Vojnovic"),
    "Setting": (gs.Setting, "This run raises the probability"),
    "Advantages": (gs.setting.Advantages, "Advantages()"),
    "Penalty": (gs.setting.Penalty, "Penalty()"),
    "Reading": (_read, "TRL 1.16.0"),
    "Objective": (lambda: gs.objectives.grpo(0.1, group_size=2), "groups of 2"),
    "Advantage": (lambda: gs.objectives.Advantage(guard=1), "Advantage(guard=1)"),
    "FormulaAdvantage": (lambda: gs.objectives.as_advantage("(r - mean)/std"), "(r - mean)/std"),
    "Divergence": (lambda: gs.objectives.GRPO_PENALTY, "k3"),
    "FormulaPenalty": (lambda: gs.objectives.as_penalty("(x - p)^2"), "two answers itself"),
    "SuccessRecursion": (_recursion, "h(p) ="),
    "Enclosure": (lambda: _recursion().fixed_points()[0].enclosure, "0."),
    "FixedPoint": (lambda: _recursion().fixed_points()[0], "stable"),
    "Fold": (lambda: gs.optimality.Fold(_recursion().fixed_points()[0].enclosure, (sp.S.One,) * 2, "up"), "turns up"),
    "Limit": (lambda: _recursion().limit(), "converges"),
    "Compiled": (lambda: gs.numeric.compile(x * p, [x, p]), "compiled for numpy"),
    "SuccessLimits": (lambda: gs.numeric.success_limit(0.3, 0.1, group_size=8, penalty="k3"), "1 stationary"),
    "Solution": (lambda: gs.numeric.stationary_policy([0.5, 0.5], [1, 0], 0.1, 2), "(2,)"),
    "Predicted": (lambda: gs.numeric.predict([0.3], beta=0.1), "1 pass rates"),
    "Prediction": (lambda: gs.numeric.Prediction(gs.numeric.Settings(beta=0.1)), "0 of 0 rows"),
    "Sweep": (lambda: gs.numeric.sweep("vy-eq14-lower-bound", samples=100), "no proof"),
    "Diagnosis": (lambda: gs.diagnose.diagnose(ROWS, _read(), binary=True), "no baseline"),
    "Finding": (lambda: gs.diagnose.diagnose(ROWS, _read(), binary=True).odd[0], "At ratio 1"),
    "Record": (lambda: gs.diagnose.record_of(ROWS), "30 rows"),
}


class _Balanced(HTMLParser):
    """Whether every element is closed where it should be, and the text that is left."""

    def __init__(self) -> None:
        super().__init__()
        self.open: list[str] = []
        self.text = ""

    def handle_starttag(self, tag: str, attrs: list[tuple[str, str | None]]) -> None:
        assert tag in ("div", "span", "code", "em", "ul", "li", "pre"), tag
        self.open.append(tag)

    def handle_endtag(self, tag: str) -> None:
        assert self.open.pop() == tag, tag

    def handle_data(self, data: str) -> None:
        self.text += data


def text_of(html: str) -> str:
    """The text of a card, which is whole and balanced, and whose formulas are."""
    parser = _Balanced()
    parser.feed(html)
    parser.close()
    assert parser.open == []
    assert parser.text.count("$") % 2 == 0, parser.text
    return parser.text


@pytest.fixture(autouse=True)
def _empty_store(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv(STORE_VARIABLE, str(tmp_path / "store"))


@pytest.mark.parametrize("kind", OBJECTS)
def test_an_object_is_a_line_in_print_and_a_card_in_a_notebook(kind: str) -> None:
    make, words = OBJECTS[kind]
    thing = make()
    assert kind in {c.__name__ for c in type(thing).__mro__}
    assert len(repr(thing)) <= LONGEST, repr(thing)
    assert "\n" not in repr(thing)
    assert words in text_of(thing._repr_html_())


def _shown_classes() -> Iterator[type]:
    for module in walk_packages(gs.__path__, "grpo_symbolic."):
        if "derivations" not in module.name and "__main__" not in module.name and ".book" not in module.name:
            import_module(module.name)
    found = [Shown]
    for kind in found:
        found += [c for c in kind.__subclasses__() if c.__module__.startswith("grpo_symbolic") and c not in found]
    yield from found[1:]


def test_every_class_with_a_card_has_a_writer_of_its_own_or_of_what_it_is() -> None:
    named = {kind.__name__: kind for kind in _shown_classes() if Shown in kind.__bases__}
    assert set(cards.WRITERS) <= {kind.__name__ for kind in _shown_classes()}
    assert set(named) <= set(cards.WRITERS) == set(OBJECTS)


def test_the_box_of_a_claim_says_a_verdict_only_where_the_ledger_does(tmp_path: Path) -> None:
    claim = gs.claim("vy-eq14-lower-bound")
    before = text_of(claim._repr_html_())
    assert "expected: proved" in before
    assert "not verified in this folder" in before
    (entry,) = Session().verify([claim.id], jobs=1).ledger.where(lambda c: c.id == claim.id).claims
    after = text_of(claim._repr_html_())
    assert f"{entry.verdict} · {entry.weakest.name}" in after
    assert "expected" not in after
    assert all(f"${part}$" in after for kind, part in phrases(entry.line) if kind == "math")
    assert entry.locator in after


def test_a_recursion_without_a_map_shows_the_equation_of_its_fixed_points() -> None:
    run = gs.optimality.SuccessRecursion(p_ref=0.2, beta=1, group_size=2, penalty="k3")
    assert "Fixed points" in text_of(run._repr_html_())


def test_a_box_tells_how_the_print_differs() -> None:
    claim = gs.claim("vy-eq14-lower-bound")
    said = text_of(claim._repr_html_())
    assert claim.judgement != "holds"
    assert "As printed" in said
    assert "What holds" in said


@pytest.mark.parametrize("claim_id", ["pt-eq12-text-expression", "by-saddle-classification"])
def test_a_box_has_the_same_rows_before_a_run_and_after_it(claim_id: str, tmp_path: Path) -> None:
    """But for what a run finds."""
    claim = gs.claim(claim_id)
    before = claim._repr_html_()
    assert re.search("Read as|In words", before)
    Session().verify([claim.id], jobs=1)
    after = claim._repr_html_()
    named = [
        [name for name in re.findall(r"margin-right:.5em\">([^<]*)</span>", text) if name] for text in (before, after)
    ]
    assert named[0] == [name for name in named[1] if name not in ("Fails at", "Would help", "Witness")]
    assert named[0]


def test_the_colours_of_verdicts_are_those_of_the_book() -> None:
    css = (ROOT / "grpo_symbolic/book/static/claims.css").read_text()
    for verdict, colour in cards.COLOURS.items():
        assert re.search(rf"\.claim-{verdict}\b[^{{}}]*\{{[^}}]*background: {colour};", css), verdict


def _functions(module: ModuleType) -> Iterator[tuple[str, Any]]:
    for name in dir(module):
        thing = getattr(module, name)
        if (
            callable(thing)
            and getattr(thing, "__module__", "").startswith("grpo_symbolic")
            and not name.startswith("_")
        ):
            yield name, thing


@pytest.mark.parametrize("name", PUBLIC)
def test_tab_completion_offers_what_is_public_and_signatures_name_every_argument(name: str) -> None:
    module = getattr(gs, name)
    assert sorted(dir(module)) == sorted(module.__all__)
    starred = {inspect.Parameter.VAR_POSITIONAL, inspect.Parameter.VAR_KEYWORD}
    for called, thing in [(name, module)] * callable(module) + list(_functions(module)):
        if name == "proof" or getattr(thing, "_is_protocol", False):
            continue  # a Domain takes any number of conditions, and a protocol is not called
        kinds = {a.kind for a in inspect.signature(thing).parameters.values()}
        assert not kinds & starred, f"{name}.{called} takes any argument"
